//! Queries: generators, propagation, all solutions once.

use crate::common::{explore, solutions};

fn count(constants: &str, properties: &str) -> usize {
    let (found, complete) = solutions(constants, properties);
    assert!(complete, "{properties}");
    found.len()
}

const QUEENS: &str = "!(i,j).(i:1..N & j:1..N & i<j =>
    q(i) /= q(j) & q(i) - i /= q(j) - j & q(i) + i /= q(j) + j)";

#[test]
fn queens() {
    for (n, solutions) in [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
        let properties = format!("q : 1..{n} --> 1..{n} & {}", QUEENS.replace('N', &n.to_string()));
        assert_eq!(count("q", &properties), solutions, "{n} queens");
    }
    // The board as a set of squares.
    let board = "b <: (1..5)*(1..5) & card(b) = 5 & !(p,q).((p,q):b => !i.(i /= 0 & i:-5..5 =>
        (p+i,q) /: b & (p,q+i) /: b & (p+i,q+i) /: b & (p+i,q-i) /: b))";
    assert_eq!(count("b", board), 10);
}

#[test]
fn send_more_money() {
    let (found, complete) = solutions(
        "S,E,N,D,M,O,R,Y",
        "S:1..9 & E:0..9 & N:0..9 & D:0..9 & M:1..9 & O:0..9 & R:0..9 & Y:0..9 &
         card({S,E,N,D,M,O,R,Y}) = 8 & S*1000+E*100+N*10+D + M*1000+O*100+R*10+E
         = M*10000+O*1000+N*100+E*10+Y",
    );
    assert!(complete);
    assert_eq!(found, ["9 5 6 7 1 0 8 2"]);
}

#[test]
fn functions_and_sets_are_solved_for() {
    assert_eq!(count("f", "f : 1..10 >->> 1..10 & !i.(i:1..9 => f(i) < f(i+1))"), 1);
    assert_eq!(count("f", "f : 1..4 +-> 1..3 & card(f) = 2"), 54);
    assert_eq!(count("f", "f : 1..3 >+> 1..3"), 34);
    assert_eq!(count("f", "f : 1..4 -->> 1..3"), 36);
    assert_eq!(count("a, b", "a \\/ b = 1..20 & a /\\ b = {} & b = {x|x:1..20 & x mod 2 = 0}"), 1);
    assert_eq!(count("r", "r : 1..3 <-> 1..3 & dom(r) = {2} & card(r) = 2"), 3);
    assert_eq!(count("s", "s <: 1..30 & card(s) = 2 & 1 : s"), 29);
    assert_eq!(count("s, t", "s <: 1..3 & t <: s"), 27);
}

#[test]
fn integers_are_bounded_by_propagation() {
    assert_eq!(solutions("x", "x : INTEGER & x + x = 1000").0, ["500"]);
    assert_eq!(solutions("x", "x > 10 & x < 13").0, ["11", "12"]);
    assert_eq!(solutions("x, y", "x = y + 3 & y : 1..2").0, ["4 1", "5 2"]);
    assert_eq!(solutions("x, y", "x + y = 3 & x : NATURAL & y : NATURAL").0.len(), 4);
    // Nothing bounds it: tried within MININT..MAXINT, and that is a cut.
    let (found, complete) = solutions("x", "x : INTEGER & x * x >= 0");
    assert_eq!((found.len(), complete), (5, false));
}

#[test]
fn disjunctions_and_quantifiers_generate() {
    assert_eq!(solutions("x", "x : INTEGER & (x = 100 or x = 200 or x = 100)").0.len(), 2);
    assert_eq!(solutions("x", "x : INTEGER & #y.(y : 1..3 & x = y * 1000)").0.len(), 3);
    assert_eq!(solutions("x", "x : INTEGER & (1=1 => x = 7) & (not(1=1) => x = 8)").0, ["7"]);
}

#[test]
fn parameters_come_from_relations() {
    let space = explore(
        "MACHINE t SETS S = {a,b,c} VARIABLES r INVARIANT r : S <-> S
         INITIALISATION r := {a|->b, b|->c}
         OPERATIONS cut(x,y) = PRE x|->y : r THEN r := r - {x|->y} END END",
    );
    assert_eq!((space.states, space.transitions), (4, 4));
}

#[test]
fn recursive_and_symbolic_functions() {
    let (found, complete) = solutions("f, x", "f = %n.(n:NATURAL | n * 2) & x = f(21)");
    assert!(complete);
    assert!(found[0].ends_with(" 42"), "{found:?}");
    let factorial = "f = %n.(n:NATURAL | IF n = 0 THEN 1 ELSE n * f(n-1) END) & x = f(20)";
    let (found, complete) = solutions("f, x", factorial);
    assert!(complete && found[0].ends_with(" 2432902008176640000"), "{found:?}");
}
