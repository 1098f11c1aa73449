//! What is known in a state, and what follows from it.
//!
//! Facts are taken apart into equalities ([`Terms`]), inequalities of integers ([`Sum`]), atoms, and clauses of which
//! one literal must hold. What is not understood is known by its words only. `truth` answers questions, `functions`
//! says what kinds of functions mean for their parts.

mod fold;
mod functions;
mod truth;

pub(crate) use fold::fold_exprs;

use crate::linear::{Sum, impossible};
use crate::make;
use crate::sets;
use crate::terms::{Terms, is_integer};
use beeline_model::{CompareOp, Expr, ExprKind, Model, Pred, PredKind, Type};
use beeline_prove::Key;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Formulas inside formulas, and rounds of what follows, are looked at so far.
const MAX_DEPTH: u32 = 12;
/// More facts are not taken in at once: fewer are always right.
const MAX_FACTS: u32 = 600;

/// Two expressions of which something is known.
type Two = Rc<(Expr, Expr)>;

/// Facts about one state.
#[derive(Clone)]
pub(crate) struct Known<'m> {
    pub model: &'m Model,
    pub terms: Terms,
    /// `a - b <= 0`, with what must be added to `a`.
    rows: Vec<(Two, i64)>,
    /// The same as sums, as long as no classes were joined.
    sums: Rc<Vec<Sum>>,
    /// For how many rows, and after how many joins that is.
    sums_of: (usize, u32),
    different: Vec<Two>,
    /// The same as classes, and for how many of them, after how many joins that is.
    apart: Rc<FxHashSet<(u32, u32)>>,
    apart_of: (usize, u32),
    /// `a : b` and `a <: b`, for what follows from one to the next.
    members: Vec<Two>,
    subsets: Vec<Two>,
    clauses: Vec<Rc<Vec<(Pred, bool)>>>,
    words: FxHashMap<Key, bool>,
    facts: u32,
    most_facts: u32,
    depth: u32,
    /// Inclusions that are being followed.
    chain: u32,
    contradiction: bool,
    /// Steps of work that are left; nothing more is looked at without them.
    steps: u64,
}

impl<'m> Known<'m> {
    pub fn new(model: &'m Model, steps: u64) -> Known<'m> {
        Known {
            model,
            terms: Terms::default(),
            rows: Vec::new(),
            sums: Rc::default(),
            sums_of: (0, 0),
            different: Vec::new(),
            apart: Rc::default(),
            apart_of: (0, 0),
            members: Vec::new(),
            subsets: Vec::new(),
            clauses: Vec::new(),
            words: FxHashMap::default(),
            facts: 0,
            most_facts: MAX_FACTS,
            depth: 0,
            chain: 0,
            contradiction: false,
            steps,
        }
    }

    /// The same, with this many steps of work from now on.
    pub fn with(&self, steps: u64) -> Known<'m> {
        let mut known = self.clone();
        known.terms.work = 0;
        (known.steps, known.most_facts) = (steps, known.facts + MAX_FACTS);
        known
    }

    /// Were all steps used up? Then less may be known than could be.
    pub fn is_out_of_steps(&self) -> bool {
        self.terms.work > self.steps
    }

    /// How many steps are left.
    pub fn steps_left(&self) -> u64 {
        self.steps.saturating_sub(self.terms.work)
    }

    /// How many facts were taken in.
    pub fn facts(&self) -> u64 {
        u64::from(self.facts)
    }

    fn pay(&mut self, steps: usize) {
        self.terms.work += steps as u64;
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

    fn add(&mut self, p: &Pred, truth: bool) {
        self.facts += 1;
        let enough =
            self.facts > self.most_facts || self.depth > MAX_DEPTH || self.is_out_of_steps();
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
            PredKind::And(list) => self.clause(literals(list, false)),
            PredKind::Or(list) => self.clause(literals(list, true)),
            PredKind::Implies(a, b) if truth => {
                self.clause(vec![((**a).clone(), false), ((**b).clone(), true)]);
            }
            PredKind::Implies(a, b) => {
                self.add(a, true);
                self.add(b, false);
            }
            PredKind::Equivalent(a, b) => {
                let (a, b) = ((**a).clone(), (**b).clone());
                self.clause(vec![(a.clone(), false), (b.clone(), truth)]);
                self.clause(vec![(a, true), (b, !truth)]);
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
        let mut row = |a: &Expr, b: &Expr, slack| self.rows.push((two(a, b), slack));
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
                match (op, truth) {
                    (C::Member, true) => self.add_member(a, b),
                    (C::Subset, true) => self.subsets.push(two(a, b)),
                    _ => {}
                }
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
            self.rows.push((two(a, b), 0));
            self.rows.push((two(b, a), 0));
        }
        if let Some(said) = sets::equality(a, b) {
            self.add(&said, true);
        }
    }

    fn add_different(&mut self, a: &Expr, b: &Expr) {
        self.different.push(two(a, b));
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

    fn clause(&mut self, literals: Vec<(Pred, bool)>) {
        self.clauses.push(Rc::new(literals));
    }

    /// What follows from clauses, kinds of functions and differences, until nothing new does.
    fn close(&mut self) {
        for _ in 0..MAX_DEPTH {
            let before = (self.facts, self.terms.merges);
            self.sharpen();
            self.apply_kinds();
            for clause in std::mem::take(&mut self.clauses) {
                self.unit(clause);
            }
            let same = before == (self.facts, self.terms.merges);
            if same || self.is_contradictory() || self.is_out_of_steps() {
                break;
            }
        }
        let rows = self.all_sums();
        self.pay(rows.len());
        self.contradiction |= impossible(&rows);
    }

    /// Looks at a clause again: one literal that is left must hold.
    fn unit(&mut self, clause: Rc<Vec<(Pred, bool)>>) {
        let mut open = Vec::new();
        for (at, (p, b)) in clause.iter().enumerate() {
            match self.truth(p) {
                Some(truth) if truth == *b => return,
                Some(_) => {}
                None => open.push(at),
            }
        }
        match &open[..] {
            [] => self.contradiction = true,
            [one] => {
                let (p, b) = &clause[*one];
                self.add(p, *b);
            }
            _ if open.len() == clause.len() => self.clauses.push(clause),
            _ => {
                let left = open.iter().map(|at| clause[*at].clone()).collect();
                self.clauses.push(Rc::new(left));
            }
        }
    }

    /// Differences of integers that touch become strict; an element that is none of all but one is that.
    fn sharpen(&mut self) {
        for at in 0..self.different.len() {
            if self.is_out_of_steps() {
                return;
            }
            let pair = self.different[at].clone();
            let (a, b) = &*pair;
            let (x, y) = (self.terms.term(a), self.terms.term(b));
            self.contradiction |= self.terms.class(x) == self.terms.class(y);
            if is_integer(a) {
                for (low, high) in [(a, b), (b, a)] {
                    if self.at_most(low, high, 0) == Some(true)
                        && self.at_most(low, high, 1) != Some(true)
                    {
                        self.rows.push((two(low, high), 1));
                        self.facts += 1;
                    }
                }
            }
            self.last_element(a);
            self.last_element(b);
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
}

fn two(a: &Expr, b: &Expr) -> Two {
    Rc::new((a.clone(), b.clone()))
}
