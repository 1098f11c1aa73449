//! Substitutions: every form of section 6, what may be written, and what may not.

use crate::support::{check_errors, model, model_of};
use beeline_model::{Access, Place, SubstKind};

const HEAD: &str = "MACHINE M SETS S; C = {red, green}
CONSTANTS k PROPERTIES k : NAT
VARIABLES x, y, f, r INVARIANT x : NAT & y : S & f : NAT --> (NAT --> S)
& r : struct(a : NAT, b : struct(c : C)) INITIALISATION x :: NAT || y :: S
|| f, r : (f : NAT --> (NAT --> S) & r : struct(a : NAT, b : struct(c : C)))
OPERATIONS
";

/// One operation `o`, whose text begins in line 7.
fn machine(operation: &str) -> String {
    format!("{HEAD}{operation} END")
}

#[track_caller]
fn accept(operations: &[&str]) {
    for operation in operations {
        model(&machine(operation));
    }
}

#[track_caller]
fn refuse(operation: &str, expected: &str) {
    let expected = expected.lines().map(|l| format!("M.mch:{l}")).collect::<Vec<_>>().join("\n");
    check_errors(&machine(operation), &expected);
}

#[test]
fn every_form() {
    accept(&[
        "o = skip",
        "o = BEGIN x := 1 ; x := x + 1 END",
        "o = x, y :: NAT * S",
        "o = x :: 1..3",
        "o = x, y : (x > x$0 & y /= y$0)",
        "o(p) = PRE p : NAT THEN x := p END",
        "o = ASSERT x > 1 THEN skip END",
        "o = WITNESS x > 1 THEN skip END",
        "o = IF x = 1 THEN x := 2 ELSIF x = 2 THEN x := 3 ELSE skip END",
        "o = SELECT x = 1 THEN x := 2 WHEN x = 2 THEN x := 3 ELSE skip END",
        "o = CHOICE x := 1 OR x := 2 END",
        "o = CASE r'b'c OF EITHER red THEN x := 1 OR green THEN x := 2 ELSE skip END END",
        "o = CASE x OF EITHER 1, 2 THEN skip OR -1 THEN skip END END",
        "o = ANY i, j WHERE i |-> j : NAT * S THEN x, y := i, j END",
        "o = LET i BE i = x + 1 IN x := i END",
        "o = VAR i IN i := x ; x := i + 1 END",
        "o = WHILE x < 3 DO x := x + 1 INVARIANT x >= x$0 VARIANT 3 - x END",
        "p <-- o(i) = PRE i : NAT THEN p := i |-> x END",
        "o = x := 1 || y :: S",
    ]);
}

#[test]
fn targets_have_paths() {
    let path = |operation: &str| {
        let m = model(&machine(operation));
        let SubstKind::Assign(list) = &m.operations[0].body.kind else { panic!("{operation}") };
        let steps = list[0].target.path.iter().map(|a| match a {
            Access::Index(_) => "()".to_owned(),
            Access::Field(position) => format!("'{position}"),
        });
        steps.collect::<String>()
    };
    assert_eq!(path("o = x := 1"), "");
    assert_eq!(path("o = f(1) := %i.(i : NAT | y)"), "()");
    assert_eq!(path("o = f(1)(2) := y"), "()()");
    assert_eq!(path("o = r'a := 1"), "'0");
    assert_eq!(path("o = r'b'c := red"), "'1'0");
    // A change of a part reads the rest.
    let m = model(&machine("o = r'a := 1; p = x := 1"));
    assert_eq!((m.operations[0].reads.len(), m.operations[1].reads.len()), (1, 0));
}

/// In `x : (P)` the name is the new value and `x$0` the old one.
#[test]
fn before_and_after_values() {
    let m = model(&machine("o = x : (x = x$0 + 1); p = x : (x > 1)"));
    let reads: Vec<usize> = m.operations.iter().map(|o| o.reads.len()).collect();
    assert_eq!(reads, [1, 0]);
    // A result is a place too.
    let m = model(&machine("p <-- o = BEGIN p := 1 ; p : (p > p$0) END"));
    let SubstKind::Sequence(parts) = &m.operations[0].body.kind else { panic!() };
    let SubstKind::BecomesSuch(b) = &parts[1].kind else { panic!() };
    assert_eq!(b.places, [Place::Local(m.operations[0].results[0])]);
    refuse("o = x := x$0", "7:10 B0506 the old value `x$0` cannot be used here");
    refuse("o = y : (x$0 = 1)", "7:10 B0506 the old value `x$0` cannot be used here");
}

/// A loop remembers the values its invariant asks for, and no others.
#[test]
fn loops_remember_values() {
    let text = "o = WHILE x < 3 DO x := x + 1 INVARIANT x >= x$0 & x$0 : NAT VARIANT 3 - x END";
    let m = model(&machine(text));
    let SubstKind::While(w) = &m.operations[0].body.kind else { panic!() };
    assert_eq!(w.before.len(), 1);
    assert_eq!(m.local(w.before[0].0).name, "x$0");
    refuse(
        "o = WHILE x < 3 DO skip INVARIANT x = x VARIANT y END",
        "7:49 B0601 the variant has type S, but INTEGER is needed",
    );
}

#[test]
fn what_may_not_be_written() {
    refuse("o = k := 1", "7:5 B0505 `k` is a constant");
    refuse("o = S := {}", "7:5 B0505 `S` never changes");
    refuse("o = red := green", "7:5 B0505 `red` never changes");
    refuse("o(p) = PRE p : NAT THEN p := 1 END", "7:25 B0505 `p` has a fixed value here");
    refuse("o = ANY p WHERE p : NAT THEN p := 1 END", "7:30 B0505 `p` has a fixed value here");
    refuse("o = LET p BE p = 1 IN p := 1 END", "7:23 B0505 `p` has a fixed value here");
    refuse("o = zz := 1", "7:5 B0501 `zz` is not known here");
    refuse(
        "o = x(1) := 1",
        "7:5 B0601 this has type INTEGER, so it cannot be changed at an argument of type INTEGER",
    );
    refuse("o = r'z := 1", "7:7 B0507 the record has no field `z`");
}

#[test]
fn types_and_counts() {
    refuse("o = x := TRUE", "7:10 B0601 a value of type BOOL cannot be assigned here");
    refuse("o = x, y := 1", "7:5 B0606 2 targets but 1 value");
    refuse(
        "o = x :: S",
        "7:10 B0601 the set after `::` has type POW(S), but POW(INTEGER) is needed",
    );
    refuse("o = x, x :: NAT * NAT", "7:8 B0702 this variable is assigned twice in parallel");
    refuse("o = IF x THEN skip END", "7:8 B0213 this is a value, but a predicate is needed here");
    refuse(
        "o = CASE x OF EITHER TRUE THEN skip END END",
        "7:22 B0601 the two sides of `CASE … OF` have different types",
    );
    refuse(
        "o = CASE x OF EITHER k THEN skip END END",
        "7:22 B0706 a CASE label must be a literal or an element of an enumerated set",
    );
    refuse(
        "o = LET i BE j = 1 IN skip END",
        "7:9 B0705 the LET gives `i` no value\n\
         7:14 B0705 this is not an equation `name = value` for a name of the LET",
    );
    refuse(
        "o = LET i, j BE i = 1 & j = i IN skip END",
        "7:29 B0705 `i` cannot be used inside its own LET",
    );
}

#[test]
fn nothing_is_written_twice_at_once() {
    refuse("o = x := 1 || x := 2", "7:15 B0702 `x` is assigned twice in parallel");
    refuse("o = x, x := 1, 2", "7:8 B0702 `x` is assigned twice in parallel");
    refuse("o = r'a := 1 || r'b := rec(c : red)", "7:17 B0702 `r` is assigned twice in parallel");
    accept(&[
        "o = IF x = 1 THEN x := 2 ELSE x := 3 END || y :: S",
        "o = BEGIN x := 1 ; x := 2 END",
    ]);
}

#[test]
fn calls() {
    let n = "MACHINE N VARIABLES v INVARIANT v : NAT INITIALISATION v := 0
        OPERATIONS set(a, b) = PRE a : NAT & b : BOOL THEN v := a END; q <-- get = q := v END";
    let check = |operation: &str, expected: &str| {
        let text = format!(
            "MACHINE M INCLUDES N VARIABLES w INVARIANT w : NAT INITIALISATION w := 0\nOPERATIONS {operation} END"
        );
        crate::support::check_errors_of(&[("M.mch", &text), ("N.mch", n)], expected);
    };
    check("o = set(1, TRUE)", "");
    check("o = w <-- get", "");
    check("p <-- o = p <-- get", "");
    check("o = set(1)", "M.mch:2:16 B0606 operation `set` takes 2 arguments, not 1");
    check(
        "o = set(1, 2)",
        "M.mch:2:23 B0601 the argument for `b` has type INTEGER, but BOOL is needed",
    );
    check("o = get", "M.mch:2:16 B0606 operation `get` gives 1 result, not 0");
    check("o = w, w <-- get", "M.mch:2:16 B0606 operation `get` gives 1 result, not 2");
    check("o = VAR i IN i <-- get ; w := i END", "");
    check("o = gte", "M.mch:2:16 B0504 there is no operation `gte` to call here");
    check("o = skip; p = o", "M.mch:2:26 B0708 `o` is an operation of this very machine");
    let m = model_of(&[
        ("M.mch", "MACHINE M INCLUDES N OPERATIONS o = set(1, TRUE); q <-- p = q <-- get END"),
        ("N.mch", n),
    ]);
    let rows: Vec<_> =
        m.operations.iter().map(|o| (o.name.as_str(), o.reads.len(), o.writes.len())).collect();
    assert_eq!(rows, [("set", 0, 1), ("get", 1, 0), ("o", 0, 1), ("p", 1, 0)]);
}

#[test]
fn calls_in_circles() {
    check_errors(
        "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE\nOPERATIONS a = b; b = a END",
        "M.mch:2:23 B0707 the call of `a` is recursive",
    );
    check_errors(
        "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE\nOPERATIONS a = a END",
        "M.mch:2:16 B0707 the call of `a` is recursive",
    );
}
