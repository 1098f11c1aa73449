//! Two neighbouring levels of a model, each as a machine of its own, and what belongs to what.
//!
//! It does not know how the two are run together.

use crate::Mode;
use crate::rename::Renaming;
use beeline_model::{
    Conjunct, Footprint, Model, Operation, OperationId, Subst, SubstKind, VariableId,
};

/// A refinement and what it refines.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The position of the abstraction in [`Model::levels`]; the refinement comes next.
    pub upper: usize,
    /// The refinement alone: its operations under their own preconditions.
    pub concrete: Model,
    /// The abstraction alone.
    pub abstraction: Model,
    /// Operations of the refinement, in the order of its level, with what they refine.
    pub operations: Vec<(OperationId, Option<OperationId>)>,
    /// Conjuncts of the invariant of the refinement that relate the two levels, or speak of the refinement.
    pub glue: Vec<Conjunct>,
    /// Variables of both levels: they have the same value in both.
    pub kept: Vec<VariableId>,
    /// Conjuncts about variables of neither level: nobody looks at them.
    pub beyond: Vec<Conjunct>,
}

impl Levels {
    /// The level after `upper` as a refinement of it. Traces are made by callers who keep to the preconditions
    /// further up as far as these speak of variables that are still there; in simulation mode the abstraction
    /// says where it may be called.
    pub fn of(model: &Model, upper: usize, mode: Mode) -> Option<Levels> {
        let (above, below) = (model.levels.get(upper)?, model.levels.get(upper + 1)?);
        let kept: Vec<_> =
            below.variables.iter().filter(|v| above.variables.contains(v)).copied().collect();
        let (mut glue, mut beyond) = (Vec::new(), Vec::new());
        for invariant in below.invariants.iter().chain(&below.gluing.invariants) {
            let known = |v: &VariableId| below.variables.contains(v) || above.variables.contains(v);
            match invariant.reads.iter().all(known) {
                _ if invariant.only_types => {}
                true => glue.push(invariant.conjunct.clone()),
                false => beyond.push(invariant.conjunct.clone()),
            }
        }
        let operations =
            below.operations.iter().map(|id| (*id, counterpart(model, upper, *id))).collect();
        let (low, high) = match mode {
            Mode::Simulation => (Taken::Nothing, Taken::All),
            Mode::Trace | Mode::Failures => (Taken::Kept, Taken::Kept),
        };
        let (concrete, abstraction) = (alone(model, upper + 1, low), alone(model, upper, high));
        Some(Levels { upper, concrete, abstraction, operations, glue, kept, beyond })
    }

    /// The name of the machine that is refined.
    pub fn abstract_name(&self) -> &str {
        name(&self.abstraction)
    }

    /// The name of the refinement.
    pub fn concrete_name(&self) -> &str {
        name(&self.concrete)
    }
}

fn name(model: &Model) -> &str {
    model.component(model.concrete().component).name.as_str()
}

/// What an operation of the refinement refines: what it says, itself if both levels have it (that of a
/// machine that is seen), or what has its name.
fn counterpart(model: &Model, upper: usize, id: OperationId) -> Option<OperationId> {
    let above = &model.levels[upper].operations;
    let own = model.operation(id);
    let said = own.refines.iter().find(|r| above.contains(r)).copied();
    let same = || above.contains(&id).then_some(id);
    let named = || above.iter().find(|a| model.operation(**a).name == own.name).copied();
    said.or_else(same).or_else(named)
}

/// What an operation takes over of the preconditions further up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Nothing,
    /// Conjuncts in which every name still means something. The gluing invariant plays no part.
    Kept,
    /// Also those that the gluing invariant translates.
    All,
}

/// The machine of one level, its operations with their own preconditions and some of those further up.
fn alone(model: &Model, level: usize, taken: Taken) -> Model {
    let guarded = level + 1 == model.levels.len();
    let mut alone = model.clone();
    alone.levels.truncate(level + 1);
    for id in alone.levels[level].operations.clone() {
        let operation = &mut alone.operations[id.index()];
        let (mut conjuncts, body) = own_parts(operation, guarded);
        match taken {
            Taken::Nothing => {}
            Taken::Kept => conjuncts = demanded(model, level, id),
            Taken::All => drop(conjuncts.splice(0..0, operation.inherited.iter().cloned())),
        }
        operation.body = guarded_by(conjuncts, body);
        let lost = if taken == Taken::All { usize::MAX } else { 0 };
        operation.lost_preconditions.truncate(lost);
    }
    alone
}

/// The precondition of an operation with those further up, in its own parameters, as far as they speak of
/// variables of its level.
fn demanded(model: &Model, level: usize, id: OperationId) -> Vec<Conjunct> {
    let operation = model.operation(id);
    let mut all = Vec::new();
    let above = level.checked_sub(1).and_then(|up| Some((up, counterpart(model, up, id)?)));
    if let Some((upper, above)) = above.filter(|(_, above)| *above != id) {
        let theirs = &model.operation(above).parameters;
        let own = &operation.parameters;
        let locals = theirs.iter().copied().zip(own.iter().copied()).collect();
        let renaming = Renaming { locals, ..Renaming::default() };
        let variables = &model.levels[level].variables;
        let known =
            |c: &Conjunct| Footprint::of_pred(&c.pred).reads.iter().all(|v| variables.contains(v));
        let further = demanded(model, upper, above).into_iter().filter(known);
        let renamed = further.map(|c| Conjunct { pred: renaming.pred(&c.pred), ..c });
        all.extend(renamed.filter(|_| theirs.len() == own.len()));
    }
    all.extend(own_parts(operation, level + 1 == model.levels.len()).0);
    all
}

/// The own `PRE` of an operation, and what it guards.
fn own_parts(operation: &Operation, guarded: bool) -> (Vec<Conjunct>, Subst) {
    let inherited = if guarded { operation.inherited.len() } else { 0 };
    let (conjuncts, body) = top(&operation.body);
    (conjuncts.into_iter().skip(inherited).collect(), body)
}

/// A body as its `PRE`, if it has one, and what it guards.
pub(crate) fn top(body: &Subst) -> (Vec<Conjunct>, Subst) {
    match &body.kind {
        SubstKind::Pre(conjuncts, inner) => (conjuncts.clone(), (**inner).clone()),
        _ => (Vec::new(), body.clone()),
    }
}

/// The same put together again.
pub(crate) fn guarded_by(conjuncts: Vec<Conjunct>, body: Subst) -> Subst {
    if conjuncts.is_empty() {
        return body;
    }
    let span = body.span;
    Subst { kind: SubstKind::Pre(conjuncts, Box::new(body)), span }
}
