//! The engine as a source of proofs: facts that no state of a scope satisfies exclude each other there.
//!
//! The question is whether there are values of the variables and of all free names that satisfy the facts, for each
//! valuation of the constants. Only a plain no counts: where the engine cuts anything, as it does where a name has
//! no end, nothing is said.

use crate::scope::{Scope, compile};
use beeline_compile::{Builder, Constants, Flow, Truth};
use beeline_model::{
    Expr, ExprKind, Local, LocalId, Mentions, Model, Part, PartMut, Pred, PredKind, VariableId,
    visit_pred,
};
use beeline_prove::{Obligation, Reach, Source};
use beeline_source::Span;
use std::collections::BTreeSet;

/// Steps of evaluation for one question.
const STEPS: u64 = 60_000;
/// Steps in which the constants must be found, and how many valuations there may be.
const SETUP_STEPS: u64 = 5_000_000;
const MAX_SETUPS: usize = 20;
/// More is not asked: every question is compiled, and stays so.
const MAX_QUESTIONS: usize = 3_000;

/// A model in a scope.
pub struct InScope {
    builder: Builder,
    setups: Vec<Constants>,
    /// The model with names for the values of its variables, made of the first question.
    model: Option<(Model, Vec<(VariableId, LocalId)>)>,
    asked: usize,
}

impl InScope {
    /// Nothing, if the constants were not all found, or the model cannot be compiled.
    pub fn new(model: &Model, scope: &Scope) -> Option<InScope> {
        let system = compile(model, scope).ok()?;
        let mut scratch = system.brief_scratch(SETUP_STEPS);
        let mut setups = Vec::new();
        let answer = system.setups(&mut scratch, &mut |constants| {
            setups.push(constants.owned());
            if setups.len() < MAX_SETUPS { Flow::More } else { Flow::Enough }
        });
        let complete = answer.cuts.is_empty() && answer.faults.is_empty() && !answer.stopped;
        complete.then(|| InScope { builder: Builder::from(system), setups, model: None, asked: 0 })
    }

    fn is_false(&mut self, model: &Model, question: &Pred) -> bool {
        let Ok(id) = self.builder.pred(model, question) else { return false };
        let system = self.builder.system();
        self.setups.iter().all(|constants| {
            let mut scratch = system.brief_scratch(STEPS);
            matches!(system.holds_of_constants(id, constants.view(), &mut scratch), Truth::False)
        })
    }
}

impl Source for InScope {
    fn name(&self) -> &'static str {
        "solver"
    }

    fn reach(&self) -> Reach {
        Reach::Scope
    }

    fn excludes(&mut self, obligation: &Obligation<'_>) -> bool {
        self.asked += 1;
        if self.asked > MAX_QUESTIONS {
            return false;
        }
        let (model, names) = self.model.take().unwrap_or_else(|| named(obligation.model));
        // What is asked about comes last: what bounds the names stands in the context.
        let context = obligation.context.facts.iter().rev();
        let mut facts: Vec<Pred> =
            context.chain(obligation.facts.iter().copied()).cloned().collect();
        facts.iter_mut().for_each(|p| in_pred(p, &names));
        let question = Pred { kind: PredKind::And(facts), span: Span::NONE };
        let free = free_names(&question);
        let question = match free.is_empty() {
            true => question,
            false => Pred { kind: PredKind::Exists(free, Box::new(question)), span: Span::NONE },
        };
        let excluded = self.is_false(&model, &question);
        self.model = Some((model, names));
        excluded
    }
}

/// The model with a name for the value of each variable.
fn named(model: &Model) -> (Model, Vec<(VariableId, LocalId)>) {
    let mut model = model.clone();
    let variables = model.concrete().variables.clone();
    let mut name = |v: VariableId| {
        let local = LocalId(model.locals.len() as u32);
        let (name, ty) = (model.variable(v).name.clone(), model.variable(v).ty);
        model.locals.push(Local { name, ty, span: Span::NONE });
        (v, local)
    };
    let names = variables.into_iter().map(&mut name).collect();
    (model, names)
}

fn in_pred(p: &mut Pred, names: &[(VariableId, LocalId)]) {
    p.parts_mut(&mut |part| in_part(part, names));
}

fn in_expr(e: &mut Expr, names: &[(VariableId, LocalId)]) {
    match e.kind {
        ExprKind::Variable(v) => {
            if let Some((_, local)) = names.iter().find(|(variable, _)| *variable == v) {
                e.kind = ExprKind::Local(*local);
            }
        }
        _ => e.parts_mut(&mut |part| in_part(part, names)),
    }
}

fn in_part(part: PartMut<'_>, names: &[(VariableId, LocalId)]) {
    match part {
        PartMut::Expr(e) => in_expr(e, names),
        PartMut::Pred(p) => in_pred(p, names),
        _ => {}
    }
}

/// Names in a predicate that nothing in it binds.
fn free_names(p: &Pred) -> Vec<LocalId> {
    struct All(BTreeSet<LocalId>);
    impl Mentions for All {
        fn local(&mut self, local: LocalId) {
            self.0.insert(local);
        }
    }
    let mut all = All(BTreeSet::new());
    visit_pred(p, &mut all);
    bound_in_pred(p, &mut all.0);
    all.0.into_iter().collect()
}

fn bound_in_pred(p: &Pred, free: &mut BTreeSet<LocalId>) {
    p.parts(&mut |part| bound(part, free));
}

fn bound(part: Part<'_>, free: &mut BTreeSet<LocalId>) {
    match part {
        Part::Binds(locals) => locals.iter().for_each(|l| _ = free.remove(l)),
        Part::Expr(e) => e.parts(&mut |part| bound(part, free)),
        Part::Pred(p) => bound_in_pred(p, free),
        _ => {}
    }
}
