//! The planner: from conjuncts over unknown names to a [`Query`].
//!
//! Greedy: tests as soon as their names are bound; then, of all generators that the conjuncts
//! offer, the one with the least fan-out: values first (`x = E`), small sets next, types last.

use crate::constrain::Templates;
use crate::context::Cx;
use crate::estimate::INFINITE;
use crate::frame::Frame;
use crate::names::Names;
use crate::normal::{self, lower_bound, shifted, solve_for};
use crate::outline::{PlanStep, Planned};
use crate::query::{Pattern, Query, Small, Step};
use crate::recursion::define;
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, ConstantId, Expr, ExprKind, LocalId, Pred, PredKind, TypeId,
    UnaryOp,
};
use beeline_source::Span;
use std::collections::{BTreeMap, BTreeSet};

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

/// A function with a known domain and some known values.
struct ByPoints {
    name: Name,
    domain: Expr,
    points: Vec<(Expr, Expr)>,
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
    Type(Name),
}

/// Sub-queries inside disjunctions are planned this deep.
const MAX_DEPTH: usize = 5;

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
        {
            for (atom, done) in atoms.iter_mut().zip(done) {
                atom.done = done;
            }
            let late = self.late_names(&atoms, &open);
            let early: BTreeSet<Name> = open.difference(&late).copied().collect();
            if !early.is_empty() && early.iter().all(|n| self.has_finite_shape(self.name_type(*n)))
            {
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
        match best.how {
            How::Any { queries, names } => {
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
    }

    /// Names whose value is computed from others (`x = E`) in a way that the solver has no form
    /// for: they are computed when it has found the others.
    fn late_names(&mut self, atoms: &[Atom], open: &BTreeSet<Name>) -> BTreeSet<Name> {
        let mut late = BTreeSet::new();
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { continue };
            for (side, value) in [(a, b), (b, a)] {
                let Some(name) = as_name(side).filter(|n| open.contains(n)) else { continue };
                let needs = self.unknown_in_expr(value, open);
                if needs.contains(&name) || needs.iter().any(|n| late.contains(n)) {
                    continue;
                }
                if !self.has_finite_shape(self.name_type(name))
                    || Templates::new(self, open).term(value).is_none()
                {
                    late.insert(name);
                }
            }
        }
        self.sets_within_others(atoms, open, &mut late);
        late
    }

    /// Sets and functions of which nothing is known but that they are within something that other
    /// names determine: first the others.
    fn sets_within_others(&self, atoms: &[Atom], open: &BTreeSet<Name>, late: &mut BTreeSet<Name>) {
        for &name in open {
            let is_set =
                matches!(self.model.types.get(self.name_type(name)), beeline_model::Type::Power(_));
            if !is_set || late.contains(&name) {
                continue;
            }
            let sources: Vec<BTreeSet<Name>> = atoms
                .iter()
                .filter(|a| !a.done)
                .filter_map(|atom| match &atom.pred.kind {
                    PredKind::Compare(CompareOp::Member | CompareOp::Subset, a, set)
                        if as_name(a) == Some(name) =>
                    {
                        Some(self.unknown_in_expr(set, open))
                    }
                    _ => None,
                })
                .collect();
            let free = |needs: &BTreeSet<Name>| !needs.contains(&name) && needs.is_disjoint(late);
            if !sources.is_empty()
                && sources.iter().all(|needs| !needs.is_empty())
                && sources.iter().any(free)
            {
                late.insert(name);
            }
        }
    }

    /// Functions that are given point by point: `f : A --> B & f(a) = 1 & f(b) = 2 …`
    fn by_points(&self, atoms: &[Atom], open: &BTreeSet<Name>) -> Option<Vec<ByPoints>> {
        let mut found: Vec<ByPoints> = Vec::new();
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { continue };
            if let Some(name) = as_name(a).filter(|n| open.contains(n))
                && let ExprKind::Binary(op, domain, _) = &b.kind
                && crate::spaces::arrow(*op as usize).is_some_and(|arrow| arrow.total)
                && self.unknown_in_expr(domain, open).is_empty()
                && found.iter().all(|f| f.name != name)
            {
                let domain = (**domain).clone();
                found.push(ByPoints { name, domain, points: Vec::new() });
            }
        }
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { continue };
            for (place, value) in [(a, b), (b, a)] {
                if let ExprKind::Apply(function, key) = &place.kind
                    && let Some(name) = as_name(function)
                    && let Some(row) = found.iter_mut().find(|f| f.name == name)
                    && self.unknown_in_expr(key, open).is_empty()
                    && self.unknown_in_expr(value, open).is_empty()
                {
                    row.points.push(((**key).clone(), (**value).clone()));
                }
            }
        }
        found.retain(|f| !f.points.is_empty());
        (!found.is_empty()).then_some(found)
    }

    /// Two plans: one for when the points cover the domains, one for when they do not.
    fn plan_points(
        &mut self,
        functions: Vec<ByPoints>,
        unknowns: &[Name],
        atoms: Vec<Atom>,
        open: BTreeSet<Name>,
        mut query: Query,
        depth: usize,
    ) -> Query {
        let mut left = open.clone();
        let mut compiled = Vec::new();
        for function in functions {
            left.remove(&function.name);
            let points =
                function.points.iter().map(|(k, v)| (self.kept(k), self.kept(v))).collect();
            let domain = self.kept(&function.domain);
            compiled.push((self.name_slot(function.name), domain, points));
        }
        let covered = self.plan_rest(unknowns, atoms.clone(), left, depth, true);
        let otherwise = self.plan_rest(unknowns, atoms, open, depth, false);
        query.unbounded |= otherwise.unbounded;
        query.fanout *= otherwise.fanout;
        query.steps.push(Step::Points { functions: compiled, covered, otherwise });
        query
    }

    /// Can values of this type be taken apart into integers?
    fn has_finite_shape(&self, ty: TypeId) -> bool {
        use beeline_model::Type;
        match self.model.types.get(ty) {
            Type::Bool | Type::Integer | Type::Given(_) => true,
            Type::Pair(a, b) => self.has_finite_shape(*a) && self.has_finite_shape(*b),
            Type::Power(of) => self.has_finite_shape(*of),
            _ => false,
        }
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
            query.steps.push(match &atom.pred.kind {
                PredKind::Compare(CompareOp::Member, a, set)
                    if as_name(a).is_some_and(|n| unknowns.contains(&n)) && is_flat(set) =>
                {
                    let slot = as_name(a).map_or(0, |n| self.name_slot(n));
                    Step::Within(slot, self.expr(set), test, atom.pred.span)
                }
                _ => Step::Test(test),
            });
        }
    }

    fn best(&mut self, atoms: &[Atom], open: &BTreeSet<Name>, depth: usize) -> Candidate {
        let mut best: Option<Candidate> = None;
        let mut offer = |candidate: Candidate| {
            if best.as_ref().is_none_or(|b| candidate.cost < b.cost) {
                best = Some(candidate);
            }
        };
        for (i, atom) in atoms.iter().enumerate() {
            if !atom.done {
                self.offers(i, atom, open, &mut offer);
            }
        }
        self.intervals(atoms, open, &mut offer);
        self.sequences(atoms, open, &mut offer);
        if best.as_ref().is_none_or(|b| b.cost > 0.0)
            && let Some(group) = self.recursive_group(atoms, open)
        {
            best = Some(Candidate {
                cost: 0.0,
                unbounded: false,
                binds: group.definitions.iter().map(|d| Name::Constant(d.0)).collect(),
                settles: group.atoms,
                how: How::Recursive(group.definitions),
            });
        }
        if best.as_ref().is_none_or(|b| b.cost > 20.0) && depth < MAX_DEPTH {
            for (i, atom) in atoms.iter().enumerate() {
                if !atom.done
                    && let Some(candidate) = self.branches(i, atom, open, depth)
                    && best.as_ref().is_none_or(|b| candidate.cost < b.cost)
                {
                    best = Some(candidate);
                }
            }
        }
        if best.as_ref().is_none_or(|b| b.unbounded) {
            for (i, atom) in atoms.iter().enumerate() {
                if !atom.done {
                    self.domains(i, &atom.pred, open, &mut |candidate| {
                        if best.as_ref().is_none_or(|b| candidate.cost < b.cost) {
                            best = Some(candidate);
                        }
                    });
                }
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
            if best.as_ref().is_none_or(|b| candidate.cost < b.cost) {
                best = Some(candidate);
            }
        }
        match best {
            Some(best) => best,
            // `open` is not empty, so there is a type to enumerate.
            None => Candidate {
                cost: INFINITE,
                unbounded: true,
                binds: open.clone(),
                settles: Vec::new(),
                how: How::Any { queries: Vec::new(), names: Vec::new() },
            },
        }
    }

    /// What one atom offers.
    fn offers(
        &self,
        index: usize,
        atom: &Atom,
        open: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let PredKind::Compare(op, a, b) = &atom.pred.kind else {
            return;
        };
        match op {
            CompareOp::Equal => {
                for (pattern, value) in [(a, b), (b, a)] {
                    if self.unknown_in_expr(value, open).is_empty()
                        && let Some(binds) = self.pattern_binds(pattern, open)
                    {
                        offer(Candidate {
                            cost: 0.0,
                            unbounded: false,
                            binds,
                            settles: vec![index],
                            how: How::Value {
                                pattern: (**pattern).clone(),
                                value: (**value).clone(),
                            },
                        });
                    }
                }
                let has = |e: &Expr| !self.unknown_in_expr(e, open).is_empty();
                if a.ty == beeline_model::TypeTable::INTEGER
                    && let Some(solved) = solve_for(*op, a, b, &has)
                    && let Some(binds) = self.pattern_binds(&solved.name, open)
                {
                    offer(Candidate {
                        cost: 0.5,
                        unbounded: false,
                        binds,
                        settles: vec![index],
                        how: How::Value { pattern: solved.name, value: solved.other },
                    });
                }
            }
            CompareOp::Member => {
                if self.unknown_in_expr(b, open).is_empty()
                    && let Some(binds) = self.pattern_binds(a, open)
                {
                    let mut cost = self.set_size(b).max(1.0);
                    let keyed = matches!(&a.kind, ExprKind::Binary(BinaryOp::Pair, l, _)
                        if self.unknown_in_expr(l, open).is_empty());
                    let unbounded = !keyed && self.is_infinite_set(b);
                    if keyed {
                        cost = cost.min(1.5);
                    } else if unbounded {
                        cost = INFINITE;
                    }
                    offer(Candidate {
                        cost,
                        unbounded,
                        binds,
                        settles: vec![index],
                        how: How::Member { pattern: (**a).clone(), set: (**b).clone() },
                    });
                }
            }
            CompareOp::Subset | CompareOp::StrictSubset => {
                if self.unknown_in_expr(b, open).is_empty()
                    && let Some(name) = as_name(a)
                    && open.contains(&name)
                {
                    offer(Candidate {
                        cost: self.set_size(b).exp2().clamp(2.0, INFINITE),
                        unbounded: self.is_infinite_set(b),
                        binds: BTreeSet::from([name]),
                        settles: if *op == CompareOp::Subset { vec![index] } else { Vec::new() },
                        how: How::Subset { name, set: (**b).clone(), span: atom.pred.span },
                    });
                }
            }
            _ => {}
        }
    }

    /// Is a set expression plainly infinite?
    fn is_infinite_set(&self, e: &Expr) -> bool {
        use BinaryOp as B;
        match &e.kind {
            ExprKind::Basic(set) => {
                !matches!(set, BasicSet::Bool | BasicSet::Int | BasicSet::Nat | BasicSet::Nat1)
            }
            ExprKind::Function(_) => true,
            ExprKind::Unary(op, a) => match op {
                UnaryOp::Power
                | UnaryOp::Power1
                | UnaryOp::Finite
                | UnaryOp::Finite1
                | UnaryOp::Iseq
                | UnaryOp::Iseq1
                | UnaryOp::Perm => self.is_infinite_set(a),
                UnaryOp::Seq | UnaryOp::Seq1 => true,
                _ => false,
            },
            ExprKind::Binary(op, a, b) => match op {
                B::Union => self.is_infinite_set(a) || self.is_infinite_set(b),
                B::Difference => self.is_infinite_set(a),
                B::Intersection => self.is_infinite_set(a) && self.is_infinite_set(b),
                B::Cartesian => self.is_infinite_set(a) || self.is_infinite_set(b),
                op if crate::spaces::arrow(*op as usize).is_some() => {
                    self.is_infinite_set(a) || self.is_infinite_set(b)
                }
                _ => false,
            },
            ExprKind::RecordSet(sets) => sets.iter().any(|s| self.is_infinite_set(s)),
            _ => false,
        }
    }

    /// The names a pattern binds; nothing if it is no pattern, or binds nothing.
    pub(crate) fn pattern_binds(&self, e: &Expr, open: &BTreeSet<Name>) -> Option<BTreeSet<Name>> {
        let mut binds = BTreeSet::new();
        self.shape(e, open, &mut binds)?;
        (!binds.is_empty()).then_some(binds)
    }

    fn shape<'e>(
        &self,
        e: &'e Expr,
        open: &BTreeSet<Name>,
        binds: &mut BTreeSet<Name>,
    ) -> Option<Shape<'e>> {
        if let Some(name) = as_name(e)
            && open.contains(&name)
            && binds.insert(name)
        {
            return Some(Shape::Bind(name));
        }
        let unknown = self.unknown_in_expr(e, open);
        // What the pattern itself has bound further left may be used.
        if unknown.iter().all(|n| binds.contains(n)) {
            return Some(Shape::Check(e));
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let left = self.shape(a, open, binds)?;
                let right = self.shape(b, open, binds)?;
                Some(Shape::Pair(Box::new(left), Box::new(right)))
            }
            ExprKind::Record(fields) => {
                let parts: Option<Vec<_>> =
                    fields.iter().map(|f| self.shape(f, open, binds)).collect();
                Some(Shape::Record(parts?))
            }
            _ => None,
        }
    }

    pub(crate) fn pattern(&mut self, e: &Expr, open: &BTreeSet<Name>) -> Option<Pattern> {
        let shape = self.shape(e, open, &mut BTreeSet::new())?;
        Some(self.compile_shape(shape))
    }

    fn compile_shape(&mut self, shape: Shape<'_>) -> Pattern {
        match shape {
            Shape::Bind(name) => Pattern::Bind(self.name_slot(name)),
            Shape::Check(e) => Pattern::Check(self.kept(e), e.span),
            Shape::Pair(a, b) => {
                let (a, b) = (self.compile_shape(*a), self.compile_shape(*b));
                Pattern::Pair(Box::new(a), Box::new(b))
            }
            Shape::Record(parts) => {
                Pattern::Record(parts.into_iter().map(|p| self.compile_shape(p)).collect())
            }
        }
    }

    /// Integers between bounds that comparisons give.
    /// What atoms say directly about an integer.
    fn bounds_of(&self, name: Name, atoms: &[Atom], open: &BTreeSet<Name>) -> Bounds {
        use CompareOp as C;
        let has = |e: &Expr| !self.unknown_in_expr(e, open).is_empty();
        let (mut lows, mut highs, mut settles) = (Vec::new(), Vec::new(), Vec::new());
        let mut span = Span::NONE;
        for (i, atom) in atoms.iter().enumerate() {
            let PredKind::Compare(op, a, b) = &atom.pred.kind else {
                continue;
            };
            if atom.done || !atom.needs.contains(&name) {
                continue;
            }
            if *op == C::Member {
                if as_name(a) != Some(name) {
                    continue;
                }
                match &b.kind {
                    ExprKind::Basic(set) if lower_bound(*set).is_some() => {
                        lows.push(normal::integer(lower_bound(*set).unwrap_or(0), a));
                        settles.push(i);
                    }
                    ExprKind::Basic(BasicSet::Integer) => settles.push(i),
                    ExprKind::Binary(BinaryOp::Interval, lo, hi) if !has(lo) && !has(hi) => {
                        lows.push((**lo).clone());
                        highs.push((**hi).clone());
                        settles.push(i);
                    }
                    _ => {}
                }
                continue;
            }
            if !matches!(op, C::Less | C::LessEqual | C::Greater | C::GreaterEqual) {
                continue;
            }
            let Some(solved) = solve_for(*op, a, b, &has) else {
                continue;
            };
            if as_name(&solved.name) != Some(name) {
                continue;
            }
            span = atom.pred.span;
            settles.push(i);
            match solved.op {
                C::Less => highs.push(shifted(&solved.other, -1)),
                C::LessEqual => highs.push(solved.other),
                C::Greater => lows.push(shifted(&solved.other, 1)),
                _ => lows.push(solved.other),
            }
        }
        Bounds { lows, highs, settles, span }
    }

    fn intervals(&self, atoms: &[Atom], open: &BTreeSet<Name>, offer: &mut dyn FnMut(Candidate)) {
        let mut all: BTreeMap<Name, Bounds> = BTreeMap::new();
        for &name in open {
            if self.name_type(name) == beeline_model::TypeTable::INTEGER {
                all.insert(name, self.bounds_of(name, atoms, open));
            }
        }
        pass_on(atoms, &mut all);
        for (name, Bounds { lows, highs, settles, span }) in all {
            if !lows.is_empty() || !highs.is_empty() {
                let unbounded = lows.is_empty() || highs.is_empty();
                let cost = if unbounded { INFINITE } else { self.interval_cost(&lows, &highs) };
                offer(Candidate {
                    cost,
                    unbounded,
                    binds: BTreeSet::from([name]),
                    settles,
                    how: How::Between { name, lows, highs, span },
                });
            }
        }
    }

    /// `s : seq(S) & size(s) = n`: a function on `1..n`.
    fn sequences(&self, atoms: &[Atom], open: &BTreeSet<Name>, offer: &mut dyn FnMut(Candidate)) {
        for atom in atoms {
            if let Some((name, set)) = self.sized_sequence(atoms, atom, open) {
                let PredKind::Compare(_, pattern, _) = &atom.pred.kind else { continue };
                offer(Candidate {
                    cost: self.set_size(&set).max(1.0),
                    unbounded: self.is_infinite_set(&set),
                    binds: BTreeSet::from([name]),
                    // What both atoms say is tested: a length may be below zero.
                    settles: Vec::new(),
                    how: How::Member { pattern: (**pattern).clone(), set },
                });
            }
        }
    }

    /// The functions that a sequence of known length is one of.
    pub(crate) fn sized_sequence(
        &self,
        atoms: &[Atom],
        atom: &Atom,
        open: &BTreeSet<Name>,
    ) -> Option<(Name, Expr)> {
        let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { return None };
        let name = as_name(a).filter(|n| !atom.done && open.contains(n))?;
        let ExprKind::Unary(
            op @ (UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1),
            of,
        ) = &b.kind
        else {
            return None;
        };
        if !self.unknown_in_expr(of, open).is_empty() {
            return None;
        }
        let length = |p: &Pred| {
            let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(size, n)| match &size.kind {
                ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, s)
                    if as_name(s) == Some(name) && self.unknown_in_expr(n, open).is_empty() =>
                {
                    Some((**n).clone())
                }
                _ => None,
            })
        };
        let n = atoms.iter().filter(|a| !a.done).find_map(|a| length(&a.pred))?;
        let injective = matches!(op, UnaryOp::Iseq | UnaryOp::Iseq1);
        let arrow = if injective { BinaryOp::TotalInjections } else { BinaryOp::TotalFunctions };
        let keys = Expr {
            ty: n.ty,
            span: n.span,
            kind: ExprKind::Binary(
                BinaryOp::Interval,
                Box::new(normal::integer(1, &n)),
                Box::new(n.clone()),
            ),
        };
        let kind = ExprKind::Binary(arrow, Box::new(keys), of.clone());
        let set = Expr { kind, ty: b.ty, span: b.span };
        Some((name, set))
    }

    fn interval_cost(&self, lows: &[Expr], highs: &[Expr]) -> f64 {
        lows.iter()
            .flat_map(|lo| highs.iter().map(move |hi| (lo, hi)))
            .map(|(lo, hi)| {
                let set = Expr {
                    kind: ExprKind::Binary(
                        BinaryOp::Interval,
                        Box::new(lo.clone()),
                        Box::new(hi.clone()),
                    ),
                    ty: lo.ty,
                    span: lo.span,
                };
                self.set_size(&set).max(1.0)
            })
            .fold(INFINITE, f64::min)
    }

    /// Disjunctions and existential quantifiers as generators of the names all branches bind.
    fn branches(
        &mut self,
        index: usize,
        atom: &Atom,
        open: &BTreeSet<Name>,
        depth: usize,
    ) -> Option<Candidate> {
        let (parts, extra): (Vec<&Pred>, &[LocalId]) = match &atom.pred.kind {
            PredKind::Or(parts) => (parts.iter().collect(), &[]),
            PredKind::Exists(locals, body) => (vec![body], locals),
            _ => return None,
        };
        let needs: Vec<BTreeSet<Name>> = parts.iter().map(|p| self.needs_of(p, open)).collect();
        let mut names: BTreeSet<Name> = needs.first()?.clone();
        for other in &needs {
            names = names.intersection(other).copied().collect();
        }
        if names.is_empty() {
            return None;
        }
        let exact = needs.iter().all(|n| n.is_subset(&names));
        let mut inner: Vec<Name> = names.iter().copied().collect();
        inner.extend(extra.iter().map(|l| Name::Local(*l)));
        let mut queries = Vec::new();
        let mut cost = 0.0;
        for part in parts {
            let mut conjuncts = Vec::new();
            normal::split(part, &mut conjuncts);
            normal::pair_implications(&mut conjuncts);
            conjuncts.retain(|p| self.needs_of(p, open).is_subset(&names));
            let query = self.plan(&inner, conjuncts, depth + 1);
            if query.unbounded {
                return None;
            }
            cost += query.fanout;
            queries.push(query);
        }
        Some(Candidate {
            cost: cost * 1.2,
            unbounded: false,
            settles: if exact { vec![index] } else { Vec::new() },
            how: How::Any { queries, names: names.iter().copied().collect() },
            binds: names,
        })
    }

    /// `f(x)` in an atom: x is in the domain of f, or the atom has no meaning.
    fn domains(
        &self,
        _index: usize,
        pred: &Pred,
        open: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let mut found = Vec::new();
        applications_in_pred(pred, &mut found);
        for (function, argument) in found {
            if self.unknown_in_expr(function, open).is_empty()
                && let Some(binds) = self.pattern_binds(argument, open)
                && !matches!(function.kind, ExprKind::Function(_) | ExprKind::Constructor(..))
                && let Some(pair) = self.model.types.element(function.ty)
                && let Some((left, _)) = self.model.types.halves(pair)
                && let Some(ty) = self.model.types.find(&beeline_model::Type::Power(left))
            {
                let set = Expr {
                    kind: ExprKind::Unary(UnaryOp::Domain, Box::new(function.clone())),
                    ty,
                    span: function.span,
                };
                offer(Candidate {
                    cost: 1e12,
                    unbounded: false,
                    binds,
                    settles: Vec::new(),
                    how: How::Member { pattern: argument.clone(), set },
                });
            }
        }
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

/// An integer that has no bound on a side takes that of another it is compared with: from `i < j` and
/// `j <= n` comes a bound of i. The comparison stays to be tested.
fn pass_on(atoms: &[Atom], all: &mut BTreeMap<Name, Bounds>) {
    for _ in 0..3 {
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(op, a, b) = &atom.pred.kind else { continue };
            let (Some(a), Some(b)) = (as_name(a), as_name(b)) else { continue };
            let (less, more, gap) = match op {
                CompareOp::Less => (a, b, 1),
                CompareOp::LessEqual => (a, b, 0),
                CompareOp::Greater => (b, a, 1),
                CompareOp::GreaterEqual => (b, a, 0),
                _ => continue,
            };
            let (Some(x), Some(y)) = (all.get(&less), all.get(&more)) else { continue };
            let highs: Vec<Expr> = y.highs.iter().map(|e| shifted(e, -gap)).collect();
            let lows: Vec<Expr> = x.lows.iter().map(|e| shifted(e, gap)).collect();
            if let Some(x) = all.get_mut(&less)
                && x.highs.is_empty()
            {
                x.highs = highs;
            }
            if let Some(y) = all.get_mut(&more)
                && y.lows.is_empty()
            {
                y.lows = lows;
            }
        }
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
        How::Between { name: Name::Local(local), lows, highs, .. } => {
            PlanStep::Between { local: *local, lows: lows.clone(), highs: highs.clone() }
        }
        How::Type(Name::Local(local)) => PlanStep::Type(*local),
        How::Subset { name: Name::Local(local), set, .. } => {
            PlanStep::Subsets { local: *local, set: set.clone() }
        }
        How::Any { .. } => PlanStep::Other("alternatives, each with a plan of its own"),
        How::Recursive(_) => PlanStep::Other("recursive definitions"),
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
    all.iter()
        .copied()
        .filter(|n| match n {
            Name::Local(l) => names.locals.contains(l),
            Name::Constant(c) => names.constants.contains(c),
        })
        .collect()
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

/// Function applications that are evaluated whenever the atom is.
fn applications_in_pred<'a>(p: &'a Pred, out: &mut Vec<(&'a Expr, &'a Expr)>) {
    if let PredKind::Compare(_, a, b) = &p.kind {
        applications_in_expr(a, out);
        applications_in_expr(b, out);
    }
}

fn applications_in_expr<'a>(e: &'a Expr, out: &mut Vec<(&'a Expr, &'a Expr)>) {
    match &e.kind {
        ExprKind::Apply(function, argument) => {
            out.push((function, argument));
            applications_in_expr(function, out);
            applications_in_expr(argument, out);
        }
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => applications_in_expr(a, out),
        ExprKind::Binary(_, a, b) => {
            applications_in_expr(a, out);
            applications_in_expr(b, out);
        }
        _ => {}
    }
}
