//! Definitions with a meaning to a checker: GOAL, SCOPE, scope_S, SET_PREF_X and their kin.
//!
//! They are elaborated like any formula, but a fault in one of them is a warning: the model has a
//! meaning without it.

use crate::definitions::{Definitions, formula_body};
use crate::typing::{Elaborator, Entity};
use beeline_model::{ClaimKind, IgnoredClaim, Name, Preference, SetKind, SizeOrigin, TemporalText};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{self, Constant, Definition};

/// Collects all special definitions of the main machine.
pub(crate) fn collect<'a>(e: &mut Elaborator<'a>, definitions: &'a Definitions<'a>) {
    for entry in &definitions.order {
        let definition = entry.definition;
        let name = definition.name.name.as_str();
        if !definition.parameters.is_empty() {
            continue;
        }
        let Some(body) = formula_body(definition) else { continue };
        if name == "GOAL" {
            e.model.special.goal = guarded(e, definition, |e| e.pred(body));
        } else if name == "SCOPE" {
            e.model.special.scope = guarded(e, definition, |e| e.pred(body));
        } else if name.starts_with("HEURISTIC_FUNCTION") && e.model.special.heuristic.is_none() {
            e.model.special.heuristic = guarded(e, definition, |e| e.expr(body));
        } else if name.starts_with("ASSERT_LTL") || name.starts_with("ASSERT_CTL") {
            temporal(e, definition, body);
        } else if let Some(preference) = name.strip_prefix("SET_PREF_") {
            set_preference(e, definition, preference, body);
        } else if let Some(set) = name.strip_prefix("scope_") {
            set_scope(e, definition, set, body, definitions);
        } else if let Some(set) = name.strip_prefix("FORCE_SYMMETRY_") {
            match e.scope.names.get(set) {
                Some(Entity::Set(id)) => e.model.special.forced_symmetry.push(*id),
                _ => unusable(e, definition, &format!("there is no set `{set}`")),
            }
        } else if let Some(operation) = name.strip_prefix("MAX_OPERATIONS_") {
            let limit = integer(body, definitions, 8);
            if let (Some(id), Some(limit)) = (e.scope.operations.get(operation), limit) {
                e.model.special.operation_limits.push((*id, limit));
            }
        }
    }
}

/// Elaborates with errors turned into one warning.
fn guarded<'a, T: crate::typing::Finish>(
    e: &mut Elaborator<'a>,
    definition: &Definition,
    elaborate: impl FnOnce(&mut Elaborator<'a>) -> T,
) -> Option<T> {
    let outer = std::mem::replace(&mut e.out, Diagnostics::new());
    e.begin_anew();
    let mut formula = elaborate(e);
    e.end_section();
    e.finish(&mut formula);
    let inner = std::mem::replace(&mut e.out, outer);
    let Some(first) = inner.list().iter().find(|d| d.is_error()) else { return Some(formula) };
    let why = first.message.clone();
    let at = first.primary.span;
    let name = &definition.name.name;
    let message = format!("definition `{name}` is ignored: {why}");
    claim_lost(e, definition);
    e.out.push(
        Diagnostic::new(Code::BAD_SPECIAL_DEFINITION, at, message)
            .also(definition.name.span, "this definition has a special meaning"),
    );
    None
}

/// A definition that claims something is not forgotten with its formula.
fn claim_lost(e: &mut Elaborator<'_>, definition: &Definition) {
    let name = &definition.name.name;
    let kind = match () {
        () if name == "GOAL" => ClaimKind::Goal,
        () if name.starts_with("ASSERT_") => ClaimKind::Temporal,
        () => return,
    };
    let (name, span) = (name.clone(), definition.name.span);
    e.model.special.ignored.push(IgnoredClaim { kind, name, span });
}

fn unusable(e: &mut Elaborator<'_>, definition: &Definition, why: &str) {
    claim_lost(e, definition);
    let message = format!("definition `{}` is ignored: {why}", definition.name.name);
    e.out.push(Diagnostic::new(Code::BAD_SPECIAL_DEFINITION, definition.name.span, message));
}

fn temporal(e: &mut Elaborator<'_>, definition: &Definition, body: &ast::Expr) {
    let ast::ExprKind::String(_, text) = &body.peeled().kind else {
        return unusable(e, definition, "a temporal formula must be a string");
    };
    let row = TemporalText {
        name: definition.name.name.clone(),
        text: text.as_str().into(),
        span: body.span,
    };
    if definition.name.name.starts_with("ASSERT_LTL") {
        e.model.special.ltl.push(row);
    } else {
        e.model.special.ctl.push(row);
    }
}

fn set_preference(
    e: &mut Elaborator<'_>,
    definition: &Definition,
    preference: &str,
    body: &ast::Expr,
) {
    let value = match &body.peeled().kind {
        ast::ExprKind::Integer(digits) => digits.clone(),
        ast::ExprKind::Negate(inner) => match &inner.kind {
            ast::ExprKind::Integer(digits) => Name::from(format!("-{digits}")),
            _ => return unusable(e, definition, "its value is not a literal"),
        },
        ast::ExprKind::String(_, text) => text.clone(),
        ast::ExprKind::Constant(Constant::True) => "TRUE".into(),
        ast::ExprKind::Constant(Constant::False) => "FALSE".into(),
        ast::ExprKind::Ident(word) => word.clone(),
        _ => return unusable(e, definition, "its value is not a literal"),
    };
    let row = Preference { name: preference.into(), value, span: definition.span };
    e.model.special.preferences.push(row);
}

/// `scope_S == n`, `a..b` or a set of names.
fn set_scope(
    e: &mut Elaborator<'_>,
    definition: &Definition,
    set: &str,
    body: &ast::Expr,
    definitions: &Definitions<'_>,
) {
    let Some(Entity::Set(id)) = e.scope.names.get(set).copied() else {
        return unusable(e, definition, &format!("there is no set `{set}`"));
    };
    if e.model.set(id).kind == SetKind::Enumerated {
        return unusable(e, definition, &format!("the size of `{set}` is fixed by its elements"));
    }
    let size = match &body.peeled().kind {
        ast::ExprKind::Binary(ast::BinaryOp::Interval, a, b) => {
            match (integer(a, definitions, 8), integer(b, definitions, 8)) {
                (Some(a), Some(b)) => b.checked_sub(a).and_then(|n| n.checked_add(1)),
                _ => None,
            }
        }
        ast::ExprKind::SetExtension(parts) => Some(parts.len() as i64),
        _ => integer(body, definitions, 8),
    };
    match size.and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0) {
        Some(n) => {
            let span = definition.span;
            set_size(e, id, n, span);
        }
        None => unusable(e, definition, "the size must be a positive number"),
    }
}

fn set_size(e: &mut Elaborator<'_>, id: beeline_model::SetId, n: u64, span: Span) {
    let row = &mut e.model.sets[id.index()].size;
    row.min = n;
    row.max = Some(n);
    row.origin = SizeOrigin::Scope;
    row.span = span;
}

/// A literal, or a definition that is one.
fn integer(e: &ast::Expr, definitions: &Definitions<'_>, depth: u32) -> Option<i64> {
    match &e.peeled().kind {
        ast::ExprKind::Integer(digits) => digits.parse().ok(),
        ast::ExprKind::Negate(inner) => integer(inner, definitions, depth)?.checked_neg(),
        ast::ExprKind::Ident(name) if depth > 0 => {
            integer(formula_body(definitions.get(name)?.definition)?, definitions, depth - 1)
        }
        _ => None,
    }
}
