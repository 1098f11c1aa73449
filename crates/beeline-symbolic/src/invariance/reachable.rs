//! Methods that look at the block of the initial states: backward reachability, Lee and Yannakakis, Bouajjani,
//! Fernandez and Halbwachs. In the last two every block but that of the initial states has a path to a bad state.

use super::{Answer, Question};
use crate::diagram::{Halt, Set};
use crate::space::Space;
use beeline_explore::Watch;
use beeline_transition::TransitionSystem;

/// Backward reachability: `F := pre(F) - S`, `S := pre(F) ∪ S`, from the bad states.
pub fn backward<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
) -> Result<Answer, Halt> {
    let (mut frontier, mut seen, mut rounds) = (question.bad, question.bad, 0);
    loop {
        space.held = [question.sets(), vec![frontier, seen]].concat();
        let hit = space.with_room(&[], |own| own.intersection(question.initial, frontier))?;
        if !space.same(hit, Set::EMPTY) {
            return Ok(Answer { safe: None, rounds, blocks: None });
        }
        if space.same(frontier, Set::EMPTY) {
            let safe =
                space.with_room(&[], |own| own.diagrams.difference(question.universe, seen))?;
            return Ok(Answer { safe: Some(safe), rounds, blocks: None });
        }
        rounds += 1;
        let before = question.before(space, frontier)?;
        frontier = space.with_room(&[before], |own| own.difference(before, seen))?;
        seen = space.with_room(&[before, frontier], |own| own.union(before, seen))?;
    }
}

/// Lee and Yannakakis: only the block of the initial states is made stable; as soon as a second block can be
/// reached something bad can.
pub fn lee_yannakakis<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
) -> Result<Answer, Halt> {
    let (mut block, mut blocks, mut rounds) = (question.good, 2, 0);
    // Initial states in `block` have all their steps into it from here on, and stay in what is kept.
    let violated = |rounds, blocks| Answer { safe: None, rounds, blocks: Some(blocks) };
    let outside = space.difference(question.initial, block)?;
    if !space.same(outside, Set::EMPTY) {
        return Ok(violated(rounds, blocks));
    }
    space.held = [question.sets(), vec![block]].concat();
    // Search: what a step from the initial states leads to is in another block, or in this one.
    let next = question.after(space, question.initial)?;
    let leaves = space.with_room(&[next], |own| own.difference(next, block))?;
    if !space.same(leaves, Set::EMPTY) {
        return Ok(violated(rounds, blocks));
    }
    // Stabilise: five images a round, as the algorithm is stated. The last two of one round could serve the next.
    loop {
        rounds += 1;
        space.held = [question.sets(), vec![block, next]].concat();
        let after = question.after(space, block)?;
        let others = space.with_room(&[after], |own| own.difference(after, block))?;
        space.held.push(others);
        let before = question.before(space, block)?;
        let stay = space.with_room(&[before], |own| own.intersection(block, before))?;
        space.held.push(stay);
        let leave = question.before(space, others)?;
        // What only stays, and what can leave.
        let kept = space.with_room(&[leave], |own| own.difference(stay, leave))?;
        space.held.push(kept);
        let split = space.with_room(&[], |own| own.difference(block, kept))?;
        space.held.push(split);
        let hit = space.with_room(&[], |own| own.intersection(next, split))?;
        if !space.same(hit, Set::EMPTY) {
            return Ok(violated(rounds, blocks + 1));
        }
        blocks += u64::from(!space.same(split, Set::EMPTY));
        let before = question.before(space, kept)?;
        let still = space.with_room(&[before], |own| own.intersection(kept, before))?;
        space.held.push(still);
        let before = question.before(space, split)?;
        let reaches = space.with_room(&[before], |own| own.intersection(kept, before))?;
        block = kept;
        let is_whole = space.same(still, kept);
        if space.same(reaches, Set::EMPTY) && is_whole {
            return Ok(Answer { safe: Some(block), rounds, blocks: Some(blocks) });
        }
    }
}

/// A block, and whether all of it has a path to a bad state.
#[derive(Clone, Copy)]
struct Block {
    set: Set,
    marked: bool,
}

/// Bouajjani, Fernandez and Halbwachs: the block of the initial states is made stable with respect to all others,
/// reachable or not.
pub fn bouajjani<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
    watch: &Watch,
) -> Result<Answer, Halt> {
    let mut first = Block { set: question.good, marked: false };
    let mut others = vec![Block { set: question.bad, marked: true }];
    let mut rounds = 0;
    loop {
        let blocks = Some(others.len() as u64 + 1);
        let outside =
            space.with_room(&[first.set], |own| own.difference(question.initial, first.set))?;
        // Initial states in another block, or in this one when all of it can reach what is bad.
        if !space.same(outside, Set::EMPTY) || first.marked {
            return Ok(Answer { safe: None, rounds, blocks });
        }
        if watch.stopped() {
            return Err(Halt::Stopped);
        }
        rounds += 1;
        let whole = first;
        let hold = |more: &[Block]| -> Vec<Set> {
            let own = others.iter().chain(more).map(|b| b.set);
            question.sets().into_iter().chain(own).chain([whole.set]).collect()
        };
        let mut parts = vec![first];
        for by in others.iter().copied().chain([first]) {
            space.held = hold(&parts);
            let before = question.before(space, by.set)?;
            let mut next = Vec::with_capacity(parts.len() + 1);
            for part in parts {
                space.held.extend(next.iter().map(|b: &Block| b.set));
                let inside = space
                    .with_room(&[before, part.set], |own| own.intersection(part.set, before))?;
                let marked = part.marked || by.marked;
                if space.same(inside, part.set) {
                    next.push(Block { marked, ..part });
                } else if space.same(inside, Set::EMPTY) {
                    next.push(part);
                } else {
                    let rest = space.with_room(&[before, part.set, inside], |own| {
                        own.difference(part.set, inside)
                    })?;
                    next.extend([Block { set: inside, marked }, Block { set: rest, ..part }]);
                }
            }
            parts = next;
        }
        if parts.len() == 1 {
            first = parts[0];
            if first.marked {
                continue;
            }
            space.held = hold(&parts);
            let after = question.after(space, first.set)?;
            let leaves = space.with_room(&[after], |own| own.difference(after, first.set))?;
            let is_closed = space.same(leaves, Set::EMPTY);
            return Ok(Answer { safe: is_closed.then_some(first.set), rounds, blocks });
        }
        // The part with an initial state is the first block now.
        let mut place = 0;
        for (number, part) in parts.iter().enumerate() {
            let hit = space.with_room(&[part.set], |own| {
                own.diagrams.intersection(part.set, question.initial)
            })?;
            if !hit.is_empty() {
                place = number;
                break;
            }
        }
        first = parts.swap_remove(place);
        others.extend(parts);
    }
}
