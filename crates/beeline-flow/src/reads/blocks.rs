//! Which substitutions may leave no choice at all.

use beeline_model::{
    BasicSet, BinaryOp, Expr, ExprKind, Model, Part as Node, Subst, SubstKind, UnaryOp,
};

/// Calls inside calls are followed so far.
const MAX_CALLS: u32 = 16;

/// May a substitution have no outcome, other than by a fault? `false` only where that is plain to see.
pub fn may_block(model: &Model, s: &Subst) -> bool {
    blocks(model, s, 0)
}

fn blocks(model: &Model, s: &Subst, calls: u32) -> bool {
    match &s.kind {
        SubstKind::Any(..) | SubstKind::BecomesSuch(_) | SubstKind::External(..) => true,
        SubstKind::Select(_, None) => true,
        SubstKind::BecomesElement(_, set) => !never_empty(set),
        SubstKind::Call(call) => {
            calls >= MAX_CALLS || blocks(model, &model.operation(call.operation).body, calls + 1)
        }
        _ => {
            let mut any = false;
            s.parts(&mut |part| {
                if let Node::Subst(inner) = part {
                    any |= blocks(model, inner, calls);
                }
            });
            any
        }
    }
}

/// Has a set an element, whatever the state is? Only what is plain to see.
pub fn never_empty(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::GivenSet(_) => true,
        ExprKind::Basic(set) => !matches!(set, BasicSet::Int | BasicSet::Nat | BasicSet::Nat1),
        ExprKind::SetExtension(parts) => !parts.is_empty(),
        ExprKind::Unary(UnaryOp::Power | UnaryOp::Finite, _) => true,
        ExprKind::Binary(BinaryOp::Relations | BinaryOp::PartialFunctions, ..) => true,
        ExprKind::Binary(BinaryOp::Union, a, b) => never_empty(a) || never_empty(b),
        ExprKind::Binary(BinaryOp::Cartesian, a, b) => never_empty(a) && never_empty(b),
        ExprKind::Binary(BinaryOp::Interval, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Integer(low), ExprKind::Integer(high)) => low <= high,
            _ => false,
        },
        _ => false,
    }
}
