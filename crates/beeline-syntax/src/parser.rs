//! The parser: recursive descent for clauses and substitutions, precedence climbing for formulas.
//!
//! A function that cannot go on reports one problem and returns [`Failed`]; the nearest place that
//! can resynchronise (a statement, an operation, a definition, a clause) skips ahead and goes on.
//! Predicates and expressions are one category here; telling them apart is the type checker's work.

mod atoms;
mod blocks;
mod clause_rules;
mod clauses;
mod cursor;
mod definitions;
mod expr;
mod lists;
mod messages;
mod operations;
mod recover;
mod sets;
mod subst;
mod unit;

use crate::Comment;
use crate::ast::Unit;
use crate::lexer::{self, Lexed};
use crate::limits::MAX_PROBLEMS;
use crate::token::{Tok, Token};
use beeline_source::{Diagnostic, Diagnostics, Span};

/// What a text says, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; with errors, as much of it as could be understood.
    pub unit: Option<Unit>,
    /// The comments, in order; pragmas that are part of the tree are not among them.
    pub comments: Vec<Comment>,
    /// Errors and warnings, in the order of the text.
    pub problems: Diagnostics,
}

/// Reads a machine or a definition file; `base` is the global position of its first byte.
pub fn parse_file(text: &str, base: u32) -> Parsed {
    parse(text, base, |p| p.file())
}

/// Reads what someone typed at a prompt: a formula or, failing that, a substitution.
pub fn parse_formula(text: &str, base: u32) -> Parsed {
    parse(text, base, |p| p.prompt())
}

fn parse(text: &str, base: u32, entry: fn(&mut Parser) -> Option<Unit>) -> Parsed {
    let Lexed { tokens, comments, problems: lexical } = lexer::lex(text, base);
    let mut parser = Parser::new(text, base, &tokens);
    let unit = entry(&mut parser);
    let mut problems = Diagnostics::new();
    let mut all = lexical;
    all.append(&mut parser.problems);
    all.sort_by_key(|d| d.primary.span.start);
    for problem in all {
        problems.push(problem);
    }
    Parsed { unit, comments, problems }
}

/// A problem was reported; the caller must resynchronise or give up in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Parse<T> = Result<T, Failed>;

pub(crate) struct Parser<'a> {
    text: &'a str,
    base: u32,
    tokens: &'a [Token],
    pos: usize,
    problems: Vec<Diagnostic>,
    /// The token of the last error: what is said of one place is said once.
    last_error: Option<usize>,
    /// How many brackets, blocks and quantifiers are open, against deep recursion.
    nesting: u32,
    /// Deep nesting is reported once: what follows it is deep as well.
    said_too_deep: bool,
    /// A bound on the height of the expressions built since it was last reset.
    height: u32,
    /// Brackets and expression blocks (`IF`, `LET`) that are open, for resynchronising.
    open_brackets: u32,
    open_blocks: u32,
    /// Inside a definition `==` begins the next one, elsewhere it is a slip for `=`.
    in_definition: bool,
    /// A description that follows with this many brackets open belongs to what is around the
    /// formula, not to the formula.
    leave_descriptions: Option<u32>,
    /// The blocks of substitutions that are open, with the words that opened them.
    blocks: Vec<(Span, &'static str)>,
    /// An `END` is missing: leave all blocks without further complaint.
    unwinding: bool,
    /// How many errors were met, reported or not, and the token of the first since it was reset.
    failures: usize,
    first_failure: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, base: u32, tokens: &'a [Token]) -> Parser<'a> {
        Parser {
            text,
            base,
            tokens,
            pos: 0,
            problems: Vec::new(),
            last_error: None,
            nesting: 0,
            said_too_deep: false,
            height: 0,
            open_brackets: 0,
            open_blocks: 0,
            in_definition: false,
            leave_descriptions: None,
            blocks: Vec::new(),
            unwinding: false,
            failures: 0,
            first_failure: 0,
        }
    }

    /// Reports a problem at the current token, unless one was reported there already.
    fn report(&mut self, problem: Diagnostic) {
        let again = self.last_error == Some(self.pos) && problem.is_error();
        if problem.is_error() {
            self.last_error = Some(self.pos);
            if self.failures == 0 {
                self.first_failure = self.pos;
            }
            self.failures += 1;
        }
        // What the lexer could not read, it has reported itself.
        let known = self.peek() == Tok::Bad || self.before() == Tok::Bad;
        if !again && !known && self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Reports a problem and gives up.
    fn fail<T>(&mut self, problem: Diagnostic) -> Parse<T> {
        self.report(problem);
        Err(Failed)
    }
}
