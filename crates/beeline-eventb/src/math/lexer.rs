//! Symbols, words and numbers. Every symbol has one sign, however it is written.

use super::Positions;
use beeline_source::{Code, Diagnostic};
use smol_str::SmolStr;

/// A token and where it begins and ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: Tok,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tok {
    Name(SmolStr),
    Number(SmolStr),
    /// A symbol or reserved word, as the table writes it.
    Sign(&'static str),
    End,
}

/// Each sign and the other ways to write it. The longest match counts.
const SIGNS: &[(&str, &[&str])] = &[
    ("⇔", &["<=>"]),
    ("⇒", &["=>"]),
    ("∧", &["&"]),
    ("∨", &[]),
    ("¬", &[]),
    ("⊤", &[]),
    ("⊥", &[]),
    ("∀", &["!"]),
    ("∃", &["#"]),
    ("·", &[".", "•", "⋅"]),
    ("∣", &["|"]),
    ("λ", &["%"]),
    ("⋃", &[]),
    ("⋂", &[]),
    ("=", &[]),
    ("≠", &["/="]),
    ("<", &[]),
    ("≤", &["<="]),
    (">", &[]),
    ("≥", &[">="]),
    ("∈", &[":"]),
    ("∉", &["/:"]),
    ("⊆", &["<:"]),
    ("⊈", &["/<:"]),
    ("⊂", &["<<:"]),
    ("⊄", &["/<<:"]),
    ("≔", &[":="]),
    (":∈", &["::"]),
    (":∣", &[":|"]),
    ("↦", &["|->", ",,"]),
    ("↔", &["<->"]),
    ("\u{e100}", &["<<->"]),
    ("\u{e101}", &["<->>"]),
    ("\u{e102}", &["<<->>"]),
    ("⇸", &["+->"]),
    ("→", &["-->"]),
    ("⤔", &[">+>"]),
    ("↣", &[">->"]),
    ("⤀", &["+>>", "+->>"]),
    ("↠", &["->>", "-->>"]),
    ("⤖", &[">->>"]),
    ("∪", &["\\/"]),
    ("∩", &["/\\"]),
    ("∖", &["\\"]),
    ("×", &["**"]),
    ("\u{e103}", &["<+"]),
    ("∘", &[]),
    (";", &[]),
    ("∥", &["||"]),
    ("⊗", &["><"]),
    ("◁", &["<|"]),
    ("⩤", &["<<|"]),
    ("▷", &["|>"]),
    ("⩥", &["|>>"]),
    ("‥", &[".."]),
    ("+", &[]),
    ("−", &["-"]),
    ("∗", &["*"]),
    ("÷", &["/"]),
    ("^", &[]),
    ("∼", &["~"]),
    ("⦂", &[]),
    ("∅", &[]),
    ("ℤ", &[]),
    ("ℕ1", &["ℕ₁"]),
    ("ℕ", &[]),
    ("ℙ1", &["ℙ₁"]),
    ("ℙ", &[]),
    ("(", &[]),
    (")", &[]),
    ("[", &[]),
    ("]", &[]),
    ("{", &[]),
    ("}", &[]),
    (",", &[]),
];

/// Words that are no names, and the sign each stands for.
const WORDS: &[(&str, &str)] = &[
    ("or", "∨"),
    ("not", "¬"),
    ("true", "⊤"),
    ("false", "⊥"),
    ("UNION", "⋃"),
    ("INTER", "⋂"),
    ("circ", "∘"),
    ("oftype", "⦂"),
    ("INT", "ℤ"),
    ("NAT", "ℕ"),
    ("NAT1", "ℕ1"),
    ("POW", "ℙ"),
    ("POW1", "ℙ1"),
    ("mod", "mod"),
    ("BOOL", "BOOL"),
    ("TRUE", "TRUE"),
    ("FALSE", "FALSE"),
    ("bool", "bool"),
    ("card", "card"),
    ("dom", "dom"),
    ("ran", "ran"),
    ("finite", "finite"),
    ("partition", "partition"),
    ("id", "id"),
    ("inter", "inter"),
    ("union", "union"),
    ("max", "max"),
    ("min", "min"),
    ("pred", "pred"),
    ("succ", "succ"),
    ("prj1", "prj1"),
    ("prj2", "prj2"),
];

/// All tokens of a text; the last one is the end.
pub(super) fn tokens(text: &str, positions: Positions<'_>) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = one(rest, c).ok_or_else(|| {
            let span = positions.span(at, at + c.len_utf8());
            let message = format!("`{c}` is not valid in Event-B");
            Diagnostic::new(Code::UNKNOWN_CHARACTER, span, message)
        })?;
        tokens.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    tokens.push(Token { kind: Tok::End, start: at, end: at });
    Ok(tokens)
}

fn one(rest: &str, c: char) -> Option<(Tok, usize)> {
    if c.is_ascii_digit() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        return Some((Tok::Number(rest[..end].into()), end));
    }
    if let Some((sign, length)) = symbol(rest) {
        return Some((Tok::Sign(sign), length));
    }
    let length = name_length(rest);
    if length == 0 {
        return None;
    }
    let word = &rest[..length];
    let sign = WORDS.iter().find(|(w, _)| *w == word).map(|(_, sign)| *sign);
    Some((sign.map_or_else(|| Tok::Name(word.into()), Tok::Sign), length))
}

/// The longest symbol that a text begins with.
fn symbol(rest: &str) -> Option<(&'static str, usize)> {
    let mut best: Option<(&'static str, usize)> = None;
    for (sign, others) in SIGNS {
        for way in std::iter::once(sign).chain(others.iter()) {
            if rest.starts_with(way) && best.is_none_or(|(_, length)| way.len() > length) {
                best = Some((sign, way.len()));
            }
        }
    }
    best
}

/// How long the name is that a text begins with; a single `'` may end it.
fn name_length(rest: &str) -> usize {
    let is_start = |c: char| (c.is_alphabetic() || c == '_') && c != 'λ' && !is_glyph(c);
    if !rest.starts_with(is_start) {
        return 0;
    }
    let is_part = |c: char| (c.is_alphanumeric() || c == '_') && c != 'λ' && !is_glyph(c);
    let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
    end + usize::from(rest[end..].starts_with('\''))
}

/// Letters that are symbols.
fn is_glyph(c: char) -> bool {
    matches!(c, 'ℤ' | 'ℕ' | 'ℙ')
}

pub(super) fn is_name(text: &str) -> bool {
    let reserved = WORDS.iter().any(|(word, _)| *word == text);
    !text.is_empty() && name_length(text) == text.len() && !reserved
}
