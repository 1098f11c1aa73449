//! Fresh unknowns: what a name may be, taken apart into variables.

use super::*;

impl Grounding {
    pub(super) fn int(&mut self, lo: i64, hi: i64) -> Got<Term> {
        match Domain::between(lo, hi) {
            Some(d) => Ok(Term::Var(self.space.var(d))),
            None => {
                // No value at all: the space has no solution.
                self.space.post(Form::Const(false));
                Ok(Term::Const(0))
            }
        }
    }

    pub(super) fn shape<'s>(
        &mut self,
        f: &mut Frame<'s>,
        unknown: &Unknown,
        used: &mut [bool],
    ) -> Got<V> {
        // Sources in order of how much they say: elements of listed sets first.
        let mut best: Option<(Option<usize>, Val, f64)> = None;
        for (atom, source) in &unknown.sets {
            let set = match source {
                Source::Element(set) => set(f)?,
                Source::Subset(set) => {
                    let set = set(f)?;
                    f.store.symbolic(sets::tag(SPACE1, sets::POW), vec![set])
                }
            };
            let size = sets::size(f, set).unwrap_or(1e200);
            if best.as_ref().is_none_or(|(_, _, s)| size < *s) {
                best = Some((*atom, set, size));
            }
        }
        if let Some((atom, set, _)) = best {
            if let Some(atom) = atom {
                used[atom] = true;
            }
            return self.member_of(f, set, unknown.span);
        }
        let all = sets::type_set(f.rt, unknown.ty);
        if matches!(f.rt.types.get(unknown.ty), Type::Power(_))
            && sets::size(f, all).is_none_or(|n| n.is_infinite())
        {
            return Err(Fail::No);
        }
        self.member_of(f, all, unknown.span)
    }

    /// A fresh value out of a set.
    pub(super) fn member_of<'s>(&mut self, f: &mut Frame<'s>, set: Val, span: Span) -> Got<V> {
        let store = f.store;
        if let Some(elems) = store.elems(set) {
            return self.listed(f, elems);
        }
        let Some((tag, args)) = store.as_symbolic(set) else {
            return Err(Fail::No);
        };
        match split(tag) {
            (INTEGER, _) => Ok(V::Int(self.int(i64::MIN, i64::MAX)?)),
            (NATURAL, _) => Ok(V::Int(self.int(0, i64::MAX)?)),
            (NATURAL1, _) => Ok(V::Int(self.int(1, i64::MAX)?)),
            (SPACE1, op @ (sets::POW | sets::FIN | sets::POW1 | sets::FIN1)) => {
                let elems = self.candidates(f, args[0], span)?;
                let parts: Vec<(Val, Form)> =
                    elems.into_iter().map(|e| (e, flag(&mut self.space))).collect();
                if matches!(op, sets::POW1 | sets::FIN1) {
                    let some = parts.iter().map(|p| p.1.clone()).collect();
                    self.space.post(Form::or(some));
                }
                Ok(V::Set(parts))
            }
            (SPACE1, sets::PERM) => {
                let n = self.candidates(f, args[0], span)?.len();
                let keys = store.range(1, n as i64);
                let arrow =
                    Arrow { function: true, total: true, injective: true, surjective: true };
                self.function(f, arrow, keys, args[0], span)
            }
            (SPACE2, op) if op == sets::CARTESIAN => {
                let a = self.member_of(f, args[0], span)?;
                let b = self.member_of(f, args[1], span)?;
                Ok(V::Pair(Box::new(a), Box::new(b)))
            }
            (SPACE2, op) => match arrow(op) {
                Some(arrow) if arrow.function => self.function(f, arrow, args[0], args[1], span),
                Some(arrow) => self.relation(f, arrow, args[0], args[1], span),
                None => Err(Fail::No),
            },
            (CLOSURE, _) => {
                let listed = sets::list(f, set, span).map_err(|_| Fail::No)?;
                match store.elems(listed) {
                    Some(elems) => self.listed(f, elems),
                    None => Err(Fail::No),
                }
            }
            _ => Err(Fail::No),
        }
    }

    pub(super) fn candidates<'s>(
        &mut self,
        f: &mut Frame<'s>,
        set: Val,
        span: Span,
    ) -> Got<Vec<Val>> {
        if sets::size(f, set).is_some_and(|n| n > MAX_CANDIDATES as f64) {
            return Err(Fail::No);
        }
        let elems = match sets::elements(f, set, span) {
            Ok(elems) => elems,
            Err(Stop::Cut(cut)) if !cut.is_final() => {
                return Err(Fail::No);
            }
            Err(stop) => return Err(stop.into()),
        };
        if elems.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        plain(f.store.list(elems))
    }

    pub(super) fn listed<'s>(&mut self, f: &mut Frame<'s>, elems: Elems<'s>) -> Got<V> {
        if let Elems::Range(lo, hi) = elems {
            if lo.unsigned_abs().max(hi.unsigned_abs()) >= FAR {
                return Err(Fail::No);
            }
            return Ok(V::Int(self.int(lo, hi)?));
        }
        if elems.is_empty() {
            self.space.post(Form::Const(false));
            return Ok(V::Known(Val::EMPTY));
        }
        if elems.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        let values = plain(f.store.list(elems))?;
        let codes: Option<Vec<i64>> = values.iter().map(|v| code(f, *v)).collect();
        let Some(codes) = codes else {
            let last = values.len() as i64 - 1;
            let Some(domain) = Domain::between(0, last) else {
                return Err(Fail::No);
            };
            let var = self.space.var(domain);
            return Ok(V::Listed(Term::Var(var), (0..).zip(values).collect()));
        };
        let (lo, hi) = (codes[0], codes[codes.len() - 1]);
        let term = self.int(lo, hi)?;
        if i128::from(hi) - i128::from(lo) + 1 != codes.len() as i128 {
            self.space.post(Form::In(term.clone(), codes.into()));
        }
        Ok(scalar_like(values[0], term))
    }

    pub(super) fn function<'s>(
        &mut self,
        f: &mut Frame<'s>,
        arrow: Arrow,
        left: Val,
        right: Val,
        span: Span,
    ) -> Got<V> {
        let keys = self.candidates(f, left, span)?;
        if keys.len() > 4_000 {
            return Err(Fail::No);
        }
        if !arrow.total && sets::is_empty(f, right, span)? {
            // Values of nothing have no domain; the function without any pair is the only one.
            return Ok(V::Function(Vec::new()));
        }
        let mut parts = Vec::with_capacity(keys.len());
        for key in keys {
            let defined = if arrow.total { Form::Const(true) } else { flag(&mut self.space) };
            let first = self.space.len();
            let result = self.member_of(f, right, span)?;
            if !arrow.total {
                // An undefined place has one value of each variable, so that it counts once.
                for var in first..self.space.len() {
                    let least = plain_value(self.space.domain(var));
                    let is_least = Form::eq(Term::Var(var), Term::Const(least));
                    self.space.post(Form::or(vec![defined.clone(), is_least]));
                }
            }
            parts.push((key, defined, result));
        }
        if arrow.injective {
            self.injective(f, &parts, arrow.total)?;
        }
        if arrow.surjective {
            for wanted in self.candidates(f, right, span)? {
                let mut ways = Vec::new();
                for (_, defined, result) in &parts {
                    let same = self.equal(f, result, &V::Known(wanted))?;
                    ways.push(Form::and(vec![defined.clone(), same]));
                }
                self.space.post(Form::or(ways));
            }
        }
        Ok(V::Function(parts))
    }

    pub(super) fn injective<'s>(
        &mut self,
        f: &mut Frame<'s>,
        parts: &[(Val, Form, V)],
        total: bool,
    ) -> Got<()> {
        let terms: Option<Vec<Term>> = parts.iter().map(|p| scalar(f, &p.2)).collect();
        if let (Some(terms), true) = (terms, total) {
            self.space.post(Form::AllDifferent(terms));
            return Ok(());
        }
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                let same = self.equal(f, &parts[i].2, &parts[j].2)?;
                self.space.post(Form::or(vec![
                    Form::not(parts[i].1.clone()),
                    Form::not(parts[j].1.clone()),
                    Form::not(same),
                ]));
            }
        }
        Ok(())
    }

    pub(super) fn relation<'s>(
        &mut self,
        f: &mut Frame<'s>,
        arrow: Arrow,
        left: Val,
        right: Val,
        span: Span,
    ) -> Got<V> {
        let (keys, values) = (self.candidates(f, left, span)?, self.candidates(f, right, span)?);
        if keys.len() * values.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        let flags: Vec<Form> =
            (0..keys.len() * values.len()).map(|_| flag(&mut self.space)).collect();
        let at = |i: usize, j: usize| flags[i * values.len() + j].clone();
        if arrow.total {
            for i in 0..keys.len() {
                let row = (0..values.len()).map(|j| at(i, j)).collect();
                self.space.post(Form::or(row));
            }
        }
        if arrow.surjective {
            for j in 0..values.len() {
                let column = (0..keys.len()).map(|i| at(i, j)).collect();
                self.space.post(Form::or(column));
            }
        }
        let mut parts = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            for (j, v) in values.iter().enumerate() {
                parts.push((f.store.pair(*key, *v), at(i, j)));
            }
        }
        Ok(V::Set(parts))
    }
}

/// Values that their words tell apart.
pub(super) fn plain(values: Vec<Val>) -> Got<Vec<Val>> {
    if values.iter().any(|v| v.is_opaque()) { Err(Fail::No) } else { Ok(values) }
}

/// A value that stays possible when a domain without bounds is narrowed to what is tried.
fn plain_value(d: &Domain) -> i64 {
    match (d.has_low(), d.has_high()) {
        (true, _) => d.lo(),
        (false, true) => d.hi(),
        (false, false) => 0,
    }
}
