//! Formulas with expressions in place of names: substitution, which cannot capture, because every bound
//! name of a model is unique.

use beeline_model::{
    Expr, ExprKind, LocalId, Mentions, PartMut, Place, Pred, visit_expr, visit_pred,
};
use std::collections::BTreeMap;

/// Formulas with more parts than this are not looked into: substituted into each other, they grow without end.
const MAX_PARTS: usize = 600;

/// Counts the parts of a formula, and looks no further once there are too many.
#[derive(Default)]
struct Parts(usize);

impl Mentions for Parts {
    fn enter(&mut self, _: &Expr) -> bool {
        self.0 += 1;
        self.0 <= MAX_PARTS
    }

    fn enter_pred(&mut self, _: &Pred) {
        self.0 += 1;
    }
}

pub(crate) fn is_large(e: &Expr) -> bool {
    let mut parts = Parts::default();
    visit_expr(e, &mut parts);
    parts.0 > MAX_PARTS
}

pub(crate) fn is_large_pred(p: &Pred) -> bool {
    let mut parts = Parts::default();
    visit_pred(p, &mut parts);
    parts.0 > MAX_PARTS
}

/// Values of places, in terms of a state before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values(BTreeMap<Place, Expr>);

impl Values {
    pub fn set(&mut self, place: Place, value: Expr) {
        self.0.insert(place, value);
    }

    pub fn get(&self, place: Place) -> Option<&Expr> {
        self.0.get(&place)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Place, &Expr)> {
        self.0.iter().map(|(p, e)| (*p, e))
    }

    /// The names of one operation under other names.
    pub fn renaming(names: impl Iterator<Item = (LocalId, Expr)>) -> Values {
        Values(names.map(|(from, to)| (Place::Local(from), to)).collect())
    }

    pub fn expr(&self, e: &Expr) -> Expr {
        let mut new = e.clone();
        self.in_expr(&mut new);
        new
    }

    pub fn pred(&self, p: &Pred) -> Pred {
        let mut new = p.clone();
        self.in_pred(&mut new);
        new
    }

    fn in_expr(&self, e: &mut Expr) {
        let place = match e.kind {
            ExprKind::Variable(v) => Some(Place::Variable(v)),
            ExprKind::Local(l) => Some(Place::Local(l)),
            _ => None,
        };
        match place.and_then(|p| self.0.get(&p)) {
            Some(value) => *e = value.clone(),
            None => e.parts_mut(&mut |part| self.below(part)),
        }
    }

    fn in_pred(&self, p: &mut Pred) {
        p.parts_mut(&mut |part| self.below(part));
    }

    fn below(&self, part: PartMut<'_>) {
        match part {
            PartMut::Expr(e) => self.in_expr(e),
            PartMut::Pred(p) => self.in_pred(p),
            // No formula has these below it.
            PartMut::Subst(_) | PartMut::Target(_) | PartMut::Binds(_) => {}
        }
    }
}
