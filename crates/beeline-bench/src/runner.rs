//! One run: `check --json` of one model, in a process of its own.

use crate::expect::{judge, steps};
use crate::process::{Cost, Watch};
use crate::results::{Outcome, Run};
use crate::suite::{Job, Suite};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A run that goes on so much longer than its limit is ended from outside, in seconds.
const GRACE: f64 = 30.0;

/// Makes the runs of a suite.
pub struct Runner<'a> {
    /// What is run.
    pub suite: &'a Suite,
    /// Where the files of models are.
    pub folder: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// A run is ended as soon as this says so.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// A run that was made.
#[derive(Debug)]
pub struct Made {
    /// What is kept of it.
    pub run: Run,
    /// All that the program told.
    pub report: Value,
    /// What the whole process cost, reading the model among it.
    pub cost: Cost,
}

impl Runner<'_> {
    /// Makes a run.
    pub fn run(&self, job: &Job) -> Result<Made, String> {
        let model = &self.suite.models[job.model];
        let mut command = Command::new(&self.program);
        command.args(["check", "--json", "--timeout", &self.suite.timeout.to_string()]);
        if let Some(memory) = &self.suite.memory {
            command.args(["--memory", memory]);
        }
        command.args(&job.options).arg(self.folder.join(&model.file));
        let limit = Duration::try_from_secs_f64(self.suite.timeout + GRACE);
        let watch = Watch::new().limit(limit.unwrap_or(Duration::MAX)).stop(self.stop);
        let ended = watch.run(&mut command)?;
        let report: Value = serde_json::from_slice(&ended.output).unwrap_or(Value::Null);
        let (outcome, why) = match &report {
            Value::Null => {
                let errors = String::from_utf8_lossy(&ended.errors);
                (Outcome::Wrong, format!("there is no report: {}", errors.trim()))
            }
            report => judge(model, report),
        };
        let count = |name: &str| report["counts"][name].as_u64().unwrap_or(0);
        let run = Run {
            model: model.name.clone(),
            class: model.class.clone(),
            configuration: self.suite.configurations[job.configuration].name.clone(),
            repetition: job.repetition,
            options: job.options.clone(),
            outcome,
            why,
            verdict: report["verdict"].as_str().unwrap_or("").to_owned(),
            states: count("states"),
            transitions: count("transitions"),
            steps: steps(&report),
            shortest: report["finding"]["shortest"].as_bool().unwrap_or(false),
            seconds: report["seconds"].as_f64().unwrap_or(0.0),
            cpu_seconds: report["cpu_seconds"].as_f64(),
            peak_memory_bytes: report["peak_memory_bytes"].as_u64(),
        };
        Ok(Made { run, report, cost: ended.cost })
    }
}
