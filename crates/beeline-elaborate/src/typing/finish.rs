//! The end of a section: ground types for all, overloads settled, fields by position.

use super::Elaborator;
use crate::infer::{Infer, Ty};
use beeline_model::{
    Access, Assignment, BecomesSuch, BinaryOp, Binder, Call, CompareOp, Conjunct, Expr, ExprKind,
    ExprQuantifier, Place, Pred, PredKind, Subst, SubstKind, Target, Type, TypeId, TypeTable,
    UnaryOp, While,
};
use beeline_source::{Code, Diagnostic};
use beeline_syntax::ast::Name;

impl Elaborator<'_> {
    /// Answers all open questions of types, by defaults where nothing else tells.
    pub fn settle(&mut self) {
        for unanswered in self.infer.settle() {
            self.unanswered(unanswered);
        }
    }

    /// Answers all open questions of types and makes the types of new bound names ground.
    /// Formulas of the section must then be [`Elaborator::finish`]ed.
    pub fn end_section(&mut self) {
        self.settle();
        let report = !self.out.has_errors();
        for index in self.finished_locals..self.model.locals.len() {
            let local = &self.model.locals[index];
            let ty = Ty(local.ty.0);
            if report && local.span.is_real() && !self.infer.is_ground(ty) {
                let message = format!("the type of `{}` cannot be found", local.name);
                let known = self.show(ty);
                let mut diagnostic = Diagnostic::new(Code::TYPE_UNKNOWN, local.span, message)
                    .help(format!("say what it ranges over, for example {} : S", local.name));
                if known != "_" {
                    diagnostic = diagnostic.here(format!("only {known} is known of it"));
                }
                self.problem(diagnostic);
            }
            let ground = self.infer.ground(ty, &mut self.model.types);
            self.model.locals[index].ty = ground;
            self.report_too_large(self.model.locals[index].span);
        }
        self.finished_locals = self.model.locals.len();
    }

    /// Ground types for all constants and variables.
    pub fn ground_names(&mut self) {
        for index in 0..self.model.constants.len() {
            let ty = self.infer.ground(self.constant_ty[index], &mut self.model.types);
            self.model.constants[index].ty = ty;
        }
        for index in 0..self.model.variables.len() {
            let ty = self.infer.ground(self.variable_ty[index], &mut self.model.types);
            self.model.variables[index].ty = ty;
        }
    }

    /// Replaces types under construction by ground ones.
    pub fn finish(&mut self, formula: &mut impl Finish) {
        let mut finisher = Finisher {
            infer: &mut self.infer,
            types: &mut self.model.types,
            field_names: &self.field_names,
            locals: &self.model.locals,
            variable_ty: &self.variable_ty,
        };
        formula.finish(&mut finisher);
    }
}

pub(crate) struct Finisher<'f> {
    infer: &'f mut Infer,
    types: &'f mut TypeTable,
    field_names: &'f [Name],
    locals: &'f [beeline_model::Local],
    variable_ty: &'f [Ty],
}

impl Finisher<'_> {
    fn ground(&mut self, raw: TypeId) -> TypeId {
        self.infer.ground(Ty(raw.0), self.types)
    }

    /// The position of a remembered field name in a record type.
    fn position(&self, record: TypeId, slot: usize) -> usize {
        match self.types.get(record) {
            Type::Record(fields) => {
                fields.iter().position(|f| f.0 == self.field_names[slot]).unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn is_real(&self, ty: TypeId) -> bool {
        ty == TypeTable::REAL
    }

    fn is_string(&self, ty: TypeId) -> bool {
        ty == TypeTable::STRING
    }

    fn is_set(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Power(_))
    }
}

/// Something that holds types under construction.
pub(crate) trait Finish {
    fn finish(&mut self, f: &mut Finisher<'_>);
}

impl<T: Finish> Finish for Vec<T> {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.iter_mut().for_each(|x| x.finish(f));
    }
}

impl<T: Finish> Finish for Box<T> {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        (**self).finish(f);
    }
}

impl<T: Finish> Finish for Option<T> {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.iter_mut().for_each(|x| x.finish(f));
    }
}

impl<A: Finish, B: Finish> Finish for (A, B) {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.0.finish(f);
        self.1.finish(f);
    }
}

impl Finish for beeline_model::LocalId {
    fn finish(&mut self, _: &mut Finisher<'_>) {}
}

impl Finish for Conjunct {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.pred.finish(f);
    }
}

impl Finish for Binder {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.predicate.finish(f);
    }
}

impl Finish for Expr {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.finish_here(f));
    }
}

impl Expr {
    fn finish_here(&mut self, f: &mut Finisher<'_>) {
        self.ty = f.ground(self.ty);
        match &mut self.kind {
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
            ExprKind::SetExtension(parts)
            | ExprKind::SequenceExtension(parts)
            | ExprKind::Record(parts)
            | ExprKind::RecordSet(parts)
            | ExprKind::External(_, parts)
            | ExprKind::OperationCall(_, parts)
            | ExprKind::FreeTypeSet(_, parts) => parts.finish(f),
            ExprKind::Unary(op, a) => {
                a.finish(f);
                *op = unary_for(*op, a.ty, f);
            }
            ExprKind::Binary(op, a, b) => {
                a.finish(f);
                b.finish(f);
                *op = binary_for(*op, a.ty, f);
            }
            ExprKind::Ternary(_, args) => args.iter_mut().for_each(|a| a.finish(f)),
            ExprKind::Apply(a, b) => {
                a.finish(f);
                b.finish(f);
            }
            ExprKind::Comprehension(binder) => binder.finish(f),
            ExprKind::MapComprehension(binder, e) | ExprKind::Lambda(binder, e) => {
                binder.finish(f);
                e.finish(f);
            }
            ExprKind::Quantified(quantifier, binder, e) => {
                binder.finish(f);
                e.finish(f);
                if f.is_real(e.ty) {
                    *quantifier = match *quantifier {
                        ExprQuantifier::Sum => ExprQuantifier::RealSum,
                        ExprQuantifier::Product => ExprQuantifier::RealProduct,
                        other => other,
                    };
                }
            }
            ExprKind::Field(record, slot) => {
                record.finish(f);
                *slot = f.position(record.ty, *slot);
            }
            ExprKind::If(p, a, b) => {
                p.finish(f);
                a.finish(f);
                b.finish(f);
            }
            ExprKind::Let(bindings, e) => {
                bindings.finish(f);
                e.finish(f);
            }
            ExprKind::BoolOf(p) => p.finish(f),
        }
    }
}

fn unary_for(op: UnaryOp, operand: TypeId, f: &Finisher<'_>) -> UnaryOp {
    use UnaryOp as U;
    let real_elements = || f.types.element(operand) == Some(TypeTable::REAL);
    match op {
        U::Negate if f.is_real(operand) => U::RealNegate,
        U::Min if real_elements() => U::RealMin,
        U::Max if real_elements() => U::RealMax,
        U::Concat => {
            let of = f.types.element(operand).and_then(|t| f.types.halves(t));
            if of.is_some_and(|(_, e)| f.is_string(e)) { U::StringConcat } else { op }
        }
        _ if !f.is_string(operand) => op,
        U::Size => U::StringSize,
        U::Reverse => U::StringReverse,
        U::First => U::StringFirst,
        U::Last => U::StringLast,
        U::Front => U::StringFront,
        U::Tail => U::StringTail,
        _ => op,
    }
}

fn binary_for(op: BinaryOp, left: TypeId, f: &Finisher<'_>) -> BinaryOp {
    use BinaryOp as B;
    match op {
        B::Subtract if f.is_set(left) => B::Difference,
        B::Multiply if f.is_set(left) => B::Cartesian,
        B::Add if f.is_real(left) => B::RealAdd,
        B::Subtract if f.is_real(left) => B::RealSubtract,
        B::Multiply if f.is_real(left) => B::RealMultiply,
        B::Divide if f.is_real(left) => B::RealDivide,
        B::Exponent if f.is_real(left) => B::RealExponent,
        B::Concat if f.is_string(left) => B::StringConcat,
        B::Take if f.is_string(left) => B::StringTake,
        B::Drop if f.is_string(left) => B::StringDrop,
        _ => op,
    }
}

impl Finish for Pred {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.finish_here(f));
    }
}

impl Pred {
    fn finish_here(&mut self, f: &mut Finisher<'_>) {
        match &mut self.kind {
            PredKind::Bool(_) => {}
            PredKind::And(parts) | PredKind::Or(parts) => parts.finish(f),
            PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => p.finish(f),
            PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
                p.finish(f);
                q.finish(f);
            }
            PredKind::Compare(op, a, b) => {
                a.finish(f);
                b.finish(f);
                if f.is_real(a.ty) {
                    *op = match *op {
                        CompareOp::Less => CompareOp::RealLess,
                        CompareOp::LessEqual => CompareOp::RealLessEqual,
                        CompareOp::Greater => CompareOp::RealGreater,
                        CompareOp::GreaterEqual => CompareOp::RealGreaterEqual,
                        other => other,
                    };
                }
            }
            PredKind::If(p, q, r) => {
                p.finish(f);
                q.finish(f);
                r.finish(f);
            }
            PredKind::Let(bindings, p) => {
                bindings.finish(f);
                p.finish(f);
            }
            PredKind::Finite(e) => e.finish(f),
            PredKind::Partition(e, parts) => {
                e.finish(f);
                parts.finish(f);
            }
            PredKind::External(_, args) => args.finish(f),
        }
    }
}

impl Finish for Target {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        let mut ty = match self.place {
            Place::Variable(variable) => f.infer.ground(f.variable_ty[variable.index()], f.types),
            Place::Local(local) => f.locals[local.index()].ty,
        };
        for access in &mut self.path {
            match access {
                Access::Index(e) => {
                    e.finish(f);
                    let pair = f.types.element(ty).and_then(|t| f.types.halves(t));
                    ty = pair.map_or(ty, |(_, value)| value);
                }
                Access::Field(slot) => {
                    *slot = f.position(ty, *slot);
                    if let Type::Record(fields) = f.types.get(ty) {
                        ty = fields.get(*slot).map_or(ty, |field| field.1);
                    }
                }
            }
        }
    }
}

impl Finish for Assignment {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.target.finish(f);
        self.value.finish(f);
    }
}

impl Finish for BecomesSuch {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.predicate.finish(f);
    }
}

impl Finish for While {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.condition.finish(f);
        self.body.finish(f);
        self.invariant.finish(f);
        self.variant.finish(f);
    }
}

impl Finish for Call {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.arguments.finish(f);
        self.results.finish(f);
    }
}

impl Finish for Subst {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || match &mut self.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(list) => list.finish(f),
            SubstKind::BecomesElement(_, e) => e.finish(f),
            SubstKind::BecomesSuch(b) => b.finish(f),
            SubstKind::Pre(p, s) | SubstKind::Assert(_, p, s) | SubstKind::Any(_, p, s) => {
                p.finish(f);
                s.finish(f);
            }
            SubstKind::If(branches, otherwise) => {
                branches.finish(f);
                otherwise.finish(f);
            }
            SubstKind::Select(branches, otherwise) => {
                branches.finish(f);
                otherwise.finish(f);
            }
            SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
                list.finish(f);
            }
            SubstKind::Case(e, branches, otherwise) => {
                e.finish(f);
                branches.finish(f);
                otherwise.finish(f);
            }
            SubstKind::Let(bindings, s) => {
                bindings.finish(f);
                s.finish(f);
            }
            SubstKind::Var(_, s) => s.finish(f),
            SubstKind::While(w) => w.finish(f),
            SubstKind::Call(c) => c.finish(f),
            SubstKind::External(_, args) => args.finish(f),
        });
    }
}
