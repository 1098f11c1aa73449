//! How many elements a set must have for its properties to be possible: from partitions, non-empty
//! parts, and members that are known to differ.

use beeline_model::{
    CompareOp, ConstantId, Expr, ExprKind, Model, Pred, PredKind, SetId, SetKind, Type, UnaryOp,
};
use rustc_hash::FxHashSet;

/// How many definitions are followed.
const MAX_DEPTH: u32 = 10;

/// A name of one element.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Constant(ConstantId),
    Element(SetId, u32),
}

fn key(e: &Expr) -> Option<Key> {
    match e.kind {
        ExprKind::Constant(c) => Some(Key::Constant(c)),
        ExprKind::Element(set, index) => Some(Key::Element(set, index)),
        _ => None,
    }
}

/// What the properties say, as far as it matters here.
struct Facts<'m> {
    model: &'m Model,
    distinct: FxHashSet<(Key, Key)>,
}

/// The least size of each deferred set.
pub(super) fn bounds(model: &Model) -> Vec<(SetId, u64)> {
    let mut facts = Facts { model, distinct: FxHashSet::default() };
    for property in &model.properties {
        if let PredKind::Compare(CompareOp::NotEqual, a, b) = &property.conjunct.pred.kind {
            facts.differ(key(a), key(b));
        }
        if let PredKind::Partition(_, parts) = &property.conjunct.pred.kind {
            let singles: Vec<Key> = parts.iter().filter_map(single).collect();
            for (i, a) in singles.iter().enumerate() {
                singles[i + 1..].iter().for_each(|b| facts.differ(Some(*a), Some(*b)));
            }
        }
    }
    let deferred = model.sets.iter().enumerate().filter(|(_, s)| s.kind == SetKind::Deferred);
    deferred.map(|(i, _)| (SetId(i as u32), facts.of_set(SetId(i as u32)))).collect()
}

fn single(part: &Expr) -> Option<Key> {
    match &part.kind {
        ExprKind::SetExtension(items) if items.len() == 1 => key(&items[0]),
        _ => None,
    }
}

impl Facts<'_> {
    fn differ(&mut self, a: Option<Key>, b: Option<Key>) {
        if let (Some(a), Some(b)) = (a, b) {
            self.distinct.insert((a, b));
            self.distinct.insert((b, a));
        }
    }

    fn are_distinct(&self, a: Key, b: Key) -> bool {
        match (a, b) {
            (Key::Element(s, i), Key::Element(t, j)) => s == t && i != j,
            _ => self.distinct.contains(&(a, b)),
        }
    }

    fn properties(&self) -> impl Iterator<Item = &Pred> {
        self.model.properties.iter().map(|p| &p.conjunct.pred)
    }

    /// The size of the largest group (found greedily) that is known to differ.
    fn group(&self, items: impl Iterator<Item = Key>) -> u64 {
        let mut chosen: Vec<Key> = Vec::new();
        for item in items {
            if chosen.iter().all(|c| self.are_distinct(*c, item)) {
                chosen.push(item);
            }
        }
        chosen.len() as u64
    }

    fn of_set(&self, set: SetId) -> u64 {
        let named = |e: &Expr| matches!(e.kind, ExprKind::GivenSet(s) if s == set);
        let mut least = self.of_partitions(&named, MAX_DEPTH);
        for (index, constant) in self.model.constants.iter().enumerate() {
            let element = self.model.types.element(constant.ty);
            if element.is_some_and(|t| *self.model.types.get(t) == Type::Given(set)) {
                let constant = ConstantId(index as u32);
                least = least.max(self.of_constant(constant, MAX_DEPTH));
            }
        }
        least
    }

    fn of_partitions(&self, whole: &dyn Fn(&Expr) -> bool, depth: u32) -> u64 {
        let sum = |p: &Pred| match &p.kind {
            PredKind::Partition(of, parts) if whole(of) => {
                parts.iter().map(|part| self.of_expr(part, depth)).fold(0, u64::saturating_add)
            }
            _ => 0,
        };
        self.properties().map(sum).max().unwrap_or(0)
    }

    fn of_expr(&self, e: &Expr, depth: u32) -> u64 {
        match &e.kind {
            ExprKind::SetExtension(items) => self.group(items.iter().filter_map(key)).max(1),
            ExprKind::Constant(c) => self.of_constant(*c, depth),
            _ => 0,
        }
    }

    fn of_constant(&self, constant: ConstantId, depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let named = |e: &Expr| matches!(e.kind, ExprKind::Constant(c) if c == constant);
        let said = |p: &Pred| match &p.kind {
            PredKind::Compare(CompareOp::NotEqual, a, b)
                if (named(a) && is_empty(b)) || (named(b) && is_empty(a)) =>
            {
                1
            }
            PredKind::Compare(CompareOp::Equal, a, b) => match (&a.kind, &b.kind) {
                (ExprKind::Unary(UnaryOp::Card, of), ExprKind::Integer(n)) if named(of) => {
                    u64::try_from(n).unwrap_or(0)
                }
                _ if named(a) => self.of_expr(b, depth),
                _ => 0,
            },
            _ => 0,
        };
        let members = self.properties().filter_map(|p| match &p.kind {
            PredKind::Compare(CompareOp::Member, a, b) if named(b) => key(a),
            _ => None,
        });
        let most = self.properties().map(said).max().unwrap_or(0);
        most.max(self.group(members)).max(self.of_partitions(&named, depth))
    }
}

fn is_empty(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::EmptySet)
}
