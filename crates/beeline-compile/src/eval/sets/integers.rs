//! Sets of integers as intervals, perhaps without an end: what can be said of infinite ones.
//!
//! `NATURAL - {0}`, `{x | x >= 10}` and their like are answered exactly here, and have one form each,
//! however they were written. What is not a union of a few intervals is left to others.

use super::enter::enter;
use super::tags::{CLOSURE, DIFF, INTEGER, INTER, NATURAL, NATURAL1, SPANS, UNION, split};
use crate::answer::Stop;
use crate::eval::frame::{Demand, E, Frame};
use beeline_fault::{Flaw, planted};
use beeline_value::{Elems, Store, Val};

/// More intervals are not looked at.
const MAX_SPANS: usize = 10_000;

/// An end that is not there.
const LOW: i64 = i64::MIN;
const HIGH: i64 = i64::MAX;
/// Numbers beyond this are left to others, so that an end is never taken for one that is not there.
const FAR: u64 = (1 << 63) - 16;

/// Disjoint intervals in ascending order, with a gap between each two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spans(Vec<(i64, i64)>);

impl Spans {
    fn between(lo: i64, hi: i64) -> Spans {
        Spans(if lo <= hi { vec![(lo, hi)] } else { Vec::new() })
    }

    fn whole() -> Spans {
        Spans::between(LOW, HIGH)
    }

    fn without(&self) -> Spans {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(LOW);
        for &(lo, hi) in &self.0 {
            if let Some(from) = next
                && lo > from
            {
                out.push((from, lo - 1));
            }
            next = (hi < HIGH).then(|| hi + 1);
        }
        if let Some(from) = next {
            out.push((from, HIGH));
        }
        Spans(out)
    }

    fn meet(&self, other: &Spans) -> Spans {
        let (mut i, mut j, mut out): (_, _, Vec<(i64, i64)>) = (0, 0, Vec::new());
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let (lo, hi) = (a.0.max(b.0), a.1.min(b.1));
            match out.last_mut() {
                Some((_, end)) if planted(Flaw::GapsClosed) && *end + 2 == lo => *end = hi,
                _ if lo <= hi => out.push((lo, hi)),
                _ => {}
            }
            // The interval that ends first cannot meet anything further.
            if a.1 < b.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        Spans(out)
    }

    fn join(&self, other: &Spans) -> Spans {
        // By De Morgan: one loop that merges intervals is enough for all three operations.
        self.without().meet(&other.without()).without()
    }

    fn minus(&self, other: &Spans) -> Spans {
        self.meet(&other.without())
    }

    /// Is it within the other?
    pub fn is_within(&self, other: &Spans) -> bool {
        self.minus(other).0.is_empty()
    }

    /// The least element: nothing if there is none, or no least one.
    pub fn least(&self) -> Option<i64> {
        self.0.first().map(|s| s.0).filter(|lo| *lo != LOW)
    }

    /// The greatest element: nothing if there is none, or no greatest one.
    pub fn greatest(&self) -> Option<i64> {
        self.0.last().map(|s| s.1).filter(|hi| *hi != HIGH)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_interval(&self) -> bool {
        self.0.len() == 1
    }

    /// Does it have an end on both sides?
    pub fn is_finite(&self) -> bool {
        self.is_empty() || self.least().is_some() && self.greatest().is_some()
    }

    /// The listed set, if it is small or one interval.
    pub fn listed(&self, f: &Frame<'_>) -> Option<Val> {
        match self.0.as_slice() {
            _ if !self.is_finite() => None,
            [] => Some(Val::EMPTY),
            [(lo, hi)] => Some(f.store.range(*lo, *hi)),
            spans => {
                let size: i128 =
                    spans.iter().map(|(lo, hi)| i128::from(*hi) - i128::from(*lo)).sum();
                let values = spans.iter().flat_map(|(lo, hi)| *lo..=*hi);
                // With gaps it has to be written out element by element.
                (size < 100_000).then(|| f.store.set(values.map(|i| f.store.int(i)).collect()))
            }
        }
    }
}

impl Spans {
    /// The one value that stands for this set.
    pub fn value(&self, f: &Frame<'_>) -> Val {
        // One form for each set: what can be listed is, so that words tell as much as they can.
        if let Some(listed) = self.listed(f) {
            return listed;
        }
        let store = f.store;
        let kind = match self.0.as_slice() {
            [(LOW, HIGH)] => INTEGER,
            [(0, HIGH)] => NATURAL,
            [(1, HIGH)] => NATURAL1,
            _ => SPANS,
        };
        let end = |n: i64| if n == LOW || n == HIGH { Val::UNSET } else { store.int(n) };
        let ends = self.0.iter().flat_map(|(lo, hi)| [end(*lo), end(*hi)]);
        store.symbolic(kind, if kind == SPANS { ends.collect() } else { Vec::new() })
    }

    /// How many elements it has.
    pub fn size(&self) -> f64 {
        match self.is_finite() {
            true => self.0.iter().map(|(lo, hi)| *hi as f64 - *lo as f64 + 1.0).sum(),
            false => f64::INFINITY,
        }
    }

    /// The same, exactly.
    pub fn exact_size(&self) -> Option<num_bigint::BigInt> {
        let length = |span: &(i64, i64)| num_bigint::BigInt::from(span.1) - span.0 + 1;
        self.is_finite().then(|| self.0.iter().map(length).sum())
    }

    /// Its intervals; one without an end goes as far as `least` or `most`, or has one element.
    pub fn tried(&self, least: i64, most: i64) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().map(move |(lo, hi)| match (*lo == LOW, *hi == HIGH) {
            (true, true) => (least, most),
            (true, false) => (least.min(*hi), *hi),
            (false, true) => (*lo, most.max(*lo)),
            (false, false) => (*lo, *hi),
        })
    }

    /// The set of a symbolic value that consists of intervals.
    pub fn of_ends(store: &Store, ends: &[Val]) -> Spans {
        let end = |v: Val, open: i64| if v == Val::UNSET { Some(open) } else { store.as_i64(v) };
        let span = |pair: &[Val]| Some((end(pair[0], LOW)?, end(pair[1], HIGH)?));
        Spans(ends.chunks_exact(2).filter_map(span).collect())
    }
}

/// Is an integer in one of these intervals?
pub(crate) fn within(store: &Store, ends: &[Val], value: Val) -> bool {
    ends.chunks_exact(2).any(|span| {
        (span[0] == Val::UNSET || store.cmp(span[0], value).is_le())
            && (span[1] == Val::UNSET || store.cmp(value, span[1]).is_le())
    })
}

/// A set as intervals, if it is one of integers and plainly so.
pub(crate) fn spans(f: &mut Frame<'_>, set: Val) -> Result<Option<Spans>, Stop> {
    let store = f.store;
    if let Some(elems) = store.elems(set) {
        return Ok(listed_spans(f, elems));
    }
    let Some((tag, args)) = store.as_symbolic(set) else { return Ok(None) };
    let (kind, extra) = split(tag);
    Ok(match kind {
        INTEGER => Some(Spans::whole()),
        NATURAL => Some(Spans::between(0, HIGH)),
        NATURAL1 => Some(Spans::between(1, HIGH)),
        SPANS => Some(Spans::of_ends(store, args)),
        UNION | INTER | DIFF => {
            let (Some(a), Some(b)) = (spans(f, args[0])?, spans(f, args[1])?) else {
                return Ok(None);
            };
            Some(combined(kind, &a, &b))
        }
        CLOSURE => return comprehension(f, extra, args),
        _ => None,
    })
}

fn combined(kind: u32, a: &Spans, b: &Spans) -> Spans {
    match kind {
        UNION => a.join(b),
        INTER => a.meet(b),
        _ => a.minus(b),
    }
}

/// `a \/ b`, `a /\ b` or `a - b` where intervals tell.
pub(crate) fn combine(f: &mut Frame<'_>, kind: u32, a: Val, b: Val) -> Result<Option<Val>, Stop> {
    let (Some(a), Some(b)) = (spans(f, a)?, spans(f, b)?) else { return Ok(None) };
    let both = combined(kind, &a, &b);
    Ok((both.0.len() <= MAX_SPANS).then(|| both.value(f)))
}

fn listed_spans(f: &Frame<'_>, elems: Elems<'_>) -> Option<Spans> {
    match elems {
        Elems::Range(lo, hi) => {
            let near = lo.unsigned_abs() < FAR && hi.unsigned_abs() < FAR;
            // Near the end of 64 bits a bound could be taken for one that is not there.
            near.then(|| Spans::between(lo, hi))
        }
        Elems::Slice(values) => {
            let mut out: Vec<(i64, i64)> = Vec::new();
            for value in values {
                let n = f.store.is_int(*value).then(|| f.store.as_i64(*value))??;
                if n.unsigned_abs() >= FAR {
                    return None;
                }
                match out.last_mut() {
                    Some(last) if last.1 + 1 == n => last.1 = n,
                    _ => out.push((n, n)),
                }
                if out.len() > MAX_SPANS {
                    return None;
                }
            }
            Some(Spans(out))
        }
        Elems::Rel(..) => None,
    }
}

/// A comprehension whose conditions are bounds.
fn comprehension(f: &mut Frame<'_>, code: usize, env: &[Val]) -> Result<Option<Spans>, Stop> {
    let rt = f.rt;
    let code = &rt.codes[code];
    let Some(demand) = &code.demands else { return Ok(None) };
    enter(f, code, env, |f| met(f, demand))
}

/// The integers that meet a demand.
fn met(f: &mut Frame<'_>, demand: &Demand) -> Result<Option<Spans>, Stop> {
    let of_set = |f: &mut Frame<'_>, e: &E| {
        let set = e(f)?;
        spans(f, set)
    };
    Ok(match demand {
        Demand::AtLeast(e) => bound(f, e)?.map(|lo| Spans::between(lo, HIGH)),
        Demand::AtMost(e) => bound(f, e)?.map(|hi| Spans::between(LOW, hi)),
        Demand::Is(e) => bound(f, e)?.map(|n| Spans::between(n, n)),
        Demand::IsNot(e) => bound(f, e)?.map(|n| Spans::between(n, n).without()),
        Demand::In(e) => of_set(f, e)?,
        Demand::NotIn(e) => of_set(f, e)?.map(|s| s.without()),
        Demand::Not(inner) => met(f, inner)?.map(|s| s.without()),
        Demand::All(parts) | Demand::Any(parts) => {
            let all = matches!(demand, Demand::All(_));
            let mut whole = if all { Spans::whole() } else { Spans(Vec::new()) };
            for part in parts {
                // One demand that intervals cannot express leaves the whole to others.
                let Some(next) = met(f, part)? else { return Ok(None) };
                whole = if all { whole.meet(&next) } else { whole.join(&next) };
                if whole.0.len() > MAX_SPANS {
                    return Ok(None);
                }
            }
            Some(whole)
        }
    })
}

fn bound(f: &mut Frame<'_>, e: &E) -> Result<Option<i64>, Stop> {
    let value = e(f)?;
    Ok(f.store.as_i64(value).filter(|n| n.unsigned_abs() < FAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_without_an_end() {
        let natural = Spans::between(0, HIGH);
        assert_eq!(natural.minus(&Spans::between(0, 3)), Spans::between(4, HIGH));
        assert_eq!(natural.join(&Spans::between(-5, -1)), Spans::between(-5, HIGH));
        assert_eq!(natural.meet(&Spans::between(LOW, 9)), Spans::between(0, 9));
        assert_eq!(natural.without(), Spans::between(LOW, -1));
        assert_eq!(Spans::whole().without(), Spans(Vec::new()));
        assert_eq!(Spans(Vec::new()).without(), Spans::whole());
        assert!(Spans::between(4, HIGH).is_within(&natural));
        assert!(!natural.is_within(&Spans::between(4, HIGH)));
        assert_eq!((natural.least(), natural.greatest()), (Some(0), None));
    }

    #[test]
    fn gaps_stay() {
        let gap = Spans(vec![(1, 2), (4, 5)]);
        assert_eq!(gap.join(&Spans::between(3, 3)), Spans::between(1, 5));
        assert_eq!(Spans::between(1, 5).minus(&Spans::between(3, 3)), gap);
        assert_eq!(gap.meet(&Spans::between(2, 4)), Spans(vec![(2, 2), (4, 4)]));
    }
}
