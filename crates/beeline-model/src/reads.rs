//! Which variables and locals a formula reads, and which ones a substitution writes.

use crate::{
    Access, Conjunct, Expr, ExprKind, ExternalId, LocalId, Operation, OperationId, Place, Pred,
    PredKind, Subst, SubstKind, Target, VariableId,
};

/// A visitor of everything a formula or substitution mentions.
pub trait Mentions {
    /// A variable is read.
    fn reads(&mut self, _variable: VariableId) {}
    /// A variable is written.
    fn writes(&mut self, _variable: VariableId) {}
    /// A bound name is read.
    fn local(&mut self, _local: LocalId) {}
    /// A constant is read.
    fn constant(&mut self, _constant: crate::ConstantId) {}
    /// An operation is called.
    fn calls(&mut self, _operation: OperationId) {}
    /// An expression begins. Its parts are visited next, unless the answer is `false`.
    fn enter(&mut self, _expr: &Expr) -> bool {
        true
    }
    /// A predicate begins.
    fn enter_pred(&mut self, _pred: &Pred) {}
    /// An external predicate or substitution is used; functions are expressions.
    fn external(&mut self, _external: ExternalId, _arguments: &[Expr]) {}
}

/// Visits an expression.
pub fn visit_expr(e: &Expr, m: &mut dyn Mentions) {
    stacker::maybe_grow(64 << 10, 1 << 20, || expr(e, m));
}

/// Visits a predicate.
pub fn visit_pred(p: &Pred, m: &mut dyn Mentions) {
    m.enter_pred(p);
    stacker::maybe_grow(64 << 10, 1 << 20, || pred(p, m));
}

/// Visits a substitution.
pub fn visit_subst(s: &Subst, m: &mut dyn Mentions) {
    stacker::maybe_grow(64 << 10, 1 << 20, || subst(s, m));
}

fn exprs(list: &[Expr], m: &mut dyn Mentions) {
    list.iter().for_each(|e| visit_expr(e, m));
}

fn conjuncts(list: &[Conjunct], m: &mut dyn Mentions) {
    list.iter().for_each(|c| visit_pred(&c.pred, m));
}

fn expr(e: &Expr, m: &mut dyn Mentions) {
    if !m.enter(e) {
        return;
    }
    match &e.kind {
        ExprKind::Variable(v) => m.reads(*v),
        ExprKind::Local(l) => m.local(*l),
        ExprKind::Constant(c) => m.constant(*c),
        ExprKind::Integer(_)
        | ExprKind::Bool(_)
        | ExprKind::Real(_)
        | ExprKind::String(_)
        | ExprKind::MaxInt
        | ExprKind::MinInt
        | ExprKind::Element(..)
        | ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::Function(_)
        | ExprKind::EmptySet
        | ExprKind::Constructor(..) => {}
        ExprKind::SetExtension(parts)
        | ExprKind::SequenceExtension(parts)
        | ExprKind::Record(parts)
        | ExprKind::RecordSet(parts)
        | ExprKind::External(_, parts)
        | ExprKind::FreeTypeSet(_, parts) => exprs(parts, m),
        ExprKind::OperationCall(operation, parts) => {
            m.calls(*operation);
            exprs(parts, m);
        }
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => visit_expr(a, m),
        ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => {
            visit_expr(a, m);
            visit_expr(b, m);
        }
        ExprKind::Ternary(_, args) => exprs(&args[..], m),
        ExprKind::Comprehension(b) => visit_pred(&b.predicate, m),
        ExprKind::MapComprehension(b, e)
        | ExprKind::Lambda(b, e)
        | ExprKind::Quantified(_, b, e) => {
            visit_pred(&b.predicate, m);
            visit_expr(e, m);
        }
        ExprKind::If(p, a, b) => {
            visit_pred(p, m);
            visit_expr(a, m);
            visit_expr(b, m);
        }
        ExprKind::Let(bindings, e) => {
            bindings.iter().for_each(|(_, v)| visit_expr(v, m));
            visit_expr(e, m);
        }
        ExprKind::BoolOf(p) => visit_pred(p, m),
    }
}

fn pred(p: &Pred, m: &mut dyn Mentions) {
    match &p.kind {
        PredKind::Bool(_) => {}
        PredKind::And(parts) | PredKind::Or(parts) => {
            parts.iter().for_each(|p| visit_pred(p, m));
        }
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => visit_pred(p, m),
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
            visit_pred(p, m);
            visit_pred(q, m);
        }
        PredKind::Compare(_, a, b) => {
            visit_expr(a, m);
            visit_expr(b, m);
        }
        PredKind::If(p, q, r) => [p, q, r].into_iter().for_each(|p| visit_pred(p, m)),
        PredKind::Let(bindings, p) => {
            bindings.iter().for_each(|(_, v)| visit_expr(v, m));
            visit_pred(p, m);
        }
        PredKind::Finite(e) => visit_expr(e, m),
        PredKind::Partition(e, parts) => {
            visit_expr(e, m);
            exprs(parts, m);
        }
        PredKind::External(id, args) => {
            m.external(*id, args);
            exprs(args, m);
        }
    }
}

fn target(t: &Target, m: &mut dyn Mentions) {
    if let Place::Variable(v) = t.place {
        m.writes(v);
        // Changing a part keeps the rest.
        if !t.path.is_empty() {
            m.reads(v);
        }
    }
    for access in &t.path {
        if let Access::Index(e) = access {
            visit_expr(e, m);
        }
    }
}

fn subst(s: &Subst, m: &mut dyn Mentions) {
    let place = |p: &Place, m: &mut dyn Mentions| {
        if let Place::Variable(v) = p {
            m.writes(*v);
        }
    };
    match &s.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(list) => {
            for a in list {
                target(&a.target, m);
                visit_expr(&a.value, m);
            }
        }
        SubstKind::BecomesElement(places, e) => {
            places.iter().for_each(|p| place(p, m));
            visit_expr(e, m);
        }
        SubstKind::BecomesSuch(b) => {
            b.places.iter().for_each(|p| place(p, m));
            visit_pred(&b.predicate, m);
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(_, p, s) | SubstKind::Any(_, p, s) => {
            conjuncts(p, m);
            visit_subst(s, m);
        }
        SubstKind::If(branches, otherwise) => {
            for (p, s) in branches {
                visit_pred(p, m);
                visit_subst(s, m);
            }
            otherwise.iter().for_each(|s| visit_subst(s, m));
        }
        SubstKind::Select(branches, otherwise) => {
            for (p, s) in branches {
                conjuncts(p, m);
                visit_subst(s, m);
            }
            otherwise.iter().for_each(|s| visit_subst(s, m));
        }
        SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
            list.iter().for_each(|s| visit_subst(s, m));
        }
        SubstKind::Case(e, branches, otherwise) => {
            visit_expr(e, m);
            for (labels, s) in branches {
                exprs(labels, m);
                visit_subst(s, m);
            }
            otherwise.iter().for_each(|s| visit_subst(s, m));
        }
        SubstKind::Let(bindings, s) => {
            bindings.iter().for_each(|(_, v)| visit_expr(v, m));
            visit_subst(s, m);
        }
        SubstKind::Var(_, s) => visit_subst(s, m),
        SubstKind::While(w) => {
            for (_, p) in &w.before {
                if let Place::Variable(v) = p {
                    m.reads(*v);
                }
            }
            visit_pred(&w.condition, m);
            visit_subst(&w.body, m);
            conjuncts(&w.invariant, m);
            visit_expr(&w.variant, m);
        }
        SubstKind::Call(c) => {
            m.calls(c.operation);
            exprs(&c.arguments, m);
            c.results.iter().for_each(|t| target(t, m));
        }
        SubstKind::External(id, args) => {
            m.external(*id, args);
            exprs(args, m);
        }
    }
}

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
