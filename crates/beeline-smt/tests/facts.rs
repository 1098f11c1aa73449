//! Scripts, and what solvers say of them where they are installed.
#![allow(clippy::print_stderr)]

use beeline_model::{Model, Pred};
use beeline_prove::{Context, Obligation, Source};
use beeline_smt::{Smt, Solver, script};
use beeline_source::MemoryLoader;

fn model(invariant: &str) -> Model {
    let text = format!(
        "MACHINE M SETS P; C = {{red, green}} VARIABLES x, y, s, t, f, c
         INVARIANT x : INTEGER & y : INTEGER & s <: P & t <: P & f : P <-> INTEGER & c : C & {invariant}
         INITIALISATION x, y, s, t, f := 0, 0, {{}}, {{}}, {{}} || c := red END"
    );
    let files = MemoryLoader::new().with("M.mch", &text);
    let loaded = beeline_elaborate::load(&files, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

fn facts(model: &Model) -> Vec<&Pred> {
    model.concrete().invariants.iter().map(|i| &i.conjunct.pred).collect()
}

/// Facts, and whether they exclude each other.
const ROWS: [(&str, bool); 12] = [
    ("x > y & y > x", true),
    ("x > y & y > x - 2", false),
    ("2 * x = 2 * y + 1", true),
    ("s <: t & not(s \\/ t = t)", true),
    ("s <: t & not(s /\\ t = t)", false),
    ("f : P +-> INTEGER & #p.(p : P & p |-> 1 : f & p |-> 2 : f)", true),
    ("#p.(p : P & p |-> 1 : f & p |-> 2 : f)", false),
    ("f : P --> 1..3 & #p.(p : s & f(p) > 5)", false),
    ("c /= red & c /= green", true),
    ("c /= red & c = green", false),
    ("card(s) < 0", true),
    ("x mod 3 = 5 & x >= 0", true),
];

#[test]
fn a_script_declares_what_it_speaks_of() {
    let model = model("x > 3 & x : 1..9 & c = red");
    let text = script(&model, &facts(&model), 7);
    assert!(text.starts_with("(set-option :rlimit 7)"), "{text}");
    assert!(text.contains("(declare-datatypes ((G1 0)) (((e1_0) (e1_1))))"), "{text}");
    assert!(text.ends_with("(check-sat)\n"), "{text}");
}

fn ask(solver: Solver) {
    let Ok(mut smt) = Smt::new(solver) else {
        eprintln!("skipped: {} is not installed", solver.name());
        return;
    };
    for (text, expected) in ROWS {
        let model = model(text);
        let all = facts(&model);
        let context = Context::default();
        let excluded = smt.excludes(&Obligation { model: &model, context: &context, facts: &all });
        assert_eq!(excluded, expected, "{text}\n{}", script(&model, &all, 1));
    }
    assert_eq!(smt.asked.0, ROWS.len() as u64);
}

#[test]
fn z3_says_what_excludes_each_other() {
    ask(Solver::Z3);
}

#[test]
fn cvc5_says_what_excludes_each_other() {
    ask(Solver::Cvc5);
}
