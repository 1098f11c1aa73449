//! `beeline refine`, from outside.

use super::{Folder, Ran};
use serde_json::Value;

const BEST: &str = "MACHINE Best VARIABLES seen INVARIANT seen <: 0..3 INITIALISATION seen := {}
OPERATIONS
  see(n) = PRE n : 0..3 THEN seen := seen \\/ {n} END;
  best <-- maximum = PRE seen /= {} THEN best := max(seen) END
END
";

/// A refinement of it, with this condition and this precondition of `maximum`.
fn refinement(name: &str, condition: &str, pre: &str) -> String {
    format!(
        "REFINEMENT {name} REFINES Best VARIABLES any, largest
INVARIANT any : BOOL & largest : 0..3 & (any = TRUE <=> seen /= {{}}) & (seen /= {{}} => largest = max(seen))
INITIALISATION any := FALSE || largest := 0
OPERATIONS
  see(n) = PRE n : 0..3 THEN
    IF any = FALSE or {condition} THEN any := TRUE || largest := n END
  END;
  best <-- maximum = PRE {pre} THEN best := largest END
END
"
    )
}

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("Best.mch", BEST)
        .with("Good.ref", refinement("Good", "n > largest", "0 = 0"))
        .with("Wrong.ref", refinement("Wrong", "n < largest", "0 = 0"))
        .with("Strict.ref", refinement("Strict", "n > largest", "largest > 0"))
}

fn step(ran: &Ran) -> Value {
    ran.json()["steps"][0].clone()
}

#[test]
fn a_refinement_that_refines_holds() {
    let folder = folder("refine-good");
    let ran = folder.run(&["refine", "--json", "Good.ref"]);
    let json = step(&ran);
    assert_eq!(ran.code, Some(0), "{json}");
    assert_eq!((&json["verdict"], &json["abstraction"]), (&"holds".into(), &"Best".into()));
    // The numbers that were seen are a subset of four; the refinement follows from it.
    assert_eq!(json["states"], 16, "{json}");
    for threads in ["1", "2"] {
        let again = step(&folder.run(&["refine", "--json", "--threads", threads, "Good.ref"]));
        assert_eq!(
            (&again["states"], &again["transitions"]),
            (&json["states"], &json["transitions"])
        );
    }
}

#[test]
fn the_abstraction_may_choose_before_its_refinement_does() {
    let folder = Folder::new("refine-early")
        .with(
            "Early.mch",
            "MACHINE Early VARIABLES secret INVARIANT secret : 1..3 INITIALISATION secret :: 1..3\n\
             OPERATIONS r <-- reveal = BEGIN r := secret END END\n",
        )
        .with(
            "Late.ref",
            "REFINEMENT Late REFINES Early VARIABLES shown INVARIANT shown : 0..3 & (shown /= 0 => shown = secret)\n\
             INITIALISATION shown := 0\n\
             OPERATIONS r <-- reveal = IF shown = 0 THEN ANY n WHERE n : 1..3 THEN shown := n || r := n END\n\
             ELSE r := shown END END\n",
        )
        .with(
            "Fickle.ref",
            "REFINEMENT Fickle REFINES Early VARIABLES shown INVARIANT shown : 0..3\n\
             INITIALISATION shown := 0\n\
             OPERATIONS r <-- reveal = r :: 1..3 END\n",
        );
    // One state in which each secret matches, and one for each that was shown.
    let json = step(&folder.run(&["refine", "--json", "Late.ref"]));
    assert_eq!((&json["verdict"], &json["states"]), (&"holds".into(), &4.into()), "{json}");
    let ran = folder.run(&["refine", "--json", "Fickle.ref"]);
    let found = step(&ran)["findings"][0].clone();
    assert_eq!(found["trace"][0]["abstract_states_in_all"], 3);
    assert_eq!(found["trace"][1]["abstract_states_in_all"], 1);
    assert!(
        found["candidates"][0]["why"].as_str().unwrap().starts_with("the abstraction returns r =")
    );
}

#[test]
fn a_mistake_is_shown_from_both_sides() {
    let folder = folder("refine-wrong");
    let ran = folder.run(&["refine", "--json", "Wrong.ref"]);
    let json = step(&ran);
    assert_eq!((ran.code, &json["verdict"]), (Some(1), &"violated".into()), "{json}");
    let found = &json["findings"][0];
    assert_eq!((&found["kind"], &found["confirmed"]), (&"simulation".into(), &true.into()));
    let trace: Vec<&str> = found["trace"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["operation"].as_str().unwrap())
        .collect();
    assert_eq!(trace, ["INITIALISATION", "see"]);
    assert_eq!(found["trace"][1]["abstract_states"][0]["seen"], "{0}");
    assert_eq!(found["failing"]["parameters"]["n"], "1");
    assert_eq!(found["failing"]["state"]["largest"], "0");
    let why = found["candidates"][0]["why"].as_str().unwrap();
    assert!(why.contains("seen = {0,1}") && why.contains("largest = max(seen)"), "{why}");
    let text = folder.run(&["refine", "Wrong.ref"]).out;
    assert!(
        text.starts_with("violated: Wrong does not refine Best: see(n=1) does something"),
        "{text}"
    );
    assert!(text.contains("   3  see(n=1)   <- not matched"), "{text}");
}

#[test]
fn preconditions_may_be_weakened_and_not_strengthened() {
    let folder = folder("refine-strict");
    let ran = folder.run(&["refine", "--json", "Strict.ref"]);
    let json = step(&ran);
    assert_eq!(ran.code, Some(1), "{json}");
    let found = &json["findings"][0];
    assert_eq!(
        (&found["kind"], &found["name"]),
        (&"refined_precondition".into(), &"maximum".into())
    );
    // Traces know no preconditions: what is possible less often refines, what is possible more often does not.
    assert_eq!(folder.run(&["refine", "--mode", "trace", "Strict.ref"]).code, Some(0));
    let ran = folder.run(&["refine", "--mode", "trace", "--json", "Good.ref"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(step(&ran)["findings"][0]["name"], "maximum");
    let ran = folder.run(&["refine", "--mode", "failures", "--json", "Strict.ref"]);
    let json = step(&ran);
    assert_eq!((ran.code, &json["findings"][0]["kind"]), (Some(1), &"refusal".into()), "{json}");
}

#[test]
fn limits_end_it_with_a_cut_and_a_checkpoint_goes_on() {
    let folder = folder("refine-limits");
    let ran = folder.run(&["refine", "--json", "--max-states", "3", "Good.ref"]);
    let json = step(&ran);
    assert_eq!((ran.code, &json["verdict"]), (Some(3), &"no_error_found".into()));
    assert_eq!(json["cuts"][0]["reason"], "states");
    let whole = step(&folder.run(&["refine", "--json", "Good.ref"]));
    let first = ["refine", "--json", "--timeout", "0.000001", "--checkpoint", "saved", "Good.ref"];
    folder.run(&first);
    let again =
        step(&folder.run(&["refine", "--json", "--checkpoint", "saved", "--resume", "Good.ref"]));
    assert_eq!((&again["verdict"], &again["states"]), (&"holds".into(), &whole["states"]));
}

#[test]
fn a_missing_operation_is_never_passed_over() {
    let folder = folder("refine-missing").with(
        "Half.ref",
        "REFINEMENT Half REFINES Best VARIABLES s INVARIANT s = seen INITIALISATION s := {}\n\
         OPERATIONS see(m) = s := s \\/ {m}; more = skip END\n",
    );
    let ran = folder.run(&["refine", "--json", "Half.ref"]);
    let json = step(&ran);
    assert_eq!((ran.code, &json["verdict"]), (Some(3), &"no_error_found".into()), "{json}");
    let words = json["cuts"][0]["message"].as_str().unwrap();
    assert_eq!(words, "not refined: the operation maximum of Best is missing in Half");
    let lint = folder.run(&["lint", "Half.ref"]).out;
    for code in ["B0715", "B0716", "B0717"] {
        assert!(lint.contains(code), "{code}: {lint}");
    }
}

#[test]
fn what_refines_nothing_is_refused_and_event_b_is_checked_as_a_chain() {
    let chain = "machine Hall0 variables n invariants @few n : 0..9 events
          event INITIALISATION then @i n := 0 end event enter where @room n < 9 then @in n := n + 1 end end
        machine Hall1 refines Hall0 variables n events
          event INITIALISATION then @i n := 0 end
          event enter refines enter where @room n < 10 then @in n := n + 1 end end";
    let folder = folder("refine-other").with("Hall.eventb", chain);
    let ran = folder.run(&["refine", "Best.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("Best refines nothing"), "{}", ran.err);
    let ran = folder.run(&["refine", "--json", "Hall.eventb"]);
    let json = ran.json();
    assert_eq!(
        (ran.code, &json["finding"]["kind"]),
        (Some(1), &"guard_strengthening".into()),
        "{json}"
    );
    assert_eq!(folder.run(&["refine", "--mode", "trace", "Hall.eventb"]).code, Some(2));
}

#[test]
fn concrete_variables_stay_without_being_declared() {
    let machine = "MACHINE M ABSTRACT_VARIABLES x CONCRETE_VARIABLES c INVARIANT x : NATURAL & c : 0..3 & x = c
        INITIALISATION x := 0 || c := 0
        OPERATIONS up = PRE c < 3 THEN x := x + 1 || c := c + 1 END; r <-- get = r := x END";
    let middle = "REFINEMENT R REFINES M INITIALISATION c := 0
        OPERATIONS up = c := c + 1; r <-- get = r := c END";
    let last = |start: u32| {
        format!(
            "IMPLEMENTATION I REFINES R CONCRETE_VARIABLES d INVARIANT d = c + 1
             INITIALISATION d := {start}; c := 0
             OPERATIONS up = BEGIN c := c + 1; d := d + 1 END; r <-- get = r := d - 1 END"
        )
    };
    let folder = Folder::new("refine-concrete")
        .with("M.mch", machine)
        .with("R.ref", middle)
        .with("I.imp", last(1));
    let ran = folder.run(&["check", "--json", "--no-deadlock", "I.imp"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["counts"]["states"]), (Some(0), &4.into()), "{json}");
    assert_eq!(json["refinement"]["steps"][1]["states"], 4);
    let folder = folder.with("I.imp", last(0));
    assert_eq!(folder.run(&["check", "I.imp"]).code, Some(1));
    // Sets are nothing that a program has.
    let folder = folder.with(
        "I.imp",
        "IMPLEMENTATION I REFINES R CONCRETE_VARIABLES d, a INVARIANT d <: 0..3 & a : 0..1 --> BOOL
         INITIALISATION d := {}; c := 0; a := (0..1) * {TRUE}
         OPERATIONS up = c := c + 1; r <-- get = r := c END",
    );
    let lint = folder.run(&["lint", "I.imp"]).out;
    assert_eq!(lint.matches("B0916").count(), 1, "{lint}");
    assert!(lint.contains("`d` has a type that the implementation `I` cannot have"), "{lint}");
}
