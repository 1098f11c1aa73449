//! Random machines: that the harness sees what it must see, and every machine on which some
//! configuration was wrong once, in all configurations.

#![allow(clippy::unwrap_used)]

use beeline::Tier;
use beeline::por::Usage;
use beeline::verdict::VerdictKind;
use beeline_compare::contest::{Choice, Config, Contest, Run, Tally, compare, hold, run};
use beeline_compare::machines::{self, shrink};
use beeline_compare::plain::{self, Bounds, Kind, Plain};
use beeline_model::ConjunctId;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No clock decides here.
const BOUNDS: Bounds = Bounds {
    states: 5_000,
    transitions: 100_000,
    time: Duration::from_secs(600),
    steps: 5_000_000,
};

fn explored(text: &str) -> (beeline::model::Model, Plain) {
    let texts = [("M.mch".to_owned(), text.to_owned())];
    let loaded = machines::load(&texts);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let plain = plain::explore(&model, BOUNDS);
    (model, plain)
}

/// The files of a kept machine: one, or those of a folder with the main one first by name.
fn kept() -> Vec<(PathBuf, Vec<(String, String)>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let file = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut parts: Vec<PathBuf> =
                std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()).collect();
            parts.sort();
            all.push((path, parts.iter().map(|p| file(p)).collect()));
        } else if path.extension().is_some_and(|e| e == "mch") {
            let (_, text) = file(&path);
            all.push((path, vec![("M.mch".to_owned(), text)]));
        }
    }
    all
}

#[test]
fn machines_that_were_wrong_once() {
    let mut wrong = Vec::new();
    for (path, texts) in kept() {
        let loaded = machines::load(&texts);
        let model = loaded.model.unwrap_or_else(|| panic!("{}", path.display()));
        let plain = plain::explore(&model, BOUNDS);
        if let Some((config, difference)) = hold(&model, &plain, &Config::all(), None) {
            wrong.push(format!("{}: {config}: {difference:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reference_counts_by_hand() {
    // Three processes of which at most one is active: 1 + 3 states, 2 up to renaming; starting one
    // and stopping it are 3 + 3 steps, initialisation is one more.
    let (_, plain) = explored(
        "MACHINE M SETS P DEFINITIONS scope_P == 1..3 VARIABLES s INVARIANT s <: P & card(s) <= 1
         INITIALISATION s := {} OPERATIONS
           start(p) = PRE p : P & s = {} THEN s := {p} END;
           stop(p) = PRE p : s THEN s := s - {p} END END",
    );
    assert_eq!((plain.nodes(), plain.transitions), (5, 7));
    assert_eq!(plain.orbits.as_ref().map(|o| o.states), Some(2));
    assert!(plain.is_exact() && plain.findings.is_empty());
}

#[test]
fn a_choice_that_fails_hides_no_other() {
    // From 0 one choice divides by zero, the others lead to 6, 3 and 2; the steps of initialisation and
    // of three choices in each of four states.
    let (model, plain) = explored(
        "MACHINE M VARIABLES v INVARIANT v : 0..6 INITIALISATION v := 0
         OPERATIONS op = ANY x WHERE x : 0..3 THEN v := 6 / x END END",
    );
    assert_eq!((plain.nodes(), plain.transitions), (5, 13));
    assert_eq!(plain.findings.get(&Kind::Operation(0)), Some(&4));
    for config in Config::all() {
        let run = run(&model, &plain, &config);
        assert_eq!(compare(&config, &run, &plain, None), None, "{config}");
    }
}

#[test]
fn the_reference_finds_what_is_wrong() {
    // 0, 1, 2, 3: the invariant is false in 2 and 3, there is no way on from 3, and one meaning
    // less in 1.
    let (_, plain) = explored(
        "MACHINE M VARIABLES x INVARIANT x : 0..3 & x < 2 & 6 / (1 - x) < 9 INITIALISATION x := 0
         OPERATIONS up = PRE x < 3 THEN x := x + 1 END END",
    );
    let found: Vec<(Kind, u64)> = plain.findings.iter().map(|(k, n)| (*k, *n)).collect();
    let expected = [
        (Kind::Violated(ConjunctId::Invariant(1)), 2),
        (Kind::Undefined(ConjunctId::Invariant(2)), 1),
        (Kind::Deadlock, 1),
    ];
    assert_eq!(found, expected);
}

#[test]
fn symbolic_states_are_met_once() {
    let (_, plain) = explored(
        "MACHINE M VARIABLES s INVARIANT s <: INTEGER INITIALISATION s := NATURAL
         OPERATIONS other = s := {x | x : INTEGER & x >= 0} END",
    );
    assert_eq!((plain.states, plain.symbolic), (1, true), "{plain:?}");
}

/// A result with something wrong in it must be seen, or comparing is of no use.
#[test]
fn wrong_results_are_differences() {
    let (model, plain) = explored(
        "MACHINE M SETS P DEFINITIONS scope_P == 1..3 VARIABLES s INVARIANT s <: P
         INITIALISATION s := {} OPERATIONS add(p) = PRE p : P THEN s := s \\/ {p} END END",
    );
    let config = Config::plain();
    let right = run(&model, &plain, &config);
    assert_eq!(compare(&config, &right, &plain, None), None);
    assert_eq!((right.verdict, right.nodes), (Some(VerdictKind::Holds), 9));
    let kind = |wrong: Run| compare(&config, &wrong, &plain, Some(&right)).map(|d| d.kind);
    assert_eq!(kind(Run { nodes: 8, ..right.clone() }), Some("states"));
    assert_eq!(kind(Run { transitions: 1, ..right.clone() }), Some("transitions"));
    assert_eq!(kind(Run { checksum: Some(1), ..right.clone() }), Some("checksum"));
    let found = Run { verdict: Some(VerdictKind::Violated), ..right.clone() };
    assert_eq!(kind(found), Some("false violation"));
    assert_eq!(kind(Run { panicked: true, ..right.clone() }), Some("panic"));
    let left_out = [beeline::compile::CutReason::LargeSet].into_iter().collect();
    let cut = Run {
        verdict: Some(VerdictKind::NoErrorFound),
        cuts: left_out,
        complete: false,
        ..right.clone()
    };
    assert_eq!(kind(cut), Some("cut"));
    // One class too few.
    let reduced = Config { symmetry: beeline::symmetry::Mode::Canonical, ..config.clone() };
    let classes = run(&model, &plain, &reduced);
    assert_eq!(classes.nodes, 5);
    assert_eq!(compare(&reduced, &classes, &plain, Some(&right)), None);
    let fewer = Run { nodes: 4, ..classes };
    assert_eq!(compare(&reduced, &fewer, &plain, Some(&right)).map(|d| d.kind), Some("orbits"));
}

#[test]
fn false_holds_is_seen() {
    let (model, plain) = explored(
        "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS up = x := 2 END",
    );
    let right = run(&model, &plain, &Config::plain());
    assert_eq!(right.verdict, Some(VerdictKind::Violated));
    let wrong = Run { verdict: Some(VerdictKind::Holds), kinds: Default::default(), ..right };
    let difference = compare(&Config::default_run(), &wrong, &plain, None);
    assert_eq!(difference.map(|d| d.kind), Some("false holds"));
}

#[test]
fn configurations_are_read_as_they_are_shown() {
    for config in Config::all() {
        assert_eq!(config.to_string().parse::<Config>(), Ok(config.clone()), "{config}");
    }
}

#[test]
fn machines_shrink_to_what_matters() {
    let machine = (1..).map(|seed| Contest::new(machines::machine, Choice::All).machine(seed));
    let machine = machine.into_iter().find(|m| m.texts()[0].1.contains("ANY")).unwrap();
    let small =
        shrink::shrink(&machine, Duration::from_secs(600), &mut |m| m.texts()[0].1.contains("ANY"));
    assert!(small.texts()[0].1.len() < 200, "{}", small.texts()[0].1);
}

#[test]
fn most_machines_load_and_are_known() {
    let contest = Contest::new(machines::machine, Choice::Some(1));
    let mut tally = Tally::default();
    for seed in 1..=60 {
        let found = contest.one(seed, &mut tally);
        assert!(found.is_none(), "{found:?}");
    }
    assert!(tally.loaded >= 50, "{tally}\n{:?}", tally.refusals());
}

#[test]
fn most_models_of_several_machines_load() {
    let contest = Contest::new(machines::compose::model, Choice::Some(1));
    let mut tally = Tally::default();
    for seed in 1..=60 {
        let found = contest.one(seed, &mut tally);
        assert!(found.is_none(), "{found:?}");
    }
    assert!(tally.loaded >= 45, "{tally}\n{:?}", tally.refusals());
}

#[test]
fn machines_of_small_steps_load() {
    let contest = Contest::new(machines::processes::processes, Choice::Some(2));
    let mut tally = Tally::default();
    for seed in 1..=60 {
        let found = contest.one(seed, &mut tally);
        assert!(found.is_none(), "{found:?}");
    }
    assert!(tally.loaded >= 58, "{tally}\n{:?}", tally.refusals());
}

/// In every way to search, the same kinds of findings as in the whole state space.
#[test]
fn what_partial_order_leaves_out_loses_nothing() {
    let mut ordered: Vec<Config> = Config::all();
    ordered.retain(|c| c.partial_order != Usage::Off && c.threads == 1 && c.tier != Tier::Native);
    assert!(ordered.len() > 10);
    for generator in [machines::machine, machines::compose::model, machines::processes::processes] {
        let contest = Contest::new(generator, Choice::These(ordered.clone()));
        let mut tally = Tally::default();
        let (from, to) = range();
        for seed in from..=to {
            let found = contest.one(seed, &mut tally);
            assert!(found.is_none(), "{found:?}");
        }
    }
}

/// A few; others if somebody says `SEEDS=1000-2000`.
fn range() -> (u64, u64) {
    let said = std::env::var("SEEDS").ok();
    let pair = said.as_deref().and_then(|s| s.split_once('-'));
    let number = |text: &str| text.parse().ok();
    pair.and_then(|(from, to)| number(from).zip(number(to))).unwrap_or((1, 12))
}

#[test]
fn a_definition_that_nothing_uses_names_nothing() {
    let text = |goal: &str| {
        format!(
            "E0 = {{e00}}\nFORCE_SYMMETRY_E0 == TRUE;\ndm0(d) == (e00);\ndm1(d) == (dm0(d))\n{goal}\n"
        )
    };
    let named = |goal: &str| machines::names_forced(&machines::without_unused(&text(goal)));
    assert!(!named("GOAL == 1 = 1"));
    assert!(named("GOAL == dm1(1) = dm1(2)"));
    // Nor does an argument that the definition does not look at.
    let text = |body: &str| format!("FORCE_SYMMETRY_E0 == TRUE;\ndm1(d) == ({body})\ndm1((e00))\n");
    let named = |body: &str| machines::names_forced(&machines::without_unused(&text(body)));
    assert!(!named("1 = 1"));
    assert!(named("d = d"));
}
