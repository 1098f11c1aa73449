//! Sums of variables against a number, in plain 64-bit arithmetic.
//!
//! Only sums that cannot overflow are taken (see [`Linear::new`]); all others stay general forms.

use super::form::Form;
use super::form::Term;
use super::literal::{Literal, Says};
use super::{Conflict, Space, Var, When};
use crate::domain::Domain;
use beeline_fault::{Flaw, planted};

/// How the sum compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    AtMost,
    Different,
}

/// `factor * var + ... + constant` against zero.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub parts: Vec<(i64, Var)>,
    pub constant: i64,
    pub relation: Relation,
}

/// Bounds and factors below these, and fewer parts, cannot overflow in a sum.
const BOUND: i64 = 1 << 36;
const FACTOR: i64 = 1 << 14;
const PARTS: usize = 1 << 12;

impl Linear {
    /// A comparison of terms, if it is linear over bounded variables.
    pub(crate) fn new(space: &Space, form: &Form, wanted: bool) -> Option<Linear> {
        let (a, b, relation) = match (form, wanted) {
            (Form::Eq(a, b), true) => (a, b, Relation::Equal),
            (Form::Eq(a, b), false) => (a, b, Relation::Different),
            (Form::Le(a, b), true) => (a, b, Relation::AtMost),
            // not a <= b: b + 1 <= a
            (Form::Le(a, b), false) => (b, a, Relation::AtMost),
            _ => return None,
        };
        let mut sum = Linear { parts: Vec::new(), constant: 0, relation };
        if !wanted && relation == Relation::AtMost {
            sum.constant = 1;
        }
        sum.add(space, a, 1)?;
        sum.add(space, b, -1)?;
        // Sums of small factors are small.
        if sum.parts.iter().any(|(factor, _)| factor.unsigned_abs() > FACTOR as u64) {
            return None;
        }
        sum.parts.sort_unstable_by_key(|p| p.1);
        sum.parts.dedup_by(|later, first| {
            let same = later.1 == first.1;
            if same {
                first.0 += later.0;
            }
            same
        });
        sum.parts.retain(|p| p.0 != 0);
        let calm = sum.parts.len() <= PARTS
            && sum.constant.unsigned_abs() < 1 << 60
            && sum.parts.iter().all(|(factor, var)| {
                let d = space.domain(*var);
                factor.abs() <= FACTOR && -BOUND <= d.lo() && d.hi() <= BOUND
            });
        calm.then_some(sum)
    }

    /// Adds a factor times a term; nothing if it is not linear.
    fn add(&mut self, space: &Space, term: &Term, factor: i64) -> Option<()> {
        if self.parts.len() > 2 * PARTS {
            return None;
        }
        match term {
            Term::Const(c) => self.add_constant(factor.checked_mul(*c)?),
            Term::Var(v) => {
                self.parts.push((factor, *v));
                Some(())
            }
            Term::Sum(parts, c) => {
                for (inner, term) in parts {
                    self.add(space, term, factor.checked_mul(*inner)?)?;
                }
                self.add_constant(factor.checked_mul(*c)?)
            }
            Term::Count(forms) => forms.iter().try_for_each(|f| self.add_flag(space, f, factor)),
            Term::If(condition, a, b) => match (&**a, &**b) {
                (Term::Const(a), Term::Const(b)) => {
                    self.add_constant(factor.checked_mul(*b)?)?;
                    self.add_flag(space, condition, factor.checked_mul(a.checked_sub(*b)?)?)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn add_constant(&mut self, c: i64) -> Option<()> {
        self.constant = self.constant.checked_add(c)?;
        Some(())
    }

    /// Adds a factor if a form holds: a variable between 0 and 1 says so itself.
    fn add_flag(&mut self, space: &Space, form: &Form, factor: i64) -> Option<()> {
        if let Form::Const(b) = form {
            return self.add_constant(if *b { factor } else { 0 });
        }
        let literal = Literal::of(form, true)?;
        let d = space.domain(literal.var);
        if d.lo() < 0 || d.hi() > 1 {
            return None;
        }
        let yes = match (literal.says, literal.value) {
            (Says::Is, 1) | (Says::IsNot, 0) | (Says::Above, 0) => true,
            (Says::Is, 0) | (Says::IsNot, 1) | (Says::AtMost, 0) => false,
            _ => return None,
        };
        if yes {
            self.parts.push((factor, literal.var));
        } else {
            self.add_constant(factor)?;
            self.parts.push((factor.checked_neg()?, literal.var));
        }
        Some(())
    }

    /// Which changes matter.
    pub(crate) fn when(&self) -> When {
        match self.relation {
            Relation::Different => When::Fixed,
            Relation::AtMost => When::Bounds,
            // Two variables that determine each other keep their holes.
            Relation::Equal if self.parts.len() <= 2 => When::Change,
            Relation::Equal => When::Bounds,
        }
    }
}

/// The least and the greatest of a factor times a value.
#[inline]
fn span(factor: i64, d: &Domain) -> (i64, i64) {
    if factor > 0 { (factor * d.lo(), factor * d.hi()) } else { (factor * d.hi(), factor * d.lo()) }
}

impl Space {
    pub(crate) fn look_linear(&mut self, linear: &Linear) -> Result<(), Conflict> {
        self.work += linear.parts.len() as u64 / 16;
        match linear.relation {
            Relation::AtMost => {
                let least = self.least(linear);
                self.at_most(&linear.parts, least).map(|_| ())
            }
            Relation::Different => self.not_zero(linear),
            Relation::Equal => self.zero(linear),
        }
    }

    fn least(&self, linear: &Linear) -> i64 {
        linear
            .parts
            .iter()
            .fold(linear.constant, |sum, (factor, var)| sum + span(*factor, &self.domains[*var]).0)
    }

    fn most(&self, linear: &Linear) -> i64 {
        linear
            .parts
            .iter()
            .fold(linear.constant, |sum, (factor, var)| sum + span(*factor, &self.domains[*var]).1)
    }

    /// A sum with this least value is at most zero; did something change?
    fn at_most(&mut self, parts: &[(i64, Var)], least: i64) -> Result<bool, Conflict> {
        if least > 0 {
            return Err(Conflict);
        }
        let room = if planted(Flaw::SolverRemoves) { (-least - 1).max(0) } else { -least };
        let mut changed = false;
        for &(factor, var) in parts {
            let d = &self.domains[var];
            if (d.hi() - d.lo()) * factor.abs() <= room {
                continue;
            }
            changed = true;
            let new = if factor > 0 {
                d.clamp(i64::MIN, d.lo() + room / factor)
            } else {
                d.clamp(d.hi() - room / -factor, i64::MAX)
            };
            self.narrow(var, new)?;
        }
        Ok(changed)
    }

    /// A sum with this greatest value is at least zero; did something change?
    fn at_least(&mut self, parts: &[(i64, Var)], most: i64) -> Result<bool, Conflict> {
        if most < 0 {
            return Err(Conflict);
        }
        let mut changed = false;
        for &(factor, var) in parts {
            let d = &self.domains[var];
            if (d.hi() - d.lo()) * factor.abs() <= most {
                continue;
            }
            changed = true;
            let new = if factor > 0 {
                d.clamp(d.hi() - most / factor, i64::MAX)
            } else {
                d.clamp(i64::MIN, d.lo() + most / -factor)
            };
            self.narrow(var, new)?;
        }
        Ok(changed)
    }

    fn zero(&mut self, linear: &Linear) -> Result<(), Conflict> {
        if let [(f, x), (g, y)] = linear.parts[..]
            && self.domains[x].has_mask()
            && self.domains[y].has_mask()
        {
            self.fit(x, f, y, g, linear.constant)?;
            return self.fit(y, g, x, f, linear.constant);
        }
        // Bounds that chase each other over wide domains are left to the queue.
        for _ in 0..4 {
            let least = self.least(linear);
            let mut changed = self.at_most(&linear.parts, least)?;
            let most = self.most(linear);
            changed |= self.at_least(&linear.parts, most)?;
            if !changed {
                return Ok(());
            }
            self.work += linear.parts.len() as u64 / 16;
        }
        Ok(())
    }

    /// `f * x + g * y + c = 0`: only the values of x to which there is a y.
    fn fit(&mut self, x: Var, f: i64, y: Var, g: i64, c: i64) -> Result<(), Conflict> {
        let partner = self.domains[y];
        let new = self.domains[x].filter(|v| {
            let rest = -(f * v + c);
            rest % g == 0 && partner.contains(rest / g)
        });
        self.narrow(x, new)
    }

    /// The sum is not zero: the last unfixed variable is not what is missing.
    fn not_zero(&mut self, linear: &Linear) -> Result<(), Conflict> {
        let mut unfixed = None;
        let mut sum = linear.constant;
        for &(factor, var) in &linear.parts {
            let d = &self.domains[var];
            if d.is_fixed() {
                sum += factor * d.lo();
            } else if unfixed.is_some() {
                return Ok(());
            } else {
                unfixed = Some((factor, var));
            }
        }
        match unfixed {
            None if sum == 0 => Err(Conflict),
            Some((factor, var)) if sum % factor == 0 => self.remove(var, -sum / factor),
            _ => Ok(()),
        }
    }
}
