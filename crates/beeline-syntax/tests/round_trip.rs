//! What is printed or formatted parses back to the same tree, on every model there is.
//!
//! The corpus of public models is not part of the repository (`BEELINE_SHARED` says where it is):
//! without it, only our own examples and libraries are read.

use beeline_syntax::limits::{MAX_CHAIN, MAX_NESTING};
use beeline_syntax::{Parsed, format, parse_file, print_unit};
use std::path::{Path, PathBuf};

/// The models of the corpus, where it is at hand.
fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("BEELINE_SHARED").map(PathBuf::from);
    let beside = repository().join("../shared");
    named.into_iter().chain([beside]).map(|p| p.join("corpus/models")).find(|p| p.is_dir())
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if path.is_dir() {
            models(&path, found);
        } else if matches!(extension, "mch" | "ref" | "imp" | "sys" | "def") {
            found.push(path);
        }
    }
}

fn comments(text: &str, parsed: &Parsed) -> Vec<String> {
    let mut list: Vec<String> = parsed
        .comments
        .iter()
        .map(|c| text[c.span.start as usize..c.span.end as usize].trim_end())
        .map(|c| c.replace("\r\n", "\n").replace('\r', "\n"))
        .collect();
    list.sort();
    list
}

/// What is wrong with the printer on this text, if anything; `None` where it does not parse.
fn problem(text: &str) -> Option<Result<(), String>> {
    let parsed = parse_file(text, 0);
    if parsed.problems.has_errors() || parsed.unit.is_none() {
        return None;
    }
    let unit = parsed.unit.as_ref()?;
    let printed = print_unit(unit);
    let again = parse_file(&printed, 0);
    if again.unit.as_ref() != Some(unit) {
        return Some(Err(format!("printed text has another tree\n{:?}", again.problems)));
    }
    let formatted = format(text, 0, &parsed);
    let reparsed = parse_file(&formatted, 0);
    if reparsed.unit.as_ref() != Some(unit) {
        return Some(Err(format!("formatted text has another tree\n{:?}", reparsed.problems)));
    }
    if comments(&formatted, &reparsed) != comments(text, &parsed) {
        return Some(Err("formatting changed the comments".into()));
    }
    let twice = format(&formatted, 0, &reparsed);
    if twice != formatted {
        let differ = formatted.lines().zip(twice.lines()).find(|(a, b)| a != b);
        return Some(Err(format!("formatting twice differs: {differ:?}")));
    }
    Some(Ok(()))
}

fn check(folder: &Path) -> usize {
    let mut paths = Vec::new();
    models(folder, &mut paths);
    let mut failures = Vec::new();
    let mut good = 0;
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        match problem(&text) {
            Some(Ok(())) => good += 1,
            Some(Err(what)) => failures.push(format!("{}: {what}", path.display())),
            None => {}
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    good
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn our_examples() {
    assert_eq!(check(&repository().join("examples")), 31);
}

#[test]
fn our_libraries() {
    assert_eq!(check(&repository().join("crates/beeline-elaborate/stdlib")), 20);
}

/// The text with comments put into every `step`th gap between words, from `offset` on.
fn with_comments(text: &str, step: usize, offset: usize) -> String {
    let mut out = String::new();
    let mut gaps = 0;
    for c in text.chars() {
        out.push(c);
        if c == ' ' || c == '\n' {
            gaps += 1;
            if gaps % step == offset {
                let comments =
                    ["/* block */ ", "// line\n", "\n/* own\n line */\n", "\n\n// own\n\n"];
                out.push_str(comments[gaps / step % comments.len()]);
            }
        }
    }
    out
}

#[test]
fn trees_of_great_height() {
    let chain = MAX_CHAIN as usize - 10;
    let depth = MAX_NESTING as usize - 10;
    let sum = format!("#FORMULA 0{}", " + 1".repeat(chain));
    let calls = format!("#FORMULA f{}", "(x)".repeat(chain));
    let brackets = format!("#FORMULA {}x{}", "POW(".repeat(depth), ")".repeat(depth));
    // Comparing two trees, which only this test does, needs more stack than printing them.
    let room = std::thread::Builder::new().stack_size(64 << 20);
    let results = room.spawn(|| [sum, calls, brackets].map(|text| problem(&text))).unwrap();
    assert_eq!(results.join().unwrap(), [const { Some(Ok(())) }; 3]);
}

#[test]
fn comments_may_stand_anywhere() {
    let mut paths = Vec::new();
    models(&repository().join("examples"), &mut paths);
    models(&repository().join("crates/beeline-elaborate/stdlib"), &mut paths);
    let mut checked = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = print_unit(&parse_file(&text, 0).unit.unwrap());
        for (step, offset) in [(1, 0), (2, 1), (3, 0), (3, 1), (5, 2), (7, 3), (13, 6)] {
            match problem(&with_comments(&text, step, offset)) {
                Some(Ok(())) => checked += 1,
                Some(Err(what)) => panic!("{} {step} {offset}: {what}", path.display()),
                None => {}
            }
        }
    }
    assert!(checked > 50, "only {checked} texts still parsed");
}

/// What we ship is laid out as the formatter would.
#[test]
fn our_files_are_formatted() {
    let mut paths = Vec::new();
    models(&repository().join("examples"), &mut paths);
    models(&repository().join("crates/beeline-elaborate/stdlib"), &mut paths);
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(format(&text, 0, &parse_file(&text, 0)), text, "{}", path.display());
    }
}

#[test]
fn the_corpus() {
    let Some(folder) = corpus() else {
        #[allow(clippy::print_stderr)]
        {
            eprintln!("skipped: no corpus (set BEELINE_SHARED)");
        }
        return;
    };
    let good = check(&folder);
    assert!(good > 1500, "only {good} models were read");
}
