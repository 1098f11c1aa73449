//! The end of a section: ground types for all, overloads settled, fields by position.

use super::Elaborator;
use crate::infer::{Infer, Ty};
use beeline_model::{
    Access, BinaryOp, CompareOp, Conjunct, Expr, ExprKind, ExprQuantifier, PartMut, Place, Pred,
    PredKind, Subst, Target, Type, TypeId, TypeTable, UnaryOp,
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
                let message = format!("the type of `{}` cannot be inferred", local.name);
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

impl Finish for Conjunct {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.pred.finish(f);
    }
}

impl Finish for PartMut<'_> {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        match self {
            PartMut::Expr(e) => e.finish(f),
            PartMut::Pred(p) => p.finish(f),
            PartMut::Subst(s) => s.finish(f),
            PartMut::Target(t) => t.finish(f),
            // The types of names were made ground with their section.
            PartMut::Binds(_) => {}
        }
    }
}

impl Finish for Expr {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        self.ty = f.ground(self.ty);
        deep(|| self.parts_mut(&mut |mut part| part.finish(f)));
        // Overloads are settled by the types of operands, which are ground by now.
        match &mut self.kind {
            ExprKind::Unary(op, a) => *op = unary_for(*op, a.ty, f),
            ExprKind::Binary(op, a, _) => *op = binary_for(*op, a.ty, f),
            ExprKind::Quantified(quantifier, _, e) if f.is_real(e.ty) => {
                *quantifier = match *quantifier {
                    ExprQuantifier::Sum => ExprQuantifier::RealSum,
                    ExprQuantifier::Product => ExprQuantifier::RealProduct,
                    other => other,
                };
            }
            ExprKind::Field(record, slot) => *slot = f.position(record.ty, *slot),
            _ => {}
        }
    }
}

/// Formulas may be deeper than the stack.
fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
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
        deep(|| self.parts_mut(&mut |mut part| part.finish(f)));
        if let PredKind::Compare(op, a, _) = &mut self.kind
            && f.is_real(a.ty)
        {
            *op = match *op {
                CompareOp::Less => CompareOp::RealLess,
                CompareOp::LessEqual => CompareOp::RealLessEqual,
                CompareOp::Greater => CompareOp::RealGreater,
                CompareOp::GreaterEqual => CompareOp::RealGreaterEqual,
                other => other,
            };
        }
    }
}

impl Finish for Subst {
    fn finish(&mut self, f: &mut Finisher<'_>) {
        deep(|| self.parts_mut(&mut |mut part| part.finish(f)));
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
