//! Predicate analysis: what `PROPERTIES`, the invariant and guards say of the names in them.
//!
//! Every conjunct is assumed again and again, until nothing new is found or a limit is reached. Each
//! time that one narrows what is known of a name, that is a [`Reason`].

use crate::analysis::Analysis;
use crate::domain::Value;
use crate::env::{Env, Name};
use beeline_model::{
    CompareOp, Conjunct, LocalId, Operation, OperationId, Pred, PredKind, SubstKind,
};
use beeline_source::Span;
use std::collections::BTreeMap;

/// So often all conjuncts are assumed.
const ROUNDS: usize = 12;
/// Conjuncts times names that are looked at, so that thousands of both take no minutes.
const WORK: usize = 2_000_000;

/// Why something is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// What kind of conjunct said it.
    pub rule: &'static str,
    /// The conjunct.
    pub span: Span,
}

/// What is known of one name, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The name.
    pub name: Name,
    /// What is known.
    pub value: Value,
    /// The conjuncts that said something of it, in the order in which they did.
    pub because: Vec<Reason>,
}

/// What is known of the parameters of an operation where it is enabled.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationBounds {
    /// The operation.
    pub operation: OperationId,
    /// Its parameters, those of an `ANY` at the top among them.
    pub parameters: Vec<Bound>,
    /// Invariant and guard exclude each other: it is never enabled while the invariant holds.
    pub never: bool,
}

/// What predicates say of the names of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Of each constant, by `PROPERTIES`.
    pub constants: Vec<Bound>,
    /// Of each variable, by `PROPERTIES` and the invariant.
    pub variables: Vec<Bound>,
    /// Of the parameters of each operation, by its guard as well.
    pub operations: Vec<OperationBounds>,
    /// Nothing satisfies `PROPERTIES`.
    pub no_constants: bool,
    /// Nothing satisfies the invariant beside `PROPERTIES`.
    pub no_states: bool,
}

impl Bounds {
    /// Analyses a model.
    pub fn of(analysis: &Analysis<'_>) -> Bounds {
        let model = analysis.model;
        let level = model.concrete();
        let mut points = Points::new(analysis, Env::new());
        let properties: Vec<&Conjunct> = model.properties.iter().map(|p| &p.conjunct).collect();
        points.propagate(&properties);
        let no_constants = points.env.is_dead();
        let of = |points: &Points<'_, '_>, names: Vec<Name>| -> Vec<Bound> {
            names.into_iter().map(|name| points.bound(name)).collect()
        };
        let constants = (0..model.constants.len() as u32).map(beeline_model::ConstantId);
        let constants = of(&points, constants.map(Name::Constant).collect());
        let invariants = level.invariants.iter().map(|i| &i.conjunct);
        let conjuncts: Vec<&Conjunct> = properties.iter().copied().chain(invariants).collect();
        points.propagate(&conjuncts);
        let no_states = points.env.is_dead();
        let variables = level.variables.iter().map(|v| Name::Variable(*v)).collect();
        let variables = of(&points, variables);
        let operations = level.operations.iter().map(|id| {
            let operation = model.operation(*id);
            let mut inner = points.clone();
            let (names, guard) = guard_of(operation);
            let all: Vec<&Conjunct> = conjuncts.iter().copied().chain(guard).collect();
            inner.propagate(&all);
            let parameters = of(&inner, names.into_iter().map(Name::Local).collect());
            OperationBounds { operation: *id, parameters, never: inner.env.is_dead() }
        });
        let operations = operations.collect();
        Bounds { constants, variables, operations, no_constants, no_states }
    }
}

/// The parameters of an operation, and what must hold for it to be enabled.
pub fn guard_of(operation: &Operation) -> (Vec<LocalId>, Vec<&Conjunct>) {
    let (mut guard, mut body) = operation.guard();
    let mut names = operation.parameters.clone();
    loop {
        match &body.kind {
            SubstKind::Any(locals, conjuncts, inner) => {
                names.extend(locals);
                guard.extend(conjuncts);
                body = inner;
            }
            SubstKind::Select(branches, None) => match &branches[..] {
                [(conjuncts, inner)] => {
                    guard.extend(conjuncts);
                    body = inner;
                }
                _ => return (names, guard),
            },
            _ => return (names, guard),
        }
    }
}

/// What is known of the names, and where it comes from.
#[derive(Clone)]
pub(crate) struct Points<'a, 'm> {
    analysis: &'a Analysis<'m>,
    pub(crate) env: Env,
    because: BTreeMap<Name, Vec<Reason>>,
}

impl<'a, 'm> Points<'a, 'm> {
    pub(crate) fn new(analysis: &'a Analysis<'m>, env: Env) -> Points<'a, 'm> {
        Points { analysis, env, because: BTreeMap::new() }
    }

    /// Assumes all conjuncts until nothing new is found.
    pub(crate) fn propagate(&mut self, conjuncts: &[&Conjunct]) {
        let mut work = 0;
        for _ in 0..ROUNDS {
            let before = self.env.clone();
            work += conjuncts.len() * (1 + self.env.names().count());
            if work > WORK || self.analysis.is_exhausted() {
                return;
            }
            for conjunct in conjuncts {
                self.assume(conjunct);
            }
            if self.env.is_dead() || self.env == before {
                return;
            }
        }
    }

    fn assume(&mut self, conjunct: &Conjunct) {
        let mut next = self.env.clone();
        self.analysis.spend(1 + next.len() / 16);
        self.analysis.refill();
        self.analysis.assume(&conjunct.pred, true, &mut next);
        let reason = Reason { rule: rule(&conjunct.pred), span: conjunct.span };
        let names: Vec<Name> = next.names().collect();
        for name in names {
            if next.get(name) != self.env.get(name) {
                let reasons = self.because.entry(name).or_default();
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        self.env = next;
    }

    fn bound(&self, name: Name) -> Bound {
        let value =
            if self.env.is_dead() { Value::Never } else { self.analysis.known(name, &self.env) };
        Bound { name, value, because: self.because.get(&name).cloned().unwrap_or_default() }
    }
}

/// The kind of a conjunct, in a word.
fn rule(p: &Pred) -> &'static str {
    use CompareOp as C;
    match &p.kind {
        PredKind::Bool(_) => "truth",
        PredKind::And(_) => "conjunction",
        PredKind::Or(_) => "disjunction",
        PredKind::Not(p) => match rule(p) {
            "membership" => "no membership",
            _ => "negation",
        },
        PredKind::Implies(..) => "implication",
        PredKind::Equivalent(..) => "equivalence",
        PredKind::Forall(..) => "for all",
        PredKind::Exists(..) => "existence",
        PredKind::If(..) | PredKind::Let(..) => "case",
        PredKind::Finite(_) => "finiteness",
        PredKind::Partition(..) => "partition",
        PredKind::External(..) => "external",
        PredKind::Compare(op, ..) => match op {
            C::Equal => "equality",
            C::NotEqual => "inequality",
            C::Member => "membership",
            C::NotMember => "no membership",
            C::Subset | C::StrictSubset => "inclusion",
            C::NotSubset | C::NotStrictSubset => "no inclusion",
            _ => "comparison",
        },
    }
}
