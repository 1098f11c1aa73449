//! The exploration itself: set-ups, initial states, then wave after wave.

use crate::checkpoint::Saver;
use crate::cuts::Cuts;
use crate::finding::{Finding, FindingKind, Path};
use crate::frontier::weigh::Scales;
use crate::frontier::{Order, Wave};
use crate::options::Options;
use crate::path::{at_end, path};
use crate::pool::{Done, Pool};
use crate::proof::{Contradiction, Proof};
use crate::reduce::{Look, Reduction};
use crate::resume::Saved;
use crate::spot::Sample;
use crate::stats::{Stats, checksum};
use crate::watch::{Cancel, Progress, Watch, resident_bytes};
use crate::worker::{Output, Shared, TestKind, Tests, Worker, initialisation};
use beeline_compile::{CutReason, Flow, Scratch, System, Truth};
use beeline_ir::Compiler;
use beeline_pack::{Engine, Source};
use beeline_source::Span;
use beeline_table::{Batch, StateId, Table};
use std::ops::Range;
use std::sync::RwLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// States of one wave. Findings and limits are looked at between waves.
pub(crate) const WAVE: usize = 4096;

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
    /// Checks of which the result was known; in an audit they were made all the same.
    pub invariant_evaluations_known: u64,
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
    /// No path to a finding can be shorter than the one that is shown.
    pub minimal: bool,
    /// The order in which states were taken.
    pub order: Order,
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
    /// A finding whose path could not be computed again: an internal surprise.
    pub lost_path: bool,
    /// Time it took.
    pub elapsed: Duration,
    /// Processor time that the process spent meanwhile, where the system tells.
    pub cpu: Option<Duration>,
    /// The most memory that the process held, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Bytes of the visited table for each state in it.
    pub bytes_per_state: f64,
    /// Where time and bytes went, if somebody asked.
    pub stats: Option<Stats>,
    /// States that were known already when it went on from a checkpoint.
    pub resumed: Option<u64>,
    /// The checkpoint cannot be used: nothing was explored.
    pub refused: Option<String>,
    /// What went wrong without harm to the result.
    pub troubles: Vec<String>,
    /// What was made of knowledge about preservation.
    pub proof: Proof,
    /// What was known to hold and does not: the first state of each conjunct in an audit, otherwise
    /// what a spot check met.
    pub contradictions: Vec<Contradiction>,
    /// States in which something was left out, for somebody else to look at.
    pub samples: Vec<Sample>,
    /// The invariants that may have been left out there.
    pub sampled: Vec<usize>,
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

/// The fast tier: what states are packed and operations lowered from, and native code.
#[derive(Clone, Copy)]
pub struct Fast<'a> {
    /// The model and its closed expressions.
    pub source: &'a Source<'a>,
    /// Makes native code of what is hot, if at all.
    pub compiler: Option<&'a dyn Compiler>,
}

/// Explores a system up to a reduction: of states that count as one, one is expanded.
pub fn explore_reduced(
    system: &System,
    options: &Options,
    reduction: Option<&dyn Reduction>,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Exploration {
    explore_with(system, None, options, reduction, cancel, tell)
}

/// The same, with the fast tier where it can be used. The results are the same.
pub fn explore_with(
    system: &System,
    fast: Option<Fast<'_>>,
    options: &Options,
    reduction: Option<&dyn Reduction>,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Exploration {
    system.interrupt().store(false, Ordering::Relaxed);
    let watch = Watch::new(options.limits, cancel.clone());
    let mut start = Start { setups: Vec::new(), cuts: Cuts::default(), faults: Vec::new() };
    // Set-ups are known before the table is made: a single one needs no place in it.
    let empty = Table::new(0);
    guarded(&watch, system, &empty, tell, || {
        start.setups(system, options, reduction, &watch);
    });
    let variables = system.variables().len();
    let mut widened = match &options.checkpoint {
        Some(checkpoint) => checkpoint.widened(variables),
        None => vec![0; variables],
    };
    let mut is_anew = false;
    let mut distrusted: Option<Contradiction> = None;
    loop {
        let engine = match fast {
            // Constant expressions are evaluated here: within the limits, like all else.
            Some(fast) => guarded(&watch, system, &empty, tell, || {
                let (setups, choosy) = (&start.setups, reduction.is_some());
                Engine::packed(system, fast.source, setups, fast.compiler, &widened, choosy)
            }),
            None => Engine::general(system, &start.setups),
        };
        if let Some(reduction) = reduction {
            reduction.begin(&start.setups, engine.codec());
        }
        let width = engine.width() + usize::from(start.setups.len() > 1);
        // Without states to look at again other orders than breadth-first cannot go on.
        let compact = options.hash_compaction && options.order.is_shortest_first();
        let table = if compact { Table::compact(width) } else { Table::new(width) };
        let tests = Tests::new(&engine, options, distrusted.is_none());
        let table = if tests.preserved.is_some() { table.keep_open() } else { table };
        let shared = Shared {
            system,
            engine: &engine,
            options,
            table: &table,
            watch: &watch,
            setups: &start.setups,
            tests: &tests,
            reduction,
            suspects: RwLock::default(),
            want_degrees: options.order.wants_degrees(),
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
            far: false,
            scratch: system.scratch(),
            widened: &widened,
            is_anew,
            saver: None,
            saved: Saved::default(),
            found_at: Vec::new(),
            resumed: None,
            refused: None,
            troubles: Vec::new(),
            contradictions: Vec::new(),
            samples: Vec::new(),
            stats: Stats::default(),
            room: 0,
        };
        guarded(&watch, system, &table, tell, || search.run());
        // A value outside its layout: nothing so far counts, and the next layout has room for it.
        is_anew = search.is_anew;
        let overflowed = engine.overflowed().filter(|_| !watch.stopped());
        if let Some(variable) = overflowed {
            drop(search);
            widened[variable] = widened[variable].saturating_add(1);
            continue;
        }
        match search.spot_check() {
            Some(found) => distrusted = Some(found),
            None => return search.finish(start.faults, distrusted),
        }
    }
}

/// Runs `work` beside the watching thread.
fn guarded<T>(
    watch: &Watch,
    system: &System,
    table: &Table,
    tell: &(dyn Fn(Progress) + Sync),
    work: impl FnOnce() -> T,
) -> T {
    watch.begin_part();
    // A limit that is reached already counts, however fast the work would be.
    if let Some(reason) = watch.look() {
        watch.halt(reason, system);
    }
    std::thread::scope(|scope| {
        scope.spawn(|| watch.run(system, table, tell));
        let result = work();
        watch.finish();
        result
    })
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

pub(crate) struct Search<'a> {
    pub shared: &'a Shared<'a>,
    found: Vec<Finding>,
    cuts: Cuts,
    pub totals: Output,
    initial_transitions: u64,
    stopped_at_finding: bool,
    pub depth: u32,
    lost_path: bool,
    /// States were taken before others that are nearer.
    far: bool,
    pub scratch: Scratch,
    /// How often each variable got a wider layout than the model says.
    pub widened: &'a [u8],
    /// A search before this one wrote a checkpoint, and does not count: a value did not fit its
    /// layout, or a proof was wrong.
    pub is_anew: bool,
    pub saver: Option<Saver>,
    pub saved: Saved,
    /// States in which something was found that was kept, in order.
    pub found_at: Vec<StateId>,
    pub resumed: Option<u64>,
    pub refused: Option<String>,
    pub troubles: Vec<String>,
    /// Tests that failed though they were known to succeed, each with its first state.
    contradictions: Vec<(usize, Contradiction)>,
    /// States in which something was left out.
    pub samples: Vec<Sample>,
    pub stats: Stats,
    /// States that may wait before they are held against those on disk.
    pub room: usize,
}

impl Search<'_> {
    fn run(&mut self) {
        let (shared, options) = (self.shared, self.shared.options);
        let fresh = self.initialise();
        if self.enough() {
            return;
        }
        let limited =
            options.limits.states.map_or(WAVE, |n| (n / 16).clamp(16, WAVE as u64) as usize);
        let mut frontier = options.order.frontier(options, limited);
        let mut scales = Scales::new(shared);
        scales.take(&fresh, None, &[], true);
        frontier.add(&scales.fresh(fresh));
        if let Err(words) = self.begin_saving(&mut frontier) {
            self.refused = Some(words);
            return;
        }
        let pool = Pool::new(options.threads);
        let mut worker = Worker::new(shared);
        std::thread::scope(|scope| {
            let (mut wave, mut helpers) = (Wave::default(), 0);
            loop {
                self.relieve(&mut frontier);
                if self.enough() {
                    break;
                }
                self.far |= !frontier.is_nearest_first();
                if !frontier.next(&mut wave) {
                    break;
                }
                if !self.crawl(&mut *frontier, &pool, &mut worker, &mut wave) {
                    break;
                }
                self.fetch(&wave.states);
                let depth = wave.depths.iter().copied().max().unwrap_or(0);
                self.depth = self.depth.max(depth);
                shared.watch.depth.store(depth, Ordering::Relaxed);
                let clock = options.clocks.then(Instant::now);
                let mut done = pool.run(scope, shared, &mut helpers, &mut worker, &mut wave);
                self.measure(clock, &done);
                frontier.tune(wave.states.len(), done.steps);
                if shared.table.failed() {
                    shared.watch.halt(CutReason::Disk, shared.system);
                    break;
                }
                let degrees = std::mem::take(&mut done.output.degrees);
                self.take(done.output);
                let behind = wave.states.last().map_or(0, |id| id.0 + 1);
                shared.table.forget(behind);
                shared.table.forget_open(wave.states.iter().map(|id| id.0));
                if let Some(fresh) = done.fresh.filter(|_| !shared.table.is_out()) {
                    scales.take(&fresh, Some(&wave), &degrees, frontier.wants_weights());
                    frontier.add(&scales.fresh(fresh));
                }
                let waiting = frontier.len() + shared.table.waiting();
                shared.watch.frontier.store(waiting, Ordering::Relaxed);
                self.stats.frontier = self.stats.frontier.max(waiting as u64);
                if self.enough() || (waiting > 0 && self.full()) {
                    break;
                }
                if self.saver.as_ref().is_some_and(Saver::is_due) {
                    self.totals.merge(worker.take());
                    self.save(&mut *frontier);
                }
            }
            pool.finish();
        });
        if shared.table.waiting() > 0 && shared.watch.reason() != Some(CutReason::Disk) {
            self.sift(&mut *frontier);
        }
        self.totals.merge(worker.take());
        self.totals.merge(pool.remembered(shared, &mut worker));
    }

    /// Where the time of a wave went.
    fn measure(&mut self, clock: Option<Instant>, done: &Done) {
        self.stats.waves += 1;
        if let (Some(clock), Some(between)) = (clock, done.between) {
            self.stats.visiting += between - clock;
            self.stats.settling += between.elapsed();
        }
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

    pub fn enough(&mut self) -> bool {
        self.stopped_at_finding = !self.shared.options.all && !self.found.is_empty();
        self.stopped_at_finding || self.shared.stopped()
    }

    fn setup_nodes(&self) -> u64 {
        if self.shared.system.has_setup() { self.shared.setups.len() as u64 } else { 0 }
    }

    /// All initial states, and the checks that concern constants only.
    fn initialise(&mut self) -> Range<u32> {
        let shared = self.shared;
        let (mut batch, mut view) = (Batch::new(false), shared.table.view());
        let several = shared.setups.len() > 1;
        let mut reducer = shared.reduction.map(|r| r.reducer());
        let mut memory = shared.engine.memory();
        let open = shared.tests.open_after(None, true);
        for (number, constants) in shared.setups.iter().enumerate() {
            self.static_assertions(constants);
            let (mut count, mut row) = (0u64, Vec::new());
            batch.begin(number as u32);
            let answer = shared.engine.initial(number, &mut memory, &mut |state| {
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
                count += 1;
                let rank = number as u32;
                if fresh && !shared.table.offer_open(&mut batch, &mut view, &row, rank, open) {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
                // Each comes once, so all of them are new.
                let limit = shared.options.limits.states;
                if limit.is_some_and(|limit| batch.len() as u64 >= limit) {
                    shared.watch.halt(CutReason::States, shared.system);
                }
                if shared.stopped() { Flow::Enough } else { Flow::More }
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
            if shared.stopped() {
                break;
            }
        }
        if shared.watch.reason() == Some(CutReason::Memory) {
            return 0..0;
        }
        batch.seal();
        shared.table.resolve_all(&[&batch]);
        shared.table.settle(&[&batch], None).unwrap_or_else(|| {
            shared.watch.halt(CutReason::Memory, shared.system);
            0..0
        })
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

    /// Takes over the results of one wave.
    pub fn take(&mut self, mut output: Output) {
        let findings = std::mem::take(&mut output.findings);
        if !output.suspects.is_empty() {
            if self.saver.is_some() {
                self.saved.suspects.extend(output.suspects.iter().map(|id| id.0));
            }
            let suspects = &self.shared.suspects;
            let mut suspects = suspects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            suspects.extend(std::mem::take(&mut output.suspects));
        }
        self.take_findings(findings);
        self.take_contradictions(std::mem::take(&mut output.contradictions));
        self.totals.merge(output);
    }

    /// Keeps the first contradiction of each test, and finds out who was wrong.
    fn take_contradictions(&mut self, mut found: Vec<(u32, StateId, usize)>) {
        let shared = self.shared;
        found.sort_unstable();
        for (_, id, test) in found {
            let (Some(kind), Some(preserved)) = (shared.tests.kind(test), &shared.tests.preserved)
            else {
                continue;
            };
            if self.contradictions.iter().any(|(t, _)| *t == test) {
                continue;
            }
            let path = path(shared, id, &mut self.scratch);
            let last = path.as_ref().and_then(|p| p.steps.last()).map(|s| s.operation);
            // Another step into the state may have vouched for it: then any that could.
            let operation = match last {
                Some(o) if !preserved.vouches(Some(o), test) => {
                    (0..shared.system.operations().len())
                        .find(|o| preserved.vouches(Some(*o), test))
                }
                last => last,
            };
            let (index, is_assertion) = match kind {
                TestKind::Invariant(i) => (i, false),
                TestKind::Assertion(i) => (i, true),
            };
            let steps = path.map_or(0, |p| p.steps.len());
            let found = Contradiction { index, is_assertion, operation, steps };
            self.contradictions.push((test, found));
        }
    }

    /// Keeps the first finding of each kind.
    pub fn take_findings(&mut self, mut findings: Vec<(u32, StateId, FindingKind)>) {
        findings.sort_by_key(|(rank, _, kind)| (*rank, kind.key()));
        for (_, id, kind) in findings {
            if self.is_new(&kind) {
                // Interrupted evaluations would hide the path.
                self.shared.system.interrupt().store(false, Ordering::Relaxed);
                let path = path(self.shared, id, &mut self.scratch);
                self.found_at.push(id);
                let kind = match (&path, self.shared.reduction) {
                    (Some(path), Some(_)) => at_end(self.shared, kind, path, &mut self.scratch),
                    _ => kind,
                };
                self.keep(kind, path);
            }
        }
    }

    /// What is told of time and bytes.
    fn stats(&mut self) -> Option<Stats> {
        let shared = self.shared;
        if !shared.options.stats {
            return None;
        }
        let mut stats = std::mem::take(&mut self.stats);
        let store = shared.system.store();
        stats.checksum = (!shared.table.is_compact()).then(|| checksum(shared));
        stats.table = shared.table.bytes();
        (stats.width, stats.pairs) = (shared.table.width(), shared.table.pairs());
        stats.values = (store.len(), store.bytes());
        stats.disk = shared.table.disk_bytes();
        stats.operations = std::mem::take(&mut self.totals.operations);
        stats.remembered = std::mem::take(&mut self.totals.remembered);
        stats.left_out = self.totals.left_out;
        stats.invariants.resize(shared.system.invariants().len(), Default::default());
        stats.assertions.resize(shared.system.assertions().len(), Default::default());
        for (kind, spent) in shared.tests.kinds().zip(&self.totals.tests) {
            match kind {
                TestKind::Invariant(i) => stats.invariants[i] = *spent,
                TestKind::Assertion(i) => stats.assertions[i] = *spent,
            }
        }
        Some(stats)
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

    fn finish(
        mut self,
        setup_faults: Vec<beeline_compile::Fault>,
        distrusted: Option<Contradiction>,
    ) -> Exploration {
        if distrusted.is_some() {
            let words = "a proof that came with the model is wrong: all were left aside";
            self.troubles.push(words.to_owned());
        }
        let (shared, watch) = (self.shared, self.shared.watch);
        self.cuts.merge(std::mem::take(&mut self.totals.cuts));
        if shared.table.is_compact() {
            let odds = beeline_table::omission(shared.table.len() as u64);
            let words = format!(
                "states were told apart by a hash of 64 bits: one was missed with a probability \
                 of at most {odds:.1e}"
            );
            self.cuts.note(CutReason::HashCompaction, Span::NONE, &words, 1);
        }
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
        let stats = self.stats();
        Exploration {
            stats,
            resumed: self.resumed,
            refused: self.refused,
            troubles: self.troubles,
            proof: shared.options.proof,
            contradictions: distrusted
                .into_iter()
                .chain(self.contradictions.into_iter().map(|(_, c)| c))
                .collect(),
            samples: self.samples,
            sampled: shared.tests.proved(),
            counts: Counts {
                nodes: 1 + constants + states,
                constants,
                transitions: constants + self.initial_transitions + self.totals.transitions,
                invariant_evaluations: self.totals.checks,
                invariant_evaluations_known: self.totals.saved,
                guard_evaluations: self.totals.guards,
            },
            no_setup: shared.setups.is_empty(),
            findings: self.found,
            order: shared.options.order,
            minimal: !self.far && self.cuts.list().iter().all(|cut| only_ends(cut.reason)),
            cuts: self.cuts,
            stopped_at_finding: self.stopped_at_finding,
            setup_faults,
            depth: self.depth,
            covered: self.totals.covered,
            lost_path: self.lost_path,
            elapsed: watch.elapsed(),
            cpu: watch.cpu(),
            peak_memory_bytes: resident_bytes()
                .map(|now| now.max(watch.peak_bytes.load(Ordering::Relaxed))),
            bytes_per_state: shared.table.bytes().total() as f64 / states.max(1) as f64,
        }
    }
}

/// Does a cut of this kind leave out only what lies behind all that was found?
fn only_ends(reason: CutReason) -> bool {
    use CutReason::{Depth, Interrupted, Memory, States, Time};
    matches!(reason, Depth | Interrupted | Memory | States | Time)
}

fn stop_words(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        CutReason::Disk => "states could not be kept on disk",
        CutReason::States => "the limit on the number of states was reached",
        CutReason::Interrupted => "the exploration was interrupted",
        CutReason::WorkerLost => "a worker ended with an internal error",
        _ => "the exploration was stopped",
    }
}
