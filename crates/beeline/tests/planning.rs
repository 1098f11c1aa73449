//! The order in which conjuncts are taken changes how much is tried, and nothing else.

#![allow(clippy::unwrap_used)]

use beeline::compile::{Settings, System};
use beeline::explore::{Cancel, Options};
use beeline::model::Model;
use beeline::plan::{Act, Generator, PlanStep, Policy};
use beeline::source::MemoryLoader;
use beeline::{CheckOptions, Checked, OpenOptions, Tier};
use std::path::Path;

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline::model::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

/// What no order may change: verdict, counts, transitions of each operation, the set of states, cuts.
fn told(model: &Model, engine: Tier, policy: Policy) -> String {
    let mut explore = Options { threads: 1, all: true, stats: true, ..Options::default() };
    explore.limits.states = Some(100_000);
    let options = CheckOptions { explore, engine, policy, ..CheckOptions::default() };
    let outcome = Checked::run(model, &options, &Cancel::new(), &|_| {}).unwrap().outcome;
    let facts = &outcome.exploration;
    format!(
        "{} {} {} {:?} {:?} {:?}",
        outcome.verdict.word(),
        facts.counts.nodes,
        facts.counts.transitions,
        facts.covered,
        facts.stats.as_ref().unwrap().checksum,
        outcome.cuts,
    )
}

fn same_in_every_order(name: &str, model: &Model) -> String {
    let planned = told(model, Tier::Native, Policy::Estimated);
    for engine in [Tier::General, Tier::Packed] {
        assert_eq!(told(model, engine, Policy::AsWritten), planned, "{name} {engine:?}");
    }
    planned
}

#[test]
fn examples_are_the_same_without_planning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.extension().is_some_and(|e| e == "mch") {
            let loaded = beeline::open(&path, &OpenOptions::default());
            same_in_every_order(&path.display().to_string(), &loaded.model.unwrap());
            seen += 1;
        }
    }
    assert!(seen > 3, "{seen}");
}

#[test]
fn what_has_no_meaning_or_no_end_is_the_same_without_planning() {
    for clauses in [
        // A conjunct without a meaning before the one that rules its values out, and after it.
        "VARIABLES f INVARIANT f : 1..3 +-> 0..3 INITIALISATION f := {1 |-> 0}
         OPERATIONS a(x) = PRE x : 0..4 & 6 / f(x) = 2 & f(x) > 0 & x : dom(f) THEN f := {} END;
           b(x) = PRE x : dom(f) & f(x) > 0 & 6 / f(x) = 2 THEN f(x) := 3 END;
           c(x,y) = PRE x : 1..3 & y : NAT & y < 3 & x |-> y : f THEN f(x) := y + 1 END",
        // As written, numbers have no bound, or sets are large, until a later conjunct says more.
        "VARIABLES s INVARIANT s <: 0..9 INITIALISATION s := {}
         OPERATIONS a(x,y) = PRE x : NATURAL & y : INTEGER & y = x + 1 & x < 4 THEN s := {x, y} END;
           b(t) = PRE t : POW(INTEGER) & t <: s & t /= {} THEN s := s - t END;
           c(r) = PRE r : POW((0..9) * (0..9)) & r = s * {0} & r /= {} THEN s := {} END",
        // Alternatives and quantifiers inside of conjuncts.
        "VARIABLES r INVARIANT r : 0..3 <-> 0..3 INITIALISATION r := {}
         OPERATIONS a(x,y) = PRE (x = 1 & y = 2) or (x : 0..3 & y = x) THEN r := r \\/ {x |-> y} END;
           b(x) = PRE x : 0..3 & #y.(y : 0..3 & y > x & y |-> x : r) THEN r := {} END;
           c = SELECT !(x,y).(x : 0..3 & y : 0..3 & x |-> y : r => x = y) THEN r := r~ END",
    ] {
        same_in_every_order(clauses, &model(clauses));
    }
}

#[test]
fn whether_a_fault_is_seen_does_not_depend_on_estimates() {
    // `x` is tried with all elements, however many there are: all but one are outside the domain.
    for size in [4, 40, 200] {
        let clauses = format!(
            "SETS S DEFINITIONS scope_S == {size} VARIABLES f INVARIANT f : S +-> 0..1
             INITIALISATION ANY x WHERE x : S THEN f := {{x |-> 0}} END
             OPERATIONS go = ANY x WHERE f(x) = 0 THEN f(x) := 1 END"
        );
        let told = same_in_every_order(&clauses, &model(&clauses));
        assert!(told.starts_with("violated"), "{size}: {told}");
    }
}

#[test]
fn a_number_that_propagation_does_not_bound_is_found_by_the_plan() {
    // So many candidates are expected that the solver is asked, which learns nothing about `n`.
    let clauses = "SETS C = {c1, c2, c3, c4, c5, c6, c7, c8}; T = {t1, t2}
        CONSTANTS units, table PROPERTIES
          units = [{1 |-> {1, 2}}, {1 |-> {3}, 2 |-> {4}}] &
          table = {(c1, 12, t1, 1), (c1, 22, t1, 2), (c2, 5, t2, 2)}
        VARIABLES v INVARIANT v <: 0..30 INITIALISATION v := {}
        OPERATIONS go = ANY i WHERE i : 1..4 THEN
          v := {n | #(k, u, g, c, t).((k, u) : units & g : ran(u) & i : g & (c, n, t, k) : table)}
        END";
    let told = same_in_every_order(clauses, &model(clauses));
    // {}, {12} and {5, 22}: not one state for each way to write the same set.
    assert!(told.starts_with("holds 5 8 "), "{told}");
}

#[test]
fn conjuncts_are_taken_as_written() {
    let model = model(
        "VARIABLES a, b INVARIANT a <: 1..9 & b : 1..9 INITIALISATION a, b := {}, 1
         OPERATIONS go(x,y,z) = PRE x : a & y : 1..4 & x /= y & y = b & z : BOOL THEN b := x END",
    );
    let names = |policy| {
        let settings = Settings { policy, ..Settings::of(&model) };
        let system = System::compile(&model, &settings).unwrap();
        let plan = system.plans().operation(&model, system.operations()[0].id);
        let word = |step: &PlanStep| match &step.act {
            Act::Test { .. } => "test".to_owned(),
            Act::Bind { from: Generator::Value { pattern, .. }, .. } => {
                format!("let {}", model.show_expr(pattern))
            }
            Act::Bind { from: Generator::Member { pattern, .. }, .. } => {
                format!("each {}", model.show_expr(pattern))
            }
            other => format!("{other:?}"),
        };
        plan.steps.iter().map(word).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(names(Policy::AsWritten), "each x, each y, test, test, each z");
    assert_eq!(names(Policy::Estimated), "let y, test, each z, each x, test");
}

/// Estimates cannot tell `big` from `few`: both are variables. In the states of the sample one has 200
/// elements, the other two, and what is said about their sum makes either give the other.
const MISLEADING: &str = "VARIABLES big, few, i, j, k
    INVARIANT big <: 1..300 & few <: 1..300 & i : 0..30 & j : 0..60 & k : 0..9
    INITIALISATION big, few, i, j, k := 1..200, {1, 2}, 0, 0, 0
    OPERATIONS right = PRE i < 30 THEN i := i + 1 END; up = PRE j < 60 THEN j := j + 1 END;
      hit = ANY x, y WHERE x : big & y : few & x + y = i + 2 & x > j THEN k := x mod 10 END;
      pick(x, y) = PRE x : big & y : few & x = 7 * y + i & j > 50 & y /= k THEN k := y END;
      fail = PRE i = 30 & j = 20 & k = 5 THEN i := 31 END";

struct Run {
    told: String,
    traces: String,
    replanned: Vec<(usize, u32, f64, f64, Vec<String>)>,
}

fn run(model: &Model, change: impl FnOnce(&mut CheckOptions)) -> Run {
    let explore = Options { threads: 1, all: true, stats: true, ..Options::default() };
    let mut options = CheckOptions { explore, ..CheckOptions::default() };
    change(&mut options);
    let outcome = Checked::run(model, &options, &Cancel::new(), &|_| {}).unwrap().outcome;
    let facts = &outcome.exploration;
    let stats = facts.stats.as_ref().unwrap();
    let traces: Vec<_> = outcome.findings.iter().map(|f| format!("{:?}", f.trace)).collect();
    Run {
        told: format!("{:?} {:?} {:?}", facts.covered, facts.counts.nodes, stats.checksum),
        traces: traces.join("\n"),
        replanned: stats
            .replanned
            .iter()
            .map(|r| {
                let c = &r.change;
                (c.operation.0, r.point, c.before, c.after, c.order.clone())
            })
            .collect(),
    }
}

#[test]
fn what_is_measured_makes_another_plan() {
    let model = model(MISLEADING);
    let plain = run(&model, |_| {});
    assert_eq!(
        plain.replanned,
        [(2, 1024, 200.0, 2.0, vec!["y in few".to_owned()])],
        "the operation, from which state on, choices in a state before and after, the new plan"
    );
    // The states are the same for plans that stay as they are, and for no planning at all.
    let kept = run(&model, |o| o.explore.replan = false);
    assert!(kept.replanned.is_empty());
    assert_eq!(kept.told, plain.told);
    assert!(plain.traces.len() > 100);
}

#[test]
fn plans_change_at_the_same_state_for_everyone() {
    let model = model(MISLEADING);
    let plain = run(&model, |_| {});
    let check = |name: &str, other: Run| {
        assert_eq!(other.replanned, plain.replanned, "{name}");
        assert_eq!(other.told, plain.told, "{name}");
        assert_eq!(other.traces, plain.traces, "{name}");
    };
    for threads in [2, 4] {
        check("threads", run(&model, |o| o.explore.threads = threads));
    }
    for engine in [Tier::General, Tier::Packed] {
        check("engine", run(&model, |o| o.engine = engine));
    }
    check("nothing remembered", run(&model, |o| o.forgetful = true));
    check("on disk", run(&model, |o| o.explore.spill.after_states = Some(100)));
    check("on disk later", run(&model, |o| o.explore.spill.after_states = Some(5_000)));
}

/// Quantifiers, parameters and choices: all of them queries.
const QUERIES: &str = "SETS S = {s1, s2, s3} VARIABLES f, v, n
    INVARIANT f : S +-> S & v <: S & n : 0..9 & !(x, y).(x : S & y : v & x |-> y : f => x /= y)
      & (v /= {} => #z.(z : v & !w.(w : S & w /: v => w /= z)))
    INITIALISATION f, v, n := {}, {}, 0
    OPERATIONS link(a, b) = PRE a : S & b : S & a /= b & a /: dom(f) THEN f(a) := b END;
      add = ANY x WHERE x : S - v & !y.(y : v => y /= x) THEN v := v \\/ {x} END;
      step = SELECT n < 9 THEN n :(n : 0..9 & n > n$0) END";

#[test]
fn no_query_is_planned_twice() {
    use beeline::compile::Builder;
    use beeline::pack::{PackedSystem, Setups, Source};
    use beeline::transition::{ConstantsRef, TransitionSystem};
    let model = model(QUERIES);
    let mut builder = Builder::new(&model, &Settings::of(&model)).unwrap();
    let source = Source::new(&model, &mut builder);
    let system = builder.build();
    let made = system.plans().made();
    assert!(made >= 7, "{made}");
    let mut packed = PackedSystem::new(&system, &source, None);
    packed.begin(&Setups::of(&[ConstantsRef(&[])]), &[]);
    let refused: Vec<&str> = packed.refused().iter().map(|(name, _)| name.as_str()).collect();
    assert!(!refused.contains(&"link") && !refused.contains(&"add"), "{refused:?}");
    // The fast tier found every plan that the closures were made from.
    assert_eq!(system.plans().made(), made);
    // And so does who shows them: it is the very same plan, not one that looks alike.
    let id = system.operations()[0].id;
    let plan = || system.plans().operation(&model, id);
    assert!(std::sync::Arc::ptr_eq(&plan(), &plan()));
    assert_eq!(system.plans().made(), made);
}

#[test]
fn what_is_shown_is_what_runs() {
    // Nothing bounds x but the conditions of the branches: each has a plan of its own.
    let model = model(
        "VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0
         OPERATIONS go(x) = PRE x : INTEGER THEN
           IF x : 1..3 THEN v := x ELSIF x = 7 THEN v := 8 ELSE skip END END",
    );
    let system = System::compile(&model, &Settings::of(&model)).unwrap();
    let plan = system.plans().operation(&model, system.operations()[0].id);
    let Act::Bind { from: Generator::Any { plans, of_if: true, .. }, .. } = &plan.steps[0].act
    else {
        panic!("{plan:?}")
    };
    assert_eq!(plans.len(), 3);
    assert_eq!(plans[0].candidates(), 3.0);
}
