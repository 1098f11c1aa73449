//! The product: states of the refinement, each with the set of abstract states that match.
//!
//! A row is a state of the pair ([`crate::pair`]): the refinement's variables, nothing in those of the
//! abstraction, and in the last one the set of candidates as a value of the store. So rows are compared,
//! saved and hashed as those of any model are.

use crate::Options;
use crate::both::Both;
use crate::expand::{Parts, Wanted};
use crate::levels::Levels;
use crate::pair::Matched;
use beeline_compile::System;
use beeline_pack::{PackedScratch, PackedSystem};
use beeline_transition::{
    Answer, Ask, At, ConstantsRef, Cut, Flow, Hearer, Label, OperationIndex, Row, RowRef, Setup,
    Setups, Signature, State, StateRef, Step, TransitionSystem, Translate,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The refinement together with sets of matching abstract states.
pub struct Product<'a> {
    both: Both<'a>,
    rows: PackedSystem<'a>,
    signature: Signature,
}

/// What a worker needs for itself.
pub struct ProductScratch {
    rows: PackedScratch,
    parts: Parts,
}

impl<'a> Product<'a> {
    pub(crate) fn new(
        system: &'a System,
        levels: &'a Levels,
        options: Options,
        (operations, begin): (&'a [Matched], usize),
        (concrete, kept): (usize, &'a [Option<usize>]),
    ) -> Product<'a> {
        let own = system.signature();
        let all: Vec<usize> = (0..own.variables).collect();
        let label =
            |name: &String| Label { name: name.clone(), reads: all.clone(), writes: all.clone() };
        let names = own.operations.iter().take(operations.len()).map(|l| label(&l.name));
        let signature = Signature {
            variables: own.variables,
            constants: own.constants,
            has_setup: own.has_setup,
            operations: names.collect(),
            ..Signature::default()
        };
        let glue = own.invariants.iter().map(|c| (c.pred, c.reads.clone())).collect();
        let unlabelled = operations.iter().filter(|m| !m.labelled).filter_map(|m| m.step).collect();
        let both =
            Both { system, levels, options, operations, begin, concrete, kept, glue, unlabelled };
        Product { both, rows: PackedSystem::general(system), signature }
    }
}

impl TransitionSystem for Product<'_> {
    type Scratch = ProductScratch;

    /// An operation without a step may owe one as soon as the abstraction is somewhere else.
    fn keeps_operations(&self) -> bool {
        false
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn scratch(&self) -> ProductScratch {
        ProductScratch { rows: self.rows.scratch(), parts: Parts::new(self.both.system) }
    }

    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut ProductScratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        let ProductScratch { rows, parts } = scratch;
        self.both.begin_states(setup.constants(), parts, &mut |state| {
            self.rows.pack(state, rows).map_or(Flow::More, |row| sink(row.view()))
        })
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut ProductScratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let ProductScratch { rows, parts } = scratch;
        let state = self.rows.unpack(at.row, rows);
        let mut done = |operation| {
            if let Some(done) = &mut ask.done {
                done(operation);
            }
        };
        let wanted = Wanted { only: None, done: &mut done };
        self.both.expand((at.constants(), state.view()), parts, wanted, &mut |step| {
            self.rows
                .pack(step.target, rows)
                .map_or(Flow::More, |row| sink(step.operation, row.view()))
        })
    }

    fn setups(
        &self,
        skipped: u64,
        patience: u64,
        scratch: &mut ProductScratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        self.rows.setups(skipped, patience, &mut scratch.rows, sink)
    }

    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        self.rows.begin(setups, widened);
    }

    fn overflowed(&self) -> Option<usize> {
        self.rows.overflowed()
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        self.rows.interrupt()
    }

    fn limit_memory(&self, bytes: Option<u64>) {
        self.rows.limit_memory(bytes);
    }

    fn width(&self) -> usize {
        self.rows.width()
    }

    fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        self.rows.mask(variables)
    }

    fn layout_number(&self) -> u64 {
        self.rows.layout_number()
    }

    fn unpack(&self, row: RowRef<'_>, scratch: &mut ProductScratch) -> State {
        self.rows.unpack(row, &mut scratch.rows)
    }

    fn pack(&self, state: StateRef<'_>, scratch: &mut ProductScratch) -> Option<Row> {
        self.rows.pack(state, &mut scratch.rows)
    }

    fn translator(&self) -> Box<dyn Translate + '_> {
        self.rows.translator()
    }

    fn initial_states(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut ProductScratch,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        self.both.begin_states(constants, &mut scratch.parts, sink)
    }

    fn steps(
        &self,
        from: (ConstantsRef<'_>, StateRef<'_>),
        only: Option<OperationIndex>,
        scratch: &mut ProductScratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let wanted = Wanted { only, done: &mut |_| {} };
        self.both.expand(from, &mut scratch.parts, wanted, sink)
    }

    fn hash(&self, at: At<'_>, scratch: &mut ProductScratch) -> u64 {
        self.rows.hash(at, &mut scratch.rows)
    }

    fn digest_of_constants(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut ProductScratch,
    ) -> u64 {
        self.rows.digest_of_constants(constants, &mut scratch.rows)
    }

    fn digest_of_row(&self, seed: u64, row: RowRef<'_>, scratch: &mut ProductScratch) -> u64 {
        self.rows.digest_of_row(seed, row, &mut scratch.rows)
    }

    fn unlisted(&self, scratch: &mut ProductScratch) -> u64 {
        self.rows.unlisted(&mut scratch.rows)
    }

    fn doubt(&self, each: &mut dyn FnMut(&mut Hearer<'_>)) -> Option<Cut> {
        self.rows.doubt(each)
    }

    fn values(&self) -> (usize, usize) {
        self.rows.values()
    }
}
