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
fn what_refutes_a_claim_may_bound_its_names() {
    // Nothing bounds x but what would make the claim false.
    let known = "f = {1 |-> 2, 7 |-> 3} & g = {1 |-> 2, 7 |-> 4}";
    for (claim, solutions) in [
        ("!x.(x >= 8 => x /: dom(f))", 1),
        ("!x.(x >= 7 => x /: dom(f))", 0),
        ("!x.(x /: dom(f) => x /= max(dom(f)))", 1),
        ("!x.(x : NATURAL => ((x : dom(f) & f(x) = 2) <=> (x : dom(g) & g(x) = 2)))", 1),
        ("!x.(x : NATURAL => ((x : dom(f) & f(x) = 3) <=> (x : dom(g) & g(x) = 3)))", 0),
        // The largest element of nothing has no meaning, but nobody asks for it.
        ("!x.(f = {} & x : NATURAL => x /= max(dom(f)))", 1),
    ] {
        assert_eq!(count("f, g", &format!("{known} & {claim}")), solutions, "{claim}");
    }
}

#[test]
fn names_of_spaces_are_seen_through() {
    // The transitive closure of each relation between two elements, by its axioms.
    let space = explore(
        "MACHINE t SETS S = {a, b} CONSTANTS tcl, all PROPERTIES all = S <-> S & tcl : all --> all &
         !r.(r : all => r <: tcl(r)) & !r.(r : all => (r ; tcl(r)) <: tcl(r)) &
         !(r, t).(r : all & r <: t & (r ; t) <: t => tcl(r) <: t) END",
    );
    assert!(space.setups == 1 && space.answer.complete());
}

#[test]
fn the_end_of_an_interval_follows_from_its_length() {
    // Beyond MAXINT: nothing else bounds n.
    assert_eq!(count("s, n", "s = {3, 4, 5, 6, 7, 8} & n : NATURAL & s = 3..n"), 1);
    assert_eq!(count("s, n", "s = {3, 4, 6, 7, 8} & n : NATURAL & s = 3..n"), 0);
    assert_eq!(count("f, n", "f = [7, 7, 8, 9, 9] & n : NATURAL & f : 1..n --> 1..9"), 1);
    assert_eq!(count("f, n", "f = [7, 7, 8, 9, 9] & n : NATURAL & f : 1..n >-> 1..9"), 0);
    let (found, complete) = solutions("s, n", "s <: {1} & n : NATURAL & s = 1..n");
    assert!(found.contains(&"{} 0".to_owned()) && found.contains(&"{1} 1".to_owned()));
    // Sequences of any length, as Event-B has them.
    let sequences = "{s | #n.(n : NATURAL & s : 1..n --> 1..9)}";
    assert_eq!(count("f", &format!("f = [7, 7, 8, 9, 9] & f : {sequences}")), 1);
    // Any n below the first element fits the empty set: natural numbers among them only one.
    assert!(!complete && found.len() == 2, "{found:?}");
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
fn a_relation_that_must_be_a_function_is_applied_without_doubt() {
    // Nobody says that it is a function; the second conjunct leaves nothing else.
    let queens = "dom(q) = 1..N & !(x,y).(x|->y : q => !z.(z : 1..N & x|->z : q => y = z))";
    for (n, solutions) in [(5, 10), (6, 4)] {
        let text = format!(
            "b : POW((1..N) * (1..N)) & {}",
            format!("{queens} & {QUEENS}").replace("q(", "b(").replace(": q", ": b")
        );
        let properties = text.replace("dom(q)", "dom(b)").replace('N', &n.to_string());
        assert_eq!(count("b", &properties), solutions, "{n} queens");
    }
    // A partial function: where it is not defined it cannot be applied.
    let partial = "r <: (1..3)*(4..5) & !(x,y,z).(x|->y : r & x|->z : r => y = z)";
    assert_eq!(count("r", partial), 27);
    assert_eq!(count("r", &format!("{partial} & 1 : dom(r) & r(1) = 5")), 9);
    // Values that are no numbers.
    let sets = "r <: (1..3)*POW({7, 8}) & dom(r) = 1..3 & r~ : POW({7, 8}) <-> 1..3 &
        !(x,y,z).(x|->y : r & x|->z : r => y = z) & r(1) /= r(2) & 7 : r(3)";
    assert_eq!(count("r", sets), 4 * 3 * 2);
}

#[test]
fn what_is_the_same_in_every_state_is_put_to_the_solver_once() {
    // The constant differs between set-ups, and the state between calls: neither may be mixed up.
    let space = explore(
        "MACHINE t CONSTANTS k PROPERTIES k : 2..3 VARIABLES v INVARIANT v <: 1..20
         INITIALISATION v := {}
         OPERATIONS op(s) = SELECT s <: 1..20 & card(s) = k & !x.(x : s => x <= k + 1) &
           v <: s \\/ {1} THEN v := s END END",
    );
    assert!(space.answer.cuts.is_empty() && space.answer.faults.is_empty());
    // k = 2: the three pairs of 1..3; from {1,2} and {1,3} all pairs with the other element,
    // from {2,3} only itself. k = 3: four triples of 1..4 in the same way.
    let transitions = (3 + 2 + 2 + 1) + (4 + 3 * 2 + 1);
    assert_eq!((space.setups, space.states, space.transitions), (2, 4 + 5, transitions));
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

#[test]
fn recursion_by_cases_and_in_company() {
    let by_cases =
        "f : INTEGER <-> INTEGER & f = {0 |-> 1} \\/ %n.(n > 0 | n * f(n-1)) & x = f(10)";
    let (found, complete) = solutions("f, x", by_cases);
    assert!(complete && found[0].ends_with(" 3628800"), "{found:?}");
    let company = "even = %n.(n:NATURAL | IF n = 0 THEN TRUE ELSE odd(n-1) END) &
        odd = %n.(n:NATURAL | IF n = 0 THEN FALSE ELSE even(n-1) END) & x = odd(101)";
    let (found, complete) = solutions("even, odd, x", company);
    assert!(complete && found[0].ends_with(" TRUE"), "{found:?}");
    // What is read at once is no recursion.
    let (found, complete) = solutions("s", "s <: 1..2 & s = s \\/ {1}");
    assert!(complete);
    assert_eq!(found, ["{1,2}", "{1}"]);
}

#[test]
fn a_set_that_is_defined_by_itself_is_tried() {
    for set in ["BOOL", "1..2"] {
        let none = format!("s <: {set} & s = {{x | x : {set} & s = {{}}}}");
        assert_eq!(solutions("s", &none), (vec![], true));
        let within = format!("s <: {set} & {{x | x : {set} & s = {{}}}} : {{s}}");
        assert_eq!(solutions("s", &within), (vec![], true));
        let any = format!("s <: {set} & s = {{x | x : {set} & x : s}}");
        let (found, complete) = solutions("s", &any);
        assert!(complete && found.len() == 4, "{found:?}");
    }
    // Nothing bounds it: then it is what it is defined to be.
    let (found, complete) =
        solutions("s, b", "s = {x | x : NATURAL & (x = 0 or x - 2 : s)} & b = bool(7 : s)");
    assert!(complete && found[0].ends_with(" FALSE"), "{found:?}");
}

#[test]
fn symbolic_functions_in_their_sets() {
    for (property, holds) in [
        ("f : NATURAL --> INTEGER", true),
        ("f : NATURAL1 --> INTEGER", false),
        ("f : INTEGER +-> INTEGER", true),
        ("f : NATURAL1 +-> INTEGER", false),
        ("f : INTEGER <-> INTEGER", true),
    ] {
        let (found, complete) = solutions("f", &format!("f = %n.(n:NATURAL | n + 1) & {property}"));
        assert!(complete, "{property}");
        assert_eq!(!found.is_empty(), holds, "{property}");
    }
    // Nobody can try all numbers: the values are kept, and the answer is not complete.
    let (found, complete) = solutions("f", "f = %n.(n:NATURAL | n + 1) & f : NATURAL --> NATURAL");
    assert!(found.len() == 1 && !complete);
    assert_eq!(count("r, x", "r = closure1(%n.(n:NATURAL1 | n / 2)) & x = r[{100}]"), 1);
}

#[test]
fn half_bounded_integers_start_at_their_bound() {
    let (found, complete) = solutions("a, b", "a > 1000 & b <= 0 & b < a");
    assert_eq!(found, ["1001 -1", "1001 0"]);
    assert!(!complete);
    // Values that differ stay different where nothing bounds them.
    let (found, complete) = solutions("f", "f : 1..2 >-> NATURAL");
    assert!(!complete);
    assert_eq!(found.len(), 4 * 3, "{found:?}");
    let (found, _) = solutions("a, b, c", "{a, b, c} <: NATURAL & a /= b & b /= c & a /= c");
    assert_eq!(found.len(), 4 * 3 * 2, "{found:?}");
    // Undefined places of a partial function do not rule each other out.
    let (found, complete) = solutions("f", "f : 1..2 +-> INTEGER & card(f) = 1");
    assert!(!complete);
    assert_eq!(found.len(), 2 * 5);
}

#[test]
fn the_solver_sees_through_names_and_tables() {
    // A LET, an image of one point, a lambda that is applied.
    let no_neighbours = "b : 1..4 --> BOOL & card({i | i:1..4 & b(i) = TRUE}) = 2 &
        !i.(i:1..3 => LET x BE x = b(i) IN (x = TRUE => b[{i+1}] /= {x}) END) &
        (%i.(i:1..4 | b(5 - i)))(4) = TRUE";
    let (found, complete) = solutions("b", no_neighbours);
    assert!(complete);
    assert_eq!(found.len(), 2, "{found:?}");
    // Words of a crossword: sequences by number, letters of them.
    let crossword = "w = [[1,2],[2,3],[3,1],[2,2]] & c : 1..3 >-> dom(w) &
        w(c(1))(2) = w(c(2))(1) & w(c(2))(2) = w(c(3))(1) & w(c(3))(2) = w(c(1))(1)";
    let (found, complete) = solutions("w, c", crossword);
    assert!(complete);
    assert_eq!(found.len(), 3, "{found:?}");
    // Values that are pairs, and what is computed from what was found.
    let squares = "f : 1..3 --> (1..3)*(1..3) & !(i,j).(i:1..3 & j:1..3 & i < j =>
        prj1(INTEGER,INTEGER)(f(i)) /= prj1(INTEGER,INTEGER)(f(j))) &
        !i.(i:1..3 => f(i) : {1|->2, 2|->3, 3|->1}) & p = PI(x).(x:ran(f) | 2)";
    assert_eq!(count("f, p", squares), 6);
    assert_eq!(
        count(
            "a, b, c",
            "a:NATURAL & b:NATURAL & c:NATURAL & 0 < a & a < b & b < c &
        a**2 + b**2 = c**2 & a + b + c = 60"
        ),
        2
    );
}

#[test]
fn functions_by_points_and_sequences_of_known_length() {
    let points = "f : 0..1 --> STRING & f(0) = \"a\" & f(1) = \"b\" & s : ran(f) --> 1..2";
    assert_eq!(count("f, s", points), 4);
    assert_eq!(count("s", "s : seq(1..2) & size(s) = 4"), 16);
    assert_eq!(count("s", "s : iseq(NATURAL) & size(s) = 3 & ran(s) = {0,4,7}"), 6);
    assert_eq!(count("s, n", "n : 0..4 & s : seq1(1..2) & size(s) = n & n < 2"), 2);
}

#[test]
fn one_valuation_stands_for_its_renamings() {
    let setups = |text: &str| {
        let model = crate::common::model(text);
        let settings = beeline_compile::Settings::of(&model);
        let mut builder = beeline_compile::Builder::new(&model, &settings).unwrap();
        let sets: Vec<_> = (0..model.sets.len() as u32).map(beeline_model::SetId).collect();
        let all = count_setups(builder.system());
        builder.break_symmetry(&model, &sets);
        (all, count_setups(&builder.build()))
    };
    // Elements in order of first appearance: Bell numbers, as long as there are enough.
    let scalars = "MACHINE t SETS S CONSTANTS a, b, c PROPERTIES a:S & b:S & c:S & card(S) = 4 END";
    assert_eq!(setups(scalars), (64, 5));
    let parts =
        "MACHINE t SETS S CONSTANTS p, q PROPERTIES p \\/ q = S & p /\\ q = {} & card(S) = 6 END";
    assert_eq!(setups(parts), (64, 7));
    let both = "MACHINE t SETS S CONSTANTS a, p, q
        PROPERTIES a:S & p \\/ q = S & p /\\ q = {} & card(S) = 3 END";
    assert_eq!(setups(both), (24, 6));
    // Two bijections between the same sets: the first gives the order.
    let forks = "MACHINE t SETS P; F CONSTANTS l, r PROPERTIES l : P >->> F & r : P >->> F &
        card(P) = 4 & card(F) = 4 & !p.(p:P => l(p) /= r(p)) END";
    assert_eq!(setups(forks), (216, 9));
}

fn count_setups(system: &beeline_compile::System) -> usize {
    let mut found = 0;
    let answer = system.setups(&mut system.scratch(), &mut |_| {
        found += 1;
        beeline_compile::Flow::More
    });
    assert!(answer.complete());
    found
}

#[test]
fn bounds_follow_from_conjuncts_together() {
    let all = [
        ("s", "s <: NATURAL & !y.(y : s => y < 5) & card(s) = 2", 10),
        ("f", "f : NATURAL +-> NATURAL & dom(f) <: 1..3 & ran(f) <: 0..1", 27),
        ("f", "f : 1..3 --> INTEGER & ran(f) <: 4..5", 8),
        ("f", "f : 1..2 >-> NATURAL & !(x, y).(x |-> y : f => y : 3..5)", 6),
        ("s", "s : seq(1..3) & size(s) <= 2", 13),
        ("s", "s : iseq(BOOL) & card(s) < 3", 5),
        ("s", "s : FIN(NATURAL) & s /= {} & max(s) = 3", 8),
        ("s", "s : POW(INTEGER) & card(s) = 1 & s /\\ 1..3 = s & s <: 2..9", 2),
        ("s", "s : FIN(INTEGER) & card(s) = 2 & !x.(x : s => x : 1..4)", 6),
        (
            "s",
            "s : BOOL --> FIN(INTEGER) & !b.(b : BOOL => s(b) <: 0..1) & union(ran(s)) <: 1..2",
            4,
        ),
        ("r", "r : struct(a : INTEGER, b : 1..100) & r'a > 5 & r'b > 98 & r'a < 8", 4),
    ];
    for (names, predicate, expected) in all {
        assert_eq!(count(names, predicate), expected, "{predicate}");
    }
    // With an end that nobody says, nothing is left out in secret.
    let (_, complete) = solutions("s", "s <: NATURAL & !y.(y : s => y > 5)");
    assert!(!complete);
}

#[test]
fn what_bounds_leave_out_fails_no_more_and_no_less() {
    let faults = |guard: &str| {
        let space = explore(&format!(
            "MACHINE t VARIABLES v, f INVARIANT v : INTEGER & f : 1..5 --> 1..5
             INITIALISATION v := 0 || f := (1..5) * {{2}}
             OPERATIONS op(s, x) = SELECT {guard} THEN v := x END END"
        ));
        assert!(space.answer.cuts.is_empty(), "{guard}: {:?}", space.answer.cuts);
        (space.answer.faults.len(), space.transitions)
    };
    // Of f nothing is known before it runs: the application bounds nothing, and fails for 6 and 7.
    let within = "s <: NATURAL & !y.(y : s => y < 3) & card(s) = 1 & x : s";
    assert_eq!(faults(&format!("{within} & f(x + 1) = 2")), (0, 3 * 3));
    assert_ne!(faults(&format!("{within} & f(x + 4) = 2")).0, 0);
    // A conjunct is false where another one fails: nothing is wrong, whatever their order is.
    assert_eq!(faults(&format!("f(x + 4) = 2 & {within} & x < 2")).0, 0);
    assert_eq!(faults(&format!("x < 2 & {within} & f(x + 4) = 2")).0, 0);
}

/// Conjuncts two by two and three by three: what has an end only by its bounds has the solutions that are found
/// where every candidate is tried, and others that lie outside these.
fn bounds_lose_nothing(name: &str, free: &str, tried: &str, conjuncts: &[&str]) -> usize {
    let mut ended = 0;
    for (i, a) in conjuncts.iter().enumerate() {
        for (j, b) in conjuncts.iter().enumerate().skip(i + 1) {
            let third = conjuncts[(3 * i + 5 * j) % conjuncts.len()];
            for all in [format!("({a}) & ({b})"), format!("({a}) & ({b}) & ({third})")] {
                let (found, complete) = solutions(name, &format!("{free} & {all}"));
                if !complete {
                    continue;
                }
                ended += 1;
                let (expected, complete) = solutions(name, &format!("{tried} & {all}"));
                assert!(complete, "{all}");
                let lost: Vec<&String> = expected.iter().filter(|s| !found.contains(s)).collect();
                assert!(lost.is_empty(), "{all}: {lost:?} of {expected:?} are lost");
            }
        }
    }
    ended
}

#[test]
fn bounds_lose_no_set() {
    let ended = bounds_lose_nothing(
        "s",
        "s <: INTEGER",
        "s <: -1..4",
        &[
            "s /= {} & max(s) <= 2",
            "s /= {} & min(s) >= 0",
            "!x.(x : s => x < 3)",
            "!x.(x : s => x >= 0)",
            "!x.(x : s => 2 * x : 1..7)",
            "s : FIN(INTEGER) & card(s) = 2",
            "s <: 0..9",
            "s <: NATURAL",
            "3 /: s",
            "s /\\ 1..2 = s",
            "s \\/ {1} <: 0..3",
            "{1} <: s",
            "union({s}) <: -1..2",
            "s : POW(1..2) or s : POW(2..3)",
            "#y.(y : 0..2 & s <: 0..y)",
            "s : POW(-1..1) => s = {}",
            "s * s <: (0..2) * (1..3)",
            "id(s) : 0..2 +-> INTEGER",
            "not(s <: 0..2)",
        ],
    );
    assert!(ended > 150, "{ended}");
}

#[test]
fn bounds_lose_no_function() {
    let ended = bounds_lose_nothing(
        "f",
        "f : INTEGER +-> INTEGER",
        "f : -1..2 +-> 0..2",
        &[
            "dom(f) <: 0..1",
            "ran(f) <: 0..1",
            "dom(f) = {0, 2}",
            "f : NATURAL +-> NATURAL",
            "f : INTEGER >+> INTEGER",
            "f : FIN(INTEGER * INTEGER) & card(f) = 2",
            "!(x, y).(x |-> y : f => x : 0..2)",
            "!(x, y).(x |-> y : f => y : 0..1)",
            "!x.(x : dom(f) => x < 2 & x >= -1)",
            "!x.(x : dom(f) => f(x) : 1..2)",
            "f : 0..1 --> INTEGER",
            "f : seq(INTEGER)",
            "f : seq(0..2) & size(f) <= 2",
            "f : seq1(INTEGER) & first(f) = 1",
            "f[{0}] <: {1}",
            "0 : dom(f)",
            "f <+ {0 |-> 1} : 0..1 +-> 0..2",
            "f~ : 0..2 +-> 0..1",
            "f <: (0..1) * (0..2)",
            "f = {}  or f = {1 |-> 1}",
        ],
    );
    assert!(ended > 150, "{ended}");
}
