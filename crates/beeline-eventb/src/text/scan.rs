//! Words, labels and the extent of formulas.

use super::syntax;
use beeline_source::{Diagnostic, Span};
use beeline_syntax::ast::Ident;

/// The words that end a formula.
const KEYWORDS: &[&str] = &[
    "machine",
    "context",
    "refines",
    "sees",
    "variables",
    "invariants",
    "theorem",
    "variant",
    "events",
    "event",
    "ordinary",
    "convergent",
    "anticipated",
    "extends",
    "any",
    "where",
    "when",
    "with",
    "then",
    "begin",
    "end",
    "sets",
    "constants",
    "axioms",
];

/// The text with every comment replaced by blanks, so that all places stay what they are.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let blank = rest[..length].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' });
        out.extend(blank);
        rest = &rest[length..];
    }
    out
}

pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    base: u32,
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str, base: u32) -> Scanner<'t> {
        let mut scanner = Scanner { text, at: 0, base };
        scanner.skip();
        scanner
    }

    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len()
            - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    }

    pub fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// The word that stands here: what is between blanks, or up to a sign.
    fn word(&self) -> &'t str {
        word_at(self.text, self.at)
    }

    /// The keyword that stands here.
    pub fn keyword(&self) -> Option<&'static str> {
        keyword(self.word())
    }

    pub fn next_word(&mut self) {
        self.at += self.word().len();
        self.skip();
    }

    /// A name of a component, event, set, constant, variable or parameter.
    pub fn name(&mut self) -> Result<Ident, Diagnostic> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_alphanumeric() || "_-'.".contains(c))).unwrap_or(rest.len());
        let name = &rest[..end];
        if name.is_empty() || keyword(name).is_some() {
            return Err(self.unexpected("a name"));
        }
        let start = self.base + self.at as u32;
        self.at += end;
        self.skip();
        Ok(Ident { name: name.into(), span: Span::new(start, start + end as u32) })
    }

    /// `@label`, perhaps with a colon behind it.
    pub fn label(&mut self) -> Option<Ident> {
        let rest = self.text[self.at..].strip_prefix('@')?;
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let label = rest[..end].trim_end_matches(':');
        let start = self.base + self.at as u32 + 1;
        let span = Span::new(start, start + label.len() as u32);
        self.at += 1 + end;
        self.skip();
        Some(Ident { name: label.into(), span })
    }

    /// The formula that stands here: up to the next label or keyword. Its text and its place.
    pub fn formula(&mut self) -> (&'t str, u32) {
        let start = self.at;
        let mut at = start;
        let mut boundary = true;
        while let Some(c) = self.text[at..].chars().next() {
            if c == '@' || (boundary && keyword(word_at(self.text, at)).is_some()) {
                break;
            }
            boundary = !(c.is_alphanumeric() || c == '_' || c == '\'');
            at += c.len_utf8();
        }
        let text = self.text[start..at].trim_end();
        self.at = at;
        (text, self.base + start as u32)
    }

    pub fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match (self.at_end(), self.word()) {
            (true, _) => "the end of the file".to_owned(),
            (_, "") => format!("`{}`", self.text[self.at..].chars().next().unwrap_or(' ')),
            (_, word) => format!("`{word}`"),
        };
        let start = self.base + self.at as u32;
        let span = Span::new(start, start + self.word().len() as u32);
        syntax(span, format!("{wanted} was expected here, not {found}"))
    }
}

pub(super) fn word_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let end =
        rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
    &rest[..end]
}

/// In lower or upper case.
pub(super) fn keyword(word: &str) -> Option<&'static str> {
    let same = |k: &&&str| word == **k || word == k.to_ascii_uppercase();
    KEYWORDS.iter().find(same).copied()
}
