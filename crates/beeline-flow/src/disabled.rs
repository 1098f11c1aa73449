//! Which operations surely have no step after a step of another, for a search that leaves them out.
//!
//! This is less than what [`mod@crate::enabling`] says of guards: an operation that is left out must not have had
//! a fault either. So a conjunct that is false counts only if it has a meaning, and all before it have one; and
//! what an operation does beyond its guard must not matter. It costs a number of steps and no time on a
//! clock: what comes out depends on the model alone.

use crate::action::{self, Path, is_pure};
use crate::bases::Bases;
use crate::carry::carried;
use crate::effort::Effort;
use crate::guard::{self, Guard};
use crate::known::Known;
use crate::reads::{ReadSets, may_block, read_sets};
use crate::replace::{is_large, is_large_pred};
use beeline_model::{Model, OperationId, SubstKind};

/// What is known of pairs of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disabled {
    /// After a step of the first (or initialisation) the second has no step and no fault, if properties and
    /// invariant held before.
    pub after: Vec<(Option<OperationId>, OperationId)>,
    /// If the second has no step and no fault, it has none after a step of the first either, whatever
    /// holds.
    pub kept: Vec<(OperationId, OperationId)>,
    /// As `after`, but the guard of the second is true. It has no parameters, and a step or a fault after
    /// every true guard.
    pub enabled: Vec<(Option<OperationId>, OperationId)>,
    /// As `kept`: if the guard of the second, which has no parameters, is true, it is so after a step of the
    /// first.
    pub kept_enabled: Vec<(OperationId, OperationId)>,
}

/// Steps for what is known before a path, and for one pair.
const BEFORE: u64 = 50_000;
const PAIR: u64 = 30_000;
/// To look at a pair at all costs as much as so many facts.
const SHARE: u64 = 8;

/// Looks at all pairs, as long as there are steps.
pub fn disabled(model: &Model, mut steps: u64) -> Disabled {
    let sets = read_sets(model);
    let mut found = Disabled::default();
    kept(model, &sets, &mut found);
    let mut model = model.clone();
    let operations = model.concrete().operations.clone();
    let guards: Vec<(OperationId, Option<Guard>)> =
        operations.iter().map(|id| (*id, solid(&mut model, *id))).collect();
    let mut actions = vec![action::initialisation(&mut model)];
    actions.extend(operations.iter().map(|id| action::operation(&mut model, *id)));
    // What is known of all states may be twenty times the work of one path.
    let bases = Bases::new(&model, Effort { steps: (steps / 20).min(BEFORE) });
    for (first, action) in sets.iter().zip(&actions) {
        // A pair that is left alone needs no proof: what is disabled carries over.
        let touched: Vec<&(OperationId, Option<Guard>)> = guards
            .iter()
            .zip(&sets[1..])
            .filter(|(_, second)| first.operation.is_none() || !first.leaves_guard_of(second))
            .map(|(guard, _)| guard)
            .collect();
        let Some(action) = action else { continue };
        if touched.is_empty() || steps == 0 {
            continue;
        }
        let known = bases.with_invariant(action);
        steps = known.iter().fold(steps, |left, known| left.saturating_sub(known.terms.work));
        for (second, guard) in touched {
            let Some(guard) = guard else { continue };
            let facts: u64 = known.iter().map(Known::facts).sum();
            steps = steps.saturating_sub(1 + facts / SHARE);
            let mut left = steps.min(PAIR);
            let given = left;
            // A path that cannot be taken has no steps to speak of.
            let paths = action.paths.iter().zip(&known).filter(|(_, k)| !k.is_contradictory());
            let mut values = paths.map(|(path, known)| value(known, path, guard, &mut left));
            let first_value = values.next().flatten();
            let same = first_value.is_some() && values.all(|value| value == first_value);
            steps -= given - left;
            match first_value.filter(|_| same) {
                Some(false) => found.after.push((first.operation, *second)),
                Some(true) if is_apart(&model, *second) => {
                    found.enabled.push((first.operation, *second));
                }
                _ => {}
            }
        }
    }
    found
}

/// What is disabled stays so where nothing is written that decides about it.
fn kept(model: &Model, sets: &[ReadSets], found: &mut Disabled) {
    for second in &sets[1..] {
        let Some(id) = second.operation else { continue };
        // What is done inside may block, and may fail before it does.
        let whole = may_block(model, model.operation(id).guard().1);
        for first in &sets[1..] {
            let Some(by) = first.operation else { continue };
            let apart =
                !whole || !first.writes.iter().any(|w| second.body.iter().any(|r| r.overlaps(w)));
            if apart && first.leaves_guard_of(second) {
                found.kept.push((by, id));
            }
            if is_apart(model, id) && first.leaves_guard_of(second) {
                found.kept_enabled.push((by, id));
            }
        }
    }
}

/// The part of a guard that is evaluated before anything else.
fn solid(model: &mut Model, id: OperationId) -> Option<Guard> {
    let operation = model.operation(id).clone();
    let (conjuncts, mut rest) = operation.guard();
    let mut count: usize = conjuncts.iter().map(|c| c.pred.clone().into_conjuncts().len()).sum();
    loop {
        let (list, inner) = match &rest.kind {
            SubstKind::Any(_, list, inner) => (list, inner.as_ref()),
            SubstKind::Select(branches, None) if branches.len() == 1 => {
                (&branches[0].0, &branches[0].1)
            }
            _ => break,
        };
        count += list.iter().map(|c| c.pred.clone().into_conjuncts().len()).sum::<usize>();
        rest = inner;
    }
    let mut guard = guard::guard(model, id)?;
    guard.conjuncts.truncate(count);
    Some(guard)
}

/// Is what stands at the top of an operation all of its guard, for any parameters?
fn is_apart(model: &Model, id: OperationId) -> bool {
    let operation = model.operation(id);
    operation.parameters.is_empty() && !may_block(model, operation.guard().1)
}

/// The value of a guard after a step along a path, if it is the same for all parameters and has a meaning.
fn value(known: &Known<'_>, path: &Path, guard: &Guard, steps: &mut u64) -> Option<bool> {
    if path.after.iter().any(|(_, e)| is_large(e)) {
        return None;
    }
    let mut known = known.with(*steps);
    let mut all = true;
    let result = guard.conjuncts.iter().find_map(|p| {
        if is_large_pred(p) || !is_pure(p) {
            return Some(None);
        }
        let p = carried(&mut known, path, p);
        if is_large_pred(&p) || !known.is_defined(&p) {
            return Some(None);
        }
        match known.truth(&p) {
            Some(false) => return Some(Some(false)),
            Some(true) => return None,
            None => all = false,
        }
        known.assume([&p]);
        known.is_contradictory().then_some(Some(false))
    });
    *steps = known.steps_left();
    // Without a false conjunct it is true, if all of them are.
    result.unwrap_or(all.then_some(true))
}
