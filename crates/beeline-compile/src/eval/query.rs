//! A planned query at run time: nested loops over generators, with tests as early as they can be.

use crate::answer::{CutReason, Stop};
use crate::eval::frame::{E, Frame, P, Sink, Solutions};
use crate::eval::operators::{binary, items};
use crate::eval::sets::{self, Distinct};
use beeline_fault::{Flaw, planted};
use beeline_model::{BinaryOp, TypeId};
use beeline_source::Span;
use beeline_value::{Elems, Val};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

mod entries;

pub(crate) use entries::{Entries, RuleCode};

/// A planned conjunction over unknown names.
pub(crate) struct Query {
    pub steps: Vec<Step>,
    /// Some name is enumerated from an infinite set.
    pub unbounded: bool,
    /// Rough number of candidates.
    pub fanout: f64,
}

/// One step of a plan.
pub(crate) enum Step {
    /// Goes on if it holds.
    Test(P),
    /// Goes on if the name in the slot is in the set. A name whose generator had no meaning takes
    /// its values from here.
    Within(usize, E, P, Span),
    /// Binds names to the parts of one value.
    Let(Pattern, E, Small),
    /// Binds names to each element of a set. Where that is ill-defined as a whole, a test may say it of
    /// one value: `x : {y | P}` is P of x.
    Each { pattern: Pattern, set: E, small: Small, test: Option<P>, span: Span },
    /// Binds a name to each element of a set of integers, if that is infinite only between bounds.
    EachWithin { slot: usize, set: E, small: Small, lows: Vec<E>, highs: Vec<E>, span: Span },
    /// An integer between bounds.
    Between { slot: usize, lows: Vec<E>, highs: Vec<E>, span: Span },
    /// Solutions of any of several queries, each once by the words in these slots.
    Any { queries: Vec<Query>, slots: Vec<usize> },
    /// Functions given point by point. If the points cover the domains, one plan, else another.
    Points { functions: Vec<Entries>, covered: Query, otherwise: Query },
    /// All ways to cut a sequence into pieces.
    Pieces(Vec<Pattern>, E, Span),
    /// Solutions found by propagation.
    Solve(Box<dyn Solutions>),
}

/// Names of a step that have few values: what they can be where the step itself has no meaning.
pub(crate) type Small = Vec<(usize, TypeId)>;

/// How a value is taken apart.
pub(crate) enum Pattern {
    Bind(usize),
    Check(E, Span),
    Pair(Box<Pattern>, Box<Pattern>),
    Record(Vec<Pattern>),
}

impl Solutions for Query {
    fn is_ruled_out(&self, f: &mut Frame<'_>) -> Result<bool, Stop> {
        let mut pending = None;
        for step in &self.steps {
            let (Step::Test(test) | Step::Within(_, _, test, _)) = step else { break };
            match test(f) {
                Ok(true) => {}
                Ok(false) => return Ok(true),
                Err(stop @ Stop::Fault(_)) => stop.join(&mut pending),
                Err(Stop::Cut(cut)) if !cut.is_final() => {}
                Err(stop) => return Err(stop),
            }
        }
        pending.map_or(Ok(false), Err)
    }

    fn run<'s>(&self, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop> {
        run(&self.steps, f, None, k)
    }
}

impl Query {
    /// Does it bind no name?
    pub fn only_tests(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Test(_)))
    }

    /// Does the solver find its values?
    pub fn is_solved(&self) -> bool {
        self.steps.iter().any(|s| match s {
            Step::Solve(_) => true,
            Step::Points { otherwise, .. } => otherwise.is_solved(),
            _ => false,
        })
    }

    /// [`Query::run_up_to`], if it stands alone and there is anything to leave out.
    pub fn run_if<'s>(&self, alone: bool, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop> {
        if alone && !f.later.is_empty() { self.run_up_to(f, k) } else { self.run(f, k) }
    }

    /// The same for a query that depends on nothing but the state, where one solution of each kind
    /// is enough: of interchangeable elements the first name takes the first only. Any solution can
    /// be turned into one of these by swapping elements that nothing tells apart.
    fn run_up_to<'s>(&self, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop> {
        let tests = self.steps.iter().take_while(|s| matches!(s, Step::Test(_))).count();
        let Some(Step::Each { pattern: Pattern::Bind(slot), set, span, .. }) =
            self.steps.get(tests)
        else {
            return self.run(f, k);
        };
        for step in &self.steps[..tests] {
            match step {
                Step::Test(test) => match test(f) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    // What has no meaning is looked at in the usual way.
                    Err(_) => return self.run(f, k),
                },
                _ => return self.run(f, k),
            }
        }
        let store = f.store;
        // Only a listed set says in which order elements come, and which of them come later.
        let Some(Elems::Slice(elems)) = set(f).ok().and_then(|set| store.elems(set)) else {
            return self.run(f, k);
        };
        for elem in elems {
            f.tick(*span)?;
            if f.later.binary_search(&elem.raw()).is_ok() {
                f.left_out += 1;
                continue;
            }
            f.slots[*slot] = *elem;
            run(&self.steps[tests + 1..], f, None, k)?;
        }
        Ok(())
    }
}

/// May an evaluation go on after this stop, to see whether something else decides?
pub(crate) fn survivable(stop: &Stop) -> bool {
    match stop {
        Stop::Fault(_) => true,
        Stop::Cut(cut) => !cut.is_final(),
        Stop::Enough => false,
    }
}

fn run<'s>(
    steps: &[Step],
    f: &mut Frame<'s>,
    pending: Option<Stop>,
    k: Sink<'s, '_>,
) -> Result<(), Stop> {
    let mut pending = pending;
    let mut steps = steps;
    while let Some((step, rest)) = steps.split_first() {
        match step {
            // Its own generator had no meaning: this conjunct is the next that says what the name can be.
            Step::Within(slot, set, _, _) if pending.is_some() && f.slots[*slot] == Val::UNSET => {
                if let Some(Values { set, span, left }) = values_of(*slot, steps, f)? {
                    let pattern = Pattern::Bind(*slot);
                    return each(f, &pattern, set, span, &mut |f| run(left, f, pending.clone(), k));
                }
                if let Err(stop) = set(f) {
                    stop.join(&mut pending);
                }
            }
            Step::Test(test) | Step::Within(_, _, test, _) => match test(f) {
                Ok(true) => {}
                // A false conjunct decides, whatever was without a meaning before it: nothing is told of either.
                Ok(false) => return Ok(()),
                Err(stop) if survivable(&stop) => {
                    stop.join(&mut pending);
                }
                Err(stop) => return Err(stop),
            },
            Step::Let(pattern, value, small) => {
                match value(f).and_then(|value| pattern.matches(f, value)) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    Err(stop) if survivable(&stop) => {
                        pattern.unset(f);
                        // All values of the names are candidates now, and each may be excluded by what follows.
                        stop.join(&mut pending);
                        return whatever(small, rest, f, &pending, k);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Step::Each { pattern, set, small, test, span } => match set(f) {
                Ok(set) => {
                    return each(f, pattern, set, *span, &mut |f| run(rest, f, pending.clone(), k));
                }
                Err(stop) if survivable(&stop) => {
                    if let Some(test) = test {
                        return one_by_one(small, test, rest, f, &pending, k);
                    }
                    pattern.unset(f);
                    stop.join(&mut pending);
                    return whatever(small, rest, f, &pending, k);
                }
                Err(stop) => return Err(stop),
            },
            Step::EachWithin { slot, set, small, lows, highs, span } => {
                let pattern = Pattern::Bind(*slot);
                match set(f) {
                    Ok(set) => {
                        let set = between(f, set, lows, highs, *span, &mut pending)?;
                        return each(f, &pattern, set, *span, &mut |f| {
                            run(rest, f, pending.clone(), k)
                        });
                    }
                    Err(stop) if survivable(&stop) => {
                        pattern.unset(f);
                        stop.join(&mut pending);
                        return whatever(small, rest, f, &pending, k);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Step::Between { slot, lows, highs, span } => {
                let Some(ends) = bounds(f, lows, highs, *span, &mut pending)? else {
                    return Ok(());
                };
                // Integers are made one by one: an interval as a set would be interned for every candidate.
                if let Some((low, high)) = interval(f, lows, highs, ends, *span) {
                    let high = if planted(Flaw::GeneratorShort) { high - 1 } else { high };
                    for i in low..=high {
                        f.tick(*span)?;
                        f.slots[*slot] = f.store.int(i);
                        run(rest, f, pending.clone(), k)?;
                    }
                    return Ok(());
                }
                // A bound had no meaning, so nobody knows what to try; other conjuncts may still be false.
                f.slots[*slot] = Val::UNSET;
            }
            Step::Pieces(parts, value, span) => {
                match value(f).and_then(|value| items(f, value, *span)) {
                    Ok(whole) => {
                        return pieces(f, parts, whole, *span, &mut |f| {
                            run(rest, f, pending.clone(), k)
                        });
                    }
                    Err(stop) if survivable(&stop) => {
                        parts.iter().for_each(|part| part.unset(f));
                        stop.join(&mut pending);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Step::Any { queries, slots } => return any(queries, slots, rest, f, &pending, k),
            Step::Points { functions, covered, otherwise } => {
                let mut all = true;
                for entries in functions {
                    match entries.function(f) {
                        Ok(Some(function)) => f.slots[entries.slot] = function,
                        Ok(None) => all = false,
                        Err(stop) if survivable(&stop) => all = false,
                        Err(stop) => return Err(stop),
                    }
                }
                // None of them then: half of the functions known would make the other plan look for the rest.
                if !all {
                    functions.iter().for_each(|e| f.slots[e.slot] = Val::UNSET);
                }
                let query = if all { covered } else { otherwise };
                // The plan inside may have no meaning of its own; the steps after it must hear of that.
                return run(&query.steps, f, pending.clone(), &mut |f, stop| run(rest, f, stop, k));
            }
            Step::Solve(problem) => {
                return problem.run(f, &mut |f, stop| {
                    let mut pending = pending.clone();
                    if let Some(stop) = stop {
                        stop.join(&mut pending);
                    }
                    run(rest, f, pending, k)
                });
            }
        }
        steps = rest;
    }
    k(f, pending)
}

/// The values that a name is given, and what is left to do with each of them.
struct Values<'q> {
    set: Val,
    span: Span,
    left: &'q [Step],
}

/// What a name can be by the conjuncts that come next: a set that can be listed, or else the first one.
fn values_of<'q>(
    slot: usize,
    steps: &'q [Step],
    f: &mut Frame<'_>,
) -> Result<Option<Values<'q>>, Stop> {
    let mut first = None;
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Within(name, set, _, span) if *name == slot => match set(f) {
                Ok(set) => {
                    // The conjuncts that were passed over are tests of each element.
                    let left = if at == 0 { &steps[1..] } else { steps };
                    let values = Values { set, span: *span, left };
                    if f.store.elems(set).is_some() {
                        return Ok(Some(values));
                    }
                    first = first.or(Some(values));
                }
                // It is heard of when the test of that conjunct is reached.
                Err(stop) if survivable(&stop) => {}
                Err(stop) => return Err(stop),
            },
            Step::Test(_) | Step::Within(..) => {}
            // What stands behind may depend on names that have no value before this step.
            _ => break,
        }
    }
    Ok(first)
}

/// Gives the first part each beginning of the sequence, and the others what is left of it.
fn pieces<'s>(
    f: &mut Frame<'s>,
    parts: &[Pattern],
    whole: &[Val],
    span: Span,
    k: &mut dyn FnMut(&mut Frame<'s>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let Some((first, others)) = parts.split_first() else {
        return if whole.is_empty() { k(f) } else { Ok(()) };
    };
    // The last part takes all that is left.
    let shortest = if others.is_empty() { whole.len() } else { 0 };
    for length in shortest..=whole.len() {
        f.pay(1 + length as u64, span)?;
        let (piece, left) = whole.split_at(length);
        let piece = f.store.sequence(piece.to_vec());
        if first.matches(f, piece)? {
            pieces(f, others, left, span, k)?;
        }
    }
    Ok(())
}

/// The solutions of any of the queries. A candidate that one of them makes no sense of is still one
/// if another finds it.
fn any<'s>(
    queries: &[Query],
    slots: &[usize],
    rest: &[Step],
    f: &mut Frame<'s>,
    pending: &Option<Stop>,
    k: Sink<'s, '_>,
) -> Result<(), Stop> {
    let mut seen: FxHashSet<Box<[Val]>> = FxHashSet::default();
    // All solutions as tuples, from the first one on that words do not tell from others.
    let mut tuples: Option<Distinct> = None;
    let mut doubtful: Vec<(Box<[Val]>, Stop)> = Vec::new();
    for query in queries {
        query.run(f, &mut |f, stop| {
            let key: Box<[Val]> = slots.iter().map(|&s| f.slots[s]).collect();
            match stop {
                Some(stop) => {
                    if !doubtful.iter().any(|(known, _)| *known == key) {
                        doubtful.push((key, stop));
                    }
                    Ok(())
                }
                None => {
                    if seen.contains(&key) {
                        return Ok(());
                    }
                    // From here on words may differ for equal solutions, so those before are compared with too.
                    if tuples.is_none() && key.iter().any(|v| v.is_opaque()) {
                        let mut all = Distinct::default();
                        for known in &seen {
                            let tuple = f.store.record(known.to_vec());
                            all.add(f, tuple, Span::NONE)?;
                        }
                        tuples = Some(all);
                    }
                    let new = match &mut tuples {
                        Some(tuples) => {
                            let tuple = f.store.record(key.to_vec());
                            tuples.add(f, tuple, Span::NONE)?
                        }
                        None => true,
                    };
                    seen.insert(key);
                    if new { run(rest, f, pending.clone(), k) } else { Ok(()) }
                }
            }
        })?;
    }
    // Only now: a later alternative may have found the candidate without any doubt.
    for (key, stop) in doubtful {
        if !seen.contains(&key) {
            for (&slot, &value) in slots.iter().zip(&key) {
                f.slots[slot] = value;
            }
            let mut pending = pending.clone();
            stop.join(&mut pending);
            run(rest, f, pending, k)?;
        }
    }
    Ok(())
}

/// Goes on after a step that is ill-defined as a whole, with each value for which it is not false.
fn one_by_one<'s>(
    names: &[(usize, TypeId)],
    test: &P,
    rest: &[Step],
    f: &mut Frame<'s>,
    pending: &Option<Stop>,
    k: Sink<'s, '_>,
) -> Result<(), Stop> {
    let Some((&(slot, ty), more)) = names.split_first() else {
        let mut pending = pending.clone();
        match test(f) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(stop) if survivable(&stop) => stop.join(&mut pending),
            Err(stop) => return Err(stop),
        }
        return run(rest, f, pending, k);
    };
    let set = sets::type_set(f.rt, ty);
    sets::each(f, set, Span::NONE, &mut |f, value| {
        f.slots[slot] = value;
        one_by_one(more, test, rest, f, pending, k)
    })
}

/// Goes on after a step without a meaning: whatever its names are, another conjunct may be false.
/// Names of many values stay without one, and so do the conjuncts that read them.
fn whatever<'s>(
    names: &[(usize, TypeId)],
    rest: &[Step],
    f: &mut Frame<'s>,
    pending: &Option<Stop>,
    k: Sink<'s, '_>,
) -> Result<(), Stop> {
    let Some((&(slot, ty), more)) = names.split_first() else {
        return run(rest, f, pending.clone(), k);
    };
    let set = sets::type_set(f.rt, ty);
    sets::each(f, set, Span::NONE, &mut |f, value| {
        f.slots[slot] = value;
        whatever(more, rest, f, pending, k)
    })
}

/// The tightest of some bounds.
#[derive(Clone, Copy)]
enum Bound {
    At(i64),
    /// Further than every integer of 64 bits.
    Beyond,
    /// Only such as allow all integers of 64 bits and more.
    Loose,
    /// None that has a meaning.
    Open,
}

fn too_far(span: Span) -> Stop {
    Stop::cut(CutReason::LargeSet, span, "bounds beyond 64 bits")
}

/// The tightest of some bounds: the greatest or the least. One that has no meaning is left to
/// whatever else decides.
fn bound<'s>(
    f: &mut Frame<'s>,
    bounds: &[E],
    tighter: Ordering,
    pending: &mut Option<Stop>,
) -> Result<Bound, Stop> {
    let (mut tightest, mut beyond, mut loose) = (None::<i64>, false, false);
    for bound in bounds {
        match bound(f) {
            Ok(value) => match f.store.as_i64(value) {
                Some(n) if tightest.is_none_or(|t| n.cmp(&t) == tighter) => tightest = Some(n),
                Some(_) => {}
                // A number beyond 64 bits: as a bound it either excludes all that can be tried, or nothing.
                None if f.store.cmp(value, f.store.int(0)) == tighter => beyond = true,
                None => loose = true,
            },
            Err(stop) if survivable(&stop) => {
                stop.join(pending);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(match tightest {
        _ if beyond => Bound::Beyond,
        Some(n) => Bound::At(n),
        None if loose => Bound::Loose,
        None => Bound::Open,
    })
}

/// The least and the greatest integer that is tried.
type Ends = (Bound, Bound);

/// Bounds on both sides; `None` if nothing can lie between them.
fn bounds<'s>(
    f: &mut Frame<'s>,
    lows: &[E],
    highs: &[E],
    span: Span,
    pending: &mut Option<Stop>,
) -> Result<Option<Ends>, Stop> {
    let low = bound(f, lows, Ordering::Greater, pending)?;
    let high = bound(f, highs, Ordering::Less, pending)?;
    Ok(match (low, high) {
        (Bound::Beyond, Bound::At(_) | Bound::Beyond) | (Bound::At(_), Bound::Beyond) => None,
        (Bound::Beyond, Bound::Open | Bound::Loose)
        | (Bound::Open | Bound::Loose, Bound::Beyond) => {
            too_far(span).join(pending);
            Some((Bound::Open, Bound::Open))
        }
        ends => Some(ends),
    })
}

/// The part of a set of integers between bounds, if it is not listed.
fn between(
    f: &mut Frame<'_>,
    set: Val,
    lows: &[E],
    highs: &[E],
    span: Span,
    pending: &mut Option<Stop>,
) -> Result<Val, Stop> {
    // Listed, so it is finite: what the bounds exclude is tested afterwards.
    if f.store.elems(set).is_some() {
        return Ok(set);
    }
    match bounds(f, lows, highs, span, pending)? {
        None => Ok(f.store.range(1, 0)),
        Some((Bound::At(low), Bound::At(high))) => {
            let range = f.store.range(low, high);
            binary(f, BinaryOp::Intersection, range, set, span)
        }
        _ => Ok(set),
    }
}

/// What an integer between bounds is tried within. One that has no bound on a side is not tried
/// beyond `MININT..MAXINT` there, unless the other bound is; that is noted.
fn interval(
    f: &mut Frame<'_>,
    lows: &[E],
    highs: &[E],
    ends: Ends,
    span: Span,
) -> Option<(i64, i64)> {
    let (min, max) = (f.rt.settings.min_int, f.rt.settings.max_int);
    // A bound without a meaning is no reason to try more.
    let is_free = |bound: &Bound, of: &[E]| match bound {
        Bound::Loose => true,
        Bound::Open => of.is_empty(),
        Bound::At(_) | Bound::Beyond => false,
    };
    let (low, high) = match ends {
        (Bound::At(low), Bound::At(high)) => return Some((low, high)),
        // At least one value is tried, even above MAXINT: the bound itself is mostly worth it.
        (Bound::At(low), high) if is_free(&high, highs) => (low, max.max(low)),
        (low, Bound::At(high)) if is_free(&low, lows) => (min.min(high), high),
        (low, high) if is_free(&low, lows) && is_free(&high, highs) => (min, max),
        _ => return None,
    };
    f.note_cut(CutReason::LargeSet, span, unbounded_words(low, high));
    Some((low, high))
}

/// How to say that an integer without bound was not tried with all values.
pub(crate) fn unbounded_words(low: i64, high: i64) -> String {
    format!("an unbounded integer is tried within {low}..{high}")
}

fn each<'s>(
    f: &mut Frame<'s>,
    pattern: &Pattern,
    set: Val,
    span: Span,
    k: &mut dyn FnMut(&mut Frame<'s>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let store = f.store;
    match (pattern, store.elems(set)) {
        // The loop that nearly all time is spent in: no pattern to match, no element to make.
        (Pattern::Bind(slot), Some(Elems::Slice(elems))) => {
            let short = usize::from(planted(Flaw::EachShort) && elems.len() > 2);
            for elem in &elems[..elems.len() - short] {
                f.tick(span)?;
                f.slots[*slot] = *elem;
                k(f)?;
            }
            Ok(())
        }
        (Pattern::Pair(left, right), Some(Elems::Rel(l, r))) => {
            // Words find keys, unless they do not tell.
            let (rows, keyed) = match &**left {
                Pattern::Check(key, _) => {
                    let key = key(f)?;
                    match key.is_opaque() || set.is_opaque() {
                        true => (0..l.len(), false),
                        false => (store.rows(l, key), true),
                    }
                }
                _ => (0..l.len(), false),
            };
            for i in rows {
                f.tick(span)?;
                if (keyed || left.matches(f, l[i])?) && right.matches(f, r[i])? {
                    k(f)?;
                }
            }
            Ok(())
        }
        // A symbolic function with a known key is applied, not enumerated.
        (Pattern::Pair(left, right), None) if matches!(**left, Pattern::Check(..)) => {
            let Pattern::Check(key, _) = &**left else {
                return Ok(());
            };
            let key = key(f)?;
            for value in sets::related(f, set, key, span)? {
                f.tick(span)?;
                if right.matches(f, value)? {
                    k(f)?;
                }
            }
            Ok(())
        }
        _ => sets::each(f, set, span, &mut |f, value| {
            if pattern.matches(f, value)? { k(f) } else { Ok(()) }
        }),
    }
}

impl Pattern {
    /// Takes the values of its names away: what they would be has no meaning. Conjuncts that read
    /// them then have none either; one of the others may still be false, and so decide.
    fn unset(&self, f: &mut Frame<'_>) {
        match self {
            Pattern::Bind(slot) => f.slots[*slot] = Val::UNSET,
            Pattern::Check(..) => {}
            Pattern::Pair(left, right) => {
                left.unset(f);
                right.unset(f);
            }
            Pattern::Record(parts) => parts.iter().for_each(|part| part.unset(f)),
        }
    }

    /// Binds names to the parts of a value; false if a part differs from what it must be.
    pub fn matches<'s>(&self, f: &mut Frame<'s>, value: Val) -> Result<bool, Stop> {
        match self {
            Pattern::Bind(slot) => {
                f.slots[*slot] = value;
                Ok(true)
            }
            Pattern::Check(expected, span) => {
                let expected = expected(f)?;
                sets::equal(f, expected, value, *span)
            }
            Pattern::Pair(left, right) => match f.store.as_pair(value) {
                Some((a, b)) => Ok(left.matches(f, a)? && right.matches(f, b)?),
                None => Ok(false),
            },
            Pattern::Record(parts) => {
                let fields = f.store.as_record(value).unwrap_or(&[]);
                for (part, field) in parts.iter().zip(fields) {
                    if !part.matches(f, *field)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}
