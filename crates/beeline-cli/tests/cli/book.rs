//! What the book and the README show is what the program prints: every command in them is run.
//!
//! A block that begins with a machine is saved under its name; a line `$ …` is run, and what follows
//! it is its output. A line `…` stands for any lines, `> …` is typed. Seconds, sizes of memory and
//! rates are not compared. Commands on models that no page shows are passed over.

use crate::Folder;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a reader is told to change before a command: page, the command, how often it was there
/// before, and the change.
const EDITS: [(&str, &str, usize, &str, &str, &str); 5] = [
    ("getting-started.md", "beeline check Counter.mch", 1, "Counter.mch", "n < 10", "n <= 10"),
    ("tutorial.md", "beeline check Lock.mch", 1, "Lock.mch", "writer := p ||", "writer := {p} ||"),
    (
        "tutorial.md",
        "beeline check Lock.mch",
        2,
        "Lock.mch",
        "waiting & writer = {}",
        "waiting & writer = {} & readers = {}",
    ),
    (
        "tutorial.md",
        "beeline check Lock.mch",
        3,
        "Lock.mch",
        "PROCESS - waiting &",
        "PROCESS - waiting - readers &",
    ),
    (
        "checking.md",
        "beeline replay examples/AccountViolation.mch t.json",
        1,
        "examples/AccountViolation.mch",
        "amount <= balance",
        "amount + fee <= balance",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The indented blocks of a page, without their margin.
fn blocks(text: &str) -> Vec<Vec<String>> {
    let (mut blocks, mut block) = (Vec::new(), Vec::<String>::new());
    for line in text.lines().chain(["end"]) {
        if let Some(line) = line.strip_prefix("    ") {
            block.push(line.to_owned());
        } else if line.is_empty() && !block.is_empty() {
            block.push(String::new());
        } else {
            while block.last().is_some_and(String::is_empty) {
                block.pop();
            }
            blocks.extend((!block.is_empty()).then(|| std::mem::take(&mut block)));
        }
    }
    blocks
}

/// The commands of a block with the lines below each.
fn commands(block: &[String]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command.to_owned(), Vec::new())),
            // A quotation goes on in the next line.
            (None, Some((command, _))) if command.matches('\'').count() % 2 == 1 => {
                *command += &format!("\n{line}");
            }
            (None, Some((_, output))) => output.push(line.clone()),
            (None, None) => {}
        }
    }
    all
}

/// A line without what differs from run to run.
fn steady(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for i in 1..words.len() {
        let unit = words[i].trim_end_matches(',').to_owned();
        if matches!(unit.as_str(), "s" | "MB") && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "#".to_owned();
        }
    }
    let line = words.join(" ");
    let parts: Vec<&str> = line.trim_end().split(", ").collect();
    let kept: Vec<&str> = parts.into_iter().filter(|p| !p.ends_with(" states/s")).collect();
    kept.join(", ")
}

fn agree(shown: &[String], printed: &[String]) -> bool {
    match (shown.first(), printed.first()) {
        (None, None) => true,
        (Some(line), _) if line.trim() == "…" => {
            (0..=printed.len()).any(|n| agree(&shown[1..], &printed[n..]))
        }
        (Some(a), Some(b)) => steady(a) == steady(b) && agree(&shown[1..], &printed[1..]),
        _ => false,
    }
}

/// The same fields with the same values, but for figures of the machine.
fn steady_json(value: &mut Value) {
    if let Value::Object(fields) = value {
        for (name, field) in fields.iter_mut() {
            match name.ends_with("seconds") || name.contains("bytes") {
                true => *field = Value::Null,
                false => steady_json(field),
            }
        }
    }
}

fn run(folder: &Folder, command: &str, typed: &str) -> Vec<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_beeline")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(&folder.0)
        .env("PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text =
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    text.trim_end().lines().map(str::to_owned).collect()
}

/// Is every file that a command names there?
fn is_runnable(folder: &Folder, command: &str) -> bool {
    let is_model = |w: &&str| w.ends_with(".mch") || w.ends_with(".eventb") || w.ends_with(".zip");
    let is_general = |w: &str| matches!(w, "MODEL" | "FILE" | "DIR" | "bench" | "SUITE");
    command.contains("beeline ")
        && !command.split_whitespace().any(is_general)
        && command.split_whitespace().filter(is_model).all(|w| folder.path(w).exists())
}

/// Runs the commands of one page; how many were compared, and what differs.
fn page(path: &Path, wrong: &mut Vec<String>) -> usize {
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut folder = Folder::new(&format!("book-{name}"));
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            let name = format!("examples/{}", entry.file_name().to_str().unwrap());
            folder = folder.with(&name, fs::read(entry.path()).unwrap());
        }
    }
    let (mut compared, mut before) = (0, Vec::new());
    for block in blocks(&fs::read_to_string(path).unwrap()) {
        let mut words = block[0].split_whitespace();
        if let (Some("MACHINE"), Some(machine)) = (words.next(), words.next()) {
            fs::write(folder.path(&format!("{machine}.mch")), block.join("\n") + "\n").unwrap();
        }
        for (command, shown) in commands(&block) {
            let times = before.iter().filter(|c| **c == command).count();
            for (_, _, _, file, from, to) in
                EDITS.iter().filter(|e| (e.0, e.1, e.2) == (name, command.as_str(), times))
            {
                let text = folder.read(file);
                assert!(text.contains(from), "{file} has no {from}");
                fs::write(folder.path(file), text.replace(from, to)).unwrap();
            }
            before.push(command.clone());
            if !is_runnable(&folder, &command) {
                continue;
            }
            let (typed, shown): (Vec<_>, Vec<_>) =
                shown.into_iter().partition(|l| l.starts_with("> "));
            let typed: String = typed.iter().map(|l| format!("{}\n", &l[2..])).collect();
            let printed = run(&folder, &command, &typed);
            let same = match shown.first() {
                None => continue,
                Some(first) if first.starts_with('{') => {
                    let read = |lines: &[String]| {
                        let text: String = lines.iter().map(|l| l.trim()).collect();
                        let mut value = serde_json::from_str(&text).unwrap_or(Value::Null);
                        steady_json(&mut value);
                        value
                    };
                    read(&shown) == read(&printed)
                }
                Some(_) => agree(&shown, &printed),
            };
            compared += 1;
            if !same {
                let (shown, printed) = (shown.join("\n"), printed.join("\n"));
                wrong.push(format!(
                    "{name}: $ {command}\n--- shown\n{shown}\n--- printed\n{printed}\n"
                ));
            }
        }
    }
    compared
}

#[test]
#[cfg(unix)]
fn what_the_book_shows_is_what_the_program_prints() {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs/book"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    pages.push(root().join("README.md"));
    let mut wrong = Vec::new();
    let compared: usize = pages.iter().map(|p| page(p, &mut wrong)).sum();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 20, "only {compared} commands were found");
}
