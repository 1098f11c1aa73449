//! From a plan to something that runs: each step of the plan becomes one of a [`Query`].
//!
//! Nothing is decided here. Steps are compiled in the order of the plan, so that the numbers of codes
//! and slots depend on the plan alone.

use super::context::Cx;
use crate::eval::frame::{Frame, P};
use crate::eval::operators::unary;
use crate::eval::query::{Entries, Pattern, Query, RuleCode, Small, Step};
use crate::eval::sets::{define, type_set};
use beeline_fault::{Flaw, planted};
use beeline_model::{CompareOp, Expr, LocalId, Pred, PredKind, TypeId, UnaryOp};
use beeline_plan::{
    Act, ByPoints, Generator, Name, Part, Plan, PlanStep, Points, Rule, as_name, is_defined,
    pattern_of,
};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Cx<'_> {
    /// The plan of a query for locals.
    pub fn plan(&mut self, unknowns: &[LocalId], preds: &[Pred]) -> Arc<Plan> {
        let names: Vec<Name> = unknowns.iter().map(|l| Name::Local(*l)).collect();
        self.plan_names(&names, preds)
    }

    /// The plan of a query for any names.
    pub fn plan_names(&mut self, unknowns: &[Name], preds: &[Pred]) -> Arc<Plan> {
        let plan = self.plans.query(self.model, unknowns, preds);
        self.leeway.join(plan.leeway);
        plan
    }

    /// A query for locals, compiled.
    pub fn query(&mut self, unknowns: &[LocalId], preds: &[Pred]) -> Query {
        let plan = self.plan(unknowns, preds);
        // Slots exist before anything that mentions the names is compiled.
        for local in unknowns {
            self.local_slot(*local);
        }
        self.compiled(&plan)
    }

    pub fn name_slot(&mut self, name: Name) -> usize {
        match name {
            Name::Local(l) => self.local_slot(l),
            Name::Constant(c) => self.constant_slot(c),
        }
    }

    fn name_slots(&mut self, names: &[Name]) -> Vec<usize> {
        names.iter().map(|n| self.name_slot(*n)).collect()
    }

    /// A plan, compiled.
    pub fn compiled(&mut self, plan: &Plan) -> Query {
        let mut steps = Vec::with_capacity(plan.steps.len());
        for PlanStep { act, .. } in &plan.steps {
            match act {
                Act::Test { pred, source } => steps.extend(self.test_step(pred, *source)),
                Act::Bind { from, binds, few } => self.bind_steps(from, binds, few, &mut steps),
                Act::Points(points) => steps.push(self.points_step(points)),
                Act::Solve(question) => steps.push(Step::Solve(Box::new(self.problem(question)))),
            }
        }
        Query { steps, unbounded: plan.unbounded, fanout: plan.fanout }
    }

    fn test_step(&mut self, pred: &Pred, source: Option<Name>) -> Option<Step> {
        let test = self.pred(pred);
        if planted(Flaw::ReplanDrops) && self.measuring.is_some() {
            return None;
        }
        Some(match (&pred.kind, source) {
            (PredKind::Compare(CompareOp::Member, _, set), Some(name)) => {
                Step::Within(self.name_slot(name), self.expr(set), test, pred.span)
            }
            _ => Step::Test(test),
        })
    }

    /// The step of a generator, between tests that count if somebody asks.
    fn bind_steps(
        &mut self,
        from: &Generator,
        binds: &BTreeSet<Name>,
        few: &[Name],
        steps: &mut Vec<Step>,
    ) {
        let small: Small = few.iter().map(|n| (self.name_slot(*n), n.ty(self.model))).collect();
        let step = self.generator(from, binds, small);
        let counting = self.measuring.as_mut().and_then(|m| m.tests(self.model, from));
        let (before, after) = counting.unzip();
        // Tests that are always true: they count, and change nothing.
        steps.extend(before.map(Step::Test));
        match from {
            Generator::Recursive(definitions) => {
                for (slot, number) in self.recursions(definitions) {
                    let value = Box::new(move |f: &mut Frame<'_>| define(f, number));
                    steps.push(Step::Let(Pattern::Bind(slot), value, Small::new()));
                }
            }
            _ => steps.extend(step),
        }
        steps.extend(after.map(Step::Test));
    }

    fn generator(
        &mut self,
        from: &Generator,
        binds: &BTreeSet<Name>,
        small: Small,
    ) -> Option<Step> {
        Some(match from {
            Generator::Value { pattern, value } => {
                let is_constant = matches!(as_name(pattern), Some(Name::Constant(_)));
                let pattern = self.pattern(pattern, binds)?;
                // A constant is listed where it can be: all states read it.
                let value = if is_constant { self.kept_for_good(value) } else { self.kept(value) };
                Step::Let(pattern, value, small)
            }
            Generator::Member { pattern, set } => {
                let (element, span) = (pattern, set.span);
                let pattern = self.pattern(element, binds)?;
                let elements = self.expr(set);
                let test = self.test_of_one(element, set, small.len() == binds.len());
                Step::Each { pattern, set: elements, small, test, span }
            }
            Generator::Within { name, set, lows, highs } => Step::EachWithin {
                slot: self.name_slot(*name),
                set: self.expr(set),
                small,
                lows: lows.iter().map(|e| self.expr(e)).collect(),
                highs: highs.iter().map(|e| self.expr(e)).collect(),
                span: set.span,
            },
            Generator::Subset { name, set, span } => {
                let (slot, set, span) = (self.name_slot(*name), self.expr(set), *span);
                let sets = Box::new(move |f: &mut Frame<'_>| {
                    let set = set(f)?;
                    unary(f, UnaryOp::Power, set, span)
                });
                Step::Each { pattern: Pattern::Bind(slot), set: sets, small, test: None, span }
            }
            Generator::Between { name, lows, highs, span } => Step::Between {
                slot: self.name_slot(*name),
                lows: lows.iter().map(|e| self.expr(e)).collect(),
                highs: highs.iter().map(|e| self.expr(e)).collect(),
                span: *span,
            },
            Generator::Pieces { parts, value } => {
                let patterns = self.pieces(parts, binds)?;
                Step::Pieces(patterns, self.expr(value), value.span)
            }
            Generator::Any { plans, names, .. } => {
                let queries = plans.iter().map(|plan| self.compiled(plan)).collect();
                Step::Any { queries, slots: self.name_slots(names) }
            }
            Generator::Type(name) => self.whole_type(*name, name.ty(self.model), small),
            Generator::Recursive(_) => return None,
        })
    }

    fn whole_type(&mut self, name: Name, ty: TypeId, small: Small) -> Step {
        let slot = self.name_slot(name);
        let set = Box::new(move |f: &mut Frame<'_>| Ok(type_set(f.rt, ty)));
        let span = name.span(self.model);
        Step::Each { pattern: Pattern::Bind(slot), set, small, test: None, span }
    }

    /// Membership of one value in a set that may be ill-defined, if the values of all names are `few`.
    fn test_of_one(&mut self, element: &Expr, set: &Expr, few: bool) -> Option<P> {
        // Most sets are plain, and need no second closure.
        if !few || is_defined(set) {
            return None;
        }
        let both = (Box::new(element.clone()), Box::new(set.clone()));
        let kind = PredKind::Compare(CompareOp::Member, both.0, both.1);
        Some(self.pred(&Pred { kind, span: set.span }))
    }

    /// Patterns of the parts of a sequence: a name that occurs twice is bound by the first.
    fn pieces(&mut self, parts: &[Expr], binds: &BTreeSet<Name>) -> Option<Vec<Pattern>> {
        let mut unbound = binds.clone();
        let mut patterns = Vec::new();
        for part in parts {
            patterns.push(self.pattern(part, &unbound)?);
            if let Some(name) = as_name(part) {
                unbound.remove(&name);
            }
        }
        Some(patterns)
    }

    /// A pattern that binds some names.
    pub fn pattern(&mut self, e: &Expr, binds: &BTreeSet<Name>) -> Option<Pattern> {
        let pattern = pattern_of(self.model, e, binds, &mut BTreeSet::new())?;
        Some(self.compile_pattern(pattern))
    }

    fn compile_pattern(&mut self, pattern: beeline_plan::Pattern<'_>) -> Pattern {
        use beeline_plan::Pattern as Planned;
        match pattern {
            Planned::Bind(name) => Pattern::Bind(self.name_slot(name)),
            Planned::Check(e) => Pattern::Check(self.kept(e), e.span),
            Planned::Pair(a, b) => {
                let (a, b) = (self.compile_pattern(*a), self.compile_pattern(*b));
                Pattern::Pair(Box::new(a), Box::new(b))
            }
            Planned::Record(parts) => {
                Pattern::Record(parts.into_iter().map(|p| self.compile_pattern(p)).collect())
            }
        }
    }

    fn points_step(&mut self, points: &Points) -> Step {
        let functions = points.functions.iter().map(|function| self.entries(function)).collect();
        let covered = self.compiled(&points.covered);
        let otherwise = self.compiled(&points.otherwise);
        Step::Points { functions, covered, otherwise }
    }

    fn entries(&mut self, function: &ByPoints) -> Entries {
        let slot = self.name_slot(function.name);
        let points = function.points.iter().map(|(k, v)| (self.kept(k), self.kept(v))).collect();
        let domain = self.kept(&function.domain);
        let rules = function.rules.iter().map(|rule| self.rule(rule)).collect();
        Entries { slot, domain, points, rules }
    }

    fn rule(&mut self, rule: &Rule) -> RuleCode {
        RuleCode {
            slots: rule.locals.iter().map(|l| self.local_slot(*l)).collect(),
            query: self.compiled(&rule.plan),
            key: self.kept(&rule.key),
            part: match &rule.part {
                Part::Whole => Part::Whole,
                Part::Length => Part::Length,
                Part::Item(e) => Part::Item(self.kept(e)),
            },
            span: rule.value.span,
            value: self.kept(&rule.value),
        }
    }
}
