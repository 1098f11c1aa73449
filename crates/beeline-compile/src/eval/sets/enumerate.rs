//! Enumerates the elements of any set, one by one, without building it.
//!
//! Infinite sets are enumerated within `MININT..MAXINT` and leave a note in `Frame::cuts`.

use super::closure;
use super::integers::Spans;
use super::recursion::unfold;
use super::same::Distinct;
use super::tags::*;
use super::{Each, list, member, related, size, spaces};
use crate::answer::{CutReason, Stop};
use crate::eval::frame::Frame;
use beeline_plan::{Arrow, arrow};
use beeline_source::Span;
use beeline_value::Val;

/// Calls `k` with each element of `set`, each once.
pub(crate) fn each<'s>(
    f: &mut Frame<'s>,
    set: Val,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    let store = f.store;
    if let Some(elems) = store.elems(set) {
        for i in 0..elems.len() {
            f.tick(span)?;
            k(f, store.nth(elems, i))?;
        }
        return Ok(());
    }
    let Some((tag, args)) = store.as_symbolic(set) else {
        return Ok(());
    };
    let (kind, extra) = split(tag);
    match kind {
        INTEGER => integers(f, f.rt.settings.min_int, span, k),
        NATURAL => integers(f, 0, span, k),
        NATURAL1 => integers(f, 1, span, k),
        SPANS => spans(f, args, span, k),
        LOOSE => {
            let listed = list(f, set, span)?;
            each(f, listed, span, k)
        }
        STRING => {
            f.note_cut(CutReason::LargeSet, span, "STRING is infinite: two strings are tried");
            k(f, store.string("STR1"))?;
            k(f, store.string("STR2"))
        }
        REAL => {
            f.note_cut(CutReason::LargeSet, span, "REAL is infinite: two numbers are tried");
            k(f, store.real(0.0))?;
            k(f, store.real(1.0))
        }
        SPACE1 if matches!(extra, POW | POW1 | FIN | FIN1) => {
            let elems = exponent(f, args[0], span)?;
            subsets(f, &elems, matches!(extra, POW1 | FIN1), span, k)
        }
        SPACE1 => sequences(f, extra, args[0], span, k),
        // Neither side is listed for it: one pair exists at a time.
        SPACE2 if extra == CARTESIAN => each(f, args[0], span, &mut |f, left| {
            each(f, args[1], span, &mut |f, right| {
                let pair = f.store.pair(left, right);
                k(f, pair)
            })
        }),
        SPACE2 => match arrow(extra) {
            Some(arrow) => arrows(f, arrow, args[0], args[1], span, k),
            None => Ok(()),
        },
        RECORDS => records(f, args, &mut Vec::new(), span, k),
        CLOSURE => {
            let mut seen = Distinct::default();
            closure::enumerate(f, extra, args, &mut |f, value| {
                if seen.add(f, value, span)? { k(f, value) } else { Ok(()) }
            })
        }
        // Each element once: of the second side only what is not in the first.
        UNION => {
            each(f, args[0], span, k)?;
            each(f, args[1], span, &mut |f, value| {
                if member(f, value, args[0], span)? { Ok(()) } else { k(f, value) }
            })
        }
        INTER => {
            // Enumerate the smaller side.
            let rank = |s| size(f, s).unwrap_or(1e18);
            let (from, other) = if rank(args[0]) <= rank(args[1]) {
                (args[0], args[1])
            } else {
                (args[1], args[0])
            };
            each(f, from, span, &mut |f, value| {
                if member(f, value, other, span)? { k(f, value) } else { Ok(()) }
            })
        }
        // The first side decides how long it takes, however large the other is.
        DIFF => each(f, args[0], span, &mut |f, value| {
            if member(f, value, args[1], span)? { Ok(()) } else { k(f, value) }
        }),
        INVERSE => each(f, args[0], span, &mut |f, value| match f.store.as_pair(value) {
            Some((a, b)) => {
                let pair = f.store.pair(b, a);
                k(f, pair)
            }
            None => Ok(()),
        }),
        IDENTITY => each(f, args[0], span, &mut |f, value| {
            let pair = f.store.pair(value, value);
            k(f, pair)
        }),
        PROJECTION => each(f, args[0], span, &mut |f, a| {
            each(f, args[1], span, &mut |f, b| {
                let key = f.store.pair(a, b);
                let pair = f.store.pair(key, if extra == 1 { a } else { b });
                k(f, pair)
            })
        }),
        DOMAIN | RANGE => {
            let mut seen = Distinct::default();
            each(f, args[0], span, &mut |f, value| {
                let Some((a, b)) = f.store.as_pair(value) else {
                    return Ok(());
                };
                let side = if kind == DOMAIN { a } else { b };
                if seen.add(f, side, span)? { k(f, side) } else { Ok(()) }
            })
        }
        FUNCTION => {
            f.note_cut(CutReason::LargeSet, span, "an infinite function is enumerated in part");
            let numbers = store.symbolic(INTEGER, Vec::new());
            if extra > 1 {
                return Err(too_large(span));
            }
            each(f, numbers, span, &mut |f, key| {
                let value = spaces::function(f, extra, key)[0];
                let pair = f.store.pair(key, value);
                k(f, pair)
            })
        }
        RECURSION => {
            let meaning = unfold(f, extra, args)?;
            each(f, meaning, span, k)
        }
        RELATION => relation(f, extra, args[0], args[1], span, k),
        FREE => free_values(f, extra, args, span, k),
        _ => Err(too_large(span)),
    }
}

fn integers<'s>(f: &mut Frame<'s>, low: i64, span: Span, k: Each<'s, '_>) -> Result<(), Stop> {
    let high = f.rt.settings.max_int;
    f.note_cut(
        CutReason::LargeSet,
        span,
        format!("an infinite set of integers is tried within {low}..{high}"),
    );
    for i in low..=high {
        f.tick(span)?;
        let value = f.store.int(i);
        k(f, value)?;
    }
    Ok(())
}

/// Integers in intervals; of those without an end, as many as of `INTEGER`.
fn spans<'s>(f: &mut Frame<'s>, ends: &[Val], span: Span, k: Each<'s, '_>) -> Result<(), Stop> {
    let spans = Spans::of_ends(f.store, ends);
    let (low, high) = (f.rt.settings.min_int, f.rt.settings.max_int);
    if !spans.is_finite() {
        let words = format!("an infinite set of integers is tried within {low}..{high}");
        f.note_cut(CutReason::LargeSet, span, words);
    }
    for (from, to) in spans.tried(low, high) {
        for i in from..=to {
            f.tick(span)?;
            let value = f.store.int(i);
            k(f, value)?;
        }
    }
    Ok(())
}

/// More elements than this are not each in or out.
const MOST_CHOICES: usize = 100_000;

/// The elements of a set; of an infinite one, those that are tried.
fn sample<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Vec<Val>, Stop> {
    sample_of(f, set, f.rt.settings.elements, span)
}

/// The same where each element is in or out by itself: of more than so many nobody can try all
/// choices, and sorting them would only take long.
fn exponent<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Vec<Val>, Stop> {
    sample_of(f, set, f.rt.settings.elements.min(MOST_CHOICES), span)
}

fn sample_of<'s>(f: &mut Frame<'s>, set: Val, most: usize, span: Span) -> Result<Vec<Val>, Stop> {
    let mut out = Vec::new();
    each(f, set, span, &mut |_, value| {
        out.push(value);
        if out.len() > most { Err(too_large(span)) } else { Ok(()) }
    })?;
    // By content: subsets and functions then come in an order that does not depend on the run.
    out.sort_unstable_by(|a, b| f.store.cmp(*a, *b));
    Ok(out)
}

/// All subsets of sorted elements, by counting in binary.
fn subsets<'s>(
    f: &mut Frame<'s>,
    elems: &[Val],
    nonempty: bool,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    // Counted instead of recursed: there may be a hundred thousand elements.
    let mut inside = vec![false; elems.len()];
    loop {
        let chosen: Vec<Val> =
            elems.iter().zip(&inside).filter(|(_, i)| **i).map(|(e, _)| *e).collect();
        f.pay(1 + chosen.len() as u64, span)?;
        if !chosen.is_empty() || !nonempty {
            let set = f.store.set_sorted(chosen);
            k(f, set)?;
        }
        match inside.iter().position(|i| !i) {
            None => return Ok(()),
            Some(first) => {
                inside[..first].fill(false);
                inside[first] = true;
            }
        }
    }
}

fn records<'s>(
    f: &mut Frame<'s>,
    sets: &[Val],
    chosen: &mut Vec<Val>,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    match sets.split_first() {
        None => {
            let record = f.store.record(chosen.clone());
            k(f, record)
        }
        Some((first, rest)) => each(f, *first, span, &mut |f, value| {
            chosen.push(value);
            let result = records(f, rest, chosen, span, k);
            chosen.pop();
            result
        }),
    }
}

/// Sequences; of unbounded ones those up to MAXINT long.
fn sequences<'s>(
    f: &mut Frame<'s>,
    op: usize,
    set: Val,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    let (elems, whole) = f.noting(|f| sample(f, set, span));
    let elems = elems?;
    if op == PERM && !whole {
        // Those of a part of the set are none of the whole.
        return Err(too_large(span));
    }
    // Injective ones end by themselves, when all elements are used.
    let repeat = matches!(op, SEQ | SEQ1);
    let shortest = match op {
        SEQ1 | ISEQ1 => 1,
        PERM => elems.len(),
        _ => 0,
    };
    let longest = if repeat && !elems.is_empty() {
        let longest = f.rt.settings.max_int.max(1) as usize;
        f.note_cut(
            CutReason::LargeSet,
            span,
            format!("sequences up to length {longest} are tried"),
        );
        longest
    } else {
        elems.len()
    };
    for length in shortest..=longest {
        // Choices by position, counted like an odometer.
        let mut choice: Vec<usize> = Vec::with_capacity(length);
        let mut next = 0;
        loop {
            f.tick(span)?;
            if choice.len() == length {
                f.pay(length as u64, span)?;
                let items = choice.iter().map(|&c| elems[c]).collect();
                let value = f.store.sequence(items);
                k(f, value)?;
            } else if let Some(c) = (next..elems.len()).find(|c| repeat || !choice.contains(c)) {
                choice.push(c);
                next = 0;
                continue;
            }
            match choice.pop() {
                Some(last) => next = last + 1,
                None => break,
            }
        }
    }
    Ok(())
}

/// Relations and functions, choice by choice, without recursion.
fn arrows<'s>(
    f: &mut Frame<'s>,
    arrow: Arrow,
    left: Val,
    right: Val,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    let (keys, all_keys) = f.noting(|f| exponent(f, left, span));
    let (values, all_values) = f.noting(|f| sample(f, right, span));
    let (keys, values) = (keys?, values?);
    if arrow.total && !all_keys || arrow.surjective && !all_values {
        // What is total or onto for a part of a set is not so for the whole.
        return Err(too_large(span));
    }
    if !arrow.function {
        return relations(f, arrow, &keys, &values, span, k);
    }
    // A function has at most as many values as keys.
    if arrow.surjective && values.len() > keys.len() {
        return Ok(());
    }
    // Choice 0 is "undefined"; choice c > 0 is values[c - 1].
    let lowest = usize::from(arrow.total);
    let mut used = vec![0usize; values.len()];
    let mut uncovered = values.len();
    let mut choice: Vec<usize> = Vec::with_capacity(keys.len());
    let mut next = lowest;
    loop {
        f.tick(span)?;
        let left_over = keys.len() - choice.len();
        // Onto only if the keys that are left can cover what is not covered yet: else cut here.
        let feasible = !arrow.surjective || uncovered <= left_over;
        if choice.len() == keys.len() {
            if feasible {
                f.pay(keys.len() as u64, span)?;
                let (l, r) = choice
                    .iter()
                    .enumerate()
                    .filter(|(_, c)| **c > 0)
                    .map(|(i, &c)| (keys[i], values[c - 1]))
                    .unzip();
                let value = f.store.columns(l, r);
                k(f, value)?;
            }
        } else if feasible
            && let Some(c) =
                (next..=values.len()).find(|&c| c == 0 || !arrow.injective || used[c - 1] == 0)
        {
            choice.push(c);
            if c > 0 {
                uncovered -= usize::from(used[c - 1] == 0);
                used[c - 1] += 1;
            }
            next = lowest;
            continue;
        }
        match choice.pop() {
            Some(c) => {
                if c > 0 {
                    used[c - 1] -= 1;
                    uncovered += usize::from(used[c - 1] == 0);
                }
                next = c + 1;
            }
            None => return Ok(()),
        }
    }
}

fn relations<'s>(
    f: &mut Frame<'s>,
    arrow: Arrow,
    keys: &[Val],
    values: &[Val],
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    // As with subsets: nobody can try all choices.
    if keys.len().saturating_mul(values.len()) > MOST_CHOICES {
        return Err(too_large(span));
    }
    let pairs: Vec<Val> =
        keys.iter().flat_map(|l| values.iter().map(|r| f.store.pair(*l, *r))).collect();
    subsets(f, &pairs, false, span, &mut |f, relation| {
        // Keys and values differ from each other, so that their words tell here.
        let (left, right) = sides(f, relation);
        if (arrow.total && left != keys.len()) || (arrow.surjective && right != values.len()) {
            return Ok(());
        }
        k(f, relation)
    })
}

/// How many words are on either side of a relation.
fn sides(f: &Frame<'_>, relation: Val) -> (usize, usize) {
    let count = |mut words: Vec<Val>| {
        words.sort_unstable_by_key(|v| v.raw());
        words.dedup();
        words.len()
    };
    if let Some((left, right)) = f.store.as_columns(relation) {
        return (count(left.to_vec()), count(right.to_vec()));
    }
    let pairs = f.store.as_symbolic(relation).map_or(&[][..], |(_, pairs)| pairs);
    let (left, right) = pairs.iter().filter_map(|pair| f.store.as_pair(*pair)).unzip();
    (count(left), count(right))
}

/// A relational operator that stayed symbolic: each key of the side that has keys.
fn relation<'s>(
    f: &mut Frame<'s>,
    op: usize,
    a: Val,
    b: Val,
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    use beeline_model::BinaryOp as B;
    let whole = f.store.symbolic(tag(RELATION, op), vec![a, b]);
    let keys: Val = if op == B::DomainRestrict as usize {
        a
    } else if op == B::DomainSubtract as usize {
        f.store.symbolic(DOMAIN, vec![b])
    } else if op == B::ParallelProduct as usize {
        let (l, r) = (f.store.symbolic(DOMAIN, vec![a]), f.store.symbolic(DOMAIN, vec![b]));
        f.store.symbolic(tag(SPACE2, CARTESIAN), vec![l, r])
    } else if op == B::Override as usize {
        let (l, r) = (f.store.symbolic(DOMAIN, vec![a]), f.store.symbolic(DOMAIN, vec![b]));
        f.store.symbolic(UNION, vec![l, r])
    } else {
        f.store.symbolic(DOMAIN, vec![a])
    };
    each(f, keys, span, &mut |f, key| {
        for value in related(f, whole, key, span)? {
            let pair = f.store.pair(key, value);
            k(f, pair)?;
        }
        Ok(())
    })
}

/// Values of a free type: all if no constructor is recursive, else a note is left.
fn free_values<'s>(
    f: &mut Frame<'s>,
    ty: usize,
    args: &[Val],
    span: Span,
    k: Each<'s, '_>,
) -> Result<(), Stop> {
    const DEPTH: u32 = 4;
    let rt = f.rt;
    let info = &rt.free_types[ty];
    // A constructor may contain its own type; deeper values are left out, and that is said.
    if f.depth >= DEPTH {
        f.note_cut(CutReason::LargeSet, span, format!("{} is enumerated in part", info.name));
        return Ok(());
    }
    for (number, (_, argument)) in info.constructors.iter().enumerate() {
        f.tick(span)?;
        match argument {
            None => {
                let value = f.store.free(ty as u32, number as u32, None);
                k(f, value)?;
            }
            Some(set) => {
                for (&slot, &arg) in info.parameters.iter().zip(args) {
                    f.slots[slot] = arg;
                }
                let set = set(f)?;
                let depth = f.depth;
                f.depth += 1;
                let result = each(f, set, span, &mut |f, argument| {
                    f.tick(span)?;
                    let value = f.store.free(ty as u32, number as u32, Some(argument));
                    let inner = std::mem::replace(&mut f.depth, depth);
                    let result = k(f, value);
                    f.depth = inner;
                    result
                });
                f.depth = depth;
                result?;
            }
        }
    }
    Ok(())
}
