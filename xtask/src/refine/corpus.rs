//! Every pair that real ProB has compared: trace mode must say the same, and simulation must not accept what
//! trace mode refutes, unless the call is one that the abstraction does not allow.

use super::{open, prob, refine};
use crate::repository;
use beeline::Refined;
use beeline::refinement::Mode;
use beeline::verdict::VerdictKind;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds expected/refinement.csv and corpus/models
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Only pairs whose path contains this text
    #[arg(long, default_value = "")]
    filter: String,
    /// Give up one comparison after so many seconds
    #[arg(long, default_value_t = 20)]
    limit_seconds: u64,
    /// The program `probcli`: pairs on which the table differs are compared once more, in one scope
    #[arg(long)]
    prob: Option<PathBuf>,
}

struct Row {
    path: String,
    above: String,
    refines: bool,
    finished: bool,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let shared = arguments.shared.clone().unwrap_or_else(|| repository().join("../shared"));
    let table = shared.join("expected/refinement.csv");
    let Ok(text) = std::fs::read_to_string(&table) else {
        println!("skipped: there is no {}", table.display());
        return Ok(true);
    };
    let (mut same, mut both, mut accepted) = (0, 0, 0);
    for row in text.lines().skip(1).filter_map(row) {
        if !row.path.contains(&arguments.filter) {
            continue;
        }
        let models = shared.join("corpus/models");
        let trace = verdict(&models, &row, Mode::Trace, arguments.limit_seconds);
        let simulation = verdict(&models, &row, Mode::Simulation, arguments.limit_seconds);
        let decided = |v: &Answer| match v {
            Ok(r) if r.verdict() == VerdictKind::Holds => Some(true),
            Ok(r) if r.verdict() == VerdictKind::Violated => Some(false),
            _ => None,
        };
        let (ours, simulates) = (decided(&trace), decided(&simulation));
        let word = match ours {
            Some(ours) if row.finished => {
                both += 1;
                let program = arguments.prob.as_ref().filter(|_| ours != row.refines);
                // In the table each machine has the scope of its own file.
                let again = program.zip(trace.as_ref().ok()).and_then(|(program, refined)| {
                    let (above, below) = (models.join(&row.above), models.join(&row.path));
                    prob::refines(program, &above, &below, refined)
                });
                let agrees = ours == row.refines || again == Some(ours);
                same += usize::from(agrees);
                match (agrees, again) {
                    (true, None) => "same",
                    (true, Some(_)) => "same in one scope",
                    (false, _) => "DIFFERENT",
                }
            }
            Some(_) => "ProB did not finish",
            None => "not decided",
        };
        let loose = ours == Some(false) && simulates == Some(true);
        accepted += usize::from(loose);
        let theirs = if row.refines { "refines" } else { "does not" };
        println!(
            "{word:20} {} : ProB {theirs}; trace {}; simulation {}",
            row.path,
            told(&trace),
            told(&simulation)
        );
        if loose {
            println!(
                "    accepted by simulation: the calls of the trace are outside preconditions, or in no state that both reach"
            );
        }
    }
    println!(
        "{same} of {both} pairs that both decide agree; {accepted} refuted by traces and accepted by simulation"
    );
    Ok(same * 100 >= both * 98)
}

type Answer = Result<Refined, String>;

fn verdict(models: &Path, row: &Row, mode: Mode, seconds: u64) -> Answer {
    let specification = open(&models.join(&row.path))?;
    let above = Path::new(&row.above).file_stem().map(|s| s.to_string_lossy().into_owned());
    refine(&specification, above.as_deref(), mode, seconds)
}

/// What came of it, in a line.
fn told(answer: &Answer) -> String {
    let refined = match answer {
        Ok(refined) => refined,
        Err(why) => return format!("refused ({})", why.lines().next().unwrap_or_default()),
    };
    let Some(step) = refined.steps().first() else { return "nothing".to_owned() };
    let states = step.outcome.exploration.counts.states();
    let why = match step.outcome.findings.first() {
        Some(found) => {
            let last = found.candidates.first().map_or("", |c| c.why.as_str());
            format!(": {} [{last}] {}", found.told.message, found.refused.as_deref().unwrap_or(""))
        }
        None => step.outcome.cuts.first().map_or(String::new(), |c| format!(": {}", c.words)),
    };
    format!("{} ({states} states{why})", refined.verdict().word())
}

/// A line of the table: fields with commas stand in quotes.
fn row(line: &str) -> Option<Row> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut()?.push(c),
        }
    }
    let field = |n: usize| fields.get(n).cloned();
    let refines = match field(2)?.as_str() {
        "refines" => true,
        "does not" => false,
        _ => return None,
    };
    // A counterexample counts, however much of the rest is known.
    let finished = !refines || field(5)? == "yes" && field(7)? == "yes";
    Some(Row { path: field(0)?, above: field(1)?, refines, finished })
}
