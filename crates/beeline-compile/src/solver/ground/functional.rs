//! Relations that turn out to be functions.
//!
//! A set of pairs is unknown pair by pair. Where the constraints leave no key with two values, which
//! is found out by trying, each key also gets a variable for its value. What is said about values
//! then has a meaning, and is said about one variable in place of many.

use super::*;

/// Larger relations are not looked at.
const MOST_PAIRS: usize = 4_096;

/// What a key may be mapped to: values, and the variables that say so.
type Row = (Val, Vec<(Val, Var)>);

impl Grounding {
    /// Names that are relations become functions if they can be nothing else. All constraints that
    /// are known must have been propagated.
    pub(super) fn find_functions<'s>(&mut self, f: &mut Frame<'s>) -> Result<(), Stop> {
        for place in 0..self.names.len() {
            let Some(rows) = self.rows_of(f, place) else { continue };
            if self.is_functional(&rows) {
                f.pay(rows.iter().map(|r| r.1.len() as u64).sum(), Span::NONE)?;
                if let Some(function) = self.channelled(f, rows) {
                    self.names[place] = V::Function(function);
                }
            }
        }
        Ok(())
    }

    /// The possible pairs of a relation by key; nothing if it is something else.
    fn rows_of(&self, f: &Frame<'_>, place: usize) -> Option<Vec<Row>> {
        let V::Set(parts) = &self.names[place] else { return None };
        if parts.len() > MOST_PAIRS {
            return None;
        }
        let mut rows: Vec<Row> = Vec::new();
        for (pair, form) in parts {
            let (key, value) = f.store.as_pair(*pair)?;
            let Form::Eq(Term::Var(var), Term::Const(1)) = form else { return None };
            if self.space.truth(form) == Some(false) {
                continue;
            }
            match rows.iter_mut().find(|row| row.0 == key) {
                Some(row) => row.1.push((value, *var)),
                None => rows.push((key, vec![(value, *var)])),
            }
        }
        Some(rows)
    }

    /// Does each pair rule out all others with its key?
    fn is_functional(&mut self, rows: &[Row]) -> bool {
        rows.iter().all(|(_, values)| {
            values.iter().all(|(_, var)| {
                let alone = |space: &Space| {
                    values.iter().all(|(_, v)| v == var || space.value(*v) == Some(0))
                };
                // A pair that is not possible rules out nothing, and need not.
                values.len() == 1 || self.space.suppose(*var, 1, alone) != Some(false)
            })
        })
    }

    /// A variable for the value of each key, tied to those of the pairs.
    fn channelled(&mut self, f: &Frame<'_>, rows: Vec<Row>) -> Option<Vec<(Val, Form, V)>> {
        let scalars = rows.iter().flat_map(|r| &r.1).all(|(v, _)| code(f, *v).is_some());
        let mut function = Vec::with_capacity(rows.len());
        for (key, values) in rows {
            let codes: Vec<i64> = match scalars {
                true => values.iter().filter_map(|(v, _)| code(f, *v)).collect(),
                false => (0..values.len() as i64).collect(),
            };
            let (lo, hi) = (*codes.iter().min()?, *codes.iter().max()?);
            let value = Term::Var(self.space.var(Domain::between(lo, hi)?));
            let defined = self.space.var(Domain::between(0, 1)?);
            let is_defined = Form::eq(Term::Var(defined), Term::Const(1));
            let mut ways = Vec::new();
            for ((_, var), code) in values.iter().zip(&codes) {
                let pair = Form::eq(Term::Var(*var), Term::Const(1));
                let here = Form::eq(value.clone(), Term::Const(*code));
                let both = Form::and(vec![is_defined.clone(), here]);
                self.space.post(Form::iff(pair.clone(), both));
                ways.push(pair);
                self.shadows.insert(*var);
            }
            self.space.post(Form::iff(is_defined.clone(), Form::or(ways)));
            // An undefined place has one value, so that it counts once.
            let least = Form::eq(value.clone(), Term::Const(lo));
            self.space.post(Form::or(vec![is_defined.clone(), least]));
            let certain =
                self.space.propagate().is_ok() && self.space.suppose(defined, 0, |_| ()).is_none();
            if certain {
                self.space.post(is_defined.clone());
            }
            let result = match scalars {
                true => scalar_like(values[0].0, value),
                false => V::Listed(value, (0..).zip(values.iter().map(|v| v.0)).collect()),
            };
            function.push((key, if certain { Form::Const(true) } else { is_defined }, result));
        }
        Some(function)
    }
}
