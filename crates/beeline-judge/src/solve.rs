//! All values of some unknowns that satisfy some demands, by plain backtracking.
//!
//! At each level: drop what is decided, take the smallest generator of values there is
//! (`generate`), try each value. Demands are decided as soon as all they mention has a value. An
//! ill-defined demand beside a false one is harmless; with all others true it is the result.

use crate::Judge;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason};
use crate::flow::{Flow, go};
use crate::literal::{Literal, Unknown, alternatives, existential, hints, split};
use crate::scene::Scene;
use crate::value::Value;
use beeline_model::{ConstantId, Expr, LocalId, Pred};
use beeline_source::Span;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

mod generate;

use generate::Values;

/// What to do about an unknown that nothing bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Give up.
    Refuse,
    /// Try `MININT..MAXINT` and say so.
    Bound,
}

/// How a search ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    /// Stopped by who asked, or at the end.
    pub flow: ControlFlow<()>,
    /// Nothing was left out.
    pub complete: bool,
}

/// A search problem.
pub(crate) struct Solve<'s, 'm> {
    pub judge: &'s Judge<'m>,
    policy: Policy,
    span: Span,
    unknowns: BTreeSet<Unknown>,
    literals: Vec<Rc<Literal<'s>>>,
    complete: bool,
    /// Go on after a candidate without a meaning: another may decide.
    forgiving: bool,
    /// The first that was forgiven.
    forgiven: Option<EvalError>,
}

/// What happens with a solution.
pub(crate) type Found<'f> = &'f mut dyn FnMut(&Scene) -> Flow;

impl<'s, 'm> Solve<'s, 'm> {
    pub fn new(judge: &'s Judge<'m>, policy: Policy, span: Span) -> Solve<'s, 'm> {
        let (unknowns, literals) = (BTreeSet::new(), Vec::new());
        Solve {
            judge,
            policy,
            span,
            unknowns,
            literals,
            complete: true,
            forgiving: false,
            forgiven: None,
        }
    }

    pub fn add_locals(&mut self, locals: &[LocalId]) {
        self.unknowns.extend(locals.iter().map(|l| Unknown::Local(*l)));
    }

    pub fn add_constants(&mut self, constants: impl IntoIterator<Item = ConstantId>) {
        self.unknowns.extend(constants.into_iter().map(Unknown::Constant));
    }

    /// The predicate must have this truth.
    pub fn add_pred(&mut self, pred: &'s Pred, truth: bool) {
        split(pred, truth, &mut self.literals);
    }

    /// The expression must have this value.
    pub fn add_equals(&mut self, expr: &'s Expr, value: Value) {
        self.literals.push(Rc::new(Literal::equals(expr, value)));
    }

    /// Visits every solution at least once.
    pub fn run(mut self, scene: Scene, found: Found<'_>) -> Eval<Done> {
        self.begin(scene, found)
    }

    fn begin(&mut self, scene: Scene, found: Found<'_>) -> Eval<Done> {
        let unbound = std::mem::take(&mut self.unknowns);
        let literals = std::mem::take(&mut self.literals);
        let flow = self.search(&unbound, &literals, scene, None, found)?;
        Ok(Done { flow, complete: self.complete })
    }

    /// As [`Solve::run`]; what was left out is noted.
    pub fn run_noted(self, scene: Scene, found: Found<'_>) -> Flow {
        let (judge, span) = (self.judge, self.span);
        let done = self.run(scene, found)?;
        if !done.complete {
            judge.note(NoteKind::UnboundedEnumeration, span);
        }
        Ok(done.flow)
    }

    /// As [`Solve::run_noted`], for the choices of a substitution: one without a meaning does not end
    /// the others.
    pub fn run_choices(mut self, scene: Scene, found: Found<'_>) -> Flow {
        let (judge, span) = (self.judge, self.span);
        self.forgiving = true;
        let done = self.begin(scene, &mut |scene| judge.survive(found(scene)))?;
        if let Some(error) = self.forgiven {
            let _ = judge.survive(Err(error))?;
        }
        if !done.complete {
            judge.note(NoteKind::UnboundedEnumeration, span);
        }
        Ok(done.flow)
    }

    /// Is there a solution? It makes up for candidates without a meaning, as a true part of a
    /// disjunction does. A `false` from an incomplete search is noted.
    pub fn exists(mut self, scene: Scene) -> Eval<bool> {
        let (judge, span) = (self.judge, self.span);
        self.forgiving = true;
        let done = self.begin(scene, &mut |_| Ok(ControlFlow::Break(())))?;
        if done.flow.is_continue()
            && let Some(error) = self.forgiven
        {
            return Err(error);
        }
        if done.flow.is_continue() && !done.complete {
            judge.note(NoteKind::UnboundedEnumeration, span);
        }
        Ok(done.flow.is_break())
    }

    fn search(
        &mut self,
        unbound: &BTreeSet<Unknown>,
        literals: &[Rc<Literal<'s>>],
        scene: Scene,
        trouble: Option<EvalError>,
        found: Found<'_>,
    ) -> Flow {
        let judge = self.judge;
        judge.deeper(|| self.search_level(unbound, literals, scene, trouble, found))
    }

    fn search_level(
        &mut self,
        unbound: &BTreeSet<Unknown>,
        literals: &[Rc<Literal<'s>>],
        scene: Scene,
        mut trouble: Option<EvalError>,
        found: Found<'_>,
    ) -> Flow {
        let mut pending: Vec<Rc<Literal<'s>>> = Vec::new();
        for literal in literals {
            if literal.is_open(unbound) {
                pending.push(literal.clone());
                continue;
            }
            match literal.decide(self.judge, &scene) {
                Ok(true) => {}
                Ok(false) => return Ok(ControlFlow::Continue(())),
                // A closure may look at a constant that has no value yet.
                Err(EvalError::Unset { .. }) if !unbound.is_empty() => {
                    pending.push(literal.clone())
                }
                Err(error) if error.is_final() => return Err(error),
                Err(_) if literal.hint => {}
                Err(error) => error.join(&mut trouble),
            }
        }
        if unbound.is_empty() {
            return match trouble {
                Some(error) => self.forgive(error),
                None => found(&scene),
            };
        }
        let plan = self.plan(unbound, &pending, &scene)?;
        if !plan.is_cheap()
            && let Some(flow) = self.rephrase(unbound, &pending, &scene, &trouble, found)
        {
            return flow;
        }
        let plan = match plan {
            Values::Unbounded => match self.listed_plan(unbound, &pending, &scene)? {
                Some(plan) => plan,
                None if self.policy == Policy::Refuse => {
                    return match self.whatever(unbound, &pending, &scene, trouble) {
                        Some(Err(error)) => self.forgive(error),
                        Some(Ok(())) => Ok(ControlFlow::Continue(())),
                        None => Err(EvalError::unknown(UnknownReason::Infinite).at(self.span)),
                    };
                }
                None => {
                    self.complete = false;
                    self.bounded_plan(unbound, &pending, &scene)?
                }
            },
            plan => plan,
        };
        self.try_values(plan, unbound, &pending, scene, trouble, found)
    }

    /// A candidate has no meaning: that is the result, unless others may make up for it.
    fn forgive(&mut self, error: EvalError) -> Flow {
        if !self.forgiving {
            return Err(error);
        }
        error.join(&mut self.forgiven);
        Ok(ControlFlow::Continue(()))
    }

    /// What is known of all candidates, whatever the unknowns are: one demand is false without
    /// them (`Ok`), or none is and one is ill-defined without them.
    fn whatever(
        &self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
        trouble: Option<EvalError>,
    ) -> Option<Result<(), EvalError>> {
        let trouble = trouble.or_else(|| self.senseless(unbound, pending, scene))?;
        // Unknowns have no value in the scene: who reads one does not decide.
        let ruled_out = pending.iter().any(|l| matches!(l.decide(self.judge, scene), Ok(false)));
        Some(if ruled_out { Ok(()) } else { Err(trouble) })
    }

    /// Why a comparison is ill-defined whatever the unknowns are: one of its sides is.
    fn senseless(
        &self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
    ) -> Option<EvalError> {
        for literal in pending.iter().filter(|l| !l.hint) {
            if !literal.is_open(unbound) {
                match literal.decide(self.judge, scene) {
                    Err(error @ EvalError::IllDefined { .. }) => return Some(error),
                    _ => continue,
                }
            }
            let Some((_, a, b)) = literal.comparison() else { continue };
            for (side, mentions) in [(a, &literal.left), (b, &literal.right)] {
                if mentions.is_disjoint(unbound)
                    && let Err(error @ EvalError::IllDefined { .. }) = self.judge.eval(side, scene)
                {
                    return Some(error);
                }
            }
        }
        None
    }

    /// Is the problem ill-defined whatever the unknowns are? They cannot be listed.
    pub fn check_sense(self, scene: &Scene) -> Eval<()> {
        match self.whatever(&self.unknowns, &self.literals, scene, None) {
            Some(result) => result,
            None => Ok(()),
        }
    }

    fn try_values(
        &mut self,
        plan: Values<'s>,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: Scene,
        trouble: Option<EvalError>,
        found: Found<'_>,
    ) -> Flow {
        let (pattern, set) = match plan {
            Values::One { bindings, used } => {
                let mut scene = scene;
                let mut rest = unbound.clone();
                for (unknown, value) in bindings {
                    unknown.bind(value, &mut scene);
                    rest.remove(&unknown);
                }
                return self.search(&rest, &without(pending, used), scene, trouble, found);
            }
            Values::Of { unknown, set, used } => {
                let rest: BTreeSet<_> = unbound.iter().copied().filter(|u| *u != unknown).collect();
                let pending = without(pending, used);
                return self.judge.each(&set, &mut |value| {
                    let mut scene = scene.clone();
                    unknown.bind(self.judge.settle(value)?, &mut scene);
                    self.search(&rest, &pending, scene, trouble.clone(), found)
                });
            }
            Values::Matching { pattern, set } => (pattern, set),
            Values::None => return Ok(ControlFlow::Continue(())),
            Values::Unbounded => {
                return Err(EvalError::unknown(UnknownReason::Infinite).at(self.span));
            }
        };
        self.judge.each(&set, &mut |value| {
            let Some(bindings) = self.matches(pattern, &value, unbound, &scene)? else {
                return Ok(ControlFlow::Continue(()));
            };
            let mut scene = scene.clone();
            let mut rest = unbound.clone();
            for (unknown, value) in bindings {
                unknown.bind(value, &mut scene);
                rest.remove(&unknown);
            }
            self.search(&rest, pending, scene, trouble.clone(), found)
        })
    }

    /// Where values are dear: an existential gives its names as further unknowns, a disjunction
    /// is searched one alternative after the other. Solutions may then be seen more than once. The
    /// whole stays a demand: it knows what an ill-defined alternative beside a true one means.
    fn rephrase(
        &mut self,
        unbound: &BTreeSet<Unknown>,
        pending: &[Rc<Literal<'s>>],
        scene: &Scene,
        trouble: &Option<EvalError>,
        found: Found<'_>,
    ) -> Option<Flow> {
        for (i, literal) in pending.iter().enumerate() {
            if let Some((locals, body, truth)) = existential(literal) {
                let mut literals = demoted(pending, i);
                hints(body, truth, &mut literals);
                let mut unbound = unbound.clone();
                unbound.extend(locals.iter().map(|l| Unknown::Local(*l)));
                return Some(self.search(
                    &unbound,
                    &literals,
                    scene.clone(),
                    trouble.clone(),
                    found,
                ));
            }
        }
        let (i, any) = pending
            .iter()
            .enumerate()
            .find_map(|(i, literal)| Some((i, alternatives(literal)?)))?;
        Some((|| {
            for (pred, truth) in any {
                let mut literals = demoted(pending, i);
                hints(pred, truth, &mut literals);
                go!(self.search(unbound, &literals, scene.clone(), trouble.clone(), found));
            }
            Ok(ControlFlow::Continue(()))
        })())
    }
}

/// The same literals, one of them marked: its alternatives are searched from here on.
fn demoted<'s>(literals: &[Rc<Literal<'s>>], index: usize) -> Vec<Rc<Literal<'s>>> {
    let mut literals = literals.to_vec();
    if let Some(literal) = literals.get_mut(index) {
        *literal = Rc::new(Literal { searched: true, ..(**literal).clone() });
    }
    literals
}

fn without<'s>(literals: &[Rc<Literal<'s>>], index: Option<usize>) -> Vec<Rc<Literal<'s>>> {
    let kept = literals.iter().enumerate().filter(|(i, _)| Some(*i) != index);
    kept.map(|(_, literal)| literal.clone()).collect()
}
