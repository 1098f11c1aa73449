//! `beeline check`: explore all states of a model and check them.

mod answer;
mod arguments;
mod progress;

pub use self::arguments::{Arguments, symmetry};
pub use self::progress::figures;

use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::Status;
use crate::watchdog::{self, Phase, Watchdog};
use beeline::WorkLimits;
use beeline::explore::Cancel;
use beeline::report::{JsonCheck, NoCheck, junit_error, to_json};
use std::time::{Duration, Instant};

pub const EXAMPLES: &str = "Examples:
  beeline check Lift.mch                    invariants, deadlock, assertions, GOAL
  beeline check --json Lift.mch             for programs
  beeline check --all --no-deadlock M.mch   continue after the first finding
  beeline check --set-size PERSON=4 M.mch   with a larger deferred set
  beeline check --timeout 60 --memory 4G --trace t.json M.mch

Exit codes: 0 holds, 1 violated or goal found, 2 model or usage error,
3 no error found but incomplete, 4 undetermined.";

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let load_options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let begin = Instant::now();
    let cancel = Cancel::new();
    let mut status = Status::new(!arguments.json, &cancel);
    limits::listen(&cancel);
    let watchdog = arguments.watchdog(begin, &cancel);
    status.tell(progress::phase("reading the model"));
    let goal = arguments.goal.iter();
    let load_options = goal.fold(load_options, |options, goal| options.formula(goal));
    let specification = match load_options.open(&arguments.file) {
        Ok(specification) => specification,
        Err(error) => return answer::not_loaded(arguments, &error, context),
    };
    if let Some(words) = arguments.uncertifiable(&specification) {
        return context.complain(words, "a certificate has no words for the rest");
    }
    // Limits are those of the whole run: what loading took is gone.
    let left = arguments.timeout.map(|time| time.saturating_sub(begin.elapsed()));
    let checker = arguments
        .checker(&specification)
        .timeout(left)
        .cancel(&cancel)
        .on_progress(|p| status.tell(figures(&p)));
    watchdog.enter(Phase::Checking);
    status.tell(progress::phase("preparing the model"));
    let outcome = checker.run();
    drop((checker, watchdog));
    status.end();
    match outcome {
        Ok(outcome) => {
            let exit = answer::report(arguments, &outcome, context);
            if let Some(path) = &arguments.certificate
                && let Err(exit) =
                    answer::certificate(path, &outcome, &arguments.work(left), context)
            {
                return exit;
            }
            // The program ends here: the system takes millions of values back faster than one by one.
            std::mem::forget(outcome);
            exit
        }
        Err(error) => answer::not_run(arguments, &specification, &error, context),
    }
}

impl Arguments {
    /// Limits of what is done beside the search.
    fn work(&self, time: Option<Duration>) -> WorkLimits {
        let memory_bytes = self.memory.or_else(beeline::default_memory_bytes);
        WorkLimits { time, memory_bytes, cancel: Cancel::new() }
    }

    /// Ends the program should it not heed its limits.
    fn watchdog(&self, begin: Instant, cancel: &Cancel) -> Watchdog {
        let limits = WorkLimits { cancel: cancel.clone(), ..self.work(self.timeout) };
        let (file, json, junit) =
            (self.file.to_string_lossy().into_owned(), self.json, self.junit.clone());
        let settings = self.scope.scope().settings(None);
        Watchdog::watch(limits, begin, move |reason, phase| {
            let words = format!("{} while {}", limits::reached(reason), phase.words());
            if let Some(path) = junit {
                // Nobody is left to hear that it cannot be written.
                let _ = std::fs::write(path, junit_error(&file, NoCheck::BrokenOff, &words));
            }
            let report = JsonCheck::broken_off(&file, reason, &words, &settings, begin.elapsed());
            watchdog::say(&match json {
                true => to_json(&report) + "\n",
                false => report.broken_off_text(),
            });
            Exit::Incomplete as u8
        })
    }
}
