//! Functions of values of any type: their texts, numbers and digests, and assertions.

use super::{Function, wrong};
use crate::answer::Stop;
use crate::eval::frame::Frame;
use crate::eval::operators::text;
use crate::eval::sets::list;
use crate::eval::show::show;
use beeline_model::{TypeId, ValueFunction, digest};
use beeline_source::Span;
use beeline_value::Val;

/// Predicates are not functions: the compiler makes them itself.
pub(super) fn function(of: ValueFunction) -> Option<Function> {
    Some(match of {
        ValueFunction::ToText => |f, a, types, _| {
            let shown = match f.store.as_str(a[0]) {
                Some(s) => s.to_owned(),
                None => show(f.rt, a[0], types.first().copied()),
            };
            Ok(f.store.string(&shown))
        },
        ValueFunction::AssertExpr => |f, a, _, span| match a[0] {
            Val::TRUE => Ok(a[2]),
            _ => Err(wrong(span, &format!("ASSERT_EXPR: {}", text(f, a[1])))),
        },
        ValueFunction::ToInt => |f, a, _, span| match (a[0].as_atom(), a[0].as_bool()) {
            (Some((_, index)), _) => Ok(f.store.int(i64::from(index) + 1)),
            (_, Some(truth)) => Ok(f.store.int(i64::from(truth))),
            _ if f.store.is_int(a[0]) => Ok(a[0]),
            _ => Err(wrong(span, "no number belongs to this value")),
        },
        ValueFunction::Hash => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.int(bytes[..4].iter().fold(0, |n, byte| n << 8 | i64::from(*byte))))
        },
        ValueFunction::Sha => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.sequence(bytes.iter().map(|b| f.store.int(i64::from(*b))).collect()))
        },
        ValueFunction::ShaHex => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.string(&digest::hexadecimal(&bytes)))
        },
        // Models are given no arguments.
        ValueFunction::ArgumentCount => |f, _, _, _| Ok(f.store.int(0)),
        ValueFunction::AssertTrue | ValueFunction::Less => return None,
    })
}

/// The digest of the text of a value.
fn digested<'s>(
    f: &mut Frame<'s>,
    value: Val,
    types: &[TypeId],
    span: Span,
) -> Result<[u8; 20], Stop> {
    let is_set = types.first().is_some_and(|ty| f.rt.types.element(*ty).is_some());
    let value = if is_set { list(f, value, span)? } else { value };
    let text = show(f.rt, value, types.first().copied());
    f.pay(text.len() as u64, span)?;
    Ok(digest::sha1(text.as_bytes()))
}
