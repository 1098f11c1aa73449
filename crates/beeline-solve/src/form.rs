//! Constraints: how truths move through connectives.

use crate::domain::NONE;
use crate::space::{Conflict, Space, Var};
use crate::table::Table;
use crate::term::Term;
use std::sync::Arc;

/// A truth that depends on variables.
#[derive(Clone, Debug)]
pub enum Form {
    /// Known.
    Const(bool),
    /// Equal.
    Eq(Term, Term),
    /// Less or equal.
    Le(Term, Term),
    /// One of these, sorted.
    In(Term, Arc<[i64]>),
    /// All of them.
    And(Vec<Form>),
    /// At least one.
    Or(Vec<Form>),
    /// Not.
    Not(Box<Form>),
    /// Both or none.
    Iff(Box<Form>, Box<Form>),
    /// No two are equal.
    AllDifferent(Vec<Term>),
    /// Together one of the rows; a term for each column.
    Table(Vec<Term>, Arc<Table>),
}

impl Form {
    /// Conjunction, with the obvious simplifications.
    pub fn and(parts: Vec<Form>) -> Form {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Form::Const(true) => {}
                Form::Const(false) => return Form::Const(false),
                Form::And(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        match out.len() {
            0 => Form::Const(true),
            1 => out.swap_remove(0),
            _ => Form::And(out),
        }
    }

    /// Disjunction, with the obvious simplifications.
    pub fn or(parts: Vec<Form>) -> Form {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Form::Const(false) => {}
                Form::Const(true) => return Form::Const(true),
                Form::Or(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        match out.len() {
            0 => Form::Const(false),
            1 => out.swap_remove(0),
            _ => Form::Or(out),
        }
    }

    /// Negation.
    #[allow(clippy::should_implement_trait)]
    pub fn not(form: Form) -> Form {
        match form {
            Form::Const(b) => Form::Const(!b),
            Form::Not(inner) => *inner,
            other => Form::Not(Box::new(other)),
        }
    }

    /// Both or none.
    pub fn iff(a: Form, b: Form) -> Form {
        match (a, b) {
            (Form::Const(true), x) | (x, Form::Const(true)) => x,
            (Form::Const(false), x) | (x, Form::Const(false)) => Form::not(x),
            (a, b) => Form::Iff(Box::new(a), Box::new(b)),
        }
    }

    /// Equal terms.
    pub fn eq(a: Term, b: Term) -> Form {
        match (&a, &b) {
            (Term::Const(x), Term::Const(y)) => Form::Const(x == y),
            _ => Form::linear(a, b, Form::Eq),
        }
    }

    /// Less or equal.
    pub fn le(a: Term, b: Term) -> Form {
        match (&a, &b) {
            (Term::Const(x), Term::Const(y)) => Form::Const(x <= y),
            _ => Form::linear(a, b, Form::Le),
        }
    }

    /// One of the rows of a table. There must be a term for each column.
    pub fn table(terms: Vec<Term>, table: Arc<Table>) -> Form {
        debug_assert_eq!(terms.len(), table.arity());
        match terms.len() {
            _ if table.is_empty() => Form::Const(false),
            1 => {
                Form::In(terms.into_iter().next().unwrap_or(Term::Const(0)), table.values(0).into())
            }
            _ => Form::Table(terms, table),
        }
    }

    /// Sums on both sides are joined, so that a variable on both counts once.
    fn linear(a: Term, b: Term, make: fn(Term, Term) -> Form) -> Form {
        let is_sum = |t: &Term| matches!(t, Term::Sum(..));
        if is_sum(&a) || is_sum(&b) {
            let all = Term::sub(a, b);
            return match all {
                Term::Const(c) => match make(Term::Const(c), Term::Const(0)) {
                    Form::Eq(..) => Form::Const(c == 0),
                    _ => Form::Const(c <= 0),
                },
                Term::Sum(mut parts, c) if parts.len() == 1 && parts[0].0 == 1 => {
                    make(parts.swap_remove(0).1, Term::Const(-c))
                }
                // x - y + c: two variables against each other keep their holes.
                other => make(other, Term::Const(0)),
            };
        }
        make(a, b)
    }

    /// How many parts it has.
    pub(crate) fn size(&self) -> u64 {
        1 + match self {
            Form::Const(_) => 0,
            Form::Eq(a, b) | Form::Le(a, b) => a.size() + b.size(),
            Form::In(t, _) => t.size(),
            Form::And(parts) | Form::Or(parts) => parts.iter().map(Form::size).sum(),
            Form::Not(p) => p.size(),
            Form::Iff(a, b) => a.size() + b.size(),
            Form::AllDifferent(terms) => terms.iter().map(Term::size).sum(),
            Form::Table(terms, table) => {
                terms.iter().map(Term::size).sum::<u64>()
                    + (table.arity() * table.len() / 64) as u64
            }
        }
    }

    pub(crate) fn vars(&self, out: &mut Vec<Var>) {
        match self {
            Form::Const(_) => {}
            Form::Eq(a, b) | Form::Le(a, b) => {
                a.vars(out);
                b.vars(out);
            }
            Form::In(t, _) => t.vars(out),
            Form::And(parts) | Form::Or(parts) => parts.iter().for_each(|p| p.vars(out)),
            Form::Not(p) => p.vars(out),
            Form::Iff(a, b) => {
                a.vars(out);
                b.vars(out);
            }
            Form::AllDifferent(terms) | Form::Table(terms, _) => {
                terms.iter().for_each(|t| t.vars(out));
            }
        }
    }
}

impl Space {
    /// What is already certain.
    pub fn truth(&self, form: &Form) -> Option<bool> {
        match form {
            Form::Const(b) => Some(*b),
            Form::Eq(a, b) => {
                let ((a1, a2), (b1, b2)) = (a.bounds(self), b.bounds(self));
                if a2 < b1 || b2 < a1 {
                    Some(false)
                } else if a1 == a2 && b1 == b2 {
                    Some(a1 == b1)
                } else if a1 == a2 {
                    if b.may_be(self, a1) { None } else { Some(false) }
                } else if b1 == b2 {
                    if a.may_be(self, b1) { None } else { Some(false) }
                } else {
                    None
                }
            }
            Form::Le(a, b) => {
                let ((a1, a2), (b1, b2)) = (a.bounds(self), b.bounds(self));
                if a2 <= b1 {
                    Some(true)
                } else if a1 > b2 {
                    Some(false)
                } else {
                    None
                }
            }
            Form::In(t, values) => {
                let (lo, hi) = t.bounds(self);
                let first = values.partition_point(|v| *v < lo);
                if values.get(first).is_none_or(|v| *v > hi) {
                    Some(false)
                } else if lo == hi {
                    Some(values[first] == lo)
                } else {
                    None
                }
            }
            Form::And(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match self.truth(part) {
                        Some(false) => return Some(false),
                        None => all = None,
                        _ => {}
                    }
                }
                all
            }
            Form::Or(parts) => {
                let mut any = Some(false);
                for part in parts {
                    match self.truth(part) {
                        Some(true) => return Some(true),
                        None => any = None,
                        _ => {}
                    }
                }
                any
            }
            Form::Not(p) => self.truth(p).map(|b| !b),
            Form::Iff(a, b) => Some(self.truth(a)? == self.truth(b)?),
            Form::AllDifferent(terms) => self.truth_different(terms),
            Form::Table(terms, table) => self.truth_table(terms, table),
        }
    }

    fn truth_different(&self, terms: &[Term]) -> Option<bool> {
        let mut fixed = Vec::with_capacity(terms.len());
        for term in terms {
            let (lo, hi) = term.bounds(self);
            if lo == hi {
                if fixed.contains(&lo) {
                    return Some(false);
                }
                fixed.push(lo);
            }
        }
        (fixed.len() == terms.len()).then_some(true)
    }

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
            && f1 * f2 == -1
        {
            // x - y = d, holes included.
            let d = (k - c) * f1;
            let (dx, dy) = (self.domains[x], self.domains[y]);
            let new = dx.filter(|v| dy.contains(v - d));
            self.narrow(x, new)?;
            let dx = self.domains[x];
            let new = dy.filter(|v| dx.contains(v + d));
            self.narrow(y, new)?;
        }
        Ok(())
    }

    fn force_different(&mut self, a: &Term, b: &Term) -> Result<(), Conflict> {
        let ((a1, a2), (b1, b2)) = (a.bounds(self), b.bounds(self));
        if a1 == a2 && b1 == b2 {
            return if a1 == b1 { Err(Conflict) } else { Ok(()) };
        }
        if b1 == b2
            && let Term::Sum(parts, c) = a
            && parts.len() > 1
        {
            return self.exclude_sum(parts, *c, b1);
        }
        if a1 == a2 {
            self.exclude(b, a1)
        } else if b1 == b2 {
            self.exclude(a, b1)
        } else {
            Ok(())
        }
    }

    /// A sum that must not be a value: if one part is open, it must not be what is missing.
    fn exclude_sum(&mut self, parts: &[(i64, Term)], c: i64, value: i64) -> Result<(), Conflict> {
        let mut open = None;
        let mut rest = i128::from(value) - i128::from(c);
        for (factor, term) in parts {
            let (lo, hi) = term.bounds(self);
            if lo == hi {
                rest -= i128::from(*factor) * i128::from(lo);
            } else if open.is_some() {
                return Ok(());
            } else {
                open = Some((*factor, term));
            }
        }
        match open {
            None => {
                if rest == 0 {
                    Err(Conflict)
                } else {
                    Ok(())
                }
            }
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
