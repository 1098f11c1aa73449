//! Runs the program from outside and reads what it says.

use crate::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The program: the given one, or a release build of this repository.
pub fn program(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return Ok(path.to_owned());
    }
    let done = Command::new("cargo")
        .args(["build", "--quiet", "--release", "-p", "beeline-cli"])
        .current_dir(repository())
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository().join("target"), PathBuf::from);
    match done.success() {
        true => Ok(target.join("release/beeline")),
        false => Err("the program cannot be built".to_owned()),
    }
}

/// `beeline check --json --stats=totals` of a model with these options, started.
pub fn start(
    program: &Path,
    model: &Path,
    root: &Path,
    options: &[String],
) -> Result<Child, String> {
    Command::new(program)
        .args(["check", "--json", "--stats=totals", "--root"])
        .arg(root)
        .args(options)
        .arg(model)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{}: {e}", program.display()))
}

/// The same, with its answer.
pub fn check(
    program: &Path,
    model: &Path,
    root: &Path,
    options: &[String],
) -> Result<Value, String> {
    let child = start(program, model, root, options)?;
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{}: no answer ({}): {e}", model.display(), output.status))
}

/// What must not change, as one line each: verdict, counts, cuts, findings, the set of states.
/// Without traces, findings come in no order: each search finds another one first.
pub fn essence(answer: &Value, traces: bool) -> Vec<String> {
    let mut lines = vec![
        format!("verdict {} complete {}", answer["verdict"], answer["complete"]),
        format!("nodes {}", answer["counts"]["nodes"]),
        format!("constants {}", answer["counts"]["constants"]),
        format!("transitions {}", answer["counts"]["transitions"]),
        format!("states {}", answer["stats"]["checksum"]),
    ];
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    lines.extend(list("cuts").iter().map(|c| format!("cut {} {}", c["reason"], c["where"])));
    let fixed = lines.len();
    for found in list("findings") {
        let steps = found["trace"].as_array().map_or(0, Vec::len);
        let trace =
            if traces { format!(" {steps} steps: {}", found["trace"]) } else { String::new() };
        lines.push(format!("found {} {} {}{trace}", found["kind"], found["name"], found["where"]));
    }
    if !traces {
        lines[fixed..].sort();
    }
    lines
}

/// Did a limit of time end it?
pub fn ran_out_of_time(answer: &Value) -> bool {
    answer["cuts"].as_array().is_some_and(|cuts| cuts.iter().any(|c| c["reason"] == "time"))
}
