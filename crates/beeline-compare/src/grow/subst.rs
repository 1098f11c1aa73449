//! Random substitutions.
