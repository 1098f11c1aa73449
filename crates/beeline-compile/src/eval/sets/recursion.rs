//! Constants that are defined by themselves: `f = %x.(P | … f(x - 1) …)`, several together too.
//!
//! While the definition is evaluated, the name stands for a symbolic set that knows only which
//! definition it is and what else that reads. Asked for anything, it evaluates the definition once
//! more, which costs nothing: the name may occur below lambdas and comprehensions only, and these
//! stay unevaluated until they are applied.

use super::enter::MAX_DEPTH;
use super::tags::{RECURSION, tag};
use crate::answer::{CutReason, Stop};
use crate::eval::frame::Frame;
use beeline_value::Val;

/// What a constant of a group stands for.
fn name_of(f: &Frame<'_>, number: usize, words: &[Val]) -> Val {
    f.store.symbolic(tag(RECURSION, number), words.to_vec())
}

/// The value of a definition in the present frame.
pub(crate) fn define<'s>(f: &mut Frame<'s>, number: usize) -> Result<Val, Stop> {
    let rt = f.rt;
    let words: Vec<Val> = rt.recursions[number].free.iter().map(|&s| f.slots[s]).collect();
    unfold(f, number, &words)
}

/// What a recursive name means: the value of its definition.
pub(crate) fn unfold<'s>(f: &mut Frame<'s>, number: usize, words: &[Val]) -> Result<Val, Stop> {
    const UNFOLD: u32 = 3;
    let name = name_of(f, number, words);
    // A function that calls itself a thousand times has one meaning.
    if let Some(known) = f.memo.get(UNFOLD, name, name) {
        return Ok(known);
    }
    let rt = f.rt;
    let recursion = &rt.recursions[number];
    if f.depth >= MAX_DEPTH {
        let words = format!("a definition unfolded more than {MAX_DEPTH} times");
        return Err(Stop::cut(CutReason::EvaluationSteps, recursion.span, words));
    }
    f.tick(recursion.span)?;
    let slots = || recursion.free.iter().chain(recursion.group.iter().map(|(slot, _)| slot));
    let saved: Vec<Val> = slots().map(|&s| f.slots[s]).collect();
    for (&slot, &word) in recursion.free.iter().zip(words) {
        f.slots[slot] = word;
    }
    // Inside the definition the names stand for themselves, unevaluated.
    for &(slot, other) in &recursion.group {
        f.slots[slot] = name_of(f, other, words);
    }
    f.depth += 1;
    let (value, whole) =
        f.noting(|f| stacker::maybe_grow(256 << 10, 8 << 20, || (recursion.body)(f)));
    f.depth -= 1;
    for (&slot, &word) in slots().zip(&saved) {
        f.slots[slot] = word;
    }
    let value = value?;
    if whole {
        f.memo.put(UNFOLD, name, name, value);
    }
    Ok(value)
}
