//! What begins with a bracket: parentheses and tuples, sets and comprehensions, sequences.

use super::{Parse, Parser};
use crate::ast::{Comprehension, Constant, Expr, ExprKind, Ident};
use crate::operators::level;
use crate::token::Tok;
use beeline_source::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// `( e )` or `( e, f, … )`
    pub(super) fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.open_bracket();
        let first = self.bracketed_formula()?;
        if self.peek() != Tok::Comma {
            self.close_bracket(Tok::RightParen, open, "the parenthesis")?;
            return Ok(Expr::new(ExprKind::Paren(Box::new(first)), self.span_from(open)));
        }
        let mut parts = vec![first];
        while self.eat(Tok::Comma) {
            parts.push(self.bracketed_formula()?);
        }
        self.close_bracket(Tok::RightParen, open, "the parenthesis")?;
        Ok(Expr::new(ExprKind::Tuple(parts), self.span_from(open)))
    }

    /// `{}`, `{a, b}`, `{x, y | P}`, `{(x, y) . P | E}`
    pub(super) fn braces(&mut self, symbolic: bool) -> Parse<Expr> {
        let open = self.open_bracket();
        if self.peek() == Tok::RightBrace {
            self.close_bracket(Tok::RightBrace, open, "the set")?;
            return Ok(Expr::new(ExprKind::Constant(Constant::EmptySet), self.span_from(open)));
        }
        let mut elements = vec![self.bracketed_formula()?];
        while self.eat(Tok::Comma) {
            elements.push(self.bracketed_formula()?);
        }
        match self.peek() {
            Tok::Bar => {
                self.advance();
                let names = self.as_names(elements)?;
                let predicate = self.formula()?;
                self.end_comprehension(open, symbolic, names, predicate, None)
            }
            Tok::Dot | Tok::GlyphDot => {
                let names = self.as_names(elements)?;
                self.advance();
                let predicate = self.formula()?;
                if !self.eat(Tok::Bar) {
                    return self.no_bar_in_set(open);
                }
                let expression = self.bracketed_formula()?;
                self.end_comprehension(open, symbolic, names, predicate, Some(expression))
            }
            _ => {
                self.close_bracket(Tok::RightBrace, open, "the set")?;
                if symbolic {
                    let message = "`@symbolic` cannot be used for a set given by its elements";
                    self.report(Diagnostic::new(Code::MISPLACED_PRAGMA, open, message));
                }
                Ok(Expr::new(ExprKind::SetExtension(elements), self.span_from(open)))
            }
        }
    }

    fn end_comprehension(
        &mut self,
        open: Span,
        symbolic: bool,
        names: Vec<Ident>,
        predicate: Expr,
        expression: Option<Expr>,
    ) -> Parse<Expr> {
        self.close_bracket(Tok::RightBrace, open, "the comprehension")?;
        let comprehension = Comprehension { symbolic, names, predicate, expression };
        let kind = ExprKind::Comprehension(Box::new(comprehension));
        Ok(Expr::new(kind, self.span_from(open)))
    }

    /// `[]`, `[a, b]`, `[x, y := e, f] P`
    pub(super) fn brackets(&mut self) -> Parse<Expr> {
        let open = self.open_bracket();
        if self.peek() == Tok::RightBracket {
            self.close_bracket(Tok::RightBracket, open, "the sequence")?;
            let kind = ExprKind::Constant(Constant::EmptySequence);
            return Ok(Expr::new(kind, self.span_from(open)));
        }
        let elements = self.comma_list(Self::formula)?;
        if self.peek() == Tok::Assign {
            return self.substituted(open, elements);
        }
        self.close_bracket(Tok::RightBracket, open, "the sequence")?;
        Ok(Expr::new(ExprKind::SequenceExtension(elements), self.span_from(open)))
    }

    fn substituted(&mut self, open: Span, targets: Vec<Expr>) -> Parse<Expr> {
        self.advance();
        let values = self.comma_list(Self::formula)?;
        self.close_bracket(Tok::RightBracket, open, "the substitution")?;
        if values.len() != targets.len() {
            let (t, v) = (targets.len(), values.len());
            let message = format!("{t} names are substituted by {v} values");
            let span = self.span_from(open);
            return self.fail(Diagnostic::new(Code::SYNTAX, span, message));
        }
        let mut pairs = Vec::with_capacity(targets.len());
        for (target, value) in targets.into_iter().zip(values) {
            let ExprKind::Ident(name) = target.kind else {
                let message = "only a name can be substituted";
                return self.fail(Diagnostic::new(Code::BAD_TARGET, target.span, message));
            };
            pairs.push((Ident { name, span: target.span }, value));
        }
        // The predicate must be an atom or a comparison.
        let predicate = self.nested(|p| p.binary(level::COMPARISON))?;
        let kind = ExprKind::Substituted(pairs, Box::new(predicate));
        Ok(Expr::new(kind, self.span_from(open)))
    }
}
