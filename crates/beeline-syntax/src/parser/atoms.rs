//! Atoms of formulas: names, literals, keyword operators, quantifiers, records, IF and LET.

use super::{Parse, Parser};
use crate::ast::{Builtin, Expr, ExprKind, Ident, Quantified, Quantifier, StringKind};
use crate::lexer::text;
use crate::limits::{MAX_DIGITS, MAX_HEX_DIGITS};
use crate::token::{Keyword, Tok, Token};
use beeline_source::{Code, Diagnostic, Span};
use smol_str::SmolStr;

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Parse<Expr> {
        let token = self.token();
        match token.tok {
            Tok::TreeWord(builtin) if self.peek_at(1) == Tok::LeftParen => self.builtin(builtin),
            Tok::Ident | Tok::Quoted | Tok::TreeWord(_) => self.named(),
            Tok::Integer => self.decimal(token),
            Tok::Real => Ok(self.leaf(ExprKind::Real(SmolStr::new(self.source(token))))),
            Tok::Hex => self.hexadecimal(token),
            Tok::Text | Tok::MultiLineText | Tok::TemplateText => self.string(token),
            Tok::Constant(constant) => Ok(self.leaf(ExprKind::Constant(constant))),
            Tok::Builtin(builtin) => self.builtin(builtin),
            Tok::Quantifier(quantifier) => self.quantified(quantifier, false),
            Tok::LeftParen => self.parenthesised(),
            Tok::LeftBrace => self.braces(false),
            Tok::LeftBracket => self.brackets(),
            Tok::Symbolic => self.symbolic(),
            Tok::Keyword(Keyword::If) => self.if_formula(),
            Tok::Keyword(Keyword::Let) => self.let_formula(),
            Tok::Keyword(Keyword::Rec) => self.record(false),
            Tok::Keyword(Keyword::Struct) => self.record(true),
            _ => self.no_operand(),
        }
    }

    fn leaf(&mut self, kind: ExprKind) -> Expr {
        let span = self.here();
        self.advance();
        Expr::new(kind, span)
    }

    fn named(&mut self) -> Parse<Expr> {
        let name = self.name("a name")?;
        if self.eat(Tok::DollarZero) {
            return Ok(Expr::new(ExprKind::Before(name.name), self.span_from(name.span)));
        }
        Ok(Expr::new(ExprKind::Ident(name.name), name.span))
    }

    fn decimal(&mut self, token: Token) -> Parse<Expr> {
        let digits = self.source(token);
        if digits.len() > MAX_DIGITS {
            let message = format!("a number has at most {MAX_DIGITS} digits");
            return self.fail(Diagnostic::new(Code::LITERAL_TOO_LONG, self.here(), message));
        }
        Ok(self.leaf(ExprKind::Integer(SmolStr::new(digits))))
    }

    fn hexadecimal(&mut self, token: Token) -> Parse<Expr> {
        let digits = &self.source(token)[2..];
        if digits.len() > MAX_HEX_DIGITS {
            let message = format!("a hexadecimal number has at most {MAX_HEX_DIGITS} digits");
            return self.fail(Diagnostic::new(Code::LITERAL_TOO_LONG, self.here(), message));
        }
        Ok(self.leaf(ExprKind::Integer(text::hex_to_decimal(digits).into())))
    }

    fn string(&mut self, token: Token) -> Parse<Expr> {
        let source = self.source(token);
        let kind = match token.tok {
            Tok::Text => StringKind::Plain,
            Tok::MultiLineText => StringKind::MultiLine,
            _ => StringKind::Template,
        };
        let quotes = if kind == StringKind::Plain { 1 } else { 3 };
        let raw = &source[quotes..source.len() - quotes];
        if text::ends_in_lone_backslash(raw) {
            let message = "this string ends in a lone backslash";
            let problem = Diagnostic::new(Code::BAD_ESCAPE, self.here(), message)
                .help("write `\\\\` for a backslash");
            self.report(problem);
        }
        let value = match kind {
            StringKind::Plain => text::unescaped(raw),
            _ => text::unescaped(&text::normalised_lines(raw)),
        };
        Ok(self.leaf(ExprKind::String(kind, value)))
    }

    /// `card(s)`, `iterate(r, n)`, `not(P)` …
    fn builtin(&mut self, builtin: Builtin) -> Parse<Expr> {
        let start = self.here();
        if self.peek_at(1) != Tok::LeftParen {
            return self.builtin_without_parentheses(builtin);
        }
        self.advance();
        let open = self.open_bracket();
        let arguments = match builtin {
            Builtin::Not | Builtin::BoolOf => vec![self.formula()?],
            _ if self.peek() == Tok::RightParen => Vec::new(),
            _ => self.comma_list(Self::bracketed_formula)?,
        };
        self.close_bracket(Tok::RightParen, open, builtin.keyword())?;
        let span = self.span_from(start);
        if !builtin.takes(arguments.len()) {
            self.wrong_count(builtin, arguments.len(), span);
            return Ok(Expr::new(ExprKind::Error, span));
        }
        Ok(Expr::new(ExprKind::Builtin(builtin, arguments), span))
    }

    /// `/*@symbolic*/` before a comprehension or a quantified expression.
    fn symbolic(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        let mut e = match self.peek() {
            Tok::LeftBrace => self.braces(true)?,
            Tok::Quantifier(quantifier) if quantifier.has_expression() => {
                self.quantified(quantifier, true)?
            }
            _ => {
                let message =
                    "`@symbolic` must be followed by a comprehension, a lambda or a UNION";
                return self.fail(Diagnostic::new(Code::MISPLACED_PRAGMA, start, message));
            }
        };
        e.span = start.to(e.span);
        Ok(e)
    }

    /// `!x.(P)`, `%(x,y).(P|E)` …
    fn quantified(&mut self, quantifier: Quantifier, symbolic: bool) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        let names = self.bound_names()?;
        if !matches!(self.peek(), Tok::Dot | Tok::GlyphDot) {
            return self.no_quantifier_dot(quantifier, &names);
        }
        self.advance();
        if self.peek() != Tok::LeftParen {
            return self.quantifier_needs_parentheses(quantifier);
        }
        let open = self.open_bracket();
        let predicate = self.formula()?;
        let expression = if quantifier.has_expression() {
            if !self.eat(Tok::Bar) {
                return self.no_bar(quantifier, open);
            }
            Some(self.bracketed_formula()?)
        } else {
            None
        };
        self.close_bracket(Tok::RightParen, open, "the body of the quantifier")?;
        let quantified = Quantified { quantifier, symbolic, names, predicate, expression };
        let kind = ExprKind::Quantified(Box::new(quantified));
        Ok(Expr::new(kind, self.span_from(start)))
    }

    fn bound_names(&mut self) -> Parse<Vec<Ident>> {
        let what = "a bound name";
        if self.peek() != Tok::LeftParen {
            return self.names(what);
        }
        let open = self.open_bracket();
        let names = self.names(what)?;
        self.close_bracket(Tok::RightParen, open, "the list of bound names")?;
        Ok(names)
    }

    /// `IF c THEN e ELSIF d THEN f ELSE g END` as a formula; ELSE is not optional.
    fn if_formula(&mut self) -> Parse<Expr> {
        let start = self.open_block();
        let mut branches = Vec::new();
        loop {
            let condition = self.formula()?;
            self.expect_keyword(Keyword::Then, start, "IF")?;
            let value = self.formula()?;
            branches.push((condition, value));
            if !self.eat_keyword(Keyword::Elsif) {
                break;
            }
        }
        if !self.eat_keyword(Keyword::Else) {
            return self.no_else(start);
        }
        let otherwise = self.formula()?;
        self.close_block(start, "IF")?;
        Ok(Expr::new(ExprKind::If(branches, Box::new(otherwise)), self.span_from(start)))
    }

    /// `LET x, y BE x = e & y = f IN g END` as a formula.
    fn let_formula(&mut self) -> Parse<Expr> {
        let start = self.open_block();
        let names = self.names("a name that LET introduces")?;
        self.expect_keyword(Keyword::Be, start, "LET")?;
        let equations = self.formula()?;
        self.expect_keyword(Keyword::In, start, "LET")?;
        let body = self.formula()?;
        self.close_block(start, "LET")?;
        let kind = ExprKind::Let(names, Box::new(equations), Box::new(body));
        Ok(Expr::new(kind, self.span_from(start)))
    }

    fn open_block(&mut self) -> Span {
        let start = self.here();
        self.advance();
        self.open_blocks += 1;
        start
    }

    fn close_block(&mut self, start: Span, word: &str) -> Parse<()> {
        self.expect_end(start, word)?;
        self.open_blocks = self.open_blocks.saturating_sub(1);
        Ok(())
    }

    /// `rec(f : e, …)` or, with `of_sets`, `struct(f : S, …)`.
    fn record(&mut self, of_sets: bool) -> Parse<Expr> {
        let start = self.here();
        let word = if of_sets { "struct" } else { "rec" };
        if self.peek_at(1) != Tok::LeftParen {
            return self.keyword_needs_parentheses(word);
        }
        self.advance();
        let open = self.open_bracket();
        let fields = self.comma_list(Self::record_field)?;
        self.close_bracket(Tok::RightParen, open, word)?;
        let kind = if of_sets { ExprKind::RecordSet(fields) } else { ExprKind::Record(fields) };
        Ok(Expr::new(kind, self.span_from(start)))
    }

    /// `f : e`, which may stand in parentheses.
    fn record_field(&mut self) -> Parse<(Ident, Expr)> {
        if self.peek() == Tok::LeftParen {
            let open = self.open_bracket();
            let field = self.bare_record_field()?;
            self.close_bracket(Tok::RightParen, open, "the record field")?;
            return Ok(field);
        }
        self.bare_record_field()
    }

    fn bare_record_field(&mut self) -> Parse<(Ident, Expr)> {
        let name = self.field_name()?;
        if !self.eat(Tok::Op(crate::ast::BinaryOp::Member)) {
            let message = format!("expected `:` after the field name, found {}", self.found());
            return self.fail(Diagnostic::new(Code::SYNTAX, self.here(), message));
        }
        let value = self.bracketed_formula()?;
        Ok((name, value))
    }

    pub(super) fn field_name(&mut self) -> Parse<Ident> {
        self.simple_name("a field name")
    }
}
