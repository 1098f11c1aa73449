//! Graphs for tests: a system in a few lines, with two functions in place of a model.

use beeline_transition::{
    Answer, Ask, At, Check, ConjunctId, ConstantsRef, Flow, Label, OperationIndex, PredId, RowRef,
    Setup, Signature, TransitionSystem, Truth,
};

/// The constants and the state that a function looks at.
pub type Seen<'a> = (ConstantsRef<'a>, RowRef<'a>);

/// A graph over rows of numbers.
pub struct Graph {
    pub signature: Signature,
    /// Valuations of the constants.
    pub setups: Vec<Vec<u32>>,
    pub initial: Vec<Vec<u32>>,
    /// Which operation leads where.
    pub next: fn(Seen<'_>) -> Vec<(usize, Vec<u32>)>,
    /// Does the predicate of a number hold?
    pub holds: fn(usize, Seen<'_>) -> bool,
}

impl Graph {
    /// One variable, one operation, no constants, no checks.
    pub fn new(initial: &[u32], next: fn(Seen<'_>) -> Vec<(usize, Vec<u32>)>) -> Graph {
        let slots: Vec<usize> = (0..initial.len()).collect();
        let label = Label { name: "next".to_owned(), reads: slots.clone(), writes: slots };
        let variables = initial.len();
        Graph {
            signature: Signature { variables, operations: vec![label], ..Signature::default() },
            setups: vec![Vec::new()],
            initial: vec![initial.to_vec()],
            next,
            holds: |_, _| true,
        }
    }

    /// With more operations: which variables each looks at and changes.
    pub fn with_operations(mut self, slots: &[&[usize]]) -> Graph {
        let label = |slots: &&[usize]| Label {
            name: format!("{slots:?}"),
            reads: slots.to_vec(),
            writes: slots.to_vec(),
        };
        self.signature.operations = slots.iter().map(label).collect();
        self
    }

    /// With checks, each of which reads some variables.
    pub fn with_checks(mut self, reads: &[&[usize]], holds: fn(usize, Seen<'_>) -> bool) -> Graph {
        let check = |(number, reads): (usize, &&[usize])| Check {
            id: ConjunctId::Invariant(number as u32),
            pred: PredId(number),
            label: None,
            span: beeline_source::Span::NONE,
            reads: reads.to_vec(),
            only_types: false,
            constant: false,
        };
        self.signature.invariants = reads.iter().enumerate().map(check).collect();
        self.holds = holds;
        self
    }
}

impl TransitionSystem for Graph {
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
        Answer::of_each(self.initial.iter(), |row| sink(RowRef(row)))
    }

    fn successors(
        &self,
        at: At<'_>,
        _: &mut (),
        _: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let steps = (self.next)((at.constants(), at.row));
        Answer::of_each(steps, |(operation, target)| {
            sink(OperationIndex(operation), RowRef(&target))
        })
    }

    fn setups(
        &self,
        skipped: u64,
        _: u64,
        _: &mut (),
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        let more = self.setups.iter().skip(skipped as usize);
        (Answer::of_each(more, |constants| sink(ConstantsRef(constants))), false)
    }

    fn holds_each(
        &self,
        preds: &[PredId],
        at: At<'_>,
        _: &mut (),
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        for (i, pred) in preds.iter().enumerate() {
            let holds = (self.holds)(pred.0, (at.constants(), at.row));
            sink(i, if holds { Truth::True } else { Truth::False });
        }
    }
}
