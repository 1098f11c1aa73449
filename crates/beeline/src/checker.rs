//! Checking a specification, from one expression: what to check, how to search, where to stop.

mod options;

use crate::check::{CheckOptions, Checked};
use crate::defaults;
use crate::error::{BreadthFirst, Error, OptionError};
use crate::identity::identity;
use crate::joined::is_open;
use crate::outcome::Outcome;
use crate::refine::Refiner;
use crate::specification::Specification;
use beeline_explore::{Cancel, Checkpoint, Order, Progress};
use beeline_model::{Formula, Pred};
use beeline_symmetry::Mode;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checks a specification. What is not said is as `beeline check` has it.
///
/// ```
/// use beeline::Checker;
///
/// # fn main() -> Result<(), beeline::Error> {
/// let outcome = Checker::from_text("
///     MACHINE Club SETS PERSON VARIABLES members INVARIANT members <: PERSON
///     INITIALISATION members := {}
///     OPERATIONS join(p) = PRE p : PERSON - members THEN members := members \\/ {p} END;
///                leave(p) = PRE p : members THEN members := members - {p} END END")?
///     .set_size("PERSON", 4)
///     .run()?;
/// assert!(outcome.holds());
/// assert_eq!(outcome.counts().states(), 16);
/// assert_eq!(outcome.scope().sets, [("PERSON".to_owned(), 4)]);
/// # Ok(()) }
/// ```
///
/// Options are checked when the check runs: a set that the model does not have is an
/// [`OptionError`].
pub struct Checker<'a> {
    specification: Specification,
    options: CheckOptions,
    /// The search order, if somebody says.
    order: Option<Order>,
    shortest: bool,
    goal: Option<Goal>,
    saving: Option<Saving>,
    cancel: Cancel,
    tell: Option<Box<dyn Fn(Progress) + Sync + 'a>>,
}

/// A goal before it is known whether the model understands it.
#[derive(Clone, Debug)]
enum Goal {
    Text(String),
    Read(Formula),
}

/// Where and how often to save. What is saved belongs to a check whose options are known only when
/// it begins.
#[derive(Clone, Debug)]
struct Saving {
    folder: PathBuf,
    every: Duration,
    resume: bool,
}

impl<'a> Checker<'a> {
    /// Opens the model whose main file is `path`, to check it.
    pub fn open(path: impl AsRef<Path>) -> Result<Checker<'a>, Error> {
        Specification::open(path).map(Checker::new)
    }

    /// The same for a model that is a text: B, or Event-B.
    pub fn from_text(text: &str) -> Result<Checker<'a>, Error> {
        Specification::from_text(text).map(Checker::new)
    }

    /// The same for a specification that was opened before.
    pub fn new(specification: Specification) -> Checker<'a> {
        Checker {
            specification,
            options: defaults::options(),
            order: None,
            shortest: false,
            goal: None,
            saving: None,
            cancel: Cancel::new(),
            tell: None,
        }
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// What the check will do: all options, as they come to after the defaults. The goal is not among
    /// them, since it is read only then.
    pub fn options(&self) -> CheckOptions {
        let mut options = self.options.clone();
        options.explore.order = self.order();
        options.explore.checks.goal &= self.goal.is_none();
        options
    }

    /// Where a shortest trace, an exact depth or states on disk are wanted, or everything is visited
    /// anyway, breadth-first search is the one to choose.
    fn order(&self) -> Order {
        let explore = &self.options.explore;
        let exact = self.shortest
            || explore.all
            || explore.limits.depth.is_some()
            || explore.hash_compaction
            || self.saving.is_some()
            || explore.spill.after_states.is_some();
        self.order.unwrap_or(match (&self.options.hunt, exact) {
            (Some(_), _) => Order::Distance,
            (None, true) => Order::BreadthFirst,
            (None, false) => explore.order,
        })
    }

    /// Do the options fit each other, whatever the model is?
    pub fn validate(&self) -> Result<(), OptionError> {
        let options = self.options();
        let reduces = !matches!(options.symmetry, Mode::None | Mode::Constants);
        if options.symmetry_audit && !reduces {
            return Err(OptionError::NothingToAudit);
        }
        let nearest = options.explore.order.is_shortest_first();
        if self.shortest && !nearest {
            return Err(OptionError::NeedsBreadthFirst(BreadthFirst::Shortest));
        }
        if options.explore.hash_compaction && !nearest {
            return Err(OptionError::NeedsBreadthFirst(BreadthFirst::HashCompaction));
        }
        Ok(())
    }

    /// Explores all states, checks them, and has what was found confirmed.
    ///
    /// A model that is wrong is no error: the [`Outcome`] tells. An error means that there is
    /// nothing to tell.
    pub fn run(&self) -> Result<Outcome, Error> {
        self.validate()?;
        let mut options = self.options();
        let specification = match &self.goal {
            None => self.specification.clone(),
            Some(Goal::Read(formula)) => {
                options.goal = Some(predicate(&self.specification, formula)?);
                self.specification.clone()
            }
            Some(Goal::Text(text)) => {
                let (specification, formula) = self.specification.with_formula(text)?;
                options.goal = Some(predicate(&specification, &formula)?);
                specification
            }
        };
        let model = specification.model();
        // Nothing changes the options from here on: what is saved belongs to exactly these.
        options.explore.checkpoint = self.saving.as_ref().map(|saving| Checkpoint {
            folder: saving.folder.clone(),
            every: saving.every,
            resume: saving.resume,
            identity: identity(specification.sources(), model, &options),
        });
        let silent = |_: Progress| {};
        let tell: &(dyn Fn(Progress) + Sync) = match &self.tell {
            Some(tell) => &**tell,
            None => &silent,
        };
        let begin = Instant::now();
        let asked = options.clone();
        let refines = options.explore.checks.refinement && model.levels.len() > 1;
        // What the second search looks at is not open after the first.
        options.explore.checks.refinement &= !refines;
        let checked = Checked::run(model, &options, &self.cancel, tell)
            .map_err(|error| error.in_files(specification.sources()))?;
        let outcome = Outcome::new(specification, checked, &asked);
        if !refines || !is_open(outcome.verdict()) {
            return Ok(outcome);
        }
        let refined = self.refiner(outcome.specification(), &asked, begin).on_progress(tell).run();
        match refined {
            // What was saved is not to be passed over.
            Err(error @ Error::Checkpoint(_)) => Err(error),
            refined => Ok(outcome.with_refinement(refined)),
        }
    }

    /// The comparison of a refinement with its abstraction, with what is left of the limits.
    fn refiner<'b>(
        &self,
        specification: &Specification,
        options: &CheckOptions,
        begin: Instant,
    ) -> Refiner<'b> {
        let refiner = Refiner::new(specification.clone())
            .scope(options.scope.clone())
            .cancel(&self.cancel)
            .explore_as(&options.explore)
            .tune(|explore| {
                let left = explore.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
                explore.limits.time = left;
            });
        match &self.saving {
            Some(saving) => refiner.checkpoint(saving.folder.clone(), saving.every, saving.resume),
            None => refiner,
        }
    }
}

/// A goal is a predicate about what the model knows.
fn predicate(specification: &Specification, formula: &Formula) -> Result<Pred, OptionError> {
    match formula {
        Formula::Expr(_) => Err(OptionError::GoalNotPredicate),
        Formula::Pred(open, pred) => match open.first() {
            None => Ok(pred.clone()),
            Some(local) => {
                let name = specification.model().local(*local).name.to_string();
                Err(OptionError::GoalUnknownName(name))
            }
        },
    }
}
