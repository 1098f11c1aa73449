//! The exploration itself: set-ups, initial states, then wave after wave.

use crate::cuts::Cuts;
use crate::finding::{Finding, FindingKind, Path};
use crate::options::{Options, ProofUse};
use crate::path::{at_end, path};
use crate::pool::Pool;
use crate::proof::Proofs;
use crate::reduce::{Look, Reduction};
use crate::watch::{Cancel, Progress, Watch, resident_bytes};
use crate::worker::{Candidate, Output, Shared, Tests, Worker, initialisation};
use beeline_compile::{CutReason, Flow, Scratch, System, Truth};
use beeline_source::Span;
use beeline_table::{Fresh, Insert, Table};
use std::sync::RwLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// States of one wave. Findings and limits are looked at between waves.
const WAVE: usize = 4096;

/// How much there was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The root, each valuation of the constants, each initialised state.
    pub nodes: u64,
    /// Valuations of the constants that count as nodes.
    pub constants: u64,
    /// Steps, those of set-up and initialisation among them.
    pub transitions: u64,
    /// Checks of one conjunct in one state.
    pub invariant_evaluations: u64,
    /// Checks of a conjunct that were not needed: nothing it reads has changed, or it was proved.
    pub invariant_evaluations_saved: u64,
    /// Guards that were evaluated, one an operation and state.
    pub guard_evaluations: u64,
}

impl Counts {
    /// Nodes without the root.
    pub fn states(&self) -> u64 {
        self.nodes.saturating_sub(1)
    }
}

/// What an exploration came to: facts, and what was left out.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How much there was.
    pub counts: Counts,
    /// The first finding of each kind, nearest first.
    pub findings: Vec<Finding>,
    /// What was left out, limits and interruptions included.
    pub cuts: Cuts,
    /// It ended at the first finding, as asked.
    pub stopped_at_finding: bool,
    /// No valuation of the constants satisfies the properties.
    pub no_setup: bool,
    /// The properties have no meaning for some valuation.
    pub setup_faults: Vec<beeline_compile::Fault>,
    /// Operations from initialisation to the deepest states that were expanded.
    pub depth: u32,
    /// Transitions of each operation.
    pub covered: Vec<u64>,
    /// Conjuncts of the invariant (as in [`System::invariants`]) that a proof vouched for and that are
    /// false in a state.
    pub contradicted: Vec<usize>,
    /// A finding whose path could not be computed again: an internal surprise.
    pub lost_path: bool,
    /// Time it took.
    pub elapsed: Duration,
    /// The most memory that the process held, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Bytes of the visited table for each state in it.
    pub bytes_per_state: f64,
}

impl Exploration {
    /// Was everything visited and checked?
    pub fn is_complete(&self) -> bool {
        self.cuts.is_empty() && !self.stopped_at_finding
    }
}

/// Explores a system. `tell` hears of progress a few times a second, on another thread.
pub fn explore(
    system: &System,
    options: &Options,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Exploration {
    explore_reduced(system, options, None, cancel, tell)
}

/// Explores a system up to a reduction: of states that count as one, one is expanded.
pub fn explore_reduced(
    system: &System,
    options: &Options,
    reduction: Option<&dyn Reduction>,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Exploration {
    system.interrupt().store(false, Ordering::Relaxed);
    let watch = Watch::new(options.limits, cancel.clone());
    let mut start = Start { setups: Vec::new(), cuts: Cuts::default(), faults: Vec::new() };
    // Set-ups are known before the table is made: a single one needs no place in it.
    let empty = Table::new(0, 1);
    guarded(&watch, system, &empty, tell, || {
        start.setups(system, options, reduction, &watch);
    });
    if let Some(reduction) = reduction {
        reduction.begin(&start.setups);
    }
    let width = system.variables().len() + usize::from(start.setups.len() > 1);
    let table = Table::new(width, options.threads);
    let tests = Tests::new(system, options);
    let used = options.proofs != ProofUse::Off;
    let proofs = if used { Proofs::new(system, &tests.invariants()) } else { None };
    let shared = Shared {
        system,
        options,
        table: &table,
        watch: &watch,
        setups: &start.setups,
        tests: &tests,
        proofs: proofs.as_ref(),
        reduction,
        suspects: RwLock::default(),
    };
    let mut search = Search {
        shared: &shared,
        found: Vec::new(),
        cuts: start.cuts.clone(),
        totals: Output::default(),
        initial_transitions: 0,
        stopped_at_finding: false,
        depth: 0,
        lost_path: false,
        scratch: system.scratch(),
    };
    guarded(&watch, system, &table, tell, || search.run());
    search.finish(start.faults)
}

/// Runs `work` beside the watching thread.
fn guarded(
    watch: &Watch,
    system: &System,
    table: &Table,
    tell: &(dyn Fn(Progress) + Sync),
    work: impl FnOnce(),
) {
    watch.begin_part();
    // A limit that is reached already counts, however fast the work would be.
    if let Some(reason) = watch.look() {
        watch.halt(reason, system);
    }
    std::thread::scope(|scope| {
        scope.spawn(|| watch.run(system, table, tell));
        work();
        watch.finish();
    });
}

struct Start {
    setups: Vec<Vec<u32>>,
    cuts: Cuts,
    faults: Vec<beeline_compile::Fault>,
}

impl Start {
    fn setups(
        &mut self,
        system: &System,
        options: &Options,
        reduction: Option<&dyn Reduction>,
        watch: &Watch,
    ) {
        let limit = options.limits.states.unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let answer = system.setups(&mut system.scratch(), &mut |constants| {
            if self.setups.len() as u64 >= limit {
                watch.halt(CutReason::States, system);
                return Flow::Enough;
            }
            if reduction.is_none_or(|r| r.admit_setup(constants)) {
                self.setups.push(constants.to_vec());
            }
            if watch.stopped() { Flow::Enough } else { Flow::More }
        });
        for cut in &answer.cuts {
            self.cuts.add(cut);
        }
        if !answer.complete() {
            let words = "not all valuations of the constants were found";
            self.cuts.note(CutReason::Constants, Span::NONE, words, 1);
        }
        self.faults = answer.faults;
    }
}

struct Search<'a> {
    shared: &'a Shared<'a>,
    found: Vec<Finding>,
    cuts: Cuts,
    totals: Output,
    initial_transitions: u64,
    stopped_at_finding: bool,
    depth: u32,
    lost_path: bool,
    scratch: Scratch,
}

impl Search<'_> {
    fn run(&mut self) {
        let (shared, options) = (self.shared, self.shared.options);
        let mut fresh: Vec<Fresh> = Vec::new();
        self.initialise(&mut fresh);
        if self.enough() {
            return;
        }
        let limited =
            options.limits.states.map_or(WAVE, |n| (n / 16).clamp(16, WAVE as u64) as usize);
        let mut frontier = options.order.frontier(options.seed, limited);
        frontier.add(&fresh, 0);
        let pool = Pool::default();
        let mut worker = Worker::new(shared);
        std::thread::scope(|scope| {
            let (mut wave, mut helpers) = (Vec::new(), 0);
            while let Some(depth) = frontier.next(&mut wave) {
                self.depth = self.depth.max(depth);
                shared.watch.depth.store(depth, Ordering::Relaxed);
                let expand = options.limits.depth.is_none_or(|limit| depth < limit);
                if let Some(proofs) = shared.proofs {
                    proofs.begin(shared.table, &wave);
                }
                let output = pool.run(scope, shared, &mut helpers, &mut worker, &mut wave, expand);
                self.take(output);
                fresh.clear();
                shared.table.settle(&mut fresh);
                frontier.add(&fresh, depth + 1);
                shared.watch.frontier.store(frontier.len(), Ordering::Relaxed);
                if self.enough() || (frontier.len() > 0 && self.full()) {
                    break;
                }
            }
            pool.finish();
        });
    }

    /// Is the limit of states reached?
    fn full(&mut self) -> bool {
        let nodes = 1 + self.setup_nodes() + self.shared.table.len() as u64;
        if self.shared.options.limits.states.is_none_or(|limit| nodes < limit) {
            return false;
        }
        self.shared.watch.halt(CutReason::States, self.shared.system);
        true
    }

    fn enough(&mut self) -> bool {
        self.stopped_at_finding = !self.shared.options.all && !self.found.is_empty();
        self.stopped_at_finding || self.shared.watch.stopped()
    }

    fn setup_nodes(&self) -> u64 {
        if self.shared.system.has_setup() { self.shared.setups.len() as u64 } else { 0 }
    }

    /// All initial states, and the checks that concern constants only.
    fn initialise(&mut self, fresh: &mut Vec<Fresh>) {
        let shared = self.shared;
        let several = shared.setups.len() > 1;
        let mut reducer = shared.reduction.map(|r| r.reducer());
        for (number, constants) in shared.setups.iter().enumerate() {
            self.static_assertions(constants);
            let (mut count, mut row) = (0u64, Vec::new());
            let answer = shared.system.initial(constants, &mut self.scratch, &mut |state| {
                row.clear();
                row.extend_from_slice(state);
                let fresh = match (&mut reducer, shared.reduction) {
                    (Some(reducer), Some(reduction)) => match reducer.look(number, &mut row) {
                        Look::Insert => true,
                        Look::Known => false,
                        Look::Candidate { key, .. } => reduction.admit(key, number, &row),
                    },
                    _ => true,
                };
                if several {
                    row.push(number as u32);
                }
                let key = (number as u64) << 32 | count.min(u64::from(u32::MAX));
                count += 1;
                let inserted = match shared.proofs {
                    _ if !fresh => Insert::Known,
                    Some(proofs) => proofs.insert(shared.table, &row, key, None, None, true),
                    None => shared.table.insert(&row, key, None),
                };
                if inserted == Insert::Full {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
                let limit = shared.options.limits.states;
                if limit.is_some_and(|limit| shared.table.len() as u64 >= limit) {
                    shared.watch.halt(CutReason::States, shared.system);
                }
                if shared.watch.stopped() { Flow::Enough } else { Flow::More }
            });
            self.initial_transitions += count;
            for cut in &answer.cuts {
                self.cuts.add(cut);
            }
            if !answer.complete() {
                let words = "not all initial states were found";
                self.cuts.note(CutReason::InitialStates, Span::NONE, words, 1);
            }
            let root = || Path { constants: constants.clone(), ..Path::default() };
            if count == 0 && answer.complete() && answer.faults.is_empty() {
                self.keep(FindingKind::NoInitialState, Some(root()));
            }
            for fault in answer.faults {
                self.keep(initialisation(fault), Some(root()));
            }
            if shared.watch.stopped() {
                break;
            }
        }
        shared.table.settle(fresh);
    }

    fn static_assertions(&mut self, constants: &[u32]) {
        if !self.shared.options.checks.assertions {
            return;
        }
        let system = self.shared.system;
        for (i, check) in system.assertions().iter().enumerate().filter(|(_, c)| c.constant) {
            let kind = match system.holds_of_constants(check.pred, constants, &mut self.scratch) {
                Truth::True => continue,
                Truth::False => FindingKind::Assertion(i),
                Truth::Undefined(fault) => FindingKind::AssertionUndefined(i, fault),
                Truth::Unknown(cut) => {
                    self.cuts.add(&cut);
                    continue;
                }
            };
            let path = Path { constants: constants.to_vec(), ..Path::default() };
            self.keep(kind, Some(path));
        }
    }

    /// States that waited for the end of the wave: the first of each kind is new.
    fn admit(&mut self, mut candidates: Vec<Candidate>) {
        let shared = self.shared;
        let Some(reduction) = shared.reduction else { return };
        candidates.sort_unstable_by_key(|c| c.order);
        for c in candidates {
            let (_, state) = shared.split(&c.row);
            if reduction.admit(c.kind, shared.setup(&c.row), state)
                && shared.table.insert(&c.row, c.order, Some(c.parent)) == Insert::Full
            {
                shared.watch.halt(CutReason::Memory, shared.system);
            }
        }
    }

    /// Takes over the results of one wave.
    fn take(&mut self, mut output: Output) {
        self.admit(std::mem::take(&mut output.candidates));
        let mut findings = std::mem::take(&mut output.findings);
        findings.sort_by_key(|(rank, _, kind)| (*rank, kind.key()));
        if !output.suspects.is_empty() {
            let suspects = &self.shared.suspects;
            let mut suspects = suspects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            suspects.extend(std::mem::take(&mut output.suspects));
        }
        for (_, id, kind) in findings {
            if self.is_new(&kind) {
                // Interrupted evaluations would hide the path.
                self.shared.system.interrupt().store(false, Ordering::Relaxed);
                let path = path(self.shared, id, &mut self.scratch);
                let kind = match (&path, self.shared.reduction) {
                    (Some(path), Some(_)) => at_end(self.shared, kind, path, &mut self.scratch),
                    _ => kind,
                };
                self.keep(kind, path);
            }
        }
        self.totals.merge(output);
    }

    fn is_new(&self, kind: &FindingKind) -> bool {
        self.found.iter().all(|f| f.kind.key() != kind.key())
    }

    fn keep(&mut self, kind: FindingKind, path: Option<Path>) {
        if !self.is_new(&kind) {
            return;
        }
        match path {
            Some(path) => self.found.push(Finding { kind, path }),
            None => self.lost_path = true,
        }
    }

    fn finish(mut self, setup_faults: Vec<beeline_compile::Fault>) -> Exploration {
        let (shared, watch) = (self.shared, self.shared.watch);
        self.cuts.merge(std::mem::take(&mut self.totals.cuts));
        if let Some(reason) = watch.reason() {
            // Evaluations that were broken off say so, but not why.
            self.cuts.forget(CutReason::Interrupted);
            let waiting = watch.frontier.load(Ordering::Relaxed);
            let words = match (stop_words(reason), waiting) {
                (words, 0) => words.to_owned(),
                (words, n) => format!("{words}; {n} states were not expanded"),
            };
            self.cuts.note(reason, Span::NONE, &words, 1);
        }
        let constants = self.setup_nodes();
        let states = shared.table.len() as u64;
        Exploration {
            counts: Counts {
                nodes: 1 + constants + states,
                constants,
                transitions: constants + self.initial_transitions + self.totals.transitions,
                invariant_evaluations: self.totals.checks,
                invariant_evaluations_saved: self.totals.saved,
                guard_evaluations: self.totals.guards,
            },
            no_setup: shared.setups.is_empty(),
            findings: self.found,
            cuts: self.cuts,
            stopped_at_finding: self.stopped_at_finding,
            setup_faults,
            depth: self.depth,
            covered: self.totals.covered,
            contradicted: {
                self.totals.contradicted.sort_unstable();
                self.totals.contradicted.dedup();
                self.totals.contradicted
            },
            lost_path: self.lost_path,
            elapsed: watch.elapsed(),
            peak_memory_bytes: resident_bytes()
                .map(|now| now.max(watch.peak_bytes.load(Ordering::Relaxed))),
            bytes_per_state: shared.table.bytes() as f64 / states.max(1) as f64,
        }
    }
}

fn stop_words(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        CutReason::States => "the limit on the number of states was reached",
        CutReason::Interrupted => "the exploration was interrupted",
        CutReason::WorkerLost => "a worker ended with an internal error",
        _ => "the exploration was stopped",
    }
}
