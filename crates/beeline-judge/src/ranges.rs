//! Sets of integers that are made of intervals, with or without ends.
//!
//! However such a set is written, its intervals are the same: this decides equality and inclusion of
//! `NATURAL`, `INTEGER - {0}`, `{x | x >= 0 & x /= 3}` and their like.

use crate::Judge;
use crate::error::{Eval, EvalError, UnknownReason};
use crate::mentions::Mentions;
use crate::scene::Scene;
use crate::value::Value;
use crate::value::symbolic::{Symbolic, Yield};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind, TypeTable,
};
use num_bigint::BigInt;

/// More intervals, or a longer list of numbers, are not looked at.
const MOST: usize = 10_000;

/// Disjoint intervals, ascending, none touching the next. No bound means no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<(Option<BigInt>, Option<BigInt>)>);

impl Ranges {
    fn none() -> Ranges {
        Ranges(Vec::new())
    }

    fn all() -> Ranges {
        Ranges(vec![(None, None)])
    }

    fn from(low: BigInt) -> Ranges {
        Ranges(vec![(Some(low), None)])
    }

    fn up_to(high: BigInt) -> Ranges {
        Ranges(vec![(None, Some(high))])
    }

    fn one(number: BigInt) -> Ranges {
        Ranges(vec![(Some(number.clone()), Some(number))])
    }

    /// What is in neither interval of a set.
    fn complement(&self) -> Ranges {
        let mut out = Vec::new();
        // The least number that is not yet spoken for; nothing at all once an interval has no end.
        let mut next: Option<Option<BigInt>> = Some(None);
        for (low, high) in &self.0 {
            if let (Some(from), Some(low)) = (&next, low) {
                out.push((from.clone(), Some(low - 1)));
            }
            next = high.as_ref().map(|high| Some(high + 1));
        }
        if let Some(from) = next {
            out.push((from, None));
        }
        Ranges(out)
    }

    fn union(self, other: Ranges) -> Ranges {
        let mut all = self.0;
        all.extend(other.0);
        // No lower bound comes first: `None` is less than every number.
        all.sort();
        let mut out: Vec<(Option<BigInt>, Option<BigInt>)> = Vec::new();
        for (low, high) in all {
            match out.last_mut() {
                Some((_, None)) => {}
                Some((_, end @ Some(_))) if touches(end, &low) => {
                    if high.is_none() || high > *end {
                        *end = high;
                    }
                }
                _ => out.push((low, high)),
            }
        }
        Ranges(out)
    }

    fn intersection(self, other: Ranges) -> Ranges {
        self.complement().union(other.complement()).complement()
    }

    fn difference(self, other: Ranges) -> Ranges {
        self.intersection(other.complement())
    }

    /// Is each number of this in the other?
    pub fn is_within(&self, other: &Ranges) -> bool {
        self.clone().difference(other.clone()).0.is_empty()
    }

    /// The least number, if there is one.
    pub fn least(&self) -> Option<BigInt> {
        self.0.first().and_then(|(low, _)| low.clone())
    }

    /// The greatest number, if there is one.
    pub fn greatest(&self) -> Option<BigInt> {
        self.0.last().and_then(|(_, high)| high.clone())
    }

    /// Does each interval have two ends?
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|(low, high)| low.is_some() && high.is_some())
    }
}

/// Does an interval that begins at `low` touch one that ends at `end`, which begins no later?
fn touches(end: &Option<BigInt>, low: &Option<BigInt>) -> bool {
    match (end, low) {
        (Some(end), Some(low)) => *low <= end + 1,
        _ => true,
    }
}

impl Judge<'_> {
    /// The intervals of a set of integers, if it is plainly made of some.
    pub(crate) fn ranges(&self, set: &Value) -> Eval<Option<Ranges>> {
        self.charge(1)?;
        let described = match set {
            Value::Set(elements) => {
                let mut all = Ranges::none();
                if elements.len() > MOST {
                    return Ok(None);
                }
                for element in elements.iter() {
                    let Value::Integer(number) = element else { return Ok(None) };
                    let (number, last) = (number.big(), all.0.last_mut());
                    match last {
                        Some((_, Some(high))) if *high == &number - 1 => *high = number,
                        _ => all.0.push((Some(number.clone()), Some(number))),
                    }
                }
                return Ok((!elements.is_empty()).then_some(all));
            }
            Value::Symbolic(described) => &*described.0,
            _ => return Ok(None),
        };
        Ok(match described {
            Symbolic::Basic(BasicSet::Integer) => Some(Ranges::all()),
            Symbolic::Basic(BasicSet::Natural) => Some(Ranges::from(0.into())),
            Symbolic::Basic(BasicSet::Natural1) => Some(Ranges::from(1.into())),
            Symbolic::Interval(low, high) => {
                Some(Ranges(vec![(Some(low.clone()), Some(high.clone()))]))
            }
            Symbolic::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                a,
                b,
            ) => match (self.operand(a)?, self.operand(b)?) {
                (Some(a), Some(b)) => Some(match op {
                    BinaryOp::Union => a.union(b),
                    BinaryOp::Intersection => a.intersection(b),
                    _ => a.difference(b),
                }),
                _ => None,
            },
            Symbolic::Closure(closure) => {
                match (&closure.body.yields, &closure.body.binder.locals[..]) {
                    (Yield::Tuple, [local])
                        if self.model.local(*local).ty == TypeTable::INTEGER =>
                    {
                        let scene = self.closure_scene(closure);
                        self.numbers_of(&closure.body.binder.predicate, *local, &scene)?
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// The same beside another set of integers, where `{}` is one, too.
    fn operand(&self, set: &Value) -> Eval<Option<Ranges>> {
        match set {
            Value::Set(elements) if elements.is_empty() => Ok(Some(Ranges::none())),
            _ => self.ranges(set),
        }
    }

    /// The intervals of both sets, if one of them is surely a set of integers.
    pub(crate) fn both_ranges(&self, a: &Value, b: &Value) -> Eval<Option<(Ranges, Ranges)>> {
        let told = |answer: Eval<Option<Ranges>>| match answer {
            // What has no meaning, or takes long, is left to others.
            Err(EvalError::Unknown {
                reason: UnknownReason::Steps | UnknownReason::Stopped,
                ..
            })
            | Ok(_) => answer,
            Err(_) => Ok(None),
        };
        let (x, y) = (told(self.ranges(a))?, told(self.ranges(b))?);
        if x.is_none() && y.is_none() {
            return Ok(None);
        }
        Ok(match (told(self.operand(a))?, told(self.operand(b))?) {
            (Some(x), Some(y)) => Some((x, y)),
            _ => None,
        })
    }

    /// The numbers of which a predicate is true, if it only bounds them.
    fn numbers_of(&self, pred: &Pred, local: LocalId, scene: &Scene) -> Eval<Option<Ranges>> {
        self.deeper(|| match &pred.kind {
            PredKind::Bool(truth) => Ok(Some(if *truth { Ranges::all() } else { Ranges::none() })),
            PredKind::And(parts) => {
                self.combined(parts, local, scene, Ranges::all(), |a, b| a.intersection(b))
            }
            PredKind::Or(parts) => {
                self.combined(parts, local, scene, Ranges::none(), |a, b| a.union(b))
            }
            PredKind::Not(inner) => {
                Ok(self.numbers_of(inner, local, scene)?.map(|r| r.complement()))
            }
            PredKind::Compare(op, a, b) => self.comparison(*op, a, b, local, scene),
            _ => Ok(None),
        })
    }

    fn combined(
        &self,
        parts: &[Pred],
        local: LocalId,
        scene: &Scene,
        start: Ranges,
        combine: fn(Ranges, Ranges) -> Ranges,
    ) -> Eval<Option<Ranges>> {
        let mut all = start;
        for part in parts {
            let Some(next) = self.numbers_of(part, local, scene)? else { return Ok(None) };
            all = combine(all, next);
            if all.0.len() > MOST {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    fn comparison(
        &self,
        op: CompareOp,
        a: &Expr,
        b: &Expr,
        local: LocalId,
        scene: &Scene,
    ) -> Eval<Option<Ranges>> {
        use CompareOp as C;
        let is_local = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == local);
        let fixed = |e: &Expr| !Mentions::of_expr(e).locals.contains(&local);
        if matches!(op, C::Member | C::NotMember) {
            if !is_local(a) || !fixed(b) {
                return Ok(None);
            }
            let inside = self.operand(&self.eval(b, scene)?)?;
            return Ok(inside.map(|r| if op == C::Member { r } else { r.complement() }));
        }
        let (op, other) = match (is_local(a) && fixed(b), is_local(b) && fixed(a)) {
            (true, _) => (op, b),
            (_, true) => match op {
                C::Less => (C::Greater, a),
                C::LessEqual => (C::GreaterEqual, a),
                C::Greater => (C::Less, a),
                C::GreaterEqual => (C::LessEqual, a),
                op => (op, a),
            },
            _ => return Ok(None),
        };
        let Value::Integer(number) = self.eval(other, scene)? else { return Ok(None) };
        let number = number.big();
        Ok(Some(match op {
            C::Less => Ranges::up_to(number - 1),
            C::LessEqual => Ranges::up_to(number),
            C::Greater => Ranges::from(number + 1),
            C::GreaterEqual => Ranges::from(number),
            C::Equal => Ranges::one(number),
            C::NotEqual => Ranges::one(number).complement(),
            _ => return Ok(None),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(spans: &[(Option<i64>, Option<i64>)]) -> Ranges {
        let end = |n: &Option<i64>| n.map(BigInt::from);
        Ranges(spans.iter().map(|(low, high)| (end(low), end(high))).collect())
    }

    /// Is a number in it, by definition?
    fn has(ranges: &Ranges, n: i64) -> bool {
        let n = BigInt::from(n);
        let inside = |low: &Option<BigInt>, high: &Option<BigInt>| {
            low.as_ref().is_none_or(|low| *low <= n) && high.as_ref().is_none_or(|high| n <= *high)
        };
        ranges.0.iter().any(|(low, high)| inside(low, high))
    }

    #[test]
    fn operations_agree_with_membership() {
        let sets = [
            ranges(&[]),
            ranges(&[(None, None)]),
            ranges(&[(Some(0), None)]),
            ranges(&[(None, Some(-1))]),
            ranges(&[(Some(0), Some(2)), (Some(4), None)]),
            ranges(&[(None, Some(-3)), (Some(1), Some(1)), (Some(5), Some(7))]),
        ];
        for a in &sets {
            assert_eq!(a.complement().complement(), *a);
            for b in &sets {
                let union = a.clone().union(b.clone());
                let inter = a.clone().intersection(b.clone());
                let minus = a.clone().difference(b.clone());
                for n in -10..10 {
                    assert_eq!(has(&union, n), has(a, n) || has(b, n), "{a:?} {b:?} {n}");
                    assert_eq!(has(&inter, n), has(a, n) && has(b, n), "{a:?} {b:?} {n}");
                    assert_eq!(has(&minus, n), has(a, n) && !has(b, n), "{a:?} {b:?} {n}");
                }
                let all = (-10..10).all(|n| !has(a, n) || has(b, n));
                assert_eq!(a.is_within(b), all, "{a:?} {b:?}");
            }
        }
    }
}
