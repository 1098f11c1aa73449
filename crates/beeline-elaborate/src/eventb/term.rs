//! Formulas of Event-B without what does not matter when two of them are compared: places,
//! parentheses, types that are written down, the names of bound variables, and how operators that
//! associate are nested.
//!
//! Equal terms mean the same. Different ones may mean the same, too.

use beeline_model::Name;
use beeline_syntax::ast::{BinaryOp, Builtin, Comprehension, Constant, Expr, ExprKind, Quantifier};
use rustc_hash::FxHashMap;
use std::fmt::Debug;

/// A formula, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    /// A name that nothing binds.
    Name(Name),
    /// A bound name: how many names were bound after it.
    Bound(usize),
    /// A literal.
    Integer(Name),
    /// An operator and what it is applied to.
    Node(String, Vec<Term>),
}

/// What free names stand for. The terms have no bound names of outside.
pub(super) type Meaning = FxHashMap<Name, Term>;

const AND: &str = "and";

impl Term {
    /// The term of a formula; `None` if it holds something that Event-B does not have.
    pub fn of(expr: &Expr, meaning: &Meaning) -> Option<Term> {
        Making { meaning, bound: Vec::new() }.term(expr)
    }

    /// The parts of a conjunction, or the term itself; what is true anyway is left out.
    pub fn conjuncts(self) -> Vec<Term> {
        match self {
            Term::Node(operator, parts) if operator == AND => parts,
            term if term.is_trivial() => Vec::new(),
            term => vec![term],
        }
    }

    fn is_trivial(&self) -> bool {
        match self {
            Term::Node(operator, parts) => {
                let equation = *operator == tag("binary", &BinaryOp::Equal);
                *operator == tag("constant", &Constant::Truth)
                    || (equation && parts.len() == 2 && parts[0] == parts[1])
            }
            _ => false,
        }
    }

    pub fn power(of: Term) -> Term {
        Term::Node(tag("builtin", &Builtin::Pow), vec![of])
    }

    pub fn product(a: Term, b: Term) -> Term {
        Term::Node(tag("binary", &BinaryOp::Cartesian), vec![a, b])
    }

    pub fn member(a: Term, set: Term) -> Term {
        Term::Node(tag("binary", &BinaryOp::Member), vec![a, set])
    }

    pub fn constant(constant: Constant) -> Term {
        Term::Node(tag("constant", &constant), Vec::new())
    }
}

fn tag(kind: &str, operator: &dyn Debug) -> String {
    format!("{kind} {operator:?}")
}

struct Making<'m> {
    meaning: &'m Meaning,
    bound: Vec<Name>,
}

impl Making<'_> {
    fn term(&mut self, expr: &Expr) -> Option<Term> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.node(expr))
    }

    fn all<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<Term>> {
        parts.into_iter().map(|part| self.term(part)).collect()
    }

    fn node(&mut self, expr: &Expr) -> Option<Term> {
        Some(match &expr.kind {
            ExprKind::Ident(name) => self.name(name),
            ExprKind::Integer(digits) => Term::Integer(digits.clone()),
            ExprKind::Constant(constant) => Term::constant(*constant),
            ExprKind::Paren(inner) | ExprKind::OfType(inner, _) => self.term(inner)?,
            ExprKind::Negate(inner) => match self.term(inner)? {
                Term::Integer(digits) if !digits.starts_with('-') => {
                    Term::Integer(format!("-{digits}").into())
                }
                inner => Term::Node("negate".to_owned(), vec![inner]),
            },
            ExprKind::Inverse(inner) => Term::Node("inverse".to_owned(), vec![self.term(inner)?]),
            ExprKind::Builtin(builtin, parts) => {
                Term::Node(tag("builtin", builtin), self.all(parts)?)
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, a, b)?,
            ExprKind::And(parts) => {
                let parts = self.all(parts)?.into_iter().flat_map(Term::conjuncts).collect();
                joined(AND, parts)
            }
            ExprKind::Or(parts) => flat("or", self.all(parts)?),
            ExprKind::Call(function, arguments) => {
                let mut parts = vec![self.term(function)?];
                parts.extend(self.all(arguments)?);
                Term::Node("apply".to_owned(), parts)
            }
            ExprKind::Image(relation, set) => {
                Term::Node("image".to_owned(), self.all([&**relation, &**set])?)
            }
            ExprKind::SetExtension(parts) => Term::Node("set".to_owned(), self.all(parts)?),
            ExprKind::Comprehension(c) => self.comprehension(c)?,
            ExprKind::Quantified(q) => {
                let names: Vec<Name> = q.names.iter().map(|n| n.name.clone()).collect();
                let value = q.expression.as_ref();
                self.binder(q.quantifier, names, &q.predicate, value)?
            }
            _ => return None,
        })
    }

    fn name(&self, name: &Name) -> Term {
        match self.bound.iter().rev().position(|bound| bound == name) {
            Some(index) => Term::Bound(index),
            None => self.meaning.get(name).cloned().unwrap_or_else(|| Term::Name(name.clone())),
        }
    }

    fn binary(&mut self, operator: BinaryOp, a: &Expr, b: &Expr) -> Option<Term> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        // Event-B's `∀x·P` is `∀x·⊤⇒P` here.
        if operator == BinaryOp::Implies && a == Term::constant(Constant::Truth) {
            return Some(b);
        }
        let operator_tag = tag("binary", &operator);
        Some(match associates(operator) {
            true => flat(&operator_tag, vec![a, b]),
            false => Term::Node(operator_tag, vec![a, b]),
        })
    }

    /// All comprehensions are `{names · P ∣ E}`.
    fn comprehension(&mut self, c: &Comprehension) -> Option<Term> {
        let names: Vec<Name> = c.names.iter().map(|n| n.name.clone()).collect();
        let count = names.len();
        self.bound.extend(names);
        let predicate = self.term(&c.predicate);
        let value = match &c.expression {
            Some(value) => self.term(value),
            None => Some(tuple(count)),
        };
        self.bound.truncate(self.bound.len() - count);
        Some(Term::Node(format!("comprehension {count}"), vec![predicate?, value?]))
    }

    fn binder(
        &mut self,
        quantifier: Quantifier,
        names: Vec<Name>,
        predicate: &Expr,
        value: Option<&Expr>,
    ) -> Option<Term> {
        let count = names.len();
        self.bound.extend(names);
        let predicate = self.term(predicate);
        let value = value.map(|value| self.term(value));
        self.bound.truncate(self.bound.len() - count);
        let (predicate, value) = (predicate?, value.map_or(Some(None), |v| v.map(Some))?);
        Some(match (quantifier, value) {
            (Quantifier::Lambda, Some(value)) => {
                let pair = maplet(tuple(count), value);
                Term::Node(format!("comprehension {count}"), vec![predicate, pair])
            }
            (quantifier, value) => {
                let parts = [Some(predicate), value].into_iter().flatten().collect();
                Term::Node(format!("{quantifier:?} {count}"), parts)
            }
        })
    }
}

fn maplet(a: Term, b: Term) -> Term {
    Term::Node(tag("binary", &BinaryOp::Maplet), vec![a, b])
}

/// The names that were bound last, as one value.
fn tuple(count: usize) -> Term {
    let bound = (0..count).rev().map(Term::Bound);
    bound.reduce(maplet).unwrap_or(Term::Bound(0))
}

fn associates(operator: BinaryOp) -> bool {
    use BinaryOp::{Composition, Intersection, Override, Plus, Times, Union};
    matches!(operator, Plus | Times | Union | Intersection | Override | Composition)
}

/// `(a + b) + c` and `a + (b + c)` are `a + b + c`.
fn flat(operator: &str, parts: Vec<Term>) -> Term {
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Term::Node(inner, more) if inner == operator => all.extend(more),
            part => all.push(part),
        }
    }
    Term::Node(operator.to_owned(), all)
}

/// A conjunction of so many, which may be one or none.
fn joined(operator: &str, mut parts: Vec<Term>) -> Term {
    match parts.len() {
        0 => Term::constant(Constant::Truth),
        1 => parts.swap_remove(0),
        _ => Term::Node(operator.to_owned(), parts),
    }
}
