//! Expressions.

use super::{Access, Bound, Elaborator, Entity, LocalKind, Meaning, Section};
use crate::infer::{self, Node, Question, Ty};
use crate::{
    BasicFunction, BasicSet, BinaryOp, Binder, ConstantKind, Expr, ExprKind, ExprQuantifier,
    FreeTypeId, LocalId, Place, Pred, PredKind, SetKind, VariableId,
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
                self.make(ExprKind::Unary(crate::UnaryOp::Inverse, r), ty, span)
            }
            K::Builtin(builtin, args) => self.builtin(*builtin, args, span),
            K::Binary(op, a, b) => self.binary(*op, a, b, e),
            K::Call(callee, args) => self.call(callee, args, span),
            K::Image(r, s) => self.image(r, s, span),
            K::Field(record, field) => self.field(record, field, span),
            K::Paren(inner) | K::Labelled(_, inner) | K::Described(inner, _) => self.expr(inner),
            K::Tuple(parts) => self.tuple(parts, span),
            K::List(parts) => {
                let message = "a list of several things stands where one is needed";
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
            let Err(_) = self.infer.unify(Ty(first.ty.0), Ty(part.ty.0)) else { continue };
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

    /// A name in an expression.
    pub(super) fn name(&mut self, name: &'a Name, span: Span) -> Expr {
        match self.meaning(name) {
            Meaning::Bound(Bound::Local(local) | Bound::After { local, .. }) => {
                let ty = self.local_ty(local);
                self.make(ExprKind::Local(local), ty, span)
            }
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                self.in_argument(env, frame, expr, |me, e| me.expr(e))
            }
            Meaning::Definition(entry) => self.definition_expr(entry, &[], span),
            Meaning::Entity(entity) => self.entity(entity, name, span),
            Meaning::Unknown => {
                if let Some(&operation) = self.scope.operations.get(name) {
                    return self.operation_in_expr(operation, &[], span);
                }
                self.unknown(name, span);
                self.broken(span)
            }
        }
    }

    fn entity(&mut self, entity: Entity, name: &Name, span: Span) -> Expr {
        if self.section == Section::Properties && self.is_parameter(entity) {
            let message = format!("`{name}` is a machine parameter, which PROPERTIES cannot see");
            self.problem(
                Diagnostic::new(Code::NOT_VISIBLE, span, message)
                    .help("parameters are fixed by each user of the machine, constants only once"),
            );
        }
        match entity {
            Entity::Set(set) => {
                let ty = self.infer.power(self.set_ty[set.index()]);
                self.make(ExprKind::GivenSet(set), ty, span)
            }
            Entity::Element(set, index) => {
                self.make(ExprKind::Element(set, index), self.set_ty[set.index()], span)
            }
            Entity::Constant(constant) => {
                let ty = self.constant_ty[constant.index()];
                self.make(ExprKind::Constant(constant), ty, span)
            }
            Entity::Variable(variable, access) => {
                self.check_visible(variable, access, name, span);
                let ty = self.variable_ty[variable.index()];
                self.make(ExprKind::Variable(variable), ty, span)
            }
            Entity::FreeType(free) => {
                let args: Vec<Ty> = self.free_parameters[free.index()]
                    .clone()
                    .iter()
                    .map(|_| self.infer.fresh())
                    .collect();
                let ty = self.infer.add(Node::Free(free, args.into()));
                let ty = self.infer.power(ty);
                self.make(ExprKind::FreeTypeSet(free, Vec::new()), ty, span)
            }
            Entity::Constructor(free, index) => self.constructor(free, index, span),
            Entity::Argument(index) => {
                let mut expr = self.arguments[index].clone();
                expr.span = span;
                expr
            }
        }
    }

    fn is_parameter(&self, entity: Entity) -> bool {
        match entity {
            Entity::Argument(_) => true,
            Entity::Constant(c) => self.model.constant(c).kind == ConstantKind::Parameter,
            Entity::Set(s) => self.model.set(s).kind == SetKind::Parameter,
            _ => false,
        }
    }

    fn check_visible(&mut self, variable: VariableId, access: Access, name: &Name, span: Span) {
        let message = match (self.section, access) {
            (Section::Static | Section::Properties, _) => {
                format!("`{name}` is a variable; only constants and sets are known here")
            }
            (Section::Operations, Access::Abstract) => {
                format!("`{name}` is a variable of the abstraction, which this refinement replaces")
            }
            _ => return,
        };
        let declared = self.model.variable(variable).span;
        self.problem(
            Diagnostic::new(Code::NOT_VISIBLE, span, message).also(declared, "declared here"),
        );
    }

    /// A constructor as a value: a constant, or a function into the free type.
    fn constructor(&mut self, free: FreeTypeId, index: u32, span: Span) -> Expr {
        let parameters = self.free_parameters[free.index()].clone();
        let args: Vec<Ty> = parameters.iter().map(|_| self.infer.fresh()).collect();
        let ty = self.infer.add(Node::Free(free, args.clone().into()));
        let Some(argument) = self.constructors[free.index()][index as usize] else {
            return self.make(ExprKind::Constructor(free, index), ty, span);
        };
        let set = self.with_type_parameters(&parameters, &args, |me| me.expr(argument));
        let of = self.infer.fresh();
        let power = self.infer.power(of);
        self.want(&set, power, "the argument of a constructor");
        let function = self.infer.relation(of, ty);
        self.make(ExprKind::Constructor(free, index), function, span)
    }

    /// Binds names to sets of the given element types.
    pub(super) fn with_type_parameters<R>(
        &mut self,
        names: &[Name],
        types: &[Ty],
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mark = self.env.len();
        for (name, ty) in names.iter().zip(types) {
            let power = self.infer.power(*ty);
            let local = self.local_of(name.clone(), Span::NONE, power, LocalKind::ReadOnly);
            self.bind(local);
        }
        let result = body(self);
        self.env.truncate(mark);
        result
    }

    /// `x$0`
    fn before_value(&mut self, name: &'a Name, span: Span) -> Expr {
        let place = match self.meaning(name) {
            Meaning::Bound(Bound::After { place, .. }) => {
                return self.place_value(place, span);
            }
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                if let ast::ExprKind::Ident(inner) = &expr.kind {
                    return self
                        .in_argument(env, frame, expr, |me, _| me.before_value(inner, span));
                }
                None
            }
            Meaning::Bound(Bound::Local(local)) => Some(Place::Local(local)),
            Meaning::Entity(Entity::Variable(variable, _)) => Some(Place::Variable(variable)),
            _ => None,
        };
        let (Some(place), Some(known)) = (place, self.loop_before.as_ref()) else {
            let message = format!("the before value `{name}$0` makes no sense here");
            self.problem(
                Diagnostic::new(Code::BAD_BEFORE_VALUE, span, message).help(
                    "x$0 stands for the old value of x inside x : (P) and in loop invariants",
                ),
            );
            return self.broken(span);
        };
        let local = match known.iter().find(|(_, p)| *p == place) {
            Some((local, _)) => *local,
            None => {
                let ty = self.place_ty(place);
                let label = Name::from(format!("{name}$0"));
                let local = self.local_of(label, span, ty, LocalKind::ReadOnly);
                if let Some(before) = &mut self.loop_before {
                    before.push((local, place));
                }
                local
            }
        };
        let ty = self.local_ty(local);
        self.make(ExprKind::Local(local), ty, span)
    }

    pub(super) fn place_ty(&mut self, place: Place) -> Ty {
        match place {
            Place::Variable(variable) => self.variable_ty[variable.index()],
            Place::Local(local) => self.local_ty(local),
        }
    }

    pub(super) fn place_value(&mut self, place: Place, span: Span) -> Expr {
        let ty = self.place_ty(place);
        let kind = match place {
            Place::Variable(variable) => ExprKind::Variable(variable),
            Place::Local(local) => ExprKind::Local(local),
        };
        self.make(kind, ty, span)
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
        self.make(ExprKind::Unary(crate::UnaryOp::Negate, operand), ty, span)
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

    /// `LET names BE equations IN …`: one equation a name, in an order that respects their uses.
    pub(super) fn let_in<R>(
        &mut self,
        names: &'a [ast::Ident],
        equations: &'a ast::Expr,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (Vec<(LocalId, Expr)>, R) {
        let mark = self.env.len();
        let mut bindings = Vec::with_capacity(names.len());
        for (name, value) in self.let_equations(names, equations) {
            let value = self.expr(value);
            let ty = Ty(value.ty.0);
            let local = self.local_of(name.name.clone(), name.span, ty, LocalKind::ReadOnly);
            self.bind(local);
            bindings.push((local, value));
        }
        let result = body(self);
        self.env.truncate(mark);
        (bindings, result)
    }

    fn let_equations(
        &mut self,
        names: &'a [ast::Ident],
        equations: &'a ast::Expr,
    ) -> Vec<(&'a ast::Ident, &'a ast::Expr)> {
        let mut found: Vec<(&'a ast::Ident, &'a ast::Expr)> = Vec::new();
        let mut conjuncts = Vec::new();
        flatten(equations, &mut conjuncts);
        for conjunct in conjuncts {
            let pair = match &conjunct.kind {
                ast::ExprKind::Binary(ast::BinaryOp::Equal, a, b) => {
                    let named = |e: &ast::Expr| match &e.peeled().kind {
                        ast::ExprKind::Ident(n) => names.iter().find(|i| i.name == *n),
                        _ => None,
                    };
                    named(a).map(|n| (n, &**b))
                }
                _ => None,
            };
            let Some((name, value)) = pair else {
                self.problem(
                    Diagnostic::new(
                        Code::BAD_LET,
                        conjunct.span,
                        "this is not an equation `name = value` for a name of the LET",
                    )
                    .help("write LET x, y BE x = … & y = … IN … END"),
                );
                continue;
            };
            if found.iter().any(|(n, _)| n.name == name.name) {
                let message = format!("`{}` is given a second value", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, conjunct.span, message));
                continue;
            }
            found.push((name, value));
        }
        for name in names {
            if !found.iter().any(|(n, _)| n.name == name.name) {
                let message = format!("the LET gives `{}` no value", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, name.span, message));
            }
        }
        self.order_equations(found)
    }

    /// Each value may use names that stand before it.
    fn order_equations(
        &mut self,
        mut open: Vec<(&'a ast::Ident, &'a ast::Expr)>,
    ) -> Vec<(&'a ast::Ident, &'a ast::Expr)> {
        let mut ordered = Vec::with_capacity(open.len());
        while !open.is_empty() {
            let ready = (0..open.len()).find(|&i| {
                let mut free = true;
                crate::walk::names_in_expr(open[i].1, &mut |name, _| {
                    free &= !open.iter().any(|(n, _)| n.name == *name);
                });
                free
            });
            let Some(ready) = ready else {
                let (name, value) = open[0];
                let message = format!("the value of `{}` depends on itself", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, value.span, message));
                ordered.append(&mut open);
                return ordered;
            };
            ordered.push(open.remove(ready));
        }
        ordered
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
