//! Spans: half-open byte ranges in one global position space.

use std::fmt;

/// A half-open range of byte positions.
///
/// Positions are global: [`crate::SourceMap`] gives each file a range of its own, so that eight
/// bytes name the file as well as the place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of nothing: built-in things that stand in no file.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// A span from its two ends.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// The smallest span that covers both. [`Span::NONE`] is neutral.
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            return other;
        }
        if other == Span::NONE {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// Does this span name a place in a file?
    pub fn is_real(self) -> bool {
        self != Span::NONE
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Is it empty?
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
