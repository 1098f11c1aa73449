//! One state of the product: where it can go, and what is wrong there.

use crate::Mode;
use crate::abstraction::Memory;
use crate::both::Both;
use crate::faults::{fault, not_followed, of_abstraction};
use crate::glue::Glued;
use beeline_compile::{
    Answer, ConstantsRef, Cut, Fault, Flow, OperationIndex, PredId, Scratch, StateRef, Step, System,
};
use beeline_model::Promise;
use beeline_source::Span;
use beeline_value::Val;
use rustc_hash::FxHashSet;

/// Which steps are asked for, and who hears of each operation that is done.
pub(crate) struct Wanted<'w> {
    pub only: Option<OperationIndex>,
    pub done: &'w mut dyn FnMut(OperationIndex),
}

/// What one expansion needs.
pub(crate) struct Parts {
    /// For steps of the refinement.
    pub run: Scratch,
    /// For everything that is asked meanwhile.
    pub aside: Scratch,
    pub memory: Memory,
    words: Vec<u32>,
    pair: Vec<u32>,
    target: Vec<u32>,
    label: Vec<u32>,
    preds: Vec<PredId>,
}

impl Parts {
    pub fn new(system: &System) -> Parts {
        Parts {
            run: system.scratch(),
            aside: system.scratch(),
            memory: Memory::default(),
            words: Vec::new(),
            pair: Vec::new(),
            target: Vec::new(),
            label: Vec::new(),
            preds: Vec::new(),
        }
    }
}

/// What is common to all operations of one state.
pub(crate) struct From<'s> {
    pub constants: ConstantsRef<'s>,
    /// The set of candidates, and its members.
    pub set: Val,
    pub members: Vec<Val>,
}

/// What was seen of one operation.
#[derive(Default)]
pub(crate) struct Seen {
    pub any: bool,
    /// A fault was noted: one of each kind is enough.
    unmatched: bool,
    /// Arguments and results, where somebody asks what is refused.
    pub labels: FxHashSet<Box<[u32]>>,
}

impl Both<'_> {
    /// All states in which both begin.
    pub(crate) fn begin_states(
        &self,
        constants: ConstantsRef<'_>,
        parts: &mut Parts,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        let mut above = Vec::new();
        let mut seen = FxHashSet::default();
        let mut words = Vec::new();
        self.place(self.system.store().record(Vec::new()), &mut words);
        let begin = OperationIndex(self.begin);
        let mut begun = self.system.successors_of(
            begin,
            constants,
            StateRef(&words),
            &mut parts.run,
            &mut |step| {
                let record = self.record_of(step.target.words());
                if seen.insert(record.raw()) {
                    above.push(record);
                }
                Flow::More
            },
        );
        let failing = std::mem::take(&mut begun.faults);
        failing.iter().for_each(|f| begun.cut(of_abstraction(f)));
        let sure = begun.cuts.is_empty();
        let Parts { run, aside, pair, target, preds, .. } = parts;
        let mut told = Answer::default();
        let mut unmatched = false;
        let mut answer = self.system.initial(constants, run, &mut |state| {
            let concrete = &state.words()[..self.concrete];
            let mut glued = Glued { both: self, constants, before: None, pair, preds, aside };
            let fitting = glued.fitting(concrete, &above, &mut told);
            if fitting.is_empty() {
                if sure && !std::mem::replace(&mut unmatched, true) {
                    told.fault(fault(None, Span::NONE, Promise::Simulation, Vec::new()));
                }
                return Flow::More;
            }
            self.state(concrete, fitting, target);
            sink(StateRef(target))
        });
        if !self.simulates() {
            std::mem::take(&mut answer.faults).iter().for_each(|f| answer.cut(not_followed(f)));
        }
        told.faults.into_iter().for_each(|f| answer.fault(f));
        begun.cuts.into_iter().chain(told.cuts).for_each(|c| answer.cut(c));
        answer
    }

    /// The words of a state of the product.
    fn state(&self, concrete: &[u32], candidates: Vec<Val>, target: &mut Vec<u32>) {
        target.clear();
        target.extend_from_slice(concrete);
        target.resize(self.concrete + self.kept.len(), Val::EMPTY.raw());
        let store = self.system.store();
        let set = match candidates.as_slice() {
            [one] => store.singleton(*one),
            _ => store.set(candidates),
        };
        target.push(set.raw());
    }

    /// All steps from a state.
    pub(crate) fn expand(
        &self,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        parts: &mut Parts,
        wanted: Wanted<'_>,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let last = state.len() - 1;
        let from =
            From { constants, set: Val::from_raw(state[last]), members: self.members(state[last]) };
        let mut answer = Answer::default();
        let Some(first) = from.members.first() else { return answer };
        parts.memory.turn_to(constants);
        let mut words = std::mem::take(&mut parts.words);
        words.clear();
        words.extend_from_slice(&state.words()[..self.concrete]);
        self.fields(*first, &mut words);
        words.push(Val::EMPTY.raw());
        let mut any = false;
        for index in 0..self.operations.len() {
            if wanted.only.is_some_and(|only| only.0 != index) {
                continue;
            }
            let seen = self.operation_steps(index, &from, &words, parts, &mut answer, sink);
            any |= seen.any;
            self.forbidden(index, &from, &mut words, parts, &mut answer);
            if self.options.mode == Mode::Failures {
                self.refused(index, &from, &seen, parts, &mut answer);
            }
            (wanted.done)(OperationIndex(index));
            if answer.stopped {
                break;
            }
        }
        if self.options.enabledness && !any && wanted.only.is_none() && !answer.stopped {
            self.stuck(&from, parts, &mut answer);
        }
        parts.words = words;
        answer
    }

    /// The steps of one operation, each matched.
    fn operation_steps(
        &self,
        index: usize,
        from: &From<'_>,
        words: &[u32],
        parts: &mut Parts,
        answer: &mut Answer,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Seen {
        let matched = &self.operations[index];
        let Parts { run, aside, memory, pair, target, label, preds, .. } = parts;
        let mut seen = Seen::default();
        let mut told = Answer::default();
        let mut targets: Vec<Val> = Vec::new();
        let owed = |arguments: &[u32], memory: &mut Memory, aside: &mut _| {
            let Some(allowed) = matched.allowed else { return true };
            let others = from.members.iter().skip(1);
            others.into_iter().all(|m| memory.steps(self, *m, allowed, aside).has(arguments))
        };
        let ran = self.system.successors_of(
            OperationIndex(index),
            from.constants,
            StateRef(words),
            run,
            &mut |step| {
                seen.any = true;
                if !owed(step.arguments.words(), memory, aside) {
                    return Flow::More;
                }
                label.clear();
                if matched.labelled {
                    label.extend(step.arguments.iter().chain(step.results.iter().copied()));
                }
                if self.options.mode == Mode::Failures {
                    seen.labels.insert(label.as_slice().into());
                }
                let concrete = &step.target.words()[..self.concrete];
                let before = told.cuts.len();
                let mut glued = Glued {
                    both: self,
                    constants: from.constants,
                    before: Some(words),
                    pair,
                    preds,
                    aside,
                };
                let mut cut = false;
                let fitting = match matched.step {
                    None => glued.fitting(concrete, &from.members, &mut told),
                    Some(above) => {
                        let members = (from.set, from.members.as_slice());
                        targets.clear();
                        let mut tell = |faults: &[Fault], cuts: &[Cut]| {
                            faults.iter().for_each(|f| told.cut(of_abstraction(f)));
                            cuts.iter().for_each(|c| told.cut(c.clone()));
                            cut = !(cuts.is_empty() && faults.is_empty());
                        };
                        let listed = label.iter().all(|w| !Val::from_raw(*w).is_opaque());
                        if let ([only], true) = (from.members.as_slice(), listed) {
                            let steps = memory.steps(self, *only, above, glued.aside);
                            targets.extend(steps.targets(label));
                            tell(&steps.faults, &steps.cuts);
                        } else {
                            let after = memory.after(self, members, above, label, glued.aside);
                            targets.extend_from_slice(&after.targets);
                            tell(&after.faults, &after.cuts);
                        }
                        glued.fitting(concrete, &targets, &mut told)
                    }
                };
                cut |= told.cuts.len() > before;
                if fitting.is_empty() {
                    // Among what was left out there may be one that fits.
                    if !cut && !std::mem::replace(&mut seen.unmatched, true) {
                        let arguments = step.arguments.words().to_vec();
                        told.fault(fault(
                            Some(index),
                            self.span_of(index),
                            Promise::Simulation,
                            arguments,
                        ));
                    }
                    return Flow::More;
                }
                self.state(concrete, fitting, target);
                sink(Step { target: StateRef(target), ..step })
            },
        );
        for mut found in ran.faults {
            let count = self.system.operation(OperationIndex(index)).parameters.len();
            if found.arguments.0.len() == count && !owed(&found.arguments.0, memory, aside) {
                continue;
            }
            if !self.simulates() {
                answer.cut(not_followed(&found));
                continue;
            }
            // Its precondition is part of what is run: what fails there is not the refinement's fault.
            let above = matched.allowed.into_iter().chain(matched.step);
            let same = |f: &Fault| (f.kind, f.span) == (found.kind, found.span);
            let theirs = above.into_iter().any(|operation| {
                let first = from.members.first();
                first.is_some_and(|m| {
                    memory.steps(self, *m, operation, aside).faults.iter().any(same)
                })
            });
            match theirs {
                true => answer.cut(of_abstraction(&found)),
                false => {
                    found.operation = Some(OperationIndex(index));
                    answer.fault(found);
                }
            }
        }
        told.faults.into_iter().for_each(|f| answer.fault(f));
        ran.cuts.into_iter().chain(told.cuts).for_each(|c| answer.cut(c));
        answer.stopped |= ran.stopped;
        seen
    }
}
