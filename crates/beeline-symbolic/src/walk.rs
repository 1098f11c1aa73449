//! Layers of states, and the way through them.
//!
//! Layer `n` has the states that `n` steps lead to and fewer do not. The way to a state is found backwards, one
//! predecessor in each layer, and then executed by the explicit engine, which knows parameters and results.

use crate::diagram::{Halt, Set};
use crate::space::Space;
use beeline_explore::{Path, PathStep};
use beeline_transition::{Flow, OperationIndex, Row, StateRef, TransitionSystem};

/// Layers from the initial states on.
pub struct Layers {
    /// Each layer.
    pub all: Vec<Set>,
    /// All states in them, and those that were left out.
    pub visited: Set,
}

impl Layers {
    /// The first one.
    pub fn new(initial: Set) -> Layers {
        Layers { all: vec![initial], visited: initial }
    }

    /// The last one.
    pub fn last(&self) -> Set {
        self.all.last().copied().unwrap_or(Set::EMPTY)
    }

    /// Takes states out of the last one.
    pub fn replace_last(&mut self, set: Set) {
        if let Some(last) = self.all.last_mut() {
            *last = set;
        }
    }

    /// All sets.
    pub fn sets(&self) -> Vec<Set> {
        self.all.iter().copied().chain([self.visited]).collect()
    }

    /// A way to one of these states of the last layer. Nothing: a step could not be found again, which must not
    /// happen.
    pub fn path<S: TransitionSystem>(
        &self,
        space: &mut Space<'_, S>,
        targets: Set,
    ) -> Result<Option<Path>, Halt> {
        let Some(last) = one(space, targets) else { return Ok(None) };
        let mut rows: Vec<(Row, Option<OperationIndex>)> = vec![(last, None)];
        for layer in self.all.iter().rev().skip(1) {
            let Some((row, _)) = rows.last() else { return Ok(None) };
            match step_back(space, row.clone(), *layer)? {
                Some((before, operation)) => rows.push((before, Some(operation))),
                None => return Ok(None),
            }
        }
        rows.reverse();
        Ok(executed(space, &rows))
    }
}

/// The first state of a set.
fn one<S: TransitionSystem>(space: &Space<'_, S>, set: Set) -> Option<Row> {
    let bits = space.diagrams.first(set, &space.levels)?;
    let mut row = space.engine.template.clone();
    let positions: Vec<u32> = (0..space.layout.len() as u32).collect();
    space.layout.put_all(&mut row.0, &positions, &bits);
    Some(row)
}

/// A state of a layer from which one step leads to a row.
fn step_back<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    row: Row,
    layer: Set,
) -> Result<Option<(Row, OperationIndex)>, Halt> {
    let target = space.with_room(&[layer], |own| own.single(&row))?;
    for place in 0..space.operations.len() {
        let before = space.with_room(&[layer, target], |own| {
            let before = own.before(target, place)?;
            own.intersection(before, layer)
        })?;
        if let Some(found) = one(space, before) {
            return Ok(Some((found, OperationIndex(place))));
        }
    }
    Ok(None)
}

/// The way through these states, each step computed again.
fn executed<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    rows: &[(Row, Option<OperationIndex>)],
) -> Option<Path> {
    let (system, setup) = (space.engine.system, space.engine.setup);
    let constants = setup.constants();
    let mut space_of_targets = system.scratch();
    let &(ref first, mut by) = rows.first()?;
    let initial = system.unpack(first.view(), &mut space.engine.scratch);
    let (mut state, mut steps) = (initial.clone(), Vec::new());
    for (row, next) in rows.get(1..)? {
        let mut found = None;
        system.steps((constants, state.view()), by, &mut space.engine.scratch, &mut |step| {
            let fits = |target: StateRef<'_>, scratch: &mut S::Scratch| {
                system.pack(target, scratch).is_some_and(|packed| packed == *row)
            };
            if !fits(step.target, &mut space_of_targets) {
                return Flow::More;
            }
            found = Some(PathStep::of(step));
            Flow::Enough
        });
        let step = found?;
        state.clone_from(&step.target);
        steps.push(step);
        by = *next;
    }
    Some(Path { constants: constants.owned(), initial: Some(initial), steps })
}

impl<S: TransitionSystem> Space<'_, S> {
    /// The set of one state.
    pub fn single(&mut self, row: &Row) -> Result<Set, Halt> {
        let mut set = Set::ALL;
        for position in (0..self.layout.len() as u32).rev() {
            let with = self.layout.get(row.view(), position);
            let bit = self.diagrams.bit(2 * position, with)?;
            set = self.diagrams.intersection(set, bit)?;
        }
        Ok(set)
    }
}
