//! What abstract interpretation proves of conjuncts, and under which assumptions.
#![allow(clippy::unwrap_used)]

use beeline_bounds::{Analysis, Proved};
use beeline_model::Model;
use beeline_source::MemoryLoader;

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

fn proved(clauses: &str, budget: u64) -> (Vec<usize>, Vec<usize>, Vec<(String, usize)>) {
    let model = model(clauses);
    let found = Proved::of(&Analysis::new(&model, -1, 3).with_budget(budget));
    let numbers = |of: &[beeline_model::ConjunctId]| of.iter().map(|c| c.index()).collect();
    let step =
        |(o, c): &(_, beeline_model::ConjunctId)| (model.operation(*o).name.to_string(), c.index());
    let steps = found.preserved.iter().map(step).collect();
    (numbers(&found.always), numbers(&found.established), steps)
}

#[track_caller]
fn check(clauses: &str, always: &[usize], established: &[usize], steps: &[(&str, usize)]) {
    let steps: Vec<_> = steps.iter().map(|(o, c)| ((*o).to_string(), *c)).collect();
    assert_eq!(proved(clauses, u64::MAX), (always.to_vec(), established.to_vec(), steps));
}

#[test]
fn what_is_true_of_all_states_is_told_apart_from_what_steps_preserve() {
    check(
        "VARIABLES x, y INVARIANT x : 0..9 & y : 0..5 & y /= 3 INITIALISATION x, y := 0, 0 \
         OPERATIONS \
           up = SELECT x < 9 THEN x := x + 1 END; \
           keep = y := y; \
           break = SELECT x = 9 THEN y := 3 END",
        // `y /= 3` is broken, and `0..5` does not lean on it.
        &[0, 1],
        &[0, 1, 2],
        &[("up", 0), ("keep", 1), ("break", 1)],
    );
}

#[test]
fn a_conjunct_that_leans_on_a_broken_one_is_only_preserved() {
    check(
        "VARIABLES x, y INVARIANT x : 0..3 & y : 0..9 INITIALISATION x, y := 0, 0 \
         OPERATIONS copy = y := 3 * x; grow = x := x + 1",
        &[],
        &[0, 1],
        // Only while x is within its bounds, which nobody keeps it in.
        &[("copy", 1)],
    );
}

#[test]
fn a_conjunct_that_may_have_no_value_is_not_proved() {
    check(
        "VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER & (10 / x > 20 => 1 = 2) \
         INITIALISATION x, y := 1, 0 OPERATIONS zero = x := 0; one = x := 1; other = y := y + 1",
        &[],
        &[2],
        &[("one", 2)],
    );
}

#[test]
fn what_the_budget_does_not_cover_is_not_proved() {
    let text = "VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 \
                OPERATIONS up = SELECT x < 9 THEN x := x + 1 END";
    assert_eq!(proved(text, 5), (vec![], vec![], vec![]));
    let mut last = 0;
    for budget in (0..4000).step_by(9) {
        let (always, established, steps) = proved(text, budget);
        // More steps never prove less, and what is proved is true.
        let count = always.len() + established.len() + steps.len();
        assert!(count >= last, "{budget}");
        last = count;
    }
    assert_eq!(last, 3);
}

#[test]
fn a_deferred_set_may_have_any_size() {
    check(
        "SETS S; T = {a, b} VARIABLES s, t INVARIANT s <: S & card(s) <= 2 & t <: T & card(t) <= 2 \
         INITIALISATION s, t := {}, {} \
         OPERATIONS add(e) = PRE e : S THEN s := s \\/ {e} END; \
           put(e) = PRE e : T THEN t := t \\/ {e} END",
        &[3],
        &[1, 3],
        &[("put", 3)],
    );
}
