//! What a specification means, read off the typed model: one module a topic of the manual.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod support;

mod advice;
mod composition;
mod definitions;
mod files;
mod names;
mod substitutions;
mod types;
mod verified;
