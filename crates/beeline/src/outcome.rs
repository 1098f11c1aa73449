//! What came of a check.

use crate::check::{CheckOptions, Checked};
use crate::error::Error;
use crate::joined::join;
use crate::refine::Refined;
use crate::specification::Specification;
use beeline_compile::System;
use beeline_explore::{Checks, Counts, CutNote, Exploration};
use beeline_report::{CheckReport, Style, to_json};
use beeline_source::Span;
use beeline_symmetry::Reduced;
use beeline_verdict::{Found, Trace, TraceScope, Verdict};
use std::fmt;

/// What came of a check: the verdict, and everything that is told beside it.
///
/// `{}` is the report that `beeline check` prints.
///
/// ```
/// use beeline::Checker;
///
/// # fn main() -> Result<(), beeline::Error> {
/// let outcome = Checker::from_text("
///     MACHINE Account VARIABLES balance INVARIANT balance >= 0 INITIALISATION balance := 0
///     OPERATIONS pay(n) = PRE n : 1..9 & n <= balance THEN balance := balance - n - 1 END;
///                earn = PRE balance < 9 THEN balance := balance + 3 END END")?
///     .shortest()
///     .run()?;
/// let found = outcome.finding().expect("the fee was forgotten");
/// assert_eq!(found.told.message, "the invariant is violated");
/// let steps: Vec<&str> = found.trace.steps.iter().map(|s| s.operation.as_str()).collect();
/// assert_eq!(steps, ["INITIALISATION", "earn", "pay"]);
/// assert_eq!(found.trace.steps[2].parameters.get("n"), Some("3"));
/// assert_eq!(found.trace.steps[2].state.get("balance"), Some("-1"));
/// assert_eq!(outcome.place(found.told.span).as_deref(), Some("text:2:49"));
/// # Ok(()) }
/// ```
pub struct Outcome {
    specification: Specification,
    checked: Checked,
    checks: Checks,
    goal_left_out: bool,
    refined: Option<Refined>,
}

impl Outcome {
    pub(crate) fn new(
        specification: Specification,
        checked: Checked,
        options: &CheckOptions,
    ) -> Outcome {
        let goal_left_out = options.no_goal && specification.model().special.goal.is_some();
        let checks = options.explore.checks;
        Outcome { specification, checked, checks, goal_left_out, refined: None }
    }

    /// The same with what came of comparing the refinement with its abstraction, or why nothing did.
    pub(crate) fn with_refinement(mut self, refined: Result<Refined, Error>) -> Outcome {
        self.refined =
            join(&mut self.checked.outcome, (self.specification.model(), &self.checks), refined);
        self
    }

    /// The states that the search kept, for a certificate.
    pub(crate) fn kept(&self) -> &[(beeline_transition::Constants, beeline_transition::State)] {
        &self.checked.kept
    }

    /// What came of comparing a refinement with its abstraction, if that was done.
    pub fn refined(&self) -> Option<&Refined> {
        self.refined.as_ref()
    }

    /// What is known about the model, in the scope that was checked.
    pub fn verdict(&self) -> &Verdict {
        &self.checked.outcome.verdict
    }

    /// Was every reachable state visited, and nothing wrong with any?
    pub fn holds(&self) -> bool {
        matches!(self.verdict(), Verdict::Holds(_))
    }

    /// The finding that the verdict is about, confirmed by the judge: what is wrong, or the goal.
    pub fn finding(&self) -> Option<&Found> {
        match self.verdict() {
            Verdict::Violated(confirmed) | Verdict::GoalFound(confirmed) => {
                self.findings().get(confirmed.finding())
            }
            _ => None,
        }
    }

    /// All that was found, each with a trace in names and values.
    pub fn findings(&self) -> &[Found] {
        &self.checked.outcome.findings
    }

    /// The trace of the first finding, ready to be saved: it tells its scope.
    pub fn trace(&self) -> Option<Trace> {
        // What a level further up does is nothing that this machine can repeat.
        let elsewhere = |refined: &Refined| refined.wrong_step().is_some_and(|s| !s.is_last());
        if self.refined.as_ref().is_some_and(elsewhere) {
            return None;
        }
        let found = self.findings().first()?;
        Some(self.specification.mark(found.trace.clone()))
    }

    /// What was left out. With anything in it the model is not said to hold.
    pub fn cuts(&self) -> &[CutNote] {
        &self.checked.outcome.cuts
    }

    /// How many states, transitions, evaluations.
    pub fn counts(&self) -> &Counts {
        &self.exploration().counts
    }

    /// The facts: depth, time, memory, coverage of operations, statistics.
    pub fn exploration(&self) -> &Exploration {
        &self.checked.outcome.exploration
    }

    /// The scope for which the verdict was found.
    pub fn scope(&self) -> TraceScope {
        let mut scope = TraceScope::of(&self.checked.system);
        let eventb = &self.specification.options().eventb;
        (scope.main, scope.level) = (eventb.main.clone(), eventb.level.clone());
        scope
    }

    /// What was checked.
    pub fn checks(&self) -> &Checks {
        &self.checks
    }

    /// What partial order reduction did, if it was asked for: then counts are those of a part of the state space.
    pub fn partial_order(&self) -> Option<&beeline_por::Told> {
        self.checked.partial_order.as_ref()
    }

    /// What symmetry reduction did, if it was asked for.
    pub fn symmetry(&self) -> Option<&Reduced> {
        self.checked.reduced.as_ref()
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// The compiled model: operations, slots, and what their words mean.
    pub fn system(&self) -> &System {
        &self.checked.system
    }

    /// `File.mch:3:5`; nothing if it is about no place.
    pub fn place(&self, span: Span) -> Option<String> {
        let (file, at) = self.specification.sources().place(span)?;
        Some(format!("{}:{}:{}", file.name, at.line, at.column))
    }

    /// Everything that a report is made of. `file` is how the reader knows the model.
    pub fn report<'a>(&'a self, file: &'a str) -> CheckReport<'a> {
        CheckReport {
            file,
            model: self.specification.model(),
            sources: self.specification.sources(),
            system: &self.checked.system,
            outcome: &self.checked.outcome,
            checks: self.checks,
            goal_left_out: self.goal_left_out,
            symmetry: self.symmetry(),
            partial_order: self.partial_order(),
            refined: self.refined.as_ref().map(|r| r.report(file)),
        }
    }

    /// One line of JSON, with the field names that `beeline check --json` promises.
    pub fn to_json(&self) -> String {
        to_json(&self.report(self.file()).json())
    }

    /// The main file.
    fn file(&self) -> &str {
        let files = self.specification.sources().files();
        files.first().map_or(self.specification.name(), |file| &*file.name)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(self.file()).text(Style::Plain))
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("specification", &self.specification)
            .field("verdict", self.verdict())
            .field("counts", self.counts())
            .field("cuts", &self.cuts())
            .finish_non_exhaustive()
    }
}
