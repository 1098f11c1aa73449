//! The syntax tree of classical B.
//!
//! Expressions and predicates are one category here, [`Expr`]: which is which can depend on
//! definitions, and is settled by the type checker. Parentheses, labels and spellings that matter
//! to a reader are kept, so that a printed tree parses back to the same tree.
//!
//! Equality of trees ignores spans: two trees are equal when they say the same thing.

use beeline_source::Span;
use smol_str::SmolStr;

/// A name as written; a composed name `a.b.c` is one `Name` with dots.
pub type Name = SmolStr;

macro_rules! equal_but_for_spans {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl PartialEq for $type {
            fn eq(&self, other: &$type) -> bool {
                true $(&& self.$field == other.$field)*
            }
        })*
    };
}

equal_but_for_spans! {
    Ident { name }
    Expr { kind }
    Subst { kind }
    Clause { kind }
    Machine { kind, name, parameters, pragmas, clauses }
    Definition { name, parameters, body }
    SetDecl { name, elements, description }
    Declared { name, description }
    FreeType { name, parameters, constructors }
    Operation { results, name, parameters, refines, body, description }
    MachineRef { prefix, name, arguments, file }
}

/// A name and its place.
#[derive(Clone, Debug, Eq)]
pub struct Ident {
    /// The name, without back-quotes.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A whole file, or one formula from a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// `MACHINE`, `REFINEMENT`, `IMPLEMENTATION` and their synonyms.
    Machine(Box<Machine>),
    /// A `.def` file: a `DEFINITIONS` clause alone.
    Definitions(Vec<DefinitionItem>),
    /// `#EXPRESSION`, `#PREDICATE` or `#FORMULA`, or a bare formula.
    Formula(Expr),
    /// `#SUBSTITUTION`.
    Substitution(Subst),
}

/// Which keyword opens a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineKind {
    /// `MACHINE`
    Machine,
    /// `MODEL`
    Model,
    /// `SYSTEM`
    System,
    /// `REFINEMENT`
    Refinement,
    /// `IMPLEMENTATION`
    Implementation,
}

impl MachineKind {
    /// How it is written.
    pub fn keyword(self) -> &'static str {
        match self {
            MachineKind::Machine => "MACHINE",
            MachineKind::Model => "MODEL",
            MachineKind::System => "SYSTEM",
            MachineKind::Refinement => "REFINEMENT",
            MachineKind::Implementation => "IMPLEMENTATION",
        }
    }
}

/// A machine, refinement or implementation.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The opening keyword.
    pub kind: MachineKind,
    /// Its name.
    pub name: Ident,
    /// Header parameters; upper-case names are sets, others scalars.
    pub parameters: Vec<Ident>,
    /// Pragmas in front of the header.
    pub pragmas: Vec<HeadPragma>,
    /// The clauses, in the order of the text.
    pub clauses: Vec<Clause>,
    /// The whole of it.
    pub span: Span,
}

/// A pragma at the head of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum HeadPragma {
    /// `/*@generated*/`
    Generated,
    /// `/*@package a.b*/`
    Package(Ident),
    /// `/*@import-package a.b*/`
    ImportPackage(Ident),
}

/// One clause with its place; `keyword` is the span of its keyword.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it says.
    pub kind: ClauseKind,
    /// The keyword alone.
    pub keyword: Span,
    /// The whole clause.
    pub span: Span,
}

/// The clauses of section 3.2 of the language reference.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `CONSTRAINTS P`
    Constraints(Expr),
    /// `PROPERTIES P`
    Properties(Expr),
    /// `INVARIANT P`
    Invariant(Expr),
    /// `ASSERTIONS P; Q`
    Assertions(Vec<Expr>),
    /// `SETS S; T = {a,b}`
    Sets(Vec<SetDecl>),
    /// `FREETYPES T = c, d(E)`
    FreeTypes(Vec<FreeType>),
    /// `CONSTANTS` and its kin
    Constants(ConstantsKind, Vec<Declared>),
    /// `VARIABLES` and its kin
    Variables(VariablesKind, Vec<Declared>),
    /// `DEFINITIONS …`
    Definitions(Vec<DefinitionItem>),
    /// `EXPRESSIONS name(params) == body`
    Expressions(Vec<Definition>),
    /// `PREDICATES name(params) == body`
    Predicates(Vec<Definition>),
    /// `INITIALISATION S`
    Initialisation(Subst),
    /// `OPERATIONS` / `EVENTS` / `LOCAL_OPERATIONS`
    Operations(OperationsKind, Vec<Operation>),
    /// `VALUES id = E`
    Values(Vec<(Ident, Expr)>),
    /// `SEES M, p.N`
    Sees(Vec<MachineRef>),
    /// `USES M`
    Uses(Vec<MachineRef>),
    /// `INCLUDES p.M(E)`
    Includes(Vec<MachineRef>),
    /// `EXTENDS p.M(E)`
    Extends(Vec<MachineRef>),
    /// `IMPORTS p.M(E)`
    Imports(Vec<MachineRef>),
    /// `PROMOTES op, p.op`
    Promotes(Vec<Ident>),
    /// `REFINES M`
    Refines(MachineRef),
    /// `VARIANT E` (Event-B style `SYSTEM`s)
    Variant(Expr),
}

impl ClauseKind {
    /// The keyword that opens the clause.
    pub fn keyword(&self) -> &'static str {
        match self {
            ClauseKind::Constraints(_) => "CONSTRAINTS",
            ClauseKind::Properties(_) => "PROPERTIES",
            ClauseKind::Invariant(_) => "INVARIANT",
            ClauseKind::Assertions(_) => "ASSERTIONS",
            ClauseKind::Sets(_) => "SETS",
            ClauseKind::FreeTypes(_) => "FREETYPES",
            ClauseKind::Constants(ConstantsKind::Plain, _) => "CONSTANTS",
            ClauseKind::Constants(ConstantsKind::Concrete, _) => "CONCRETE_CONSTANTS",
            ClauseKind::Constants(ConstantsKind::Abstract, _) => "ABSTRACT_CONSTANTS",
            ClauseKind::Variables(VariablesKind::Plain, _) => "VARIABLES",
            ClauseKind::Variables(VariablesKind::Concrete, _) => "CONCRETE_VARIABLES",
            ClauseKind::Variables(VariablesKind::Abstract, _) => "ABSTRACT_VARIABLES",
            ClauseKind::Definitions(_) => "DEFINITIONS",
            ClauseKind::Expressions(_) => "EXPRESSIONS",
            ClauseKind::Predicates(_) => "PREDICATES",
            ClauseKind::Initialisation(_) => "INITIALISATION",
            ClauseKind::Operations(OperationsKind::Operations, _) => "OPERATIONS",
            ClauseKind::Operations(OperationsKind::Events, _) => "EVENTS",
            ClauseKind::Operations(OperationsKind::Local, _) => "LOCAL_OPERATIONS",
            ClauseKind::Values(_) => "VALUES",
            ClauseKind::Sees(_) => "SEES",
            ClauseKind::Uses(_) => "USES",
            ClauseKind::Includes(_) => "INCLUDES",
            ClauseKind::Extends(_) => "EXTENDS",
            ClauseKind::Imports(_) => "IMPORTS",
            ClauseKind::Promotes(_) => "PROMOTES",
            ClauseKind::Refines(_) => "REFINES",
            ClauseKind::Variant(_) => "VARIANT",
        }
    }
}

/// Which keyword declares constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantsKind {
    /// `CONSTANTS`
    Plain,
    /// `CONCRETE_CONSTANTS`
    Concrete,
    /// `ABSTRACT_CONSTANTS`
    Abstract,
}

/// Which keyword declares variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariablesKind {
    /// `VARIABLES`
    Plain,
    /// `CONCRETE_VARIABLES`
    Concrete,
    /// `ABSTRACT_VARIABLES`
    Abstract,
}

/// Which keyword opens the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationsKind {
    /// `OPERATIONS`
    Operations,
    /// `EVENTS`
    Events,
    /// `LOCAL_OPERATIONS`
    Local,
}

/// `S`, `S = {a,b}` or `S = Definition`.
#[derive(Clone, Debug)]
pub struct SetDecl {
    /// The set.
    pub name: Ident,
    /// Its elements.
    pub elements: SetElements,
    /// `/*@desc …*/`
    pub description: Option<SmolStr>,
    /// The whole declaration.
    pub span: Span,
}

/// What a set declaration says of its elements.
#[derive(Clone, Debug, PartialEq)]
pub enum SetElements {
    /// Nothing: a deferred set.
    Deferred,
    /// `= {a,b}`
    Enumerated(Vec<Ident>),
    /// `= D`, where definition `D` is an enumeration (or a list of names).
    FromDefinition(Ident),
}

/// A declared identifier with its description.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: Ident,
    /// `/*@desc …*/`; `memo` and `prob-ignore` have a meaning.
    pub description: Option<SmolStr>,
}

/// `T(p) = c1, c2(E)`.
#[derive(Clone, Debug)]
pub struct FreeType {
    /// The type's name.
    pub name: Ident,
    /// Type parameters.
    pub parameters: Vec<Ident>,
    /// Constructors: a constant, or a function from the set `Some(E)`.
    pub constructors: Vec<(Ident, Option<Expr>)>,
    /// The whole declaration.
    pub span: Span,
}

/// A line of a `DEFINITIONS` clause.
#[derive(Clone, Debug, PartialEq)]
pub enum DefinitionItem {
    /// `"file.def"`
    File(Ident),
    /// `name(params) == body`
    Definition(Box<Definition>),
}

/// `name(params) == body`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: Ident,
    /// Formal parameters.
    pub parameters: Vec<Ident>,
    /// What it stands for.
    pub body: DefinitionBody,
    /// The whole definition.
    pub span: Span,
}

/// What a definition stands for, as far as its text tells.
///
/// A body that can be read both ways (a bare name, a call, an IF over such) is a `Formula`;
/// [`Subst::from_formula`] turns it into a substitution where it is used as one.
#[derive(Clone, Debug, PartialEq)]
pub enum DefinitionBody {
    /// An expression, a predicate, or an [`ExprKind::List`] of names.
    Formula(Expr),
    /// A substitution.
    Substitution(Subst),
}

/// `prefix.M(E, F) /*@file "x"*/`.
#[derive(Clone, Debug)]
pub struct MachineRef {
    /// `prefix` of `prefix.M`; may itself be dotted.
    pub prefix: Option<Ident>,
    /// The machine.
    pub name: Ident,
    /// Actual parameters.
    pub arguments: Vec<Expr>,
    /// `/*@file "path"*/`
    pub file: Option<Ident>,
    /// The whole reference.
    pub span: Span,
}

/// `r, s <-- name(p, q) = S`.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Results.
    pub results: Vec<Ident>,
    /// The name; dotted where a refinement implements a promoted one.
    pub name: Ident,
    /// Parameters.
    pub parameters: Vec<Ident>,
    /// `ref abstractName` (Event-B style).
    pub refines: Option<Ident>,
    /// The body.
    pub body: Subst,
    /// `/*@desc …*/`
    pub description: Option<SmolStr>,
    /// The whole operation.
    pub span: Span,
}

/// An expression or a predicate.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of expressions and predicates.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A name, perhaps composed.
    Ident(Name),
    /// `x$0`
    Before(Name),
    /// Decimal digits of an integer literal (hexadecimal is already converted).
    Integer(SmolStr),
    /// A real literal as written.
    Real(SmolStr),
    /// A string literal, escapes resolved.
    String(StringKind, SmolStr),
    /// A keyword that stands for a value, a set or a truth.
    Constant(Constant),
    /// `-e`
    Negate(Box<Expr>),
    /// `r~`
    Inverse(Box<Expr>),
    /// A keyword operator applied to arguments: `card(s)`, `not(P)`, `iterate(r,n)`, `top(t)`.
    Builtin(Builtin, Vec<Expr>),
    /// A binary operator other than `&` and `or`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `P & Q & R`, at least two; a nested conjunction stands in [`ExprKind::Paren`].
    And(Vec<Expr>),
    /// `P or Q or R`, likewise.
    Or(Vec<Expr>),
    /// `f(a, b)`: function application, definition, external function, constructor …
    Call(Box<Expr>, Vec<Expr>),
    /// `r[S]`
    Image(Box<Expr>, Box<Expr>),
    /// `r'field`
    Field(Box<Expr>, Ident),
    /// `( e )`
    Paren(Box<Expr>),
    /// `(a, b, c)`, at least two: left-nested pairs.
    Tuple(Vec<Expr>),
    /// `a, b` without parentheses: only as the body of a definition.
    List(Vec<Expr>),
    /// `{a, b}`, at least one.
    SetExtension(Vec<Expr>),
    /// `[a, b]`, at least one.
    SequenceExtension(Vec<Expr>),
    /// `{x, y | P}`
    Comprehension(Box<Comprehension>),
    /// `!`, `#`, `%`, `SIGMA`, `PI`, `UNION`, `INTER`
    Quantified(Box<Quantified>),
    /// `rec(f : e, …)`
    Record(Vec<(Ident, Expr)>),
    /// `struct(f : S, …)`
    RecordSet(Vec<(Ident, Expr)>),
    /// `IF c THEN e ELSIF … ELSE f END`
    If(Vec<(Expr, Expr)>, Box<Expr>),
    /// `LET x, y BE x = e & y = f IN g END`
    Let(Vec<Ident>, Box<Expr>, Box<Expr>),
    /// `[x, y := e, f] P`
    Substituted(Vec<(Ident, Expr)>, Box<Expr>),
    /// `e ⦂ T`
    OfType(Box<Expr>, Box<Expr>),
    /// `/*@label L*/ P`
    Labelled(SmolStr, Box<Expr>),
    /// `P /*@desc text*/`
    Described(Box<Expr>, SmolStr),
    /// A place where the text could not be understood; a problem was reported.
    Error,
}

/// How a string literal is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind {
    /// `"…"`
    Plain,
    /// `'''…'''`
    MultiLine,
    /// three back-quotes
    Template,
}

/// `{x, y | P}`, `{(x, y) . P | E}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// `/*@symbolic*/` stands before it.
    pub symbolic: bool,
    /// Bound names; a name may be a definition that stands for a list.
    pub names: Vec<Ident>,
    /// The condition.
    pub predicate: Expr,
    /// The expression of the Event-B style form.
    pub expression: Option<Expr>,
}

/// A quantifier with its bound names.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// Which one.
    pub quantifier: Quantifier,
    /// `/*@symbolic*/` stands before it.
    pub symbolic: bool,
    /// Bound names; a name may be a definition that stands for a list.
    pub names: Vec<Ident>,
    /// The body of `!` and `#`; the condition of the others.
    pub predicate: Expr,
    /// The expression of `%`, `SIGMA`, `PI`, `UNION`, `INTER`.
    pub expression: Option<Expr>,
}

/// The quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `!`
    Forall,
    /// `#`
    Exists,
    /// `%`
    Lambda,
    /// `SIGMA`
    Sigma,
    /// `PI`
    Pi,
    /// `UNION`
    Union,
    /// `INTER`
    Inter,
}

/// Keywords that stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Constant {
    /// `TRUE`, the value.
    True,
    /// `FALSE`, the value.
    False,
    /// `btrue`, the predicate.
    Truth,
    /// `bfalse`, the predicate.
    Falsity,
    MaxInt,
    MinInt,
    Integer,
    Natural,
    Natural1,
    Int,
    Nat,
    Nat1,
    Bool,
    String,
    Real,
    Float,
    /// `succ`, a function.
    Succ,
    /// `pred`, a function.
    Pred,
    /// `@prj1`, a function.
    Projection1,
    /// `@prj2`, a function.
    Projection2,
    /// `id` of Event-B, on a whole type.
    Identity,
    /// `{}`
    EmptySet,
    /// `[]` or `<>`
    EmptySequence,
}

/// Keyword operators with parenthesised arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Builtin {
    /// `not(P)`
    Not,
    /// `bool(P)`
    BoolOf,
    /// `@finite(S)`
    Finite,
    /// `@partition(S, A, B)`
    Partition,
    Pow,
    Pow1,
    Fin,
    Fin1,
    Card,
    Min,
    Max,
    /// `union(SS)`
    GeneralUnion,
    /// `inter(SS)`
    GeneralInter,
    Dom,
    Ran,
    /// `id(S)`
    Identity,
    Closure,
    Closure1,
    Iterate,
    Fnc,
    Rel,
    /// `prj1(S, T)` or `prj1(pair)`
    Prj1,
    Prj2,
    Seq,
    Seq1,
    Iseq,
    Iseq1,
    Perm,
    Size,
    First,
    Last,
    Front,
    Tail,
    Rev,
    Conc,
    Floor,
    Ceiling,
    /// `real(n)`
    ToReal,
    // Trees; built in only directly before a parenthesis.
    Tree,
    Btree,
    Const,
    Top,
    Sons,
    Prefix,
    Postfix,
    Sizet,
    Mirror,
    Rank,
    Father,
    Son,
    Subtree,
    Arity,
    Bin,
    Left,
    Right,
    Infix,
}

/// Binary operators, from loose to tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    // Predicates
    Implies,
    Equivalent,
    Equal,
    NotEqual,
    Member,
    NotMember,
    Subset,
    StrictSubset,
    NotSubset,
    NotStrictSubset,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    // Level 20
    /// `;`
    Composition,
    /// `/*@symbolic*/ ;`
    SymbolicComposition,
    /// `||`
    ParallelProduct,
    // Level 125
    /// `<->`
    Relation,
    /// `+->`
    PartialFunction,
    /// `-->`
    TotalFunction,
    /// `>+>`
    PartialInjection,
    /// `>->`
    TotalInjection,
    /// `+->>`
    PartialSurjection,
    /// `-->>`
    TotalSurjection,
    /// `>+>>`
    PartialBijection,
    /// `>->>`
    TotalBijection,
    /// `<<->`
    TotalRelation,
    /// `<->>`
    SurjectiveRelation,
    /// `<<->>`
    TotalSurjectiveRelation,
    // Level 160
    /// `<+`
    Override,
    /// `><`
    DirectProduct,
    /// `∘`
    BackwardComposition,
    /// `^`
    Concat,
    /// `<|`
    DomainRestrict,
    /// `<<|`
    DomainSubtract,
    /// `|>`
    RangeRestrict,
    /// `|>>`
    RangeSubtract,
    /// `->`
    Prepend,
    /// `<-`
    Append,
    /// `\/`
    Union,
    /// `/\`
    Intersection,
    /// `/|\`
    Take,
    /// `\|/`
    Drop,
    /// `|->`
    Maplet,
    // Level 170
    /// `..`
    Interval,
    // Level 180
    /// `-`: numbers or sets
    Minus,
    /// `+`
    Plus,
    /// `\`: sets only
    SetMinus,
    // Level 190
    /// `*`: numbers or sets
    Times,
    /// `×`: sets only
    Cartesian,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
    // Level 200
    /// `**`
    Power,
}

/// A substitution.
#[derive(Clone, Debug)]
pub struct Subst {
    /// What it does.
    pub kind: SubstKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of substitutions.
#[derive(Clone, Debug, PartialEq)]
pub enum SubstKind {
    /// `skip`
    Skip,
    /// `BEGIN S END`
    Block(Box<Subst>),
    /// `x, f(i), r'a := e, f, g`
    Assign(Vec<Expr>, Vec<Expr>),
    /// `x, y :: S`
    BecomesElement(Vec<Expr>, Expr),
    /// `x, y : (P)`
    BecomesSuch(Vec<Expr>, Expr),
    /// `PRE P THEN S END`
    Pre(Expr, Box<Subst>),
    /// `ASSERT P THEN S END`
    Assert(Expr, Box<Subst>),
    /// `WITNESS P THEN S END`
    Witness(Expr, Box<Subst>),
    /// `IF P THEN S ELSIF Q THEN T ELSE U END`
    If(Vec<(Expr, Subst)>, Option<Box<Subst>>),
    /// `SELECT P THEN S WHEN Q THEN T ELSE U END`
    Select(Vec<(Expr, Subst)>, Option<Box<Subst>>),
    /// `CHOICE S OR T END`
    Choice(Vec<Subst>),
    /// `CASE e OF EITHER a, b THEN S OR c THEN T ELSE U END END`
    Case(Expr, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    /// `ANY x, y WHERE P THEN S END`
    Any(Vec<Ident>, Expr, Box<Subst>),
    /// `LET x, y BE x = e & y = f IN S END`
    Let(Vec<Ident>, Expr, Box<Subst>),
    /// `VAR x, y IN S END`
    Var(Vec<Ident>, Box<Subst>),
    /// `WHILE P DO S INVARIANT I VARIANT V END`
    While(Box<While>),
    /// `S ; T`
    Sequence(Vec<Subst>),
    /// `S || T`
    Parallel(Vec<Subst>),
    /// `r <-- op(e)`, `op(e)`, `op`, or a definition that is a substitution.
    Call(Call),
    /// A place where the text could not be understood; a problem was reported.
    Error,
}

/// The parts of a WHILE loop.
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// The loop goes on while this holds.
    pub condition: Expr,
    /// One round.
    pub body: Subst,
    /// `INVARIANT`
    pub invariant: Expr,
    /// `VARIANT`
    pub variant: Expr,
}

/// A call of an operation or of a substitution definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Where results go.
    pub results: Vec<Expr>,
    /// Operation or definition.
    pub name: Ident,
    /// Arguments.
    pub arguments: Vec<Expr>,
    /// Were there parentheses? (`op` and `op()` print as they were written.)
    pub parentheses: bool,
}

impl Expr {
    /// A node.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }

    /// The node below parentheses, labels and descriptions.
    pub fn peeled(&self) -> &Expr {
        let mut e = self;
        loop {
            match &e.kind {
                ExprKind::Paren(inner)
                | ExprKind::Labelled(_, inner)
                | ExprKind::Described(inner, _) => e = inner,
                _ => return e,
            }
        }
    }
}

impl Subst {
    /// A node.
    pub fn new(kind: SubstKind, span: Span) -> Subst {
        Subst { kind, span }
    }

    /// Reads a formula as a substitution: a name or a call is a call, `IF` over such likewise.
    ///
    /// Definitions need this: their bodies are parsed before anyone knows how they are used.
    pub fn from_formula(formula: &Expr) -> Option<Subst> {
        let kind = match &formula.kind {
            ExprKind::Ident(name) => SubstKind::Call(Call {
                results: Vec::new(),
                name: Ident { name: name.clone(), span: formula.span },
                arguments: Vec::new(),
                parentheses: false,
            }),
            ExprKind::Call(callee, arguments) => {
                let ExprKind::Ident(name) = &callee.kind else { return None };
                SubstKind::Call(Call {
                    results: Vec::new(),
                    name: Ident { name: name.clone(), span: callee.span },
                    arguments: arguments.clone(),
                    parentheses: true,
                })
            }
            ExprKind::If(branches, otherwise) => {
                let mut read = Vec::with_capacity(branches.len());
                for (condition, branch) in branches {
                    read.push((condition.clone(), Subst::from_formula(branch)?));
                }
                SubstKind::If(read, Some(Box::new(Subst::from_formula(otherwise)?)))
            }
            _ => return None,
        };
        Some(Subst::new(kind, formula.span))
    }
}
