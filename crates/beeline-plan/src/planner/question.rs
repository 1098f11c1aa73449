//! Questions for the solver: which names, which conjuncts, and where the names' values come from.

use super::*;
use crate::plan::{Constraint, Question, Source, Unknown};
use beeline_model::{ConstantId, Role, Type};

impl Planner<'_> {
    /// A question about all unbound names, with a plan to fall back on.
    ///
    /// Conjuncts about names that are found later are left alone.
    pub(super) fn question(
        &mut self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        late: &BTreeSet<Name>,
        fallback: Plan,
    ) -> Question {
        let names: Vec<Name> = unbound.iter().copied().collect();
        let ends = self.ends_of_intervals(atoms, unbound);
        let mut unknowns: Vec<Unknown> =
            names.iter().map(|n| self.unknown(*n, ends.contains(n))).collect();
        for atom in atoms {
            if let Some((name, set)) = self.sized_sequence(atoms, atom, unbound)
                && let Some(i) = names.iter().position(|n| *n == name)
            {
                // What several conjuncts say together belongs to none of them, so none is settled by it.
                unknowns[i].sets.push((None, Source::Element(set)));
            }
        }
        let mut constraints = Vec::new();
        for atom in atoms.iter().filter(|a| !a.done && a.needs.is_disjoint(late)) {
            let pred = atom.pred.clone();
            let mine = (0..names.len()).filter(|i| atom.needs.contains(&names[*i])).collect();
            if let PredKind::Compare(op, a, b) = &pred.kind
                && let Some(name) = as_name(a)
                && let Some(i) = names.iter().position(|n| *n == name)
                && self.unknown_in_expr(b, unbound).is_empty()
            {
                let source = match op {
                    CompareOp::Member => Some(Source::Element((**b).clone())),
                    CompareOp::Subset => Some(Source::Subset((**b).clone())),
                    _ => None,
                };
                // What only follows from others need not be posted: they are.
                let place = (!atom.implied).then_some(constraints.len());
                unknowns[i].sets.extend(source.map(|source| (place, source)));
            }
            if atom.implied {
                continue;
            }
            // More sets than one are welcome: the smallest becomes the domain.
            self.implied_sets(&pred, &names, unbound, &mut unknowns);
            let template = self.template(&pred, unbound);
            constraints.push(Constraint { pred, template, names: mine, fixed: false });
        }
        let reads = self.fixed(unbound, &unknowns, &mut constraints);
        Question { unknowns, constraints, reads, fallback }
    }

    fn unknown(&self, name: Name, is_end: bool) -> Unknown {
        let is_elsewhere = match name {
            Name::Local(_) => false,
            Name::Constant(c) => {
                let component = self.model.constant(c).component;
                let component = self.model.components.get(component.index());
                component.is_some_and(|c| c.role != Role::Main)
            }
        };
        // The main component's constants before those that it sees or includes.
        let turn = (is_end, is_elsewhere);
        let (ty, span) = (name.ty(self.model), name.span(self.model));
        Unknown { name, ty, span, sets: Vec::new(), turn }
    }

    /// Names that say how far an interval goes which others are elements of (`x : 0..n`). There may
    /// be no end to these; the others come first.
    fn ends_of_intervals(&self, atoms: &[Atom], unbound: &BTreeSet<Name>) -> BTreeSet<Name> {
        let ends = |atom: &Atom| match &atom.pred.kind {
            PredKind::Compare(CompareOp::Member, element, set) => match &set.kind {
                ExprKind::Binary(BinaryOp::Interval, low, high)
                    if !self.unknown_in_expr(element, unbound).is_empty() =>
                {
                    let mut ends = self.unknown_in_expr(low, unbound);
                    ends.extend(self.unknown_in_expr(high, unbound));
                    ends
                }
                _ => BTreeSet::new(),
            },
            _ => BTreeSet::new(),
        };
        atoms.iter().filter(|a| !a.done).flat_map(ends).collect()
    }

    /// Marks the conjuncts that are the same in every state, if they bound all unknowns; the constants
    /// that they read.
    fn fixed(
        &self,
        unbound: &BTreeSet<Name>,
        unknowns: &[Unknown],
        constraints: &mut [Constraint],
    ) -> Option<BTreeSet<ConstantId>> {
        // Constants that are being found are not the same for long.
        if unbound.iter().any(|name| matches!(name, Name::Constant(_))) {
            return None;
        }
        let mut reads = BTreeSet::new();
        for constraint in constraints.iter_mut() {
            let names = Names::of_pred(self.model, &constraint.pred);
            let mine = |l: &LocalId| unbound.contains(&Name::Local(*l));
            constraint.fixed = names.variables.is_empty() && names.locals.iter().all(mine);
            if constraint.fixed {
                reads.extend(names.constants);
            }
        }
        // One unknown that only the state bounds, and nothing of this could be remembered.
        let bounded = unknowns.iter().all(|unknown| {
            let known = |place: &Option<usize>| place.is_some_and(|i| constraints[i].fixed);
            // What is written out is the same in every state, whoever says it.
            let written = |source: &Source| {
                let (Source::Element(set) | Source::Subset(set)) = source;
                Names::of_expr(self.model, set).is_closed()
            };
            let sets = &unknown.sets;
            !sets.is_empty() && sets.iter().all(|(place, set)| known(place) || written(set))
        });
        if !bounded {
            constraints.iter_mut().for_each(|c| c.fixed = false);
        }
        bounded.then_some(reads)
    }

    /// `a \/ b = S` and `partition(S, a, b)` say that a and b are within S.
    fn implied_sets(
        &self,
        p: &Pred,
        names: &[Name],
        unbound: &BTreeSet<Name>,
        unknowns: &mut [Unknown],
    ) {
        let mut inside: Vec<(&Expr, &Expr)> = Vec::new();
        match &p.kind {
            PredKind::Compare(CompareOp::Equal, a, b) => inside.extend([(&**a, &**b), (b, a)]),
            PredKind::Compare(CompareOp::Subset, a, b) => inside.push((a, b)),
            PredKind::Partition(whole, parts) => {
                inside.extend(parts.iter().map(|part| (part, &**whole)));
            }
            _ => return,
        }
        for (part, whole) in inside {
            if !self.unknown_in_expr(whole, unbound).is_empty() {
                continue;
            }
            let mut unions = vec![part];
            while let Some(e) = unions.pop() {
                if let ExprKind::Binary(BinaryOp::Union, a, b) = &e.kind {
                    unions.extend([&**a, &**b]);
                } else if let Some(name) = as_name(e)
                    && let Some(i) = names.iter().position(|n| *n == name)
                    && matches!(self.model.types.get(e.ty), Type::Power(_))
                {
                    unknowns[i].sets.push((None, Source::Subset(whole.clone())));
                }
            }
        }
    }
}
