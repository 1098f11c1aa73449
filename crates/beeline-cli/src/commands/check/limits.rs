//! Limits on the command line: seconds, sizes, numbers of threads.

use std::time::Duration;

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
    number.checked_mul(1 << shift).ok_or_else(|| "more than there is anywhere".to_owned())
}

/// At least one, and no more than anybody has.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

/// Three quarters of the memory that the machine or its container allows, so that the system never
/// has to end the program.
pub fn default_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    // The second and the first version of control groups; a number without a limit is huge.
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = |path: &&str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = groups.iter().filter_map(group).min().unwrap_or(u64::MAX);
    Some((kilobytes << 10).min(group) / 4 * 3)
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
