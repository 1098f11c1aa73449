//! Well-known problems with known numbers of solutions: how long they take, how much is looked at.
//!
//!     cargo run --release -p beeline-solve --example puzzles [NAME]
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use beeline_solve::{Domain, Form, Space, Table, Term};
use std::sync::Arc;
use std::time::Instant;

fn c(n: i64) -> Term {
    Term::Const(n)
}

fn v(var: usize) -> Term {
    Term::Var(var)
}

fn ne(a: Term, b: Term) -> Form {
    Form::not(Form::eq(a, b))
}

fn less(a: Term, b: Term) -> Form {
    Form::not(Form::le(b, a))
}

fn vars(space: &mut Space, n: usize, lo: i64, hi: i64) -> Vec<usize> {
    (0..n).map(|_| space.var(Domain::between(lo, hi).unwrap())).collect()
}

fn flag(space: &mut Space) -> Form {
    Form::eq(v(space.var(Domain::between(0, 1).unwrap())), c(1))
}

fn different(vars: &[usize]) -> Form {
    Form::AllDifferent(vars.iter().map(|x| v(*x)).collect())
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

/// Rows, columns and boxes; `pairwise` says it with inequalities only.
fn sudoku(box_size: usize, givens: &str, pairwise: bool) -> Space {
    let n = box_size * box_size;
    let mut space = Space::new();
    let cells = vars(&mut space, n * n, 1, n as i64);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..n {
        groups.push((0..n).map(|j| cells[i * n + j]).collect());
        groups.push((0..n).map(|j| cells[j * n + i]).collect());
        let (top, left) = (i / box_size * box_size, i % box_size * box_size);
        groups
            .push((0..n).map(|j| cells[(top + j / box_size) * n + left + j % box_size]).collect());
    }
    for group in &groups {
        if pairwise {
            pairs(n).for_each(|(i, j)| space.post(ne(v(group[i]), v(group[j]))));
        } else {
            space.post(different(group));
        }
    }
    for (cell, given) in givens.chars().filter(|g| !g.is_whitespace()).enumerate() {
        if let Some(digit) = given.to_digit(17) {
            space.post(Form::eq(v(cells[cell]), c(i64::from(digit))));
        }
    }
    space
}

/// Among the hardest for people: 21 givens.
const HARD: &str =
    "8........ ..36..... .7..9.2.. .5...7... ....457.. ...1...3. ..1....68 ..85...1. .9....4..";

/// A 16x16 grid with digits 1..9, a..g; every cell of a shuffled pattern with a third kept.
fn large_sudoku() -> String {
    let mut seed = 88_172_645_463_325_252u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    (0..256)
        .map(|cell| {
            let (row, column) = (cell / 16, cell % 16);
            let digit = (row % 4 * 4 + row / 4 + column) % 16;
            let shuffled = (digit * 7 + 3) % 16 + 1;
            if random() % 100 < 44 {
                std::char::from_digit(shuffled as u32, 17).unwrap()
            } else {
                '.'
            }
        })
        .collect()
}

fn latin(n: usize, first: bool) -> Space {
    let mut space = Space::new();
    let cells = vars(&mut space, n * n, 0, n as i64 - 1);
    for i in 0..n {
        space.post(different(&cells[i * n..i * n + n]));
        space.post(different(&(0..n).map(|j| cells[j * n + i]).collect::<Vec<_>>()));
        if first {
            space.post(Form::eq(v(cells[i]), c(i as i64)));
            space.post(Form::eq(v(cells[i * n]), c(i as i64)));
        }
    }
    space
}

fn queens(n: usize) -> Space {
    let mut space = Space::new();
    let q = vars(&mut space, n, 1, n as i64);
    space.post(different(&q));
    for (i, j) in pairs(n) {
        let (a, b, d) = (v(q[i]), v(q[j]), (j - i) as i64);
        space.post(ne(Term::add(a.clone(), c(d)), b.clone()));
        space.post(ne(Term::sub(a, c(d)), b));
    }
    space
}

/// Marks 0 = m1 < m2 < ...; no two distances are equal.
fn golomb(marks: usize, length: i64, as_set: bool) -> Space {
    let mut space = Space::new();
    let m = vars(&mut space, marks, 0, length);
    space.post(Form::eq(v(m[0]), c(0)));
    for i in 1..marks {
        space.post(less(v(m[i - 1]), v(m[i])));
    }
    let distances: Vec<Term> = pairs(marks).map(|(i, j)| Term::sub(v(m[j]), v(m[i]))).collect();
    if as_set {
        space.post(Form::AllDifferent(distances));
    } else {
        for (i, j) in pairs(distances.len()) {
            space.post(ne(distances[i].clone(), distances[j].clone()));
        }
    }
    space
}

/// Permutations that keep the edges of a graph; by table, or by element of element.
fn automorphisms(n: usize, edges: &[(usize, usize)], by_table: bool) -> Space {
    let mut space = Space::new();
    let p = vars(&mut space, n, 0, n as i64 - 1);
    space.post(different(&p));
    let linked = |a: usize, b: usize| edges.contains(&(a, b)) || edges.contains(&(b, a));
    let rows: Vec<i64> = (0..n * n)
        .filter(|x| linked(x / n, x % n))
        .flat_map(|x| [(x / n) as i64, (x % n) as i64])
        .collect();
    let table = Arc::new(Table::new(2, &rows));
    for (i, j) in pairs(n) {
        let form = if by_table {
            Form::table(vec![v(p[i]), v(p[j])], table.clone())
        } else {
            let hits = rows
                .chunks(2)
                .map(|r| Form::and(vec![Form::eq(v(p[i]), c(r[0])), Form::eq(v(p[j]), c(r[1]))]));
            Form::or(hits.collect())
        };
        space.post(if linked(i, j) { form } else { Form::not(form) });
    }
    space
}

fn petersen() -> Vec<(usize, usize)> {
    (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect()
}

fn cube(dimensions: usize) -> Vec<(usize, usize)> {
    (0..1 << dimensions)
        .flat_map(|a: usize| (0..dimensions).map(move |d| (a, a ^ 1 << d)))
        .filter(|(a, b)| a < b)
        .collect()
}

fn send_more_money() -> Space {
    let mut space = Space::new();
    let x = vars(&mut space, 8, 0, 9);
    let [s, e, n, d, m, o, r, y] = x[..] else { return space };
    let number = |letters: &[usize]| {
        letters.iter().fold(c(0), |t, x| Term::add(Term::sum(vec![(10, t)]), v(*x)))
    };
    space.post(different(&x));
    space.post(Form::eq(
        Term::add(number(&[s, e, n, d]), number(&[m, o, r, e])),
        number(&[m, o, n, e, y]),
    ));
    space.post(Form::le(c(1), v(s)));
    space.post(Form::le(c(1), v(m)));
    space
}

fn magic(n: usize) -> Space {
    let mut space = Space::new();
    let x = vars(&mut space, n * n, 1, (n * n) as i64);
    let sum = (n * (n * n + 1) / 2) as i64;
    space.post(different(&x));
    let mut line = |cells: Vec<usize>| {
        let parts = cells.iter().map(|i| (1, v(x[*i]))).collect();
        space.post(Form::eq(Term::sum(parts), c(sum)));
    };
    for i in 0..n {
        line((0..n).map(|j| i * n + j).collect());
        line((0..n).map(|j| j * n + i).collect());
    }
    line((0..n).map(|j| j * n + j).collect());
    line((0..n).map(|j| j * n + n - 1 - j).collect());
    space.post(less(v(x[0]), v(x[n - 1])));
    space.post(less(v(x[0]), v(x[n * n - 1])));
    space.post(less(v(x[n - 1]), v(x[n * (n - 1)])));
    space
}

/// Sets of flags: k-subsets of 1..n that are independent in a cycle.
fn independent(n: usize, k: i64) -> Space {
    let mut space = Space::new();
    let s: Vec<Form> = (0..n).map(|_| flag(&mut space)).collect();
    for i in 0..n {
        space.post(Form::or(vec![Form::not(s[i].clone()), Form::not(s[(i + 1) % n].clone())]));
    }
    space.post(Form::eq(Term::Count(s), c(k)));
    space
}

/// Triples of points such that each pair is in exactly one.
fn steiner(points: usize) -> Space {
    let blocks = points * (points - 1) / 6;
    let mut space = Space::new();
    let inside: Vec<Vec<Form>> =
        (0..blocks).map(|_| (0..points).map(|_| flag(&mut space)).collect()).collect();
    for block in &inside {
        space.post(Form::eq(Term::Count(block.clone()), c(3)));
    }
    for (i, j) in pairs(points) {
        let both = inside.iter().map(|b| Form::and(vec![b[i].clone(), b[j].clone()])).collect();
        space.post(Form::eq(Term::Count(both), c(1)));
    }
    // Blocks in order, by their numbers.
    let number = |b: &Vec<Form>| {
        let parts = b.iter().enumerate().map(|(i, f)| {
            (1 << (points - i), Term::If(Box::new(f.clone()), Box::new(c(1)), Box::new(c(0))))
        });
        Term::sum(parts.collect())
    };
    for pair in inside.windows(2) {
        space.post(less(number(&pair[1]), number(&pair[0])));
    }
    space
}

/// More pigeons than holes, as yes-or-no for each pair.
fn pigeons(n: usize) -> Space {
    let mut space = Space::new();
    let sits: Vec<Vec<Form>> =
        (0..=n).map(|_| (0..n).map(|_| flag(&mut space)).collect()).collect();
    for pigeon in &sits {
        space.post(Form::or(pigeon.clone()));
    }
    for (i, j) in pairs(n + 1) {
        for (a, b) in sits[i].iter().zip(&sits[j]) {
            space.post(Form::or(vec![Form::not(a.clone()), Form::not(b.clone())]));
        }
    }
    space
}

/// Random clauses of three literals.
fn three_sat(n: usize, clauses: usize) -> Space {
    let mut seed = 0x2545_F491_4F6C_DD1Du64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) % below
    };
    let mut space = Space::new();
    let flags: Vec<Form> = (0..n).map(|_| flag(&mut space)).collect();
    for _ in 0..clauses {
        let literals = (0..3).map(|_| {
            let form = flags[random(n as u64) as usize].clone();
            if random(2) == 0 { form } else { Form::not(form) }
        });
        space.post(Form::or(literals.collect()));
    }
    space
}

/// Jobs of given lengths on one machine: any two do not overlap.
fn jobs(lengths: &[i64], end: i64) -> Space {
    let mut space = Space::new();
    let s = vars(&mut space, lengths.len(), 0, end);
    for (i, l) in lengths.iter().enumerate() {
        space.post(Form::le(Term::add(v(s[i]), c(*l)), c(end)));
    }
    for (i, j) in pairs(lengths.len()) {
        space.post(Form::or(vec![
            Form::le(Term::add(v(s[i]), c(lengths[i])), v(s[j])),
            Form::le(Term::add(v(s[j]), c(lengths[j])), v(s[i])),
        ]));
    }
    space
}

/// All-interval series: a permutation whose neighbours' distances are one, too.
fn series(n: usize) -> Space {
    let mut space = Space::new();
    let s = vars(&mut space, n, 0, n as i64 - 1);
    let d = vars(&mut space, n - 1, 1, n as i64 - 1);
    space.post(different(&s));
    space.post(different(&d));
    for i in 0..n - 1 {
        let up = Form::eq(Term::sub(v(s[i + 1]), v(s[i])), v(d[i]));
        let down = Form::eq(Term::sub(v(s[i]), v(s[i + 1])), v(d[i]));
        space.post(Form::or(vec![up, down]));
    }
    space
}

/// Permutations that are their own inverse: f(f(x)) = x.
fn involutions(n: usize) -> Space {
    let mut space = Space::new();
    let f = vars(&mut space, n, 0, n as i64 - 1);
    space.post(different(&f));
    for i in 0..n {
        let table = (0..n).map(|j| (j as i64, v(f[j]))).collect();
        space.post(Form::eq(Term::Element(Box::new(v(f[i])), table), c(i as i64)));
    }
    space
}

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
}
