//! Shapes from abstract values: for variables that no invariant bounds.
//!
//! What abstract interpretation says holds in every reachable state; if it did not, a value outside would be
//! noticed when it is stored, as it is with invariants.

use crate::domain::Dom;
use crate::layout::Shape;
use crate::source::Consts;
use beeline_bounds::{Set, Value};
use beeline_model::{Type, TypeId};

/// Can values of a type have a shape at all? Whoever knows something of them need not be asked otherwise.
pub(crate) fn has_shapes(consts: &Consts<'_>, ty: TypeId) -> bool {
    let types = &consts.source.model.types;
    match types.get(ty) {
        Type::Power(of) => is_scalar(consts, *of),
        _ => is_scalar(consts, ty),
    }
}

/// Those of which [`domain`] knows something.
fn is_scalar(consts: &Consts<'_>, ty: TypeId) -> bool {
    match consts.source.model.types.get(ty) {
        Type::Integer | Type::Bool | Type::Given(_) => true,
        Type::Pair(a, b) => is_scalar(consts, *a) && is_scalar(consts, *b),
        _ => false,
    }
}

/// A shape that has room for every value that an abstract value stands for, if there is one.
pub(crate) fn shape(consts: &Consts<'_>, value: &Value, ty: TypeId) -> Option<Shape> {
    let types = &consts.source.model.types;
    let (Value::Set(set), Type::Power(of)) = (value, types.get(ty)) else {
        return domain(consts, value, ty).map(Shape::Scalar);
    };
    if let Type::Pair(a, b) = types.get(*of)
        && set.is_functional()
    {
        let function = function(consts, set, *a, *b);
        // Most of a sequence is done by the general engine, which would unpack it again and again: it
        // has to be no longer than the number of a value.
        if set.is_sequence() {
            return function.filter(|f| f.parts().is_some_and(|p| p.iter().sum::<u32>() <= 32));
        }
        if function.is_some() {
            return function;
        }
    }
    let elements = domain(consts, &set.elem, *of)?;
    elements.grid().map(|_| Shape::Set(elements))
}

fn function(consts: &Consts<'_>, set: &Set, a: TypeId, b: TypeId) -> Option<Shape> {
    let (arguments, results) = (set.domain(), set.range());
    let (from, to) = (domain(consts, &arguments.elem, a)?, domain(consts, &results.elem, b)?);
    let all = arguments.is_exact() && arguments.must.len() as u64 == from.size();
    let shape = Shape::Fun { from, to, total: arguments.whole || all };
    shape.parts().is_some().then_some(shape)
}

/// The least domain of scalars; of given sets it is the whole set.
fn domain(consts: &Consts<'_>, value: &Value, ty: TypeId) -> Option<Dom> {
    match value {
        Value::Int(ints) => {
            let (low, high) = (i64::try_from(ints.low()?).ok()?, i64::try_from(ints.high()?).ok()?);
            Dom::range(low, high)
        }
        Value::Pair(pair) => {
            let Type::Pair(a, b) = consts.source.model.types.get(ty) else { return None };
            Dom::pair(domain(consts, &pair.0, *a)?, domain(consts, &pair.1, *b)?)
        }
        Value::Bool(..) | Value::Element(_) => consts.kind(ty)?.whole(),
        _ => None,
    }
}
