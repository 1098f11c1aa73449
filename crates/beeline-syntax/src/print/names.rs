//! Names and strings as they are written: back-quotes and escapes.

use crate::ast::StringKind;
use crate::operators::{BUILTINS, needs_quotes};
use std::borrow::Cow;

/// A name, each part of a composed one in back-quotes if it needs them.
pub(super) fn name(name: &str) -> Cow<'_, str> {
    if name.split('.').any(needs_quotes) {
        let parts: Vec<_> = name.split('.').map(quoted_part).collect();
        Cow::Owned(parts.join("."))
    } else {
        Cow::Borrowed(name)
    }
}

/// A name directly before a parenthesis: the words for trees need back-quotes there.
pub(super) fn called(callee: &str) -> Cow<'_, str> {
    let is_tree_word = BUILTINS.iter().any(|b| b.is_tree_word() && b.keyword() == callee);
    if is_tree_word { Cow::Owned(format!("`{callee}`")) } else { name(callee) }
}

fn quoted_part(part: &str) -> Cow<'_, str> {
    if needs_quotes(part) { Cow::Owned(format!("`{part}`")) } else { Cow::Borrowed(part) }
}

/// A string literal. What a long string cannot hold is written as a plain one.
pub(super) fn string(kind: StringKind, value: &str) -> String {
    match kind {
        StringKind::MultiLine if !value.ends_with('\'') => {
            let quote = if value.contains("'''") { '\'' } else { '\0' };
            format!("'''{}'''", escaped(value, quote, false))
        }
        StringKind::Template if !value.contains("```") && !value.ends_with('`') => {
            format!("```{}```", escaped(value, '\0', false))
        }
        _ => format!("\"{}\"", escaped(value, '"', true)),
    }
}

fn escaped(value: &str, quote: char, one_line: bool) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    for c in value.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\r' => out.push_str("\\r"),
            '\n' if one_line => out.push_str("\\n"),
            '\t' if one_line => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// The text of a pragma such as `label` or `desc`: nothing in it may end the comment.
pub(super) fn pragma(word: &str, text: &str) -> String {
    format!("/*@{word} {}*/", text.replace("*/", "* /"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_back_quotes_where_they_need_them() {
        assert_eq!(name("x_1"), "x_1");
        assert_eq!(name("card"), "`card`");
        assert_eq!(name("stroke-width"), "`stroke-width`");
        assert_eq!(name("left.card"), "left.`card`");
        assert_eq!(name("top"), "top");
        assert_eq!(called("top"), "`top`");
        assert_eq!(called("f"), "f");
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string(StringKind::Plain, "a\"b\\c\n"), r#""a\"b\\c\n""#);
        assert_eq!(string(StringKind::MultiLine, "it's\ntwo"), "'''it's\ntwo'''");
        assert_eq!(string(StringKind::MultiLine, "a'''b"), r"'''a\'\'\'b'''");
        assert_eq!(string(StringKind::MultiLine, "end'"), r#""end'""#);
    }
}
