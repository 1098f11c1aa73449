//! Checking a typed model, below [`crate::Checker`]: compile it for a scope, explore, decide.

use crate::direct::{self, Hunt};
use crate::scope::compile_by;
use crate::{CheckError, Scope, WorkLimits, portfolio};
use beeline_compile::{Builder, CutReason, Policy, System};
use beeline_explore::{
    Cancel, Effort, Exploration, Job, Options, Order, Progress, Proof, explore, shorten,
};
use beeline_ir::Compiler;
use beeline_model::{Model, Pred, Preserved};
use beeline_pack::{PackedSystem, Source};
use beeline_prove::Syntactic;
use beeline_source::Span;
use beeline_symmetry::{Mode, Reduced, Symmetric, Symmetry};
use beeline_verdict::{Outcome, decide_within};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The scope.
    pub scope: Scope,
    /// The exploration.
    pub explore: Options,
    /// A goal in place of the model's own.
    pub goal: Option<Pred>,
    /// Do not look for the model's own goal.
    pub no_goal: bool,
    /// What a search by distance is after, in place of the goal.
    pub hunt: Option<Hunt>,
    /// Which symmetric states count as one.
    pub symmetry: Mode,
    /// Hold what the reduction does against the definition of symmetry.
    pub symmetry_audit: bool,
    /// Which tiers of the engine may be used.
    pub engine: Tier,
    /// Compute all results of operations anew, however often the general engine had them before.
    pub forgetful: bool,
    /// In which order conjuncts are taken. Results are the same for all; which of several states or
    /// traces is the first one is not.
    pub policy: Policy,
    /// Steps of the judge for one question; as many as time allows if nothing is said. What it does not
    /// confirm within them is undetermined.
    pub judge_steps: Option<u64>,
}

/// How far the engine may go to be fast. Results are the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Closures over interned values only.
    General,
    /// States packed into bits, operations as word-level code where possible.
    Packed,
    /// The same, with native code for what is hot.
    #[default]
    Native,
}

/// A compiled model and what came of checking it.
pub struct Checked {
    /// The compiled model.
    pub system: System,
    /// The verdict, with everything that is told beside it.
    pub outcome: Outcome,
    /// What symmetry reduction did, if it was asked for.
    pub reduced: Option<Reduced>,
}

/// The native back end, if it is wanted and there is one. `early`: at once, for tests.
pub fn native(tier: Tier, early: bool) -> Option<Box<dyn Compiler>> {
    #[cfg(feature = "jit")]
    if tier == Tier::Native {
        use beeline_native::Jit;
        return Some(Box::new(if early { Jit::eager() } else { Jit::new() }));
    }
    let _ = (tier, early);
    None
}

impl Checked {
    /// Checks a model. `tell` hears of progress, on another thread.
    pub fn run(
        model: &Model,
        options: &CheckOptions,
        cancel: &Cancel,
        tell: &(dyn Fn(Progress) + Sync),
    ) -> Result<Checked, CheckError> {
        if options.explore.order == Order::Portfolio {
            return portfolio::run(model, options, cancel, tell);
        }
        let begin = Instant::now();
        let mut builder = compile_by(model, &options.scope, options.policy)?;
        let mut explore_options = options.explore.clone();
        let own = model.special.goal.as_ref().filter(|_| !options.no_goal);
        let hunted = options.hunt.as_ref().map(|hunt| hunt.quarry(model)).transpose()?;
        let wanted = hunted.as_ref().and_then(|q| q.goal.as_ref()).or(options.goal.as_ref());
        let goal = wanted.or(own);
        if wanted.is_some() || options.no_goal {
            builder.goal(model, wanted).map_err(CheckError::Compile)?;
        }
        if explore_options.proof != Proof::Off {
            builder.proofs(model, &own_proofs(model));
        }
        if matches!(explore_options.proof, Proof::Trust | Proof::Audit) {
            builder.proofs(model, &model.claims);
        }
        match explore_options.order {
            Order::Custom => direct::custom_order_fits(model)?,
            Order::Distance => {
                let target = direct::target(hunted.as_ref(), goal)?;
                builder.target(model, &target).map_err(CheckError::Compile)?;
            }
            Order::Auto => {
                // Without a target, or with one that cannot be compiled, it goes without.
                if let Ok(target) = direct::target(hunted.as_ref(), goal) {
                    let _ = builder.target(model, &target);
                }
            }
            _ => {}
        }
        let broken = match options.symmetry {
            Mode::None => None,
            _ => break_symmetry(model, &mut builder, goal),
        };
        let wanted = options.engine > Tier::General;
        let source = wanted.then(|| crate::on_large_stack(|| Source::new(model, &mut builder)));
        let system = builder.build();
        let compiler = native(options.engine, options.explore.early);
        // What it took to get here counts.
        let whole = explore_options.limits.time;
        explore_options.limits.time = whole.map(|time| time.saturating_sub(begin.elapsed()));
        let packed = match &source {
            Some(source) => PackedSystem::new(&system, source, compiler.as_deref()),
            None => PackedSystem::general(&system),
        };
        let packed = packed.with_model(Some(model));
        let packed = if options.forgetful { packed.without_memory() } else { packed };
        let job = Job { options: &explore_options, cancel: cancel.clone(), tell };
        let (mut exploration, reduced) = explored((model, &system), packed, options, goal, &job)?;
        drop(source);
        if let Some(stats) = exploration.stats.as_mut().filter(|_| explore_options.clocks) {
            stats.expected = crate::on_large_stack(|| expected(model, &system));
        }
        if let Some(refusal) = exploration.refused.take() {
            return Err(CheckError::Checkpoint(refusal));
        }
        if !exploration.minimal {
            let until = whole.map(|time| begin + time + patience(time));
            shorten_all(&system, &mut exploration, &explore_options, cancel, until);
        }
        let stop = Arc::default();
        let limits = judge_limits(whole, &explore_options, begin.elapsed(), cancel);
        let (outcome, _) = limits.watch(&stop, || {
            crate::on_large_stack(|| {
                let asked = (&explore_options.checks, goal);
                decide_within(model, &system, exploration, asked, options.judge_steps, &stop)
            })
        });
        Ok(Checked { system, outcome, reduced: reduced.or(broken) })
    }
}

/// What can be proved without running the model.
fn own_proofs(model: &Model) -> Vec<Preserved> {
    crate::on_large_stack(|| {
        let mut syntactic = Syntactic::default();
        beeline_prove::facts(model, &mut [&mut syntactic]).iter().map(|f| f.preserved).collect()
    })
}

/// Cuts traces down, with as much work as the search has done, but not more than a person waits for,
/// and no longer than until a limit of time.
fn shorten_all(
    system: &System,
    exploration: &mut Exploration,
    options: &Options,
    cancel: &Cancel,
    until: Option<Instant>,
) {
    let states = usize::try_from(exploration.counts.nodes).unwrap_or(usize::MAX);
    let effort = Effort { window: 2_000, total: states.clamp(1_000, 30_000) };
    let worth = exploration.elapsed.max(Duration::from_secs(2));
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let limits = WorkLimits {
        time: Some(left.map_or(worth, |left| left.min(worth))),
        memory_bytes: options.limits.memory_bytes,
        cancel: cancel.clone(),
    };
    // One evaluation may take longer than all that: it is the system that is interrupted.
    let (interrupt, general) = (system.interrupt().clone(), PackedSystem::general(system));
    limits.watch(&interrupt, || {
        for finding in &mut exploration.findings {
            let stop = || interrupt.load(Ordering::Relaxed);
            finding.path =
                crate::on_large_stack(|| shorten(&general, &finding.path, effort, &stop));
        }
    });
}

/// The time beyond a limit in which what was found is shown to be so: a tenth of it, but not so little
/// that nothing can be shown, nor so much that a person notices.
fn patience(limit: Duration) -> Duration {
    (limit / 10).clamp(Duration::from_millis(500), Duration::from_secs(10))
}

/// What the judge may take after an exploration: what is left of its time, a little even where nothing
/// is left, and some memory beyond its limit. Without a limit it takes what it needs. Who cancels an
/// exploration still wants to see what it found, but soon.
fn judge_limits(
    whole: Option<Duration>,
    options: &Options,
    elapsed: Duration,
    cancel: &Cancel,
) -> WorkLimits {
    let time = whole.map(|time| time.saturating_sub(elapsed).max(patience(time)));
    let memory_bytes = options.limits.memory_bytes.map(|bytes| bytes + bytes / 25);
    match cancel.is_cancelled() {
        true => {
            let time = Some(patience(Duration::ZERO));
            WorkLimits { time, memory_bytes, cancel: Cancel::new() }
        }
        false => WorkLimits { time, memory_bytes, cancel: cancel.clone() },
    }
}

/// Takes one of the valuations of the constants that differ only by a renaming of elements, unless
/// the model asks for all.
fn break_symmetry(model: &Model, builder: &mut Builder, goal: Option<&Pred>) -> Option<Reduced> {
    let asked = model.preference("STATIC_SYMMETRY_DETECTION").is_none_or(|p| p.value != "FALSE");
    let elements =
        beeline_symmetry::elements(model, builder.system(), goal).ok().filter(|_| asked)?;
    let free: Vec<_> = elements.sets.iter().filter(|s| s.fixed == 0).collect();
    let sets: Vec<_> = free.iter().map(|s| s.set).collect();
    builder.break_symmetry(model, &sets).then(|| Reduced {
        mode: Mode::Constants,
        sets: free.iter().map(|s| (s.name.clone(), s.len)).collect(),
        excluded: Vec::new(),
        audit: None,
    })
}

/// How many choices of parameters the planner expects to try, an operation.
fn expected(model: &Model, system: &System) -> Vec<f64> {
    let of = |id| system.plans().operation(model, id).candidates();
    system.operations().iter().map(|operation| of(operation.id)).collect()
}

/// Explores a system, up to symmetry if that is asked for.
fn explored(
    (model, system): (&Model, &System),
    mut packed: PackedSystem<'_>,
    options: &CheckOptions,
    goal: Option<&Pred>,
    job: &Job<'_>,
) -> Result<(Exploration, Option<Reduced>), CheckError> {
    if matches!(options.symmetry, Mode::None | Mode::Constants) {
        return Ok((explore(&mut packed, job), None));
    }
    let elements = beeline_symmetry::elements(model, system, goal)?;
    let audit = options.symmetry_audit;
    let symmetry = Symmetry::new(model, system, &elements, options.symmetry, audit)?;
    let mut exploration = match &symmetry {
        Some(symmetry) => explore(&mut Symmetric::new(symmetry, packed.choosy()), job),
        None => explore(&mut packed, job),
    };
    if let Some(breach) = symmetry.as_ref().and_then(|s| s.imprecise()) {
        let words = format!("symmetry marker without exact check: {} {}", breach.name, breach.why);
        exploration.cuts.note(CutReason::SymmetryMarker, Span::NONE, &words, 1);
        exploration.minimal = false;
    }
    let reduced = Reduced::of(&elements, symmetry.as_ref());
    // Whatever a mode promises: what an audit has seen counts.
    if reduced.audit.as_ref().is_some_and(|audit| audit.is_wrong()) {
        let words = "the symmetry audit found states that were dropped without a representative";
        exploration.cuts.note(CutReason::SymmetryMarker, Span::NONE, words, 1);
    }
    Ok((exploration, Some(reduced)))
}
