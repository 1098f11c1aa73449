//! A check with a display of its own that gives up after a while:
//! `cargo run -p beeline --example progress -- examples/Sorting.mch 10`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use beeline::{Checker, explore::Progress};
use std::error::Error;
use std::time::Duration;

/// One character for every tenth of what there will be, as far as that can be guessed.
fn bar(progress: &Progress) -> String {
    let expected = progress.estimate().unwrap_or(2 * progress.states).max(1);
    let tenths = (10 * progress.states / expected).min(10) as usize;
    format!("[{:<10}] {} states, depth {}", "#".repeat(tenths), progress.states, progress.depth)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("examples/Sorting.mch".to_owned());
    let seconds = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let outcome = Checker::open(path)?
        .timeout(Duration::from_secs(seconds))
        .on_progress(|progress| eprint!("\r{}", bar(&progress)))
        .run()?;
    // The report that `beeline check` prints.
    print!("{outcome}");
    Ok(())
}
