//! Explores corpus models breadth-first on one thread and compares counts with recorded ones.
//!
//! `oracle CORPUS [MAX_STATES] [FILTER]`; one line a difference, totals at the end. It is a tool
//! for developers of the engine; the corpus is no part of this repository.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use beeline_compile::{Answer, Constants, Flow, Settings, State, System};
use beeline_source::{LoadError, Loader};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Files;

impl Loader for Files {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        match std::fs::read(path) {
            Ok(bytes) => Ok((String::from_utf8_lossy(&bytes).as_ref().into(), false)),
            Err(_) => Err(LoadError::NotFound),
        }
    }

    fn exists(&self, path: &str) -> bool {
        std::path::Path::new(path).is_file()
    }
}

#[derive(Default)]
struct Counts {
    states: usize,
    transitions: usize,
    deadlock: bool,
    violated: bool,
    notes: Vec<String>,
    stopped: bool,
}

impl Counts {
    fn note(&mut self, answer: &Answer) {
        for fault in &answer.faults {
            self.add(format!("fault {:?} {}", fault.kind, fault.words));
        }
        for cut in &answer.cuts {
            self.add(format!("cut {:?} {}", cut.reason, cut.words));
        }
    }

    fn add(&mut self, note: String) {
        if self.notes.len() < 4 && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn explore(system: &System, limit: usize, time: Duration) -> Counts {
    let begin = Instant::now();
    let mut scratch = system.scratch();
    let mut out = Counts::default();
    let mut setups: Vec<Constants> = Vec::new();
    let answer = system.setups(&mut scratch, &mut |c| {
        setups.push(c.owned());
        if setups.len() > limit { Flow::Enough } else { Flow::More }
    });
    out.note(&answer);
    if system.has_setup() {
        out.states += setups.len();
        out.transitions += setups.len();
    }
    let mut any_initial = false;
    for constants in setups.iter().map(Constants::view) {
        let mut seen: HashSet<State> = HashSet::new();
        let mut queue = VecDeque::new();
        let mut count = 0;
        let answer = system.initial(constants, &mut scratch, &mut |s| {
            count += 1;
            if seen.insert(s.owned()) {
                queue.push_back(s.owned());
            }
            if count > limit { Flow::Enough } else { Flow::More }
        });
        out.note(&answer);
        out.transitions += count;
        if count == 0 {
            out.deadlock = true;
        }
        any_initial |= count > 0;
        while let Some(state) = queue.pop_front() {
            if out.states + seen.len() > limit || begin.elapsed() > time {
                out.stopped = true;
                return out;
            }
            if !out.violated {
                for check in system.invariants() {
                    match system.holds(check.pred, constants, state.view(), &mut scratch) {
                        beeline_compile::Truth::True => {}
                        beeline_compile::Truth::False => out.violated = true,
                        other => out.add(format!("invariant {other:?}")),
                    }
                }
            }
            let mut next = 0;
            let answer = system.successors(constants, state.view(), &mut scratch, &mut |step| {
                next += 1;
                if seen.insert(step.target.owned()) {
                    queue.push_back(step.target.owned());
                }
                if next > limit { Flow::Enough } else { Flow::More }
            });
            out.note(&answer);
            out.transitions += next;
            out.deadlock |= next == 0;
        }
        out.states += seen.len();
    }
    out.deadlock |= !any_initial;
    out
}

/// Explores one file, and says how long what took.
fn one(path: &str, limit: usize) {
    let begin = Instant::now();
    let loaded = beeline_elaborate::load(&Files, path);
    let Some(model) = loaded.model else {
        println!("{:?}", loaded.diagnostics.list());
        return;
    };
    let load = begin.elapsed();
    let begin = Instant::now();
    let system = match System::compile(&model, &Settings::of(&model)) {
        Ok(system) => system,
        Err(errors) => return println!("{errors:?}"),
    };
    let compile = begin.elapsed();
    let begin = Instant::now();
    let mut scratch = system.scratch();
    let mut first = None;
    let answer = system.setups(&mut scratch, &mut |c| {
        first.get_or_insert_with(|| (begin.elapsed(), c.owned()));
        if limit <= 1 { Flow::Enough } else { Flow::More }
    });
    if let Some((time, constants)) = &first {
        println!("first set-up after {time:?}");
        for (slot, word) in system.constants().iter().zip(&constants.0).take(12) {
            println!(
                "  {} = {}",
                slot.name,
                system.show(*word, slot.ty).chars().take(300).collect::<String>()
            );
        }
    }
    println!("set-ups {:?} {answer:?}", begin.elapsed());
    let begin = Instant::now();
    let c = explore(&system, limit, Duration::from_secs(300));
    println!(
        "load {load:?} compile {compile:?} explore {:?}: {} states {} transitions deadlock {} violated {} stopped {} values {} {:?}",
        begin.elapsed(),
        c.states,
        c.transitions,
        c.deadlock,
        c.violated,
        c.stopped,
        system.store().len(),
        c.notes
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let Some(corpus) = args.get(1) else {
        println!("oracle CORPUS [MAX_STATES] [FILTER] [COMPLETE]");
        return;
    };
    if corpus.ends_with(".mch") {
        return one(corpus, args.get(2).and_then(|s| s.parse().ok()).unwrap_or(usize::MAX / 8));
    }
    let limit: usize = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(2000);
    let filter = args.get(3).cloned().unwrap_or_default();
    let wanted = args.get(4).cloned().unwrap_or_else(|| "yes".into());
    let Ok(table) = std::fs::read_to_string(format!("{corpus}/oracle.csv")) else {
        println!("no corpus at {corpus}: skipped");
        return;
    };
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap_or(0);
    let (path, formalism, states, transitions, complete) = (
        column("path"),
        column("formalism"),
        column("states"),
        column("transitions"),
        column("complete"),
    );
    let (deadlock, violated) = (column("deadlock"), column("invariant_violated"));
    let (mut total, mut agree, mut verdicts) = (0, 0, 0);
    for line in lines {
        let row: Vec<&str> = line.split(',').collect();
        let expected = (row[states].parse::<usize>(), row[transitions].parse::<usize>());
        let (Ok(states), Ok(transitions)) = expected else { continue };
        if row[formalism] != "b"
            || row[complete] != wanted
            || states > limit
            || !row[path].contains(&filter)
        {
            continue;
        }
        total += 1;
        eprintln!("{}", row[path]);
        let loaded = beeline_elaborate::load(&Files, &format!("{corpus}/models/{}", row[path]));
        let Some(model) = loaded.model else {
            println!(
                "LOAD {} {:?}",
                row[path],
                loaded.diagnostics.list().first().map(|d| &d.message)
            );
            continue;
        };
        let begin = Instant::now();
        let settings = Settings { steps: 5_000_000, ..Settings::of(&model) };
        let system = match System::compile(&model, &settings) {
            Ok(system) => system,
            Err(errors) => {
                println!("COMPILE {} {:?}", row[path], errors.first().map(|e| &e.words));
                continue;
            }
        };
        let c = explore(&system, limit * 4 + 100, Duration::from_secs(10));
        let time = begin.elapsed();
        let flag = |b: bool| if b { "true" } else { "false" };
        let verdict = (row[deadlock].is_empty() || row[deadlock] == flag(c.deadlock))
            && (row[violated].is_empty() || row[violated] == flag(c.violated));
        verdicts += usize::from(verdict && !c.stopped);
        let same = c.states == states && c.transitions == transitions && !c.stopped;
        agree += usize::from(same);
        if !same || !verdict || time > Duration::from_secs(2) {
            println!(
                "{} {} want {states}/{transitions} got {}/{}{} dl {}{} iv {}{} {:.2}s {:?}",
                if same { "same" } else { "DIFF" },
                row[path],
                c.states,
                c.transitions,
                if c.stopped { "+" } else { "" },
                row[deadlock],
                if row[deadlock] == flag(c.deadlock) { "" } else { "!" },
                row[violated],
                if row[violated] == flag(c.violated) { "" } else { "!" },
                time.as_secs_f64(),
                c.notes,
            );
        }
    }
    println!("counts agree {agree} of {total}, verdicts agree {verdicts}");
}
