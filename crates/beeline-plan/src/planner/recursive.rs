//! Constants that are defined by themselves: `f = %x.(P | … f(x - 1) …)`, several together too.
//!
//! The name may occur below lambdas and comprehensions only: these stay unevaluated until they are
//! applied, so that a definition can be evaluated before its name has a value.

use super::*;
use beeline_model::{ConstantId, Part, applies};

/// Constants with a definition each, that need each other and nothing else that is unknown.
pub(super) struct Group {
    pub definitions: Vec<(ConstantId, Expr)>,
    /// The atoms that are the definitions.
    pub atoms: Vec<usize>,
}

impl Group {
    /// What it is like to take the definitions for what they define.
    ///
    /// Functions that are applied in them are defined by them: nothing is better. Otherwise they may be
    /// equations with any number of solutions, as `k = {x | k = {}}`, which has none: candidates are tried,
    /// if there are fewer than this.
    pub fn cost(&self) -> f64 {
        const FEW: f64 = 4096.0;
        let constants = || self.definitions.iter().map(|d| d.0);
        let is_applied = |c| self.definitions.iter().any(|d| applies(&d.1, c));
        if constants().all(is_applied) { 0.0 } else { FEW }
    }
}

impl Planner<'_> {
    /// The smallest group of recursive definitions among the atoms.
    pub(super) fn recursive_group(
        &self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
    ) -> Option<Group> {
        let mut found: BTreeMap<ConstantId, (usize, &Expr, BTreeSet<ConstantId>)> = BTreeMap::new();
        for (i, atom) in atoms.iter().enumerate() {
            let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { continue };
            for (side, value) in [(a, b), (b, a)] {
                if let ExprKind::Constant(constant) = side.kind
                    && !atom.done
                    && unbound.contains(&Name::Constant(constant))
                    && !found.contains_key(&constant)
                    && let Some(needs) = self.below_binders(value, unbound)
                {
                    found.insert(constant, (i, &**value, needs));
                }
            }
        }
        let groups = found.keys().filter_map(|first| {
            let mut group = BTreeSet::new();
            let mut todo = vec![*first];
            // A definition belongs to the group of all that it needs, and of all that these need.
            while let Some(next) = todo.pop() {
                todo.extend(found.get(&next)?.2.iter().filter(|c| group.insert(**c)));
            }
            group.contains(first).then_some(group)
        });
        // The smallest first: larger ones may need its names, and then these are known.
        let group = groups.min_by_key(BTreeSet::len)?;
        let rows = || group.iter().filter_map(|c| Some((*c, found.get(c)?)));
        Some(Group {
            definitions: rows().map(|(c, row)| (c, row.1.clone())).collect(),
            atoms: rows().map(|(_, row)| row.0).collect(),
        })
    }

    /// The unbound constants in an expression, if all of them stand below lambdas or comprehensions,
    /// and no other name is unbound.
    fn below_binders(&self, e: &Expr, unbound: &BTreeSet<Name>) -> Option<BTreeSet<ConstantId>> {
        let mut needs = BTreeSet::new();
        for name in self.unknown_in_expr(e, unbound) {
            match name {
                Name::Constant(c) if !at_once_in_expr(e, c) => needs.insert(c),
                _ => return None,
            };
        }
        Some(needs)
    }
}

/// Is the constant read as soon as the expression is evaluated?
fn at_once_in_expr(e: &Expr, constant: ConstantId) -> bool {
    match &e.kind {
        ExprKind::Constant(c) => *c == constant,
        ExprKind::Lambda(..) | ExprKind::Comprehension(_) | ExprKind::MapComprehension(..) => false,
        ExprKind::OperationCall(..) => true,
        _ => {
            let mut found = false;
            e.parts(&mut |part| found = found || at_once_in_part(part, constant));
            found
        }
    }
}

fn at_once_in_pred(p: &Pred, constant: ConstantId) -> bool {
    let mut found = false;
    p.parts(&mut |part| found = found || at_once_in_part(part, constant));
    found
}

fn at_once_in_part(part: Part<'_>, constant: ConstantId) -> bool {
    match part {
        Part::Expr(e) => at_once_in_expr(e, constant),
        Part::Pred(p) => at_once_in_pred(p, constant),
        Part::Subst(_) | Part::Target(_) | Part::Binds(_) => false,
    }
}
