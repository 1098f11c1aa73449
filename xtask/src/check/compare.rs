//! Ours against theirs.

use super::run::Ours;
use super::sheet::Row;

/// Known causes of differences: `path: cause` a line.
const CAUSES: &str = include_str!("../../causes.txt");

/// A row and what Beeline makes of its model.
pub struct Compared {
    pub row: Row,
    pub ours: Ours,
}

impl Compared {
    pub fn new(row: Row, ours: Ours) -> Compared {
        Compared { row, ours }
    }

    /// Did Beeline explore everything within the limits of time and memory?
    pub fn finished(&self) -> bool {
        self.ours.finished
    }

    /// Was everything explored and nothing wrong, but for claims that are not checked?
    pub fn is_unchecked(&self) -> bool {
        let cuts = &self.ours.cuts;
        self.ours.verdict == "no_error_found"
            && !cuts.is_empty()
            && cuts.iter().all(|c| c.starts_with("NotChecked"))
    }

    /// Do invariant and deadlock agree? `None` if one of them was not recorded.
    pub fn verdict_agrees(&self) -> Option<bool> {
        let deadlock = self.row.deadlock? == self.ours.deadlock;
        Some(deadlock && self.row.violated? == self.ours.violated)
    }

    pub fn counts_agree(&self) -> Option<bool> {
        let states = self.row.states? == self.ours.states;
        Some(states && self.row.transitions? == self.ours.transitions)
    }

    /// The first fact that differs.
    pub fn difference(&self) -> Option<String> {
        let (row, ours) = (&self.row, &self.ours);
        let failed = ["crashed", "killed", "not_loaded", "not_compiled"];
        if failed.contains(&ours.verdict.as_str()) {
            return Some(format!("{}: {}", ours.verdict, ours.message));
        }
        let mut facts = Vec::new();
        if !self.finished() {
            facts.push(format!("not finished: {}", ours.cuts.join("; ")));
        }
        let mut differs = |name: &str, theirs: Option<String>, mine: String| {
            if theirs.as_ref().is_some_and(|t| *t != mine) {
                facts.push(format!("{name} {mine}, recorded {}", theirs.unwrap_or_default()));
            }
        };
        differs("states", row.states.map(|n| n.to_string()), ours.states.to_string());
        differs(
            "transitions",
            row.transitions.map(|n| n.to_string()),
            ours.transitions.to_string(),
        );
        differs("violated", row.violated.map(|n| n.to_string()), ours.violated.to_string());
        differs("deadlock", row.deadlock.map(|n| n.to_string()), ours.deadlock.to_string());
        if ours.verdict == "undetermined" {
            facts.push(format!("undetermined: {}", ours.message));
        }
        for (finding, confirmed) in &ours.findings {
            if !confirmed {
                facts.push(format!("not confirmed: {finding}"));
            } else if !facts.is_empty() && !finding.starts_with("deadlock") {
                facts.push(finding.clone());
            }
        }
        // What nothing bounds is tried within MININT..MAXINT, here as there: no difference by itself.
        if !facts.is_empty() && self.finished() && !ours.cuts.is_empty() {
            facts.push(format!("cuts: {}", ours.cuts.join("; ")));
        }
        if facts.is_empty() { None } else { Some(facts.join(" | ")) }
    }

    /// How many times faster than recorded.
    pub fn speedup(&self) -> Option<f64> {
        let theirs = self.row.milliseconds.filter(|ms| *ms >= 1000)?;
        let counts = self.counts_agree()? && self.finished();
        counts.then(|| theirs as f64 / 1000.0 / self.ours.seconds.max(1e-4))
    }

    /// Why it differs, as far as that can be told.
    pub fn cause(&self) -> String {
        let known = CAUSES.lines().filter_map(|line| line.split_once(": "));
        if let Some((_, cause)) = known.clone().find(|(path, _)| *path == self.row.path) {
            return cause.to_owned();
        }
        let cut = |reason: &str| self.ours.cuts.iter().any(|c| c.starts_with(reason));
        let found = |kinds: &[&str]| {
            self.ours.findings.iter().any(|(f, _)| kinds.iter().any(|kind| f.starts_with(kind)))
        };
        let errors = ["well_definedness", "precondition", "assert:", "loop_", "assertion"];
        let owed = ["guard_strengthening", "simulation", "theorem", "variant", "witness"];
        let counts = self.counts_agree() == Some(true);
        let cause = if self.ours.verdict == "undetermined" && counts {
            "Counts agree; the judge gives up on the replay, which is said instead of a verdict."
        } else if cut("Unsupported") || cut("External") {
            "Uses external functions that Beeline does not offer."
        } else if found(&errors) {
            "ProB stops at this error, or takes what has no meaning for false; Beeline goes on."
        } else if found(&owed) {
            "ProB stops where an event breaks what it owes its abstraction; Beeline goes on."
        } else if counts && self.ours.violated && self.row.violated == Some(false) {
            "Counts agree; the violated invariant is not reported by ProB, and the judge confirms it."
        } else if cut("Time") || cut("Memory") || cut("EvaluationSteps") {
            "Not finished within the limits of this run."
        } else if cut("LargeSet") {
            "Something that nothing bounds: each tool tries a part of its own."
        } else {
            "Not found out."
        };
        cause.to_owned()
    }
}
