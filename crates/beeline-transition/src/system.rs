//! The trait: what a search asks of what it searches.
//!
//! It is made for batches. A state is a row of 32-bit halves that lies in somebody else's memory;
//! results are handed to a receiver row by row, or all at once as they were written ([`Emitted`]);
//! what a worker needs for itself is in its scratch space. Nothing is allocated for a state.
//!
//! Four methods make a system. All others have defaults, which are right for a graph whose rows are
//! its states, and which claim nothing: a check that nobody can evaluate is a cut, not a yes.

use crate::hash::{digest, mixed};
use crate::translate::AsTheyAre;
use crate::{
    Answer, Ask, At, Change, ConstantsRef, Cut, CutReason, Digit, Emitted, Flow, Hearer, Measure,
    OperationIndex, OperationSet, PredId, Reducer, Row, RowRef, Setup, SetupIndex, Setups,
    Signature, State, StateRef, Step, Steps, Tally, Translate, Truth,
};
use beeline_ir::Code;
use beeline_source::Span;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A transition system over rows of halves (32 bits).
///
/// It is shared by all workers. Two states are equal exactly when their rows are. Whatever is
/// enumerated comes each time in the same order, and with a list of what was left out.
pub trait TransitionSystem: Sync {
    /// What a worker needs for itself.
    type Scratch;

    /// What it consists of.
    fn signature(&self) -> &Signature;

    /// A worker's own space. Asked anew after [`TransitionSystem::begin`].
    fn scratch(&self) -> Self::Scratch;

    /// All initial rows of a set-up, each once.
    fn initial(
        &self,
        setup: Setup<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer;

    /// All steps from a row, each once, in the order of the operations: the operation and the row it
    /// leads to.
    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer;

    /// All steps of one operation from a row, each once.
    fn successors_of(
        &self,
        operation: OperationIndex,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        // Right for every system, wrappers among them: those who can do with less say so.
        let ask = &mut Ask::default();
        let mut answer = self.successors(at, scratch, ask, &mut |found, row| {
            if found == operation { sink(row) } else { Flow::More }
        });
        // Faults of others are not about the operation that was asked for.
        answer.faults.retain(|fault| fault.operation == Some(operation));
        answer
    }

    // How a search begins.

    /// Valuations of the constants without the first `skipped`, each once. Once another one was found
    /// it goes on for about `patience` steps. Was it given up then?
    fn setups(
        &self,
        skipped: u64,
        _patience: u64,
        _scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        let stopped = skipped == 0 && sink(ConstantsRef(&[])) == Flow::Enough;
        (Answer { stopped, ..Answer::default() }, false)
    }

    /// Is this valuation to be explored? Asked once each, in order.
    fn admit_setup(&self, _constants: ConstantsRef<'_>) -> bool {
        true
    }

    /// A search begins with these valuations. `widened` says how often each variable met a value
    /// outside its layout in an earlier attempt, of which nothing counts: it gets a wider one.
    fn begin(&mut self, _setups: &Setups, _widened: &[u8]) {}

    /// A variable that met a value outside its layout. All results so far are void.
    #[inline]
    fn overflowed(&self) -> Option<usize> {
        None
    }

    /// What was evaluated last does not count: forgets that a value was outside its layout.
    fn forgive(&self) {}

    /// Set this to true, and every evaluation ends soon with the cut [`CutReason::Interrupted`].
    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    /// From now on one evaluation that would take the process beyond so many bytes at once ends with
    /// the cut [`CutReason::Memory`].
    fn limit_memory(&self, _bytes: Option<u64>) {}

    // Rows.

    /// Halves of a row.
    #[inline]
    fn width(&self) -> usize {
        self.signature().variables
    }

    /// The halves of a row, and the bits in them, that hold these variables.
    fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        variables.iter().map(|v| (*v, u32::MAX)).collect()
    }

    /// How a variable lies in the bits of a row. Nothing: nobody knows.
    fn digits(&self, _variable: usize) -> Option<Vec<Digit>> {
        None
    }

    /// The variables on which the steps of an operation depend, its faults and cuts included, with those
    /// that it may write and may leave as they are. Nothing: more than the state decides, or nobody knows.
    fn looks(&self, _operation: OperationIndex) -> Option<Vec<usize>> {
        None
    }

    /// The word-level code of an operation under a valuation, if there is one. What it says is exact; where it says
    /// [`beeline_ir::Outcome::Unusual`] the system must be asked. Wrappers do not
    /// pass it on: they change steps.
    fn code_of(&self, _operation: OperationIndex, _setup: SetupIndex) -> Option<Steps<'_>> {
        None
    }

    /// The same of a predicate.
    fn code_of_check(&self, _pred: PredId, _setup: SetupIndex) -> Option<&Code> {
        None
    }

    /// Tells layouts apart: rows of one mean the same under all others with this number, in every
    /// process of this version.
    fn layout_number(&self) -> u64 {
        0
    }

    /// The state in a row, as people see it.
    fn unpack(&self, row: RowRef<'_>, _scratch: &mut Self::Scratch) -> State {
        State(row.words().to_vec())
    }

    /// The row of a state; nothing if it does not fit the layout.
    fn pack(&self, state: StateRef<'_>, _scratch: &mut Self::Scratch) -> Option<Row> {
        Some(Row(state.words().to_vec()))
    }

    /// For rows that are saved.
    fn translator(&self) -> Box<dyn Translate + '_> {
        Box::new(AsTheyAre)
    }

    // What a worker does.

    /// What follows, until the next call, is about this state; `reducer` is the worker's own, if
    /// there is one.
    #[inline]
    fn turn_to(
        &self,
        _at: At<'_>,
        _scratch: &mut Self::Scratch,
        _reducer: Option<&mut (dyn Reducer + '_)>,
    ) {
    }

    /// From now on checks are about states in which these elements (sorted words) can be swapped with
    /// one before them, and nothing changes: quantifiers may leave them out.
    fn set_later(&self, _scratch: &mut Self::Scratch, _later: &[u32]) {}

    /// All steps from a row as a batch, if there is a fast way that finds all of them, each once.
    /// Nothing otherwise: [`TransitionSystem::successors`] must be asked next, for the same row.
    #[inline]
    fn emitted<'m>(
        &'m self,
        _at: At<'_>,
        _disabled: OperationSet<'_>,
        _scratch: &'m mut Self::Scratch,
    ) -> Option<Emitted<'m>> {
        None
    }

    /// Can an operation be executed without its guard? Not if that finds parameters.
    fn is_apart(&self, _operation: OperationIndex) -> bool {
        false
    }

    /// Is an operation tried in about the time that it takes to find out that it need not be?
    fn is_cheap(&self, _operation: OperationIndex) -> bool {
        false
    }

    /// The truth of several predicates in one row.
    fn holds_each(
        &self,
        preds: &[PredId],
        _at: At<'_>,
        _scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        // Not true and not false: who forgets to teach a system its checks gets no verdict from it.
        (0..preds.len()).for_each(|i| sink(i, nobody_knows()));
    }

    /// The truth of a predicate in one row, if it can be found in so many steps; afterwards `steps` are
    /// left.
    fn holds_within(
        &self,
        pred: PredId,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        steps: &mut u64,
    ) -> Truth {
        let mut told = nobody_knows();
        // Something must be paid, or a budget would never end.
        *steps = steps.saturating_sub(1);
        self.holds_each(&[pred], at, scratch, &mut |_, truth| told = truth);
        told
    }

    /// The truth of a predicate that reads constants only.
    fn holds_of_constants(
        &self,
        _pred: PredId,
        _constants: ConstantsRef<'_>,
        _scratch: &mut Self::Scratch,
    ) -> Truth {
        nobody_knows()
    }

    /// Hands over what the scratch space counted.
    fn tally(&self, _scratch: &mut Self::Scratch) -> Tally {
        Tally::default()
    }

    // States that count as one.

    /// May states count as one? Then all set-ups are found before the search begins.
    #[inline]
    fn reduces(&self) -> bool {
        false
    }

    /// Has each state a step of every operation that is enabled in it, and one that stands for another steps
    /// of the same operations? Arguments may differ.
    fn keeps_operations(&self) -> bool {
        !self.reduces()
    }

    /// A worker's own part of a reduction, if states may count as one. Asked anew after
    /// [`TransitionSystem::begin`].
    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        None
    }

    /// Ends the wait of a candidate: is it the first of its kind? Asked between waves, in an order
    /// that does not depend on the number of threads.
    fn admit(&self, _key: u128, _setup: Setup<'_>, _row: RowRef<'_>) -> bool {
        true
    }

    // States one by one, as people see them: for traces. A reduction does not show here.

    /// All initial states, each once.
    fn initial_states(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        // Allocates, which is fine for traces and toys; others override this.
        let all = Setups::of(&[constants]);
        self.initial(Setup::first(&all), scratch, &mut |row| sink(StateRef(row.words())))
    }

    /// All steps from a state, or those of one operation.
    fn steps(
        &self,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        only: Option<OperationIndex>,
        scratch: &mut Self::Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let all = Setups::of(&[constants]);
        let at = At { setup: Setup::first(&all), row: RowRef(state.words()) };
        let mut found =
            |operation, row: RowRef<'_>| sink(Step::plain(operation, StateRef(row.words())));
        match only {
            Some(one) => self.successors_of(one, at, scratch, &mut |row| found(one, row)),
            None => self.successors(at, scratch, &mut Ask::default(), &mut found),
        }
    }

    /// The truth of a predicate in a state.
    fn holds(
        &self,
        pred: PredId,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        scratch: &mut Self::Scratch,
    ) -> Truth {
        let Some(row) = self.pack(state, scratch) else { return nobody_knows() };
        let all = Setups::of(&[constants]);
        let at = At { setup: Setup::first(&all), row: row.view() };
        let mut told = nobody_knows();
        self.holds_each(&[pred], at, scratch, &mut |_, truth| told = truth);
        told
    }

    // Orders, plans, figures.

    /// How promising a state is: small first.
    fn measure(&self, _by: Measure, _at: At<'_>, _scratch: &mut Self::Scratch) -> i32 {
        0
    }

    /// A hash of a state: the same in every run.
    fn hash(&self, at: At<'_>, _scratch: &mut Self::Scratch) -> u64 {
        at.row.iter().fold(at.setup.number.0 as u64, |h, half| mixed(h, u64::from(half)))
    }

    /// A hash of the constants by what they are: the same for every way to compute them.
    fn digest_of_constants(
        &self,
        constants: ConstantsRef<'_>,
        _scratch: &mut Self::Scratch,
    ) -> u64 {
        digest(1, constants.iter().map(u64::from))
    }

    /// A hash of a row by what it is, from that of its constants.
    fn digest_of_row(&self, seed: u64, row: RowRef<'_>, _scratch: &mut Self::Scratch) -> u64 {
        digest(seed, row.iter().map(u64::from))
    }

    /// How many values that were digested with this scratch are sets kept unlisted, whose digest says how they are
    /// written. Digests of two systems are comparable only if these numbers agree.
    fn unlisted(&self, _scratch: &mut Self::Scratch) -> u64 {
        0
    }

    /// Plans operations again where that makes a difference in these rows, each with the number of
    /// its set-up. For when nobody is at work. All results stay the same, in another order.
    fn replan(&self, _rows: &[(SetupIndex, Row)], _setups: &Setups, _eager: bool) -> Vec<Change> {
        Vec::new()
    }

    /// What is not known of a set of states because their words do not tell them from others; `each`
    /// gives all rows.
    fn doubt(&self, _each: &mut dyn FnMut(&mut Hearer<'_>)) -> Option<Cut> {
        None
    }

    /// Interned values, and their bytes.
    fn values(&self) -> (usize, usize) {
        (0, 0)
    }
}

/// What a system says that was not taught to evaluate its checks.
fn nobody_knows() -> Truth {
    let words = "this system cannot evaluate checks".to_owned();
    Truth::Unknown(Box::new(Cut { reason: CutReason::Unsupported, span: Span::NONE, words }))
}
