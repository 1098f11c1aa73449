//! Permutations of elements that a model cannot see.
//!
//! Elements of deferred sets and set parameters have no name. Those of an enumerated set are movable where no formula
//! names one. An element that is named is never moved, and none of a set that a function of a library gets to see:
//! these may put elements in order.

use beeline_judge::{State, Value};
use beeline_model::{
    Conjunct, ConstantId, Expr, ExprKind, ExprQuantifier, ExternalId, LibraryFunction, Mentions,
    Model, Pred, SetFunction, SetId, SetKind, Type, TypeId, VariableId, visit_expr, visit_pred,
    visit_subst,
};
use std::collections::BTreeSet;

/// For each set of a model where its elements go; a set that is not named stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permutation(pub Vec<(u32, Vec<u32>)>);

/// Which elements a permutation may move.
#[derive(Debug)]
pub struct Movable {
    named: BTreeSet<(u32, u32)>,
    fixed: BTreeSet<u32>,
    sizes: Vec<u32>,
}

impl Movable {
    /// Looks at all formulas of a model.
    pub fn of(model: &Model, sizes: &[u32]) -> Movable {
        let mut seen = Seen { model, named: BTreeSet::new(), fixed: BTreeSet::new() };
        let conjunct = |c: &Conjunct, seen: &mut Seen<'_>| visit_pred(&c.pred, seen);
        model.properties.iter().for_each(|p| conjunct(&p.conjunct, &mut seen));
        for level in &model.levels {
            level.all_conjuncts().for_each(|c| conjunct(c, &mut seen));
            level.initialisation.iter().for_each(|(_, s)| visit_subst(s, &mut seen));
            level.variants.iter().for_each(|e| visit_expr(e, &mut seen));
        }
        model.operations.iter().for_each(|o| visit_subst(&o.body, &mut seen));
        let goals: Vec<&Pred> = model.special.goal.iter().chain(&model.special.scope).collect();
        goals.into_iter().for_each(|p| visit_pred(p, &mut seen));
        for free in &model.free_types {
            let arguments = free.constructors.iter().filter_map(|c| c.1.as_ref());
            arguments.for_each(|e| visit_expr(e, &mut seen));
        }
        let Seen { named, mut fixed, .. } = seen;
        for (number, set) in model.sets.iter().enumerate() {
            let number = number as u32;
            let partly = named.iter().any(|(s, _)| *s == number);
            if set.kind == SetKind::Enumerated && partly {
                fixed.insert(number);
            }
        }
        Movable { named, fixed, sizes: sizes.to_vec() }
    }

    /// May it be moved?
    pub fn is_free(&self, set: u32, element: u32) -> bool {
        !self.fixed.contains(&set) && !self.named.contains(&(set, element))
    }

    /// Is it a permutation, and does it move nothing that is seen?
    pub fn allows(&self, permutation: &Permutation) -> bool {
        let mut sets = BTreeSet::new();
        permutation.0.iter().all(|(set, to)| {
            let size = self.sizes.get(*set as usize).copied().unwrap_or(0);
            let targets: BTreeSet<u32> = to.iter().copied().collect();
            let stays = |(from, to): (usize, &u32)| {
                from as u32 == *to || self.is_free(*set, from as u32) && self.is_free(*set, *to)
            };
            sets.insert(*set)
                && to.len() == size as usize
                && targets.len() == to.len()
                && targets.last().is_none_or(|t| *t < size)
                && to.iter().enumerate().all(stays)
        })
    }
}

impl Permutation {
    fn element(&self, set: SetId, element: u32) -> u32 {
        let row = self.0.iter().find(|(s, _)| *s == set.index() as u32);
        row.and_then(|(_, to)| to.get(element as usize)).copied().unwrap_or(element)
    }

    /// What becomes of a value. Nothing of one that is not listed.
    pub fn value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Bool(_) | Value::Integer(_) | Value::Real(_) | Value::String(_) => value.clone(),
            Value::Element(set, element) => Value::Element(*set, self.element(*set, *element)),
            Value::Pair(both) => Value::pair(self.value(&both.0)?, self.value(&both.1)?),
            Value::Record(fields) => {
                let fields: Option<Vec<Value>> = fields.iter().map(|f| self.value(f)).collect();
                Value::Record(fields?.into())
            }
            Value::Free(ty, constructor, argument) => {
                let argument = match argument {
                    Some(argument) => Some(self.value(argument)?.into()),
                    None => None,
                };
                Value::Free(*ty, *constructor, argument)
            }
            Value::Set(elements) => {
                let all: Option<Vec<Value>> = elements.iter().map(|e| self.value(e)).collect();
                Value::set(all?)
            }
            Value::Symbolic(_) => return None,
        })
    }

    /// What becomes of a state.
    pub fn state(&self, model: &Model, state: &State) -> Option<State> {
        let mut image = state.clone();
        for id in (0..model.constants.len()).map(|n| ConstantId(n as u32)) {
            if let Some(value) = state.constant(id) {
                image.set_constant(id, Some(self.value(value)?));
            }
        }
        for id in (0..model.variables.len()).map(|n| VariableId(n as u32)) {
            if let Some(value) = state.variable(id) {
                image.set_variable(id, Some(self.value(value)?));
            }
        }
        Some(image)
    }
}

/// What formulas say of single elements.
struct Seen<'m> {
    model: &'m Model,
    named: BTreeSet<(u32, u32)>,
    fixed: BTreeSet<u32>,
}

impl Seen<'_> {
    /// Every set in a type stays as it is.
    fn fix(&mut self, ty: TypeId) {
        let (mut todo, mut done) = (vec![ty], BTreeSet::new());
        while let Some(ty) = todo.pop() {
            if !done.insert(ty) {
                continue;
            }
            match self.model.types.get(ty) {
                Type::Given(set) => drop(self.fixed.insert(set.index() as u32)),
                Type::Free(id, arguments) => {
                    todo.extend(arguments);
                    let constructors = &self.model.free_type(*id).constructors;
                    todo.extend(constructors.iter().filter_map(|c| c.1.as_ref()).map(|e| e.ty));
                }
                Type::Power(of) => todo.push(*of),
                Type::Pair(a, b) => todo.extend([*a, *b]),
                Type::Record(fields) => todo.extend(fields.iter().map(|f| f.1)),
                Type::Bool | Type::Integer | Type::Real | Type::String => {}
            }
        }
    }

    fn call(&mut self, id: ExternalId, arguments: &[Expr], result: Option<TypeId>) {
        // The one element of a set of one is the same whatever it is called.
        if self.model.external(id).function == Some(LibraryFunction::Sets(SetFunction::Mu)) {
            return;
        }
        arguments.iter().map(|a| a.ty).chain(result).for_each(|ty| self.fix(ty));
    }
}

impl Mentions for Seen<'_> {
    fn enter(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Element(set, index) => {
                self.named.insert((set.index() as u32, *index));
            }
            ExprKind::External(id, arguments) => self.call(*id, arguments, Some(e.ty)),
            // Sums are rounded in the order of their terms.
            ExprKind::Quantified(ExprQuantifier::RealSum | ExprQuantifier::RealProduct, b, _) => {
                let types: Vec<TypeId> = b.locals.iter().map(|l| self.model.local(*l).ty).collect();
                types.into_iter().for_each(|ty| self.fix(ty));
            }
            _ => {}
        }
        true
    }

    fn external(&mut self, external: ExternalId, arguments: &[Expr]) {
        self.call(external, arguments, None);
    }
}
