//! Results of operations that the general engine executes, remembered by what they read.
//!
//! An operation sees a state only through the variables that it reads, and changes only those that
//! it writes. Where these bits of a row were met before, the new bits are known. Whether that is
//! worth it is measured: an operation that is cheap, or seldom meets the same bits again, is left
//! alone. The results are those that the engine gave; this module does not know what they mean.

use crate::layout::Layout;
use beeline_compile::System;
use beeline_fault::{Flaw, planted};
use beeline_model::{
    Expr, ExprKind, ExternalId, Mentions, Model, OperationId, Place, Subst, SubstKind, VariableId,
    visit_subst,
};
use beeline_transition::{ArgumentsRef, OperationIndex, Row, RowRef};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// Evaluations that are timed before anything is decided.
const TRIAL: u64 = 32;
/// What takes less on average is not remembered.
const CHEAP: Duration = Duration::from_nanos(700);
/// So often it is looked whether remembering is worth it: one in three must be met again.
const REVIEW: u64 = 2048;
/// Words that are remembered of one operation, at most.
const ROOM: usize = 1 << 19;

/// The bits of a row that an operation looks at, and those that it may change.
pub(crate) struct Projection {
    looks: Vec<(usize, u32)>,
    changes: Vec<(usize, u32)>,
    /// So many arguments are remembered with each result.
    arguments: usize,
}

impl Projection {
    /// Of an operation; nothing if more than the state decides what it does.
    pub fn of(
        model: &Model,
        system: &System,
        layout: &Layout,
        operation: OperationIndex,
    ) -> Option<Projection> {
        let looks = looks(model, system, operation)?;
        let label = system.signature().operation(operation);
        let (looks, changes) = (layout.mask(&looks), layout.mask(&label.writes));
        Some(Projection { looks, changes, arguments: 0 })
    }

    /// The same, with the arguments of each result.
    pub fn with_arguments(self, system: &System, operation: OperationIndex) -> Projection {
        let arguments = system.operation(operation).parameters.len();
        Projection { arguments, ..self }
    }

    /// The arguments that led to a result.
    pub fn arguments<'r>(&self, result: &'r [u32]) -> ArgumentsRef<'r> {
        ArgumentsRef(&result[self.changes.len()..])
    }

    /// The row that a remembered result leads to.
    pub fn applied(&self, row: RowRef<'_>, result: &[u32], Row(target): &mut Row) {
        target.clear();
        target.extend_from_slice(row.words());
        // All other bits come from the row at hand, not from the one that was met first.
        for ((half, mask), bits) in self.changes.iter().zip(result) {
            target[*half] = target[*half] & !mask | bits;
        }
    }

    /// Adds what is to be remembered of a step.
    pub fn record(&self, target: RowRef<'_>, arguments: ArgumentsRef<'_>, results: &mut Vec<u32>) {
        // A step that changes nothing is a step.
        results.push(0);
        results.extend(self.changes.iter().map(|(half, mask)| target[*half] & mask));
        results.extend(arguments.iter().take(self.arguments));
    }

    /// The results one by one.
    pub fn each<'r>(&self, results: &'r [u32]) -> impl Iterator<Item = &'r [u32]> {
        let size = 1 + self.changes.len() + self.arguments;
        results.chunks_exact(size).map(|result| &result[1..])
    }
}

/// The variables that decide what an operation does, and what it leaves as it is; nothing if more than the
/// state does.
pub(crate) fn looks(
    model: &Model,
    system: &System,
    operation: OperationIndex,
) -> Option<Vec<usize>> {
    let row = model.operation(system.operation(operation).id);
    let label = system.signature().operation(operation);
    let mut other = Other(false, Vec::new(), model);
    visit_subst(&row.body, &mut other);
    // The key is bits of the state: a result that depends on anything else must not be found by
    // it.
    if other.0 {
        return None;
    }
    // A variable that keeps its value on some way is a part of the result there.
    let sure = surely_written(&row.body);
    let kept = row.writes.iter().filter(|v| !sure.contains(v));
    let slots = |v: &VariableId| system.variables().iter().position(|s| s.id == *v);
    // What it may leave as it is belongs to what it looks at.
    let looks: BTreeSet<usize> =
        label.reads.iter().copied().chain(kept.filter_map(slots)).collect();
    Some(looks.into_iter().collect())
}

/// Does it use what is not a function of the state?
struct Other<'m>(bool, Vec<OperationId>, &'m Model);

impl Mentions for Other<'_> {
    fn enter(&mut self, e: &Expr) -> bool {
        self.0 |= matches!(e.kind, ExprKind::External(..));
        true
    }

    fn external(&mut self, _: ExternalId, _: &[Expr]) {
        self.0 = true;
    }

    fn calls(&mut self, operation: OperationId) {
        // Each once: what operations call may be a deep tree with few different nodes.
        if !self.1.contains(&operation) {
            self.1.push(operation);
            let model = self.2;
            visit_subst(&model.operation(operation).body, self);
        }
    }
}

/// Variables whose old value is lost whenever the substitution comes to an end.
fn surely_written(s: &Subst) -> BTreeSet<VariableId> {
    let common = |parts: &mut dyn Iterator<Item = &Subst>| {
        let first = parts.next().map(surely_written).unwrap_or_default();
        parts.fold(first, |all, part| &all & &surely_written(part))
    };
    let variable = |place: &Place| match place {
        Place::Variable(v) => Some(*v),
        _ => None,
    };
    match &s.kind {
        SubstKind::Assign(parts) => {
            // `f(x) := e` keeps the rest of `f`, which so is a part of what is looked at.
            let whole = parts.iter().filter(|a| a.target.path.is_empty());
            whole.filter_map(|a| variable(&a.target.place)).collect()
        }
        SubstKind::BecomesElement(places, _) => places.iter().filter_map(variable).collect(),
        SubstKind::Pre(_, s)
        | SubstKind::Assert(_, _, s)
        | SubstKind::Any(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s) => surely_written(s),
        SubstKind::Choice(parts) => common(&mut parts.iter()),
        SubstKind::Select(branches, otherwise) => {
            common(&mut branches.iter().map(|b| &b.1).chain(otherwise.as_deref()))
        }
        // Without ELSE there is a way through on which nothing is written.
        SubstKind::If(branches, Some(otherwise)) => {
            common(&mut branches.iter().map(|b| &b.1).chain([&**otherwise]))
        }
        SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
            parts.iter().flat_map(surely_written).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// What a worker remembers of one operation.
#[derive(Default)]
pub(crate) struct Memo {
    phase: Phase,
    /// In this phase.
    tries: u64,
    hits: u64,
    spent: Duration,
    results: FxHashMap<Box<[u32]>, Box<[u32]>>,
    words: usize,
    /// In all, since somebody asked.
    pub looked: u64,
    pub met: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    /// Its cost is measured.
    #[default]
    Trial,
    On,
    Off,
}

impl Memo {
    /// One that remembers from the beginning, whatever that costs.
    pub fn early() -> Memo {
        Memo { phase: Phase::On, ..Memo::default() }
    }

    /// Is the next evaluation to be timed?
    pub fn is_timed(&self) -> bool {
        self.phase == Phase::Trial
    }

    /// Hears what an evaluation took.
    pub fn took(&mut self, time: Duration) {
        self.spent += time;
        self.tries += 1;
        // Time decides only how results are come by, never what they are.
        if self.tries == TRIAL {
            self.phase = if self.spent < CHEAP * TRIAL as u32 { Phase::Off } else { Phase::On };
            self.tries = 0;
        }
    }

    /// What is known for a row, or `Err` with whether the result is to be remembered; the key is
    /// in `key` then. `under` stands for what else decides: set-up and plan.
    pub fn look(
        &mut self,
        projection: &Projection,
        under: usize,
        row: RowRef<'_>,
        key: &mut Vec<u32>,
    ) -> Result<&[u32], bool> {
        if planted(Flaw::MemoKey) || planted(Flaw::MemoSetup) {
            self.phase = Phase::On;
        }
        if self.phase != Phase::On {
            return Err(false);
        }
        self.tries += 1;
        self.looked += 1;
        if self.tries == REVIEW {
            // Never on again: each look would cost, and nothing says that it would pay later.
            if self.hits * 3 < self.tries {
                self.phase = Phase::Off;
                self.results = FxHashMap::default();
                return Err(false);
            }
            (self.tries, self.hits) = (0, 0);
        }
        key.clear();
        // The same bits mean something else under other constants.
        key.push(if planted(Flaw::MemoSetup) { 0 } else { under as u32 });
        let short = usize::from(planted(Flaw::MemoKey)).min(projection.looks.len());
        let looks = &projection.looks[..projection.looks.len() - short];
        key.extend(looks.iter().map(|(half, mask)| row[*half] & mask));
        match self.results.get(key.as_slice()) {
            Some(results) => {
                self.hits += 1;
                self.met += 1;
                Ok(results)
            }
            None => Err(true),
        }
    }

    /// Remembers results.
    pub fn keep(&mut self, key: &[u32], results: &[u32]) {
        // About as much again is what the map itself takes.
        self.words += key.len() + results.len() + 16;
        // All at once: no age need be kept, and what is in use is back soon.
        if self.words > ROOM {
            self.results.clear();
            self.words = key.len() + results.len() + 16;
        }
        self.results.insert(key.into(), results.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_costly_and_met_again_is_remembered() {
        let projection =
            Projection { looks: vec![(0, 0xFF)], changes: vec![(1, 0xF0)], arguments: 1 };
        let (mut memo, mut key) = (Memo::default(), Vec::new());
        assert_eq!(memo.look(&projection, 0, RowRef(&[7, 0]), &mut key), Err(false));
        for _ in 0..TRIAL {
            assert!(memo.is_timed());
            memo.took(2 * CHEAP);
        }
        // Two steps, one of which changes nothing it may change.
        assert_eq!(memo.look(&projection, 0, RowRef(&[0x107, 0x3C]), &mut key), Err(true));
        let mut results = Vec::new();
        projection.record(RowRef(&[0, 0x5C]), ArgumentsRef(&[41]), &mut results);
        projection.record(RowRef(&[0, 0x3C]), ArgumentsRef(&[42]), &mut results);
        memo.keep(&key, &results);
        // Only the bits it looks at count, and those of the set-up.
        let known =
            memo.look(&projection, 0, RowRef(&[0x207, 0x99]), &mut key).map(<[u32]>::to_vec);
        let known = known.unwrap_or_default();
        let (mut targets, mut arguments) = (Vec::new(), Vec::new());
        for result in projection.each(&known) {
            let mut target = Row::default();
            arguments.extend(projection.arguments(result).iter());
            projection.applied(RowRef(&[0x207, 0x99]), result, &mut target);
            targets.push(target);
        }
        assert_eq!(targets, [Row(vec![0x207, 0x59]), Row(vec![0x207, 0x39])]);
        assert_eq!(arguments, [41, 42]);
        assert_eq!(memo.look(&projection, 1, RowRef(&[0x207, 0x99]), &mut key), Err(true));
        assert_eq!((memo.looked, memo.met), (3, 1));
        // Never met again: not worth it.
        for i in 0..2 * REVIEW as u32 {
            let _ = memo.look(&projection, 2 + i as usize, RowRef(&[0, 0]), &mut key);
        }
        assert_eq!(memo.look(&projection, 0, RowRef(&[0x207, 0x99]), &mut key), Err(false));
    }

    #[test]
    fn what_is_cheap_is_not() {
        let projection = Projection { looks: vec![(0, 1)], changes: Vec::new(), arguments: 0 };
        let mut memo = Memo::default();
        (0..TRIAL).for_each(|_| memo.took(CHEAP / 2));
        assert_eq!(memo.look(&projection, 0, RowRef(&[1]), &mut Vec::new()), Err(false));
        assert!(!memo.is_timed());
    }
}
