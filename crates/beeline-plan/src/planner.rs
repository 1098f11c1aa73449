//! The planner: from conjuncts over unknown names to a [`Plan`].
//!
//! Greedy: tests as soon as their names are bound; then, of all generators that the conjuncts
//! offer, the one with the least fan-out: values first (`x = E`), small sets next, types last.
//! Which one is best is up to a [`Policy`] (`choice.rs`).

use crate::arrow::arrow;
use crate::choice::{Candidate, Choice, NOWHERE, Policy, WORTH_SOLVING};
use crate::estimate::{Estimate, INFINITE};
use crate::figures::Figures;
use crate::name::{Name, as_name};
use crate::names::Names;
use crate::normal::{self, lower_bound, shifted, solve_for};
use crate::plan::{Act, Generator, Leeway, Plan, PlanStep, pattern_of};
use crate::scope::Scope;
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Model, Pred, PredKind, TypeId, UnaryOp,
};
use beeline_source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod bounds;
mod branches;
mod late;
mod lengths;
mod narrow;
mod offers;
mod points;
mod question;
mod recursive;
mod rules;
mod templates;
mod unfold;

/// Plans one query.
pub(crate) struct Planner<'p> {
    model: &'p Model,
    scope: &'p Scope,
    policy: Policy,
    /// What is known better than by estimates.
    figures: &'p Figures,
    /// What could have been planned in another way, in plans that were not taken too.
    leeway: Leeway,
}

/// One conjunct and the unknown names in it.
#[derive(Clone)]
struct Atom {
    pred: Pred,
    needs: BTreeSet<Name>,
    done: bool,
    /// It follows from others, which are tested.
    implied: bool,
}

/// Where real choices begin in a plan.
struct Choices {
    /// Steps before.
    begin: usize,
    /// Candidates before.
    before: f64,
    /// What was unbound then, and which atoms were done.
    unbound: BTreeSet<Name>,
    done: Vec<bool>,
}

/// What is said about an integer, and by which atoms.
struct Bounds {
    lows: Vec<Expr>,
    highs: Vec<Expr>,
    settles: Vec<usize>,
    span: Span,
}

/// Sub-queries inside disjunctions are planned this deep.
const MAX_DEPTH: usize = 5;

/// More conjuncts than this are not all weighed against each other.
const MANY: usize = 300;

/// A name with so few values can be tried with each.
const FEW: f64 = 256.0;

impl<'p> Planner<'p> {
    pub fn new(
        model: &'p Model,
        scope: &'p Scope,
        policy: Policy,
        figures: &'p Figures,
    ) -> Planner<'p> {
        Planner { model, scope, policy, figures, leeway: Leeway::default() }
    }

    /// The plan of a query.
    pub fn query(mut self, unknowns: &[Name], preds: &[Pred]) -> Plan {
        let mut parts = Vec::new();
        preds.iter().for_each(|p| normal::split(p, &mut parts));
        // Before names are unfolded: a pair of implications is found by its text.
        normal::pair_implications(&mut parts);
        self.unfold(unknowns, &mut parts);
        let mut plan = self.plan(unknowns, parts.clone(), 0);
        if self.is_narrowable(&plan, unknowns, &parts) {
            let facts = self.bounds_from(unknowns, &parts);
            let leeway = self.leeway;
            let narrow = self.plan_with(unknowns, parts, facts, 0);
            match Planner::is_narrower(&plan, &narrow) {
                true => plan = narrow,
                false => self.leeway = leeway,
            }
        }
        Plan { leeway: self.leeway, ..plan }
    }

    /// Plans a query without the solver.
    fn plain_query(&mut self, unknowns: &[LocalId], parts: Vec<Pred>) -> Plan {
        let names: Vec<Name> = unknowns.iter().map(|l| Name::Local(*l)).collect();
        self.plan(&names, parts, MAX_DEPTH - 1)
    }

    fn plan(&mut self, unknowns: &[Name], parts: Vec<Pred>, depth: usize) -> Plan {
        self.plan_with(unknowns, parts, Vec::new(), depth)
    }

    /// Plans conjuncts together with facts that follow from them.
    fn plan_with(
        &mut self,
        unknowns: &[Name],
        parts: Vec<Pred>,
        facts: Vec<Pred>,
        depth: usize,
    ) -> Plan {
        let all: BTreeSet<Name> = unknowns.iter().copied().collect();
        let said = parts.into_iter().map(|pred| (pred, false));
        let all_parts = said.chain(facts.into_iter().map(|pred| (pred, true)));
        let atoms: Vec<Atom> = all_parts
            .map(|(pred, implied)| Atom {
                needs: self.needs_of(&pred, &all),
                pred,
                done: false,
                implied,
            })
            .collect();
        self.plan_rest(unknowns, atoms, all, depth, depth == 0)
    }

    /// Plans what is left, with some names still unbound.
    fn plan_rest(
        &mut self,
        unknowns: &[Name],
        mut atoms: Vec<Atom>,
        mut unbound: BTreeSet<Name>,
        depth: usize,
        points: bool,
    ) -> Plan {
        let mut plan = Plan::new();
        let mut choices: Option<Choices> = None;
        loop {
            place_tests(&mut atoms, &unbound, unknowns, &mut plan);
            if unbound.is_empty() {
                break;
            }
            // One generator at a time: what it binds may turn the others into tests or make them cheaper.
            let best = self.best(&atoms, &unbound, depth);
            // What has one value, or two at most, is no choice: it is computed whoever finds the others.
            if best.cost > 1.5 && choices.is_none() && !opens_domains(self, &best, &atoms, &unbound)
            {
                // Before anything is tried: what is given point by point needs no trying.
                if points && let Some(by_points) = self.by_points(&atoms, &unbound) {
                    self.leeway.is_special = true;
                    return self.plan_points(by_points, unknowns, atoms, unbound, plan, depth);
                }
                let done = atoms.iter().map(|a| a.done).collect();
                let (begin, before) = (plan.steps.len(), plan.fanout);
                choices = Some(Choices { begin, before, unbound: unbound.clone(), done });
            }
            self.take(best, &mut atoms, &mut unbound, &mut plan);
        }
        // Plans from figures stay lists of steps, however much they try: who asks for one knows what
        // it costs, and the solver has no steps to count.
        let solver = depth == 0 && self.figures.is_empty();
        if let Some(choices) = choices.filter(|_| solver)
            && (plan.unbounded || plan.fanout / choices.before > WORTH_SOLVING)
        {
            return self.solved(plan, choices, unknowns, atoms);
        }
        plan
    }

    /// Hands all from the first real choice on to the solver, if it knows what to do with the names.
    /// The steps that were planned are what it falls back on.
    fn solved(
        &mut self,
        mut plan: Plan,
        choices: Choices,
        unknowns: &[Name],
        mut atoms: Vec<Atom>,
    ) -> Plan {
        let Choices { begin, before, unbound, done } = choices;
        // The solver begins where choices began, and what steps had settled since is unbound again.
        for (atom, done) in atoms.iter_mut().zip(done) {
            atom.done = done;
        }
        let late = self.late_names(&atoms, &unbound);
        let early: BTreeSet<Name> = unbound.difference(&late).copied().collect();
        let finite = |n: &Name| self.has_finite_shape(n.ty(self.model));
        if early.is_empty() || !early.iter().all(finite) {
            return plan;
        }
        self.leeway.is_special = true;
        let fallback = Plan {
            steps: plan.steps.split_off(begin),
            unbounded: plan.unbounded,
            fanout: plan.fanout / before,
            leeway: Leeway::default(),
        };
        let fanout = fallback.fanout;
        let question = self.question(&atoms, &early, &late, fallback);
        plan.steps.push(PlanStep { act: Act::Solve(Box::new(question)), fanout });
        for atom in &mut atoms {
            atom.done |= atom.needs.is_disjoint(&late);
        }
        // Names that the solver has no form for are computed from those that it finds.
        let rest = self.plan_rest(unknowns, atoms, late, 0, false);
        plan.unbounded |= rest.unbounded;
        plan.steps.extend(rest.steps);
        plan
    }

    /// Adds the step of a candidate.
    fn take(
        &mut self,
        best: Candidate,
        atoms: &mut [Atom],
        unbound: &mut BTreeSet<Name>,
        plan: &mut Plan,
    ) {
        let fanout = best.cost.max(1.0);
        plan.unbounded |= best.unbounded;
        // A step with less than one value on average still is one step.
        plan.fanout *= fanout;
        for &i in &best.settles {
            atoms[i].done = true;
        }
        for name in &best.binds {
            unbound.remove(name);
        }
        self.leeway.is_special |= matches!(best.how, Generator::Any { .. });
        // Should the generator have no meaning, another conjunct may still be false for every value: with
        // few values that is found out, and then nothing was wrong.
        let few = |n: &&Name| self.type_size(n.ty(self.model)) <= FEW;
        let few = best.binds.iter().filter(few).copied().collect();
        let act = Act::Bind { from: best.how, binds: best.binds, few };
        plan.steps.push(PlanStep { act, fanout });
    }

    /// The unknown names in a predicate.
    fn needs_of(&self, pred: &Pred, all: &BTreeSet<Name>) -> BTreeSet<Name> {
        Names::of_pred(self.model, pred).among(all)
    }

    fn unknown_in_expr(&self, e: &Expr, unbound: &BTreeSet<Name>) -> BTreeSet<Name> {
        Names::of_expr(self.model, e).among(unbound)
    }

    /// The names a pattern binds; nothing if it is no pattern, or binds nothing.
    fn pattern_binds(&self, e: &Expr, unbound: &BTreeSet<Name>) -> Option<BTreeSet<Name>> {
        let mut binds = BTreeSet::new();
        pattern_of(self.model, e, unbound, &mut binds)?;
        (!binds.is_empty()).then_some(binds)
    }

    fn type_size(&self, ty: TypeId) -> f64 {
        Estimate { model: self.model, scope: self.scope }.type_size(ty)
    }

    fn set_size(&self, e: &Expr) -> f64 {
        Estimate { model: self.model, scope: self.scope }.set_size(e)
    }

    fn best(&mut self, atoms: &[Atom], unbound: &BTreeSet<Name>, depth: usize) -> Candidate {
        let mut choice = Choice::new(self.policy, self.figures);
        // Of hundreds of conjuncts any good one will do: to weigh all of them against each other for
        // each name takes longer than any order saves.
        let hasty = atoms.len() > MANY;
        for (i, _) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
            // Offers of single conjuncts first: they are cheap to make, and mostly one of them is good.
            self.offers(i, atoms, unbound, &mut |candidate| choice.offer(i, candidate));
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
        self.intervals(atoms, unbound, &mut together);
        self.sequences(atoms, unbound, &mut together);
        self.in_both(atoms, unbound, &mut together);
        if !choice.is_certain()
            && let Some(group) = self.recursive_group(atoms, unbound)
        {
            let place = group.atoms.iter().copied().min().unwrap_or(NOWHERE);
            let candidate = Candidate {
                cost: group.cost(),
                unbounded: false,
                binds: group.definitions.iter().map(|d| Name::Constant(d.0)).collect(),
                settles: group.atoms,
                how: Generator::Recursive(group.definitions),
            };
            choice.offer(place, candidate);
        }
        if !choice.is_good() && depth < MAX_DEPTH {
            for (i, atom) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
                if let Some(candidate) = self.branches(i, atom, unbound, depth) {
                    choice.offer(i, candidate);
                }
            }
        }
        if !choice.is_bounded() {
            for (i, atom) in atoms.iter().enumerate().filter(|(_, a)| !a.done) {
                self.domains(i, &atom.pred, unbound, &mut |candidate| choice.offer(i, candidate));
            }
        }
        for name in unbound {
            let size = self.type_size(name.ty(self.model));
            let candidate = Candidate {
                cost: size * 1.5 + 1.0,
                unbounded: size >= INFINITE,
                binds: BTreeSet::from([*name]),
                settles: Vec::new(),
                how: Generator::Type(*name),
            };
            choice.offer(NOWHERE, candidate);
        }
        // Also for a plan that is not taken in the end: measured figures may make it the better one.
        self.leeway.has_rivals |= choice.has_rivals();
        // `unbound` is not empty, so there is a type to enumerate.
        choice.taken().unwrap_or_else(|| Candidate {
            cost: INFINITE,
            unbounded: true,
            binds: unbound.clone(),
            settles: Vec::new(),
            how: Generator::Any { plans: Vec::new(), names: Vec::new(), of_if: false },
        })
    }
}

/// Adds the tests of all atoms whose names have a value.
fn place_tests(atoms: &mut [Atom], unbound: &BTreeSet<Name>, unknowns: &[Name], plan: &mut Plan) {
    for atom in atoms.iter_mut() {
        if atom.done || !atom.needs.is_disjoint(unbound) {
            continue;
        }
        atom.done = true;
        if atom.implied {
            continue;
        }
        let source = match &atom.pred.kind {
            PredKind::Compare(CompareOp::Member, a, set) if is_flat(set) => {
                as_name(a).filter(|n| unknowns.contains(n))
            }
            _ => None,
        };
        let act = Act::Test { pred: atom.pred.clone(), source };
        plan.steps.push(PlanStep { act, fanout: 1.0 });
    }
}

/// Is this a small choice that makes the set of another name known?
///
/// Then it comes before the solver, which wants to know its sets.
fn opens_domains(
    planner: &Planner<'_>,
    best: &Candidate,
    atoms: &[Atom],
    unbound: &BTreeSet<Name>,
) -> bool {
    best.cost <= 100.0
        && !best.unbounded
        && atoms.iter().filter(|a| !a.done).any(|atom| match &atom.pred.kind {
            PredKind::Compare(CompareOp::Member | CompareOp::Subset, a, b) => {
                as_name(a).is_some_and(|n| unbound.contains(&n) && !best.binds.contains(&n))
                    && !planner.unknown_in_expr(b, &best.binds).is_empty()
            }
            _ => false,
        })
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
