//! One source line as it is shown: clipped to a window, tabs spread, widths known.
//!
//! A line may have ten million characters and a diagnostic many labels in it, so that only a
//! window around the first label is ever looked at character by character.

use crate::escape::visible_char;
use unicode_width::UnicodeWidthChar;

/// Characters shown in front of the first label of a long line, and in all.
const BEFORE: usize = 60;
const WINDOW: usize = 150;
/// Columns a tab takes.
const TAB: usize = 4;

/// A clipped line, and the way from byte offsets in it to columns on the screen.
pub(crate) struct Excerpt {
    /// What to print.
    pub(crate) shown: String,
    /// Byte offset in the line and screen column of each shown character, ends last; ascending.
    columns: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The part of `line` around the byte `focus`.
    pub(crate) fn new(line: &str, focus: usize) -> Excerpt {
        let (start, end) = window(line, floor_boundary(line, focus));
        let mut excerpt = Excerpt { shown: String::new(), columns: Vec::new() };
        let mut column = 0;
        if start > 0 {
            excerpt.shown.push('…');
            column += 1;
        }
        for (offset, c) in line[start..end].char_indices() {
            excerpt.columns.push((start + offset, column));
            if c == '\t' {
                excerpt.shown.extend(std::iter::repeat_n(' ', TAB));
                column += TAB;
                continue;
            }
            let c = visible_char(c);
            excerpt.shown.push(c);
            column += c.width().unwrap_or(0);
        }
        excerpt.columns.push((end, column));
        if end < line.len() {
            excerpt.shown.push('…');
        }
        excerpt
    }

    /// The screen column where the character at a byte offset begins; clipped to the window.
    pub(crate) fn column(&self, offset: usize) -> usize {
        let after = self.columns.partition_point(|&(o, _)| o <= offset);
        self.columns[after.saturating_sub(1)].1
    }

    /// The first screen column at or behind the end of a range that ends at a byte offset.
    pub(crate) fn end_column(&self, offset: usize) -> usize {
        let at = self.columns.partition_point(|&(o, _)| o < offset);
        self.columns[at.min(self.columns.len() - 1)].1
    }
}

/// The byte range to show: the whole line if it is short.
fn window(line: &str, focus: usize) -> (usize, usize) {
    if line.len() <= WINDOW || line.char_indices().nth(WINDOW).is_none() {
        return (0, line.len());
    }
    let mut back = line[..focus].char_indices().rev();
    let start = back.nth(BEFORE - 1).map_or(0, |(i, _)| i);
    let end = line[start..].char_indices().nth(WINDOW).map_or(line.len(), |(i, _)| start + i);
    (start, end)
}

/// The nearest character boundary at or before a byte offset.
pub(crate) fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_the_screen_shows() {
        let e = Excerpt::new("\tx漢y\u{1b}", 0);
        assert_eq!(e.shown, "    x漢y␛");
        assert_eq!((e.column(1), e.column(2), e.column(5), e.column(6)), (4, 5, 7, 8));
        assert_eq!(e.end_column(5), 7);
        assert_eq!(e.column(99), 9);
    }

    #[test]
    fn a_long_line_is_clipped_around_the_focus() {
        let line = "é".repeat(10_000_000);
        let e = Excerpt::new(&line, 5_000_001);
        assert_eq!(e.shown.chars().count(), WINDOW + 2);
        assert_eq!(e.column(5_000_000), BEFORE + 1);
        assert_eq!(e.column(0), 1);
        assert_eq!(e.end_column(usize::MAX), WINDOW + 1);
    }
}
