//! The insides of blocks: branches, CASE, WHILE, and the keywords that hold them together.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{Expr, ExprKind, Ident, Subst, SubstKind, While};
use crate::token::{Keyword, Tok};

impl Parser<'_> {
    /// `P THEN S (ELSIF|WHEN P THEN S)* (ELSE S)? END`
    #[allow(clippy::type_complexity)]
    pub(super) fn branches(&mut self, again: Keyword) -> (Vec<(Expr, Subst)>, Option<Box<Subst>>) {
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
    pub(super) fn case(&mut self) -> Parse<SubstKind> {
        let selector = self.until(Keyword::Of, Self::bracketed_formula);
        if !self.eat_keyword(Keyword::Either) {
            return self.unexpected("EITHER");
        }
        let mut branches = Vec::new();
        loop {
            let labels = self.labels().unwrap_or_default();
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

    pub(super) fn while_loop(&mut self) -> Parse<SubstKind> {
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
    pub(super) fn condition(&mut self, keyword: Keyword) -> Expr {
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
    pub(super) fn block_names(&mut self, what: &str, keyword: Keyword) -> Vec<Ident> {
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
    pub(super) fn end_block(&mut self) {
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
}
