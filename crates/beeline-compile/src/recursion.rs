//! Constants that are defined by themselves: `f = %x.(P | … f(x - 1) …)`, several together too.
//!
//! While the definition is evaluated, the name stands for a symbolic set that knows only which
//! definition it is and what else that reads. Asked for anything, it evaluates the definition once
//! more, which costs nothing: the name may occur below lambdas and comprehensions only, and these
//! stay unevaluated until they are applied.

use crate::answer::{CutReason, Stop};
use crate::closure::MAX_DEPTH;
use crate::context::Cx;
use crate::frame::{E, Frame};
use crate::symbolic::{RECURSION, tag};
use beeline_model::{ConstantId, Expr};
use beeline_plan::Names;
use beeline_source::Span;
use beeline_value::Val;

/// One recursive definition.
pub(crate) struct Recursion {
    /// Slots that the definitions of the group read from outside.
    pub free: Vec<usize>,
    /// Slots of the constants of the group, and the number of the definition of each.
    pub group: Vec<(usize, usize)>,
    pub body: E,
    pub span: Span,
}

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

impl Cx<'_> {
    /// Compiles a group; the number of the definition of each constant.
    pub fn recursions(&mut self, definitions: &[(ConstantId, Expr)]) -> Vec<(usize, usize)> {
        let outer = self.recursive.clone();
        self.recursive.extend(definitions.iter().map(|d| d.0));
        let first = self.recursions.len();
        let mut names = Names::default();
        definitions.iter().for_each(|d| names.expr(self.model, &d.1));
        let mut names = names.close();
        names.constants.retain(|c| definitions.iter().all(|d| d.0 != *c));
        let free = self.read_slots(&names);
        let group: Vec<(usize, usize)> = definitions
            .iter()
            .enumerate()
            .map(|(i, d)| (self.constant_slot(d.0), first + i))
            .collect();
        self.recursions.extend(definitions.iter().map(|_| None));
        for (i, (_, value)) in definitions.iter().enumerate() {
            let body = self.expr(value);
            self.recursions[first + i] = Some(Recursion {
                free: free.clone(),
                group: group.clone(),
                body,
                span: value.span,
            });
        }
        self.recursive = outer;
        group
    }
}
