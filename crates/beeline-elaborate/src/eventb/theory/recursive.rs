//! Recursive operators as constants: `f = λ x ↦ y · x ∈ X ∧ y ∈ Y ∣ IF x = nil THEN … ELSE … END`.
//!
//! Only those that a chain speaks of become constants, directly or through other operators: the types
//! of the others would be anybody's guess. One constant has one type, so an operator can be used with
//! one type only; that two do not fit is then said where the second one is used.

use super::part;
use crate::eventb::chain::Chain;
use beeline_eventb::math::names_in;
use beeline_eventb::package::operator_name;
use beeline_eventb::{Case, Constant, Context, Event, Labelled, Operator, Theory};
use beeline_model::Name;
use beeline_source::Span;
use beeline_syntax::ast::{
    BinaryOp, Builtin, Constant as Word, Expr, ExprKind, Ident, Quantified, Quantifier, SubstKind,
};
use rustc_hash::FxHashSet;

const PREFIX: &str = "recursive ";

/// The constant that an operator is: no identifier can be the same.
fn constant_name(operator: &Name) -> Name {
    Name::from(format!("{PREFIX}{operator}"))
}

fn is_operator(name: &Name) -> bool {
    name.starts_with("operator ")
}

/// A name as people know it.
pub(in crate::eventb) fn shown(name: &Name) -> Name {
    let plain = name.strip_prefix(PREFIX).or_else(|| name.strip_prefix("operator "));
    plain.map_or_else(|| name.clone(), Name::from)
}

/// What an application of a recursive operator means.
pub(super) fn call(operator: &Operator) -> Option<Expr> {
    operator.cases.first()?;
    let span = operator.name.span;
    let arguments = operator.arguments.iter().map(|(name, _)| value(&name.name, span)).collect();
    let function = value(&constant_name(&operator.name.name), span);
    let applied = Expr::new(ExprKind::Call(Box::new(function), arguments), span);
    Some(match is_predicate(operator) {
        true => equal(applied, Expr::new(ExprKind::Constant(Word::True), span)),
        false => applied,
    })
}

/// A context with a constant for each recursive operator that is used.
pub(in crate::eventb) fn context(chain: &Chain<'_>, theories: &[Theory]) -> Option<Context> {
    let used: FxHashSet<Name> =
        mentioned(chain, theories).into_iter().map(|i| shown(&i.name)).collect();
    let mut constants = Vec::new();
    let mut axioms = Vec::new();
    for operator in theories.iter().flat_map(|t| &t.operators) {
        let name = constant_name(&operator.name.name);
        let is_new = constants.iter().all(|c: &Constant| c.name.name != name);
        if operator.cases.is_empty() || !used.contains(&operator.name.name) || !is_new {
            continue;
        }
        let span = operator.name.span;
        let formula = equal(value(&name, span), function(operator, theories));
        axioms.push(Labelled { label: operator.name.name.clone(), formula, theorem: false });
        constants.push(Constant { name: Ident { name, span }, symbolic: true });
    }
    let span = constants.first()?.name.span;
    let name = Ident { name: Name::from("operators of theories"), span };
    Some(Context { name, extends: Vec::new(), sets: Vec::new(), constants, axioms })
}

/// The operators that the formulas of a chain speak of, directly or not, and where.
pub(super) fn mentioned(chain: &Chain<'_>, theories: &[Theory]) -> Vec<Ident> {
    let mut pending: Vec<Ident> = Vec::new();
    let axioms = chain.contexts.iter().flat_map(|c| &c.axioms);
    let invariants = chain.machines.iter().flat_map(|m| &m.invariants);
    axioms.chain(invariants).for_each(|l| pending.extend(names_in(&l.formula)));
    for machine in &chain.machines {
        machine.variants.iter().for_each(|v| pending.extend(names_in(v)));
        machine.events.iter().for_each(|e| in_event(e, &mut pending));
    }
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(next) = pending.pop() {
        if !is_operator(&next.name) || !seen.insert(next.name.clone()) {
            continue;
        }
        let operators = theories.iter().flat_map(|t| &t.operators);
        for operator in operators.filter(|o| operator_name(&o.name.name) == next.name) {
            operator.definition.iter().for_each(|d| pending.extend(names_in(d)));
            operator.cases.iter().for_each(|c| pending.extend(names_in(&c.value)));
        }
        found.push(next);
    }
    found
}

fn in_event(event: &Event, pending: &mut Vec<Ident>) {
    event.guards.iter().for_each(|g| pending.extend(names_in(&g.formula)));
    event.witnesses.iter().for_each(|w| pending.extend(names_in(&w.formula)));
    for action in &event.actions {
        match &action.subst.kind {
            SubstKind::Assign(_, values) => values.iter().for_each(|v| pending.extend(names_in(v))),
            SubstKind::BecomesElement(_, e) | SubstKind::BecomesSuch(_, e) => {
                pending.extend(names_in(e));
            }
            _ => {}
        }
    }
}

fn function(operator: &Operator, theories: &[Theory]) -> Expr {
    let span = operator.name.span;
    let names: Vec<Ident> = operator.arguments.iter().map(|(name, _)| name.clone()).collect();
    let mut conditions: Vec<Expr> = operator
        .arguments
        .iter()
        .map(|(name, ty)| binary(BinaryOp::Member, value(&name.name, span), ty.clone()))
        .collect();
    let cases: Vec<(Expr, Expr)> =
        operator.cases.iter().map(|c| case(operator, c, theories)).collect();
    if !covers(operator, theories) {
        let any = cases.iter().map(|(condition, _)| condition.clone()).collect();
        conditions.push(Expr::new(ExprKind::Or(any), span));
    }
    let predicate = match conditions.len() {
        1 => conditions.swap_remove(0),
        _ => Expr::new(ExprKind::And(conditions), span),
    };
    let mut rest = cases.into_iter().rev();
    let last = rest.next().map_or_else(|| Expr::new(ExprKind::Error, span), |(_, last)| last);
    let body = rest.fold(last, |otherwise, branch| {
        Expr::new(ExprKind::If(vec![branch], Box::new(otherwise)), span)
    });
    let lambda = Quantified {
        quantifier: Quantifier::Lambda,
        symbolic: false,
        names,
        predicate,
        expression: Some(body),
    };
    Expr::new(ExprKind::Quantified(Box::new(lambda)), span)
}

/// When a case applies, and what the operator is then.
fn case(operator: &Operator, case: &Case, theories: &[Theory]) -> (Expr, Expr) {
    let span = case.pattern.span;
    let argument = || value(&case.argument, span);
    let (constructor, parts) = pattern(&case.pattern);
    let name = Ident { name: Name::from(shown(&constructor).as_str()), span };
    let fields = fields(theories, &name.name).map_or(0, Vec::len);
    let condition = if parts.is_empty() {
        equal(argument(), case.pattern.clone())
    } else {
        let made = ExprKind::Builtin(Builtin::Ran, vec![value(&constructor, span)]);
        binary(BinaryOp::Member, argument(), Expr::new(made, span))
    };
    let meaning = match is_predicate(operator) {
        true => Expr::new(ExprKind::Builtin(Builtin::BoolOf, vec![case.value.clone()]), span),
        false => case.value.clone(),
    };
    let named: Vec<(Ident, Expr)> = parts
        .iter()
        .enumerate()
        .filter(|(_, bound)| names_in(&meaning).iter().any(|i| i.name == bound.name))
        .map(|(place, bound)| {
            (bound.clone(), part(&name, place, fields.max(parts.len()), argument()))
        })
        .collect();
    (condition, with_names(named, meaning))
}

/// `LET h, t BE h = … ∧ t = … IN e END`
fn with_names(named: Vec<(Ident, Expr)>, meaning: Expr) -> Expr {
    if named.is_empty() {
        return meaning;
    }
    let span = meaning.span;
    let names = named.iter().map(|(name, _)| name.clone()).collect();
    let mut equations: Vec<Expr> =
        named.into_iter().map(|(name, e)| equal(value(&name.name, span), e)).collect();
    let equations = match equations.len() {
        1 => equations.swap_remove(0),
        _ => Expr::new(ExprKind::And(equations), span),
    };
    Expr::new(ExprKind::Let(names, Box::new(equations), Box::new(meaning)), span)
}

/// The constructor of a pattern, and the names for its parts.
fn pattern(pattern: &Expr) -> (Name, Vec<Ident>) {
    let name = |e: &Expr| match &e.peeled().kind {
        ExprKind::Ident(name) => name.clone(),
        ExprKind::OfType(inner, _) => match &inner.peeled().kind {
            ExprKind::Ident(name) => name.clone(),
            _ => Name::default(),
        },
        _ => Name::default(),
    };
    match &pattern.peeled().kind {
        ExprKind::OfType(inner, _) => self::pattern(inner),
        ExprKind::Call(constructor, parts) => {
            let bound = parts.iter().map(|p| Ident { name: name(p), span: p.span });
            (name(constructor), bound.collect())
        }
        _ => (name(pattern), Vec::new()),
    }
}

/// The arguments of a constructor.
fn fields<'t>(theories: &'t [Theory], constructor: &Name) -> Option<&'t Vec<(Ident, Expr)>> {
    let all = theories.iter().flat_map(|t| &t.datatypes).flat_map(|d| &d.constructors);
    all.into_iter().find(|(name, _)| name.name == *constructor).map(|(_, fields)| fields)
}

/// Is there a case for every constructor?
fn covers(operator: &Operator, theories: &[Theory]) -> bool {
    let met: Vec<Name> = operator.cases.iter().map(|c| shown(&pattern(&c.pattern).0)).collect();
    let types = theories.iter().flat_map(|t| &t.datatypes);
    types
        .into_iter()
        .any(|d| !met.is_empty() && d.constructors.iter().all(|(name, _)| met.contains(&name.name)))
}

/// Is it a predicate operator? One case at least shows it.
fn is_predicate(operator: &Operator) -> bool {
    operator.cases.iter().any(|case| match &case.value.peeled().kind {
        ExprKind::And(_) | ExprKind::Or(_) => true,
        ExprKind::Constant(word) => matches!(word, Word::Truth | Word::Falsity),
        ExprKind::Builtin(word, _) => word.makes_predicate(),
        ExprKind::Quantified(q) => !q.quantifier.has_expression(),
        ExprKind::Binary(op, ..) => op.makes_predicate(),
        _ => false,
    })
}

fn value(name: &Name, span: Span) -> Expr {
    Expr::new(ExprKind::Ident(name.clone()), span)
}

fn equal(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Equal, a, b)
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
}
