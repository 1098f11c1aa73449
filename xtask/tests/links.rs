//! Every link in the book and in the documents around it leads somewhere.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The Markdown files of a folder, in order.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    pages
}

/// The text without code: what stands in it is not a link, nor a heading.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            // Every other part between back-quotes is code.
            kept.extend(line.split('`').step_by(2));
        }
        kept.push('\n');
    }
    kept
}

/// What links of a page point to.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let ends = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    ends.map(|(target, _)| target.to_owned()).collect()
}

/// The identifiers that mdBook and code forges give to the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| identifier(line.trim_start_matches('#').trim())).collect()
}

fn identifier(heading: &str) -> String {
    let one = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        _ if c.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.chars().filter_map(one).collect()
}

/// Why a link of a page is broken, if it is.
fn problem(page: &Path, target: &str, inside: Option<&Path>) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_owned(),
        _ => page.parent()?.join(path),
    };
    let Ok(file) = file.canonicalize() else { return Some("there is no such file".to_owned()) };
    if inside.is_some_and(|folder| !file.starts_with(folder)) {
        return Some("the built book does not contain this file".to_owned());
    }
    let is_known = || anchors(&fs::read_to_string(&file).unwrap_or_default()).contains(anchor);
    (!anchor.is_empty() && !is_known()).then(|| "there is no such heading".to_owned())
}

fn broken(pages: &[PathBuf], inside: Option<&Path>) -> Vec<String> {
    let mut broken = Vec::new();
    for page in pages {
        for target in targets(&fs::read_to_string(page).unwrap()) {
            if let Some(why) = problem(page, &target, inside) {
                broken.push(format!("{}: ({target}): {why}", page.display()));
            }
        }
    }
    broken
}

#[test]
fn links_of_the_book_stay_in_the_book() {
    let book = root().join("docs/book");
    let broken = broken(&pages(&book), Some(&book));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn links_of_other_documents_lead_somewhere() {
    let folders = ["", "docs", "docs/decisions", "examples"];
    let all: Vec<PathBuf> = folders.iter().flat_map(|f| pages(&root().join(f))).collect();
    let broken = broken(&all, None);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let book = root().join("docs/book");
    let listed: BTreeSet<String> =
        targets(&fs::read_to_string(book.join("SUMMARY.md")).unwrap()).into_iter().collect();
    let names =
        pages(&book).into_iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_owned());
    let there: BTreeSet<String> = names.filter(|n| n != "SUMMARY.md").collect();
    assert_eq!(listed, there);
}

#[test]
fn a_broken_link_is_noticed() {
    let page = root().join("README.md");
    assert!(problem(&page, "docs/book/nowhere.md", None).is_some());
    assert!(problem(&page, "docs/book/checking.md#nowhere", None).is_some());
    assert!(problem(&page, "docs/book/checking.md#scope", None).is_none());
    assert!(problem(&page, "CONTRIBUTING.md", Some(&root().join("docs"))).is_some());
}
