//! When markers are exact (Leuschel & Massart 2007, Prop. 2), decided from types.
//!
//! Markers lose nothing if each value holds no permutable element, or no set, or is a set of
//! elements, or a set of tuples with one element each. Then a state is a table of which element is
//! where, and elements with equal labels are interchangeable.

use crate::elements::Elements;
use beeline_compile::System;
use beeline_model::{Model, Type, TypeId};

/// A variable or constant for which Prop. 2 says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Its name.
    pub name: String,
    /// What it holds, in words.
    pub why: &'static str,
}

/// The first variable or constant whose type breaks the conditions.
pub(crate) fn breach(model: &Model, system: &System, elements: &Elements) -> Option<Breach> {
    let variables = system.variables().iter().map(|v| (&v.name, v.ty));
    let constants = system.constants().iter().map(|c| (&c.name, c.ty));
    variables.chain(constants).find_map(|(name, ty)| {
        let why = breaks(model, elements, ty)?;
        Some(Breach { name: name.clone(), why })
    })
}

fn breaks(model: &Model, elements: &Elements, ty: TypeId) -> Option<&'static str> {
    if !elements.in_type(ty) {
        return None;
    }
    let places = match model.types.get(ty) {
        Type::Power(of) => places(model, elements, *of),
        // A value without a set.
        _ => {
            return places(model, elements, ty).is_none().then_some("contains a deeply nested set");
        }
    };
    match places {
        Some(1) => None,
        Some(_) => Some("relates elements of symmetric sets to each other"),
        None => Some("contains nested sets"),
    }
}

/// In how many places of a tuple elements can stand; nothing if also elsewhere.
fn places(model: &Model, elements: &Elements, ty: TypeId) -> Option<usize> {
    if !elements.in_type(ty) {
        return Some(0);
    }
    match model.types.get(ty) {
        Type::Given(_) => Some(1),
        Type::Pair(a, b) => Some(places(model, elements, *a)? + places(model, elements, *b)?),
        Type::Record(fields) => {
            fields.iter().try_fold(0, |sum, f| Some(sum + places(model, elements, f.1)?))
        }
        _ => None,
    }
}
