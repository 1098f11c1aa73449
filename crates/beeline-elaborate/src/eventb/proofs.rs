//! Which events preserve which invariants, by what a prover said.
//!
//! A proof is about an event of one machine of the chain and an invariant of the same machine. It
//! holds for the concrete event as well: what it does is what the abstract event does, or a promise
//! is broken and the step is not taken. A proof may lean on every invariant of the chain, so a machine
//! that is run without its abstractions has none; and on the meaning of the invariant itself, so one
//! that may be undefined has none either. If the obligation that was proved is not the one that the model
//! has, or nobody knows what it was, there is only a claim.

use super::chain::Chain;
use super::event_named;
use super::obligation::Obliged;
use beeline_eventb::{Event, Project, Proof};
use beeline_model::{Level, Name, OperationId, Preserved};
use rustc_hash::FxHashSet;

/// What is said to be preserved.
#[derive(Default)]
pub(super) struct Known {
    /// What was proved.
    pub proofs: Vec<Preserved>,
    /// What is only said to be proved.
    pub claims: Vec<Preserved>,
}

/// All pairs, by the order of operations and invariants.
pub(super) fn preserved(
    chain: &Chain<'_>,
    project: &Project,
    obliged: &Obliged<'_>,
    level: &Level,
) -> Known {
    let proofs: &[Proof] = &project.proofs;
    let known: FxHashSet<(&Name, &Name, &Name)> =
        proofs.iter().map(|p| (&p.component, &p.event, &p.invariant)).collect();
    let mut found = Known::default();
    let Some(main) = chain.machines.last().filter(|_| !known.is_empty()) else { return found };
    if chain.alone && main.refines.is_some() {
        return found;
    }
    let init = main.events.iter().filter(|e| e.is_initialisation()).map(|e| (None, e));
    let mut names: FxHashSet<&Name> = FxHashSet::default();
    let others =
        main.events.iter().filter(|e| !e.is_initialisation() && names.insert(&e.name.name));
    let others = others.enumerate().map(|(i, e)| (Some(OperationId(i as u32)), e));
    for (operation, event) in init.chain(others) {
        let levels = refined(chain, event);
        let steps: Vec<Vec<_>> = levels
            .iter()
            .enumerate()
            .map(|(number, events)| {
                events.iter().map(|e| obliged.step(number, &e.name.name)).collect()
            })
            .collect();
        for (conjunct, invariant) in level.numbered_invariants() {
            let machine = invariant.component.index().checked_sub(chain.contexts.len());
            let Some(number) = machine.filter(|m| *m < chain.machines.len()) else { continue };
            let Some(label) = &invariant.conjunct.label else { continue };
            let machine = chain.machines[number];
            // Two invariants of one label cannot be told apart.
            if machine.invariants.iter().filter(|i| i.label == *label).count() != 1 {
                continue;
            }
            let undefined = |(m, l): &(Name, Name)| *m == machine.name.name && l == label;
            if project.maybe_undefined.iter().any(undefined) {
                continue;
            }
            let events = &levels[number];
            let said = |e: &&Event| known.contains(&(&machine.name.name, &e.name.name, label));
            if events.is_empty() || !events.iter().all(said) {
                continue;
            }
            let preserved = Preserved { operation, conjunct };
            let proved =
                steps[number].iter().all(|s| s.as_ref().is_some_and(|s| obliged.proves(s, label)));
            match proved {
                true => found.proofs.push(preserved),
                false => found.claims.push(preserved),
            }
        }
    }
    found
}

/// The events of each machine that a concrete event stands for.
fn refined<'a>(chain: &Chain<'a>, event: &'a Event) -> Vec<Vec<&'a Event>> {
    let mut levels = vec![vec![event]];
    for machine in chain.machines.iter().rev().skip(1) {
        let below: &[&Event] = levels.last().map_or(&[], Vec::as_slice);
        let mut above: Vec<&Event> = Vec::new();
        for event in below {
            let names = event.refines.iter().map(|r| r.name.as_str());
            let init = event.is_initialisation().then_some(Event::INITIALISATION);
            above.extend(names.chain(init).filter_map(|n| event_named(&machine.events, n)));
        }
        levels.push(above);
    }
    levels.reverse();
    levels
}
