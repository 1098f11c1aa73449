//! Runs ProB and reads what it prints.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// So that ProB looks at what Beeline looks at, and says so where it does not.
pub const PREFERENCES: [(&str, &str); 8] = [
    ("MAX_OPERATIONS", "100000"),
    ("MAX_INITIALISATIONS", "100000"),
    ("STATIC_SYMMETRY_DETECTION", "false"),
    ("DEFAULT_SETSIZE", "2"),
    ("MAXINT", "3"),
    ("MININT", "-1"),
    ("TIME_OUT", "10000"),
    ("MAX_DISPLAY_SET", "-1"),
];

/// Words of ProB that say: this is not all there is.
const WARNINGS: [&str; 6] = [
    "not all transitions",
    "Not all transitions",
    "enumerating",
    "time_out",
    "TIME-OUT",
    "model_check_incomplete",
];

/// An installed ProB.
pub struct Prob {
    pub program: PathBuf,
    pub version: String,
    limit: Duration,
}

/// What ProB makes of a model, without states and steps of set-up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theirs {
    pub states: u64,
    pub transitions: u64,
    pub deadlock: bool,
    pub violated: bool,
    /// An error in a state other than a false invariant: the search ended there.
    pub error: Option<String>,
    /// Why this cannot be compared.
    pub open: Option<String>,
}

impl Theirs {
    fn open(why: &str) -> Theirs {
        Theirs { open: Some(why.to_owned()), ..Theirs::default() }
    }
}

impl Prob {
    /// The given one, that of `BEELINE_PROB`, or the one on the path, if it answers.
    pub fn find(given: Option<&Path>, seconds: u64) -> Option<Prob> {
        let named = given.map(Path::to_owned).or_else(|| {
            std::env::var_os("BEELINE_PROB")
                .map(PathBuf::from)
                .filter(|p| !p.as_os_str().is_empty())
        });
        let program = named.unwrap_or_else(|| PathBuf::from("probcli"));
        let output = Command::new(&program).arg("-version").stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|l| l.contains("VERSION"))?;
        let version = line.split_whitespace().nth(1)?.to_owned();
        Some(Prob { program, version, limit: Duration::from_secs(seconds) })
    }

    /// Verdict and counts of a model: a second run goes on after a false invariant.
    pub fn check(&self, file: &Path) -> Theirs {
        let first = match self.explore(file, &[]) {
            Ok(text) => read(&text),
            Err(why) => return Theirs::open(&why),
        };
        if !first.violated {
            return first;
        }
        match self.explore(file, &["-noinv"]) {
            Ok(text) => Theirs { violated: true, ..read(&text) },
            Err(why) => Theirs::open(&why),
        }
    }

    fn explore(&self, file: &Path, more: &[&str]) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        command.arg(file).args(["-model_check", "-nodead", "-nogoal", "-noass", "-c"]).args(more);
        self.run(command, "")
    }

    /// What the prompt answers to each line, in the scope of a machine.
    pub fn answers(&self, machine: &Path, lines: &[String]) -> Result<Vec<String>, String> {
        // A line of our own after each one keeps answers and questions together.
        let mark = |i: usize| format!("\"answer {i} ends\"");
        let mut input = String::new();
        for (i, line) in lines.iter().enumerate() {
            input += &format!("{}\n{}\n", line.replace(['\n', '\r'], " "), mark(i));
        }
        let mut command = Command::new(&self.program);
        command.arg(machine).arg("-repl");
        let text = self.run(command, &input)?;
        let mut rest = text.as_str();
        let mut answers = Vec::new();
        for i in 0..lines.len() {
            let Some(at) = rest.find(&mark(i)) else { break };
            // Before the mark is the prompt for it: `>>> Expression Value = `.
            let answer = &rest[..at];
            let answer = answer.rsplit_once(">>>").map_or(answer, |(a, _)| a);
            answers.push(answer.rsplit_once(">>>").map_or(answer, |(_, a)| a).trim().to_owned());
            rest = &rest[at + mark(i).len()..];
        }
        Ok(answers)
    }

    /// All that a run prints, without colours; an error if it does not end in time.
    fn run(&self, mut command: Command, input: &str) -> Result<String, String> {
        for (name, value) in PREFERENCES {
            command.args(["-p", name, value]);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(mut stdout)) = pipes else { return Err("no pipes".to_owned()) };
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stdout.read_to_end(&mut bytes);
            bytes
        });
        let deadline = Instant::now() + self.limit;
        while child.try_wait().map_err(|e| e.to_string())?.is_none() {
            if Instant::now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                return Err("ProB: time".to_owned());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = writer.join();
        let bytes = reader.join().map_err(|_| "the reader died".to_owned())?;
        Ok(plain(&String::from_utf8_lossy(&bytes)))
    }
}

/// Without the codes of colours.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(|c| *c == 'm');
        } else {
            out.push(c);
        }
    }
    out
}

/// Reads the words around a search and the line of coverage after it.
fn read(text: &str) -> Theirs {
    let Some(line) = text.lines().find(|l| l.starts_with("[STATES,")) else {
        return Theirs::open("ProB: not loaded");
    };
    let after = |name: &str, text: &str| -> u64 {
        let at = text.find(name).map(|at| at + name.len());
        let digits = at.map(|at| text[at..].chars().take_while(char::is_ascii_digit));
        digits.and_then(|d| d.collect::<String>().parse().ok()).unwrap_or(0)
    };
    let setups = after(",SETUP_CONSTANTS:", line);
    let found = text.contains("*** COUNTER EXAMPLE FOUND ***");
    let kind = text.lines().skip_while(|l| !l.contains("*** COUNTER EXAMPLE FOUND")).nth(2);
    let kind = kind.unwrap_or("").trim().to_owned();
    let violated = found && kind == "invariant_violation";
    let mut theirs = Theirs {
        states: after(",total:", line).saturating_sub(1 + setups),
        transitions: after("TOTAL_OPERATIONS,", line).saturating_sub(setups),
        deadlock: after(",deadlocked:", line) > 0,
        violated,
        error: (found && !violated).then_some(kind),
        open: None,
    };
    let warning = WARNINGS.iter().find(|w| text.contains(**w));
    if let Some(warning) = warning {
        theirs.open = Some(format!("ProB: {}", warning.to_lowercase()));
    } else if !found && after(",open:", line) > 0 {
        theirs.open = Some("ProB: states are left".to_owned());
    }
    theirs
}

/// A folder that is gone when it is dropped.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new(name: &str) -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("beeline-prob-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_read_without_set_up() {
        let text = "% All open nodes visited\n\u{1b}[32mNo Counter Example found. ALL nodes \
                    visited.\u{1b}[0m\nCoverage:\n\n[STATES,deadlocked:1,invariant_violated:0,open:0,\
                    live:5,invariant_not_checked:4,total:6,TOTAL_OPERATIONS,10,COVERED_OPERATIONS,\
                    INITIALISATION:1,SETUP_CONSTANTS:1,newbook:4,show:4,UNCOVERED_OPERATIONS]\n";
        let theirs = read(&plain(text));
        let wanted = Theirs { states: 4, transitions: 9, deadlock: true, ..Theirs::default() };
        assert_eq!(theirs, wanted);
    }

    #[test]
    fn errors_and_warnings_are_told_apart() {
        let coverage = "[STATES,deadlocked:0,open:1,total:7,TOTAL_OPERATIONS,11]";
        let text = format!("*** COUNTER EXAMPLE FOUND ***\n\nwell_definedness_error\n{coverage}\n");
        assert_eq!(read(&text).error.as_deref(), Some("well_definedness_error"));
        let text = format!("*** COUNTER EXAMPLE FOUND ***\n\ninvariant_violation\n{coverage}\n");
        assert!(read(&text).violated && read(&text).error.is_none() && read(&text).open.is_none());
        let text = format!("### Warning: enumerating y : INTEGER : 1:sup ---> 1:3\n{coverage}\n");
        assert!(read(&text).open.is_some());
        assert!(read(coverage).open.is_some(), "a state is left");
        assert!(read("no model").open.is_some());
    }
}
