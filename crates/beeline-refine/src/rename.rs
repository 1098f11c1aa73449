//! Copies of formulas and substitutions with other names: variables, bound names and called operations.
//!
//! It does not know what the names are for.

use beeline_model::tree::{self, Node};
use beeline_model::{
    Expr, ExprKind, LocalId, OperationId, PartMut, Place, Pred, Subst, SubstKind, Target,
    VariableId,
};
use std::collections::BTreeMap;

/// What becomes of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renaming {
    /// Variables that have another name; the others keep theirs.
    pub variables: BTreeMap<VariableId, VariableId>,
    /// Bound names, likewise.
    pub locals: BTreeMap<LocalId, LocalId>,
    /// So many places further in the table stand the operations that are called.
    pub calls: u32,
}

impl Renaming {
    /// A copy of a predicate.
    pub fn pred(&self, pred: &Pred) -> Pred {
        let mut copy = pred.clone();
        self.node(Node::Pred(&mut copy));
        copy
    }

    /// A copy of a substitution.
    pub fn subst(&self, subst: &Subst) -> Subst {
        let mut copy = subst.clone();
        self.walk(&mut copy);
        copy
    }

    fn node(&self, mut node: Node<'_>) {
        if let Node::Expr(e) = &mut node {
            self.expr(e);
        }
        let below = tree::children(node);
        stacker::maybe_grow(64 << 10, 1 << 20, || below.into_iter().for_each(|n| self.node(n)));
    }

    fn expr(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Variable(v) => *v = self.variable(*v),
            ExprKind::Local(id) => *id = self.local(*id),
            ExprKind::OperationCall(id, _) => *id = self.operation(*id),
            _ => {}
        }
    }

    fn walk(&self, s: &mut Subst) {
        match &mut s.kind {
            SubstKind::BecomesElement(places, _) => places.iter_mut().for_each(|p| self.place(p)),
            SubstKind::BecomesSuch(such) => such.places.iter_mut().for_each(|p| self.place(p)),
            SubstKind::While(w) => w.before.iter_mut().for_each(|(_, p)| self.place(p)),
            SubstKind::Call(call) => call.operation = self.operation(call.operation),
            _ => {}
        }
        let mut below = Vec::new();
        s.parts_mut(&mut |part| below.push(part));
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            for part in below {
                match part {
                    PartMut::Expr(e) => self.node(Node::Expr(e)),
                    PartMut::Pred(p) => self.node(Node::Pred(p)),
                    PartMut::Subst(s) => self.walk(s),
                    PartMut::Target(t) => self.target(t),
                    PartMut::Binds(_) => {}
                }
            }
        });
    }

    fn target(&self, target: &mut Target) {
        self.place(&mut target.place);
        target.parts_mut(&mut |part| {
            if let PartMut::Expr(e) = part {
                self.node(Node::Expr(e));
            }
        });
    }

    fn place(&self, place: &mut Place) {
        match place {
            Place::Variable(v) => *v = self.variable(*v),
            Place::Local(id) => *id = self.local(*id),
        }
    }

    fn variable(&self, id: VariableId) -> VariableId {
        self.variables.get(&id).copied().unwrap_or(id)
    }

    fn local(&self, id: LocalId) -> LocalId {
        self.locals.get(&id).copied().unwrap_or(id)
    }

    fn operation(&self, id: OperationId) -> OperationId {
        OperationId(id.0 + self.calls)
    }
}
