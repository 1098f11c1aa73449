//! What a step of one operation does to the guard of another: enabling predicates (Definition 1) and
//! independence (Definition 2, Lemma 4).
//!
//! The guard is carried back through each path of the first operation, and simplified under what holds before:
//! properties, invariant, conditions of the path (Fig. 15). So all that is said holds for steps from states that
//! satisfy the invariant.

use crate::action::{self, Action, Path};
use crate::asker::Asker;
use crate::bases::{Bases, Way};
use crate::effort::{Effort, Job, Progress};
use crate::guard::{self, Guard};
use crate::known::{Known, fold_exprs};
use crate::make;
use crate::reads::{ReadSets, read_sets};
use crate::replace::{Values, is_large, is_large_pred};
use crate::sets::read_back_in;
use beeline_model::{CompareOp, Expr, Footprint, Model, OperationId, Place, Pred, PredKind};
use beeline_prove::{Key, Source};

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
            found.path(at, path, self.guard, &mut asker);
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

/// What was found of one pair.
struct Found {
    cases: Vec<Case>,
    kept: bool,
    may_enable: bool,
    may_disable: bool,
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

    fn path(&mut self, at: usize, path: &Path, guard: &Guard, asker: &mut Asker<'_, '_, '_>) {
        // A path that cannot be taken has no steps to speak of.
        if asker.known.is_contradictory() {
            return;
        }
        let Some(simplified) = simplified(asker, path, guard) else {
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

/// A conjunct of a guard as it is before the step.
pub(crate) fn carried(known: &mut Known<'_>, path: &Path, p: &Pred) -> Pred {
    let mut values = Values::default();
    path.after.iter().for_each(|(v, e)| values.set(Place::Variable(*v), e.clone()));
    let model = known.model;
    let carried = values.pred(p);
    let mut carried = read_back_in(model, &carried, &mut |a, b| {
        let equal = make::compare(CompareOp::Equal, a.clone(), b.clone());
        // An index that may have no meaning stays where it is.
        known.truth(&equal).filter(|same| !same || known.is_defined(&equal))
    });
    fold_exprs(&mut carried);
    carried
}

/// The value of an expression after a step, in terms of the state before it.
pub(crate) fn carried_expr(known: &mut Known<'_>, path: &Path, e: &Expr) -> Expr {
    let whole = make::compare(CompareOp::Equal, e.clone(), e.clone());
    match carried(known, path, &whole).kind {
        PredKind::Compare(_, after, _) => *after,
        _ => e.clone(),
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
fn simplified(asker: &mut Asker<'_, '_, '_>, path: &Path, guard: &Guard) -> Option<Simplified> {
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

/// Has the guard the same value before the step as after it?
fn keeps(
    asker: &mut Asker<'_, '_, '_>,
    path: &Path,
    guard: &Guard,
    after: &Option<Vec<Pred>>,
) -> bool {
    let written = |p: &Pred| {
        let reads = Footprint::of_pred(p).reads;
        path.after.iter().any(|(v, _)| reads.contains(v))
    };
    let each = guard.conjuncts.iter().all(|p| {
        if !written(p) {
            return true;
        }
        let q = carried(&mut asker.known, path, p);
        same(asker, p, &q)
    });
    if each {
        return true;
    }
    // It may be that it never holds before, and never after; or always.
    match after {
        None => {
            let mut known = asker.known.clone();
            known.assume(&guard.conjuncts);
            known.is_contradictory() && guard.conjuncts.iter().all(|p| asker.known.is_defined(p))
        }
        Some(list) if list.is_empty() => guard
            .conjuncts
            .iter()
            .all(|p| asker.known.is_defined(p) && asker.truth(p) == Some(true)),
        Some(_) => false,
    }
}

/// May a guard that did not hold begin to hold, for the same parameters? May one that held not hold any more?
fn turns(known: &Known<'_>, path: &Path, guard: &Guard) -> (bool, bool) {
    let mut before = known.clone();
    let after: Vec<Pred> = guard.conjuncts.iter().map(|p| carried(&mut before, path, p)).collect();
    let follows = |from: &[Pred], to: &[Pred]| {
        let mut known = known.clone();
        known.assume(from);
        known.is_contradictory()
            || to.iter().all(|p| known.truth(p) == Some(true) && known.is_defined(p))
    };
    (!follows(&after, &guard.conjuncts), !follows(&guard.conjuncts, &after))
}

/// Have two predicates the same value, or no meaning both?
fn same(asker: &mut Asker<'_, '_, '_>, p: &Pred, q: &Pred) -> bool {
    let mut plain = p.clone();
    fold_exprs(&mut plain);
    let (written, carried) = (Key::pred(&plain), Key::pred(q));
    if written == carried || same_by_closure(&mut asker.known, p, q) {
        return true;
    }
    if !asker.has_others() || !asker.known.is_defined(p) || !asker.known.is_defined(q) {
        return false;
    }
    asker.excluded(&[p, &make::not(q.clone())]) && asker.excluded(&[&make::not(p.clone()), q])
}

fn same_by_closure(known: &mut Known<'_>, p: &Pred, q: &Pred) -> bool {
    let both = (known.truth(p), known.truth(q));
    if let (Some(a), Some(b)) = both
        && a == b
        && known.is_defined(p)
        && known.is_defined(q)
    {
        return true;
    }
    let (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) = (&p.kind, &q.kind) else {
        return false;
    };
    if op != other {
        return false;
    }
    let mut class = |e| {
        let id = known.terms.term(e);
        known.terms.class(id)
    };
    if class(a) == class(c) && class(b) == class(d) {
        return true;
    }
    if !crate::terms::is_integer(a) || !known.is_defined(p) || !known.is_defined(q) {
        return false;
    }
    let mut difference = |x, y| known.terms.sum(x)?.plus(-1, &known.terms.sum(y)?);
    let (before, after) = (difference(a, b), difference(c, d));
    !matches!(op, CompareOp::Member | CompareOp::NotMember) && before.is_some() && before == after
}
