//! An SMT solver as a process: a script goes in, one word comes out.

use crate::script::script;
use beeline_model::Pred;
use beeline_prove::{Obligation, Source};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Work for one question, as solvers count it. The same question has the same answer each time.
const LIMIT: u64 = 3_000_000;
/// In case a solver does not heed that.
const PATIENCE: Duration = Duration::from_secs(5);
/// Scripts that are longer are not asked.
const MAX_SCRIPT: usize = 400_000;

/// Solvers whose command lines are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// Z3
    Z3,
    /// cvc5
    Cvc5,
}

impl Solver {
    /// Its name, and that of the program.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Z3 => "z3",
            Solver::Cvc5 => "cvc5",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Solver::Z3 => &["-in", "-T:4"],
            Solver::Cvc5 => &["--lang=smt2", "--tlimit=4000", "-"],
        }
    }
}

/// Facts that an SMT solver finds unsatisfiable exclude each other.
pub struct Smt {
    solver: Solver,
    /// Questions that were asked, and those that were answered with unsatisfiable.
    pub asked: (u64, u64),
    /// The process could not be started: nothing more is asked.
    failed: bool,
}

impl Smt {
    /// Looks whether the program is there.
    pub fn new(solver: Solver) -> Result<Smt, String> {
        let name = solver.name();
        let run = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match run {
            Ok(status) if status.success() => Ok(Smt { solver, asked: (0, 0), failed: false }),
            _ => Err(format!("the program {name} was not found, or does not run")),
        }
    }

    /// Does a solver say that a script has no model? Whatever else happens is no.
    pub fn is_unsatisfiable(&mut self, script: &str) -> bool {
        if self.failed || script.len() > MAX_SCRIPT {
            return false;
        }
        let mut command = Command::new(self.solver.name());
        command.args(self.solver.arguments());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            self.failed = true;
            return false;
        };
        self.asked.0 += 1;
        let sent =
            child.stdin.take().is_some_and(|mut input| input.write_all(script.as_bytes()).is_ok());
        let answer = answer(&mut child, sent);
        let _ = child.kill();
        let _ = child.wait();
        let no_model = answer.as_deref() == Some("unsat");
        self.asked.1 += u64::from(no_model);
        no_model
    }
}

/// The word that comes out, if it comes in time and nothing else does.
fn answer(child: &mut Child, sent: bool) -> Option<String> {
    let until = Instant::now() + PATIENCE;
    // One word fits into the pipe: nobody waits for somebody to read it.
    while sent && child.try_wait().ok()?.is_none() {
        if Instant::now() > until {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut text = String::new();
    child.stdout.take()?.take(1_000).read_to_string(&mut text).ok()?;
    Some(text.trim().to_owned()).filter(|_| sent)
}

impl Source for Smt {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn excludes(&mut self, obligation: &Obligation<'_>) -> bool {
        let context = obligation.context.facts.iter();
        let facts: Vec<&Pred> = context.chain(obligation.facts.iter().copied()).collect();
        self.is_unsatisfiable(&script(obligation.model, &facts, LIMIT))
    }
}
