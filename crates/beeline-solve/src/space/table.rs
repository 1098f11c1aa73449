//! Constraints in extension: terms together take one of the listed rows.
//!
//! Propagation works on sets of rows, a bit for each (after compact-table, Demeulenaere et al. 2016).
//! Every value of a column knows its rows. The rows that are still possible are those whose values
//! all are; a value that none of them has goes away. A [`Table`] does not change and may be shared by
//! any number of constraints: `extension` works the possible rows out afresh each time, for tables inside
//! other forms; `possible_rows` keeps them for tables that must hold.

/// Rows of numbers, all of one length.
#[derive(Debug)]
pub struct Table {
    /// How many rows there are.
    rows: usize,
    /// The rows one after the other, sorted.
    flat: Box<[i64]>,
    pub(super) columns: Vec<Column>,
}

/// The rows that have a value.
#[derive(Debug)]
pub(crate) enum Support {
    /// A bit for each row of the table.
    Bits(Box<[u64]>),
    /// Their numbers: less room where there are few.
    List(Box<[u32]>),
}

#[derive(Debug)]
pub(crate) struct Column {
    /// The values, sorted, without duplicates.
    pub(super) values: Box<[i64]>,
    /// For each value.
    rows: Box<[Support]>,
}

impl Table {
    /// A table with this many columns, from the rows one after the other. Their order does not
    /// matter, nor does it matter if one comes twice. A row that is not complete is none.
    pub fn new(arity: usize, flat: &[i64]) -> Table {
        if arity == 0 {
            return Table { rows: 0, flat: Box::default(), columns: Vec::new() };
        }
        let mut rows: Vec<&[i64]> = flat.chunks_exact(arity).collect();
        rows.sort_unstable();
        rows.dedup();
        let columns = (0..arity).map(|c| Column::new(&rows, c)).collect();
        Table { rows: rows.len(), flat: rows.concat().into(), columns }
    }

    /// How many columns it has.
    pub fn arity(&self) -> usize {
        self.columns.len()
    }

    /// How many rows it has, each counted once.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// No row at all?
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows, sorted.
    pub fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.flat.chunks_exact(self.arity().max(1))
    }

    /// The values of a column, sorted.
    pub(crate) fn values(&self, column: usize) -> &[i64] {
        self.columns.get(column).map_or(&[], |c| &c.values)
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn all_rows(&self) -> Vec<u64> {
        let mut all = vec![u64::MAX; self.rows.div_ceil(64)];
        if let Some(last) = all.last_mut()
            && !self.rows.is_multiple_of(64)
        {
            *last = (1 << (self.rows % 64)) - 1;
        }
        all
    }
}

impl Column {
    fn new(rows: &[&[i64]], column: usize) -> Column {
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        let at = |row: &u32| rows[*row as usize][column];
        order.sort_unstable_by_key(|row| (at(row), *row));
        let words = rows.len().div_ceil(64);
        let (mut values, mut sets) = (Vec::new(), Vec::new());
        for same in order.chunk_by(|a, b| at(a) == at(b)) {
            values.push(at(&same[0]));
            sets.push(if same.len() < words / 4 {
                Support::List(same.into())
            } else {
                let mut bits = vec![0; words];
                same.iter().for_each(|r| bits[*r as usize / 64] |= 1 << (r % 64));
                Support::Bits(bits.into())
            });
        }
        Column { values: values.into(), rows: sets.into() }
    }

    /// The values, sorted.
    pub(crate) fn values(&self) -> &[i64] {
        &self.values
    }

    /// The rows with the value at a place.
    pub(crate) fn support(&self, place: usize) -> &Support {
        &self.rows[place]
    }

    /// Adds the rows with the value at a place to a set; at least those in some of its words.
    pub(crate) fn join(&self, place: usize, mask: &mut [u64], words: &[u32]) {
        match &self.rows[place] {
            Support::Bits(bits) => {
                words.iter().for_each(|w| mask[*w as usize] |= bits[*w as usize])
            }
            Support::List(list) => {
                list.iter().for_each(|row| mask[*row as usize / 64] |= 1 << (row % 64));
            }
        }
    }

    /// Where a value stands, if it occurs.
    pub(crate) fn place(&self, value: i64) -> Option<usize> {
        let first = *self.values.first()?;
        // Most columns have no gaps.
        let place = usize::try_from(value.checked_sub(first)?).ok()?;
        if self.values.get(place) == Some(&value) {
            return Some(place);
        }
        self.values.binary_search(&value).ok()
    }

    /// Keeps rows whose value here is allowed. The sets of a column's values are disjoint and make up
    /// all rows, so that it can be done by the allowed values or by the others.
    pub(super) fn restrict(
        &self,
        rows: &mut [u64],
        mask: &mut Vec<u64>,
        allowed: impl Fn(i64) -> bool,
    ) {
        let yes: Vec<bool> = self.values.iter().map(|v| allowed(*v)).collect();
        let count = yes.iter().filter(|y| **y).count();
        if count == yes.len() {
            return;
        }
        if count == 0 {
            return rows.fill(0);
        }
        if count == 1
            && let Some(only) = yes.iter().position(|y| *y)
            && let Support::Bits(bits) = &self.rows[only]
        {
            return rows.iter_mut().zip(bits).for_each(|(row, bit)| *row &= bit);
        }
        if count * 2 <= yes.len() {
            mask.clear();
            mask.resize(rows.len(), 0);
            for (set, _) in self.rows.iter().zip(&yes).filter(|(_, y)| **y) {
                match set {
                    Support::Bits(bits) => mask.iter_mut().zip(bits).for_each(|(m, b)| *m |= b),
                    Support::List(list) => {
                        list.iter().for_each(|r| mask[*r as usize / 64] |= 1 << (r % 64));
                    }
                }
            }
            rows.iter_mut().zip(&*mask).for_each(|(row, m)| *row &= m);
            return;
        }
        for (set, _) in self.rows.iter().zip(&yes).filter(|(_, y)| !**y) {
            match set {
                Support::Bits(bits) => rows.iter_mut().zip(bits).for_each(|(row, b)| *row &= !b),
                Support::List(list) => {
                    list.iter().for_each(|r| rows[*r as usize / 64] &= !(1 << (r % 64)));
                }
            }
        }
    }

    /// Does one of these rows have the value at this place?
    pub(super) fn supported(&self, place: usize, rows: &[u64]) -> bool {
        match &self.rows[place] {
            Support::Bits(bits) => bits.iter().zip(rows).any(|(b, r)| b & r != 0),
            Support::List(list) => list.iter().any(|r| rows[*r as usize / 64] >> (r % 64) & 1 == 1),
        }
    }
}
