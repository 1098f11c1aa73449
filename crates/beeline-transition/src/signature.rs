//! What a transition system consists of: plain data, the same for the whole of a search.

use crate::OperationIndex;
use beeline_model::ConjunctId;
use beeline_source::Span;

/// Names one predicate that a system can evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub usize);

/// What a system consists of. States have slots, by number; operations and checks say which of them
/// they look at.
///
/// Whoever adds a reduction finds its read and write sets here; a set that is too large costs time, one
/// that is too small makes wrong results.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// Slots of a state.
    pub variables: usize,
    /// Words of a valuation of the constants.
    pub constants: usize,
    /// Does a valuation of the constants count as a state of its own?
    pub has_setup: bool,
    /// What can happen, in the order in which it is looked at.
    pub operations: Vec<Label>,
    /// The conjuncts of the invariant.
    pub invariants: Vec<Check>,
    /// The assertions, static and dynamic.
    pub assertions: Vec<Check>,
    /// What was proved elsewhere, by each who proved something.
    pub provers: Vec<Prover>,
    /// A predicate to look for.
    pub goal: Option<PredId>,
    /// States in which this is false are neither checked nor expanded.
    pub scope: Option<PredId>,
    /// Can it say how far a state is from what is looked for?
    pub has_target: bool,
}

impl Signature {
    /// Everything that is checked, in the order in which it is shown.
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        self.invariants.iter().chain(&self.assertions)
    }

    /// Operations (or initialisation) and the conjuncts that somebody says they preserve.
    pub fn proofs(&self) -> impl Iterator<Item = (Option<OperationIndex>, ConjunctId)> {
        self.provers.iter().flat_map(|p| p.preserved.iter().copied())
    }

    /// The label of an operation. Those of another system have no place here.
    pub fn operation(&self, index: OperationIndex) -> &Label {
        &self.operations[index.0]
    }

    /// The positions of all operations.
    pub fn operation_indices(&self) -> impl Iterator<Item = OperationIndex> + use<> {
        (0..self.operations.len()).map(OperationIndex)
    }

    /// A check by its name. Names of another system have no place here.
    pub fn check(&self, id: ConjunctId) -> &Check {
        match id {
            ConjunctId::Invariant(_) => &self.invariants[id.index()],
            ConjunctId::Assertion(_) => &self.assertions[id.index()],
        }
    }
}

/// What somebody proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prover {
    /// What reports call it.
    pub name: &'static str,
    /// Operations (or initialisation) and the conjuncts they preserve: from a state in which the whole
    /// invariant holds, and of that only.
    pub preserved: Vec<(Option<OperationIndex>, ConjunctId)>,
    /// Conjuncts that are true and well-defined in every reachable state, whatever else is not.
    pub always: Vec<ConjunctId>,
}

impl Prover {
    /// Did they prove that an operation (or initialisation) preserves a conjunct, or that it is always true?
    pub fn says(&self, operation: Option<OperationIndex>, conjunct: ConjunctId) -> bool {
        self.always.contains(&conjunct) || self.preserved.contains(&(operation, conjunct))
    }
}

/// An operation: the label of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// Slots it may look at.
    pub reads: Vec<usize>,
    /// Slots it may change.
    pub writes: Vec<usize>,
}

/// Something that is checked in each state, or once a set-up.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its name, wherever it is spoken of.
    pub id: ConjunctId,
    /// The predicate.
    pub pred: PredId,
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// The slots of the state it reads: it need not be checked again while they keep their words.
    pub reads: Vec<usize>,
    /// Every well-typed value satisfies it.
    pub only_types: bool,
    /// It reads no variable: once a set-up is enough.
    pub constant: bool,
}
