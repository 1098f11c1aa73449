//! What is known of the names at one point of a model.

use crate::domain::Value;
use beeline_model::{ConstantId, Expr, ExprKind, LocalId, Model, Place, TypeId, VariableId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Name {
    /// A constant.
    Constant(ConstantId),
    /// A variable.
    Variable(VariableId),
    /// A bound name.
    Local(LocalId),
}

impl Name {
    /// The name that an expression is.
    pub fn of(e: &Expr) -> Option<Name> {
        match e.kind {
            ExprKind::Constant(id) => Some(Name::Constant(id)),
            ExprKind::Variable(id) => Some(Name::Variable(id)),
            ExprKind::Local(id) => Some(Name::Local(id)),
            _ => None,
        }
    }

    /// Its type.
    pub fn ty(self, model: &Model) -> TypeId {
        match self {
            Name::Constant(id) => model.constant(id).ty,
            Name::Variable(id) => model.variable(id).ty,
            Name::Local(id) => model.local(id).ty,
        }
    }

    /// How it is written.
    pub fn text(self, model: &Model) -> &str {
        match self {
            Name::Constant(id) => &model.constant(id).name,
            Name::Variable(id) => &model.variable(id).name,
            Name::Local(id) => &model.local(id).name,
        }
    }

    /// The name as an expression.
    pub fn expr(self, model: &Model) -> Expr {
        let kind = match self {
            Name::Constant(id) => ExprKind::Constant(id),
            Name::Variable(id) => ExprKind::Variable(id),
            Name::Local(id) => ExprKind::Local(id),
        };
        Expr { kind, ty: self.ty(model), span: beeline_source::Span::NONE }
    }
}

impl From<Place> for Name {
    fn from(place: Place) -> Name {
        match place {
            Place::Variable(id) => Name::Variable(id),
            Place::Local(id) => Name::Local(id),
        }
    }
}

/// What is known of all names at one point. A name that is not in it may have any value of its type.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Env {
    values: BTreeMap<Name, Arc<Value>>,
    dead: bool,
}

impl Env {
    /// Nothing is known.
    pub fn new() -> Env {
        Env::default()
    }

    /// No execution comes here, or no values satisfy what was assumed.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// Nothing comes here.
    pub fn kill(&mut self) {
        self.dead = true;
        self.values.clear();
    }

    /// What is known of a name.
    pub fn get(&self, name: Name) -> Option<&Arc<Value>> {
        self.values.get(&name)
    }

    /// Gives a name a new value.
    pub fn set(&mut self, name: Name, value: Value) {
        if self.dead {
            return;
        }
        match value {
            Value::Never => self.kill(),
            Value::Any => _ = self.values.remove(&name),
            // What was known stays what it is, so that it is seen at once that nothing is new.
            value if self.values.get(&name).is_some_and(|old| **old == value) => {}
            value => _ = self.values.insert(name, Arc::new(value)),
        }
    }

    /// Of a name nothing is known from here on.
    pub fn forget(&mut self, name: Name) {
        self.values.remove(&name);
    }

    /// The names of which something is known.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        self.values.keys().copied()
    }

    /// Of how many names something is known.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Is nothing else known? What is said in other words may count as something else.
    pub fn is_same(&self, other: &Env) -> bool {
        let pairs = || self.values.iter().zip(&other.values);
        self.dead == other.dead
            && self.values.len() == other.values.len()
            && pairs().all(|((a, x), (b, y))| a == b && Arc::ptr_eq(x, y))
    }

    /// What is known either way.
    pub fn join(&self, other: &Env) -> Env {
        self.merge(other, |a, b| a.join(b))
    }

    /// An upper bound such that chains come to an end.
    pub fn widen(&self, next: &Env, thresholds: &[i128]) -> Env {
        self.merge(next, |a, b| a.widen(b, thresholds))
    }

    fn merge(&self, other: &Env, with: impl Fn(&Value, &Value) -> Value) -> Env {
        if self.dead {
            return other.clone();
        }
        if other.dead {
            return self.clone();
        }
        let mut merged = Env::new();
        for (name, a) in &self.values {
            if let Some(b) = other.values.get(name) {
                let same = Arc::ptr_eq(a, b) || a == b;
                let value = if same { a.clone() } else { Arc::new(with(a, b)) };
                if *value != Value::Any {
                    merged.values.insert(*name, value);
                }
            }
        }
        merged
    }

    /// What is known if both are right.
    pub fn meet(&self, other: &Env) -> Env {
        let mut met = self.clone();
        if other.dead {
            met.kill();
        }
        for (name, b) in &other.values {
            let value = match met.values.get(name) {
                Some(a) if Arc::ptr_eq(a, b) => continue,
                Some(a) => a.meet(b),
                None => (**b).clone(),
            };
            met.set(*name, value);
        }
        met
    }

    /// Without bound names.
    pub fn without_locals(mut self) -> Env {
        self.values.retain(|name, _| !matches!(name, Name::Local(_)));
        self
    }

    /// Only constants.
    pub fn constants(mut self) -> Env {
        self.values.retain(|name, _| matches!(name, Name::Constant(_)));
        self
    }
}
