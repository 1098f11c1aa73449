//! Random small graphs, held against naive algorithms that follow the definitions.
//!
//! `BEELINE_GRAPHS=100000 cargo test --release -p beeline-bisimulation --test random` looks at more of them.

mod naive;

use beeline_bisimulation::{
    Builder, Comparison, Difference, Edge, Graph, INTERNAL, Minimised, Only, Relation, aut,
    distinguish, has_trace, minimise, trace_difference,
};
use std::sync::atomic::AtomicBool;

const RELATIONS: [Relation; 3] =
    [Relation::Strong, Relation::Branching, Relation::BranchingWithoutDivergence];

static NEVER: AtomicBool = AtomicBool::new(false);

/// Numbers from a fixed seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

fn count(usual: u64) -> u64 {
    std::env::var("BEELINE_GRAPHS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Few labels and few edges, so that many states are equal; often more internal steps than others.
fn random_graph(random: &mut Random, most: u64) -> Graph {
    let states = 1 + random.below(most) as u32;
    let labels = 1 + random.below(3);
    let internal = random.below(3);
    let mut builder = Builder::new();
    let names: Vec<u32> = (0..labels).map(|i| builder.label(&format!("{}", i))).collect();
    let edges = random.below(u64::from(states) * 3 + 1);
    let list: Vec<(u32, Edge)> = (0..edges)
        .map(|_| {
            let label = match random.below(3) < internal {
                true => INTERNAL,
                false => names[random.below(labels) as usize],
            };
            let target = random.below(u64::from(states)) as u32;
            (random.below(u64::from(states)) as u32, Edge { label, target })
        })
        .collect();
    Graph::from_edges(builder, states as usize, 0, &list).expect("it is small")
}

/// The same behaviour spread over more states: each edge leads to some copy of its target, and each copy has
/// at least one of each kind.
fn spread(graph: &Graph, random: &mut Random) -> Graph {
    let copies = 1 + random.below(3) as u32;
    let mut builder = Builder::new();
    let labels: Vec<u32> = graph.labels()[1..].iter().map(|text| builder.label(text)).collect();
    let mut list = Vec::new();
    for state in graph.all() {
        for copy in 0..copies {
            for edge in graph.edges(state) {
                let label = if edge.label == 0 { 0 } else { labels[edge.label as usize - 1] };
                for _ in 0..=random.below(2) {
                    let target = edge.target * copies + random.below(u64::from(copies)) as u32;
                    list.push((state * copies + copy, Edge { label, target }));
                }
            }
        }
    }
    let (states, initial) = (graph.states() as u32 * copies, graph.initial() * copies);
    Graph::from_edges(builder, states as usize, initial, &list).expect("it is small")
}

/// Are two numberings of states the same partition?
fn same_partition(one: &[u32], other: &[u32]) -> bool {
    let equal = |list: &[u32], i: usize, j: usize| list[i] == list[j];
    (0..one.len()).all(|i| (0..i).all(|j| equal(one, i, j) == equal(other, i, j)))
}

fn described(graph: &Graph) -> String {
    let mut out = Vec::new();
    aut::write(graph, &mut out).expect("a list takes everything");
    String::from_utf8(out).expect("it is text")
}

#[test]
fn classes_are_those_of_the_definition() {
    for seed in 0..count(4_000) {
        let graph = random_graph(&mut Random(seed), 9);
        for relation in RELATIONS {
            let found = minimise(&graph, relation, &NEVER).expect("nobody interrupts");
            let wanted = naive::classes(&graph, relation);
            assert!(
                same_partition(&found.class, &wanted),
                "seed {seed}, {relation:?}: {:?}, but {wanted:?}\n{}",
                found.class,
                described(&graph)
            );
            assert_eq!(found.graph.states(), naive::number(&wanted), "seed {seed}");
            check_quotient(&graph, relation, &found, seed);
        }
    }
}

/// The quotient behaves as the graph does, and cannot become smaller.
fn check_quotient(graph: &Graph, relation: Relation, found: &Minimised, seed: u64) {
    let (both, one, other) = Graph::beside(graph, &found.graph).expect("it is small");
    let classes = naive::classes(&both, relation);
    assert_eq!(
        classes[one as usize],
        classes[other as usize],
        "seed {seed}, {relation:?}\n{}\n{}",
        described(graph),
        described(&found.graph)
    );
    let again = minimise(&found.graph, relation, &NEVER).expect("nobody interrupts");
    assert_eq!(again.graph.states(), found.graph.states(), "seed {seed}, {relation:?}");
    assert_eq!(again.graph.transitions(), found.graph.transitions(), "seed {seed}, {relation:?}");
    let members: u64 = found.members().iter().map(|(_, count)| count).sum();
    assert_eq!(members as usize, graph.states());
}

#[test]
fn comparisons_are_those_of_the_definition_and_formulas_hold_where_they_should() {
    let (mut same, mut different) = (0, 0);
    for seed in 0..count(4_000) {
        let random = &mut Random(seed ^ 0xC0DE_0000_0000);
        let left = random_graph(random, 6);
        // Two graphs that have nothing to do with each other are nearly always told apart at once.
        let right = match random.below(3) {
            0 => random_graph(random, 6),
            1 => spread(&left, random),
            _ => altered(&left, random),
        };
        for relation in RELATIONS {
            let (both, one, other) = Graph::beside(&left, &right).expect("it is small");
            let classes = naive::classes(&both, relation);
            let wanted = classes[one as usize] == classes[other as usize];
            let shown = || {
                format!("seed {seed}, {relation:?}\n{}\n{}", described(&left), described(&right))
            };
            match distinguish(&left, &right, relation, &NEVER).expect("nobody interrupts") {
                Comparison::Same { classes } => {
                    assert!(wanted, "{}", shown());
                    assert_eq!(classes, naive::number(&naive::classes(&both, relation)));
                    same += 1;
                }
                Comparison::Different(Difference::Formula(formula)) => {
                    assert!(!wanted, "{}", shown());
                    different += 1;
                    let holds = |graph: &Graph| formula.holds_in(graph, &NEVER) == Ok(true);
                    assert!(holds(&left) && !holds(&right), "{:?}\n{}", formula.lines(), shown());
                    // Equal graphs satisfy the same formulas: so must the quotients.
                    let small = |g: &Graph| minimise(g, relation, &NEVER).expect("never").graph;
                    let (left, right) = (small(&left), small(&right));
                    assert!(holds(&left) && !holds(&right), "{:?}\n{}", formula.lines(), shown());
                }
                other => panic!("{other:?}: {}", shown()),
            }
        }
    }
    assert!(same > 100 && different > 100, "{same} same, {different} different");
}

/// The same graph with one edge led elsewhere.
fn altered(graph: &Graph, random: &mut Random) -> Graph {
    let mut builder = Builder::new();
    let labels: Vec<u32> = graph.labels()[1..].iter().map(|text| builder.label(text)).collect();
    let mut list = Vec::new();
    for state in graph.all() {
        for edge in graph.edges(state) {
            let label = if edge.label == 0 { 0 } else { labels[edge.label as usize - 1] };
            list.push((state, Edge { label, target: edge.target }));
        }
    }
    if !list.is_empty() {
        let at = random.below(list.len() as u64) as usize;
        list[at].1.target = random.below(graph.states() as u64) as u32;
    }
    Graph::from_edges(builder, graph.states(), 0, &list).expect("it is small")
}

#[test]
fn traces_are_those_of_brute_force() {
    let (mut same, mut different) = (0, 0);
    for seed in 0..count(4_000) {
        let random = &mut Random(seed ^ 0x7_0000_0000);
        let left = random_graph(random, 5);
        let right = match random.below(3) {
            0 => random_graph(random, 5),
            1 => spread(&left, random),
            _ => altered(&left, random),
        };
        let shown = || format!("seed {seed}\n{}\n{}", described(&left), described(&right));
        let wanted = [naive::missing(&left, &right), naive::missing(&right, &left)];
        match trace_difference(&left, &right, &NEVER).expect("nobody interrupts") {
            None => {
                assert_eq!(wanted, [None, None], "{}", shown());
                same += 1;
            }
            Some(difference) => {
                different += 1;
                let (has, lacks, wanted) = match difference.only {
                    Only::Left => (&left, &right, wanted[0]),
                    Only::Right => (&right, &left, wanted[1]),
                };
                assert_eq!(Some(difference.trace.len()), wanted, "{}", shown());
                let trace = &difference.trace;
                assert!(has_trace(has, trace) && !has_trace(lacks, trace), "{trace:?} {}", shown());
            }
        }
    }
    assert!(same > 100 && different > 100, "{same} same, {different} different");
}

#[test]
fn files_keep_graphs_as_they_are() {
    for seed in 0..200 {
        let graph = random_graph(&mut Random(seed), 9);
        let again = aut::parse(&described(&graph), &NEVER).expect("it was written by us");
        // Labels are numbered as they come, and the steps of a state stand in that order.
        let lines = |graph: &Graph| {
            let text = described(graph);
            // States without any step may be left out of the count in the first line.
            text.lines().skip(1).map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(lines(&again), lines(&graph), "seed {seed}");
        let reachable = graph.clone().reachable();
        let again = reachable.clone().reachable();
        let size = |graph: &Graph| (graph.states(), graph.transitions());
        assert_eq!((size(&again), reachable.initial()), (size(&reachable), 0), "seed {seed}");
        let same = distinguish(&graph, &reachable, Relation::Strong, &NEVER);
        assert!(matches!(same, Ok(Comparison::Same { .. })), "seed {seed}");
    }
}
