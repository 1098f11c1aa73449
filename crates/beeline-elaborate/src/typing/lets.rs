//! LET: one equation a name, in an order that respects their uses.

use super::expr::flatten;
use super::{Binding, Bound, Elaborator, LocalKind};
use crate::infer::Ty;
use beeline_model::{Expr, LocalId};
use beeline_source::{Code, Diagnostic};
use beeline_syntax::ast;

impl<'a> Elaborator<'a> {
    /// `LET names BE equations IN …`: one equation a name, in an order that respects their uses.
    pub(super) fn let_in<R>(
        &mut self,
        names: &'a [ast::Ident],
        equations: &'a ast::Expr,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (Vec<(LocalId, Expr)>, R) {
        let mark = self.env.len();
        let mut bindings = Vec::with_capacity(names.len());
        for (name, value) in self.let_equations(names, equations) {
            let value = self.expr(value);
            let ty = Ty(value.ty.0);
            // A name that a definition's caller gives is seen by the caller's other arguments.
            let (frame, name) = match self.listed(name) {
                Some((frame, mut names)) if names.len() == 1 => (frame, names.remove(0)),
                _ => (self.frame, name.clone()),
            };
            let local = self.local_of(name.name.clone(), name.span, ty, LocalKind::ReadOnly);
            self.env.push(Binding { name: name.name, bound: Bound::Local(local), frame });
            bindings.push((local, value));
        }
        let result = body(self);
        self.env.truncate(mark);
        (bindings, result)
    }

    pub(super) fn let_equations(
        &mut self,
        names: &'a [ast::Ident],
        equations: &'a ast::Expr,
    ) -> Vec<(&'a ast::Ident, &'a ast::Expr)> {
        let mut found: Vec<(&'a ast::Ident, &'a ast::Expr)> = Vec::new();
        let mut conjuncts = Vec::new();
        flatten(equations, &mut conjuncts);
        for conjunct in conjuncts {
            let pair = match &conjunct.kind {
                ast::ExprKind::Binary(ast::BinaryOp::Equal, a, b) => {
                    let named = |e: &ast::Expr| match &e.peeled().kind {
                        ast::ExprKind::Ident(n) => names.iter().find(|i| i.name == *n),
                        _ => None,
                    };
                    named(a).map(|n| (n, &**b))
                }
                _ => None,
            };
            let Some((name, value)) = pair else {
                self.problem(
                    Diagnostic::new(
                        Code::BAD_LET,
                        conjunct.span,
                        "this is not an equation `name = value` for a name of the LET",
                    )
                    .help("write LET x, y BE x = … & y = … IN … END"),
                );
                continue;
            };
            if found.iter().any(|(n, _)| n.name == name.name) {
                let message = format!("`{}` is given a second value", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, conjunct.span, message));
                continue;
            }
            found.push((name, value));
        }
        for name in names {
            if !found.iter().any(|(n, _)| n.name == name.name) {
                let message = format!("the LET gives `{}` no value", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, name.span, message));
            }
        }
        self.order_equations(found)
    }

    /// Each value may use names that stand before it.
    pub(super) fn order_equations(
        &mut self,
        mut pending: Vec<(&'a ast::Ident, &'a ast::Expr)>,
    ) -> Vec<(&'a ast::Ident, &'a ast::Expr)> {
        let mut ordered = Vec::with_capacity(pending.len());
        while !pending.is_empty() {
            let ready = (0..pending.len()).find(|&i| {
                let mut free = true;
                crate::walk::names_in_expr(pending[i].1, &mut |name, _| {
                    free &= !pending.iter().any(|(n, _)| n.name == *name);
                });
                free
            });
            let Some(ready) = ready else {
                let (name, value) = pending[0];
                let message = format!("the value of `{}` depends on itself", name.name);
                self.problem(Diagnostic::new(Code::BAD_LET, value.span, message));
                ordered.append(&mut pending);
                return ordered;
            };
            ordered.push(pending.remove(ready));
        }
        ordered
    }
}
