//! Threads that share the work of a wave: first its states are visited, then what was found is
//! looked up, shard by shard.
//!
//! They are started with the first wave that is worth it, and live as long as the exploration.

use crate::frontier::Wave;
use crate::worker::{Candidate, Desk, Output, Shared, Worker};
use beeline_compile::CutReason;
use beeline_table::{Batch, SHARDS, Table};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;
use std::time::Instant;

/// Smaller waves are not worth waking anybody.
const WORTH_SHARING: usize = 64;
/// States that a worker takes at a time.
const CHUNK: usize = 16;
/// Fewer candidates than this are looked up by one thread.
const WORTH_RESOLVING: usize = 512;
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
    pub(crate) batches: Vec<RwLock<Batch>>,
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
        let batch = || RwLock::new(Batch::new(threads > 1));
        Pool {
            wave: RwLock::default(),
            batches: (0..=threads.max(1)).map(|_| batch()).collect(),
            next: AtomicUsize::new(0),
            number: AtomicU64::new(0),
            running: AtomicUsize::new(0),
            gate: Mutex::default(),
            start: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Visits all states of a wave and settles their successors. They come back in `wave`.
    pub fn run<'s, 'e: 's>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared<'e>,
        helpers: &mut usize,
        worker: &mut Worker<'_>,
        wave: &mut Wave,
    ) -> Done {
        let mut together = wave.states.len() >= WORTH_SHARING && shared.options.threads > 1;
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
        let before = worker.output.transitions;
        self.share(together.then_some(*helpers), Job::Visit, || self.visit(shared, worker, 0));
        let mut output = worker.take_news();
        let mut steps = worker.output.transitions - before;
        if together && let Some(theirs) = locked(&self.gate).output.take() {
            steps += theirs.transitions;
            output.merge(theirs);
        }
        self.admit(shared, std::mem::take(&mut output.candidates));
        let between = shared.options.clocks.then(Instant::now);
        let fresh = self.settle(shared, together.then_some(*helpers));
        self.swap(wave);
        Done { output, fresh, steps, between }
    }

    /// Lends a wave to all workers, or takes it back.
    fn swap(&self, wave: &mut Wave) {
        std::mem::swap(&mut *self.wave.write().unwrap_or_else(PoisonError::into_inner), wave);
    }

    /// Does a job with so many helpers, and returns when all have finished.
    fn share(&self, helpers: Option<usize>, job: Job, own: impl FnOnce()) {
        self.next.store(0, Ordering::Relaxed);
        let Some(helpers) = helpers else { return own() };
        {
            let mut gate = locked(&self.gate);
            gate.number += 1;
            gate.job = job;
            self.running.store(helpers, Ordering::Relaxed);
            self.number.store(gate.number, Ordering::Release);
            self.start.notify_all();
        }
        own();
        if patient(|| self.running.load(Ordering::Acquire) == 0) {
            return;
        }
        let mut gate = locked(&self.gate);
        while self.running.load(Ordering::Acquire) > 0 {
            gate = self.done.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// States that waited for the end of the wave: the first of each kind is new.
    fn admit(&self, shared: &Shared<'_>, mut candidates: Vec<Candidate>) {
        let Some(reduction) = shared.reduction.filter(|_| !candidates.is_empty()) else { return };
        candidates.sort_unstable_by_key(|c| c.order);
        let last = self.batches.len() - 1;
        let mut batch = self.batches[last].write().unwrap_or_else(PoisonError::into_inner);
        let (mut view, mut group) = (shared.table.view(), None);
        for candidate in candidates {
            let rank = (candidate.order >> 32) as u32;
            let (setup, state) = shared.parts(&candidate.row);
            if !reduction.admit(candidate.kind, setup, state) {
                continue;
            }
            if group.replace(rank) != Some(rank) {
                batch.begin(rank);
            }
            if !shared.table.offer_open(&mut batch, &mut view, &candidate.row, rank, candidate.open)
            {
                shared.watch.halt(CutReason::Memory, shared.system);
            }
        }
    }

    /// Numbers what the workers found.
    fn settle(&self, shared: &Shared<'_>, helpers: Option<usize>) -> Option<Range<u32>> {
        // A worker that was lost leaves half a list, and there may be no room for all.
        let broken = shared.stopped()
            && matches!(shared.watch.reason(), Some(CutReason::WorkerLost | CutReason::Memory));
        let alone = helpers.is_none() && shared.reduction.is_none();
        if alone && !broken {
            let mut batch = self.batches[0].write().unwrap_or_else(PoisonError::into_inner);
            let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
            let fresh = shared.table.alone().settle(&batch, &wave.states);
            batch.clear();
            return fresh.or_else(|| full(shared));
        }
        let mut found = 0;
        for batch in &self.batches {
            let mut batch = batch.write().unwrap_or_else(PoisonError::into_inner);
            if broken {
                batch.clear();
            }
            batch.seal();
            found += batch.len();
        }
        let helpers = helpers.filter(|_| found >= WORTH_RESOLVING);
        if helpers.is_some() {
            self.share(helpers, Job::Resolve, || self.each_shard(shared, Table::resolve_shard));
        } else {
            self.with_batches(|batches| shared.table.resolve_all(batches));
        }
        let fresh = {
            let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
            self.with_batches(|batches| shared.table.number(batches, Some(&wave.states)))
        };
        if fresh.is_some() {
            self.share(helpers, Job::Enter, || self.each_shard(shared, Table::enter_shard));
            shared.table.refold();
        }
        for batch in &self.batches {
            batch.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
        fresh.or_else(|| full(shared))
    }

    fn with_batches<T>(&self, body: impl FnOnce(&[&Batch]) -> T) -> T {
        let guards: Vec<_> =
            self.batches.iter().map(|b| b.read().unwrap_or_else(PoisonError::into_inner)).collect();
        let batches: Vec<&Batch> = guards.iter().map(|g| &**g).collect();
        body(&batches)
    }

    /// What all workers tell of their memories; for when they are at home.
    pub fn remembered(&self, shared: &Shared<'_>, worker: &mut Worker<'_>) -> Output {
        let mut own = memories(shared, worker);
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
    fn help(&self, shared: &Shared<'_>, number: usize) {
        let mut worker = Worker::new(shared);
        let mut seen = 0;
        while let Some(job) = self.await_job(&mut seen) {
            match job {
                Job::Visit => {
                    self.visit(shared, &mut worker, number);
                    let output = worker.take();
                    locked(&self.gate).output.get_or_insert_default().merge(output);
                }
                Job::Resolve => self.each_shard(shared, Table::resolve_shard),
                Job::Enter => self.each_shard(shared, Table::enter_shard),
            }
            if self.running.fetch_sub(1, Ordering::AcqRel) == 1 {
                // Under the lock, so that nobody lies down between looking and waiting.
                let _gate = locked(&self.gate);
                self.done.notify_all();
            }
        }
        let last = memories(shared, &mut worker);
        locked(&self.gate).output.get_or_insert_default().merge(last);
    }

    /// Takes shards until none is left, and does something to each.
    fn each_shard(&self, shared: &Shared<'_>, work: fn(&Table, usize, &[&Batch])) {
        let result = catch_unwind(AssertUnwindSafe(|| {
            self.with_batches(|batches| {
                loop {
                    let shard = self.next.fetch_add(1, Ordering::Relaxed);
                    if shard >= SHARDS {
                        return;
                    }
                    work(shared.table, shard, batches);
                }
            });
        }));
        if result.is_err() {
            shared.watch.halt(CutReason::WorkerLost, shared.system);
        }
    }

    /// Takes chunks until none is left. A panic is a lost worker: the exploration ends, honestly.
    fn visit(&self, shared: &Shared<'_>, worker: &mut Worker<'_>, number: usize) {
        let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
        let mut batch = self.batches[number].write().unwrap_or_else(PoisonError::into_inner);
        let known = shared.table.reader();
        let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
        let desk = Desk { shared, known: &known, suspects: &suspects };
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let from = self.next.fetch_add(CHUNK, Ordering::Relaxed);
                if from >= wave.states.len() {
                    return;
                }
                batch.begin(from as u32);
                let to = wave.states.len().min(from + CHUNK);
                for (i, id) in wave.states[from..to].iter().enumerate() {
                    if shared.stopped() {
                        return;
                    }
                    let depth = wave.depths[from + i];
                    let expand = shared.options.limits.depth.is_none_or(|limit| depth < limit);
                    worker.visit(&desk, &mut batch, *id, (from + i) as u32, expand);
                }
            }
        }));
        if result.is_err() {
            shared.watch.halt(CutReason::WorkerLost, shared.system);
        }
    }
}

/// What a worker tells of its memory.
fn memories(shared: &Shared<'_>, worker: &mut Worker<'_>) -> Output {
    let remembered = shared.engine.recalled(&mut worker.memory);
    let left_out = shared.engine.take_left_out(&mut worker.memory);
    Output { remembered, left_out, ..Output::default() }
}

/// There are no more numbers for states.
pub(crate) fn full(shared: &Shared<'_>) -> Option<Range<u32>> {
    shared.watch.halt(CutReason::Memory, shared.system);
    None
}

impl Worker<'_> {
    /// Hands over what must be looked at after each wave; sums can wait.
    pub fn take_news(&mut self) -> Output {
        self.waiting.clear();
        Output {
            candidates: std::mem::take(&mut self.output.candidates),
            findings: std::mem::take(&mut self.output.findings),
            suspects: std::mem::take(&mut self.output.suspects),
            contradictions: std::mem::take(&mut self.output.contradictions),
            degrees: std::mem::take(&mut self.output.degrees),
            ..Output::default()
        }
    }

    /// Is there something that must be looked at after a wave?
    pub fn has_news(&self) -> bool {
        let Output { candidates, findings, suspects, degrees, .. } = &self.output;
        !(candidates.is_empty() && findings.is_empty() && suspects.is_empty() && degrees.is_empty())
    }

    /// Hands over what was found so far.
    pub fn take(&mut self) -> Output {
        let covered = vec![0; self.output.covered.len()];
        std::mem::replace(&mut self.output, Output { covered, ..Output::default() })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cancel, Options, explore};
    use beeline_compile::{CutReason, Settings, System};
    use beeline_source::MemoryLoader;

    #[test]
    fn a_lost_worker_is_a_cut() {
        let text = "MACHINE M VARIABLES v INVARIANT v : 0..999 INITIALISATION v :: 0..999 \
            OPERATIONS op = v := (v + 1) mod 1000 END";
        let loader = MemoryLoader::new().with("M.mch", text);
        let model = beeline_model::load(&loader, "M.mch").model.unwrap();
        let system = System::compile(&model, &Settings::of(&model)).unwrap();
        for threads in [1, 3] {
            let options = Options { threads, ..Options::default() };
            let found = explore(&system, &options, &Cancel::new(), &|_| {});
            assert!(found.is_complete() && found.counts.nodes == 1001);
            let options = Options { lose_worker_at: Some(500), ..options };
            let found = explore(&system, &options, &Cancel::new(), &|_| {});
            assert!(found.cuts.has(CutReason::WorkerLost) && !found.is_complete());
            system.interrupt().store(false, std::sync::atomic::Ordering::Relaxed);
        }
    }
}
