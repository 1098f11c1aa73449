//! Types in B notation.
//!
//! One writer for all who have types: a model, whose types are ground, and the inference, whose types
//! are under construction. It knows a type only by what its owner says stands directly below it.

use crate::{Model, Name, Type, TypeId};

/// A type as its owner shows it: one node, and what names the parts below it.
#[derive(Debug)]
pub enum TypeNode<'a, T> {
    /// A type without parts, by its name.
    Word(&'a str),
    /// A free type: its name and its arguments.
    Free(&'a str, &'a [T]),
    /// `POW(t)`
    Power(T),
    /// `t * u`
    Pair(T, T),
    /// `struct(a : t)`
    Record(&'a [(Name, T)]),
}

/// A type in B notation: `POW(INTEGER * BOOL)`.
pub fn show_type<'a, T: Copy + 'a>(ty: T, node: &mut dyn FnMut(T) -> TypeNode<'a, T>) -> String {
    let mut out = String::new();
    write(ty, false, node, &mut out);
    out
}

impl Model {
    /// A type in B notation: `POW(INTEGER * BOOL)`.
    pub fn show_type(&self, ty: TypeId) -> String {
        show_type(ty, &mut |ty| self.type_node(ty))
    }

    fn type_node(&self, ty: TypeId) -> TypeNode<'_, TypeId> {
        match self.types.get(ty) {
            Type::Bool => TypeNode::Word("BOOL"),
            Type::Integer => TypeNode::Word("INTEGER"),
            Type::Real => TypeNode::Word("REAL"),
            Type::String => TypeNode::Word("STRING"),
            Type::Given(set) => TypeNode::Word(&self.set(*set).name),
            Type::Free(free, args) => TypeNode::Free(&self.free_type(*free).name, args),
            Type::Power(of) => TypeNode::Power(*of),
            Type::Pair(left, right) => TypeNode::Pair(*left, *right),
            Type::Record(fields) => TypeNode::Record(fields),
        }
    }
}

/// `*` is left-associative: a product is put in brackets (`tight`) only to the right of another.
fn write<'a, T: Copy + 'a>(
    ty: T,
    tight: bool,
    node: &mut dyn FnMut(T) -> TypeNode<'a, T>,
    out: &mut String,
) {
    match node(ty) {
        TypeNode::Word(word) => out.push_str(word),
        TypeNode::Free(name, args) => {
            out.push_str(name);
            for (i, arg) in args.iter().enumerate() {
                out.push_str(if i == 0 { "(" } else { ", " });
                write(*arg, false, node, out);
            }
            if !args.is_empty() {
                out.push(')');
            }
        }
        TypeNode::Power(of) => {
            out.push_str("POW(");
            write(of, false, node, out);
            out.push(')');
        }
        TypeNode::Pair(left, right) => {
            out.push_str(if tight { "(" } else { "" });
            write(left, false, node, out);
            out.push_str(" * ");
            write(right, true, node, out);
            out.push_str(if tight { ")" } else { "" });
        }
        TypeNode::Record(fields) => {
            out.push_str("struct");
            for (i, (name, ty)) in fields.iter().enumerate() {
                out.push_str(if i == 0 { "(" } else { ", " });
                out.push_str(name);
                out.push_str(" : ");
                write(*ty, false, node, out);
            }
            out.push(')');
        }
    }
}
