//! JUnit XML: one test case a model, as build servers read it.

use super::CheckReport;
use crate::escape::visible;
use beeline_verdict::Verdict;
use std::fmt::Write;

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A test suite of one case: a violation is a failure, no verdict an error, a cut a skip.
pub fn junit(report: &CheckReport<'_>) -> String {
    let outcome = report.outcome;
    let first = outcome.findings.first();
    let message = first.map_or(String::new(), |f| f.told.message.clone());
    let (tag, message) = match &outcome.verdict {
        Verdict::Holds(_) => (None, String::new()),
        Verdict::Violated(_) | Verdict::GoalFound(_) => (Some("failure"), message),
        Verdict::ModelError(words) | Verdict::Undetermined(words) => (Some("error"), words.clone()),
        Verdict::NoErrorFound(cuts) => {
            let words: Vec<_> = cuts.iter().map(|c| c.words.as_str()).collect();
            (Some("skipped"), format!("incomplete: {}", words.join("; ")))
        }
    };
    let seconds = outcome.exploration.elapsed.as_secs_f64();
    suite(report.file, seconds, tag, outcome.verdict.word(), &message)
}

/// The same for a model that could not be loaded or compiled.
pub fn junit_error(file: &str, message: &str) -> String {
    suite(file, 0.0, Some("error"), "model_error", message)
}

fn suite(file: &str, seconds: f64, tag: Option<&str>, verdict: &str, message: &str) -> String {
    let count = |name: &str| usize::from(tag == Some(name));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        out,
        "<testsuite name=\"beeline\" tests=\"1\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" \
         time=\"{seconds:.3}\">",
        count("failure"),
        count("error"),
        count("skipped"),
    );
    let _ = writeln!(
        out,
        "  <testcase classname=\"check\" name=\"{}\" time=\"{seconds:.3}\">",
        escaped(file)
    );
    if let Some(tag) = tag {
        let message = escaped(message);
        let _ = writeln!(out, "    <{tag} type=\"{verdict}\" message=\"{message}\"/>");
    }
    out.push_str("  </testcase>\n</testsuite>\n");
    out
}
