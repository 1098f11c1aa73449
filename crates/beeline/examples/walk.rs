//! A random walk through a model, and which operations it has tried:
//! `cargo run -p beeline --example walk -- examples/Lift.mch 100`.
#![allow(clippy::print_stdout)]

use beeline::Specification;
use std::collections::BTreeMap;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("examples/Lift.mch".to_owned());
    let steps: usize = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let mut walk = Specification::open(path)?.animate()?;
    let (mut counts, mut random) = (BTreeMap::new(), 0x2545_F491_4F6C_DD1D_u64);
    for _ in 0..steps {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let Some(number) = (random >> 33).checked_rem(walk.step_count() as u64) else { break };
        let step = walk.steps().nth(number as usize).ok_or("no step")?;
        walk.execute(number as usize)?;
        *counts.entry(step.operation).or_insert(0) += 1;
    }
    for (operation, count) in counts {
        println!("{count:4} {operation}");
    }
    for (name, value) in walk.state().0 {
        println!("{name} = {value}");
    }
    Ok(())
}
