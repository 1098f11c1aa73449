//! What steps of a plan came to when they were run: counted in a sample, and used in the place of
//! estimates when the same query is planned again.
//!
//! It does not know states, or who decides that a plan is worth another look (`replan.rs`).

use super::{Candidate, Cx, How};
use crate::answer::Stop;
use crate::frame::{Frame, P};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Measured fan-outs, by what a step is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figures(FxHashMap<String, f64>);

impl Figures {
    /// The measured figure in the place of the estimate, where there is one.
    pub(super) fn applied(&self, mut candidate: Candidate) -> Candidate {
        if !self.0.is_empty()
            && let Some(fanout) = key(&candidate.how).and_then(|key| self.0.get(&key))
        {
            candidate.cost = *fanout;
        }
        candidate
    }
}

/// How often a step was come to, and how many values it gave.
#[derive(Default)]
struct Counter {
    before: AtomicU64,
    after: AtomicU64,
}

/// What the planner notes and asks while operations are planned from figures.
#[derive(Default)]
pub(crate) struct Measuring {
    pub figures: Arc<Figures>,
    /// Steps that give values, in the order of the plan, if they are to be counted.
    counters: Option<Vec<(String, Arc<Counter>)>>,
    /// Values that all of them gave, and how many they may.
    given: Arc<AtomicU64>,
    most: u64,
    /// Choices that could have been made in another way.
    pub rivals: usize,
    /// Part of it is no plain list of steps: the solver's affair, say.
    pub is_special: bool,
}

impl Measuring {
    /// For plans that are to be run as any other.
    pub fn by(figures: Arc<Figures>) -> Measuring {
        Measuring { figures, ..Measuring::default() }
    }

    /// For plans whose steps are counted, until they have given so many values.
    pub fn counted(figures: Arc<Figures>, most: u64) -> Measuring {
        Measuring { figures, most, counters: Some(Vec::new()), ..Measuring::default() }
    }

    /// What the steps are, in order.
    pub fn order(&self) -> Vec<&str> {
        self.counters.iter().flatten().map(|(key, _)| key.as_str()).collect()
    }

    /// How many values were given in all.
    pub fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// What was known, and over it what was counted.
    pub fn learned(&self) -> Figures {
        let mut figures = (*self.figures).clone();
        for (key, counter) in self.counters.iter().flatten() {
            let before = counter.before.load(Ordering::Relaxed);
            if before > 0 {
                let after = counter.after.load(Ordering::Relaxed);
                figures.0.insert(key.clone(), after as f64 / before as f64);
            }
        }
        figures
    }

    /// Tests that always hold, for before and after a step: they count.
    fn tests(&mut self, how: &How) -> Option<(P, P)> {
        let key = key(how)?;
        let counters = self.counters.as_mut()?;
        let counter = Arc::new(Counter::default());
        counters.push((key, counter.clone()));
        let (entered, given, most) = (counter.clone(), self.given.clone(), self.most);
        let before = Box::new(move |_: &mut Frame<'_>| {
            entered.before.fetch_add(1, Ordering::Relaxed);
            Ok(true)
        });
        let after = Box::new(move |_: &mut Frame<'_>| {
            counter.after.fetch_add(1, Ordering::Relaxed);
            match given.fetch_add(1, Ordering::Relaxed) < most {
                true => Ok(true),
                false => Err(Stop::Enough),
            }
        });
        Some((before, after))
    }
}

impl Cx<'_> {
    /// What is counted around a step, if somebody asks.
    pub(super) fn counting(&mut self, how: &How) -> Option<(P, P)> {
        self.measuring.as_mut()?.tests(how)
    }

    /// Notes that a plan is more than a list of steps.
    pub(super) fn note_special(&mut self) {
        if let Some(measuring) = &mut self.measuring {
            measuring.is_special = true;
        }
    }

    /// Is it planned from figures? Then its steps stay a list, however much they try: who asks for
    /// that knows what they cost.
    pub(super) fn is_learned(&self) -> bool {
        self.measuring.as_ref().is_some_and(|m| !m.figures.0.is_empty())
    }

    /// Notes that there was more than one way to go on.
    pub(super) fn note_rivals(&mut self) {
        if let Some(measuring) = &mut self.measuring {
            measuring.rivals += 1;
        }
    }
}

/// What a step that may give several values is: the same text whenever it is planned.
fn key(how: &How) -> Option<String> {
    match how {
        How::Member { pattern, set } => Some(format!("{pattern:?} in {set:?}")),
        How::Within { name, set, .. } => Some(format!("{name:?} in {set:?}")),
        How::Subset { name, set, .. } => Some(format!("{name:?} within {set:?}")),
        How::Between { name, lows, highs, .. } => Some(format!("{name:?} {lows:?} .. {highs:?}")),
        How::Type(name) => Some(format!("{name:?}")),
        How::Value { .. } | How::Recursive(_) | How::Any { .. } | How::Pieces { .. } => None,
    }
}
