//! The public corpus, where it is at hand: what ProB loads must parse.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("BEELINE_SHARED").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    named.into_iter().chain([beside]).find(|p| p.join("corpus/oracle.csv").is_file())
}

/// The column `why` of each classical B model.
fn recorded(oracle: &str) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for line in oracle.lines().skip(1) {
        // No field of the columns used here is quoted; `why` is the last.
        let fields: Vec<&str> = line.split(',').collect();
        if let [path, "b", .., why] = fields[..] {
            rows.insert(path.to_owned(), why.to_owned());
        }
    }
    rows
}

fn model_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if path.is_dir() {
            model_files(&path, out);
        } else if ["mch", "ref", "imp", "sys", "def"].contains(&extension) {
            out.push(path);
        }
    }
}

#[test]
fn what_prob_loads_parses() {
    let Some(shared) = shared() else {
        eprintln!("skipped: no corpus (set BEELINE_SHARED)");
        return;
    };
    let why = recorded(&std::fs::read_to_string(shared.join("corpus/oracle.csv")).unwrap());
    let models = shared.join("corpus/models");
    let mut files = Vec::new();
    model_files(&models, &mut files);
    let (mut bytes, mut rejected, mut wrong) = (0, 0, Vec::new());
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        bytes += text.len();
        let parsed = beeline_syntax::parse_file(&text, 1);
        if !parsed.problems.has_errors() {
            assert!(parsed.unit.is_some(), "{}", path.display());
            continue;
        }
        rejected += 1;
        let name = path.strip_prefix(&models).unwrap().to_string_lossy().into_owned();
        let why = why.get(&name).map_or("", String::as_str);
        if !matches!(why, "load_error" | "not_recorded") {
            wrong.push((name, parsed.problems.list()[0].message.clone()));
        }
    }
    eprintln!("{} files, {bytes} bytes, {rejected} with syntax errors", files.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
