//! Why two states were told apart, as a formula.
//!
//! States that a round told apart can do different things: one has a step to a block to which the other has
//! none with the same label. The formula says that there is such a step, to a state that differs from all
//! those which the other's steps lead to; how it differs was found out in an earlier round (Cleaveland 1990;
//! for branching bisimulation Korver 1991). Formulas are as shallow as possible, since rounds are.

use crate::formula::{Action, Formula, Part};
use crate::graph::{Graph, INTERNAL};
use crate::history::History;
use crate::{Interrupted, look};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::AtomicBool;

/// More pairs of states than this are not explained.
const MAX_PAIRS: usize = 20_000;

/// A refinement that can be asked.
pub(crate) struct Reasons<'a> {
    pub graph: &'a Graph,
    pub is_branching: bool,
    pub diverges: Option<u32>,
    pub history: &'a History,
}

/// The first is to be told from the second.
type Pair = (u32, u32);

/// What a state can do: label, block the step leads to, and a state of it.
type Entry = (u32, u32, u32);

/// Why two states differ.
struct Reason {
    round: u32,
    /// It is the second one that has the step.
    negated: bool,
    label: u32,
    /// States on the way differ from these.
    hold: Vec<Pair>,
    /// The state the step leads to differs from these.
    then: Vec<Pair>,
}

impl Reasons<'_> {
    /// A formula that is true in the first state and false in the second; nothing if it would be too large.
    pub fn formula(
        &self,
        one: u32,
        other: u32,
        stop: &AtomicBool,
    ) -> Result<Option<Formula>, Interrupted> {
        let mut reasons: FxHashMap<Pair, Reason> = FxHashMap::default();
        let mut open = vec![(one, other)];
        while let Some(pair) = open.pop() {
            look(stop)?;
            if reasons.contains_key(&pair) {
                continue;
            }
            if reasons.len() >= MAX_PAIRS {
                return Ok(None);
            }
            let Some(reason) = self.reason(pair) else { return Ok(None) };
            open.extend(reason.hold.iter().chain(&reason.then));
            reasons.insert(pair, reason);
        }
        let mut order: Vec<(u32, Pair)> = reasons.iter().map(|(p, r)| (r.round, *p)).collect();
        order.sort_unstable();
        let mut made = Made::default();
        for (_, pair) in order {
            if let Some(reason) = reasons.get(&pair) {
                let part = self.part(reason, &mut made);
                made.pairs.insert(pair, part);
            }
        }
        Ok(made.pairs.get(&(one, other)).map(|whole| made.formula(*whole)))
    }

    /// Why the states of a pair differ.
    fn reason(&self, (one, other): Pair) -> Option<Reason> {
        let round = self.history.parted(one, other)?;
        let before = round - 1;
        let (mine, theirs) = (self.entries(one, before), self.entries(other, before));
        let best = |from: &[Entry], to: &[Entry]| {
            let missing = from.iter().filter(|e| to.iter().all(|t| (t.0, t.1) != (e.0, e.1)));
            missing
                .map(|entry| (to.iter().filter(|t| t.0 == entry.0).count(), *entry))
                .min_by_key(|(count, _)| *count)
        };
        // What is not there is as good as what is, but reads a little worse.
        let (positive, negative) = (best(&mine, &theirs), best(&theirs, &mine));
        let negated = match (&positive, &negative) {
            (Some((p, _)), Some((n, _))) => n < p,
            (None, Some(_)) => true,
            _ => false,
        };
        let ((_, entry), pair, theirs) = match negated {
            false => (positive?, (one, other), theirs),
            true => (negative?, (other, one), mine),
        };
        let (label, _, target) = entry;
        let same_label = theirs.iter().filter(|t| t.0 == label).map(|t| t.2);
        let mut then: Vec<u32> = same_label.collect();
        let mut hold = Vec::new();
        if self.is_branching {
            if label == INTERNAL {
                // Without a step they are where they are.
                then.push(pair.1);
            }
            hold.extend(theirs.iter().filter(|t| t.0 == INTERNAL).map(|t| t.2));
        }
        // An endless run goes nowhere else.
        let then = if Some(label) == self.diverges { Vec::new() } else { self.few(target, then)? };
        let hold = self.few(pair.0, hold)?;
        Some(Reason { round, negated, label, hold, then })
    }

    /// Some of the pairs of a state and these others: what tells it from them tells it from all.
    fn few(&self, one: u32, others: Vec<u32>) -> Option<Vec<Pair>> {
        let parted = |other: u32| Some((self.history.parted(one, other)?, other));
        let mut list: Vec<(u32, u32)> = others.into_iter().map(parted).collect::<Option<_>>()?;
        list.sort_unstable();
        let mut kept: Vec<(u32, u32)> = Vec::new();
        for (round, other) in list {
            // A formula of some round cannot tell states that were still together then.
            let is_covered =
                |(r, k): &(u32, u32)| self.history.block(*k, *r) == self.history.block(other, *r);
            if !kept.iter().any(is_covered) {
                kept.push((round, other));
            }
        }
        Some(kept.into_iter().map(|(_, other)| (one, other)).collect())
    }

    /// What a state can do, by the blocks after a round: each label and block once.
    fn entries(&self, state: u32, round: u32) -> Vec<Entry> {
        let block = |state: u32| self.history.block(state, round);
        let home = block(state);
        let (mut seen, mut open) = (FxHashSet::from_iter([state]), vec![state]);
        let mut entries = Vec::new();
        while let Some(at) = open.pop() {
            for edge in self.graph.edges(at) {
                let to = block(edge.target);
                if self.is_branching && edge.label == INTERNAL && to == home {
                    if seen.insert(edge.target) {
                        open.push(edge.target);
                    }
                } else {
                    entries.push((edge.label, to, edge.target));
                }
            }
        }
        entries.sort_unstable();
        entries.dedup_by_key(|entry| (entry.0, entry.1));
        entries
    }

    /// The formula of a reason, made of those of earlier rounds.
    fn part(&self, reason: &Reason, made: &mut Made) -> usize {
        let then = made.all(&reason.then);
        let action = || match reason.label {
            INTERNAL => Action::Internal,
            label => Action::Visible(self.graph.label(label).to_owned()),
        };
        let part = if Some(reason.label) == self.diverges {
            let hold = made.all(&reason.hold);
            made.add(Part::Endless(hold))
        } else if self.is_branching {
            let hold = made.all(&reason.hold);
            made.add(Part::Until(hold, action(), then))
        } else {
            made.add(Part::Step(action(), then))
        };
        if reason.negated { made.add(Part::Not(part)) } else { part }
    }
}

/// Parts that were made, and which of them tell which states apart.
#[derive(Default)]
struct Made {
    parts: Vec<Part>,
    pairs: FxHashMap<Pair, usize>,
    whole: Option<usize>,
}

impl Made {
    fn add(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// All that tell these apart.
    fn all(&mut self, pairs: &[Pair]) -> usize {
        let mut list: Vec<usize> =
            pairs.iter().filter_map(|p| self.pairs.get(p).copied()).collect();
        list.sort_unstable();
        list.dedup();
        match list.as_slice() {
            [one] => *one,
            [] => match self.whole {
                Some(whole) => whole,
                None => {
                    let whole = self.add(Part::All(Vec::new()));
                    self.whole = Some(whole);
                    whole
                }
            },
            _ => self.add(Part::All(list)),
        }
    }

    /// A formula of what this part needs.
    fn formula(&self, whole: usize) -> Formula {
        let mut needed = vec![false; whole + 1];
        needed[whole] = true;
        for part in (0..=whole).rev() {
            if needed[part] {
                crate::formula::below(&self.parts[part]).into_iter().for_each(|b| needed[b] = true);
            }
        }
        let mut number = vec![0; whole + 1];
        let mut parts = Vec::new();
        for part in (0..=whole).filter(|p| needed[*p]) {
            number[part] = parts.len();
            parts.push(match &self.parts[part] {
                Part::All(list) => Part::All(list.iter().map(|p| number[*p]).collect()),
                Part::Not(one) => Part::Not(number[*one]),
                Part::Step(action, one) => Part::Step(action.clone(), number[*one]),
                Part::Until(hold, action, then) => {
                    Part::Until(number[*hold], action.clone(), number[*then])
                }
                Part::Endless(hold) => Part::Endless(number[*hold]),
            });
        }
        Formula { parts }
    }
}
