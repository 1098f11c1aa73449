//! What came of the runs, as data and as CSV.

use crate::suite::{Measure, Suite};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// How a run ended, as far as the suite is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// As expected.
    Right,
    /// A limit was reached first.
    Limit,
    /// Not as expected.
    Wrong,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Run {
    pub model: String,
    pub class: String,
    pub configuration: String,
    pub repetition: u32,
    /// All options, so that a result is not taken for that of another run.
    pub options: Vec<String>,
    pub outcome: Outcome,
    /// What is wrong, if something is.
    pub why: String,
    pub verdict: String,
    pub states: u64,
    pub transitions: u64,
    /// Steps of the trace that was shown.
    pub steps: Option<u64>,
    /// Is it proved that no trace is shorter?
    pub shortest: bool,
    pub seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub peak_memory_bytes: Option<u64>,
}

impl Run {
    /// What is compared.
    pub fn measured(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Cpu => self.cpu_seconds.unwrap_or(self.seconds),
            Measure::Wall => self.seconds,
            Measure::States => self.states as f64,
        }
    }
}

/// All runs of a suite.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Results {
    pub schema: u32,
    pub suite: String,
    pub reference: String,
    pub measure: Measure,
    pub floor: f64,
    pub timeout: f64,
    /// The program and the computer.
    pub version: String,
    pub machine: String,
    pub configurations: Vec<String>,
    /// Models and their classes.
    pub models: Vec<(String, String)>,
    pub runs: Vec<Run>,
}

/// The runs of one model in one configuration, taken together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The median of what is compared.
    pub value: f64,
    /// The worst outcome.
    pub outcome: Outcome,
    /// Steps of the trace.
    pub steps: Option<u64>,
    /// How many states were found.
    pub states: u64,
}

impl Results {
    /// Runs of a suite; models and configurations that nobody ran are left out.
    pub fn of(suite: &Suite, runs: Vec<Run>, version: &str, machine: String) -> Results {
        let used = |name: &str| runs.iter().any(|r| r.configuration == name);
        let models = suite.models.iter().filter(|m| runs.iter().any(|r| r.model == m.name));
        let configurations = suite.configurations.iter().map(|c| &c.name);
        Results {
            schema: 1,
            suite: suite.name.clone(),
            reference: suite.reference.clone(),
            measure: suite.measure,
            floor: suite.floor,
            timeout: suite.timeout,
            version: version.to_owned(),
            machine,
            configurations: configurations.filter(|name| used(name)).cloned().collect(),
            models: models.map(|m| (m.name.clone(), m.class.clone())).collect(),
            runs,
        }
    }

    /// The classes of models, in order.
    pub fn classes(&self) -> Vec<&str> {
        let mut classes: Vec<&str> = Vec::new();
        for (_, class) in &self.models {
            if !classes.contains(&class.as_str()) {
                classes.push(class);
            }
        }
        classes
    }

    /// The runs of one model in one configuration.
    pub fn cell(&self, model: &str, configuration: &str) -> Option<Cell> {
        self.cell_by(model, configuration, self.measure)
    }

    /// The same with another measure.
    pub fn cell_by(&self, model: &str, configuration: &str, measure: Measure) -> Option<Cell> {
        let mut runs: Vec<&Run> = self
            .runs
            .iter()
            .filter(|r| r.model == model && r.configuration == configuration)
            .collect();
        runs.sort_by(|a, b| a.measured(measure).total_cmp(&b.measured(measure)));
        let middle = runs.get(runs.len() / 2)?;
        let worst = |outcome| runs.iter().any(|r| r.outcome == outcome);
        let outcome = match () {
            () if worst(Outcome::Wrong) => Outcome::Wrong,
            () if worst(Outcome::Limit) => Outcome::Limit,
            () => Outcome::Right,
        };
        let floor = if measure == Measure::States { 1.0 } else { self.floor };
        let mut value = middle.measured(measure).max(floor);
        if outcome == Outcome::Limit && measure != Measure::States {
            value = value.max(self.timeout);
        }
        Some(Cell { value, outcome, steps: middle.steps, states: middle.states })
    }

    /// The value of a cell relative to the reference.
    pub fn relative(&self, model: &str, configuration: &str) -> Option<f64> {
        let reference = self.cell(model, &self.reference)?;
        Some(self.cell(model, configuration)?.value / reference.value)
    }

    /// All runs as comma-separated values.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "class,model,configuration,repetition,outcome,verdict,states,transitions,steps,\
             shortest,seconds,cpu_seconds,peak_memory_bytes\n",
        );
        for r in &self.runs {
            let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
            let cpu = r.cpu_seconds.map_or(String::new(), |s| format!("{s:.6}"));
            let _ = writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{},{:.6},{cpu},{}",
                quoted(&r.class),
                quoted(&r.model),
                quoted(&r.configuration),
                r.repetition,
                match r.outcome {
                    Outcome::Right => "right",
                    Outcome::Limit => "limit",
                    Outcome::Wrong => "wrong",
                },
                r.verdict,
                r.states,
                r.transitions,
                number(r.steps),
                r.shortest,
                r.seconds,
                number(r.peak_memory_bytes),
            );
        }
        out
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Two models of one class; times in seconds by model and configuration.
    pub fn results(times: &[(&str, &str, f64)]) -> Results {
        let mut configurations: Vec<String> = Vec::new();
        let mut models: Vec<(String, String)> = Vec::new();
        let runs = times.iter().enumerate().map(|(i, (model, configuration, seconds))| {
            if !configurations.iter().any(|c| c == configuration) {
                configurations.push((*configuration).to_owned());
            }
            if !models.iter().any(|(m, _)| m == model) {
                models.push(((*model).to_owned(), "goal".to_owned()));
            }
            Run {
                model: (*model).to_owned(),
                class: "goal".to_owned(),
                configuration: (*configuration).to_owned(),
                repetition: i as u32,
                options: Vec::new(),
                outcome: if *seconds >= 60.0 { Outcome::Limit } else { Outcome::Right },
                why: String::new(),
                verdict: "goal_found".to_owned(),
                states: 10,
                transitions: 20,
                steps: Some(3),
                shortest: false,
                seconds: *seconds,
                cpu_seconds: None,
                peak_memory_bytes: None,
            }
        });
        let runs = runs.collect();
        Results {
            schema: 1,
            suite: "small".to_owned(),
            reference: configurations[0].clone(),
            measure: Measure::Wall,
            floor: 0.001,
            timeout: 60.0,
            version: "0".to_owned(),
            machine: "none".to_owned(),
            configurations,
            models,
            runs,
        }
    }

    #[test]
    fn a_cell_is_the_median_relative_to_the_reference() {
        let all = results(&[
            ("M", "a", 9.0),
            ("M", "a", 2.0),
            ("M", "a", 1.0),
            ("M", "b", 0.5),
            ("M", "c", 61.0),
        ]);
        assert_eq!(all.cell("M", "a").unwrap().value, 2.0);
        assert_eq!(all.relative("M", "b"), Some(0.25));
        assert_eq!(all.cell("M", "c").unwrap().outcome, Outcome::Limit);
        assert_eq!(all.relative("M", "d"), None);
        assert_eq!(all.csv().lines().count(), 6);
        assert!(all.csv().contains("goal,M,b,3,right,goal_found,10,20,3,false,0.500000,,"));
    }
}
