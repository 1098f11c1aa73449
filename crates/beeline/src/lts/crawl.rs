//! All states of a system, numbered, with labelled steps between them.
//!
//! Steps are kept as numbers, labels as words of the store until their text is needed once. It visits
//! breadth-first on one thread. What it leaves out it says; what follows from that others decide.

use super::rows::Rows;
use super::{LtsOptions, LtsProgress, StepLabels};
use beeline_bisimulation::{Builder, Graph, MAX_STATES, TooLarge};
use beeline_compile::{CutReason, PredId, System};
use beeline_explore::{CutNote, Cuts};
use beeline_model::TypeId;
use beeline_pack::PackedSystem;
use beeline_source::Span;
use beeline_transition::{
    Answer, Ask, At, ConstantsRef, Flow, OperationIndex, RowRef, Setup, SetupIndex, Setups, State,
    StateRef, TransitionSystem, Truth,
};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The label of steps to initial states.
pub const INITIALISATION: &str = "INITIALISATION";

/// What was explored: the root is state 0 of the graph, the states of the model follow.
pub(crate) struct Explored<'s> {
    pub graph: Graph,
    pub cuts: Vec<CutNote>,
    system: &'s System,
    packed: PackedSystem<'s>,
    is_packed: bool,
    rows: Rows,
    setups: Setups,
}

impl Explored<'_> {
    /// Names and values of a state of the graph; the root has none.
    pub fn values(&self, state: u32) -> Vec<(String, String)> {
        let Some(number) = state.checked_sub(1) else { return Vec::new() };
        let (setup, row) = split(self.rows.get(number));
        let scratch = &mut self.packed.scratch();
        let words = match self.is_packed {
            true => self.packed.unpack(RowRef(row), scratch),
            false => State(row.to_vec()),
        };
        let system = self.system;
        let several = self.setups.len() > 1;
        let constants = self.setups.get(setup);
        let constants = system.constants().iter().zip(constants.iter()).filter(|_| several);
        let constants = constants.map(|(s, w)| (s.name.clone(), system.show(w, s.ty)));
        let variables = system.variables().iter().zip(&words.0);
        constants.chain(variables.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty)))).collect()
    }
}

/// A row begins with the number of its valuation of the constants.
fn split(words: &[u32]) -> (SetupIndex, &[u32]) {
    match words.split_first() {
        Some((setup, row)) => (SetupIndex(*setup as usize), row),
        None => (SetupIndex(0), &[]),
    }
}

/// Explores a system until it ends or the flag of the system is set.
pub(crate) fn crawl<'s>(
    system: &'s System,
    mut packed: PackedSystem<'s>,
    (options, observed): (&LtsOptions, &[(String, PredId)]),
    tell: &dyn Fn(LtsProgress),
) -> Explored<'s> {
    let mut cuts = Cuts::default();
    let (setups, all_setups) = find_setups(&packed, options, &mut cuts);
    let mut widened = vec![0u8; packed.signature().variables];
    loop {
        packed.begin(&setups, &widened);
        let stop = packed.interrupt();
        let is_packed = options.labels == StepLabels::Names;
        let width = 1 + if is_packed { packed.width() } else { system.variables().len() };
        let mut crawler = Crawler {
            system,
            packed: &packed,
            options,
            observed,
            stop: &stop,
            setups: &setups,
            rows: Rows::new(width),
            builder: Builder::new(),
            texts: Texts::default(),
            cuts: Cuts::default(),
            row: Vec::new(),
            broken: false,
        };
        let done = crawler.run(tell);
        let Crawler { rows, builder, cuts: found, .. } = crawler;
        // A value outside its layout: nothing so far counts, and the next layout has room for it.
        if let Some(variable) = packed.overflowed().filter(|_| !stop.load(Ordering::Relaxed)) {
            widened[variable] = widened[variable].saturating_add(1);
            continue;
        }
        cuts.merge(found);
        if done.is_err() {
            cuts.note(CutReason::States, Span::NONE, &TooLarge.to_string(), 1);
        }
        if cuts.is_empty()
            && all_setups
            && is_packed
            && let Some(cut) = packed.doubt(&mut |hearer| {
                (0..rows.len() as u32).for_each(|n| hearer(RowRef(split(rows.get(n)).1)));
            })
        {
            cuts.add(&cut);
        }
        let states = rows.len() + 1;
        let graph = builder.finish(0, states).unwrap_or_else(|TooLarge| Graph::single());
        return Explored { graph, cuts: cuts.list(), system, packed, is_packed, rows, setups };
    }
}

/// All valuations of the constants; or some, and a cut.
fn find_setups(packed: &PackedSystem<'_>, options: &LtsOptions, cuts: &mut Cuts) -> (Setups, bool) {
    let stop = packed.interrupt();
    let most = options.max_states.unwrap_or(MAX_STATES as u64);
    let setups = Setups::new(packed.signature().constants);
    let (mut words, mut count) = (Vec::new(), 0u64);
    let mut scratch = packed.scratch();
    let (answer, given_up) = packed.setups(0, u64::MAX, &mut scratch, &mut |constants| {
        if count >= most || stop.load(Ordering::Relaxed) {
            return Flow::Enough;
        }
        count += 1;
        words.extend_from_slice(constants.words());
        Flow::More
    });
    let added = setups.add(count as usize, words);
    note(&answer, "while the constants got their values", cuts);
    let all = answer.complete() && !given_up && added;
    if !all {
        let words = "not all valuations of the constants were found";
        cuts.note(CutReason::Constants, Span::NONE, words, 1);
    }
    (setups, all)
}

/// Notes what an enumeration left out; a fault means that some of its results are missing.
fn note(answer: &Answer, place: &str, cuts: &mut Cuts) {
    answer.cuts.iter().for_each(|cut| cuts.add(cut));
    for fault in &answer.faults {
        let words = format!("{place}: {}", fault.words);
        cuts.note(CutReason::SkippedError, fault.span, &words, 1);
    }
}

struct Crawler<'c, 's> {
    system: &'s System,
    packed: &'c PackedSystem<'s>,
    options: &'c LtsOptions,
    observed: &'c [(String, PredId)],
    stop: &'c AtomicBool,
    setups: &'c Setups,
    rows: Rows,
    builder: Builder,
    texts: Texts,
    cuts: Cuts,
    /// A state as it is numbered.
    row: Vec<u32>,
    /// Some enumeration ended before it gave all.
    broken: bool,
}

/// How often progress is told, in states.
const TELL: u32 = 1 << 10;

impl Crawler<'_, '_> {
    fn run(&mut self, tell: &dyn Fn(LtsProgress)) -> Result<(), TooLarge> {
        let mut scratch = self.packed.scratch();
        self.initial(&mut scratch);
        self.builder.end_state()?;
        let observed: Vec<u32> = self
            .observed
            .iter()
            .map(|(text, _)| self.builder.label(&format!("[{text}]")))
            .collect();
        let mut next = 0u32;
        while (next as usize) < self.rows.len() && !self.stopped() {
            if next.is_multiple_of(TELL) {
                let states = self.rows.len() as u64;
                tell(LtsProgress {
                    states,
                    waiting: states - u64::from(next),
                    transitions: self.builder.transitions() as u64,
                });
            }
            let words = self.rows.get(next).to_vec();
            self.observe(next, &words, &observed, &mut scratch);
            if self.is_inside(&words, &mut scratch) {
                self.expand(next, &words, &mut scratch);
            }
            self.builder.end_state()?;
            next += 1;
        }
        if self.broken || (next as usize) < self.rows.len() {
            // Why it was broken off whoever did it says.
            let (reason, words) = match self.stop.load(Ordering::Relaxed) {
                true => (CutReason::Interrupted, "it was broken off"),
                false => (CutReason::States, "the limit of states was reached"),
            };
            self.cuts.note(reason, Span::NONE, words, 1);
        }
        Ok(())
    }

    fn stopped(&self) -> bool {
        let full = self.options.max_states.is_some_and(|most| self.rows.len() as u64 > most);
        full || self.rows.len() >= MAX_STATES - 1
            || self.packed.overflowed().is_some()
            || self.stop.load(Ordering::Relaxed)
    }

    /// The steps of the root.
    fn initial(&mut self, scratch: &mut beeline_pack::PackedScratch) {
        let label = self.builder.label(INITIALISATION);
        for (number, constants) in self.setups.iter() {
            if self.stopped() {
                self.broken = true;
                return;
            }
            let (packed, setups, labels) = (self.packed, self.setups, self.options.labels);
            let mut sink = |words: &[u32]| {
                let target = self.numbered(number, words);
                self.builder.edge(label, target);
                if self.stopped() { Flow::Enough } else { Flow::More }
            };
            let answer = match labels {
                StepLabels::Names => {
                    let setup = Setup { number, all: setups };
                    packed.initial(setup, scratch, &mut |row| sink(row.words()))
                }
                _ => packed.initial_states(constants, scratch, &mut |state| sink(state.words())),
            };
            note(&answer, "in the initialisation", &mut self.cuts);
            self.broken |= answer.stopped;
        }
    }

    /// The number of a state in the graph, in which the root comes first.
    fn numbered(&mut self, setup: SetupIndex, words: &[u32]) -> u32 {
        self.row.clear();
        self.row.push(setup.0 as u32);
        self.row.extend_from_slice(words);
        let row = std::mem::take(&mut self.row);
        let number = self.rows.number(&row);
        self.row = row;
        number + 1
    }

    fn expand(&mut self, _state: u32, words: &[u32], scratch: &mut beeline_pack::PackedScratch) {
        let (setup, row) = split(words);
        let at = Setup { number: setup, all: self.setups };
        let packed = self.packed;
        let answer = match self.options.labels {
            StepLabels::Names => {
                let mut sink = |operation: OperationIndex, next: RowRef<'_>| {
                    let target = self.numbered(setup, next.words());
                    let key = [operation.0 as u32];
                    self.step(&key, target, &mut |system| system.operation(operation).name.clone())
                };
                let at = At { setup: at, row: RowRef(row) };
                packed.successors(at, scratch, &mut Ask::default(), &mut sink)
            }
            labels => {
                let place: (ConstantsRef<'_>, StateRef<'_>) = (at.constants(), StateRef(row));
                let mut key = Vec::new();
                packed.steps(place, None, scratch, &mut |step| {
                    let results = if labels == StepLabels::Full { step.results } else { &[] };
                    key.clear();
                    key.push(step.operation.0 as u32);
                    key.extend_from_slice(step.arguments.words());
                    key.extend_from_slice(results);
                    let target = self.numbered(setup, step.target.words());
                    let arguments = step.arguments.words();
                    self.step(&key, target, &mut |system| {
                        text(system, step.operation, arguments, results)
                    })
                })
            }
        };
        note(&answer, "an operation fails in some state", &mut self.cuts);
        self.broken |= answer.stopped;
    }

    /// Notes a step; its label gets a text when it is met for the first time.
    fn step(&mut self, key: &[u32], target: u32, text: &mut dyn FnMut(&System) -> String) -> Flow {
        let label = match self.texts.0.get(key) {
            Some(label) => *label,
            None => {
                // Different words may have the same text: then it is the same label.
                let label = self.builder.label(&text(self.system));
                self.texts.0.insert(key.into(), label);
                label
            }
        };
        self.builder.edge(label, target);
        if self.stopped() { Flow::Enough } else { Flow::More }
    }

    /// What is observed of a state is a step to itself.
    fn observe(
        &mut self,
        state: u32,
        words: &[u32],
        labels: &[u32],
        scratch: &mut beeline_pack::PackedScratch,
    ) {
        for ((text, pred), label) in self.observed.iter().zip(labels) {
            match self.truth(*pred, words, scratch) {
                Truth::True => self.builder.edge(*label, state + 1),
                Truth::False => {}
                Truth::Undefined(fault) => {
                    let words =
                        format!("{text} is not well-defined in some state: {}", fault.words);
                    self.cuts.note(CutReason::SkippedError, fault.span, &words, 1);
                }
                Truth::Unknown(cut) => self.cuts.add(&cut),
            }
        }
    }

    /// Is the state inside the scope that the model itself sets?
    fn is_inside(&mut self, words: &[u32], scratch: &mut beeline_pack::PackedScratch) -> bool {
        let Some(scope) = self.packed.signature().scope else { return true };
        let inside = self.truth(scope, words, scratch) == Truth::True;
        if !inside {
            let words = "states outside SCOPE were not expanded";
            self.cuts.note(CutReason::Ignored, Span::NONE, words, 1);
        }
        inside
    }

    fn truth(
        &self,
        pred: PredId,
        words: &[u32],
        scratch: &mut beeline_pack::PackedScratch,
    ) -> Truth {
        let (setup, row) = split(words);
        let setup = Setup { number: setup, all: self.setups };
        if self.options.labels != StepLabels::Names {
            return self.packed.holds(pred, (setup.constants(), StateRef(row)), scratch);
        }
        let mut told = Truth::False;
        let at = At { setup, row: RowRef(row) };
        self.packed.holds_each(&[pred], at, scratch, &mut |_, truth| told = truth);
        told
    }
}

/// The labels that were met, by operation, parameters and results.
#[derive(Default)]
struct Texts(FxHashMap<Box<[u32]>, u32>);

/// An operation with its parameters and results.
fn text(system: &System, operation: OperationIndex, arguments: &[u32], results: &[u32]) -> String {
    let operation = system.operation(operation);
    let list = |names: &[(String, TypeId)], words: &[u32]| {
        let values = names.iter().zip(words).map(|((_, ty), word)| system.show(*word, *ty));
        values.collect::<Vec<_>>().join(", ")
    };
    let mut label = operation.name.clone();
    if !arguments.is_empty() {
        label += &format!("({})", list(&operation.parameters, arguments));
    }
    if !results.is_empty() {
        label += &format!(" --> {}", list(&operation.results, results));
    }
    label
}
