//! What is known without running, held against the states of models: `cargo xtask bounds audit`.
//!
//! Every claim that `beeline analyse bounds` and `analyse states` print becomes one more conjunct of the
//! invariant, or a promise inside an operation, and the model is explored: a claim that is broken
//! contradicts what is known, and so does a violation of a conjunct that is said to be proved.

mod planted;

use crate::corpus::{corpus_folder, rows};
use beeline::bounds_analysis::{Analysis, Bounds, ByFlow, Proved, States};
use beeline::explore::{Cancel, FindingKind, Limits, Options, Proof};
use beeline::model::{ConjunctId, Model};
use beeline::source::Span;
use beeline::{CheckOptions, Checked, OpenOptions, Scope, on_large_stack};
use planted::Planted;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Subcommand)]
pub enum Task {
    /// Hold all claims against the states of models
    Audit(Arguments),
}

#[derive(clap::Args)]
pub struct Arguments {
    /// Models
    models: Vec<PathBuf>,
    /// All models of the corpus
    #[arg(long)]
    corpus: bool,
    /// Of the corpus only about so many, evenly spread
    #[arg(long, requires = "corpus")]
    sample: Option<usize>,
    /// Only models of the corpus whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// States of a model at most
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Seconds for each exploration
    #[arg(long, default_value_t = 10)]
    limit_seconds: u64,
    /// The folder that holds the corpus
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Only analyse, and explore nothing
    #[arg(long)]
    analyse: bool,
    /// Print every model
    #[arg(long)]
    verbose: bool,
}

/// Steps that a check spends on abstract interpretation, and those for states apart.
const CHECK_STEPS: u64 = 20_000;
const NODE_STEPS: u64 = 300_000;

/// What was found about all models.
#[derive(Default)]
struct Sums {
    loaded: usize,
    /// With a conjunct that is not a typing.
    speaking: usize,
    /// With one that is proved.
    proving: usize,
    /// With one that is proved if states are kept apart by the operations that are enabled.
    apart: usize,
    /// With one that is proved within the steps that a check takes.
    used: usize,
    conjuncts: usize,
    proved: usize,
    explored: usize,
    complete: usize,
    states: u64,
    claims: usize,
    contradictions: usize,
    slowest: (Duration, String),
    time: Duration,
}

pub fn run(task: &Task) -> Result<bool, String> {
    let Task::Audit(arguments) = task;
    let mut models = arguments.models.clone();
    if arguments.corpus {
        let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
            println!("skipped: there is no corpus beside the repository (see --shared)");
            return Ok(true);
        };
        let mut rows = rows(&corpus)?;
        rows.retain(|r| arguments.filter.as_ref().is_none_or(|f| r.path.contains(f.as_str())));
        let step = arguments.sample.map_or(1, |n| rows.len().div_ceil(n.max(1)).max(1));
        models.extend(rows.iter().step_by(step).map(|r| corpus.join("models").join(&r.path)));
    }
    crate::guard::silence_panics();
    let mut sums = Sums::default();
    for model in &models {
        one(model, arguments, &mut sums);
    }
    println!("{}", summary(&sums));
    Ok(sums.contradictions == 0)
}

/// Runs what may panic.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| crate::guard::message(&*payload))
}

fn summary(sums: &Sums) -> String {
    let percent = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    format!(
        "{} models loaded, {} explored ({} to the end), {} states, {} claims: {} contradictions\n\
         a conjunct that is not a typing is proved of {} models: {:.1} % of all, {:.1} % of the {} that \
         have one; {} of {} such conjuncts ({:.1} %)\n\
         with states apart by enabled operations: of {} ({:.1} %); within the steps of a check: of {} ({:.1} %)\n\
         analysis took {:.1} s in all, at most {:.2} s ({})",
        sums.loaded,
        sums.explored,
        sums.complete,
        sums.states,
        sums.claims,
        sums.contradictions,
        sums.proving,
        percent(sums.proving, sums.loaded),
        percent(sums.proving, sums.speaking),
        sums.speaking,
        sums.proved,
        sums.conjuncts,
        percent(sums.proved, sums.conjuncts),
        sums.apart,
        percent(sums.apart, sums.loaded),
        sums.used,
        percent(sums.used, sums.loaded),
        sums.time.as_secs_f64(),
        sums.slowest.0.as_secs_f64(),
        sums.slowest.1,
    )
}

fn one(path: &Path, arguments: &Arguments, sums: &mut Sums) {
    let name = path.display().to_string();
    let opened = guarded(|| OpenOptions::new().open(path).ok());
    let Some(specification) = opened.ok().flatten() else { return };
    let model = specification.model();
    sums.loaded += 1;
    let settings = Scope::default().settings(Some(model));
    let (min, max) = (settings.min_int, settings.max_int);
    let start = Instant::now();
    let known = guarded(|| {
        on_large_stack(|| {
            let analysis = Analysis::new(model, min, max);
            let (bounds, states) = (Bounds::of(&analysis), States::of(&analysis));
            let took = start.elapsed();
            let budgeted = Analysis::new(model, min, max).with_budget(CHECK_STEPS);
            let used = Proved::of(&budgeted);
            let few = Analysis::new(model, min, max).with_budget(NODE_STEPS);
            (took, bounds, states, used, ByFlow::of(&few))
        })
    });
    let Ok((took, bounds, states, used, apart)) = known else {
        sums.contradictions += 1;
        println!("{name}: the analysis panics");
        return;
    };
    sums.time += took;
    if took > sums.slowest.0 {
        sums.slowest = (took, name.clone());
    }
    let level = model.concrete();
    let speaking = level.numbered_invariants().filter(|(_, i)| !i.only_types);
    let speaking: Vec<ConjunctId> = speaking.map(|(id, _)| id).collect();
    let proved = speaking.iter().filter(|id| states.proved.contains(id)).count();
    let more = speaking.iter().filter(|id| apart.proved.contains(id)).count();
    sums.apart += usize::from(more > 0 || proved > 0);
    sums.used += usize::from(!used.always.is_empty());
    // What is proved either way must hold.
    let mut states = states;
    states.proved.extend(apart.proved.iter().chain(&used.always));
    sums.speaking += usize::from(!speaking.is_empty());
    sums.proving += usize::from(proved > 0);
    sums.conjuncts += speaking.len();
    sums.proved += proved;
    let planted = Planted::new(model, &bounds, &states, &apart);
    sums.claims += planted.claims.len() + proved;
    let before = sums.contradictions;
    if !arguments.analyse {
        explore(&name, model, &planted, &states, arguments, sums);
    }
    if arguments.verbose {
        let contradictions = sums.contradictions - before;
        println!("{name}: {proved}/{} proved, {contradictions} contradictions", speaking.len());
    }
}

fn explore(
    name: &str,
    model: &Model,
    planted: &Planted,
    states: &States,
    arguments: &Arguments,
    sums: &mut Sums,
) {
    let mut options = CheckOptions {
        explore: Options {
            all: true,
            threads: 1,
            proof: Proof::Off,
            limits: Limits {
                states: Some(arguments.states),
                time: Some(Duration::from_secs(arguments.limit_seconds)),
                memory_bytes: Some(3 << 30),
                ..Limits::default()
            },
            ..Options::default()
        },
        no_goal: true,
        judge_steps: Some(10_000),
        ..CheckOptions::default()
    };
    options.explore.checks.deadlock = false;
    options.explore.checks.assertions = false;
    let run = || Checked::run(&planted.model, &options, &Cancel::new(), &|_| {}).ok();
    let Ok(Some(checked)) = guarded(run) else {
        if arguments.verbose {
            println!("{name}: not explored");
        }
        return;
    };
    let facts = &checked.outcome.exploration;
    sums.explored += 1;
    sums.complete += usize::from(checked.outcome.cuts.is_empty());
    sums.states += facts.counts.nodes;
    let first = model.concrete().invariants.len();
    let mut undecided = Vec::new();
    let mut tell = |words: String| {
        sums.contradictions += 1;
        println!("{name}: CONTRADICTION: {words}");
    };
    for finding in &facts.findings {
        match &finding.kind {
            FindingKind::Violated(id @ ConjunctId::Invariant(_))
            | FindingKind::Undefined(id @ ConjunctId::Invariant(_), _) => {
                let undefined = matches!(finding.kind, FindingKind::Undefined(..));
                match planted.claims.get(id.index().wrapping_sub(first)) {
                    // A function that is described may have no meaning somewhere, and nothing can
                    // be asked of the whole: that does not say that the claim is false.
                    Some(claim) if undefined => undecided.push(claim.text.clone()),
                    Some(claim) => tell(claim.text.clone()),
                    None if states.proved.contains(id) => {
                        tell(format!("conjunct {} is not proved", id.number()));
                    }
                    None => {}
                }
            }
            FindingKind::Operation(fault) if fault.span == Span::NONE => {
                tell(format!("an operation: {}", fault.words));
            }
            _ => {}
        }
    }
    if arguments.verbose && !undecided.is_empty() {
        println!("{name}: without a meaning: {}", undecided.join(", "));
    }
    for (operation, count) in checked.system.operations().iter().zip(&facts.covered) {
        if *count > 0 && states.never.contains(&operation.id) {
            tell(format!("{} has a step", operation.name));
        }
    }
}
