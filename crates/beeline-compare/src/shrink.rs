//! A small formula that still shows a difference.

use crate::build::truth;
use crate::random::Random;
use crate::tree::{self, Node};
use crate::world;
use beeline_model::{Expr, Model, Pred, PredKind};

/// Tries of one shrinking.
const TRIES: usize = 3_000;

enum Part {
    Expr(Expr),
    Pred(Pred),
}

/// Replaces parts by smaller ones as long as the difference stays.
pub fn shrunk(model: &Model, expr: &Expr, differs: &mut dyn FnMut(&Expr) -> bool) -> Expr {
    let mut best = expr.clone();
    let mut tries = TRIES;
    let mut random = Random::new(1);
    'again: loop {
        let mut number = 0;
        while let Some(part) = part_at(&mut best, number) {
            for smaller in replacements(model, part, &mut random) {
                if tries == 0 {
                    return best;
                }
                let mut candidate = best.clone();
                replace(&mut candidate, number, &smaller);
                if tree::size(Node::Expr(&mut candidate)) > tree::size(Node::Expr(&mut best))
                    || candidate == best
                    || !tree::is_closed(&mut candidate)
                {
                    continue;
                }
                tries -= 1;
                if differs(&candidate) {
                    best = candidate;
                    continue 'again;
                }
            }
            number += 1;
        }
        return best;
    }
}

fn part_at(expr: &mut Expr, number: usize) -> Option<Part> {
    let mut found = None;
    tree::at(Node::Expr(expr), &mut { number }, &mut |node| {
        found = Some(match node {
            Node::Expr(e) => Part::Expr(e.clone()),
            Node::Pred(p) => Part::Pred(p.clone()),
        });
    });
    found
}

fn replace(expr: &mut Expr, number: usize, part: &Part) {
    tree::at(Node::Expr(expr), &mut { number }, &mut |node| match (node, part) {
        (Node::Expr(e), Part::Expr(new)) => *e = new.clone(),
        (Node::Pred(p), Part::Pred(new)) => *p = new.clone(),
        _ => {}
    });
}

/// Parts below of the same type, and the simplest of their kind; all smaller than the part.
fn replacements(model: &Model, mut part: Part, random: &mut Random) -> Vec<Part> {
    let mut found = Vec::new();
    match &mut part {
        Part::Expr(e) => {
            let ty = e.ty;
            if tree::size(Node::Expr(e)) > 1 {
                for size in [0, 1, 2] {
                    let simple = world::literal(model, ty, size, random);
                    let mut copy = simple.clone();
                    if tree::size(Node::Expr(&mut copy)) < tree::size(Node::Expr(e)) {
                        found.push(Part::Expr(simple));
                    }
                }
            }
            below(Node::Expr(e), &mut |node| {
                if let Node::Expr(inner) = node
                    && inner.ty == ty
                {
                    found.push(Part::Expr(inner.clone()));
                }
            });
        }
        Part::Pred(p) => {
            if !matches!(p.kind, PredKind::Bool(_)) {
                found.push(Part::Pred(truth(PredKind::Bool(true))));
                found.push(Part::Pred(truth(PredKind::Bool(false))));
            }
            if let PredKind::And(parts) | PredKind::Or(parts) = &p.kind {
                for i in 0..parts.len() {
                    let mut fewer = p.clone();
                    if let PredKind::And(parts) | PredKind::Or(parts) = &mut fewer.kind {
                        parts.remove(i);
                    }
                    found.push(Part::Pred(fewer));
                }
            }
            below(Node::Pred(p), &mut |node| {
                if let Node::Pred(inner) = node {
                    found.push(Part::Pred(inner.clone()));
                }
            });
        }
    }
    found
}

fn below(node: Node<'_>, visit: &mut dyn FnMut(Node<'_>)) {
    for mut child in tree::children(node) {
        match &mut child {
            Node::Expr(e) => visit(Node::Expr(e)),
            Node::Pred(p) => visit(Node::Pred(p)),
        }
        below(child, visit);
    }
}
