//! Exact counts, the same for any number of threads and any search order; limits as cuts.

#![allow(clippy::unwrap_used)]

use beeline_compile::{CutReason, OperationIndex, Settings, System};
use beeline_explore::{
    Cancel, Checkpoint, Checks, Counts, Effort, Exploration, FindingKind, Job, Limits, Options,
    Order, Proof, Spill, explore, shorten,
};
use beeline_model::{ConjunctId, OperationId, Preserved, Promise};
use beeline_pack::PackedSystem;
use beeline_source::MemoryLoader;
use std::time::Duration;

/// A machine of these clauses, compiled.
fn system(clauses: &str) -> System {
    system_with(clauses, |_| {})
}

fn system_with(clauses: &str, change: impl FnOnce(&mut Settings)) -> System {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let mut settings = Settings::of(&model);
    change(&mut settings);
    System::compile(&model, &settings).unwrap()
}

fn run(system: &System, options: &Options) -> Exploration {
    explore(&mut PackedSystem::general(system), &Job::new(options))
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
    for order in orders() {
        let found = run(&system, &Options { all: true, order, ..one_thread() });
        assert_eq!((found.counts.states(), found.counts.transitions), (8000, 22801), "{order}");
        assert_eq!(found.findings.len(), 1, "{order}");
        assert_eq!(found.minimal, order == Order::BreadthFirst, "{order}");
    }
}

/// All orders that need nothing from the model.
fn orders() -> Vec<Order> {
    let names = Order::names()
        .into_iter()
        .filter(|n| !["custom", "distance", "portfolio"].contains(n) && *n != "mixed:P");
    names.chain(["mixed:20", "mixed"]).map(|name| Order::by_name(name).unwrap()).collect()
}

#[test]
fn a_run_repeats_in_every_order_with_any_number_of_threads() {
    for order in orders() {
        let runs = [1, 1, 3].map(|threads| {
            let options = Options { all: true, order, threads, ..Options::default() };
            run(&system(SETS), &options)
        });
        for other in &runs[1..] {
            assert_eq!(other.counts, runs[0].counts, "{order}");
            assert_eq!(other.depth, runs[0].depth, "{order}");
            let lengths = |e: &Exploration| {
                let steps = e.findings.iter().map(|f| f.path.steps.len());
                steps.collect::<Vec<_>>()
            };
            assert_eq!(lengths(other), lengths(&runs[0]), "{order}");
        }
    }
}

#[test]
fn the_model_may_say_which_states_are_promising() {
    let text = COUNTERS.replace(
        "VARIABLES",
        "DEFINITIONS GOAL == x = 19 & y = 19; HEURISTIC_FUNCTION == 38 - x - y VARIABLES",
    );
    let system = system(&text);
    let options = Options { order: Order::Custom, ..one_thread() };
    let found = run(&system, &options);
    assert_eq!(found.findings[0].path.steps.len(), 38);
    // One state after the other: those beside the way are not expanded.
    assert!(found.counts.states() < 38 * 3, "{}", found.counts.states());
    let blind = run(&system, &Options { order: Order::BreadthFirst, ..options });
    assert!(blind.counts.states() > 6000);
}

#[test]
fn unchanged_conjuncts_are_skipped_and_nothing_is_missed() {
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x < 18 & y < 20 INIT");
    let system = system(&text);
    let lazy = run(&system, &Options { all: true, ..one_thread() });
    let eager = run(&system, &Options { all: true, proof: Proof::Off, ..one_thread() });
    assert!(lazy.counts.invariant_evaluations * 2 < eager.counts.invariant_evaluations);
    assert_eq!(lazy.findings.len(), eager.findings.len());
    assert_eq!(lazy.findings[0].path, eager.findings[0].path);
}

/// A machine of these clauses, and who was proved to preserve which conjunct: an operation by its
/// number, or initialisation.
fn proved(clauses: &str, proofs: &[(Option<u32>, u32)]) -> System {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let mut model = beeline_elaborate::load(&loader, "M.mch").model.unwrap();
    let proof = |(operation, invariant): &(Option<u32>, u32)| Preserved {
        operation: operation.map(OperationId),
        conjunct: ConjunctId::Invariant(*invariant),
    };
    model.proofs = proofs.iter().map(proof).collect();
    System::compile(&model, &Settings::of(&model)).unwrap()
}

/// Counts without those of evaluations: what steps vouch for is known in memory only, so that there
/// are more after a move to disk or a new start.
fn lasting(counts: &Counts) -> Counts {
    Counts {
        invariant_evaluations: 0,
        invariant_evaluations_known: 0,
        guard_evaluations: counts.guard_evaluations + counts.guard_evaluations_known,
        guard_evaluations_known: 0,
        ..counts.clone()
    }
}

/// Evaluations, and those that were not needed.
fn evaluations(found: &Exploration) -> (u64, u64) {
    (found.counts.invariant_evaluations, found.counts.invariant_evaluations_known)
}

#[test]
fn what_one_of_the_steps_into_a_state_vouches_for_is_known() {
    // Two states; both operations lead from the first to the second, and one conjunct is proved
    // for each of them.
    let text = "VARIABLES f, x INVARIANT f : NATURAL1 +-> NATURAL & x > 3 \
        INITIALISATION f, x := {1 |-> 100}, 10 \
        OPERATIONS a = f, x := {1 |-> 100}, f(1) ; b = f, x := f \\/ {1 |-> 100}, 100";
    let system = proved(text, &[(Some(0), 0), (Some(1), 1)]);
    let found = run(&system, &one_thread());
    assert_eq!((found.counts.states(), evaluations(&found)), (2, (2, 2)));
    let found = run(&system, &Options { proof: Proof::Off, ..one_thread() });
    assert_eq!(evaluations(&found), (4, 0));
    let found = run(&system, &Options { proof: Proof::Audit, ..one_thread() });
    assert_eq!((evaluations(&found), found.contradictions.len()), ((4, 2), 0));
    // Initialisation can be proved, too.
    let system = proved(text, &[(None, 0), (None, 1), (Some(0), 0), (Some(1), 1)]);
    assert_eq!(evaluations(&run(&system, &one_thread())), (0, 4));
}

#[test]
fn a_state_that_fails_vouches_for_nothing() {
    // What is false at first stays false, so the proof is right, and of no use.
    let text = "VARIABLES x INVARIANT x : INTEGER & x > 5 INITIALISATION x := 0 \
        OPERATIONS turn = x := (x + 1) mod 4";
    let system = proved(text, &[(Some(0), 1)]);
    let found = run(&system, &Options { all: true, ..one_thread() });
    assert_eq!((found.findings.len(), evaluations(&found)), (1, (4, 0)));
    assert!(found.contradictions.is_empty());
}

#[test]
fn a_contradiction_names_who_was_wrong() {
    // `keep` and initialisation preserve it, as was proved; `break` does not.
    let text = "VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER & x <= 3 INITIALISATION x, y := 0, 0 \
        OPERATIONS keep = PRE y < 9 THEN y, x := y + 1, x + 0 END; \
        break = PRE x < 4 & y = 5 THEN x := x + 4 END";
    let system = proved(text, &[(None, 2), (Some(0), 2), (Some(1), 2)]);
    for proof in [Proof::On, Proof::Trust, Proof::Audit] {
        let options = Options { all: true, proof, ..one_thread() };
        let found = run(&system, &options);
        let wrong: Vec<_> = found.contradictions.iter().map(|c| c.operations.clone()).collect();
        assert_eq!(wrong, [vec![Some(OperationIndex(1))]], "{proof:?}");
        assert_eq!(found.contradictions[0].steps, 6, "{proof:?}");
    }
}

#[test]
fn a_wrong_proof_is_noticed() {
    let text = "VARIABLES x INVARIANT x : INTEGER & x < 3 INITIALISATION x := 0 \
        OPERATIONS up = PRE x < 5 THEN x := x + 1 END";
    let system = proved(text, &[(Some(0), 1)]);
    for proof in [Proof::On, Proof::Off, Proof::Audit] {
        let options = Options { all: true, proof, ..one_thread() };
        let options = Options { checks: Checks { deadlock: false, ..options.checks }, ..options };
        let found = run(&system, &options);
        assert_eq!(found.findings.len(), 1, "{proof:?}");
        assert_eq!(found.findings[0].path.steps.len(), 3);
        let wrong: Vec<_> = found
            .contradictions
            .iter()
            .map(|c| (c.conjunct, c.operations.clone(), c.steps))
            .collect();
        let expected = if proof == Proof::Off {
            vec![]
        } else {
            vec![(ConjunctId::Invariant(1), vec![Some(OperationIndex(0))], 3)]
        };
        assert_eq!((wrong, found.troubles.len()), (expected, usize::from(proof == Proof::On)));
    }
}

#[test]
fn a_state_that_was_not_visited_speaks_against_no_proof() {
    // Both initial states are wrong; the second waits when the search ends with the first.
    let text = "CONSTANTS k PROPERTIES k : 0..1 VARIABLES x INVARIANT x : INTEGER & x > 5 \
        INITIALISATION x := k OPERATIONS turn = x := x + 0";
    let system = proved(text, &[(Some(0), 1)]);
    for name in ["bf", "df", "auto"] {
        let found = run(&system, &Options { order: Order::by_name(name).unwrap(), ..one_thread() });
        assert_eq!((found.findings.len(), found.contradictions.len()), (1, 0), "{name}");
        assert!(found.stopped_at_finding && found.troubles.is_empty(), "{name}");
    }
}

#[test]
fn what_is_known_does_not_depend_on_threads() {
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x + y < 39 & y + z < 40 INIT");
    let system = proved(&text, &[(Some(0), 3), (Some(2), 4), (None, 3)]);
    for name in ["bf", "df", "mixed:30", "random", "proof"] {
        let order = Order::by_name(name).unwrap();
        let of = |threads, proof| {
            let found = run(&system, &Options { all: true, order, threads, proof, ..one_thread() });
            assert_eq!((found.counts.states(), found.findings.len()), (8000, 1), "{name}");
            evaluations(&found)
        };
        let (made, known) = of(1, Proof::On);
        assert!(made > 0 && known > made && made + known == 5 * 8000, "{name}: {made} {known}");
        assert_eq!(of(3, Proof::On), (made, known), "{name}");
        assert_eq!(of(2, Proof::Off), (5 * 8000, 0));
        assert_eq!(of(2, Proof::Audit), (5 * 8000, known));
    }
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
    assert_eq!(
        first(&machine("v : 0..9 & v < 1", "v := 1")),
        FindingKind::Violated(ConjunctId::Invariant(1))
    );
    assert_eq!(first(&machine("v : 0..9", "PRE v > 0 THEN skip END")), FindingKind::Deadlock);
    let undefined = first(&machine("v : 0..9 & 1 / (v - 1) < 5", "v := 1"));
    assert!(
        matches!(undefined, FindingKind::Undefined(ConjunctId::Invariant(1), _)),
        "{undefined:?}"
    );
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
    let violated = |n| FindingKind::Violated(ConjunctId::Assertion(n));
    assert_eq!(kinds, [(violated(2), 0), (violated(1), 1)]);
    assert!(all.findings[0].path.initial.is_none());
}

#[test]
fn goals_and_blocked_initialisations_are_found() {
    let goal = system(
        "VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 \
        DEFINITIONS GOAL == v = 3 OPERATIONS op = PRE v < 9 THEN v := v + 1 END",
    );
    let found = run(&goal, &one_thread());
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
    let found = explore(
        &mut PackedSystem::general(&system(endless)),
        &Job { cancel, ..Job::new(&one_thread()) },
    );
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
    has(
        &format!("{machine} op(p) = PRE p : NATURAL & p > v & v < 9 THEN v := p END"),
        CutReason::LargeSet,
    );
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

/// A folder of this test's own, gone when the test is over.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("beeline-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn checkpoint(folder: &Folder, resume: bool) -> Option<Checkpoint> {
    let every = Duration::from_millis(3);
    Some(Checkpoint { folder: folder.0.clone(), every, resume, identity: [7; 32] })
}

/// Counters and a set, so that states hold interned values; two findings on the way.
const SETS: &str = "SETS S = {a, b} CONSTANTS k PROPERTIES k : 1..2 VARIABLES x, s, f \
    INVARIANT x : 0..9 & s <: S & f : S +-> 0..2 & card(s) + x < 6 & (x = 4 => f /= {}) \
    INITIALISATION x, s, f := 0, {}, {} OPERATIONS \
    up = PRE x < 4 THEN x := x + 1 END; \
    put(e) = PRE e : S THEN s := s \\/ {e} END; \
    map(e, n) = PRE e : S & n : 0..2 & n <= k THEN f(e) := n END";

#[test]
fn an_interrupted_search_goes_on_from_its_checkpoint() {
    for order in ["bf", "df", "random", "out-degree-hash", "novelty"] {
        let order = Order::by_name(order).unwrap();
        let options = Options { all: true, threads: 2, order, stats: true, ..Options::default() };
        let known = run(&system(SETS), &options);
        assert_eq!(known.findings.len(), 2);
        let folder = Folder::new("resume");
        let mut rounds = 0;
        let last = loop {
            // Each round is another process as far as values are concerned.
            let system = system(SETS);
            let cancel = Cancel::new();
            let options = Options { checkpoint: checkpoint(&folder, true), ..options.clone() };
            rounds += 1;
            let found = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(1 << rounds.min(20)));
                    cancel.cancel();
                });
                let job = Job { cancel: cancel.clone(), ..Job::new(&options) };
                explore(&mut PackedSystem::general(&system), &job)
            });
            assert_eq!(found.refused, None);
            // The sum over all states can be interrupted, too.
            let summed = found.stats.as_ref().is_some_and(|stats| stats.checksum.is_some());
            if !found.cuts.has(CutReason::Interrupted) && summed {
                break found;
            }
        };
        assert_eq!(lasting(&last.counts), lasting(&known.counts));
        assert_eq!((last.depth, &last.covered), (known.depth, &known.covered));
        let sums = [&last, &known].map(|e| e.stats.as_ref().unwrap().checksum);
        assert_eq!(sums[0], sums[1]);
        for (a, b) in last.findings.iter().zip(&known.findings) {
            assert_eq!(a.kind, b.kind);
            assert_eq!(a.path.steps.len(), b.path.steps.len());
        }
        // All is known now: going on once more finds the same at once.
        let options = Options { checkpoint: checkpoint(&folder, true), ..options };
        let again = run(&system(SETS), &options);
        assert_eq!((lasting(&again.counts), again.findings.len()), (lasting(&known.counts), 2));
        assert!(again.resumed.is_some());
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let folder = Folder::new("refuse");
    let options = Options { checkpoint: checkpoint(&folder, false), ..one_thread() };
    let machine = system(COUNTERS);
    assert_eq!(run(&machine, &options).refused, None);
    let refused = |options: &Options| {
        run(&machine, options).refused.map_or(String::new(), |r| r.words().to_owned())
    };
    assert!(refused(&options).contains("--resume"), "{}", refused(&options));
    let mut other = Options { checkpoint: checkpoint(&folder, true), ..one_thread() };
    other.checkpoint.as_mut().unwrap().identity = [8; 32];
    assert!(refused(&other).contains("another model"), "{}", refused(&other));
    let options = Options { checkpoint: checkpoint(&folder, true), ..one_thread() };
    for file in ["beeline.log", "beeline.manifest"] {
        let path = folder.0.join(file);
        let whole = std::fs::read(&path).unwrap();
        let mut bad = whole.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        std::fs::write(&path, bad).unwrap();
        assert!(refused(&options).contains("damaged"), "{}", refused(&options));
        std::fs::write(&path, whole).unwrap();
    }
    assert_eq!(run(&machine, &options).refused, None);
}

#[test]
fn the_checksum_is_of_the_set_of_states() {
    let sum = |text: &str, change: &dyn Fn(&mut Options)| {
        let mut options = Options { all: true, stats: true, ..one_thread() };
        change(&mut options);
        run(&system(text), &options).stats.unwrap().checksum
    };
    let known = sum(SETS, &|_| {});
    assert_eq!(known, sum(SETS, &|o| o.threads = 3));
    assert_eq!(known, sum(SETS, &|o| o.order = Order::DepthFirst));
    assert_eq!(known, sum(SETS, &|o| o.proof = Proof::Off));
    // The same states by other operations, in another order, from other values.
    let other = SETS.replace("up = PRE x < 4 THEN x := x + 1 END;", "");
    let other = other.replace("INITIALISATION x, s", "INITIALISATION x :: 0..4 || s");
    assert_eq!(known, sum(&other.replace(":: 0..4 || s, f := 0,", ":: 0..4 || s, f :="), &|_| {}));
    assert_ne!(known, sum(&SETS.replace("x < 4", "x < 3"), &|_| {}));
}

#[test]
fn statistics_tell_how_often_and_where() {
    let options = Options { all: true, stats: true, clocks: true, ..one_thread() };
    let found = run(&system(COUNTERS), &options);
    let stats = found.stats.unwrap();
    assert_eq!(stats.operations.iter().map(|s| s.times).collect::<Vec<_>>(), [8000; 3]);
    assert_eq!(found.covered, [7600; 3]);
    assert_eq!((stats.width, stats.waves >= 58), (3, true));
    assert!(stats.table.keys >= 24_000 && stats.table.total() < 32 * 8000, "{:?}", stats.table);
    let checks: u64 = stats.invariants.iter().map(|s| s.times).sum();
    assert_eq!(checks, found.counts.invariant_evaluations);
    // Clocks change nothing else.
    let plain = run(&system(COUNTERS), &Options { all: true, ..one_thread() });
    assert_eq!((plain.counts, plain.covered), (found.counts, found.covered));
}

#[test]
fn states_on_disk_change_nothing() {
    let spilled = |after: usize, threads: usize, all: bool| {
        let spill = Spill { after_states: Some(after), ..Spill::default() };
        Options { all, threads, stats: true, spill, ..Options::default() }
    };
    for text in [SETS, COUNTERS] {
        for all in [true, false] {
            let known = run(&system(text), &Options { all, stats: true, ..one_thread() });
            for (after, threads) in [(1, 1), (50, 2), (3000, 1)] {
                let found = run(&system(text), &spilled(after, threads, all));
                assert_eq!(found.troubles, [""; 0]);
                assert_eq!(found.counts.nodes, known.counts.nodes, "{after} {all}");
                assert_eq!(lasting(&found.counts), lasting(&known.counts));
                assert_eq!((found.depth, &found.covered), (known.depth, &known.covered));
                let stats = [&found, &known].map(|e| e.stats.clone().unwrap());
                assert_eq!(stats[0].checksum, stats[1].checksum);
                assert!(stats[0].disk > 0 || after == 3000);
                for (a, b) in found.findings.iter().zip(&known.findings) {
                    assert_eq!(a.kind, b.kind);
                    assert_eq!(a.path.steps.len(), b.path.steps.len());
                }
                assert_eq!(found.is_complete(), known.is_complete());
            }
        }
    }
}

#[test]
fn a_disk_that_cannot_be_used_is_a_cut() {
    let folder = std::env::temp_dir().join("beeline-no-such-folder");
    let spill = Spill { folder, after_states: Some(100), ..Spill::default() };
    let found = run(&system(COUNTERS), &Options { spill, ..one_thread() });
    assert!(found.cuts.has(CutReason::Disk) && !found.is_complete());
    assert_eq!(found.troubles.len(), 1);
}

#[test]
fn evaluations_keep_to_the_memory() {
    for text in [
        // Millions of interned sets in a single evaluation.
        "VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS \
            op = PRE v = 0 THEN v := card({s, x | s <: 1..20 & x : 1..9 & card(s) mod x < 9}) END",
        // A million million initial states.
        "VARIABLES v, w INVARIANT v : INTEGER & w : INTEGER \
            INITIALISATION v :: 1..1000000 || w :: 1..1000000",
    ] {
        // What the process holds already counts; other tests run beside this one.
        let limit = beeline_explore::resident_bytes().unwrap_or(0) + (60 << 20);
        let limits = Limits { memory_bytes: Some(limit), ..Limits::default() };
        let checks = Checks { deadlock: false, ..Checks::default() };
        let spill = Spill { never: true, ..Spill::default() };
        let found = run(&system(text), &Options { limits, checks, spill, ..one_thread() });
        assert!(found.cuts.has(CutReason::Memory), "{:?}", found.cuts.list());
        let peak = found.peak_memory_bytes.unwrap();
        assert!(peak < limit + (60 << 20), "{peak} {limit}");
    }
}

#[test]
fn hash_compaction_finds_the_same_and_says_what_it_is() {
    for text in [SETS, COUNTERS] {
        let known = run(&system(text), &Options { all: true, ..one_thread() });
        for threads in [1, 2] {
            let options =
                Options { all: true, threads, hash_compaction: true, ..Options::default() };
            let found = run(&system(text), &options);
            assert_eq!(found.counts.nodes, known.counts.nodes);
            assert_eq!(found.counts.transitions, known.counts.transitions);
            assert!(found.cuts.has(CutReason::HashCompaction) && !found.is_complete());
            let words = &found.cuts.list()[0].words;
            assert!(words.contains("probability of at most"), "{words}");
            assert_eq!(found.findings.len(), known.findings.len());
            for (a, b) in found.findings.iter().zip(&known.findings) {
                assert_eq!((&a.kind, a.path.steps.len()), (&b.kind, b.path.steps.len()));
            }
        }
    }
}

#[test]
fn the_usual_order_goes_on_breadth_first_when_states_move_to_disk() {
    let spill = Spill { after_states: Some(500), ..Spill::default() };
    for order in [Order::Auto, Order::Probe] {
        let options =
            Options { all: true, order, spill: spill.clone(), stats: true, ..one_thread() };
        let found = run(&system(COUNTERS), &options);
        assert_eq!((found.counts.states(), found.counts.transitions), (8000, 22801), "{order}");
        assert!(found.is_complete() && found.findings.len() == 1);
        assert!(found.stats.unwrap().disk > 0, "{order}");
        assert!(!found.minimal);
    }
}

#[test]
fn small_models_have_shortest_traces_in_the_usual_order() {
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x + y < 6 INIT");
    let found = run(&system(&text), &Options { order: Order::Auto, ..one_thread() });
    assert!(found.minimal && found.findings[0].path.steps.len() == 6);
    let text = COUNTERS.replace("z : 0..19 INIT", "z : 0..19 & x + y < 30 INIT");
    let found = run(&system(&text), &Options { order: Order::Auto, ..one_thread() });
    assert!(!found.minimal && found.findings[0].path.steps.len() >= 30);
}

#[test]
fn shortcuts_keep_both_ends() {
    // Steps back and forth: depth-first search makes many detours.
    let text = "VARIABLES x, y INVARIANT x : 0..30 & y : 0..30 & not(x = 9 & y = 9) \
        INITIALISATION x, y := 0, 0 OPERATIONS \
        right = PRE x < 30 THEN x := x + 1 END; left = PRE x > 0 THEN x := x - 1 END; \
        up = PRE y < 30 THEN y := y + 1 END; down = PRE y > 0 THEN y := y - 1 END";
    let system = system(text);
    let found = run(&system, &Options { order: Order::DepthFirst, ..one_thread() });
    let long = &found.findings[0].path;
    assert!(long.steps.len() > 40, "{}", long.steps.len());
    let little = Effort { window: 40, total: 2_000 };
    let packed = PackedSystem::general(&system);
    let less = shorten(&packed, long, little, &|| false);
    assert!(less.steps.len() < long.steps.len());
    assert_eq!((less.last(), &less.initial), (long.last(), &long.initial));
    let much = Effort { window: 5_000, total: 100_000 };
    assert_eq!(shorten(&packed, long, much, &|| false).steps.len(), 18);
    assert_eq!(shorten(&packed, long, much, &|| true).steps.len(), long.steps.len());
}
