//! One lowered operation or predicate: interpreted first, native once it has proved hot.

use crate::lower::Extra;
use beeline_ir::{Code, Compiled, Compiler, Interpreter, Op, Outcome, run};
use beeline_transition::RowRef;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A code, and its native form once there is one.
pub(crate) struct Routine {
    code: Code,
    /// Halves of a record.
    record: usize,
    /// The outcome, if it is known without a look at the state.
    constant: Option<Outcome>,
    /// What is in a record beside the state. If records may repeat, only the first of equal ones
    /// counts.
    extra: Extra,
    /// Operations of it that were interpreted.
    steps: AtomicU64,
    native: OnceLock<Option<Box<dyn Compiled>>>,
}

impl Routine {
    pub fn new(code: Code, extra: Extra) -> Routine {
        let constant = match code.ops.first() {
            Some(Op::Return(true)) => Some(Outcome::True),
            Some(Op::Return(false)) => Some(Outcome::False),
            _ => None,
        };
        let record = code.record_halves().max(1);
        let (steps, native) = (AtomicU64::new(0), OnceLock::new());
        Routine { code, record, constant, extra, steps, native }
    }

    /// The code itself.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The outcome, if it is known without a look at the state.
    #[inline]
    pub fn constant(&self) -> Option<Outcome> {
        self.constant
    }

    /// May records repeat?
    #[inline]
    pub fn repeats(&self) -> bool {
        self.extra.repeats
    }

    /// The words of the arguments in a record, if they are told.
    #[inline]
    pub fn arguments<'r>(&self, record: &'r [u32]) -> impl Iterator<Item = u32> + 'r {
        record[record.len() - 2 * self.extra.arguments..].iter().step_by(2).copied()
    }

    /// Are arguments told?
    #[inline]
    pub fn tells(&self) -> bool {
        self.extra.arguments > 0
    }

    /// Halves of a record.
    #[inline]
    pub fn record_halves(&self) -> usize {
        self.record
    }

    /// Runs it; the records are in `out` afterwards.
    pub fn run(
        &self,
        row: RowRef<'_>,
        interpreter: &mut Interpreter,
        compiler: Option<&dyn Compiler>,
        out: &mut Vec<u32>,
    ) -> Outcome {
        out.clear();
        let row = row.words();
        let outcome = match self.native.get() {
            Some(Some(native)) => native.run(row, out),
            Some(None) => run(&self.code, row, interpreter, out),
            None => {
                let before = interpreter.steps();
                let outcome = run(&self.code, row, interpreter, out);
                let spent = interpreter.steps() - before;
                if let Some(compiler) = compiler
                    && self.steps.fetch_add(spent, Ordering::Relaxed)
                        > compiler.price() * self.code.ops.len() as u64
                {
                    self.native.get_or_init(|| compiler.compile(&self.code));
                }
                outcome
            }
        };
        if outcome == Outcome::True {
            let kept = self.distinct(out);
            out.truncate(kept);
        }
        outcome
    }

    /// Moves the records that count to the front, if some do not; gives the halves they take.
    pub fn distinct(&self, records: &mut [u32]) -> usize {
        let size = self.record;
        if !self.extra.repeats || records.len() <= size {
            return records.len();
        }
        let mut seen: FxHashSet<&[u32]> = FxHashSet::default();
        let keep: Vec<bool> = records.chunks(size).map(|record| seen.insert(record)).collect();
        if keep.iter().all(|k| *k) {
            return records.len();
        }
        let mut end = 0;
        for (i, keep) in keep.into_iter().enumerate() {
            if keep {
                records.copy_within(i * size..(i + 1) * size, end);
                end += size;
            }
        }
        end
    }
}
