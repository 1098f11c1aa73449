//! Prolog terms: what a package is written in.
//!
//! Atoms (plain, quoted, with escapes), integers, strings, variables, lists, compound terms and
//! parentheses; an operator between two terms is read as a compound term of two arguments. Clauses
//! end in a full stop. This module does not know what a package says.

use beeline_source::{Code, Diagnostic, Span};
use smol_str::SmolStr;

/// How deep terms may nest: more than any formula that the parser of B would accept.
const MAX_DEPTH: u32 = 2_000;

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `a`, `'A b'`
    Atom(SmolStr),
    /// `12`, `-3`
    Integer(SmolStr),
    /// `"text"`
    String(SmolStr),
    /// `X`, `_`
    Variable(SmolStr),
    /// `[a, b]`
    List(Vec<Term>),
    /// `f(a, b)`
    Compound(SmolStr, Vec<Term>),
}

impl Term {
    /// The name of an atom.
    pub fn atom(&self) -> Option<&SmolStr> {
        match &self.kind {
            TermKind::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Option<&[Term]> {
        match &self.kind {
            TermKind::List(items) => Some(items),
            // The empty list may be written as an atom.
            TermKind::Atom(name) if name == "[]" => Some(&[]),
            _ => None,
        }
    }

    /// Functor and arguments; an atom has none.
    pub fn parts(&self) -> Option<(&str, &[Term])> {
        match &self.kind {
            TermKind::Compound(name, args) => Some((name, args)),
            TermKind::Atom(name) => Some((name, &[])),
            _ => None,
        }
    }
}

/// Reads all clauses of a text whose first byte has the position `base`.
pub fn read(text: &str, base: u32) -> Result<Vec<Term>, Diagnostic> {
    let mut reader = Reader { text, at: 0, base, depth: 0 };
    let mut clauses = Vec::new();
    loop {
        reader.skip()?;
        if reader.at == text.len() {
            return Ok(clauses);
        }
        clauses.push(reader.term()?);
        reader.skip()?;
        if !reader.eat('.') {
            return Err(reader.expected("a full stop"));
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    base: u32,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn problem(&self, start: usize, message: String) -> Diagnostic {
        Diagnostic::new(Code::SYNTAX, self.span_from(start), message)
    }

    fn expected(&mut self, what: &str) -> Diagnostic {
        let start = self.at;
        let found = match self.bump() {
            Some(c) => format!("`{c}`"),
            None => "the end of the file".to_owned(),
        };
        self.problem(start, format!("{what} was expected here, not {found}"))
    }

    /// Blanks and comments.
    fn skip(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with('%') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    let message = "this comment is not closed".to_owned();
                    return Err(self.problem(self.at, message));
                };
                self.at += end + 2;
            } else if rest.starts_with(|c: char| c.is_whitespace() || c == '\u{feff}') {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    fn term(&mut self) -> Result<Term, Diagnostic> {
        if self.depth >= MAX_DEPTH {
            let message = format!("terms are nested more than {MAX_DEPTH} deep");
            let at = Span::new(self.base + self.at as u32, self.base + self.at as u32);
            return Err(Diagnostic::new(Code::TOO_DEEP, at, message));
        }
        self.depth += 1;
        let term = stacker::maybe_grow(64 << 10, 1 << 20, || self.operators());
        self.depth -= 1;
        term
    }

    /// A term, and what operators add to it; all have one level.
    fn operators(&mut self) -> Result<Term, Diagnostic> {
        let mut left = self.primary()?;
        loop {
            self.skip()?;
            let symbol = self.symbol();
            if symbol.is_empty() || self.is_end(symbol) {
                return Ok(left);
            }
            let name = SmolStr::from(symbol);
            self.at += name.len();
            self.skip()?;
            let right = self.primary()?;
            let span = left.span.to(right.span);
            left = Term { kind: TermKind::Compound(name, vec![left, right]), span };
        }
    }

    /// The symbol characters that stand here.
    fn symbol(&self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !"+-*/\\^<>=~:.?@#&".contains(c)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// A full stop before a blank or the end ends a clause.
    fn is_end(&self, symbol: &str) -> bool {
        let next = self.text[self.at + symbol.len()..].chars().next();
        symbol == "." && next.is_none_or(|c| c.is_whitespace() || c == '%')
    }

    fn primary(&mut self) -> Result<Term, Diagnostic> {
        self.skip()?;
        let start = self.at;
        let Some(c) = self.peek() else { return Err(self.expected("a term")) };
        let kind = match c {
            '[' => {
                self.bump();
                TermKind::List(self.arguments(']')?)
            }
            '(' => {
                self.bump();
                let inner = self.term()?;
                self.skip()?;
                if !self.eat(')') {
                    return Err(self.expected("`)`"));
                }
                return Ok(inner);
            }
            '"' => TermKind::String(self.quoted('"')?),
            '\'' => {
                let name = self.quoted('\'')?;
                self.compound(name)?
            }
            '0'..='9' => TermKind::Integer(self.word()),
            '-' | '+' if self.text[self.at + 1..].starts_with(|c: char| c.is_ascii_digit()) => {
                self.bump();
                let digits = self.word();
                TermKind::Integer(if c == '-' { format!("-{digits}").into() } else { digits })
            }
            '_' => TermKind::Variable(self.word()),
            c if c.is_alphabetic() && c.is_uppercase() && c.is_ascii() => {
                TermKind::Variable(self.word())
            }
            c if is_word(c) => {
                let name = self.word();
                self.compound(name)?
            }
            '{' | '}' | '!' | ';' => {
                self.bump();
                TermKind::Atom(SmolStr::from(c.to_string()))
            }
            _ => {
                let symbol = self.symbol();
                if symbol.is_empty() || self.is_end(symbol) {
                    return Err(self.expected("a term"));
                }
                let name = SmolStr::from(symbol);
                self.at += name.len();
                self.compound(name)?
            }
        };
        Ok(Term { kind, span: self.span_from(start) })
    }

    fn word(&mut self) -> SmolStr {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        self.at += end;
        SmolStr::from(&rest[..end])
    }

    /// A name, with arguments if a parenthesis follows at once.
    fn compound(&mut self, name: SmolStr) -> Result<TermKind, Diagnostic> {
        if !self.eat('(') {
            return Ok(TermKind::Atom(name));
        }
        Ok(TermKind::Compound(name, self.arguments(')')?))
    }

    fn arguments(&mut self, close: char) -> Result<Vec<Term>, Diagnostic> {
        let mut items = Vec::new();
        self.skip()?;
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.term()?);
            self.skip()?;
            if self.eat(close) {
                return Ok(items);
            }
            if close == ']' && self.eat('|') {
                // The tail of an open list tells nothing.
                self.term()?;
                self.skip()?;
                if self.eat(close) {
                    return Ok(items);
                }
            }
            if !self.eat(',') {
                return Err(self.expected(if close == ')' { "`,` or `)`" } else { "`,` or `]`" }));
            }
        }
    }

    /// A quoted text, its escapes resolved.
    fn quoted(&mut self, quote: char) -> Result<SmolStr, Diagnostic> {
        let start = self.at;
        self.bump();
        let mut text = String::new();
        loop {
            match self.bump() {
                None => {
                    self.at = start + 1;
                    return Err(self.problem(start, "this quotation is not closed".to_owned()));
                }
                Some(c) if c == quote => {
                    if !self.eat(quote) {
                        return Ok(text.into());
                    }
                    text.push(quote);
                }
                Some('\\') => self.escape(&mut text),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        let Some(c) = self.bump() else { return };
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '\n' => {}
            '0'..='7' | 'x' => {
                let radix = if c == 'x' { 16 } else { 8 };
                let start = if c == 'x' { self.at } else { self.at - 1 };
                let rest = &self.text[start..];
                let end = rest.find(|d: char| !d.is_digit(radix)).unwrap_or(rest.len());
                let code = u32::from_str_radix(&rest[..end], radix).ok();
                text.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
                self.at = start + end;
                self.eat('\\');
            }
            other => text.push(other),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (!c.is_ascii() && !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(term: &Term) -> String {
        match &term.kind {
            TermKind::Atom(a) => format!("'{a}'"),
            TermKind::Integer(i) => i.to_string(),
            TermKind::String(s) => format!("\"{s}\""),
            TermKind::Variable(v) => v.to_string(),
            TermKind::List(items) => {
                format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(","))
            }
            TermKind::Compound(f, args) => {
                format!("'{f}'({})", args.iter().map(show).collect::<Vec<_>>().join(","))
            }
        }
    }

    fn check(text: &str, wanted: &str) {
        let terms = read(text, 1).map(|t| t.iter().map(show).collect::<Vec<_>>().join(" "));
        let found = terms.unwrap_or_else(|d| format!("{} {}", d.primary.span.start, d.message));
        assert_eq!(found, wanted);
    }

    #[test]
    fn terms_of_all_forms() {
        check("a. b(-1,'X y',\"s\").", "'a' 'b'(-1,'X y',\"s\")");
        check("p([a,[]|T], _Error, Étage).", "'p'(['a',[]],_Error,'Étage')");
        check("x(a/b - c).", "'x'('-'('/'('a','b'),'c'))");
        check("% hi\n f( /* c */ x ) .", "'f'('x')");
    }

    #[test]
    fn escapes_of_atoms() {
        check("'it''s'.", "'it's'");
        check(r"'x\''.", "'x''");
        check(r"'phase\21022\out'.", "'phase\u{2212}out'");
        check(r"'a\x41\b'.", "'aAb'");
    }

    #[test]
    fn mistakes_have_a_place() {
        check("f(a b).", "5 `,` or `)` was expected here, not `b`");
        check("f(a", "4 `,` or `)` was expected here, not the end of the file");
        check("f('a)", "3 this quotation is not closed");
        check("f(a)", "5 a full stop was expected here, not the end of the file");
        let deep = format!("{}a{}.", "f(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(read(&deep, 1).unwrap_err().code, Code::TOO_DEEP);
    }
}
