//! Memory of the process, for those who are about to take a lot of it at once.
//!
//! Whoever watches a run looks at memory from time to time, which is enough while it grows in small
//! steps. One operator on large values takes it in one step, and so has to ask first.

use crate::answer::{CutReason, Stop};
use crate::eval::frame::Frame;
use beeline_source::Span;
use beeline_transition::resident_bytes;
use beeline_value::Val;
use std::sync::atomic::Ordering;

/// Less than this is left to those who watch.
const LITTLE: u64 = 1 << 20;

/// Would so many bytes more be beyond the limit?
pub(crate) fn beyond(limit: u64, bytes: u64) -> bool {
    bytes >= LITTLE
        && limit != u64::MAX
        && resident_bytes().unwrap_or(0).saturating_add(bytes) > limit
}

/// Bytes of a part of a set or relation while an operator works on it.
pub(crate) const PART: u64 = 24;

impl Frame<'_> {
    /// Pays for the work of an operator in proportion to its operands, and asks for its memory.
    pub fn charge(&mut self, a: Val, b: Val, span: Span) -> Result<(), Stop> {
        let n = |v| self.store.card(v).unwrap_or(0) as u64;
        let parts = n(a).saturating_add(n(b));
        // A part is copied in a fraction of a step; what matters is that huge operands are not free.
        self.pay(1 + parts / 8, span)?;
        self.reserve(parts.saturating_mul(PART), span)
    }

    /// Pays for a value with so many parts, and asks for its memory, before it is made.
    pub fn pay_for(&mut self, parts: usize, bytes_each: u64, span: Span) -> Result<(), Stop> {
        let parts = parts as u64;
        self.pay(parts / 8, span)?;
        self.reserve(parts.saturating_mul(bytes_each), span)
    }

    /// Asks for memory before it is taken.
    #[inline]
    pub fn reserve(&mut self, bytes: u64, span: Span) -> Result<(), Stop> {
        match bytes < LITTLE {
            true => Ok(()),
            false => self.reserve_much(bytes, span),
        }
    }

    #[cold]
    fn reserve_much(&mut self, bytes: u64, span: Span) -> Result<(), Stop> {
        // So much at once is a reason to look, however few steps it is.
        if self.rt.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::cut(CutReason::Interrupted, span, "stopped from outside"));
        }
        match beyond(self.rt.memory.load(Ordering::Relaxed), bytes) {
            true => {
                let words = format!("a value that needs {} MB at once", bytes >> 20);
                Err(Stop::cut(CutReason::Memory, span, words))
            }
            false => Ok(()),
        }
    }
}
