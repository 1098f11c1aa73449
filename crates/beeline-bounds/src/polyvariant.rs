//! Abstract states by node of the flow: one for each set of operations whose guards hold together.
//!
//! Every state lies in exactly one node: that of the guards which hold in it. An abstract state after a step
//! is split by guards, one after the other, and each part joined to the state of its node. A guard that has
//! parameters, or may have no meaning, narrows only where it holds. Conjuncts are proved as in `states`.

use crate::analysis::Analysis;
use crate::domain::Value;
use crate::env::{Env, Name};
use crate::predicate::guard_of;
use crate::states::{Interpretation, holds};
use beeline_model::{Conjunct, ConjunctId, LocalId, OperationId};
use std::collections::{BTreeMap, BTreeSet};

/// More nodes are not told apart: what the guards of further operations say is left open.
const NODES: usize = 64;
/// With more nodes nothing is said.
const MOST_NODES: usize = 512;
/// A node grows so often before its bounds are widened.
const EXACT_VISITS: usize = 3;
/// All nodes together grow so often before nothing is said.
const VISITS: usize = 2_000;
const NARROWING: usize = 2;

/// States in which the guards of the same operations hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Operations whose guards hold.
    pub enabled: Vec<OperationId>,
    /// Operations of which it was left open.
    pub open: Vec<OperationId>,
    /// What is known of each variable in these states.
    pub variables: Vec<(Name, Value)>,
    /// The conjuncts that hold in all reachable states of the node; typings are not listed.
    pub holds: Vec<ConjunctId>,
}

/// Abstract states by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByFlow {
    /// In the order of the operations that are enabled.
    pub nodes: Vec<Node>,
    /// The conjuncts that hold in every reachable state, typings among them.
    pub proved: Vec<ConjunctId>,
    /// A limit was reached, and nothing is known.
    pub given_up: bool,
}

impl ByFlow {
    /// Interprets a model.
    pub fn of(analysis: &Analysis<'_>) -> ByFlow {
        let level = analysis.model.concrete();
        let guards = level.operations.iter().map(|id| {
            let (locals, conjuncts) = guard_of(analysis.model.operation(*id));
            Guard { id: *id, locals, conjuncts }
        });
        Flow { analysis, guards: guards.collect(), base: Interpretation::new(analysis) }.run()
    }
}

/// What must hold for an operation to be enabled.
struct Guard<'m> {
    id: OperationId,
    locals: Vec<LocalId>,
    conjuncts: Vec<&'m Conjunct>,
}

/// Which guards hold, by operation; nothing where it is open.
type Key = Vec<Option<bool>>;
/// What is known of the states of each node.
type Parts = BTreeMap<Key, Env>;

struct Flow<'a, 'm> {
    analysis: &'a Analysis<'m>,
    guards: Vec<Guard<'m>>,
    base: Interpretation<'a, 'm>,
}

impl Flow<'_, '_> {
    fn run(mut self) -> ByFlow {
        self.base.candidates = self.base.established();
        loop {
            let Some(parts) = self.fixed_point() else {
                return ByFlow { given_up: true, ..ByFlow::default() };
            };
            let refuted = self.refuted(&parts);
            if refuted.is_empty() {
                return self.told(&parts);
            }
            self.base.candidates.retain(|id, _| !refuted.contains(id));
        }
    }

    /// Where a guard holds.
    fn enabled(&self, guard: &Guard<'_>, env: &Env) -> Env {
        let mut inner = env.clone();
        guard.locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
        for _ in 0..2 {
            for conjunct in &guard.conjuncts {
                self.analysis.refill();
                self.analysis.assume(&conjunct.pred, true, &mut inner);
            }
        }
        inner.without_locals()
    }

    /// Where it does not.
    fn disabled(&self, guard: &Guard<'_>, env: &Env) -> Env {
        if !guard.locals.is_empty() {
            return env.clone();
        }
        let mut before = env.clone();
        let mut found = env.clone();
        found.kill();
        for conjunct in &guard.conjuncts {
            self.analysis.refill();
            // What has no meaning is neither true nor false.
            if !self.analysis.is_defined_pred(&conjunct.pred, &before) {
                return env.clone();
            }
            found = found.join(&self.analysis.with(&conjunct.pred, false, &before));
            self.analysis.assume(&conjunct.pred, true, &mut before);
        }
        found
    }

    /// One abstract state as parts of nodes.
    fn split(&self, env: &Env) -> Parts {
        let mut parts = Parts::from([(Vec::new(), env.clone())]);
        for guard in &self.guards {
            let may_split = parts.len() < NODES;
            let mut next = Parts::new();
            for (key, env) in parts {
                let mut put = |truth, env: Env| {
                    if !env.is_dead() {
                        let mut key = key.clone();
                        key.push(truth);
                        next.insert(key, env);
                    }
                };
                if may_split {
                    put(Some(true), self.enabled(guard, &env));
                    put(Some(false), self.disabled(guard, &env));
                } else {
                    put(None, env);
                }
            }
            parts = next;
        }
        parts
    }

    /// What is known of a node, narrowed by what makes it one.
    fn within(&self, key: &Key, env: &Env) -> Env {
        let mut narrow = env.clone();
        for (guard, truth) in self.guards.iter().zip(key) {
            narrow = match truth {
                Some(true) => self.enabled(guard, &narrow),
                Some(false) => self.disabled(guard, &narrow),
                None => continue,
            };
        }
        narrow
    }

    /// What each operation that may be enabled makes of the states of a node.
    fn steps<'s>(&'s self, key: &'s Key, env: &Env) -> impl Iterator<Item = (OperationId, Env)> {
        let before = self.base.assuming(env);
        let possible = self.guards.iter().zip(key).filter(|(_, truth)| **truth != Some(false));
        possible.map(move |(guard, _)| (guard.id, self.base.step(guard.id, &before)))
    }

    fn fixed_point(&self) -> Option<Parts> {
        let mut known = Parts::new();
        let mut visits: BTreeMap<Key, usize> = BTreeMap::new();
        let mut waiting: BTreeSet<Key> = BTreeSet::new();
        let mut arrived: Vec<Env> = vec![self.base.initial.clone()];
        for _ in 0..VISITS {
            for env in std::mem::take(&mut arrived) {
                for (key, part) in self.split(&env) {
                    let times = visits.entry(key.clone()).or_default();
                    let Some(old) = known.get(&key) else {
                        known.insert(key.clone(), part);
                        waiting.insert(key);
                        continue;
                    };
                    let joined = old.join(&part);
                    if joined == *old {
                        continue;
                    }
                    *times += 1;
                    let wide = match *times <= EXACT_VISITS {
                        true => joined,
                        false => old.widen(&joined, &self.analysis.thresholds),
                    };
                    known.insert(key.clone(), wide);
                    waiting.insert(key);
                }
            }
            if self.analysis.is_exhausted() || known.len() > MOST_NODES {
                return None;
            }
            let Some(key) = waiting.pop_first() else { return Some(self.narrowed(known)) };
            if let Some(env) = known.get(&key) {
                arrived.extend(self.steps(&key, &self.within(&key, env)).map(|(_, env)| env));
            }
        }
        None
    }

    /// What all nodes lead to, from states that contain all reachable ones.
    fn narrowed(&self, mut known: Parts) -> Parts {
        // Where guards were left open, a state may come into another node than before.
        if known.keys().flatten().any(Option::is_none) {
            return known;
        }
        for _ in 0..NARROWING {
            let mut next = self.split(&self.base.initial);
            for (key, env) in &known {
                for (_, after) in self.steps(key, &self.within(key, env)) {
                    for (to, part) in self.split(&after) {
                        let joined =
                            next.get(&to).map_or_else(|| part.clone(), |old| old.join(&part));
                        next.insert(to, joined);
                    }
                }
            }
            // A node that nothing leads to has no states.
            let met = known.iter().filter_map(|(key, env)| {
                let met = self.within(key, &env.meet(next.get(key)?));
                (!met.is_dead()).then(|| (key.clone(), met))
            });
            let met: Parts = met.collect();
            if met == known {
                break;
            }
            known = met;
        }
        known
    }

    /// The conjuncts that some step may break.
    fn refuted(&self, known: &Parts) -> BTreeSet<ConjunctId> {
        let mut refuted = BTreeSet::new();
        for (key, env) in known {
            for (id, after) in self.steps(key, &self.within(key, env)) {
                let touched = self.base.touched(id);
                let broken = touched.filter(|(_, i)| !holds(self.analysis, i, &after));
                refuted.extend(broken.map(|(conjunct, _)| *conjunct));
            }
        }
        refuted
    }

    fn told(&self, known: &Parts) -> ByFlow {
        let level = self.analysis.model.concrete();
        let proved: Vec<ConjunctId> = self.base.candidates.keys().copied().collect();
        let nodes = known.iter().map(|(key, env)| {
            let env = self.within(key, &self.base.assuming(env));
            let of = |wanted: Option<bool>| {
                let these = self.guards.iter().zip(key).filter(|(_, truth)| **truth == wanted);
                these.map(|(guard, _)| guard.id).collect()
            };
            let spoken = level.numbered_invariants().filter(|(_, i)| !i.only_types);
            let here =
                spoken.filter(|(id, i)| proved.contains(id) || holds(self.analysis, i, &env));
            let variables = level.variables.iter().map(|v| Name::Variable(*v));
            Node {
                enabled: of(Some(true)),
                open: of(None),
                variables: variables.map(|n| (n, self.analysis.known(n, &env))).collect(),
                holds: here.map(|(id, _)| id).collect(),
            }
        });
        ByFlow { nodes: nodes.collect(), proved: proved.clone(), given_up: false }
    }
}
