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
         help: leave --write out to get the text on standard output\n",
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
