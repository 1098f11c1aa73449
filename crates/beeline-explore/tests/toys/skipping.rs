//! Operations that are known to be disabled.

use crate::graph::Graph;
use beeline_explore::{Exploration, Influence, Job, Options, Order, Skip, explore};
use beeline_transition::OperationIndex;

/// Two counters up to 2, each with an operation of its own: nine states.
fn small() -> Graph {
    let up = |(_, row): crate::graph::Seen<'_>| {
        let slots = (0..2).filter(|slot| row[*slot] < 2);
        let step = |slot: usize| {
            let mut target = row.words().to_vec();
            target[slot] += 1;
            (slot, target)
        };
        slots.map(step).collect()
    };
    Graph::new(&[0, 0], up).with_operations(&[&[0], &[1]])
}

/// One variable; an even number goes up by the first operation, an odd one by the second, up to 8.
fn steps() -> Graph {
    let up = |(_, row): crate::graph::Seen<'_>| match row[0] {
        n if n < 8 => vec![(n as usize % 2, vec![n + 1])],
        _ => vec![],
    };
    Graph::new(&[0], up).with_operations(&[&[0], &[0]])
}

fn options(skip: Skip) -> Options {
    Options { all: true, stats: true, skip, threads: 1, ..Options::default() }
}

fn guards(found: &Exploration) -> (u64, u64) {
    (found.counts.guard_evaluations, found.counts.guard_evaluations_known)
}

fn run(graph: &mut Graph, options: &Options, influence: &Influence) -> Exploration {
    let influence = || influence.clone();
    explore(graph, &Job { influence: &influence, ..Job::new(options) })
}

#[test]
fn what_is_disabled_stays_so_until_something_it_reads_is_written() {
    // Of (2,1) and (2,2) it is known that the first counter is at its end, of (1,2) and (2,2) that the
    // second is. Of (2,0) and (0,2) it must be found out.
    for threads in [1, 3] {
        for name in ["bf", "df", "random"] {
            let order = Order::by_name(name).unwrap();
            let with = |skip| Options { threads, order, ..options(skip) };
            let off = explore(&mut small(), &Job::new(&with(Skip::Off)));
            assert_eq!((guards(&off), off.findings.len()), ((18, 0), 1));
            for skip in [Skip::On, Skip::Auto] {
                let on = explore(&mut small(), &Job::new(&with(skip)));
                assert_eq!(crate::figures(&on), crate::figures(&off), "{name}");
                let (made, known) = guards(&on);
                assert_eq!(made + known, 18);
                // Another order may expand a state before the step that would tell.
                assert!(name != "bf" || known == 4, "{known}");
            }
            let audit = explore(&mut small(), &Job::new(&with(Skip::Audit)));
            assert_eq!(guards(&audit).0, 18);
            assert!(audit.wrong_skips.is_empty());
        }
    }
}

#[test]
fn what_is_proved_is_believed_and_an_audit_tells_where_it_is_wrong() {
    let [first, second] = [OperationIndex(0), OperationIndex(1)];
    let right = Influence {
        disables: vec![(Some(first), first), (Some(second), second), (None, second)],
        ..Influence::default()
    };
    let off = run(&mut steps(), &options(Skip::Off), &right);
    let on = run(&mut steps(), &options(Skip::On), &right);
    assert_eq!((guards(&off), guards(&on)), ((18, 0), (9, 9)));
    assert_eq!(crate::figures(&on), crate::figures(&off));
    let wrong = Influence { disables: vec![(Some(first), second)], ..Influence::default() };
    let audit = run(&mut steps(), &options(Skip::Audit), &wrong);
    assert_eq!(crate::figures(&audit), crate::figures(&off));
    let told: Vec<_> =
        audit.wrong_skips.iter().map(|w| (w.operation, w.is_enabled, w.after, w.steps)).collect();
    assert_eq!(told, [(second, true, Some(first), 1)]);
}

#[test]
fn what_leans_on_the_invariant_is_no_use_where_it_does_not_hold() {
    let [first, second] = [OperationIndex(0), OperationIndex(1)];
    let claims = Influence {
        disables: vec![(Some(first), first), (Some(second), second)],
        ..Influence::default()
    };
    // From 3 on it is violated: of the states that come from 0, 1 and 2 something is known.
    let wrong = || steps().with_checks(&[&[0]], |_, (_, row)| row[0] < 3);
    assert_eq!(guards(&run(&mut wrong(), &options(Skip::On), &claims)), (15, 3));
    // Not checked at all: nothing is known anywhere.
    let mut unchecked = options(Skip::On);
    unchecked.checks.invariants = false;
    assert_eq!(guards(&run(&mut wrong(), &unchecked, &claims)), (18, 0));
}

#[test]
fn more_operations_than_bits() {
    // A hundred counters up to 1; the states with one or two of them up.
    let up = |(_, row): crate::graph::Seen<'_>| {
        let sum: u32 = row.iter().sum();
        let slots = (0..100).filter(|slot| row[*slot] == 0 && sum < 2);
        let step = |slot: usize| {
            let mut target = row.words().to_vec();
            target[slot] = 1;
            (slot, target)
        };
        slots.map(step).collect()
    };
    let slots: Vec<Vec<usize>> = (0..100).map(|_| (0..100).collect()).collect();
    let slots: Vec<&[usize]> = slots.iter().map(Vec::as_slice).collect();
    let graph = || Graph::new(&[0; 100], up).with_operations(&slots);
    let all = (0..100).map(OperationIndex);
    let own = Influence { disables: all.map(|o| (Some(o), o)).collect(), ..Influence::default() };
    let off = run(&mut graph(), &options(Skip::Off), &own);
    let on = run(&mut graph(), &options(Skip::On), &own);
    assert_eq!(crate::figures(&on), crate::figures(&off));
    assert_eq!(off.counts.states(), 1 + 100 + 100 * 99 / 2);
    // Operations from the 65th on have no bit. Each step tells of one operation: a state with one counter
    // up is entered by one, one with two by two.
    let known = 64 + (64 * 63 / 2) * 2 + 64 * 36;
    assert_eq!(guards(&on), (guards(&off).0 - known, known));
}
