//! Random shapes of values: what a variable is said to be, and values that are so.

use beeline_value::{Store, Val};

/// A small generator of random numbers.
pub struct Dice(u64);

impl Dice {
    /// Another seed is another run.
    pub fn new(seed: u64) -> Dice {
        // Mixed, and never zero.
        Dice(seed.wrapping_add(0x0A11_CE55).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }
}

/// The sets of the machine, in its order: `D` and `E` have no names, `N` has.
const SETS: [&str; 3] = ["D", "E", "N"];

/// Integers of which two have one hash of 64 bits.
const LARGE: [&str; 3] = [
    "1512366075204170935818410520166303587",
    "1512366075204170937453709203589281548",
    "99999999999999999999",
];

/// What values look like.
#[derive(Clone, Debug)]
pub enum Shape {
    Given(usize),
    Bool,
    Range(i64, i64),
    Integer,
    Text,
    Pair(Box<Shape>, Box<Shape>),
    Record(Box<Shape>, Box<Shape>),
    Set(Box<Shape>),
    Relation(Box<Shape>, Box<Shape>),
    Partial(Box<Shape>, Box<Shape>),
    Total(Box<Shape>, Box<Shape>),
    Sequence(Box<Shape>),
}

type Size<'s> = dyn Fn(usize) -> u32 + 's;

impl Shape {
    /// Something that elements without names occur in, mostly.
    pub fn random(dice: &mut Dice) -> Shape {
        let two = |dice: &mut Dice| {
            // An element without a name on one side, or on both.
            let (one, other) =
                (Box::new(Shape::scalar(dice)), Box::new(Shape::Given(dice.below(2))));
            if dice.below(2) == 0 { (one, other) } else { (other, one) }
        };
        match dice.below(14) {
            0 => Shape::scalar(dice),
            1 => Shape::Set(Box::new(Shape::Given(dice.below(2)))),
            2 | 3 => {
                let (a, b) = two(dice);
                Shape::Pair(a, b)
            }
            4 => {
                let (a, b) = two(dice);
                Shape::Record(a, b)
            }
            5 | 6 => {
                let (a, b) = two(dice);
                Shape::Relation(a, b)
            }
            7..=9 => {
                let (a, b) = two(dice);
                Shape::Partial(a, b)
            }
            10 | 11 => {
                let (a, b) = two(dice);
                if a.all(&|_| 1).is_some() { Shape::Total(a, b) } else { Shape::Partial(a, b) }
            }
            12 => Shape::Sequence(Box::new(Shape::Given(dice.below(3)))),
            _ => {
                let inner = Shape::random(dice);
                match inner.depth() < 3 {
                    true => Shape::Set(Box::new(inner)),
                    false => inner,
                }
            }
        }
    }

    fn scalar(dice: &mut Dice) -> Shape {
        match dice.below(9) {
            0 | 1 => Shape::Given(dice.below(2)),
            2 | 3 => Shape::Given(2),
            4 => Shape::Bool,
            5 => Shape::Range(0, 1 + dice.below(6) as i64),
            6 => Shape::Integer,
            7 => Shape::Text,
            _ => Shape::Pair(Box::new(Shape::Given(dice.below(3))), Box::new(Shape::Bool)),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Shape::Given(_) | Shape::Bool | Shape::Range(..) | Shape::Integer | Shape::Text => 0,
            Shape::Set(a) | Shape::Sequence(a) => 1 + a.depth(),
            Shape::Pair(a, b) | Shape::Record(a, b) => a.depth().max(b.depth()),
            Shape::Relation(a, b) | Shape::Partial(a, b) | Shape::Total(a, b) => {
                1 + a.depth().max(b.depth())
            }
        }
    }

    pub fn text(&self) -> String {
        match self {
            Shape::Given(set) => SETS[*set].to_owned(),
            Shape::Bool => "BOOL".to_owned(),
            Shape::Range(low, high) => format!("({low}..{high})"),
            Shape::Integer => "INTEGER".to_owned(),
            Shape::Text => "STRING".to_owned(),
            Shape::Pair(a, b) => format!("({} * {})", a.text(), b.text()),
            Shape::Record(a, b) => format!("struct(x : {}, y : {})", a.text(), b.text()),
            Shape::Set(a) => format!("POW({})", a.text()),
            Shape::Relation(a, b) => format!("({} <-> {})", a.text(), b.text()),
            Shape::Partial(a, b) => format!("({} +-> {})", a.text(), b.text()),
            Shape::Total(a, b) => format!("({} --> {})", a.text(), b.text()),
            Shape::Sequence(a) => format!("seq({})", a.text()),
        }
    }

    /// All values, where they are few.
    fn all(&self, size: &Size<'_>) -> Option<Vec<Key>> {
        match self {
            Shape::Given(set) => Some((0..size(*set)).map(|i| Key::Atom(*set as u32, i)).collect()),
            Shape::Bool => Some(vec![Key::Bool(false), Key::Bool(true)]),
            Shape::Range(low, high) => Some((*low..=*high).map(Key::Int).collect()),
            Shape::Pair(a, b) => {
                let (left, right) = (a.all(size)?, b.all(size)?);
                let pair = |a: &Key, b: &Key| Key::Pair(Box::new(a.clone()), Box::new(b.clone()));
                let pairs = left.iter().flat_map(|a| right.iter().map(move |b| pair(a, b)));
                Some(pairs.collect())
            }
            _ => None,
        }
    }

    pub fn value(&self, store: &Store, size: &Size<'_>, dice: &mut Dice) -> Val {
        let pairs = |a: &Shape, b: &Shape, dice: &mut Dice| -> Vec<(Val, Val)> {
            let count = dice.below(5);
            let pair = |dice: &mut Dice| (a.value(store, size, dice), b.value(store, size, dice));
            (0..count).map(|_| pair(dice)).collect()
        };
        match self {
            Shape::Given(set) => Val::atom(*set as u32, dice.below(size(*set) as usize) as u32),
            Shape::Bool => Val::bool(dice.below(2) == 0),
            Shape::Range(low, high) => {
                store.int(low + dice.below((high - low + 1) as usize) as i64)
            }
            Shape::Integer => match dice.below(5) {
                large @ 0..=2 => store.big_int(LARGE[large].parse().unwrap_or_default()),
                small => store.int(small as i64),
            },
            Shape::Text => store.string(["", "a", "D1"][dice.below(3)]),
            Shape::Pair(a, b) => {
                let (a, b) = (a.value(store, size, dice), b.value(store, size, dice));
                store.pair(a, b)
            }
            Shape::Record(a, b) => {
                let fields = vec![a.value(store, size, dice), b.value(store, size, dice)];
                store.record(fields)
            }
            // Some sets are kept as what they are.
            Shape::Set(a) if dice.below(8) == 0 => {
                let parts = (0..dice.below(3)).map(|_| a.value(store, size, dice)).collect();
                store.symbolic(dice.below(2) as u32, parts)
            }
            Shape::Set(a) => {
                let count = dice.below(4);
                store.set((0..count).map(|_| a.value(store, size, dice)).collect())
            }
            Shape::Relation(a, b) => store.relation(pairs(a, b, dice)),
            Shape::Partial(a, b) => {
                let mut pairs = pairs(a, b, dice);
                pairs.sort_by_key(|p| p.0.raw());
                pairs.dedup_by_key(|p| p.0);
                store.relation(pairs)
            }
            Shape::Total(a, b) => {
                let keys = a.all(size).unwrap_or_default();
                let pairs = keys.iter().map(|k| (k.value(store), b.value(store, size, dice)));
                store.relation(pairs.collect())
            }
            Shape::Sequence(a) => {
                let length = dice.below(4) as i64;
                let pairs = (1..=length).map(|i| (store.int(i), a.value(store, size, dice)));
                store.relation(pairs.collect())
            }
        }
    }
}

/// A value of a small set.
#[derive(Clone, Debug)]
enum Key {
    Atom(u32, u32),
    Bool(bool),
    Int(i64),
    Pair(Box<Key>, Box<Key>),
}

impl Key {
    fn value(&self, store: &Store) -> Val {
        match self {
            Key::Atom(set, index) => Val::atom(*set, *index),
            Key::Bool(value) => Val::bool(*value),
            Key::Int(value) => store.int(*value),
            Key::Pair(a, b) => store.pair(a.value(store), b.value(store)),
        }
    }
}
