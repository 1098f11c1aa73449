//! `check`, `replay`, `eval` and `animate`: verdicts, exit codes, machine output.

use crate::Folder;
use serde_json::Value;

/// A counter up to 3 that can start again.
const COUNTER: &str = "MACHINE Counter
VARIABLES n
INVARIANT n : 0..3
INITIALISATION n := 0
OPERATIONS
  up = PRE n < 3 THEN n := n + 1 END;
  reset = BEGIN n := 0 END
END
";

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("Counter.mch", COUNTER)
        .with(
            "Bad.mch",
            COUNTER.replace("n < 3", "n < 5").replace("MACHINE Counter", "MACHINE Bad"),
        )
        .with(
            "Wide.mch",
            COUNTER.replace("MACHINE Counter", "MACHINE Wide").replace(
                "up = PRE n < 3 THEN n := n + 1",
                "up(p) = PRE p : NATURAL THEN n := p mod 3",
            ),
        )
}

#[test]
fn exit_codes_tell_the_verdict() {
    let folder = folder("check-exit");
    let code = |arguments: &[&str]| folder.run(arguments).code;
    assert_eq!(code(&["check", "Counter.mch"]), Some(0));
    assert_eq!(code(&["check", "Bad.mch"]), Some(1));
    assert_eq!(code(&["check", "--goal", "n = 2", "Counter.mch"]), Some(1));
    assert_eq!(code(&["check", "Nowhere.mch"]), Some(2));
    assert_eq!(code(&["check", "--goal", "n = m", "Counter.mch"]), Some(2));
    assert_eq!(code(&["check", "--goal", "n + 1", "Counter.mch"]), Some(2));
    assert_eq!(code(&["check", "--set-size", "S=3", "Counter.mch"]), Some(2));
    assert_eq!(code(&["check", "Wide.mch"]), Some(3));
    assert_eq!(code(&["check", "--max-states", "2", "Counter.mch"]), Some(3));
    assert_eq!(code(&["check", "--no-invariants", "Bad.mch"]), Some(0));
}

#[test]
fn what_is_not_there_yet_is_refused() {
    let folder = folder("check-refuse");
    for arguments in [["--symmetry", "most"], ["--search", "mixed:200"], ["--search", "best"]] {
        let ran = folder.run(&["check", arguments[0], arguments[1], "Counter.mch"]);
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.err.contains(arguments[1])
                && ran.err.contains("available yet") | ran.err.contains("expected"),
            "{}",
            ran.err
        );
    }
    let ran = folder.run(&["check", "--shortest", "--search", "df", "Counter.mch"]);
    assert!(ran.code == Some(2) && ran.err.contains("breadth-first"), "{}", ran.err);
}

#[test]
fn json_is_one_object_by_contract() {
    let folder = folder("check-json");
    let ran = folder.run(&["check", "--json", "Counter.mch"]);
    let fields = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        fields(&json),
        "schema model verdict complete cuts scope finding findings counts seconds \
         peak_memory_bytes bytes_per_state message cpu_seconds search provers"
    );
    assert_eq!(json["verdict"], "holds");
    assert_eq!((&json["complete"], &json["finding"]), (&true.into(), &Value::Null));
    assert_eq!(
        json["counts"].to_string(),
        r#"{"nodes":5,"states":4,"constants":0,"transitions":8,"invariant_evaluations":1,"guard_evaluations":8,"invariant_evaluations_known":3,"guard_evaluations_known":0}"#
    );
    let ran = folder.run(&["check", "--json", "Bad.mch"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["verdict"], &json["complete"]), (&"violated".into(), &false.into()));
    let finding = &json["finding"];
    assert_eq!(
        (&finding["kind"], &finding["where"]),
        (&"invariant".into(), &"Bad.mch:3:11".into())
    );
    assert_eq!(finding["trace"].as_array().unwrap().len(), 5);
    assert_eq!(
        finding["trace"][4].to_string(),
        r#"{"operation":"up","parameters":{},"state":{"n":"4"},"results":{}}"#
    );
    let ran = folder.run(&["check", "--json", "Wide.mch"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["verdict"], &json["complete"]), (&"no_error_found".into(), &false.into()));
    assert_eq!(json["cuts"][0]["reason"], "large_set");
    assert_eq!(json["cuts"][0]["where"], "Wide.mch:6:6");
    let ran = folder.run(&["check", "--json", "Nowhere.mch"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &json["verdict"]), (Some(2), &"model_error".into()));
    assert_eq!(json["load"]["diagnostics"][0]["code"], "B0301");
}

#[test]
fn people_see_conjunct_values_and_changes() {
    let folder = folder("check-text");
    let ran = folder.run(&["check", "Bad.mch"]);
    let expected = "violated: the invariant is violated   Bad.mch
  --> Bad.mch:3:11
    3 | INVARIANT n : 0..3
    n = 4

   1  INITIALISATION
        n = 0
   2  up
        n = 1
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    assert_eq!(ran.err, "");
    let ran = folder.run(&["check", "--no-deadlock", "Counter.mch"]);
    assert!(ran.out.starts_with("holds   Counter.mch\n4 states, 8 transitions"), "{}", ran.out);
    assert!(ran.out.contains("scope: not checked: deadlock"), "{}", ran.out);
}

#[test]
fn traces_are_saved_and_replayed() {
    let folder = folder("check-trace");
    folder.run(&["check", "--trace", "t.json", "--junit", "j.xml", "Bad.mch"]);
    let told = "replayed: 5 steps\nat its end: the invariant is violated\n  --> Bad.mch:3:11\n    \
                3 | INVARIANT n : 0..3\n    n = 4\n";
    folder.run(&["replay", "Bad.mch", "t.json"]).is(0, told, "");
    // The same model, mended.
    let mended = folder.read("Counter.mch").replace("MACHINE Counter", "MACHINE Bad");
    std::fs::write(folder.path("Mended.mch"), mended).unwrap();
    let ran = folder.run(&["replay", "Mended.mch", "t.json"]);
    assert_eq!((ran.code, ran.out.contains("step 5")), (Some(1), true), "{}", ran.out);
    assert_eq!(folder.run(&["replay", "Bad.mch", "Bad.mch"]).code, Some(2));
}

#[test]
fn a_failure_for_build_servers_has_its_place_and_trace() {
    let folder = folder("check-failure");
    folder.run(&["check", "--junit", "j.xml", "Bad.mch"]);
    let text = folder.read("j.xml");
    let failure = "<failure type=\"violated\" message=\"the invariant is violated at Bad.mch:3:11\">\n  \
                   --&gt; Bad.mch:3:11\n    3 | INVARIANT n : 0..3\n    n = 4\n\n   1  INITIALISATION\n        \
                   n = 0\n   2  up\n        n = 1\n";
    assert!(text.contains(failure), "{text}");
    assert!(text.contains("   5  up\n        n = 4\n    </failure>\n"), "{text}");
}

#[test]
fn traces_that_are_not_of_this_model_or_form_are_refused() {
    let folder = folder("check-traces");
    folder.run(&["check", "--trace", "t.json", "Bad.mch"]);
    let good = folder.read("t.json");
    let ran = folder.run(&["replay", "Counter.mch", "t.json"]);
    ran.is(2, "", "error: the trace belongs to Bad, not to Counter\n  help: use the model with which it was saved\n");
    let refused = |text: &str| {
        std::fs::write(folder.path("bad.json"), text).unwrap();
        let ran = folder.run(&["replay", "Bad.mch", "bad.json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{text}");
        ran.err
    };
    let schema = refused(&good.replace("\"schema\":2", "\"schema\":99"));
    assert!(
        schema.contains("bad.json has format 99, which this version does not know"),
        "{schema}"
    );
    assert!(refused("{\"schema\":7,\"other\":true}").contains("has format 7"));
    let mut json: Value = serde_json::from_str(&good).unwrap();
    json["steps"] = serde_json::json!([]);
    assert!(refused(&json.to_string()).contains("bad.json has no steps"));
    assert!(refused("{}").contains("is not a trace"));
    assert!(refused("[1").contains("is not a trace"));
}

#[test]
fn traces_remember_their_scope() {
    let sets = "MACHINE Sets SETS S VARIABLES s, n INVARIANT s <: S & n : INTEGER & card(s) < 4\n\
        INITIALISATION s, n := {}, MAXINT\n\
        OPERATIONS add(x) = PRE x : S & x /: s THEN s := s \\/ {x} END END\n";
    let chain = "machine Low variables x invariants @i x ∈ 0‥1 events\n\
        event INITIALISATION then @a x ≔ 0 end\n\
        event up then @a x ≔ x + 1 end end\n\
        machine High refines Low variables x events\n\
        event INITIALISATION then @a x ≔ 0 end\n\
        event up refines up where @g x < 1 then @a x ≔ x + 1 end end\n";
    let folder = Folder::new("trace-scope").with("Sets.mch", sets).with("Chain.eventb", chain);
    let save = ["check", "--set-size", "S=5", "--maxint", "77", "--trace", "t.json", "Sets.mch"];
    assert_eq!(folder.run(&save).code, Some(1));
    let ran = folder.run(&["replay", "Sets.mch", "t.json"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    assert!(
        ran.out.starts_with("replayed: 5 steps\nat its end: the invariant is violated\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("card(s) = 4"), "{}", ran.out);
    assert_eq!(folder.run(&["shorten", "Sets.mch", "t.json", "--out", "u.json"]).code, Some(0));
    assert_eq!(folder.run(&["replay", "Sets.mch", "u.json"]).code, Some(0));
    // What the user says goes first.
    assert_eq!(folder.run(&["replay", "--maxint", "3", "Sets.mch", "t.json"]).code, Some(1));
    let save = ["check", "--level", "Low", "--trace", "l.json", "Chain.eventb"];
    let ran = folder.run(&save);
    assert_eq!(ran.code, Some(1), "{} {}", ran.out, ran.err);
    let ran = folder.run(&["replay", "Chain.eventb", "l.json"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
    let ran = folder.run(&["replay", "--level", "High", "Chain.eventb", "l.json"]);
    assert!(ran.code == Some(2) && ran.err.contains("a different --level: Low"), "{}", ran.err);
}

#[test]
fn replay_tells_of_deadlocks_goals_and_states_without_fault() {
    let model = "MACHINE Ends DEFINITIONS GOAL == n = 1 VARIABLES n INVARIANT n : 0..2\n\
        INITIALISATION n := 0 OPERATIONS up = SELECT n < 2 THEN n := n + 1 END END\n";
    let folder = Folder::new("replay-ends").with("Ends.mch", model);
    for (script, told) in [
        ("1\n", "replayed: 1 step\nat its end: no error\n"),
        ("1\n1\n", "replayed: 2 steps\nat its end: the goal was reached\n"),
        ("1\n1\n1\n", "replayed: 3 steps\nat its end: deadlock: no operation is possible\n"),
    ] {
        let script = format!("{script}save t.json\n");
        assert_eq!(folder.run_with(&["animate", "Ends.mch"], script.as_bytes()).code, Some(0));
        let ran = folder.run(&["replay", "Ends.mch", "t.json"]);
        assert_eq!(ran.out.lines().next(), told.lines().next(), "{}", ran.out);
        assert!(ran.out.contains(told.lines().nth(1).unwrap()), "{}", ran.out);
    }
    let ran = folder.run_with(&["animate", "Ends.mch"], b"save t.json\n");
    assert!(ran.out.contains("there is nothing to save yet"), "{}", ran.out);
}

#[test]
fn build_servers_hear_of_models_that_cannot_be_run() {
    let folder =
        folder("check-junit").with("Typo.mch", "MACHINE Typo\nVARIABLES n\nINVARIANT n : \n");
    let read = |arguments: &[&str]| {
        let all: Vec<&str> = [&["check", "--junit", "j.xml"], arguments].concat();
        assert_eq!(folder.run(&all).code, Some(2), "{arguments:?}");
        let text = folder.read("j.xml");
        std::fs::remove_file(folder.path("j.xml")).unwrap();
        text
    };
    let text = read(&["Typo.mch"]);
    assert!(
        text.contains(r#"errors="1""#) && text.contains(r#"<error type="model_error""#),
        "{text}"
    );
    assert!(text.contains("B0201") && text.contains("Typo.mch:"), "{text}");
    assert!(read(&["Nowhere.mch"]).contains("B0301"));
    let text = read(&["--minint", "9", "--maxint", "1", "Counter.mch"]);
    assert!(text.contains("MININT is larger than MAXINT"), "{text}");
    assert!(read(&["--json", "--set-size", "S=3", "Counter.mch"]).contains("no set S"));
}

#[test]
fn the_scope_is_told_even_without_a_model() {
    let folder = folder("check-scope");
    let scope = |arguments: &[&str]| {
        let all: Vec<&str> = [&["check", "--json"], arguments].concat();
        let json = folder.run(&all).json();
        assert_eq!(json["verdict"], "model_error");
        (json["scope"]["minint"].as_i64().unwrap(), json["scope"]["maxint"].as_i64().unwrap())
    };
    assert_eq!(scope(&["Nowhere.mch"]), (-1, 3));
    assert_eq!(scope(&["--maxint", "7", "Nowhere.mch"]), (-1, 7));
    assert_eq!(scope(&["--set-size", "S=3", "--minint=-5", "Counter.mch"]), (-5, 3));
}

#[test]
fn every_evaluation_is_watched() {
    let folder = folder("watched").with(
        "Long.mch",
        "MACHINE Long VARIABLES n INVARIANT n : INTEGER INITIALISATION n := 0\n\
         OPERATIONS op = WHILE n >= 0 DO n := n + 1 INVARIANT n >= 0 VARIANT 1000000000 - n END END\n",
    );
    let time = "the time limit was reached; raise it with --timeout S";
    let ran = folder.run(&["eval", "--timeout", "0", "card({x | x : 1..3000000 & x mod 7 = 3})"]);
    ran.is(1, &format!("unknown: {time}\n"), "");
    let ran = folder.run(&[
        "eval",
        "--json",
        "--memory",
        "1",
        "card({x | x : 1..3000000 & x mod 7 = 3})",
    ]);
    assert_eq!((ran.code, &ran.json()["kind"]), (Some(1), &"none".into()));
    // The step that takes too long is left out, and said to be.
    let ran = folder.run_with(&["animate", "--timeout", "0.2", "Long.mch"], b"1\n");
    assert!(
        ran.out
            .ends_with(&format!("deadlock: no operation is possible\n  note: not all: {time}\n")),
        "{}",
        ran.out
    );
    let trace = r#"{"schema":1,"model":"Long","steps":[
        {"operation":"INITIALISATION","parameters":{},"results":{},"state":{"n":"0"}},
        {"operation":"op","parameters":{},"results":{},"state":{"n":"9"}}]}"#;
    let folder = folder.with("t.json", trace);
    let ran = folder.run(&["replay", "--timeout", "0.2", "Long.mch", "t.json"]);
    ran.is(4, &format!("unknown: step 2: {time}\n"), "");
}

#[test]
fn an_implementation_is_checked_under_the_preconditions_of_its_abstraction() {
    let folder = Folder::new("implementation")
        .with(
            "A.mch",
            "MACHINE A VARIABLES s INVARIANT s <: 1..3 INITIALISATION s := {}\n\
             OPERATIONS put(x) = PRE x : 1..3 & x /: s THEN s := s \\/ {x} END;\n\
             clear = s := {} END\n",
        )
        .with(
            "I.imp",
            "IMPLEMENTATION I REFINES A CONCRETE_VARIABLES f, n\n\
             INVARIANT f : 1..3 --> BOOL & s = f~[{TRUE}] & n : 0..3\n\
             INITIALISATION f := (1..3) * {FALSE}; n := 0\n\
             OPERATIONS put(x) = BEGIN f(x) := TRUE; n := n + 1 END;\n\
             clear = BEGIN f := (1..3) * {FALSE}; n := 0 END END\n",
        );
    let ran = folder.run(&["check", "--json", "I.imp"]);
    let json = ran.json();
    assert_eq!(
        (ran.code, &json["verdict"], &json["counts"]["states"]),
        (Some(0), &"holds".into(), &8.into())
    );
    // It runs once more beside its abstraction.
    let step = &json["refinement"]["steps"][0];
    assert_eq!((&step["abstraction"], &step["verdict"]), (&"A".into(), &"holds".into()), "{json}");
    assert_eq!(step["states"], 8);
    // Who leaves it out knowingly has a verdict in a stated scope.
    let ran = folder.run(&["check", "--json", "--no-refinement", "I.imp"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["verdict"]), (Some(0), &"holds".into()));
    assert_eq!(json["scope"]["checks_left_out"].to_string(), r#"["refinement"]"#);
    assert!(json.get("refinement").is_none(), "{json}");
}

#[test]
fn a_refinement_that_does_not_refine_never_holds() {
    let folder = Folder::new("check-refinement")
        .with(
            "A.mch",
            "MACHINE A VARIABLES s INVARIANT s <: 1..3 INITIALISATION s := {}\n\
             OPERATIONS put(x) = PRE x : 1..3 & x /: s THEN s := s \\/ {x} END;\n\
             m <-- top = PRE s /= {} THEN m := max(s) END END\n",
        )
        .with(
            "R.ref",
            "REFINEMENT R REFINES A VARIABLES l INVARIANT l : 0..3 & l = max(s \\/ {0})\n\
             INITIALISATION l := 0\n\
             OPERATIONS put(x) = IF x > l THEN l := x END; m <-- top = m := l END\n",
        )
        .with(
            "S.ref",
            "REFINEMENT S REFINES R VARIABLES n INVARIANT n : 0..3 & n = 3 - l\n\
             ASSERTIONS n + l = 3 INITIALISATION n := 3\n\
             OPERATIONS put(x) = IF 3 - x < n THEN n := 3 - x END; m <-- top = m := n END\n",
        );
    let ran = folder.run(&["check", "--json", "--no-deadlock", "R.ref"]);
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(0), &"holds".into()), "{}", ran.out);
    // The result is that of the level above.
    let ran = folder.run(&["check", "--json", "--trace", "t.json", "S.ref"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["verdict"]), (Some(1), &"violated".into()), "{json}");
    let (finding, steps) = (&json["finding"], &json["refinement"]["steps"]);
    assert_eq!((&finding["kind"], &finding["confirmed"]), (&"simulation".into(), &true.into()));
    assert!(finding["message"].as_str().unwrap().starts_with("S does not refine R: top"));
    assert_eq!((&steps[0]["verdict"], &steps[1]["verdict"]), (&"holds".into(), &"violated".into()));
    let text = folder.run(&["check", "S.ref"]).out;
    assert!(
        text.contains("<- not matched") && text.contains("the abstraction returns m ="),
        "{text}"
    );
    assert_eq!(folder.run(&["replay", "S.ref", "t.json"]).code, Some(0));
    // What the comparison leaves out is left out, and what nobody looks at is open.
    let ran = folder.run(&["check", "--json", "--max-states", "2", "R.ref"]);
    assert_eq!((ran.code, &ran.json()["verdict"]), (Some(3), &"no_error_found".into()));
    let mended = folder.with(
        "S.ref",
        "REFINEMENT S REFINES R VARIABLES n INVARIANT n : 0..3 & n = 3 - l\n\
         ASSERTIONS n + l = 3 INITIALISATION n := 3\n\
         OPERATIONS put(x) = IF 3 - x < n THEN n := 3 - x END; m <-- top = m := 3 - n END\n",
    );
    // Preconditions of `A` speak of what `R` does not have.
    let above = [
        "not_checked A.mch:2:36 S beside R: not checked: a precondition about variables of a machine further up",
        "not_checked A.mch:3:17 S beside R: not checked: a precondition about variables of a machine further up",
    ];
    let json = mended.run(&["check", "--json", "--no-assertions", "S.ref"]).json();
    let told: Vec<_> = json["cuts"].as_array().unwrap().iter().map(told_cut).collect();
    assert_eq!(
        (&json["verdict"], &told[..]),
        (&"no_error_found".into(), &above.map(String::from)[..])
    );
    let json = mended.run(&["check", "--json", "S.ref"]).json();
    let told: Vec<_> = json["cuts"].as_array().unwrap().iter().map(told_cut).collect();
    let open = "not_checked S.ref:2:12 not checked: an assertion about abstract variables";
    assert_eq!((told.len(), told[0].as_str()), (3, open));
}

/// Reason, place and words of a cut.
fn told_cut(cut: &Value) -> String {
    let part = |name: &str| cut[name].as_str().unwrap_or_default().to_owned();
    [part("reason"), part("where"), part("message")].join(" ")
}

#[test]
fn temporal_formulas_are_not_taken_for_checked() {
    let folder = Folder::new("temporal").with(
        "T.mch",
        "MACHINE T\nDEFINITIONS\n ASSERT_LTL_0 == \"G {n < 2}\"; ASSERT_CTL == \"EF {n = 7}\";\n\
         GOAL == n + 1\n\
         VARIABLES n INVARIANT n : 0..3 INITIALISATION n := 0\n\
         OPERATIONS up = SELECT n < 3 THEN n := n + 1 END; down = SELECT n = 3 THEN n := 0 END END\n",
    );
    let ran = folder.run(&["check", "--json", "--junit", "t.xml", "T.mch"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["verdict"]), (Some(3), &"no_error_found".into()));
    let told: Vec<_> = json["cuts"].as_array().unwrap().iter().map(told_cut).collect();
    let expected = [
        "not_checked T.mch:3:18 not checked: the temporal formula ASSERT_LTL_0",
        "not_checked T.mch:3:45 not checked: the temporal formula ASSERT_CTL",
        "not_checked T.mch:4:1 not checked: GOAL, which cannot be used as it is written",
    ];
    assert_eq!(told, expected);
    let junit = folder.read("t.xml");
    assert!(junit.contains("<skipped type=\"no_error_found\""), "{junit}");
    assert!(junit.contains("the temporal formula ASSERT_LTL_0"), "{junit}");
    let ran = folder.run(&["check", "--no-temporal", "--no-goal", "T.mch"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("not checked: temporal formulas"), "{}", ran.out);
}

#[test]
fn formulas_are_evaluated() {
    let folder = folder("eval");
    folder.run(&["eval", "card(POW(1..3))"]).is(0, "8 : INTEGER\n", "");
    folder.run(&["eval", "1 < 2"]).is(0, "TRUE\n", "");
    folder.run(&["eval", "x : 1..9 & x * x = 49"]).is(0, "TRUE: 1 solution\n  x = 7\n", "");
    folder.run(&["eval", "x : 1..9 & x > 9"]).is(0, "FALSE: no solution\n", "");
    folder.run(&["eval", "1 / 0"]).is(1, "not well-defined: division by zero\n", "");
    folder.run(&["eval", "Counter.mch", "n + 1"]).is(0, "1 : INTEGER\n", "");
    folder.run(&["eval", "--json", "x : 1..2"]).is(
        0,
        "{\"schema\":1,\"kind\":\"predicate\",\"truth\":true,\"solutions\":[{\"x\":\"1\"},{\"x\":\"2\"}]}\n",
        "",
    );
    assert_eq!(folder.run(&["eval", "1 +"]).code, Some(2));
    let ran = folder.run(&["eval", "Counter.mch"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("beeline eval Counter.mch 'FORMULA'"),
        "{}",
        ran.err
    );
    let ran = folder.run(&["eval", "--json", "1 +"]);
    assert_eq!((ran.code, &ran.json()["kind"]), (Some(2), &"none".into()));
    assert_eq!(ran.json()["load"]["errors"], 1);
}

#[test]
fn animation_follows_a_script() {
    let folder = folder("animate");
    let script = b"1\n1\neval n + 10\ninv\nback\nsave t.json\nquit\n";
    let ran = folder.run_with(&["animate", "Counter.mch"], script);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("   1  INITIALISATION(n=0)\n  n = 0\n   1  up\n"), "{}", ran.out);
    assert!(ran.out.contains("11 : INTEGER\n1 of 1 conjuncts hold\n  n = 0\n"), "{}", ran.out);
    assert!(ran.out.ends_with("saved 1 steps to t.json\n"), "{}", ran.out);
    folder.run(&["replay", "Counter.mch", "t.json"]).is(
        0,
        "replayed: 1 step\nat its end: no error\n",
        "",
    );
    assert_eq!(folder.run_with(&["animate", "Counter.mch"], b"7\n").code, Some(2));
}
