//! Notices a formula that does not end: both evaluators promise to stop at their limits.

use beeline_model::{Expr, Model};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The formula at work and since when.
static AT_WORK: Mutex<Option<(Instant, Arc<Model>, Expr)>> = Mutex::new(None);

/// Says what is evaluated from now on.
pub(crate) fn begin(model: &Arc<Model>, expr: &Expr) {
    let now = (Instant::now(), model.clone(), expr.clone());
    *AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
}

/// Nothing is evaluated now.
pub(crate) fn end() {
    *AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// The formula that has been at work for longer than this.
pub fn overdue(limit: Duration) -> Option<String> {
    let at_work = AT_WORK.lock().unwrap_or_else(PoisonError::into_inner);
    let (since, model, expr) = at_work.as_ref()?;
    (since.elapsed() > limit).then(|| model.show_expr(expr))
}
