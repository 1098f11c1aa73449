//! Operations, and the statements without a keyword: assignments and calls.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{BinaryOp, Call, Expr, ExprKind, Ident, Operation, Subst, SubstKind};
use crate::token::{Keyword, Tok};
use beeline_source::{Code, Diagnostic};

const SEMICOLON: Tok = Tok::Op(BinaryOp::Composition);
const EQUAL: Tok = Tok::Op(BinaryOp::Equal);

impl Parser<'_> {
    /// `op ; op ; …`
    pub(super) fn operations(&mut self) -> Vec<Operation> {
        let mut list = Vec::new();
        loop {
            let mark = self.mark();
            match self.operation() {
                Ok(operation) => list.push(operation),
                Err(Failed) => self.resync(mark, Stop::Semicolon),
            }
            self.blocks.clear();
            if std::mem::take(&mut self.unwinding) {
                if self.at_clause_end() {
                    return list;
                }
                continue;
            }
            if self.peek() == SEMICOLON {
                let separator = self.here();
                self.advance();
                if self.at_clause_end() {
                    self.stray_separator(separator);
                    return list;
                }
            } else if self.at_clause_end() {
                return list;
            } else if self.at_operation_head() {
                let message = format!("`;` is missing before the operation {}", self.found());
                let problem = Diagnostic::new(Code::MISSING_SEPARATOR, self.behind(), message)
                    .help("operations are separated by `;`");
                self.report(problem);
            } else {
                let _: Parse<()> = self.unexpected("`;` and the next operation, or END");
                self.resync(mark, Stop::Semicolon);
                if self.peek() != SEMICOLON {
                    // Too many ENDs: the machine would seem to end in its midst.
                    return list;
                }
                self.advance();
            }
        }
    }

    /// Does `name =`, `name(` or `names <--` stand here?
    fn at_operation_head(&self) -> bool {
        Self::is_name(self.peek())
            && matches!(self.peek_at(1), EQUAL | Tok::LeftParen | Tok::Output | Tok::Comma)
    }

    fn operation(&mut self) -> Parse<Operation> {
        let start = self.here();
        let mut results = Vec::new();
        let mut name = self.name("an operation")?;
        if matches!(self.peek(), Tok::Comma | Tok::Output) {
            results.push(name);
            while self.eat(Tok::Comma) {
                results.push(self.name("a result of the operation")?);
            }
            if !self.eat(Tok::Output) {
                return self.unexpected("`<--` between the results and the operation");
            }
            name = self.name("an operation")?;
        }
        let parameters = self.parameters("a parameter of the operation")?;
        let refines = self.refined_name()?;
        match self.peek() {
            EQUAL => {}
            Tok::DoubleEqual | Tok::Assign => {
                let sign = self.source(self.token());
                let message = format!("an operation is defined with `=`, not with `{sign}`");
                self.report(Diagnostic::new(Code::BAD_OPERATOR, self.here(), message));
            }
            _ => return self.unexpected("`=` and the body of the operation"),
        }
        self.advance();
        let body = self.parallel();
        let description = self.description();
        let span = self.span_from(start);
        Ok(Operation { results, name, parameters, refines, body, description, span })
    }

    /// `ref abstractName`; `ref` is a word only here.
    fn refined_name(&mut self) -> Parse<Option<Ident>> {
        let contextual = self.peek() == Tok::Ident
            && self.source(self.token()) == "ref"
            && Self::is_name(self.peek_at(1));
        if !contextual {
            return Ok(None);
        }
        self.advance();
        self.name("the refined event").map(Some)
    }

    /// `(x, y)`, or nothing.
    pub(super) fn parameters(&mut self, what: &str) -> Parse<Vec<Ident>> {
        if self.peek() != Tok::LeftParen {
            return Ok(Vec::new());
        }
        let open = self.open_bracket();
        let names = self.names(what)?;
        self.close_bracket(Tok::RightParen, open, "the list of parameters")?;
        Ok(names)
    }

    /// `x := e`, `x :: S`, `x : (P)`, `r <-- op(e)`, `op(e)`
    pub(super) fn simple_statement(&mut self) -> Parse<SubstKind> {
        let first = self.pos;
        if Self::is_name(self.peek())
            && self.peek_at(1) == Tok::LeftParen
            && self.peek_at(2) == Tok::RightParen
        {
            return self.call_without_arguments();
        }
        if !self.starts_target() {
            return self.no_statement();
        }
        let mut targets = vec![self.target()?];
        while self.eat(Tok::Comma) {
            targets.push(self.target()?);
        }
        match self.peek() {
            Tok::Assign => {
                self.advance();
                self.check_targets(&targets, false);
                let values = self.right_hand_sides()?;
                Ok(SubstKind::Assign(targets, values))
            }
            Tok::DoubleColon => {
                self.advance();
                self.check_targets(&targets, true);
                let set = self.right_hand_side()?;
                Ok(SubstKind::BecomesElement(targets, set))
            }
            Tok::Op(BinaryOp::Member) => self.becomes_such(targets),
            Tok::Output => {
                self.advance();
                self.check_targets(&targets, false);
                let kind = self.call_with_results(targets)?;
                if self.peek() == EQUAL {
                    return self.equal_sign(first);
                }
                Ok(kind)
            }
            EQUAL => self.equal_sign(first),
            _ if targets.len() == 1 => self.call_of(targets.swap_remove(0)),
            _ => self.unexpected("`:=`"),
        }
    }

    fn starts_target(&self) -> bool {
        Self::is_name(self.peek())
            || matches!(self.peek(), Tok::LeftParen | Tok::Builtin(_) | Tok::Constant(_))
    }

    fn call_without_arguments(&mut self) -> Parse<SubstKind> {
        let name = self.simple_name("an operation")?;
        self.advance();
        self.advance();
        let call = Call { results: Vec::new(), name, arguments: Vec::new(), parentheses: true };
        Ok(SubstKind::Call(call))
    }

    /// A target: any postfix expression; what may be assigned is checked when all are known.
    fn target(&mut self) -> Parse<Expr> {
        let e = self.nested(Self::postfix)?;
        Ok(without_tree_words(e))
    }

    /// The right-hand side leaves a description that follows to the operation.
    fn right_hand_side(&mut self) -> Parse<Expr> {
        let outside = self.leave_descriptions.replace(self.open_brackets);
        let result = self.formula();
        self.leave_descriptions = outside;
        result
    }

    fn right_hand_sides(&mut self) -> Parse<Vec<Expr>> {
        self.comma_list(Self::right_hand_side)
    }

    fn becomes_such(&mut self, targets: Vec<Expr>) -> Parse<SubstKind> {
        self.advance();
        if self.peek() != Tok::LeftParen {
            let message = "`x : (P)` needs parentheses around its predicate";
            let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
                .help("to choose from a set, write `x :: S`");
            return self.fail(problem);
        }
        self.check_targets(&targets, true);
        let open = self.open_bracket();
        let predicate = self.formula()?;
        self.close_bracket(Tok::RightParen, open, "the predicate")?;
        Ok(SubstKind::BecomesSuch(targets, predicate))
    }

    fn call_with_results(&mut self, results: Vec<Expr>) -> Parse<SubstKind> {
        let name = self.name("an operation")?;
        let parentheses = self.peek() == Tok::LeftParen;
        let mut arguments = Vec::new();
        if parentheses {
            let open = self.open_bracket();
            if self.peek() != Tok::RightParen {
                arguments = self.comma_list(Self::formula)?;
            }
            self.close_bracket(Tok::RightParen, open, "the call")?;
        }
        Ok(SubstKind::Call(Call { results, name, arguments, parentheses }))
    }

    fn call_of(&mut self, e: Expr) -> Parse<SubstKind> {
        match Subst::from_formula(&e) {
            Some(Subst { kind: kind @ SubstKind::Call(_), .. }) => Ok(kind),
            _ => {
                let message = "this is an expression, not a substitution";
                let problem = Diagnostic::new(Code::SYNTAX, e.span, message)
                    .help("to assign, write `x := e`");
                self.fail(problem)
            }
        }
    }

    /// `=` in a statement: the next operation, if an END is missing, or a slip for `:=`.
    fn equal_sign<T>(&mut self, first: usize) -> Parse<T> {
        let body = match self.peek_at(1) {
            Tok::Keyword(k) => k.ends_needed() > 0 || k == Keyword::Skip,
            _ => false,
        };
        let open = self.blocks.last().copied();
        if let (true, Some((start, word))) = (body || self.before_is_result(first), open) {
            self.pos = first;
            let message =
                format!("END is missing: {word} is still open where {} begins", self.found());
            let problem = Diagnostic::new(Code::UNCLOSED, self.here(), message)
                .also(start, format!("this {word} is not closed"));
            self.report(problem);
            self.unwinding = true;
            return Err(Failed);
        }
        let message = "`=` compares, it does not assign";
        let problem =
            Diagnostic::new(Code::BAD_OPERATOR, self.here(), message).help("to assign, write `:=`");
        self.fail(problem)
    }

    /// Was `r <-- name` read since `first`? Then `=` can only begin an operation's body.
    fn before_is_result(&self, first: usize) -> bool {
        self.tokens[first..self.pos].iter().any(|t| t.tok == Tok::Output)
    }

    /// No statement begins here.
    pub(super) fn no_statement<T>(&mut self) -> Parse<T> {
        let message = format!("expected a substitution, found {}", self.found());
        let problem = match self.peek() {
            Tok::Builtin(_) | Tok::Constant(_) | Tok::Quantifier(_) | Tok::LeftParen => {
                Diagnostic::new(Code::SYNTAX, self.here(), message)
                    .help("a substitution changes the state, such as `x := e`")
            }
            Tok::Keyword(Keyword::End) => Diagnostic::new(Code::SYNTAX, self.here(), message)
                .help("to do nothing, write `skip`"),
            _ => Diagnostic::new(Code::SYNTAX, self.here(), message),
        };
        self.fail(problem)
    }

    fn check_targets(&mut self, targets: &[Expr], names_only: bool) {
        for target in targets {
            let good = if names_only {
                matches!(target.kind, ExprKind::Ident(_))
            } else {
                is_target(target)
            };
            if !good {
                let help = if names_only {
                    "only names are allowed before `::` and `: (P)`"
                } else {
                    "a name, `f(x)` or `r'field` can be assigned to"
                };
                let message = "this cannot be assigned to";
                let problem = Diagnostic::new(Code::BAD_TARGET, target.span, message).help(help);
                self.report(problem);
            }
        }
    }
}

/// `x`, `f(i)`, `f(i)(j)`, `r'a`, `f(i)'a` …
fn is_target(e: &Expr) -> bool {
    let mut e = e;
    loop {
        e = match &e.kind {
            ExprKind::Ident(_) => return true,
            ExprKind::Call(callee, _) => callee,
            ExprKind::Field(record, _) => record,
            _ => return false,
        };
    }
}

/// In front of `:=` a tree word is a name after all: `left(x) := e`.
fn without_tree_words(mut e: Expr) -> Expr {
    if let ExprKind::Builtin(builtin, arguments) = e.kind {
        e.kind = if builtin.is_soft_word() {
            let start = e.span.start;
            let name = builtin.keyword();
            let span = beeline_source::Span::new(start, start + name.len() as u32);
            ExprKind::Call(Box::new(Expr::new(ExprKind::Ident(name.into()), span)), arguments)
        } else {
            ExprKind::Builtin(builtin, arguments)
        };
    }
    e
}
