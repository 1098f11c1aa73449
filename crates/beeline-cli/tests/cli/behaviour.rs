//! How models behave: minimised, compared, as `.aut` files.

use crate::Folder;
use serde_json::Value;

/// Two lamps; which of them is on, nobody can see.
const LAMPS: &str = "MACHINE Lamps VARIABLES left, right INVARIANT left : BOOL & right : BOOL
  INITIALISATION left, right := FALSE, FALSE
  OPERATIONS
    on = ANY x WHERE x : 1..2 & left = FALSE & right = FALSE
      THEN IF x = 1 THEN left := TRUE ELSE right := TRUE END END;
    off = SELECT left = TRUE or right = TRUE THEN left, right := FALSE, FALSE END
  END";

/// The same with one lamp.
const LAMP: &str = "MACHINE Lamp VARIABLES lit INVARIANT lit : BOOL INITIALISATION lit := FALSE
  OPERATIONS on = SELECT lit = FALSE THEN lit := TRUE END; off = SELECT lit = TRUE THEN lit := FALSE END END";

/// The choice between `b` and `c` is made by `a`, or after it.
const EARLY: &str = "MACHINE Early VARIABLES n INVARIANT n : 0..3 INITIALISATION n := 0
  OPERATIONS a = SELECT n = 0 THEN n :: {1, 2} END; b = SELECT n = 1 THEN n := 3 END;
    c = SELECT n = 2 THEN n := 3 END END";
const LATE: &str = "MACHINE Late VARIABLES n INVARIANT n : 0..3 INITIALISATION n := 0
  OPERATIONS a = SELECT n = 0 THEN n := 1 END; b = SELECT n = 1 THEN n := 3 END;
    c = SELECT n = 1 THEN n := 3 END END";

fn folder(name: &str) -> Folder {
    let files =
        [("Lamps.mch", LAMPS), ("Lamp.mch", LAMP), ("Early.mch", EARLY), ("Late.mch", LATE)];
    files.iter().fold(Folder::new(name), |folder, (file, text)| folder.with(file, text))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn bisimilar_models_are_the_same_and_others_are_told_apart_by_a_formula() {
    let folder = folder("compare");
    let ran = folder.run(&["compare", "Lamps.mch", "Lamp.mch"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(ran.out.starts_with("same: the models are bisimilar\n"), "{}", ran.out);
    // The root, and one state or two.
    assert!(ran.out.contains("Lamps.mch  4 states, 5 transitions"), "{}", ran.out);
    assert!(ran.out.contains("Lamp.mch   3 states, 3 transitions"), "{}", ran.out);
    let ran = folder.run(&["compare", "Early.mch", "Late.mch"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let told = "true of Early.mch, but not of Late.mch:\n    <INITIALISATION> <a> [c] false\n";
    assert!(ran.out.contains(told), "{}", ran.out);
    // Both do `a` and then `b` or `c`.
    let ran = folder.run(&["compare", "--by", "traces", "Early.mch", "Late.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let ran = folder.run(&["compare", "--by", "traces", "--json", "Lamp.mch", "Late.mch"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let told = json(&ran.out);
    assert_eq!((&told["verdict"], &told["trace_of"]), (&"different".into(), &"Lamp.mch".into()));
    assert_eq!(told["trace"], serde_json::json!(["INITIALISATION", "on"]));
}

#[test]
fn internal_steps_may_stay_unseen_but_not_run_for_ever() {
    let example = |name: &str| {
        let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        examples.join(name).to_str().unwrap().to_owned()
    };
    let (spec, wire) = (example("Mailbox.mch"), example("MailboxWire.mch"));
    let folder = Folder::new("compare-mailbox");
    let run =
        |by: &str, hide: &str| folder.run(&["compare", "--by", by, "--hide", hide, &spec, &wire]);
    let hidden = "send,lose,arrive";
    let ran = run("branching", hidden);
    // Of one model an operation need not be one of the other.
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("diverges"), "{}", ran.out);
    let ran = run("branching-without-divergence", hidden);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(run("traces", hidden).code, Some(0));
    assert_eq!(run("bisimulation", hidden).code, Some(1));
    let ran = run("traces", "send,lost");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("neither model has an operation lost"), "{}", ran.err);
}

#[test]
fn graphs_are_minimised_drawn_and_written() {
    let folder = folder("minimise");
    let ran =
        folder.run(&["graph", "--minimise", "bisimulation", "--aut", "small.aut", "Lamps.mch"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_eq!(ran.out, "4 states, 5 transitions\n3 states, 3 transitions after minimising\n");
    let aut = folder.read("small.aut");
    assert_eq!(aut, "des (0, 3, 3)\n(0, \"INITIALISATION\", 1)\n(1, \"on\", 2)\n(2, \"off\", 1)\n");
    // What is written is what the model does.
    let ran = folder.run(&["compare", "small.aut", "Lamps.mch"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = folder.run(&["graph", "--aut", "whole.aut", "Lamps.mch"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "4 states, 5 transitions\n"), "{}", ran.err);
    let ran = folder.run(&["graph", "--minimise", "bisimulation", "--json", "whole.aut"]);
    assert_eq!(json(&ran.out)["classes"], 3, "{}", ran.out);
    let ran = folder.run(&["graph", "--minimise", "bisimulation", "Lamps.mch"]);
    assert!(ran.out.starts_with("digraph \"Lamps.mch\" {\n"), "{}", ran.out);
    assert!(
        ran.out.contains("[label=\"2 states, such as\\nleft = TRUE\\nright = FALSE\"]"),
        "{}",
        ran.out
    );
    let ran = folder.run(&[
        "graph",
        "--minimize",
        "branching",
        "--hide",
        "on,off",
        "--json",
        "Lamps.mch",
    ]);
    let graph = json(&ran.out);
    // After the first step there is nothing to see, for ever.
    assert_eq!((&graph["classes"], &graph["class_transitions"]), (&2.into(), &2.into()), "{graph}");
    assert_eq!(graph["edges"], serde_json::json!([[0, "INITIALISATION", 1], [1, "tau", 1]]));
    assert_eq!((&graph["complete"], &graph["nodes"][1]["states"]), (&true.into(), &3.into()));
    let ran = folder.run(&["graph", "--minimise", "bisimulation", "--max-nodes", "2", "Lamps.mch"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("3 states after minimising; only 2 are drawn"), "{}", ran.err);
}

const COUNTER: &str = "MACHINE Counter VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0
  OPERATIONS
    set(x) = PRE x : 1..2 THEN n := x END;
    r <-- read = SELECT n > 0 THEN r := n END
  END";

#[test]
fn labels_say_as_much_as_is_asked_for() {
    let folder = Folder::new("labels").with("Counter.mch", COUNTER);
    let classes = |more: &[&str]| {
        let mut arguments = vec!["graph", "--minimise", "bisimulation", "--json", "Counter.mch"];
        arguments.extend(more);
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let graph = json(&ran.out);
        (graph["classes"].as_u64().unwrap(), graph["transitions"].as_u64().unwrap())
    };
    // Root and three states; that 1 is set or 2, only a result shows.
    assert_eq!(classes(&["--labels", "names"]), (3, 9));
    assert_eq!(classes(&[]), (3, 9));
    assert_eq!(classes(&["--labels", "full"]), (4, 9));
    // What is observed is a step of a state to itself.
    assert_eq!(classes(&["--labels", "names", "--observe", "n = 2"]), (4, 10));
    assert_eq!(classes(&["--observe", "n = 2", "--observe", "n < 5"]), (4, 13));
    let ran =
        folder.run(&["graph", "--minimise", "bisimulation", "--observe", "n + 1", "Counter.mch"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("must be a predicate"), "{}", ran.err);
}

#[test]
fn packed_states_and_values_give_the_same_graph() {
    let model = "MACHINE Walk CONSTANTS far PROPERTIES far : 2..3 VARIABLES at, seen
      INVARIANT at : 0..3 & seen <: 0..3 INITIALISATION at, seen := 0, {}
      OPERATIONS up = SELECT at < far THEN at := at + 1 END;
        down = SELECT at > 0 THEN at, seen := at - 1, seen \\/ {at} END END";
    let folder = Folder::new("packed-graph").with("Walk.mch", model);
    let of = |labels: &str| {
        let ran = folder.run(&["graph", "--aut", "w.aut", "--labels", labels, "Walk.mch"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        (ran.out, folder.read("w.aut"))
    };
    // Both valuations of the constant, and states in the same order: no operation has parameters.
    assert_eq!(of("names"), of("calls"));
}

#[test]
fn what_is_not_complete_is_never_the_same() {
    let broken = "MACHINE Broken VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0
      OPERATIONS next = SELECT n < 3 THEN n := n + 1 END; bad = SELECT 6 / (2 - n) > 0 THEN n := 9 END END";
    let endless = "MACHINE Endless VARIABLES n INVARIANT n : NATURAL INITIALISATION n := 0
      OPERATIONS next = BEGIN n := n + 1 END END";
    let folder = folder("incomplete").with("Broken.mch", broken).with("Endless.mch", endless);
    for (model, more, words) in [
        ("Broken.mch", &["--max-states", "99"][..], "an operation fails in some state"),
        ("Endless.mch", &["--max-states", "9"], "the limit of states was reached"),
        ("Endless.mch", &["--timeout", "0.2"], "the time limit was reached"),
        ("Endless.mch", &["--timeout", "0.2", "--labels", "names"], "the time limit was reached"),
    ] {
        for command in
            [&["compare", model, model][..], &["graph", "--minimise", "bisimulation", model]]
        {
            let ran = folder.run(&[command, more].concat());
            assert_eq!(ran.code, Some(3), "{command:?} {}{}", ran.out, ran.err);
            assert!(ran.out.starts_with("incomplete: "), "{}", ran.out);
            assert!(ran.out.contains(words), "{}", ran.out);
        }
        let ran = folder.run(&[&["compare", "--json", model, "Lamp.mch"][..], more].concat());
        let told = json(&ran.out);
        assert_eq!((ran.code, &told["verdict"]), (Some(3), &"incomplete".into()), "{}", ran.out);
        // What is known to be incomplete needs no second model.
        assert_eq!(
            (told["models"].as_array().unwrap().len(), &told["models"][0]["complete"]),
            (1, &false.into())
        );
        assert!(!told["cuts"].as_array().unwrap().is_empty(), "{told}");
    }
}

#[test]
fn files_that_are_no_graphs_are_refused_with_a_line() {
    let folder = folder("bad-aut")
        .with("bad.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 7)\n")
        .with("huge.aut", "des (0, 0, 4000000000)\n");
    for (file, words) in [
        ("bad.aut", "bad.aut:3: there are only 2 states, numbered from 0"),
        ("huge.aut", "huge.aut:1: the number of states does not fit"),
        ("none.aut", "none.aut: "),
    ] {
        let ran = folder.run(&["compare", file, "Lamp.mch"]);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains(words), "{}", ran.err);
        let ran = folder.run(&["compare", "--json", "Lamp.mch", file]);
        assert_eq!(json(&ran.out)["verdict"], "model_error", "{}", ran.out);
    }
}

#[test]
fn graphs_of_the_examples_have_all_states_and_the_same_steps_in_every_tier() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = Folder::new("behaviour-examples");
    let names =
        ["Lift", "PhoneBook", "PhilosophersDeadlock", "BoundedBuffer", "TwoPhaseCommit", "Library"];
    for name in names {
        let model = examples.join(format!("{name}.mch"));
        let model = model.to_str().unwrap();
        let ran = folder.run(&["check", "--all", "--symmetry", "none", "--json", model]);
        let counts = &json(&ran.out)["counts"];
        let count = |field: &str| counts[field].as_u64().unwrap();
        // The root is a state of the graph, and valuations of the constants are not.
        let states = count("nodes") - count("constants");
        for labels in ["names", "calls"] {
            let file = format!("{name}-{labels}.aut");
            let ran = folder.run(&["graph", "--aut", &file, "--labels", labels, model]);
            assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
            assert!(ran.out.starts_with(&format!("{states} states, ")), "{name}: {}", ran.out);
        }
        // With parameters taken away, what the general engine found is what the fast tiers did.
        let calls = folder.read(&format!("{name}-calls.aut"));
        let steps: std::collections::BTreeSet<String> = calls
            .lines()
            .skip(1)
            .map(|line| {
                let (label, target) = line.rsplit_once("\", ").unwrap();
                let (from, label) = label.split_once(", \"").unwrap();
                format!("{from}, \"{}\", {target}\n", label.split('(').next().unwrap())
            })
            .collect();
        let head = format!("des (0, {}, {states})\n", steps.len());
        std::fs::write(folder.path("stripped.aut"), head + &steps.into_iter().collect::<String>())
            .unwrap();
        let ran = folder.run(&["compare", "stripped.aut", &format!("{name}-names.aut")]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
    }
}
