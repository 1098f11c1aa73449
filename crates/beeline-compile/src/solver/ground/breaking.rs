//! Constraints that leave one of the valuations that differ by a renaming.
//!
//! They say what [`crate::breaking`] says, so that the others are not even searched for. A rule
//! about a constant that is found elsewhere is left to the check at the end.

use super::*;
use crate::breaking::{Bijection, Injection, Parts};
use beeline_model::ConstantId;
use beeline_plan::Name;

impl Grounding {
    /// Adds the constraints for the constants among the unknowns.
    pub(super) fn break_symmetry(&mut self, f: &Frame<'_>, problem: &Problem) {
        let rules = &f.rt.breaking;
        for scalars in &rules.scalars {
            let terms: Option<Vec<Term>> =
                scalars.iter().map(|c| scalar(f, &self.constant(f, problem, *c)?)).collect();
            if let Some(terms) = terms {
                self.in_order(&terms);
            }
        }
        for parts in &rules.parts {
            self.sorted(f, problem, parts);
        }
        for bijection in &rules.bijections {
            self.identical(f, problem, bijection);
        }
        for injection in &rules.injections {
            self.ascending(f, problem, injection);
        }
    }

    /// What is known of a constant: its shape, or the value it has already.
    fn constant(&self, f: &Frame<'_>, problem: &Problem, constant: ConstantId) -> Option<V> {
        let mine = |u: &Unknown| u.name == Name::Constant(constant);
        if let Some(i) = problem.unknowns.iter().position(mine) {
            return self.names.get(i).cloned();
        }
        let word = f.slots[f.rt.first_constant + constant.index()];
        (word != Val::UNSET).then_some(V::Known(word))
    }

    /// Each is at most one more than the greatest before it.
    fn in_order(&mut self, terms: &[Term]) {
        for (j, term) in terms.iter().enumerate() {
            let mut ways = vec![Form::le(term.clone(), Term::Const(0))];
            for before in &terms[..j] {
                let next = Term::add(before.clone(), Term::Const(1));
                ways.push(Form::le(term.clone(), next));
            }
            self.space.post(Form::or(ways));
        }
    }

    /// No element is in an earlier part than the element before it.
    fn sorted(&mut self, f: &Frame<'_>, problem: &Problem, parts: &Parts) -> Option<()> {
        let mut flags: Vec<FxHashMap<Val, Form>> = Vec::new();
        for constant in &parts.constants {
            match self.constant(f, problem, *constant)? {
                V::Set(candidates) => flags.push(candidates.into_iter().collect()),
                _ => return None,
            }
        }
        let size = f.store.card(f.rt.sets[parts.set.index()])? as u32;
        let inside = |part: usize, i: u32| {
            flags[part].get(&Val::atom(parts.set.0, i)).cloned().unwrap_or(Form::Const(false))
        };
        let mut forms = Vec::new();
        for i in parts.from..size.saturating_sub(1) {
            for late in 1..flags.len() {
                for early in 0..late {
                    let wrong = Form::and(vec![inside(late, i), inside(early, i + 1)]);
                    forms.push(Form::not(wrong));
                }
            }
        }
        forms.into_iter().for_each(|form| self.space.post(form));
        Some(())
    }

    /// Each element is mapped to one of a higher number than the element before it.
    fn ascending(&mut self, f: &Frame<'_>, problem: &Problem, i: &Injection) -> Option<()> {
        let V::Function(rows) = self.constant(f, problem, i.constant)? else { return None };
        let mut numbered = Vec::new();
        for (key, _, result) in rows {
            numbered.push((key.as_atom()?.1, scalar(f, &result)?));
        }
        numbered.sort_by_key(|row| row.0);
        for pair in numbered.windows(2) {
            let next = Term::add(pair[0].1.clone(), Term::Const(1));
            self.space.post(Form::le(next, pair[1].1.clone()));
        }
        Some(())
    }

    /// Each element is mapped to the one of the same number.
    fn identical(&mut self, f: &Frame<'_>, problem: &Problem, b: &Bijection) -> Option<()> {
        let V::Function(rows) = self.constant(f, problem, b.constant)? else { return None };
        for (key, _, result) in rows {
            let (_, i) = key.as_atom()?;
            let same = Form::eq(scalar(f, &result)?, Term::Const(i64::from(i)));
            self.space.post(same);
        }
        Some(())
    }
}
