//! When two values are the same, where words do not tell.
//!
//! Two values without symbolic sets are equal exactly when their words are. For all others equality is
//! proved here, or difference is, and if neither can be the answer is a cut: whoever compares values
//! that may be opaque asks [`equal`], and whoever needs the elements of a set each once asks
//! [`distinct`]. Nobody concludes anything from two different words.

use super::tags::*;
use super::{cartesian, exact_size, integers, is_empty, list, size, subset};
use crate::answer::{CutReason, Stop};
use crate::eval::frame::Frame;
use beeline_fault::{Flaw, planted};
use beeline_model::BinaryOp;
use beeline_source::Span;
use beeline_value::{Node, Val};
use rustc_hash::FxHashSet;

/// Sets that are known to be larger are compared element by element, not listed.
const LISTED: f64 = 70_000.0;

/// What is said where neither equality nor difference is proved.
pub(crate) fn undecided(span: Span) -> Stop {
    let words = "it is not known whether two symbolic sets are equal";
    Stop::cut(CutReason::LargeSet, span, words)
}

/// Are two values equal? Both answers are proved.
pub(crate) fn equal<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    if a == b {
        return Ok(true);
    }
    // Without a symbolic set inside, words are canonical: this is nearly always the answer.
    if !a.is_opaque() && !b.is_opaque() || planted(Flaw::SameByWord) {
        return Ok(false);
    }
    const EQUAL: u32 = 4;
    // Equality has no order; remembered once for both.
    let key = if a.raw() < b.raw() { (a, b) } else { (b, a) };
    if let Some(known) = f.memo.get(EQUAL, key.0, key.1) {
        return Ok(known == Val::TRUE);
    }
    f.tick(span)?;
    let (answer, whole) =
        f.noting(|f| stacker::maybe_grow(128 << 10, 4 << 20, || compare(f, a, b, span)));
    let answer = answer?;
    if whole {
        f.memo.put(EQUAL, key.0, key.1, Val::bool(answer));
    }
    Ok(answer)
}

fn compare<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    let store = f.store;
    match (store.node(a), store.node(b)) {
        (Some(Node::Pair(a1, a2)), Some(Node::Pair(b1, b2))) => {
            all_equal(f, &[*a1, *a2], &[*b1, *b2], span)
        }
        (Some(Node::Rec(x)), Some(Node::Rec(y))) => all_equal(f, x, y, span),
        (Some(Node::Free(t, c, x)), Some(Node::Free(u, d, y))) => {
            Ok((t, c) == (u, d) && all_equal(f, x.as_slice(), y.as_slice(), span)?)
        }
        _ => equal_sets(f, a, b, span),
    }
}

/// Are all of these equal, one by one? One difference decides, even beside what is not known.
fn all_equal<'s>(f: &mut Frame<'s>, a: &[Val], b: &[Val], span: Span) -> Result<bool, Stop> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let mut pending = None;
    for (x, y) in a.iter().zip(b) {
        match equal(f, *x, *y, span) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(stop) => unless_final(stop, &mut pending)?,
        }
    }
    pending.map_or(Ok(true), Err)
}

/// Keeps a stop for later, unless it ends everything.
fn unless_final(stop: Stop, pending: &mut Option<Stop>) -> Result<(), Stop> {
    match stop {
        Stop::Cut(cut) if cut.is_final() => Err(Stop::Cut(cut)),
        stop => {
            stop.join(pending);
            Ok(())
        }
    }
}

fn equal_sets<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    if let (Some(x), Some(y)) = (integers::spans(f, a)?, integers::spans(f, b)?) {
        return Ok(x == y);
    }
    // Cheap differences first: sizes before forms, forms before elements.
    let (n, m) = (size(f, a), size(f, b));
    if let (Some(n), Some(m)) = (n, m)
        && n.is_finite() != m.is_finite()
    {
        return Ok(false);
    }
    // Estimates may agree where exact numbers differ.
    if let (Some(x), Some(y)) = (exact_size(f, a), exact_size(f, b))
        && x != y
    {
        return Ok(false);
    }
    if let Some(answer) = by_form(f, a, b, span)? {
        return Ok(answer);
    }
    let large = |n: Option<f64>| n.is_some_and(|n| n > LISTED);
    if !large(n) && !large(m) {
        match (list(f, a, span), list(f, b, span)) {
            (Ok(x), Ok(y)) if !x.is_opaque() && !y.is_opaque() => return Ok(x == y),
            (Err(Stop::Cut(cut)), _) | (_, Err(Stop::Cut(cut))) if cut.is_final() => {
                return Err(Stop::Cut(cut));
            }
            _ => {}
        }
    }
    // One element too many on either side decides.
    let mut pending = None;
    for (x, y) in [(a, b), (b, a)] {
        match subset(f, x, y, span) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(stop) => unless_final(stop, &mut pending)?,
        }
    }
    pending.map_or(Ok(true), Err)
}

/// What follows from how two sets are made: the same operation on equal operands is equal, and some
/// operations give different results for different ones.
fn by_form<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<Option<bool>, Stop> {
    let (Some((s, x)), Some((t, y))) = (f.store.as_symbolic(a), f.store.as_symbolic(b)) else {
        return Ok(None);
    };
    let ((kind, op), (other, _)) = (split(s), split(t));
    if s != t {
        return match (kind, other) {
            (SPACE1, SPACE2) => relations_by_form(f, (t, y), (s, x), span),
            (SPACE2, SPACE1) => relations_by_form(f, (s, x), (t, y), span),
            _ => Ok(None),
        };
    }
    // Their arguments are elements and ends, which need not correspond one by one.
    if kind == LOOSE || kind == SPANS {
        return Ok(None);
    }
    let operands = match all_equal(f, x, y, span) {
        Err(Stop::Cut(cut)) if cut.is_final() => return Err(Stop::Cut(cut)),
        answer => answer,
    };
    let telling = match kind {
        // `perm(A) = perm(B)` also holds if both are infinite: then there is none at all.
        SPACE1 => op != PERM,
        IDENTITY | INVERSE => true,
        SPACE2 => {
            const PARTIAL: [BinaryOp; 5] = [
                BinaryOp::Cartesian,
                BinaryOp::Relations,
                BinaryOp::PartialFunctions,
                BinaryOp::PartialInjections,
                BinaryOp::TotalFunctions,
            ];
            PARTIAL.iter().any(|p| *p as usize == op) && none_empty(f, &[x, y].concat(), span)?
        }
        RECORDS => none_empty(f, &[x, y].concat(), span)?,
        _ => false,
    };
    match operands {
        Ok(true) => Ok(Some(true)),
        Ok(false) if telling => Ok(Some(false)),
        Err(stop) if telling => Err(stop),
        _ => Ok(None),
    }
}

/// `A <-> B` beside `POW(C)`
fn relations_by_form<'s>(
    f: &mut Frame<'s>,
    relations: (u32, &[Val]),
    power: (u32, &[Val]),
    span: Span,
) -> Result<Option<bool>, Stop> {
    if relations.0 != tag(SPACE2, BinaryOp::Relations as usize) || power.0 != tag(SPACE1, POW) {
        return Ok(None);
    }
    let (left, right) = (relations.1[0], relations.1[1]);
    let pairs = cartesian(f, left, right, span)?;
    equal(f, pairs, power.1[0], span).map(Some)
}

/// Is each of these known to have an element?
fn none_empty<'s>(f: &mut Frame<'s>, sets: &[Val], span: Span) -> Result<bool, Stop> {
    for set in sets {
        match is_empty(f, *set, span) {
            Ok(false) => {}
            Err(Stop::Cut(cut)) if cut.is_final() => return Err(Stop::Cut(cut)),
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Is a value equal to one of these? One that it equals decides, even beside what is not known.
pub(crate) fn among<'s>(
    f: &mut Frame<'s>,
    value: Val,
    values: impl IntoIterator<Item = Val>,
    span: Span,
) -> Result<bool, Stop> {
    let mut pending = None;
    for other in values {
        f.tick(span)?;
        match equal(f, value, other, span) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(stop) => unless_final(stop, &mut pending)?,
        }
    }
    pending.map_or(Ok(false), Err)
}

/// Values, each once.
#[derive(Default)]
pub(crate) struct Distinct {
    words: FxHashSet<Val>,
    /// Those that words do not tell from others.
    opaque: Vec<Val>,
    plain: Vec<Val>,
}

impl Distinct {
    /// Adds a value; was it new?
    pub fn add<'s>(&mut self, f: &mut Frame<'s>, value: Val, span: Span) -> Result<bool, Stop> {
        if !self.words.insert(value) {
            return Ok(false);
        }
        // What words tell apart needs no proof: an opaque value is compared with all, others with those.
        let known = match value.is_opaque() {
            true => {
                let others = self.opaque.iter().chain(&self.plain).copied();
                decided(among(f, value, others, span), span)?
            }
            false => {
                !self.opaque.is_empty()
                    && decided(among(f, value, self.opaque.iter().copied(), span), span)?
            }
        };
        match (known, value.is_opaque()) {
            (true, _) => {}
            (false, true) => self.opaque.push(value),
            // Atoms and numbers are never compared with sets.
            (false, false) if !value.is_immediate() => self.plain.push(value),
            _ => {}
        }
        Ok(!known)
    }
}

/// A set without a meaning inside a comparison that the model did not ask for is no fault of it.
fn decided(answer: Result<bool, Stop>, span: Span) -> Result<bool, Stop> {
    match answer {
        Err(Stop::Fault(_)) => Err(undecided(span)),
        answer => answer,
    }
}

/// The values, each once.
pub(crate) fn distinct<'s>(
    f: &mut Frame<'s>,
    values: impl IntoIterator<Item = Val>,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    let mut seen = Distinct::default();
    let mut out = Vec::new();
    for value in values {
        if seen.add(f, value, span)? {
            out.push(value);
        }
    }
    Ok(out)
}

/// Values with the same left side as one before them get the very same word for it.
pub(crate) fn with_equal_keys<'s>(
    f: &mut Frame<'s>,
    keys: &[Val],
    span: Span,
) -> Result<Vec<Val>, Stop> {
    let mut out: Vec<Val> = Vec::with_capacity(keys.len());
    let mut found: Vec<Val> = Vec::new();
    for key in keys {
        let mut pending = None;
        let mut known = None;
        for other in &found {
            match decided(equal(f, *key, *other, span), span) {
                Ok(true) => known = Some(*other),
                Ok(false) => continue,
                Err(stop) => unless_final(stop, &mut pending)?,
            }
            if known.is_some() {
                break;
            }
        }
        match (known, pending) {
            (Some(known), _) => out.push(known),
            (None, Some(stop)) => return Err(stop),
            (None, None) => {
                found.push(*key);
                out.push(*key);
            }
        }
    }
    Ok(out)
}
