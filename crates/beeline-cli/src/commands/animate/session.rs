//! Where a walk stands: the way here, and the steps from here.

use crate::commands::LoadArguments;
use crate::limits;
use beeline::WorkLimits;
use beeline::compile::{Answer, CutReason, Flow, System, Truth};
use beeline::explore::{Path, PathStep};
use beeline::verdict::Trace;
use std::fmt::Write;

/// More steps than this are not offered.
const MAX_CHOICES: usize = 10_000;
/// More than this are listed on request only.
const SHOWN: usize = 30;

/// A step that is possible.
enum Choice {
    Setup(Vec<u32>),
    Initial(Vec<u32>),
    Operation(PathStep),
}

/// A walk through a model.
pub struct Session {
    system: System,
    name: String,
    /// What of the model was opened.
    origin: LoadArguments,
    /// Set as soon as constants have values.
    path: Option<Path>,
    choices: Vec<Choice>,
    /// What was left out or went wrong while the choices were computed.
    notes: Vec<String>,
    /// Of the computation of the steps from here.
    limits: WorkLimits,
}

impl Session {
    /// A walk at its beginning. A model without constants is set up at once.
    pub fn new(
        system: System,
        name: String,
        origin: LoadArguments,
        limits: WorkLimits,
    ) -> Session {
        system.limit_memory(limits.memory_bytes);
        let (choices, notes) = (Vec::new(), Vec::new());
        let mut session = Session { system, name, origin, path: None, choices, notes, limits };
        session.refresh();
        if !session.system.has_setup()
            && let Some(Choice::Setup(constants)) = session.choices.pop() {
                session.path = Some(Path { constants, ..Path::default() });
                session.refresh();
            }
        session
    }

    /// The compiled model.
    pub fn system(&mut self) -> &mut System {
        &mut self.system
    }

    /// The constants and the state here.
    pub fn here(&self) -> (Option<Vec<u32>>, Option<Vec<u32>>) {
        match &self.path {
            Some(path) => (Some(path.constants.clone()), path.last().map(<[u32]>::to_vec)),
            None => (None, None),
        }
    }

    /// Executes one line of input but `eval` and `quit`.
    pub fn command(&mut self, command: &str, rest: &str) -> Result<String, String> {
        match command {
            "" => Ok(String::new()),
            "back" => self.back(),
            "ops" => Ok(self.operations(usize::MAX)),
            "state" => Ok(self.state()),
            "inv" => Ok(self.invariant()),
            "trace" => Ok(self.trace_lines()),
            "save" if rest.is_empty() => Err("save needs the name of a file".to_owned()),
            "save" => {
                let trace = self.trace().ok_or("there is nothing to save yet")?;
                let trace = self.origin.mark(trace);
                let text = beeline_report::to_json(&trace) + "\n";
                std::fs::write(rest, text).map_err(|e| format!("{rest}: {e}"))?;
                Ok(format!("saved {} steps to {rest}\n", trace.steps.len()))
            }
            "help" => Ok(
                "a number, back, ops, state, inv, trace, eval FORMULA, save FILE, quit\n".to_owned()
            ),
            _ => match command.parse::<usize>() {
                Ok(number) => self.execute(number),
                Err(_) => Err(format!("`{command}` is no command; `help` lists them")),
            },
        }
    }

    fn execute(&mut self, number: usize) -> Result<String, String> {
        if number == 0 || number > self.choices.len() {
            return Err(format!("there is no step {number} here"));
        }
        match (self.choices.swap_remove(number - 1), &mut self.path) {
            (Choice::Setup(constants), _) => {
                self.path = Some(Path { constants, ..Path::default() });
            }
            (Choice::Initial(state), Some(path)) => path.initial = Some(state),
            (Choice::Operation(step), Some(path)) => path.steps.push(step),
            (_, None) => return Err("the constants have no values yet".to_owned()),
        }
        self.refresh();
        Ok(self.overview())
    }

    fn back(&mut self) -> Result<String, String> {
        let has_setup = self.system.has_setup();
        let Some(path) = &mut self.path else { return Err("this is the beginning".to_owned()) };
        if path.steps.pop().is_none() && path.initial.take().is_none() {
            if !has_setup {
                return Err("this is the beginning".to_owned());
            }
            self.path = None;
        }
        self.refresh();
        Ok(self.overview())
    }

    /// Computes the steps from here.
    fn refresh(&mut self) {
        let ((choices, answer), reason) =
            self.limits.watch(self.system.interrupt(), || self.compute());
        self.choices = choices;
        self.notes = notes(&answer, reason);
    }

    fn compute(&self) -> (Vec<Choice>, Answer) {
        let mut choices = Vec::new();
        let mut scratch = self.system.scratch();
        let flow = |n: usize| if n < MAX_CHOICES { Flow::More } else { Flow::Enough };
        let answer = match &self.path {
            None => self.system.setups(&mut scratch, &mut |words| {
                choices.push(Choice::Setup(words.to_vec()));
                flow(choices.len())
            }),
            Some(path) => match path.last() {
                None => self.system.initial(&path.constants, &mut scratch, &mut |words| {
                    choices.push(Choice::Initial(words.to_vec()));
                    flow(choices.len())
                }),
                Some(state) => {
                    self.system.successors(&path.constants, state, &mut scratch, &mut |step| {
                        choices.push(Choice::Operation(PathStep {
                            operation: step.operation,
                            arguments: step.arguments.to_vec(),
                            results: step.results.to_vec(),
                            target: step.target.to_vec(),
                        }));
                        flow(choices.len())
                    })
                }
            },
        };
        (choices, answer)
    }

    /// The state and what can be done.
    pub fn overview(&self) -> String {
        self.state() + &self.operations(SHOWN)
    }

    fn bindings(names: impl Iterator<Item = (String, String)>) -> String {
        let all: Vec<_> = names.map(|(n, v)| format!("{n}={v}")).collect();
        all.join(", ")
    }

    fn choice(&self, choice: &Choice) -> String {
        let system = &self.system;
        let slots = |names: Vec<(String, String)>| Session::bindings(names.into_iter());
        match choice {
            Choice::Setup(words) => {
                let all = system.constants().iter().zip(words);
                let all = all.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty))).collect();
                format!("{}({})", beeline::verdict::SETUP, slots(all))
            }
            Choice::Initial(words) => {
                let all = system.variables().iter().zip(words);
                let all = all.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty))).collect();
                format!("{}({})", beeline::verdict::INITIALISATION, slots(all))
            }
            Choice::Operation(step) => {
                let info = &system.operations()[step.operation];
                let shown = |names: &[(String, beeline::model::TypeId)], words: &[u32]| {
                    let all = names.iter().zip(words);
                    slots(all.map(|((n, ty), w)| (n.clone(), system.show(*w, *ty))).collect())
                };
                let mut text = info.name.clone();
                if !info.parameters.is_empty() {
                    let _ = write!(text, "({})", shown(&info.parameters, &step.arguments));
                }
                if !info.results.is_empty() {
                    let _ = write!(text, " --> {}", shown(&info.results, &step.results));
                }
                text
            }
        }
    }

    fn operations(&self, limit: usize) -> String {
        let mut out = String::new();
        for (i, choice) in self.choices.iter().take(limit).enumerate() {
            let _ = writeln!(out, "{:4}  {}", i + 1, self.choice(choice));
        }
        if self.choices.len() > limit {
            let _ = writeln!(out, "      … {} more: `ops`", self.choices.len() - limit);
        }
        if self.choices.is_empty() {
            out.push_str("nothing is possible here\n");
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        out
    }

    fn state(&self) -> String {
        let mut out = String::new();
        let Some(path) = &self.path else { return out };
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "  {name} = {value}");
        };
        if path.last().is_none() || path.steps.is_empty() {
            for (slot, word) in self.system.constants().iter().zip(&path.constants) {
                line(&slot.name, self.system.show(*word, slot.ty));
            }
        }
        if let Some(state) = path.last() {
            for (slot, word) in self.system.variables().iter().zip(state) {
                line(&slot.name, self.system.show(*word, slot.ty));
            }
        }
        out
    }

    fn invariant(&self) -> String {
        let (Some(path), mut out) = (&self.path, String::new()) else {
            return "there is no state yet\n".to_owned();
        };
        let Some(state) = path.last() else { return "there is no state yet\n".to_owned() };
        let mut scratch = self.system.scratch();
        let mut holds = 0;
        for check in self.system.invariants() {
            let name = check.label.clone().unwrap_or_else(|| check.id.number().to_string());
            match self.system.holds(check.pred, &path.constants, state, &mut scratch) {
                Truth::True => holds += 1,
                Truth::False => {
                    let _ = writeln!(out, "  conjunct {name} is violated");
                }
                Truth::Undefined(fault) => {
                    let _ = writeln!(out, "  conjunct {name} is not well-defined: {}", fault.words);
                }
                Truth::Unknown(cut) => {
                    let _ = writeln!(out, "  conjunct {name} was not decided: {}", cut.words);
                }
            }
        }
        let _ = writeln!(out, "{holds} of {} conjuncts hold", self.system.invariants().len());
        out
    }

    /// The way here, if there is one.
    fn trace(&self) -> Option<Trace> {
        let trace = Trace::new(&self.system, &self.name, self.path.as_ref()?);
        (!trace.steps.is_empty()).then_some(trace)
    }

    fn trace_lines(&self) -> String {
        self.trace().map_or(String::new(), |trace| beeline_report::trace_text(&trace))
    }
}

fn notes(answer: &Answer, reason: Option<CutReason>) -> Vec<String> {
    let faults = answer.faults.iter().map(|f| format!("fails: {}", f.words));
    let known = answer.cuts.iter().filter(|c| c.reason != CutReason::Interrupted);
    let cuts = known.map(|c| &*c.words).chain(reason.map(limits::words));
    let cuts: Vec<String> = cuts.map(|words| format!("not all: {words}")).collect();
    let many = answer.stopped.then(|| format!("not all: more than {MAX_CHOICES} steps"));
    faults.chain(cuts).chain(many).collect()
}
