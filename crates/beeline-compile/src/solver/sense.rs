//! Truths for the solver that may have no meaning: when one holds, and when it is undefined.
//!
//! Where it neither holds nor is undefined, it is false. Connectives follow the rule of the whole
//! program: what decides, decides, even beside a part without a meaning. This module does not know
//! where the conditions come from.

use beeline_solve::Form;

/// When a truth holds, and when it has no meaning. Never both.
#[derive(Clone, Debug)]
pub(crate) struct Sense {
    pub holds: Form,
    pub undefined: Form,
}

impl From<Form> for Sense {
    fn from(holds: Form) -> Sense {
        Sense { holds, undefined: Form::Const(false) }
    }
}

impl Sense {
    /// Has it a meaning everywhere?
    pub fn is_total(&self) -> bool {
        matches!(self.undefined, Form::Const(false))
    }

    /// Is it known, everywhere?
    pub fn is_always(&self, truth: bool) -> bool {
        self.is_total() && matches!(self.holds, Form::Const(b) if b == truth)
    }

    /// Not false: true, or without a meaning.
    pub fn not_false(&self) -> Form {
        Form::or(vec![self.holds.clone(), self.undefined.clone()])
    }

    /// The same where the conditions hold, no meaning elsewhere.
    pub fn given(self, conditions: Vec<Form>) -> Sense {
        match Form::and(conditions) {
            Form::Const(true) => self,
            condition => Sense {
                holds: Form::and(vec![condition.clone(), self.holds]),
                undefined: Form::or(vec![Form::not(condition), self.undefined]),
            },
        }
    }

    /// Negation.
    pub fn not(self) -> Sense {
        match self.is_total() {
            true => Form::not(self.holds).into(),
            false => Sense { holds: Form::not(self.not_false()), undefined: self.undefined },
        }
    }

    /// Conjunction: a false part decides.
    pub fn and(parts: Vec<Sense>) -> Sense {
        let undefined = match parts.iter().all(Sense::is_total) {
            true => Form::Const(false),
            false => {
                let mut all: Vec<Form> = parts.iter().map(Sense::not_false).collect();
                all.push(Form::or(parts.iter().map(|p| p.undefined.clone()).collect()));
                Form::and(all)
            }
        };
        Sense { holds: Form::and(parts.into_iter().map(|p| p.holds).collect()), undefined }
    }

    /// Disjunction: a true part decides.
    pub fn or(parts: Vec<Sense>) -> Sense {
        let total = parts.iter().all(Sense::is_total);
        let (holds, undefined): (Vec<Form>, Vec<Form>) =
            parts.into_iter().map(|p| (p.holds, p.undefined)).unzip();
        let holds = Form::or(holds);
        let undefined = match total {
            true => Form::Const(false),
            false => Form::and(vec![Form::not(holds.clone()), Form::or(undefined)]),
        };
        Sense { holds, undefined }
    }

    /// Both or none.
    pub fn iff(a: Sense, b: Sense) -> Sense {
        let undefined = Form::or(vec![a.undefined, b.undefined]);
        let same = Form::iff(a.holds, b.holds);
        Sense { holds: Form::and(vec![Form::not(undefined.clone()), same]), undefined }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_solve::{Domain, Space, Term};

    /// True, false, no meaning.
    const ALL: [Option<bool>; 3] = [Some(true), Some(false), None];

    /// A truth over a variable with values 0, 1, 2 for the three.
    fn over(space: &mut Space) -> (usize, Sense) {
        let var = space.var(Domain::between(0, 2).unwrap());
        let is = |n| Form::eq(Term::Var(var), Term::Const(n));
        (var, Sense { holds: is(0), undefined: is(2) })
    }

    /// What a sense is for each pair of truths.
    fn table(make: fn(Sense, Sense) -> Sense) -> Vec<Option<bool>> {
        let mut out = Vec::new();
        for i in 0..9_i64 {
            let mut space = Space::new();
            let ((x, a), (y, b)) = (over(&mut space), over(&mut space));
            let sense = make(a, b);
            space.post(Form::eq(Term::Var(x), Term::Const(i / 3)));
            space.post(Form::eq(Term::Var(y), Term::Const(i % 3)));
            space.propagate().unwrap();
            out.push(match (space.truth(&sense.holds), space.truth(&sense.undefined)) {
                (Some(true), Some(false)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                (Some(false), Some(true)) => None,
                other => panic!("{other:?}"),
            });
        }
        out
    }

    fn expected(rule: fn(Option<bool>, Option<bool>) -> Option<bool>) -> Vec<Option<bool>> {
        ALL.iter().flat_map(|a| ALL.iter().map(move |b| rule(*a, *b))).collect()
    }

    #[test]
    fn what_decides_decides() {
        let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        let or = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        assert_eq!(table(|a, b| Sense::and(vec![a, b])), expected(and));
        assert_eq!(table(|a, b| Sense::or(vec![a, b])), expected(or));
        assert_eq!(table(Sense::iff), expected(|a, b| Some(a? == b?)));
        assert_eq!(table(|a, _| a.not()), expected(|a, _| a.map(|a| !a)));
        assert_eq!(
            table(|a, b| a.given(vec![b.holds])),
            expected(|a, b| if b == Some(true) { a } else { None })
        );
    }
}
