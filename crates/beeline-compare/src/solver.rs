//! All solutions of random predicates over small domains, against plain enumeration.
//!
//! The engine plans, propagates and prunes; here every assignment of the product of the domains
//! is simply tried by the judge. Half of the predicates are conditions of set comprehensions, half
//! guards of operations with parameters, which also shows solutions that are found twice.

use crate::build::*;
use crate::count::{Counts, Difference};
use crate::expressions::{engine_state, judge_settings, judge_state};
use crate::grow::Grow;
use crate::outcome::{Outcome, failed};
use crate::random::Random;
use crate::{convert, world};
use beeline_compile::{Builder, ConstantsRef, ExprId, Flow, Scratch, StateRef, System, Truth};
use beeline_judge::{EvalError, Judge, Scene, Value};
use beeline_model::{
    BinaryOp, Binder, CompareOp, Conjunct, Expr, ExprKind, LocalId, Model, Operation, OperationId,
    Pred, PredKind, Subst, SubstKind, TypeTable,
};
use beeline_source::Span;
use beeline_value::Val;
use std::collections::BTreeSet;

/// Predicates of one compiled model.
const BATCH: usize = 24;

/// Assignments that one predicate may have.
const FEW: usize = 200;
const MANY: usize = 6_000;

/// A predicate over small domains.
struct Puzzle {
    locals: Vec<LocalId>,
    domains: Vec<Vec<Value>>,
    condition: Pred,
    asked: Asked,
}

/// How the engine is asked.
enum Asked {
    Set(Expr),
    Guard(OperationId),
}

/// All solutions; or an answer without them.
#[derive(Debug, PartialEq, Eq)]
struct Solutions {
    found: BTreeSet<Vec<Value>>,
    ill_defined: bool,
}

/// Compares one batch of random predicates.
pub fn batch(random: &mut Random, counts: &mut Counts) {
    let mut model = world::model_copy();
    let puzzles: Vec<Puzzle> = (0..BATCH).map(|_| puzzle(&mut model, random)).collect();
    let values = world::state(&model, random);
    let settings = beeline_compile::Settings {
        steps: 2_000_000,
        elements: 2 * MANY,
        ..beeline_compile::Settings::of(&model)
    };
    let Ok(mut builder) = Builder::new(&model, &settings) else {
        counts.differences.push(Difference::new("the guards do not compile", ""));
        return;
    };
    let judge = Judge::new(&model, judge_settings(&model));
    let scene = Scene::of(&judge_state(&model, &values));
    let state = engine_state(builder.system(), &values);
    let mut scratch = builder.system().scratch();
    for puzzle in &puzzles {
        counts.formulas += 1;
        let engine = match &puzzle.asked {
            Asked::Set(set) => match builder.expr(&model, set) {
                Ok(id) => {
                    by_set(builder.system(), id, puzzle.locals.len(), state.view(), &mut scratch)
                }
                Err(errors) => Err(Outcome::Open(format!("engine: {}", errors[0].words))),
            },
            Asked::Guard(id) => by_guard(builder.system(), *id, state.view(), &mut scratch),
        };
        let plain = by_enumeration(&judge, puzzle, &scene);
        compare_answers(&model, puzzle, engine, plain, &values, counts);
    }
}

fn compare_answers(
    model: &Model,
    puzzle: &Puzzle,
    engine: Result<Solutions, Outcome>,
    plain: Result<Solutions, Outcome>,
    values: &[Value],
    counts: &mut Counts,
) {
    let words = match (engine, plain) {
        (Err(Outcome::Open(why)), _) | (_, Err(Outcome::Open(why))) => return counts.open(&why),
        (Ok(a), Ok(b)) => {
            // A set with an ill-defined member has no value; a guard has its other solutions.
            let guard = matches!(puzzle.asked, Asked::Guard(_));
            if a.ill_defined == b.ill_defined && (a.found == b.found || (a.ill_defined && !guard)) {
                match a.ill_defined {
                    true => counts.ill_defined += 1,
                    false => counts.equal += 1,
                }
                return;
            }
            let lost: Vec<_> = b.found.difference(&a.found).take(3).collect();
            let more: Vec<_> = a.found.difference(&b.found).take(3).collect();
            format!(
                "engine: {} solutions, ill-defined {}; enumeration: {}, {}; lost {lost:?}, too many \
                 {more:?}",
                a.found.len(),
                a.ill_defined,
                b.found.len(),
                b.ill_defined
            )
        }
        (a, b) => format!("engine {:?}, enumeration {:?}", a.err(), b.err()),
    };
    let formula = model.show_pred(&puzzle.condition);
    let values = crate::expressions::used_values(model, &formula, values);
    let how = match puzzle.asked {
        Asked::Set(_) => "set",
        Asked::Guard(_) => "guard",
    };
    counts.differences.push(Difference { words: format!("{how}: {words}"), formula, values });
}

/// A random predicate with its domains.
fn puzzle(model: &mut Model, random: &mut Random) -> Puzzle {
    let limit = if random.chance(25) { MANY } else { FEW };
    let wanted = 1 + random.below(4);
    let (mut locals, mut domains, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    let mut product = 1;
    for _ in 0..wanted {
        let mut grow = Grow::new(model, random);
        let (id, set) = grow.domain();
        let judge = Judge::new(model, judge_settings(model));
        let scene = Scene::of(&judge_state(model, &[]));
        let all = judge.eval(&set, &scene).and_then(|v| judge.settle(v));
        let Ok(Value::Set(all)) = all else { continue };
        if all.len() * product > limit {
            continue;
        }
        product *= all.len();
        parts.push(compare(CompareOp::Member, local(id, model.local(id).ty), set));
        domains.push(all.iter().cloned().collect());
        locals.push(id);
    }
    if locals.is_empty() {
        let mut grow = Grow::new(model, random);
        let (id, set) = grow.small_domain();
        parts.push(compare(CompareOp::Member, local(id, model.local(id).ty), set));
        domains.push((-2..=3).map(Value::int).collect());
        locals.push(id);
    }
    parts.extend(Grow::new(model, random).conditions(&locals));
    if random.chance(30) {
        let mut grow = Grow::new(model, random);
        parts.extend((0..1 + grow.random.below(2)).map(|_| grow.partial_condition(&locals)));
    }
    if random.chance(20) {
        parts.reverse();
    }
    let condition = all(parts);
    let asked = match random.chance(50) {
        true => Asked::Set(comprehension(model, &locals, &condition)),
        false => Asked::Guard(guard(model, &locals, &condition)),
    };
    Puzzle { locals, domains, condition, asked }
}

fn comprehension(model: &mut Model, locals: &[LocalId], condition: &Pred) -> Expr {
    let mut ty = model.local(locals[0]).ty;
    for l in &locals[1..] {
        let right = model.local(*l).ty;
        ty = model.types.pair(ty, right);
    }
    let ty = model.types.power(ty);
    let binder = Binder { locals: locals.to_vec(), predicate: condition.clone(), symbolic: false };
    make(ExprKind::Comprehension(Box::new(binder)), ty)
}

/// A new operation `PRE condition THEN skip END`.
fn guard(model: &mut Model, locals: &[LocalId], condition: &Pred) -> OperationId {
    let conjuncts: Vec<Conjunct> = condition
        .clone()
        .into_conjuncts()
        .into_iter()
        .map(|pred| Conjunct { pred, label: None, span: Span::NONE })
        .collect();
    let skip = Subst { kind: SubstKind::Skip, span: Span::NONE };
    let body = Subst { kind: SubstKind::Pre(conjuncts, Box::new(skip)), span: Span::NONE };
    add_operation(model, locals.to_vec(), body)
}

/// Adds an operation to the model.
pub(crate) fn add_operation(
    model: &mut Model,
    parameters: Vec<LocalId>,
    body: Subst,
) -> OperationId {
    let id = OperationId(model.operations.len() as u32);
    let footprint = beeline_model::Footprint::of_subst(&body);
    model.operations.push(Operation {
        name: format!("op{}", id.0).into(),
        parameters,
        results: Vec::new(),
        body,
        reads: footprint.reads,
        writes: footprint.writes,
        refines: Vec::new(),
        inherited: Vec::new(),
        lost_preconditions: Vec::new(),
        component: beeline_model::ComponentId(0),
        span: Span::NONE,
    });
    if let Some(level) = model.levels.last_mut() {
        level.operations.push(id);
    }
    id
}

fn by_set(
    system: &System,
    id: ExprId,
    names: usize,
    state: StateRef<'_>,
    scratch: &mut Scratch,
) -> Result<Solutions, Outcome> {
    let val = match system.value(id, ConstantsRef(&[]), Some(state), scratch) {
        Ok(val) => val,
        Err(Truth::Undefined(_)) => {
            return Ok(Solutions { found: BTreeSet::new(), ill_defined: true });
        }
        Err(truth) => return Err(crate::outcome::undecided(truth)),
    };
    let Some(Value::Set(tuples)) = convert::value(system.store(), val) else {
        return Err(Outcome::Open("engine: not listed".to_owned()));
    };
    let found = tuples.iter().filter_map(|t| t.untuple(names)).collect();
    Ok(Solutions { found, ill_defined: false })
}

fn by_guard(
    system: &System,
    id: OperationId,
    state: StateRef<'_>,
    scratch: &mut Scratch,
) -> Result<Solutions, Outcome> {
    let Some(index) = system.index_of(id) else {
        return Err(Outcome::Broken("engine: no operation".to_owned()));
    };
    let mut found = BTreeSet::new();
    let mut twice = false;
    let answer = system.successors_of(index, ConstantsRef(&[]), state, scratch, &mut |step| {
        let values: Option<Vec<Value>> = step
            .arguments
            .iter()
            .map(|w| convert::value(system.store(), Val::from_raw(w)))
            .collect();
        twice |= !values.is_some_and(|v| found.insert(v));
        Flow::More
    });
    if let Some(cut) = answer.cuts.first() {
        return Err(Outcome::Open(format!("engine: {}", cut.words)));
    }
    if twice {
        return Err(Outcome::Broken("engine: a solution twice".to_owned()));
    }
    Ok(Solutions { found, ill_defined: !answer.faults.is_empty() })
}

/// Every assignment of the domains, one after the other.
fn by_enumeration(judge: &Judge<'_>, puzzle: &Puzzle, scene: &Scene) -> Result<Solutions, Outcome> {
    let mut solutions = Solutions { found: BTreeSet::new(), ill_defined: false };
    let mut at = vec![0; puzzle.domains.len()];
    if puzzle.domains.iter().any(Vec::is_empty) {
        return Ok(solutions);
    }
    loop {
        let values: Vec<Value> =
            at.iter().zip(&puzzle.domains).map(|(i, d)| d[*i].clone()).collect();
        let mut inner = scene.clone();
        for (id, value) in puzzle.locals.iter().zip(&values) {
            inner.bind(*id, value.clone());
        }
        judge.refill();
        match judge.holds(&puzzle.condition, &inner) {
            Ok(true) => {
                solutions.found.insert(values);
            }
            Ok(false) => {}
            Err(EvalError::IllDefined { .. }) => solutions.ill_defined = true,
            Err(error) => return Err(failed(error)),
        }
        if let Some(note) = judge.take_notes().first() {
            return Err(Outcome::Open(format!("judge: {:?}", note.kind)));
        }
        // The next assignment, as an odometer counts.
        let mut wheel = 0;
        loop {
            let Some(position) = at.get_mut(wheel) else { return Ok(solutions) };
            *position += 1;
            if *position < puzzle.domains[wheel].len() {
                break;
            }
            *position = 0;
            wheel += 1;
        }
    }
}

impl Grow<'_> {
    /// A new name and a small set for it.
    fn domain(&mut self) -> (LocalId, Expr) {
        use BinaryOp as B;
        let (ss, tt) = (self.given(0), self.given(1));
        let bools = self.booleans();
        let (low, high) = (self.random.below(3) as i64 - 2, self.random.below(4) as i64);
        let ints = self.interval(low, high);
        let simple = [ss.clone(), tt.clone(), bools.clone(), ints.clone(), ints.clone()];
        let set = match self.random.below(9) {
            0 => ss,
            1 => bools,
            2..=4 => ints,
            5 => {
                let of = self.random.pick(&simple);
                self.subsets(of)
            }
            _ => {
                let op = self.random.pick(&[
                    B::PartialFunctions,
                    B::TotalFunctions,
                    B::TotalFunctions,
                    B::TotalInjections,
                    B::TotalSurjections,
                    B::TotalBijections,
                    B::Relations,
                ]);
                let from = self.random.pick(&[ss, tt.clone(), bools]);
                let to = self.random.pick(&[tt, ints]);
                self.arrows(op, from, to)
            }
        };
        self.name_in(set)
    }

    /// A condition that has no meaning for some values of the names.
    fn partial_condition(&mut self, locals: &[LocalId]) -> Pred {
        let (id, ty) = {
            let id = self.random.pick(locals);
            (id, self.model.local(id).ty)
        };
        let name = local(id, ty);
        let halves = self.model.types.element(ty).and_then(|t| self.model.types.halves(t));
        let term = match halves {
            Some((from, to)) => {
                let keys: Vec<LocalId> =
                    locals.iter().copied().filter(|l| self.model.local(*l).ty == from).collect();
                let key = match keys.is_empty() || self.random.chance(50) {
                    true => world::literal(self.model, from, 1, self.random),
                    false => local(self.random.pick(&keys), from),
                };
                apply(name, key, to)
            }
            None if ty == TypeTable::INTEGER && self.random.chance(60) => {
                let op = self.random.pick(&[BinaryOp::Divide, BinaryOp::Modulo]);
                binary(op, integer(self.random.below(9) as i64 - 1), name, ty)
            }
            None => {
                let table = world::function(self.model, (ty, TypeTable::INTEGER), self.random);
                let pair = self.model.types.pair(ty, TypeTable::INTEGER);
                let power = self.model.types.power(pair);
                apply(world::quote(self.model, &table, power), name, TypeTable::INTEGER)
            }
        };
        let other = world::literal(self.model, term.ty, 1, self.random);
        let op = self.random.pick(&[CompareOp::Equal, CompareOp::NotEqual]);
        let condition = compare(op, term, other);
        let beside = self.conditions(locals).swap_remove(0);
        match self.random.below(8) {
            0 => truth(PredKind::Not(Box::new(condition))),
            1 => truth(PredKind::Or(vec![condition, beside])),
            2 => truth(PredKind::Implies(Box::new(condition), Box::new(beside))),
            3 => truth(PredKind::Equivalent(Box::new(condition), Box::new(beside))),
            4 => {
                let inner = make(ExprKind::BoolOf(Box::new(condition)), TypeTable::BOOL);
                let wanted = make(ExprKind::Bool(self.random.chance(50)), TypeTable::BOOL);
                compare(CompareOp::Equal, inner, wanted)
            }
            _ => condition,
        }
    }

    fn small_domain(&mut self) -> (LocalId, Expr) {
        let set = self.interval(-2, 3);
        self.name_in(set)
    }
}
