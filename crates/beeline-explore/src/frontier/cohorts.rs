//! Several searches that take turns: states of valuations of the constants, or from initial states,
//! that came later have a frontier of their own.
//!
//! Whoever has taken the fewest states comes next; a newcomer begins with as many as the least of the
//! others. So each gets its share, however large another one is, and each goes on as if it were alone:
//! depths are right, and an order keeps its promises about its own states.

use super::breadth::Breadth;
use super::{Fresh, Frontier, Wave};

/// The searches; there is always one.
pub(crate) struct Cohorts {
    all: Vec<Cohort>,
    /// Whose wave was the last one.
    current: usize,
    /// There was only one so far.
    is_single: bool,
}

struct Cohort {
    frontier: Box<dyn Frontier>,
    /// States that were taken, and those of others before it began.
    taken: u64,
}

impl Cohorts {
    /// One search.
    pub fn new(frontier: Box<dyn Frontier>) -> Cohorts {
        Cohorts { all: vec![Cohort { frontier, taken: 0 }], current: 0, is_single: true }
    }

    /// One more; new states are its own from now on.
    pub fn begin(&mut self, frontier: Box<dyn Frontier>) {
        self.all.retain(|cohort| cohort.frontier.len() > 0);
        // From zero it would have all turns until it has caught up.
        let taken = self.all.iter().map(|cohort| cohort.taken).min().unwrap_or(0);
        self.current = self.all.len();
        self.all.push(Cohort { frontier, taken });
        self.is_single = false;
    }

    /// The one whose wave was the last.
    pub fn current(&mut self) -> &mut dyn Frontier {
        &mut *self.all[self.current].frontier
    }

    /// The only one, if there never was another.
    pub fn single(&mut self) -> Option<&mut dyn Frontier> {
        if self.is_single { Some(self.current()) } else { None }
    }

    /// Adds what the last wave led to.
    pub fn add(&mut self, fresh: &Fresh<'_>) {
        self.current().add(fresh);
    }

    /// Fills the next wave. Where states wait for their numbers (`stay`) a level is taken to its end
    /// first, so that they can be told from those of others.
    pub fn next(&mut self, wave: &mut Wave, stay: bool) -> bool {
        let here = &self.all[self.current].frontier;
        if !(stay && here.len() > 0 && !here.level_done()) {
            let waiting = self.all.iter().enumerate().filter(|(_, c)| c.frontier.len() > 0);
            let least = waiting.min_by_key(|(place, c)| (c.taken, *place));
            self.current = least.map_or(self.current, |(place, _)| place);
        }
        let cohort = &mut self.all[self.current];
        let some = cohort.frontier.next(wave);
        cohort.taken += wave.states.len() as u64;
        some
    }

    /// How many states wait.
    pub fn len(&self) -> usize {
        self.all.iter().map(|cohort| cohort.frontier.len()).sum()
    }

    /// No state before this one waits; `behind` is what the one whose wave was the last says itself.
    pub fn first(&self, behind: u32) -> u32 {
        let others = self.all.iter().enumerate().filter(|(place, _)| *place != self.current);
        others.filter_map(|(_, c)| c.frontier.first()).fold(behind, u32::min)
    }

    /// Was every state taken so far one of the nearest that waited?
    pub fn is_nearest_first(&self) -> bool {
        self.is_single && self.all[self.current].frontier.is_nearest_first()
    }

    /// Turns to other orders where `other` has one.
    pub fn turn(&mut self, other: impl Fn(&dyn Frontier) -> Option<Breadth>) {
        for cohort in &mut self.all {
            if let Some(breadth) = other(&*cohort.frontier) {
                cohort.frontier = Box::new(breadth);
            }
        }
    }

    /// All it knows, as numbers.
    pub fn save(&self) -> Vec<u64> {
        let mut all = vec![u64::from(self.is_single), self.current as u64];
        for Cohort { frontier, taken } in &self.all {
            let own = frontier.save();
            all.extend([*taken, own.len() as u64]);
            all.extend(own);
        }
        all
    }

    /// Takes over what was saved, with frontiers that `make` gives. `false`: that makes no sense.
    pub fn load(&mut self, saved: &[u64], mut make: impl FnMut() -> Box<dyn Frontier>) -> bool {
        let [single, current, rest @ ..] = saved else { return false };
        let mut rest = rest;
        self.all.clear();
        while let [taken, len, more @ ..] = rest {
            let Ok(len) = usize::try_from(*len) else { break };
            let Some((own, next)) = more.split_at_checked(len) else { break };
            let mut frontier = make();
            if !frontier.load(own) {
                break;
            }
            self.all.push(Cohort { frontier, taken: *taken });
            rest = next;
        }
        self.is_single = *single == 1;
        self.current = usize::try_from(*current).unwrap_or(usize::MAX);
        let whole = rest.is_empty() && self.current < self.all.len();
        if !whole {
            *self = Cohorts::new(make());
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_table::StateId;
    use std::ops::Range;

    fn fresh(states: Range<u32>) -> Fresh<'static> {
        Fresh { states, depths: &[], weights: &[], ranks: &[] }
    }

    fn taken(cohorts: &mut Cohorts) -> Vec<u32> {
        let mut wave = Wave::default();
        cohorts.next(&mut wave, false);
        wave.states.iter().map(|id: &StateId| id.0).collect()
    }

    #[test]
    fn each_gets_its_share_also_after_saving() {
        let make = || -> Box<dyn Frontier> { Box::new(Breadth::new(2)) };
        let mut cohorts = Cohorts::new(make());
        cohorts.add(&fresh(0..6));
        assert!(cohorts.is_nearest_first() && cohorts.single().is_some());
        assert_eq!(taken(&mut cohorts), [0, 1]);
        cohorts.begin(make());
        cohorts.add(&fresh(6..9));
        assert!(!cohorts.is_nearest_first() && cohorts.single().is_none());
        assert_eq!((cohorts.len(), cohorts.first(9)), (7, 2));
        // Both have their share: the first one comes first.
        assert_eq!(taken(&mut cohorts), [2, 3]);
        cohorts.add(&fresh(9..10));
        assert_eq!(taken(&mut cohorts), [6, 7]);
        cohorts.add(&fresh(10..12));
        let mut other = Cohorts::new(make());
        assert!(other.load(&cohorts.save(), make));
        for mut cohorts in [cohorts, other] {
            let all: Vec<Vec<u32>> = (0..5).map(|_| taken(&mut cohorts)).collect();
            assert_eq!(all, [vec![4, 5], vec![8], vec![10, 11], vec![9], vec![]]);
            assert_eq!(cohorts.len(), 0);
        }
        let mut broken = Cohorts::new(make());
        for bad in [&[][..], &[1, 0], &[1, 1, 0, 4, 0, 2, 0, 0], &[1, 0, 0, 9, 1]] {
            assert!(!broken.load(bad, make) && broken.len() == 0);
        }
    }

    #[test]
    fn a_level_is_taken_to_its_end_where_that_is_asked_for() {
        let make = || -> Box<dyn Frontier> { Box::new(Breadth::new(1)) };
        let mut cohorts = Cohorts::new(make());
        cohorts.add(&fresh(0..3));
        assert_eq!(taken(&mut cohorts), [0]);
        cohorts.begin(make());
        cohorts.add(&fresh(3..5));
        let (mut wave, mut all) = (Wave::default(), Vec::new());
        while cohorts.next(&mut wave, true) {
            all.extend(wave.states.iter().map(|id| id.0));
        }
        assert_eq!(all, [1, 2, 3, 4]);
    }
}
