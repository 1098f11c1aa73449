//! Small machines from text, explored or asked for values.

use beeline_compile::{Answer, Flow, Settings, System};
use beeline_model::Model;
use beeline_source::{LoadError, Loader};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

struct Text(String);

impl Loader for Text {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        if path == "t.mch" { Ok((self.0.as_str().into(), false)) } else { Err(LoadError::NotFound) }
    }

    fn exists(&self, path: &str) -> bool {
        path == "t.mch"
    }
}

pub fn model(text: &str) -> Model {
    let loaded = beeline_elaborate::load(&Text(text.to_owned()), "t.mch");
    match loaded.model {
        Some(model) => model,
        None => panic!("{text}\n{:?}", loaded.diagnostics.list()),
    }
}

pub fn system(text: &str) -> System {
    let model = model(text);
    System::compile(&model, &Settings::of(&model)).unwrap()
}

/// What an exploration found.
#[derive(Debug, Default)]
pub struct Space {
    pub setups: usize,
    pub initial: usize,
    pub states: usize,
    pub transitions: usize,
    pub answer: Answer,
    pub shown: Vec<String>,
}

/// Explores everything.
pub fn explore(text: &str) -> Space {
    let system = system(text);
    let mut scratch = system.scratch();
    let mut out = Space::default();
    let mut setups = Vec::new();
    let add = |total: &mut Answer, answer: Answer| {
        total.faults.extend(answer.faults);
        total.cuts.extend(answer.cuts);
    };
    let answer = system.setups(&mut scratch, &mut |c| {
        setups.push(c.owned());
        Flow::More
    });
    add(&mut out.answer, answer);
    out.setups = setups.len();
    for constants in &setups {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::new();
        let answer = system.initial(constants.view(), &mut scratch, &mut |s| {
            seen.insert(s.owned());
            queue.push_back(s.owned());
            Flow::More
        });
        add(&mut out.answer, answer);
        out.initial += queue.len();
        while let Some(state) = queue.pop_front() {
            let shown: Vec<String> = system
                .variables()
                .iter()
                .zip(&state.0)
                .map(|(v, w)| format!("{}={}", v.name, system.show(*w, v.ty)))
                .collect();
            out.shown.push(shown.join(" "));
            let answer =
                system.successors(constants.view(), state.view(), &mut scratch, &mut |step| {
                    out.transitions += 1;
                    if seen.insert(step.target.owned()) {
                        queue.push_back(step.target.owned());
                    }
                    Flow::More
                });
            add(&mut out.answer, answer);
        }
        out.states += seen.len();
    }
    out.shown.sort();
    out
}

/// The value of a constant expression in B notation, or the words of what went wrong.
pub fn value(expr: &str) -> String {
    let text = format!("MACHINE t CONSTANTS c__ PROPERTIES c__ = ({expr}) END");
    let system = system(&text);
    let mut scratch = system.scratch();
    let mut found = Vec::new();
    let answer = system.setups(&mut scratch, &mut |c| {
        found.push(system.show(c[0], system.constants()[0].ty));
        Flow::More
    });
    match (found.as_slice(), answer.faults.first(), answer.cuts.first()) {
        ([one], _, _) => one.clone(),
        (_, Some(fault), _) => format!("{:?}", fault.kind),
        (_, _, Some(cut)) => format!("{:?}", cut.reason),
        (many, _, _) => format!("{many:?}"),
    }
}

/// All solutions for constants, each as text, sorted, and whether that is all.
pub fn solutions(constants: &str, properties: &str) -> (Vec<String>, bool) {
    let text = format!("MACHINE t CONSTANTS {constants} PROPERTIES {properties} END");
    let system = system(&text);
    let mut scratch = system.scratch();
    let mut found = Vec::new();
    let answer = system.setups(&mut scratch, &mut |c| {
        let words: Vec<String> =
            system.constants().iter().zip(c.iter()).map(|(s, w)| system.show(w, s.ty)).collect();
        found.push(words.join(" "));
        Flow::More
    });
    found.sort();
    (found, answer.complete())
}
