//! Expressions with a shape of their own: quantifiers, comprehensions, `IF`, `LET`.

use super::exprs::Place;
use super::layout::Group;
use super::writer::Writer;
use crate::ast::{Comprehension, Expr, Ident, Quantified};
use crate::operators::level;
use beeline_source::Span;

impl Writer<'_> {
    /// `x`, or `(x, y)`; a composed name needs the parentheses too.
    fn bound(&mut self, names: &[Ident]) {
        match names {
            [name] if !name.name.contains('.') => self.ident(name),
            _ => self.enclosed("(", ")", |w| w.names(names)),
        }
    }

    pub(super) fn quantified(&mut self, q: &Quantified) {
        if q.symbolic {
            self.text("/*@symbolic*/ ");
        }
        self.text(q.quantifier.spelling());
        if q.quantifier.spelling().len() > 1 {
            // `UNION(x)`, never `UNIONx`.
            self.enclosed("(", ")", |w| w.names(&q.names));
        } else {
            self.bound(&q.names);
        }
        self.text(".");
        self.enclosed("(", ")", |w| w.condition_and_value(&q.predicate, q.expression.as_ref()));
    }

    fn condition_and_value(&mut self, predicate: &Expr, expression: Option<&Expr>) {
        self.expr(predicate, Place::OPEN);
        if let Some(expression) = expression {
            self.at_token_after(predicate.span);
            self.line();
            self.text("| ");
            self.nest();
            self.expr(expression, Place::BRACKETS);
            self.close();
        }
    }

    pub(super) fn comprehension(&mut self, c: &Comprehension) {
        if c.symbolic {
            self.text("/*@symbolic*/ ");
        }
        self.enclosed("{", "}", |w| {
            if c.expression.is_some() {
                // With an ASCII dot the names must stand in parentheses.
                w.enclosed("(", ")", |w| w.names(&c.names));
                w.text(" .");
            } else {
                w.names(&c.names);
                w.text(" |");
            }
            w.line();
            w.condition_and_value(&c.predicate, c.expression.as_ref());
        });
    }

    // Keyword forms

    pub(super) fn if_expr(&mut self, branches: &[(Expr, Expr)], otherwise: &Expr, span: Span) {
        self.open(Group::Consistent);
        let mut previous = Span::NONE;
        for (i, (condition, value)) in branches.iter().enumerate() {
            if i > 0 {
                self.at_token_after(previous);
                self.line();
            }
            self.text(if i == 0 { "IF " } else { "ELSIF " });
            self.expr(condition, Place::OPEN);
            self.text(" THEN");
            self.branch(value);
            previous = value.span;
        }
        self.at_token_after(previous);
        self.line();
        self.text("ELSE");
        self.branch(otherwise);
        self.at_closing(span, 3);
        self.line();
        self.text("END");
        self.close();
    }

    fn branch(&mut self, value: &Expr) {
        self.nest();
        self.line();
        self.expr(value, Place::OPEN);
        self.close();
    }

    pub(super) fn let_expr(&mut self, names: &[Ident], equations: &Expr, body: &Expr, span: Span) {
        self.open(Group::Consistent);
        self.text("LET ");
        self.names(names);
        self.text(" BE");
        self.branch(equations);
        self.at_token_after(equations.span);
        self.line();
        self.text("IN");
        self.branch(body);
        self.at_closing(span, 3);
        self.line();
        self.text("END");
        self.close();
    }

    pub(super) fn substituted(&mut self, pairs: &[(Ident, Expr)], predicate: &Expr) {
        self.text("[");
        for (i, (name, _)) in pairs.iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            self.ident(name);
        }
        self.text(" := ");
        for (i, (_, value)) in pairs.iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            self.expr(value, Place::OPEN);
        }
        self.text("] ");
        self.expr(predicate, Place(level::COMPARISON));
    }
}
