//! Feeds the layout and weaves the comments of the source back in, by position.
//!
//! A line break is held back until the text behind it comes, so that a comment that stood at the
//! end of a line in the source is written before the line ends, and one that stood on a line of
//! its own after. This module knows positions and comments, not the tree.

use super::layout::{Group, Stream};
use beeline_source::Span;

/// A comment of the source: its place and whether it runs to the end of its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceComment {
    pub(super) span: Span,
    pub(super) line: bool,
}

/// The text a tree was read from.
struct Source<'a> {
    text: &'a str,
    base: u32,
    /// In the order of the text.
    comments: Vec<SourceComment>,
    /// How many of them are written.
    written: usize,
}

/// The break that is due before the next text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Nothing,
    /// A space at which the line cannot end: a comment stands before it.
    Space,
    Soft {
        space: bool,
    },
    Hard {
        /// An empty line comes too.
        blank: bool,
        /// An empty line of the source is kept here.
        loose: bool,
    },
}

pub(super) struct Writer<'a> {
    stream: Stream,
    pending: Pending,
    source: Option<Source<'a>>,
    /// The last thing written was a comment that runs to the end of its line.
    line_must_end: bool,
    /// A description without brackets around it would be that of the operation around it.
    pub(super) guard_descriptions: bool,
}

impl<'a> Writer<'a> {
    /// A writer for a tree alone.
    pub(super) fn plain() -> Writer<'a> {
        Writer {
            stream: Stream::default(),
            pending: Pending::Nothing,
            source: None,
            line_must_end: false,
            guard_descriptions: false,
        }
    }

    /// A writer that keeps the comments of `text`, whose first byte has position `base`.
    pub(super) fn with_source(
        text: &'a str,
        base: u32,
        mut comments: Vec<SourceComment>,
    ) -> Writer<'a> {
        comments.sort_by_key(|c| c.span.start);
        let source = Some(Source { text, base, comments, written: 0 });
        Writer { source, ..Writer::plain() }
    }

    /// The finished text.
    pub(super) fn finish(mut self, width: usize) -> String {
        self.flush(u32::MAX);
        self.stream.render(width)
    }

    // Text and breaks

    pub(super) fn text(&mut self, text: &str) {
        self.settle();
        self.line_must_end = false;
        self.stream.text(text);
    }

    /// A space, or a line end where the group around it breaks.
    pub(super) fn line(&mut self) {
        if matches!(self.pending, Pending::Nothing | Pending::Space) {
            self.pending = Pending::Soft { space: true };
        }
    }

    /// Nothing, or a line end where the group around it breaks.
    pub(super) fn fold(&mut self) {
        if self.pending == Pending::Nothing {
            self.pending = Pending::Soft { space: false };
        }
    }

    /// A line end; an empty line that the source has here is kept.
    pub(super) fn hard(&mut self) {
        self.merge_hard(false, true);
    }

    /// A line end and no empty line.
    pub(super) fn tight(&mut self) {
        self.merge_hard(false, false);
    }

    /// A line end and an empty line.
    pub(super) fn blank(&mut self) {
        self.merge_hard(true, true);
    }

    fn merge_hard(&mut self, blank: bool, loose: bool) {
        self.pending = match self.pending {
            Pending::Hard { blank: b, loose: l } => {
                let loose = l && loose;
                Pending::Hard { blank: loose && (b || blank), loose }
            }
            _ => Pending::Hard { blank, loose },
        };
    }

    fn settle(&mut self) {
        let pending = std::mem::replace(&mut self.pending, Pending::Nothing);
        match pending {
            Pending::Nothing => {}
            // A file does not begin with a line end.
            Pending::Hard { .. } if self.stream.is_empty() => {}
            Pending::Space => self.stream.text(" "),
            Pending::Soft { space } => self.stream.soft(space),
            Pending::Hard { blank, .. } => self.stream.hard(blank),
        }
    }

    /// Begins a group; the break that is due stands before it.
    pub(super) fn open(&mut self, group: Group) {
        self.settle();
        self.stream.open(group);
    }

    /// Begins indented lines; the break that is due belongs to them.
    pub(super) fn nest(&mut self) {
        self.stream.open(Group::Nest);
    }

    /// Ends a group or indentation; a break that is due falls behind it.
    pub(super) fn close(&mut self) {
        self.stream.close();
    }

    // Comments

    /// The text at `span` comes next: writes the comments that stand before it.
    pub(super) fn at(&mut self, span: Span) {
        if span.is_real() {
            self.flush(span.start);
            self.keep_blank(span.start);
        }
    }

    /// The first token of the source comes next.
    pub(super) fn at_first_token(&mut self) {
        let Some(source) = &self.source else { return };
        let mark = source.text.len() - source.text.trim_start_matches('\u{feff}').len();
        let start = source.base.saturating_add(u32::try_from(mark).unwrap_or(0));
        let next = source.token_after(start);
        self.flush(next);
        self.keep_blank(next);
    }

    /// The token behind `span` (a keyword, an arrow) comes next.
    pub(super) fn at_token_after(&mut self, span: Span) {
        let Some(source) = &self.source else { return };
        if span.is_real() {
            let next = source.token_after(span.end);
            self.flush(next);
        }
    }

    /// The closing keyword of `length` bytes at the end of `span` comes next.
    pub(super) fn at_closing(&mut self, span: Span, length: u32) {
        if span.is_real() {
            self.flush(span.end.saturating_sub(length));
        }
    }

    /// Does a comment that is not written yet stand before `position`?
    pub(super) fn comment_waits_before(&self, position: u32) -> bool {
        self.source.as_ref().is_some_and(|source| {
            source.comments.get(source.written).is_some_and(|c| c.span.start < position)
        })
    }

    fn flush(&mut self, position: u32) {
        while let Some(source) = &mut self.source {
            let Some(comment) = source.comments.get(source.written).copied() else { return };
            if comment.span.start >= position {
                return;
            }
            source.written += 1;
            let own_line = source.begins_line(comment.span.start);
            let text =
                source.slice(comment.span).trim_end().replace("\r\n", "\n").replace('\r', "\n");
            if own_line || self.line_must_end || self.stream.is_empty() {
                self.own_line_comment(&text, comment.span.start);
            } else {
                self.trailing_comment(&text, comment.line);
            }
            self.line_must_end = comment.line;
        }
    }

    fn own_line_comment(&mut self, text: &str, position: u32) {
        // Where the tree had a soft break or none, empty lines of the source are not kept.
        match self.pending {
            Pending::Hard { .. } => self.keep_blank(position),
            _ => self.pending = Pending::Hard { blank: false, loose: false },
        }
        self.settle();
        self.stream.text(text);
        self.pending = Pending::Hard { blank: false, loose: true };
    }

    fn trailing_comment(&mut self, text: &str, to_line_end: bool) {
        let glued = match self.stream.last_char() {
            None | Some(' ') => true,
            Some('(' | '[' | '{') => !to_line_end,
            _ => false,
        };
        if !glued {
            self.stream.weightless(" ");
        }
        self.stream.weightless(text);
        match self.pending {
            Pending::Hard { .. } => {}
            _ if to_line_end => self.pending = Pending::Hard { blank: false, loose: false },
            Pending::Soft { .. } => self.pending = Pending::Soft { space: true },
            _ => self.pending = Pending::Space,
        }
    }

    fn keep_blank(&mut self, position: u32) {
        let Some(source) = &self.source else { return };
        if let Pending::Hard { blank, loose: true } = &mut self.pending {
            *blank = *blank || source.blank_line_before(position);
        }
    }
}

impl<'a> Source<'a> {
    fn slice(&self, span: Span) -> &'a str {
        let start = span.start.saturating_sub(self.base) as usize;
        let end = span.end.saturating_sub(self.base) as usize;
        self.text.get(start..end).unwrap_or_default()
    }

    fn before(&self, position: u32) -> &'a str {
        let end = position.saturating_sub(self.base) as usize;
        self.text.get(..end).unwrap_or_default()
    }

    /// Is there only white space between the line's begin and `position`?
    fn begins_line(&self, position: u32) -> bool {
        let before = self.before(position);
        let bare = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n' && c != '\r');
        bare.is_empty() || bare.ends_with(['\n', '\r', '\u{feff}'])
    }

    /// Is there an empty line directly before `position`?
    fn blank_line_before(&self, position: u32) -> bool {
        let before = self.before(position);
        let gap = before.trim_end_matches(char::is_whitespace).len();
        let gap = &before[gap..];
        gap.matches('\n').nth(1).is_some()
            || (!gap.contains('\n') && gap.matches('\r').nth(1).is_some())
    }

    /// Where the next token behind `position` begins: white space and comments are skipped.
    fn token_after(&self, position: u32) -> u32 {
        let mut position = position;
        let mut next = self.comments.partition_point(|c| c.span.start < position);
        loop {
            let at = position.saturating_sub(self.base) as usize;
            let rest = self.text.get(at..).unwrap_or_default();
            let space = rest.len() - rest.trim_start().len();
            position = position.saturating_add(u32::try_from(space).unwrap_or(u32::MAX));
            match self.comments.get(next) {
                Some(comment) if comment.span.start == position => {
                    position = comment.span.end;
                    next += 1;
                }
                _ => return position,
            }
        }
    }
}
