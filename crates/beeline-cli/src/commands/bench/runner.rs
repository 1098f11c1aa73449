//! One run: this program once more, as `beeline check --json`, in a process of its own.

use crate::limits;
use crate::status::{Status, part};
use beeline::bench::{Job, Outcome, Run, Suite, judge};
use beeline::explore::Cancel;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that goes on so much longer than its limit is ended from outside, in seconds.
const GRACE: f64 = 30.0;
/// Reports are not longer than this.
const MAX_REPORT: u64 = 1 << 30;

/// Makes runs.
pub struct Runner<'a> {
    suite: &'a Suite,
    folder: &'a Path,
    program: PathBuf,
    cancel: Cancel,
    status: Status,
}

impl<'a> Runner<'a> {
    /// For a suite in a folder.
    pub fn new(suite: &'a Suite, folder: &'a Path) -> Result<Runner<'a>, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let cancel = Cancel::new();
        limits::listen(&cancel);
        let status = Status::new(true, &cancel);
        Ok(Runner { suite, folder, program, cancel, status })
    }

    /// Did somebody ask for an end?
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Shows how far it has come, where somebody sees it.
    pub fn progress(&self, done: usize, all: usize, job: &Job) {
        let model = &self.suite.models[job.model].name;
        let configuration = &self.suite.configurations[job.configuration].name;
        self.status.tell(vec![
            part(0, format!("{done}/{all}")),
            part(2, model.clone()),
            part(3, configuration.clone()),
        ]);
    }

    /// Removes that line.
    pub fn clear(&mut self) {
        self.status.end();
    }

    /// Makes a run.
    pub fn run(&self, job: &Job) -> Result<Run, String> {
        let model = &self.suite.models[job.model];
        let mut command = Command::new(&self.program);
        command.args(["check", "--json", "--timeout", &self.suite.timeout.to_string()]);
        if let Some(memory) = &self.suite.memory {
            command.args(["--memory", memory]);
        }
        command.args(&job.options).arg(self.folder.join(&model.file));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|e| format!("a run cannot be started: {e}"))?;
        let (text, errors) = self.wait(child)?;
        let report: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let (outcome, why) = match &report {
            Value::Null => (Outcome::Wrong, format!("there is no report: {}", errors.trim())),
            report => judge(model, report),
        };
        let count = |name: &str| report["counts"][name].as_u64().unwrap_or(0);
        Ok(Run {
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
            steps: report["finding"]["trace"].as_array().map(|steps| steps.len() as u64),
            shortest: report["finding"]["shortest"].as_bool().unwrap_or(false),
            seconds: report["seconds"].as_f64().unwrap_or(0.0),
            cpu_seconds: report["cpu_seconds"].as_f64(),
            peak_memory_bytes: report["peak_memory_bytes"].as_u64(),
        })
    }

    /// What a run prints, on both streams; one that does not end is ended.
    fn wait(&self, mut child: Child) -> Result<(String, String), String> {
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let limit = Duration::from_secs_f64(self.suite.timeout + GRACE);
        let begin = Instant::now();
        std::thread::scope(|scope| {
            let out = scope.spawn(|| everything(out));
            let err = scope.spawn(|| everything(err));
            let mut pause = Duration::from_millis(1);
            while child.try_wait().map_err(|e| e.to_string())?.is_none() {
                if begin.elapsed() > limit || self.is_cancelled() {
                    let _ = child.kill();
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(50));
            }
            Ok((out.join().unwrap_or_default(), err.join().unwrap_or_default()))
        })
    }
}

fn everything(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What cannot be read is no report, and that is noticed.
        let _ = stream.take(MAX_REPORT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The computer, in a few words.
pub fn machine() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpus.lines().find_map(|line| line.strip_prefix("model name"));
    let name = name.and_then(|l| l.split_once(':')).map_or("unknown processor", |(_, n)| n.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} cores, {}", std::env::consts::OS)
}
