//! Steps of a state that wait until all of its operations were tried.
//!
//! Only then is it known which operations are disabled, and a step is to say it of the state it leads to.

use beeline_transition::{OperationIndex, RowRef};

/// More steps of a state do not wait for the others.
const MOST: usize = 1 << 10;

/// Operations, and the rows they lead to.
#[derive(Default)]
pub(super) struct Kept {
    operations: Vec<OperationIndex>,
    rows: Vec<u32>,
}

impl Kept {
    pub fn push(&mut self, operation: OperationIndex, row: RowRef<'_>) {
        self.operations.push(operation);
        self.rows.extend_from_slice(row.words());
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    pub fn is_full(&self) -> bool {
        self.operations.len() >= MOST
    }

    /// All of them in order, as long as the receiver wants more. Nothing waits afterwards.
    pub fn each(&mut self, mut take: impl FnMut(OperationIndex, RowRef<'_>) -> bool) {
        let width = self.rows.len() / self.operations.len().max(1);
        for (at, operation) in self.operations.iter().enumerate() {
            // Rows may be empty, so that they are counted by operations.
            if !take(*operation, RowRef(&self.rows[at * width..(at + 1) * width])) {
                break;
            }
        }
        self.operations.clear();
        self.rows.clear();
    }
}
