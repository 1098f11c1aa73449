//! Are two graphs bisimilar, and if not, what tells them apart?

use crate::contract::contract;
use crate::formula::Formula;
use crate::graph::{Graph, TooLarge};
use crate::quotient::{Merge, merged};
use crate::reasons::Reasons;
use crate::refine::refine;
use crate::{Interrupted, Relation};
use std::sync::atomic::AtomicBool;

/// Whether two graphs are bisimilar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are: side by side they have so many classes of states.
    Same {
        /// The number of classes.
        classes: usize,
    },
    /// They are not.
    Different(Difference),
    /// Together they are too large to be numbered.
    TooLarge,
}

/// What tells two graphs apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It was evaluated: true in the first graph, false in the second.
    Formula(Formula),
    /// A formula would have too many parts to be made.
    Large,
    /// There is a formula, but evaluating it does not confirm it: a mistake of this crate.
    Refuted,
}

/// Compares the initial states of two graphs.
pub fn distinguish(
    left: &Graph,
    right: &Graph,
    relation: Relation,
    stop: &AtomicBool,
) -> Result<Comparison, Interrupted> {
    let (both, one, other) = match Graph::beside(left, right) {
        Ok(both) => both,
        Err(TooLarge) => return Ok(Comparison::TooLarge),
    };
    let is_branching = relation != Relation::Strong;
    let (graph, diverges, one, other) = if is_branching {
        let small = contract(&both, relation == Relation::Branching, stop)?;
        let place = |state: u32| small.place[state as usize];
        (small.graph, small.diverges, place(one), place(other))
    } else {
        (both, None, one, other)
    };
    let partition = refine(&graph, is_branching, false, stop)?;
    if partition.block[one as usize] == partition.block[other as usize] {
        return Ok(Comparison::Same { classes: partition.blocks });
    }
    // Rounds are kept of the smallest graph only; in it all states are told apart in the end.
    let how = match is_branching {
        true => Merge::Branching { endless: Vec::new() },
        false => Merge::Strong,
    };
    let small = merged(&graph, &how, partition.block, partition.blocks, stop)?;
    drop(graph);
    let (one, other) = (small.class[one as usize], small.class[other as usize]);
    let (graph, one, other) = if is_branching {
        // It has no internal cycles; this is for the order of its numbers.
        let again = contract(&small.graph, false, stop)?;
        (again.graph, again.place[one as usize], again.place[other as usize])
    } else {
        (small.graph, one, other)
    };
    let partition = refine(&graph, is_branching, true, stop)?;
    let Some(history) = partition.history else {
        return Ok(Comparison::Different(Difference::Refuted));
    };
    let reasons = Reasons { graph: &graph, is_branching, diverges, history: &history };
    let difference = match reasons.formula(one, other, stop)? {
        None => Difference::Large,
        Some(formula) => {
            let is_so = formula.holds_in(left, stop)? && !formula.holds_in(right, stop)?;
            if is_so { Difference::Formula(formula) } else { Difference::Refuted }
        }
    };
    Ok(Comparison::Different(difference))
}
