//! What a result may be, given what the reference says.

use super::config::Config;
use super::outcome::Run;
use crate::plain::{Kind, Plain};
use beeline::compile::CutReason;
use beeline::explore::{Order, Proof};
use beeline::por::Usage;
use beeline::symbolic::Method;
use beeline::symmetry::{Mode, SymmetryError};
use beeline::verdict::VerdictKind;
use beeline::{CheckError, OptionError};
use std::collections::BTreeSet;

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Of which kind: differences of one kind may have one cause.
    pub kind: &'static str,
    /// In words.
    pub words: String,
}

fn differ(kind: &'static str, words: String) -> Option<Difference> {
    Some(Difference { kind, words })
}

/// Compares a run with the reference and with the plainest run, if this is another one.
pub fn compare(
    config: &Config,
    run: &Run,
    plain: &Plain,
    base: Option<&Run>,
) -> Option<Difference> {
    if run.panicked {
        return differ("panic", run.words.clone());
    }
    if let Some(error) = &run.unfit {
        // The machine says a set is symmetric that is not, or one that is large: both are refused before
        // the search begins.
        let by_symmetry = match error {
            CheckError::Option(OptionError::Symmetry(error)) => match error {
                SymmetryError::NotSymmetric { .. } => true,
                SymmetryError::TooManyPermutations(_) => config.symmetry == Mode::Flood,
            },
            _ => false,
        };
        if matches!(error, CheckError::Option(OptionError::PartialOrderScope)) {
            return None;
        }
        return match config.order {
            Order::Distance | Order::Custom => None,
            _ if by_symmetry => None,
            _ => differ("refused", error.to_string()),
        };
    }
    if plain.asymmetric && !matches!(config.symmetry, Mode::None | Mode::Constants) {
        let words = "a set whose elements are named was taken for symmetric";
        return differ("accepted", words.to_owned());
    }
    if plain.lopsided {
        return differ("lopsided", "the reference's states are not symmetric".to_owned());
    }
    verdict(run, plain, base)
        .or_else(|| cuts(config, run, plain, base))
        .or_else(|| counts(config, run, plain, base))
        .or_else(|| kinds(config, run, plain, base))
        .or_else(|| beside(config, run))
}

fn verdict(run: &Run, plain: &Plain, base: Option<&Run>) -> Option<Difference> {
    let wrong = || format!("the reference finds {:?}", plain.findings);
    match run.verdict {
        Some(VerdictKind::Holds) => {
            if !plain.findings.is_empty() {
                return differ("false holds", wrong());
            }
            if plain.setup_fault {
                return differ("false holds", "properties without a meaning".to_owned());
            }
            if let Some(base) = base.filter(|b| !b.kinds.is_empty()) {
                return differ("false holds", format!("the plain run finds {:?}", base.kinds));
            }
            if plain.unchecked {
                return differ("false holds", "a temporal formula was not checked".to_owned());
            }
            if plain.endless {
                return differ("false holds", "an operation has steps without end".to_owned());
            }
            if plain.is_exact() && plain.setups == 0 {
                return differ("false holds", "there are no constants".to_owned());
            }
        }
        Some(VerdictKind::Violated) if plain.is_exact() && !plain.is_violated() => {
            return differ("false violation", format!("{:?}; {}", run.kinds, wrong()));
        }
        Some(VerdictKind::GoalFound)
            if plain.is_exact() && !plain.findings.contains_key(&Kind::Goal) =>
        {
            return differ("false goal", wrong());
        }
        Some(VerdictKind::ModelError) if plain.is_exact() && plain.setups > 0 => {
            return differ("false model error", run.words.clone());
        }
        // The judge may be at a loss about a state that cannot be listed, and says so.
        Some(VerdictKind::Undetermined) if plain.is_exact() && !plain.symbolic => {
            return differ("undetermined", run.words.clone());
        }
        _ => {}
    }
    None
}

/// A configuration may leave out what it says it does, and what the plainest does.
fn cuts(config: &Config, run: &Run, plain: &Plain, base: Option<&Run>) -> Option<Difference> {
    let base = base?;
    if !plain.is_exact() || run.cuts.is_empty() {
        return None;
    }
    let marks = matches!(config.symmetry, Mode::Markers | Mode::TreeMarkers);
    // What was to come later when time was over is left out as well.
    let late = [CutReason::Constants, CutReason::InitialStates];
    let is_over = run.cuts.contains(&CutReason::Time);
    let allowed = |reason: &CutReason| {
        base.cuts.contains(reason)
            // Other work on the machine must not look like a difference.
            || *reason == CutReason::Time
            || (is_over && late.contains(reason))
            || (config.compact && *reason == CutReason::HashCompaction)
            || (config.shallow && *reason == CutReason::Depth)
            // What an operation does may depend on more than the state.
            || (config.method.is_some() && *reason == CutReason::Unsupported)
            // States that are not reachable are looked at as well.
            || !config.method.is_none_or(Method::counts)
            || (marks && *reason == CutReason::SymmetryMarker)
            // As written, a conjunct that would decide may stand behind an infinite set of candidates.
            || (config.unplanned && *reason == CutReason::LargeSet)
    };
    match run.cuts.iter().find(|r| !allowed(r)) {
        Some(reason) => differ("cut", format!("{reason:?}: {}", run.cut_words)),
        None => None,
    }
}

fn counts(config: &Config, run: &Run, plain: &Plain, base: Option<&Run>) -> Option<Difference> {
    // Not every method finds out which states are reachable.
    if config.method.is_some_and(|method| !method.counts()) {
        return None;
    }
    let is_whole = run.complete
        || (config.compact
            && run.cuts.iter().all(|c| *c == CutReason::HashCompaction)
            && config.all);
    if !is_whole {
        return too_many(config, run, plain);
    }
    if run.verdict == Some(VerdictKind::ModelError) {
        return None;
    }
    let known = plain.is_exact();
    let is_base = |base: &&Run| base.complete;
    if config.is_unreduced() {
        let (nodes, transitions, whose) = match base.filter(is_base) {
            _ if known => (plain.nodes(), plain.transitions, "reference"),
            Some(base) => (base.nodes, base.transitions, "plain run"),
            None => return None,
        };
        if run.nodes != nodes {
            return differ("states", format!("{} nodes, {whose} {nodes}", run.nodes));
        }
        if run.transitions != transitions {
            return differ("transitions", format!("{}, {whose} {transitions}", run.transitions));
        }
        if let Some(base) = base.filter(is_base)
            && run.checksum.is_some()
            && base.checksum.is_some()
            && run.unlisted == base.unlisted
            && run.checksum != base.checksum
        {
            return differ("checksum", "another set of states than the plain run".to_owned());
        }
        return None;
    }
    if config.partial_order != Usage::Off {
        // What is left out is a part: no more can be said than that nothing is added.
        let all = known.then(|| plain.nodes()).or(base.filter(is_base).map(|base| base.nodes));
        return match all {
            Some(all) if run.nodes > all => {
                differ("states", format!("{} nodes, all are {all}", run.nodes))
            }
            _ => None,
        };
    }
    let orbits = plain.orbits.as_ref().filter(|_| known)?;
    let setups = |n: u64| if plain.has_setup { n } else { 0 };
    let least = 1 + setups(orbits.setups) + orbits.states;
    let same_group = run.symmetric == orbits.sets;
    if config.symmetry == Mode::Constants {
        // A set that the machine says is symmetric is none of the reference's.
        if !run.symmetric.iter().all(|set| orbits.sets.contains(set)) {
            return None;
        }
        let (low, high) = (1 + setups(orbits.setups) + orbits.states_of_setups, plain.nodes());
        if run.nodes < low.min(high) || run.nodes > high {
            return differ("states", format!("{} nodes, reference {low} to {high}", run.nodes));
        }
        return None;
    }
    if same_group && run.nodes != least {
        return differ("orbits", format!("{} nodes, reference {least}", run.nodes));
    }
    if run.nodes > plain.nodes() {
        return differ("states", format!("{} nodes, reference {}", run.nodes, plain.nodes()));
    }
    None
}

/// A run that leaves something out sees no more than there is, unless it says that it did not decide
/// the properties: then it tries valuations that they may exclude.
fn too_many(config: &Config, run: &Run, plain: &Plain) -> Option<Difference> {
    let undecided = run.cuts.contains(&CutReason::Constants);
    if !plain.is_exact() || run.nodes <= plain.nodes() || config.resume || undecided {
        return None;
    }
    differ("states", format!("{} nodes, reference {}", run.nodes, plain.nodes()))
}

fn kinds(config: &Config, run: &Run, plain: &Plain, base: Option<&Run>) -> Option<Difference> {
    let expected: BTreeSet<Kind> = plain.findings.keys().copied().collect();
    let show = |kinds: &BTreeSet<Kind>| format!("{:?}, expected {kinds:?}", run.kinds);
    if plain.is_exact() {
        let extra = run.kinds.iter().any(|k| !expected.contains(k));
        // Methods that do not count states tell of the nearest findings only.
        if !config.method.is_none_or(Method::counts) {
            let none = run.kinds.is_empty() && !expected.is_empty() && run.complete;
            return if extra || none { differ("findings", show(&expected)) } else { None };
        }
        if extra || (run.complete && run.kinds != expected) {
            return differ("findings", show(&expected));
        }
        return None;
    }
    if !config.method.is_none_or(Method::counts) {
        return None;
    }
    if run.complete && !expected.is_subset(&run.kinds) {
        return differ("findings", show(&expected));
    }
    match base.filter(|b| b.complete && run.complete) {
        Some(base) if base.kinds != run.kinds => differ("findings", show(&base.kinds)),
        _ => None,
    }
}

fn beside(config: &Config, run: &Run) -> Option<Difference> {
    if !run.lost.is_empty() {
        return differ("lost", run.lost.join("; "));
    }
    // An audit holds against states what somebody only says to be proved, which may be wrong.
    let is_believed = config.proof != Proof::Audit || !run.claimed;
    if run.contradictions > 0 && is_believed {
        return differ("proof", "something was proved that is false".to_owned());
    }
    if run.wrong_skips > 0 {
        return differ("skip", "an operation was known to be disabled and is not".to_owned());
    }
    if config.compact && run.verdict == Some(VerdictKind::Holds) {
        return differ("false holds", "hash compaction is not told".to_owned());
    }
    let exact = !matches!(config.symmetry, Mode::Markers | Mode::TreeMarkers)
        || !run.cuts.contains(&CutReason::SymmetryMarker);
    match run.collisions {
        Some(n) if n > 0 && exact && run.complete => {
            differ("collision", format!("{n} markers stand for several classes"))
        }
        _ => None,
    }
}
