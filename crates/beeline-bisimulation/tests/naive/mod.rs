//! Equivalences as their definitions have them, as slow as that is.

use beeline_bisimulation::{Graph, INTERNAL, Relation};
use std::collections::{BTreeSet, HashSet, VecDeque};

/// A class for each state.
pub fn classes(graph: &Graph, relation: Relation) -> Vec<u32> {
    match relation {
        Relation::Strong => from_pairs(graph, strong(graph)),
        Relation::BranchingWithoutDivergence => from_pairs(graph, branching(graph)),
        Relation::Branching => divergence(graph),
    }
}

/// How many different classes.
pub fn number(classes: &[u32]) -> usize {
    classes.iter().collect::<HashSet<_>>().len()
}

type Pairs = Vec<Vec<bool>>;

fn from_pairs(graph: &Graph, pairs: Pairs) -> Vec<u32> {
    let first = |s: u32| graph.all().find(|t| pairs[s as usize][*t as usize]);
    graph.all().map(|s| first(s).expect("it equals itself")).collect()
}

/// The greatest relation in which each step is answered.
fn strong(graph: &Graph) -> Pairs {
    greatest(graph, |related, s, t| {
        graph.edges(s).iter().all(|step| {
            let mut answers = graph.edges(t).iter().filter(|answer| answer.label == step.label);
            answers.any(|answer| related[step.target as usize][answer.target as usize])
        })
    })
}

/// The greatest branching bisimulation (van Glabbeek and Weijland).
fn branching(graph: &Graph) -> Pairs {
    let reach: Vec<Vec<u32>> = graph.all().map(|s| internal(graph, s, &|_| true)).collect();
    greatest(graph, |related, s, t| {
        graph.edges(s).iter().all(|step| {
            let stays = step.label == INTERNAL && related[step.target as usize][t as usize];
            stays
                || reach[t as usize].iter().any(|u| {
                    related[s as usize][*u as usize]
                        && graph.edges(*u).iter().any(|answer| {
                            answer.label == step.label
                                && related[step.target as usize][answer.target as usize]
                        })
                })
        })
    })
}

/// The greatest symmetric relation of which each pair is answered.
fn greatest(graph: &Graph, answered: impl Fn(&Pairs, u32, u32) -> bool) -> Pairs {
    let mut related = vec![vec![true; graph.states()]; graph.states()];
    loop {
        let mut changed = false;
        for s in graph.all() {
            for t in graph.all() {
                let (i, j) = (s as usize, t as usize);
                if related[i][j] && !(answered(&related, s, t) && answered(&related, t, s)) {
                    related[i][j] = false;
                    related[j][i] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return related;
        }
    }
}

/// The coarsest partition in which states of a class agree about the steps out of it that internal steps inside
/// it lead to, and about whether there is an endless run of those.
fn divergence(graph: &Graph) -> Vec<u32> {
    let mut class = vec![0u32; graph.states()];
    loop {
        let signature = |s: u32| {
            let home = class[s as usize];
            let inside = |u: u32| class[u as usize] == home;
            let near = internal(graph, s, &inside);
            let mut steps = BTreeSet::new();
            for step in near.iter().flat_map(|u| graph.edges(*u)) {
                if step.label != INTERNAL || !inside(step.target) {
                    steps.insert((step.label, class[step.target as usize]));
                }
            }
            // A run that is longer than there are states is endless.
            let mut alive: Vec<u32> = near.clone();
            for _ in 0..=graph.states() {
                let before: HashSet<u32> = alive.iter().copied().collect();
                alive.retain(|u| {
                    let mut steps = graph.edges(*u).iter();
                    steps.any(|step| step.label == INTERNAL && before.contains(&step.target))
                });
            }
            (home, steps, !alive.is_empty())
        };
        let all: Vec<_> = graph.all().map(signature).collect();
        let next: Vec<u32> = all
            .iter()
            .map(|one| all.iter().position(|other| other == one).expect("it is there") as u32)
            .collect();
        if number(&next) == number(&class) {
            return next;
        }
        class = next;
    }
}

/// What internal steps lead to through such states, the first one included.
fn internal(graph: &Graph, from: u32, inside: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let (mut seen, mut open) = (vec![from], vec![from]);
    while let Some(state) = open.pop() {
        for step in graph.edges(state).iter().filter(|step| step.label == INTERNAL) {
            if inside(step.target) && !seen.contains(&step.target) {
                seen.push(step.target);
                open.push(step.target);
            }
        }
    }
    seen
}

/// The length of a shortest trace of one graph that the other does not have: both are made deterministic.
pub fn missing(has: &Graph, lacks: &Graph) -> Option<usize> {
    let closed = |graph: &Graph, states: &BTreeSet<u32>| -> BTreeSet<u32> {
        states.iter().flat_map(|s| internal(graph, *s, &|_| true)).collect()
    };
    let after = |graph: &Graph, states: &BTreeSet<u32>, label: &str| {
        let steps = states.iter().flat_map(|s| graph.edges(*s));
        let steps = steps.filter(|e| e.label != INTERNAL && graph.label(e.label) == label);
        closed(graph, &steps.map(|e| e.target).collect())
    };
    let start = (closed(has, &BTreeSet::from([0])), closed(lacks, &BTreeSet::from([0])));
    let mut seen = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([(start, 0)]);
    while let Some(((one, other), length)) = open.pop_front() {
        for label in &has.labels()[1..] {
            let next = (after(has, &one, label), after(lacks, &other, label));
            if next.0.is_empty() {
                continue;
            }
            if next.1.is_empty() {
                return Some(length + 1);
            }
            if seen.insert(next.clone()) {
                open.push_back((next, length + 1));
            }
        }
    }
    None
}
