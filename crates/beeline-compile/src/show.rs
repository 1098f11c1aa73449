//! Values in B notation.

use crate::frame::Runtime;
use crate::symbolic::*;
use beeline_model::{Type, TypeId};
use beeline_value::{Node, Val};
use std::fmt::Write;

/// Longer sets are shortened with dots. Reports for people cut much earlier.
const MAX_ELEMENTS: usize = 1_000_000;

/// A value in B notation; the type tells records' fields and sequences.
pub(crate) fn show(rt: &Runtime, value: Val, ty: Option<TypeId>) -> String {
    let mut out = String::new();
    write_value(rt, value, ty, &mut out);
    out
}

fn list(rt: &Runtime, values: &[Val], ty: Option<TypeId>, out: &mut String) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if i >= MAX_ELEMENTS {
            out.push('…');
            return;
        }
        write_value(rt, *value, ty, out);
    }
}

fn write_value(rt: &Runtime, value: Val, ty: Option<TypeId>, out: &mut String) {
    if value == Val::UNSET {
        out.push('?');
    } else if let Some(i) = value.as_small_int() {
        let _ = write!(out, "{i}");
    } else if let Some(b) = value.as_bool() {
        out.push_str(if b { "TRUE" } else { "FALSE" });
    } else if let Some((set, index)) = value.as_atom() {
        match rt.names.get(set as usize).and_then(|n| n.get(index as usize)) {
            Some(name) => out.push_str(name),
            None => {
                let _ = write!(out, "element{set}_{index}");
            }
        }
    } else if let Some(node) = rt.store.node(value) {
        write_node(rt, node, ty, out);
    }
}

fn write_node(rt: &Runtime, node: &Node, ty: Option<TypeId>, out: &mut String) {
    let types = &rt.types;
    let element = ty.and_then(|t| types.element(t));
    match node {
        Node::Int(i) => {
            let _ = write!(out, "{i}");
        }
        Node::Real(bits) => {
            let _ = write!(out, "{:?}", f64::from_bits(*bits));
        }
        Node::Str(text) => {
            let _ = write!(out, "{text:?}");
        }
        Node::Pair(a, b) => {
            let halves = ty.and_then(|t| types.halves(t));
            out.push('(');
            write_value(rt, *a, halves.map(|h| h.0), out);
            out.push_str("|->");
            write_value(rt, *b, halves.map(|h| h.1), out);
            out.push(')');
        }
        Node::Set(elems) => {
            out.push('{');
            list(rt, elems, element, out);
            out.push('}');
        }
        Node::Range(lo, hi) => {
            let _ = write!(out, "({lo}..{hi})");
        }
        Node::Rel(l, r) => {
            let halves = element.and_then(|t| types.halves(t));
            let is_sequence = l.first().and_then(|v| v.as_small_int()) == Some(1)
                && l.last().and_then(|v| v.as_small_int()) == Some(l.len() as i64)
                && l.windows(2).all(|w| w[0] != w[1]);
            if is_sequence {
                out.push('[');
                list(rt, r, halves.map(|h| h.1), out);
                out.push(']');
                return;
            }
            out.push('{');
            for i in 0..l.len() {
                if i > 0 {
                    out.push(',');
                }
                if i >= MAX_ELEMENTS {
                    out.push('…');
                    break;
                }
                out.push('(');
                write_value(rt, l[i], halves.map(|h| h.0), out);
                out.push_str("|->");
                write_value(rt, r[i], halves.map(|h| h.1), out);
                out.push(')');
            }
            out.push('}');
        }
        Node::Rec(fields) => {
            let names = match ty.map(|t| types.get(t)) {
                Some(Type::Record(names)) => Some(names),
                _ => None,
            };
            out.push_str("rec(");
            for (i, field) in fields.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                let named = names.and_then(|n| n.get(i));
                match named {
                    Some((name, _)) => out.push_str(name),
                    None => {
                        let _ = write!(out, "_{i}");
                    }
                }
                out.push(':');
                write_value(rt, *field, named.map(|n| n.1), out);
            }
            out.push(')');
        }
        Node::Free(ty, constructor, argument) => {
            let name = rt
                .free_types
                .get(*ty as usize)
                .and_then(|t| t.constructors.get(*constructor as usize))
                .map_or("?", |c| c.0.as_str());
            out.push_str(name);
            if let Some(argument) = argument {
                out.push('(');
                stacker::maybe_grow(64 << 10, 1 << 20, || write_value(rt, *argument, None, out));
                out.push(')');
            }
        }
        Node::Sym(tag, args) => write_symbolic(rt, *tag, args, out),
    }
}

fn write_symbolic(rt: &Runtime, tag: u32, args: &[Val], out: &mut String) {
    let (kind, extra) = split(tag);
    let name = match kind {
        INTEGER => "INTEGER",
        NATURAL => "NATURAL",
        NATURAL1 => "NATURAL1",
        STRING => "STRING",
        REAL => "REAL",
        UNION => "\\/",
        INTER => "/\\",
        DIFF => "-",
        SPACE1 => match extra {
            crate::spaces::POW => "POW",
            crate::spaces::POW1 => "POW1",
            crate::spaces::FIN => "FIN",
            crate::spaces::FIN1 => "FIN1",
            crate::spaces::SEQ => "seq",
            crate::spaces::SEQ1 => "seq1",
            crate::spaces::ISEQ => "iseq",
            crate::spaces::ISEQ1 => "iseq1",
            _ => "perm",
        },
        CLOSURE => "/*symbolic*/",
        _ => "/*symbolic*/",
    };
    match (kind, args) {
        (UNION | INTER | DIFF, [a, b]) => {
            out.push('(');
            write_value(rt, *a, None, out);
            out.push_str(name);
            write_value(rt, *b, None, out);
            out.push(')');
        }
        (CLOSURE, _) | (_, []) => out.push_str(name),
        _ => {
            out.push_str(name);
            out.push('(');
            list(rt, args, None, out);
            out.push(')');
        }
    }
}
