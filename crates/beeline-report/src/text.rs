//! Diagnostics for people: message, excerpts with underlines, help lines.

use crate::Report;
use crate::escape::visible;
use crate::excerpt::Excerpt;
use crate::style::{Paint, Style};
use beeline_source::{Diagnostic, Label, LineColumn, Severity, SourceFile, SourceMap, Span};

impl Report<'_> {
    /// Everything as text; empty if there is nothing to show.
    pub fn text(&self, style: Style) -> String {
        let mut out = String::new();
        for group in &self.groups {
            for diagnostic in &group.list {
                Shower { out: &mut out, style, diagnostic, sources: group.sources }.show();
                out.push('\n');
            }
        }
        if self.dropped() > 0 {
            out.push_str(&format!("… and {} more that are not shown\n\n", self.dropped()));
        }
        out
    }
}

/// A label with its place found: lines from 1, byte offsets within the first line.
struct Mark<'a> {
    file: &'a SourceFile,
    at: LineColumn,
    start: usize,
    /// End within the line; a mark that goes on below ends at the end of its line.
    end: usize,
    /// The last line of a mark over several lines.
    until: Option<u32>,
    text: &'a str,
    primary: bool,
}

struct Shower<'a, 'o> {
    out: &'o mut String,
    style: Style,
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
}

impl<'a> Shower<'a, '_> {
    fn show(&mut self) {
        let d = self.diagnostic;
        self.paint(self.severity_paint(), &format!("{}[{}]", d.severity.word(), d.code));
        self.paint(Paint::Bold, &format!(": {}", visible(&d.message)));
        self.out.push('\n');
        let marks = self.marks();
        let last_line = marks.iter().map(|m| m.at.line).max().unwrap_or(0);
        let gutter = last_line.to_string().len().max(2);
        let mut first = true;
        for file in files_in_order(&marks) {
            let of_file: Vec<&Mark> = marks.iter().filter(|m| m.file.base == file.base).collect();
            self.show_file(&of_file, gutter, first);
            first = false;
        }
        for help in &d.help {
            self.frame(gutter, "=");
            self.paint(Paint::Bold, " help");
            self.out.push_str(&format!(": {}\n", visible(help)));
        }
    }

    fn marks(&self) -> Vec<Mark<'a>> {
        let d = self.diagnostic;
        let labels =
            std::iter::once((&d.primary, true)).chain(d.secondary.iter().map(|l| (l, false)));
        labels.filter_map(|(label, primary)| self.mark(label, primary)).collect()
    }

    fn mark(&self, label: &'a Label, primary: bool) -> Option<Mark<'a>> {
        let (file, at) = self.sources.place(label.span)?;
        let (start, end) = offsets(file, label.span);
        let line_start = file.line_start(at.line);
        let line_length = file.line(at.line).len();
        let (start, end) = (start - line_start, end - line_start);
        // A span that ends with its line's end is no span over two lines.
        let until = (end > line_length).then(|| file.line_column(line_start + end - 1).line);
        Some(Mark {
            file,
            at,
            start: start.min(line_length),
            end: end.min(line_length),
            until: until.filter(|&line| line > at.line),
            text: &label.text,
            primary,
        })
    }

    fn show_file(&mut self, marks: &[&Mark], gutter: usize, first: bool) {
        let Some(head) = marks.iter().find(|m| m.primary).or(marks.first()) else { return };
        let (arrow, name) = (if first { "-->" } else { ":::" }, visible(&head.file.name));
        self.paint(Paint::Frame, &format!("{:gutter$}{arrow}", ""));
        self.out.push_str(&format!(" {name}:{}:{}\n", head.at.line, head.at.column));
        self.frame(gutter, "|");
        self.out.push('\n');
        let mut lines: Vec<u32> = marks.iter().map(|m| m.at.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut shown: Option<u32> = None;
        for line in lines {
            if shown.is_some_and(|before| line > before + 1) {
                self.paint(Paint::Frame, "...");
                self.out.push('\n');
            }
            let mut of_line: Vec<&Mark> =
                marks.iter().copied().filter(|m| m.at.line == line).collect();
            of_line.sort_by_key(|m| (m.start, m.end, !m.primary));
            self.show_line(line, &of_line, gutter);
            shown = Some(line);
        }
    }

    /// The line, a row of underlines with the last label, and a row for each further label.
    fn show_line(&mut self, line: u32, marks: &[&Mark], gutter: usize) {
        let Some(focus) = marks.iter().find(|m| m.primary).or(marks.first()) else { return };
        let excerpt = Excerpt::new(focus.file.line(line), focus.start);
        self.paint(Paint::Frame, &format!("{line:>gutter$} |"));
        let shown = format!(" {}", excerpt.shown);
        self.out.push_str(shown.trim_end());
        self.out.push('\n');
        let ranges: Vec<(usize, usize)> = marks
            .iter()
            .map(|m| {
                let start = excerpt.column(m.start);
                (start, excerpt.end_column(m.end).max(start + 1))
            })
            .collect();
        self.underline(marks, &ranges, gutter);
        // The rightmost label stands behind the underlines, the others hang below theirs.
        for hanging in (0..marks.len().saturating_sub(1)).rev() {
            let text = label_text(marks[hanging]);
            if !text.is_empty() {
                self.frame(gutter, "|");
                self.out.push_str(&" ".repeat(ranges[hanging].0 + 1));
                self.paint(self.mark_paint(marks[hanging]), &text);
                self.out.push('\n');
            }
        }
    }

    fn underline(&mut self, marks: &[&Mark], ranges: &[(usize, usize)], gutter: usize) {
        let width = ranges.iter().map(|r| r.1).max().unwrap_or(0);
        let mut row: Vec<Option<bool>> = vec![None; width];
        // Primary underlines win where marks overlap.
        for pass in [false, true] {
            for (mark, range) in marks.iter().zip(ranges).filter(|(m, _)| m.primary == pass) {
                row[range.0..range.1].fill(Some(mark.primary));
            }
        }
        self.frame(gutter, "|");
        self.out.push(' ');
        for run in row.chunk_by(|a, b| a == b) {
            match run[0] {
                None => self.out.push_str(&" ".repeat(run.len())),
                Some(true) => self.paint(self.severity_paint(), &"^".repeat(run.len())),
                Some(false) => self.paint(Paint::Frame, &"-".repeat(run.len())),
            }
        }
        if let Some(last) = marks.last() {
            let text = label_text(last);
            if !text.is_empty() {
                self.out.push(' ');
                self.paint(self.mark_paint(last), &text);
            }
        }
        self.out.push('\n');
    }

    fn frame(&mut self, gutter: usize, sign: &str) {
        self.paint(Paint::Frame, &format!("{:gutter$} {sign}", ""));
    }

    fn paint(&mut self, paint: Paint, text: &str) {
        self.style.paint(self.out, paint, text);
    }

    fn severity_paint(&self) -> Paint {
        match self.diagnostic.severity {
            Severity::Error => Paint::Error,
            Severity::Warning => Paint::Warning,
            Severity::Note => Paint::Note,
        }
    }

    fn mark_paint(&self, mark: &Mark) -> Paint {
        if mark.primary { self.severity_paint() } else { Paint::Frame }
    }
}

fn label_text(mark: &Mark) -> String {
    let text = visible(mark.text);
    match mark.until {
        Some(line) if text.is_empty() => format!("… to line {line}"),
        Some(line) => format!("{text} (to line {line})"),
        None => text,
    }
}

/// The files of the marks, that of the primary one first.
fn files_in_order<'a>(marks: &[Mark<'a>]) -> Vec<&'a SourceFile> {
    let mut files: Vec<&SourceFile> = Vec::new();
    for mark in marks {
        if !files.iter().any(|f| f.base == mark.file.base) {
            files.push(mark.file);
        }
    }
    files
}

/// Byte offsets of a span within its file.
pub(crate) fn offsets(file: &SourceFile, span: Span) -> (usize, usize) {
    let length = file.text.len();
    let start = (span.start.saturating_sub(file.base) as usize).min(length);
    let end = (span.end.saturating_sub(file.base) as usize).clamp(start, length);
    let floor = |o| crate::excerpt::floor_boundary(&file.text, o);
    (floor(start), floor(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::{Code, Diagnostics};

    fn span(map: &SourceMap, file: usize, start: usize, end: usize) -> Span {
        let base = map.files()[file].base;
        Span::new(base + start as u32, base + end as u32)
    }

    fn check(map: &SourceMap, diagnostic: Diagnostic, expected: &str) {
        let mut list = Diagnostics::new();
        list.push(diagnostic);
        let mut report = Report::new();
        report.add(map, &list);
        assert_eq!(report.text(Style::Plain).trim_end(), expected.trim_matches('\n'));
    }

    #[test]
    fn labels_of_one_line_and_of_another_file() {
        let mut map = SourceMap::new();
        map.add("dir/M.mch", "MACHINE M\nINVARIANT xx = yy\nEND");
        map.add("N.mch", "MACHINE N");
        let d = Diagnostic::new(Code::TYPE_MISMATCH, span(&map, 0, 20, 22), "types do not match")
            .here("this is INTEGER")
            .also(span(&map, 0, 25, 27), "this is BOOL")
            .also(span(&map, 1, 8, 9), "declared here")
            .help("compare things of one type");
        check(
            &map,
            d,
            "
error[B0601]: types do not match
  --> dir/M.mch:2:11
   |
 2 | INVARIANT xx = yy
   |           ^^   -- this is BOOL
   |           this is INTEGER
  ::: N.mch:1:9
   |
 1 | MACHINE N
   |         - declared here
   = help: compare things of one type",
        );
    }

    #[test]
    fn empty_and_long_spans() {
        let mut map = SourceMap::new();
        map.add("M.mch", "ab\ncd\n\nef\n");
        let end = Diagnostic::new(Code::UNCLOSED, span(&map, 0, 10, 10), "not closed");
        check(&map, end, "error[B0208]: not closed\n  --> M.mch:5:1\n   |\n 5 |\n   | ^");
        let long = Diagnostic::new(Code::UNCLOSED, span(&map, 0, 1, 9), "long")
            .also(span(&map, 0, 7, 9), "end");
        check(
            &map,
            long,
            "error[B0208]: long\n  --> M.mch:1:2\n   |\n 1 | ab\n   |  ^ … to line 4\n...\n 4 | ef\n   | -- end",
        );
        let newline = Diagnostic::new(Code::UNCLOSED, span(&map, 0, 1, 3), "line end");
        check(&map, newline, "error[B0208]: line end\n  --> M.mch:1:2\n   |\n 1 | ab\n   |  ^");
    }

    #[test]
    fn nothing_from_a_file_commands_the_terminal() {
        let mut map = SourceMap::new();
        map.add("\u{1b}]0;x\u{7}.mch", "\t\u{1b}[2J\u{9b}m");
        let d = Diagnostic::new(Code::UNKNOWN_CHARACTER, span(&map, 0, 1, 2), "bad \u{1b}[1m")
            .here("\u{202e}here")
            .help("\u{7}");
        check(
            &map,
            d,
            "
error[B0104]: bad ␛[1m
  --> ␛]0;x␇.mch:1:2
   |
 1 |     ␛[2J\u{fffd}m
   |     ^ \u{fffd}here
   = help: ␇",
        );
    }

    #[test]
    fn a_place_that_is_nowhere_shows_the_message_alone() {
        let d = Diagnostic::new(Code::FILE_NOT_FOUND, Span::NONE, "M.mch was not found");
        check(&SourceMap::new(), d, "error[B0301]: M.mch was not found");
    }

    #[test]
    fn many_labels_in_a_line_of_ten_megabytes() {
        let mut map = SourceMap::new();
        map.add("M.mch", "x ".repeat(5_000_000));
        let d = Diagnostic::new(Code::SYNTAX, span(&map, 0, 9_000_000, 9_000_001), "here")
            .also(span(&map, 0, 0, 1), "far left")
            .also(span(&map, 0, 9_999_998, 9_999_999), "far right");
        let mut list = Diagnostics::new();
        list.push(d);
        let mut report = Report::new();
        report.add(&map, &list);
        let text = report.text(Style::Plain);
        assert!(text.len() < 1_000, "{}", text.len());
        assert!(text.contains("M.mch:1:9000001\n"));
    }

    #[test]
    fn colour_wraps_the_same_text() {
        let mut map = SourceMap::new();
        map.add("M.mch", "ab");
        let mut list = Diagnostics::new();
        list.push(Diagnostic::new(Code::SYNTAX, span(&map, 0, 0, 1), "here").here("x"));
        let mut report = Report::new();
        report.add(&map, &list);
        let coloured = report.text(Style::Colour);
        assert!(coloured.starts_with("\u{1b}[1;31merror[B0201]\u{1b}[0m"));
        let codes = ["\u{1b}[1;31m", "\u{1b}[1;34m", "\u{1b}[1m", "\u{1b}[0m"];
        let plain = codes.iter().fold(coloured, |text, code| text.replace(code, ""));
        assert_eq!(plain, report.text(Style::Plain));
    }
}
