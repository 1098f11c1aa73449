//! The code of one valuation of the constants: of each operation and check that could be lowered.

use crate::memo::Projection;
use crate::routine::Routine;
use beeline_compile::PredId;
use beeline_ir::{Code, CompiledAll, Compiler};
use beeline_transition::RowRef;
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
    operations: usize,
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
        let native = self.native.get_or_init(|| self.compiled(compiler, stop).unwrap_or_default());
        Some(native).filter(|n| !n.is_empty()).map(Vec::as_slice)
    }

    /// Nothing if one of them cannot be compiled, or somebody says stop.
    fn compiled(&self, compiler: &dyn Compiler, stop: &dyn Fn() -> bool) -> Option<Vec<Native>> {
        let mut native = Vec::new();
        let mut codes: &[&Code] =
            &self.operations.iter().flatten().map(Routine::code).collect::<Vec<_>>();
        while !codes.is_empty() {
            if stop() {
                return None;
            }
            let (mut count, mut size) = (1, codes[0].ops.len());
            // In the order of the operations: records come in that order, whatever is compiled
            // together.
            while let Some(code) = codes.get(count).filter(|c| size + c.ops.len() <= TOGETHER) {
                (count, size) = (count + 1, size + code.ops.len());
            }
            let (some, rest) = codes.split_at(count);
            native.push(Native { operations: count, code: compiler.compile_all(some)? });
            codes = rest;
        }
        Some(native)
    }
}

impl Native {
    /// Runs all pieces, unless somebody says stop; `ends` has a place for each operation. False:
    /// nothing counts.
    #[inline]
    pub fn run(
        native: &[Native],
        row: RowRef<'_>,
        out: &mut Vec<u32>,
        ends: &mut [u32],
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let mut ends = ends;
        for piece in native {
            let Some((here, rest)) = ends.split_at_mut_checked(piece.operations) else {
                return false;
            };
            // A piece that was unusual leaves records behind: none of this row counts.
            if !piece.code.run(row.words(), out, here) || (!rest.is_empty() && stop()) {
                return false;
            }
            ends = rest;
        }
        true
    }
}
