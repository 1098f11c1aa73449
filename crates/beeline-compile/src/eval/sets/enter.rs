//! Inside the code of a symbolic value: its words in their slots, and everything restored afterwards.

use crate::answer::{CutReason, Stop};
use crate::eval::frame::{Code, Frame};
use beeline_value::{Store, Val};

/// Nested applications of symbolic functions: a recursion without end takes memory as long as it may,
/// and half a gigabyte is enough to see that it is one.
pub(crate) const MAX_DEPTH: u32 = 200_000;

/// Binds slots to a left-nested tuple. False if the value has another shape (it never has).
pub(crate) fn bind_tuple(store: &Store, slots: &mut [Val], params: &[usize], value: Val) -> bool {
    let mut rest = value;
    for &param in params.iter().skip(1).rev() {
        let Some((left, right)) = store.as_pair(rest) else {
            return false;
        };
        slots[param] = right;
        rest = left;
    }
    if let Some(&first) = params.first() {
        slots[first] = rest;
    }
    true
}

/// The left-nested tuple of slots.
pub(crate) fn tuple(store: &Store, slots: &[Val], params: &[usize]) -> Val {
    let mut value = slots[params[0]];
    for &param in &params[1..] {
        value = store.pair(value, slots[param]);
    }
    value
}

/// Runs `body` inside a closure: captured words in their slots, everything restored afterwards.
pub(crate) fn enter<'s, T>(
    f: &mut Frame<'s>,
    code: &'s Code,
    env: &[Val],
    body: impl FnOnce(&mut Frame<'s>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    if f.depth >= MAX_DEPTH {
        return Err(Stop::cut(
            CutReason::EvaluationSteps,
            code.span,
            format!("more than {MAX_DEPTH} nested applications"),
        ));
    }
    f.tick(code.span)?;
    // Bound slots too: a recursive function calls itself with the same slots.
    let saved: Vec<Val> = code.free.iter().chain(&code.bound).map(|&s| f.slots[s]).collect();
    for (&slot, &word) in code.free.iter().zip(env) {
        f.slots[slot] = word;
    }
    f.depth += 1;
    // Recursion of the model is recursion here; the stack grows with it, up to the depth above.
    let result = stacker::maybe_grow(256 << 10, 8 << 20, || body(f));
    f.depth -= 1;
    for (&slot, &word) in code.free.iter().chain(&code.bound).zip(&saved) {
        f.slots[slot] = word;
    }
    result
}
