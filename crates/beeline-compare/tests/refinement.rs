//! Random refinements: `beeline refine` and the judge alone must say the same.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use beeline::model::load;
use beeline::refinement::Mode;
use beeline::source::MemoryLoader;
use beeline::verdict::Verdict;
use beeline::{OpenOptions, Refiner};
use beeline_compare::Random;
use beeline_compare::refinements::{Reference, Way, chain, reference};
use std::collections::BTreeSet;

fn loader(files: &[(String, String)]) -> MemoryLoader {
    files.iter().fold(MemoryLoader::new(), |l, (name, text)| l.with(name, text))
}

/// What the checker says of each step of a chain, in the words of the reference.
fn said(files: &[(String, String)], mode: Mode, threads: usize) -> Option<Vec<(Reference, bool)>> {
    let loader = loader(files);
    let specification = OpenOptions::new().open_through(loader, &files[0].0).ok()?;
    let refined = Refiner::new(specification)
        .mode(mode)
        .tune(|options| {
            options.all = true;
            options.threads = threads;
        })
        .run()
        .unwrap();
    let steps = refined.steps().iter().map(|step| {
        let outcome = &step.outcome;
        for found in &outcome.findings {
            assert_eq!(found.refused, None, "the judge refuses {}", found.told.message);
        }
        let found: BTreeSet<_> =
            outcome.findings.iter().map(|f| (f.told.kind, f.told.name.clone())).collect();
        assert_eq!(
            matches!(outcome.verdict, Verdict::Holds(_)),
            found.is_empty() && outcome.cuts.is_empty()
        );
        (Reference { states: outcome.exploration.counts.states(), found }, outcome.cuts.is_empty())
    });
    Some(steps.collect())
}

#[test]
fn random_refinements_agree_with_the_judge_alone() {
    let pairs: u64 =
        std::env::var("BEELINE_REFINEMENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let first: u64 = std::env::var("BEELINE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut differences: Vec<String> = Vec::new();
    let (mut compared, mut refines, mut wrong, mut skipped) = (0, 0, 0, 0);
    for seed in first..first + pairs {
        let files = chain(&mut Random::new(seed));
        let loader = loader(&files);
        let loaded = load(&loader, &files[0].0);
        let model =
            loaded.model.unwrap_or_else(|| panic!("{:?}\n{files:?}", loaded.diagnostics.list()));
        for (mode, way) in [(Mode::Simulation, Way::Simulation), (Mode::Trace, Way::Trace)] {
            let said = said(&files, mode, 1 + (seed % 2) as usize).unwrap();
            for (upper, (ours, complete)) in said.into_iter().enumerate() {
                let Ok(theirs) = reference(&model, upper, way) else {
                    skipped += 1;
                    continue;
                };
                if !complete {
                    skipped += 1;
                    continue;
                }
                let text: Vec<&str> = files.iter().map(|f| f.1.as_str()).collect();
                if ours != theirs {
                    differences.push(format!(
                        "seed {seed}, level {upper}, {mode:?}: {ours:?}, by the judge {theirs:?}\n{}",
                        text.join("\n")
                    ));
                    continue;
                }
                compared += 1;
                if theirs.found.is_empty() { refines += 1 } else { wrong += 1 }
            }
        }
    }
    let few: Vec<&str> = differences.iter().take(5).map(String::as_str).collect();
    assert!(few.is_empty(), "{} differences:\n{}", differences.len(), few.join("\n"));
    println!(
        "{compared} refinements compared, {refines} refine, {wrong} do not, {skipped} skipped"
    );
    assert!(
        refines * 10 > compared && wrong * 10 > compared && skipped < compared,
        "{refines} {wrong} {skipped}"
    );
}
