//! What can be said about a check, one method each.

use super::{Checker, Goal, Saving};
use crate::check::{CheckOptions, Tier};
use crate::direct::Hunt;
use crate::scope::Scope;
use beeline_explore::{Cancel, Checks, Order, Progress, Proof, Skip};
use beeline_model::Formula;
use beeline_symbolic::{Method, Relations};
use beeline_symmetry::Mode;
use std::path::PathBuf;
use std::time::Duration;

impl<'a> Checker<'a> {
    /// So many elements in a deferred set or set parameter.
    #[must_use]
    pub fn set_size(mut self, set: impl Into<String>, elements: u64) -> Checker<'a> {
        self.options.scope.set_sizes.push((set.into(), elements));
        self
    }

    /// The whole scope at once: sizes of sets, `MININT` and `MAXINT`.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Checker<'a> {
        self.options.scope = scope;
        self
    }

    /// What is checked; everything, if nothing is said.
    #[must_use]
    pub fn checks(mut self, checks: Checks) -> Checker<'a> {
        self.options.explore.checks = checks;
        self
    }

    /// Whether states without successors are looked for.
    #[must_use]
    pub fn deadlock(mut self, wanted: bool) -> Checker<'a> {
        self.options.explore.checks.deadlock = wanted;
        self
    }

    /// Find a state with this predicate, in place of the model's own `GOAL`.
    ///
    /// ```
    /// use beeline::Checker;
    ///
    /// # fn main() -> Result<(), beeline::Error> {
    /// let outcome = Checker::from_text("
    ///     MACHINE Jugs VARIABLES small, large INVARIANT small : 0..3 & large : 0..5
    ///     INITIALISATION small, large := 0, 0
    ///     OPERATIONS
    ///       fill_small = BEGIN small := 3 END; fill_large = BEGIN large := 5 END;
    ///       empty_small = BEGIN small := 0 END; empty_large = BEGIN large := 0 END;
    ///       to_large = BEGIN large, small := min({5, large + small}), max({0, large + small - 5}) END;
    ///       to_small = BEGIN small, large := min({3, large + small}), max({0, large + small - 3}) END
    ///     END")?
    ///     .goal("large = 4")
    ///     .shortest()
    ///     .run()?;
    /// let trace = outcome.trace().expect("the goal is reached");
    /// assert_eq!(trace.steps.len(), 1 + 6); // initialisation, and six steps
    /// assert_eq!(trace.last().and_then(|state| state.get("large")), Some("4"));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn goal(mut self, predicate: impl Into<String>) -> Checker<'a> {
        self.goal = Some(Goal::Text(predicate.into()));
        self
    }

    /// The same with a formula that was read beside the specification already, by
    /// [`crate::OpenOptions::formula`].
    #[must_use]
    pub fn goal_formula(mut self, formula: Formula) -> Checker<'a> {
        self.goal = Some(Goal::Read(formula));
        self
    }

    /// Do not look for the model's own `GOAL`.
    #[must_use]
    pub fn no_goal(mut self) -> Checker<'a> {
        self.options.no_goal = true;
        self.options.explore.checks.goal = false;
        self
    }

    /// Keep what [`crate::Outcome::certificate`] needs: all states, at the end.
    #[must_use]
    pub fn certified(mut self) -> Checker<'a> {
        self.options.certified = true;
        self
    }

    /// Continue after the first finding, and keep the first finding of each kind.
    #[must_use]
    pub fn all(mut self) -> Checker<'a> {
        self.options.explore.all = true;
        self
    }

    /// Find a trace of minimal length.
    #[must_use]
    pub fn shortest(mut self) -> Checker<'a> {
        self.shortest = true;
        self
    }

    /// Which state is expanded next.
    #[must_use]
    pub fn search(mut self, order: Order) -> Checker<'a> {
        self.order = Some(order);
        self
    }

    /// Direct the search at this.
    #[must_use]
    pub fn hunt(mut self, what: Hunt) -> Checker<'a> {
        self.options.hunt = Some(what);
        self
    }

    /// Seed of random choices.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Checker<'a> {
        self.options.explore.seed = seed;
        self
    }

    /// Search sets of states as decision diagrams; one by one, if nothing is said.
    ///
    /// ```
    /// use beeline::{Checker, symbolic::Method};
    ///
    /// # fn main() -> Result<(), beeline::Error> {
    /// let outcome = Checker::from_text("
    ///     MACHINE Switches SETS SWITCH VARIABLES on INVARIANT on <: SWITCH
    ///     INITIALISATION on := {}
    ///     OPERATIONS flip(s) = PRE s : SWITCH THEN
    ///       IF s : on THEN on := on - {s} ELSE on := on \\/ {s} END END END")?
    ///     .set_size("SWITCH", 10)
    ///     .method(Method::by_name("symbolic"))
    ///     .run()?;
    /// assert!(outcome.holds());
    /// let symbolic = outcome.exploration().symbolic.as_ref().expect("it was symbolic");
    /// assert_eq!(symbolic.states.as_deref(), Some("1024"));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn method(mut self, method: Option<Method>) -> Checker<'a> {
        self.options.method = method;
        self
    }

    /// Look at states one by one, and at sets of them where that does not end soon.
    #[must_use]
    pub fn method_auto(mut self) -> Checker<'a> {
        self.options.auto = true;
        self
    }

    /// How relations between sets of states come about: from code where there is some, if nothing is said.
    #[must_use]
    pub fn relations(mut self, relations: Relations) -> Checker<'a> {
        self.options.relations = relations;
        self
    }

    /// Which symmetric states count as one.
    #[must_use]
    pub fn symmetry(mut self, mode: Mode) -> Checker<'a> {
        self.options.symmetry = mode;
        self
    }

    /// Compare every reduced state with the definition of symmetry.
    #[must_use]
    pub fn symmetry_audit(mut self) -> Checker<'a> {
        self.options.symmetry_audit = true;
        self
    }

    /// Leave out steps whose order makes no difference.
    #[must_use]
    pub fn partial_order(mut self, usage: beeline_por::Usage) -> Checker<'a> {
        self.options.partial_order = usage;
        self
    }

    /// What is made of proofs that come with the model, or follow from how it is written.
    #[must_use]
    pub fn proof(mut self, usage: Proof) -> Checker<'a> {
        self.options.explore.proof = usage;
        self
    }

    /// What is made of operations that are known to be disabled; results are the same.
    #[must_use]
    pub fn skip(mut self, usage: Skip) -> Checker<'a> {
        self.options.explore.skip = usage;
        self
    }

    /// How far the engine may go to be fast; results are the same.
    #[must_use]
    pub fn engine(mut self, tier: Tier) -> Checker<'a> {
        self.options.engine = tier;
        self
    }

    /// How many workers; results are the same. All cores, if nothing is said.
    #[must_use]
    pub fn threads(mut self, workers: usize) -> Checker<'a> {
        self.options.explore.threads = workers.max(1);
        self
    }

    /// Stop after so much time.
    #[must_use]
    pub fn timeout(mut self, limit: impl Into<Option<Duration>>) -> Checker<'a> {
        self.options.explore.limits.time = limit.into();
        self
    }

    /// Stop when the process holds so many bytes; `None` for no limit. Three quarters of what is free,
    /// if nothing is said.
    #[must_use]
    pub fn memory(mut self, bytes: impl Into<Option<u64>>) -> Checker<'a> {
        self.options.explore.limits.memory_bytes = bytes.into();
        self
    }

    /// Stop when N states are known.
    #[must_use]
    pub fn max_states(mut self, states: impl Into<Option<u64>>) -> Checker<'a> {
        self.options.explore.limits.states = states.into();
        self
    }

    /// Do not expand states that are N operations away from initialisation.
    #[must_use]
    pub fn max_depth(mut self, operations: impl Into<Option<u32>>) -> Checker<'a> {
        self.options.explore.limits.depth = operations.into();
        self
    }

    /// Save the state of the check in this folder, so that another one can go on with it.
    #[must_use]
    pub fn checkpoint(mut self, folder: impl Into<PathBuf>, every: Duration) -> Checker<'a> {
        self.saving = Some(Saving { folder: folder.into(), every, resume: false });
        self
    }

    /// Go on with what the folder of the checkpoint holds; begin anew if it holds nothing.
    #[must_use]
    pub fn resume(mut self) -> Checker<'a> {
        if let Some(saving) = &mut self.saving {
            saving.resume = true;
        }
        self
    }

    /// Hears of progress a few times a second, on another thread.
    #[must_use]
    pub fn on_progress(mut self, tell: impl Fn(Progress) + Sync + 'a) -> Checker<'a> {
        self.tell = Some(Box::new(tell));
        self
    }

    /// Ends the check when somebody asks; what was found by then is told, with a cut.
    #[must_use]
    pub fn cancel(mut self, token: &Cancel) -> Checker<'a> {
        self.cancel = token.clone();
        self
    }

    /// Changes what has no method of its own.
    #[must_use]
    pub fn tune(mut self, change: impl FnOnce(&mut CheckOptions)) -> Checker<'a> {
        change(&mut self.options);
        self
    }
}
