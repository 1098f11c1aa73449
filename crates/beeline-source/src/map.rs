//! The source files of one run.

use crate::Span;
use std::sync::Arc;

/// Names one file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A place as people count it: both from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

/// One file: its name as the user knows it, its text, and where its lines begin.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The name to show.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// Global position of the first byte.
    pub base: u32,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: Arc<str>, text: Arc<str>, base: u32) -> SourceFile {
        let mut line_starts = vec![0];
        let bytes = text.as_bytes();
        for (i, &b) in bytes.iter().enumerate() {
            if b == b'\n' || (b == b'\r' && bytes.get(i + 1) != Some(&b'\n')) {
                line_starts.push(i as u32 + 1);
            }
        }
        SourceFile { name, text, base, line_starts }
    }

    /// Is the text what its author reads? Prolog terms and XML are written by programs, and a
    /// formula in them is better shown in other words.
    pub fn is_for_people(&self) -> bool {
        let mut rest = self.text.trim_start_matches('\u{feff}').trim_start();
        while let Some(comment) = rest.strip_prefix('%') {
            rest = comment.find('\n').map_or("", |end| &comment[end..]).trim_start();
        }
        !(rest.starts_with("package(") || rest.starts_with("<?xml"))
    }

    /// The span of the whole file.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }

    /// Line and column of a byte offset within this file; past the end counts as the end.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|&s| s as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.text[start..offset].chars().count();
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The byte offset of the first character of a line (from 1); past the end counts as the end.
    pub fn line_start(&self, line: u32) -> usize {
        let index = (line as usize).saturating_sub(1);
        self.line_starts.get(index).map_or(self.text.len(), |&s| s as usize)
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The text of a line (from 1), without its line end.
    pub fn line(&self, line: u32) -> &str {
        let Some(index) = (line as usize).checked_sub(1) else { return "" };
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
}

/// All source files of one run, in the order they were opened.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// The most text one run may hold, over all files: positions are 32 bits wide.
const MAX_TOTAL_BYTES: usize = 1 << 31;

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. `None` when the run would hold more text than positions can name (2 GiB).
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Option<FileId> {
        let text = text.into();
        // Position 0 is never used: it means "nowhere". A gap of one keeps empty spans at the end
        // of a file apart from the start of the next.
        let base = self.files.last().map_or(1, |f| f.span().end as usize + 1);
        if base + text.len() >= MAX_TOTAL_BYTES {
            return None;
        }
        self.files.push(SourceFile::new(name.into(), text, base as u32));
        Some(FileId(self.files.len() as u32 - 1))
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file that holds a span, if the span names a place at all.
    pub fn file_of(&self, span: Span) -> Option<(FileId, &SourceFile)> {
        if !span.is_real() {
            return None;
        }
        let index = self.files.partition_point(|f| f.base <= span.start).checked_sub(1)?;
        let file = &self.files[index];
        (span.start <= file.span().end).then_some((FileId(index as u32), file))
    }

    /// The text a span covers; empty for [`Span::NONE`].
    pub fn text(&self, span: Span) -> &str {
        let Some((_, file)) = self.file_of(span) else { return "" };
        let (start, end) = ((span.start - file.base) as usize, (span.end - file.base) as usize);
        file.text.get(start..end.min(file.text.len())).unwrap_or("")
    }

    /// Where a span starts, as people count.
    pub fn place(&self, span: Span) -> Option<(&SourceFile, LineColumn)> {
        let (_, file) = self.file_of(span)?;
        Some((file, file.line_column((span.start - file.base) as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_name_file_line_and_column() {
        let mut map = SourceMap::new();
        let a = map.add("a.mch", "one\ntwo").unwrap();
        let b = map.add("b.mch", "α β\r\nx").unwrap();
        let base = map.file(b).base;
        let span = Span::new(base + 3, base + 5);
        assert_eq!(map.text(span), "β");
        let (file, place) = map.place(span).unwrap();
        assert_eq!((&*file.name, place.line, place.column), ("b.mch", 1, 3));
        let end_of_a = map.file(a).span().after();
        assert_eq!(&*map.place(end_of_a).unwrap().0.name, "a.mch");
        assert_eq!(map.file(b).line(2), "x");
        assert_eq!(map.file(b).line(1), "α β");
        assert_eq!((map.file(b).line_start(1), map.file(b).line_start(2)), (0, 7));
        assert!(map.file_of(Span::NONE).is_none());
    }
}
