//! The report for programs. Field names and their order are a contract; new fields come last.

mod checked;

use super::NoCheck;
use crate::JsonReport;
use crate::cut::{JsonCut, reason_word};
use crate::escape::visible;
use beeline_compile::{CutReason, Settings};
use beeline_verdict::Bindings;
use serde::Serialize;
use std::time::Duration;

/// A whole check.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonCheck {
    pub schema: u32,
    pub model: String,
    pub verdict: &'static str,
    pub complete: bool,
    pub cuts: Vec<JsonCut>,
    pub scope: JsonScope,
    pub finding: Option<JsonFinding>,
    pub findings: Vec<JsonFinding>,
    pub counts: JsonCounts,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    pub bytes_per_state: Option<f64>,
    /// Why there is no better verdict; empty if there is nothing to say.
    pub message: String,
    /// Processor time of the exploration, on all threads together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The search order; of a portfolio the one that won.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub search: String,
    /// Places of properties that cannot all hold, where that is the verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<String>,
    /// What loading the model found, if it could not be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<JsonReport>,
    /// States that were known when the check went on from a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<u64>,
    /// What went wrong without harm to the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<String>,
    /// Where time and bytes went, with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<super::JsonStats>,
    /// What symmetry reduction did, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<JsonSymmetry>,
    /// Who proved something of the invariant before the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub provers: Vec<JsonProver>,
    /// Proofs that a state contradicts, with `--proof audit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradicted: Option<Vec<JsonContradiction>>,
    /// In an audit: operations whose guard was not what it was known to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrongly_skipped: Option<Vec<JsonWrongSkip>>,
    /// What is odd about a model that was explored to its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<JsonObservation>,
    /// What partial order reduction did, if it was asked for: counts are those of a part of the state space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_order: Option<super::partial_order::JsonPartialOrder>,
    /// Of a search over sets of states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<JsonSymbolic>,
    /// What came of comparing a refinement with its abstraction: as `beeline refine --json` tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<crate::JsonRefine>,
}

/// What a search over sets of states can tell.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSymbolic {
    pub method: &'static str,
    /// Exact, in digits: there may be more states than a number of JSON can say.
    pub states: Option<String>,
    pub transitions: Option<String>,
    pub bits: usize,
    pub rounds: u64,
    pub evaluations: u64,
    /// How the relation of each operation was made: `exact`, `partly exact` or `learned`.
    pub relations: Vec<JsonRelation>,
    /// The same for checks, in the order in which they are checked.
    pub checks: Vec<&'static str>,
    pub images: u64,
    pub unions: u64,
    pub differences: u64,
    pub intersections: u64,
    pub comparisons: u64,
    pub nodes: usize,
    pub peak_nodes: usize,
    pub diagram_bytes: usize,
    pub collections: u64,
    pub blocks: Option<u64>,
}

/// How the relation of an operation was made.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonRelation {
    pub operation: String,
    pub made: &'static str,
}

/// What somebody proved of the invariant before the search.
#[derive(Debug, Serialize)]
pub struct JsonProver {
    /// Who: `proof files`, `syntax`, `abstract interpretation`, `claims`.
    pub source: &'static str,
    /// Conjuncts that are true in every reachable state.
    pub always: usize,
    /// Pairs of an operation, or initialisation, and a conjunct that is true after it if the whole
    /// invariant was true before.
    pub preserved: usize,
}

/// Something odd, and what it is said of.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonObservation {
    pub kind: &'static str,
    pub name: String,
    #[serde(rename = "where")]
    pub place: Option<String>,
}

/// A proof that a state contradicts.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonContradiction {
    /// The operation that was said to preserve the conjunct.
    pub operation: String,
    /// The label of the conjunct; empty if it has none.
    pub name: String,
    #[serde(rename = "where")]
    pub place: Option<String>,
    /// Operations from initialisation to the state.
    pub steps: usize,
}

/// An operation that was known to be disabled, or to be enabled, and is not.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonWrongSkip {
    pub operation: String,
    /// What it is.
    pub enabled: bool,
    /// The last operation before the state; nothing if that is initialisation.
    pub after: Option<String>,
    /// Operations from initialisation to the state.
    pub steps: usize,
}

/// What symmetry reduction did.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSymmetry {
    /// The mode in use: what `auto` has chosen.
    pub mode: &'static str,
    pub sets: Vec<JsonSymmetricSet>,
    /// Deferred sets that are not symmetric.
    pub excluded: Vec<JsonExcluded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<JsonAudit>,
}

/// A set whose elements may be permuted.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSymmetricSet {
    pub name: String,
    pub elements: usize,
}

/// A set whose elements may not be permuted.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonExcluded {
    pub name: String,
    pub why: String,
}

/// What an audit of the reduction found.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonAudit {
    pub representatives: usize,
    pub classes: usize,
    /// Representatives of more than one class.
    pub collisions: usize,
    /// Classes with more than one representative.
    pub split: usize,
    /// Pairs of elements that were called interchangeable and are not.
    pub wrong_twins: usize,
    /// Were all permutations tried?
    pub exhaustive: bool,
    /// Two states that were taken for one and are not symmetric.
    pub example: Option<[Bindings; 2]>,
}

/// The scope.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonScope {
    pub sets: Vec<SetScope>,
    pub maxint: i64,
    pub minint: i64,
    /// Does the model speak of MAXINT, MININT, NAT, NAT1 or INT?
    pub integer_bounds_matter: bool,
    pub checks_left_out: Vec<&'static str>,
    /// Proofs that were believed though nobody knows what was proved, with `--proof trust`.
    #[serde(skip_serializing_if = "is_zero")]
    pub proofs_believed: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// The size of a set in this run, and who says so.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct SetScope {
    pub name: String,
    pub size: u64,
    pub origin: &'static str,
}

/// A finding.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonFinding {
    pub kind: &'static str,
    pub name: String,
    pub trace: Vec<JsonStep>,
    pub message: String,
    #[serde(rename = "where")]
    pub place: Option<String>,
    /// Did the judge replay the trace and see it, too?
    pub confirmed: bool,
    /// Is it proved that no trace is shorter?
    pub shortest: bool,
}

/// A step of a trace.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonStep {
    pub operation: String,
    pub parameters: Bindings,
    pub state: Bindings,
    pub results: Bindings,
}

/// How much there was.
#[derive(Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct JsonCounts {
    pub nodes: u64,
    pub states: u64,
    pub constants: u64,
    pub transitions: u64,
    pub invariant_evaluations: u64,
    pub guard_evaluations: u64,
    /// Of invariant evaluations: those whose result was known without.
    pub invariant_evaluations_known: u64,
    /// Guards whose value was known without an evaluation.
    pub guard_evaluations_known: u64,
}

impl JsonCheck {
    /// There was no exploration.
    pub fn not_checked(
        file: &str,
        why: NoCheck,
        message: String,
        settings: &Settings,
        load: Option<JsonReport>,
    ) -> JsonCheck {
        JsonCheck { load, message, ..JsonCheck::empty(file, why.word(), settings) }
    }

    /// A check that had to be ended from outside before it could tell anything.
    pub fn broken_off(
        file: &str,
        reason: CutReason,
        words: &str,
        settings: &Settings,
        elapsed: Duration,
    ) -> JsonCheck {
        let (reason, message) = (reason_word(reason), words.to_owned());
        JsonCheck {
            cuts: vec![JsonCut { reason, place: None, message, count: 1 }],
            seconds: elapsed.as_secs_f64(),
            ..JsonCheck::empty(file, "no_error_found", settings)
        }
    }

    /// The same for people.
    pub fn broken_off_text(&self) -> String {
        let file = visible(&self.model);
        let mut out =
            format!("no error found, but the check is incomplete   {file}\nincomplete because:\n");
        for cut in &self.cuts {
            out += &format!("  - {}\n", visible(&cut.message));
        }
        out
    }

    /// Nothing is known but the file.
    fn empty(file: &str, verdict: &'static str, settings: &Settings) -> JsonCheck {
        JsonCheck {
            schema: 1,
            model: file.to_owned(),
            verdict,
            complete: false,
            cuts: Vec::new(),
            // What is known of the scope without the model.
            scope: JsonScope {
                sets: Vec::new(),
                maxint: settings.max_int,
                minint: settings.min_int,
                integer_bounds_matter: false,
                checks_left_out: Vec::new(),
                proofs_believed: 0,
            },
            finding: None,
            findings: Vec::new(),
            counts: JsonCounts::default(),
            seconds: 0.0,
            peak_memory_bytes: None,
            bytes_per_state: None,
            message: String::new(),
            cpu_seconds: None,
            search: String::new(),
            conflict: Vec::new(),
            load: None,
            resumed: None,
            troubles: Vec::new(),
            stats: None,
            symmetry: None,
            partial_order: None,
            provers: Vec::new(),
            contradicted: None,
            wrongly_skipped: None,
            observations: Vec::new(),
            symbolic: None,
            refinement: None,
        }
    }
}
