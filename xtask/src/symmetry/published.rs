//! The table of Leuschel & Massart 2007 again, with all modes.

use super::{check, models, open, sized};
use crate::corpus::corpus_folder;
use beeline::symmetry::Mode;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds expected/symmetry_table1.csv and the corpus
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Leave out sizes above this
    #[arg(long)]
    largest: Option<u64>,
}

/// Name in the table, file, sets, sizes.
const ROWS: &[(&str, &str, &[&str], std::ops::RangeInclusive<u64>)] = &[
    ("Russian", "RussianPostal.mch", &["KEY"], 1..=5),
    ("scheduler0", "Scheduler0.mch", &["PROC"], 1..=7),
    ("scheduler1", "Scheduler1.ref", &["PROC"], 1..=7),
    ("Peterson", "Peterson.mch", &["PID"], 2..=4),
    ("Philosophers", "PhilosophersRing.mch", &["PHIL", "FORK"], 2..=4),
    ("Towns", "Towns.mch", &["TOWN"], 1..=3),
    ("USB", "", &["TRANSFERS"], 1..=3),
    ("Login", "Login.mch", &["SESSION"], 3..=6),
    ("Phil. (any)", "Philosophers.mch", &["PHIL", "FORK"], 2..=4),
    ("TokenRing", "TokenRing.mch", &["STATION"], 3..=6),
    ("LockServer", "LockServer.mch", &["CLIENT", "LOCK"], 2..=3),
    ("Leader", "Leader.mch", &["NODE"], 3..=5),
];
/// The only model of the table that we did not write: its text is not published.
const USB: &str = "models/B/SymmetryReduction/USB_4Endpoints.mch";

const MODES: [Mode; 6] =
    [Mode::None, Mode::Flood, Mode::Markers, Mode::TreeMarkers, Mode::Canonical, Mode::Hybrid];

type Published = BTreeMap<(String, u64), [u64; 3]>;

/// Nodes without symmetry, with flooding, with markers.
fn published(folder: Option<&Path>) -> Published {
    let path = folder.map(|f| f.join("../expected/symmetry_table1.csv"));
    let text = path.and_then(|p| std::fs::read_to_string(p).ok()).unwrap_or_default();
    let row = |line: &str| {
        let mut fields = line.split(',');
        let name = fields.next()?.to_owned();
        let mut number = || fields.next()?.parse().ok();
        Some(((name, number()?), [number()?, number()?, number()?]))
    };
    text.lines().skip(1).filter_map(row).collect()
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let corpus = corpus_folder(arguments.shared.as_deref());
    let published = published(corpus.as_deref());
    if published.is_empty() {
        println!("without the published figures: they are not beside the repository");
    }
    println!(
        "{:<13}{:>5}{:>9}{:>7}{:>9}{:>6}{:>10}{:>8}   {:>8}{:>8}{:>8}  published",
        "machine",
        "card",
        "none",
        "flood",
        "markers",
        "tree",
        "canonical",
        "hybrid",
        "s none",
        "s flood",
        "s mark."
    );
    let (mut wrong, mut met) = (0, 0);
    for (name, file, sets, sizes) in ROWS {
        let path = match (*file, &corpus) {
            ("", None) => {
                println!("{name:<13} skipped: the corpus is not beside the repository");
                continue;
            }
            ("", Some(corpus)) => corpus.join(USB),
            (file, _) => models().join(file),
        };
        let model = open(&path)?;
        for size in sizes.clone().filter(|n| arguments.largest.is_none_or(|most| *n <= most)) {
            let sizes: Vec<(&str, u64)> = sets.iter().map(|s| (*s, size)).collect();
            let (mut nodes, mut seconds) = ([0; 6], [0.0; 6]);
            for (i, mode) in MODES.into_iter().enumerate() {
                let found = check(&model, &sized(&sizes), mode)?.outcome.exploration;
                nodes[i] = found.counts.nodes;
                seconds[i] = found.elapsed.as_secs_f64();
            }
            let known = published.get(&((*name).to_owned(), size));
            let right = known.is_none_or(|p| *p == [nodes[0], nodes[1], nodes[2]]);
            let exact = nodes[4] == nodes[1] && nodes[5] == nodes[1];
            let between = nodes[2] <= nodes[3] && nodes[3] <= nodes[1];
            wrong += usize::from(!(right && exact && between));
            met += usize::from(right && known.is_some());
            let told = known.map_or("-".to_owned(), |p| format!("{} {} {}", p[0], p[1], p[2]));
            println!(
                "{name:<13}{size:>5}{:>9}{:>7}{:>9}{:>6}{:>10}{:>8}   {:>8.2}{:>8.2}{:>8.2}  {told}{}",
                nodes[0],
                nodes[1],
                nodes[2],
                nodes[3],
                nodes[4],
                nodes[5],
                seconds[0],
                seconds[1],
                seconds[2],
                if right && exact && between { "" } else { "  DIFFERS" }
            );
        }
    }
    println!("{met} of {} published rows are met; {wrong} rows differ", published.len());
    Ok(wrong == 0)
}
