//! What is told of a refinement: promises that it breaks, and failures that leave something unknown.

use beeline_compile::{Arguments, Cut, CutReason, Fault, FaultKind, OperationIndex};
use beeline_model::Promise;
use beeline_source::Span;

/// A promise that the refinement breaks.
pub(crate) fn fault(
    operation: Option<usize>,
    span: Span,
    promise: Promise,
    arguments: Vec<u32>,
) -> Fault {
    Fault {
        kind: FaultKind::Promise(promise),
        span,
        words: promise.broken().to_owned(),
        operation: operation.map(OperationIndex),
        arguments: Arguments(arguments),
    }
}

/// Where the abstraction fails nothing is known of what it allows.
pub(crate) fn of_abstraction(fault: &Fault) -> Cut {
    let words = format!("the abstraction fails, which `beeline check` shows: {}", fault.words);
    Cut { reason: CutReason::SkippedError, span: fault.span, words }
}

/// Traces end where an operation fails.
pub(crate) fn not_followed(fault: &Fault) -> Cut {
    let words = format!("an operation fails, which `beeline check` shows: {}", fault.words);
    Cut { reason: CutReason::SkippedError, span: fault.span, words }
}
