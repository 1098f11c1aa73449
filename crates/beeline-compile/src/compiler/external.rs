//! Calls of external functions and predicates.

use super::context::Cx;
use super::expr::all;
use crate::eval::external::{Function, function, is_print, refused, wrong};
use crate::eval::frame::{E, P};
use crate::eval::operators::text;
use beeline_model::{Expr, ExternalId, LibraryFunction, TypeId, ValueFunction};
use beeline_source::Span;
use beeline_value::Val;

impl Cx<'_> {
    pub fn external_function(&mut self, id: ExternalId, args: &[Expr], span: Span) -> E {
        // Listed where they can be: library functions look at whole values.
        let parts: Vec<E> = args.iter().map(|e| self.kept(e)).collect();
        let types: Vec<TypeId> = args.iter().map(|e| e.ty).collect();
        match self.library_function(id, args.len()) {
            Some(function) => Box::new(move |f| {
                let values = all(f, &parts)?;
                f.tick(span)?;
                function(f, &values, &types, span)
            }),
            None => {
                let name = self.model.external(id).name.clone();
                Box::new(move |_| Err(refused(&name, span)))
            }
        }
    }

    fn library_function(&self, id: ExternalId, arguments: usize) -> Option<Function> {
        self.model.external(id).function.and_then(|of| function(of, arguments))
    }

    pub fn external_predicate(&mut self, id: ExternalId, args: &[Expr], span: Span) -> P {
        let of = self.model.external(id).function;
        if of.is_some_and(is_print) {
            return Box::new(|_| Ok(true));
        }
        match (of, args) {
            (Some(LibraryFunction::Values(ValueFunction::AssertTrue)), [condition, message]) => {
                let (condition, message) = (self.expr(condition), self.expr(message));
                return Box::new(move |f| {
                    if condition(f)? == Val::TRUE {
                        return Ok(true);
                    }
                    let message = message(f)?;
                    Err(wrong(span, &format!("ASSERT_TRUE: {}", text(f, message))))
                });
            }
            (Some(LibraryFunction::Values(ValueFunction::Less)), [a, b]) => {
                let (a, b) = (self.kept(a), self.kept(b));
                return Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    Ok(f.store.cmp(a, b).is_lt())
                });
            }
            _ => {}
        }
        match self.library_function(id, args.len()) {
            Some(function) => {
                let parts: Vec<E> = args.iter().map(|e| self.kept(e)).collect();
                let types: Vec<TypeId> = args.iter().map(|e| e.ty).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(function(f, &values, &types, span)? == Val::TRUE)
                })
            }
            None => {
                let name = self.model.external(id).name.clone();
                Box::new(move |_| Err(refused(&name, span)))
            }
        }
    }
}
