//! Truth templates to constraints.

use super::*;

/// A quantifier is unrolled into at most so many instances,
const UNROLL: usize = 300_000;
/// found in at most so many steps.
const UNROLL_STEPS: u64 = 20_000_000;

impl Grounding {
    pub(super) fn truth<'s>(&mut self, f: &mut Frame<'s>, form: &F) -> Got<Sense> {
        f.tick(Span::NONE)?;
        Ok(match form {
            F::Known(p) => Form::Const(p(f)?).into(),
            F::And(parts) => Sense::and(match self.truths(f, parts, false)? {
                Ok(parts) => parts,
                Err(decided) => return Ok(decided),
            }),
            F::Or(parts) => Sense::or(match self.truths(f, parts, true)? {
                Ok(parts) => parts,
                Err(decided) => return Ok(decided),
            }),
            F::Not(inner) => self.truth(f, inner)?.not(),
            F::Iff(a, b) => Sense::iff(self.truth(f, a)?, self.truth(f, b)?),
            F::All(range, condition, claim) => self.with_sides(|g| {
                let mut out = Vec::new();
                g.unroll(f, range, &mut |g, f, inside| {
                    let condition = Sense::and(vec![inside.into(), g.truth(f, condition)?]);
                    // What is ruled out by values that are known needs no claim: most instances of
                    // a large range.
                    if !condition.is_always(false) {
                        let claim = g.truth(f, claim)?;
                        out.push(Sense::or(vec![condition.not(), claim]));
                    }
                    Ok(())
                })?;
                Ok(Sense::and(out))
            })?,
            F::Some(range, body) => self.with_sides(|g| {
                let mut out = Vec::new();
                g.unroll(f, range, &mut |g, f, inside| {
                    out.push(Sense::and(vec![inside.into(), g.truth(f, body)?]));
                    Ok(())
                })?;
                Ok(Sense::or(out))
            })?,
            F::Compare(op, a, b, span) => {
                self.with_sides(|g| Ok(g.compare(f, *op, a, b, *span)?.into()))?
            }
            F::Partition(whole, parts) => {
                self.with_sides(|g| Ok(g.partition(f, whole, parts)?.into()))?
            }
            F::Let(values, body) => self.with_sides(|g| {
                let known = g.names.len();
                let result = g.bind(f, values).and_then(|()| g.truth(f, body));
                g.names.truncate(known);
                result
            })?,
        })
    }

    /// The parts of a connective; or the part that decides it.
    fn truths<'s>(
        &mut self,
        f: &mut Frame<'s>,
        parts: &[F],
        winner: bool,
    ) -> Got<Result<Vec<Sense>, Sense>> {
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.truth(f, part)?;
            // The rest cannot change it, whether it has a meaning or not.
            if part.is_always(winner) {
                return Ok(Err(part));
            }
            out.push(part);
        }
        Ok(Ok(out))
    }

    /// A truth beside the conditions under which its terms have a meaning.
    fn with_sides(&mut self, body: impl FnOnce(&mut Grounding) -> Got<Sense>) -> Got<Sense> {
        // Each comparison has conditions of its own: where a part of a disjunction has no meaning,
        // the others still decide.
        let outer = std::mem::take(&mut self.sides);
        let result = body(self);
        let mut sides = std::mem::replace(&mut self.sides, outer);
        // Most are known to hold from the domains by now.
        sides.retain(|side| self.space.truth(side) != Some(true));
        Ok(result?.given(sides))
    }

    /// Calls `body` with each binding of a range in the slots, and when it is in the range.
    pub(super) fn unroll<'s>(
        &mut self,
        f: &mut Frame<'s>,
        range: &Range,
        body: Body<'s, '_>,
    ) -> Got<()> {
        let Some((pattern, set)) = &range.over else {
            return self.unroll_query(f, &range.query, Form::Const(true), body);
        };
        let set = self.term(f, set)?;
        for (elem, inside) in self.as_set(f, &set)? {
            if !matches!(inside, Form::Const(false)) && pattern.matches(f, elem)? {
                self.unroll_query(f, &range.query, inside, body)?;
            }
        }
        Ok(())
    }

    pub(super) fn unroll_query<'s>(
        &mut self,
        f: &mut Frame<'s>,
        query: &Query,
        inside: Form,
        body: Body<'s, '_>,
    ) -> Got<()> {
        let mut failed = None;
        let mut seen = 0;
        let (steps, floor) = (f.steps, f.steps.saturating_sub(UNROLL_STEPS));
        // A budget of its own: what is left over belongs to the search.
        f.steps -= floor;
        let outcome = query.run(f, &mut |f, stop| {
            if let Some(stop) = stop {
                return Err(stop);
            }
            seen += 1;
            if seen > UNROLL {
                failed = Some(Fail::No);
                return Err(Stop::Enough);
            }
            match body(self, f, inside.clone()) {
                Ok(()) => Ok(()),
                Err(fail) => {
                    failed = Some(fail);
                    Err(Stop::Enough)
                }
            }
        });
        f.steps += floor;
        match (failed, outcome) {
            (Some(fail), _) => Err(fail),
            (None, Err(Stop::Cut(cut)))
                // Its own budget, not that of the user, is at an end: the plan may do without
                // unrolling.
                if cut.reason == CutReason::EvaluationSteps && steps > UNROLL_STEPS =>
            {
                Err(Fail::No)
            }
            (None, Err(stop)) => Err(stop.into()),
            (None, Ok(())) => Ok(()),
        }
    }

    pub(super) fn partition<'s>(&mut self, f: &mut Frame<'s>, whole: &T, parts: &[T]) -> Got<Form> {
        let whole = self.term(f, whole)?;
        let whole = self.as_set(f, &whole)?;
        let mut counts: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        // Conditions in the order of the formula, whatever the map does: the search must repeat.
        let mut order = Vec::new();
        for part in parts {
            let part = self.term(f, part)?;
            for (elem, form) in self.as_set(f, &part)? {
                counts
                    .entry(elem)
                    .or_insert_with(|| {
                        order.push(elem);
                        Vec::new()
                    })
                    .push(form);
            }
        }
        let mut out = Vec::new();
        for (elem, form) in whole {
            let ways = counts.remove(&elem).unwrap_or_default();
            let wanted =
                Term::If(Box::new(form), Box::new(Term::Const(1)), Box::new(Term::Const(0)));
            out.push(Form::eq(Term::Count(ways), wanted));
        }
        for elem in order {
            for form in counts.remove(&elem).unwrap_or_default() {
                out.push(Form::not(form));
            }
        }
        Ok(Form::and(out))
    }

    pub(super) fn compare<'s>(
        &mut self,
        f: &mut Frame<'s>,
        op: CompareOp,
        a: &T,
        b: &T,
        span: Span,
    ) -> Got<Form> {
        use CompareOp as C;
        if let (C::Member | C::NotMember, T::Binary(BinaryOp::Interval, lo, hi)) = (op, b) {
            let a = self.term(f, a)?;
            let (lo, hi) = (self.term(f, lo)?, self.term(f, hi)?);
            let (a, lo, hi) = (need(f, &a)?, need(f, &lo)?, need(f, &hi)?);
            let inside = Form::and(vec![Form::le(lo, a.clone()), Form::le(a, hi)]);
            return Ok(if op == C::Member { inside } else { Form::not(inside) });
        }
        if matches!(op, C::Equal | C::NotEqual)
            && let Some(form) = self.distinct_count(f, a, b)?
        {
            return Ok(if op == C::Equal { form } else { Form::not(form) });
        }
        let (a, b) = (self.term(f, a)?, self.term(f, b)?);
        Ok(match op {
            C::Equal => self.equal(f, &a, &b)?,
            C::NotEqual => Form::not(self.equal(f, &a, &b)?),
            C::Member => self.member(f, &a, &b, span)?,
            C::NotMember => Form::not(self.member(f, &a, &b, span)?),
            C::Subset => self.subset(f, &a, &b)?,
            C::NotSubset => Form::not(self.subset(f, &a, &b)?),
            C::StrictSubset => {
                let (inside, same) = (self.subset(f, &a, &b)?, self.equal(f, &a, &b)?);
                Form::and(vec![inside, Form::not(same)])
            }
            C::LessEqual => Form::le(need(f, &a)?, need(f, &b)?),
            C::GreaterEqual => Form::le(need(f, &b)?, need(f, &a)?),
            C::Less => Form::not(Form::le(need(f, &b)?, need(f, &a)?)),
            C::Greater => Form::not(Form::le(need(f, &a)?, need(f, &b)?)),
            _ => return Err(Fail::No),
        })
    }

    /// `card({a, b, c}) = 3`: all different.
    pub(super) fn distinct_count<'s>(
        &mut self,
        f: &mut Frame<'s>,
        a: &T,
        b: &T,
    ) -> Got<Option<Form>> {
        for (card, number) in [(a, b), (b, a)] {
            if let (T::Unary(UnaryOp::Card, set), T::Known(n)) = (card, number)
                && let T::Extension(parts) = &**set
            {
                let n = n(f)?;
                // Another number is not about being different: it is counted.
                if f.store.as_i64(n) != Some(parts.len() as i64) {
                    return Ok(None);
                }
                let mut terms = Vec::new();
                for part in parts {
                    let part = self.term(f, part)?;
                    terms.push(need(f, &part)?);
                }
                return Ok(Some(Form::AllDifferent(terms)));
            }
        }
        Ok(None)
    }

    pub(super) fn equal<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<Form> {
        match (a, b) {
            (V::Known(x), V::Known(y)) => {
                return Ok(Form::Const(sets::equal(f, *x, *y, Span::NONE)?));
            }
            // Side by side: each is a smaller constraint, and propagates by itself.
            (V::Pair(..), _) | (_, V::Pair(..)) => {
                let ((a1, a2), (b1, b2)) = (self.sides_of_pair(f, a)?, self.sides_of_pair(f, b)?);
                let (l, r) = (self.equal(f, &a1, &b1)?, self.equal(f, &a2, &b2)?);
                return Ok(Form::and(vec![l, r]));
            }
            (V::Listed(..), V::Known(v)) | (V::Known(v), V::Listed(..)) if v.is_opaque() => {
                return Err(Fail::No);
            }
            (V::Listed(term, values), V::Known(v)) | (V::Known(v), V::Listed(term, values)) => {
                return Ok(one_of(term, values, |x| x == *v));
            }
            (V::Listed(x, xs), V::Listed(y, ys)) => {
                let same = xs
                    .iter()
                    .filter_map(|(i, v)| match one_of(y, ys, |other| other == *v) {
                        Form::Const(false) => None,
                        there => Some(Form::and(vec![Form::eq(x.clone(), Term::Const(*i)), there])),
                    })
                    .collect();
                return Ok(Form::or(same));
            }
            (V::Extension(xs), V::Extension(ys)) if xs.len() == 1 && ys.len() == 1 => {
                return self.equal(f, &xs[0], &ys[0]);
            }
            (V::Extension(xs), V::Extension(ys)) if xs.is_empty() || ys.is_empty() => {
                return Ok(Form::Const(xs.len() == ys.len()));
            }
            (V::Extension(parts), V::Known(set)) | (V::Known(set), V::Extension(parts)) => {
                return self.extension_is(f, parts, *set);
            }
            _ => {}
        }
        if let (Some(x), Some(y)) = (scalar(f, a), scalar(f, b)) {
            return Ok(Form::eq(x, y));
        }
        let (x, y) = (self.as_set(f, a)?, self.as_set(f, b)?);
        let mut other: FxHashMap<Val, Form> = y.iter().cloned().collect();
        let mut out = Vec::new();
        for (elem, form) in x {
            let there = other.remove(&elem).unwrap_or(Form::Const(false));
            out.push(Form::iff(form, there));
        }
        for (elem, form) in y {
            if other.contains_key(&elem) {
                out.push(Form::not(form));
            }
        }
        Ok(Form::and(out))
    }

    /// A tuple of scalars in a listed set: a constraint in extension.
    fn in_table(&mut self, f: &Frame<'_>, tuple: &V, set: Val) -> Option<Form> {
        const MAX_ROWS: usize = 50_000;
        let mut terms = Vec::new();
        scalars_of(f, tuple, &mut terms)?;
        // A quantifier may ask for the same set in every instance.
        let table = match self.tables.get(&set) {
            Some(table) => table.clone(),
            None => {
                let elems =
                    f.store.elems(set).filter(|e| e.len() <= MAX_ROWS && !set.is_opaque())?;
                let mut rows = Vec::with_capacity(elems.len() * terms.len());
                for i in 0..elems.len() {
                    numbers_of(f, f.store.nth(elems, i), &mut rows)?;
                }
                let table = Arc::new(Table::new(terms.len(), &rows));
                self.tables.insert(set, table.clone());
                table
            }
        };
        (table.arity() == terms.len()).then(|| Form::table(terms, table))
    }

    /// `{a, b, c} = S`: each is in S, and each element of S is one of them.
    fn extension_is<'s>(&mut self, f: &mut Frame<'s>, parts: &[V], set: Val) -> Got<Form> {
        // One element: said once, or sets in sets in sets would double what is said each time.
        if let ([part], Some(elems)) = (parts, f.store.elems(set)) {
            return match elems.len() {
                1 => self.equal(f, part, &V::Known(f.store.nth(elems, 0))),
                _ => Ok(Form::Const(false)),
            };
        }
        let mut out = Vec::new();
        for part in parts {
            out.push(self.member(f, part, &V::Known(set), Span::NONE)?);
        }
        for elem in self.candidates(f, set, Span::NONE)? {
            let mut ways = Vec::new();
            for part in parts {
                ways.push(self.equal(f, part, &V::Known(elem))?);
            }
            out.push(Form::or(ways));
        }
        Ok(Form::and(out))
    }

    pub(super) fn subset<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<Form> {
        let x = self.as_set(f, a)?;
        // A known larger set may be symbolic.
        if let V::Known(set) = b {
            let mut out = Vec::new();
            for (elem, form) in x {
                if !sets::member(f, elem, *set, Span::NONE)? {
                    out.push(Form::not(form));
                }
            }
            return Ok(Form::and(out));
        }
        let y: FxHashMap<Val, Form> = self.as_set(f, b)?.into_iter().collect();
        let mut out = Vec::new();
        for (elem, form) in x {
            let there = y.get(&elem).cloned().unwrap_or(Form::Const(false));
            out.push(Form::or(vec![Form::not(form), there]));
        }
        Ok(Form::and(out))
    }

    pub(super) fn member<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V, span: Span) -> Got<Form> {
        if let (V::Known(x), V::Known(s)) = (a, b) {
            return Ok(Form::Const(sets::member(f, *x, *s, span)?));
        }
        if let V::Known(set) = b {
            if let Some(t) = scalar(f, a) {
                return self.scalar_in(f, t, *set, span);
            }
            if let V::Listed(term, values) = a {
                let mut inside = Vec::new();
                for (i, v) in values.iter() {
                    if sets::member(f, *v, *set, span)? {
                        inside.push(*i);
                    }
                }
                // `In` takes its numbers sorted.
                inside.sort_unstable();
                return Ok(Form::In(term.clone(), inside.into()));
            }
            if let Some((tag, args)) = f.store.as_symbolic(*set) {
                match split(tag) {
                    (SPACE1, sets::POW) => {
                        let of = V::Known(args[0]);
                        return self.subset(f, a, &of);
                    }
                    (SPACE2, op) if op == sets::CARTESIAN => {
                        if let V::Pair(x, y) = a {
                            let l = self.member(f, x, &V::Known(args[0]), span)?;
                            let r = self.member(f, y, &V::Known(args[1]), span)?;
                            return Ok(Form::and(vec![l, r]));
                        }
                    }
                    _ => {}
                }
            }
        }
        if let (V::Pair(..), V::Known(set)) = (a, b)
            && let Some(form) = self.in_table(f, a, *set)
        {
            return Ok(form);
        }
        if let (V::Pair(x, y), V::Known(set)) = (a, b)
            && let V::Known(key) = **x
            && f.store.is_listed(*set)
            && !set.is_opaque()
        {
            let values = sets::related(f, *set, key, span)?;
            let values = f.store.set(values);
            return self.member(f, y, &V::Known(values), span);
        }
        let candidates = self.as_set(f, b)?;
        if let V::Known(x) = a {
            if x.is_opaque() {
                return Err(Fail::No);
            }
            let found = candidates.into_iter().find(|(e, _)| e == x);
            return Ok(found.map_or(Form::Const(false), |(_, form)| form));
        }
        if candidates.len() > 3_000 {
            return Err(Fail::No);
        }
        let mut ways = Vec::new();
        for (elem, form) in candidates {
            let same = self.equal(f, a, &V::Known(elem))?;
            ways.push(Form::and(vec![same, form]));
        }
        Ok(Form::or(ways))
    }

    pub(super) fn scalar_in<'s>(
        &mut self,
        f: &mut Frame<'s>,
        t: Term,
        set: Val,
        span: Span,
    ) -> Got<Form> {
        let store = f.store;
        match store.elems(set) {
            Some(Elems::Range(lo, hi)) => Ok(Form::and(vec![
                Form::le(Term::Const(lo), t.clone()),
                Form::le(t, Term::Const(hi)),
            ])),
            Some(elems) => {
                let codes: Option<Vec<i64>> =
                    store.list(elems).into_iter().map(|v| code(f, v)).collect();
                let mut codes = codes.ok_or(Fail::No)?;
                codes.sort_unstable();
                Ok(Form::In(t, codes.into()))
            }
            None => match store.as_symbolic(set).map(|(tag, _)| split(tag).0) {
                Some(INTEGER) => Ok(Form::Const(true)),
                Some(NATURAL) => Ok(Form::le(Term::Const(0), t)),
                Some(NATURAL1) => Ok(Form::le(Term::Const(1), t)),
                _ => {
                    let listed = sets::list(f, set, span).map_err(|_| Fail::No)?;
                    if listed == set { Err(Fail::No) } else { self.scalar_in(f, t, listed, span) }
                }
            },
        }
    }
}

/// The numbers of the values that pass.
fn one_of(term: &Term, values: &[(i64, Val)], pass: impl Fn(Val) -> bool) -> Form {
    let mut numbers: Vec<i64> = values.iter().filter(|(_, v)| pass(*v)).map(|(n, _)| *n).collect();
    numbers.sort_unstable();
    match numbers[..] {
        [] => Form::Const(false),
        [only] => Form::eq(term.clone(), Term::Const(only)),
        _ => Form::In(term.clone(), numbers.into()),
    }
}

/// The scalars of a tuple from left to right.
fn scalars_of(f: &Frame<'_>, v: &V, out: &mut Vec<Term>) -> Option<()> {
    if let V::Pair(a, b) = v {
        scalars_of(f, a, out)?;
        return scalars_of(f, b, out);
    }
    if let V::Known(v) = v
        && let Some((a, b)) = f.store.as_pair(*v)
    {
        scalars_of(f, &V::Known(a), out)?;
        return scalars_of(f, &V::Known(b), out);
    }
    out.push(scalar(f, v)?);
    Some(())
}

/// The numbers of the scalars of a known tuple.
fn numbers_of(f: &Frame<'_>, v: Val, out: &mut Vec<i64>) -> Option<()> {
    if let Some((a, b)) = f.store.as_pair(v) {
        numbers_of(f, a, out)?;
        return numbers_of(f, b, out);
    }
    out.push(code(f, v)?);
    Some(())
}
