//! Both levels as one model that can be compiled: the variables of the refinement, a copy of those of the
//! abstraction, and one more for the set of abstract states that match.
//!
//! Constants and sets are the same for both, so that values can be compared word by word. Operations of
//! the refinement come first; what the abstraction does stands behind them. It does not know how the
//! model is run.

use crate::levels::{Levels, guarded_by, top};
use crate::rename::Renaming;
use crate::{Mode, Options};
use beeline_model::{
    Assignment, CompareOp, Conjunct, Expr, ExprKind, Gluing, Invariant, Level, LocalId, Model,
    Name, Operation, OperationId, Place, Pred, PredKind, Special, Subst, SubstKind, Target,
    Variable, VariableId,
};
use beeline_source::Span;
use std::collections::BTreeMap;

/// Both levels as one model.
pub(crate) struct Pair {
    pub model: Model,
    /// Variables of the refinement come first, so many.
    pub concrete: usize,
    /// Those of the abstraction follow, with their places among those of the refinement if it keeps them.
    pub kept: Vec<Option<usize>>,
    /// Operations of the refinement, in their order.
    pub operations: Vec<Matched>,
    /// The operation that initialises the abstraction.
    pub begin: usize,
}

/// An operation of the refinement, and the places of those that say what the abstraction does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matched {
    /// The operation that it refines; a new one refines `skip`.
    pub step: Option<usize>,
    /// Has a step for all arguments with which the abstraction may be called, if that is not for all.
    pub allowed: Option<usize>,
    /// Has a step where the refinement may not be called, although the abstraction may.
    pub broken: Option<usize>,
    /// Arguments and results have the same number in both.
    pub labelled: bool,
}

struct Builder<'l> {
    levels: &'l Levels,
    mode: Mode,
    model: Model,
    renaming: Renaming,
    /// Operations of the level that is made.
    offered: Vec<OperationId>,
}

/// Puts the levels together.
pub(crate) fn pair(levels: &Levels, options: &Options) -> Pair {
    let mut builder = Builder {
        levels,
        mode: options.mode,
        model: levels.concrete.clone(),
        renaming: Renaming::default(),
        offered: Vec::new(),
    };
    builder.build()
}

impl Builder<'_> {
    fn build(&mut self) -> Pair {
        let below = self.levels.concrete.concrete().variables.clone();
        let above = self.levels.abstraction.concrete().variables.clone();
        let kept = above.iter().map(|v| below.iter().position(|w| w == v)).collect();
        let copies: Vec<VariableId> = above.iter().map(|v| self.copy(*v)).collect();
        self.renaming.variables = above.iter().copied().zip(copies.iter().copied()).collect();
        let candidates = self.candidates(&above);
        self.copy_operations();
        let matched = self.operations();
        let begin = self.begin();
        let variables: Vec<VariableId> =
            below.iter().chain(&copies).chain([&candidates]).copied().collect();
        let level = Level {
            component: self.levels.concrete.concrete().component,
            invariants: if self.mode == Mode::Simulation { self.glue() } else { Vec::new() },
            initialisation: self.initialisation(&variables[below.len()..]),
            operations: self.offered.clone(),
            variables,
            assertions: Vec::new(),
            gluing: Gluing::default(),
            variants: Vec::new(),
        };
        let mut model = std::mem::replace(&mut self.model, self.levels.concrete.clone());
        let preferences = std::mem::take(&mut model.special.preferences);
        model.special = Special { preferences, ..Special::default() };
        model.levels = vec![level];
        (model.proofs, model.claims) = (Vec::new(), Vec::new());
        beeline_model::fill_footprints(&mut model.operations);
        Pair { model, concrete: below.len(), kept, operations: matched, begin }
    }

    /// A variable with the same type.
    fn copy(&mut self, id: VariableId) -> VariableId {
        let copy = self.model.variable(id).clone();
        self.variable(copy)
    }

    fn variable(&mut self, variable: Variable) -> VariableId {
        self.model.variables.push(variable);
        VariableId(self.model.variables.len() as u32 - 1)
    }

    /// The variable for the set of abstract states that match: each is a record.
    fn candidates(&mut self, above: &[VariableId]) -> VariableId {
        let fields = above
            .iter()
            .enumerate()
            .map(|(number, v)| (Name::from(format!("v{number:06}")), self.model.variable(*v).ty));
        let record = beeline_model::Type::Record(fields.collect());
        let record = self.model.types.intern(record);
        let ty = self.model.types.power(record);
        let component = self.levels.concrete.concrete().component;
        let name = Name::from("abstract states");
        self.variable(Variable { name, ty, component, span: Span::NONE })
    }

    /// All operations once more, about the copies of the variables.
    fn copy_operations(&mut self) {
        let operations = &self.levels.abstraction.operations;
        self.renaming.calls = operations.len() as u32;
        let copies: Vec<Operation> = operations
            .iter()
            .map(|o| Operation { body: self.renaming.subst(&o.body), ..o.clone() })
            .collect();
        self.model.operations.extend(copies);
    }

    fn offer(&mut self, operation: Operation) -> usize {
        self.model.operations.push(operation);
        self.offered.push(OperationId(self.model.operations.len() as u32 - 1));
        self.offered.len() - 1
    }

    fn operations(&mut self) -> Vec<Matched> {
        let pairs = self.levels.operations.clone();
        for (id, abstraction) in &pairs {
            let run = self.run(*id, *abstraction);
            self.offer(run);
        }
        pairs
            .iter()
            .map(|(id, above)| above.map_or_else(Matched::default, |a| self.matched(*id, a)))
            .collect()
    }

    /// What the refinement does, wherever the abstraction may be called.
    fn run(&self, id: OperationId, abstraction: Option<OperationId>) -> Operation {
        let own = self.levels.concrete.operation(id);
        let (own_pre, body) = top(&own.body);
        let mut conjuncts = match (self.mode, abstraction) {
            (Mode::Simulation, Some(above)) => self.precondition(above, id),
            _ => Vec::new(),
        };
        conjuncts.extend(own_pre);
        Operation { body: guarded_by(conjuncts, body), ..plain(own) }
    }

    /// The precondition of an operation of the abstraction, in the parameters of the one that refines it.
    fn precondition(&self, above: OperationId, id: OperationId) -> Vec<Conjunct> {
        let (conjuncts, _) = top(&self.levels.abstraction.operation(above).body);
        let renaming = self.with_parameters(above, id);
        conjuncts.into_iter().map(|c| Conjunct { pred: renaming.pred(&c.pred), ..c }).collect()
    }

    fn with_parameters(&self, above: OperationId, id: OperationId) -> Renaming {
        let theirs = &self.levels.abstraction.operation(above).parameters;
        let own = &self.levels.concrete.operation(id).parameters;
        let locals: BTreeMap<LocalId, LocalId> = match theirs.len() == own.len() {
            true => theirs.iter().copied().zip(own.iter().copied()).collect(),
            false => BTreeMap::new(),
        };
        Renaming { locals, ..self.renaming.clone() }
    }

    fn matched(&mut self, id: OperationId, above: OperationId) -> Matched {
        let theirs = self.levels.abstraction.operation(above).clone();
        let own = self.levels.concrete.operation(id).clone();
        let labelled = theirs.parameters.len() == own.parameters.len()
            && theirs.results.len() == own.results.len();
        let (conjuncts, rest) = top(&theirs.body);
        let conjuncts: Vec<Conjunct> = conjuncts
            .into_iter()
            .map(|c| Conjunct { pred: self.renaming.pred(&c.pred), ..c })
            .collect();
        let body = guarded_by(conjuncts.clone(), self.renaming.subst(&rest));
        let step = Some(self.offer(Operation { body, ..plain(&theirs) }));
        if self.mode != Mode::Simulation || !labelled {
            return Matched { step, labelled, ..Matched::default() };
        }
        let skip = Subst { kind: SubstKind::Skip, span: theirs.span };
        let allowed = (!conjuncts.is_empty()).then(|| {
            let body = guarded_by(conjuncts, skip);
            self.offer(Operation { body, results: Vec::new(), ..plain(&theirs) })
        });
        let broken = self.broken(&own, &rest, (id, above)).map(|o| self.offer(o));
        Matched { step, allowed, broken, labelled }
    }

    /// Where the abstraction may be called and has a step, but the refinement may not be called.
    fn broken(
        &self,
        own: &Operation,
        rest: &Subst,
        (id, above): (OperationId, OperationId),
    ) -> Option<Operation> {
        let mut conjuncts = self.precondition(above, id);
        let demanded: Vec<String> =
            conjuncts.iter().map(|c| self.model.show_pred(&c.pred)).collect();
        // What both demand in the same words about parameters and constants cannot be broken.
        let (own_pre, _) = top(&own.body);
        let more: Vec<Pred> = own_pre
            .into_iter()
            .map(|c| c.pred)
            .filter(|p| !demanded.contains(&self.model.show_pred(p)) || reads_variables(p))
            .collect();
        let span = more.first()?.span;
        let both = Pred { kind: PredKind::And(more), span };
        let pred = Pred { kind: PredKind::Not(Box::new(both)), span };
        conjuncts.push(Conjunct { pred, label: None, span });
        let body = guarded_by(conjuncts, self.with_parameters(above, id).subst(rest));
        let results = self.levels.abstraction.operation(above).results.clone();
        Some(Operation { body, results, ..plain(own) })
    }

    /// The initialisation of the abstraction, as an operation.
    fn begin(&mut self) -> usize {
        let level = self.levels.abstraction.concrete();
        let steps: Vec<Subst> =
            level.initialisation.iter().map(|(_, s)| self.renaming.subst(s)).collect();
        let span = self.model.component(level.component).span;
        let body = Subst { kind: SubstKind::Sequence(steps), span };
        self.offer(Operation {
            name: Name::from("INITIALISATION"),
            parameters: Vec::new(),
            results: Vec::new(),
            body,
            reads: Vec::new(),
            writes: Vec::new(),
            refines: Vec::new(),
            inherited: Vec::new(),
            lost_preconditions: Vec::new(),
            component: level.component,
            span,
        })
    }

    /// The refinement begins; what belongs to the abstraction has a value that nobody looks at.
    fn initialisation(&self, others: &[VariableId]) -> Vec<(beeline_model::ComponentId, Subst)> {
        let level = self.levels.concrete.concrete();
        let empty = |id: &VariableId| Assignment {
            target: Target { place: Place::Variable(*id), path: Vec::new(), span: Span::NONE },
            value: Expr {
                kind: ExprKind::EmptySet,
                ty: self.model.variable(*id).ty,
                span: Span::NONE,
            },
        };
        let nothing = SubstKind::Assign(others.iter().map(empty).collect());
        let nothing = (level.component, Subst { kind: nothing, span: Span::NONE });
        level.initialisation.iter().cloned().chain([nothing]).collect()
    }

    /// What must hold of a state of the refinement and one of the abstraction. Variables that both have
    /// come first: most candidates fall there.
    fn glue(&self) -> Vec<Invariant> {
        let mut conjuncts: Vec<Conjunct> = Vec::new();
        for id in &self.levels.kept {
            let variable = self.model.variable(*id);
            let read = |id: VariableId| {
                Box::new(Expr {
                    kind: ExprKind::Variable(id),
                    ty: variable.ty,
                    span: variable.span,
                })
            };
            let other = self.renaming.variables.get(id).copied().unwrap_or(*id);
            let kind = PredKind::Compare(CompareOp::Equal, read(other), read(*id));
            let pred = Pred { kind, span: variable.span };
            conjuncts.push(Conjunct { pred, label: None, span: variable.span });
        }
        let mut gone = self.renaming.clone();
        gone.variables.retain(|v, _| !self.levels.kept.contains(v));
        conjuncts.extend(
            self.levels.glue.iter().map(|c| Conjunct { pred: gone.pred(&c.pred), ..c.clone() }),
        );
        let component = self.levels.concrete.concrete().component;
        let invariant = |conjunct: Conjunct| {
            let reads = beeline_model::Footprint::of_pred(&conjunct.pred).reads;
            Invariant { conjunct, component, only_types: false, reads }
        };
        conjuncts.into_iter().map(invariant).collect()
    }
}

fn plain(operation: &Operation) -> Operation {
    Operation {
        refines: Vec::new(),
        inherited: Vec::new(),
        lost_preconditions: Vec::new(),
        ..operation.clone()
    }
}

fn reads_variables(pred: &Pred) -> bool {
    !beeline_model::Footprint::of_pred(pred).reads.is_empty()
}
