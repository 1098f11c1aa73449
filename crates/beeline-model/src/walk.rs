//! Walking syntax trees: which names occur in a formula or substitution.

use beeline_source::Span;
use beeline_syntax::ast::{Definition, DefinitionBody, Expr, ExprKind, Name, Subst, SubstKind};

type Visit<'v> = &'v mut dyn FnMut(&Name, Span);

/// Every name used in a definition's body (bound or free, called or not).
pub(crate) fn names_in_definition(definition: &Definition, visit: Visit<'_>) {
    match &definition.body {
        DefinitionBody::Formula(e) => names_in_expr(e, visit),
        DefinitionBody::Substitution(s) => names_in_subst(s, visit),
    }
}

/// Every name used in a formula.
pub(crate) fn names_in_expr(expr: &Expr, visit: Visit<'_>) {
    stacker::maybe_grow(64 << 10, 1 << 20, || expr_names(expr, visit));
}

fn all(exprs: &[Expr], visit: Visit<'_>) {
    for e in exprs {
        names_in_expr(e, visit);
    }
}

fn expr_names(expr: &Expr, visit: Visit<'_>) {
    match &expr.kind {
        ExprKind::Ident(name) | ExprKind::Before(name) => visit(name, expr.span),
        ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::String(..)
        | ExprKind::Constant(_)
        | ExprKind::Error => {}
        ExprKind::Negate(e)
        | ExprKind::Inverse(e)
        | ExprKind::Field(e, _)
        | ExprKind::Paren(e)
        | ExprKind::Labelled(_, e)
        | ExprKind::Described(e, _) => names_in_expr(e, visit),
        ExprKind::Builtin(_, es)
        | ExprKind::And(es)
        | ExprKind::Or(es)
        | ExprKind::Tuple(es)
        | ExprKind::List(es)
        | ExprKind::SetExtension(es)
        | ExprKind::SequenceExtension(es) => all(es, visit),
        ExprKind::Binary(_, a, b) | ExprKind::Image(a, b) | ExprKind::OfType(a, b) => {
            names_in_expr(a, visit);
            names_in_expr(b, visit);
        }
        ExprKind::Call(f, args) => {
            names_in_expr(f, visit);
            all(args, visit);
        }
        ExprKind::Comprehension(c) => {
            c.names.iter().for_each(|n| visit(&n.name, n.span));
            names_in_expr(&c.predicate, visit);
            c.expression.iter().for_each(|e| names_in_expr(e, visit));
        }
        ExprKind::Quantified(q) => {
            q.names.iter().for_each(|n| visit(&n.name, n.span));
            names_in_expr(&q.predicate, visit);
            q.expression.iter().for_each(|e| names_in_expr(e, visit));
        }
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
            fields.iter().for_each(|(_, e)| names_in_expr(e, visit));
        }
        ExprKind::If(branches, otherwise) => {
            for (c, e) in branches {
                names_in_expr(c, visit);
                names_in_expr(e, visit);
            }
            names_in_expr(otherwise, visit);
        }
        ExprKind::Let(names, equations, body) => {
            names.iter().for_each(|n| visit(&n.name, n.span));
            names_in_expr(equations, visit);
            names_in_expr(body, visit);
        }
        ExprKind::Substituted(assignments, p) => {
            for (name, e) in assignments {
                visit(&name.name, name.span);
                names_in_expr(e, visit);
            }
            names_in_expr(p, visit);
        }
    }
}

/// Every name used in a substitution.
pub(crate) fn names_in_subst(subst: &Subst, visit: Visit<'_>) {
    stacker::maybe_grow(64 << 10, 1 << 20, || subst_names(subst, visit));
}

fn subst_names(subst: &Subst, visit: Visit<'_>) {
    match &subst.kind {
        SubstKind::Skip | SubstKind::Error => {}
        SubstKind::Block(s) => names_in_subst(s, visit),
        SubstKind::Assign(targets, values) => {
            all(targets, visit);
            all(values, visit);
        }
        SubstKind::BecomesElement(targets, e) | SubstKind::BecomesSuch(targets, e) => {
            all(targets, visit);
            names_in_expr(e, visit);
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) | SubstKind::Witness(p, s) => {
            names_in_expr(p, visit);
            names_in_subst(s, visit);
        }
        SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
            for (p, s) in branches {
                names_in_expr(p, visit);
                names_in_subst(s, visit);
            }
            otherwise.iter().for_each(|s| names_in_subst(s, visit));
        }
        SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
            list.iter().for_each(|s| names_in_subst(s, visit));
        }
        SubstKind::Case(e, branches, otherwise) => {
            names_in_expr(e, visit);
            for (labels, s) in branches {
                all(labels, visit);
                names_in_subst(s, visit);
            }
            otherwise.iter().for_each(|s| names_in_subst(s, visit));
        }
        SubstKind::Any(names, p, s) | SubstKind::Let(names, p, s) => {
            names.iter().for_each(|n| visit(&n.name, n.span));
            names_in_expr(p, visit);
            names_in_subst(s, visit);
        }
        SubstKind::Var(names, s) => {
            names.iter().for_each(|n| visit(&n.name, n.span));
            names_in_subst(s, visit);
        }
        SubstKind::While(w) => {
            names_in_expr(&w.condition, visit);
            names_in_subst(&w.body, visit);
            names_in_expr(&w.invariant, visit);
            names_in_expr(&w.variant, visit);
        }
        SubstKind::Call(call) => {
            all(&call.results, visit);
            visit(&call.name.name, call.name.span);
            all(&call.arguments, visit);
        }
    }
}
