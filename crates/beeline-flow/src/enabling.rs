//! What a step of one operation does to the guard of another: enabling predicates (Definition 1) and
//! independence (Definition 2, Lemma 4).
//!
//! The guard is carried back through each path of the first operation, and simplified under what holds before:
//! properties, invariant, conditions of the path (Fig. 15). So all that is said holds for steps from states that
//! satisfy the invariant.

use crate::action::{self, Action, Path, is_pure};
use crate::guard::{self, Guard};
use crate::known::Known;
use crate::make;
use crate::reads::{ReadSets, read_sets};
use crate::replace::{Values, is_large, is_large_pred};
use crate::sets::read_back_in;
use beeline_model::{CompareOp, Footprint, Model, OperationId, Place, Pred, PredKind};
use beeline_prove::Key;
use std::time::{Duration, Instant};

/// What is known of the guard of one operation after a step of another.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// It holds.
    Always,
    /// It does not.
    Never,
    /// It holds exactly if what stands in the case of the path that was taken holds before the step.
    If(Vec<Case>),
    /// Nothing.
    Unknown,
}

/// The enabling predicate of one path.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The path of the first operation.
    pub path: usize,
    /// What chooses the path.
    pub branch: Vec<Pred>,
    /// The conjuncts; none means true. `None`: false.
    pub predicate: Option<Vec<Pred>>,
    /// The places of these conjuncts in the guard.
    pub left: Vec<usize>,
}

/// Why a guard has the same value before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Independence {
    /// Nothing that it reads is written.
    Reads,
    /// What it says is the same.
    Proved,
}

/// What one operation does to the guard of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The operation that takes a step; without one, initialisation.
    pub first: Option<OperationId>,
    /// The operation whose guard it is.
    pub second: OperationId,
    /// What the guard is afterwards.
    pub effect: Effect,
    /// The guard is the same for the same parameters.
    pub independent: Option<Independence>,
}

/// All pairs of a model.
pub struct Enabling {
    /// The model, with names for choices and for parameters of guards.
    pub model: Model,
    /// What is done: initialisation first; `None` where there are too many paths.
    pub actions: Vec<Option<Action>>,
    /// When it is done; `None` where that is not understood.
    pub guards: Vec<Option<Guard>>,
    /// Every pair, in the order of the operations.
    pub relations: Vec<Relation>,
}

/// Looks at all pairs, each for at most so long.
pub fn enabling(model: &Model, limit: Duration) -> Enabling {
    let sets = read_sets(model);
    let mut model = model.clone();
    let operations = model.concrete().operations.clone();
    let mut actions = vec![action::initialisation(&mut model)];
    actions.extend(operations.iter().map(|id| action::operation(&mut model, *id)));
    let guards: Vec<Option<Guard>> =
        operations.iter().map(|id| guard::guard(&mut model, *id)).collect();
    let relations = all(&model, &sets, &operations, &actions, &guards, limit);
    Enabling { model, actions, guards, relations }
}

fn all(
    model: &Model,
    sets: &[ReadSets],
    operations: &[OperationId],
    actions: &[Option<Action>],
    guards: &[Option<Guard>],
    limit: Duration,
) -> Vec<Relation> {
    let mut relations = Vec::new();
    for (first, action) in sets.iter().zip(actions) {
        let known: Option<Vec<Known<'_>>> =
            action.as_ref().map(|a| a.paths.iter().map(|p| before(model, a, p, limit)).collect());
        for (at, (id, guard)) in operations.iter().zip(guards).enumerate() {
            let apart = first.operation.is_some() && first.leaves_guard_of(&sets[at + 1]);
            let mut relation = Relation {
                first: first.operation,
                second: *id,
                effect: Effect::Unknown,
                independent: apart.then_some(Independence::Reads),
            };
            if let (Some(action), Some(known), Some(guard)) = (action, &known, guard) {
                let until = Instant::now() + limit;
                pair(&mut relation, action, known, guard, until);
            }
            relations.push(relation);
        }
    }
    relations
}

/// What is known before a step along a path.
pub(crate) fn before<'m>(
    model: &'m Model,
    action: &Action,
    path: &Path,
    limit: Duration,
) -> Known<'m> {
    let mut known = Known::new(model, Instant::now() + limit);
    assume_before(&mut known, model, action, path);
    known
}

/// Takes in what is known before a step along a path.
pub(crate) fn assume_before(known: &mut Known<'_>, model: &Model, action: &Action, path: &Path) {
    assume_taken(known, model, path);
    if action.operation.is_some() {
        let invariants = model.concrete().invariants.iter().map(|i| &i.conjunct.pred);
        known.assume(invariants.filter(|p| is_pure(p) && !is_large_pred(p)));
    }
}

/// What is known before a step along a path, whether or not the invariant holds.
pub(crate) fn taken<'m>(model: &'m Model, path: &Path, until: Instant) -> Known<'m> {
    let mut known = Known::new(model, until);
    assume_taken(&mut known, model, path);
    known
}

fn assume_taken(known: &mut Known<'_>, model: &Model, path: &Path) {
    let pure = path.conditions.iter().filter(|p| is_pure(p));
    let properties = model.properties.iter().map(|p| &p.conjunct.pred).filter(|p| is_pure(p));
    known.assume(pure.chain(properties).filter(|p| !is_large_pred(p)));
    // The step was taken: what is assigned was evaluated.
    let values = path.after.iter().map(|(_, e)| e).filter(|e| !is_large(e));
    values.for_each(|e| known.terms.is_evaluated(e));
}

fn pair(
    relation: &mut Relation,
    action: &Action,
    known: &[Known<'_>],
    guard: &Guard,
    until: Instant,
) {
    let mut cases = Vec::new();
    let mut kept = relation.first.is_some();
    for (at, (path, known)) in action.paths.iter().zip(known).enumerate() {
        // A path that cannot be taken has no steps to speak of.
        if known.is_contradictory() {
            continue;
        }
        let Some((predicate, left)) = simplified(known, path, guard, until) else { return };
        kept = kept
            && (relation.independent.is_some() || keeps(known, path, guard, &predicate, until));
        cases.push(Case { path: at, branch: path.branch.clone(), predicate, left });
    }
    if kept && relation.independent.is_none() {
        relation.independent = Some(Independence::Proved);
    }
    relation.effect = if cases.iter().all(|c| c.predicate.is_none()) {
        Effect::Never
    } else if cases.iter().all(|c| c.predicate.as_ref().is_some_and(Vec::is_empty)) {
        Effect::Always
    } else {
        Effect::If(cases)
    };
}

/// A conjunct of a guard as it is before the step.
pub(crate) fn carried(known: &mut Known<'_>, path: &Path, p: &Pred) -> Pred {
    let mut values = Values::default();
    path.after.iter().for_each(|(v, e)| values.set(Place::Variable(*v), e.clone()));
    let model = known.model;
    let carried = values.pred(p);
    read_back_in(model, &carried, &mut |a, b| {
        let equal = make::compare(CompareOp::Equal, a.clone(), b.clone());
        // An index that may have no meaning stays where it is.
        known.truth(&equal).filter(|same| !same || known.is_defined(&equal))
    })
}

/// The conjuncts of an enabling predicate, if it is not false, and their places in the guard.
type Simplified = (Option<Vec<Pred>>, Vec<usize>);

/// The enabling predicate of a path; `None`: there was no time, or it is too large.
fn simplified(known: &Known<'_>, path: &Path, guard: &Guard, until: Instant) -> Option<Simplified> {
    let mut known = known.until(until);
    let (mut left, mut places) = (Vec::new(), Vec::new());
    for (at, p) in guard.conjuncts.iter().enumerate() {
        let too_large = is_large_pred(p) || path.after.iter().any(|(_, e)| is_large(e));
        if too_large || Instant::now() > until {
            return None;
        }
        let p = carried(&mut known, path, p);
        if is_large_pred(&p) {
            return None;
        }
        match known.truth(&p) {
            Some(true) if known.is_defined(&p) => continue,
            Some(false) => return Some((None, Vec::new())),
            _ => {}
        }
        known.assume([&p]);
        if known.is_contradictory() {
            return Some((None, Vec::new()));
        }
        left.push(p);
        places.push(at);
    }
    Some((Some(left), places))
}

/// Has the guard the same value before the step as after it?
fn keeps(
    known: &Known<'_>,
    path: &Path,
    guard: &Guard,
    after: &Option<Vec<Pred>>,
    until: Instant,
) -> bool {
    let written = |p: &Pred| {
        let reads = Footprint::of_pred(p).reads;
        path.after.iter().any(|(v, _)| reads.contains(v))
    };
    let mut known = known.until(until);
    let each = guard.conjuncts.iter().all(|p| {
        if !written(p) {
            return true;
        }
        let q = carried(&mut known, path, p);
        same(&mut known, p, &q)
    });
    if each {
        return true;
    }
    // It may be that it never holds before, and never after; or always.
    match after {
        None => {
            let mut known = known.clone();
            known.assume(&guard.conjuncts);
            known.is_contradictory()
        }
        Some(list) if list.is_empty() => {
            guard.conjuncts.iter().all(|p| known.truth(p) == Some(true) && known.is_defined(p))
        }
        Some(_) => false,
    }
}

/// Have two predicates the same value, or no meaning both?
fn same(known: &mut Known<'_>, p: &Pred, q: &Pred) -> bool {
    if Key::pred(p) == Key::pred(q) {
        return true;
    }
    let both = (known.truth(p), known.truth(q));
    if let (Some(a), Some(b)) = both
        && a == b
        && known.is_defined(p)
        && known.is_defined(q)
    {
        return true;
    }
    let (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) = (&p.kind, &q.kind) else {
        return false;
    };
    if op != other {
        return false;
    }
    let mut class = |e| {
        let id = known.terms.term(e);
        known.terms.class(id)
    };
    if class(a) == class(c) && class(b) == class(d) {
        return true;
    }
    if !crate::terms::is_integer(a) || !known.is_defined(p) || !known.is_defined(q) {
        return false;
    }
    let mut difference = |x, y| known.terms.sum(x)?.plus(-1, &known.terms.sum(y)?);
    let (before, after) = (difference(a, b), difference(c, d));
    !matches!(op, CompareOp::Member | CompareOp::NotMember) && before.is_some() && before == after
}
