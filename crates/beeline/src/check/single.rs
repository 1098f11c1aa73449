//! One search of a typed model: compile it for a scope, explore, decide.

use super::finish::{judge_limits, patience, shorten_all};
use super::proofs::{add_proofs, interpret};
use super::{CheckOptions, Checked, Tier, native};
use crate::direct::{self, Quarry};
use crate::error::CheckError;
use crate::scope::compile_by;
use crate::stack::on_large_stack;
use beeline_compile::{Builder, CutReason, System};
use beeline_explore::{Cancel, Exploration, Job, Order, Progress, explore};
use beeline_model::{Model, Pred};
use beeline_pack::{PackedSystem, Source};
use beeline_source::Span;
use beeline_symmetry::{Mode, Reduced, Symmetric, Symmetry};
use beeline_verdict::decide_within;
use std::sync::Arc;
use std::time::Instant;

/// Checks a model in the order that the options name.
pub(super) fn run(
    model: &Model,
    options: &CheckOptions,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Checked, CheckError> {
    let begin = Instant::now();
    let mut builder = compile_by(model, &options.scope, options.policy)?;
    let mut explore_options = options.explore.clone();
    let hunted = options.hunt.as_ref().map(|hunt| hunt.quarry(model)).transpose()?;
    let goal = set_goal(model, options, hunted.as_ref(), &mut builder)?;
    let known = interpret(model, options);
    add_proofs(model, options, &known, &mut builder);
    aim(model, explore_options.order, (hunted.as_ref(), goal), &mut builder)?;
    let broken = match options.symmetry {
        Mode::None => None,
        _ => break_symmetry(model, &mut builder, goal),
    };
    let wanted = options.engine > Tier::General;
    let source = wanted.then(|| on_large_stack(|| Source::new(model, &mut builder)));
    let source = source.map(|source| source.with_bounds(known.variables));
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
    let packed = if options.explore.early { packed.early() } else { packed };
    let job = Job { options: &explore_options, cancel: cancel.clone(), tell };
    let (mut exploration, reduced) = explored((model, &system), packed, options, goal, &job)?;
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
    let (outcome, _) = limits.watch(&stop, || {
        on_large_stack(|| {
            let asked = (&explore_options.checks, goal);
            decide_within(model, &system, exploration, asked, options.judge_steps, &stop)
        })
    });
    Ok(Checked { system, outcome, reduced: reduced.or(broken) })
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
