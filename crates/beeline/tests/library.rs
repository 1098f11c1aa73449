//! The door: errors with causes and places, the same results as below it, examples that run.

#![allow(clippy::unwrap_used)]

use beeline::explore::{Cancel, Order};
use beeline::symmetry::{Mode, SymmetryError};
use beeline::verdict::Verdict;
use beeline::{
    BreadthFirst, Checker, Error, Evaluator, NoAnswer, OpenOptions, OptionError, Outcome,
    ReplayFailure, Specification,
};
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const COUNT: &str = "MACHINE Count VARIABLES n INVARIANT n : 0..7 INITIALISATION n := 0
    OPERATIONS up = PRE n < 9 THEN n := n + 1 END END";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_portable<T: Send + Sync + 'static>() {}

#[test]
fn errors_and_what_was_opened_cross_threads() {
    is_portable::<Error>();
    is_portable::<Specification>();
}

#[test]
fn a_missing_file_and_a_mistake_have_codes_and_places() {
    let missing = Checker::open("no/such/file.mch").err().unwrap();
    assert_eq!(missing.to_string(), "error[B0301]: there is no file `no/such/file.mch`");
    let wrong = Specification::from_text("MACHINE M\nINVARIANT x = 1 & y = 2 END").unwrap_err();
    assert_eq!(wrong.diagnostics().len(), 2);
    assert!(wrong.to_string().starts_with("text:2:11: error[B"), "{wrong}");
    assert!(wrong.to_string().ends_with(" (and 1 more)"), "{wrong}");
    // What `main` prints when it returns the error.
    assert!(format!("{wrong:?}").contains("2 | INVARIANT x = 1 & y = 2 END"), "{wrong:?}");
}

#[test]
fn options_that_do_not_fit_are_named() {
    let checker = || Checker::from_text(COUNT).unwrap();
    let refused = |checker: Checker<'_>| match checker.run() {
        Err(Error::Option(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(outcome) => panic!("{outcome}"),
    };
    assert_eq!(refused(checker().set_size("S", 3)), OptionError::UnknownSet("S".to_owned()));
    assert_eq!(refused(checker().goal("n + 1")), OptionError::GoalNotPredicate);
    assert_eq!(refused(checker().goal("m = 1")), OptionError::GoalUnknownName("m".to_owned()));
    assert_eq!(refused(checker().search(Order::Distance)), OptionError::NoTarget);
    assert_eq!(refused(checker().symmetry_audit()), OptionError::NothingToAudit);
    assert_eq!(
        refused(checker().shortest().search(Order::DepthFirst)),
        OptionError::NeedsBreadthFirst(BreadthFirst::Shortest)
    );
    let forced = "MACHINE M SETS S = {a, b} DEFINITIONS FORCE_SYMMETRY_S == TRUE
        VARIABLES v INVARIANT v : S INITIALISATION v := a END";
    let forced = Checker::from_text(forced).unwrap().symmetry(Mode::Auto);
    let OptionError::Symmetry(SymmetryError::NotSymmetric { set, .. }) = refused(forced) else {
        panic!("S is not symmetric");
    };
    assert_eq!(set, "S");
}

#[test]
fn causes_are_a_chain() {
    let Err(error) = Evaluator::new().eval("1 / 0") else { panic!("no value") };
    assert!(error.to_string().starts_with("not well-defined: "), "{error}");
    let cause = error.source().unwrap();
    assert!(error.to_string().ends_with(&cause.to_string()) && cause.source().is_none());
    let cancelled = Cancel::new();
    cancelled.cancel();
    let limits = beeline::WorkLimits { cancel: cancelled, ..Default::default() };
    let endless = "card({x | x : 1..1000000 & #y.(y : 1..1000000 & x * x = y + 1)})";
    let error = Evaluator::new().limits(limits).eval(endless).unwrap_err();
    assert!(matches!(error, Error::Formula(NoAnswer::Stopped(_))), "{error}");
}

#[test]
fn a_goal_is_read_in_the_scope_of_the_machine() {
    let found = |checker: Checker<'_>| {
        let outcome = checker.run().unwrap();
        assert!(matches!(outcome.verdict(), Verdict::GoalFound(_)), "{outcome}");
        outcome.trace().unwrap().steps.len()
    };
    let checker = Checker::from_text(COUNT).unwrap().goal("n = 5");
    assert_eq!(found(checker.shortest()), 6);
    // The same, read together with the model.
    let read = OpenOptions::new().formula("n = 5").open_text(COUNT).unwrap();
    let formula = read.formulas()[0].clone();
    assert_eq!(found(Checker::new(read).goal_formula(formula).shortest()), 6);
}

#[test]
fn a_checkpoint_belongs_to_its_options() {
    let folder = std::env::temp_dir().join(format!("beeline-library-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let saved = |change: fn(Checker<'static>) -> Checker<'static>| {
        let checker = Checker::from_text(COUNT).unwrap().all();
        change(checker.checkpoint(&folder, Duration::ZERO).resume()).run()
    };
    let states = |outcome: Result<Outcome, Error>| outcome.unwrap().counts().states();
    assert_eq!(states(saved(|checker| checker)), 10);
    assert_eq!(states(saved(|checker| checker.threads(3))), 10);
    let others: [fn(Checker<'static>) -> Checker<'static>; 3] =
        [Checker::no_goal, |c| c.deadlock(false), |c| c.goal("n = 3")];
    for change in others {
        assert!(matches!(saved(change), Err(Error::Checkpoint(_))));
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_trace_of_another_model_is_refused() {
    let trace = Checker::from_text(COUNT).unwrap().run().unwrap().trace().unwrap();
    let other = Specification::from_text("MACHINE Other END").unwrap();
    let Err(Error::Replay(failure)) = other.replay(trace) else { panic!("another model") };
    let (of, opened) = ("Count".to_owned(), "Other".to_owned());
    assert_eq!(failure, ReplayFailure::OtherModel { of, opened });
}

#[test]
fn the_page_of_the_book_shows_the_example() {
    let page = std::fs::read_to_string(root().join("docs/book/library.md")).unwrap();
    let example = std::fs::read_to_string(root().join("crates/beeline/examples/check.rs")).unwrap();
    assert!(page.contains(&example), "docs/book/library.md has another text than the example");
    assert!(example.lines().count() <= 16);
}

/// What an example program prints. `cargo test` builds examples beside tests.
fn printed(example: &str, arguments: &[&str]) -> Option<String> {
    let tests = std::env::current_exe().unwrap();
    let name = format!("{example}{}", std::env::consts::EXE_SUFFIX);
    let program = tests.parent()?.parent()?.join("examples").join(name);
    // A single test target was asked for: then examples are not built.
    program.is_file().then(|| {
        let output = Command::new(&program).args(arguments).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    })
}

#[test]
fn examples_run() {
    if let Some(text) = printed("check", &[]) {
        assert!(text.starts_with("examples/AccountViolation.mch: violated, 9 states\n"), "{text}");
        assert!(text.ends_with("  withdraw [(\"balance\", \"-1\")]\n"), "{text}");
    }
    if let Some(text) = printed("progress", &["examples/TrafficLight.mch"]) {
        assert!(text.starts_with("holds"), "{text}");
    }
    if let Some(text) = printed("walk", &["examples/Lift.mch", "20"]) {
        assert!(text.contains("   1 INITIALISATION\n"), "{text}");
    }
}
