//! The typed model keeps its promises: on the examples, and on the public corpus where it is.

use crate::support::{Folder, errors};
use beeline_model::{Model, TypeId, load, verify};
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
