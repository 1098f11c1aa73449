//! `cargo xtask prob`: real ProB beside Beeline, on models and on formulas.
//!
//! ProB is never a dependency: where it is not installed this task says so and ends well. What ProB
//! leaves out silently by default (more than ten calls of an operation, symmetric values of the
//! constants) is switched on, what it warns of is 'not comparable', and neither is taken for right
//! by itself: a difference is printed for a human to settle.

mod formulas;
mod models;
mod theirs;

use crate::check;
use crate::corpus::corpus_folder;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use theirs::Prob;

#[derive(clap::Args)]
pub struct Arguments {
    /// Models, or folders of them
    paths: Vec<PathBuf>,
    /// The program `probcli`; default: $BEELINE_PROB, then the one on the path
    #[arg(long)]
    prob: Option<PathBuf>,
    /// Formulas, one a line
    #[arg(long)]
    formulas: Option<PathBuf>,
    /// The machine that the formulas speak of; default: the sets of the random ones
    #[arg(long, requires = "formulas")]
    model: Option<PathBuf>,
    /// Random formulas
    #[arg(long, default_value_t = 0)]
    random_formulas: usize,
    /// Random machines
    #[arg(long, default_value_t = 0)]
    random_machines: u64,
    /// So many models of the corpus, evenly taken
    #[arg(long, default_value_t = 0)]
    corpus: usize,
    /// Another seed is another run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds for each model
    #[arg(long, default_value_t = 30)]
    limit_seconds: u64,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Print what was not comparable, too
    #[arg(long)]
    verbose: bool,
    /// Keep the result in bench/runs
    #[arg(long)]
    keep: bool,
}

/// What one comparison came to.
pub enum Compared {
    Same,
    /// Why the two cannot be compared here.
    Open(String),
    /// What differs.
    Different(String),
}

/// What all comparisons of a kind came to.
#[derive(Default)]
struct Tally {
    same: usize,
    open: Vec<(String, String)>,
    different: Vec<(String, String)>,
}

impl Tally {
    fn add(&mut self, name: &str, compared: Compared) {
        match compared {
            Compared::Same => self.same += 1,
            Compared::Open(why) => self.open.push((name.to_owned(), why)),
            Compared::Different(what) => self.different.push((name.to_owned(), what)),
        }
    }

    fn text(&self, kind: &str, verbose: bool) -> String {
        let (same, open, different) = (self.same, self.open.len(), self.different.len());
        let all = same + open + different;
        let mut out = format!(
            "{kind}: {all}, {same} the same, {open} not comparable, {different} different\n"
        );
        for (name, what) in &self.different {
            let _ = writeln!(out, "- different: {name}: {what}");
        }
        let mut reasons = std::collections::BTreeMap::new();
        for (name, why) in &self.open {
            *reasons.entry(why.as_str()).or_insert(0) += 1;
            if verbose {
                let _ = writeln!(out, "- not comparable: {name}: {why}");
            }
        }
        for (why, n) in reasons {
            let _ = writeln!(out, "- {n} not comparable: {why}");
        }
        out
    }
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(prob) = Prob::find(arguments.prob.as_deref(), arguments.limit_seconds) else {
        println!("skipped: ProB is not installed (see --prob)");
        return Ok(true);
    };
    println!("ProB {} ({})", prob.version, prob.program.display());
    let (mut page, mut fine) = (String::new(), true);
    let mut done = |kind: &str, tally: &Tally| {
        let text = tally.text(kind, arguments.verbose);
        print!("{text}");
        fine &= tally.different.is_empty();
        page += &text;
        page.push('\n');
    };
    let models = models::under(&arguments.paths)?;
    if !models.is_empty() {
        done("models", &compare_models(&prob, &models, arguments));
    }
    if arguments.corpus > 0 {
        match corpus_folder(arguments.shared.as_deref()) {
            Some(corpus) => {
                let models = sample(&corpus, arguments.corpus)?;
                done("models of the corpus", &compare_models(&prob, &models, arguments));
            }
            None => println!("skipped: there is no corpus beside the repository (see --shared)"),
        }
    }
    if arguments.random_machines > 0 {
        let folder = theirs::Folder::new("machines")?;
        let models = models::random(&folder.path, arguments.random_machines, arguments.seed)?;
        done("random machines", &compare_models(&prob, &models, arguments));
    }
    if let Some(file) = &arguments.formulas {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let lines = text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect();
        done("formulas", &formulas::compare(&prob, lines, arguments.model.as_deref())?);
    }
    if arguments.random_formulas > 0 {
        let lines = formulas::random(arguments.random_formulas, arguments.seed);
        done("random formulas", &formulas::compare(&prob, lines, None)?);
    }
    if arguments.keep {
        keep(&prob, &page, arguments)?;
    }
    Ok(fine)
}

fn compare_models(prob: &Prob, models: &[models::Found], arguments: &Arguments) -> Tally {
    let mut tally = Tally::default();
    for model in models {
        let compared = models::compare(prob, model, arguments.limit_seconds);
        if let Compared::Different(what) = &compared {
            println!("different: {}: {what}", model.file.display());
        }
        tally.add(&model.name, compared);
    }
    tally
}

/// Rows of the corpus that ProB explored completely, evenly taken.
fn sample(corpus: &Path, count: usize) -> Result<Vec<models::Found>, String> {
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = check::sheet::rows(&text);
    rows.retain(|r| r.formalism == "b" && r.complete == "yes");
    let step = (rows.len() / count.max(1)).max(1);
    let root = corpus.join("models");
    let found = |row: check::sheet::Row| models::Found {
        file: root.join(&row.path),
        root: root.clone(),
        name: row.path,
    };
    Ok(rows.into_iter().step_by(step).take(count).map(found).collect())
}

/// The result as a page, with what it depends on.
fn keep(prob: &Prob, page: &str, arguments: &Arguments) -> Result<(), String> {
    let limits = theirs::PREFERENCES.map(|(name, value)| format!("{name} {value}")).join(", ");
    let text = format!(
        "# Beside real ProB\n\nProB {}, {} s a model, seed {}; preferences: {limits}. Set-up states \
         are not counted, as the two count them differently.\n\n{page}",
        prob.version, arguments.limit_seconds, arguments.seed
    );
    crate::runs::keep("prob.md", &text)
}
