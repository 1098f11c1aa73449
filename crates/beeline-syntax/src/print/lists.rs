//! Brackets and lists: what stands between `(` and `)`, and how its items share lines.

use super::exprs::{Place, is_delimited, is_short};
use super::layout::Group;
use super::writer::Writer;
use crate::ast::{Expr, Ident};
use beeline_source::Span;

impl Writer<'_> {
    /// `( … )`: on one line, or the brackets at line ends and the content indented.
    pub(super) fn enclosed(&mut self, open: &str, close: &str, content: impl FnOnce(&mut Self)) {
        self.open(Group::Consistent);
        self.text(open);
        self.nest();
        self.fold();
        self.guarding(false, content);
        self.close();
        self.fold();
        self.text(close);
        self.close();
    }

    /// Writes something while bare descriptions have to be, or need not be, put in parentheses.
    pub(super) fn guarding(&mut self, guard: bool, content: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.guard_descriptions, guard);
        content(self);
        self.guard_descriptions = outside;
    }

    pub(super) fn list(&mut self, open: &str, items: &[Expr], close: &str, place: Place) {
        if items.is_empty() {
            self.text(open);
            return self.text(close);
        }
        match items {
            // Brackets directly inside brackets open and close together.
            [item] if is_delimited(item) && !self.comment_waits_before(item.span.start) => {
                self.text(open);
                self.guarding(false, |w| w.expr(item, place));
                self.text(close);
            }
            _ => self.enclosed(open, close, |w| w.separated(items, place)),
        }
    }

    /// Items with commas: short ones fill lines, others get a line each.
    pub(super) fn separated(&mut self, items: &[Expr], place: Place) {
        let plain = items.iter().all(is_short);
        self.open_list(plain, items.first().map(|e| e.span), items.last().map(|e| e.span));
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(",");
                self.line();
            }
            self.expr(item, place);
        }
        self.close();
    }

    /// Names with commas.
    pub(super) fn names(&mut self, names: &[Ident]) {
        self.open_list(true, names.first().map(|n| n.span), names.last().map(|n| n.span));
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                self.text(",");
                self.line();
            }
            self.ident(name);
        }
        self.close();
    }

    /// Begins the group of a list. With comments among the items, each item stands on its line
    /// beside its comment.
    pub(super) fn open_list(&mut self, fill: bool, first: Option<Span>, last: Option<Span>) {
        // Comments before the first item stand before the list.
        self.at(first.unwrap_or(Span::NONE));
        let commented = last.is_some_and(|last| self.comment_waits_before(last.start));
        self.open(if fill && !commented { Group::Fill } else { Group::Consistent });
    }

    pub(super) fn record(&mut self, open: &str, fields: &[(Ident, Expr)]) {
        self.enclosed(open, ")", |w| {
            w.open_list(false, fields.first().map(|(f, _)| f.span), None);
            for (i, (field, value)) in fields.iter().enumerate() {
                if i > 0 {
                    w.text(",");
                    w.line();
                }
                w.ident(field);
                w.text(" : ");
                w.expr(value, Place::BRACKETS);
            }
            w.close();
        });
    }
}
