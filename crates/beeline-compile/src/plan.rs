//! The planner: from conjuncts over unknown names to a [`Query`].
//!
//! Greedy: tests as soon as their names are bound; then, of all generators that the conjuncts
//! offer, the one with the least fan-out: values first (`x = E`), small sets next, types last.
//! Which one is best is up to a [`Policy`] (`choice.rs`).

use crate::constrain::Templates;
use crate::context::Cx;
use crate::estimate::INFINITE;
use crate::frame::Frame;
use crate::names::Names;
use crate::normal::{self, lower_bound, shifted, solve_for};
use crate::outline::{PlanStep, Planned};
use crate::query::{Pattern, Query, Small, Step};
use crate::recursion::define;
use beeline_fault::{Flaw, planted};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, ConstantId, Expr, ExprKind, LocalId, Pred, PredKind, TypeId,
    UnaryOp,
};
use beeline_source::Span;
pub use choice::Policy;
use choice::{Choice, NOWHERE};
pub(crate) use figures::{Figures, Leeway, Measuring};
use std::collections::{BTreeMap, BTreeSet};

mod bounds;
mod branches;
mod choice;
mod figures;
mod late;
mod lengths;
mod offers;
mod pattern;
mod points;
mod rules;
mod unfold;

/// A name that a query looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Name {
    Local(LocalId),
    Constant(ConstantId),
}

/// One conjunct and the unknown names in it.
#[derive(Clone)]
pub(crate) struct Atom {
    pub pred: Pred,
    pub needs: BTreeSet<Name>,
    pub done: bool,
}

/// The parts of a value, before compilation.
enum Shape<'a> {
    Bind(Name),
    Check(&'a Expr),
    Pair(Box<Shape<'a>>, Box<Shape<'a>>),
    Record(Vec<Shape<'a>>),
}

/// Where real choices begin in a plan.
struct Choices {
    /// Steps before, and their outline.
    begin: usize,
    planned: usize,
    /// Candidates before.
    before: f64,
    /// What was open then, and which atoms were done.
    open: BTreeSet<Name>,
    done: Vec<bool>,
}

/// What is said about an integer, and by which atoms.
struct Bounds {
    lows: Vec<Expr>,
    highs: Vec<Expr>,
    settles: Vec<usize>,
    span: Span,
}

/// A way to bind some names.
struct Candidate {
    cost: f64,
    unbounded: bool,
    binds: BTreeSet<Name>,
    /// Atoms that need no test afterwards.
    settles: Vec<usize>,
    how: How,
}

enum How {
    /// `pattern = value`
    Value {
        pattern: Expr,
        value: Expr,
    },
    /// `f = %x.(P | … f(…) …)`
    Recursive(Vec<(ConstantId, Expr)>),
    Member {
        pattern: Expr,
        set: Expr,
    },
    /// An integer in a set, which lies between these too: should the set turn out infinite.
    Within {
        name: Name,
        set: Expr,
        lows: Vec<Expr>,
        highs: Vec<Expr>,
    },
    Subset {
        name: Name,
        set: Expr,
        span: Span,
    },
    Between {
        name: Name,
        lows: Vec<Expr>,
        highs: Vec<Expr>,
        span: Span,
    },
    Any {
        queries: Vec<Query>,
        names: Vec<Name>,
    },
    /// `a ^ b ^ … = value`
    Pieces {
        parts: Vec<Expr>,
        value: Expr,
    },
    Type(Name),
}

/// Sub-queries inside disjunctions are planned this deep.
const MAX_DEPTH: usize = 5;

/// More conjuncts than this are not all weighed against each other.
const MANY: usize = 300;

/// A name with so few values can be tried with each.
const FEW: f64 = 256.0;

/// Queries with more candidates are handed to the propagating solver.
const WORTH_SOLVING: f64 = 1_000.0;

impl Cx<'_> {
    /// Plans a query for locals.
    pub fn query(&mut self, unknowns: &[LocalId], preds: &[Pred]) -> Query {
        let names: Vec<Name> = unknowns.iter().map(|l| Name::Local(*l)).collect();
        self.query_names(&names, preds)
    }

    /// Plans a query for any names.
    pub fn query_names(&mut self, unknowns: &[Name], preds: &[Pred]) -> Query {
        let mut parts = Vec::new();
        preds.iter().for_each(|p| normal::split(p, &mut parts));
        normal::pair_implications(&mut parts);
        self.unfold(unknowns, &mut parts);
        self.plan(unknowns, parts, 0)
    }

    pub fn name_slot(&mut self, name: Name) -> usize {
        match name {
            Name::Local(l) => self.local_slot(l),
            Name::Constant(c) => self.constant_slot(c),
        }
    }

    pub fn name_type(&self, name: Name) -> TypeId {
        match name {
            Name::Local(l) => self.model.local(l).ty,
            Name::Constant(c) => self.model.constant(c).ty,
        }
    }

    /// Plans a query without the solver.
    pub fn plain_query(&mut self, unknowns: &[LocalId], parts: Vec<Pred>) -> Query {
        let names: Vec<Name> = unknowns.iter().map(|l| Name::Local(*l)).collect();
        self.plan(&names, parts, MAX_DEPTH - 1)
    }

    fn plan(&mut self, unknowns: &[Name], parts: Vec<Pred>, depth: usize) -> Query {
        // Slots exist before anything that mentions the names is compiled.
        for name in unknowns {
            self.name_slot(*name);
        }
        let all: BTreeSet<Name> = unknowns.iter().copied().collect();
        let atoms: Vec<Atom> = parts
            .into_iter()
            .map(|pred| Atom { needs: self.needs_of(&pred, &all), pred, done: false })
            .collect();
        self.plan_rest(unknowns, atoms, all, depth, depth == 0)
    }

    /// Plans what is left, with some names still open.
    fn plan_rest(
        &mut self,
        unknowns: &[Name],
        mut atoms: Vec<Atom>,
        mut open: BTreeSet<Name>,
        depth: usize,
        points: bool,
    ) -> Query {
        let mut query =
            Query { steps: Vec::new(), outline: Vec::new(), unbounded: false, fanout: 1.0 };
        // Where real choices begin: the steps before, and what was open then.
        let mut choices: Option<Choices> = None;
        loop {
            self.place_tests(&mut atoms, &open, unknowns, &mut query);
            if open.is_empty() {
                break;
            }
            let best = self.best(&atoms, &open, depth);
            if best.cost > 1.5 && choices.is_none() && !opens_domains(self, &best, &atoms, &open) {
                if points && let Some(by_points) = self.by_points(&atoms, &open) {
                    self.leeway.is_special = true;
                    let mut query =
                        self.plan_points(by_points, unknowns, atoms, open, query, depth);
                    query.outline.push(other("functions given point by point", query.fanout));
                    return query;
                }
                let done = atoms.iter().map(|a| a.done).collect();
                choices = Some(Choices {
                    begin: query.steps.len(),
                    planned: query.outline.len(),
                    before: query.fanout,
                    open: open.clone(),
                    done,
                });
            }
            self.take(best, &mut atoms, &mut open, &mut query);
        }
        if let Some(Choices { begin, planned, before, open, done }) = choices
            && depth == 0
            && (query.unbounded || query.fanout / before > WORTH_SOLVING)
            && !self.is_learned()
        {
            for (atom, done) in atoms.iter_mut().zip(done) {
                atom.done = done;
            }
            let late = self.late_names(&atoms, &open);
            let early: BTreeSet<Name> = open.difference(&late).copied().collect();
            if !early.is_empty() && early.iter().all(|n| self.has_finite_shape(self.name_type(*n)))
            {
                self.leeway.is_special = true;
                let steps = query.steps.split_off(begin);
                query.outline.truncate(planned);
                if self.outlining {
                    let wanted = |a: &&Atom| !a.done && a.needs.is_disjoint(&late);
                    let preds = atoms.iter().filter(wanted).map(|a| a.pred.clone()).collect();
                    let fanout = query.fanout / before;
                    query.outline.push(Planned { step: PlanStep::Solve(preds), fanout });
                }
                let fallback = Query {
                    steps,
                    outline: Vec::new(),
                    unbounded: query.unbounded,
                    fanout: query.fanout / before,
                };
                let problem = self.problem(&atoms, &early, &late, fallback);
                query.steps.push(Step::Solve(Box::new(problem)));
                for atom in &mut atoms {
                    atom.done |= atom.needs.is_disjoint(&late);
                }
                let rest = self.plan_rest(unknowns, atoms, late, depth, false);
                query.unbounded |= rest.unbounded;
                query.steps.extend(rest.steps);
                query.outline.extend(rest.outline);
            }
        }
        query
    }

    /// Adds the step of a candidate.
    fn take(
        &mut self,
        best: Candidate,
        atoms: &mut [Atom],
        open: &mut BTreeSet<Name>,
        query: &mut Query,
    ) {
        query.unbounded |= best.unbounded;
        query.fanout *= best.cost.max(1.0);
        for &i in &best.settles {
            atoms[i].done = true;
        }
        let small = self.small(&best.binds);
        let step = self.step(&best.how, open, small);
        if self.outlining {
            let fanout = best.cost.max(1.0);
            query.outline.push(Planned { step: outline(&best.how), fanout });
        }
        for name in &best.binds {
            open.remove(name);
        }
        let counting = self.counting(&best.how);
        let (before, after) = counting.unzip();
        query.steps.extend(before.map(Step::Test));
        match best.how {
            How::Any { queries, names } => {
                self.leeway.is_special = true;
                let slots = names.iter().map(|n| self.name_slot(*n)).collect();
                query.steps.push(Step::Any { queries, slots });
            }
            How::Recursive(definitions) => {
                for (slot, number) in self.recursions(&definitions) {
                    let value = Box::new(move |f: &mut Frame<'_>| define(f, number));
                    query.steps.push(Step::Let(Pattern::Bind(slot), value, Small::new()));
                }
            }
            _ => query.steps.extend(step),
        }
        query.steps.extend(after.map(Step::Test));
    }

    /// The unknown names in a predicate.
    fn needs_of(&self, pred: &Pred, all: &BTreeSet<Name>) -> BTreeSet<Name> {
        let names = Names::of_pred(self.model, pred);
        unknown_in(&names, all)
    }

    pub(crate) fn unknown_in_expr(&self, e: &Expr, open: &BTreeSet<Name>) -> BTreeSet<Name> {
        unknown_in(&Names::of_expr(self.model, e), open)
    }

    fn place_tests(
        &mut self,
        atoms: &mut [Atom],
        open: &BTreeSet<Name>,
        unknowns: &[Name],
        query: &mut Query,
    ) {
        for atom in atoms.iter_mut() {
            if atom.done || !atom.needs.is_disjoint(open) {
                continue;
            }
            atom.done = true;
            if self.outlining {
                let step = PlanStep::Test(atom.pred.clone());
                query.outline.push(Planned { step, fanout: 1.0 });
            }
            let test = self.pred(&atom.pred);
            if planted(Flaw::ReplanDrops) && self.measuring.is_some() {
                continue;
            }
            query.steps.push(match &atom.pred.kind {
                PredKind::Compare(CompareOp::Member, a, set)
                    if is_flat(set) && as_name(a).is_some_and(|n| unknowns.contains(&n)) =>
                {
                    let slot = as_name(a).map_or(0, |n| self.name_slot(n));
                    Step::Within(slot, self.expr(set), test, atom.pred.span)
                }
                _ => Step::Test(test),
            });
        }
    }

    fn best(&mut self, atoms: &[Atom], open: &BTreeSet<Name>, depth: usize) -> Candidate {
        let figures = self.measuring.as_ref().map(|m| m.figures.clone());
        let mut choice = Choice::new(self.settings.policy, figures);
        // Of hundreds of conjuncts any good one will do: to weigh all of them against each other for
        // each name takes longer than any order saves.
        let hasty = atoms.len() > MANY;
        for (i, _) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
            self.offers(i, atoms, open, &mut |candidate| choice.offer(i, candidate));
            if hasty
                && choice.is_good()
                && let Some(candidate) = choice.take()
            {
                return candidate;
            }
        }
        if hasty
            && choice.is_bounded()
            && let Some(candidate) = choice.take()
        {
            return candidate;
        }
        // What several atoms say together has the place of the first that speaks of the names.
        let mut together = |candidate: Candidate| {
            let speaks = |a: &Atom| !a.done && !a.needs.is_disjoint(&candidate.binds);
            choice.offer(atoms.iter().position(speaks).unwrap_or(NOWHERE), candidate);
        };
        self.intervals(atoms, open, &mut together);
        self.sequences(atoms, open, &mut together);
        self.in_both(atoms, open, &mut together);
        if !choice.is_certain()
            && let Some(group) = self.recursive_group(atoms, open)
        {
            let place = group.atoms.iter().copied().min().unwrap_or(NOWHERE);
            let candidate = Candidate {
                cost: 0.0,
                unbounded: false,
                binds: group.definitions.iter().map(|d| Name::Constant(d.0)).collect(),
                settles: group.atoms,
                how: How::Recursive(group.definitions),
            };
            choice.offer(place, candidate);
        }
        if !choice.is_good() && depth < MAX_DEPTH {
            for (i, atom) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
                if let Some(candidate) = self.branches(i, atom, open, depth) {
                    choice.offer(i, candidate);
                }
            }
        }
        if !choice.is_bounded() {
            for (i, atom) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
                self.domains(i, &atom.pred, open, &mut |candidate| choice.offer(i, candidate));
            }
        }
        for name in open {
            let size = self.type_size(self.name_type(*name));
            let candidate = Candidate {
                cost: size * 1.5 + 1.0,
                unbounded: size >= INFINITE,
                binds: BTreeSet::from([*name]),
                settles: Vec::new(),
                how: How::Type(*name),
            };
            choice.offer(NOWHERE, candidate);
        }
        self.leeway.has_rivals |= choice.has_rivals();
        // `open` is not empty, so there is a type to enumerate.
        choice.taken().unwrap_or_else(|| Candidate {
            cost: INFINITE,
            unbounded: true,
            binds: open.clone(),
            settles: Vec::new(),
            how: How::Any { queries: Vec::new(), names: Vec::new() },
        })
    }

    /// Those of the names that have few values.
    fn small(&mut self, names: &BTreeSet<Name>) -> Small {
        let few = |cx: &Self, n: &Name| cx.type_size(cx.name_type(*n)) <= FEW;
        let names: Vec<Name> = names.iter().copied().filter(|n| few(self, n)).collect();
        names.into_iter().map(|n| (self.name_slot(n), self.name_type(n))).collect()
    }

    fn step(&mut self, how: &How, open: &BTreeSet<Name>, small: Small) -> Option<Step> {
        Some(match how {
            How::Value { pattern, value } => {
                let is_constant = matches!(as_name(pattern), Some(Name::Constant(_)));
                let pattern = self.pattern(pattern, open)?;
                let value = if is_constant { self.kept_for_good(value) } else { self.kept(value) };
                Step::Let(pattern, value, small)
            }
            How::Member { pattern, set } => {
                let span = set.span;
                let pattern = self.pattern(pattern, open)?;
                Step::Each(pattern, self.expr(set), small, span)
            }
            How::Within { name, set, lows, highs } => Step::EachWithin {
                slot: self.name_slot(*name),
                set: self.expr(set),
                small,
                lows: lows.iter().map(|e| self.expr(e)).collect(),
                highs: highs.iter().map(|e| self.expr(e)).collect(),
                span: set.span,
            },
            How::Subset { name, set, span } => {
                let slot = self.name_slot(*name);
                let set = self.expr(set);
                let op = UnaryOp::Power;
                let span = *span;
                let sets = Box::new(move |f: &mut Frame<'_>| {
                    let set = set(f)?;
                    crate::operators::unary(f, op, set, span)
                });
                Step::Each(Pattern::Bind(slot), sets, small, span)
            }
            How::Between { name, lows, highs, span } => Step::Between {
                slot: self.name_slot(*name),
                lows: lows.iter().map(|e| self.expr(e)).collect(),
                highs: highs.iter().map(|e| self.expr(e)).collect(),
                span: *span,
            },
            How::Pieces { parts, value } => {
                let mut open = open.clone();
                let mut patterns = Vec::new();
                for part in parts {
                    patterns.push(self.pattern(part, &open)?);
                    if let Some(name) = as_name(part) {
                        open.remove(&name);
                    }
                }
                Step::Pieces(patterns, self.expr(value), value.span)
            }
            How::Any { .. } | How::Recursive(_) => return None,
            How::Type(name) => {
                let slot = self.name_slot(*name);
                let ty = self.name_type(*name);
                let span = match name {
                    Name::Local(l) => self.model.local(*l).span,
                    Name::Constant(c) => self.model.constant(*c).span,
                };
                let set = Box::new(move |f: &mut Frame<'_>| Ok(f.type_set(ty)));
                Step::Each(Pattern::Bind(slot), set, small, span)
            }
        })
    }
}

/// A way to bind names as data.
fn outline(how: &How) -> PlanStep {
    match how {
        How::Value { pattern, value } => {
            PlanStep::Let { pattern: pattern.clone(), value: value.clone() }
        }
        How::Member { pattern, set } => {
            PlanStep::Each { pattern: pattern.clone(), set: set.clone() }
        }
        How::Within { name: Name::Local(local), set, .. } => PlanStep::Each {
            pattern: Expr {
                kind: ExprKind::Local(*local),
                ty: beeline_model::TypeTable::INTEGER,
                span: set.span,
            },
            set: set.clone(),
        },
        How::Between { name: Name::Local(local), lows, highs, .. } => {
            PlanStep::Between { local: *local, lows: lows.clone(), highs: highs.clone() }
        }
        How::Type(Name::Local(local)) => PlanStep::Type(*local),
        How::Subset { name: Name::Local(local), set, .. } => {
            PlanStep::Subsets { local: *local, set: set.clone() }
        }
        How::Any { .. } => PlanStep::Other("alternatives, each with a plan of its own"),
        How::Recursive(_) => PlanStep::Other("recursive definitions"),
        How::Pieces { .. } => PlanStep::Other("all ways to cut a sequence into pieces"),
        _ => PlanStep::Other("constants"),
    }
}

fn other(words: &'static str, fanout: f64) -> Planned {
    Planned { step: PlanStep::Other(words), fanout }
}

/// Is this a small choice that makes the set of another name known?
///
/// Then it comes before the solver, which wants to know its sets.
fn opens_domains(cx: &Cx<'_>, best: &Candidate, atoms: &[Atom], open: &BTreeSet<Name>) -> bool {
    best.cost <= 100.0
        && !best.unbounded
        && atoms.iter().filter(|a| !a.done).any(|atom| match &atom.pred.kind {
            PredKind::Compare(CompareOp::Member | CompareOp::Subset, a, b) => {
                as_name(a).is_some_and(|n| open.contains(&n) && !best.binds.contains(&n))
                    && !cx.unknown_in_expr(b, &best.binds).is_empty()
            }
            _ => false,
        })
}

fn unknown_in(names: &Names, all: &BTreeSet<Name>) -> BTreeSet<Name> {
    // Formulas have few names, questions may have thousands.
    let locals = names.locals.iter().map(|l| Name::Local(*l));
    let constants = names.constants.iter().map(|c| Name::Constant(*c));
    locals.chain(constants).filter(|n| all.contains(n)).collect()
}

/// The name that an expression is.
pub(crate) fn as_name(e: &Expr) -> Option<Name> {
    match &e.kind {
        ExprKind::Local(l) => Some(Name::Local(*l)),
        ExprKind::Constant(c) => Some(Name::Constant(*c)),
        _ => None,
    }
}

/// Is it without a query of its own, so that it may be compiled twice?
fn is_flat(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Variable(_)
        | ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::EmptySet
        | ExprKind::Integer(_)
        | ExprKind::Local(_) => true,
        ExprKind::Unary(_, a) => is_flat(a),
        ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => is_flat(a) && is_flat(b),
        ExprKind::SetExtension(parts) => parts.iter().all(is_flat),
        _ => false,
    }
}
