//! When an operation has a step: its guard as conjuncts over its parameters and the state.

use crate::action::is_pure;
use crate::make;
use crate::reads::{may_block, never_empty};
use crate::replace::Values;
use beeline_model::{
    BecomesSuch, CompareOp, Conjunct, ExprKind, Local, LocalId, Model, OperationId, Place, Pred,
    PredKind, Subst, SubstKind,
};

/// The guard of an operation: it has a step exactly if there are values of the parameters that satisfy all
/// conjuncts, unless it fails.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The operation.
    pub operation: OperationId,
    /// Its parameters, and choices at the top of it.
    pub parameters: Vec<LocalId>,
    /// All must hold.
    pub conjuncts: Vec<Pred>,
    /// They also say which steps there are: what is done then depends on the values of the parameters, and on
    /// what the body reads, alone.
    pub exact: bool,
    /// Before so many of them stands nothing that may fail but other conjuncts.
    pub plain: usize,
}

/// The guard; `None` if it is not understood.
///
/// All its names are new ones, so that it can stand beside what another step of the same operation does.
pub(crate) fn guard(model: &mut Model, id: OperationId) -> Option<Guard> {
    let operation = model.operation(id).clone();
    let (conjuncts, mut rest) = operation.guard();
    let mut values = Values::default();
    let mut parameters = renamed(model, &operation.name, &operation.parameters, &mut values);
    let mut all: Vec<Pred> = split(conjuncts.into_iter()).iter().map(|p| values.pred(p)).collect();
    let (mut exact, mut plain) = (true, None);
    loop {
        match &rest.kind {
            SubstKind::Any(names, conditions, body) => {
                parameters.extend(renamed(model, &operation.name, names, &mut values));
                all.extend(split(conditions.iter()).iter().map(|p| values.pred(p)));
                rest = body;
            }
            SubstKind::Let(equations, body) => {
                // The body reads what the equations do, in other words.
                exact = false;
                plain = plain.or(Some(all.len()));
                for (name, e) in equations {
                    let value = values.expr(e);
                    values.set(Place::Local(*name), value);
                }
                rest = body;
            }
            SubstKind::Select(branches, None) if branches.len() == 1 => {
                all.extend(split(branches[0].0.iter()).iter().map(|p| values.pred(p)));
                rest = &branches[0].1;
            }
            _ => break,
        }
    }
    exact &= !may_block(model, rest);
    let plain = plain.unwrap_or(all.len());
    let below = feasible(model, rest, &values)?;
    all.extend(below.into_conjuncts());
    all.iter().all(is_pure).then_some(Guard {
        operation: id,
        parameters,
        conjuncts: all,
        exact,
        plain,
    })
}

/// New names for old ones: `operation.name`.
fn renamed(model: &mut Model, of: &str, names: &[LocalId], values: &mut Values) -> Vec<LocalId> {
    let mut new = Vec::new();
    for name in names {
        let Local { name: old, ty, span } = model.local(*name).clone();
        let local = LocalId(model.locals.len() as u32);
        let prefix = if of.is_empty() { String::new() } else { format!("{of}.") };
        model.locals.push(Local { name: format!("{prefix}{old}").into(), ty, span });
        values.set(Place::Local(*name), make::expr(ExprKind::Local(local), ty));
        new.push(local);
    }
    new
}

fn split<'c>(conjuncts: impl Iterator<Item = &'c Conjunct>) -> Vec<Pred> {
    conjuncts.flat_map(|c| c.pred.clone().into_conjuncts()).collect()
}

fn truth() -> Pred {
    make::pred(PredKind::Bool(true))
}

/// `x : (x : S)`, where `S` has an element.
fn some_element(such: &BecomesSuch) -> bool {
    match (&such.predicate.kind, &such.after[..]) {
        (PredKind::Compare(CompareOp::Member, e, set), [one]) => {
            matches!(e.kind, ExprKind::Local(l) if l == *one) && never_empty(set)
        }
        _ => false,
    }
}

/// Under which condition a substitution has an outcome, other than a fault.
fn feasible(model: &mut Model, s: &Subst, values: &Values) -> Option<Pred> {
    if !may_block(model, s) {
        return Some(truth());
    }
    let conditions =
        |list: &[Conjunct]| -> Vec<Pred> { list.iter().map(|c| values.pred(&c.pred)).collect() };
    match &s.kind {
        SubstKind::BecomesElement(_, set) if !never_empty(set) => {
            let empty = make::expr(ExprKind::EmptySet, set.ty);
            Some(make::compare(CompareOp::NotEqual, values.expr(set), empty))
        }
        SubstKind::BecomesSuch(such) if some_element(such) => Some(truth()),
        SubstKind::BecomesSuch(such) => {
            let mut values = values.clone();
            let names = renamed(model, "", &such.after, &mut values);
            let p = Box::new(values.pred(&such.predicate));
            Some(make::pred(PredKind::Exists(names, p)))
        }
        // What is promised is not asked for.
        SubstKind::Pre(_, body) | SubstKind::Assert(_, _, body) => feasible(model, body, values),
        SubstKind::If(branches, otherwise) => {
            let (mut ways, mut before) = (Vec::new(), Vec::new());
            for (condition, s) in branches {
                let condition = values.pred(condition);
                let mut way = before.clone();
                way.push(condition.clone());
                way.push(feasible(model, s, values)?);
                ways.push(make::and(way));
                before.push(make::not(condition));
            }
            if let Some(s) = otherwise {
                before.push(feasible(model, s, values)?);
            }
            ways.push(make::and(before));
            Some(make::or(ways))
        }
        SubstKind::Select(branches, otherwise) => {
            let (mut ways, mut before) = (Vec::new(), Vec::new());
            for (list, s) in branches {
                let condition = make::and(conditions(list));
                ways.push(make::and(vec![condition.clone(), feasible(model, s, values)?]));
                before.push(make::not(condition));
            }
            if let Some(s) = otherwise {
                before.push(feasible(model, s, values)?);
                ways.push(make::and(before));
            }
            Some(make::or(ways))
        }
        SubstKind::Choice(list) => {
            let ways: Option<Vec<Pred>> = list.iter().map(|s| feasible(model, s, values)).collect();
            Some(make::or(ways?))
        }
        SubstKind::Parallel(list) => {
            let all: Option<Vec<Pred>> = list.iter().map(|s| feasible(model, s, values)).collect();
            Some(make::and(all?))
        }
        SubstKind::Any(names, list, body) => {
            let mut values = values.clone();
            let names = renamed(model, "", names, &mut values);
            let mut all: Vec<Pred> = list.iter().map(|c| values.pred(&c.pred)).collect();
            all.push(feasible(model, body, &values)?);
            Some(make::pred(PredKind::Exists(names, Box::new(make::and(all)))))
        }
        SubstKind::Let(equations, body) => {
            let mut values = values.clone();
            for (name, e) in equations {
                let value = values.expr(e);
                values.set(Place::Local(*name), value);
            }
            feasible(model, body, &values)
        }
        // Only what comes first can block.
        SubstKind::Sequence(list) => {
            let (first, rest) = list.split_first()?;
            if rest.iter().any(|s| may_block(model, s)) {
                return None;
            }
            feasible(model, first, values)
        }
        _ => None,
    }
}
