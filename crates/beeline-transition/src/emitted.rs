//! The steps of one state as they were written, operation by operation: a batch.

use crate::OperationIndex;

/// The steps from one row: of each operation all at once.
///
/// Records lie side by side, those of the first operation first. A record begins with the row it
/// leads to; what follows in it (arguments, say) is nobody's business here.
#[derive(Clone, Copy, Debug)]
pub struct Emitted<'m> {
    out: &'m [u32],
    ends: &'m [u32],
    records: &'m [usize],
}

impl<'m> Emitted<'m> {
    /// All records; where those of each operation end, and how many halves one of them has.
    #[inline]
    pub fn new(out: &'m [u32], ends: &'m [u32], records: &'m [usize]) -> Emitted<'m> {
        Emitted { out, ends, records }
    }

    /// Calls back with each operation that leads somewhere, its records one after the other, and
    /// the halves of one.
    #[inline]
    pub fn each(&self, mut found: impl FnMut(OperationIndex, &[u32], usize)) {
        // Ends only, no beginnings: native code writes one number for each operation.
        let mut from = 0;
        for (operation, (end, record)) in self.ends.iter().zip(self.records).enumerate() {
            let end = *end as usize;
            // Most operations are not possible in most states: no call for them.
            if from < end {
                found(OperationIndex(operation), &self.out[from..end], *record);
                from = end;
            }
        }
    }
}
