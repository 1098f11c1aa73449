//! Files: where a machine is looked for, packages and pragmas, circles, and what is too much.

use crate::support::{check_errors_of, check_types_of, errors, model_of, on_small_stack, open};
use beeline_elaborate::load;
use beeline_source::{LoadError, Loader, MemoryLoader};
use std::fmt::Write;
use std::sync::Arc;

/// `v : T` from a machine whose variable tells which file was taken.
fn machine(keyword: &str, name: &str, variable: &str) -> String {
    format!(
        "{keyword} {name} VARIABLES {variable} INVARIANT {variable} : BOOL INITIALISATION {variable} := TRUE END"
    )
}

#[test]
fn suffixes_in_order() {
    let mch = machine("MACHINE", "N", "from_mch");
    let sys = machine("SYSTEM", "N", "from_sys");
    let main = ("M.mch", "MACHINE M SEES N END");
    check_types_of(&[main, ("N.mch", &mch), ("N.sys", &sys)], "from_mch : BOOL");
    check_types_of(&[main, ("N.sys", &sys)], "from_sys : BOOL");
    // A refinement wins over the machine it refines.
    let reference = "REFINEMENT N REFINES A VARIABLES from_ref INVARIANT from_ref : BOOL INITIALISATION from_ref := TRUE END";
    check_types_of(
        &[main, ("N.mch", &mch), ("N.ref", reference), ("A.mch", "MACHINE A END")],
        "from_ref : BOOL",
    );
}

/// Files in memory with a library folder.
struct WithRoot(MemoryLoader, Vec<String>);

impl Loader for WithRoot {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        self.0.load(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.0.exists(path)
    }

    fn roots(&self) -> &[String] {
        &self.1
    }
}

/// The suffix counts first: a far `.ref` wins over a near `.mch`.
#[test]
fn folders_in_order() {
    let files = MemoryLoader::new()
        .with("dir/M.mch", "MACHINE M SEES N, K END")
        .with("dir/N.mch", &machine("MACHINE", "N", "near"))
        .with("lib/N.mch", &machine("MACHINE", "N", "far"))
        .with("lib/K.mch", &machine("MACHINE", "K", "only"));
    let loaded = load(&WithRoot(files, vec!["lib/".into()]), "dir/M.mch");
    assert_eq!(errors(&loaded), "");
    let names: Vec<_> =
        loaded.model.unwrap().variables.iter().map(|v| v.name.to_string()).collect();
    assert_eq!(names, ["near", "only"]);
}

#[test]
fn pragmas_name_files_and_packages() {
    check_types_of(
        &[
            ("M.mch", "MACHINE M SEES N /*@file \"sub/N.mch\" */ END"),
            ("sub/N.mch", &machine("MACHINE", "N", "v")),
        ],
        "v : BOOL",
    );
    check_errors_of(
        &[
            ("M.mch", "MACHINE M SEES\nN /*@file \"sub/K.mch\" */ END"),
            ("sub/K.mch", "MACHINE N END"),
        ],
        "M.mch:2:3 B0304 the file `sub/K.mch` cannot contain machine `N`\n\
         sub/K.mch:1:9 B0304 machine `N` is in a file named `K`",
    );
    check_types_of(
        &[
            ("root/a/b/M.mch", "/*@package a.b*/ /*@import-package c*/ MACHINE M SEES N END"),
            ("root/c/N.mch", &machine("MACHINE", "N", "v")),
        ],
        "v : BOOL",
    );
    check_errors_of(
        &[("root/a/x/M.mch", "/*@package a.b*/ MACHINE M END")],
        "root/a/x/M.mch:1:1 B0308 package `a.b` does not match the folder `root/a/x`",
    );
}

#[test]
fn names_and_kinds_of_files() {
    // The main machine may have any name, others that of their file.
    model_of(&[("x.mch", "MACHINE Other END")]);
    check_errors_of(
        &[("M.mch", "MACHINE M SEES N END"), ("N.mch", "MACHINE K END")],
        "N.mch:1:9 B0304 machine `K` is in a file named `N`",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M SEES N END"), ("N.mch", "DEFINITIONS D == 1")],
        "M.mch:1:16 B0306 `N.mch` does not contain a machine",
    );
    check_errors_of(
        &[("M.def", "DEFINITIONS D == 1")],
        "M.def:1:1 B0306 this file only contains definitions",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M SEES\nN END")],
        "M.mch:2:1 B0301 no file for machine `N`",
    );
    // What is missing is said once.
    check_errors_of(
        &[("M.mch", "MACHINE M SEES N VARIABLES x INVARIANT x : NN INITIALISATION x := n END")],
        "M.mch:1:16 B0301 no file for machine `N`",
    );
    assert_eq!(
        errors(&load(&MemoryLoader::new(), "gone.mch")),
        "nowhere B0301 there is no file `gone.mch`"
    );
}

#[test]
fn circles() {
    check_errors_of(
        &[("M.mch", "MACHINE M SEES\nM END")],
        "M.mch:2:1 B0305 machine `M` refers to itself",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M INCLUDES N END"), ("N.mch", "MACHINE N SEES\nM END")],
        "N.mch:2:1 B0305 machine `M` depends on the machine that refers to it here",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M INCLUDES N END"), ("N.mch", "REFINEMENT N REFINES\nM END")],
        "N.mch:2:1 B0305 machine `M` depends on the machine that refers to it here",
    );
}

/// The chain `M0 -> M1 -> … -> M(n-1)`.
fn chain(n: usize, clause: &str) -> Vec<(String, String)> {
    let machine = |i: usize| {
        let next = if i + 1 < n { format!("{clause} M{}", i + 1) } else { String::new() };
        (
            format!("M{i}.mch"),
            format!(
                "MACHINE M{i} {next} VARIABLES v{i} INVARIANT v{i} : BOOL INITIALISATION v{i} := TRUE END"
            ),
        )
    };
    (0..n).map(machine).collect()
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|f| (&*f.0, &*f.1)).collect()
}

#[test]
fn a_chain_of_1900_machines() {
    on_small_stack(|| {
        for clause in ["SEES", "INCLUDES"] {
            let m = model_of(&borrowed(&chain(1900, clause)));
            assert_eq!(m.components.len(), 1900);
            assert_eq!(m.concrete().variables.len(), 1900);
        }
    });
}

#[test]
fn a_chain_of_500_refinements() {
    on_small_stack(|| {
        let mut files: Vec<(String, String)> = (0..500)
            .map(|i| {
                let text = format!("REFINEMENT M{i} REFINES M{} VARIABLES x, y{i} INVARIANT y{i} : BOOL INITIALISATION x := 0; y{i} := TRUE END", i + 1);
                (format!("M{i}.ref"), text)
            })
            .collect();
        files.push((
            "M500.mch".into(),
            "MACHINE M500 VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 END".into(),
        ));
        let m = model_of(&borrowed(&files));
        assert_eq!(m.levels.len(), 501);
        assert_eq!(m.concrete().variables.len(), 2);
    });
}

#[test]
fn three_thousand_files_are_too_many() {
    on_small_stack(|| {
        let found = errors(&open(&borrowed(&chain(3000, "SEES"))));
        assert_eq!(found, "M1999.mch:1:20 B0803 this model needs more than 2000 files");
        let mut files = vec![("M.mch".to_owned(), "MACHINE M SEES M0".to_owned())];
        for i in 0..3000 {
            write!(files[0].1, ", M{i}").unwrap();
            files.push((format!("M{i}.mch"), format!("MACHINE M{i} END")));
        }
        files[0].1.push_str(" END");
        let found = errors(&open(&borrowed(&files)));
        assert!(found.contains("B0803"), "{}", &found[..200.min(found.len())]);
        assert_eq!(found.lines().count(), 1, "{}", &found[..400.min(found.len())]);
    });
}

#[test]
fn a_definition_file_in_a_definition_file() {
    on_small_stack(|| {
        let mut files =
            vec![("M.mch".to_owned(), "MACHINE M DEFINITIONS \"d0.def\" END".to_owned())];
        for i in 0..1900 {
            files.push((
                format!("d{i}.def"),
                format!("DEFINITIONS \"d{}.def\"; D{i} == {i}", i + 1),
            ));
        }
        files.push(("d1900.def".to_owned(), "DEFINITIONS LAST == 1".to_owned()));
        model_of(&borrowed(&files));
    });
}

#[test]
fn a_hundred_thousand_conjuncts() {
    on_small_stack(|| {
        let mut text = "MACHINE M CONSTANTS a PROPERTIES a : NAT".to_owned();
        for i in 0..100_000 {
            write!(text, "\n& a /= {i}").unwrap();
        }
        text.push_str(" END");
        assert_eq!(model_of(&[("M.mch", &text)]).properties.len(), 100_001);
        let text =
            text.replace("\n&", "\nor").replace("NAT", "NAT &\n(1 = 1").replace(" END", ") END");
        assert_eq!(model_of(&[("M.mch", &text)]).properties.len(), 2);
    });
}

/// Deep nesting of every kind is refused or understood, never fatal.
#[test]
fn deep_formulas() {
    on_small_stack(|| {
        let nest = |open: &str, core: &str, close: &str, n: usize| {
            let formula = open.repeat(n) + core + &close.repeat(n);
            format!("MACHINE M CONSTANTS a PROPERTIES\na = {formula} END")
        };
        for (open_, core, close) in [
            ("(", "1", ")"),
            ("-(", "1", ")"),
            ("{", "1", "}"),
            ("card({", "1", "})"),
            ("bool(not(", "1 = 1", ") )"),
            ("IF 1 = 1 THEN ", "1", " ELSE 2 END"),
            ("LET k BE k = 1 IN ", "1", " END"),
            ("rec(f : ", "1", ")"),
            ("(1 |-> ", "1", ")"),
        ] {
            for n in [100, 2_000, 30_000] {
                let found = errors(&open(&[("M.mch", &nest(open_, core, close, n))]));
                assert!(found.lines().count() <= 1, "{open_} {n}: {found}");
            }
        }
    });
}
