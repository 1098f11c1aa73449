//! The solver against enumeration of all assignments, on random small problems.
#![allow(clippy::unwrap_used)]

use beeline_solve::{Domain, Form, Space, Table, Term};
use oracle::{Random, compare, solutions};
use std::convert::Infallible;
use std::sync::Arc;

mod oracle;

const VARS: usize = 3;

fn term(r: &mut Random, depth: u32) -> Term {
    if depth == 0 {
        return match r.below(3) {
            0 => Term::Const(r.below(7) as i64 - 3),
            _ => Term::Var(r.below(VARS as u64) as usize),
        };
    }
    match r.below(8) {
        0 | 1 => Term::add(term(r, depth - 1), term(r, depth - 1)),
        2 => Term::sub(term(r, depth - 1), term(r, depth - 1)),
        3 => Term::product(term(r, depth - 1), term(r, depth - 1)),
        4 => {
            let table = (-1..3).map(|k| (k, term(r, 0))).collect();
            Term::Element(Box::new(Term::Var(r.below(VARS as u64) as usize)), table)
        }
        5 => Term::Count((0..3).map(|_| form(r, 0)).collect()),
        6 => Term::If(Box::new(form(r, 0)), Box::new(term(r, 0)), Box::new(term(r, 0))),
        _ => Term::sum(vec![(r.below(5) as i64 - 2, term(r, 0)), (3, term(r, 0))]),
    }
}

fn form(r: &mut Random, depth: u32) -> Form {
    let inner = depth.saturating_sub(1);
    match r.below(if depth == 0 { 4 } else { 10 }) {
        0 => Form::eq(term(r, inner), term(r, inner)),
        1 => Form::le(term(r, inner), term(r, inner)),
        2 => Form::not(Form::eq(term(r, inner), term(r, inner))),
        3 => Form::In(term(r, 0), vec![-2, 0, 1, 4].into()),
        4 => Form::and(vec![form(r, inner), form(r, inner)]),
        5 => Form::or(vec![form(r, inner), form(r, inner), form(r, inner)]),
        6 => Form::iff(form(r, inner), form(r, inner)),
        7 => Form::not(form(r, inner)),
        8 => {
            let rows: Vec<i64> = (0..3 * r.below(12)).map(|_| r.below(4) as i64 - 1).collect();
            let terms = vec![term(r, inner), term(r, 0), term(r, 0)];
            Form::Table(terms, Arc::new(Table::new(3, &rows)))
        }
        _ => Form::AllDifferent(vec![term(r, 0), term(r, 0), term(r, 0)]),
    }
}

#[test]
fn all_solutions_of_random_problems() {
    let mut r = Random(0x1234_5678_9ABC_DEF1);
    for _ in 0..20_000 {
        let forms: Vec<Form> = (0..1 + r.below(3)).map(|_| form(&mut r, 2)).collect();
        // Domains inside the tables' keys, so that every term has a value.
        let bounds: Vec<(i64, i64)> = (0..VARS)
            .map(|_| {
                let lo = r.below(3) as i64 - 1;
                (lo, (lo + r.below(3) as i64).min(2))
            })
            .collect();
        compare(&forms, &bounds);
    }
}

#[test]
fn wide_domains_are_narrowed_by_bounds() {
    // x + y = 1000000, x - y = 2, over a billion values each.
    let (x, y) = (Term::Var(0), Term::Var(1));
    let forms = [
        Form::eq(Term::add(x.clone(), y.clone()), Term::Const(1_000_000)),
        Form::eq(Term::sub(x, y), Term::Const(2)),
    ];
    let found = solutions(&forms, &[(500_000, 500_100), (0, 1_000_000_000)]);
    assert_eq!(found, vec![vec![500_001, 499_999]]);
}

#[test]
fn bounds_that_creep_do_not_hold_up_the_search() {
    // x < y and y < x over billions: narrowing alone would take that many steps.
    let mut space = Space::new();
    let wide = || Domain::between(0, 1 << 40).expect("a domain");
    let (x, y) = (space.var(wide()), space.var(wide()));
    let less = |a, b| Form::le(Term::add(Term::Var(a), Term::Const(1)), Term::Var(b));
    space.post(less(x, y));
    space.post(less(y, x));
    let mut nodes = 0;
    let ended: Result<(), ()> = space.solve(
        &[x, y],
        &mut |_| {
            nodes += 1;
            if nodes < 3 { Ok(true) } else { Err(()) }
        },
        &mut |_| panic!("there is no solution"),
    );
    assert_eq!(ended, Err(()), "who asks can end it");
}

#[test]
fn tables_keep_what_some_row_supports() {
    let rows = [1, 1, 5, 1, 2, 6, 2, 3, 7, 200, 3, 8, 200, 3, 8];
    let table = Arc::new(Table::new(3, &rows));
    assert_eq!((table.arity(), table.len()), (3, 4));
    let mut space = Space::new();
    let (x, y, z) = (
        space.var(Domain::between(0, 1000).unwrap()),
        space.var(Domain::between(2, 3).unwrap()),
        space.var(Domain::between(0, 7).unwrap()),
    );
    // The last column is reached through a sum.
    let terms = vec![Term::Var(x), Term::Var(y), Term::add(Term::Var(z), Term::Const(1))];
    space.post(Form::Table(terms, table));
    assert_eq!(space.propagate(), Ok(()));
    assert_eq!((space.domain(x).lo(), space.domain(x).hi()), (1, 200));
    let left: Vec<i64> = (0..9).filter(|v| space.domain(z).contains(*v)).collect();
    assert_eq!(left, vec![5, 6, 7]);
}

#[test]
fn a_long_table_finds_its_rows() {
    // x * y = z modulo 211 for all x, y: 44521 rows, many values in each column.
    let rows: Vec<i64> =
        (0..211 * 211).flat_map(|n| [n / 211, n % 211, n / 211 * (n % 211) % 211]).collect();
    let table = Arc::new(Table::new(3, &rows));
    let mut space = Space::new();
    let x = space.var(Domain::between(0, 210).unwrap());
    let y = space.var(Domain::between(0, 210).unwrap());
    let form = |z| Form::Table(vec![Term::Var(x), Term::Var(y), Term::Const(z)], table.clone());
    space.post(form(17));
    space.post(Form::le(Term::Var(x), Term::Const(5)));
    let mut found = Vec::new();
    let outcome: Result<(), Infallible> = space.solve(&[x, y], &mut |_| Ok(true), &mut |s| {
        found.push((s.value(x).unwrap(), s.value(y).unwrap()));
        Ok(())
    });
    assert!(outcome.is_ok());
    found.sort_unstable();
    // 17 / x modulo the prime 211.
    assert_eq!(found, vec![(1, 17), (2, 114), (3, 76), (4, 57), (5, 130)]);
}
