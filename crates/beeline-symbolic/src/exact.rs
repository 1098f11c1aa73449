//! Relations and predicates made from word-level code, bit by bit, without executing it state by state.
//!
//! Code is run once in all states that its question looks at ([`machine`]), on words whose bits are sets
//! ([`word`]). In the states where it would leave the answer to somebody else nothing is known, and patterns there are
//! learned as those of all other operations are. Whatever is too large is learned as a whole. It does not know
//! which states are reachable.

pub mod audit;
mod machine;
mod word;

use crate::diagram::{Diagrams, Halt, Set};
use crate::layout::Layout;
use crate::learned::{Operation, Predicate, Wrong};
use beeline_explore::Made;
use beeline_ir::Code;
use beeline_transition::Steps;
use machine::{No, Ran};
use std::collections::BTreeMap;
use word::Word;

/// Steps of diagrams that the code of one question may take.
pub const MOST_STEPS: u64 = 3_000_000;
/// Records of which equal ones count once are compared with all others: no more than so many.
const MOST_CHOICES: usize = 80;

/// Runs code in all states of a part.
fn ran(
    code: &Code,
    positions: &[u32],
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<(Set, Ran), No> {
    if layout.is_open(positions) {
        return Err(No::Values);
    }
    let states = layout.universe_of(positions, diagrams)?;
    let mut words = Vec::with_capacity(code.row_words());
    for word in 0..code.row_words() {
        let mut bits = Vec::with_capacity(64);
        for bit in 64 * word..64 * (word + 1) {
            bits.push(match layout.position(bit) {
                Some(position) => diagrams.bit(2 * position, true)?,
                None => Set::EMPTY,
            });
        }
        words.push(Word::new(bits, Set::EMPTY));
    }
    Ok((states, machine::run(code, states, words, diagrams)?))
}

/// Whatever happens, the answer must not depend on more than is said to be looked at.
fn fits(sets: &[Set], levels: &[u32], diagrams: &Diagrams) -> Result<(), No> {
    let kept = |level: u32| levels.binary_search(&level).is_ok();
    match sets.iter().all(|set| diagrams.depends_only_on(*set, &kept)) {
        true => Ok(()),
        false => Err(No::Foreign),
    }
}

fn made(told: Result<bool, No>) -> Result<Made, Halt> {
    match told {
        Ok(true) => Ok(Made::Exact),
        Ok(false) => Ok(Made::Partly),
        // It may be the limit of this question alone: if there is no room at all, learning finds out.
        Err(No::Halt(Halt::Full)) => Ok(Made::Learned),
        Err(No::Halt(halt)) => Err(halt),
        Err(No::Long | No::Values | No::Foreign) => Ok(Made::Learned),
    }
}

/// Makes what can be made of an operation, in so many steps of diagrams.
pub fn operation(
    operation: &mut Operation,
    (steps, most): (Steps<'_>, u64),
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<Made, Halt> {
    made(diagrams.within(most, |diagrams| relation(operation, steps, (layout, diagrams))))
}

fn relation(
    operation: &mut Operation,
    steps: Steps<'_>,
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<bool, No> {
    let (states, ran) = ran(steps.code, &operation.looks.positions, (layout, &mut *diagrams))?;
    let bad = match (ran.unusual, ran.no) {
        (None, None) => Set::EMPTY,
        (one, other) => diagrams.union(one.unwrap_or(Set::EMPTY), other.unwrap_or(Set::EMPTY))?,
    };
    let known = diagrams.difference(states, bad)?;
    let words = steps.code.row_words();
    let (mut relation, mut own) = (Set::EMPTY, Records::default());
    for (states, record) in ran.records {
        let states = diagrams.intersection(states, known)?;
        if states.is_empty() {
            continue;
        }
        let step = changes(operation, (states, &record[..words]), (layout, &mut *diagrams))?;
        relation = diagrams.union(relation, step)?;
        own.add(states, record, steps.repeats, diagrams)?;
    }
    let counts = own.counts;
    let mut alive = Set::EMPTY;
    for set in counts.values() {
        alive = diagrams.union(alive, *set)?;
    }
    let sets: Vec<Set> = counts.values().copied().chain([known, alive]).collect();
    fits(&sets, &operation.looks.levels, diagrams)?;
    fits(&[relation], operation.levels(), diagrams)?;
    (operation.relation.steps, operation.known, operation.alive) = (relation, known, alive);
    operation.counts = counts;
    operation.whole = bad.is_empty();
    Ok(operation.whole)
}

/// The steps of one record: what it changes is as it says, all other bits are as before.
fn changes(
    operation: &Operation,
    (states, record): (Set, &[Word]),
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<Set, No> {
    let mut step = states;
    let mut changed = operation.changes().iter().rev().peekable();
    for position in (0..layout.len() as u32).rev() {
        let bit = layout.bit(position);
        let Some(after) = record.get(bit / 64).map(|word| word.bit(bit % 64)) else {
            return Err(No::Foreign);
        };
        if changed.next_if_eq(&&position).is_some() {
            let next = diagrams.bit(2 * position + 1, true)?;
            let differ = diagrams.symmetric(next, after)?;
            step = diagrams.difference(step, differ)?;
            continue;
        }
        let before = diagrams.bit(2 * position, true)?;
        if before != after {
            let differ = diagrams.symmetric(before, after)?;
            if !diagrams.intersection(states, differ)?.is_empty() {
                return Err(No::Foreign);
            }
        }
    }
    Ok(step)
}

/// By how many records there are: in which states.
#[derive(Default)]
struct Records {
    counts: BTreeMap<u64, Set>,
    /// Those that were met, if equal ones count once.
    met: Vec<(Set, Vec<Word>)>,
}

impl Records {
    fn add(
        &mut self,
        states: Set,
        record: Vec<Word>,
        repeats: bool,
        diagrams: &mut Diagrams,
    ) -> Result<(), No> {
        let mut fresh = states;
        if repeats {
            for (others, other) in &self.met {
                let mut same = diagrams.intersection(fresh, *others)?;
                for (a, b) in record.iter().zip(other) {
                    if same.is_empty() {
                        break;
                    }
                    let equal = diagrams.word_equal(a, b)?;
                    same = diagrams.intersection(same, equal)?;
                }
                fresh = diagrams.difference(fresh, same)?;
            }
            self.met.push((states, record));
            if self.met.len() > MOST_CHOICES {
                return Err(No::Long);
            }
        }
        let mut moved = Vec::new();
        let mut first = fresh;
        for (count, set) in &mut self.counts {
            let here = diagrams.intersection(*set, fresh)?;
            *set = diagrams.difference(*set, here)?;
            first = diagrams.difference(first, here)?;
            moved.push((count + 1, here));
        }
        moved.push((1, first));
        for (count, set) in moved {
            let own = self.counts.entry(count).or_insert(Set::EMPTY);
            *own = diagrams.union(*own, set)?;
        }
        self.counts.retain(|_, set| !set.is_empty());
        Ok(())
    }
}

/// The same for a predicate.
pub fn predicate(
    predicate: &mut Predicate,
    (code, most): (&Code, u64),
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<Made, Halt> {
    made(diagrams.within(most, |diagrams| truth(predicate, code, (layout, diagrams))))
}

fn truth(
    predicate: &mut Predicate,
    code: &Code,
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<bool, No> {
    let (states, ran) = ran(code, &predicate.looks.positions, (layout, &mut *diagrams))?;
    let bad = ran.unusual.unwrap_or(Set::EMPTY);
    let known = diagrams.difference(states, bad)?;
    let (yes, no) = (ran.yes.unwrap_or(Set::EMPTY), ran.no.unwrap_or(Set::EMPTY));
    fits(&[known, yes, no], &predicate.looks.levels, diagrams)?;
    (predicate.known, predicate.untrue) = (known, no);
    predicate.whole = bad.is_empty();
    let findings = [(predicate.violated().cloned(), no), (predicate.found().cloned(), yes)];
    for (kind, set) in findings {
        if let Some(kind) = kind.filter(|_| !set.is_empty()) {
            predicate.wrong.push(Wrong { kind, set });
        }
    }
    Ok(predicate.whole)
}

#[cfg(test)]
mod tests;
