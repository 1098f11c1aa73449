//! `beeline fmt`: one way to write B.

use crate::context::Context;
use crate::exit::Exit;
use beeline::report::{JsonReport, Report, escape};
use beeline::{FormatError, ParsedFile};
use serde::Serialize;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "Examples:
  beeline fmt Lift.mch               print the formatted text
  beeline fmt --write *.mch          format files in place
  beeline fmt --check *.mch          exit code 1 if a file is not formatted
  beeline fmt - < Lift.mch           standard input to standard output";

/// Format files
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Machines or definition files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the files in place; files with errors are not changed
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Change nothing; exit with code 1 if a file would change
    #[arg(long)]
    check: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What came of one file.
struct Formatted {
    name: String,
    file: ParsedFile,
    text: Result<String, FormatError>,
    written: Result<bool, std::io::Error>,
}

impl Formatted {
    fn changed(&self) -> Option<bool> {
        self.text.as_ref().ok().map(|text| text != self.file.text())
    }

    /// What is wrong beside the diagnostics, and what to do.
    fn complaint(&self) -> Option<(String, &'static str)> {
        let name = &self.name;
        if let Err(error) = &self.written {
            return Some((format!("{name} cannot be written: {error}"), ""));
        }
        match self.text {
            Ok(_) | Err(FormatError::Errors) => None,
            Err(FormatError::NotUtf8) => Some((
                format!("{name} is not valid UTF-8, and was not changed"),
                "save the file as UTF-8 first",
            )),
            Err(FormatError::NoLayout) => Some((
                format!("{name} is an Event-B file written by a tool, and was not changed"),
                "only text (`machine M … end`) is formatted",
            )),
            Err(FormatError::WouldChangeMeaning) => Some((
                format!("{name} was not changed: formatting would change its meaning"),
                "this is a bug in beeline; please report it with the file",
            )),
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    if arguments.write && arguments.files.iter().any(|f| f.as_os_str() == "-") {
        return context.complain(
            "standard input cannot be written in place",
            "omit --write to get the text on standard output",
        );
    }
    let results: Vec<Formatted> =
        arguments.files.iter().map(|f| format(f, arguments.write)).collect();
    if arguments.json {
        return answer_json(&results, arguments, context);
    }
    results.iter().map(|r| answer(r, arguments, context)).max().unwrap_or(Exit::Ok)
}

fn format(path: &Path, write: bool) -> Formatted {
    let file = super::input(path);
    let text = beeline::format(&file);
    let mut result =
        Formatted { name: path.to_string_lossy().into_owned(), file, text, written: Ok(false) };
    if let (true, Some(true), Ok(text)) = (write, result.changed(), &result.text) {
        result.written = beeline::bench::replace(path, text).map(|()| true);
    }
    result
}

fn exit_of(result: &Formatted, arguments: &Arguments) -> Exit {
    match result.changed() {
        None => Exit::Error,
        Some(_) if result.written.is_err() => Exit::Error,
        Some(changed) if arguments.check && changed => Exit::No,
        Some(_) => Exit::Ok,
    }
}

fn answer(result: &Formatted, arguments: &Arguments, context: &mut Context) -> Exit {
    let mut report = Report::new();
    report.add_only(&result.file.sources, result.file.diagnostics(), |_| false);
    context.show_aside(&report);
    if let Some((message, help)) = result.complaint() {
        context.complain(&message, help);
    }
    let name = escape::visible(&result.name);
    match &result.text {
        Ok(_) if arguments.check => {
            if result.changed() == Some(true) {
                context.answer(&format!("{name}: would change\n"));
            }
        }
        Ok(_) if arguments.write => {
            if matches!(result.written, Ok(true)) {
                context.answer(&format!("{name}: formatted\n"));
            }
        }
        Ok(text) => context.copy(text),
        Err(_) => {}
    }
    exit_of(result, arguments)
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    report: JsonReport,
    files: Vec<FileAnswer<'a>>,
}

#[derive(Serialize)]
struct FileAnswer<'a> {
    file: &'a str,
    /// `null` if the file cannot be formatted.
    changed: Option<bool>,
    written: bool,
    /// Only where neither `--write` nor `--check` is given.
    formatted: Option<&'a str>,
    problem: Option<String>,
}

fn answer_json(results: &[Formatted], arguments: &Arguments, context: &mut Context) -> Exit {
    let mut report = Report::new();
    for result in results {
        report.add(&result.file.sources, result.file.diagnostics());
    }
    let show_text = !arguments.write && !arguments.check;
    let files = results.iter().map(|result| FileAnswer {
        file: &result.name,
        changed: result.changed(),
        written: matches!(result.written, Ok(true)),
        formatted: result.text.as_deref().ok().filter(|_| show_text),
        problem: result.complaint().map(|c| c.0),
    });
    context.json(&Answer { report: report.json(), files: files.collect() });
    results.iter().map(|r| exit_of(r, arguments)).max().unwrap_or(Exit::Ok)
}
