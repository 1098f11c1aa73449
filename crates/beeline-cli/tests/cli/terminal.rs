//! On a real terminal: progress, windows of all widths, keys and signals, and nothing of it where
//! there is no terminal.

mod screen;

use crate::{Folder, SWITCH};
use rustix::process::Signal;
use screen::{Screen, start};
use std::io::Read;
use std::process::Stdio;

/// More states than anybody waits for.
const ENDLESS: &str = "\
MACHINE Endless
VARIABLES a, b, c
INVARIANT a : NATURAL & b : NATURAL & c : NATURAL
INITIALISATION a, b, c := 0, 0, 0
OPERATIONS
  one = SELECT a < 3000 THEN a := a + 1 END;
  two = SELECT b < 3000 THEN b := b + 1 END;
  three = SELECT c < 3000 THEN c := c + 1 END
END
";

/// Properties whose solutions nobody waits for, so that there is no state.
const NO_STATE: &str = "\
MACHINE NoState
CONSTANTS f, g
PROPERTIES
  f : 1..9 >->> 1..9 & g : 1..9 >->> 1..9 & (f ; g) /= (g ; f) &
  !x.(x : 1..9 => f(x) + g(x) /= 10) & card({x | x : 1..9 & f(g(x)) = x}) = 8
END
";

const CHECK: [&str; 5] = ["check", "--threads", "1", "--search", "bf"];

fn check(folder: &Folder, more: &[&str]) -> screen::Start {
    let all: Vec<&str> = CHECK.iter().chain(more).copied().collect();
    start(folder, &all)
}

fn endless(name: &str) -> Folder {
    Folder::new(name).with("Endless.mch", ENDLESS)
}

/// Runs a command on a terminal to its end.
pub fn on_terminal(folder: &Folder, arguments: &[&str]) -> (Option<i32>, Vec<String>, String) {
    start(folder, arguments).run().end()
}

/// A report of a check that was broken off, on a screen without anything else.
#[track_caller]
fn is_partial_report(lines: &[String], why: &str) {
    let text = lines.join("\n");
    assert!(lines[0].trim_start_matches("^C").starts_with("no error found, but"), "{text}");
    assert!(text.contains(why) && text.contains("transitions"), "{text}");
    assert!(!text.contains("waiting") && !text.contains("stopping"), "{text}");
}

#[test]
fn progress_is_shown_and_gone_before_the_report() {
    let folder = endless("pty-progress");
    let screen = check(&folder, &["--timeout", "4", "Endless.mch"]).run();
    let lines = screen.until_line(" states, ");
    assert_eq!(lines.len(), 1, "{lines:?}");
    for word in [" waiting", "depth ", " states/s", " MB", " s"] {
        screen.until_line(word);
    }
    let (code, lines, raw) = screen.end();
    is_partial_report(&lines, "the time limit was reached");
    assert_eq!(code, Some(3));
    // Every line of progress is over before the report begins.
    let report = raw.find("no error found").unwrap();
    assert!(raw.rfind(" waiting").unwrap() < report);
}

#[test]
fn a_check_that_takes_no_time_shows_no_progress() {
    let folder = Folder::new("pty-short").with("M.mch", SWITCH);
    let (code, lines, raw) = check(&folder, &["M.mch"]).run().end();
    assert_eq!(code, Some(0));
    assert!(lines[0].starts_with("holds"), "{lines:?}");
    assert!(!raw.contains("\u{1b}[J"), "{raw:?}");
}

#[test]
fn progress_is_told_before_there_is_a_state() {
    let folder = Folder::new("pty-no-state").with("NoState.mch", NO_STATE);
    let screen = check(&folder, &["NoState.mch"]).run();
    screen.until("a phase", |lines| {
        lines.iter().any(|l| l.contains("looking for initial states") || l.contains("the model"))
    });
    screen.interrupt();
    let (code, lines, _) = screen.end();
    assert!(matches!(code, Some(2..=4)), "{code:?} {lines:?}");
}

#[test]
fn a_narrow_window_holds_one_line_of_progress() {
    for columns in [20, 9, 1] {
        let folder = endless(&format!("pty-narrow-{columns}"));
        let screen = check(&folder, &["Endless.mch"]).columns(columns).run();
        let seen = |lines: &[String]| !lines.is_empty() || columns == 1;
        for _ in 0..3 {
            let lines = screen.until("progress", seen);
            assert!(lines.len() <= 1, "{columns}: {lines:?}");
            assert!(lines.iter().all(|l| l.chars().count() < columns.into()), "{lines:?}");
            std::thread::sleep(std::time::Duration::from_millis(150));
        }
        screen.interrupt();
        let (code, _, _) = screen.end();
        assert_eq!(code, Some(3));
    }
}

#[test]
fn a_window_that_is_resized_shows_one_line_in_its_new_width() {
    let folder = endless("pty-resize");
    let screen = check(&folder, &["Endless.mch"]).columns(100).run();
    screen.until_line(" waiting");
    screen.resize(24);
    let fits = |lines: &[String]| {
        let is_short = |l: &String| l.ends_with(" s") && !l.contains("waiting");
        lines.len() == 1 && is_short(&lines[0])
    };
    screen.until("a short line", fits);
    screen.resize(120);
    screen.until("a long line", |lines| lines.len() == 1 && lines[0].contains(" MB"));
    screen.interrupt();
    let (code, lines, _) = screen.end();
    is_partial_report(&lines, "interrupted");
    assert_eq!(code, Some(3));
}

#[test]
fn the_first_interrupt_asks_for_a_report() {
    let folder = endless("pty-interrupt");
    let screen = check(&folder, &["Endless.mch"]).run();
    screen.until_line(" waiting");
    screen.interrupt();
    let (code, lines, _) = screen.end();
    is_partial_report(&lines, "the exploration was interrupted");
    assert_eq!(code, Some(3));
}

#[test]
fn requests_of_the_system_are_answered_like_the_first_interrupt() {
    for signal in [Signal::TERM, Signal::INT] {
        let folder = endless(&format!("pty-signal-{}", signal.as_raw()));
        let screen = check(&folder, &["Endless.mch"]).run();
        screen.until_line(" waiting");
        screen.signal(signal);
        let (code, lines, _) = screen.end();
        is_partial_report(&lines, "the exploration was interrupted");
        assert_eq!(code, Some(3));
    }
}

#[test]
fn the_second_interrupt_leaves_at_once_and_leaves_no_line() {
    // A finding with a trace longer than a pipe holds, which nobody reads: the program stands still
    // in its report when the second interrupt comes.
    let deep = "MACHINE Deep VARIABLES a, b INVARIANT a : 0..8999 & b : NATURAL
      INITIALISATION a, b := 0, 0
      OPERATIONS up_by_one = SELECT a < 9100 THEN a := a + 1 END;
        right = SELECT a > 9000 & b < 1000000000 THEN b := b + 1 END END";
    let folder = Folder::new("pty-twice").with("Deep.mch", deep);
    let mut screen = check(&folder, &["--all", "Deep.mch"]).stdout(Stdio::piped()).run();
    // The finding is there once as many states are: before, the report would be short.
    let states =
        |line: &String| line.split_once(" states").and_then(|(n, _)| n.parse::<u32>().ok());
    screen.until("the finding", |lines| lines.iter().any(|l| states(l).is_some_and(|n| n > 9_100)));
    screen.interrupt();
    screen.until("no line", |lines| lines.iter().all(|l| !l.contains("states")));
    let out = screen.child.stdout.take();
    screen.interrupt();
    let (code, lines, _) = screen.end();
    assert_eq!(code, Some(130));
    assert!(lines.iter().all(|l| l.replace("^C", "").is_empty()), "{lines:?}");
    drop(out);
}

#[test]
fn without_a_terminal_there_is_no_progress_and_no_colour() {
    let folder = endless("pty-none");
    let ran = folder.run(&["check", "--threads", "1", "--timeout", "2", "Endless.mch"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), ""));
    assert!(ran.out.starts_with("no error found") && !ran.out.contains('\u{1b}'), "{}", ran.out);
    // Only standard output is elsewhere: progress stays on the terminal, the report does not.
    let all = ["--timeout", "2", "Endless.mch"];
    let mut screen = check(&folder, &all).stdout(Stdio::piped()).run();
    screen.until_line(" waiting");
    let mut out = String::new();
    screen.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    let (code, lines, _) = screen.end();
    assert_eq!((code, lines), (Some(3), Vec::new()));
    assert!(out.starts_with("no error found") && !out.contains('\u{1b}'), "{out}");
    // Only standard error is: the report has the terminal for itself.
    let screen = check(&folder, &all).stderr(Stdio::null()).run();
    let (code, lines, raw) = screen.end();
    is_partial_report(&lines, "time limit");
    assert!(code == Some(3) && !raw.contains("waiting"), "{raw}");
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let folder = Folder::new("pty-colour").with("M.mch", "MACHINE M INVARIANT x END");
    let coloured = |screen: Screen| screen.end().2.contains("\u{1b}[");
    assert!(coloured(start(&folder, &["check", "M.mch"]).run()));
    assert!(!coloured(start(&folder, &["check", "M.mch"]).env("NO_COLOR", "1").run()));
    assert!(!coloured(start(&folder, &["check", "M.mch"]).env("TERM", "dumb").run()));
    assert!(!coloured(start(&folder, &["--color", "never", "check", "M.mch"]).run()));
}

#[test]
fn a_dumb_terminal_shows_no_progress() {
    let folder = endless("pty-dumb");
    let all = ["--timeout", "2", "Endless.mch"];
    let (code, lines, raw) = check(&folder, &all).env("TERM", "dumb").run().end();
    is_partial_report(&lines, "time limit");
    assert!(code == Some(3) && !raw.contains('\u{1b}'), "{raw:?}");
}

#[test]
fn a_reader_that_goes_away_is_not_spoken_of() {
    let folder = endless("pty-head");
    let all = ["--timeout", "2", "Endless.mch"];
    let mut screen = check(&folder, &all).stdout(Stdio::piped()).run();
    screen.until_line(" waiting");
    drop(screen.child.stdout.take());
    let (code, lines, _) = screen.end();
    assert_eq!((code, lines), (Some(3), Vec::new()));
    for arguments in [&["completions", "bash"][..], &["--help"], &["explain", "B0601"]] {
        let mut screen = start(&folder, arguments).stdout(Stdio::piped()).run();
        drop(screen.child.stdout.take());
        let (code, lines, _) = screen.end();
        assert_eq!((code, lines), (Some(0), Vec::new()), "{arguments:?}");
    }
}

#[test]
fn a_walk_at_a_terminal() {
    let folder = Folder::new("pty-animate").with("M.mch", SWITCH);
    let screen = start(&folder, &["animate", "M.mch"]).run();
    screen.until_line("1  INITIALISATION(on=FALSE)");
    for (typed, seen) in [
        ("1\n", "on = FALSE"),
        ("1\n", "on = TRUE"),
        ("eval card({on})\n", "1 : INTEGER"),
        ("inv\n", "1 of 1 conjuncts hold"),
        ("trace\n", "2  toggle"),
        ("save walk.json\n", "saved 2 steps to walk.json"),
        ("nonsense\n", "unknown command `nonsense`"),
        ("back\n", "on = FALSE"),
    ] {
        screen.until("a prompt", |lines| lines.last().is_some_and(|l| l == ">"));
        screen.send(typed);
        screen.until_line(seen);
    }
    let lines = screen.until("a prompt", |lines| lines.last().is_some_and(|l| l == ">"));
    assert!(lines.iter().any(|l| l == "> 1"), "{lines:?}");
    screen.send("quit\n");
    let (code, _, _) = screen.end();
    assert_eq!(code, Some(0));
    let (code, lines, _) = on_terminal(&folder, &["replay", "M.mch", "walk.json"]);
    assert_eq!(code, Some(0));
    assert_eq!(lines, ["replayed: 2 steps", "at its end: no error"]);
}

#[test]
fn an_end_of_input_ends_a_walk() {
    let folder = Folder::new("pty-end").with("M.mch", SWITCH);
    let screen = start(&folder, &["animate", "M.mch"]).run();
    screen.until_line("> ".trim_end());
    screen.send("\u{4}");
    assert_eq!(screen.end().0, Some(0));
}

#[test]
fn every_command_says_its_piece_on_a_terminal_and_ends() {
    let suite = "name = \"s\"\nreference = \"bf\"\ntimeout = 60\n[[configuration]]\nname = \"bf\"\n\
        options = []\n[[model]]\nname = \"M\"\nfile = \"M.mch\"\nclass = \"none\"\nverdict = \"holds\"\n";
    let refinement = "REFINEMENT R REFINES Switch\nVARIABLES n\nINVARIANT n : 0..1 & (n = 1 <=> on = TRUE)\n\
        INITIALISATION n := 0\nOPERATIONS toggle = n := 1 - n\nEND\n";
    let folder = Folder::new("pty-all").with("M.mch", SWITCH).with("s.toml", suite);
    let folder = folder.with("Switch.mch", SWITCH).with("R.ref", refinement);
    for (arguments, seen) in [
        (&["check", "M.mch"][..], "holds   M.mch"),
        (&["check", "--goal", "on = TRUE", "--trace", "t.json", "M.mch"], "goal found   M.mch"),
        (&["replay", "M.mch", "t.json"], "replayed: 2 steps"),
        (&["shorten", "M.mch", "t.json"], "2 steps instead of 2"),
        (&["bench", "s.toml", "--out", "runs"], "| M |"),
        (&["eval", "1 + 1"], "2 : INTEGER"),
        (&["graph", "M.mch"], "digraph \"Switch\" {"),
        (&["analyse", "plan", "M.mch"], "toggle"),
        (&["analyse", "bounds", "M.mch"], "machine Switch"),
        (&["analyse", "states", "M.mch"], "in every reachable state"),
        (&["analyse", "reads", "M.mch"], "body reads"),
        (&["analyse", "enabling", "M.mch"], "leans on"),
        (&["analyse", "flow", "M.mch"], "WHILE true DO toggle END"),
        (&["check", "--method", "symbolic", "M.mch"], "holds   M.mch"),
        (&["check", "--por", "on", "M.mch"], "holds   M.mch"),
        (&["refine", "R.ref"], "holds: R refines Switch"),
        (&["compare", "M.mch", "M.mch"], "the models are bisimilar"),
        (&["graph", "--minimise", "bisimulation", "M.mch"], "digraph"),
        (&["parse", "M.mch"], "M.mch: ok"),
        (&["types", "M.mch"], "MACHINE Switch"),
        (&["fmt", "M.mch"], "MACHINE Switch"),
        (&["lint", "M.mch"], "0 errors, 1 warning"),
        (&["explain", "B0601"], "B0601 (error)"),
        (&["completions", "bash"], "complete -F _beeline"),
        (&["help"], "Usage: beeline"),
    ] {
        let (code, lines, raw) = start(&folder, arguments).env("NO_COLOR", "1").run().end();
        let wanted = if arguments.contains(&"--goal") { 1 } else { 0 };
        assert_eq!(code, Some(wanted), "{arguments:?} {lines:?}");
        assert!(raw.contains(seen), "{arguments:?} {raw}");
        assert!(!lines.iter().any(|l| l.contains(" waiting")), "{arguments:?} {lines:?}");
    }
}
