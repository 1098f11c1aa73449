//! A table as a constraint with memory: which rows are still possible.
//!
//! The possible rows are a set of words, of which only those that are not zero are looked at
//! (`RSparseBitSet` of Demeulenaere et al. 2016). What a column loses takes rows away; what rows
//! take away is looked for value by value, at the word where it was last found.

use super::table::{Column, Support, Table};
use super::{Conflict, Space, Var};
use crate::domain::Domain;
use std::sync::Arc;

/// `factor * var + offset` for each column of a table.
#[derive(Clone)]
pub(crate) struct PossibleRows {
    table: Arc<Table>,
    columns: Vec<(i64, Var, i64)>,
    /// Where the words of the possible rows begin.
    words: usize,
    /// Numbers of words; the first ones are not zero. Where their count is kept.
    index: Vec<u32>,
    count: usize,
    /// Where the sizes of the domains are kept, as they were when last looked at.
    sizes: usize,
    /// For each value of each column: the word in which a row was last found.
    hints: Vec<Vec<u32>>,
    mask: Vec<u64>,
}

impl Space {
    pub(crate) fn rows(
        &mut self,
        table: Arc<Table>,
        columns: Vec<(i64, Var, i64)>,
    ) -> PossibleRows {
        let all = table.all_rows();
        PossibleRows {
            words: self.state.reserve(&all),
            index: (0..all.len() as u32).collect(),
            count: self.state.reserve(&[all.len() as u64]),
            sizes: self.state.reserve(&vec![u64::MAX; columns.len()]),
            hints: table.columns().iter().map(|c| vec![0; c.values().len()]).collect(),
            mask: vec![0; all.len()],
            table,
            columns,
        }
    }

    pub(crate) fn look_rows(&mut self, rows: &mut PossibleRows) -> Result<(), Conflict> {
        let mut changed = false;
        let mut changes = 0;
        for i in 0..rows.columns.len() {
            let size = self.domains[rows.columns[i].1].size();
            if self.state.get(rows.sizes + i) != size {
                self.state.set(&mut self.trail, rows.sizes + i, size);
                changed |= self.update_column(rows, i)?;
                changes += 1;
            }
        }
        self.work += changes * self.state.get(rows.count) / 8;
        if !changed {
            return Ok(());
        }
        for i in 0..rows.columns.len() {
            let (factor, var, offset) = rows.columns[i];
            if self.domains[var].is_fixed() {
                continue;
            }
            let known = self.state.get(rows.sizes + i) == self.domains[var].size();
            let new = self.supported_values(rows, i, factor, var, offset);
            self.narrow(var, new)?;
            // Unless the variable lost values by another column of its own.
            if known {
                let size = self.domains[var].size();
                self.state.set(&mut self.trail, rows.sizes + i, size);
            }
        }
        Ok(())
    }

    /// Takes away the rows whose value in a column is gone; were there any?
    fn update_column(&mut self, rows: &mut PossibleRows, i: usize) -> Result<bool, Conflict> {
        let (factor, var, offset) = rows.columns[i];
        let table = rows.table.clone();
        let column = &table.columns()[i];
        let d = self.domains[var];
        let allowed = |v: i64| may_be(&d, factor, offset, v);
        let active = self.state.get(rows.count) as usize;
        // By the values that are left, or by those that are gone: their rows make up the whole.
        let left = if d.has_mask() { d.size() as usize } else { column.values().len() };
        let by_gone = left * 2 > column.values().len();
        for w in &rows.index[..active] {
            rows.mask[*w as usize] = 0;
        }
        if by_gone {
            for (place, v) in column.values().iter().enumerate() {
                if !allowed(*v) {
                    column.join(place, &mut rows.mask, &rows.index[..active]);
                }
            }
        } else {
            for x in d.iter() {
                let place = image(factor, x, offset).and_then(|v| column.place(v));
                if let Some(place) = place {
                    column.join(place, &mut rows.mask, &rows.index[..active]);
                }
            }
        }
        self.intersect(rows, by_gone)
    }

    /// Keeps the rows in the mask, or those outside.
    fn intersect(&mut self, rows: &mut PossibleRows, outside: bool) -> Result<bool, Conflict> {
        let mut active = self.state.get(rows.count) as usize;
        let (mut changed, mut i) = (false, 0);
        while i < active {
            let w = rows.index[i] as usize;
            let old = self.state.get(rows.words + w);
            let mask = if outside { !rows.mask[w] } else { rows.mask[w] };
            let new = old & mask;
            if new != old {
                changed = true;
                self.state.set(&mut self.trail, rows.words + w, new);
            }
            if new == 0 {
                active -= 1;
                rows.index.swap(i, active);
            } else {
                i += 1;
            }
        }
        self.state.set(&mut self.trail, rows.count, active as u64);
        if active == 0 { Err(Conflict) } else { Ok(changed) }
    }

    /// The values of a column that a possible row has.
    fn supported_values(
        &mut self,
        rows: &mut PossibleRows,
        i: usize,
        factor: i64,
        var: Var,
        offset: i64,
    ) -> Option<Domain> {
        let active = self.state.get(rows.count) as usize;
        let PossibleRows { table, index, hints, words, .. } = rows;
        let (column, hints) = (&table.columns()[i], &mut hints[i]);
        let state = &self.state;
        let mut supported = |place: usize| {
            let word = |w: usize| state.get(*words + w);
            find(column, place, &mut hints[place], &index[..active], word)
        };
        let d = self.domains[var];
        if d.has_mask() {
            self.work += d.size() / 16;
            return d.filter(|x| {
                let place = image(factor, x, offset).and_then(|v| column.place(v));
                place.is_some_and(&mut supported)
            });
        }
        // A wide domain has no holes: its ends must have a row.
        let mut fit = column
            .values()
            .iter()
            .enumerate()
            .filter(|(_, v)| may_be(&d, factor, offset, **v))
            .map(|(place, v)| (place, preimage(factor, offset, *v)));
        let first = fit.find(|(place, _)| supported(*place))?.1?;
        let last = fit.rfind(|(place, _)| supported(*place)).map_or(Some(first), |l| l.1)?;
        self.work += column.values().len() as u64 / 16;
        d.clamp(first.min(last), first.max(last))
    }
}

/// Is there a possible row with the value at a place of a column?
fn find(
    column: &Column,
    place: usize,
    hint: &mut u32,
    active: &[u32],
    word: impl Fn(usize) -> u64,
) -> bool {
    match column.support(place) {
        Support::Bits(bits) => {
            if bits[*hint as usize] & word(*hint as usize) != 0 {
                return true;
            }
            match active.iter().find(|w| bits[**w as usize] & word(**w as usize) != 0) {
                Some(w) => {
                    *hint = *w;
                    true
                }
                None => false,
            }
        }
        Support::List(list) => {
            list.iter().any(|row| word(*row as usize / 64) >> (row % 64) & 1 == 1)
        }
    }
}

fn image(factor: i64, x: i64, offset: i64) -> Option<i64> {
    factor.checked_mul(x)?.checked_add(offset)
}

fn preimage(factor: i64, offset: i64, v: i64) -> Option<i64> {
    let rest = v.checked_sub(offset)?;
    (rest.checked_rem(factor)? == 0).then(|| rest / factor)
}

fn may_be(d: &Domain, factor: i64, offset: i64, v: i64) -> bool {
    if factor == 1 && offset == 0 {
        return d.contains(v);
    }
    preimage(factor, offset, v).is_some_and(|x| d.contains(x))
}
