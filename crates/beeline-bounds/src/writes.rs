//! Which names a substitution may write, calls included.

use crate::analysis::Analysis;
use crate::env::{Env, Name};
use beeline_model::{OperationId, Part, Subst, SubstKind};
use std::collections::BTreeSet;

impl Analysis<'_> {
    /// The names that a substitution may write.
    pub(crate) fn written(&self, s: &Subst) -> BTreeSet<Name> {
        let mut found = BTreeSet::new();
        self.gather(s, &mut BTreeSet::new(), &mut found);
        found
    }

    fn gather(&self, s: &Subst, called: &mut BTreeSet<OperationId>, found: &mut BTreeSet<Name>) {
        match &s.kind {
            SubstKind::Assign(list) => {
                found.extend(list.iter().map(|a| Name::from(a.target.place)));
            }
            SubstKind::BecomesElement(places, _) => {
                found.extend(places.iter().map(|p| Name::from(*p)));
            }
            SubstKind::BecomesSuch(such) => {
                found.extend(such.places.iter().map(|p| Name::from(*p)));
            }
            SubstKind::Call(call) => {
                found.extend(call.results.iter().map(|t| Name::from(t.place)));
                if called.insert(call.operation) {
                    self.gather(&self.model.operation(call.operation).body, called, found);
                }
            }
            _ => {}
        }
        let mut below = Vec::new();
        s.parts(&mut |part| {
            if let Part::Subst(s) = part {
                below.push(s);
            }
        });
        crate::analysis::deep(|| below.into_iter().for_each(|s| self.gather(s, called, found)));
    }

    /// Nothing is known of what a substitution may write.
    pub(crate) fn havoc(&self, s: &Subst, env: &Env) -> Env {
        let mut after = env.clone();
        self.written(s).into_iter().for_each(|name| after.forget(name));
        after
    }
}
