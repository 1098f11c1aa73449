//! `cargo xtask resume`: kill −9 at random moments, go on, and compare with a run without any.

use crate::program::{check, essence, program, start};
use crate::repository;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Runs, each killed as often as it takes
    #[arg(long, default_value_t = 20)]
    runs: u64,
    /// Seed of the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The model; default: one that is written for this, with sets, functions and a violation
    #[arg(long)]
    model: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

/// 90,000 states with interned values, several set-ups, a late violation and a deadlock.
const MODEL: &str = "MACHINE Resume
SETS S = {a, b, c}
CONSTANTS k PROPERTIES k : 1..2
VARIABLES x, y, s, f
INVARIANT x : 0..9 & y : 0..9 & s <: S & f : S +-> 0..2 & x + y + card(s) + card(f) < 24
INITIALISATION x, y, s, f := 0, 0, {}, {}
OPERATIONS
  up = PRE x < 9 THEN x := x + 1 END;
  right = PRE y < 9 THEN y := y + 1 END;
  put(e) = PRE e : S - s THEN s := s \\/ {e} END;
  map(e, n) = PRE e : S - dom(f) & n : 0..2 & n <= k THEN f(e) := n END
END
";

/// The most pieces that one run is cut into.
const PIECES: u32 = 40;

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let program = program(arguments.program.as_deref())?;
    let folder = repository().join("target/resume");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let model = match &arguments.model {
        Some(path) => path.clone(),
        None => {
            let path = folder.join("Resume.mch");
            std::fs::write(&path, MODEL).map_err(|e| e.to_string())?;
            path
        }
    };
    let root = model.parent().unwrap_or(Path::new(".")).to_owned();
    let begin = Instant::now();
    let plain = check(&program, &model, &root, &["--all".to_owned()])?;
    let (known, length) = (essence(&plain, true), begin.elapsed());
    println!("without a kill: {:.2} s, {}", length.as_secs_f64(), known[..5].join(", "));
    let mut dice = arguments.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let (mut kills, mut wrong) = (0u32, 0u64);
    for run in 0..arguments.runs {
        let checkpoint = folder.join("checkpoint");
        let _ = std::fs::remove_dir_all(&checkpoint);
        let mut options: Vec<String> =
            ["--all", "--resume", "--checkpoint-every", "0.01"].map(str::to_owned).to_vec();
        options.extend(["--checkpoint".to_owned(), checkpoint.to_string_lossy().into_owned()]);
        options.extend(["--threads".to_owned(), (1 + run % 3).to_string()]);
        let mut pieces = 0;
        let answer = loop {
            pieces += 1;
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            // Up to the length of a whole run; in the end it may finish.
            let wait = length.mul_f64((dice >> 40) as f64 / (1u64 << 24) as f64);
            let limit = (pieces < PIECES).then_some(wait);
            match piece(&program, &model, &root, &options, limit)? {
                Some(answer) => break answer,
                None => kills += 1,
            }
        };
        let found = essence(&answer, true);
        if found != known {
            wrong += 1;
            println!("run {run}: {pieces} pieces, a difference:");
            let both = found.iter().zip(&known).filter(|(a, b)| a != b);
            both.for_each(|(a, b)| println!("  {a}\n  not {b}"));
            println!("  {}", answer["message"]);
        }
    }
    println!("{} runs, {kills} kills, {wrong} with another result", arguments.runs);
    Ok(wrong == 0)
}

/// One process: its answer, or nothing if it was killed.
fn piece(
    program: &Path,
    model: &Path,
    root: &Path,
    options: &[String],
    limit: Option<Duration>,
) -> Result<Option<Value>, String> {
    let mut child = start(program, model, root, options)?;
    let mut pipe = child.stdout.take().ok_or("no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    if let Some(limit) = limit {
        let begin = Instant::now();
        while begin.elapsed() < limit && child.try_wait().map_err(|e| e.to_string())?.is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // SIGKILL: nothing of it can be caught.
        let _ = child.kill();
    }
    child.wait().map_err(|e| e.to_string())?;
    let text = reader.join().map_err(|_| "the reader died")?.map_err(|e| e.to_string())?;
    Ok(serde_json::from_str(&text).ok())
}
