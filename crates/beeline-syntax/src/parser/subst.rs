//! Substitutions: blocks, sequences and simple statements.
//!
//! Nothing here fails as a whole: a statement that cannot be understood becomes
//! [`SubstKind::Error`], and parsing goes on behind it.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Subst, SubstKind, While};
use crate::token::{Keyword, Tok};
use beeline_source::{Code, Diagnostic, Span};

const SEMICOLON: Tok = Tok::Op(BinaryOp::Composition);
const PARALLEL: Tok = Tok::Op(BinaryOp::ParallelProduct);

impl Parser<'_> {
    /// `S ; T ; …`, up to a word that ends or continues the block.
    pub(super) fn block_body(&mut self) -> Subst {
        let start = self.here();
        let mut list = vec![self.parallel()];
        loop {
            if self.unwinding {
                break;
            }
            if self.peek() == SEMICOLON {
                let separator = self.here();
                self.advance();
                if self.ends_body() {
                    self.stray_separator(separator);
                    break;
                }
            } else if self.starts_statement() {
                self.missing_separator();
            } else if self.ends_body() {
                break;
            } else {
                let _: Parse<()> = self.unexpected("`;`, `||` or END");
                let mark = self.mark();
                self.resync(mark, Stop::Statement);
                if self.peek() != SEMICOLON {
                    break;
                }
                continue;
            }
            list.push(self.parallel());
        }
        self.sequence_of(list, start)
    }

    /// A sequence at the top of a clause or a prompt: no block ends it.
    pub(super) fn top_sequence(&mut self) -> Subst {
        let start = self.here();
        let mut list = vec![self.parallel()];
        while !self.unwinding && self.peek() == SEMICOLON {
            let separator = self.here();
            self.advance();
            if self.at_clause_end() {
                self.stray_separator(separator);
                break;
            }
            list.push(self.parallel());
        }
        self.sequence_of(list, start)
    }

    fn sequence_of(&mut self, mut list: Vec<Subst>, start: Span) -> Subst {
        match (list.pop(), list.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                list.extend(last);
                Subst::new(SubstKind::Sequence(list), self.span_from(start))
            }
        }
    }

    /// `S || T || …`
    pub(super) fn parallel(&mut self) -> Subst {
        let start = self.here();
        let first = self.statement();
        if self.peek() != PARALLEL || self.unwinding {
            return first;
        }
        let mut list = vec![first];
        while self.eat(PARALLEL) {
            list.push(self.statement());
        }
        Subst::new(SubstKind::Parallel(list), self.span_from(start))
    }

    /// One statement; what cannot be understood is skipped.
    pub(super) fn statement(&mut self) -> Subst {
        let mark = self.mark();
        let start = self.here();
        let first = self.pos;
        match self.nested(Self::statement_kind) {
            Ok(kind) => Subst::new(kind, self.span_from(start)),
            Err(Failed) => {
                if !self.unwinding {
                    self.resync(mark, Stop::Statement);
                    // A stray word such as THEN must not be met again and again.
                    if self.pos == first
                        && matches!(self.peek(), Tok::Keyword(Keyword::Then | Keyword::Do))
                    {
                        self.advance();
                    }
                }
                Subst::new(SubstKind::Error, self.span_from(start))
            }
        }
    }

    fn statement_kind(&mut self) -> Parse<SubstKind> {
        let start = self.here();
        let Tok::Keyword(keyword) = self.peek() else { return self.simple_statement() };
        let block = |p: &mut Self| {
            p.advance();
            p.blocks.push((start, keyword.word()));
        };
        match keyword {
            Keyword::Skip => {
                self.advance();
                Ok(SubstKind::Skip)
            }
            Keyword::Begin => {
                block(self);
                let body = self.block_body();
                self.end_block();
                Ok(SubstKind::Block(Box::new(body)))
            }
            Keyword::Pre | Keyword::Assert | Keyword::Witness => {
                block(self);
                let condition = self.condition(Keyword::Then);
                let body = Box::new(self.block_body());
                self.end_block();
                Ok(match keyword {
                    Keyword::Pre => SubstKind::Pre(condition, body),
                    Keyword::Assert => SubstKind::Assert(condition, body),
                    _ => SubstKind::Witness(condition, body),
                })
            }
            Keyword::If => {
                block(self);
                let (branches, otherwise) = self.branches(Keyword::Elsif);
                Ok(SubstKind::If(branches, otherwise))
            }
            Keyword::Select | Keyword::When => {
                if keyword == Keyword::When {
                    let message = "WHEN is only a branch of SELECT";
                    let problem = Diagnostic::new(Code::SYNTAX, self.here(), message)
                        .help("write `SELECT P THEN S END`");
                    self.report(problem);
                }
                block(self);
                let (branches, otherwise) = self.branches(Keyword::When);
                Ok(SubstKind::Select(branches, otherwise))
            }
            Keyword::Choice => {
                block(self);
                let mut list = vec![self.block_body()];
                while !self.unwinding && self.eat_keyword(Keyword::OrBranch) {
                    list.push(self.block_body());
                }
                self.end_block();
                Ok(SubstKind::Choice(list))
            }
            Keyword::Case => {
                block(self);
                self.case()
            }
            Keyword::Any => {
                block(self);
                let names = self.block_names("a name that ANY introduces", Keyword::Where);
                let condition = self.condition(Keyword::Then);
                let body = Box::new(self.block_body());
                self.end_block();
                Ok(SubstKind::Any(names, condition, body))
            }
            Keyword::Let => {
                block(self);
                let names = self.block_names("a name that LET introduces", Keyword::Be);
                let equations = self.condition(Keyword::In);
                let body = Box::new(self.block_body());
                self.end_block();
                Ok(SubstKind::Let(names, equations, body))
            }
            Keyword::Var => {
                block(self);
                let names = self.block_names("a name that VAR introduces", Keyword::In);
                let body = Box::new(self.block_body());
                self.end_block();
                Ok(SubstKind::Var(names, body))
            }
            Keyword::While => {
                block(self);
                self.while_loop()
            }
            _ => self.no_statement(),
        }
    }

    /// `P THEN S (ELSIF|WHEN P THEN S)* (ELSE S)? END`
    #[allow(clippy::type_complexity)]
    fn branches(&mut self, again: Keyword) -> (Vec<(Expr, Subst)>, Option<Box<Subst>>) {
        let mut branches = Vec::new();
        loop {
            let condition = self.condition(Keyword::Then);
            let body = self.block_body();
            branches.push((condition, body));
            if self.unwinding || !self.eat_keyword(again) {
                break;
            }
        }
        let otherwise = (!self.unwinding && self.eat_keyword(Keyword::Else))
            .then(|| Box::new(self.block_body()));
        self.end_block();
        (branches, otherwise)
    }

    /// `e OF EITHER a, b THEN S OR c THEN T ELSE U END END`
    fn case(&mut self) -> Parse<SubstKind> {
        let selector = self.until(Keyword::Of, Self::bracketed_formula);
        if !self.eat_keyword(Keyword::Either) {
            return self.unexpected("EITHER");
        }
        let mut branches = Vec::new();
        loop {
            let labels = match self.labels() {
                Ok(labels) => labels,
                Err(Failed) => Vec::new(),
            };
            let body = self.block_body();
            branches.push((labels, body));
            if self.unwinding || !self.eat_keyword(Keyword::OrBranch) {
                break;
            }
        }
        let otherwise = (!self.unwinding && self.eat_keyword(Keyword::Else))
            .then(|| Box::new(self.block_body()));
        if self.unwinding {
            self.blocks.pop();
            return Err(Failed);
        }
        if !self.eat_keyword(Keyword::End) || !self.at_keyword(Keyword::End) {
            let (start, word) = self.blocks.pop().unwrap_or((self.here(), "CASE"));
            let problem =
                self.unclosed_block(start, word).help("CASE is closed by two ENDs: `END END`");
            self.report(problem);
            if self.at_clause_end() {
                self.unwinding = true;
            }
            return Err(Failed);
        }
        self.end_block();
        Ok(SubstKind::Case(selector, branches, otherwise))
    }

    fn labels(&mut self) -> Parse<Vec<Expr>> {
        let mark = self.mark();
        let labels = self.comma_list(Self::formula);
        if labels.is_ok() && self.eat_keyword(Keyword::Then) {
            return labels;
        }
        if labels.is_ok() {
            let _: Parse<()> = self.unexpected("THEN");
        }
        self.resync(mark, Stop::Keyword(Keyword::Then));
        self.eat_keyword(Keyword::Then);
        Err(Failed)
    }

    fn while_loop(&mut self) -> Parse<SubstKind> {
        let condition = self.condition(Keyword::Do);
        let body = self.block_body();
        let (mut invariant, mut variant) = (None, None);
        while !self.unwinding {
            let (slot, part): (_, fn(&mut Self) -> Parse<Expr>) = match self.peek() {
                Tok::Keyword(Keyword::Invariant) if invariant.is_none() => {
                    (&mut invariant, Self::formula)
                }
                Tok::Keyword(Keyword::Variant) if variant.is_none() => {
                    (&mut variant, Self::bracketed_formula)
                }
                _ => break,
            };
            self.advance();
            *slot = Some(self.loop_part(part));
        }
        if self.unwinding {
            return Err(Failed);
        }
        let (Some(invariant), Some(variant)) = (invariant, variant) else {
            return self.incomplete_loop();
        };
        self.end_block();
        let parts = While { condition, body, invariant, variant };
        Ok(SubstKind::While(Box::new(parts)))
    }

    fn loop_part(&mut self, part: fn(&mut Self) -> Parse<Expr>) -> Expr {
        let mark = self.mark();
        let start = self.here();
        let result = part(self);
        if result.is_ok() && !self.at_clause_end() {
            let _: Parse<()> = self.unexpected("VARIANT or END");
        }
        if result.is_err() || !self.at_clause_end() {
            self.resync(mark, Stop::Clause);
        }
        result.unwrap_or_else(|_| Expr::new(ExprKind::Error, self.span_from(start)))
    }

    fn incomplete_loop<T>(&mut self) -> Parse<T> {
        let (start, _) = self.blocks.pop().unwrap_or((self.here(), "WHILE"));
        let problem = self
            .unexpected_problem("INVARIANT and VARIANT of the WHILE loop")
            .help("write `WHILE P DO S INVARIANT I VARIANT V END`")
            .also(start, "this WHILE");
        self.report(problem);
        if self.eat_keyword(Keyword::End) {
            return Err(Failed);
        }
        self.unwinding = self.at_clause_end();
        Err(Failed)
    }

    /// A formula and the keyword behind it; an error in it is skipped.
    fn condition(&mut self, keyword: Keyword) -> Expr {
        self.until(keyword, Self::formula)
    }

    fn until(&mut self, keyword: Keyword, part: fn(&mut Self) -> Parse<Expr>) -> Expr {
        let mark = self.mark();
        let start = self.here();
        if self.unwinding {
            return Expr::new(ExprKind::Error, start);
        }
        let result = part(self);
        if self.eat_keyword(keyword) {
            return result.unwrap_or(Expr::new(ExprKind::Error, start));
        }
        if result.is_ok() {
            let mut problem = self.unexpected_problem(keyword.word());
            if let Some(&(open, word)) = self.blocks.last() {
                problem = problem.also(open, format!("this {word}"));
            }
            self.report(problem);
        }
        self.resync(mark, Stop::Keyword(keyword));
        self.eat_keyword(keyword);
        Expr::new(ExprKind::Error, self.span_from(start))
    }

    /// Names and the keyword behind them; an error in them is skipped.
    fn block_names(&mut self, what: &str, keyword: Keyword) -> Vec<crate::ast::Ident> {
        let mark = self.mark();
        let names = self.names(what);
        if names.is_ok() && self.eat_keyword(keyword) {
            return names.unwrap_or_default();
        }
        if names.is_ok() {
            let _: Parse<()> = self.unexpected(&format!("`,` or {}", keyword.word()));
        }
        self.resync(mark, Stop::Keyword(keyword));
        self.eat_keyword(keyword);
        Vec::new()
    }

    /// Takes the END of the innermost block.
    fn end_block(&mut self) {
        let Some((start, word)) = self.blocks.pop() else { return };
        if self.unwinding || self.eat_keyword(Keyword::End) {
            return;
        }
        let problem = self.unclosed_block(start, word);
        self.report(problem);
        if self.at_clause_end() {
            self.unwinding = true;
            return;
        }
        // A word that belongs to another kind of block: skip to the END.
        let mark = self.mark();
        self.resync(mark, Stop::Clause);
        self.eat_keyword(Keyword::End);
    }

    /// Does a word stand here that ends or continues a block?
    fn ends_body(&self) -> bool {
        use Keyword::{Else, Elsif, OrBranch, When};
        self.at_clause_end() || matches!(self.peek(), Tok::Keyword(Else | Elsif | OrBranch | When))
    }

    pub(super) fn starts_statement(&self) -> bool {
        match self.peek() {
            Tok::Ident | Tok::Quoted | Tok::TreeWord(_) => true,
            Tok::Keyword(k) => k == Keyword::Skip || (k.ends_needed() > 0 && k != Keyword::Either),
            _ => false,
        }
    }

    fn missing_separator(&mut self) {
        let word = self.source(self.token());
        let message = format!("`;` or `||` is missing before {}", self.found());
        let mut problem = Diagnostic::new(Code::MISSING_SEPARATOR, self.behind(), message)
            .help("`;` does one after the other, `||` both at once");
        if matches!(word, "ELSEIF" | "ELSIFF" | "ELIF" | "ELSE_IF") {
            problem = problem.help("did you mean ELSIF?");
        }
        self.report(problem);
    }

    pub(super) fn stray_separator(&mut self, separator: Span) {
        let sign = "`;`";
        let message = format!("this {sign} has nothing behind it but {}", self.found());
        let problem = Diagnostic::new(Code::STRAY_SEPARATOR, separator, message)
            .help(format!("{sign} separates, it does not end: remove it"));
        self.report(problem);
    }
}
