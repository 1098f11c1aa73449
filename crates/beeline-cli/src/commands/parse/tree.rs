//! The syntax tree as indented text, for people who look for a misreading.

use beeline::report::escape::visible;
use beeline::syntax::ast::Unit;

/// A node that fits into so many characters stands on one line.
const ONE_LINE: usize = 80;
/// Deeper nodes are not indented further: the text would grow with the square of the depth.
const MAX_INDENT: usize = 40;

/// The tree, a node a line.
pub fn show(unit: &Unit) -> String {
    indent(&without_spans(&visible(&format!("{unit:?}"))))
}

/// The debug text without its places.
fn without_spans(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        let place = [", span: ", ", keyword: "].iter().find_map(|s| rest.strip_prefix(s));
        if let (Some(after), false) = (place, quoted) {
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            continue;
        }
        let mut length = c.len_utf8();
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => {}
        }
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept
}

/// Breaks the text at its brackets, where a bracket does not fit on a line.
fn indent(text: &str) -> String {
    let tokens = tokens(text);
    let closing = closing_brackets(&tokens);
    let mut out = String::with_capacity(text.len() * 2);
    // Per open bracket: is it broken over lines?
    let mut broken: Vec<bool> = Vec::new();
    let new_line = |out: &mut String, depth: usize| {
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
        out.push_str(&"  ".repeat(depth.min(MAX_INDENT)));
    };
    for (i, &token) in tokens.iter().enumerate() {
        match token {
            "(" | "[" | "{" => {
                let breaks = broken.last() != Some(&false) && closing[i] > ONE_LINE;
                out.push_str(token);
                broken.push(breaks);
                if breaks {
                    new_line(&mut out, broken.iter().filter(|b| **b).count());
                }
            }
            ")" | "]" | "}" => {
                if broken.pop() == Some(true) {
                    new_line(&mut out, broken.iter().filter(|b| **b).count());
                }
                out.push_str(token);
            }
            "," if broken.last() == Some(&true) => {
                out.push(',');
                new_line(&mut out, broken.iter().filter(|b| **b).count());
            }
            " " if out.ends_with([' ', '\n']) => {}
            _ => out.push_str(token),
        }
    }
    out.push('\n');
    out
}

/// Brackets, commas and spaces one by one; strings and other text in pieces.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => string_length(rest),
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | ' ' => 1,
            _ => rest.find(['"', '(', ')', '[', ']', '{', '}', ',', ' ']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// For each opening bracket the length of what it holds.
fn closing_brackets(tokens: &[&str]) -> Vec<usize> {
    let mut lengths = vec![0; tokens.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut position = 0;
    for (i, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => open.push((i, position)),
            ")" | "]" | "}" => {
                if let Some((start, at)) = open.pop() {
                    lengths[start] = position - at;
                }
            }
            _ => {}
        }
        position += token.len();
    }
    lengths
}
