//! Substitutions: targets exist and take what they get, calls fit what they call.

use super::Verifier;
use crate::{
    Access, BecomesSuch, Call, Conjunct, Expr, Place, Subst, SubstKind, Target, Type, TypeId,
    TypeTable, While,
};

impl Verifier<'_> {
    pub(super) fn subst(&mut self, s: &Subst) {
        stacker::maybe_grow(128 << 10, 1 << 20, || self.subst_here(s));
    }

    fn conjuncts(&mut self, list: &[Conjunct]) {
        list.iter().for_each(|c| self.pred(&c.pred));
    }

    fn substs<'s>(&mut self, list: impl IntoIterator<Item = &'s Subst>) {
        list.into_iter().for_each(|s| self.subst(s));
    }

    fn subst_here(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(list) => {
                for assignment in list {
                    let ty = self.target(&assignment.target);
                    self.expr(&assignment.value);
                    if let Some(ty) = ty {
                        self.typed(&assignment.value, ty, "an assigned value");
                    }
                }
            }
            SubstKind::BecomesElement(places, set) => self.becomes_element(places, set),
            SubstKind::BecomesSuch(b) => self.becomes_such(b),
            SubstKind::Pre(p, s) | SubstKind::Assert(_, p, s) => {
                self.conjuncts(p);
                self.subst(s);
            }
            SubstKind::If(branches, otherwise) => {
                for (p, s) in branches {
                    self.pred(p);
                    self.subst(s);
                }
                self.substs(otherwise.as_deref());
            }
            SubstKind::Select(branches, otherwise) => {
                for (p, s) in branches {
                    self.conjuncts(p);
                    self.subst(s);
                }
                self.substs(otherwise.as_deref());
            }
            SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
                self.substs(list);
            }
            SubstKind::Case(selector, branches, otherwise) => {
                self.expr(selector);
                for (labels, s) in branches {
                    self.exprs(labels);
                    labels.iter().for_each(|l| self.typed(l, selector.ty, "a CASE label"));
                    self.subst(s);
                }
                self.substs(otherwise.as_deref());
            }
            SubstKind::Any(locals, p, s) => {
                self.bind(locals);
                self.conjuncts(p);
                self.subst(s);
                self.unbind(locals);
            }
            SubstKind::Let(bindings, s) => self.let_in(bindings, |me| me.subst(s)),
            SubstKind::Var(locals, s) => {
                self.bind(locals);
                self.subst(s);
                self.unbind(locals);
            }
            SubstKind::While(w) => self.while_loop(w),
            SubstKind::Call(call) => self.call(call),
            SubstKind::External(id, args) => {
                self.exprs(args);
                let known = id.index() < self.model.externals.len();
                self.require(known, "calls an external that is not there");
            }
        }
    }

    fn place(&mut self, place: Place) -> Option<TypeId> {
        let ty = match place {
            Place::Variable(variable) => self.model.variables.get(variable.index()).map(|v| v.ty),
            Place::Local(local) => {
                self.local(local);
                self.model.locals.get(local.index()).map(|l| l.ty)
            }
        };
        self.require(ty.is_some(), "writes to a place that is not there");
        ty
    }

    /// The type of what goes to a target.
    fn target(&mut self, target: &Target) -> Option<TypeId> {
        let mut ty = self.place(target.place)?;
        for access in &target.path {
            let below = match access {
                Access::Index(index) => {
                    self.expr(index);
                    self.sides(ty).filter(|(from, _)| *from == index.ty).map(|(_, to)| to)
                }
                Access::Field(position) => match self.model.types.get(ty) {
                    Type::Record(fields) => fields.get(*position).map(|f| f.1),
                    _ => None,
                },
            };
            let Some(below) = below else {
                let ty = self.show(ty);
                self.complain(format!("the path of a target does not fit {ty}"));
                return None;
            };
            ty = below;
        }
        Some(ty)
    }

    fn becomes_element(&mut self, places: &[Place], set: &Expr) {
        self.expr(set);
        self.require(super::distinct(places), "chooses a value for one place twice");
        let mut of = self.element(set.ty);
        for (index, place) in places.iter().enumerate().rev() {
            let ty = self.place(*place);
            let (before, last) = match of {
                Some(pair) if index > 0 => match self.model.types.halves(pair) {
                    Some((left, right)) => (Some(left), Some(right)),
                    None => (None, None),
                },
                other => (None, other),
            };
            self.require(ty.is_some() && ty == last, "chooses from a set of another type");
            of = before;
        }
    }

    fn becomes_such(&mut self, b: &BecomesSuch) {
        self.require(super::distinct(&b.places), "chooses a value for one place twice");
        self.require(b.places.len() == b.after.len(), "has no new value for a place");
        for (place, after) in b.places.iter().zip(&b.after) {
            let ty = self.place(*place);
            let same = self.model.locals.get(after.index()).map(|l| l.ty) == ty;
            self.require(same, "has a new value of another type than the place");
        }
        self.bind(&b.after);
        self.pred(&b.predicate);
        self.unbind(&b.after);
    }

    fn while_loop(&mut self, w: &While) {
        self.pred(&w.condition);
        self.subst(&w.body);
        let before: Vec<_> = w.before.iter().map(|b| b.0).collect();
        for (local, place) in &w.before {
            let ty = self.place(*place);
            let same = self.model.locals.get(local.index()).map(|l| l.ty) == ty;
            self.require(same, "has a value at the start of another type than the place");
        }
        self.bind(&before);
        self.conjuncts(&w.invariant);
        self.expr(&w.variant);
        self.unbind(&before);
        self.typed(&w.variant, TypeTable::INTEGER, "the variant of a loop");
    }

    fn call(&mut self, call: &Call) {
        let model = self.model;
        self.exprs(&call.arguments);
        let targets: Vec<_> = call.results.iter().map(|t| self.target(t)).collect();
        let Some(operation) = model.operations.get(call.operation.index()) else {
            return self.complain("calls an operation that is not there");
        };
        let count = operation.parameters.len() == call.arguments.len()
            && operation.results.len() == call.results.len();
        self.require(count, "calls an operation with another number of arguments or results");
        for (argument, parameter) in call.arguments.iter().zip(&operation.parameters) {
            self.typed(argument, model.local(*parameter).ty, "an argument of a call");
        }
        for (target, result) in targets.iter().zip(&operation.results) {
            let same = target.is_none_or(|ty| ty == model.local(*result).ty);
            self.require(same, "calls an operation whose result has another type than its target");
        }
    }
}
