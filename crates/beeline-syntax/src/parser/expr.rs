//! Operators: precedence climbing, postfix forms, labels and descriptions.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Constant, Expr, ExprKind, Quantifier};
use crate::lexer::text::Pragma;
use crate::operators::level;
use crate::token::Tok;
use beeline_source::{Code, Diagnostic};
use smol_str::SmolStr;

impl Parser<'_> {
    /// A predicate or an expression, where `;` and `||` do not belong to it.
    pub(super) fn formula(&mut self) -> Parse<Expr> {
        self.nested(|p| p.binary(level::IMPLIES))
    }

    /// A predicate or an expression between brackets, where `;` and `||` may stand.
    pub(super) fn bracketed_formula(&mut self) -> Parse<Expr> {
        self.nested(|p| p.binary(level::COMPOSITION))
    }

    /// A formula whose operators all bind at least as tightly as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Parse<Expr> {
        let outer = std::mem::take(&mut self.height);
        let mut left = self.operand(least)?;
        loop {
            left = match self.peek() {
                Tok::Op(op) if op.level() >= least => self.binary_op(op, left, false)?,
                Tok::Flipped(op) if op.level() >= least => self.binary_op(op, left, true)?,
                Tok::And if least <= level::AND_OR => self.and_or(left, Tok::And)?,
                Tok::Or if least <= level::AND_OR => self.and_or(left, Tok::Or)?,
                Tok::OfType if least <= level::OF_TYPE => self.of_type(left)?,
                Tok::Desc
                    if least <= level::AND_OR + 1
                        && self.leave_descriptions != Some(self.open_brackets) =>
                {
                    self.described(left)?
                }
                Tok::Symbolic
                    if least <= level::COMPOSITION
                        && self.peek_at(1) == Tok::Op(BinaryOp::Composition) =>
                {
                    self.advance();
                    self.binary_op(BinaryOp::SymbolicComposition, left, false)?
                }
                Tok::DoubleEqual if least <= level::COMPARISON && !self.in_definition => {
                    self.double_equal();
                    self.binary_op(BinaryOp::Equal, left, false)?
                }
                _ => break,
            };
        }
        self.height = self.height.max(outer);
        Ok(left)
    }

    /// An operator is the current token: takes it and its right operand.
    fn binary_op(&mut self, op: BinaryOp, left: Expr, flipped: bool) -> Parse<Expr> {
        let below = self.height;
        let operator = self.advance();
        let least = match op {
            BinaryOp::Power => level::POWER,
            _ => op.level() + 1,
        };
        self.height = 0;
        // Only `**` recurses to the right without a bracket.
        let right = match op {
            BinaryOp::Power => self.nested(|p| p.binary(least))?,
            _ => self.binary(least)?,
        };
        if op.is_comparison() {
            self.no_second_comparison()?;
        }
        if op.level() == level::COMPOSITION && (makes_predicate(&left) || makes_predicate(&right)) {
            return self.composed_predicates(operator);
        }
        self.grow_to(below.max(self.height))?;
        let span = left.span.to(right.span);
        let (first, second) = if flipped { (right, left) } else { (left, right) };
        Ok(Expr::new(ExprKind::Binary(op, Box::new(first), Box::new(second)), span))
    }

    /// `&` and `or` are one level; a run of the same one makes one node.
    fn and_or(&mut self, left: Expr, tok: Tok) -> Parse<Expr> {
        let below = self.height;
        self.advance();
        self.height = 0;
        let right = self.binary(level::AND_OR + 1)?;
        let span = left.span.to(right.span);
        let higher = below.max(self.height + 1);
        let (kind, grown) = match (tok, left.kind) {
            (Tok::And, ExprKind::And(mut list)) => {
                list.push(right);
                (ExprKind::And(list), higher)
            }
            (Tok::Or, ExprKind::Or(mut list)) => {
                list.push(right);
                (ExprKind::Or(list), higher)
            }
            (_, kind) => {
                let list = vec![Expr::new(kind, left.span), right];
                let kind = if tok == Tok::And { ExprKind::And(list) } else { ExprKind::Or(list) };
                (kind, below.max(self.height) + 1)
            }
        };
        self.grow_to(grown - 1)?;
        Ok(Expr::new(kind, span))
    }

    fn of_type(&mut self, left: Expr) -> Parse<Expr> {
        let below = self.height;
        self.advance();
        self.height = 0;
        let right = self.binary(level::OF_TYPE + 1)?;
        self.grow_to(below.max(self.height))?;
        let span = left.span.to(right.span);
        Ok(Expr::new(ExprKind::OfType(Box::new(left), Box::new(right)), span))
    }

    fn described(&mut self, left: Expr) -> Parse<Expr> {
        self.grow_to(self.height)?;
        let here = self.here();
        let span = left.span.to(here);
        let text = self.description().unwrap_or_default();
        // It describes an operand of `&` and `or`; a tighter operator behind it would take it away.
        let taken = match self.peek() {
            Tok::Op(op) | Tok::Flipped(op) => op.level() > level::AND_OR,
            Tok::OfType => true,
            _ => false,
        };
        if taken {
            let message = "a description comes after the whole predicate";
            self.report(Diagnostic::new(Code::MISPLACED_PRAGMA, here, message));
        }
        Ok(Expr::new(ExprKind::Described(Box::new(left), text), span))
    }

    /// Takes a description pragma, if one is here.
    pub(super) fn description(&mut self) -> Option<SmolStr> {
        if self.peek() != Tok::Desc {
            return None;
        }
        let token = self.advance();
        Some(Pragma::of(self.source(token)).map_or_else(SmolStr::default, |p| p.content.into()))
    }

    fn operand(&mut self, least: u8) -> Parse<Expr> {
        match self.peek() {
            Tok::Op(BinaryOp::Minus) => self.negate(),
            Tok::Label => self.labelled(least),
            _ => self.postfix(),
        }
    }

    fn negate(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        if self.peek() == Tok::Op(BinaryOp::Minus) {
            let message = "a minus directly after a minus needs parentheses";
            let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
                .help("write `-(-x)`");
            return self.fail(problem);
        }
        let operand = self.postfix()?;
        self.grow_to(self.height)?;
        let span = start.to(operand.span);
        Ok(Expr::new(ExprKind::Negate(Box::new(operand)), span))
    }

    fn labelled(&mut self, least: u8) -> Parse<Expr> {
        if least > level::AND_OR + 1 {
            let message = "a label names a predicate, but this is inside of one";
            let problem = Diagnostic::new(Code::MISPLACED_PRAGMA, self.here(), message)
                .help("put it in front of an operand of `&`, or use parentheses");
            return self.fail(problem);
        }
        let token = self.advance();
        let start = self.span_of(token);
        let label = Pragma::of(self.source(token)).map(|p| p.word_or_string()).unwrap_or_default();
        let predicate = self.nested(|p| p.binary(level::AND_OR + 1))?;
        let span = start.to(predicate.span);
        Ok(Expr::new(ExprKind::Labelled(label, Box::new(predicate)), span))
    }

    /// An atom with what is written behind it: calls, images, `~`, fields.
    pub(super) fn postfix(&mut self) -> Parse<Expr> {
        let mut e = self.atom()?;
        loop {
            let tok = self.peek();
            if !matches!(tok, Tok::LeftParen | Tok::LeftBracket | Tok::Tilde | Tok::Prime)
                || !may_have_postfix(&e)
            {
                return Ok(e);
            }
            let below = self.height;
            self.height = 0;
            let start = e.span;
            let kind = match tok {
                Tok::LeftParen => {
                    let arguments = self.call_arguments()?;
                    ExprKind::Call(Box::new(e), arguments)
                }
                Tok::LeftBracket => {
                    let set = self.image()?;
                    ExprKind::Image(Box::new(e), Box::new(set))
                }
                Tok::Tilde => {
                    self.single_tilde(&e)?;
                    self.advance();
                    ExprKind::Inverse(Box::new(e))
                }
                _ => {
                    self.advance();
                    let field = self.field_name()?;
                    ExprKind::Field(Box::new(e), field)
                }
            };
            self.grow_to(below.max(self.height))?;
            e = Expr::new(kind, self.span_from(start));
        }
    }

    fn single_tilde(&mut self, e: &Expr) -> Parse<()> {
        if !matches!(e.kind, ExprKind::Inverse(_)) {
            return Ok(());
        }
        let message = "`~` cannot be repeated without parentheses";
        let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
            .help("the inverse of an inverse is the relation itself; write `(r~)~` if you mean it");
        self.fail(problem)
    }

    fn call_arguments(&mut self) -> Parse<Vec<Expr>> {
        let open = self.open_bracket();
        if self.peek() == Tok::RightParen {
            let message = "a call needs an argument between its parentheses";
            let problem = Diagnostic::new(Code::SYNTAX, self.here(), message)
                .help("omit the parentheses if there are no arguments");
            return self.fail(problem);
        }
        let arguments = self.comma_list(Self::formula)?;
        self.close_bracket(Tok::RightParen, open, "the call")?;
        Ok(arguments)
    }

    fn image(&mut self) -> Parse<Expr> {
        let open = self.open_bracket();
        let set = self.bracketed_formula()?;
        self.close_bracket(Tok::RightBracket, open, "the image")?;
        Ok(set)
    }
}

/// Is this, whatever its names mean, a predicate?
pub(super) fn makes_predicate(e: &Expr) -> bool {
    let mut e = e.peeled();
    loop {
        return match &e.kind {
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Substituted(..) => true,
            ExprKind::Constant(c) => matches!(c, Constant::Truth | Constant::Falsity),
            ExprKind::Binary(op, ..) => op.makes_predicate(),
            ExprKind::Builtin(b, _) => b.makes_predicate(),
            ExprKind::Quantified(q) => {
                matches!(q.quantifier, Quantifier::Forall | Quantifier::Exists)
            }
            ExprKind::If(_, otherwise) => {
                e = otherwise.peeled();
                continue;
            }
            ExprKind::Let(_, _, body) => {
                e = body.peeled();
                continue;
            }
            _ => false,
        };
    }
}

/// A bracket behind a number or a predicate belongs to something else.
fn may_have_postfix(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::Substituted(..) => false,
        ExprKind::Builtin(b, _) => !b.makes_predicate(),
        ExprKind::Constant(c) => !matches!(c, Constant::Truth | Constant::Falsity),
        ExprKind::Quantified(q) => q.quantifier.has_expression(),
        _ => true,
    }
}
