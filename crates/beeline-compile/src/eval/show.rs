//! Values in B notation.

use crate::eval::frame::Runtime;
use crate::eval::sets::*;
use beeline_model::{BinaryOp, Type, TypeId, UnaryOp};
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
            out.push_str(&real_literal(f64::from_bits(*bits)));
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
    let unary = |op: UnaryOp| op as usize == extra;
    let sign = |op: &&BinaryOp| **op as usize == extra;
    let name = match kind {
        INTEGER => "INTEGER",
        NATURAL => "NATURAL",
        NATURAL1 => "NATURAL1",
        STRING => "STRING",
        REAL => "REAL",
        SPANS => return spans(rt, args, out),
        LOOSE => {
            out.push('{');
            list(rt, args, None, out);
            return out.push('}');
        }
        CLOSURE => {
            return out.push_str(rt.codes.get(extra).map_or("?", |code| &code.text));
        }
        UNION => return infix(rt, " \\/ ", args, out),
        INTER => return infix(rt, " /\\ ", args, out),
        DIFF => return infix(rt, " - ", args, out),
        SPACE2 | RELATION => {
            let op = INFIX.iter().find(|(op, _)| sign(&op));
            return infix(rt, op.map_or(" ? ", |op| op.1), args, out);
        }
        SPACE1 => match [
            (UnaryOp::Power, "POW"),
            (UnaryOp::Power1, "POW1"),
            (UnaryOp::Finite, "FIN"),
            (UnaryOp::Finite1, "FIN1"),
            (UnaryOp::Seq, "seq"),
            (UnaryOp::Seq1, "seq1"),
            (UnaryOp::Iseq, "iseq"),
            (UnaryOp::Iseq1, "iseq1"),
            (UnaryOp::Perm, "perm"),
        ]
        .iter()
        .find(|(op, _)| unary(*op))
        {
            Some((_, name)) => name,
            None => "?",
        },
        IDENTITY => "id",
        INVERSE => {
            list(rt, args, None, out);
            return out.push('~');
        }
        DOMAIN => "dom",
        RANGE => "ran",
        REACHABLE => "closure1",
        _ => "/*symbolic*/",
    };
    out.push_str(name);
    if !args.is_empty() {
        out.push('(');
        list(rt, args, None, out);
        out.push(')');
    }
}

/// Integers in intervals, of which at least one has an end: as a comprehension.
fn spans(rt: &Runtime, ends: &[Val], out: &mut String) {
    out.push_str("{x | x : INTEGER");
    for (i, span) in ends.chunks_exact(2).enumerate() {
        out.push_str(match (i, ends.len()) {
            (_, 2) => " & ",
            (0, _) => " & (",
            _ => " or ",
        });
        let mut end = |sign: &str, value: Val| {
            out.push_str(sign);
            write_value(rt, value, None, out);
        };
        match (span[0], span[1]) {
            (Val::UNSET, high) => end("x <= ", high),
            (low, Val::UNSET) => end("x >= ", low),
            (low, high) => {
                end("x : ", low);
                end("..", high);
            }
        }
    }
    out.push_str(if ends.len() > 2 { ")}" } else { "}" });
}

/// What stands between two symbolic or listed sets.
const INFIX: &[(BinaryOp, &str)] = &[
    (BinaryOp::Cartesian, " * "),
    (BinaryOp::Relations, " <-> "),
    (BinaryOp::PartialFunctions, " +-> "),
    (BinaryOp::TotalFunctions, " --> "),
    (BinaryOp::PartialInjections, " >+> "),
    (BinaryOp::TotalInjections, " >-> "),
    (BinaryOp::PartialSurjections, " +->> "),
    (BinaryOp::TotalSurjections, " -->> "),
    (BinaryOp::PartialBijections, " >+>> "),
    (BinaryOp::TotalBijections, " >->> "),
    (BinaryOp::TotalRelations, " <<-> "),
    (BinaryOp::SurjectiveRelations, " <->> "),
    (BinaryOp::TotalSurjectiveRelations, " <<->> "),
    (BinaryOp::Compose, " ; "),
    (BinaryOp::ParallelProduct, " || "),
    (BinaryOp::DirectProduct, " >< "),
    (BinaryOp::Override, " <+ "),
    (BinaryOp::DomainRestrict, " <| "),
    (BinaryOp::DomainSubtract, " <<| "),
    (BinaryOp::RangeRestrict, " |> "),
    (BinaryOp::RangeSubtract, " |>> "),
];

fn infix(rt: &Runtime, sign: &str, args: &[Val], out: &mut String) {
    out.push('(');
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(sign);
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || write_value(rt, *arg, None, out));
    }
    out.push(')');
}

/// A real number as B writes it: digits on both sides of a point, then perhaps an exponent.
fn real_literal(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => {
            format!("{mantissa}.0e{exponent}")
        }
        _ => text,
    }
}
