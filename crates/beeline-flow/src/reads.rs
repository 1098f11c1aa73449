//! Which parts of a state an operation looks at and changes, its guard and its body apart.
//!
//! The guard is whatever decides whether there is a step: a `PRE` or `SELECT` at the top, and below it
//! everything that can leave no choice (`SELECT`, `ANY`, an empty `::`, `:|`). What is only promised
//! (`ASSERT`, a `PRE` further down) belongs to the body.

mod blocks;

use crate::part::{Part, PartStep};
use beeline_model::{
    Access, Assignment, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Model, Operation,
    OperationId, Part as Node, Place, Pred, PredKind, Subst, SubstKind, Target, VariableId,
};
pub use blocks::{may_block, never_empty};

/// What one operation, or initialisation, reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSets {
    /// The operation; without one, initialisation.
    pub operation: Option<OperationId>,
    /// What decides whether there is a step.
    pub guard: Vec<Part>,
    /// What decides where it leads, and what it promises.
    pub body: Vec<Part>,
    /// What it may change.
    pub writes: Vec<Part>,
}

impl ReadSets {
    /// The variables of a list of parts, sorted, each once.
    pub fn variables(parts: &[Part]) -> Vec<VariableId> {
        let mut all: Vec<VariableId> = parts.iter().map(|p| p.variable).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Is the guard of the other one surely the same after a step of this one? Lemma 4 of the seed,
    /// at the grain of parts.
    pub fn leaves_guard_of(&self, other: &ReadSets) -> bool {
        !self.writes.iter().any(|w| other.guard.iter().any(|r| r.overlaps(w)))
    }
}

/// Initialisation and all operations that the most concrete level offers.
pub fn read_sets(model: &Model) -> Vec<ReadSets> {
    let level = model.concrete();
    let mut first = Walk::new(model);
    level.initialisation.iter().for_each(|(_, s)| first.subst(s, false));
    let first = first.done(None);
    let others = level.operations.iter().map(|id| operation(model, *id, model.operation(*id)));
    std::iter::once(first).chain(others).collect()
}

/// The parts of a state that a predicate looks at.
pub fn parts_read(model: &Model, p: &Pred) -> Vec<Part> {
    let mut walk = Walk::new(model);
    walk.pred(p, true);
    tidy(model, walk.guard)
}

fn operation(model: &Model, id: OperationId, operation: &Operation) -> ReadSets {
    let mut walk = Walk::new(model);
    let (guard, rest) = operation.guard();
    guard.iter().for_each(|c| walk.pred(&c.pred, true));
    walk.subst(rest, may_block(model, rest));
    walk.done(Some(id))
}

struct Walk<'m> {
    model: &'m Model,
    /// Names that formulas bind.
    bound: Vec<LocalId>,
    guard: Vec<Part>,
    body: Vec<Part>,
    writes: Vec<Part>,
}

impl<'m> Walk<'m> {
    fn new(model: &'m Model) -> Walk<'m> {
        Walk { model, bound: Vec::new(), guard: Vec::new(), body: Vec::new(), writes: Vec::new() }
    }

    fn done(self, operation: Option<OperationId>) -> ReadSets {
        let model = self.model;
        ReadSets {
            operation,
            guard: tidy(model, self.guard),
            body: tidy(model, self.body),
            writes: tidy(model, self.writes),
        }
    }

    fn reads(&mut self, part: Part, guard: bool) {
        if guard { self.guard.push(part) } else { self.body.push(part) }
    }

    /// `guard`: may what stands here decide whether there is a step?
    fn subst(&mut self, s: &Subst, guard: bool) {
        let below = |s: &Subst, walk: &Walk<'_>| guard && may_block(walk.model, s);
        match &s.kind {
            SubstKind::Assign(list) => list.iter().for_each(|a| self.assignment(a, guard)),
            SubstKind::BecomesElement(places, set) => {
                places.iter().for_each(|p| self.writes(*p));
                self.expr(set, guard && !never_empty(set));
            }
            SubstKind::BecomesSuch(such) => {
                such.places.iter().for_each(|p| self.writes(*p));
                self.pred(&such.predicate, guard);
            }
            SubstKind::Pre(conditions, body) | SubstKind::Assert(_, conditions, body) => {
                conditions.iter().for_each(|c| self.pred(&c.pred, false));
                self.subst(body, below(body, self));
            }
            SubstKind::Any(_, conditions, body) => {
                conditions.iter().for_each(|c| self.pred(&c.pred, guard));
                self.subst(body, below(body, self));
            }
            SubstKind::Select(branches, otherwise) => {
                for (conditions, body) in branches {
                    conditions.iter().for_each(|c| self.pred(&c.pred, guard));
                    self.subst(body, below(body, self));
                }
                otherwise.iter().for_each(|s| self.subst(s, below(s, self)));
            }
            SubstKind::Call(call) => {
                let callee = self.model.operation(call.operation);
                callee.reads.iter().for_each(|v| self.reads(Part::whole(*v), guard));
                self.writes.extend(callee.writes.iter().map(|v| Part::whole(*v)));
                call.arguments.iter().for_each(|e| self.expr(e, guard));
                call.results.iter().for_each(|t| self.target(t, guard));
            }
            // In a sequence, and where names change, anything before may decide about what comes after.
            _ => s.parts(&mut |part| match part {
                Node::Expr(e) => self.expr(e, guard),
                Node::Pred(p) => self.pred(p, guard),
                Node::Target(t) => self.target(t, guard),
                Node::Binds(_) => {}
                Node::Subst(inner) => {
                    let ordered = matches!(
                        s.kind,
                        SubstKind::Sequence(_) | SubstKind::Var(..) | SubstKind::While(_)
                    );
                    self.subst(inner, guard && (ordered || may_block(self.model, inner)));
                }
            }),
        }
    }

    fn writes(&mut self, place: Place) {
        if let Place::Variable(v) = place {
            self.writes.push(Part::whole(v));
        }
    }

    fn assignment(&mut self, a: &Assignment, guard: bool) {
        if let (Place::Variable(v), []) = (a.target.place, &a.target.path[..])
            && let Some(changes) = changes(v, &a.value)
        {
            for (step, values) in changes {
                let (PartStep::At(e) | PartStep::Has(e)) = &step else { continue };
                self.expr(e, guard);
                values.iter().for_each(|e| self.expr(e, guard));
                self.writes.push(Part { variable: v, path: vec![step] });
            }
            return;
        }
        self.target(&a.target, guard);
        self.expr(&a.value, guard);
    }

    fn target(&mut self, target: &Target, guard: bool) {
        for access in &target.path {
            if let Access::Index(e) = access {
                self.expr(e, guard);
            }
        }
        let Place::Variable(variable) = target.place else { return };
        let mut path = Vec::new();
        let mut ty = self.model.variable(variable).ty;
        for access in &target.path {
            let (step, inner) = match access {
                Access::Index(e) => {
                    let types = &self.model.types;
                    let value = types.element(ty).and_then(|pair| types.halves(pair));
                    (PartStep::At(e.clone()), value.map(|(_, value)| value))
                }
                Access::Field(at) => {
                    let inner = match self.model.types.get(ty) {
                        beeline_model::Type::Record(fields) => fields.get(*at).map(|f| f.1),
                        _ => None,
                    };
                    (PartStep::Field(ty, *at), inner)
                }
            };
            path.push(step);
            ty = inner.unwrap_or(ty);
        }
        // What is changed inside must be there.
        if path.len() > 1 {
            let outer = Part { variable, path: path[..path.len() - 1].to_vec() };
            self.reads(outer, guard);
        }
        self.writes.push(Part { variable, path });
    }

    fn expr(&mut self, e: &Expr, guard: bool) {
        if let Some(part) = Part::of(e, &self.bound) {
            self.reads(part, guard);
            return self.indices(e, guard);
        }
        if let ExprKind::OperationCall(id, _) = &e.kind {
            let reads = self.model.operation(*id).reads.clone();
            reads.into_iter().for_each(|v| self.reads(Part::whole(v), guard));
        }
        let depth = self.bound.len();
        e.parts(&mut |part| self.below(part, guard));
        self.bound.truncate(depth);
    }

    /// The indices on the way to a part are read as well.
    fn indices(&mut self, e: &Expr, guard: bool) {
        match &e.kind {
            ExprKind::Apply(f, index) => {
                self.indices(f, guard);
                self.expr(index, guard);
            }
            ExprKind::Field(record, _) => self.indices(record, guard),
            _ => {}
        }
    }

    fn pred(&mut self, p: &Pred, guard: bool) {
        if let PredKind::Compare(CompareOp::Member | CompareOp::NotMember, e, set) = &p.kind
            && let Some(part) = Part::of(set, &self.bound)
            && let Some(part) = part.then(set, PartStep::Has((**e).clone()), &self.bound)
        {
            self.reads(part, guard);
            self.indices(set, guard);
            return self.expr(e, guard);
        }
        let depth = self.bound.len();
        p.parts(&mut |part| self.below(part, guard));
        self.bound.truncate(depth);
    }

    fn below(&mut self, part: Node<'_>, guard: bool) {
        match part {
            Node::Expr(e) => self.expr(e, guard),
            Node::Pred(p) => self.pred(p, guard),
            Node::Binds(names) => self.bound.extend(names),
            // No formula has these below it.
            Node::Subst(_) | Node::Target(_) => {}
        }
    }
}

/// `f <+ {i |-> e}`, `s \/ {e}`, `s - {e}` as new value of the variable itself: the places that change, with
/// what is read for each.
fn changes(variable: VariableId, value: &Expr) -> Option<Vec<(PartStep, Vec<Expr>)>> {
    let ExprKind::Binary(op, old, new) = &value.kind else { return None };
    if !matches!(old.kind, ExprKind::Variable(v) if v == variable) {
        return None;
    }
    let ExprKind::SetExtension(elements) = &new.kind else { return None };
    let change = |e: &Expr| match (op, &e.kind) {
        (BinaryOp::Override, ExprKind::Binary(BinaryOp::Pair, index, value)) => {
            Some((PartStep::At((**index).clone()), vec![(**value).clone()]))
        }
        (BinaryOp::Union | BinaryOp::Difference, _) => Some((PartStep::Has(e.clone()), Vec::new())),
        _ => None,
    };
    elements.iter().map(change).collect()
}

/// Each part once, sorted by variable; one that lies in another one that is there goes.
fn tidy(model: &Model, parts: Vec<Part>) -> Vec<Part> {
    let mut named: Vec<(VariableId, String, Part)> =
        parts.into_iter().map(|p| (p.variable, p.show(model), p)).collect();
    named.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    named.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
    let whole: Vec<VariableId> =
        named.iter().filter(|(_, _, p)| p.path.is_empty()).map(|n| n.0).collect();
    let parts = named.into_iter().map(|n| n.2);
    parts.filter(|p| p.path.is_empty() || !whole.contains(&p.variable)).collect()
}
