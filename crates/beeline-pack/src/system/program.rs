//! The code of one valuation of the constants: of each operation and check that could be lowered.

use crate::memo::Projection;
use crate::routine::Routine;
use beeline_compile::PredId;
use beeline_ir::{Code, CompiledAll, Compiler};
use beeline_transition::{OperationIndex, OperationSet, RowRef};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub(super) struct Program {
    pub operations: Vec<Option<Routine>>,
    /// How many operations are code, and how long that is.
    pub lowered: usize,
    pub size: u64,
    /// Halves of a record of each operation that is code.
    pub records: Vec<usize>,
    /// Are all operations code, none of which writes a record twice or is asked for arguments?
    pub emits: bool,
    pub preds: FxHashMap<PredId, Routine>,
    /// What is looked at and changed by operations whose results may be remembered.
    pub projections: Vec<Option<Projection>>,
    /// What is left to the general engine, and why.
    pub refused: Vec<(String, &'static str)>,
    /// Operations of all codes of operations that were interpreted.
    pub steps: AtomicU64,
    /// The codes of the operations, in order, as native code; none before it is worth that.
    pub native: OnceLock<Vec<Native>>,
}

/// Some operations in one piece of native code.
pub(super) struct Native {
    /// Which ones, by number.
    operations: Vec<usize>,
    /// Can single ones be left out?
    leaves_out: bool,
    code: Box<dyn CompiledAll>,
}

/// Codes are compiled together up to this size: compilers do not like long functions.
const TOGETHER: usize = 1_500;

impl Program {
    /// How much room its code takes: operations and words of tables.
    pub fn words(&self) -> usize {
        let routines = self.operations.iter().flatten().chain(self.preds.values());
        let size =
            |code: &Code| code.ops.len() + code.tables.iter().map(|t| t.len()).sum::<usize>();
        routines.map(|routine| size(routine.code())).sum()
    }

    /// All lowered operations as native code, if that is worth it by now.
    pub fn native(
        &self,
        compiler: Option<&dyn Compiler>,
        leaves_out: bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<&[Native]> {
        if let Some(native) = self.native.get() {
            return Some(native).filter(|n| !n.is_empty()).map(Vec::as_slice);
        }
        let compiler = compiler?;
        // Compiling takes time for each operation of the code: it pays when interpreting has cost
        // as much.
        if self.steps.load(Ordering::Relaxed) < compiler.price() * self.size {
            return None;
        }
        // The first who finds that it pays compiles for all; an empty list says that it cannot be
        // done, so that nobody tries again.
        let native = self
            .native
            .get_or_init(|| self.compiled(compiler, leaves_out, stop).unwrap_or_default());
        Some(native).filter(|n| !n.is_empty()).map(Vec::as_slice)
    }

    /// Nothing if one of them cannot be compiled, or somebody says stop.
    fn compiled(
        &self,
        compiler: &dyn Compiler,
        leaves_out: bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<Vec<Native>> {
        let mut native = Vec::new();
        let lowered =
            |(number, routine): (usize, &'_ Option<Routine>)| routine.as_ref().map(|_| number);
        let numbers: Vec<usize> = self.operations.iter().enumerate().filter_map(lowered).collect();
        let all: Vec<&Code> = self.operations.iter().flatten().map(Routine::code).collect();
        let (mut codes, mut numbers) = (&all[..], &numbers[..]);
        // One bit for each that may be left out.
        let most = if leaves_out { u64::BITS as usize } else { usize::MAX };
        while !codes.is_empty() {
            if stop() {
                return None;
            }
            let (mut count, mut size) = (1, codes[0].ops.len());
            // In the order of the operations: records come in that order, whatever is compiled
            // together.
            while count < most
                && let Some(code) = codes.get(count).filter(|c| size + c.ops.len() <= TOGETHER)
            {
                (count, size) = (count + 1, size + code.ops.len());
            }
            let (some, rest) = codes.split_at(count);
            let (own, others) = numbers.split_at(count);
            let code = compiler.compile_all(some, leaves_out)?;
            native.push(Native { operations: own.to_vec(), leaves_out, code });
            (codes, numbers) = (rest, others);
        }
        Some(native)
    }
}

impl Native {
    /// The bits of those that need not be tried.
    #[inline]
    fn left_out(&self, disabled: OperationSet<'_>) -> u64 {
        if !self.leaves_out || disabled.is_empty() {
            return 0;
        }
        let (first, last) = (self.operations[0], self.operations[self.operations.len() - 1]);
        // The usual case: all operations are code.
        if last - first < self.operations.len() {
            return disabled.from(first);
        }
        let bit =
            |(at, number): (usize, &usize)| u64::from(disabled.has(OperationIndex(*number))) << at;
        self.operations.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
    }

    /// Runs all pieces, unless somebody says stop; `ends` has a place for each operation. False:
    /// nothing counts.
    #[inline]
    pub fn run(
        native: &[Native],
        (row, disabled): (RowRef<'_>, OperationSet<'_>),
        out: &mut Vec<u32>,
        ends: &mut [u32],
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let mut ends = ends;
        for piece in native {
            let Some((here, rest)) = ends.split_at_mut_checked(piece.operations.len()) else {
                return false;
            };
            // A piece that was unusual leaves records behind: none of this row counts.
            if !piece.code.run(row.words(), piece.left_out(disabled), out, here)
                || (!rest.is_empty() && stop())
            {
                return false;
            }
            ends = rest;
        }
        true
    }
}
