//! Where the values of an unknown can come from.
//!
//! From an equation, from membership in a set, from integer bounds, from its type; the smallest
//! source wins. A source never adds a value: every demand that it does not settle by construction
//! is still decided afterwards.

use super::Solve;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason};
use crate::literal::{Demand, Literal, Unknown};
use crate::parts::integer;
use crate::scene::Scene;
use crate::sets::integer_bounds;
use crate::value::Value;
use beeline_model::{BinaryOp, CompareOp, Expr, ExprKind, Type, UnaryOp, applies};
use beeline_source::Span;
use num_bigint::BigInt;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A source of values. `used` is the demand that it settles.
pub(crate) enum Values<'a> {
    /// These and no others.
    One { bindings: Vec<(Unknown, Value)>, used: Option<usize> },
    /// Each element of a set.
    Of { unknown: Unknown, set: Value, used: Option<usize> },
    /// Each element of a set that fits a pattern.
    Matching { pattern: &'a Expr, set: Value },
    /// There is no solution.
    None,
    /// Nothing bounds what is left.
    Unbounded,
}

impl Values<'_> {
    /// Not worth looking for something better?
    pub fn is_cheap(&self) -> bool {
        matches!(self, Values::One { .. } | Values::None)
            || matches!(self, Values::Of { set: Value::Set(s), .. } | Values::Matching { set: Value::Set(s), .. } if s.len() < 1000)
    }
}

/// An equation that may define a constant by itself.
struct Definition<'a> {
    values: Values<'a>,
    /// A function that calls itself. What is not may have any number of solutions.
    is_applied: bool,
    span: Span,
}

/// What is defined by itself and is no function that calls itself is tried, if it has no more candidates.
const FEW: u128 = 4096;

/// Integer bounds found so far.
#[derive(Default)]
struct Bounds {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl<'s> Solve<'s, '_> {
    /// The smallest source there is.
    pub(crate) fn plan(
        &self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
    ) -> Eval<Values<'s>> {
        let mut best: Option<(u128, Values<'s>)> = None;
        let mut defined = None;
        let mut offer = |size: Option<u128>, values: Values<'s>| {
            if let Some(size) = size
                && best.as_ref().is_none_or(|(least, _)| size < *least)
            {
                best = Some((size, values));
            }
        };
        for (i, literal) in pending.iter().enumerate() {
            if let Some(values) = self.equation(i, literal, unbound, scene)? {
                return Ok(values);
            }
            if defined.is_none() {
                defined = self.recursive(i, literal, unbound, scene)?;
            }
            if let Some((pattern, set)) = self.membership(literal, unbound, scene)? {
                let size = self.judge.size_hint(&set);
                offer(
                    size,
                    match Unknown::of(pattern) {
                        Some(unknown) => {
                            // A strict inclusion is not settled by its source.
                            let strict =
                                matches!(literal.comparison(), Some((CompareOp::StrictSubset, ..)));
                            Values::Of { unknown, set, used: (!strict).then_some(i) }
                        }
                        None => Values::Matching { pattern, set },
                    },
                );
            }
        }
        for unknown in unbound {
            let ty = unknown.ty(self.judge);
            let set = match self.judge.model.types.get(ty) {
                Type::Integer => match self.bounds(*unknown, unbound, pending, scene)? {
                    Bounds { low: Some(low), high: Some(high) } => self.judge.interval(low, high),
                    _ => continue,
                },
                _ => self.judge.type_set(ty),
            };
            // A type is the last resort: a generator of the same size is better.
            let size = self.judge.size_hint(&set).map(|size| size.saturating_add(1));
            offer(size, Values::Of { unknown: *unknown, set, used: None });
        }
        if let Some(definition) = defined
            && (definition.is_applied || best.as_ref().is_none_or(|(size, _)| *size > FEW))
        {
            self.judge.note(NoteKind::RecursiveDefinition, definition.span);
            return Ok(definition.values);
        }
        Ok(best.map_or(Values::Unbounded, |(_, values)| values))
    }

    /// The last source that is exact: a described set of unknown size that can be listed.
    pub(crate) fn listed_plan(
        &self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
    ) -> Eval<Option<Values<'s>>> {
        for literal in pending {
            let Some((pattern, set)) = self.membership(literal, unbound, scene)? else { continue };
            match self.judge.elements(&set) {
                Ok(elements) => {
                    let set = self.judge.make_set(elements)?;
                    return Ok(Some(Values::Matching { pattern, set }));
                }
                Err(EvalError::Unknown { reason: UnknownReason::Infinite, .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The smallest source within `MININT..MAXINT`.
    pub(crate) fn bounded_plan(
        &self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
    ) -> Eval<Values<'s>> {
        let mut best: Option<(u128, Values<'s>)> = None;
        for unknown in unbound {
            let mut sets = vec![self.judge.type_set(unknown.ty(self.judge))];
            for literal in pending {
                if let Some((pattern, set)) = self.membership(literal, unbound, scene)?
                    && Unknown::of(pattern) == Some(*unknown)
                {
                    sets.push(set);
                }
            }
            for set in sets {
                let set = self.judge.bounded(&set);
                if let Some(size) = self.judge.size_hint(&set)
                    && best.as_ref().is_none_or(|(least, _)| size < *least)
                {
                    best = Some((size, Values::Of { unknown: *unknown, set, used: None }));
                }
            }
        }
        Ok(best.map_or(Values::Unbounded, |(_, values)| values))
    }

    /// The value of an expression that mentions nothing unbound; nothing if it has none (yet).
    fn ground(&self, expr: &Expr, scene: &Scene) -> Eval<Option<Value>> {
        match self.judge.eval(expr, scene) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_final() => Err(error),
            // The demand is decided later, and the trouble found again, if it matters.
            Err(_) => Ok(None),
        }
    }

    /// An equation that gives values at once.
    fn equation(
        &self,
        index: usize,
        literal: &Literal<'s>,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
    ) -> Eval<Option<Values<'s>>> {
        let sides = match (&literal.demand, literal.comparison()) {
            (Demand::Equals(expr, value), _) => {
                return self.solve_for(index, expr, value, unbound, scene);
            }
            (_, Some((CompareOp::Equal, a, b))) => [(a, b, &literal.right), (b, a, &literal.left)],
            _ => return Ok(None),
        };
        for (pattern, other, mentioned) in sides {
            if !mentioned.is_disjoint(unbound) || !self.is_pattern(pattern, unbound, scene) {
                continue;
            }
            let Some(value) = self.ground(other, scene)? else { continue };
            if let Some(values) = self.solve_for(index, pattern, &value, unbound, scene)? {
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    /// `f = E` with f in E, if E can be described without f.
    fn recursive(
        &self,
        index: usize,
        literal: &Literal<'s>,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
    ) -> Eval<Option<Definition<'s>>> {
        let Some((CompareOp::Equal, a, b)) = literal.comparison() else { return Ok(None) };
        for (name, other, mentioned) in [(a, b, &literal.right), (b, a, &literal.left)] {
            let Some(unknown @ Unknown::Constant(constant)) = Unknown::of(name) else { continue };
            let only_itself = mentioned.intersection(unbound).eq([&unknown]);
            if !only_itself || !self.is_pattern(name, unbound, scene) {
                continue;
            }
            let Some(value) = self.ground(other, scene)?.filter(|value| !value.is_listed()) else {
                continue;
            };
            if let Some(values) = self.solve_for(index, name, &value, unbound, scene)? {
                let is_applied = applies(other, constant);
                return Ok(Some(Definition { values, is_applied, span: other.span }));
            }
        }
        Ok(None)
    }

    fn solve_for(
        &self,
        index: usize,
        pattern: &Expr,
        value: &Value,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
    ) -> Eval<Option<Values<'s>>> {
        if !self.is_pattern(pattern, unbound, scene) {
            return Ok(None);
        }
        Ok(Some(match self.matches(pattern, value, unbound, scene)? {
            Some(bindings) if bindings.is_empty() => return Ok(None),
            Some(bindings) => Values::One { bindings, used: Unknown::of(pattern).map(|_| index) },
            None => Values::None,
        }))
    }

    /// `pattern : set`, from a membership or an inclusion.
    fn membership(
        &self,
        literal: &Literal<'s>,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
    ) -> Eval<Option<(&'s Expr, Value)>> {
        let Some((op, pattern, set)) = literal.comparison() else { return Ok(None) };
        let subset = matches!(op, CompareOp::Subset | CompareOp::StrictSubset);
        if !(subset || op == CompareOp::Member)
            || !literal.right.is_disjoint(unbound)
            || literal.left.is_disjoint(unbound)
            || !self.is_pattern(pattern, unbound, scene)
            || (subset && Unknown::of(pattern).is_none())
        {
            return Ok(None);
        }
        let Some(set) = self.ground(set, scene)? else { return Ok(None) };
        Ok(Some((pattern, if subset { self.judge.power(set, false, false) } else { set })))
    }

    /// Can the unknowns in it be read off a value of it?
    fn is_pattern(&self, expr: &Expr, unbound: &BTreeSet<Unknown>, scene: &Scene) -> bool {
        if Unknown::of(expr).is_some_and(|u| unbound.contains(&u)) {
            return true;
        }
        let one_side = |a: &Expr, b: &Expr| {
            (self.is_pattern(a, unbound, scene) && self.has_value(b, unbound, scene))
                || (self.has_value(a, unbound, scene) && self.is_pattern(b, unbound, scene))
        };
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let fits =
                    |e: &Expr| self.is_pattern(e, unbound, scene) || self.is_ground(e, unbound);
                fits(a) && fits(b)
            }
            ExprKind::Record(fields) => fields
                .iter()
                .all(|f| self.is_pattern(f, unbound, scene) || self.is_ground(f, unbound)),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => one_side(a, b),
            ExprKind::Unary(UnaryOp::Negate, a) => self.is_pattern(a, unbound, scene),
            _ => false,
        }
    }

    fn is_ground(&self, expr: &Expr, unbound: &BTreeSet<Unknown>) -> bool {
        !Literal::equals(expr, Value::Bool(true)).is_open(unbound)
    }

    fn has_value(&self, expr: &Expr, unbound: &BTreeSet<Unknown>, scene: &Scene) -> bool {
        self.is_ground(expr, unbound) && self.judge.eval(expr, scene).is_ok()
    }

    /// The values of the unknowns in a pattern that give it this value; nothing if none do.
    pub(crate) fn matches(
        &self,
        pattern: &Expr,
        value: &Value,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
    ) -> Eval<Option<Vec<(Unknown, Value)>>> {
        let mut bindings = Vec::new();
        let fits = self.match_into(pattern, value, unbound, scene, &mut bindings)?;
        Ok(fits.then_some(bindings))
    }

    fn match_into(
        &self,
        pattern: &Expr,
        value: &Value,
        unbound: &BTreeSet<Unknown>,
        scene: &Scene,
        bindings: &mut Vec<(Unknown, Value)>,
    ) -> Eval<bool> {
        if let Some(unknown) = Unknown::of(pattern).filter(|u| unbound.contains(u)) {
            if let Some((_, before)) = bindings.iter().find(|(u, _)| *u == unknown) {
                return self.judge.equal(before, value);
            }
            bindings.push((unknown, self.judge.settle(value.clone())?));
            return Ok(true);
        }
        match (&pattern.kind, value) {
            (ExprKind::Binary(BinaryOp::Pair, a, b), Value::Pair(both)) => Ok(self
                .match_into(a, &both.0, unbound, scene, bindings)?
                && self.match_into(b, &both.1, unbound, scene, bindings)?),
            (ExprKind::Record(fields), Value::Record(values)) => {
                for (field, value) in fields.iter().zip(values.iter()) {
                    if !self.match_into(field, value, unbound, scene, bindings)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (ExprKind::Unary(UnaryOp::Negate, a), Value::Integer(n))
                if self.is_pattern(a, unbound, scene) =>
            {
                self.match_into(a, &Value::Integer(-n), unbound, scene, bindings)
            }
            (
                ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b),
                Value::Integer(n),
            ) if self.is_pattern(pattern, unbound, scene) => {
                let left_unknown = self.is_pattern(a, unbound, scene);
                let (unknown_side, known) = if left_unknown { (a, b) } else { (b, a) };
                let Some(known) = self.ground(known, scene)? else {
                    return Err(EvalError::ill_defined("an operand has no value"));
                };
                let known = integer(&known)?;
                let wanted = match (op, left_unknown) {
                    (BinaryOp::Add, _) => n - known,
                    (_, true) => n + known,
                    (_, false) => known - n,
                };
                self.match_into(unknown_side, &Value::Integer(wanted), unbound, scene, bindings)
            }
            _ => match self.ground(pattern, scene)? {
                Some(known) => self.judge.equal(&known, value),
                // Undefined there: the demand, decided afterwards, says so.
                None => Ok(true),
            },
        }
    }

    /// Integer bounds of an unknown from comparisons and memberships.
    fn bounds(
        &self,
        unknown: Unknown,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
    ) -> Eval<Bounds> {
        let mut bounds = Bounds::default();
        for literal in pending {
            let Some((op, a, b)) = literal.comparison() else { continue };
            let (op, bound) =
                if Unknown::of(a) == Some(unknown) && literal.right.is_disjoint(unbound) {
                    (op, b)
                } else if Unknown::of(b) == Some(unknown) && literal.left.is_disjoint(unbound) {
                    (mirrored(op), a)
                } else {
                    continue;
                };
            let Some(bound) = self.ground(bound, scene)? else { continue };
            let (low, high) = match (op, &bound) {
                (CompareOp::Less, Value::Integer(n)) => (None, Some(n.big() - 1)),
                (CompareOp::LessEqual, Value::Integer(n)) => (None, Some(n.big())),
                (CompareOp::Greater, Value::Integer(n)) => (Some(n.big() + 1), None),
                (CompareOp::GreaterEqual, Value::Integer(n)) => (Some(n.big()), None),
                (CompareOp::Member, set) => match integer_bounds(set) {
                    Some((low, high)) => (Some(low), high),
                    None => (None, None),
                },
                _ => (None, None),
            };
            bounds.low = bounds.low.into_iter().chain(low).max();
            bounds.high = bounds.high.into_iter().chain(high).min();
        }
        Ok(bounds)
    }
}

/// The operator with its sides exchanged. Membership and the like have no mirror image.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
        _ => CompareOp::NotEqual,
    }
}
