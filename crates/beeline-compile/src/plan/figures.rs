//! What steps of a plan came to when they were run: counted in a sample, and used in the place of
//! estimates when the same query is planned again.
//!
//! It does not know states, or who decides that a plan is worth another look (`replan.rs`).

use super::{Candidate, Cx, How, Name, as_name};
use crate::answer::Stop;
use crate::frame::{Frame, P};
use beeline_model::Expr;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Measured fan-outs, by what a step is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figures(FxHashMap<u64, f64>);

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

/// A step that is counted, in words if somebody asks.
struct Counted {
    key: u64,
    words: String,
    counter: Arc<Counter>,
}

/// What the planner notes and asks while operations are planned from figures.
#[derive(Default)]
pub(crate) struct Measuring {
    pub figures: Arc<Figures>,
    /// Steps that give values, in the order of the plan, if they are to be counted.
    counters: Option<Vec<Counted>>,
    /// Values that all of them gave, and how many they may.
    given: Arc<AtomicU64>,
    most: u64,
    /// Steps are put into words.
    pub in_words: bool,
}

/// Is there anything to plan in another way?
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leeway {
    /// A choice could have been made in another way.
    pub has_rivals: bool,
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
    pub fn order(&self) -> Vec<u64> {
        self.counters.iter().flatten().map(|step| step.key).collect()
    }

    /// Those that were come to, in words.
    pub fn words(&self) -> Vec<String> {
        let seen = |step: &&Counted| step.counter.before.load(Ordering::Relaxed) > 0;
        self.counters.iter().flatten().filter(seen).map(|step| step.words.clone()).collect()
    }

    /// How many values were given in all.
    pub fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// What was known, and over it what was counted.
    pub fn learned(&self) -> Figures {
        let mut figures = (*self.figures).clone();
        for Counted { key, counter, .. } in self.counters.iter().flatten() {
            let before = counter.before.load(Ordering::Relaxed);
            if before > 0 {
                let after = counter.after.load(Ordering::Relaxed);
                figures.0.insert(*key, after as f64 / before as f64);
            }
        }
        figures
    }

    /// Tests that always hold, for before and after a step: they count.
    fn tests(&mut self, how: &How, words: String) -> Option<(P, P)> {
        let key = key(how)?;
        let counters = self.counters.as_mut()?;
        let counter = Arc::new(Counter::default());
        counters.push(Counted { key, words, counter: counter.clone() });
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
        let words = match self.measuring.as_ref()?.in_words {
            true => self.words(how),
            false => String::new(),
        };
        self.measuring.as_mut()?.tests(how, words)
    }

    fn words(&self, how: &How) -> String {
        let model = self.model;
        let called = |name: &Name| match name {
            Name::Local(l) => model.local(*l).name.to_string(),
            Name::Constant(c) => model.constant(*c).name.to_string(),
        };
        match how {
            How::Member { pattern, set } => {
                format!("{} in {}", model.show_expr(pattern), model.show_expr(set))
            }
            How::Within { name, set, .. } => {
                format!("{} in {}", called(name), model.show_expr(set))
            }
            How::Subset { name, set, .. } => {
                format!("{} within {}", called(name), model.show_expr(set))
            }
            How::Between { name, .. } => format!("{} between bounds", called(name)),
            How::Type(name) => format!("{} of its type", called(name)),
            _ => String::new(),
        }
    }

    /// Is it planned from figures? Then its steps stay a list, however much they try: who asks for
    /// that knows what they cost.
    pub(super) fn is_learned(&self) -> bool {
        self.measuring.as_ref().is_some_and(|m| !m.figures.0.is_empty())
    }
}

/// What a step that may give several values is: the same number whenever it is planned. Two steps that
/// share one by chance share their figures, which does no harm but to an estimate.
fn key(how: &How) -> Option<u64> {
    let mut hash = FxHasher::default();
    let set = |hash: &mut FxHasher, set: &Expr| {
        (set.span, set.ty, std::mem::discriminant(&set.kind)).hash(hash);
    };
    match how {
        How::Member { pattern, set: of } => {
            (0, as_name(pattern)).hash(&mut hash);
            set(&mut hash, pattern);
            set(&mut hash, of);
        }
        How::Within { name, set: of, .. } => {
            (1, name).hash(&mut hash);
            set(&mut hash, of);
        }
        How::Subset { name, set: of, .. } => {
            (2, name).hash(&mut hash);
            set(&mut hash, of);
        }
        How::Between { name, lows, highs, .. } => {
            (3, name, lows.len()).hash(&mut hash);
            lows.iter().chain(highs).for_each(|bound| set(&mut hash, bound));
        }
        How::Type(name) => (4, name).hash(&mut hash),
        How::Value { .. } | How::Recursive(_) | How::Any { .. } | How::Pieces { .. } => {
            return None;
        }
    }
    Some(hash.finish())
}
