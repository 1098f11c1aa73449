//! Choosing line breaks: a flat stream of texts, breaks and group marks becomes text.
//!
//! The idea is Oppen's ("Prettyprinting", 1980): a group stands on one line when it fits there,
//! otherwise its breaks become line ends. The stream is flat, so that layout is two loops over an
//! array: linear in time, and no deeper for a deep tree. This module knows nothing of B.

/// How a group breaks when it does not fit on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Every break of the group becomes a line end.
    Consistent,
    /// A break becomes a line end only where what follows it no longer fits.
    Fill,
    /// The one break at its begin becomes a line end, indented, only where all of the group then
    /// fits on that line; what breaks anyway begins on the line of what stands before it.
    Hug,
    /// Not a group of its own: two columns of indentation within the enclosing group.
    Nest,
}

const INDENT: usize = 2;

#[derive(Clone, Copy, Debug)]
enum Token {
    /// Bytes `start..end` of the buffer, counted as `width` columns.
    Text {
        start: usize,
        end: usize,
        width: usize,
    },
    /// A space (or nothing) on one line, otherwise a line end.
    Break {
        space: bool,
    },
    /// Always a line end, perhaps with an empty line.
    Hard {
        blank: bool,
    },
    Open(Group),
    Close,
}

/// A document under construction.
#[derive(Default)]
pub(super) struct Stream {
    tokens: Vec<Token>,
    buffer: String,
}

impl Stream {
    /// Is nothing in it yet?
    pub(super) fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The last character written, if the last thing written was text.
    pub(super) fn last_char(&self) -> Option<char> {
        let last = self.tokens.iter().rev().find(|t| !matches!(t, Token::Open(_) | Token::Close));
        match last {
            Some(Token::Text { .. }) => self.buffer.chars().next_back(),
            _ => None,
        }
    }

    /// Text that counts.
    pub(super) fn text(&mut self, text: &str) {
        let width = text.split('\n').next().unwrap_or_default().chars().count();
        self.push_text(text, width);
    }

    /// Text that takes no part in the decision where lines break: a comment at the end of a line.
    pub(super) fn weightless(&mut self, text: &str) {
        self.push_text(text, 0);
    }

    fn push_text(&mut self, text: &str, width: usize) {
        let start = self.buffer.len();
        self.buffer.push_str(text);
        self.tokens.push(Token::Text { start, end: self.buffer.len(), width });
    }

    /// A place where a line may end.
    pub(super) fn soft(&mut self, space: bool) {
        self.tokens.push(Token::Break { space });
    }

    /// A place where a line must end.
    pub(super) fn hard(&mut self, blank: bool) {
        self.tokens.push(Token::Hard { blank });
    }

    /// Begins a group.
    pub(super) fn open(&mut self, group: Group) {
        self.tokens.push(Token::Open(group));
    }

    /// Ends the group begun last.
    pub(super) fn close(&mut self) {
        self.tokens.push(Token::Close);
    }

    /// The text, with lines of at most `width` columns wherever breaks allow it.
    pub(super) fn render(&self, width: usize) -> String {
        let measured = Measured::of(&self.tokens);
        let mut page = Page { text: String::with_capacity(self.buffer.len() * 2), column: 0 };
        let mut stack = vec![Frame { mode: Mode::Broken, indent: 0 }];
        for (i, token) in self.tokens.iter().enumerate() {
            let frame = stack.last().copied().unwrap_or(Frame { mode: Mode::Broken, indent: 0 });
            match *token {
                Token::Text { start, end, .. } => page.text(&self.buffer[start..end]),
                Token::Hard { blank } => page.newline(frame.indent, blank),
                Token::Break { space } => {
                    let fits = |column| measured.fits(i, column, width);
                    let deeper = frame.indent + INDENT;
                    let broken_to = match frame.mode {
                        Mode::Flat => None,
                        Mode::Broken => Some(frame.indent),
                        Mode::Filling => (!fits(page.column)).then_some(frame.indent),
                        Mode::Hugging => (!fits(page.column) && fits(deeper)).then_some(deeper),
                    };
                    if let Some(indent) = broken_to {
                        page.newline(indent, false);
                    } else if space {
                        page.text(" ");
                    }
                }
                Token::Open(Group::Nest) => {
                    stack.push(Frame { indent: frame.indent + INDENT, ..frame });
                }
                Token::Open(group) => {
                    let flat = frame.mode == Mode::Flat || measured.fits(i, page.column, width);
                    let mode = match group {
                        _ if flat => Mode::Flat,
                        Group::Fill => Mode::Filling,
                        Group::Hug => Mode::Hugging,
                        _ => Mode::Broken,
                    };
                    stack.push(Frame { mode, indent: frame.indent });
                }
                Token::Close => {
                    stack.pop();
                }
            }
        }
        page.text
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
    Filling,
    Hugging,
}

#[derive(Clone, Copy)]
struct Frame {
    mode: Mode,
    indent: usize,
}

struct Page {
    text: String,
    column: usize,
}

impl Page {
    fn text(&mut self, text: &str) {
        self.text.push_str(text);
        match text.rfind('\n') {
            Some(at) => self.column = text[at + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn newline(&mut self, indent: usize, blank: bool) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if blank {
            self.text.push('\n');
        }
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }
}

/// What each group, and each break of a filled group, needs in columns when it stays on one line.
struct Measured {
    /// By token: the columns that must remain, `None` where a line end is certain.
    needed: Vec<Option<usize>>,
}

impl Measured {
    fn of(tokens: &[Token]) -> Measured {
        let (before, hard_before) = sums(tokens);
        let after = tails(tokens);
        let mut needed = vec![Some(0); tokens.len()];
        let mut measure = |from: usize, to: usize, tail: usize| {
            let hard = hard_before[to] > hard_before[from];
            needed[from] = (!hard).then(|| before[to] - before[from] + tail);
        };
        // One entry for each open group: its token, and its last break so far.
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                Token::Open(_) => open.push((i, None)),
                Token::Break { .. } => {
                    if let Some((_, last)) = open.last_mut()
                        && let Some(last) = last.replace(i)
                    {
                        measure(last, i, 0);
                    }
                }
                Token::Close => {
                    if let Some((start, last)) = open.pop() {
                        measure(start, i, after[i]);
                        if let Some(last) = last {
                            measure(last, i, after[i]);
                        }
                    }
                }
                Token::Text { .. } | Token::Hard { .. } => {}
            }
        }
        Measured { needed }
    }

    fn fits(&self, token: usize, column: usize, width: usize) -> bool {
        self.needed[token].is_some_and(|needed| column.saturating_add(needed) <= width)
    }
}

/// For each token, the columns and the certain line ends before it.
fn sums(tokens: &[Token]) -> (Vec<usize>, Vec<usize>) {
    let (mut columns, mut hards) = (0, 0);
    let mut before = Vec::with_capacity(tokens.len());
    let mut hard_before = Vec::with_capacity(tokens.len());
    for token in tokens {
        before.push(columns);
        hard_before.push(hards);
        match token {
            Token::Text { width, .. } => columns += width,
            Token::Break { space } => columns += usize::from(*space),
            Token::Hard { .. } => hards += 1,
            Token::Open(_) | Token::Close => {}
        }
    }
    (before, hard_before)
}

/// For each token, the columns from it to the next place where the line may end.
fn tails(tokens: &[Token]) -> Vec<usize> {
    let mut tail = 0;
    let mut after = vec![0; tokens.len()];
    for (i, token) in tokens.iter().enumerate().rev() {
        match token {
            Token::Text { width, .. } => tail += width,
            Token::Break { .. } | Token::Hard { .. } => tail = 0,
            Token::Open(_) | Token::Close => {}
        }
        after[i] = tail;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(group: Group, items: &[&str]) -> Stream {
        let mut s = Stream::default();
        s.open(Group::Consistent);
        s.text("{");
        s.open(Group::Nest);
        s.soft(false);
        s.open(group);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                s.text(",");
                s.soft(true);
            }
            s.text(item);
        }
        s.close();
        s.close();
        s.soft(false);
        s.text("}");
        s.close();
        s
    }

    #[test]
    fn a_group_that_fits_exactly_stays_on_its_line() {
        let s = list(Group::Consistent, &["aa", "bb"]);
        assert_eq!(s.render(8), "{aa, bb}");
        assert_eq!(s.render(7), "{\n  aa,\n  bb\n}");
    }

    #[test]
    fn a_filled_group_breaks_only_where_it_must() {
        let s = list(Group::Fill, &["aa", "bb", "cc", "dd", "ee"]);
        assert_eq!(s.render(12), "{\n  aa, bb,\n  cc, dd, ee\n}");
    }

    #[test]
    fn a_hugging_group_moves_to_the_next_line_only_as_a_whole() {
        let mut s = Stream::default();
        s.text("x =");
        s.open(Group::Hug);
        s.soft(true);
        s.open(Group::Consistent);
        s.text("{");
        s.open(Group::Nest);
        s.soft(false);
        s.text("aaaa");
        s.close();
        s.soft(false);
        s.text("}");
        s.close();
        s.close();
        assert_eq!(s.render(10), "x = {aaaa}");
        assert_eq!(s.render(9), "x =\n  {aaaa}");
        assert_eq!(s.render(7), "x = {\n  aaaa\n}");
    }

    #[test]
    fn a_certain_line_end_breaks_the_groups_around_it() {
        let mut s = Stream::default();
        s.open(Group::Consistent);
        s.text("a");
        s.soft(true);
        s.text("b");
        s.hard(true);
        s.text("c");
        s.close();
        assert_eq!(s.render(100), "a\nb\n\nc");
    }

    #[test]
    fn text_behind_a_group_counts_up_to_the_next_break() {
        let mut s = list(Group::Consistent, &["aa", "bb"]);
        s.text(";;;");
        s.soft(true);
        s.text("long text that may go to the next line");
        assert!(s.render(11).starts_with("{aa, bb};;;\n"));
        assert!(s.render(10).starts_with("{\n  aa, bb\n};;;\n"));
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let mut s = Stream::default();
        for _ in 0..200_000 {
            s.open(Group::Consistent);
            s.text("(");
        }
        for _ in 0..200_000 {
            s.text(")");
            s.close();
        }
        assert_eq!(s.render(10).len(), 400_000);
    }
}
