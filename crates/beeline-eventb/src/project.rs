//! What an Event-B project says, whichever form it came in.
//!
//! Formulas and actions are trees of `beeline-syntax`: the two languages differ in how they are
//! written, and hardly in what can be said. Nothing is resolved here: names are names.

use beeline_source::Span;
use beeline_syntax::ast::{Expr, Ident, Name, Subst};
use rustc_hash::FxHashMap;

/// Contexts, machines and what is known about them.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// In the order they were met.
    pub contexts: Vec<Context>,
    /// In the order they were met.
    pub machines: Vec<Machine>,
    /// Operators and data types that the formulas may use.
    pub theories: Vec<Theory>,
    /// What a prover said.
    pub proofs: Vec<Proof>,
    /// What was to be proved, where that is known: at most one entry a machine.
    pub obligations: Vec<Obligations>,
    /// Invariants that were not proved to have a meaning in every state: machine and label. Proofs
    /// about them take that for granted.
    pub maybe_undefined: Vec<(Name, Name)>,
    /// The machine or context that was asked for; the last one of its chain if nothing was.
    pub main: Option<Name>,
}

impl Project {
    /// The machine of this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.machines.iter().find(|m| m.name.name == name)
    }

    /// The context of this name.
    pub fn context(&self, name: &str) -> Option<&Context> {
        self.contexts.iter().find(|c| c.name.name == name)
    }
}

/// A context.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its name.
    pub name: Ident,
    /// Contexts it extends.
    pub extends: Vec<Ident>,
    /// Carrier sets.
    pub sets: Vec<Ident>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Axioms and theorems.
    pub axioms: Vec<Labelled>,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Ident,
    /// It was marked as one that need not be listed.
    pub symbolic: bool,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its name.
    pub name: Ident,
    /// The machine it refines.
    pub refines: Option<Ident>,
    /// Contexts it sees.
    pub sees: Vec<Ident>,
    /// Its variables, those that it keeps of its abstraction among them.
    pub variables: Vec<Ident>,
    /// Invariants and theorems.
    pub invariants: Vec<Labelled>,
    /// What convergent events decrease.
    pub variants: Vec<Expr>,
    /// Events; INITIALISATION is one of them.
    pub events: Vec<Event>,
}

/// A predicate with its label.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The label; may be empty.
    pub label: Name,
    /// What it says.
    pub formula: Expr,
    /// It follows from what stands before it, or is claimed to.
    pub theorem: bool,
}

/// Whether an event must decrease the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convergence {
    /// No.
    Ordinary,
    /// Yes.
    Convergent,
    /// Not yet; but it must not increase it.
    Anticipated,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Ident,
    /// Its part in proofs that a machine comes to an end.
    pub convergence: Convergence,
    /// The abstract events it refines; empty for a new one.
    pub refines: Vec<Ident>,
    /// It repeats what it extends without writing it down.
    pub extended: bool,
    /// Parameters.
    pub parameters: Vec<Ident>,
    /// Guards and theorems.
    pub guards: Vec<Labelled>,
    /// Values for what its abstraction has and it does not.
    pub witnesses: Vec<Witness>,
    /// What it does, all at once.
    pub actions: Vec<Action>,
}

impl Event {
    /// The name of the event that begins a machine.
    pub const INITIALISATION: &str = "INITIALISATION";

    /// Does it begin the machine?
    pub fn is_initialisation(&self) -> bool {
        self.name.name == Event::INITIALISATION
    }
}

/// A value for a parameter `p`, or for a variable's next value `x'`, of the abstraction.
#[derive(Clone, Debug)]
pub struct Witness {
    /// `p` or `x'`
    pub name: Ident,
    /// What holds of it.
    pub formula: Expr,
}

/// One action: an assignment, `::` or `:|`. In the predicate of `:|`, `x'` is the next value.
#[derive(Clone, Debug)]
pub struct Action {
    /// The label; may be empty.
    pub label: Name,
    /// One of `Assign`, `BecomesElement`, `BecomesSuch`, `Skip`.
    pub subst: Subst,
}

/// A theory: operators and data types.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    /// Its name.
    pub name: Name,
    /// Type parameters.
    pub parameters: Vec<Name>,
    /// Data types.
    pub datatypes: Vec<Datatype>,
    /// Operators.
    pub operators: Vec<Operator>,
    /// Operators that are built into a checker: name, and the name of what is built in.
    pub mappings: Vec<(Name, Name)>,
}

/// A data type.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Ident,
    /// The type parameters it depends on.
    pub parameters: Vec<Name>,
    /// Constructors: a name, and destructors with the types of their values.
    pub constructors: Vec<(Ident, Vec<(Ident, Expr)>)>,
}

/// An operator of a theory.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its name.
    pub name: Ident,
    /// Arguments and their types.
    pub arguments: Vec<(Ident, Expr)>,
    /// What it means; `None` if it is recursive or only described by axioms.
    pub definition: Option<Expr>,
    /// What it means, by how one of its arguments was constructed; these may speak of itself.
    pub cases: Vec<Case>,
}

/// One case of a recursive operator.
#[derive(Clone, Debug)]
pub struct Case {
    /// The argument that is looked at.
    pub argument: Name,
    /// A constructor with names for its parts, or without parts.
    pub pattern: Expr,
    /// What the operator is then.
    pub value: Expr,
}

/// What a prover said of one obligation that an event preserves an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The machine.
    pub component: Name,
    /// The event.
    pub event: Name,
    /// The label of the invariant.
    pub invariant: Name,
}

/// What was to be proved about the invariants of a machine, as the file of obligations has it.
#[derive(Clone, Debug, Default)]
pub struct Obligations {
    /// The machine.
    pub component: Name,
    /// Hypotheses that sequents share, by name.
    pub sets: FxHashMap<Name, PredicateSet>,
    /// One a question, by name: `event/label/INV`, or `label/WD`.
    pub sequents: FxHashMap<Name, Sequent>,
}

/// Hypotheses, and those of the parent.
#[derive(Clone, Debug, Default)]
pub struct PredicateSet {
    /// The name of the set that it adds to.
    pub parent: Option<Name>,
    /// What is assumed; `None` for what cannot be read.
    pub predicates: Vec<Option<Expr>>,
    /// Names, each with its type; `None` for a type that cannot be read.
    pub identifiers: Vec<(Name, Option<Expr>)>,
}

/// One question to a prover.
#[derive(Clone, Debug)]
pub struct Sequent {
    /// When it changed last.
    pub stamp: String,
    /// Its own hypotheses, which name what they add to.
    pub hypotheses: Vec<PredicateSet>,
    /// What was to be shown; `None` if that cannot be read.
    pub goal: Option<Expr>,
}

/// An identifier without a place.
pub fn ident(name: impl Into<Name>, span: Span) -> Ident {
    Ident { name: name.into(), span }
}
