//! `beeline explain`: the long story of a diagnostic code.

use crate::context::Context;
use crate::exit::Exit;
use beeline::source::{CODES, Code};

pub const EXAMPLES: &str = "Examples:
  beeline explain B0301      what is wrong and what to do
  beeline explain            all codes";

/// Explain a diagnostic code
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A code such as B0301; without one, all codes are listed
    code: Option<String>,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let Some(name) = &arguments.code else {
        for (code, severity, title) in CODES {
            context.answer(&format!("{code}  {:7}  {title}\n", severity.word()));
        }
        return Exit::Ok;
    };
    let Some(code) = Code::by_name(name) else {
        let message = format!("there is no diagnostic code {name}");
        return context.complain(&message, "`beeline explain` lists all codes");
    };
    let (severity, title) = (code.severity().word(), code.title());
    let story = beeline::report::explain(code);
    context.answer(&format!("{code} ({severity}): {title}\n\n{story}\n"));
    Exit::Ok
}
