//! The report for people: verdict first, then why, then how much.

use super::CheckReport;
use crate::escape::visible;
use crate::shown::{clipped, excerpt};
use crate::style::{Paint, Style};
use beeline_explore::{Made, Proof, Skip, Symbolic};
use beeline_source::{SourceMap, Span};
use beeline_verdict::{Bindings, Found, SETUP, Trace, Verdict};
use std::fmt::Write;

impl CheckReport<'_> {
    /// The report for people.
    pub fn text(&self, style: Style) -> String {
        let mut out = String::new();
        self.headline(style, &mut out);
        let told = match &self.outcome.verdict {
            Verdict::Violated(c) | Verdict::GoalFound(c) => Some(c.finding()),
            _ => None,
        };
        let two_sided = self.refined.as_ref().is_some_and(|r| r.show_finding(&mut out));
        if let Some(found) = told.and_then(|i| self.outcome.findings.get(i))
            && !two_sided
        {
            self.finding(found, &mut out);
        }
        let others: Vec<_> = self.outcome.findings.iter().enumerate().collect();
        for (_, found) in others.iter().filter(|(i, _)| Some(*i) != told) {
            let steps = found.trace.steps.len();
            let _ = writeln!(out, "also found: {} ({steps} steps)", self.line_of(found));
        }
        self.cuts(&mut out);
        self.counts(&mut out);
        self.refined.iter().for_each(|r| r.summary(&mut out));
        self.proofs(&mut out);
        self.guards(&mut out);
        self.scope(&mut out);
        self.symmetry(&mut out);
        self.partial_order_text(&mut out);
        for trouble in &self.outcome.exploration.troubles {
            let _ = writeln!(out, "warning: {}", visible(trouble));
        }
        self.stats_text(&mut out);
        out
    }

    fn symmetry(&self, out: &mut String) {
        let Some(reduced) = self.symmetry else { return };
        let sets: Vec<String> =
            reduced.sets.iter().map(|(name, n)| format!("{n} elements of {name}")).collect();
        let _ = match sets.is_empty() {
            true => writeln!(out, "symmetry: there is nothing to permute"),
            false => writeln!(
                out,
                "symmetry: {}, up to permutations of {}",
                reduced.mode,
                visible(&sets.join(", "))
            ),
        };
        for (name, why) in &reduced.excluded {
            let _ = writeln!(out, "  {} is not symmetric: {}", visible(name), visible(why));
        }
        let Some(audit) = &reduced.audit else { return };
        let _ = writeln!(
            out,
            "audit: {} representatives for {} classes of states, {} of them shared",
            audit.representatives, audit.classes, audit.collisions
        );
        if !audit.exhaustive {
            out.push_str(
                "  (too many permutations to try them all: canonical forms were compared)\n",
            );
        }
        if audit.split > 0 {
            let _ = writeln!(out, "  {} classes have more than one representative", audit.split);
        }
        if audit.wrong_twins > 0 {
            let words = "pairs of elements were considered interchangeable but are not";
            let _ = writeln!(out, "  {} {words}", audit.wrong_twins);
        }
        let Some((one, other)) = &audit.example else { return };
        out.push_str("  treated as symmetric, but no permutation maps one to the other:\n");
        for state in [one, other] {
            let all: Vec<String> =
                self.bindings(state).0.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            let _ = writeln!(out, "    {}", visible(&clipped(&all.join(", "))));
        }
    }

    fn headline(&self, style: Style, out: &mut String) {
        let name = visible(self.file);
        let (paint, words) = match &self.outcome.verdict {
            Verdict::Holds(_) => (Paint::Note, "holds".to_owned()),
            Verdict::Violated(c) => {
                (Paint::Error, format!("violated: {}", self.message(c.finding())))
            }
            Verdict::GoalFound(_) => (Paint::Note, "goal found".to_owned()),
            Verdict::NoErrorFound(_) => {
                (Paint::Warning, "no error found, but the check is incomplete".to_owned())
            }
            Verdict::ModelError(error) => (Paint::Error, format!("model error: {error}")),
            Verdict::Undetermined(why) => (Paint::Error, format!("undetermined: {why}")),
        };
        style.paint(out, paint, &visible(&words));
        let _ = writeln!(out, "   {name}");
        if matches!(self.outcome.verdict, Verdict::ModelError(_)) {
            excerpt(self.sources, self.outcome.error_span(), out);
            if !self.outcome.conflict.is_empty() {
                out.push_str("these conjuncts cannot all hold:\n");
            }
            for span in &self.outcome.conflict {
                excerpt(self.sources, *span, out);
            }
        }
    }

    fn message(&self, finding: usize) -> String {
        self.outcome.findings.get(finding).map_or(String::new(), |f| f.told.message.clone())
    }

    fn line_of(&self, found: &Found) -> String {
        let place = self.place(found.told.span);
        let place = if place.is_empty() { place } else { format!(" at {place}") };
        let refused = match found.refused() {
            Some(why) => format!(" (not confirmed by the judge: {why})"),
            None => String::new(),
        };
        visible(&format!("{}{place}{refused}", found.told.message))
    }

    fn finding(&self, found: &Found, out: &mut String) {
        out.push_str(&finding_text(self.sources, found));
        out.push('\n');
        out.push_str(&trace_text(&found.trace));
        if found.trace.steps.len() > 1 {
            let order = self.outcome.exploration.order;
            let _ = match self.outcome.exploration.minimal {
                true => writeln!(out, "no shorter trace exists"),
                // Something was left out, or there are more valuations than could be looked at first.
                false if order.is_shortest_first() => writeln!(out, "a shorter trace may exist"),
                false => writeln!(
                    out,
                    "a shorter trace may exist (search order {order}): --shortest looks for one"
                ),
            };
        }
    }

    fn cuts(&self, out: &mut String) {
        if self.outcome.cuts.is_empty() {
            return;
        }
        out.push_str("incomplete because:\n");
        for cut in &self.outcome.cuts {
            let place = self.place(cut.span);
            let place = if place.is_empty() { place } else { format!(" at {place}") };
            let times =
                if cut.count > 1 { format!(" ({} times)", cut.count) } else { String::new() };
            let _ = writeln!(out, "  - {}{times}", visible(&format!("{}{place}", cut.words)));
        }
    }

    fn counts(&self, out: &mut String) {
        let facts = &self.outcome.exploration;
        if let Some(symbolic) = &facts.symbolic {
            return self.symbolic_counts(symbolic, out);
        }
        let seconds = facts.elapsed.as_secs_f64();
        let rate = facts.counts.states() as f64 / seconds.max(1e-6);
        let _ = write!(
            out,
            "{} states, {} transitions, depth {}, {seconds:.2} s",
            facts.counts.states(),
            facts.counts.transitions,
            facts.depth,
        );
        if seconds >= 0.1 {
            let _ = write!(out, ", {rate:.0} states/s");
        }
        if let Some(bytes) = facts.peak_memory_bytes {
            let _ = write!(out, ", {} MB", bytes >> 20);
        }
        out.push('\n');
        if let Some(states) = facts.resumed {
            let _ = writeln!(out, "resumed from a checkpoint with {states} states");
        }
        for observed in &self.outcome.observations {
            let names: Vec<&str> = observed.about.iter().map(|(name, _)| name.as_str()).collect();
            let _ = writeln!(out, "{}: {}", observed.words, visible(&names.join(", ")));
        }
    }

    /// How much there was, of a search over sets of states.
    fn symbolic_counts(&self, symbolic: &Symbolic, out: &mut String) {
        let facts = &self.outcome.exploration;
        if let Some(states) = &symbolic.states {
            let _ = write!(out, "{states} states, ");
        }
        if let Some(transitions) = &symbolic.transitions {
            let _ = write!(out, "{transitions} transitions, ");
        }
        let _ = write!(out, "{:.2} s", facts.elapsed.as_secs_f64());
        if let Some(bytes) = facts.peak_memory_bytes {
            let _ = write!(out, ", {} MB", bytes >> 20);
        }
        let _ = writeln!(
            out,
            "\n{}: {}, {}, {}, {} for the states, {} at most",
            symbolic.method,
            some(symbolic.bits, "bit"),
            some(symbolic.rounds, "round"),
            some(symbolic.learned, "evaluation"),
            some(symbolic.nodes, "node"),
            symbolic.peak_nodes
        );
        self.relations(symbolic, out);
        let done = symbolic.operations;
        let _ = writeln!(
            out,
            "  {}, {}, {}, {}, {}",
            some(done.images, "image"),
            some(done.unions, "union"),
            some(done.differences, "difference"),
            some(done.intersections, "intersection"),
            some(done.comparisons, "comparison")
        );
        if let Some(blocks) = symbolic.blocks {
            let _ = writeln!(out, "  {blocks} blocks");
        }
        for observed in &self.outcome.observations {
            let names: Vec<&str> = observed.about.iter().map(|(name, _)| name.as_str()).collect();
            let _ = writeln!(out, "{}: {}", observed.words, visible(&names.join(", ")));
        }
    }

    /// How relations were made; with statistics, that of each operation.
    fn relations(&self, symbolic: &Symbolic, out: &mut String) {
        let made = |all: &[Made]| {
            let count = |how: &Made| all.iter().filter(|m| *m == how).count();
            let some = Made::ALL.iter().filter(|how| count(how) > 0);
            some.map(|how| format!("{} {}", count(how), how.name())).collect::<Vec<_>>().join(", ")
        };
        let operations: Vec<Made> = symbolic.relations.iter().map(|(_, made)| *made).collect();
        for (what, all) in [("operations", &operations), ("checks", &symbolic.checks)] {
            if !all.is_empty() {
                let _ = writeln!(out, "  {what}: {}", made(all));
            }
        }
        if symbolic.is_detailed {
            for (name, made) in &symbolic.relations {
                let _ = writeln!(out, "    {}: {}", visible(name), made.name());
            }
        }
    }

    /// How much was known without an evaluation, and what of it was wrong.
    fn proofs(&self, out: &mut String) {
        let facts = &self.outcome.exploration;
        let (made, known) =
            (facts.counts.invariant_evaluations, facts.counts.invariant_evaluations_known);
        let audit = facts.proof == Proof::Audit;
        let all = if audit { made } else { made + known };
        if known > 0 {
            let share = known as f64 * 100.0 / all as f64;
            let plural = if made == 1 { "" } else { "s" };
            let what = if audit { "compared with proofs" } else { "not needed (proved)" };
            let _ = writeln!(
                out,
                "invariants: {made} evaluation{plural}; {known} of {all} ({share:.0} %) {what}"
            );
            for prover in self.provers() {
                // What holds after steps is told where somebody asks for proofs.
                if prover.always > 0 {
                    let plural = if prover.always == 1 { "conjunct" } else { "conjuncts" };
                    let (always, source) = (prover.always, prover.source);
                    let _ = writeln!(out, "  {always} {plural} true in every state: {source}");
                }
                if prover.preserved > 0 && audit {
                    let plural = if prover.preserved == 1 { "" } else { "s" };
                    let (steps, source) = (prover.preserved, prover.source);
                    let _ = writeln!(out, "  {steps} proof{plural} about steps: {source}");
                }
            }
        }
        for found in &facts.contradictions {
            let check = self.system.check(found.conjunct);
            let name = check.label.as_deref().unwrap_or("a conjunct");
            let _ = writeln!(
                out,
                "wrong proof{}: {} was claimed to preserve {} at {}, which is false after {} steps",
                self.sources(found),
                visible(&self.said_by(found)),
                visible(name),
                visible(&self.place(check.span)),
                found.steps
            );
        }
    }

    /// How many operations were known to be disabled, and which of them were not.
    fn guards(&self, out: &mut String) {
        let facts = &self.outcome.exploration;
        let (made, known) = (facts.counts.guard_evaluations, facts.counts.guard_evaluations_known);
        let audit = facts.skip == Skip::Audit;
        let all = if audit { made } else { made + known };
        // Few ask how it was done.
        let is_asked = facts.skip != Skip::Auto || facts.stats.is_some();
        if known > 0 && is_asked {
            let share = known as f64 * 100.0 / all as f64;
            let plural = if made == 1 { "" } else { "s" };
            let what = if audit { "compared with what was known" } else { "not needed (known)" };
            let _ = writeln!(
                out,
                "guards: {made} evaluation{plural}; {known} of {all} ({share:.0} %) {what}"
            );
        }
        for wrong in &facts.wrong_skips {
            let _ = writeln!(
                out,
                "wrongly known: {} was taken for {} after {}, and is not after {} steps",
                visible(self.operation_name(Some(wrong.operation))),
                if wrong.is_enabled { "disabled" } else { "enabled" },
                visible(self.operation_name(wrong.after)),
                wrong.steps
            );
        }
    }

    fn scope(&self, out: &mut String) {
        let mut parts: Vec<String> = self
            .set_scopes()
            .iter()
            .map(|s| format!("{} has {} elements ({})", s.name, s.size, s.origin))
            .collect();
        if self.system.uses_int_bounds() {
            let settings = self.system.settings();
            parts.push(format!("MININT..MAXINT is {}..{}", settings.min_int, settings.max_int));
        }
        let left_out = self.left_out();
        if !left_out.is_empty() {
            parts.push(format!("not checked: {}", left_out.join(", ")));
        }
        match self.believed() {
            0 => {}
            1 => parts.push("1 proof was believed without its obligation".to_owned()),
            n => parts.push(format!("{n} proofs were believed without their obligations")),
        }
        if !parts.is_empty() {
            let _ = writeln!(out, "scope: {}", visible(&parts.join("; ")));
        }
    }
}

/// Where a finding is, and the values that make it one.
pub fn finding_text(sources: &SourceMap, found: &Found) -> String {
    let mut out = String::new();
    let is_readable =
        |span: Span| sources.file_of(span).is_none_or(|(_, file)| file.is_for_people());
    if is_readable(found.told.span) {
        excerpt(sources, found.told.span, &mut out);
    } else if let Some(formula) = &found.formula {
        let _ = writeln!(out, "    {}", visible(&clipped(formula)));
    }
    for part in &found.parts {
        let text = match is_readable(part.span) {
            true => sources.text(part.span).split_whitespace().collect::<Vec<_>>().join(" "),
            false => clipped(&part.text).into(),
        };
        let value = visible(&clipped(&part.value));
        let _ = writeln!(out, "    {} = {value}", visible(&text));
    }
    out
}

/// A trace: each step with what it changed.
pub fn trace_text(trace: &Trace) -> String {
    let mut out = String::new();
    let mut last = Bindings::default();
    for (number, step) in trace.steps.iter().enumerate() {
        let list = |b: &Bindings| {
            let all: Vec<_> = b.0.iter().map(|(n, v)| format!("{n}={v}")).collect();
            all.join(", ")
        };
        let mut line = format!("{:4}  {}", number + 1, step.operation);
        if !step.parameters.0.is_empty() {
            let _ = write!(line, "({})", list(&step.parameters));
        }
        if !step.results.0.is_empty() {
            let _ = write!(line, " --> {}", list(&step.results));
        }
        let _ = writeln!(out, "{}", visible(&line));
        for (name, value) in &step.state.0 {
            if last.get(name) != Some(value) {
                let _ =
                    writeln!(out, "        {}", visible(&format!("{name} = {}", clipped(value))));
            }
        }
        if step.operation != SETUP {
            last = step.state.clone();
        }
    }
    out
}

/// A number, and what it counts.
fn some<N: std::fmt::Display + PartialEq + From<u8>>(count: N, word: &str) -> String {
    let end = if count == N::from(1) { "" } else { "s" };
    format!("{count} {word}{end}")
}
