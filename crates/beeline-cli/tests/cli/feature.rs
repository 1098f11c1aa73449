//! What the subcommands do when all is well, and when it is not.

use crate::{Folder, SWITCH};

#[test]
fn version_and_help() {
    let folder = Folder::new("version");
    folder.run(&["--version"]).is(0, concat!("beeline ", env!("CARGO_PKG_VERSION"), "\n"), "");
    let help = folder.run(&["help", "fmt"]);
    assert!(help.out.contains("beeline fmt --check *.mch"), "{}", help.out);
    assert_eq!(help.code, Some(0));
    let none = folder.run(&[]);
    assert_eq!((none.code, &*none.out), (Some(2), ""));
    assert!(none.err.contains("Usage: beeline"));
    assert_eq!(folder.run(&["frobnicate"]).code, Some(2));
}

#[test]
fn parse_reports_each_file() {
    let folder =
        Folder::new("parse").with("A.mch", SWITCH).with("B.mch", "MACHINE B\nINVARIANT\nEND\n");
    let ran = folder.run(&["parse", "A.mch", "B.mch", "C.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.starts_with("A.mch: ok\n"), "{}", ran.out);
    assert!(ran.out.contains("--> B.mch:3:1"), "{}", ran.out);
    assert!(ran.out.contains("error[B0301]: C.mch was not found"), "{}", ran.out);
    assert_eq!(ran.err, "");
}

#[test]
fn parse_json_has_diagnostics_and_a_summary() {
    let folder =
        Folder::new("parse-json").with("A.mch", SWITCH).with("D.def", "DEFINITIONS D == 1");
    let ran = folder.run(&["parse", "--json", "A.mch", "D.def"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        concat!(
            r#"{"schema":1,"diagnostics":[],"errors":0,"warnings":0,"dropped":0,"units":["#,
            r#"{"file":"A.mch","ok":true,"unit":"MACHINE","name":"Switch","clauses":["#,
            r#""VARIABLES","INVARIANT","INITIALISATION","OPERATIONS"]},"#,
            r#"{"file":"D.def","ok":true,"unit":"definitions","name":null,"clauses":[]}]}"#,
            "\n"
        )
    );
}

#[test]
fn parse_shows_the_tree() {
    let folder = Folder::new("tree").with("D.def", "DEFINITIONS D == x+1");
    folder.run(&["parse", "--tree", "D.def"]).is(
        0,
        r#"Definitions(
  [
    Definition(
      Definition {
        name: Ident { name: "D" },
        parameters: [],
        body: Formula(
          Expr { kind: Binary(Plus, Expr { kind: Ident("x") }, Expr { kind: Integer("1") }) }
        )
      }
    )
  ]
)
"#,
        "",
    );
}

#[test]
fn fmt_prints_checks_and_writes() {
    let loose = "MACHINE Switch VARIABLES on INVARIANT on:BOOL INITIALISATION on:=FALSE\n\
                 OPERATIONS toggle = on := bool(on=FALSE) END";
    let folder = Folder::new("fmt").with("A.mch", SWITCH).with("B.mch", loose);
    folder.run(&["fmt", "A.mch"]).is(0, SWITCH, "");
    folder.run(&["fmt", "B.mch"]).is(0, SWITCH, "");
    folder.run_with(&["fmt", "-"], loose.as_bytes()).is(0, SWITCH, "");
    folder.run(&["fmt", "--check", "A.mch"]).is(0, "", "");
    folder.run(&["fmt", "--check", "A.mch", "B.mch"]).is(1, "B.mch: would change\n", "");
    assert_eq!(folder.read("B.mch"), loose);
    folder.run(&["fmt", "--write", "A.mch", "B.mch"]).is(0, "B.mch: formatted\n", "");
    assert_eq!(folder.read("B.mch"), SWITCH);
    assert_eq!(folder.names(), ["A.mch", "B.mch"]);
}

#[test]
fn fmt_json_says_what_would_change() {
    let folder = Folder::new("fmt-json").with("A.mch", SWITCH).with("B.mch", "MACHINE B END");
    let ran = folder.run(&["fmt", "--json", "--check", "A.mch", "B.mch"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.json()["files"],
        serde_json::json!([
            {"file": "A.mch", "changed": false, "written": false, "formatted": null, "problem": null},
            {"file": "B.mch", "changed": true, "written": false, "formatted": null, "problem": null},
        ])
    );
    let ran = folder.run(&["fmt", "--json", "B.mch"]);
    assert_eq!(ran.json()["files"][0]["formatted"], "MACHINE B\nEND\n");
}

#[test]
fn fmt_leaves_files_with_errors_alone() {
    let broken = "MACHINE M INVARIANT x = ( END";
    let folder = Folder::new("fmt-errors").with("M.mch", broken).with("A.mch", "MACHINE A END");
    let ran = folder.run(&["fmt", "--write", "M.mch", "A.mch"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), "A.mch: formatted\n"));
    assert!(ran.err.starts_with("error[B0"), "{}", ran.err);
    assert_eq!(folder.read("M.mch"), broken);
}

#[test]
fn fmt_write_refuses_standard_input() {
    Folder::new("fmt-stdin").run(&["fmt", "--write", "-"]).is(
        2,
        "",
        "error: standard input cannot be written in place\n  \
         help: omit --write to get the text on standard output\n",
    );
}

#[cfg(unix)]
#[test]
fn fmt_write_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("fmt-link").with("real/M.mch", "MACHINE M END");
    let real = folder.path("real/M.mch");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, folder.path("L.mch")).unwrap();
    folder.run(&["fmt", "--write", "L.mch"]).is(0, "L.mch: formatted\n", "");
    assert!(folder.path("L.mch").is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "MACHINE M\nEND\n");
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn explain_tells_the_story_of_a_code() {
    let folder = Folder::new("explain");
    let ran = folder.run(&["explain", "b0102"]);
    assert!(ran.out.starts_with("B0102 (error): a comment is not closed\n\nA comment `/*` has no"));
    assert_eq!(ran.code, Some(0));
    let all = folder.run(&["explain"]);
    assert!(all.out.contains("\nB0906  note     a definition is never used\n"), "{}", all.out);
    folder.run(&["explain", "B9999"]).is(
        2,
        "",
        "error: there is no diagnostic code B9999\n  help: `beeline explain` lists all codes\n",
    );
}

#[test]
fn completions_for_shells() {
    let folder = Folder::new("completions");
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef"), ("fish", "complete -c")] {
        let ran = folder.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains(sign) && ran.out.contains("beeline"), "{shell}: {}", ran.out);
    }
}

#[test]
fn colour_only_where_it_is_wanted() {
    let folder = Folder::new("colour").with("M.mch", "MACHINE M INVARIANT ( END");
    let escape = |arguments: &[&str]| folder.run(arguments).out.contains('\u{1b}');
    assert!(!escape(&["parse", "M.mch"]));
    assert!(!escape(&["parse", "--color", "never", "M.mch"]));
    assert!(escape(&["parse", "--color", "always", "M.mch"]));
    assert!(escape(&["--color=always", "parse", "M.mch"]));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::Stdio;
    let folder = Folder::new("pipe");
    let mut child = crate::beeline(&folder.0)
        .arg("explain")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

/// A model with a warning and no error.
const WARNS: &str = "MACHINE W VARIABLES x, y INVARIANT x : BOOL & y : BOOL \
                     INITIALISATION x := TRUE || y := TRUE OPERATIONS o = x := FALSE END";

#[test]
fn types_tells_what_each_name_is() {
    let folder = Folder::new("types").with(
        "M.mch",
        "MACHINE M\nSETS S; E = {a, b}\nDEFINITIONS scope_S == 3\nCONSTANTS c\nPROPERTIES c : S --> NAT\n\
         VARIABLES v\nINVARIANT v <: E\nINITIALISATION v := {}\n\
         OPERATIONS r <-- op(p) = PRE p : E & p /: v THEN r := c || v := v \\/ {p} END\nEND\n",
    );
    folder.run(&["types", "M.mch"]).is(
        0,
        "\
MACHINE M

sets
  S  (deferred)  3 elements by its scope definition (line 3), M.mch:2
  E  = {a, b}    2 elements, M.mch:2

constants
  c  : POW(S * INTEGER)  M.mch:4

variables
  v  : POW(E)  M.mch:6

operations
  op(p : E) --> (r : POW(S * INTEGER))  M.mch:9
      reads  v
      writes v
",
        "",
    );
    let json = folder.run(&["types", "--json", "M.mch"]).json();
    let model = &json["model"];
    assert_eq!(
        model["sets"][0]["size"],
        serde_json::json!({"min": 3, "max": 3, "origin": "scope", "line": 3})
    );
    assert_eq!(model["sets"][1]["elements"], serde_json::json!(["a", "b"]));
    let operation = &model["levels"][0]["operations"][0];
    assert_eq!(operation["parameters"], serde_json::json!([{"name": "p", "type": "E"}]));
    assert_eq!((&operation["reads"][0], &operation["line"]), (&"v".into(), &9.into()));
}

#[test]
fn types_of_a_model_with_errors() {
    let folder = Folder::new("types-errors").with("M.mch", "MACHINE M ASSERTIONS 1 = TRUE END");
    let ran = folder.run(&["types", "M.mch"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.starts_with("error[B0601]: "), "{}", ran.err);
    let json = folder.run(&["types", "--json", "M.mch"]).json();
    assert_eq!((&json["model"], &json["errors"]), (&serde_json::Value::Null, &1.into()));
}

#[test]
fn lint_allows_and_denies() {
    let folder = Folder::new("lint").with("W.mch", WARNS).with("Switch.mch", SWITCH);
    let ran = folder.run(&["lint", "--json", "W.mch"]);
    assert_eq!(ran.code, Some(0));
    let codes: Vec<String> = ran.places().into_iter().map(|p| p.0).collect();
    assert!(codes.contains(&"B0903".to_owned()), "{codes:?}");
    assert_eq!(folder.run(&["lint", "--deny", "warnings", "W.mch"]).code, Some(1));
    assert_eq!(folder.run(&["lint", "--deny", "B0903", "W.mch"]).code, Some(1));
    let mut arguments = vec!["lint", "--deny", "notes", "W.mch"];
    for code in &codes {
        arguments.extend(["--allow", code]);
    }
    assert_eq!(folder.run(&arguments).code, Some(0));
    assert_eq!(folder.run(&["lint", "--allow", "B0501", "W.mch"]).code, Some(2));
    assert_eq!(folder.run(&["lint", "--allow", "nonsense", "W.mch"]).code, Some(2));
}

#[test]
fn lint_writes_sarif() {
    let folder = Folder::new("sarif").with("a/M.mch", "MACHINE M ASSERTIONS 1 = TRUE END");
    let ran = folder.run(&["lint", "--sarif", "a/M.mch"]);
    assert_eq!(ran.code, Some(2));
    let log = ran.json();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"B0601".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a/M.mch");
    assert_eq!(place["region"]["startColumn"], 26);
}

#[test]
fn the_examples_are_right_and_formatted() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = Folder::new("examples");
    let mut files: Vec<String> = std::fs::read_dir(examples)
        .unwrap()
        .map(|e| e.unwrap().path().to_str().unwrap().to_owned())
        .filter(|p| [".mch", ".ref", ".imp"].iter().any(|e| p.ends_with(e)))
        .collect();
    files.sort();
    assert!(files.len() >= 10);
    for command in [&["lint", "--deny", "warnings"][..], &["fmt", "--check"]] {
        let mut arguments = command.to_vec();
        arguments.extend(files.iter().map(String::as_str));
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn the_event_b_examples_have_the_counts_of_their_table() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/event-b");
    let folder = Folder::new("event-b-examples");
    for (name, states, transitions) in [
        ("Bridge0.eventb", 6, 10),
        ("Bridge1.eventb", 26, 42),
        ("Bridge2.eventb", 46, 92),
        ("Transfer1.eventb", 200, 608),
        ("Press1.eventb", 20, 53),
        ("Turnstile", 12, 21),
        ("Proved.eventb", 2, 5),
    ] {
        let file = examples.join(name);
        let ran = folder.run(&["check", "--json", "--all", file.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let counts = (&found["counts"]["states"], &found["counts"]["transitions"]);
        assert_eq!(counts, (&states.into(), &transitions.into()), "{name}");
    }
}

#[test]
fn proofs_spare_evaluations_and_can_be_audited() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/event-b");
    let folder = Folder::new("proofs");
    let check = |name: &str, proof: &str| -> serde_json::Value {
        let file = examples.join(name);
        let ran = folder.run(&["check", "--json", "--proof", proof, file.to_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{name} {proof}: {}{}", ran.out, ran.err);
        serde_json::from_str(&ran.out).unwrap()
    };
    for (name, made, known) in [("Turnstile", 0, 22), ("Proved.eventb", 2, 2)] {
        let all = made + known;
        for (proof, counts) in
            [("trust", (made, known)), ("off", (all, 0)), ("audit", (all, known))]
        {
            let found = check(name, proof);
            let counts = (&counts.0.into(), &counts.1.into());
            let found = &found["counts"];
            let here = (&found["invariant_evaluations"], &found["invariant_evaluations_known"]);
            assert_eq!(here, counts, "{name} {proof}");
        }
        assert_eq!(check(name, "audit")["contradicted"], serde_json::json!([]));
        assert_eq!(check(name, "on")["contradicted"], serde_json::Value::Null);
    }
    // Obligations that are those of the model need no trust.
    let on = check("Turnstile", "on");
    assert_eq!(on["counts"]["invariant_evaluations"], 0);
    assert!(check("Turnstile", "trust")["scope"]["proofs_believed"].is_null());
    // Nobody knows what was proved: that is believed only if somebody asks for it, and told.
    assert!(check("Proved.eventb", "on")["scope"]["proofs_believed"].is_null());
    assert!(check("Proved.eventb", "trust")["scope"]["proofs_believed"].as_u64() > Some(0));
    // A proof that is older than its model does not count; what is left is known by other means.
    let old = std::fs::read_to_string(examples.join("Turnstile/Turnstile.bps")).unwrap();
    let copy = ["Turnstile.bum", "Limit.buc", "Turnstile.bpo"].iter().fold(
        Folder::new("old-proofs")
            .with("P/Turnstile.bps", old.replace("poStamp=\"2\"", "poStamp=\"1\"")),
        |folder, name| {
            let text = std::fs::read_to_string(examples.join("Turnstile").join(name)).unwrap();
            folder.with(&format!("P/{name}"), text)
        },
    );
    let ran = copy.run(&["check", "--json", "--proof", "trust", "P"]);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let made = found["counts"]["invariant_evaluations"].as_u64().unwrap();
    assert!(ran.code == Some(0) && made > 0, "{made}");
}
