//! What is true of every reachable state.
#![allow(clippy::unwrap_used)]

use beeline_bounds::{Analysis, Claims, States};
use beeline_source::MemoryLoader;

/// What is known of the variables, and the numbers of the conjuncts that are proved.
#[track_caller]
fn check(clauses: &str, variables: &[&str], proved: &[usize]) {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let states = States::of(&Analysis::new(&model, -1, 3));
    let mut claims = Claims::new(&model);
    let mut shown = Vec::new();
    for (name, value) in &states.variables {
        let list = claims.of(&name.expr(&model), value);
        shown.push(list.iter().map(|p| model.show_pred(p)).collect::<Vec<_>>().join(" & "));
    }
    assert_eq!(shown, variables);
    let numbers: Vec<usize> = states.proved.iter().map(|c| c.number()).collect();
    assert_eq!(numbers, proved);
}

#[test]
fn counters_stay_within_their_guards() {
    check(
        "VARIABLES x, y INVARIANT x : 0..10 & y : NATURAL & x < 5 INITIALISATION x, y := 0, 0 \
         OPERATIONS up = SELECT x < 10 THEN x := x + 2 END; down = SELECT x > 0 THEN x := x - 2 END; \
                    more = y := y + 3",
        &["x : 0..10 & x mod 2 = 0", "y >= 0 & y mod 3 = 0"],
        &[1, 2],
    );
}

#[test]
fn what_may_be_wrong_is_not_proved() {
    check(
        "VARIABLES x INVARIANT x : NATURAL & 10 / x > 0 & x < 100 INITIALISATION x := 1 \
         OPERATIONS up = x := x + 1; down = PRE x > 0 THEN x := x - 1 END",
        &["x >= 0"],
        &[1],
    );
}

#[test]
fn functions_and_sets() {
    check(
        "SETS S; T = {a, b, c} VARIABLES f, g, s, q \
         INVARIANT f : S +-> 0..9 & g : T --> BOOL & s <: T & a : s & q : seq(T) & card(s) >= 1 \
         INITIALISATION f, g, s, q := {}, T * {FALSE}, {a}, [] \
         OPERATIONS \
           put(x, n) = PRE x : S & n : 0..9 THEN f(x) := n END; \
           drop(x) = PRE x : S THEN f := {x} <<| f END; \
           on(t) = PRE t : T THEN g(t) := TRUE END; \
           add(t) = PRE t : T THEN s := s \\/ {t} END; \
           cut(t) = PRE t : {b, c} THEN s := s - {t} END; \
           push(t) = PRE t : T THEN q := q <- t END; \
           pop = PRE q /= [] THEN q := tail(q) END",
        &["f : S +-> 0..9", "g : T --> BOOL", "{a} <: s", "q : seq(T)"],
        &[1, 2, 3, 4, 5, 6],
    );
}

#[test]
fn conjuncts_help_each_other() {
    // Without `x <= y` nothing would bound `x`.
    check(
        "VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 & x <= y INITIALISATION x, y := 0, 5 \
         OPERATIONS up = SELECT x < y THEN x := x + 1 END; set(n) = PRE n : 6..9 & x < 6 THEN y := n END",
        &["x : 0..9", "y : 5..9"],
        &[1, 2],
    );
}

#[test]
fn loops_choices_and_calls() {
    check(
        "VARIABLES n, m INVARIANT n : 0..20 & m : 1..3 INITIALISATION n := 0 || m :: 1..3 \
         OPERATIONS \
           run = BEGIN n := 0; WHILE n < 20 DO n := n + 1 INVARIANT n : 0..20 VARIANT 20 - n END END; \
           pick = CHOICE m := 1 OR m := 3 END; \
           any = ANY z WHERE z : NATURAL & z < n THEN n := z END; \
           such = n : (n : 3..7); \
           case = CASE m OF EITHER 1 THEN m := 2 OR 2 THEN m := 3 ELSE m := 1 END END",
        &["n : 0..20", "m : 1..3"],
        &[1, 2],
    );
}

#[test]
fn an_operation_that_is_never_enabled_is_seen() {
    let text = "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 \
                OPERATIONS no = SELECT x > 5 THEN x := 9 END; up = SELECT x < 3 THEN x := x + 1 END END";
    let loader = MemoryLoader::new().with("M.mch", text);
    let model = beeline_elaborate::load(&loader, "M.mch").model.unwrap();
    let states = States::of(&Analysis::new(&model, -1, 3));
    let names: Vec<&str> = states.never.iter().map(|o| model.operation(*o).name.as_str()).collect();
    assert_eq!(names, ["no"]);
    assert_eq!(states.proved.len(), 1);
}
