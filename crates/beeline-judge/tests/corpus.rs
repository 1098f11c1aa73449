//! Whole machines against recorded state counts. Skips when the corpus is not there.
//!
//! `BEELINE_CORPUS` names its folder, `BEELINE_CORPUS_STATES` the size of the largest machine to try
//! (12 unless said), `BEELINE_CORPUS_ONLY` a part of the paths, `BEELINE_VERBOSE` lists differences.

use beeline_judge::{EvalError, Judge, Settings, State};
use beeline_source::{LoadError, Loader};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files below one folder.
struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        let bytes = std::fs::read(self.0.join(path)).map_err(|_| LoadError::NotFound)?;
        let text = String::from_utf8_lossy(&bytes);
        let replaced = matches!(text, std::borrow::Cow::Owned(_));
        Ok((text.into(), replaced))
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).is_file()
    }
}

/// A row of the table that is small enough to be re-computed here.
struct Row {
    path: String,
    states: usize,
    transitions: usize,
}

fn rows(corpus: &Path, most: usize) -> Vec<Row> {
    let text = std::fs::read_to_string(corpus.join("oracle.csv")).unwrap_or_default();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let states: usize = fields.get(2)?.parse().ok()?;
        let wanted = fields[7] == "yes" && fields[1] == "b" && states <= most && states > 0;
        wanted.then(|| Row {
            path: fields[0].to_owned(),
            states,
            transitions: fields[3].parse().unwrap_or(0),
        })
    };
    text.lines().filter_map(row).collect()
}

/// States and transitions, counted as the table counts them.
fn explore(judge: &Judge<'_>, most: usize) -> Result<(usize, usize), EvalError> {
    let (mut states, mut transitions) = (0, 0);
    let setups = judge.setups()?;
    let with_setup = judge.has_setup();
    for setup in setups {
        if with_setup {
            states += 1;
            transitions += 1;
        }
        let initial = judge.initial_states(&setup)?;
        transitions += initial.len();
        let mut seen: BTreeSet<State> = initial.iter().cloned().collect();
        let mut todo = initial;
        while let Some(state) = todo.pop() {
            for step in judge.successors(&state)? {
                transitions += 1;
                if seen.insert(step.state.clone()) {
                    todo.push(step.state);
                }
            }
            if seen.len() + states > most {
                return Ok((seen.len() + states, transitions));
            }
        }
        states += seen.len();
    }
    Ok((states, transitions))
}

#[test]
#[allow(clippy::print_stderr)]
fn counts_agree_with_the_record() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = match std::env::var_os("BEELINE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => corpus,
    };
    if !corpus.join("oracle.csv").is_file() {
        eprintln!("skipped: no corpus at {}", corpus.display());
        return;
    }
    let verbose = std::env::var_os("BEELINE_VERBOSE").is_some();
    let only = std::env::var("BEELINE_CORPUS_ONLY").unwrap_or_default();
    let loader = Folder(corpus.join("models"));
    let (mut same, mut different, mut bounded, mut failed, mut not_loaded) = (0, 0, 0, 0, 0);
    let most = std::env::var("BEELINE_CORPUS_STATES").ok().and_then(|n| n.parse().ok());
    for row in rows(&corpus, most.unwrap_or(12)) {
        if !row.path.contains(&only) {
            continue;
        }
        let Some(model) = beeline_elaborate::load(&loader, &row.path).model else {
            not_loaded += 1;
            continue;
        };
        let mut settings = Settings::of(&model);
        if most.is_none() {
            settings.max_steps = 200_000;
            settings.eager_steps = 50_000;
        }
        let judge = Judge::new(&model, settings);
        match explore(&judge, 2 * row.states + 10) {
            Ok(counts) if counts == (row.states, row.transitions) => same += 1,
            // Bounds are where the two may differ: the record says nothing of them.
            Ok(_) if !judge.take_notes().is_empty() => bounded += 1,
            Ok(counts) => {
                different += 1;
                if verbose {
                    let recorded = (row.states, row.transitions);
                    eprintln!("DIFF {} {counts:?} recorded {recorded:?}", row.path);
                }
            }
            Err(error) => {
                failed += 1;
                if verbose {
                    eprintln!("FAIL {} {error}", row.path);
                }
            }
        }
    }
    eprintln!(
        "corpus: {same} agree, {different} differ, {bounded} within bounds only, \
         {failed} not evaluated, {not_loaded} not loaded"
    );
    if only.is_empty() {
        assert!(same * 100 >= (same + different) * 98, "{same} agree, {different} differ");
    }
}
