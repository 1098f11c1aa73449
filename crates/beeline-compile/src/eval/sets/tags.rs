//! What symbolic sets are: a tag, perhaps with a number beside it, and arguments.

use crate::answer::{CutReason, Stop};
use beeline_model::{BinaryOp, UnaryOp};
use beeline_source::Span;
use beeline_value::Node;

pub(crate) const INTEGER: u32 = 1;
pub(crate) const NATURAL: u32 = 2;
pub(crate) const NATURAL1: u32 = 3;
pub(crate) const STRING: u32 = 4;
pub(crate) const REAL: u32 = 5;
/// `POW`, `POW1`, `FIN`, `FIN1`, `seq` … by [`space_op`].
pub(crate) const SPACE1: u32 = 10;
/// Arrows and products, by operator.
pub(crate) const SPACE2: u32 = 11;
pub(crate) const RECORDS: u32 = 12;
pub(crate) const CLOSURE: u32 = 13;
pub(crate) const UNION: u32 = 14;
pub(crate) const INTER: u32 = 15;
pub(crate) const DIFF: u32 = 16;
pub(crate) const FUNCTION: u32 = 17;
pub(crate) const IDENTITY: u32 = 18;
pub(crate) const PROJECTION: u32 = 19;
/// Relational operators that stay symbolic, by operator.
pub(crate) const RELATION: u32 = 20;
pub(crate) const INVERSE: u32 = 21;
pub(crate) const DOMAIN: u32 = 22;
pub(crate) const RANGE: u32 = 23;
pub(crate) const FREE: u32 = 24;
/// A constant inside its own definition, by the number of that.
pub(crate) const RECURSION: u32 = 25;

/// The transitive closure of a relation that is not listed.
pub(crate) const REACHABLE: u32 = 26;

/// A constructor of a free type as a function, by [`constructor`].
pub(crate) const CONSTRUCTOR: u32 = 27;

/// Integers in intervals: both ends of each, in ascending order; an end that is not there is unset.
/// What is `INTEGER`, `NATURAL` or `NATURAL1` is never written so, nor what can be listed.
pub(crate) const SPANS: u32 = 28;

/// Values some of which may be equal.
pub(crate) const LOOSE: u32 = Node::LOOSE;

/// The number of a constructor: that of its type, and its own. Nothing if there are too many.
pub(crate) fn constructor(ty: u32, number: u32) -> Option<usize> {
    (ty < 1 << 16 && number < 1 << 8).then_some(((ty as usize) << 8) | number as usize)
}

/// A tag with a number beside it.
pub(crate) const fn tag(kind: u32, extra: usize) -> u32 {
    kind | ((extra as u32) << 8)
}

pub(crate) const fn split(tag: u32) -> (u32, usize) {
    (tag & 255, (tag >> 8) as usize)
}

pub(crate) const POW: usize = UnaryOp::Power as usize;
pub(crate) const POW1: usize = UnaryOp::Power1 as usize;
pub(crate) const FIN: usize = UnaryOp::Finite as usize;
pub(crate) const FIN1: usize = UnaryOp::Finite1 as usize;
pub(crate) const SEQ: usize = UnaryOp::Seq as usize;
pub(crate) const SEQ1: usize = UnaryOp::Seq1 as usize;
pub(crate) const ISEQ: usize = UnaryOp::Iseq as usize;
pub(crate) const ISEQ1: usize = UnaryOp::Iseq1 as usize;
pub(crate) const PERM: usize = UnaryOp::Perm as usize;
pub(crate) const CARTESIAN: usize = BinaryOp::Cartesian as usize;

pub(crate) fn too_large(span: Span) -> Stop {
    Stop::cut(
        CutReason::LargeSet,
        span,
        "an infinite or very large set would have to be enumerated",
    )
}
