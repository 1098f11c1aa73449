//! JUnit XML: one test case a model, as build servers read it.

use super::{CheckReport, NoCheck, finding_text, trace_text};
use crate::escape::xml;
use beeline_verdict::Verdict;
use std::fmt::Write;

/// A test suite of one case: a violation is a failure, no verdict an error, a cut a skip.
pub fn junit(report: &CheckReport<'_>) -> String {
    let outcome = report.outcome;
    let (tag, message, body) = match &outcome.verdict {
        Verdict::Holds(_) => (None, String::new(), String::new()),
        Verdict::Violated(c) | Verdict::GoalFound(c) => {
            let (message, body) = failure(report, c.finding());
            (Some("failure"), message, body)
        }
        verdict @ (Verdict::ModelError(_) | Verdict::Undetermined(_)) => {
            (Some("error"), verdict.why().unwrap_or_default(), String::new())
        }
        Verdict::NoErrorFound(cuts) => {
            let words: Vec<_> = cuts.iter().map(|c| c.words.as_str()).collect();
            (Some("skipped"), format!("incomplete: {}", words.join("; ")), String::new())
        }
    };
    let seconds = outcome.exploration.elapsed.as_secs_f64();
    let note = report.partial_order_words().unwrap_or_default();
    suite(report.file, seconds, tag, outcome.verdict.word(), &message, (&body, &note))
}

/// What was found, with its place; and the values and the trace that a person would see.
fn failure(report: &CheckReport<'_>, finding: usize) -> (String, String) {
    let Some(found) = report.outcome.findings.get(finding) else { return Default::default() };
    let place = report.place(found.told.span);
    let place = if place.is_empty() { place } else { format!(" at {place}") };
    let body = finding_text(report.sources, found) + "\n" + &trace_text(&found.trace);
    (format!("{}{place}", found.told.message), body)
}

/// The same where there was no exploration; the first line of the message is the headline.
pub fn junit_error(file: &str, why: NoCheck, message: &str) -> String {
    let (first, rest) = message.split_once('\n').unwrap_or((message, ""));
    suite(file, 0.0, Some("error"), why.word(), first, (rest, ""))
}

fn suite(
    file: &str,
    seconds: f64,
    tag: Option<&str>,
    verdict: &str,
    message: &str,
    (body, note): (&str, &str),
) -> String {
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
        xml(file)
    );
    if let Some(tag) = tag {
        let (message, body) = (xml(message), xml(body));
        let _ = match body.is_empty() {
            true => writeln!(out, "    <{tag} type=\"{verdict}\" message=\"{message}\"/>"),
            false => writeln!(
                out,
                "    <{tag} type=\"{verdict}\" message=\"{message}\">\n{body}    </{tag}>"
            ),
        };
    }
    if !note.is_empty() {
        let _ = writeln!(out, "    <system-out>{}</system-out>", xml(note));
    }
    out.push_str("  </testcase>\n</testsuite>\n");
    out
}
