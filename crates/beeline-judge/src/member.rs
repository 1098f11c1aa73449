//! Is a value an element of a set?

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::{halves, integer};
use crate::solve::{Policy, Solve};
use crate::value::Value;
use crate::value::symbolic::{Closure, Symbolic, Yield};
use beeline_model::{BasicFunction, BasicSet, BinaryOp, UnaryOp};
use num_bigint::{BigInt, Sign};

impl Judge<'_> {
    /// `x : S`
    pub fn contains(&self, set: &Value, x: &Value) -> Eval<bool> {
        match set {
            Value::Set(elements) => {
                if x.is_listed() {
                    return Ok(elements.contains(x));
                }
                let x = self.settle(x.clone())?;
                if x.is_listed() {
                    return Ok(elements.contains(&x));
                }
                let elements: Vec<Value> = elements.iter().cloned().collect();
                self.is_among(&elements, &x)
            }
            Value::Symbolic(described) => self.deeper(|| self.contains_in(&described.0, set, x)),
            _ => Err(EvalError::internal("a set was expected")),
        }
    }

    fn contains_in(&self, described: &Symbolic, set: &Value, x: &Value) -> Eval<bool> {
        match described {
            Symbolic::Basic(basic) => Ok(match (basic, x) {
                (BasicSet::Natural, Value::Integer(x)) => x.sign() != Sign::Minus,
                (BasicSet::Natural1, Value::Integer(x)) => x.sign() == Sign::Plus,
                _ => true,
            }),
            Symbolic::Interval(low, high) => Ok(integer(x)?.is_within(low, high)),
            Symbolic::Power { of, nonempty, finite } => {
                if *nonempty && self.is_empty(x)? {
                    return Ok(false);
                }
                Ok((!finite || self.finite(x)?) && self.subset(x, of)?)
            }
            Symbolic::Product(a, b) => {
                let (x, y) = halves(x)?;
                Ok(self.contains(a, x)? && self.contains(b, y)?)
            }
            Symbolic::Arrow(op, a, b) => self.in_arrow(*op, a, b, x),
            Symbolic::Sequences { of, nonempty, injective } => {
                let Some(items) = self.as_sequence(x)? else { return Ok(false) };
                if *nonempty && items.is_empty() {
                    return Ok(false);
                }
                for (i, item) in items.iter().enumerate() {
                    if !self.contains(of, item)?
                        || (*injective && self.is_among(&items[..i], item)?)
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Symbolic::Permutations(of) => {
                let Some(items) = self.as_sequence(x)? else { return Ok(false) };
                let count = items.len();
                let distinct = self.make_set(items)?;
                Ok(self.cardinality(&distinct)? == BigInt::from(count)
                    && self.equal(&distinct, of)?)
            }
            Symbolic::Records(fields) => {
                let Value::Record(values) = x else {
                    return Err(EvalError::internal("a record was expected"));
                };
                for (set, value) in fields.iter().zip(values.iter()) {
                    if !self.contains(set, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Symbolic::Free(id, arguments) => match x {
                Value::Free(_, constructor, argument) => {
                    match (self.constructor_set(*id, *constructor, arguments)?, argument) {
                        (Some(set), Some(argument)) => self.contains(&set, argument),
                        _ => Ok(true),
                    }
                }
                _ => Err(EvalError::internal("a value of a free type was expected")),
            },
            Symbolic::Listing(elements) => self.is_among(elements, x),
            Symbolic::Closure(closure) => self.in_closure(closure, x),
            Symbolic::Function(function, _) => self.in_function(*function, x),
            Symbolic::Constructor(..) => {
                let (from, to) = halves(x)?;
                self.is_among(&self.images(set, from)?, to)
            }
            Symbolic::Unary(op, of) => self.in_unary(*op, of, x),
            Symbolic::Binary(op, a, b) => self.in_binary(*op, a, b, x),
        }
    }

    fn in_function(&self, function: BasicFunction, x: &Value) -> Eval<bool> {
        let (from, to) = halves(x)?;
        match function {
            BasicFunction::Successor => Ok(integer(from)?.next() == *integer(to)?),
            BasicFunction::Predecessor => Ok(integer(from)?.previous() == *integer(to)?),
            BasicFunction::First => self.equal(halves(from)?.0, to),
            BasicFunction::Second => self.equal(halves(from)?.1, to),
            BasicFunction::Identity => self.equal(from, to),
        }
    }

    fn in_unary(&self, op: UnaryOp, of: &Value, x: &Value) -> Eval<bool> {
        match op {
            UnaryOp::Domain => self.in_domain(of, x),
            UnaryOp::Range => Ok(!self.preimages(of, x)?.is_empty()),
            UnaryOp::Inverse => {
                let (a, b) = halves(x)?;
                self.contains(of, &Value::pair(b.clone(), a.clone()))
            }
            UnaryOp::Identity => {
                let (a, b) = halves(x)?;
                Ok(self.equal(a, b)? && self.contains(of, a)?)
            }
            UnaryOp::Closure | UnaryOp::Closure1 => {
                let (a, b) = halves(x)?;
                if op == UnaryOp::Closure && self.equal(a, b)? {
                    return Ok(true);
                }
                self.is_among(&self.reachable(of, a)?, b)
            }
            UnaryOp::Tree | UnaryOp::Btree => self.in_trees(op == UnaryOp::Btree, of, x),
            UnaryOp::Fnc => {
                let (a, image) = halves(x)?;
                let images = self.make_set(self.images(of, a)?)?;
                Ok(!self.is_empty(&images)? && self.equal(&images, image)?)
            }
            _ => Err(EvalError::internal("not a described set")),
        }
    }

    fn in_binary(&self, op: BinaryOp, a: &Value, b: &Value, x: &Value) -> Eval<bool> {
        match op {
            BinaryOp::Union => Ok(self.contains(a, x)? || self.contains(b, x)?),
            BinaryOp::Intersection => Ok(self.contains(a, x)? && self.contains(b, x)?),
            BinaryOp::Difference => Ok(self.contains(a, x)? && !self.contains(b, x)?),
            BinaryOp::Override => {
                let (from, _) = halves(x)?;
                if self.in_domain(b, from)? { self.contains(b, x) } else { self.contains(a, x) }
            }
            BinaryOp::DomainRestrict => Ok(self.contains(a, halves(x)?.0)? && self.contains(b, x)?),
            BinaryOp::DomainSubtract => {
                Ok(!self.contains(a, halves(x)?.0)? && self.contains(b, x)?)
            }
            BinaryOp::RangeRestrict => Ok(self.contains(a, x)? && self.contains(b, halves(x)?.1)?),
            BinaryOp::RangeSubtract => Ok(self.contains(a, x)? && !self.contains(b, halves(x)?.1)?),
            BinaryOp::Compose => {
                let (from, to) = halves(x)?;
                for middle in self.images(a, from)? {
                    if self.contains(b, &Value::pair(middle, to.clone()))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            BinaryOp::ParallelProduct => {
                let (from, to) = halves(x)?;
                let ((p, q), (r, s)) = (halves(from)?, halves(to)?);
                Ok(self.contains(a, &Value::pair(p.clone(), r.clone()))?
                    && self.contains(b, &Value::pair(q.clone(), s.clone()))?)
            }
            BinaryOp::DirectProduct => {
                let (from, to) = halves(x)?;
                let (r, s) = halves(to)?;
                Ok(self.contains(a, &Value::pair(from.clone(), r.clone()))?
                    && self.contains(b, &Value::pair(from.clone(), s.clone()))?)
            }
            BinaryOp::Projection1 | BinaryOp::Projection2 => {
                let (from, to) = halves(x)?;
                let (p, q) = halves(from)?;
                let image = if op == BinaryOp::Projection1 { p } else { q };
                Ok(self.contains(a, p)? && self.contains(b, q)? && self.equal(image, to)?)
            }
            BinaryOp::Image => {
                for from in self.preimages(a, x)? {
                    if self.contains(b, &from)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Err(EvalError::internal("not a described set")),
        }
    }

    fn in_closure(&self, closure: &Closure, x: &Value) -> Eval<bool> {
        let body = &closure.body;
        let mut scene = self.closure_scene(closure);
        match &body.yields {
            Yield::Tuple => {
                self.bind_tuple(&body.binder.locals, x, &mut scene)?;
                self.holds(&body.binder.predicate, &scene)
            }
            Yield::Lambda(image) => {
                let (from, to) = halves(x)?;
                self.bind_tuple(&body.binder.locals, from, &mut scene)?;
                Ok(self.holds(&body.binder.predicate, &scene)?
                    && self.equal(&self.eval(image, &scene)?, to)?)
            }
            Yield::Image(image) => {
                let mut search = Solve::new(self, Policy::Bound, body.span);
                search.add_locals(&body.binder.locals);
                search.add_pred(&body.binder.predicate, true);
                search.add_equals(image, x.clone());
                search.exists(scene)
            }
        }
    }
}
