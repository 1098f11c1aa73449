//! The typed model: what a specification means, whichever notation it was written in.

pub mod stdlib;
