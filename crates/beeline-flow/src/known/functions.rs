//! What memberships in sets of functions mean for domains, ranges and applications, and memberships that follow from
//! others: of something larger, or of the parts of what was put together.

use super::{Known, Two, two};
use crate::make;
use beeline_model::{BinaryOp, CompareOp, Expr, ExprKind, Pred, UnaryOp};

/// Chains of inclusions are followed so far.
const MAX_CHAIN: u32 = 3;
/// Functions inside functions are looked at so far.
const MAX_FORM: u32 = 4;

/// What a set of relations says of each of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    function: bool,
    total: bool,
    onto: bool,
    injective: bool,
}

/// The kind of a set of relations with its domain and range, if it is written as one.
fn kind(set: &Expr) -> Option<(Kind, &Expr, &Expr)> {
    use BinaryOp as B;
    let ExprKind::Binary(op, from, to) = &set.kind else { return None };
    let [function, total, onto, injective] = match op {
        B::Relations => [false, false, false, false],
        B::TotalRelations => [false, true, false, false],
        B::SurjectiveRelations => [false, false, true, false],
        B::TotalSurjectiveRelations => [false, true, true, false],
        B::PartialFunctions => [true, false, false, false],
        B::TotalFunctions => [true, true, false, false],
        B::PartialInjections => [true, false, false, true],
        B::TotalInjections => [true, true, false, true],
        B::PartialSurjections => [true, false, true, false],
        B::TotalSurjections => [true, true, true, false],
        B::PartialBijections => [true, false, true, true],
        B::TotalBijections => [true, true, true, true],
        _ => return None,
    };
    Some((Kind { function, total, onto, injective }, from, to))
}

fn member(e: &Expr, set: &Expr) -> Pred {
    make::compare(CompareOp::Member, e.clone(), set.clone())
}

fn subset(a: &Expr, b: &Expr) -> Pred {
    make::compare(CompareOp::Subset, a.clone(), b.clone())
}

/// The domain or range of a relation; `like` has its type.
fn half(op: UnaryOp, relation: &Expr, like: &Expr) -> Expr {
    make::expr(ExprKind::Unary(op, Box::new(relation.clone())), like.ty)
}

impl Known<'_> {
    /// Takes in a membership; one in a set of relations tells of domain and range.
    pub(super) fn add_member(&mut self, e: &Expr, set: &Expr) {
        self.members.push(two(e, set));
        let Some((kind, from, to)) = kind(set) else { return };
        let (domain, range) = (half(UnaryOp::Domain, e, from), half(UnaryOp::Range, e, to));
        let equal = |a: &Expr, b: &Expr| make::compare(CompareOp::Equal, a.clone(), b.clone());
        self.add(&if kind.total { equal(&domain, from) } else { subset(&domain, from) }, true);
        self.add(&if kind.onto { equal(&range, to) } else { subset(&range, to) }, true);
    }

    /// What is applied gives an element of the range.
    pub(super) fn apply_kinds(&mut self) {
        let applications = self.terms.applications();
        self.pay(applications.len());
        for at in 0..self.members.len() {
            let fact = self.members[at].clone();
            let Some((_, _, to)) = kind(&fact.1) else { continue };
            let function = self.terms.term(&fact.0);
            let function = self.terms.class(function);
            for (e, _) in applications.iter().filter(|(_, of)| *of == function) {
                let said = member(e, to);
                if self.terms.is_evaluated_before(e) && self.truth(&said).is_none() {
                    self.add(&said, true);
                }
            }
            if self.is_out_of_steps() || self.is_contradictory() {
                return;
            }
        }
    }

    /// Has `f(x)` a meaning, if `f` and `x` have one?
    pub(super) fn is_in_domain(&mut self, f: &Expr, x: &Expr) -> bool {
        let Some(element) = self.model.types.element(f.ty) else { return false };
        if self.model.types.halves(element).is_none() || !self.is_function(f, 0) {
            return false;
        }
        // The type of the domain plays no role here.
        let domain = half(UnaryOp::Domain, f, f);
        self.truth(&member(x, &domain)) == Some(true)
    }

    fn is_function(&mut self, f: &Expr, depth: u32) -> bool {
        use BinaryOp as B;
        if depth > MAX_FORM {
            return false;
        }
        match &f.kind {
            ExprKind::EmptySet => return true,
            ExprKind::SetExtension(list) if list.len() == 1 => return true,
            ExprKind::Binary(B::Override, g, h) => {
                return self.is_function(g, depth + 1) && self.is_function(h, depth + 1);
            }
            ExprKind::Binary(B::DomainRestrict | B::DomainSubtract, _, g)
            | ExprKind::Binary(
                B::RangeRestrict | B::RangeSubtract | B::Difference | B::Intersection,
                g,
                _,
            ) => {
                return self.is_function(g, depth + 1);
            }
            _ => {}
        }
        let id = self.terms.term(f);
        let class = self.terms.class(id);
        for at in 0..self.members.len() {
            let fact = self.members[at].clone();
            if kind(&fact.1).is_some_and(|(kind, ..)| kind.function) {
                let id = self.terms.term(&fact.0);
                if self.terms.class(id) == class {
                    return true;
                }
            }
        }
        false
    }

    /// What follows from other memberships and inclusions.
    pub(super) fn by_steps(&mut self, op: CompareOp, a: &Expr, b: &Expr) -> Option<bool> {
        if self.chain >= MAX_CHAIN {
            return None;
        }
        self.chain += 1;
        let truth = match op {
            CompareOp::Member => self.member_by_steps(a, b),
            CompareOp::Subset => self.subset_by_steps(a, b),
            CompareOp::StrictSubset => match self.equal(a, b) {
                Some(true) => Some(false),
                Some(false) => self.truth(&subset(a, b)),
                None => self.truth(&subset(a, b)).filter(|within| !within),
            },
            _ => None,
        };
        self.chain -= 1;
        truth
    }

    fn is_true(&mut self, p: &Pred) -> bool {
        self.truth(p) == Some(true)
    }

    fn same_class(&mut self, a: &Expr, b: &Expr) -> bool {
        let (a, b) = (self.terms.term(a), self.terms.term(b));
        self.terms.class(a) == self.terms.class(b)
    }

    /// Facts whose first half is equal to an expression.
    fn facts_about(&mut self, list: &[Two], e: &Expr) -> Vec<Two> {
        self.pay(list.len());
        list.iter().filter(|fact| self.same_class(&fact.0, e)).cloned().collect()
    }

    fn member_by_steps(&mut self, e: &Expr, set: &Expr) -> Option<bool> {
        if let Some((wanted, from, to)) = kind(set)
            && self.is_relation_of(e, wanted, (from, to), 0)
        {
            return Some(true);
        }
        let facts = self.facts_about(&self.members.clone(), e);
        for fact in facts {
            if kind(&fact.1).is_some() || self.is_out_of_steps() {
                continue;
            }
            if self.is_true(&subset(&fact.1, set)) {
                return Some(true);
            }
            if self.are_disjoint(&fact.1, set) {
                return Some(false);
            }
        }
        None
    }

    /// Is it known that two sets have nothing in common?
    fn are_disjoint(&mut self, a: &Expr, b: &Expr) -> bool {
        [(a, b), (b, a)].into_iter().any(|(a, b)| {
            let both =
                ExprKind::Binary(BinaryOp::Intersection, Box::new(a.clone()), Box::new(b.clone()));
            let empty = make::expr(ExprKind::EmptySet, a.ty);
            self.same_class(&make::expr(both, a.ty), &empty)
        })
    }

    fn subset_by_steps(&mut self, a: &Expr, b: &Expr) -> Option<bool> {
        use BinaryOp as B;
        if self.same_class(a, b) {
            return Some(true);
        }
        let by_form = match (&a.kind, &b.kind) {
            (
                ExprKind::Binary(B::Difference | B::RangeRestrict | B::RangeSubtract, x, _)
                | ExprKind::Binary(B::DomainRestrict | B::DomainSubtract, _, x),
                _,
            ) => self.is_true(&subset(x, b)),
            (ExprKind::Binary(B::Intersection, x, y), _) => {
                self.is_true(&subset(x, b)) || self.is_true(&subset(y, b))
            }
            (_, ExprKind::Binary(B::Union, x, y)) => {
                self.is_true(&subset(a, x)) || self.is_true(&subset(a, y))
            }
            _ => false,
        };
        if by_form {
            return Some(true);
        }
        for fact in self.facts_about(&self.subsets.clone(), a) {
            if !self.is_out_of_steps() && self.is_true(&subset(&fact.1, b)) {
                return Some(true);
            }
        }
        None
    }

    /// Is it surely a relation of this kind?
    fn is_relation_of(
        &mut self,
        e: &Expr,
        wanted: Kind,
        (from, to): (&Expr, &Expr),
        depth: u32,
    ) -> bool {
        use BinaryOp as B;
        if depth > MAX_FORM || self.is_out_of_steps() {
            return false;
        }
        let partial = Kind { total: false, onto: false, ..wanted };
        let by_form = match &e.kind {
            ExprKind::EmptySet => wanted == partial,
            ExprKind::SetExtension(list) if wanted == partial => match &list[..] {
                [pair] => match &pair.kind {
                    ExprKind::Binary(B::Pair, x, y) => {
                        self.is_true(&member(x, from)) && self.is_true(&member(y, to))
                    }
                    _ => false,
                },
                _ => false,
            },
            ExprKind::Binary(B::Override, g, h) if !wanted.injective && !wanted.onto => {
                self.is_relation_of(g, wanted, (from, to), depth + 1)
                    && self.is_relation_of(h, partial, (from, to), depth + 1)
            }
            ExprKind::Binary(B::Union, g, h) if wanted == partial && !wanted.function => {
                self.is_relation_of(g, wanted, (from, to), depth + 1)
                    && self.is_relation_of(h, wanted, (from, to), depth + 1)
            }
            ExprKind::Binary(B::DomainRestrict | B::DomainSubtract, _, g)
            | ExprKind::Binary(
                B::RangeRestrict | B::RangeSubtract | B::Difference | B::Intersection,
                g,
                _,
            ) => wanted == partial && self.is_relation_of(g, wanted, (from, to), depth + 1),
            _ => false,
        };
        if by_form {
            return true;
        }
        for fact in self.facts_about(&self.members.clone(), e) {
            let Some((had, x, y)) = kind(&fact.1) else { continue };
            let enough = (had.function || !wanted.function)
                && (had.total || !wanted.total)
                && (had.onto || !wanted.onto)
                && (had.injective || !wanted.injective);
            let domain =
                self.same_class(x, from) || (!wanted.total && self.is_true(&subset(x, from)));
            let range = self.same_class(y, to) || (!wanted.onto && self.is_true(&subset(y, to)));
            if enough && domain && range {
                return true;
            }
        }
        false
    }
}
