//! Printed formulas read as they were written, and mean what they meant.

#![allow(clippy::unwrap_used)]

use beeline_elaborate::load_with;
use beeline_model::{Formula, Model};
use beeline_source::MemoryLoader;

const WORLD: &str = "MACHINE World SETS D = {d1, d2, d3}; T CONSTANTS c, f, g
    PROPERTIES c : INTEGER & f : D --> INTEGER & g : D <-> D
    VARIABLES v, s, r INVARIANT v : 0..9 & s : seq(D) & r : struct(a : INTEGER, b : BOOL)
    INITIALISATION v := 0 || s := [] || r := rec(a : 1, b : TRUE) END";

fn print(text: &str) -> String {
    let loader = MemoryLoader::new().with("World.mch", WORLD);
    let loaded = load_with(&loader, "World.mch", &[text]);
    let Some(model) = loaded.model else { panic!("{text}: {:?}", loaded.diagnostics.list()) };
    match loaded.formulas.into_iter().next().flatten() {
        Some(Formula::Expr(expr)) => model.show_expr(&expr),
        Some(Formula::Pred(_, pred)) => model.show_pred(&pred),
        None => panic!("{text} is no formula"),
    }
}

#[test]
fn formulas_are_printed_as_they_are_written() {
    for text in [
        "v + 1 - (2 - c) * 3 / 2 ** 3 ** v mod 4",
        "(v + 1) * -c",
        "-(v + 1) - -3",
        "f(d1) > v & (g~[{d1, d2}] <: ran(g) or v = 0) & not(d1 |-> d2 : g)",
        "!(x,y).(x : D & y : D & x /= y => f(x) /= f(y))",
        "#x.(x : D & f(x) > 3 or (v > 1 & v < 3))",
        "(v = 1 => v = 2) => v = 3",
        "v = 1 => (v = 2 => v = 3)",
        "v = 1 & (v = 2 => c = 3)",
        "{x | x : 1..10 & x mod 2 = 0} \\/ {1, 2} - {3}",
        "%(x,y).(x : D & y : 1..v | f(x) + y)",
        "SIGMA(x).(x : D | f(x)) + card({(x).(x : D) | f(x) * 2})",
        "(f <+ {d1 |-> 3})(d1) + (f(d2) + 1)",
        "s ^ [d1, d2] <- d3 = front(s) /|\\ 2",
        "(g ; f) : D +-> INTEGER & closure1(g) /\\ id(D) = {}",
        "D --> (1..3 +-> BOOL) = {} & POW(D) * seq(D) /= {}",
        "rec(a : v, b : bool(v > 2)) = r & r'a > 3",
        "IF v > 3 THEN {d1 |-> (d2 |-> d3)} ELSE {} END",
        "LET x BE x = v + 1 IN x * x END",
        "1 - (2 - 3) = (1 - 2) - 3",
        "{d1 |-> 1, d2 |-> 2}[{d1}] = {max({1, 2})}",
        "v : NATURAL1 & f : D >->> {1, 2, 3} & T /= {}",
    ] {
        // What the author put in brackets for the eye alone is left out.
        let expected = match text {
            "#x.(x : D & f(x) > 3 or (v > 1 & v < 3))" => {
                "#x.((x : D & f(x) > 3) or (v > 1 & v < 3))"
            }
            "(v = 1 => v = 2) => v = 3" => "v = 1 => v = 2 => v = 3",
            "1 - (2 - 3) = (1 - 2) - 3" => "1 - (2 - 3) = 1 - 2 - 3",
            _ => text,
        };
        let found = print(text);
        assert_eq!(found, expected);
        assert_eq!(print(&found), found, "read again");
    }
}

/// Every invariant of the examples, printed, read and printed again.
#[test]
fn what_is_printed_can_be_read_again() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "mch") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let loader = MemoryLoader::new().with("M.mch", &text);
        let Some(model) = beeline_elaborate::load(&loader, "M.mch").model else { continue };
        let printed: Vec<String> =
            model.concrete().invariants.iter().map(|i| model.show_pred(&i.conjunct.pred)).collect();
        let formulas: Vec<&str> = printed.iter().map(String::as_str).collect();
        let again = load_with(&loader, "M.mch", &formulas);
        let Some(again_model) = again.model else {
            panic!("{}: {:?}", path.display(), again.diagnostics.list())
        };
        for (before, formula) in printed.iter().zip(again.formulas) {
            assert_eq!(*before, reprint(&again_model, formula), "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} invariants");
}

fn reprint(model: &Model, formula: Option<Formula>) -> String {
    match formula {
        Some(Formula::Pred(_, pred)) => model.show_pred(&pred),
        other => panic!("{other:?}"),
    }
}
