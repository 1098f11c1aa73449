//! What a step must not satisfy, if an enabling predicate is right: questions for the judge.

use beeline::flow::{Action, Case, Enabling, Guard, Path};
use beeline::model::{
    CompareOp, Expr, ExprKind, Local, LocalId, Model, Pred, PredKind, VariableId,
};
use beeline::source::Span;

/// Names for the values after a step.
pub struct Afterwards(Vec<(VariableId, LocalId)>);

impl Afterwards {
    /// Adds the names to a model.
    pub fn new(model: &mut Model) -> Afterwards {
        let variables = model.concrete().variables.clone();
        let name = |v: VariableId| {
            let local = LocalId(model.locals.len() as u32);
            let (name, ty) = (model.variable(v).name.clone(), model.variable(v).ty);
            model.locals.push(Local { name: format!("{name}''").into(), ty, span: Span::NONE });
            (v, local)
        };
        Afterwards(variables.into_iter().map(name).collect())
    }

    /// Variables and the names of their values after a step.
    pub fn iter(&self) -> impl Iterator<Item = (VariableId, LocalId)> {
        self.0.iter().copied()
    }
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

fn exists(names: &[LocalId], parts: Vec<Pred>) -> Pred {
    let all = pred(PredKind::And(parts));
    match names.is_empty() {
        true => all,
        false => pred(PredKind::Exists(names.to_vec(), Box::new(all))),
    }
}

/// True in a step that is along one of the paths.
pub fn along(enabling: &Enabling, after: &Afterwards, action: &Action) -> Pred {
    let way = |path: &Path| exists(&path.chosen, step(enabling, after, path));
    pred(PredKind::Or(action.paths.iter().map(way).collect()))
}

/// The conditions of a path, and what is the case after it.
fn step(enabling: &Enabling, after: &Afterwards, path: &Path) -> Vec<Pred> {
    let model = &enabling.model;
    let mut parts = path.conditions.clone();
    for (variable, local) in after.iter() {
        let ty = model.variable(variable).ty;
        let make = |kind| Expr { kind, ty, span: Span::NONE };
        let new = path.after.iter().find(|(v, _)| *v == variable).map(|(_, e)| e.clone());
        let new = new.unwrap_or_else(|| make(ExprKind::Variable(variable)));
        let known = make(ExprKind::Local(local));
        parts.push(pred(PredKind::Compare(CompareOp::Equal, Box::new(new), Box::new(known))));
    }
    parts
}

/// True in a step that is along one of the paths, and whose enabling predicate is the opposite of `enabled`.
pub fn contradiction(
    enabling: &Enabling,
    after: &Afterwards,
    (action, guard): (&Action, &Guard),
    cases: &[Case],
    enabled: bool,
) -> Pred {
    let way = |case: &Case| {
        let path = &action.paths[case.path];
        let mut parts = step(enabling, after, path);
        let predicate = match &case.predicate {
            Some(list) => exists(&guard.parameters, list.clone()),
            None => pred(PredKind::Bool(false)),
        };
        parts.push(match enabled {
            true => pred(PredKind::Not(Box::new(predicate))),
            false => predicate,
        });
        exists(&path.chosen, parts)
    };
    pred(PredKind::Or(cases.iter().map(way).collect()))
}
