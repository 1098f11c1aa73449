//! The computer that a measurement was made on, and the date.

use serde::Serialize;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The computer.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Its processor.
    pub cpu: String,
    /// How many threads run at once.
    pub cores: usize,
    /// Its memory, where the system tells.
    pub memory_kib: Option<u64>,
    /// Its operating system.
    pub os: &'static str,
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let memory = field(&memory, "MemTotal");
        Machine {
            cpu: field(&cpus, "model name").unwrap_or("unknown processor").to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_kib: memory.and_then(|m| m.trim_end_matches(" kB").parse().ok()),
            os: std::env::consts::OS,
        }
    }
}

/// In a few words, for tables.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} cores, {}", self.cpu, self.cores, self.os)
    }
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|l| l.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim())
}

/// How many processes are ready to run beside ours, where the system tells.
pub fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Today in UTC, as `2026-01-31`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Days since 1970 as a date of the Gregorian calendar, counting years from March.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }

    #[test]
    fn what_the_system_tells_is_read() {
        let text = "processor\t: 0\nmodel name\t: Abacus 3\nMemTotal:       16 kB\n";
        assert_eq!(field(text, "model name"), Some("Abacus 3"));
        assert_eq!(field(text, "MemTotal"), Some("16 kB"));
        let machine =
            Machine { cpu: "Abacus 3".to_owned(), cores: 2, memory_kib: None, os: "none" };
        assert_eq!(machine.to_string(), "Abacus 3, 2 cores, none");
    }
}
