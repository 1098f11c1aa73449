//! Results as Markdown: one table a class, relative to the reference, with geometric means.

use crate::results::{Outcome, Results};
use crate::statistics::geometric_mean;
use crate::suite::Measure;
use std::fmt::Write;

/// All tables.
pub fn markdown(results: &Results) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# {}\n", results.suite);
    let what = match results.measure {
        Measure::Cpu => "processor time",
        Measure::Wall => "time",
        Measure::States => "number of states",
    };
    let _ = writeln!(
        out,
        "Beeline {}, {}. The {what} of each run relative to `{}`, whose own is given as it is; \
         `>` marks runs that were ended by a limit ({} s) and count as that limit, `!` wrong ones.\n",
        results.version, results.machine, results.reference, results.timeout
    );
    for class in results.classes() {
        let _ = writeln!(out, "## {}\n", if class.is_empty() { "all" } else { class });
        table(results, class, &mut out);
        out.push('\n');
    }
    wrong(results, &mut out);
    out
}

fn table(results: &Results, class: &str, out: &mut String) {
    let models: Vec<&str> =
        results.models.iter().filter(|(_, c)| c == class).map(|(m, _)| m.as_str()).collect();
    let used = |c: &&String| models.iter().any(|m| results.cell(m, c).is_some());
    let columns: Vec<&String> = results.configurations.iter().filter(used).collect();
    out.push_str("| model |");
    columns.iter().for_each(|c| {
        let _ = write!(out, " {c} |");
    });
    out.push_str("\n|---|");
    columns.iter().for_each(|_| out.push_str("--:|"));
    out.push('\n');
    for model in &models {
        let _ = write!(out, "| {model} |");
        for column in &columns {
            let _ = write!(out, " {} |", shown(results, model, column));
        }
        out.push('\n');
    }
    out.push_str("| **geometric mean** |");
    for column in &columns {
        let _ = match mean(results, class, column) {
            Some(mean) => write!(out, " **{mean:.2}** |"),
            None => write!(out, " |"),
        };
    }
    out.push('\n');
}

/// The geometric mean of a configuration over the models of a class, relative to the reference.
pub fn mean(results: &Results, class: &str, configuration: &str) -> Option<f64> {
    let models = results.models.iter().filter(|(_, c)| c == class);
    let values: Vec<f64> =
        models.filter_map(|(model, _)| results.relative(model, configuration)).collect();
    geometric_mean(&values)
}

fn shown(results: &Results, model: &str, configuration: &str) -> String {
    let Some(cell) = results.cell(model, configuration) else { return String::new() };
    let mark = match cell.outcome {
        Outcome::Right => "",
        Outcome::Limit => ">",
        Outcome::Wrong => "!",
    };
    if configuration == results.reference {
        return match results.measure {
            Measure::States => format!("{mark}{}", cell.value),
            _ if cell.value >= 1.0 => format!("{mark}{:.2} s", cell.value),
            _ => format!("{mark}{:.1} ms", cell.value * 1e3),
        };
    }
    match results.relative(model, configuration) {
        Some(ratio) => format!("{mark}{}", ratio_text(ratio)),
        None => String::new(),
    }
}

/// A ratio with as many digits as mean something.
pub(crate) fn ratio_text(ratio: f64) -> String {
    match ratio {
        r if r >= 100.0 => format!("{r:.0}"),
        r if r >= 0.01 => format!("{r:.2}"),
        r => format!("{r:.4}"),
    }
}

fn wrong(results: &Results, out: &mut String) {
    for run in results.runs.iter().filter(|r| r.outcome == Outcome::Wrong) {
        let _ = writeln!(out, "- wrong: {} with {}: {}", run.model, run.configuration, run.why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn a_row_a_model_and_the_means() {
        let all = results(&[
            ("M", "a", 2.0),
            ("M", "b", 1.0),
            ("N", "a", 0.004),
            ("N", "b", 0.002),
            ("N", "c", 60.0),
        ]);
        let text = markdown(&all);
        assert!(text.contains("| M | 2.00 s | 0.50 |  |\n"), "{text}");
        assert!(text.contains("| N | 4.0 ms | 0.50 | >15000 |\n"), "{text}");
        assert!(text.contains("| **geometric mean** | **1.00** | **0.50** | **15000.00** |"));
        assert_eq!(mean(&all, "goal", "b").map(|m| (m * 1e6).round()), Some(500_000.0));
    }
}
