//! Refinement, from one expression: which levels, what is compared, where to stop.

use crate::check::CheckOptions;
use crate::defaults;
use crate::error::{CheckError, Error};
use crate::identity::identity;
use crate::scope::{Scope, checked_settings};
use crate::specification::Specification;
use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_explore::{Cancel, Checkpoint, Checks, Job, Options, Order, Progress, explore};
use beeline_model::{Model, Role};
use beeline_refine::{Mode, Outcome, Prepared, decide, prepare};
use beeline_report::{RefineReport, RefineStep, Style, to_json};
use beeline_verdict::{Verdict, VerdictKind};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Checks that a refinement refines: that everything it does matches something its abstraction can do.
///
/// ```
/// use beeline::{OpenOptions, Refiner, source::MemoryLoader};
///
/// # fn main() -> Result<(), beeline::Error> {
/// let files = MemoryLoader::new()
///     .with("Best.mch", "MACHINE Best VARIABLES s INVARIANT s : FIN(NATURAL) INITIALISATION s := {}
///         OPERATIONS put(n) = PRE n : 1..3 THEN s := s \\/ {n} END;
///                    m <-- best = PRE s /= {} THEN m := max(s) END END")
///     .with("Best1.ref", "REFINEMENT Best1 REFINES Best VARIABLES b INVARIANT b = max(s \\/ {0})
///         INITIALISATION b := 0
///         OPERATIONS put(n) = IF n < b THEN b := n END;
///                    m <-- best = BEGIN m := b END END");
/// let refined = Refiner::new(OpenOptions::new().open_through(files, "Best1.ref")?).run()?;
/// assert!(!refined.holds());
/// let found = &refined.steps()[0].outcome.findings[0];
/// assert_eq!(found.told.message, "put(n=1) does something that Best cannot do");
/// assert!(found.candidates[0].why.contains("b = max(s"));
/// # Ok(()) }
/// ```
pub struct Refiner<'a> {
    specification: Specification,
    scope: Scope,
    options: beeline_refine::Options,
    explore: Options,
    upper: Option<usize>,
    saving: Option<(PathBuf, Duration, bool)>,
    cancel: Cancel,
    tell: Option<Box<dyn Fn(Progress) + Sync + 'a>>,
}

/// Why a specification is no refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRefinement {
    /// It refines nothing.
    NothingRefined,
    /// An Event-B chain is one machine: [`crate::Checker`] checks each event against those it refines.
    EventB,
}

impl Specification {
    /// Is this a refinement of classical B, and if not, why?
    pub fn refinement(&self) -> Result<usize, NoRefinement> {
        let model = self.model();
        let steps = model.levels.len() - 1;
        match steps {
            0 if model.components.iter().any(|c| c.role == Role::Refined) => {
                Err(NoRefinement::EventB)
            }
            0 => Err(NoRefinement::NothingRefined),
            _ => Ok(steps),
        }
    }

    /// The names of the machines of a chain, most abstract first.
    pub fn chain(&self) -> Vec<&str> {
        let model = self.model();
        model.levels.iter().map(|l| model.component(l.component).name.as_str()).collect()
    }
}

impl<'a> Refiner<'a> {
    /// Compares all levels of a specification, each with the next.
    pub fn new(specification: Specification) -> Refiner<'a> {
        let defaults = defaults::options();
        Refiner {
            specification,
            scope: Scope::default(),
            options: beeline_refine::Options::default(),
            explore: Options { order: Order::BreadthFirst, ..defaults.explore },
            upper: None,
            saving: None,
            cancel: Cancel::new(),
            tell: None,
        }
    }

    /// The scope: sizes of sets, `MININT` and `MAXINT`.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Refiner<'a> {
        self.scope = scope;
        self
    }

    /// What is compared.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Refiner<'a> {
        self.options.mode = mode;
        self
    }

    /// Whether the refinement must have a step wherever its abstraction has one.
    #[must_use]
    pub fn enabledness(mut self, wanted: bool) -> Refiner<'a> {
        self.options.enabledness = wanted;
        self
    }

    /// Begins with this level of the chain, counted from the most abstract one.
    #[must_use]
    pub fn from_level(mut self, level: usize) -> Refiner<'a> {
        self.upper = Some(level);
        self
    }

    /// Ends, with what is known, when somebody cancels.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Refiner<'a> {
        self.cancel = cancel.clone();
        self
    }

    /// Hears of progress, on another thread.
    #[must_use]
    pub fn on_progress(mut self, tell: impl Fn(Progress) + Sync + 'a) -> Refiner<'a> {
        self.tell = Some(Box::new(tell));
        self
    }

    /// Saves each step in a folder of its own below this one, and goes on from there if `resume`.
    #[must_use]
    pub fn checkpoint(mut self, folder: PathBuf, every: Duration, resume: bool) -> Refiner<'a> {
        self.saving = Some((folder, every, resume));
        self
    }

    /// Changes options of the exploration: limits, threads, whether it goes on after a finding.
    #[must_use]
    pub fn tune(mut self, change: impl FnOnce(&mut Options)) -> Refiner<'a> {
        change(&mut self.explore);
        self
    }

    /// Compares each level with the next. An error means that there is nothing to tell.
    pub fn run(&self) -> Result<Refined, Error> {
        let begin = Instant::now();
        let model = self.specification.model();
        let mut steps = Vec::new();
        for upper in self.upper.unwrap_or(0)..model.levels.len().saturating_sub(1) {
            let error = |e: CheckError| e.in_files(self.specification.sources());
            let step = self.step(model, upper, begin).map_err(error)?;
            steps.push(step);
        }
        Ok(Refined { specification: self.specification.clone(), steps })
    }

    /// Options of the exploration for a check that looks at the refinement by itself, too.
    pub(crate) fn explore_as(mut self, options: &Options) -> Refiner<'a> {
        self.explore.all = options.all;
        self.explore.seed = options.seed;
        self.explore.threads = options.threads;
        self.explore.limits = options.limits;
        self
    }

    fn step(&self, model: &Model, upper: usize, begin: Instant) -> Result<Step, CheckError> {
        let settings = checked_settings(model, &self.scope)?;
        let prepared = on_large_stack(|| prepare(model, upper, &settings, self.options));
        // Whoever asks goes through levels that there are.
        let Some(prepared) = prepared else { return Err(CheckError::Compile(Vec::new())) };
        let prepared = prepared.map_err(CheckError::Compile)?;
        let mut options = self.explore.clone();
        options.checks = Checks {
            invariants: false,
            deadlock: false,
            assertions: false,
            temporal: false,
            goal: false,
            refinement: true,
        };
        let whole = options.limits.time;
        options.limits.time = whole.map(|time| time.saturating_sub(begin.elapsed()));
        options.checkpoint =
            self.saving.as_ref().map(|saving| self.checkpoint_of(saving, &prepared, &options));
        let silent = |_: Progress| {};
        let tell: &(dyn Fn(Progress) + Sync) = match &self.tell {
            Some(tell) => &**tell,
            None => &silent,
        };
        let job = Job { cancel: self.cancel.clone(), tell, ..Job::new(&options) };
        let mut exploration = explore(&mut prepared.product(), &job);
        if let Some(refusal) = exploration.refused.take() {
            return Err(CheckError::Checkpoint(refusal));
        }
        let stop = Arc::default();
        let patience =
            |time: Duration| (time / 10).clamp(Duration::from_millis(500), Duration::from_secs(10));
        let limits = WorkLimits {
            time: match self.cancel.is_cancelled() {
                true => Some(patience(Duration::ZERO)),
                false => whole.map(|time| time.saturating_sub(begin.elapsed()).max(patience(time))),
            },
            memory_bytes: options.limits.memory_bytes.map(|bytes| bytes + bytes / 25),
            cancel: Cancel::new(),
        };
        let (outcome, _) =
            limits.watch(&stop, || on_large_stack(|| decide(&prepared, exploration, &stop)));
        Ok(Step { prepared, last: upper + 2 == model.levels.len(), outcome })
    }

    fn checkpoint_of(
        &self,
        (folder, every, resume): &(PathBuf, Duration, bool),
        prepared: &Prepared,
        options: &Options,
    ) -> Checkpoint {
        let check = CheckOptions {
            scope: self.scope.clone(),
            explore: options.clone(),
            ..CheckOptions::default()
        };
        let (sources, levels) = (self.specification.sources(), &prepared.levels);
        let mut identity = identity(sources, &levels.concrete, &check);
        // What is compared belongs to it, and a check of the refinement alone is something else.
        let mode = Mode::ALL.iter().position(|m| *m == self.options.mode).unwrap_or_default();
        identity[0] ^= 1 + 2 * mode as u8 + 16 * u8::from(self.options.enabledness);
        let folder = folder.join(format!("level{}", levels.upper + 1));
        Checkpoint { folder, every: *every, resume: *resume, identity }
    }
}

/// One level compared with the next.
pub struct Step {
    prepared: Prepared,
    last: bool,
    /// What came of it.
    pub outcome: Outcome,
}

impl Step {
    /// Both, compiled.
    pub(crate) fn system(&self) -> &beeline_compile::System {
        &self.prepared.system
    }

    /// Is the refinement the most concrete machine of its chain?
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// The two levels.
    pub fn levels(&self) -> &beeline_refine::Levels {
        &self.prepared.levels
    }
}

/// What came of comparing the levels of a specification.
pub struct Refined {
    specification: Specification,
    steps: Vec<Step>,
}

impl Refined {
    /// Each level with the next, most abstract first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Does each level refine the one before, with nothing left out?
    pub fn holds(&self) -> bool {
        self.verdict() == VerdictKind::Holds
    }

    /// The verdict of all steps together: what is wrong counts first, then what is not known.
    pub fn verdict(&self) -> VerdictKind {
        self.worst().map_or(VerdictKind::NoErrorFound, Verdict::kind)
    }

    /// The first level that does not refine the one above.
    pub fn wrong_step(&self) -> Option<&Step> {
        self.steps.iter().find(|s| matches!(s.outcome.verdict, Verdict::Violated(_)))
    }

    /// The verdict that counts.
    pub fn worst(&self) -> Option<&Verdict> {
        let rank = |verdict: &&Verdict| match verdict.kind() {
            VerdictKind::Violated | VerdictKind::GoalFound => 0,
            VerdictKind::ModelError => 1,
            VerdictKind::Undetermined => 2,
            VerdictKind::NoErrorFound => 3,
            VerdictKind::Holds => 4,
        };
        self.steps.iter().map(|s| &s.outcome.verdict).min_by_key(rank)
    }

    /// Everything that a report is made of. `file` is how the reader knows the refinement.
    pub fn report<'r>(&'r self, file: &'r str) -> RefineReport<'r> {
        RefineReport {
            file,
            sources: self.specification.sources(),
            verdict: self.verdict(),
            steps: self
                .steps
                .iter()
                .map(|step| RefineStep {
                    levels: &step.prepared.levels,
                    options: step.prepared.options,
                    system: &step.prepared.system,
                    outcome: &step.outcome,
                })
                .collect(),
        }
    }

    /// One line of JSON, with the field names that `beeline refine --json` promises.
    pub fn to_json(&self) -> String {
        to_json(&self.report(self.specification.name()).json())
    }
}

impl fmt::Display for Refined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(self.specification.name()).text(Style::Plain))
    }
}

impl fmt::Debug for Refined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdicts: Vec<_> = self.steps.iter().map(|s| s.outcome.verdict.word()).collect();
        f.debug_struct("Refined").field("verdicts", &verdicts).finish_non_exhaustive()
    }
}
