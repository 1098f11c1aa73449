//! Puts a [`System`] together: set sizes, slots, queries, checks.

use super::{Body, Check, ExprId, OperationInfo, PredId, Slot, System, sizes};
use crate::compiler::context::Cx;
use crate::error::CompileError;
use crate::eval::frame::{Code, FreeInfo, Recursion, Runtime};
use crate::settings::Settings;
use beeline_model::{
    Conjunct, ConjunctId, Level, LocalId, Model, OperationId, Pred, Preserved, Subst, SubstKind,
};
use beeline_plan::{Name, Names, Plans, Scope, peel};
use beeline_transition::{Label, OperationIndex, Prover, Signature};
use beeline_value::{ATOM_INDEX_LIMIT, ATOM_SET_LIMIT, Store, Val};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Compiles a model.
pub(crate) fn build(model: &Model, settings: &Settings) -> Result<System, Vec<CompileError>> {
    let store = Arc::new(Store::new());
    let mut errors = Vec::new();
    let mut sets = Vec::new();
    let mut names = Vec::new();
    let mut set_sizes = Vec::new();
    let sizes = sizes::of(model, settings);
    for (number, (set, size)) in model.sets.iter().zip(sizes).enumerate() {
        // An element is one word: so many bits for its set, and so many for its place in it.
        if size >= u64::from(ATOM_INDEX_LIMIT) || number >= ATOM_SET_LIMIT as usize {
            let words = format!("{} has too many elements, or there are too many sets", set.name);
            errors.push(CompileError { span: set.span, words });
            continue;
        }
        sets.push(
            store.set_sorted((0..size as u32).map(|i| Val::atom(number as u32, i)).collect()),
        );
        names.push((0..size as u32).map(|i| set.element_name(i)).collect());
        set_sizes.push((set.name.to_string(), size));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let scope = Scope {
        min_int: settings.min_int,
        max_int: settings.max_int,
        set_sizes: set_sizes.iter().map(|(_, size)| *size).collect(),
    };
    let plans = Arc::new(Plans::new(scope, settings.policy, Arc::default()));
    let mut cx = Cx::new(model, settings, store.clone(), sets.clone(), plans);
    free_types(&mut cx);
    let system = assemble(&mut cx, names, set_sizes);
    if cx.errors.is_empty() { Ok(system) } else { Err(cx.errors) }
}

fn free_types(cx: &mut Cx<'_>) {
    let model = cx.model;
    for ty in &model.free_types {
        let parameters = ty.locals.iter().map(|l| cx.local_slot(*l)).collect();
        let constructors = ty
            .constructors
            .iter()
            .map(|(name, set)| (name.to_string(), set.as_ref().map(|e| cx.expr(e))))
            .collect();
        cx.free_types.push(FreeInfo { name: ty.name.to_string(), constructors, parameters });
    }
}

/// The codes that were made, in their places.
fn take_codes(cx: &mut Cx<'_>) -> Vec<Code> {
    // Every place is filled when the comprehension that took it is compiled.
    std::mem::take(&mut cx.codes).into_iter().flatten().collect()
}

/// The recursive definitions that were made, in their places.
fn take_recursions(cx: &mut Cx<'_>) -> Vec<Recursion> {
    std::mem::take(&mut cx.recursions).into_iter().flatten().collect()
}

fn assemble(cx: &mut Cx<'_>, names: Vec<Vec<String>>, set_sizes: Vec<(String, u64)>) -> System {
    let model = cx.model;
    let level = model.concrete();
    let mut positions = vec![None; model.variables.len()];
    for (i, v) in level.variables.iter().enumerate() {
        positions[v.index()] = Some(i as u32);
    }
    let variables: Vec<_> = level
        .variables
        .iter()
        .map(|v| {
            let row = model.variable(*v);
            Slot { id: *v, name: row.name.to_string(), ty: row.ty }
        })
        .collect();
    let constants: Vec<_> = model
        .constants
        .iter()
        .enumerate()
        .map(|(i, row)| Slot {
            id: beeline_model::ConstantId(i as u32),
            name: row.name.to_string(),
            ty: row.ty,
        })
        .collect();
    let unknowns: Vec<Name> = constants.iter().map(|c| Name::Constant(c.id)).collect();
    let mut properties: Vec<Pred> =
        model.properties.iter().map(|p| p.conjunct.pred.clone()).collect();
    // `x : N & N = A --> B` says what to try for `x` only where the space stands in the place of
    // its name.
    beeline_plan::write_out(&mut properties);
    let setup = cx.plan_names(&unknowns, &properties);
    let setup = cx.compiled(&setup);
    let steps: Vec<Subst> = level.initialisation.iter().map(|(_, s)| s.clone()).collect();
    let span = steps.first().map_or(beeline_source::Span::NONE, |s| s.span);
    let initialisation = cx.subst(&Subst { kind: SubstKind::Sequence(steps), span });

    let place = |positions: &[Option<u32>], v: &beeline_model::VariableId| {
        positions[v.index()].map(|p| p as usize)
    };
    let mut preds = Vec::new();
    let mut check = |cx: &mut Cx<'_>, id: ConjunctId, conjunct: &Conjunct, only_types: bool| {
        let read = Names::of_pred(model, &conjunct.pred);
        preds.push(cx.pred(&conjunct.pred));
        Check {
            id,
            pred: PredId(preds.len() - 1),
            label: conjunct.label.as_ref().map(|l| l.to_string()),
            span: conjunct.span,
            reads: read.variables.iter().filter_map(|v| place(&positions, v)).collect(),
            only_types,
            constant: read.variables.is_empty(),
        }
    };
    let invariants: Vec<Check> = level
        .numbered_invariants()
        .map(|(id, i)| check(cx, id, &i.conjunct, i.only_types))
        .collect();
    let assertions: Vec<Check> =
        level.numbered_assertions().map(|(id, a)| check(cx, id, &a.conjunct, false)).collect();
    let special = &model.special;
    let mut extra = |cx: &mut Cx<'_>, p: &Pred| {
        preds.push(cx.pred(p));
        PredId(preds.len() - 1)
    };
    let goal = special.goal.as_ref().map(|p| extra(cx, p));
    let scope = special.scope.as_ref().map(|p| extra(cx, p));
    let heuristic = special.heuristic.as_ref().map(|e| cx.expr(e));

    let (mut operations, mut labels, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for id in &level.operations {
        let (info, label, body) = operation(cx, *id, &positions);
        operations.push(info);
        labels.push(label);
        bodies.push(body);
    }
    let signature = Signature {
        variables: variables.len(),
        constants: constants.len(),
        has_setup: !model.constants.is_empty() || !model.properties.is_empty(),
        operations: labels,
        invariants,
        assertions,
        provers: prover(level, "proof files", &model.proofs, &[]).into_iter().collect(),
        goal,
        scope,
        has_target: false,
    };
    System {
        plans: cx.plans.clone(),
        own_slots: cx.next_slot,
        frame_size: AtomicUsize::new(cx.next_slot),
        variables,
        constants,
        setup,
        initialisation,
        operations,
        bodies,
        preds,
        heuristic: heuristic.as_ref().map(|_| ExprId(0)),
        exprs: heuristic.into_iter().collect(),
        target: None,
        signature,
        goal,
        set_sizes,
        uses_int_bounds: cx.uses_int_bounds.get(),
        runtime: Runtime {
            store: cx.store.clone(),
            types: model.types.clone(),
            sets: cx.sets.clone(),
            names,
            free_types: std::mem::take(&mut cx.free_types),
            settings: cx.settings.clone(),
            first_constant: model.variables.len(),
            positions,
            codes: take_codes(cx),
            recursions: take_recursions(cx),
            breaking: crate::breaking::Breaking::default(),
            next_query: AtomicU32::new(cx.next_query),
            interrupt: Arc::default(),
            memory: u64::MAX.into(),
        },
    }
}

/// What somebody proved, by the numbers that operations have in the system; nothing if that is of no
/// use.
pub(crate) fn prover(
    level: &Level,
    name: &'static str,
    preserved: &[Preserved],
    always: &[ConjunctId],
) -> Option<Prover> {
    let pair = |proof: &Preserved| {
        // A proof about what is not checked here, or by an operation that nobody can call, is of no
        // use; dropping it only costs evaluations.
        level.conjunct(proof.conjunct)?;
        let operation = match proof.operation {
            Some(id) => Some(OperationIndex(level.operations.iter().position(|o| *o == id)?)),
            None => None,
        };
        Some((operation, proof.conjunct))
    };
    let preserved: Vec<_> = preserved.iter().filter_map(pair).collect();
    let checked = always.iter().filter(|id| level.conjunct(**id).is_some());
    let always: Vec<_> = checked.copied().collect();
    let is_empty = preserved.is_empty() && always.is_empty();
    (!is_empty).then_some(Prover { name, preserved, always })
}

fn operation(
    cx: &mut Cx<'_>,
    id: OperationId,
    positions: &[Option<u32>],
) -> (OperationInfo, Label, Body) {
    let model = cx.model;
    let row = model.operation(id);
    let typed = |locals: &[LocalId]| {
        locals
            .iter()
            .map(|l| (model.local(*l).name.to_string(), model.local(*l).ty))
            .collect::<Vec<_>>()
    };
    let places = |ids: &[beeline_model::VariableId]| {
        ids.iter().filter_map(|v| positions[v.index()].map(|p| p as usize)).collect()
    };
    let info = OperationInfo {
        id,
        name: row.name.to_string(),
        parameters: typed(&row.parameters),
        results: typed(&row.results),
    };
    let label = Label {
        name: row.name.to_string(),
        reads: places(&row.reads),
        writes: places(&row.writes),
    };
    (info, label, operation_body(cx, id))
}

/// An operation with its plans.
pub(crate) fn operation_body(cx: &mut Cx<'_>, id: OperationId) -> Body {
    let model = cx.model;
    let row = model.operation(id);
    // Collected for this operation alone, and put back below for whatever encloses it.
    let (codes, outside) = (cx.codes.len(), std::mem::take(&mut cx.leeway));
    cx.calls.push(id);
    cx.enter_scope();
    let parameters = row.parameters.iter().map(|l| cx.local_slot(*l)).collect();
    let results = row.results.iter().map(|l| cx.local_slot(*l)).collect();
    let guard = cx.plans.operation(model, id);
    cx.leeway.join(guard.leeway);
    let guard = cx.compiled(&guard);
    let body = cx.subst(peel(row).1);
    cx.leave_scope();
    cx.calls.pop();
    let leeway = std::mem::replace(&mut cx.leeway, outside);
    // A set that is not listed is known by the number of its code, wherever it gets to: there must
    // not be a second code for it. What only the solver finds is its own affair.
    let may_replan = leeway.has_rivals && !leeway.is_special && cx.codes.len() == codes;
    Body { parameters, results, guard, body, may_replan }
}

/// Compiles something more into a system that exists.
pub(crate) fn extend<T>(
    system: &mut System,
    model: &Model,
    compile: impl FnOnce(&mut Cx<'_>) -> T,
) -> Result<T, Vec<CompileError>> {
    let runtime = &mut system.runtime;
    let (settings, plans) = (&runtime.settings, system.plans.clone());
    let mut cx = Cx::new(model, settings, runtime.store.clone(), runtime.sets.clone(), plans);
    // Slots, codes and queries go on where the system ended: what was compiled before names its own
    // by number.
    cx.next_slot = system.own_slots;
    cx.next_query = *runtime.next_query.get_mut();
    cx.codes = std::mem::take(&mut runtime.codes).into_iter().map(Some).collect();
    cx.recursions = std::mem::take(&mut runtime.recursions).into_iter().map(Some).collect();
    let compiled = stacker::maybe_grow(64 << 20, 128 << 20, || compile(&mut cx));
    system.own_slots = cx.next_slot;
    system.frame_size.fetch_max(cx.next_slot, Ordering::Relaxed);
    *runtime.next_query.get_mut() = cx.next_query;
    runtime.codes = take_codes(&mut cx);
    runtime.recursions = take_recursions(&mut cx);
    runtime.types = model.types.clone();
    if cx.errors.is_empty() { Ok(compiled) } else { Err(cx.errors) }
}
