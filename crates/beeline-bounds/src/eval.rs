//! Abstract values of expressions.
//!
//! The result stands for every value that the expression has in a state that the environment stands
//! for; [`Value::Never`] means that it has none, as it is not well-defined there. A form that is not
//! understood has any value of its type.

mod binder;
mod relation;
mod sequence;
mod space;

use crate::analysis::{Analysis, deep};
use crate::domain::{Atom, Elements, Ints, Set, Value, size_of};
use crate::env::{Env, Name};
use beeline_model::{BasicFunction, BasicSet, BinaryOp, Expr, ExprKind, SetId, UnaryOp};
use num_traits::ToPrimitive;

impl Analysis<'_> {
    /// The value of an expression.
    pub fn eval(&self, e: &Expr, env: &Env) -> Value {
        if env.is_dead() {
            return Value::Never;
        }
        if !self.pay() {
            return Value::top(self.model, e.ty);
        }
        // What is not looked at closely is at least of its type.
        match deep(|| self.eval_kind(e, env)) {
            Value::Any => Value::top(self.model, e.ty),
            value => value,
        }
    }

    /// As a set.
    pub(crate) fn eval_set(&self, e: &Expr, env: &Env) -> Set {
        match self.eval(e, env) {
            Value::Set(set) => *set,
            // Whoever asks has seen that there is a value, or looks only at what is possible.
            _ => Value::top(self.model, e.ty).as_set(),
        }
    }

    fn eval_kind(&self, e: &Expr, env: &Env) -> Value {
        match &e.kind {
            ExprKind::Integer(n) => n.to_i128().map_or(Value::Any, |n| Value::Int(Ints::one(n))),
            ExprKind::Bool(b) => Value::Bool(!b, *b),
            ExprKind::MaxInt => Value::Int(self.max_int),
            ExprKind::MinInt => Value::Int(self.min_int),
            ExprKind::Variable(_) | ExprKind::Constant(_) | ExprKind::Local(_) => {
                Name::of(e).map_or(Value::Any, |name| self.known(name, env))
            }
            ExprKind::Element(set, index) => {
                Value::Element(Elements::one(self.model, *set, *index))
            }
            ExprKind::GivenSet(set) => self.given_set(*set),
            ExprKind::Basic(set) => self.basic_set(*set),
            ExprKind::EmptySet => Value::set(Set::empty()),
            ExprKind::SetExtension(parts) => self.extension(parts, env),
            ExprKind::SequenceExtension(parts) => self.listed_sequence(parts, env),
            ExprKind::Unary(op, a) => match self.eval(a, env) {
                Value::Never => Value::Never,
                value => self.unary(*op, &value),
            },
            ExprKind::Binary(op, a, b) => match (self.eval(a, env), self.eval(b, env)) {
                (Value::Never, _) | (_, Value::Never) => Value::Never,
                (a, b) => self.binary(*op, &a, &b),
            },
            ExprKind::Apply(f, x) => self.application(f, x, env),
            ExprKind::Comprehension(binder) => self.comprehension(binder, env),
            ExprKind::MapComprehension(binder, value) => self.map(binder, value, env),
            ExprKind::Lambda(binder, value) => self.lambda(binder, value, env),
            ExprKind::Quantified(op, binder, value) => self.quantified(*op, binder, value, env),
            ExprKind::Record(fields) => {
                Value::record(fields.iter().map(|f| self.eval(f, env)).collect())
            }
            ExprKind::RecordSet(fields) => {
                let sets: Vec<Set> = fields.iter().map(|f| self.eval_set(f, env)).collect();
                let elem = Value::record(sets.iter().map(|s| s.elem.clone()).collect());
                let finite = sets.iter().all(|s| s.finite);
                let whole = sets.iter().all(|s| s.whole);
                Value::set(Set { finite, whole, ..Set::within(elem) })
            }
            ExprKind::Field(record, position) => self.eval(record, env).field(*position),
            ExprKind::If(condition, yes, no) => {
                let branch = |truth: bool, e: &Expr| {
                    let mut inner = env.clone();
                    self.assume(condition, truth, &mut inner);
                    self.eval(e, &inner)
                };
                branch(true, yes).join(&branch(false, no))
            }
            ExprKind::Let(values, body) => {
                let mut inner = env.clone();
                for (local, value) in values {
                    let value = self.eval(value, &inner);
                    inner.set(Name::Local(*local), value);
                }
                self.eval(body, &inner)
            }
            ExprKind::BoolOf(p) => {
                let may = |truth: bool| {
                    let mut inner = env.clone();
                    self.assume(p, truth, &mut inner);
                    !inner.is_dead()
                };
                Value::bool(may(false), may(true))
            }
            _ => Value::Any,
        }
    }

    /// All elements of a given set.
    fn given_set(&self, id: SetId) -> Value {
        let (least, most) = size_of(self.model.set(id));
        let card = Ints::between(Some(least.into()), most.map(i128::from));
        let all = Set::within(Value::Element(Elements::all(self.model, id)));
        Value::set(Set { card: card.unwrap_or(all.card), whole: true, finite: true, ..all })
    }

    fn basic_set(&self, set: BasicSet) -> Value {
        let from = |low: i128| Set::within(Value::Int(Ints::from(Some(low))));
        let upto = |low: Ints| self.interval(&low, &self.max_int);
        Value::set(match set {
            BasicSet::Bool => Set::of([Atom::Bool(false), Atom::Bool(true)]),
            BasicSet::Integer => Set { whole: true, ..Set::within(Value::Int(Ints::ALL)) },
            BasicSet::Natural => from(0),
            BasicSet::Natural1 => from(1),
            BasicSet::Int => return upto(self.min_int),
            BasicSet::Nat => return upto(Ints::one(0)),
            BasicSet::Nat1 => return upto(Ints::one(1)),
            BasicSet::String | BasicSet::Real => Set { whole: true, ..Set::unknown() },
            BasicSet::Float => Set::unknown(),
        })
    }

    /// `a..b`
    pub(crate) fn interval(&self, a: &Ints, b: &Ints) -> Value {
        let Some(elem) = Ints::between(a.low(), b.high()) else { return Value::set(Set::empty()) };
        let count = |low: Option<i128>, high: Option<i128>| {
            Some(high?.checked_sub(low?)?.checked_add(1)?.max(0))
        };
        let least = count(a.high(), b.low()).unwrap_or(0);
        let card = Ints::between(Some(least), count(a.low(), b.high()));
        let sure = a.high().zip(b.low()).and_then(|(a, b)| Ints::between(Some(a), Some(b)));
        let sure = sure.and_then(|ints| ints.list(crate::domain::ATOMS)).unwrap_or_default();
        let must = sure.into_iter().map(Atom::Int).collect();
        let card = card.unwrap_or(Ints::NATURAL);
        Value::set(Set { card, must, finite: true, ..Set::within(Value::Int(elem)) })
    }

    /// `{a, b}`
    fn extension(&self, parts: &[Expr], env: &Env) -> Value {
        let values: Vec<Value> = parts.iter().map(|p| self.eval(p, env)).collect();
        if values.iter().any(Value::is_never) {
            return Value::Never;
        }
        let elem = values.iter().fold(Value::Never, |a, b| a.join(b));
        let must = values.iter().filter_map(Value::single).collect();
        let least = i128::from(!values.is_empty());
        let card = Ints::between(Some(least), Some(values.len() as i128));
        let card = card.unwrap_or(Ints::NATURAL);
        Value::set(Set { card, must, finite: true, ..Set::within(elem) })
    }

    /// `f(x)`
    fn application(&self, f: &Expr, x: &Expr, env: &Env) -> Value {
        let argument = self.eval(x, env);
        if let ExprKind::Function(function) = &f.kind {
            return match function {
                BasicFunction::Successor => Value::Int(argument.as_ints().add(&Ints::one(1))),
                BasicFunction::Predecessor => {
                    Value::Int(argument.as_ints().subtract(&Ints::one(1)))
                }
                BasicFunction::First => argument.halves().0,
                BasicFunction::Second => argument.halves().1,
                BasicFunction::Identity => argument,
            };
        }
        let function = self.eval(f, env);
        if function.is_never() || argument.is_never() {
            return Value::Never;
        }
        let function = function.as_set();
        if function.domain().elem.meet(&argument).is_never() {
            return Value::Never;
        }
        let at = argument.single();
        let listed = function.must.iter().find_map(|pair| match pair {
            Atom::Pair(pair) if at.as_ref() == Some(&pair.0) => Some(Value::one(&pair.1)),
            _ => None,
        });
        // Where it is applied it has one value at most, or the application has no meaning.
        listed.unwrap_or_else(|| function.range().elem)
    }

    pub(crate) fn unary(&self, op: UnaryOp, value: &Value) -> Value {
        use UnaryOp as U;
        let set = || value.as_set();
        match op {
            U::Negate => Value::Int(value.as_ints().negate()),
            U::Power | U::Power1 | U::Finite | U::Finite1 => space::power(op, &set()),
            U::Card | U::Size => {
                let sequence = set();
                Value::ints(sequence.card.meet(&Ints::NATURAL))
            }
            U::Min | U::Max => match set().elem {
                Value::Never => Value::Never,
                elem => Value::Int(elem.as_ints()),
            },
            U::GeneralUnion => {
                let sets = set();
                let inner = sets.elem.as_set();
                if sets.is_empty() {
                    return Value::set(Set::empty());
                }
                let finite = sets.finite && inner.finite;
                Value::set(Set { finite, ..Set::within(inner.elem) })
            }
            U::GeneralInter => match set().elem {
                Value::Never => Value::Never,
                elem => Value::set(elem.as_set().subset()),
            },
            U::Domain => Value::set(set().domain()),
            U::Range => Value::set(set().range()),
            U::PairFirst => value.halves().0,
            U::PairSecond => value.halves().1,
            U::Identity => relation::identity(&set()),
            U::Inverse => relation::inverse(&set()),
            U::Closure1 => relation::closure(&set()),
            U::Seq | U::Seq1 | U::Iseq | U::Iseq1 | U::Perm => space::sequences(op, &set()),
            U::First | U::Last | U::Front | U::Tail | U::Reverse => sequence::unary(op, &set()),
            _ => Value::Any,
        }
    }

    pub(crate) fn binary(&self, op: BinaryOp, a: &Value, b: &Value) -> Value {
        use BinaryOp as B;
        let ints = || (a.as_ints(), b.as_ints());
        let sets = || (a.as_set(), b.as_set());
        match op {
            B::Add => Value::Int(ints().0.add(&ints().1)),
            B::Subtract => Value::Int(ints().0.subtract(&ints().1)),
            B::Multiply => Value::Int(ints().0.multiply(&ints().1)),
            B::Divide => Value::ints(ints().0.divide(&ints().1)),
            B::Modulo => Value::ints(ints().0.modulo(&ints().1)),
            B::Exponent => Value::ints(ints().0.exponent(&ints().1)),
            B::Interval => self.interval(&ints().0, &ints().1),
            B::Pair => Value::pair(a.clone(), b.clone()),
            B::Union => Value::set(relation::union(&sets().0, &sets().1)),
            B::Intersection => Value::set(relation::intersection(&sets().0, &sets().1)),
            B::Difference => Value::set(relation::difference(&sets().0, &sets().1)),
            B::Cartesian => relation::product(&sets().0, &sets().1),
            B::Relations
            | B::PartialFunctions
            | B::TotalFunctions
            | B::PartialInjections
            | B::TotalInjections
            | B::PartialSurjections
            | B::TotalSurjections
            | B::PartialBijections
            | B::TotalBijections
            | B::TotalRelations
            | B::SurjectiveRelations
            | B::TotalSurjectiveRelations => space::relations(op, &sets().0, &sets().1),
            B::Compose
            | B::Override
            | B::DomainRestrict
            | B::DomainSubtract
            | B::RangeRestrict
            | B::RangeSubtract
            | B::Image => relation::binary(op, &sets().0, &sets().1),
            B::Concat => sequence::concat(&sets().0, &sets().1),
            B::Prepend => sequence::extended(&b.as_set(), a),
            B::Append => sequence::extended(&a.as_set(), b),
            B::Take | B::Drop => sequence::cut(&a.as_set()),
            _ => Value::Any,
        }
    }
}
