//! What the table promises: order, parents, exactness, and the same on disk.

use super::*;
use std::ops::Range;

/// Offers states with their ranks in batches, and settles.
fn wave(
    table: &Table,
    parts: &[&[(u32, &[u32])]],
    parents: Option<&[StateId]>,
    parallel: bool,
) -> Range<u32> {
    let mut view = table.view();
    let mut batches = Vec::new();
    for part in parts {
        let mut batch = Batch::new(parallel);
        let mut last = None;
        for (rank, state) in *part {
            if last != Some(*rank) {
                batch.begin(*rank);
                last = Some(*rank);
            }
            assert!(table.offer(&mut batch, &mut view, state, *rank));
        }
        batch.seal();
        batches.push(batch);
    }
    let all: Vec<&Batch> = batches.iter().collect();
    if let ([one], Some(parents), false) = (&all[..], parents, parallel) {
        return table.alone().settle(one, parents).unwrap();
    }
    if parallel {
        (0..SHARDS).rev().for_each(|shard| table.resolve_shard(shard, &all));
    } else {
        table.resolve_all(&all);
    }
    table.settle(&all, parents).unwrap()
}

fn words(table: &Table, id: u32) -> Vec<u32> {
    let mut view = table.view();
    table.open(StateId(id), &mut view);
    view.words().to_vec()
}

#[test]
fn the_least_rank_names_order_and_parent() {
    for (parallel, width) in [(false, 1), (true, 1), (true, 2), (false, 3), (true, 7)] {
        let table = Table::new(width);
        let state = |n: u32| vec![n; width];
        let (one, two) = (state(1), state(2));
        assert_eq!(wave(&table, &[&[(0, &one), (1, &two)]], None, parallel), 0..2);
        // A single thread would have come to 9 from the first state, and to 8 from the second.
        let (eight, nine) = (state(8), state(9));
        let parents = [StateId(0), StateId(1)];
        let late: &[(u32, &[u32])] = &[(1, &nine), (1, &eight), (1, &one)];
        let early: &[(u32, &[u32])] = &[(0, &nine), (0, &nine), (0, &two)];
        assert_eq!(wave(&table, &[late, early], Some(&parents), parallel), 2..4);
        assert_eq!((words(&table, 2), table.parent(StateId(2))), (nine.clone(), Some(StateId(0))));
        assert_eq!((words(&table, 3), table.parent(StateId(3))), (eight, Some(StateId(1))));
        assert_eq!(table.parent(StateId(1)), None);
        // After the wave the parent stays.
        assert_eq!(wave(&table, &[&[(1, &nine)]], Some(&parents), parallel), 4..4);
        assert_eq!(table.parent(StateId(2)), Some(StateId(0)));
    }
}

#[test]
fn states_are_told_apart_exactly_and_kept_small() {
    for width in [1, 2, 3, 16] {
        let table = Table::new(width);
        let state = |i: u32| {
            let mut state: Vec<u32> = (0..width as u32).collect();
            let last = width - 1;
            state[0] = i % 700;
            state[last] = if width == 1 { i } else { i / 700 };
            state
        };
        let mut from = 0;
        for start in (0..200_000u32).step_by(5_000) {
            let states: Vec<Vec<u32>> = (start..start + 5_000).map(state).collect();
            let ids: Vec<StateId> = (0..5_000).map(|i| StateId(start / 2 + i / 2)).collect();
            // Each is offered twice, and the one before it once more.
            let offers: Vec<(u32, &[u32])> = states
                .iter()
                .enumerate()
                .flat_map(|(i, s)| [(i as u32, &s[..]), (i as u32, &states[i / 2][..])])
                .collect();
            let range = wave(&table, &[&offers], Some(&ids), start % 2 == 1);
            assert_eq!(range, from..from + 5_000);
            from = range.end;
        }
        for i in (0..200_000).step_by(777) {
            assert_eq!(words(&table, i), state(i));
            assert_eq!(table.parent(StateId(i)), Some(StateId(i / 2)));
        }
        let mut view = table.view();
        assert!(table.contains(&mut view, &state(7)));
        assert!(!table.contains(&mut view, &state(200_000)));
        let bytes = table.bytes();
        assert!(bytes.total() <= 16 * 200_000, "{width}: {bytes:?}");
    }
}

#[test]
fn states_on_disk_are_known_and_keep_their_order() {
    for width in [1, 2, 5] {
        let (near, far) = (Table::new(width), Table::new(width));
        // A walk that meets most states several times.
        let state = |i: u32| vec![(i * i) % 977 + i / 40; width];
        let folder = std::env::temp_dir();
        for start in (0..6_000u32).step_by(300) {
            let states: Vec<Vec<u32>> = (start..start + 300).map(state).collect();
            let offers: Vec<(u32, &[u32])> =
                states.iter().enumerate().map(|(i, s)| (i as u32, &s[..])).collect();
            let parents: Vec<StateId> =
                (0..300).map(|i| StateId((start / 20 + i / 30) % 40)).collect();
            let parents = (start > 0).then_some(&parents[..]);
            let range = wave(&near, &[&offers], parents, true);
            let waiting = wave(&far, &[&offers], parents, true);
            if start == 600 {
                far.move_out(&folder).unwrap();
            } else if start > 600 && start % 900 == 0 {
                let first = far.len() as u32;
                assert_eq!(far.sift().unwrap(), first..range.end);
            } else if start < 600 {
                assert_eq!(waiting, range);
            }
        }
        far.sift().unwrap();
        assert_eq!((far.len(), far.waiting()), (near.len(), 0));
        far.load(50..90).unwrap();
        for id in 0..near.len() as u32 {
            assert_eq!(words(&far, id), words(&near, id));
            assert_eq!(far.parent(StateId(id)), near.parent(StateId(id)));
        }
        assert!(!far.failed() && far.disk_bytes() == 20 * near.len() as u64);
    }
}

#[test]
fn a_model_without_variables_has_one_state() {
    let table = Table::new(0);
    assert_eq!(wave(&table, &[&[(0, &[]), (0, &[])]], None, false), 0..1);
    assert_eq!(wave(&table, &[&[(0, &[])]], Some(&[StateId(0)]), false), 1..1);
}

#[test]
fn a_table_of_hashes_forgets_vectors() {
    let table = Table::compact(3);
    let (a, b, c) = ([1, 2, 3], [1, 2, 4], [9, 9, 9]);
    assert_eq!(wave(&table, &[&[(0, &a), (0, &a), (1, &b)]], None, true), 0..2);
    assert_eq!((words(&table, 0), words(&table, 1)), (a.to_vec(), b.to_vec()));
    table.forget(1);
    let parents = [StateId(0), StateId(1)];
    assert_eq!(wave(&table, &[&[(0, &a), (1, &c)]], Some(&parents), false), 2..3);
    assert_eq!((words(&table, 1), words(&table, 2)), (b.to_vec(), c.to_vec()));
    assert_eq!(words(&table, 0), [0, 0, 0]);
    assert!(table.is_likely(StateId(0), &a) && !table.is_likely(StateId(0), &b));
    assert_eq!(table.parent(StateId(2)), Some(StateId(1)));
}

#[test]
fn a_crowded_batch_keeps_what_is_new() {
    let table = Table::new(1);
    wave(&table, &[&[(0, &[4]), (0, &[5])]], None, false);
    let (mut batch, mut view) = (Batch::new(false), table.view());
    for (rank, word) in [(0, 4), (1, 6), (1, 7), (2, 6), (3, 8), (3, 5)] {
        batch.begin(rank);
        assert!(table.offer(&mut batch, &mut view, &[word], rank));
    }
    table.reader().thin(&mut batch);
    assert_eq!((&batch.keys[..], &batch.ranks[..]), (&[6, 7, 8][..], &[1, 1, 3][..]));
    batch.seal();
    table.resolve_all(&[&batch]);
    let parents: Vec<StateId> = (0..4).map(StateId).collect();
    assert_eq!(table.settle(&[&batch], Some(&parents)), Some(2..5));
    assert_eq!(table.parent(StateId(4)), Some(StateId(3)));
}

#[test]
fn numbers_of_a_wave_fit_the_index_of_every_shard() {
    // Waves in which most states are new, across sizes at which numbers take one more bit.
    for size in [3_000u32, 7_000, 20_000, 60_000] {
        let table = Table::new(1);
        for start in (0..300_000).step_by(size as usize) {
            let states: Vec<[u32; 1]> = (start..start + size).map(|n| [n]).collect();
            let part: Vec<(u32, &[u32])> = states.iter().map(|s| (0, s.as_slice())).collect();
            assert_eq!(wave(&table, &[&part], None, true), start..start + size);
        }
        for start in (0..300_000).step_by(size as usize) {
            let states: Vec<[u32; 1]> = (start..start + size).map(|n| [n]).collect();
            let part: Vec<(u32, &[u32])> = states.iter().map(|s| (0, s.as_slice())).collect();
            assert!(wave(&table, &[&part], None, true).is_empty(), "{size} {start}");
        }
    }
}
