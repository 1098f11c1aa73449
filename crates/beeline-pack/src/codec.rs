//! Rows without an engine: what the bits of a row say, for those who look at states one by one.
//!
//! A [`Codec`] is a copy of the layout with a memory of its own: values that were met are not taken
//! apart again. It does not know code, set-ups or successors.

use crate::domain::Dom;
use crate::layout::{Field, Layout, Shape};
use crate::system::PackedSystem;
use beeline_transition::{Row, RowRef, State, StateRef, TransitionSystem};
use beeline_value::{Store, Val};
use rustc_hash::FxHashMap;

/// Values of one variable that are remembered.
const REMEMBERED: usize = 1 << 15;
/// Values of so few bits are remembered in a list.
const LISTED: u32 = 12;

/// Turns rows into states and states into rows.
#[derive(Clone)]
pub struct Codec {
    layout: Layout,
    plain: bool,
    known: Vec<Known>,
    state: State,
    row: Row,
    words: Vec<u64>,
    key: Vec<u64>,
}

/// Relations to more values have too many codes.
const MOST_VALUES: u64 = 6;

/// A function, or relation, from the elements of a given set: a code an element.
#[derive(Clone, Debug)]
pub struct FunctionBits {
    fields: Vec<Field>,
    /// The given set whose elements are the arguments.
    pub set: u32,
    /// How many elements there are.
    pub count: usize,
    width: u32,
    per_field: usize,
    /// How many codes there are. The first one means that there is no value, unless it is total.
    pub codes: u64,
    /// Has every element a value?
    pub total: bool,
}

impl FunctionBits {
    /// Calls back with the codes of all elements, in order.
    #[inline]
    pub fn each(&self, words: &[u64], mut found: impl FnMut(usize, u64)) {
        let mask = (1u64 << self.width) - 1;
        let mut element = 0;
        for field in &self.fields {
            let mut bits = field.get(words);
            for _ in 0..self.per_field.min(self.count - element) {
                found(element, bits & mask);
                bits >>= self.width;
                element += 1;
            }
        }
    }

    /// Puts codes, one an element, into the words of a row.
    pub fn put(&self, codes: &[u64], words: &mut [u64]) {
        for (field, codes) in self.fields.iter().zip(codes.chunks(self.per_field)) {
            let bits = codes.iter().rev().fold(0, |bits, code| bits << self.width | code);
            field.set(words, bits);
        }
    }
}

/// What is remembered of one variable.
#[derive(Clone, Default)]
struct Known {
    /// Values by their bits, where these are few.
    listed: Vec<Val>,
    decoded: FxHashMap<Box<[u64]>, Val>,
    encoded: FxHashMap<u32, Box<[u64]>>,
}

/// A system whose rows can be read without it.
pub trait Coded: TransitionSystem {
    /// A codec for its rows, as they are in the search at hand.
    fn codec(&self) -> Codec;
}

impl Coded for PackedSystem<'_> {
    fn codec(&self) -> Codec {
        Codec::new(self.layout().clone(), self.is_plain())
    }
}

/// The words of a row.
pub fn words_of(row: RowRef<'_>, words: &mut Vec<u64>) {
    words.clear();
    let mut halves = row.words().chunks_exact(2);
    words.extend(halves.by_ref().map(|h| u64::from(h[0]) | u64::from(h[1]) << 32));
    words.extend(halves.remainder().iter().map(|h| u64::from(*h)));
}

/// The row of some words.
fn row_of(words: &[u64], halves: usize, Row(row): &mut Row) {
    row.clear();
    row.extend(words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]));
    // The last word may need one half only.
    row.truncate(halves);
}

impl Codec {
    fn new(layout: Layout, plain: bool) -> Codec {
        let known = vec![Known::default(); layout.places.len()];
        let (state, row, words, key) = Default::default();
        Codec { layout, plain, known, state, row, words, key }
    }

    /// Rows that are states as the system has them.
    pub fn plain(system: &beeline_compile::System) -> Codec {
        Codec::new(Layout::plain(system), true)
    }

    /// Halves of a row.
    pub fn width(&self) -> usize {
        self.layout.halves
    }

    /// Where the bits of a variable are, in the words of a row.
    pub fn fields(&self, variable: usize) -> &[Field] {
        &self.layout.places[variable].fields
    }

    /// Is a variable kept as the word of its value in the store?
    pub fn is_word(&self, variable: usize) -> bool {
        self.layout.places[variable].shape == Shape::Word
    }

    /// The given set, if a variable is a set of its elements, with a bit for each, in order.
    pub fn members_of(&self, variable: usize) -> Option<u32> {
        match self.layout.places[variable].shape {
            Shape::Set(Dom::Given(set, _)) => Some(set),
            _ => None,
        }
    }

    /// How a variable is kept that gives each element of a given set a value, or a few.
    pub fn function(&self, variable: usize) -> Option<FunctionBits> {
        let place = &self.layout.places[variable];
        let fields = place.fields.clone();
        match &place.shape {
            Shape::Fun { from: Dom::Given(set, count), to, total } => Some(FunctionBits {
                fields,
                set: *set,
                count: *count as usize,
                width: Shape::field_width(to, *total),
                per_field: Shape::fields_per_word(to, *total) as usize,
                codes: to.size() + u64::from(!total),
                total: *total,
            }),
            Shape::Set(Dom::Pair(from, to)) => {
                let (Dom::Given(set, count), size) = (&**from, to.size()) else { return None };
                let grid = Dom::Pair(from.clone(), to.clone()).grid()?;
                (*count > 1 && (1..=MOST_VALUES).contains(&size)).then(|| FunctionBits {
                    fields,
                    set: *set,
                    count: *count as usize,
                    width: size as u32,
                    // A row of the grid is an element with all its values: it is never cut by the
                    // end of a word.
                    per_field: grid.per_word as usize,
                    codes: 1 << size,
                    total: false,
                })
            }
            _ => None,
        }
    }

    /// What such a variable is if one element has this code, and the others have nothing.
    pub fn function_of_one(
        &self,
        store: &Store,
        variable: usize,
        (element, code): (Val, u64),
    ) -> Option<Val> {
        let values: Vec<Val> = match &self.layout.places[variable].shape {
            Shape::Fun { to, total, .. } => {
                let index = code.checked_sub(u64::from(!total))?;
                vec![to.value(store, index)]
            }
            Shape::Set(Dom::Pair(_, to)) => {
                (0..to.size()).filter(|i| code >> i & 1 == 1).map(|i| to.value(store, i)).collect()
            }
            _ => return None,
        };
        Some(store.relation(values.into_iter().map(|value| (element, value)).collect()))
    }

    /// The value of one variable.
    pub fn value(&self, store: &Store, variable: usize, words: &[u64]) -> Val {
        self.layout.places[variable].decode(store, words)
    }

    /// Puts a value into the words of a row; `false` if it does not fit.
    pub fn put(&self, store: &Store, variable: usize, value: Val, words: &mut [u64]) -> bool {
        self.layout.places[variable].encode(store, value, words)
    }

    /// The state in a row.
    pub fn unpack(&mut self, store: &Store, row: RowRef<'_>) -> StateRef<'_> {
        self.state.0.clear();
        if self.plain {
            self.state.0.extend_from_slice(row.words());
            return self.state.view();
        }
        words_of(row, &mut self.words);
        for (place, known) in self.layout.places.iter().zip(&mut self.known) {
            let value = match (&place.shape, place.fields.as_slice()) {
                // Cheaper to take apart than to look up.
                (Shape::Word | Shape::Scalar(_), _) => place.decode(store, &self.words),
                (_, [field]) if field.width <= LISTED => {
                    known.listed.resize(1 << field.width, Val::UNSET);
                    let value = &mut known.listed[field.get(&self.words) as usize];
                    if *value == Val::UNSET {
                        *value = place.decode(store, &self.words);
                    }
                    *value
                }
                (_, fields) => {
                    bits(fields, &self.words, &mut self.key);
                    known.decoded(&self.key, || place.decode(store, &self.words))
                }
            };
            self.state.0.push(value.raw());
        }
        self.state.view()
    }

    /// The row of a state; nothing if it does not fit the layout.
    pub fn close(&mut self, store: &Store, state: StateRef<'_>) -> Option<RowRef<'_>> {
        self.row.0.clear();
        if self.plain {
            self.row.0.extend_from_slice(state.words());
            return Some(self.row.view());
        }
        self.words.clear();
        self.words.resize(self.layout.words, 0);
        for ((place, known), word) in
            self.layout.places.iter().zip(&mut self.known).zip(state.iter())
        {
            let value = Val::from_raw(word);
            if let Some(parts) = known.encoded.get(&word) {
                place.fields.iter().zip(parts).for_each(|(f, part)| f.set(&mut self.words, *part));
                continue;
            }
            if !place.encode(store, value, &mut self.words) {
                return None;
            }
            // What is in the word itself is encoded as fast as it is found.
            if !value.is_immediate() && place.shape != Shape::Word {
                bits(&place.fields, &self.words, &mut self.key);
                // As a whole: no age need be kept, and what is in use is back soon.
                if known.encoded.len() >= REMEMBERED {
                    known.encoded.clear();
                }
                known.encoded.insert(word, self.key.as_slice().into());
            }
        }
        row_of(&self.words, self.layout.halves, &mut self.row);
        Some(self.row.view())
    }
}

impl Known {
    fn decoded(&mut self, key: &[u64], decode: impl FnOnce() -> Val) -> Val {
        if let Some(value) = self.decoded.get(key) {
            return *value;
        }
        if self.decoded.len() >= REMEMBERED {
            self.decoded.clear();
        }
        let value = decode();
        self.decoded.insert(key.into(), value);
        value
    }
}

fn bits(fields: &[Field], words: &[u64], key: &mut Vec<u64>) {
    key.clear();
    key.extend(fields.iter().map(|f| f.get(words)));
}
