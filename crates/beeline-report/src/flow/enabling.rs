//! What operations do to the guards of others, as it is shown.

use super::reads::name;
use super::table::{aligned, csv};
use crate::graph::{DrawnNode, Picture};
use beeline_flow::{Basis, Case, Effect, Enabling, Independence, Relation};
use beeline_model::{Model, Pred};
use serde::Serialize;
use std::collections::BTreeSet;

/// All pairs of operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnablingReport {
    /// The machine.
    pub model: String,
    /// Initialisation first.
    pub operations: Vec<String>,
    /// All pairs were looked at; those that were not are `unknown`.
    pub complete: bool,
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
    /// A guard that does not hold may hold after the step.
    pub may_enable: bool,
    /// A guard that holds may not hold after the step.
    pub may_disable: bool,
    /// What the step does to whether the second one is enabled for some parameters.
    pub for_some: Offered,
    /// What `enabled` leans on: `invariant` (only steps from states that satisfy it), `scope` (only the sizes of
    /// sets and integers of this check).
    pub leans_on: Vec<&'static str>,
    /// The same of `keeps`.
    pub keeps_leans_on: Vec<&'static str>,
    /// Who proved something of it, beside the closure of what is written.
    pub by: Vec<&'static str>,
    /// The guard surely has a meaning after the step: where it does not hold, it does not fail either.
    pub defined: bool,
    /// The steps of work were used up: more may be true.
    pub limited: bool,
}

/// Whether an operation is enabled for some parameters after a step of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// It is, after every step.
    pub always: bool,
    /// Where it is not before, it may be after the step.
    pub may_enable: bool,
    /// Where it is before, it may not be after the step.
    pub may_disable: bool,
    /// As for `enabled`.
    pub leans_on: Vec<&'static str>,
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
            may_enable: r.may_enable,
            may_disable: r.may_disable,
            for_some: Offered {
                always: r.offer.always,
                may_enable: r.offer.may_enable,
                may_disable: r.offer.may_disable,
                leans_on: leans_on(&r.offered_by),
            },
            leans_on: leans_on(&r.basis),
            keeps_leans_on: leans_on(&r.kept_by),
            by: r
                .basis
                .by
                .iter()
                .chain(&r.kept_by.by)
                .copied()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            defined: r.defined,
            limited: r.limited,
        };
        let operations = model.concrete().operations.iter().map(|id| name(model, Some(*id)));
        EnablingReport {
            model: model.name.to_string(),
            operations: std::iter::once(name(model, None)).chain(operations).collect(),
            complete: enabling.complete,
            pairs: enabling.relations.iter().map(row).collect(),
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |r: &EnablingRow| {
            vec![r.first.clone(), r.second.clone(), r.value().to_owned(), r.basis(), r.words()]
        };
        self.pairs.iter().map(row).collect()
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = aligned(&HEAD, &self.rows());
        if !self.complete {
            text += "the analysis was broken off: the rest is unknown\n";
        }
        if self.pairs.iter().any(|r| r.limited) {
            text += "a limit was reached (*): more may be true; raise it with --pair-steps N\n";
        }
        text
    }

    /// Values separated by commas.
    pub fn csv(&self) -> String {
        csv(&["after", "guard_of", "value", "leans_on", "enabled"], &self.rows())
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

const HEAD: [&str; 5] = ["after", "guard of", "value", "leans on", "enabled"];

fn leans_on(basis: &Basis) -> Vec<&'static str> {
    let words = [("invariant", basis.invariant), ("scope", basis.scope)];
    words.into_iter().filter(|(_, leans)| *leans).map(|(word, _)| word).collect()
}

impl EnablingRow {
    /// What is known of the value of the guard. Of one without parameters `some` says nothing new.
    fn value(&self) -> &'static str {
        let some = self.for_some.always && self.enabled == "if";
        match (self.keeps.is_some(), some) {
            (true, false) => "keeps",
            (true, true) => "keeps, some",
            (false, true) => "some",
            (false, false) => "",
        }
    }

    fn words(&self) -> String {
        let star = if self.limited { " (*)" } else { "" };
        match &self.predicate {
            Some(p) => format!("if {p}{star}"),
            None => format!("{}{star}", self.enabled),
        }
    }

    /// What both statements lean on, and who proved them.
    fn basis(&self) -> String {
        let all: BTreeSet<&str> =
            self.leans_on.iter().chain(&self.keeps_leans_on).copied().collect();
        let all = all.into_iter().chain(self.by.iter().copied());
        all.collect::<Vec<_>>().join(", ")
    }

    fn label(&self) -> String {
        let scope = if self.leans_on.contains(&"scope") { " (in this scope)" } else { "" };
        let words = match (self.enabled, &self.predicate) {
            (_, Some(p)) => p.clone(),
            ("always", _) => "always".to_owned(),
            ("never", _) => "never".to_owned(),
            _ => "?".to_owned(),
        };
        format!("{words}{scope}")
    }
}

/// The enabling predicate: for each path what chooses it, and what enables then.
fn predicate(model: &Model, cases: &[Case]) -> String {
    let all = |list: &[Pred]| {
        let texts: Vec<String> = list.iter().map(|p| model.show_pred(p)).collect();
        texts.join(" & ")
    };
    let enabled = |c: &Case| match &c.predicate {
        None => "never".to_owned(),
        Some(list) if list.is_empty() => "always".to_owned(),
        Some(list) => all(list),
    };
    if let [one] = cases {
        return enabled(one);
    }
    let case = |c: &Case| match c.branch.is_empty() {
        true => format!("[{}]", enabled(c)),
        false => format!("[{}: {}]", all(&c.branch), enabled(c)),
    };
    cases.iter().map(case).collect::<Vec<_>>().join(" ")
}
