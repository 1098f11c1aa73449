//! What operations do to the guards of others, as it is shown.

use super::reads::name;
use super::table::{aligned, csv};
use crate::graph::{DrawnNode, Picture};
use beeline_flow::{Case, Effect, Enabling, Independence, Relation};
use beeline_model::{Model, Pred};
use serde::Serialize;

/// All pairs of operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnablingReport {
    /// The machine.
    pub model: String,
    /// Initialisation first.
    pub operations: Vec<String>,
    /// Every pair.
    pub pairs: Vec<EnablingRow>,
}

/// One pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnablingRow {
    /// The operation that takes a step.
    pub first: String,
    /// The operation whose guard it is.
    pub second: String,
    /// `always`, `never`, `if` or `unknown`: is the second one enabled after the first?
    pub enabled: &'static str,
    /// The enabling predicate, where it is neither true nor false: what holds before the step.
    pub predicate: Option<String>,
    /// The guard has the same value before and after: `reads` (nothing that it reads is written) or
    /// `proved`.
    pub keeps: Option<&'static str>,
}

impl EnablingReport {
    /// Of a model.
    pub fn new(enabling: &Enabling) -> EnablingReport {
        let model = &enabling.model;
        let row = |r: &Relation| EnablingRow {
            first: name(model, r.first),
            second: name(model, Some(r.second)),
            enabled: match r.effect {
                Effect::Always => "always",
                Effect::Never => "never",
                Effect::If(_) => "if",
                Effect::Unknown => "unknown",
            },
            predicate: match &r.effect {
                Effect::If(cases) => Some(predicate(model, cases)),
                _ => None,
            },
            keeps: r.independent.map(|i| match i {
                Independence::Reads => "reads",
                Independence::Proved => "proved",
            }),
        };
        let operations = model.concrete().operations.iter().map(|id| name(model, Some(*id)));
        EnablingReport {
            model: model.name.to_string(),
            operations: std::iter::once(name(model, None)).chain(operations).collect(),
            pairs: enabling.relations.iter().map(row).collect(),
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |r: &EnablingRow| {
            vec![
                r.first.clone(),
                r.second.clone(),
                r.keeps.map_or("", |_| "keeps").to_owned(),
                r.words(),
            ]
        };
        self.pairs.iter().map(row).collect()
    }

    /// A table for people.
    pub fn text(&self) -> String {
        aligned(&["after", "guard of", "value", "enabled"], &self.rows())
    }

    /// Values separated by commas.
    pub fn csv(&self) -> String {
        csv(&["after", "guard_of", "value", "enabled"], &self.rows())
    }

    /// The enable graph (Definition 3): no arrow where the guard keeps its value. With `all`, an arrow for
    /// each pair. What never enables is drawn as well, since it is what spares work.
    pub fn picture(&self, all: bool) -> Picture {
        let node = |(at, text): (usize, &String)| DrawnNode {
            lines: vec![text.clone()],
            row: at,
            double: false,
            initial: at == 0,
        };
        let place = |name: &str| self.operations.iter().position(|o| o == name);
        let drawn = self.pairs.iter().filter(|r| all || r.keeps.is_none());
        let edge = |r: &EnablingRow| Some((place(&r.first)?, place(&r.second)?, r.label()));
        Picture {
            title: self.model.clone(),
            nodes: self.operations.iter().enumerate().map(node).collect(),
            edges: drawn.filter_map(edge).collect(),
        }
    }
}

impl EnablingRow {
    fn words(&self) -> String {
        match &self.predicate {
            Some(p) => format!("if {p}"),
            None => self.enabled.to_owned(),
        }
    }

    fn label(&self) -> String {
        match (self.enabled, &self.predicate) {
            (_, Some(p)) => p.clone(),
            ("always", _) => "btrue".to_owned(),
            ("never", _) => "bfalse".to_owned(),
            _ => "?".to_owned(),
        }
    }
}

/// The enabling predicate: for each path what chooses it, and what enables then.
fn predicate(model: &Model, cases: &[Case]) -> String {
    let all = |list: &[Pred]| {
        let texts: Vec<String> = list.iter().map(|p| model.show_pred(p)).collect();
        if texts.is_empty() { "btrue".to_owned() } else { texts.join(" & ") }
    };
    let enabled = |c: &Case| c.predicate.as_ref().map_or("bfalse".to_owned(), |p| all(p));
    if let [one] = cases {
        return enabled(one);
    }
    let case = |c: &Case| match c.branch.is_empty() {
        true => format!("[{}]", enabled(c)),
        false => format!("[{} => {}]", all(&c.branch), enabled(c)),
    };
    cases.iter().map(case).collect::<Vec<_>>().join(" ")
}
