//! The exploration itself: set-ups, initial states, then wave after wave.

mod finish;
mod late;
mod resume;
mod start;
mod take;

use crate::checkpoint::{Refusal, Saver};
use crate::cuts::Cuts;
use crate::exploration::{Exploration, Sample};
use crate::finding::Finding;
use crate::frontier::weigh::Scales;
use crate::frontier::{Cohorts, Wave};
use crate::options::Options;
use crate::output::Output;
use crate::pool::{Done, Pool};
use crate::proof::Contradiction;
use crate::shared::Shared;
use crate::skip::{Influence, Skipping, WrongSkip};
use crate::stats::Stats;
use crate::supply::{self, Supply};
use crate::tested::Tests;
use crate::watch::{Cancel, Progress, Watch};
use crate::worker::Worker;
use beeline_fault::{Flaw, planted};
use beeline_table::{StateId, Table};
use beeline_transition::{ConstantsRef, CutReason, Prover, Setups, StateRef, TransitionSystem};
use late::Late;
use resume::Saved;
use start::Place;
use std::sync::RwLock;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// States of one wave. Findings and limits are looked at between waves.
pub(crate) const WAVE: usize = 4096;

/// How to explore, and who listens. [`Job::new`] asks for the least; the rest is set field by field.
pub struct Job<'a> {
    /// Checks, order, limits.
    pub options: &'a Options,
    /// Ends the exploration when somebody asks.
    pub cancel: Cancel,
    /// Hears of progress a few times a second, on another thread.
    pub tell: &'a (dyn Fn(Progress) + Sync),
    /// What is proved of how operations influence each other. Asked once, and only if it may be of use: it
    /// must not take long, and depend on the model alone.
    pub influence: &'a (dyn Fn() -> Influence + Sync),
    /// What is proved of conjuncts, beyond what the system says. Asked once, and only in a long search; the same
    /// is demanded of it.
    pub proofs: &'a (dyn Fn() -> Vec<Prover> + Sync),
    /// Hears of every state that was kept, with its valuation of the constants, at the end of a search that left
    /// nothing out.
    pub kept: Option<&'a Keeper<'a>>,
}

/// Somebody who hears of states that were kept.
pub type Keeper<'a> = dyn Fn(ConstantsRef<'_>, StateRef<'_>) + Sync + 'a;

impl<'a> Job<'a> {
    /// Nobody listens, nobody interrupts, and nothing is proved.
    pub fn new(options: &'a Options) -> Job<'a> {
        let (influence, proofs) = (&Influence::default, &Vec::new);
        Job { options, cancel: Cancel::new(), tell: &|_| {}, influence, proofs, kept: None }
    }
}

/// Explores a system.
pub fn explore<S: TransitionSystem>(system: &mut S, job: &Job<'_>) -> Exploration {
    let interrupt = system.interrupt();
    interrupt.store(false, Ordering::Relaxed);
    system.limit_memory(job.options.limits.memory_bytes);
    let watch = Watch::new(job.options.limits, job.cancel.clone(), interrupt);
    watch.beside(job.tell, || explore_watched(system, job, &watch))
}

fn explore_watched<S: TransitionSystem>(
    system: &mut S,
    job: &Job<'_>,
    watch: &Watch,
) -> Exploration {
    let options = job.options;
    let (setups, mut supply) = (Setups::new(system.signature().constants), Supply::new());
    setups.set_more(true);
    // Set-ups are known before the table is made, or some of them: a single one needs no place in it.
    let from = supply::Source { system: &*system, options, watch, setups: &setups };
    watch.watched(|| supply.more(&from));
    // Asked once: rows must keep their width, even if no second valuation ever comes.
    let several = setups.len() > 1 || setups.has_more();
    let variables = system.signature().variables;
    let mut widened = match &options.checkpoint {
        Some(checkpoint) => checkpoint.widened(variables),
        None => vec![0; variables],
    };
    let mut is_anew = false;
    let mut distrusted: Option<Contradiction> = None;
    loop {
        // Systems evaluate constant expressions here: within the limits, like all else.
        watch.watched(|| system.begin(&setups, &widened));
        let system = &*system;
        let width = system.width() + usize::from(several);
        // Without states to look at again other orders than breadth-first cannot go on.
        let compact = options.hash_compaction && options.order.is_shortest_first();
        let table = if compact { Table::compact(width) } else { Table::new(width) };
        let tests = Tests::new(system, options, distrusted.is_none());
        let skipping = Skipping::new(system, options, tests.preserved());
        // Bits about what is unproved cost memory: only where somebody can make use of them.
        let is_asked = tests.preserved().is_some() || skipping.is_some();
        let table = if is_asked { table.keep_unproved() } else { table };
        let shared = Shared {
            system,
            options,
            table: &table,
            watch,
            setups: &setups,
            several,
            tests: &tests,
            skipping: skipping.as_ref(),
            suspects: RwLock::default(),
            want_degrees: options.order.wants_degrees(),
        };
        let mut search = Search::new(&shared, &mut supply, &widened, is_anew);
        watch.watched(|| search.run(job));
        // A value outside its layout: nothing so far counts, and the next layout has room for it.
        is_anew = search.is_anew;
        let overflowed =
            system.overflowed().filter(|_| !watch.stopped() && !planted(Flaw::LayoutKept));
        if let Some(variable) = overflowed {
            // Before the system lays itself out anew: nobody may look at it meanwhile.
            drop(search);
            widened[variable] = widened[variable].saturating_add(1);
            continue;
        }
        match search.spot_check() {
            Some(found) => distrusted = Some(found),
            None => return search.finish(distrusted, job.kept),
        }
    }
}

/// How many states a wave may have.
fn wave_size(options: &Options) -> usize {
    options.limits.states.map_or(WAVE, |n| (n / 16).clamp(16, WAVE as u64) as usize)
}

pub(crate) struct Search<'a, S: TransitionSystem> {
    pub shared: &'a Shared<'a, S>,
    found: Vec<Finding>,
    cuts: Cuts,
    /// Where valuations of the constants come from, and how far initial states were taken.
    pub supply: &'a mut Supply,
    pub place: Place,
    /// States that have more steps.
    pub late: Vec<Late>,
    /// States that were visited, the sums of all waves.
    pub visited: u64,
    /// States of a wave, at most.
    limited: usize,
    pub totals: Output,
    initial_transitions: u64,
    pub stopped_at_finding: bool,
    pub depth: u32,
    lost_path: bool,
    /// States were taken before others that are nearer.
    far: bool,
    pub scratch: S::Scratch,
    /// How often each variable got a wider layout than the model says.
    pub widened: &'a [u8],
    /// A search before this one wrote a checkpoint, and does not count: a value did not fit its
    /// layout, or a proof was wrong.
    pub is_anew: bool,
    pub saver: Option<Saver>,
    pub saved: Saved<'a>,
    /// States in which something was found that was kept, in order.
    pub found_at: Vec<StateId>,
    pub resumed: Option<u64>,
    pub refused: Option<Refusal>,
    pub troubles: Vec<String>,
    /// Tests that failed though they were known to succeed, each with its first state.
    contradictions: Vec<(usize, Contradiction)>,
    /// Operations whose guard was not what it was known to be, each with its first state.
    wrong_skips: Vec<WrongSkip>,
    /// States in which something was left out.
    pub samples: Vec<Sample>,
    pub stats: Stats,
    /// How often plans were looked at again, and states of the last wave that waited for it.
    pub points: usize,
    /// When that could not be done, by bits.
    pub points_skipped: u64,
    pub rest: Wave,
    /// States that may wait before they are held against those on disk.
    pub room: usize,
}

impl<'a, S: TransitionSystem> Search<'a, S> {
    fn new(
        shared: &'a Shared<'a, S>,
        supply: &'a mut Supply,
        widened: &'a [u8],
        is_anew: bool,
    ) -> Search<'a, S> {
        Search {
            shared,
            found: Vec::new(),
            cuts: Cuts::default(),
            supply,
            place: Place::default(),
            late: Vec::new(),
            visited: 0,
            limited: wave_size(shared.options),
            totals: Output::default(),
            initial_transitions: 0,
            stopped_at_finding: false,
            depth: 0,
            lost_path: false,
            far: false,
            scratch: shared.system.scratch(),
            widened,
            is_anew,
            saver: None,
            saved: Saved::nothing(shared.system),
            found_at: Vec::new(),
            resumed: None,
            refused: None,
            troubles: Vec::new(),
            contradictions: Vec::new(),
            wrong_skips: Vec::new(),
            samples: Vec::new(),
            stats: Stats::default(),
            points: 0,
            points_skipped: 0,
            rest: Wave::default(),
            room: 0,
        }
    }

    fn run(&mut self, job: &Job<'_>) {
        let (shared, options) = (self.shared, self.shared.options);
        self.learn(job);
        let fresh = self.portion(false);
        if self.enough() {
            return;
        }
        let mut cohorts = Cohorts::new(self.frontier());
        let mut scales = Scales::new(shared);
        scales.take(&fresh, None, &[], true);
        cohorts.add(&scales.fresh(fresh));
        if let Err(refusal) = self.begin_saving(&mut cohorts) {
            self.refused = Some(refusal);
            return;
        }
        let pool = Pool::new(options.threads);
        let mut worker = Worker::new(shared);
        std::thread::scope(|scope| {
            let (mut wave, mut helpers) = (Wave::default(), 0);
            loop {
                // States that waited for new plans come first: they are part of the wave before.
                let is_rest = self.rest.hand_over(&mut wave);
                if !is_rest {
                    self.relieve(&mut cohorts);
                    self.draw(&mut cohorts, &mut scales, &mut worker);
                }
                if self.enough() {
                    break;
                }
                // Never taken back: one state out of turn is enough for a trace that is not the
                // shortest.
                self.far |= !cohorts.is_nearest_first() || self.has_more();
                if !is_rest {
                    if !cohorts.next(&mut wave, shared.table.is_out()) {
                        break;
                    }
                    if let Some(frontier) = cohorts.single().filter(|_| !self.has_more())
                        && !self.crawl(frontier, &pool, &mut worker, &mut wave)
                    {
                        // A state on the way may have more steps.
                        if self.has_more() && !self.enough() {
                            continue;
                        }
                        break;
                    }
                }
                self.visited += wave.states.len() as u64;
                self.learn(job);
                self.look_at_plans(&mut wave);
                self.fetch(&wave.states);
                let depth = wave.depths.iter().copied().max().unwrap_or(0);
                self.depth = self.depth.max(depth);
                shared.watch.depth.store(depth, Ordering::Relaxed);
                let clock = options.clocks.then(Instant::now);
                let mut done = pool.run(scope, shared, &mut helpers, &mut worker, &mut wave);
                self.measure(clock, &done);
                // By counts of steps, never by time: waves are the same on every machine.
                cohorts.current().tune(wave.states.len(), done.steps);
                if shared.table.failed() {
                    shared.watch.halt(CutReason::Disk);
                    break;
                }
                let broken = std::mem::take(&mut done.output.broken);
                self.note_late(broken, |rank| wave.depths[rank as usize]);
                let degrees = std::mem::take(&mut done.output.degrees);
                self.take(done.output);
                // Where only hashes are kept, the words of a state are needed until it was visited.
                let behind = wave.states.last().map_or(0, |id| id.0 + 1);
                shared.table.forget(cohorts.first(behind));
                shared.table.forget_unproved(wave.states.iter().map(|id| id.0));
                // With states on disk the numbers come later, when new ones were held against those.
                if let Some(fresh) = done.fresh.filter(|_| !shared.table.is_out()) {
                    let wanted = cohorts.current().wants_weights();
                    scales.take(&fresh, Some(&wave), &degrees, wanted);
                    cohorts.add(&scales.fresh(fresh));
                }
                let waiting = cohorts.len()
                    + shared.table.waiting()
                    + self.rest.states.len()
                    + self.late.len();
                shared.watch.frontier.store(waiting, Ordering::Relaxed);
                shared.watch.states.store(shared.table.len(), Ordering::Relaxed);
                self.stats.frontier = self.stats.frontier.max(waiting as u64);
                if self.enough() || (waiting > 0 && self.full()) {
                    break;
                }
                let is_whole = self.rest.states.is_empty();
                // Between two whole waves only: half a wave has successors without numbers.
                if is_whole && self.saver.as_ref().is_some_and(Saver::is_due) {
                    self.totals.merge(worker.take());
                    self.save(&mut cohorts);
                }
            }
            // Helpers wait for work; the scope would wait for them for ever.
            pool.finish();
        });
        if shared.table.waiting() > 0 && shared.watch.reason() != Some(CutReason::Disk) {
            self.sift(&mut cohorts);
        }
        self.totals.merge(worker.take());
        self.totals.merge(pool.tally(shared, &mut worker));
    }

    /// Asks for proofs about disabled operations and about conjuncts, once there are states enough.
    fn learn(&self, job: &Job<'_>) {
        let (options, states) = (self.shared.options, self.shared.table.len());
        if self.shared.tests.is_due(states) {
            let operations = self.shared.system.signature().operations.len();
            self.shared.tests.learn(operations, (job.proofs)());
        }
        if let Some(skipping) = self.shared.skipping.filter(|s| s.is_due(options, states)) {
            skipping.learn(&(job.influence)());
        }
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
        self.shared.watch.halt(CutReason::States);
        true
    }

    pub fn enough(&mut self) -> bool {
        self.stopped_at_finding = !self.shared.options.all && !self.found.is_empty();
        self.stopped_at_finding || self.shared.stopped()
    }

    fn setup_nodes(&self) -> u64 {
        if self.shared.system.signature().has_setup { self.shared.setups.len() as u64 } else { 0 }
    }
}
