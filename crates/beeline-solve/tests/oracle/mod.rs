//! The meaning of terms and forms, plainly, and all solutions by trying all values.
#![allow(dead_code, clippy::unwrap_used)]

use beeline_solve::{Domain, Form, Space, Term};
use std::convert::Infallible;

/// Numbers that look random and are the same each time.
pub struct Random(pub u64);

impl Random {
    /// Less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// The value of a term; nothing if it has none.
pub fn eval(t: &Term, v: &[i64]) -> Option<i64> {
    Some(match t {
        Term::Const(c) => *c,
        Term::Var(i) => v[*i],
        Term::Sum(parts, c) => {
            let mut sum = *c;
            for (f, t) in parts {
                sum += f * eval(t, v)?;
            }
            sum
        }
        Term::Mul(a, b) => eval(a, v)? * eval(b, v)?,
        Term::Div(a, b) => eval(a, v)?.checked_div(eval(b, v)?)?,
        Term::Mod(a, b) => eval(a, v)?.checked_rem(eval(b, v)?)?,
        Term::Element(i, table) => {
            let index = eval(i, v)?;
            eval(&table.iter().find(|(k, _)| *k == index)?.1, v)?
        }
        Term::Count(forms) => {
            let mut n = 0;
            for form in forms {
                n += i64::from(holds(form, v)?);
            }
            n
        }
        Term::If(c, a, b) => {
            if holds(c, v)? {
                eval(a, v)?
            } else {
                eval(b, v)?
            }
        }
    })
}

/// The truth of a form; nothing if it has none.
pub fn holds(form: &Form, v: &[i64]) -> Option<bool> {
    Some(match form {
        Form::Const(b) => *b,
        Form::Eq(a, b) => eval(a, v)? == eval(b, v)?,
        Form::Le(a, b) => eval(a, v)? <= eval(b, v)?,
        Form::In(t, values) => values.contains(&eval(t, v)?),
        Form::And(parts) => {
            for p in parts {
                if !holds(p, v)? {
                    return Some(false);
                }
            }
            true
        }
        Form::Or(parts) => {
            for p in parts {
                if holds(p, v)? {
                    return Some(true);
                }
            }
            false
        }
        Form::Not(p) => !holds(p, v)?,
        Form::Iff(a, b) => holds(a, v)? == holds(b, v)?,
        Form::AllDifferent(terms) => {
            let values: Option<Vec<i64>> = terms.iter().map(|t| eval(t, v)).collect();
            let values = values?;
            (0..values.len()).all(|i| !values[..i].contains(&values[i]))
        }
        Form::Table(terms, table) => {
            let values: Option<Vec<i64>> = terms.iter().map(|t| eval(t, v)).collect();
            let values = values?;
            table.rows().any(|row| row == values)
        }
    })
}

/// What the solver finds, in its order.
pub fn solutions(forms: &[Form], bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    solve(Space::new(), forms, bounds)
}

fn solve(mut space: Space, forms: &[Form], bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    for (lo, hi) in bounds {
        space.var(Domain::between(*lo, *hi).unwrap());
    }
    forms.iter().for_each(|f| space.post(f.clone()));
    let order: Vec<usize> = (0..bounds.len()).collect();
    let mut found = Vec::new();
    let outcome: Result<(), Infallible> = space.solve(&order, &mut |_| Ok(true), &mut |s| {
        found.push(order.iter().map(|&v| s.value(v).unwrap()).collect());
        Ok(())
    });
    assert!(outcome.is_ok());
    found
}

/// What there is, in order.
pub fn expected(forms: &[Form], bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let mut values: Vec<i64> = bounds.iter().map(|b| b.0).collect();
    loop {
        if forms.iter().all(|f| holds(f, &values) == Some(true)) {
            found.push(values.clone());
        }
        let Some(i) = (0..values.len()).rfind(|i| values[*i] < bounds[*i].1) else {
            return found;
        };
        values[i] += 1;
        (i + 1..values.len()).for_each(|j| values[j] = bounds[j].0);
    }
}

/// The solver finds what there is, each once.
pub fn compare(forms: &[Form], bounds: &[(i64, i64)]) {
    let expected = expected(forms, bounds);
    let mut found = solutions(forms, bounds);
    found.sort();
    assert_eq!(found, expected, "{forms:?} in {bounds:?}");
    let mut closer = Space::new();
    closer.look_closer();
    let mut found = solve(closer, forms, bounds);
    found.sort();
    assert_eq!(found, expected, "looking closer: {forms:?} in {bounds:?}");
}
