//! Word-level code as plain data: what a packed operation or predicate does to 64-bit registers.
//!
//! [`Code`] is a flat list of [`Op`]s with jumps. It begins with the words of one state in its
//! first registers, emits successors, and ends with an [`Outcome`]. Whatever it is not sure of it
//! leaves through [`Outcome::Unusual`], and somebody else evaluates the same question again.
//!
//! There are two back ends: [`run`] here, and native code elsewhere. Both give the same outcome
//! and the same records for every code that [`Code::verify`] accepts.
//!
//! This crate refuses to know about B, layouts and values: to it, a state is a row of words.

mod code;
mod interpreter;
mod show;
mod verify;

pub use code::{Alu, Bits, Checked, Code, CodeBuilder, Label, Op, Reg, TableId, Test};
pub use interpreter::{FUEL, Interpreter, MOST_HALVES, Outcome, run};
pub use verify::Flaw;

/// A code in the form of another back end.
pub trait Compiled: Send + Sync {
    /// As [`run`], without an interpreter.
    fn run(&self, row: &[u32], out: &mut Vec<u32>) -> Outcome;
}

/// Several codes over rows of one layout in the form of another back end, run in one call.
pub trait CompiledAll: Send + Sync {
    /// Runs one after the other. Each appends its records to `out`, and `ends` has the length of
    /// `out` after it; of one that came to anything but [`Outcome::True`] there is no record, and
    /// its end is [`NOT_RUN`]. False, and nothing counts, if there are too many records. Codes whose
    /// bits are `left_out` have no records, and nothing else of them is done; there are 64 at most if
    /// some can be.
    fn run(&self, row: &[u32], left_out: u64, out: &mut Vec<u32>, ends: &mut [u32]) -> bool;
}

/// The end of a code that came to nothing.
pub const NOT_RUN: u32 = u32::MAX;

/// Another back end.
pub trait Compiler: Sync {
    /// To make its form of one operation of a code takes about as long as to interpret so many.
    fn price(&self) -> u64;

    /// Several codes in its form; nothing if it cannot make one. Can single ones be left out?
    fn compile_all(&self, codes: &[&Code], leaves_out: bool) -> Option<Box<dyn CompiledAll>>;

    /// The code in its form; nothing if it cannot make one.
    fn compile(&self, code: &Code) -> Option<Box<dyn Compiled>>;
}
