//! SIGMA, PI, UNION and INTER: one value out of those of all solutions.
//!
//! What is gathered on the way is no value of anybody: only the result is interned. Work on large
//! numbers and sets is paid for by their size. This module does not know where solutions come from.

use crate::answer::Stop;
use crate::eval::arith;
use crate::eval::frame::{E, Frame, Solutions};
use crate::eval::operators::binary;
use crate::eval::query::Query;
use crate::eval::sets;
use beeline_model::{BinaryOp, ExprQuantifier};
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::BigInt;

/// What has been gathered so far.
enum Gathered {
    Sum(BigInt, i64),
    Product(BigInt),
    RealSum(f64),
    RealProduct(f64),
    /// Elements of listed sets, the union of the described ones, and how many of these there are.
    Union(Vec<Val>, Val, u64),
    /// The sets so far, and how many of them are described.
    Intersection(Option<Val>, u64),
}

/// The value of a quantified expression; nothing for the intersection of no sets.
pub(crate) fn fold<'s>(
    f: &mut Frame<'s>,
    q: ExprQuantifier,
    query: &Query,
    value: &E,
    span: Span,
) -> Result<Option<Val>, Stop> {
    use ExprQuantifier as Q;
    let mut gathered = match q {
        Q::Sum => Gathered::Sum(BigInt::ZERO, 0),
        Q::Product => Gathered::Product(BigInt::from(1)),
        Q::RealSum => Gathered::RealSum(0.0),
        Q::RealProduct => Gathered::RealProduct(1.0),
        Q::Union => Gathered::Union(Vec::new(), Val::EMPTY, 0),
        Q::Intersection => Gathered::Intersection(None, 0),
    };
    query.run(f, &mut |f, stop| {
        if let Some(stop) = stop {
            return Err(stop);
        }
        let v = value(f)?;
        gathered.add(f, v, span)
    })?;
    gathered.value(f, span)
}

/// Described sets pile up inside one another, and each is looked into again: a few are enough.
fn piled(f: &mut Frame<'_>, count: u64, span: Span) -> Result<(), Stop> {
    const MANY: u64 = 1_000;
    if count > MANY {
        return Err(sets::too_large(span));
    }
    f.pay(count, span)
}

impl Gathered {
    fn add(&mut self, f: &mut Frame<'_>, v: Val, span: Span) -> Result<(), Stop> {
        match self {
            Gathered::Sum(large, small) => {
                // Added as machine words as long as they fit: a long number for each summand would be slow.
                match f.store.as_i64(v).and_then(|v| small.checked_add(v)) {
                    Some(sum) => *small = sum,
                    None => {
                        *large += f.store.as_big(v).unwrap_or_default() + *small;
                        *small = 0;
                        f.pay(arith::limbs(large), span)?;
                    }
                }
            }
            Gathered::Product(product) => {
                let v = f.store.as_big(v).unwrap_or_default();
                f.pay(arith::limbs(product).saturating_mul(arith::limbs(&v)), span)?;
                *product = arith::product(std::mem::take(product), &v, span)?;
            }
            Gathered::RealSum(sum) => *sum += f.store.as_real(v).unwrap_or(f64::NAN),
            Gathered::RealProduct(product) => *product *= f.store.as_real(v).unwrap_or(f64::NAN),
            Gathered::Union(elements, others, count) => match f.store.elems(v) {
                Some(listed) => {
                    f.pay(listed.len() as u64, span)?;
                    elements.extend(f.store.list(listed));
                    // Mostly repetitions: told apart now and then, so that they do not pile up.
                    if elements.len() > f.rt.settings.elements.saturating_mul(2) {
                        elements.sort_unstable_by_key(|v| v.raw());
                        elements.dedup();
                        if elements.len() > f.rt.settings.elements {
                            return Err(sets::too_large(span));
                        }
                    }
                }
                None => {
                    *count += 1;
                    piled(f, *count, span)?;
                    *others = binary(f, BinaryOp::Union, *others, v, span)?;
                }
            },
            Gathered::Intersection(all, count) => {
                // A listed set only gets smaller; described ones nest.
                if all.is_some_and(|all| f.store.as_symbolic(all).is_some()) {
                    *count += 1;
                    piled(f, *count, span)?;
                }
                *all = Some(match *all {
                    Some(all) => binary(f, BinaryOp::Intersection, all, v, span)?,
                    None => v,
                });
            }
        }
        Ok(())
    }

    fn value(self, f: &mut Frame<'_>, span: Span) -> Result<Option<Val>, Stop> {
        Ok(Some(match self {
            Gathered::Sum(large, small) => f.store.big_int(large + small),
            Gathered::Product(product) => f.store.big_int(product),
            Gathered::RealSum(real) | Gathered::RealProduct(real) => f.store.real(real),
            Gathered::Union(elements, others, _) => {
                let listed = f.store.set(elements);
                binary(f, BinaryOp::Union, listed, others, span)?
            }
            Gathered::Intersection(all, _) => return Ok(all),
        }))
    }
}
