//! Sequences: functions on `1..n`.

use crate::{Store, Val};

impl Store {
    /// The sequence of these values.
    pub fn sequence(&self, items: Vec<Val>) -> Val {
        let keys = (1..=items.len() as i64).map(|i| self.int(i)).collect();
        self.columns(keys, items)
    }

    /// The values of a sequence; nothing if it is none. They may be opaque.
    #[inline]
    pub fn items(&self, value: Val) -> Option<&[Val]> {
        let (l, r) = self.as_columns(value)?;
        let whole = match (l.first(), l.last()) {
            (Some(first), Some(last)) => {
                first.as_small_int() == Some(1)
                    && last.as_small_int() == Some(l.len() as i64)
                    && l.windows(2).all(|w| w[0] != w[1])
            }
            _ => true,
        };
        whole.then_some(r)
    }
}
