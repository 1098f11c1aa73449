//! Carrier sets that correspond one to one to something else: `c ∈ E ⤖ S`, or `c ∈ S ⤖ E`.
//!
//! The elements of `S` have no names of their own, so they may as well be those of `E`, and `c` the
//! identity. `S` becomes a constant with `S = E`, as large as `E` is: `1 ‥ n` for a numbering, pairs for
//! records that are built by a constructor. This module looks at how axioms are written and at nothing
//! else.

use super::statics;
use crate::eventb::chain::Chain;
use beeline_eventb::math::names_in;
use beeline_eventb::{Constant, Project};
use beeline_model::Name;
use beeline_source::Span;
use beeline_syntax::ast::{BinaryOp, Builtin, Expr, ExprKind};

/// A carrier set and what it is taken to be.
struct Twin {
    set: Name,
    constant: Name,
    meaning: Expr,
}

/// The project with every such set replaced, if there is one.
pub(super) fn replaced(chain: &Chain<'_>, project: &Project) -> Option<Project> {
    let mut twins: Vec<Twin> = Vec::new();
    let constants: Vec<&Name> =
        chain.contexts.iter().flat_map(|c| c.constants.iter().map(|c| &c.name.name)).collect();
    let sets = statics::deferred(chain);
    let axioms = chain.contexts.iter().flat_map(|c| &c.axioms).filter(|a| !a.theorem);
    for part in axioms.flat_map(|a| statics::conjuncts(&a.formula)) {
        let Some((constant, from, to)) = bijection(part) else { continue };
        for (set, meaning) in [(to, from), (from, to)] {
            let ExprKind::Ident(set) = &set.peeled().kind else { continue };
            if sets.contains(&set)
                && constants.contains(&constant)
                && twins.iter().all(|t| t.set != *set && t.constant != *constant)
                && !depends(meaning, &[set, constant], &twins)
                && !is_one_of(meaning, &sets)
            {
                let (set, constant) = (set.clone(), constant.clone());
                twins.push(Twin { set, constant, meaning: meaning.clone() });
                break;
            }
        }
    }
    (!twins.is_empty()).then(|| rewritten(project, &twins))
}

/// `c ∈ A ⤖ B`
fn bijection(part: &Expr) -> Option<(&Name, &Expr, &Expr)> {
    let ExprKind::Binary(BinaryOp::Member, c, space) = &part.peeled().kind else { return None };
    let ExprKind::Ident(constant) = &c.peeled().kind else { return None };
    match &space.peeled().kind {
        ExprKind::Binary(BinaryOp::TotalBijection, a, b) => Some((constant, a, b)),
        _ => None,
    }
}

/// Another carrier set: which of two is taken for the other would be chance.
fn is_one_of(meaning: &Expr, sets: &[&Name]) -> bool {
    matches!(&meaning.peeled().kind, ExprKind::Ident(name) if sets.contains(&name))
}

/// Does an expression speak of one of these names, directly or through sets that are replaced?
fn depends(meaning: &Expr, names: &[&Name], twins: &[Twin]) -> bool {
    let mut pending: Vec<Name> = names_in(meaning).into_iter().map(|i| i.name).collect();
    let mut seen: Vec<Name> = Vec::new();
    while let Some(name) = pending.pop() {
        if names.contains(&&name) {
            return true;
        }
        if seen.contains(&name) {
            continue;
        }
        for twin in twins.iter().filter(|t| t.set == name) {
            pending.extend(names_in(&twin.meaning).into_iter().map(|i| i.name));
        }
        seen.push(name);
    }
    false
}

fn rewritten(project: &Project, twins: &[Twin]) -> Project {
    let mut project = project.clone();
    for context in &mut project.contexts {
        let (gone, kept): (Vec<_>, Vec<_>) =
            context.sets.drain(..).partition(|s| twins.iter().any(|t| t.set == s.name));
        context.sets = kept;
        // A set of infinitely many elements need not be listed.
        context.constants.extend(gone.into_iter().map(|name| Constant { name, symbolic: true }));
        for axiom in context.axioms.iter_mut().filter(|a| !a.theorem) {
            rewrite(&mut axiom.formula, twins);
        }
    }
    project
}

/// Puts `S = E ∧ c = id(E)` where the bijection is required, in every conjunct that requires it.
fn rewrite(formula: &mut Expr, twins: &[Twin]) {
    let mut pending = vec![formula];
    while let Some(next) = pending.pop() {
        let found = bijection(next).and_then(|(constant, a, b)| {
            let is_set =
                |e: &Expr, set: &Name| matches!(&e.peeled().kind, ExprKind::Ident(n) if n == set);
            twins.iter().find(|t| {
                t.constant == *constant
                    && (is_set(a, &t.set) && *b == t.meaning
                        || is_set(b, &t.set) && *a == t.meaning)
            })
        });
        if let Some(twin) = found {
            let span = next.span;
            *next = Expr::new(
                ExprKind::And(vec![is_meaning(twin, span), is_identity(twin, span)]),
                span,
            );
            continue;
        }
        match &mut next.kind {
            ExprKind::And(parts) => pending.extend(parts.iter_mut()),
            ExprKind::Paren(inner) => pending.push(inner),
            _ => {}
        }
    }
}

fn is_meaning(twin: &Twin, span: Span) -> Expr {
    equal(&twin.set, twin.meaning.clone(), span)
}

fn is_identity(twin: &Twin, span: Span) -> Expr {
    let identity = ExprKind::Builtin(Builtin::Identity, vec![twin.meaning.clone()]);
    equal(&twin.constant, Expr::new(identity, span), span)
}

fn equal(name: &Name, value: Expr, span: Span) -> Expr {
    let name = Expr::new(ExprKind::Ident(name.clone()), span);
    Expr::new(ExprKind::Binary(BinaryOp::Equal, Box::new(name), Box::new(value)), span)
}
