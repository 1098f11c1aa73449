//! Threads that share the work of a wave: first its states are visited, then what was found is
//! looked up, part by part of the table.
//!
//! They are started with the first wave that is worth it, and live as long as the exploration.

use crate::frontier::Wave;
use crate::output::{Candidate, Output};
use crate::shared::Shared;
use crate::worker::{Context, Worker};
use beeline_table::{Batch, Exchange, MOST_PARTS, Table};
use beeline_transition::{CutReason, Tally, TransitionSystem};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;
use std::time::Instant;

/// Smaller waves are not worth waking anybody.
const WORTH_SHARING: usize = 64;
/// States that a worker takes at a time.
const CHUNK: usize = 16;
/// Fewer candidates than this are looked up by one thread.
const WORTH_RESOLVING: usize = 512;
/// Parts of the table for each thread: who has finished its own takes those of others.
const PARTS: usize = 4;
/// Evaluation may recurse: with a smaller stack each call would move to a new one.
const STACK: usize = 64 << 20;
/// How often a thread looks whether it can go on, and how often it lets others run and looks again,
/// before it lies down.
const LOOKS: u32 = 4_000;
const LOOKS_BETWEEN: u32 = 400;

/// A wave, and who is at work on it.
pub(crate) struct Pool {
    wave: RwLock<Wave>,
    /// What each worker found; the first one is the caller's, the last one is for what a reduction
    /// admits when the wave is over.
    batches: Vec<Mutex<Batch>>,
    /// What the caller found in a wave that nobody shared.
    pub(crate) alone: Mutex<Batch>,
    /// What all found, by part of the table; which parts somebody has taken.
    exchange: Exchange,
    taken: Vec<AtomicBool>,
    next: AtomicUsize,
    /// The number of the current job; the same as in the gate, to be looked at without a lock.
    number: AtomicU64,
    running: AtomicUsize,
    gate: Mutex<Gate>,
    start: Condvar,
    done: Condvar,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Job {
    #[default]
    Visit,
    Resolve,
    Enter,
}

#[derive(Default)]
struct Gate {
    number: u64,
    job: Job,
    over: bool,
    output: Option<Output>,
}

/// What a wave came to.
pub(crate) struct Done {
    pub output: Output,
    /// Numbers of the new states; `None` if the wave was not finished.
    pub fresh: Option<Range<u32>>,
    /// How many steps the states of the wave had.
    pub steps: u64,
    /// When the states had been visited and their successors were to be settled.
    pub between: Option<Instant>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits a short while for something; is it there?
fn patient(is_there: impl Fn() -> bool) -> bool {
    for _ in 0..LOOKS {
        if is_there() {
            return true;
        }
        std::hint::spin_loop();
    }
    for _ in 0..LOOKS_BETWEEN {
        if is_there() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

impl Pool {
    /// For so many threads, the caller among them.
    pub fn new(threads: usize) -> Pool {
        // More parts than threads, so that one slow part does not keep all waiting; one thread needs no
        // division at all, and its look-ups stay in the order in which states were found.
        let parts = if threads > 1 { (PARTS * threads).min(MOST_PARTS) } else { 1 };
        let mut batches: Vec<_> = (0..threads.max(1)).map(|_| Batch::new(parts)).collect();
        // What a reduction admits comes after everything else that has its rank.
        batches.push(Batch::late(parts));
        Pool {
            wave: RwLock::default(),
            exchange: Exchange::new(parts, batches.len()),
            batches: batches.into_iter().map(Mutex::new).collect(),
            alone: Mutex::new(Batch::new(1)),
            taken: (0..parts).map(|_| AtomicBool::new(false)).collect(),
            next: AtomicUsize::new(0),
            number: AtomicU64::new(0),
            running: AtomicUsize::new(0),
            gate: Mutex::default(),
            start: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Visits all states of a wave and settles their successors. They come back in `wave`.
    pub fn run<'s, 'e: 's, S: TransitionSystem>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared<'e, S>,
        helpers: &mut usize,
        worker: &mut Worker<'_, S>,
        wave: &mut Wave,
    ) -> Done {
        let mut together = wave.states.len() >= WORTH_SHARING && shared.options.threads > 1;
        // Helpers see the wave through the lock; it goes back to its owner when all have finished, so
        // that no wave is ever copied.
        self.swap(wave);
        while together && *helpers + 1 < shared.options.threads {
            let number = *helpers + 1;
            let thread = std::thread::Builder::new().stack_size(STACK);
            match thread.spawn_scoped(scope, move || self.help(shared, number)) {
                Ok(_) => *helpers = number,
                // A system without room for more threads: fewer must do.
                Err(_) => break,
            }
        }
        together &= *helpers > 0;
        let helpers = together.then_some(*helpers);
        let before = worker.output.transitions;
        // A reduction admits states when the wave is over, and these must be sorted in among the others:
        // then even a single worker exchanges what it finds.
        if together || shared.system.reduces() {
            self.share(helpers, Job::Visit, || self.visit(shared, worker, 0));
        } else {
            self.next.store(0, Ordering::Relaxed);
            self.visit_chunks(shared, worker, &mut locked(&self.alone));
        }
        let mut output = worker.take_news();
        // Own sums stay with the worker between waves; merging them each time would be most of the work
        // of a small wave.
        let mut steps = worker.output.transitions - before;
        if together && let Some(theirs) = locked(&self.gate).output.take() {
            steps += theirs.transitions;
            output.merge(theirs);
        }
        self.admit(shared, std::mem::take(&mut output.candidates));
        let between = shared.options.clocks.then(Instant::now);
        let fresh = self.settle(shared, helpers);
        self.swap(wave);
        Done { output, fresh, steps, between }
    }

    /// Lends a wave to all workers, or takes it back.
    fn swap(&self, wave: &mut Wave) {
        std::mem::swap(&mut *self.wave.write().unwrap_or_else(PoisonError::into_inner), wave);
    }

    /// Does a job with so many helpers, and returns when all have finished.
    fn share(&self, helpers: Option<usize>, job: Job, own: impl FnOnce()) {
        // Nobody is at work now: the gate below makes these stores visible before the job begins.
        self.next.store(0, Ordering::Relaxed);
        self.taken.iter().for_each(|part| part.store(false, Ordering::Relaxed));
        let Some(helpers) = helpers else { return own() };
        {
            let mut gate = locked(&self.gate);
            gate.number += 1;
            gate.job = job;
            // Published by the number, which helpers spin on: when they see it they see the rest.
            self.running.store(helpers, Ordering::Relaxed);
            self.number.store(gate.number, Ordering::Release);
            self.start.notify_all();
        }
        own();
        // Waves take microseconds: sleeping and waking would take longer than the last helper does.
        if patient(|| self.running.load(Ordering::Acquire) == 0) {
            return;
        }
        let mut gate = locked(&self.gate);
        while self.running.load(Ordering::Acquire) > 0 {
            gate = self.done.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// States that waited for the end of the wave: the first of each kind is new.
    fn admit<S: TransitionSystem>(&self, shared: &Shared<'_, S>, mut candidates: Vec<Candidate>) {
        if candidates.is_empty() {
            return;
        }
        // By rank and step, as a single thread would have met them: which one is the first of its kind
        // must not depend on who found it.
        candidates.sort_unstable_by_key(|c| c.order);
        let last = self.batches.len() - 1;
        let mut batch = locked(&self.batches[last]);
        let mut view = shared.table.view();
        for candidate in candidates {
            let rank = (candidate.order >> 32) as u32;
            let at = shared.at(&candidate.words);
            if !shared.system.admit(candidate.kind, at.setup, at.row) {
                continue;
            }
            if !shared.table.offer_unproved(
                &mut batch,
                &mut view,
                &candidate.words,
                rank,
                candidate.unproved,
            ) {
                shared.watch.halt(CutReason::Memory);
            }
        }
        self.exchange.take(last, &mut batch);
    }

    /// Numbers what the workers found.
    fn settle<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        helpers: Option<usize>,
    ) -> Option<Range<u32>> {
        // A worker that was lost leaves half a list, and there may be no room for all.
        let broken = shared.stopped()
            && matches!(shared.watch.reason(), Some(CutReason::WorkerLost | CutReason::Memory));
        let (table, exchange) = (shared.table, &self.exchange);
        let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
        let mut alone = locked(&self.alone);
        if broken {
            alone.clear();
            exchange.clear();
        }
        if helpers.is_none() && !shared.system.reduces() {
            return table.alone().settle(&mut alone, Some(&wave.states)).or_else(|| full(shared));
        }
        if helpers.is_none() || exchange.len() < WORTH_RESOLVING {
            return table.settle(exchange, &wave.states).or_else(|| full(shared));
        }
        // Three steps, because numbers depend on all parts: look up in parallel, number in order, enter in
        // parallel.
        self.share(helpers, Job::Resolve, || self.each_part(shared, 0, Table::resolve_part));
        let fresh = table.number(exchange, wave.states.len());
        if fresh.is_some() {
            self.share(helpers, Job::Enter, || {
                table.keep(exchange, &wave.states);
                self.each_part(shared, 0, Table::enter_part);
            });
            table.refold();
        }
        exchange.clear();
        fresh.or_else(|| full(shared))
    }

    /// What the scratch spaces of all workers counted; for when they are at home.
    pub fn tally<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        worker: &mut Worker<'_, S>,
    ) -> Output {
        let mut own = tally(shared, worker);
        if let Some(theirs) = locked(&self.gate).output.take() {
            own.merge(theirs);
        }
        own
    }

    /// Sends all helpers home.
    pub fn finish(&self) {
        let mut gate = locked(&self.gate);
        gate.over = true;
        gate.number += 1;
        self.number.store(gate.number, Ordering::Release);
        self.start.notify_all();
    }

    /// Waits for a job after number `seen`. `None`: there will be no more.
    fn await_job(&self, seen: &mut u64) -> Option<Job> {
        patient(|| self.number.load(Ordering::Acquire) != *seen);
        let mut gate = locked(&self.gate);
        while gate.number == *seen {
            gate = self.start.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
        *seen = gate.number;
        (!gate.over).then_some(gate.job)
    }

    /// The life of a helper.
    fn help<S: TransitionSystem>(&self, shared: &Shared<'_, S>, number: usize) {
        let mut worker = Worker::new(shared);
        let mut seen = 0;
        while let Some(job) = self.await_job(&mut seen) {
            match job {
                Job::Visit => {
                    self.visit(shared, &mut worker, number);
                    let output = worker.take();
                    locked(&self.gate).output.get_or_insert_default().merge(output);
                }
                Job::Resolve => self.each_part(shared, number, Table::resolve_part),
                Job::Enter => self.each_part(shared, number, Table::enter_part),
            }
            if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
                // Under the lock, so that nobody lies down between looking and waiting.
                let _gate = locked(&self.gate);
                self.done.notify_all();
            }
        }
        let last = tally(shared, &mut worker);
        locked(&self.gate).output.get_or_insert_default().merge(last);
    }

    /// Takes parts until none is left, and does something to each. A worker begins with its own:
    /// they may be in its cache.
    fn each_part<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        number: usize,
        work: fn(&Table, &Exchange, usize),
    ) {
        let parts = self.exchange.parts();
        let result = catch_unwind(AssertUnwindSafe(|| {
            // Which worker takes a part does not show: parts have no states in common.
            for part in (0..parts).map(|i| (number * PARTS + i) % parts) {
                if !self.taken[part].swap(true, Ordering::Relaxed) {
                    work(shared.table, &self.exchange, part);
                }
            }
        }));
        if result.is_err() {
            shared.watch.halt(CutReason::WorkerLost);
        }
    }

    /// Visits states, and puts what was found where all can see it.
    fn visit<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        worker: &mut Worker<'_, S>,
        number: usize,
    ) {
        let mut batch = locked(&self.batches[number]);
        self.visit_chunks(shared, worker, &mut batch);
        self.exchange.take(number, &mut batch);
    }

    /// Takes chunks until none is left. A panic is a lost worker: the exploration ends, honestly.
    fn visit_chunks<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        worker: &mut Worker<'_, S>,
        batch: &mut Batch,
    ) {
        let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
        let known = shared.table.reader();
        let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
        let context = Context { shared, known: &known, suspects: &suspects };
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                // States differ a lot in what they cost: small chunks keep all busy to the end of the wave.
                let from = self.next.fetch_add(CHUNK, Ordering::Relaxed);
                if from >= wave.states.len() {
                    return;
                }
                let to = wave.states.len().min(from + CHUNK);
                for (i, id) in wave.states[from..to].iter().enumerate() {
                    if shared.stopped() {
                        return;
                    }
                    let depth = wave.depths[from + i];
                    let expand = shared.options.limits.depth.is_none_or(|limit| depth < limit);
                    worker.visit(&context, batch, *id, (from + i) as u32, expand);
                }
            }
        }));
        if result.is_err() {
            shared.watch.halt(CutReason::WorkerLost);
        }
    }
}

/// What the scratch space of a worker counted.
fn tally<S: TransitionSystem>(shared: &Shared<'_, S>, worker: &mut Worker<'_, S>) -> Output {
    let Tally { remembered, left_out } = shared.system.tally(&mut worker.scratch);
    Output { remembered, left_out, ..Output::default() }
}

/// There are no more numbers for states.
pub(crate) fn full<S: TransitionSystem>(shared: &Shared<'_, S>) -> Option<Range<u32>> {
    shared.watch.halt(CutReason::Memory);
    None
}

impl<S: TransitionSystem> Worker<'_, S> {
    /// Hands over what must be looked at after each wave; sums can wait.
    pub fn take_news(&mut self) -> Output {
        self.waiting.clear();
        Output {
            candidates: std::mem::take(&mut self.output.candidates),
            findings: std::mem::take(&mut self.output.findings),
            suspects: std::mem::take(&mut self.output.suspects),
            contradictions: std::mem::take(&mut self.output.contradictions),
            wrong_skips: std::mem::take(&mut self.output.wrong_skips),
            degrees: std::mem::take(&mut self.output.degrees),
            broken: std::mem::take(&mut self.output.broken),
            ..Output::default()
        }
    }

    /// Is there something that must be looked at after a wave?
    pub fn has_news(&self) -> bool {
        let Output { candidates, findings, suspects, degrees, broken, .. } = &self.output;
        !(candidates.is_empty()
            && findings.is_empty()
            && suspects.is_empty()
            && degrees.is_empty()
            && broken.is_empty())
    }

    /// Hands over what was found so far.
    pub fn take(&mut self) -> Output {
        let covered = vec![0; self.output.covered.len()];
        std::mem::replace(&mut self.output, Output { covered, ..Output::default() })
    }
}
