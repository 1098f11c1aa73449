//! Forward: which states are reachable, and what is wrong with them.
//!
//! First everything at once: what states look like where operations look is evaluated, and steps are taken until
//! nothing is new ([`Strategy`] says in which order). If something is wrong somewhere, or the order wants it, states
//! are taken layer by layer, so that the first layer in which it shows gives a shortest trace.

use crate::diagram::{Halt, Set};
use crate::space::Space;
use crate::walk::Layers;
use beeline_explore::{Cuts, Finding, FindingKind, Options, Watch};
use beeline_source::Span;
use beeline_transition::{CutReason, TransitionSystem};
use num_bigint::BigUint;
use std::sync::atomic::Ordering;

/// In which order steps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Low parts of the diagram first.
    #[default]
    Saturation,
    /// One operation after the other, each from all states that are known by then.
    Chaining,
    /// Layer by layer.
    BreadthFirst,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 3] =
        [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Saturation => "saturation",
            Strategy::Chaining => "chaining",
            Strategy::BreadthFirst => "bfs",
        }
    }
}

/// What came of the states under one valuation.
#[derive(Default)]
pub struct Reached {
    /// How many.
    pub states: BigUint,
    /// Steps of each operation.
    pub covered: Vec<BigUint>,
    /// Findings and how far they are from initialisation.
    pub findings: Vec<(usize, Finding)>,
    /// What was left out.
    pub cuts: Cuts,
    /// Rounds.
    pub rounds: u64,
    /// Operations to the deepest layer, where layers were made.
    pub depth: Option<u32>,
    /// Nodes of the set of states.
    pub nodes: usize,
    /// It ended with what it found.
    pub stopped: bool,
    /// A path could not be computed again.
    pub lost: bool,
}

/// How to search.
pub struct Plan<'a> {
    /// Checks and limits.
    pub options: &'a Options,
    /// When to stop.
    pub watch: &'a Watch,
    /// In which order.
    pub strategy: Strategy,
    /// What is known to be reachable, and wants to be shown; nothing: nobody knows.
    pub wanted: Option<Vec<FindingKind>>,
}

/// Searches the states under one valuation from its initial ones.
pub fn search<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    initial: Set,
    plan: &Plan<'_>,
) -> Reached {
    let mut reached = Reached::default();
    let mut visited = initial;
    let layered = plan.strategy == Strategy::BreadthFirst
        || plan.wanted.is_some()
        || space.scope.is_some()
        || plan.options.limits.depth.is_some();
    let mut wanted = plan.wanted.clone();
    let (mut result, mut known) = (Ok(()), false);
    if !layered {
        let told = at_once(space, &mut visited, plan, &mut reached);
        known = told == Ok(true);
        result = told.map(|_| ());
        wanted = Some(kinds(space, visited, plan, result));
    }
    let look = wanted.as_ref().is_none_or(|kinds| !kinds.is_empty());
    // Steps count out of states that were expanded, though relations know those of others.
    let mut expanded = None;
    if look && result.is_ok() {
        let mut layers = Layers::new(initial);
        result = by_layers(space, &mut layers, (plan, wanted.as_deref(), known), &mut reached);
        if layered || reached.stopped {
            visited = layers.visited;
            match inner(space, &layers, plan) {
                Ok(set) => expanded = Some(set),
                Err(halt) => result = result.and(Err(halt)),
            }
        }
    }
    if let Err(halt) = result {
        note_halt(plan, halt);
    }
    // Whatever ended it: what is wrong somewhere and was not shown must not get lost.
    if !reached.stopped {
        untold(wanted.as_deref(), &mut reached);
    }
    let expanded = expanded.unwrap_or(visited);
    space.held = vec![visited, expanded];
    count(space, (visited, expanded), &mut reached);
    for (reason, span, words) in space.left() {
        reached.cuts.note(*reason, *span, words, 1);
    }
    doubt(space, visited, plan, &mut reached);
    space.held.clear();
    reached
}

/// Says why it ended before its end.
pub fn note_halt(plan: &Plan<'_>, halt: Halt) {
    if halt == Halt::Full {
        plan.watch.halt(CutReason::Memory);
    }
}

/// What was found without a trace is a cut: the judge cannot look at it.
fn untold(wanted: Option<&[FindingKind]>, reached: &mut Reached) {
    for kind in wanted.unwrap_or_default() {
        if reached.findings.iter().all(|(_, f)| f.kind.key() != kind.key()) {
            let words =
                "a state in which something is wrong was found, but no way to it within the limits";
            reached.cuts.note(CutReason::NotChecked, Span::NONE, words, 1);
        }
    }
}

/// All states by steps in whatever order is fast. Is everything known of them now?
fn at_once<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    visited: &mut Set,
    plan: &Plan<'_>,
    reached: &mut Reached,
) -> Result<bool, Halt> {
    loop {
        reached.rounds += 1;
        space.held = vec![*visited];
        let fresh = space.learn_operations(*visited, true)?;
        space.learn_predicates(*visited)?;
        let ends = !plan.options.all && !kinds(space, *visited, plan, Ok(())).is_empty();
        if ends || limit(space, *visited, plan) {
            return Ok(false);
        }
        let before = *visited;
        *visited = match plan.strategy {
            Strategy::Chaining => chain(space, *visited)?,
            _ => {
                let relations = space.relations();
                space.done.images += 1;
                space.with_room(&[before], |own| {
                    own.tidy(&[before], false);
                    hold_all(own, before);
                    own.diagrams.saturated(before, &relations)
                })?
            }
        };
        if *visited == before && fresh == 0 {
            return Ok(true);
        }
    }
}

/// Tells the diagrams what must outlive a long operation.
fn hold_all<S: TransitionSystem>(space: &mut Space<'_, S>, visited: Set) {
    let operations = space.operations.iter().flat_map(|o| o.sets());
    let predicates = space.predicates.iter().chain(&space.scope).flat_map(|p| p.sets());
    let own = space.held.iter().copied().chain([visited]);
    space.diagrams.hold(operations.chain(predicates).chain(own));
}

/// One step of each operation after the other.
fn chain<S: TransitionSystem>(space: &mut Space<'_, S>, set: Set) -> Result<Set, Halt> {
    space.done.images += 1;
    let mut all = set;
    for place in 0..space.operations.len() {
        let next = space.with_room(&[all], |own| own.after(all, place))?;
        all = space.with_room(&[all, next], |own| own.diagrams.union(all, next))?;
    }
    Ok(all)
}

/// Is the limit of states reached?
fn limit<S: TransitionSystem>(space: &Space<'_, S>, visited: Set, plan: &Plan<'_>) -> bool {
    let Some(most) = plan.options.limits.states else {
        let few = |count: BigUint| usize::try_from(count).unwrap_or(usize::MAX);
        // For the line of progress.
        let states = few(space.diagrams.count(visited, &space.levels));
        plan.watch.states.store(states, Ordering::Relaxed);
        return plan.watch.stopped();
    };
    let full = space.diagrams.count(visited, &space.levels) >= BigUint::from(most);
    if full {
        plan.watch.halt(CutReason::States);
    }
    full || plan.watch.stopped()
}

/// What is wrong in patterns that reachable states have.
fn kinds<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    visited: Set,
    plan: &Plan<'_>,
    result: Result<(), Halt>,
) -> Vec<FindingKind> {
    let operations = space.operations.iter().flat_map(|o| &o.wrong);
    let predicates = space.predicates.iter().flat_map(|p| &p.wrong);
    let wrong: Vec<(FindingKind, Set)> =
        operations.chain(predicates).map(|w| (w.kind.clone(), w.set)).collect();
    let mut kinds = Vec::new();
    for (kind, set) in wrong {
        // What is made from code is wrong in states that nobody reaches, too.
        let hit = space.with_room(&[visited], |own| own.diagrams.intersection(visited, set));
        if hit.is_ok_and(|hit| hit.is_empty()) {
            continue;
        }
        kinds.push(kind);
    }
    // Where operations were not evaluated everywhere nobody knows who is stuck.
    if plan.options.checks.deadlock && result.is_ok() && !plan.watch.stopped() {
        let stuck = space.stuck(visited);
        if stuck.is_ok_and(|stuck| !stuck.is_empty()) {
            kinds.push(FindingKind::Deadlock);
        }
    }
    kinds.sort_by_key(FindingKind::key);
    kinds
}

/// States layer by layer, until all that is wanted was found, or nothing is new.
fn by_layers<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    layers: &mut Layers,
    (plan, wanted, known): (&Plan<'_>, Option<&[FindingKind]>, bool),
    reached: &mut Reached,
) -> Result<(), Halt> {
    loop {
        let depth = layers.all.len() - 1;
        reached.depth = Some(depth as u32);
        plan.watch.depth.store(depth as u32, Ordering::Relaxed);
        reached.rounds += 1;
        space.held = layers.sets();
        let all = layers.last();
        let frontier = space.inside(all)?;
        if frontier != all {
            let words = "states outside SCOPE were neither checked nor expanded";
            let outside = space.with_room(&[frontier], |own| own.difference(all, frontier))?;
            let count = space.diagrams.count(outside, &space.levels);
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            reached.cuts.note(CutReason::Ignored, Span::NONE, words, count);
        }
        layers.replace_last(frontier);
        space.held = layers.sets();
        // Projections of layers are larger than those of all states together.
        if !known {
            space.learn_predicates(frontier)?;
        }
        let deepest = plan.options.limits.depth.is_some_and(|most| depth >= most as usize);
        if !deepest && !known {
            space.learn_operations(frontier, false)?;
        }
        // Where all is known it is known, too, whether anybody is stuck.
        let stuck = !known || wanted.is_none_or(|all| all.contains(&FindingKind::Deadlock));
        look(space, layers, (plan, deepest, stuck), reached)?;
        reached.stopped = !plan.options.all && !reached.findings.is_empty();
        let is_found = |kind: &FindingKind| {
            reached.findings.iter().any(|(_, found)| found.kind.key() == kind.key())
        };
        if reached.stopped || wanted.is_some_and(|wanted| wanted.iter().all(is_found)) {
            return Ok(());
        }
        if deepest && !frontier.is_empty() {
            let words = "states at the maximum depth were not expanded";
            let count = space.diagrams.count(frontier, &space.levels);
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            reached.cuts.note(CutReason::Depth, Span::NONE, words, count);
        }
        if deepest || limit(space, layers.visited, plan) {
            return Ok(());
        }
        let next = space.successors(frontier)?;
        let visited = layers.visited;
        let next = space.with_room(&[next], |own| own.difference(next, visited))?;
        if space.same(next, Set::EMPTY) {
            return Ok(());
        }
        layers.visited = space.with_room(&[next], |own| own.union(visited, next))?;
        layers.all.push(next);
    }
}

/// Looks for what is wrong in the last layer, and keeps the first of each kind with a path.
fn look<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    layers: &Layers,
    (plan, deepest, wants_deadlock): (&Plan<'_>, bool, bool),
    reached: &mut Reached,
) -> Result<(), Halt> {
    let frontier = layers.last();
    let predicates = space.predicates.iter().flat_map(|p| &p.wrong);
    let operations = space.operations.iter().filter(|_| !deepest).flat_map(|o| &o.wrong);
    let mut found: Vec<(FindingKind, Set)> =
        predicates.chain(operations).map(|w| (w.kind.clone(), w.set)).collect();
    if plan.options.checks.deadlock && !deepest && wants_deadlock {
        let stuck = space.stuck(frontier)?;
        found.push((FindingKind::Deadlock, stuck));
        space.held.push(stuck);
    }
    found.sort_by_key(|(kind, _)| kind.key());
    for (kind, set) in found {
        let known = |(_, f): &(usize, Finding)| f.kind.key() == kind.key();
        if set.is_empty() || reached.findings.iter().any(known) {
            continue;
        }
        let hit = space.with_room(&[], |own| own.intersection(frontier, set))?;
        if hit.is_empty() {
            continue;
        }
        match layers.path(space, hit)? {
            Some(path) => reached.findings.push((layers.all.len() - 1, Finding { kind, path })),
            None => reached.lost = true,
        }
    }
    Ok(())
}

/// The states of all layers that were expanded: inside the scope, and not at the limit of depth.
fn inner<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    layers: &Layers,
    plan: &Plan<'_>,
) -> Result<Set, Halt> {
    let most = plan.options.limits.depth.map_or(usize::MAX, |most| most as usize);
    space.held = layers.sets();
    let mut inner = Set::EMPTY;
    for layer in layers.all.iter().take(most) {
        inner = space.with_room(&[inner], |own| own.union(inner, *layer))?;
    }
    Ok(inner)
}

/// Counts states and the steps of each operation.
fn count<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    (visited, expanded): (Set, Set),
    reached: &mut Reached,
) {
    reached.states = space.diagrams.count(visited, &space.levels);
    reached.nodes = space.diagrams.size(visited);
    for place in 0..space.operations.len() {
        let counts: Vec<(u64, Set)> =
            space.operations[place].counts.iter().map(|(n, set)| (*n, *set)).collect();
        let mut sum = BigUint::ZERO;
        for (steps, set) in counts {
            let here = space.with_room(&[expanded], |own| own.diagrams.intersection(expanded, set));
            let here = match here {
                Ok(here) => here,
                Err(Halt::Full) => {
                    let words = "there was no room to count the steps of an operation";
                    reached.cuts.note(CutReason::Memory, Span::NONE, words, 1);
                    continue;
                }
                // The limit that ended it is told already.
                Err(Halt::Stopped) => continue,
            };
            sum += space.diagrams.count(here, &space.levels) * steps;
        }
        reached.covered.push(sum);
    }
}

/// What is not known of states because of values that their words do not tell from others.
fn doubt<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    visited: Set,
    plan: &Plan<'_>,
    reached: &mut Reached,
) {
    if space.layout.open().is_empty() || !reached.cuts.is_empty() || plan.watch.stopped() {
        return;
    }
    let system = space.engine.system;
    let cut = system.doubt(&mut |found| space.rows_of_values(visited, found));
    if let Some(cut) = cut {
        reached.cuts.add(&cut);
    }
}
