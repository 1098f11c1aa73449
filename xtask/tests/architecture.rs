//! What ARCHITECTURE.md says of the crates, held against their manifests and the files that are there.
//!
//! The page has a table: a line a crate, in layers, with the crates it uses. A new crate is a line.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One line of the table.
struct Line {
    /// The first part of the table may be used by everybody, and is not listed.
    everywhere: bool,
    name: String,
    uses: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn page() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The table as it stands on the page.
fn lines(page: &str) -> Vec<Line> {
    let rows = page.lines().skip_while(|l| !l.starts_with("| part | crate | uses |")).skip(2);
    let mut part = String::new();
    rows.take_while(|row| row.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [first, name, uses] = cells[..] else { panic!("three cells are needed: {row}") };
            if !first.is_empty() {
                first.clone_into(&mut part);
            }
            let uses = uses.split(',').map(str::trim).filter(|u| !u.is_empty());
            Line {
                everywhere: part == "everywhere",
                name: name.to_owned(),
                uses: uses.map(str::to_owned).collect(),
            }
        })
        .collect()
}

/// A crate as the page names it.
fn short(name: &str) -> &str {
    name.strip_prefix("beeline-").unwrap_or(name)
}

/// What each crate of the workspace uses of the others, tests aside.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let uses = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().clone().into_iter();
        let own = all.filter(|d| d["kind"] != "dev");
        let names = own.filter_map(|d| names.get(d["name"].as_str()?).copied());
        names.map(|n| short(n).to_owned()).collect()
    };
    packages.iter().map(|p| (short(p["name"].as_str().unwrap()).to_owned(), uses(p))).collect()
}

fn listed(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_table_is_the_graph_of_crates() {
    let table = lines(&page());
    assert!(table.len() > 20, "the table was not found");
    let manifests = manifests();
    let everywhere: BTreeSet<&str> =
        table.iter().filter(|l| l.everywhere).map(|l| l.name.as_str()).collect();
    let mut wrong = Vec::new();
    for (name, uses) in &manifests {
        let mut uses = uses.clone();
        uses.retain(|u| !everywhere.contains(u.as_str()));
        let said: Vec<&Line> = table.iter().filter(|l| l.name == *name).collect();
        match said[..] {
            [line] if line.uses == uses => {}
            [_] => wrong.push(format!("`{name}` uses: {}", listed(&uses))),
            [] => wrong.push(format!("a line is missing: | | {name} | {} |", listed(&uses))),
            _ => wrong.push(format!("`{name}` has several lines")),
        }
    }
    let gone = table.iter().filter(|l| !manifests.contains_key(&l.name));
    wrong.extend(gone.map(|l| format!("there is no crate `{}`", l.name)));
    assert!(wrong.is_empty(), "the table in ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn a_crate_uses_only_crates_above_it() {
    let mut above = BTreeSet::new();
    for line in lines(&page()) {
        let below: Vec<&String> = line.uses.iter().filter(|u| !above.contains(*u)).collect();
        assert!(below.is_empty(), "`{}` stands above {below:?}, which it uses", line.name);
        above.insert(line.name);
    }
}

/// The second evaluator shares the typed model with the first, and nothing else.
#[test]
fn the_judge_knows_the_typed_model_alone() {
    let manifests = manifests();
    let words = |name: &str| manifests[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(words("judge"), ["model", "source"]);
    assert_eq!(words("model"), ["source"]);
    assert_eq!(words("source"), [""; 0]);
}

#[test]
fn every_crate_has_its_paragraph() {
    let page = page();
    for name in manifests().keys() {
        let whole = match name.as_str() {
            "beeline" | "xtask" => name.clone(),
            _ => format!("beeline-{name}"),
        };
        assert!(page.contains(&format!("\n**`{whole}`** — ")), "no paragraph tells of {whole}");
    }
}

/// Files and folders that the page names are there: `beeline-x/src/…`, `xtask/…`.
#[test]
fn files_that_are_named_are_there() {
    let page = page();
    let mut seen = 0;
    for named in page.split('`').skip(1).step_by(2) {
        let path = named.strip_prefix("crates/").unwrap_or(named);
        let Some((folder, rest)) = path.split_once('/') else { continue };
        let place = match folder {
            "xtask" | "docs" => root().join(path),
            _ if folder.starts_with("beeline-") => root().join("crates").join(folder).join(rest),
            _ => continue,
        };
        if path.contains(['*', '…', ' ']) {
            continue;
        }
        assert!(place.exists(), "ARCHITECTURE.md names `{named}`, which is not there");
        seen += 1;
    }
    assert!(seen > 20, "{seen} files are named");
}
