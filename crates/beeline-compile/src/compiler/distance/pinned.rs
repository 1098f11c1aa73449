//! Functions whose values are given one by one, by several conjuncts or by a quantifier: all of them
//! together say where the function is to go.

use super::super::context::Cx;
use super::{D, FAR, TRIES, delta};
use crate::eval::frame::{E, Frame, Solutions};
use beeline_model::{CompareOp, Expr, ExprKind, LocalId, Pred, PredKind};
use beeline_plan::Names;
use beeline_value::{Lookup, Val};
use std::sync::{Arc, Mutex, PoisonError};

/// `f(a) = b` for a variable `f`, where neither `a` nor `b` depends on the state.
pub(super) struct Pin<'p> {
    pub function: &'p Expr,
    argument: &'p Expr,
    value: &'p Expr,
}

impl Cx<'_> {
    fn is_static(&self, e: &Expr) -> bool {
        Names::of_expr(self.model, e).variables.is_empty()
    }

    /// Does a predicate pin one value of a function?
    pub(super) fn pin<'p>(&self, p: &'p Pred) -> Option<Pin<'p>> {
        let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
        let (application, value) = match (&a.kind, &b.kind) {
            (ExprKind::Apply(..), _) if self.is_static(b) => (a, b),
            (_, ExprKind::Apply(..)) if self.is_static(a) => (b, a),
            _ => return None,
        };
        let ExprKind::Apply(function, argument) = &application.kind else { return None };
        let fits = matches!(function.kind, ExprKind::Variable(_)) && self.is_static(argument);
        fits.then_some(Pin { function, argument, value })
    }

    /// How far a function is from all values that are pinned one by one.
    pub(super) fn pins_distance(&mut self, pins: &[Pin<'_>]) -> Option<D> {
        let function = self.expr(pins.first()?.function);
        let pins: Vec<(E, E)> =
            pins.iter().map(|p| (self.expr(p.argument), self.expr(p.value))).collect();
        Some(Box::new(move |f| {
            let Ok(function) = function(f) else { return 1 };
            let mut columns = Columns::default();
            for (argument, value) in &pins {
                match (argument(f), value(f)) {
                    (Ok(argument), Ok(value)) => columns.push(f, function, argument, value),
                    _ => columns.lost += 1,
                }
            }
            columns.distance(f)
        }))
    }

    /// The same for `!x.(P => f(a) = b)`, if `P` does not depend on the state either.
    pub(super) fn pinned_forall(
        &mut self,
        locals: &[LocalId],
        conditions: &[Pred],
        claim: &Pred,
    ) -> Option<D> {
        let pin = self.pin(claim)?;
        let model = self.model;
        if conditions.iter().any(|p| !Names::of_pred(model, p).variables.is_empty()) {
            return None;
        }
        let mut read = Names::of_pred(model, claim);
        conditions.iter().for_each(|p| read.pred(model, p));
        let constants: Vec<usize> = read.constants.iter().map(|c| self.constant_slot(*c)).collect();
        let query = self.query(locals, conditions);
        let function = self.expr(pin.function);
        let (argument, value) = (self.expr(pin.argument), self.expr(pin.value));
        let list = move |f: &mut Frame<'_>| {
            let mut pairs = Vec::new();
            let (cuts, faults) = (f.cuts.len(), f.faults.len());
            let _ = query.run(f, &mut |f, _| {
                if let (Ok(argument), Ok(value)) = (argument(f), value(f)) {
                    pairs.push((argument, value));
                }
                if pairs.len() < TRIES { Ok(()) } else { Err(crate::answer::Stop::Enough) }
            });
            f.cuts.truncate(cuts);
            f.faults.truncate(faults);
            pairs
        };
        // What is pinned depends on the constants only.
        let known: Mutex<Option<Known>> = Mutex::new(None);
        Some(Box::new(move |f| {
            let Ok(function) = function(f) else { return 1 };
            let key: Vec<Val> = constants.iter().map(|slot| f.slots[*slot]).collect();
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            let pairs = match &*known {
                Some((of, pairs)) if *of == key => pairs.clone(),
                _ => {
                    let pairs: Arc<[(Val, Val)]> = list(f).into();
                    *known = Some((key, pairs.clone()));
                    pairs
                }
            };
            drop(known);
            let mut columns = Columns::default();
            pairs.iter().for_each(|(argument, value)| columns.push(f, function, *argument, *value));
            columns.distance(f)
        }))
    }
}

/// Values of constants, and what is pinned with them.
type Known = (Vec<Val>, Arc<[(Val, Val)]>);

/// Arguments, the values they have, and those they shall have.
#[derive(Default)]
struct Columns {
    arguments: Vec<Val>,
    now: Vec<Val>,
    wanted: Vec<Val>,
    /// Arguments without a value.
    lost: i64,
}

impl Columns {
    fn push(&mut self, f: &Frame<'_>, function: Val, argument: Val, value: Val) {
        match f.store.lookup(function, argument) {
            Some(Lookup::One(now)) => {
                self.arguments.push(argument);
                self.now.push(now);
                self.wanted.push(value);
            }
            _ => self.lost += 1,
        }
    }

    fn distance(&self, f: &Frame<'_>) -> i64 {
        let now = (self.arguments.as_slice(), self.now.as_slice());
        let wanted = (self.arguments.as_slice(), self.wanted.as_slice());
        (delta::functions(f.store, now, wanted) + self.lost).min(FAR)
    }
}
