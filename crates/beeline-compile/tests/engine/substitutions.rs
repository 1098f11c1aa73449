//! Substitutions, with all their choices.

use crate::common::{Space, explore};
use beeline_compile::FaultKind;
use beeline_model::Promise;

/// A machine with x and y, both 0, and one operation.
fn run(operation: &str) -> Space {
    explore(&format!(
        "MACHINE t VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER
         INITIALISATION x, y := 0, 0 OPERATIONS {operation} END"
    ))
}

/// The states one operation leads to from the first (which stays reachable).
fn states(operation: &str) -> Vec<String> {
    let space = run(operation);
    assert!(space.answer.faults.is_empty(), "{operation}: {:?}", space.answer.faults);
    assert!(space.answer.cuts.is_empty(), "{operation}: {:?}", space.answer.cuts);
    space.shown
}

fn fault(operation: &str) -> Option<FaultKind> {
    run(operation).answer.faults.first().map(|f| f.kind)
}

#[test]
fn parallel_reads_the_state_before_and_sequence_the_one_between() {
    assert_eq!(states("o = SELECT x=0 THEN x := 1 || y := x END"), ["x=0 y=0", "x=1 y=0"]);
    assert_eq!(states("o = SELECT x=0 THEN BEGIN x := 1 ; y := x END END"), ["x=0 y=0", "x=1 y=1"]);
    assert_eq!(
        states("o = SELECT x=0 THEN BEGIN x := 1 ; y := x + 1 ; x := y + 5 END || skip END"),
        ["x=0 y=0", "x=7 y=2"]
    );
}

#[test]
fn choices() {
    assert_eq!(
        states("o = SELECT x=0 THEN CHOICE x := 1 OR y := 2 ; x := 3 END END"),
        ["x=0 y=0", "x=1 y=0", "x=3 y=2"]
    );
    assert_eq!(states("o = SELECT x=0 THEN x :: {1,2} END"), ["x=0 y=0", "x=1 y=0", "x=2 y=0"]);
    assert_eq!(
        states("o = SELECT x=0 THEN x,y : (x : 1..2 & y = x + x$0 + 1) END"),
        ["x=0 y=0", "x=1 y=2", "x=2 y=3"]
    );
    assert_eq!(
        states("o = ANY a, b WHERE x=0 & a : 1..2 & b = a*a THEN x, y := a, b END"),
        ["x=0 y=0", "x=1 y=1", "x=2 y=4"]
    );
    // A choice, then a sequence that depends on it.
    assert_eq!(
        states("o = SELECT x=0 THEN BEGIN x :: {1,2} ; y := x * 10 END END"),
        ["x=0 y=0", "x=1 y=10", "x=2 y=20"]
    );
}

#[test]
fn conditions() {
    assert_eq!(
        states("o = IF x=0 THEN x := 1 ELSIF x=1 THEN x := 2 END"),
        ["x=0 y=0", "x=1 y=0", "x=2 y=0"]
    );
    assert_eq!(
        states("o = SELECT x=0 THEN x := 1 WHEN x<2 THEN y := 1 - y END"),
        ["x=0 y=0", "x=0 y=1", "x=1 y=0", "x=1 y=1"]
    );
    assert_eq!(
        states("o = CASE x OF EITHER 0 THEN x := 1 OR 1,2 THEN x := 3 ELSE skip END END"),
        ["x=0 y=0", "x=1 y=0", "x=3 y=0"]
    );
    assert_eq!(states("o(p) = PRE p : 1..2 & x=0 THEN x := p END").len(), 3);
    assert_eq!(states("o = LET a BE a = 4 IN IF x=0 THEN x := a END END"), ["x=0 y=0", "x=4 y=0"]);
    assert_eq!(
        states("o = IF x=0 THEN VAR a IN a := 5 ; x := a ; a := 6 ; y := a END END"),
        ["x=0 y=0", "x=5 y=6"]
    );
}

#[test]
fn loops() {
    let sum = "o = IF x=0 THEN WHILE x < 1000 DO x := x + 1 ; y := y + x
               INVARIANT y >= 0 VARIANT 1000 - x END END";
    assert_eq!(states(sum), ["x=0 y=0", "x=1000 y=500500"]);
    let chosen = "o = IF x=0 THEN WHILE x < 2 DO CHOICE x := x + 1 OR x := x + 2 END
                  INVARIANT x >= 0 VARIANT 10 - x END END";
    assert_eq!(states(chosen), ["x=0 y=0", "x=2 y=0", "x=3 y=0"]);
    let stuck = "o = WHILE x < 2 DO y := y + 1 INVARIANT 1=1 VARIANT 3 END";
    assert_eq!(fault(stuck), Some(FaultKind::LoopVariant));
    let broken = "o = WHILE x < 2 DO x := x + 1 INVARIANT x < 2 VARIANT 3 - x END";
    assert_eq!(fault(broken), Some(FaultKind::LoopInvariant));
}

#[test]
fn faults_have_their_kind() {
    assert_eq!(fault("o = ASSERT x > 0 THEN skip END"), Some(FaultKind::Promise(Promise::Assert)));
    assert_eq!(fault("o = SELECT x=0 THEN x := 1/x END"), Some(FaultKind::Arithmetic));
    assert_eq!(fault("o = VAR a IN x := a END"), Some(FaultKind::Unassigned));
    // A false conjunct wins over one without a meaning, on either side.
    assert_eq!(fault("o = SELECT x /= 0 & 1/x = 1 THEN skip END"), None);
    assert_eq!(fault("o = SELECT 1/x = 1 & x /= 0 THEN skip END"), None);
    assert_eq!(fault("o = SELECT 1/x = 1 or x = 0 THEN skip END"), None);
    assert_eq!(fault("o = SELECT 1/x = 1 THEN skip END"), Some(FaultKind::Arithmetic));
}

#[test]
fn transitions_are_counted_once() {
    // Two choices with one outcome.
    let space = run("o = CHOICE x := 1 OR x := 1 END");
    assert_eq!((space.states, space.transitions), (2, 2));
    // Results tell transitions apart.
    let space = run("r <-- o = CHOICE r := 1 OR r := 2 END");
    assert_eq!((space.states, space.transitions), (1, 2));
    // Parameters do, and variables of ANY do not.
    let space = run("o(p) = PRE p : 1..3 THEN x := 1 END");
    assert_eq!((space.states, space.transitions), (2, 6));
    let space = run("o = ANY p WHERE p : 1..3 THEN x := 1 END");
    assert_eq!((space.states, space.transitions), (2, 2));
}

#[test]
fn functions_and_records_in_parts() {
    let space = explore(
        "MACHINE t VARIABLES f, r INVARIANT f : 1..2 --> 0..1 & r : struct(a:INTEGER,b:INTEGER)
         INITIALISATION f := {1|->0,2|->0} || r := rec(a:0,b:0)
         OPERATIONS o(i) = PRE i : 1..2 THEN f(i) := 1 - f(i) END;
         p = IF r'a < 2 THEN r'a := r'a + 1 END END",
    );
    assert_eq!((space.states, space.transitions), (12, 36));
}
