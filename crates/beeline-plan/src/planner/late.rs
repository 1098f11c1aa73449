//! Names that are found after the others: what the solver has no form for.

use super::*;

impl Planner<'_> {
    /// Names whose value is computed from others (`x = E`) in a way that the solver has no form
    /// for: they are computed when it has found the others.
    pub(super) fn late_names(
        &mut self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
    ) -> BTreeSet<Name> {
        let mut late = BTreeSet::new();
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { continue };
            for (side, value) in [(a, b), (b, a)] {
                let Some(name) = as_name(side).filter(|n| unbound.contains(n)) else { continue };
                let needs = self.unknown_in_expr(value, unbound);
                // A value that waits for one which waits itself could wait for ever.
                if needs.contains(&name) || needs.iter().any(|n| late.contains(n)) {
                    continue;
                }
                // Trees of values without bound (records, free types, strings) have no domain to search in.
                if !self.has_finite_shape(name.ty(self.model))
                    || self.lacks_candidates(name, atoms, unbound)
                    || !self.has_form(value, unbound)
                {
                    late.insert(name);
                }
            }
        }
        self.sets_within_others(atoms, unbound, &mut late);
        late
    }

    /// Is it a set that could have infinitely many elements, for all that is known before the
    /// others are found? `s = a..b`
    fn lacks_candidates(&self, name: Name, atoms: &[Atom], unbound: &BTreeSet<Name>) -> bool {
        use beeline_model::{BasicSet, Type};
        let Type::Power(of) = self.model.types.get(name.ty(self.model)) else { return false };
        let is_infinite = |e: &Expr| {
            let infinite = [BasicSet::Integer, BasicSet::Natural, BasicSet::Natural1];
            matches!(&e.kind, ExprKind::Basic(set) if infinite.contains(set))
        };
        let known = |atom: &Atom| match &atom.pred.kind {
            PredKind::Compare(op @ (CompareOp::Member | CompareOp::Subset), a, set)
                if as_name(a) == Some(name) =>
            {
                let within = match (op, &set.kind) {
                    (CompareOp::Member, ExprKind::Unary(_, of)) => of,
                    _ => set,
                };
                !is_infinite(within) && self.unknown_in_expr(set, unbound).is_empty()
            }
            PredKind::Compare(CompareOp::Equal, ..) | PredKind::Partition(..) => {
                atom.needs.len() == 1 && atom.needs.contains(&name)
            }
            _ => false,
        };
        matches!(self.model.types.get(*of), Type::Integer) && !atoms.iter().any(known)
    }

    /// Sets and functions of which nothing is known but that they are within something that other
    /// names determine: first the others.
    pub(super) fn sets_within_others(
        &self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        late: &mut BTreeSet<Name>,
    ) {
        for &name in unbound {
            let is_set =
                matches!(self.model.types.get(name.ty(self.model)), beeline_model::Type::Power(_));
            if !is_set || late.contains(&name) {
                continue;
            }
            // What follows from several conjuncts is much more than what the others leave.
            let sources: Vec<BTreeSet<Name>> = atoms
                .iter()
                .filter(|a| !a.done && !a.implied)
                .filter_map(|atom| match &atom.pred.kind {
                    PredKind::Compare(CompareOp::Member | CompareOp::Subset, a, set)
                        if as_name(a) == Some(name) =>
                    {
                        Some(self.unknown_in_expr(set, unbound))
                    }
                    _ => None,
                })
                .collect();
            let free = |needs: &BTreeSet<Name>| !needs.contains(&name) && needs.is_disjoint(late);
            // One source that is known is enough for the solver: then nothing has to wait.
            if !sources.is_empty()
                && sources.iter().all(|needs| !needs.is_empty())
                && sources.iter().any(free)
            {
                late.insert(name);
            }
        }
    }

    /// Can values of this type be taken apart into integers?
    pub(super) fn has_finite_shape(&self, ty: TypeId) -> bool {
        use beeline_model::Type;
        match self.model.types.get(ty) {
            Type::Bool | Type::Integer | Type::Given(_) => true,
            Type::Pair(a, b) => self.has_finite_shape(*a) && self.has_finite_shape(*b),
            Type::Power(of) => self.has_finite_shape(*of),
            _ => false,
        }
    }
}
