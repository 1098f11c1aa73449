//! Facts as a script in SMT-LIB 2, such that no model of the script means that the facts exclude each other.
//!
//! A term or fact that has no counterpart becomes a constant that may be anything, the same for the same words; if it
//! speaks of bound names, the whole fact is left out.

use crate::sorts::{Sorts, element};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Model, Pred, PredKind, Type, TypeId,
    TypeTable, UnaryOp,
};
use beeline_prove::Key;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Formulas of more levels are left out.
const MAX_DEPTH: u32 = 60;

/// The script for facts of a model; `limit` is an amount of work that solvers count, not a time.
pub fn script(model: &Model, facts: &[&Pred], limit: u64) -> String {
    let mut writer = Writer {
        model,
        sorts: Sorts::new(model),
        names: BTreeMap::new(),
        constants: String::new(),
        extra: Vec::new(),
        bound: Vec::new(),
        fresh: 0,
        depth: 0,
    };
    let mut asserted = Vec::new();
    for fact in facts {
        for part in (*fact).clone().into_conjuncts() {
            writer.bound.clear();
            writer.depth = 0;
            if let Some(text) = writer.pred(&part) {
                asserted.push(text);
            }
            writer.evaluated(&part);
        }
    }
    let mut text = format!("(set-option :rlimit {limit})\n(set-logic ALL)\n");
    text += &writer.sorts.declarations;
    text += &writer.constants;
    for line in asserted.iter().chain(&writer.extra) {
        let _ = writeln!(text, "(assert {line})");
    }
    text += "(check-sat)\n";
    text
}

struct Writer<'m> {
    model: &'m Model,
    sorts: Sorts<'m>,
    /// Constants and functions that were declared, by what they stand for.
    names: BTreeMap<String, String>,
    constants: String,
    /// What is known of them.
    extra: Vec<String>,
    bound: Vec<LocalId>,
    fresh: u32,
    depth: u32,
}

impl Writer<'_> {
    fn declared(&mut self, what: String, parameters: &str, sort: &str) -> String {
        if let Some(name) = self.names.get(&what) {
            return name.clone();
        }
        let name = format!("c{}", self.names.len());
        let _ = writeln!(self.constants, "(declare-fun {name} ({parameters}) {sort})");
        self.names.insert(what, name.clone());
        name
    }

    /// A constant that may be anything, for an expression without bound names.
    fn anything(&mut self, e: &Expr) -> Option<String> {
        let mut locals = Locals(BTreeSet::new());
        beeline_model::visit_expr(e, &mut locals);
        if self.bound.iter().any(|b| locals.0.contains(b)) || !Key::expr(e).is_pure() {
            return None;
        }
        let sort = self.sorts.sort(e.ty)?;
        // The empty set is written in the same way in all types.
        let name = self.declared(format!("{:?} {sort}", Key::expr(e)), "", &sort);
        // These are never negative.
        if matches!(e.kind, ExprKind::Unary(UnaryOp::Card | UnaryOp::Size, _)) {
            self.extra.push(format!("(>= {name} 0)"));
        }
        Some(name)
    }

    fn variable(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    fn expr(&mut self, e: &Expr) -> Option<String> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let text = self.known_expr(e).or_else(|| self.anything(e));
        self.depth -= 1;
        text
    }

    fn known_expr(&mut self, e: &Expr) -> Option<String> {
        Some(match &e.kind {
            ExprKind::Integer(n) => match n.to_string().strip_prefix('-') {
                Some(positive) => format!("(- {positive})"),
                None => n.to_string(),
            },
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Local(l) if self.bound.contains(l) => format!("l{}", l.0),
            ExprKind::Element(set, at) => {
                self.sorts.sort(e.ty)?;
                self.model.set(*set).elements.as_ref()?;
                element(*set, *at)
            }
            ExprKind::Unary(UnaryOp::Negate, a) => format!("(- {})", self.expr(a)?),
            ExprKind::Unary(UnaryOp::PairFirst, a) => format!("(left {})", self.expr(a)?),
            ExprKind::Unary(UnaryOp::PairSecond, a) => format!("(right {})", self.expr(a)?),
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let sort = self.sorts.sort(e.ty)?;
                format!("((as two {sort}) {} {})", self.expr(a)?, self.expr(b)?)
            }
            ExprKind::Binary(
                op @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Modulo),
                a,
                b,
            ) => {
                let sign = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Subtract => "-",
                    BinaryOp::Multiply => "*",
                    // The same where it has a meaning: numbers from 0 on by numbers from 1 on.
                    _ => "mod",
                };
                format!("({sign} {} {})", self.expr(a)?, self.expr(b)?)
            }
            ExprKind::Apply(f, x) => {
                let (function, argument) = (self.sorts.sort(f.ty)?, self.sorts.sort(x.ty)?);
                let sort = self.sorts.sort(e.ty)?;
                let what = format!("apply {function}");
                let name = self.declared(what, &format!("{function} {argument}"), &sort);
                format!("({name} {} {})", self.expr(f)?, self.expr(x)?)
            }
            ExprKind::BoolOf(p) => self.pred(p)?,
            ExprKind::If(p, a, b) => {
                format!("(ite {} {} {})", self.pred(p)?, self.expr(a)?, self.expr(b)?)
            }
            // A set that is written out is known by its members.
            _ if matches!(self.model.types.get(e.ty), Type::Power(_)) && is_built(e) => {
                self.set(e)?
            }
            _ => return None,
        })
    }

    /// A set as a constant, with what its members are.
    fn set(&mut self, e: &Expr) -> Option<String> {
        let name = self.anything(e)?;
        let element = self.model.types.element(e.ty)?;
        let sort = self.sorts.sort(element)?;
        if self.names.contains_key(&format!("members of {name}")) {
            return Some(name);
        }
        self.names.insert(format!("members of {name}"), String::new());
        let x = self.variable();
        let bound = std::mem::take(&mut self.bound);
        let member = self.member_of(&x, element, e);
        self.bound = bound;
        self.extra.push(format!("(forall (({x} {sort})) (= (select {name} {x}) {}))", member?));
        Some(name)
    }

    /// `x : set`, where `x` is a term of a type.
    fn member_of(&mut self, x: &str, ty: TypeId, set: &Expr) -> Option<String> {
        use BinaryOp as B;
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let halves = self.model.types.halves(ty);
        let text = match &set.kind {
            ExprKind::EmptySet => Some("false".to_owned()),
            ExprKind::GivenSet(_) => Some("true".to_owned()),
            ExprKind::Basic(basic) => self.basic(x, *basic),
            ExprKind::SetExtension(list) => {
                let all: Option<Vec<String>> =
                    list.iter().map(|e| Some(format!("(= {x} {})", self.expr(e)?))).collect();
                all.map(|all| format!("(or false {})", all.join(" ")))
            }
            ExprKind::Unary(UnaryOp::Power, whole) => self.within(x, ty, whole),
            ExprKind::Unary(UnaryOp::Domain, f) => {
                self.some_pair(f, |y| (x.to_owned(), y.to_owned()))
            }
            ExprKind::Unary(UnaryOp::Range, f) => {
                self.some_pair(f, |y| (y.to_owned(), x.to_owned()))
            }
            ExprKind::Binary(op, a, b) => match op {
                B::Interval => (|| {
                    Some(format!("(and (<= {} {x}) (<= {x} {}))", self.expr(a)?, self.expr(b)?))
                })(),
                B::Union => self.two("or", x, ty, (a, b)),
                B::Intersection => self.two("and", x, ty, (a, b)),
                B::Difference => (|| {
                    let (a, b) = (self.member_of(x, ty, a)?, self.member_of(x, ty, b)?);
                    Some(format!("(and {a} (not {b}))"))
                })(),
                B::Cartesian => (|| {
                    let (l, r) = halves?;
                    let a = self.member_of(&format!("(left {x})"), l, a)?;
                    let b = self.member_of(&format!("(right {x})"), r, b)?;
                    Some(format!("(and {a} {b})"))
                })(),
                B::Override => (|| {
                    let (old, new) = (self.member_of(x, ty, a)?, self.member_of(x, ty, b)?);
                    let other = self.some_pair(b, |y| (format!("(left {x})"), y.to_owned()))?;
                    Some(format!("(or {new} (and {old} (not {other})))"))
                })(),
                B::DomainRestrict | B::DomainSubtract => (|| {
                    let inside = self.member_of(&format!("(left {x})"), halves?.0, a)?;
                    let not =
                        if *op == B::DomainRestrict { inside } else { format!("(not {inside})") };
                    Some(format!("(and {not} {})", self.member_of(x, ty, b)?))
                })(),
                B::RangeRestrict | B::RangeSubtract => (|| {
                    let inside = self.member_of(&format!("(right {x})"), halves?.1, b)?;
                    let not =
                        if *op == B::RangeRestrict { inside } else { format!("(not {inside})") };
                    Some(format!("(and {not} {})", self.member_of(x, ty, a)?))
                })(),
                B::Relations | B::PartialFunctions | B::TotalFunctions => {
                    self.relation(x, ty, *op, (a, b))
                }
                _ => self.plain_member(x, set),
            },
            _ => self.plain_member(x, set),
        };
        self.depth -= 1;
        text
    }

    fn plain_member(&mut self, x: &str, set: &Expr) -> Option<String> {
        let set = match is_built(set) {
            true => self.anything(set)?,
            false => self.expr(set)?,
        };
        Some(format!("(select {set} {x})"))
    }

    fn two(&mut self, word: &str, x: &str, ty: TypeId, (a, b): (&Expr, &Expr)) -> Option<String> {
        let (a, b) = (self.member_of(x, ty, a)?, self.member_of(x, ty, b)?);
        Some(format!("({word} {a} {b})"))
    }

    fn basic(&mut self, x: &str, set: BasicSet) -> Option<String> {
        let max = |w: &mut Self| w.expr(&integer(ExprKind::MaxInt));
        Some(match set {
            BasicSet::Bool | BasicSet::Integer => "true".to_owned(),
            BasicSet::Natural => format!("(>= {x} 0)"),
            BasicSet::Natural1 => format!("(>= {x} 1)"),
            BasicSet::Nat => format!("(and (>= {x} 0) (<= {x} {}))", max(self)?),
            BasicSet::Nat1 => format!("(and (>= {x} 1) (<= {x} {}))", max(self)?),
            BasicSet::Int => {
                let min = self.expr(&integer(ExprKind::MinInt))?;
                format!("(and (>= {x} {min}) (<= {x} {}))", max(self)?)
            }
            _ => return None,
        })
    }

    /// There is a pair in a relation, one half of which is given.
    fn some_pair(&mut self, f: &Expr, pair: impl Fn(&str) -> (String, String)) -> Option<String> {
        let element = self.model.types.element(f.ty)?;
        let (a, b) = self.model.types.halves(element)?;
        let y = self.variable();
        let (left, right) = pair(&y);
        let ty = if left == y { a } else { b };
        let (sort, whole) = (self.sorts.sort(ty)?, self.sorts.sort(element)?);
        let member = self.member_of(&format!("((as two {whole}) {left} {right})"), element, f)?;
        Some(format!("(exists (({y} {sort})) {member})"))
    }

    /// `x <: set`
    fn within(&mut self, x: &str, ty: TypeId, set: &Expr) -> Option<String> {
        let element = self.model.types.element(ty)?;
        let sort = self.sorts.sort(element)?;
        let y = self.variable();
        let member = self.member_of(&y, element, set)?;
        Some(format!("(forall (({y} {sort})) (=> (select {x} {y}) {member}))"))
    }

    /// `x : a <-> b`, or of functions.
    fn relation(
        &mut self,
        x: &str,
        ty: TypeId,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
    ) -> Option<String> {
        let element = self.model.types.element(ty)?;
        let (l, r) = self.model.types.halves(element)?;
        let (left, right) = (self.sorts.sort(l)?, self.sorts.sort(r)?);
        let whole = self.sorts.sort(element)?;
        let (u, v, w) = (self.variable(), self.variable(), self.variable());
        let pair = |second: &str| format!("(select {x} ((as two {whole}) {u} {second}))");
        let (from, to) = (self.member_of(&u, l, a)?, self.member_of(&v, r, b)?);
        let mut all = vec![format!(
            "(forall (({u} {left}) ({v} {right})) (=> {} (and {from} {to})))",
            pair(&v)
        )];
        if op != BinaryOp::Relations {
            all.push(format!(
                "(forall (({u} {left}) ({v} {right}) ({w} {right})) (=> (and {} {}) (= {v} {w})))",
                pair(&v),
                pair(&w)
            ));
        }
        if op == BinaryOp::TotalFunctions {
            all.push(format!(
                "(forall (({u} {left})) (=> {from} (exists (({v} {right})) {})))",
                pair(&v)
            ));
        }
        Some(format!("(and {})", all.join(" ")))
    }

    fn pred(&mut self, p: &Pred) -> Option<String> {
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let text = self.known_pred(p);
        self.depth -= 1;
        text
    }

    fn known_pred(&mut self, p: &Pred) -> Option<String> {
        Some(match &p.kind {
            PredKind::Bool(b) => b.to_string(),
            PredKind::Not(p) => format!("(not {})", self.pred(p)?),
            PredKind::And(list) => format!("(and true {})", self.preds(list)?),
            PredKind::Or(list) => format!("(or false {})", self.preds(list)?),
            PredKind::Implies(a, b) => format!("(=> {} {})", self.pred(a)?, self.pred(b)?),
            PredKind::Equivalent(a, b) => format!("(= {} {})", self.pred(a)?, self.pred(b)?),
            PredKind::If(c, a, b) => {
                format!("(ite {} {} {})", self.pred(c)?, self.pred(a)?, self.pred(b)?)
            }
            PredKind::Forall(names, body) => self.quantified("forall", names, body)?,
            PredKind::Exists(names, body) => self.quantified("exists", names, body)?,
            PredKind::Compare(op, a, b) => self.compare(*op, a, b)?,
            _ => return None,
        })
    }

    fn preds(&mut self, list: &[Pred]) -> Option<String> {
        let all: Option<Vec<String>> = list.iter().map(|p| self.pred(p)).collect();
        all.map(|all| all.join(" "))
    }

    fn quantified(&mut self, word: &str, names: &[LocalId], body: &Pred) -> Option<String> {
        let model = self.model;
        let mut list = Vec::new();
        for name in names {
            list.push(format!("(l{} {})", name.0, self.sorts.sort(model.local(*name).ty)?));
        }
        let depth = self.bound.len();
        self.bound.extend(names);
        let body = self.pred(body);
        self.bound.truncate(depth);
        Some(format!("({word} ({}) {})", list.join(" "), body?))
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr) -> Option<String> {
        use CompareOp as C;
        let not = |text: Option<String>| text.map(|t| format!("(not {t})"));
        match op {
            C::Equal => Some(format!("(= {} {})", self.expr(a)?, self.expr(b)?)),
            C::NotEqual => not(self.compare(C::Equal, a, b)),
            C::Less => Some(format!("(< {} {})", self.expr(a)?, self.expr(b)?)),
            C::LessEqual => Some(format!("(<= {} {})", self.expr(a)?, self.expr(b)?)),
            C::Greater => self.compare(C::Less, b, a),
            C::GreaterEqual => self.compare(C::LessEqual, b, a),
            C::Member => {
                let x = self.expr(a)?;
                self.member_of(&x, a.ty, b)
            }
            C::NotMember => not(self.compare(C::Member, a, b)),
            C::Subset => {
                let x = self.expr(a)?;
                self.within(&x, a.ty, b)
            }
            C::NotSubset => not(self.compare(C::Subset, a, b)),
            C::StrictSubset => {
                let (within, equal) =
                    (self.compare(C::Subset, a, b)?, self.compare(C::Equal, a, b)?);
                Some(format!("(and {within} (not {equal}))"))
            }
            C::NotStrictSubset => not(self.compare(C::StrictSubset, a, b)),
            _ => None,
        }
    }

    /// What is applied in a fact that holds has a value there, and one only.
    fn evaluated(&mut self, p: &Pred) {
        let PredKind::Compare(_, a, b) = &p.kind else { return };
        for e in [a, b] {
            self.applied(e);
        }
    }

    fn applied(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Apply(f, x) => {
                self.applied(f);
                self.applied(x);
                let known = self.application(f, x, e);
                self.extra.extend(known);
            }
            ExprKind::Binary(
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Pair,
                a,
                b,
            ) => {
                self.applied(a);
                self.applied(b);
            }
            _ => {}
        }
    }

    fn application(&mut self, f: &Expr, x: &Expr, e: &Expr) -> Option<String> {
        let element = self.model.types.element(f.ty)?;
        let (_, result) = self.model.types.halves(element)?;
        let (whole, sort) = (self.sorts.sort(element)?, self.sorts.sort(result)?);
        let (argument, value) = (self.expr(x)?, self.expr(e)?);
        let pair = |y: &str| format!("((as two {whole}) {argument} {y})");
        let there = self.member_of(&pair(&value), element, f)?;
        let y = self.variable();
        let other = self.member_of(&pair(&y), element, f)?;
        Some(format!("(and {there} (forall (({y} {sort})) (=> {other} (= {y} {value}))))"))
    }
}

/// Names in a formula.
struct Locals(BTreeSet<LocalId>);

impl beeline_model::Mentions for Locals {
    fn local(&mut self, local: LocalId) {
        self.0.insert(local);
    }
}

/// Is a set put together from others, so that its members say what it is?
fn is_built(e: &Expr) -> bool {
    use BinaryOp as B;
    match &e.kind {
        ExprKind::EmptySet
        | ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::SetExtension(_)
        | ExprKind::Unary(UnaryOp::Domain | UnaryOp::Range, _) => true,
        ExprKind::Binary(op, ..) => matches!(
            op,
            B::Interval
                | B::Union
                | B::Intersection
                | B::Difference
                | B::Cartesian
                | B::Override
                | B::DomainRestrict
                | B::DomainSubtract
                | B::RangeRestrict
                | B::RangeSubtract
        ),
        _ => false,
    }
}

fn integer(kind: ExprKind) -> Expr {
    Expr { kind, ty: TypeTable::INTEGER, span: beeline_source::Span::NONE }
}
