//! What must be taken back: old domains, and words of state that constraints keep.

use super::Var;
use crate::domain::Domain;

/// Where the trail stood.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    domains: usize,
    words: usize,
}

/// Old values, last first.
#[derive(Clone, Default)]
pub(crate) struct Trail {
    domains: Vec<(Var, Domain)>,
    words: Vec<(u32, u64)>,
}

/// Words that are taken back with the domains.
#[derive(Clone, Default)]
pub(crate) struct State {
    values: Vec<u64>,
    /// When each was last saved: once between two marks is enough.
    saved: Vec<u64>,
    now: u64,
}

impl State {
    /// New words; the number of the first.
    pub(crate) fn reserve(&mut self, values: &[u64]) -> usize {
        let first = self.values.len();
        self.values.extend(values);
        self.saved.resize(self.values.len(), 0);
        first
    }

    #[inline]
    pub(crate) fn get(&self, word: usize) -> u64 {
        self.values[word]
    }

    #[inline]
    pub(crate) fn set(&mut self, trail: &mut Trail, word: usize, value: u64) {
        let old = self.values[word];
        if old == value {
            return;
        }
        if self.saved[word] != self.now {
            self.saved[word] = self.now;
            trail.words.push((word as u32, old));
        }
        self.values[word] = value;
    }
}

impl Trail {
    #[inline]
    pub(crate) fn push(&mut self, var: Var, old: Domain) {
        self.domains.push((var, old));
    }

    /// Remembers where it stands.
    pub(crate) fn mark(&self, state: &mut State) -> Mark {
        state.now += 1;
        Mark { domains: self.domains.len(), words: self.words.len() }
    }

    /// The variables that changed since a mark, some more than once.
    pub(crate) fn changed(&self, mark: Mark) -> impl Iterator<Item = Var> + '_ {
        self.domains[mark.domains..].iter().map(|(var, _)| *var)
    }

    /// What the domains were at a mark.
    pub(crate) fn before(&self, mark: Mark, domains: &[Domain]) -> Vec<Domain> {
        let mut before = domains.to_vec();
        self.domains[mark.domains..].iter().rev().for_each(|(var, old)| before[*var] = *old);
        before
    }

    /// Takes back all changes since a mark.
    pub(crate) fn undo(&mut self, mark: Mark, domains: &mut [Domain], state: &mut State) {
        state.now += 1;
        while self.domains.len() > mark.domains {
            if let Some((var, old)) = self.domains.pop() {
                domains[var] = old;
            }
        }
        while self.words.len() > mark.words {
            if let Some((word, old)) = self.words.pop() {
                state.values[word as usize] = old;
            }
        }
    }
}
