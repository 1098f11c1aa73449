//! What predicates say of names.
#![allow(clippy::unwrap_used)]

use beeline_bounds::{Analysis, Bound, Bounds, Claims, narrow_scope};
use beeline_model::Model;
use beeline_source::MemoryLoader;

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

fn shown(model: &Model, bounds: &[Bound]) -> Vec<String> {
    let mut claims = Claims::new(model);
    let mut of = |b: &Bound| {
        let list = claims.of(&b.name.expr(model), &b.value);
        list.iter().map(|p| model.show_pred(p)).collect::<Vec<_>>().join(" & ")
    };
    bounds.iter().map(&mut of).collect()
}

#[track_caller]
fn constants(names: &str, properties: &str, wanted: &[&str]) {
    let sets = "SETS S; T = {a, b, c}";
    let model = model(&format!("{sets} CONSTANTS {names} PROPERTIES {properties}"));
    let bounds = Bounds::of(&Analysis::new(&model, -1, 3));
    assert_eq!(shown(&model, &bounds.constants), wanted);
}

#[test]
fn the_example_of_the_report() {
    constants("x", "x : 1..10", &["x : 1..10"]);
}

#[test]
fn comparisons_carry_bounds_to_both_sides() {
    constants("x, y", "x : 1..10 & y : INTEGER & x < y & y < 8", &["x : 1..6", "y : 2..7"]);
    constants("x", "x : NATURAL & not(x > 5) & x /= 0", &["x : 1..5"]);
    constants("x, y", "x : 0..9 & x + y = 4 & y : NATURAL", &["x : 0..4", "y : 0..4"]);
    constants("x", "x : 0..20 & x mod 4 = 3", &["x : 3..19 & x mod 4 = 3"]);
    constants("x", "x : NAT1", &["x : 1..3"]);
    constants("x", "3 * x : 4..11", &["x : 2..3"]);
}

#[test]
fn ways_are_joined() {
    constants("x", "x : INTEGER & (x = 2 or x : 5..7)", &["x : 2..7"]);
    constants("x, e", "e : T & x : 0..9 & (e = a => x > 3) & e = a", &["x : 4..9", "e = a"]);
    constants("x", "x : INTEGER & #y.(y : 3..5 & x = y + 1)", &["x : 4..6"]);
}

#[test]
fn sets_have_cardinalities_and_elements() {
    constants("s", "s <: 1..4 & card(s) >= 2", &["s : POW(1..4) & card(s) : 2..4"]);
    constants("s", "s <: T & a : s & b /: s", &["s : POW({a, c}) & {a} <: s"]);
    constants("s", "s <: S & s /= {}", &["s /= {}"]);
    constants("s", "s <: INTEGER & !x.(x : s => x > 2 & x < 9)", &["s : POW(3..8)"]);
    constants("s", "s = {2, 3} \\/ {5}", &["s = {2, 3, 5}"]);
}

#[test]
fn functions_have_kinds_domains_and_ranges() {
    constants("f", "f : 1..3 --> 0..5", &["f : 1..3 --> 0..5"]);
    constants("f", "f : S +-> BOOL", &["f : S +-> BOOL"]);
    constants("f", "f : S --> T & ran(f) <: {a, b}", &["f : S --> {a, b}"]);
    constants("f", "f : T >-> 1..4", &["f : T >-> 1..4"]);
    constants("s", "s : seq(T) & size(s) = 2", &["s : seq(T) & card(s) = 2"]);
}

#[test]
fn what_is_not_understood_says_nothing() {
    constants("x", "x : INTEGER & PI(i).(i : 1..x | i) = 6", &[""]);
}

#[test]
fn a_contradiction_is_seen() {
    let model = model("CONSTANTS x PROPERTIES x : 1..3 & x > 5");
    assert!(Bounds::of(&Analysis::new(&model, -1, 3)).no_constants);
}

#[test]
fn parameters_are_bounded_by_the_guard_and_the_invariant() {
    let model = model(
        "VARIABLES n INVARIANT n : 0..5 INITIALISATION n := 0 \
         OPERATIONS up(k) = PRE k : NATURAL1 & n + k <= 5 THEN n := n + k END; \
                    any = ANY z WHERE z : 0..9 & z < n THEN n := z END; \
                    never = SELECT n > 7 THEN skip END",
    );
    let bounds = Bounds::of(&Analysis::new(&model, -1, 3));
    assert_eq!(shown(&model, &bounds.variables), ["n : 0..5"]);
    let of: Vec<_> = bounds.operations.iter().map(|o| shown(&model, &o.parameters)).collect();
    assert_eq!(of, [vec!["k : 1..5"], vec!["z : 0..4"], vec![]]);
    assert_eq!(bounds.operations.iter().map(|o| o.never).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn reasons_name_the_conjunct() {
    let text = "x : NATURAL & x < 9";
    let model = model(&format!("CONSTANTS x PROPERTIES {text}"));
    let bounds = Bounds::of(&Analysis::new(&model, -1, 3));
    let rules: Vec<&str> = bounds.constants[0].because.iter().map(|r| r.rule).collect();
    assert_eq!(rules, ["membership", "comparison"]);
}

#[test]
fn a_scope_that_is_too_small_is_told() {
    let small = model("CONSTANTS n PROPERTIES n : NAT & n = 1000");
    let told = narrow_scope(&small, -1, 3);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].message, "MAXINT is 3, but `n` has to be at least 1000");
    assert!(narrow_scope(&small, -1, 1000).is_empty());
    let below = model("VARIABLES v INVARIANT v : INT & v < -4 INITIALISATION v := -5");
    assert_eq!(
        narrow_scope(&below, -1, 3)[0].message,
        "MININT is -1, but `v` has to be at most -5"
    );
    let both = model("CONSTANTS s PROPERTIES s <: INT & s = {-7, 2, 9}");
    let told = narrow_scope(&both, -1, 3);
    let messages: Vec<&str> = told.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        ["MAXINT is 3, but `s` has to contain 9", "MININT is -1, but `s` has to contain -7"]
    );
    assert!(narrow_scope(&both, -7, 9).is_empty());
    let parameter = model(
        "VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 \
         OPERATIONS down(k) = PRE k : INT & k < -2 THEN v := k END",
    );
    assert_eq!(
        narrow_scope(&parameter, -1, 3)[0].message,
        "MININT is -1, but `k` has to be at most -3"
    );
    // Nothing is wrong with large numbers where nobody speaks of MAXINT.
    let fine = model("CONSTANTS n PROPERTIES n : NATURAL & n = 1000");
    assert!(narrow_scope(&fine, -1, 3).is_empty());
}
