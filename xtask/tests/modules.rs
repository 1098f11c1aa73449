//! No import cycle between modules, in any crate.
//!
//! Modules with the same parent are compared: the top-level modules of a crate, and the children of each
//! module that has some. One depends on another if a file of it, or of a module below it, names
//! something in the other or below it: by a `use` or by a path in the code that begins with `crate`,
//! `super`, `self` or a child's name. A name that a parent imports or re-exports counts as what it
//! stands for. A module and its own children count as one: a child is a part of its parent, and may go
//! through that door. Methods are not followed, and `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path in the crate; the root is empty.
type Module = Vec<String>;

#[test]
fn no_crate_has_modules_that_import_each_other_in_a_circle() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut roots = vec![workspace.join("xtask/src")];
    for entry in fs::read_dir(workspace.join("crates")).expect("the crates") {
        roots.push(entry.expect("a crate").path().join("src"));
    }
    roots.sort();
    let found: Vec<String> = roots.iter().flat_map(|root| circles(root)).collect();
    assert!(found.is_empty(), "modules that import each other:\n{}", found.join("\n"));
}

#[test]
fn a_circle_is_seen_wherever_it_is_hidden() {
    let crate_of = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(path, text)| (module_of(Path::new(path)), clean(text)));
        let files = files.collect();
        circles_of(&files).iter().map(|c| c.join(" ")).collect::<Vec<_>>()
    };
    let none: Vec<String> = Vec::new();
    let lib = ("lib.rs", "mod a; mod b; mod c; pub use a::A; use b::{self, B as Other};");
    let open = [lib, ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::c::*;"), ("c.rs", "")];
    assert_eq!(crate_of(&open), none);
    for back in [
        "use crate::a::A;",
        "use crate::{a, b};",
        "fn f() { super::a::g() }",
        "use super::super::a::x::y; // nothing",
        "use crate::A;",
        "fn f() -> crate::A { 'x' }",
    ] {
        let deeper = ("c/d.rs", back);
        let direct = ("c.rs", back);
        let closing = if back.contains("super::super") { deeper } else { direct };
        let mut files = open.to_vec();
        files.retain(|(path, _)| *path != closing.0);
        files.push(closing);
        assert_eq!(crate_of(&files), ["a b c"], "{back}");
    }
    // What is said, quoted or tried is not done; and a child may use its parent.
    for harmless in [
        "// use crate::a::A;",
        "fn f() { \"crate::a::A\" }",
        "#[cfg(test)] mod tests { use crate::a::A; }",
        "mod d; use d::X;",
        "/* crate::a::A */ fn f() {}",
    ] {
        let mut files = open.to_vec();
        files.retain(|(path, _)| *path != "c.rs");
        files.extend([("c.rs", harmless), ("c/d.rs", "use super::Y;")]);
        assert_eq!(crate_of(&files), none, "{harmless}");
    }
    // Children among themselves.
    let children = [("lib.rs", ""), ("a/x.rs", "use super::y::Y;"), ("a/y.rs", "use super::x::X;")];
    assert_eq!(crate_of(&children), ["a::x a::y"]);
}

/// The circles of the crate whose sources are in a folder, in words.
fn circles(root: &Path) -> Vec<String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let inside: PathBuf = path.strip_prefix(root).expect("inside").to_path_buf();
                files.insert(module_of(&inside), clean(&text));
            }
        }
    }
    let name = root.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    circles_of(&files).iter().map(|circle| format!("{name}: {}", circle.join(", "))).collect()
}

fn module_of(file: &Path) -> Module {
    let path = file.with_extension("");
    let mut module: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

/// A text without comments, strings, characters and what is compiled for tests only.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            'r' if rest.starts_with("r\"") => quoted(&rest[1..], false) + 1,
            'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |at| at + 2),
            '"' => quoted(rest, true),
            '\'' => character(rest),
            _ => 0,
        };
        if skipped > 0 {
            out.push(' ');
            rest = &rest[skipped..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    without_tests(out)
}

/// The length of a string with its quotes.
fn quoted(text: &str, escapes: bool) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if escapes => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; nothing for a lifetime.
fn character(text: &str) -> usize {
    let inner: Vec<(usize, char)> = text.char_indices().take(3).collect();
    match inner.as_slice() {
        [_, (_, '\\'), ..] => text[2..].find('\'').map_or(0, |at| at + 3),
        [_, _, (at, '\'')] => at + 1,
        _ => 0,
    }
}

/// Leaves out items that are compiled for tests only.
fn without_tests(mut text: String) -> String {
    while let Some(start) = text.find("#[cfg(test)]") {
        let body = &text[start..];
        let end = match (body.find('{'), body.find(';')) {
            (Some(brace), semicolon) if semicolon.is_none_or(|at| brace < at) => {
                let mut depth = 0;
                let closing = body.char_indices().find(|(_, c)| {
                    depth += i32::from(*c == '{') - i32::from(*c == '}');
                    *c == '}' && depth == 0
                });
                closing.map_or(body.len(), |(at, _)| at + 1)
            }
            (_, Some(semicolon)) => semicolon + 1,
            _ => body.len(),
        };
        text.replace_range(start..start + end, "");
    }
    text
}

/// Groups of modules with one parent that depend on each other in a circle.
fn circles_of(files: &BTreeMap<Module, String>) -> Vec<Vec<String>> {
    let mut modules: BTreeSet<Module> = BTreeSet::from([Module::new()]);
    for module in files.keys() {
        (0..=module.len()).for_each(|n| {
            modules.insert(module[..n].to_vec());
        });
    }
    let names = imported(&modules, files);
    let mut edges: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, text) in files {
        let (imports, others) = paths(text);
        let all = imports.iter().chain(&others);
        for target in all.filter_map(|path| resolve(&modules, &names, module, path)) {
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (module.get(shared), target.get(shared)) {
                let siblings = edges.entry(target[..shared].to_vec()).or_default();
                siblings.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let mut found = Vec::new();
    for (parent, siblings) in &edges {
        let name =
            |child: &String| [parent.as_slice(), std::slice::from_ref(child)].concat().join("::");
        for circle in components(siblings) {
            found.push(circle.iter().map(name).collect());
        }
    }
    found
}

/// What a module imports from modules of the same crate, by the name it has there.
type Imported = BTreeMap<Module, BTreeMap<String, Module>>;

fn imported(modules: &BTreeSet<Module>, files: &BTreeMap<Module, String>) -> Imported {
    let mut names = Imported::new();
    for (module, text) in files {
        for path in paths(text).0 {
            if let Some(target) = resolve(modules, &Imported::new(), module, &path)
                && let Some(last) = path.last()
                && !modules.contains(&[module.as_slice(), std::slice::from_ref(last)].concat())
            {
                let own = names.entry(module.clone()).or_default();
                own.entry(last.clone()).or_insert(target);
            }
        }
    }
    names
}

/// The module that a path leads to.
fn resolve(
    modules: &BTreeSet<Module>,
    names: &Imported,
    from: &Module,
    path: &[String],
) -> Option<Module> {
    let child = |module: &[String], name: &String| [module, std::slice::from_ref(name)].concat();
    let (mut at, mut rest) = match path.first()?.as_str() {
        "crate" => (Module::new(), &path[1..]),
        "self" => (from.clone(), &path[1..]),
        "super" => {
            let up = path.iter().take_while(|part| *part == "super").count();
            (from[..from.len().checked_sub(up)?].to_vec(), &path[up..])
        }
        _ if modules.contains(&child(from, &path[0])) => (from.clone(), path),
        _ => return None,
    };
    while let Some((next, others)) = rest.split_first() {
        let below = child(&at, next);
        if !modules.contains(&below) {
            // A name that somebody imports there stands for something elsewhere.
            let known = names.get(&at).and_then(|names| names.get(next));
            return Some(known.cloned().unwrap_or(at));
        }
        (at, rest) = (below, others);
    }
    Some(at)
}

/// All paths in a text: those of `use`, taken apart, and those in the code.
fn paths(text: &str) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let (mut imports, mut others) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        rest = &rest[at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        if word == "use" {
            let (tree, after) = rest.split_at(rest.find(';').unwrap_or(rest.len()));
            expand(&[], tree, &mut imports);
            rest = after;
        } else if word.contains("::") {
            others.push(parts(word));
        }
    }
    (imports, others)
}

fn parts(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// Takes the tree of a `use` apart; an alias becomes the last part.
fn expand(before: &[String], tree: &str, out: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, _) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = parts(path).into_iter().filter(|part| part != "*");
        out.push(before.iter().cloned().chain(path).collect());
        return;
    };
    let before: Vec<String> = before.iter().cloned().chain(parts(&tree[..open])).collect();
    let inner = tree[open + 1..].strip_suffix('}').unwrap_or(&tree[open + 1..]);
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[start..at].trim();
                if part == "self" {
                    out.push(before.clone());
                } else if !part.is_empty() {
                    expand(&before, part, out);
                }
                start = (at + 1).min(inner.len());
            }
            _ => {}
        }
    }
}

fn reach<'e>(
    edges: &'e BTreeMap<String, BTreeSet<String>>,
    from: &'e String,
) -> BTreeSet<&'e String> {
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        let next = edges.get(node).into_iter().flatten();
        todo.extend(next.filter(|n| seen.insert(n)));
    }
    seen
}

/// The groups of nodes that reach each other, of more than one node.
fn components(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        edges.keys().map(|node| (node, reach(edges, node))).collect();
    let mut groups: BTreeSet<Vec<String>> = BTreeSet::new();
    for (node, seen) in &reached {
        let back = |other: &&&String| reached.get(**other).is_some_and(|seen| seen.contains(node));
        let group: Vec<String> = seen.iter().filter(back).map(|n| (**n).clone()).collect();
        if group.len() > 1 {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}
