//! Term templates to values that are not all known.

use super::*;

impl Grounding {
    pub(super) fn term<'s>(&mut self, f: &mut Frame<'s>, t: &T) -> Got<V> {
        use BinaryOp as B;
        f.tick(Span::NONE)?;
        Ok(match t {
            T::Known(e) => V::Known(e(f)?),
            T::Name(i) => match self.names.get(*i) {
                Some(v) => v.clone(),
                None => return Err(Fail::No),
            },
            T::Negate(a) => {
                let a = self.term(f, a)?;
                V::Int(Term::sum(vec![(-1, need(f, &a)?)]))
            }
            T::Binary(op, a, b) => {
                let (a, b) = (self.term(f, a)?, self.term(f, b)?);
                match op {
                    B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo => {
                        let (x, y) = (need(f, &a)?, need(f, &b)?);
                        V::Int(self.arithmetic(*op, x, y))
                    }
                    B::Pair => V::Pair(Box::new(a), Box::new(b)),
                    B::Union | B::Intersection | B::Difference => self.set_op(f, *op, &a, &b)?,
                    B::Image => self.image(f, &a, &b)?,
                    B::DomainRestrict | B::DomainSubtract => {
                        self.restrict(f, &b, &a, true, *op == B::DomainRestrict)?
                    }
                    B::RangeRestrict | B::RangeSubtract => {
                        self.restrict(f, &a, &b, false, *op == B::RangeRestrict)?
                    }
                    B::Compose => self.compose(f, &a, &b)?,
                    _ => return Err(Fail::No),
                }
            }
            T::Unary(op, a) => {
                let a = self.term(f, a)?;
                self.unary(f, *op, &a)?
            }
            T::Apply(function, argument) => {
                let (function, argument) = (self.term(f, function)?, self.term(f, argument)?);
                self.apply(f, &function, &argument)?
            }
            T::Extension(parts) => {
                let mut out = Vec::with_capacity(parts.len());
                for part in parts {
                    out.push(self.term(f, part)?);
                }
                V::Extension(out)
            }
            T::Truth(p) => {
                let form = self.meant(f, p)?;
                V::Atom(None, indicator(form))
            }
            T::If(p, a, b) => {
                let form = self.meant(f, p)?;
                match form {
                    Form::Const(true) => return self.term(f, a),
                    Form::Const(false) => return self.term(f, b),
                    _ => {}
                }
                // The branch that is not taken need not have a meaning.
                let begin = self.sides.len();
                let a = self.term(f, a)?;
                let middle = self.sides.len();
                let b = self.term(f, b)?;
                for (i, side) in self.sides.iter_mut().enumerate().skip(begin) {
                    let taken = if i < middle { form.clone() } else { Form::not(form.clone()) };
                    *side = Form::or(vec![Form::not(taken), side.clone()]);
                }
                let (x, y) = (need(f, &a)?, need(f, &b)?);
                let whole = Term::If(Box::new(form), Box::new(x), Box::new(y));
                match (&a, &b) {
                    (V::Int(_), _) | (_, V::Int(_)) => V::Int(whole),
                    (V::Atom(s, _), _) | (_, V::Atom(s, _)) => V::Atom(*s, whole),
                    (V::Known(v), _) => scalar_like(*v, whole),
                    _ => return Err(Fail::No),
                }
            }
            T::Sum(range, body) => {
                let mut parts = Vec::new();
                self.unroll(f, range, &mut |g, f, _| {
                    let v = g.term(f, body)?;
                    parts.push((1, need(f, &v)?));
                    Ok(())
                })?;
                V::Int(Term::sum(parts))
            }
            T::Filter(range, slots, rest) => {
                let mut parts = Vec::new();
                self.unroll(f, range, &mut |g, f, inside| {
                    let elem = tuple(f.store, &f.slots, slots);
                    let whole = Sense::and(vec![inside.into(), g.truth(f, rest)?]);
                    g.side(Form::not(whole.open));
                    parts.push((elem, whole.holds));
                    if parts.len() > MAX_CANDIDATES { Err(Fail::No) } else { Ok(()) }
                })?;
                V::Set(parts)
            }
        })
    }

    /// A truth inside a term, which has no meaning where the truth has none.
    fn meant<'s>(&mut self, f: &mut Frame<'s>, truth: &F) -> Got<Form> {
        let sense = self.truth(f, truth)?;
        self.side(Form::not(sense.open));
        Ok(sense.holds)
    }

    /// A condition under which the present terms have a meaning.
    fn side(&mut self, condition: Form) {
        if !matches!(condition, Form::Const(true)) {
            self.sides.push(condition);
        }
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, x: Term, y: Term) -> Term {
        match op {
            BinaryOp::Add => Term::add(x, y),
            BinaryOp::Subtract => Term::sub(x, y),
            BinaryOp::Multiply => Term::product(x, y),
            BinaryOp::Divide => {
                self.sides.push(Form::not(Form::eq(y.clone(), Term::Const(0))));
                Term::Div(Box::new(x), Box::new(y))
            }
            _ => {
                self.sides.push(Form::le(Term::Const(1), y.clone()));
                self.sides.push(Form::le(Term::Const(0), x.clone()));
                Term::Mod(Box::new(x), Box::new(y))
            }
        }
    }

    pub(super) fn unary<'s>(&mut self, f: &mut Frame<'s>, op: UnaryOp, a: &V) -> Got<V> {
        use UnaryOp as U;
        Ok(match (op, a) {
            (U::PairFirst, V::Pair(x, _)) => (**x).clone(),
            (U::PairSecond, V::Pair(_, y)) => (**y).clone(),
            (U::Card, V::Function(parts)) => {
                V::Int(Term::Count(parts.iter().map(|p| p.1.clone()).collect()))
            }
            (U::Card, _) => {
                let parts = self.as_set(f, a)?;
                V::Int(Term::Count(parts.into_iter().map(|p| p.1).collect()))
            }
            (U::Domain, V::Function(parts)) => {
                V::Set(parts.iter().map(|p| (p.0, p.1.clone())).collect())
            }
            (U::Range, V::Function(parts))
                if parts.iter().all(|p| matches!(p.1, Form::Const(true))) =>
            {
                V::Extension(parts.iter().map(|p| p.2.clone()).collect())
            }
            (U::Domain | U::Range, _) => {
                let pairs = self.as_set(f, a)?;
                self.grouped(f, pairs, op == U::Domain)?
            }
            (U::Inverse, _) => {
                let mut out = Vec::new();
                for (pair, form) in self.as_set(f, a)? {
                    let Some((l, r)) = f.store.as_pair(pair) else {
                        return Err(Fail::No);
                    };
                    out.push((f.store.pair(r, l), form));
                }
                V::Set(out)
            }
            _ => return Err(Fail::No),
        })
    }

    pub(super) fn apply<'s>(&mut self, f: &mut Frame<'s>, function: &V, argument: &V) -> Got<V> {
        match (function, argument) {
            (V::Known(g), V::Known(x)) => {
                Ok(V::Known(crate::operators::apply(f, *g, *x, Span::NONE)?))
            }
            (V::Function(parts), V::Known(key)) => {
                let Some((_, defined, result)) = parts.iter().find(|p| p.0 == *key) else {
                    self.sides.push(Form::Const(false));
                    return Err(Fail::No);
                };
                if !matches!(defined, Form::Const(true)) {
                    self.sides.push(defined.clone());
                }
                Ok(result.clone())
            }
            (V::Set(parts), V::Known(key)) => self.single_value(f, parts, *key),
            (V::Function(parts), _) => {
                let rows: Vec<(Val, Form, V)> = parts.clone();
                self.element(f, rows, argument)
            }
            (V::Known(g), _) => {
                if !f.store.is_listed(*g) || f.store.card(*g).is_none_or(|n| n > 5_000) {
                    return Err(Fail::No);
                }
                let Some((l, r)) = f.store.as_columns(*g) else {
                    return Err(Fail::No);
                };
                if f.store.is_function(*g) != Some(true) {
                    return Err(Fail::No);
                }
                let rows =
                    l.iter().zip(r).map(|(k, v)| (*k, Form::Const(true), V::Known(*v))).collect();
                self.element(f, rows, argument)
            }
            _ => Err(Fail::No),
        }
    }

    /// The value of a relation at a key: the one candidate that is in.
    pub(super) fn single_value<'s>(
        &mut self,
        f: &mut Frame<'s>,
        parts: &[(Val, Form)],
        key: Val,
    ) -> Got<V> {
        let (mut forms, mut sum, mut like) = (Vec::new(), Vec::new(), None);
        for (pair, form) in parts {
            let Some((left, right)) = f.store.as_pair(*pair) else {
                return Err(Fail::No);
            };
            if left == key {
                forms.push(form.clone());
                sum.push((code(f, right).ok_or(Fail::No)?, indicator(form.clone())));
                like = Some(right);
            }
        }
        let like = like.ok_or(Fail::No)?;
        self.sides.push(Form::eq(Term::Count(forms), Term::Const(1)));
        Ok(scalar_like(like, Term::sum(sum)))
    }

    /// The entry of a table at an unknown key.
    pub(super) fn element<'s>(
        &mut self,
        f: &mut Frame<'s>,
        rows: Vec<(Val, Form, V)>,
        argument: &V,
    ) -> Got<V> {
        let index = match argument {
            V::Pair(..) => return self.element_at_pair(f, rows, argument),
            V::Listed(var, values) => {
                // By position in the list of what the argument may be.
                let values = values.clone();
                let table: FxHashMap<Val, (Form, V)> =
                    rows.into_iter().map(|(k, d, v)| (k, (d, v))).collect();
                let rows = values
                    .iter()
                    .enumerate()
                    .filter_map(|(i, v)| {
                        let (d, r) = table.get(v)?.clone();
                        Some((i as i64, d, r))
                    })
                    .collect();
                return self.table(f, Term::Var(*var), rows);
            }
            other => need(f, other)?,
        };
        let mut coded = Vec::with_capacity(rows.len());
        for (key, defined, result) in rows {
            coded.push((code(f, key).ok_or(Fail::No)?, defined, result));
        }
        self.table(f, index, coded)
    }

    /// `f(i |-> j)`: one choice of row among those that may match.
    pub(super) fn element_at_pair<'s>(
        &mut self,
        f: &mut Frame<'s>,
        rows: Vec<(Val, Form, V)>,
        argument: &V,
    ) -> Got<V> {
        let mut coded = Vec::new();
        let mut matches = Vec::new();
        for (key, defined, result) in rows {
            let same = self.equal(f, argument, &V::Known(key))?;
            if matches!(self.space.truth(&same), Some(false)) {
                continue;
            }
            coded.push((coded.len() as i64, defined, result));
            matches.push(same);
        }
        if coded.len() > 3_000 {
            return Err(Fail::No);
        }
        let Some(domain) = Domain::between(0, coded.len() as i64 - 1) else {
            self.sides.push(Form::Const(false));
            return Err(Fail::No);
        };
        let row = Term::Var(self.space.var(domain));
        let mut ways = Vec::new();
        for (i, same) in matches.into_iter().enumerate() {
            let here = Form::eq(row.clone(), Term::Const(i as i64));
            ways.push(same.clone());
            self.space.post(Form::or(vec![Form::not(same), here]));
        }
        // If no row matches there is no meaning; the row itself is then the first.
        let none = Form::not(Form::or(ways.clone()));
        self.space.post(Form::or(vec![Form::not(none), Form::eq(row.clone(), Term::Const(0))]));
        self.sides.push(Form::or(ways));
        self.table(f, row, coded)
    }

    pub(super) fn table<'s>(
        &mut self,
        f: &mut Frame<'s>,
        index: Term,
        rows: Vec<(i64, Form, V)>,
    ) -> Got<V> {
        let mut keys: Vec<i64> = rows.iter().map(|r| r.0).collect();
        keys.sort_unstable();
        self.sides.push(Form::In(index.clone(), keys.into()));
        let mut entries = Vec::with_capacity(rows.len());
        let mut like = None;
        for (key, defined, result) in rows {
            if !matches!(defined, Form::Const(true)) {
                let here = Form::eq(index.clone(), Term::Const(key));
                self.sides.push(Form::or(vec![Form::not(here), defined]));
            }
            entries.push((key, need(f, &result)?));
            if like.is_none() || matches!(like, Some(V::Known(_))) {
                like = Some(result);
            }
        }
        let whole = Term::Element(Box::new(index), entries);
        match like {
            Some(V::Int(_)) => Ok(V::Int(whole)),
            Some(V::Atom(set, _)) => Ok(V::Atom(set, whole)),
            Some(V::Known(v)) => Ok(scalar_like(v, whole)),
            _ => Err(Fail::No),
        }
    }
}
