//! What the concrete event does: its actions decide, nothing is owed yet.

use super::*;

impl<'a> Composer<'_, 'a> {
    /// An action of the concrete event: it decides.
    pub(super) fn own_action(
        &mut self,
        action: &'a Action,
        steps: &mut Vec<Step>,
        settled: &mut Settled,
    ) {
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
    pub(super) fn plain_choice(
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
    pub(super) fn give(
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

    pub(super) fn assign_named(&mut self, variable: VariableId, settled: &mut Settled, span: Span) {
        if let Some(local) = settled.after(variable) {
            let value = self.local_value(local, span);
            settled.assign(variable, value, span);
        }
    }

    /// The left-nested tuple of the variables, or of their next values.
    pub(super) fn tuple(
        &mut self,
        variables: &[VariableId],
        after: Option<&Settled>,
        span: Span,
    ) -> Expr {
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

    pub(super) fn member(&mut self, element: &Expr, set: &Expr) {
        let power = self.builder.elaborator.infer.power(Ty(element.ty.0));
        self.builder.elaborator.want(set, power, "the set after `:∈`");
    }

    /// What an action says of the next values; all its variables have a name for it.
    pub(super) fn condition(
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
}
