//! A laboratory: suites of models and configurations, what came of running them, tables and plots.
//!
//! [`Suite`] says what is run, [`Run`] what came of one run; [`Results`] holds all runs and is
//! shown as CSV, as a Markdown table relative to a reference ([`table`]) and as plots ([`plot`]).
//! [`compare`] sets two results side by side.
//!
//! Plain data and text: this crate refuses to know how a run is made, B, files and terminals.

pub mod compare;
mod expect;
pub mod markdown;
pub mod plot;
mod results;
mod suite;

pub use expect::judge;
pub use results::{Outcome, Results, Run};
pub use suite::{Configuration, Job, Measure, Model, Suite, SuiteError};

/// The geometric mean; nothing of nothing.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let sum: f64 = values.iter().map(|v| v.max(1e-9).ln()).sum();
    Some((sum / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_factor_and_its_inverse_is_one() {
        assert!((geometric_mean(&[4.0, 0.25]).unwrap() - 1.0).abs() < 1e-12);
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
