//! The report for people: the verdict of each step, then why, with both sides of the trace.

use super::{RefineReport, RefineStep};
use crate::escape::visible;
use crate::shown::{clipped, excerpt};
use crate::style::{Paint, Style};
use beeline_refine::{Candidate, Found, Mode, Side};
use beeline_verdict::{Bindings, Verdict};
use std::fmt::Write;

/// So many abstract states are shown beside a step, and at the end.
const BESIDE: usize = 3;
const AT_END: usize = 5;

impl RefineReport<'_> {
    /// The report for people.
    pub fn text(&self, style: Style) -> String {
        let mut out = String::new();
        for step in &self.steps {
            self.step(step, style, &mut out);
        }
        out
    }

    /// What a refinement does wrong, as part of the report of a check. Is there anything?
    pub(crate) fn show_finding(&self, out: &mut String) -> bool {
        let violated = self.steps.iter().find_map(|step| match &step.outcome.verdict {
            Verdict::Violated(c) => step.outcome.findings.get(c.finding()),
            _ => None,
        });
        violated.iter().for_each(|found| self.found(found, out));
        violated.is_some()
    }

    /// A line for each level: what was compared, and how much of it there was.
    pub(crate) fn summary(&self, out: &mut String) {
        for step in &self.steps {
            let (below, above) = (step.levels.concrete_name(), step.levels.abstract_name());
            let words = match &step.outcome.verdict {
                Verdict::Holds(_) => format!("{below} refines {above}"),
                Verdict::Violated(_) => format!("{below} does not refine {above}"),
                _ => format!("it is not known whether {below} refines {above}"),
            };
            let facts = &step.outcome.exploration;
            let _ = writeln!(
                out,
                "refinement: {}: {} states with their sets of abstract states, {} transitions, {:.2} s",
                visible(&words),
                facts.counts.states(),
                facts.counts.transitions,
                facts.elapsed.as_secs_f64()
            );
        }
    }

    fn step(&self, step: &RefineStep<'_>, style: Style, out: &mut String) {
        let outcome = step.outcome;
        let (below, above) = (step.levels.concrete_name(), step.levels.abstract_name());
        let found = match &outcome.verdict {
            Verdict::Violated(c) => outcome.findings.get(c.finding()),
            _ => outcome.findings.first(),
        };
        let (paint, words) = match &outcome.verdict {
            Verdict::Holds(_) => (Paint::Note, format!("holds: {below} refines {above}")),
            Verdict::NoErrorFound(_) => (
                Paint::Warning,
                format!("no error found, but it is not known whether {below} refines {above}"),
            ),
            Verdict::ModelError(error) => (Paint::Error, format!("model error: {error}")),
            Verdict::Undetermined(why) => (Paint::Error, format!("undetermined: {why}")),
            Verdict::Violated(_) | Verdict::GoalFound(_) => {
                let message = found.map_or("", |f| f.told.message.as_str());
                (Paint::Error, format!("violated: {below} does not refine {above}: {message}"))
            }
        };
        style.paint(out, paint, &visible(&words));
        let _ = writeln!(out, "   {}", visible(self.file));
        if let Some(found) = found {
            self.found(found, out);
        }
        for other in outcome.findings.iter().filter(|f| found.is_some_and(|g| !std::ptr::eq(*f, g)))
        {
            let refused = match &other.refused {
                Some(why) => format!(" (not confirmed by the judge: {why})"),
                None => String::new(),
            };
            let _ = writeln!(
                out,
                "also found: {}",
                visible(&format!("{}{refused}", other.told.message))
            );
        }
        self.cuts(step, out);
        self.facts(step, out);
    }

    fn found(&self, found: &Found, out: &mut String) {
        excerpt(self.sources, found.told.span, out);
        out.push('\n');
        if !found.constants.0.is_empty() {
            out.push_str("      constants\n");
            lines(&found.constants, None, "        ", out);
        }
        let mut last = None;
        for (number, side) in found.trace.iter().enumerate() {
            head(number + 1, side, "", out);
            lines(&side.concrete, last, "        ", out);
            matching(side, out);
            last = Some(&side.concrete);
        }
        if let Some(side) = &found.failing {
            head(found.trace.len() + 1, side, "   <- not matched", out);
            lines(&side.concrete, last, "        ", out);
        }
        for (number, candidate) in found.candidates.iter().take(AT_END).enumerate() {
            if number == 0 {
                out.push_str("abstract states that could follow:\n");
            }
            self.candidate(candidate, out);
        }
        let shown = found.candidates.len().min(AT_END);
        if found.total > shown && shown > 0 {
            let _ = writeln!(out, "  … and {} more", found.total - shown);
        }
    }

    fn candidate(&self, candidate: &Candidate, out: &mut String) {
        let state: Vec<String> =
            candidate.state.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let state = if state.is_empty() { "(no variables)".to_owned() } else { state.join(", ") };
        let _ = writeln!(out, "  {}", visible(&clipped(&state)));
        let place = self.place(candidate.span).map_or(String::new(), |p| format!(" at {p}"));
        let _ = writeln!(out, "    {}", visible(&format!("{}{place}", clipped(&candidate.why))));
    }

    fn cuts(&self, step: &RefineStep<'_>, out: &mut String) {
        if step.outcome.cuts.is_empty() {
            return;
        }
        out.push_str("incomplete because:\n");
        for cut in &step.outcome.cuts {
            let place = self.place(cut.span).map_or(String::new(), |p| format!(" at {p}"));
            let times =
                if cut.count > 1 { format!(" ({} times)", cut.count) } else { String::new() };
            let _ = writeln!(out, "  - {}{times}", visible(&format!("{}{place}", cut.words)));
        }
    }

    fn facts(&self, step: &RefineStep<'_>, out: &mut String) {
        let facts = &step.outcome.exploration;
        let _ = write!(
            out,
            "{} states with their sets of abstract states, {} transitions, depth {}, {:.2} s",
            facts.counts.states(),
            facts.counts.transitions,
            facts.depth,
            facts.elapsed.as_secs_f64()
        );
        if let Some(bytes) = facts.peak_memory_bytes {
            let _ = write!(out, ", {} MB", bytes >> 20);
        }
        out.push('\n');
        if let Some(states) = facts.resumed {
            let _ = writeln!(out, "resumed from a checkpoint with {states} states");
        }
        let compared = match step.options.mode {
            Mode::Simulation => "compared by the gluing invariant (simulation)",
            Mode::Trace => "compared by traces; the gluing invariant plays no part",
            Mode::Failures => "compared by traces and refusals; the gluing invariant plays no part",
        };
        let mut parts = vec![compared.to_owned()];
        parts.extend(step.sets().map(|(n, size)| format!("{n} has {size} elements in both")));
        if step.system.uses_int_bounds() {
            let settings = step.system.settings();
            parts.push(format!("MININT..MAXINT is {}..{}", settings.min_int, settings.max_int));
        }
        let _ = writeln!(out, "scope: {}", visible(&parts.join("; ")));
    }
}

fn head(number: usize, side: &Side, mark: &str, out: &mut String) {
    let list = |b: &Bindings| {
        let all: Vec<_> = b.0.iter().map(|(n, v)| format!("{n}={v}")).collect();
        all.join(", ")
    };
    let mut line = format!("{number:4}  {}", side.operation);
    if !side.parameters.0.is_empty() {
        let _ = write!(line, "({})", list(&side.parameters));
    }
    if !side.results.0.is_empty() {
        let _ = write!(line, " --> {}", list(&side.results));
    }
    let _ = writeln!(out, "{}{mark}", visible(&line));
}

/// The values that changed.
fn lines(state: &Bindings, before: Option<&Bindings>, indent: &str, out: &mut String) {
    for (name, value) in &state.0 {
        if before.and_then(|b| b.get(name)) != Some(value) {
            let _ = writeln!(out, "{indent}{}", visible(&format!("{name} = {}", clipped(value))));
        }
    }
}

/// The abstract states beside a step.
fn matching(side: &Side, out: &mut String) {
    for state in side.candidates.iter().take(BESIDE) {
        let all: Vec<String> = state.0.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        if !all.is_empty() {
            let _ = writeln!(out, "          matches {}", visible(&clipped(&all.join(", "))));
        }
    }
    if side.total > BESIDE {
        let _ = writeln!(out, "          and {} more", side.total - BESIDE);
    }
}
