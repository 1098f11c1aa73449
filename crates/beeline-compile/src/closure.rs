//! Comprehensions and lambdas as values: code plus the words it captured.

use crate::answer::{CutReason, Stop};
use crate::frame::{E, Frame, P};
use crate::integers::Demand;
use crate::operators::binary;
use crate::optimum::Aim;
use crate::query::Query;
use crate::same::distinct;
use crate::symbolic::{CLOSURE, tag};
use beeline_model::{BinaryOp, TypeId};
use beeline_source::Span;
use beeline_value::{Store, Val};

/// Nested applications of symbolic functions: a recursion without end takes memory as long as it may,
/// and half a gigabyte is enough to see that it is one.
pub(crate) const MAX_DEPTH: u32 = 200_000;

/// What a symbolic comprehension or lambda means.
pub(crate) struct Code {
    /// Slots it reads from outside; their words are the arguments of the symbolic value.
    pub free: Vec<usize>,
    /// Slots it binds inside: they are saved over a call, for the sake of recursion.
    pub bound: Vec<usize>,
    /// Slots of its own names.
    pub params: Vec<usize>,
    /// Their types.
    pub types: Vec<TypeId>,
    /// All conditions, with the names bound.
    pub test: P,
    pub shape: Shape,
    /// What the names range over, where the condition says `x : S` of each and nothing else.
    pub domain: Option<Vec<E>>,
    /// Where it is a set of integers and says no more than that they are in intervals: those.
    pub demands: Option<Demand>,
    /// Enumerates the names.
    pub all: Query,
    /// Finds the last name from the others: a relation applied.
    pub last: Option<Query>,
    pub span: Span,
    /// In B notation.
    pub text: Box<str>,
}

/// What the elements are.
pub(crate) enum Shape {
    /// The tuples of the names.
    Tuples,
    /// Pairs of the tuple and the value.
    Lambda(E),
    /// The values.
    Values(E),
}

/// The symbolic value of a code in the present frame, as it is written.
pub(crate) fn capture(f: &Frame<'_>, code: usize) -> Val {
    let env = f.rt.codes[code].free.iter().map(|&s| f.slots[s]).collect();
    f.store.symbolic(tag(CLOSURE, code), env)
}

/// The same in a form that does not depend on how it is written, where there is one: intervals, or
/// the product of what the names range over.
pub(crate) fn capture_normal<'s>(f: &mut Frame<'s>, number: usize) -> Val {
    const NORMAL: u32 = 5;
    let rt = f.rt;
    let code = &rt.codes[number];
    let closure = capture(f, number);
    let ranges = code.domain.as_ref().filter(|_| matches!(code.shape, Shape::Tuples));
    if code.demands.is_none() && ranges.is_none() {
        return closure;
    }
    if let Some(known) = f.memo.get(NORMAL, closure, closure) {
        return known;
    }
    let env = f.store.as_symbolic(closure).map_or(&[][..], |(_, env)| env);
    let normal = f.certain(|f| {
        if let Some(spans) = crate::integers::spans(f, closure)? {
            return Ok((Some(spans.value(f)), false));
        }
        let product = match ranges {
            Some(sets) => enter(f, code, env, |f| product_of(f, sets, code.span))?,
            None => None,
        };
        Ok((product, false))
    });
    // What has no meaning, or takes long, is looked at when it is asked for.
    let Ok(normal) = normal else { return closure };
    let normal = normal.unwrap_or(closure);
    f.memo.put(NORMAL, closure, closure, normal);
    normal
}

/// `A * B * …`
fn product_of<'s>(f: &mut Frame<'s>, sets: &[E], span: Span) -> Result<Option<Val>, Stop> {
    let mut whole: Option<Val> = None;
    for set in sets {
        let set = set(f)?;
        whole = Some(match whole {
            None => set,
            Some(left) => binary(f, BinaryOp::Cartesian, left, set, span)?,
        });
    }
    Ok(whole)
}

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
    let saved: Vec<Val> = code.free.iter().chain(&code.bound).map(|&s| f.slots[s]).collect();
    for (&slot, &word) in code.free.iter().zip(env) {
        f.slots[slot] = word;
    }
    f.depth += 1;
    let result = stacker::maybe_grow(256 << 10, 8 << 20, || body(f));
    f.depth -= 1;
    for (&slot, &word) in code.free.iter().chain(&code.bound).zip(&saved) {
        f.slots[slot] = word;
    }
    result
}

/// Is a value in a symbolic comprehension?
pub(crate) fn member<'s>(
    f: &mut Frame<'s>,
    code: usize,
    env: &[Val],
    value: Val,
) -> Result<bool, Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    enter(f, code, env, |f| match &code.shape {
        Shape::Tuples => {
            Ok(bind_tuple(f.store, &mut f.slots, &code.params, value) && (code.test)(f)?)
        }
        Shape::Lambda(body) => {
            let Some((argument, result)) = f.store.as_pair(value) else {
                return Ok(false);
            };
            if !bind_tuple(f.store, &mut f.slots, &code.params, argument) || !(code.test)(f)? {
                return Ok(false);
            }
            let got = body(f)?;
            crate::symbolic::equal(f, got, result, code.span)
        }
        // Some names satisfy the conditions, and the value is this one.
        Shape::Values(body) => f.certain(|f| {
            let mut pending = None;
            let outcome = code.all.run(f, &mut |f, stop| {
                let same = body(f).and_then(|got| crate::symbolic::equal(f, got, value, code.span));
                match (same, stop) {
                    (Ok(false), _) => Ok(()),
                    (Ok(true), None) => Err(Stop::Enough),
                    (Err(same), stop) => {
                        stop.into_iter().for_each(|stop| stop.join(&mut pending));
                        match same {
                            Stop::Cut(cut) if cut.is_final() => Err(Stop::Cut(cut)),
                            same => {
                                same.join(&mut pending);
                                Ok(())
                            }
                        }
                    }
                    (Ok(true), Some(stop)) => {
                        stop.join(&mut pending);
                        Ok(())
                    }
                }
            });
            match (outcome, pending) {
                (Err(Stop::Enough), _) => Ok((true, true)),
                (Err(stop), _) | (Ok(()), Some(stop)) => Err(stop),
                (Ok(()), None) => Ok((false, false)),
            }
        }),
    })
}

/// The domain of a symbolic lambda, where its text tells.
pub(crate) fn domain<'s>(f: &mut Frame<'s>, code: usize, env: &[Val]) -> Result<Option<Val>, Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    match (&code.shape, &code.domain) {
        (Shape::Lambda(_), Some(sets)) => enter(f, code, env, |f| product_of(f, sets, code.span)),
        _ => Ok(None),
    }
}

/// All values that a symbolic relation relates to `key`.
///
/// Nothing if this shape cannot tell without listing it all.
pub(crate) fn related<'s>(
    f: &mut Frame<'s>,
    code: usize,
    env: &[Val],
    key: Val,
) -> Result<Option<Vec<Val>>, Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    enter(f, code, env, |f| match (&code.shape, &code.last) {
        (Shape::Lambda(body), _) => {
            if !bind_tuple(f.store, &mut f.slots, &code.params, key) || !(code.test)(f)? {
                return Ok(Some(Vec::new()));
            }
            Ok(Some(vec![body(f)?]))
        }
        (Shape::Tuples, Some(last)) => {
            let (result, names) = match code.params.split_last() {
                Some((result, names)) => (*result, names),
                None => return Ok(None),
            };
            if !bind_tuple(f.store, &mut f.slots, names, key) {
                return Ok(Some(Vec::new()));
            }
            f.certain(|f| {
                let mut out = Vec::new();
                last.run(f, &mut |f, stop| {
                    if let Some(stop) = stop {
                        return Err(stop);
                    }
                    out.push(f.slots[result]);
                    Ok(())
                })?;
                // A value determines the rest of a function; nobody asks for more.
                Ok((Some(distinct(f, out, code.span)?), false))
            })
        }
        _ => Ok(None),
    })
}

/// Calls `k` with elements of a symbolic comprehension, the best by their first name among them.
pub(crate) fn improve<'s>(
    f: &mut Frame<'s>,
    code: usize,
    env: &[Val],
    most: bool,
    k: &mut dyn FnMut(&Store, Val),
) -> Result<(), Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    let aim = match (&code.shape, code.params.first()) {
        (Shape::Tuples | Shape::Lambda(_), Some(slot)) => {
            Some(Aim { slot: *slot, best: None, most })
        }
        _ => None,
    };
    let before = std::mem::replace(&mut f.aim, aim);
    let outcome = enter(f, code, env, |f| {
        code.all.run(f, &mut |f, stop| {
            if let Some(stop) = stop {
                return Err(stop);
            }
            let value = element(f, code)?;
            k(f.store, value);
            Ok(())
        })
    });
    f.aim = before;
    outcome
}

/// The element that the names in their slots make.
fn element<'s>(f: &mut Frame<'s>, code: &Code) -> Result<Val, Stop> {
    match &code.shape {
        Shape::Tuples => Ok(tuple(f.store, &f.slots, &code.params)),
        Shape::Lambda(body) => {
            let result = body(f)?;
            let key = tuple(f.store, &f.slots, &code.params);
            Ok(f.store.pair(key, result))
        }
        Shape::Values(body) => body(f),
    }
}

/// Enumerates the elements of a symbolic comprehension, perhaps with repetitions.
pub(crate) fn enumerate<'s>(
    f: &mut Frame<'s>,
    code: usize,
    env: &[Val],
    k: &mut dyn FnMut(&mut Frame<'s>, Val) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    // The receiver may look at slots of its own, so all elements are found first.
    let mut found = Vec::new();
    enter(f, code, env, |f| {
        code.all.run(f, &mut |f, stop| {
            if let Some(stop) = stop {
                return Err(stop);
            }
            let value = element(f, code)?;
            found.push(value);
            if found.len() > f.rt.settings.elements {
                return Err(crate::symbolic::too_large(code.span));
            }
            Ok(())
        })
    })?;
    found.into_iter().try_for_each(|value| k(f, value))
}
