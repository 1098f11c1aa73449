//! Plans that were made, kept for whoever asks next.
//!
//! A query is planned when somebody asks for its plan for the first time: who compiles closures, lowers
//! to code or shows plans gets the very same plan afterwards. Figures of what was counted belong to
//! plans: to plan again is to make other [`Plans`].

use crate::choice::Policy;
use crate::figures::Figures;
use crate::name::Name;
use crate::normal;
use crate::operation::{parameters, peel};
use crate::plan::Plan;
use crate::planner::Planner;
use crate::scope::Scope;
use beeline_model::{LocalId, Model, OperationId, Pred, Subst, TypeId};
use beeline_source::Span;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The plans of a model in one scope.
#[derive(Default)]
pub struct Plans {
    scope: Scope,
    policy: Policy,
    figures: Arc<Figures>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    queries: FxHashMap<Key, Vec<Made>>,
    operations: FxHashMap<OperationId, Arc<Plan>>,
    made: usize,
}

/// What tells nearly all queries apart, at no cost: the first name with its type, and where the first
/// conjunct stands.
#[derive(PartialEq, Eq, Hash)]
struct Key(Option<(Name, TypeId)>, Span, usize);

/// A query as it was asked for, and its plan.
struct Made {
    unknowns: Vec<Name>,
    preds: Vec<Pred>,
    plan: Arc<Plan>,
}

impl Kept {
    fn find(&self, key: &Key, unknowns: &[Name], preds: &[Pred]) -> Option<Arc<Plan>> {
        let same = |made: &&Made| made.unknowns == unknowns && made.preds == preds;
        self.queries.get(key)?.iter().find(same).map(|made| made.plan.clone())
    }
}

impl Plans {
    /// None yet. Estimates give way to figures where there are some.
    pub fn new(scope: Scope, policy: Policy, figures: Arc<Figures>) -> Plans {
        Plans { scope, policy, figures, kept: Mutex::default() }
    }

    /// None yet, in the same scope, from other figures.
    pub fn anew(&self, figures: Arc<Figures>) -> Plans {
        Plans::new(self.scope.clone(), self.policy, figures)
    }

    /// Set sizes and bounds of integers.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What was counted before these plans were made.
    pub fn figures(&self) -> &Arc<Figures> {
        &self.figures
    }

    /// How many queries were planned.
    pub fn made(&self) -> usize {
        self.kept().made
    }

    /// The plan of a query.
    pub fn query(&self, model: &Model, unknowns: &[Name], preds: &[Pred]) -> Arc<Plan> {
        let first = unknowns.first().map(|n| (*n, n.ty(model)));
        let key = Key(first, preds.first().map_or(Span::NONE, |p| p.span), preds.len());
        if let Some(plan) = self.kept().find(&key, unknowns, preds) {
            return plan;
        }
        // Not under the lock: another thread that plans the same comes to the same.
        let planner = Planner::new(model, &self.scope, self.policy, &self.figures);
        let plan = stacker::maybe_grow(4 << 20, 64 << 20, || planner.query(unknowns, preds));
        let plan = Arc::new(plan);
        let (unknowns, preds) = (unknowns.to_vec(), preds.to_vec());
        let mut kept = self.kept();
        kept.made += 1;
        kept.queries.entry(key).or_default().push(Made { unknowns, preds, plan: plan.clone() });
        plan
    }

    /// How the parameters of an operation are found.
    pub fn operation(&self, model: &Model, id: OperationId) -> Arc<Plan> {
        if let Some(plan) = self.kept().operations.get(&id) {
            return plan.clone();
        }
        let plan = parameters(model, model.operation(id), &mut |locals, preds| {
            self.query(model, &names(locals), preds)
        });
        self.kept().operations.insert(id, plan.clone());
        plan
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Nothing is left half done where the lock is held.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn names(locals: &[LocalId]) -> Vec<Name> {
    locals.iter().map(|l| Name::Local(*l)).collect()
}

/// Plans together with the model they are about.
#[derive(Clone)]
pub struct PlansOf<'m> {
    model: &'m Model,
    plans: Arc<Plans>,
}

impl<'m> PlansOf<'m> {
    /// Reads the plans of a model.
    pub fn new(model: &'m Model, plans: Arc<Plans>) -> PlansOf<'m> {
        PlansOf { model, plans }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How names are found that satisfy predicates.
    pub fn query(&self, locals: &[LocalId], preds: &[Pred]) -> Arc<Plan> {
        self.plans.query(self.model, &names(locals), preds)
    }

    /// How the parameters of an operation are found, and what is executed with them.
    pub fn operation(&self, id: OperationId) -> (Arc<Plan>, &'m Subst) {
        let (_, rest) = peel(self.model.operation(id));
        (self.plans.operation(self.model, id), rest)
    }

    /// `!x.(P => Q)`: how the names are found, and what must hold of them.
    pub fn universal(&self, locals: &[LocalId], body: &Pred) -> (Arc<Plan>, Pred) {
        let (locals, conditions, claim) = normal::universal(locals, body);
        (self.query(&locals, &conditions), claim)
    }
}
