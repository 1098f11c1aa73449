//! Search orders from outside: every order, hunts, shortest traces, shortening, repeated runs.

use crate::Folder;
use serde_json::Value;

/// A grid with a goal in a corner, and more users than it needs.
const GRID: &str = "MACHINE Grid SETS USER
  DEFINITIONS GOAL == x = 25 & y = 25 & card(seen) = 2;
    HEURISTIC_FUNCTION == 50 - x - y
  VARIABLES x, y, seen INVARIANT x : 0..40 & y : 0..40 & seen <: USER & x < 39
  INITIALISATION x, y := 0, 0 || seen := {}
  OPERATIONS
    right = PRE x < 40 THEN x := x + 1 END; left = PRE x > 0 THEN x := x - 1 END;
    up = PRE y < 40 THEN y := y + 1 END; down = PRE y > 0 THEN y := y - 1 END;
    see(u) = PRE u : USER - seen & x = 3 THEN seen := seen \\/ {u} END;
    corner = PRE x = 40 & y = 40 THEN skip END
  END";

/// All of them, and two of those with a number.
fn orders() -> impl Iterator<Item = &'static str> {
    let names = beeline::explore::Order::names().into_iter().filter(|name| *name != "mixed:P");
    names.chain(["mixed", "mixed:33"])
}

fn folder(name: &str) -> Folder {
    Folder::new(name).with("Grid.mch", GRID)
}

fn check(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[&["check", "--json", "--no-invariants"], arguments].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.out, ran.err))
}

fn steps(found: &Value) -> usize {
    found["finding"]["trace"].as_array().unwrap().len()
}

#[test]
fn every_order_finds_the_goal_with_symmetry_and_threads() {
    let folder = folder("search-orders");
    let sizes = ["--set-size", "USER=3", "Grid.mch"];
    for order in orders() {
        for (mode, threads) in [("none", "1"), ("hybrid", "2"), ("canonical", "1")] {
            let more = ["--search", order, "--symmetry", mode, "--threads", threads];
            let found = check(&folder, &[&more[..], &sizes].concat());
            assert_eq!(found["verdict"], "goal_found", "{order} {mode}");
            assert_eq!(found["finding"]["confirmed"], true, "{order} {mode}");
            // 50 moves, two users, the initial state.
            assert!(steps(&found) >= 53, "{order} {mode}");
            if order == "bf" {
                assert_eq!(
                    (steps(&found), &found["finding"]["shortest"]),
                    (53, &Value::Bool(true))
                );
            }
        }
    }
    // Who knows where to go looks at few states.
    let states = |order| {
        let found = check(&folder, &["--search", order, "Grid.mch"]);
        found["counts"]["states"].as_u64().unwrap()
    };
    assert!(states("distance") * 3 < states("bf"), "{} {}", states("distance"), states("bf"));
    assert!(states("auto") < states("bf"), "{} {}", states("auto"), states("bf"));
}

#[test]
fn a_hunt_leads_to_what_it_is_after() {
    let folder = folder("search-hunts");
    let found = check(&folder, &["--no-goal", "--hunt", "operation:corner", "Grid.mch"]);
    assert_eq!((found["verdict"].as_str(), steps(&found)), (Some("goal_found"), 81));
    assert_eq!(found["search"], "distance");
    let ran = folder.run(&["check", "--json", "--no-goal", "--hunt", "invariant:4", "Grid.mch"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((found["verdict"].as_str(), steps(&found)), (Some("violated"), 40));
    for (hunt, words) in [
        ("invariant:9", "no invariant 9"),
        ("operation:fly", "no operation fly"),
        ("happiness", "expected invariant:NAME"),
    ] {
        let ran = folder.run(&["check", "--hunt", hunt, "Grid.mch"]);
        assert!(ran.code == Some(2) && ran.err.contains(words), "{hunt}: {}", ran.err);
    }
    let ran = folder.run(&["check", "--no-goal", "--search", "distance", "Grid.mch"]);
    assert!(ran.code == Some(2) && ran.err.contains("--hunt"), "{}", ran.err);
}

#[test]
fn reports_say_whether_a_trace_is_minimal_and_shorten_cuts_it_down() {
    let folder = folder("search-shorten");
    let ran = folder.run(&["check", "--shortest", "--no-invariants", "Grid.mch"]);
    assert!(ran.out.contains("no shorter trace exists"), "{}", ran.out);
    let trace = folder.path("t.json");
    let short = folder.path("s.json");
    let (trace, short) = (trace.to_str().unwrap(), short.to_str().unwrap());
    let more = ["--search", "random", "--seed", "5", "--trace", trace, "Grid.mch"];
    let ran = folder.run(&[&["check", "--no-invariants"], &more[..]].concat());
    assert!(ran.out.contains("a shorter trace may exist (search order random)"), "{}", ran.out);
    let ran = folder.run(&["shorten", "Grid.mch", trace, "--out", short]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("53 steps instead of "), "{}", ran.out);
    let ran = folder.run(&["replay", "Grid.mch", short]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "replayed: 53 steps\nat its end: the goal was reached\n")
    );
}

#[test]
fn runs_repeat_byte_for_byte() {
    let folder = folder("search-repeat");
    for order in ["df", "mixed:33", "random", "probe", "auto", "distance"] {
        let traces = ["a.json", "b.json"].map(|name| {
            let path = folder.path(name);
            let more = ["--search", order, "--seed", "7", "--threads", "1", "--trace"];
            let more = [&more[..], &[path.to_str().unwrap(), "Grid.mch"]].concat();
            let found = check(&folder, &more);
            (found["counts"].clone(), folder.read(name))
        });
        assert_eq!(traces[0], traces[1], "{order}");
    }
}

/// Lengths that Bendisposto, Borgermans and Leuschel (2010) give for shortest solutions; set-up and
/// initialisation count as steps. Needs the development corpus.
#[test]
#[allow(clippy::print_stderr)]
fn published_lengths() {
    let Some(corpus) = std::env::var_os("BEELINE_CORPUS") else {
        return eprintln!("BEELINE_CORPUS is not set: skipped");
    };
    let models = std::path::Path::new(&corpus).join("models/B");
    let folder = Folder::new("search-lengths");
    for (file, length) in [
        ("Puzzles/Wegenetz.mch", 14),
        ("SymmetryReduction/RussianPostalPuzzle.mch", 10),
        ("Demo/TrainTorchPuzzle.mch", 7),
        ("Puzzles/BlocksWorldGeneric.mch", 6),
        ("Puzzles/Farmer.mch", 9),
        ("Puzzles/Hanoi.mch", 33),
        ("Puzzles/Puzzle8_difficult.mch", 17),
        ("Puzzles/RushHour.mch", 83),
    ] {
        let path = models.join(file);
        let found = check(&folder, &["--shortest", "--no-deadlock", path.to_str().unwrap()]);
        assert_eq!(steps(&found), length, "{file}");
        assert_eq!(found["finding"]["shortest"], true, "{file}");
    }
}
