//! A small part of `cargo xtask compare`: the same every time, a few seconds.

use beeline_compare::{Counts, Goal, Random, expressions, laws, run, solver, substitutions};
use std::time::Duration;

fn check(formulas: u64, batch: fn(&mut Random, &mut Counts)) -> Counts {
    // Only the number of formulas ends it: the time is out of reach.
    let goal = Goal { formulas, time: Duration::from_secs(3_600), differences: 3 };
    let counts = run(goal, 1, batch);
    let found: Vec<String> = counts.differences.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{counts}\n{}", found.join("\n"));
    assert!(counts.formulas >= formulas, "{counts}");
    counts
}

#[test]
fn expressions_agree() {
    let counts = check(2_000, expressions::batch);
    let all = counts.evaluations();
    assert!(counts.equal * 10 > all * 9, "most have a value: {counts}");
    assert!(counts.ill_defined * 100 > all, "some have none: {counts}");
    assert!(counts.opened() * 50 < all, "few are given up: {counts}");
}

#[test]
fn all_solutions_are_found_once() {
    let counts = check(200, solver::batch);
    assert!(counts.opened() * 50 < counts.evaluations(), "few are given up: {counts}");
}

#[test]
fn substitutions_agree() {
    let counts = check(1_000, substitutions::batch);
    assert!(counts.opened() * 20 < counts.evaluations(), "few are given up: {counts}");
}

#[test]
fn laws_hold() {
    assert_eq!(laws::count(), laws::LAWS.len());
    let counts = check(1_000, laws::batch);
    assert_eq!(counts.equal, counts.formulas);
}
