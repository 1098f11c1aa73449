//! What an event owes an event that it refines: its guards, values for what only it has, its actions.

use super::*;

impl<'a> Composer<'_, 'a> {
    /// Parameters of an abstract event that the concrete one does not have.
    pub(super) fn hidden(&self, abstraction: &'a Event, settled: &Settled) -> Vec<&'a ast::Ident> {
        let known = |p: &&ast::Ident| settled.parameters.contains(&p.name);
        abstraction.parameters.iter().filter(|p| !known(p)).collect()
    }

    /// The event of the level `above`, given what the event that refines it has settled.
    pub(super) fn refine(
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
    pub(super) fn name_unchanged(
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
    pub(super) fn parameter_witnesses(
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
        let (mut chosen, mut pending) = (Vec::new(), Vec::new());
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
                    pending.push(&witness.formula);
                }
                None => chosen.push(*local),
            }
            settled.parameters.push(parameter.name.clone());
        }
        for local in &chosen {
            self.bind(*local);
        }
        let mut conditions = Vec::new();
        for formula in pending {
            conditions.extend(self.builder.elaborator.conjuncts(formula));
        }
        (chosen, conditions)
    }

    /// Variables of the level `above` that get a value, and that the abstract event leaves alone.
    pub(super) fn unchanged(
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
    pub(super) fn is_known(
        &mut self,
        above: usize,
        variable: VariableId,
        settled: &Settled,
    ) -> bool {
        settled.assigned.contains(&variable)
            || (!self.init && self.builder.chain.has(above + 1, &self.name_of(variable)))
    }

    pub(super) fn known_value(
        &mut self,
        variable: VariableId,
        settled: &Settled,
        span: Span,
    ) -> Expr {
        match settled.after(variable) {
            Some(local) => self.local_value(local, span),
            None => self.variable_value(variable, span),
        }
    }

    pub(super) fn abstract_assignment(
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

    pub(super) fn abstract_choice(
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
        let mut pending = Vec::new();
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
                    pending.extend(found.map(|(witness, _)| &witness.formula));
                    chosen.push(self.after(*variable, settled, span));
                }
            }
        }
        let mut conditions = Vec::new();
        self.builder.enter(above + 1, Section::Operations);
        for formula in pending {
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
