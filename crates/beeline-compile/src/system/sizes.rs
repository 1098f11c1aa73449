//! How many elements each given set has in this run.
//!
//! What properties say of one set alone is known from the model. Here the sizes are chosen, and
//! those that are free give way where properties compare them: `card(S) >= card(T) + card(U)`.

use crate::settings::Settings;
use beeline_model::{
    BinaryOp, CompareOp, Expr, ExprKind, GivenSet, Model, Pred, PredKind, SetId, SizeOrigin,
    UnaryOp,
};

/// A set is not enlarged beyond this on account of others.
const MAX_SIZE: u64 = 64;

/// The size of each set.
pub(crate) fn of(model: &Model, settings: &Settings) -> Vec<u64> {
    let mut sizes: Vec<u64> = model.sets.iter().map(|set| chosen(set, settings)).collect();
    // Each round settles at least one set, or nothing changes any more.
    for _ in 0..model.sets.len() {
        let before = sizes.clone();
        for property in &model.properties {
            give_way(model, settings, &property.conjunct.pred, &mut sizes);
        }
        if sizes == before {
            break;
        }
    }
    sizes
}

/// A size for a set on its own.
fn chosen(set: &GivenSet, settings: &Settings) -> u64 {
    if let Some(elements) = &set.elements {
        return elements.len() as u64;
    }
    if let Some((_, n)) = settings.set_sizes.iter().find(|(name, _)| set.name == name.as_str()) {
        return *n;
    }
    let wanted = if set.size.origin == SizeOrigin::Default || set.size.max != Some(set.size.min) {
        settings.default_set_size
    } else {
        set.size.min
    };
    wanted.max(set.size.min).min(set.size.max.unwrap_or(u64::MAX))
}

/// Enlarges a set that a property compares with others.
fn give_way(model: &Model, settings: &Settings, p: &Pred, sizes: &mut [u64]) {
    use CompareOp as C;
    let PredKind::Compare(op, a, b) = &p.kind else { return };
    let sides = match op {
        C::GreaterEqual | C::Greater => vec![(a, b)],
        C::LessEqual | C::Less => vec![(b, a)],
        C::Equal => vec![(a, b), (b, a)],
        _ => return,
    };
    for (large, small) in sides {
        let (Some(set), Some(least)) = (counted(large), amount(small, sizes)) else { continue };
        let strict = matches!(op, C::Greater | C::Less);
        // Only upwards: sizes grow to a bound or stay, so that the rounds end.
        let least = least.saturating_add(u64::from(strict));
        // A size that somebody asked for, or that properties fix, is not touched: if it contradicts
        // a property, that is an error to be told.
        if least <= MAX_SIZE && sizes[set.index()] < least && is_free(model, settings, set) {
            let most = model.set(set).size.max.unwrap_or(u64::MAX);
            sizes[set.index()] = least.min(most);
        }
    }
}

/// Was its size only assumed?
fn is_free(model: &Model, settings: &Settings, set: SetId) -> bool {
    let row = model.set(set);
    let asked = settings.set_sizes.iter().any(|(name, _)| row.name == name.as_str());
    let adjustable = matches!(row.size.origin, SizeOrigin::Default | SizeOrigin::Properties);
    row.elements.is_none() && !asked && adjustable
}

/// `card(S)`
fn counted(e: &Expr) -> Option<SetId> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Card, of) => match of.kind {
            ExprKind::GivenSet(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// The value of sums of sizes and numbers.
fn amount(e: &Expr, sizes: &[u64]) -> Option<u64> {
    match &e.kind {
        ExprKind::Integer(n) => u64::try_from(n).ok(),
        ExprKind::Binary(BinaryOp::Add, a, b) => amount(a, sizes)?.checked_add(amount(b, sizes)?),
        ExprKind::Binary(BinaryOp::Multiply, a, b) => {
            amount(a, sizes)?.checked_mul(amount(b, sizes)?)
        }
        _ => counted(e).map(|set| sizes[set.index()]),
    }
}
