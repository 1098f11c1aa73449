//! Diagrams held against plain sets of numbers.

#![allow(clippy::unwrap_used)]

use super::bits::{Bits, set_bit};
use super::{Diagrams, Halt, Relation, Set, Touch};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

const BITS: u32 = 5;

fn diagrams() -> Diagrams {
    Diagrams::new(1 << 28, Arc::default())
}

fn levels() -> Vec<u32> {
    (0..BITS).map(|bit| 2 * bit).collect()
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn set(&mut self) -> BTreeSet<u64> {
        let most = self.next() % 20;
        (0..most).map(|_| self.next() % (1 << BITS)).collect()
    }
}

fn vector(number: u64, width: u32) -> Bits {
    let mut bits = vec![0];
    (0..width).filter(|place| number >> (width - 1 - place) & 1 == 1).for_each(|place| {
        set_bit(&mut bits, place as usize);
    });
    bits.into()
}

fn set(diagrams: &mut Diagrams, numbers: &BTreeSet<u64>) -> Set {
    diagrams.listed(&levels(), numbers.iter().map(|n| vector(*n, BITS)).collect()).unwrap()
}

fn numbers(diagrams: &Diagrams, set: Set) -> BTreeSet<u64> {
    let mut all = BTreeSet::new();
    let _ = diagrams.each(set, &levels(), &mut |bits| {
        all.insert(bits[0] >> (64 - BITS));
        ControlFlow::Continue(())
    });
    all
}

#[test]
fn sets_are_what_sets_of_numbers_are() {
    let (mut own, mut random) = (diagrams(), Random(1));
    for round in 0..500 {
        let (a, b) = (random.set(), random.set());
        let (x, y) = (set(&mut own, &a), set(&mut own, &b));
        assert_eq!(numbers(&own, x), a);
        let union = own.union(x, y).unwrap();
        assert_eq!(numbers(&own, union), &a | &b);
        let both = own.intersection(x, y).unwrap();
        assert_eq!(numbers(&own, both), &a & &b);
        let first = own.difference(x, y).unwrap();
        assert_eq!(numbers(&own, first), &a - &b);
        assert_eq!(own.count(x, &levels()), BigUint::from(a.len()));
        // Equal sets are one set.
        let again = own.union(first, both).unwrap();
        assert_eq!(again, x);
        let kept = [true, false, false, false, true];
        let projected = own.projection(x, 7, &kept).unwrap();
        let shape = |n: &u64| (n >> 4, n >> 2 & 1);
        let expected: BTreeSet<u64> =
            (0..1 << BITS).filter(|n| a.iter().any(|m| shape(m) == shape(n))).collect();
        assert_eq!(numbers(&own, projected), expected);
        if round % 50 == 49 {
            own.hold([x]);
            own.collect();
            assert_eq!(numbers(&own, x), a);
        }
    }
}

/// A relation that reads bits 0 and 1, writes bits 1 and 3, and leaves the rest; its steps by these.
fn relation(own: &mut Diagrams, random: &mut Random, number: u64) -> (Relation, BTreeSet<u64>) {
    let touches = [Touch::Reads, Touch::Writes, Touch::Leaves, Touch::Writes, Touch::Leaves];
    let mut relation = Relation::new(number, touches.to_vec());
    let steps: BTreeSet<u64> = (0..random.next() % 9).map(|_| random.next() % 16).collect();
    // Bits 0 and 1 before, 1 and 3 after.
    let list = steps.iter().map(|n| vector(*n, 4)).collect();
    relation.steps = own.listed(&[0, 2, 3, 7], list).unwrap();
    (relation, steps)
}

fn step(from: u64, steps: &BTreeSet<u64>) -> BTreeSet<u64> {
    let bit = |number: u64, place: u32| number >> (BITS - 1 - place) & 1;
    let fits = |step: &&u64| (*step >> 3 & 1, *step >> 2 & 1) == (bit(from, 0), bit(from, 1));
    let to = |step: &u64| from & 0b10101 | (step >> 1 & 1) << 3 | (step & 1) << 1;
    steps.iter().filter(fits).map(to).collect()
}

#[test]
fn images_are_the_steps_of_each_member() {
    let (mut own, mut random) = (diagrams(), Random(2));
    for round in 0..500 {
        let (relation, steps) = relation(&mut own, &mut random, round);
        let from = random.set();
        let x = set(&mut own, &from);
        let after = own.after(x, &relation).unwrap();
        let expected: BTreeSet<u64> = from.iter().flat_map(|n| step(*n, &steps)).collect();
        assert_eq!(numbers(&own, after), expected);
        let before = own.before(x, &relation).unwrap();
        let leads = |n: &u64| !step(*n, &steps).is_disjoint(&from);
        let expected: BTreeSet<u64> = (0..1 << BITS).filter(leads).collect();
        assert_eq!(numbers(&own, before), expected);
    }
}

#[test]
fn saturation_reaches_what_steps_reach() {
    let (mut own, mut random) = (diagrams(), Random(3));
    for _ in 0..200 {
        let of = |number| relation(&mut own, &mut random, number);
        let (relations, steps): (Vec<Relation>, Vec<BTreeSet<u64>>) = (0..3).map(of).unzip();
        let mut reached = random.set();
        let start = set(&mut own, &reached);
        let all = own.saturated(start, &relations).unwrap();
        loop {
            let next = |n: &u64| steps.iter().flat_map(|s| step(*n, s)).collect::<Vec<_>>();
            let more: BTreeSet<u64> = reached.iter().flat_map(next).collect();
            if more.is_subset(&reached) {
                break;
            }
            reached.extend(more);
        }
        assert_eq!(numbers(&own, all), reached);
    }
}

#[test]
fn numbers_below_a_bound() {
    let mut own = diagrams();
    for bound in 0..=33 {
        let below = own.below(&levels(), bound).unwrap();
        assert_eq!(numbers(&own, below), (0..bound.min(32)).collect());
    }
}

#[test]
fn an_explosion_is_a_halt() {
    let mut own = Diagrams::new(4 << 20, Arc::default());
    // Pairs of equal bits that stand far apart: exponential in any order that puts all firsts first.
    let (mut all, mut halt) = (Set::ALL, None);
    for pair in (0..40).rev() {
        let mut both = || -> Result<Set, Halt> {
            let (a0, a1) = (own.bit(pair, false)?, own.bit(pair, true)?);
            let (b0, b1) = (own.bit(100 + pair, false)?, own.bit(100 + pair, true)?);
            let (zero, one) = (own.intersection(a0, b0)?, own.intersection(a1, b1)?);
            let equal = own.union(zero, one)?;
            own.intersection(all, equal)
        };
        match both() {
            Ok(set) => all = set,
            Err(why) => halt = Some(why),
        }
    }
    assert_eq!(halt, Some(Halt::Full));
    assert!(own.bytes() <= 4 << 20, "{}", own.bytes());
}
