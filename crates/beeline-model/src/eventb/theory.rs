//! Operators and data types of theories as definitions.
//!
//! A direct operator is a definition with parameters. A data type of one constructor
//! is a record. What is recursive, or described by axioms only, is known by its name alone: using it
//! is an error that says so, unless it stands for something built in.

use crate::Name;
use beeline_eventb::package::operator_name;
use beeline_eventb::{Datatype, Operator, Theory};
use beeline_source::Span;
use beeline_syntax::ast::{
    BinaryOp, Builtin, Definition, DefinitionBody, Expr, ExprKind, Ident, Quantified, Quantifier,
};

/// One definition an operator, constructor and destructor.
pub(super) fn definitions(theories: &[Theory]) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for theory in theories {
        for datatype in &theory.datatypes {
            found.extend(record(datatype));
        }
        for operator in &theory.operators {
            let tag = theory.mappings.iter().find(|(name, _)| *name == operator.name.name);
            let built_in = tag.and_then(|(_, internal)| built_in(internal, operator));
            let body = built_in.or_else(|| operator.definition.clone());
            if let Some(body) = body {
                let arguments = operator.arguments.iter().map(|(name, _)| name.clone()).collect();
                found.push(definition(&operator.name, arguments, body));
            }
        }
    }
    let mut names: Vec<Name> = Vec::new();
    found.retain(|d| {
        let new = !names.contains(&d.name.name);
        names.push(d.name.name.clone());
        new
    });
    found
}

fn definition(name: &Ident, parameters: Vec<Ident>, body: Expr) -> Definition {
    Definition {
        name: Ident { name: operator_name(&name.name), span: name.span },
        parameters,
        span: name.span,
        body: DefinitionBody::Formula(body),
    }
}

/// A data type of one constructor: the set of records, their construction, their fields.
fn record(datatype: &Datatype) -> Vec<Definition> {
    let [(constructor, fields)] = datatype.constructors.as_slice() else { return Vec::new() };
    let value = |name: &str, span| Expr::new(ExprKind::Ident(name.into()), span);
    let parameters: Vec<Ident> = datatype
        .parameters
        .iter()
        .map(|name| Ident { name: name.clone(), span: datatype.name.span })
        .collect();
    let set = Expr::new(ExprKind::RecordSet(fields.clone()), datatype.name.span);
    let built = fields.iter().map(|(name, _)| (name.clone(), value(&name.name, name.span)));
    let built = Expr::new(ExprKind::Record(built.collect()), constructor.span);
    let arguments = fields.iter().map(|(name, _)| name.clone()).collect();
    let mut found = vec![
        definition(&datatype.name, parameters, set),
        definition(constructor, arguments, built),
    ];
    for (name, _) in fields {
        let whole = Ident { name: "value".into(), span: name.span };
        let record = Box::new(value("value", name.span));
        let field = Expr::new(ExprKind::Field(record, name.clone()), name.span);
        found.push(definition(name, vec![whole], field));
    }
    found
}

/// What an operator stands for that the language has anyway.
fn built_in(internal: &str, operator: &Operator) -> Option<Expr> {
    let span = operator.name.span;
    let names: Vec<Expr> = operator
        .arguments
        .iter()
        .map(|(name, _)| Expr::new(ExprKind::Ident(name.name.clone()), span))
        .collect();
    let kind = match (internal, names.as_slice()) {
        ("SIGMA" | "PI", [relation]) => {
            let quantifier = if internal == "PI" { Quantifier::Pi } else { Quantifier::Sigma };
            return Some(total(quantifier, relation, span));
        }
        ("concat" | "conc", [a, b]) => {
            ExprKind::Binary(BinaryOp::Concat, Box::new(a.clone()), Box::new(b.clone()))
        }
        (_, [argument]) => ExprKind::Builtin(unary(internal)?, vec![argument.clone()]),
        _ => return None,
    };
    Some(Expr::new(kind, span))
}

fn unary(internal: &str) -> Option<Builtin> {
    Some(match internal {
        "closure" => Builtin::Closure,
        "closure1" => Builtin::Closure1,
        "seq" => Builtin::Seq,
        "seq1" => Builtin::Seq1,
        "iseq" => Builtin::Iseq,
        "iseq1" => Builtin::Iseq1,
        "perm" => Builtin::Perm,
        "size" => Builtin::Size,
        "first" => Builtin::First,
        "last" => Builtin::Last,
        "front" => Builtin::Front,
        "tail" => Builtin::Tail,
        "rev" | "reverse" => Builtin::Rev,
        _ => return None,
    })
}

/// `Σ x ↦ y · x ↦ y ∈ r ∣ y`
fn total(quantifier: Quantifier, relation: &Expr, span: Span) -> Expr {
    let name = |text: &str| Ident { name: text.into(), span: Span::NONE };
    let value = |text: &str| Box::new(Expr::new(ExprKind::Ident(text.into()), span));
    let pair = ExprKind::Binary(BinaryOp::Maplet, value("x"), value("y"));
    let pair = Box::new(Expr::new(pair, span));
    let member = ExprKind::Binary(BinaryOp::Member, pair, Box::new(relation.clone()));
    let kind = ExprKind::Quantified(Box::new(Quantified {
        quantifier,
        symbolic: false,
        names: vec![name("x"), name("y")],
        predicate: Expr::new(member, span),
        expression: Some(*value("y")),
    }));
    Expr::new(kind, span)
}
