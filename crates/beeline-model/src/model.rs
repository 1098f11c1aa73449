//! The model as a whole.

use crate::{
    ComponentId, Conjunct, ConjunctId, ConstantId, Expr, ExternalId, FreeTypeId, LibraryFunction,
    LocalId, Name, OperationId, Pred, SetId, Subst, SubstKind, TypeId, TypeTable, VariableId,
};
use beeline_source::Span;
use std::sync::Arc;

/// A whole specification: one composition of machines, flattened and typed.
///
/// Classical B and Event-B meet here. Refinement levels stay apart in [`Model::levels`], most
/// abstract first; a plain machine has one level. Sets, constants and properties are shared.
#[derive(Clone, Debug)]
pub struct Model {
    /// The main machine's name.
    pub name: Name,
    /// Every machine of the composition, as instantiated; the main one is last.
    pub components: Vec<Component>,
    /// All types.
    pub types: TypeTable,
    /// Given sets.
    pub sets: Vec<GivenSet>,
    /// Free types.
    pub free_types: Vec<FreeType>,
    /// Constants and scalar machine parameters.
    pub constants: Vec<Constant>,
    /// State variables of all levels.
    pub variables: Vec<Variable>,
    /// Bound names of all formulas.
    pub locals: Vec<Local>,
    /// External functions, predicates and substitutions that are used.
    pub externals: Vec<External>,
    /// `CONSTRAINTS` and `PROPERTIES` of all components, and the equations of `VALUES`.
    pub properties: Vec<Property>,
    /// Operations and events of all levels and components, offered or not.
    pub operations: Vec<Operation>,
    /// Refinement levels, most abstract first; never empty.
    pub levels: Vec<Level>,
    /// Definitions with a meaning to a checker.
    pub special: Special,
    /// What was proved elsewhere, about the most concrete level: the obligation that was proved is
    /// the one that the model has.
    pub proofs: Vec<Preserved>,
    /// What is only said to be proved: it is not known what the obligation was.
    pub claims: Vec<Preserved>,
}

/// An operation that was proved to preserve a conjunct of the invariant: it leads from a state that
/// satisfies the whole invariant to one that satisfies the conjunct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Preserved {
    /// The operation; without one, initialisation, which establishes the conjunct.
    pub operation: Option<OperationId>,
    /// The conjunct.
    pub conjunct: ConjunctId,
}

/// How a component came into the composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The file that was opened.
    Main,
    /// An abstraction of the main machine, directly or further up.
    Refined,
    /// `INCLUDES` or `EXTENDS`
    Included,
    /// `IMPORTS`
    Imported,
    /// `SEES`
    Seen,
    /// `USES`
    Used,
}

/// One machine, as instantiated.
#[derive(Clone, Debug)]
pub struct Component {
    /// The machine's name.
    pub name: Name,
    /// The prefix of a renamed instance.
    pub prefix: Option<Name>,
    /// The keyword that opens it.
    pub keyword: &'static str,
    /// How it came in.
    pub role: Role,
    /// The refinement level it belongs to (index into [`Model::levels`]).
    pub level: u32,
    /// Its header.
    pub span: Span,
}

/// A given set.
#[derive(Clone, Debug)]
pub struct GivenSet {
    /// Its name.
    pub name: Name,
    /// The names of its elements, where it is enumerated.
    pub elements: Option<Vec<(Name, Span)>>,
    /// Constants that stand for the first elements of a deferred set. They are known to differ, and
    /// the elements of such a set are alike: any other choice gives the same behaviour.
    pub fixed: Vec<(Name, Span)>,
    /// Deferred, enumerated or a parameter.
    pub kind: SetKind,
    /// What is known of its size.
    pub size: SetSize,
    /// The type of its elements.
    pub ty: TypeId,
    /// The component that declares it.
    pub component: ComponentId,
    /// Where.
    pub span: Span,
}

/// Where a given set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// `SETS S`
    Deferred,
    /// `SETS S = {a, b}`
    Enumerated,
    /// A set parameter of the main machine.
    Parameter,
}

/// What the text says of a set's size. A range is what remains to be chosen or checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetSize {
    /// At least so many.
    pub min: u64,
    /// At most so many, if something says so.
    pub max: Option<u64>,
    /// Where the bounds come from.
    pub origin: SizeOrigin,
    /// The formula that says so.
    pub span: Span,
}

/// Why a set has the size it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeOrigin {
    /// Its elements are listed.
    Enumeration,
    /// A `scope_S` definition.
    Scope,
    /// `PROPERTIES` or `CONSTRAINTS` say so (`card(S) = n`, `S = {a,b}`, distinct constants).
    Properties,
    /// A `VALUES` clause.
    Values,
    /// Nothing says anything: the default size is used.
    Default,
}

/// A free type.
#[derive(Clone, Debug)]
pub struct FreeType {
    /// Its name.
    pub name: Name,
    /// How many type parameters it has.
    pub parameters: usize,
    /// Constructors: name and, for a function, the set it takes its argument from.
    ///
    /// In a free type with parameters the sets speak of the parameters as [`FreeType::locals`].
    pub constructors: Vec<(Name, Option<Expr>)>,
    /// One local of set type a parameter.
    pub locals: Vec<LocalId>,
    /// Where.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Plain, abstract or a parameter.
    pub kind: ConstantKind,
    /// The author asks to remember its applications (`/*@desc memo*/`).
    pub memo: bool,
    /// The component that declares it.
    pub component: ComponentId,
    /// Where.
    pub span: Span,
}

/// What kind of constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantKind {
    /// `CONSTANTS`, `CONCRETE_CONSTANTS`
    Concrete,
    /// `ABSTRACT_CONSTANTS`: may stay symbolic, may be recursive.
    Abstract,
    /// A scalar parameter of the main machine.
    Parameter,
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, with the prefix of a renamed instance.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// The component that declares it (the most abstract one).
    pub component: ComponentId,
    /// Where.
    pub span: Span,
}

/// A bound name.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Where it is bound.
    pub span: Span,
}

/// An external function, predicate or substitution.
#[derive(Clone, Debug)]
pub struct External {
    /// Its name.
    pub name: Name,
    /// What it yields.
    pub kind: ExternalKind,
    /// What it computes, if that is known.
    pub function: Option<LibraryFunction>,
}

/// What an external yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExternalKind {
    /// A value.
    Function,
    /// A truth.
    Predicate,
    /// An effect.
    Substitution,
}

/// One conjunct that constants must satisfy.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it says.
    pub conjunct: Conjunct,
    /// The clause it stands in.
    pub origin: PropertyOrigin,
    /// The component.
    pub component: ComponentId,
}

/// The clause of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyOrigin {
    /// `PROPERTIES`, or an axiom.
    Properties,
    /// `CONSTRAINTS`
    Constraints,
    /// `VALUES`
    Values,
}

/// One refinement level.
#[derive(Clone, Debug)]
pub struct Level {
    /// The machine of this level.
    pub component: ComponentId,
    /// The variables of its state, those of included, imported and seen machines among them.
    pub variables: Vec<VariableId>,
    /// What each of its states must satisfy.
    pub invariants: Vec<Invariant>,
    /// `ASSERTIONS`, or theorems.
    pub assertions: Vec<Assertion>,
    /// What relates its states to those of more abstract levels.
    pub gluing: Gluing,
    /// How the state begins: one step a component, executed in this order.
    pub initialisation: Vec<(ComponentId, Subst)>,
    /// What the environment may call, in the order of the text.
    pub operations: Vec<OperationId>,
    /// The variants of convergent events: what comes first counts first.
    pub variants: Vec<Expr>,
}

/// Conjuncts that speak of variables of more abstract levels which their own level does not keep.
///
/// They stand apart because a state of one level says nothing about them: whoever counts or checks
/// conjuncts of a level never meets them.
#[derive(Clone, Debug, Default)]
pub struct Gluing {
    /// Of the invariant.
    pub invariants: Vec<Invariant>,
    /// Of `ASSERTIONS`, or theorems.
    pub assertions: Vec<Assertion>,
}

/// A conjunct of an invariant.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// What it says.
    pub conjunct: Conjunct,
    /// The component that states it.
    pub component: ComponentId,
    /// Every well-typed value satisfies it.
    pub only_types: bool,
    /// The variables it reads.
    pub reads: Vec<VariableId>,
}

/// A conjunct of an assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What it says.
    pub conjunct: Conjunct,
    /// The component that states it.
    pub component: ComponentId,
    /// It speaks of constants only, or also of variables.
    pub dynamic: bool,
}

/// An operation or event.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name, with the prefix of a renamed instance.
    pub name: Name,
    /// Parameters.
    pub parameters: Vec<LocalId>,
    /// Results.
    pub results: Vec<LocalId>,
    /// What it does; a `PRE` at the top is its guard.
    pub body: Subst,
    /// Variables whose value it may look at, sorted.
    pub reads: Vec<VariableId>,
    /// Variables it may change, sorted.
    pub writes: Vec<VariableId>,
    /// The operations of the level above that it refines.
    pub refines: Vec<OperationId>,
    /// Preconditions of what it refines, in terms of its own level. At the most concrete level they stand
    /// at the beginning of the `PRE` of its body as well.
    pub inherited: Vec<Conjunct>,
    /// Preconditions of what it refines that cannot be said in terms of its own level.
    pub lost_preconditions: Vec<Span>,
    /// The component that declares it.
    pub component: ComponentId,
    /// Its place.
    pub span: Span,
}

impl Operation {
    /// The guard at the top, and what is executed then.
    ///
    /// A `PRE` below a `SELECT` is no guard: whoever is let in must find it true. Only if the parameters
    /// have no other they are chosen so that it is.
    pub fn guard(&self) -> (Vec<&Conjunct>, &Subst) {
        let (mut guard, mut rest) = (Vec::new(), &self.body);
        let (mut chosen, mut selected) = (self.parameters.is_empty(), false);
        loop {
            match &rest.kind {
                SubstKind::Pre(conjuncts, inner) if !(selected && chosen) => {
                    guard.extend(conjuncts);
                    (rest, chosen) = (inner, true);
                }
                SubstKind::Select(branches, None) if branches.len() == 1 => {
                    guard.extend(&branches[0].0);
                    (rest, selected) = (&branches[0].1, true);
                }
                _ => return (guard, rest),
            }
        }
    }
}

/// A definition that claims something, but cannot be used as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredClaim {
    /// What it claims.
    pub kind: ClaimKind,
    /// Its name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// What a definition claims of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// That a state can be reached.
    Goal,
    /// A temporal formula.
    Temporal,
}

/// Definitions with a meaning to a checker.
#[derive(Clone, Debug, Default)]
pub struct Special {
    /// `GOAL`
    pub goal: Option<Pred>,
    /// `SCOPE`
    pub scope: Option<Pred>,
    /// `HEURISTIC_FUNCTION`
    pub heuristic: Option<Expr>,
    /// `ASSERT_LTL…`: name and text.
    pub ltl: Vec<TemporalText>,
    /// `ASSERT_CTL…`
    pub ctl: Vec<TemporalText>,
    /// Goals and temporal formulas that cannot be used as they are written.
    pub ignored: Vec<IgnoredClaim>,
    /// `SET_PREF_X`: name and value.
    pub preferences: Vec<Preference>,
    /// `FORCE_SYMMETRY_S`
    pub forced_symmetry: Vec<SetId>,
    /// `MAX_OPERATIONS_Op`
    pub operation_limits: Vec<(OperationId, i64)>,
}

/// A temporal formula, not yet parsed.
#[derive(Clone, Debug)]
pub struct TemporalText {
    /// The definition's name.
    pub name: Name,
    /// The formula.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// `SET_PREF_X == v`.
#[derive(Clone, Debug)]
pub struct Preference {
    /// `X`
    pub name: Name,
    /// The value as text: digits, TRUE/FALSE or a string.
    pub value: Name,
    /// Where.
    pub span: Span,
}

macro_rules! tables {
    ($($method:ident: $id:ident => $field:ident: $row:ty;)*) => {
        $(#[doc = concat!("The row of this id in `", stringify!($field), "`.")]
        pub fn $method(&self, id: $id) -> &$row {
            &self.$field[id.index()]
        })*
    };
}

impl GivenSet {
    /// The name of the element at this position, counted from 0.
    pub fn element_name(&self, index: u32) -> String {
        let known = self.elements.as_deref().unwrap_or(&self.fixed).get(index as usize);
        known.map_or_else(|| format!("{}{}", self.name, u64::from(index) + 1), |e| e.0.to_string())
    }
}

impl Level {
    /// Are all these variables part of its state?
    pub fn keeps(&self, variables: &[VariableId]) -> bool {
        variables.iter().all(|v| self.variables.contains(v))
    }

    /// Everything that is checked in its states, in the order in which it is shown.
    pub fn checked(&self) -> impl Iterator<Item = (ConjunctId, &Conjunct)> {
        let invariants = self.numbered_invariants().map(|(id, i)| (id, &i.conjunct));
        invariants.chain(self.numbered_assertions().map(|(id, a)| (id, &a.conjunct)))
    }

    /// The conjuncts of the invariant that are checked.
    pub fn numbered_invariants(&self) -> impl Iterator<Item = (ConjunctId, &Invariant)> {
        (0..).map(ConjunctId::Invariant).zip(&self.invariants)
    }

    /// The assertions that are checked.
    pub fn numbered_assertions(&self) -> impl Iterator<Item = (ConjunctId, &Assertion)> {
        (0..).map(ConjunctId::Assertion).zip(&self.assertions)
    }

    /// What a conjunct says, if the level has it.
    pub fn conjunct(&self, id: ConjunctId) -> Option<&Conjunct> {
        match id {
            ConjunctId::Invariant(_) => self.invariants.get(id.index()).map(|i| &i.conjunct),
            ConjunctId::Assertion(_) => self.assertions.get(id.index()).map(|a| &a.conjunct),
        }
    }

    /// All that is said of its states, about other levels as well: for those who look at how the
    /// formulas of a model are written.
    pub fn all_conjuncts(&self) -> impl Iterator<Item = &Conjunct> {
        let invariants = self.invariants.iter().chain(&self.gluing.invariants);
        let assertions = self.assertions.iter().chain(&self.gluing.assertions);
        invariants.map(|i| &i.conjunct).chain(assertions.map(|a| &a.conjunct))
    }
}

impl Model {
    tables! {
        set: SetId => sets: GivenSet;
        free_type: FreeTypeId => free_types: FreeType;
        constant: ConstantId => constants: Constant;
        variable: VariableId => variables: Variable;
        local: LocalId => locals: Local;
        operation: OperationId => operations: Operation;
        component: ComponentId => components: Component;
        external: ExternalId => externals: External;
    }

    /// The level that is run: the most concrete one. This is the only place that chooses.
    pub fn concrete(&self) -> &Level {
        // A model has at least one level by construction.
        &self.levels[self.levels.len() - 1]
    }

    /// The value of a preference that the main machine sets.
    pub fn preference(&self, name: &str) -> Option<&Preference> {
        self.special.preferences.iter().find(|p| p.name == name)
    }
}
