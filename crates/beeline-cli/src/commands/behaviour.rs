//! What the commands that look at behaviours have in common: labels, what is internal, limits, `.aut` files.

use crate::commands::{LoadArguments, ScopeArguments, refusal};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use crate::status::{Part, Status, part};
use beeline::bisimulation::{Graph, aut};
use beeline::report::JsonCut;
use beeline::source::SourceMap;
use beeline::{Error, LtsOptions, LtsProgress, Specification, StepLabels, WorkLimits};
use clap::ValueEnum;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What can be seen of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Labels {
    /// The name of the operation
    Names,
    /// The name and the parameters
    Calls,
    /// The name, the parameters and the results
    Full,
}

/// What counts as behaviour.
#[derive(Debug, clap::Args)]
pub struct BehaviourArguments {
    /// What can be seen of a step
    #[arg(long, value_enum, default_value = "calls")]
    labels: Labels,
    /// Operations whose steps are internal (separated by commas; INITIALISATION may be one)
    #[arg(long, value_name = "OPERATION", value_delimiter = ',')]
    pub hide: Vec<String>,
    /// A predicate whose truth in a state can be seen (repeatable)
    #[arg(long, value_name = "PRED")]
    pub observe: Vec<String>,
    /// Give up beyond N states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    #[command(flatten)]
    pub work: WorkArguments,
}

impl BehaviourArguments {
    /// The same for the library.
    pub fn options(
        &self,
        scope: &ScopeArguments,
        specification: &Specification,
    ) -> Result<LtsOptions, Error> {
        Ok(LtsOptions {
            scope: scope.scope(),
            labels: match self.labels {
                Labels::Names => StepLabels::Names,
                Labels::Calls => StepLabels::Calls,
                Labels::Full => StepLabels::Full,
            },
            hide: self.hide.clone(),
            observe: LtsOptions::observed(specification, &self.observe)?,
            max_states: self.max_states,
            ..LtsOptions::default()
        })
    }

    /// Opens a model with the predicates that are observed.
    pub fn open(
        &self,
        file: &Path,
        load: &LoadArguments,
        context: &mut Context,
    ) -> Result<Result<Specification, Error>, Exit> {
        let options = load.options(context)?;
        let options = self.observe.iter().fold(options, |o, text| o.formula(text));
        Ok(options.open(file))
    }
}

/// Is this a file in the Aldebaran format?
pub fn is_aut(file: &Path) -> bool {
    file.extension().is_some_and(|e| e.eq_ignore_ascii_case("aut"))
}

/// Reads such a file.
pub fn read_aut(file: &Path, limits: &WorkLimits) -> Result<Graph, String> {
    let place = file.display();
    let found = std::fs::metadata(file).map_err(|error| format!("{place}: {error}"))?;
    if !found.is_file() {
        return Err(format!("{place}: it is not a file"));
    }
    let bytes = found.len();
    // The text, and about as much again for what is made of it.
    if limits.memory_bytes.is_some_and(|most| bytes.saturating_mul(3) > most) {
        return Err(format!("{place}: the file is too large for the memory limit"));
    }
    let text = std::fs::read(file).map_err(|error| format!("{place}: {error}"))?;
    let text = String::from_utf8(text).map_err(|_| format!("{place}: the file is not UTF-8"))?;
    let stop = AtomicBool::new(false);
    let (graph, _) = limits.watch(&stop, || aut::parse(&text, &stop));
    graph.map_err(|error| match error.line {
        Some(line) => format!("{place}:{line}: {}", error.words),
        None => format!("{place}: {}", error.words),
    })
}

/// Writes such a file.
pub fn write_aut(graph: &Graph, file: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    aut::write(graph, &mut out)?;
    out.flush()
}

/// How far an exploration has come, for the line on the terminal.
pub fn tell(status: &Status, progress: LtsProgress) {
    let parts: Vec<Part> = vec![
        part(0, format!("{} states", progress.states)),
        part(2, format!("{} waiting", progress.waiting)),
        part(3, format!("{} transitions", progress.transitions)),
    ];
    status.tell(parts);
}

/// How large a graph is, in words.
pub fn size(states: usize, transitions: usize) -> String {
    let of = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", of(states, "state"), of(transitions, "transition"))
}

/// What was left out, for people.
pub fn not_covered(cuts: &[JsonCut]) -> String {
    let mut out = String::new();
    for cut in cuts {
        let times = if cut.count > 1 { format!(" ({} times)", cut.count) } else { String::new() };
        out += &format!("  not covered: {}{times}\n", cut.message);
        if let Some(place) = &cut.place {
            out += &format!("    --> {place}\n");
        }
    }
    out
}

/// What was left out, for programs.
pub fn json_cuts(cuts: &[beeline::explore::CutNote], sources: Option<&SourceMap>) -> Vec<JsonCut> {
    let none = SourceMap::new();
    cuts.iter().map(|cut| JsonCut::of(cut, sources.unwrap_or(&none))).collect()
}

/// Why a behaviour cannot be had, in the words of the command line.
pub fn words(error: &Error) -> String {
    match error {
        Error::Option(beeline::OptionError::GoalNotPredicate) => {
            "what is observed must be a predicate".to_owned()
        }
        Error::Option(beeline::OptionError::GoalUnknownName(name)) => {
            format!("a predicate that is observed speaks of {name}, which the model does not know")
        }
        _ => refusal(error),
    }
}
