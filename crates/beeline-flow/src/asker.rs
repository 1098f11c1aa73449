//! Questions about a step: the closure answers first, then others, if there are any.

use crate::known::Known;
use crate::make;
use beeline_model::Pred;
use beeline_prove::{Context, Obligation, Reach, Source};

/// Who is asked, and in which context.
type Others<'a, 'j> = (&'a mut Vec<&'j mut dyn Source>, &'a Context);

/// Answers questions about the state before a step.
pub(crate) struct Asker<'a, 'j, 'm> {
    pub known: Known<'m>,
    pub others: Option<Others<'a, 'j>>,
    /// What is assumed beside the context.
    pub assumed: Vec<Pred>,
    /// Others who decided something.
    pub by: Vec<&'static str>,
    /// One of them looked at one scope only.
    pub scope: bool,
}

impl<'a, 'j, 'm> Asker<'a, 'j, 'm> {
    /// Nobody else is asked.
    pub fn alone(known: Known<'m>) -> Asker<'a, 'j, 'm> {
        Asker { known, others: None, assumed: Vec::new(), by: Vec::new(), scope: false }
    }

    pub fn has_others(&self) -> bool {
        self.others.is_some()
    }

    /// Is something true, or false, wherever it has a meaning?
    pub fn truth(&mut self, p: &Pred) -> Option<bool> {
        if let Some(truth) = self.known.truth(p) {
            return Some(truth);
        }
        self.others.as_ref()?;
        if self.excluded(&[p]) {
            return Some(false);
        }
        // What has no meaning is left as it is: it is no use to know that it is not false.
        (self.known.is_defined(p) && self.excluded(&[&make::not(p.clone())])).then_some(true)
    }

    /// Do others say that these cannot hold together, here?
    pub fn excluded(&mut self, facts: &[&Pred]) -> bool {
        let Some((sources, context)) = &mut self.others else { return false };
        let all: Vec<&Pred> = self.assumed.iter().chain(facts.iter().copied()).collect();
        let obligation = Obligation { model: self.known.model, context, facts: &all };
        for source in sources.iter_mut() {
            if source.excludes(&obligation) {
                self.by.push(source.name());
                self.scope |= source.reach() == Reach::Scope;
                return true;
            }
        }
        false
    }
}
