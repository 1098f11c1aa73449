//! From a model to a product that can be searched: the pair is made and compiled.

use crate::levels::Levels;
use crate::pair::{Matched, pair};
use crate::product::Product;
use crate::{Mode, Options};
use beeline_compile::{CompileError, CutReason, Settings, System};
use beeline_explore::Cuts;
use beeline_model::Model;

/// Two levels, compiled together.
pub struct Prepared {
    /// The levels.
    pub levels: Levels,
    /// How they are compared.
    pub options: Options,
    /// Both, compiled.
    pub system: System,
    operations: Vec<Matched>,
    begin: usize,
    concrete: usize,
    kept: Vec<Option<usize>>,
}

/// Compiles the level after `upper` together with it. Nothing if there is no such level.
pub fn prepare(
    model: &Model,
    upper: usize,
    settings: &Settings,
    options: Options,
) -> Option<Result<Prepared, Vec<CompileError>>> {
    let levels = Levels::of(model, upper, options.mode)?;
    let pair = pair(&levels, &options);
    Some(System::compile(&pair.model, settings).map(|system| Prepared {
        levels,
        options,
        system,
        operations: pair.operations,
        begin: pair.begin,
        concrete: pair.concrete,
        kept: pair.kept,
    }))
}

impl Prepared {
    /// The transition system that is searched.
    pub fn product(&self) -> Product<'_> {
        let operations = (self.operations.as_slice(), self.begin);
        Product::new(
            &self.system,
            &self.levels,
            self.options,
            operations,
            (self.concrete, &self.kept),
        )
    }

    /// Variables of the refinement come first in a state, so many.
    pub(crate) fn concrete_variables(&self) -> usize {
        self.concrete
    }

    /// What of the refinement nobody looks at.
    pub(crate) fn note_unchecked(&self, cuts: &mut Cuts) {
        let levels = &self.levels;
        if self.options.mode == Mode::Simulation {
            for conjunct in &levels.beyond {
                let words = "not checked: a gluing invariant about variables of neither machine";
                cuts.note(CutReason::NotChecked, conjunct.span, words, 1);
            }
            for span in levels
                .operations
                .iter()
                .filter_map(|o| o.1)
                .flat_map(|above| levels.abstraction.operation(above).lost_preconditions.iter())
            {
                let words = "not checked: a precondition about variables of a machine further up";
                cuts.note(CutReason::NotChecked, *span, words, 1);
            }
        }
        if self.options.mode != Mode::Trace {
            for id in self.missing() {
                let operation = levels.abstraction.operation(id);
                let words = format!(
                    "not refined: the operation {} of {} is missing in {}",
                    operation.name,
                    levels.abstract_name(),
                    levels.concrete_name()
                );
                cuts.note(CutReason::NotChecked, operation.span, &words, 1);
            }
        }
    }

    /// Operations of the abstraction that nothing refines. An event may be left out: it is as if its guard
    /// were false.
    fn missing(&self) -> Vec<beeline_model::OperationId> {
        let above = self.levels.abstraction.concrete();
        if self.levels.abstraction.component(above.component).keyword == "SYSTEM" {
            return Vec::new();
        }
        let refined = |id| self.levels.operations.iter().any(|(_, above)| *above == Some(id));
        above.operations.iter().copied().filter(|id| !refined(*id)).collect()
    }
}
