//! The whole of a symbolic search: valuations of the constants one after the other, and what they come to together.

mod start;

use crate::diagram::{Diagrams, Halt, Set};
use crate::forward::{self, Plan, Reached, Strategy};
use crate::invariance::{self, Asked, Told};
use crate::learned::Engine;
use crate::make::{Making, Relations};
use crate::method::Method;
use crate::space::{Reads, Refused, Space, parts_of};
use beeline_explore::{
    Cancel, Counts, Cuts, Exploration, Finding, FindingKind, Made, Options, Path, Progress,
    SetOperations, Skip, Source, Supply, Symbolic, Watch, resident_bytes,
};
use beeline_source::Span;
use beeline_transition::{CutReason, Row, SetupIndex, Setups, TransitionSystem, Truth};
use num_bigint::BigUint;
use start::Start;
use std::sync::atomic::Ordering;

/// Bytes for diagrams where nobody sets a limit.
const DEFAULT_BUDGET: u64 = 4 << 30;
/// Of so many valuations all are looked at, though something was found.
const FEW_SETUPS: usize = 64;

/// What to search, how, and who listens.
pub struct Job<'a> {
    /// Checks and limits.
    pub options: &'a Options,
    /// The method.
    pub method: Method,
    /// How relations come about.
    pub relations: Relations,
    /// What goal and scope look at.
    pub reads: Reads,
    /// Ends the search when somebody asks.
    pub cancel: Cancel,
    /// Hears of progress.
    pub tell: &'a (dyn Fn(Progress) + Sync),
}

/// Searches a system.
pub fn explore<S: TransitionSystem>(system: &mut S, job: &Job<'_>) -> Exploration {
    let interrupt = system.interrupt();
    interrupt.store(false, Ordering::Relaxed);
    system.limit_memory(job.options.limits.memory_bytes);
    let watch = Watch::new(job.options.limits, job.cancel.clone(), interrupt);
    watch.beside(job.tell, || {
        let mut widened = vec![0u8; system.signature().variables];
        let (setups, mut supply) = (Setups::new(system.signature().constants), Supply::new());
        setups.set_more(true);
        watch.watched(|| {
            while setups.has_more() && !watch.stopped() {
                let from = Source {
                    system: &*system,
                    options: job.options,
                    watch: &watch,
                    setups: &setups,
                };
                supply.more(&from);
            }
        });
        loop {
            watch.watched(|| system.begin(&setups, &widened));
            let mut run = Run::new(&*system, job, &watch, &setups);
            watch.watched(|| run.all());
            // A value outside its layout: nothing so far counts, and the next layout has room for it.
            if let Some(variable) = run.system.overflowed().filter(|_| !watch.stopped()) {
                drop(run);
                widened[variable] = widened[variable].saturating_add(1);
                continue;
            }
            return run.finish(&mut supply);
        }
    })
}

/// A search with one layout.
struct Run<'a, S: TransitionSystem> {
    system: &'a S,
    job: &'a Job<'a>,
    watch: &'a Watch,
    setups: &'a Setups,
    found: Vec<(usize, Finding)>,
    cuts: Cuts,
    states: BigUint,
    covered: Vec<BigUint>,
    initial: BigUint,
    depth: Option<u32>,
    lost: bool,
    stopped: bool,
    /// No trace is shorter than those that are told.
    nearest: bool,
    symbolic: Symbolic,
}

impl<'a, S: TransitionSystem> Run<'a, S> {
    fn new(system: &'a S, job: &'a Job<'a>, watch: &'a Watch, setups: &'a Setups) -> Run<'a, S> {
        let operations = system.signature().operations.len();
        Run {
            system,
            job,
            watch,
            setups,
            found: Vec::new(),
            cuts: Cuts::default(),
            states: BigUint::ZERO,
            covered: vec![BigUint::ZERO; operations],
            initial: BigUint::ZERO,
            depth: None,
            lost: false,
            stopped: false,
            nearest: false,
            symbolic: Symbolic {
                method: job.method.name(),
                is_detailed: job.options.stats,
                ..Symbolic::default()
            },
        }
    }

    fn all(&mut self) {
        for number in (0..self.setups.len()).map(SetupIndex) {
            if self.stopped || self.watch.stopped() {
                let words = "not all initial states were found";
                if !self.stopped {
                    self.cuts.note(CutReason::InitialStates, Span::NONE, words, 1);
                }
                return;
            }
            self.static_assertions(number);
            if let Err(refused) = self.one(number) {
                self.cuts.note(CutReason::Unsupported, refused.span, &refused.words, 1);
                return;
            }
            // Nothing counts, and the next valuation must not hide it.
            if self.system.overflowed().is_some() {
                return;
            }
            // Of few valuations all are looked at: another one may have a shorter trace.
            self.stopped |=
                !self.job.options.all && !self.found.is_empty() && self.setups.len() > FEW_SETUPS;
        }
        self.nearest = !self.stopped;
        self.stopped |= !self.job.options.all && !self.found.is_empty();
    }

    /// All states under one valuation.
    fn one(&mut self, number: SetupIndex) -> Result<(), Refused> {
        let system = self.system;
        let options = self.job.options;
        let (layout, operations, predicates, scope) =
            parts_of(system, &options.checks, &self.job.reads)?;
        let setup = beeline_transition::Setup { number, all: self.setups };
        let stopped = || self.watch.stopped();
        let engine = Engine {
            system,
            setup,
            scratch: system.scratch(),
            template: Row::default(),
            forgiving: false,
            evaluated: 0,
            stopped: &stopped,
        };
        let levels = layout.levels();
        let mut space = Space {
            engine,
            diagrams: Diagrams::new(self.budget(), system.interrupt()),
            layout,
            levels,
            operations,
            predicates,
            scope,
            held: Vec::new(),
            done: SetOperations::default(),
        };
        let mut start = Start::default();
        let initial = start.find(&mut space);
        // A value outside its layout: nothing counts, and who evaluates what is not reached must not forget it.
        if system.overflowed().is_some() {
            return Ok(());
        }
        start.faults(number, self);
        let made = initial.and_then(|initial| {
            space.held = vec![initial];
            self.make(&mut space).map(|()| initial)
        });
        let reached = match (made, self.job.method) {
            (Ok(initial), Method::Forward(strategy)) => {
                self.initial += &start.count;
                let plan = Plan { options, watch: self.watch, strategy, wanted: None };
                forward::search(&mut space, initial, &plan)
            }
            // Nothing to begin with, and no row to fill up patterns.
            (Ok(initial), _) if initial.is_empty() => Reached::default(),
            (Ok(initial), method) => {
                self.initial += &start.count;
                self.by_answer(&mut space, initial, method)?
            }
            (Err(halt), _) => {
                if halt == Halt::Full {
                    self.watch.halt(CutReason::Memory);
                }
                Reached::default()
            }
        };
        self.tell_of(&space);
        drop(space);
        self.take(reached);
        Ok(())
    }

    /// Makes what can be made of operations and checks before the search.
    fn make(&mut self, space: &mut Space<'_, S>) -> Result<(), Halt> {
        // Without a state there is nothing to search, and no row to fill up patterns.
        if space.held == [Set::EMPTY] {
            return Ok(());
        }
        let (system, checks) = (self.system, &self.job.options.checks);
        let plain = || parts_of(system, checks, &self.job.reads).ok().map(|p| (p.1, p.2));
        let Making { operations, checks, wrong } = space.make(self.job.relations, plain)?;
        for what in wrong {
            let words = format!(
                "what the code of {what} says is not what it does: this is an error of the program"
            );
            self.cuts.note(CutReason::NotChecked, Span::NONE, &words, 1);
        }
        // Of several valuations the worst is told.
        let names = system.signature().operations.iter().map(|o| o.name.clone());
        let own = &mut self.symbolic;
        own.relations.resize_with(operations.len(), || (String::new(), Made::Exact));
        for ((told, made), name) in own.relations.iter_mut().zip(operations).zip(names) {
            *told = (name, told.1.max(made));
        }
        own.checks.resize(checks.len(), Made::Exact);
        own.checks.iter_mut().zip(checks).for_each(|(told, made)| *told = (*told).max(made));
        Ok(())
    }

    /// By a method that says whether something wrong can be reached; if so, a way there is found forward.
    fn by_answer(
        &mut self,
        space: &mut Space<'_, S>,
        initial: Set,
        method: Method,
    ) -> Result<Reached, Refused> {
        let options = self.job.options;
        if options.limits.depth.is_some() {
            let words = "this method does not know how deep a state is: use --method symbolic";
            return Err(Refused { span: Span::NONE, words: words.to_owned() });
        }
        let how = Asked {
            method,
            watch: self.watch,
            deadlock: options.checks.deadlock,
            each: options.all,
        };
        let told = invariance::answer(space, initial, &how);
        let mut reached = Reached::default();
        let strategy = Strategy::BreadthFirst;
        let plan = Plan { options, watch: self.watch, strategy, wanted: None };
        let answer = match told {
            // Where something was left out is bad as well, and nothing bad can be reached.
            Ok(Told::Holds(answer)) => answer,
            Ok(Told::Refused(why)) => return Err(why),
            Ok(Told::Reachable(answer, kinds)) => {
                let done = space.done;
                // What leads outside the layout is evaluated again where it can be reached: that ends this search, and
                // the next one has a wider layout.
                if let Err(halt) = space.doubt_outside() {
                    forward::note_halt(&plan, halt);
                    return Ok(reached);
                }
                // Of no kind: only what leaves the layout can be reached, and all states are taken to get there.
                let wanted = Some(kinds).filter(|kinds| options.all && !kinds.is_empty());
                reached = forward::search(space, initial, &Plan { wanted, ..plan });
                space.done = done;
                if reached.findings.is_empty() && reached.cuts.is_empty() {
                    let words = "something wrong can be reached, but no way to it was found";
                    reached.cuts.note(CutReason::NotChecked, Span::NONE, words, 1);
                }
                answer
            }
            Err(halt) => {
                forward::note_halt(&plan, halt);
                return Ok(reached);
            }
        };
        reached.rounds = answer.rounds;
        self.symbolic.blocks = self.symbolic.blocks.max(answer.blocks);
        Ok(reached)
    }

    /// Bytes for diagrams: what is left of the limit, but for a part that others need.
    fn budget(&self) -> usize {
        let limit = self.job.options.limits.memory_bytes;
        let left = limit.map(|all| all.saturating_sub(resident_bytes().unwrap_or(0)) / 8 * 7);
        usize::try_from(left.unwrap_or(DEFAULT_BUDGET)).unwrap_or(usize::MAX)
    }

    fn tell_of(&mut self, space: &Space<'_, S>) {
        let own = &mut self.symbolic;
        own.bits = space.layout.len();
        own.learned += space.engine.evaluated;
        own.peak_nodes = own.peak_nodes.max(space.diagrams.peak());
        own.bytes = own.bytes.max(space.diagrams.bytes());
        own.collections += space.diagrams.collections();
        let (all, more) = (&mut own.operations, space.done);
        all.images += more.images;
        all.unions += more.unions;
        all.differences += more.differences;
        all.intersections += more.intersections;
        all.comparisons += more.comparisons;
    }

    fn take(&mut self, reached: Reached) {
        self.states += &reached.states;
        for (all, own) in self.covered.iter_mut().zip(&reached.covered) {
            *all += own;
        }
        self.symbolic.rounds += reached.rounds;
        self.symbolic.nodes += reached.nodes;
        self.depth = self.depth.max(reached.depth);
        self.lost |= reached.lost;
        self.cuts.merge(reached.cuts);
        for (steps, finding) in reached.findings {
            self.keep(steps + 1, finding);
        }
    }

    /// Keeps the nearest finding of each kind.
    fn keep(&mut self, steps: usize, finding: Finding) {
        let key = finding.kind.key();
        match self.found.iter_mut().find(|(_, known)| known.kind.key() == key) {
            Some((before, known)) if steps < *before => {
                (*before, *known) = (steps, finding);
            }
            Some(_) => {}
            None => self.found.push((steps, finding)),
        }
    }

    fn root(&self, number: SetupIndex) -> Path {
        Path { constants: self.setups.get(number).owned(), ..Path::default() }
    }

    fn static_assertions(&mut self, number: SetupIndex) {
        if !self.job.options.checks.assertions {
            return;
        }
        let (system, constants) = (self.system, self.setups.get(number));
        let mut scratch = system.scratch();
        for check in system.signature().assertions.iter().filter(|c| c.constant) {
            let kind = match system.holds_of_constants(check.pred, constants, &mut scratch) {
                Truth::True => continue,
                Truth::False => FindingKind::Violated(check.id),
                Truth::Undefined(fault) => FindingKind::Undefined(check.id, fault),
                Truth::Unknown(cut) => {
                    self.cuts.add(&cut);
                    continue;
                }
            };
            self.keep(0, Finding { kind, path: self.root(number) });
        }
    }

    fn finish(mut self, supply: &mut Supply) -> Exploration {
        let watch = self.watch;
        self.cuts.merge(supply.cuts(!self.stopped && self.setups.has_more()));
        if let Some(reason) = watch.reason() {
            self.cuts.forget(CutReason::Interrupted);
            self.cuts.note(reason, Span::NONE, stop_words(reason), 1);
        }
        self.found.sort_by_key(|(steps, finding)| (*steps, finding.kind.key()));
        if !self.job.options.all
            && let Some(nearest) = self.found.first().map(|(steps, _)| *steps)
        {
            self.found.retain(|(steps, _)| *steps == nearest);
        }
        let constants = match self.system.signature().has_setup {
            true => self.setups.len() as u64,
            false => 0,
        };
        let few = |many: &BigUint| u64::try_from(many.clone()).unwrap_or(u64::MAX);
        let transitions = self.covered.iter().sum::<BigUint>() + &self.initial + constants;
        if self.job.method.counts() {
            self.symbolic.states = Some((&self.states + constants).to_string());
            self.symbolic.transitions = Some(transitions.to_string());
        }
        let counts = Counts {
            nodes: few(&(&self.states + constants + 1u32)),
            constants,
            transitions: few(&transitions),
            invariant_evaluations: 0,
            invariant_evaluations_known: 0,
            guard_evaluations_known: 0,
            guard_evaluations: self.symbolic.learned,
        };
        let bytes = self.symbolic.bytes as f64;
        Exploration {
            skip: Skip::Off,
            wrong_skips: Vec::new(),
            bytes_per_state: bytes / few(&self.states).max(1) as f64,
            counts,
            findings: self.found.into_iter().map(|(_, finding)| finding).collect(),
            minimal: self.nearest || self.setups.len() <= 1,
            order: beeline_explore::Order::BreadthFirst,
            cuts: self.cuts,
            stopped_at_finding: self.stopped,
            no_setup: self.setups.is_empty(),
            setup_faults: std::mem::take(&mut supply.faults),
            depth: self.depth.unwrap_or(0),
            covered: self.covered.iter().map(few).collect(),
            lost_path: self.lost,
            elapsed: watch.elapsed(),
            cpu: watch.cpu(),
            peak_memory_bytes: resident_bytes()
                .map(|now| now.max(watch.peak_bytes.load(Ordering::Relaxed))),
            stats: None,
            resumed: None,
            refused: None,
            troubles: Vec::new(),
            proof: self.job.options.proof,
            contradictions: Vec::new(),
            samples: Vec::new(),
            sampled: Vec::new(),
            provers: Vec::new(),
            symbolic: Some(self.symbolic),
        }
    }
}

fn stop_words(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached: the diagrams are too large",
        CutReason::States => "the limit on the number of states was reached",
        CutReason::Interrupted => "the search was interrupted",
        _ => "the search was stopped",
    }
}
