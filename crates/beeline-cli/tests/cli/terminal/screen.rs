//! A pseudo-terminal with a program on it, and the screen that a person would see.

use crate::Folder;
use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Nothing that is waited for takes so long on any machine; a test that fails takes it once.
const LONG: Duration = Duration::from_secs(120);

/// What has been written to the terminal.
struct Seen {
    parser: vt100::Parser,
    /// Every byte, in order.
    raw: Vec<u8>,
    closed: bool,
}

/// A running program and its terminal.
pub struct Screen {
    pty: Arc<Pty>,
    pub child: Child,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    reader: Option<JoinHandle<()>>,
}

/// A program to be started on a terminal.
pub struct Start {
    command: Command,
    rows: u16,
    columns: u16,
}

/// The program in this folder, with these arguments.
pub fn start(folder: &Folder, arguments: &[&str]) -> Start {
    let command = Command::new(env!("CARGO_BIN_EXE_beeline"))
        .args(arguments)
        .current_dir(&folder.0)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR");
    Start { command, rows: 24, columns: 100 }
}

impl Start {
    /// On a window of this width.
    pub fn columns(self, columns: u16) -> Start {
        Start { columns, ..self }
    }

    /// With a variable of the environment.
    pub fn env(self, name: &str, value: &str) -> Start {
        Start { command: self.command.env(name, value), ..self }
    }

    /// Standard output goes elsewhere.
    pub fn stdout(self, out: Stdio) -> Start {
        Start { command: self.command.stdout(out), ..self }
    }

    /// Standard error goes elsewhere.
    pub fn stderr(self, err: Stdio) -> Start {
        Start { command: self.command.stderr(err), ..self }
    }

    pub fn run(self) -> Screen {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(self.rows, self.columns)).unwrap();
        let child = self.command.spawn(pts).unwrap();
        let size = |n| NonZeroU16::new(n).unwrap();
        let parser = vt100::Parser::new(size(self.rows), size(self.columns), 1000);
        let seen = Seen { parser, raw: Vec::new(), closed: false };
        let (pty, seen) = (Arc::new(pty), Arc::new((Mutex::new(seen), Condvar::new())));
        let reader = std::thread::spawn({
            let (pty, seen) = (Arc::clone(&pty), Arc::clone(&seen));
            move || read(&pty, &seen)
        });
        Screen { pty, child, seen, reader: Some(reader) }
    }
}

/// Reads until the last process on the terminal is gone.
fn read(mut pty: &Pty, seen: &(Mutex<Seen>, Condvar)) {
    let mut bytes = [0; 4096];
    loop {
        let read = pty.read(&mut bytes).unwrap_or(0);
        let mut now = seen.0.lock().unwrap();
        now.parser.process(&bytes[..read]);
        now.raw.extend(&bytes[..read]);
        now.closed = read == 0;
        seen.1.notify_all();
        if read == 0 {
            return;
        }
    }
}

impl Screen {
    /// Types.
    pub fn send(&self, keys: &str) {
        { &*self.pty }.write_all(keys.as_bytes()).unwrap();
    }

    /// Presses Ctrl-C.
    pub fn interrupt(&self) {
        self.send("\u{3}");
    }

    /// Sends a signal to the program alone.
    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// Changes the width of the window.
    pub fn resize(&self, columns: u16) {
        let mut seen = self.seen.0.lock().unwrap();
        let rows = seen.parser.screen().size().0;
        seen.parser.screen_mut().set_size(rows, NonZeroU16::new(columns).unwrap());
        self.pty.resize(Size::new(rows.get(), columns)).unwrap();
    }

    /// What is on the screen, line by line, without what is empty at the end.
    pub fn lines(&self) -> Vec<String> {
        lines(&self.seen.0.lock().unwrap())
    }

    /// Every byte that was written.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen.0.lock().unwrap().raw).into_owned()
    }

    /// Waits until the screen shows what is wanted.
    #[track_caller]
    pub fn until(&self, what: &str, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        let begin = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            let lines = lines(&seen);
            if wanted(&lines) {
                return lines;
            }
            let ended = seen.closed || begin.elapsed() > LONG;
            assert!(!ended, "{what} was waited for in vain:\n{}", lines.join("\n"));
            seen = self.seen.1.wait_timeout(seen, Duration::from_secs(1)).unwrap().0;
        }
    }

    /// Waits until a line with this text is on the screen.
    #[track_caller]
    pub fn until_line(&self, text: &str) -> Vec<String> {
        self.until(text, |lines| lines.iter().any(|l| l.contains(text)))
    }

    /// Waits for the end of the program: its exit code, and what is left on the screen.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        let begin = Instant::now();
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if begin.elapsed() > LONG => {
                    panic!("the program does not end:\n{}", self.lines().join("\n"))
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        self.reader.take().unwrap().join().unwrap();
        (status.code(), self.lines(), self.raw())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(seen: &Seen) -> Vec<String> {
    let screen = seen.parser.screen();
    let mut lines: Vec<String> =
        screen.rows(0, screen.size().1.get()).map(|l| l.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
