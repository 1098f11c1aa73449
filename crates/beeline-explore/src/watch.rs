//! Limits of time and memory, cancellation, progress: looked after by a thread of its own, so
//! that a single long evaluation cannot outlast them.

use crate::options::Limits;
use beeline_transition::CutReason;
pub use beeline_transition::resident_bytes;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Asks an exploration to stop; clones ask the same one.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Please stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was that asked?
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States that are known.
    pub states: u64,
    /// States that wait for expansion.
    pub frontier: u64,
    /// Operations from initialisation to the states being expanded.
    pub depth: u32,
    /// States found in a second, of late.
    pub states_per_second: f64,
    /// New states for each one that was expanded, of late; nothing if none was.
    pub new_per_expanded: Option<f64>,
    /// Bytes that the process holds.
    pub memory_bytes: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// A guess at how many states there will be: the known ones, and for each one that waits as many new
    /// ones as expanded ones had of late, as a geometric series. `None`: it is still growing.
    pub fn estimate(&self) -> Option<u64> {
        /// With more new states for each expanded one than this, the end is not in sight.
        const GROWING: f64 = 0.8;
        let new = self.new_per_expanded.filter(|new| *new < GROWING)?;
        Some((self.states as f64 + self.frontier as f64 * new / (1.0 - new)) as u64)
    }
}

/// How often limits are looked at …
const LOOK: Duration = Duration::from_millis(20);
/// … but memory more often the less of it is left: a thread can fill about so many bytes in a
/// millisecond.
const FILLED_IN_A_MILLISECOND: u64 = 4 << 20;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(200);

/// What the watch and the workers share: limits, and whether to stop.
pub struct Watch {
    begin: Instant,
    /// Processor time of the process at the beginning.
    spent: Option<Duration>,
    limits: Limits,
    cancel: Cancel,
    stop: AtomicBool,
    /// Ends evaluations that are under way.
    interrupt: Arc<AtomicBool>,
    reason: Mutex<Option<CutReason>>,
    /// States that are known.
    pub states: AtomicUsize,
    /// States that wait.
    pub frontier: AtomicUsize,
    /// How deep the search is.
    pub depth: AtomicU32,
    /// The most bytes that the process held.
    pub peak_bytes: AtomicU64,
    /// Bytes of the process when they were last looked at.
    bytes: AtomicU64,
    part: (Mutex<Part>, Condvar),
}

/// What the watching thread has to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Nothing: no limit counts just now.
    Between,
    /// Watch.
    Watched,
    /// Go.
    Over,
}

impl Watch {
    /// One with limits that begin to count now; `interrupt` ends evaluations that are under way.
    pub fn new(limits: Limits, cancel: Cancel, interrupt: Arc<AtomicBool>) -> Watch {
        Watch {
            begin: Instant::now(),
            spent: processor_time(),
            limits,
            cancel,
            stop: AtomicBool::new(false),
            interrupt,
            reason: Mutex::new(None),
            states: AtomicUsize::new(0),
            frontier: AtomicUsize::new(0),
            depth: AtomicU32::new(0),
            peak_bytes: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            part: (Mutex::new(Part::Between), Condvar::new()),
        }
    }

    /// Time since it was made.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Processor time that the process has spent since.
    pub fn cpu(&self) -> Option<Duration> {
        processor_time()?.checked_sub(self.spent?)
    }

    /// Should workers stop at once?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Why they should.
    pub fn reason(&self) -> Option<CutReason> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops all workers; the first reason counts.
    pub fn halt(&self, reason: CutReason) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stop.store(true, Ordering::Relaxed);
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Lets evaluations run to their end, though the search is over: interrupted ones would hide what
    /// was found.
    pub fn let_go(&self) {
        self.interrupt.store(false, Ordering::Relaxed);
    }

    /// Which limit is reached now?
    pub fn look(&self) -> Option<CutReason> {
        if self.cancel.is_cancelled() {
            return Some(CutReason::Interrupted);
        }
        if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            return Some(CutReason::Time);
        }
        // What the process holds, not what was counted: values, tables and frames all take their part.
        let bytes = resident_bytes().unwrap_or(0);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
        self.limits.memory_bytes.is_some_and(|limit| bytes >= limit).then_some(CutReason::Memory)
    }

    /// Does the process hold so many bytes?
    pub fn near(&self, bytes: u64) -> bool {
        self.bytes.load(Ordering::Relaxed) >= bytes
    }

    /// How long nobody needs to look.
    fn pause(&self) -> Duration {
        let Some(limit) = self.limits.memory_bytes else { return LOOK };
        // Near the limit it looks each millisecond: a table that doubles would be past it otherwise.
        let left = limit.saturating_sub(self.bytes.load(Ordering::Relaxed));
        Duration::from_millis(left / FILLED_IN_A_MILLISECOND).clamp(Duration::from_millis(1), LOOK)
    }

    /// Does a part of the exploration that is to be watched.
    pub fn watched<T>(&self, work: impl FnOnce() -> T) -> T {
        self.enter(Part::Watched);
        // A limit that is reached already counts, however fast the work would be.
        if let Some(reason) = self.look() {
            self.halt(reason);
        }
        let result = work();
        self.enter(Part::Between);
        result
    }

    /// Runs `work` beside the watching thread, which looks at limits in its [`Watch::watched`] parts.
    pub fn beside<T>(&self, tell: &(dyn Fn(Progress) + Sync), work: impl FnOnce() -> T) -> T {
        /// Lets the thread go, even if the work panics.
        struct Over<'a>(&'a Watch);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                self.0.enter(Part::Over);
                self.0.part.1.notify_all();
            }
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.run(tell));
            let _over = Over(self);
            work()
        })
    }

    fn enter(&self, part: Part) {
        *self.part.0.lock().unwrap_or_else(PoisonError::into_inner) = part;
    }

    /// The life of the watching thread.
    fn run(&self, tell: &(dyn Fn(Progress) + Sync)) {
        let (mut told, mut states, mut expanded) = (Instant::now(), 0, 0);
        let mut new_per_expanded = None;
        let mut part = self.part.0.lock().unwrap_or_else(PoisonError::into_inner);
        while *part != Part::Over {
            (part, _) = self
                .part
                .1
                .wait_timeout(part, self.pause())
                .unwrap_or_else(PoisonError::into_inner);
            if *part != Part::Watched {
                continue;
            }
            if let Some(reason) = self.look() {
                self.halt(reason);
            }
            let since = told.elapsed();
            if since >= TELL {
                let now = self.states.load(Ordering::Relaxed);
                let frontier = self.frontier.load(Ordering::Relaxed);
                let (new, done) = (now.saturating_sub(states), now.saturating_sub(frontier));
                // Figures change between waves only, and a long wave must not make the line flicker.
                if done > expanded {
                    new_per_expanded = Some(new as f64 / (done - expanded) as f64);
                }
                tell(Progress {
                    states: now as u64,
                    frontier: frontier as u64,
                    depth: self.depth.load(Ordering::Relaxed),
                    states_per_second: new as f64 / since.as_secs_f64(),
                    new_per_expanded,
                    memory_bytes: self.peak_bytes.load(Ordering::Relaxed),
                    elapsed: self.elapsed(),
                });
                (told, states, expanded) = (Instant::now(), now, done);
            }
        }
    }
}

/// Processor time of the process so far, all threads together, where the system tells.
fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}
