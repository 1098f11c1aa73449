//! Formulas on which the two evaluators once differed, and what they are.

use beeline_compare::outcome::{Agreement, Outcome, agreement, by_engine, by_judge};
use beeline_compile::System;
use beeline_judge::{Judge, Scene, ShowValue, State};
use beeline_model::{Expr, ExprKind, Formula, Model, TypeTable};
use beeline_source::{MemoryLoader, Span};

const WORLD: &str = "MACHINE World SETS D = {d1, d2, d3} END";

/// What both say, or how they differ.
fn both(text: &str) -> String {
    let loader = MemoryLoader::new().with("World.mch", WORLD);
    let loaded = beeline_model::load_with(&loader, "World.mch", &[text]);
    let Some(model) = loaded.model else { panic!("{text}: {:?}", loaded.diagnostics.list()) };
    let expr = match loaded.formulas.into_iter().next().flatten() {
        Some(Formula::Expr(expr)) => expr,
        Some(Formula::Pred(_, pred)) => {
            Expr { kind: ExprKind::BoolOf(Box::new(pred)), ty: TypeTable::BOOL, span: Span::NONE }
        }
        None => panic!("{text} is no formula"),
    };
    let settings =
        beeline_compile::Settings { steps: 100_000, ..beeline_compile::Settings::of(&model) };
    let mut system = System::compile(&model, &settings).expect("it compiles");
    let id = system.add_expr(&model, &expr).expect("it compiles");
    let engine = by_engine(&system, id, &[], &mut system.scratch());
    let settings =
        beeline_judge::Settings { max_steps: 100_000, ..beeline_judge::Settings::of(&model) };
    let judge = Judge::new(&model, settings);
    let judged = by_judge(&judge, &expr, &Scene::of(&State::blank(&model)));
    match agreement(&engine, &judged) {
        Agreement::Equal => shown(&model, &judged, &expr),
        Agreement::IllDefined => "ill-defined".to_owned(),
        Agreement::Open => "given up".to_owned(),
        Agreement::Different => format!("engine {engine:?}, judge {judged:?}"),
    }
}

fn shown(model: &Model, outcome: &Outcome, expr: &Expr) -> String {
    match outcome {
        Outcome::Value(value) => ShowValue::typed(model, value, expr.ty).to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn once_different() {
    let mut wrong = Vec::new();
    for (formula, expected) in [
        // Zero times is the identity on the type, whatever the relation.
        ("iterate({d1 |-> d2} - {d1 |-> d2}, 0)", "{(d1|->d1),(d2|->d2),(d3|->d3)}"),
        // Sizes beyond a machine word.
        ("card(-9223372036854775808 .. 3)", "9223372036854775812"),
        ("real(100000000000000000000)", "1.0e20"),
        // A false conjunct wins over an ill-defined one, also one that bounds a name.
        ("#(x, y).(x : inter({{1}} - {{1}}) & y : {1} - {1})", "FALSE"),
        ("SIGMA(x).(x >= 1 & x <= (-2) mod 7 & x <= 0 | x)", "0"),
        ("SIGMA(x).(x >= 1 & x <= (-2) mod 7 & x <= 3 | x)", "ill-defined"),
        // A true candidate or alternative wins over an ill-defined one.
        ("#x.(x : 0..2 & 4 / x = 2)", "TRUE"),
        ("!x.(x : 0..2 => 4 / x = 2)", "FALSE"),
        ("{x | x : 0..2 & (1 / (x - x) = 1 or x < 3)}", "{0,1,2}"),
        ("{x | x >= 0 & x <= 3 & (x < 2 or x > size({2 |-> 5}))}", "ill-defined"),
        // Functions into nothing: there is one.
        ("{f | f : {1, 2} +->> ({1} - {1})}", "{{}}"),
        ("{x, f | x : 0..1 & f : {1} >+>> ({1} - {1})}", "{(0|->{}),(1|->{})}"),
        // Sets that are described, not listed, compare by their elements.
        ("%x.(x : INTEGER & 1 = 2 | 3) : {{}} - {{1 |-> 1}}", "TRUE"),
        ("{d1 |-> {}} /\\ %y.(y : D | {x | x > 3 & 1 = 2})", "{(d1|->{})}"),
        ("{{}, {1}} - {{(x, y).(x : STRING & y >= 4 & y <= 1) | y}}", "{{1}}"),
        // A set with an ill-defined condition has no value, even if nobody asks for its elements.
        ("{1 |-> 2}[{x | x > 0 & 1 / 0 = 1}]", "ill-defined"),
        // Of nothing there is no intersection; but nothing must be certain.
        ("INTER(x).(x : 1..0 | {x})", "ill-defined"),
        // Work that nobody counted.
        (
            "-9223372036854775808 .. 9223372036854775807 <: -9223372036854775807 .. 9223372036854775807",
            "FALSE",
        ),
        ("#(x, y).(x : 0..1000000000000 & y : 0..1000000000000 & x < y & y < x)", "given up"),
        // The least integer of a word has no absolute value.
        (
            "union({f | f : {-9223372036854775808} >->> {-9223372036854775808}})",
            "{(-9223372036854775808|->-9223372036854775808)}",
        ),
        // Logic of what has no meaning.
        ("2 : {x | x : {1} & 1 / 0 = 1}", "FALSE"),
        ("IF 1 / 0 = 1 THEN 1 = 2 ELSE 1 = 2 END", "FALSE"),
        ("IF 1 / 0 = 1 THEN 1 = 1 ELSE 1 = 1 END", "ill-defined"),
        ("{1, 1 / 0} <: {2}", "FALSE"),
        ("#x.(x : {1} - {1} & x = max({1} - {1}))", "FALSE"),
        ("rec(a : 1, b : 2) : struct(a : {3}, b : inter({{1}} - {{1}}))", "FALSE"),
        ("INTER(x).(x = d1 or (x : {d1} & 1 / 0 = 1) | {x})", "{d1}"),
        ("1 / 0 = 1 or (-2 .. 100000000000000000000 * 100000000000000000000) /= {}", "given up"),
        // Membership in an intersection is a conjunction.
        ("5 : {6} /\\ inter({{1}} - {{1}})", "FALSE"),
    ] {
        let found = both(formula);
        if found != expected {
            wrong.push(format!("{formula}\n    is {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
