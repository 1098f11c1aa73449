//! What a convergent or anticipated event owes the variants of its machine.

use super::{Composer, conjunct, equal};
use crate::eventb::settled::Step;
use crate::infer::{Node, Ty};
use crate::typing::LocalKind;
use beeline_eventb::{Convergence, Event};
use beeline_model::{CompareOp, Conjunct, Expr, ExprKind, LocalId, Name, Pred, PredKind, Promise};
use beeline_model::{Subst, SubstKind, TypeTable};
use beeline_source::Span;
use beeline_syntax::ast;

/// A variant, and its value before the step.
struct Measure<'a> {
    variant: &'a ast::Expr,
    before: LocalId,
    is_set: bool,
}

impl<'a> Composer<'_, 'a> {
    /// Steps before the event, and a check after it: every variant is a natural number or a finite
    /// set, and the first one that changes becomes smaller.
    pub(super) fn variant(
        &mut self,
        level: usize,
        event: &'a Event,
        steps: &mut Vec<Step>,
    ) -> Option<Subst> {
        if event.convergence == Convergence::Ordinary || event.is_initialisation() {
            return None;
        }
        let variants = &self.builder.chain.machines[level].variants;
        let span = variants.first()?.span;
        let measures: Vec<Measure<'a>> = variants.iter().map(|v| self.measure(v, steps)).collect();
        let bounds: Vec<Conjunct> = measures.iter().map(|m| self.bound(m)).collect();
        steps.push(Step::Assert(Promise::VariantBound, bounds));
        let strictly = event.convergence == Convergence::Convergent;
        let check = vec![conjunct(self.shrinks(&measures, strictly), span)];
        let skip = Box::new(Subst { kind: SubstKind::Skip, span });
        Some(Subst { kind: SubstKind::Assert(Promise::Variant, check, skip), span })
    }

    fn measure(&mut self, variant: &'a ast::Expr, steps: &mut Vec<Step>) -> Measure<'a> {
        let value = self.builder.elaborator.expr(variant);
        let ty = Ty(value.ty.0);
        let is_set = matches!(self.builder.elaborator.infer.node(ty), Node::Power(_));
        let name = Name::from("variant");
        let kind = LocalKind::ReadOnly;
        let before = self.builder.elaborator.local_of(name, variant.span, ty, kind);
        steps.push(Step::Let(vec![(before, value)]));
        Measure { variant, before, is_set }
    }

    fn bound(&mut self, measure: &Measure<'a>) -> Conjunct {
        let span = measure.variant.span;
        let value = Box::new(self.local_value(measure.before, span));
        let kind = if measure.is_set {
            PredKind::Finite(value)
        } else {
            let zero = ExprKind::Integer(0.into());
            let zero = Box::new(Expr { kind: zero, ty: TypeTable::INTEGER, span });
            PredKind::Compare(CompareOp::GreaterEqual, value, zero)
        };
        conjunct(Pred { kind, span }, span)
    }

    /// Is the value after smaller, in the order in which the first difference decides?
    fn shrinks(&mut self, measures: &[Measure<'a>], strictly: bool) -> Pred {
        let Some((first, rest)) = measures.split_first() else {
            return Pred { kind: PredKind::Bool(!strictly), span: Span::NONE };
        };
        let span = first.variant.span;
        let less = match (strictly || !rest.is_empty(), first.is_set) {
            (true, false) => CompareOp::Less,
            (false, false) => CompareOp::LessEqual,
            (true, true) => CompareOp::StrictSubset,
            (false, true) => CompareOp::Subset,
        };
        let after = Box::new(self.builder.elaborator.expr(first.variant));
        let before = Box::new(self.local_value(first.before, span));
        let smaller = Pred { kind: PredKind::Compare(less, after, before), span };
        if rest.is_empty() {
            return smaller;
        }
        let after = self.builder.elaborator.expr(first.variant);
        let before = self.local_value(first.before, span);
        let same = equal(after, before, span);
        let rest = self.shrinks(rest, strictly);
        let later = Pred { kind: PredKind::And(vec![same, rest]), span };
        Pred { kind: PredKind::Or(vec![smaller, later]), span }
    }
}
