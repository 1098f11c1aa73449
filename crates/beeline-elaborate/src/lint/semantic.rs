//! Advice that needs the typed model: unused things, invariants that only type.

use beeline_model::{
    ComponentId, ConstantId, Invariant, LocalId, Mentions, Model, Role, VariableId, visit_expr,
    visit_pred, visit_subst,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};

/// What is mentioned anywhere.
#[derive(Default)]
struct Used {
    read: Vec<bool>,
    written: Vec<bool>,
    constants: Vec<bool>,
    locals: Vec<bool>,
}

fn mark(list: &mut Vec<bool>, index: usize) {
    if list.len() <= index {
        list.resize(index + 1, false);
    }
    list[index] = true;
}

fn marked(list: &[bool], index: usize) -> bool {
    list.get(index).copied().unwrap_or(false)
}

impl Mentions for Used {
    fn reads(&mut self, variable: VariableId) {
        mark(&mut self.read, variable.index());
    }

    fn writes(&mut self, variable: VariableId) {
        mark(&mut self.written, variable.index());
    }

    fn constant(&mut self, constant: ConstantId) {
        mark(&mut self.constants, constant.index());
    }

    fn local(&mut self, local: LocalId) {
        mark(&mut self.locals, local.index());
    }
}

/// Looks through a whole model, and speaks of its main machine.
pub(crate) fn model(model: &Model, out: &mut Diagnostics) {
    let Some(main) = model.components.iter().position(|c| c.role == Role::Main) else { return };
    let main = ComponentId(main as u32);
    let (used, by_operations) = mentions(model);
    variables(model, main, &used, &by_operations, out);
    initialised(model, main, out);
    constants(model, main, &used, out);
    parameters(model, main, &used, out);
    typing_only(model, main, out);
    super::refinement::refinement(model, main, out);
}

fn mentions(model: &Model) -> (Used, Used) {
    let mut used = Used::default();
    let mut by_operations = Used::default();
    for property in &model.properties {
        beyond_typing(&property.conjunct.pred, &mut used);
    }
    for level in &model.levels {
        // An invariant that only types a variable does not use it.
        let invariants = || level.invariants.iter().chain(&level.gluing.invariants);
        for invariant in invariants().filter(|i| !is_typing(&i.conjunct.pred)) {
            visit_pred(&invariant.conjunct.pred, &mut used);
        }
        for assertion in level.assertions.iter().chain(&level.gluing.assertions) {
            visit_pred(&assertion.conjunct.pred, &mut used);
        }
        for invariant in invariants().filter(|i| is_typing(&i.conjunct.pred)) {
            let mut inside = Used::default();
            visit_pred(&invariant.conjunct.pred, &mut inside);
            used.constants.resize(used.constants.len().max(inside.constants.len()), false);
            for (index, mentioned) in inside.constants.iter().enumerate() {
                used.constants[index] |= mentioned;
            }
        }
        for (_, s) in &level.initialisation {
            visit_subst(s, &mut used);
        }
        level.variants.iter().for_each(|e| visit_expr(e, &mut used));
    }
    for operation in &model.operations {
        operation_body(&operation.body, &mut used);
        visit_subst(&operation.body, &mut by_operations);
    }
    let special = &model.special;
    special.goal.iter().chain(&special.scope).for_each(|p| visit_pred(p, &mut used));
    special.heuristic.iter().for_each(|e| visit_expr(e, &mut used));
    (used, by_operations)
}

/// A precondition `p : S` says what the parameter is, and does not use it.
fn operation_body(body: &beeline_model::Subst, used: &mut Used) {
    let beeline_model::SubstKind::Pre(conditions, inner) = &body.kind else {
        return visit_subst(body, used);
    };
    conditions.iter().for_each(|c| beyond_typing(&c.pred, used));
    visit_subst(inner, used);
}

/// What a condition mentions, except for a constant or parameter that it only types.
fn beyond_typing(p: &beeline_model::Pred, used: &mut Used) {
    use beeline_model::{CompareOp, ExprKind, PredKind};
    match &p.kind {
        PredKind::Compare(CompareOp::Member | CompareOp::Subset, x, set)
            if matches!(x.kind, ExprKind::Local(_) | ExprKind::Constant(_)) =>
        {
            visit_expr(set, used);
        }
        _ => visit_pred(p, used),
    }
}

/// `x : S` and `x <: S` for a bare variable: says what the variable is.
fn is_typing(p: &beeline_model::Pred) -> bool {
    use beeline_model::{CompareOp, ExprKind, PredKind};
    match &p.kind {
        PredKind::Compare(CompareOp::Member | CompareOp::Subset, x, set) => {
            matches!(x.kind, ExprKind::Variable(_))
                && beeline_model::Footprint::of_expr(set).reads.is_empty()
        }
        _ => false,
    }
}

fn variables(
    model: &Model,
    main: ComponentId,
    used: &Used,
    by_operations: &Used,
    out: &mut Diagnostics,
) {
    for (index, variable) in model.variables.iter().enumerate() {
        if variable.component != main {
            continue;
        }
        let name = &variable.name;
        if !marked(&used.read, index) {
            let message = format!("variable `{name}` is never read");
            out.push(
                Diagnostic::new(Code::UNUSED_VARIABLE, variable.span, message).help(
                    "each of its values multiplies the states: remove it if it is not needed",
                ),
            );
        } else if !marked(&by_operations.written, index) && !model.operations.is_empty() {
            let message = format!("no operation changes variable `{name}`");
            out.push(
                Diagnostic::new(Code::NEVER_WRITTEN, variable.span, message)
                    .help("a CONSTANT may say better what you mean"),
            );
        }
    }
}

/// A variable that the initialisation does not write has no value to begin with.
fn initialised(model: &Model, main: ComponentId, out: &mut Diagnostics) {
    let level = model.concrete();
    let mut written: Vec<VariableId> = Vec::new();
    for (_, s) in &level.initialisation {
        let footprint = beeline_model::Footprint::of_subst(s);
        written.extend(footprint.writes);
        for call in footprint.calls {
            written.extend(&model.operation(call).writes);
        }
    }
    for id in &level.variables {
        let variable = model.variable(*id);
        if variable.component == main && !written.contains(id) {
            let message = format!("variable `{}` is not initialised", variable.name);
            out.push(
                Diagnostic::new(Code::NOT_INITIALISED, variable.span, message)
                    .help(format!("give it a value in the INITIALISATION: {} := …", variable.name)),
            );
        }
    }
}

fn constants(model: &Model, main: ComponentId, used: &Used, out: &mut Diagnostics) {
    for (index, constant) in model.constants.iter().enumerate() {
        if constant.component == main && !marked(&used.constants, index) {
            let message = format!("constant `{}` is never used", constant.name);
            out.push(Diagnostic::new(Code::UNUSED_CONSTANT, constant.span, message));
        }
    }
}

fn parameters(model: &Model, main: ComponentId, used: &Used, out: &mut Diagnostics) {
    for operation in model.operations.iter().filter(|o| o.component == main) {
        for parameter in &operation.parameters {
            if !marked(&used.locals, parameter.index()) {
                let local = model.local(*parameter);
                let message =
                    format!("parameter `{}` of `{}` is never used", local.name, operation.name);
                out.push(Diagnostic::new(Code::UNUSED_PARAMETER, local.span, message));
            }
        }
    }
}

fn typing_only(model: &Model, main: ComponentId, out: &mut Diagnostics) {
    let level = model.concrete();
    let stated = |i: &&Invariant| i.component == main;
    let own: Vec<_> = level.invariants.iter().filter(stated).collect();
    let gluing: Vec<_> = level.gluing.invariants.iter().filter(stated).collect();
    if own.is_empty() && gluing.is_empty() {
        return;
    }
    if own.iter().chain(&gluing).all(|i| i.only_types) {
        let ends = own.first().into_iter().chain(own.last()).chain(&gluing);
        let span = ends.fold(Span::NONE, |span, i| span.to(i.conjunct.span));
        out.push(
            Diagnostic::new(
                Code::INVARIANT_ONLY_TYPES,
                span,
                "the invariant only gives the types of the variables",
            )
            .help("every well-typed state satisfies it: state what must never go wrong"),
        );
    }
}
