//! Figures and differences as text and as a page of the documentation.

use super::compare::Compared;
use beeline_bench::geometric_mean;
use beeline_report::escape::visible;
use std::fmt::Write;

/// So many of so many.
fn share(good: usize, all: usize) -> String {
    let percent = if all == 0 { 100.0 } else { 100.0 * good as f64 / all as f64 };
    format!("{good} of {all} ({percent:.2} %)")
}

fn of_answers(answers: impl Iterator<Item = Option<bool>>) -> String {
    let answers: Vec<bool> = answers.flatten().collect();
    share(answers.iter().filter(|a| **a).count(), answers.len())
}

/// The figures, a line each.
pub fn figures(compared: &[Compared]) -> String {
    let mut out = String::new();
    let kinds = ["yes", "likely", "doubt", "empty"];
    let languages = [("b", "classical B"), ("eventb", "Event-B")];
    for (complete, (formalism, language)) in
        kinds.iter().flat_map(|k| languages.iter().map(move |l| (*k, *l)))
    {
        let wanted = |c: &&Compared| c.row.complete == complete && c.row.formalism == formalism;
        let rows: Vec<&Compared> = compared.iter().filter(wanted).collect();
        if rows.is_empty() {
            continue;
        }
        let finished = rows.iter().filter(|c| c.finished()).count();
        let _ = writeln!(out, "{language}, rows marked {complete}:");
        let bounded = rows.iter().filter(|c| c.finished() && !c.ours.complete).count();
        let unchecked = rows.iter().filter(|c| c.is_unchecked()).count();
        let _ = writeln!(
            out,
            "- finished: {}; {bounded} of them with a cut, such as an unbounded parameter; \
             {unchecked} that would hold, but claim something that is not checked",
            share(finished, rows.len())
        );
        let _ = writeln!(
            out,
            "- verdicts agree: {}",
            of_answers(rows.iter().map(|c| c.verdict_agrees()))
        );
        let _ =
            writeln!(out, "- counts agree: {}", of_answers(rows.iter().map(|c| c.counts_agree())));
    }
    let timeouts: Vec<&Compared> =
        compared.iter().filter(|c| c.row.why.starts_with("timeout")).collect();
    let finished = timeouts.iter().filter(|c| c.finished()).count();
    let _ =
        writeln!(out, "recorded as time-outs, finished here: {}", share(finished, timeouts.len()));
    let unconfirmed = compared.iter().filter(|c| c.ours.verdict == "undetermined").count();
    let _ = writeln!(out, "undetermined: {unconfirmed}");
    let crashed = |c: &&Compared| ["crashed", "killed"].contains(&c.ours.verdict.as_str());
    let _ = writeln!(out, "crashed or killed: {}", compared.iter().filter(crashed).count());
    let mut speed: Vec<f64> = compared.iter().filter_map(Compared::speedup).collect();
    speed.sort_by(f64::total_cmp);
    if let Some(mean) = geometric_mean(&speed) {
        let slower = speed.iter().filter(|s| **s < 1.0).count();
        let _ = writeln!(
            out,
            "speed on {} rows of a second or more: {mean:.0} times faster (geometric mean), \
             slowest {:.1}, {slower} slower",
            speed.len(),
            speed[0],
        );
        for c in compared.iter().filter(|c| c.speedup().is_some_and(|s| s < 1.0)) {
            let _ = writeln!(out, "- slower: {} ({:.1} s)", c.row.path, c.ours.seconds);
        }
    }
    out
}

/// A line a difference.
pub fn differences(compared: &[Compared]) -> String {
    let mut out = String::new();
    for c in compared.iter().filter(|c| ["yes", "likely"].contains(&c.row.complete.as_str())) {
        if let Some(difference) = c.difference() {
            let line = format!("{} [{}]: {difference}", c.row.path, c.row.complete);
            let line: String = visible(&line).chars().take(400).collect();
            let _ = writeln!(out, "{line} ({:.1}s) {}", c.ours.seconds, c.cause());
        }
    }
    out
}

/// The page of the documentation.
pub fn page(compared: &[Compared], seconds: u64) -> String {
    let mut out = String::from("# Agreement with recorded results\n\n");
    let _ = writeln!(
        out,
        "Models of a public collection, each with {seconds} s, compared with what \
         ProB recorded for them. Written by `cargo xtask corpus check --write`.\n"
    );
    out.push_str(&figures(compared));
    out.push_str(
        "\n## Differences\n\n| model | marked | difference | cause |\n|---|---|---|---|\n",
    );
    for c in compared.iter().filter(|c| ["yes", "likely"].contains(&c.row.complete.as_str())) {
        if let Some(difference) = c.difference() {
            let text: String = visible(&difference).replace('|', "/").chars().take(300).collect();
            let cause = c.cause();
            let _ = writeln!(out, "| {} | {} | {text} | {cause} |", c.row.path, c.row.complete);
        }
    }
    out
}
