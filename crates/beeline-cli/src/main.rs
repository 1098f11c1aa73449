//! The program `beeline`.

fn main() {}
