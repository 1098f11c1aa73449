//! Systems around others: what stands between a system and the search.

use crate::graph::Graph;
use beeline_explore::{Job, Options, explore};
use beeline_transition::{
    Answer, Ask, At, Flow, InnerScratch, Look, OperationIndex, Reducer, RowMut, RowRef, Setup,
    SetupIndex, Signature, TransitionSystem, Wrap,
};
use std::sync::atomic::{AtomicU64, Ordering};

// ANCHOR: count
/// Counts the successors that a search asks for.
struct CountSuccessors<S> {
    inner: S,
    count: AtomicU64,
}

impl<S: TransitionSystem> Wrap for CountSuccessors<S> {
    type Inner = S;
    type Scratch = S::Scratch;

    fn inner(&self) -> &S {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    fn scratch(&self) -> S::Scratch {
        self.inner.scratch()
    }

    fn scratch_of(scratch: &mut S::Scratch) -> &mut InnerScratch<Self> {
        scratch
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut S::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let mut count = 0;
        let answer = self.inner.successors(at, scratch, ask, &mut |operation, row| {
            count += 1;
            sink(operation, row)
        });
        self.count.fetch_add(count, Ordering::Relaxed);
        answer
    }
}
// ANCHOR_END: count

#[test]
fn a_wrapper_counts_successors() {
    for threads in [1, 3] {
        let mut counted = CountSuccessors { inner: crate::counters(), count: AtomicU64::new(0) };
        let options = Options { all: true, threads, ..Options::default() };
        let found = explore(&mut counted, &Job::new(&options));
        assert!(found.counts.states() == 961 && found.is_complete());
        // It may leave out steps, as far as anybody knows: no operation passes for disabled because of that.
        assert_eq!(found.counts.guard_evaluations_known, 0);
        // The step to the initial state is not one of them.
        assert_eq!(counted.count.into_inner(), found.counts.transitions - 1);
    }
}

/// A reduction: the two counters of a state may change places.
struct Swapped(Graph);

struct Sorted;

impl Reducer for Sorted {
    fn look(&mut self, _: SetupIndex, RowMut(row): RowMut<'_>) -> Look {
        row.sort_unstable();
        Look::Insert
    }
}

impl Wrap for Swapped {
    type Inner = Graph;
    type Scratch = ();

    fn inner(&self) -> &Graph {
        &self.0
    }

    fn inner_mut(&mut self) -> &mut Graph {
        &mut self.0
    }

    fn scratch(&self) {}

    fn scratch_of(scratch: &mut ()) -> &mut () {
        scratch
    }

    fn reduces(&self) -> bool {
        true
    }

    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        Some(Box::new(Sorted))
    }
}

#[test]
fn reductions_are_wrappers_and_compose() {
    for threads in [1, 3] {
        let inner = Swapped(crate::counters());
        let mut counted = CountSuccessors { inner, count: AtomicU64::new(0) };
        let options = Options { all: true, threads, ..Options::default() };
        let found = explore(&mut counted, &Job::new(&options));
        // Pairs of numbers up to 30, without regard to order.
        assert_eq!((found.counts.states(), found.is_complete()), (31 * 32 / 2, true));
        assert_eq!(counted.count.into_inner(), found.counts.transitions - 1);
        // Paths are those of the system itself, state by state.
        let lengths: Vec<_> = found.findings.iter().map(|f| f.path.steps.len()).collect();
        assert_eq!(lengths, [40, 60]);
    }
}

/// A system that was not taught to evaluate its checks.
pub struct Mute(pub Graph);

impl TransitionSystem for Mute {
    type Scratch = ();

    fn signature(&self) -> &Signature {
        self.0.signature()
    }

    fn scratch(&self) {}

    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut (),
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        self.0.initial(setup, scratch, sink)
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut (),
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        self.0.successors(at, scratch, ask, sink)
    }
}
