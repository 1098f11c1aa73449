//! Brackets and lists: what keeps track of what is open and what separates.

use super::{Parse, Parser};
use crate::ast::{Expr, Ident};
use crate::token::Tok;
use beeline_source::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// Takes an opening bracket and remembers that it is open.
    pub(super) fn open_bracket(&mut self) -> Span {
        let span = self.here();
        self.advance();
        self.open_brackets += 1;
        span
    }

    /// Takes the closing bracket that belongs to `open`.
    pub(super) fn close_bracket(&mut self, close: Tok, open: Span, what: &str) -> Parse<()> {
        if self.eat(close) {
            self.open_brackets = self.open_brackets.saturating_sub(1);
            return Ok(());
        }
        self.not_closed(close, open, what)
    }

    /// `item, item, …`, at least one.
    pub(super) fn comma_list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut list = vec![item(self)?];
        while self.eat(Tok::Comma) {
            list.push(item(self)?);
        }
        Ok(list)
    }

    /// `x, y, …` as bound or declared names.
    pub(super) fn names(&mut self, what: &str) -> Parse<Vec<Ident>> {
        self.comma_list(|p| p.name(what))
    }

    /// Reads already parsed elements as bound names: `{x, y | …}`, `{(x, y) | …}`.
    pub(super) fn as_names(&mut self, elements: Vec<Expr>) -> Parse<Vec<Ident>> {
        use crate::ast::ExprKind::{Ident as Name, Paren, Tuple};
        let mut names = Vec::with_capacity(elements.len());
        let single = elements.len() == 1;
        for element in elements {
            match element.kind {
                Name(name) => names.push(Ident { name, span: element.span }),
                Paren(inner) if single => return self.as_names(vec![*inner]),
                Tuple(inner) if single => return self.as_names(inner),
                _ => {
                    let message = "only names are allowed before the bar of a comprehension";
                    let problem = Diagnostic::new(Code::SYNTAX, element.span, message)
                        .help("write `{x, y | P}`, or `{(x, y) . P | E}` for a set of E");
                    return self.fail(problem);
                }
            }
        }
        Ok(names)
    }
}
