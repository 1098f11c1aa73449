//! Which variables a formula or substitution reads and writes, and which operations it calls.

use crate::{
    ConstantId, Expr, ExprKind, Mentions, Operation, OperationId, Pred, Subst, VariableId,
    visit_expr, visit_pred, visit_subst,
};

/// Reads and writes, sorted and without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Variables read.
    pub reads: Vec<VariableId>,
    /// Variables written.
    pub writes: Vec<VariableId>,
    /// Operations called.
    pub calls: Vec<OperationId>,
}

impl Mentions for Footprint {
    fn reads(&mut self, variable: VariableId) {
        self.reads.push(variable);
    }

    fn writes(&mut self, variable: VariableId) {
        self.writes.push(variable);
    }

    fn calls(&mut self, operation: OperationId) {
        self.calls.push(operation);
    }
}

impl Footprint {
    /// Of a predicate.
    pub fn of_pred(p: &Pred) -> Footprint {
        let mut footprint = Footprint::default();
        visit_pred(p, &mut footprint);
        footprint.tidy()
    }

    /// Of an expression.
    pub fn of_expr(e: &Expr) -> Footprint {
        let mut footprint = Footprint::default();
        visit_expr(e, &mut footprint);
        footprint.tidy()
    }

    /// Of a substitution, without the operations it calls.
    pub fn of_subst(s: &Subst) -> Footprint {
        let mut footprint = Footprint::default();
        visit_subst(s, &mut footprint);
        footprint.tidy()
    }

    fn tidy(mut self) -> Footprint {
        self.reads.sort_unstable();
        self.reads.dedup();
        self.writes.sort_unstable();
        self.writes.dedup();
        self.calls.sort_unstable();
        self.calls.dedup();
        self
    }
}

/// Fills the read and write sets of all operations, called ones included.
pub fn fill_footprints(operations: &mut [Operation]) {
    let own: Vec<Footprint> = operations.iter().map(|o| Footprint::of_subst(&o.body)).collect();
    for (index, operation) in operations.iter_mut().enumerate() {
        let mut seen = vec![index];
        let mut all = Footprint::default();
        let mut next = 0;
        while let Some(&i) = seen.get(next) {
            next += 1;
            all.reads.extend(&own[i].reads);
            all.writes.extend(&own[i].writes);
            for call in &own[i].calls {
                if !seen.contains(&call.index()) {
                    seen.push(call.index());
                }
            }
        }
        let all = all.tidy();
        operation.reads = all.reads;
        operation.writes = all.writes;
    }
}

/// Is a constant applied in an expression, as a function?
pub fn applies(e: &Expr, constant: ConstantId) -> bool {
    struct Applied(ConstantId, bool);
    impl Mentions for Applied {
        fn enter(&mut self, e: &Expr) -> bool {
            self.1 |= matches!(&e.kind, ExprKind::Apply(function, _)
                if matches!(function.kind, ExprKind::Constant(c) if c == self.0));
            !self.1
        }
    }
    let mut applied = Applied(constant, false);
    visit_expr(e, &mut applied);
    applied.1
}
