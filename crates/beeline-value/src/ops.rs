//! Sets that are listed: building, membership, union, intersection, difference, products.

use crate::node::{Elems, Node};
use crate::{Store, Val};
use beeline_fault::{Flaw, planted};
use std::cmp::Ordering;

impl Store {
    /// The set of these elements, in any order, with repetitions.
    pub fn set(&self, mut elems: Vec<Val>) -> Val {
        match elems.len() {
            0 => return Val::EMPTY,
            1 => return self.set_sorted(elems),
            _ => {}
        }
        if elems.iter().all(|e| e.is_immediate()) {
            elems.sort_unstable_by_key(|e| e.raw());
        } else if self.as_pair(elems[0]).is_some() {
            let pairs = elems.iter().filter_map(|e| self.as_pair(*e)).collect();
            return self.relation(pairs);
        } else {
            elems.sort_unstable_by(|a, b| self.cmp(*a, *b));
        }
        elems.dedup();
        self.set_sorted(elems)
    }

    /// The set of elements that are already in order, without repetitions.
    pub fn set_sorted(&self, elems: Vec<Val>) -> Val {
        let Some(&first) = elems.first() else {
            return Val::EMPTY;
        };
        if self.as_pair(first).is_some() {
            let (left, right) = elems.iter().filter_map(|e| self.as_pair(*e)).unzip();
            return self.columns(left, right);
        }
        if elems.len() > 1 && elems.iter().any(|e| e.is_opaque()) {
            return self.intern(Node::Sym(Node::LOOSE, elems.into()));
        }
        if elems.len() > Node::LISTED_RUN
            && let (Some(lo), Some(hi)) = (self.as_i64(first), self.as_i64(elems[elems.len() - 1]))
            && i128::from(hi) - i128::from(lo) + 1 == elems.len() as i128
        {
            return self.intern(Node::Range(lo, hi));
        }
        self.intern(Node::Set(elems.into()))
    }

    /// The set of elements that are known to differ, whatever their words look like.
    pub fn set_of_distinct(&self, mut elems: Vec<Val>) -> Val {
        match elems.first() {
            Some(first) if elems.iter().any(|e| e.is_opaque()) => {
                let pairs = self.as_pair(*first).is_some();
                elems.sort_unstable_by(|a, b| self.cmp(*a, *b));
                if pairs {
                    let (left, right) = elems.iter().filter_map(|e| self.as_pair(*e)).unzip();
                    return self.distinct_columns(left, right);
                }
                self.intern(Node::Set(elems.into()))
            }
            _ => self.set(elems),
        }
    }

    /// `{e}`
    pub fn singleton(&self, elem: Val) -> Val {
        self.set_sorted(vec![elem])
    }

    /// `lo..hi`
    pub fn range(&self, lo: i64, hi: i64) -> Val {
        if lo > hi {
            Val::EMPTY
        } else if i128::from(hi) - i128::from(lo) < Node::LISTED_RUN as i128 {
            self.intern(Node::Set((lo..=hi).map(|i| self.int(i)).collect()))
        } else {
            self.intern(Node::Range(lo, hi))
        }
    }

    /// How many elements a listed set has.
    pub fn card(&self, set: Val) -> Option<usize> {
        self.elems(set).map(|e| e.len())
    }

    /// Is it a listed set?
    pub fn is_listed(&self, set: Val) -> bool {
        self.elems(set).is_some()
    }

    /// Is `elem` in a listed set? Nothing if the set is not listed, or if words do not tell.
    #[inline]
    pub fn member(&self, elem: Val, set: Val) -> Option<bool> {
        let found = match self.elems(set)? {
            Elems::Slice(s) => self.find(s, elem).is_ok(),
            Elems::Range(lo, hi) => self.as_i64(elem).is_some_and(|i| lo <= i && i <= hi),
            Elems::Rel(l, r) => match self.as_pair(elem) {
                Some((a, b)) => self.find_pair(l, r, a, b).is_ok(),
                None => false,
            },
        };
        (found || !elem.is_opaque() && !set.is_opaque()).then_some(found)
    }

    /// The position of an element in a sorted slice, or where it would stand.
    #[inline]
    pub(crate) fn find(&self, sorted: &[Val], elem: Val) -> Result<usize, usize> {
        if elem.is_immediate() {
            if sorted.len() <= 8 {
                for (i, e) in sorted.iter().enumerate() {
                    if *e == elem {
                        return Ok(i);
                    }
                }
            }
            if let (Some(a), Some(b)) = (sorted.first(), sorted.last())
                && a.is_immediate()
                && b.is_immediate()
            {
                return sorted.binary_search_by_key(&elem.raw(), |e| e.raw());
            }
        }
        sorted.binary_search_by(|e| self.cmp(*e, elem))
    }

    /// Merges two listed sets; `keep(in_a, in_b)` says what stays.
    fn merge(&self, a: Val, b: Val, keep: fn(bool, bool) -> bool) -> Option<Val> {
        let (x, y) = (self.elems(a)?, self.elems(b)?);
        if a.is_opaque() || b.is_opaque() {
            return None;
        }
        match (x, y) {
            (Elems::Slice(x), Elems::Slice(y)) => {
                let mut out = Vec::with_capacity(x.len() + y.len());
                self.merge_slices(x, y, keep, &mut out);
                Some(self.set_sorted(out))
            }
            (Elems::Rel(..) | Elems::Slice([]), Elems::Rel(..) | Elems::Slice([])) => {
                Some(self.merge_rels(x, y, keep))
            }
            _ => {
                let (x, y) = (self.list(x), self.list(y));
                let mut out = Vec::with_capacity(x.len() + y.len());
                self.merge_slices(&x, &y, keep, &mut out);
                Some(self.set_sorted(out))
            }
        }
    }

    fn merge_slices(&self, x: &[Val], y: &[Val], keep: fn(bool, bool) -> bool, out: &mut Vec<Val>) {
        let (mut i, mut j) = (0, 0);
        while i < x.len() || j < y.len() {
            let order = match (x.get(i), y.get(j)) {
                (Some(a), Some(b)) => self.cmp(*a, *b),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let elem = if order.is_le() { x[i] } else { y[j] };
            if keep(order.is_le(), order.is_ge()) {
                out.push(elem);
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
    }

    fn merge_rels(&self, x: Elems<'_>, y: Elems<'_>, keep: fn(bool, bool) -> bool) -> Val {
        fn columns<'a>(e: Elems<'a>) -> (&'a [Val], &'a [Val]) {
            match e {
                Elems::Rel(l, r) => (l, r),
                _ => (&[], &[]),
            }
        }
        let ((xl, xr), (yl, yr)) = (columns(x), columns(y));
        let mut left = Vec::with_capacity(xl.len() + yl.len());
        let mut right = Vec::with_capacity(xl.len() + yl.len());
        let (mut i, mut j) = (0, 0);
        while i < xl.len() || j < yl.len() {
            let order = if i == xl.len() {
                Ordering::Greater
            } else if j == yl.len() {
                Ordering::Less
            } else {
                self.cmp(xl[i], yl[j]).then_with(|| self.cmp(xr[i], yr[j]))
            };
            let (l, r) = if order.is_le() { (xl[i], xr[i]) } else { (yl[j], yr[j]) };
            if keep(order.is_le(), order.is_ge()) {
                left.push(l);
                right.push(r);
            }
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
        }
        self.columns(left, right)
    }

    /// Union of listed sets; nothing if words do not tell, as for all that follow.
    pub fn union(&self, a: Val, b: Val) -> Option<Val> {
        if a == b || b == Val::EMPTY {
            return self.elems(a).map(|_| a);
        }
        if a == Val::EMPTY {
            return self.elems(b).map(|_| b);
        }
        self.merge(a, b, |x, y| if planted(Flaw::UnionRepeats) { x ^ y } else { x | y })
    }

    /// Intersection of listed sets.
    pub fn inter(&self, a: Val, b: Val) -> Option<Val> {
        if let (Elems::Range(l1, h1), Elems::Range(l2, h2)) = (self.elems(a)?, self.elems(b)?) {
            return Some(self.range(l1.max(l2), h1.min(h2)));
        }
        self.merge(a, b, |x, y| x & y)
    }

    /// Difference of listed sets.
    pub fn diff(&self, a: Val, b: Val) -> Option<Val> {
        if b == Val::EMPTY {
            return self.elems(a).map(|_| a);
        }
        self.merge(a, b, |x, y| x & !y)
    }

    /// Is one listed set within another?
    pub fn subset(&self, a: Val, b: Val) -> Option<bool> {
        if a == b {
            return self.elems(a).map(|_| true);
        }
        let (x, y) = (self.elems(a)?, self.elems(b)?);
        if x.len() > y.len() {
            return Some(false);
        }
        if a.is_opaque() || b.is_opaque() {
            return None;
        }
        match (x, y) {
            (Elems::Range(a, b), Elems::Range(c, d)) => Some(c <= a && b <= d),
            (Elems::Slice(x), Elems::Slice(y)) => {
                let mut j = 0;
                for e in x {
                    while j < y.len() && y[j] != *e && self.cmp(y[j], *e).is_lt() {
                        j += 1;
                    }
                    if j == y.len() || y[j] != *e {
                        return Some(false);
                    }
                }
                Some(true)
            }
            (Elems::Rel(xl, xr), Elems::Rel(yl, yr)) => {
                Some((0..xl.len()).all(|i| self.find_pair(yl, yr, xl[i], xr[i]).is_ok()))
            }
            _ => {
                for i in 0..x.len() {
                    if !self.member(self.nth(x, i), b)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
        }
    }

    /// Cartesian product of listed sets.
    pub fn product(&self, a: Val, b: Val) -> Option<Val> {
        let (x, y) = (self.list(self.elems(a)?), self.list(self.elems(b)?));
        let mut left = Vec::with_capacity(x.len() * y.len());
        let mut right = Vec::with_capacity(x.len() * y.len());
        for l in &x {
            for r in &y {
                left.push(*l);
                right.push(*r);
            }
        }
        Some(self.distinct_columns(left, right))
    }
}
