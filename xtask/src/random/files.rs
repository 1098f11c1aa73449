//! Models of one's own, held against the judge alone in every configuration.

use beeline_compare::contest::{Config, examine};
use beeline_compare::plain::Bounds;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Models that somebody wrote may take longer than random ones.
const PATIENCE: Duration = Duration::from_secs(10);

/// Examines each, and tells what the reference says of it.
pub fn run(files: &[PathBuf]) -> Result<bool, String> {
    let configs = Config::all();
    let bounds = Bounds { states: 5_000, transitions: 50_000, time: PATIENCE, steps: 1_000_000 };
    let mut same = true;
    for file in files {
        let texts = texts(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let Some((plain, found)) = examine(&texts, &configs, bounds) else {
            println!("{}: does not load", file.display());
            same = false;
            continue;
        };
        let doubt = plain.doubt.as_deref().unwrap_or("exact");
        println!(
            "{}: {} set-ups, {} states, {} transitions, {:?}; {doubt}",
            file.display(),
            plain.setups,
            plain.states,
            plain.transitions,
            plain.findings,
        );
        if let Some((config, difference)) = found {
            println!("  {}: {}\n  configuration: {config}", difference.kind, difference.words);
            same = false;
        }
    }
    Ok(same)
}

/// A file, or the files of a folder, the main one first.
fn texts(path: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        files = entries.into_iter().map(|entry| entry.path()).collect();
        files.sort_by_key(|file| (file.file_stem().is_none_or(|stem| stem != "M"), file.clone()));
    }
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(|file| Ok((name(file), std::fs::read_to_string(file)?))).collect()
}
