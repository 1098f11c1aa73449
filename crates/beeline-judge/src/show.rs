//! Values in the syntax of B.

use crate::Judge;
use crate::value::Value;
use crate::value::set::Set;
use crate::value::symbolic::{Symbolic, Yield};
use beeline_model::{BasicSet, Model, SetId, Type, TypeId};
use std::fmt;

/// More elements than this are not written out.
const MAX_SHOWN: usize = 1000;

/// A value to be written. With its type, records show their fields and sequences are `[…]`.
#[derive(Clone, Copy, Debug)]
pub struct ShowValue<'v> {
    model: &'v Model,
    value: &'v Value,
    ty: Option<TypeId>,
}

impl<'v> ShowValue<'v> {
    /// A value of this type.
    pub fn typed(model: &'v Model, value: &'v Value, ty: TypeId) -> ShowValue<'v> {
        ShowValue { model, value, ty: Some(ty) }
    }

    fn part(&self, value: &'v Value, ty: Option<TypeId>) -> ShowValue<'v> {
        ShowValue { model: self.model, value, ty }
    }

    fn known(&self) -> Option<&'v Type> {
        self.ty.map(|ty| self.model.types.get(ty))
    }
}

impl<'m> Judge<'m> {
    /// A value to be written, whatever its type.
    pub fn show<'v>(&self, value: &'v Value) -> ShowValue<'v>
    where
        'm: 'v,
    {
        ShowValue { model: self.model, value, ty: None }
    }
}

/// `S1`, or the name of an enumerated element.
fn element(model: &Model, set: SetId, index: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match model.sets.get(set.index()) {
        Some(set) => f.write_str(&set.element_name(index)),
        None => f.write_str("?"),
    }
}

fn string(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

impl fmt::Display for ShowValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Bool(true) => f.write_str("TRUE"),
            Value::Bool(false) => f.write_str("FALSE"),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Real(number) => f.write_str(&real_literal(number.get())),
            Value::String(text) => string(text, f),
            Value::Element(set, index) => element(self.model, *set, *index, f),
            Value::Pair(both) => {
                let (a, b) = match self.known() {
                    Some(Type::Pair(a, b)) => (Some(*a), Some(*b)),
                    _ => (None, None),
                };
                write!(f, "({}|->{})", self.part(&both.0, a), self.part(&both.1, b))
            }
            Value::Record(values) => self.record(values, f),
            Value::Free(id, constructor, argument) => {
                let free = self.model.free_types.get(id.index());
                let name = free.and_then(|t| t.constructors.get(*constructor as usize));
                f.write_str(name.map_or("?", |(name, _)| name))?;
                match argument {
                    Some(argument) => write!(f, "({})", self.part(argument, None)),
                    None => Ok(()),
                }
            }
            Value::Set(elements) => self.set(elements, f),
            Value::Symbolic(set) => self.described(&set.0, f),
        }
    }
}

impl ShowValue<'_> {
    fn record(&self, values: &[Value], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = match self.known() {
            Some(Type::Record(fields)) => fields.as_slice(),
            _ => &[],
        };
        f.write_str("rec(")?;
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match fields.get(i) {
                Some((name, ty)) => write!(f, "{name}:{}", self.part(value, Some(*ty)))?,
                None => write!(f, "{}", self.part(value, None))?,
            }
        }
        f.write_str(")")
    }

    fn set(&self, elements: &Set, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element_type = match self.known() {
            Some(Type::Power(of)) => Some(*of),
            _ => None,
        };
        let pair_types = element_type.and_then(|ty| self.model.types.halves(ty));
        if let Some((index, item)) = pair_types {
            let numbered = elements
                .iter()
                .zip(1u32..)
                .all(|(e, i)| matches!(e, Value::Pair(both) if both.0 == Value::int(i)));
            let is_sequence = matches!(self.model.types.get(index), Type::Integer);
            if is_sequence && numbered && !elements.is_empty() {
                let items = elements.iter().filter_map(|e| match e {
                    Value::Pair(both) => Some(&both.1),
                    _ => None,
                });
                return self.list("[", items, Some(item), "]", f);
            }
        }
        self.list("{", elements.iter(), element_type, "}", f)
    }

    fn list<'e>(
        &self,
        open: &str,
        values: impl Iterator<Item = &'e Value>,
        ty: Option<TypeId>,
        close: &str,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        f.write_str(open)?;
        for (i, value) in values.enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            if i == MAX_SHOWN {
                f.write_str("…")?;
                break;
            }
            write!(f, "{}", ShowValue { model: self.model, value, ty })?;
        }
        f.write_str(close)
    }

    fn described(&self, set: &Symbolic, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |value| ShowValue { model: self.model, value, ty: None };
        match set {
            Symbolic::Basic(basic) => f.write_str(match basic {
                BasicSet::Integer => "INTEGER",
                BasicSet::Natural => "NATURAL",
                BasicSet::Natural1 => "NATURAL1",
                BasicSet::String => "STRING",
                BasicSet::Real | BasicSet::Float => "REAL",
                BasicSet::Bool => "BOOL",
                BasicSet::Int => "INT",
                BasicSet::Nat => "NAT",
                BasicSet::Nat1 => "NAT1",
            }),
            Symbolic::Interval(low, high) => write!(f, "({low}..{high})"),
            Symbolic::Power { of, nonempty, finite } => {
                let name = if *finite { "FIN" } else { "POW" };
                write!(f, "{name}{}({})", if *nonempty { "1" } else { "" }, part(of))
            }
            Symbolic::Product(a, b) => write!(f, "({}*{})", part(a), part(b)),
            Symbolic::Listing(elements) => self.list("{", elements.iter(), None, "}", f),
            Symbolic::Sequences { of, .. } => write!(f, "seq({})", part(of)),
            Symbolic::Closure(closure) => f.write_str(match closure.body.yields {
                Yield::Lambda(_) => "%(…)",
                Yield::Tuple | Yield::Image(_) => "{…|…}",
            }),
            _ => f.write_str("(a set that is not listed)"),
        }
    }
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
