//! What the result of a check depends on, as one digest. A checkpoint belongs to exactly one.
//!
//! Nothing can be forgotten here: the texts and the typed model are taken whole, as they are run,
//! and options are taken apart without `..`, so that a new one does not compile until somebody
//! decides whether results depend on it.

use crate::check::{CheckOptions, Tier};
use crate::stack::on_large_stack;
use beeline_explore::{Digest, Limits, Options};
use beeline_fault::{Flaw, planted};
use beeline_model::Model;
use beeline_source::SourceMap;
use std::fmt::{self, Debug, Write};

/// The digest of a model, as it is run, and of the options that matter.
pub fn identity(sources: &SourceMap, model: &Model, options: &CheckOptions) -> Digest {
    let mut text = Text(blake3::Hasher::new());
    text.add("version", &env!("CARGO_PKG_VERSION"));
    for file in sources.files() {
        text.add("file", &(&file.name, &file.text));
    }
    // The texts alone do not say which machine or level of them is run, nor what is proved of it.
    if !planted(Flaw::IdentityShort) {
        on_large_stack(|| text.add("model", model));
    }
    of_options(&mut text, options);
    *text.0.finalize().as_bytes()
}

fn of_options(text: &mut Text, options: &CheckOptions) {
    let CheckOptions {
        scope,
        explore,
        goal,
        no_goal,
        hunt,
        symmetry,
        symmetry_audit,
        partial_order,
        engine,
        forgetful,
        uninterpreted,
        policy,
        method,
        // What was explored does not depend on who confirms it, and sets of states are not saved.
        judge_steps: _,
        certified: _,
        auto: _,
        relations: _,
    } = options;
    text.add("scope", scope);
    on_large_stack(|| text.add("goal", &(goal, no_goal)));
    text.add("hunt", hunt);
    text.add("method", method);
    text.add("symmetry", &(symmetry, symmetry_audit));
    text.add("partial order", partial_order);
    // Saved states are laid out as the engine has them.
    text.add("engine", &(*engine == Tier::General, policy, uninterpreted));
    let Options {
        checks,
        all,
        order,
        seed,
        proof,
        skip,
        limits,
        hash_compaction,
        replan,
        early,
        first,
        // Results do not depend on these; they may change from one part of a check to the next.
        threads: _,
        stats: _,
        clocks: _,
        spill: _,
        checkpoint: _,
    } = explore;
    text.add("checks", &(checks, all, proof, skip));
    text.add("search", &(order, seed, hash_compaction, !forgetful, (replan, early), first));
    // A limit that ended one part may be raised for the next; these two shape what was explored.
    let Limits { states, depth, time: _, memory_bytes: _ } = limits;
    text.add("limits", &(states, depth));
}

/// Takes text in without keeping it.
struct Text(blake3::Hasher);

impl Text {
    /// The length of what follows cannot be mistaken: strings are quoted, all else is in brackets.
    fn add(&mut self, name: &str, what: &dyn Debug) {
        // Never an error: nothing is written anywhere.
        let _ = writeln!(self, "{name} {what:?}");
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenOptions, open};
    use beeline_elaborate::EventbOptions;

    const CHAIN: &str = "MACHINE M0 VARIABLES x INVARIANTS @i x ∈ 0‥3 EVENTS
        EVENT INITIALISATION THEN @a x ≔ 0 END
        EVENT up WHERE @g x < 3 THEN @a x ≔ x + 1 END END
      MACHINE M1 REFINES M0 VARIABLES x INVARIANTS @j x < 2 EVENTS
        EVENT INITIALISATION THEN @a x ≔ 0 END
        EVENT up REFINES up WHERE @g x < 3 THEN @a x ≔ x + 1 END END";

    fn of(eventb: EventbOptions, options: &CheckOptions) -> Digest {
        let options_to_open = OpenOptions { eventb, ..OpenOptions::default() };
        let name = format!("beeline-identity-{}.eventb", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, CHAIN).unwrap();
        let loaded = open(&path, &options_to_open);
        let words: Vec<_> = loaded.diagnostics.list().iter().map(|d| d.message.clone()).collect();
        identity(
            &loaded.sources,
            loaded.model.as_ref().unwrap_or_else(|| panic!("{}", words.join("; "))),
            options,
        )
    }

    #[test]
    fn another_level_or_option_is_another_check_and_more_threads_are_not() {
        let none = CheckOptions::default;
        let level = |name: &str| EventbOptions { level: Some(name.to_owned()), main: None };
        let main = |name: &str| EventbOptions { main: Some(name.to_owned()), level: None };
        let plain = EventbOptions::default;
        let mut changed = vec![
            of(plain(), &none()),
            of(level("M0"), &none()),
            of(level("M1"), &none()),
            of(main("M0"), &none()),
        ];
        let changes: [fn(&mut CheckOptions); 9] = [
            |o| o.scope.max_int = Some(9),
            |o| o.scope.set_sizes.push(("S".to_owned(), 3)),
            |o| o.no_goal = true,
            |o| o.explore.all = true,
            |o| o.explore.seed = 1,
            |o| o.explore.checks.deadlock = false,
            |o| o.explore.limits.depth = Some(4),
            |o| o.engine = Tier::General,
            |o| o.partial_order = beeline_por::Usage::On,
        ];
        for change in changes {
            let mut options = none();
            change(&mut options);
            changed.push(of(plain(), &options));
        }
        // `--main M0` and `--level M0` of the first machine of a chain are the same model.
        changed.dedup();
        changed.sort_unstable();
        let all = changed.len();
        changed.dedup();
        assert!(changed.len() + 1 >= all, "{all} checks, {} identities", changed.len());
        let mut same = none();
        (same.explore.threads, same.explore.stats) = (7, true);
        same.explore.limits.time = Some(std::time::Duration::from_secs(1));
        assert_eq!(of(plain(), &same), of(plain(), &none()));
    }
}
