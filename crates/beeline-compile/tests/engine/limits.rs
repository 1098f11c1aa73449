//! What is too large or never ends is a cut or a fault, never a hang.

use crate::common::{explore, value};
use beeline_compile::{CutReason, FaultKind};

#[test]
fn huge_values() {
    assert_eq!(value("2**(2**40)"), "LargeSet");
    assert_eq!(value("card(POW(1..64))"), "18446744073709551616");
    assert_eq!(value("bool({1,2} : POW(1..64))"), "TRUE");
    assert_eq!(value("card(union(POW(1..64)))"), "LargeSet");
    assert_eq!(value("bool(%x.(x:1..10|x) : 1..10 --> NATURAL)"), "TRUE");
    assert_eq!(value("card(NATURAL)"), "InfiniteSet");
    assert_eq!(value("max({x|x:NATURAL & x > 3})"), "LargeSet");
}

#[test]
fn endless_loop_ends_as_a_fault_or_cut() {
    let space = explore(
        "MACHINE t VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
         OPERATIONS o = WHILE x >= 0 DO x := x + 1 INVARIANT 1=1 VARIANT 5 END END",
    );
    assert_eq!(space.answer.faults[0].kind, FaultKind::LoopVariant);
}

#[test]
fn unbounded_parameters_are_cut() {
    let space = explore(
        "MACHINE t VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
         OPERATIONS o(p) = PRE p : NATURAL THEN x := p END END",
    );
    assert_eq!(space.states, 4);
    assert!(space.answer.cuts.iter().all(|c| c.reason == CutReason::LargeSet));
    assert!(!space.answer.cuts.is_empty());
}

#[test]
fn unsatisfiable_properties_have_no_set_up() {
    let space = explore("MACHINE t CONSTANTS c PROPERTIES c : 1..10 & c > 20 END");
    assert_eq!(space.setups, 0);
    assert!(space.answer.cuts.is_empty());
}

#[test]
fn undecided_quantifiers_are_cuts_and_decided_ones_are_not() {
    assert_eq!(value("bool(#x.(x : NATURAL & x * x = x + 2))"), "TRUE");
    assert_eq!(value("bool(!x.(x : NATURAL => x < 2))"), "FALSE");
    assert_eq!(value("bool(!x.(x : NATURAL => x * x >= x))"), "LargeSet");
    // What would refute it is bounded.
    assert_eq!(value("bool(!x.(x : NATURAL => x >= 0))"), "TRUE");
    // A bound that is ill-defined leaves it to the claim to say what has to be tried.
    assert_eq!(value("bool(!x.(x : NATURAL & x < 1 / 0 => x > -2))"), "TRUE");
    assert_eq!(value("bool(!x.(x : NATURAL & x < 1 / 0 => x > 2))"), "Arithmetic");
    assert_eq!(value("bool(!x.(x : NATURAL & x < 1 / 0 => x * x > 2))"), "Arithmetic");
}

#[test]
fn a_system_is_shared_and_a_scratch_moves() {
    fn shared<T: Send + Sync>() {}
    fn moves<T: Send>() {}
    shared::<beeline_compile::System>();
    moves::<beeline_compile::Scratch>();
}

#[test]
fn bounds_beyond_the_solver_are_cuts_and_never_no_solution() {
    // The last value has 42 digits.
    let space = explore(
        "MACHINE t CONSTANTS n, fib PROPERTIES n = 200 & fib : 0..n --> INTEGER & fib(0) = 1 &
         fib(1) = 1 & !x.(x:2..n => fib(x) = fib(x-1) + fib(x-2)) END",
    );
    assert!(space.setups == 1 || !space.answer.cuts.is_empty(), "{space:?}");
}

#[test]
fn long_chains_are_compiled_and_run() {
    let chain = (1..900).map(|i| format!("{{{i}}}")).collect::<Vec<_>>().join(" \\/ ");
    assert_eq!(value(&format!("card({chain})")), "899");
    let x = (0..900).map(|_| "x").collect::<Vec<_>>().join(" + ");
    let space = explore(&format!(
        "MACHINE t VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 1
         OPERATIONS o = SELECT x = 1 THEN x := {x} END END"
    ));
    assert_eq!(space.shown, ["x=1", "x=900"]);
}
