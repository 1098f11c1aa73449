//! Cutting a path down: the same first and last state, fewer steps between.
//!
//! From a state of the path a small breadth-first search looks for later states of the path. The
//! shortcut that saves most is taken, and the search goes on from its end. What comes out is a path
//! of the model like any other; it need not be the shortest.

use crate::finding::{Path, PathStep};
use beeline_transition::{Flow, State, StateRef, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

/// How much work may be done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// States that a search for one shortcut may look at.
    pub window: usize,
    /// States that all searches together may look at.
    pub total: usize,
}

/// A path to the same state with at most as many steps. `stop` is asked now and then.
pub fn shorten(
    system: &impl TransitionSystem,
    path: &Path,
    effort: Effort,
    stop: &dyn Fn() -> bool,
) -> Path {
    let mut best = path.clone();
    let mut left = effort.total;
    while left > 0 && best.steps.len() > 1 && !stop() {
        let window = effort.window.min(left);
        let shorter = pass(system, &best, window, &mut left, stop);
        if shorter.steps.len() >= best.steps.len() {
            break;
        }
        best = shorter;
    }
    best
}

/// Walks along the path once, taking shortcuts.
fn pass(
    system: &impl TransitionSystem,
    path: &Path,
    window: usize,
    left: &mut usize,
    stop: &dyn Fn() -> bool,
) -> Path {
    let Some(initial) = &path.initial else { return path.clone() };
    let nodes: Vec<StateRef<'_>> = std::iter::once(initial)
        .chain(path.steps.iter().map(|s| &s.target))
        .map(State::view)
        .collect();
    // Of a state that comes several times the last place counts: what lies between is a circle.
    let places: FxHashMap<StateRef<'_>, usize> =
        nodes.iter().enumerate().map(|(i, s)| (*s, i)).collect();
    let mut scratch = system.scratch();
    let (mut at, mut steps) = (0, Vec::new());
    let end = nodes.len() - 1;
    while at < end {
        if let Some(last) = places.get(&nodes[at]).filter(|last| **last > at) {
            at = *last;
            continue;
        }
        if *left == 0 || stop() {
            steps.extend(path.steps[at..].iter().cloned());
            break;
        }
        let mut search = Shortcut { system, path, places: &places, seen: Vec::new() };
        let limit = window.min(*left);
        let (to, way) = search.find(nodes[at], at, end, limit, &mut scratch);
        *left -= search.seen.len().min(*left);
        steps.extend(way);
        at = to;
    }
    Path { steps, ..path.clone() }
}

struct Shortcut<'a, S> {
    system: &'a S,
    path: &'a Path,
    places: &'a FxHashMap<StateRef<'a>, usize>,
    /// States that were found, with the number of the one before and the step from there.
    seen: Vec<(usize, PathStep)>,
}

impl<S: TransitionSystem> Shortcut<'_, S> {
    /// The way from a place on the path to the later place that saves most, or that lies furthest
    /// on if nothing is saved.
    fn find(
        &mut self,
        start: StateRef<'_>,
        at: usize,
        end: usize,
        limit: usize,
        scratch: &mut S::Scratch,
    ) -> (usize, Vec<PathStep>) {
        let mut known: FxHashSet<Box<[u32]>> = FxHashSet::default();
        known.insert(start.words().into());
        let mut depths: Vec<usize> = Vec::new();
        // Savings, place, number of the state.
        let mut best: Option<(usize, usize, usize)> = None;
        let mut next = 0;
        let mut state = start.owned();
        let (mut from, mut depth) = (usize::MAX, 0);
        loop {
            let (seen, places) = (&mut self.seen, self.places);
            let mut arrived = false;
            let from_here = (self.path.constants.view(), state.view());
            self.system.steps(from_here, None, scratch, &mut |step| {
                if known.contains(step.target.words()) {
                    return Flow::More;
                }
                known.insert(step.target.words().into());
                seen.push((from, PathStep::of(step)));
                depths.push(depth + 1);
                if let Some(place) = places.get(&step.target).filter(|place| **place > at) {
                    let saved = (place - at).saturating_sub(depth + 1);
                    let offer = (saved, *place, seen.len() - 1);
                    if best.is_none_or(|b| (offer.0, offer.1) > (b.0, b.1)) {
                        best = Some(offer);
                    }
                    arrived |= *place == end;
                }
                if arrived || seen.len() >= limit { Flow::Enough } else { Flow::More }
            });
            if arrived || seen.len() >= limit || next >= seen.len() {
                break;
            }
            state.clone_from(&seen[next].1.target);
            (from, depth) = (next, depths[next]);
            next += 1;
        }
        match best {
            Some((_, place, number)) => (place, self.way(number)),
            // A step that is not found again within the limit is taken as it is.
            None => (at + 1, vec![self.path.steps[at].clone()]),
        }
    }

    fn way(&self, number: usize) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut number = number;
        while let Some((from, step)) = self.seen.get(number) {
            steps.push(step.clone());
            number = *from;
        }
        steps.reverse();
        steps
    }
}
