//! `SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE`: the names of an ANY at the top of an operation without
//! parameters are shown, and told apart, as if they were its parameters.

use beeline_model::Footprint;
use beeline_model::{Model, OperationId, SubstKind};
use std::collections::BTreeSet;

/// Makes parameters of such names. Operations that others call keep their form.
pub(super) fn any_values(model: &mut Model) {
    let called: BTreeSet<OperationId> =
        model.operations.iter().flat_map(|o| Footprint::of_subst(&o.body).calls).collect();
    for (index, operation) in model.operations.iter_mut().enumerate() {
        let id = OperationId(index as u32);
        if !operation.parameters.is_empty() || called.contains(&id) {
            continue;
        }
        if let SubstKind::Any(locals, condition, body) = &mut operation.body.kind {
            operation.parameters = std::mem::take(locals);
            let (condition, body) = (std::mem::take(condition), (**body).clone());
            operation.body.kind = SubstKind::Select(vec![(condition, body)], None);
        }
    }
}
