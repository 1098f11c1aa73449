//! What formulas mean, shown in the notation of classical B.

use super::{Positions, assignment, formula};
use beeline_syntax::{print_expr, print_subst};

fn show(text: &str) -> String {
    match formula(text, Positions::From(1)) {
        Ok(expr) => print_expr(&expr),
        Err(d) => format!("{} {}", d.primary.span.start, d.message),
    }
}

#[track_caller]
fn check(text: &str, wanted: &str) {
    assert_eq!(show(text), wanted, "{text}");
}

#[test]
fn both_spellings_are_one() {
    for (unicode, ascii) in [
        ("x ∈ ℕ1 ∧ y ∉ ℙ(S)", "x : NAT1 & y /: POW(S)"),
        ("f ∈ S ⇸ T", "f : S +-> T"),
        ("f ∈ S ↠ T", "f : S ->> T"),
        ("f ∈ S ↠ T", "f : S -->> T"),
        ("r ∈ S × T", "r : S ** T"),
        ("∀x·x ∈ ℤ ⇒ x ∗ 2 ≠ 3", "!x.x : INT => x * 2 /= 3"),
        ("{x·x > 0 ∣ x ↦ 1}", "{x.x > 0 | x |-> 1}"),
        ("a ∖ b = ∅", "a \\ b = {}"),
        ("λx·x∈1‥3∣x", "%x.x:1..3|x"),
        ("¬ (⊤ ∨ ⊥)", "not (true or false)"),
    ] {
        assert_eq!(show(unicode), show(ascii));
    }
}

#[test]
fn precedence() {
    check("a + b ∗ c − d", "a + b * c - d");
    check("x = 1 ∧ y = 2 ⇒ z = 3", "x = 1 & y = 2 => z = 3");
    check("a ↦ b ↦ c", "a |-> b |-> c");
    check("−1 + x", "-1 + x");
    check("f(x)(y)∼[s]", "f(x)(y)~[s]");
    check("∃x·x = 1 ∧ y = x", "#x.(x = 1 & y = x)");
    check("finite(s) ∧ partition(s, {a}, {b})", "@finite(s) & @partition(s, {a}, {b})");
}

#[test]
fn what_may_not_be_mixed() {
    check("a = 1 ∧ b = 1 ∨ c = 1", "17 `∧` and `∨` need parentheses here");
    check("a ∪ b ∩ c = d", "9 `∪` and `∩` need parentheses here");
    check("a = 1 ⇒ b = 1 ⇒ c = 1", "17 `⇒` and `⇒` need parentheses here");
    check("x ∈ A → B → C", "15 `→` and `→` need parentheses here");
    assert!(!show("a ◁ f ▷ b = g ∪ h ∪ i").contains("parentheses"));
    assert!(!show("f ; g ; h = a ∩ b ∖ c").contains("parentheses"));
}

#[test]
fn binders_of_all_forms() {
    check("{x ∣ x > 0}", "{x | x > 0}");
    check("{x ∗ y ∣ x ∈ s}", "{(x, y) . x : s | x * y}");
    check("λx ↦ y·x ∈ s ∣ x + y", "%(x, y).(x : s | x + y)");
    check("⋃x·x ∈ s ∣ f(x)", "UNION(x).(x : s | f(x))");
    check("∀x, y·x = y", "!(x, y).(btrue => x = y)");
    check("∅ ⦂ ℙ(ℤ)", "{} ⦂ POW(INTEGER)");
}

#[test]
fn mistakes_have_a_place() {
    check("x = ", "5 a formula was expected here, not the end of the formula");
    check("f(x, y)", "4 a function takes one argument in Event-B");
    check("x ∈ $", "7 `$` is not valid in Event-B");
    check("x = 1 y", "7 the end was expected here, not `y`");
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(show(&deep).contains("nested more than"));
    let long = format!("x{}", " + x".repeat(100_000));
    assert!(show(&long).contains("follow each other"));
}

#[test]
fn actions() {
    let show = |text: &str| match assignment(text, Positions::From(1)) {
        Ok(s) => print_subst(&s),
        Err(d) => d.message,
    };
    assert_eq!(show("x, y ≔ 1, 2"), "x, y := 1, 2");
    assert_eq!(show("f(i) := 3"), "f := f <+ {i |-> 3}");
    assert_eq!(show("x :∈ ℕ"), "x :: NATURAL");
    assert_eq!(show("x = 1"), "`≔`, `:∈` or `:∣` was expected here, not `=`");
}
