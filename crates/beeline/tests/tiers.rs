//! All tiers of the engine give the same verdict, counts, findings and traces.

#![allow(clippy::unwrap_used)]

use beeline::explore::{Cancel, Checkpoint, Options, Proof};
use beeline::model::Model;
use beeline::source::MemoryLoader;
use beeline::{CheckOptions, Checked, OpenOptions, Tier};
use std::path::Path;
use std::time::Duration;

/// Everything about a check that must not depend on the tier.
fn told(model: &Model, engine: Tier, all: bool, most: u64) -> String {
    let mut explore = Options { threads: 1, all, ..Options::default() };
    explore.limits.states = Some(most);
    let options = CheckOptions { explore, engine, ..CheckOptions::default() };
    let checked = Checked::run(model, &options, &Cancel::new(), &|_| {});
    let checked = checked.unwrap_or_else(|e| panic!("{e:?}"));
    let outcome = checked.outcome;
    // Which guards need not be evaluated depends on what it costs to evaluate them; their sum does not.
    let mut counts = outcome.exploration.counts.clone();
    counts.guard_evaluations += std::mem::take(&mut counts.guard_evaluations_known);
    let mut text = format!(
        "{} {:?} depth {} covered {:?}\ncuts {:?}\n",
        outcome.verdict.word(),
        counts,
        outcome.exploration.depth,
        outcome.exploration.covered,
        outcome.cuts,
    );
    for found in &outcome.findings {
        text += &format!("{:?}\n{:?}\n{:?}\n", found.told, found.refused(), found.trace.steps);
    }
    text
}

fn check_model(name: &str, model: &Model, most: u64) {
    for all in [false, true] {
        let general = told(model, Tier::General, all, most);
        for tier in [Tier::Packed, Tier::Native] {
            assert_eq!(general, told(model, tier, all, most), "{name}, {tier:?}, all: {all}");
        }
    }
}

fn check(clauses: &str) {
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline::model::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    check_model(clauses, &model, 100_000);
}

#[test]
fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    let mut seen = 0;
    for path in names {
        if !path.extension().is_some_and(|e| e == "mch" || e == "ref" || e == "imp") {
            continue;
        }
        let model = beeline::open(&path, &OpenOptions::default()).model;
        check_model(&path.display().to_string(), &model.unwrap(), 20_000);
        seen += 1;
    }
    assert!(seen > 10);
}

#[test]
fn claims_of_invariants_that_are_false() {
    // The counter leaves its interval; the function loses a value, and leaves its range.
    check(
        "VARIABLES x, y INVARIANT x : 0..6 & y : -3..3 INITIALISATION x, y := 0, 0 OPERATIONS
        a = PRE x < 9 THEN x := x + 2 END; b = PRE y > -5 THEN y := y - 1 END",
    );
    check(
        "SETS S = {p, q, r} VARIABLES f INVARIANT f : S --> 0..2 INITIALISATION f := S * {0}
        OPERATIONS up(s) = PRE s : S & f(s) < 4 THEN f(s) := f(s) + 1 END;
        drop(s) = PRE s : dom(f) & f(s) = 2 THEN f := {s} <<| f END",
    );
    check(
        "VARIABLES s INVARIANT s <: 1..4 INITIALISATION s := {} OPERATIONS
        add(x) = PRE x : 1..6 & x /: s THEN s := s \\/ {x} END",
    );
    check(
        "SETS S = {p, q} VARIABLES f INVARIANT f : S +-> BOOL INITIALISATION f := {} OPERATIONS
        more(s, b) = PRE s : S & b : BOOL THEN f := f \\/ {s |-> b} END",
    );
}

#[test]
fn formulas_without_a_meaning() {
    check(
        "SETS S = {p, q} VARIABLES f, n INVARIANT f : S +-> 0..3 & n : 0..3
        INITIALISATION f := {p |-> 0} || n := 0 OPERATIONS
        look(s) = PRE s : S & f(s) < 3 THEN f(s) := f(s) + 1 END;
        divide = PRE n < 3 THEN n := 6 / (2 - n) END",
    );
    check(
        "VARIABLES s INVARIANT s <: 0..5 & (s /= {} => min(s) < 4) & max(s) < 9
        INITIALISATION s := {5} OPERATIONS
        take = PRE max(s) > 0 THEN s := s - {max(s)} END;
        put(x) = PRE x : 0..5 THEN s := s \\/ {x} END",
    );
}

#[test]
fn outcomes_that_repeat() {
    check(
        "VARIABLES x, y INVARIANT x : 0..7 & y : 0..7 INITIALISATION x :: 0..2 || y := 0 OPERATIONS
        any = ANY a, b WHERE a : 0..3 & b : 0..3 & a + b <= 3 THEN x := a + b END;
        r <-- pick(p) = PRE p : 0..2 THEN
            CHOICE y := p OR y := 2 OR skip END || r := p / 2 END;
        r <-- two = CHOICE r := 1 OR r := 2 OR r := 1 END;
        which = SELECT x > 1 THEN y := 1 WHEN x > 2 THEN y := 1 WHEN x < 2 THEN y := 3 ELSE y := 5 END;
        become = y :: {x, 3, 4}; such = x, y : (x = y & y : 0..x$0)",
    );
}

#[test]
fn sequences_calls_and_cases() {
    check(
        "SETS S = {p, q, r} VARIABLES x, c, f
        INVARIANT x : 0..9 & c : S & f : 0..2 --> S
        INITIALISATION x := 0; c := p; f := (0..2) * {c} OPERATIONS
        step = PRE x < 9 THEN x := x + 1; IF x mod 2 = 0 THEN c := q ELSE c := r END END;
        turn = CASE c OF EITHER p THEN c := q OR q, r THEN f(x mod 3) := c ELSE skip END END;
        swap = BEGIN f := f <+ {0 |-> f(1), 1 |-> f(0)} END;
        back = VAR t IN t := x - 2; IF t > 0 THEN x := t END END;
        z <-- ask = z := bool(c = p or x > 3)",
    );
}

#[test]
fn relations_and_quantifiers() {
    check(
        "SETS N = {a, b, c, d} CONSTANTS next PROPERTIES next = {a |-> b, b |-> c, c |-> d}
        VARIABLES r, s INVARIANT r : N <-> N & s <: N & dom(r) <: N &
            !(x, y).(x |-> y : r => x /= y) &
            (s = N => #x.(x : s & next[{x}] = {})) & (r~)[s] \\/ ran(r) <: N
        INITIALISATION r, s := {}, {} OPERATIONS
        link(x, y) = PRE x : N & y : next[{x}] & x |-> y /: r THEN r := r \\/ {x |-> y} END;
        cut(x) = PRE x : dom(r) THEN r := {x} <<| r || s := s \\/ r[{x}] END;
        trim(x) = PRE x : s & card(s) > 2 THEN s := s - {x} || r := r |>> {x} END;
        over(x) = PRE x : N & x : ran(r) & x : dom(next) THEN r := r <+ {x |-> next(x)} END;
        pair(x, y) = PRE x |-> y : r & y : s THEN r := s <| r END",
    );
}

#[test]
fn several_set_ups_and_integers_without_bounds() {
    check(
        "CONSTANTS k, m PROPERTIES k : 1..3 & m : {2, 5} VARIABLES n, u
        INVARIANT n : 0..m & u : INTEGER INITIALISATION n := k mod m || u := 2 ** 29 OPERATIONS
        up = PRE n + k <= m THEN n := n + k || u := u + u END; down = PRE n > 0 THEN n := n - 1 END",
    );
    check("CONSTANTS k PROPERTIES k : 1..3 OPERATIONS r <-- get = r := k");
}

#[test]
fn what_would_take_forever_to_evaluate_beforehand_is_left_alone() {
    // The domain is known by its condition; to list it would be to list all sets of sequences.
    check(
        "SETS S = {a, b} CONSTANTS f
        PROPERTIES f = %(x, y).(x <: seq(S) & y <: POW(seq(S)) | {x} \\/ y)
        VARIABLES v INVARIANT v : BOOL & ({}, {{[a]}}) : dom(f) INITIALISATION v := TRUE
        ASSERTIONS ({}, {{[a]}}) : dom(f) OPERATIONS flip = v := bool(v = FALSE)",
    );
}

#[test]
fn remembered_results() {
    // `grow` is costly, is left to the general engine, reads two of four variables, and changes
    // one of them only now and then.
    check(
        "VARIABLES s, c, d, e INVARIANT s : POW(INTEGER) & c : 0..2 & d : 0..30 & e : 0..30 &
           (card(s) < 6 or c = 0)
         INITIALISATION s, c, d, e := {0}, 0, 0, 0
         OPERATIONS
           grow = PRE card(s) < 6 & SIGMA(x).(x : 1..200 | x * card(s)) > 0 THEN
             s := s \\/ {max(s) + 10 ** card(s)} || IF card(s) mod 2 = 0 THEN c := (c + 1) mod 3 END
           END;
           pick(x) = PRE x : s & card(s) > 3 THEN s := s - {x} END;
           right = PRE d < 30 THEN d := d + 1 END;
           up = PRE e < 30 THEN e := e + 1 END",
    );
}

#[test]
fn narrow_levels() {
    // A chain with a finding at its end, a fork, a deadlock, and levels of one state each.
    let text = "MACHINE M VARIABLES x, y INVARIANT x : 0..3000 & y : 0..1 & x /= 2900
        INITIALISATION x, y := 0, 0
        OPERATIONS step = SELECT x < 3000 & x /= 2990 THEN x := x + 1 END;
          fork = SELECT x = 1500 THEN y := 1 - y END END";
    let loader = MemoryLoader::new().with("M.mch", text);
    let model = beeline::model::load(&loader, "M.mch").model.unwrap();
    for all in [false, true] {
        let told = |each: bool, threads: usize| {
            let mut explore = Options { threads, all, stats: true, ..Options::default() };
            explore.limits.states = each.then_some(100_000);
            let options = CheckOptions { explore, ..CheckOptions::default() };
            let found = Checked::run(&model, &options, &Cancel::new(), &|_| {}).unwrap().outcome;
            let e = &found.exploration;
            let kinds: Vec<String> = found
                .findings
                .iter()
                .map(|f| format!("{:?} {}", f.told, f.trace.steps.len()))
                .collect();
            let sum = e.stats.as_ref().unwrap().checksum;
            (format!("{:?} {} {} {kinds:?}", e.counts, e.is_complete(), e.depth), sum)
        };
        // With a limit each level is a wave of its own.
        assert_eq!(told(true, 1), told(false, 1));
        assert_eq!(told(true, 1), told(false, 2));
        let depth = if all { " 2991 " } else { " 2900 " };
        assert!(told(false, 1).0.contains(depth), "{}", told(false, 1).0);
    }
}

#[test]
fn searches_that_are_saved_and_go_on() {
    // Bits, words of the store and two set-ups; a value leaves its layout when much is saved.
    let clauses = "CONSTANTS k PROPERTIES k : 1..2 VARIABLES x, y, q, s
        INVARIANT x : 0..20 & y : 0..20 & q : seq(INTEGER) & s <: 0..5 INITIALISATION
        x, y, q, s := 0, 0, [], {} OPERATIONS
        right = PRE x < 21 THEN x := x + k END; up = PRE y < 20 THEN y := y + 1 END;
        note = PRE y = 3 & x mod 4 = 0 & size(q) < 2 THEN q := q <- x END;
        put = PRE x = y & y > 10 & size(q) = 2 THEN s := s \\/ {x mod 6} END";
    let text = format!("MACHINE M {clauses} END");
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let model = beeline::model::load(&loader, "M.mch").model.unwrap();
    let run = |engine, checkpoint, cancel: &Cancel| {
        let explore =
            Options { threads: 2, all: true, stats: true, checkpoint, ..Options::default() };
        let options = CheckOptions { explore, engine, ..CheckOptions::default() };
        let outcome = Checked::run(&model, &options, cancel, &|_| {}).unwrap().outcome;
        let facts = outcome.exploration;
        let sum = facts.stats.as_ref().unwrap().checksum;
        let counts = (facts.counts.nodes, facts.counts.transitions, facts.depth, facts.covered);
        let told: Vec<_> = outcome.findings.iter().map(|f| format!("{:?}", f.trace)).collect();
        // The sum over all states can be interrupted, too.
        let done = outcome.cuts.is_empty() && sum.is_some();
        (done, (outcome.verdict.word(), sum, counts, told))
    };
    let known = run(Tier::General, None, &Cancel::new());
    assert!(known.0 && known.1.2.0 > 10_000);
    for engine in [Tier::General, Tier::Packed, Tier::Native] {
        let folder =
            std::env::temp_dir().join(format!("beeline-tiers-{engine:?}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let every = Duration::from_millis(2);
        let checkpoint =
            Checkpoint { folder: folder.clone(), every, resume: true, identity: [1; 32] };
        // Each round is another process as far as values and layouts are concerned.
        let found = (2..20)
            .map(|round| {
                let cancel = Cancel::new();
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(1 << round));
                        cancel.cancel();
                    });
                    run(engine, Some(checkpoint.clone()), &cancel)
                })
            })
            .find(|found| found.0);
        assert_eq!(found.as_ref(), Some(&known), "{engine:?}");
        let _ = std::fs::remove_dir_all(&folder);
    }
}

#[test]
fn steps_of_one_operation_are_those_among_all_steps() {
    use beeline::compile::{Builder, Flow, Settings};
    use beeline::pack::{PackedSystem, Setups, Source};
    use beeline::transition::{Ask, At, ConstantsRef, Row, Setup, TransitionSystem};
    let text = "MACHINE M SETS S = {a, b, c} VARIABLES v, n INVARIANT v <: S & n : 0..9
        INITIALISATION v, n := {}, 0
        OPERATIONS add = ANY x WHERE x : S - v THEN v := v \\/ {x} END;
          twice = CHOICE v := {} OR v := {} END;
          ill = PRE n > 3 THEN n := 8 / card(v) END;
          far = SELECT n < 9 THEN n :(n : 0..9 & n > n$0) END END";
    let loader = MemoryLoader::new().with("M.mch", text);
    let model = beeline::model::load(&loader, "M.mch").model.unwrap();
    let mut builder = Builder::new(&model, &Settings::of(&model)).unwrap();
    let source = Source::new(&model, &mut builder);
    let compiled = builder.build();
    let setups = Setups::of(&[ConstantsRef(&[])]);
    let setup = Setup::first(&setups);
    for mut system in
        [PackedSystem::general(&compiled), PackedSystem::new(&compiled, &source, None)]
    {
        system.begin(&setups, &[]);
        let (mut scratch, mut rows, mut faults) = (system.scratch(), Vec::<Row>::new(), 0);
        system.initial(setup, &mut scratch, &mut |row| {
            rows.push(row.owned());
            Flow::More
        });
        let mut next = 0;
        while let Some(row) = rows.get(next).cloned() {
            let (at, mut all, mut single) = (At { setup, row: row.view() }, Vec::new(), Vec::new());
            let together =
                system.successors(at, &mut scratch, &mut Ask::default(), &mut |o, row| {
                    all.push((o, row.owned()));
                    Flow::More
                });
            let mut alone = Vec::new();
            for operation in system.signature().operation_indices() {
                let answer = system.successors_of(operation, at, &mut scratch, &mut |row| {
                    single.push((operation, row.owned()));
                    Flow::More
                });
                alone.extend(answer.faults);
            }
            assert_eq!((&all, &together.faults), (&single, &alone));
            faults += alone.len();
            for (_, row) in all {
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
            next += 1;
        }
        assert!(rows.len() == 80 && faults > 0, "{} {faults}", rows.len());
    }
}

#[test]
fn variables_that_only_operations_bound() {
    // No invariant says anything of x and f but their types.
    check(
        "VARIABLES x, f, s INVARIANT x : INTEGER & f : INTEGER +-> INTEGER & s : POW(INTEGER) \
         INITIALISATION x, f, s := 0, {}, {} \
         OPERATIONS \
           up = SELECT x < 7 THEN x := x + 1 END; \
           down = SELECT x > -2 THEN x := x - 1 END; \
           put(i) = SELECT i : 1..2 & x > 0 THEN f(i) := x mod 3 END; \
           note = SELECT x mod 4 = 1 & x : 0..9 THEN s := s \\/ {x} END",
    );
    // What grows without end has no bounds, and is cut by the limit of states.
    check(
        "VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER INITIALISATION x, y := 0, 0 \
         OPERATIONS up = SELECT x < 200 THEN x, y := x + 1, y + x END",
    );
}

#[test]
fn a_conjunct_that_is_always_true_is_not_evaluated_beside_a_broken_one() {
    let text = "MACHINE M VARIABLES x, y INVARIANT x : 0..9 & y : 0..5 & y /= 3 \
         INITIALISATION x, y := 0, 3 \
         OPERATIONS up = SELECT x < 9 THEN x := x + 1 END; \
           turn = y := (y + 1) mod 6; \
           wild = ANY z WHERE z : INTEGER & z * z * z : {0, 1, 8} THEN y := z END END";
    let loader = MemoryLoader::new().with("M.mch", text);
    let model = beeline::model::load(&loader, "M.mch").model.unwrap();
    let run = |proof: Proof, uninterpreted: bool| {
        let explore = Options { threads: 1, all: true, proof, ..Options::default() };
        let options = CheckOptions { explore, uninterpreted, ..CheckOptions::default() };
        Checked::run(&model, &options, &Cancel::new(), &|_| {}).unwrap().outcome
    };
    let plain = run(Proof::Off, true);
    let known = run(Proof::On, false);
    let audit = run(Proof::Audit, false);
    for other in [&known, &audit, &run(Proof::On, true)] {
        let (a, b) = (&plain.exploration, &other.exploration);
        assert_eq!(a.counts.nodes, b.counts.nodes);
        assert_eq!(a.counts.transitions, b.counts.transitions);
        let kinds = |of: &beeline::explore::Exploration| format!("{:?}", of.findings);
        assert_eq!(kinds(a), kinds(b));
    }
    assert!(audit.exploration.contradictions.is_empty());
    let (all, made) = (plain.exploration.counts, known.exploration.counts);
    // `x : 0..9` is true in each of the 60 states, whatever became of y, and never evaluated.
    assert_eq!(all.invariant_evaluations, 3 * 60);
    assert!(made.invariant_evaluations <= 2 * 60, "{}", made.invariant_evaluations);
}
