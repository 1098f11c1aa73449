//! What the table promises: order, parents, exactness, and the same on disk.

use super::*;
use crate::exchange::Exchange;
use std::ops::Range;

/// Offers states with their ranks in batches, for a table in so many parts, and settles.
fn wave(
    table: &Table,
    lists: &[&[(u32, &[u32])]],
    parents: Option<&[StateId]>,
    parts: usize,
) -> Range<u32> {
    let mut view = table.view();
    let mut offer = |batch: &mut Batch, list: &[(u32, &[u32])]| {
        for (rank, state) in list {
            assert!(table.offer(batch, &mut view, state, *rank));
        }
    };
    if let [list] = lists
        && (parents.is_none() || parts == 1)
    {
        let mut batch = Batch::new(1);
        offer(&mut batch, list);
        return table.alone().settle(&mut batch, parents).unwrap();
    }
    let exchange = Exchange::new(parts, lists.len());
    for (worker, list) in lists.iter().enumerate() {
        let mut batch = Batch::new(parts);
        offer(&mut batch, list);
        exchange.take(worker, &mut batch);
        assert!(batch.is_empty());
    }
    table.settle(&exchange, parents.unwrap_or_default()).unwrap()
}

fn words(table: &Table, id: u32) -> Vec<u32> {
    let mut view = table.view();
    table.load(StateId(id), &mut view);
    view.words().to_vec()
}

#[test]
fn the_least_rank_names_order_and_parent() {
    for (parts, width) in [(1, 1), (2, 1), (5, 2), (1, 3), (64, 7)] {
        let table = Table::new(width);
        let state = |n: u32| vec![n; width];
        let (one, two) = (state(1), state(2));
        assert_eq!(wave(&table, &[&[(0, &one), (1, &two)]], None, parts), 0..2);
        // A single thread would have come to 9 from the first state, and to 8 from the second.
        let (eight, nine) = (state(8), state(9));
        let parents = [StateId(0), StateId(1)];
        let late: &[(u32, &[u32])] = &[(1, &nine), (1, &eight), (1, &one)];
        let early: &[(u32, &[u32])] = &[(0, &nine), (0, &nine), (0, &two)];
        assert_eq!(wave(&table, &[late, early], Some(&parents), parts), 2..4);
        assert_eq!((words(&table, 2), table.parent(StateId(2))), (nine.clone(), Some(StateId(0))));
        assert_eq!((words(&table, 3), table.parent(StateId(3))), (eight, Some(StateId(1))));
        assert_eq!(table.parent(StateId(1)), None);
        // After the wave the parent stays.
        assert_eq!(wave(&table, &[&[(1, &nine)]], Some(&parents), parts), 4..4);
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
            let range = wave(&table, &[&offers], Some(&ids), 1 + start as usize / 5_000 % 3);
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
            let range = wave(&near, &[&offers], parents, 4);
            let waiting = wave(&far, &[&offers], parents, 4);
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
        far.load_wave(50..90).unwrap();
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
    assert_eq!(wave(&table, &[&[(0, &[]), (0, &[])]], None, 1), 0..1);
    assert_eq!(wave(&table, &[&[(0, &[])]], Some(&[StateId(0)]), 1), 1..1);
}

#[test]
fn a_table_of_hashes_forgets_vectors() {
    let table = Table::compact(3);
    let (a, b, c) = ([1, 2, 3], [1, 2, 4], [9, 9, 9]);
    assert_eq!(wave(&table, &[&[(0, &a), (0, &a), (1, &b)]], None, 1), 0..2);
    assert_eq!((words(&table, 0), words(&table, 1)), (a.to_vec(), b.to_vec()));
    table.forget(1);
    let parents = [StateId(0), StateId(1)];
    assert_eq!(wave(&table, &[&[(0, &a), (1, &c)]], Some(&parents), 8), 2..3);
    assert_eq!((words(&table, 1), words(&table, 2)), (b.to_vec(), c.to_vec()));
    assert_eq!(words(&table, 0), [0, 0, 0]);
    assert!(table.is_likely(StateId(0), &a) && !table.is_likely(StateId(0), &b));
    assert_eq!(table.parent(StateId(2)), Some(StateId(1)));
}

#[test]
fn the_number_of_workers_and_parts_cannot_be_told() {
    // Ranks are dealt out in chunks; some candidates come late.
    let lists = |workers: u32| -> Vec<Vec<(u32, [u32; 1])>> {
        let mut lists = vec![Vec::new(); workers as usize];
        for rank in 0..3_000u32 {
            let list = &mut lists[(rank / 16 * 7 % workers) as usize];
            list.extend((0..5).map(|i| (rank, [(rank * 3 + i * i * 40) % 7_000])));
        }
        lists
    };
    let parents: Vec<StateId> = (0..3_000).map(|rank| StateId(rank * 2)).collect();
    let mut seen = None;
    for (workers, parts) in [(1, 1), (2, 8), (3, 5), (7, 64)] {
        let (table, exchange) = (Table::new(1), Exchange::new(parts, workers as usize + 1));
        let mut view = table.view();
        for (worker, list) in lists(workers).iter().enumerate() {
            let mut batch = Batch::new(parts);
            for (rank, state) in list {
                assert!(table.offer(&mut batch, &mut view, state, *rank));
            }
            exchange.take(worker, &mut batch);
        }
        let mut late = Batch::late(parts);
        for rank in (0..3_000).step_by(11) {
            assert!(table.offer(&mut late, &mut view, &[rank + 5_000], rank));
        }
        exchange.take(workers as usize, &mut late);
        let range = table.settle(&exchange, &parents).unwrap();
        let found: Vec<_> =
            range.map(|id| (words(&table, id)[0], table.parent(StateId(id)))).collect();
        assert!(found.len() > 5_000);
        // Rank 0 leads to 0, 40, 160, ..., and late to 5000.
        assert_eq!(
            found[..6].iter().map(|f| f.0).collect::<Vec<_>>(),
            [0, 40, 160, 360, 640, 5_000]
        );
        assert!(found.windows(2).all(|two| two[0].1 <= two[1].1));
        assert_eq!(*seen.get_or_insert_with(|| found.clone()), found);
    }
}

#[test]
fn a_crowded_batch_keeps_what_is_new() {
    let table = Table::new(1);
    wave(&table, &[&[(0, &[4]), (0, &[5])]], None, 1);
    let (mut batch, mut view) = (Batch::new(1), table.view());
    for (rank, word) in [(0, 4), (1, 6), (1, 7), (2, 6), (3, 8), (3, 5)] {
        assert!(table.offer(&mut batch, &mut view, &[word], rank));
    }
    table.reader().thin(&mut batch);
    let left: Vec<_> = batch.buckets[0].candidates.iter().map(|c| (c.key, c.rank)).collect();
    assert_eq!(left, [(6, 1), (7, 1), (8, 3)]);
    let parents: Vec<StateId> = (0..4).map(StateId).collect();
    assert_eq!(table.alone().settle(&mut batch, Some(&parents)), Some(2..5));
    assert_eq!(table.parent(StateId(4)), Some(StateId(3)));
}

#[test]
fn numbers_of_a_wave_fit_the_index_of_every_shard() {
    // Waves in which most states are new, across sizes at which numbers take one more bit.
    let root = [StateId(0)];
    for (size, parts) in [(3_000u32, 1), (7_000, 2), (20_000, 8), (60_000, 64)] {
        let table = Table::new(1);
        for start in (0..300_000).step_by(size as usize) {
            let states: Vec<[u32; 1]> = (start..start + size).map(|n| [n]).collect();
            let part: Vec<(u32, &[u32])> = states.iter().map(|s| (0, s.as_slice())).collect();
            assert_eq!(wave(&table, &[&part], Some(&root), parts), start..start + size);
        }
        for start in (0..300_000).step_by(size as usize) {
            let states: Vec<[u32; 1]> = (start..start + size).map(|n| [n]).collect();
            let part: Vec<(u32, &[u32])> = states.iter().map(|s| (0, s.as_slice())).collect();
            assert!(wave(&table, &[&part], Some(&root), parts).is_empty(), "{size} {start}");
        }
    }
}
