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

    /// The same as a forest: a tree for each box, whose leaves are copies of those that its arrows lead to.
    pub fn forest(&self) -> Picture {
        let mut forest = Picture { title: self.title.clone(), ..Picture::default() };
        let arrows = self.arrows();
        for (at, root) in self.nodes.iter().enumerate() {
            let place = forest.nodes.len();
            forest.nodes.push(DrawnNode { row: 2 * at, ..root.clone() });
            for ((_, to), texts) in arrows.iter().filter(|((from, _), _)| *from == at) {
                let leaf = DrawnNode { row: 2 * at + 1, initial: false, ..self.nodes[*to].clone() };
                forest.nodes.push(leaf);
                let last = forest.nodes.len() - 1;
                forest.edges.extend(texts.iter().map(|t| (place, last, (*t).to_owned())));
            }
        }
        forest
    }

    /// The forest as text, one line a leaf.
    pub fn forest_text(&self) -> String {
        let mut text = String::new();
        let arrows = self.arrows();
        for (at, root) in self.nodes.iter().enumerate() {
            text += &root.lines.join(" ");
            text.push('\n');
            let own: Vec<_> = arrows.iter().filter(|((from, _), _)| *from == at).collect();
            for (i, ((_, to), texts)) in own.iter().enumerate() {
                let branch = if i + 1 == own.len() { "└─" } else { "├─" };
                let leaf = self.nodes[*to].lines.join(" ");
                text += &format!("{branch} {leaf}: {}\n", texts.join(" or "));
            }
        }
        text
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
    fn a_forest_has_a_tree_for_each_box() {
        let forest = small().forest();
        assert_eq!(forest.nodes.len(), 2 + 1 + 2);
        let rows: Vec<usize> = forest.nodes.iter().map(|n| n.row).collect();
        assert_eq!(rows, [0, 1, 2, 3, 3]);
        let ends: Vec<(usize, usize)> = forest.edges.iter().map(|(a, b, _)| (*a, *b)).collect();
        assert_eq!(ends, [(0, 1), (0, 1), (2, 3), (2, 4)]);
        assert_eq!(
            small().forest_text(),
            "x = {}\n└─ x = \"a\\b\": go(1) or go(2)\nx = \"a\\b\"\n├─ x = {}: back\n└─ x = \"a\\b\": stay\n"
        );
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
