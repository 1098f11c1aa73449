//! `beeline certify`: does a certificate prove a verdict?

use crate::commands::{LoadArguments, load};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use beeline::Certified;
use beeline::certify::{Claimed, Refused};
use std::fmt::Write as _;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline check --certificate lift.cert Lift.mch   save what the search kept
  beeline certify Lift.mch lift.cert               does it prove the verdict?

Exit codes: 0 the verdict is proved, 1 the certificate proves nothing, 2 model or usage error,
4 not found out.";

/// Check that a certificate proves its verdict, without the search
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    /// A certificate that was saved with --certificate
    #[arg(value_name = "FILE")]
    certificate: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    work: WorkArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What is told to programs.
#[derive(serde::Serialize)]
struct Json<'a> {
    model: &'a str,
    result: &'static str,
    verdict: &'static str,
    message: String,
    setups: usize,
    states: usize,
    transitions: usize,
    permuted: usize,
    sets: Vec<(String, u32)>,
    maxint: i64,
    minint: i64,
    checks_left_out: Vec<&'static str>,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match load(&arguments.file, &arguments.load, context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let path = &arguments.certificate;
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return context.complain(&format!("{}: {error}", path.display()), ""),
    };
    let limits = arguments.work.limits_and_keyboard();
    let file = arguments.file.to_string_lossy();
    match specification.certify(&bytes, &limits) {
        Ok(certified) => told(arguments, &file, &certified, context),
        Err(damage) => {
            let words = format!("rejected: {damage}   {}\n", path.display());
            match arguments.json {
                true => context.json(&Json::rejected(&file, damage.to_string())),
                false => context.answer(&words),
            }
            Exit::No
        }
    }
}

impl<'a> Json<'a> {
    fn rejected(model: &'a str, message: String) -> Json<'a> {
        Json {
            model,
            result: "rejected",
            verdict: "",
            message,
            setups: 0,
            states: 0,
            transitions: 0,
            permuted: 0,
            sets: Vec::new(),
            maxint: 0,
            minint: 0,
            checks_left_out: Vec::new(),
        }
    }
}

fn told(arguments: &Arguments, file: &str, certified: &Certified, context: &mut Context) -> Exit {
    let certificate = &certified.certificate;
    let verdict = match certificate.claimed {
        Claimed::Holds(_) => "holds",
        Claimed::Violated(..) => "violated",
    };
    let (result, exit) = match &certified.result {
        Ok(_) => ("accepted", Exit::Ok),
        Err(Refused::Wrong(_)) => ("rejected", Exit::No),
        Err(Refused::Unknown(_)) => ("undetermined", Exit::Undetermined),
    };
    let message = certified.result.as_ref().err().map_or(String::new(), ToString::to_string);
    let gone = certified.result.clone().unwrap_or_default();
    let asked = certificate.asked;
    let checks = [
        (asked.invariants, "invariants"),
        (asked.assertions, "assertions"),
        (asked.deadlock, "deadlock"),
        (asked.goal, "goal"),
    ];
    let mut left_out: Vec<&str> = checks.iter().filter(|c| !c.0).map(|c| c.1).collect();
    left_out.extend(["temporal formulas", "refinement"]);
    if arguments.json {
        context.json(&Json {
            result,
            verdict,
            setups: gone.setups,
            states: gone.states,
            transitions: gone.transitions,
            permuted: gone.permuted,
            sets: certificate.scope.sets.clone(),
            maxint: certificate.scope.maxint,
            minint: certificate.scope.minint,
            checks_left_out: left_out,
            ..Json::rejected(file, message)
        });
        return exit;
    }
    let mut text = match certified.result {
        Ok(_) => format!("proved: {verdict}   {file}\n"),
        Err(_) => format!("{result}: {message}   {file}\n"),
    };
    if certified.result.is_ok() {
        let _ = writeln!(
            text,
            "{} states and {} transitions were gone through, {} states permuted",
            gone.states, gone.transitions, gone.permuted
        );
        let sets = certificate.scope.sets.iter();
        let mut scope: Vec<String> =
            sets.map(|(name, size)| format!("{name} has {size} elements")).collect();
        let (min, max) = (certificate.scope.minint, certificate.scope.maxint);
        scope.push(format!("MININT..MAXINT is {min}..{max}"));
        scope.push(format!("not part of it: {}", left_out.join(", ")));
        let _ = writeln!(text, "scope: {}", scope.join("; "));
    }
    context.answer(&text);
    exit
}
