//! Which names a formula reads and binds.
//!
//! Locals are unique in the whole model, so free locals are those mentioned and not bound.

use crate::name::Name;
use beeline_model::{
    ConstantId, Expr, ExprKind, LocalId, Model, Part, Pred, Subst, SubstKind, VariableId,
};
use std::collections::BTreeSet;

/// The names in a formula.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Variables that it reads.
    pub variables: BTreeSet<VariableId>,
    /// Constants that it reads.
    pub constants: BTreeSet<ConstantId>,
    /// Free locals, once [`Names::close`] was called.
    pub locals: BTreeSet<LocalId>,
    /// Names that it binds.
    pub bound: BTreeSet<LocalId>,
    /// How many nodes were seen.
    pub size: usize,
}

impl Names {
    /// The names in an expression.
    pub fn of_expr(model: &Model, e: &Expr) -> Names {
        let mut names = Names::default();
        names.expr(model, e);
        names.close()
    }

    /// The names in a predicate.
    pub fn of_pred(model: &Model, p: &Pred) -> Names {
        let mut names = Names::default();
        names.pred(model, p);
        names.close()
    }

    /// Those of some names that are read.
    pub fn among(&self, all: &BTreeSet<Name>) -> BTreeSet<Name> {
        // Formulas have few names, questions may have thousands.
        let locals = self.locals.iter().map(|l| Name::Local(*l));
        let constants = self.constants.iter().map(|c| Name::Constant(*c));
        locals.chain(constants).filter(|n| all.contains(n)).collect()
    }

    /// Does it read nothing at all?
    pub fn is_closed(&self) -> bool {
        self.variables.is_empty() && self.constants.is_empty() && self.locals.is_empty()
    }

    /// Leaves only those locals that are not bound.
    pub fn close(mut self) -> Names {
        let bound = std::mem::take(&mut self.bound);
        self.locals.retain(|l| !bound.contains(l));
        self.bound = bound;
        self
    }

    /// Adds the names in an expression.
    pub fn expr(&mut self, model: &Model, e: &Expr) {
        self.size += 1;
        match &e.kind {
            ExprKind::Variable(v) => {
                self.variables.insert(*v);
            }
            ExprKind::Constant(c) => {
                self.constants.insert(*c);
            }
            ExprKind::Local(l) => {
                self.locals.insert(*l);
            }
            // A query operation reads what its body reads, whatever its arguments are.
            ExprKind::OperationCall(id, _) => {
                let operation = model.operation(*id);
                self.variables.extend(&operation.reads);
                self.subst(model, &operation.body);
                self.bound.extend(operation.parameters.iter().chain(&operation.results));
            }
            _ => {}
        }
        e.parts(&mut |part| self.part(model, part));
    }

    /// Adds the names in a predicate.
    pub fn pred(&mut self, model: &Model, p: &Pred) {
        self.size += 1;
        p.parts(&mut |part| self.part(model, part));
    }

    fn part(&mut self, model: &Model, part: Part<'_>) {
        match part {
            Part::Expr(e) => self.expr(model, e),
            Part::Pred(p) => self.pred(model, p),
            Part::Binds(locals) => self.bound.extend(locals),
            // No formula has a substitution below it.
            Part::Subst(_) | Part::Target(_) => {}
        }
    }

    /// Names of the formulas inside a substitution, as far as an operation call needs them.
    fn subst(&mut self, model: &Model, s: &Subst) {
        if let SubstKind::Assign(parts) = &s.kind {
            for part in parts {
                self.expr(model, &part.value);
            }
        }
    }
}
