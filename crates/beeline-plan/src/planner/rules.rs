//! Equations for entries of a function, also under quantifiers, that may speak of other entries.

use super::points::{Equation, Given};
use super::*;
use crate::plan::Part;

/// What a rule is found under.
#[derive(Clone, Default)]
struct Context {
    locals: Vec<LocalId>,
    conditions: Vec<Pred>,
}

impl Planner<'_> {
    /// Adds the rules that a conjunct contains.
    pub(super) fn rules_of(&self, p: &Pred, unbound: &BTreeSet<Name>, function: &mut Given) {
        self.rules_in(p, &Context::default(), unbound, function);
    }

    fn rules_in(
        &self,
        p: &Pred,
        context: &Context,
        unbound: &BTreeSet<Name>,
        function: &mut Given,
    ) {
        match &p.kind {
            PredKind::And(parts) => {
                for part in parts {
                    self.rules_in(part, context, unbound, function);
                }
            }
            PredKind::Forall(locals, body) => {
                let mut inner = context.clone();
                inner.locals.extend(locals);
                self.rules_in(body, &inner, unbound, function);
            }
            PredKind::Implies(condition, claim) if self.needs_of(condition, unbound).is_empty() => {
                let mut inner = context.clone();
                normal::split(condition, &mut inner.conditions);
                self.rules_in(claim, &inner, unbound, function);
            }
            PredKind::Compare(CompareOp::Equal, a, b) => {
                for (place, value) in [(a, b), (b, a)] {
                    if let Some((key, part)) = place_of(place, function.name)
                        && self.rests_on_entries(value, unbound, function.name)
                        && self.rests_on_entries(key, unbound, function.name)
                        // An equation without names of its own whose value is known is a point, not a rule.
                        && (!context.locals.is_empty()
                            || !self.unknown_in_expr(value, unbound).is_empty())
                    {
                        function.rules.push(Equation {
                            locals: context.locals.clone(),
                            conditions: context.conditions.clone(),
                            key: key.clone(),
                            part,
                            value: (**value).clone(),
                        });
                        return;
                    }
                }
            }
            _ => {}
        }
    }

    /// Does it speak of single entries of the function only, and of nothing else that is unbound? Then
    /// what it is does not change when further entries become known.
    fn rests_on_entries(&self, e: &Expr, unbound: &BTreeSet<Name>, name: Name) -> bool {
        if self.unknown_in_expr(e, unbound).is_empty() {
            return true;
        }
        match &e.kind {
            ExprKind::Apply(function, key) if as_name(function) == Some(name) => {
                self.rests_on_entries(key, unbound, name)
            }
            // The range must be known: over entries that are still missing a sum would come out too small.
            ExprKind::Quantified(_, binder, value) => {
                self.needs_of(&binder.predicate, unbound).is_empty()
                    && self.rests_on_entries(value, unbound, name)
            }
            ExprKind::Apply(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::SetExtension(_)
            | ExprKind::SequenceExtension(_)
            | ExprKind::Record(_)
            | ExprKind::Field(..) => {
                let mut all = true;
                e.parts(&mut |part| {
                    all &= match part {
                        beeline_model::Part::Expr(e) => self.rests_on_entries(e, unbound, name),
                        _ => false,
                    };
                });
                all
            }
            ExprKind::If(condition, a, b) => {
                self.needs_of(condition, unbound).is_empty()
                    && self.rests_on_entries(a, unbound, name)
                    && self.rests_on_entries(b, unbound, name)
            }
            _ => false,
        }
    }
}

/// `f(key)`, `f(key)(item)` or `size(f(key))`.
fn place_of(e: &Expr, name: Name) -> Option<(&Expr, Part<Expr>)> {
    let entry = |e: &'_ Expr| -> bool {
        matches!(&e.kind, ExprKind::Apply(function, _) if as_name(function) == Some(name))
    };
    match &e.kind {
        ExprKind::Apply(function, key) if as_name(function) == Some(name) => {
            Some((key, Part::Whole))
        }
        ExprKind::Apply(row, item) if entry(row) => match &row.kind {
            ExprKind::Apply(_, key) => Some((key, Part::Item((**item).clone()))),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Size, row) if entry(row) => match &row.kind {
            ExprKind::Apply(_, key) => Some((key, Part::Length)),
            _ => None,
        },
        _ => None,
    }
}
