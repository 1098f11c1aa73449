//! Memory of the process, for limits.

/// Bytes of this process in memory, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    // Pages are 4 KiB on all systems that have this file and that Beeline runs on.
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
