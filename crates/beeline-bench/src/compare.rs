//! Two results of one suite side by side: what became faster or slower, and what changed.

use crate::markdown::ratio_text;
use crate::results::{Outcome, Results};
use crate::statistics::geometric_mean;
use std::fmt::Write;

/// What a comparison came to.
pub struct Comparison {
    /// For people, in Markdown.
    pub text: String,
    /// Runs that were right and are wrong now, or end at a limit.
    pub worse: usize,
}

/// Ratios within this factor are noise.
const NOISE: f64 = 1.1;

/// Compares a newer result with an older one.
pub fn compare(old: &Results, new: &Results) -> Comparison {
    let mut text = format!("# {}: {} against {}\n\n", new.suite, new.version, old.version);
    text.push_str(
        "| model | configuration | old | new | new / old | |\n|---|---|--:|--:|--:|---|\n",
    );
    let (mut ratios, mut worse) = (Vec::new(), 0);
    for (model, _) in &new.models {
        for configuration in &new.configurations {
            let cells = (old.cell(model, configuration), new.cell(model, configuration));
            let (Some(before), Some(after)) = cells else { continue };
            let ratio = after.value / before.value;
            ratios.push(ratio);
            let rank = |outcome| match outcome {
                Outcome::Right => 0,
                Outcome::Limit => 1,
                Outcome::Wrong => 2,
            };
            let is_worse = rank(after.outcome) > rank(before.outcome);
            worse += usize::from(is_worse);
            let note = match () {
                () if is_worse => "**worse result**",
                () if after.states != before.states => "other states",
                () if ratio > NOISE => "slower",
                () if ratio < 1.0 / NOISE => "faster",
                () => "",
            };
            let _ = writeln!(
                text,
                "| {model} | {configuration} | {:.4} | {:.4} | {} | {note} |",
                before.value,
                after.value,
                ratio_text(ratio)
            );
        }
    }
    if let Some(mean) = geometric_mean(&ratios) {
        let _ = writeln!(text, "\nGeometric mean of new / old: {mean:.3}");
    }
    Comparison { text, worse }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn what_became_slower_or_failed_is_told() {
        let old = results(&[("M", "a", 1.0), ("M", "b", 1.0), ("N", "a", 1.0)]);
        let new = results(&[("M", "a", 2.0), ("M", "b", 0.5), ("N", "a", 60.0)]);
        let told = compare(&old, &new);
        assert_eq!(told.worse, 1);
        assert!(told.text.contains("| M | a | 1.0000 | 2.0000 | 2.00 | slower |"), "{}", told.text);
        assert!(told.text.contains("| 0.50 | faster |"));
        assert!(told.text.contains("| N | a | 1.0000 | 60.0000 | 60.00 | **worse result** |"));
        assert!(told.text.contains("Geometric mean of new / old: 3.915"));
    }
}
