//! The explorer on graphs that are no models: what is counted, found and left out is known by heart.

#![allow(clippy::unwrap_used)]

mod graph;
mod skipping;
mod wrappers;

use beeline_explore::{
    Checkpoint, Exploration, FindingKind, First, Job, Limits, Options, Order, Proof, Spill, explore,
};
use beeline_transition::{ConjunctId, CutReason, OperationIndex, PredId, State, StateRef};
use graph::Graph;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A ring of a thousand states: one deep path, which never ends.
fn ring() -> Graph {
    Graph::new(&[0], |(_, row)| vec![(0, vec![(row[0] + 1) % 1000])])
}

/// A tree of 2^12 - 1 states, as wide as it is deep is not; its leaves are deadlocks.
fn tree() -> Graph {
    let children = |(_, row): graph::Seen<'_>| match row[0] {
        inner if inner < (1 << 11) - 1 => vec![(0, vec![2 * inner + 1]), (1, vec![2 * inner + 2])],
        _ => vec![],
    };
    Graph::new(&[0], children).with_operations(&[&[0], &[0]])
}

/// Two counters up to 30: 961 states, a deadlock 60 steps away, and a sum that is wrong from 40 on.
fn counters() -> Graph {
    let up = |(_, row): graph::Seen<'_>| {
        let mut steps = Vec::new();
        for slot in 0..2 {
            if row[slot] < 30 {
                let mut target = row.words().to_vec();
                target[slot] += 1;
                steps.push((slot, target));
            }
        }
        steps
    };
    Graph::new(&[0, 0], up)
        .with_operations(&[&[0], &[1]])
        .with_checks(&[&[0], &[0, 1]], |check, (_, row)| check == 0 || row[0] + row[1] < 40)
}

/// Rings of three sizes: the size is a constant.
fn rings() -> Graph {
    let next = |(constants, row): graph::Seen<'_>| vec![(0, vec![(row[0] + 1) % constants[0]])];
    let mut rings = Graph::new(&[0], next);
    (rings.signature.constants, rings.signature.has_setup) = (1, true);
    rings.setups = vec![vec![5], vec![70], vec![300]];
    rings
}

fn run(graph: &mut Graph, options: &Options) -> Exploration {
    explore(graph, &Job::new(options))
}

fn all(threads: usize) -> Options {
    Options { all: true, stats: true, threads, ..Options::default() }
}

fn orders() -> Vec<Order> {
    let names = Order::names().into_iter().filter(|n| *n != "mixed:P");
    names.map(|name| Order::by_name(name).unwrap()).collect()
}

fn figures(found: &Exploration) -> (u64, u64, usize, Option<u64>) {
    let checksum = found.stats.as_ref().and_then(|stats| stats.checksum);
    (found.counts.states(), found.counts.transitions, found.findings.len(), checksum)
}

#[test]
fn every_order_and_number_of_threads_finds_all() {
    type Toy = (&'static str, fn() -> Graph, (u64, u64, usize));
    let toys: [Toy; 4] = [
        ("ring", ring, (1000, 1001, 0)),
        ("tree", tree, (4095, 4095, 1)),
        ("counters", counters, (961, 2 * 30 * 31 + 1, 2)),
        ("rings", rings, (3 + 375, 3 + 3 + 375, 0)),
    ];
    for (name, toy, (states, transitions, findings)) in toys {
        let known = figures(&run(&mut toy(), &all(1)));
        assert_eq!((known.0, known.1, known.2), (states, transitions, findings), "{name}");
        for order in orders() {
            for threads in [1, 3] {
                let found = run(&mut toy(), &Options { order, ..all(threads) });
                assert_eq!(figures(&found), known, "{name} {order} {threads}");
                assert!(found.is_complete(), "{name} {order} {threads}");
            }
        }
    }
}

#[test]
fn findings_have_shortest_paths() {
    let found = run(&mut counters(), &all(1));
    let told: Vec<_> = found.findings.iter().map(|f| (&f.kind, f.path.steps.len())).collect();
    let violated = FindingKind::Violated(ConjunctId::Invariant(1));
    assert_eq!(told, [(&violated, 40), (&FindingKind::Deadlock, 60)]);
    let path = &found.findings[0].path;
    let ends = (path.initial.as_ref().map(State::view), path.last());
    assert_eq!(ends, (Some(StateRef(&[0, 0])), Some(StateRef(&[30, 10]))));
    for (before, after) in path.steps.iter().zip(&path.steps[1..]) {
        let OperationIndex(slot) = after.operation;
        assert_eq!(after.target.0[slot], before.target.0[slot] + 1);
    }
    // The first check looks at the first counter alone: the second operation cannot change it.
    let eager = run(&mut counters(), &Options { proof: Proof::Off, ..all(1) });
    assert_eq!(eager.counts.invariant_evaluations, 2 * 961);
    assert!(found.counts.invariant_evaluations < 2 * 961);
    assert!(run(&mut counters(), &Options { all: false, ..all(3) }).stopped_at_finding);
}

#[test]
fn a_goal_is_looked_for() {
    let mut ring = ring();
    ring.signature.goal = Some(PredId(0));
    ring.holds = |_, (_, row)| row[0] == 77;
    let found = run(&mut ring, &Options::default());
    assert_eq!(
        (&found.findings[0].kind, found.findings[0].path.steps.len()),
        (&FindingKind::Goal, 77)
    );
}

#[test]
fn a_check_that_nobody_can_evaluate_is_a_cut() {
    // A wrapper, or a toy, that was not taught to evaluate: the default says so.
    let mut ring = wrappers::Mute(ring().with_checks(&[&[0]], |_, _| true));
    let found = explore(&mut ring, &Job::new(&all(1)));
    assert!(found.cuts.has(CutReason::Unsupported) && !found.is_complete());
}

#[test]
fn limits_are_cuts() {
    let cut = |limits: Limits| run(&mut tree(), &Options { limits, ..all(1) });
    let found = cut(Limits { states: Some(100), ..Limits::default() });
    assert!(found.cuts.has(CutReason::States) && found.counts.states() < 400);
    let found = cut(Limits { depth: Some(5), ..Limits::default() });
    assert!(found.cuts.has(CutReason::Depth) && found.counts.states() == 63);
    let found = cut(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert!(found.cuts.has(CutReason::Time));
    let found = cut(Limits { memory_bytes: Some(1), ..Limits::default() });
    assert!(found.cuts.has(CutReason::Memory) && !found.is_complete());
}

#[test]
fn states_on_disk_change_nothing() {
    // Narrow levels are taken many at a time, before anybody looks at memory: rings stay in it.
    for (toy, moves) in
        [(ring as fn() -> Graph, false), (tree, true), (counters, true), (rings, false)]
    {
        let known = figures(&run(&mut toy(), &all(1)));
        for threads in [1, 3] {
            let spill = Spill { after_states: Some(100), ..Spill::default() };
            let found = run(&mut toy(), &Options { spill, ..all(threads) });
            assert_eq!(figures(&found), known);
            assert!(found.is_complete() && (found.stats.unwrap().disk > 0 || !moves));
        }
    }
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    for (name, toy) in [("ring", ring as fn() -> Graph), ("tree", tree), ("counters", counters)] {
        let path = std::env::temp_dir().join(format!("beeline-toy-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        let saved = |resume, states| {
            let checkpoint = Checkpoint {
                folder: path.clone(),
                every: Duration::ZERO,
                resume,
                identity: [1; 32],
            };
            let limits = Limits { states, ..Limits::default() };
            run(&mut toy(), &Options { checkpoint: Some(checkpoint), limits, ..all(1) })
        };
        let cut = saved(false, Some(300));
        assert!(cut.cuts.has(CutReason::States) && cut.counts.states() < 900, "{name}");
        let whole = saved(true, None);
        assert_eq!((whole.refused.is_none(), whole.resumed.is_some()), (true, true), "{name}");
        assert_eq!(figures(&whole), figures(&run(&mut toy(), &all(1))), "{name}");
        assert!(whole.is_complete());
        std::fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
fn steps_may_come_in_another_order_when_a_state_is_gone_on_with() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    // A root with fifty children, which come in another order each time that somebody asks.
    let mut star = Graph::new(&[0], |(_, row)| match row[0] {
        0 => {
            let first = 17 * CALLS.fetch_add(1, Ordering::Relaxed);
            (0..50).map(|child| (0, vec![1 + (first + child) % 50])).collect()
        }
        _ => vec![],
    });
    let options = Options { first: First { setups: 2, initial: 2, steps: 2 }, ..all(1) };
    let found = run(&mut star, &options);
    assert_eq!((found.counts.states(), found.counts.transitions), (51, 51));
    assert!(CALLS.load(Ordering::Relaxed) > 2, "the root was expanded in several goes");
}

#[test]
fn a_lost_worker_is_a_cut() {
    let next = |(_, row): graph::Seen<'_>| {
        assert_ne!(row[0], 500, "as the test wants it");
        vec![(0, vec![(row[0] + 1) % 1000])]
    };
    for threads in [1, 3] {
        let mut ring = Graph::new(&[0], next);
        ring.initial = (0..1000).map(|n| vec![n]).collect();
        let found = run(&mut ring, &all(threads));
        assert!(found.cuts.has(CutReason::WorkerLost) && !found.is_complete());
    }
}
