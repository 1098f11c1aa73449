//! Limits on the command line: seconds, sizes, numbers of threads; Ctrl-C.

use crate::status;
use beeline::WorkLimits;
use beeline::compile::CutReason;
use beeline::explore::Cancel;
use std::time::Duration;

/// Limits of subcommands that evaluate something, but explore nothing.
#[derive(Debug, clap::Args)]
pub struct WorkArguments {
    /// Give up after S seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Give up when this much memory is in use: bytes, or with K, M, G (default: most of what is free)
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<u64>,
}

impl WorkArguments {
    /// The same for the library.
    pub fn limits(&self) -> WorkLimits {
        let memory_bytes = self.memory.or_else(beeline::default_memory_bytes);
        WorkLimits { time: self.timeout, memory_bytes, cancel: Cancel::new() }
    }

    /// The same; Ctrl-C ends the work as well, with an answer.
    pub fn limits_and_keyboard(&self) -> WorkLimits {
        let limits = self.limits();
        listen(&limits.cancel);
        limits
    }
}

/// Why work was broken off, for people.
pub fn words(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached; raise it with --timeout S",
        CutReason::Memory => "the memory limit was reached; raise it with --memory SIZE",
        _ => "it was interrupted",
    }
}

/// Which limit was reached, for reports.
pub fn reached(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        _ => "it was interrupted",
    }
}

/// Ctrl-C (or a request of the system to end) asks for an end; the second one ends the program.
pub fn listen(cancel: &Cancel) {
    let token = cancel.clone();
    // Without a handler Ctrl-C ends the program at once, which is no reason not to work.
    let _ = ctrlc::set_handler(move || {
        if token.is_cancelled() {
            leave();
        }
        token.cancel();
    });
}

/// Ends the program as an interrupt does.
fn leave() -> ! {
    status::remove();
    std::process::exit(130)
}

/// Seconds, with a fraction.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected seconds, for example 60".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "expected seconds, for example 60".to_owned())
}

/// Bytes, or with K, M, G, T.
pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim().trim_end_matches(['B', 'b', 'i']);
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, c)) if c.is_ascii_alphabetic() => (&text[..at], c.to_ascii_uppercase()),
        _ => (text, ' '),
    };
    let shift = match unit {
        ' ' => 0,
        'K' => 10,
        'M' => 20,
        'G' => 30,
        'T' => 40,
        _ => return Err("expected a size, for example 512M or 4G".to_owned()),
    };
    let number: u64 =
        digits.parse().map_err(|_| "expected a size, for example 512M or 4G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

/// At least one, and no more than anybody has.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_seconds() {
        assert_eq!(bytes("1G"), Ok(1 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("17"), Ok(17));
        assert!(bytes("x").is_err() && bytes("").is_err() && bytes("99999999999T").is_err());
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("nan").is_err());
        assert!(threads("0").is_err());
    }
}
