//! Functions whose entries are said one by one, some in terms of others: at run time.
//!
//! Entries are computed in rounds. A round sees the entries of the rounds before; what speaks of
//! others has no meaning yet and waits. Whatever is found is only a candidate: the equations
//! themselves are tested afterwards like all other conjuncts.

use super::Query;
use crate::answer::Stop;
use crate::eval::frame::{E, Frame, Solutions};
use beeline_plan::Part;
use beeline_source::Span;
use beeline_value::Val;
use rustc_hash::FxHashMap;

/// A function given entry by entry.
pub(crate) struct Entries {
    pub slot: usize,
    pub domain: E,
    pub points: Vec<(E, E)>,
    pub rules: Vec<RuleCode>,
}

/// An equation for the entries that a query finds.
pub(crate) struct RuleCode {
    pub slots: Vec<usize>,
    pub query: Query,
    pub key: E,
    pub part: Part<E>,
    pub value: E,
    pub span: Span,
}

/// An entry of which parts are known.
#[derive(Default)]
struct Sequence {
    length: Option<usize>,
    items: FxHashMap<usize, Val>,
}

/// The rounds of one function.
struct Rounds<'e> {
    entries: &'e Entries,
    known: FxHashMap<Val, Val>,
    sequences: FxHashMap<Val, Sequence>,
    /// Rules with values of their names that had no meaning so far.
    waiting: Vec<(usize, Vec<Val>)>,
}

impl Entries {
    /// The function, if its entries cover the domain.
    pub fn function(&self, f: &mut Frame<'_>) -> Result<Option<Val>, Stop> {
        let domain = (self.domain)(f)?;
        let Some(wanted) = f.store.card(domain) else { return Ok(None) };
        // Before anything is evaluated: too few points cannot cover it, however they come out.
        if self.rules.is_empty() && wanted > self.points.len() {
            return Ok(None);
        }
        let mut rows = Vec::with_capacity(self.points.len());
        for (key, value) in &self.points {
            rows.push((key(f)?, value(f)?));
        }
        if !self.rules.is_empty() {
            let mut rounds = Rounds {
                entries: self,
                known: rows.into_iter().collect(),
                sequences: FxHashMap::default(),
                waiting: Vec::new(),
            };
            rounds.instances(f)?;
            rounds.run(f, wanted)?;
            rows = rounds.known.into_iter().collect();
        }
        let function = f.store.relation(rows);
        // Entries outside the domain, or two for one key, are for the general plan to judge.
        let whole = f.store.domain(function) == Some(domain);
        Ok((whole && f.store.is_function(function) == Some(true)).then_some(function))
    }
}

impl Rounds<'_> {
    fn instances(&mut self, f: &mut Frame<'_>) -> Result<(), Stop> {
        let waiting = &mut self.waiting;
        for (number, rule) in self.entries.rules.iter().enumerate() {
            rule.query.run(f, &mut |f, stop| {
                if let Some(stop) = stop {
                    return Err(stop);
                }
                waiting.push((number, rule.slots.iter().map(|&s| f.slots[s]).collect()));
                f.tick(rule.span)
            })?;
        }
        Ok(())
    }

    /// Goes on while something new is found and something is missing.
    fn run(&mut self, f: &mut Frame<'_>, wanted: usize) -> Result<(), Stop> {
        loop {
            let rows = self.known.iter().map(|(k, v)| (*k, *v)).collect();
            f.slots[self.entries.slot] = f.store.relation(rows);
            let before = self.waiting.len();
            for (number, names) in std::mem::take(&mut self.waiting) {
                match self.apply(f, number, &names) {
                    Ok(()) => {}
                    // It reads an entry that is not there yet: applied to it, the function has no meaning.
                    Err(Stop::Fault(_)) => self.waiting.push((number, names)),
                    Err(stop) => return Err(stop),
                }
            }
            self.complete(f);
            // A round without news would be followed by the same round.
            if self.waiting.len() == before || self.known.len() >= wanted {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, f: &mut Frame<'_>, number: usize, names: &[Val]) -> Result<(), Stop> {
        let rule = &self.entries.rules[number];
        f.tick(rule.span)?;
        for (&slot, &value) in rule.slots.iter().zip(names) {
            f.slots[slot] = value;
        }
        let key = (rule.key)(f)?;
        let item = match &rule.part {
            Part::Item(item) => Some(item(f)?),
            _ => None,
        };
        let value = (rule.value)(f)?;
        let number = |v: Val| f.store.as_i64(v).and_then(|n| usize::try_from(n).ok());
        match (&rule.part, item) {
            (Part::Whole, _) => {
                // The first equation counts. Should another differ, the test of that equation fails later.
                self.known.entry(key).or_insert(value);
            }
            (Part::Length, _) => {
                self.sequences.entry(key).or_default().length = number(value);
            }
            (Part::Item(_), item) => {
                if let Some(place) = item.and_then(number) {
                    let items = &mut self.sequences.entry(key).or_default().items;
                    items.entry(place).or_insert(value);
                }
            }
        }
        Ok(())
    }

    /// Sequences of which all items are known become entries.
    fn complete(&mut self, f: &Frame<'_>) {
        for (key, sequence) in &self.sequences {
            let Some(length) = sequence.length.filter(|n| *n <= sequence.items.len()) else {
                continue;
            };
            let items: Option<Vec<Val>> =
                (1..=length).map(|i| sequence.items.get(&i).copied()).collect();
            if let Some(items) = items {
                self.known.entry(*key).or_insert_with(|| f.store.sequence(items));
            }
        }
    }
}
