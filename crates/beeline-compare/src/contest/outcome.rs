//! One check of one model, and what came of it.

use super::config::Config;
use crate::plain::{Kind, Plain, number};
use beeline::compile::CutReason;
use beeline::explore::{Cancel, Checkpoint, CutNote, FindingKind, Limits, Refusal};
use beeline::model::Model;
use beeline::source::SourceMap;
use beeline::verdict::VerdictKind;
use beeline::{CheckError, CheckOptions, Checked, identity};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What came of a check.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The verdict, if there is one.
    pub verdict: Option<VerdictKind>,
    /// What it says beside it.
    pub words: String,
    /// Root, valuations of the constants, states.
    pub nodes: u64,
    /// Steps.
    pub transitions: u64,
    /// A hash of the set of states.
    pub checksum: Option<u64>,
    /// Values in these states that are kept unlisted.
    pub unlisted: u64,
    /// What was found.
    pub kinds: BTreeSet<Kind>,
    /// What was left out.
    pub cuts: BTreeSet<CutReason>,
    /// The words of the first cut.
    pub cut_words: String,
    /// Everything was visited and checked.
    pub complete: bool,
    /// Symmetric sets.
    pub symmetric: Vec<(String, usize)>,
    /// Proofs that turned out to be wrong.
    pub contradictions: usize,
    /// Operations that were enabled though they were known not to be.
    pub wrong_skips: usize,
    /// The model comes with proofs that are only said to be there.
    pub claimed: bool,
    /// Markers that stand for more than one class, if somebody looked.
    pub collisions: Option<usize>,
    /// What a reduction by partial order has lost, if somebody looked.
    pub lost: Vec<String>,
    /// The configuration does not fit the model.
    pub unfit: Option<CheckError>,
    /// It panicked.
    pub panicked: bool,
}

/// Checks a model.
pub fn run(model: &Model, plain: &Plain, config: &Config) -> Run {
    let folder = config.needs_folder().then(scratch_folder).unwrap_or_default();
    // What the reference has counted must be enough, or something grows without end.
    let (states, time) = match plain.is_exact() {
        true => (2 * plain.nodes() + 500, Duration::from_millis(1_500)),
        false => (40, Duration::from_millis(25)),
    };
    let options = config.options(folder.clone(), states, time);
    // What the reference has not been through may be too much to begin again and again.
    let pieces = config.resume && plain.is_exact();
    let result = catch_unwind(AssertUnwindSafe(|| match pieces {
        true => in_pieces(model, plain, options, folder.clone()),
        false => Checked::run(model, &options, &Cancel::new(), &|_| {}),
    }));
    if config.needs_folder() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    match result {
        Ok(Ok(checked)) => Run { claimed: !model.claims.is_empty(), ..told(&checked) },
        // What was saved a moment ago is not damaged.
        Ok(Err(CheckError::Checkpoint(Refusal::Damaged(words)))) => {
            Run { panicked: true, words, ..Run::default() }
        }
        Ok(Err(error)) => Run { unfit: Some(error), ..Run::default() },
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Run { panicked: true, words: words.unwrap_or_default(), ..Run::default() }
        }
    }
}

impl Config {
    fn needs_folder(&self) -> bool {
        self.spill || self.resume
    }
}

/// A folder that nobody else has, in memory where there is such a thing.
fn scratch_folder() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let shared = PathBuf::from("/dev/shm");
    let under = if shared.is_dir() { shared } else { std::env::temp_dir() };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = under.join(format!("beeline-contest-{}-{number}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    folder
}

/// Ended by limits again and again, and gone on with: by the clock at once, then after ever more states.
fn in_pieces(
    model: &Model,
    plain: &Plain,
    mut options: CheckOptions,
    folder: PathBuf,
) -> Result<Checked, CheckError> {
    options.explore.checkpoint = Some(Checkpoint {
        folder: folder.join("saved"),
        every: Duration::ZERO,
        resume: true,
        identity: identity(&SourceMap::default(), model, &options),
    });
    let nodes = plain.nodes();
    let at = |states: u64| Limits { states: Some(states), ..options.explore.limits };
    let at_once = Limits { time: Some(Duration::ZERO), ..options.explore.limits };
    for limits in [at_once, at(nodes / 4 + 2), at(nodes / 2 + 2), at(3 * nodes / 4 + 2)] {
        let mut piece = options.clone();
        piece.explore.limits = limits;
        let checked = Checked::run(model, &piece, &Cancel::new(), &|_| {})?;
        let ended = |c: &CutNote| matches!(c.reason, CutReason::Time | CutReason::States);
        if !checked.outcome.cuts.iter().any(ended) {
            return Ok(checked);
        }
    }
    if takes_another(model, &options) {
        let words = "a checkpoint of another model was taken";
        return Err(CheckError::Checkpoint(Refusal::Unfit(words.to_owned())));
    }
    Checked::run(model, &options, &Cancel::new(), &|_| {})
}

/// Does a check of another model go on with the checkpoint, if there is one?
fn takes_another(model: &Model, options: &CheckOptions) -> bool {
    let mut options = options.clone();
    let mut other = model.clone();
    other.name = "Another".into();
    let identity = identity(&SourceMap::default(), &other, &options);
    let Some(checkpoint) = &mut options.explore.checkpoint else { return false };
    checkpoint.identity = identity;
    let is_there = std::fs::read_dir(&checkpoint.folder).is_ok_and(|mut files| {
        files.any(|f| f.is_ok_and(|f| f.path().extension().is_some_and(|e| e == "manifest")))
    });
    is_there
        && Checked::run(model, &options, &Cancel::new(), &|_| {})
            .is_ok_and(|checked| checked.outcome.exploration.resumed.is_some())
}

fn told(checked: &Checked) -> Run {
    let (outcome, exploration) = (&checked.outcome, &checked.outcome.exploration);
    let operation = |fault: &beeline::compile::Fault| {
        let info = fault.operation.map(|o| checked.system.operation(o));
        info.map_or(u32::MAX, |o| number(o.id))
    };
    let kind = |kind: &FindingKind| match kind {
        FindingKind::Violated(id) => Kind::Violated(*id),
        FindingKind::Undefined(id, _) => Kind::Undefined(*id),
        FindingKind::Operation(fault) => Kind::Operation(operation(fault)),
        FindingKind::Initialisation(_) => Kind::Initialisation,
        FindingKind::Deadlock => Kind::Deadlock,
        FindingKind::NoInitialState => Kind::NoInitialState,
        FindingKind::Goal => Kind::Goal,
        FindingKind::GoalUndefined(_) => Kind::GoalUndefined,
    };
    Run {
        verdict: Some(outcome.verdict.kind()),
        words: outcome.verdict.why().unwrap_or_default(),
        nodes: exploration.counts.nodes,
        transitions: exploration.counts.transitions,
        checksum: exploration.stats.as_ref().and_then(|s| s.checksum),
        unlisted: exploration.stats.as_ref().map_or(0, |s| s.unlisted),
        kinds: exploration.findings.iter().map(|f| kind(&f.kind)).collect(),
        cuts: outcome.cuts.iter().map(|c| c.reason).collect(),
        cut_words: outcome.cuts.first().map(|c| c.words.clone()).unwrap_or_default(),
        // What nobody checks is beside what was visited.
        complete: exploration.is_complete()
            && outcome.cuts.iter().all(|c| c.reason == CutReason::NotChecked),
        symmetric: checked.reduced.as_ref().map(|r| r.sets.clone()).unwrap_or_default(),
        contradictions: exploration.contradictions.len(),
        wrong_skips: exploration.wrong_skips.len(),
        claimed: false,
        collisions: checked
            .reduced
            .as_ref()
            .and_then(|r| r.audit.as_ref())
            .map(|audit| audit.collisions),
        lost: checked
            .partial_order
            .as_ref()
            .and_then(|told| told.audit.as_ref())
            .map(|audit| audit.lost.clone())
            .unwrap_or_default(),
        unfit: None,
        panicked: false,
    }
}
