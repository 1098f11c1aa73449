//! External functions: what each of the table in `beeline-model` computes.
//!
//! A file for each family, which matches all of it: a new function does not compile until it is
//! here. Nothing looks at anything but arguments, so that equal calls have equal values.

use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::frame::Frame;
use beeline_model::{Echo, LibraryFunction, Remark, TypeId};
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::BigInt;

mod integers;
mod optimum;
mod reals;
mod sets;
mod texts;
mod values;

/// Gets as many arguments as the table says, and their types.
pub(crate) type Function = for<'s> fn(&mut Frame<'s>, &[Val], &[TypeId], Span) -> Result<Val, Stop>;

/// The function that gives the value of a call, or the truth of one as a value of `BOOL`.
pub(crate) fn function(of: LibraryFunction, arguments: usize) -> Option<Function> {
    if !of.takes(arguments) {
        return None;
    }
    Some(match of {
        LibraryFunction::Sets(of) => sets::function(of),
        LibraryFunction::Integers(of) => integers::function(of),
        LibraryFunction::Reals(of) => reals::function(of),
        LibraryFunction::Texts(of) => texts::function(of),
        LibraryFunction::Values(of) => return values::function(of),
        LibraryFunction::Echoes(of) => return echo(of, arguments),
        LibraryFunction::Remarks(of) if is_true(of) => |_, _, _, _| Ok(Val::TRUE),
        LibraryFunction::Remarks(_) => return None,
    })
}

fn echo(of: Echo, arguments: usize) -> Option<Function> {
    let last: Function = |_, a, _, _| Ok(a[a.len() - 1]);
    match of {
        // Several arguments fit as one tuple, of which the last is only a part.
        Echo::Symbolic | Echo::Copy | Echo::Memoize | Echo::Force | Echo::Enumerated => {
            (arguments == 1).then_some(last)
        }
        // They print as well, and their value is what they are given.
        Echo::ObserveFunction | Echo::Print | Echo::PrintToFile | Echo::TracedPrint => Some(last),
    }
}

/// Is it a predicate that is always true? Nothing that it says is about the model.
fn is_true(of: Remark) -> bool {
    match of {
        Remark::Printf
        | Remark::Print
        | Remark::Observe
        | Remark::Debug
        | Remark::Trace
        | Remark::Sleep
        | Remark::See
        | Remark::Enumerate
        | Remark::DoNotEnumerate
        | Remark::CheckDetermined
        | Remark::IsDetermined
        | Remark::IsDeterminedIntoFile
        | Remark::LessEqualSymmetric
        | Remark::MaximizeExpr
        | Remark::MinimizeExpr => true,
        // A substitution, and nothing else.
        Remark::Warning => false,
    }
}

/// Predicates that print or observe, and are true.
pub(crate) fn is_print(of: LibraryFunction) -> bool {
    match of {
        LibraryFunction::Remarks(of) => is_true(of),
        LibraryFunction::Echoes(of) => match of {
            Echo::Force
            | Echo::Enumerated
            | Echo::ObserveFunction
            | Echo::Print
            | Echo::PrintToFile => true,
            Echo::Symbolic | Echo::Copy | Echo::Memoize | Echo::TracedPrint => false,
        },
        LibraryFunction::Sets(_)
        | LibraryFunction::Integers(_)
        | LibraryFunction::Reals(_)
        | LibraryFunction::Texts(_)
        | LibraryFunction::Values(_) => false,
    }
}

pub(crate) fn refused(name: &str, span: Span) -> Stop {
    Stop::cut(
        CutReason::Unsupported,
        span,
        format!("the external function {name} is not supported"),
    )
}

pub(crate) fn int(f: &Frame<'_>, v: Val) -> BigInt {
    f.store.as_big(v).unwrap_or_default()
}

pub(crate) fn real(f: &Frame<'_>, v: Val) -> f64 {
    f.store.as_real(v).unwrap_or(f64::NAN)
}

pub(crate) fn wrong(span: Span, words: &str) -> Stop {
    Stop::fault(FaultKind::External, span, words)
}
