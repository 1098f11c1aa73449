//! Values as bytes: each value once, and its parts before it.

use crate::bytes::{Damage, Input, put, put_signed, put_text};
use beeline_judge::{Real, Value};
use beeline_model::{FreeTypeId, SetId};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// What is shared counts as often as it occurs: a value of more parts than this is none of a search.
const MAX_PARTS: u64 = 50_000_000;

/// Numbers for values.
#[derive(Default)]
pub(crate) struct Writer {
    numbers: BTreeMap<Value, u64>,
    bytes: Vec<u8>,
}

impl Writer {
    /// The number of a value; nothing for one that is not listed.
    pub fn number(&mut self, value: &Value) -> Option<u64> {
        if let Some(number) = self.numbers.get(value) {
            return Some(*number);
        }
        let mut own = Vec::new();
        match value {
            Value::Bool(b) => own.push(u8::from(*b)),
            Value::Integer(n) => match n.small() {
                Some(n) => {
                    own.push(2);
                    put_signed(&mut own, n);
                }
                None => {
                    own.push(3);
                    put_text(&mut own, &n.to_string());
                }
            },
            Value::Real(r) => {
                own.push(4);
                own.extend(r.get().to_bits().to_le_bytes());
            }
            Value::String(text) => {
                own.push(5);
                put_text(&mut own, text);
            }
            Value::Element(set, index) => {
                own.push(6);
                put(&mut own, set.index() as u64);
                put(&mut own, u64::from(*index));
            }
            Value::Pair(both) => {
                let (a, b) = (self.number(&both.0)?, self.number(&both.1)?);
                own.push(7);
                put(&mut own, a);
                put(&mut own, b);
            }
            Value::Record(fields) => self.list(&mut own, 8, fields.iter())?,
            Value::Free(ty, constructor, argument) => {
                let argument = match argument {
                    Some(argument) => self.number(argument)? + 1,
                    None => 0,
                };
                own.push(9);
                put(&mut own, ty.index() as u64);
                put(&mut own, u64::from(*constructor));
                put(&mut own, argument);
            }
            Value::Set(elements) => self.list(&mut own, 10, elements.iter())?,
            Value::Symbolic(_) => return None,
        }
        self.bytes.extend(own);
        let number = self.numbers.len() as u64;
        self.numbers.insert(value.clone(), number);
        Some(number)
    }

    fn list<'v>(
        &mut self,
        own: &mut Vec<u8>,
        tag: u8,
        parts: impl ExactSizeIterator<Item = &'v Value>,
    ) -> Option<()> {
        let mut numbers = Vec::new();
        put(&mut numbers, parts.len() as u64);
        for part in parts {
            put(&mut numbers, self.number(part)?);
        }
        own.push(tag);
        own.extend(numbers);
        Some(())
    }

    /// How many there are, and all of them.
    pub fn finish(self) -> (u64, Vec<u8>) {
        (self.numbers.len() as u64, self.bytes)
    }
}

/// Values by number.
#[derive(Default)]
pub(crate) struct Reader {
    values: Vec<Value>,
    parts: Vec<u64>,
}

impl Reader {
    /// Reads so many.
    pub fn read(input: &mut Input<'_>, count: usize) -> Result<Reader, Damage> {
        let mut reader = Reader::default();
        for _ in 0..count {
            let mut parts = 1;
            let value = reader.value(input, &mut parts)?;
            if parts > MAX_PARTS {
                return Err(Damage("a value is too large"));
            }
            reader.values.push(value);
            reader.parts.push(parts);
        }
        Ok(reader)
    }

    /// The value of a number.
    pub fn get(&self, number: u64) -> Result<Value, Damage> {
        let value = usize::try_from(number).ok().and_then(|n| self.values.get(n));
        value.cloned().ok_or(Damage("there is no such value"))
    }

    fn part(&self, input: &mut Input<'_>, parts: &mut u64) -> Result<Value, Damage> {
        let number = input.number()?;
        let value = self.get(number)?;
        let more = self.parts.get(number as usize).copied().unwrap_or(1);
        *parts = parts.saturating_add(more);
        if *parts > MAX_PARTS {
            return Err(Damage("a value is too large"));
        }
        Ok(value)
    }

    fn list(&self, input: &mut Input<'_>, parts: &mut u64) -> Result<Vec<Value>, Damage> {
        let count = input.count()?;
        (0..count).map(|_| self.part(input, parts)).collect()
    }

    fn value(&self, input: &mut Input<'_>, parts: &mut u64) -> Result<Value, Damage> {
        Ok(match input.byte()? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            2 => Value::int(input.signed()?),
            3 => {
                let number: BigInt =
                    input.text()?.parse().map_err(|_| Damage("a number is none"))?;
                Value::int(number)
            }
            4 => {
                let bits = u64::from_le_bytes(input.eight()?);
                Real::new(f64::from_bits(bits)).map(Value::Real).ok_or(Damage("no number"))?
            }
            5 => Value::string(&input.text()?),
            6 => {
                let (set, index) = (input.small()?, input.small()?);
                Value::Element(SetId(set), index)
            }
            7 => Value::pair(self.part(input, parts)?, self.part(input, parts)?),
            8 => Value::Record(self.list(input, parts)?.into()),
            9 => {
                let (ty, constructor) = (input.small()?, input.small()?);
                let argument = match input.number()? {
                    0 => None,
                    n => Some(self.get(n - 1)?.into()),
                };
                Value::Free(FreeTypeId(ty), constructor, argument)
            }
            10 => Value::set(self.list(input, parts)?),
            _ => return Err(Damage("no kind of value")),
        })
    }
}
