//! Text to tokens. Knows spellings, comments and literals; knows no grammar.
//!
//! The lexer never fails: what has no meaning is reported and becomes [`Tok::Bad`], and a common
//! slip such as `!=` is reported and read as what was meant, so that the parser does not stumble
//! over it a second time.

mod glyphs;
mod signs;
pub(crate) mod text;

use crate::ast::Builtin;
use crate::token::{Prefix, Tok, Token, word_token};
use crate::{Comment, CommentKind};
use beeline_source::{Code, Diagnostic, Span};

/// What the lexer found.
pub(crate) struct Lexed {
    /// The tokens; the last is always [`Tok::Eof`].
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
    pub problems: Vec<Diagnostic>,
}

/// Cuts a text into tokens; `base` is the global position of its first byte.
pub(crate) fn lex(text: &str, base: u32) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        base,
        has_soft_words: false,
        out: Lexed {
            tokens: Vec::with_capacity(text.len() / 4 + 2),
            comments: Vec::new(),
            problems: Vec::new(),
        },
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    base: u32,
    has_soft_words: bool,
    out: Lexed,
}

const SOFT_WORDS: [Builtin; 3] = [Builtin::Floor, Builtin::Ceiling, Builtin::ToReal];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Letter,
    Digit,
    Sign,
    Wide,
    Unknown,
}

const fn classes() -> [Class; 256] {
    let mut table = [Class::Unknown; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            0x80..=0xff => Class::Wide,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b'.' | b'|' | b'\'' | b'~'
            | b'$' | b'!' | b'#' | b'%' | b'&' | b'=' | b':' | b'/' | b'\\' | b'*' | b'+'
            | b'-' | b'>' | b'<' | b'^' | b'@' | b'"' | b'`' => Class::Sign,
            _ => Class::Unknown,
        };
        b += 1;
    }
    table
}

static CLASS: [Class; 256] = classes();

fn continues_name(b: u8) -> bool {
    matches!(CLASS[b as usize], Class::Letter | Class::Digit) || b == b'_'
}

/// Is this text, as it stands, an identifier? (Reserved words are not told apart here.)
pub(crate) fn is_plain_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let Some(first) = chars.next() else { return false };
    glyphs::starts_name(first) && name_length(name) == name.len()
}

/// The length of the identifier at the start of `text`, whose first character starts one.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && continues_name(bytes[end]) {
        end += 1;
    }
    if end < bytes.len() && bytes[end] >= 0x80 { wide_name_length(text, end) } else { end }
}

#[cold]
fn wide_name_length(text: &str, from: usize) -> usize {
    // Letters, then subscript digits, then primes.
    let mut phase = 0;
    let mut end = from;
    for c in text[from..].chars() {
        let p = match c {
            _ if glyphs::continues_name(c) => 0,
            '\u{2080}'..='\u{2089}' => 1,
            '\u{2032}' | '\u{2018}' | '\u{2019}' => 2,
            _ => break,
        };
        if p < phase {
            break;
        }
        phase = p;
        end += c.len_utf8();
    }
    end
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.pos = 3;
        }
        if self.bytes[self.pos..].starts_with(b"#!") {
            let end = self.line_end(self.pos);
            self.comment(self.pos, end, CommentKind::SheBang);
        }
        self.formula_prefix();
        while self.pos < self.bytes.len() {
            match CLASS[self.bytes[self.pos] as usize] {
                Class::Space => self.pos += 1,
                Class::Letter => self.word(),
                Class::Digit => self.number(),
                Class::Sign => self.sign(),
                Class::Wide => self.wide(),
                Class::Unknown => self.unknown(),
            }
        }
        self.push(Tok::Eof, self.bytes.len());
        if self.has_soft_words {
            self.settle_soft_words();
        }
    }

    /// `floor`, `ceiling` and `real` became keywords late: a text that uses one of them without a
    /// parenthesis behind it means a name, everywhere.
    fn settle_soft_words(&mut self) {
        let tokens = &mut self.out.tokens;
        for soft in SOFT_WORDS.map(Tok::Builtin) {
            let is_name = tokens.windows(2).any(|t| t[0].tok == soft && t[1].tok != Tok::LeftParen);
            if is_name {
                tokens.iter_mut().filter(|t| t.tok == soft).for_each(|t| t.tok = Tok::Ident);
            }
        }
    }

    /// Adds a token from `self.pos` to `end` and moves there.
    fn push(&mut self, tok: Tok, end: usize) {
        self.out.tokens.push(Token { tok, start: self.pos as u32, end: end as u32 });
        self.pos = end;
    }

    fn comment(&mut self, start: usize, end: usize, kind: CommentKind) {
        self.out.comments.push(Comment { span: self.span(start, end), kind });
        self.pos = end;
    }

    fn problem(&mut self, problem: Diagnostic) {
        if self.out.problems.len() < crate::limits::MAX_PROBLEMS {
            self.out.problems.push(problem);
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// The byte at a place; 0 past the end.
    fn at(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    fn word(&mut self) {
        let end = self.pos + name_length(&self.text[self.pos..]);
        let tok = word_token(&self.text[self.pos..end]);
        if let Tok::Builtin(Builtin::Floor | Builtin::Ceiling | Builtin::ToReal) = tok {
            self.has_soft_words = true;
        }
        self.push(tok, end);
    }

    fn formula_prefix(&mut self) {
        let rest = self.text[self.pos..].trim_start();
        let Some(word) = rest.strip_prefix('#') else { return };
        let word =
            &word[..word.len() - word.trim_start_matches(|c: char| c.is_ascii_uppercase()).len()];
        let prefix = match word {
            "EXPRESSION" | "PREDICATE" | "FORMULA" => Prefix::Formula,
            "SUBSTITUTION" => Prefix::Substitution,
            "OPPATTERN" | "MACHINECLAUSE" => Prefix::Other,
            _ => return,
        };
        self.pos = self.text.len() - rest.len();
        self.push(Tok::Prefix(prefix), self.pos + 1 + word.len());
    }

    fn number(&mut self) {
        let start = self.pos;
        let digits = |lexer: &Self, mut at: usize| {
            while lexer.at(at).is_ascii_digit() {
                at += 1;
            }
            at
        };
        if self.at(start) == b'0'
            && self.at(start + 1) == b'x'
            && self.at(start + 2).is_ascii_hexdigit()
        {
            let mut end = start + 2;
            while self.at(end).is_ascii_hexdigit() {
                end += 1;
            }
            return self.push(Tok::Hex, end);
        }
        let mut end = digits(self, start);
        if self.at(end) != b'.' || !self.at(end + 1).is_ascii_digit() {
            return self.push(Tok::Integer, end);
        }
        end = digits(self, end + 1);
        if matches!(self.at(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.at(end + 1), b'+' | b'-'));
            if self.at(end + 1 + sign).is_ascii_digit() {
                end = digits(self, end + 1 + sign);
            }
        }
        self.push(Tok::Real, end);
    }

    /// A run of characters that mean nothing is one problem and one token.
    fn unknown(&mut self) {
        let start = self.pos;
        let means_nothing = |c: char| match u8::try_from(c) {
            Ok(b) if b.is_ascii() => CLASS[b as usize] == Class::Unknown,
            _ => glyphs::is_unknown(c),
        };
        let mut end = start;
        for c in self.text[start..].chars() {
            if end > start && !means_nothing(c) {
                break;
            }
            end += c.len_utf8();
        }
        if self.at(start) == b'_' {
            return self.leading_underscore(end);
        }
        let first = self.text[start..].chars().next().unwrap_or(' ');
        let shown = if first.is_control() || glyphs::is_invisible(first) {
            format!("the character U+{:04X}", first as u32)
        } else {
            format!("`{first}`")
        };
        let mut problem = Diagnostic::new(
            Code::UNKNOWN_CHARACTER,
            self.span(start, end),
            format!("{shown} is not valid in B"),
        );
        if let Some(hint) = glyphs::hint(first) {
            problem = problem.help(hint);
        }
        self.problem(problem);
        self.push(Tok::Bad, end);
    }

    fn leading_underscore(&mut self, mut end: usize) {
        if glyphs::starts_name(self.text[end..].chars().next().unwrap_or(' '))
            || self.at(end).is_ascii_digit()
        {
            end += name_length(&self.text[end..]);
        }
        let name = &self.text[self.pos..end];
        let problem = Diagnostic::new(
            Code::BAD_IDENTIFIER,
            self.span(self.pos, end),
            format!("a name cannot begin with an underscore: `{}`", text::shortened(name)),
        )
        .help("begin it with a letter, or write it in back-quotes: `` `_x` ``");
        self.problem(problem);
        // Read as a name, so that nothing else is wrong with it.
        self.push(Tok::Ident, end);
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        from + rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len())
    }
}
