//! Values: one form each, an order and a hash that do not depend on history, and exact operators.
#![allow(clippy::unwrap_used)]

use beeline_value::{Lookup, Node, Store, Val};
use std::cmp::Ordering;

fn set(s: &Store, items: &[i64]) -> Val {
    s.set(items.iter().map(|i| s.int(*i)).collect())
}

fn rel(s: &Store, pairs: &[(i64, i64)]) -> Val {
    s.relation(pairs.iter().map(|(a, b)| (s.int(*a), s.int(*b))).collect())
}

#[test]
fn immediate_words_keep_their_value_and_order() {
    for i in [-(1 << 30), -1, 0, 1, (1 << 30) - 1] {
        assert_eq!(Val::small_int(i).and_then(Val::as_small_int), Some(i));
    }
    assert_eq!(Val::small_int(1 << 30), None);
    assert_eq!(Val::atom(7, 12345).as_atom(), Some((7, 12345)));
    assert_eq!(Val::TRUE.as_bool(), Some(true));
    assert_eq!(Val::TRUE.as_atom(), None);
    let s = Store::new();
    assert_eq!(s.cmp(s.int(-3), s.int(2)), Ordering::Less);
    assert_eq!(s.cmp(s.int(5_000_000_000), s.int(2)), Ordering::Greater);
}

#[test]
fn equal_values_are_equal_words() {
    let s = Store::new();
    assert_eq!(set(&s, &[3, 1, 2, 2]), set(&s, &[1, 2, 3]));
    assert_ne!(set(&s, &[1, 2]), set(&s, &[1, 2, 3]));
    assert_eq!(set(&s, &[]), Val::EMPTY);
    assert_eq!(rel(&s, &[]), Val::EMPTY);
    // Pairs one by one, and as columns.
    let pairs = vec![s.pair(s.int(2), s.int(4)), s.pair(s.int(1), s.int(3))];
    assert_eq!(s.set(pairs), rel(&s, &[(1, 3), (2, 4)]));
    // A long run of integers, listed or not.
    let listed: Vec<i64> = (5..=200).rev().collect();
    assert_eq!(set(&s, &listed), s.range(5, 200));
    assert!(matches!(s.node(s.range(5, 200)), Some(Node::Range(5, 200))));
    // Nested.
    let a = s.set(vec![set(&s, &[1]), set(&s, &[1, 2])]);
    let b = s.set(vec![set(&s, &[2, 1]), set(&s, &[1])]);
    assert_eq!(a, b);
}

#[test]
fn order_and_hash_do_not_depend_on_history() {
    let (s, t) = (Store::new(), Store::new());
    let values = |st: &Store, reverse: bool| -> Vec<Val> {
        let make: Vec<fn(&Store) -> Val> = vec![
            |s| set(s, &[1, 9]),
            |s| set(s, &[2, 3]),
            |s| set(s, &[5]),
            |s| s.set_sorted(vec![s.int(1 << 40)]),
            |s| s.range(0, 99),
        ];
        let mut order: Vec<usize> = (0..make.len()).collect();
        if reverse {
            order.reverse();
        }
        let mut made = vec![Val::EMPTY; make.len()];
        for i in order {
            made[i] = make[i](st);
        }
        made
    };
    let (a, b) = (values(&s, false), values(&t, true));
    for i in 0..a.len() {
        assert_eq!(s.hash(a[i]), t.hash(b[i]), "hash {i}");
        for j in 0..a.len() {
            assert_eq!(s.cmp(a[i], a[j]), t.cmp(b[i], b[j]), "order {i} {j}");
        }
    }
    // By size first, then from the least element.
    assert_eq!(s.cmp(a[2], a[0]), Ordering::Less);
    assert_eq!(s.cmp(a[0], a[1]), Ordering::Less);
}

#[test]
fn sets() {
    let s = Store::new();
    let (a, b) = (set(&s, &[1, 2, 3]), set(&s, &[2, 3, 4]));
    assert_eq!(s.union(a, b), Some(set(&s, &[1, 2, 3, 4])));
    assert_eq!(s.inter(a, b), Some(set(&s, &[2, 3])));
    assert_eq!(s.diff(a, b), Some(set(&s, &[1])));
    assert_eq!(s.subset(set(&s, &[2]), a), Some(true));
    assert_eq!(s.subset(b, a), Some(false));
    assert_eq!(s.member(s.int(2), a), Some(true));
    assert_eq!(s.member(s.int(7), a), Some(false));
    let run = s.range(1, 1_000_000);
    assert_eq!(s.inter(run, s.range(999_999, 2_000_000)), Some(set(&s, &[999_999, 1_000_000])));
    assert_eq!(s.subset(a, run), Some(true));
    assert_eq!(s.card(s.product(a, b).unwrap()), Some(9));
}

#[test]
fn relations() {
    let s = Store::new();
    let r = rel(&s, &[(1, 10), (1, 11), (2, 10), (3, 12)]);
    assert_eq!(s.domain(r), Some(set(&s, &[1, 2, 3])));
    assert_eq!(s.codomain(r), Some(set(&s, &[10, 11, 12])));
    assert_eq!(s.inverse(r), Some(rel(&s, &[(10, 1), (11, 1), (10, 2), (12, 3)])));
    assert_eq!(s.image(r, set(&s, &[1, 3])), Some(set(&s, &[10, 11, 12])));
    assert_eq!(s.lookup(r, s.int(1)), Some(Lookup::Many));
    assert_eq!(s.lookup(r, s.int(2)), Some(Lookup::One(s.int(10))));
    assert_eq!(s.lookup(r, s.int(9)), Some(Lookup::Missing));
    assert_eq!(s.is_function(r), Some(false));
    let over = s.override_with(r, rel(&s, &[(1, 0), (4, 4)]));
    assert_eq!(over, Some(rel(&s, &[(1, 0), (2, 10), (3, 12), (4, 4)])));
    let q = rel(&s, &[(10, 7), (12, 8)]);
    assert_eq!(s.compose(r, q), Some(rel(&s, &[(1, 7), (2, 7), (3, 8)])));
    assert_eq!(s.restrict_domain(set(&s, &[1]), r, false), Some(rel(&s, &[(2, 10), (3, 12)])));
    assert_eq!(s.restrict_range(r, set(&s, &[10]), true), Some(rel(&s, &[(1, 10), (2, 10)])));
    let chain = rel(&s, &[(1, 2), (2, 3), (3, 1)]);
    assert_eq!(s.card(s.closure1(chain, 100).unwrap()), Some(9));
    assert_eq!(s.closure1(chain, 8), None);
    assert_eq!(s.override_at(chain, s.int(2), s.int(2)), Some(rel(&s, &[(1, 2), (2, 2), (3, 1)])));
    assert_eq!(s.override_at(r, s.int(1), s.int(5)), Some(rel(&s, &[(1, 5), (2, 10), (3, 12)])));
}

#[test]
fn sequences() {
    let s = Store::new();
    let q = s.sequence(vec![s.int(7), s.int(8)]);
    assert_eq!(q, rel(&s, &[(1, 7), (2, 8)]));
    assert_eq!(s.items(q), Some(&[s.int(7), s.int(8)][..]));
    assert_eq!(s.items(Val::EMPTY), Some(&[][..]));
    assert_eq!(s.items(rel(&s, &[(1, 7), (1, 8)])), None);
    assert_eq!(s.items(rel(&s, &[(2, 7)])), None);
}

#[test]
fn many_threads_agree_on_words() {
    let s = Store::new();
    let build = |n: i64| -> Vec<Val> {
        (0..2000).map(|i| set(&s, &[(i * n) % 501, (i * n + 1) % 501, i % 7])).collect()
    };
    let results: Vec<Vec<Val>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..4).map(|_| scope.spawn(|| build(3))).collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    assert!(results.iter().all(|r| *r == results[0]));
}
