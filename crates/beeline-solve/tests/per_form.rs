//! Each kind of constraint against enumeration, alone and several at once, in the shapes that have
//! code of their own.
#![allow(clippy::unwrap_used)]

use beeline_solve::{Form, Table, Term};
use oracle::{Random, compare, expected, solutions};
use std::sync::Arc;

mod oracle;

const ROUNDS: usize = 800;

fn number(r: &mut Random, lo: i64, hi: i64) -> i64 {
    lo + r.below((hi - lo + 1) as u64) as i64
}

fn var(r: &mut Random, n: usize) -> Term {
    Term::Var(r.below(n as u64) as usize)
}

/// Different variables.
fn several(r: &mut Random, n: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    (0..count.min(n)).map(|_| all.swap_remove(r.below(all.len() as u64) as usize)).collect()
}

fn bounds(r: &mut Random, n: usize, lo: i64, width: i64) -> Vec<(i64, i64)> {
    (0..n)
        .map(|_| {
            let lo = number(r, lo, lo + 1);
            (lo, lo + number(r, 0, width))
        })
        .collect()
}

fn sum(r: &mut Random, n: usize, parts: usize) -> Term {
    let mut parts: Vec<(i64, Term)> = (0..parts).map(|_| (number(r, -3, 3), var(r, n))).collect();
    parts.push((1, Term::Const(number(r, -4, 4))));
    Term::sum(parts)
}

fn linear(r: &mut Random, n: usize) -> Form {
    let (a, b) = (1 + r.below(3) as usize, r.below(3) as usize);
    let (a, b) = (sum(r, n, a), sum(r, n, b));
    match r.below(4) {
        0 => Form::eq(a, b),
        1 => Form::not(Form::eq(a, b)),
        2 => Form::le(a, b),
        _ => Form::not(Form::le(a, b)),
    }
}

fn literal(r: &mut Random, n: usize) -> Form {
    let (x, c) = (var(r, n), Term::Const(number(r, -1, 3)));
    match r.below(5) {
        0 | 1 => Form::eq(x, c),
        2 => Form::not(Form::eq(x, c)),
        3 => Form::le(x, c),
        _ => Form::le(c, x),
    }
}

fn table(r: &mut Random, n: usize, arity: usize) -> Form {
    let rows = r.below(30) as usize;
    let flat: Vec<i64> = (0..rows * arity).map(|_| number(r, -2, 4)).collect();
    let terms = (0..arity)
        .map(|_| match r.below(6) {
            0 => Term::Const(number(r, 0, 2)),
            1 => sum(r, n, 1),
            2 => sum(r, n, 2),
            _ => var(r, n),
        })
        .collect();
    Form::table(terms, Arc::new(Table::new(arity, &flat)))
}

fn different(r: &mut Random, n: usize) -> Form {
    let count = 2 + r.below(5) as usize;
    let mut terms: Vec<Term> = several(r, n, count).into_iter().map(Term::Var).collect();
    if r.below(3) == 0 {
        terms.push(sum(r, n, 2));
    }
    Form::AllDifferent(terms)
}

fn many(seed: u64, n: usize, lo: i64, width: i64, make: impl Fn(&mut Random) -> Form) {
    let mut r = Random(seed);
    for _ in 0..ROUNDS {
        let forms: Vec<Form> = (0..1 + r.below(4)).map(|_| make(&mut r)).collect();
        let bounds = bounds(&mut r, n, lo, width);
        compare(&forms, &bounds);
    }
}

#[test]
fn linear_comparisons() {
    many(0xACE1, 4, -2, 4, |r| linear(r, 4));
}

#[test]
fn clauses_of_literals() {
    many(0xACE2, 5, 0, 2, |r| Form::or((0..2 + r.below(4)).map(|_| literal(r, 5)).collect()));
}

#[test]
fn clauses_of_anything() {
    many(0xACE3, 4, -1, 3, |r| {
        let parts = (0..2 + r.below(3)).map(|_| match r.below(4) {
            0 => literal(r, 4),
            1 => Form::and(vec![literal(r, 4), linear(r, 4)]),
            2 => Form::not(Form::and(vec![linear(r, 4), linear(r, 4)])),
            _ => linear(r, 4),
        });
        Form::or(parts.collect())
    });
}

#[test]
fn disjunctions_that_are_tables() {
    many(0xACE4, 4, 0, 3, |r| {
        let vars = several(r, 4, 2);
        let row = |r: &mut Random| {
            vars.iter().map(|x| Form::eq(Term::Var(*x), Term::Const(number(r, 0, 3)))).collect()
        };
        let hits = Form::or((0..5).map(|_| Form::and(row(r))).collect());
        if r.below(3) == 0 { Form::not(hits) } else { hits }
    });
}

#[test]
fn equivalences() {
    many(0xACE5, 4, -1, 3, |r| {
        let side = |r: &mut Random| match r.below(3) {
            0 => literal(r, 4),
            1 => linear(r, 4),
            _ => Form::In(var(r, 4), vec![-1, 1, 2].into()),
        };
        let both = Form::iff(side(r), side(r));
        if r.below(2) == 0 { Form::not(both) } else { both }
    });
}

#[test]
fn variables_that_differ() {
    many(0xACE6, 6, 0, 4, |r| different(r, 6));
}

#[test]
fn variables_that_do_not_all_differ() {
    many(0xACE7, 4, 0, 3, |r| match r.below(2) {
        0 => Form::not(different(r, 4)),
        _ => linear(r, 4),
    });
}

#[test]
fn inequalities_that_make_a_clique() {
    let mut r = Random(0xACE8);
    for _ in 0..ROUNDS / 4 {
        let mut forms = vec![linear(&mut r, 5)];
        for i in 0..5 {
            for j in i + 1..5 {
                if r.below(6) > 0 {
                    forms.push(Form::not(Form::eq(Term::Var(i), Term::Var(j))));
                }
            }
        }
        compare(&forms, &bounds(&mut r, 5, 0, 4));
    }
}

#[test]
fn tables_and_their_opposites() {
    many(0xACE9, 4, -1, 3, |r| {
        let arity = 2 + r.below(2) as usize;
        let form = table(r, 4, arity);
        if r.below(3) == 0 { Form::not(form) } else { form }
    });
}

#[test]
fn tables_inside_other_forms() {
    many(0xACEA, 4, -1, 3, |r| {
        let (a, b) = (table(r, 4, 2), table(r, 4, 2));
        match r.below(3) {
            0 => Form::or(vec![a, Form::not(b), literal(r, 4)]),
            1 => Form::iff(a, b),
            _ => Form::iff(literal(r, 4), a),
        }
    });
}

#[test]
fn members_of_sets() {
    many(0xACEB, 3, -2, 4, |r| {
        let mut values: Vec<i64> = (0..r.below(5)).map(|_| number(r, -3, 4)).collect();
        values.sort_unstable();
        values.dedup();
        let parts = 1 + r.below(2) as usize;
        let form = Form::In(sum(r, 3, parts), values.into());
        if r.below(2) == 0 { Form::not(form) } else { form }
    });
}

#[test]
fn flags_that_are_counted() {
    many(0xACEC, 5, 0, 1, |r| {
        let flags: Vec<Form> = (0..5).map(|i| Form::eq(Term::Var(i), Term::Const(1))).collect();
        let condition = Form::or(vec![flags[0].clone(), Form::not(flags[1].clone())]);
        let choice = |f: Form, a, b| {
            Term::If(Box::new(f), Box::new(Term::Const(a)), Box::new(Term::Const(b)))
        };
        let sum = match r.below(3) {
            0 => Term::Count(flags),
            1 => Term::Count(vec![condition, flags[2].clone(), Form::Const(true)]),
            _ => Term::add(choice(flags[1].clone(), 3, -1), choice(flags[3].clone(), 0, 2)),
        };
        let wanted = Term::Const(number(r, -1, 4));
        if r.below(2) == 0 { Form::eq(sum, wanted) } else { Form::le(sum, wanted) }
    });
}

#[test]
fn products_quotients_and_remainders() {
    many(0xACED, 3, 1, 5, |r| {
        let (x, y, z) = (var(r, 3), var(r, 3), sum(r, 3, 2));
        let term = match r.below(4) {
            0 => Term::Mul(Box::new(x), Box::new(y)),
            1 => Term::Div(Box::new(x), Box::new(y)),
            2 => Term::Mod(Box::new(x), Box::new(y)),
            _ => Term::Mul(Box::new(z.clone()), Box::new(y)),
        };
        if r.below(2) == 0 { Form::eq(term, z) } else { Form::le(term, z) }
    });
}

#[test]
fn powers_of_one_variable() {
    many(0xACEF, 2, 1, 6, |r| {
        let (x, z) = (var(r, 2), sum(r, 2, 2));
        let square = Term::Mul(Box::new(x.clone()), Box::new(x.clone()));
        let cube = Term::Mul(Box::new(square.clone()), Box::new(x));
        let term = if r.below(2) == 0 { square } else { cube };
        if r.below(2) == 0 { Form::eq(term, z) } else { Form::le(term, z) }
    });
}

#[test]
fn wide_domains_with_holes_to_be() {
    // Wider than holes are kept for, and wider than one word.
    for width in [70, 150, 300] {
        let mut r = Random(0xACEE + width as u64);
        for _ in 0..60 {
            let bounds = vec![(0, width), (5, width / 2)];
            let forms = [
                Form::not(Form::eq(sum(&mut r, 2, 2), sum(&mut r, 2, 1))),
                Form::or(vec![linear(&mut r, 2), linear(&mut r, 2)]),
                Form::eq(sum(&mut r, 2, 2), Term::Const(number(&mut r, 0, width))),
            ];
            compare(&forms, &bounds);
        }
    }
}

#[test]
fn nothing_is_lost_when_propagation_is_cut_short() {
    // If z = 0 then x < y & y < x, whose bounds creep over the whole width.
    let v = Term::Var;
    let less = |a: Term, b: Term| Form::not(Form::le(b, a));
    let wide = 40_000;
    let forms = [
        less(v(0), v(1)),
        Form::le(v(1), Term::add(v(0), v(2))),
        Form::or(vec![Form::eq(v(2), Term::Const(0)), Form::le(v(0), Term::Const(3))]),
        Form::le(v(2), Term::Const(2)),
    ];
    let mut found = solutions(&forms, &[(0, wide), (0, wide), (0, 5)]);
    found.sort();
    assert_eq!(found, expected(&forms, &[(0, 10), (0, 20), (0, 5)]));
    assert_eq!(found.len(), 12);
}
