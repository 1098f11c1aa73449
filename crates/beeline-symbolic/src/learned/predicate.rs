//! Predicates: where they are true, false, or have no meaning.

use super::{BATCH, Engine, Left, Part, Wrong, add_wrong, take_wrong};
use crate::diagram::bits::Bits;
use crate::diagram::{Diagrams, Halt, Set};
use crate::layout::Layout;
use beeline_explore::FindingKind;
use beeline_transition::{At, Fault, PredId, TransitionSystem, Truth};

/// A predicate as far as it is known.
pub struct Predicate {
    /// Which one.
    pub pred: PredId,
    /// What its falsehood is; nothing where that is no finding.
    violated: Option<FindingKind>,
    /// What its truth is.
    found: Option<FindingKind>,
    /// What it is where it has no meaning.
    undefined: fn(Box<Fault>, Option<&FindingKind>) -> FindingKind,
    /// What it looks at.
    pub looks: Part,
    /// Patterns that are known.
    pub known: Set,
    /// All patterns that can be states are.
    pub whole: bool,
    /// Where it is not true.
    pub untrue: Set,
    /// Where that could not be found out.
    pub unsure: Set,
    /// What was found.
    pub wrong: Vec<Wrong>,
    /// What was left out.
    pub left: Left,
}

impl Predicate {
    /// A check: where it is false, that is a finding.
    pub fn check(pred: PredId, violated: FindingKind, looks: Part) -> Predicate {
        let undefined = |fault, violated: Option<&FindingKind>| match violated {
            Some(FindingKind::Violated(id)) => FindingKind::Undefined(*id, fault),
            _ => FindingKind::GoalUndefined(fault),
        };
        Predicate::new(pred, (Some(violated), None), undefined, looks)
    }

    /// A goal: where it is true, that is a finding.
    pub fn goal(pred: PredId, looks: Part) -> Predicate {
        let undefined = |fault, _: Option<&FindingKind>| FindingKind::GoalUndefined(fault);
        Predicate::new(pred, (None, Some(FindingKind::Goal)), undefined, looks)
    }

    /// One whose truth is no finding.
    pub fn plain(pred: PredId, looks: Part) -> Predicate {
        let undefined = |fault, _: Option<&FindingKind>| FindingKind::GoalUndefined(fault);
        Predicate::new(pred, (None, None), undefined, looks)
    }

    fn new(
        pred: PredId,
        (violated, found): (Option<FindingKind>, Option<FindingKind>),
        undefined: fn(Box<Fault>, Option<&FindingKind>) -> FindingKind,
        looks: Part,
    ) -> Predicate {
        let (known, untrue, unsure) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
        let (whole, wrong, left) = (false, Vec::new(), Vec::new());
        Predicate {
            pred,
            violated,
            found,
            undefined,
            looks,
            known,
            whole,
            untrue,
            unsure,
            wrong,
            left,
        }
    }

    /// What its falsehood is, if it is a finding.
    pub fn violated(&self) -> Option<&FindingKind> {
        self.violated.as_ref()
    }

    /// What its truth is, if it is a finding.
    pub fn found(&self) -> Option<&FindingKind> {
        self.found.as_ref()
    }

    /// All sets that it holds.
    pub fn sets(&self) -> impl Iterator<Item = Set> {
        [self.known, self.untrue, self.unsure].into_iter().chain(self.wrong.iter().map(|w| w.set))
    }

    /// Evaluates the patterns of a set. How many were evaluated?
    pub fn learn<S: TransitionSystem>(
        &mut self,
        fresh: Set,
        engine: &mut Engine<'_, S>,
        (layout, diagrams): (&Layout, &mut Diagrams),
    ) -> Result<u64, Halt> {
        let mut count = 0;
        let mut rest = fresh;
        while !rest.is_empty() {
            let mut batch: Vec<Bits> = Vec::new();
            let _ = diagrams.each(rest, &self.looks.levels, &mut |bits| {
                batch.push(bits.into());
                match batch.len() < BATCH {
                    true => std::ops::ControlFlow::Continue(()),
                    false => std::ops::ControlFlow::Break(()),
                }
            });
            count += batch.len() as u64;
            self.learn_batch(batch, engine, (layout, diagrams))?;
            rest = diagrams.difference(rest, self.known)?;
        }
        Ok(count)
    }

    fn learn_batch<S: TransitionSystem>(
        &mut self,
        batch: Vec<Bits>,
        engine: &mut Engine<'_, S>,
        (layout, diagrams): (&Layout, &mut Diagrams),
    ) -> Result<(), Halt> {
        let (mut untrue, mut unsure, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for pattern in &batch {
            let mut row = engine.template.clone();
            layout.put_all(&mut row.0, &self.looks.positions, pattern);
            let at = At { setup: engine.setup, row: row.view() };
            let mut told = Truth::True;
            engine.system.holds_each(&[self.pred], at, &mut engine.scratch, &mut |_, truth| {
                told = truth;
            });
            engine.evaluated += 1;
            if engine.is_void() {
                return Err(Halt::Stopped);
            }
            if told != Truth::True {
                untrue.push(pattern.clone());
            }
            let kind = match told {
                Truth::True => self.found.clone(),
                Truth::False => self.violated.clone(),
                Truth::Undefined(fault) => Some((self.undefined)(fault, self.violated.as_ref())),
                Truth::Unknown(cut) => {
                    self.left.push((cut.reason, cut.span, cut.words));
                    unsure.push(pattern.clone());
                    None
                }
            };
            if let Some(kind) = kind {
                add_wrong(&mut wrong, kind, pattern);
            }
        }
        let levels = &self.looks.levels;
        let untrue = diagrams.listed(levels, untrue)?;
        self.untrue = diagrams.union(self.untrue, untrue)?;
        let unsure = diagrams.listed(levels, unsure)?;
        self.unsure = diagrams.union(self.unsure, unsure)?;
        take_wrong(&mut self.wrong, wrong, levels, diagrams)?;
        let known = diagrams.listed(levels, batch)?;
        self.known = diagrams.union(self.known, known)?;
        Ok(())
    }
}
