//! Pictures of state spaces: DOT for other tools, SVG to look at.

mod dot;
mod svg;

/// A box of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnNode {
    /// Lines of text.
    pub lines: Vec<String>,
    /// The row it stands in.
    pub row: usize,
    /// A double frame.
    pub double: bool,
    /// An arrow from nowhere leads here.
    pub initial: bool,
}

/// Boxes and arrows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<DrawnNode>,
    /// From, to, text. Arrows between the same boxes are drawn as one with several lines.
    pub edges: Vec<(usize, usize, String)>,
}

impl Picture {
    /// Arrows with all their texts, in order.
    fn arrows(&self) -> Vec<((usize, usize), Vec<&str>)> {
        let mut all: std::collections::BTreeMap<(usize, usize), Vec<&str>> = Default::default();
        for (from, to, text) in &self.edges {
            let texts = all.entry((*from, *to)).or_default();
            if !texts.contains(&text.as_str()) {
                texts.push(text);
            }
        }
        all.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Picture {
        let node = |text: &str, row, double| DrawnNode {
            lines: vec![text.to_owned()],
            row,
            double,
            initial: row == 0,
        };
        Picture {
            title: "two <states>".to_owned(),
            nodes: vec![node("x = {}", 0, true), node("x = \"a\\b\"", 1, false)],
            edges: vec![
                (0, 1, "go(1)".to_owned()),
                (0, 1, "go(2)".to_owned()),
                (0, 1, "go(2)".to_owned()),
                (1, 1, "stay".to_owned()),
                (1, 0, "back".to_owned()),
            ],
        }
    }

    #[test]
    fn dot_marks_representatives_and_escapes_text() {
        let dot = small().dot();
        assert!(dot.starts_with("digraph \"two <states>\" {\n"), "{dot}");
        assert!(dot.contains("n0 [label=\"x = {}\", peripheries=2];"), "{dot}");
        assert!(dot.contains("n1 [label=\"x = \\\"a\\\\b\\\"\"];"), "{dot}");
        assert!(dot.contains("n0 -> n1 [label=\"go(1)\\ngo(2)\"];"), "{dot}");
        assert!(dot.contains("start -> n0;"), "{dot}");
    }

    #[test]
    fn svg_draws_every_box_and_arrow_and_escapes_text() {
        let svg = small().svg();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        // One frame each, and one more for the representative.
        assert_eq!(svg.matches("<rect ").count(), 3 + 1, "{svg}");
        assert_eq!(svg.matches("<path ").count(), 3 + 1 + 1, "{svg}");
        assert!(
            svg.contains("two &lt;states&gt;") && svg.contains("x = &quot;a\\b&quot;"),
            "{svg}"
        );
        assert!(!svg.contains("NaN"), "{svg}");
    }
}
