//! A walk as its user sees it: commands in, text out.

use crate::limits;
use beeline::compile::Truth;
use beeline::report::trace_text;
use beeline::verdict::{Bindings, INITIALISATION, SETUP, TraceStep};
use beeline::{Animator, Answer, Error};
use std::fmt::Write;

/// More steps than this are listed on request only.
const SHOWN: usize = 30;

/// A walk through a model.
pub struct Session(Animator);

impl Session {
    /// A walk at its beginning.
    pub fn new(animator: Animator) -> Session {
        Session(animator)
    }

    /// Evaluates a formula where the walk stands.
    pub fn eval(&mut self, formula: &str) -> Result<Answer, Error> {
        self.0.eval(formula)
    }

    /// Executes one line of input but `eval` and `quit`.
    pub fn command(&mut self, command: &str, rest: &str) -> Result<String, String> {
        match command {
            "" => Ok(String::new()),
            "back" => match self.0.back() {
                true => Ok(self.overview()),
                false => Err("this is the beginning".to_owned()),
            },
            "ops" => Ok(self.operations(usize::MAX)),
            "state" => Ok(self.state()),
            "inv" => Ok(self.invariant()),
            "trace" => Ok(self.0.trace().map_or(String::new(), |trace| trace_text(&trace))),
            "save" if rest.is_empty() => Err("save needs a file name".to_owned()),
            "save" => {
                let trace = self.0.trace().ok_or("there is nothing to save yet")?;
                let text = beeline::report::to_json(&trace) + "\n";
                std::fs::write(rest, text).map_err(|e| format!("{rest}: {e}"))?;
                Ok(format!("saved {} steps to {rest}\n", trace.steps.len()))
            }
            "help" => Ok("a number, back, ops, state, inv, trace, eval FORMULA, save FILE, quit\n"
                .to_owned()),
            _ => match command.parse::<usize>() {
                Ok(number) => self.execute(number),
                Err(_) => Err(format!("unknown command `{command}`; `help` lists all commands")),
            },
        }
    }

    /// Steps count from 1 here.
    fn execute(&mut self, number: usize) -> Result<String, String> {
        let done = number.checked_sub(1).map(|index| self.0.execute(index));
        match done {
            Some(Ok(())) => Ok(self.overview()),
            _ => Err(format!("there is no step {number} here")),
        }
    }

    /// The state and what can be done.
    pub fn overview(&self) -> String {
        self.state() + &self.operations(SHOWN)
    }

    fn operations(&self, limit: usize) -> String {
        let (mut out, count) = (String::new(), self.0.step_count());
        for (i, step) in self.0.steps().take(limit).enumerate() {
            let _ = writeln!(out, "{:4}  {}", i + 1, line(&step));
        }
        if count > limit {
            let _ = writeln!(out, "      … {} more: `ops`", count - limit);
        }
        if count == 0 {
            out.push_str("deadlock: no operation is possible\n");
        }
        for note in self.notes() {
            let _ = writeln!(out, "  note: {note}");
        }
        out
    }

    fn notes(&self) -> Vec<String> {
        let left_out = self.0.left_out();
        let faults = left_out.faults.iter().map(|words| format!("fails: {words}"));
        let cuts = left_out.cuts.iter().map(|words| format!("not all: {words}"));
        let stopped = left_out.stopped.map(|reason| format!("not all: {}", limits::words(reason)));
        let many = left_out.more_than.map(|most| format!("not all: more than {most} steps"));
        faults.chain(cuts).chain(stopped).chain(many).collect()
    }

    fn state(&self) -> String {
        // After the first step constants are known well enough.
        let constants = match self.0.depth() {
            Some(1..) => Bindings::default(),
            _ => self.0.constants(),
        };
        let mut out = String::new();
        for (name, value) in constants.0.iter().chain(&self.0.state().0) {
            let _ = writeln!(out, "  {name} = {value}");
        }
        out
    }

    fn invariant(&self) -> String {
        let Some(conjuncts) = self.0.invariant() else {
            return "there is no state yet\n".to_owned();
        };
        let (mut out, mut holds) = (String::new(), 0);
        for conjunct in &conjuncts {
            let name = &conjunct.name;
            let _ = match &conjunct.truth {
                Truth::True => {
                    holds += 1;
                    Ok(())
                }
                Truth::False => writeln!(out, "  conjunct {name} is violated"),
                Truth::Undefined(fault) => {
                    writeln!(out, "  conjunct {name} is not well-defined: {}", fault.words)
                }
                Truth::Unknown(cut) => {
                    writeln!(out, "  conjunct {name} was not decided: {}", cut.words)
                }
            };
        }
        let _ = writeln!(out, "{holds} of {} conjuncts hold", conjuncts.len());
        out
    }
}

/// A step with what tells it from the others.
fn line(step: &TraceStep) -> String {
    let list = |bindings: &Bindings| {
        bindings.0.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(", ")
    };
    if step.operation == SETUP || step.operation == INITIALISATION {
        return format!("{}({})", step.operation, list(&step.state));
    }
    let mut text = step.operation.clone();
    if !step.parameters.0.is_empty() {
        let _ = write!(text, "({})", list(&step.parameters));
    }
    if !step.results.0.is_empty() {
        let _ = write!(text, " --> {}", list(&step.results));
    }
    text
}
