//! Types in B notation.

use crate::infer::{Infer, Node, Ty};
use crate::{Model, Type, TypeId};

/// How tight a type must be bound when it stands inside another.
#[derive(PartialEq, PartialOrd, Clone, Copy)]
enum Tight {
    No,
    Product,
}

impl Model {
    /// A type in B notation: `POW(INTEGER * BOOL)`.
    pub fn show_type(&self, ty: TypeId) -> String {
        let mut out = String::new();
        self.write_type(ty, Tight::No, &mut out);
        out
    }

    fn write_type(&self, ty: TypeId, tight: Tight, out: &mut String) {
        match self.types.get(ty) {
            Type::Bool => out.push_str("BOOL"),
            Type::Integer => out.push_str("INTEGER"),
            Type::Real => out.push_str("REAL"),
            Type::String => out.push_str("STRING"),
            Type::Given(set) => out.push_str(&self.set(*set).name),
            Type::Free(free, args) => {
                out.push_str(&self.free_type(*free).name);
                list(out, "(", ", ", args, |out, a| self.write_type(*a, Tight::No, out));
                if !args.is_empty() {
                    out.push(')');
                }
            }
            Type::Power(of) => {
                out.push_str("POW(");
                self.write_type(*of, Tight::No, out);
                out.push(')');
            }
            Type::Pair(left, right) => {
                parenthesised(out, tight, |out| {
                    self.write_type(*left, Tight::No, out);
                    out.push_str(" * ");
                    self.write_type(*right, Tight::Product, out);
                });
            }
            Type::Record(fields) => {
                out.push_str("struct");
                list(out, "(", ", ", fields, |out, (name, ty)| {
                    out.push_str(name);
                    out.push_str(" : ");
                    self.write_type(*ty, Tight::No, out);
                });
                out.push(')');
            }
        }
    }
}

/// A type under construction in B notation; unknown parts are `_`.
pub(crate) fn show_ty(
    infer: &Infer,
    set_name: &dyn Fn(crate::SetId) -> String,
    free_name: &dyn Fn(crate::FreeTypeId) -> String,
    ty: Ty,
) -> String {
    let mut out = String::new();
    Shower { infer, set_name, free_name, budget: 200 }.write(ty, Tight::No, &mut out);
    out
}

struct Shower<'a> {
    infer: &'a Infer,
    set_name: &'a dyn Fn(crate::SetId) -> String,
    free_name: &'a dyn Fn(crate::FreeTypeId) -> String,
    budget: usize,
}

impl Shower<'_> {
    fn write(&mut self, ty: Ty, tight: Tight, out: &mut String) {
        if self.budget == 0 {
            out.push('…');
            return;
        }
        self.budget -= 1;
        match self.infer.node(ty) {
            Node::Unknown | Node::Link(_) => out.push('_'),
            Node::Bool => out.push_str("BOOL"),
            Node::Integer => out.push_str("INTEGER"),
            Node::Real => out.push_str("REAL"),
            Node::String => out.push_str("STRING"),
            Node::Given(set) => out.push_str(&(self.set_name)(*set)),
            Node::Free(free, args) => {
                out.push_str(&(self.free_name)(*free));
                list(out, "(", ", ", args, |out, a| self.write(*a, Tight::No, out));
                if !args.is_empty() {
                    out.push(')');
                }
            }
            Node::Power(of) => {
                out.push_str("POW(");
                self.write(*of, Tight::No, out);
                out.push(')');
            }
            Node::Pair(left, right) => {
                let (left, right) = (*left, *right);
                parenthesised(out, tight, |out| {
                    self.write(left, Tight::No, out);
                    out.push_str(" * ");
                    self.write(right, Tight::Product, out);
                });
            }
            Node::Record(fields) => {
                out.push_str("struct");
                list(out, "(", ", ", fields, |out, (name, ty)| {
                    out.push_str(name);
                    out.push_str(" : ");
                    self.write(*ty, Tight::No, out);
                });
                out.push(')');
            }
        }
    }
}

fn list<T>(
    out: &mut String,
    open: &str,
    separator: &str,
    items: &[T],
    mut write: impl FnMut(&mut String, &T),
) {
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i == 0 { open } else { separator });
        write(out, item);
    }
}

fn parenthesised(out: &mut String, tight: Tight, write: impl FnOnce(&mut String)) {
    if tight == Tight::Product {
        out.push('(');
    }
    write(out);
    if tight == Tight::Product {
        out.push(')');
    }
}
