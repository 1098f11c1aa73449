//! A transition system up to symmetry: of states that are permutations of each other one is expanded.
//!
//! It wraps another system and changes three things: which valuations of the constants are explored,
//! what a row is known by, and which arguments of operations are tried in a state with
//! interchangeable elements. It does not know how a search goes about it.

use crate::symmetry::Symmetry;
use beeline_pack::Coded;
use beeline_transition::{
    Answer, ArgumentsRef, Ask, At, ConstantsRef, Flow, OperationIndex, Reducer, RowRef, Setup,
    Setups, Twins, Wrap,
};

/// A system up to a symmetry.
pub struct Symmetric<'a, S> {
    symmetry: &'a Symmetry<'a>,
    inner: S,
}

/// What a worker needs for itself.
pub struct Scratch<T> {
    inner: T,
    /// Interchangeable elements of the state at hand, and all but the first of each class.
    twins: Twins,
    later: Vec<u32>,
}

impl<'a, S: Coded> Symmetric<'a, S> {
    /// The system up to a symmetry.
    pub fn new(symmetry: &'a Symmetry<'a>, inner: S) -> Symmetric<'a, S> {
        Symmetric { symmetry, inner }
    }
}

impl<S: Coded> Wrap for Symmetric<'_, S> {
    type Inner = S;
    type Scratch = Scratch<S::Scratch>;

    fn inner(&self) -> &S {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch { inner: self.inner.scratch(), twins: Twins::default(), later: Vec::new() }
    }

    #[inline]
    fn scratch_of(scratch: &mut Self::Scratch) -> &mut S::Scratch {
        &mut scratch.inner
    }

    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        self.inner.begin(setups, widened);
        self.symmetry.begin(setups, self.inner.codec());
    }

    fn admit_setup(&self, constants: ConstantsRef<'_>) -> bool {
        self.symmetry.admit_setup(constants)
    }

    fn turn_to(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        reducer: Option<&mut (dyn Reducer + '_)>,
    ) {
        let Scratch { inner, twins, later } = scratch;
        let Some(reducer) = reducer else { return };
        twins.clear();
        reducer.twins(at.setup.number, at.row, twins);
        twins.later(later);
        self.inner.set_later(inner, later);
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let Scratch { inner, twins, .. } = scratch;
        let Ask { disabled, enabled, wanted, done } = ask;
        // Any other choice of twins leads to a permutation of a state that this one leads to.
        let mut wanted = |operation: OperationIndex, arguments: ArgumentsRef<'_>| {
            twins.stand(arguments) && wanted.as_mut().is_none_or(|w| w(operation, arguments))
        };
        let done = done.as_mut().map(|done| &mut **done as &mut dyn FnMut(OperationIndex));
        let (disabled, enabled) = (*disabled, *enabled);
        let mut ask = Ask { disabled, enabled, wanted: Some(&mut wanted), done };
        self.inner.successors(at, inner, &mut ask, sink)
    }

    fn reduces(&self) -> bool {
        true
    }

    fn keeps_operations(&self) -> bool {
        // Permuted are elements, which operations get as arguments, and one choice of twins is kept.
        self.inner.keeps_operations()
    }

    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        Some(self.symmetry.reducer())
    }

    fn admit(&self, key: u128, setup: Setup<'_>, row: RowRef<'_>) -> bool {
        self.symmetry.admit(key, setup.number, row)
    }
}
