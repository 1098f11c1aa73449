//! What a search asks, answered.

use super::{PackedScratch, PackedSystem};
use crate::memo::looks;
use crate::routine::Routine;
use crate::size;
use beeline_ir::Code;
use beeline_transition::{
    Answer, Ask, At, Change, ConstantsRef, Cut, Digit, Emitted, Flow, Hearer, Measure,
    OperationIndex, OperationSet, PredId, Row, RowMut, RowRef, Setup, SetupIndex, Setups,
    Signature, State, StateRef, Step, Steps, Tally, TransitionSystem, Translate, Truth, digest,
    mixed,
};
use beeline_value::{Incoming, Outgoing, Val};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

impl TransitionSystem for PackedSystem<'_> {
    type Scratch = PackedScratch;

    #[inline]
    fn signature(&self) -> &Signature {
        self.system.signature()
    }

    fn scratch(&self) -> PackedScratch {
        self.new_scratch()
    }

    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        self.initial_rows(setup, scratch, sink)
    }

    #[inline]
    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut PackedScratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        self.steps_of_row(at, scratch, ask, sink)
    }

    fn successors_of(
        &self,
        operation: OperationIndex,
        at: At<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        self.steps_of_operation(operation, at, scratch, sink)
    }

    fn setups(
        &self,
        skipped: u64,
        patience: u64,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        self.system.setups_after(skipped, patience, &mut scratch.general, sink)
    }

    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        self.lay_out(setups, widened);
    }

    #[inline]
    fn overflowed(&self) -> Option<usize> {
        self.overflow.load(Ordering::Relaxed).checked_sub(1)
    }

    fn forgive(&self) {
        self.overflow.store(0, Ordering::Relaxed);
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        self.system.interrupt().clone()
    }

    fn limit_memory(&self, bytes: Option<u64>) {
        self.system.limit_memory(bytes);
    }

    #[inline]
    fn width(&self) -> usize {
        self.layout.halves
    }

    fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        self.layout.mask(variables)
    }

    fn digits(&self, variable: usize) -> Option<Vec<Digit>> {
        Some(self.layout.places.get(variable)?.digits())
    }

    fn looks(&self, operation: OperationIndex) -> Option<Vec<usize>> {
        looks(self.model?, self.system, operation)
    }

    fn code_of(&self, operation: OperationIndex, setup: SetupIndex) -> Option<Steps<'_>> {
        let routine = self.code(setup)?.operations.get(operation.0)?.as_ref()?;
        Some(Steps { code: routine.code(), repeats: routine.repeats() })
    }

    fn code_of_check(&self, pred: PredId, setup: SetupIndex) -> Option<&Code> {
        self.programs.get(setup)?.preds.get(&pred).map(Routine::code)
    }

    fn layout_number(&self) -> u64 {
        let text = format!("{:?}", self.layout);
        text.bytes()
            .fold(0xCBF2_9CE4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3))
    }

    fn unpack(&self, row: RowRef<'_>, scratch: &mut PackedScratch) -> State {
        self.unpacked(row, scratch)
    }

    fn pack(&self, state: StateRef<'_>, scratch: &mut PackedScratch) -> Option<Row> {
        let PackedScratch { words, row, encoded, .. } = scratch;
        self.close(state, words, encoded, row).then(|| row.clone())
    }

    fn translator(&self) -> Box<dyn Translate + '_> {
        Box::new(ByContent { engine: self, read: Incoming::default(), written: None })
    }

    #[inline]
    fn emitted<'m>(
        &'m self,
        at: At<'_>,
        disabled: OperationSet<'_>,
        scratch: &'m mut PackedScratch,
    ) -> Option<Emitted<'m>> {
        self.batch(at, disabled, scratch)
    }

    fn is_apart(&self, operation: OperationIndex) -> bool {
        // Code has guard and body in one.
        let is_code = match self.programs.first() {
            Some(program) => program.operations.get(operation.0).is_none_or(Option::is_some),
            None => !self.plain,
        };
        !is_code && self.system.is_apart(operation)
    }

    fn is_cheap(&self, operation: OperationIndex) -> bool {
        let Some(program) = self.programs.first() else { return false };
        let has_code = program.operations.get(operation.0).is_some_and(Option::is_some);
        // What is remembered is found as fast as a look at what is known of the state.
        let is_remembered = program.projections.get(operation.0).is_some_and(Option::is_some);
        has_code && self.compiler.is_some() || is_remembered
    }

    fn set_later(&self, scratch: &mut PackedScratch, later: &[u32]) {
        scratch.later.clear();
        scratch.later.extend_from_slice(later);
    }

    #[inline]
    fn holds_each(
        &self,
        preds: &[PredId],
        at: At<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        self.truths(preds, at, scratch, sink);
    }

    fn holds_within(
        &self,
        pred: PredId,
        at: At<'_>,
        scratch: &mut PackedScratch,
        steps: &mut u64,
    ) -> Truth {
        self.unpack_into(at.row, scratch);
        let PackedScratch { general, state, .. } = scratch;
        self.system.holds_within(pred, at.constants(), state.view(), general, steps)
    }

    fn holds_of_constants(
        &self,
        pred: PredId,
        constants: ConstantsRef<'_>,
        scratch: &mut PackedScratch,
    ) -> Truth {
        self.system.holds_of_constants(pred, constants, &mut scratch.general)
    }

    fn tally(&self, scratch: &mut PackedScratch) -> Tally {
        let remembered = self.memoised(scratch);
        Tally { remembered, left_out: scratch.general.take_left_out() }
    }

    fn initial_states(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        self.system.initial(constants, &mut scratch.general, sink)
    }

    fn steps(
        &self,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        only: Option<OperationIndex>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let general = &mut scratch.general;
        match only {
            Some(one) => self.system.successors_of(one, constants, state, general, sink),
            None => self.system.successors(constants, state, general, sink),
        }
    }

    fn holds(
        &self,
        pred: PredId,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        scratch: &mut PackedScratch,
    ) -> Truth {
        self.system.holds(pred, constants, state, &mut scratch.general)
    }

    fn measure(&self, by: Measure, at: At<'_>, scratch: &mut PackedScratch) -> i32 {
        self.unpack_into(at.row, scratch);
        let (system, constants) = (self.system, at.constants());
        let PackedScratch { general, state, sizes, .. } = scratch;
        let state = state.view();
        match by {
            Measure::Size => size::of_state(system.store(), state, sizes),
            Measure::Own => {
                let Some(function) = system.heuristic() else { return 0 };
                // Where it has no value a state comes last.
                let value = system.value(function, constants, Some(state), general).ok();
                value.and_then(|v| v.as_small_int()).map_or(i32::MAX, clamped)
            }
            Measure::Distance => {
                let far = system.distance(constants, state, general);
                far.map_or(0, |far| i32::try_from(far).unwrap_or(i32::MAX))
            }
        }
    }

    fn hash(&self, at: At<'_>, scratch: &mut PackedScratch) -> u64 {
        let seed = at.setup.number.0 as u64;
        // Bits alone say what the state is: no value is looked at.
        if self.is_self_contained() {
            return at.row.iter().fold(seed, |h, half| mixed(h, u64::from(half)));
        }
        self.unpack_into(at.row, scratch);
        let store = self.system.store();
        digest(seed, scratch.state.view().iter().map(|word| store.hash(Val::from_raw(word))))
    }

    fn digest_of_constants(&self, constants: ConstantsRef<'_>, scratch: &mut PackedScratch) -> u64 {
        digest(1, constants.iter().map(|word| scratch.contents.of(self.system, word)))
    }

    fn digest_of_row(&self, seed: u64, row: RowRef<'_>, scratch: &mut PackedScratch) -> u64 {
        self.unpack_into(row, scratch);
        let (store, PackedScratch { state, contents, .. }) = (self.system.store(), scratch);
        let hashes = state.view().iter().map(|word| {
            let value = Val::from_raw(word);
            match value.is_opaque() || store.as_symbolic(value).is_some() {
                true => contents.of(self.system, word),
                false => store.hash(value),
            }
        });
        digest(seed, hashes)
    }

    fn unlisted(&self, scratch: &mut PackedScratch) -> u64 {
        scratch.contents.unlisted()
    }

    fn replan(&self, rows: &[(SetupIndex, Row)], setups: &Setups, eager: bool) -> Vec<Change> {
        self.replanned(rows, setups, eager)
    }

    fn doubt(&self, each: &mut dyn FnMut(&mut Hearer<'_>)) -> Option<Cut> {
        // Nearly always: then no state is unpacked at all.
        if !self.system.store().has_opaque() {
            return None;
        }
        let mut values = vec![BTreeSet::new(); self.system.variables().len()];
        each(&mut |row| {
            for (variable, value) in self.stored(row).filter(|(_, value)| value.is_opaque()) {
                values[variable].insert(value.raw());
            }
        });
        if values.iter().all(BTreeSet::is_empty) {
            return None;
        }
        // A set that is not listed may be finite, and listed in another state.
        each(&mut |row| {
            for (variable, value) in self.stored(row) {
                if !values[variable].is_empty() {
                    values[variable].insert(value.raw());
                }
            }
        });
        self.system.doubtful_states(&values)
    }

    fn values(&self) -> (usize, usize) {
        let store = self.system.store();
        (store.len(), store.bytes())
    }
}

fn clamped(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Rows with values by content: numbers of values in the store mean something in one process only.
struct ByContent<'a> {
    engine: &'a PackedSystem<'a>,
    read: Incoming,
    /// What was read counts as written.
    written: Option<Outgoing>,
}

impl Translate for ByContent<'_> {
    fn save(&mut self, row: RowMut<'_>, values: &mut Vec<u8>) {
        // What was read has numbers in the log already: those go on, and nothing is written twice.
        let written = self.written.get_or_insert_with(|| std::mem::take(&mut self.read).outgoing());
        let store = self.engine.system.store();
        let by_content = |word| Some(written.word(store, Val::from_raw(word), &mut *values));
        // Always something: rows are as long as the layout says.
        let _ = self.engine.renumber(row, by_content);
    }

    fn read(&mut self, values: &[u8]) -> Option<()> {
        self.read.read(self.engine.system.store(), values).ok()
    }

    fn load(&mut self, row: RowMut<'_>) -> Option<()> {
        let here = |word| self.read.value(word).ok().map(Val::raw);
        self.engine.renumber(row, here)
    }
}
