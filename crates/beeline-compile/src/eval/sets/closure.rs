//! Comprehensions and lambdas as values: code plus the words it captured.

use super::enter::{bind_tuple, enter, tuple};
use super::integers::spans;
use super::same::distinct;
use super::tags::{CLOSURE, tag, too_large};
use super::{cartesian, equal};
use crate::answer::Stop;
use crate::eval::frame::{Aim, Code, E, Frame, Shape};
use beeline_source::Span;
use beeline_value::{Store, Val};

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
    // A lambda is known by its code; only plain sets of tuples have a form without one.
    let ranges = code.domain.as_ref().filter(|_| matches!(code.shape, Shape::Tuples));
    if code.demands.is_none() && ranges.is_none() {
        return closure;
    }
    // The same closure is captured again in every state that leaves its words as they are.
    if let Some(known) = f.memo.get(NORMAL, closure, closure) {
        return known;
    }
    let env = f.store.as_symbolic(closure).map_or(&[][..], |(_, env)| env);
    let normal = f.certain(|f| {
        if let Some(spans) = spans(f, closure)? {
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
            Some(left) => cartesian(f, left, set, span)?,
        });
    }
    Ok(whole)
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
            // The argument decides first: the body need not have a meaning outside the domain.
            if !bind_tuple(f.store, &mut f.slots, &code.params, argument) || !(code.test)(f)? {
                return Ok(false);
            }
            let got = body(f)?;
            equal(f, got, result, code.span)
        }
        // Some names satisfy the conditions, and the value is this one.
        Shape::Values(body) => f.certain(|f| {
            let mut pending = None;
            let outcome = code.all.run(f, &mut |f, stop| {
                let same = body(f).and_then(|got| equal(f, got, value, code.span));
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
    // Searches inside the search have aims of their own.
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
                return Err(too_large(code.span));
            }
            Ok(())
        })
    })?;
    found.into_iter().try_for_each(|value| k(f, value))
}
