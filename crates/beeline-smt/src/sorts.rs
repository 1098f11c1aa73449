//! Types as sorts: integers, truth values, elements of given sets, pairs, and sets as arrays.

use beeline_model::{Model, SetId, Type, TypeId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Sorts that a script speaks of, and their declarations.
pub(crate) struct Sorts<'m> {
    model: &'m Model,
    given: BTreeMap<SetId, String>,
    pub declarations: String,
}

impl<'m> Sorts<'m> {
    pub fn new(model: &'m Model) -> Sorts<'m> {
        let pair = "(declare-datatypes ((Two 2)) ((par (A B) ((two (left A) (right B))))))\n";
        Sorts { model, given: BTreeMap::new(), declarations: pair.to_owned() }
    }

    /// The sort of a type, if there is one for it.
    pub fn sort(&mut self, ty: TypeId) -> Option<String> {
        let model = self.model;
        Some(match model.types.get(ty) {
            Type::Integer => "Int".to_owned(),
            Type::Bool => "Bool".to_owned(),
            Type::Given(set) => self.given(*set),
            Type::Pair(a, b) => {
                let (a, b) = (self.sort(*a)?, self.sort(*b)?);
                format!("(Two {a} {b})")
            }
            Type::Power(element) => format!("(Array {} Bool)", self.sort(*element)?),
            _ => return None,
        })
    }

    fn given(&mut self, set: SetId) -> String {
        if let Some(name) = self.given.get(&set) {
            return name.clone();
        }
        let name = format!("G{}", set.0);
        match &self.model.set(set).elements {
            Some(elements) if !elements.is_empty() => {
                let all: Vec<String> = (0..elements.len())
                    .map(|at| format!("({})", element(set, at as u32)))
                    .collect();
                let _ = writeln!(
                    self.declarations,
                    "(declare-datatypes (({name} 0)) (({})))",
                    all.join(" ")
                );
            }
            _ => _ = writeln!(self.declarations, "(declare-sort {name} 0)"),
        }
        self.given.insert(set, name.clone());
        name
    }
}

/// The name of an element of an enumerated set.
pub(crate) fn element(set: SetId, at: u32) -> String {
    format!("e{}_{at}", set.0)
}
