//! Operators and data types of theories as definitions, free types and constants.
//!
//! A direct operator is a definition with parameters. A data type of one constructor is a record, any
//! other a free type. A recursive operator is a constant that is defined by itself (`recursive`).
//! What is described by axioms only is known by its name alone: using it is an error that says so,
//! unless it stands for something built in.

mod recursive;

use crate::eventb::chain::Chain;
use beeline_eventb::math::names_in;
use beeline_eventb::package::operator_name;
use beeline_eventb::{Datatype, Operator, Theory};
use beeline_model::Name;
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{
    BinaryOp, Builtin, Constant, Definition, DefinitionBody, Expr, ExprKind, FreeType, Ident,
    Quantified, Quantifier,
};

pub(super) use recursive::{context, shown};

/// One definition an operator and destructor, and a constructor of a record.
pub(super) fn definitions(theories: &[Theory]) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for theory in theories {
        for datatype in &theory.datatypes {
            match is_record(datatype) {
                true => found.extend(record(datatype)),
                false => found.extend(destructors(datatype)),
            }
        }
        for operator in &theory.operators {
            let tag = theory.mappings.iter().find(|(name, _)| *name == operator.name.name);
            let built_in = tag.and_then(|(_, internal)| built_in(internal, operator));
            let body = built_in.or_else(|| operator.definition.clone());
            let body = body.or_else(|| recursive::call(operator));
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

/// What is wrong with the operators that a chain speaks of: nobody says what they are.
pub(super) fn problems(
    chain: &Chain<'_>,
    theories: &[Theory],
    definitions: &[Definition],
    free_types: &[FreeType],
) -> Vec<Diagnostic> {
    let constructors = free_types.iter().flat_map(|t| t.constructors.iter().map(|c| &c.0));
    let types = free_types.iter().map(|t| &t.name).chain(constructors);
    let known: Vec<&Name> =
        definitions.iter().map(|d| &d.name).chain(types).map(|i| &i.name).collect();
    let mut found = Vec::new();
    for used in recursive::mentioned(chain, theories) {
        if known.contains(&&used.name) {
            continue;
        }
        let name = shown(&used.name);
        let declared = theories.iter().flat_map(|t| &t.operators).any(|o| o.name.name == name);
        let (message, help) = match declared {
            true => (
                format!(
                    "operator `{name}` is not supported: it is described by axioms, but not defined"
                ),
                "define it directly or by cases",
            ),
            false => (
                format!("operator `{name}` is not known here"),
                "export the package together with its theories",
            ),
        };
        found.push(Diagnostic::new(Code::UNKNOWN_NAME, used.span, message).help(help));
    }
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

/// The data types that are no records.
pub(super) fn free_types(theories: &[Theory]) -> Vec<FreeType> {
    let types = theories.iter().flat_map(|t| &t.datatypes).filter(|d| !is_record(d));
    let operator = |name: &Ident| Ident { name: operator_name(&name.name), span: name.span };
    let parameter = |name: &Name, span| Ident { name: name.clone(), span };
    types
        .map(|datatype| FreeType {
            name: operator(&datatype.name),
            parameters: datatype
                .parameters
                .iter()
                .map(|name| parameter(name, datatype.name.span))
                .collect(),
            constructors: datatype
                .constructors
                .iter()
                .map(|(name, fields)| (operator(name), product(fields)))
                .collect(),
            span: datatype.name.span,
        })
        .collect()
}

/// `A × B × C`, where a constructor takes its arguments from.
fn product(fields: &[(Ident, Expr)]) -> Option<Expr> {
    let mut sets = fields.iter().map(|(_, ty)| ty.clone());
    let first = sets.next()?;
    Some(sets.fold(first, |left, right| {
        let span = left.span;
        Expr::new(ExprKind::Binary(BinaryOp::Cartesian, Box::new(left), Box::new(right)), span)
    }))
}

/// One constructor, and no value of the type within another.
fn is_record(datatype: &Datatype) -> bool {
    let own = operator_name(&datatype.name.name);
    let inside = |ty: &Expr| names_in(ty).iter().any(|i| i.name == own);
    matches!(datatype.constructors.as_slice(), [(_, fields)] if !fields.iter().any(|f| inside(&f.1)))
}

/// What takes a value apart that a constructor made.
fn destructors(datatype: &Datatype) -> Vec<Definition> {
    let mut found = Vec::new();
    for (constructor, fields) in &datatype.constructors {
        for (place, (name, _)) in fields.iter().enumerate() {
            let whole = Ident { name: "value".into(), span: name.span };
            let value = Expr::new(ExprKind::Ident(whole.name.clone()), name.span);
            let part = part(constructor, place, fields.len(), value);
            found.push(definition(name, vec![whole], part));
        }
    }
    found
}

/// Argument number `place` of so many that a constructor was given to make a value.
fn part(constructor: &Ident, place: usize, count: usize, value: Expr) -> Expr {
    let span = value.span;
    let call = |f: Expr, x: Expr| Expr::new(ExprKind::Call(Box::new(f), vec![x]), span);
    let constructor = Expr::new(ExprKind::Ident(operator_name(&constructor.name)), span);
    let inverse = Expr::new(ExprKind::Inverse(Box::new(constructor)), span);
    let projection = |which| Expr::new(ExprKind::Constant(which), span);
    let mut part = call(inverse, value);
    // Pairs nest to the left: the last argument is the outermost.
    for _ in place.max(1) + 1..count {
        part = call(projection(Constant::Projection1), part);
    }
    match (place, count) {
        (_, 1) => part,
        (0, _) => call(projection(Constant::Projection1), part),
        _ => call(projection(Constant::Projection2), part),
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
