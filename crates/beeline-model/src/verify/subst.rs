//! Substitutions: targets exist and take what they get, calls fit what they call.

use super::Verifier;
use crate::{
    Access, BecomesSuch, Call, Expr, Place, Subst, SubstKind, Target, Type, TypeId, TypeTable,
    While,
};

impl Verifier<'_> {
    pub(super) fn subst(&mut self, s: &Subst) {
        self.parts(|visit| s.parts(visit));
        match &s.kind {
            SubstKind::Assign(list) => {
                for assignment in list {
                    if let Ok(ty) = self.type_of(&assignment.target) {
                        self.typed(&assignment.value, ty, "an assigned value");
                    }
                }
            }
            SubstKind::BecomesElement(places, set) => self.becomes_element(places, set),
            SubstKind::BecomesSuch(b) => self.becomes_such(b),
            SubstKind::Case(selector, branches, _) => {
                for label in branches.iter().flat_map(|(labels, _)| labels) {
                    self.typed(label, selector.ty, "a CASE label");
                }
            }
            SubstKind::Let(values, _) => self.let_values(values),
            SubstKind::While(w) => self.while_loop(w),
            SubstKind::Call(call) => self.call(call),
            SubstKind::External(id, _) => self.external(*id),
            _ => {}
        }
    }

    fn place(&mut self, place: Place) -> Option<TypeId> {
        if let Place::Local(local) = place {
            self.local(local);
        }
        let ty = self.type_of_place(place);
        self.require(ty.is_some(), "writes to a place that is not there");
        ty
    }

    fn type_of_place(&self, place: Place) -> Option<TypeId> {
        match place {
            Place::Variable(variable) => self.model.variables.get(variable.index()).map(|v| v.ty),
            Place::Local(local) => self.model.locals.get(local.index()).map(|l| l.ty),
        }
    }

    /// What is assigned to is there, and its path fits.
    pub(super) fn target(&mut self, target: &Target) {
        self.place(target.place);
        self.parts(|visit| target.parts(visit));
        if let Err(Some(ty)) = self.type_of(target) {
            let ty = self.show(ty);
            self.complain(format!("the path of a target does not fit {ty}"));
        }
    }

    /// The type of what goes to a target; if its path does not fit, the type where it ends.
    fn type_of(&self, target: &Target) -> Result<TypeId, Option<TypeId>> {
        let mut ty = self.type_of_place(target.place).ok_or(None)?;
        for access in &target.path {
            let below = match access {
                Access::Index(index) => {
                    self.sides(ty).filter(|(from, _)| *from == index.ty).map(|(_, to)| to)
                }
                Access::Field(position) => match self.model.types.get(ty) {
                    Type::Record(fields) => fields.get(*position).map(|f| f.1),
                    _ => None,
                },
            };
            ty = below.ok_or(Some(ty))?;
        }
        Ok(ty)
    }

    fn becomes_element(&mut self, places: &[Place], set: &Expr) {
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
    }

    fn while_loop(&mut self, w: &While) {
        for (local, place) in &w.before {
            let ty = self.place(*place);
            let same = self.model.locals.get(local.index()).map(|l| l.ty) == ty;
            self.require(same, "has a value at the start of another type than the place");
        }
        self.typed(&w.variant, TypeTable::INTEGER, "the variant of a loop");
    }

    fn call(&mut self, call: &Call) {
        let model = self.model;
        let Some(operation) = model.operations.get(call.operation.index()) else {
            return self.complain("calls an operation that is not there");
        };
        let count = operation.parameters.len() == call.arguments.len()
            && operation.results.len() == call.results.len();
        self.require(count, "calls an operation with another number of arguments or results");
        for (argument, parameter) in call.arguments.iter().zip(&operation.parameters) {
            self.typed(argument, model.local(*parameter).ty, "an argument of a call");
        }
        for (target, result) in call.results.iter().zip(&operation.results) {
            let same = self.type_of(target).map_or(true, |ty| ty == model.local(*result).ty);
            self.require(same, "calls an operation whose result has another type than its target");
        }
    }
}
