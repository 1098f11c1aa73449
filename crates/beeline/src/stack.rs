//! Enough stack for work that recurses as deep as a model nests.

/// Less stack than this, and a fresh one is taken.
const RED_ZONE_BYTES: usize = 1 << 20;
/// The size of a fresh stack.
const STACK_BYTES: usize = 16 << 20;

/// Runs a part of the front end with enough stack, however small that of the caller's thread is.
pub fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_BYTES, work)
}
