//! Diagnostics and reports as text, JSON and SARIF.
