//! Random typed formulas.
//!
//! [`Grow`] makes an expression of a wanted type or a predicate, of a wanted depth, out of every
//! operator that fits. Most are well-defined by construction; traps (a division by zero, a
//! function outside its domain) are set now and then. `expr` has the productions by type, `pred`
//! predicates and bound names, `subst` substitutions.

mod expr;
mod pred;
mod subst;

use crate::build::*;
use crate::random::Random;
use crate::world;
use beeline_model::{
    BasicSet, BinaryOp, Expr, ExprKind, Local, LocalId, Model, Pred, SetId, Type, TypeId,
    TypeTable, UnaryOp, VariableId,
};
use beeline_source::Span;

/// A maker of formulas over a model; it adds bound names and types to the model.
#[derive(Debug)]
pub struct Grow<'g> {
    /// The model that formulas speak of.
    pub model: &'g mut Model,
    /// Where chance comes from.
    pub random: &'g mut Random,
    /// Names that are bound here.
    scope: Vec<LocalId>,
    /// Local places that a substitution may assign, and have a value.
    places: Vec<LocalId>,
    /// Nodes that may still be made: bounds the size of a formula.
    fuel: usize,
    /// No traps: what is made here has a meaning.
    calm: bool,
}

impl<'g> Grow<'g> {
    /// A maker without bound names.
    pub fn new(model: &'g mut Model, random: &'g mut Random) -> Grow<'g> {
        Grow { model, random, scope: Vec::new(), places: Vec::new(), fuel: 0, calm: false }
    }

    /// A random formula: an expression of some type, or `bool(P)`.
    pub fn formula(&mut self) -> Expr {
        let types = world::root_types(self.model);
        let ty = if self.random.chance(85) { self.random.pick(&types) } else { self.any_type(2) };
        self.fuel = 40;
        let depth = 1 + self.random.below(4);
        self.expr(ty, depth)
    }

    /// A random type, nested so deep.
    fn any_type(&mut self, depth: usize) -> TypeId {
        let basic = [
            TypeTable::BOOL,
            TypeTable::INTEGER,
            TypeTable::INTEGER,
            TypeTable::STRING,
            self.model.sets[0].ty,
            self.model.sets[0].ty,
            self.model.sets[1].ty,
            self.model.sets[2].ty,
        ];
        if depth == 0 {
            return self.random.pick(&basic);
        }
        match self.random.below(9) {
            0..=2 => self.random.pick(&basic),
            3 | 4 => {
                let of = self.any_type(depth - 1);
                self.model.types.power(of)
            }
            5 => {
                let (a, b) = (self.any_type(depth - 1), self.any_type(depth - 1));
                self.model.types.pair(a, b)
            }
            6 => {
                let (a, b) = (self.any_type(0), self.any_type(depth - 1));
                self.relation(a, b)
            }
            7 => {
                let item = self.any_type(depth - 1);
                self.relation(TypeTable::INTEGER, item)
            }
            _ => {
                let fields = vec![("a".into(), self.any_type(0)), ("b".into(), self.any_type(0))];
                self.model.types.intern(Type::Record(fields))
            }
        }
    }

    /// A type that something of the world has: variables can be used for it.
    fn known_type(&mut self) -> TypeId {
        if self.random.chance(75) {
            let at = self.random.below(self.model.variables.len());
            self.model.variables[at].ty
        } else {
            self.any_type(1)
        }
    }

    /// A type of few values, or integers: what names are bound over.
    fn element_type(&mut self) -> TypeId {
        let depth = usize::from(self.random.chance(20));
        if self.random.chance(30) { TypeTable::INTEGER } else { self.any_type(depth) }
    }

    /// Is a trap set here? So many times of a hundred.
    fn trap(&mut self, percent: usize) -> bool {
        self.random.chance(percent) && !self.calm
    }

    /// Has the type infinitely many values?
    fn is_infinite(&self, ty: TypeId) -> bool {
        match self.model.types.get(ty) {
            Type::Bool | Type::Given(_) => false,
            Type::Integer | Type::Real | Type::String | Type::Free(..) => true,
            Type::Power(of) => self.is_infinite(*of),
            Type::Pair(a, b) => self.is_infinite(*a) || self.is_infinite(*b),
            Type::Record(fields) => fields.iter().any(|f| self.is_infinite(f.1)),
        }
    }

    fn power(&mut self, of: TypeId) -> TypeId {
        self.model.types.power(of)
    }

    fn relation(&mut self, from: TypeId, to: TypeId) -> TypeId {
        let pair = self.model.types.pair(from, to);
        self.model.types.power(pair)
    }

    fn bind(&mut self, ty: TypeId) -> LocalId {
        let id = LocalId(self.model.locals.len() as u32);
        let name = world::local_name(self.model.locals.len());
        self.model.locals.push(Local { name, ty, span: Span::NONE });
        id
    }

    /// A variable, a bound name or a literal of this type.
    fn leaf(&mut self, ty: TypeId) -> Expr {
        let bound: Vec<LocalId> =
            self.scope.iter().copied().filter(|l| self.model.local(*l).ty == ty).collect();
        if !bound.is_empty() && self.random.chance(60) {
            return local(self.random.pick(&bound), ty);
        }
        let variables: Vec<VariableId> = (0..self.model.variables.len())
            .map(|i| VariableId(i as u32))
            .filter(|v| self.model.variable(*v).ty == ty)
            .collect();
        if !variables.is_empty() && self.random.chance(65) {
            return make(ExprKind::Variable(self.random.pick(&variables)), ty);
        }
        world::literal(self.model, ty, 3, self.random)
    }

    /// A sequence of this item type, in most cases by construction.
    fn sequence(&mut self, item: TypeId, depth: usize) -> Expr {
        let ty = self.relation(TypeTable::INTEGER, item);
        if self.trap(5) {
            return self.expr(ty, depth);
        }
        if depth == 0 || self.fuel == 0 {
            let variables: Vec<VariableId> = (0..self.model.variables.len())
                .map(|i| VariableId(i as u32))
                .filter(|v| self.model.variable(*v).ty == ty)
                .filter(|v| self.model.variable(*v).name.starts_with('q'))
                .collect();
            if !variables.is_empty() && self.random.chance(60) {
                return make(ExprKind::Variable(self.random.pick(&variables)), ty);
            }
            let parts: Vec<Expr> = (0..self.random.below(4)).map(|_| self.leaf(item)).collect();
            let empty = parts.is_empty();
            return make(
                if empty { ExprKind::EmptySet } else { ExprKind::SequenceExtension(parts) },
                ty,
            );
        }
        self.sequence_operator(ty, item, depth)
    }
}

/// Small sets, for domains.
impl Grow<'_> {
    pub(crate) fn given(&mut self, index: usize) -> Expr {
        let ty = self.model.sets[index].ty;
        let ty = self.power(ty);
        make(ExprKind::GivenSet(SetId(index as u32)), ty)
    }

    pub(crate) fn booleans(&mut self) -> Expr {
        let ty = self.power(TypeTable::BOOL);
        make(ExprKind::Basic(BasicSet::Bool), ty)
    }

    pub(crate) fn interval(&mut self, low: i64, high: i64) -> Expr {
        let ty = self.power(TypeTable::INTEGER);
        binary(BinaryOp::Interval, integer(low), integer(high), ty)
    }

    pub(crate) fn subsets(&mut self, of: Expr) -> Expr {
        let ty = self.power(of.ty);
        unary(UnaryOp::Power, of, ty)
    }

    pub(crate) fn arrows(&mut self, op: BinaryOp, from: Expr, to: Expr) -> Expr {
        let element = |grow: &Grow<'_>, ty| grow.model.types.element(ty).unwrap_or(ty);
        let (a, b) = (element(self, from.ty), element(self, to.ty));
        let relation = self.relation(a, b);
        let ty = self.power(relation);
        binary(op, from, to, ty)
    }

    /// A new name for an element of a set.
    pub(crate) fn name_in(&mut self, set: Expr) -> (LocalId, Expr) {
        let ty = self.model.types.element(set.ty).unwrap_or(set.ty);
        (self.bind(ty), set)
    }

    /// A few conditions on these names.
    pub(crate) fn conditions(&mut self, locals: &[LocalId]) -> Vec<Pred> {
        self.scope.extend(locals);
        let count = 1 + self.random.below(3);
        let conditions = (0..count)
            .map(|_| {
                self.fuel = 12;
                let depth = 1 + self.random.below(3);
                self.pred(depth)
            })
            .collect();
        self.scope.truncate(self.scope.len() - locals.len());
        conditions
    }
}
