//! Bars on a logarithmic scale: a group a model, a bar a configuration.

use super::{begin, colour, legend, text};
use crate::results::{Outcome, Results};
use crate::suite::Measure;
use std::fmt::Write;

const LEFT: f64 = 60.0;
const TOP: f64 = 30.0;
const HEIGHT: f64 = 260.0;
const BAR: f64 = 7.0;

/// Bars for the models of a class.
pub fn bars(results: &Results, class: &str, configurations: &[&str]) -> String {
    let models: Vec<&str> =
        results.models.iter().filter(|(_, c)| c == class).map(|(m, _)| m.as_str()).collect();
    let cells: Vec<_> = models
        .iter()
        .flat_map(|m| configurations.iter().filter_map(|c| results.cell(m, c)))
        .map(|cell| cell.value)
        .collect();
    let low = cells.iter().copied().fold(f64::INFINITY, f64::min).max(1e-6).log10().floor();
    let high = cells.iter().copied().fold(1e-6, f64::max).log10().ceil().max(low + 1.0);
    let group = configurations.len() as f64 * BAR + 12.0;
    let width = LEFT + group * models.len() as f64 + 160.0;
    let mut out = begin(width, TOP + HEIGHT + 130.0);
    let unit = if results.measure == Measure::States { "states" } else { "seconds" };
    text(&mut out, LEFT, 16.0, "start", &format!("{}: {class}, {unit}", results.suite));
    let y = |value: f64| TOP + HEIGHT * (high - value.max(1e-9).log10()) / (high - low);
    let mut power = low;
    while power <= high {
        let at = y(10f64.powf(power));
        let right = LEFT + group * models.len() as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ccc\"/>"
        );
        text(&mut out, LEFT - 5.0, at + 4.0, "end", &format!("1e{power}"));
        power += 1.0;
    }
    for (m, model) in models.iter().enumerate() {
        let start = LEFT + group * m as f64 + 6.0;
        for (c, configuration) in configurations.iter().enumerate() {
            let Some(cell) = results.cell(model, configuration) else { continue };
            let (x, top) = (start + c as f64 * BAR, y(cell.value));
            // A run that was ended by a limit is hollow: it would be longer.
            let fill = if cell.outcome == Outcome::Right { colour(c) } else { "white" };
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"{fill}\" stroke=\"{}\"/>",
                BAR - 1.0,
                TOP + HEIGHT - top,
                colour(c)
            );
        }
        let (x, at) = (start + group / 2.0 - 6.0, TOP + HEIGHT + 12.0);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"end\" \
             transform=\"rotate(-40 {x:.1} {at:.1})\">{}</text>",
            super::escaped(model)
        );
    }
    legend(&mut out, width - 140.0, TOP, configurations);
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn a_bar_a_run_and_hollow_ones_for_limits() {
        let all = results(&[("M<", "a", 0.1), ("M<", "b", 0.01), ("N", "a", 60.0)]);
        let svg = bars(&all, "goal", &["a", "b"]);
        assert_eq!(svg.matches("stroke=\"#0072b2\"").count(), 2);
        assert_eq!(svg.matches("fill=\"white\" stroke").count(), 1);
        assert!(svg.contains("M&lt;") && svg.ends_with("</svg>\n"));
    }
}
