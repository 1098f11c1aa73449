//! How many states there are up to renaming of elements without a name, by trying renamings.
//!
//! Neighbours in a set are swapped: that is enough to reach every permutation. The image of a
//! reachable state is reachable; classes are what such swaps connect.

use beeline::judge::{Settings, State, Value};
use beeline::model::{ConstantId, Model, SetId, SetKind, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Classes of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbits {
    /// Classes of valuations of the constants.
    pub setups: u64,
    /// Classes of states, each with its constants.
    pub states: u64,
    /// States of one valuation of each class.
    pub states_of_setups: u64,
    /// Names of the sets of which elements were renamed, with how many.
    pub sets: Vec<(String, usize)>,
}

/// What came of counting.
pub enum Counted {
    /// Numbers.
    Orbits(Orbits),
    /// A renamed state is not reachable.
    Lopsided,
    /// A value is not listed.
    Unknown,
}

/// Two elements of a set that change places.
#[derive(Clone, Copy)]
struct Swap {
    set: SetId,
    first: u32,
}

/// Counts classes.
pub fn orbits(
    model: &Model,
    settings: &Settings,
    setups: &[State],
    states: &BTreeSet<State>,
) -> Counted {
    let (mut swaps, mut sets) = (Vec::new(), Vec::new());
    for (number, given) in model.sets.iter().enumerate() {
        if given.kind == SetKind::Enumerated {
            continue;
        }
        let size = settings.set_sizes.get(number).copied().unwrap_or(0);
        let named = given.fixed.len() as u32;
        if size >= named + 2 {
            let set = SetId(number as u32);
            swaps.extend((named..size - 1).map(|first| Swap { set, first }));
            sets.push((given.name.to_string(), (size - named) as usize));
        }
    }
    let states: Vec<&State> = states.iter().collect();
    let setups: BTreeSet<&State> = setups.iter().collect();
    let setups: Vec<&State> = setups.into_iter().collect();
    let (Some(of_setups), Some(of_states)) =
        (classes(model, &setups, &swaps), classes(model, &states, &swaps))
    else {
        return Counted::Unknown;
    };
    let (Ok(of_setups), Ok(of_states)) = (of_setups, of_states) else { return Counted::Lopsided };
    let chosen: BTreeSet<&State> =
        of_setups.iter().enumerate().filter(|(i, c)| *i == **c).map(|(i, _)| setups[i]).collect();
    let mut states_of_setups = 0;
    for state in &states {
        let mut bare = (*state).clone();
        (0..model.variables.len()).for_each(|v| bare.set_variable(VariableId(v as u32), None));
        states_of_setups += u64::from(chosen.contains(&bare));
    }
    let count = |of: &[usize]| of.iter().enumerate().filter(|(i, c)| i == *c).count() as u64;
    Counted::Orbits(Orbits {
        setups: count(&of_setups),
        states: count(&of_states),
        states_of_setups,
        sets,
    })
}

/// The number of the first state in the class of each. An error: an image is not among them.
/// Nothing: a value is not listed.
fn classes(model: &Model, states: &[&State], swaps: &[Swap]) -> Option<Result<Vec<usize>, ()>> {
    let numbers: BTreeMap<&State, usize> =
        states.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut class: Vec<usize> = (0..states.len()).collect();
    fn root(class: &mut [usize], mut at: usize) -> usize {
        while class[at] != at {
            class[at] = class[class[at]];
            at = class[at];
        }
        at
    }
    // All are looked at first: a state may be missing because it is described by an unlisted set.
    let mut lopsided = false;
    for (i, state) in states.iter().enumerate() {
        for swap in swaps {
            let image = swapped(model, state, *swap)?;
            let Some(other) = numbers.get(&image) else {
                lopsided = true;
                continue;
            };
            let (a, b) = (root(&mut class, i), root(&mut class, *other));
            class[a.max(b)] = a.min(b);
        }
    }
    Some(if lopsided {
        Err(())
    } else {
        Ok((0..states.len()).map(|i| root(&mut class, i)).collect())
    })
}

fn swapped(model: &Model, state: &State, swap: Swap) -> Option<State> {
    let mut image = state.clone();
    for id in (0..model.constants.len()).map(|i| ConstantId(i as u32)) {
        if let Some(value) = state.constant(id) {
            image.set_constant(id, Some(renamed(value, swap)?));
        }
    }
    for id in (0..model.variables.len()).map(|i| VariableId(i as u32)) {
        if let Some(value) = state.variable(id) {
            image.set_variable(id, Some(renamed(value, swap)?));
        }
    }
    Some(image)
}

fn renamed(value: &Value, swap: Swap) -> Option<Value> {
    Some(match value {
        Value::Bool(_) | Value::Integer(_) | Value::Real(_) | Value::String(_) => value.clone(),
        Value::Element(set, index) if *set == swap.set => {
            let index = match index {
                i if *i == swap.first => swap.first + 1,
                i if *i == swap.first + 1 => swap.first,
                i => *i,
            };
            Value::Element(*set, index)
        }
        Value::Element(..) => value.clone(),
        Value::Pair(both) => Value::pair(renamed(&both.0, swap)?, renamed(&both.1, swap)?),
        Value::Record(fields) => {
            let fields: Option<Vec<Value>> = fields.iter().map(|f| renamed(f, swap)).collect();
            Value::Record(fields?.into())
        }
        Value::Free(id, constructor, argument) => {
            let argument = match argument {
                Some(argument) => Some(renamed(argument, swap)?.into()),
                None => None,
            };
            Value::Free(*id, *constructor, argument)
        }
        Value::Set(elements) => {
            let elements: Option<Vec<Value>> = elements.iter().map(|e| renamed(e, swap)).collect();
            Value::set(elements?)
        }
        Value::Symbolic(_) => return None,
    })
}
