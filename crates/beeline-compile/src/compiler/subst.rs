//! Substitutions to closures that enumerate outcomes.
//!
//! A substitution reads the slots and writes to a log; the log becomes visible at `;` and at the
//! end. So parallel parts all read the state before, and every choice is one call of what follows.

use super::context::Cx;
use crate::answer::{FaultKind, Stop};
use crate::eval::frame::{E, Frame, P, Solutions};
use crate::eval::operators::apply;
use crate::eval::query::Query;
use crate::eval::sets;
use crate::eval::show::show;
use beeline_model::{
    Access, Assignment, BinaryOp, Call, Conjunct, Expr, OperationId, Place, Pred, Subst, SubstKind,
    Target,
};
use beeline_plan::conjunction;
use beeline_source::Span;
use beeline_value::Val;
use rustc_hash::FxHashSet;

/// What follows a substitution.
pub(crate) type Next<'s, 'k> = &'k mut dyn FnMut(&mut Frame<'s>) -> Result<(), Stop>;

/// A compiled substitution: calls what follows once an outcome.
pub(crate) type S =
    Box<dyn for<'s, 'k> Fn(&mut Frame<'s>, Next<'s, 'k>) -> Result<(), Stop> + Send + Sync>;

/// A compiled target.
struct Way {
    slot: usize,
    path: Vec<Hop>,
    span: Span,
}

enum Hop {
    Index(E),
    Field(usize),
}

/// Runs `next` with one assignment more in the log.
#[inline]
fn assign<'s>(f: &mut Frame<'s>, slot: usize, value: Val, next: Next<'s, '_>) -> Result<(), Stop> {
    let mark = f.log.len();
    f.log.push((slot as u32, value));
    let result = next(f);
    f.log.truncate(mark);
    result
}

impl Cx<'_> {
    pub fn place_slot(&mut self, place: Place) -> usize {
        match place {
            Place::Variable(v) => self.variable_slot(v),
            Place::Local(l) => self.local_slot(l),
        }
    }

    /// Compiles a substitution.
    pub fn subst(&mut self, s: &Subst) -> S {
        if !self.deeper(s.span) {
            self.nesting -= 1;
            return Box::new(|_, _| Ok(()));
        }
        let compiled = self.subst_kind(s);
        self.nesting -= 1;
        compiled
    }

    fn subst_kind(&mut self, s: &Subst) -> S {
        let span = s.span;
        match &s.kind {
            SubstKind::Skip => Box::new(|f, next| next(f)),
            SubstKind::Assign(parts) => self.assignments(parts),
            SubstKind::BecomesElement(places, set) => self.becomes_element(places, set),
            SubstKind::BecomesSuch(such) => {
                let query = self.query(&such.after, std::slice::from_ref(&such.predicate));
                let from: Vec<usize> = such.after.iter().map(|l| self.local_slot(*l)).collect();
                let to: Vec<usize> = such.places.iter().map(|p| self.place_slot(*p)).collect();
                Box::new(move |f, next| {
                    query.run(f, &mut |f, stop| {
                        if let Some(stop) = stop {
                            return f.note(stop);
                        }
                        let mark = f.log.len();
                        for (&to, &from) in to.iter().zip(&from) {
                            f.log.push((to as u32, f.slots[from]));
                        }
                        let result = next(f);
                        chosen(f, mark, result)
                    })
                })
            }
            SubstKind::Pre(conjuncts, body) => {
                self.checked(conjuncts, body, FaultKind::Precondition)
            }
            SubstKind::Assert(promise, conjuncts, body) => {
                self.checked(conjuncts, body, FaultKind::Promise(*promise))
            }
            SubstKind::If(branches, otherwise) => {
                let branches: Vec<(P, S)> =
                    branches.iter().map(|(p, s)| (self.pred(p), self.subst(s))).collect();
                let otherwise = otherwise.as_ref().map(|s| self.subst(s));
                Box::new(move |f, next| {
                    for (condition, body) in &branches {
                        // A condition without a meaning fails the whole: which branch is meant,
                        // nobody knows.
                        if condition(f)? {
                            return body(f, next);
                        }
                    }
                    match &otherwise {
                        Some(body) => body(f, next),
                        None => next(f),
                    }
                })
            }
            SubstKind::Select(branches, otherwise) => {
                let branches: Vec<(P, S)> = branches
                    .iter()
                    .map(|(c, s)| (self.pred(&conjunction(c)), self.subst(s)))
                    .collect();
                let otherwise = otherwise.as_ref().map(|s| self.subst(s));
                Box::new(move |f, next| {
                    let mut taken = false;
                    for (guard, body) in &branches {
                        // All branches that are possible are choices; ELSE is for where none is.
                        if guard(f)? {
                            taken = true;
                            let mark = f.log.len();
                            let result = body(f, next);
                            chosen(f, mark, result)?;
                        }
                    }
                    match &otherwise {
                        Some(body) if !taken => body(f, next),
                        _ => Ok(()),
                    }
                })
            }
            SubstKind::Choice(parts) => {
                let parts: Vec<S> = parts.iter().map(|s| self.subst(s)).collect();
                Box::new(move |f, next| {
                    let mark = f.log.len();
                    parts.iter().try_for_each(|part| {
                        let result = part(f, next);
                        chosen(f, mark, result)
                    })
                })
            }
            SubstKind::Case(e, branches, otherwise) => {
                let e = self.kept(e);
                let branches: Vec<(Vec<E>, S)> = branches
                    .iter()
                    .map(|(labels, s)| {
                        (labels.iter().map(|l| self.kept(l)).collect(), self.subst(s))
                    })
                    .collect();
                let otherwise = otherwise.as_ref().map(|s| self.subst(s));
                Box::new(move |f, next| {
                    let value = e(f)?;
                    for (labels, body) in &branches {
                        for label in labels {
                            let label = label(f)?;
                            if sets::equal(f, value, label, span)? {
                                return body(f, next);
                            }
                        }
                    }
                    match &otherwise {
                        Some(body) => body(f, next),
                        None => next(f),
                    }
                })
            }
            SubstKind::Any(locals, conjuncts, body) => {
                let preds: Vec<Pred> = conjuncts.iter().map(|c| c.pred.clone()).collect();
                let query = self.query(locals, &preds);
                let body = self.subst(body);
                Box::new(move |f, next| any(f, &query, &body, next))
            }
            SubstKind::Let(values, body) => {
                let values = self.lets(values);
                let body = self.subst(body);
                Box::new(move |f, next| {
                    for (slot, value) in &values {
                        let v = value(f)?;
                        // Listed once, here: the body may look at it many times.
                        f.slots[*slot] = sets::settle(f, v, span)?;
                    }
                    body(f, next)
                })
            }
            SubstKind::Var(locals, body) => {
                let slots: Vec<usize> = locals.iter().map(|l| self.local_slot(*l)).collect();
                let body = self.subst(body);
                Box::new(move |f, next| {
                    for &slot in &slots {
                        // No value from a choice before: reading one that was not assigned must be
                        // noticed.
                        f.slots[slot] = Val::UNSET;
                    }
                    body(f, next)
                })
            }
            SubstKind::While(w) => self.while_loop(w, span),
            SubstKind::Sequence(parts) => {
                let parts: Vec<S> = parts.iter().map(|s| self.subst(s)).collect();
                Box::new(move |f, next| {
                    let mark = f.log.len();
                    sequence(f, &parts, mark, &mut Vec::new(), next)
                })
            }
            SubstKind::Parallel(parts) => {
                // Found out once: most parts write different variables, and need no look at the
                // log.
                let overlap = overlapping(self, parts);
                let parts: Vec<S> = parts.iter().map(|s| self.subst(s)).collect();
                Box::new(move |f, next| {
                    let marks = vec![f.log.len()];
                    parallel(f, &parts, &marks, overlap, span, next)
                })
            }
            SubstKind::Call(call) => self.call(call, span),
            // External substitutions print or log: they change nothing.
            SubstKind::External(..) => Box::new(|f, next| next(f)),
        }
    }

    fn way(&mut self, target: &Target) -> Way {
        let path = target
            .path
            .iter()
            .map(|a| match a {
                Access::Index(e) => Hop::Index(self.kept(e)),
                Access::Field(i) => Hop::Field(*i),
            })
            .collect();
        Way { slot: self.place_slot(target.place), path, span: target.span }
    }

    fn assignments(&mut self, parts: &[Assignment]) -> S {
        let mut compiled: Vec<(Way, E)> =
            parts.iter().map(|a| (self.way(&a.target), self.kept(&a.value))).collect();
        if compiled.len() == 1
            && let Some((way, value)) = compiled.pop()
        {
            // By far the most frequent substitution: nothing to look up in the log.
            if way.path.is_empty() {
                let slot = way.slot;
                return Box::new(move |f, next| {
                    let value = value(f)?;
                    assign(f, slot, value, next)
                });
            }
            compiled.push((way, value));
        }
        Box::new(move |f, next| {
            let mark = f.log.len();
            for (way, value) in &compiled {
                let value = value(f)?;
                // Several parts of one function: the later sees the earlier.
                let old = f.log[mark..]
                    .iter()
                    .rev()
                    .find(|(s, _)| *s as usize == way.slot)
                    .map_or(f.slots[way.slot], |(_, v)| *v);
                let value = update(f, old, &way.path, value, way.span)?;
                f.log.push((way.slot as u32, value));
            }
            let result = next(f);
            f.log.truncate(mark);
            result
        })
    }

    fn becomes_element(&mut self, places: &[Place], set: &Expr) -> S {
        let span = set.span;
        let set = self.expr(set);
        let slots: Vec<usize> = places.iter().map(|p| self.place_slot(*p)).collect();
        Box::new(move |f, next| {
            let set = set(f)?;
            sets::each(f, set, span, &mut |f, value| {
                let mark = f.log.len();
                let mut rest = value;
                // `x, y, z :: S` takes `(x |-> y) |-> z` apart, from its right end.
                for &slot in slots.iter().skip(1).rev() {
                    let Some((left, right)) = f.store.as_pair(rest) else {
                        return Ok(());
                    };
                    f.log.push((slot as u32, right));
                    rest = left;
                }
                if let Some(&slot) = slots.first() {
                    f.log.push((slot as u32, rest));
                }
                let result = next(f);
                chosen(f, mark, result)
            })
        })
    }

    /// A condition that must hold here.
    fn checked(&mut self, conjuncts: &[Conjunct], body: &Subst, kind: FaultKind) -> S {
        let conditions = self.conditions(conjuncts);
        let body = self.subst(body);
        Box::new(move |f, next| {
            demand(f, &conditions, kind)?;
            body(f, next)
        })
    }

    fn conditions(&mut self, conjuncts: &[Conjunct]) -> Vec<(P, Span)> {
        conjuncts.iter().map(|c| (self.pred(&c.pred), c.span)).collect()
    }

    fn while_loop(&mut self, w: &beeline_model::While, span: Span) -> S {
        let before: Vec<(usize, usize)> = w
            .before
            .iter()
            .map(|(local, place)| (self.local_slot(*local), self.place_slot(*place)))
            .collect();
        let condition = self.pred(&w.condition);
        let invariant = self.conditions(&w.invariant);
        let variant = self.expr(&w.variant);
        let body = self.subst(&w.body);
        Box::new(move |f, next| {
            // `x$0` is the value before the loop, whichever round speaks of it.
            for &(to, from) in &before {
                f.slots[to] = f.slots[from];
            }
            let parts = Loop {
                condition: &condition,
                invariant: &invariant,
                variant: &variant,
                body: &body,
                span,
            };
            parts.run(f, next)
        })
    }

    fn call(&mut self, call: &Call, span: Span) -> S {
        let arguments: Vec<E> = call.arguments.iter().map(|e| self.kept(e)).collect();
        let ways: Vec<Way> = call.results.iter().map(|t| self.way(t)).collect();
        let Some((params, results, body)) = self.inlined(call.operation, span) else {
            return Box::new(|_, _| Ok(()));
        };
        Box::new(move |f, next| {
            let values = super::expr::all(f, &arguments)?;
            for (&slot, &value) in params.iter().zip(&values) {
                f.slots[slot] = value;
            }
            for &slot in &results {
                // A result that is not assigned must not have the value of an earlier call.
                f.slots[slot] = Val::UNSET;
            }
            let mark = f.log.len();
            body(f, &mut |f| {
                let inner = f.log.len();
                for (way, &result) in ways.iter().zip(&results) {
                    // From the log, and only what the call wrote: slots still show the state
                    // before.
                    let value = f.log[mark..inner]
                        .iter()
                        .rev()
                        .find(|(s, _)| *s as usize == result)
                        .map(|(_, v)| *v);
                    let Some(value) = value else {
                        f.log.truncate(inner);
                        return Err(Stop::fault(
                            FaultKind::Unassigned,
                            span,
                            "the called operation gives no result",
                        ));
                    };
                    let value = update(f, f.slots[way.slot], &way.path, value, way.span)?;
                    f.log.push((way.slot as u32, value));
                }
                let outcome = next(f);
                f.log.truncate(inner);
                outcome
            })
        })
    }

    /// The body of an operation with slots of its own: parameters, results, body.
    fn inlined(&mut self, id: OperationId, span: Span) -> Option<(Vec<usize>, Vec<usize>, S)> {
        // Calls are inlined: one that leads back would never end.
        if self.calls.contains(&id) {
            self.error(span, "an operation calls itself");
            return None;
        }
        let model = self.model;
        let operation = model.operation(id);
        self.calls.push(id);
        self.enter_scope();
        let params = operation.parameters.iter().map(|l| self.local_slot(*l)).collect();
        let results = operation.results.iter().map(|l| self.local_slot(*l)).collect();
        let body = self.subst(&operation.body);
        self.leave_scope();
        self.calls.pop();
        Some((params, results, body))
    }

    /// A query operation called inside an expression: the result of its first outcome.
    pub fn operation_value(&mut self, id: OperationId, args: &[Expr], span: Span) -> E {
        let arguments: Vec<E> = args.iter().map(|e| self.kept(e)).collect();
        let Some((params, results, body)) = self.inlined(id, span) else {
            return super::expr::constant(Val::EMPTY);
        };
        Box::new(move |f| {
            let values = super::expr::all(f, &arguments)?;
            for (&slot, &value) in params.iter().zip(&values) {
                f.slots[slot] = value;
            }
            let (mark, faults) = (f.log.len(), f.faults.len());
            let mut found = Vec::new();
            let outcome = body(f, &mut |f| {
                for &result in &results {
                    let entry = f.log[mark..].iter().rev().find(|(s, _)| *s as usize == result);
                    found.push(entry.map_or(Val::UNSET, |(_, v)| *v));
                }
                // One value is asked for: the first outcome gives it.
                Err(Stop::Enough)
            });
            f.log.truncate(mark);
            // In a formula a choice that fails is the formula's failure.
            if let Some(fault) = f.faults.drain(faults..).next() {
                return Err(Stop::Fault(Box::new(fault)));
            }
            match outcome {
                Ok(()) | Err(Stop::Enough) => {}
                Err(stop) => return Err(stop),
            }
            let mut values = found.into_iter();
            match values.next() {
                Some(first) if first != Val::UNSET => {
                    Ok(values.fold(first, |tuple, v| f.store.pair(tuple, v)))
                }
                _ => Err(Stop::fault(
                    FaultKind::Unassigned,
                    span,
                    "the called operation gives no result",
                )),
            }
        })
    }
}

/// Raises a fault unless all conditions hold.
fn demand<'s>(f: &mut Frame<'s>, conditions: &[(P, Span)], kind: FaultKind) -> Result<(), Stop> {
    for (condition, span) in conditions {
        if !condition(f)? {
            let words = match kind {
                FaultKind::Precondition => "the precondition does not hold",
                FaultKind::LoopInvariant => "the loop invariant does not hold",
                FaultKind::Promise(promise) => promise.broken(),
                _ => "a condition does not hold",
            };
            return Err(Stop::fault(kind, *span, words));
        }
    }
    Ok(())
}

fn any<'s>(f: &mut Frame<'s>, query: &Query, body: &S, next: Next<'s, '_>) -> Result<(), Stop> {
    query.run(f, &mut |f, stop| match stop {
        Some(stop) => f.note(stop),
        None => {
            let mark = f.log.len();
            let result = body(f, next);
            chosen(f, mark, result)
        }
    })
}

/// The end of one choice. If it failed, that is noted and the others are tried: what an operation does
/// must not depend on the order of its choices.
#[inline]
fn chosen(f: &mut Frame<'_>, mark: usize, result: Result<(), Stop>) -> Result<(), Stop> {
    f.log.truncate(mark);
    match result {
        Ok(()) => Ok(()),
        Err(stop) => f.note(stop),
    }
}

/// The value with one part of it replaced.
fn update<'s>(
    f: &mut Frame<'s>,
    old: Val,
    path: &[Hop],
    new: Val,
    span: Span,
) -> Result<Val, Stop> {
    let Some((hop, rest)) = path.split_first() else {
        return Ok(new);
    };
    match hop {
        Hop::Index(index) => {
            let index = index(f)?;
            let new = if rest.is_empty() {
                new
            } else {
                // `f(x)(y) := e` needs a value at `x`; `f(x) := e` does not.
                let inner = apply(f, old, index, span)?;
                update(f, inner, rest, new, span)?
            };
            match f.store.override_at(old, index, new) {
                Some(value) => Ok(value),
                // It is not listed, or words do not tell keys apart.
                None => {
                    let one = f.store.relation(vec![(index, new)]);
                    crate::eval::operators::binary(f, BinaryOp::Override, old, one, span)
                }
            }
        }
        Hop::Field(i) => {
            let mut fields = f.store.as_record(old).unwrap_or(&[]).to_vec();
            let Some(&inner) = fields.get(*i) else {
                return Err(Stop::fault(FaultKind::Unassigned, span, "a record without a value"));
            };
            fields[*i] = update(f, inner, rest, new, span)?;
            Ok(f.store.record(fields))
        }
    }
}

/// `S ; T ; …`: after each part its assignments become visible to the next; before what follows
/// the slots are as they were, and the log has it all.
fn sequence<'s>(
    f: &mut Frame<'s>,
    parts: &[S],
    shown: usize,
    undo: &mut Vec<(u32, Val)>,
    next: Next<'s, '_>,
) -> Result<(), Stop> {
    let Some((part, rest)) = parts.split_first() else {
        // Hide what this sequence showed, go on, show it again for further choices.
        for (slot, value) in undo.iter_mut().rev() {
            std::mem::swap(&mut f.slots[*slot as usize], value);
        }
        let result = next(f);
        for (slot, value) in undo.iter_mut() {
            std::mem::swap(&mut f.slots[*slot as usize], value);
        }
        return result;
    };
    enough_stack(rest.len(), || {
        part(f, &mut |f| {
            let mark = undo.len();
            let end = f.log.len();
            // Nobody reads the slots after the last part: it need not be shown.
            if !rest.is_empty() {
                for i in shown..end {
                    let (slot, value) = f.log[i];
                    undo.push((slot, std::mem::replace(&mut f.slots[slot as usize], value)));
                }
            }
            let result = sequence(f, rest, end, undo, next);
            // Backwards: a slot may have been shown twice.
            while undo.len() > mark {
                if let Some((slot, value)) = undo.pop() {
                    f.slots[slot as usize] = value;
                }
            }
            result
        })
    })
}

/// Parts of a sequence run inside each other: thousands of them need more than one stack. Looked at
/// seldom, so that it costs nothing.
#[inline]
fn enough_stack<T>(left: usize, work: impl FnOnce() -> T) -> T {
    match left % 32 {
        31 => stacker::maybe_grow(512 << 10, 16 << 20, work),
        _ => work(),
    }
}

fn parallel<'s>(
    f: &mut Frame<'s>,
    parts: &[S],
    marks: &[usize],
    overlap: bool,
    span: Span,
    next: Next<'s, '_>,
) -> Result<(), Stop> {
    let Some((part, rest)) = parts.split_first() else {
        if overlap {
            let mut seen: FxHashSet<u32> = FxHashSet::default();
            for w in marks.windows(2) {
                // One part may assign a variable several times, in a sequence.
                let own: FxHashSet<u32> = f.log[w[0]..w[1]].iter().map(|e| e.0).collect();
                if own.iter().any(|slot| !seen.insert(*slot)) {
                    let words = "two parallel substitutions assign the same variable";
                    return Err(Stop::fault(FaultKind::DoubleAssignment, span, words));
                }
            }
        }
        return next(f);
    };
    enough_stack(rest.len(), || {
        part(f, &mut |f| {
            if overlap {
                let mut marks = marks.to_vec();
                marks.push(f.log.len());
                parallel(f, rest, &marks, overlap, span, next)
            } else {
                parallel(f, rest, marks, overlap, span, next)
            }
        })
    })
}

struct Loop<'a> {
    condition: &'a P,
    invariant: &'a [(P, Span)],
    variant: &'a E,
    body: &'a S,
    span: Span,
}

/// A point in the execution of a loop: its assignments so far, and the last variant.
struct Round {
    written: Vec<(u32, Val)>,
    variant: Option<Val>,
}

/// What one round costs: it checks an invariant and makes values, so that an endless loop meets
/// the limit of steps before it meets that of the memory.
const ROUND_COST: u64 = 16;

impl Loop<'_> {
    /// Executes round by round; choices inside the body are kept in a list, so that the number of
    /// rounds is bounded by steps and not by the stack.
    fn run<'s>(&self, f: &mut Frame<'s>, next: Next<'s, '_>) -> Result<(), Stop> {
        // The last one found comes first: as deep as a run is long, and not as broad as all its
        // choices.
        let mut pending = vec![Round { written: Vec::new(), variant: None }];
        let mut seen: FxHashSet<Vec<(u32, Val)>> = FxHashSet::default();
        while let Some(round) = pending.pop() {
            f.pay(ROUND_COST, self.span)?;
            let mut undo: Vec<(u32, Val)> = Vec::with_capacity(round.written.len());
            for &(slot, value) in &round.written {
                undo.push((slot, std::mem::replace(&mut f.slots[slot as usize], value)));
            }
            let mark = f.log.len();
            let outcome = self.round(f, &round, &mut pending);
            while let Some((slot, value)) = undo.pop() {
                f.slots[slot as usize] = value;
            }
            match outcome {
                Ok(true) => continue,
                Ok(false) => {}
                Err(stop) => {
                    chosen(f, mark, Err(stop))?;
                    continue;
                }
            }
            if !seen.is_empty() && seen.contains(&round.written) {
                continue;
            }
            // A loop without choices ends once, and need not be remembered.
            if !pending.is_empty() || !seen.is_empty() {
                seen.insert(round.written.clone());
            }
            // As one set of assignments: what follows sees the loop as a single substitution.
            f.log.extend_from_slice(&round.written);
            let result = next(f);
            chosen(f, mark, result)?;
        }
        Ok(())
    }

    /// One round: true if the loop goes on (its outcomes are in `pending`), false if it ends here.
    fn round<'s>(
        &self,
        f: &mut Frame<'s>,
        round: &Round,
        pending: &mut Vec<Round>,
    ) -> Result<bool, Stop> {
        // Also when the loop ends: what follows it may rely on it.
        demand(f, self.invariant, FaultKind::LoopInvariant)?;
        if !(self.condition)(f)? {
            return Ok(false);
        }
        let variant = (self.variant)(f)?;
        let zero = f.store.int(0);
        let falls = round.variant.is_none_or(|last| f.store.cmp(variant, last).is_lt());
        if f.store.cmp(variant, zero).is_lt() || !falls {
            let mut words = format!("the variant is {}", show(f.rt, variant, None));
            if let Some(last) = round.variant {
                words += &format!(", and was {} before", show(f.rt, last, None));
            }
            return Err(Stop::fault(FaultKind::LoopVariant, self.span, words));
        }
        let mark = f.log.len();
        let limit = f.rt.settings.elements;
        (self.body)(f, &mut |f| {
            let mut written = round.written.clone();
            for &(slot, value) in &f.log[mark..] {
                match written.iter_mut().find(|(s, _)| *s == slot) {
                    Some(entry) => entry.1 = value,
                    None => written.push((slot, value)),
                }
            }
            pending.push(Round { written, variant: Some(variant) });
            // Choices of a round wait in memory: without a bound an endless loop would fill it.
            if pending.len() > limit { Err(sets::too_large(self.span)) } else { Ok(()) }
        })?;
        Ok(true)
    }
}

/// Might two parallel parts assign one place?
fn overlapping(cx: &Cx<'_>, parts: &[Subst]) -> bool {
    let mut seen = FxHashSet::default();
    for part in parts {
        let mut own = FxHashSet::default();
        writes(cx, part, &mut own);
        if own.into_iter().any(|place| !seen.insert(place)) {
            return true;
        }
    }
    false
}

fn writes(cx: &Cx<'_>, s: &Subst, out: &mut FxHashSet<Place>) {
    match &s.kind {
        SubstKind::Skip | SubstKind::External(..) => {}
        SubstKind::Assign(parts) => out.extend(parts.iter().map(|a| a.target.place)),
        SubstKind::BecomesElement(places, _) => out.extend(places),
        SubstKind::BecomesSuch(such) => out.extend(&such.places),
        SubstKind::Pre(_, s) | SubstKind::Assert(_, _, s) => writes(cx, s, out),
        SubstKind::Any(_, _, s) | SubstKind::Let(_, s) | SubstKind::Var(_, s) => {
            writes(cx, s, out);
        }
        SubstKind::If(branches, otherwise) => {
            branches.iter().for_each(|(_, s)| writes(cx, s, out));
            otherwise.iter().for_each(|s| writes(cx, s, out));
        }
        SubstKind::Select(branches, otherwise) => {
            branches.iter().for_each(|(_, s)| writes(cx, s, out));
            otherwise.iter().for_each(|s| writes(cx, s, out));
        }
        SubstKind::Case(_, branches, otherwise) => {
            branches.iter().for_each(|(_, s)| writes(cx, s, out));
            otherwise.iter().for_each(|s| writes(cx, s, out));
        }
        SubstKind::Choice(parts) | SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
            parts.iter().for_each(|s| writes(cx, s, out));
        }
        SubstKind::While(w) => writes(cx, &w.body, out),
        SubstKind::Call(call) => {
            out.extend(call.results.iter().map(|t| t.place));
            let operation = cx.model.operation(call.operation);
            // Of what it calls in turn, too: writes of an operation are closed under calls.
            out.extend(operation.writes.iter().map(|v| Place::Variable(*v)));
        }
    }
}
