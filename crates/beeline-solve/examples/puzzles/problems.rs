//! Well-known problems in the solver's own words.
#![allow(dead_code, clippy::unwrap_used)]

use beeline_solve::{Domain, Form, Space, Table, Term};
use std::sync::Arc;

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
pub fn sudoku(box_size: usize, givens: &str, pairwise: bool) -> Space {
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
pub const HARD: &str =
    "8........ ..36..... .7..9.2.. .5...7... ....457.. ...1...3. ..1....68 ..85...1. .9....4..";

/// A 16x16 grid with digits 1..9, a..g; every cell of a shuffled pattern with a third kept.
pub fn large_sudoku() -> String {
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

/// Rows and columns are permutations; `first` says that the first row and column are in order.
pub fn latin(n: usize, first: bool) -> Space {
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

/// Queens that do not attack each other, one in each row.
pub fn queens(n: usize) -> Space {
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
pub fn golomb(marks: usize, length: i64, as_set: bool) -> Space {
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
pub fn automorphisms(n: usize, edges: &[(usize, usize)], by_table: bool) -> Space {
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

/// The Petersen graph.
pub fn petersen() -> Vec<(usize, usize)> {
    (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect()
}

/// A cube of any dimension.
pub fn cube(dimensions: usize) -> Vec<(usize, usize)> {
    (0..1 << dimensions)
        .flat_map(|a: usize| (0..dimensions).map(move |d| (a, a ^ 1 << d)))
        .filter(|(a, b)| a < b)
        .collect()
}

/// Digits for letters.
pub fn send_more_money() -> Space {
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

/// A magic square, without its reflections.
pub fn magic(n: usize) -> Space {
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
pub fn independent(n: usize, k: i64) -> Space {
    let mut space = Space::new();
    let s: Vec<Form> = (0..n).map(|_| flag(&mut space)).collect();
    for i in 0..n {
        space.post(Form::or(vec![Form::not(s[i].clone()), Form::not(s[(i + 1) % n].clone())]));
    }
    space.post(Form::eq(Term::Count(s), c(k)));
    space
}

/// Triples of points such that each pair is in exactly one.
pub fn steiner(points: usize) -> Space {
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
pub fn pigeons(n: usize) -> Space {
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
pub fn three_sat(n: usize, clauses: usize) -> Space {
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
pub fn jobs(lengths: &[i64], end: i64) -> Space {
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
pub fn series(n: usize) -> Space {
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
pub fn involutions(n: usize) -> Space {
    let mut space = Space::new();
    let f = vars(&mut space, n, 0, n as i64 - 1);
    space.post(different(&f));
    for i in 0..n {
        let table = (0..n).map(|j| (j as i64, v(f[j]))).collect();
        space.post(Form::eq(Term::Element(Box::new(v(f[i])), table), c(i as i64)));
    }
    space
}

/// What a guard may ask: three names, a few conditions.
pub fn small() -> Space {
    let mut space = Space::new();
    let x = vars(&mut space, 3, 0, 5);
    space.post(less(v(x[0]), v(x[1])));
    space.post(ne(v(x[1]), v(x[2])));
    space.post(Form::or(vec![Form::eq(v(x[0]), c(2)), less(v(x[2]), v(x[0]))]));
    space.post(Form::eq(Term::add(v(x[0]), v(x[2])), v(x[1])));
    space
}
