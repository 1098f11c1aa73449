//! What is certain about a form.

use super::Space;
use super::form::Form;
use super::form::Term;

impl Space {
    /// What is already certain.
    pub fn truth(&self, form: &Form) -> Option<bool> {
        match form {
            Form::Const(b) => Some(*b),
            Form::Eq(Term::Var(v), Term::Const(c)) => {
                let d = self.domain(*v);
                if !d.contains(*c) { Some(false) } else { d.is_fixed().then_some(true) }
            }
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
                } else if let (Term::Var(x), Term::Var(y)) = (a, b) {
                    if self.domain(*x).meets(self.domain(*y)) { None } else { Some(false) }
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
            Form::In(Term::Var(v), values) if self.domain(*v).has_mask() => {
                let inside = |x: &i64| values.binary_search(x).is_ok();
                let mut left = self.domain(*v).iter();
                let first = inside(&left.next()?);
                left.all(|x| inside(&x) == first).then_some(first)
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

    pub(crate) fn truth_different(&self, terms: &[Term]) -> Option<bool> {
        let mut fixed: Vec<i64> = Vec::with_capacity(terms.len());
        for term in terms {
            let (lo, hi) = term.bounds(self);
            if lo == hi {
                fixed.push(lo);
            }
        }
        fixed.sort_unstable();
        if fixed.windows(2).any(|w| w[0] == w[1]) {
            return Some(false);
        }
        (fixed.len() == terms.len()).then_some(true)
    }
}
