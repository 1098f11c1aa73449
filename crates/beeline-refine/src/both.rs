//! What both machines are, compiled: whatever compares them looks here.
//!
//! Words of a pair are the variables of the refinement, then those of the abstraction, then the set of abstract
//! states that match. It does not know what follows from that.

use crate::levels::Levels;
use crate::pair::Matched;
use crate::{Mode, Options};
use beeline_compile::{PredId, System};
use beeline_source::Span;
use beeline_value::Val;

/// Both machines, compiled.
pub(crate) struct Both<'a> {
    pub system: &'a System,
    pub levels: &'a Levels,
    pub options: Options,
    pub operations: &'a [Matched],
    /// The operation that initialises the abstraction.
    pub begin: usize,
    /// Variables of the refinement.
    pub concrete: usize,
    /// Places among those of the refinement, for each variable of the abstraction.
    pub kept: &'a [Option<usize>],
    /// Conjuncts of the gluing invariant, each with the words of a pair that it reads.
    pub glue: Vec<(PredId, Vec<usize>)>,
    /// Places of operations that have no label: what they are given cannot be compared.
    pub unlabelled: Vec<usize>,
}

impl Both<'_> {
    pub fn span_of(&self, index: usize) -> Span {
        self.levels.concrete.operation(self.levels.operations[index].0).span
    }

    pub fn is_labelled(&self, step: usize) -> bool {
        !self.unlabelled.contains(&step)
    }

    pub fn simulates(&self) -> bool {
        self.options.mode == Mode::Simulation
    }

    /// Variables of both levels together, without the set of candidates.
    fn pair_width(&self) -> usize {
        self.concrete + self.kept.len()
    }

    /// The abstract state of a pair.
    pub fn record_of(&self, words: &[u32]) -> Val {
        let fields = &words[self.concrete..self.pair_width()];
        self.system.store().record(fields.iter().map(|w| Val::from_raw(*w)).collect())
    }

    /// A pair of nothing and an abstract state.
    pub fn place(&self, record: Val, words: &mut Vec<u32>) {
        words.clear();
        words.resize(self.concrete, Val::EMPTY.raw());
        self.fields(record, words);
        words.push(Val::EMPTY.raw());
    }

    /// Appends the words of an abstract state.
    pub fn fields(&self, record: Val, words: &mut Vec<u32>) {
        let fields = self.system.store().as_record(record).unwrap_or_default();
        words.extend(fields.iter().map(|f| f.raw()));
        words.resize(words.len() + self.kept.len() - fields.len(), Val::EMPTY.raw());
    }

    /// The abstract states of a set, in the order of values.
    pub fn members(&self, set: u32) -> Vec<Val> {
        let store = self.system.store();
        store.elems(Val::from_raw(set)).map(|e| store.list(e)).unwrap_or_default()
    }
}
