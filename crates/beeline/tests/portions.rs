//! Valuations of the constants, initial states and steps that come in portions: nothing is lost,
//! nothing comes twice, and what is found does not depend on how large portions are.

#![allow(clippy::unwrap_used)]

use beeline::compile::{Arguments, CutReason, OperationIndex};
use beeline::explore::{
    Cancel, Checkpoint, Exploration, Finding, FindingKind, First, Limits, Options, Order, Spill,
};
use beeline::model::{ConjunctId, Model};
use beeline::source::MemoryLoader;
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Checked, Tier};
use std::time::Duration;

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline::model::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

fn run(model: &Model, options: &CheckOptions) -> Exploration {
    let checked = Checked::run(model, options, &Cancel::new(), &|_| {});
    checked.unwrap_or_else(|e| panic!("{e:?}")).outcome.exploration
}

/// 33 valuations, up to five initial states and a dozen steps each; one valuation in the middle leads
/// to a wrong state, another one to a dead end, and one cannot begin.
const MANY: &str = "CONSTANTS c, d PROPERTIES c : 10..20 & d : 0..2 \
    VARIABLES x, s INVARIANT x : 0..9 & s <: 0..9 & not(c = 11 & d = 1 & s = {2, 3}) \
    INITIALISATION SELECT c /= 17 or d /= 2 THEN x :: 0..c mod 5 || s := {} END OPERATIONS \
    up = PRE x < c mod 7 THEN x := x + 1 END; \
    put(e) = PRE e : 0..d + c mod 3 & card(s) < 2 & (c, d) /= (13, 0) THEN s := s \\/ {e} END; \
    back = PRE x > 0 & s /= {} & (c, d) /= (13, 0) THEN x := 0 || s := {} END; \
    stay = PRE (c, d) /= (13, 0) THEN skip END";

/// One valuation, but a hundred initial states and steps.
const WIDE: &str = "VARIABLES x, y INVARIANT x : 0..12 & y : 0..12 & x + y /= 23 \
    INITIALISATION x :: 0..9 || y :: 0..9 OPERATIONS \
    go(a, b) = PRE a : 0..12 & b : 0..12 & a /= x THEN x := a || y := b END; \
    fall = PRE y = 12 THEN y := 1 / (y - 12) END";

const SMALL: First = First { setups: 3, initial: 7, steps: 4 };

fn options(order: &str, threads: usize, first: First) -> CheckOptions {
    let order = Order::by_name(order).unwrap();
    let explore = Options { all: true, stats: true, threads, order, first, ..Options::default() };
    CheckOptions { explore, ..CheckOptions::default() }
}

/// What does not depend on the order in which states are found.
fn lasting(found: &Exploration) -> String {
    let mut kinds: Vec<String> =
        found.findings.iter().map(|f: &Finding| format!("{:?}", kind(&f.kind))).collect();
    kinds.sort();
    let counts = &found.counts;
    format!(
        "{} {} {} {:?} {:?} {kinds:?} {:?}",
        counts.nodes,
        counts.constants,
        counts.transitions,
        found.covered,
        found.stats.as_ref().map(|s| s.checksum),
        found.cuts.list(),
    )
}

/// A finding without the place and the values that show it.
fn kind(kind: &FindingKind) -> (u8, usize) {
    match kind {
        FindingKind::Violated(id @ ConjunctId::Invariant(_)) => (0, id.index()),
        FindingKind::Operation(f) => (1, f.operation.map_or(99, |o| o.0)),
        FindingKind::Deadlock => (2, 0),
        FindingKind::NoInitialState => (3, 0),
        _ => (9, 0),
    }
}

#[test]
fn every_order_and_engine_finds_the_same() {
    for (text, nodes) in [(MANY, None), (WIDE, Some(13 * 13 + 1))] {
        let model = model(text);
        let known = run(&model, &options("bf", 1, First::default()));
        assert_eq!(known.findings.len(), if nodes.is_none() { 3 } else { 2 });
        assert!(nodes.is_none_or(|n| known.counts.nodes == n), "{}", known.counts.nodes);
        let orders = ["bf", "df", "mixed", "random", "hash", "out-degree", "proof", "auto"];
        for (order, threads) in orders.into_iter().zip([1, 3].into_iter().cycle()) {
            let found = run(&model, &options(order, threads, SMALL));
            assert_eq!(lasting(&found), lasting(&known), "{order} {threads}");
            assert!(!found.minimal);
        }
        for engine in [Tier::General, Tier::Packed] {
            let found = run(&model, &CheckOptions { engine, ..options("bf", 2, SMALL) });
            assert_eq!(lasting(&found), lasting(&known), "{engine:?}");
        }
        for setups in [1, 19] {
            let first = First { setups, initial: setups, steps: setups };
            let found = run(&model, &options("bf", 1, first));
            assert_eq!(lasting(&found), lasting(&known), "{setups}");
        }
    }
}

#[test]
fn depths_are_those_of_the_model() {
    let model = model(MANY);
    // A limit of depth counts from initialisation, whenever that comes.
    for depth in 0..4 {
        let limited = |first| {
            let mut options = options("bf", 2, first);
            options.explore.limits = Limits { depth: Some(depth), ..Limits::default() };
            run(&model, &options)
        };
        let (known, found) = (limited(First::default()), limited(SMALL));
        assert_eq!((found.counts.nodes, found.depth), (known.counts.nodes, known.depth), "{depth}");
        assert_eq!(found.counts.transitions, known.counts.transitions);
    }
}

#[test]
fn threads_change_nothing() {
    for text in [MANY, WIDE] {
        let model = model(text);
        for all in [true, false] {
            let told = |threads| {
                let mut options = options("bf", threads, SMALL);
                options.explore.all = all;
                let found = run(&model, &options);
                // Words of sets mean something in one run only; those of numbers are the same.
                let steps = |f: &Finding| -> Vec<(OperationIndex, Arguments)> {
                    f.path.steps.iter().map(|s| (s.operation, s.arguments.clone())).collect()
                };
                let paths: Vec<_> = found.findings.iter().map(steps).collect();
                (found.counts, found.depth, paths)
            };
            let one = told(1);
            assert!(one == told(2) && one == told(4), "all: {all}");
        }
    }
}

#[test]
fn states_on_disk_and_hashes_are_no_other_states() {
    for text in [MANY, WIDE] {
        let model = model(text);
        let known = run(&model, &options("bf", 1, First::default()));
        for (after, threads) in [(1, 1), (40, 2), (150, 1)] {
            for order in ["bf", "auto"] {
                let mut options = options(order, threads, SMALL);
                options.explore.spill = Spill { after_states: Some(after), ..Spill::default() };
                let found = run(&model, &options);
                assert_eq!(found.troubles, [""; 0]);
                assert_eq!(lasting(&found), lasting(&known), "{after} {order}");
            }
        }
        let mut options = options("bf", 2, SMALL);
        options.explore.hash_compaction = true;
        let found = run(&model, &options);
        assert_eq!(found.counts.nodes, known.counts.nodes);
        assert_eq!(found.counts.transitions, known.counts.transitions);
        assert_eq!(found.findings.len(), known.findings.len());
    }
}

#[test]
fn symmetry_counts_the_same_classes() {
    let text = "SETS S CONSTANTS a, k PROPERTIES a : S & k : 1..3 & card(S) = 3 VARIABLES s, t \
        INVARIANT s <: S & t : S +-> 0..k INITIALISATION s :: POW(S) || t := {} OPERATIONS \
        in(e) = PRE e : S - s THEN s := s \\/ {e} END; \
        put(e, n) = PRE e : s & n : 0..k THEN t(e) := n END";
    let model = model(text);
    for symmetry in [Mode::None, Mode::Constants, Mode::Markers, Mode::Canonical, Mode::Flood] {
        let with = |first| {
            let options = CheckOptions { symmetry, ..options("bf", 2, first) };
            run(&model, &options)
        };
        let (known, found) = (with(First::default()), with(SMALL));
        assert_eq!(found.counts.nodes, known.counts.nodes, "{symmetry:?}");
        assert_eq!(found.findings.len(), known.findings.len());
    }
}

#[test]
fn a_search_goes_on_in_the_middle_of_its_portions() {
    for (text, name) in [(MANY, "many"), (WIDE, "wide")] {
        let model = model(text);
        for order in ["bf", "df", "auto"] {
            let known = run(&model, &options(order, 1, SMALL));
            let folder = std::env::temp_dir()
                .join(format!("beeline-portions-{}-{name}-{order}", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            let (mut rounds, mut resumed) = (0, 0);
            let last = loop {
                let mut options = options(order, 1 + rounds % 2, SMALL);
                options.explore.checkpoint = Some(Checkpoint {
                    folder: folder.clone(),
                    every: Duration::ZERO,
                    resume: true,
                    identity: [7; 32],
                });
                rounds += 1;
                let piece = Duration::from_micros(400 << (2 * rounds).min(30));
                options.explore.limits.time = Some(piece);
                let found = run(&model, &options);
                resumed += usize::from(found.resumed.is_some());
                let summed = found.stats.as_ref().is_some_and(|stats| stats.checksum.is_some());
                if found.cuts.is_empty() && summed {
                    break found;
                }
            };
            let _ = std::fs::remove_dir_all(&folder);
            assert_eq!(lasting(&last), lasting(&known), "{order} {rounds} {resumed}");
            assert_eq!(last.depth, known.depth);
        }
    }
}

#[test]
fn what_is_near_is_found_before_everything_is_there() {
    // Without an end: millions of valuations, of initial states, of steps of one state.
    let all = [
        "CONSTANTS r PROPERTIES r : 1..5 <-> 1..5 VARIABLES n INVARIANT n : 0..3 \
            INITIALISATION n := 0 OPERATIONS inc = BEGIN n := n + 1 END",
        // One of them is wrong.
        "CONSTANTS k PROPERTIES k : 1..100000000 VARIABLES n INVARIANT k = 70 => n < 8 \
            INITIALISATION n := 0 OPERATIONS inc = BEGIN n := (n + 1) mod 9 END",
        "VARIABLES s INVARIANT s <: INTEGER & card(s) < 4 INITIALISATION s :: POW(1..60) OPERATIONS op = skip",
        "VARIABLES s INVARIANT s <: INTEGER & card(s) < 4 INITIALISATION s := {} OPERATIONS \
            op(t) = PRE t : POW(1..60) THEN s := t END",
        "VARIABLES x, y INVARIANT x /= 300 or y < 2 INITIALISATION x, y := 0, 0 OPERATIONS \
            op(t) = PRE t : 0..100000000000 & x = 0 THEN x := t END; \
            more = PRE x = 300 THEN y := y + 1 END; stay = skip",
    ];
    for text in all {
        let model = model(text);
        for order in ["bf", "df"] {
            let mut options = options(order, 2, First { setups: 5, initial: 5, steps: 5 });
            options.explore.all = false;
            let found = run(&model, &options);
            let kinds: Vec<_> = found.findings.iter().map(|f| kind(&f.kind)).collect();
            assert_eq!(kinds, [(0, kinds[0].1)], "{order} {text}");
            assert!(found.stopped_at_finding);
        }
    }
}

#[test]
fn a_limit_before_the_end_is_a_cut() {
    let model = model(
        "CONSTANTS k PROPERTIES k : 1..100000000 VARIABLES n INVARIANT n : INTEGER \
        INITIALISATION n := 0 OPERATIONS inc = BEGIN n := (n + 1) mod 10 END",
    );
    let mut options = options("bf", 1, SMALL);
    options.explore.limits.states = Some(5000);
    let found = run(&model, &options);
    let reasons: Vec<String> =
        found.cuts.list().iter().map(|c| format!("{:?}", c.reason)).collect();
    assert!(["Constants", "States"].iter().all(|r| reasons.iter().any(|s| s == r)), "{reasons:?}");
    assert!(!found.is_complete() && found.counts.constants > 100);
}

#[test]
fn whoever_is_stopped_on_the_way_has_taken_nothing() {
    // Most of the time goes into initial states that were taken before.
    let model = model(
        "VARIABLES x, y INVARIANT x : NATURAL & y : 0..2 INITIALISATION x :: 0..100000000 || y := 0 \
        OPERATIONS step = PRE y < 2 THEN y := y + 1 END; stay = skip",
    );
    for millis in (1..40).step_by(3) {
        let mut options = options("bf", 1, First { initial: 1, ..SMALL });
        options.explore.limits.time = Some(Duration::from_millis(millis));
        let found = run(&model, &options);
        let has = |reason| found.cuts.list().iter().any(|c| c.reason == reason);
        assert!(has(CutReason::Time) && has(CutReason::InitialStates) && !found.is_complete());
        assert!(found.findings.is_empty());
        assert!(found.counts.transitions <= 3 * found.counts.nodes, "{:?}", found.counts);
    }
}
