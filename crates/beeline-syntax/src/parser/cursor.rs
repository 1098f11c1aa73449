//! Moving over the tokens: looking, taking, spans, names, and the guard against deep nesting.

use super::{Failed, Parse, Parser};
use crate::ast::Ident;
use crate::lexer::text;
use crate::limits::{MAX_CHAIN, MAX_NESTING};
use crate::token::{Keyword, Tok, Token};
use beeline_source::{Code, Diagnostic, Span};
use smol_str::{SmolStr, SmolStrBuilder};

/// When less stack than this is left, a new piece is allocated.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 1024 * 1024;

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    pub(super) fn peek(&self) -> Tok {
        self.tokens[self.pos].tok
    }

    /// The token `n` further on; the end of the text past it.
    pub(super) fn peek_at(&self, n: usize) -> Tok {
        self.tokens[(self.pos + n).min(self.tokens.len() - 1)].tok
    }

    /// The token just taken.
    pub(super) fn before(&self) -> Tok {
        if self.pos == 0 { Tok::Eof } else { self.tokens[self.pos - 1].tok }
    }

    /// Takes a token; the end of the text is never taken.
    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(Tok::Keyword(keyword))
    }

    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == Tok::Keyword(keyword)
    }

    pub(super) fn source(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    pub(super) fn span_of(&self, token: Token) -> Span {
        Span::new(self.base + token.start, self.base + token.end)
    }

    /// The place of the current token.
    pub(super) fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// The empty place just behind the last token taken.
    pub(super) fn behind(&self) -> Span {
        if self.pos == 0 { self.here() } else { self.span_of(self.tokens[self.pos - 1]).after() }
    }

    /// From a start to the end of the last token taken.
    pub(super) fn span_from(&self, start: Span) -> Span {
        let end = self.behind().end;
        Span::new(start.start, end.max(start.end))
    }

    /// Runs one step deeper; too deep is a problem, not a crash.
    pub(super) fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            if std::mem::replace(&mut self.said_too_deep, true) {
                self.failures += 1;
                return Err(Failed);
            }
            let message = format!("this is nested more than {MAX_NESTING} levels deep");
            let problem = Diagnostic::new(Code::TOO_DEEP, self.here(), message)
                .help("give parts of it a name in DEFINITIONS");
            return self.fail(problem);
        }
        self.nesting += 1;
        let outer = std::mem::take(&mut self.height);
        let result = stacker::maybe_grow(RED_ZONE, STACK_PIECE, || step(self));
        self.nesting -= 1;
        if result.is_ok() {
            self.grow_to(self.height)?;
        }
        self.height = self.height.max(outer);
        result
    }

    /// A node is put on top of a tree of this height.
    pub(super) fn grow_to(&mut self, below: u32) -> Parse<()> {
        self.height = below + 1;
        if self.height <= MAX_CHAIN {
            return Ok(());
        }
        let message = format!("this formula chains more than {MAX_CHAIN} operators");
        let problem = Diagnostic::new(Code::TOO_DEEP, self.here(), message)
            .help("split it, or write a set or a union of a set instead");
        self.fail(problem)
    }

    /// The name a token spells.
    pub(super) fn name_of(&self, token: Token) -> SmolStr {
        let source = self.source(token);
        match token.tok {
            Tok::Quoted => text::unescaped(&source[1..source.len() - 1]),
            _ => SmolStr::new(source),
        }
    }

    pub(super) fn is_name(tok: Tok) -> bool {
        matches!(tok, Tok::Ident | Tok::Quoted | Tok::TreeWord(_))
    }

    /// Takes a name without dots.
    pub(super) fn simple_name(&mut self, what: &str) -> Parse<Ident> {
        if !Self::is_name(self.peek()) {
            return self.no_name(what);
        }
        let token = self.advance();
        Ok(Ident { name: self.name_of(token), span: self.span_of(token) })
    }

    /// Takes a name, perhaps composed: `a.b.c`.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        let first = self.simple_name(what)?;
        if self.peek() == Tok::Dot && Self::is_name(self.peek_at(1)) {
            return Ok(self.composed(first));
        }
        Ok(first)
    }

    #[cold]
    fn composed(&mut self, first: Ident) -> Ident {
        let mut name = SmolStrBuilder::new();
        name.push_str(&first.name);
        while self.peek() == Tok::Dot && Self::is_name(self.peek_at(1)) {
            self.advance();
            let part = self.advance();
            name.push('.');
            name.push_str(&self.name_of(part));
        }
        Ident { name: name.finish(), span: self.span_from(first.span) }
    }
}
