//! The size of states: small ones are cheap, so more of them fit into the same time.

use beeline_transition::StateRef;
use beeline_value::{Node, Store, Val};
use rustc_hash::FxHashMap;

/// Values whose size is remembered.
const REMEMBERED: usize = 1 << 20;

/// How many parts the values of a state have; `known` are sizes of values.
pub(crate) fn of_state(store: &Store, state: StateRef<'_>, known: &mut FxHashMap<u32, i32>) -> i32 {
    if known.len() > REMEMBERED {
        known.clear();
    }
    let sizes = state.iter().map(|word| size(store, Val::from_raw(word), known));
    sizes.fold(0, i32::saturating_add)
}

/// How many parts a value has. Values nest as deep as their types, which the parser limits.
fn size(store: &Store, value: Val, known: &mut FxHashMap<u32, i32>) -> i32 {
    let Some(node) = store.node(value) else { return 1 };
    if let Some(size) = known.get(&value.raw()) {
        return *size;
    }
    let mut sum = 1i32;
    let mut add = |part: Val| sum = sum.saturating_add(size(store, part, known));
    match node {
        Node::Int(_) | Node::Real(_) | Node::Str(_) => {}
        // As many as if it were listed would be a lie: it is kept as two numbers.
        Node::Range(..) => sum = 3,
        Node::Pair(a, b) => [a, b].into_iter().for_each(|v| add(*v)),
        Node::Set(all) | Node::Rec(all) | Node::Sym(_, all) => all.iter().for_each(|v| add(*v)),
        Node::Rel(left, right) => left.iter().chain(&**right).for_each(|v| add(*v)),
        Node::Free(_, _, part) => part.iter().for_each(|v| add(*v)),
    }
    known.insert(value.raw(), sum);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let store = Store::new();
        let known = &mut FxHashMap::default();
        let (one, two) = (store.int(1), store.int(2));
        assert_eq!(size(&store, one, known), 1);
        let pair = store.pair(one, two);
        assert_eq!(size(&store, pair, known), 3);
        assert_eq!(size(&store, store.pair(pair, pair), known), 7);
    }
}
