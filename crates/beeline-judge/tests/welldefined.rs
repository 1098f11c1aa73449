//! Every way to be ill-defined, and the neighbours that make it harmless.

mod common;
use beeline_judge::{EvalError, Judge, Scene, Settings, State, UnknownReason};
use common::{truth, value};

#[test]
fn each_rule() {
    for (expr, words) in [
        ("1 / 0", "divided by zero"),
        ("1 mod 0", "mod"),
        ("(-1) mod 2", "mod"),
        ("1 mod (-2)", "mod"),
        ("2 ** (-1)", "**"),
        ("1.0 / 0.0", "divided by zero"),
        ("{1|->2}(3)", "not in its domain"),
        ("{1|->2, 1|->3}(1)", "related to 2 and 3"),
        ("(%x.(x : NATURAL | x))(-1)", "not in its domain"),
        ("prj1({1},{2})(2,2)", "not in its domain"),
        ("min({x | x : 1..2 & x > 5})", "minimum of the empty set"),
        ("max({x | x : 1..2 & x > 5})", "maximum of the empty set"),
        ("max(NATURAL)", "without upper bound"),
        ("card(NATURAL)", "infinite"),
        ("inter({x | x <: 1..2 & card(x) > 5})", "no sets"),
        ("INTER(x).(x : 1..2 & x > 5 | {x})", "no sets"),
        ("first(tail([1]))", "first of the empty sequence"),
        ("last(tail([1]))", "last of the empty sequence"),
        ("front(tail([1]))", "front of the empty sequence"),
        ("tail(tail([1]))", "tail of the empty sequence"),
        ("[1,2] /|\\ 3", "cut at 3"),
        ("[1,2] \\|/ (-1)", "cut at -1"),
        ("size({2|->1})", "used as a sequence"),
        ("iterate({1|->2}, -1)", "iterated -1 times"),
        ("left(bin(1))", "left and right"),
    ] {
        match value(expr) {
            Err(EvalError::IllDefined { what, span }) => {
                assert!(what.contains(words), "{expr}: {what}");
                assert!(span.is_real(), "{expr} has a place");
            }
            other => panic!("{expr} is {other:?}"),
        }
    }
}

#[test]
fn a_false_neighbour_makes_up_for_it() {
    for (pred, expected) in [
        ("0 /= 0 & 1 / 0 = 1", Some(false)),
        ("1 / 0 = 1 & 0 /= 0", Some(false)),
        ("1 / 0 = 1 or 1 = 1", Some(true)),
        ("1 / 0 = 1 => 1 = 1", Some(true)),
        ("1 = 2 => 1 / 0 = 1", Some(true)),
        ("1 / 0 = 1 & 1 = 1", None),
        ("1 / 0 = 1 or 1 = 2", None),
        ("1 / 0 = 1 => 1 = 2", None),
        ("not(1 / 0 = 1)", None),
        ("1 / 0 = 1 <=> 1 = 1", None),
        ("#x.(x : 0..2 & 4 / x = 2 & x /= 0)", Some(true)),
        ("#x.(x : 0..2 & 4 / x = 2)", Some(true)),
        ("#x.(x : 0..2 & 4 / x = 3)", None),
        ("!x.(x : 0..2 => 4 / x = 2)", Some(false)),
        ("#x.(x : 0..0 & 4 / x = 2 & x /= 0)", Some(false)),
        ("!x.(x : 0..2 & x /= 0 => 4 / x >= 2)", Some(true)),
        ("!x.(x : 0..2 => 4 / x >= 2)", None),
        ("{x | x : 0..4 & x /= 0 & 4 mod x = 0} = {1,2,4}", Some(true)),
    ] {
        match (truth(pred), expected) {
            (Ok(got), Some(expected)) => assert_eq!(got, expected, "{pred}"),
            (Err(EvalError::IllDefined { .. }), None) => {}
            (other, _) => panic!("{pred} is {other:?}"),
        }
    }
}

#[test]
fn limits_are_answers() {
    let reason = |expr: &str| match value(expr) {
        Err(EvalError::Unknown { reason, .. }) => Some(reason),
        _ => None,
    };
    assert_eq!(reason("union(POW(NATURAL))"), Some(UnknownReason::Infinite));
    assert_eq!(reason("card({x | x : NATURAL & x mod 2 = 0})"), Some(UnknownReason::Infinite));
    assert_eq!(reason("2 ** (2 ** 40)"), Some(UnknownReason::TooLarge));
    assert_eq!(reason("union(POW(1..60))"), Some(UnknownReason::TooLarge));
}

#[test]
fn a_budget_ends_every_search() {
    let text = "MACHINE T DEFINITIONS GOAL == #x.(x <: 1..60 & card(x) = 61) END";
    let model = common::model(text);
    let settings = Settings { max_steps: 10_000, ..Settings::of(&model) };
    let judge = Judge::new(&model, settings);
    let goal = model.special.goal.as_ref().expect("a goal");
    let scene = Scene::of(&State::blank(&model));
    match judge.holds(goal, &scene) {
        Err(EvalError::Unknown { reason, span }) => {
            assert_eq!(reason, UnknownReason::Steps);
            assert!(span.is_real());
        }
        other => panic!("{other:?}"),
    }
}
