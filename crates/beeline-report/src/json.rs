//! Diagnostics for programs. Field names and their order are a contract; new fields come last.

use crate::{Report, escape};
use beeline_source::{Diagnostic, SourceMap, Span};
use serde::Serialize;

/// The version of the JSON contract.
const SCHEMA: u32 = 1;

/// All diagnostics of a run.
#[derive(Debug, Serialize)]
pub struct JsonReport {
    /// Version of this shape.
    pub schema: u32,
    /// The diagnostics, in the order of the files given and then of the text.
    pub diagnostics: Vec<JsonDiagnostic>,
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many diagnostics were counted but are not listed.
    pub dropped: usize,
}

/// One diagnostic.
#[derive(Debug, Serialize)]
pub struct JsonDiagnostic {
    /// The stable code.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where; all `null` if the diagnostic is about no place in a file.
    #[serde(flatten)]
    pub place: JsonPlace,
    /// What is at that place; may be empty.
    pub label: String,
    /// Further places.
    pub secondary: Vec<JsonLabel>,
    /// What to do next.
    pub help: Vec<String>,
}

/// A further place and what is there.
#[derive(Debug, Serialize)]
pub struct JsonLabel {
    /// Where.
    #[serde(flatten)]
    pub place: JsonPlace,
    /// What is there.
    pub label: String,
}

/// A place: lines and columns from 1, columns in characters, the end exclusive.
#[derive(Debug, Default, Serialize, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct JsonPlace {
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
}

/// Where a span lies, for JSON.
pub fn place(sources: &SourceMap, span: Span) -> JsonPlace {
    let Some((file, start)) = sources.place(span) else { return JsonPlace::default() };
    let end = file.line_column((span.end.saturating_sub(file.base)) as usize);
    JsonPlace {
        file: Some(file.name.to_string()),
        line: Some(start.line),
        column: Some(start.column),
        end_line: Some(end.line),
        end_column: Some(end.column),
    }
}

impl JsonDiagnostic {
    fn new(sources: &SourceMap, d: &Diagnostic) -> JsonDiagnostic {
        let label = |l: &beeline_source::Label| JsonLabel {
            place: place(sources, l.span),
            label: l.text.clone(),
        };
        JsonDiagnostic {
            code: d.code.to_string(),
            severity: d.severity.word(),
            message: d.message.clone(),
            place: place(sources, d.primary.span),
            label: d.primary.text.clone(),
            secondary: d.secondary.iter().map(label).collect(),
            help: d.help.clone(),
        }
    }
}

impl Report<'_> {
    /// Everything as data for [`to_json`].
    pub fn json(&self) -> JsonReport {
        let of_group = |g: &crate::report::Group| {
            g.list.iter().map(|d| JsonDiagnostic::new(g.sources, d)).collect::<Vec<_>>()
        };
        JsonReport {
            schema: SCHEMA,
            diagnostics: self.groups.iter().flat_map(of_group).collect(),
            errors: self.errors(),
            warnings: self.warnings(),
            dropped: self.dropped(),
        }
    }
}

/// Any data as one line of JSON that is safe to show.
pub fn to_json(value: &impl Serialize) -> String {
    // Only maps with keys other than strings can fail, and there is none.
    escape::json(serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\":\"{e}\"}}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::{Code, Diagnostics};

    #[test]
    fn the_contract() {
        let mut map = SourceMap::new();
        let id = map.add("M.mch", "a\nβ c").unwrap();
        let base = map.file(id).base;
        let mut list = Diagnostics::new();
        list.push(
            Diagnostic::new(Code::SYNTAX, Span::new(base + 5, base + 6), "unexpected c")
                .here("here")
                .also(Span::new(base, base + 1), "there")
                .help("remove it"),
        );
        list.push(Diagnostic::new(Code::NOT_UTF8, Span::NONE, "not UTF-8"));
        let mut report = Report::new();
        report.add(&map, &list);
        assert_eq!(
            to_json(&report.json()),
            concat!(
                r#"{"schema":1,"diagnostics":[{"code":"B0201","severity":"error","#,
                r#""message":"unexpected c","file":"M.mch","line":2,"column":3,"end_line":2,"#,
                r#""end_column":4,"label":"here","secondary":[{"file":"M.mch","line":1,"#,
                r#""column":1,"end_line":1,"end_column":2,"label":"there"}],"help":["remove it"]},"#,
                r#"{"code":"B0101","severity":"warning","message":"not UTF-8","file":null,"#,
                r#""line":null,"column":null,"end_line":null,"end_column":null,"label":"","#,
                r#""secondary":[],"help":[]}],"errors":1,"warnings":1,"dropped":0}"#
            )
        );
    }
}
