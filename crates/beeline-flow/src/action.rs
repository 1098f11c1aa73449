//! What an operation does, as paths: on each some conditions hold in the state before, and variables get new
//! values in terms of it. Choices inside (`ANY`, `::`, `:|`) become parameters of the path, so that each path
//! is deterministic.

use crate::make;
use crate::replace::{Values, is_large};
use beeline_model::{
    Access, Assignment, Call, CompareOp, Conjunct, Expr, ExprKind, Footprint, Local, LocalId,
    Model, OperationId, Place, Pred, PredKind, Subst, SubstKind, Target, VariableId,
};
use beeline_source::Span;

/// An operation of more paths is not looked at.
const MAX_PATHS: usize = 24;
/// Calls inside calls are followed so far.
const MAX_CALLS: u32 = 8;

/// One way through an operation.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Choices that were made parameters, beside those of the operation.
    pub chosen: Vec<LocalId>,
    /// What holds in the state before, so that the path is taken.
    pub conditions: Vec<Pred>,
    /// Those of them that choose between paths.
    pub branch: Vec<Pred>,
    /// New values, in terms of the state before.
    pub after: Vec<(VariableId, Expr)>,
}

/// All ways through an operation, or through initialisation.
#[derive(Clone, Debug)]
pub struct Action {
    /// The operation; without one, initialisation.
    pub operation: Option<OperationId>,
    /// Its paths.
    pub paths: Vec<Path>,
}

/// What is being followed: conditions so far, and values of places.
#[derive(Clone, Default)]
struct Walk {
    path: Path,
    values: Values,
}

/// The paths of an operation; `None` if there are too many. New names are added to the model.
pub(crate) fn operation(model: &mut Model, id: OperationId) -> Option<Action> {
    let operation = model.operation(id).clone();
    let (guard, rest) = operation.guard();
    let mut walk = Walk::default();
    walk.assume(guard.into_iter());
    let walks = Maker { model, calls: 0 }.subst(rest, vec![walk])?;
    Some(Action { operation: Some(id), paths: walks.into_iter().map(Walk::done).collect() })
}

/// The paths of initialisation: what they speak of are constants and choices alone.
pub(crate) fn initialisation(model: &mut Model) -> Option<Action> {
    let steps = model.concrete().initialisation.clone();
    let mut walks = vec![Walk::default()];
    for (_, s) in &steps {
        walks = Maker { model, calls: 0 }.subst(s, walks)?;
    }
    Some(Action { operation: None, paths: walks.into_iter().map(Walk::done).collect() })
}

impl Walk {
    fn assume<'c>(&mut self, conditions: impl Iterator<Item = &'c Conjunct>) {
        for c in conditions {
            let p = self.values.pred(&c.pred);
            self.path.conditions.extend(p.into_conjuncts());
        }
    }

    fn branch(&mut self, p: Pred) {
        self.path.branch.push(p.clone());
        self.path.conditions.extend(p.into_conjuncts());
    }

    fn done(self) -> Path {
        let Walk { mut path, values } = self;
        let variables = values.iter().filter_map(|(place, e)| match place {
            Place::Variable(v) => Some((v, e.clone())),
            Place::Local(_) => None,
        });
        path.after = variables.collect();
        path
    }
}

struct Maker<'m> {
    model: &'m mut Model,
    calls: u32,
}

impl Maker<'_> {
    fn subst(&mut self, s: &Subst, mut walks: Vec<Walk>) -> Option<Vec<Walk>> {
        if walks.len() > MAX_PATHS
            || walks.iter().any(|w| w.values.iter().any(|(_, e)| is_large(e)))
        {
            return None;
        }
        match &s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(list) => walks.iter_mut().for_each(|w| self.assign(w, list)),
            SubstKind::BecomesElement(places, set) => {
                walks.iter_mut().for_each(|w| self.element(w, places, set));
            }
            SubstKind::BecomesSuch(such) => {
                for w in &mut walks {
                    let fresh: Vec<Expr> = such.places.iter().map(|p| self.choose(w, *p)).collect();
                    let names = such.after.iter().copied().zip(fresh.iter().cloned());
                    let p = Values::renaming(names).pred(&w.values.pred(&such.predicate));
                    w.path.conditions.extend(p.into_conjuncts());
                    such.places.iter().zip(fresh).for_each(|(p, e)| w.values.set(*p, e));
                }
            }
            SubstKind::Pre(conditions, body) | SubstKind::Assert(_, conditions, body) => {
                walks.iter_mut().for_each(|w| w.assume(conditions.iter()));
                return self.subst(body, walks);
            }
            SubstKind::Any(names, conditions, body) => {
                for w in &mut walks {
                    for name in names {
                        // What is called twice chooses twice.
                        if w.path.chosen.contains(name) {
                            let value = self.choose(w, Place::Local(*name));
                            w.values.set(Place::Local(*name), value);
                        } else {
                            w.path.chosen.push(*name);
                        }
                    }
                    w.assume(conditions.iter());
                }
                return self.subst(body, walks);
            }
            SubstKind::Let(equations, body) => {
                for w in &mut walks {
                    for (name, e) in equations {
                        let value = w.values.expr(e);
                        w.values.set(Place::Local(*name), value);
                    }
                }
                return self.subst(body, walks);
            }
            SubstKind::Var(_, body) => return self.subst(body, walks),
            SubstKind::If(branches, otherwise) => return self.branches(branches, otherwise, walks),
            SubstKind::Select(branches, otherwise) => {
                return self.select(branches, otherwise, walks);
            }
            SubstKind::Choice(list) => {
                let mut all = Vec::new();
                for s in list {
                    all.extend(self.subst(s, walks.clone())?);
                }
                return (all.len() <= MAX_PATHS).then_some(all);
            }
            SubstKind::Sequence(list) => {
                for s in list {
                    walks = self.subst(s, walks)?;
                }
            }
            SubstKind::Parallel(list) => return self.parallel(list, walks),
            SubstKind::Call(call) => return self.call(call, s, walks),
            SubstKind::Case(..) | SubstKind::While(_) | SubstKind::External(..) => {
                walks.iter_mut().for_each(|w| self.forget(w, s));
            }
        }
        Some(walks)
    }

    fn branches(
        &mut self,
        branches: &[(Pred, Subst)],
        otherwise: &Option<Box<Subst>>,
        mut walks: Vec<Walk>,
    ) -> Option<Vec<Walk>> {
        let mut all = Vec::new();
        for (condition, s) in branches {
            let mut own = walks.clone();
            own.iter_mut().for_each(|w| w.branch(w.values.pred(condition)));
            all.extend(self.subst(s, own)?);
            walks.iter_mut().for_each(|w| w.branch(make::not(w.values.pred(condition))));
        }
        match otherwise {
            Some(s) => all.extend(self.subst(s, walks)?),
            None => all.extend(walks),
        }
        (all.len() <= MAX_PATHS).then_some(all)
    }

    fn select(
        &mut self,
        branches: &[(Vec<Conjunct>, Subst)],
        otherwise: &Option<Box<Subst>>,
        mut walks: Vec<Walk>,
    ) -> Option<Vec<Walk>> {
        let mut all = Vec::new();
        for (conditions, s) in branches {
            let mut own = walks.clone();
            for w in &mut own {
                let p = make::and(conditions.iter().map(|c| w.values.pred(&c.pred)).collect());
                if branches.len() > 1 || otherwise.is_some() {
                    w.branch(p)
                } else {
                    w.assume(conditions.iter())
                }
            }
            all.extend(self.subst(s, own)?);
        }
        if let Some(s) = otherwise {
            for (conditions, _) in branches {
                for w in &mut walks {
                    let p = make::and(conditions.iter().map(|c| w.values.pred(&c.pred)).collect());
                    w.branch(make::not(p));
                }
            }
            all.extend(self.subst(s, walks)?);
        }
        (all.len() <= MAX_PATHS).then_some(all)
    }

    /// Every part sees the values before all of them.
    fn parallel(&mut self, list: &[Subst], walks: Vec<Walk>) -> Option<Vec<Walk>> {
        let written: Vec<Vec<VariableId>> = list.iter().map(|s| self.writes(s)).collect();
        let mut done = Vec::new();
        for start in walks {
            let mut together = vec![start.clone()];
            for s in list {
                let mut next = Vec::new();
                for w in together {
                    let path = w.path.clone();
                    let alone = Walk { path, values: start.values.clone() };
                    for mut after in self.subst(s, vec![alone])? {
                        let mut values = w.values.clone();
                        let changed =
                            after.values.iter().filter(|(p, e)| start.values.get(*p) != Some(*e));
                        changed.for_each(|(p, e)| values.set(p, e.clone()));
                        after.values = values;
                        next.push(after);
                    }
                }
                together = next;
            }
            // What several parts write is not looked into.
            for w in &mut together {
                for (i, own) in written.iter().enumerate() {
                    for v in own {
                        if written.iter().skip(i + 1).any(|o| o.contains(v)) {
                            let value = self.choose(w, Place::Variable(*v));
                            w.values.set(Place::Variable(*v), value);
                        }
                    }
                }
            }
            done.extend(together);
        }
        (done.len() <= MAX_PATHS).then_some(done)
    }

    /// A call is the body of what is called, with values for its parameters.
    fn call(&mut self, call: &Call, whole: &Subst, mut walks: Vec<Walk>) -> Option<Vec<Walk>> {
        let callee = self.model.operation(call.operation).clone();
        let plain = call.results.iter().all(|t| t.path.is_empty());
        if !plain || self.calls >= MAX_CALLS {
            walks.iter_mut().for_each(|w| self.forget(w, whole));
            return Some(walks);
        }
        for w in &mut walks {
            for (name, e) in callee.parameters.iter().zip(&call.arguments) {
                let value = w.values.expr(e);
                w.values.set(Place::Local(*name), value);
            }
        }
        self.calls += 1;
        let done = self.subst(&callee.body, walks);
        self.calls -= 1;
        let mut walks = done?;
        for w in &mut walks {
            for (name, target) in callee.results.iter().zip(&call.results) {
                match w.values.get(Place::Local(*name)).cloned() {
                    Some(value) => w.values.set(target.place, value),
                    None => {
                        let value = self.choose(w, target.place);
                        w.values.set(target.place, value);
                    }
                }
            }
        }
        Some(walks)
    }

    fn writes(&self, s: &Subst) -> Vec<VariableId> {
        let footprint = Footprint::of_subst(s);
        let mut all = footprint.writes;
        for call in footprint.calls {
            all.extend(&self.model.operation(call).writes);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whatever a substitution writes gets any value: that is always right.
    fn forget(&mut self, w: &mut Walk, s: &Subst) {
        let mut places: Vec<Place> = self.writes(s).into_iter().map(Place::Variable).collect();
        locals_written(s, &mut places);
        for place in places {
            let value = self.choose(w, place);
            w.values.set(place, value);
        }
    }

    /// A new parameter that stands for the new value of a place.
    fn choose(&mut self, w: &mut Walk, place: Place) -> Expr {
        let (name, ty) = match place {
            Place::Variable(v) => (self.model.variable(v).name.clone(), self.model.variable(v).ty),
            Place::Local(l) => (self.model.local(l).name.clone(), self.model.local(l).ty),
        };
        let local = LocalId(self.model.locals.len() as u32);
        let name = format!("{name}'").into();
        self.model.locals.push(Local { name, ty, span: Span::NONE });
        w.path.chosen.push(local);
        make::expr(ExprKind::Local(local), ty)
    }

    fn element(&mut self, w: &mut Walk, places: &[Place], set: &Expr) {
        let set = w.values.expr(set);
        let fresh: Vec<Expr> = places.iter().map(|p| self.choose(w, *p)).collect();
        if let [one] = &fresh[..] {
            w.path.conditions.push(make::compare(CompareOp::Member, one.clone(), set));
        }
        // Of several at once no more is known than that they are some values.
        places.iter().zip(fresh).for_each(|(p, e)| w.values.set(*p, e));
    }

    fn assign(&mut self, w: &mut Walk, list: &[Assignment]) {
        let mut new: Vec<(Place, Option<Expr>)> = Vec::new();
        for a in list {
            let value = w.values.expr(&a.value);
            let value = self.changed(w, &a.target, value);
            match new.iter_mut().find(|(p, _)| *p == a.target.place) {
                Some(twice) => twice.1 = None,
                None => new.push((a.target.place, value)),
            }
        }
        for (place, value) in new {
            let value = value.unwrap_or_else(|| self.choose(w, place));
            w.values.set(place, value);
        }
    }

    /// The whole new value of a place of which a part is assigned.
    fn changed(&self, w: &Walk, target: &Target, value: Expr) -> Option<Expr> {
        let old = match target.place {
            Place::Variable(v) => {
                let plain = make::expr(ExprKind::Variable(v), self.model.variable(v).ty);
                w.values.get(target.place).cloned().unwrap_or(plain)
            }
            Place::Local(l) => {
                let plain = make::expr(ExprKind::Local(l), self.model.local(l).ty);
                w.values.get(target.place).cloned().unwrap_or(plain)
            }
        };
        let value = match value.kind {
            ExprKind::External(..) | ExprKind::OperationCall(..) => return None,
            _ => value,
        };
        match &target.path[..] {
            [] => Some(value),
            [Access::Index(index)] => {
                make::overridden(self.model, old, w.values.expr(index), value)
            }
            [Access::Index(outer), Access::Index(inner)] => {
                let outer = w.values.expr(outer);
                let before = make::apply(self.model, old.clone(), outer.clone())?;
                let inside = make::overridden(self.model, before, w.values.expr(inner), value)?;
                make::overridden(self.model, old, outer, inside)
            }
            [Access::Field(at)] => make::with_field(self.model, old, *at, value),
            _ => None,
        }
    }
}

/// Names of `VAR` and results that a substitution changes.
fn locals_written(s: &Subst, places: &mut Vec<Place>) {
    match &s.kind {
        SubstKind::BecomesElement(list, _) => places.extend(list.iter().filter(|p| is_local(p))),
        SubstKind::BecomesSuch(such) => places.extend(such.places.iter().filter(|p| is_local(p))),
        _ => {}
    }
    s.parts(&mut |part| match part {
        beeline_model::Part::Subst(inner) => locals_written(inner, places),
        beeline_model::Part::Target(t) if is_local(&t.place) => places.push(t.place),
        _ => {}
    });
    places.dedup();
}

fn is_local(place: &Place) -> bool {
    matches!(place, Place::Local(_))
}

/// Does a formula depend on nothing but names? Calls of something outside may not.
pub(crate) fn is_pure(p: &Pred) -> bool {
    struct Calls(bool);
    impl beeline_model::Mentions for Calls {
        fn enter(&mut self, e: &Expr) -> bool {
            self.0 |= matches!(e.kind, ExprKind::External(..) | ExprKind::OperationCall(..));
            true
        }
        fn enter_pred(&mut self, p: &Pred) {
            self.0 |= matches!(p.kind, PredKind::External(..));
        }
    }
    let mut calls = Calls(false);
    beeline_model::visit_pred(p, &mut calls);
    !calls.0
}
