//! Preconditions that a refinement inherits.
//!
//! An operation of a refinement promises something only where the operation that it refines may be
//! called: what its abstraction demands of the caller, it may take for granted. Here the `PRE` of
//! each abstraction becomes a guard of the most concrete operation. Abstract variables in it are
//! replaced by what the gluing invariant says they are (`v = E`); a conjunct that still speaks of
//! one cannot be used, and the operation says so. The levels between are not run: their operations only
//! say what they inherit.

use beeline_model::Footprint;
use beeline_model::tree::{self, Node};
use beeline_model::{
    CompareOp, Conjunct, Expr, ExprKind, Level, Local, LocalId, Model, OperationId, PredKind,
    Subst, SubstKind, VariableId,
};
use beeline_source::Span;
use std::collections::BTreeMap;

/// Replacing goes no deeper, and a formula grows no larger.
const MAX_DEPTH: usize = 16;
const MAX_NODES: usize = 10_000;

/// Gives the operations of each refinement the preconditions of what they refine, and those of the
/// most concrete level a guard.
pub(super) fn inherit(model: &mut Model) {
    let last = model.levels.len().saturating_sub(1);
    for index in 1..=last {
        let (operations, kept) =
            (model.levels[index].operations.clone(), model.levels[index].variables.clone());
        let mut meanings = meanings(&model.levels[..=index]);
        meanings.retain(|v, _| !kept.contains(v));
        for id in operations {
            let (guards, lost) = inherited(model, id, &meanings, &kept);
            let operation = &mut model.operations[id.index()];
            if !operation.refines.is_empty() {
                operation.inherited.clone_from(&guards);
                operation.lost_preconditions = lost;
            }
            if index == last {
                guard(&mut operation.body, guards);
            }
        }
    }
}

/// The preconditions above an operation, and the places of those that cannot be said at its level.
fn inherited(
    model: &mut Model,
    id: OperationId,
    meanings: &BTreeMap<VariableId, Expr>,
    kept: &[VariableId],
) -> (Vec<Conjunct>, Vec<Span>) {
    let (mut guards, mut lost) = (Vec::new(), Vec::new());
    for (conjunct, renamed) in demanded(model, id) {
        let mut copy = Copying { model, meanings, renamed, nodes: 0 };
        let mut pred = conjunct.pred.clone();
        let whole = copy.walk(Node::Pred(&mut pred), 0);
        let reads = Footprint::of_pred(&pred).reads;
        match whole && reads.iter().all(|v| kept.contains(v)) {
            true => guards.push(Conjunct { pred, ..conjunct }),
            false => lost.push(conjunct.span),
        }
    }
    (guards, lost)
}

/// What the gluing invariants say abstract variables are.
fn meanings(levels: &[Level]) -> BTreeMap<VariableId, Expr> {
    let mut meanings = BTreeMap::new();
    for level in levels {
        for invariant in &level.gluing.invariants {
            let PredKind::Compare(CompareOp::Equal, a, b) = &invariant.conjunct.pred.kind else {
                continue;
            };
            for (name, value) in [(a, b), (b, a)] {
                if let ExprKind::Variable(v) = name.kind
                    && !level.variables.contains(&v)
                    && !Footprint::of_expr(value).reads.contains(&v)
                {
                    meanings.entry(v).or_insert_with(|| (**value).clone());
                }
            }
        }
    }
    meanings
}

/// The preconditions of all operations above this one, each with its parameters as they are here.
fn demanded(model: &Model, id: OperationId) -> Vec<(Conjunct, BTreeMap<LocalId, LocalId>)> {
    let own = &model.operations[id.index()];
    let mut demanded = Vec::new();
    let mut above = own.refines.clone();
    let mut seen = vec![id];
    while let Some(next) = above.pop() {
        if seen.contains(&next) {
            continue;
        }
        seen.push(next);
        let operation = &model.operations[next.index()];
        above.extend(&operation.refines);
        let parameters = operation.parameters.iter().zip(&own.parameters);
        let results = operation.results.iter().zip(&own.results);
        let renamed: BTreeMap<LocalId, LocalId> =
            parameters.chain(results).map(|(above, here)| (*above, *here)).collect();
        if let SubstKind::Pre(conjuncts, _) = &operation.body.kind {
            demanded.extend(conjuncts.iter().map(|c| (c.clone(), renamed.clone())));
        }
    }
    demanded
}

fn guard(body: &mut Subst, mut guards: Vec<Conjunct>) {
    if guards.is_empty() {
        return;
    }
    match &mut body.kind {
        SubstKind::Pre(own, _) => {
            guards.append(own);
            *own = guards;
        }
        _ => {
            let span = body.span;
            let skip = Subst { kind: SubstKind::Skip, span };
            let inner = std::mem::replace(body, skip);
            body.kind = SubstKind::Pre(guards, Box::new(inner));
        }
    }
}

/// Makes a copied formula one of its own: bound names are new, abstract variables are replaced.
struct Copying<'c> {
    model: &'c mut Model,
    meanings: &'c BTreeMap<VariableId, Expr>,
    renamed: BTreeMap<LocalId, LocalId>,
    nodes: usize,
}

impl Copying<'_> {
    /// False if the formula would become too large.
    fn walk(&mut self, node: Node<'_>, depth: usize) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return false;
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || match node {
            Node::Expr(e) => self.expr(e, depth),
            Node::Pred(p) => {
                if let PredKind::Forall(locals, _) | PredKind::Exists(locals, _) = &mut p.kind {
                    self.rebind(locals.iter_mut());
                } else if let PredKind::Let(values, _) = &mut p.kind {
                    self.rebind(values.iter_mut().map(|v| &mut v.0));
                }
                self.below(Node::Pred(p), depth)
            }
        })
    }

    fn expr(&mut self, e: &mut Expr, depth: usize) -> bool {
        match &mut e.kind {
            ExprKind::Local(id) => {
                *id = self.renamed.get(id).copied().unwrap_or(*id);
                return true;
            }
            ExprKind::Variable(v) => {
                let Some(meaning) = self.meanings.get(v) else { return true };
                if depth >= MAX_DEPTH {
                    return false;
                }
                *e = Expr { span: e.span, ..meaning.clone() };
                return self.walk(Node::Expr(e), depth + 1);
            }
            ExprKind::Comprehension(binder)
            | ExprKind::MapComprehension(binder, _)
            | ExprKind::Lambda(binder, _)
            | ExprKind::Quantified(_, binder, _) => self.rebind(binder.locals.iter_mut()),
            ExprKind::Let(values, _) => self.rebind(values.iter_mut().map(|v| &mut v.0)),
            _ => {}
        }
        self.below(Node::Expr(e), depth)
    }

    fn below(&mut self, node: Node<'_>, depth: usize) -> bool {
        tree::children(node).into_iter().all(|child| self.walk(child, depth))
    }

    fn rebind<'l>(&mut self, locals: impl Iterator<Item = &'l mut LocalId>) {
        for id in locals {
            let new = LocalId(self.model.locals.len() as u32);
            let Local { name, ty, span } = self.model.locals[id.index()].clone();
            self.model.locals.push(Local { name, ty, span });
            self.renamed.insert(*id, new);
            *id = new;
        }
    }
}
