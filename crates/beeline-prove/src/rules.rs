//! When conditions and new values are enough for a conjunct.
//!
//! A conjunct is understood if it compares a variable with something that the operation does not change.
//! Then it has a meaning afterwards, too: the new value was computed, and the other side is as before.

use crate::key::Key;
use crate::linear::{Difference, Sum};
use crate::paths::{After, Path};
use beeline_fault::{Flaw, planted};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Footprint, Invariant, Model, Pred, PredKind,
    UnaryOp, VariableId,
};
use rustc_hash::FxHashSet;

/// Longer formulas are not taken apart again and again.
const MAX_CONDITIONS: usize = 400;
/// Sets inside sets are followed so far.
const MAX_DEPTH: u32 = 12;

/// What holds in the state before.
pub(crate) struct Known {
    atoms: FxHashSet<Key>,
    differences: Vec<Difference>,
    /// `s : POW(t)` as `s` and `t`.
    powers: FxHashSet<(Key, Key)>,
    /// `e /: op(s)`
    absences: Vec<(Key, UnaryOp, Key)>,
}

impl Known {
    /// Conditions of a path, the whole invariant, the properties.
    pub fn new(model: &Model, path: &Path) -> Known {
        let mut known = Known {
            atoms: FxHashSet::default(),
            differences: Vec::new(),
            powers: FxHashSet::default(),
            absences: Vec::new(),
        };
        let invariants = model.concrete().invariants.iter().map(|i| &i.conjunct.pred);
        let properties = model.properties.iter().map(|p| &p.conjunct.pred);
        let all = path.conditions.iter().chain(invariants).chain(properties);
        all.take(MAX_CONDITIONS).for_each(|p| known.add(p));
        known
    }

    fn add(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::And(parts) => parts.iter().for_each(|p| self.add(p)),
            PredKind::Compare(op, a, b) => {
                self.atoms.insert(atom(*op, a, b));
                self.differences.extend(differences(*op, a, b));
                match (op, &b.kind) {
                    (CompareOp::Member, ExprKind::Unary(UnaryOp::Power, whole)) => {
                        self.powers.insert((Key::expr(a), Key::expr(whole)));
                    }
                    (CompareOp::NotMember, ExprKind::Unary(op, inner)) => {
                        self.absences.push((Key::expr(a), *op, Key::expr(inner)));
                    }
                    _ => {}
                }
            }
            _ => {
                self.atoms.insert(Key::pred(p));
            }
        }
    }

    fn has(&self, op: CompareOp, a: &Expr, b: &Expr) -> bool {
        self.atoms.contains(&atom(op, a, b))
    }
}

/// `a op b`, written in one way.
fn atom(op: CompareOp, a: &Expr, b: &Expr) -> Key {
    let (op, a, b) = match op {
        CompareOp::Greater => (CompareOp::Less, b, a),
        CompareOp::GreaterEqual => (CompareOp::LessEqual, b, a),
        _ => (op, a, b),
    };
    Key::comparison(op, a, b)
}

/// What a comparison says about differences of integers.
fn differences(op: CompareOp, a: &Expr, b: &Expr) -> Vec<Difference> {
    let (x, y) = (|| Sum::of(a), || Sum::of(b));
    let found = match (op, &b.kind) {
        (CompareOp::Less, _) => vec![Difference::new(x(), y(), 1)],
        (CompareOp::LessEqual, _) => vec![Difference::new(x(), y(), 0)],
        (CompareOp::Greater, _) => vec![Difference::new(y(), x(), 1)],
        (CompareOp::GreaterEqual, _) => vec![Difference::new(y(), x(), 0)],
        (CompareOp::Equal, _) => {
            vec![Difference::new(x(), y(), 0), Difference::new(y(), x(), 0)]
        }
        (CompareOp::Member, ExprKind::Binary(BinaryOp::Interval, low, high)) => {
            vec![Difference::new(Sum::of(low), x(), 0), Difference::new(x(), Sum::of(high), 0)]
        }
        (CompareOp::Member, ExprKind::Basic(BasicSet::Natural)) => {
            vec![Difference::new(Sum::number(0), x(), 0)]
        }
        (CompareOp::Member, ExprKind::Basic(BasicSet::Natural1)) => {
            vec![Difference::new(Sum::number(1), x(), 0)]
        }
        _ => Vec::new(),
    };
    found.into_iter().flatten().collect()
}

/// Does a path preserve a conjunct?
pub(crate) fn preserves(path: &Path, known: &Known, invariant: &Invariant, p: &Pred) -> bool {
    let changed = |v: &VariableId| match path.after(*v) {
        Some(After::Value(e)) => !matches!(e.kind, ExprKind::Variable(same) if same == *v),
        Some(_) => true,
        None => false,
    };
    if !invariant.reads.iter().any(changed) {
        return true;
    }
    let PredKind::Compare(op, a, b) = &p.kind else { return false };
    if !Key::pred(p).is_pure() {
        return false;
    }
    let fixed = |e: &Expr| !Footprint::of_expr(e).reads.iter().any(changed);
    match (&a.kind, &b.kind) {
        (ExprKind::Variable(v), _) if fixed(b) => match path.after(*v) {
            Some(After::Value(value)) => is_pure(value) && holds(known, *op, value, b),
            Some(After::Element(set)) if is_pure(set) => {
                *op == CompareOp::Member && within(known, set, b, 0)
            }
            _ => false,
        },
        (_, ExprKind::Variable(v)) if fixed(a) => match path.after(*v) {
            Some(After::Value(value)) => is_pure(value) && holds(known, *op, a, value),
            _ => false,
        },
        _ => false,
    }
}

fn is_pure(e: &Expr) -> bool {
    Key::expr(e).is_pure()
}

fn holds(known: &Known, op: CompareOp, a: &Expr, b: &Expr) -> bool {
    if known.has(op, a, b) {
        return true;
    }
    let wanted = differences(op, a, b);
    // A membership says nothing but its differences; other comparisons neither.
    if !wanted.is_empty() {
        if planted(Flaw::WrongPreservation) {
            return true;
        }
        return wanted.iter().all(|d| d.follows(&known.differences));
    }
    match op {
        CompareOp::Equal => Key::expr(a) == Key::expr(b),
        CompareOp::Member => member(known, a, b, 0),
        CompareOp::Subset => within(known, a, b, 0),
        _ => false,
    }
}

/// `e : set`
fn member(known: &Known, e: &Expr, set: &Expr, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    if known.has(CompareOp::Member, e, set) {
        return true;
    }
    match &set.kind {
        ExprKind::GivenSet(_) => true,
        ExprKind::Basic(BasicSet::Bool | BasicSet::Integer | BasicSet::String) => true,
        ExprKind::Basic(BasicSet::Natural | BasicSet::Natural1)
        | ExprKind::Binary(BinaryOp::Interval, ..) => {
            differences(CompareOp::Member, e, set).iter().all(|d| d.follows(&known.differences))
        }
        ExprKind::SetExtension(parts) => {
            let key = Key::expr(e);
            parts.iter().any(|part| Key::expr(part) == key)
        }
        ExprKind::Unary(UnaryOp::Power, base) => within(known, e, base, depth + 1),
        ExprKind::Binary(BinaryOp::Cartesian, left, right) => match &e.kind {
            ExprKind::Binary(BinaryOp::Pair, x, y) => {
                member(known, x, left, depth + 1) && member(known, y, right, depth + 1)
            }
            _ => false,
        },
        ExprKind::Binary(
            arrow @ (BinaryOp::Relations | BinaryOp::PartialFunctions | BinaryOp::TotalFunctions),
            from,
            to,
        ) => function(known, e, set, (*arrow, from, to), depth),
        _ => false,
    }
}

/// `f : from --> to`, and its kin, for an `f` that is made from one that was such.
fn function(
    known: &Known,
    f: &Expr,
    set: &Expr,
    (arrow, from, to): (BinaryOp, &Expr, &Expr),
    depth: u32,
) -> bool {
    let total = arrow == BinaryOp::TotalFunctions;
    let such = |g: &Expr| known.has(CompareOp::Member, g, set);
    let pair_fits =
        |x: &Expr, y: &Expr| member(known, x, from, depth + 1) && member(known, y, to, depth + 1);
    let one_pair = |e: &Expr| match &e.kind {
        ExprKind::SetExtension(parts) => match parts.as_slice() {
            [Expr { kind: ExprKind::Binary(BinaryOp::Pair, x, y), .. }] => {
                Some(((**x).clone(), (**y).clone()))
            }
            _ => None,
        },
        _ => None,
    };
    match &f.kind {
        ExprKind::EmptySet => !total,
        ExprKind::Binary(BinaryOp::Override, g, h) => {
            such(g) && one_pair(h).is_some_and(|(x, y)| pair_fits(&x, &y))
        }
        ExprKind::Binary(BinaryOp::Union, g, h) if !total => {
            let free = |x: &Expr| {
                let kind = ExprKind::Unary(UnaryOp::Domain, g.clone());
                known.lacks(x, &kind)
            };
            let fits = |(x, y): (Expr, Expr)| {
                pair_fits(&x, &y) && (arrow == BinaryOp::Relations || free(&x))
            };
            such(g) && one_pair(h).is_some_and(fits)
        }
        ExprKind::Binary(BinaryOp::DomainRestrict | BinaryOp::DomainSubtract, _, g)
        | ExprKind::Binary(
            BinaryOp::RangeRestrict | BinaryOp::RangeSubtract | BinaryOp::Difference,
            g,
            _,
        ) if !total => such(g),
        ExprKind::Binary(BinaryOp::Intersection, g, h) if !total => such(g) || such(h),
        _ => false,
    }
}

impl Known {
    /// Is something known not to be in a set of this form, whatever the type of the set is called?
    fn lacks(&self, x: &Expr, set: &ExprKind) -> bool {
        let ExprKind::Unary(op, inner) = set else { return false };
        let wanted = (Key::expr(x), Key::expr(inner));
        self.absences.iter().any(|(e, o, i)| o == op && (e, i) == (&wanted.0, &wanted.1))
    }
}

/// `set <: whole`
fn within(known: &Known, set: &Expr, whole: &Expr, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    if known.has(CompareOp::Subset, set, whole) || Key::expr(set) == Key::expr(whole) {
        return true;
    }
    // Membership in a powerset is the same.
    match (&set.kind, &whole.kind) {
        (_, ExprKind::GivenSet(_)) => true,
        (ExprKind::EmptySet, _) => true,
        (ExprKind::SetExtension(parts), _) => {
            parts.iter().all(|e| member(known, e, whole, depth + 1))
        }
        (ExprKind::Binary(BinaryOp::Union, a, b), _) => {
            within(known, a, whole, depth + 1) && within(known, b, whole, depth + 1)
        }
        (ExprKind::Binary(BinaryOp::Intersection, a, b), _) => {
            within(known, a, whole, depth + 1) || within(known, b, whole, depth + 1)
        }
        (ExprKind::Binary(BinaryOp::Difference, a, _), _) => within(known, a, whole, depth + 1),
        _ => known.powers.contains(&(Key::expr(set), Key::expr(whole))),
    }
}
