//! `cargo xtask memory`: a model that needs ten times the memory it is given.
//!
//! States move to disk, the result is the right one, or a cut; what the process held at most is what
//! the system says, not the program.

use crate::program::program;
use crate::repository;
use beeline_bench::process::Watch;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

#[derive(clap::Args)]
pub struct Arguments {
    /// The model; default: one that needs 2 GB
    #[arg(long)]
    model: Option<PathBuf>,
    /// How many megabytes it may hold
    #[arg(long, default_value_t = 200)]
    megabytes: u64,
    /// How many megabytes the process may hold in truth
    #[arg(long, default_value_t = 220)]
    most: u64,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Run it without a limit first, and compare
    #[arg(long)]
    plain: bool,
    /// Seconds for each run
    #[arg(long, default_value_t = 3600)]
    limit_seconds: u64,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

/// States and transitions of the model that ships, the root and the initial transition among them.
const KNOWN: (u64, u64) = (180_000_001, 300_000_000);

/// What one run came to.
struct Run {
    answer: Value,
    peak_megabytes: u64,
    seconds: f64,
}

impl Run {
    fn counts(&self) -> Option<(u64, u64)> {
        let counts = &self.answer["counts"];
        Some((counts["nodes"].as_u64()?, counts["transitions"].as_u64()?))
    }

    fn is_complete(&self) -> bool {
        self.answer["complete"] == true
    }

    fn print(&self, name: &str) {
        let cuts: Vec<&str> = self.answer["cuts"]
            .as_array()
            .map(|cuts| cuts.iter().filter_map(|c| c["reason"].as_str()).collect())
            .unwrap_or_default();
        println!(
            "{name}: {} complete {} nodes {} transitions {} cuts {cuts:?}, {:.0} s, at most {} MB",
            self.answer["verdict"].as_str().unwrap_or("no answer"),
            self.is_complete(),
            self.answer["counts"]["nodes"],
            self.answer["counts"]["transitions"],
            self.seconds,
            self.peak_megabytes,
        );
    }
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let program = program(arguments.program.as_deref())?;
    let model =
        arguments.model.clone().unwrap_or_else(|| repository().join("bench/models/Tree.mch"));
    let check = |more: &[String]| -> Result<Run, String> {
        let mut command = Command::new(&program);
        command
            .args(["check", "--json", "--search", "bf", "--threads"])
            .arg(arguments.threads.to_string())
            .args(["--timeout", &arguments.limit_seconds.to_string()])
            .args(more)
            .arg(&model);
        watched(&mut command)
    };
    let known = match arguments.plain {
        true => {
            let plain = check(&[])?;
            plain.print("no limit");
            plain.counts()
        }
        false => arguments.model.is_none().then_some(KNOWN),
    };
    let limited = check(&["--memory".to_owned(), format!("{}M", arguments.megabytes)])?;
    limited.print(&format!("{} MB", arguments.megabytes));
    let small = limited.peak_megabytes < arguments.most;
    // Whatever was left out, it must be said; and what is complete must be right.
    let right = match limited.is_complete() {
        true => known.is_none_or(|known| limited.counts() == Some(known)),
        false => limited.answer["cuts"].as_array().is_some_and(|cuts| !cuts.is_empty()),
    };
    if !small {
        println!("more than {} MB", arguments.most);
    }
    if !right {
        println!("a wrong result: {:?}, not {known:?}", limited.counts());
    }
    Ok(small && right)
}

/// Runs a command, and looks at what the system says of its memory until it ends.
fn watched(command: &mut Command) -> Result<Run, String> {
    let ended = Watch::new().memory().run(command)?;
    let answer = serde_json::from_slice(&ended.output).map_err(|e| format!("no answer: {e}"))?;
    let peak_megabytes = ended.cost.peak_kib / 1024;
    Ok(Run { answer, peak_megabytes, seconds: ended.cost.wall_seconds })
}
