//! Flow graphs of small models, and the code that is made of them.

use beeline_flow::{Code, Enabling, FlowGraph, FlowNode, enabling, flow_graph, structure};
use beeline_source::MemoryLoader;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

fn flow(text: &str) -> (Enabling, FlowGraph) {
    let files = MemoryLoader::new().with("M.mch", text);
    let loaded = beeline_elaborate::load(&files, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let facts = enabling(&model, LIMIT);
    let graph = flow_graph(&facts, 50, LIMIT);
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
fn a_limit_is_told() {
    let (facts, _) = flow(
        "MACHINE M VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 0 || y := 0
         OPERATIONS any = x :: 0..9;
           a = SELECT x > 1 THEN skip END; b = SELECT x > 2 THEN skip END END",
    );
    let whole = flow_graph(&facts, 50, LIMIT);
    assert_eq!((whole.nodes.len(), whole.cut), (4, false), "what is above 2 is above 1");
    let part = flow_graph(&facts, 3, LIMIT);
    assert!(part.nodes.len() == 3 && part.cut);
}

const GCD: &str = "\
MACHINE ExtendedGcd
VARIABLES a, b, d, u, v, up, f, s, t, q, r, dn, dk, uk, vk
INVARIANT
  a : 1..8 & b : 1..8 & d : INTEGER & u : INTEGER & v : INTEGER &
  up : BOOL & dn : BOOL & f : 0..8 &
  s : 0..8 +-> INTEGER & t : 0..8 +-> INTEGER &
  q : 0..8 +-> INTEGER & r : 0..8 +-> INTEGER &
  dk : INTEGER & uk : INTEGER & vk : INTEGER
INITIALISATION
  a :: 1..8 || b :: 1..8 || d, u, v := 0, 0, 0 || up := FALSE ||
  f := 0 || s := {} || t := {} || q := {} || r := {} ||
  dn := FALSE || dk, uk, vk := 0, 0, 0
OPERATIONS
  upini = SELECT up = FALSE THEN
      up := TRUE || f := 0 || s := {0 |-> a} || t := {0 |-> b} ||
      q := {0 |-> a / b} || r := {0 |-> a mod b}
    END;
  up_ = SELECT up = TRUE & dn = FALSE & r(f) /= 0 THEN
      f := f + 1 || s(f + 1) := t(f) || t(f + 1) := r(f) ||
      q(f + 1) := t(f) / r(f) || r(f + 1) := t(f) mod r(f)
    END;
  dnini = SELECT up = TRUE & dn = FALSE & r(f) = 0 THEN
      dn := TRUE || dk := t(f) || uk := 0 || vk := 1
    END;
  dn_ = SELECT dn = TRUE & f > 0 THEN
      f := f - 1 || uk := vk || vk := uk - q(f - 1) * vk
    END;
  gcd = SELECT up = TRUE & dn = TRUE & f = 0 THEN
      d := dk || u := uk || v := vk
    END
END";
