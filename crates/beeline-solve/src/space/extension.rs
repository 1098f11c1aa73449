//! Tables inside other forms: the rows that are still possible are worked out afresh each time.

use super::form::Term;
use super::table::Table;
use super::{Conflict, Space, Var};

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

impl Table {
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
        let mut unfixed = (0..views.len()).filter(|i| views[*i].size(self) > 1);
        let (first, second) = (unfixed.next(), unfixed.next());
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
