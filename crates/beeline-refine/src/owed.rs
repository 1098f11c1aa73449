//! What a refinement owes beside its steps: calls that it must allow, steps that it may not refuse.

use crate::both::Both;
use crate::expand::{From, Parts, Seen};
use crate::faults::{fault, of_abstraction};
use beeline_compile::{Answer, Fault, Flow, OperationIndex, StateRef};
use beeline_model::Promise;
use beeline_source::Span;
use beeline_value::Val;
use rustc_hash::FxHashSet;

impl Both<'_> {
    /// Calls that the abstraction allows in each candidate, and the refinement does not.
    pub fn forbidden(
        &self,
        index: usize,
        from: &From<'_>,
        words: &mut [u32],
        parts: &mut Parts,
        answer: &mut Answer,
    ) {
        let Some(broken) = self.operations[index].broken else { return };
        let mut common: Option<Vec<Vec<u32>>> = None;
        for member in &from.members {
            let mut fields = Vec::new();
            self.fields(*member, &mut fields);
            words[self.concrete..self.concrete + fields.len()].copy_from_slice(&fields);
            let mut here: Vec<Vec<u32>> = Vec::new();
            let mut unique = FxHashSet::default();
            let told = self.system.successors_of(
                OperationIndex(broken),
                from.constants,
                StateRef(words),
                &mut parts.run,
                &mut |step| {
                    if unique.insert(step.arguments.words().to_vec()) {
                        here.push(step.arguments.words().to_vec());
                    }
                    Flow::More
                },
            );
            told.cuts.into_iter().for_each(|c| answer.cut(c));
            for fault in &told.faults {
                let same = |f: &Fault| (f.kind, f.span) == (fault.kind, fault.span);
                if !answer.faults.iter().any(same) {
                    answer.cut(of_abstraction(fault));
                }
            }
            common = Some(match common {
                None => here,
                Some(list) => list.into_iter().filter(|a| unique.contains(a)).collect(),
            });
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        // The state is as it was: the first candidate beside it.
        if let Some(first) = from.members.first() {
            let mut fields = Vec::new();
            self.fields(*first, &mut fields);
            words[self.concrete..self.concrete + fields.len()].copy_from_slice(&fields);
        }
        if let Some(arguments) = common.and_then(|list| list.into_iter().next()) {
            let kind = Promise::RefinedPrecondition;
            answer.fault(fault(Some(index), self.span_of(index), kind, arguments));
        }
    }

    /// What each candidate can do with an operation, and the refinement cannot.
    pub fn refused(
        &self,
        index: usize,
        from: &From<'_>,
        seen: &Seen,
        parts: &mut Parts,
        answer: &mut Answer,
    ) {
        let (Some(above), Some(first)) = (self.operations[index].step, from.members.first()) else {
            return;
        };
        let Parts { aside, memory, .. } = parts;
        let offered = memory.steps(self, *first, above, aside);
        offered.cuts.iter().for_each(|c| answer.cut(c.clone()));
        for label in offered.labels() {
            let mut others = from.members.iter().skip(1);
            if seen.labels.contains(label)
                || !others.all(|m| memory.steps(self, *m, above, aside).has(label))
            {
                continue;
            }
            let count = self.system.operation(OperationIndex(index)).parameters.len();
            let arguments = label.iter().copied().take(count).collect();
            answer.fault(fault(Some(index), self.span_of(index), Promise::Refusal, arguments));
            return;
        }
    }

    /// The refinement has no step: must it have one?
    pub fn stuck(&self, from: &From<'_>, parts: &mut Parts, answer: &mut Answer) {
        let Parts { aside, memory, .. } = parts;
        let steps: Vec<usize> = self.operations.iter().filter_map(|m| m.step).collect();
        let live =
            |member: &Val| steps.iter().any(|s| !memory.steps(self, *member, *s, aside).is_empty());
        if answer.cuts.is_empty() && from.members.iter().all(live) {
            answer.fault(fault(None, Span::NONE, Promise::Enabledness, Vec::new()));
        }
    }
}
