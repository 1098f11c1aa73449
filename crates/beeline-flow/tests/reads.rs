//! Read and write sets of small models.

mod common;

use beeline_flow::{ReadSets, read_sets};
use beeline_model::Model;
use common::{GCD, model};

/// One line an operation: guard reads, body reads, writes.
fn lines(model: &Model) -> Vec<String> {
    let show = |parts: &[beeline_flow::Part]| {
        parts.iter().map(|p| p.show(model)).collect::<Vec<_>>().join(", ")
    };
    let line = |s: &ReadSets| {
        let name = s.operation.map_or("init", |id| model.operation(id).name.as_str());
        format!("{name}: {} | {} | {}", show(&s.guard), show(&s.body), show(&s.writes))
    };
    read_sets(model).iter().map(line).collect()
}

/// The variables of guards and writes, as the published Table 10 has them.
#[test]
fn the_published_table_of_the_extended_gcd_comes_out() {
    let model = model(GCD);
    let names = |parts: &[beeline_flow::Part]| {
        let all = ReadSets::variables(parts);
        let mut names: Vec<&str> = all.iter().map(|v| model.variable(*v).name.as_str()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    let rows: Vec<(String, String)> =
        read_sets(&model).iter().map(|s| (names(&s.guard), names(&s.writes))).collect();
    let expected = [
        ("", "a b d dk dn f q r s t u uk up v vk"),
        ("up", "f q r s t up"),
        ("dn f r up", "f q r s t"),
        ("dn f r up", "dk dn uk vk"),
        ("dn f", "f uk vk"),
        ("dn f up", "d u v"),
    ];
    assert_eq!(rows, expected.map(|(r, w)| (r.to_owned(), w.to_owned())));
}

#[test]
fn parts_are_indices_fields_and_elements_and_what_is_bound_is_no_place() {
    let model = model(
        "MACHINE M SETS S = {a, b} VARIABLES f, g, s, p
         INVARIANT f : S --> 0..3 & g : 0..1 --> (S --> BOOL) & s <: S & p : struct(x : BOOL, y : S)
         INITIALISATION f := {a |-> 0, b |-> 1} || g := (0..1) * {S * {TRUE}} || s := {}
           || p := rec(x : TRUE, y : a)
         OPERATIONS
           one(i) = PRE i : S & f(i) > 0 & i /: s THEN f(i) := f(i) - 1 || s := s \\/ {i} END;
           all = SELECT !j.(j : S => f(j) = 0) THEN g(1)(a) := FALSE END;
           field = SELECT p'x = TRUE & g(0)(b) = TRUE THEN p'y := b || f := f <+ {a |-> 2} END;
           pick = ANY c WHERE c : s THEN ASSERT p'y = c THEN s := s - {c} END END;
           any = BEGIN s :: POW(S) || f :: S --> 0..1 END
         END",
    );
    let expected = [
        "init:  |  | f, g, s, p",
        "one: f(i), i : s | f(i) | f(i), i : s",
        "all: f | g(1) | g(1)(a)",
        "field: g(0)(b), p'x |  | f(a), p'y",
        "pick: c : s | p'y | c : s",
    ];
    assert_eq!(lines(&model)[..5], expected);
}

#[test]
fn a_choice_that_may_be_empty_is_part_of_the_guard() {
    let model = model(
        "MACHINE M VARIABLES x, s, t INVARIANT x : 0..9 & s <: 0..9 & t <: 0..9
         INITIALISATION x := 0 || s := {} || t := {}
         OPERATIONS
           a = x :: s;
           b = x :: s \\/ {0};
           c = IF x = 0 THEN SELECT 1 : s THEN t := s END ELSE x := 0 END;
           d = IF x = 0 THEN t := s END;
           e = BEGIN x := 1; SELECT x : t THEN skip END END;
           f = PRE x > 0 THEN PRE x : s THEN SELECT x : t THEN PRE s = t THEN skip END END END END
         END",
    );
    let expected = [
        "init:  |  | x, s, t",
        "a: s |  | x",
        "b:  | s | x",
        "c: x, 1 : s | s | x, t",
        "d:  | x, s | t",
        "e: x, x : t |  | x",
        "f: x, x : s, x : t | s, t | ",
    ];
    assert_eq!(lines(&model), expected);
}

#[test]
fn parts_that_are_written_down_are_told_apart() {
    let model = model(
        "MACHINE M SETS S = {a, b} VARIABLES f, i INVARIANT f : S --> 0..3 & i : S
         INITIALISATION f := S * {0} || i := a
         OPERATIONS
           seta = f(a) := 1; seti = f(i) := 1; seeb = SELECT f(b) = 1 THEN skip END;
           seei = SELECT f(i) = 1 THEN skip END
         END",
    );
    let sets = read_sets(&model);
    let leaves = |from: usize, to: usize| sets[from].leaves_guard_of(&sets[to]);
    assert!(leaves(1, 3) && !leaves(1, 4) && !leaves(2, 3) && leaves(3, 4));
}
