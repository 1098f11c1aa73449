//! Relations that are listed: two columns, sorted by left and then right.

use crate::node::{Elems, Node};
use crate::{Store, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What a relation says of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Nothing.
    Missing,
    /// One value.
    One(Val),
    /// Several values: no function there.
    Many,
}

impl Store {
    /// The relation of these pairs, in any order, with repetitions.
    pub fn relation(&self, mut pairs: Vec<(Val, Val)>) -> Val {
        let sorted = pairs
            .windows(2)
            .all(|w| self.cmp(w[0].0, w[1].0).then_with(|| self.cmp(w[0].1, w[1].1)).is_lt());
        if !sorted {
            pairs.sort_unstable_by(|a, b| self.cmp(a.0, b.0).then_with(|| self.cmp(a.1, b.1)));
            pairs.dedup();
        }
        let (left, right) = pairs.into_iter().unzip();
        self.columns(left, right)
    }

    /// The relation of two columns that are already in order.
    pub fn columns(&self, left: Vec<Val>, right: Vec<Val>) -> Val {
        let opaque = |values: &[Val]| values.iter().any(|v| v.is_opaque());
        if left.len() > 1 && (opaque(&right) || opaque(&left)) {
            // Pairs whose left sides differ are different, whatever is on the right.
            let told = !opaque(&left) && left.windows(2).all(|w| w[0] != w[1]);
            if !told {
                let pairs = left.iter().zip(&right).map(|(l, r)| self.pair(*l, *r)).collect();
                return self.intern(Node::Sym(Node::LOOSE, pairs));
            }
        }
        self.distinct_columns(left, right)
    }

    /// The same for pairs that are known to differ.
    pub(crate) fn distinct_columns(&self, left: Vec<Val>, right: Vec<Val>) -> Val {
        debug_assert_eq!(left.len(), right.len());
        if left.is_empty() { Val::EMPTY } else { self.intern(Node::Rel(left.into(), right.into())) }
    }

    /// Both columns, if words tell left sides apart.
    #[inline]
    fn keyed(&self, relation: Val) -> Option<(&[Val], &[Val])> {
        let columns = self.as_columns(relation)?;
        (!relation.is_opaque() || !columns.0.iter().any(|key| key.is_opaque())).then_some(columns)
    }

    /// Both columns of a listed relation, each pair once. If it is opaque, words do not tell whether
    /// two left or right sides differ.
    #[inline]
    pub fn as_columns(&self, relation: Val) -> Option<(&[Val], &[Val])> {
        match self.elems(relation)? {
            Elems::Rel(l, r) => Some((l, r)),
            Elems::Slice([]) => Some((&[], &[])),
            _ => None,
        }
    }

    pub(crate) fn find_pair(&self, l: &[Val], r: &[Val], a: Val, b: Val) -> Result<usize, usize> {
        let rows = self.rows(l, a);
        match self.find(&r[rows.clone()], b) {
            Ok(i) => Ok(rows.start + i),
            Err(i) => Err(rows.start + i),
        }
    }

    /// The rows whose left side is `key`.
    #[inline]
    pub fn rows(&self, left: &[Val], key: Val) -> Range<usize> {
        match self.find(left, key) {
            Err(i) => i..i,
            Ok(i) => {
                let (mut start, mut end) = (i, i + 1);
                while start > 0 && left[start - 1] == key {
                    start -= 1;
                }
                while end < left.len() && left[end] == key {
                    end += 1;
                }
                start..end
            }
        }
    }

    /// `r(x)`; nothing if the relation is not listed, or if words do not tell (as for all others).
    #[inline]
    pub fn lookup(&self, relation: Val, key: Val) -> Option<Lookup> {
        let (l, r) = self.keyed(relation)?;
        if key.is_opaque() {
            return None;
        }
        // A sequence or an array: the key is the position.
        if let (Some(k), Some(first)) =
            (key.as_small_int(), l.first().and_then(|v| v.as_small_int()))
            && let Ok(i) = usize::try_from(k - first)
            && i < l.len()
            && l[i] == key
        {
            let alone = (i == 0 || l[i - 1] != key) && l.get(i + 1) != Some(&key);
            return Some(if alone { Lookup::One(r[i]) } else { Lookup::Many });
        }
        let rows = self.rows(l, key);
        Some(match rows.len() {
            0 => Lookup::Missing,
            1 => Lookup::One(r[rows.start]),
            _ => Lookup::Many,
        })
    }

    /// Is each left side related to one right side only?
    pub fn is_function(&self, relation: Val) -> Option<bool> {
        let (l, _) = self.keyed(relation)?;
        Some(l.windows(2).all(|w| w[0] != w[1]))
    }

    /// Is each right side reached from one left side only?
    pub fn is_injective(&self, relation: Val) -> Option<bool> {
        let (_, r) = self.as_columns(relation)?;
        if relation.is_opaque() && r.len() > 1 && r.iter().any(|v| v.is_opaque()) {
            return None;
        }
        if r.len() <= 8 {
            return Some((1..r.len()).all(|i| !r[..i].contains(&r[i])));
        }
        let mut seen = FxHashSet::default();
        Some(r.iter().all(|v| seen.insert(*v)))
    }

    /// `dom(r)`
    pub fn domain(&self, relation: Val) -> Option<Val> {
        let (l, _) = self.keyed(relation)?;
        let mut out = l.to_vec();
        out.dedup();
        Some(self.set_sorted(out))
    }

    /// `ran(r)`
    pub fn codomain(&self, relation: Val) -> Option<Val> {
        let (_, r) = self.as_columns(relation)?;
        Some(self.set(r.to_vec()))
    }

    /// `r~`
    pub fn inverse(&self, relation: Val) -> Option<Val> {
        let (l, r) = self.as_columns(relation)?;
        Some(self.relation(r.iter().copied().zip(l.iter().copied()).collect()))
    }

    /// `id(S)`
    pub fn identity(&self, set: Val) -> Option<Val> {
        let elems = self.list(self.elems(set)?);
        Some(self.distinct_columns(elems.clone(), elems))
    }

    /// `r[S]`
    pub fn image(&self, relation: Val, set: Val) -> Option<Val> {
        let (l, r) = self.keyed(relation)?;
        let mut out = Vec::new();
        let elems = self.elems(set)?;
        if set.is_opaque() {
            return None;
        }
        if let Elems::Range(lo, hi) = elems {
            out.extend_from_slice(&r[self.rows_between(l, lo, hi)]);
        } else if elems.len() <= l.len() / 4 + 1 {
            for i in 0..elems.len() {
                out.extend_from_slice(&r[self.rows(l, self.nth(elems, i))]);
            }
        } else {
            for (i, key) in l.iter().enumerate() {
                if self.member(*key, set)? {
                    out.push(r[i]);
                }
            }
        }
        Some(self.set(out))
    }

    /// The rows whose left side, an integer, is in `lo..hi`.
    fn rows_between(&self, left: &[Val], lo: i64, hi: i64) -> Range<usize> {
        let from = match self.find(left, self.int(lo)) {
            Ok(i) => left[..i].partition_point(|key| *key != left[i]),
            Err(i) => i,
        };
        let to = match self.find(left, self.int(hi)) {
            Ok(i) => i + left[i..].partition_point(|key| *key == left[i]),
            Err(i) => i,
        };
        from..to.max(from)
    }

    /// The least or greatest element of `r[lo..hi]`, without that set: nothing if it is empty. An
    /// outer `None`: these are not listed pairs.
    pub fn extreme_of_image(
        &self,
        relation: Val,
        lo: i64,
        hi: i64,
        greatest: bool,
    ) -> Option<Option<Val>> {
        let (l, r) = self.keyed(relation)?;
        let values = r[self.rows_between(l, lo, hi)].iter().copied();
        let best = match greatest {
            true => values.max_by(|a, b| self.cmp(*a, *b)),
            false => values.min_by(|a, b| self.cmp(*a, *b)),
        };
        Some(best)
    }

    fn filter(&self, relation: Val, keep: impl Fn(Val, Val) -> bool) -> Option<Val> {
        let (l, r) = self.as_columns(relation)?;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for i in 0..l.len() {
            if keep(l[i], r[i]) {
                left.push(l[i]);
                right.push(r[i]);
            }
        }
        if left.len() == l.len() {
            return Some(relation);
        }
        Some(self.distinct_columns(left, right))
    }

    /// `S <| r`, or `S <<| r` if `inside` is false.
    pub fn restrict_domain(&self, set: Val, relation: Val, inside: bool) -> Option<Val> {
        self.elems(set).filter(|_| !set.is_opaque())?;
        self.keyed(relation)?;
        self.filter(relation, |l, _| self.member(l, set) == Some(inside))
    }

    /// `r |> S`, or `r |>> S` if `inside` is false.
    pub fn restrict_range(&self, relation: Val, set: Val, inside: bool) -> Option<Val> {
        self.elems(set).filter(|_| !set.is_opaque() && !relation.is_opaque())?;
        self.filter(relation, |_, r| self.member(r, set) == Some(inside))
    }

    /// `r <+ s`
    pub fn override_with(&self, r: Val, s: Val) -> Option<Val> {
        let ((rl, rr), (sl, sr)) = (self.keyed(r)?, self.keyed(s)?);
        if sl.is_empty() {
            return Some(r);
        }
        let mut left = Vec::with_capacity(rl.len() + sl.len());
        let mut right = Vec::with_capacity(rl.len() + sl.len());
        let (mut i, mut j) = (0, 0);
        while i < rl.len() || j < sl.len() {
            let from_s = match (rl.get(i), sl.get(j)) {
                (Some(a), Some(b)) => self.cmp(*a, *b).is_ge(),
                (None, _) => true,
                _ => false,
            };
            if from_s {
                let key = sl[j];
                while i < rl.len() && rl[i] == key {
                    i += 1;
                }
                while j < sl.len() && sl[j] == key {
                    left.push(key);
                    right.push(sr[j]);
                    j += 1;
                }
            } else {
                left.push(rl[i]);
                right.push(rr[i]);
                i += 1;
            }
        }
        Some(self.distinct_columns(left, right))
    }

    /// `r <+ {k |-> v}`
    pub fn override_at(&self, r: Val, key: Val, value: Val) -> Option<Val> {
        let (l, rr) = self.keyed(r).filter(|_| !key.is_opaque())?;
        let rows = self.rows(l, key);
        if rows.len() == 1 {
            if rr[rows.start] == value {
                return Some(r);
            }
            let mut right = rr.to_vec();
            right[rows.start] = value;
            return Some(self.distinct_columns(l.to_vec(), right));
        }
        let mut left = Vec::with_capacity(l.len() + 1);
        let mut right = Vec::with_capacity(l.len() + 1);
        left.extend_from_slice(&l[..rows.start]);
        right.extend_from_slice(&rr[..rows.start]);
        left.push(key);
        right.push(value);
        left.extend_from_slice(&l[rows.end..]);
        right.extend_from_slice(&rr[rows.end..]);
        Some(self.distinct_columns(left, right))
    }

    /// How many pairs a composition (by the right side of `r`) or a direct product (by its left side)
    /// goes through; no more than just above `most`.
    pub fn joined_len(&self, r: Val, s: Val, by_right: bool, most: usize) -> Option<usize> {
        let ((rl, rr), (sl, _)) = (self.as_columns(r)?, self.as_columns(s)?);
        let mut length = 0usize;
        for key in if by_right { rr } else { rl } {
            length += self.rows(sl, *key).len();
            if length > most {
                break;
            }
        }
        Some(length)
    }

    /// `(r ; s)`
    pub fn compose(&self, r: Val, s: Val) -> Option<Val> {
        let ((rl, rr), (sl, sr)) = (self.as_columns(r)?, self.keyed(s)?);
        if r.is_opaque() {
            return None;
        }
        let mut out = Vec::new();
        for i in 0..rl.len() {
            for k in self.rows(sl, rr[i]) {
                out.push((rl[i], sr[k]));
            }
        }
        Some(self.relation(out))
    }

    /// `r >< s`: `{x |-> (y |-> z)}`
    pub fn direct_product(&self, r: Val, s: Val) -> Option<Val> {
        let ((rl, rr), (sl, sr)) = (self.keyed(r)?, self.keyed(s)?);
        let mut out = Vec::new();
        for i in 0..rl.len() {
            for k in self.rows(sl, rl[i]) {
                out.push((rl[i], self.pair(rr[i], sr[k])));
            }
        }
        Some(self.relation(out))
    }

    /// `(r || s)`
    pub fn parallel_product(&self, r: Val, s: Val) -> Option<Val> {
        let ((rl, rr), (sl, sr)) = (self.as_columns(r)?, self.as_columns(s)?);
        let mut out = Vec::with_capacity(rl.len() * sl.len());
        for i in 0..rl.len() {
            for k in 0..sl.len() {
                out.push((self.pair(rl[i], sl[k]), self.pair(rr[i], sr[k])));
            }
        }
        Some(self.relation(out))
    }

    /// `closure1(r)`; nothing if it would have more than `limit` pairs.
    pub fn closure1(&self, relation: Val, limit: usize) -> Option<Val> {
        self.closure1_while(relation, limit, &mut |_| true)
    }

    /// The same; nothing as well if `more`, which is told of pairs as they are found, says no.
    pub fn closure1_while(
        &self,
        relation: Val,
        limit: usize,
        more: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Val> {
        let (l, r) = self.as_columns(relation).filter(|_| !relation.is_opaque())?;
        let mut ids: FxHashMap<Val, usize> = FxHashMap::default();
        let mut values = Vec::new();
        for v in l.iter().chain(r) {
            ids.entry(*v).or_insert_with(|| {
                values.push(*v);
                values.len() - 1
            });
        }
        let mut next = vec![Vec::new(); values.len()];
        for i in 0..l.len() {
            next[ids[&l[i]]].push(ids[&r[i]]);
        }
        let mut out = Vec::new();
        let mut mark = vec![usize::MAX; values.len()];
        for start in 0..values.len() {
            let (before, mut visits) = (out.len(), 0);
            let mut stack = next[start].clone();
            while let Some(node) = stack.pop() {
                if mark[node] != start {
                    mark[node] = start;
                    out.push((values[start], values[node]));
                    if out.len() > limit {
                        return None;
                    }
                    visits += next[node].len();
                    stack.extend_from_slice(&next[node]);
                }
            }
            if !more((out.len() - before).max(visits)) {
                return None;
            }
        }
        Some(self.relation(out))
    }
}
