//! How truths move through connectives: what follows when a form must hold, or must not.

use super::form::Form;
use super::form::Term;
use super::{Conflict, Space};
use crate::domain::{Domain, NONE};
use std::sync::Arc;

impl Space {
    /// Makes a form true or false, as far as propagation goes.
    pub(crate) fn force(&mut self, form: &Form, wanted: bool) -> Result<(), Conflict> {
        match (form, wanted) {
            (Form::Const(b), _) => {
                if *b == wanted {
                    Ok(())
                } else {
                    Err(Conflict)
                }
            }
            (Form::Not(inner), _) => self.force(inner, !wanted),
            (Form::Eq(a, b), true) => self.force_equal(a, b),
            (Form::Eq(a, b), false) => self.force_different(a, b),
            (Form::Le(a, b), true) => {
                let (_, most) = b.bounds(self);
                self.restrict(a, -NONE, most)?;
                let (least, _) = a.bounds(self);
                self.restrict(b, least, NONE)
            }
            (Form::Le(a, b), false) => {
                let (least, _) = b.bounds(self);
                self.restrict(a, if least > -NONE { least + 1 } else { least }, NONE)?;
                let (_, most) = a.bounds(self);
                self.restrict(b, -NONE, if most < NONE { most - 1 } else { most })
            }
            (Form::In(t, values), _) => self.force_in(t, values, wanted),
            (Form::And(parts), true) | (Form::Or(parts), false) => {
                parts.iter().try_for_each(|p| self.force(p, wanted))
            }
            (Form::And(parts), false) | (Form::Or(parts), true) => {
                // One part must have the wanted truth.
                let mut last = None;
                for part in parts {
                    match self.truth(part) {
                        Some(t) if t == wanted => return Ok(()),
                        Some(_) => {}
                        None if last.is_some() => return Ok(()),
                        None => last = Some(part),
                    }
                }
                match last {
                    Some(part) => self.force(part, wanted),
                    None => Err(Conflict),
                }
            }
            (Form::Iff(a, b), _) => {
                if let Some(t) = self.truth(a) {
                    self.force(b, t == wanted)
                } else if let Some(t) = self.truth(b) {
                    self.force(a, t == wanted)
                } else {
                    Ok(())
                }
            }
            (Form::AllDifferent(terms), true) => self.force_all_different(terms),
            (Form::Table(terms, table), _) => self.force_table(terms, table, wanted),
            (Form::AllDifferent(terms), false) => match self.truth_different(terms) {
                Some(true) => Err(Conflict),
                _ => Ok(()),
            },
        }
    }

    fn force_equal(&mut self, a: &Term, b: &Term) -> Result<(), Conflict> {
        let ((a1, a2), (b1, b2)) = (a.bounds(self), b.bounds(self));
        let (lo, hi) = (a1.max(b1), a2.min(b2));
        if lo > hi {
            return Err(Conflict);
        }
        self.restrict(a, lo, hi)?;
        self.restrict(b, lo, hi)?;
        if let (Term::Var(x), Term::Var(y)) = (a, b) {
            let both = self.domains[*x].meet(&self.domains[*y]);
            self.narrow(*x, both)?;
            self.narrow(*y, both)?;
        } else if let (Term::Sum(parts, c), Term::Const(k)) = (a, b)
            && let [(f1, Term::Var(x)), (f2, Term::Var(y))] = parts[..]
            && matches!((f1, f2), (1, -1) | (-1, 1))
            && let Some(d) = k.checked_sub(*c).and_then(|d| d.checked_mul(f1))
        {
            // x - y = d, holes included.
            let (dx, dy) = (self.domains[x], self.domains[y]);
            let new = dx.filter(|v| v.checked_sub(d).is_some_and(|v| dy.contains(v)));
            self.narrow(x, new)?;
            let dx = self.domains[x];
            let new = dy.filter(|v| v.checked_add(d).is_some_and(|v| dx.contains(v)));
            self.narrow(y, new)?;
        }
        self.fit_element(a, b)?;
        self.fit_element(b, a)
    }

    /// An entry of a table equals a term, holes included.
    fn fit_element(&mut self, element: &Term, term: &Term) -> Result<(), Conflict> {
        let Term::Element(index, table) = element else { return Ok(()) };
        if !matches!(term, Term::Var(_) | Term::Const(_)) {
            return Ok(());
        }
        let mut whole: Option<Domain> = None;
        for (key, entry) in table {
            if !index.may_be(self, *key) {
                continue;
            }
            if !entry.may_meet(self, term) {
                self.exclude(index, *key)?;
                continue;
            }
            let (lo, hi) = entry.bounds(self);
            let own = match entry {
                Term::Var(x) => Some(self.domains[*x]),
                _ => Domain::between(lo, hi),
            };
            whole = match (whole, own) {
                (Some(a), Some(b)) => Some(a.join(&b)),
                (a, b) => a.or(b),
            };
        }
        if let Term::Var(v) = term {
            let whole = whole.ok_or(Conflict)?;
            let new = self.domains[*v].meet(&whole);
            self.narrow(*v, new)?;
        }
        Ok(())
    }

    fn force_different(&mut self, a: &Term, b: &Term) -> Result<(), Conflict> {
        let ((a1, a2), (b1, b2)) = (a.bounds(self), b.bounds(self));
        if a1 == a2 && b1 == b2 {
            return if a1 == b1 { Err(Conflict) } else { Ok(()) };
        }
        if a1 == a2 {
            self.exclude(b, a1)
        } else if b1 == b2 {
            self.exclude(a, b1)
        } else {
            Ok(())
        }
    }

    /// A sum that must not be a value: if one part is unfixed, it must not be what is missing.
    pub(crate) fn exclude_sum(
        &mut self,
        parts: &[(i64, Term)],
        c: i64,
        value: i64,
    ) -> Result<(), Conflict> {
        let mut unfixed = None;
        let mut rest = i128::from(value) - i128::from(c);
        for (factor, term) in parts {
            let (lo, hi) = term.bounds(self);
            if lo == hi {
                rest -= i128::from(*factor) * i128::from(lo);
            } else if unfixed.is_some() {
                return Ok(());
            } else {
                unfixed = Some((*factor, term));
            }
        }
        match unfixed {
            None => {
                if rest == 0 {
                    Err(Conflict)
                } else {
                    Ok(())
                }
            }
            Some((0, _)) => Ok(()),
            Some((factor, term)) => {
                let f = i128::from(factor);
                match (rest % f == 0).then(|| i64::try_from(rest / f)) {
                    Some(Ok(missing)) => self.exclude(term, missing),
                    _ => Ok(()),
                }
            }
        }
    }

    fn force_in(&mut self, t: &Term, values: &Arc<[i64]>, wanted: bool) -> Result<(), Conflict> {
        let (lo, hi) = t.bounds(self);
        if lo == hi {
            let inside = values.binary_search(&lo).is_ok();
            return if inside == wanted { Ok(()) } else { Err(Conflict) };
        }
        if wanted {
            let first = values.partition_point(|v| *v < lo);
            let last = values.partition_point(|v| *v <= hi);
            if first >= last {
                return Err(Conflict);
            }
            self.restrict(t, values[first], values[last - 1])?;
        }
        if let Term::Var(v) = t {
            let new = self.domains[*v].filter(|x| values.binary_search(&x).is_ok() == wanted);
            self.narrow(*v, new)?;
        }
        Ok(())
    }

    fn force_all_different(&mut self, terms: &[Term]) -> Result<(), Conflict> {
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        let mut changed = true;
        let mut used = vec![false; terms.len()];
        while changed {
            changed = false;
            for i in 0..terms.len() {
                let (a, b) = terms[i].bounds(self);
                lo = lo.min(a);
                hi = hi.max(b);
                if a == b && !used[i] {
                    used[i] = true;
                    changed = true;
                    for (j, other) in terms.iter().enumerate() {
                        if j != i {
                            self.exclude(other, a)?;
                        }
                    }
                }
            }
        }
        // More terms than values.
        if terms.len() > 1 && i128::from(hi) - i128::from(lo) + 1 < terms.len() as i128 {
            return Err(Conflict);
        }
        Ok(())
    }
}
