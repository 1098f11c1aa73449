//! The values of the parts of a formula: why is it false?

use beeline_judge::{Judge, Scene, ShowValue, State};
use beeline_model::{Expr, ExprKind, Pred, PredKind};
use beeline_source::Span;

/// A part of a formula and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands.
    pub span: Span,
    /// The part in B notation, for sources that people do not read.
    pub text: String,
    /// Its value, or why it has none.
    pub value: String,
}

/// More parts than this are not shown.
const MAX_PARTS: usize = 12;

/// The values of the parts that decide a formula, outermost first.
pub fn parts(judge: &Judge<'_>, pred: &Pred, state: &State) -> Vec<Part> {
    let mut out = Vec::new();
    let scene = Scene::of(state);
    of_pred(judge, pred, &scene, &mut out);
    out.truncate(MAX_PARTS);
    out
}

fn of_pred(judge: &Judge<'_>, pred: &Pred, scene: &Scene, out: &mut Vec<Part>) {
    if out.len() >= MAX_PARTS {
        return;
    }
    let mut both = |parts: &[&Pred]| {
        for part in parts {
            judge.refill();
            let value = match judge.holds(part, scene) {
                Ok(true) => "true".to_owned(),
                Ok(false) => "false".to_owned(),
                Err(error) => error.to_string(),
            };
            out.push(Part { span: part.span, text: judge.model().show_pred(part), value });
            of_pred(judge, part, scene, out);
        }
    };
    match &pred.kind {
        PredKind::And(ps) | PredKind::Or(ps) => both(&ps.iter().collect::<Vec<_>>()),
        PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => both(&[a, b]),
        PredKind::Not(p) => of_pred(judge, p, scene, out),
        PredKind::Compare(_, a, b) => {
            of_expr(judge, a, scene, out);
            of_expr(judge, b, scene, out);
        }
        PredKind::Finite(e) => of_expr(judge, e, scene, out),
        PredKind::Partition(e, es) => {
            of_expr(judge, e, scene, out);
            es.iter().for_each(|e| of_expr(judge, e, scene, out));
        }
        _ => {}
    }
}

fn of_expr(judge: &Judge<'_>, expr: &Expr, scene: &Scene, out: &mut Vec<Part>) {
    let plain = matches!(
        expr.kind,
        ExprKind::Integer(_)
            | ExprKind::Bool(_)
            | ExprKind::Real(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::GivenSet(_)
            | ExprKind::Basic(_)
            | ExprKind::EmptySet
    );
    if plain || out.len() >= MAX_PARTS || out.iter().any(|p| p.span == expr.span) {
        return;
    }
    judge.refill();
    let value = match judge.eval(expr, scene) {
        // Its text says as much.
        Ok(value) if !value.is_listed() => return,
        Ok(value) => ShowValue::typed(judge.model(), &value, expr.ty).to_string(),
        Err(error) => error.to_string(),
    };
    out.push(Part { span: expr.span, text: judge.model().show_expr(expr), value });
    match &expr.kind {
        ExprKind::Unary(_, a) => of_expr(judge, a, scene, out),
        ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => {
            of_expr(judge, a, scene, out);
            of_expr(judge, b, scene, out);
        }
        _ => {}
    }
}
