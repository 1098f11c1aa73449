//! What stands directly below a formula or substitution: the one table of it.
//!
//! Whoever walks over typed formulas does it with [`Expr::parts`] and its kin, or with a
//! [`Mentions`] visitor on top of them, so that a new form is one line here. It is a table of where
//! things stand, and says nothing of what they mean: both evaluators may share it.

use crate::formula::deep;
use crate::{
    Access, Binder, Conjunct, ConstantId, Expr, ExprKind, ExternalId, LocalId, OperationId, Place,
    Pred, PredKind, Subst, SubstKind, Target, VariableId,
};
use std::slice::from_ref;

/// What stands directly below a node.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A predicate.
    Pred(&'a Pred),
    /// A substitution.
    Subst(&'a Subst),
    /// What is assigned to.
    Target(&'a Target),
    /// Names that are bound from here to the end of the node.
    Binds(&'a [LocalId]),
}

/// As [`Part`], to be changed.
#[derive(Debug)]
pub enum PartMut<'a> {
    /// An expression.
    Expr(&'a mut Expr),
    /// A predicate.
    Pred(&'a mut Pred),
    /// A substitution.
    Subst(&'a mut Subst),
    /// What is assigned to.
    Target(&'a mut Target),
    /// Names that are bound from here to the end of the node.
    Binds(&'a [LocalId]),
}

/// The table, once for references of each kind.
macro_rules! parts {
    ($part:ident, $name:ident, $iter:ident $(, $mutable:tt)?) => {
        impl Expr {
            /// The parts directly below, in the order of the text.
            pub fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                match &$($mutable)? self.kind {
                    ExprKind::Integer(_)
                    | ExprKind::Bool(_)
                    | ExprKind::Real(_)
                    | ExprKind::String(_)
                    | ExprKind::MaxInt
                    | ExprKind::MinInt
                    | ExprKind::Variable(_)
                    | ExprKind::Constant(_)
                    | ExprKind::Local(_)
                    | ExprKind::Element(..)
                    | ExprKind::GivenSet(_)
                    | ExprKind::Basic(_)
                    | ExprKind::Function(_)
                    | ExprKind::EmptySet
                    | ExprKind::Constructor(..) => {}
                    ExprKind::SetExtension(list)
                    | ExprKind::SequenceExtension(list)
                    | ExprKind::Record(list)
                    | ExprKind::RecordSet(list)
                    | ExprKind::External(_, list)
                    | ExprKind::OperationCall(_, list)
                    | ExprKind::FreeTypeSet(_, list) => {
                        list.$iter().for_each(|e| visit($part::Expr(e)));
                    }
                    ExprKind::Unary(_, a) | ExprKind::Field(a, _) => visit($part::Expr(a)),
                    ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => {
                        visit($part::Expr(a));
                        visit($part::Expr(b));
                    }
                    ExprKind::Ternary(_, list) => list.$iter().for_each(|e| visit($part::Expr(e))),
                    ExprKind::Comprehension(binder) => binder.$name(visit),
                    ExprKind::MapComprehension(binder, e)
                    | ExprKind::Lambda(binder, e)
                    | ExprKind::Quantified(_, binder, e) => {
                        binder.$name(visit);
                        visit($part::Expr(e));
                    }
                    ExprKind::If(p, a, b) => {
                        visit($part::Pred(p));
                        visit($part::Expr(a));
                        visit($part::Expr(b));
                    }
                    ExprKind::Let(values, e) => {
                        for (local, value) in values {
                            visit($part::Expr(value));
                            visit($part::Binds(from_ref(local)));
                        }
                        visit($part::Expr(e));
                    }
                    ExprKind::BoolOf(p) => visit($part::Pred(p)),
                }
            }
        }

        impl Binder {
            fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                visit($part::Binds(&self.locals));
                visit($part::Pred(&$($mutable)? self.predicate));
            }
        }

        impl Pred {
            /// The parts directly below, in the order of the text.
            pub fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                match &$($mutable)? self.kind {
                    PredKind::Bool(_) => {}
                    PredKind::And(list) | PredKind::Or(list) => {
                        list.$iter().for_each(|p| visit($part::Pred(p)));
                    }
                    PredKind::Not(p) => visit($part::Pred(p)),
                    PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
                        visit($part::Pred(p));
                        visit($part::Pred(q));
                    }
                    PredKind::Compare(_, a, b) => {
                        visit($part::Expr(a));
                        visit($part::Expr(b));
                    }
                    PredKind::Forall(locals, p) | PredKind::Exists(locals, p) => {
                        visit($part::Binds(locals));
                        visit($part::Pred(p));
                    }
                    PredKind::If(p, q, r) => {
                        for p in [p, q, r] {
                            visit($part::Pred(p));
                        }
                    }
                    PredKind::Let(values, p) => {
                        for (local, value) in values {
                            visit($part::Expr(value));
                            visit($part::Binds(from_ref(local)));
                        }
                        visit($part::Pred(p));
                    }
                    PredKind::Finite(e) => visit($part::Expr(e)),
                    PredKind::Partition(whole, list) => {
                        visit($part::Expr(whole));
                        list.$iter().for_each(|e| visit($part::Expr(e)));
                    }
                    PredKind::External(_, list) => {
                        list.$iter().for_each(|e| visit($part::Expr(e)));
                    }
                }
            }
        }

        impl Conjunct {
            fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                visit($part::Pred(&$($mutable)? self.pred));
            }
        }

        impl Target {
            /// The indices of its path.
            pub fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                for access in &$($mutable)? self.path {
                    if let Access::Index(e) = access {
                        visit($part::Expr(e));
                    }
                }
            }
        }

        impl Subst {
            /// The parts directly below, in the order of the text; the places of `::`, `:(…)` and
            /// of the start of a loop are not among them.
            pub fn $name<'a>(&'a $($mutable)? self, visit: &mut dyn FnMut($part<'a>)) {
                match &$($mutable)? self.kind {
                    SubstKind::Skip => {}
                    SubstKind::Assign(list) => {
                        for assignment in list {
                            visit($part::Target(&$($mutable)? assignment.target));
                            visit($part::Expr(&$($mutable)? assignment.value));
                        }
                    }
                    SubstKind::BecomesElement(_, e) => visit($part::Expr(e)),
                    SubstKind::BecomesSuch(such) => {
                        let such = &$($mutable)? **such;
                        visit($part::Binds(&such.after));
                        visit($part::Pred(&$($mutable)? such.predicate));
                    }
                    SubstKind::Pre(list, s) | SubstKind::Assert(_, list, s) => {
                        list.$iter().for_each(|c| c.$name(visit));
                        visit($part::Subst(s));
                    }
                    SubstKind::If(branches, otherwise) => {
                        for (p, s) in branches {
                            visit($part::Pred(p));
                            visit($part::Subst(s));
                        }
                        otherwise.$iter().for_each(|s| visit($part::Subst(s)));
                    }
                    SubstKind::Select(branches, otherwise) => {
                        for (list, s) in branches {
                            list.$iter().for_each(|c| c.$name(visit));
                            visit($part::Subst(s));
                        }
                        otherwise.$iter().for_each(|s| visit($part::Subst(s)));
                    }
                    SubstKind::Choice(list)
                    | SubstKind::Sequence(list)
                    | SubstKind::Parallel(list) => {
                        list.$iter().for_each(|s| visit($part::Subst(s)));
                    }
                    SubstKind::Case(e, branches, otherwise) => {
                        visit($part::Expr(e));
                        for (labels, s) in branches {
                            labels.$iter().for_each(|e| visit($part::Expr(e)));
                            visit($part::Subst(s));
                        }
                        otherwise.$iter().for_each(|s| visit($part::Subst(s)));
                    }
                    SubstKind::Any(locals, list, s) => {
                        visit($part::Binds(locals));
                        list.$iter().for_each(|c| c.$name(visit));
                        visit($part::Subst(s));
                    }
                    SubstKind::Let(values, s) => {
                        for (local, value) in values {
                            visit($part::Expr(value));
                            visit($part::Binds(from_ref(local)));
                        }
                        visit($part::Subst(s));
                    }
                    SubstKind::Var(locals, s) => {
                        visit($part::Binds(locals));
                        visit($part::Subst(s));
                    }
                    SubstKind::While(w) => {
                        let w = &$($mutable)? **w;
                        visit($part::Pred(&$($mutable)? w.condition));
                        visit($part::Subst(&$($mutable)? w.body));
                        w.before.iter().for_each(|(local, _)| visit($part::Binds(from_ref(local))));
                        w.invariant.$iter().for_each(|c| c.$name(visit));
                        visit($part::Expr(&$($mutable)? w.variant));
                    }
                    SubstKind::Call(call) => {
                        let call = &$($mutable)? **call;
                        call.arguments.$iter().for_each(|e| visit($part::Expr(e)));
                        call.results.$iter().for_each(|t| visit($part::Target(t)));
                    }
                    SubstKind::External(_, list) => {
                        list.$iter().for_each(|e| visit($part::Expr(e)));
                    }
                }
            }
        }
    };
}

parts!(Part, parts, iter);
parts!(PartMut, parts_mut, iter_mut, mut);

/// A visitor of everything a formula or substitution mentions.
pub trait Mentions {
    /// A variable is read.
    fn reads(&mut self, _variable: VariableId) {}
    /// A variable is written.
    fn writes(&mut self, _variable: VariableId) {}
    /// A bound name is read.
    fn local(&mut self, _local: LocalId) {}
    /// A name is bound.
    fn binds(&mut self, _local: LocalId) {}
    /// A constant is read.
    fn constant(&mut self, _constant: ConstantId) {}
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
    if !m.enter(e) {
        return;
    }
    match &e.kind {
        ExprKind::Variable(v) => m.reads(*v),
        ExprKind::Local(l) => m.local(*l),
        ExprKind::Constant(c) => m.constant(*c),
        ExprKind::OperationCall(operation, _) => m.calls(*operation),
        _ => {}
    }
    deep(|| e.parts(&mut |part| visit_part(part, m)));
}

/// Visits a predicate.
pub fn visit_pred(p: &Pred, m: &mut dyn Mentions) {
    m.enter_pred(p);
    if let PredKind::External(id, arguments) = &p.kind {
        m.external(*id, arguments);
    }
    deep(|| p.parts(&mut |part| visit_part(part, m)));
}

/// Visits a substitution.
pub fn visit_subst(s: &Subst, m: &mut dyn Mentions) {
    match &s.kind {
        SubstKind::BecomesElement(places, _) => places.iter().for_each(|p| write(*p, m)),
        SubstKind::BecomesSuch(such) => such.places.iter().for_each(|p| write(*p, m)),
        SubstKind::While(w) => {
            for (_, place) in &w.before {
                if let Place::Variable(v) = place {
                    m.reads(*v);
                }
            }
        }
        SubstKind::Call(call) => m.calls(call.operation),
        SubstKind::External(id, arguments) => m.external(*id, arguments),
        _ => {}
    }
    deep(|| s.parts(&mut |part| visit_part(part, m)));
}

fn visit_part(part: Part<'_>, m: &mut dyn Mentions) {
    match part {
        Part::Expr(e) => visit_expr(e, m),
        Part::Pred(p) => visit_pred(p, m),
        Part::Subst(s) => visit_subst(s, m),
        Part::Target(target) => {
            write(target.place, m);
            // Changing a part keeps the rest.
            if let Place::Variable(v) = target.place
                && !target.path.is_empty()
            {
                m.reads(v);
            }
            target.parts(&mut |part| visit_part(part, m));
        }
        Part::Binds(locals) => locals.iter().for_each(|l| m.binds(*l)),
    }
}

fn write(place: Place, m: &mut dyn Mentions) {
    if let Place::Variable(v) = place {
        m.writes(v);
    }
}
