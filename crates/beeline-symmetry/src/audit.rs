//! Counting what markers lose: the exact test runs beside them.

use rustc_hash::FxHashMap;

/// A state and its constants, as words of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateOf {
    /// One word a constant.
    pub constants: Vec<u32>,
    /// One word a variable.
    pub state: Vec<u32>,
}

/// What an audit has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Markers that were seen.
    pub markers: usize,
    /// Classes of symmetric states that were seen.
    pub classes: usize,
    /// Markers that stand for more than one class.
    pub collisions: usize,
    /// Two states with one marker that are not symmetric.
    pub example: Option<(StateOf, StateOf)>,
}

/// Classes under each marker.
#[derive(Default)]
pub(crate) struct Audit {
    classes: FxHashMap<u128, Vec<Vec<u32>>>,
    /// The first state of each marker.
    first: FxHashMap<u128, StateOf>,
    example: Option<(StateOf, StateOf)>,
}

impl Audit {
    /// Hears of a state: its marker, the row of its form, and how it is opened.
    pub fn note(
        &mut self,
        key: u128,
        constants: &[u32],
        form: Vec<u32>,
        state: impl FnOnce() -> Vec<u32>,
    ) {
        let classes = self.classes.entry(key).or_default();
        if classes.contains(&form) {
            return;
        }
        classes.push(form);
        let this = StateOf { constants: constants.to_vec(), state: state() };
        match self.first.get(&key) {
            None => {
                self.first.insert(key, this);
            }
            Some(first) if self.example.is_none() => self.example = Some((first.clone(), this)),
            Some(_) => {}
        }
    }

    pub fn report(&self) -> AuditReport {
        AuditReport {
            markers: self.classes.len(),
            classes: self.classes.values().map(Vec::len).sum(),
            collisions: self.classes.values().filter(|c| c.len() > 1).count(),
            example: self.example.clone(),
        }
    }
}
