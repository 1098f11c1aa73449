//! Sets that are described instead of listed.
//!
//! Everything that may be infinite or large starts its life here: `NATURAL`, `1..n`, `POW(S)`,
//! `A --> B`, lambdas over unbounded domains. What such a set can answer is spread over
//! `member`, `list`, `count` and `apply`, one question a file.

use super::{Locals, Value};
use beeline_model::{BasicFunction, BasicSet, BinaryOp, Binder, Expr, FreeTypeId, TypeId, UnaryOp};
use beeline_source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// A described set.
#[derive(Debug)]
pub(crate) enum Symbolic {
    /// `INTEGER`, `NATURAL`, `NATURAL1`, `STRING`, `REAL`; the others are intervals or listed.
    Basic(BasicSet),
    /// `a..b`, never empty.
    Interval(BigInt, BigInt),
    /// `POW(of)`, perhaps without `{}`, perhaps the finite subsets only.
    Power { of: Value, nonempty: bool, finite: bool },
    /// `A * B`
    Product(Value, Value),
    /// `A --> B` and its like.
    Arrow(BinaryOp, Value, Value),
    /// `seq(of)` and its like.
    Sequences { of: Value, nonempty: bool, injective: bool },
    /// `perm(S)`
    Permutations(Value),
    /// `struct(…)`
    Records(Vec<Value>),
    /// All values of a free type over these argument sets.
    Free(FreeTypeId, Vec<Value>),
    /// Elements that are pairwise different, some of them symbolic.
    Listing(Vec<Value>),
    /// A comprehension or lambda, with what it captured.
    Closure(Closure),
    /// `succ`, `@prj1` …, of this type.
    Function(BasicFunction, TypeId),
    /// A constructor of a free type as a function, of this type.
    Constructor(FreeTypeId, u32, TypeId),
    /// An operator whose operand is not listed.
    Unary(UnaryOp, Value),
    /// An operator one of whose operands is not listed.
    Binary(BinaryOp, Value, Value),
}

/// A comprehension or lambda and the values of the names it mentions.
///
/// Constants are not captured: within one evaluation they cannot change, and a recursive
/// constant must see itself.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// The text.
    pub body: Arc<ClosureBody>,
    /// The locals it mentions and does not bind.
    pub locals: Locals,
    /// The variables it mentions; all others have no value.
    pub variables: Arc<Vec<Option<Value>>>,
}

/// The text of a closure.
#[derive(Debug, PartialEq)]
pub(crate) struct ClosureBody {
    /// What it yields.
    pub yields: Yield,
    /// Names and condition.
    pub binder: Binder,
    /// Where it stands.
    pub span: Span,
}

/// What a closure yields for each solution.
#[derive(Debug, PartialEq)]
pub(crate) enum Yield {
    /// The tuple of the locals.
    Tuple,
    /// The value of an expression.
    Image(Expr),
    /// The pair of both: a function.
    Lambda(Expr),
}
