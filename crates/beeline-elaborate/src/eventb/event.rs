//! One event and all that it refines, as one operation.
//!
//! The operation has the parameters and guards of the concrete event. Its body settles level by
//! level, most concrete first, what the next state is: concrete actions give concrete variables their
//! values; a witness or the abstract action gives a value to what only an abstraction has. What an
//! abstraction then still demands is a promise: its guards (guard strengthening), and its actions on
//! variables that have a value by now (simulation). What is written alike on both levels needs no
//! second look.
//!
//! `x'` is a local of that name; it exists only where something speaks of it. `own` is about actions of
//! the concrete event, `owed` about one step up the chain, `variant` about what shrinks, `written` about
//! text alone.

mod owed;
mod own;
mod variant;
mod written;

use super::settled::{Settled, Step, wrap};
use super::{Builder, event_named};
use crate::infer::Ty;
use crate::typing::{Entity, LocalKind, Section};
use beeline_eventb::{Action, Event, Labelled};
use beeline_model::{
    BecomesSuch, BinaryOp, CompareOp, Conjunct, Expr, ExprKind, LocalId, Name, Place, Pred,
    PredKind, Promise, Subst, SubstKind, TypeId, VariableId,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast;
use written::{assigns, guarded, primed, repeated};
pub(super) use written::{targets, value_of};

/// An event, composed.
pub(super) struct Composed {
    pub parameters: Vec<LocalId>,
    pub body: Subst,
}

/// Composes an event of this level with what it refines.
pub(super) fn compose<'a>(builder: &mut Builder<'a>, level: usize, event: &'a Event) -> Composed {
    let mut composer = Composer { builder, bound: 0, init: event.is_initialisation() };
    composer.compose(level, event)
}

struct Composer<'b, 'a> {
    builder: &'b mut Builder<'a>,
    /// How many names are bound by now.
    bound: usize,
    init: bool,
}

impl<'a> Composer<'_, 'a> {
    fn compose(&mut self, level: usize, event: &'a Event) -> Composed {
        self.builder.enter(level, Section::Operations);
        let mut settled = Settled { needed: self.needed(level, event), ..Settled::default() };
        let parameters: Vec<LocalId> =
            event.parameters.iter().map(|p| self.parameter(p, &mut settled)).collect();
        let mut guards = Vec::new();
        for guard in event.guards.iter().filter(|g| !g.theorem) {
            guards.extend(self.builder.labelled(&guard.formula, &guard.label));
        }
        let mut steps = Vec::new();
        let theorems = self.conjuncts(event.guards.iter().filter(|g| g.theorem));
        if !theorems.is_empty() {
            steps.push(Step::Assert(Promise::Theorem, theorems));
        }
        for action in &event.actions {
            self.own_action(action, &mut steps, &mut settled);
        }
        let variant = self.variant(level, event, &mut steps);
        let mut body = self.below(level, event, settled);
        if let Some(check) = variant {
            let span = body.span;
            body = Subst { kind: SubstKind::Sequence(vec![body, check]), span };
        }
        body = wrap(steps, body);
        if !guards.is_empty() {
            body = Subst { span: event.name.span, kind: SubstKind::Pre(guards, Box::new(body)) };
        }
        self.builder.elaborator.unbind(self.bound);
        Composed { parameters, body }
    }

    fn conjuncts(&mut self, list: impl Iterator<Item = &'a Labelled>) -> Vec<Conjunct> {
        list.flat_map(|l| self.builder.labelled(&l.formula, &l.label)).collect()
    }

    fn parameter(&mut self, name: &ast::Ident, settled: &mut Settled) -> LocalId {
        if settled.parameters.contains(&name.name) {
            let message = format!("`{}` is declared twice", name.name);
            let diagnostic = Diagnostic::new(Code::DUPLICATE_NAME, name.span, message);
            self.builder.elaborator.out.push(diagnostic);
        }
        let local = self.builder.elaborator.local(name, LocalKind::ReadOnly);
        self.bind(local);
        settled.parameters.push(name.name.clone());
        local
    }

    fn bind(&mut self, local: LocalId) {
        self.builder.elaborator.bind(local);
        self.bound += 1;
    }

    /// The events of the level above that an event refines.
    fn refined(&mut self, level: usize, event: &'a Event) -> Vec<&'a Event> {
        let Some(above) = level.checked_sub(1).filter(|_| !self.builder.chain.alone) else {
            return Vec::new();
        };
        let events = &self.builder.chain.machines[above].events;
        if event.is_initialisation() {
            return event_named(events, Event::INITIALISATION).into_iter().collect();
        }
        let mut found = Vec::new();
        for name in &event.refines {
            match event_named(events, &name.name) {
                Some(event) => found.push(event),
                None => {
                    let message = format!("the abstraction has no event `{}`", name.name);
                    let diagnostic = Diagnostic::new(Code::UNKNOWN_OPERATION, name.span, message);
                    if !self.builder.elaborator.out.list().contains(&diagnostic) {
                        self.builder.elaborator.out.push(diagnostic);
                    }
                }
            }
        }
        found
    }

    /// The variables whose next value something below speaks of.
    fn needed(&mut self, level: usize, event: &'a Event) -> Vec<Name> {
        let mut needed: Vec<Name> = Vec::new();
        let mut pending = vec![(level, event)];
        while let Some((level, event)) = pending.pop() {
            for witness in &event.witnesses {
                needed.extend(primed(&witness.formula));
            }
            let refined = self.refined(level, event);
            let Some(above) = level.checked_sub(1) else { continue };
            let own = event.actions.iter().flat_map(targets);
            let kept = own.filter(|name| self.builder.chain.has(above, name));
            if refined.is_empty() {
                needed.extend(kept.cloned());
                continue;
            }
            needed.extend(kept.filter(|n| !refined.iter().all(|a| assigns(a, n))).cloned());
            for abstraction in refined {
                let changed = abstraction.actions.iter().filter(|a| !repeated(a, event));
                needed.extend(changed.flat_map(targets).cloned());
                pending.push((above, abstraction));
            }
        }
        needed.sort();
        needed.dedup();
        needed
    }

    fn variable(&mut self, target: &ast::Expr) -> Option<VariableId> {
        let name = match &target.peeled().kind {
            ast::ExprKind::Ident(name) => name,
            _ => {
                let message = "only a variable can be assigned to";
                let diagnostic = Diagnostic::new(Code::BAD_TARGET, target.span, message);
                self.builder.elaborator.out.push(diagnostic);
                return None;
            }
        };
        match self.builder.elaborator.scope.names.get(name) {
            Some(Entity::Variable(id, _)) => Some(*id),
            _ => {
                let message = format!("`{name}` is not a variable of this machine");
                let diagnostic = Diagnostic::new(Code::NOT_ASSIGNABLE, target.span, message);
                self.builder.elaborator.out.push(diagnostic);
                None
            }
        }
    }

    fn name_of(&self, variable: VariableId) -> Name {
        self.builder.elaborator.model.variable(variable).name.clone()
    }

    fn variable_value(&self, variable: VariableId, span: Span) -> Expr {
        let ty = self.builder.elaborator.variable_ty[variable.index()];
        Expr { kind: ExprKind::Variable(variable), ty: TypeId(ty.0), span }
    }

    fn local_value(&mut self, local: LocalId, span: Span) -> Expr {
        let ty = self.builder.elaborator.local_ty(local);
        Expr { kind: ExprKind::Local(local), ty: TypeId(ty.0), span }
    }

    /// A name for the next value of a variable, from here on.
    fn after(&mut self, variable: VariableId, settled: &mut Settled, span: Span) -> LocalId {
        if let Some(local) = settled.after(variable) {
            return local;
        }
        let name = Name::from(format!("{}'", self.name_of(variable)));
        let ty = self.builder.elaborator.variable_ty[variable.index()];
        let local = self.builder.elaborator.local_of(name, span, ty, LocalKind::ReadOnly);
        self.bind(local);
        settled.after.push((variable, local));
        local
    }

    /// Values for targets, one each; types must agree.
    fn assigned(
        &mut self,
        targets: &'a [ast::Expr],
        values: &'a [ast::Expr],
        span: Span,
    ) -> Vec<(VariableId, Expr)> {
        if targets.len() != values.len() {
            let message = format!("{} targets, but {} values", targets.len(), values.len());
            let diagnostic = Diagnostic::new(Code::ARITY, span, message);
            self.builder.elaborator.out.push(diagnostic);
        }
        let mut pairs = Vec::with_capacity(targets.len());
        for (target, value) in targets.iter().zip(values) {
            let value = self.builder.elaborator.expr(value);
            let Some(variable) = self.variable(target) else { continue };
            let current = self.variable_value(variable, target.span);
            self.builder.elaborator.same(&current, &value, "≔");
            pairs.push((variable, value));
        }
        pairs
    }

    /// The rest of a body: what the levels above an event demand and add.
    fn below(&mut self, level: usize, event: &'a Event, settled: Settled) -> Subst {
        let span = event.name.span;
        let refined = self.refined(level, event);
        match (refined.as_slice(), level.checked_sub(1)) {
            (_, None) => settled.finish(span),
            ([], Some(_)) if self.init || self.builder.chain.alone => settled.finish(span),
            ([], Some(above)) => {
                // A new event leaves the abstraction as it is.
                let mut steps = Vec::new();
                self.unchanged(above, &[], &settled, &mut steps, span);
                wrap(steps, settled.finish(span))
            }
            ([one], Some(above)) => self.refine(above, one, event, settled),
            (several, Some(above)) => self.merged(above, several, event, &settled),
        }
    }

    /// An event that refines several: at least one of them must be possible.
    fn merged(
        &mut self,
        above: usize,
        several: &[&'a Event],
        event: &'a Event,
        settled: &Settled,
    ) -> Subst {
        let span = event.name.span;
        let mut branches = Vec::new();
        for abstraction in several {
            let bound = self.bound;
            let hidden = self.hidden(abstraction, settled);
            let locals: Vec<LocalId> = hidden
                .iter()
                .map(|p| {
                    let local = self.builder.elaborator.local(p, LocalKind::ReadOnly);
                    self.bind(local);
                    local
                })
                .collect();
            self.builder.enter(above, Section::Operations);
            let guards = self.conjuncts(abstraction.guards.iter().filter(|g| !g.theorem));
            self.release(bound);
            let condition = match locals.is_empty() {
                true => guards,
                false => vec![exists(locals, guards, span)],
            };
            let body = self.refine(above, abstraction, event, settled.clone());
            branches.push((condition, body));
        }
        let never = conjunct(Pred { kind: PredKind::Bool(false), span }, span);
        let skip = Box::new(Subst { kind: SubstKind::Skip, span });
        let kind = SubstKind::Assert(Promise::GuardStrengthening, vec![never], skip);
        let otherwise = Some(Box::new(Subst { kind, span }));
        Subst { kind: SubstKind::Select(branches, otherwise), span }
    }

    fn release(&mut self, bound: usize) {
        self.builder.elaborator.unbind(self.bound - bound);
        self.bound = bound;
    }
}

fn conjunct(pred: Pred, span: Span) -> Conjunct {
    Conjunct { pred, label: None, span }
}

fn labelled(pred: Pred, label: &Name, span: Span) -> Conjunct {
    Conjunct { pred, label: (!label.is_empty()).then(|| label.clone()), span }
}

fn equal(a: Expr, b: Expr, span: Span) -> Pred {
    let kind = PredKind::Compare(CompareOp::Equal, Box::new(a), Box::new(b));
    Pred { kind, span }
}

fn exists(locals: Vec<LocalId>, conjuncts: Vec<Conjunct>, span: Span) -> Conjunct {
    let parts = conjuncts.into_iter().map(|c| c.pred).collect();
    let body = Box::new(Pred { kind: PredKind::And(parts), span });
    conjunct(Pred { kind: PredKind::Exists(locals, body), span }, span)
}
