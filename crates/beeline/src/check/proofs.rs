//! What need not be evaluated: everybody who can prove something is asked, and the builder told.

use super::{CheckOptions, Tier};
use crate::scope::Scope;
use crate::stack::on_large_stack;
use beeline_bounds::{Analysis, Proved};
use beeline_compile::Builder;
use beeline_explore::Proof;
use beeline_model::{Model, Preserved};
use beeline_prove::{Question, Source, Syntactic};
use std::collections::BTreeSet;

/// What reports call the source.
const INTERPRETATION: &str = "abstract interpretation";
/// Steps that abstract interpretation may take before a check: a hundredth of a second or two. What needs
/// more is evaluated in the states.
const STEPS: u64 = 8_000;

/// What abstract interpretation finds out before a check: nothing where nobody can use it.
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

/// Tells the builder what need not be evaluated.
pub(super) fn add_proofs(
    model: &Model,
    options: &CheckOptions,
    proved: &Proved,
    builder: &mut Builder,
) {
    let usage = options.explore.proof;
    if usage != Proof::Off && options.explore.checks.invariants {
        on_large_stack(|| own_proofs(model, proved, builder));
    }
    if matches!(usage, Proof::Trust | Proof::Audit) {
        builder.proofs(model, "claims", &model.claims, &[]);
    }
}

/// What can be proved without running the model.
fn own_proofs(model: &Model, proved: &Proved, builder: &mut Builder) {
    let mut syntactic = Syntactic::default();
    let mut interpreted = Interpreted::of(proved);
    let facts = beeline_prove::facts(model, &mut [&mut syntactic, &mut interpreted]);
    let said_by = |name: &str| -> Vec<Preserved> {
        facts.iter().filter(|f| f.source == name).map(|f| f.preserved).collect()
    };
    builder.proofs(model, syntactic.name(), &said_by(syntactic.name()), &[]);
    let mut steps = said_by(INTERPRETATION);
    let first = |conjunct: &_| Preserved { operation: None, conjunct: *conjunct };
    steps.extend(proved.established.iter().map(first));
    builder.proofs(model, INTERPRETATION, &steps, &proved.always);
}

/// Abstract interpretation as a source.
struct Interpreted {
    steps: BTreeSet<Preserved>,
}

impl Interpreted {
    fn of(proved: &Proved) -> Interpreted {
        let step = |(operation, conjunct): &(_, _)| Preserved {
            operation: Some(*operation),
            conjunct: *conjunct,
        };
        Interpreted { steps: proved.preserved.iter().map(step).collect() }
    }
}

impl Source for Interpreted {
    fn name(&self) -> &'static str {
        INTERPRETATION
    }

    fn preserves(&mut self, question: &Question<'_>) -> bool {
        let (operation, conjunct) = (Some(question.id), question.conjunct);
        self.steps.contains(&Preserved { operation, conjunct })
    }
}
