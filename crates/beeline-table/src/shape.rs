//! Which words of a vector are folded together.
//!
//! Each inner part needs a pair for each of its values, so that words belong together which have few
//! values together. At first nothing is known, and a vector is cut into halves. A sample of states
//! tells more: of a short vector all ways to cut it in two are tried (`cut`); below that, and for
//! long ones, the two parts with the fewest values in common are joined, again and again, until two
//! are left.

use crate::cut::Cuts;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How a vector is taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The two parts of each inner part, smaller parts first; numbers below the width are words.
    pub parts: Vec<(u32, u32)>,
    /// The two parts of the whole.
    pub top: (usize, usize),
}

/// Up to so many words all ways to cut a vector in two are tried.
const SHORT: usize = 8;
/// Vectors that are looked at to join words.
const SOME: usize = 1 << 12;
/// With more words than this only neighbours are tried.
const MANY: usize = 32;
/// How far apart they may be.
const NEAR: usize = 4;

impl Shape {
    /// Halves of halves.
    pub fn halves(width: usize) -> Shape {
        let mut parts = Vec::new();
        let mut top = (0, width.saturating_sub(1));
        if width > 2 {
            let middle = width.div_ceil(2);
            top = (half(0..middle, width, &mut parts), half(middle..width, width, &mut parts));
        }
        Shape { parts, top }
    }

    /// A shape that takes notably less memory than this one, as far as some vectors tell.
    pub fn better(&self, width: usize, sample: &[Vec<u32>]) -> Option<Shape> {
        if !(3..=SHORT).contains(&width) {
            let some = thinned(sample);
            let (shape, columns) = (Shape::of(width, &some), columns(width, &some));
            // All keys are made anew for another shape: it must be notably better, not just better.
            let less = shape.pairs(&columns) < self.pairs(&columns) / 4 * 3;
            return (width > 2 && less).then_some(shape);
        }
        let cuts = Cuts::new(width, sample);
        let (cost, side) = cuts.best()?;
        let less = cost < cuts.cost(self.words_of(self.top.0, width)) / 10 * 9;
        less.then(|| Shape::along(side, cuts.numbered(side), width, &thinned(sample)))
    }

    /// What keeps the number of pairs small in a sample.
    fn of(width: usize, sample: &[Vec<u32>]) -> Shape {
        let mut parts = Vec::with_capacity(width);
        let both = joined(columns(width, sample), 2, width, &mut parts);
        match &both[..] {
            [first, second] => Shape { parts, top: (first.place, second.place) },
            _ => Shape::halves(width),
        }
    }

    /// The words of a set on one side, the others on the other. A side that is one word and is to
    /// have numbers becomes a part.
    fn along(side: usize, numbered: [bool; 2], width: usize, sample: &[Vec<u32>]) -> Shape {
        let mut parts = Vec::with_capacity(width);
        let (first, second): (Vec<Column>, Vec<Column>) =
            columns(width, sample).into_iter().partition(|c| side >> c.place & 1 == 1);
        let mut top = [0; 2];
        for ((place, side), numbered) in top.iter_mut().zip([first, second]).zip(numbered) {
            *place = joined(side, 1, width, &mut parts).pop().map_or(0, |c| c.place);
            if *place < width && numbered {
                parts.push((*place as u32, *place as u32));
                *place = width + parts.len() - 1;
            }
        }
        Shape { parts, top: (top[0], top[1]) }
    }

    /// The words of a part, a bit each.
    fn words_of(&self, part: usize, width: usize) -> usize {
        match part.checked_sub(width).and_then(|inner| self.parts.get(inner)) {
            // Smaller parts come first: this ends.
            Some((a, b)) => self.words_of(*a as usize, width) | self.words_of(*b as usize, width),
            None => 1 << part,
        }
    }

    /// How many pairs some vectors need.
    fn pairs(&self, words: &[Column]) -> usize {
        let mut columns: Vec<Column> = words.to_vec();
        let mut sum = 0;
        for (left, right) in &self.parts {
            let (values, count) = columns[*left as usize].with(&columns[*right as usize]);
            sum += count;
            columns.push(Column { place: columns.len(), values });
        }
        sum
    }
}

/// Some of many vectors.
fn thinned(sample: &[Vec<u32>]) -> Vec<Vec<u32>> {
    sample.iter().step_by(sample.len().div_ceil(SOME).max(1)).cloned().collect()
}

/// A part of all vectors of a sample.
#[derive(Clone)]
struct Column {
    place: usize,
    /// Equal where the part is equal.
    values: Vec<u32>,
}

impl Column {
    /// Both together, and how many values they have.
    fn with(&self, other: &Column) -> (Vec<u32>, usize) {
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let both = self.values.iter().zip(&other.values).map(|(a, b)| {
            let next = known.len() as u32;
            *known.entry((*a, *b)).or_insert(next)
        });
        let values = both.collect();
        (values, known.len())
    }
}

fn columns(width: usize, sample: &[Vec<u32>]) -> Vec<Column> {
    let values = |word: usize| sample.iter().map(|vector| vector[word]).collect();
    (0..width).map(|place| Column { place, values: values(place) }).collect()
}

/// Joins columns until so many are left; all that are joined become parts.
fn joined(
    mut columns: Vec<Column>,
    left: usize,
    width: usize,
    parts: &mut Vec<(u32, u32)>,
) -> Vec<Column> {
    let mut costs: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    while columns.len() > left {
        let near = if columns.len() > MANY { NEAR } else { columns.len() };
        let mut best: Option<(usize, usize, usize)> = None;
        for i in 0..columns.len() {
            for j in i + 1..columns.len().min(i + 1 + near) {
                let (a, b) = (&columns[i], &columns[j]);
                // What is joined gets a place of its own, so that what was counted before stays
                // right.
                let cost = *costs.entry((a.place, b.place)).or_insert_with(|| a.with(b).1);
                // The first of equals: a shape depends on the sample and nothing else.
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else { break };
        let second = columns.remove(j);
        let first = &mut columns[i];
        let values = first.with(&second).0;
        parts.push((first.place as u32, second.place as u32));
        *first = Column { place: width + parts.len() - 1, values };
    }
    columns
}

/// The place of the part of these words; its own parts are added before it.
fn half(words: Range<usize>, width: usize, parts: &mut Vec<(u32, u32)>) -> usize {
    if words.len() == 1 {
        return words.start;
    }
    let middle = words.start + words.len().div_ceil(2);
    // As deep as the logarithm of the width.
    let left = half(words.start..middle, width, parts);
    let right = half(middle..words.end, width, parts);
    parts.push((left as u32, right as u32));
    width + parts.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_vary_together_are_folded_together() {
        // Three depend on one number, the second on another.
        let state = |i: u32| vec![i / 100, i % 100, 7 * (i / 100), i / 600];
        let sample: Vec<Vec<u32>> = (0..10_000).map(state).collect();
        let shape = Shape::halves(4).better(4, &sample).unwrap();
        let words = columns(4, &sample);
        // The fourth may have numbers.
        assert!((200..=300).contains(&shape.pairs(&words)), "{shape:?}");
        assert!(Shape::halves(4).pairs(&words) > 9_000);
        assert_eq!(shape.better(4, &sample), None);
        // The same among many other words, which never change.
        let long = |i: u32| [state(i), vec![5; 16]].concat();
        let sample: Vec<Vec<u32>> = (0..10_000).map(long).collect();
        let shape = Shape::of(20, &sample);
        assert!(shape.pairs(&columns(20, &sample)) < 500, "{shape:?}");
    }

    #[test]
    fn all_words_have_a_place() {
        for width in [0usize, 1, 2, 3, 7, 8, 33, 100] {
            let sample: Vec<Vec<u32>> =
                (0..200u32).map(|i| (0..width as u32).map(|w| i % (w + 1)).collect()).collect();
            let shapes = [Some(Shape::halves(width)), Shape::halves(width).better(width, &sample)];
            for shape in shapes.into_iter().flatten() {
                assert!(shape.parts.len() <= width && shape.parts.len() + 2 >= width);
                let mut used: Vec<usize> =
                    shape.parts.iter().flat_map(|p| [p.0 as usize, p.1 as usize]).collect();
                used.extend([shape.top.0, shape.top.1]);
                used.sort_unstable();
                used.dedup();
                let all = if width < 2 { 1 } else { width + shape.parts.len() };
                assert_eq!(used, (0..all).collect::<Vec<_>>());
            }
        }
    }
}
