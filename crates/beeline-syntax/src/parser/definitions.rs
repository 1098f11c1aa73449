//! The DEFINITIONS clause: bodies are formulas if they can be, substitutions otherwise.

use super::expr::makes_predicate;
use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{
    BinaryOp, Definition, DefinitionBody, DefinitionItem, Expr, ExprKind, Ident, SubstKind,
};
use crate::token::Tok;
use beeline_source::{Code, Diagnostic};

const SEMICOLON: Tok = Tok::Op(BinaryOp::Composition);

impl Parser<'_> {
    /// `item ; item ; …`, with a `;` behind the last allowed.
    pub(super) fn definitions(&mut self) -> Vec<DefinitionItem> {
        let mut items = Vec::new();
        while !self.at_clause_end() {
            let mark = self.mark();
            match self.definition_item() {
                Ok(item) => items.push(item),
                Err(Failed) => self.resync(mark, Stop::Definition),
            }
            if self.eat(SEMICOLON) || self.at_clause_end() {
                continue;
            }
            if self.at_definition_head() || self.peek() == Tok::Text {
                let message = format!("`;` is missing before the definition {}", self.found());
                let problem = Diagnostic::new(Code::MISSING_SEPARATOR, self.behind(), message)
                    .help("definitions are separated by `;`");
                self.report(problem);
            } else {
                self.resync(mark, Stop::Definition);
                self.eat(SEMICOLON);
            }
        }
        items
    }

    /// Does `name ==` or `name(x, y) ==` stand here?
    pub(super) fn at_definition_head(&self) -> bool {
        if !Self::is_name(self.peek()) {
            return false;
        }
        if self.peek_at(1) != Tok::LeftParen {
            return self.peek_at(1) == Tok::DoubleEqual;
        }
        let mut n = 2;
        while Self::is_name(self.peek_at(n)) || self.peek_at(n) == Tok::Comma {
            n += 1;
        }
        self.peek_at(n) == Tok::RightParen && self.peek_at(n + 1) == Tok::DoubleEqual
    }

    fn definition_item(&mut self) -> Parse<DefinitionItem> {
        if self.peek() == Tok::Text {
            let span = self.here();
            let token = self.advance();
            let source = self.source(token);
            let name = crate::lexer::text::unescaped(&source[1..source.len() - 1]);
            return Ok(DefinitionItem::File(Ident { name, span }));
        }
        if self.peek() == Tok::Op(BinaryOp::Less) {
            let message = "a definition file is named in double quotes";
            let problem =
                Diagnostic::new(Code::SYNTAX, self.here(), message).help("write `\"Name.def\"`");
            return self.fail(problem);
        }
        let definition = self.definition(Self::definition_body)?;
        Ok(DefinitionItem::Definition(Box::new(definition)))
    }

    /// `name(params) == body`
    pub(super) fn definition(
        &mut self,
        body: fn(&mut Self) -> Parse<DefinitionBody>,
    ) -> Parse<Definition> {
        let start = self.here();
        let name = self.name("a definition")?;
        let parameters = self.parameters("a parameter of the definition")?;
        if !self.eat(Tok::DoubleEqual) {
            if self.peek() != Tok::Op(BinaryOp::Equal) {
                return self
                    .unexpected(&format!("`==` and the body of the definition `{}`", name.name));
            }
            let message = "a definition is written with `==`";
            self.report(Diagnostic::new(Code::BAD_OPERATOR, self.here(), message));
            self.advance();
        }
        let outside = std::mem::replace(&mut self.in_definition, true);
        let body = body(self);
        self.in_definition = outside;
        Ok(Definition { name, parameters, body: body?, span: self.span_from(start) })
    }

    /// Tries a formula, then a substitution; of two failures, the one that got further is reported.
    pub(super) fn definition_body(&mut self) -> Parse<DefinitionBody> {
        let start = (self.pos, self.open_brackets, self.open_blocks);
        let attempt = self.begin_attempt();
        let formula = self.formula_body();
        if let (Ok(e), 0) = (formula, self.failures)
            && !is_becomes_such(&e)
        {
            self.end_attempt(attempt);
            return Ok(DefinitionBody::Formula(e));
        }
        let failed = self.failures > 0;
        let reached = self.first_failure;
        let stopped = (self.pos, self.open_brackets, self.open_blocks, self.last_error);
        let found = self.take_back(&attempt);
        (self.pos, self.open_brackets, self.open_blocks) = start;
        let body = self.substitution_body();
        if failed && self.failures > 0 && self.first_failure <= reached {
            self.take_back(&attempt);
            self.problems.extend(found);
            self.failures = 1;
            self.first_failure = reached;
            (self.pos, self.open_brackets, self.open_blocks, self.last_error) = stopped;
            self.end_attempt(attempt);
            return Err(Failed);
        }
        self.end_attempt(attempt);
        body
    }

    fn formula_body(&mut self) -> Parse<Expr> {
        let start = self.here();
        let first = self.formula()?;
        let e = if self.peek() == Tok::Comma {
            let mut list = vec![first];
            while self.eat(Tok::Comma) {
                list.push(self.formula()?);
            }
            Expr::new(ExprKind::List(list), self.span_from(start))
        } else {
            first
        };
        self.definition_end("an operator or `;`")?;
        Ok(e)
    }

    fn substitution_body(&mut self) -> Parse<DefinitionBody> {
        let body = self.statement();
        self.blocks.clear();
        if std::mem::take(&mut self.unwinding) {
            return Err(Failed);
        }
        if self.peek() == Tok::Op(BinaryOp::ParallelProduct) {
            let message = "`||` at the top of a definition needs a block around it";
            let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
                .help("write `BEGIN S || T END`");
            return self.fail(problem);
        }
        self.definition_end("`;`")?;
        match body.kind {
            SubstKind::Error => Err(Failed),
            _ => Ok(DefinitionBody::Substitution(body)),
        }
    }

    fn definition_end(&mut self, wanted: &str) -> Parse<()> {
        let ends = self.at_clause_end()
            || matches!(self.peek(), SEMICOLON | Tok::Text)
            || self.at_definition_head();
        if ends { Ok(()) } else { self.unexpected(wanted) }
    }

    /// `EXPRESSIONS` and `PREDICATES`: definitions that are formulas.
    pub(super) fn formula_definitions(&mut self) -> Vec<Definition> {
        let mut list = Vec::new();
        while !self.at_clause_end() {
            let mark = self.mark();
            let body = |p: &mut Self| p.formula_body().map(DefinitionBody::Formula);
            match self.definition(body) {
                Ok(definition) => list.push(definition),
                Err(Failed) => self.resync(mark, Stop::Definition),
            }
            if !self.eat(SEMICOLON) && !self.at_clause_end() {
                let _: Parse<()> = self.unexpected("`;`");
                self.resync(mark, Stop::Definition);
                self.eat(SEMICOLON);
            }
        }
        list
    }
}

/// The state of the reports at the start of something that may be taken back.
pub(super) struct Attempt {
    problems: usize,
    last_error: Option<usize>,
    failures: usize,
    first_failure: usize,
    said_too_deep: bool,
}

impl Parser<'_> {
    pub(super) fn begin_attempt(&mut self) -> Attempt {
        let attempt = Attempt {
            problems: self.problems.len(),
            last_error: self.last_error,
            failures: self.failures,
            first_failure: self.first_failure,
            said_too_deep: self.said_too_deep,
        };
        self.failures = 0;
        attempt
    }

    /// Takes the failures of the attempt into account of what is around it.
    pub(super) fn end_attempt(&mut self, attempt: Attempt) {
        if attempt.failures > 0 {
            self.first_failure = attempt.first_failure;
        }
        self.failures += attempt.failures;
    }

    /// Takes back everything since the attempt began; returns the problems it found.
    pub(super) fn take_back(&mut self, attempt: &Attempt) -> Vec<Diagnostic> {
        self.last_error = attempt.last_error;
        self.failures = 0;
        self.said_too_deep = attempt.said_too_deep;
        self.problems.split_off(attempt.problems)
    }
}

/// `x : (P)` and `x, y : (P)`: substitutions, although they read as formulas.
fn is_becomes_such(e: &Expr) -> bool {
    let last = match &e.kind {
        ExprKind::List(list) => list.last(),
        _ => Some(e),
    };
    match last.map(|e| &e.kind) {
        Some(ExprKind::Binary(BinaryOp::Member, left, right)) => {
            matches!(left.kind, ExprKind::Ident(_))
                && matches!(right.kind, ExprKind::Paren(_))
                && makes_predicate(right)
        }
        _ => false,
    }
}
