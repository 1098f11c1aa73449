//! Formulas that are put together from others.

use beeline_model::{
    BinaryOp, CompareOp, Expr, ExprKind, Model, Pred, PredKind, Type, TypeId, TypeTable,
};
use beeline_source::Span;

pub(crate) fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

pub(crate) fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

pub(crate) fn compare(op: CompareOp, a: Expr, b: Expr) -> Pred {
    pred(PredKind::Compare(op, Box::new(a), Box::new(b)))
}

pub(crate) fn and(mut parts: Vec<Pred>) -> Pred {
    match parts.len() {
        0 => pred(PredKind::Bool(true)),
        1 => parts.remove(0),
        _ => pred(PredKind::And(parts)),
    }
}

pub(crate) fn or(mut parts: Vec<Pred>) -> Pred {
    match parts.len() {
        0 => pred(PredKind::Bool(false)),
        1 => parts.remove(0),
        _ => pred(PredKind::Or(parts)),
    }
}

/// The opposite, said without a negation where there is a word for it.
pub(crate) fn not(p: Pred) -> Pred {
    use CompareOp as C;
    match p.kind {
        PredKind::Bool(b) => pred(PredKind::Bool(!b)),
        PredKind::Not(inner) => *inner,
        PredKind::Compare(op, a, b) => {
            let opposite = match op {
                C::Equal => C::NotEqual,
                C::NotEqual => C::Equal,
                C::Member => C::NotMember,
                C::NotMember => C::Member,
                C::Subset => C::NotSubset,
                C::NotSubset => C::Subset,
                C::StrictSubset => C::NotStrictSubset,
                C::NotStrictSubset => C::StrictSubset,
                C::Less => C::GreaterEqual,
                C::LessEqual => C::Greater,
                C::Greater => C::LessEqual,
                C::GreaterEqual => C::Less,
                // Of numbers that are none nothing is known.
                C::RealLess | C::RealLessEqual | C::RealGreater | C::RealGreaterEqual => {
                    let same = pred(PredKind::Compare(op, a, b));
                    return pred(PredKind::Not(Box::new(same)));
                }
            };
            pred(PredKind::Compare(opposite, a, b))
        }
        kind => pred(PredKind::Not(Box::new(pred(kind)))),
    }
}

pub(crate) fn integer(n: i64) -> Expr {
    expr(ExprKind::Integer(n.into()), TypeTable::INTEGER)
}

pub(crate) fn pair(model: &Model, relation: TypeId, a: Expr, b: Expr) -> Option<Expr> {
    let ty = model.types.element(relation)?;
    Some(expr(ExprKind::Binary(BinaryOp::Pair, Box::new(a), Box::new(b)), ty))
}

/// `f <+ {i |-> e}`
pub(crate) fn overridden(model: &Model, f: Expr, index: Expr, value: Expr) -> Option<Expr> {
    let ty = f.ty;
    let new = expr(ExprKind::SetExtension(vec![pair(model, ty, index, value)?]), ty);
    Some(expr(ExprKind::Binary(BinaryOp::Override, Box::new(f), Box::new(new)), ty))
}

/// `f(i)`
pub(crate) fn apply(model: &Model, f: Expr, index: Expr) -> Option<Expr> {
    let (_, ty) = model.types.halves(model.types.element(f.ty)?)?;
    Some(expr(ExprKind::Apply(Box::new(f), Box::new(index)), ty))
}

/// A record that differs in one field.
pub(crate) fn with_field(model: &Model, record: Expr, at: usize, value: Expr) -> Option<Expr> {
    let Type::Record(fields) = model.types.get(record.ty) else { return None };
    let part = |(i, (_, ty)): (usize, &(beeline_model::Name, TypeId))| match i == at {
        true => value.clone(),
        false => expr(ExprKind::Field(Box::new(record.clone()), i), *ty),
    };
    let parts = fields.iter().enumerate().map(part).collect();
    Some(expr(ExprKind::Record(parts), record.ty))
}
