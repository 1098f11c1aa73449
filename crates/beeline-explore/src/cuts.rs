//! Everything that was left out, each reason and place once, with a count.

use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_transition::{Cut, CutReason};
use std::collections::BTreeMap;

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutNote {
    /// Why.
    pub reason: CutReason,
    /// The formula it is about; [`Span::NONE`] if it is about the exploration as a whole.
    pub span: Span,
    /// In words (of the first time).
    pub words: String,
    /// How often.
    pub count: u64,
}

/// More places than this are counted, not listed.
const MAX_PLACES: usize = 1_000;

/// A list of cuts. Equal reasons at equal places are one entry.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    notes: BTreeMap<(CutReason, Span), (String, u64)>,
}

impl Cuts {
    /// Adds a cut of an evaluation.
    pub fn add(&mut self, cut: &Cut) {
        self.note(cut.reason, cut.span, &cut.words, 1);
    }

    /// Adds a cut. Of different words for one place the least are kept, whoever comes first.
    pub fn note(&mut self, reason: CutReason, span: Span, words: &str, count: u64) {
        if planted(Flaw::LargeSetUntold) && reason == CutReason::LargeSet {
            return;
        }
        // A model can have millions of places: the reason is never dropped, only where it was.
        let full = self.notes.len() >= MAX_PLACES;
        let span =
            if full && !self.notes.contains_key(&(reason, span)) { Span::NONE } else { span };
        let entry = self.notes.entry((reason, span)).or_insert_with(|| (words.to_owned(), 0));
        if words < entry.0.as_str() {
            words.clone_into(&mut entry.0);
        }
        entry.1 += count;
    }

    /// Adds all of another list.
    pub fn merge(&mut self, other: Cuts) {
        for ((reason, span), (words, count)) in other.notes {
            self.note(reason, span, &words, count);
        }
    }

    /// Removes a reason that another one explains better.
    pub fn forget(&mut self, reason: CutReason) {
        self.notes.retain(|(r, _), _| *r != reason);
    }

    /// Was nothing left out?
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Is this among the reasons?
    pub fn has(&self, reason: CutReason) -> bool {
        self.notes.keys().any(|(r, _)| *r == reason)
    }

    /// All of them, by reason and place.
    pub fn list(&self) -> Vec<CutNote> {
        let note = |(&(reason, span), (words, count)): (&(CutReason, Span), &(String, u64))| {
            CutNote { reason, span, words: words.clone(), count: *count }
        };
        self.notes.iter().map(note).collect()
    }
}
