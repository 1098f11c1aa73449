//! What a model claims and nobody looks at.
//!
//! A reader of `holds` takes everything that is written in the model for checked. Whatever is loaded
//! and not checked is a cut here, with its place, unless the user has left it out knowingly.

use beeline_compile::CutReason;
use beeline_explore::{Checks, Cuts};
use beeline_fault::{Flaw, planted};
use beeline_model::{ClaimKind, Level, Model};
use beeline_source::Span;

/// Adds a cut for each claim of the model that no part of the program checks.
pub(crate) fn note(model: &Model, checks: &Checks, cuts: &mut Cuts) {
    let mut add = |span: Span, words: &str| cuts.note(CutReason::NotChecked, span, words, 1);
    if checks.temporal && !planted(Flaw::TemporalUntold) {
        temporal(model, &mut add);
    }
    if checks.refinement && model.levels.len() > 1 {
        refinement(model, checks, &mut add);
    }
    for claim in &model.special.ignored {
        let asked = match claim.kind {
            ClaimKind::Temporal => checks.temporal,
            ClaimKind::Goal => checks.goal,
        };
        if asked {
            let words =
                format!("not checked: {}, which cannot be used as it is written", claim.name);
            add(claim.span, &words);
        }
    }
}

fn temporal(model: &Model, add: &mut dyn FnMut(Span, &str)) {
    let special = &model.special;
    for formula in special.ltl.iter().chain(&special.ctl) {
        add(formula.span, &format!("not checked: the temporal formula {}", formula.name));
    }
}

/// A refinement is run as a machine of its own, and nobody runs it beside its abstraction.
fn refinement(model: &Model, checks: &Checks, add: &mut dyn FnMut(Span, &str)) {
    let level = model.concrete();
    let name = |level: &Level| model.component(level.component).name.clone();
    // There is more than one level.
    if let [.., above, concrete] = model.levels.as_slice() {
        let words = format!(
            "not checked: that {} refines {} (`beeline refine` does)",
            name(concrete),
            name(above)
        );
        add(model.component(concrete.component).span, &words);
    }
    for invariant in level.gluing.invariants.iter().filter(|_| checks.invariants) {
        add(invariant.conjunct.span, "not checked: a gluing invariant");
    }
    for assertion in level.gluing.assertions.iter().filter(|_| checks.assertions) {
        add(assertion.conjunct.span, "not checked: an assertion about abstract variables");
    }
    for id in &level.operations {
        for span in &model.operation(*id).lost_preconditions {
            add(*span, "not checked: a precondition about abstract variables");
        }
    }
}
