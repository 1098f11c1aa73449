//! Figures and deviations as text and as a page of the documentation.

use super::model::Verdict;
use super::{Figures, Result, Share};
use beeline_report::escape::visible;
use std::fmt::Write;

/// Known reasons why a model deviates: `path: reason` a line.
const REASONS: &str = include_str!("../../reasons.txt");

fn reason(path: &str) -> Option<&'static str> {
    let line = REASONS.lines().find(|l| l.split_once(": ").is_some_and(|(p, _)| p == path))?;
    line.split_once(": ").map(|(_, reason)| reason)
}

/// Models that do not do what was recorded, or do not print back.
fn deviations(results: &[Result]) -> impl Iterator<Item = &Result> {
    results.iter().filter(|r| match (&r.verdict, r.row.expected) {
        (Verdict::Panicked(_) | Verdict::TimedOut, _) => true,
        (Verdict::Loads { roundtrip: Err(_) }, _) => true,
        (verdict, Some(true)) => !verdict.loads(),
        (verdict, Some(false)) => !verdict.rejects_with_place(),
        (_, None) => false,
    })
}

fn expected_word(result: &Result) -> &'static str {
    match result.row.expected {
        Some(true) => "loads",
        Some(false) => "rejected",
        None => "not recorded",
    }
}

/// A line a deviation.
pub fn deviations_text(results: &[Result]) -> String {
    let mut text = String::new();
    for result in deviations(results) {
        let known = reason(&result.row.path).map(|r| format!(" [{r}]")).unwrap_or_default();
        let story = visible(&result.verdict.describe());
        let expected = expected_word(result);
        let _ = writeln!(text, "{} ({expected}): {story}{known}", result.row.path);
    }
    text
}

/// The figures, a line each.
pub fn figures_text(figures: &Figures) -> String {
    let mut text = String::new();
    for (what, share) in shares(figures) {
        let mark = if share.reached() { "" } else { "  BELOW THE BAR" };
        let _ = writeln!(
            text,
            "{what}: {} of {} ({:.2} %, bar {} %){mark}",
            share.good,
            share.all,
            share.percent(),
            share.bar
        );
    }
    let _ = writeln!(text, "panics: {}, time-outs: {}", figures.panics, figures.timeouts);
    text
}

fn shares(figures: &Figures) -> [(&'static str, &Share); 3] {
    [
        ("loaded by ProB, load without an error", &figures.loads),
        ("rejected by ProB, rejected with a located error", &figures.rejects),
        ("models that load and print back to the same tree", &figures.roundtrips),
    ]
}

/// `docs/conformance-load.md`.
pub fn page(figures: &Figures, results: &[Result]) -> String {
    let mut text = String::from(
        "# Loading: agreement with recorded ProB results\n\n\
         Written by `cargo xtask corpus load --write` from the models of the\n\
         development corpus, which is not part of this repository.\n\n\
         | | models | of | share | bar |\n|---|---:|---:|---:|---:|\n",
    );
    for (what, share) in shares(figures) {
        let (good, all, percent, bar) = (share.good, share.all, share.percent(), share.bar);
        let _ = writeln!(text, "| {what} | {good} | {all} | {percent:.2} % | {bar} % |");
    }
    let _ = writeln!(
        text,
        "\nPanics: {}. Time-outs: {}.\n\n## Deviations\n\n\
         | model | recorded | Beeline | reason |\n|---|---|---|---|",
        figures.panics, figures.timeouts
    );
    for result in deviations(results) {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            result.row.path,
            expected_word(result),
            cell(&result.verdict.describe()),
            reason(&result.row.path).unwrap_or("")
        );
    }
    text
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}
