//! One line on the terminal that tells how far a check has come.

use beeline::explore::Progress;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The line; nothing at all where nobody would see it.
pub struct Line {
    wanted: bool,
    shown: AtomicBool,
}

impl Line {
    /// A line on standard error, if that is a terminal.
    pub fn new(wanted: bool) -> Line {
        let wanted = wanted && std::io::stderr().is_terminal();
        Line { wanted, shown: AtomicBool::new(false) }
    }

    /// Shows the latest.
    pub fn show(&self, p: &Progress) {
        if !self.wanted {
            return;
        }
        self.shown.store(true, Ordering::Relaxed);
        let estimate = p.estimate().map_or(String::new(), |n| format!(" of about {n}"));
        let mut err = std::io::stderr().lock();
        // A terminal that cannot be written to is no reason to stop.
        let _ = write!(
            err,
            "\r\u{1b}[K{} states{estimate}, {} waiting, depth {}, {:.0} states/s, {} MB, {:.0} s",
            p.states,
            p.frontier,
            p.depth,
            p.states_per_second,
            p.memory_bytes >> 20,
            p.elapsed.as_secs_f64(),
        );
        let _ = err.flush();
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.shown.load(Ordering::Relaxed) {
            let mut err = std::io::stderr().lock();
            let _ = write!(err, "\r\u{1b}[K");
            let _ = err.flush();
        }
    }
}
