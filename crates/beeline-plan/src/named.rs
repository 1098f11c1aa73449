//! Constants that are names for spaces: `rel = S <-> S`.
//!
//! Where membership in such a constant is said, it is said of the space itself: then planner and
//! solver see what the elements look like, without its elements being listed.

use beeline_model::{BinaryOp, CompareOp, ConstantId, Expr, ExprKind, Pred, PredKind, UnaryOp};

/// Longer lists are not written twice.
const MAX_PARTS: usize = 64;

/// Writes spaces in place of their names, wherever something is said to be in one. The equations
/// stay: the names keep their values.
pub fn write_out(properties: &mut [Pred]) {
    // First all definitions, then all uses: a name may be used before the line that says what it is.
    let named: Vec<(ConstantId, Expr)> = properties.iter().filter_map(definition).collect();
    if !named.is_empty() {
        properties.iter_mut().for_each(|p| pred(p, &named));
    }
}

/// `c = E` with a space E.
fn definition(p: &Pred) -> Option<(ConstantId, Expr)> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Constant(c), _) if is_space(b) && !is_base(b) => Some((*c, (**b).clone())),
        (_, ExprKind::Constant(c)) if is_space(a) && !is_base(a) => Some((*c, (**a).clone())),
        _ => None,
    }
}

fn is_base(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::GivenSet(_) | ExprKind::Basic(_))
}

/// Is it made of given and predefined sets, numbers and elements alone?
fn is_space(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::GivenSet(_) | ExprKind::Basic(_) => true,
        ExprKind::Unary(UnaryOp::Power | UnaryOp::Finite, inner) => is_space(inner),
        ExprKind::Binary(BinaryOp::Interval, a, b) => is_written(a) && is_written(b),
        // Longer lists would be copied into every conjunct that speaks of the name.
        ExprKind::SetExtension(parts) => {
            parts.len() <= MAX_PARTS && parts.iter().all(|p| is_written(p) || is_space(p))
        }
        ExprKind::Binary(op, a, b) => makes_space(*op) && is_space(a) && is_space(b),
        _ => false,
    }
}

/// A number or an element.
fn is_written(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Integer(_) | ExprKind::Bool(_) | ExprKind::Element(..))
}

fn makes_space(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Relations
            | BinaryOp::PartialFunctions
            | BinaryOp::TotalFunctions
            | BinaryOp::PartialInjections
            | BinaryOp::TotalInjections
            | BinaryOp::Cartesian
    )
}

fn pred(p: &mut Pred, named: &[(ConstantId, Expr)]) {
    match &mut p.kind {
        PredKind::Compare(CompareOp::Member | CompareOp::NotMember, _, set) => space(set, named),
        PredKind::And(parts) | PredKind::Or(parts) => {
            parts.iter_mut().for_each(|p| pred(p, named));
        }
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => pred(p, named),
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
            pred(p, named);
            pred(q, named);
        }
        _ => {}
    }
}

/// A set that something is in: a name, or a space over names.
fn space(e: &mut Expr, named: &[(ConstantId, Expr)]) {
    match &mut e.kind {
        ExprKind::Constant(c) => {
            if let Some((_, known)) = named.iter().find(|(n, _)| n == c) {
                e.kind = known.kind.clone();
            }
        }
        ExprKind::Unary(UnaryOp::Power | UnaryOp::Finite, inner) => space(inner, named),
        ExprKind::Binary(op, a, b) if makes_space(*op) => {
            space(a, named);
            space(b, named);
        }
        _ => {}
    }
}
