//! Substitutions: blocks, sequences and simple statements.
//!
//! Nothing here fails as a whole: a statement that cannot be understood becomes
//! [`SubstKind::Error`], and parsing goes on behind it.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{BinaryOp, Subst, SubstKind};
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
        let blocks = self.blocks.len();
        match self.nested(Self::statement_kind) {
            Ok(kind) => Subst::new(kind, self.span_from(start)),
            Err(Failed) => {
                self.blocks.truncate(blocks);
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
        let message = format!("nothing but {} follows this {sign}", self.found());
        let problem = Diagnostic::new(Code::STRAY_SEPARATOR, separator, message)
            .help(format!("{sign} separates, it does not end: remove it"));
        self.report(problem);
    }
}
