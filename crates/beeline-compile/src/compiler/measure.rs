//! Counters around the steps of plans, for plans that are tried in a sample of states.
//!
//! It does not know states, or who decides that a plan is worth another look (`replan.rs`).

use crate::answer::Stop;
use crate::eval::frame::{Frame, P};
use beeline_model::Model;
use beeline_plan::{Figures, Generator};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// What is noted while an operation that is planned again is compiled.
#[derive(Default)]
pub(crate) struct Measuring {
    /// Steps that give values, in the order of the plan, if they are to be counted.
    counters: Option<Vec<Counted>>,
    /// Values that all of them gave, and how many they may.
    given: Arc<AtomicU64>,
    most: u64,
    /// Steps are put into words.
    pub in_words: bool,
}

impl Measuring {
    /// For plans whose steps are counted, until they have given so many values.
    pub fn counted(most: u64) -> Measuring {
        Measuring { most, counters: Some(Vec::new()), ..Measuring::default() }
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
    pub fn learned(&self, known: &Figures) -> Figures {
        let mut figures = known.clone();
        for Counted { key, counter, .. } in self.counters.iter().flatten() {
            let before = counter.before.load(Ordering::Relaxed);
            // A step that was never come to says nothing: an estimate is better than a zero.
            if before > 0 {
                let after = counter.after.load(Ordering::Relaxed);
                figures.learn(*key, after as f64 / before as f64);
            }
        }
        figures
    }

    /// Tests that always hold, for before and after a step: they count.
    pub fn tests(&mut self, model: &Model, generator: &Generator) -> Option<(P, P)> {
        let counters = self.counters.as_mut()?;
        let key = Figures::key(generator)?;
        let words = if self.in_words { generator.in_words(model) } else { String::new() };
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
