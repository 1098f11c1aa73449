//! What an operation does, as alternatives: on each path some conditions hold in the state before, and
//! some variables get new values, all at once.

use beeline_model::{
    Access, Assignment, BinaryOp, Conjunct, Expr, ExprKind, Footprint, LocalId, Operation, Place,
    Pred, Subst, SubstKind, VariableId,
};

/// An operation of more alternatives is not looked at.
const MAX_PATHS: usize = 32;

/// A new value.
#[derive(Clone, Debug)]
pub(crate) enum After {
    /// This one, in the state before.
    Value(Expr),
    /// Some element of this set.
    Element(Expr),
    /// Any.
    Unknown,
}

/// One alternative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// What holds in the state before.
    pub conditions: Vec<Pred>,
    /// What changes.
    pub after: Vec<(VariableId, After)>,
    /// Names that stand for a value.
    names: Vec<(LocalId, Expr)>,
}

/// All alternatives; `None` if the operation does something that is not understood here.
pub(crate) fn of(operation: &Operation) -> Option<Vec<Path>> {
    walk(&operation.body, vec![Path::default()])
}

fn walk(s: &Subst, paths: Vec<Path>) -> Option<Vec<Path>> {
    if paths.len() > MAX_PATHS {
        return None;
    }
    match &s.kind {
        SubstKind::Skip => Some(paths),
        SubstKind::Assign(list) => {
            each(paths, |path| list.iter().try_for_each(|a| assign(path, a)))
        }
        SubstKind::BecomesElement(places, set) => each(paths, |path| match places[..] {
            [Place::Variable(v)] => {
                path.after.push((v, After::Element((**set).clone())));
                Some(())
            }
            _ => places.iter().try_for_each(|p| unknown(path, *p)),
        }),
        SubstKind::BecomesSuch(b) => {
            each(paths, |path| b.places.iter().try_for_each(|p| unknown(path, *p)))
        }
        SubstKind::Pre(conditions, body)
        | SubstKind::Assert(_, conditions, body)
        | SubstKind::Any(_, conditions, body) => walk(body, assuming(paths, conditions)),
        SubstKind::If(branches, otherwise) => {
            let mut all = match otherwise {
                Some(s) => walk(s, paths.clone())?,
                None => paths.clone(),
            };
            for (condition, s) in branches {
                let mut own = paths.clone();
                own.iter_mut().for_each(|p| p.conditions.push(condition.clone()));
                all.extend(walk(s, own)?);
            }
            Some(all)
        }
        SubstKind::Select(branches, otherwise) => {
            let mut all = Vec::new();
            for (conditions, s) in branches {
                all.extend(walk(s, assuming(paths.clone(), conditions))?);
            }
            if let Some(s) = otherwise {
                all.extend(walk(s, paths)?);
            }
            Some(all)
        }
        SubstKind::Choice(list) => {
            let parts: Option<Vec<_>> = list.iter().map(|s| walk(s, paths.clone())).collect();
            Some(parts?.concat())
        }
        SubstKind::Case(_, branches, otherwise) => {
            let mut all = match otherwise {
                Some(s) => walk(s, paths.clone())?,
                None => paths.clone(),
            };
            for (_, s) in branches {
                all.extend(walk(s, paths.clone())?);
            }
            Some(all)
        }
        SubstKind::Let(bindings, body) => {
            let bound = each(paths, |path| {
                path.names.extend(bindings.iter().cloned());
                Some(())
            })?;
            walk(body, bound)
        }
        SubstKind::Parallel(list) => list.iter().try_fold(paths, |paths, s| walk(s, paths)),
        // What comes after the changes may check them, and no more.
        SubstKind::Sequence(list) => {
            let (first, rest) = list.split_first()?;
            let quiet = |s: &Subst| {
                let footprint = Footprint::of_subst(s);
                footprint.writes.is_empty() && footprint.calls.is_empty()
            };
            if rest.iter().all(quiet) { walk(first, paths) } else { None }
        }
        SubstKind::Var(..) | SubstKind::While(_) | SubstKind::Call(_) | SubstKind::External(..) => {
            None
        }
    }
}

fn each(
    mut paths: Vec<Path>,
    mut change: impl FnMut(&mut Path) -> Option<()>,
) -> Option<Vec<Path>> {
    paths.iter_mut().try_for_each(&mut change)?;
    Some(paths)
}

fn assuming(mut paths: Vec<Path>, conditions: &[Conjunct]) -> Vec<Path> {
    for path in &mut paths {
        path.conditions.extend(conditions.iter().map(|c| c.pred.clone()));
    }
    paths
}

fn unknown(path: &mut Path, place: Place) -> Option<()> {
    if let Place::Variable(v) = place {
        path.after.push((v, After::Unknown));
    }
    Some(())
}

fn assign(path: &mut Path, a: &Assignment) -> Option<()> {
    let Place::Variable(v) = a.target.place else { return Some(()) };
    let value = match &a.value.kind {
        ExprKind::Local(l) => path.names.iter().find(|(n, _)| n == l).map_or(&a.value, |(_, e)| e),
        _ => &a.value,
    };
    let after = match &a.target.path[..] {
        [] => After::Value(value.clone()),
        [Access::Index(index)] => {
            overridden(v, index, value, a).map_or(After::Unknown, After::Value)
        }
        _ => After::Unknown,
    };
    path.after.push((v, after));
    Some(())
}

/// `f(i) := e` gives `f` the value `f <+ {i |-> e}`. The types of the inner parts play no role here.
fn overridden(v: VariableId, index: &Expr, value: &Expr, a: &Assignment) -> Option<Expr> {
    let span = a.target.span;
    let make = |kind| Expr { kind, ty: value.ty, span };
    let pair =
        make(ExprKind::Binary(BinaryOp::Pair, Box::new(index.clone()), Box::new(value.clone())));
    let old = make(ExprKind::Variable(v));
    let new = make(ExprKind::SetExtension(vec![pair]));
    Some(make(ExprKind::Binary(BinaryOp::Override, Box::new(old), Box::new(new))))
}

impl Path {
    /// The new value of a variable, if it changes. One that is assigned twice is not understood.
    pub fn after(&self, variable: VariableId) -> Option<&After> {
        let mut all = self.after.iter().filter(|(v, _)| *v == variable).map(|(_, after)| after);
        let first = all.next()?;
        Some(if all.next().is_some() { &After::Unknown } else { first })
    }
}
