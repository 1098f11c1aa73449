//! The digits of a row: which bits hold one number, and how many values it can have.
//!
//! Sets of states as decision diagrams need to know which patterns of bits are states. It does not know what
//! the numbers mean.

use crate::layout::{Field, Place, Shape};
use beeline_transition::Digit;

impl Place {
    /// How the variable lies in the bits of a row.
    pub fn digits(&self) -> Vec<Digit> {
        let whole = |field: &Field, values| digit(field, 0, field.width, values);
        match &self.shape {
            Shape::Word => self.fields.iter().map(|f| whole(f, None)).collect(),
            Shape::Scalar(dom) => self.fields.iter().map(|f| whole(f, Some(dom.size()))).collect(),
            Shape::Set(_) => self
                .fields
                .iter()
                .flat_map(|f| (0..f.width).map(|at| digit(f, at, 1, Some(2))))
                .collect(),
            Shape::Fun { to, total, .. } => {
                let width = Shape::field_width(to, *total);
                let codes = to.size() + u64::from(!total);
                // Entries lie side by side, and the last part has as many as are left.
                let entries = |f: &Field| f.width.checked_div(width).unwrap_or(0);
                self.fields
                    .iter()
                    .flat_map(|f| {
                        (0..entries(f)).map(move |at| digit(f, at * width, width, Some(codes)))
                    })
                    .collect()
            }
        }
    }
}

fn digit(field: &Field, at: u32, width: u32, values: Option<u64>) -> Digit {
    Digit { bit: 64 * field.word + (field.shift + at) as usize, width, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Dom;
    use crate::layout::Layout;

    #[test]
    fn every_bit_of_a_row_belongs_to_one_digit() {
        let shapes = vec![
            Shape::Scalar(Dom::Range(3, 7)),
            Shape::Set(Dom::Given(0, 70)),
            Shape::Fun { from: Dom::Given(0, 20), to: Dom::Range(0, 4), total: false },
            Shape::Word,
            Shape::Scalar(Dom::Range(5, 5)),
        ];
        let layout = Layout::new(shapes);
        let mut seen = vec![0; 64 * layout.words];
        for (variable, place) in layout.places.iter().enumerate() {
            let digits = place.digits();
            let mut mask = vec![0u32; 2 * layout.words];
            for digit in &digits {
                for bit in digit.bit..digit.bit + digit.width as usize {
                    seen[bit] += 1;
                    mask[bit / 32] |= 1 << (bit % 32);
                }
            }
            let bits: Vec<(usize, u32)> =
                mask.into_iter().enumerate().filter(|(_, bits)| *bits != 0).collect();
            assert_eq!(bits, layout.mask(&[variable]));
        }
        assert!(seen.iter().all(|times| *times <= 1));
        let values = |variable: usize| layout.places[variable].digits()[0].values;
        // A partial function has a code for having no value.
        assert_eq!([0, 1, 2, 3].map(values), [Some(5), Some(2), Some(6), None]);
    }
}
