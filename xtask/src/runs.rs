//! Where measurements of this repository are kept, and what they were made with.

use crate::repository;
use serde::Serialize;
use std::process::Command;

/// The computer, and the compiler that builds the program.
#[derive(Serialize)]
pub struct Machine {
    #[serde(flatten)]
    pub computer: beeline_bench::Machine,
    pub rustc: String,
}

impl Machine {
    pub fn here() -> Machine {
        let rustc = Command::new("rustc").arg("--version").output();
        let rustc = rustc.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
        Machine {
            computer: beeline_bench::Machine::here(),
            rustc: rustc.unwrap_or_else(|_| "unknown".to_owned()),
        }
    }

    /// As one line of JSON.
    pub fn line() -> Result<String, String> {
        serde_json::to_string(&Machine::here()).map_err(|e| e.to_string())
    }
}

/// Keeps a text as the one of today: `suite.json` becomes `bench/runs/2026-01-31-suite.json`.
pub fn keep(name: &str, text: &str) -> Result<(), String> {
    let folder = repository().join("bench/runs");
    let path = folder.join(format!("{}-{name}", beeline_bench::today()));
    std::fs::create_dir_all(&folder)
        .and_then(|()| beeline_bench::replace(&path, text))
        .map_err(|e| format!("{}: {e}", path.display()))
}

/// The same for data.
pub fn keep_json(name: &str, data: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(data).map_err(|e| e.to_string())?;
    keep(name, &(text + "\n"))
}
