//! Small makers of typed trees, without places in any text.

use beeline_model::{
    BinaryOp, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind, TypeId, TypeTable, UnaryOp,
};
use beeline_source::Span;
use num_bigint::BigInt;

/// An expression.
pub fn make(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

/// A predicate.
pub fn truth(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

/// An integer.
pub fn integer(number: impl Into<BigInt>) -> Expr {
    make(ExprKind::Integer(number.into()), TypeTable::INTEGER)
}

/// `op(e)`
pub fn unary(op: UnaryOp, e: Expr, ty: TypeId) -> Expr {
    make(ExprKind::Unary(op, Box::new(e)), ty)
}

/// `a op b`
pub fn binary(op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
    make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

/// `a |-> b`
pub fn pair(a: Expr, b: Expr, ty: TypeId) -> Expr {
    binary(BinaryOp::Pair, a, b, ty)
}

/// `f(x)`
pub fn apply(f: Expr, x: Expr, ty: TypeId) -> Expr {
    make(ExprKind::Apply(Box::new(f), Box::new(x)), ty)
}

/// A bound name.
pub fn local(id: LocalId, ty: TypeId) -> Expr {
    make(ExprKind::Local(id), ty)
}

/// `IF p THEN a ELSE b END`
pub fn choose(p: Pred, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    make(ExprKind::If(Box::new(p), Box::new(a), Box::new(b)), ty)
}

/// `a op b`
pub fn compare(op: CompareOp, a: Expr, b: Expr) -> Pred {
    truth(PredKind::Compare(op, Box::new(a), Box::new(b)))
}

/// `p & q & …`
pub fn all(mut parts: Vec<Pred>) -> Pred {
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => truth(PredKind::And(parts)),
    }
}
