//! Elements and attributes, with the place of every character of a value.

use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::Ident;
use roxmltree::{Document, Node, ParsingOptions};

/// The family that all names of Rodin belong to.
const FAMILY: &str = "org.eventb.core.";

/// No file may have more elements and texts than this.
const MAX_NODES: u32 = 2_000_000;

/// How deep elements may nest: Rodin needs three levels, its proof files more.
const MAX_DEPTH: usize = 1_000;

/// Parses a text whose first byte has the position `base`.
pub(super) fn parse(text: &str, base: u32) -> Result<Document<'_>, Diagnostic> {
    let at = |offset: usize| {
        let position = base + offset.min(text.len()) as u32;
        Span::new(position, position)
    };
    if let Some(offset) = too_deep(text) {
        let message = format!("elements are nested more than {MAX_DEPTH} deep");
        return Err(Diagnostic::new(Code::TOO_DEEP, at(offset), message));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let offset = offset_of(text, place.row, place.col);
        let (offset, message) = match error {
            roxmltree::Error::DtdDetected => {
                let offset = text.find("<!DOCTYPE").unwrap_or(offset);
                (offset, "a document type is not allowed here".to_owned())
            }
            other => (offset, format!("this is not well-formed XML: {other}")),
        };
        Diagnostic::new(Code::BAD_EVENTB, at(offset), message)
    })
}

/// Where elements nest too deeply, judged by their tags alone: the parser below recurses.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, _) in text.match_indices('<') {
        let rest = &text.as_bytes()[offset + 1..];
        match rest.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                let end = rest.iter().position(|b| *b == b'>');
                let closed = end.is_some_and(|end| end > 0 && rest[end - 1] == b'/');
                depth += usize::from(!closed);
                if depth > MAX_DEPTH {
                    return Some(offset);
                }
            }
        }
    }
    None
}

fn offset_of(text: &str, row: u32, column: u32) -> usize {
    let mut start = 0;
    for _ in 1..row {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    let line = &text[start..];
    let skip = (column as usize).saturating_sub(1);
    start + line.char_indices().nth(skip).map_or(line.len(), |(i, _)| i)
}

/// An element and the text it stands in.
#[derive(Clone, Copy)]
pub(super) struct Element<'d, 't> {
    pub node: Node<'d, 't>,
    pub text: &'t str,
    pub base: u32,
}

impl<'d, 't> Element<'d, 't> {
    /// What it is, if it is one of Rodin's own.
    pub fn kind(self) -> Option<&'d str> {
        self.node.tag_name().name().strip_prefix(FAMILY)
    }

    pub fn children(self) -> impl Iterator<Item = Element<'d, 't>> {
        let inside = self.node.children().filter(Node::is_element);
        inside.map(move |node| Element { node, ..self })
    }

    /// The place of its tag.
    pub fn span(self) -> Span {
        let range = self.node.range();
        let tag = self.text[range.clone()].find('>').map_or(range.end, |i| range.start + i + 1);
        Span::new(self.base + range.start as u32, self.base + tag as u32)
    }

    /// The `name` that Rodin gives every element.
    pub fn name(self) -> Option<&'d str> {
        self.node.attributes().find(|a| a.name() == "name").map(|a| a.value())
    }

    /// An attribute of Rodin's own.
    pub fn attribute(self, name: &str) -> Option<Text> {
        let found = self.node.attributes().find(|a| a.name().strip_prefix(FAMILY) == Some(name))?;
        let range = found.range_value();
        Some(unescape(self.text.get(range.clone())?, self.base + range.start as u32))
    }

    /// An attribute of a plug-in whose name ends like this.
    pub fn foreign(self, suffix: &str) -> Option<&'d str> {
        let foreign = |name: &str| !name.starts_with(FAMILY) && name.ends_with(suffix);
        self.node.attributes().find(|a| foreign(a.name())).map(|a| a.value())
    }
}

/// A value, and where each of its bytes stands.
pub(super) struct Text {
    pub text: String,
    pub positions: Vec<u32>,
}

impl Text {
    pub fn span(&self) -> Span {
        let first = self.positions.first().copied().unwrap_or(0);
        let last = self.positions.last().copied().unwrap_or(first);
        Span::new(first, last.max(first))
    }

    pub fn ident(&self) -> Ident {
        Ident { name: self.text.trim().into(), span: self.span() }
    }
}

/// Resolves `&lt;` and its like. The parser has checked that every reference is well-formed.
fn unescape(raw: &str, base: u32) -> Text {
    let mut text = String::with_capacity(raw.len());
    let mut positions = Vec::with_capacity(raw.len() + 1);
    let mut at = 0;
    while let Some(c) = raw[at..].chars().next() {
        let (found, length) = match c {
            '&' => reference(&raw[at..]).unwrap_or(('&', 1)),
            c => (c, c.len_utf8()),
        };
        let start = text.len();
        text.push(found);
        positions.extend(std::iter::repeat_n(base + at as u32, text.len() - start));
        at += length;
    }
    positions.push(base + at as u32);
    Text { text, positions }
}

fn reference(rest: &str) -> Option<(char, usize)> {
    let end = rest.find(';')?;
    let c = match &rest[1..end] {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        number => {
            let digits = number.strip_prefix('#')?;
            let code = match digits.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((c, end + 1))
}
