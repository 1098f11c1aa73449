//! Walking syntax trees: what stands below a node, and which names occur in it.

use beeline_source::Span;
use beeline_syntax::ast::{
    Definition, DefinitionBody, Expr, ExprKind, Ident, Name, Subst, SubstKind,
};

type Visit<'v> = &'v mut dyn FnMut(&Name, Span);

/// The formulas directly below a formula.
pub(crate) fn children<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &expr.kind {
        ExprKind::Ident(_)
        | ExprKind::Before(_)
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::String(..)
        | ExprKind::Constant(_)
        | ExprKind::Error => {}
        ExprKind::Negate(e)
        | ExprKind::Inverse(e)
        | ExprKind::Field(e, _)
        | ExprKind::Paren(e)
        | ExprKind::Labelled(_, e)
        | ExprKind::Described(e, _) => visit(e),
        ExprKind::Builtin(_, es)
        | ExprKind::And(es)
        | ExprKind::Or(es)
        | ExprKind::Tuple(es)
        | ExprKind::List(es)
        | ExprKind::SetExtension(es)
        | ExprKind::SequenceExtension(es) => es.iter().for_each(visit),
        ExprKind::Binary(_, a, b) | ExprKind::Image(a, b) | ExprKind::OfType(a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Call(f, args) => {
            visit(f);
            args.iter().for_each(visit);
        }
        ExprKind::Comprehension(c) => {
            visit(&c.predicate);
            c.expression.iter().for_each(visit);
        }
        ExprKind::Quantified(q) => {
            visit(&q.predicate);
            q.expression.iter().for_each(visit);
        }
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
            fields.iter().for_each(|(_, e)| visit(e));
        }
        ExprKind::If(branches, otherwise) => {
            for (c, e) in branches {
                visit(c);
                visit(e);
            }
            visit(otherwise);
        }
        ExprKind::Let(_, equations, body) => {
            visit(equations);
            visit(body);
        }
        ExprKind::Substituted(assignments, p) => {
            assignments.iter().for_each(|(_, e)| visit(e));
            visit(p);
        }
    }
}

/// The substitutions directly below a substitution; `visit` sees the formulas directly below it.
pub(crate) fn subst_children<'s>(
    subst: &'s Subst,
    visit: &mut dyn FnMut(&'s Expr),
) -> Vec<&'s Subst> {
    match &subst.kind {
        SubstKind::Skip | SubstKind::Error => Vec::new(),
        SubstKind::Block(s) | SubstKind::Var(_, s) => vec![s],
        SubstKind::Assign(targets, values) => {
            targets.iter().chain(values).for_each(visit);
            Vec::new()
        }
        SubstKind::BecomesElement(targets, e) | SubstKind::BecomesSuch(targets, e) => {
            targets.iter().for_each(&mut *visit);
            visit(e);
            Vec::new()
        }
        SubstKind::Pre(p, s)
        | SubstKind::Assert(p, s)
        | SubstKind::Witness(p, s)
        | SubstKind::Any(_, p, s)
        | SubstKind::Let(_, p, s) => {
            visit(p);
            vec![s]
        }
        SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
            branches.iter().for_each(|(p, _)| visit(p));
            branches.iter().map(|(_, s)| s).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
            list.iter().collect()
        }
        SubstKind::Case(e, branches, otherwise) => {
            visit(e);
            branches.iter().flat_map(|(labels, _)| labels).for_each(visit);
            branches.iter().map(|(_, s)| s).chain(otherwise.as_deref()).collect()
        }
        SubstKind::While(w) => {
            [&w.condition, &w.invariant, &w.variant].into_iter().for_each(visit);
            vec![&w.body]
        }
        SubstKind::Call(call) => {
            call.results.iter().chain(&call.arguments).for_each(visit);
            Vec::new()
        }
    }
}

/// Every name used in a definition's body (bound or free, called or not).
pub(crate) fn names_in_definition(definition: &Definition, visit: Visit<'_>) {
    match &definition.body {
        DefinitionBody::Formula(e) => names_in_expr(e, visit),
        DefinitionBody::Substitution(s) => names_in_subst(s, visit),
    }
}

/// Every name used in a formula.
pub(crate) fn names_in_expr(expr: &Expr, visit: Visit<'_>) {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        match &expr.kind {
            ExprKind::Ident(name) | ExprKind::Before(name) => visit(name, expr.span),
            ExprKind::Builtin(builtin, _) if builtin.is_soft_word() => {
                visit(&Name::new_static(builtin.keyword()), expr.span);
            }
            ExprKind::Comprehension(c) => names(&c.names, visit),
            ExprKind::Quantified(q) => names(&q.names, visit),
            ExprKind::Let(bound, ..) => names(bound, visit),
            ExprKind::Substituted(assignments, _) => {
                assignments.iter().for_each(|(n, _)| visit(&n.name, n.span));
            }
            _ => {}
        }
        children(expr, &mut |e| names_in_expr(e, visit));
    });
}

/// Every name used in a substitution.
pub(crate) fn names_in_subst(subst: &Subst, visit: Visit<'_>) {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        match &subst.kind {
            SubstKind::Any(bound, ..) | SubstKind::Let(bound, ..) | SubstKind::Var(bound, _) => {
                names(bound, visit);
            }
            SubstKind::Call(call) => visit(&call.name.name, call.name.span),
            _ => {}
        }
        for s in subst_children(subst, &mut |e| names_in_expr(e, visit)) {
            names_in_subst(s, visit);
        }
    });
}

fn names(list: &[Ident], visit: Visit<'_>) {
    list.iter().for_each(|n| visit(&n.name, n.span));
}
