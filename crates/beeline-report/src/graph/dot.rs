//! The language of Graphviz.

use super::Picture;
use crate::escape::visible;
use std::fmt::Write;

/// A text between quotes.
fn quoted(text: &str) -> String {
    visible(text).replace('\\', "\\\\").replace('"', "\\\"")
}

impl Picture {
    /// The picture in DOT.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        let lines = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(quoted).collect::<Vec<_>>().join("\\n")
        };
        let _ = writeln!(out, "digraph \"{}\" {{", quoted(&self.title));
        out.push_str("  node [shape=box, fontname=\"Helvetica\"];\n");
        out.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
        out.push_str("  start [shape=point];\n");
        for (i, node) in self.nodes.iter().enumerate() {
            let label = lines(&mut node.lines.iter().map(String::as_str));
            let double = if node.double { ", peripheries=2" } else { "" };
            let _ = writeln!(out, "  n{i} [label=\"{label}\"{double}];");
        }
        for (i, _) in self.nodes.iter().enumerate().filter(|(_, n)| n.initial) {
            let _ = writeln!(out, "  start -> n{i};");
        }
        for ((from, to), texts) in self.arrows() {
            let label = lines(&mut texts.iter().copied());
            let _ = writeln!(out, "  n{from} -> n{to} [label=\"{label}\"];");
        }
        out.push_str("}\n");
        out
    }
}
