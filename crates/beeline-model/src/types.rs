//! Ground types, interned: equal types have equal ids.

use crate::{FreeTypeId, Name, SetId, TypeId};
use rustc_hash::FxHashMap;
use std::fmt;

/// A ground type. A sequence is a `Power(Pair(Integer, _))`, a relation a `Power(Pair(_, _))`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `BOOL`
    Bool,
    /// `INTEGER`
    Integer,
    /// `REAL`
    Real,
    /// `STRING`
    String,
    /// An element of a given set.
    Given(SetId),
    /// A value of a free type, with its type arguments.
    Free(FreeTypeId, Vec<TypeId>),
    /// `POW(t)`
    Power(TypeId),
    /// `t * u`
    Pair(TypeId, TypeId),
    /// A record; fields sorted by name.
    Record(Vec<(Name, TypeId)>),
}

/// All types of a model.
#[derive(Clone)]
pub struct TypeTable {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    /// `POW(t)` by `t`, where it was asked for: the most frequent question.
    powers: Vec<Option<TypeId>>,
}

impl fmt::Debug for TypeTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The others follow from the list, and have no order.
        let TypeTable { types, ids: _, powers: _ } = self;
        f.debug_list().entries(types).finish()
    }
}

impl TypeTable {
    /// `BOOL` in every table.
    pub const BOOL: TypeId = TypeId(0);
    /// `INTEGER` in every table.
    pub const INTEGER: TypeId = TypeId(1);
    /// `REAL` in every table.
    pub const REAL: TypeId = TypeId(2);
    /// `STRING` in every table.
    pub const STRING: TypeId = TypeId(3);

    /// A table of the basic types.
    pub fn new() -> TypeTable {
        let mut table =
            TypeTable { types: Vec::new(), ids: FxHashMap::default(), powers: Vec::new() };
        for basic in [Type::Bool, Type::Integer, Type::Real, Type::String] {
            table.intern(basic);
        }
        table
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// `POW(t)`.
    pub fn power(&mut self, of: TypeId) -> TypeId {
        if let Some(Some(known)) = self.powers.get(of.index()) {
            return *known;
        }
        let power = self.intern(Type::Power(of));
        if self.powers.len() <= of.index() {
            self.powers.resize(of.index() + 1, None);
        }
        self.powers[of.index()] = Some(power);
        power
    }

    /// `t * u`.
    pub fn pair(&mut self, left: TypeId, right: TypeId) -> TypeId {
        self.intern(Type::Pair(left, right))
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The id of a type that is already in the table.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.ids.get(ty).copied()
    }

    /// The element type of a set type.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Power(of) => Some(*of),
            _ => None,
        }
    }

    /// Both halves of a pair type.
    pub fn halves(&self, id: TypeId) -> Option<(TypeId, TypeId)> {
        match self.get(id) {
            Type::Pair(left, right) => Some((*left, *right)),
            _ => None,
        }
    }

    /// How many types there are; ids are below this.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never empty: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

impl Default for TypeTable {
    fn default() -> TypeTable {
        TypeTable::new()
    }
}
