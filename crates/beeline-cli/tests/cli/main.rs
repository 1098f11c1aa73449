//! The program as its users see it: arguments in, output and exit codes out.

#![allow(clippy::unwrap_used)]

mod analyse;
mod behaviour;
mod bench;
#[cfg(unix)]
mod book;
mod certify;
mod check;
mod escape;
mod feature;
mod hostile;
mod limits;
mod orbits;
mod partial_order;
mod refine;
mod regression;
mod resume;
mod search;
mod symbolic;
mod symmetry;
#[cfg(unix)]
mod terminal;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("beeline-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes a file, and gives the folder back.
    fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs the program in this folder.
    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs the program in this folder with a standard input.
    fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = beeline(&self.0)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its input closes the pipe: that is no failure.
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a run ended.
#[derive(Debug)]
struct Ran {
    out: String,
    err: String,
    /// `None` if it was killed.
    code: Option<i32>,
}

impl Ran {
    /// Asserts all three.
    #[track_caller]
    fn is(&self, code: i32, out: &str, err: &str) {
        assert_eq!((self.code, &*self.out, &*self.err), (Some(code), out, err));
    }

    fn json(&self) -> serde_json::Value {
        assert_eq!(self.err, "");
        serde_json::from_str(&self.out).unwrap()
    }

    /// Code, line and column of each diagnostic in JSON.
    fn places(&self) -> Vec<(String, Option<u64>, Option<u64>)> {
        let json = self.json();
        let place = |d: &serde_json::Value| {
            (d["code"].as_str().unwrap().to_owned(), d["line"].as_u64(), d["column"].as_u64())
        };
        json["diagnostics"].as_array().unwrap().iter().map(place).collect()
    }
}

fn beeline(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beeline"));
    command.current_dir(folder).env_remove("NO_COLOR");
    command
}

/// A small model without fault, as `beeline fmt` writes it.
const SWITCH: &str = "\
MACHINE Switch
VARIABLES
  on
INVARIANT
  on : BOOL
INITIALISATION
  on := FALSE
OPERATIONS
  toggle =
    on := bool(on = FALSE)
END
";
