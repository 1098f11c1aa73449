//! What can be said to `beeline check`, and the same for the library.

use crate::commands::{LoadArguments, ScopeArguments};
use crate::limits;
use beeline::compile::Policy;
use beeline::explore::{Checks, Order, Proof, Skip};
use beeline::symbolic::Method;
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Checker, Hunt, Specification};
use std::path::PathBuf;
use std::time::Duration;

/// Explore the state space of a model and check every state
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) load: LoadArguments,
    #[command(flatten)]
    pub(super) scope: ScopeArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    pub(super) json: bool,
    /// Continue after the first finding, and keep the first finding of each kind
    #[arg(long)]
    pub(super) all: bool,
    /// Do not look for deadlocks
    #[arg(long)]
    pub(super) no_deadlock: bool,
    /// Do not check the invariant
    #[arg(long)]
    pub(super) no_invariants: bool,
    /// Do not check assertions
    #[arg(long)]
    pub(super) no_assertions: bool,
    /// Accept that temporal formulas of the model are not checked yet
    #[arg(long)]
    pub(super) no_temporal: bool,
    /// Run a refinement by itself only, not beside its abstraction
    #[arg(long)]
    pub(super) no_refinement: bool,
    /// Look for a state that satisfies this predicate, instead of the model's GOAL
    #[arg(long, value_name = "PRED", conflicts_with = "no_goal")]
    pub(super) goal: Option<String>,
    /// Do not look for the model's GOAL
    #[arg(long)]
    pub(super) no_goal: bool,
    // The words are made from the table of orders.
    #[arg(long, value_name = "ORDER", value_parser = order, help = order_help())]
    pub(super) search: Option<Order>,
    // The words are made from the table of methods.
    #[arg(long, value_name = "METHOD", default_value = "explicit", value_parser = method, help = method_help())]
    pub(super) method: Way,
    /// Direct the search towards invariant:NAME, operation:NAME or deadlock
    #[arg(long, value_name = "WHAT", value_parser = hunt, conflicts_with = "shortest")]
    pub(super) hunt: Option<Hunt>,
    /// Find a trace of minimal length
    #[arg(long)]
    pub(super) shortest: bool,
    /// Symmetry reduction: none, constants, flood, markers, tree-markers, canonical, hybrid, auto
    #[arg(long, value_name = "MODE", default_value = "constants", value_parser = symmetry)]
    pub(super) symmetry: Mode,
    /// Compare every reduced state with the definition of symmetry
    #[arg(long)]
    pub(super) symmetry_audit: bool,
    /// Stop when N states are known
    #[arg(long, value_name = "N")]
    pub(super) max_states: Option<u64>,
    /// Do not expand states that are N operations away from initialisation
    #[arg(long, value_name = "N")]
    pub(super) max_depth: Option<u32>,
    /// Stop after S seconds
    #[arg(long, value_name = "S", value_parser = limits::seconds)]
    pub(super) timeout: Option<Duration>,
    /// Stop when this much memory is in use: bytes, or with K, M, G (default: most of what is free)
    #[arg(long, value_name = "SIZE", value_parser = limits::bytes)]
    pub(super) memory: Option<u64>,
    /// Number of threads (default: all cores)
    #[arg(long, value_name = "N", value_parser = limits::threads)]
    pub(super) threads: Option<usize>,
    /// Save the check in this folder, so that --resume can continue it
    #[arg(long, value_name = "DIR")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "S", default_value = "20", value_parser = limits::seconds, requires = "checkpoint")]
    pub(super) checkpoint_every: Duration,
    /// Continue from the checkpoint in the folder of --checkpoint, or start if it is empty
    #[arg(long, requires = "checkpoint")]
    pub(super) resume: bool,
    /// Store a 64-bit hash instead of each state: less memory for long states, but never "holds"
    #[arg(long, conflicts_with = "checkpoint")]
    pub(super) hash_compaction: bool,
    /// Where to move states when memory runs short (default: the system's temporary folder)
    #[arg(long, value_name = "DIR")]
    pub(super) spill: Option<PathBuf>,
    /// Move states to disk when N of them are in memory, not when memory runs short
    #[arg(long, value_name = "N")]
    pub(super) spill_after: Option<usize>,
    /// Compute all results of operations anew (for tests of the engine)
    #[arg(long, hide = true)]
    pub(super) forgetful: bool,
    /// Take conjuncts in the order in which they are written: planning off (for tests of the engine)
    #[arg(long, hide = true)]
    pub(super) unplanned: bool,
    /// Prove and bound nothing by abstract interpretation (for tests of the engine)
    #[arg(long, hide = true)]
    pub(super) uninterpreted: bool,
    /// Never plan an operation again from what was measured (for tests of the engine)
    #[arg(long, hide = true)]
    pub(super) keep_plans: bool,
    /// Show where time and memory went, and a checksum of the set of states; `totals` does not time
    /// single operations, and costs nothing
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "full", value_enum)]
    pub(super) stats: Option<Stats>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// The fastest tier the engine may use; results are the same [general, packed, native]
    #[arg(long, value_name = "TIER", default_value = "native", value_parser = tier)]
    pub(super) engine: beeline::Tier,
    /// Skip evaluations of what is proved (on), also of what is only claimed to be proved (trust);
    /// evaluate everything (off), and compare proofs with the result (audit)
    #[arg(long, value_name = "USE", default_value = "on", value_parser = proof)]
    pub(super) proof: Proof,
    /// Do not try operations that are known to be disabled: where that saves time (auto), everywhere
    /// (on), nowhere (off); try all of them, and compare what was known with the result (audit)
    #[arg(long, value_name = "USE", default_value = "auto", value_parser = skip)]
    pub(super) skip: Skip,
    /// Partial order reduction: leave out steps whose order makes no difference (on); then also explore the whole
    /// state space and compare (audit); all steps (off)
    #[arg(long, value_name = "USE", default_value = "off", value_parser = partial_order)]
    pub(super) por: beeline::por::Usage,
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Save the trace of the first finding to this file
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Save what the search kept to this file: `beeline certify` checks that it proves the verdict
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hash_compaction", "hunt"])]
    pub(super) certificate: Option<PathBuf>,
}

/// What statistics tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Stats {
    Full,
    Totals,
}

fn tier(text: &str) -> Result<beeline::Tier, String> {
    match text {
        "general" => Ok(beeline::Tier::General),
        "packed" => Ok(beeline::Tier::Packed),
        "native" => Ok(beeline::Tier::Native),
        _ => Err("expected general, packed or native".to_owned()),
    }
}

fn proof(name: &str) -> Result<Proof, String> {
    Proof::by_name(name).ok_or_else(|| "expected on, trust, off or audit".to_owned())
}

fn skip(name: &str) -> Result<Skip, String> {
    Skip::by_name(name).ok_or_else(|| "expected auto, on, off or audit".to_owned())
}

fn partial_order(name: &str) -> Result<beeline::por::Usage, String> {
    beeline::por::Usage::by_name(name).ok_or_else(|| "expected on, off or audit".to_owned())
}

fn order_help() -> String {
    format!(
        "Search order: {} (default: auto; with --hunt distance; with --shortest, --all or --max-depth bf)",
        Order::names().join(", ")
    )
}

fn order(name: &str) -> Result<Order, String> {
    Order::by_name(name).ok_or_else(|| format!("expected one of {}", Order::names().join(", ")))
}

/// How states are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// One by one.
    Explicit,
    /// Sets of them, by a method.
    Sets(Method),
    /// Whoever ends.
    Auto,
}

fn method_help() -> String {
    format!(
        "Look at states one by one (explicit), at sets of them where that takes long (auto), or at sets of them as \
         decision diagrams: {}",
        method_names().join(", ")
    )
}

fn method_names() -> Vec<&'static str> {
    Method::ALL.iter().map(|method| method.name()).collect()
}

fn method(name: &str) -> Result<Way, String> {
    let expected = || format!("expected explicit, auto or one of {}", method_names().join(", "));
    match name {
        "explicit" => Ok(Way::Explicit),
        "auto" => Ok(Way::Auto),
        _ => Method::by_name(name).map(Way::Sets).ok_or_else(expected),
    }
}

fn hunt(text: &str) -> Result<Hunt, String> {
    Hunt::by_name(text)
        .ok_or_else(|| "expected invariant:NAME, operation:NAME or deadlock".to_owned())
}

pub fn symmetry(name: &str) -> Result<Mode, String> {
    Mode::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Mode::ALL.iter().map(|m| m.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl Arguments {
    /// The same for the library, but for what only a run knows: the clock, and who listens.
    pub(super) fn checker<'a>(&self, specification: &Specification) -> Checker<'a> {
        let mut checker = Checker::new(specification.clone())
            .scope(self.scope.scope())
            .checks(Checks {
                invariants: !self.no_invariants,
                deadlock: !self.no_deadlock,
                assertions: !self.no_assertions,
                temporal: !self.no_temporal,
                refinement: !self.no_refinement,
                goal: true,
            })
            .method(match self.method {
                Way::Sets(method) => Some(method),
                Way::Explicit | Way::Auto => None,
            })
            .symmetry(self.symmetry)
            .partial_order(self.por)
            .proof(self.proof)
            .skip(self.skip)
            .engine(self.engine)
            .seed(self.seed)
            .max_states(self.max_states)
            .max_depth(self.max_depth)
            .timeout(self.timeout)
            .tune(|options| self.tune(options));
        if let Some(formula) = specification.formulas().first() {
            checker = checker.goal_formula(formula.clone());
        }
        if let Some(order) = self.search {
            checker = checker.search(order);
        }
        if let Some(memory) = self.memory {
            checker = checker.memory(memory);
        }
        if let Some(threads) = self.threads {
            checker = checker.threads(threads);
        }
        if let Some(folder) = &self.checkpoint {
            checker = checker.checkpoint(folder, self.checkpoint_every);
        }
        type Switch<'a> = (bool, fn(Checker<'a>) -> Checker<'a>);
        let switches: [Switch<'a>; 7] = [
            (self.certificate.is_some(), Checker::certified),
            (self.all, Checker::all),
            (self.no_goal, Checker::no_goal),
            (self.shortest, Checker::shortest),
            (self.symmetry_audit, Checker::symmetry_audit),
            (self.resume, Checker::resume),
            (self.method == Way::Auto, Checker::method_auto),
        ];
        switches.into_iter().filter(|(on, _)| *on).fold(checker, |checker, (_, set)| set(checker))
    }

    /// What a certificate has no words for, if one is asked for.
    pub(super) fn uncertifiable(&self, specification: &Specification) -> Option<&'static str> {
        self.certificate.as_ref()?;
        let chain = specification.model().levels.len() > 1 && !self.no_refinement;
        let all = [
            (self.por != beeline::por::Usage::Off, "--certificate needs --por off"),
            (self.method != Way::Explicit, "--certificate needs --method explicit"),
            (self.search == Some(Order::Portfolio), "--certificate needs one search order"),
            (chain, "--certificate is about one machine: use --no-refinement"),
        ];
        all.into_iter().find(|(wrong, _)| *wrong).map(|(_, words)| words)
    }

    /// What is for experts and tests.
    fn tune(&self, options: &mut CheckOptions) {
        options.hunt.clone_from(&self.hunt);
        options.policy = if self.unplanned { Policy::AsWritten } else { Policy::Estimated };
        options.forgetful = self.forgetful;
        options.uninterpreted = self.uninterpreted;
        let explore = &mut options.explore;
        explore.stats = self.stats.is_some();
        explore.clocks = self.stats == Some(Stats::Full);
        explore.hash_compaction = self.hash_compaction;
        explore.replan = !self.keep_plans && !self.unplanned;
        explore.spill.after_states = self.spill_after;
        if let Some(folder) = &self.spill {
            explore.spill.folder.clone_from(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Alone {
        #[command(flatten)]
        check: Arguments,
    }

    /// All that a check depends on; memory changes from one moment to the next.
    fn shown(checker: &Checker<'_>) -> String {
        let mut options = checker.options();
        let memory = options.explore.limits.memory_bytes.take().is_some();
        format!("{options:?}, memory: {memory}")
    }

    #[test]
    fn the_defaults_of_the_program_are_those_of_the_library() {
        let specification = Specification::from_text("MACHINE M END").unwrap();
        let of = |words: &[&str]| {
            let all = [&["check", "M.mch"], words].concat();
            shown(&Alone::try_parse_from(all).unwrap().check.checker(&specification))
        };
        let library = Checker::new(specification.clone());
        assert_eq!(of(&[]), shown(&library));
        assert_eq!(of(&["--shortest"]), shown(&Checker::new(specification.clone()).shortest()));
        assert_eq!(
            of(&["--max-depth", "3"]),
            shown(&Checker::new(specification.clone()).max_depth(3))
        );
        assert_ne!(of(&["--seed", "1"]), shown(&library));
    }
}
