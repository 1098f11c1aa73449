//! What is said when something else was expected: in the user's words, with a way out.

use super::{Failed, Parse, Parser};
use crate::ast::{BinaryOp, Builtin, Constant, Expr, Ident, Quantifier};
use crate::lexer::text::shortened;
use crate::token::{Keyword, Tok, Token};
use beeline_source::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// The current token as one names it in a sentence.
    pub(super) fn found(&self) -> String {
        self.described_token(self.token())
    }

    fn described_token(&self, token: Token) -> String {
        let source = shortened(self.source(token));
        match token.tok {
            Tok::Eof => "the end of the text".to_owned(),
            Tok::Keyword(_) => format!("the keyword `{source}`"),
            Tok::Text | Tok::MultiLineText | Tok::TemplateText => format!("the string {source}"),
            Tok::Integer | Tok::Hex | Tok::Real => format!("the number {source}"),
            Tok::Label | Tok::Desc | Tok::File | Tok::Symbolic => format!("the pragma {source}"),
            _ => format!("`{source}`"),
        }
    }

    fn last_token(&self) -> Token {
        self.tokens[self.pos.saturating_sub(1)]
    }

    /// Something cannot stand here; `wanted` says what could.
    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parse<T> {
        let problem = self.unexpected_problem(wanted);
        self.fail(problem)
    }

    /// The same without guessing what was meant.
    pub(super) fn plain_problem(&self, wanted: &str) -> Diagnostic {
        let message = format!("expected {wanted}, found {}", self.found());
        Diagnostic::new(Code::SYNTAX, self.here(), message)
    }

    pub(super) fn unexpected_problem(&self, wanted: &str) -> Diagnostic {
        let message = format!("expected {wanted}, found {}", self.found());
        let syntax = |message| Diagnostic::new(Code::SYNTAX, self.here(), message);
        let before = self.described_token(self.last_token());
        match self.peek() {
            Tok::Assign => syntax(format!("`:=` assigns, but {wanted} was expected here"))
                .help("to compare, write `=`"),
            Tok::DoubleColon => syntax(format!("`::` chooses, but {wanted} was expected here"))
                .help("for membership, write `:`"),
            Tok::Op(BinaryOp::ParallelProduct) => syntax(message)
                .help("between predicates write `or` or `&`; a parallel product of relations needs parentheses: `(f || g)`"),
            Tok::Op(BinaryOp::Composition) => {
                syntax(message).help("a composition of relations needs parentheses: `(f ; g)`")
            }
            Tok::Op(op) if op.is_comparison() || op.level() < 90 => syntax(message),
            Tok::Comma => syntax(message)
                .help("between predicates write `&`; a pair needs parentheses: `(a, b)`"),
            Tok::RightParen | Tok::RightBracket | Tok::RightBrace if self.open_brackets == 0 => {
                let sign = self.source(self.token());
                Diagnostic::new(Code::UNCLOSED, self.here(), format!("this `{sign}` closes nothing"))
                    .help("remove it, or open the bracket where it should begin")
            }
            Tok::Constant(Constant::EmptySequence) if self.source(self.token()).starts_with('<') => {
                Diagnostic::new(Code::BAD_OPERATOR, self.here(), "`<>` is the empty sequence")
                    .help("for `not equal`, write `/=`")
            }
            Tok::Quantifier(Quantifier::Exists | Quantifier::Forall | Quantifier::Lambda)
            | Tok::LeftParen
            | Tok::LeftBrace
            | Tok::Integer
            | Tok::Real
            | Tok::Hex
            | Tok::Text
            | Tok::Builtin(_)
            | Tok::Constant(_)
            | Tok::Ident
            | Tok::Quoted
            | Tok::TreeWord(_) => {
                let message = format!("an operator is missing between {before} and {}", self.found());
                syntax(message).help("put `&` between predicates")
            }
            Tok::Desc => Diagnostic::new(Code::MISPLACED_PRAGMA, self.here(), message)
                .help("a description follows a predicate, a declared name, a set or an operation"),
            Tok::Label | Tok::File | Tok::Symbolic => {
                Diagnostic::new(Code::MISPLACED_PRAGMA, self.here(), message)
            }
            _ => syntax(message),
        }
    }

    /// No operand begins here.
    pub(super) fn no_operand<T>(&mut self) -> Parse<T> {
        let found = self.found();
        let last = self.last_token();
        let after_operator =
            self.pos > 0 && matches!(last.tok, Tok::Op(_) | Tok::Flipped(_) | Tok::And | Tok::Or);
        let before = self.described_token(last);
        let adjacent = last.end == self.token().start;
        let here = self.here();
        let problem = match self.peek() {
            Tok::Op(BinaryOp::Less) if last.tok == Tok::Op(BinaryOp::Equal) && adjacent => {
                Diagnostic::new(Code::BAD_OPERATOR, here, "`=<` is not an operator of B")
                    .help("write `<=`")
            }
            Tok::Op(BinaryOp::Composition | BinaryOp::ParallelProduct) if after_operator => {
                // These separate statements and clauses more often than they compose.
                let message = format!("an operand is missing after {before}, found {found}");
                Diagnostic::new(Code::SYNTAX, here, message)
            }
            Tok::Op(_) | Tok::Flipped(_) | Tok::And | Tok::Or if after_operator => {
                let message = format!("two operators in a row: {before} and {found}");
                Diagnostic::new(Code::SYNTAX, here, message)
                    .help("an operand is missing between them, or one of them is superfluous")
            }
            Tok::Keyword(k)
                if !k.opens_clause() && k.ends_needed() == 0 && self.is_used_as_name() =>
            {
                self.keyword_as_name()
            }
            Tok::Desc => Diagnostic::new(
                Code::MISPLACED_PRAGMA,
                here,
                "a description comes after what it describes, not before it",
            ),
            _ if after_operator => {
                let message = format!("an operand is missing after {before}, found {found}");
                Diagnostic::new(Code::SYNTAX, here, message)
            }
            _ => {
                let message = format!("expected a predicate or an expression, found {found}");
                Diagnostic::new(Code::SYNTAX, here, message)
            }
        };
        self.fail(problem)
    }

    /// Is the keyword here followed by what follows a name?
    fn is_used_as_name(&self) -> bool {
        matches!(
            self.peek_at(1),
            Tok::Op(_)
                | Tok::And
                | Tok::Or
                | Tok::Comma
                | Tok::Assign
                | Tok::RightParen
                | Tok::RightBrace
                | Tok::RightBracket
                | Tok::DoubleColon
                | Tok::Dot
                | Tok::Bar
        )
    }

    fn keyword_as_name(&self) -> Diagnostic {
        let word = self.source(self.token());
        let message = format!("`{word}` is a keyword and cannot be a name");
        Diagnostic::new(Code::KEYWORD_AS_NAME, self.here(), message)
            .help(format!("choose another name, or write it in back-quotes: `` `{word}` ``"))
    }

    /// A name was wanted.
    pub(super) fn no_name<T>(&mut self, what: &str) -> Parse<T> {
        let reserved = matches!(
            self.peek(),
            Tok::Constant(_) | Tok::Builtin(_) | Tok::Quantifier(_) | Tok::Or | Tok::Keyword(_)
        ) || self.peek() == Tok::Op(BinaryOp::Modulo);
        let word = self.source(self.token());
        let clause =
            matches!(self.peek(), Tok::Keyword(k) if k.opens_clause() || k == Keyword::End);
        let problem = if reserved && !clause && word.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            self.keyword_as_name()
        } else {
            let message = format!("expected {what}, found {}", self.found());
            Diagnostic::new(Code::SYNTAX, self.here(), message)
        };
        self.fail(problem)
    }

    /// A bracket is not closed where it should be.
    pub(super) fn not_closed<T>(&mut self, close: Tok, open: Span, what: &str) -> Parse<T> {
        let sign = match close {
            Tok::RightParen => ")",
            Tok::RightBracket => "]",
            _ => "}",
        };
        let problem = match self.peek() {
            Tok::Eof
            | Tok::Keyword(_)
            | Tok::RightParen
            | Tok::RightBracket
            | Tok::RightBrace
            | Tok::Assign
            | Tok::DoubleEqual => {
                let message =
                    format!("{what} is not closed: `{sign}` is missing before {}", self.found());
                Diagnostic::new(Code::UNCLOSED, self.here(), message)
            }
            _ => self.unexpected_problem(&format!("`{sign}`")),
        };
        self.fail(problem.also(open, "this bracket is open"))
    }

    /// `card s`, `not P`, or a keyword used as a name.
    pub(super) fn builtin_without_parentheses<T>(&mut self, builtin: Builtin) -> Parse<T> {
        if self.is_used_as_name() && self.source(self.token()) != "¬" {
            let problem = self.keyword_as_name();
            return self.fail(problem);
        }
        let word = self.source(self.token());
        let shape = if builtin == Builtin::Not { "P" } else { "…" };
        let message = format!("in B, `{word}` needs parentheses");
        let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
            .help(format!("write `{word}({shape})`"));
        self.fail(problem)
    }

    pub(super) fn keyword_needs_parentheses<T>(&mut self, word: &str) -> Parse<T> {
        let problem = if self.is_used_as_name() {
            self.keyword_as_name()
        } else {
            let message = format!("in B, `{word}` needs parentheses");
            Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
                .help(format!("write `{word}(field : value, …)`"))
        };
        self.fail(problem)
    }

    /// Reports a wrong number of arguments; parsing goes on.
    pub(super) fn wrong_count(&mut self, builtin: Builtin, count: usize, span: Span) {
        let word = builtin.keyword();
        let wanted = match builtin.arity() {
            _ if builtin == Builtin::Bin => "1 or 3 arguments".to_owned(),
            (1, 1) => "1 argument".to_owned(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, usize::MAX) => format!("at least {least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        let message = format!("`{word}` takes {wanted}, but gets {count}");
        let mut problem = Diagnostic::new(Code::WRONG_ARGUMENT_COUNT, span, message);
        if builtin.is_tree_word() {
            problem = problem.help(format!(
                "before a parenthesis `{word}` is the operator on trees; to use it as a name, write `` `{word}` ``"
            ));
        } else if count > 1 && builtin.arity() == (1, 1) {
            problem = problem.help(format!("for a set of these, write `{word}({{…}})`"));
        }
        self.report(problem);
    }

    pub(super) fn no_quantifier_dot<T>(
        &mut self,
        quantifier: Quantifier,
        names: &[Ident],
    ) -> Parse<T> {
        // `!x.P` reads as the composed name `x.P`.
        if names.last().is_some_and(|n| n.name.contains('.')) {
            return self.quantifier_needs_parentheses(quantifier);
        }
        let wanted = format!("`.` after the bound names of `{}`", quantifier.spelling());
        let problem = self.plain_problem(&wanted);
        self.fail(problem)
    }

    pub(super) fn quantifier_needs_parentheses<T>(&mut self, quantifier: Quantifier) -> Parse<T> {
        let sign = quantifier.spelling();
        let shape = if quantifier.has_expression() { "(P | E)" } else { "(P)" };
        let message = format!("the body of `{sign}` needs parentheses");
        let problem = Diagnostic::new(Code::MISSING_PARENTHESES, self.here(), message)
            .help(format!("write `{sign}x.{shape}`, or `{sign}(x, y).{shape}`"));
        self.fail(problem)
    }

    pub(super) fn no_bar<T>(&mut self, quantifier: Quantifier, open: Span) -> Parse<T> {
        let sign = quantifier.spelling();
        let problem = self
            .plain_problem(&format!("`|` between the predicate and the value of `{sign}`"))
            .help(format!("write `{sign}x.(P | E)`"))
            .also(open, "in this body");
        self.fail(problem)
    }

    pub(super) fn no_bar_in_set<T>(&mut self, open: Span) -> Parse<T> {
        let problem = self
            .plain_problem("`|` between the predicate and the value")
            .help("write `{(x, y) . P | E}`")
            .also(open, "in this comprehension");
        self.fail(problem)
    }

    pub(super) fn no_else<T>(&mut self, start: Span) -> Parse<T> {
        let message = format!("expected ELSE, found {}", self.found());
        let problem = match self.peek() {
            Tok::Keyword(Keyword::End) => {
                let message = "an IF expression or predicate needs ELSE";
                Diagnostic::new(Code::MISSING_ELSE, self.here(), message)
                    .help("for a predicate that need not hold, write `ELSE btrue`")
            }
            _ => Diagnostic::new(Code::SYNTAX, self.here(), message),
        };
        self.fail(problem.also(start, "this IF"))
    }

    pub(super) fn expect_keyword(
        &mut self,
        keyword: Keyword,
        start: Span,
        block: &str,
    ) -> Parse<()> {
        if self.eat_keyword(keyword) {
            return Ok(());
        }
        let problem = self.unexpected_problem(keyword.word()).also(start, format!("this {block}"));
        self.fail(problem)
    }

    pub(super) fn expect_end(&mut self, start: Span, block: &str) -> Parse<()> {
        if self.eat_keyword(Keyword::End) {
            return Ok(());
        }
        let problem = self.unclosed_block(start, block);
        self.fail(problem)
    }

    pub(super) fn unclosed_block(&self, start: Span, block: &str) -> Diagnostic {
        let message = format!("{block} is not closed: END is missing before {}", self.found());
        Diagnostic::new(Code::UNCLOSED, self.here(), message).also(start, format!("this {block}"))
    }

    /// `==` where a comparison is meant; parsing goes on with `=`.
    pub(super) fn double_equal(&mut self) {
        let message = "`==` only introduces a definition";
        let problem =
            Diagnostic::new(Code::BAD_OPERATOR, self.here(), message).help("to compare, write `=`");
        self.report(problem);
    }

    pub(super) fn no_second_comparison(&mut self) -> Parse<()> {
        let again = match self.peek() {
            Tok::Op(op) | Tok::Flipped(op) => op.is_comparison(),
            _ => false,
        };
        if !again {
            return Ok(());
        }
        let message =
            format!("comparisons cannot be chained: {} follows another one", self.found());
        let problem = Diagnostic::new(Code::SYNTAX, self.here(), message).help(
            "write `a < b & b < c`; to compare truth values, use `<=>` or `bool(P) = bool(Q)`",
        );
        self.fail(problem)
    }

    /// `;` or `||` between predicates.
    pub(super) fn composed_predicates(&mut self, operator: Token) -> Parse<Expr> {
        let sign = self.source(operator);
        let span = self.span_of(operator);
        let message =
            format!("`{sign}` composes relations, but one of its operands is a predicate");
        let help = match sign {
            ";" => {
                "between predicates write `&`; a composition inside a comparison needs its own parentheses: `x = (f ; g)`"
            }
            _ => "between predicates write `or`",
        };
        self.report(Diagnostic::new(Code::BAD_OPERATOR, span, message).help(help));
        Err(Failed)
    }
}
