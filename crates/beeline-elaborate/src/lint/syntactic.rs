//! Advice that needs the text only: mixed operators, chains of implications.

use beeline_source::{Code, Diagnostic, Diagnostics};
use beeline_syntax::ast::{
    BinaryOp, ClauseKind, DefinitionBody, DefinitionItem, Expr, ExprKind, Quantifier, Subst,
    SubstKind, Unit,
};

/// Looks through a whole file.
pub(crate) fn file(unit: &Unit, out: &mut Diagnostics) {
    match unit {
        Unit::Machine(machine) => {
            for clause in &machine.clauses {
                self::clause(&clause.kind, out);
            }
        }
        Unit::Definitions(items) => items.iter().for_each(|i| definition(i, out)),
        Unit::Formula(e) => expr(e, out),
        Unit::Substitution(s) => subst(s, out),
    }
}

fn clause(kind: &ClauseKind, out: &mut Diagnostics) {
    match kind {
        ClauseKind::Constraints(e)
        | ClauseKind::Properties(e)
        | ClauseKind::Invariant(e)
        | ClauseKind::Variant(e) => expr(e, out),
        ClauseKind::Assertions(list) => list.iter().for_each(|e| expr(e, out)),
        ClauseKind::Definitions(items) => items.iter().for_each(|i| definition(i, out)),
        ClauseKind::Initialisation(s) => subst(s, out),
        ClauseKind::Operations(_, list) => list.iter().for_each(|o| subst(&o.body, out)),
        ClauseKind::Values(list) => list.iter().for_each(|(_, e)| expr(e, out)),
        _ => {}
    }
}

fn definition(item: &DefinitionItem, out: &mut Diagnostics) {
    if let DefinitionItem::Definition(definition) = item {
        match &definition.body {
            DefinitionBody::Formula(e) => expr(e, out),
            DefinitionBody::Substitution(s) => subst(s, out),
        }
    }
}

fn expr(e: &Expr, out: &mut Diagnostics) {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        here(e, out);
        crate::walk::children(e, &mut |child| expr(child, out));
    });
}

fn subst(s: &Subst, out: &mut Diagnostics) {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        if let SubstKind::Select(branches, _) | SubstKind::If(branches, _) = &s.kind {
            for (condition, branch) in branches {
                if is_false(condition) {
                    out.push(
                        Diagnostic::new(
                            Code::UNREACHABLE_BRANCH,
                            condition.span,
                            "this condition is never true",
                        )
                        .also(branch.span, "so this is never executed"),
                    );
                }
            }
        }
        for below in crate::walk::subst_children(s, &mut |e| expr(e, out)) {
            subst(below, out);
        }
    });
}

fn here(e: &Expr, out: &mut Diagnostics) {
    match &e.kind {
        ExprKind::And(parts) => mixed(e, parts, "or", "&", out),
        ExprKind::Or(parts) => mixed(e, parts, "&", "or", out),
        ExprKind::Binary(BinaryOp::Implies, a, _) => {
            if matches!(a.kind, ExprKind::Binary(BinaryOp::Implies, ..)) {
                out.push(
                    Diagnostic::new(
                        Code::IMPLICATION_CHAIN,
                        e.span,
                        "in B, `P => Q => R` means `(P => Q) => R`",
                    )
                    .also(a.span, "this is the left side of the last implication")
                    .help("add parentheses; `P & Q => R` is what `P => (Q => R)` says"),
                );
            }
        }
        ExprKind::Quantified(q) if q.quantifier == Quantifier::Exists => {
            if let ExprKind::Binary(BinaryOp::Implies, ..) = q.predicate.peeled().kind {
                out.push(
                    Diagnostic::new(
                        Code::EXISTS_IMPLICATION,
                        e.span,
                        "this is true as soon as one value makes the left side of `=>` false",
                    )
                    .help("with `#`, conditions are joined by `&`: #x.(x : S & P)"),
                );
            }
        }
        _ => {}
    }
}

/// `a & b or c`: both operators have one precedence and group to the left.
fn mixed(e: &Expr, parts: &[Expr], inner: &str, outer: &str, out: &mut Diagnostics) {
    let Some(first) = parts.first() else { return };
    let other = match &first.kind {
        ExprKind::And(_) => "&",
        ExprKind::Or(_) => "or",
        _ => return,
    };
    if other != inner {
        return;
    }
    out.push(
        Diagnostic::new(
            Code::MIXED_AND_OR,
            e.span,
            format!("`{inner}` and `{outer}` are mixed without parentheses"),
        )
        .also(first.span, format!("this is grouped first, as one operand of `{outer}`"))
        .help("in B, `&` and `or` have the same precedence: add parentheses"),
    );
}

fn is_false(e: &Expr) -> bool {
    use beeline_syntax::ast::Constant;
    match &e.peeled().kind {
        ExprKind::Constant(Constant::Falsity) => true,
        ExprKind::And(parts) => parts.iter().any(is_false) || contradicts(parts),
        ExprKind::Binary(BinaryOp::Equal, a, b) => match (&a.peeled().kind, &b.peeled().kind) {
            (ExprKind::Integer(x), ExprKind::Integer(y)) => x != y,
            (ExprKind::Constant(x), ExprKind::Constant(y)) => {
                matches!(
                    (x, y),
                    (Constant::True, Constant::False) | (Constant::False, Constant::True)
                )
            }
            _ => false,
        },
        ExprKind::Binary(BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::Greater, a, b) => a == b,
        _ => false,
    }
}

/// Two conjuncts of which one says the opposite of the other: `x = a & x = b` for literals.
fn contradicts(parts: &[Expr]) -> bool {
    let equations: Vec<(&Expr, &Expr)> = parts
        .iter()
        .filter_map(|p| match &p.peeled().kind {
            ExprKind::Binary(BinaryOp::Equal, a, b) => Some((&**a, &**b)),
            _ => None,
        })
        .collect();
    let literal = |e: &Expr| matches!(e.kind, ExprKind::Integer(_) | ExprKind::Constant(_));
    equations.iter().enumerate().any(|(i, (a, x))| {
        equations[i + 1..].iter().any(|(b, y)| a == b && literal(x) && literal(y) && x != y)
    })
}
