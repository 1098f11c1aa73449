//! Paige and Tarjan: all blocks are made stable, reachable or not.
//!
//! A coarse partition and a finer one: a block of the finer one is taken out of a coarse block that has several, and all
//! blocks are split by who has a step into it, and into what is left of the coarse one. Blocks are marked
//! whose states all have a path to a bad state; marked ones need not be split. There is one block at most that is
//! not marked, so that steps into what is left of a coarse block without it lead into marked blocks.

use super::{Answer, Question};
use crate::diagram::{Halt, Set};
use crate::space::Space;
use beeline_explore::Watch;
use beeline_transition::TransitionSystem;
use num_bigint::BigUint;

/// A block of the finer partition.
#[derive(Clone, Copy)]
struct Block {
    set: Set,
    marked: bool,
    /// The block of the coarser one.
    coarse: usize,
}

/// The two partitions.
struct Partitions {
    blocks: Vec<Block>,
    /// How many coarse blocks there were.
    coarse: usize,
}

impl Partitions {
    /// Blocks of a coarse block that has several; nothing if all have one.
    fn compound(&self) -> Option<Vec<usize>> {
        let mut members = vec![Vec::new(); self.coarse];
        for (place, block) in self.blocks.iter().enumerate() {
            members[block.coarse].push(place);
        }
        members.into_iter().find(|m| m.len() > 1)
    }

    fn sets(&self) -> impl Iterator<Item = Set> {
        self.blocks.iter().map(|b| b.set)
    }
}

/// Makes all blocks stable, or finds that an initial state is in a marked one.
pub fn stabilise<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
    split_marked: bool,
    watch: &Watch,
) -> Result<Answer, Halt> {
    let start = [(question.good, false), (question.bad, true)];
    let filled = start.into_iter().filter(|(set, _)| !set.is_empty());
    let blocks = filled.map(|(set, marked)| Block { set, marked, coarse: 0 }).collect();
    let (mut all, mut rounds) = (Partitions { blocks, coarse: 1 }, 0);
    loop {
        space.held = question.sets().into_iter().chain(all.sets()).collect();
        let count = all.blocks.len() as u64;
        if is_marked(space, question, &all)? {
            return Ok(Answer { safe: None, rounds, blocks: Some(count) });
        }
        let Some(members) = all.compound() else {
            // One block at most is not marked: it has the initial states.
            let safe = all.blocks.iter().find(|b| !b.marked).map_or(Set::EMPTY, |b| b.set);
            return Ok(Answer { safe: Some(safe), rounds, blocks: Some(count) });
        };
        if watch.stopped() {
            return Err(Halt::Stopped);
        }
        rounds += 1;
        round(space, question, &mut all, (&members, split_marked))?;
    }
}

/// Is an initial state in a marked block?
fn is_marked<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
    all: &Partitions,
) -> Result<bool, Halt> {
    let unmarked = all.blocks.iter().find(|b| !b.marked).map_or(Set::EMPTY, |b| b.set);
    let outside = space.with_room(&[], |own| own.difference(question.initial, unmarked))?;
    Ok(!space.same(outside, Set::EMPTY))
}

/// Takes the smallest block out of a coarse one, and splits all blocks by it.
fn round<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
    all: &mut Partitions,
    (members, split_marked): (&[usize], bool),
) -> Result<(), Halt> {
    let size =
        |place: &usize| -> BigUint { space.diagrams.count(all.blocks[*place].set, &space.levels) };
    let Some(place) = members.iter().copied().min_by_key(size) else { return Ok(()) };
    let by = all.blocks[place];
    let mut rest = Set::EMPTY;
    for member in members.iter().filter(|m| **m != place) {
        let set = all.blocks[*member].set;
        rest = space.with_room(&[rest], |own| own.diagrams.union(rest, set))?;
    }
    all.blocks[place].coarse = all.coarse;
    all.coarse += 1;
    space.held.push(rest);
    let into = question.before(space, by.set)?;
    space.held.push(into);
    let into_rest = question.before(space, rest)?;
    space.held.push(into_rest);
    let only = space.with_room(&[], |own| own.difference(into, into_rest))?;
    space.held.push(only);
    for number in 0..all.blocks.len() {
        let block = all.blocks[number];
        if block.marked && !split_marked {
            continue;
        }
        let reaches = space.with_room(&[], |own| own.intersection(block.set, into))?;
        if space.same(reaches, Set::EMPTY) {
            // No step into the block that was taken out, but steps into what is left, which is marked then.
            if !by.marked && !block.marked {
                let left =
                    space.with_room(&[], |own| own.diagrams.intersection(block.set, into_rest))?;
                all.blocks[number].marked = !left.is_empty();
            }
            continue;
        }
        let parts = split(space, (block, by), (reaches, only))?;
        space.held.extend(parts.iter().map(|b| b.set));
        let mut parts = parts.into_iter();
        if let Some(first) = parts.next() {
            all.blocks[number] = first;
        }
        all.blocks.extend(parts);
    }
    Ok(())
}

/// The parts of a block: steps into the splitter alone, into both, not into it.
fn split<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    (block, by): (Block, Block),
    (reaches, only): (Set, Set),
) -> Result<Vec<Block>, Halt> {
    let coarse = block.coarse;
    let part = |set, marked| Block { set, marked: block.marked || marked, coarse };
    let misses = space.with_room(&[reaches], |own| own.difference(block.set, reaches))?;
    let alone = space.with_room(&[reaches, misses], |own| own.intersection(reaches, only))?;
    let both = space.with_room(&[reaches, misses, alone], |own| own.difference(reaches, alone))?;
    // What is left of the coarse block is marked where the splitter is not.
    let all = [(alone, by.marked), (both, true), (misses, !by.marked)];
    let filled = all.into_iter().filter(|(set, _)| !set.is_empty());
    Ok(filled.map(|(set, marked)| part(set, marked)).collect())
}
