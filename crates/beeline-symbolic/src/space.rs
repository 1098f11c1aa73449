//! The states under one valuation of the constants: what is known of operations and checks, and sets of states.
//!
//! All sets that outlive an operation are held here, so that nodes can be collected between two of them.

use crate::diagram::{Diagrams, Halt, Relation, Set};
use crate::layout::Layout;
use crate::learned::{Engine, Operation, Part, Predicate};
use beeline_explore::{Checks, FindingKind, SetOperations};
use beeline_source::Span;
use beeline_transition::{CutReason, TransitionSystem};

/// What somebody looks for, or must not leave, and which variables that is about.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Variables that the goal mentions.
    pub goal: Vec<usize>,
    /// Variables that the scope mentions.
    pub scope: Vec<usize>,
}

/// Why a system cannot be searched this way.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Where, if it is about a place.
    pub span: Span,
    /// In words.
    pub words: String,
}

/// Everything about the states under one valuation.
pub struct Space<'a, S: TransitionSystem> {
    /// Who evaluates.
    pub engine: Engine<'a, S>,
    /// Nodes.
    pub diagrams: Diagrams,
    /// Where bits are.
    pub layout: Layout,
    /// All levels of a state.
    pub levels: Vec<u32>,
    /// All operations.
    pub operations: Vec<Operation>,
    /// Checks, and the goal as the last of them.
    pub predicates: Vec<Predicate>,
    /// States in which this is not true are neither checked nor expanded.
    pub scope: Option<Predicate>,
    /// Sets that a method holds.
    pub held: Vec<Set>,
    /// What was done with sets.
    pub done: SetOperations,
}

/// Numbers of parts: those of operations are below.
const CHECKS: u64 = 1 << 30;
const SCOPE: u64 = 1 << 31;
const VARIABLES: u64 = 1 << 32;

/// A layout, operations, what is checked, and the goal.
pub type Parts = (Layout, Vec<Operation>, Vec<Predicate>, Option<Predicate>);

/// Lays out a system and lists what there is to learn.
pub fn parts_of<S: TransitionSystem>(
    system: &S,
    checks: &Checks,
    reads: &Reads,
) -> Result<Parts, Refused> {
    let signature = system.signature();
    let mut looks = Vec::new();
    for index in signature.operation_indices() {
        let label = signature.operation(index);
        looks.push(system.looks(index).ok_or_else(|| Refused {
            span: Span::NONE,
            words: format!(
                "symbolic search needs operations that depend on the state alone: `{}` calls something \
                 outside the model",
                label.name
            ),
        })?);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, looks) in signature.operation_indices().zip(&looks) {
        let mut group = [looks.as_slice(), &signature.operation(index).writes].concat();
        group.sort_unstable();
        group.dedup();
        groups.push(group);
    }
    let layout = Layout::of(system, &groups).map_err(|why| refusal(system, &why))?;
    let operations = signature
        .operation_indices()
        .zip(&looks)
        .map(|(index, looks)| {
            let writes = &signature.operation(index).writes;
            let sides = (layout.positions(looks), layout.positions(writes));
            Operation::new(index, sides, layout.len())
        })
        .collect();
    let mut predicates = Vec::new();
    let invariants = signature.invariants.iter().filter(|c| checks.invariants && !c.only_types);
    let assertions = signature.assertions.iter().filter(|c| checks.assertions && !c.constant);
    for check in invariants.chain(assertions) {
        let number = CHECKS + predicates.len() as u64;
        let part = Part::new(layout.positions(&check.reads), number);
        predicates.push(Predicate::check(check.pred, FindingKind::Violated(check.id), part));
    }
    if let Some(goal) = signature.goal {
        let number = CHECKS + predicates.len() as u64;
        let part = Part::new(layout.positions(&reads.goal), number);
        predicates.push(Predicate::goal(goal, part));
    }
    let scope = signature
        .scope
        .map(|scope| Predicate::plain(scope, Part::new(layout.positions(&reads.scope), SCOPE)));
    Ok((layout, operations, predicates, scope))
}

fn refusal(system: &impl TransitionSystem, why: &crate::layout::NoLayout) -> Refused {
    use crate::layout::{MOST_BITS, NoLayout};
    let words = match why {
        NoLayout::Unknown(variable) => format!(
            "symbolic search needs states of bits: nobody says how variable {} of {} is kept",
            variable + 1,
            system.signature().variables
        ),
        NoLayout::TooLarge(bits) => format!(
            "symbolic search takes states of at most {MOST_BITS} bits, and these have {bits}"
        ),
    };
    Refused { span: Span::NONE, words }
}

impl<S: TransitionSystem> Space<'_, S> {
    /// Collects nodes if that is due, or at once; `more` are held beside what the space holds.
    pub fn tidy(&mut self, more: &[Set], at_once: bool) {
        if !at_once && !self.diagrams.is_due() {
            return;
        }
        let operations = self.operations.iter().flat_map(Operation::sets);
        let predicates = self.predicates.iter().chain(&self.scope).flat_map(Predicate::sets);
        let own = self.held.iter().chain(more).copied();
        self.diagrams.hold(operations.chain(predicates).chain(own));
        self.diagrams.collect();
    }

    /// Does something that needs nodes. Where there is no room, those that nobody needs are collected, and it is
    /// done once more.
    pub fn with_room<T>(
        &mut self,
        more: &[Set],
        mut work: impl FnMut(&mut Self) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        self.tidy(more, false);
        match work(self) {
            Err(Halt::Full) => {
                self.tidy(more, true);
                work(self)
            }
            other => other,
        }
    }

    /// The successors of a set by all operations.
    pub fn successors(&mut self, set: Set) -> Result<Set, Halt> {
        self.done.images += 1;
        let mut all = Set::EMPTY;
        for place in 0..self.operations.len() {
            let next = self.with_room(&[set, all], |own| own.after(set, place))?;
            all = self.with_room(&[set, all, next], |own| own.diagrams.union(all, next))?;
        }
        Ok(all)
    }

    /// The successors of a set by one operation.
    pub fn after(&mut self, set: Set, place: usize) -> Result<Set, Halt> {
        let Some(operation) = self.operations.get(place) else { return Ok(Set::EMPTY) };
        self.diagrams.after(set, &operation.relation)
    }

    /// The predecessors of a set by all operations, known or not to be reachable.
    pub fn predecessors(&mut self, set: Set) -> Result<Set, Halt> {
        self.done.images += 1;
        let mut all = Set::EMPTY;
        for place in 0..self.operations.len() {
            let before = self.with_room(&[set, all], |own| own.before(set, place))?;
            all = self.with_room(&[set, all, before], |own| own.diagrams.union(all, before))?;
        }
        Ok(all)
    }

    /// The predecessors of a set by one operation.
    pub fn before(&mut self, set: Set, place: usize) -> Result<Set, Halt> {
        let Some(operation) = self.operations.get(place) else { return Ok(Set::EMPTY) };
        self.diagrams.before(set, &operation.relation)
    }

    /// What is in one of them.
    pub fn union(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        self.done.unions += 1;
        self.diagrams.union(a, b)
    }

    /// What is in both.
    pub fn intersection(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        self.done.intersections += 1;
        self.diagrams.intersection(a, b)
    }

    /// What is in the first only.
    pub fn difference(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        self.done.differences += 1;
        self.diagrams.difference(a, b)
    }

    /// Are they the same?
    pub fn same(&mut self, a: Set, b: Set) -> bool {
        self.done.comparisons += 1;
        a == b
    }

    /// All relations.
    pub fn relations(&self) -> Vec<Relation> {
        self.operations.iter().map(|o| o.relation.clone()).collect()
    }

    /// Evaluates operations where states of a set look as none did before. How much was new?
    pub fn learn_operations(&mut self, set: Set, chase: bool) -> Result<u64, Halt> {
        let mut count = 0;
        for place in 0..self.operations.len() {
            loop {
                let more = self.with_room(&[set], |own| own.learn_operation(set, place, chase))?;
                count += more;
                if more == 0 {
                    break;
                }
            }
        }
        Ok(count)
    }

    fn learn_operation(&mut self, set: Set, place: usize, chase: bool) -> Result<u64, Halt> {
        let Some(operation) = self.operations.get_mut(place) else { return Ok(0) };
        if operation.whole {
            return Ok(0);
        }
        let seen = operation.looks.of(set, &mut self.diagrams)?;
        let fresh = self.diagrams.difference(seen, operation.known)?;
        if fresh.is_empty() {
            return Ok(0);
        }
        let place = (&self.layout, &mut self.diagrams);
        operation.learn(fresh, chase, &mut self.engine, place)
    }

    /// Forgets the patterns in which a step leaves the layout.
    pub fn doubt_outside(&mut self) -> Result<(), Halt> {
        for operation in &mut self.operations {
            operation.known = self.diagrams.difference(operation.known, operation.outside)?;
        }
        Ok(())
    }

    /// Evaluates checks where states of a set look as none did before.
    pub fn learn_predicates(&mut self, set: Set) -> Result<u64, Halt> {
        let mut count = 0;
        for place in 0..self.predicates.len() {
            count += self.with_room(&[set], |own| {
                let Some(predicate) = own.predicates.get_mut(place) else { return Ok(0) };
                learn(predicate, set, &mut own.engine, (&own.layout, &mut own.diagrams))
            })?;
        }
        Ok(count)
    }

    /// The states of a set that are inside the scope.
    pub fn inside(&mut self, set: Set) -> Result<Set, Halt> {
        if self.scope.is_none() {
            return Ok(set);
        }
        self.with_room(&[set], |own| {
            let Some(scope) = &mut own.scope else { return Ok(set) };
            learn(scope, set, &mut own.engine, (&own.layout, &mut own.diagrams))?;
            own.diagrams.difference(set, scope.untrue)
        })
    }

    /// Of states in which all operations were evaluated: those in which none is possible.
    pub fn stuck(&mut self, set: Set) -> Result<Set, Halt> {
        let mut stuck = set;
        for place in 0..self.operations.len() {
            if stuck.is_empty() {
                break;
            }
            stuck = self.with_room(&[set, stuck], |own| {
                let alive = own.operations.get(place).map_or(Set::EMPTY, |o| o.alive);
                own.diagrams.difference(stuck, alive)
            })?;
        }
        Ok(stuck)
    }

    /// Everything that was left out so far.
    pub fn left(&self) -> impl Iterator<Item = &(CutReason, Span, String)> {
        let predicates = self.predicates.iter().chain(&self.scope).flat_map(|p| &p.left);
        self.operations.iter().flat_map(|o| &o.left).chain(predicates)
    }

    /// Rows in which each variable that names values kept elsewhere has each of its values.
    pub fn rows_of_values(
        &mut self,
        set: Set,
        found: &mut dyn FnMut(beeline_transition::RowRef<'_>),
    ) {
        for variable in self.layout.open().to_vec() {
            let number = VARIABLES + variable as u64;
            let part = Part::new(self.layout.positions(&[variable]), number);
            let Ok(values) = part.of(set, &mut self.diagrams) else { return };
            let _ = self.diagrams.each(values, &part.levels, &mut |bits| {
                let mut row = self.engine.template.clone();
                self.layout.put_all(&mut row.0, &part.positions, bits);
                found(row.view());
                std::ops::ControlFlow::Continue(())
            });
        }
    }
}

fn learn<S: TransitionSystem>(
    predicate: &mut Predicate,
    set: Set,
    engine: &mut Engine<'_, S>,
    (layout, diagrams): (&Layout, &mut Diagrams),
) -> Result<u64, Halt> {
    if predicate.whole {
        return Ok(0);
    }
    let seen = predicate.looks.of(set, diagrams)?;
    let fresh = diagrams.difference(seen, predicate.known)?;
    predicate.learn(fresh, engine, (layout, diagrams))
}
