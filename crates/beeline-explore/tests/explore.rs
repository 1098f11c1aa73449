//! Exact counts, the same for any number of threads and any search order; limits as cuts.

#![allow(clippy::unwrap_used)]

use beeline_compile::{CutReason, Settings, System};
use beeline_explore::{Cancel, Exploration, FindingKind, Limits, Options, Order, explore};
use beeline_model::Promise;
use beeline_source::MemoryLoader;
use std::time::Duration;

/// A machine of these clauses, compiled.
fn system(clauses: &str) -> System {
    system_with(clauses, |_| {})
}

fn system_with(clauses: &str, change: impl FnOnce(&mut Settings)) -> System {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_model::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let mut settings = Settings::of(&model);
    change(&mut settings);
    System::compile(&model, &settings).unwrap()
}

fn run(system: &System, options: &Options) -> Exploration {
    explore(system, options, &Cancel::new(), &|_| {})
}

fn one_thread() -> Options {
    Options { threads: 1, ..Options::default() }
}

/// Three counters up to 19: 8000 states, 3 * 19 * 20 * 20 steps and the initialisation.
const COUNTERS: &str = "VARIABLES x, y, z INVARIANT x : 0..19 & y : 0..19 & z : 0..19 \
    INITIALISATION x, y, z := 0, 0, 0 OPERATIONS \
    a = PRE x < 19 THEN x := x + 1 END; \
    b = PRE y < 19 THEN y := y + 1 END; \
    c = PRE z < 19 THEN z := z + 1 END";

#[test]
fn counts_are_exact() {
    let found = run(&system(COUNTERS), &Options { all: true, ..one_thread() });
    assert_eq!((found.counts.nodes, found.counts.states()), (8001, 8000));
    assert_eq!(found.counts.transitions, 3 * 19 * 400 + 1);
    assert_eq!(found.counts.constants, 0);
    assert_eq!(found.depth, 57);
    assert_eq!(found.covered, [7600, 7600, 7600]);
    assert!(found.is_complete());
    // The only state without successors is the last one.
    assert_eq!(found.findings.len(), 1);
    assert_eq!(found.findings[0].kind, FindingKind::Deadlock);
    assert_eq!(found.findings[0].path.steps.len(), 57);
}

#[test]
fn threads_change_nothing() {
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x + y + z < 23 & x * y < 90 INIT");
    let system = system(&text);
    let known = run(&system, &Options { all: true, ..one_thread() });
    assert_eq!(known.findings.len(), 3);
    for threads in [2, 4] {
        let found = run(&system, &Options { all: true, threads, ..Options::default() });
        assert_eq!(found.counts, known.counts);
        assert_eq!(found.covered, known.covered);
        for (a, b) in found.findings.iter().zip(&known.findings) {
            assert_eq!((&a.kind, &a.path), (&b.kind, &b.path));
        }
        let first = run(&system, &Options { threads, ..Options::default() });
        assert!(first.stopped_at_finding && !first.is_complete());
        assert_eq!(first.findings[0].path, known.findings[0].path);
        assert_eq!(first.counts, run(&system, &one_thread()).counts);
    }
    // Shortest: the first sum of 23 is 23 steps away; 9 * 10 is 19 steps away.
    assert_eq!(known.findings[0].path.steps.len(), 19);
    assert_eq!(known.findings[1].path.steps.len(), 23);
}

#[test]
fn orders_visit_the_same_states() {
    let system = system(COUNTERS);
    for name in ["bf", "df", "mixed", "mixed:20", "random"] {
        let order = Order::by_name(name).unwrap();
        let found = run(&system, &Options { all: true, order, ..one_thread() });
        assert_eq!((found.counts.states(), found.counts.transitions), (8000, 22801), "{name}");
        assert_eq!(found.findings.len(), 1, "{name}");
    }
    assert_eq!(Order::by_name("mixed:101"), None);
    assert_eq!(Order::by_name("distance"), None);
}

#[test]
fn unchanged_conjuncts_are_skipped_and_nothing_is_missed() {
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x < 18 & y < 20 INIT");
    let system = system(&text);
    let lazy = run(&system, &Options { all: true, ..one_thread() });
    let eager = run(&system, &Options { all: true, skip_unchanged: false, ..one_thread() });
    assert!(lazy.counts.invariant_evaluations * 2 < eager.counts.invariant_evaluations);
    assert_eq!(lazy.findings.len(), eager.findings.len());
    assert_eq!(lazy.findings[0].path, eager.findings[0].path);
}

#[test]
fn constants_and_initial_states_are_nodes() {
    let text = "CONSTANTS n PROPERTIES n : 1..3 VARIABLES v INVARIANT v : 1..3 \
        INITIALISATION v :: 1..n OPERATIONS stay = skip";
    let found = run(&system(text), &one_thread());
    // Three set-ups with one, two and three initial states; each stays where it is.
    assert_eq!((found.counts.constants, found.counts.nodes), (3, 1 + 3 + 6));
    assert_eq!(found.counts.transitions, 3 + 6 + 6);
    let found = run(&system("CONSTANTS n PROPERTIES n : 1..3"), &one_thread());
    assert_eq!((found.counts.states(), found.counts.transitions), (6, 6));
    let found = run(&system("CONSTANTS n PROPERTIES n : 1..3 & n > 3"), &one_thread());
    assert!(found.no_setup && found.counts.states() == 0);
}

#[test]
fn equal_steps_count_once() {
    let text = "VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0 OPERATIONS \
        a(p) = PRE p : 0..1 THEN v := 0 END; \
        b = CHOICE v := 0 OR v := 0 END; \
        r <-- c = ANY q WHERE q : 0..3 THEN v := 0 || r := q mod 2 END";
    let found = run(&system(text), &one_thread());
    // Two arguments, one outcome, two results; and the initialisation.
    assert_eq!((found.counts.states(), found.counts.transitions), (1, 2 + 1 + 2 + 1));
}

fn first(clauses: &str) -> FindingKind {
    let found = run(&system(clauses), &one_thread());
    found.findings.first().map(|f| f.kind.clone()).unwrap_or_else(|| panic!("{clauses}: nothing"))
}

fn fault(clauses: &str) -> beeline_compile::FaultKind {
    match first(clauses) {
        FindingKind::Operation(f) | FindingKind::Initialisation(f) => f.kind,
        other => panic!("{clauses}: {other:?}"),
    }
}

#[test]
fn every_check_finds_what_it_looks_for() {
    use beeline_compile::FaultKind;
    let machine = |invariant: &str, body: &str| {
        format!("VARIABLES v INVARIANT {invariant} INITIALISATION v := 0 OPERATIONS op = {body}")
    };
    assert_eq!(first(&machine("v : 0..9 & v < 1", "v := 1")), FindingKind::Invariant(1));
    assert_eq!(first(&machine("v : 0..9", "PRE v > 0 THEN skip END")), FindingKind::Deadlock);
    let undefined = first(&machine("v : 0..9 & 1 / (v - 1) < 5", "v := 1"));
    assert!(matches!(undefined, FindingKind::InvariantUndefined(1, _)), "{undefined:?}");
    let operation = |body: &str| fault(&machine("v : INTEGER", body));
    assert_eq!(operation("v := 1 / v"), FaultKind::Arithmetic);
    assert_eq!(operation("v := {1 |-> 2}(v)"), FaultKind::OutsideDomain);
    assert_eq!(operation("v := min({x | x : 1..3 & x > v + 5})"), FaultKind::EmptySet);
    assert_eq!(operation("ASSERT v = 1 THEN skip END"), FaultKind::Promise(Promise::Assert));
    let looping = |invariant: &str, variant: &str| {
        format!("WHILE v < 3 DO v := v + 1 INVARIANT {invariant} VARIANT {variant} END")
    };
    assert_eq!(operation(&looping("v < 2", "3 - v")), FaultKind::LoopInvariant);
    assert_eq!(operation(&looping("v : 0..3", "5")), FaultKind::LoopVariant);
    let assertions = "CONSTANTS n PROPERTIES n = 2 VARIABLES v INVARIANT v : 0..2 \
        ASSERTIONS n = 2; v < 2; n = 3 INITIALISATION v := 0 \
        OPERATIONS op = BEGIN v := 2 END";
    let all = run(&system(assertions), &Options { all: true, ..one_thread() });
    let kinds: Vec<_> = all.findings.iter().map(|f| (f.kind.clone(), f.path.steps.len())).collect();
    assert_eq!(kinds, [(FindingKind::Assertion(2), 0), (FindingKind::Assertion(1), 1)]);
    assert!(all.findings[0].path.initial.is_none());
}

#[test]
fn goals_and_blocked_initialisations_are_found() {
    let goal = system(
        "VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 \
        DEFINITIONS GOAL == v = 3 OPERATIONS op = PRE v < 9 THEN v := v + 1 END",
    );
    let found = run(&goal, &Options { goal: goal.goal(), ..one_thread() });
    assert_eq!(found.findings[0].kind, FindingKind::Goal);
    assert_eq!(found.findings[0].path.steps.len(), 3);
    let blocked = "VARIABLES v INVARIANT v : 0..9 INITIALISATION \
        ANY x WHERE x : 1..3 & x > 5 THEN v := x END";
    assert_eq!(first(blocked), FindingKind::NoInitialState);
}

fn only_cut(system: &System, limits: Limits) -> Exploration {
    let found = run(system, &Options { limits, all: true, ..one_thread() });
    assert!(!found.is_complete());
    found
}

#[test]
fn limits_are_cuts() {
    let counters = system(COUNTERS);
    let found = only_cut(&counters, Limits { states: Some(500), ..Limits::default() });
    assert!(found.cuts.has(CutReason::States));
    assert!((500..800).contains(&found.counts.nodes), "{}", found.counts.nodes);
    let found = only_cut(&counters, Limits { depth: Some(5), ..Limits::default() });
    assert!(found.cuts.has(CutReason::Depth));
    // All states up to five steps away: binomial(8, 3).
    assert_eq!(found.counts.states(), 56);
    let time = Some(Duration::ZERO);
    let found = only_cut(&counters, Limits { time, ..Limits::default() });
    assert!(found.cuts.has(CutReason::Time) && !found.cuts.has(CutReason::Interrupted));
    let found = only_cut(&counters, Limits { memory_bytes: Some(1), ..Limits::default() });
    assert!(found.cuts.has(CutReason::Memory));
}

#[test]
fn cancelling_is_a_cut() {
    let cancel = Cancel::new();
    cancel.cancel();
    let endless = "VARIABLES v INVARIANT v : NATURAL INITIALISATION v := 0 \
        OPERATIONS op = BEGIN v := v + 1 END";
    let found = explore(&system(endless), &one_thread(), &cancel, &|_| {});
    assert!(found.cuts.has(CutReason::Interrupted));
}

#[test]
fn a_single_endless_evaluation_obeys_the_clock() {
    let endless = "VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS op = \
        WHILE v >= 0 DO v := v + 1 INVARIANT v >= 0 VARIANT 1000000000 - v END";
    let time = Some(Duration::from_millis(100));
    let found = only_cut(&system(endless), Limits { time, ..Limits::default() });
    assert!(found.cuts.has(CutReason::Time));
    let short = system_with(endless, |s| s.steps = 10_000);
    let found = run(&short, &one_thread());
    assert!(found.cuts.has(CutReason::EvaluationSteps), "{:?}", found.cuts);
}

#[test]
fn partial_enumerations_are_cuts() {
    let has = |clauses: &str, reason: CutReason| {
        let found = run(&system(clauses), &Options { all: true, ..one_thread() });
        assert!(found.cuts.has(reason), "{clauses}: {:?}", found.cuts.list());
        assert!(!found.is_complete());
    };
    let machine = "VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS ";
    has(&format!("{machine} op(p) = PRE p : NATURAL & p > v THEN v := p END"), CutReason::LargeSet);
    has("CONSTANTS n PROPERTIES n : NATURAL", CutReason::Constants);
    has("VARIABLES v INVARIANT v : NATURAL INITIALISATION v :: NATURAL", CutReason::InitialStates);
    let scope = format!("DEFINITIONS SCOPE == v < 3 {machine} op = PRE v < 9 THEN v := v + 1 END");
    has(&scope, CutReason::Ignored);
}

#[test]
fn limits_on_set_ups_and_initial_states() {
    let limits = Limits { states: Some(10), ..Limits::default() };
    let found = only_cut(&system("CONSTANTS n PROPERTIES n : 1..1000"), limits);
    assert!(found.cuts.has(CutReason::Constants) && found.cuts.has(CutReason::States));
    let text = "VARIABLES v INVARIANT v : 1..1000 INITIALISATION v :: 1..1000";
    let found = only_cut(&system(text), limits);
    assert!(found.cuts.has(CutReason::InitialStates) && found.cuts.has(CutReason::States));
}
