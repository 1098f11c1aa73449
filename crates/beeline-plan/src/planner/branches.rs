//! Names bound by the branches of a conjunct, or by the domain of a function that it applies.

use super::*;

impl Planner<'_> {
    /// Disjunctions and existential quantifiers as generators of the names all branches bind.
    pub(super) fn branches(
        &mut self,
        index: usize,
        atom: &Atom,
        unbound: &BTreeSet<Name>,
        depth: usize,
    ) -> Option<Candidate> {
        let (parts, extra): (Vec<&Pred>, &[LocalId]) = match &atom.pred.kind {
            PredKind::Or(parts) => (parts.iter().collect(), &[]),
            PredKind::Exists(locals, body) => (vec![body], locals),
            _ => return None,
        };
        let needs: Vec<BTreeSet<Name>> = parts.iter().map(|p| self.needs_of(p, unbound)).collect();
        let mut names: BTreeSet<Name> = needs.first()?.clone();
        // Only names that every branch binds: a branch that says nothing of a name allows all its values.
        for other in &needs {
            names = names.intersection(other).copied().collect();
        }
        if names.is_empty() {
            return None;
        }
        let exact = needs.iter().all(|n| n.is_subset(&names));
        let mut inner: Vec<Name> = names.iter().copied().collect();
        inner.extend(extra.iter().map(|l| Name::Local(*l)));
        let mut plans = Vec::new();
        let mut cost = 0.0;
        for part in parts {
            let mut conjuncts = Vec::new();
            normal::split(part, &mut conjuncts);
            normal::pair_implications(&mut conjuncts);
            // What speaks of further unbound names cannot be decided here. The atom is then tested as a whole.
            conjuncts.retain(|p| self.needs_of(p, unbound).is_subset(&names));
            let plan = self.plan(&inner, conjuncts, depth + 1);
            // One branch without end makes the whole without end.
            if plan.unbounded {
                return None;
            }
            cost += plan.fanout;
            plans.push(Arc::new(plan));
        }
        Some(Candidate {
            // Values of several branches must be told apart.
            cost: cost * 1.2,
            unbounded: false,
            settles: if exact { vec![index] } else { Vec::new() },
            how: Generator::Any { plans, names: names.iter().copied().collect(), of_if: false },
            binds: names,
        })
    }

    /// `f(x)` in an atom: x is in the domain of f, or the atom has no meaning. A name of few values is
    /// tried with all of them, so that an atom without a meaning is seen; how few they are is not for
    /// an estimate to say.
    pub(super) fn domains(
        &self,
        _index: usize,
        pred: &Pred,
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let mut found = Vec::new();
        applications_in_pred(pred, &mut found);
        for (function, argument) in found {
            if self.unknown_in_expr(function, unbound).is_empty()
                && let Some(binds) = self.pattern_binds(argument, unbound)
                && binds.iter().any(|n| self.type_size(n.ty(self.model)) > FEW)
                && !matches!(function.kind, ExprKind::Function(_) | ExprKind::Constructor(..))
                && let Some(pair) = self.model.types.element(function.ty)
                && let Some((left, _)) = self.model.types.halves(pair)
                && let Some(ty) = self.model.types.find(&beeline_model::Type::Power(left))
            {
                let set = Expr {
                    kind: ExprKind::Unary(UnaryOp::Domain, Box::new(function.clone())),
                    ty,
                    span: function.span,
                };
                // What a state or another function holds is listed; a constant may well be a
                // lambda without end, of which the solver makes more.
                let listed = matches!(function.kind, ExprKind::Variable(_) | ExprKind::Apply(..));
                offer(Candidate {
                    cost: if listed { LISTED } else { 1e12 },
                    unbounded: false,
                    binds,
                    settles: Vec::new(),
                    how: Generator::Member { pattern: argument.clone(), set },
                });
            }
        }
    }
}

/// How many arguments a function has of which nothing is known but that it is listed.
const LISTED: f64 = 30.0;

/// Function applications that are evaluated whenever the atom is.
fn applications_in_pred<'a>(p: &'a Pred, out: &mut Vec<(&'a Expr, &'a Expr)>) {
    if let PredKind::Compare(_, a, b) = &p.kind {
        applications_in_expr(a, out);
        applications_in_expr(b, out);
    }
}

fn applications_in_expr<'a>(e: &'a Expr, out: &mut Vec<(&'a Expr, &'a Expr)>) {
    match &e.kind {
        ExprKind::Apply(function, argument) => {
            out.push((function, argument));
            applications_in_expr(function, out);
            applications_in_expr(argument, out);
        }
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => applications_in_expr(a, out),
        ExprKind::Binary(_, a, b) => {
            applications_in_expr(a, out);
            applications_in_expr(b, out);
        }
        _ => {}
    }
}
