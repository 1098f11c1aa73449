//! Operators on relations. Where an operand cannot be listed, the result stays a description.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::{halves, integer};
use crate::value::Value;
use crate::value::symbolic::{Symbolic, Yield};
use beeline_model::{BasicFunction, BinaryOp, TypeId, UnaryOp};

impl Judge<'_> {
    /// The pairs of a relation that is small enough to be listed.
    pub(crate) fn pairs(&self, relation: &Value) -> Eval<Vec<(Value, Value)>> {
        self.elements(relation)?
            .iter()
            .map(|pair| halves(pair).map(|(a, b)| (a.clone(), b.clone())))
            .collect()
    }

    fn map_pairs(
        &self,
        relation: &Value,
        image: impl Fn(Value, Value) -> Eval<Option<Value>>,
    ) -> Eval<Value> {
        let mut images = Vec::new();
        for (a, b) in self.pairs(relation)? {
            images.extend(image(a, b)?);
        }
        self.make_set(images)
    }

    /// `dom(r)`
    pub(crate) fn domain(&self, relation: &Value) -> Eval<Value> {
        if self.is_small(relation) {
            return self.map_pairs(relation, |a, _| Ok(Some(a)));
        }
        let Value::Symbolic(described) = relation else {
            return self.map_pairs(relation, |a, _| Ok(Some(a)));
        };
        Ok(match &*described.0 {
            Symbolic::Product(a, b) if !self.is_empty(b)? => a.clone(),
            Symbolic::Function(_, ty) | Symbolic::Constructor(_, _, ty) => {
                self.type_set(self.relation_types(*ty)?.0)
            }
            Symbolic::Closure(closure) if matches!(closure.body.yields, Yield::Lambda(_)) => {
                match self.simple_domain(closure)? {
                    Some(domain) => domain,
                    None => {
                        let scene = self.closure_scene(closure);
                        let body = &closure.body;
                        let domain = self.capture(&body.binder, Yield::Tuple, body.span, &scene);
                        self.closure_value(&domain)
                    }
                }
            }
            Symbolic::Binary(BinaryOp::Override | BinaryOp::Union, a, b) => {
                self.union(self.domain(a)?, self.domain(b)?)?
            }
            Symbolic::Binary(BinaryOp::DomainRestrict, set, r) => {
                self.intersection(set.clone(), self.domain(r)?)?
            }
            Symbolic::Binary(BinaryOp::DomainSubtract, set, r) => {
                self.difference(self.domain(r)?, set.clone())?
            }
            Symbolic::Unary(UnaryOp::Identity, of) => of.clone(),
            _ => self.lazy(UnaryOp::Domain, relation.clone()),
        })
    }

    /// `ran(r)`
    pub(crate) fn range(&self, relation: &Value) -> Eval<Value> {
        if self.size_hint(relation).is_some() {
            return self.map_pairs(relation, |_, b| Ok(Some(b)));
        }
        if let Value::Symbolic(described) = relation {
            match &*described.0 {
                Symbolic::Product(a, b) if !self.is_empty(a)? => return Ok(b.clone()),
                Symbolic::Unary(UnaryOp::Identity, of) => return Ok(of.clone()),
                Symbolic::Function(BasicFunction::Successor | BasicFunction::Predecessor, ty) => {
                    return Ok(self.type_set(self.relation_types(*ty)?.1));
                }
                _ => {}
            }
        }
        Ok(self.lazy(UnaryOp::Range, relation.clone()))
    }

    /// Domain and range types of a relation type.
    pub(crate) fn relation_types(&self, ty: TypeId) -> Eval<(TypeId, TypeId)> {
        let types = &self.model.types;
        types
            .element(ty)
            .and_then(|pair| types.halves(pair))
            .ok_or_else(|| EvalError::internal("a relation type was expected"))
    }

    /// `r~`
    pub(crate) fn inverse(&self, relation: &Value) -> Eval<Value> {
        if self.is_small(relation) {
            return self.map_pairs(relation, |a, b| Ok(Some(Value::pair(b, a))));
        }
        Ok(self.lazy(UnaryOp::Inverse, relation.clone()))
    }

    /// `id(S)`
    pub(crate) fn identity(&self, set: Value) -> Eval<Value> {
        if self.is_small(&set) {
            let pairs = self.elements(&set)?.into_iter().map(|x| Value::pair(x.clone(), x));
            return self.make_set(pairs);
        }
        Ok(self.lazy(UnaryOp::Identity, set))
    }

    /// `closure1(r)`
    pub(crate) fn closure1(&self, relation: &Value) -> Eval<Value> {
        if !self.is_small(relation) {
            return Ok(self.lazy(UnaryOp::Closure1, relation.clone()));
        }
        let mut pairs = Vec::new();
        for from in self.elements(&self.domain(relation)?)? {
            let reached = self.reachable(relation, &from)?;
            self.charge(reached.len() as u64)?;
            pairs.extend(reached.into_iter().map(|to| Value::pair(from.clone(), to)));
        }
        self.make_set(pairs)
    }

    /// `closure(r)`: with the identity on the whole type.
    pub(crate) fn closure(&self, relation: &Value, ty: TypeId) -> Eval<Value> {
        let whole = self.type_set(self.relation_types(ty)?.0);
        if !self.is_small(&whole) {
            return Ok(self.lazy(UnaryOp::Closure, relation.clone()));
        }
        self.union(self.closure1(relation)?, self.identity(whole)?)
    }

    /// `iterate(r, n)`
    pub(crate) fn iterate(&self, relation: &Value, times: &Value, ty: TypeId) -> Eval<Value> {
        let times = integer(times)?;
        let Ok(times) = u64::try_from(times.big()) else {
            return Err(EvalError::ill_defined(format!("a relation is iterated {times} times")));
        };
        let mut power = self.identity(self.type_set(self.relation_types(ty)?.0))?;
        for _ in 0..times {
            self.charge(1)?;
            power = self.compose(&power, relation)?;
        }
        Ok(power)
    }

    /// `(r ; s)`
    pub(crate) fn compose(&self, r: &Value, s: &Value) -> Eval<Value> {
        if let Value::Symbolic(described) = r
            && let Symbolic::Unary(UnaryOp::Identity, set) = &*described.0
            && self.is_small(s)
        {
            return self.restrict(BinaryOp::DomainRestrict, set, s);
        }
        if !self.is_small(r) {
            return Ok(self.lazy2(BinaryOp::Compose, r.clone(), s.clone()));
        }
        let mut pairs = Vec::new();
        for (a, b) in self.pairs(r)? {
            pairs.extend(self.images(s, &b)?.into_iter().map(|c| Value::pair(a.clone(), c)));
        }
        self.make_set(pairs)
    }

    /// `S <| r`, `S <<| r`, `r |> S`, `r |>> S`, as written
    pub(crate) fn restrict(&self, op: BinaryOp, a: &Value, b: &Value) -> Eval<Value> {
        let on_domain = matches!(op, BinaryOp::DomainRestrict | BinaryOp::DomainSubtract);
        let keeps = matches!(op, BinaryOp::DomainRestrict | BinaryOp::RangeRestrict);
        let (set, relation) = if on_domain { (a, b) } else { (b, a) };
        if self.is_small(relation) {
            return self.filter(relation, |pair| {
                let (x, y) = halves(pair)?;
                Ok(self.contains(set, if on_domain { x } else { y })? == keeps)
            });
        }
        if op == BinaryOp::DomainRestrict && self.is_small(set) {
            let mut pairs = Vec::new();
            for x in self.elements(set)? {
                let images = self.images(relation, &x)?;
                pairs.extend(images.into_iter().map(|y| Value::pair(x.clone(), y)));
            }
            return self.make_set(pairs);
        }
        Ok(self.lazy2(op, a.clone(), b.clone()))
    }

    /// `r <+ s`
    pub(crate) fn overridden(&self, r: &Value, s: &Value) -> Eval<Value> {
        if self.is_small(r) && self.is_small(s) {
            let kept = self.filter(r, |pair| Ok(!self.in_domain(s, halves(pair)?.0)?))?;
            return self.union(kept, s.clone());
        }
        Ok(self.lazy2(BinaryOp::Override, r.clone(), s.clone()))
    }

    /// `r[S]`
    pub(crate) fn image(&self, relation: &Value, set: &Value) -> Eval<Value> {
        if self.is_small(set) {
            let mut images = Vec::new();
            for x in self.elements(set)? {
                images.extend(self.images(relation, &x)?);
            }
            return self.make_set(images);
        }
        if self.is_small(relation) {
            return self.map_pairs(relation, |a, b| Ok(self.contains(set, &a)?.then_some(b)));
        }
        if let Value::Symbolic(described) = relation
            && let Symbolic::Product(a, b) = &*described.0
        {
            let meets = !self.is_empty(&self.intersection(a.clone(), set.clone())?)?;
            return Ok(if meets { b.clone() } else { Value::empty() });
        }
        Ok(self.lazy2(BinaryOp::Image, relation.clone(), set.clone()))
    }

    /// `r || s` and `r >< s`
    pub(crate) fn products(&self, op: BinaryOp, r: &Value, s: &Value) -> Eval<Value> {
        if !(self.is_small(r) && (op == BinaryOp::DirectProduct || self.is_small(s))) {
            return Ok(self.lazy2(op, r.clone(), s.clone()));
        }
        let mut pairs = Vec::new();
        for (a, b) in self.pairs(r)? {
            if op == BinaryOp::DirectProduct {
                let partners = self.images(s, &a)?.into_iter();
                pairs.extend(partners.map(|c| Value::pair(a.clone(), Value::pair(b.clone(), c))));
                continue;
            }
            for (c, d) in self.pairs(s)? {
                let from = Value::pair(a.clone(), c);
                pairs.push(Value::pair(from, Value::pair(b.clone(), d)));
            }
        }
        self.make_set(pairs)
    }

    /// `fnc(r)`
    pub(crate) fn to_function(&self, relation: &Value) -> Eval<Value> {
        if !self.is_small(relation) {
            return Ok(self.lazy(UnaryOp::Fnc, relation.clone()));
        }
        let mut pairs = Vec::new();
        for x in self.elements(&self.domain(relation)?)? {
            let images = self.make_set(self.images(relation, &x)?)?;
            pairs.push(Value::pair(x, images));
        }
        self.make_set(pairs)
    }

    /// `rel(f)`
    pub(crate) fn to_relation(&self, function: &Value) -> Eval<Value> {
        let mut pairs = Vec::new();
        for (x, set) in self.pairs(function)? {
            pairs.extend(self.elements(&set)?.into_iter().map(|y| Value::pair(x.clone(), y)));
        }
        self.make_set(pairs)
    }

    /// `prj1(S, T)`, `prj2(S, T)`
    pub(crate) fn projection(&self, op: BinaryOp, a: Value, b: Value) -> Value {
        self.lazy2(op, a, b)
    }
}
