//! Which formulas are surely well-defined.
//!
//! Read from left to right, as the proof rules of B do: what stands before a part may be assumed in it.
//! A formula that is well-defined in this sense has a value in every order of evaluation.

use crate::analysis::{Analysis, deep};
use crate::domain::{Ints, Set, Value};
use crate::env::{Env, Name};
use beeline_model::{BinaryOp, Binder, Expr, ExprKind, ExprQuantifier, Pred, PredKind, UnaryOp};

impl Analysis<'_> {
    /// Is a predicate surely well-defined?
    pub fn is_defined_pred(&self, p: &Pred, env: &Env) -> bool {
        env.is_dead() || self.pay() && deep(|| self.pred_kind(p, env))
    }

    fn pred_kind(&self, p: &Pred, env: &Env) -> bool {
        match &p.kind {
            PredKind::Bool(_) => true,
            PredKind::And(parts) => self.one_by_one(parts, true, env),
            PredKind::Or(parts) => self.one_by_one(parts, false, env),
            PredKind::Not(p) => self.is_defined_pred(p, env),
            PredKind::Implies(p, q) => {
                self.is_defined_pred(p, env) && self.is_defined_pred(q, &self.with(p, true, env))
            }
            PredKind::Equivalent(p, q) => {
                self.is_defined_pred(p, env) && self.is_defined_pred(q, env)
            }
            PredKind::Compare(_, a, b) => self.is_defined(a, env) && self.is_defined(b, env),
            PredKind::Forall(locals, p) | PredKind::Exists(locals, p) => {
                let mut inner = env.clone();
                locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
                self.is_defined_pred(p, &inner)
            }
            PredKind::If(c, p, q) => {
                self.is_defined_pred(c, env)
                    && self.is_defined_pred(p, &self.with(c, true, env))
                    && self.is_defined_pred(q, &self.with(c, false, env))
            }
            PredKind::Let(values, p) => {
                let mut inner = env.clone();
                for (local, value) in values {
                    if !self.is_defined(value, &inner) {
                        return false;
                    }
                    let value = self.eval(value, &inner);
                    inner.set(Name::Local(*local), value);
                }
                self.is_defined_pred(p, &inner)
            }
            PredKind::Finite(set) => self.is_defined(set, env),
            PredKind::Partition(whole, parts) => {
                self.is_defined(whole, env) && parts.iter().all(|p| self.is_defined(p, env))
            }
            PredKind::External(..) => false,
        }
    }

    /// The environment in which a predicate has this truth.
    pub(crate) fn with(&self, p: &Pred, truth: bool, env: &Env) -> Env {
        let mut inner = env.clone();
        self.assume(p, truth, &mut inner);
        inner
    }

    fn one_by_one(&self, parts: &[Pred], truth: bool, env: &Env) -> bool {
        let mut inner = env.clone();
        for part in parts {
            if !self.is_defined_pred(part, &inner) {
                return false;
            }
            self.assume(part, truth, &mut inner);
        }
        true
    }

    /// Is the condition of a binder surely well-defined?
    pub(crate) fn is_defined_binder(&self, binder: &Binder, env: &Env) -> bool {
        let mut inner = env.clone();
        binder.locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
        self.is_defined_pred(&binder.predicate, &inner)
    }

    /// The same, with an expression behind it.
    pub(crate) fn is_defined_map(&self, binder: &Binder, value: &Expr, env: &Env) -> bool {
        self.is_defined_binder(binder, env) && self.is_defined(value, &self.inside(binder, env))
    }

    /// Is an expression surely well-defined?
    pub fn is_defined(&self, e: &Expr, env: &Env) -> bool {
        env.is_dead() || self.pay() && deep(|| self.expr_kind(e, env))
    }

    fn expr_kind(&self, e: &Expr, env: &Env) -> bool {
        let all = |parts: &[Expr]| parts.iter().all(|p| self.is_defined(p, env));
        match &e.kind {
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
            | ExprKind::EmptySet => true,
            ExprKind::SetExtension(parts)
            | ExprKind::SequenceExtension(parts)
            | ExprKind::Record(parts)
            | ExprKind::RecordSet(parts) => all(parts),
            ExprKind::Unary(op, a) => self.is_defined(a, env) && self.unary_defined(*op, a, env),
            ExprKind::Binary(op, a, b) => {
                self.is_defined(a, env)
                    && self.is_defined(b, env)
                    && self.binary_defined(*op, a, b, env)
            }
            ExprKind::Apply(f, x) => {
                self.is_defined(f, env) && self.is_defined(x, env) && self.applies(f, x, env)
            }
            ExprKind::Comprehension(binder) => self.is_defined_binder(binder, env),
            ExprKind::MapComprehension(binder, value) | ExprKind::Lambda(binder, value) => {
                self.is_defined_map(binder, value, env)
            }
            ExprKind::Quantified(op, binder, value) => {
                let finite = || self.tuple(&binder.locals, &self.inside(binder, env)).is_finite();
                let fits = match op {
                    ExprQuantifier::Sum | ExprQuantifier::Product => finite(),
                    ExprQuantifier::Union => true,
                    _ => false,
                };
                fits && self.is_defined_map(binder, value, env)
            }
            ExprKind::Field(record, _) => self.is_defined(record, env),
            ExprKind::If(c, a, b) => {
                self.is_defined_pred(c, env)
                    && self.is_defined(a, &self.with(c, true, env))
                    && self.is_defined(b, &self.with(c, false, env))
            }
            ExprKind::BoolOf(p) => self.is_defined_pred(p, env),
            _ => false,
        }
    }

    fn unary_defined(&self, op: UnaryOp, a: &Expr, env: &Env) -> bool {
        use UnaryOp as U;
        let set = || self.eval_set(a, env);
        match op {
            U::Negate
            | U::Power
            | U::Power1
            | U::Finite
            | U::Finite1
            | U::GeneralUnion
            | U::Domain
            | U::Range
            | U::Identity
            | U::Inverse
            | U::Closure1
            | U::Seq
            | U::Seq1
            | U::Iseq
            | U::Iseq1
            | U::PairFirst
            | U::PairSecond => true,
            U::Card => set().finite,
            U::Min | U::Max => set().finite && set().is_inhabited(),
            U::Size | U::Reverse => set().finite && set().is_sequence(),
            U::First | U::Last | U::Front | U::Tail => {
                let set = set();
                set.finite && set.is_sequence() && set.is_inhabited()
            }
            _ => false,
        }
    }

    fn binary_defined(&self, op: BinaryOp, a: &Expr, b: &Expr, env: &Env) -> bool {
        use BinaryOp as B;
        let ints = |e: &Expr| self.eval(e, env).as_ints();
        let natural = |e: &Expr, least: i128| ints(e).low().is_some_and(|n| n >= least);
        let sequence = |e: &Expr| {
            let set: Set = self.eval_set(e, env);
            set.finite && set.is_sequence()
        };
        match op {
            B::Divide => !ints(b).contains(0),
            B::Modulo => natural(a, 0) && natural(b, 1),
            B::Exponent => {
                natural(b, 0) && ints(b).high().is_some_and(|n| n < 1000) && small(&ints(a))
            }
            B::Concat => sequence(a) && sequence(b),
            B::Append => sequence(a),
            B::Prepend => sequence(b),
            B::RealDivide
            | B::RealExponent
            | B::RealAdd
            | B::RealSubtract
            | B::RealMultiply
            | B::Iterate
            | B::Take
            | B::Drop
            | B::StringConcat
            | B::StringTake
            | B::StringDrop
            | B::TreeConst
            | B::TreeRank
            | B::TreeFather
            | B::TreeSubtree
            | B::TreeArity => false,
            _ => true,
        }
    }

    /// Has `f(x)` surely a value?
    fn applies(&self, f: &Expr, x: &Expr, env: &Env) -> bool {
        if matches!(f.kind, ExprKind::Function(_)) {
            return true;
        }
        let function = self.eval_set(f, env);
        let argument = self.eval(x, env);
        if argument == Value::Never || !function.is_functional() {
            return false;
        }
        let domain = function.domain();
        domain.surely_contains(&argument) || self.within_length(&function, &argument)
    }

    /// Is an index within the least length of a sequence?
    fn within_length(&self, function: &Set, argument: &Value) -> bool {
        let index = argument.as_ints();
        let least = function.card.low();
        function.is_sequence()
            && index.low().is_some_and(|n| n >= 1)
            && index.high().zip(least).is_some_and(|(n, least)| n <= least)
    }
}

fn small(ints: &Ints) -> bool {
    ints.low().is_some_and(|n| n > -1_000_000) && ints.high().is_some_and(|n| n < 1_000_000)
}
