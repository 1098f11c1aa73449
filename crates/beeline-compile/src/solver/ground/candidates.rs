//! Sets and relations of which some elements are uncertain.

use super::*;

impl Grounding {
    /// A set as candidates and conditions.
    pub(super) fn as_set<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<Vec<(Val, Form)>> {
        let parts = self.parts_of_set(f, v)?;
        // Elements are told apart by their words here.
        if parts.iter().any(|(value, _)| value.is_opaque()) {
            return Err(Fail::No);
        }
        Ok(parts)
    }

    fn parts_of_set<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<Vec<(Val, Form)>> {
        match v {
            V::Set(parts) => Ok(parts.clone()),
            V::Known(set) => {
                let elems = self.candidates(f, *set, Span::NONE)?;
                Ok(elems.into_iter().map(|e| (e, Form::Const(true))).collect())
            }
            V::Function(parts) => {
                let mut out = Vec::new();
                for (key, defined, result) in parts {
                    for (value, form) in self.possible(f, result)? {
                        let pair = f.store.pair(*key, value);
                        out.push((pair, Form::and(vec![defined.clone(), form])));
                    }
                    // Inside of the loop: a product must not fill the memory before anybody looks.
                    if out.len() > MAX_CANDIDATES {
                        return Err(Fail::No);
                    }
                }
                Ok(out)
            }
            V::Extension(parts) => {
                // In the order in which values are met: that of a map would be another one each
                // time, and with it that of solutions.
                let mut order = Vec::new();
                let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
                for part in parts {
                    for (value, form) in self.possible(f, part)? {
                        ways.entry(value)
                            .or_insert_with(|| {
                                order.push(value);
                                Vec::new()
                            })
                            .push(form);
                    }
                }
                Ok(order
                    .into_iter()
                    .map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default())))
                    .collect())
            }
            _ => Err(Fail::No),
        }
    }

    /// The values something may have, and when it has them.
    pub(super) fn possible<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<Vec<(Val, Form)>> {
        match v {
            V::Known(x) if x.is_opaque() => Err(Fail::No),
            V::Known(x) => Ok(vec![(*x, Form::Const(true))]),
            V::Int(t) | V::Atom(_, t) => {
                let (lo, hi) = self.space.bounds(t);
                // One condition a value: where there are many, the plan is faster than so many of
                // them.
                if hi.checked_sub(lo).is_none_or(|span| span > 2_000) {
                    return Err(Fail::No);
                }
                let mut out = Vec::new();
                for i in lo..=hi {
                    let value = match v {
                        V::Atom(None, _) => Val::bool(i != 0),
                        V::Atom(Some(set), _) => {
                            Val::atom(*set, u32::try_from(i).map_err(|_| Fail::No)?)
                        }
                        _ => f.store.int(i),
                    };
                    out.push((value, Form::eq(t.clone(), Term::Const(i))));
                }
                Ok(out)
            }
            V::Listed(term, values) => {
                let mut order: Vec<(Val, Vec<i64>)> = Vec::new();
                for (n, v) in values.iter() {
                    // Several numbers may stand for one value: it is the value if the term is any
                    // of them.
                    match order.iter_mut().find(|(known, _)| known == v) {
                        Some((_, numbers)) => numbers.push(*n),
                        None => order.push((*v, vec![*n])),
                    }
                }
                let there = |mut numbers: Vec<i64>| {
                    numbers.sort_unstable();
                    Form::In(term.clone(), numbers.into())
                };
                Ok(order.into_iter().map(|(v, numbers)| (v, there(numbers))).collect())
            }
            V::Pair(a, b) => {
                let (left, right) = (self.possible(f, a)?, self.possible(f, b)?);
                if left.len() * right.len() > MAX_CANDIDATES {
                    return Err(Fail::No);
                }
                let mut out = Vec::new();
                for (x, p) in &left {
                    for (y, q) in &right {
                        let both = Form::and(vec![p.clone(), q.clone()]);
                        out.push((f.store.pair(*x, *y), both));
                    }
                }
                Ok(out)
            }
            _ => Err(Fail::No),
        }
    }

    pub(super) fn set_op<'s>(&mut self, f: &mut Frame<'s>, op: BinaryOp, a: &V, b: &V) -> Got<V> {
        let x = self.as_set(f, a)?;
        let mut y: FxHashMap<Val, Form> = FxHashMap::default();
        let right = self.as_set(f, b)?;
        y.extend(right.iter().cloned());
        let mut out = Vec::new();
        for (elem, form) in x {
            // What is left of the right side in the end is on the right side only.
            let other = y.remove(&elem);
            out.push(match (op, other) {
                (BinaryOp::Union, Some(o)) => (elem, Form::or(vec![form, o])),
                (BinaryOp::Union, None) | (BinaryOp::Difference, None) => (elem, form),
                (BinaryOp::Intersection, Some(o)) => (elem, Form::and(vec![form, o])),
                (BinaryOp::Difference, Some(o)) => (elem, Form::and(vec![form, Form::not(o)])),
                _ => continue,
            });
        }
        if op == BinaryOp::Union {
            out.extend(right.into_iter().filter(|(e, _)| y.contains_key(e)));
        }
        Ok(V::Set(out))
    }

    /// Groups pairs by one side.
    pub(super) fn grouped<'s>(
        &mut self,
        f: &mut Frame<'s>,
        pairs: Vec<(Val, Form)>,
        left: bool,
    ) -> Got<V> {
        let mut order = Vec::new();
        let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        for (pair, form) in pairs {
            let Some((a, b)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            let side = if left { a } else { b };
            ways.entry(side)
                .or_insert_with(|| {
                    order.push(side);
                    Vec::new()
                })
                .push(form);
        }
        Ok(V::Set(
            order.into_iter().map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default()))).collect(),
        ))
    }

    pub(super) fn image<'s>(&mut self, f: &mut Frame<'s>, relation: &V, set: &V) -> Got<V> {
        if let (V::Function(parts), V::Known(keys)) = (relation, set)
            && parts.iter().all(|p| matches!(p.1, Form::Const(true)))
        {
            let mut inside = Vec::new();
            for (key, _, value) in parts {
                if sets::member(f, *key, *keys, Span::NONE)? {
                    inside.push(value.clone());
                }
            }
            // The values themselves: as candidates, each would be all that it may be, with a
            // condition.
            return Ok(V::Extension(inside));
        }
        let pairs = self.restricted(f, relation, set, true, true)?;
        self.grouped(f, pairs, false)
    }

    pub(super) fn restrict<'s>(
        &mut self,
        f: &mut Frame<'s>,
        relation: &V,
        set: &V,
        left: bool,
        inside: bool,
    ) -> Got<V> {
        Ok(V::Set(self.restricted(f, relation, set, left, inside)?))
    }

    pub(super) fn restricted<'s>(
        &mut self,
        f: &mut Frame<'s>,
        relation: &V,
        set: &V,
        left: bool,
        inside: bool,
    ) -> Got<Vec<(Val, Form)>> {
        let keys: FxHashMap<Val, Form> = self.as_set(f, set)?.into_iter().collect();
        let mut out = Vec::new();
        for (pair, form) in self.as_set(f, relation)? {
            let Some((a, b)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            let there = keys.get(if left { &a } else { &b }).cloned();
            let there = there.unwrap_or(Form::Const(false));
            let kept = if inside { there } else { Form::not(there) };
            match Form::and(vec![form, kept]) {
                // What cannot be in is no candidate: later steps would multiply it.
                Form::Const(false) => {}
                form => out.push((pair, form)),
            }
        }
        Ok(out)
    }

    pub(super) fn compose<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<V> {
        let (x, y) = (self.as_set(f, a)?, self.as_set(f, b)?);
        let mut by_key: FxHashMap<Val, Vec<(Val, Form)>> = FxHashMap::default();
        for (pair, form) in y {
            if let Some((l, r)) = f.store.as_pair(pair) {
                by_key.entry(l).or_default().push((r, form));
            }
        }
        let mut order = Vec::new();
        let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        for (pair, form) in x {
            let Some((l, m)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            for (r, other) in by_key.get(&m).into_iter().flatten() {
                let whole = f.store.pair(l, *r);
                ways.entry(whole)
                    .or_insert_with(|| {
                        order.push(whole);
                        Vec::new()
                    })
                    .push(Form::and(vec![form.clone(), other.clone()]));
            }
            if order.len() > MAX_CANDIDATES {
                return Err(Fail::No);
            }
        }
        Ok(V::Set(
            order.into_iter().map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default()))).collect(),
        ))
    }
}
