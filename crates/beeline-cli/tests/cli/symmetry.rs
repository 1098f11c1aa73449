//! Symmetry reduction from outside: counts, verdicts, refusals, traces, audit, pictures.

use crate::Folder;
use serde_json::Value;

fn model(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/models/symmetry/");
    std::fs::read_to_string(format!("{folder}{name}")).unwrap()
}

const LOCKS: &str = "MACHINE Locks SETS USER; FILE VARIABLES open, newest
  INVARIANT open : USER <-> FILE & newest <: USER & !f.(f : FILE => card(open~[{f}]) < 3)
  INITIALISATION open := {} || newest := {}
  OPERATIONS
    begin(u, f) = PRE u : USER & f : FILE THEN open := open \\/ {u |-> f} || newest := {u} END;
    finish(u, f) = PRE u |-> f : open THEN open := open - {u |-> f} || newest := {} END
  END";

/// A set whose elements are told apart: refused. One that only lists all of them: not.
fn forced(initial: &str) -> String {
    format!(
        "MACHINE Forced SETS COLOUR = {{red, green, blue}}
        DEFINITIONS FORCE_SYMMETRY_COLOUR == 1
        VARIABLES seen INVARIANT seen <: COLOUR INITIALISATION seen := {{}}
        OPERATIONS see(c) = PRE c : {initial} & c /: seen THEN seen := seen \\/ {{c}} END;
        clear = PRE seen = COLOUR THEN seen := {{}} END END"
    )
}

fn folder(name: &str) -> Folder {
    let mut folder = Folder::new(name)
        .with("Locks.mch", LOCKS)
        .with("Forced.mch", forced("{red, green, blue}"))
        .with("Told.mch", forced("{red, green}").replace("MACHINE Forced", "MACHINE Told"));
    for file in ["Login.mch", "PhilosophersRing.mch", "Scheduler0.mch", "Scheduler1.ref"] {
        folder = folder.with(file, model(file));
    }
    folder
}

fn check(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[&["check", "--json"], arguments].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.out, ran.err))
}

fn nodes(json: &Value) -> u64 {
    json["counts"]["nodes"].as_u64().unwrap()
}

#[test]
fn modes_visit_one_state_of_each_class() {
    let folder = folder("symmetry-modes");
    let run = |file: &str, sizes: &[&str], mode: &str| {
        let mut arguments = vec!["--no-refinement", "--symmetry", mode, file];
        for size in sizes {
            arguments.extend(["--set-size", size]);
        }
        check(&folder, &arguments)
    };
    // Leuschel & Massart 2007, Table 1.
    for (mode, scheduler, philosophers) in [
        ("none", 825, 337),
        ("flood", 51, 13),
        ("markers", 51, 11),
        ("tree-markers", 51, 13),
        ("canonical", 51, 13),
        ("hybrid", 51, 13),
        ("auto", 51, 13),
    ] {
        let found = run("Scheduler1.ref", &["PROC=4"], mode);
        assert_eq!(
            (nodes(&found), found["verdict"].as_str()),
            (scheduler, Some("holds")),
            "{mode}"
        );
        let found = run("PhilosophersRing.mch", &["PHIL=3", "FORK=3"], mode);
        assert_eq!(nodes(&found), philosophers, "{mode}");
        // Markers are exact for the scheduler, and say so where they are not.
        let marked = mode.ends_with("markers");
        assert_eq!(found["verdict"], if marked { "no_error_found" } else { "holds" }, "{mode}");
        if marked {
            assert_eq!(found["cuts"][0]["reason"], "symmetry_marker");
            let words = found["cuts"][0]["message"].as_str().unwrap();
            assert!(words.starts_with("symmetry marker without exact check: taken "), "{words}");
        }
        let chosen = found["symmetry"]["mode"].as_str();
        let expected = match mode {
            "none" => None,
            "auto" => Some("canonical"),
            mode => Some(mode),
        };
        assert_eq!(chosen, expected);
    }
}

#[test]
fn traces_are_real_and_as_short_as_without() {
    let folder = folder("symmetry-traces");
    let sizes = ["--set-size", "USER=4", "--set-size", "FILE=2"];
    let length = |json: &Value| json["finding"]["trace"].as_array().unwrap().len();
    let plain = check(&folder, &[&["Locks.mch", "--shortest"], &sizes[..]].concat());
    assert_eq!(plain["verdict"], "violated");
    for mode in ["flood", "markers", "tree-markers", "canonical", "hybrid", "auto"] {
        let arguments = ["Locks.mch", "--shortest", "--symmetry", mode];
        let found = check(&folder, &[&arguments[..], &sizes[..]].concat());
        assert_eq!(found["verdict"], "violated", "{mode}");
        assert_eq!(found["finding"]["confirmed"], true, "{mode}");
        assert_eq!(length(&found), length(&plain), "{mode}");
    }
    let trace = folder.path("t.json");
    let trace = trace.to_str().unwrap();
    let arguments = ["check", "--symmetry", "canonical", "--trace", trace, "Locks.mch"];
    folder.run(&[&arguments[..], &sizes[..]].concat());
    let replayed = folder.run(&[&["replay", "Locks.mch", trace], &sizes[..]].concat());
    assert_eq!(replayed.code, Some(0), "{} {}", replayed.out, replayed.err);
}

#[test]
fn forced_symmetry_is_checked() {
    let folder = folder("symmetry-forced");
    // Without symmetry: eight subsets. With it: four sizes.
    assert_eq!(nodes(&check(&folder, &["Forced.mch"])), 9);
    assert_eq!(nodes(&check(&folder, &["--symmetry", "auto", "Forced.mch"])), 5);
    let ran = folder.run(&["check", "--symmetry", "auto", "Told.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("COLOUR is not symmetric") && ran.err.contains("red"), "{}", ran.err);
}

#[test]
fn an_audit_shows_two_states_with_one_marker() {
    let folder = folder("symmetry-audit");
    let sizes = ["--set-size", "PHIL=2", "--set-size", "FORK=2"];
    let arguments = ["--symmetry", "markers", "--symmetry-audit", "PhilosophersRing.mch"];
    let found = check(&folder, &[&arguments[..], &sizes[..]].concat());
    let audit = &found["symmetry"]["audit"];
    assert_eq!((audit["representatives"].as_u64(), audit["classes"].as_u64()), (Some(5), Some(6)));
    assert_eq!(audit["collisions"], 1);
    let taken = |i: usize| audit["example"][i]["taken"].as_str().unwrap();
    assert_ne!(taken(0), taken(1));
    let found = check(&folder, &["--symmetry", "markers", "--symmetry-audit", "Login.mch"]);
    assert_eq!(found["symmetry"]["audit"]["collisions"], 0);
    let ran = folder.run(&["check", "--symmetry-audit", "Login.mch"]);
    assert_eq!(ran.code, Some(2));
}

#[test]
fn pictures_mark_representatives() {
    let folder = folder("symmetry-graph");
    let size = ["--set-size", "SESSION=3"];
    let dot = |arguments: &[&str]| {
        let ran = folder.run(&[&["graph", "Login.mch"], arguments, &size[..]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.out
    };
    let count = |text: &str, part: &str| text.matches(part).count();
    let full = dot(&["--symmetry", "markers"]);
    assert_eq!((count(&full, "[label=\"active"), count(&full, "peripheries=2")), (8, 4));
    let reduced = dot(&["--symmetry", "canonical", "--reduced"]);
    assert_eq!((count(&reduced, "[label=\"active"), count(&reduced, "peripheries=2")), (4, 0));
    let folded = dot(&["--fold"]);
    assert_eq!(count(&folded, "[label=\"states"), 3);
    let svg = folder.path("login.svg");
    dot(&["--svg", svg.to_str().unwrap()]);
    assert!(folder.read("login.svg").starts_with("<svg "));
    let ran = folder.run(&["graph", "--max-nodes", "5", "Login.mch", size[0], size[1]]);
    assert!(ran.code == Some(2) && ran.err.contains("--reduced"), "{}", ran.err);
}

/// Checks that the fast tier leaves to the general engine, about all elements and about pairs.
const GROUPS: &str = "MACHINE Groups SETS USER VARIABLES groups, admins
  INVARIANT groups <: POW(USER) & admins <: USER
    & !u.(u : USER => card({g | g : groups & u : g}) <= LIMIT)
    & !(u, v).(u : USER & v : USER & u /= v => not({u, v} : groups & u : admins & v : admins))
    & #u.(u : USER & !g.(g : groups => u /: g or card(g) < 3))
  INITIALISATION groups := {} || admins := {}
  OPERATIONS
    open(g) = PRE g <: USER & card(g) : 1..2 & g /: groups & card(groups) < 2
      THEN groups := groups \\/ {g} END;
    close(g) = PRE g : groups THEN groups := groups - {g} END;
    promote(u) = PRE u : USER & admins = {} THEN admins := {u} END
  END";

#[test]
fn quantifiers_try_one_of_interchangeable_elements() {
    let folder = Folder::new("symmetry-quantifiers")
        .with("Fine.mch", GROUPS.replace("LIMIT", "2"))
        .with("Wrong.mch", GROUPS.replace("LIMIT", "1"));
    for (file, verdict) in [("Fine.mch", "holds"), ("Wrong.mch", "violated")] {
        let sizes = ["--set-size", "USER=5", "--threads", "1", "--stats", "--search", "bf"];
        let run = |mode: &str| check(&folder, &[&["--symmetry", mode, file], &sizes[..]].concat());
        let plain = run("none");
        assert_eq!(plain["verdict"], verdict, "{plain}");
        assert_eq!(plain["stats"]["quantifier_candidates_left_out"], 0);
        for mode in ["canonical", "hybrid", "auto"] {
            let found = run(mode);
            assert_eq!(found["verdict"], verdict, "{mode} {found}");
            let length = |json: &Value| json["finding"]["trace"].as_array().map(Vec::len);
            assert_eq!(length(&found), length(&plain));
            assert_eq!(found["finding"]["name"], plain["finding"]["name"]);
            assert!(found["stats"]["quantifier_candidates_left_out"].as_u64().unwrap() > 0);
        }
    }
}

#[test]
fn every_engine_explores_the_same_up_to_symmetry() {
    let folder = folder("symmetry-engines");
    let files = [("Scheduler1.ref", "PROC=4"), ("Locks.mch", "USER=3"), ("Login.mch", "SESSION=5")];
    for (file, size) in files {
        for mode in ["markers", "tree-markers", "canonical", "hybrid", "flood"] {
            let run = |engine: &str, threads: &str| {
                let options = ["--engine", engine, "--threads", threads, "--set-size", size];
                let found =
                    check(&folder, &[&["--all", "--symmetry", mode, file], &options[..]].concat());
                // Which guards are known depends on what it costs to evaluate them; all of them together do not.
                let mut counts = found["counts"].clone();
                let known = counts["guard_evaluations_known"].take().as_u64().unwrap();
                counts["guard_evaluations"] =
                    (counts["guard_evaluations"].as_u64().unwrap() + known).into();
                (found["verdict"].clone(), counts, found["findings"].clone())
            };
            let general = run("general", "1");
            assert_eq!(run("packed", "1"), general, "{file} {mode}");
            assert_eq!(run("native", "2"), general, "{file} {mode}");
        }
    }
}
