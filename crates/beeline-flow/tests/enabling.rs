//! What operations do to the guards of others, in small models.

mod common;

use beeline_flow::{Case, Effect, Effort, Enabling, enabling};
use beeline_model::Pred;
use common::{GCD, model};

fn facts(text: &str) -> Enabling {
    enabling(&model(text), Effort::default())
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
        assert!(!r.limited, "{r:?}");
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
    // 6 / x = 6 / x has no meaning where x is 0, and f(x) where x is not in the domain; after `add` x is not 0.
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
            "clear use: 0 : dom(f)",
            "add clear: = always",
            "add add: x + 1 : 0..8",
            "add div: always",
            "add use: x + 1 : dom(f)",
            "div clear: = always",
            "div add: = x : 0..8",
            "div div: = always",
            "div use: = x : dom(f)",
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

/// What functions, sets and inclusions say of the parts of what is assigned.
#[test]
fn kinds_of_functions_and_inclusions_decide() {
    let all = lines(&facts(
        "MACHINE M SETS P; Q VARIABLES f, s, t, w
         INVARIANT f : P --> Q & s <: P & t <: s & w : Q
         INITIALISATION f :: P --> Q || s := {} || t := {} || w :: Q
         OPERATIONS
           put(x) = SELECT x : t THEN f(x) := w END;
           take(x) = SELECT x : t THEN t := t - {x} END;
           sub = SELECT t <: s THEN skip END;
           total = SELECT f : P +-> Q THEN skip END;
           value(y) = SELECT y : t & f(y) : Q THEN skip END END",
    ));
    let found = |line: &str| assert!(all.iter().any(|l| l == line), "{line}: {all:#?}");
    found("take sub: = always");
    found("put total: = always");
    found("put value: = value.y : t");
    found("take value: value.y : t - {x}");
}

#[test]
fn it_is_said_what_leans_on_the_invariant() {
    let facts = facts(
        "MACHINE M VARIABLES x, z INVARIANT x : 0..9 & z > 0 INITIALISATION x := 0 || z := 1
         OPERATIONS
           set = x := 5;
           add = z := z + 2;
           five = SELECT x = 5 THEN skip END;
           one = SELECT z = 1 THEN skip END;
           div = SELECT 9 / x = 1 THEN skip END END",
    );
    let of = |first: &str, second: &str| {
        let name = |id| facts.model.operation(id).name.as_str();
        let mut all = facts.relations.iter();
        all.find(|r| r.first.map(name) == Some(first) && name(r.second) == second).unwrap()
    };
    let (set, add) = (of("set", "five"), of("add", "one"));
    assert_eq!((&set.effect, set.basis.invariant, set.defined), (&Effect::Always, false, true));
    assert_eq!((&add.effect, add.basis.invariant, add.defined), (&Effect::Never, true, true));
    assert!(!set.may_disable && set.may_enable && add.may_disable && !add.may_enable);
    assert!(of("set", "div").defined && !of("add", "div").defined, "9 / 5 has a meaning");
}

/// Formulas that are put into each other grow without end: they are left alone.
#[test]
fn what_grows_is_unknown() {
    let steps = vec!["x := x * x + x"; 60].join(" ; ");
    let deep = format!("{}x{}", "(".repeat(200), " + 1)".repeat(200));
    let facts = facts(&format!(
        "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
         OPERATIONS grow = BEGIN {steps} END; deep = SELECT {deep} > 0 THEN x := x + 1 END;
           small = SELECT x > 3 THEN skip END END"
    ));
    let effect = |first: usize, second: usize| &facts.relations[first * 3 + second].effect;
    assert_eq!(effect(1, 2), &Effect::Unknown, "what is assigned is too large");
    assert_eq!(effect(3, 2), &Effect::Always, "nothing is");
    assert!(facts.actions[1].is_none() || matches!(effect(1, 1), Effect::Unknown));
}

/// The same result with few steps each time, and nothing that is wrong.
#[test]
fn few_steps_make_less_known() {
    let model = model(GCD);
    let few = |steps| enabling(&model, Effort { steps });
    let (a, b) = (few(200), few(200));
    assert_eq!(a.relations, b.relations);
    let all = enabling(&model, Effort::default());
    assert!(a.relations.iter().any(|r| r.limited));
    for (less, more) in a.relations.iter().zip(&all.relations) {
        if matches!(less.effect, Effect::Always | Effect::Never) {
            assert_eq!(less.effect, more.effect);
        }
    }
}

#[test]
fn it_can_be_broken_off() {
    let mut left = 3;
    let mut go_on = |_| {
        left -= 1;
        left > 0
    };
    let effort = Effort::default();
    let mut job = beeline_flow::Job { effort, sources: Vec::new(), go_on: &mut go_on };
    let facts = beeline_flow::enabling_with(&model(GCD), &mut job);
    assert!(!facts.complete);
    let known = facts.relations.iter().filter(|r| r.effect != Effect::Unknown).count();
    assert_eq!((known, facts.relations.len()), (2, 30));
}

/// Others are asked where the closure decides nothing, and are named.
#[test]
fn abstract_values_decide_more() {
    let text = "MACHINE M VARIABLES x, s INVARIANT x : {2, 4, 6} & s <: 1..3 INITIALISATION x := 2 || s := {}
         OPERATIONS
           step = SELECT x < 6 THEN x := x + 2 END;
           far = SELECT x * x > 40 THEN skip END;
           many = SELECT card(s) > 5 THEN skip END END";
    let mut ranges = beeline_flow::Ranges::default();
    let mut go_on = |_| true;
    let effort = Effort::default();
    let mut job = beeline_flow::Job { effort, sources: vec![&mut ranges], go_on: &mut go_on };
    let facts = beeline_flow::enabling_with(&model(text), &mut job);
    let many = &facts.relations[3 + 2];
    assert_eq!((&many.effect, &many.basis.by[..]), (&Effect::Never, &["bounds"][..]));
    assert!(many.basis.invariant && !many.basis.scope);
}

#[test]
fn conjuncts_are_preserved_where_the_closure_or_others_say_so() {
    let text =
        "MACHINE M SETS P VARIABLES s, t, n INVARIANT s : POW(P) & t <: s & n : INTEGER & n < 10
         INITIALISATION s, t := {}, {} || n := 0
         OPERATIONS
           put(x) = SELECT x : P THEN s := s \\/ {x} END;
           take(x) = SELECT x : s THEN s := s - {x} END;
           both(x) = SELECT x : s THEN t := t \\/ {x} END;
           up = SELECT n < 9 THEN n := n + 1 END;
           jump = n := n + 1 END";
    let model = model(text);
    let mut go_on = |_| true;
    let effort = Effort::default();
    let mut job = beeline_flow::Job { effort, sources: Vec::new(), go_on: &mut go_on };
    let found = beeline_flow::preserved(&model, &mut job);
    let of = |name: &str| {
        let mine = found.iter().filter(|p| model.operation(p.operation).name == *name);
        let text = |p: &beeline_flow::Preserves| {
            model.show_pred(&model.concrete().conjunct(p.conjunct).unwrap().pred)
        };
        mine.map(text).collect::<Vec<_>>()
    };
    assert_eq!(of("put"), ["t <: s"]);
    assert_eq!(of("take"), Vec::<String>::new());
    assert_eq!(of("both"), ["t <: s"]);
    assert_eq!((of("up"), of("jump")), (vec!["n < 10".to_owned()], Vec::new()));
}

/// Is each operation enabled for some parameters after each: always, and may it begin or cease to be?
fn offers(text: &str) -> Vec<String> {
    let facts = facts(text);
    let model = &facts.model;
    let line = |r: &beeline_flow::Relation| {
        let (first, second) = (r.first?, &model.operation(r.second).name);
        let word = |yes: bool, word: &str| if yes { format!(" {word}") } else { String::new() };
        let all = [
            word(r.offer.always, "always"),
            word(r.offer.may_enable, "enables"),
            word(r.offer.may_disable, "disables"),
        ];
        Some(format!("{} {second}:{}", model.operation(first).name, all.concat()))
    };
    facts.relations.iter().filter_map(line).collect()
}

#[test]
fn a_witness_shows_that_an_operation_is_enabled_for_some_parameters() {
    let lines = offers(
        "MACHINE M SETS T VARIABLES s, f INVARIANT s <: T & f : T +-> 0..3
         INITIALISATION s := {} || f := {}
         OPERATIONS
           add(x) = SELECT x : T & x /: s THEN s := s \\/ {x} END;
           drop(y) = SELECT y : s THEN s := s - {y} END;
           set(x, n) = SELECT x : T & n : 1..3 THEN f(x) := n END;
           use(z) = SELECT z : dom(f) & f(z) > 0 THEN skip END;
           any = SELECT #w.(w : s) THEN skip END END",
    );
    let of = |start: &str| -> Vec<&str> {
        lines.iter().filter(|l| l.starts_with(start)).map(String::as_str).collect()
    };
    assert_eq!(of("add drop"), ["add drop: always enables"]);
    assert_eq!(of("add any"), ["add any: always enables"]);
    // The last one may be gone, and another one need not be there.
    assert_eq!(of("drop drop"), ["drop drop: disables"]);
    assert_eq!(of("drop add"), ["drop add: always enables"]);
    assert_eq!(of("set use"), ["set use: always enables"]);
    assert_eq!(of("add use"), ["add use:"], "nothing that it reads is written");
}
