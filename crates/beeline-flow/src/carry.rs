//! Formulas about the state after a step, said of the state before it.

use crate::action::Path;
use crate::known::{Known, fold_exprs};
use crate::make;
use crate::replace::Values;
use crate::sets::read_back_in;
use beeline_model::{CompareOp, Expr, Place, Pred, PredKind};

/// A conjunct of a guard as it is before the step.
pub(crate) fn carried(known: &mut Known<'_>, path: &Path, p: &Pred) -> Pred {
    let mut values = Values::default();
    path.after.iter().for_each(|(v, e)| values.set(Place::Variable(*v), e.clone()));
    let carried = values.pred(p);
    read_back(known, &carried)
}

/// What was just written is read back: `(f <+ {a |-> b})(a)` is b.
pub(crate) fn read_back(known: &mut Known<'_>, p: &Pred) -> Pred {
    let model = known.model;
    let mut read = read_back_in(model, p, &mut |a, b| {
        let equal = make::compare(CompareOp::Equal, a.clone(), b.clone());
        // An index that may have no meaning stays where it is.
        known.truth(&equal).filter(|same| !same || known.is_defined(&equal))
    });
    fold_exprs(&mut read);
    read
}

/// The value of an expression after a step, in terms of the state before it.
pub(crate) fn carried_expr(known: &mut Known<'_>, path: &Path, e: &Expr) -> Expr {
    let whole = make::compare(CompareOp::Equal, e.clone(), e.clone());
    match carried(known, path, &whole).kind {
        PredKind::Compare(_, after, _) => *after,
        _ => e.clone(),
    }
}
