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
                if let Some(v) = self.binary_of_one(f, *op, &a, &b)? {
                    return Ok(v);
                }
                match op {
                    B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo => {
                        let (x, y) = (need(f, &a)?, need(f, &b)?);
                        V::Int(self.arithmetic(*op, x, y))
                    }
                    B::Exponent => {
                        let (x, y) = (need(f, &a)?, need(f, &b)?);
                        // A product of products; bounds of larger powers would soon leave a word.
                        let Term::Const(exponent @ 0..=4) = y else { return Err(Fail::No) };
                        let one = Term::Const(1);
                        V::Int((0..exponent).fold(one, |p, _| Term::product(p, x.clone())))
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
                if matches!(a, V::Listed(..)) {
                    let op = *op;
                    return self.pointwise(f, &a, &mut |f, v| {
                        crate::eval::operators::unary(f, op, v, Span::NONE)
                    });
                }
                self.unary(f, *op, &a)?
            }
            T::Field(a, field) => {
                let a = self.term(f, a)?;
                let field = *field;
                self.pointwise(f, &a, &mut |f, v| {
                    let part = f.store.as_record(v).and_then(|fields| fields.get(field).copied());
                    part.ok_or_else(|| sets::too_large(Span::NONE))
                })?
            }
            T::Let(values, condition, body) => {
                // Names are numbered by depth: those of this body go away again, also when it
                // fails.
                let known = self.names.len();
                let result = self.bind(f, values).and_then(|()| {
                    if let Some(condition) = condition {
                        let condition = self.truth(f, condition)?;
                        self.side(condition.holds);
                    }
                    self.term(f, body)
                });
                self.names.truncate(known);
                result?
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
                    g.side(Form::not(whole.undefined));
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
        self.side(Form::not(sense.undefined));
        Ok(sense.holds)
    }

    /// A condition under which the present terms have a meaning.
    fn side(&mut self, condition: Form) {
        if !matches!(condition, Form::Const(true)) {
            self.sides.push(condition);
        }
    }

    /// Gives further names their values.
    pub(super) fn bind<'s>(&mut self, f: &mut Frame<'s>, values: &[T]) -> Got<()> {
        for value in values {
            let value = self.term(f, value)?;
            self.names.push(value);
        }
        Ok(())
    }

    /// An operator of which one operand is known and the other one of few values.
    fn binary_of_one<'s>(
        &mut self,
        f: &mut Frame<'s>,
        op: BinaryOp,
        a: &V,
        b: &V,
    ) -> Got<Option<V>> {
        let binary = crate::eval::operators::binary;
        match (a, b) {
            (V::Known(a), V::Known(b)) => Ok(Some(V::Known(binary(f, op, *a, *b, Span::NONE)?))),
            _ if op == BinaryOp::Pair => Ok(None),
            (V::Listed(..), V::Known(b)) => {
                self.pointwise(f, a, &mut |f, v| binary(f, op, v, *b, Span::NONE)).map(Some)
            }
            (V::Known(a), V::Listed(..)) => {
                self.pointwise(f, b, &mut |f, v| binary(f, op, *a, v, Span::NONE)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The values something may have one by one, by the number of a term; nothing if these are
    /// many.
    fn choices(&self, f: &Frame<'_>, v: &V) -> Option<(Term, Vec<(i64, Val)>)> {
        const FEW: u64 = 300;
        match v {
            V::Listed(term, values) => Some((term.clone(), values.to_vec())),
            V::Int(t) | V::Atom(_, t) => {
                let (lo, hi) = self.space.bounds(t);
                if hi.abs_diff(lo) > FEW || lo > hi {
                    return None;
                }
                let value = |i: i64| match v {
                    V::Atom(None, _) => Some(Val::bool(i != 0)),
                    V::Atom(Some(set), _) => Some(Val::atom(*set, u32::try_from(i).ok()?)),
                    _ => Some(f.store.int(i)),
                };
                let rows: Option<Vec<_>> = (lo..=hi).map(|i| Some((i, value(i)?))).collect();
                Some((t.clone(), rows?))
            }
            _ => None,
        }
    }

    /// A function of something that has few values. Where it has no meaning, the whole has none.
    fn pointwise<'s>(
        &mut self,
        f: &mut Frame<'s>,
        v: &V,
        function: &mut dyn FnMut(&mut Frame<'s>, Val) -> Result<Val, Stop>,
    ) -> Got<V> {
        if let V::Known(v) = v {
            return Ok(V::Known(function(f, *v)?));
        }
        let (term, rows) = self.choices(f, v).ok_or(Fail::No)?;
        let all = rows.len();
        let mut results: Vec<(i64, Val)> = Vec::with_capacity(all);
        for (number, value) in rows {
            match function(f, value) {
                Ok(result) => results.push((number, result)),
                Err(Stop::Fault(_)) => {}
                Err(Stop::Cut(cut)) if !cut.is_final() => return Err(Fail::No),
                Err(stop) => return Err(stop.into()),
            }
        }
        // Values without a result rule themselves out, if anything is to have a meaning.
        if results.len() < all {
            let mut numbers: Vec<i64> = results.iter().map(|r| r.0).collect();
            numbers.sort_unstable();
            self.sides.push(Form::In(term.clone(), numbers.into()));
        }
        let first = results.first().ok_or(Fail::No)?.1;
        // Whatever it is, the result is known.
        if results.iter().all(|r| r.1 == first) {
            return Ok(V::Known(first));
        }
        if results.iter().any(|r| r.1.is_opaque()) {
            return Err(Fail::No);
        }
        let codes: Option<Vec<(i64, Term)>> =
            results.iter().map(|(n, v)| Some((*n, Term::Const(code(f, *v)?)))).collect();
        Ok(match codes {
            Some(entries) => scalar_like(first, Term::Element(Box::new(term), entries)),
            None => V::Listed(term, results.into()),
        })
    }

    /// Both sides of a pair.
    pub(super) fn sides_of_pair<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<(V, V)> {
        if let V::Pair(a, b) = v {
            return Ok(((**a).clone(), (**b).clone()));
        }
        let mut side = |f: &mut Frame<'s>, first: bool| {
            self.pointwise(f, v, &mut |f, v| match f.store.as_pair(v) {
                Some((a, b)) => Ok(if first { a } else { b }),
                None => Err(sets::too_large(Span::NONE)),
            })
        };
        Ok((side(f, true)?, side(f, false)?))
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
                // `mod` of B has a meaning for these only.
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
            (U::Card | U::Size, V::Function(parts)) => {
                V::Int(Term::Count(parts.iter().map(|p| p.1.clone()).collect()))
            }
            (U::Card, _) => {
                let parts = self.as_set(f, a)?;
                V::Int(Term::Count(parts.into_iter().map(|p| p.1).collect()))
            }
            (U::Domain, V::Function(parts)) => {
                V::Set(parts.iter().map(|p| (p.0, p.1.clone())).collect())
            }
            // Only where all keys are defined: an extension cannot say that a part of it is
            // missing.
            (U::Range, V::Function(parts))
                if parts.iter().all(|p| matches!(p.1, Form::Const(true))) =>
            {
                V::Extension(parts.iter().map(|p| p.2.clone()).collect())
            }
            (U::Domain | U::Range, _) => {
                let pairs = self.as_set(f, a)?;
                self.grouped(f, pairs, op == U::Domain)?
            }
            (U::Max | U::Min, V::Extension(parts)) => {
                let terms: Got<Vec<Term>> = parts.iter().map(|p| need(f, p)).collect();
                self.extreme(terms?, op == U::Max)?
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

    /// The greatest or the least of some numbers.
    fn extreme(&mut self, terms: Vec<Term>, greatest: bool) -> Got<V> {
        let bounds = || terms.iter().map(|t| self.space.bounds(t));
        let (Some(lo), Some(hi)) = (bounds().map(|b| b.0).min(), bounds().map(|b| b.1).max())
        else {
            return Err(Fail::No);
        };
        // A variable of its own: equal to one of the terms, and none of them beats it.
        let result = self.int(lo, hi)?;
        let mut ways = Vec::new();
        for term in terms {
            ways.push(Form::eq(result.clone(), term.clone()));
            let (less, more) =
                if greatest { (term, result.clone()) } else { (result.clone(), term) };
            self.space.post(Form::le(less, more));
        }
        self.space.post(Form::or(ways));
        Ok(V::Int(result))
    }

    pub(super) fn apply<'s>(&mut self, f: &mut Frame<'s>, function: &V, argument: &V) -> Got<V> {
        match (function, argument) {
            (V::Known(g), V::Known(x)) => {
                Ok(V::Known(crate::eval::operators::apply(f, *g, *x, Span::NONE)?))
            }
            (V::Function(_) | V::Set(_), V::Known(key)) if key.is_opaque() => Err(Fail::No),
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
            (V::Listed(term, functions), _) => {
                let (term, functions) = (term.clone(), functions.clone());
                self.apply_one_of(f, term, &functions, argument)
            }
            (V::Known(g), _) => {
                let listed = !g.is_opaque() && f.store.card(*g).is_some_and(|n| n <= 5_000);
                let Some((l, r)) = f.store.as_columns(*g).filter(|_| listed) else {
                    return self.apply_symbolic(f, *g, argument);
                };
                if f.store.is_function(*g) != Some(true) {
                    return Err(Fail::No);
                }
                if l == r {
                    // The identity on some set.
                    let inside = self.among(f, argument, l)?;
                    self.sides.push(inside);
                    return Ok(argument.clone());
                }
                let rows =
                    l.iter().zip(r).map(|(k, v)| (*k, Form::Const(true), V::Known(*v))).collect();
                self.element(f, rows, argument)
            }
            _ => Err(Fail::No),
        }
    }

    /// Is it one of some values?
    fn among<'s>(&mut self, f: &mut Frame<'s>, v: &V, values: &[Val]) -> Got<Form> {
        let set = f.store.set(values.to_vec());
        self.member(f, v, &V::Known(set), Span::NONE)
    }

    /// A function that is not listed, at something that is not all known.
    fn apply_symbolic<'s>(&mut self, f: &mut Frame<'s>, g: Val, argument: &V) -> Got<V> {
        if let (Some((tag, args)), V::Pair(a, b)) = (f.store.as_symbolic(g), argument)
            && let (sets::PROJECTION, side) = split(tag)
        {
            let left = self.member(f, a, &V::Known(args[0]), Span::NONE)?;
            let right = self.member(f, b, &V::Known(args[1]), Span::NONE)?;
            self.sides.extend([left, right]);
            return Ok(if side == 1 { (**a).clone() } else { (**b).clone() });
        }
        self.pointwise(f, argument, &mut |f, v| crate::eval::operators::apply(f, g, v, Span::NONE))
    }

    /// One of several functions at an argument.
    fn apply_one_of<'s>(
        &mut self,
        f: &mut Frame<'s>,
        term: Term,
        functions: &[(i64, Val)],
        argument: &V,
    ) -> Got<V> {
        if let V::Known(x) = argument {
            let all = V::Listed(term, functions.into());
            return self.pointwise(f, &all, &mut |f, g| {
                crate::eval::operators::apply(f, g, *x, Span::NONE)
            });
        }
        let mut rows = Vec::new();
        for (number, g) in functions {
            let outer = std::mem::take(&mut self.sides);
            let result = self.apply(f, &V::Known(*g), argument);
            let sides = std::mem::replace(&mut self.sides, outer);
            rows.push((*number, Form::and(sides), result?));
        }
        self.table(f, term, rows)
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
            V::Listed(term, values) => {
                // By the number of what the argument may be.
                let table: FxHashMap<Val, (Form, V)> =
                    rows.into_iter().map(|(k, d, v)| (k, (d, v))).collect();
                let rows = values
                    .iter()
                    .filter_map(|(n, v)| {
                        let (d, r) = table.get(v)?.clone();
                        Some((*n, d, r))
                    })
                    .collect();
                return self.table(f, term.clone(), rows);
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
        if rows.iter().any(|r| matches!(r.2, V::Pair(..))) {
            return self.pair_table(f, index, rows);
        }
        if rows.iter().any(|r| matches!(r.2, V::Known(v) if v.is_opaque())) {
            return Err(Fail::No);
        }
        if rows.iter().all(|r| matches!(r.2, V::Known(v) if code(f, v).is_none()))
            && rows.iter().all(|r| matches!(r.1, Form::Const(true)))
        {
            let known = |row: &(i64, Form, V)| match row.2 {
                V::Known(v) => Some((row.0, v)),
                _ => None,
            };
            return Ok(V::Listed(index, rows.iter().filter_map(known).collect()));
        }
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

    /// A table of pairs is a pair of tables.
    fn pair_table<'s>(
        &mut self,
        f: &mut Frame<'s>,
        index: Term,
        rows: Vec<(i64, Form, V)>,
    ) -> Got<V> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (key, defined, result) in rows {
            let (a, b) = self.sides_of_pair(f, &result)?;
            left.push((key, defined.clone(), a));
            right.push((key, defined, b));
        }
        let left = self.table(f, index.clone(), left)?;
        let right = self.table(f, index, right)?;
        Ok(V::Pair(Box::new(left), Box::new(right)))
    }
}
