//! Developer tasks: corpus runs and benchmarks.

fn main() {}
