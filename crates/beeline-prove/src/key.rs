//! When two formulas are the same: a text without places and types.

use beeline_model::{Expr, Pred};
use std::fmt::Debug;

/// The text of a formula without places and types of its parts: equal for equal formulas.
///
/// Bound names are unique in a model, so the same name means the same thing; and where two formulas
/// could be put in each other's place, types are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(String);

impl Key {
    pub fn expr(e: &Expr) -> Key {
        Key::of(e)
    }

    pub fn pred(p: &Pred) -> Key {
        Key::of(p)
    }

    fn of(formula: &impl Debug) -> Key {
        let text = format!("{formula:?}");
        let mut parts = text.split("span: ");
        let mut out = parts.next().unwrap_or("").to_owned();
        for part in parts {
            out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
        }
        let mut parts = out.split("ty: TypeId(");
        let mut bare = parts.next().unwrap_or("").to_owned();
        for part in parts {
            bare.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        Key(bare)
    }

    /// Has the formula the same value whenever its variables and bound names have? Calls of something
    /// outside may not.
    pub fn is_pure(&self) -> bool {
        !self.0.contains("External(") && !self.0.contains("OperationCall(")
    }
}
