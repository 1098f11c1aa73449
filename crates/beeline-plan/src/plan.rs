//! The plan of a query: what is done in which order until all names have a value.
//!
//! Plain data over formulas of the model. Values come in the order of the plan: whoever follows it finds
//! solutions in the same order, in whatever form it is run.

use crate::name::{Name, as_name};
use crate::names::Names;
use beeline_model::{BinaryOp, ConstantId, Expr, ExprKind, LocalId, Model, Pred};
use beeline_source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

mod question;

pub use question::{Constraint, Question, Range, Source, TermPlan, TruthPlan, Unknown};

/// How the names of a query get their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What is done, in this order.
    pub steps: Vec<PlanStep>,
    /// Some name is enumerated from an infinite set.
    pub unbounded: bool,
    /// Rough number of candidates.
    pub fanout: f64,
    /// Could it be otherwise? Noted for whole queries, not for plans inside a plan.
    pub leeway: Leeway,
}

/// One step, and what the planner expects of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStep {
    /// What is done.
    pub act: Act,
    /// How many values it tries for each choice before it, about; 1e300 is without end.
    pub fanout: f64,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Goes on if it holds.
    Test {
        /// All names in it have a value.
        pred: Pred,
        /// For `x : S` with a plain S: x, which takes its values from here should its own generator
        /// have no meaning.
        source: Option<Name>,
    },
    /// Gives values to names.
    Bind {
        /// Where the values come from.
        from: Generator,
        /// The names.
        binds: BTreeSet<Name>,
        /// Those that have few values: what they can be where the generator has no meaning.
        few: Vec<Name>,
    },
    /// Takes one plan if functions are given point by point, and another if they are not.
    Points(Box<Points>),
    /// The propagating solver finds all names that a question is about.
    Solve(Box<Question>),
}

/// A way to bind names.
#[derive(Clone, Debug, PartialEq)]
pub enum Generator {
    /// `pattern = value`
    Value {
        /// Names, pairs and records of them, and expressions over names that have a value.
        pattern: Expr,
        /// What it is equal to.
        value: Expr,
    },
    /// `f = %x.(P | … f(…) …)`
    Recursive(Vec<(ConstantId, Expr)>),
    /// Each element of a set, in canonical order.
    Member {
        /// As for `Value`.
        pattern: Expr,
        /// Where its values come from.
        set: Expr,
    },
    /// An integer in a set, which lies between these too: should the set turn out infinite.
    Within {
        /// The name.
        name: Name,
        /// Where its values come from.
        set: Expr,
        /// Lower bounds.
        lows: Vec<Expr>,
        /// Upper bounds.
        highs: Vec<Expr>,
    },
    /// Every subset of a set.
    Subset {
        /// The name.
        name: Name,
        /// The whole.
        set: Expr,
        /// Where that is said.
        span: Span,
    },
    /// All integers between the greatest of the lower and the least of the upper bounds.
    Between {
        /// The name.
        name: Name,
        /// Lower bounds.
        lows: Vec<Expr>,
        /// Upper bounds.
        highs: Vec<Expr>,
        /// Where that is said.
        span: Span,
    },
    /// Solutions of any of several plans, each once.
    Any {
        /// The alternatives.
        plans: Vec<Arc<Plan>>,
        /// The names that all of them bind.
        names: Vec<Name>,
        /// They are the branches of an `IF`, and not those of a conjunct.
        of_if: bool,
    },
    /// `a ^ b ^ … = value`
    Pieces {
        /// The parts.
        parts: Vec<Expr>,
        /// The whole.
        value: Expr,
    },
    /// Every value of its type.
    Type(Name),
}

/// Two plans: one for when points cover the domains of functions, one for when they do not.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// The functions.
    pub functions: Vec<ByPoints>,
    /// What is left to do when they are known.
    pub covered: Plan,
    /// What is done when they are not.
    pub otherwise: Plan,
}

/// A function with a known domain, some known values, and equations for others.
#[derive(Clone, Debug, PartialEq)]
pub struct ByPoints {
    /// The function.
    pub name: Name,
    /// Its domain.
    pub domain: Expr,
    /// Entries that are written down.
    pub points: Vec<(Expr, Expr)>,
    /// Entries that are said in terms of others.
    pub rules: Vec<Rule>,
}

/// `!locals.(conditions => f(key) = value)`, or the same for a part of `f(key)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The names.
    pub locals: Vec<LocalId>,
    /// How they are found.
    pub plan: Plan,
    /// The argument.
    pub key: Expr,
    /// What of the entry is meant.
    pub part: Part<Expr>,
    /// What it is equal to.
    pub value: Expr,
}

/// Which part of an entry an equation is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<T> {
    /// All of it.
    Whole,
    /// One item, by its place, of an entry that is a sequence.
    Item(T),
    /// The length of such a sequence.
    Length,
}

/// Is there anything to plan in another way?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leeway {
    /// A choice could have been made in another way.
    pub has_rivals: bool,
    /// Part of it is no plain list of steps: the solver's affair, say.
    pub is_special: bool,
}

impl Leeway {
    /// Notes what another plan has beside.
    pub fn join(&mut self, other: Leeway) {
        self.has_rivals |= other.has_rivals;
        self.is_special |= other.is_special;
    }
}

impl Plan {
    /// One that tries nothing yet.
    pub(crate) fn new() -> Plan {
        Plan { fanout: 1.0, ..Plan::default() }
    }

    /// How many choices are tried in all, by what is expected of each step.
    pub fn candidates(&self) -> f64 {
        self.steps.iter().map(|step| step.fanout).product()
    }
}

impl Generator {
    /// Where values come from, in words; nothing for what gives one value, or is no plain step.
    pub fn in_words(&self, model: &Model) -> String {
        match self {
            Generator::Member { pattern, set } => {
                format!("{} in {}", model.show_expr(pattern), model.show_expr(set))
            }
            Generator::Within { name, set, .. } => {
                format!("{} in {}", name.text(model), model.show_expr(set))
            }
            Generator::Subset { name, set, .. } => {
                format!("{} within {}", name.text(model), model.show_expr(set))
            }
            Generator::Between { name, .. } => format!("{} between bounds", name.text(model)),
            Generator::Type(name) => format!("{} of its type", name.text(model)),
            _ => String::new(),
        }
    }
}

/// How a value is taken apart.
pub enum Pattern<'a> {
    /// The part becomes the value of a name.
    Bind(Name),
    /// The part must be equal.
    Check(&'a Expr),
    /// A pair of patterns.
    Pair(Box<Pattern<'a>>, Box<Pattern<'a>>),
    /// A record of patterns.
    Record(Vec<Pattern<'a>>),
}

/// An expression as a pattern that binds those of the unbound names that it mentions; `binds` are the
/// names that are bound already, and then those it binds too. Nothing if it is no pattern.
pub fn pattern_of<'e>(
    model: &Model,
    e: &'e Expr,
    unbound: &BTreeSet<Name>,
    binds: &mut BTreeSet<Name>,
) -> Option<Pattern<'e>> {
    // A name that occurs twice is bound the first time, and compared the second.
    if let Some(name) = as_name(e)
        && unbound.contains(&name)
        && binds.insert(name)
    {
        return Some(Pattern::Bind(name));
    }
    let unknown = Names::of_expr(model, e).among(unbound);
    // What the pattern itself has bound further left may be used.
    if unknown.iter().all(|n| binds.contains(n)) {
        return Some(Pattern::Check(e));
    }
    match &e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            let left = pattern_of(model, a, unbound, binds)?;
            let right = pattern_of(model, b, unbound, binds)?;
            Some(Pattern::Pair(Box::new(left), Box::new(right)))
        }
        ExprKind::Record(fields) => {
            let parts: Option<Vec<_>> =
                fields.iter().map(|f| pattern_of(model, f, unbound, binds)).collect();
            Some(Pattern::Record(parts?))
        }
        _ => None,
    }
}
