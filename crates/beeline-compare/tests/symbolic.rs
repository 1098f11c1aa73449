//! Sets of states on random machines, in every method, against the reference. `RANDOM_MACHINES=5000` for more than a
//! few, `RANDOM_SEED` for others.

use beeline::Tier;
use beeline::symbolic::Method;
use beeline_compare::contest::{Choice, Config, Contest, Tally};
use beeline_compare::machines;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn methods_agree_with_the_reference() {
    let with = |method| {
        let plain = Config { method: Some(method), tier: Tier::Packed, ..Config::plain() };
        [Config { all: false, ..plain.clone() }, plain]
    };
    let configs: Vec<Config> = Method::ALL.into_iter().flat_map(with).collect();
    let contest = Contest::new(machines::machine, Choice::These(configs));
    let (first, count) = (number("RANDOM_SEED", 1), number("RANDOM_MACHINES", 60));
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for seed in first..first + count {
        if let Some(found) = contest.one(seed, &mut tally) {
            let (config, difference) = (&found.config, &found.difference);
            wrong.push(format!("seed {seed}, {config}: {}: {}", difference.kind, difference.words));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}
