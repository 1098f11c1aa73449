//! The compiled model and its door: set-ups, initial states, successors, checks.

use crate::answer::{Answer, Flow, Stop, Truth};
use crate::breaking::Breaking;
use crate::build::build;
use crate::distance::Target;
use crate::frame::{E, Frame, Memo, P, Runtime};
use crate::query::Query;
use crate::replan::Replanned;
use crate::seen::Seen;
use crate::settings::Settings;
use crate::show::show;
use crate::subst::S;
use beeline_model::{
    ConstantId, Expr, Model, OperationId, Pred, Preserved, SetId, TypeId, VariableId,
};
use beeline_source::Span;
use beeline_value::{Store, Val};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A compiled model. It is immutable and shared by all workers; what a worker needs for itself is
/// in its [`Scratch`].
///
/// A state is a `&[u32]`: one word of the store a variable, in the order of [`System::variables`].
/// A valuation of the constants is a `&[u32]` in the order of [`System::constants`], and is kept
/// apart: all states of one run from one set-up share it.
///
/// Give worker threads a stack of 16 MiB or more: with less, each call moves to a larger one.
///
/// ```text
/// for constants in setups { for s0 in initial(constants) { successors(constants, s) … } }
/// ```
pub struct System {
    pub(crate) runtime: Runtime,
    /// Slots of everything that was compiled into it.
    pub(crate) own_slots: usize,
    /// How many slots a frame has: operations that are planned again may need more.
    pub(crate) frame_size: AtomicUsize,
    pub(crate) variables: Vec<Slot<VariableId>>,
    pub(crate) constants: Vec<Slot<ConstantId>>,
    pub(crate) setup: Query,
    pub(crate) has_setup: bool,
    pub(crate) initialisation: S,
    pub(crate) operations: Vec<OperationInfo>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) preds: Vec<P>,
    pub(crate) exprs: Vec<E>,
    pub(crate) invariants: Vec<Check>,
    pub(crate) assertions: Vec<Check>,
    pub(crate) proofs: Vec<(Option<usize>, usize)>,
    pub(crate) goal: Option<PredId>,
    pub(crate) scope: Option<PredId>,
    pub(crate) heuristic: Option<ExprId>,
    pub(crate) distances: Vec<crate::distance::D>,
    pub(crate) set_sizes: Vec<(String, u64)>,
    pub(crate) uses_int_bounds: bool,
}

/// A compiled operation.
pub(crate) struct Body {
    pub parameters: Vec<usize>,
    pub results: Vec<usize>,
    /// Finds the parameters.
    pub guard: Query,
    pub body: S,
    /// It can be planned in another way.
    pub may_replan: bool,
}

/// What a worker needs for itself: slots, caches.
pub struct Scratch {
    slots: Vec<Val>,
    log: Vec<(u32, Val)>,
    memo: Memo,
    /// The constants that are in the slots.
    loaded: Vec<u32>,
    seen: Seen,
    /// Steps of one evaluation, if there are fewer than usual.
    steps: Option<u64>,
    /// See [`System::holds_each_up_to`].
    later: Vec<u32>,
    left_out: u64,
}

impl Scratch {
    /// How many candidates of quantifiers were left out since somebody asked.
    pub fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }
}

/// Why a model cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Where.
    pub span: Span,
    /// In words.
    pub words: String,
}

/// One slot of a state or of a valuation of the constants.
#[derive(Clone, Debug)]
pub struct Slot<Id> {
    /// What it holds.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// An operation that the environment may call.
#[derive(Clone, Debug)]
pub struct OperationInfo {
    /// Its id in the model.
    pub id: OperationId,
    /// Its name.
    pub name: String,
    /// Names and types of its parameters.
    pub parameters: Vec<(String, TypeId)>,
    /// Names and types of its results.
    pub results: Vec<(String, TypeId)>,
    /// Slots it may look at.
    pub reads: Vec<usize>,
    /// Slots it may change.
    pub writes: Vec<usize>,
}

/// Names one compiled predicate of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub usize);

/// Names one compiled expression of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub usize);

/// Names one compiled distance of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DistanceId(pub usize);

/// Something that is checked in each state, or once a set-up.
#[derive(Clone, Debug)]
pub struct Check {
    /// The compiled predicate.
    pub pred: PredId,
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// The slots of the state it reads: it need not be checked again while they keep their words.
    pub reads: Vec<usize>,
    /// Every well-typed value satisfies it.
    pub only_types: bool,
    /// It reads no variable: once a set-up is enough.
    pub constant: bool,
}

/// One transition.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Index into [`System::operations`].
    pub operation: usize,
    /// One word a parameter.
    pub arguments: &'a [u32],
    /// One word a result; [`Val::UNSET`] where it was not assigned.
    pub results: &'a [u32],
    /// The state it leads to.
    pub target: &'a [u32],
}

impl System {
    /// Compiles a model.
    pub fn compile(model: &Model, settings: &Settings) -> Result<System, Vec<CompileError>> {
        stacker::maybe_grow(64 << 20, 128 << 20, || build(model, settings))
    }

    /// A worker's own space.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            slots: vec![Val::UNSET; self.own_slots],
            log: Vec::new(),
            memo: Memo::new(),
            loaded: Vec::new(),
            seen: Seen::default(),
            steps: None,
            later: Vec::new(),
            left_out: 0,
        }
    }

    /// The same for evaluations that are given up after so many steps at the latest.
    pub fn brief_scratch(&self, steps: u64) -> Scratch {
        Scratch { steps: Some(steps), ..self.scratch() }
    }

    /// All values of this system.
    pub fn store(&self) -> &Arc<Store> {
        &self.runtime.store
    }

    /// The slots of a state.
    pub fn variables(&self) -> &[Slot<VariableId>] {
        &self.variables
    }

    /// The slots of a valuation of the constants.
    pub fn constants(&self) -> &[Slot<ConstantId>] {
        &self.constants
    }

    /// Does a set-up count as a state of its own (are there constants or properties)?
    pub fn has_setup(&self) -> bool {
        self.has_setup
    }

    /// What the environment may call.
    pub fn operations(&self) -> &[OperationInfo] {
        &self.operations
    }

    /// The conjuncts of the invariant.
    pub fn invariants(&self) -> &[Check] {
        &self.invariants
    }

    /// What was proved elsewhere: operations (or initialisation) and the conjuncts they preserve, as
    /// indices into [`System::operations`] and [`System::invariants`].
    pub fn proofs(&self) -> &[(Option<usize>, usize)] {
        &self.proofs
    }

    /// Adds what somebody else proved about the model it was compiled from.
    pub fn add_proofs(&mut self, model: &Model, preserved: &[Preserved]) {
        let level = match self.settings().level {
            Some(n) => model.levels.get(n).unwrap_or(model.concrete()),
            None => model.concrete(),
        };
        self.proofs.extend(crate::build::proofs(model, level, preserved));
    }

    /// The assertions, static and dynamic.
    pub fn assertions(&self) -> &[Check] {
        &self.assertions
    }

    /// `GOAL`, if the model has one.
    pub fn goal(&self) -> Option<PredId> {
        self.goal
    }

    /// `SCOPE`, if the model has one: states outside are neither checked nor expanded.
    pub fn scope(&self) -> Option<PredId> {
        self.scope
    }

    /// `HEURISTIC_FUNCTION`, if the model has one.
    pub fn heuristic(&self) -> Option<ExprId> {
        self.heuristic
    }

    /// Does the model speak of `MAXINT`, `MININT`, `NAT`, `NAT1` or `INT`?
    pub fn uses_int_bounds(&self) -> bool {
        self.uses_int_bounds
    }

    /// The scope it was compiled for.
    pub fn settings(&self) -> &Settings {
        &self.runtime.settings
    }

    /// Sets and the sizes they have in this system: name, size.
    pub fn set_sizes(&self) -> &[(String, u64)] {
        &self.set_sizes
    }

    /// Runs `body` in a frame with these constants and this state.
    pub(crate) fn with_frame<T>(
        &self,
        scratch: &mut Scratch,
        constants: Option<&[u32]>,
        state: Option<&[u32]>,
        body: impl FnOnce(&mut Frame<'_>) -> T,
    ) -> (T, Answer) {
        let mut slots = std::mem::take(&mut scratch.slots);
        let size = self.frame_size.load(Ordering::Relaxed);
        if slots.len() < size {
            slots.resize(size, Val::UNSET);
        }
        match constants {
            // Comparing nothing with nothing is slow on some processors.
            Some([]) if scratch.loaded.is_empty() => {}
            Some(words) if words == scratch.loaded => {}
            Some(words) => {
                for (slot, &word) in self.constants.iter().zip(words) {
                    slots[self.constant_slot(slot.id)] = Val::from_raw(word);
                }
                scratch.loaded = words.to_vec();
            }
            None => {
                for slot in &self.constants {
                    slots[self.constant_slot(slot.id)] = Val::UNSET;
                }
                scratch.loaded.clear();
                // An empty valuation is the one that is always loaded.
                scratch.loaded.extend(self.constants.iter().map(|_| Val::UNSET.raw()));
            }
        }
        for (i, slot) in self.variables.iter().enumerate() {
            slots[slot.id.index()] = state.map_or(Val::UNSET, |s| Val::from_raw(s[i]));
        }
        let mut frame = Frame {
            rt: &self.runtime,
            store: &self.runtime.store,
            slots,
            steps: scratch.steps.unwrap_or(self.runtime.settings.steps),
            cuts: Vec::new(),
            faults: Vec::new(),
            log: std::mem::take(&mut scratch.log),
            memo: std::mem::take(&mut scratch.memo),
            depth: 0,
            aim: None,
            later: Vec::new(),
            left_out: 0,
        };
        let result = stacker::maybe_grow(4 << 20, 64 << 20, || body(&mut frame));
        frame.log.clear();
        scratch.slots = frame.slots;
        scratch.log = frame.log;
        scratch.memo = frame.memo;
        (result, Answer { faults: frame.faults, cuts: frame.cuts, stopped: false })
    }

    fn constant_slot(&self, id: ConstantId) -> usize {
        self.runtime.first_constant + id.index()
    }

    /// All valuations of the constants that satisfy the properties, each once.
    ///
    /// A model without constants has exactly one, the empty one, if its properties hold.
    pub fn setups(&self, scratch: &mut Scratch, sink: &mut dyn FnMut(&[u32]) -> Flow) -> Answer {
        let mut words = Vec::with_capacity(self.constants.len());
        // Constants are searched for as states are: until time or memory run out.
        let steps = scratch.steps.unwrap_or(u64::MAX / 2);
        let (outcome, mut answer) = self.with_frame(scratch, None, None, |f| {
            f.steps = steps;
            self.setup.run(f, &mut |f, stop| {
                words.clear();
                words
                    .extend(self.constants.iter().map(|c| f.slots[self.constant_slot(c.id)].raw()));
                if !f.rt.breaking.picks(f.store, &words) {
                    return Ok(());
                }
                if let Some(stop) = stop {
                    // A property that nobody can decide may hold: the values are tried, and the
                    // report says so.
                    let open = matches!(stop, Stop::Cut(_)) && !words.contains(&Val::UNSET.raw());
                    f.note(stop)?;
                    if !open {
                        return Ok(());
                    }
                }
                flow(sink(&words))
            })
        });
        if let Err(stop) = outcome {
            answer.take(stop);
        }
        scratch.loaded.clear();
        scratch.loaded.push(Val::UNSET.raw());
        answer
    }

    /// From now on, of valuations of the constants that differ only by a renaming of elements of
    /// these sets, one stands for the others. Are there any rules for that?
    pub fn break_symmetry(&mut self, model: &Model, sets: &[SetId]) -> bool {
        self.runtime.breaking = Breaking::of(model, sets);
        !self.runtime.breaking.is_empty()
    }

    /// All initial states, each once.
    pub fn initial(
        &self,
        constants: &[u32],
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Answer {
        let mut seen = Seen::default();
        let mut target = Vec::new();
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), None, |f| {
            (self.initialisation)(f, &mut |f| {
                self.target(f, None, &mut target);
                if let Some(i) = target.iter().position(|w| *w == Val::UNSET.raw()) {
                    let words = format!("{} is not initialised", self.variables[i].name);
                    let kind = crate::answer::FaultKind::Unassigned;
                    return Err(Stop::fault(kind, Span::NONE, words));
                }
                if !seen.insert(target.as_slice().into()) {
                    return Ok(());
                }
                flow(sink(&target))
            })
        });
        if let Err(stop) = outcome {
            answer.take(stop);
        }
        answer
    }

    /// The state after the assignments in the log.
    fn target(&self, f: &Frame<'_>, state: Option<&[u32]>, target: &mut Vec<u32>) {
        target.clear();
        match state {
            Some(state) => target.extend_from_slice(state),
            None => target.resize(self.variables.len(), Val::UNSET.raw()),
        }
        for &(slot, value) in &f.log {
            if let Some(&Some(position)) = self.runtime.positions.get(slot as usize) {
                target[position as usize] = value.raw();
            }
        }
    }

    /// All transitions from a state, each once, in the order of the operations.
    pub fn successors(
        &self,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        self.successors_where(None, constants, state, scratch, &mut |_, _| true, sink)
    }

    /// The transitions from a state for which `wanted` says yes to operation and arguments. It is
    /// asked when the guard holds, before the body is executed. They are the same for other plans, in
    /// another order.
    pub fn successors_where(
        &self,
        plans: Option<&Replanned>,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        wanted: &mut dyn FnMut(usize, &[u32]) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let mut seen = std::mem::take(&mut scratch.seen);
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), Some(state), |f| {
            for operation in 0..self.bodies.len() {
                f.steps = self.runtime.settings.steps;
                let mark = f.faults.len();
                let body = self.body(plans, operation);
                let outcome = self.execute(body, operation, f, state, &mut seen, wanted, sink);
                for fault in &mut f.faults[mark..] {
                    fault.operation.get_or_insert(operation);
                }
                match outcome {
                    Ok(()) => {}
                    Err(Stop::Cut(cut)) => f.cuts.push(*cut),
                    // One operation without a meaning says nothing about the others.
                    Err(stop @ Stop::Fault(_)) => f.note(located(stop, operation, &[]))?,
                    Err(stop) => return Err(stop),
                }
            }
            Ok(())
        });
        scratch.seen = seen;
        if let Err(stop) = outcome {
            answer.take(stop);
        }
        answer
    }

    /// The transitions of one operation only.
    pub fn successors_of(
        &self,
        operation: usize,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let wanted = &mut |_: usize, _: &[u32]| true;
        self.successors_of_where(None, operation, constants, state, scratch, wanted, sink)
    }

    /// The transitions by one operation for which `wanted` says yes to the arguments.
    #[allow(clippy::too_many_arguments)]
    pub fn successors_of_where(
        &self,
        plans: Option<&Replanned>,
        operation: usize,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        wanted: &mut dyn FnMut(usize, &[u32]) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let mut seen = std::mem::take(&mut scratch.seen);
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), Some(state), |f| {
            let body = self.body(plans, operation);
            self.execute(body, operation, f, state, &mut seen, wanted, sink)
        });
        scratch.seen = seen;
        for fault in &mut answer.faults {
            fault.operation.get_or_insert(operation);
        }
        match outcome {
            Ok(()) => {}
            Err(stop @ Stop::Fault(_)) => answer.take(located(stop, operation, &[])),
            Err(stop) => answer.take(stop),
        }
        answer
    }

    fn body<'b>(&'b self, plans: Option<&'b Replanned>, operation: usize) -> &'b Body {
        plans.and_then(|plans| plans.body(operation)).unwrap_or(&self.bodies[operation])
    }

    /// Executes an operation by a plan of its own, and forgets what came of it.
    pub(crate) fn execute_once(
        &self,
        body: &Body,
        operation: usize,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
    ) {
        let mut seen = Seen::default();
        let (wanted, sink) = (&mut |_: usize, _: &[u32]| true, &mut |_: Step<'_>| Flow::More);
        let _ = self.with_frame(scratch, Some(constants), Some(state), |f| {
            self.execute(body, operation, f, state, &mut seen, wanted, sink)
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn execute<'s>(
        &self,
        body: &Body,
        operation: usize,
        f: &mut Frame<'s>,
        state: &[u32],
        seen: &mut Seen,
        wanted: &mut dyn FnMut(usize, &[u32]) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        let (mut arguments, mut results, mut target) = (Vec::new(), Vec::new(), Vec::new());
        body.guard.run(f, &mut |f, stop| {
            arguments.clear();
            arguments.extend(body.parameters.iter().map(|&p| f.slots[p].raw()));
            if let Some(stop) = stop {
                return f.note(located(stop, operation, &arguments));
            }
            if !wanted(operation, &arguments) {
                return Ok(());
            }
            // Outcomes of one choice of parameters may repeat; those of different ones cannot.
            seen.clear();
            let mut first: Option<Box<[u32]>> = None;
            let outcome = (body.body)(f, &mut |f| {
                self.target(f, Some(state), &mut target);
                results.clear();
                results.extend(body.results.iter().map(|&r| {
                    let entry = f.log.iter().rev().find(|(s, _)| *s as usize == r);
                    entry.map_or(Val::UNSET, |(_, v)| *v).raw()
                }));
                if !is_new(&target, &results, &mut first, seen) {
                    return Ok(());
                }
                flow(sink(Step {
                    operation,
                    arguments: &arguments,
                    results: &results,
                    target: &target,
                }))
            });
            match outcome {
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    f.log.clear();
                    f.note(located(stop, operation, &arguments))
                }
                other => other,
            }
        })
    }

    /// The truth of a compiled predicate in a state.
    pub fn holds(
        &self,
        pred: PredId,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), Some(state), |f| (self.preds[pred.0])(f)))
    }

    /// The same, but only if it can be found in so many steps; afterwards `steps` are left.
    pub fn holds_within(
        &self,
        pred: PredId,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        steps: &mut u64,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), Some(state), |f| {
            let given = (*steps).min(f.steps);
            f.steps = given;
            let result = (self.preds[pred.0])(f);
            *steps -= given - f.steps.min(given);
            result
        }))
    }

    /// The truth of several predicates in one state, without setting the state up for each.
    pub fn holds_each(
        &self,
        preds: &[PredId],
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        self.holds_each_up_to(preds, constants, state, scratch, &[], sink);
    }

    /// The same. `later` are elements, as sorted words, each of which can be swapped with one that
    /// is not among them and comes before it, and neither state nor constants nor any formula can
    /// tell: quantifiers that depend on nothing but the state try only the others.
    pub fn holds_each_up_to(
        &self,
        preds: &[PredId],
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
        later: &[u32],
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let mut words = std::mem::take(&mut scratch.later);
        words.clear();
        words.extend_from_slice(later);
        let mut left_out = 0;
        self.with_frame(scratch, Some(constants), Some(state), |f| {
            f.later = std::mem::take(&mut words);
            for (i, pred) in preds.iter().enumerate() {
                f.steps = self.runtime.settings.steps;
                f.cuts.clear();
                let truth = match (self.preds[pred.0])(f) {
                    // An answer beside which something was left out is no answer.
                    Ok(_) if !f.cuts.is_empty() => Truth::Unknown(Box::new(f.cuts.swap_remove(0))),
                    Ok(true) => Truth::True,
                    Ok(false) => Truth::False,
                    Err(stop) => truth_of(stop),
                };
                sink(i, truth);
            }
            words = std::mem::take(&mut f.later);
            left_out = f.left_out;
        });
        scratch.later = words;
        scratch.left_out += left_out;
    }

    /// Set this to true, and every evaluation ends soon with the cut
    /// [`crate::CutReason::Interrupted`].
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.runtime.interrupt
    }

    /// The truth of a compiled predicate that reads constants only.
    pub fn holds_of_constants(
        &self,
        pred: PredId,
        constants: &[u32],
        scratch: &mut Scratch,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), None, |f| (self.preds[pred.0])(f)))
    }

    /// The value of a compiled expression in a state. Without one the answer says why.
    pub fn value(
        &self,
        expr: ExprId,
        constants: &[u32],
        state: Option<&[u32]>,
        scratch: &mut Scratch,
    ) -> Result<Val, Truth> {
        let (result, mut answer) =
            self.with_frame(scratch, Some(constants), state, |f| (self.exprs[expr.0])(f));
        match result {
            Ok(_) if !answer.cuts.is_empty() => {
                Err(Truth::Unknown(Box::new(answer.cuts.swap_remove(0))))
            }
            result => result.map_err(truth_of),
        }
    }

    /// Compiles one more predicate over the model (a goal from the command line, say).
    pub fn add_pred(&mut self, model: &Model, pred: &Pred) -> Result<PredId, Vec<CompileError>> {
        crate::build::extend(self, model, |cx| cx.pred(pred)).map(|p| {
            self.preds.push(p);
            PredId(self.preds.len() - 1)
        })
    }

    /// Compiles one more expression; its value is listed where it can be.
    pub fn add_expr(&mut self, model: &Model, expr: &Expr) -> Result<ExprId, Vec<CompileError>> {
        crate::build::extend(self, model, |cx| cx.kept(expr)).map(|e| {
            self.exprs.push(e);
            ExprId(self.exprs.len() - 1)
        })
    }

    /// Compiles many more expressions; those that cannot be compiled are left out.
    pub fn add_exprs(&mut self, model: &Model, exprs: &[&Expr]) -> Vec<Option<ExprId>> {
        let compiled = crate::build::extend(self, model, |cx| {
            let mut list = Vec::with_capacity(exprs.len());
            for expr in exprs {
                let e = cx.kept(expr);
                list.push(cx.errors.is_empty().then_some(e));
                cx.errors.clear();
            }
            list
        });
        let list = compiled.unwrap_or_default();
        list.into_iter()
            .map(|e| {
                self.exprs.push(e?);
                Some(ExprId(self.exprs.len() - 1))
            })
            .collect()
    }

    /// Compiles how far a state is from a target.
    pub fn add_distance(
        &mut self,
        model: &Model,
        target: &Target,
    ) -> Result<DistanceId, Vec<CompileError>> {
        crate::build::extend(self, model, |cx| target.compile(cx)).map(|d| {
            self.distances.push(d);
            DistanceId(self.distances.len() - 1)
        })
    }

    /// How far a state is from a target.
    pub fn distance(
        &self,
        target: DistanceId,
        constants: &[u32],
        state: &[u32],
        scratch: &mut Scratch,
    ) -> i64 {
        let distance = &self.distances[target.0];
        self.with_frame(scratch, Some(constants), Some(state), |f| distance(f)).0
    }

    /// A value in B notation.
    pub fn show(&self, value: u32, ty: TypeId) -> String {
        show(&self.runtime, Val::from_raw(value), Some(ty))
    }
}

fn flow(flow: Flow) -> Result<(), Stop> {
    match flow {
        Flow::More => Ok(()),
        Flow::Enough => Err(Stop::Enough),
    }
}

fn located(stop: Stop, operation: usize, arguments: &[u32]) -> Stop {
    match stop {
        Stop::Fault(mut fault) => {
            fault.operation = Some(operation);
            fault.arguments = arguments.to_vec();
            Stop::Fault(fault)
        }
        other => other,
    }
}

/// The truth of a predicate; an answer beside which something was left out is no answer.
fn decided((result, mut answer): (Result<bool, Stop>, Answer)) -> Truth {
    match result {
        Ok(_) if !answer.cuts.is_empty() => Truth::Unknown(Box::new(answer.cuts.swap_remove(0))),
        Ok(true) => Truth::True,
        Ok(false) => Truth::False,
        Err(stop) => truth_of(stop),
    }
}

fn truth_of(stop: Stop) -> Truth {
    match stop {
        Stop::Fault(fault) => Truth::Undefined(fault),
        Stop::Cut(cut) => Truth::Unknown(cut),
        Stop::Enough => Truth::False,
    }
}

/// Is this outcome new? The first one is kept apart: most choices of parameters have one only.
fn is_new(
    target: &[u32],
    results: &[u32],
    first: &mut Option<Box<[u32]>>,
    seen: &mut Seen,
) -> bool {
    let key: Box<[u32]> = target.iter().chain(results).copied().collect();
    match first {
        None => {
            *first = Some(key);
            true
        }
        Some(known) => *known != key && seen.insert(key),
    }
}
