//! Every input that once broke a promise is tried again, on every target.

#![allow(clippy::unwrap_used)]

use beeline_fuzz::TARGETS;
use std::fs;
use std::path::Path;

#[test]
fn old_findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut inputs: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    inputs.sort();
    assert!(!inputs.is_empty());
    for input in inputs {
        let bytes = fs::read(&input).unwrap();
        for (name, target) in TARGETS {
            let kept = std::panic::catch_unwind(|| target(&bytes));
            assert!(kept.is_ok(), "{name} breaks its promise on {}", input.display());
        }
    }
}
