//! Sets, constants and axioms of the contexts; and which sets are really enumerations.
//!
//! Event-B has no enumerated sets: authors write `partition(S, {a}, {b})`, or `S = {a, b}` and
//! `a ≠ b`. Such a set becomes an enumeration here, its constants elements, and the axioms that said
//! so are gone.

use super::chain::Chain;
use super::theory;
use crate::typing::{Entity, Scope};
use beeline_eventb::Labelled;
use beeline_model::ExprKind as Value;
use beeline_model::{
    CompareOp, ComponentId, Constant, ConstantId, ConstantKind, FreeType, FreeTypeId, GivenSet,
    Model, Name, Pred, PredKind, SetId, SetKind, SetSize, SizeOrigin, TypeId,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{self, BinaryOp, Builtin, Expr, ExprKind, Ident};
use rustc_hash::FxHashSet;

/// What the contexts declare.
pub(super) struct Statics<'a> {
    /// The names of all contexts.
    pub scope: Scope,
    /// The axioms that are left, and the component each stands in.
    pub axioms: Vec<(ComponentId, &'a Labelled)>,
}

/// An enumeration: the set and its elements.
struct Enumeration<'a> {
    set: &'a Name,
    elements: Vec<(Name, Span)>,
}

/// Constants that stand for the first elements of a deferred set, by its name.
pub(super) type Fixed = Vec<(Name, Vec<(Name, Span)>)>;

/// The carrier sets that no axiom enumerates.
pub(super) fn deferred<'a>(chain: &Chain<'a>) -> Vec<&'a Name> {
    let (found, _) = enumerations(chain, &axioms(chain));
    let sets = chain.contexts.iter().flat_map(|c| c.sets.iter().map(|s| &s.name));
    sets.filter(|set| found.iter().all(|e| e.set != *set)).collect()
}

/// All axioms and theorems of the contexts, with the component each stands in.
fn axioms<'a>(chain: &Chain<'a>) -> Vec<(ComponentId, &'a Labelled)> {
    let number = |i: usize| ComponentId(i as u32);
    let contexts = chain.contexts.iter().enumerate();
    contexts.flat_map(|(i, c)| c.axioms.iter().map(move |a| (number(i), a))).collect()
}

/// Declares everything in the model.
pub(super) fn declare<'a>(
    chain: &Chain<'a>,
    fixed: &Fixed,
    free_types: &[ast::FreeType],
    model: &mut Model,
    out: &mut Diagnostics,
) -> Statics<'a> {
    let all = axioms(chain);
    let (enumerations, used) = enumerations(chain, &all);
    let mut scope = Scope::default();
    free_types.iter().for_each(|free| add_free_type(model, free, &mut scope, out));
    for (index, context) in chain.contexts.iter().enumerate() {
        let component = ComponentId(index as u32);
        for set in &context.sets {
            let elements = enumerations.iter().find(|e| *e.set == set.name);
            let elements = elements.map(|e| e.elements.clone());
            let known = fixed.iter().find(|(name, _)| *name == set.name);
            let known = known.map(|(_, constants)| constants.clone()).unwrap_or_default();
            let id = add_set(model, set, elements.clone(), known.clone(), component);
            own(&mut scope, set, Entity::Set(id), out);
            let named = elements.unwrap_or(known);
            for (position, (name, span)) in named.into_iter().enumerate() {
                let element = Ident { name, span };
                own(&mut scope, &element, Entity::Element(id, position as u32), out);
            }
        }
    }
    for (index, context) in chain.contexts.iter().enumerate() {
        for constant in &context.constants {
            let name = &constant.name;
            if matches!(scope.names.get(&name.name), Some(Entity::Element(..))) {
                continue;
            }
            let id = ConstantId(model.constants.len() as u32);
            let kind = match constant.symbolic {
                true => ConstantKind::Abstract,
                false => ConstantKind::Concrete,
            };
            model.constants.push(Constant {
                name: theory::shown(&name.name),
                ty: TypeId(0),
                kind,
                memo: false,
                component: ComponentId(index as u32),
                span: name.span,
            });
            own(&mut scope, name, Entity::Constant(id), out);
        }
    }
    let axioms = all.into_iter().enumerate().filter(|(i, _)| !used.contains(i)).map(|(_, a)| a);
    Statics { scope, axioms: axioms.collect() }
}

fn own(scope: &mut Scope, name: &Ident, entity: Entity, out: &mut Diagnostics) {
    if scope.names.insert(name.name.clone(), entity).is_some() {
        let message = format!("`{}` is declared twice", name.name);
        out.push(Diagnostic::new(Code::DUPLICATE_NAME, name.span, message));
    }
}

/// A data type of a theory; what its constructors take is filled in later.
fn add_free_type(
    model: &mut Model,
    free: &ast::FreeType,
    scope: &mut Scope,
    out: &mut Diagnostics,
) {
    let id = FreeTypeId(model.free_types.len() as u32);
    let constructors = free.constructors.iter().map(|c| (theory::shown(&c.0.name), None));
    model.free_types.push(FreeType {
        name: theory::shown(&free.name.name),
        parameters: free.parameters.len(),
        constructors: constructors.collect(),
        locals: Vec::new(),
        span: free.span,
    });
    own(scope, &free.name, Entity::FreeType(id), out);
    for (position, (name, _)) in free.constructors.iter().enumerate() {
        own(scope, name, Entity::Constructor(id, position as u32), out);
    }
}

fn add_set(
    model: &mut Model,
    name: &Ident,
    elements: Option<Vec<(Name, Span)>>,
    fixed: Vec<(Name, Span)>,
    component: ComponentId,
) -> SetId {
    let id = SetId(model.sets.len() as u32);
    let ty = model.types.intern(beeline_model::Type::Given(id));
    let count = elements.as_ref().map(|list| list.len() as u64);
    let size = SetSize {
        min: count.unwrap_or(fixed.len().max(1) as u64),
        max: count,
        origin: if count.is_some() { SizeOrigin::Enumeration } else { SizeOrigin::Default },
        span: name.span,
    };
    let kind = if count.is_some() { SetKind::Enumerated } else { SetKind::Deferred };
    model.sets.push(GivenSet {
        name: name.name.clone(),
        elements,
        fixed,
        kind,
        size,
        ty,
        component,
        span: name.span,
    });
    id
}

/// The sets that axioms enumerate, and the numbers of axioms that say nothing else.
fn enumerations<'a>(
    chain: &Chain<'a>,
    axioms: &[(ComponentId, &'a Labelled)],
) -> (Vec<Enumeration<'a>>, FxHashSet<usize>) {
    let constants: FxHashSet<&str> = chain
        .contexts
        .iter()
        .flat_map(|c| c.constants.iter().map(|c| c.name.name.as_str()))
        .collect();
    let sets = chain.contexts.iter().flat_map(|c| &c.sets);
    let parts: Vec<(usize, Vec<&Expr>)> = axioms
        .iter()
        .enumerate()
        .filter(|(_, (_, a))| !a.theorem)
        .map(|(i, (_, a))| (i, conjuncts(&a.formula)))
        .collect();
    let distinct = distinct_pairs(&parts);
    let mut found: Vec<Enumeration<'a>> = Vec::new();
    let mut taken: FxHashSet<Name> = FxHashSet::default();
    let mut used: FxHashSet<*const Expr> = FxHashSet::default();
    for set in sets {
        let candidate = parts.iter().flat_map(|(_, list)| list).find_map(|part| {
            let elements = listed(part, &set.name, &distinct)?;
            let known =
                |e: &(Name, Span)| constants.contains(e.0.as_str()) && !taken.contains(&e.0);
            elements.iter().all(known).then_some((*part, elements))
        });
        if let Some((part, elements)) = candidate {
            used.insert(part);
            taken.extend(elements.iter().map(|e| e.0.clone()));
            found.push(Enumeration { set: &set.name, elements });
        }
    }
    // What says that two elements of one enumeration differ says nothing any more.
    let together = |a: &Name, b: &Name| {
        found
            .iter()
            .any(|e| e.elements.iter().any(|x| x.0 == *a) && e.elements.iter().any(|x| x.0 == *b))
    };
    let said = |part: &&Expr| {
        used.contains(&std::ptr::from_ref(*part))
            || different(part).is_some_and(|(a, b)| together(a, b))
            || found
                .iter()
                .any(|e| listed(part, e.set, &distinct).is_some_and(|list| same(&list, e)))
            || found.iter().any(|e| size_of(part, e))
    };
    let used = parts.iter().filter(|(_, list)| list.iter().all(said)).map(|(i, _)| *i).collect();
    (found, used)
}

fn same(list: &[(Name, Span)], enumeration: &Enumeration<'_>) -> bool {
    list.len() == enumeration.elements.len()
        && list.iter().all(|e| enumeration.elements.iter().any(|x| x.0 == e.0))
}

/// `card(S) = n` or `finite(S)` of an enumerated set, if it is true.
fn size_of(part: &Expr, enumeration: &Enumeration<'_>) -> bool {
    let ExprKind::Binary(BinaryOp::Equal, a, b) = &part.kind else { return false };
    let (a, b) = (a.peeled(), b.peeled());
    match (&a.kind, &b.kind) {
        (ExprKind::Builtin(Builtin::Card, args), ExprKind::Integer(n)) => {
            matches!(args.as_slice(), [set] if is_name(set, enumeration.set))
                && *n == enumeration.elements.len().to_string()
        }
        _ => false,
    }
}

/// The elements, if this formula lists all elements of a set and they are known to differ.
fn listed(
    part: &Expr,
    set: &Name,
    distinct: &FxHashSet<(Name, Name)>,
) -> Option<Vec<(Name, Span)>> {
    match &part.kind {
        ExprKind::Builtin(Builtin::Partition, args) => {
            let (whole, parts) = args.split_first()?;
            if !is_name(whole, set) {
                return None;
            }
            let mut names = Vec::with_capacity(parts.len());
            for part in parts {
                let ExprKind::SetExtension(items) = &part.peeled().kind else { return None };
                let [item] = items.as_slice() else { return None };
                names.push(name_of(item)?);
            }
            all_differ(&names, |_, _| true).then_some(names)
        }
        ExprKind::Binary(BinaryOp::Equal, a, b) => {
            let items = match (&a.peeled().kind, &b.peeled().kind) {
                (ExprKind::Ident(n), ExprKind::SetExtension(items)) if n == set => items,
                (ExprKind::SetExtension(items), ExprKind::Ident(n)) if n == set => items,
                _ => return None,
            };
            let names: Option<Vec<_>> = items.iter().map(name_of).collect();
            let differ = |a: &Name, b: &Name| distinct.contains(&ordered(a, b));
            names.filter(|names| all_differ(names, differ))
        }
        _ => None,
    }
}

fn all_differ(names: &[(Name, Span)], differ: impl Fn(&Name, &Name) -> bool) -> bool {
    let pair = |i: usize, a: &Name| names[i + 1..].iter().all(|(b, _)| a != b && differ(a, b));
    !names.is_empty() && names.iter().enumerate().all(|(i, (a, _))| pair(i, a))
}

fn ordered(a: &Name, b: &Name) -> (Name, Name) {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

fn name_of(e: &Expr) -> Option<(Name, Span)> {
    match &e.peeled().kind {
        ExprKind::Ident(name) => Some((name.clone(), e.span)),
        _ => None,
    }
}

fn is_name(e: &Expr, name: &Name) -> bool {
    matches!(&e.peeled().kind, ExprKind::Ident(n) if n == name)
}

/// `a ≠ b`, `¬ a = b`
fn different(part: &Expr) -> Option<(&Name, &Name)> {
    let (a, b) = match &part.kind {
        ExprKind::Binary(BinaryOp::NotEqual, a, b) => (a, b),
        ExprKind::Builtin(Builtin::Not, args) => match args.as_slice() {
            [inner] => match &inner.peeled().kind {
                ExprKind::Binary(BinaryOp::Equal, a, b) => (a, b),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    match (&a.peeled().kind, &b.peeled().kind) {
        (ExprKind::Ident(a), ExprKind::Ident(b)) => Some((a, b)),
        _ => None,
    }
}

/// The pairs of names that are said to differ.
fn distinct_pairs(parts: &[(usize, Vec<&Expr>)]) -> FxHashSet<(Name, Name)> {
    let mut pairs = FxHashSet::default();
    for part in parts.iter().flat_map(|(_, list)| list) {
        if let Some((a, b)) = different(part) {
            pairs.insert(ordered(a, b));
        }
        // Parts of a partition differ, and so do their elements.
        if let ExprKind::Builtin(Builtin::Partition, args) = &part.kind {
            let singles = args.iter().skip(1).filter_map(|p| match &p.peeled().kind {
                ExprKind::SetExtension(items) => match items.as_slice() {
                    [item] => name_of(item),
                    _ => None,
                },
                _ => None,
            });
            let singles: Vec<_> = singles.collect();
            for (i, (a, _)) in singles.iter().enumerate() {
                pairs.extend(singles[i + 1..].iter().map(|(b, _)| ordered(a, b)));
            }
        }
    }
    pairs
}

/// The conjuncts of a formula, outer ones first.
pub(super) fn conjuncts(formula: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut pending = vec![formula];
    while let Some(next) = pending.pop() {
        match &next.peeled().kind {
            ExprKind::And(parts) => pending.extend(parts.iter().rev()),
            _ => found.push(next.peeled()),
        }
    }
    found
}

/// Does this only say that an element belongs to its set?
pub(super) fn is_settled(pred: &Pred) -> bool {
    match &pred.kind {
        PredKind::Compare(CompareOp::Member, a, b) => {
            matches!((&a.kind, &b.kind), (Value::Element(..), Value::GivenSet(_)))
        }
        _ => false,
    }
}
