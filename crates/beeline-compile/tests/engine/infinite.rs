//! What nothing bounds: sets without an end, and what is found out about them all the same.

use crate::common::{explore, solutions, value};

fn all_true(formulas: &[&str]) {
    for formula in formulas {
        assert_eq!(value(&format!("bool({formula})")), "TRUE", "{formula}");
    }
}

#[test]
fn infinite_sets_of_integers_are_intervals() {
    all_true(&[
        "NATURAL - {0} = NATURAL1",
        "NATURAL - (0..3) = {x | x : INTEGER & 4 <= x}",
        "NATURAL \\/ {-1} /= NATURAL",
        "{x | x >= 10} /\\ {x | x : INTEGER & 99 >= x} = 10..99",
        "(9..9999999) - {9} = 10..9999999",
        "INTEGER - NATURAL <: {x | x < 0}",
        "not(NATURAL <: {x | x > 0})",
        "{x | x > 3 & x /= 7 & x /: {9}} - NATURAL = {}",
        "min(NATURAL - (0..7)) = 8",
        "max(INTEGER - NATURAL) = -1",
    ]);
}

#[test]
fn domains_and_images_of_infinite_relations() {
    all_true(&[
        "dom(%x.(x : NATURAL | x + 2)) = NATURAL",
        "%(m, x).(x : INTEGER & m : NATURAL1 | m * x) : NATURAL1 * INTEGER --> INTEGER",
        "dom({x, y | x : NATURAL & y = x + 1}) = NATURAL",
        "dom(dom({x, y, z | x : INTEGER & y : NATURAL & z : INTEGER & z = x + y})) = INTEGER",
        "{1 |-> 2, 3 |-> 4, -1 |-> 5}[NATURAL] = {2, 4}",
        "{1 |-> 2, 3 |-> 4}[{x | x : INTEGER & x < 2}] = {2}",
        "#x.(x : dom(%y.(y : NATURAL | y)) & x > 2)",
        "id(1..10000000) : perm(1..10000000)",
        "id(2..10000000) /: perm(2..10000000)",
        "id(1..10000000) : 1..10000000 >->> 1..10000000",
        "id(1..10000000) /: 1..10000001 --> INTEGER",
    ]);
}

#[test]
fn applied_lambdas_are_seen_through() {
    all_true(&[
        "#(f, x).(f = %n.(n : INTEGER | n + n) & x : INTEGER & f(f(f(x))) = 1000)",
        "not(#(f, x).(f = %n.(n : INTEGER | n + n) & x : INTEGER & f(x) = 1001))",
        "#(f, c).(f = %n.(n : INTEGER | n + c) & c : NATURAL & f(10) + f(9) = 129)",
        "#(f, x).(f = %n.(n : INTEGER | n * n * n) & x : INTEGER & f(f(x)) = 134217728)",
        "not(#(f, x).(f = %n.(n : INTEGER | n * n * n) & x : INTEGER & f(f(x)) = 134217721))",
    ]);
}

#[test]
fn functions_by_equations_for_their_entries() {
    let fibonacci = "f : 0..90 --> INTEGER & f(0) = 1 & f(1) = 1 &
        !n.(n : 2..90 => f(n) = f(n-1) + f(n-2)) & x = f(90)";
    let (found, complete) = solutions("f, x", fibonacci);
    assert!(complete && found.len() == 1 && found[0].ends_with(" 4660046610375530309"));
    // From the last entry to the first, and item by item.
    let paths = "t = [[3], [7,4], [2,4,6], [8,5,9,3]] & s : 1..4 --> seq(INTEGER) & s(4) = t(4) &
        !i.(i : 1..3 => size(s(i)) = size(t(i)) & !j.(j : 1..size(t(i)) =>
            s(i)(j) = t(i)(j) + max({s(i+1)(j), s(i+1)(j+1)}))) & x = s(1)(1)";
    let (found, complete) = solutions("t, s, x", paths);
    assert!(complete && found.len() == 1 && found[0].ends_with(" 23"), "{found:?}");
    // Equations that contradict each other have no solution; those in a circle define nothing.
    let twice = "f : 0..2 --> INTEGER & f(0) = 1 & !n.(n : 1..2 => f(n) = f(n-1)) & f(2) = 5";
    assert_eq!(solutions("f", twice), (Vec::new(), true));
    let circle = "f : 0..1 --> 0..3 & f(0) = f(1) & f(1) = f(0)";
    assert_eq!(solutions("f", circle).0.len(), 4);
    // What an entry is may not depend on which entries are known already.
    let all = "f : 0..1 --> 0..3 & f(0) = 1 & !n.(n : 1..1 => f(n) = card(f))";
    assert_eq!(solutions("f", all).0, ["{(0|->1),(1|->2)}"]);
}

#[test]
fn sequences_are_cut_into_pieces() {
    assert_eq!(solutions("s, t", "s ^ t = [1,2,3]").0.len(), 4);
    assert_eq!(solutions("s, t, u", "s ^ t ^ u = [1,2] & size(t) = 1").0.len(), 2);
    assert_eq!(solutions("s", "s ^ [3] = [1,2,3]").0, ["[1,2]"]);
    assert_eq!(solutions("s", "s ^ s = [1,2,1,2]").0, ["[1,2]"]);
    assert_eq!(solutions("s", "s ^ s = [1,2,1,3]").0.len(), 0);
}

#[test]
fn sequences_in_two_sets_and_items_of_sequences() {
    assert_eq!(value("card(%s.(s : seq(0..1) & s : seq(2..3) | s))"), "1");
    assert_eq!(value("card(%s.(s : seq1(0..1) & s : seq1(2..3) | s))"), "0");
    assert_eq!(value("card(%s.(s : seq(0..1) & s : iseq(0..1) | s))"), "5");
    let (found, complete) = solutions("v, x", "[1,2,3,v,5,x] : perm(1..6) & v > x");
    assert_eq!((found, complete), (vec!["6 4".to_owned()], true));
}

#[test]
fn parts_of_a_union_are_within_it() {
    let (found, complete) = solutions("x", "{x} \\/ {\"a\", \"b\"} = {\"b\", \"a\"}");
    assert_eq!((found.len(), complete), (2, true));
    let (found, complete) = solutions("x", "x : INTEGER & 1..200 \\/ {x} = 0..200");
    assert_eq!((found, complete), (vec!["0".to_owned()], true));
}

#[test]
fn integers_without_bounds_are_tried_one_after_the_other() {
    // a is tried up to MAXINT = 3, b from there: just beyond it where a is MAXINT.
    let (found, complete) = solutions("a, b", "a : NATURAL & b : NATURAL & a < b");
    assert!(!complete);
    assert_eq!(found, ["0 1", "0 2", "0 3", "1 2", "1 3", "2 3", "3 4"]);
    // How far an interval goes comes after its elements.
    let (found, _) = solutions("m, x", "m : NATURAL & x : 2..m");
    assert_eq!(found, ["2 2", "3 2", "3 3"]);
    let (found, _) = solutions("m, x", "m : NATURAL & m > 3 & x : 2..m");
    assert_eq!(found, ["4 2", "4 3"]);
    // What others determine is not tried at all.
    let (found, _) = solutions("b, c, a", "{a, b, c} <: NATURAL & a = b + c & b <= c + 1");
    assert_eq!(found.len(), 2 + 3 + 4 + 4, "{found:?}");
    // A bound on one side is kept.
    assert_eq!(solutions("x", "x <= 5 & x * x >= 16").0, ["4", "5"]);
}

#[test]
fn the_next_value_where_the_last_is_excluded() {
    let with = |excluded: &str| {
        let text = format!(
            "MACHINE t VARIABLES v INVARIANT v <: INTEGER INITIALISATION v := {{}}
             OPERATIONS add(b, n) = PRE b : BOOL & n /: {excluded} THEN skip END END"
        );
        explore(&text).transitions
    };
    // -1..3, without 1, and with 4 for 3.
    assert_eq!((with("v"), with("{1}"), with("{3}")), (10, 8, 10));
}

#[test]
fn branches_bound_a_parameter() {
    let space = explore(
        "MACHINE t VARIABLES on INVARIANT on : BOOL INITIALISATION on := FALSE
         OPERATIONS set(n) = IF n <= 40 THEN on := TRUE ELSIF n >= 70 THEN on := FALSE END END",
    );
    // -1..40, 41..69 and 70 in each of two states.
    assert_eq!((space.states, space.transitions), (2, 2 * (42 + 29 + 1)));
    assert!(!space.answer.cuts.is_empty());
}

#[test]
fn best_elements_and_cores() {
    let with = |expr: &str| {
        let text = format!(
            "MACHINE t DEFINITIONS
             EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(s) == 1;
             EXTERNAL_FUNCTION_MINIMIZE(T) == POW(T) --> T; MINIMIZE(s) == 1;
             EXTERNAL_FUNCTION_UNSAT_CORE(T) == (POW(T) --> BOOL) * POW(T) --> POW(T);
             UNSAT_CORE(f, s) == s;
             EXTERNAL_FUNCTION_MAX_SAT(T) == (POW(T) --> BOOL) * POW(T) --> POW(T);
             MAX_SAT(f, s) == s
             CONSTANTS f VARIABLES v PROPERTIES f = %x.(x : POW(INTEGER) | bool(x /\\ 1..2 = {{}}))
             INVARIANT v : INTEGER <-> INTEGER INITIALISATION v := {expr} END"
        );
        explore(&text).shown
    };
    assert_eq!(with("{MAXIMIZE({w, x | x : 0..9 & w = 10*x - x*x})}"), ["v={(25|->5)}"]);
    assert_eq!(with("{MINIMIZE({w, x | x : 3..9 & w = x*x - 10*x})}"), ["v={(-25|->5)}"]);
    // Found by the solver, which is told what to beat: 2 to the power of 30 sets.
    let largest = "dom({MAXIMIZE(/*@ symbolic */ {w, s | s : 1..30 --> 0..1 & s(7) = 0 &
        w = SIGMA(i).(i : 1..30 | s(i))})}) * {0}";
    assert_eq!(with(largest), ["v={(29|->0)}"]);
    assert_eq!(with("UNSAT_CORE(f, 0..50) * MAX_SAT(f, 0..3)"), ["v={(2|->0),(2|->3)}"]);
}

#[test]
fn names_that_only_a_domain_bounds() {
    // Beyond the sequence nothing has a meaning, and nothing is looked for there.
    all_true(&[
        "not(#i.(i : NATURAL1 & [2,4,6](i) = 2 & [2,4,6](i+1) = 2))",
        "#i.(i : NATURAL1 & [2,4,6](i) = 2 & [2,4,6](i+1) = 4)",
    ]);
}
