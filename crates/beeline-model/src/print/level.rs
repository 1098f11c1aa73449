//! How tight operators bind: the numbers of the language reference, larger binds tighter.
//!
//! The parser has a table of its own, which tells more. That what is printed reads back as what
//! it was is a test of `beeline-elaborate`, where both meet.

/// `;` and `||`, only inside brackets.
pub const COMPOSITION: u8 = 20;
/// `=>`
pub const IMPLIES: u8 = 30;
/// `&` and `or`, one level.
pub const AND_OR: u8 = 40;
/// `<=>`
pub const EQUIVALENT: u8 = 60;
/// `=`, `:`, `<` and their kin; not associative.
pub const COMPARISON: u8 = 90;
/// Arrows between sets.
pub const ARROW: u8 = 125;
/// Set, relation and sequence operators, and `|->`.
pub const SETS: u8 = 160;
/// `..`
pub const INTERVAL: u8 = 170;
/// `+`, `-`
pub const SUM: u8 = 180;
/// `*`, `/`, `mod`
pub const PRODUCT: u8 = 190;
/// `**`, right associative.
pub const POWER: u8 = 200;
/// Unary minus; its operand is a postfix expression.
pub const NEGATE: u8 = 210;
/// `~`, image, call, field: written behind their operand.
pub const POSTFIX: u8 = 230;
