//! Where time and bytes went: `--stats`, as text and as JSON.

use super::CheckReport;
use crate::escape::visible;
use beeline_explore::{Replan, Spent, Stats};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Where time and bytes went.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonStats {
    /// The set of states, by content: equal for equal sets.
    pub checksum: Option<String>,
    /// Values among them that are sets kept unlisted: checksums of runs are comparable where this is equal.
    pub unlisted: u64,
    pub state_words: usize,
    pub bytes: JsonBytes,
    pub values: usize,
    pub pairs: usize,
    pub waves: u64,
    pub frontier_peak: u64,
    pub seconds: JsonSeconds,
    pub operations: Vec<JsonSpent>,
    pub remembered: Vec<JsonRemembered>,
    /// Candidates of quantifiers that were not tried, since interchangeable ones were.
    pub replanned: Vec<JsonReplanned>,
    pub quantifier_candidates_left_out: u64,
    pub invariants: Vec<JsonSpent>,
    pub assertions: Vec<JsonSpent>,
}

/// How often results of an operation were looked for among those that are remembered, and known.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonRemembered {
    pub name: String,
    pub looked: u64,
    pub met: u64,
}

/// Bytes in memory when the check ended, and bytes on disk.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonBytes {
    pub table_keys: usize,
    pub table_index: usize,
    pub table_parents: usize,
    pub table_pairs: usize,
    pub table_waiting: usize,
    pub values: usize,
    pub disk: u64,
}

/// Parts of the time, by the clock on the wall.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSeconds {
    pub visiting: f64,
    pub settling: f64,
    pub writing: f64,
}

/// How often something was evaluated, and for how long on all threads together.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSpent {
    pub name: String,
    pub times: u64,
    pub transitions: Option<u64>,
    pub seconds: f64,
    /// Of an operation: how many choices of parameters the planner expects in a state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
}

/// An operation that was planned again: from the state of which number on, and how many choices a
/// state of the sample had before and after.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonReplanned {
    pub operation: String,
    pub from_state: u32,
    pub choices_before: f64,
    pub choices_after: f64,
    /// Where values come from now, in order.
    pub order: Vec<String>,
}

/// A name, how often, how many transitions, how long.
type Row = (String, u64, Option<u64>, Duration);

impl CheckReport<'_> {
    pub(super) fn json_stats(&self) -> Option<JsonStats> {
        let stats = self.outcome.exploration.stats.as_ref()?;
        let rows = |rows: Vec<Row>| {
            rows.into_iter()
                .map(|(name, times, transitions, time)| {
                    let seconds = time.as_secs_f64();
                    JsonSpent { name, times, transitions, seconds, expected: None }
                })
                .collect()
        };
        let table = stats.table;
        let mut operations: Vec<JsonSpent> = rows(self.operation_rows(stats));
        for (row, expected) in operations.iter_mut().zip(&stats.expected) {
            row.expected = Some(*expected);
        }
        Some(JsonStats {
            checksum: stats.checksum.map(|sum| format!("{sum:016x}")),
            unlisted: stats.unlisted,
            state_words: stats.width,
            bytes: JsonBytes {
                table_keys: table.keys,
                table_index: table.index,
                table_parents: table.parents,
                table_pairs: table.pairs,
                table_waiting: table.waiting,
                values: stats.values.1,
                disk: stats.disk,
            },
            values: stats.values.0,
            pairs: stats.pairs,
            waves: stats.waves,
            frontier_peak: stats.frontier,
            seconds: JsonSeconds {
                visiting: stats.visiting.as_secs_f64(),
                settling: stats.settling.as_secs_f64(),
                writing: stats.writing.as_secs_f64(),
            },
            operations,
            remembered: self
                .remembered_rows(stats)
                .into_iter()
                .map(|(name, looked, met)| JsonRemembered { name, looked, met })
                .collect(),
            replanned: self
                .replanned_rows(stats)
                .map(|(operation, replan)| JsonReplanned {
                    operation,
                    from_state: replan.point,
                    choices_before: replan.change.before,
                    choices_after: replan.change.after,
                    order: replan.change.order.clone(),
                })
                .collect(),
            quantifier_candidates_left_out: stats.left_out,
            invariants: rows(self.check_rows(self.system.invariants(), &stats.invariants)),
            assertions: rows(self.check_rows(self.system.assertions(), &stats.assertions)),
        })
    }

    /// Operations whose results are remembered: how often they were looked for, and known.
    fn remembered_rows(&self, stats: &Stats) -> Vec<(String, u64, u64)> {
        let operations = self.system.operations().iter().zip(&stats.remembered);
        operations
            .filter(|(_, remembered)| remembered.0 > 0)
            .map(|(op, &(looked, met))| (op.name.clone(), looked, met))
            .collect()
    }

    /// Operations that were planned again.
    fn replanned_rows<'s>(&self, stats: &'s Stats) -> impl Iterator<Item = (String, &'s Replan)> {
        let named = |replan: &'s Replan| {
            (self.system.operation(replan.change.operation).name.clone(), replan)
        };
        stats.replanned.iter().map(named)
    }

    /// Operations that have something to choose: what the planner expects to try in a state, and how
    /// many transitions there were.
    fn planned_rows(&self, stats: &Stats) -> Vec<(String, String, f64)> {
        /// The planner's number for what has no end.
        const ENDLESS: f64 = 1e299;
        let operations = self.operation_rows(stats).into_iter().zip(&stats.expected);
        operations
            .filter(|((_, times, ..), expected)| *times > 0 && **expected > 1.0)
            .map(|((name, times, transitions, _), expected)| {
                let expected = match *expected < ENDLESS {
                    true => format!("{expected:.0}"),
                    false => "endless".to_owned(),
                };
                (name, expected, transitions.unwrap_or(0) as f64 / times as f64)
            })
            .collect()
    }

    fn operation_rows(&self, stats: &Stats) -> Vec<Row> {
        let covered = &self.outcome.exploration.covered;
        let operations = self.system.operations().iter().enumerate();
        operations
            .map(|(i, op)| {
                let spent = stats.operations.get(i).copied().unwrap_or_default();
                let transitions = covered.get(i).copied().unwrap_or_default();
                (op.name.clone(), spent.times, Some(transitions), spent.time)
            })
            .collect()
    }

    fn check_rows(&self, checks: &[beeline_compile::Check], spent: &[Spent]) -> Vec<Row> {
        let each = checks.iter().zip(spent);
        each.map(|(check, spent)| {
            let words: Vec<&str> = self.sources.text(check.span).split_whitespace().collect();
            let text: String = words.join(" ").chars().take(60).collect();
            let name = check.label.clone().unwrap_or(text);
            (name, spent.times, None, spent.time)
        })
        .collect()
    }

    /// The part of the report for people.
    pub(super) fn stats_text(&self, out: &mut String) {
        let Some(stats) = self.outcome.exploration.stats.as_ref() else { return };
        let (table, mut line) = (stats.table, |text: String| {
            let _ = writeln!(out, "{text}");
        });
        let sum = stats.checksum.map_or("unknown".to_owned(), |sum| format!("{sum:016x}"));
        line(format!("\nstates   checksum {sum}, {} words each", stats.width));
        let states = self.outcome.exploration.counts.states().max(1) as f64;
        line(format!(
            "bytes    table {} ({:.1} a state: keys {}, index {}, parents {}, pairs {}, waiting {}), values {} ({}){}",
            size(table.total()),
            table.total() as f64 / states,
            size(table.keys),
            size(table.index),
            size(table.parents),
            size(table.pairs),
            size(table.waiting),
            size(stats.values.1),
            stats.values.0,
            match stats.disk {
                0 => String::new(),
                bytes => format!(", disk {}", size(bytes as usize)),
            },
        ));
        line(format!(
            "time     visiting {:.2} s, settling {:.2} s, writing {:.2} s; {} waves, at most {} states waiting",
            stats.visiting.as_secs_f64(),
            stats.settling.as_secs_f64(),
            stats.writing.as_secs_f64(),
            stats.waves,
            stats.frontier,
        ));
        for (name, looked, met) in self.remembered_rows(stats) {
            line(format!("memo     {}: {met} of {looked} results were known", visible(&name)));
        }
        if stats.left_out > 0 {
            let words = "candidates of quantifiers were skipped: interchangeable ones were tried";
            line(format!("symmetry {} {words}", stats.left_out));
        }
        for (name, expected, found) in self.planned_rows(stats) {
            line(format!(
                "plan     {}: {expected} choices a state expected, {found:.2} transitions found",
                visible(&name),
            ));
        }
        for (name, Replan { change, point }) in self.replanned_rows(stats) {
            line(format!(
                "plan     {}: planned again from state {point} on: {:.1} choices a state, not {:.1}: {}",
                visible(&name),
                change.after,
                change.before,
                visible(&change.order.join(", then ")),
            ));
        }
        for (title, mut rows) in [
            ("operations", self.operation_rows(stats)),
            ("invariant", self.check_rows(self.system.invariants(), &stats.invariants)),
            ("assertions", self.check_rows(self.system.assertions(), &stats.assertions)),
        ] {
            // Those that took longest first; equal ones as they stand.
            rows.retain(|row| row.1 > 0);
            rows.sort_by_key(|row| std::cmp::Reverse(row.3));
            if rows.is_empty() {
                continue;
            }
            line(format!(
                "{title:38} {:>12} {:>12} {:>9} {:>9}",
                "times", "transitions", "s", "ns each"
            ));
            for (name, times, transitions, time) in rows {
                let name: String = visible(&name).chars().take(36).collect();
                let transitions = transitions.map_or(String::new(), |n| n.to_string());
                line(format!(
                    "  {name:36} {times:>12} {transitions:>12} {:>9.3} {:>9.0}",
                    time.as_secs_f64(),
                    time.as_nanos() as f64 / times.max(1) as f64,
                ));
            }
        }
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
