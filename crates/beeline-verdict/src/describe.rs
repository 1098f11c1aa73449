//! A finding in words.

use beeline_compile::{Check, Fault, FaultKind, System};
use beeline_explore::{Finding, FindingKind};
use beeline_source::Span;

/// A finding as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The word in machine output.
    pub kind: &'static str,
    /// The label of a conjunct, or the operation; may be empty.
    pub name: String,
    /// In words.
    pub message: String,
    /// The formula it is about.
    pub span: Span,
}

/// The kind of a finding in machine output.
pub fn kind_word(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::Invariant(_) => "invariant",
        FindingKind::Assertion(_) => "assertion",
        FindingKind::Deadlock => "deadlock",
        FindingKind::NoInitialState => "no_initial_state",
        FindingKind::Goal => "goal",
        FindingKind::InvariantUndefined(_, f)
        | FindingKind::AssertionUndefined(_, f)
        | FindingKind::Operation(f)
        | FindingKind::Initialisation(f)
        | FindingKind::GoalUndefined(f) => fault_word(f.kind),
    }
}

fn fault_word(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Precondition => "precondition",
        FaultKind::Promise(promise) => promise.word(),
        FaultKind::LoopInvariant => "loop_invariant",
        FaultKind::LoopVariant => "loop_variant",
        FaultKind::DoubleAssignment => "double_assignment",
        _ => "well_definedness",
    }
}

fn check_name(check: Option<&Check>, index: usize) -> String {
    check.and_then(|c| c.label.clone()).unwrap_or_else(|| (index + 1).to_string())
}

/// A blank and the label, if its author gave it one.
fn labelled(check: Option<&Check>) -> String {
    check.and_then(|c| c.label.as_ref()).map_or(String::new(), |label| format!(" {label}"))
}

pub(crate) fn describe(system: &System, finding: &Finding) -> Described {
    let invariant = |i: usize| system.invariants().get(i);
    let assertion = |i: usize| system.assertions().get(i);
    let kind = kind_word(&finding.kind);
    let told = |name: String, message: String, span| Described { kind, name, message, span };
    let undefined = |what: &str, name: String, fault: &Fault| {
        told(name, format!("{what} is not well-defined: {}", fault.words), fault.span)
    };
    match &finding.kind {
        FindingKind::Invariant(i) => {
            let span = invariant(*i).map_or(Span::NONE, |c| c.span);
            let message = format!("the invariant{} is violated", labelled(invariant(*i)));
            told(check_name(invariant(*i), *i), message, span)
        }
        FindingKind::Assertion(i) => {
            let span = assertion(*i).map_or(Span::NONE, |c| c.span);
            let message = match labelled(assertion(*i)) {
                label if label.is_empty() => "an assertion is false".to_owned(),
                label => format!("the assertion{label} is false"),
            };
            told(check_name(assertion(*i), *i), message, span)
        }
        FindingKind::InvariantUndefined(i, f) => {
            undefined("the invariant", check_name(invariant(*i), *i), f)
        }
        FindingKind::AssertionUndefined(i, f) => {
            undefined("an assertion", check_name(assertion(*i), *i), f)
        }
        FindingKind::GoalUndefined(f) => undefined("the goal", String::new(), f),
        FindingKind::Deadlock => {
            told(String::new(), "deadlock: no operation is possible".to_owned(), Span::NONE)
        }
        FindingKind::NoInitialState => {
            told(String::new(), "initialisation is not possible".to_owned(), Span::NONE)
        }
        FindingKind::Goal => told(String::new(), "the goal was reached".to_owned(), Span::NONE),
        FindingKind::Initialisation(f) => {
            told("INITIALISATION".to_owned(), format!("initialisation fails: {}", f.words), f.span)
        }
        FindingKind::Operation(f) => {
            let operation = f.operation.and_then(|o| system.operations().get(o));
            let (name, call) = match operation {
                None => (String::new(), "an operation".to_owned()),
                Some(o) => {
                    let values = o.parameters.iter().zip(&f.arguments);
                    let values: Vec<_> = values
                        .map(|((name, ty), w)| format!("{name}={}", system.show(*w, *ty)))
                        .collect();
                    let arguments = if values.is_empty() {
                        String::new()
                    } else {
                        format!("({})", values.join(", "))
                    };
                    (o.name.clone(), format!("{}{arguments}", o.name))
                }
            };
            told(name, format!("{call} fails: {}", f.words), f.span)
        }
    }
}
