//! Terms: how bounds move through arithmetic.

use super::super::{Conflict, Space, Var};
use super::Form;
use crate::domain::{FAR, NONE};

/// An integer that depends on variables.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number.
    Const(i64),
    /// A variable.
    Var(Var),
    /// Factors times terms, plus a number.
    Sum(Vec<(i64, Term)>, i64),
    /// A product.
    Mul(Box<Term>, Box<Term>),
    /// A quotient, toward zero; the divisor is never zero in a solution.
    Div(Box<Term>, Box<Term>),
    /// A remainder; of a number >= 0 by one > 0 in a solution.
    Mod(Box<Term>, Box<Term>),
    /// The entry of a table at an index, which must be a key in a solution.
    Element(Box<Term>, Vec<(i64, Term)>),
    /// How many hold.
    Count(Vec<Form>),
    /// One or the other.
    If(Box<Form>, Box<Term>, Box<Term>),
}

/// A sound lower bound in 64 bits.
fn lower(value: Option<i128>) -> i64 {
    match value {
        Some(v) if v > i128::from(-FAR) => v.min(i128::from(FAR)) as i64,
        _ => -NONE,
    }
}

/// A sound upper bound in 64 bits.
fn upper(value: Option<i128>) -> i64 {
    match value {
        Some(v) if v < i128::from(FAR) => v.max(i128::from(-FAR)) as i64,
        _ => NONE,
    }
}

/// The greatest number whose n-th power is no more than this.
fn root(of: u128, n: u32) -> i64 {
    let (mut lo, mut hi) = (0u128, of.isqrt().max(1) + 1);
    if n < 2 {
        return upper(i128::try_from(of).ok());
    }
    while hi - lo > 1 {
        let middle = lo + (hi - lo) / 2;
        match middle.checked_pow(n) {
            Some(power) if power <= of => lo = middle,
            _ => hi = middle,
        }
    }
    upper(i128::try_from(lo).ok())
}

fn finite(bound: i64) -> Option<i128> {
    (-NONE < bound && bound < NONE).then_some(i128::from(bound))
}

/// Bounds of a factor times something; nothing where there is no bound.
fn scaled(factor: i64, (lo, hi): (i64, i64)) -> (Option<i128>, Option<i128>) {
    let times = |b: i64| finite(b).map(|b| b * i128::from(factor));
    if factor >= 0 { (times(lo), times(hi)) } else { (times(hi), times(lo)) }
}

/// A sum of bounds that knows how many are missing.
#[derive(Clone, Copy)]
struct Total {
    sum: i128,
    missing: usize,
}

impl Total {
    fn add(&mut self, bound: Option<i128>) {
        match bound {
            Some(b) => self.sum += b,
            None => self.missing += 1,
        }
    }

    fn all(self) -> Option<i128> {
        (self.missing == 0).then_some(self.sum)
    }

    /// Without one of its parts.
    fn without(self, bound: Option<i128>) -> Option<i128> {
        match bound {
            Some(b) => (self.missing == 0).then_some(self.sum - b),
            None => (self.missing == 1).then_some(self.sum),
        }
    }
}

fn totals(space: &Space, parts: &[(i64, Term)], constant: i64) -> (Total, Total) {
    let start = Total { sum: i128::from(constant), missing: 0 };
    let (mut least, mut most) = (start, start);
    for (factor, term) in parts {
        let (a, b) = scaled(*factor, term.bounds(space));
        least.add(a);
        most.add(b);
    }
    (least, most)
}

impl Term {
    /// `a + b`
    #[allow(clippy::should_implement_trait)]
    pub fn add(a: Term, b: Term) -> Term {
        Term::sum(vec![(1, a), (1, b)])
    }

    /// `a - b`
    #[allow(clippy::should_implement_trait)]
    pub fn sub(a: Term, b: Term) -> Term {
        Term::sum(vec![(1, a), (-1, b)])
    }

    /// Factors times terms, flattened, equal variables joined.
    pub fn sum(parts: Vec<(i64, Term)>) -> Term {
        let mut out: Vec<(i64, Term)> = Vec::new();
        let mut constant = 0i64;
        let mut pending = parts;
        pending.reverse();
        while let Some((factor, term)) = pending.pop() {
            match term {
                Term::Const(c) => constant = constant.saturating_add(factor.saturating_mul(c)),
                Term::Sum(inner, c) => {
                    constant = constant.saturating_add(factor.saturating_mul(c));
                    pending.extend(
                        inner.into_iter().rev().map(|(f, t)| (factor.saturating_mul(f), t)),
                    );
                }
                Term::Var(v) => {
                    match out.iter_mut().find(|(_, t)| matches!(t, Term::Var(w) if *w == v)) {
                        Some(entry) => entry.0 = entry.0.saturating_add(factor),
                        None => out.push((factor, Term::Var(v))),
                    }
                }
                other => out.push((factor, other)),
            }
        }
        out.retain(|(f, _)| *f != 0);
        match (out.len(), constant) {
            (0, c) => Term::Const(c),
            (1, 0) if out[0].0 == 1 => out.swap_remove(0).1,
            (_, c) => Term::Sum(out, c),
        }
    }

    /// `a * b`
    pub fn product(a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::Const(c), t) | (t, Term::Const(c)) => Term::sum(vec![(c, t)]),
            (a, b) => Term::Mul(Box::new(a), Box::new(b)),
        }
    }

    /// The variable and the exponent, if it is a power of one.
    fn power(&self) -> Option<(Var, u32)> {
        match self {
            Term::Var(v) => Some((*v, 1)),
            Term::Mul(a, b) => match (a.power()?, b.power()?) {
                ((v, m), (w, n)) if v == w => Some((v, m.saturating_add(n))),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many parts it has.
    pub(crate) fn size(&self) -> u64 {
        1 + match self {
            Term::Const(_) | Term::Var(_) => 0,
            Term::Sum(parts, _) => parts.iter().map(|p| p.1.size()).sum(),
            Term::Mul(a, b) | Term::Div(a, b) | Term::Mod(a, b) => a.size() + b.size(),
            Term::Element(i, table) => i.size() + table.iter().map(|e| e.1.size()).sum::<u64>(),
            Term::Count(forms) => forms.iter().map(Form::size).sum(),
            Term::If(c, a, b) => c.size() + a.size() + b.size(),
        }
    }

    pub(crate) fn vars(&self, out: &mut Vec<Var>) {
        match self {
            Term::Const(_) => {}
            Term::Var(v) => out.push(*v),
            Term::Sum(parts, _) => parts.iter().for_each(|(_, t)| t.vars(out)),
            Term::Mul(a, b) | Term::Div(a, b) | Term::Mod(a, b) => {
                a.vars(out);
                b.vars(out);
            }
            Term::Element(index, table) => {
                index.vars(out);
                table.iter().for_each(|(_, t)| t.vars(out));
            }
            Term::Count(forms) => forms.iter().for_each(|f| f.vars(out)),
            Term::If(c, a, b) => {
                c.vars(out);
                a.vars(out);
                b.vars(out);
            }
        }
    }

    /// Bounds of the term in a space.
    pub(crate) fn bounds(&self, space: &Space) -> (i64, i64) {
        match self {
            Term::Const(c) => (*c, *c),
            Term::Var(v) => {
                let d = space.domain(*v);
                (d.lo(), d.hi())
            }
            Term::Sum(parts, constant) => {
                let (least, most) = totals(space, parts, *constant);
                (lower(least.all()), upper(most.all()))
            }
            Term::Mul(a, b) => {
                let ((a1, a2), (b1, b2)) = (a.bounds(space), b.bounds(space));
                let square = self.power().is_some_and(|(_, n)| n % 2 == 0);
                if [a1, a2, b1, b2].iter().any(|b| finite(*b).is_none()) {
                    // A square, both at least 0, or nothing is known.
                    let positive = square || a1 >= 0 && b1 >= 0;
                    return if positive { (0, NONE) } else { (-NONE, NONE) };
                }
                let corners = [(a1, b1), (a1, b2), (a2, b1), (a2, b2)]
                    .map(|(x, y)| i128::from(x) * i128::from(y));
                let least = corners.iter().min().map(|&n| if square { n.max(0) } else { n });
                (lower(least), upper(corners.iter().max().copied()))
            }
            Term::Div(a, b) => {
                let ((a1, a2), (b1, b2)) = (a.bounds(space), b.bounds(space));
                if finite(a1).is_none() || finite(a2).is_none() {
                    return if a1 >= 0 && b1 > 0 { (0, NONE) } else { (-NONE, NONE) };
                }
                if b1 == b2 && b1 != 0 {
                    let (x, y) = (a1 / b1, a2 / b1);
                    return (x.min(y), x.max(y));
                }
                let most = a1.abs().max(a2.abs());
                if b1 > 0 && a1 >= 0 { (a1 / b2, a2 / b1) } else { (-most, most) }
            }
            Term::Mod(a, b) => {
                let ((a1, a2), (b1, b2)) = (a.bounds(space), b.bounds(space));
                if a1 == a2 && b1 == b2 && b1 > 0 && a1 >= 0 {
                    return (a1 % b1, a1 % b1);
                }
                if a1 >= 0 && b1 > 0 && a2 < b1 {
                    return (a1, a2);
                }
                (0, (b2 - 1).min(a2).max(0))
            }
            Term::Element(index, table) => {
                let (mut lo, mut hi) = (NONE, -NONE);
                for (key, entry) in table {
                    if index.may_be(space, *key) {
                        let (a, b) = entry.bounds(space);
                        lo = lo.min(a);
                        hi = hi.max(b);
                    }
                }
                if lo > hi { (0, 0) } else { (lo, hi) }
            }
            Term::Count(forms) => {
                let (mut lo, mut hi) = (0, 0);
                for form in forms {
                    match space.truth(form) {
                        Some(true) => {
                            lo += 1;
                            hi += 1;
                        }
                        Some(false) => {}
                        None => hi += 1,
                    }
                }
                (lo, hi)
            }
            Term::If(condition, a, b) => match space.truth(condition) {
                Some(true) => a.bounds(space),
                Some(false) => b.bounds(space),
                None => {
                    let ((a1, a2), (b1, b2)) = (a.bounds(space), b.bounds(space));
                    (a1.min(b1), a2.max(b2))
                }
            },
        }
    }

    /// Might both be equal? (Yes, if in doubt.)
    pub(crate) fn may_meet(&self, space: &Space, other: &Term) -> bool {
        match (self, other) {
            (Term::Var(x), Term::Var(y)) => space.domain(*x).meets(space.domain(*y)),
            (Term::Const(c), term) | (term, Term::Const(c)) => term.may_be(space, *c),
            _ => {
                let ((a1, a2), (b1, b2)) = (self.bounds(space), other.bounds(space));
                a1 <= b2 && b1 <= a2
            }
        }
    }

    /// Might it have this value? (Yes, if in doubt.)
    pub(crate) fn may_be(&self, space: &Space, value: i64) -> bool {
        match self {
            Term::Var(v) => space.domain(*v).contains(value),
            Term::Sum(parts, constant) if parts.len() == 1 && parts[0].0 != 0 => {
                let rest = i128::from(value) - i128::from(*constant);
                let factor = i128::from(parts[0].0);
                rest % factor == 0
                    && i64::try_from(rest / factor)
                        .is_ok_and(|missing| parts[0].1.may_be(space, missing))
            }
            _ => {
                let (lo, hi) = self.bounds(space);
                lo <= value && value <= hi
            }
        }
    }
}

impl Space {
    /// Demands that a term lies between bounds.
    pub(crate) fn restrict(&mut self, term: &Term, lo: i64, hi: i64) -> Result<(), Conflict> {
        let (least, most) = term.bounds(self);
        if lo > hi || most < lo || hi < least {
            return Err(Conflict);
        }
        if let Term::Element(index, table) = term {
            return self.restrict_element(index, table, lo, hi);
        }
        if lo <= least && most <= hi {
            return Ok(());
        }
        match term {
            Term::Const(_) => Ok(()),
            Term::Var(v) => {
                let new = self.domains[*v].clamp(lo, hi);
                self.narrow(*v, new)
            }
            Term::Sum(parts, constant) => self.restrict_sum(parts, *constant, lo, hi),
            Term::Mul(a, b) => {
                if let (Some((v, n)), Some(lo), Some(hi)) = (term.power(), finite(lo), finite(hi)) {
                    let most = root(lo.unsigned_abs().max(hi.unsigned_abs()), n);
                    self.restrict(&Term::Var(v), -most, most)?;
                }
                self.restrict_factor(a, b, lo, hi)?;
                self.restrict_factor(b, a, lo, hi)
            }
            Term::Div(a, b) => {
                let (b1, b2) = b.bounds(self);
                if b1 == b2 && b1 > 0 {
                    // q = a / b toward zero.
                    let b = i128::from(b1);
                    let from = finite(lo).map(|q| if q > 0 { q * b } else { q * b - (b - 1) });
                    let to = finite(hi).map(|q| if q < 0 { q * b } else { q * b + (b - 1) });
                    return self.restrict(a, lower(from), upper(to));
                }
                Ok(())
            }
            Term::Count(forms) => {
                if lo == most || hi == least {
                    let wanted = lo == most;
                    for form in forms {
                        if self.truth(form).is_none() {
                            self.force(form, wanted)?;
                        }
                    }
                }
                Ok(())
            }
            Term::If(condition, a, b) => {
                let fits = |(x, y): (i64, i64)| x <= hi && lo <= y;
                match self.truth(condition) {
                    Some(true) => self.restrict(a, lo, hi),
                    Some(false) => self.restrict(b, lo, hi),
                    None if !fits(a.bounds(self)) => {
                        self.force(condition, false)?;
                        self.restrict(b, lo, hi)
                    }
                    None if !fits(b.bounds(self)) => {
                        self.force(condition, true)?;
                        self.restrict(a, lo, hi)
                    }
                    None => Ok(()),
                }
            }
            Term::Mod(..) | Term::Element(..) => Ok(()),
        }
    }

    fn restrict_sum(
        &mut self,
        parts: &[(i64, Term)],
        constant: i64,
        lo: i64,
        hi: i64,
    ) -> Result<(), Conflict> {
        let (least, most) = totals(self, parts, constant);
        for (factor, term) in parts.iter().filter(|p| p.0 != 0) {
            let (a, b) = scaled(*factor, term.bounds(self));
            // factor * term lies between lo - (most - b) and hi - (least - a).
            let from = finite(lo).zip(most.without(b)).map(|(lo, rest)| lo - rest);
            let to = finite(hi).zip(least.without(a)).map(|(hi, rest)| hi - rest);
            let (from, to) = divided(from, to, *factor);
            self.restrict(term, from, to)?;
        }
        Ok(())
    }

    fn restrict_factor(&mut self, a: &Term, b: &Term, lo: i64, hi: i64) -> Result<(), Conflict> {
        let (b1, b2) = b.bounds(self);
        if b1 == b2 && b1 != 0 {
            let (from, to) = divided(finite(lo), finite(hi), b1);
            return self.restrict(a, from, to);
        }
        if finite(lo).is_none() || finite(hi).is_none() {
            return Ok(());
        }
        let least = if b1 > 0 {
            b1
        } else if lo > 0 || hi < 0 {
            // No factor is zero where the product is not.
            1
        } else {
            return Ok(());
        };
        let most = lo.abs().max(hi.abs()) / least;
        self.restrict(a, -most, most)
    }

    fn restrict_element(
        &mut self,
        index: &Term,
        table: &[(i64, Term)],
        lo: i64,
        hi: i64,
    ) -> Result<(), Conflict> {
        let mut only = None;
        let mut count = 0;
        for (key, entry) in table {
            if !index.may_be(self, *key) {
                continue;
            }
            let (a, b) = entry.bounds(self);
            if b < lo || hi < a {
                self.exclude(index, *key)?;
            } else {
                count += 1;
                only = Some((*key, entry));
            }
        }
        if let Term::Var(v) = index {
            let keys = |value: i64| table.iter().any(|(k, _)| *k == value);
            let new = self.domains[*v].filter(keys);
            self.narrow(*v, new)?;
        }
        match (count, only) {
            (0, _) => Err(Conflict),
            (1, Some((key, entry))) => {
                self.restrict(index, key, key)?;
                self.restrict(entry, lo, hi)
            }
            _ => Ok(()),
        }
    }

    /// Demands that a term is not this value.
    pub(crate) fn exclude(&mut self, term: &Term, value: i64) -> Result<(), Conflict> {
        match term {
            Term::Var(v) => self.remove(*v, value),
            Term::Sum(parts, constant) => {
                let (lo, hi) = term.bounds(self);
                if value == lo && lo < hi && lo > -NONE {
                    self.restrict(term, lo + 1, hi)
                } else if value == hi && lo < hi && hi < NONE {
                    self.restrict(term, lo, hi - 1)
                } else {
                    self.exclude_sum(parts, *constant, value)
                }
            }
            _ => {
                let (lo, hi) = term.bounds(self);
                if lo == hi && lo == value {
                    return Err(Conflict);
                }
                if value == lo && lo > -NONE {
                    self.restrict(term, lo + 1, hi)
                } else if value == hi && hi < NONE {
                    self.restrict(term, lo, hi - 1)
                } else {
                    Ok(())
                }
            }
        }
    }
}

/// The integers x with `from <= factor * x <= to`, where a missing bound is none.
fn divided(from: Option<i128>, to: Option<i128>, factor: i64) -> (i64, i64) {
    let f = i128::from(factor);
    let (from, to) = if f > 0 { (from, to) } else { (to.map(|t| -t), from.map(|t| -t)) };
    let f = f.abs();
    let up = from.map(|v| v.div_euclid(f) + i128::from(v.rem_euclid(f) != 0));
    (lower(up), upper(to.map(|v| v.div_euclid(f))))
}
