//! Graphs that are no models: what may wait, and what must not, is known by heart.

#![allow(clippy::unwrap_used)]

use beeline_explore::{Exploration, FindingKind, Job, Options, Order, explore};
use beeline_por::{Behaviour, Guard, PartialOrder, Property, Relations, Set, Tallied, choices};
use beeline_source::Span;
use beeline_transition::{
    Answer, Ask, At, Check, ConjunctId, Flow, Label, OperationIndex, PredId, RowRef, Setup,
    Signature, TransitionSystem, Truth,
};

/// Counters side by side, each with an operation of its own: up to a bound, or round and round.
struct Counters {
    signature: Signature,
    /// The bound of each, and whether it begins anew there.
    bounds: Vec<(u32, bool)>,
    /// The conjunct is false where this counter has this value.
    wrong: (usize, u32),
}

impl Counters {
    fn new(bounds: &[(u32, bool)], wrong: (usize, u32)) -> Counters {
        let label = |i| Label { name: format!("up{i}"), reads: vec![i], writes: vec![i] };
        let check = Check {
            id: ConjunctId::Invariant(0),
            pred: PredId(0),
            label: None,
            span: Span::NONE,
            reads: vec![wrong.0],
            only_types: false,
            constant: false,
        };
        let signature = Signature {
            variables: bounds.len(),
            operations: (0..bounds.len()).map(label).collect(),
            invariants: vec![check],
            ..Signature::default()
        };
        Counters { signature, bounds: bounds.to_vec(), wrong }
    }

    /// No counter has to do with another.
    fn relations(&self, deadlock: bool) -> Relations {
        let count = self.bounds.len();
        let own = |i| Behaviour { enablers: Set::of(count, [i]), ..Behaviour::default() };
        let watched = Property { guards: Vec::new(), enablers: Set::of(count, [self.wrong.0]) };
        Relations {
            operations: (0..count).map(own).collect(),
            conditions: 0,
            properties: vec![watched],
            deadlock,
        }
    }
}

impl TransitionSystem for Counters {
    type Scratch = ();

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn scratch(&self) {}

    fn initial(
        &self,
        _: Setup<'_>,
        _: &mut (),
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        Answer::of(sink(RowRef(&vec![0; self.bounds.len()])))
    }

    fn successors(
        &self,
        at: At<'_>,
        _: &mut (),
        _: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let mut steps = Vec::new();
        for (i, (bound, round)) in self.bounds.iter().enumerate() {
            let mut row = at.row.words().to_vec();
            row[i] = if row[i] < *bound { row[i] + 1 } else { 0 };
            if row[i] > 0 || *round {
                steps.push((i, row));
            }
        }
        Answer::of_each(steps, |(i, row)| sink(OperationIndex(i), RowRef(&row)))
    }

    fn holds_each(
        &self,
        preds: &[PredId],
        at: At<'_>,
        _: &mut (),
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let (counter, value) = self.wrong;
        let truth = if at.row[counter] == value { Truth::False } else { Truth::True };
        (0..preds.len()).for_each(|i| sink(i, truth.clone()));
    }
}

fn orders() -> Vec<Order> {
    let names = Order::names().into_iter().filter(|n| *n != "mixed:P");
    let all = names.map(|name| Order::by_name(name).unwrap());
    all.filter(|o| !matches!(o, Order::Portfolio)).collect()
}

fn explored(of: &Counters, relations: &Relations, options: &Options) -> (Exploration, u64) {
    let (bounds, wrong) = (of.bounds.clone(), of.wrong);
    let tally = Tallied::default();
    let inner = Counters::new(&bounds, wrong);
    let mut system = PartialOrder::new(inner, relations, &[], &tally);
    let found = explore(&mut system, &Job::new(options));
    (found, tally.steps.into_inner())
}

fn kinds(found: &Exploration) -> Vec<(bool, usize)> {
    let of = |kind: &FindingKind| matches!(kind, FindingKind::Deadlock);
    let mut all: Vec<_> =
        found.findings.iter().map(|f| (of(&f.kind), f.path.steps.len())).collect();
    all.sort_unstable();
    all
}

/// The counter that is watched is not the one that goes round and round: whoever only follows the round one
/// sees everything in it again and again, and never what is wrong.
#[test]
fn nobody_is_ignored_for_ever_in_any_order() {
    for order in orders() {
        for threads in [1, 3] {
            for (rounds, watched) in [(0, 1), (1, 0)] {
                let mut bounds = [(5, false), (5, false), (40, false)];
                bounds[rounds] = (3, true);
                let counters = Counters::new(&bounds, (watched, 5));
                let options = Options { all: true, order, threads, ..Options::default() };
                let (found, left) = explored(&counters, &counters.relations(true), &options);
                let depths: Vec<bool> = kinds(&found).iter().map(|k| k.0).collect();
                assert_eq!(depths, [false], "{order:?} {threads}");
                assert!(left > 0 && found.counts.states() < 100, "{}", found.counts.states());
            }
        }
    }
}

/// A deadlock at the end of all of them: one way there is enough, and it is as short as any.
#[test]
fn a_deadlock_is_found_on_one_of_many_ways_and_none_is_shorter() {
    let counters = Counters::new(&[(7, false), (7, false), (7, false)], (0, 7));
    for order in orders() {
        let options = Options { all: true, order, threads: 1, ..Options::default() };
        let (found, _) = explored(&counters, &counters.relations(true), &options);
        assert_eq!(kinds(&found), [(false, 7), (true, 21)], "{order:?}");
        assert_eq!(found.counts.states(), 22);
    }
}

/// Without deadlocks to look for, only what can go wrong is followed.
#[test]
fn what_nobody_asks_for_is_not_followed() {
    let counters = Counters::new(&[(7, true), (7, false), (7, true)], (1, 7));
    let checks = beeline_explore::Checks { deadlock: false, ..Default::default() };
    let options = Options { all: true, checks, threads: 1, ..Options::default() };
    let (found, _) = explored(&counters, &counters.relations(false), &options);
    assert_eq!((found.counts.states(), kinds(&found)), (8, vec![(false, 7)]));
}

/// The search finds as much with one thread as with many, and in any order.
#[test]
fn what_is_left_out_depends_on_the_state_alone() {
    let counters = Counters::new(&[(4, true), (9, false), (6, true), (5, false)], (1, 9));
    let mut relations = counters.relations(true);
    relations.operations[0].conflicts.add(2);
    relations.operations[2].conflicts.add(0);
    let mut seen = Vec::new();
    for order in orders() {
        for threads in [1, 2, 4] {
            let options = Options { all: true, order, threads, ..Options::default() };
            let (found, left) = explored(&counters, &relations, &options);
            seen.push((found.counts.states(), found.counts.transitions, left));
        }
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "{seen:?}");
}

#[test]
fn a_set_has_what_does_not_accord_and_what_must_act_before() {
    let count = 5;
    let set = |list: &[usize]| Set::of(count, list.iter().copied());
    let operation = |conflicts: &[usize], enablers: &[usize]| Behaviour {
        guards: Vec::new(),
        enablers: set(enablers),
        conflicts: set(conflicts),
        may_fail: false,
    };
    let mut relations = Relations {
        // 0 does not accord with 1, which is not live and waits for 2 or 3; 4 stands aside.
        operations: vec![
            operation(&[1], &[]),
            operation(&[0], &[2, 3]),
            operation(&[], &[]),
            operation(&[], &[]),
            operation(&[], &[]),
        ],
        conditions: 1,
        properties: Vec::new(),
        deadlock: true,
    };
    let live = set(&[0, 2, 3, 4]);
    let of = |relations: &Relations, truth: &[Option<bool>]| -> Vec<Vec<usize>> {
        let found = choices(relations, &live, truth).0;
        found.iter().map(|s| s.iter().collect()).collect()
    };
    assert_eq!(of(&relations, &[None]), [vec![0, 2, 3], vec![2], vec![3], vec![4]]);
    // A condition that is false, and that only 3 makes true: then 2 need not act first.
    let guard = Guard { condition: 0, wanted: true, enablers: set(&[3]) };
    relations.operations[1].guards = vec![guard];
    assert_eq!(of(&relations, &[Some(false)]), [vec![0, 3], vec![2], vec![3], vec![4]]);
    assert_eq!(of(&relations, &[Some(true)])[0], [0, 2, 3]);
    // What may fail is always tried, and what must not be missed is always under way.
    relations.operations[4].may_fail = true;
    assert_eq!(of(&relations, &[None]), [[4]]);
    relations.properties = vec![Property { guards: Vec::new(), enablers: set(&[0]) }];
    assert_eq!(of(&relations, &[Some(false)]), [[0, 3, 4]]);
}
