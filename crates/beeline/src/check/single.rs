//! One search of a typed model: compile it for a scope, explore, decide.

use super::finish::{judge_limits, patience, shorten_all};
use super::proofs::{add_proofs, interpret, later_proofs};
use super::{CheckOptions, Checked, Tier, native, partial_order, symbolic};
use crate::direct::{self, Quarry};
use crate::error::CheckError;
use crate::scope::compile_by;
use crate::stack::on_large_stack;
use beeline_compile::{Builder, CutReason, System};
use beeline_explore::{Cancel, Exploration, Influence, Job, Order, Progress, Skip, explore};
use beeline_model::{Model, OperationId, Pred};
use beeline_pack::{PackedSystem, Source};
use beeline_por::Usage;
use beeline_source::Span;
use beeline_symmetry::{Mode, Reduced, Symmetric, Symmetry};
use beeline_transition::{ConstantsRef, StateRef};
use beeline_verdict::decide_within;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Checks a model in the order that the options name.
pub(super) fn run(
    model: &Model,
    options: &CheckOptions,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Checked, CheckError> {
    let begin = Instant::now();
    if options.method.is_some() {
        symbolic::fits(options)?;
    }
    let mut builder = compile_by(model, &options.scope, options.policy)?;
    let mut explore_options = options.explore.clone();
    let hunted = options.hunt.as_ref().map(|hunt| hunt.quarry(model)).transpose()?;
    let goal = set_goal(model, options, hunted.as_ref(), &mut builder)?;
    add_proofs(model, options, &mut builder);
    aim(model, explore_options.order, (hunted.as_ref(), goal), &mut builder)?;
    let broken = match options.symmetry {
        Mode::None => None,
        _ => break_symmetry(model, &mut builder, goal),
    };
    let ordered = partial_order::known(model, options, &mut builder, goal)?;
    let wanted = options.engine > Tier::General;
    let interpreted = OnceLock::new();
    let interpreted = || interpreted.get_or_init(|| interpret(model, options));
    let bounds = || interpreted().variables.clone();
    let source = wanted.then(|| on_large_stack(|| Source::new(model, &mut builder)));
    let source = source.map(|source| source.with_bounds(&bounds));
    let system = builder.build();
    let proofs = || later_proofs(model, options, interpreted(), &system);
    let compiler = native(options.engine, options.explore.early);
    // What it took to get here counts.
    let whole = explore_options.limits.time;
    explore_options.limits.time = whole.map(|time| time.saturating_sub(begin.elapsed()));
    let packed = || {
        let packed = match &source {
            Some(source) => PackedSystem::new(&system, source, compiler.as_deref()),
            None => PackedSystem::general(&system),
        };
        let packed = packed.with_model(Some(model));
        let packed = if options.forgetful { packed.without_memory() } else { packed };
        let packed = if options.explore.early { packed.early() } else { packed };
        if explore_options.skip == Skip::On { packed.leaving_out() } else { packed }
    };
    let found = OnceLock::new();
    let few = explore_options.skip == Skip::Auto && !explore_options.early;
    let steps = if few { FEW_STEPS } else { INFLUENCE_STEPS };
    let influence = || found.get_or_init(|| influence(model, &system, steps)).clone();
    let both = (model, &system);
    let ordered = ordered.as_ref();
    let kept = Mutex::new(Vec::new());
    let keep = |constants: ConstantsRef<'_>, state: StateRef<'_>| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((constants.owned(), state.owned()));
    };
    let job = Job {
        kept: options.certified.then_some(&keep),
        options: &explore_options,
        cancel: cancel.clone(),
        tell,
        influence: &influence,
        proofs: &proofs,
    };
    let (mut exploration, reduced) = explored(both, packed(), ordered, options, goal, &job)?;
    let mut told = ordered.map(partial_order::Known::told);
    if let Some(told) = told.as_mut().filter(|_| options.partial_order == Usage::Audit) {
        let mut all = partial_order::whole(&explore_options);
        all.limits.time = whole.map(|time| time.saturating_sub(begin.elapsed()));
        let job = Job { options: &all, kept: None, cancel: cancel.clone(), ..job };
        let (found, _) = explored(both, packed(), None, options, goal, &job)?;
        let every = explore_options.all;
        told.audit = Some(partial_order::audit(&system, &mut exploration, found, every));
    }
    drop(source);
    if let Some(stats) = exploration.stats.as_mut().filter(|_| explore_options.clocks) {
        stats.expected = on_large_stack(|| expected(model, &system));
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
    let (mut outcome, _) = limits.watch(&stop, || {
        on_large_stack(|| {
            let asked = (&explore_options.checks, goal);
            decide_within(model, &system, exploration, asked, options.judge_steps, &stop)
        })
    });
    // What was never seen among the steps that were taken may be among the others.
    if told.as_ref().is_some_and(|told| told.steps > 0) {
        outcome.observations.clear();
    }
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Checked { system, outcome, reduced: reduced.or(broken), partial_order: told, kept })
}

/// Tells the builder what is looked for, unless it is the model's own goal, and gives what it is.
fn set_goal<'g>(
    model: &'g Model,
    options: &'g CheckOptions,
    hunted: Option<&'g Quarry>,
    builder: &mut Builder,
) -> Result<Option<&'g Pred>, CheckError> {
    let own = model.special.goal.as_ref().filter(|_| !options.no_goal);
    let wanted = hunted.and_then(|q| q.goal.as_ref()).or(options.goal.as_ref());
    if wanted.is_some() || options.no_goal {
        builder.goal(model, wanted).map_err(CheckError::Compile)?;
    }
    Ok(wanted.or(own))
}

/// Tells the builder where a directed search is to go.
fn aim(
    model: &Model,
    order: Order,
    (hunted, goal): (Option<&Quarry>, Option<&Pred>),
    builder: &mut Builder,
) -> Result<(), CheckError> {
    match order {
        Order::Custom => direct::custom_order_fits(model)?,
        Order::Distance => {
            let target = direct::target(hunted, goal)?;
            builder.target(model, &target).map_err(CheckError::Compile)?;
        }
        Order::Auto => {
            // Without a target, or with one that cannot be compiled, it goes without.
            if let Ok(target) = direct::target(hunted, goal) {
                let _ = builder.target(model, &target);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Steps of what is proved about disabled operations, half a microsecond each: as many as somebody asked for, or
/// a few milliseconds beside a search that has taken longer than a tenth of a second.
const INFLUENCE_STEPS: u64 = 2_000_000;
const FEW_STEPS: u64 = 60_000;

/// What can be proved of operations that others disable.
fn influence(model: &Model, system: &System, steps: u64) -> Influence {
    on_large_stack(|| {
        let found = beeline_flow::disabled(model, steps);
        let index = |id| system.index_of(id);
        let from = |(by, id): &(Option<OperationId>, OperationId)| match by {
            Some(by) => Some((Some(index(*by)?), index(*id)?)),
            None => Some((None, index(*id)?)),
        };
        let both = |(by, id): &(OperationId, OperationId)| Some((index(*by)?, index(*id)?));
        Influence {
            disables: found.after.iter().filter_map(from).collect(),
            keeps: found.kept.iter().filter_map(both).collect(),
            enables: found.enabled.iter().filter_map(from).collect(),
            keeps_enabled: found.kept_enabled.iter().filter_map(both).collect(),
        }
    })
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
    ordered: Option<&partial_order::Known>,
    options: &CheckOptions,
    goal: Option<&Pred>,
    job: &Job<'_>,
) -> Result<(Exploration, Option<Reduced>), CheckError> {
    if let Some(method) = options.method {
        let told = (model, system);
        let run = || symbolic::explored(told, &mut packed, (method, options.relations), goal, job);
        return Ok((symbolic::on_deep_stack(run), None));
    }
    if matches!(options.symmetry, Mode::None | Mode::Constants) {
        let exploration = match ordered {
            Some(ordered) => explore(&mut ordered.around(packed), job),
            None => explore(&mut packed, job),
        };
        return Ok((exploration, None));
    }
    let elements = beeline_symmetry::elements(model, system, goal)?;
    let audit = options.symmetry_audit;
    let symmetry = Symmetry::new(model, system, &elements, options.symmetry, audit)?;
    let mut exploration = match (&symmetry, ordered) {
        (Some(symmetry), Some(ordered)) => {
            explore(&mut ordered.around(Symmetric::new(symmetry, packed.choosy())), job)
        }
        (Some(symmetry), None) => explore(&mut Symmetric::new(symmetry, packed.choosy()), job),
        (None, Some(ordered)) => explore(&mut ordered.around(packed), job),
        (None, None) => explore(&mut packed, job),
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
