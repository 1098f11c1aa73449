//! Results as pictures in SVG: bars on a logarithmic scale, and radar plots.

mod bars;
mod radar;

pub use bars::bars;
pub use radar::radar;

use std::fmt::Write;

/// Colours that can be told apart, also by people who see few of them (after Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// Text as it may stand in SVG.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}

fn begin(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(words)
    );
}

/// One line a configuration.
fn legend(out: &mut String, x: f64, y: f64, names: &[&str]) {
    for (i, name) in names.iter().enumerate() {
        let top = y + i as f64 * 16.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"10\" height=\"10\" fill=\"{}\"/>",
            colour(i)
        );
        text(out, x + 15.0, top + 9.0, "start", name);
    }
}
