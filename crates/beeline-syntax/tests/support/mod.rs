//! Trees as short S-expressions and problems as short lines, for assertions that can be read.
#![allow(dead_code, clippy::unwrap_used)]

use beeline_source::SourceMap;
use beeline_syntax::ast::*;
use beeline_syntax::{Parsed, parse_file, parse_formula};

/// The tree of a formula; panics when there is a problem with it.
pub fn formula(text: &str) -> String {
    let parsed = parse_formula(text, 1);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems.list());
    match parsed.unit {
        Some(Unit::Formula(e)) => dump(&e),
        other => panic!("{text}: {other:?}"),
    }
}

/// The tree of a substitution; panics when there is a problem with it.
pub fn substitution(text: &str) -> String {
    let parsed = parse_formula(&format!("#SUBSTITUTION {text}"), 1);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems.list());
    match parsed.unit {
        Some(Unit::Substitution(s)) => dump_subst(&s),
        other => panic!("{text}: {other:?}"),
    }
}

/// The machine in a text; panics when there is a problem with it.
pub fn machine(text: &str) -> Machine {
    let parsed = parse_file(text, 1);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems.list());
    match parsed.unit {
        Some(Unit::Machine(m)) => *m,
        other => panic!("{text}: {other:?}"),
    }
}

/// The problems of a file as `line:column CODE message`.
pub fn file_problems(text: &str) -> Vec<String> {
    lines(text, parse_file)
}

/// The problems of a formula as `line:column CODE message`.
pub fn formula_problems(text: &str) -> Vec<String> {
    lines(text, parse_formula)
}

fn lines(text: &str, parse: fn(&str, u32) -> Parsed) -> Vec<String> {
    let mut map = SourceMap::new();
    let id = map.add("test", text).unwrap();
    let parsed = parse(text, map.file(id).base);
    let show = |d: &beeline_source::Diagnostic| {
        let place = map.place(d.primary.span).unwrap().1;
        format!("{}:{} {} {}", place.line, place.column, d.code, d.message)
    };
    parsed.problems.list().iter().map(show).collect()
}

/// An expression as an S-expression; parentheses of the text are square brackets.
pub fn dump(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Ident(n) => n.to_string(),
        ExprKind::Before(n) => format!("{n}$0"),
        ExprKind::Integer(n) | ExprKind::Real(n) => n.to_string(),
        ExprKind::String(_, s) => format!("{s:?}"),
        ExprKind::Constant(c) => c.keyword().to_owned(),
        ExprKind::Negate(e) => node("neg", &[dump(e)]),
        ExprKind::Inverse(e) => node("~", &[dump(e)]),
        ExprKind::Builtin(b, args) => node(b.keyword(), &all(args)),
        ExprKind::Binary(op, a, b) => node(op.spelling(), &[dump(a), dump(b)]),
        ExprKind::And(list) => node("&", &all(list)),
        ExprKind::Or(list) => node("or", &all(list)),
        ExprKind::Call(f, args) => node("call", &[vec![dump(f)], all(args)].concat()),
        ExprKind::Image(r, s) => node("image", &[dump(r), dump(s)]),
        ExprKind::Field(r, f) => node("field", &[dump(r), f.name.to_string()]),
        ExprKind::Paren(e) => format!("[{}]", dump(e)),
        ExprKind::Tuple(list) => node("tuple", &all(list)),
        ExprKind::List(list) => node("list", &all(list)),
        ExprKind::SetExtension(list) => node("set", &all(list)),
        ExprKind::SequenceExtension(list) => node("sequence", &all(list)),
        ExprKind::Comprehension(c) => {
            let head = if c.symbolic { "symbolic-such" } else { "such" };
            let mut parts = vec![names(&c.names), dump(&c.predicate)];
            parts.extend(c.expression.as_ref().map(dump));
            node(head, &parts)
        }
        ExprKind::Quantified(q) => {
            let mut parts = vec![names(&q.names), dump(&q.predicate)];
            parts.extend(q.expression.as_ref().map(dump));
            let symbolic = if q.symbolic { "symbolic-" } else { "" };
            node(&format!("{symbolic}{}", q.quantifier.spelling()), &parts)
        }
        ExprKind::Record(fields) => node("rec", &dump_fields(fields)),
        ExprKind::RecordSet(fields) => node("struct", &dump_fields(fields)),
        ExprKind::If(branches, otherwise) => {
            let mut parts: Vec<_> =
                branches.iter().map(|(c, e)| format!("{} {}", dump(c), dump(e))).collect();
            parts.push(dump(otherwise));
            node("if", &parts)
        }
        ExprKind::Let(ids, e, body) => node("let", &[names(ids), dump(e), dump(body)]),
        ExprKind::Substituted(pairs, p) => {
            let mut parts = dump_fields(pairs);
            parts.push(dump(p));
            node("wp", &parts)
        }
        ExprKind::OfType(e, t) => node("oftype", &[dump(e), dump(t)]),
        ExprKind::Labelled(l, e) => node("label", &[l.to_string(), dump(e)]),
        ExprKind::Described(e, d) => node("desc", &[dump(e), format!("{d:?}")]),
        ExprKind::Error => "<error>".to_owned(),
    }
}

/// A substitution as an S-expression.
pub fn dump_subst(s: &Subst) -> String {
    let some = |s: &Option<Box<Subst>>| s.as_ref().map(|s| dump_subst(s));
    let guarded = |list: &[(Expr, Subst)]| -> Vec<String> {
        list.iter().map(|(c, s)| format!("{} {}", dump(c), dump_subst(s))).collect()
    };
    match &s.kind {
        SubstKind::Skip => "skip".to_owned(),
        SubstKind::Block(s) => node("begin", &[dump_subst(s)]),
        SubstKind::Assign(t, v) => format!("({} := {})", all(t).join(" "), all(v).join(" ")),
        SubstKind::BecomesElement(t, s) => format!("({} :: {})", all(t).join(" "), dump(s)),
        SubstKind::BecomesSuch(t, p) => format!("({} :| {})", all(t).join(" "), dump(p)),
        SubstKind::Pre(p, s) => node("pre", &[dump(p), dump_subst(s)]),
        SubstKind::Assert(p, s) => node("assert", &[dump(p), dump_subst(s)]),
        SubstKind::Witness(p, s) => node("witness", &[dump(p), dump_subst(s)]),
        SubstKind::If(b, e) => node("if", &[guarded(b), some(e).into_iter().collect()].concat()),
        SubstKind::Select(b, e) => {
            node("select", &[guarded(b), some(e).into_iter().collect()].concat())
        }
        SubstKind::Choice(list) => node("choice", &substs(list)),
        SubstKind::Case(e, branches, otherwise) => {
            let mut parts = vec![dump(e)];
            parts.extend(
                branches.iter().map(|(l, s)| format!("<{}> {}", all(l).join(" "), dump_subst(s))),
            );
            parts.extend(some(otherwise));
            node("case", &parts)
        }
        SubstKind::Any(ids, p, s) => node("any", &[names(ids), dump(p), dump_subst(s)]),
        SubstKind::Let(ids, p, s) => node("let", &[names(ids), dump(p), dump_subst(s)]),
        SubstKind::Var(ids, s) => node("var", &[names(ids), dump_subst(s)]),
        SubstKind::While(w) => node(
            "while",
            &[dump(&w.condition), dump_subst(&w.body), dump(&w.invariant), dump(&w.variant)],
        ),
        SubstKind::Sequence(list) => node(";", &substs(list)),
        SubstKind::Parallel(list) => node("||", &substs(list)),
        SubstKind::Call(c) => {
            let mut parts = vec![c.name.name.to_string()];
            if !c.results.is_empty() {
                parts.insert(0, format!("{} <--", all(&c.results).join(" ")));
            }
            if c.parentheses {
                parts.push(format!("[{}]", all(&c.arguments).join(" ")));
            }
            node("op", &parts)
        }
        SubstKind::Error => "<error>".to_owned(),
    }
}

fn node(head: &str, parts: &[String]) -> String {
    format!("({head} {})", parts.join(" "))
}

fn all(list: &[Expr]) -> Vec<String> {
    list.iter().map(dump).collect()
}

fn substs(list: &[Subst]) -> Vec<String> {
    list.iter().map(dump_subst).collect()
}

pub fn names(list: &[Ident]) -> String {
    format!("<{}>", list.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(" "))
}

fn dump_fields(fields: &[(Ident, Expr)]) -> Vec<String> {
    fields.iter().map(|(f, e)| format!("{}:{}", f.name, dump(e))).collect()
}
