//! Checks a model: `cargo run -p beeline --example check -- examples/Lift.mch`.
#![allow(clippy::print_stdout)]

fn main() -> Result<(), beeline::Error> {
    let path = std::env::args().nth(1).unwrap_or("examples/AccountViolation.mch".to_owned());
    let outcome = beeline::Checker::open(&path)?.shortest().run()?;
    println!("{path}: {}, {} states", outcome.verdict().word(), outcome.counts().states());
    if let Some(found) = outcome.finding() {
        println!("{}", found.told.message);
        for step in &found.trace.steps {
            println!("  {} {:?}", step.operation, step.state.0);
        }
    }
    Ok(())
}
