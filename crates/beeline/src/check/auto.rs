//! States one by one, or sets of them: whoever is likely to end.
//!
//! Most models that can be explored completely are within five seconds (`docs/book/symbolic.md` has figures). What is
//! not done by then is searched symbolically for ten times as long, and after that one by one to the end. Both
//! ends come to the same answer; the report tells of sets only where they gave it.

use super::{CheckOptions, Checked, single, symbolic};
use crate::error::CheckError;
use beeline_explore::{Cancel, Progress};
use beeline_model::Model;
use beeline_symbolic::{Method, Strategy};
use beeline_symmetry::Mode;
use beeline_transition::CutReason;
use beeline_verdict::Verdict;
use std::time::{Duration, Instant};

/// How long states are looked at one by one before anything else is tried.
const FIRST: Duration = Duration::from_secs(5);
/// How long sets of states are tried.
const SECOND: Duration = Duration::from_secs(50);

/// Checks a model.
pub(super) fn run(
    model: &Model,
    options: &CheckOptions,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Checked, CheckError> {
    let begin = Instant::now();
    let (whole, all) = (options.explore.limits.time, options.explore.all);
    let left = || whole.map(|whole| whole.saturating_sub(begin.elapsed()));
    let within = |most: Duration| left().map_or(most, |left| left.min(most));
    let plain = CheckOptions { method: None, auto: false, ..options.clone() };
    let sets = CheckOptions {
        method: Some(Method::Forward(Strategy::default())),
        // Sets have no use for it, and their counts are of all states.
        symmetry: match plain.symmetry {
            Mode::None => Mode::None,
            _ => Mode::Constants,
        },
        ..plain.clone()
    };
    if symbolic::fits(&sets).is_err() {
        return single::run(model, &plain, cancel, tell);
    }
    let mut first = plain.clone();
    first.explore.limits.time = Some(within(FIRST));
    let checked = single::run(model, &first, cancel, tell)?;
    let is_over = || cancel.is_cancelled() || left().is_some_and(|left| left.is_zero());
    if is_answer(&checked, all) || is_over() {
        return Ok(checked);
    }
    let mut second = sets;
    second.explore.limits.time = Some(within(SECOND));
    // Where that cannot be done at all the first answer is as good as any.
    if let Ok(mut own) = single::run(model, &second, cancel, tell)
        && is_answer(&own, all)
    {
        own.outcome.exploration.elapsed = begin.elapsed();
        return Ok(own);
    }
    if is_over() {
        return Ok(checked);
    }
    drop(checked);
    let mut last = plain;
    last.explore.limits.time = left();
    let mut checked = single::run(model, &last, cancel, tell)?;
    // Whoever waited, waited for all of it.
    checked.outcome.exploration.elapsed = begin.elapsed();
    Ok(checked)
}

/// Is there nothing that more time, or another way, would add?
fn is_answer(checked: &Checked, all: bool) -> bool {
    let exploration = &checked.outcome.exploration;
    let limits = [CutReason::Time, CutReason::Memory];
    match checked.outcome.verdict {
        Verdict::Holds(_) => true,
        Verdict::Violated(_) | Verdict::GoalFound(_) if !all => true,
        _ if exploration.symbolic.is_some() => exploration.is_complete(),
        _ => !limits.iter().any(|reason| exploration.cuts.has(*reason)),
    }
}
