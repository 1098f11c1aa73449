//! Radar plots: an axis a model, a line a configuration, the reference a circle.

use super::{begin, colour, legend, text};
use crate::results::Results;
use std::f64::consts::TAU;
use std::fmt::Write;

const RADIUS: f64 = 200.0;
const CENTRE: (f64, f64) = (330.0, 270.0);
/// The axis goes from a hundredth to a hundred times the reference, on a logarithmic scale.
const DECADES: f64 = 2.0;

/// Relative values of some configurations for the models of a class.
pub fn radar(results: &Results, class: &str, configurations: &[&str]) -> String {
    let models: Vec<&str> =
        results.models.iter().filter(|(_, c)| c == class).map(|(m, _)| m.as_str()).collect();
    let mut out = begin(840.0, 540.0);
    text(&mut out, 20.0, 18.0, "start", &format!("{}: {class}", results.suite));
    let words =
        format!("dark circle: {}; each circle a factor of 10, inside is less", results.reference);
    text(&mut out, 20.0, 34.0, "start", &words);
    let point = |axis: usize, value: f64| {
        let length =
            RADIUS * ((value.max(1e-9).log10() + DECADES) / (2.0 * DECADES)).clamp(0.0, 1.0);
        let angle = TAU * axis as f64 / models.len().max(1) as f64 - TAU / 4.0;
        (CENTRE.0 + length * angle.cos(), CENTRE.1 + length * angle.sin())
    };
    for ring in 1..=4 {
        let (stroke, r) = (if ring == 2 { "#555" } else { "#ddd" }, RADIUS * f64::from(ring) / 4.0);
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{r:.1}\" fill=\"none\" stroke=\"{stroke}\"/>",
            CENTRE.0, CENTRE.1
        );
    }
    for (axis, model) in models.iter().enumerate() {
        let (x, y) = point(axis, 100.0);
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"#eee\"/>",
            CENTRE.0, CENTRE.1
        );
        let (dx, dy) = ((x - CENTRE.0) * 0.04, (y - CENTRE.1) * 0.04);
        let anchor = if dx.abs() < 1.0 {
            "middle"
        } else if dx > 0.0 {
            "start"
        } else {
            "end"
        };
        text(&mut out, x + dx, y + dy + 4.0, anchor, model);
    }
    for (c, configuration) in configurations.iter().enumerate() {
        let values = models.iter().enumerate().filter_map(|(axis, model)| {
            let (x, y) = point(axis, results.relative(model, configuration)?);
            Some(format!("{x:.1},{y:.1}"))
        });
        let points: Vec<String> = values.collect();
        let _ = writeln!(
            out,
            "<polygon points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            points.join(" "),
            colour(c)
        );
    }
    legend(&mut out, 680.0, 60.0, configurations);
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn the_reference_lies_on_its_circle() {
        let all = results(&[("M", "a", 1.0), ("N", "a", 2.0), ("M", "b", 100.0), ("N", "b", 2.0)]);
        let svg = radar(&all, "goal", &["a", "b"]);
        // The first axis goes up: the reference is half way, a hundred times as much at its end.
        assert!(svg.contains("<polygon points=\"330.0,170.0 330.0,370.0\""), "{svg}");
        assert!(svg.contains("<polygon points=\"330.0,70.0 330.0,370.0\""));
    }
}
