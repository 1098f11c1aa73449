//! Systems that stand between another one and the search.
//!
//! A wrapper says what it does differently, and everything else is asked of what it wraps. So a
//! wrapper cannot forget to pass a question on, and a new question to systems does not change it.

use crate::{
    Answer, Ask, At, Change, ConstantsRef, Cut, Emitted, Flow, Hearer, Measure, OperationIndex,
    OperationSet, PredId, Reducer, Row, RowRef, Setup, SetupIndex, Setups, Signature, State,
    StateRef, Step, Tally, TransitionSystem, Translate, Truth,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A system around another one. Whoever implements this has a [`TransitionSystem`].
pub trait Wrap: Sync {
    /// What is wrapped.
    type Inner: TransitionSystem;
    /// What a worker needs for itself.
    type Scratch;

    /// What is wrapped.
    fn inner(&self) -> &Self::Inner;
    /// The same, between searches.
    fn inner_mut(&mut self) -> &mut Self::Inner;
    /// A worker's own space.
    fn scratch(&self) -> Self::Scratch;
    /// The part of it that belongs to what is wrapped.
    fn scratch_of(scratch: &mut Self::Scratch) -> &mut InnerScratch<Self>;

    /// See [`TransitionSystem::begin`].
    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        self.inner_mut().begin(setups, widened);
    }

    /// See [`TransitionSystem::admit_setup`].
    fn admit_setup(&self, constants: ConstantsRef<'_>) -> bool {
        self.inner().admit_setup(constants)
    }

    /// See [`TransitionSystem::initial`].
    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        self.inner().initial(setup, Self::scratch_of(scratch), sink)
    }

    /// See [`TransitionSystem::turn_to`].
    #[inline]
    fn turn_to(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        reducer: Option<&mut (dyn Reducer + '_)>,
    ) {
        self.inner().turn_to(at, Self::scratch_of(scratch), reducer);
    }

    /// See [`TransitionSystem::emitted`]. Nothing unless somebody says otherwise: who looks at steps
    /// one by one in [`Wrap::successors`] must not miss those that come in batches.
    #[inline]
    fn emitted<'m>(
        &'m self,
        _at: At<'_>,
        _disabled: OperationSet<'_>,
        _scratch: &'m mut Self::Scratch,
    ) -> Option<Emitted<'m>> {
        None
    }

    /// See [`TransitionSystem::successors`]. Steps of one operation are found among these, so that nobody who
    /// looks at steps misses any.
    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        self.inner().successors(at, Self::scratch_of(scratch), ask, sink)
    }

    /// See [`TransitionSystem::holds_each`].
    fn holds_each(
        &self,
        preds: &[PredId],
        at: At<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        self.inner().holds_each(preds, at, Self::scratch_of(scratch), sink);
    }

    /// See [`TransitionSystem::reduces`].
    #[inline]
    fn reduces(&self) -> bool {
        self.inner().reduces()
    }

    /// See [`TransitionSystem::keeps_operations`]. No unless somebody says otherwise: a wrapper that leaves out
    /// steps must not pass for one whose operations are disabled.
    fn keeps_operations(&self) -> bool {
        false
    }

    /// See [`TransitionSystem::reducer`].
    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        self.inner().reducer()
    }

    /// See [`TransitionSystem::admit`].
    fn admit(&self, key: u128, setup: Setup<'_>, row: RowRef<'_>) -> bool {
        self.inner().admit(key, setup, row)
    }
}

/// What a worker needs for what is wrapped.
pub type InnerScratch<W> = <<W as Wrap>::Inner as TransitionSystem>::Scratch;

impl<W: Wrap> TransitionSystem for W {
    type Scratch = <W as Wrap>::Scratch;

    fn signature(&self) -> &Signature {
        self.inner().signature()
    }

    fn scratch(&self) -> Self::Scratch {
        Wrap::scratch(self)
    }

    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        Wrap::initial(self, setup, scratch, sink)
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        Wrap::successors(self, at, scratch, ask, sink)
    }

    fn setups(
        &self,
        skipped: u64,
        patience: u64,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        self.inner().setups(skipped, patience, W::scratch_of(scratch), sink)
    }

    fn admit_setup(&self, constants: ConstantsRef<'_>) -> bool {
        Wrap::admit_setup(self, constants)
    }

    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        Wrap::begin(self, setups, widened);
    }

    #[inline]
    fn overflowed(&self) -> Option<usize> {
        self.inner().overflowed()
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        self.inner().interrupt()
    }

    fn limit_memory(&self, bytes: Option<u64>) {
        self.inner().limit_memory(bytes);
    }

    #[inline]
    fn width(&self) -> usize {
        self.inner().width()
    }

    fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        self.inner().mask(variables)
    }

    fn layout_number(&self) -> u64 {
        self.inner().layout_number()
    }

    fn unpack(&self, row: RowRef<'_>, scratch: &mut Self::Scratch) -> State {
        self.inner().unpack(row, W::scratch_of(scratch))
    }

    fn pack(&self, state: StateRef<'_>, scratch: &mut Self::Scratch) -> Option<Row> {
        self.inner().pack(state, W::scratch_of(scratch))
    }

    fn translator(&self) -> Box<dyn Translate + '_> {
        self.inner().translator()
    }

    #[inline]
    fn turn_to(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        reducer: Option<&mut (dyn Reducer + '_)>,
    ) {
        Wrap::turn_to(self, at, scratch, reducer);
    }

    fn set_later(&self, scratch: &mut Self::Scratch, later: &[u32]) {
        self.inner().set_later(W::scratch_of(scratch), later);
    }

    #[inline]
    fn emitted<'m>(
        &'m self,
        at: At<'_>,
        disabled: OperationSet<'_>,
        scratch: &'m mut Self::Scratch,
    ) -> Option<Emitted<'m>> {
        Wrap::emitted(self, at, disabled, scratch)
    }

    fn is_apart(&self, operation: OperationIndex) -> bool {
        self.inner().is_apart(operation)
    }

    fn is_cheap(&self, operation: OperationIndex) -> bool {
        self.inner().is_cheap(operation)
    }

    fn holds_each(
        &self,
        preds: &[PredId],
        at: At<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        Wrap::holds_each(self, preds, at, scratch, sink);
    }

    fn holds_within(
        &self,
        pred: PredId,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        steps: &mut u64,
    ) -> Truth {
        self.inner().holds_within(pred, at, W::scratch_of(scratch), steps)
    }

    fn holds_of_constants(
        &self,
        pred: PredId,
        constants: ConstantsRef<'_>,
        scratch: &mut Self::Scratch,
    ) -> Truth {
        self.inner().holds_of_constants(pred, constants, W::scratch_of(scratch))
    }

    fn tally(&self, scratch: &mut Self::Scratch) -> Tally {
        self.inner().tally(W::scratch_of(scratch))
    }

    #[inline]
    fn reduces(&self) -> bool {
        Wrap::reduces(self)
    }

    fn keeps_operations(&self) -> bool {
        Wrap::keeps_operations(self)
    }

    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        Wrap::reducer(self)
    }

    fn admit(&self, key: u128, setup: Setup<'_>, row: RowRef<'_>) -> bool {
        Wrap::admit(self, key, setup, row)
    }

    fn initial_states(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        self.inner().initial_states(constants, W::scratch_of(scratch), sink)
    }

    fn steps(
        &self,
        from: (ConstantsRef<'_>, StateRef<'_>),
        only: Option<OperationIndex>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        self.inner().steps(from, only, W::scratch_of(scratch), sink)
    }

    fn holds(
        &self,
        pred: PredId,
        of: (ConstantsRef<'_>, StateRef<'_>),
        scratch: &mut Self::Scratch,
    ) -> Truth {
        self.inner().holds(pred, of, W::scratch_of(scratch))
    }

    fn measure(&self, by: Measure, at: At<'_>, scratch: &mut Self::Scratch) -> i32 {
        self.inner().measure(by, at, W::scratch_of(scratch))
    }

    fn hash(&self, at: At<'_>, scratch: &mut Self::Scratch) -> u64 {
        self.inner().hash(at, W::scratch_of(scratch))
    }

    fn digest_of_constants(&self, constants: ConstantsRef<'_>, scratch: &mut Self::Scratch) -> u64 {
        self.inner().digest_of_constants(constants, W::scratch_of(scratch))
    }

    fn digest_of_row(&self, seed: u64, row: RowRef<'_>, scratch: &mut Self::Scratch) -> u64 {
        self.inner().digest_of_row(seed, row, W::scratch_of(scratch))
    }

    fn unlisted(&self, scratch: &mut Self::Scratch) -> u64 {
        self.inner().unlisted(W::scratch_of(scratch))
    }

    fn replan(&self, rows: &[(SetupIndex, Row)], setups: &Setups, eager: bool) -> Vec<Change> {
        self.inner().replan(rows, setups, eager)
    }

    fn doubt(&self, each: &mut dyn FnMut(&mut Hearer<'_>)) -> Option<Cut> {
        self.inner().doubt(each)
    }

    fn values(&self) -> (usize, usize) {
        self.inner().values()
    }
}
