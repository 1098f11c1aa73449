//! What follows an exploration, and how long it may take: traces are cut down, the judge is asked.

use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_compile::System;
use beeline_explore::{Cancel, Effort, Exploration, Options, shorten};
use beeline_pack::PackedSystem;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Cuts traces down, with as much work as the search has done, but not more than a person waits for,
/// and no longer than until a limit of time.
pub(super) fn shorten_all(
    system: &System,
    exploration: &mut Exploration,
    options: &Options,
    cancel: &Cancel,
    until: Option<Instant>,
) {
    let states = usize::try_from(exploration.counts.nodes).unwrap_or(usize::MAX);
    let effort = Effort { window: 2_000, total: states.clamp(1_000, 30_000) };
    let worth = exploration.elapsed.max(Duration::from_secs(2));
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let limits = WorkLimits {
        time: Some(left.map_or(worth, |left| left.min(worth))),
        memory_bytes: options.limits.memory_bytes,
        cancel: cancel.clone(),
    };
    // One evaluation may take longer than all that: it is the system that is interrupted.
    let (interrupt, general) = (system.interrupt().clone(), PackedSystem::general(system));
    limits.watch(&interrupt, || {
        for finding in &mut exploration.findings {
            let stop = || interrupt.load(Ordering::Relaxed);
            finding.path = on_large_stack(|| shorten(&general, &finding.path, effort, &stop));
        }
    });
}

/// The time beyond a limit in which what was found is shown to be so: a tenth of it, but not so little
/// that nothing can be shown, nor so much that a person notices.
pub(super) fn patience(limit: Duration) -> Duration {
    (limit / 10).clamp(Duration::from_millis(500), Duration::from_secs(10))
}

/// What the judge may take after an exploration: what is left of its time, a little even where nothing
/// is left, and some memory beyond its limit. Without a limit it takes what it needs. Who cancels an
/// exploration still wants to see what it found, but soon.
pub(super) fn judge_limits(
    whole: Option<Duration>,
    options: &Options,
    elapsed: Duration,
    cancel: &Cancel,
) -> WorkLimits {
    let time = whole.map(|time| time.saturating_sub(elapsed).max(patience(time)));
    let memory_bytes = options.limits.memory_bytes.map(|bytes| bytes + bytes / 25);
    match cancel.is_cancelled() {
        true => {
            let time = Some(patience(Duration::ZERO));
            WorkLimits { time, memory_bytes, cancel: Cancel::new() }
        }
        false => WorkLimits { time, memory_bytes, cancel: cancel.clone() },
    }
}
