//! Calls of external functions and predicates.

use super::context::Cx;
use super::expr::all;
use crate::eval::external::{function, is_print, refused, wrong};
use crate::eval::frame::{E, P};
use crate::eval::operators::text;
use beeline_model::{Expr, ExternalId, TypeId};
use beeline_source::Span;
use beeline_value::Val;

impl Cx<'_> {
    pub fn external_function(&mut self, id: ExternalId, args: &[Expr], span: Span) -> E {
        let name = self.model.external(id).name.to_string();
        let parts: Vec<E> = args.iter().map(|e| self.kept(e)).collect();
        let types: Vec<TypeId> = args.iter().map(|e| e.ty).collect();
        match function(&name) {
            Some(function) => Box::new(move |f| {
                let values = all(f, &parts)?;
                f.tick(span)?;
                function(f, &values, &types, span)
            }),
            None => Box::new(move |_| Err(refused(&name, span))),
        }
    }

    pub fn external_predicate(&mut self, id: ExternalId, args: &[Expr], span: Span) -> P {
        let name = self.model.external(id).name.to_string();
        if is_print(&name) {
            return Box::new(|_| Ok(true));
        }
        match (name.as_str(), args) {
            ("ASSERT_TRUE", [condition, message]) => {
                let (condition, message) = (self.expr(condition), self.expr(message));
                return Box::new(move |f| {
                    if condition(f)? == Val::TRUE {
                        return Ok(true);
                    }
                    let message = message(f)?;
                    Err(wrong(span, &format!("ASSERT_TRUE: {}", text(f, message))))
                });
            }
            ("LESS", [a, b]) => {
                let (a, b) = (self.kept(a), self.kept(b));
                return Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    Ok(f.store.cmp(a, b).is_lt())
                });
            }
            _ => {}
        }
        let get = format!("GET_{name}");
        let compiled = if function(&name).is_some() {
            Some(name.clone())
        } else {
            function(&get).map(|_| get)
        };
        match compiled.and_then(|n| function(&n)) {
            Some(function) => {
                let parts: Vec<E> = args.iter().map(|e| self.kept(e)).collect();
                let types: Vec<TypeId> = args.iter().map(|e| e.ty).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(function(f, &values, &types, span)? == Val::TRUE)
                })
            }
            None => Box::new(move |_| Err(refused(&name, span))),
        }
    }
}
