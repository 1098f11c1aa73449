//! Questions about what is known: is it true, is it false, has it a meaning?

use super::{Known, MAX_DEPTH};
use crate::linear::{Sum, impossible};
use crate::make;
use crate::sets;
use crate::terms::is_integer;
use beeline_model::{BinaryOp, CompareOp, Expr, ExprKind, Pred, PredKind, TypeTable};
use beeline_prove::Key;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Known<'_> {
    /// Is something true, or false, wherever it has a meaning?
    pub fn truth(&mut self, p: &Pred) -> Option<bool> {
        if self.depth > MAX_DEPTH || self.is_out_of_steps() {
            return None;
        }
        self.depth += 1;
        let truth = self.truth_of(p);
        self.depth -= 1;
        truth
    }

    fn truth_of(&mut self, p: &Pred) -> Option<bool> {
        match &p.kind {
            PredKind::Bool(b) => Some(*b),
            PredKind::Not(p) => self.truth(p).map(|b| !b),
            PredKind::And(list) => self.all(list, true),
            PredKind::Or(list) => self.all(list, false),
            PredKind::Implies(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            PredKind::Equivalent(a, b) => Some(self.truth(a)? == self.truth(b)?),
            PredKind::Compare(op, a, b) => self.comparison(*op, a, b),
            // Every type has an element, so that what holds of whatever is named holds of something.
            PredKind::Exists(_, body) | PredKind::Forall(_, body) => match self.truth(body) {
                None => self.words.get(&Key::pred(p)).copied(),
                known => known,
            },
            PredKind::If(c, a, b) => match self.truth(c) {
                Some(true) => self.truth(a),
                Some(false) => self.truth(b),
                None => self.words.get(&Key::pred(p)).copied(),
            },
            _ => self.words.get(&Key::pred(p)).copied(),
        }
    }

    /// Of a conjunction (`kind`) or disjunction.
    fn all(&mut self, list: &[Pred], kind: bool) -> Option<bool> {
        let mut sure = true;
        for p in list {
            match self.truth(p) {
                Some(b) if b != kind => return Some(!kind),
                Some(_) => {}
                None => sure = false,
            }
        }
        sure.then_some(kind)
    }

    fn comparison(&mut self, op: CompareOp, a: &Expr, b: &Expr) -> Option<bool> {
        use CompareOp as C;
        match op {
            C::Equal => self.equal(a, b),
            C::NotEqual => self.equal(a, b).map(|b| !b),
            C::NotMember => self.comparison(C::Member, a, b).map(|b| !b),
            C::NotSubset => self.comparison(C::Subset, a, b).map(|b| !b),
            C::NotStrictSubset => self.comparison(C::StrictSubset, a, b).map(|b| !b),
            C::Less => self.at_most(a, b, 1),
            C::LessEqual => self.at_most(a, b, 0),
            C::Greater => self.at_most(b, a, 1),
            C::GreaterEqual => self.at_most(b, a, 0),
            _ => {
                let id = self.terms.atom(op as u32, a, b);
                if let Some(truth) = self.atom(id) {
                    return Some(truth);
                }
                if let Some(said) = sets::meaning(&mut self.terms, op, a, b)
                    && let Some(truth) = self.truth(&said)
                {
                    return Some(truth);
                }
                self.by_steps(op, a, b)
            }
        }
    }

    pub(super) fn atom(&mut self, id: u32) -> Option<bool> {
        [true, false].into_iter().find(|b| {
            let literal = self.literal(*b);
            self.terms.class(id) == self.terms.class(literal)
        })
    }

    pub(super) fn literal(&mut self, b: bool) -> u32 {
        self.terms.term(&make::expr(ExprKind::Bool(b), TypeTable::BOOL))
    }

    pub(super) fn equal(&mut self, a: &Expr, b: &Expr) -> Option<bool> {
        let (x, y) = (self.terms.term(a), self.terms.term(b));
        let (x, y) = (self.terms.class(x), self.terms.class(y));
        if x == y {
            return Some(true);
        }
        if self.terms.differ(x, y) {
            return Some(false);
        }
        if self.apart().contains(&(x.min(y), x.max(y))) {
            return Some(false);
        }
        if is_integer(a) {
            return match (self.at_most(a, b, 0), self.at_most(b, a, 0)) {
                (Some(true), Some(true)) => Some(true),
                (Some(false), _) | (_, Some(false)) => Some(false),
                _ => None,
            };
        }
        let said = sets::equality(a, b)?;
        self.truth(&said)
    }

    /// `a + slack <= b`
    pub(super) fn at_most(&mut self, a: &Expr, b: &Expr, slack: i64) -> Option<bool> {
        let row = self.row(a, b, slack)?;
        let opposite = Sum::number(1).plus(-1, &row)?;
        if row.parts.is_empty() {
            return Some(row.constant <= 0);
        }
        let mut rows = self.about(&row);
        rows.extend(self.remainders(a));
        rows.extend(self.remainders(b));
        self.pay(rows.len() * rows.len() / 4 + 1);
        let cannot = |extra: Sum| impossible(&[&rows[..], &[extra]].concat());
        if cannot(opposite) {
            return Some(true);
        }
        cannot(row).then_some(false)
    }

    pub(super) fn row(&mut self, a: &Expr, b: &Expr, slack: i64) -> Option<Sum> {
        let (a, b) = (self.terms.sum(a)?, self.terms.sum(b)?);
        a.plus(-1, &b)?.plus(1, &Sum::number(slack.into()))
    }

    /// All inequalities as sums.
    pub(super) fn all_sums(&mut self) -> Rc<Vec<Sum>> {
        let now = (self.rows.len(), self.terms.merges);
        if self.sums_of != now {
            let from = if self.sums_of.1 == now.1 { self.sums_of.0 } else { 0 };
            let mut sums = if from == 0 { Vec::new() } else { (*self.sums).clone() };
            for at in from..self.rows.len() {
                let (pair, slack) = self.rows[at].clone();
                sums.extend(self.row(&pair.0, &pair.1, slack));
            }
            (self.sums, self.sums_of) = (Rc::new(sums), now);
        }
        self.sums.clone()
    }

    /// `0 <= n mod d` and `n mod d < d`, if that is what it is, and has a meaning.
    fn remainders(&mut self, e: &Expr) -> Vec<Sum> {
        let ExprKind::Binary(BinaryOp::Modulo, _, d) = &e.kind else { return Vec::new() };
        if !self.terms.is_evaluated_before(e) {
            return Vec::new();
        }
        [self.row(&make::integer(0), e, 0), self.row(e, d, 1)].into_iter().flatten().collect()
    }

    /// Pairs of classes that differ, the smaller one first.
    fn apart(&mut self) -> Rc<FxHashSet<(u32, u32)>> {
        let now = (self.different.len(), self.terms.merges);
        if self.apart_of != now {
            let mut apart = FxHashSet::default();
            for at in 0..self.different.len() {
                let pair = self.different[at].clone();
                let (a, b) = (self.terms.term(&pair.0), self.terms.term(&pair.1));
                let (a, b) = (self.terms.class(a), self.terms.class(b));
                apart.insert((a.min(b), a.max(b)));
            }
            (self.apart, self.apart_of) = (Rc::new(apart), now);
        }
        self.apart.clone()
    }

    /// All inequalities that have something to do with one, perhaps by way of others.
    fn about(&mut self, about: &Sum) -> Vec<Sum> {
        let all = self.all_sums();
        self.pay(all.len());
        let mut waiting: Vec<&Sum> = all.iter().collect();
        let mut names: BTreeSet<u32> = about.parts.keys().copied().collect();
        let mut found = Vec::new();
        loop {
            let (with, without): (Vec<&Sum>, Vec<&Sum>) =
                waiting.into_iter().partition(|r| r.parts.keys().any(|n| names.contains(n)));
            if with.is_empty() {
                return found;
            }
            names.extend(with.iter().flat_map(|r| r.parts.keys().copied()));
            found.extend(with.into_iter().cloned());
            waiting = without;
        }
    }

    /// Has a predicate a meaning for sure?
    pub fn is_defined(&mut self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::Bool(_) => true,
            PredKind::Compare(_, a, b) => self.is_defined_expr(a) && self.is_defined_expr(b),
            PredKind::Not(p) => self.is_defined(p),
            PredKind::And(list) | PredKind::Or(list) => list.iter().all(|p| self.is_defined(p)),
            PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => {
                self.is_defined(a) && self.is_defined(b)
            }
            PredKind::Exists(_, body) | PredKind::Forall(_, body) => {
                self.words.contains_key(&Key::pred(p)) || self.is_defined(body)
            }
            _ => self.words.contains_key(&Key::pred(p)),
        }
    }

    /// Has an expression a meaning for sure?
    pub fn is_defined_expr(&mut self, e: &Expr) -> bool {
        if self.terms.is_evaluated_before(e) {
            return true;
        }
        let parts = match &e.kind {
            ExprKind::Apply(f, x) => self.is_in_domain(f, x),
            ExprKind::Binary(BinaryOp::Divide, _, d) => {
                self.at_most(&make::integer(0), d, 1) == Some(true)
                    || self.at_most(d, &make::integer(0), 1) == Some(true)
            }
            // In B only numbers from 0 on have a remainder, by one from 1 on.
            ExprKind::Binary(BinaryOp::Modulo, n, d) => {
                self.at_most(&make::integer(0), n, 0) == Some(true)
                    && self.at_most(&make::integer(0), d, 1) == Some(true)
            }
            _ => crate::terms::total(e),
        };
        if !parts {
            return false;
        }
        let mut inner = Vec::new();
        e.parts(&mut |part| {
            if let beeline_model::Part::Expr(part) = part {
                inner.push(part.clone());
            }
        });
        inner.iter().all(|part| self.is_defined_expr(part))
    }
}
