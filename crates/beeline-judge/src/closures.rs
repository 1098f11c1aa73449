//! Closures: what a comprehension or lambda captures, and what it ranges over.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::mentions::Mentions;
use crate::scene::{Scene, State};
use crate::value::Value;
use crate::value::symbolic::{Closure, ClosureBody, Symbolic, Yield};
use beeline_model::{Binder, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind};
use beeline_source::Span;
use std::sync::Arc;

impl Judge<'_> {
    /// The scene a closure was made in, as far as it mentions it, with the constants of now.
    pub(crate) fn closure_scene(&self, closure: &Closure) -> Scene {
        Scene {
            state: State {
                constants: self.constants.borrow().clone(),
                variables: closure.variables.clone(),
            },
            locals: closure.locals.clone(),
        }
    }

    /// A closure of this text in this scene.
    pub(crate) fn capture(
        &self,
        binder: &Binder,
        yields: Yield,
        span: Span,
        scene: &Scene,
    ) -> Closure {
        let mut mentions = Mentions::default();
        mentions.binder(binder);
        match &yields {
            Yield::Tuple => {}
            Yield::Image(e) | Yield::Lambda(e) => mentions.expr(e),
        }
        let locals = scene
            .locals
            .iter()
            .filter(|(id, _)| mentions.locals.contains(id) && !mentions.bound.contains(id));
        let mut variables = vec![None; self.model.variables.len()];
        for id in &mentions.variables {
            if let Some(slot) = variables.get_mut(id.index()) {
                *slot = scene.state.variable(*id).cloned();
            }
        }
        Closure {
            locals: Arc::new(locals.map(|(id, v)| (*id, v.clone())).collect()),
            body: Arc::new(ClosureBody { yields, binder: binder.clone(), span }),
            variables: Arc::new(variables),
        }
    }

    pub(crate) fn closure_value(&self, closure: &Closure) -> Value {
        Value::symbolic(Symbolic::Closure(closure.clone()))
    }

    /// Binds names to the parts of a tuple.
    pub(crate) fn bind_tuple(
        &self,
        locals: &[LocalId],
        tuple: &Value,
        scene: &mut Scene,
    ) -> Eval<()> {
        let parts = tuple
            .untuple(locals.len())
            .ok_or_else(|| EvalError::internal("a tuple of another length was expected"))?;
        for (local, part) in locals.iter().zip(parts) {
            scene.bind(*local, part);
        }
        Ok(())
    }

    /// The tuple of the values of some names.
    pub(crate) fn tuple_of(&self, locals: &[LocalId], scene: &Scene) -> Eval<Value> {
        let parts: Eval<Vec<Value>> = locals.iter().map(|l| self.local(*l, scene)).collect();
        Value::tuple(parts?).ok_or_else(|| EvalError::internal("a binder without names"))
    }

    /// The set of tuples a binder ranges over, if its condition says nothing but `x : S` of each
    /// name, in order.
    pub(crate) fn simple_domain(&self, closure: &Closure) -> Eval<Option<Value>> {
        let binder = &closure.body.binder;
        let conjuncts: Vec<&Pred> = match &binder.predicate.kind {
            PredKind::And(parts) => parts.iter().collect(),
            _ => vec![&binder.predicate],
        };
        if conjuncts.len() != binder.locals.len() {
            return Ok(None);
        }
        let mut sets = Vec::new();
        for (local, conjunct) in binder.locals.iter().zip(conjuncts) {
            match &conjunct.kind {
                PredKind::Compare(CompareOp::Member, x, set)
                    if is_local(x, *local)
                        && Mentions::of_expr(set)
                            .locals
                            .iter()
                            .all(|l| !binder.locals.contains(l)) =>
                {
                    sets.push(self.eval(set, &self.closure_scene(closure))?);
                }
                _ => return Ok(None),
            }
        }
        let mut sets = sets.into_iter().map(Ok);
        let first = sets.next().unwrap_or_else(|| Ok(Value::empty()));
        sets.fold(first, |a, b| self.product(a?, b?)).map(Some)
    }
}

fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Local(id) if *id == local)
}
