//! One row of the corpus, and what Beeline makes of its model.

use crate::guard::{self, Outcome};
use beeline::OpenOptions;
use beeline::model::Loaded;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longer than any model needs by far.
const MODEL_LIMIT: Duration = Duration::from_secs(20);

/// A row of `oracle.csv`.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub path: String,
    /// `b` or `eventb`
    pub formalism: String,
    /// Did ProB load it? `None` if that was not recorded.
    pub expected: Option<bool>,
}

/// What Beeline makes of a model.
pub enum Verdict {
    /// It loads; why the round trip fails, if it does.
    Loads { roundtrip: std::result::Result<(), String> },
    /// It has errors: the first one, and whether it names a place in a file.
    Rejected { first: String, located: bool },
    /// Beeline panicked.
    Panicked(String),
    /// Loading did not end.
    TimedOut,
}

impl Verdict {
    pub fn loads(&self) -> bool {
        matches!(self, Verdict::Loads { .. })
    }

    pub fn rejects_with_place(&self) -> bool {
        matches!(self, Verdict::Rejected { located: true, .. })
    }

    pub fn roundtrips(&self) -> Option<bool> {
        match self {
            Verdict::Loads { roundtrip } => Some(roundtrip.is_ok()),
            _ => None,
        }
    }

    /// One line about it.
    pub fn describe(&self) -> String {
        match self {
            Verdict::Loads { roundtrip: Ok(()) } => "loads".to_owned(),
            Verdict::Loads { roundtrip: Err(why) } => format!("round trip: {why}"),
            Verdict::Rejected { first, .. } => first.clone(),
            Verdict::Panicked(message) => format!("panic: {message}"),
            Verdict::TimedOut => format!("no end within {} s", MODEL_LIMIT.as_secs()),
        }
    }
}

/// The rows of the table.
pub fn parse_rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column = |name| header.iter().position(|h| *h == name);
    let (path, formalism, why) = (column("path"), column("formalism"), column("why"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |index: Option<usize>| cells.get(index?).copied();
        let formalism = cell(formalism)?.to_owned();
        let expected = match cell(why)? {
            "load_error" => Some(false),
            "not_recorded" => None,
            _ => Some(true),
        };
        Some(Row { path: cell(path)?.to_owned(), formalism, expected })
    };
    lines.filter_map(row).collect()
}

/// Loads a model, and prints and parses its files again.
pub fn examine(models: &Path, row: &Row) -> Verdict {
    let path = models.join(&row.path);
    let root = models.to_owned();
    match guard::run(MODEL_LIMIT, move || examine_here(&path, root)) {
        Outcome::Done(verdict) => verdict,
        Outcome::Panicked(message) => Verdict::Panicked(message),
        Outcome::TimedOut => Verdict::TimedOut,
    }
}

fn examine_here(path: &Path, root: PathBuf) -> Verdict {
    let options = OpenOptions { roots: vec![root], ..OpenOptions::default() };
    let loaded = beeline::open(path, &options);
    match loaded.diagnostics.list().iter().find(|d| d.is_error()) {
        Some(error) => {
            let place = loaded.sources.place(error.primary.span);
            let at = place.map_or(String::new(), |(file, at)| {
                let name = file.name.rsplit('/').next().unwrap_or("");
                format!("{name}:{}:{}: ", at.line, at.column)
            });
            let first = format!("{at}{} {}", error.code, error.message);
            Verdict::Rejected { first, located: place.is_some() }
        }
        None if loaded.model.is_none() => {
            Verdict::Rejected { first: "no model and no error".to_owned(), located: false }
        }
        // What is no text of classical B is not printed back as such.
        None if path.extension().is_some_and(|e| e == "eventb") => {
            Verdict::Loads { roundtrip: Ok(()) }
        }
        None => Verdict::Loads { roundtrip: roundtrip(&loaded) },
    }
}

/// Every file parses, prints, and parses to the same tree again; formatting twice changes nothing.
fn roundtrip(loaded: &Loaded) -> std::result::Result<(), String> {
    for file in loaded.sources.files() {
        let parsed = beeline::parse_text(&file.name, file.text.clone(), false);
        let Some(unit) = parsed.unit() else { return Err(format!("{} has no tree", file.name)) };
        let printed = beeline::print(unit);
        let again = beeline::parse_text(&file.name, printed.as_str().into(), false);
        if let Some(error) = again.diagnostics().list().iter().find(|d| d.is_error()) {
            let place = again.sources.place(error.primary.span);
            let line = place.map_or("", |(file, at)| file.line(at.line));
            return Err(format!("printed text: {} in `{}`", error.message, line.trim()));
        }
        if !beeline::on_large_stack(|| again.unit() == Some(unit)) {
            return Err("the printed text says something else".to_owned());
        }
        let formatted = beeline::format(&parsed).map_err(|e| format!("format: {e:?}"))?;
        let reparsed = beeline::parse_text(&file.name, formatted.as_str().into(), false);
        if beeline::format(&reparsed).as_ref() != Ok(&formatted) {
            return Err("formatted text is formatted differently".to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_both_languages() {
        let text = "path,formalism,states,why\na.mch,b,1,reproduced\nb.eventb,eventb,2,x\n\
                    c.mch,b,,load_error\nd.mch,b,,not_recorded\n";
        let row = |path: &str, expected| {
            let formalism = if path.ends_with(".eventb") { "eventb" } else { "b" };
            Row { path: path.to_owned(), formalism: formalism.to_owned(), expected }
        };
        assert_eq!(
            parse_rows(text),
            [
                row("a.mch", Some(true)),
                row("b.eventb", Some(true)),
                row("c.mch", Some(false)),
                row("d.mch", None)
            ]
        );
    }
}
