//! Which of the ways to bind names comes next: the one seam between the planner and a policy.
//!
//! It does not know what offers are made of. A plan is right in every order; order decides how many
//! values are tried.

use crate::defined::{is_defined, is_end};
use crate::figures::Figures;
use crate::name::Name;
use crate::plan::Generator;
use beeline_model::{Expr, ExprKind};
use std::collections::BTreeSet;

/// In which order the planner takes conjuncts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The way with the least estimated fan-out first.
    #[default]
    Estimated,
    /// As the model has them: planning is off. The first conjunct that can bind a name binds it, and
    /// a name that none can bind is taken from its type. For tests of the planner.
    AsWritten,
}

/// A way to bind some names.
pub(crate) struct Candidate {
    /// Values that it gives, about.
    pub cost: f64,
    pub unbounded: bool,
    pub binds: BTreeSet<Name>,
    /// Atoms that need no test afterwards.
    pub settles: Vec<usize>,
    pub how: Generator,
}

/// Queries with more candidates are handed to the propagating solver.
pub(crate) const WORTH_SOLVING: f64 = 1_000.0;

/// The place of what no single conjunct offers.
pub(crate) const NOWHERE: usize = usize::MAX;

/// A step of more values is not taken for its place alone: in the order of the text it need not come
/// to an end, and where there is no end something is left out that another order finds.
const TOO_MANY: f64 = WORTH_SOLVING;

/// A way that costs less is as good as any: what is expensive to find out is not looked at.
const CHEAP: f64 = 20.0;

/// The best of the offers so far.
pub(crate) struct Choice<'f> {
    policy: Policy,
    /// What is known better than by estimates.
    figures: &'f Figures,
    best: Option<(usize, Candidate)>,
    /// Ways that have an end, whole types aside.
    ways: usize,
    /// For one of them it is not plain how many values it has.
    is_guess: bool,
}

impl<'f> Choice<'f> {
    pub fn new(policy: Policy, figures: &'f Figures) -> Choice<'f> {
        Choice { policy, figures, best: None, ways: 0, is_guess: false }
    }

    /// Hears of a way to bind names that the conjunct at a place offers.
    pub fn offer(&mut self, place: usize, mut candidate: Candidate) {
        if let Some(fanout) = self.figures.of(&candidate.how) {
            candidate.cost = fanout;
        }
        // A whole type is always on offer: it is no rival that could have been chosen with reason.
        if !candidate.unbounded && !matches!(candidate.how, Generator::Type(_)) {
            self.ways += 1;
            self.is_guess |= is_guess(&candidate.how);
        }
        let is_better = match &self.best {
            None => true,
            Some((at, best)) => match self.policy {
                // Not `<=`: of equals the first stays, so that plans follow the text where nothing is known.
                Policy::Estimated => candidate.cost < best.cost,
                // What gives a constant in terms of itself is its value, unlisted; another way would list it,
                // and one set would have two words.
                Policy::AsWritten if is_recursive(&candidate) || is_recursive(best) => {
                    candidate.cost < best.cost
                }
                Policy::AsWritten => match (is_sane(&candidate), is_sane(best)) {
                    // Only steps that come to an end are taken by their place; of two that do not, the cheaper one
                    // leaves less out.
                    (true, true) => place < *at,
                    (false, false) => candidate.cost < best.cost,
                    (sane, _) => sane,
                },
            },
        };
        if is_better {
            self.best = Some((place, candidate));
        }
    }

    /// Is it good enough not to look at ways that are expensive to find?
    pub fn is_good(&self) -> bool {
        self.best.as_ref().is_some_and(|(_, best)| match self.policy {
            Policy::Estimated => best.cost <= CHEAP,
            Policy::AsWritten => is_sane(best),
        })
    }

    /// Does it bind names to the one value that they can have?
    pub fn is_certain(&self) -> bool {
        self.best.as_ref().is_some_and(|(_, best)| best.cost <= 0.0)
    }

    /// Is it a real choice, one of several ways to go on, and a guess which of them is best?
    pub fn has_rivals(&self) -> bool {
        self.ways > 1
            && self.is_guess
            && self.best.as_ref().is_some_and(|(_, best)| best.cost > 1.0)
    }

    /// Has it an end?
    pub fn is_bounded(&self) -> bool {
        self.best.as_ref().is_some_and(|(_, best)| !best.unbounded)
    }

    /// The best so far, which is then forgotten.
    pub fn take(&mut self) -> Option<Candidate> {
        self.best.take().map(|(_, best)| best)
    }

    pub fn taken(self) -> Option<Candidate> {
        self.best.map(|(_, best)| best)
    }
}

fn is_recursive(candidate: &Candidate) -> bool {
    matches!(candidate.how, Generator::Recursive(_))
}

fn is_guess(how: &Generator) -> bool {
    match how {
        Generator::Member { set, .. }
        | Generator::Within { set, .. }
        | Generator::Subset { set, .. } => !is_plain(set),
        Generator::Between { lows, highs, .. } => !lows.iter().chain(highs).all(is_plain),
        Generator::Value { .. } | Generator::Type(_) | Generator::Recursive(_) => false,
        // How many there are is known only when they are cut or asked.
        Generator::Any { .. } | Generator::Pieces { .. } => true,
    }
}

/// Does it name nothing whose value is known only when the model runs?
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::EmptySet
        | ExprKind::Integer(_)
        | ExprKind::MaxInt
        | ExprKind::MinInt
        | ExprKind::Element(..)
        | ExprKind::Bool(_) => true,
        ExprKind::Unary(_, a) => is_plain(a),
        ExprKind::Binary(_, a, b) => is_plain(a) && is_plain(b),
        ExprKind::SetExtension(parts) => parts.iter().all(is_plain),
        _ => false,
    }
}

/// Does it surely come to an end? Ends of intervals that are not written down may be ill-defined or
/// beyond all that can be tried, and so may sets and values be ill-defined: another way may do without.
fn is_sane(candidate: &Candidate) -> bool {
    let is_sure = match &candidate.how {
        Generator::Value { value, .. } => is_defined(value),
        Generator::Member { set, .. } | Generator::Subset { set, .. } => is_defined(set),
        Generator::Between { lows, highs, .. } => lows.iter().chain(highs).all(is_end),
        Generator::Within { set, lows, highs, .. } => {
            is_defined(set) && lows.iter().chain(highs).all(is_end)
        }
        _ => true,
    };
    is_sure && !candidate.unbounded && candidate.cost <= TOO_MANY
}
