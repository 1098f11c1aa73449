//! Rows that outlive a process.

use crate::RowMut;

/// Turns rows of this process into rows that mean the same in every process, and back.
pub trait Translate {
    /// Makes a row fit to be saved; what it needs beyond itself is appended to `values`.
    fn save(&mut self, row: RowMut<'_>, values: &mut Vec<u8>);
    /// Takes in what saved rows need. All of it comes before the first call of [`Translate::save`].
    fn read(&mut self, values: &[u8]) -> Option<()>;
    /// Makes a saved row one of this process. Nothing: it means nothing here.
    fn load(&mut self, row: RowMut<'_>) -> Option<()>;
}

/// For rows that mean the same everywhere.
pub(crate) struct AsTheyAre;

impl Translate for AsTheyAre {
    fn save(&mut self, _: RowMut<'_>, _: &mut Vec<u8>) {}
    fn read(&mut self, values: &[u8]) -> Option<()> {
        values.is_empty().then_some(())
    }
    fn load(&mut self, _: RowMut<'_>) -> Option<()> {
        Some(())
    }
}
