//! Keys of symmetric states against all permutations. `RANDOM_MACHINES=5000` for more than a few.

use beeline_compare::orbits::{Seen, machine};

#[test]
fn keys_are_equal_exactly_for_symmetric_states() {
    let machines = std::env::var("RANDOM_MACHINES").ok().and_then(|n| n.parse().ok());
    let machines: usize = machines.unwrap_or(30);
    let mut all = Seen::default();
    for seed in 0..machines as u64 {
        match machine(seed) {
            Ok(seen) => (all.packed, all.rows) = (all.packed + seen.packed, all.rows + seen.rows),
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    // Most of it was about packed rows.
    assert!(4 * all.packed > machines && all.rows > 5 * machines, "{all:?}");
}
