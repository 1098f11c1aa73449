//! Typed expressions and predicates.
//!
//! Here nothing is left to guess: definitions are expanded, names are ids, overloads are settled,
//! predicates and expressions are apart. Bound names are [`LocalId`]s, unique in the whole model,
//! so that no substitution can ever capture one.

use crate::{
    ConstantId, ExternalId, FreeTypeId, LocalId, Name, OperationId, SetId, TypeId, VariableId,
};
use beeline_source::Span;
use num_bigint::BigInt;
use std::fmt;
use std::sync::Arc;

/// A typed expression.
#[derive(Clone, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands (inside a definition's body, if it comes from one).
    pub span: Span,
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Expr { kind, ty, span } = self;
        deep(|| f.debug_tuple("Expr").field(kind).field(ty).field(span).finish())
    }
}

/// Formulas may be deeper than the stack: the text of one is written with as much as it takes.
pub(crate) fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 1 << 20, work)
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer.
    Integer(BigInt),
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// A real number.
    Real(f64),
    /// A string.
    String(Arc<str>),
    /// `MAXINT`
    MaxInt,
    /// `MININT`
    MinInt,
    /// A state variable.
    Variable(VariableId),
    /// A constant.
    Constant(ConstantId),
    /// A bound name.
    Local(LocalId),
    /// An element of an enumerated set, by its position.
    Element(SetId, u32),
    /// A given set as a value.
    GivenSet(SetId),
    /// A predefined set.
    Basic(BasicSet),
    /// A predefined function as a value.
    Function(BasicFunction),
    /// `{}`, `[]`
    EmptySet,
    /// `{a, b}`
    SetExtension(Vec<Expr>),
    /// `[a, b]`
    SequenceExtension(Vec<Expr>),
    /// `op(e)`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `op(a, b, c)`
    Ternary(TernaryOp, Box<[Expr; 3]>),
    /// `f(x)`, also for a relation; several arguments are a pair.
    Apply(Box<Expr>, Box<Expr>),
    /// `{x, y | P}`: the left-nested tuples of the locals.
    Comprehension(Box<Binder>),
    /// `{x, y . P | E}`: the values of the expression.
    MapComprehension(Box<Binder>, Box<Expr>),
    /// `%(x, y).(P | E)`
    Lambda(Box<Binder>, Box<Expr>),
    /// `SIGMA`, `PI`, `UNION`, `INTER`
    Quantified(ExprQuantifier, Box<Binder>, Box<Expr>),
    /// `rec(…)`, fields in the order of the type.
    Record(Vec<Expr>),
    /// `struct(…)`, fields in the order of the type.
    RecordSet(Vec<Expr>),
    /// `r'f`, by position in the type.
    Field(Box<Expr>, usize),
    /// `IF P THEN a ELSE b END`
    If(Box<Pred>, Box<Expr>, Box<Expr>),
    /// `LET x BE x = e IN f END`; later values may use earlier locals.
    Let(Vec<(LocalId, Expr)>, Box<Expr>),
    /// `bool(P)`
    BoolOf(Box<Pred>),
    /// A call of an external function.
    External(ExternalId, Vec<Expr>),
    /// A query operation called inside an expression.
    OperationCall(OperationId, Vec<Expr>),
    /// The set of all values of a free type, built over the given argument sets.
    FreeTypeSet(FreeTypeId, Vec<Expr>),
    /// A constructor of a free type as a value: a constant or a function.
    Constructor(FreeTypeId, u32),
}

/// Bound names and the condition on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The names.
    pub locals: Vec<LocalId>,
    /// The condition.
    pub predicate: Pred,
    /// The author asked to keep it symbolic.
    pub symbolic: bool,
}

/// Predefined sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BasicSet {
    Bool,
    Integer,
    Natural,
    Natural1,
    /// `MININT..MAXINT`
    Int,
    /// `0..MAXINT`
    Nat,
    /// `1..MAXINT`
    Nat1,
    String,
    Real,
    Float,
}

/// Predefined functions that can stand without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BasicFunction {
    /// `succ`
    Successor,
    /// `pred`
    Predecessor,
    /// `@prj1`, on all pairs of its type
    First,
    /// `@prj2`
    Second,
    /// `id` of Event-B, on its whole type
    Identity,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negate,
    RealNegate,
    /// `POW`
    Power,
    /// `POW1`
    Power1,
    /// `FIN`
    Finite,
    /// `FIN1`
    Finite1,
    Card,
    Min,
    Max,
    RealMin,
    RealMax,
    /// `union`
    GeneralUnion,
    /// `inter`
    GeneralInter,
    Domain,
    Range,
    /// `id(S)`
    Identity,
    Inverse,
    /// Reflexive-transitive closure.
    Closure,
    /// Transitive closure.
    Closure1,
    /// Relation to set-valued function.
    Fnc,
    /// Set-valued function to relation.
    Rel,
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
    Reverse,
    /// `conc` of a sequence of sequences
    Concat,
    StringSize,
    StringReverse,
    StringConcat,
    StringFirst,
    StringLast,
    StringFront,
    StringTail,
    Floor,
    Ceiling,
    ToReal,
    /// First component of a pair.
    PairFirst,
    /// Second component of a pair.
    PairSecond,
    Tree,
    Btree,
    TreeTop,
    TreeSons,
    TreePrefix,
    TreePostfix,
    TreeSize,
    TreeMirror,
    TreeLeft,
    TreeRight,
    TreeInfix,
    /// `bin(e)`: a binary tree of one node
    TreeLeaf,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Truncates toward zero.
    Divide,
    Modulo,
    Exponent,
    RealAdd,
    RealSubtract,
    RealMultiply,
    RealDivide,
    RealExponent,
    Interval,
    /// `a |-> b`
    Pair,
    Union,
    Intersection,
    Difference,
    Cartesian,
    // Sets of relations and functions
    Relations,
    PartialFunctions,
    TotalFunctions,
    PartialInjections,
    TotalInjections,
    PartialSurjections,
    TotalSurjections,
    PartialBijections,
    TotalBijections,
    TotalRelations,
    SurjectiveRelations,
    TotalSurjectiveRelations,
    // Relations
    /// `(r ; s)`: first r, then s
    Compose,
    ParallelProduct,
    DirectProduct,
    Override,
    DomainRestrict,
    DomainSubtract,
    RangeRestrict,
    RangeSubtract,
    /// `r[S]`
    Image,
    Iterate,
    /// `prj1(S, T)`
    Projection1,
    /// `prj2(S, T)`
    Projection2,
    // Sequences
    Concat,
    /// `e -> s`
    Prepend,
    /// `s <- e`
    Append,
    Take,
    Drop,
    StringConcat,
    StringTake,
    StringDrop,
    // Trees
    TreeConst,
    TreeRank,
    TreeFather,
    TreeSubtree,
    TreeArity,
}

/// Operators with three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TernaryOp {
    /// `son(t, p, n)`
    TreeSon,
    /// `bin(l, e, r)`
    TreeBin,
}

/// Quantified expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ExprQuantifier {
    Sum,
    Product,
    RealSum,
    RealProduct,
    Union,
    Intersection,
}

/// A typed predicate.
#[derive(Clone, PartialEq)]
pub struct Pred {
    /// What it says.
    pub kind: PredKind,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Debug for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pred { kind, span } = self;
        deep(|| f.debug_tuple("Pred").field(kind).field(span).finish())
    }
}

/// The forms of predicates.
#[derive(Clone, Debug, PartialEq)]
pub enum PredKind {
    /// `btrue`, `bfalse`
    Bool(bool),
    /// `P & Q & …`
    And(Vec<Pred>),
    /// `P or Q or …`
    Or(Vec<Pred>),
    /// `not(P)`
    Not(Box<Pred>),
    /// `P => Q`
    Implies(Box<Pred>, Box<Pred>),
    /// `P <=> Q`
    Equivalent(Box<Pred>, Box<Pred>),
    /// `a op b`
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// `!x.(P)`
    Forall(Vec<LocalId>, Box<Pred>),
    /// `#x.(P)`
    Exists(Vec<LocalId>, Box<Pred>),
    /// `IF P THEN Q ELSE R END`
    If(Box<Pred>, Box<Pred>, Box<Pred>),
    /// `LET x BE x = e IN P END`; later values may use earlier locals.
    Let(Vec<(LocalId, Expr)>, Box<Pred>),
    /// `@finite(S)`
    Finite(Box<Expr>),
    /// `@partition(S, A, B)`
    Partition(Box<Expr>, Vec<Expr>),
    /// A call of an external predicate.
    External(ExternalId, Vec<Expr>),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
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
    RealLess,
    RealLessEqual,
    RealGreater,
    RealGreaterEqual,
}

/// One conjunct that is checked, assumed or guarded by on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjunct {
    /// What it says.
    pub pred: Pred,
    /// Its label, if the author gave one.
    pub label: Option<Name>,
    /// Where it stands at its point of use (outside any definition).
    pub span: Span,
}

/// A formula from outside the model's files.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A value.
    Expr(Expr),
    /// A truth; the locals are the names that the model does not know, to be solved for.
    Pred(Vec<LocalId>, Pred),
}

impl Pred {
    /// Splits at the top into conjuncts, outer ones first.
    pub fn into_conjuncts(self) -> Vec<Pred> {
        match self.kind {
            PredKind::And(parts) => parts.into_iter().flat_map(Pred::into_conjuncts).collect(),
            PredKind::Bool(true) => Vec::new(),
            _ => vec![self],
        }
    }
}
