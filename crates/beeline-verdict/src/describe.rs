//! A finding in words.

use beeline_compile::{Check, Fault, FaultKind, System};
use beeline_explore::{Finding, FindingKind};
use beeline_model::ConjunctId;
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
        FindingKind::Violated(ConjunctId::Invariant(_)) => "invariant",
        FindingKind::Violated(ConjunctId::Assertion(_)) => "assertion",
        FindingKind::Deadlock => "deadlock",
        FindingKind::NoInitialState => "no_initial_state",
        FindingKind::Goal => "goal",
        FindingKind::Undefined(_, f)
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

fn check_name(check: &Check) -> String {
    check.label.clone().unwrap_or_else(|| check.id.number().to_string())
}

/// A blank and the label, if its author gave it one.
fn labelled(check: &Check) -> String {
    check.label.as_ref().map_or(String::new(), |label| format!(" {label}"))
}

pub(crate) fn describe(system: &System, finding: &Finding) -> Described {
    let kind = kind_word(&finding.kind);
    let told = |name: String, message: String, span| Described { kind, name, message, span };
    let undefined = |what: &str, name: String, fault: &Fault| {
        told(name, format!("{what} is not well-defined: {}", fault.words), fault.span)
    };
    match &finding.kind {
        FindingKind::Violated(id) => {
            let check = system.check(*id);
            let message = match (id, labelled(check)) {
                (ConjunctId::Invariant(_), label) => format!("the invariant{label} is violated"),
                (_, label) if label.is_empty() => "an assertion is false".to_owned(),
                (_, label) => format!("the assertion{label} is false"),
            };
            told(check_name(check), message, check.span)
        }
        FindingKind::Undefined(id, f) => {
            let what = match id {
                ConjunctId::Invariant(_) => "the invariant",
                ConjunctId::Assertion(_) => "an assertion",
            };
            undefined(what, check_name(system.check(*id)), f)
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
            let operation = f.operation.map(|o| system.operation(o));
            let (name, call) = match operation {
                None => (String::new(), "an operation".to_owned()),
                Some(o) => {
                    let values = o.parameters.iter().zip(&f.arguments.0);
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
