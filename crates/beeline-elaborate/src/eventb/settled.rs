//! What is settled while an event and its abstractions are composed, and the steps that wrap it.

use beeline_model::{
    Assignment, Conjunct, Expr, LocalId, Place, Promise, Subst, SubstKind, Target,
};
use beeline_model::{Name, VariableId};
use beeline_source::Span;

/// One layer around the rest of a body.
pub(super) enum Step {
    /// Names for values.
    Let(Vec<(LocalId, Expr)>),
    /// Names that are chosen.
    Any(Vec<LocalId>, Vec<Conjunct>),
    /// What must be true here.
    Assert(Promise, Vec<Conjunct>),
}

/// The body inside its steps, the first one outermost.
pub(super) fn wrap(steps: Vec<Step>, body: Subst) -> Subst {
    let span = body.span;
    steps.into_iter().rev().fold(body, |body, step| {
        let body = Box::new(body);
        let kind = match step {
            Step::Let(values) => SubstKind::Let(values, body),
            Step::Any(locals, conjuncts) => SubstKind::Any(locals, conjuncts, body),
            Step::Assert(promise, conjuncts) => SubstKind::Assert(promise, conjuncts, body),
        };
        Subst { kind, span }
    })
}

/// What the levels looked at so far have settled.
#[derive(Clone, Default)]
pub(super) struct Settled {
    /// Next values that have a name.
    pub after: Vec<(VariableId, LocalId)>,
    /// Variables that get a value.
    pub assigned: Vec<VariableId>,
    /// The assignments, all at once.
    pub finals: Vec<Subst>,
    /// Parameters that have a value.
    pub parameters: Vec<Name>,
    /// Variables whose next value something speaks of.
    pub needed: Vec<Name>,
}

impl Settled {
    pub fn after(&self, variable: VariableId) -> Option<LocalId> {
        self.after.iter().find(|(v, _)| *v == variable).map(|(_, local)| *local)
    }

    /// The variable gets this value.
    pub fn assign(&mut self, variable: VariableId, value: Expr, span: Span) {
        let target = Target { place: Place::Variable(variable), path: Vec::new(), span };
        let assignment = SubstKind::Assign(vec![Assignment { target, value }]);
        self.finals.push(Subst { kind: assignment, span });
        self.assigned.push(variable);
    }

    /// All assignments as one substitution.
    pub fn finish(self, span: Span) -> Subst {
        let mut finals = self.finals;
        match finals.len() {
            0 => Subst { kind: SubstKind::Skip, span },
            1 => finals.swap_remove(0),
            _ => Subst { kind: SubstKind::Parallel(finals), span },
        }
    }
}
