//! Abstract states by the operations that are enabled.
#![allow(clippy::unwrap_used)]

use beeline_bounds::{Analysis, ByFlow, Claims, States};
use beeline_model::{ConjunctId, Model};
use beeline_source::MemoryLoader;

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

/// Each node: the operations that are enabled in it, and what is known there.
fn nodes(model: &Model, found: &ByFlow) -> Vec<(String, String)> {
    let mut claims = Claims::new(model);
    let of = |node: &beeline_bounds::Node| {
        let names = node.enabled.iter().map(|o| model.operation(*o).name.to_string());
        let known = node.variables.iter().flat_map(|(n, v)| claims.of(&n.expr(model), v));
        let known: Vec<String> = known.map(|p| model.show_pred(&p)).collect();
        (names.collect::<Vec<_>>().join(" "), known.join(" & "))
    };
    found.nodes.iter().map(of).collect()
}

fn numbers(of: &[ConjunctId]) -> Vec<usize> {
    of.iter().map(|c| c.number()).collect()
}

const PHASES: &str = "VARIABLES pc, x INVARIANT pc : 0..1 & x : 0..5 INITIALISATION pc, x := 0, 0 \
    OPERATIONS go = SELECT pc = 0 THEN pc, x := 1, x + 5 END; \
      back = SELECT pc = 1 THEN pc, x := 0, x - 5 END";

#[test]
fn states_apart_prove_what_one_state_for_all_does_not() {
    let model = model(PHASES);
    let analysis = Analysis::new(&model, -1, 3);
    assert_eq!(numbers(&States::of(&analysis).proved), [1]);
    let found = ByFlow::of(&analysis);
    let wanted = [("back", "pc = 1 & x = 5"), ("go", "pc = 0 & x = 0")];
    assert_eq!(nodes(&model, &found), wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(numbers(&found.proved), [1, 2]);
}

#[test]
fn what_holds_in_one_node_only_is_told_there() {
    let model = model(
        "VARIABLES x INVARIANT x : NATURAL & x < 3 INITIALISATION x := 0 \
         OPERATIONS up = SELECT x < 3 THEN x := x + 1 END; \
           over = SELECT x = 3 THEN skip END",
    );
    let found = ByFlow::of(&Analysis::new(&model, -1, 3));
    let wanted = [("over", "x = 3"), ("up", "x : 0..2")];
    assert_eq!(nodes(&model, &found), wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(numbers(&found.proved), [1]);
    let here: Vec<_> = found.nodes.iter().map(|n| numbers(&n.holds)).collect();
    assert_eq!(here, [vec![1], vec![1, 2]]);
}

#[test]
fn guards_with_parameters_or_without_a_meaning_exclude_nothing_where_they_fail() {
    let model = model(
        "VARIABLES x INVARIANT x : INTEGER INITIALISATION x :: 0..2 \
         OPERATIONS pick(i) = SELECT i : 1..x THEN x := x - i END; \
           divide = SELECT 4 / x = 2 THEN x := 0 END",
    );
    let found = ByFlow::of(&Analysis::new(&model, -1, 3));
    let wanted = [
        ("", "x : 0..2"),
        ("divide", "x : 0..2"),
        ("pick", "x : 1..2"),
        ("pick divide", "x : 1..2"),
    ];
    // Whatever is made of quotients: no state is lost.
    for ((names, known), (least, _)) in nodes(&model, &found).iter().zip(wanted) {
        assert_eq!(names, least);
        assert!(known.contains("x"), "{known}");
    }
    // One interval does not say that the parameter is at most x.
    assert_eq!(nodes(&model, &found)[0].1, "x : -1..2");
}

#[test]
fn more_nodes_than_are_told_apart_are_left_open() {
    // Seven independent switches: 128 sets of enabled operations.
    let names: Vec<String> = (0..7).map(|i| format!("v{i}")).collect();
    let typing: Vec<String> = names.iter().map(|n| format!("{n} : 0..1")).collect();
    let operations: Vec<String> =
        names.iter().map(|n| format!("on_{n} = SELECT {n} = 0 THEN {n} := 1 END")).collect();
    let clauses = format!(
        "VARIABLES {0} INVARIANT {1} INITIALISATION {0} :: (0..1) * (0..1) * (0..1) * (0..1) * \
         (0..1) * (0..1) * (0..1) OPERATIONS {2}",
        names.join(", "),
        typing.join(" & "),
        operations.join("; ")
    );
    let model = model(&clauses);
    let found = ByFlow::of(&Analysis::new(&model, -1, 3));
    assert!(!found.given_up);
    assert!(found.nodes.iter().any(|n| !n.open.is_empty()));
    assert_eq!(found.proved.len(), 7);
    assert!(ByFlow::of(&Analysis::new(&model, -1, 3).with_budget(100)).given_up);
}
