//! One event and all that it refines, as one operation.
//!
//! The operation has the parameters and guards of the concrete event. Its body settles level by
//! level, most concrete first, what the next state is: concrete actions give concrete variables their
//! values; a witness or the abstract action gives a value to what only an abstraction has. What an
//! abstraction then still demands is a promise: its guards (guard strengthening), and its actions on
//! variables that have a value by now (simulation). What is written alike on both levels needs no
//! second look.
//!
//! `x'` is a local of that name; it exists only where something speaks of it.

use super::settled::{Settled, Step, wrap};
use super::{Builder, event_named};
use crate::elaborate::{Entity, LocalKind, Section};
use crate::infer::Ty;
use crate::{
    BecomesSuch, BinaryOp, CompareOp, Conjunct, Expr, ExprKind, LocalId, Name, Place, Pred,
    PredKind, Promise, Subst, SubstKind, TypeId, VariableId,
};
use beeline_eventb::{Action, Convergence, Event, Labelled};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast;

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
        let mut open = vec![(level, event)];
        while let Some((level, event)) = open.pop() {
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
                open.push((above, abstraction));
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
                let message = format!("`{name}` is no variable of this machine");
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

    /// An action of the concrete event: it decides.
    fn own_action(&mut self, action: &'a Action, steps: &mut Vec<Step>, settled: &mut Settled) {
        let span = action.subst.span;
        match &action.subst.kind {
            ast::SubstKind::Assign(targets, values) => {
                for (variable, value) in self.assigned(targets, values, span) {
                    self.give(variable, value, steps, settled, span);
                }
            }
            ast::SubstKind::BecomesElement(targets, _)
            | ast::SubstKind::BecomesSuch(targets, _) => {
                let variables: Vec<_> = targets.iter().filter_map(|t| self.variable(t)).collect();
                let named = variables.iter().any(|v| settled.needed.contains(&self.name_of(*v)));
                if !named {
                    self.plain_choice(&action.subst, &variables, settled);
                    return;
                }
                for variable in &variables {
                    self.after(*variable, settled, span);
                }
                let condition = self.condition(&action.subst, &variables, settled);
                let locals = variables.iter().filter_map(|v| settled.after(*v)).collect();
                steps.push(Step::Any(locals, vec![conjunct(condition, span)]));
                for variable in variables {
                    self.assign_named(variable, settled, span);
                }
            }
            _ => {}
        }
    }

    /// A choice of next values that nothing else speaks of.
    fn plain_choice(
        &mut self,
        subst: &'a ast::Subst,
        variables: &[VariableId],
        settled: &mut Settled,
    ) {
        let span = subst.span;
        let places: Vec<Place> = variables.iter().map(|v| Place::Variable(*v)).collect();
        let kind = match &subst.kind {
            ast::SubstKind::BecomesElement(_, set) => {
                let set = self.builder.elaborator.expr(set);
                let element = self.tuple(variables, None, span);
                self.member(&element, &set);
                SubstKind::BecomesElement(places, Box::new(set))
            }
            _ => {
                let mut inner = Settled::default();
                let before = self.bound;
                let after = variables.iter().map(|v| self.after(*v, &mut inner, span)).collect();
                let predicate = self.condition(subst, variables, &mut inner);
                self.builder.elaborator.unbind(self.bound - before);
                self.bound = before;
                SubstKind::BecomesSuch(Box::new(BecomesSuch { places, after, predicate }))
            }
        };
        settled.finals.push(Subst { kind, span });
        settled.assigned.extend(variables);
    }

    /// A variable gets a value, under a name if its next value is spoken of.
    fn give(
        &mut self,
        variable: VariableId,
        value: Expr,
        steps: &mut Vec<Step>,
        settled: &mut Settled,
        span: Span,
    ) {
        if !settled.needed.contains(&self.name_of(variable)) {
            settled.assign(variable, value, span);
            return;
        }
        let local = self.after(variable, settled, span);
        steps.push(Step::Let(vec![(local, value)]));
        self.assign_named(variable, settled, span);
    }

    fn assign_named(&mut self, variable: VariableId, settled: &mut Settled, span: Span) {
        if let Some(local) = settled.after(variable) {
            let value = self.local_value(local, span);
            settled.assign(variable, value, span);
        }
    }

    /// The left-nested tuple of the variables, or of their next values.
    fn tuple(&mut self, variables: &[VariableId], after: Option<&Settled>, span: Span) -> Expr {
        let mut tuple: Option<Expr> = None;
        for variable in variables {
            let value = match after.and_then(|s| s.after(*variable)) {
                Some(local) => self.local_value(local, span),
                None => self.variable_value(*variable, span),
            };
            tuple = Some(match tuple {
                None => value,
                Some(left) => {
                    let infer = &mut self.builder.elaborator.infer;
                    let ty = TypeId(infer.pair(Ty(left.ty.0), Ty(value.ty.0)).0);
                    let kind = ExprKind::Binary(BinaryOp::Pair, Box::new(left), Box::new(value));
                    Expr { kind, ty, span }
                }
            });
        }
        tuple.unwrap_or(Expr { kind: ExprKind::EmptySet, ty: TypeId(0), span })
    }

    fn member(&mut self, element: &Expr, set: &Expr) {
        let power = self.builder.elaborator.infer.power(Ty(element.ty.0));
        self.builder.elaborator.want(set, power, "the set behind `:∈`");
    }

    /// What an action says of the next values; all its variables have a name for it.
    fn condition(
        &mut self,
        subst: &'a ast::Subst,
        variables: &[VariableId],
        settled: &mut Settled,
    ) -> Pred {
        let span = subst.span;
        match &subst.kind {
            ast::SubstKind::BecomesElement(_, set) => {
                let set = self.builder.elaborator.expr(set);
                let element = self.tuple(variables, Some(settled), span);
                self.member(&element, &set);
                let member = CompareOp::Member;
                let kind = PredKind::Compare(member, Box::new(element), Box::new(set));
                Pred { kind, span }
            }
            ast::SubstKind::BecomesSuch(_, predicate) => self.builder.elaborator.pred(predicate),
            _ => Pred { kind: PredKind::Bool(true), span },
        }
    }

    /// What a convergent or anticipated event owes: a step before, and a check after.
    fn variant(&mut self, level: usize, event: &'a Event, steps: &mut Vec<Step>) -> Option<Subst> {
        let machine = self.builder.chain.machines[level];
        let variant = machine.variants.first()?;
        if event.convergence == Convergence::Ordinary || event.is_initialisation() {
            return None;
        }
        let before = self.builder.elaborator.expr(variant);
        let after = self.builder.elaborator.expr(variant);
        let span = variant.span;
        let ty = Ty(before.ty.0);
        let name = Name::from("variant");
        let local = self.builder.elaborator.local_of(name, span, ty, LocalKind::ReadOnly);
        steps.push(Step::Let(vec![(local, before)]));
        let set = matches!(self.builder.elaborator.infer.node(ty), crate::infer::Node::Power(_));
        let less = match (event.convergence, set) {
            (Convergence::Convergent, false) => CompareOp::Less,
            (_, false) => CompareOp::LessEqual,
            (Convergence::Convergent, true) => CompareOp::StrictSubset,
            (_, true) => CompareOp::Subset,
        };
        let old = self.local_value(local, span);
        let kind = PredKind::Compare(less, Box::new(after), Box::new(old));
        let check = vec![conjunct(Pred { kind, span }, span)];
        let skip = Box::new(Subst { kind: SubstKind::Skip, span });
        Some(Subst { kind: SubstKind::Assert(Promise::Variant, check, skip), span })
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

    /// Parameters of an abstract event that the concrete one does not have.
    fn hidden(&self, abstraction: &'a Event, settled: &Settled) -> Vec<&'a ast::Ident> {
        let known = |p: &&ast::Ident| settled.parameters.contains(&p.name);
        abstraction.parameters.iter().filter(|p| !known(p)).collect()
    }

    /// The event of the level `above`, given what the event that refines it has settled.
    fn refine(
        &mut self,
        above: usize,
        abstraction: &'a Event,
        event: &'a Event,
        mut settled: Settled,
    ) -> Subst {
        let bound = self.bound;
        let span = event.name.span;
        let mut steps = Vec::new();
        self.builder.enter(above + 1, Section::Operations);
        self.name_unchanged(above + 1, event, &mut settled, &mut steps);
        let (chosen, mut conditions) =
            self.parameter_witnesses(abstraction, event, &mut settled, &mut steps);
        self.builder.enter(above, Section::Operations);
        let new = abstraction.guards.iter().filter(|g| !g.theorem && !guarded(g, event));
        let guards = self.conjuncts(new);
        if chosen.is_empty() {
            if !guards.is_empty() {
                steps.push(Step::Assert(Promise::GuardStrengthening, guards));
            }
        } else {
            conditions.extend(guards);
            let some = exists(chosen.clone(), conditions.clone(), span);
            steps.push(Step::Assert(Promise::GuardStrengthening, vec![some]));
            steps.push(Step::Any(chosen, conditions));
        }
        if !self.init {
            let theirs: Vec<&Name> = abstraction.actions.iter().flat_map(targets).collect();
            self.unchanged(above, &theirs, &settled, &mut steps, span);
        }
        let (plain, choices): (Vec<&'a Action>, Vec<&'a Action>) = abstraction
            .actions
            .iter()
            .filter(|a| !repeated(a, event))
            .partition(|a| matches!(a.subst.kind, ast::SubstKind::Assign(..)));
        for action in plain {
            self.abstract_assignment(above, action, &mut settled, &mut steps);
        }
        for action in choices {
            self.abstract_choice(above, action, event, &mut settled, &mut steps);
        }
        let rest = self.below(above, abstraction, settled);
        self.release(bound);
        wrap(steps, rest)
    }

    /// Witnesses may speak of the next value of a variable that the event leaves as it is.
    fn name_unchanged(
        &mut self,
        level: usize,
        event: &'a Event,
        settled: &mut Settled,
        steps: &mut Vec<Step>,
    ) {
        for witness in &event.witnesses {
            for name in primed(&witness.formula) {
                let entity = self.builder.elaborator.scope.names.get(&name).copied();
                let Some(Entity::Variable(variable, _)) = entity else { continue };
                let known = settled.after(variable).is_some();
                if known || !self.builder.chain.has(level, &name) {
                    continue;
                }
                let span = witness.formula.span;
                let value = self.variable_value(variable, span);
                let local = self.after(variable, settled, span);
                steps.push(Step::Let(vec![(local, value)]));
            }
        }
    }

    /// Values for parameters that only the abstraction has: those that are left to be chosen, and
    /// what is known of them.
    fn parameter_witnesses(
        &mut self,
        abstraction: &'a Event,
        event: &'a Event,
        settled: &mut Settled,
        steps: &mut Vec<Step>,
    ) -> (Vec<LocalId>, Vec<Conjunct>) {
        let hidden = self.hidden(abstraction, settled);
        let mut locals = Vec::with_capacity(hidden.len());
        for parameter in &hidden {
            let local = self.builder.elaborator.local(parameter, LocalKind::ReadOnly);
            locals.push(local);
        }
        let (mut chosen, mut open) = (Vec::new(), Vec::new());
        for (parameter, local) in hidden.iter().zip(&locals) {
            let witness = event.witnesses.iter().find(|w| w.name.name == parameter.name);
            match witness.map(|w| (w, value_of(&w.formula, &parameter.name))) {
                Some((_, Some(value))) => {
                    let value = self.builder.elaborator.expr(value);
                    let known = self.local_value(*local, value.span);
                    self.builder.elaborator.same(&known, &value, "=");
                    steps.push(Step::Let(vec![(*local, value)]));
                    self.bind(*local);
                }
                Some((witness, None)) => {
                    chosen.push(*local);
                    open.push(&witness.formula);
                }
                None => chosen.push(*local),
            }
            settled.parameters.push(parameter.name.clone());
        }
        for local in &chosen {
            self.bind(*local);
        }
        let mut conditions = Vec::new();
        for formula in open {
            conditions.extend(self.builder.elaborator.conjuncts(formula));
        }
        (chosen, conditions)
    }

    /// Variables of the level `above` that get a value, and that the abstract event leaves alone.
    fn unchanged(
        &mut self,
        above: usize,
        theirs: &[&Name],
        settled: &Settled,
        steps: &mut Vec<Step>,
        span: Span,
    ) {
        let mut demands = Vec::new();
        for variable in settled.assigned.clone() {
            let name = self.name_of(variable);
            if !self.builder.chain.has(above, &name) || theirs.contains(&&name) {
                continue;
            }
            if let Some(local) = settled.after(variable) {
                let (new, old) =
                    (self.local_value(local, span), self.variable_value(variable, span));
                demands.push(conjunct(equal(new, old, span), span));
            }
        }
        if !demands.is_empty() {
            steps.push(Step::Assert(Promise::Simulation, demands));
        }
    }

    /// Has the variable a next value by now? A concrete variable that was not assigned keeps its own.
    fn is_known(&mut self, above: usize, variable: VariableId, settled: &Settled) -> bool {
        settled.assigned.contains(&variable)
            || (!self.init && self.builder.chain.has(above + 1, &self.name_of(variable)))
    }

    fn known_value(&mut self, variable: VariableId, settled: &Settled, span: Span) -> Expr {
        match settled.after(variable) {
            Some(local) => self.local_value(local, span),
            None => self.variable_value(variable, span),
        }
    }

    fn abstract_assignment(
        &mut self,
        above: usize,
        action: &'a Action,
        settled: &mut Settled,
        steps: &mut Vec<Step>,
    ) {
        let ast::SubstKind::Assign(targets, values) = &action.subst.kind else { return };
        let span = action.subst.span;
        for (variable, value) in self.assigned(targets, values, span) {
            if self.is_known(above, variable, settled) {
                let new = self.known_value(variable, settled, span);
                let demand = labelled(equal(new, value, span), &action.label, span);
                steps.push(Step::Assert(Promise::Simulation, vec![demand]));
            } else {
                self.give(variable, value, steps, settled, span);
            }
        }
    }

    fn abstract_choice(
        &mut self,
        above: usize,
        action: &'a Action,
        event: &'a Event,
        settled: &mut Settled,
        steps: &mut Vec<Step>,
    ) {
        let (ast::SubstKind::BecomesElement(targets, _) | ast::SubstKind::BecomesSuch(targets, _)) =
            &action.subst.kind
        else {
            return;
        };
        let span = action.subst.span;
        let variables: Vec<_> = targets.iter().filter_map(|t| self.variable(t)).collect();
        let mut chosen = Vec::new();
        let mut open = Vec::new();
        let mut new = Vec::new();
        for variable in &variables {
            let name = self.name_of(*variable);
            if self.is_known(above, *variable, settled) {
                if settled.after(*variable).is_none() {
                    let value = self.variable_value(*variable, span);
                    let local = self.after(*variable, settled, span);
                    steps.push(Step::Let(vec![(local, value)]));
                }
                continue;
            }
            new.push(*variable);
            let next = format!("{name}'");
            let witness = event.witnesses.iter().find(|w| w.name.name == next);
            match witness.map(|w| (w, value_of(&w.formula, &next))) {
                Some((_, Some(value))) => {
                    self.builder.enter(above + 1, Section::Operations);
                    let value = self.builder.elaborator.expr(value);
                    self.builder.enter(above, Section::Operations);
                    let local = self.after(*variable, settled, span);
                    let known = self.local_value(local, span);
                    self.builder.elaborator.same(&known, &value, "=");
                    steps.push(Step::Let(vec![(local, value)]));
                }
                found => {
                    open.extend(found.map(|(witness, _)| &witness.formula));
                    chosen.push(self.after(*variable, settled, span));
                }
            }
        }
        let mut conditions = Vec::new();
        self.builder.enter(above + 1, Section::Operations);
        for formula in open {
            conditions.extend(self.builder.elaborator.conjuncts(formula));
        }
        self.builder.enter(above, Section::Operations);
        let condition = self.condition(&action.subst, &variables, settled);
        conditions.push(labelled(condition, &action.label, span));
        if chosen.is_empty() {
            steps.push(Step::Assert(Promise::Simulation, conditions));
        } else {
            let some = exists(chosen.clone(), conditions.clone(), span);
            steps.push(Step::Assert(Promise::Simulation, vec![some]));
            steps.push(Step::Any(chosen, conditions));
        }
        for variable in new {
            self.assign_named(variable, settled, span);
        }
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

/// The names that an action assigns to.
fn targets(action: &Action) -> impl Iterator<Item = &Name> {
    let list: &[ast::Expr] = match &action.subst.kind {
        ast::SubstKind::Assign(targets, _)
        | ast::SubstKind::BecomesElement(targets, _)
        | ast::SubstKind::BecomesSuch(targets, _) => targets,
        _ => &[],
    };
    list.iter().filter_map(|t| match &t.peeled().kind {
        ast::ExprKind::Ident(name) => Some(name),
        _ => None,
    })
}

fn assigns(event: &Event, name: &Name) -> bool {
    event.actions.iter().flat_map(targets).any(|n| n == name)
}

/// Does the event repeat this action of its abstraction?
fn repeated(action: &Action, event: &Event) -> bool {
    event.actions.iter().any(|a| a.subst == action.subst)
}

/// Does the event repeat this guard of its abstraction?
fn guarded(guard: &Labelled, event: &Event) -> bool {
    event.guards.iter().any(|g| !g.theorem && g.formula == guard.formula)
}

/// The variables whose next value a formula speaks of.
fn primed(formula: &ast::Expr) -> Vec<Name> {
    let mut names = Vec::new();
    crate::walk::names_in_expr(formula, &mut |name, _| {
        names.extend(name.strip_suffix('\'').map(Name::from));
    });
    names
}

/// `E` of a witness `p = E` or `E = p`.
fn value_of<'a>(formula: &'a ast::Expr, name: &str) -> Option<&'a ast::Expr> {
    let ast::ExprKind::Binary(ast::BinaryOp::Equal, a, b) = &formula.peeled().kind else {
        return None;
    };
    let is_name = |e: &ast::Expr| matches!(&e.peeled().kind, ast::ExprKind::Ident(n) if n == name);
    let mentions = |e: &ast::Expr| {
        let mut found = false;
        crate::walk::names_in_expr(e, &mut |n, _| found |= n == name);
        found
    };
    if is_name(a) && !mentions(b) {
        Some(b)
    } else if is_name(b) && !mentions(a) {
        Some(a)
    } else {
        None
    }
}
