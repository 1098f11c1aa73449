//! Permutation flooding (Leuschel, Butler, Spermann & Turner 2007): with each new state all its
//! permutations become known. Exact, and as expensive as it sounds: it is here to compare with.

use crate::elements::Elements;
use crate::permute::{Permutation, Permuter};
use beeline_transition::ConstantsRef;
use beeline_value::Val;

/// More permutations than this are refused.
pub(crate) const MAX_PERMUTATIONS: u64 = 400_000;

/// All permutations of all elements, the identity first.
pub(crate) fn all(elements: &Elements) -> Vec<Permutation> {
    let mut found = vec![Permutation::identity(elements.len())];
    for set in &elements.sets {
        let mut orders = Vec::new();
        arrange(&mut (0..set.len as u32).collect(), 0, &mut orders);
        let mut next = Vec::with_capacity(found.len() * orders.len());
        for base in &found {
            for order in &orders {
                let mut by = base.clone();
                for (i, to) in order.iter().enumerate() {
                    by.0[set.first + i] = set.first as u32 + to;
                }
                next.push(by);
            }
        }
        found = next;
    }
    found
}

fn arrange(items: &mut Vec<u32>, from: usize, out: &mut Vec<Vec<u32>>) {
    if from + 1 >= items.len() {
        return out.push(items.clone());
    }
    for i in from..items.len() {
        items.swap(from, i);
        arrange(items, from + 1, out);
        items.swap(from, i);
    }
}

/// The permutations that keep these constants.
pub(crate) fn keeping(
    all: &[Permutation],
    constants: ConstantsRef<'_>,
    permuter: &mut Permuter<'_>,
) -> Vec<Permutation> {
    let keeps = |by: &&Permutation, permuter: &mut Permuter<'_>| {
        constants.iter().all(|w| permuter.value(Val::from_raw(w), by).raw() == w)
    };
    all.iter().filter(|by| keeps(by, permuter)).cloned().collect()
}
