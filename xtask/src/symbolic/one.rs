//! One model in every method, in a process of its own.

use super::{Run, Within, checked, open, options, told};
use beeline::explore::Exploration;
use beeline::symbolic::{Method, Relations};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Methods that are compared, beside the explicit search.
const METHODS: [&str; 5] = ["symbolic", "backward", "pt", "ly", "bfh"];

#[derive(clap::Args)]
pub struct Arguments {
    file: PathBuf,
    #[arg(long)]
    root: Option<PathBuf>,
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    #[arg(long, default_value_t = 3072)]
    megabytes: u64,
    #[arg(long, default_value_t = 200_000)]
    states: u64,
}

/// What all methods made of a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Why it was not looked at.
    pub skipped: String,
    pub explicit: Option<Run>,
    pub runs: Vec<Run>,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut report = Report::default();
    if let Err(why) = fill(arguments, &mut report) {
        report.skipped = why;
    }
    println!("{}", serde_json::to_string(&report).map_err(|e| e.to_string())?);
    Ok(true)
}

fn is_small(exploration: &Exploration, arguments: &Arguments) -> bool {
    exploration.counts.states() <= arguments.states
}

fn fill(arguments: &Arguments, report: &mut Report) -> Result<(), String> {
    let model = open(&arguments.file, arguments.root.as_ref())?;
    let within = Within {
        seconds: arguments.seconds,
        megabytes: arguments.megabytes,
        states: Some(arguments.states + 2),
    };
    let plain = checked(&model, &options(None, Relations::default(), within))?;
    if !plain.outcome.exploration.is_complete() || !is_small(&plain.outcome.exploration, arguments)
    {
        let cut = plain.outcome.cuts.first().map_or("too many states", |cut| cut.words.as_str());
        return Err(format!("not explored completely: {cut}"));
    }
    report.explicit = Some(told(None, &plain));
    for name in METHODS {
        let method = Method::by_name(name);
        // What is made from code is held against its evaluation on the way.
        let relations = if name == "symbolic" { Relations::Audit } else { Relations::Exact };
        // Explicit states are a limit for those who count them.
        let within = Within { states: None, ..within };
        let own = checked(&model, &options(method, relations, within))?;
        report.runs.push(told(method, &own));
    }
    Ok(())
}
