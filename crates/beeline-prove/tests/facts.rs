//! What is found out about operations by looking at them.
#![allow(clippy::unwrap_used)]

use beeline_prove::{Syntactic, facts};
use beeline_source::MemoryLoader;

/// The conjuncts that each operation is known to preserve, by number.
#[track_caller]
fn check(clauses: &str, wanted: &[(&str, &[usize])]) {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let found = facts(&model, &mut [&mut Syntactic::default()]);
    let of = |name: &str| -> Vec<usize> {
        let own = found
            .iter()
            .filter(|f| f.preserved.operation.is_some_and(|o| model.operation(o).name == name));
        own.map(|f| f.preserved.conjunct.index()).collect()
    };
    for (name, invariants) in wanted {
        assert_eq!(of(name), *invariants, "{name}");
    }
}

#[test]
fn counters() {
    check(
        "VARIABLES x, y INVARIANT x : 0..9 & y : NATURAL & x <= y INITIALISATION x, y := 0, 0 \
         OPERATIONS \
           up = PRE x < 9 THEN x := x + 1 END; \
           far = PRE x < 9 THEN x := x + 2 END; \
           down = PRE 0 < x THEN x := x - 1 END; \
           more = y := y + 3; \
           both = SELECT x < y & x < 9 THEN x := x + 1 WHEN x > 4 THEN x := 3 END; \
           set(n) = PRE n : 0..9 & n <= y THEN x := n END; \
           any = x :: 0..9; \
           twice = BEGIN x := x + 1 ; x := x - 1 END",
        &[
            ("up", &[0]),
            ("far", &[]),
            ("down", &[0, 2]),
            ("more", &[1, 2]),
            // 3 < 5 <= x <= y
            ("both", &[0, 2]),
            ("set", &[0, 2]),
            ("any", &[0]),
            ("twice", &[]),
        ],
    );
}

#[test]
fn sets_and_functions() {
    check(
        "SETS S; T = {a, b} VARIABLES s, f, g, t \
         INVARIANT s <: S & f : S +-> 0..5 & g : 1..3 --> 0..5 & t : {a, b} & s <: dom(f) \
         INITIALISATION s, f, g, t := {}, {}, {1 |-> 0, 2 |-> 0, 3 |-> 0}, a \
         OPERATIONS \
           add(e) = PRE e : dom(f) THEN s := s \\/ {e} END; \
           cut(e) = PRE e : s THEN s := s - {e} END; \
           map(e, n) = PRE e : S & n : 0..5 THEN f := f <+ {e |-> n} END; \
           wild(e, n) = PRE e : S & n : 0..9 THEN f := f <+ {e |-> n} END; \
           new(e, n) = PRE e : S - dom(f) & e /: dom(f) & n : 0..5 THEN f := f \\/ {e |-> n} END; \
           old(e, n) = PRE e : S & n : 0..5 THEN f := f \\/ {e |-> n} END; \
           at(i, n) = PRE i : 1..3 & n : 0..5 THEN g(i) := n END; \
           lose(i) = PRE i : 1..3 THEN g := {i} <<| g END; \
           turn = IF t = a THEN t := b ELSE t := a END",
        &[
            ("add", &[4]),
            ("cut", &[4]),
            ("map", &[1]),
            ("wild", &[]),
            ("new", &[1]),
            ("old", &[]),
            ("at", &[2]),
            ("lose", &[]),
            ("turn", &[3]),
        ],
    );
}

#[test]
fn what_is_written_twice_or_called_is_left_alone() {
    check(
        "VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 \
         OPERATIONS \
           loop = WHILE x < 9 DO x := x + 1 INVARIANT x : 0..9 VARIANT 9 - x END; \
           choose = CHOICE x := 4 OR x := 10 END; \
           same = x := x",
        &[("loop", &[]), ("choose", &[]), ("same", &[0])],
    );
}
