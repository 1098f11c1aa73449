//! How events are written: what they assign to, what they repeat, which names they speak of.

use super::*;

/// The names that an action assigns to.
pub(in crate::eventb) fn targets(action: &Action) -> impl Iterator<Item = &Name> {
    let list: &[ast::Expr] = match &action.subst.kind {
        ast::SubstKind::Assign(targets, _)
        | ast::SubstKind::BecomesElement(targets, _)
        | ast::SubstKind::BecomesSuch(targets, _) => targets,
        _ => &[],
    };
    list.iter().filter_map(|t| match &t.peeled().kind {
        ast::ExprKind::Ident(name) => Some(name),
        _ => None,
    })
}

pub(super) fn assigns(event: &Event, name: &Name) -> bool {
    event.actions.iter().flat_map(targets).any(|n| n == name)
}

/// Does the event repeat this action of its abstraction?
pub(super) fn repeated(action: &Action, event: &Event) -> bool {
    event.actions.iter().any(|a| a.subst == action.subst)
}

/// Does the event repeat this guard of its abstraction?
pub(super) fn guarded(guard: &Labelled, event: &Event) -> bool {
    event.guards.iter().any(|g| !g.theorem && g.formula == guard.formula)
}

/// The variables whose next value a formula speaks of.
pub(super) fn primed(formula: &ast::Expr) -> Vec<Name> {
    let mut names = Vec::new();
    crate::walk::names_in_expr(formula, &mut |name, _| {
        names.extend(name.strip_suffix('\'').map(Name::from));
    });
    names
}

/// `E` of a witness `p = E` or `E = p`.
pub(in crate::eventb) fn value_of<'a>(formula: &'a ast::Expr, name: &str) -> Option<&'a ast::Expr> {
    let ast::ExprKind::Binary(ast::BinaryOp::Equal, a, b) = &formula.peeled().kind else {
        return None;
    };
    let is_name = |e: &ast::Expr| matches!(&e.peeled().kind, ast::ExprKind::Ident(n) if n == name);
    let mentions = |e: &ast::Expr| {
        let mut found = false;
        crate::walk::names_in_expr(e, &mut |n, _| found |= n == name);
        found
    };
    if is_name(a) && !mentions(b) {
        Some(b)
    } else if is_name(b) && !mentions(a) {
        Some(a)
    } else {
        None
    }
}
