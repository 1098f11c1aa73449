//! What a run found.

use crate::outcome::{Agreement, Outcome, agreement};
use std::collections::BTreeMap;
use std::fmt;

/// Counts of agreements, and the differences.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Formulas that were made.
    pub formulas: u64,
    /// Evaluations with equal values.
    pub equal: u64,
    /// Evaluations without a meaning for both.
    pub ill_defined: u64,
    /// Evaluations that one of them gave up, by reason.
    pub open: BTreeMap<String, u64>,
    /// What must not be.
    pub differences: Vec<Difference>,
}

/// A formula that the two do not agree on.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Both answers.
    pub words: String,
    /// The shrunk formula.
    pub formula: String,
    /// The values of the variables it reads.
    pub values: String,
}

impl Difference {
    /// A difference without values.
    pub fn new(words: &str, formula: &str) -> Difference {
        let (words, formula) = (words.to_owned(), formula.to_owned());
        Difference { words, formula, values: String::new() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n    {}\n    with {}", self.formula, self.words, self.values)
    }
}

impl Counts {
    /// Counts one pair of answers.
    pub fn add(&mut self, engine: &Outcome, judge: &Outcome) {
        match agreement(engine, judge) {
            Agreement::Equal => self.equal += 1,
            Agreement::IllDefined => self.ill_defined += 1,
            Agreement::Different => {}
            Agreement::Open => {
                let reason = match (engine, judge) {
                    (Outcome::Open(why), _) | (_, Outcome::Open(why)) => why.clone(),
                    (Outcome::Symbolic, Outcome::Symbolic) => "both: not listed".to_owned(),
                    (Outcome::Symbolic, _) => "engine: not listed".to_owned(),
                    _ => "judge: not listed".to_owned(),
                };
                self.open(&reason);
            }
        }
    }

    /// Counts an evaluation that was given up.
    pub fn open(&mut self, reason: &str) {
        // Reasons with numbers and values in them would each be their own.
        let short: String = reason.chars().take_while(|c| !c.is_ascii_digit()).take(60).collect();
        *self.open.entry(short).or_default() += 1;
    }

    /// All evaluations.
    pub fn evaluations(&self) -> u64 {
        self.equal + self.ill_defined + self.opened() + self.differences.len() as u64
    }

    /// Evaluations that one of them gave up.
    pub fn opened(&self) -> u64 {
        self.open.values().sum()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, opened) = (self.evaluations().max(1), self.opened());
        let percent = |n: u64| 100.0 * n as f64 / all as f64;
        write!(
            f,
            "{} formulas, {} evaluations: {} equal ({:.1} %), {} ill-defined ({:.1} %), {} given up \
             ({:.1} %), {} differences",
            self.formulas,
            self.evaluations(),
            self.equal,
            percent(self.equal),
            self.ill_defined,
            percent(self.ill_defined),
            opened,
            percent(opened),
            self.differences.len()
        )
    }
}
