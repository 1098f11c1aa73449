//! Which operations of a state are enough.
//!
//! A set is *stubborn* if with each live operation it has all that do not accord with it, and with each other
//! one all of some set that must act before it can become live. Whatever operations outside the set do, those
//! in it can do first what they would do later. That alone keeps no finding: the set must also have all of
//! some set that must act before each property can come true, every operation that may fail, and one that is
//! live, for deadlocks.

use crate::Set;
use crate::relations::{Guard, Relations};
use beeline_fault::{Flaw, planted};

/// Sets of operations of which each one is enough, as far as they are live.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices(pub Vec<Set>);

/// What is enough in a state: `live` says which operations have a step there or fail, `truth` what is known
/// of each condition.
pub fn choices(relations: &Relations, live: &Set, truth: &[Option<bool>]) -> Choices {
    let state = State { relations, live, truth };
    let mut first = Growing::new(relations);
    for property in &relations.properties {
        first.wait(&state, &property.guards, &property.enablers);
    }
    let failing = relations.operations.iter().enumerate().filter(|(_, o)| o.may_fail);
    failing.for_each(|(operation, _)| first.add(operation));
    first.close(&state);
    if !relations.deadlock || first.live(live).next().is_some() {
        return Choices(vec![Set::of(relations.operations.len(), first.live(live))]);
    }
    let mut all: Vec<Set> = Vec::new();
    for seed in live.iter() {
        let mut grown = first.clone();
        grown.add(seed);
        grown.close(&state);
        let set = Set::of(relations.operations.len(), grown.live(live));
        if !all.contains(&set) {
            all.push(set);
        }
    }
    Choices(all)
}

/// What is known of a state.
struct State<'a> {
    relations: &'a Relations,
    live: &'a Set,
    truth: &'a [Option<bool>],
}

/// A set on the way to be stubborn.
#[derive(Clone)]
struct Growing {
    has: Set,
    /// Those whose needs are still to be looked at.
    open: Vec<usize>,
}

impl Growing {
    fn new(relations: &Relations) -> Growing {
        Growing { has: Set::new(relations.operations.len()), open: Vec::new() }
    }

    fn add(&mut self, operation: usize) {
        if self.has.add(operation) {
            self.open.push(operation);
        }
    }

    fn live<'a>(&'a self, live: &'a Set) -> impl Iterator<Item = usize> + 'a {
        self.has.iter().filter(|operation| live.has(*operation))
    }

    fn close(&mut self, state: &State<'_>) {
        while let Some(operation) = self.open.pop() {
            let Some(behaviour) = state.relations.operations.get(operation) else { continue };
            if !state.live.has(operation) {
                self.wait(state, &behaviour.guards, &behaviour.enablers);
                continue;
            }
            let mut forgotten = planted(Flaw::DependencyForgotten);
            for other in behaviour.conflicts.iter().filter(|other| *other != operation) {
                // The flaw: one that does not accord is taken for one that does.
                if !std::mem::take(&mut forgotten) {
                    self.add(other);
                }
            }
        }
    }

    /// Takes in all that must act before something can happen: the cheapest way to say so.
    fn wait(&mut self, state: &State<'_>, guards: &[Guard], enablers: &Set) {
        let missing =
            |g: &&Guard| state.truth.get(g.condition).copied().flatten() == Some(!g.wanted);
        let ways = guards.iter().filter(missing).map(|g| &g.enablers).chain([enablers]);
        let cheapest = ways.min_by_key(|way| self.cost(state, way));
        let way: Vec<usize> = cheapest.into_iter().flat_map(Set::iter).collect();
        way.into_iter().for_each(|operation| self.add(operation));
    }

    /// Live operations cost steps; others may lead to some.
    fn cost(&self, state: &State<'_>, way: &Set) -> usize {
        let new = way.iter().filter(|operation| !self.has.has(*operation));
        new.map(|operation| if state.live.has(operation) { 16 } else { 1 }).sum()
    }
}
