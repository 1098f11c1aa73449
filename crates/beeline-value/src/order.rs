//! The canonical order of values of one type.
//!
//! Integers by value, elements by position, pairs and records from the left, sets by size and
//! then from their least element. Symbolic sets come after listed ones, by their arguments.

use crate::Val;
use crate::node::{Elems, Node};
use crate::store::Store;
use beeline_fault::{Flaw, planted};
use std::cmp::Ordering;

impl Store {
    /// Compares two values of one type.
    #[inline]
    pub fn cmp(&self, a: Val, b: Val) -> Ordering {
        if a == b {
            Ordering::Equal
        } else if a.is_immediate() && b.is_immediate() {
            a.raw().cmp(&b.raw())
        } else {
            self.cmp_nodes(a, b)
        }
    }

    fn cmp_nodes(&self, a: Val, b: Val) -> Ordering {
        if let (Some(x), Some(y)) = (self.as_big(a), self.as_big(b)) {
            if planted(Flaw::BigCompare) {
                return x.magnitude().bits().cmp(&y.magnitude().bits()).then(x.cmp(&y));
            }
            return x.cmp(&y);
        }
        match (self.node(a), self.node(b)) {
            (Some(Node::Pair(a1, a2)), Some(Node::Pair(b1, b2))) => {
                self.cmp(*a1, *b1).then_with(|| self.cmp(*a2, *b2))
            }
            (Some(Node::Str(x)), Some(Node::Str(y))) => x.cmp(y),
            (Some(Node::Real(x)), Some(Node::Real(y))) => {
                f64::from_bits(*x).total_cmp(&f64::from_bits(*y))
            }
            (Some(Node::Rec(x)), Some(Node::Rec(y))) => self.cmp_slices(x, y),
            (Some(Node::Free(t1, c1, x)), Some(Node::Free(t2, c2, y))) => {
                (t1, c1).cmp(&(t2, c2)).then_with(|| match (x, y) {
                    // Trees may be deep: each level may ask for more stack.
                    (Some(x), Some(y)) => {
                        stacker::maybe_grow(64 << 10, 1 << 20, || self.cmp(*x, *y))
                    }
                    _ => x.is_some().cmp(&y.is_some()),
                })
            }
            (Some(Node::Sym(t1, x)), Some(Node::Sym(t2, y))) => {
                t1.cmp(t2).then_with(|| self.cmp_slices(x, y))
            }
            _ => self.cmp_sets(a, b),
        }
    }

    fn cmp_slices(&self, a: &[Val], b: &[Val]) -> Ordering {
        a.len().cmp(&b.len()).then_with(|| {
            a.iter()
                .zip(b)
                .map(|(x, y)| self.cmp(*x, *y))
                .find(|o| o.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }

    fn cmp_sets(&self, a: Val, b: Val) -> Ordering {
        let (x, y) = match (self.elems(a), self.elems(b)) {
            (Some(x), Some(y)) => (x, y),
            // Listed before symbolic; different kinds meet only inside symbolic nodes.
            (x, y) => {
                return y
                    .is_some()
                    .cmp(&x.is_some())
                    .then_with(|| self.kind_rank(a).cmp(&self.kind_rank(b)));
            }
        };
        x.len().cmp(&y.len()).then_with(|| match (x, y) {
            (Elems::Slice(x), Elems::Slice(y)) => self.cmp_slices(x, y),
            (Elems::Rel(l1, r1), Elems::Rel(l2, r2)) => (0..l1.len())
                .map(|i| self.cmp(l1[i], l2[i]).then_with(|| self.cmp(r1[i], r2[i])))
                .find(|o| o.is_ne())
                .unwrap_or(Ordering::Equal),
            _ => (0..x.len())
                .map(|i| self.cmp(self.nth(x, i), self.nth(y, i)))
                .find(|o| o.is_ne())
                .unwrap_or(Ordering::Equal),
        })
    }

    fn kind_rank(&self, value: Val) -> u32 {
        match self.node(value) {
            None => 0,
            Some(Node::Int(_)) => 1,
            Some(Node::Real(_)) => 2,
            Some(Node::Str(_)) => 3,
            Some(Node::Pair(..)) => 4,
            Some(Node::Set(_) | Node::Range(..) | Node::Rel(..)) => 5,
            Some(Node::Rec(_)) => 6,
            Some(Node::Free(..)) => 7,
            Some(Node::Sym(..)) => 8,
        }
    }
}
