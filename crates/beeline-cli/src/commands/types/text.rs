//! The facts about names as a table for people.

use super::facts::{Facts, LevelFacts, Name, OperationFacts, Set, Typed};
use beeline::report::JsonPlace;
use beeline::report::escape::visible;

/// The whole table.
pub fn text(facts: &Facts) -> String {
    let mut out = String::new();
    for machine in &facts.machines {
        let prefix = machine.prefix.as_ref().map(|p| format!("{p}.")).unwrap_or_default();
        let name = visible(&format!("{prefix}{}", machine.name));
        let role = if machine.role == "main" { "" } else { machine.role };
        out.push_str(format!("{} {name}  {role}", machine.kind).trim_end());
        out.push('\n');
    }
    section(&mut out, "sets", facts.sets.iter().map(set_row).collect());
    section(&mut out, "constants", facts.constants.iter().map(name_row).collect());
    for level in &facts.levels {
        let of = match facts.levels.len() {
            1 => String::new(),
            _ => format!(" of {}", visible(&level.machine)),
        };
        level_sections(&mut out, &of, level);
    }
    out
}

fn level_sections(out: &mut String, of: &str, level: &LevelFacts) {
    section(out, &format!("variables{of}"), level.variables.iter().map(name_row).collect());
    if level.operations.is_empty() {
        return;
    }
    out.push_str(&format!("\noperations{of}\n"));
    for operation in &level.operations {
        out.push_str(&operation_lines(operation));
    }
}

/// Rows of cells, each column as wide as its widest cell.
fn section(out: &mut String, title: &str, rows: Vec<[String; 3]>) {
    if rows.is_empty() {
        return;
    }
    out.push_str(&format!("\n{title}\n"));
    // One very long cell shall not push all others off the screen.
    let width = |column: usize| {
        let widths = rows.iter().map(|r| r[column].chars().count()).filter(|w| *w <= 60);
        widths.max().unwrap_or(0)
    };
    let (first, second) = (width(0), width(1));
    for [a, b, c] in &rows {
        out.push_str(format!("  {a:first$}  {b:second$}  {c}").trim_end());
        out.push('\n');
    }
}

fn name_row(name: &Name) -> [String; 3] {
    let kind = match name.kind {
        "abstract" => "abstract, ",
        "parameter" => "parameter, ",
        _ => "",
    };
    [
        visible(&name.name),
        format!(": {}", visible(&name.ty)),
        format!("{kind}{}", origin(&name.place)),
    ]
}

fn set_row(set: &Set) -> [String; 3] {
    let what = match &set.elements {
        Some(elements) => format!("= {{{}}}", visible(&elements.join(", "))),
        None => format!("({})", set.kind),
    };
    [visible(&set.name), what, format!("{}, {}", size(set), origin(&set.place))]
}

fn size(set: &Set) -> String {
    let many = match (set.size.min, set.size.max) {
        (min, Some(max)) if min == max => format!("{min} elements"),
        (min, Some(max)) => format!("{min} to {max} elements"),
        (min, None) => format!("at least {min} elements"),
    };
    let line = set.size.line.map(|l| format!(" (line {l})")).unwrap_or_default();
    match set.size.origin {
        "enumeration" => many,
        "scope" => format!("{many} by its scope definition{line}"),
        "properties" => format!("{many} by PROPERTIES{line}"),
        "values" => format!("{many} by VALUES{line}"),
        _ => format!("{many}; nothing determines its size"),
    }
}

fn operation_lines(operation: &OperationFacts) -> String {
    let list = |all: &[Typed]| {
        all.iter()
            .map(|t| format!("{} : {}", visible(&t.name), visible(&t.ty)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = format!("  {}", visible(&operation.name));
    if !operation.parameters.is_empty() {
        text.push_str(&format!("({})", list(&operation.parameters)));
    }
    if !operation.results.is_empty() {
        text.push_str(&format!(" --> ({})", list(&operation.results)));
    }
    text.push_str(&format!("  {}\n", origin(&operation.place)));
    for (word, names) in [("reads ", &operation.reads), ("writes", &operation.writes)] {
        if !names.is_empty() {
            text.push_str(&format!("      {word} {}\n", visible(&names.join(", "))));
        }
    }
    text
}

fn origin(place: &JsonPlace) -> String {
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{}:{line}", visible(file)),
        _ => "built in".to_owned(),
    }
}
