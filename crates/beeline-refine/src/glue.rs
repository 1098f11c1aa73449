//! The gluing invariant between one state of the refinement and candidates of the abstraction.
//!
//! It does not know how one came to them.

use crate::both::Both;
use beeline_compile::{Answer, ConstantsRef, PredId, Scratch, StateRef, Truth};
use beeline_value::Val;

/// The gluing invariant between one state of the refinement and many of the abstraction.
pub(crate) struct Glued<'g> {
    pub both: &'g Both<'g>,
    pub constants: ConstantsRef<'g>,
    /// A pair that fits: what reads nothing but words that are the same need not be evaluated again.
    pub before: Option<&'g [u32]>,
    pub pair: &'g mut Vec<u32>,
    pub preds: &'g mut Vec<PredId>,
    pub aside: &'g mut Scratch,
}

impl Glued<'_> {
    /// The candidates that fit. One of which that is not known stays, and a cut says so.
    pub fn fitting(&mut self, concrete: &[u32], candidates: &[Val], told: &mut Answer) -> Vec<Val> {
        if !self.both.simulates() {
            return candidates.to_vec();
        }
        candidates.iter().copied().filter(|c| self.fits(concrete, *c, told)).collect()
    }

    fn fits(&mut self, concrete: &[u32], candidate: Val, told: &mut Answer) -> bool {
        let both = self.both;
        self.pair.clear();
        self.pair.extend_from_slice(concrete);
        both.fields(candidate, self.pair);
        // Variables that both have: their conjuncts stand first.
        let mut equal = true;
        for (number, place) in both.kept.iter().enumerate() {
            let Some(place) = place else { continue };
            let (a, c) = (self.pair[both.concrete + number], concrete[*place]);
            let listed = !Val::from_raw(a).is_opaque() && !Val::from_raw(c).is_opaque();
            if a != c && listed {
                return false;
            }
            equal &= a == c;
        }
        self.pair.push(Val::EMPTY.raw());
        let skipped = if equal { both.kept.iter().flatten().count() } else { 0 };
        let (before, pair) = (self.before, &*self.pair);
        let changed =
            |reads: &[usize]| before.is_none_or(|b| reads.iter().any(|r| b[*r] != pair[*r]));
        self.preds.clear();
        let glue = both.glue.iter().skip(skipped);
        self.preds.extend(glue.filter(|(_, reads)| changed(reads)).map(|(pred, _)| *pred));
        if self.preds.is_empty() {
            return true;
        }
        let mut fits = true;
        let state = StateRef(self.pair);
        both.system.holds_each(self.preds, self.constants, state, self.aside, &mut |_, truth| {
            match truth {
                Truth::True => {}
                Truth::False | Truth::Undefined(_) => fits = false,
                Truth::Unknown(cut) => told.cut(*cut),
            }
        });
        fits
    }
}
