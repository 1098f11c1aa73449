//! What is printed or formatted parses back to the same tree, on every model there is.
//!
//! The corpus of public models is not part of the repository: without it, only our own examples
//! and libraries are read.

use beeline_syntax::{Parsed, format, parse_file, print_unit};
use std::path::{Path, PathBuf};

const CORPUS: &str = "/work/shared/corpus/models";

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
    assert_eq!(check(&repository().join("examples")), 17);
}

#[test]
fn our_libraries() {
    assert_eq!(check(&repository().join("crates/beeline-model/stdlib")), 20);
}

#[test]
fn the_corpus() {
    let folder = Path::new(CORPUS);
    if !folder.is_dir() {
        println!("skipped: {CORPUS} is not there");
        return;
    }
    let good = check(folder);
    assert!(good > 1500, "only {good} models were read");
}
