//! Which operations preserve which conjuncts of the invariant, found without running the model.
//!
//! [`facts`] asks every [`Source`] about every operation and conjunct of the most concrete level. One
//! source is here, [`Syntactic`], which looks at how guards, assignments and conjuncts are written; others are made
//! elsewhere. A source may as well tell which facts exclude each other ([`Obligation`]). A fact says: from a state that satisfies the whole invariant the
//! operation leads to states in which the conjunct holds, and has a meaning.
//!
//! Start reading at `paths` (what an operation does, as conditions and new values), then `rules` (when that
//! is enough). Nothing here knows states, search or other evaluators: others hold facts against samples.

mod key;
mod linear;
mod paths;
mod rules;

pub use key::Key;

use beeline_model::{ConjunctId, Invariant, Model, Operation, OperationId, Pred, Preserved};
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

/// Facts that hold together in some state, and are asked about again and again.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Different for different contexts of one analysis.
    pub number: usize,
    /// All of them hold.
    pub facts: Vec<Pred>,
}

/// Facts that may exclude each other.
pub struct Obligation<'a> {
    /// The model, with all names.
    pub model: &'a Model,
    /// What holds anyway.
    pub context: &'a Context,
    /// What is asked about, beside it.
    pub facts: &'a [&'a Pred],
}

/// Where a proof holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// For sets of any size, and any `MININT` and `MAXINT`.
    Everywhere,
    /// In the scope that the source was made for.
    Scope,
}

/// Somebody who can prove things. Whoever knows about states only or about formulas only answers half of the
/// questions; a `false` is always right.
pub trait Source {
    /// What reports call it.
    fn name(&self) -> &'static str;
    /// Where its proofs hold.
    fn reach(&self) -> Reach {
        Reach::Everywhere
    }
    /// Does the operation preserve the conjunct? `false`: it may not.
    fn preserves(&mut self, _question: &Question<'_>) -> bool {
        false
    }
    /// Is there no state, and are there no values of the names in them, such that all of the facts have a meaning
    /// and hold? `false`: there may be.
    fn excludes(&mut self, _obligation: &Obligation<'_>) -> bool {
        false
    }
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
