//! Changing part of a value, and which places a substitution may change.

use crate::Judge;
use crate::error::{Eval, EvalError, ViolationKind};
use crate::execute::Effect;
use crate::scene::{Scene, require};
use crate::value::Value;
use beeline_model::{Access, Assignment, Place, Subst, SubstKind, Target};
use beeline_source::Span;
use std::collections::BTreeSet;

impl Judge<'_> {
    /// All targets at once: values and indices are those of the scene before.
    pub(crate) fn assign(&self, assignments: &[Assignment], scene: &Scene) -> Eval<Effect> {
        let mut effect = Effect::new();
        for (i, assignment) in assignments.iter().enumerate() {
            let target = &assignment.target;
            let twice = |other: &Assignment| {
                other.target.place == target.place && other.target.path == target.path
            };
            if assignments[..i].iter().any(twice) {
                return Err(self.clash(target.place, target.span));
            }
            let value = self.eval(&assignment.value, scene)?;
            self.assign_to(target, value, scene, &mut effect)?;
        }
        Ok(effect)
    }

    /// Puts a value where a target says.
    pub(crate) fn assign_to(
        &self,
        target: &Target,
        value: Value,
        scene: &Scene,
        effect: &mut Effect,
    ) -> Eval<()> {
        let value = if target.path.is_empty() {
            value
        } else {
            let before = effect.get(&target.place).or_else(|| scene.place(target.place));
            let before = require(before, || self.place_name(target.place))
                .map_err(|error| error.at(target.span))?;
            self.replaced(&before, &target.path, value, scene)
                .map_err(|error| error.at(target.span))?
        };
        effect.insert(target.place, value);
        Ok(())
    }

    /// A value with the part at the end of a path replaced.
    fn replaced(&self, whole: &Value, path: &[Access], value: Value, scene: &Scene) -> Eval<Value> {
        let Some((access, rest)) = path.split_first() else { return Ok(value) };
        match access {
            Access::Index(index) => {
                let index = self.eval(index, scene)?;
                let part = if rest.is_empty() {
                    value
                } else {
                    self.replaced(&self.apply(whole, &index)?, rest, value, scene)?
                };
                let change = self.make_set([Value::pair(index, part)])?;
                self.overridden(whole, &change)
            }
            Access::Field(field) => {
                let Value::Record(fields) = whole else {
                    return Err(EvalError::internal("a record was expected"));
                };
                let mut fields = fields.to_vec();
                let Some(slot) = fields.get_mut(*field) else {
                    return Err(EvalError::internal("a record without this field"));
                };
                *slot = self.replaced(&slot.clone(), rest, value, scene)?;
                Ok(Value::Record(fields.into()))
            }
        }
    }

    pub(crate) fn place_name(&self, place: Place) -> String {
        match place {
            Place::Variable(id) => self.model.variable(id).name.to_string(),
            Place::Local(id) => self.model.local(id).name.to_string(),
        }
    }

    pub(crate) fn clash(&self, place: Place, span: Span) -> EvalError {
        EvalError::Violation {
            kind: ViolationKind::Clash,
            what: format!("{} is assigned twice in parallel", self.place_name(place)),
            span,
        }
    }

    /// Every place that a substitution may change, going by its text.
    pub(crate) fn places_written(&self, subst: &Subst, places: &mut BTreeSet<Place>) {
        let mut all = |parts: &mut dyn Iterator<Item = &Subst>| {
            parts.for_each(|s| self.places_written(s, places));
        };
        match &subst.kind {
            SubstKind::Skip | SubstKind::External(..) => {}
            SubstKind::Assign(parts) => places.extend(parts.iter().map(|a| a.target.place)),
            SubstKind::BecomesElement(targets, _) => places.extend(targets),
            SubstKind::BecomesSuch(such) => places.extend(&such.places),
            SubstKind::Pre(_, s)
            | SubstKind::Assert(_, _, s)
            | SubstKind::Any(_, _, s)
            | SubstKind::Let(_, s)
            | SubstKind::Var(_, s) => self.places_written(s, places),
            SubstKind::If(branches, otherwise) => {
                all(&mut branches.iter().map(|b| &b.1).chain(otherwise.as_deref()));
            }
            SubstKind::Select(branches, otherwise) => {
                all(&mut branches.iter().map(|b| &b.1).chain(otherwise.as_deref()));
            }
            SubstKind::Case(_, branches, otherwise) => {
                all(&mut branches.iter().map(|b| &b.1).chain(otherwise.as_deref()));
            }
            SubstKind::Choice(parts) | SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
                all(&mut parts.iter());
            }
            SubstKind::While(body) => self.places_written(&body.body, places),
            SubstKind::Call(call) => {
                let writes = &self.model.operation(call.operation).writes;
                places.extend(writes.iter().map(|v| Place::Variable(*v)));
                places.extend(call.results.iter().map(|t| t.place));
            }
        }
    }
}
