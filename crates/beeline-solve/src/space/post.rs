//! From forms to constraints: what must hold is taken apart and given to whoever handles it best.

use super::clause::Part;
use super::different::{Different, Matching};
use super::form::Term;
use super::form::{Form, variables};
use super::linear::{Linear, Relation};
use super::literal::{Literal, Says};
use super::table::Table;
use super::{Prop, Space, Var, When};
use crate::domain::Domain;
use crate::queue::Price;
use std::sync::Arc;

/// Terms that must differ get variables of their own up to this width.
const WIDEST_TERM: u64 = 4096;

impl Space {
    /// Adds a constraint that must hold.
    pub fn post(&mut self, form: Form) {
        let mut pending = vec![(form, true)];
        while let Some((form, wanted)) = pending.pop() {
            match (form, wanted) {
                (Form::Not(inner), _) => pending.push((*inner, !wanted)),
                (Form::And(parts), true) | (Form::Or(parts), false) => {
                    pending.extend(parts.into_iter().rev().map(|p| (p, wanted)));
                }
                (Form::And(parts), false) | (Form::Or(parts), true) => {
                    self.post_clause(parts.into_iter().map(|p| (p, wanted)).collect());
                }
                (Form::Iff(a, b), _) => self.post_iff(*a, *b, wanted),
                (Form::AllDifferent(terms), true) => self.post_different(terms),
                (Form::Table(terms, table), true) => self.post_table(terms, table),
                (form, _) => self.post_simple(form, wanted),
            }
        }
    }

    /// A comparison, or whatever is left.
    fn post_simple(&mut self, form: Form, wanted: bool) {
        if let Form::Const(b) = form
            && b == wanted
        {
            return;
        }
        if let Some(linear) = Linear::new(self, &form, wanted)
            && !linear.parts.is_empty()
        {
            self.post_linear(linear);
            return;
        }
        self.post_form(form, wanted);
    }

    fn post_linear(&mut self, linear: Linear) {
        // A single variable with holes needs to be told once.
        let once = matches!(linear.parts[..], [(_, var)] if self.domains[var].has_mask());
        let price = if linear.parts.len() <= 4 { Price::Low } else { Price::Middle };
        let (vars, when) = (linear.parts.clone(), linear.when());
        let vars = vars.iter().map(|(_, var)| *var);
        if once {
            self.install_unwatched(Prop::Linear(linear), price, vars);
        } else {
            self.install(Prop::Linear(linear), price, vars.map(|var| (var, when)));
        }
    }

    /// Any form, woken by every change.
    fn post_form(&mut self, form: Form, wanted: bool) {
        let vars = variables(&form).into_iter().map(|var| (var, When::Change));
        let size = form.size();
        let price = if size <= 16 { Price::Low } else { Price::Middle };
        self.install(Prop::Form(Box::new(form), wanted, size / 16), price, vars);
    }

    fn post_iff(&mut self, a: Form, b: Form, wanted: bool) {
        match (Literal::of(&a, true), Literal::of(&b, wanted)) {
            (Some(p), Some(q)) => {
                self.install_clause(vec![Part::Literal(p.negated()), Part::Literal(q)]);
                self.install_clause(vec![Part::Literal(p), Part::Literal(q.negated())]);
            }
            (Some(p), None) if self.post_definition(p, &b, wanted) => {}
            (None, Some(q)) => {
                // Of `b` itself: `wanted` is told anew.
                let q = if wanted { q } else { q.negated() };
                if !self.post_definition(q, &a, wanted) {
                    self.post_form(Form::Iff(Box::new(a), Box::new(b)), wanted);
                }
            }
            _ => self.post_form(Form::Iff(Box::new(a), Box::new(b)), wanted),
        }
    }

    /// A literal that says whether one of several holds, or all of them.
    fn post_definition(&mut self, literal: Literal, form: &Form, wanted: bool) -> bool {
        // p <=> (q or r); p <=> (q & r) is not p <=> (not q or not r).
        let (p, parts, inner) = match form {
            Form::Or(parts) => (if wanted { literal } else { literal.negated() }, parts, true),
            Form::And(parts) => (if wanted { literal.negated() } else { literal }, parts, false),
            _ => return false,
        };
        if parts.is_empty()
            || parts.len() < 4 && parts.iter().any(|f| Literal::of(f, inner).is_none())
        {
            return false;
        }
        let whole = parts.iter().map(|f| Part::of(f.clone(), inner));
        let whole = std::iter::once(Part::Literal(p.negated())).chain(whole).collect();
        self.install_clause(whole);
        for part in parts {
            self.install_clause(vec![Part::Literal(p), Part::of(part.clone(), !inner)]);
        }
        true
    }

    fn post_clause(&mut self, parts: Vec<(Form, bool)>) {
        let mut flat: Vec<(Form, bool)> = Vec::new();
        let mut pending = parts;
        pending.reverse();
        while let Some((form, wanted)) = pending.pop() {
            match (form, wanted) {
                (Form::Not(inner), _) => pending.push((*inner, !wanted)),
                (Form::Or(parts), true) | (Form::And(parts), false) => {
                    pending.extend(parts.into_iter().rev().map(|p| (p, wanted)));
                }
                (Form::Const(b), _) if b == wanted => return,
                (Form::Const(_), _) => {}
                other => flat.push(other),
            }
        }
        if flat.len() < 2 {
            match flat.pop() {
                // Not a clause: And and Iff may be taken apart.
                Some((form, wanted)) => self.post(if wanted { form } else { Form::not(form) }),
                None => self.post_form(Form::Const(false), true),
            }
            return;
        }
        if let Some(form) = same_variables(&flat) {
            return self.post(form);
        }
        let parts = flat.into_iter().map(|(form, wanted)| Part::of(form, wanted)).collect();
        self.install_clause(parts);
    }

    fn post_different(&mut self, terms: Vec<Term>) {
        let mut vars = Vec::with_capacity(terms.len());
        for term in &terms {
            match term {
                Term::Var(v) => vars.push(*v),
                _ => {
                    let (lo, hi) = term.bounds(self);
                    match Domain::between(lo, hi) {
                        Some(d) if hi.abs_diff(lo) < WIDEST_TERM => {
                            let var = self.var(d);
                            self.post(Form::eq(term.clone(), Term::Var(var)));
                            vars.push(var);
                        }
                        _ => return self.post_form(Form::AllDifferent(terms), true),
                    }
                }
            }
        }
        let mut sorted = vars.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) {
            return self.post_form(Form::Const(false), true);
        }
        let unfixed = self.state.reserve(&[vars.len() as u64]);
        let wakers = vars.iter().map(|v| (*v, When::Fixed));
        let different = Different { vars: vars.clone(), unfixed };
        self.install(Prop::Different(Box::new(different)), Price::Low, wakers);
        self.post_matching(vars);
    }

    /// Variables that are known to differ: how their values go together.
    pub(crate) fn post_matching(&mut self, vars: Vec<Var>) {
        if vars.len() < 3 {
            return;
        }
        let last = vars.iter().map(|v| self.domains[*v].lo()).collect();
        let matching = Matching { vars: vars.clone(), last, idle: 0, skip: 0 };
        let wakers = vars.iter().map(|v| (*v, When::Change));
        self.install(Prop::Matching(Box::new(matching)), Price::High, wakers);
    }

    pub(crate) fn post_table(&mut self, terms: Vec<Term>, table: Arc<Table>) {
        let columns: Option<Vec<(i64, Var, i64)>> = terms.iter().map(affine).collect();
        let Some(columns) = columns.filter(|c| c.len() == table.arity() && !table.is_empty())
        else {
            return self.post_form(Form::Table(terms, table), true);
        };
        let price = if table.len() <= 256 { Price::Middle } else { Price::High };
        let rows = self.rows(table, columns.clone());
        let wakers = columns.iter().map(|c| (c.1, When::Change));
        self.install(Prop::Rows(Box::new(rows)), price, wakers);
    }
}

/// A factor times a variable plus a number.
fn affine(term: &Term) -> Option<(i64, Var, i64)> {
    match term {
        Term::Var(v) => Some((1, *v, 0)),
        Term::Sum(parts, c) => match parts[..] {
            [(factor, Term::Var(v))] if factor != 0 => Some((factor, v, *c)),
            _ => None,
        },
        _ => None,
    }
}

/// A disjunction of `x = 1 & y = 2`, `x = 2 & y = 4`, ... is a table; of `x = 1`, `x = 2` a set.
fn same_variables(parts: &[(Form, bool)]) -> Option<Form> {
    let mut names: Option<Vec<Var>> = None;
    let mut flat = Vec::new();
    for (form, wanted) in parts {
        let mut row: Vec<(Var, i64)> = Vec::new();
        let conjuncts = match (form, wanted) {
            (Form::And(inner), true) | (Form::Or(inner), false) => &inner[..],
            _ => std::slice::from_ref(form),
        };
        for conjunct in conjuncts {
            let literal = Literal::of(conjunct, *wanted).filter(|l| l.says == Says::Is)?;
            row.push((literal.var, literal.value));
        }
        row.sort_unstable();
        let vars: Vec<Var> = row.iter().map(|(var, _)| *var).collect();
        if vars.windows(2).any(|w| w[0] == w[1]) || names.as_ref().is_some_and(|n| *n != vars) {
            return None;
        }
        names = Some(vars);
        flat.extend(row.iter().map(|(_, value)| *value));
    }
    let names = names?;
    let table = Table::new(names.len(), &flat);
    Some(Form::table(names.into_iter().map(Term::Var).collect(), Arc::new(table)))
}

impl Linear {
    /// Two variables that must differ.
    pub(crate) fn apart(&self) -> Option<(Var, Var)> {
        match self.parts[..] {
            [(f, x), (g, y)]
                if self.relation == Relation::Different && f + g == 0 && self.constant == 0 =>
            {
                Some((x, y))
            }
            _ => None,
        }
    }
}
