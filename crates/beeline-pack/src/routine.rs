//! One lowered operation or predicate: interpreted first, native once it has proved hot.

use beeline_ir::{Code, Compiled, Compiler, Machine, Op, Outcome, run};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs before native code is made, at least.
const HOT: u32 = 1000;

/// Runs of a code of this length before native code is made: making it takes the longer the longer
/// the code is, and so long must interpreting have taken before it is likely to pay.
pub(crate) fn hot(ops: usize) -> u32 {
    HOT.max(u32::try_from(ops.saturating_mul(4)).unwrap_or(u32::MAX))
}

/// A code, and its native form once there is one.
pub(crate) struct Routine {
    code: Code,
    /// Halves of a record.
    record: usize,
    /// The outcome, if it is known without a look at the state.
    constant: Option<Outcome>,
    /// Records may repeat: only the first of equal ones counts.
    repeats: bool,
    runs: AtomicU32,
    native: OnceLock<Option<Box<dyn Compiled>>>,
}

impl Routine {
    pub fn new(code: Code, repeats: bool) -> Routine {
        let constant = match code.ops.first() {
            Some(Op::Return(true)) => Some(Outcome::True),
            Some(Op::Return(false)) => Some(Outcome::False),
            _ => None,
        };
        let record = code.record_halves().max(1);
        let (runs, native) = (AtomicU32::new(0), OnceLock::new());
        Routine { code, record, constant, repeats, runs, native }
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
        self.repeats
    }

    /// Halves of a record.
    #[inline]
    pub fn record_halves(&self) -> usize {
        self.record
    }

    /// Runs it; the records are in `out` afterwards.
    pub fn run(
        &self,
        row: &[u32],
        machine: &mut Machine,
        compiler: Option<&dyn Compiler>,
        out: &mut Vec<u32>,
    ) -> Outcome {
        out.clear();
        let outcome = match self.native.get() {
            Some(Some(native)) => native.run(row, out),
            Some(None) => run(&self.code, row, machine, out),
            None => {
                if let Some(compiler) = compiler
                    && self.runs.fetch_add(1, Ordering::Relaxed) >= hot(self.code.ops.len())
                {
                    self.native.get_or_init(|| compiler.compile(&self.code));
                }
                run(&self.code, row, machine, out)
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
        if !self.repeats || records.len() <= size {
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
