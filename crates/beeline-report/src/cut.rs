//! What was left out, for programs.

use beeline_compile::CutReason;
use beeline_explore::CutNote;
use beeline_source::SourceMap;
use serde::Serialize;

/// Something that was left out.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonCut {
    pub reason: &'static str,
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub message: String,
    pub count: u64,
}

impl JsonCut {
    /// What was left out, with its place in these files.
    pub fn of(cut: &CutNote, sources: &SourceMap) -> JsonCut {
        let place = sources.place(cut.span);
        JsonCut {
            reason: reason_word(cut.reason),
            place: place.map(|(file, at)| format!("{}:{}:{}", file.name, at.line, at.column)),
            message: cut.words.clone(),
            count: cut.count,
        }
    }
}

/// The word for a reason in machine output.
pub(crate) fn reason_word(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Constants => "constants",
        CutReason::InitialStates => "initial_states",
        CutReason::LargeSet => "large_set",
        CutReason::EvaluationSteps => "evaluation_time",
        CutReason::Time => "time",
        CutReason::States => "states",
        CutReason::Depth => "depth",
        CutReason::Memory => "memory",
        CutReason::Disk => "disk",
        CutReason::Ignored => "ignored",
        CutReason::HashCompaction => "hash_compaction",
        CutReason::SymmetryMarker => "symmetry_marker",
        CutReason::Unsupported => "unsupported",
        CutReason::SkippedError => "skipped_error",
        CutReason::WorkerLost => "worker_lost",
        CutReason::Interrupted => "interrupted",
        CutReason::NotChecked => "not_checked",
    }
}
