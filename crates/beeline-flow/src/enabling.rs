//! What a step of one operation does to the guard of another: enabling predicates (Definition 1) and
//! independence (Definition 2, Lemma 4).
//!
//! The guard is carried back through each path of the first operation, and simplified under what holds before:
//! properties, invariant, conditions of the path (Fig. 15). So all that is said holds for steps from states that
//! satisfy the invariant.

use crate::action::{self, Action, Path};
use crate::asker::Asker;
use crate::bases::{Bases, Way};
use crate::carry::carried;
use crate::effort::{Effort, Job, Progress};
use crate::guard::{self, Guard};
use crate::keep::{keeps, turns};
use crate::known::Known;
use crate::offer::{Offer, offer, proves};
use crate::reads::{ReadSets, read_sets};
use crate::replace::{is_large, is_large_pred};
use beeline_model::{LocalId, Model, OperationId, Pred};
use beeline_prove::Source;

/// What is known of the guard of one operation after a step of another.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// It holds.
    Always,
    /// It does not.
    Never,
    /// It holds exactly if what stands in the case of the path that was taken holds before the step.
    If(Vec<Case>),
    /// Nothing.
    Unknown,
}

/// The enabling predicate of one path.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The path of the first operation.
    pub path: usize,
    /// What chooses the path.
    pub branch: Vec<Pred>,
    /// The conjuncts; none means true. `None`: false.
    pub predicate: Option<Vec<Pred>>,
    /// The places of these conjuncts in the guard.
    pub left: Vec<usize>,
}

/// Why a guard has the same value before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Independence {
    /// Nothing that it reads is written.
    Reads,
    /// What it says is the same.
    Proved,
}

/// What a statement leans on, beside the text of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// The invariant: it says nothing of steps from states that violate it.
    pub invariant: bool,
    /// The sizes of sets, `MININT` and `MAXINT` of one scope.
    pub scope: bool,
    /// Who proved something of it, beside the closure of what is written.
    pub by: Vec<&'static str>,
}

/// What one operation does to the guard of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The operation that takes a step; without one, initialisation.
    pub first: Option<OperationId>,
    /// The operation whose guard it is.
    pub second: OperationId,
    /// What the guard is afterwards.
    pub effect: Effect,
    /// What that leans on.
    pub basis: Basis,
    /// After such a step every conjunct of the guard surely has a meaning. Otherwise the guard may fail, where
    /// `effect` says that it does not hold.
    pub defined: bool,
    /// The guard is the same for the same parameters.
    pub independent: Option<Independence>,
    /// What that leans on.
    pub kept_by: Basis,
    /// Where the guard does not hold before, it may hold afterwards. That it may not leans on what `effect` does.
    pub may_enable: bool,
    /// Where the guard holds before, it may not hold afterwards.
    pub may_disable: bool,
    /// What the step does to whether the second one is enabled for some parameters.
    pub offer: Offer,
    /// What that leans on.
    pub offered_by: Basis,
    /// The steps of work were used up: more may be true.
    pub limited: bool,
}

impl Relation {
    fn new(first: Option<OperationId>, second: OperationId) -> Relation {
        Relation {
            first,
            second,
            effect: Effect::Unknown,
            basis: Basis::default(),
            defined: false,
            independent: None,
            kept_by: Basis::default(),
            may_enable: true,
            may_disable: true,
            // An operation that takes a step was enabled.
            offer: Offer { always: false, may_enable: first != Some(second), may_disable: true },
            offered_by: Basis::default(),
            limited: false,
        }
    }
}

/// All pairs of a model.
pub struct Enabling {
    /// The model, with names for choices and for parameters of guards.
    pub model: Model,
    /// What is done: initialisation first; `None` where there are too many paths.
    pub actions: Vec<Option<Action>>,
    /// When it is done; `None` where that is not understood.
    pub guards: Vec<Option<Guard>>,
    /// Every pair, in the order of the operations.
    pub relations: Vec<Relation>,
    /// All pairs were looked at; those that were not are unknown.
    pub complete: bool,
}

/// Looks at all pairs.
pub fn enabling(model: &Model, effort: Effort) -> Enabling {
    enabling_with(model, &mut Job { effort, sources: Vec::new(), go_on: &mut |_| true })
}

/// Looks at all pairs, asks others where the closure decides nothing, and tells how far it has come.
pub fn enabling_with(model: &Model, job: &mut Job<'_>) -> Enabling {
    let sets = read_sets(model);
    let mut model = model.clone();
    let operations = model.concrete().operations.clone();
    let mut actions = vec![action::initialisation(&mut model)];
    actions.extend(operations.iter().map(|id| action::operation(&mut model, *id)));
    let guards: Vec<Option<Guard>> =
        operations.iter().map(|id| guard::guard(&mut model, *id)).collect();
    let mut pairs = Pairs { model: &model, sets: &sets, guards: &guards, job, context: 0 };
    let (relations, complete) = pairs.all(&actions);
    Enabling { model, actions, guards, relations, complete }
}

struct Pairs<'p, 'j> {
    model: &'p Model,
    sets: &'p [ReadSets],
    guards: &'p [Option<Guard>],
    job: &'p mut Job<'j>,
    /// The number of the next context.
    context: usize,
}

impl<'p> Pairs<'p, '_> {
    fn all(&mut self, actions: &[Option<Action>]) -> (Vec<Relation>, bool) {
        let operations = &self.model.concrete().operations;
        let count = actions.len() * operations.len();
        let bases = Bases::new(self.model, self.job.effort);
        let mut relations = Vec::new();
        let mut complete = true;
        for (first, action) in self.sets.iter().zip(actions) {
            let mut ways: Option<Vec<Way<'p>>> = None;
            for (at, id) in operations.iter().enumerate() {
                let mut relation = Relation::new(first.operation, *id);
                let apart = first.operation.is_some() && first.leaves_guard_of(&self.sets[at + 1]);
                relation.independent = apart.then_some(Independence::Reads);
                let progress = Progress { pairs: relations.len(), of: count };
                complete = complete && (self.job.go_on)(progress);
                if complete && let (Some(action), Some(guard)) = (action, &self.guards[at]) {
                    let ways = ways.get_or_insert_with(|| {
                        let context = self.context;
                        self.context += action.paths.len();
                        bases.ways(action, context)
                    });
                    self.pair(&mut relation, action, ways, guard);
                }
                relations.push(relation);
            }
        }
        (relations, complete)
    }

    /// First without the invariant, then with it, then with others.
    fn pair(&mut self, relation: &mut Relation, action: &Action, ways: &[Way<'_>], guard: &Guard) {
        let (inner, apart) = (relation.first.is_some(), relation.independent.is_some());
        let look = Look { action, ways, guard, keeps: inner && !apart };
        let steps = self.job.effort.steps / ways.len().max(1) as u64;
        let mut found = look.at(&|way| way.before.with(steps), None);
        let mut settled = found.is_settled(apart);
        relation.take(found, false);
        if inner && !settled {
            found = look.at(&|way| way.after.with(steps), None);
            settled = found.is_settled(apart);
            relation.take(found, true);
        }
        if !settled && !self.job.sources.is_empty() {
            let sources = Some(&mut self.job.sources);
            relation.take(look.at(&|way| way.after.with(steps), sources), inner);
        }
    }
}

/// One pair, with what is known on each path.
struct Look<'l, 'p> {
    action: &'l Action,
    ways: &'l [Way<'p>],
    guard: &'l Guard,
    /// Is it asked whether the guard keeps its value?
    keeps: bool,
}

impl<'p> Look<'_, 'p> {
    fn at<'j>(
        &self,
        known: &dyn Fn(&Way<'p>) -> Known<'p>,
        mut sources: Option<&mut Vec<&'j mut dyn Source>>,
    ) -> Found {
        let mut found = Found::new(self.keeps);
        for (at, (path, way)) in self.action.paths.iter().zip(self.ways).enumerate() {
            let mut asker = Asker::alone(known(way));
            asker.others = sources.as_deref_mut().map(|s| (s, &way.context));
            let named = self.action.operation.map(|id| asker.known.model.operation(id));
            let mut named = named.map_or(Vec::new(), |first| first.parameters.clone());
            named.extend(&path.chosen);
            found.path(at, (path, &named), self.guard, &mut asker);
            if found.gave_up {
                break;
            }
        }
        found
    }
}

impl Relation {
    /// Takes what was found later, where it says more.
    fn take(&mut self, found: Found, invariant: bool) {
        self.limited = found.limited;
        let basis = Basis { invariant, scope: found.scope, by: found.by.clone() };
        let is_sure = |e: &Effect| matches!(e, Effect::Always | Effect::Never);
        if found.kept && self.independent.is_none() {
            self.independent = Some(Independence::Proved);
            self.kept_by = basis.clone();
        }
        if found.gave_up {
            return;
        }
        self.take_offer(&found.offer, &basis);
        let effect = found.effect();
        let better = match (is_sure(&self.effect), is_sure(&effect)) {
            (true, true) => found.defined && !self.defined,
            (true, false) => false,
            (false, true) => true,
            (false, false) => effect != self.effect || (found.defined && !self.defined),
        };
        // What is found later is found from more.
        let turns = (self.may_enable, self.may_disable);
        if better || !is_sure(&self.effect) {
            self.may_enable &= found.may_enable;
            self.may_disable &= found.may_disable;
        }
        if better {
            (self.effect, self.basis, self.defined) = (effect, basis, found.defined);
        } else if turns != (self.may_enable, self.may_disable) {
            self.basis.invariant |= invariant;
        }
    }
}

impl Relation {
    /// What was found earlier stays true.
    fn take_offer(&mut self, found: &Offer, basis: &Basis) {
        let old = self.offer;
        self.offer = Offer {
            always: old.always || found.always,
            may_enable: old.may_enable && found.may_enable,
            may_disable: old.may_disable && found.may_disable,
        };
        if self.offer != old {
            let all = &mut self.offered_by;
            all.invariant |= basis.invariant;
            all.scope |= basis.scope;
            all.by.extend(
                basis.by.iter().filter(|name| !all.by.contains(name)).copied().collect::<Vec<_>>(),
            );
        }
    }
}

/// What was found of one pair.
struct Found {
    cases: Vec<Case>,
    kept: bool,
    may_enable: bool,
    may_disable: bool,
    offer: Offer,
    defined: bool,
    gave_up: bool,
    limited: bool,
    scope: bool,
    by: Vec<&'static str>,
}

impl Found {
    fn new(keeps: bool) -> Found {
        Found {
            cases: Vec::new(),
            kept: keeps,
            may_enable: false,
            may_disable: false,
            // Of no path so far.
            offer: Offer { always: true, may_enable: false, may_disable: false },
            defined: true,
            gave_up: false,
            limited: false,
            scope: false,
            by: Vec::new(),
        }
    }

    fn effect(&self) -> Effect {
        if self.gave_up {
            Effect::Unknown
        } else if self.cases.iter().all(|c| c.predicate.is_none()) {
            Effect::Never
        } else if self.cases.iter().all(|c| c.predicate.as_ref().is_some_and(Vec::is_empty)) {
            Effect::Always
        } else {
            Effect::If(self.cases.clone())
        }
    }

    /// Is there nothing left to find?
    fn is_settled(&self, apart: bool) -> bool {
        let sure = matches!(self.effect(), Effect::Always | Effect::Never);
        sure && self.defined && (apart || self.kept)
    }

    /// Adds a path, in which a step has values of these names.
    fn path(
        &mut self,
        at: usize,
        (path, named): (&Path, &[LocalId]),
        guard: &Guard,
        asker: &mut Asker<'_, '_, '_>,
    ) {
        // A path that cannot be taken has no steps to speak of.
        if asker.known.is_contradictory() {
            return;
        }
        let Some(simplified) = simplified(asker, (path, named), guard) else {
            (self.gave_up, self.kept) = (true, false);
            return;
        };
        self.kept = self.kept && keeps(asker, path, guard, &simplified.predicate);
        let (enables, disables) = match &simplified.predicate {
            _ if self.kept => (false, false),
            Some(list) if list.is_empty() => (true, false),
            None => (false, true),
            Some(_) => turns(&asker.known, path, guard),
        };
        self.may_enable |= enables;
        self.may_disable |= disables;
        let offered = match &simplified.predicate {
            Some(list) if list.is_empty() => {
                Offer { always: true, may_enable: enables, may_disable: false }
            }
            None => Offer { always: false, may_enable: false, may_disable: disables },
            Some(_) => {
                let carry = |p| carried(&mut asker.known, path, p);
                let after: Vec<Pred> = guard.conjuncts.iter().map(carry).collect();
                let turns = (enables, disables);
                let names = (&guard.parameters[..], named);
                offer(asker, names, (&guard.conjuncts, &after), turns)
            }
        };
        self.offer.always &= offered.always;
        self.offer.may_enable |= offered.may_enable;
        self.offer.may_disable |= offered.may_disable;
        self.defined &= simplified.defined;
        self.limited |= simplified.limited;
        self.scope |= asker.scope;
        for name in std::mem::take(&mut asker.by) {
            if !self.by.contains(&name) {
                self.by.push(name);
            }
        }
        let Simplified { predicate, places: left, .. } = simplified;
        self.cases.push(Case { path: at, branch: path.branch.clone(), predicate, left });
    }
}

/// The enabling predicate of a path.
struct Simplified {
    /// The conjuncts; `None`: false.
    predicate: Option<Vec<Pred>>,
    /// Their places in the guard.
    places: Vec<usize>,
    /// All conjuncts of the guard surely have a meaning after the step.
    defined: bool,
    limited: bool,
}

/// The enabling predicate of a path, as in Fig. 15; `None`: it is too large.
fn simplified(
    asker: &mut Asker<'_, '_, '_>,
    (path, named): (&Path, &[LocalId]),
    guard: &Guard,
) -> Option<Simplified> {
    let start = asker.known.clone();
    let too_large =
        guard.conjuncts.iter().any(is_large_pred) || path.after.iter().any(|(_, e)| is_large(e));
    if too_large {
        return None;
    }
    let (mut left, mut places, mut defined, mut never) = (Vec::new(), Vec::new(), true, false);
    for (at, p) in guard.conjuncts.iter().enumerate() {
        let p = carried(&mut asker.known, path, p);
        if is_large_pred(&p) {
            return None;
        }
        let has_meaning = asker.known.is_defined(&p);
        defined &= has_meaning;
        if never {
            continue;
        }
        match asker.truth(&p) {
            Some(true) if has_meaning => continue,
            None if has_meaning && proves(&mut asker.known, &p, named) => continue,
            Some(false) => {
                never = true;
                continue;
            }
            _ => {}
        }
        let folded = asker.known.folded(&p);
        let mut with = asker.known.clone();
        with.assume([&p]);
        if with.is_contradictory() {
            never = true;
            continue;
        }
        asker.known = with;
        asker.assumed.push(p);
        for part in folded.into_conjuncts() {
            left.push(part);
            places.push(at);
        }
    }
    let limited = asker.known.is_out_of_steps();
    let steps = asker.known.steps_left();
    asker.known = start.with(steps.max(1));
    asker.assumed.clear();
    if never {
        (left, places) = (Vec::new(), Vec::new());
    }
    Some(Simplified { predicate: (!never).then_some(left), places, defined, limited })
}
