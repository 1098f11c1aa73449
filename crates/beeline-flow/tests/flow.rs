//! Flow graphs of small models, and the code that is made of them.

mod common;

use beeline_flow::{Code, Effort, Enabling, FlowGraph, FlowNode, enabling, flow_graph, structure};
use common::{GCD, model};

fn flow(text: &str) -> (Enabling, FlowGraph) {
    let facts = enabling(&model(text), Effort::default());
    let graph = flow_graph(&facts, 50, Effort::default());
    (facts, graph)
}

/// Edges as `from operation to`, nodes by the names of what is enabled.
fn edges(facts: &Enabling, graph: &FlowGraph) -> Vec<String> {
    let name = |id| facts.model.operation(id).name.as_str();
    let node = |at: usize| match &graph.nodes[at] {
        FlowNode::Start => "start".to_owned(),
        FlowNode::Enabled(list) => {
            format!("{{{}}}", list.iter().map(|id| name(*id)).collect::<Vec<_>>().join(" "))
        }
    };
    let edge = |e: &beeline_flow::FlowEdge| {
        format!("{} {} {}", node(e.from), e.operation.map_or("init", name), node(e.to))
    };
    graph.edges.iter().map(edge).collect()
}

/// The graph of Figure 17: a keeps itself enabled if P, enables b if Q; b disables itself only.
#[test]
fn the_published_construction_comes_out() {
    let (facts, graph) = flow(
        "MACHINE M VARIABLES x, y INVARIANT x : 0..3 & y : 0..1 INITIALISATION x := 0 || y := 0
         OPERATIONS
           a = SELECT x < 3 THEN x :: 0..3 || y :: 0..1 END;
           b = SELECT y = 1 THEN y := 0 END END",
    );
    let expected = [
        "start init {a}",
        "{a} a {a b}",
        "{a} a {a}",
        "{a} a {b}",
        "{a} a {}",
        "{a b} a {a b}",
        "{a b} a {a}",
        "{a b} a {b}",
        "{a b} a {}",
        "{a b} b {a}",
        "{b} b {}",
    ];
    assert_eq!(edges(&facts, &graph), expected);
    assert!(!graph.cut && graph.dead_ends().len() == 1);
    assert!(structure(&facts, &graph).is_err(), "a and b may be enabled at once");
}

/// Figure 21: two loops in a row.
#[test]
fn the_extended_gcd_is_two_loops() {
    // With this conjunct, nothing but the order of the loops is possible.
    let text = GCD.replace("dn : BOOL &", "dn : BOOL & (up = FALSE => dn = FALSE) &");
    let (facts, graph) = flow(&text);
    assert!(!graph.cut);
    let code = structure(&facts, &graph).unwrap_or_else(|why| panic!("{why}"));
    let name = |id| facts.model.operation(id).name.to_string();
    let line = |c: &Code| match c {
        Code::Do(None) => "init".to_owned(),
        Code::Do(Some(id)) => name(*id),
        Code::While(p, id) => format!("while {} {}", facts.model.show_pred(p), name(*id)),
        Code::Forever(id) => format!("forever {}", name(*id)),
        other => format!("{other:?}"),
    };
    let expected =
        ["init", "upini", "while r(f) /= 0 up_", "dnini", "while f > 0 dn_", "forever gcd"];
    assert_eq!(code.iter().map(line).collect::<Vec<_>>(), expected);
}

#[test]
fn a_loop_has_a_variant_where_one_is_simple() {
    let (facts, _) = flow(
        "MACHINE M VARIABLES i, r INVARIANT i : 0..9 & r : 0..9 INITIALISATION i := 0 || r := 7
         OPERATIONS
           up = SELECT i < 9 THEN i := i + 1 END;
           down = SELECT r /= 0 THEN r := r - 1 END;
           turn = SELECT i > 3 THEN i := 9 - i END END",
    );
    let variant = |at: usize| {
        let id = facts.model.concrete().operations[at];
        facts.variant(id, Effort::default()).map(|e| facts.model.show_expr(&e))
    };
    assert_eq!(variant(0).as_deref(), Some("9 - i"));
    assert_eq!(variant(1).as_deref(), Some("r"));
    assert_eq!(variant(2), None);
}

#[test]
fn a_limit_is_told() {
    let (facts, _) = flow(
        "MACHINE M VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 0 || y := 0
         OPERATIONS any = x :: 0..9;
           a = SELECT x > 1 THEN skip END; b = SELECT x > 2 THEN skip END END",
    );
    let whole = flow_graph(&facts, 50, Effort::default());
    assert_eq!((whole.nodes.len(), whole.cut), (4, false), "what is above 2 is above 1");
    let part = flow_graph(&facts, 3, Effort::default());
    assert!(part.nodes.len() == 3 && part.cut);
}
