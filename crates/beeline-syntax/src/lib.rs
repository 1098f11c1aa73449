//! The syntax of classical B: text to trees and back.
//!
//! [`parse`] reads a file or a formula and always returns a tree, with the problems it found; it
//! goes on after an error, so that one run reports many. [`print`] writes a tree so that it parses
//! back to the same tree. This crate knows neither files nor types nor what a name means.

pub mod ast;
