//! The last resort: ends a run that does not heed its limits by itself.
//!
//! Searching and evaluating look at limits of time and memory themselves, and their reports say most.
//! Reading, typing and planning do not, nor does anything that went wrong. A thread of its own waits a
//! little longer than all of them, says what is known, and ends the program.

use beeline::WorkLimits;
use beeline::compile::{CutReason, resident_bytes};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What the program is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading files, resolving names, typing.
    Loading = 0,
    /// Planning, searching, asking the judge.
    Checking = 1,
}

impl Phase {
    /// In words, after "while".
    pub fn words(self) -> &'static str {
        match self {
            Phase::Loading => "the model was being loaded",
            Phase::Checking => "the model was being prepared and checked",
        }
    }
}

/// What the thread and the program share.
struct Shared {
    over: Mutex<bool>,
    woken: Condvar,
    phase: AtomicU8,
}

/// Who writes the answer: nobody yet, the program, or the thread. There is one answer, whoever is first.
static FLOOR: AtomicU8 = AtomicU8::new(NOBODY);
const NOBODY: u8 = 0;
const PROGRAM: u8 = 1;
const THREAD: u8 = 2;

/// The program begins to write its answer. If the thread does already, it is about to end the program.
pub fn take_the_floor() {
    let taken = FLOOR.compare_exchange(NOBODY, PROGRAM, Ordering::AcqRel, Ordering::Acquire);
    while taken == Err(THREAD) {
        std::thread::park();
    }
}

/// The thread; dropping it calls it off.
pub struct Watchdog(Arc<Shared>);

/// How often limits are looked at, but memory more often the less of it is left: a thread can fill about
/// so many bytes in a millisecond.
const LOOK: Duration = Duration::from_millis(50);
const FILLED_IN_A_MILLISECOND: u64 = 4 << 20;

/// How long after an interrupt the others may still work.
const AFTER_LOADING: Duration = Duration::from_millis(500);
const AFTER_CHECKING: Duration = Duration::from_secs(10);

/// The time beyond a limit that all others have to end by themselves.
fn patience(limit: Duration) -> Duration {
    (limit / 4).clamp(Duration::from_millis(750), Duration::from_secs(15))
}

impl Watchdog {
    /// Watches from now on; limits count from `begin`. `last_words` are told before the end, and return
    /// the exit code.
    pub fn watch(
        limits: WorkLimits,
        begin: Instant,
        last_words: impl FnOnce(CutReason, Phase) -> u8 + Send + 'static,
    ) -> Watchdog {
        let shared = Arc::new(Shared {
            over: Mutex::new(false),
            woken: Condvar::new(),
            phase: AtomicU8::new(Phase::Loading as u8),
        });
        let own = shared.clone();
        // Without a thread the others still look at limits.
        let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            if let Some(reason) = wait(&own, &limits, begin) {
                let free =
                    FLOOR.compare_exchange(NOBODY, THREAD, Ordering::AcqRel, Ordering::Acquire);
                if free.is_err() {
                    return;
                }
                let phase = match own.phase.load(Ordering::Relaxed) {
                    0 => Phase::Loading,
                    _ => Phase::Checking,
                };
                crate::status::remove();
                std::process::exit(last_words(reason, phase).into());
            }
        });
        Watchdog(shared)
    }

    /// What the program does from now on.
    pub fn enter(&self, phase: Phase) {
        self.0.phase.store(phase as u8, Ordering::Relaxed);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.0.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.woken.notify_all();
    }
}

/// Waits for the end, or for a reason to make one.
fn wait(shared: &Shared, limits: &WorkLimits, begin: Instant) -> Option<CutReason> {
    let latest = limits.time.map(|limit| limit + patience(limit));
    let mut cancelled: Option<Instant> = None;
    // A twentieth more than the limit: others look at it as well, and want to tell of it.
    let most = limits.memory_bytes.map_or(u64::MAX, |limit| limit.saturating_add(limit / 20));
    let mut pause = Duration::from_millis(2);
    let mut over = shared.over.lock().unwrap_or_else(PoisonError::into_inner);
    while !*over {
        (over, _) = shared.woken.wait_timeout(over, pause).unwrap_or_else(PoisonError::into_inner);
        if *over {
            break;
        }
        if latest.is_some_and(|latest| begin.elapsed() >= latest) {
            return Some(CutReason::Time);
        }
        let held = resident_bytes().unwrap_or(0);
        if held > most {
            return Some(CutReason::Memory);
        }
        pause = Duration::from_millis((most - held) / FILLED_IN_A_MILLISECOND)
            .clamp(Duration::from_millis(2), LOOK);
        if limits.cancel.is_cancelled() {
            let since = *cancelled.get_or_insert_with(Instant::now);
            // While it is loaded nobody else hears of it; what a search found takes a while to tell.
            let loading = shared.phase.load(Ordering::Relaxed) == Phase::Loading as u8;
            if since.elapsed() >= if loading { AFTER_LOADING } else { AFTER_CHECKING } {
                return Some(CutReason::Interrupted);
            }
        }
    }
    None
}

/// Writes to standard output past all locks: whoever holds one may never let it go.
pub fn say(text: &str) {
    #[cfg(unix)]
    {
        let (out, mut rest) = (rustix::stdio::stdout(), text.as_bytes());
        while !rest.is_empty() {
            match rustix::io::write(out, rest) {
                Ok(0) | Err(_) => return,
                Ok(n) => rest = &rest[n..],
            }
        }
    }
    #[cfg(not(unix))]
    {
        use std::io::Write;
        let mut out = std::io::stdout();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Shared {
        Shared { over: Mutex::new(false), woken: Condvar::new(), phase: AtomicU8::new(0) }
    }

    #[test]
    fn each_limit_is_a_reason_and_an_end_is_none() {
        let long_ago =
            Instant::now().checked_sub(Duration::from_secs(60)).unwrap_or_else(Instant::now);
        let time = WorkLimits { time: Some(Duration::ZERO), ..WorkLimits::default() };
        assert_eq!(wait(&shared(), &time, long_ago), Some(CutReason::Time));
        if resident_bytes().is_some() {
            let memory = WorkLimits { memory_bytes: Some(1), ..WorkLimits::default() };
            assert_eq!(wait(&shared(), &memory, Instant::now()), Some(CutReason::Memory));
        }
        let cancelled = WorkLimits::default();
        cancelled.cancel.cancel();
        assert_eq!(wait(&shared(), &cancelled, Instant::now()), Some(CutReason::Interrupted));
        let over = shared();
        *over.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        assert_eq!(wait(&over, &time, long_ago), None);
    }
}
