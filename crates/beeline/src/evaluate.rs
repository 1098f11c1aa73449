//! A formula from a prompt, evaluated in a state.

use beeline_compile::{
    Builder, CompileError, ConstantsRef, Cut, CutReason, Fault, StateRef, Truth,
};
use beeline_model::{Binder, Expr, ExprKind, Formula, LocalId, Model, Pred, TypeId};
use beeline_value::Val;
use std::error::Error;
use std::fmt;

/// What a formula comes to. `{}` is what `beeline eval` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An expression: its value and type.
    Value {
        /// In B notation.
        value: String,
        /// In B notation.
        ty: String,
    },
    /// A predicate without unknown names.
    Truth(bool),
    /// A predicate with unknown names: all their values that make it true.
    Solutions {
        /// The unknown names and their types.
        names: Vec<(String, String)>,
        /// One value a name.
        rows: Vec<Vec<String>>,
    },
    /// A predicate whose solutions are not listed: the set of them.
    Symbolic(String),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The formula cannot be compiled.
    Compile(Vec<CompileError>),
    /// The formula is not well-defined.
    Undefined(Box<Fault>),
    /// The engine could not find out.
    Cut(Box<Cut>),
    /// A limit was reached, or somebody interrupted it.
    Stopped(CutReason),
    /// The model's constants have no values, or none were found.
    NoConstants,
}

/// Evaluates a formula. The model must be the one that the formula was read with, and that the system
/// is built from.
pub fn evaluate(
    model: &mut Model,
    builder: &mut Builder,
    formula: &Formula,
    constants: ConstantsRef<'_>,
    state: Option<StateRef<'_>>,
) -> Result<Answer, NoAnswer> {
    match formula {
        Formula::Expr(expr) => {
            let word = value(model, builder, expr, constants, state)?;
            let value = builder.system().show(word, expr.ty);
            Ok(Answer::Value { value, ty: model.show_type(expr.ty) })
        }
        Formula::Pred(open, pred) if open.is_empty() => {
            truth(model, builder, pred, constants, state).map(Answer::Truth)
        }
        Formula::Pred(open, pred) => solve(model, builder, open, pred, constants, state),
    }
}

fn value(
    model: &Model,
    builder: &mut Builder,
    expr: &Expr,
    constants: ConstantsRef<'_>,
    state: Option<StateRef<'_>>,
) -> Result<u32, NoAnswer> {
    let id = builder.expr(model, expr).map_err(NoAnswer::Compile)?;
    let system = builder.system();
    let mut scratch = system.scratch();
    match system.value(id, constants, state, &mut scratch) {
        Ok(value) => Ok(value.raw()),
        Err(Truth::Undefined(fault)) => Err(NoAnswer::Undefined(fault)),
        Err(Truth::Unknown(cut)) => Err(NoAnswer::Cut(cut)),
        Err(_) => {
            let words = "the evaluation ended early".to_owned();
            Err(NoAnswer::Compile(vec![CompileError { span: expr.span, words }]))
        }
    }
}

fn truth(
    model: &Model,
    builder: &mut Builder,
    pred: &Pred,
    constants: ConstantsRef<'_>,
    state: Option<StateRef<'_>>,
) -> Result<bool, NoAnswer> {
    let id = builder.pred(model, pred).map_err(NoAnswer::Compile)?;
    let system = builder.system();
    let mut scratch = system.scratch();
    let truth = match state {
        Some(state) => system.holds(id, constants, state, &mut scratch),
        None => system.holds_of_constants(id, constants, &mut scratch),
    };
    match truth {
        Truth::True => Ok(true),
        Truth::False => Ok(false),
        Truth::Undefined(fault) => Err(NoAnswer::Undefined(fault)),
        Truth::Unknown(cut) => Err(NoAnswer::Cut(cut)),
    }
}

/// The solutions are the elements of a set of tuples.
fn solve(
    model: &mut Model,
    builder: &mut Builder,
    open: &[LocalId],
    pred: &Pred,
    constants: ConstantsRef<'_>,
    state: Option<StateRef<'_>>,
) -> Result<Answer, NoAnswer> {
    let types: Vec<TypeId> = open.iter().map(|l| model.local(*l).ty).collect();
    let tuple = types.iter().copied().reduce(|a, b| model.types.pair(a, b));
    let Some(tuple) = tuple else { return Ok(Answer::Truth(false)) };
    let ty = model.types.power(tuple);
    let binder = Binder { locals: open.to_vec(), predicate: pred.clone(), symbolic: false };
    let set = Expr { kind: ExprKind::Comprehension(Box::new(binder)), ty, span: pred.span };
    let word = value(model, builder, &set, constants, state)?;
    let system = builder.system();
    let store = system.store().clone();
    let Some(elems) = store.elems(Val::from_raw(word)) else {
        return Ok(Answer::Symbolic(system.show(word, ty)));
    };
    let rows = store
        .list(elems)
        .into_iter()
        .map(|element| {
            let mut parts = Vec::with_capacity(open.len());
            let mut rest = element;
            for _ in 1..open.len() {
                let Some((left, right)) = store.as_pair(rest) else { break };
                parts.push(right);
                rest = left;
            }
            parts.push(rest);
            parts.reverse();
            parts.iter().zip(&types).map(|(v, ty)| system.show(v.raw(), *ty)).collect()
        })
        .collect();
    let name = |l: &LocalId| {
        let local = model.local(*l);
        (local.name.to_string(), model.show_type(local.ty))
    };
    Ok(Answer::Solutions { names: open.iter().map(name).collect(), rows })
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Compile(errors) => {
                let words: Vec<&str> = errors.iter().map(|e| e.words.as_str()).collect();
                f.write_str(&words.join("; "))
            }
            NoAnswer::Undefined(fault) => write!(f, "not well-defined: {fault}"),
            NoAnswer::Cut(cut) => write!(f, "unknown: {cut}"),
            NoAnswer::Stopped(reason) => write!(f, "unknown: {}", stopped(*reason)),
            NoAnswer::NoConstants => f.write_str("no values of the constants were found"),
        }
    }
}

/// Which limit broke work off.
pub(crate) fn stopped(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        _ => "it was interrupted",
    }
}

impl Error for NoAnswer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            NoAnswer::Compile(errors) => errors.first().map(|e| e as &(dyn Error + 'static)),
            NoAnswer::Undefined(fault) => Some(&**fault),
            NoAnswer::Cut(cut) => Some(&**cut),
            NoAnswer::Stopped(_) | NoAnswer::NoConstants => None,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Value { value, ty } => write!(f, "{value} : {ty}"),
            Answer::Truth(truth) => f.write_str(if *truth { "TRUE" } else { "FALSE" }),
            Answer::Symbolic(_) => {
                f.write_str("the solutions are not listed: they are not bounded")
            }
            Answer::Solutions { rows, .. } if rows.is_empty() => f.write_str("FALSE: no solution"),
            Answer::Solutions { names, rows } => {
                let plural = if rows.len() == 1 { "" } else { "s" };
                write!(f, "TRUE: {} solution{plural}", rows.len())?;
                for row in rows {
                    let pairs = names.iter().zip(row).map(|((n, _), v)| format!("{n} = {v}"));
                    write!(f, "\n  {}", pairs.collect::<Vec<_>>().join(", "))?;
                }
                Ok(())
            }
        }
    }
}
