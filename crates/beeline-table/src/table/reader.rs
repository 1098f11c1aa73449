//! A look at settled states by one thread, while others look too.

use super::settled::Settled;
use super::{NOBODY, StateId, Table, hash, shard_of};
use crate::batch::Batch;
use crate::fold::{Folding, View};
use crate::index::Found;
use crate::unproved::ALL_UNPROVED;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, RwLockReadGuard};

/// The settled states, to be read by one thread while others read too.
///
/// While it is there, [`Table::settle`] waits.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) table: &'a Table,
    pub(super) settled: Held<'a>,
    pub(super) folding: Arc<Folding>,
}

/// The settled states, held by several or by one.
#[derive(Debug)]
pub(super) enum Held<'a> {
    Shared(RwLockReadGuard<'a, Settled>),
    Alone(&'a Settled),
}

impl Deref for Held<'_> {
    type Target = Settled;

    #[inline]
    fn deref(&self) -> &Settled {
        match self {
            Held::Shared(settled) => settled,
            Held::Alone(settled) => settled,
        }
    }
}

impl Reader<'_> {
    /// Loads a state into a view.
    #[inline]
    pub fn load(&self, id: StateId, view: &mut View) {
        match &self.settled.waiting {
            Some(waiting) => view.show(waiting.words(id.0, self.table.width)),
            None => {
                view.follow(&self.folding);
                view.load(self.settled.key(id.0));
            }
        }
    }

    /// The parent of a state; initial states have none.
    #[inline]
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.settled.parent(id.0);
        (parent != NOBODY).then_some(StateId(parent))
    }

    /// What all candidates of a state so far leave unproved.
    #[inline]
    pub fn unproved_bits(&self, id: StateId) -> u64 {
        self.settled.unproved.as_ref().map_or(ALL_UNPROVED, |unproved| unproved.get(id.0))
    }

    /// Removes candidates from a batch that are known already, and repetitions, unless they leave
    /// less unproved than those before.
    pub fn thin(&self, batch: &mut Batch) {
        let mut seen: HashMap<u64, u64> = HashMap::new();
        batch.thin(|key, left| {
            if let Some(unproved) = seen.get_mut(&key) {
                let news = *unproved & !left != 0;
                *unproved &= left;
                return news;
            }
            let hash = hash(key);
            let shard = self.table.shard(shard_of(hash));
            let found = shard.find(hash, |n| self.settled.rows.get(n) == key);
            let unproved = self.settled.unproved.as_ref();
            let keep = match found {
                Found::Free(_) => true,
                Found::Number(n, _) => unproved.is_some_and(|unproved| unproved.is_news(n, left)),
            };
            if keep {
                seen.insert(key, left);
            }
            keep
        });
    }
}
