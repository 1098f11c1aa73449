//! Problems whose numbers of solutions are known, large enough for everything that only a longer
//! search does.
#![allow(clippy::unwrap_used)]

use beeline_solve::{Domain, Form, Space, Term};
use problems::*;
use std::collections::BTreeSet;

#[path = "../examples/puzzles/problems.rs"]
mod problems;

/// How many solutions there are; none comes twice.
fn count(mut space: Space) -> usize {
    let order: Vec<usize> = (0..space.len()).collect();
    let mut found = BTreeSet::new();
    let outcome: Result<(), ()> = space.solve(&order, &mut |_| Ok(true), &mut |s| {
        let values: Vec<i64> = order.iter().map(|v| s.value(*v).unwrap()).collect();
        assert!(found.insert(values), "twice");
        Ok(())
    });
    assert_eq!(outcome, Ok(()));
    found.len()
}

#[test]
fn permutations() {
    assert_eq!(count(queens(6)), 4);
    assert_eq!(count(queens(8)), 92);
    assert_eq!(count(latin(4, false)), 576);
    assert_eq!(count(latin(5, true)), 56);
    assert_eq!(count(involutions(6)), 76);
    assert_eq!(count(series(8)), 40);
    assert_eq!(count(automorphisms(10, &petersen(), true)), 120);
    assert_eq!(count(automorphisms(10, &petersen(), false)), 120);
    assert_eq!(count(automorphisms(8, &cube(3), false)), 48);
}

#[test]
fn grids() {
    assert_eq!(count(sudoku(3, HARD, false)), 1);
    assert_eq!(count(sudoku(3, HARD, true)), 1);
    assert_eq!(count(sudoku(2, "", false)), 288);
    assert_eq!(count(magic(3)), 1);
}

#[test]
fn sums_and_distances() {
    assert_eq!(count(send_more_money()), 1);
    assert_eq!(count(golomb(5, 11, false)), 4);
    assert_eq!(count(golomb(6, 17, false)), 8);
    assert_eq!(count(golomb(6, 17, true)), 8);
    assert_eq!(count(jobs(&[5, 3, 4, 6], 20)), 360);
}

#[test]
fn sets_of_flags() {
    assert_eq!(count(independent(12, 4)), 105);
    assert_eq!(count(steiner(7)), 30);
    assert_eq!(count(pigeons(5)), 0);
    assert_eq!(count(three_sat(40, 190)), 0);
}

#[test]
fn who_asks_can_end_it_soon() {
    // Nothing is found and nothing ends, but someone is asked all the time.
    let mut space = pigeons(12);
    let (mut asked, mut longest, mut before) = (0, 0, 0);
    let order: Vec<usize> = (0..space.len()).collect();
    let outcome = space.solve(
        &order,
        &mut |s| {
            asked += 1;
            longest = longest.max(s.work - before);
            before = s.work;
            if asked < 5_000 { Ok(true) } else { Err("enough") }
        },
        &mut |_| Ok(()),
    );
    assert_eq!(outcome, Err("enough"));
    assert!(longest < 20_000, "{longest}");
}

#[test]
fn a_supposition_leaves_no_trace() {
    let mut space = Space::new();
    let x = space.var(Domain::between(0, 1).unwrap());
    let y = space.var(Domain::between(0, 3).unwrap());
    let is = |v, n| Form::eq(Term::Var(v), Term::Const(n));
    space.post(Form::or(vec![Form::not(is(x, 1)), is(y, 2)]));
    space.post(Form::or(vec![is(x, 1), Form::not(is(y, 0))]));
    space.propagate().unwrap();
    assert_eq!(space.suppose(x, 1, |s| s.value(y)), Some(Some(2)));
    assert_eq!(space.suppose(x, 0, |s| s.value(y)), Some(None));
    assert_eq!(space.suppose(y, 0, |s| s.value(x)), None);
    assert_eq!(space.suppose(y, 7, |_| ()), None);
    assert_eq!((space.value(x), space.domain(y).size()), (None, 4));
}
