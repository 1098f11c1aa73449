//! Constraints in extension: terms together take one of the listed rows.
//!
//! Propagation works on sets of rows, a bit for each (after compact-table, Demeulenaere et al. 2016).
//! Every value of a column knows its rows. The rows that are still possible are those whose values
//! all are; a value that none of them has goes away. A [`Table`] does not change and may be shared by
//! any number of constraints. Here, for tables inside other forms, the possible rows are worked out
//! afresh each time; `rows` keeps them for tables that must hold.

use crate::space::{Conflict, Space, Var};
use crate::term::Term;

/// Rows of numbers, all of one length.
#[derive(Debug)]
pub struct Table {
    /// How many rows there are.
    rows: usize,
    /// The rows one after the other, sorted.
    flat: Box<[i64]>,
    columns: Vec<Column>,
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
    values: Box<[i64]>,
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

    /// The rows that agree with what the terms may be; nothing if there is none.
    fn possible(&self, views: &[View], space: &Space) -> Option<Vec<u64>> {
        let mut rows = self.all_rows();
        let mut mask = Vec::new();
        for (column, view) in self.columns.iter().zip(views) {
            column.restrict(&mut rows, &mut mask, |v| view.may_be(space, v));
        }
        rows.iter().any(|w| *w != 0).then_some(rows)
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
    fn restrict(&self, rows: &mut [u64], mask: &mut Vec<u64>, allowed: impl Fn(i64) -> bool) {
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
    fn supported(&self, place: usize, rows: &[u64]) -> bool {
        match &self.rows[place] {
            Support::Bits(bits) => bits.iter().zip(rows).any(|(b, r)| b & r != 0),
            Support::List(list) => list.iter().any(|r| rows[*r as usize / 64] >> (r % 64) & 1 == 1),
        }
    }
}

/// What a term may be, looked up once.
#[derive(Clone, Copy)]
enum View {
    /// A factor times a variable, plus a number.
    Affine(i64, Var, i64),
    /// Anything between.
    Range(i64, i64),
}

impl View {
    fn of(space: &Space, term: &Term) -> View {
        match term {
            Term::Var(v) => View::Affine(1, *v, 0),
            Term::Sum(parts, c) if parts.len() == 1 => match parts[0] {
                (factor, Term::Var(v)) if factor != 0 => View::Affine(factor, v, *c),
                _ => View::between(space, term),
            },
            _ => View::between(space, term),
        }
    }

    fn between(space: &Space, term: &Term) -> View {
        let (lo, hi) = term.bounds(space);
        View::Range(lo, hi)
    }

    fn may_be(&self, space: &Space, value: i64) -> bool {
        match *self {
            View::Affine(1, var, 0) => space.domains[var].contains(value),
            View::Affine(factor, var, c) => {
                let (rest, factor) = (i128::from(value) - i128::from(c), i128::from(factor));
                rest % factor == 0
                    && i64::try_from(rest / factor).is_ok_and(|v| space.domains[var].contains(v))
            }
            View::Range(lo, hi) => lo <= value && value <= hi,
        }
    }

    /// At most how many values it may have.
    fn size(&self, space: &Space) -> u64 {
        match *self {
            View::Affine(_, var, _) => space.domains[var].size(),
            View::Range(lo, hi) => hi.abs_diff(lo).saturating_add(1),
        }
    }
}

fn views(space: &Space, terms: &[Term]) -> Vec<View> {
    terms.iter().map(|t| View::of(space, t)).collect()
}

impl Space {
    pub(crate) fn truth_table(&self, terms: &[Term], table: &Table) -> Option<bool> {
        let views = views(self, terms);
        let Some(rows) = table.possible(&views, self) else { return Some(false) };
        // If there are as many rows as there are combinations, each is there.
        let combinations =
            views.iter().try_fold(1u64, |product, view| product.checked_mul(view.size(self)))?;
        let count: u64 = rows.iter().map(|w| u64::from(w.count_ones())).sum();
        (count == combinations).then_some(true)
    }

    pub(crate) fn force_table(
        &mut self,
        terms: &[Term],
        table: &Table,
        wanted: bool,
    ) -> Result<(), Conflict> {
        let views = views(self, terms);
        if !wanted {
            return self.force_no_row(terms, table, &views);
        }
        let rows = table.possible(&views, self).ok_or(Conflict)?;
        for ((column, view), term) in table.columns.iter().zip(&views).zip(terms) {
            if view.size(self) == 1 {
                continue;
            }
            let supported = |v: i64| column.place(v).is_some_and(|p| column.supported(p, &rows));
            let mut fit = column.values.iter().copied().filter(|v| view.may_be(self, *v));
            let least = fit.find(|v| supported(*v)).ok_or(Conflict)?;
            let most = fit.rfind(|v| supported(*v)).unwrap_or(least);
            self.restrict(term, least, most)?;
            if let View::Affine(factor, var, c) = *view {
                let image = |v: i64| factor.checked_mul(v).and_then(|v| v.checked_add(c));
                let new = self.domains[var].filter(|v| image(v).is_some_and(supported));
                self.narrow(var, new)?;
            }
        }
        Ok(())
    }

    /// None of the rows: once all terms but one are fixed, that one must not complete a row.
    fn force_no_row(
        &mut self,
        terms: &[Term],
        table: &Table,
        views: &[View],
    ) -> Result<(), Conflict> {
        let mut open = (0..views.len()).filter(|i| views[*i].size(self) > 1);
        let (first, second) = (open.next(), open.next());
        if second.is_some() {
            return Ok(());
        }
        let Some(rows) = table.possible(views, self) else { return Ok(()) };
        let Some((column, term)) = first.and_then(|i| Some((table.columns.get(i)?, &terms[i])))
        else {
            return Err(Conflict);
        };
        // Twice: a wide domain loses values at its ends only.
        let places = 0..column.values.len();
        for place in places.clone().chain(places.rev()) {
            if column.supported(place, &rows) {
                self.exclude(term, column.values[place])?;
            }
        }
        Ok(())
    }
}
