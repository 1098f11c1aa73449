//! Going on after an error: skipping ahead to a place where the text can be understood again.

use super::Parser;
use crate::ast::BinaryOp;
use crate::token::{Keyword, Tok};

/// What was open when something began, to know after an error how deep inside of it we are.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    brackets: u32,
    blocks: u32,
}

/// Where to stop skipping.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// At the end of one substitution: a separator, or a word that goes on with the block.
    Statement,
    /// At this keyword.
    Keyword(Keyword),
    /// At a `;`
    Semicolon,
    /// At a `;` or at what looks like the next definition.
    Definition,
    /// At a `,`
    Comma,
    /// Only where a clause begins or ends.
    Clause,
}

impl Parser<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark { brackets: self.open_brackets, blocks: self.open_blocks }
    }

    /// Skips to a stop that belongs to the level of `mark`. Clause keywords, the `END` of the
    /// surrounding block and the end of the text always stop.
    pub(super) fn resync(&mut self, mark: Mark, stop: Stop) {
        let mut brackets = self.open_brackets.saturating_sub(mark.brackets);
        let mut blocks = self.open_blocks.saturating_sub(mark.blocks);
        self.open_brackets = mark.brackets;
        self.open_blocks = mark.blocks;
        self.height = 0;
        self.leave_descriptions = None;
        loop {
            let tok = self.peek();
            match tok {
                Tok::Eof => return,
                Tok::Keyword(Keyword::Invariant | Keyword::Variant) if blocks > 0 => {}
                Tok::Keyword(k) if k.opens_clause() => return,
                _ if blocks == 0 && self.stops(tok, stop, brackets) => return,
                Tok::Keyword(Keyword::End) if blocks == 0 => return,
                Tok::Keyword(Keyword::End) => blocks -= 1,
                Tok::Keyword(k) => blocks += k.ends_needed(),
                Tok::LeftParen | Tok::LeftBracket | Tok::LeftBrace => brackets += 1,
                Tok::RightParen | Tok::RightBracket | Tok::RightBrace => {
                    brackets = brackets.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn stops(&self, tok: Tok, stop: Stop, brackets: u32) -> bool {
        use Keyword::{Do, Else, Elsif, OrBranch, Then, When};
        let semicolon = tok == Tok::Op(BinaryOp::Composition) && brackets == 0;
        match stop {
            Stop::Statement => {
                semicolon
                    || (tok == Tok::Op(BinaryOp::ParallelProduct) && brackets == 0)
                    || matches!(tok, Tok::Keyword(Else | Elsif | When | OrBranch | Then | Do))
            }
            Stop::Keyword(keyword) => tok == Tok::Keyword(keyword),
            Stop::Semicolon => semicolon,
            Stop::Definition => semicolon || self.at_definition_head(),
            Stop::Comma => tok == Tok::Comma && brackets == 0,
            Stop::Clause => false,
        }
    }

    /// Does a clause begin or end here?
    pub(super) fn at_clause_end(&self) -> bool {
        match self.peek() {
            Tok::Eof | Tok::Keyword(Keyword::End) => true,
            Tok::Keyword(k) => k.opens_clause(),
            _ => false,
        }
    }
}
