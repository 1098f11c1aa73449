//! Sets, listed or not: infinite ones, and those too large to list.
//!
//! A symbolic set is a node of the store with a tag and arguments (`tags`). This is the door: the
//! questions that any set answers. Each file behind it answers for some forms or some questions, and
//! asks about the parts of a set through the door again, since these may have any form: `membership`
//! what is in a set, `listing` its size and listed form, `enumerate` its elements one by one, `same`
//! whether two are one, `spaces`, `integers` and `closure` for sets of functions, of numbers, and
//! comprehensions. They do not know operators, queries, or who asks.

mod closure;
mod enter;
mod enumerate;
mod integers;
mod listing;
mod membership;
mod product;
mod recursion;
mod same;
mod spaces;
mod tags;

pub(crate) use closure::{capture, capture_normal, domain, improve};
pub(crate) use enter::{bind_tuple, tuple};
pub(crate) use integers::{combine, spans};
pub(crate) use listing::type_set;
pub(crate) use recursion::define;
pub(crate) use same::{Distinct, among, distinct, undecided, with_equal_keys};
pub(crate) use spaces::{free_member, in_arrow, is_finite, member1, member2};
pub(crate) use tags::*;

use crate::answer::Stop;
use crate::eval::frame::Frame;
use beeline_source::Span;
use beeline_value::{Elems, Val};
use num_bigint::BigInt;

/// Receives elements.
pub(crate) type Each<'s, 'k> = &'k mut dyn FnMut(&mut Frame<'s>, Val) -> Result<(), Stop>;

/// Is `value` in `set`?
#[inline]
pub(crate) fn member(f: &mut Frame<'_>, value: Val, set: Val, span: Span) -> Result<bool, Stop> {
    membership::member(f, value, set, span)
}

/// Is `a` within `b`?
#[inline]
pub(crate) fn subset(f: &mut Frame<'_>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    membership::subset(f, a, b, span)
}

/// Are two values equal? Both answers are proved.
#[inline]
pub(crate) fn equal(f: &mut Frame<'_>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    same::equal(f, a, b, span)
}

/// All values that a relation relates to `key`.
#[inline]
pub(crate) fn related(
    f: &mut Frame<'_>,
    relation: Val,
    key: Val,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    membership::related(f, relation, key, span)
}

/// Calls `k` with each element of `set`, each once.
#[inline]
pub(crate) fn each<'s>(
    f: &mut Frame<'s>,
    set: Val,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    enumerate::each(f, set, span, k)
}

/// How many elements: nothing if it is not known without looking.
#[inline]
pub(crate) fn size(f: &Frame<'_>, set: Val) -> Option<f64> {
    listing::size(f, set)
}

/// The same, exactly.
pub(crate) fn exact_size(f: &Frame<'_>, set: Val) -> Option<BigInt> {
    spaces::exact_size(f, set)
}

/// Has it no element?
pub(crate) fn is_empty(f: &mut Frame<'_>, set: Val, span: Span) -> Result<bool, Stop> {
    spaces::is_empty(f, set, span)
}

/// Is it plainly the set of all values of its type?
pub(crate) fn is_whole(f: &Frame<'_>, set: Val) -> bool {
    listing::is_whole(f, set)
}

/// Is it a symbolic set of many sets, relations or functions?
pub(crate) fn is_large_space(f: &Frame<'_>, set: Val) -> bool {
    listing::is_large_space(f, set)
}

/// The listed form of a set, or a cut.
#[inline]
pub(crate) fn list(f: &mut Frame<'_>, set: Val, span: Span) -> Result<Val, Stop> {
    listing::list(f, set, span)
}

/// The listed form, if the set is known to be small; the same set otherwise.
#[inline]
pub(crate) fn settle(f: &mut Frame<'_>, set: Val, span: Span) -> Result<Val, Stop> {
    listing::settle(f, set, span)
}

/// The elements of a set that must be listed.
#[inline]
pub(crate) fn elements<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Elems<'s>, Stop> {
    listing::elements(f, set, span)
}

/// The product of two sets.
pub(crate) fn cartesian(f: &mut Frame<'_>, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    product::product(f, a, b, span)
}
