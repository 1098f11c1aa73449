//! `cargo xtask certify`: certificates of corpus models are accepted, and changed ones are not.
//!
//! A change is one byte, one value of a state, one state, one permutation or one step to one. What is accepted all
//! the same must mean the same: the same states up to permutations; or it is about another scope, and then a check
//! in that scope must say the same.

mod change;

use crate::check::sheet;
use crate::corpus::corpus_folder;
use beeline::certify::{Certificate, Claimed, Refused, write};
use beeline::explore::Checks;
use beeline::symmetry::Mode;
use beeline::{Checker, OpenOptions, Scope, Specification, WorkLimits};
use change::{Change, same_states};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// So many models
    #[arg(long, default_value_t = 300)]
    models: usize,
    /// Models with more recorded states than this are left out
    #[arg(long, default_value_t = 2_000)]
    states: u64,
    /// So many changed certificates
    #[arg(long, default_value_t = 1_000)]
    changes: usize,
    /// Seconds for one check or one certificate; what needs more is left out
    #[arg(long, default_value_t = 5)]
    limit_seconds: u64,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// End after so many seconds, with what there is
    #[arg(long, default_value_t = 540)]
    seconds: u64,
}

#[derive(Default)]
struct Sums {
    models: usize,
    accepted: usize,
    open: usize,
    none: usize,
    wrong: Vec<String>,
    changed: usize,
    refused: usize,
    same: usize,
    true_elsewhere: usize,
    undecided: usize,
    bytes: usize,
    states: usize,
    search: Duration,
    judge: Duration,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        arguments.filter.as_ref().is_none_or(|f| r.path.contains(f))
            && r.why != "load_error"
            && r.states.is_some_and(|n| n < arguments.states)
    });
    let stride = (rows.len() / arguments.models.max(1)).max(1);
    let each = arguments.changes.div_ceil(arguments.models.max(1)).max(1);
    let begin = Instant::now();
    let mut sums = Sums::default();
    for (number, row) in rows.iter().step_by(stride).enumerate() {
        if begin.elapsed() > Duration::from_secs(arguments.seconds) {
            println!("ended after {} models: no time is left", sums.models);
            break;
        }
        let Ok(specification) = OpenOptions::new().open(corpus.join("models").join(&row.path))
        else {
            continue;
        };
        for symmetry in [Mode::Constants, Mode::None, Mode::Auto] {
            one(&specification, (&row.path, symmetry), (number, each), arguments, &mut sums);
        }
        sums.models += 1;
    }
    for wrong in &sums.wrong {
        println!("WRONG: {wrong}");
    }
    println!(
        "{} models: {} certificates accepted, {} not decided, {} checks without one",
        sums.models, sums.accepted, sums.open, sums.none
    );
    println!(
        "{} changed: {} refused, {} mean the same, {} are true of another scope, {} not decided",
        sums.changed, sums.refused, sums.same, sums.true_elsewhere, sums.undecided
    );
    println!(
        "{:.1} bytes a state; checks took {:.1} s, certifying {:.1} s",
        sums.bytes as f64 / sums.states.max(1) as f64,
        sums.search.as_secs_f64(),
        sums.judge.as_secs_f64()
    );
    Ok(sums.wrong.is_empty())
}

/// Another check of the same, with symmetry or without.
fn checker<'a>(
    specification: &Specification,
    mode: Mode,
    scope: Scope,
    seconds: u64,
) -> Checker<'a> {
    let checks = Checks { temporal: false, refinement: false, ..Checks::default() };
    Checker::new(specification.clone())
        .scope(scope)
        .checks(checks)
        .symmetry(mode)
        .threads(1)
        .timeout(Some(Duration::from_secs(seconds)))
        .certified()
}

fn one(
    specification: &Specification,
    (path, mode): (&str, Mode),
    (number, each): (usize, usize),
    arguments: &Arguments,
    sums: &mut Sums,
) {
    let seconds = arguments.limit_seconds;
    let limits =
        || WorkLimits { time: Some(Duration::from_secs(seconds)), ..WorkLimits::default() };
    let begin = Instant::now();
    let outcome = checker(specification, mode, Scope::default(), seconds).run();
    sums.search += begin.elapsed();
    let Ok(bytes) = outcome.map_err(drop).and_then(|o| o.certificate(&limits()).map_err(drop))
    else {
        sums.none += 1;
        return;
    };
    let begin = Instant::now();
    let certified = specification.certify(&bytes, &limits());
    sums.judge += begin.elapsed();
    let certificate = match certified {
        Ok(certified) => match certified.result {
            Ok(accepted) => {
                sums.accepted += 1;
                sums.states += accepted.states;
                sums.bytes += bytes.len();
                certified.certificate
            }
            Err(Refused::Unknown(_)) => {
                sums.open += 1;
                return;
            }
            Err(Refused::Wrong(why)) => {
                sums.wrong.push(format!("{path} {mode}: {why}"));
                return;
            }
        },
        Err(damage) => {
            sums.wrong.push(format!("{path} {mode}: {damage}"));
            return;
        }
    };
    for change in Change::some(&bytes, &certificate, number as u64, each) {
        sums.changed += 1;
        let changed = match &change {
            Change::Bytes(bytes) => bytes.clone(),
            Change::Certificate(changed) => write(changed).unwrap_or_default(),
        };
        let Ok(now) = specification.certify(&changed, &limits()) else {
            sums.refused += 1;
            continue;
        };
        match now.result {
            Err(Refused::Wrong(_)) => sums.refused += 1,
            Err(Refused::Unknown(_)) => sums.undecided += 1,
            Ok(_) if same_meaning(&certificate, &now.certificate) => sums.same += 1,
            Ok(_) if is_true(specification, &now.certificate, seconds) => sums.true_elsewhere += 1,
            Ok(_) => sums.wrong.push(format!("{path} {mode}: a change is accepted")),
        }
    }
}

/// The same scope and checks, and the same states in some order, or others of their classes.
fn same_meaning(one: &Certificate, other: &Certificate) -> bool {
    if one.scope != other.scope || one.asked != other.asked {
        return false;
    }
    match (&one.claimed, &other.claimed) {
        (Claimed::Holds(a), Claimed::Holds(b)) => same_states(a, b),
        // A trace that shows something wrong shows it, whichever it is.
        (Claimed::Violated(..), Claimed::Violated(..)) => true,
        _ => false,
    }
}

/// What a certificate of another scope, or of other checks, says: is it so?
fn is_true(specification: &Specification, certificate: &Certificate, seconds: u64) -> bool {
    let scope = Scope {
        set_sizes: certificate
            .scope
            .sets
            .iter()
            .zip(&specification.model().sets)
            .filter(|(_, set)| set.elements.is_none())
            .map(|((name, size), _)| (name.clone(), u64::from(*size)))
            .collect(),
        max_int: Some(certificate.scope.maxint),
        min_int: Some(certificate.scope.minint),
        ..Scope::default()
    };
    let asked = certificate.asked;
    let checks = Checks {
        invariants: asked.invariants,
        assertions: asked.assertions,
        deadlock: asked.deadlock,
        goal: asked.goal,
        temporal: false,
        refinement: false,
    };
    let mut check = checker(specification, Mode::None, scope, seconds).checks(checks);
    if !asked.goal {
        check = check.no_goal();
    }
    let outcome = check.run();
    match (&certificate.claimed, outcome) {
        (Claimed::Holds(_), Ok(outcome)) => outcome.holds(),
        (Claimed::Violated(..), Ok(_)) => true,
        _ => false,
    }
}
