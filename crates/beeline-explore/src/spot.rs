//! Spot checks: what was left out because somebody proved it is evaluated after all in a few states.
//!
//! Proofs come from outside. One that is wrong would hide what is wrong with the model, so states from
//! everywhere in the search are looked at again; if one of them contradicts a proof, no proof is
//! believed and the search begins anew without any. Which states are looked at depends on nothing
//! but their number, and how long on a count of steps: the result is the same on every machine.

use crate::exploration::Sample;
use crate::proof::{Contradiction, Proof};
use crate::search::Search;
use beeline_table::StateId;
use beeline_transition::{ConjunctId, TransitionSystem, Truth};
use std::sync::PoisonError;

/// So many states are looked at again.
const STATES: u32 = 64;
/// Steps that all these evaluations may take, and one of them.
const STEPS: u64 = 100_000;
const STEPS_EACH: u64 = 2_000;
/// So many of the states are kept for somebody else to look at.
const KEPT: usize = 16;

impl<S: TransitionSystem> Search<'_, S> {
    /// Evaluates in a few states what proofs spoke for. The first contradiction, if there is one.
    pub fn spot_check(&mut self) -> Option<Contradiction> {
        let shared = self.shared;
        let count = shared.table.len() as u32;
        let proved = shared.tests.proved();
        let useless = !matches!(shared.options.proof, Proof::On | Proof::Trust)
            || proved.is_empty()
            || shared.table.is_compact()
            || shared.table.is_out()
            || shared.stopped()
            || count == 0;
        if useless {
            return None;
        }
        let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
        let (mut view, mut steps) = (shared.table.view(), STEPS);
        let (system, signature) = (shared.system, shared.system.signature());
        // What was not visited nobody spoke for: an initial state may wait, or lie outside. A state that
        // others were found from was visited.
        let all_visited = !self.stopped_at_finding && signature.scope.is_none();
        let chosen = STATES.min(count);
        for i in 0..chosen {
            // From the first to the last, evenly.
            let id = StateId((u64::from(i) * u64::from(count) / u64::from(chosen)) as u32);
            let visited = if all_visited { Some(id) } else { shared.table.parent(id) };
            let Some(id) = visited else { continue };
            if suspects.contains(&id) || steps == 0 {
                continue;
            }
            shared.table.load(id, &mut view);
            let at = shared.at(view.words());
            for conjunct in &proved {
                let pred = signature.check(*conjunct).pred;
                let mut left = steps.min(STEPS_EACH);
                // A model may have an invariant that takes minutes: a spot check must not.
                let given = left;
                let truth = system.holds_within(pred, at, &mut self.scratch, &mut left);
                steps -= given - left;
                if matches!(truth, Truth::False | Truth::Undefined(_)) {
                    return Some(self.blame(id, *conjunct));
                }
            }
            if i % (chosen / KEPT as u32 + 1) == 0 {
                let state = system.unpack(at.row, &mut self.scratch);
                self.samples.push(Sample { constants: at.constants().owned(), state });
            }
        }
        None
    }

    /// Who broke a conjunct that does not hold in a state: the first step into a state of the way
    /// there in which it is not true.
    fn blame(&mut self, id: StateId, conjunct: ConjunctId) -> Contradiction {
        let shared = self.shared;
        let found = |operation, steps| {
            let operations = vec![operation];
            Contradiction { conjunct, operations, steps }
        };
        let Some(path) = crate::path::path(shared, id, &mut self.scratch) else {
            return found(None, 0);
        };
        let pred = shared.system.signature().check(conjunct).pred;
        let start = path.initial.iter().map(|state| (None, state));
        let states = start.chain(path.steps.iter().map(|s| (Some(s.operation), &s.target)));
        for (steps, (operation, state)) in states.enumerate() {
            let truth =
                shared.system.holds(pred, (path.constants.view(), state.view()), &mut self.scratch);
            if truth != Truth::True {
                return found(operation, steps);
            }
        }
        found(path.steps.last().map(|s| s.operation), path.steps.len())
    }
}
