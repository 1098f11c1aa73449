//! Substitutions: blocks on lines of their own, two columns deeper than their keywords.

use super::exprs::Place;
use super::layout::Group;
use super::names;
use super::writer::Writer;
use crate::ast::{Call, Expr, Ident, Subst, SubstKind, While};
use beeline_source::Span;

/// Places by the loosest substitution that may stand in them: `S ; T`, `S || T`, or neither.
pub(super) const SEQUENCE: u8 = 1;
pub(super) const PARALLEL: u8 = 2;
pub(super) const SINGLE: u8 = 3;

fn level_of(s: &Subst) -> u8 {
    match &s.kind {
        SubstKind::Sequence(parts) if parts.len() > 1 => SEQUENCE,
        SubstKind::Parallel(parts) if parts.len() > 1 => PARALLEL,
        _ => SINGLE,
    }
}

impl Writer<'_> {
    /// Writes a substitution, between `BEGIN` and `END` if it is looser than its place allows.
    pub(super) fn subst(&mut self, s: &Subst, place: u8) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.at(s.span);
            if level_of(s) < place {
                self.text("BEGIN");
                self.body(s);
                self.end(Span::NONE);
            } else {
                self.bare_subst(s);
            }
        });
    }

    fn bare_subst(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip => self.text("skip"),
            SubstKind::Block(inner) => {
                self.text("BEGIN");
                self.body(inner);
                self.end(s.span);
            }
            SubstKind::Assign(targets, values) => self.assignment(targets, ":=", values),
            SubstKind::BecomesElement(targets, set) => {
                self.assignment(targets, "::", std::slice::from_ref(set));
            }
            SubstKind::BecomesSuch(targets, predicate) => {
                self.targets(targets);
                self.text(" : ");
                self.enclosed("(", ")", |w| w.expr(predicate, Place::OPEN));
            }
            SubstKind::Pre(condition, inner) => self.guarded("PRE", condition, inner, s.span),
            SubstKind::Assert(condition, inner) => self.guarded("ASSERT", condition, inner, s.span),
            SubstKind::Witness(condition, inner) => {
                self.guarded("WITNESS", condition, inner, s.span);
            }
            SubstKind::If(branches, otherwise) => {
                self.branches(["IF", "ELSIF"], branches, otherwise.as_deref(), s.span);
            }
            SubstKind::Select(branches, otherwise) => {
                self.branches(["SELECT", "WHEN"], branches, otherwise.as_deref(), s.span);
            }
            SubstKind::Choice(parts) => self.choice(parts, s.span),
            SubstKind::Case(selector, branches, otherwise) => {
                self.case(selector, branches, otherwise.as_deref(), s.span);
            }
            SubstKind::Any(names, condition, inner) => {
                self.binder("ANY", names, ("WHERE", condition), ("THEN", inner), s.span);
            }
            SubstKind::Let(names, equations, inner) => {
                self.binder("LET", names, ("BE", equations), ("IN", inner), s.span);
            }
            SubstKind::Var(names, inner) => {
                self.text("VAR ");
                self.names(names);
                self.text(" IN");
                self.body(inner);
                self.end(s.span);
            }
            SubstKind::While(parts) => self.while_loop(parts, s.span),
            SubstKind::Sequence(parts) => self.joined(parts, ";", PARALLEL),
            SubstKind::Parallel(parts) => self.joined(parts, " ||", SINGLE),
            SubstKind::Call(call) => self.call(call),
            SubstKind::Error => self.text("?"),
        }
    }

    fn joined(&mut self, parts: &[Subst], separator: &str, place: u8) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.text(separator);
                self.hard();
            }
            self.subst(part, place);
        }
    }

    /// The indented lines behind a keyword.
    fn body(&mut self, s: &Subst) {
        self.nest();
        self.tight();
        self.subst(s, SEQUENCE);
        self.close();
    }

    fn end(&mut self, span: Span) {
        self.nest();
        self.at_closing(span, 3);
        self.close();
        self.tight();
        self.text("END");
    }

    /// `IF P THEN` on one line, or `P` indented between the two words.
    fn condition(&mut self, word: &str, condition: &Expr, then: &str) {
        self.open(Group::Consistent);
        self.text(word);
        self.nest();
        self.line();
        self.expr(condition, Place::OPEN);
        self.close();
        self.at_token_after(condition.span);
        self.line();
        self.text(then);
        self.close();
    }

    /// A keyword that begins a line behind the substitution at `previous`.
    fn next_keyword(&mut self, previous: Span) {
        self.nest();
        self.at_token_after(previous);
        self.close();
        self.tight();
    }

    fn guarded(&mut self, word: &str, condition: &Expr, inner: &Subst, span: Span) {
        self.condition(word, condition, "THEN");
        self.body(inner);
        self.end(span);
    }

    fn branches(
        &mut self,
        words: [&str; 2],
        branches: &[(Expr, Subst)],
        otherwise: Option<&Subst>,
        span: Span,
    ) {
        let mut previous = Span::NONE;
        for (i, (condition, inner)) in branches.iter().enumerate() {
            if i > 0 {
                self.next_keyword(previous);
            }
            self.condition(words[usize::from(i > 0)], condition, "THEN");
            self.body(inner);
            previous = inner.span;
        }
        self.otherwise(otherwise, previous);
        self.end(span);
    }

    fn otherwise(&mut self, otherwise: Option<&Subst>, previous: Span) {
        if let Some(inner) = otherwise {
            self.next_keyword(previous);
            self.text("ELSE");
            self.body(inner);
        }
    }

    fn choice(&mut self, parts: &[Subst], span: Span) {
        let mut previous = Span::NONE;
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.next_keyword(previous);
            }
            self.text(if i == 0 { "CHOICE" } else { "OR" });
            self.body(part);
            previous = part.span;
        }
        self.end(span);
    }

    fn case(
        &mut self,
        selector: &Expr,
        branches: &[(Vec<Expr>, Subst)],
        otherwise: Option<&Subst>,
        span: Span,
    ) {
        self.condition("CASE", selector, "OF");
        self.nest();
        self.tight();
        let mut previous = Span::NONE;
        for (i, (labels, inner)) in branches.iter().enumerate() {
            if i > 0 {
                self.next_keyword(previous);
            }
            self.text(if i == 0 { "EITHER " } else { "OR " });
            self.targets(labels);
            self.text(" THEN");
            self.body(inner);
            previous = inner.span;
        }
        self.otherwise(otherwise, previous);
        self.tight();
        self.text("END");
        self.close();
        self.end(span);
    }

    fn binder(
        &mut self,
        word: &str,
        names: &[Ident],
        (such_that, condition): (&str, &Expr),
        (then, inner): (&str, &Subst),
        span: Span,
    ) {
        self.text(word);
        self.text(" ");
        self.names(names);
        self.text(" ");
        self.condition(such_that, condition, then);
        self.body(inner);
        self.end(span);
    }

    fn while_loop(&mut self, parts: &While, span: Span) {
        self.condition("WHILE", &parts.condition, "DO");
        self.body(&parts.body);
        self.next_keyword(parts.body.span);
        self.text("INVARIANT");
        self.nest();
        self.tight();
        self.conjuncts(&parts.invariant);
        self.close();
        self.next_keyword(parts.invariant.span);
        self.text("VARIANT");
        self.nest();
        self.tight();
        self.expr(&parts.variant, Place::BRACKETS);
        self.close();
        self.end(span);
    }

    // Assignments and calls

    fn targets(&mut self, targets: &[Expr]) {
        for (i, target) in targets.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.expr(target, Place::OPEN);
        }
    }

    fn assignment(&mut self, targets: &[Expr], sign: &str, values: &[Expr]) {
        self.open(Group::Consistent);
        self.targets(targets);
        self.text(" ");
        self.text(sign);
        if let [value] = values {
            self.guarding(true, |w| w.right_side(value, Place::OPEN));
        } else {
            self.nest();
            for (i, value) in values.iter().enumerate() {
                if i > 0 {
                    self.text(",");
                }
                self.line();
                self.guarding(true, |w| w.expr(value, Place::OPEN));
            }
            self.close();
        }
        self.close();
    }

    fn call(&mut self, call: &Call) {
        if !call.results.is_empty() {
            self.targets(&call.results);
            self.text(" <-- ");
        }
        self.at(call.name.span);
        if call.parentheses || !call.arguments.is_empty() {
            self.text(&names::called(&call.name.name));
            self.list("(", &call.arguments, ")", Place::OPEN);
        } else {
            self.text(&names::name(&call.name.name));
        }
    }
}
