//! The behaviour of a model as a labelled transition system: minimised, compared, read and written.
//!
//! What a state is, nobody sees: only steps count, by their labels. A graph that is not complete is never said
//! to be equal to another one, and is not minimised.

mod crawl;
mod rows;

pub use crawl::INITIALISATION;

use crate::check::{Tier, native};
use crate::error::{CheckError, Error, OptionError};
use crate::scope::{Scope, compile_by};
use crate::specification::Specification;
use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_bisimulation::{
    Comparison, Difference, Graph, Interrupted, Only, Relation, TraceDifference, distinguish,
    has_trace, minimise, trace_difference,
};
use beeline_compile::{CutReason, Policy, PredId};
use beeline_explore::{CutNote, resident_bytes};
use beeline_model::{Formula, Model, Pred};
use beeline_pack::{PackedSystem, Source};
use beeline_source::Span;
use crawl::{Explored, crawl};
use std::sync::atomic::AtomicBool;

/// What a label says of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepLabels {
    /// The name of the operation.
    Names,
    /// The name and the values of the parameters.
    #[default]
    Calls,
    /// The same, with the values of the results.
    Full,
}

/// What is made of a model.
#[derive(Clone, Debug, Default)]
pub struct LtsOptions {
    /// The scope.
    pub scope: Scope,
    /// What labels say.
    pub labels: StepLabels,
    /// Operations whose steps are internal; `INITIALISATION` may be one.
    pub hide: Vec<String>,
    /// Predicates, with their texts, whose truth in a state can be seen: as a step to itself with the text as
    /// its label, in brackets.
    pub observe: Vec<(String, Pred)>,
    /// More states than this are not explored.
    pub max_states: Option<u64>,
    /// How far the engine may go to be fast. Only names of operations come from the fast tiers.
    pub engine: Tier,
}

/// How far an exploration has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LtsProgress {
    /// States that are known.
    pub states: u64,
    /// States that were not expanded yet.
    pub waiting: u64,
    /// Steps that are known.
    pub transitions: u64,
}

/// The behaviour of a model, or of a file that tells of one.
#[derive(Clone, Debug)]
pub struct Lts {
    /// States and labelled steps. The first state of that of a model is the root, from which steps with the
    /// label [`INITIALISATION`] lead to the initial states.
    pub graph: Graph,
    /// What was left out. If there is anything, the graph is only a part.
    pub cuts: Vec<CutNote>,
    /// What was to be internal, and is no operation here.
    pub unknown: Vec<String>,
}

/// A graph in which states that behave alike are one.
#[derive(Clone, Debug)]
pub struct MinimisedLts {
    /// Classes and the steps between them; nothing if something was left out.
    pub graph: Option<Graph>,
    /// Of each class: how many states are in it, and the values of the first one, for so many classes as were
    /// asked for.
    pub classes: Vec<LtsClass>,
    /// States of the whole graph, the root among them.
    pub states: usize,
    /// Steps of the whole graph: those with the same label between the same states count once.
    pub transitions: usize,
    /// What was left out.
    pub cuts: Vec<CutNote>,
    /// What was to be internal, and is no operation here.
    pub unknown: Vec<String>,
}

/// States that behave alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LtsClass {
    /// How many.
    pub states: u64,
    /// Names and values of the one that was found first. The root has none.
    pub example: Vec<(String, String)>,
}

/// When two behaviours are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// They are bisimilar.
    Bisimulation(Relation),
    /// They have the same traces, in which internal steps do not show.
    Traces,
}

/// Whether two behaviours are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LtsVerdict {
    /// They are.
    Same,
    /// This formula is true of the first and false of the second, which a naive evaluation confirmed. Several
    /// lines are definitions, the formula last.
    Formula(Vec<String>),
    /// Only one of them has this trace, as following it confirmed.
    Trace(TraceDifference),
    /// They are not bisimilar, but a formula that says why would be too large to be made.
    LargeFormula,
    /// What was found is not confirmed: a mistake of this program.
    Refuted,
    /// Something was left out, or a limit was reached.
    Incomplete(Vec<CutNote>),
}

impl LtsOptions {
    /// The predicates of formulas that were read beside a specification, for [`LtsOptions::observe`].
    pub fn observed(
        specification: &Specification,
        texts: &[String],
    ) -> Result<Vec<(String, Pred)>, Error> {
        let formulas = specification.formulas().iter().zip(texts);
        let pred = |(formula, text): (&Formula, &String)| match formula {
            Formula::Pred(open, pred) if open.is_empty() => Ok((text.clone(), pred.clone())),
            Formula::Pred(open, _) => {
                let name = open.first().map(|l| specification.model().local(*l).name.to_string());
                Err(OptionError::GoalUnknownName(name.unwrap_or_default()).into())
            }
            Formula::Expr(_) => Err(OptionError::GoalNotPredicate.into()),
        };
        formulas.map(pred).collect()
    }
}

impl Lts {
    /// Explores a model.
    pub fn of(
        specification: &Specification,
        options: &LtsOptions,
        limits: &WorkLimits,
        tell: &dyn Fn(LtsProgress),
    ) -> Result<Lts, Error> {
        let found = explored(specification.model(), options, limits, tell, |explored, _, _| {
            let unknown = unknown(specification.model(), &options.hide);
            Lts { graph: explored.graph, cuts: explored.cuts, unknown }
        });
        found.map_err(|error| error.in_files(specification.sources()))
    }

    /// The part of a graph that can be reached, with steps of these operations internal: of labels the part
    /// before parameters counts.
    pub fn of_graph(graph: Graph, hide: &[String]) -> Lts {
        let has = |name: &&String| graph.labels().iter().any(|label| is_of(label, name));
        let unknown = hide.iter().filter(|name| !has(name)).cloned().collect();
        Lts { graph: hidden(graph, hide).reachable(), cuts: Vec::new(), unknown }
    }
}

impl MinimisedLts {
    /// Explores a model and merges states that behave alike. Of so many classes an example is told.
    pub fn of(
        specification: &Specification,
        options: &LtsOptions,
        relation: Relation,
        limits: &WorkLimits,
        (examples, tell): (usize, &dyn Fn(LtsProgress)),
    ) -> Result<MinimisedLts, Error> {
        let found =
            explored(specification.model(), options, limits, tell, |explored, stop, left| {
                let mut result = merged(explored, relation, stop, left, examples);
                result.unknown = unknown(specification.model(), &options.hide);
                result
            });
        found.map_err(|error| error.in_files(specification.sources()))
    }

    /// Merges states of a graph that was read.
    pub fn of_graph(lts: &Lts, relation: Relation, limits: &WorkLimits) -> MinimisedLts {
        let stop = AtomicBool::new(false);
        let (found, reason) = limits.watch(&stop, || match room(&lts.graph, limits) {
            true => minimise(&lts.graph, relation, &stop),
            false => Err(Interrupted),
        });
        let mut result = MinimisedLts::blank(&lts.graph, lts.cuts.clone());
        result.unknown.clone_from(&lts.unknown);
        match found {
            Ok(small) => {
                let class = |(_, states)| LtsClass { states, example: Vec::new() };
                result.classes = small.members().into_iter().map(class).collect();
                result.graph = Some(small.graph);
            }
            Err(Interrupted) => result.cuts.push(ended(reason.unwrap_or(CutReason::Memory))),
        }
        result
    }

    fn blank(graph: &Graph, cuts: Vec<CutNote>) -> MinimisedLts {
        MinimisedLts {
            graph: None,
            classes: Vec::new(),
            states: graph.states(),
            transitions: graph.transitions(),
            cuts,
            unknown: Vec::new(),
        }
    }
}

/// Merges states of what was explored, unless something was left out.
fn merged(
    explored: Explored<'_>,
    relation: Relation,
    stop: &AtomicBool,
    limits: &WorkLimits,
    examples: usize,
) -> MinimisedLts {
    let mut result = MinimisedLts::blank(&explored.graph, explored.cuts.clone());
    if !result.cuts.is_empty() {
        return result;
    }
    if !room(&explored.graph, limits) {
        result.cuts.push(ended(CutReason::Memory));
        return result;
    }
    // Which limit was reached whoever watches knows.
    let Ok(small) = minimise(&explored.graph, relation, stop) else { return result };
    let members = small.members();
    let few = members.len() <= examples;
    let class = |(first, states): (u32, u64)| LtsClass {
        states,
        example: if few { explored.values(first) } else { Vec::new() },
    };
    result.classes = members.into_iter().map(class).collect();
    result.graph = Some(small.graph);
    result
}

/// Explores a model within limits, and hands what was found to somebody who works under the same limits.
fn explored<T: Limited>(
    model: &Model,
    options: &LtsOptions,
    limits: &WorkLimits,
    tell: &dyn Fn(LtsProgress),
    then: impl FnOnce(Explored<'_>, &AtomicBool, &WorkLimits) -> T,
) -> Result<T, CheckError> {
    let mut builder = compile_by(model, &options.scope, Policy::default())?;
    let mut observed: Vec<(String, PredId)> = Vec::new();
    for (text, pred) in &options.observe {
        observed.push((text.clone(), builder.pred(model, pred).map_err(CheckError::Compile)?));
    }
    // Labels with values come from the general engine.
    let wanted = options.labels == StepLabels::Names && options.engine > Tier::General;
    let source = wanted.then(|| on_large_stack(|| Source::new(model, &mut builder)));
    let system = builder.build();
    let compiler = native(options.engine, false);
    let packed = match &source {
        Some(source) => PackedSystem::new(&system, source, compiler.as_deref()),
        None => PackedSystem::general(&system),
    };
    system.limit_memory(limits.memory_bytes);
    let stop = system.interrupt().clone();
    let (mut found, reason) = limits.watch(&stop, || {
        on_large_stack(|| {
            let mut explored = crawl(&system, packed, (options, &observed), tell);
            explored.graph = hidden(explored.graph, &options.hide);
            then(explored, &stop, limits)
        })
    });
    if let Some(reason) = reason {
        found.end(ended(reason));
    }
    Ok(found)
}

/// What a limit can end.
trait Limited {
    /// It was ended: what it says is not the whole.
    fn end(&mut self, cut: CutNote);
}

impl Limited for Lts {
    fn end(&mut self, cut: CutNote) {
        explain(&mut self.cuts, cut);
    }
}

impl Limited for MinimisedLts {
    fn end(&mut self, cut: CutNote) {
        // The limit may have been reached after all was done.
        if self.graph.is_none() {
            explain(&mut self.cuts, cut);
        }
    }
}

/// Evaluations that were broken off say so, but not why.
fn explain(cuts: &mut Vec<CutNote>, cut: CutNote) {
    cuts.retain(|c| c.reason != CutReason::Interrupted && c.reason != cut.reason);
    cuts.push(cut);
}

/// A limit was reached.
fn ended(reason: CutReason) -> CutNote {
    let words = match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        _ => "it was interrupted",
    };
    CutNote { reason, span: Span::NONE, words: words.to_owned(), count: 1 }
}

/// Is there room to refine a graph? It takes several times what its states need, at once.
fn room(graph: &Graph, limits: &WorkLimits) -> bool {
    let needed = graph.states() as u64 * 48 + graph.transitions() as u64 * 16;
    match (limits.memory_bytes, resident_bytes()) {
        (Some(most), Some(held)) => held.saturating_add(needed) <= most,
        _ => true,
    }
}

/// Are two behaviours the same?
pub fn compare(
    left: &Lts,
    right: &Lts,
    equivalence: Equivalence,
    limits: &WorkLimits,
) -> LtsVerdict {
    let cuts: Vec<CutNote> = left.cuts.iter().chain(&right.cuts).cloned().collect();
    if !cuts.is_empty() {
        return LtsVerdict::Incomplete(cuts);
    }
    if !room(&left.graph, limits) || !room(&right.graph, limits) {
        return LtsVerdict::Incomplete(vec![ended(CutReason::Memory)]);
    }
    let stop = AtomicBool::new(false);
    let (found, reason) = limits.watch(&stop, || match equivalence {
        Equivalence::Bisimulation(relation) => {
            bisimilar(&left.graph, &right.graph, relation, &stop)
        }
        Equivalence::Traces => same_traces(&left.graph, &right.graph, &stop),
    });
    match found {
        Ok(verdict) => verdict,
        Err(Interrupted) => {
            LtsVerdict::Incomplete(vec![ended(reason.unwrap_or(CutReason::Interrupted))])
        }
    }
}

fn bisimilar(
    left: &Graph,
    right: &Graph,
    relation: Relation,
    stop: &AtomicBool,
) -> Result<LtsVerdict, Interrupted> {
    Ok(match distinguish(left, right, relation, stop)? {
        Comparison::Same { .. } => LtsVerdict::Same,
        Comparison::Different(Difference::Formula(formula)) => LtsVerdict::Formula(formula.lines()),
        Comparison::Different(Difference::Large) => LtsVerdict::LargeFormula,
        Comparison::Different(Difference::Refuted) => LtsVerdict::Refuted,
        Comparison::TooLarge => LtsVerdict::Incomplete(vec![ended(CutReason::Memory)]),
    })
}

/// Minimising does not change traces, and makes them faster to compare.
fn same_traces(left: &Graph, right: &Graph, stop: &AtomicBool) -> Result<LtsVerdict, Interrupted> {
    let small = |graph: &Graph| Ok(minimise(graph, Relation::Strong, stop)?.graph);
    let found = trace_difference(&small(left)?, &small(right)?, stop)?;
    Ok(match found {
        None => LtsVerdict::Same,
        Some(difference) => {
            let (has, lacks) = match difference.only {
                Only::Left => (left, right),
                Only::Right => (right, left),
            };
            match has_trace(has, &difference.trace) && !has_trace(lacks, &difference.trace) {
                true => LtsVerdict::Trace(difference),
                false => LtsVerdict::Refuted,
            }
        }
    })
}

/// The graph with the steps of these operations internal.
fn hidden(graph: Graph, hide: &[String]) -> Graph {
    match hide.is_empty() {
        true => graph,
        false => graph.hide(|label| hide.iter().any(|name| is_of(label, name))),
    }
}

/// Is this a label of this operation, whatever follows the name?
fn is_of(label: &str, name: &str) -> bool {
    label == name || label.split(['(', ' ', '!']).next() == Some(name)
}

/// Which of these are no operations of a model.
fn unknown(model: &Model, hide: &[String]) -> Vec<String> {
    let is_known = |name: &&String| {
        *name == INITIALISATION || model.operations.iter().any(|o| o.name == **name)
    };
    hide.iter().filter(|name| !is_known(name)).cloned().collect()
}
