//! Operations whose guard is known before they are tried: how much is saved, and that nothing else changes.

#![allow(clippy::unwrap_used)]

use beeline::explore::{Cancel, Exploration, Skip};
use beeline::model::Model;
use beeline::source::MemoryLoader;
use beeline::{CheckOptions, Checked, Tier};

fn model(clauses: &str) -> Model {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline::model::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

fn run(model: &Model, skip: Skip, tier: Tier) -> Exploration {
    let mut options = CheckOptions { engine: tier, ..CheckOptions::default() };
    (options.explore.skip, options.explore.all, options.explore.threads) = (skip, true, 1);
    let checked = Checked::run(model, &options, &Cancel::new(), &|_| {});
    checked.unwrap_or_else(|e| panic!("{e:?}")).outcome.exploration
}

fn guards(found: &Exploration) -> (u64, u64) {
    (found.counts.guard_evaluations, found.counts.guard_evaluations_known)
}

const TIERS: [Tier; 3] = [Tier::General, Tier::Packed, Tier::Native];

/// What is found, and how often each operation had a step.
fn figures(found: &Exploration) -> (u64, u64, Vec<u64>, Vec<String>) {
    let kinds = found.findings.iter().map(|f| format!("{:?}", f.kind)).collect();
    (found.counts.nodes, found.counts.transitions, found.covered.clone(), kinds)
}

/// Up a stack of divisions, and down again.
fn gcd(a: u32, b: u32) -> Model {
    model(&format!(
        "VARIABLES d, u, v, up, f, t, q, r, dn, dk, uk, vk
         INVARIANT d : INTEGER & u : INTEGER & v : INTEGER & up : BOOL & dn : BOOL & f : 0..8 &
           t : 0..8 +-> INTEGER & q : 0..8 +-> INTEGER & r : 0..8 +-> INTEGER &
           dk : INTEGER & uk : INTEGER & vk : INTEGER & (up = FALSE => dn = FALSE)
         INITIALISATION d, u, v := 0, 0, 0 || up := FALSE || f := 0 || t := {{}} || q := {{}} ||
           r := {{}} || dn := FALSE || dk, uk, vk := 0, 0, 0
         OPERATIONS
         upini = SELECT up = FALSE THEN up := TRUE || f := 0 || t := {{0 |-> {b}}} ||
             q := {{0 |-> {a} / {b}}} || r := {{0 |-> {a} mod {b}}} END;
         up_ = SELECT up = TRUE & dn = FALSE & r(f) /= 0 THEN f := f + 1 ||
             t(f + 1) := r(f) || q(f + 1) := t(f) / r(f) || r(f + 1) := t(f) mod r(f) END;
         dnini = SELECT up = TRUE & dn = FALSE & r(f) = 0 THEN dn := TRUE || dk := t(f) ||
             uk := 0 || vk := 1 END;
         dn_ = SELECT dn = TRUE & f > 0 THEN f := f - 1 || uk := vk || vk := uk - q(f - 1) * vk END;
         gcd = SELECT up = TRUE & dn = TRUE & f = 0 THEN d := dk || u := uk || v := vk END"
    ))
}

#[test]
fn the_extended_algorithm_of_euclid_asks_two_guards_a_step() {
    for (a, b, n) in [(8, 5, 3), (34, 21, 6), (6, 3, 0)] {
        let model = gcd(a, b);
        let off = run(&model, Skip::Off, Tier::General);
        assert_eq!(off.covered, [1, n, 1, n, 2], "{a}, {b}");
        assert_eq!(guards(&off), (10 * n + 20, 0));
        let on = run(&model, Skip::On, Tier::General);
        assert!(guards(&on).0 <= 4 * n + 4, "{a}, {b}: {:?}", guards(&on));
        assert_eq!(guards(&on).0 + guards(&on).1, 10 * n + 20);
        for tier in TIERS {
            for skip in [Skip::On, Skip::Auto, Skip::Audit] {
                let found = run(&model, skip, tier);
                assert_eq!(figures(&found), figures(&off), "{tier:?} {skip:?}");
                assert!(found.wrong_skips.is_empty(), "{tier:?} {skip:?}");
            }
        }
    }
}

#[test]
fn a_guard_that_loses_its_meaning_is_still_evaluated() {
    // `look` is disabled wherever it has a meaning, and has none once `f` is empty. What `clear` writes is
    // not the reason that it was disabled, but is read.
    let model = model(
        "VARIABLES f, n, x INVARIANT f : 1..2 +-> 0..3 & n : 0..3 & x : BOOL \
         INITIALISATION f := {1 |-> 0} || n := 0 || x := FALSE OPERATIONS \
         count = SELECT n < 3 THEN n := n + 1 END; \
         clear = SELECT n = 2 THEN f := {} || x := FALSE END; \
         look = SELECT f(1) = 1 THEN n := 0 END; \
         never = SELECT x = TRUE & f(1) = 1 THEN n := 0 END",
    );
    for tier in TIERS {
        let off = run(&model, Skip::Off, tier);
        assert!(figures(&off).3.iter().any(|kind| kind.contains("OutsideDomain")), "{off:?}");
        for skip in [Skip::On, Skip::Auto, Skip::Audit] {
            let found = run(&model, skip, tier);
            assert_eq!(figures(&found), figures(&off), "{tier:?} {skip:?}");
            assert!(found.wrong_skips.is_empty());
        }
        let saved = guards(&run(&model, Skip::On, tier)).1;
        assert!(saved > 0);
    }
}

#[test]
fn a_body_that_may_fail_before_it_blocks_is_tried_again() {
    // Its guard is always true; it blocks, and fails once `y` is 0, which no guard reads.
    let model = model(
        "VARIABLES x, y, z INVARIANT x : 0..9 & y : 0..9 & z : 0..9 \
         INITIALISATION x := 1 || y := 3 || z := 0 OPERATIONS \
         down = SELECT y > 0 THEN y := y - 1 END; \
         try = SELECT x > 0 THEN SELECT 6 / y = 100 THEN z := 0 END END; \
         part = BEGIN z := 6 / y || SELECT x = 0 THEN x := 0 END END",
    );
    for tier in TIERS {
        let off = run(&model, Skip::Off, tier);
        assert!(!off.findings.is_empty());
        for skip in [Skip::On, Skip::Audit] {
            let found = run(&model, skip, tier);
            assert_eq!(figures(&found), figures(&off), "{tier:?} {skip:?}");
            assert!(found.wrong_skips.is_empty());
        }
    }
}

#[test]
fn what_is_proved_with_the_invariant_is_no_use_beside_it() {
    // With the invariant `swap` disables `late`; without it, it does not.
    let model = model(
        "VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 & x + y <= 3 INITIALISATION x := 0 || y := 0 \
         OPERATIONS grow = SELECT x < 6 THEN x := x + 1 END; \
         swap = SELECT y < 3 THEN y := y + 1 END; \
         late = SELECT x + y > 4 THEN x := 0 END",
    );
    for tier in TIERS {
        let off = run(&model, Skip::Off, tier);
        assert!(off.covered[2] > 0);
        for skip in [Skip::On, Skip::Auto, Skip::Audit] {
            let found = run(&model, skip, tier);
            assert_eq!(figures(&found), figures(&off), "{tier:?} {skip:?}");
            assert!(found.wrong_skips.is_empty());
        }
    }
}
