//! Builds a [`System`]: what is to be in it is said first, and then nothing changes any more.
//!
//! A model alone makes a system. Over that come what is looked for, what somebody proved, which
//! valuations of the constants stand for others, and formulas that are to be evaluated. This module
//! does not know who wants them.

use super::build::{build, extend, prover};
use super::{ExprId, PredId, System};
use crate::breaking::Breaking;
use crate::compiler::distance::Target;
use crate::error::CompileError;
use crate::settings::Settings;
use beeline_model::{ConjunctId, Expr, Model, Pred, Preserved, SetId};

/// A system in the making. Whoever calls it has the model, always the same one.
pub struct Builder {
    system: System,
}

impl Builder {
    /// Begins with what the model says.
    pub fn new(model: &Model, settings: &Settings) -> Result<Builder, Vec<CompileError>> {
        let system = stacker::maybe_grow(64 << 20, 128 << 20, || build(model, settings))?;
        Ok(Builder { system })
    }

    /// Looks for this in place of the model's own goal; for nothing if there is nothing.
    pub fn goal(&mut self, model: &Model, goal: Option<&Pred>) -> Result<(), Vec<CompileError>> {
        self.system.signature.goal = goal.map(|goal| self.pred(model, goal)).transpose()?;
        Ok(())
    }

    /// How far a state is from what is looked for.
    pub fn target(&mut self, model: &Model, target: &Target) -> Result<(), Vec<CompileError>> {
        let distance = extend(&mut self.system, model, |cx| target.compile(cx))?;
        self.system.target = Some(distance);
        self.system.signature.has_target = true;
        Ok(())
    }

    /// What somebody else proved about the model: what operations preserve, and what is always true.
    pub fn proofs(
        &mut self,
        model: &Model,
        name: &'static str,
        preserved: &[Preserved],
        always: &[ConjunctId],
    ) {
        self.system.signature.provers.extend(prover(model.concrete(), name, preserved, always));
    }

    /// Of valuations of the constants that differ only by a renaming of elements of these sets, one
    /// stands for the others. Are there any rules for that?
    pub fn break_symmetry(&mut self, model: &Model, sets: &[SetId]) -> bool {
        self.system.runtime.breaking = Breaking::of(model, sets);
        !self.system.runtime.breaking.is_empty()
    }

    /// Compiles one more predicate.
    pub fn pred(&mut self, model: &Model, pred: &Pred) -> Result<PredId, Vec<CompileError>> {
        let compiled = extend(&mut self.system, model, |cx| cx.pred(pred))?;
        self.system.preds.push(compiled);
        Ok(PredId(self.system.preds.len() - 1))
    }

    /// Compiles one more expression; its value is listed where it can be.
    pub fn expr(&mut self, model: &Model, expr: &Expr) -> Result<ExprId, Vec<CompileError>> {
        let compiled = extend(&mut self.system, model, |cx| cx.kept(expr))?;
        self.system.exprs.push(compiled);
        Ok(ExprId(self.system.exprs.len() - 1))
    }

    /// Compiles many more expressions; those that cannot be compiled are left out.
    pub fn exprs(&mut self, model: &Model, exprs: &[&Expr]) -> Vec<Option<ExprId>> {
        let compiled = extend(&mut self.system, model, |cx| {
            let mut list = Vec::with_capacity(exprs.len());
            for expr in exprs {
                let e = cx.kept(expr);
                list.push(cx.errors.is_empty().then_some(e));
                cx.errors.clear();
            }
            list
        });
        let list = compiled.unwrap_or_default();
        let own = &mut self.system.exprs;
        list.into_iter()
            .map(|e| {
                own.push(e?);
                Some(ExprId(own.len() - 1))
            })
            .collect()
    }

    /// The system as it is by now: for those who ask about one formula after another.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The system.
    pub fn build(self) -> System {
        self.system
    }
}

impl From<System> for Builder {
    /// Goes on from a system that nobody else uses.
    fn from(system: System) -> Builder {
        Builder { system }
    }
}
