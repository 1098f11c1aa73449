//! Names that would do something if they were shown as they are, through every command and format.

use crate::Folder;

/// Escape sequences, a direction trick, and markup; as names between backquotes.
const SET: &str = "S</text><script>\u{1b}[31m";
const ELEMENT: &str = "one\"><script>alert(1)</script>\u{9b}31m";
const VARIABLE: &str = "v'<!--\u{202e}\u{1b}]0;title\u{7}";
const OPERATION: &str = "go\"]; x -> y [label=\"\u{1b}[2J";
const PARAMETER: &str = "p\"</testcase>\u{2066}";

fn model(invariant: &str) -> String {
    format!(
        "MACHINE Odd\nSETS `{SET}` = {{`{ELEMENT}`, two}}\nVARIABLES `{VARIABLE}`\n\
         INVARIANT `{VARIABLE}` : `{SET}` & {invariant}\n\
         INITIALISATION `{VARIABLE}` := `{ELEMENT}`\n\
         OPERATIONS `{OPERATION}`(`{PARAMETER}`) = \
         PRE `{PARAMETER}` : `{SET}` THEN `{VARIABLE}` := `{PARAMETER}` END\nEND\n"
    )
}

const SUITE: &str = "name = \"odd\\u001b[31m\"\nreference = \"bf\\u202e\"\ntimeout = 20\n\
    [[configuration]]\nname = \"bf\\u202e\"\noptions = [\"--search\", \"bf\"]\n\
    [[model]]\nname = \"</text><script>\\u001b[31m\"\nfile = \"Odd.mch\"\nclass = \"none\"\n\
    verdict = \"violated\"\n";

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("Odd.mch", model(&format!("`{VARIABLE}` /= two")))
        .with("Wrong.mch", model(&format!("`{VARIABLE}` = `{SET}` + `none{ELEMENT}`")))
        .with("suite.toml", SUITE)
}

/// Nothing that a terminal would obey.
#[track_caller]
fn is_harmless(what: &str, text: &str) {
    let bad = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    let found: Vec<char> = text.chars().filter(bad).collect();
    assert!(found.is_empty(), "{what}: {found:?} in {text:?}");
}

#[test]
fn nothing_that_a_terminal_obeys_comes_out_of_any_command() {
    let folder = folder("escape-all");
    let runs: &[&[&str]] = &[
        &["check", "--trace", "t.json", "--junit", "j.xml", "Odd.mch"],
        &["check", "--all", "--stats", "Odd.mch"],
        &["check", "--json", "--stats", "Odd.mch"],
        &["check", "--symmetry", "auto", "Odd.mch"],
        &["check", "--goal", "`nothing\u{1b}[31m` = 1", "Odd.mch"],
        &["check", "--junit", "wrong.xml", "Wrong.mch"],
        &["check", "--json", "Wrong.mch"],
        &["check", "--hunt", "operation:none\u{1b}[31m", "Odd.mch"],
        &["replay", "Odd.mch", "t.json"],
        &["shorten", "Odd.mch", "t.json", "--out", "short.json"],
        &["eval", "Odd.mch", &format!("{{`{ELEMENT}` |-> `{VARIABLE}`}}")],
        &["eval", "--json", "Odd.mch", &format!("`{SET}`")],
        &["eval", "Odd.mch", "`nothing\u{1b}[31m`"],
        &["graph", "Odd.mch"],
        &["graph", "--dot", "g.dot", "--svg", "g.svg", "Odd.mch"],
        &["graph", "--fold", "Odd.mch"],
        &["analyse", "plan", "Odd.mch"],
        &["analyse", "plan", "--json", "Odd.mch"],
        &["analyse", "bounds", "Odd.mch"],
        &["analyse", "bounds", "--json", "Odd.mch"],
        &["analyse", "states", "Odd.mch"],
        &["analyse", "states", "--json", "Odd.mch"],
        &["analyse", "plan", "Odd.mch", "none\u{1b}[31m"],
        &["parse", "Odd.mch"],
        &["parse", "--tree", "Odd.mch"],
        &["parse", "--json", "Odd.mch"],
        &["types", "Odd.mch"],
        &["types", "--json", "Odd.mch"],
        &["types", "Wrong.mch"],
        &["fmt", "--check", "Odd.mch"],
        &["fmt", "--json", "Odd.mch"],
        &["lint", "Odd.mch", "Wrong.mch"],
        &["lint", "--json", "Odd.mch", "Wrong.mch"],
        &["lint", "--sarif", "Odd.mch", "Wrong.mch"],
        &["bench", "suite.toml", "--out", "runs"],
        &["check", "none\u{1b}[31m.mch"],
    ];
    for arguments in runs {
        let ran = folder.run(arguments);
        assert!(ran.code.is_some(), "{arguments:?} {} {}", ran.out, ran.err);
        assert!(!(ran.out + &ran.err).is_empty() || arguments.contains(&"--dot"), "{arguments:?}");
        let ran = folder.run(arguments);
        is_harmless(&format!("{arguments:?}"), &(ran.out + &ran.err));
    }
    let script =
        format!("1\n2\nops\nstate\ninv\ntrace\neval `{VARIABLE}`\neval `x\u{1b}[31m`\nx\u{1b}\n");
    let ran = folder.run_with(&["animate", "Odd.mch"], script.as_bytes());
    assert!(ran.out.contains("conjunct") && ran.out.contains("INITIALISATION"), "{}", ran.out);
    is_harmless("animate", &(ran.out + &ran.err));
    let mut files: Vec<String> = ["t.json", "j.xml", "wrong.xml", "short.json", "g.dot", "g.svg"]
        .map(str::to_owned)
        .to_vec();
    for entry in std::fs::read_dir(folder.path("runs")).unwrap() {
        files.push(format!("runs/{}", entry.unwrap().file_name().to_string_lossy()));
    }
    assert!(files.len() > 10, "{files:?}");
    for file in &files {
        let text = folder.read(file);
        assert!(!text.is_empty(), "{file}");
        is_harmless(file, &text);
        if [".xml", ".svg", ".json"].iter().any(|end| file.ends_with(end)) {
            assert!(!text.contains("<script") && !text.contains("</testcase>\u{2066}"), "{file}");
        }
    }
    // Each tag of ours, and no other.
    assert_eq!(folder.read("j.xml").matches("</testcase>").count(), 1);
    assert_eq!(folder.read("g.svg").matches("</svg>").count(), 1);
}

/// What is between quotes in DOT stays between them.
#[test]
fn names_stay_within_their_quotes_in_dot() {
    let out = folder("escape-dot").run(&["graph", "Odd.mch"]).out;
    for line in out.lines() {
        let mut inside = false;
        let mut chars = line.chars();
        let mut bare = String::new();
        while let Some(c) = chars.next() {
            match c {
                '\\' if inside => drop(chars.next()),
                '"' => inside = !inside,
                c if !inside => bare.push(c),
                _ => {}
            }
        }
        assert!(!inside && !bare.contains("x -> y") && !bare.contains("script"), "{line}");
    }
}

/// `fmt` writes what programs read back, unless somebody looks at it.
#[test]
#[cfg(unix)]
fn formatted_text_is_exact_in_a_pipe_and_harmless_on_a_terminal() {
    let folder = folder("escape-fmt");
    let ran = folder.run(&["fmt", "Odd.mch"]);
    assert!(ran.out.contains(VARIABLE), "{}", ran.out);
    let (code, _, raw) = crate::terminal::on_terminal(&folder, &["fmt", "Odd.mch"]);
    assert_eq!(code, Some(0));
    is_harmless("fmt", &raw.replace('\r', ""));
}
