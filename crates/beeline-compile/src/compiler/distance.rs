//! How far a predicate is from being true: a number that is zero where it holds, and shrinks, one
//! hopes, on the way there.
//!
//! Equalities measure how far two values are apart (`delta.rs`); comparisons of numbers by how
//! much they fail; conjunctions add up, disjunctions take the least; quantifiers do the same over
//! what their names may be. What has no meaning in a state is one step away. A distance directs a
//! search and decides nothing, so it is never a reason for a cut.

mod delta;
mod pinned;

use super::context::Cx;
use crate::eval::frame::{E, Frame, P, Solutions};
use crate::eval::query::Query;
use beeline_model::{
    BinaryOp, CompareOp, Expr, ExprKind, LocalId, Model, OperationId, Pred, PredKind,
};
use beeline_plan::{Names, conjunction, peel};
use beeline_source::Span;
use delta::delta;

/// A compiled distance.
pub(crate) type D = Box<dyn for<'s> Fn(&mut Frame<'s>) -> i64 + Send + Sync>;

/// No single number is larger, so that sums cannot overflow.
const FAR: i64 = 1 << 24;
/// Names of a quantifier are tried up to so many times.
const TRIES: usize = 256;
/// The members of longer sets are not compared one by one.
const MEMBERS: usize = 64;

/// The predicate that an operation is possible, as far as its guard at the top tells.
pub fn guard_of(model: &Model, operation: OperationId) -> Pred {
    let row = model.operation(operation);
    let (guard, _) = peel(row);
    let body = conjunction(&guard);
    // Nothing to come nearer to: it is possible everywhere, as far as this tells.
    if guard.is_empty() {
        return Pred { kind: PredKind::Bool(true), span: row.span };
    }
    if row.parameters.is_empty() {
        return body;
    }
    let span = body.span;
    Pred { kind: PredKind::Exists(row.parameters.clone(), Box::new(body)), span }
}

impl Cx<'_> {
    /// How far a predicate is from being what is wanted.
    pub fn distance(&mut self, p: &Pred, wanted: bool) -> D {
        if !self.deeper(p.span) {
            self.nesting -= 1;
            return Box::new(|_| 1);
        }
        let compiled = self.distance_kind(p, wanted);
        self.nesting -= 1;
        compiled
    }

    fn distances(&mut self, parts: &[Pred], wanted: bool) -> Vec<D> {
        parts.iter().map(|p| self.distance(p, wanted)).collect()
    }

    fn distance_kind(&mut self, p: &Pred, wanted: bool) -> D {
        match (&p.kind, wanted) {
            (PredKind::And(parts), true) => self.conjunction_distance(parts),
            (PredKind::Or(parts), false) => all(self.distances(parts, wanted)),
            (PredKind::Or(parts), true) | (PredKind::And(parts), false) => {
                any(self.distances(parts, wanted))
            }
            (PredKind::Not(inner), _) => self.distance(inner, !wanted),
            (PredKind::Implies(a, b), true) => {
                any(vec![self.distance(a, false), self.distance(b, true)])
            }
            (PredKind::Implies(a, b), false) => {
                all(vec![self.distance(a, true), self.distance(b, false)])
            }
            (PredKind::Equivalent(a, b), _) => {
                let both = [true, false].map(|truth| {
                    all(vec![self.distance(a, truth), self.distance(b, truth == wanted)])
                });
                any(both.into())
            }
            (PredKind::If(c, a, b), _) => {
                let then = all(vec![self.distance(c, true), self.distance(a, wanted)]);
                let other = all(vec![self.distance(c, false), self.distance(b, wanted)]);
                any(vec![then, other])
            }
            (PredKind::Let(values, body), _) => {
                let values: Vec<(usize, E)> =
                    values.iter().map(|(l, e)| (self.local_slot(*l), self.expr(e))).collect();
                let body = self.distance(body, wanted);
                Box::new(move |f| {
                    for (slot, value) in &values {
                        let Ok(value) = value(f) else { return 1 };
                        f.slots[*slot] = value;
                    }
                    body(f)
                })
            }
            (PredKind::Forall(locals, body), _) => {
                let (locals, conditions, claim) = beeline_plan::normal::universal(locals, body);
                if wanted && let Some(far) = self.pinned_forall(&locals, &conditions, &claim) {
                    return far;
                }
                let query = self.query(&locals, &conditions);
                let claim = self.distance(&claim, wanted);
                over(query, claim, wanted)
            }
            (PredKind::Exists(locals, body), _) => self.exists_distance(locals, body, wanted, p),
            (PredKind::Compare(op, a, b), _) => self.compare_distance(*op, a, b, wanted, p),
            _ => self.truth_distance(p, wanted),
        }
    }

    /// Conjuncts that give values of one function are taken together.
    fn conjunction_distance(&mut self, parts: &[Pred]) -> D {
        let mut groups: Vec<Vec<pinned::Pin<'_>>> = Vec::new();
        let mut far = Vec::new();
        let parts: Vec<Pred> = parts.iter().flat_map(|p| p.clone().into_conjuncts()).collect();
        for part in &parts {
            match self.pin(part) {
                None => far.push(self.distance(part, true)),
                Some(pin) => {
                    match groups.iter_mut().find(|g| g[0].function.kind == pin.function.kind) {
                        // Values of one function can be compared as a whole: how far each has to
                        // move.
                        Some(group) => group.push(pin),
                        None => groups.push(vec![pin]),
                    }
                }
            }
        }
        far.extend(groups.iter().filter_map(|pins| self.pins_distance(pins)));
        all(far)
    }

    /// Zero or one.
    fn truth_distance(&mut self, p: &Pred, wanted: bool) -> D {
        let p: P = self.pred(p);
        Box::new(move |f| i64::from(!matches!(p(f), Ok(truth) if truth == wanted)))
    }

    /// Conjuncts about the names alone say what is tried; of the others one choice must do.
    fn exists_distance(&mut self, locals: &[LocalId], body: &Pred, wanted: bool, p: &Pred) -> D {
        let mut parts = Vec::new();
        beeline_plan::normal::split(body, &mut parts);
        let (mut ranges, mut claims, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranged = std::collections::BTreeSet::new();
        for part in parts {
            let names = Names::of_pred(self.model, &part);
            if !locals.iter().any(|l| names.locals.contains(l)) {
                // It does not depend on the choice, and is measured by itself.
                apart.push(part);
            // What does not depend on the state says which names there are to try.
            } else if names.variables.is_empty() {
                ranged.extend(names.locals);
                ranges.push(part);
            } else {
                claims.push(part);
            }
        }
        let conjoined = |parts: Vec<Pred>| Pred { kind: PredKind::And(parts), span: p.span };
        let mut far = self.distances(&apart, wanted);
        // A name without a range of its own would be tried over its whole type, in every state.
        if locals.iter().all(|l| ranged.contains(l)) {
            let query = self.query(locals, &ranges);
            let claim = self.distance(&conjoined(claims), wanted);
            far.push(over(query, claim, !wanted));
        } else {
            let rest = conjoined(ranges.into_iter().chain(claims).collect());
            let rest =
                Pred { kind: PredKind::Exists(locals.to_vec(), Box::new(rest)), span: p.span };
            far.push(self.truth_distance(&rest, wanted));
        }
        if wanted { all(far) } else { any(far) }
    }

    fn compare_distance(&mut self, op: CompareOp, a: &Expr, b: &Expr, wanted: bool, p: &Pred) -> D {
        use CompareOp as C;
        match (op, wanted) {
            (C::Equal, true) | (C::NotEqual, false) => {
                let (a, b) = (self.expr(a), self.expr(b));
                pairwise(a, b, |f, a, b| delta(f.store, a, b))
            }
            (C::Less, true) | (C::GreaterEqual, false) => self.order_distance(a, b, 1),
            (C::LessEqual, true) | (C::Greater, false) => self.order_distance(a, b, 0),
            (C::Greater, true) | (C::LessEqual, false) => self.order_distance(b, a, 1),
            (C::GreaterEqual, true) | (C::Less, false) => self.order_distance(b, a, 0),
            (C::Member, true) | (C::NotMember, false) => self.member_distance(a, b, p, wanted),
            (C::Subset, true) | (C::NotSubset, false) => {
                let (a, b) = (self.expr(a), self.expr(b));
                pairwise(a, b, |f, a, b| delta::outside(f.store, a, b))
            }
            _ => self.truth_distance(p, wanted),
        }
    }

    /// By how much `low + gap <= high` fails.
    fn order_distance(&mut self, low: &Expr, high: &Expr, gap: i64) -> D {
        let (low, high) = (self.expr(low), self.expr(high));
        pairwise(low, high, move |_, low, high| match low.both_small(high) {
            Some((low, high)) => (low + gap - high).clamp(0, FAR),
            None => 1,
        })
    }

    /// How far a value is from the nearest member of a set.
    fn member_distance(&mut self, a: &Expr, set: &Expr, p: &Pred, wanted: bool) -> D {
        if let ExprKind::Binary(BinaryOp::Interval, low, high) = &set.kind {
            return all(vec![self.order_distance(low, a, 0), self.order_distance(a, high, 0)]);
        }
        // The test itself decides, so that zero means true, also where members are not compared.
        let inside = self.truth_distance(p, wanted);
        let (a, set) = (self.expr(a), self.expr(set));
        Box::new(move |f| {
            if inside(f) == 0 {
                return 0;
            }
            let (Ok(a), Ok(set)) = (a(f), set(f)) else { return 1 };
            let Some(members) = f.store.elems(set).filter(|m| m.len() <= MEMBERS) else { return 1 };
            let near = (0..members.len()).map(|i| delta(f.store, a, f.store.nth(members, i)));
            // Not inside: never zero, whatever the measure says of two values that look alike.
            near.min().unwrap_or(1).max(1)
        })
    }
}

/// All must be covered.
fn all(mut parts: Vec<D>) -> D {
    if parts.len() == 1
        && let Some(one) = parts.pop()
    {
        return one;
    }
    Box::new(move |f| parts.iter().map(|d| d(f)).sum::<i64>().min(FAR))
}

/// The least is enough.
fn any(mut parts: Vec<D>) -> D {
    if parts.len() == 1
        && let Some(one) = parts.pop()
    {
        return one;
    }
    Box::new(move |f| parts.iter().map(|d| d(f)).min().unwrap_or(1))
}

/// Of all choices of some names: the sum, or the least.
fn over(query: Query, claim: D, sum: bool) -> D {
    Box::new(move |f| {
        let (mut tries, mut total, mut least) = (0, 0i64, None);
        // Cuts and faults of a direction are nobody's concern.
        let (cuts, faults) = (f.cuts.len(), f.faults.len());
        let _ = query.run(f, &mut |f, stop| {
            if stop.is_none() {
                let far = claim(f);
                total = (total + far).min(FAR);
                least = Some(least.map_or(far, |l: i64| l.min(far)));
            }
            tries += 1;
            match tries >= TRIES || (!sum && least == Some(0)) {
                true => Err(crate::answer::Stop::Enough),
                false => Ok(()),
            }
        });
        f.cuts.truncate(cuts);
        f.faults.truncate(faults);
        if sum { total } else { least.map_or(1, |l| l.min(FAR)) }
    })
}

/// Compares two values, if both have one.
fn pairwise(
    a: E,
    b: E,
    compare: impl Fn(&Frame<'_>, beeline_value::Val, beeline_value::Val) -> i64 + Send + Sync + 'static,
) -> D {
    Box::new(move |f| match (a(f), b(f)) {
        (Ok(a), Ok(b)) => compare(f, a, b).min(FAR),
        _ => 1,
    })
}

/// The target of a search: some things that shall be true, and some that shall not.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Each, and whether it shall be true.
    pub parts: Vec<(Pred, bool)>,
}

impl Target {
    /// A predicate that shall be true, or shall not.
    pub fn one(pred: Pred, wanted: bool) -> Target {
        Target { parts: vec![(pred, wanted)] }
    }

    pub(crate) fn compile(&self, cx: &mut Cx<'_>) -> D {
        all(self.parts.iter().map(|(p, wanted)| cx.distance(p, *wanted)).collect())
    }

    /// Where it stands, for messages.
    pub fn span(&self) -> Span {
        self.parts.first().map_or(Span::NONE, |(p, _)| p.span)
    }
}
