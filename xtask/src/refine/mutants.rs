//! One operator changed in the operations of a refinement that refines: is it noticed?
//!
//! Texts are changed, not models: what a person would mistype.

use super::{open, refine};
use crate::repository;
use beeline::refinement::Mode;
use beeline::verdict::VerdictKind;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Refinements whose texts are changed (default: those of the examples)
    files: Vec<PathBuf>,
    /// So many changes of each
    #[arg(long, default_value_t = 5)]
    each: usize,
    /// Give up one comparison after so many seconds
    #[arg(long, default_value_t = 10)]
    limit_seconds: u64,
}

/// What is written, and what is written in its place.
const CHANGES: [(&str, &str); 22] = [
    (" + ", " - "),
    (" - ", " + "),
    (" < ", " <= "),
    (" > ", " < "),
    (" <= ", " < "),
    (" >= ", " > "),
    (" = ", " /= "),
    (" /= ", " = "),
    (" \\/ ", " /\\ "),
    (" /\\ ", " \\/ "),
    (" & ", " or "),
    (" or ", " & "),
    ("TRUE", "FALSE"),
    ("FALSE", "TRUE"),
    ("min(", "max("),
    ("max(", "min("),
    (" : ", " /: "),
    (" /: ", " : "),
    ("+1", "-1"),
    ("-1", "+1"),
    (" <- ", " -> "),
    (":= 0", ":= 1"),
];

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let examples = repository().join("examples");
    let files = match arguments.files.is_empty() {
        true => ["BestR.ref", "TicketsI.imp", "ReservationR.ref", "ReservationI.imp"]
            .map(|n| examples.join(n))
            .to_vec(),
        false => arguments.files.clone(),
    };
    let (mut made, mut found, mut unsound) = (0, 0, 0);
    for path in &files {
        let refines =
            open(path).and_then(|s| refine(&s, None, Mode::Simulation, arguments.limit_seconds));
        if !matches!(&refines, Ok(r) if r.holds()) {
            println!("passed over: {} does not refine as it is", path.display());
            continue;
        }
        let (m, f, u) = of_file(path, arguments)?;
        (made, found, unsound) = (made + m, found + f, unsound + u);
    }
    println!("{found} of {made} changes found, {unsound} more do not load or are not decided");
    Ok(true)
}

fn of_file(path: &Path, arguments: &Arguments) -> Result<(usize, usize, usize), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let folder = std::env::temp_dir().join(format!("beeline-mutants-{}", std::process::id()));
    let source = path.parent().ok_or("no folder")?;
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    for entry in std::fs::read_dir(source).map_err(|e| e.to_string())?.flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), folder.join(entry.file_name()))
                .map_err(|e| e.to_string())?;
        }
    }
    let copy = folder.join(path.file_name().ok_or("no name")?);
    let (mut made, mut found, mut undecided) = (0, 0, 0);
    let all = changed(&text);
    // Spread over the text, not only its beginning.
    let stride = (all.len() / arguments.each.max(1)).max(1);
    for (line, mutant) in all.into_iter().step_by(stride).take(arguments.each) {
        std::fs::write(&copy, mutant).map_err(|e| e.to_string())?;
        let refined =
            open(&copy).and_then(|s| refine(&s, None, Mode::Simulation, arguments.limit_seconds));
        match refined.map(|r| r.verdict()) {
            Ok(VerdictKind::Violated) => (made, found) = (made + 1, found + 1),
            Ok(VerdictKind::Holds) => {
                made += 1;
                println!("survives: {}: {line}", path.display());
            }
            _ => undecided += 1,
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok((made, found, undecided))
}

/// Each text with one change after OPERATIONS, and the line that was changed.
fn changed(text: &str) -> Vec<(String, String)> {
    let begin = text.find("OPERATIONS").unwrap_or(text.len());
    let mut all = Vec::new();
    for (from, to) in CHANGES {
        for (place, _) in text[begin..].match_indices(from) {
            let place = begin + place;
            if passes_over(text, place, (from, to)) {
                continue;
            }
            // The sign that says what an operation is stays.
            let line_start = text[..place].rfind('\n').map_or(0, |n| n + 1);
            let line_end = text[place..].find('\n').map_or(text.len(), |n| place + n);
            if from == " = " && text[line_start..line_end].trim_end().ends_with('=') {
                continue;
            }
            let mutant = format!("{}{to}{}", &text[..place], &text[place + from.len()..]);
            let line = format!(
                "{}{to}{}",
                &text[line_start..place],
                text[place + from.len()..].lines().next().unwrap_or("")
            );
            all.push((line.trim().to_owned(), mutant));
        }
    }
    all
}

/// Words that say what a formula is for.
const WORDS: [&str; 9] =
    ["PRE", "SELECT", "WHERE", "WHEN", "IF", "ELSIF", "THEN", "INVARIANT", "VARIANT"];

/// Is it a comment, an annotation of a loop, or a change that refinement allows: a precondition that is weaker?
fn passes_over(text: &str, place: usize, change: (&str, &str)) -> bool {
    let before = &text[..place];
    let opened = before.rfind("/*").map_or(-1, |n| n as i64);
    let closed = before.rfind("*/").map_or(-1, |n| n as i64);
    let line = before.rfind('\n').map_or(before, |n| &before[n..]);
    if opened > closed || line.contains("//") {
        return true;
    }
    let is_word = |at: usize, word: &str| {
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !inside(before[..at].chars().next_back())
            && !inside(before[at + word.len()..].chars().next())
    };
    let last = WORDS
        .iter()
        .filter_map(|w| {
            before.rmatch_indices(w).find(|(at, _)| is_word(*at, w)).map(|(at, _)| (at, *w))
        })
        .max();
    match last.map(|(_, word)| word) {
        Some("INVARIANT" | "VARIANT") => true,
        Some("PRE") => change == (" & ", " or "),
        _ => false,
    }
}
