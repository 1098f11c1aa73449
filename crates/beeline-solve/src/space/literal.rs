//! The smallest truths: a variable against a number.

use super::form::Form;
use super::form::Term;
use super::{Conflict, Space, Var};
use crate::domain::Domain;

/// What is said of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Is,
    IsNot,
    AtMost,
    Above,
}

/// A variable against a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub var: Var,
    pub says: Says,
    pub value: i64,
}

impl Literal {
    /// The literal that a form is, if it is one.
    pub(crate) fn of(form: &Form, wanted: bool) -> Option<Literal> {
        let literal = match form {
            Form::Not(inner) => return Literal::of(inner, !wanted),
            Form::Eq(Term::Var(v), Term::Const(c)) | Form::Eq(Term::Const(c), Term::Var(v)) => {
                Literal { var: *v, says: Says::Is, value: *c }
            }
            Form::Le(Term::Var(v), Term::Const(c)) => {
                Literal { var: *v, says: Says::AtMost, value: *c }
            }
            Form::Le(Term::Const(c), Term::Var(v)) if *c > i64::MIN => {
                Literal { var: *v, says: Says::Above, value: c - 1 }
            }
            _ => return None,
        };
        Some(if wanted { literal } else { literal.negated() })
    }

    /// The form it is, and whether it must hold.
    pub(crate) fn as_form(self) -> (Form, bool) {
        let (var, value) = (Term::Var(self.var), Term::Const(self.value));
        match self.says {
            Says::Is => (Form::Eq(var, value), true),
            Says::IsNot => (Form::Eq(var, value), false),
            Says::AtMost => (Form::Le(var, value), true),
            Says::Above => (Form::Le(var, value), false),
        }
    }

    pub(crate) fn negated(self) -> Literal {
        let says = match self.says {
            Says::Is => Says::IsNot,
            Says::IsNot => Says::Is,
            Says::AtMost => Says::Above,
            Says::Above => Says::AtMost,
        };
        Literal { says, ..self }
    }

    /// Can it no longer hold?
    #[inline]
    pub(crate) fn is_false(self, d: &Domain) -> bool {
        match self.says {
            Says::Is => !d.contains(self.value),
            Says::IsNot => d.is_fixed() && d.lo() == self.value,
            Says::AtMost => d.lo() > self.value,
            Says::Above => d.hi() <= self.value,
        }
    }

    /// What is certain.
    #[inline]
    pub(crate) fn truth(self, d: &Domain) -> Option<bool> {
        if self.is_false(d) {
            Some(false)
        } else if self.negated().is_false(d) {
            Some(true)
        } else {
            None
        }
    }
}

impl Space {
    pub(crate) fn force_literal(&mut self, literal: Literal) -> Result<(), Conflict> {
        let d = &self.domains[literal.var];
        let new = match literal.says {
            Says::Is => d.only(literal.value),
            Says::IsNot => return self.remove(literal.var, literal.value),
            Says::AtMost => d.clamp(i64::MIN, literal.value),
            Says::Above => match literal.value.checked_add(1) {
                Some(least) => d.clamp(least, i64::MAX),
                None => None,
            },
        };
        self.narrow(literal.var, new)
    }
}
