//! Plans as they are shown.

use crate::Folder;

const LOANS: &str = "MACHINE Loans SETS READER; BOOK = {b1, b2, b3} VARIABLES loans
  INVARIANT loans : BOOK +-> READER & !r.(r : ran(loans) => card(loans~[{r}]) < 3)
  INITIALISATION loans := {}
  OPERATIONS
    lend(r, b) = PRE b /: dom(loans) & b : BOOK & r : READER & card(loans |> {r}) < 2
      THEN loans(b) := r END;
    swap(a, b) = PRE a : dom(loans) & b = loans~[{loans(a)}] THEN skip END;
    sweep(s) = PRE s <: dom(loans) & s /= {} THEN loans := s <<| loans END;
    again = ANY r WHERE r : ran(loans) THEN loans := loans |> {r} END
  END";

#[test]
fn a_plan_says_where_values_come_from_and_what_is_tested_when() {
    let folder = Folder::new("analyse-plan").with("Loans.mch", LOANS);
    let ran = folder.run(&["analyse", "plan", "Loans.mch", "lend", "sweep", "again"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // A test stands as early as its names are known: before the book is chosen.
    let lend = "lend(r, b)\n    (about 6 candidates per state; ";
    assert!(ran.out.contains(lend), "{}", ran.out);
    let steps = "    each r in READER    ~2\n    test card(loans |> {r}) < 2\n    each b in BOOK    \
                 ~3\n    test b /: dom(loans)\n";
    assert!(ran.out.contains(steps), "{}", ran.out);
    assert!(ran.out.contains("each s within dom(loans)"), "{}", ran.out);
    assert!(ran.out.contains("ANY r\n      each r in ran(loans)"), "{}", ran.out);
    assert!(!ran.out.contains("swap"), "{}", ran.out);
}

#[test]
fn plans_of_invariants_and_json() {
    let folder = Folder::new("analyse-json").with("Loans.mch", LOANS);
    let ran = folder.run(&["analyse", "plan", "--json", "Loans.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let plans = json["plans"].as_array().unwrap();
    let names: Vec<&str> = plans.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names[..4], ["lend(r, b)", "swap(a, b)", "sweep(s)", "again"]);
    assert_eq!(plans[1]["lines"][1]["kind"], "let", "b is computed, not tried: {}", plans[1]);
    let invariant = &plans[4];
    assert_eq!(
        (&invariant["of"], &invariant["lines"][0]["kind"]),
        (&"invariant".into(), &"forall".into())
    );
    assert_eq!(invariant["lines"][1]["text"], "ran(loans)");
    let wrong = folder.run(&["analyse", "plan", "Loans.mch", "lond"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("there is no operation lond"), "{}", wrong.err);
}

#[test]
fn reads_as_table_csv_and_json() {
    let folder = Folder::new("analyse-reads").with("Loans.mch", LOANS);
    let ran = folder.run(&["analyse", "reads", "Loans.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.starts_with("operation       guard reads  body reads  writes\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("\nlend            loans                    loans(b)\n"),
        "{}",
        ran.out
    );
    let csv = folder.run(&["analyse", "reads", "--csv", "Loans.mch"]);
    assert!(
        csv.out.starts_with("operation,guard_reads,body_reads,writes\nINITIALISATION,,,loans\n")
    );
    let json = folder.run(&["analyse", "reads", "--json", "Loans.mch"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let lend = &json["operations"][1];
    assert_eq!(lend["write_parts"], serde_json::json!(["loans(b)"]), "{lend}");
    assert_eq!(lend["writes"], serde_json::json!(["loans"]), "{lend}");
}

#[test]
fn enabling_as_table_json_and_pictures() {
    let text = "MACHINE Door VARIABLES open INVARIANT open : BOOL INITIALISATION open := FALSE
      OPERATIONS push = SELECT open = FALSE THEN open := TRUE END;
        pull = SELECT open = TRUE THEN open := FALSE END; knock = skip END";
    let folder = Folder::new("analyse-enabling").with("Door.mch", text);
    let ran = folder.run(&["analyse", "enabling", "Door.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let words: Vec<Vec<&str>> =
        ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(words.contains(&vec!["push", "pull", "always"]), "{}", ran.out);
    let knock = vec!["knock", "push", "keeps", "if", "open", "=", "FALSE"];
    assert!(words.contains(&knock), "{}", ran.out);
    let json = folder.run(&["analyse", "enabling", "--json", "--dot", "door.dot", "Door.mch"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let push = &json["pairs"][3];
    assert_eq!((&push["first"], &push["enabled"]), (&"push".into(), &"never".into()), "{push}");
    let dot = folder.read("door.dot");
    assert!(dot.contains("n1 -> n2 [label=\"always\"];"), "{dot}");
    assert!(!dot.contains("n3 ->"), "a guard that keeps its value has no arrow: {dot}");
}

#[test]
fn a_forest_has_a_tree_for_each_operation() {
    let text = "MACHINE Door VARIABLES open INVARIANT open : BOOL INITIALISATION open := FALSE
      OPERATIONS push = SELECT open = FALSE THEN open := TRUE END;
        pull = SELECT open = TRUE THEN open := FALSE END END";
    let folder = Folder::new("analyse-forest").with("Door.mch", text);
    let ran = folder.run(&["analyse", "enabling", "--forest", "Door.mch"]);
    let push = "push\n├─ push: never\n└─ pull: always\n";
    assert!(ran.out.contains(push), "{}", ran.out);
    let flow = folder.run(&["analyse", "flow", "--forest", "Door.mch"]);
    assert!(flow.out.contains("{push}\n└─ {pull}: push\n"), "{}", flow.out);
}

/// A sum, counted up and taken down again: code in B that loads, and does what the machine does.
#[test]
fn structured_code_is_a_machine_that_runs() {
    let text = "MACHINE Sum VARIABLES i, s, p INVARIANT i : 0..4 & s : 0..20 & p : 0..2
      INITIALISATION i := 4 || s := 0 || p := 0
      OPERATIONS
        begin = SELECT p = 0 THEN p := 1 END;
        add = SELECT p = 1 & i > 0 THEN i := i - 1 || s := s + i END;
        finish = SELECT p = 1 & i = 0 THEN p := 2 END END";
    let folder = Folder::new("analyse-code").with("Sum.mch", text);
    let ran = folder.run(&["analyse", "flow", "--code", "b", "Sum.mch"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let lines: Vec<&str> = ran.out.lines().map(str::trim).collect();
    let expected =
        ["begin;", "WHILE i > 0 DO", "add", "INVARIANT TRUE = TRUE VARIANT i END;", "finish"];
    assert!(lines.windows(5).any(|w| w == expected), "{}", ran.out);
    let folder = folder.with("Sum_code.mch", &ran.out);
    let types = folder.run(&["types", "Sum_code.mch"]);
    assert_eq!(types.code, Some(0), "{}", types.err);
    let seen = folder.run(&["check", "--no-deadlock", "Sum_code.mch"]);
    // Run once, it reaches the end; run again, nothing is enabled for `begin`.
    assert!(seen.out.contains("states"), "{} {}", seen.out, seen.err);
    let endless = "MACHINE Up VARIABLES i INVARIANT i : NATURAL INITIALISATION i := 0
      OPERATIONS up = BEGIN i := i + 1 END; done = SELECT i < 0 THEN skip END END";
    let folder = folder.with("Up.mch", endless);
    let none = folder.run(&["analyse", "flow", "--code", "b", "Up.mch"]);
    assert!(
        none.code == Some(0) || none.err.contains("there is no structured code"),
        "{}",
        none.err
    );
}

#[test]
fn an_analysis_ends_in_time_and_says_so() {
    let text = "MACHINE Door VARIABLES open INVARIANT open : BOOL INITIALISATION open := FALSE
      OPERATIONS push = SELECT open = FALSE THEN open := TRUE END END";
    let folder = Folder::new("analyse-time").with("Door.mch", text);
    for what in ["enabling", "flow"] {
        let ran = folder.run(&["analyse", what, "--timeout", "0", "Door.mch"]);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        assert!(ran.err.contains("broken off: the time limit was reached"), "{}", ran.err);
    }
    let ran = folder.run(&["analyse", "enabling", "--timeout", "0", "Door.mch"]);
    assert!(ran.out.contains("the rest is unknown"), "{}", ran.out);
}

/// What the solver proves holds in a scope, and every form says so.
#[test]
fn proofs_in_the_scope_are_marked() {
    let text = "MACHINE M SETS P VARIABLES s, t INVARIANT s <: P & t : 0..9 INITIALISATION s := {} || t := 0
      OPERATIONS
        put(p) = SELECT p : P THEN s := s \\/ {p} || t := t + 1 END;
        many = SELECT card(s) > 3 THEN skip END END";
    let folder = Folder::new("analyse-scope").with("M.mch", text);
    let plain = folder.run(&["analyse", "enabling", "M.mch"]);
    assert!(plain.out.contains("if card(s \\/ {p}) > 3"), "{}", plain.out);
    let scoped = ["analyse", "enabling", "--in-scope", "--set-size", "P=2"];
    let ran = folder.run(&[&scoped[..], &["M.mch"]].concat());
    let line = ran.out.lines().find(|l| l.starts_with("put ") && l.contains("many")).unwrap_or("");
    assert!(line.contains("scope, solver") && line.ends_with("never"), "{}{}", ran.out, ran.err);
    let json = folder.run(&[&scoped[..], &["--json", "--dot", "m.dot", "M.mch"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let pair = &json["pairs"][3];
    assert_eq!(pair["by"], serde_json::json!(["solver"]), "{pair}");
    assert_eq!(pair["leans_on"], serde_json::json!(["invariant", "scope"]), "{pair}");
    assert!(folder.read("m.dot").contains("never (in this scope)"));
    let flow = folder.run(&["analyse", "flow", "--in-scope", "--set-size", "P=2", "M.mch"]);
    assert!(flow.out.contains("this scope only"), "{}", flow.out);
}

#[test]
fn bounds_say_what_is_known_and_which_conjunct_says_it() {
    let folder = Folder::new("analyse-bounds").with("Loans.mch", LOANS);
    let ran = folder.run(&["analyse", "bounds", "Loans.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("machine Loans, with MININT = -1 and MAXINT = 3\n"), "{}", ran.out);
    let loans = "variables\n    loans : BOOK +-> READER\n        membership: loans : BOOK +-> READER  \
                 (Loans.mch:2:13)\n";
    assert!(ran.out.contains(loans), "{}", ran.out);
    assert!(ran.out.contains("sweep\n    s /= {}\n"), "{}", ran.out);
}

#[test]
fn bounds_warn_of_a_scope_that_is_too_small() {
    let text = "MACHINE Big CONSTANTS n PROPERTIES n : NAT & n = 1000 END";
    let folder = Folder::new("analyse-narrow").with("Big.mch", text);
    let ran = folder.run(&["analyse", "bounds", "Big.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("no values of the constants satisfy PROPERTIES"), "{}", ran.out);
    assert!(ran.err.contains("B0915") && ran.err.contains("--maxint 1000"), "{}", ran.err);
    let ran = folder.run(&["analyse", "bounds", "--json", "Big.mch"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["diagnostics"][0]["code"], "B0915");
    let ran = folder.run(&["analyse", "bounds", "--json", "--maxint", "1000", "Big.mch"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["constants"][0]["claims"], serde_json::json!(["n = 1000"]));
    assert_eq!(json["diagnostics"], serde_json::json!([]));
}

#[test]
fn states_say_what_is_proved_of_every_state() {
    let folder = Folder::new("analyse-states").with("Loans.mch", LOANS);
    let ran = folder.run(&["analyse", "states", "Loans.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\n    loans : BOOK +-> READER\n"), "{}", ran.out);
    assert!(
        ran.out.contains("    proved  loans : BOOK +-> READER  (Loans.mch:2:13)\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("    open    !r.(r : ran(loans)"), "{}", ran.out);
    let ran = folder.run(&["analyse", "states", "--json", "Loans.mch"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["conjuncts"][0]["proved"], true);
    assert_eq!(json["conjuncts"][1]["proved"], false);
    assert_eq!(json["nodes"], serde_json::Value::Null);
}

#[test]
fn states_can_be_told_by_the_operations_that_are_enabled() {
    let text = "MACHINE Phases VARIABLES pc, x INVARIANT pc : 0..1 & x : 0..5 \
         INITIALISATION pc, x := 0, 0 \
         OPERATIONS go = SELECT pc = 0 THEN pc, x := 1, x + 5 END; \
           back = SELECT pc = 1 THEN pc, x := 0, x - 5 END END";
    let folder = Folder::new("analyse-by-flow").with("Phases.mch", text);
    let ran = folder.run(&["analyse", "states", "Phases.mch"]);
    assert!(ran.out.contains("    open    x : 0..5"), "{}", ran.out);
    let ran = folder.run(&["analyse", "states", "--by", "flow", "Phases.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("    proved  x : 0..5"), "{}", ran.out);
    assert!(ran.out.contains("where go is enabled\n    pc = 0\n    x = 0\n"), "{}", ran.out);
    let ran = folder.run(&["analyse", "states", "--json", "--by", "flow", "Phases.mch"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["nodes"][0]["enabled"], serde_json::json!(["back"]));
    assert_eq!(json["nodes"][0]["holds"], serde_json::json!(["1", "2"]));
}
