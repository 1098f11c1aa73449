//! What was run already: one line of JSON a run, written as soon as the run is over.

use crate::file::replace;
use crate::results::Run;
use crate::suite::{Job, Suite};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

const NAME: &str = "runs.jsonl";

/// The runs of a folder.
pub struct Journal {
    known: Vec<Run>,
    file: File,
    /// Names of a suite may be anything: whoever shows the file knows what is harmless there.
    line: fn(&Run) -> String,
}

impl Journal {
    /// Opens the journal of a folder; what is in it already counts only if that is asked for.
    /// `line` writes a run as JSON on one line.
    pub fn open(folder: &Path, resume: bool, line: fn(&Run) -> String) -> Result<Journal, String> {
        let told = |e: std::io::Error| format!("{}: {e}", folder.display());
        std::fs::create_dir_all(folder).map_err(told)?;
        let path = folder.join(NAME);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.is_empty() && !resume {
            return Err(format!(
                "{} already contains results: continue with --resume, or use another folder",
                folder.display()
            ));
        }
        // The last line may be torn: that run is made again.
        let known: Vec<Run> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
        let whole: String = known.iter().map(|run| line(run) + "\n").collect();
        replace(&path, whole).map_err(told)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(told)?;
        Ok(Journal { known, file, line })
    }

    /// The run of a job, if it was made with the same options.
    pub fn find(&self, suite: &Suite, job: &Job) -> Option<&Run> {
        let model = &suite.models[job.model].name;
        let configuration = &suite.configurations[job.configuration].name;
        self.known.iter().find(|r| {
            r.model == *model
                && r.configuration == *configuration
                && r.repetition == job.repetition
                && r.options == job.options
        })
    }

    /// Adds a run.
    pub fn add(&mut self, run: &Run) -> Result<(), String> {
        let line = (self.line)(run) + "\n";
        self.file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.flush())
            .map_err(|e| format!("{NAME}: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    fn line(run: &Run) -> String {
        serde_json::to_string(run).unwrap()
    }

    #[test]
    fn a_torn_line_is_made_again_and_the_others_are_kept() {
        let folder = std::env::temp_dir().join(format!("beeline-journal-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let runs = results(&[("M", "a", 1.0), ("N", "a", 2.0)]).runs;
        let mut journal = Journal::open(&folder, false, line).unwrap();
        runs.iter().for_each(|run| journal.add(run).unwrap());
        drop(journal);
        assert!(Journal::open(&folder, false, line).is_err_and(|e| e.contains("--resume")));
        let path = folder.join(NAME);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let mut journal = Journal::open(&folder, true, line).unwrap();
        assert_eq!(journal.known, runs[..1]);
        journal.add(&runs[1]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
