//! Relations at work: images, preimages, application, and what closures captured.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::flow::Flow;
use crate::parts::{halves, integer};
use crate::solve::{Policy, Solve};
use crate::value::symbolic::{Closure, Symbolic, Yield};
use crate::value::{Value, lookup};
use beeline_model::{BasicFunction, BinaryOp, ExprKind, Type, UnaryOp};
use std::ops::ControlFlow;

impl Judge<'_> {
    /// `f(x)`
    pub fn apply(&self, function: &Value, x: &Value) -> Eval<Value> {
        let images = self.images(function, x)?;
        match images.as_slice() {
            [image] => Ok(image.clone()),
            [] => Err(EvalError::ill_defined(format!(
                "a function is applied to {}, which is not in its domain",
                self.show(x)
            ))),
            [a, b, ..] => Err(EvalError::ill_defined(format!(
                "{} is applied as a function, but is related to {} and {}",
                self.show(x),
                self.show(a),
                self.show(b)
            ))),
        }
    }

    /// Is `x` in the domain of a relation?
    pub(crate) fn in_domain(&self, relation: &Value, x: &Value) -> Eval<bool> {
        if let Value::Symbolic(described) = relation
            && let Symbolic::Closure(closure) = &*described.0
            && let Yield::Lambda(_) = &closure.body.yields
        {
            let mut scene = self.closure_scene(closure);
            self.bind_tuple(&closure.body.binder.locals, x, &mut scene)?;
            return self.holds(&closure.body.binder.predicate, &scene);
        }
        Ok(!self.images(relation, x)?.is_empty())
    }

    /// Everything that `x` is related to, without repetition.
    pub(crate) fn images(&self, relation: &Value, x: &Value) -> Eval<Vec<Value>> {
        self.charge(1)?;
        let described = match relation {
            Value::Set(pairs) if x.is_listed() => return Ok(lookup(pairs, x).cloned().collect()),
            Value::Set(pairs) => {
                return match self.settle(x.clone())? {
                    x if x.is_listed() => Ok(lookup(pairs, &x).cloned().collect()),
                    x => self.images_by_search(relation, &x),
                };
            }
            Value::Symbolic(described) => described,
            _ => return Err(EvalError::internal("a relation was expected")),
        };
        self.deeper(|| match &*described.0 {
            Symbolic::Product(a, b) => {
                if self.contains(a, x)? {
                    self.elements(b)
                } else {
                    Ok(Vec::new())
                }
            }
            Symbolic::Closure(closure) => self.closure_images(closure, x),
            Symbolic::Function(function, _) => function_image(*function, x).map(|y| vec![y]),
            Symbolic::Constructor(id, constructor, ty) => {
                let arguments = self.free_arguments(*ty);
                match self.constructor_set(*id, *constructor, &arguments)? {
                    Some(set) if !self.contains(&set, x)? => Ok(Vec::new()),
                    _ => Ok(vec![Value::Free(*id, *constructor, Some(x.clone().into()))]),
                }
            }
            Symbolic::Unary(op, of) => self.unary_images(*op, of, relation, x),
            Symbolic::Binary(op, a, b) => self.binary_images(*op, a, b, relation, x),
            _ => self.images_by_search(relation, x),
        })
    }

    fn unary_images(
        &self,
        op: UnaryOp,
        of: &Value,
        relation: &Value,
        x: &Value,
    ) -> Eval<Vec<Value>> {
        match op {
            UnaryOp::Identity if self.contains(of, x)? => Ok(vec![x.clone()]),
            UnaryOp::Identity => Ok(Vec::new()),
            UnaryOp::Inverse => self.preimages(of, x),
            UnaryOp::Closure1 => self.reachable(of, x),
            UnaryOp::Closure => {
                let mut reached = self.reachable(of, x)?;
                if !self.is_among(&reached, x)? {
                    reached.push(x.clone());
                }
                Ok(reached)
            }
            UnaryOp::Fnc => {
                let images = self.images(of, x)?;
                if images.is_empty() { Ok(images) } else { Ok(vec![self.make_set(images)?]) }
            }
            _ => self.images_by_search(relation, x),
        }
    }

    fn binary_images(
        &self,
        op: BinaryOp,
        a: &Value,
        b: &Value,
        relation: &Value,
        x: &Value,
    ) -> Eval<Vec<Value>> {
        let keep = |images: Vec<Value>, set: &Value, wanted: bool| {
            let mut kept = Vec::new();
            for image in images {
                if self.contains(set, &image)? == wanted {
                    kept.push(image);
                }
            }
            Ok(kept)
        };
        match op {
            BinaryOp::Union => {
                let both = self.images(a, x)?.into_iter().chain(self.images(b, x)?);
                self.elements(&self.make_set(both)?)
            }
            BinaryOp::Intersection => {
                let partners = self.make_set(self.images(b, x)?)?;
                keep(self.images(a, x)?, &partners, true)
            }
            BinaryOp::Difference => {
                let mut kept = Vec::new();
                for image in self.images(a, x)? {
                    if !self.contains(b, &Value::pair(x.clone(), image.clone()))? {
                        kept.push(image);
                    }
                }
                Ok(kept)
            }
            BinaryOp::Override => self.images(if self.in_domain(b, x)? { b } else { a }, x),
            BinaryOp::DomainRestrict if self.contains(a, x)? => self.images(b, x),
            BinaryOp::DomainSubtract if !self.contains(a, x)? => self.images(b, x),
            BinaryOp::DomainRestrict | BinaryOp::DomainSubtract => Ok(Vec::new()),
            BinaryOp::RangeRestrict => keep(self.images(a, x)?, b, true),
            BinaryOp::RangeSubtract => keep(self.images(a, x)?, b, false),
            BinaryOp::Compose => {
                let mut images = Vec::new();
                for middle in self.images(a, x)? {
                    images.extend(self.images(b, &middle)?);
                }
                self.elements(&self.make_set(images)?)
            }
            BinaryOp::DirectProduct | BinaryOp::ParallelProduct => {
                let (p, q) = if op == BinaryOp::DirectProduct { (x, x) } else { halves(x)? };
                let right = self.images(b, q)?;
                let left = self.images(a, p)?;
                let pairs = left
                    .iter()
                    .flat_map(|l| right.iter().map(move |r| Value::pair(l.clone(), r.clone())));
                Ok(pairs.collect())
            }
            BinaryOp::Projection1 | BinaryOp::Projection2 => {
                let (p, q) = halves(x)?;
                if !(self.contains(a, p)? && self.contains(b, q)?) {
                    return Ok(Vec::new());
                }
                Ok(vec![if op == BinaryOp::Projection1 { p.clone() } else { q.clone() }])
            }
            _ => self.images_by_search(relation, x),
        }
    }

    fn images_by_search(&self, relation: &Value, x: &Value) -> Eval<Vec<Value>> {
        let mut images = Vec::new();
        for pair in self.elements(relation)? {
            let (from, to) = halves(&pair)?;
            if self.equal(from, x)? {
                images.push(to.clone());
            }
        }
        Ok(images)
    }

    fn closure_images(&self, closure: &Closure, x: &Value) -> Eval<Vec<Value>> {
        let body = &closure.body;
        let mut scene = self.closure_scene(closure);
        let locals = &body.binder.locals;
        let mut search = Solve::new(self, Policy::Refuse, body.span);
        search.add_pred(&body.binder.predicate, true);
        let mut images = Vec::new();
        let mut keep = |image: Value| -> Flow {
            images.push(image);
            Ok(ControlFlow::Continue(()))
        };
        match (&body.yields, locals.split_last()) {
            (Yield::Lambda(image), _) => {
                self.bind_tuple(locals, x, &mut scene)?;
                if self.holds(&body.binder.predicate, &scene)? {
                    images.push(self.eval(image, &scene)?);
                }
                return Ok(images);
            }
            (Yield::Tuple, Some((last, first))) if !first.is_empty() => {
                self.bind_tuple(first, x, &mut scene)?;
                search.add_locals(&[*last]);
                search.run(scene, &mut |scene| keep(self.local(*last, scene)?))?;
            }
            (Yield::Image(image), _) => {
                search.add_locals(locals);
                let ExprKind::Binary(BinaryOp::Pair, from, to) = &image.kind else {
                    return self.images_by_search(&self.closure_value(closure), x);
                };
                search.add_equals(from, x.clone());
                search.run(scene, &mut |scene| keep(self.eval(to, scene)?))?;
            }
            _ => return self.images_by_search(&self.closure_value(closure), x),
        }
        self.elements(&self.make_set(images)?)
    }

    /// Everything that is related to `y`, without repetition.
    pub(crate) fn preimages(&self, relation: &Value, y: &Value) -> Eval<Vec<Value>> {
        if let Value::Symbolic(described) = relation {
            match &*described.0 {
                Symbolic::Unary(UnaryOp::Inverse, of) => return self.images(of, y),
                Symbolic::Unary(UnaryOp::Identity, _)
                | Symbolic::Function(BasicFunction::Identity, _) => {
                    return self.images(relation, y);
                }
                Symbolic::Constructor(_, constructor, _) => {
                    return Ok(match y {
                        Value::Free(_, used, Some(argument)) if used == constructor => {
                            vec![(**argument).clone()]
                        }
                        _ => Vec::new(),
                    });
                }
                Symbolic::Function(BasicFunction::Successor, _) => {
                    return Ok(vec![Value::Integer(integer(y)?.previous())]);
                }
                Symbolic::Function(BasicFunction::Predecessor, _) => {
                    return Ok(vec![Value::Integer(integer(y)?.next())]);
                }
                Symbolic::Closure(closure) => {
                    if let Yield::Lambda(image) = &closure.body.yields {
                        let locals = &closure.body.binder.locals;
                        let mut search = Solve::new(self, Policy::Refuse, closure.body.span);
                        search.add_locals(locals);
                        search.add_pred(&closure.body.binder.predicate, true);
                        search.add_equals(image, y.clone());
                        let mut found = Vec::new();
                        search.run(self.closure_scene(closure), &mut |scene| {
                            found.push(self.tuple_of(locals, scene)?);
                            Ok(ControlFlow::Continue(()))
                        })?;
                        return self.elements(&self.make_set(found)?);
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        for pair in self.elements(relation)? {
            let (from, to) = halves(&pair)?;
            if self.equal(to, y)? {
                found.push(from.clone());
            }
        }
        Ok(found)
    }

    /// Everything reachable from `x` in one step or more.
    pub(crate) fn reachable(&self, relation: &Value, x: &Value) -> Eval<Vec<Value>> {
        let mut reached: Vec<Value> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut todo = vec![x.clone()];
        while let Some(from) = todo.pop() {
            for to in self.images(relation, &from)? {
                let to = self.settle(to)?;
                let new = if to.is_listed() {
                    seen.insert(to.clone())
                } else {
                    !self.is_among(&reached, &to)?
                };
                if new {
                    reached.push(to.clone());
                    todo.push(to);
                }
            }
        }
        Ok(reached)
    }

    /// The argument sets in the result type of a constructor function.
    fn free_arguments(&self, function: beeline_model::TypeId) -> Vec<Value> {
        let types = &self.model.types;
        let result = types.element(function).and_then(|pair| types.halves(pair)).map(|p| p.1);
        result.map(|ty| self.type_arguments(ty)).unwrap_or_default()
    }

    /// All values of each type that a free type depends on.
    pub(crate) fn type_arguments(&self, free: beeline_model::TypeId) -> Vec<Value> {
        match self.model.types.get(free) {
            Type::Free(_, arguments) => arguments.iter().map(|a| self.type_set(*a)).collect(),
            _ => Vec::new(),
        }
    }
}

fn function_image(function: BasicFunction, x: &Value) -> Eval<Value> {
    Ok(match function {
        BasicFunction::Successor => Value::Integer(integer(x)?.next()),
        BasicFunction::Predecessor => Value::Integer(integer(x)?.previous()),
        BasicFunction::First => halves(x)?.0.clone(),
        BasicFunction::Second => halves(x)?.1.clone(),
        BasicFunction::Identity => x.clone(),
    })
}
