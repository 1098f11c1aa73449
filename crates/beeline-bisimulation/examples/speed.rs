//! How long it takes to minimise graphs of a million states and five million transitions, and what memory.
//!
//!     cargo run --release -p beeline-bisimulation --example speed

use beeline_bisimulation::{Builder, Graph, INTERNAL, Relation, minimise};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const STATES: u32 = 1_000_000;

/// Numbers from a fixed seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(n)) as u32
    }
}

/// Adds the edges of a state: labels and targets.
type Edges<'e> = dyn FnMut(u32, &mut Vec<(u32, u32)>) + 'e;
/// A kind of graph, by name.
type Kind = (&'static str, fn() -> Graph);

/// A graph whose states have their edges from a function.
fn graph(states: u32, edges: &mut Edges<'_>) -> Graph {
    let mut builder = Builder::new();
    let labels: Vec<u32> = (0..16).map(|i| builder.label(&format!("step({i})"))).collect();
    let mut row = Vec::new();
    for state in 0..states {
        row.clear();
        edges(state, &mut row);
        for (label, target) in &row {
            let label = if *label == 0 { INTERNAL } else { labels[*label as usize - 1] };
            builder.edge(label, *target);
        }
        builder.end_state().expect("there is room");
    }
    builder.finish(0, states as usize).expect("there is room")
}

/// Each state five edges with one of eleven labels: nearly all states differ, which shows after a few rounds.
fn random() -> Graph {
    let mut random = Random(1);
    graph(STATES, &mut |_, row| {
        row.extend((0..5).map(|_| (random.below(11), random.below(STATES))));
    })
}

/// Fifty copies of each of twenty thousand states, with edges to any copy.
fn copies() -> Graph {
    let mut random = Random(2);
    let classes = STATES / 50;
    let plan: Vec<[(u32, u32); 5]> =
        (0..classes).map(|_| [(); 5].map(|()| (random.below(11), random.below(classes)))).collect();
    graph(STATES, &mut |state, row| {
        let plan = &plan[(state % classes) as usize];
        row.extend(plan.iter().map(|(label, to)| (*label, to + classes * random.below(50))));
    })
}

/// Counters that run to their ends, a hundred values each: after hundreds of rounds all states differ.
fn cube() -> Graph {
    graph(STATES, &mut |state, row| {
        let digits = [state % 100, state / 100 % 100, state / 10_000];
        for (i, (digit, step)) in digits.into_iter().zip([1, 100, 10_000]).enumerate() {
            if digit < 99 {
                row.push((1 + i as u32, state + step));
                row.push((4, state + step));
            }
        }
        row.truncate(5);
    })
}

/// One long way: as many rounds as there are states, unless only a few of them are looked at in each.
fn chain() -> Graph {
    graph(STATES, &mut |state, row| {
        if state + 1 < STATES {
            row.extend([1, 2, 3, 4, 5].map(|label| (label, state + 1)));
        }
    })
}

/// Counters that run to their ends unseen, but for the last step of one of them: long internal ways, which is what
/// branching bisimulation is slow at.
fn hidden_cube() -> Graph {
    graph(STATES, &mut |state, row| {
        let digits = [state % 100, state / 100 % 100, state / 10_000];
        for (i, (digit, step)) in digits.into_iter().zip([1, 100, 10_000]).enumerate() {
            match digit {
                99 => {}
                98 if i == 0 => row.push((1, state + step)),
                _ => row.push((INTERNAL, state + step)),
            }
        }
    })
}

/// A chain of internal steps beside ones that show: each round looks at all states before the one that is told from
/// the others, and this takes quadratic time. So it is short.
fn chain_of_internal_steps() -> Graph {
    const SHORT: u32 = 4_000;
    graph(SHORT, &mut |state, row| {
        if state + 1 < SHORT {
            row.extend([INTERNAL, 1, 2, 3, 4 + state % 2].map(|label| (label, state + 1)));
        }
    })
}

/// The greatest number of bytes the process ever held, where the system tells.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// Seconds that a processor worked for this thread, where the system tells: on a busy machine that is less than
/// the clock says.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok());
    nanoseconds.unwrap_or(0) as f64 / 1e9
}

fn main() -> std::io::Result<()> {
    let never = AtomicBool::new(false);
    let mut out = std::io::stdout();
    let kinds: [Kind; 6] = [
        ("random", random),
        ("copies", copies),
        ("cube", cube),
        ("chain", chain),
        ("hidden cube", hidden_cube),
        ("chain of internal steps", chain_of_internal_steps),
    ];
    let only = std::env::args().nth(1);
    writeln!(
        out,
        "| graph | relation | states | transitions | classes | seconds | processor | peak MB |"
    )?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|")?;
    for (name, make) in kinds {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let graph = make();
        for relation in [Relation::Strong, Relation::Branching] {
            // Each from here on: the peak is reset where the system can do that.
            let _ = std::fs::write("/proc/self/clear_refs", "5");
            let (begin, worked) = (Instant::now(), processor_seconds());
            let small = minimise(&graph, relation, &never).expect("nobody interrupts");
            writeln!(
                out,
                "| {name} | {relation:?} | {} | {} | {} | {:.2} | {:.2} | {} |",
                graph.states(),
                graph.transitions(),
                small.graph.states(),
                begin.elapsed().as_secs_f64(),
                processor_seconds() - worked,
                peak_megabytes()
            )?;
        }
    }
    Ok(())
}
