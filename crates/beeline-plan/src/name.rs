//! Names that a query can look for.

use beeline_model::{ConstantId, Expr, ExprKind, LocalId, Model, TypeId};
use beeline_source::Span;

/// A name that a query looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// A bound name, or a parameter.
    Local(LocalId),
    /// A constant: the properties are a query too.
    Constant(ConstantId),
}

impl Name {
    /// Its type.
    pub fn ty(self, model: &Model) -> TypeId {
        match self {
            Name::Local(l) => model.local(l).ty,
            Name::Constant(c) => model.constant(c).ty,
        }
    }

    /// Where it is declared.
    pub fn span(self, model: &Model) -> Span {
        match self {
            Name::Local(l) => model.local(l).span,
            Name::Constant(c) => model.constant(c).span,
        }
    }

    /// What it is called.
    pub fn text(self, model: &Model) -> &str {
        match self {
            Name::Local(l) => model.local(l).name.as_str(),
            Name::Constant(c) => model.constant(c).name.as_str(),
        }
    }
}

/// The name that an expression is.
pub fn as_name(e: &Expr) -> Option<Name> {
    match &e.kind {
        ExprKind::Local(l) => Some(Name::Local(*l)),
        ExprKind::Constant(c) => Some(Name::Constant(*c)),
        _ => None,
    }
}
