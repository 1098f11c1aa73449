//! One model on both: verdict, states and transitions.

use super::Compared;
use super::theirs::{Prob, Theirs};
use crate::check::{Ours, spawn_file};
use beeline_compare::{Random, machines};
use std::path::{Path, PathBuf};

/// Megabytes for each model.
const MEGABYTES: u64 = 2048;

/// A model to be compared.
pub struct Found {
    pub file: PathBuf,
    /// A folder that may be read beside that of the file.
    pub root: PathBuf,
    pub name: String,
}

impl Found {
    fn new(file: PathBuf) -> Found {
        let root = file.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
        let name = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        Found { file, root, name }
    }
}

/// The models among these files and below these folders, in order of their names.
pub fn under(paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut waiting: Vec<PathBuf> = paths.to_vec();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries =
                std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let inside = entries.filter_map(|e| e.ok()).map(|e| e.path());
            waiting.extend(inside.filter(|p| {
                p.is_dir() || p.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp")
            }));
        } else if path.is_file() {
            found.push(path);
        } else {
            return Err(format!("{} was not found", path.display()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(Found::new).collect())
}

/// Random machines, written to a folder.
pub fn random(folder: &Path, count: u64, seed: u64) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    for seed in (0..count).map(|n| seed.wrapping_add(n)) {
        let own = folder.join(seed.to_string());
        std::fs::create_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
        let texts = machines::machine(&mut Random::new(seed)).texts();
        for (name, text) in &texts {
            std::fs::write(own.join(name), text).map_err(|e| format!("{name}: {e}"))?;
        }
        if let Some((main, _)) = texts.first() {
            found.push(Found { name: format!("seed {seed}"), ..Found::new(own.join(main)) });
        }
    }
    Ok(found)
}

/// Both on one model.
pub fn compare(prob: &Prob, model: &Found, seconds: u64) -> Compared {
    let ours = spawn_file(&model.root, &model.file, seconds, MEGABYTES, &["--unreduced"]);
    if !ours.finished {
        return Compared::Open(format!("Beeline: {} {}", ours.verdict, ours.message));
    }
    difference(&ours, &prob.check(&model.file))
}

/// Is there something that ended ProB's search, and is no false invariant or deadlock?
fn error(ours: &Ours) -> Option<&str> {
    let harmless = ["deadlock", "no_initial_state", "invariant", "assertion"];
    let told = |f: &(String, bool)| f.0.split(':').next().unwrap_or("").to_owned();
    let found = ours.findings.iter().find(|f| !harmless.contains(&told(f).as_str()));
    found.map(|f| f.0.as_str())
}

fn difference(ours: &Ours, theirs: &Theirs) -> Compared {
    if let Some(why) = &theirs.open {
        return Compared::Open(why.clone());
    }
    if !ours.cuts.is_empty() || ours.verdict == "undetermined" {
        return Compared::Open(format!("Beeline: {}", ours.cuts.first().unwrap_or(&ours.verdict)));
    }
    match (error(ours), &theirs.error) {
        (Some(_), Some(_)) => return Compared::Same,
        (Some(ours), None) => return Compared::Different(format!("{ours}; ProB: no error")),
        (None, Some(theirs)) => return Compared::Different(format!("no error; ProB: {theirs}")),
        (None, None) => {}
    }
    let states = ours.states.saturating_sub(ours.setups);
    let transitions = ours.transitions.saturating_sub(ours.setups);
    let mut facts = Vec::new();
    let mut differs = |name: &str, ours: String, theirs: String| {
        if ours != theirs {
            facts.push(format!("{name} {ours}, ProB {theirs}"));
        }
    };
    differs("states", states.to_string(), theirs.states.to_string());
    differs("transitions", transitions.to_string(), theirs.transitions.to_string());
    differs("violated", ours.violated.to_string(), theirs.violated.to_string());
    differs("deadlock", ours.deadlock.to_string(), theirs.deadlock.to_string());
    if facts.is_empty() { Compared::Same } else { Compared::Different(facts.join(" | ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_up_does_not_count_and_states_do() {
        let ours =
            Ours { states: 5, setups: 1, transitions: 10, finished: true, ..Ours::default() };
        let theirs = Theirs { states: 4, transitions: 9, ..Theirs::default() };
        assert!(matches!(difference(&ours, &theirs), Compared::Same));
        let lost = Theirs { states: 3, ..theirs.clone() };
        assert!(matches!(difference(&ours, &lost), Compared::Different(_)));
        let violated = Theirs { violated: true, ..theirs.clone() };
        assert!(matches!(difference(&ours, &violated), Compared::Different(_)));
        let open = Theirs { open: Some("time".to_owned()), states: 3, ..theirs };
        assert!(matches!(difference(&ours, &open), Compared::Open(_)));
    }
}
