//! Threads that share the work of a wave.
//!
//! They are started with the first wave that is worth it, and live as long as the exploration.

use crate::worker::{Output, Shared, Worker};
use beeline_compile::CutReason;
use beeline_table::StateId;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;

/// Smaller waves are not worth waking anybody.
const WORTH_SHARING: usize = 64;
/// States that a worker takes at a time.
const CHUNK: usize = 16;

/// A wave, and who is at work on it.
#[derive(Default)]
pub(crate) struct Pool {
    wave: RwLock<Wave>,
    next: AtomicUsize,
    gate: Mutex<Gate>,
    start: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct Wave {
    states: Vec<StateId>,
    expand: bool,
}

#[derive(Default)]
struct Gate {
    number: u64,
    running: usize,
    over: bool,
    output: Option<Output>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Visits all states of a wave. The states come back in `states`.
    pub fn run<'s, 'e: 's>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        shared: &'e Shared<'e>,
        helpers: &mut usize,
        worker: &mut Worker<'_>,
        states: &mut Vec<StateId>,
        expand: bool,
    ) -> Output {
        let alone = states.len() < WORTH_SHARING || shared.options.threads < 2;
        {
            let mut wave = self.wave.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut wave.states, states);
            wave.expand = expand;
        }
        self.next.store(0, Ordering::Relaxed);
        if !alone {
            while *helpers + 1 < shared.options.threads {
                scope.spawn(move || self.help(shared));
                *helpers += 1;
            }
            let mut gate = locked(&self.gate);
            gate.number += 1;
            gate.running = *helpers;
            self.start.notify_all();
        }
        self.work(shared, worker);
        let mut output = worker.take();
        if !alone {
            let mut gate = locked(&self.gate);
            while gate.running > 0 {
                gate = self.done.wait(gate).unwrap_or_else(PoisonError::into_inner);
            }
            if let Some(theirs) = gate.output.take() {
                output.merge(theirs);
            }
        }
        let mut wave = self.wave.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut wave.states, states);
        output
    }

    /// Sends all helpers home.
    pub fn finish(&self) {
        locked(&self.gate).over = true;
        self.start.notify_all();
    }

    /// The life of a helper.
    fn help(&self, shared: &Shared<'_>) {
        let mut worker = Worker::new(shared);
        let mut seen = 0;
        loop {
            {
                let mut gate = locked(&self.gate);
                while gate.number == seen && !gate.over {
                    gate = self.start.wait(gate).unwrap_or_else(PoisonError::into_inner);
                }
                if gate.over {
                    return;
                }
                seen = gate.number;
            }
            self.work(shared, &mut worker);
            let output = worker.take();
            let mut gate = locked(&self.gate);
            gate.output.get_or_insert_default().merge(output);
            gate.running -= 1;
            if gate.running == 0 {
                self.done.notify_all();
            }
        }
    }

    /// Takes chunks until none is left. A panic is a lost worker: the exploration ends, honestly.
    fn work(&self, shared: &Shared<'_>, worker: &mut Worker<'_>) {
        let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let from = self.next.fetch_add(CHUNK, Ordering::Relaxed);
                if from >= wave.states.len() {
                    return;
                }
                let to = wave.states.len().min(from + CHUNK);
                for (i, id) in wave.states[from..to].iter().enumerate() {
                    if shared.watch.stopped() {
                        return;
                    }
                    worker.visit(shared, *id, (from + i) as u32, wave.expand);
                }
            }
        }));
        if result.is_err() {
            shared.watch.halt(CutReason::WorkerLost, shared.system);
        }
    }
}

impl Worker<'_> {
    /// Hands over what was found so far.
    fn take(&mut self) -> Output {
        self.waiting.clear();
        let covered = vec![0; self.output.covered.len()];
        std::mem::replace(&mut self.output, Output { covered, ..Output::default() })
    }
}
