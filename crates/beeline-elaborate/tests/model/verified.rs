//! The typed model keeps its promises: on the examples, and on the public corpus where it is.

use crate::support::{Folder, errors};
use beeline_elaborate::load;
use beeline_model::{Model, TypeId, verify};
use std::path::{Path, PathBuf};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp"));
    paths.sort();
    paths
}

#[test]
fn examples_are_sound() {
    let mut count = 0;
    for path in examples() {
        let loaded = load(&Folder { roots: Vec::new() }, path.to_str().unwrap());
        assert_eq!(errors(&loaded), "", "{}", path.display());
        assert_eq!(verify(&loaded.model.unwrap()), [""; 0], "{}", path.display());
        count += 1;
    }
    assert!(count >= 17, "only {count} examples");
}

fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("BEELINE_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    named.into_iter().chain([beside]).find(|p| p.join("corpus/oracle.csv").is_file())
}

/// Every classical-B row of the corpus: its path, and whether ProB loaded it, if that is recorded.
fn rows(oracle: &str) -> Vec<(String, Option<bool>)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [path, "b", .., why] = cells[..] else { return None };
        let loads = match why {
            "load_error" => Some(false),
            "not_recorded" => None,
            _ => Some(true),
        };
        Some((path.to_owned(), loads))
    };
    oracle.lines().skip(1).filter_map(row).collect()
}

#[test]
fn corpus_is_sound() {
    let Some(shared) = shared() else {
        eprintln!("skipped: no corpus (set BEELINE_SHARED)");
        return;
    };
    let models = shared.join("corpus/models");
    let rows = rows(&std::fs::read_to_string(shared.join("corpus/oracle.csv")).unwrap());
    let loader = Folder { roots: vec![format!("{}/", models.display())] };
    let (mut refused, mut unsound, mut loaded_count) = (Vec::new(), Vec::new(), 0);
    for (path, loads) in &rows {
        let loaded = load(&loader, models.join(path).to_str().unwrap());
        match &loaded.model {
            Some(model) => {
                loaded_count += 1;
                unsound.extend(verify(model).first().map(|c| format!("{path}: {c}")));
            }
            None if *loads == Some(true) => refused.push(format!("{path}: {}", errors(&loaded))),
            None => {}
        }
    }
    eprintln!("{} models, {loaded_count} load", rows.len());
    assert!(unsound.is_empty(), "{} unsound: {unsound:#?}", unsound.len());
    assert!(refused.is_empty(), "{} refused: {refused:#?}", refused.len());
}

/// The verifier is no rubber stamp: a model that is bent is complained of.
#[test]
fn bent_models_are_found() {
    let text =
        "MACHINE M SETS S = {a, b} VARIABLES x, r INVARIANT x : NAT & r : struct(f : S, g : S)
        & !k.(k : 1..3 => k /= x) INITIALISATION x := 0 || r := rec(f : a, g : b)
        OPERATIONS o(p) = PRE p : NAT THEN x := p + x END; q = r'g := a END";
    let good = crate::support::model(text);
    let bend = |change: &dyn Fn(&mut Model), expected: &str| {
        let mut model = good.clone();
        change(&mut model);
        let found = verify(&model);
        assert!(found.iter().any(|c| c.contains(expected)), "{expected}: {found:#?}");
    };
    bend(&|m| m.variables[0].ty = TypeId(0), "type INTEGER does not fit Variable");
    bend(&|m| m.variables[0].ty = TypeId(9_999), "variable x: has no type");
    bend(&|m| m.locals[0].ty = TypeId(0), "does not fit Local");
    bend(&|m| m.operations[0].reads.clear(), "operation o: has another read set than its body");
    bend(&|m| m.operations[1].writes.clear(), "operation q: has another write set than its body");
    bend(&|m| m.operations[0].parameters.clear(), "`p` is used outside its scope");
    bend(&|m| m.levels[0].variables.clear(), "writes the state of another level");
    let glued = |m: &mut Model| {
        let level = &mut m.levels[0];
        level.gluing.invariants.push(level.invariants.remove(0));
    };
    bend(&glued, "is gluing exactly if");
    bend(&|m| m.sets[0].elements = None, "has elements exactly if it is enumerated");
    bend(&|m| m.levels[0].operations.push(beeline_model::OperationId(9)), "is not there");
    let twice = |m: &mut Model| {
        let mut copy = m.levels[0].invariants[2].clone();
        copy.conjunct.span.end += 1;
        m.levels[0].invariants.push(copy);
    };
    bend(&twice, "binds `k`, as another formula does");
    let path = |m: &mut Model| {
        let beeline_model::SubstKind::Assign(list) = &mut m.operations[1].body.kind else { return };
        list[0].target.path = vec![beeline_model::Access::Field(7)];
    };
    bend(&path, "the path of a target does not fit struct(f : S, g : S)");
}
