//! Precedence and binding.
//!
//! Loosest first: `⇒ ⇔` (once) < `∧ ∨` (repeated, not mixed) < `¬` < comparisons < `↦` < arrows
//! (once) < operators on sets and relations (few may follow each other) < `‥` (once) < `+ −` <
//! `∗ ÷ mod` < `^` (once) < application, image, inverse.

use super::Positions;
use super::lexer::{Tok, Token, tokens};
use crate::package::{comprehension, forall_body};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{
    BinaryOp, Builtin, Comprehension, Constant, Expr, ExprKind, Ident, Quantified, Quantifier,
    Subst, SubstKind,
};
use beeline_syntax::limits::{MAX_CHAIN, MAX_DIGITS, MAX_NESTING};

type Parse<T> = Result<T, Diagnostic>;

/// How operators of one level follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// `a + b + c` is `(a + b) + c`.
    Left,
    /// Parentheses are needed.
    Never,
    /// Some pairs may.
    Table,
}

const CONNECTIVE: u8 = 20;
const NOT: u8 = 30;
const COMPARE: u8 = 40;
const MAPLET: u8 = 50;
const ARROW: u8 = 60;
const SET: u8 = 70;
const SUM: u8 = 90;
const PRODUCT: u8 = 100;

pub(super) struct Parser<'p> {
    tokens: Vec<Token>,
    at: usize,
    positions: Positions<'p>,
    depth: u32,
}

impl<'p> Parser<'p> {
    pub fn new(text: &str, positions: Positions<'p>) -> Parse<Parser<'p>> {
        let tokens = tokens(text, positions)?;
        Ok(Parser { tokens, at: 0, positions, depth: 0 })
    }

    /// Reads everything there is.
    pub fn whole<T>(mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let found = read(&mut self)?;
        match self.peek() {
            Tok::End => Ok(found),
            _ => Err(self.unexpected("the end")),
        }
    }

    fn peek(&self) -> &Tok {
        // The last token is the end, and nothing moves beyond it.
        &self.tokens[self.at.min(self.tokens.len() - 1)].kind
    }

    fn token(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.token().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Tok::Sign(s) if *s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn here(&self) -> Span {
        let token = self.token();
        self.positions.span(token.start, token.end)
    }

    /// From the token at `start` to the last one that was read.
    fn span(&self, start: usize) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].end;
        let start = self.tokens[start.min(self.tokens.len() - 1)].start;
        self.positions.span(start, end.max(start))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.peek() {
            Tok::Name(name) => format!("`{name}`"),
            Tok::Number(digits) => format!("`{digits}`"),
            Tok::Sign(sign) => format!("`{sign}`"),
            Tok::End => "the end of the formula".to_owned(),
        };
        let message = format!("{wanted} was expected here, not {found}");
        Diagnostic::new(Code::SYNTAX, self.here(), message)
    }

    pub fn formula(&mut self) -> Parse<Expr> {
        self.level(0)
    }

    fn level(&mut self, level: u8) -> Parse<Expr> {
        if self.depth >= MAX_NESTING {
            let message = format!("a formula is nested more than {MAX_NESTING} deep");
            return Err(Diagnostic::new(Code::TOO_DEEP, self.here(), message));
        }
        self.depth += 1;
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.operators(level));
        self.depth -= 1;
        found
    }

    /// A formula whose operators bind at least as tightly as `level`.
    fn operators(&mut self, level: u8) -> Parse<Expr> {
        let start = self.at;
        let mut left = self.prefix()?;
        // The operator on top of `left`, if it has no parentheses.
        let mut last: Option<(u8, &'static str)> = None;
        let mut length = 0;
        loop {
            let Tok::Sign(sign) = *self.peek() else { return Ok(left) };
            let Some((found, follow)) = infix(sign) else { return Ok(left) };
            if found < level {
                return Ok(left);
            }
            length += 1;
            if length > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} operators follow each other");
                return Err(Diagnostic::new(Code::TOO_DEEP, self.here(), message));
            }
            if let Some((top, before)) = last
                && top == found
                && !may_follow(follow, before, sign)
            {
                return Err(self.needs_parentheses(before, sign));
            }
            self.next();
            left = self.combine(left, sign, found, start)?;
            last = Some((found, sign));
        }
    }

    fn needs_parentheses(&self, before: &str, sign: &str) -> Diagnostic {
        let message = format!("`{before}` and `{sign}` need parentheses here");
        Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
            .help("say how they are grouped")
    }

    fn combine(&mut self, left: Expr, sign: &'static str, level: u8, start: usize) -> Parse<Expr> {
        if sign == "⦂" {
            let ty = self.level(ARROW)?;
            let kind = ExprKind::OfType(Box::new(left), Box::new(ty));
            return Ok(Expr::new(kind, self.span(start)));
        }
        let right = self.level(level + 1)?;
        let span = self.span(start);
        let kind = match (sign, left.kind) {
            ("∧", ExprKind::And(mut parts)) => {
                parts.push(right);
                ExprKind::And(parts)
            }
            ("∨", ExprKind::Or(mut parts)) => {
                parts.push(right);
                ExprKind::Or(parts)
            }
            (sign, kind) => {
                let left = Expr::new(kind, left.span);
                match (sign, binary(sign)) {
                    ("∧", _) => ExprKind::And(vec![left, right]),
                    ("∨", _) => ExprKind::Or(vec![left, right]),
                    (_, Some(op)) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                    (_, None) => ExprKind::Error,
                }
            }
        };
        Ok(Expr::new(kind, span))
    }

    /// What stands before the first operator, with what is applied to it.
    fn prefix(&mut self) -> Parse<Expr> {
        let start = self.at;
        let kind = match *self.peek() {
            Tok::Sign("¬") => {
                self.next();
                let inner = self.level(NOT)?;
                ExprKind::Builtin(Builtin::Not, vec![inner])
            }
            Tok::Sign("−") => {
                self.next();
                let inner = self.level(PRODUCT)?;
                ExprKind::Negate(Box::new(inner))
            }
            Tok::Sign(sign @ ("∀" | "∃")) => {
                self.next();
                self.quantifier(sign)?
            }
            Tok::Sign("λ") => {
                self.next();
                self.lambda()?
            }
            Tok::Sign(sign @ ("⋃" | "⋂")) => {
                self.next();
                self.quantified_union(sign)?
            }
            _ => return self.postfix(),
        };
        Ok(Expr::new(kind, self.span(start)))
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.at;
        let mut expr = self.atom()?;
        let mut length = 0;
        loop {
            length += 1;
            if length > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} applications follow each other");
                return Err(Diagnostic::new(Code::TOO_DEEP, self.here(), message));
            }
            let kind = if self.eat("(") {
                let argument = self.formula()?;
                if self.is(",") {
                    let message = "a function takes one argument in Event-B";
                    return Err(Diagnostic::new(Code::ARITY, self.here(), message)
                        .help("join the arguments with ↦"));
                }
                self.expect(")")?;
                ExprKind::Call(Box::new(expr), vec![argument])
            } else if self.eat("[") {
                let set = self.formula()?;
                self.expect("]")?;
                ExprKind::Image(Box::new(expr), Box::new(set))
            } else if self.eat("∼") {
                ExprKind::Inverse(Box::new(expr))
            } else {
                return Ok(expr);
            };
            expr = Expr::new(kind, self.span(start));
        }
    }

    fn atom(&mut self) -> Parse<Expr> {
        let start = self.at;
        let token = self.next();
        let kind = match token.kind {
            Tok::Name(name) => ExprKind::Ident(name),
            Tok::Number(digits) if digits.len() > MAX_DIGITS => {
                let message = format!("a number has at most {MAX_DIGITS} digits");
                return Err(Diagnostic::new(Code::LITERAL_TOO_LONG, self.span(start), message));
            }
            Tok::Number(digits) => ExprKind::Integer(digits),
            Tok::Sign("(") => {
                let inner = self.formula()?;
                self.expect(")")?;
                ExprKind::Paren(Box::new(inner))
            }
            Tok::Sign("{") => self.braces()?,
            Tok::Sign(sign) => match (constant(sign), builtin(sign)) {
                (Some(constant), _) => ExprKind::Constant(constant),
                (_, Some(builtin)) => {
                    self.expect("(")?;
                    let arguments = self.list(|p| p.formula())?;
                    self.expect(")")?;
                    if arguments.len() != 1 && builtin != Builtin::Partition {
                        let message = format!("`{sign}` takes one argument");
                        let span = self.span(start);
                        return Err(Diagnostic::new(Code::WRONG_ARGUMENT_COUNT, span, message));
                    }
                    ExprKind::Builtin(builtin, arguments)
                }
                _ => {
                    self.at = start;
                    return Err(self.unexpected("a formula"));
                }
            },
            Tok::End => return Err(self.unexpected("a formula")),
        };
        Ok(Expr::new(kind, self.span(start)))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Parse<Ident> {
        let span = self.here();
        match self.peek() {
            Tok::Name(name) => {
                let name = name.clone();
                self.next();
                // A type may follow; it is found anyway.
                if self.eat("⦂") {
                    self.level(ARROW)?;
                }
                Ok(Ident { name, span })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn quantifier(&mut self, sign: &str) -> Parse<ExprKind> {
        let names = self.list(Self::name)?;
        self.expect("·")?;
        let body = self.formula()?;
        let (quantifier, predicate) = match sign {
            "∀" => (Quantifier::Forall, forall_body(body)),
            _ => (Quantifier::Exists, body),
        };
        Ok(quantified(quantifier, names, predicate, None))
    }

    /// `λ x ↦ y · P ∣ E`
    fn lambda(&mut self) -> Parse<ExprKind> {
        let pattern = self.level(MAPLET)?;
        let names = self.pattern_names(&pattern)?;
        self.expect("·")?;
        let predicate = self.formula()?;
        self.expect("∣")?;
        let value = self.formula()?;
        let span = pattern.span.to(value.span);
        let pair = ExprKind::Binary(BinaryOp::Maplet, Box::new(pattern), Box::new(value));
        Ok(comprehension(names, Expr::new(pair, span), predicate))
    }

    fn pattern_names(&self, pattern: &Expr) -> Parse<Vec<Ident>> {
        let mut names = Vec::new();
        let mut open = vec![pattern];
        while let Some(next) = open.pop() {
            match &next.peeled().kind {
                ExprKind::Ident(name) => {
                    names.push(Ident { name: name.clone(), span: next.span });
                }
                ExprKind::Binary(BinaryOp::Maplet, a, b) => open.extend([&**b, &**a]),
                ExprKind::OfType(inner, _) => open.push(inner),
                _ => {
                    let message = "only names joined by ↦ are allowed after λ";
                    return Err(Diagnostic::new(Code::SYNTAX, next.span, message));
                }
            }
        }
        Ok(names)
    }

    /// `⋃ x · P ∣ E` or `⋃ E ∣ P`
    fn quantified_union(&mut self, sign: &str) -> Parse<ExprKind> {
        let quantifier = if sign == "⋃" { Quantifier::Union } else { Quantifier::Inter };
        let items = self.list(|p| p.formula())?;
        if self.eat("·") {
            let names = self.names_of(&items)?;
            let predicate = self.formula()?;
            self.expect("∣")?;
            let value = self.formula()?;
            return Ok(quantified(quantifier, names, predicate, Some(value)));
        }
        self.expect("∣")?;
        let value = self.only(items)?;
        let predicate = self.formula()?;
        Ok(quantified(quantifier, free_names(&value), predicate, Some(value)))
    }

    fn names_of(&self, items: &[Expr]) -> Parse<Vec<Ident>> {
        let name = |e: &Expr| match &e.kind {
            ExprKind::Ident(name) => Ok(Ident { name: name.clone(), span: e.span }),
            ExprKind::OfType(inner, _) => match &inner.kind {
                ExprKind::Ident(name) => Ok(Ident { name: name.clone(), span: e.span }),
                _ => Err(Diagnostic::new(Code::SYNTAX, e.span, "a name was expected here")),
            },
            _ => Err(Diagnostic::new(Code::SYNTAX, e.span, "a name was expected here")),
        };
        items.iter().map(name).collect()
    }

    fn only(&self, mut items: Vec<Expr>) -> Parse<Expr> {
        match (items.pop(), items.is_empty()) {
            (Some(item), true) => Ok(item),
            _ => Err(self.unexpected("`·`")),
        }
    }

    /// What follows `{`.
    fn braces(&mut self) -> Parse<ExprKind> {
        if self.eat("}") {
            return Ok(ExprKind::Constant(Constant::EmptySet));
        }
        let items = self.list(|p| p.formula())?;
        if self.eat("·") {
            let names = self.names_of(&items)?;
            let predicate = self.formula()?;
            if self.eat("}") {
                let c = Comprehension { symbolic: false, names, predicate, expression: None };
                return Ok(ExprKind::Comprehension(Box::new(c)));
            }
            self.expect("∣")?;
            let value = self.formula()?;
            self.expect("}")?;
            return Ok(comprehension(names, value, predicate));
        }
        if self.eat("∣") {
            let value = self.only(items)?;
            let predicate = self.formula()?;
            self.expect("}")?;
            return Ok(comprehension(free_names(&value), value, predicate));
        }
        self.expect("}")?;
        Ok(ExprKind::SetExtension(items))
    }

    /// `x, y ≔ E, F`, `f(i) ≔ E`, `x :∈ S`, `x :∣ P`, `skip`
    pub fn assignment(&mut self) -> Parse<Subst> {
        let start = self.at;
        if matches!(self.peek(), Tok::Name(n) if n == "skip") && self.tokens.len() == 2 {
            self.next();
            return Ok(Subst::new(SubstKind::Skip, self.span(start)));
        }
        let targets = self.list(|p| p.postfix())?;
        let token = self.next();
        let kind = match token.kind {
            Tok::Sign("≔") => {
                let values = self.list(|p| p.formula())?;
                match (targets.as_slice(), values.as_slice()) {
                    ([Expr { kind: ExprKind::Call(f, at), .. }], [_]) => {
                        overriding(f.clone(), at, values, self.span(start))
                    }
                    _ => SubstKind::Assign(targets, values),
                }
            }
            Tok::Sign(":∈") => SubstKind::BecomesElement(targets, self.formula()?),
            Tok::Sign(":∣") => SubstKind::BecomesSuch(targets, self.formula()?),
            _ => {
                self.at = self.at.saturating_sub(1).max(start);
                return Err(self.unexpected("`≔`, `:∈` or `:∣`"));
            }
        };
        Ok(Subst::new(kind, self.span(start)))
    }
}

/// `f(i) ≔ E` means `f ≔ f <+ {i ↦ E}`.
fn overriding(f: Box<Expr>, at: &[Expr], mut values: Vec<Expr>, span: Span) -> SubstKind {
    let (Some(index), Some(value)) = (at.first().cloned(), values.pop()) else {
        return SubstKind::Error;
    };
    let pair = ExprKind::Binary(BinaryOp::Maplet, Box::new(index), Box::new(value));
    let pair = Expr::new(ExprKind::SetExtension(vec![Expr::new(pair, span)]), span);
    let new = ExprKind::Binary(BinaryOp::Override, f.clone(), Box::new(pair));
    SubstKind::Assign(vec![*f], vec![Expr::new(new, span)])
}

fn quantified(
    quantifier: Quantifier,
    names: Vec<Ident>,
    predicate: Expr,
    expression: Option<Expr>,
) -> ExprKind {
    let q = Quantified { quantifier, symbolic: false, names, predicate, expression };
    ExprKind::Quantified(Box::new(q))
}

/// The names that occur free in an expression, in the order they are met.
fn free_names(expr: &Expr) -> Vec<Ident> {
    let mut found: Vec<Ident> = Vec::new();
    collect(expr, false, &mut Vec::new(), &mut found);
    found
}

/// All names that an expression depends on, those in types that are written down among them.
pub fn names_in(expr: &Expr) -> Vec<Ident> {
    let mut found: Vec<Ident> = Vec::new();
    collect(expr, true, &mut Vec::new(), &mut found);
    found
}

fn collect(expr: &Expr, types: bool, bound: &mut Vec<Ident>, found: &mut Vec<Ident>) {
    let mark = bound.len();
    let mut visit = |parts: &[&Expr], bound: &mut Vec<Ident>| {
        parts.iter().for_each(|part| collect(part, types, bound, found));
    };
    match &expr.kind {
        ExprKind::Ident(name) => {
            let known = |list: &[Ident]| list.iter().any(|i| i.name == *name);
            if !known(bound) && !known(found) {
                found.push(Ident { name: name.clone(), span: expr.span });
            }
        }
        ExprKind::Negate(e) | ExprKind::Inverse(e) | ExprKind::Paren(e) => visit(&[e], bound),
        ExprKind::Builtin(_, parts)
        | ExprKind::And(parts)
        | ExprKind::Or(parts)
        | ExprKind::SetExtension(parts) => visit(&parts.iter().collect::<Vec<_>>(), bound),
        ExprKind::Binary(_, a, b) | ExprKind::Image(a, b) => visit(&[a, b], bound),
        ExprKind::Field(e, _) => visit(&[e], bound),
        ExprKind::If(branches, otherwise) => {
            branches.iter().for_each(|(condition, e)| visit(&[condition, e], bound));
            visit(&[otherwise], bound);
        }
        ExprKind::OfType(a, ty) if types => visit(&[a, ty], bound),
        ExprKind::OfType(a, _) => visit(&[a], bound),
        ExprKind::Call(f, args) => {
            visit(&[f], bound);
            visit(&args.iter().collect::<Vec<_>>(), bound);
        }
        ExprKind::Comprehension(c) => {
            bound.extend(c.names.iter().cloned());
            visit(&[&c.predicate], bound);
            visit(&c.expression.iter().collect::<Vec<_>>(), bound);
        }
        ExprKind::Quantified(q) => {
            bound.extend(q.names.iter().cloned());
            visit(&[&q.predicate], bound);
            visit(&q.expression.iter().collect::<Vec<_>>(), bound);
        }
        _ => {}
    }
    bound.truncate(mark);
}

/// The level of an operator, and how it follows others of that level.
fn infix(sign: &str) -> Option<(u8, Follow)> {
    Some(match sign {
        "⇒" | "⇔" => (10, Follow::Never),
        "∧" | "∨" => (CONNECTIVE, Follow::Table),
        "=" | "≠" | "<" | "≤" | ">" | "≥" | "∈" | "∉" | "⊆" | "⊈" | "⊂" | "⊄" => {
            (COMPARE, Follow::Never)
        }
        "↦" => (MAPLET, Follow::Left),
        "↔" | "\u{e100}" | "\u{e101}" | "\u{e102}" | "⇸" | "→" | "⤔" | "↣" | "⤀" | "↠" | "⤖" => {
            (ARROW, Follow::Never)
        }
        "∪" | "∩" | "∖" | "×" | "\u{e103}" | "∘" | ";" | "∥" | "⊗" | "◁" | "⩤" | "▷" | "⩥" => {
            (SET, Follow::Table)
        }
        "‥" => (80, Follow::Never),
        "+" | "−" => (SUM, Follow::Left),
        "∗" | "÷" | "mod" => (PRODUCT, Follow::Left),
        "^" => (110, Follow::Never),
        "⦂" => (120, Follow::Never),
        _ => return None,
    })
}

fn may_follow(follow: Follow, before: &str, sign: &str) -> bool {
    match follow {
        Follow::Left => true,
        Follow::Never => false,
        Follow::Table => match (before, sign) {
            (a, b) if a == b => matches!(a, "∧" | "∨" | "∪" | "∩" | "×" | "\u{e103}" | ";" | "∘"),
            ("∩", "∖" | "▷" | "⩥") | (";", "▷" | "⩥") => true,
            ("◁" | "⩤", "∩" | "∖" | ";" | "▷" | "⩥" | "⊗") => true,
            _ => false,
        },
    }
}

fn binary(sign: &str) -> Option<BinaryOp> {
    use BinaryOp as B;
    Some(match sign {
        "⇒" => B::Implies,
        "⇔" => B::Equivalent,
        "=" => B::Equal,
        "≠" => B::NotEqual,
        "<" => B::Less,
        "≤" => B::LessEqual,
        ">" => B::Greater,
        "≥" => B::GreaterEqual,
        "∈" => B::Member,
        "∉" => B::NotMember,
        "⊆" => B::Subset,
        "⊈" => B::NotSubset,
        "⊂" => B::StrictSubset,
        "⊄" => B::NotStrictSubset,
        "↦" => B::Maplet,
        "↔" => B::Relation,
        "\u{e100}" => B::TotalRelation,
        "\u{e101}" => B::SurjectiveRelation,
        "\u{e102}" => B::TotalSurjectiveRelation,
        "⇸" => B::PartialFunction,
        "→" => B::TotalFunction,
        "⤔" => B::PartialInjection,
        "↣" => B::TotalInjection,
        "⤀" => B::PartialSurjection,
        "↠" => B::TotalSurjection,
        "⤖" => B::TotalBijection,
        "∪" => B::Union,
        "∩" => B::Intersection,
        "∖" => B::SetMinus,
        "×" => B::Cartesian,
        "\u{e103}" => B::Override,
        "∘" => B::BackwardComposition,
        ";" => B::Composition,
        "∥" => B::ParallelProduct,
        "⊗" => B::DirectProduct,
        "◁" => B::DomainRestrict,
        "⩤" => B::DomainSubtract,
        "▷" => B::RangeRestrict,
        "⩥" => B::RangeSubtract,
        "‥" => B::Interval,
        "+" => B::Plus,
        "−" => B::Minus,
        "∗" => B::Times,
        "÷" => B::Divide,
        "mod" => B::Modulo,
        "^" => B::Power,
        _ => return None,
    })
}

fn constant(sign: &str) -> Option<Constant> {
    Some(match sign {
        "⊤" => Constant::Truth,
        "⊥" => Constant::Falsity,
        "TRUE" => Constant::True,
        "FALSE" => Constant::False,
        "ℤ" => Constant::Integer,
        "ℕ" => Constant::Natural,
        "ℕ1" => Constant::Natural1,
        "BOOL" => Constant::Bool,
        "∅" => Constant::EmptySet,
        "succ" => Constant::Succ,
        "pred" => Constant::Pred,
        "id" => Constant::Identity,
        "prj1" => Constant::Projection1,
        "prj2" => Constant::Projection2,
        _ => return None,
    })
}

fn builtin(sign: &str) -> Option<Builtin> {
    Some(match sign {
        "ℙ" => Builtin::Pow,
        "ℙ1" => Builtin::Pow1,
        "bool" => Builtin::BoolOf,
        "card" => Builtin::Card,
        "dom" => Builtin::Dom,
        "ran" => Builtin::Ran,
        "finite" => Builtin::Finite,
        "partition" => Builtin::Partition,
        "inter" => Builtin::GeneralInter,
        "union" => Builtin::GeneralUnion,
        "max" => Builtin::Max,
        "min" => Builtin::Min,
        _ => return None,
    })
}
