//! The Aldebaran format (`.aut`), which CADP, mCRL2 and LTSmin read and write.
//!
//! A line `des (initial, transitions, states)`, then a line `(from, "label", to)` for each transition.
//! Internal steps are called `i`, as in CADP; `tau` is understood as well. The format has no way to write a
//! quotation mark or the end of a line in a label, nor a visible label `i`: such characters are written as `%`
//! and two digits, and read back.

use crate::graph::{Builder, Edge, Graph, INTERNAL, MAX_STATES};
use crate::look;
use std::fmt::{self, Write};
use std::sync::atomic::AtomicBool;

/// Why a text is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutError {
    /// The line, from 1; none if reading was interrupted.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub words: String,
}

impl fmt::Display for AutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.words),
            None => f.write_str(&self.words),
        }
    }
}

impl std::error::Error for AutError {}

/// Reads a graph.
pub fn parse(text: &str, stop: &AtomicBool) -> Result<Graph, AutError> {
    let mut lines = text.lines().zip(1usize..).filter(|(line, _)| !line.trim().is_empty());
    let error = |line: usize, words: &str| AutError { line: Some(line), words: words.to_owned() };
    let (head, first) =
        lines.next().ok_or_else(|| error(1, "the file is empty; expected `des (0, 1, 2)`"))?;
    let (initial, transitions, states) = header(head).ok_or_else(|| {
        error(first, "expected `des (INITIAL, TRANSITIONS, STATES)` with three numbers")
    })?;
    if states > MAX_STATES as u64 || states <= initial {
        return Err(error(first, "the number of states does not fit the rest of the line"));
    }
    let mut builder = Builder::new();
    let mut list: Vec<(u32, Edge)> = Vec::new();
    for (line, number) in lines {
        if list.len() & 0xFFF == 0 && look(stop).is_err() {
            return Err(AutError { line: None, words: "reading was interrupted".to_owned() });
        }
        let (from, label, target) =
            transition(line).ok_or_else(|| error(number, "expected `(FROM, \"label\", TO)`"))?;
        if from >= states || target >= states {
            let words = format!("there are only {states} states, numbered from 0");
            return Err(error(number, &words));
        }
        let label = match label {
            "i" | "tau" => INTERNAL,
            label if label.contains('%') => builder.label(&decoded(label)),
            label => builder.label(label),
        };
        list.push((from as u32, Edge { label, target: target as u32 }));
    }
    if list.len() as u64 != transitions {
        let words =
            format!("{transitions} transitions are announced, but there are {}", list.len());
        return Err(error(first, &words));
    }
    // A state that no line names has no steps and cannot be reached: whoever claims that there are billions of
    // them gets no room for them.
    let named = transitions.saturating_mul(2).saturating_add(1);
    let kept = if states > named { 0 } else { states as usize };
    Graph::from_edges(builder, kept, initial as u32, &list)
        .map_err(|large| error(first, &large.to_string()))
}

/// Writes a graph, line by line.
pub fn write(graph: &Graph, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let (states, transitions) = (graph.states(), graph.transitions());
    writeln!(out, "des ({}, {transitions}, {states})", graph.initial())?;
    let mut labels: Vec<String> = graph.labels().iter().map(|text| encoded(text)).collect();
    "i".clone_into(&mut labels[INTERNAL as usize]);
    for state in graph.all() {
        for edge in graph.edges(state) {
            writeln!(out, "({state}, \"{}\", {})", labels[edge.label as usize], edge.target)?;
        }
    }
    Ok(())
}

fn header(line: &str) -> Option<(u64, u64, u64)> {
    let inside = line.trim().strip_prefix("des")?.trim_start().strip_prefix('(')?;
    let mut numbers =
        inside.trim_end().strip_suffix(')')?.split(',').map(|n| n.trim().parse().ok());
    let found = (numbers.next()??, numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(found)
}

/// A line, without brackets and quotation marks.
fn transition(line: &str) -> Option<(u64, &str, u64)> {
    let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inside.split_once(',')?;
    let (label, target) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = match label.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"')?,
        None if label.is_empty() => return None,
        None => label,
    };
    Some((from.trim().parse().ok()?, label, target.trim().parse().ok()?))
}

/// A label as it is written.
fn encoded(text: &str) -> String {
    let is_taken = matches!(text, "i" | "tau");
    let mut out = String::with_capacity(text.len());
    for (i, c) in text.chars().enumerate() {
        if c.is_ascii_control() || matches!(c, '"' | '%') || is_taken && i == 0 {
            let _ = write!(out, "%{:02X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// And back; what is no such code stands for itself.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let code = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                out.push(char::from(code));
                rest = &after[2..];
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Graph, AutError> {
        parse(text, &AtomicBool::new(false))
    }

    fn check(text: &str, line: usize, words: &str) {
        let error = read(text).expect_err("it is not well-formed");
        assert_eq!((error.line, error.words.contains(words)), (Some(line), true), "{error}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut builder = Builder::new();
        for text in ["press(1, {2,3})", "say(\"%a\")", "i", "tau", "i2", "100%25", "two\nlines"] {
            let label = builder.label(text);
            builder.edge(label, 1);
        }
        builder.edge(INTERNAL, 0);
        builder.end_state().unwrap();
        let graph = builder.finish(0, 2).unwrap();
        let mut out = Vec::new();
        write(&graph, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("des (0, 8, 2)\n(0, \"i\", 0)\n(0, \"press(1, {2,3})\", 1)\n"),
            "{text}"
        );
        assert_eq!(read(&text).unwrap(), graph);
    }

    #[test]
    fn other_tools_write_it_in_other_ways() {
        let graph = read("\ndes(1,3,2)\n(0,i,1)\n(1, tau ,0)\n(1,\"SEND !1, x\",0)\n").unwrap();
        assert_eq!((graph.initial(), graph.states(), graph.transitions()), (1, 2, 3));
        assert_eq!(graph.label(graph.edges(1)[1].label), "SEND !1, x");
        assert_eq!(graph.edges(0)[0].label, INTERNAL);
    }

    #[test]
    fn mistakes_have_a_line() {
        check("", 1, "empty");
        check("des (0, 1)", 1, "three numbers");
        check("des (0, 0, 4000000000)", 1, "number of states");
        // There is no line for so many states, and no room is made for them.
        assert_eq!(read("des (0, 0, 2000000000)").map(|graph| graph.states()), Ok(1));
        check("des (0, 1, 2)\n(0, \"a\", 2)", 2, "only 2 states");
        check("des (0, 1, 2)\n\n(0, \"a, 1)", 3, "expected");
        check("des (0, 2, 2)\n(0, \"a\", 1)", 1, "2 transitions are announced, but there are 1");
        check("des (5, 2, 2)\n(0, \"a\", 1)", 1, "number of states");
    }
}
