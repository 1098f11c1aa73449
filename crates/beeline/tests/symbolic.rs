//! Sets of states held against states one by one.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use beeline::explore::{FindingKind, Made};
use beeline::symbolic::{Method, Relations};
use beeline::symmetry::Mode;
use beeline::{Checker, Error, Outcome};
use std::fmt::Write;

/// A model in a method, with everything that is found.
fn check(text: &str, method: Option<Method>, all: bool) -> Outcome {
    let checker = Checker::from_text(text).unwrap().method(method).symmetry(Mode::None);
    let checker = if all { checker.all() } else { checker.shortest() };
    checker.run().unwrap()
}

/// What there is, however it was found: verdict, states, steps, and each finding with the length of its trace.
fn facts(outcome: &Outcome) -> (String, u64, u64, Vec<String>) {
    let counts = outcome.counts();
    let mut findings: Vec<String> = outcome
        .exploration()
        .findings
        .iter()
        .map(|f| {
            let kind = match &f.kind {
                FindingKind::Operation(fault) => format!("{:?}", fault.kind),
                other => format!("{other:?}"),
            };
            format!("{kind} after {}", f.path.steps.len())
        })
        .collect();
    findings.sort();
    (outcome.verdict().word().to_owned(), counts.nodes, counts.transitions, findings)
}

/// Every method comes to what the explicit search comes to.
fn same(text: &str) {
    let expected = check(text, None, true);
    let nearest = check(text, None, false);
    for method in Method::ALL {
        if !method.counts() {
            sooner(text, method, &nearest);
            each(text, method, &expected);
            continue;
        }
        let own = check(text, Some(method), true);
        assert_eq!(facts(&own), facts(&expected), "{}", method.name());
        for relations in [Relations::Learned, Relations::Audit] {
            let checker = Checker::from_text(text).unwrap().method(Some(method)).all();
            let other = checker.symmetry(Mode::None).relations(relations).run().unwrap();
            assert_eq!(facts(&other), facts(&expected), "{}, {relations:?}", method.name());
            assert_eq!(other.cuts().len(), own.cuts().len(), "{other}");
        }
        let symbolic = own.exploration().symbolic.clone().unwrap();
        assert_eq!(symbolic.states, Some(expected.counts().states().to_string()));
        assert_eq!(symbolic.transitions, Some(expected.counts().transitions.to_string()));
        // Of an end at the first finding only verdict and length must agree.
        let first = check(text, Some(method), false);
        assert_eq!(first.verdict().word(), nearest.verdict().word(), "{}", method.name());
        let length = |o: &Outcome| o.trace().map(|trace| trace.steps.len());
        assert_eq!(length(&first), length(&nearest), "{}", method.name());
    }
}

/// A method that does not count states says of each conjunct what the explicit search says of it.
fn each(text: &str, method: Method, expected: &Outcome) {
    let own = check(text, Some(method), true);
    if !own.cuts().iter().any(|c| c.words.contains("--method symbolic")) {
        let (own, expected) = (facts(&own), facts(expected));
        assert_eq!((own.0, own.3), (expected.0, expected.3), "{}", method.name());
    }
}

/// A method that does not count states says the same, or what it cannot do.
fn sooner(text: &str, method: Method, nearest: &Outcome) {
    let own = check(text, Some(method), false);
    let name = method.name();
    let unfit = own.cuts().iter().find(|c| c.words.contains("--method symbolic"));
    if let Some(cut) = unfit {
        let reasons = ["finite layout", "SCOPE", "patterns of bits"];
        assert!(reasons.iter().any(|why| cut.words.contains(why)), "{name}: {}", cut.words);
        return;
    }
    assert_eq!(own.verdict().word(), nearest.verdict().word(), "{name}: {own}");
    let length = |o: &Outcome| o.trace().map(|trace| trace.steps.len());
    assert_eq!(length(&own), length(nearest), "{name}");
}

#[test]
fn what_holds_holds() {
    same("MACHINE Counters VARIABLES x, y, on INVARIANT x : 0..12 & y : 0..5 & on : BOOL & x + y < 20
        INITIALISATION x := 0 || y :: 1..2 || on := FALSE
        OPERATIONS
          up = SELECT x < 12 THEN x := x + 1 END;
          swap = SELECT on = TRUE & x < 6 THEN x := y || y := x mod 6 END;
          by(n) = SELECT n : 1..3 & y + n <= 5 THEN y := y + n END;
          toggle = BEGIN on := bool(on = FALSE) END;
          reset = SELECT x = 12 THEN x := 0 || y :: 0..5 END
        END");
}

#[test]
fn sets_and_functions() {
    same(
        "MACHINE Sets SETS S = {a, b, c}; T = {t, u}
        VARIABLES s, f INVARIANT s <: S & f : S +-> T & (a : s => a : dom(f))
        INITIALISATION s, f := {}, {}
        OPERATIONS
          put(x, y) = PRE x : S & y : T THEN f(x) := y END;
          drop(x) = PRE x : dom(f) & x /: s THEN f := {x} <<| f END;
          enter(x) = PRE x : dom(f) & f(x) = t THEN s := s \\/ {x} END;
          clear = s := {}
        END",
    );
}

#[test]
fn what_is_wrong_is_found_as_near_as_it_is() {
    // A violation, a deadlock, an ill-defined guard, a precondition, a goal.
    same(
        "MACHINE Wrong DEFINITIONS GOAL == x = 7 & y = 1
        VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 & x /= 8
        INITIALISATION x, y := 0, 0
        OPERATIONS
          up = SELECT x < 9 & y < 2 THEN x := x + 1 END;
          divide = SELECT 10 / (5 - x) > 2 & y = 0 THEN y := 1 END;
          stop = SELECT x = 3 THEN y := 9 END
        END",
    );
    same(
        "MACHINE Pair VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
        OPERATIONS up = SELECT x < 6 THEN x := x + 1 END END",
    );
    same(
        "MACHINE None VARIABLES x INVARIANT x : 0..3 INITIALISATION x :: {}
        OPERATIONS up = BEGIN x := 1 END END",
    );
}

#[test]
fn constants_one_after_the_other() {
    same(
        "MACHINE Constants CONSTANTS k PROPERTIES k : 1..4
        VARIABLES x INVARIANT x : 0..9 & x <= 2 * k INITIALISATION x := 0
        OPERATIONS up = SELECT x < 7 THEN x := x + k END END",
    );
}

#[test]
fn values_that_are_kept_elsewhere() {
    // Sequences have no finite layout; a value outside its layout makes a wider one.
    same(
        "MACHINE Words VARIABLES w, n INVARIANT w : seq(0..1) & n : 0..3
        INITIALISATION w, n := <>, 0
        OPERATIONS
          add(b) = PRE b : 0..1 & size(w) < 4 THEN w := w <- b END;
          count = BEGIN n := size(w) END
        END",
    );
}

#[test]
fn a_scope_and_a_limit_of_depth_are_cuts() {
    let text = "MACHINE Scoped DEFINITIONS SCOPE == x < 4
        VARIABLES x INVARIANT x : 0..20 INITIALISATION x := 0
        OPERATIONS up = SELECT x < 9 THEN x := x + 1 END END";
    same(text);
    let text = text.replace("SCOPE", "OTHER");
    for method in [None, Method::by_name("symbolic")] {
        let checker = Checker::from_text(&text).unwrap().method(method).max_depth(3);
        let outcome = checker.run().unwrap();
        assert_eq!(outcome.verdict().word(), "no_error_found");
        assert_eq!(outcome.counts().states(), 4);
    }
}

/// How the relation of each operation was made.
fn made(text: &str) -> Vec<(String, Made)> {
    let outcome = check(text, Method::by_name("symbolic"), false);
    outcome.exploration().symbolic.clone().unwrap().relations
}

#[test]
fn relations_come_from_code_where_that_says_all() {
    let told = made(
        "MACHINE Exact SETS S = {a, b, c}
        VARIABLES x, y, on, s, f
        INVARIANT x : 0..100000 & y : 0..9 & on : BOOL & s <: S & f : S --> 0..9
        INITIALISATION x, y, on, s := 0, 0, FALSE, {} || f := S * {0}
        OPERATIONS
          up = SELECT x < 100000 THEN x := x + 1 END;
          switch = IF on = TRUE THEN on := FALSE ELSE on, y := TRUE, 9 - y END;
          enter(e) = PRE e : S - s THEN s := s \\/ {e} END;
          raise(e) = PRE e : S & f(e) < 9 THEN f(e) := f(e) + 1 END;
          leave = SELECT x + y = 100009 THEN x := x - y END;
          beyond = SELECT y = 5 THEN y := y + 6 END
        END",
    );
    let exact = |name: &str| (name.to_owned(), Made::Exact);
    let first: Vec<_> = ["up", "switch", "enter", "raise", "leave"].map(exact).into();
    assert_eq!(told[..5], first, "{told:?}");
    // Where `y` is 5, which it never is, the value leaves its layout: that is left to who knows what to do then.
    assert_eq!(told[5], ("beyond".to_owned(), Made::Partly));
    let told = made(
        "MACHINE Words VARIABLES w INVARIANT w : seq(0..1) INITIALISATION w := <>
        OPERATIONS add(b) = PRE b : 0..1 & size(w) < 3 THEN w := w <- b END END",
    );
    assert_eq!(told, [("add".to_owned(), Made::Learned)]);
}

#[test]
fn initial_values_outside_their_layout_are_not_forgotten() {
    let text = "MACHINE Wide VARIABLES v INVARIANT v : {0} INITIALISATION v :: 0..1
        OPERATIONS stay = skip END";
    for method in Method::ALL.into_iter().filter(|method| method.counts()) {
        for relations in [Relations::Learned, Relations::Audit] {
            let checker = Checker::from_text(text).unwrap().method(Some(method)).all();
            let outcome = checker.relations(relations).run().unwrap();
            assert_eq!(outcome.verdict().word(), "violated", "{}", method.name());
            assert!(outcome.cuts().is_empty(), "{}, {relations:?}: {outcome}", method.name());
        }
    }
}

#[test]
fn conjuncts_over_many_variables_need_no_list_of_patterns() {
    // Twenty counters in one conjunct: three to the power of twenty patterns.
    let names: Vec<String> = (0..20).map(|i| format!("x{i}")).collect();
    let sum = format!("INVARIANT {} < 40 &", names.join(" + "));
    let text = cube(20).replace("INVARIANT", &sum);
    let checker = Checker::from_text(&text).unwrap().deadlock(false).shortest();
    let outcome = checker.method(Method::by_name("symbolic")).run().unwrap();
    assert_eq!(outcome.trace().map(|t| t.steps.len()), Some(1 + 40), "{outcome}");
    let told = outcome.exploration().symbolic.clone().unwrap();
    // The types are conjuncts as well.
    assert_eq!((told.checks, told.learned), (vec![Made::Exact; 21], 0));
}

/// Numbers that scatter: the set of those that are reached has no small diagram.
fn scattered(most: u32) -> String {
    format!(
        "MACHINE Scattered VARIABLES a, b INVARIANT a : 0..{most} & b : 0..1048572
        INITIALISATION a, b := 0, 1
        OPERATIONS next = SELECT a < {most} THEN a := a + 1 || b := (b * 1027 + a) mod 1048573 END;
          again = SELECT a = {most} THEN a := 0 || b := 1 END END"
    )
}

#[test]
fn diagrams_that_explode_are_a_cut_and_the_explicit_search_answers() {
    let text = scattered(300_000);
    let symbolic = Method::by_name("symbolic");
    let resident = beeline::explore::resident_bytes().unwrap_or(0);
    // A little room for the model, and next to none for diagrams.
    let checker = || Checker::from_text(&text).unwrap().symmetry(Mode::None);
    let outcome = checker().method(symbolic).memory(resident + (24 << 20)).run().unwrap();
    assert_eq!(outcome.verdict().word(), "no_error_found");
    let limits = ["memory limit", "the diagrams are too large"];
    let is_told = |c: &beeline::explore::CutNote| limits.iter().any(|w| c.words.contains(w));
    assert!(outcome.cuts().iter().any(is_told), "{outcome}");
    let plain = checker().run().unwrap();
    assert_eq!((plain.verdict().word(), plain.counts().states()), ("holds", 300_001));
    let auto = checker().method_auto().run().unwrap();
    assert_eq!((auto.verdict().word(), auto.counts().states()), ("holds", 300_001));
    assert!(auto.exploration().symbolic.is_none());
}

#[test]
fn sets_of_states_answer_where_one_by_one_does_not_end() {
    let text = cube(40);
    let checker = Checker::from_text(&text).unwrap().deadlock(false);
    let outcome = checker.method_auto().run().unwrap();
    assert!(outcome.holds(), "{outcome}");
    let told = outcome.exploration().symbolic.clone().unwrap();
    assert_eq!(told.states.as_deref(), Some("12157665459056928801"));
}

/// Philosophers with a variable each: `left` and `right` fork one after the other.
pub fn philosophers(count: usize, polite: bool) -> String {
    let each = |what: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(what).collect::<Vec<_>>().join(between)
    };
    let mut operations = String::new();
    for i in 0..count {
        let (mut first, mut second) = (i, (i + 1) % count);
        if polite && i == count - 1 {
            std::mem::swap(&mut first, &mut second);
        }
        let steps = [
            (0, 1, first, "FALSE", "TRUE"),
            (1, 2, second, "FALSE", "TRUE"),
            (2, 3, first, "TRUE", "FALSE"),
            (3, 0, second, "TRUE", "FALSE"),
        ];
        for (from, to, fork, before, after) in steps {
            let _ = write!(
                operations,
                "; s{i}_{from} = SELECT p{i} = {from} & f{fork} = {before} THEN p{i} := {to} || f{fork} := {after} END"
            );
        }
    }
    format!(
        "MACHINE Philosophers VARIABLES {}, {} INVARIANT {} & {} INITIALISATION {} OPERATIONS {} END",
        each(&|i| format!("p{i}"), ", "),
        each(&|i| format!("f{i}"), ", "),
        each(&|i| format!("p{i} : 0..3"), " & "),
        each(&|i| format!("f{i} : BOOL"), " & "),
        each(&|i| format!("p{i} := 0 || f{i} := FALSE"), " || "),
        &operations[2..]
    )
}

#[test]
fn philosophers_starve_alike() {
    same(&philosophers(4, false));
    same(&philosophers(4, true));
}

/// So many counters from 0 to 2.
fn cube(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    let typed: Vec<String> = names.iter().map(|x| format!("{x} : 0..2")).collect();
    let zero: Vec<String> = names.iter().map(|x| format!("{x} := 0")).collect();
    let step = |x: &String| format!("up_{x} = SELECT {x} < 2 THEN {x} := {x} + 1 END");
    let steps: Vec<String> = names.iter().map(step).collect();
    format!(
        "MACHINE Cube VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS {} END",
        names.join(","),
        typed.join("&"),
        zero.join("||"),
        steps.join(";")
    )
}

#[test]
fn more_states_than_a_word_can_count() {
    let symbolic = Method::by_name("symbolic");
    let checker = Checker::from_text(&cube(80)).unwrap().deadlock(false);
    let outcome = checker.method(symbolic).run().unwrap();
    assert!(outcome.holds(), "{outcome}");
    let told = outcome.exploration().symbolic.clone().unwrap();
    // 3 ^ 80
    assert_eq!(told.states.as_deref(), Some("147808829414345923316083210206383297601"));
    assert_eq!(outcome.counts().nodes, u64::MAX);
    // All are at their end after 24 steps, and no earlier.
    let deadlock = Checker::from_text(&cube(12)).unwrap().method(symbolic).run().unwrap();
    assert_eq!(deadlock.trace().map(|t| t.steps.len()), Some(1 + 24));
}

#[test]
fn limits_hold_and_are_told() {
    // Two halves that are equal, far from each other: no small diagram, whatever is done.
    let text = "MACHINE Sums VARIABLES a, b INVARIANT a : 0..1000000 & b : 0..1000000
        INITIALISATION a, b := 0, 0
        OPERATIONS up = SELECT a < 1000000 THEN a := a + 1 || b := (a * a + b * 7) mod 1000001 END END";
    let checker = Checker::from_text(text).unwrap().method(Method::by_name("symbolic"));
    let outcome = checker.timeout(std::time::Duration::from_millis(300)).run().unwrap();
    assert_eq!(outcome.verdict().word(), "no_error_found");
    assert!(outcome.cuts().iter().any(|c| c.words.contains("time limit")), "{outcome}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let checker = Checker::from_text(
        "MACHINE M SETS S VARIABLES s INVARIANT s <: S
        INITIALISATION s := {} OPERATIONS put(x) = PRE x : S THEN s := {x} END END",
    );
    let checker = checker.unwrap().method(Method::by_name("symbolic")).symmetry(Mode::Canonical);
    match checker.run() {
        Err(Error::Option(error)) => {
            assert!(error.to_string().contains("reduction by symmetry"), "{error}");
        }
        other => panic!("{:?}", other.map(|o| o.to_string())),
    }
}

/// The models of `bench/symbolic`, each with what it takes. `cargo test --release -- --ignored --nocapture`.
#[test]
#[ignore = "takes a while without optimisation"]
fn models_of_scale() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/symbolic");
    let expected = [
        ("CounterCube", "1000000000000000000", None),
        ("CounterCubeCorner", "", Some(1 + 117)),
        // Each station rests or waits, or has the token and may be at work: 64 * 3 * 2 ** 63.
        ("TokenRing64", "1770887431076116955136", None),
        ("Philosophers100", "", None),
    ];
    for (name, states, trace) in expected {
        let begin = std::time::Instant::now();
        let checker = Checker::open(folder.join(format!("{name}.mch"))).unwrap();
        let outcome = checker.method(Method::by_name("symbolic")).run().unwrap();
        let told = outcome.exploration().symbolic.clone().unwrap();
        let verdict = outcome.verdict().word();
        println!("{name}: {verdict}, {:.2} s, {told:?}", begin.elapsed().as_secs_f64());
        assert_eq!(outcome.trace().map(|t| t.steps.len()), trace, "{name}");
        if !states.is_empty() {
            assert_eq!(told.states.as_deref(), Some(states), "{name}");
        }
    }
}

/// The models of the kind that was studied, by every method that was compared: rounds, sets of predecessors or successors,
/// seconds and nodes. The lower bounds of the study hold of what is counted.
#[test]
#[ignore = "prints a table"]
fn laboratory() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/symbolic");
    let names = [
        "Gigamax",
        "EisenbergWrong",
        "AlternatingBit",
        "BakeryWrong",
        "TreeArbiter",
        "Elevator23",
        "Coherence1",
        "Coherence2",
        "Coherence3",
        "Coherence4",
        "Elevator33",
        "Elevator43",
        "TcpWrong",
        "Eisenberg",
        "Bakery",
    ];
    let methods = ["backward", "ly", "bfh", "pt", "pt-split"];
    println!(
        "| model | bits | verdict | method | rounds | images | seconds | peak nodes | blocks |"
    );
    for name in names {
        let mut verdicts = Vec::new();
        let mut backward = 0;
        for method in methods {
            let checker = Checker::open(folder.join(format!("{name}.mch"))).unwrap();
            let checker = checker.method(Method::by_name(method)).deadlock(false);
            let outcome = checker.timeout(std::time::Duration::from_secs(30)).run().unwrap();
            let told = outcome.exploration().symbolic.clone().unwrap();
            let (verdict, done) = (outcome.verdict().word(), told.operations);
            println!(
                "| {name} | {} | {verdict} | {method} | {} | {} | {:.3} | {} | {} |",
                told.bits,
                told.rounds,
                done.images,
                outcome.exploration().elapsed.as_secs_f64(),
                told.peak_nodes,
                told.blocks.map_or(String::new(), |blocks| blocks.to_string())
            );
            if verdict == "no_error_found" {
                println!("  {}", outcome.cuts().first().map_or("", |c| &c.words));
                continue;
            }
            verdicts.push(verdict);
            let n = told.rounds;
            match method {
                "backward" => {
                    backward = n;
                    assert!(
                        done.images >= n && done.unions >= n && done.differences >= n,
                        "{done:?}"
                    );
                }
                "pt" | "pt-split" => assert!(done.images >= 2 * n, "{done:?}"),
                "ly" => assert!(backward == 0 || done.images >= backward - 1, "{done:?}"),
                _ => assert!(done.images >= n, "{done:?}"),
            }
        }
        assert!(verdicts.windows(2).all(|w| w[0] == w[1]), "{name}: {verdicts:?}");
    }
}

/// All files with this ending below a folder.
fn below(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            below(&path, found);
        } else if path.extension().is_some_and(|e| e == "mch") {
            found.push(path);
        }
    }
}

/// Models of the collection beside the repository: exact counts and the same findings, where both searches end.
/// `SAMPLE=20` takes each twentieth, `SECONDS=3` is the limit of each search.
#[test]
#[ignore = "takes minutes"]
fn the_collection_agrees() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !folder.is_dir() {
        println!("skipped: there is no collection of models at {}", folder.display());
        return;
    }
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
    };
    let limit = std::time::Duration::from_secs(number("SECONDS", 3));
    let mut files = Vec::new();
    below(&folder, &mut files);
    files.sort();
    let (mut complete, mut ended, mut refused, mut late) = (0, 0, 0, 0);
    let mut differ = Vec::new();
    for file in files.iter().step_by(number("SAMPLE", 20) as usize) {
        let run = |method| {
            let checker = Checker::open(file).ok()?.method(method).symmetry(Mode::None).all();
            checker.timeout(limit).max_states(200_001).run().ok()
        };
        let Some(explicit) = run(None).filter(|o| o.exploration().is_complete()) else { continue };
        complete += 1;
        let Some(own) = run(Method::by_name("symbolic")) else { continue };
        let unfit = own.cuts().iter().any(|c| c.words.contains("symbolic search"));
        if unfit {
            refused += 1;
        } else if !own.exploration().is_complete() {
            late += 1;
        } else if facts(&own) == facts(&explicit) {
            ended += 1;
        } else {
            differ.push(format!(
                "{}: {:?}, not {:?}",
                file.display(),
                facts(&own),
                facts(&explicit)
            ));
        }
    }
    println!(
        "{complete} complete: {ended} equal, {refused} refused, {late} not ended, {} differ",
        differ.len()
    );
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
