//! Values as bytes that mean the same in every process.
//!
//! The words of interned values are numbers of one store. [`Outgoing`] gives each value that is
//! written a number of its own, in the order of writing, and writes what it is made of before it;
//! [`Incoming`] reads such a stream into another store. Immediate words stay as they are. What is
//! done with the bytes is not known here.

use crate::{Node, Store, Val};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Writes values of one store.
#[derive(Debug, Default)]
pub struct Outgoing {
    numbers: FxHashMap<u32, u32>,
}

/// Reads what an [`Outgoing`] wrote.
#[derive(Debug, Default)]
pub struct Incoming {
    values: Vec<Val>,
}

/// The bytes are not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl Outgoing {
    /// The word of a value in the stream. What is needed to read it is added to `out`.
    pub fn word(&mut self, store: &Store, value: Val, out: &mut Vec<u8>) -> u32 {
        if let Some(word) = self.known(value) {
            return word;
        }
        // Parts first, without recursion.
        let mut waiting = vec![value];
        while let Some(&next) = waiting.last() {
            let Some(node) = store.node(next).filter(|_| self.known(next).is_none()) else {
                waiting.pop();
                continue;
            };
            let before = waiting.len();
            parts(node, &mut |part| {
                if self.known(part).is_none() {
                    waiting.push(part);
                }
            });
            if waiting.len() == before {
                waiting.pop();
                self.write(node, out);
                let number = self.numbers.len() as u32;
                self.numbers.insert(next.raw(), number);
            }
        }
        self.known(value).unwrap_or_else(|| value.raw())
    }

    fn known(&self, value: Val) -> Option<u32> {
        if value.is_immediate() {
            return Some(value.raw());
        }
        self.numbers.get(&value.raw()).copied()
    }

    fn write(&self, node: &Node, out: &mut Vec<u8>) {
        let word = |w: u32, out: &mut Vec<u8>| out.extend_from_slice(&w.to_le_bytes());
        let list = |values: &[Val], out: &mut Vec<u8>| {
            word(values.len() as u32, out);
            for value in values {
                word(self.known(*value).unwrap_or_else(|| value.raw()), out);
            }
        };
        let bytes = |bytes: &[u8], out: &mut Vec<u8>| {
            word(bytes.len() as u32, out);
            out.extend_from_slice(bytes);
        };
        match node {
            Node::Int(i) => {
                out.push(1);
                bytes(&i.to_signed_bytes_le(), out);
            }
            Node::Real(bits) => {
                out.push(2);
                out.extend_from_slice(&bits.to_le_bytes());
            }
            Node::Str(text) => {
                out.push(3);
                bytes(text.as_bytes(), out);
            }
            Node::Pair(a, b) => {
                out.push(4);
                list(&[*a, *b], out);
            }
            Node::Set(elems) => {
                out.push(5);
                list(elems, out);
            }
            Node::Range(low, high) => {
                out.push(6);
                out.extend_from_slice(&low.to_le_bytes());
                out.extend_from_slice(&high.to_le_bytes());
            }
            Node::Rel(left, right) => {
                out.push(7);
                list(left, out);
                list(right, out);
            }
            Node::Rec(fields) => {
                out.push(8);
                list(fields, out);
            }
            Node::Free(ty, constructor, argument) => {
                out.push(9);
                word(*ty, out);
                word(*constructor, out);
                list(argument.as_slice(), out);
            }
            Node::Sym(tag, args) => {
                out.push(10);
                word(*tag, out);
                list(args, out);
            }
        }
    }
}

/// What a node is made of.
fn parts(node: &Node, each: &mut dyn FnMut(Val)) {
    match node {
        Node::Int(_) | Node::Real(_) | Node::Str(_) | Node::Range(..) => {}
        Node::Pair(a, b) => [*a, *b].into_iter().for_each(each),
        Node::Set(list) | Node::Rec(list) | Node::Sym(_, list) => {
            list.iter().copied().for_each(each)
        }
        Node::Rel(left, right) => left.iter().chain(right).copied().for_each(each),
        Node::Free(_, _, argument) => argument.iter().copied().for_each(each),
    }
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        self.take(N)?.try_into().map_err(|_| Damaged)
    }

    fn word(&mut self) -> Result<u32, Damaged> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let count = self.word()? as usize;
        self.take(count)
    }
}

impl Incoming {
    /// Reads all values of some bytes that [`Outgoing::word`] added.
    pub fn read(&mut self, store: &Store, bytes: &[u8]) -> Result<(), Damaged> {
        let mut cursor = Cursor(bytes);
        while !cursor.0.is_empty() {
            let node = self.node(&mut cursor)?;
            self.values.push(store.intern(node));
        }
        Ok(())
    }

    /// The value of a word of the stream.
    pub fn value(&self, word: u32) -> Result<Val, Damaged> {
        let value = Val::from_raw(word);
        match value.node_index() {
            None => Ok(value),
            Some(number) => self.values.get(number).copied().ok_or(Damaged),
        }
    }

    /// Goes on writing after what was read.
    pub fn outgoing(&self) -> Outgoing {
        let numbers = self.values.iter().enumerate().map(|(i, v)| (v.raw(), i as u32)).collect();
        Outgoing { numbers }
    }

    fn list(&self, cursor: &mut Cursor<'_>) -> Result<Box<[Val]>, Damaged> {
        let count = cursor.word()? as usize;
        let words = cursor.take(count.checked_mul(4).ok_or(Damaged)?)?;
        words
            .chunks_exact(4)
            .map(|w| self.value(u32::from_le_bytes([w[0], w[1], w[2], w[3]])))
            .collect()
    }

    fn node(&self, cursor: &mut Cursor<'_>) -> Result<Node, Damaged> {
        Ok(match cursor.array::<1>()?[0] {
            1 => Node::Int(BigInt::from_signed_bytes_le(cursor.bytes()?)),
            2 => Node::Real(u64::from_le_bytes(cursor.array()?)),
            3 => Node::Str(std::str::from_utf8(cursor.bytes()?).map_err(|_| Damaged)?.into()),
            4 => match *self.list(cursor)? {
                [a, b] => Node::Pair(a, b),
                _ => return Err(Damaged),
            },
            5 => Node::Set(self.list(cursor)?),
            6 => Node::Range(
                i64::from_le_bytes(cursor.array()?),
                i64::from_le_bytes(cursor.array()?),
            ),
            7 => {
                let (left, right) = (self.list(cursor)?, self.list(cursor)?);
                if left.len() != right.len() || left.is_empty() {
                    return Err(Damaged);
                }
                Node::Rel(left, right)
            }
            8 => Node::Rec(self.list(cursor)?),
            9 => {
                let (ty, constructor) = (cursor.word()?, cursor.word()?);
                Node::Free(ty, constructor, self.list(cursor)?.first().copied())
            }
            10 => Node::Sym(cursor.word()?, self.list(cursor)?),
            _ => return Err(Damaged),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_mean_the_same_in_another_store() {
        let (store, other) = (Store::new(), Store::new());
        // The other store has other numbers.
        for i in 0..100 {
            other.pair(store.int(i), store.int(7));
        }
        let big = store.big_int(BigInt::from(1) << 90);
        let text = store.string("café");
        let pair = store.pair(big, text);
        let relation = store.set(vec![pair, store.pair(store.int(1), store.int(2))]);
        let record = store.record(vec![relation, Val::TRUE, store.real(1.5)]);
        let tree = store.free(3, 1, Some(record));
        let symbolic = store.symbolic(77, vec![tree, Val::EMPTY]);
        let values = [store.int(-5), Val::EMPTY, symbolic, tree, relation, symbolic];
        let (mut out, mut bytes) = (Outgoing::default(), Vec::new());
        let words: Vec<u32> = values.iter().map(|v| out.word(&store, *v, &mut bytes)).collect();
        assert_eq!(words[2], words[5]);
        let mut incoming = Incoming::default();
        // In two parts, as two checkpoints would have it.
        incoming.read(&other, &bytes).unwrap();
        for (value, word) in values.iter().zip(&words) {
            let there = incoming.value(*word).unwrap();
            assert_eq!(store.hash(*value), other.hash(there));
        }
        let mut more = Vec::new();
        let again = incoming.outgoing().word(&other, incoming.value(words[3]).unwrap(), &mut more);
        assert_eq!((again, more.len()), (words[3], 0));
    }

    #[test]
    fn damage_is_noticed() {
        let store = Store::new();
        let (mut out, mut bytes) = (Outgoing::default(), Vec::new());
        let value = store.pair(store.string("a"), store.string("b"));
        out.word(&store, value, &mut bytes);
        for end in 1..bytes.len() {
            let mut incoming = Incoming::default();
            let read = incoming.read(&store, &bytes[..end]);
            // A stream may end after a whole value; then the last one is missing.
            assert!(read.is_err() || incoming.values.len() < 3);
        }
        assert_eq!(Incoming::default().read(&store, &[99]), Err(Damaged));
        assert_eq!(Incoming::default().value(5), Err(Damaged));
    }
}
