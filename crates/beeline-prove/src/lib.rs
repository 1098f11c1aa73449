//! Which operations preserve which conjuncts of the invariant, found without running the model.
//!
//! [`facts`] asks every [`Source`] about every operation and conjunct of the most concrete level. There
//! is one source so far, [`Syntactic`], which looks at how guards, assignments and conjuncts are written;
//! a prover would be another one. A fact says: from a state that satisfies the whole invariant the
//! operation leads to states in which the conjunct holds, and has a meaning.
//!
//! Start reading at `paths` (what an operation does, as conditions and new values), then `rules` (when that
//! is enough). Nothing here knows states, search or other evaluators: others hold facts against samples.

mod key;
mod linear;
mod paths;
mod rules;

pub use key::Key;

use beeline_model::{ConjunctId, Invariant, Model, Operation, OperationId, Preserved};
use paths::Path;
use rules::Known;

/// A conjunct that an operation preserves, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What is preserved.
    pub preserved: Preserved,
    /// The name of the source.
    pub source: &'static str,
}

/// One operation and one conjunct.
pub struct Question<'a> {
    /// The model.
    pub model: &'a Model,
    /// The operation's id.
    pub id: OperationId,
    /// The operation.
    pub operation: &'a Operation,
    /// The number of the conjunct.
    pub conjunct: ConjunctId,
    /// The conjunct.
    pub invariant: &'a Invariant,
}

/// Somebody who can prove things.
pub trait Source {
    /// What reports call it.
    fn name(&self) -> &'static str;
    /// Does the operation preserve the conjunct? `false`: it may not.
    fn preserves(&mut self, question: &Question<'_>) -> bool;
}

/// Everything that all sources know about the most concrete level, each fact once.
pub fn facts(model: &Model, sources: &mut [&mut dyn Source]) -> Vec<Fact> {
    let level = model.concrete();
    let mut found = Vec::new();
    for id in &level.operations {
        let operation = model.operation(*id);
        for (conjunct, invariant) in level.numbered_invariants() {
            let written = invariant.reads.iter().any(|v| operation.writes.contains(v));
            // What is not written needs no proof.
            if invariant.only_types || !written {
                continue;
            }
            let question = Question { model, id: *id, operation, conjunct, invariant };
            if let Some(source) = sources.iter_mut().find_map(|s| {
                let name = s.name();
                s.preserves(&question).then_some(name)
            }) {
                let preserved = Preserved { operation: Some(*id), conjunct };
                found.push(Fact { preserved, source });
            }
        }
    }
    found
}

/// Looks at how formulas are written.
#[derive(Default)]
pub struct Syntactic {
    last: Option<Looked>,
}

/// What was made of the operation that was asked about last.
struct Looked {
    operation: OperationId,
    /// Its paths with what is known on each; `None` if it is not understood.
    paths: Option<Vec<(Path, Known)>>,
}

impl Looked {
    fn at(question: &Question<'_>) -> Looked {
        let with_known = |path: Path| {
            let known = Known::new(question.model, &path);
            (path, known)
        };
        let paths = paths::of(question.operation);
        let paths = paths.map(|paths| paths.into_iter().map(with_known).collect());
        Looked { operation: question.id, paths }
    }
}

impl Source for Syntactic {
    fn name(&self) -> &'static str {
        "syntax"
    }

    fn preserves(&mut self, question: &Question<'_>) -> bool {
        if self.last.as_ref().is_some_and(|last| last.operation != question.id) {
            self.last = None;
        }
        let looked = self.last.get_or_insert_with(|| Looked::at(question));
        let conjunct = &question.invariant.conjunct.pred;
        looked.paths.as_ref().is_some_and(|paths| {
            paths
                .iter()
                .all(|(path, known)| rules::preserves(path, known, question.invariant, conjunct))
        })
    }
}
