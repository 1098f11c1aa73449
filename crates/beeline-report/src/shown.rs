//! Lines of a text and values as people see them.

use crate::escape::{visible, visible_lines};
use beeline_source::{SourceMap, Span};
use std::fmt::Write;

/// The lines that a span covers; of many, the first ones.
pub(crate) fn excerpt(sources: &SourceMap, span: Span, out: &mut String) {
    let Some((file, at)) = sources.place(span) else { return };
    let _ = writeln!(out, "  --> {}:{}:{}", visible(&file.name), at.line, at.column);
    let lines = sources.text(span).lines().count().clamp(1, 5) as u32;
    for line in at.line..at.line + lines {
        let text: String = file.line(line).chars().take(150).collect();
        let _ = writeln!(out, "{line:5} | {}", visible_lines(&text));
    }
}

/// Values longer than this are cut in the middle; `--json` and `--trace` have them whole.
const MAX_SHOWN: usize = 400;

pub(crate) fn clipped(value: &str) -> std::borrow::Cow<'_, str> {
    let length = value.chars().count();
    if length <= MAX_SHOWN {
        return value.into();
    }
    let head: String = value.chars().take(MAX_SHOWN * 3 / 4).collect();
    let tail: String = value.chars().skip(length - MAX_SHOWN / 4).collect();
    format!("{head} … ({} characters omitted) … {tail}", length - MAX_SHOWN).into()
}
