//! The layout of a state: which bits of which word hold which variable.

use crate::domain::{Dom, Grid, bits_for, ones};
use beeline_compile::System;
use beeline_transition::{RowMut, RowRef};
use beeline_value::{Elems, Store, Val};

/// What a variable's values look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The word of the store.
    Word,
    /// An element of a domain: its index.
    Scalar(Dom),
    /// A set: a bit an element.
    Set(Dom),
    /// A function: a field an argument. Where it need not be total, 0 means that there is no
    /// value, and indices begin with 1.
    Fun { from: Dom, to: Dom, total: bool },
}

/// Functions have at most so many arguments.
const MAX_ARGUMENTS: u64 = 64;
/// A variable takes at most so many words.
const MAX_WORDS: usize = 8;

impl Shape {
    /// Bits of one field of a function.
    pub fn field_width(to: &Dom, total: bool) -> u32 {
        bits_for(to.size() + u64::from(!total))
    }

    /// How many fields of a function share a word.
    pub fn fields_per_word(to: &Dom, total: bool) -> u64 {
        64 / u64::from(Shape::field_width(to, total).max(1))
    }

    /// The widths of the parts it is stored in; nothing if it is too large.
    pub fn parts(&self) -> Option<Vec<u32>> {
        match self {
            Shape::Word => Some(vec![32]),
            Shape::Scalar(dom) => Some(vec![bits_for(dom.size())]),
            Shape::Set(dom) => {
                let grid = dom.grid()?;
                Some((0..grid.words).map(|w| 64 - grid.mask(w).leading_zeros()).collect())
            }
            Shape::Fun { from, to, total } => {
                // Fields never straddle two words: code gets each with one shift and one mask.
                let width = Shape::field_width(to, *total);
                let per = Shape::fields_per_word(to, *total);
                let chunks = from.size().div_ceil(per);
                // Beyond that a row would be longer than the number of a value in the store is
                // worth.
                if from.size() > MAX_ARGUMENTS || chunks > MAX_WORDS as u64 {
                    return None;
                }
                let fields = |chunk: u64| (from.size() - chunk * per).min(per) as u32;
                Some((0..chunks).map(|c| fields(c) * width).collect())
            }
        }
    }
}

/// Some bits of one word of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The word.
    pub word: usize,
    /// Where the lowest bit is.
    pub shift: u32,
    /// How many bits there are.
    pub width: u32,
}

impl Field {
    /// The bits, out of the words of a row.
    #[inline]
    pub fn get(&self, row: &[u64]) -> u64 {
        row[self.word] >> self.shift & ones(u64::from(self.width))
    }

    /// Puts bits into the words of a row.
    pub fn set(&self, row: &mut [u64], value: u64) {
        let mask = ones(u64::from(self.width));
        row[self.word] = row[self.word] & !(mask << self.shift) | (value & mask) << self.shift;
    }
}

/// A field of 32 bits in a row of halves, wherever it begins.
impl Field {
    pub(crate) fn get_half(&self, RowRef(row): RowRef<'_>) -> Option<u32> {
        let (half, shift) = self.half();
        let high = row.get(half + 1).map_or(0, |h| u64::from(*h) << 32);
        Some(((u64::from(*row.get(half)?) | high) >> shift) as u32)
    }

    pub(crate) fn set_half(&self, RowMut(row): RowMut<'_>, value: u32) {
        let (half, shift) = self.half();
        let (value, mask) = (u64::from(value) << shift, u64::from(u32::MAX) << shift);
        let parts = [(value as u32, mask as u32), ((value >> 32) as u32, (mask >> 32) as u32)];
        for (part, (value, mask)) in row.iter_mut().skip(half).zip(parts) {
            *part = *part & !mask | value;
        }
    }

    /// The half in which it begins, and the bit there.
    fn half(&self) -> (usize, u32) {
        (2 * self.word + self.shift as usize / 32, self.shift % 32)
    }
}

/// One variable in the layout.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub shape: Shape,
    pub fields: Vec<Field>,
}

/// Where every variable is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub places: Vec<Place>,
    pub words: usize,
    /// Halves of a row: the last word may need one only.
    pub halves: usize,
}

impl Layout {
    /// Lays out shapes, in the order of the variables; what is too large becomes a word.
    pub fn new(shapes: Vec<Shape>) -> Layout {
        let mut parts: Vec<(u32, usize, usize)> = Vec::new();
        let mut places: Vec<Place> = Vec::with_capacity(shapes.len());
        for (v, shape) in shapes.into_iter().enumerate() {
            let (shape, widths) = match shape.parts() {
                Some(widths) => (shape, widths),
                None => (Shape::Word, vec![32]),
            };
            let fields = vec![Field { word: 0, shift: 0, width: 0 }; widths.len()];
            parts.extend(widths.iter().enumerate().map(|(p, w)| (*w, v, p)));
            places.push(Place { shape, fields });
        }
        // Wide parts first, each into the first word that has room.
        parts.sort_by_key(|(width, v, p)| (std::cmp::Reverse(*width), *v, *p));
        let mut used: Vec<u32> = Vec::new();
        for (width, v, p) in parts {
            let word = match used.iter().position(|u| u + width <= 64) {
                Some(word) => word,
                None => {
                    used.push(0);
                    used.len() - 1
                }
            };
            // A part of no bits at the end of a full word would be shifted out of it.
            let shift = if width == 0 { 0 } else { used[word] };
            places[v].fields[p] = Field { word, shift, width };
            used[word] += width;
        }
        // Code tells its records apart by their length: a row is never empty.
        if used.is_empty() {
            used.push(0);
        }
        let words = used.len();
        // The fullest words come first where that saves a half.
        let last = used.iter().rposition(|u| *u <= 32);
        if let Some(last) = last {
            for field in places.iter_mut().flat_map(|p| &mut p.fields) {
                if field.word == last {
                    field.word = words - 1;
                } else if field.word == words - 1 {
                    field.word = last;
                }
            }
        }
        let halves = 2 * words - usize::from(last.is_some());
        Layout { places, words, halves }
    }

    /// The layout that packs nothing: the row is the state as the system has it.
    pub fn plain(system: &System) -> Layout {
        let places = (0..system.variables().len())
            .map(|v| Place {
                shape: Shape::Word,
                fields: vec![Field { word: v / 2, shift: 32 * (v as u32 % 2), width: 32 }],
            })
            .collect();
        let halves = system.variables().len();
        Layout { places, words: halves.div_ceil(2), halves }
    }

    /// Which bits of which halves hold these variables.
    pub fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        let mut words = vec![0u64; self.words];
        for field in variables.iter().flat_map(|v| &self.places[*v].fields) {
            words[field.word] |= ones(u64::from(field.width)) << field.shift;
        }
        let halves = words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]);
        halves.enumerate().filter(|(_, mask)| *mask != 0).collect()
    }
}

impl Place {
    /// Where the number of a value in the store is, if that is what it holds.
    pub fn stored(&self) -> Option<&Field> {
        self.fields.first().filter(|_| self.shape == Shape::Word)
    }

    /// Puts a value into a row; `false` if it does not fit.
    pub fn encode(&self, store: &Store, value: Val, row: &mut [u64]) -> bool {
        match &self.shape {
            Shape::Word => self.fields[0].set(row, u64::from(value.raw())),
            Shape::Scalar(dom) => match dom.index(store, value) {
                Some(index) => self.fields[0].set(row, index),
                None => return false,
            },
            Shape::Set(dom) => return self.encode_set(store, dom, value, row).is_some(),
            Shape::Fun { from, to, total } => {
                return self.encode_fun(store, (from, to, *total), value, row).is_some();
            }
        }
        true
    }

    fn encode_set(&self, store: &Store, dom: &Dom, value: Val, row: &mut [u64]) -> Option<()> {
        let (grid, elems) = (dom.grid()?, store.elems(value)?);
        let mut words = vec![0u64; grid.words];
        let mut add = |index: u64| {
            let (word, bit) = grid.place(index);
            words[word] |= 1 << bit;
        };
        match (elems, dom) {
            (Elems::Rel(l, r), Dom::Pair(a, b)) => {
                for (x, y) in l.iter().zip(r) {
                    add(a.index(store, *x)? * b.size() + b.index(store, *y)?);
                }
            }
            (Elems::Slice(s), _) => {
                for x in s {
                    add(dom.index(store, *x)?);
                }
            }
            (Elems::Range(lo, hi), Dom::Range(first, last)) if *first <= lo && hi <= *last => {
                (lo..=hi).for_each(|i| add((i - first) as u64));
            }
            // Not listed, or of another form: it does not fit, and the search begins again with a
            // wider shape.
            _ => return None,
        }
        self.fields.iter().zip(&words).for_each(|(f, w)| f.set(row, *w));
        Some(())
    }

    fn encode_fun(
        &self,
        store: &Store,
        (from, to, total): (&Dom, &Dom, bool),
        value: Val,
        row: &mut [u64],
    ) -> Option<()> {
        let pairs: (&[Val], &[Val]) = match store.elems(value)? {
            Elems::Rel(l, r) => (l, r),
            Elems::Slice([]) => (&[], &[]),
            _ => return None,
        };
        // An invariant claimed that it is total; there is no code for an argument without a value.
        if total && pairs.0.len() as u64 != from.size() {
            return None;
        }
        // Arguments without a value must have the code 0, whatever was in the row before: equal
        // states have equal rows.
        self.fields.iter().for_each(|f| f.set(row, 0));
        let mut last = None;
        for (x, y) in pairs.0.iter().zip(pairs.1) {
            // Pairs are sorted: a second value of an argument follows the first. It is no function
            // then.
            if last == Some(*x) {
                return None;
            }
            last = Some(*x);
            let code = to.index(store, *y)? + u64::from(!total);
            self.entry(from.index(store, *x)?, to, total).set(row, code);
        }
        Some(())
    }

    /// The field of one argument of a function.
    fn entry(&self, index: u64, to: &Dom, total: bool) -> Field {
        let per = Shape::fields_per_word(to, total);
        let width = Shape::field_width(to, total);
        // Arguments lie in the order of their domain, as many in a word as fit.
        let chunk = self.fields[(index / per) as usize];
        Field { word: chunk.word, shift: chunk.shift + (index % per) as u32 * width, width }
    }

    /// The value in a row.
    pub fn decode(&self, store: &Store, row: &[u64]) -> Val {
        match &self.shape {
            Shape::Word => Val::from_raw(self.fields[0].get(row) as u32),
            Shape::Scalar(dom) => dom.value(store, self.fields[0].get(row)),
            Shape::Set(dom) => {
                let Some(grid) = dom.grid() else { return Val::UNSET };
                self.decode_set(store, dom, grid, row)
            }
            Shape::Fun { from, to, total } => {
                let mut pairs = Vec::new();
                for i in 0..from.size() {
                    let code = self.entry(i, to, *total).get(row);
                    if let Some(j) = code.checked_sub(u64::from(!*total)) {
                        pairs.push((from.value(store, i), to.value(store, j)));
                    }
                }
                store.relation(pairs)
            }
        }
    }

    fn decode_set(&self, store: &Store, dom: &Dom, grid: Grid, row: &[u64]) -> Val {
        let words: Vec<u64> = self.fields.iter().map(|f| f.get(row)).collect();
        let there = |i: &u64| {
            let (word, bit) = grid.place(*i);
            words[word] >> bit & 1 == 1
        };
        let indices = (0..dom.size()).filter(there);
        match dom {
            Dom::Pair(a, b) => {
                let pair = |i| (a.value(store, i / b.size()), b.value(store, i % b.size()));
                store.relation(indices.map(pair).collect())
            }
            // Domains list their elements in the order of the store: no sorting is needed.
            _ => store.set_sorted(indices.map(|i| dom.value(store, i)).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read_and_written_wherever_they_begin() {
        for shift in 0..=32 {
            let field = Field { word: 1, shift, width: 32 };
            let (mut row, mut words) = (vec![u32::MAX; 4], vec![u64::MAX; 2]);
            field.set_half(RowMut(&mut row), 0x1234_5678);
            field.set(&mut words, 0x1234_5678);
            let halves: Vec<u32> =
                words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
            assert_eq!(row, halves);
            assert_eq!(field.get_half(RowRef(&row)), Some(0x1234_5678));
        }
        // The last half of a row may be the last that there is.
        let field = Field { word: 0, shift: 0, width: 32 };
        let mut row = vec![7];
        field.set_half(RowMut(&mut row), 9);
        assert_eq!((field.get_half(RowRef(&row)), row), (Some(9), vec![9]));
        assert_eq!(Field { word: 3, shift: 0, width: 32 }.get_half(RowRef(&[1])), None);
    }
}
