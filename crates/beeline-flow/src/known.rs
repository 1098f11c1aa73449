//! What is known in a state, and what follows from it.
//!
//! Facts are taken apart into equalities ([`Terms`]), inequalities of integers ([`Sum`]), atoms, and clauses of which
//! one literal must hold. What is not understood is known by its words only.

use crate::linear::{Sum, impossible};
use crate::make;
use crate::sets;
use crate::terms::{Terms, is_integer};
use beeline_model::{CompareOp, Expr, ExprKind, Model, Pred, PredKind, Type, TypeTable};
use beeline_prove::Key;
use std::collections::HashMap;
use std::time::Instant;

/// Formulas inside formulas, and rounds of what follows, are looked at so far.
const MAX_DEPTH: u32 = 12;
/// More facts are not taken in: fewer are always right.
const MAX_FACTS: u32 = 600;

/// Facts about one state.
#[derive(Clone)]
pub(crate) struct Known<'m> {
    pub model: &'m Model,
    pub terms: Terms,
    /// `a - b <= 0`, with what must be added to `a`.
    rows: Vec<(Expr, Expr, i64)>,
    different: Vec<(Expr, Expr)>,
    clauses: Vec<Vec<(Pred, bool)>>,
    words: HashMap<Key, bool>,
    facts: u32,
    depth: u32,
    contradiction: bool,
    /// Nothing more is looked at from then on.
    until: Instant,
    /// Nor when so many formulas were.
    pub fuel: u64,
}

impl<'m> Known<'m> {
    pub fn new(model: &'m Model, until: Instant) -> Known<'m> {
        Known {
            model,
            terms: Terms::default(),
            rows: Vec::new(),
            different: Vec::new(),
            clauses: Vec::new(),
            words: HashMap::new(),
            facts: 0,
            depth: 0,
            contradiction: false,
            until,
            fuel: u64::MAX,
        }
    }

    /// The same, with another limit of time.
    pub fn until(&self, until: Instant) -> Known<'m> {
        Known { until, ..self.clone() }
    }

    fn is_late(&self) -> bool {
        self.fuel == 0 || Instant::now() > self.until
    }

    /// How many facts were taken in.
    pub fn facts(&self) -> u64 {
        u64::from(self.facts)
    }

    /// Can all of it not be true together?
    pub fn is_contradictory(&self) -> bool {
        self.contradiction || self.terms.contradiction
    }

    /// Takes in facts and all that follows from them.
    pub fn assume<'p>(&mut self, facts: impl IntoIterator<Item = &'p Pred>) {
        facts.into_iter().for_each(|p| self.add(p, true));
        self.close();
    }

    /// Is something true, or false, wherever it has a meaning?
    pub fn truth(&mut self, p: &Pred) -> Option<bool> {
        if self.depth > MAX_DEPTH || self.is_late() {
            return None;
        }
        self.fuel = self.fuel.saturating_sub(1);
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
                let said = sets::meaning(&mut self.terms, op, a, b)?;
                self.truth(&said)
            }
        }
    }

    fn atom(&mut self, id: u32) -> Option<bool> {
        [true, false].into_iter().find(|b| {
            let literal = self.literal(*b);
            self.terms.class(id) == self.terms.class(literal)
        })
    }

    fn literal(&mut self, b: bool) -> u32 {
        self.terms.term(&make::expr(ExprKind::Bool(b), TypeTable::BOOL))
    }

    fn equal(&mut self, a: &Expr, b: &Expr) -> Option<bool> {
        let (x, y) = (self.terms.term(a), self.terms.term(b));
        let (x, y) = (self.terms.class(x), self.terms.class(y));
        if x == y {
            return Some(true);
        }
        if self.terms.differ(x, y) {
            return Some(false);
        }
        for (c, d) in self.different.clone() {
            let (c, d) = (self.terms.term(&c), self.terms.term(&d));
            let (c, d) = (self.terms.class(c), self.terms.class(d));
            if (c, d) == (x, y) || (d, c) == (x, y) {
                return Some(false);
            }
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
    fn at_most(&mut self, a: &Expr, b: &Expr, slack: i64) -> Option<bool> {
        let row = self.row(a, b, slack)?;
        let opposite = Sum::number(1).plus(-1, &row)?;
        if row.parts.is_empty() {
            return Some(row.constant <= 0);
        }
        let rows = self.sums(&row);
        let cannot = |extra: Sum| impossible(&[&rows[..], &[extra]].concat());
        if cannot(opposite) {
            return Some(true);
        }
        cannot(row).then_some(false)
    }

    fn row(&mut self, a: &Expr, b: &Expr, slack: i64) -> Option<Sum> {
        let (a, b) = (self.terms.sum(a)?, self.terms.sum(b)?);
        a.plus(-1, &b)?.plus(1, &Sum::number(slack.into()))
    }

    /// All inequalities that have something to do with one, perhaps by way of others.
    fn sums(&mut self, about: &Sum) -> Vec<Sum> {
        let rows = self.rows.clone();
        let mut all: Vec<Sum> = rows.iter().filter_map(|(a, b, s)| self.row(a, b, *s)).collect();
        let mut names: std::collections::BTreeSet<u32> = about.parts.keys().copied().collect();
        let mut found = Vec::new();
        loop {
            let (with, without): (Vec<Sum>, Vec<Sum>) =
                all.into_iter().partition(|r| r.parts.keys().any(|n| names.contains(n)));
            if with.is_empty() {
                return found;
            }
            names.extend(with.iter().flat_map(|r| r.parts.keys().copied()));
            found.extend(with);
            all = without;
        }
    }

    fn add(&mut self, p: &Pred, truth: bool) {
        self.facts += 1;
        self.fuel = self.fuel.saturating_sub(1);
        let enough = self.facts > MAX_FACTS || self.depth > MAX_DEPTH || self.is_late();
        if enough || self.is_contradictory() {
            return;
        }
        self.depth += 1;
        self.add_one(p, truth);
        self.depth -= 1;
    }

    fn add_one(&mut self, p: &Pred, truth: bool) {
        let literals = |list: &[Pred], b: bool| list.iter().map(|p| (p.clone(), b)).collect();
        match &p.kind {
            PredKind::Bool(b) => self.contradiction |= *b != truth,
            PredKind::Not(p) => self.add(p, !truth),
            PredKind::And(list) if truth => list.iter().for_each(|p| self.add(p, true)),
            PredKind::Or(list) if !truth => list.iter().for_each(|p| self.add(p, false)),
            PredKind::And(list) => self.clauses.push(literals(list, false)),
            PredKind::Or(list) => self.clauses.push(literals(list, true)),
            PredKind::Implies(a, b) if truth => {
                self.clauses.push(vec![((**a).clone(), false), ((**b).clone(), true)]);
            }
            PredKind::Implies(a, b) => {
                self.add(a, true);
                self.add(b, false);
            }
            PredKind::Equivalent(a, b) => {
                let (a, b) = ((**a).clone(), (**b).clone());
                self.clauses.push(vec![(a.clone(), false), (b.clone(), truth)]);
                self.clauses.push(vec![(a, true), (b, !truth)]);
            }
            PredKind::Compare(op, a, b) => self.add_comparison(*op, a, b, truth),
            _ => {
                let known = self.words.insert(Key::pred(p), truth);
                self.contradiction |= known.is_some_and(|known| known != truth);
            }
        }
    }

    fn add_comparison(&mut self, op: CompareOp, a: &Expr, b: &Expr, truth: bool) {
        use CompareOp as C;
        self.terms.is_evaluated(a);
        self.terms.is_evaluated(b);
        let mut row = |a: &Expr, b: &Expr, slack| self.rows.push((a.clone(), b.clone(), slack));
        match (op, truth) {
            (C::Equal, true) | (C::NotEqual, false) => self.add_equal(a, b),
            (C::Equal, false) | (C::NotEqual, true) => self.add_different(a, b),
            (C::NotMember, _) => self.add_comparison(C::Member, a, b, !truth),
            (C::NotSubset, _) => self.add_comparison(C::Subset, a, b, !truth),
            (C::NotStrictSubset, _) => self.add_comparison(C::StrictSubset, a, b, !truth),
            (C::Less, true) | (C::GreaterEqual, false) => row(a, b, 1),
            (C::LessEqual, true) | (C::Greater, false) => row(a, b, 0),
            (C::Greater, true) | (C::LessEqual, false) => row(b, a, 1),
            (C::GreaterEqual, true) | (C::Less, false) => row(b, a, 0),
            _ => {
                let id = self.terms.atom(op as u32, a, b);
                let literal = self.literal(truth);
                self.terms.merge(literal, id);
                if let Some(said) = sets::meaning(&mut self.terms, op, a, b) {
                    self.add(&said, truth);
                }
            }
        }
    }

    fn add_equal(&mut self, a: &Expr, b: &Expr) {
        let (x, y) = (self.terms.term(a), self.terms.term(b));
        self.terms.merge(x, y);
        if is_integer(a) {
            self.rows.push((a.clone(), b.clone(), 0));
            self.rows.push((b.clone(), a.clone(), 0));
        }
        if let Some(said) = sets::equality(a, b) {
            self.add(&said, true);
        }
    }

    fn add_different(&mut self, a: &Expr, b: &Expr) {
        self.different.push((a.clone(), b.clone()));
        let other = |e: &Expr| match &e.kind {
            ExprKind::Bool(b) => Some(make::expr(ExprKind::Bool(!b), e.ty)),
            _ => None,
        };
        if let Some(opposite) = other(b) {
            self.add_equal(a, &opposite);
        } else if let Some(opposite) = other(a) {
            self.add_equal(b, &opposite);
        }
        if let Some(said) = sets::equality(a, b) {
            self.add(&said, false);
        }
    }

    /// What follows from clauses and differences, until nothing new does.
    fn close(&mut self) {
        for _ in 0..MAX_DEPTH {
            let before = self.facts;
            self.sharpen();
            for clause in std::mem::take(&mut self.clauses) {
                let mut left = Vec::new();
                let mut holds = false;
                for (p, b) in clause {
                    match self.truth(&p) {
                        Some(truth) => holds |= truth == b,
                        None => left.push((p, b)),
                    }
                }
                match &left[..] {
                    _ if holds => {}
                    [] => self.contradiction = true,
                    [(p, b)] => self.add(p, *b),
                    _ => self.clauses.push(left),
                }
            }
            if self.facts == before || self.is_contradictory() || self.is_late() {
                break;
            }
        }
        let rows: Vec<Sum> = {
            let rows = self.rows.clone();
            rows.iter().filter_map(|(a, b, s)| self.row(a, b, *s)).collect()
        };
        self.contradiction |= impossible(&rows);
    }

    /// Differences of integers that touch become strict; an element that is none of all but one is that.
    fn sharpen(&mut self) {
        for (a, b) in self.different.clone() {
            let (x, y) = (self.terms.term(&a), self.terms.term(&b));
            self.contradiction |= self.terms.class(x) == self.terms.class(y);
            if is_integer(&a) {
                for (low, high) in [(&a, &b), (&b, &a)] {
                    if self.at_most(low, high, 0) == Some(true)
                        && self.at_most(low, high, 1) != Some(true)
                    {
                        self.rows.push((low.clone(), high.clone(), 1));
                        self.facts += 1;
                    }
                }
            }
            self.last_element(&a);
            self.last_element(&b);
        }
    }

    fn last_element(&mut self, e: &Expr) {
        let Type::Given(set) = *self.model.types.get(e.ty) else { return };
        let Some(elements) = &self.model.set(set).elements else { return };
        if matches!(e.kind, ExprKind::Element(..)) || elements.len() > 32 {
            return;
        }
        let mut left = Vec::new();
        for at in 0..elements.len() as u32 {
            let element = make::expr(ExprKind::Element(set, at), e.ty);
            match self.equal(e, &element) {
                Some(true) => return,
                Some(false) => {}
                None => left.push(element),
            }
        }
        match &left[..] {
            [] => self.contradiction = true,
            [one] => {
                self.facts += 1;
                self.add_equal(e, one);
            }
            _ => {}
        }
    }

    /// Has a predicate a meaning for sure?
    pub fn is_defined(&mut self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::Bool(_) => true,
            PredKind::Compare(_, a, b) => self.terms.is_defined(a) && self.terms.is_defined(b),
            PredKind::Not(p) => self.is_defined(p),
            PredKind::And(list) | PredKind::Or(list) => list.iter().all(|p| self.is_defined(p)),
            PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => {
                self.is_defined(a) && self.is_defined(b)
            }
            _ => self.words.contains_key(&Key::pred(p)),
        }
    }
}
