//! Static symmetry: constants are enumerated up to permutations, as far as that can be said
//! beforehand.
//!
//! A bijection between two symmetric sets may be taken to be the one that keeps the order of the
//! elements. A list of constants that are elements of a symmetric set may be taken to use the
//! elements from the first one on. Both only choose one of several symmetric valuations; what
//! remains symmetric is found afterwards, by canonical forms.

use crate::elements::{Elements, SymmetricSet};
use beeline_model::{
    BinaryOp, CompareOp, Conjunct, ConstantId, Expr, ExprKind, Model, Pred, PredKind, Property,
    PropertyOrigin, SetId, Type, TypeId,
};
use beeline_source::Span;

/// More constants of one set than this are left to canonical forms.
const MAX_SCALARS: usize = 64;

/// The model with properties that leave out some symmetric valuations of the constants, and none
/// that has no symmetric one left. `None`: there is nothing to leave out.
pub fn broken(model: &Model, elements: &Elements) -> Option<Model> {
    let mut breaking = Breaking { model: model.clone(), added: Vec::new() };
    // Sets whose elements go along with those of another one.
    let mut following: Vec<SetId> = Vec::new();
    let mut leading: Vec<SetId> = Vec::new();
    let mut done: Vec<ConstantId> = Vec::new();
    for property in &model.properties {
        let Some((constant, from, to)) = bijection(&property.conjunct.pred) else { continue };
        let whole = |set: SetId| elements.sets.iter().find(|s| s.set == set && s.fixed == 0);
        let (Some(a), Some(b)) = (whole(from), whole(to)) else { continue };
        let taken = following.contains(&from) || following.contains(&to) || leading.contains(&to);
        if from == to || a.len != b.len || taken || done.contains(&constant) {
            continue;
        }
        breaking.fix_bijection(constant, a, b);
        done.push(constant);
        leading.push(from);
        following.push(to);
    }
    for set in elements.sets.iter().filter(|s| s.fixed == 0 && !following.contains(&s.set)) {
        breaking.order_scalars(set);
    }
    let Breaking { mut model, added } = breaking;
    if added.is_empty() {
        return None;
    }
    let component = model.levels.last()?.component;
    model.properties.extend(added.into_iter().map(|pred| Property {
        conjunct: Conjunct { pred, label: None, span: Span::NONE },
        origin: PropertyOrigin::Properties,
        component,
    }));
    Some(model)
}

/// `f : S >->> T`, for a constant and two given sets.
fn bijection(pred: &Pred) -> Option<(ConstantId, SetId, SetId)> {
    let PredKind::Compare(CompareOp::Member, element, set) = &pred.kind else { return None };
    let ExprKind::Constant(constant) = element.kind else { return None };
    let ExprKind::Binary(BinaryOp::TotalBijections, a, b) = &set.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::GivenSet(a), ExprKind::GivenSet(b)) => Some((constant, *a, *b)),
        _ => None,
    }
}

struct Breaking {
    model: Model,
    added: Vec<Pred>,
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

impl Breaking {
    fn expr(&self, kind: ExprKind, ty: TypeId) -> Expr {
        Expr { kind, ty, span: Span::NONE }
    }

    fn element(&self, set: &SymmetricSet, index: usize) -> Expr {
        let ty = self.model.set(set.set).ty;
        self.expr(ExprKind::Element(set.set, index as u32), ty)
    }

    fn constant(&self, id: ConstantId) -> Expr {
        self.expr(ExprKind::Constant(id), self.model.constant(id).ty)
    }

    fn equal(&self, a: Expr, b: Expr) -> Pred {
        pred(PredKind::Compare(CompareOp::Equal, Box::new(a), Box::new(b)))
    }

    fn fix_bijection(&mut self, constant: ConstantId, a: &SymmetricSet, b: &SymmetricSet) {
        let ty = self.model.constant(constant).ty;
        let Some(pair) = self.model.types.element(ty) else { return };
        let pairs = (0..a.len).map(|i| {
            let (left, right) = (self.element(a, i), self.element(b, i));
            self.expr(ExprKind::Binary(BinaryOp::Pair, Box::new(left), Box::new(right)), pair)
        });
        let value = self.expr(ExprKind::SetExtension(pairs.collect()), ty);
        self.added.push(self.equal(self.constant(constant), value));
    }

    /// The i-th constant is one of the first i elements, and an element is used only after the
    /// one before it.
    fn order_scalars(&mut self, set: &SymmetricSet) {
        let scalars: Vec<ConstantId> = (0..self.model.constants.len())
            .map(|i| ConstantId(i as u32))
            .filter(|c| *self.model.types.get(self.model.constant(*c).ty) == Type::Given(set.set))
            .take(MAX_SCALARS)
            .collect();
        let power = self.model.types.power(self.model.set(set.set).ty);
        for (i, constant) in scalars.iter().enumerate() {
            let first = (0..set.len.min(i + 1)).map(|e| self.element(set, e)).collect();
            let first = self.expr(ExprKind::SetExtension(first), power);
            self.added.push(pred(PredKind::Compare(
                CompareOp::Member,
                Box::new(self.constant(*constant)),
                Box::new(first),
            )));
            for e in 1..set.len.min(i + 1) {
                let here = self.equal(self.constant(*constant), self.element(set, e));
                let before = scalars[..i]
                    .iter()
                    .map(|c| self.equal(self.constant(*c), self.element(set, e - 1)))
                    .collect();
                let before = pred(PredKind::Or(before));
                self.added.push(pred(PredKind::Implies(Box::new(here), Box::new(before))));
            }
        }
    }
}
