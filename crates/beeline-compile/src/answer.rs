//! Why an evaluation ends without a value. What it may say besides one is in `beeline-transition`.

use beeline_source::Span;
use beeline_transition::Arguments;
pub use beeline_transition::{Answer, Cut, CutReason, Fault, FaultKind, Flow, Truth};

/// Why an evaluation ended without a value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The model is at fault.
    Fault(Box<Fault>),
    /// The engine cannot or may not go on.
    Cut(Box<Cut>),
    /// The receiver of solutions wants no more.
    Enough,
}

impl Stop {
    /// A fault.
    pub fn fault(kind: FaultKind, span: Span, words: impl Into<String>) -> Stop {
        Stop::Fault(Box::new(Fault {
            kind,
            span,
            words: words.into(),
            operation: None,
            arguments: Arguments::default(),
        }))
    }

    /// Keeps this beside an earlier stop. What was left out weighs more than what has no meaning:
    /// it might have decided.
    pub(crate) fn join(self, pending: &mut Option<Stop>) {
        match (&*pending, &self) {
            (None, _) | (Some(Stop::Fault(_)), Stop::Cut(_)) => *pending = Some(self),
            _ => {}
        }
    }

    /// Tells an answer.
    pub(crate) fn told(self, answer: &mut Answer) {
        match self {
            Stop::Fault(fault) => answer.fault(*fault),
            Stop::Cut(cut) => answer.cut(*cut),
            Stop::Enough => answer.stopped = true,
        }
    }

    /// A cut.
    pub fn cut(reason: CutReason, span: Span, words: impl Into<String>) -> Stop {
        Stop::Cut(Box::new(Cut { reason, span, words: words.into() }))
    }
}
