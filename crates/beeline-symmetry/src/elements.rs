//! Which elements may be permuted. Decided, not assumed.
//!
//! Elements of deferred sets and of set-valued parameters have no name, so no formula can tell
//! them apart, unless an external function sees them. A named element is never moved; the others
//! of its set still are. An enumerated set is symmetric only if its author asks for it with
//! `FORCE_SYMMETRY_S`, and no formula distinguishes one of its elements.
//!
//! Constants need no rule of their own here: their values belong to the state that is permuted.

use crate::error::SymmetryError;
use beeline_compile::System;
use beeline_fault::{Flaw, planted};
use beeline_model::{
    Conjunct, Expr, ExprKind, ExprQuantifier, ExternalId, LibraryFunction, Mentions, Model, Pred,
    SetFunction, SetId, SetKind, Type, TypeId, visit_expr, visit_pred, visit_subst,
};
use beeline_value::Val;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// No number: the element is not permuted.
const FIXED: u32 = u32::MAX;
/// The external function whose answer cannot depend on which element is which.
const SYMMETRIC: LibraryFunction = LibraryFunction::Sets(SetFunction::Mu);

/// A set some of whose elements may be permuted.
#[derive(Clone, Debug)]
pub struct SymmetricSet {
    /// The set.
    pub set: SetId,
    /// Its name.
    pub name: String,
    /// The number of its first permutable element.
    pub first: usize,
    /// How many there are.
    pub len: usize,
    /// How many elements of the set are fixed.
    pub fixed: usize,
}

/// All elements that may be permuted, numbered from 0, set after set.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The sets they are from.
    pub sets: Vec<SymmetricSet>,
    /// Deferred sets that are not symmetric, and why.
    pub excluded: Vec<(String, String)>,
    /// Number of each element of each given set.
    numbers: Vec<Vec<u32>>,
    /// The element of each number.
    atoms: Vec<Val>,
    /// The symmetric set of each number.
    classes: Vec<u32>,
    /// Types in which permutable elements can occur.
    types: FxHashSet<TypeId>,
}

impl Elements {
    /// Decides for a model. `goals` are formulas that are checked beside those of the model. The
    /// error is a refusal of `FORCE_SYMMETRY_…`.
    pub fn of(model: &Model, system: &System, goals: &[&Pred]) -> Result<Elements, SymmetryError> {
        let mut seen = Seen { model, named: BTreeMap::new(), exposed: BTreeMap::new() };
        seen.model_formulas();
        goals.iter().for_each(|p| visit_pred(p, &mut seen));
        let mut elements = Elements::default();
        for (number, row) in model.sets.iter().enumerate() {
            let set = SetId(number as u32);
            let size = system.set_sizes().get(number).map_or(0, |s| s.1 as usize);
            let mut named: Vec<u32> = seen.named.get(&set).into_iter().flatten().copied().collect();
            if planted(Flaw::NamedPermuted) {
                named.pop();
            }
            let forced = model.special.forced_symmetry.contains(&set);
            let exposed = seen.exposed.get(&set);
            if row.kind == SetKind::Enumerated {
                if !forced {
                    elements.numbers.push(vec![FIXED; size]);
                    continue;
                }
                refuse_forced(row.name.as_str(), row.elements.as_deref(), &named, exposed)?;
            } else if let Some(why) = exposed {
                elements.excluded.push((row.name.to_string(), why.clone()));
                elements.numbers.push(vec![FIXED; size]);
                continue;
            }
            elements.add(set, row.name.to_string(), size, &named);
        }
        elements.types = symmetric_types(model, &elements);
        Ok(elements)
    }

    fn add(&mut self, set: SetId, name: String, size: usize, named: &[u32]) {
        let free: Vec<u32> = (0..size as u32).filter(|i| !named.contains(i)).collect();
        let mut numbers = vec![FIXED; size];
        // A single element cannot be moved.
        if free.len() > 1 {
            let (first, class) = (self.atoms.len(), self.sets.len() as u32);
            for index in &free {
                numbers[*index as usize] = self.atoms.len() as u32;
                self.atoms.push(Val::atom(set.index() as u32, *index));
                self.classes.push(class);
            }
            let (len, fixed) = (free.len(), size - free.len());
            self.sets.push(SymmetricSet { set, name, first, len, fixed });
        }
        self.numbers.push(numbers);
    }

    /// How many elements may be permuted.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Is there nothing to permute?
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The number of an element, if it may be permuted.
    #[inline]
    pub fn number(&self, value: Val) -> Option<usize> {
        let (set, index) = value.as_atom()?;
        let number = *self.numbers.get(set as usize)?.get(index as usize)?;
        (number != FIXED).then_some(number as usize)
    }

    /// The element of a number.
    pub fn atom(&self, number: usize) -> Val {
        self.atoms[number]
    }

    /// The symmetric set (index into [`Elements::sets`]) of a number.
    pub fn class(&self, number: usize) -> usize {
        self.classes[number] as usize
    }

    /// Can a value of this type hold an element that may be permuted?
    pub fn in_type(&self, ty: TypeId) -> bool {
        self.types.contains(&ty)
    }

    /// How many permutations there are; nothing if they are more than `limit`.
    pub fn permutations(&self, limit: u64) -> Option<u64> {
        let factors = self.sets.iter().flat_map(|s| 2..=s.len as u64);
        factors.into_iter().try_fold(1u64, |n, f| n.checked_mul(f).filter(|n| *n <= limit))
    }
}

fn refuse_forced(
    name: &str,
    elements: Option<&[(beeline_model::Name, beeline_source::Span)]>,
    named: &[u32],
    exposed: Option<&String>,
) -> Result<(), SymmetryError> {
    let element = |i: u32| {
        elements.and_then(|e| e.get(i as usize)).map_or(String::new(), |e| e.0.to_string())
    };
    let refuse = |why| Err(SymmetryError::NotSymmetric { set: name.to_owned(), why });
    if let Some(first) = named.first() {
        return refuse(format!("the model refers to its element {}", element(*first)));
    }
    match exposed {
        Some(why) => refuse(why.clone()),
        None => Ok(()),
    }
}

/// All types in which a permutable element can occur.
fn symmetric_types(model: &Model, elements: &Elements) -> FxHashSet<TypeId> {
    let mut found: FxHashSet<TypeId> = FxHashSet::default();
    let mut free: FxHashSet<u32> = FxHashSet::default();
    // Types refer to earlier ones, free types to anything: a few rounds reach the end.
    loop {
        let before = found.len() + free.len();
        for index in 0..model.types.len() {
            let id = TypeId(index as u32);
            let holds = match model.types.get(id) {
                Type::Bool | Type::Integer | Type::Real | Type::String => false,
                Type::Given(set) => elements.sets.iter().any(|s| s.set == *set),
                Type::Free(ty, arguments) => {
                    free.contains(&(ty.index() as u32))
                        || arguments.iter().any(|a| found.contains(a))
                }
                Type::Power(of) => found.contains(of),
                Type::Pair(a, b) => found.contains(a) || found.contains(b),
                Type::Record(fields) => fields.iter().any(|f| found.contains(&f.1)),
            };
            if holds {
                found.insert(id);
            }
        }
        for (number, ty) in model.free_types.iter().enumerate() {
            let mut parts = ty.constructors.iter().filter_map(|c| c.1.as_ref());
            if parts.any(|e| found.contains(&e.ty)) {
                free.insert(number as u32);
            }
        }
        if found.len() + free.len() == before {
            return found;
        }
    }
}

/// What formulas say about single elements.
struct Seen<'m> {
    model: &'m Model,
    /// Elements that are named.
    named: BTreeMap<SetId, Vec<u32>>,
    /// Sets whose elements something can tell apart that is no formula of B.
    exposed: BTreeMap<SetId, String>,
}

impl Seen<'_> {
    fn model_formulas(&mut self) {
        let model = self.model;
        let conjunct = |c: &Conjunct, seen: &mut Self| visit_pred(&c.pred, seen);
        model.properties.iter().for_each(|p| conjunct(&p.conjunct, self));
        for level in &model.levels {
            level.all_conjuncts().for_each(|c| conjunct(c, self));
            level.initialisation.iter().for_each(|(_, s)| visit_subst(s, self));
            level.variants.iter().for_each(|e| visit_expr(e, self));
        }
        model.operations.iter().for_each(|o| visit_subst(&o.body, self));
        model.special.goal.iter().chain(&model.special.scope).for_each(|p| visit_pred(p, self));
        model.special.heuristic.iter().for_each(|e| visit_expr(e, self));
        for ty in &model.free_types {
            ty.constructors.iter().filter_map(|c| c.1.as_ref()).for_each(|e| visit_expr(e, self));
        }
    }

    /// All given sets that a type speaks of.
    fn expose(&mut self, ty: TypeId, why: &str) {
        let (mut todo, mut done) = (vec![ty], FxHashSet::default());
        while let Some(ty) = todo.pop() {
            if !done.insert(ty) {
                continue;
            }
            match self.model.types.get(ty) {
                Type::Given(set) => {
                    self.exposed.entry(*set).or_insert_with(|| why.to_owned());
                }
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
        let external = self.model.external(id);
        if external.function == Some(SYMMETRIC) {
            return;
        }
        let why = format!("the external function {} can distinguish its elements", external.name);
        let types: Vec<TypeId> = arguments.iter().map(|a| a.ty).chain(result).collect();
        types.into_iter().for_each(|ty| self.expose(ty, &why));
    }
}

/// Does it list all elements of an enumerated set, and nothing else? Then it distinguishes none.
fn lists_all(model: &Model, parts: &[Expr]) -> bool {
    let Some(ExprKind::Element(set, _)) = parts.first().map(|p| &p.kind) else { return false };
    let Some(elements) = &model.set(*set).elements else { return false };
    let element = |p: &Expr| match p.kind {
        ExprKind::Element(of, number) => (of == *set).then_some(number),
        _ => None,
    };
    // Nothing else may stand in it: what is not looked at might distinguish them.
    parts.iter().all(|p| element(p).is_some())
        && (0..elements.len() as u32).all(|i| parts.iter().any(|p| element(p) == Some(i)))
}

impl Mentions for Seen<'_> {
    fn enter(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Element(set, index) => {
                let named = self.named.entry(*set).or_default();
                if !named.contains(index) {
                    named.push(*index);
                }
            }
            ExprKind::SetExtension(parts) if lists_all(self.model, parts) => return false,
            ExprKind::External(id, arguments) => self.call(*id, arguments, Some(e.ty)),
            // Rounding depends on the order of the terms.
            ExprKind::Quantified(ExprQuantifier::RealSum | ExprQuantifier::RealProduct, b, _) => {
                let types: Vec<TypeId> = b.locals.iter().map(|l| self.model.local(*l).ty).collect();
                let why = "a sum or product of real numbers runs over its elements";
                types.into_iter().for_each(|ty| self.expose(ty, why));
            }
            _ => {}
        }
        true
    }

    fn external(&mut self, external: ExternalId, arguments: &[Expr]) {
        self.call(external, arguments, None);
    }
}
