//! A saved trace beside its specification: is it still an execution, and what is wrong at its end?

use crate::defaults;
use crate::error::{Error, ReplayFailure};
use crate::scope::{Scope, compile};
use crate::specification::Specification;
use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_compile::{Cut, CutReason, System};
use beeline_explore::{Effort, Path, shorten};
use beeline_judge::{Claim, Judge};
use beeline_model::Model;
use beeline_pack::PackedSystem;
use beeline_verdict::{
    Found, ReplayError, Trace, TraceScope, Unconfirmed, follow, inspect, judge_settings,
    judge_trace,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A saved trace and the specification it is to be an execution of.
///
/// ```
/// use beeline::{Checker, Specification};
///
/// # fn main() -> Result<(), beeline::Error> {
/// let count = |limit| Specification::from_text(&format!("
///     MACHINE Count VARIABLES n INVARIANT n < 3 INITIALISATION n := 0
///     OPERATIONS up = PRE n < {limit} THEN n := n + 1 END END"));
/// let trace = Checker::new(count(5)?).run()?.trace().expect("it counts too far");
///
/// // The same in a model that was not mended, and in one that was.
/// let replayed = count(4)?.replay(trace.clone())?.run()?;
/// assert_eq!(replayed.found[0].told.message, "the invariant is violated");
/// let error = count(2)?.replay(trace)?.run().unwrap_err();
/// assert_eq!(error.to_string(), "step 4: up is not possible with these parameters");
/// # Ok(()) }
/// ```
pub struct Replay {
    specification: Specification,
    system: System,
    trace: Trace,
    limits: WorkLimits,
}

/// A trace that is an execution, and what is to be said about its end.
#[derive(Debug, Default)]
pub struct Replayed {
    /// How many steps it has.
    pub steps: usize,
    /// What is found in the last state.
    pub found: Vec<Found>,
    /// What could not be decided there.
    pub cuts: Vec<Cut>,
    /// The limit at which nobody looked further.
    pub stopped: Option<CutReason>,
}

impl Replay {
    /// Compiles the specification in the scope of the trace; what is said of the scope here comes
    /// before.
    pub fn new(
        specification: &Specification,
        trace: Trace,
        scope: &Scope,
    ) -> Result<Replay, Error> {
        if specification.name() != trace.model {
            let (of, opened) = (trace.model, specification.name().to_owned());
            return Err(ReplayFailure::OtherModel { of, opened }.into());
        }
        let scope = scope_of(specification.model(), trace.scope.as_ref(), scope);
        let system = compile(specification.model(), &scope)
            .map_err(|error| error.in_files(specification.sources()))?;
        let specification = specification.clone();
        Ok(Replay { specification, system, trace, limits: defaults::work_limits() })
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// Where following the trace, asking the judge and looking at the end stop, each of them.
    #[must_use]
    pub fn limits(mut self, limits: WorkLimits) -> Replay {
        self.limits = limits;
        self
    }

    /// Executes the trace again, has the judge confirm it, and looks at its last state as a check
    /// would.
    pub fn run(&self) -> Result<Replayed, Error> {
        let path = self.watched(|| follow(&self.system, &self.trace))?;
        self.confirmed(&path)?;
        let (model, stop) = (self.specification.model(), Arc::default());
        let (end, stopped) = self
            .limits
            .watch(self.system.interrupt(), || inspect(model, &self.system, &path, &stop));
        let steps = self.trace.steps.len();
        Ok(Replayed { steps, found: end.found, cuts: end.cuts, stopped })
    }

    /// The same end with fewer steps, as far as the effort goes; confirmed by the judge.
    pub fn shorten(&self, effort: Effort) -> Result<Trace, Error> {
        let interrupt = self.system.interrupt();
        let path = self.watched(|| {
            let path = follow(&self.system, &self.trace)?;
            let stop = || interrupt.load(Ordering::Relaxed);
            let packed = PackedSystem::general(&self.system);
            Ok(on_large_stack(|| shorten(&packed, &path, effort, &stop)))
        })?;
        self.confirmed(&path)?;
        let trace = Trace::new(&self.system, self.specification.name(), &path);
        Ok(self.specification.mark(trace))
    }

    fn watched(&self, work: impl FnOnce() -> Result<Path, ReplayError>) -> Result<Path, Error> {
        self.system.limit_memory(self.limits.memory_bytes);
        let (path, stopped) = self.limits.watch(self.system.interrupt(), work);
        path.map_err(|error| ReplayFailure::NotFollowed { error, stopped }.into())
    }

    /// Asks the judge, within limits, whether a path is an execution.
    fn confirmed(&self, path: &Path) -> Result<(), Error> {
        let (model, stop) = (self.specification.model(), Arc::default());
        let mut judge = Judge::new(model, judge_settings(model, &self.system));
        judge.stop_when(Arc::clone(&stop));
        let (replayed, _) = self.limits.watch(&stop, || {
            judge_trace(&judge, &self.system, path)
                .and_then(|t| judge.replay(&t, &Claim::Reached).map_err(Unconfirmed::Refused))
        });
        replayed.map(|_| ()).map_err(|why| ReplayFailure::Unconfirmed(why).into())
    }
}

impl Specification {
    /// A saved trace beside this specification, in the scope in which it was saved.
    pub fn replay(&self, trace: Trace) -> Result<Replay, Error> {
        Replay::new(self, trace, &Scope::default())
    }
}

/// The scope of a saved trace; what the user says of the scope comes before.
fn scope_of(model: &Model, saved: Option<&TraceScope>, asked: &Scope) -> Scope {
    let mut scope = asked.clone();
    let Some(saved) = saved else { return scope };
    scope.max_int = scope.max_int.or(Some(saved.maxint));
    scope.min_int = scope.min_int.or(Some(saved.minint));
    for (name, size) in &saved.sets {
        let mut deferred = model.sets.iter().filter(|s| s.elements.is_none());
        let is_asked = scope.set_sizes.iter().any(|(n, _)| n == name);
        if deferred.any(|s| s.name == name.as_str()) && !is_asked {
            scope.set_sizes.push((name.clone(), *size));
        }
    }
    scope
}
