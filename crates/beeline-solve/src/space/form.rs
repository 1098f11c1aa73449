//! Constraints: how truths move through connectives.

use super::Var;
use super::table::Table;
use std::sync::Arc;

mod term;

pub use term::Term;

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

/// The variables of a form, each once.
pub(crate) fn variables(form: &Form) -> Vec<Var> {
    let mut vars = Vec::new();
    form.vars(&mut vars);
    vars.sort_unstable();
    vars.dedup();
    vars
}
