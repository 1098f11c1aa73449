//! The value of an expression.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::int::Int;
use crate::scene::{Scene, require};
use crate::solve::{Policy, Solve};
use crate::value::symbolic::{Symbolic, Yield};
use crate::value::{Real, Value};
use beeline_model::{
    BinaryOp, Binder, Expr, ExprKind, ExprQuantifier, LocalId, TernaryOp, Type, UnaryOp,
};
use beeline_source::Span;
use std::ops::ControlFlow;

impl Judge<'_> {
    /// The value of an expression in a scene.
    pub fn eval(&self, expr: &Expr, scene: &Scene) -> Eval<Value> {
        self.enter(&scene.state);
        self.deeper(|| self.eval_kind(expr, scene)).map_err(|error| error.at(expr.span))
    }

    /// The values of some expressions.
    pub(crate) fn eval_all(&self, exprs: &[Expr], scene: &Scene) -> Eval<Vec<Value>> {
        exprs.iter().map(|e| self.eval(e, scene)).collect()
    }

    pub(crate) fn local(&self, id: LocalId, scene: &Scene) -> Eval<Value> {
        require(scene.locals.get(&id), || self.model.local(id).name.to_string())
    }

    fn eval_kind(&self, expr: &Expr, scene: &Scene) -> Eval<Value> {
        match &expr.kind {
            ExprKind::Integer(number) => Ok(Value::int(number.clone())),
            ExprKind::Bool(truth) => Ok(Value::Bool(*truth)),
            ExprKind::Real(number) => Ok(Value::Real(
                Real::new(*number).ok_or_else(|| EvalError::internal("a literal is no number"))?,
            )),
            ExprKind::String(text) => Ok(Value::String(text.clone())),
            ExprKind::MaxInt => Ok(Value::int(self.settings.maxint.clone())),
            ExprKind::MinInt => Ok(Value::int(self.settings.minint.clone())),
            ExprKind::Variable(id) => {
                require(scene.state.variable(*id), || self.model.variable(*id).name.to_string())
            }
            ExprKind::Constant(id) => {
                require(scene.state.constant(*id), || self.model.constant(*id).name.to_string())
            }
            ExprKind::Local(id) => self.local(*id, scene),
            ExprKind::Element(set, index) => Ok(Value::Element(*set, *index)),
            ExprKind::GivenSet(set) => Ok(self.given_set(*set)),
            ExprKind::Basic(set) => Ok(self.basic_set(*set)),
            ExprKind::Function(function) => {
                Ok(Value::symbolic(Symbolic::Function(*function, expr.ty)))
            }
            ExprKind::EmptySet => Ok(Value::empty()),
            ExprKind::SetExtension(parts) => self.make_set(self.eval_all(parts, scene)?),
            ExprKind::SequenceExtension(parts) => self.make_sequence(self.eval_all(parts, scene)?),
            ExprKind::Unary(op, e) => self.unary(*op, self.eval(e, scene)?, expr, e),
            ExprKind::Binary(op, a, b) => {
                self.binary(*op, self.eval(a, scene)?, self.eval(b, scene)?, expr)
            }
            ExprKind::Ternary(op, parts) => {
                let [a, b, c] = &**parts;
                let (a, b, c) = (self.eval(a, scene)?, self.eval(b, scene)?, self.eval(c, scene)?);
                match op {
                    TernaryOp::TreeSon => self.tree_son(&a, &b, &c),
                    TernaryOp::TreeBin => self.tree_bin(&a, b, &c),
                }
            }
            ExprKind::Apply(f, x) => self.apply(&self.eval(f, scene)?, &self.eval(x, scene)?),
            ExprKind::Comprehension(binder) => {
                self.comprehension(binder, Yield::Tuple, expr.span, scene)
            }
            ExprKind::MapComprehension(binder, e) => {
                self.comprehension(binder, Yield::Image((**e).clone()), expr.span, scene)
            }
            ExprKind::Lambda(binder, e) => {
                self.comprehension(binder, Yield::Lambda((**e).clone()), expr.span, scene)
            }
            ExprKind::Quantified(quantifier, binder, e) => {
                self.quantified(*quantifier, binder, e, scene)
            }
            ExprKind::Record(fields) => Ok(Value::Record(self.eval_all(fields, scene)?.into())),
            ExprKind::RecordSet(fields) => {
                Ok(Value::symbolic(Symbolic::Records(self.eval_all(fields, scene)?)))
            }
            ExprKind::Field(e, index) => match self.eval(e, scene)? {
                Value::Record(fields) if *index < fields.len() => Ok(fields[*index].clone()),
                _ => Err(EvalError::internal("a record was expected")),
            },
            ExprKind::If(condition, yes, no) => {
                self.eval(if self.holds(condition, scene)? { yes } else { no }, scene)
            }
            ExprKind::Let(values, e) => self.eval(e, &self.let_scene(values, scene)?),
            ExprKind::BoolOf(pred) => self.holds(pred, scene).map(Value::Bool),
            ExprKind::External(id, arguments) => {
                let external = self.model.external(*id);
                let ty = arguments.first().map(|a| a.ty);
                self.external_function(external, &self.eval_all(arguments, scene)?, ty)
            }
            ExprKind::OperationCall(id, arguments) => {
                self.operation_value(*id, self.eval_all(arguments, scene)?, scene)
            }
            ExprKind::FreeTypeSet(id, arguments) if arguments.is_empty() => {
                let free = self.model.types.element(expr.ty).unwrap_or(expr.ty);
                Ok(Value::symbolic(Symbolic::Free(*id, self.type_arguments(free))))
            }
            ExprKind::FreeTypeSet(id, arguments) => {
                Ok(Value::symbolic(Symbolic::Free(*id, self.eval_all(arguments, scene)?)))
            }
            ExprKind::Constructor(id, constructor) => match self.model.types.get(expr.ty) {
                Type::Free(..) => Ok(Value::Free(*id, *constructor, None)),
                _ => Ok(Value::symbolic(Symbolic::Constructor(*id, *constructor, expr.ty))),
            },
        }
    }

    /// The scene in which LET names have their values.
    pub(crate) fn let_scene(&self, values: &[(LocalId, Expr)], scene: &Scene) -> Eval<Scene> {
        let mut inner = scene.clone();
        for (local, value) in values {
            let value = self.eval(value, &inner)?;
            inner.bind(*local, value);
        }
        Ok(inner)
    }

    /// Listed if that succeeds with a part of the budget, a description otherwise.
    fn comprehension(
        &self,
        binder: &Binder,
        yields: Yield,
        span: Span,
        scene: &Scene,
    ) -> Eval<Value> {
        let closure = self.closure_value(&self.capture(binder, yields, span, scene));
        if !binder.symbolic
            && let Some(elements) = self.attempt(|| self.elements(&closure))?
        {
            return self.make_set(elements);
        }
        let mut search = Solve::new(self, Policy::Refuse, binder.predicate.span);
        search.add_locals(&binder.locals);
        search.add_pred(&binder.predicate, true);
        match (search.check_sense(scene), binder.symbolic) {
            (Ok(()), _) => Ok(closure),
            // Listing it may show that there is no candidate at all.
            (Err(error), true) => match self.attempt(|| self.elements(&closure))? {
                Some(elements) => self.make_set(elements),
                None => Err(error),
            },
            (Err(error), false) => Err(error),
        }
    }

    /// The solutions of a condition, without repetition, as tuples.
    pub(crate) fn solutions(&self, binder: &Binder, scene: &Scene) -> Eval<Vec<Value>> {
        let mut search = Solve::new(self, Policy::Refuse, binder.predicate.span);
        search.add_locals(&binder.locals);
        search.add_pred(&binder.predicate, true);
        let mut found = Vec::new();
        search.run(scene.clone(), &mut |scene| {
            found.push(self.tuple_of(&binder.locals, scene)?);
            Ok(ControlFlow::Continue(()))
        })?;
        self.elements(&self.make_set(found)?)
    }

    fn quantified(
        &self,
        quantifier: ExprQuantifier,
        binder: &Binder,
        body: &Expr,
        scene: &Scene,
    ) -> Eval<Value> {
        let mut values = Vec::new();
        let mut inner = scene.clone();
        for tuple in self.solutions(binder, scene)? {
            self.bind_tuple(&binder.locals, &tuple, &mut inner)?;
            values.push(self.eval(body, &inner)?);
        }
        let fold = |start: Value, op: BinaryOp| {
            values.iter().cloned().try_fold(start, |a, b| self.arithmetic(op, a, b))
        };
        let real = |number| Real::new(number).map_or_else(Value::empty, Value::Real);
        match quantifier {
            ExprQuantifier::Sum => fold(Value::int(0), BinaryOp::Add),
            ExprQuantifier::Product => fold(Value::int(1), BinaryOp::Multiply),
            ExprQuantifier::RealSum => fold(real(0.0), BinaryOp::RealAdd),
            ExprQuantifier::RealProduct => fold(real(1.0), BinaryOp::RealMultiply),
            ExprQuantifier::Union => {
                values.into_iter().try_fold(Value::empty(), |a, b| self.union(a, b))
            }
            ExprQuantifier::Intersection => self.general_intersection(&self.make_set(values)?),
        }
    }

    fn unary(&self, op: UnaryOp, a: Value, whole: &Expr, operand: &Expr) -> Eval<Value> {
        use UnaryOp as Op;
        let described = |set: Symbolic| Ok(Value::symbolic(set));
        match op {
            Op::Negate | Op::RealNegate | Op::Floor | Op::Ceiling | Op::ToReal => {
                self.arithmetic1(op, a)
            }
            Op::Power => Ok(self.power(a, false, false)),
            Op::Power1 => Ok(self.power(a, true, false)),
            Op::Finite => Ok(self.power(a, false, true)),
            Op::Finite1 => Ok(self.power(a, true, true)),
            Op::Card => self.cardinality(&a).map(Value::int),
            Op::Min | Op::Max | Op::RealMin | Op::RealMax => self.extremum(op, &a),
            Op::GeneralUnion => self.general_union(&a),
            Op::GeneralInter => self.general_intersection(&a),
            Op::Domain => self.domain(&a),
            Op::Range => self.range(&a),
            Op::Identity => self.identity(a),
            Op::Inverse => self.inverse(&a),
            Op::Closure => self.closure(&a, operand.ty),
            Op::Closure1 => self.closure1(&a),
            Op::Fnc => self.to_function(&a),
            Op::Rel => self.to_relation(&a),
            Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1 => described(Symbolic::Sequences {
                of: a,
                nonempty: matches!(op, Op::Seq1 | Op::Iseq1),
                injective: matches!(op, Op::Iseq | Op::Iseq1),
            }),
            Op::Perm => described(Symbolic::Permutations(a)),
            Op::Size | Op::First | Op::Last | Op::Front | Op::Tail | Op::Reverse | Op::Concat => {
                self.sequence1(op, &a)
            }
            Op::StringSize
            | Op::StringReverse
            | Op::StringConcat
            | Op::StringFirst
            | Op::StringLast
            | Op::StringFront
            | Op::StringTail => self.string1(op, &a),
            Op::PairFirst => crate::parts::halves(&a).map(|(x, _)| x.clone()),
            Op::PairSecond => crate::parts::halves(&a).map(|(_, y)| y.clone()),
            Op::Tree | Op::Btree => Ok(self.lazy(op, a)),
            Op::TreeTop
            | Op::TreeSons
            | Op::TreePrefix
            | Op::TreePostfix
            | Op::TreeSize
            | Op::TreeMirror
            | Op::TreeLeft
            | Op::TreeRight
            | Op::TreeInfix
            | Op::TreeLeaf => self.tree1(op, a),
        }
        .map_err(|error| error.at(whole.span))
    }

    fn binary(&self, op: BinaryOp, a: Value, b: Value, whole: &Expr) -> Eval<Value> {
        use BinaryOp as Op;
        match op {
            Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Divide
            | Op::Modulo
            | Op::Exponent
            | Op::RealAdd
            | Op::RealSubtract
            | Op::RealMultiply
            | Op::RealDivide
            | Op::RealExponent => self.arithmetic(op, a, b),
            Op::Interval => match (a, b) {
                (Value::Integer(low), Value::Integer(high)) => {
                    Ok(self.interval(low.big(), high.big()))
                }
                _ => Err(EvalError::internal("integers were expected")),
            },
            Op::Pair => Ok(Value::pair(a, b)),
            Op::Union => self.union(a, b),
            Op::Intersection => self.intersection(a, b),
            Op::Difference => self.difference(a, b),
            Op::Cartesian => self.product(a, b),
            Op::Relations
            | Op::PartialFunctions
            | Op::TotalFunctions
            | Op::PartialInjections
            | Op::TotalInjections
            | Op::PartialSurjections
            | Op::TotalSurjections
            | Op::PartialBijections
            | Op::TotalBijections
            | Op::TotalRelations
            | Op::SurjectiveRelations
            | Op::TotalSurjectiveRelations => Ok(Value::symbolic(Symbolic::Arrow(op, a, b))),
            Op::Compose => self.compose(&a, &b),
            Op::ParallelProduct | Op::DirectProduct => self.products(op, &a, &b),
            Op::Override => self.overridden(&a, &b),
            Op::DomainRestrict | Op::DomainSubtract | Op::RangeRestrict | Op::RangeSubtract => {
                self.restrict(op, &a, &b)
            }
            Op::Image => self.image(&a, &b),
            Op::Iterate => self.iterate(&a, &b, whole.ty),
            Op::Projection1 | Op::Projection2 => Ok(self.projection(op, a, b)),
            Op::Concat | Op::Prepend | Op::Append | Op::Take | Op::Drop => self.sequence2(op, a, b),
            Op::StringConcat | Op::StringTake | Op::StringDrop => self.string2(op, &a, &b),
            Op::TreeConst | Op::TreeRank | Op::TreeFather | Op::TreeSubtree | Op::TreeArity => {
                self.tree2(op, a, &b)
            }
        }
    }

    /// An integer that is small enough to count with.
    pub(crate) fn small(&self, number: &Int) -> Option<usize> {
        usize::try_from(number.small()?).ok()
    }
}
