//! Expressions.

use super::{Elaborator, LocalKind};
use crate::infer::{self, Node, Question, Ty};
use beeline_model::{
    BasicFunction, BasicSet, BinaryOp, Binder, Expr, ExprKind, ExprQuantifier, LocalId, Pred,
    PredKind,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, Constant, Name, Quantifier};
use num_bigint::BigInt;

impl<'a> Elaborator<'a> {
    /// Elaborates a formula that must be an expression.
    pub fn expr(&mut self, e: &'a ast::Expr) -> Expr {
        self.guarded(e.span, |me| me.expr_inner(e), |me| me.broken(e.span))
    }

    fn boxed(&mut self, e: &'a ast::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    fn exprs(&mut self, list: &'a [ast::Expr]) -> Vec<Expr> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    fn expr_inner(&mut self, e: &'a ast::Expr) -> Expr {
        use ast::ExprKind as K;
        let span = e.span;
        match &e.kind {
            K::Ident(name) => self.name(name, span),
            K::Before(name) => self.before_value(name, span),
            K::Integer(digits) => {
                let value = digits.parse::<BigInt>().unwrap_or_default();
                self.make(ExprKind::Integer(value), infer::INTEGER, span)
            }
            K::Real(text) => {
                let value = text.parse::<f64>().unwrap_or(f64::NAN);
                self.make(ExprKind::Real(value), infer::REAL, span)
            }
            K::String(_, text) => {
                self.make(ExprKind::String(text.as_str().into()), infer::STRING, span)
            }
            K::Constant(constant) => self.constant(*constant, span),
            K::Negate(inner) => self.negate(inner, span),
            K::Inverse(inner) => {
                let r = self.boxed(inner);
                let (x, y) = (self.infer.fresh(), self.infer.fresh());
                let relation = self.infer.relation(x, y);
                self.want(&r, relation, "the operand of `~`");
                let ty = self.infer.relation(y, x);
                self.make(ExprKind::Unary(beeline_model::UnaryOp::Inverse, r), ty, span)
            }
            K::Builtin(builtin, args) => self.builtin(*builtin, args, span),
            K::Binary(op, a, b) => self.binary(*op, a, b, e),
            K::Call(callee, args) => self.call(callee, args, span),
            K::Image(r, s) => self.image(r, s, span),
            K::Field(record, field) => self.field(record, field, span),
            K::Paren(inner) | K::Labelled(_, inner) | K::Described(inner, _) => self.expr(inner),
            K::Tuple(parts) => self.tuple(parts, span),
            K::List(parts) => {
                let message = "a list is used where a single value is needed";
                self.problem(
                    Diagnostic::new(Code::EXPECTED_EXPRESSION, span, message)
                        .help("put parentheses around it to make a pair"),
                );
                self.tuple(parts, span)
            }
            K::SetExtension(parts) => {
                let parts = self.exprs(parts);
                let of = self.elements(&parts, "set");
                let ty = self.infer.power(of);
                self.make(ExprKind::SetExtension(parts), ty, span)
            }
            K::SequenceExtension(parts) => {
                let parts = self.exprs(parts);
                let of = self.elements(&parts, "sequence");
                let ty = self.infer.sequence(of);
                self.make(ExprKind::SequenceExtension(parts), ty, span)
            }
            K::Comprehension(c) => self.comprehension(c, span),
            K::Quantified(q) => self.quantified(q, e),
            K::Record(fields) => self.record(fields, span, false),
            K::RecordSet(fields) => self.record(fields, span, true),
            K::If(branches, otherwise) => self.if_expr(branches, otherwise, span),
            K::Let(names, equations, body) => {
                let (bindings, body) = self.let_in(names, equations, |me| me.expr(body));
                let ty = Ty(body.ty.0);
                self.make(ExprKind::Let(bindings, Box::new(body)), ty, span)
            }
            K::OfType(inner, ty) => {
                let inner = self.expr(inner);
                let set = self.expr(ty);
                let power = self.infer.power(Ty(inner.ty.0));
                self.want(&set, power, "the type behind `⦂`");
                inner
            }
            K::And(_) | K::Or(_) | K::Substituted(..) => self.not_an_expression(span),
            K::Error => self.broken(span),
        }
    }

    pub(super) fn not_an_expression(&mut self, span: Span) -> Expr {
        self.problem(
            Diagnostic::new(
                Code::EXPECTED_EXPRESSION,
                span,
                "this is a predicate, but a value is needed here",
            )
            .help("bool(P) turns a predicate into TRUE or FALSE"),
        );
        self.broken(span)
    }

    /// All elements must have one type.
    fn elements(&mut self, parts: &[Expr], what: &str) -> Ty {
        let Some((first, rest)) = parts.split_first() else { return self.infer.fresh() };
        for part in rest {
            if self.fits(Ty(first.ty.0), Ty(part.ty.0), part.span) {
                continue;
            }
            let (one, other) = (self.show(Ty(first.ty.0)), self.show(Ty(part.ty.0)));
            let message = format!("the elements of this {what} have different types");
            self.problem(
                Diagnostic::new(Code::TYPE_MISMATCH, part.span, message)
                    .here(format!("this has type {other}"))
                    .also(first.span, format!("this has type {one}")),
            );
            break;
        }
        Ty(first.ty.0)
    }

    fn constant(&mut self, constant: Constant, span: Span) -> Expr {
        use infer::{BOOL, INTEGER, REAL, SET_OF_INTEGER, STRING};
        let basic = |me: &mut Self, set: BasicSet, ty: Ty| {
            let power = me.infer.power(ty);
            me.make(ExprKind::Basic(set), power, span)
        };
        match constant {
            Constant::True => self.make(ExprKind::Bool(true), BOOL, span),
            Constant::False => self.make(ExprKind::Bool(false), BOOL, span),
            Constant::Truth | Constant::Falsity => self.not_an_expression(span),
            Constant::MaxInt => self.make(ExprKind::MaxInt, INTEGER, span),
            Constant::MinInt => self.make(ExprKind::MinInt, INTEGER, span),
            Constant::Integer => {
                self.make(ExprKind::Basic(BasicSet::Integer), SET_OF_INTEGER, span)
            }
            Constant::Natural => {
                self.make(ExprKind::Basic(BasicSet::Natural), SET_OF_INTEGER, span)
            }
            Constant::Natural1 => {
                self.make(ExprKind::Basic(BasicSet::Natural1), SET_OF_INTEGER, span)
            }
            Constant::Int => self.make(ExprKind::Basic(BasicSet::Int), SET_OF_INTEGER, span),
            Constant::Nat => self.make(ExprKind::Basic(BasicSet::Nat), SET_OF_INTEGER, span),
            Constant::Nat1 => self.make(ExprKind::Basic(BasicSet::Nat1), SET_OF_INTEGER, span),
            Constant::Bool => basic(self, BasicSet::Bool, BOOL),
            Constant::String => basic(self, BasicSet::String, STRING),
            Constant::Real => basic(self, BasicSet::Real, REAL),
            Constant::Float => basic(self, BasicSet::Float, REAL),
            Constant::Succ | Constant::Pred => {
                let ty = self.infer.relation(INTEGER, INTEGER);
                let function = match constant {
                    Constant::Succ => BasicFunction::Successor,
                    _ => BasicFunction::Predecessor,
                };
                self.make(ExprKind::Function(function), ty, span)
            }
            Constant::Projection1 | Constant::Projection2 => {
                let (x, y) = (self.infer.fresh(), self.infer.fresh());
                let pair = self.infer.pair(x, y);
                let (function, result) = match constant {
                    Constant::Projection1 => (BasicFunction::First, x),
                    _ => (BasicFunction::Second, y),
                };
                let ty = self.infer.relation(pair, result);
                self.make(ExprKind::Function(function), ty, span)
            }
            Constant::Identity => {
                let of = self.infer.fresh();
                let ty = self.infer.relation(of, of);
                self.make(ExprKind::Function(BasicFunction::Identity), ty, span)
            }
            Constant::EmptySet => {
                let of = self.infer.fresh();
                let ty = self.infer.power(of);
                self.make(ExprKind::EmptySet, ty, span)
            }
            Constant::EmptySequence => {
                let of = self.infer.fresh();
                let ty = self.infer.sequence(of);
                self.make(ExprKind::EmptySet, ty, span)
            }
        }
    }

    fn negate(&mut self, inner: &'a ast::Expr, span: Span) -> Expr {
        if let ast::ExprKind::Integer(digits) = &inner.kind {
            let value = -digits.parse::<BigInt>().unwrap_or_default();
            return self.make(ExprKind::Integer(value), infer::INTEGER, span);
        }
        let operand = self.boxed(inner);
        let ty = Ty(operand.ty.0);
        self.ask(Question::Numeric(ty), operand.span);
        self.make(ExprKind::Unary(beeline_model::UnaryOp::Negate, operand), ty, span)
    }

    fn image(&mut self, r: &'a ast::Expr, s: &'a ast::Expr, span: Span) -> Expr {
        let (r, s) = (self.boxed(r), self.boxed(s));
        let (x, y) = (self.infer.fresh(), self.infer.fresh());
        let relation = self.infer.relation(x, y);
        self.want(&r, relation, "the relation of an image");
        let from = self.infer.power(x);
        self.want(&s, from, "the set of an image");
        let ty = self.infer.power(y);
        self.make(ExprKind::Binary(BinaryOp::Image, r, s), ty, span)
    }

    fn field(&mut self, record: &'a ast::Expr, field: &'a ast::Ident, span: Span) -> Expr {
        let record = self.boxed(record);
        let ty = self.infer.fresh();
        self.ask(Question::Field(Ty(record.ty.0), field.name.clone(), ty), field.span);
        let slot = self.field_name(&field.name);
        self.make(ExprKind::Field(record, slot), ty, span)
    }

    /// Remembers a field's name until its record type is known; `finish` turns it into a position.
    pub(super) fn field_name(&mut self, name: &Name) -> usize {
        self.field_names.push(name.clone());
        self.field_names.len() - 1
    }

    fn record(&mut self, fields: &'a [(ast::Ident, ast::Expr)], span: Span, set: bool) -> Expr {
        let mut typed: Vec<(&Name, Span, Expr)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            if let Some(other) = typed.iter().find(|f| *f.0 == name.name) {
                let message = format!("field `{}` is given twice", name.name);
                let first = other.1;
                self.problem(
                    Diagnostic::new(Code::DUPLICATE_NAME, name.span, message)
                        .also(first, "first here"),
                );
                continue;
            }
            let value = self.expr(value);
            typed.push((&name.name, name.span, value));
        }
        typed.sort_by(|a, b| a.0.cmp(b.0));
        let mut types = Vec::with_capacity(typed.len());
        for (name, _, value) in &typed {
            let mut ty = Ty(value.ty.0);
            if set {
                ty = self.infer.fresh();
                let power = self.infer.power(ty);
                self.want(value, power, "the set of a field");
            }
            types.push(((*name).clone(), ty));
        }
        let values = typed.into_iter().map(|f| f.2).collect();
        let ty = self.infer.add(Node::Record(types.into()));
        if set {
            let power = self.infer.power(ty);
            return self.make(ExprKind::RecordSet(values), power, span);
        }
        self.make(ExprKind::Record(values), ty, span)
    }

    /// `(a, b, c)` and the arguments of a call: left-nested pairs.
    pub(super) fn tuple(&mut self, parts: &'a [ast::Expr], span: Span) -> Expr {
        let parts = self.exprs(parts);
        self.tuple_of(parts, span)
    }

    pub(super) fn tuple_of(&mut self, parts: Vec<Expr>, span: Span) -> Expr {
        let mut parts = parts.into_iter();
        let Some(mut tuple) = parts.next() else { return self.broken(span) };
        for part in parts {
            let ty = self.infer.pair(Ty(tuple.ty.0), Ty(part.ty.0));
            let whole = tuple.span.to(part.span);
            let kind = ExprKind::Binary(BinaryOp::Pair, Box::new(tuple), Box::new(part));
            tuple = self.make(kind, ty, whole);
        }
        tuple.span = span;
        tuple
    }

    /// The type of the left-nested tuple of some locals.
    pub(super) fn tuple_ty(&mut self, locals: &[LocalId]) -> Ty {
        let mut types = locals.iter();
        let Some(first) = types.next() else { return self.infer.fresh() };
        let mut ty = self.local_ty(*first);
        for local in types {
            let next = self.local_ty(*local);
            ty = self.infer.pair(ty, next);
        }
        ty
    }

    fn comprehension(&mut self, c: &'a ast::Comprehension, span: Span) -> Expr {
        let (locals, (predicate, expression)) = self.binding(&c.names, LocalKind::ReadOnly, |me| {
            let predicate = me.pred(&c.predicate);
            (predicate, c.expression.as_ref().map(|e| me.expr(e)))
        });
        let of = match &expression {
            Some(e) => Ty(e.ty.0),
            None => self.tuple_ty(&locals),
        };
        let ty = self.infer.power(of);
        let binder = Box::new(Binder { locals, predicate, symbolic: c.symbolic });
        match expression {
            Some(e) => self.make(ExprKind::MapComprehension(binder, Box::new(e)), ty, span),
            None => self.make(ExprKind::Comprehension(binder), ty, span),
        }
    }

    fn quantified(&mut self, q: &'a ast::Quantified, e: &'a ast::Expr) -> Expr {
        let span = e.span;
        let Some(expression) = &q.expression else { return self.not_an_expression(span) };
        let (locals, (predicate, body)) = self.binding(&q.names, LocalKind::ReadOnly, |me| {
            (me.pred(&q.predicate), me.boxed(expression))
        });
        let body_ty = Ty(body.ty.0);
        if q.quantifier == Quantifier::Lambda {
            let from = self.tuple_ty(&locals);
            let ty = self.infer.relation(from, body_ty);
            let binder = Box::new(Binder { locals, predicate, symbolic: q.symbolic });
            return self.make(ExprKind::Lambda(binder, body), ty, span);
        }
        let binder = Box::new(Binder { locals, predicate, symbolic: q.symbolic });
        let quantifier = match q.quantifier {
            Quantifier::Sigma => ExprQuantifier::Sum,
            Quantifier::Pi => ExprQuantifier::Product,
            Quantifier::Union => ExprQuantifier::Union,
            _ => ExprQuantifier::Intersection,
        };
        match quantifier {
            ExprQuantifier::Sum | ExprQuantifier::Product => {
                self.ask(Question::Numeric(body_ty), body.span);
            }
            _ => {
                let of = self.infer.fresh();
                let power = self.infer.power(of);
                self.want(&body, power, "the expression of a quantified union or intersection");
            }
        }
        self.make(ExprKind::Quantified(quantifier, binder, body), body_ty, span)
    }

    fn if_expr(
        &mut self,
        branches: &'a [(ast::Expr, ast::Expr)],
        otherwise: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let mut result = self.expr(otherwise);
        for (condition, value) in branches.iter().rev() {
            let condition = self.pred(condition);
            let value = self.expr(value);
            self.same(&value, &result, "IF … ELSE");
            let ty = Ty(value.ty.0);
            let kind = ExprKind::If(Box::new(condition), Box::new(value), Box::new(result));
            result = self.make(kind, ty, span);
        }
        result
    }
}

/// The conjuncts of a formula, through parentheses and labels.
pub(super) fn flatten<'a>(e: &'a ast::Expr, out: &mut Vec<&'a ast::Expr>) {
    match &e.peeled().kind {
        ast::ExprKind::And(parts) => parts.iter().for_each(|p| flatten(p, out)),
        _ => out.push(e.peeled()),
    }
}

/// A predicate that says nothing.
pub(super) fn truth(span: Span) -> Pred {
    Pred { kind: PredKind::Bool(true), span }
}
