//! Well-known problems with known numbers of solutions: how long they take, how much is looked at.
//!
//!     cargo run --release -p beeline-solve --example puzzles [NAME]
#![allow(clippy::print_stdout)]

use beeline_solve::Space;
use problems::*;
use std::time::Instant;

mod problems;

struct Run {
    solutions: u64,
    nodes: u64,
    longest: f64,
}

fn run(mut space: Space) -> (Run, Space) {
    let order: Vec<usize> = (0..space.len()).collect();
    let (mut nodes, mut solutions) = (0, 0);
    let all = Instant::now();
    let (mut asked, mut longest) = (cpu(all), 0f64);
    let outcome = space.solve(
        &order,
        &mut |s| {
            nodes += 1;
            // Asking the system takes longer than most nodes.
            if nodes % 16 == 0 {
                let now = cpu(all);
                longest = longest.max(now - asked);
                asked = now;
            }
            // So that a hopeless one ends.
            if s.work > 400_000_000 { Err(()) } else { Ok(true) }
        },
        &mut |_| {
            solutions += 1;
            Ok(())
        },
    );
    if outcome.is_err() {
        solutions = u64::MAX;
    }
    (Run { solutions, nodes, longest }, space)
}

/// Time of the processor, where the system tells it; else time of the clock.
fn cpu(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|s| s.split_whitespace().next()?.parse::<f64>().ok());
    nanos.map_or_else(|| start.elapsed().as_secs_f64() * 1e3, |n| n / 1e6)
}

type Puzzle = (&'static str, u64, Box<dyn Fn() -> Space>);

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let puzzles: Vec<Puzzle> = vec![
        ("sudoku-hard", 1, Box::new(|| sudoku(3, HARD, false))),
        ("sudoku-hard-pairwise", 1, Box::new(|| sudoku(3, HARD, true))),
        ("sudoku-16", 216, Box::new(|| sudoku(4, &large_sudoku(), false))),
        ("sudoku-16-pairwise", 216, Box::new(|| sudoku(4, &large_sudoku(), true))),
        ("latin-5", 161_280, Box::new(|| latin(5, false))),
        ("latin-6-reduced", 9_408, Box::new(|| latin(6, true))),
        ("queens-8", 92, Box::new(|| queens(8))),
        ("queens-10", 724, Box::new(|| queens(10))),
        ("golomb-7-25", 10, Box::new(|| golomb(7, 25, false))),
        ("golomb-7-25-set", 10, Box::new(|| golomb(7, 25, true))),
        ("golomb-8-34", 2, Box::new(|| golomb(8, 34, true))),
        ("petersen-table", 120, Box::new(|| automorphisms(10, &petersen(), true))),
        ("petersen-or", 120, Box::new(|| automorphisms(10, &petersen(), false))),
        ("cube-4-table", 384, Box::new(|| automorphisms(16, &cube(4), true))),
        ("cube-4-or", 384, Box::new(|| automorphisms(16, &cube(4), false))),
        ("send-more-money", 1, Box::new(send_more_money)),
        ("magic-3", 1, Box::new(|| magic(3))),
        ("magic-4", 880, Box::new(|| magic(4))),
        ("independent-24-8", 19_305, Box::new(|| independent(24, 8))),
        ("independent-60-2", 1_710, Box::new(|| independent(60, 2))),
        ("steiner-7", 30, Box::new(|| steiner(7))),
        ("pigeons-7", 0, Box::new(|| pigeons(7))),
        ("three-sat-80", 0, Box::new(|| three_sat(80, 380))),
        ("jobs-6", 20_160, Box::new(|| jobs(&[5, 3, 4, 6, 2, 3], 25))),
        ("series-10", 296, Box::new(|| series(10))),
        ("involutions-9", 2_620, Box::new(|| involutions(9))),
    ];
    let all = Instant::now();
    for (name, expected, make) in puzzles {
        if !name.contains(&wanted) {
            continue;
        }
        let before = cpu(all);
        let (run, space) = run(make());
        let verdict = if run.solutions == expected {
            String::new()
        } else if run.solutions == u64::MAX {
            "  GAVE UP".to_owned()
        } else {
            format!("  WRONG: expected {expected}")
        };
        println!(
            "{name:22} {:8} solutions {:9} nodes {:11} work {:9.1} ms, 16 nodes {:5.1} ms{verdict}",
            if verdict.contains("UP") { 0 } else { run.solutions },
            run.nodes,
            space.work,
            cpu(all) - before,
            run.longest,
        );
    }
    if "many-small".contains(&wanted) {
        let (before, mut solutions) = (cpu(all), 0);
        for _ in 0..10_000 {
            solutions += run(small()).0.solutions;
        }
        println!("many-small             {solutions:8} solutions {:47.1} ms", cpu(all) - before);
    }
}
