//! The limits of the parser. Reaching one is a located error, never a crash.

/// How deep brackets, blocks and quantifiers may be nested.
pub const MAX_NESTING: u32 = 500;

/// How high a tree may grow: the longest chain of binary operators other than `&` and `or` (which
/// make one flat node), or of calls `f(x)(y)…`, with what is nested in it.
///
/// Low enough that the derived traits of the tree, which recurse, fit the stack of any thread.
pub const MAX_CHAIN: u32 = 1000;

/// The longest hexadecimal literal, in digits: converting one takes quadratic time.
pub const MAX_HEX_DIGITS: usize = 4096;

/// The longest decimal literal, in digits: converting one takes quadratic time.
pub const MAX_DIGITS: usize = 100_000;

/// How many problems are kept while parsing one text.
pub const MAX_PROBLEMS: usize = 500;
