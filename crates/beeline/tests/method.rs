//! The method of model checking as a chain of refinements (`examples/self`): it refines for all state spaces of three
//! states, and what its conditions guard against is found, planted one by one.
#![allow(clippy::unwrap_used)]

use beeline::source::MemoryLoader;
use beeline::{Checker, OpenOptions, Refined, Refiner, Scope, Specification};

const FILES: [(&str, &str); 5] = [
    ("mc0.mch", include_str!("../../../examples/self/mc0.mch")),
    ("mc1.ref", include_str!("../../../examples/self/mc1.ref")),
    ("mc2.ref", include_str!("../../../examples/self/mc2.ref")),
    ("rmc1.ref", include_str!("../../../examples/self/rmc1.ref")),
    ("rmc2.ref", include_str!("../../../examples/self/rmc2.ref")),
];

/// What makes representatives fix points: the last conjunct of its list.
const FIXED: &str = " &\n  /* representatives are fix points */\n  !s.(s : ran(rep) => rep(s) = s)";

/// The chain, with texts of one file changed.
fn chain(main: &str, file: &str, changes: &[(&str, &str)]) -> Specification {
    let mut loader = MemoryLoader::new();
    for (name, text) in FILES {
        let mut text = text.to_owned();
        for (from, to) in changes.iter().filter(|_| name == file) {
            assert!(text.contains(from), "{file} has no {from}");
            text = text.replacen(from, to, 1);
        }
        loader = loader.with(name, &text);
    }
    OpenOptions::new().open_through(loader, main).unwrap()
}

fn refined(specification: Specification) -> Refined {
    let scope = Scope { set_sizes: vec![("S".to_owned(), 3)], ..Scope::default() };
    Refiner::new(specification).scope(scope).run().unwrap()
}

/// The first level that is wrong and the operation that is.
fn wrong(refined: &Refined) -> Option<String> {
    let step = refined.wrong_step()?;
    let found = &step.outcome.findings[0];
    assert_eq!(found.refused, None);
    Some(format!("{}: {}", step.levels().concrete_name(), found.told.name))
}

#[test]
fn the_method_refines_what_it_is_to_answer() {
    for (main, sizes) in [("mc2.ref", vec![2880, 3984]), ("rmc2.ref", vec![3216, 4344, 4344])] {
        let specification = chain(main, main, &[]);
        let refined = refined(specification.clone());
        assert!(refined.holds(), "{refined}");
        let states = refined.steps().iter().map(|s| s.outcome.exploration.counts.states());
        assert_eq!(states.collect::<Vec<_>>(), sizes);
    }
    // Each machine by itself: its assertions, and that there is always something to do.
    for main in ["mc2.ref", "rmc1.ref", "rmc2.ref"] {
        let outcome = Checker::new(chain(main, main, &[])).set_size("S", 3).run().unwrap();
        assert!(outcome.holds(), "{outcome}");
        assert!(outcome.counts().states() > 1_000);
    }
}

#[test]
fn what_its_conditions_guard_against_is_found() {
    let same = "\n  !(p, s1, s2).(p : aut & s1 |-> s2 : p => rep(s1) = rep(s2)) &";
    let fixed = FIXED;
    let mc0 = |condition| ("mc2.ref", "mc0.mch", vec![(condition, "")]);
    let rmc1 = |condition| ("rmc1.ref", "rmc1.ref", vec![(condition, "")]);
    let faults = [
        (mc0("\n  tr[reach] <: reach &"), "mc2: add_err"),
        (
            mc0(
                " &\n  /* and the least one */\n  !r.(r : POW(S) & i : r & tr[r] <: r => reach <: r)",
            ),
            "mc2: pass",
        ),
        (mc0("\n  i : inv &"), "mc1: INITIALISATION"),
        (("mc1.ref", "mc1.ref", vec![("reach <: rac", "rac <: reach")]), "mc1: pass"),
        (("mc1.ref", "mc1.ref", vec![("& ss <: inv ", "")]), "mc1: add_inv"),
        // Removed before all its successors are there.
        (("mc2.ref", "mc2.ref", vec![("& tr[{s1}] <: rac & err", "& err")]), "mc2: remove"),
        (("mc2.ref", "mc2.ref", vec![("unex = {} & err = {}", "err = {}")]), "mc2: pass"),
        (("mc2.ref", "mc2.ref", vec![("unex := {i}", "unex := {}")]), "mc2: INITIALISATION"),
        (("mc2.ref", "mc2.ref", vec![("unex := unex \\/ {s2} ||\n      ", "")]), "mc2: add_inv"),
        (("mc2.ref", "mc2.ref", vec![("s2 : inv & ", "s2 : S & ")]), "mc2: add_inv"),
        (("mc2.ref", "mc2.ref", vec![("s2 /: inv & ", "s2 : S & ")]), "mc2: add_err"),
        // Automorphisms that change what is good, or where one can go, or move the beginning.
        (rmc1("\n    !(s1, s2).(s1 |-> s2 : p => (s1 : inv <=> s2 : inv)) &"), "rmc1: add_inv"),
        (
            rmc1(
                " &\n    /* automorphisms preserve the transitions */\n    !(s1, s2).(s1 : S & s2 : S => (s1 |-> s2 : tr <=> p(s1) |-> p(s2) : tr))",
            ),
            "rmc1: add_err",
        ),
        (rmc1("\n    i |-> i : p &"), "rmc1: INITIALISATION"),
        // Representatives of what is not symmetric to them, and representatives that have others.
        (
            rmc1("\n  !(s1, s2).(s1 |-> s2 : rep => #p.(p : aut & s1 |-> s2 : p)) &"),
            "rmc1: INITIALISATION",
        ),
        (("rmc1.ref", "rmc1.ref", vec![(same, ""), (fixed, "")]), "rmc1: add_err"),
        (
            ("rmc1.ref", "rmc1.ref", vec![("& rep[tr[{s1}]] <: rrac & rerr", "& rerr")]),
            "rmc1: remove",
        ),
        (
            (
                "rmc1.ref",
                "rmc1.ref",
                vec![("rac := rac \\/ rep~[{rep(s2)}]\n", "rac := rac \\/ {s2}\n")],
            ),
            "rmc1: add_inv",
        ),
        (
            ("rmc2.ref", "rmc2.ref", vec![("& rep[tr[{s1}]] <: rrac & rerr", "& rerr")]),
            "rmc2: remove",
        ),
        (
            (
                "rmc2.ref",
                "rmc2.ref",
                vec![("runex := runex \\/ {rep(s2)}", "runex := runex \\/ {s2}")],
            ),
            "rmc2: add_inv",
        ),
        (("rmc2.ref", "rmc2.ref", vec![("rerr = {} & runex = {}", "rerr = {}")]), "rmc2: pass"),
        (("rmc2.ref", "rmc2.ref", vec![("SELECT rerr /= {}", "SELECT rerr = {}")]), "rmc2: fail"),
    ];
    for ((main, file, changes), expected) in faults {
        let refined = refined(chain(main, file, &changes));
        assert_eq!(wrong(&refined).as_deref(), Some(expected), "{changes:?}");
    }
}

/// Not all that the proof assumes is needed: with three states these follow from the rest.
#[test]
fn some_conditions_follow_from_others() {
    let redundant = [
        ("mc0.mch", "\n  i /: ran(tr) &"),
        ("mc2.ref", "unex = {} & err = {}"),
        ("rmc1.ref", "\n  id(S) : aut &"),
        ("rmc1.ref", "\n  !p.(p : aut => p~ : aut) &"),
        ("rmc1.ref", FIXED),
    ];
    for (file, condition) in redundant {
        let main = if file == "mc2.ref" { "mc2.ref" } else { "rmc2.ref" };
        let by = if file == "mc2.ref" { "unex = {} & S = S" } else { "" };
        let refined = refined(chain(main, file, &[(condition, by)]));
        assert_eq!(wrong(&refined), None, "{condition}");
        assert!(refined.holds());
    }
}
