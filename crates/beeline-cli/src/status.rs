//! One line on the terminal that tells how far work has come; nothing where nobody would see it.
//!
//! A thread of its own writes the line: a terminal that takes nothing for a while (Ctrl-S, a slow
//! connection) must hold up neither the work nor its limits. The line never fills the last column,
//! and the cursor rests at its beginning: if the window becomes narrower and the terminal wraps the
//! line, everything from the cursor on is still exactly the line.

use beeline::explore::Cancel;
use beeline::report::escape;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that is done sooner shows no line.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often the line is written anew.
const PERIOD: Duration = Duration::from_millis(200);
/// Columns of a terminal that does not tell.
const USUAL_COLUMNS: usize = 80;
/// How long leaving the program may wait for the terminal.
const LEAVING: Duration = Duration::from_millis(100);
/// Takes the line away, wherever the cursor is in its row.
const REMOVE: &str = "\r\u{1b}[J";

/// Is there a line on the terminal?
static SHOWN: AtomicBool = AtomicBool::new(false);
/// The program is being left: nobody may write a line any more.
static LEFT: AtomicBool = AtomicBool::new(false);

/// A part of the line. In a narrow window those of the highest rank are left out first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    rank: u8,
    text: String,
}

/// A part of the line.
pub fn part(rank: u8, text: String) -> Part {
    Part { rank, text }
}

/// The line, until it is ended.
pub struct Status {
    shared: Arc<Shared>,
    /// Nobody writes where nobody would see it.
    writer: Option<JoinHandle<()>>,
}

struct Shared {
    begin: Instant,
    cancel: Cancel,
    told: Mutex<Told>,
    woken: Condvar,
}

#[derive(Default)]
struct Told {
    parts: Vec<Part>,
    over: bool,
}

impl Status {
    /// A line on standard error, if that is a terminal. It tells as well that `cancel` was asked for.
    pub fn new(wanted: bool, cancel: &Cancel) -> Status {
        let shared = Arc::new(Shared {
            begin: Instant::now(),
            cancel: cancel.clone(),
            told: Mutex::default(),
            woken: Condvar::new(),
        });
        let dumb = || std::env::var_os("TERM").is_none_or(|t| t == "dumb");
        let visible = wanted && std::io::stderr().is_terminal() && !dumb();
        let writer = visible
            .then(|| Arc::clone(&shared))
            .and_then(|shared| std::thread::Builder::new().spawn(move || shared.write()).ok());
        Status { shared, writer }
    }

    /// What the line shows from now on.
    pub fn tell(&self, parts: Vec<Part>) {
        if self.writer.is_some() {
            self.shared.told().parts = parts;
        }
    }

    /// Removes the line. What is written after that stands where it was.
    pub fn end(&mut self) {
        let Some(writer) = self.writer.take() else { return };
        self.shared.told().over = true;
        self.shared.woken.notify_all();
        // A line that could not be written is no reason to fail.
        let _ = writer.join();
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of the writing thread. Nothing is locked while it writes.
    fn write(&self) {
        let (mut pause, mut last) = (PATIENCE, String::new());
        loop {
            let waited = self.woken.wait_timeout_while(self.told(), pause, |told| !told.over);
            let (told, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (over, parts) = (told.over, told.parts.clone());
            drop(told);
            if over {
                break;
            }
            let line = self.line(parts);
            if line != last && !LEFT.load(Ordering::Relaxed) {
                SHOWN.store(true, Ordering::Relaxed);
                print(&line);
                last = line;
            }
            pause = PERIOD;
        }
        if SHOWN.swap(false, Ordering::Relaxed) {
            print(REMOVE);
        }
    }

    /// What to write: the text over what is there, and the cursor back to the beginning.
    fn line(&self, mut parts: Vec<Part>) -> String {
        if self.cancel.is_cancelled() {
            parts = vec![
                part(0, "stopping".to_owned()),
                part(1, "Ctrl-C again to quit at once".to_owned()),
            ];
        }
        parts.push(part(1, format!("{} s", self.begin.elapsed().as_secs())));
        format!("\r{}\u{1b}[J\r", fitted(parts, columns().saturating_sub(1)))
    }
}

/// Columns of the terminal, now.
fn columns() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(USUAL_COLUMNS, |(width, _)| usize::from(width.0))
}

/// The most important parts that fit.
fn fitted(mut parts: Vec<Part>, columns: usize) -> String {
    loop {
        let texts: Vec<&str> = parts.iter().map(|p| p.text.as_str()).collect();
        let line = texts.join(", ");
        let least = parts.iter().enumerate().max_by_key(|(_, p)| p.rank).map(|(i, _)| i);
        match least {
            Some(least) if parts.len() > 1 && escape::fit(&line, columns) != line => {
                parts.remove(least);
            }
            _ => return escape::fit(&line, columns),
        }
    }
}

fn print(text: &str) {
    let mut err = std::io::stderr();
    // A terminal that cannot be written to is no reason to stop.
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Removes the line for good because the program ends at once, whether or not the terminal takes it.
pub fn remove() {
    LEFT.store(true, Ordering::Relaxed);
    if !SHOWN.load(Ordering::Relaxed) {
        return;
    }
    let (done, wait) = mpsc::channel();
    let writer = std::thread::Builder::new().spawn(move || {
        print(REMOVE);
        done.send(())
    });
    if writer.is_ok() {
        let _ = wait.recv_timeout(LEAVING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_important_parts_go_first() {
        let parts = || {
            let all = [(0, "120 states"), (4, "of about 500"), (2, "7 waiting"), (1, "3 s")];
            all.map(|(rank, text)| part(rank, text.to_owned())).to_vec()
        };
        assert_eq!(fitted(parts(), 80), "120 states, of about 500, 7 waiting, 3 s");
        assert_eq!(fitted(parts(), 39), "120 states, 7 waiting, 3 s");
        assert_eq!(fitted(parts(), 20), "120 states, 3 s");
        assert_eq!(fitted(parts(), 14), "120 states");
        assert_eq!(fitted(parts(), 4), "120 ");
        assert_eq!(fitted(parts(), 0), "");
    }
}
