//! Verdicts: what is confirmed, what is not, and never `holds` with a cut.

#![allow(clippy::unwrap_used)]

use beeline_compile::{Settings, System};
use beeline_explore::{Checks, Job, Limits, Options, explore};
use beeline_model::Model;
use beeline_pack::PackedSystem;
use beeline_source::MemoryLoader;
use beeline_verdict::{Obstacle, Outcome, Trace, Verdict, decide, follow};
use std::sync::Arc;

fn load(text: &str) -> (Model, System) {
    load_from(MemoryLoader::new().with("M.mch", text))
}

fn load_from(loader: MemoryLoader) -> (Model, System) {
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let system = System::compile(&model, &Settings::of(&model)).unwrap();
    (model, system)
}

fn check(clauses: &str, options: &Options) -> Outcome {
    run(load(&format!("MACHINE M {clauses} END")), options)
}

fn run((model, system): (Model, System), options: &Options) -> Outcome {
    let goal = model.special.goal.clone();
    let options = Options { threads: 1, ..options.clone() };
    let exploration = explore(&mut PackedSystem::general(&system), &Job::new(&options));
    decide(&model, &system, exploration, &Checks::default(), goal.as_ref(), &Arc::default())
}

fn word(clauses: &str) -> String {
    let outcome = check(clauses, &Options::default());
    let kind = match &outcome.verdict {
        Verdict::Violated(c) => outcome.findings[c.finding()].told.kind,
        Verdict::Undetermined(why) => panic!("{clauses}: {why}"),
        _ => "",
    };
    format!("{} {kind}", outcome.verdict.word())
}

const V: &str = "VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS ";

#[test]
fn each_verdict() {
    assert_eq!(word(&format!("{V} op = PRE v < 9 THEN v := v + 1 END; no = v := 0")), "holds ");
    assert_eq!(word(&format!("{V} op = v := v + 1")), "violated invariant");
    assert_eq!(word(&format!("{V} op = PRE v < 9 THEN v := v + 1 END")), "violated deadlock");
    assert_eq!(word(&format!("{V} op = v := 9 / v")), "violated well_definedness");
    assert_eq!(word(&format!("{V} op = ASSERT v > 0 THEN skip END")), "violated assert");
    let looping = "WHILE v < 3 DO v := v + 1 INVARIANT v <= 3 VARIANT 7 END";
    assert_eq!(word(&format!("{V} op = {looping}")), "violated loop_variant");
    let goal = format!("DEFINITIONS GOAL == v = 2 {V} op = PRE v < 9 THEN v := v + 1 END");
    assert_eq!(word(&goal), "goal_found ");
    assert_eq!(word("CONSTANTS c PROPERTIES c : 1..3 & c > 3"), "model_error ");
    let unbounded = format!("{V} op(p) = PRE p : NATURAL THEN v := p mod 9 END");
    assert_eq!(word(&unbounded), "no_error_found ");
    // A name without a value.
    let early = "VAR t IN IF v > 1 THEN t := 1 END; v := t END";
    assert_eq!(word(&format!("{V} op = {early}")), "violated well_definedness");
    let never = "VARIABLES v, w INVARIANT v : 0..9 & w : 0..9 INITIALISATION v := 1";
    assert_eq!(word(never), "violated well_definedness");
    // No operation at all is possible.
    assert_eq!(word("CONSTANTS c PROPERTIES c = 1"), "violated deadlock");
    assert_eq!(word("CONSTANTS c PROPERTIES c = 1 ASSERTIONS c = 2"), "violated assertion");
    let blocked = "VARIABLES v INVARIANT v : 0..9 INITIALISATION \
        ANY x WHERE x : 1..3 & x > 5 THEN v := x END";
    assert_eq!(word(blocked), "violated no_initial_state");
    let bad = "VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 1 / 0";
    assert_eq!(word(bad), "violated well_definedness");
}

/// Every checked conjunct is broken once, with gluing ones before, between and behind them in each of
/// three levels: what is told, shown and confirmed must be the very conjunct.
#[test]
fn a_finding_among_gluing_conjuncts_is_about_the_right_one() {
    let refined = |start: u32| {
        let text = format!(
            "REFINEMENT M REFINES R VARIABLES c INVARIANT c = b & c : NATURAL & c < 5 & b + c < 99
             & c /= 3 & b = b & c * 2 /= 4 & b < 50
             ASSERTIONS b = c; c /= 1; b > -1; 12 / (c - 4) /= 7; b : INTEGER
             INITIALISATION c := {start} END"
        );
        let loader = MemoryLoader::new()
            .with("M.mch", text.as_str())
            .with(
                "R.ref",
                "REFINEMENT R REFINES A VARIABLES b INVARIANT a = b & b < 9 & a + b < 99
                 INITIALISATION b := 0 END",
            )
            .with("A.mch", "MACHINE A VARIABLES a INVARIANT a : 0..3 INITIALISATION a := 0 END");
        let outcome = run(load_from(loader), &Options::default());
        let Verdict::Violated(confirmed) = &outcome.verdict else {
            panic!("{start}: {:?}", outcome.verdict);
        };
        let found = &outcome.findings[confirmed.finding()];
        (found.told.kind, found.told.name.clone(), found.formula.clone().unwrap_or_default())
    };
    let told = |kind, name: &str, formula: &str| (kind, name.to_owned(), formula.to_owned());
    assert_eq!(refined(6), told("invariant", "2", "c < 5"));
    assert_eq!(refined(3), told("invariant", "3", "c /= 3"));
    assert_eq!(refined(2), told("invariant", "4", "c * 2 /= 4"));
    assert_eq!(refined(1), told("assertion", "1", "c /= 1"));
    assert_eq!(refined(4), told("well_definedness", "2", ""));
    assert_eq!(refined(0).0, "deadlock");
}

#[test]
fn symbolic_constants_are_judged_too() {
    let text = "CONSTANTS f, n PROPERTIES f = %x.(x : NATURAL | x + 1) & n = f(3) \
        VARIABLES v INVARIANT v : 0..9 INITIALISATION v := n OPERATIONS op = v := f(v)";
    assert_eq!(word(text), "violated invariant");
}

#[test]
fn never_holds_with_a_cut() {
    let machine = format!("{V} op = PRE v < 9 THEN v := v + 1 END; no = v := 0");
    let limits = [
        Limits { states: Some(3), ..Limits::default() },
        Limits { depth: Some(2), ..Limits::default() },
        Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() },
        Limits { memory_bytes: Some(1), ..Limits::default() },
    ];
    for limits in limits {
        let outcome = check(&machine, &Options { limits, ..Options::default() });
        assert_eq!(outcome.verdict.word(), "no_error_found", "{limits:?}");
        assert!(!outcome.cuts.is_empty());
        assert_eq!(outcome.verdict.word(), "no_error_found");
    }
}

#[test]
fn the_parts_of_a_false_conjunct_have_values() {
    let text = "MACHINE M VARIABLES v INVARIANT v : 0..9 & card({v, v + 1}) = v \
        INITIALISATION v := 3 END";
    let (model, system) = load(text);
    let options = Options::default();
    let exploration = explore(&mut PackedSystem::general(&system), &Job::new(&options));
    let outcome = decide(&model, &system, exploration, &Checks::default(), None, &Arc::default());
    let values: Vec<&str> = outcome.findings[0].parts.iter().map(|p| p.value.as_str()).collect();
    assert_eq!(values, ["2", "{3,4}", "3"]);
}

#[test]
fn traces_are_kept_and_followed() {
    let text = "MACHINE M SETS S CONSTANTS c PROPERTIES c : S VARIABLES v INVARIANT v <: S & v /= S \
        INITIALISATION v := {} \
        OPERATIONS r <-- op(p) = PRE p : S & p /: v THEN v := v \\/ {p} || r := card(v) END END";
    let (model, system) = load(text);
    let options = Options::default();
    let exploration = explore(&mut PackedSystem::general(&system), &Job::new(&options));
    let outcome = decide(&model, &system, exploration, &Checks::default(), None, &Arc::default());
    let trace = &outcome.findings[0].trace;
    let json = serde_json::to_string(trace).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"{"schema":2,"model":"M","#,
            r#""scope":{"sets":[["S",2]],"maxint":3,"minint":-1},"steps":["#,
            r#"{"operation":"SETUP_CONSTANTS","parameters":{},"results":{},"state":{"c":"S1"}},"#,
            r#"{"operation":"INITIALISATION","parameters":{},"results":{},"state":{"v":"{}"}},"#,
            r#"{"operation":"op","parameters":{"p":"S1"},"results":{"r":"0"},"state":{"v":"{S1}"}},"#,
            r#"{"operation":"op","parameters":{"p":"S2"},"results":{"r":"1"},"#,
            r#""state":{"v":"{S1,S2}"}}]}"#
        )
    );
    let mut saved: Trace = serde_json::from_str(&json).unwrap();
    assert_eq!(&saved, trace);
    assert_eq!(follow(&system, &saved).unwrap().steps.len(), 2);
    saved.steps[3].parameters.0[0].1 = "S1".to_owned();
    let error = follow(&system, &saved).unwrap_err();
    assert_eq!((error.step, &error.obstacle), (3, &Obstacle::NotPossible("op".to_owned())));
    assert_eq!(error.to_string(), "step 4: op is not possible with these parameters");
    saved.steps[2].state.0[0].1 = "{S2}".to_owned();
    let error = follow(&system, &saved).unwrap_err();
    assert_eq!((error.step, error.obstacle), (2, Obstacle::LeadsElsewhere("op".to_owned())));
}

#[test]
fn conflicting_properties_are_named() {
    let text =
        "CONSTANTS a, b, c PROPERTIES a : 1..5 & b : 1..5 & c : 1..5 & a < b & c = 2 & b < a";
    let outcome = check(text, &Options::default());
    assert_eq!(outcome.verdict.word(), "model_error");
    let source = format!("MACHINE M {text} END");
    // Positions begin at one.
    let told: Vec<&str> = outcome
        .conflict
        .iter()
        .map(|s| &source[s.start as usize - 1..s.end as usize - 1])
        .collect();
    assert!(told.contains(&"a < b") && told.contains(&"b < a"), "{told:?}");
    assert!(!told.contains(&"c = 2") && !told.contains(&"c : 1..5"), "{told:?}");
}

#[test]
fn an_argument_comes_from_the_domain_of_the_function_it_is_given_to() {
    // Nothing else bounds i; values outside the domain are no candidates.
    let next = "CONSTANTS route PROPERTIES route : BOOL --> iseq1(1..3) & route(TRUE) = [3, 1, 2] & \
        route(FALSE) = [1] VARIABLES at INVARIANT at : 1..3 INITIALISATION at := 3 OPERATIONS \
        move(f, n) = PRE f : BOOL & n : 1..3 & \
            #i.(i : NATURAL1 & route(f)(i) = at & route(f)(i + 1) = n) THEN at := n END; \
        back = at := 3";
    assert_eq!(word(next), "violated well_definedness");
    let safe = next.replace("#i.(i : NATURAL1 &", "#i.(i : NATURAL1 & i < size(route(f)) &");
    assert_eq!(word(&safe), "holds ");
}
