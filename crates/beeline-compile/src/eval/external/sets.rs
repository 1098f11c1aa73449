//! Functions of sets and relations: choice, sorting, components.

use super::{Function, optimum, wrong};
use crate::answer::Stop;
use crate::eval::frame::Frame;
use crate::eval::operators::{binary, unary};
use crate::eval::sets::{self, elements};
use beeline_model::{BinaryOp, SetFunction, TypeId, UnaryOp};
use beeline_source::Span;
use beeline_value::Val;

pub(super) fn function(of: SetFunction) -> Function {
    match of {
        SetFunction::Choose => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            if elems.is_empty() {
                return Err(wrong(span, "choice from the empty set"));
            }
            Ok(f.store.nth(elems, 0))
        },
        SetFunction::Mu | SetFunction::MuWd => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            match elems.len() {
                1 => Ok(f.store.nth(elems, 0)),
                n => Err(wrong(span, &format!("the only element of a set of {n}"))),
            }
        },
        SetFunction::Sort => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            f.pay(elems.len() as u64, span)?;
            let values = f.store.list(elems);
            if values.iter().any(|v| v.is_opaque()) {
                // They have no order that does not depend on how they are written.
                return Err(sets::undecided(span));
            }
            Ok(f.store.sequence(values))
        },
        SetFunction::Squash => |f, a, _, span| {
            let r = sets::list(f, a[0], span)?;
            let (_, values) = f.store.as_columns(r).unwrap_or((&[], &[]));
            Ok(f.store.sequence(values.to_vec()))
        },
        SetFunction::Closure1 => |f, a, _, span| unary(f, UnaryOp::Closure1, a[0], span),
        SetFunction::Sccs => components,
        SetFunction::Maximize => |f, a, _, span| optimum::best(f, a[0], true, span),
        SetFunction::Minimize => |f, a, _, span| optimum::best(f, a[0], false, span),
        SetFunction::UnsatCore => optimum::unsat_core,
        SetFunction::MaxSat => optimum::max_sat,
    }
}

/// `(closure1(r) /\ closure1(r)~)[{x}]` for each x in its domain.
fn components<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let reached = unary(f, UnaryOp::Closure1, a[0], span)?;
    let back = unary(f, UnaryOp::Inverse, reached, span)?;
    let both = binary(f, BinaryOp::Intersection, reached, back, span)?;
    let nodes = unary(f, UnaryOp::Domain, both, span)?;
    let nodes = elements(f, nodes, span)?;
    let mut parts = Vec::new();
    for i in 0..nodes.len() {
        f.tick(span)?;
        let one = f.store.set(vec![f.store.nth(nodes, i)]);
        parts.push(binary(f, BinaryOp::Image, both, one, span)?);
    }
    Ok(f.store.set(parts))
}
