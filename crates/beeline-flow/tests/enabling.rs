//! What operations do to the guards of others, in small models.

use beeline_flow::{Case, Effect, Enabling, enabling};
use beeline_model::Pred;
use beeline_source::MemoryLoader;
use std::time::Duration;

fn facts(text: &str) -> Enabling {
    let files = MemoryLoader::new().with("M.mch", text);
    let loaded = beeline_elaborate::load(&files, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    enabling(&model, Duration::from_secs(60))
}

/// `first second: effect`, with `=` where the guard keeps its value; initialisation is left out.
fn lines(facts: &Enabling) -> Vec<String> {
    let model = &facts.model;
    let all =
        |list: &[Pred]| list.iter().map(|p| model.show_pred(p)).collect::<Vec<_>>().join(" & ");
    let case = |c: &Case| c.predicate.as_ref().map_or("false".to_owned(), |p| all(p));
    let mut lines = Vec::new();
    for r in &facts.relations {
        let Some(first) = r.first else { continue };
        let effect = match &r.effect {
            Effect::Always => "always".to_owned(),
            Effect::Never => "never".to_owned(),
            Effect::Unknown => "unknown".to_owned(),
            Effect::If(cases) => cases.iter().map(case).collect::<Vec<_>>().join(" | "),
        };
        let keeps = if r.independent.is_some() { "= " } else { "" };
        let (first, second) = (&model.operation(first).name, &model.operation(r.second).name);
        lines.push(format!("{first} {second}: {keeps}{effect}"));
    }
    lines
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(lines(&facts(text)), expected);
}

/// Table 9 of the publication.
#[test]
fn the_published_predicates_of_a_loop_come_out() {
    check(
        "MACHINE M CONSTANTS n PROPERTIES n = 4 VARIABLES f, i
         INVARIANT f : 0..n --> NATURAL & i : 0..n + 1
         INITIALISATION f := (0..n) * {0} || i := 0
         OPERATIONS
           terminate = SELECT i > n THEN skip END;
           loop = SELECT i <= n THEN f(i) := f(i) + 1 || i := i + 1 END END",
        &[
            "terminate terminate: = always",
            "terminate loop: = never",
            "loop terminate: i + 1 > n",
            "loop loop: i + 1 <= n",
        ],
    );
}

/// Figures 12 and 14 of the publication.
#[test]
fn guards_that_are_written_to_and_stay_the_same_are_independent() {
    check(
        "MACHINE M VARIABLES x, y, z INVARIANT x : INTEGER & y : INTEGER & z > 0
         INITIALISATION x, y, z := 0, 0, 1
         OPERATIONS
           g = BEGIN x := x + 1 || y := y - 1 || z := z + 2 END;
           h = SELECT x + y > 5 THEN skip END;
           one = SELECT z = 1 THEN skip END END",
        &[
            "g g: = always",
            "g h: = x + 1 + (y - 1) > 5",
            "g one: never",
            "h g: = always",
            "h h: = always",
            "h one: = z = 1",
            "one g: = always",
            "one h: = x + y > 5",
            "one one: = always",
        ],
    );
}

/// Figure 16 of the publication: what comes after `up` is read back from the stack.
#[test]
fn a_function_that_was_overridden_is_read_back() {
    let all = lines(&facts(GCD));
    let after =
        |name: &str| all.iter().filter(|l| l.starts_with(name)).cloned().collect::<Vec<_>>();
    assert_eq!(
        after("up_ "),
        [
            "up_ upini: = never",
            "up_ up_: t(f) mod r(f) /= 0",
            "up_ dnini: t(f) mod r(f) = 0",
            "up_ dn_: = never",
            "up_ gcd: = never",
        ]
    );
}

#[test]
fn choices_become_parameters() {
    check(
        "MACHINE M VARIABLES x, s INVARIANT x : 0..9 & s <: 0..9 INITIALISATION x := 0 || s := {}
         OPERATIONS
           pick = x :: 1..2;
           such = x : (x : 3..4);
           any = ANY e WHERE e : 5..6 & e /: s THEN s := s \\/ {e} || x := e END;
           is1 = SELECT x = 1 THEN skip END;
           isset = SELECT x : s THEN s := s - {x} END END",
        &[
            "pick pick: = always",
            "pick such: = always",
            "pick any: = any.e : 5..6 & any.e /: s",
            "pick is1: x' = 1",
            "pick isset: x' : s",
            "such pick: = always",
            "such such: = always",
            "such any: = any.e : 5..6 & any.e /: s",
            "such is1: never",
            "such isset: x' : s",
            "any pick: = always",
            "any such: = always",
            "any any: any.e : 5..6 & any.e /: s \\/ {e}",
            "any is1: never",
            "any isset: always",
            "is1 pick: = always",
            "is1 such: = always",
            "is1 any: = any.e : 5..6 & any.e /: s",
            "is1 is1: = always",
            "is1 isset: = x : s",
            "isset pick: = always",
            "isset such: = always",
            "isset any: any.e : 5..6 & any.e /: s - {x}",
            "isset is1: = x = 1",
            "isset isset: never",
        ],
    );
}

#[test]
fn a_guard_without_a_meaning_is_not_said_to_hold() {
    // 6 / x = 6 / x has no meaning where x is 0, and f(x) where x is not in the domain.
    check(
        "MACHINE M VARIABLES x, f INVARIANT x : 0..9 & f : 0..9 +-> 0..9
         INITIALISATION x := 1 || f := {}
         OPERATIONS
           clear = x := 0;
           add = SELECT x : 0..8 THEN x := x + 1 END;
           div = SELECT 6 / x = 6 / x THEN skip END;
           use = SELECT x : dom(f) & f(x) >= f(x) THEN skip END END",
        &[
            "clear clear: = always",
            "clear add: always",
            "clear div: 6 / 0 = 6 / 0",
            "clear use: 0 : dom(f) & f(0) >= f(0)",
            "add clear: = always",
            "add add: x + 1 : 0..8",
            "add div: 6 / (x + 1) = 6 / (x + 1)",
            "add use: x + 1 : dom(f) & f(x + 1) >= f(x + 1)",
            "div clear: = always",
            "div add: = x : 0..8",
            "div div: = always",
            "div use: = x : dom(f) & f(x) >= f(x)",
            "use clear: = always",
            "use add: = x : 0..8",
            "use div: = 6 / x = 6 / x",
            "use use: = always",
        ],
    );
}

#[test]
fn branches_sequences_and_enumerated_sets() {
    check(
        "MACHINE M SETS S = {idle, busy, done} VARIABLES s, n INVARIANT s : S & n : 0..9
         INITIALISATION s := idle || n := 0
         OPERATIONS
           start = SELECT s = idle THEN s := busy ; n := n + 1 ; s := busy END;
           step = SELECT s /= idle & s /= done THEN IF n > 3 THEN s := done ELSE n := n + 2 END END;
           stop = SELECT s = done THEN s := idle END END",
        &[
            "start start: never",
            "start step: always",
            "start stop: = never",
            "step start: = never",
            "step step: false | ",
            "step stop:  | false",
            "stop start: always",
            "stop step: = never",
            "stop stop: never",
        ],
    );
}

const GCD: &str = "\
MACHINE ExtendedGcd
VARIABLES a, b, d, u, v, up, f, s, t, q, r, dn, dk, uk, vk
INVARIANT
  a : 1..8 & b : 1..8 & d : INTEGER & u : INTEGER & v : INTEGER &
  up : BOOL & dn : BOOL & f : 0..8 &
  s : 0..8 +-> INTEGER & t : 0..8 +-> INTEGER &
  q : 0..8 +-> INTEGER & r : 0..8 +-> INTEGER &
  dk : INTEGER & uk : INTEGER & vk : INTEGER
INITIALISATION
  a :: 1..8 || b :: 1..8 || d, u, v := 0, 0, 0 || up := FALSE ||
  f := 0 || s := {} || t := {} || q := {} || r := {} ||
  dn := FALSE || dk, uk, vk := 0, 0, 0
OPERATIONS
  upini = SELECT up = FALSE THEN
      up := TRUE || f := 0 || s := {0 |-> a} || t := {0 |-> b} ||
      q := {0 |-> a / b} || r := {0 |-> a mod b}
    END;
  up_ = SELECT up = TRUE & dn = FALSE & r(f) /= 0 THEN
      f := f + 1 || s(f + 1) := t(f) || t(f + 1) := r(f) ||
      q(f + 1) := t(f) / r(f) || r(f + 1) := t(f) mod r(f)
    END;
  dnini = SELECT up = TRUE & dn = FALSE & r(f) = 0 THEN
      dn := TRUE || dk := t(f) || uk := 0 || vk := 1
    END;
  dn_ = SELECT dn = TRUE & f > 0 THEN
      f := f - 1 || uk := vk || vk := uk - q(f - 1) * vk
    END;
  gcd = SELECT up = TRUE & dn = TRUE & f = 0 THEN
      d := dk || u := uk || v := vk
    END
END";
