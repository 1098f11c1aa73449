//! Advice: each code where it speaks, and where it is silent.

use crate::support::check_advice;

const QUIET: &str = "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
OPERATIONS o = PRE x < 3 THEN x := x + 1 END END";

/// A machine without blame, with one more invariant.
fn with_invariant(p: &str) -> String {
    QUIET.replace("0..3 ", &format!("0..3\n& {p} "))
}

#[test]
fn a_machine_without_blame() {
    check_advice(QUIET, "");
}

#[test]
fn mixed_and_or() {
    check_advice(
        &with_invariant("(x = 1 or x = 2 & x < 3)"),
        "M.mch:2:4 B0901 `or` and `&` are mixed without parentheses",
    );
    check_advice(
        &with_invariant("(x > 1 & x < 3 or x = 3)"),
        "M.mch:2:4 B0901 `&` and `or` are mixed without parentheses",
    );
    check_advice(&with_invariant("((x = 1 or x = 2) & x < 3)"), "");
    check_advice(&with_invariant("(x = 1 or (x = 2 & x < 3))"), "");
}

#[test]
fn definitions_that_hide() {
    check_advice(
        "MACHINE M DEFINITIONS x == 1 SETS x VARIABLES y INVARIANT y = x INITIALISATION y := x
OPERATIONS o = y := x END",
        "M.mch:1:23 B0902 definition `x` hides what is declared under that name",
    );
}

#[test]
fn unused_things() {
    check_advice(
        "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS o = x := 1 END",
        "M.mch:1:21 B0903 variable `x` is never read",
    );
    check_advice(
        "MACHINE M VARIABLES x INVARIANT x : 0..3 & x < 2 INITIALISATION x := 0
OPERATIONS r <-- o = r := x END",
        "M.mch:1:21 B0909 no operation changes variable `x`",
    );
    check_advice(
        "MACHINE M OPERATIONS r <-- o(
p, q) = PRE p : 1..3 & q : 1..3 THEN r := q END END",
        "M.mch:2:1 B0907 parameter `p` of `o` is never used",
    );
    check_advice(
        "MACHINE M OPERATIONS r <-- o(p, q) = PRE p : 1..3 & q : 1..p THEN r := q END END",
        "",
    );
}

#[test]
fn unused_constants_and_definitions() {
    check_advice(
        "MACHINE M CONSTANTS c, d PROPERTIES c : NAT & d : 1..3 & d /= 2 END",
        "M.mch:1:21 B0914 constant `c` is never used",
    );
    check_advice("MACHINE M CONSTANTS c PROPERTIES c = 1 END", "");
    check_advice(
        "MACHINE M DEFINITIONS UNUSED == 1; USED == 2; INNER == 3; OUTER == INNER
CONSTANTS c PROPERTIES c = USED + OUTER END",
        "M.mch:1:23 B0906 definition `UNUSED` is never used",
    );
}

#[test]
fn invariants_that_only_type() {
    check_advice(
        "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
OPERATIONS o = x := x + 1 END",
        "M.mch:1:33 B0904 the invariant only gives the types of the variables",
    );
    check_advice(
        "MACHINE M SETS S VARIABLES x INVARIANT x : POW(S * BOOL) INITIALISATION x := {}
OPERATIONS o = x := x \\/ S * {TRUE} END",
        "M.mch:1:40 B0904 the invariant only gives the types of the variables",
    );
}

#[test]
fn branches_never_taken() {
    let with = |p: &str| {
        QUIET.replace(
            "x < 3 THEN x := x + 1",
            &format!("x < 3 THEN\nIF {p} THEN x := 1 ELSE x := 2 END"),
        )
    };
    check_advice(&with("1 = 2"), "M.mch:3:4 B0905 this condition is never true");
    check_advice(&with("bfalse"), "M.mch:3:4 B0905 this condition is never true");
    check_advice(&with("x /= x"), "M.mch:3:4 B0905 this condition is never true");
    check_advice(&with("x = 1 & x = 2"), "M.mch:3:4 B0905 this condition is never true");
    check_advice(&with("TRUE = FALSE"), "M.mch:3:4 B0905 this condition is never true");
    check_advice(&with("x = 1"), "");
    check_advice(&with("x = 1 or x = 2"), "");
}

#[test]
fn implications() {
    check_advice(
        &with_invariant("(x = 1 => x < 2 => x < 3)"),
        "M.mch:2:4 B0911 in B, `P => Q => R` means `(P => Q) => R`",
    );
    check_advice(&with_invariant("(x = 1 => (x < 2 => x < 3))"), "");
    check_advice(
        &with_invariant("#k.(k : 1..3 => k = x)"),
        "M.mch:2:3 B0913 this is true as soon as one value makes the left side of `=>` false",
    );
    check_advice(&with_invariant("#k.(k : 1..5 & k > x)"), "");
    check_advice(&with_invariant("!k.(k : 4..5 => k > x)"), "");
}

#[test]
fn preferences() {
    let with = |d: &str| QUIET.replace("VARIABLES", &format!("DEFINITIONS\n{d} VARIABLES"));
    check_advice(&with("SET_PREF_MAXINT == 5"), "");
    check_advice(&with("SET_PREF_MAXIMT == 5"), "M.mch:2:1 B0910 there is no preference `MAXIMT`");
}

#[test]
fn variables_without_a_first_value() {
    check_advice(
        &QUIET
            .replace("VARIABLES x INVARIANT ", "VARIABLES x, y INVARIANT y > x & ")
            .replace("x := x + 1", "x, y := x + 1, x"),
        "M.mch:1:24 B0711 variable `y` is not initialised",
    );
}
