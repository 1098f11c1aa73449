//! Work that somebody looks after: it ends soon after a limit is reached or somebody cancels it.
//!
//! An exploration has a watch of its own; this one is for everything else that evaluates. It does
//! not know what the work is, only the flag that makes evaluations end.

use beeline_compile::CutReason;
use beeline_explore::{Cancel, resident_bytes};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where watched work ends.
#[derive(Clone, Debug, Default)]
pub struct WorkLimits {
    /// After so much time.
    pub time: Option<Duration>,
    /// When the process holds so many bytes.
    pub memory_bytes: Option<u64>,
    /// When this says so.
    pub cancel: Cancel,
}

/// How often limits are looked at: a thread can fill tens of megabytes in between.
const LOOK: Duration = Duration::from_millis(5);

impl WorkLimits {
    /// Does the work, and says which limit broke it off. `interrupt` is the flag of a
    /// [`beeline_compile::System`]; it is taken back, so that the system can be used again.
    pub fn watch<T>(
        &self,
        interrupt: &AtomicBool,
        work: impl FnOnce() -> T,
    ) -> (T, Option<CutReason>) {
        let begin = Instant::now();
        let (over, woken) = (Mutex::new(false), Condvar::new());
        let reason = Mutex::new(None);
        let look = || {
            let found = self.reached(begin)?;
            reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
            interrupt.store(true, Ordering::Relaxed);
            Some(())
        };
        look();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut over = over.lock().unwrap_or_else(PoisonError::into_inner);
                while !*over && look().is_none() {
                    (over, _) =
                        woken.wait_timeout(over, LOOK).unwrap_or_else(PoisonError::into_inner);
                }
            });
            let result = work();
            *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            woken.notify_all();
            result
        });
        interrupt.store(false, Ordering::Relaxed);
        (result, reason.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn reached(&self, begin: Instant) -> Option<CutReason> {
        if self.cancel.is_cancelled() {
            return Some(CutReason::Interrupted);
        }
        if self.time.is_some_and(|limit| begin.elapsed() >= limit) {
            return Some(CutReason::Time);
        }
        let limit = self.memory_bytes?;
        (resident_bytes()? >= limit).then_some(CutReason::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spins until the flag is set; only the watch can end it.
    fn spin(flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn each_limit_ends_the_work_and_is_told() {
        let flag = AtomicBool::new(false);
        let time = WorkLimits { time: Some(Duration::from_millis(1)), ..WorkLimits::default() };
        assert_eq!(time.watch(&flag, || spin(&flag)), ((), Some(CutReason::Time)));
        assert!(!flag.load(Ordering::Relaxed), "the flag is taken back");
        let cancelled = WorkLimits::default();
        cancelled.cancel.cancel();
        assert_eq!(cancelled.watch(&flag, || spin(&flag)), ((), Some(CutReason::Interrupted)));
        if resident_bytes().is_some() {
            let memory = WorkLimits { memory_bytes: Some(1), ..WorkLimits::default() };
            assert_eq!(memory.watch(&flag, || spin(&flag)), ((), Some(CutReason::Memory)));
        }
        assert_eq!(WorkLimits::default().watch(&flag, || 7), (7, None));
    }
}
