//! What every subcommand needs: the two streams, colour, and the way from a report to them.

use crate::exit::Exit;
use crate::stream::Stream;
use beeline::report::{CheckReport, RefineReport, Report, Style, escape};
use clap::ValueEnum;
use std::io::IsTerminal;

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The surroundings of a run.
pub struct Context {
    out: Stream,
    err: Stream,
    color: ColorWhen,
}

impl Context {
    /// The surroundings of this process.
    pub fn new(color: ColorWhen) -> Context {
        Context { out: Stream::output(), err: Stream::error(), color }
    }

    /// Prints the answer. Whatever it was made of, nothing in it can change the terminal.
    pub fn answer(&mut self, text: &str) {
        self.out().write(&escape::visible_lines(text));
    }

    /// Prints a text that is meant to be read back by programs: as it is, unless somebody looks.
    pub fn copy(&mut self, text: &str) {
        match std::io::stdout().is_terminal() {
            true => self.answer(text),
            false => self.out().write(text),
        }
    }

    /// Prints the report of a check.
    pub fn report(&mut self, report: &CheckReport<'_>) {
        let text = report.text(self.style(std::io::stdout().is_terminal()));
        self.out().write(&text);
    }

    /// Prints the report of a refinement check.
    pub fn refinement(&mut self, report: &RefineReport<'_>) {
        let text = report.text(self.style(std::io::stdout().is_terminal()));
        self.out().write(&text);
    }

    /// Lets the reader see what has been printed so far.
    pub fn flush(&mut self) {
        self.out.flush();
    }

    /// Prints one line of JSON.
    pub fn json(&mut self, value: &impl serde::Serialize) {
        self.out().write(&beeline::report::to_json(value));
        self.out().write("\n");
    }

    /// Tells of a mistake that is no diagnostic, and what to do next.
    pub fn complain(&mut self, message: &str, help: &str) -> Exit {
        self.err.write(&format!("error: {}\n", escape::visible(message)));
        if !help.is_empty() {
            self.err.write(&format!("  help: {}\n", escape::visible(help)));
        }
        Exit::Error
    }

    /// Tells of something beside the answer.
    pub fn note(&mut self, text: &str) {
        self.err.write(&escape::visible_lines(text));
    }

    /// Shows diagnostics as the answer.
    pub fn show(&mut self, report: &Report) {
        let text = report.text(self.style(std::io::stdout().is_terminal()));
        self.out().write(&text);
    }

    /// Shows diagnostics beside the answer.
    pub fn show_aside(&mut self, report: &Report) {
        let text = report.text(self.style(std::io::stderr().is_terminal()));
        self.err.write(&text);
    }

    /// Where answers go: from here on nobody else gives one.
    fn out(&mut self) -> &mut Stream {
        crate::watchdog::take_the_floor();
        &mut self.out
    }

    /// Writes what is left, and says how the run ended.
    pub fn finish(&mut self, exit: Exit) -> Exit {
        let mut exit = exit;
        if let Some(error) = self.out.finish() {
            exit = self.complain(&format!("the output cannot be written: {error}"), "");
        }
        // When nobody can be told, the exit code still tells.
        if self.err.finish().is_some() { Exit::Error } else { exit }
    }

    fn style(&self, terminal: bool) -> Style {
        let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let dumb = || std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        match self.color {
            ColorWhen::Always => Style::Colour,
            ColorWhen::Never => Style::Plain,
            ColorWhen::Auto if terminal && !set("NO_COLOR") && !dumb() => Style::Colour,
            ColorWhen::Auto => Style::Plain,
        }
    }
}
