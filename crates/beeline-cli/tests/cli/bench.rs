//! The laboratory from outside: a suite is run, resumed and compared; wrong results fail it.

use crate::Folder;

const SUITE: &str = r#"
name = "counters"
reference = "bf"
timeout = 20
options = ["--threads", "1"]
[[configuration]]
name = "bf"
options = ["--search", "bf"]
[[configuration]]
name = "df"
options = ["--search", "df"]
[[model]]
name = "Good"
file = "models/Good.mch"
class = "none"
verdict = "holds"
states = 10
[[model]]
name = "Bad"
file = "models/Bad.mch"
class = "invariant"
verdict = "violated"
finding = "invariant"
shortest = 6
"#;

fn folder(name: &str) -> Folder {
    let model = |name: &str, top: u32| {
        format!(
            "MACHINE {name} VARIABLES n INVARIANT n : 0..{top} INITIALISATION n := 0
             OPERATIONS up = PRE n < 9 THEN n := n + 1 END; none = skip END"
        )
    };
    Folder::new(name)
        .with("suite.toml", SUITE)
        .with("wrong.toml", SUITE.replace("shortest = 6", "shortest = 5"))
        .with("models/Good.mch", model("Good", 9))
        .with("models/Bad.mch", model("Bad", 4))
}

#[test]
fn a_suite_is_run_resumed_and_compared() {
    let folder = folder("bench-run");
    let ran = folder.run(&["bench", "suite.toml", "--out", "runs"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    assert!(ran.out.contains("| Good |") && ran.out.contains("**geometric mean**"), "{}", ran.out);
    let csv = folder.read("runs/results.csv");
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.contains("invariant,Bad,bf,1,right,violated,7,"), "{csv}");
    assert!(folder.read("runs/radar-invariant.svg").starts_with("<svg"));
    assert!(folder.read("runs/bars-none.svg").contains("Good"));
    let again = folder.run(&["bench", "suite.toml", "--out", "runs"]);
    assert!(again.code == Some(2) && again.err.contains("--resume"), "{}", again.err);
    // A torn last line is a run that is made again; all others are taken as they are.
    let lines = folder.read("runs/runs.jsonl");
    let kept: Vec<&str> = lines.lines().take(3).collect();
    let torn = format!("{}\n{}", kept.join("\n"), "{\"model\":\"Bad\"");
    std::fs::write(folder.path("runs/runs.jsonl"), torn).unwrap();
    let resumed = folder.run(&["bench", "suite.toml", "--out", "runs", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    let now = folder.read("runs/runs.jsonl");
    assert_eq!(now.lines().count(), 4);
    assert_eq!(now.lines().take(3).collect::<Vec<_>>(), kept);
    let compared = folder.run(&["bench", "--compare", "runs", "runs"]);
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    assert!(compared.out.contains("Geometric mean of new / old: 1.000"), "{}", compared.out);
}

#[test]
fn a_wrong_result_fails_the_run() {
    let folder = folder("bench-wrong");
    let ran = folder.run(&["bench", "wrong.toml", "--out", "runs", "--only", "Bad"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("wrong: Bad with bf: a trace of 6 steps, not 5"), "{}", ran.out);
    let ran = folder.run(&["bench", "nowhere.toml", "--out", "x"]);
    assert_eq!(ran.code, Some(2));
    let ran = folder.run(&["bench", "suite.toml", "--out", "x", "--with", "best"]);
    assert!(ran.code == Some(2) && ran.err.contains("best"), "{}", ran.err);
}

/// The case studies double as tests: what the usual order finds in them is as the suite says.
#[test]
fn case_studies_are_as_expected() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/search.toml");
    let folder = Folder::new("bench-cases");
    let mut arguments = vec!["bench", suite, "--out", "runs", "--with", "auto"];
    for name in [
        "Dining",
        "Banker",
        "Junction",
        "Cruise",
        "Router",
        "Queue",
        "RoadNetwork",
        "Puzzle8",
        "Blocks",
        "TrainTorch",
        "Peterson",
        "Needham",
        "TravelAgency",
        "FourSlots",
        "Press",
        "Elevator",
        "Echo",
    ] {
        arguments.extend(["--only", name]);
    }
    let ran = folder.run(&arguments);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let csv = folder.read("runs/results.csv");
    assert!(csv.lines().count() > 30 && !csv.contains(",limit,"), "{csv}");
}
