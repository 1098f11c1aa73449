//! Flattens instances into refinement levels.

use super::super::{Contents, preconditions};
use super::Filler;
use crate::project::RefKind;
use beeline_model::{
    Assertion, BinaryOp, CompareOp, ComponentId, Expr, ExprKind, Footprint, Gluing, Invariant,
    Level, OperationId, Pred, PredKind, Property, PropertyOrigin, Role, Subst, SubstKind,
    VariableId,
};
use beeline_source::Span;

/// Builds `levels` and `properties` of the model from what the instances hold.
pub(super) fn build(filler: &mut Filler<'_>) {
    let chain = chain(filler);
    properties(filler);
    beeline_model::fill_footprints(&mut filler.elaborator.model.operations);
    for index in chain {
        let level = level(filler, index);
        filler.elaborator.model.levels.push(level);
    }
    let model = &mut filler.elaborator.model;
    preconditions::inherit(model);
    beeline_model::fill_footprints(&mut model.operations);
}

/// The main machine and its abstractions, most abstract first.
fn chain(filler: &Filler<'_>) -> Vec<usize> {
    let mut chain = vec![filler.main];
    loop {
        let last = chain[chain.len() - 1];
        let links = &filler.instances[last].links;
        match links.iter().find(|l| l.0 == RefKind::Refines) {
            Some((_, next)) if !chain.contains(next) => chain.push(*next),
            _ => break,
        }
    }
    chain.reverse();
    chain
}

fn properties(filler: &mut Filler<'_>) {
    for index in filler.order.clone() {
        let component = filler.instances[index].component;
        let contents = &mut filler.contents[index];
        let parts = [
            (PropertyOrigin::Constraints, std::mem::take(&mut contents.constraints)),
            (PropertyOrigin::Properties, std::mem::take(&mut contents.properties)),
            (PropertyOrigin::Values, std::mem::take(&mut contents.values)),
        ];
        for (origin, conjuncts) in parts {
            for conjunct in conjuncts {
                let property = Property { conjunct, origin, component };
                filler.elaborator.model.properties.push(property);
            }
        }
    }
}

/// All instances whose state belongs to the level of `root`, dependencies first.
fn members(filler: &Filler<'_>, root: usize) -> Vec<usize> {
    let mut wanted = vec![root];
    let mut next = 0;
    while let Some(&index) = wanted.get(next) {
        next += 1;
        for (kind, target) in &filler.instances[index].links {
            if *kind != RefKind::Refines && !wanted.contains(target) {
                wanted.push(*target);
            }
        }
    }
    filler.order.iter().copied().filter(|i| wanted.contains(i)).collect()
}

fn level(filler: &mut Filler<'_>, root: usize) -> Level {
    let members = members(filler, root);
    let mut variables: Vec<VariableId> = Vec::new();
    for &index in &members {
        for variable in &filler.instances[index].variables {
            if !variables.contains(variable) {
                variables.push(*variable);
            }
        }
    }
    let mut level = Level {
        component: filler.instances[root].component,
        variables,
        invariants: Vec::new(),
        assertions: Vec::new(),
        gluing: Gluing::default(),
        initialisation: Vec::new(),
        operations: offered(filler, root, &members),
        variants: filler.contents[root].variants.clone(),
    };
    for &index in &members {
        let component = filler.instances[index].component;
        let contents = &filler.contents[index];
        add_conjuncts(&mut level, component, contents);
        if let Some(s) = &contents.initialisation {
            level.initialisation.push((component, s.clone()));
        } else if index == root && level.initialisation.is_empty() {
            let skip = Subst { kind: SubstKind::Skip, span: Span::NONE };
            level.initialisation.push((component, skip));
        }
    }
    level
}

/// Adds conjuncts to the lists they belong to; this gives them their numbers.
pub(crate) fn add_conjuncts(level: &mut Level, component: ComponentId, contents: &Contents) {
    for conjunct in &contents.invariants {
        let reads = Footprint::of_pred(&conjunct.pred).reads;
        let list = match level.keeps(&reads) {
            true => &mut level.invariants,
            false => &mut level.gluing.invariants,
        };
        let (conjunct, only_types) = (conjunct.clone(), only_types(&conjunct.pred));
        list.push(Invariant { conjunct, component, only_types, reads });
    }
    for conjunct in &contents.assertions {
        let reads = Footprint::of_pred(&conjunct.pred).reads;
        let list = match level.keeps(&reads) {
            true => &mut level.assertions,
            false => &mut level.gluing.assertions,
        };
        let (conjunct, dynamic) = (conjunct.clone(), !reads.is_empty());
        list.push(Assertion { conjunct, component, dynamic });
    }
}

/// What the environment may call: the interface, and the operations of seen and used machines.
fn offered(filler: &Filler<'_>, root: usize, members: &[usize]) -> Vec<OperationId> {
    let mut operations: Vec<OperationId> = Vec::new();
    let seen = members
        .iter()
        .filter(|&&i| i != root && matches!(filler.instances[i].role, Role::Seen | Role::Used));
    for index in std::iter::once(&root).chain(seen) {
        for (_, id) in &filler.instances[*index].interface {
            if !operations.contains(id) {
                operations.push(*id);
            }
        }
    }
    operations
}

/// Does every well-typed value satisfy this, and has it a meaning in every state?
fn only_types(p: &Pred) -> bool {
    match &p.kind {
        PredKind::Compare(CompareOp::Member | CompareOp::Subset, of, set) => {
            always_means_something(of) && is_whole_type(set)
        }
        _ => false,
    }
}

/// Is it put together from names? `f(x)` is of the right type only where `f` has a value.
fn always_means_something(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Variable(_) | ExprKind::Constant(_) | ExprKind::EmptySet => true,
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            always_means_something(a) && always_means_something(b)
        }
        ExprKind::SetExtension(parts) | ExprKind::Record(parts) => {
            parts.iter().all(always_means_something)
        }
        _ => false,
    }
}

/// Is this set all of its type?
fn is_whole_type(set: &Expr) -> bool {
    use beeline_model::{BasicSet, UnaryOp};
    match &set.kind {
        ExprKind::GivenSet(_) => true,
        ExprKind::Basic(basic) => matches!(
            basic,
            BasicSet::Bool
                | BasicSet::Integer
                | BasicSet::String
                | BasicSet::Real
                | BasicSet::Float
        ),
        ExprKind::Unary(UnaryOp::Power, of) => is_whole_type(of),
        ExprKind::Binary(BinaryOp::Cartesian | BinaryOp::Relations, a, b) => {
            is_whole_type(a) && is_whole_type(b)
        }
        ExprKind::RecordSet(fields) => fields.iter().all(is_whole_type),
        _ => false,
    }
}
