//! What was run already: one line of JSON a run, written as soon as the run is over.

use beeline::bench::{Job, Run, Suite};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

const NAME: &str = "runs.jsonl";

/// The runs of a folder.
pub struct Journal {
    known: Vec<Run>,
    file: File,
}

impl Journal {
    /// Opens the journal of a folder; what is in it already counts only if that is asked for.
    pub fn open(folder: &Path, resume: bool) -> Result<Journal, String> {
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
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(true).open(&path).map_err(told)?;
        for run in &known {
            line(&mut file, run).map_err(told)?;
        }
        Ok(Journal { known, file })
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
        line(&mut self.file, run).map_err(|e| format!("{NAME}: {e}"))
    }
}

fn line(file: &mut File, run: &Run) -> std::io::Result<()> {
    writeln!(file, "{}", beeline::report::to_json(run))?;
    file.flush()
}
