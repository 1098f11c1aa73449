//! What is done when nobody says otherwise: the one place for the library and the program.

use crate::check::CheckOptions;
use crate::watched::WorkLimits;
use beeline_explore::{Limits, Options, Order};

/// How a model is checked.
pub(crate) fn options() -> CheckOptions {
    CheckOptions {
        explore: Options {
            order: Order::Auto,
            limits: Limits { memory_bytes: memory_bytes(), ..Limits::default() },
            ..Options::default()
        },
        ..CheckOptions::default()
    }
}

/// Where everything ends that is no exploration.
pub(crate) fn work_limits() -> WorkLimits {
    WorkLimits { memory_bytes: memory_bytes(), ..WorkLimits::default() }
}

/// Three quarters of the memory that the machine or its container allows, so that the system never
/// has to end the program; nothing where the system does not tell.
pub fn memory_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    // The second and the first version of control groups; a number without a limit is huge.
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group = |path: &&str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = groups.iter().filter_map(group).min().unwrap_or(u64::MAX);
    Some((kilobytes << 10).min(group) / 4 * 3)
}
