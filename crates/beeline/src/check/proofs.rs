//! What need not be evaluated: everybody who can prove something is asked, and the builder told.

use super::{CheckOptions, Tier};
use crate::scope::Scope;
use crate::stack::on_large_stack;
use beeline_bounds::{Analysis, Proved};
use beeline_compile::{Builder, System};
use beeline_explore::Proof;
use beeline_model::{Model, Preserved};
use beeline_prove::{Source, Syntactic};
use beeline_transition::Prover;
use rustc_hash::FxHashSet;

/// What reports call the source.
const INTERPRETATION: &str = "abstract interpretation";
/// Steps that abstract interpretation may take: a hundredth of a second or two. What needs more is evaluated in
/// the states.
const STEPS: u64 = 8_000;

/// What abstract interpretation finds out: nothing where nobody can use it.
pub(super) fn interpret(model: &Model, options: &CheckOptions) -> Proved {
    let proofs = options.explore.proof != Proof::Off && options.explore.checks.invariants;
    if options.uninterpreted || !proofs && options.engine == Tier::General {
        return Proved::default();
    }
    interpret_within(model, &options.scope)
}

/// The same, wherever it is used.
pub(crate) fn interpret_within(model: &Model, scope: &Scope) -> Proved {
    let settings = scope.settings(Some(model));
    let analysis = Analysis::new(model, settings.min_int, settings.max_int).with_budget(STEPS);
    on_large_stack(|| Proved::of(&analysis))
}

/// Tells the builder what need not be evaluated, as far as that is known at once.
pub(super) fn add_proofs(model: &Model, options: &CheckOptions, builder: &mut Builder) {
    let usage = options.explore.proof;
    if usage != Proof::Off && options.explore.checks.invariants {
        on_large_stack(|| {
            let mut syntactic = Syntactic::default();
            let facts = beeline_prove::facts(model, &mut [&mut syntactic]);
            let said: Vec<Preserved> = facts.iter().map(|f| f.preserved).collect();
            builder.proofs(model, syntactic.name(), &said, &[]);
        });
    }
    if matches!(usage, Proof::Trust | Proof::Audit) {
        builder.proofs(model, "claims", &model.claims, &[]);
    }
}

/// What is found out in a long search only, beyond what the system knows.
pub(super) fn later_proofs(
    model: &Model,
    options: &CheckOptions,
    proved: &Proved,
    system: &System,
) -> Vec<Prover> {
    if options.explore.proof == Proof::Off || !options.explore.checks.invariants {
        return Vec::new();
    }
    let step = |(operation, conjunct): &(_, _)| Preserved {
        operation: Some(*operation),
        conjunct: *conjunct,
    };
    let first = |conjunct: &_| Preserved { operation: None, conjunct: *conjunct };
    let mut steps: Vec<Preserved> = proved.preserved.iter().map(step).collect();
    steps.extend(proved.established.iter().map(first));
    let mut prover = system.prover(model, INTERPRETATION, &steps, &proved.always);
    let known: FxHashSet<_> = system.signature().proofs().collect();
    if let Some(prover) = &mut prover {
        prover.preserved.retain(|proof| !known.contains(proof));
    }
    prover.into_iter().collect()
}
