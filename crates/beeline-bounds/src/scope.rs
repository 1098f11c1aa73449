//! Is the scope too small for what the model says? Of `MAXINT` and `MININT` that can be told.

use crate::analysis::Analysis;
use crate::domain::{Atom, Value};
use crate::predicate::{Bound, Bounds};
use beeline_model::Model;
use beeline_source::{Code, Diagnostic, Span};

/// Warns of each name that has no value only because `MAXINT` or `MININT` is what it is.
///
/// What the predicates say is compared with what they would say if both were far enough away: where
/// only the scope makes them contradict each other, the names that lie beyond it are told.
pub fn narrow_scope(model: &Model, min_int: i64, max_int: i64) -> Vec<Diagnostic> {
    let tight = Bounds::of(&Analysis::new(model, min_int, max_int));
    let free = Bounds::of(&Analysis::unbounded(model, min_int, max_int));
    let mut found = Vec::new();
    let mut tell = |bounds: &[Bound]| {
        let told = bounds.iter().flat_map(|b| warnings(model, b, min_int, max_int));
        found.extend(told);
    };
    if tight.no_constants && !free.no_constants {
        tell(&free.constants);
    } else if tight.no_states && !free.no_states {
        tell(&free.variables);
        tell(&free.constants);
    } else {
        for (tight, free) in tight.operations.iter().zip(&free.operations) {
            if tight.never && !free.never {
                tell(&free.parameters);
            }
        }
    }
    found
}

/// What a name says of either end of the scope: a set may lie beyond both.
fn warnings(model: &Model, bound: &Bound, min_int: i64, max_int: i64) -> Vec<Diagnostic> {
    let (least, greatest) = ends(&bound.value);
    let over = least.filter(|n| *n > max_int.into());
    let under = greatest.filter(|n| *n < min_int.into());
    let ends = [
        ("MAXINT", max_int, "--maxint", "least", over),
        ("MININT", min_int, "--minint", "most", under),
    ];
    let told = ends.into_iter().filter_map(|(word, scope, option, side, needed)| {
        let needed = needed?;
        let name = bound.name.text(model);
        let span = bound.because.first().map_or(Span::NONE, |r| r.span);
        let message = match bound.value {
            Value::Int(_) => {
                format!("{word} is {scope}, but `{name}` has to be at {side} {needed}")
            }
            _ => format!("{word} is {scope}, but `{name}` has to contain {needed}"),
        };
        let help = format!("use {option} {needed}, or define SET_PREF_{word} == {needed}");
        Some(Diagnostic::new(Code::NARROW_INTEGERS, span, message).help(help))
    });
    told.collect()
}

/// How far a value surely goes: it, or something in it, is at least and at most so much.
fn ends(value: &Value) -> (Option<i128>, Option<i128>) {
    match value {
        Value::Int(ints) => (ints.low(), ints.high()),
        Value::Set(set) => {
            let mut ints = Vec::new();
            set.must.iter().for_each(|atom| gather(atom, &mut ints));
            (ints.iter().max().copied(), ints.iter().min().copied())
        }
        _ => (None, None),
    }
}

fn gather(atom: &Atom, ints: &mut Vec<i128>) {
    match atom {
        Atom::Int(n) => ints.push(*n),
        Atom::Pair(pair) => {
            gather(&pair.0, ints);
            gather(&pair.1, ints);
        }
        _ => {}
    }
}
