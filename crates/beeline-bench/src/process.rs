//! A process under watch: run to its end, or to a limit, and what it cost.
//!
//! Figures are the system's, not those of the program. It refuses to know what is run.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a process is watched.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    limit: Option<Duration>,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    memory: bool,
    most_bytes: u64,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How; nothing if it was ended from outside.
    pub status: Option<ExitStatus>,
    /// What it wrote, or the beginning of that.
    pub output: Vec<u8>,
    /// The same on the stream for errors.
    pub errors: Vec<u8>,
    /// What it cost.
    pub cost: Cost,
}

/// The cost of one process and those that it started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// From start to end.
    pub wall_seconds: f64,
    /// In user and system mode; in hundredths of a second. The number to trust on a busy machine.
    pub cpu_seconds: f64,
    /// The most that the process itself ever held, if that was asked for.
    pub peak_kib: u64,
}

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(3);

impl Default for Watch<'_> {
    fn default() -> Self {
        Watch { limit: None, stop: None, memory: false, most_bytes: 1 << 30 }
    }
}

impl<'a> Watch<'a> {
    /// Nobody interferes.
    pub fn new() -> Watch<'a> {
        Watch::default()
    }

    /// It is ended after so much time.
    #[must_use]
    pub fn limit(self, time: Duration) -> Watch<'a> {
        Watch { limit: Some(time), ..self }
    }

    /// It is ended as soon as this says so.
    #[must_use]
    pub fn stop(self, asked: &'a (dyn Fn() -> bool + Sync)) -> Watch<'a> {
        Watch { stop: Some(asked), ..self }
    }

    /// Its memory is looked at.
    #[must_use]
    pub fn memory(self) -> Watch<'a> {
        Watch { memory: true, ..self }
    }

    /// So much of each stream is kept; the rest is read and forgotten.
    #[must_use]
    pub fn keep(self, bytes: u64) -> Watch<'a> {
        Watch { most_bytes: bytes, ..self }
    }

    /// Runs a command to its end.
    pub fn run(self, command: &mut Command) -> Result<Ended, String> {
        let begin = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
        let pipes = (child.stdout.take(), child.stderr.take());
        let watched = Watched::new(child);
        std::thread::scope(|scope| {
            // Only what somebody asks for costs time.
            if self.memory || self.stop.is_some() || self.limit.is_some() {
                scope.spawn(|| watched.guard(self, begin));
            }
            let errors = scope.spawn(|| beginning(pipes.1, self.most_bytes));
            // A process that ends closes its streams: nobody sleeps longer than it lives.
            let output = beginning(pipes.0, self.most_bytes);
            let errors = errors.join().unwrap_or_default();
            let ended = watched.await_end();
            let wall_seconds = begin.elapsed().as_secs_f64();
            let (status, cpu_seconds) = ended.map_err(|e| format!("{command:?}: {e}"))?;
            let seen = *lock(&watched.seen);
            let status = (!seen.ended).then_some(status);
            let cost = Cost { wall_seconds, cpu_seconds, peak_kib: seen.peak_kib };
            Ok(Ended { status, output, errors, cost })
        })
    }
}

/// A process that runs.
struct Watched {
    pid: u32,
    child: Mutex<Child>,
    seen: Mutex<Seen>,
    changed: Condvar,
}

/// What is known of a process.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// It is gone: nobody needs to look any more.
    over: bool,
    /// It was ended from outside.
    ended: bool,
    peak_kib: u64,
}

impl Watched {
    fn new(child: Child) -> Watched {
        let pid = child.id();
        Watched { pid, child: Mutex::new(child), seen: Mutex::default(), changed: Condvar::new() }
    }

    /// Looks at a process until it is over, and ends it when that is due.
    fn guard(&self, watch: Watch<'_>, begin: Instant) {
        let mut seen = lock(&self.seen);
        while !seen.over {
            if watch.memory {
                let status = system_file(self.pid, "status");
                seen.peak_kib = seen.peak_kib.max(peak_kib(&status).unwrap_or(0));
            }
            let late = watch.limit.is_some_and(|limit| begin.elapsed() > limit);
            if late || watch.stop.is_some_and(|asked| asked()) {
                seen.ended = true;
                // What is not there any more needs no end.
                let _ = lock(&self.child).kill();
                return;
            }
            let waited = self.changed.wait_timeout(seen, LOOK);
            (seen, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the end of a process that has closed its streams; also its processor time.
    fn await_end(&self) -> std::io::Result<(ExitStatus, f64)> {
        let mut cpu_seconds = 0.0;
        let status = loop {
            // The system forgets a process as soon as somebody has heard of its end.
            cpu_seconds = cpu_of(&system_file(self.pid, "stat")).unwrap_or(cpu_seconds);
            match lock(&self.child).try_wait() {
                Ok(None) => {}
                Ok(Some(status)) => break Ok(status),
                Err(error) => break Err(error),
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        lock(&self.seen).over = true;
        self.changed.notify_all();
        status.map(|status| (status, cpu_seconds))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a stream to its end, but keeps the beginning only.
fn beginning(stream: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What cannot be read is not there, and that is noticed.
        let _ = stream.by_ref().take(most).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    }
    bytes
}

/// What the system tells of a process, where it does.
fn system_file(pid: u32, name: &str) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default()
}

/// The most that a process ever held.
fn peak_kib(status: &str) -> Option<u64> {
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time of a process and of its children that have ended, in ticks of a hundredth.
fn cpu_of(stat: &str) -> Option<f64> {
    // The name of the program may contain anything, up to the last parenthesis.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<f64>());
    ticks.sum::<Result<f64, _>>().ok().map(|ticks| ticks / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 20 10 1 2";
        assert_eq!(cpu_of(stat), Some(2.3));
        assert_eq!(cpu_of("nothing"), None);
        let status = "Name:\tbeeline\nVmHWM:\t   20532 kB\nVmRSS:\t   13716 kB\n";
        assert_eq!(peak_kib(status), Some(20_532));
        assert_eq!(peak_kib("Name:\tx\n"), None);
    }

    #[cfg(unix)]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[cfg(unix)]
    #[test]
    fn a_process_tells_what_it_wrote_and_how_it_ended() {
        let watch = Watch::new().limit(Duration::from_secs(600)).memory().keep(4);
        let ended = watch.run(&mut shell("echo output; echo errors >&2; exit 3")).unwrap();
        assert_eq!(ended.status.and_then(|s| s.code()), Some(3));
        assert_eq!((ended.output, ended.errors), (b"outp".to_vec(), b"erro".to_vec()));
        assert!(ended.cost.wall_seconds > 0.0);
        assert!(Watch::new().run(&mut Command::new("/no/such/program")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn one_that_does_not_end_is_ended() {
        let endless = || shell("exec sleep 600");
        let late = Watch::new().limit(Duration::from_millis(1)).run(&mut endless()).unwrap();
        assert_eq!(late.status, None);
        let asked = || true;
        let stopped = Watch::new().stop(&asked).run(&mut endless()).unwrap();
        assert_eq!(stopped.status, None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_is_counted() {
        let work = "i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done";
        let ended = Watch::new().run(&mut shell(work)).unwrap();
        assert!(ended.cost.cpu_seconds > 0.0, "{:?}", ended.cost);
    }
}
