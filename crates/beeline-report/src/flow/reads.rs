//! Read and write sets as they are shown.

use super::table::{aligned, csv};
use beeline_flow::{Part, ReadSets};
use beeline_model::Model;
use serde::Serialize;

/// What all operations read and write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadsReport {
    /// The machine.
    pub model: String,
    /// Initialisation first.
    pub operations: Vec<ReadsRow>,
}

/// What one operation reads and writes: variables, and the parts of them that matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadsRow {
    /// Its name; `INITIALISATION` for the first one.
    pub operation: String,
    /// Variables that its guard looks at.
    pub guard: Vec<String>,
    /// Variables that its body looks at.
    pub body: Vec<String>,
    /// Variables that it may change.
    pub writes: Vec<String>,
    /// The parts that its guard looks at: `f(i)`, `r'a`, `e : s`, or whole variables.
    pub guard_parts: Vec<String>,
    /// The parts that its body looks at.
    pub body_parts: Vec<String>,
    /// The parts that it may change.
    pub write_parts: Vec<String>,
}

impl ReadsReport {
    /// Of a model.
    pub fn new(model: &Model, sets: &[ReadSets]) -> ReadsReport {
        let variables = |parts: &[Part]| {
            let all = ReadSets::variables(parts);
            all.into_iter().map(|v| model.variable(v).name.to_string()).collect::<Vec<_>>()
        };
        let parts = |parts: &[Part]| parts.iter().map(|p| p.show(model)).collect::<Vec<_>>();
        let row = |set: &ReadSets| ReadsRow {
            operation: name(model, set.operation),
            guard: variables(&set.guard),
            body: variables(&set.body),
            writes: variables(&set.writes),
            guard_parts: parts(&set.guard),
            body_parts: parts(&set.body),
            write_parts: parts(&set.writes),
        };
        ReadsReport { model: model.name.to_string(), operations: sets.iter().map(row).collect() }
    }

    fn rows(&self, separator: &str) -> Vec<Vec<String>> {
        let row = |r: &ReadsRow| {
            let lists = [&r.guard_parts, &r.body_parts, &r.write_parts];
            let lists = lists.into_iter().map(|list| list.join(separator));
            std::iter::once(r.operation.clone()).chain(lists).collect()
        };
        self.operations.iter().map(row).collect()
    }

    /// A table for people.
    pub fn text(&self) -> String {
        aligned(&["operation", "guard reads", "body reads", "writes"], &self.rows(", "))
    }

    /// Values separated by commas; parts by semicolons.
    pub fn csv(&self) -> String {
        csv(&["operation", "guard_reads", "body_reads", "writes"], &self.rows("; "))
    }
}

/// What an operation is called; without one, it is initialisation.
pub(super) fn name(model: &Model, operation: Option<beeline_model::OperationId>) -> String {
    operation.map_or_else(|| "INITIALISATION".to_owned(), |id| model.operation(id).name.to_string())
}
