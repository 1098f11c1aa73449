//! What can be seen of an expression before any name has a value.

use beeline_model::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Is it well-defined whatever the names in it are? Only what is plain to see.
pub fn is_defined(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Variable(_)
        | ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Element(..)
        | ExprKind::Bool(_)
        | ExprKind::String(_)
        | ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::EmptySet
        | ExprKind::Integer(_)
        | ExprKind::MaxInt
        | ExprKind::MinInt => true,
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::Power | UnaryOp::Domain | UnaryOp::Range, a) => {
            is_defined(a)
        }
        ExprKind::SetExtension(parts) => parts.iter().all(is_defined),
        ExprKind::Binary(op, a, b) => {
            use BinaryOp as B;
            let total = matches!(
                op,
                B::Add
                    | B::Subtract
                    | B::Multiply
                    | B::Interval
                    | B::Pair
                    | B::Cartesian
                    | B::Union
                    | B::Intersection
                    | B::Difference
            );
            total && is_defined(a) && is_defined(b)
        }
        _ => false,
    }
}

/// Is it an integer that is written down, and not beyond 64 bits?
pub(crate) fn is_end(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Integer(n) => i64::try_from(n).is_ok(),
        ExprKind::MaxInt | ExprKind::MinInt => true,
        ExprKind::Unary(UnaryOp::Negate, a) => is_end(a),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => is_end(a) && is_end(b),
        _ => false,
    }
}
