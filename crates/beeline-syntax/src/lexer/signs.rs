//! Operators, brackets, strings and comments: everything that begins with an ASCII sign.

use super::{Lexer, text};
use crate::CommentKind;
use crate::ast::{BinaryOp, Builtin, Constant, Quantifier};
use crate::token::Tok;
use beeline_source::{Code, Diagnostic};

impl Lexer<'_> {
    /// The token that begins with the sign at `self.pos`: always the longest one.
    pub(super) fn sign(&mut self) {
        use BinaryOp::*;
        let p = self.pos;
        let (tok, length) = match (self.at(p), self.at(p + 1)) {
            (b'(', _) => (Tok::LeftParen, 1),
            (b')', _) => (Tok::RightParen, 1),
            (b'[', _) => (Tok::LeftBracket, 1),
            (b']', _) => (Tok::RightBracket, 1),
            (b'{', _) => (Tok::LeftBrace, 1),
            (b'}', _) => (Tok::RightBrace, 1),
            (b',', _) => (Tok::Comma, 1),
            (b';', _) => (Tok::Op(Composition), 1),
            (b'.', b'.') => (Tok::Op(Interval), 2),
            (b'.', _) => (Tok::Dot, 1),
            (b'=', b'=') => (Tok::DoubleEqual, 2),
            (b'=', b'>') => (Tok::Op(Implies), 2),
            (b'=', _) => (Tok::Op(Equal), 1),
            (b':', b'=') => (Tok::Assign, 2),
            (b':', b':') => (Tok::DoubleColon, 2),
            (b':', _) => (Tok::Op(Member), 1),
            (b'&', b'&') => return self.slip(Tok::And, "&&", "&"),
            (b'&', _) => (Tok::And, 1),
            (b'*', b'*') => (Tok::Op(Power), 2),
            (b'*', _) => (Tok::Op(Times), 1),
            (b'^', _) => (Tok::Op(Concat), 1),
            (b'~', _) => (Tok::Tilde, 1),
            (b'%', _) => (Tok::Quantifier(Quantifier::Lambda), 1),
            (b'#', _) => (Tok::Quantifier(Quantifier::Exists), 1),
            (b'!', b'=') => return self.slip(Tok::Op(NotEqual), "!=", "/="),
            (b'!', _) => (Tok::Quantifier(Quantifier::Forall), 1),
            (b'|', b'|') => (Tok::Op(ParallelProduct), 2),
            (b'|', b'>') if self.at(p + 2) == b'>' => (Tok::Op(RangeSubtract), 3),
            (b'|', b'>') => (Tok::Op(RangeRestrict), 2),
            (b'|', _) => match self.minus(p + 1) {
                m if m > 0 && self.at(p + 1 + m) == b'>' => (Tok::Op(Maplet), 2 + m),
                _ => (Tok::Bar, 1),
            },
            (b'\\', b'/') => (Tok::Op(Union), 2),
            (b'\\', b'|') if self.at(p + 2) == b'/' => (Tok::Op(Drop), 3),
            (b'\\', b'=') => return self.slip(Tok::Op(NotEqual), "\\=", "/="),
            (b'\\', b':') => return self.slip(Tok::Op(NotMember), "\\:", "/:"),
            (b'\\', _) => (Tok::Op(SetMinus), 1),
            (b'-', _) => return self.minus_sign(),
            (b'+', _) => self.plus(),
            (b'>', _) => self.greater(),
            (b'<', _) => self.less(),
            (b'/', _) => return self.slash(),
            (b'$', b'0') => (Tok::DollarZero, 2),
            (b'\'', b'\'') if self.at(p + 2) == b'\'' => return self.long_string(),
            (b'\'', _) => (Tok::Prime, 1),
            (b'"', _) => return self.string(),
            (b'`', _) => return self.back_quote(),
            (b'@', _) => return self.at_word(),
            _ => return self.unknown(),
        };
        self.push(tok, p + length);
    }

    /// A spelling of other languages: said so, and read as what is meant.
    fn slip(&mut self, meant: Tok, written: &str, right: &str) {
        let end = self.pos + written.len();
        let message = format!("`{written}` is not an operator of B");
        let problem = Diagnostic::new(Code::BAD_OPERATOR, self.span(self.pos, end), message)
            .help(format!("write `{right}`"));
        self.problem(problem);
        self.push(meant, end);
    }

    /// The length of the minus at a place, in either spelling; 0 where there is none.
    fn minus(&self, at: usize) -> usize {
        match self.at(at) {
            b'-' => 1,
            0xE2 if self.bytes[at..].starts_with("−".as_bytes()) => 3,
            _ => 0,
        }
    }

    pub(super) fn minus_sign(&mut self) {
        let first = self.pos + self.minus(self.pos);
        let second = first + self.minus(first);
        let (op, end) = if second > first && self.at(second) == b'>' {
            if self.at(second + 1) == b'>' {
                (BinaryOp::TotalSurjection, second + 2)
            } else {
                (BinaryOp::TotalFunction, second + 1)
            }
        } else if self.at(first) == b'>' {
            (BinaryOp::Prepend, first + 1)
        } else {
            (BinaryOp::Minus, first)
        };
        self.push(Tok::Op(op), end);
    }

    fn plus(&self) -> (Tok, usize) {
        let m = self.minus(self.pos + 1);
        let head = 1 + m;
        let (op, length) = if m == 0 || self.at(self.pos + head) != b'>' {
            (BinaryOp::Plus, 1)
        } else if self.at(self.pos + head + 1) == b'>' {
            (BinaryOp::PartialSurjection, head + 2)
        } else {
            (BinaryOp::PartialFunction, head + 1)
        };
        (Tok::Op(op), length)
    }

    fn greater(&self) -> (Tok, usize) {
        let p = self.pos;
        let m = self.minus(p + 1);
        let double = |head: usize| self.at(p + head + 1) == b'>';
        let (op, length) = match self.at(p + 1) {
            b'=' => (BinaryOp::GreaterEqual, 2),
            b'<' => (BinaryOp::DirectProduct, 2),
            b'+' if self.at(p + 2) == b'>' && double(2) => (BinaryOp::PartialBijection, 4),
            b'+' if self.at(p + 2) == b'>' => (BinaryOp::PartialInjection, 3),
            _ if m > 0 && self.at(p + 1 + m) == b'>' && double(1 + m) => {
                (BinaryOp::TotalBijection, m + 3)
            }
            _ if m > 0 && self.at(p + 1 + m) == b'>' => (BinaryOp::TotalInjection, m + 2),
            _ => (BinaryOp::Greater, 1),
        };
        (Tok::Op(op), length)
    }

    fn less(&self) -> (Tok, usize) {
        use BinaryOp::*;
        let p = self.pos;
        let arrow_end = |from: usize| match self.minus(from) {
            m if m > 0 && self.at(from + m) == b'>' => Some(from + m + 1),
            _ => None,
        };
        let (op, end) = match self.at(p + 1) {
            b'<' => match (self.at(p + 2), arrow_end(p + 2)) {
                (b':', _) => (StrictSubset, p + 3),
                (b'|', _) => (DomainSubtract, p + 3),
                (_, Some(end)) if self.at(end) == b'>' => (TotalSurjectiveRelation, end + 1),
                (_, Some(end)) => (TotalRelation, end),
                _ => (Less, p + 1),
            },
            b'=' if self.at(p + 2) == b'>' => (Equivalent, p + 3),
            b'=' => (LessEqual, p + 2),
            b':' => (Subset, p + 2),
            b'|' => (DomainRestrict, p + 2),
            b'+' => (Override, p + 2),
            _ => match (self.minus(p + 1), arrow_end(p + 1)) {
                (_, Some(end)) if self.at(end) == b'>' => (SurjectiveRelation, end + 1),
                (_, Some(end)) => (Relation, end),
                (0, _) => return self.less_or_empty(),
                (m, _) => match self.minus(p + 1 + m) {
                    0 => (Append, p + 1 + m),
                    n => return (Tok::Output, 1 + m + n),
                },
            },
        };
        (Tok::Op(op), end - p)
    }

    /// `<` and `>` with nothing but blanks between them are the empty sequence.
    fn less_or_empty(&self) -> (Tok, usize) {
        let mut end = self.pos + 1;
        while matches!(self.at(end), b' ' | b'\t' | b'\n' | b'\r') {
            end += 1;
        }
        if self.at(end) == b'>' {
            (Tok::Constant(Constant::EmptySequence), end + 1 - self.pos)
        } else {
            (Tok::Op(BinaryOp::Less), 1)
        }
    }

    fn slash(&mut self) {
        let p = self.pos;
        let rest = &self.bytes[p + 1..];
        let (op, length) = match self.at(p + 1) {
            b'*' => return self.block_comment(),
            b'/' => {
                let end = self.line_end(p);
                return self.comment(p, end, CommentKind::Line);
            }
            b'=' => (BinaryOp::NotEqual, 2),
            b':' => (BinaryOp::NotMember, 2),
            b'\\' => (BinaryOp::Intersection, 2),
            _ if rest.starts_with(b"<:") => (BinaryOp::NotSubset, 3),
            _ if rest.starts_with(b"<<:") => (BinaryOp::NotStrictSubset, 4),
            _ if rest.starts_with(b"|\\") => (BinaryOp::Take, 3),
            _ => (BinaryOp::Divide, 1),
        };
        self.push(Tok::Op(op), p + length);
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        let Some(length) = self.text[start + 2..].find("*/") else {
            let span = self.span(start, start + 2);
            let message = "this comment is not closed";
            let problem = Diagnostic::new(Code::UNTERMINATED_COMMENT, span, message);
            self.problem(problem.help("close it with `*/`"));
            return self.comment(start, self.bytes.len(), CommentKind::Block);
        };
        let end = start + 2 + length + 2;
        let Some(pragma) = text::Pragma::of(&self.text[start..end]) else {
            return self.comment(start, end, CommentKind::Block);
        };
        let tok = match pragma.word {
            "symbolic" => Tok::Symbolic,
            "label" => Tok::Label,
            "desc" => Tok::Desc,
            "file" => Tok::File,
            "generated" => Tok::Generated,
            "package" => Tok::Package,
            "import-package" => Tok::ImportPackage,
            "unit" | "inferred_unit" | "conversion" | "unit_alias" => {
                return self.comment(start, end, CommentKind::Block);
            }
            word => {
                let message = format!("`@{}` is not a known pragma", text::shortened(word));
                let problem = Diagnostic::new(Code::UNKNOWN_PRAGMA, self.span(start, end), message)
                    .help("it is read as a comment");
                self.problem(problem);
                return self.comment(start, end, CommentKind::Block);
            }
        };
        let at_head = |tok| matches!(tok, Tok::Generated | Tok::Package | Tok::ImportPackage);
        if at_head(tok) && !self.out.tokens.iter().all(|t| at_head(t.tok)) {
            let message = format!("the pragma `@{}` belongs to the head of the file", pragma.word);
            let problem = Diagnostic::new(Code::MISPLACED_PRAGMA, self.span(start, end), message);
            self.problem(problem.help("put it in front of MACHINE"));
            return self.comment(start, end, CommentKind::Block);
        }
        self.push(tok, end);
    }

    fn string(&mut self) {
        let start = self.pos;
        let mut end = start + 1;
        while end < self.bytes.len() {
            match self.bytes[end] {
                b'"' => return self.push(Tok::Text, end + 1),
                b'\\' if !matches!(self.at(end + 1), b'\n' | b'\r' | 0) => end += 2,
                b'\n' | b'\r' => break,
                _ => end += 1,
            }
        }
        // An escape may have stepped into the middle of a character.
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.unclosed_string(
            start,
            end,
            "a string must end on the line on which it begins",
            "`\"`",
        );
    }

    fn unclosed_string(&mut self, start: usize, end: usize, rule: &str, close: &str) {
        let span = self.span(start, end);
        let problem = Diagnostic::new(Code::UNTERMINATED_STRING, span, "this string is not closed")
            .help(format!("{rule}; close it with {close}"));
        self.problem(problem);
        self.push(Tok::Bad, end);
    }

    /// `'''…'''`
    fn long_string(&mut self) {
        let (start, all) = (self.pos, self.bytes.len());
        match self.text[start + 3..].find("'''") {
            Some(length) => self.push(Tok::MultiLineText, start + 3 + length + 3),
            None => self.unclosed_string(start, all, "it began with `'''`", "`'''`"),
        }
    }

    fn back_quote(&mut self) {
        let (start, all) = (self.pos, self.bytes.len());
        if self.bytes[start..].starts_with(b"```") {
            return match self.text[start + 3..].find("```") {
                Some(length) => self.push(Tok::TemplateText, start + 3 + length + 3),
                None => {
                    self.unclosed_string(
                        start,
                        all,
                        "it began with three back-quotes",
                        "three more",
                    );
                }
            };
        }
        let line = self.line_end(start);
        let close = self.bytes[start + 1..line].iter().position(|&b| b == b'`');
        let Some(length) = close else {
            let span = self.span(start, line);
            let message = "this quoted name is not closed";
            let problem = Diagnostic::new(Code::BAD_IDENTIFIER, span, message);
            self.problem(
                problem.help("a name in back-quotes must end on the line on which it begins"),
            );
            return self.push(Tok::Bad, line);
        };
        let name = &self.text[start + 1..start + 1 + length];
        if name.is_empty() || name.contains('.') {
            let what = if name.is_empty() { "is empty" } else { "contains a dot" };
            let span = self.span(start, start + length + 2);
            let message = format!("this quoted name {what}");
            let problem = Diagnostic::new(Code::BAD_IDENTIFIER, span, message);
            self.problem(problem.help("quote the parts of a composed name one by one"));
        }
        self.push(Tok::Quoted, start + length + 2);
    }

    fn at_word(&mut self) {
        let start = self.pos;
        let mut end = start + 1;
        while super::continues_name(self.at(end)) {
            end += 1;
        }
        let tok = match &self.text[start..end] {
            "@prj1" => Tok::Constant(Constant::Projection1),
            "@prj2" => Tok::Constant(Constant::Projection2),
            "@finite" => Tok::Builtin(Builtin::Finite),
            "@partition" => Tok::Builtin(Builtin::Partition),
            _ => return self.unknown(),
        };
        self.push(tok, end);
    }
}
