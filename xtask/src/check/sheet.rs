//! The recorded results.

/// A row of `oracle.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub path: String,
    pub formalism: String,
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub deadlock: Option<bool>,
    pub violated: Option<bool>,
    pub milliseconds: Option<u64>,
    pub operations: Option<u64>,
    pub complete: String,
    pub why: String,
}

/// The rows of the table.
pub fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let cell =
            |name: &str| header.iter().position(|h| *h == name).and_then(|i| cells.get(i).copied());
        let number = |name: &str| cell(name).and_then(|c| c.parse::<u64>().ok());
        let truth = |name: &str| cell(name).and_then(|c| c.parse::<bool>().ok());
        Some(Row {
            path: cell("path")?.to_owned(),
            formalism: cell("formalism")?.to_owned(),
            states: number("states"),
            transitions: number("transitions"),
            deadlock: truth("deadlock"),
            violated: truth("invariant_violated"),
            milliseconds: number("prob_ms"),
            operations: number("operations"),
            complete: cell("complete")?.to_owned(),
            why: cell("why")?.to_owned(),
        })
    };
    lines.filter_map(row).collect()
}
