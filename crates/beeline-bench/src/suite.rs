//! What is to be run: models, configurations, limits, and what is expected.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A suite, as a TOML file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What it is called.
    pub name: String,
    /// The configuration that all others are compared with.
    pub reference: String,
    /// How often each run is repeated.
    #[serde(default = "once")]
    pub repetitions: u32,
    /// Seconds that a run may take.
    #[serde(default = "a_minute")]
    pub timeout: f64,
    /// Memory that a run may use, as `--memory` has it.
    #[serde(default)]
    pub memory: Option<String>,
    /// What is compared.
    #[serde(default)]
    pub measure: Measure,
    /// Times below this are not told apart, in seconds.
    #[serde(default = "a_millisecond")]
    pub floor: f64,
    /// Options of every run.
    #[serde(default)]
    pub options: Vec<String>,
    /// Configurations, in the order of the table's columns.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
    /// Models, in the order of the table's rows.
    #[serde(rename = "model")]
    pub models: Vec<Model>,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Processor time of the exploration: what else the computer does hardly matters.
    #[default]
    Cpu,
    /// Time on the wall.
    Wall,
    /// Number of states that were found.
    States,
}

/// One way to check.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// What it is called.
    pub name: String,
    /// Options of `beeline check`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Only models of these classes; all if there are none.
    #[serde(default)]
    pub classes: Vec<String>,
}

/// A model and what is known about it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What it is called.
    pub name: String,
    /// Its file, relative to the suite.
    pub file: String,
    /// Models of one class share a table.
    #[serde(default)]
    pub class: String,
    /// Options for this model.
    #[serde(default)]
    pub options: Vec<String>,
    /// The verdict that is right; without it any is, if all states were visited.
    #[serde(default)]
    pub verdict: Option<String>,
    /// The kind of finding that is right.
    #[serde(default)]
    pub finding: Option<String>,
    /// How many states there are, if all are found.
    #[serde(default)]
    pub states: Option<u64>,
    /// How many transitions there are, if all are found.
    #[serde(default)]
    pub transitions: Option<u64>,
    /// Steps of a shortest trace.
    #[serde(default)]
    pub shortest: Option<u64>,
    /// Configurations that do not fit it.
    #[serde(default)]
    pub without: Vec<String>,
    /// More options in some configurations, by name.
    #[serde(default)]
    pub extra: BTreeMap<String, Vec<String>>,
    /// Words on it, for readers.
    #[serde(default)]
    pub note: String,
}

fn once() -> u32 {
    1
}

fn a_minute() -> f64 {
    60.0
}

fn a_millisecond() -> f64 {
    0.001
}

/// Why a suite cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteError(pub String);

/// One run to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Index of the model.
    pub model: usize,
    /// Index of the configuration.
    pub configuration: usize,
    /// From 1 on.
    pub repetition: u32,
    /// All options but the limits.
    pub options: Vec<String>,
}

/// No suite is larger than this.
const MAX_JOBS: usize = 1_000_000;

impl Suite {
    /// Reads a suite.
    pub fn parse(text: &str) -> Result<Suite, SuiteError> {
        let suite: Suite = toml::from_str(text).map_err(|e| SuiteError(e.to_string()))?;
        suite.check()?;
        Ok(suite)
    }

    fn check(&self) -> Result<(), SuiteError> {
        let refuse = |words: String| Err(SuiteError(words));
        let mut known = BTreeSet::new();
        for c in &self.configurations {
            if !known.insert(c.name.as_str()) {
                return refuse(format!("there are two configurations {}", c.name));
            }
        }
        if !known.contains(self.reference.as_str()) {
            return refuse(format!("the reference {} is no configuration", self.reference));
        }
        let mut models = BTreeSet::new();
        for m in &self.models {
            if !models.insert(m.name.as_str()) {
                return refuse(format!("there are two models {}", m.name));
            }
            let mut named = m.without.iter().chain(m.extra.keys());
            if let Some(other) = named.find(|c| !known.contains(c.as_str())) {
                return refuse(format!("{}: {other} is no configuration", m.name));
            }
        }
        let size = self.models.len() * self.configurations.len();
        if size.saturating_mul(self.repetitions as usize) > MAX_JOBS {
            return refuse(format!("a suite has at most {MAX_JOBS} runs"));
        }
        if !(self.timeout > 0.0 && self.floor >= 0.0) {
            return refuse("limits must be positive".to_owned());
        }
        Ok(())
    }

    /// Does a configuration fit a model?
    pub fn fits(&self, model: &Model, configuration: &Configuration) -> bool {
        let classes = &configuration.classes;
        !model.without.contains(&configuration.name)
            && (classes.is_empty() || classes.contains(&model.class))
    }

    /// All runs, each repetition after the whole of the one before: a disturbance then meets all.
    pub fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for repetition in 1..=self.repetitions {
            for (model, m) in self.models.iter().enumerate() {
                for (configuration, c) in self.configurations.iter().enumerate() {
                    if self.fits(m, c) {
                        let all = [&self.options, &m.options, &c.options];
                        let all = all.into_iter().chain(m.extra.get(&c.name));
                        let options = all.flatten().cloned().collect();
                        jobs.push(Job { model, configuration, repetition, options });
                    }
                }
            }
        }
        jobs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
        name = "small"
        reference = "a"
        repetitions = 2
        options = ["--threads", "1"]
        [[configuration]]
        name = "a"
        [[configuration]]
        name = "b"
        options = ["--search", "df"]
        classes = ["goal"]
        [[model]]
        name = "M"
        file = "M.mch"
        class = "goal"
        verdict = "goal_found"
        [[model]]
        name = "N"
        file = "N.mch"
        verdict = "holds"
        states = 3
    "#;

    #[test]
    fn runs_are_models_times_configurations_times_repetitions() {
        let suite = Suite::parse(SMALL).unwrap();
        let jobs = suite.jobs();
        let short: Vec<_> = jobs.iter().map(|j| (j.model, j.configuration, j.repetition)).collect();
        assert_eq!(short, [(0, 0, 1), (0, 1, 1), (1, 0, 1), (0, 0, 2), (0, 1, 2), (1, 0, 2)]);
        assert_eq!(jobs[1].options, ["--threads", "1", "--search", "df"]);
    }

    #[test]
    fn mistakes_are_told() {
        let told = |text: &str| Suite::parse(text).unwrap_err().0;
        assert!(told(&SMALL.replace("\"small\"", "7")).contains("name"));
        assert!(told(&SMALL.replace("reference = \"a\"", "reference = \"c\"")).contains('c'));
        assert!(told(&SMALL.replace("states = 3", "stats = 3")).contains("stats"));
        assert!(told(&SMALL.replace("\"N\"", "\"M\"")).contains("two models M"));
        assert!(told(&SMALL.replace("states = 3", "without = [\"z\"]")).contains('z'));
    }
}
