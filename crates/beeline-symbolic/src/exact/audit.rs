//! What was made from code, held against what evaluating it comes to.

use crate::diagram::bits::Bits;
use crate::diagram::{Diagrams, Halt, Set};
use crate::layout::Layout;
use crate::learned::{Engine, Operation, Part, Predicate};
use beeline_transition::TransitionSystem;
use std::ops::ControlFlow;

/// Patterns of one question that are compared.
const MOST_PATTERNS: usize = 1 << 13;

/// Some patterns of a set.
fn some(set: Set, looks: &Part, diagrams: &mut Diagrams) -> Result<Set, Halt> {
    let mut list: Vec<Bits> = Vec::new();
    let _ = diagrams.each(set, &looks.levels, &mut |bits| {
        list.push(bits.into());
        match list.len() < MOST_PATTERNS {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    diagrams.listed(&looks.levels, list)
}

/// Are two sets the same inside of another one?
fn agree(a: Set, b: Set, inside: Set, diagrams: &mut Diagrams) -> Result<bool, Halt> {
    let differ = diagrams.symmetric(a, b)?;
    Ok(diagrams.intersection(differ, inside)?.is_empty())
}

/// Does an operation do what one that knows nothing learns of it?
pub fn operation<S: TransitionSystem>(
    made: &Operation,
    mut plain: Operation,
    engine: &mut Engine<'_, S>,
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<bool, Halt> {
    let patterns = some(made.known, &made.looks, diagrams)?;
    plain.learn(patterns, false, engine, (layout, &mut *diagrams))?;
    let inside = plain.known;
    let pairs = [
        (made.relation.steps, plain.relation.steps),
        (made.alive, plain.alive),
        (made.outside, plain.outside),
    ];
    for (a, b) in pairs {
        if !agree(a, b, inside, diagrams)? {
            return Ok(false);
        }
    }
    let numbers = made.counts.keys().chain(plain.counts.keys());
    for number in numbers {
        let of = |one: &Operation| one.counts.get(number).copied().unwrap_or(Set::EMPTY);
        if !agree(of(made), of(&plain), inside, diagrams)? {
            return Ok(false);
        }
    }
    Ok(plain.wrong.is_empty() && plain.left.is_empty())
}

/// The same for a predicate.
pub fn predicate<S: TransitionSystem>(
    made: &Predicate,
    mut plain: Predicate,
    engine: &mut Engine<'_, S>,
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<bool, Halt> {
    let patterns = some(made.known, &made.looks, diagrams)?;
    plain.learn(patterns, engine, (layout, &mut *diagrams))?;
    if !agree(made.untrue, plain.untrue, patterns, diagrams)? {
        return Ok(false);
    }
    for one in made.wrong.iter().chain(&plain.wrong) {
        let of = |other: &Predicate| {
            let like = other.wrong.iter().find(|w| w.kind.is_like(&one.kind));
            like.map_or(Set::EMPTY, |w| w.set)
        };
        if !agree(of(made), of(&plain), patterns, diagrams)? {
            return Ok(false);
        }
    }
    Ok(plain.left.is_empty())
}
