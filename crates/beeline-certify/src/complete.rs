//! The permutations of a certificate, found by trying.
//!
//! Who searched knows which states it kept; the steps to all others are taken here once more, and each is permuted until it
//! is one of them. What is found is told, not believed: [`crate::certify`] looks at it like at any other.

use crate::certificate::{Kept, Scope};
use crate::permute::{Movable, Permutation};
use crate::traverse::{Guide, List, Refused, Traversal, wrong};
use beeline_judge::State;
use beeline_model::{Model, SetId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// More permutations than this are not tried for each state.
const MOST: usize = 5_040;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// There are too many permutations to try them.
    TooMany,
    /// A state is none of those that were kept, however it is permuted.
    Lost(Refused),
}

/// Adds the permutations of these sets. With `setups_only` those of the constants: then every successor of a state
/// that was kept was kept as well.
pub fn complete(
    model: &Model,
    scope: &Scope,
    kept: &mut Kept,
    (sets, setups_only): (&[SetId], bool),
    stop: &Arc<AtomicBool>,
) -> Result<(), Incomplete> {
    kept.initial_leads = vec![Vec::new(); kept.setups.len()];
    kept.leads = vec![Vec::new(); kept.states.len()];
    if sets.is_empty() {
        return Ok(());
    }
    let Some(settings) = scope.settings(model) else {
        return Err(Incomplete::Lost(Refused::Wrong("the scope is another one".to_owned())));
    };
    let movable = Movable::of(model, &settings.set_sizes);
    let all = permutations(&movable, &settings.set_sizes, sets).ok_or(Incomplete::TooMany)?;
    let mut searcher =
        Searcher { all, numbers: BTreeMap::new(), lists: BTreeMap::new(), now: Vec::new() };
    let before = kept.clone();
    let mut traversal = Traversal::new(model, settings, stop, &before).map_err(Incomplete::Lost)?;
    traversal.setups_only = setups_only;
    traversal.run(&mut searcher).map_err(Incomplete::Lost)?;
    let Searcher { all, numbers, lists, .. } = searcher;
    let mut used: Vec<(u32, usize)> = numbers.into_iter().map(|(place, n)| (n, place)).collect();
    used.sort_unstable();
    kept.permutations = used.into_iter().map(|(_, place)| all[place].clone()).collect();
    for ((kind, number), list) in lists {
        match kind {
            0 => kept.setup_leads = list,
            1 => kept.initial_leads[number] = list,
            _ => kept.leads[number] = list,
        }
    }
    Ok(())
}

/// All permutations of the free elements of some sets, the one that moves nothing first.
fn permutations(movable: &Movable, sizes: &[u32], sets: &[SetId]) -> Option<Vec<Permutation>> {
    let mut all = vec![Permutation::default()];
    for set in sets {
        let number = set.index() as u32;
        let size = *sizes.get(set.index())?;
        let free: Vec<u32> = (0..size).filter(|e| movable.is_free(number, *e)).collect();
        let mut orders = vec![Vec::new()];
        for _ in &free {
            let longer = |order: &Vec<u32>| {
                let rest = free.iter().filter(|e| !order.contains(e));
                rest.map(|e| order.iter().copied().chain([*e]).collect()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
            if orders.len() * all.len() > MOST {
                return None;
            }
        }
        let rows = orders.iter().map(|order| {
            let mut row: Vec<u32> = (0..size).collect();
            free.iter().zip(order).for_each(|(from, to)| row[*from as usize] = *to);
            (number, row)
        });
        let rows: Vec<_> = rows.collect();
        let with = |p: &Permutation| {
            let longer = |row: &(u32, Vec<u32>)| {
                Permutation(p.0.iter().cloned().chain([row.clone()]).collect())
            };
            rows.iter().map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

/// Tries permutations, those that were of use before first.
struct Searcher {
    all: Vec<Permutation>,
    /// The number in the certificate of each that is used.
    numbers: BTreeMap<usize, u32>,
    lists: BTreeMap<(u8, usize), Vec<u32>>,
    now: Vec<u32>,
}

impl Guide for Searcher {
    fn begin(&mut self, _: List) {
        self.now.clear();
    }

    fn lead(
        &mut self,
        _: List,
        model: &Model,
        state: &State,
        known: &dyn Fn(&State) -> bool,
    ) -> Result<State, Refused> {
        for (place, permutation) in self.all.iter().enumerate() {
            if let Some(image) = permutation.state(model, state)
                && known(&image)
            {
                let next = self.numbers.len() as u32;
                self.now.push(*self.numbers.entry(place).or_insert(next));
                return Ok(image);
            }
        }
        wrong("a state is none of those that were kept, however it is permuted")
    }

    fn end(&mut self, list: List) -> Result<(), Refused> {
        let key = match list {
            List::Setups => (0, 0),
            List::Initial(n) => (1, n),
            List::State(n) => (2, n),
        };
        if !self.now.is_empty() {
            self.lists.insert(key, std::mem::take(&mut self.now));
        }
        Ok(())
    }
}
