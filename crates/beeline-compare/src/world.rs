//! The model that random formulas speak of: a few sets, and variables of many types.

use crate::build::*;
use crate::random::Random;
use beeline_judge::{Real, Value};
use beeline_model::{Expr, ExprKind, Model, Name, Type, TypeId, TypeTable, Variable};
use beeline_source::MemoryLoader;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Name and set of each variable; `q…` hold sequences, `f…` mostly functions.
const VARIABLES: &[(&str, &str)] = &[
    ("vb", "BOOL"),
    ("vi", "INTEGER"),
    ("vj", "INTEGER"),
    ("ve", "Ss"),
    ("vt", "Tt"),
    ("vd", "Dd"),
    ("vx", "REAL"),
    ("vw", "STRING"),
    ("vp", "INTEGER * BOOL"),
    ("vm", "struct(a : INTEGER, c : Ss)"),
    ("si", "POW(INTEGER)"),
    ("sj", "POW(INTEGER)"),
    ("se", "POW(Ss)"),
    ("st", "POW(Tt)"),
    ("sd", "POW(Dd)"),
    ("sb", "POW(BOOL)"),
    ("sw", "POW(STRING)"),
    ("ri", "POW(INTEGER * INTEGER)"),
    ("rj", "POW(INTEGER * INTEGER)"),
    ("re", "POW(Ss * Ss)"),
    ("fe", "POW(Ss * INTEGER)"),
    ("ft", "POW(Ss * Tt)"),
    ("fi", "POW(INTEGER * Ss)"),
    ("fs", "POW(Ss * POW(Tt))"),
    ("fp", "POW((Tt * Tt) * INTEGER)"),
    ("qi", "POW(INTEGER * INTEGER)"),
    ("qj", "POW(INTEGER * INTEGER)"),
    ("qe", "POW(INTEGER * Ss)"),
    ("qq", "POW(INTEGER * POW(INTEGER * Ss))"),
    ("pi", "POW(POW(INTEGER))"),
    ("pe", "POW(POW(Ss))"),
    ("pm", "POW(struct(a : INTEGER, c : Ss))"),
    ("pp", "POW(INTEGER * BOOL)"),
];

/// The machine's text; random formulas may be evaluated beside it.
pub fn text() -> String {
    let names: Vec<&str> = VARIABLES.iter().map(|v| v.0).collect();
    let typed: Vec<String> = VARIABLES.iter().map(|(n, t)| format!("{n} : {t}")).collect();
    let chosen: Vec<String> = VARIABLES.iter().map(|(n, t)| format!("{n} :: {t}")).collect();
    format!(
        "MACHINE World SETS Ss = {{s1, s2, s3}}; Tt = {{t1, t2}}; Dd VARIABLES {} INVARIANT {} \
         INITIALISATION {} END",
        names.join(", "),
        typed.join(" & "),
        chosen.join(" || ")
    )
}

/// A copy of the model of [`text`], which is loaded once.
pub fn model_copy() -> Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(model).clone()
}

/// The model of [`text`].
///
/// # Panics
/// If the text does not load, which a test rules out.
fn model() -> Model {
    let loader = MemoryLoader::new().with("World.mch", &text());
    match beeline_elaborate::load(&loader, "World.mch").model {
        Some(model) => model,
        None => unreachable!("the world does not load"),
    }
}

const STRINGS: &[&str] = &["", "a", "b", "ab", "abc"];

/// How many elements the deferred set has.
const DEFERRED: usize = 2;

/// A random value of a type; sets have at most `size` elements at each level.
pub fn value(model: &Model, ty: TypeId, size: usize, random: &mut Random) -> Value {
    match model.types.get(ty) {
        Type::Bool => Value::Bool(random.chance(50)),
        Type::Integer => Value::int(number(random)),
        Type::Real => match Real::new(random.below(9) as f64 / 2.0 - 1.5) {
            Some(real) => Value::Real(real),
            None => Value::empty(),
        },
        Type::String => Value::string(random.pick(STRINGS)),
        Type::Given(set) => {
            let count = model.set(*set).elements.as_ref().map_or(DEFERRED, Vec::len);
            Value::Element(*set, random.below(count) as u32)
        }
        Type::Pair(a, b) => {
            Value::pair(value(model, *a, size, random), value(model, *b, size, random))
        }
        Type::Record(fields) => {
            let fields: Vec<Value> =
                fields.iter().map(|f| value(model, f.1, size, random)).collect();
            Value::Record(fields.into())
        }
        Type::Power(of) => {
            let inner = size.saturating_sub(1).max(1);
            let parts: Vec<Value> =
                (0..random.below(size + 1)).map(|_| value(model, *of, inner, random)).collect();
            Value::set(parts)
        }
        Type::Free(..) => Value::empty(),
    }
}

/// A random set without large numbers.
pub fn small_value(model: &Model, ty: TypeId, size: usize, random: &mut Random) -> Value {
    match model.types.get(ty) {
        Type::Integer => Value::int(random.below(7) as i64 - 2),
        Type::Pair(a, b) => {
            let (a, b) = (*a, *b);
            let left = small_value(model, a, size, random);
            Value::pair(left, small_value(model, b, size, random))
        }
        Type::Power(of) => {
            let of = *of;
            let parts: Vec<Value> = (0..random.below(size + 1))
                .map(|_| small_value(model, of, size.saturating_sub(1).max(1), random))
                .collect();
            Value::set(parts)
        }
        _ => value(model, ty, size, random),
    }
}

/// Mostly small; now and then beyond every machine word.
fn number(random: &mut Random) -> BigInt {
    match random.below(200) {
        0 => BigInt::from(10).pow(20),
        1 => -BigInt::from(2).pow(63),
        2 => BigInt::from(1) << 30,
        3..10 => BigInt::from(random.below(60)) - 30,
        _ => BigInt::from(random.below(7)) - 2,
    }
}

/// A random sequence.
pub fn sequence(model: &Model, item: TypeId, random: &mut Random) -> Value {
    let parts: Vec<Value> = (0..random.below(4)).map(|_| value(model, item, 2, random)).collect();
    Value::sequence(parts)
}

/// A random finite function.
pub fn function(model: &Model, (from, to): (TypeId, TypeId), random: &mut Random) -> Value {
    let pairs: BTreeMap<Value, Value> = (0..random.below(5))
        .map(|_| (value(model, from, 2, random), value(model, to, 2, random)))
        .collect();
    Value::set(pairs.into_iter().map(|(a, b)| Value::pair(a, b)))
}

/// A random value of each variable.
pub fn state(model: &Model, random: &mut Random) -> Vec<Value> {
    let one = |variable: &Variable| {
        let relation = model.types.element(variable.ty).and_then(|t| model.types.halves(t));
        match (relation, variable.name.chars().next()) {
            (Some((_, item)), Some('q')) => sequence(model, item, random),
            // Mostly functions: other relations are seldom well-defined.
            (Some(sides), Some('f')) if random.chance(80) => function(model, sides, random),
            _ => value(model, variable.ty, 3, random),
        }
    };
    model.variables.iter().map(one).collect()
}

/// A value as an expression.
pub fn quote(model: &Model, value: &Value, ty: TypeId) -> Expr {
    let part = |v: &Value, ty: Option<TypeId>| quote(model, v, ty.unwrap_or(TypeTable::BOOL));
    let kind = match value {
        Value::Bool(b) => ExprKind::Bool(*b),
        Value::Integer(i) => ExprKind::Integer(i.big()),
        Value::Real(r) => ExprKind::Real(r.get()),
        Value::String(text) => ExprKind::String(text.clone()),
        Value::Element(set, index) => ExprKind::Element(*set, *index),
        Value::Pair(both) => {
            let sides = model.types.halves(ty);
            let (a, b) = (part(&both.0, sides.map(|s| s.0)), part(&both.1, sides.map(|s| s.1)));
            return pair(a, b, ty);
        }
        Value::Record(fields) => {
            let Type::Record(types) = model.types.get(ty) else {
                return make(ExprKind::EmptySet, ty);
            };
            let fields = fields.iter().zip(types);
            ExprKind::Record(fields.map(|(v, (_, t))| part(v, Some(*t))).collect())
        }
        Value::Set(elements) if !elements.is_empty() => {
            let of = model.types.element(ty);
            ExprKind::SetExtension(elements.iter().map(|v| part(v, of)).collect())
        }
        Value::Set(_) | Value::Free(..) | Value::Symbolic(_) => ExprKind::EmptySet,
    };
    make(kind, ty)
}

/// A random literal of a type.
pub fn literal(model: &Model, ty: TypeId, size: usize, random: &mut Random) -> Expr {
    quote(model, &value(model, ty, size, random), ty)
}

/// The name of a new bound name.
pub fn local_name(number: usize) -> Name {
    format!("x{number}").into()
}

/// Types that formulas begin with: those of the variables, and of numbers.
pub fn root_types(model: &Model) -> Vec<TypeId> {
    let mut types: Vec<TypeId> = model.variables.iter().map(|v| v.ty).collect();
    types.extend([TypeTable::INTEGER; 4]);
    types.extend([TypeTable::BOOL; 12]);
    types
}
