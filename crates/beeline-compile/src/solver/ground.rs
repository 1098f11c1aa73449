//! Templates to constraints over finite domains, and solutions back to values.

use super::problem::{F, Problem, Range, Source, T, Unknown};
use super::sense::Sense;
use crate::answer::{CutReason, Stop};
use crate::eval::frame::{Frame, Sink, Solutions};
use crate::eval::query::{Query, unbounded_words};
use crate::eval::sets::{self, CLOSURE, INTEGER, NATURAL, NATURAL1, SPACE1, SPACE2, split, tuple};
use crate::settings::Settings;
use beeline_model::{BinaryOp, CompareOp, Type, UnaryOp};
use beeline_plan::{Arrow, arrow};
use beeline_solve::{Domain, Form, Space, Table, Term, Var};
use beeline_source::Span;
use beeline_value::{Elems, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

mod breaking;
mod candidates;
mod cliques;
mod functional;
mod prepare;
mod shape;
mod term;
mod truth;

use prepare::prepare;

/// A value that is not all known.
#[derive(Clone)]
enum V {
    Known(Val),
    /// An integer.
    Int(Term),
    /// A boolean (no set) or an element of a given set, by index.
    Atom(Option<u32>, Term),
    Pair(Box<V>, Box<V>),
    /// Candidates and when they are in.
    Set(Vec<(Val, Form)>),
    /// Keys, when they are defined, and their values.
    Function(Vec<(Val, Form, V)>),
    /// `{a, b, …}`
    Extension(Vec<V>),
    /// One of these, by the number that the term has.
    Listed(Term, Arc<[(i64, Val)]>),
}

/// A set may have this many candidates.
const MAX_CANDIDATES: usize = 20_000;
/// A bound of a wide variable beyond this is none.
const NEAR: u64 = 1_000_000;
/// As many values in a row may be excluded by name.
const EXCLUDED: i64 = 64;

/// Not expressible, or a stop.
enum Fail {
    No,
    Stop(Stop),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

type Got<T> = Result<T, Fail>;

/// Receives the bindings of a range.
type Body<'s, 'k> = &'k mut dyn FnMut(&mut Grounding, &mut Frame<'s>, Form) -> Got<()>;

/// Candidates without a meaning that are tried. One shows that the model is at fault; more are
/// only for those who ask what else holds of them.
const WITNESSES: usize = 64;
/// As many atoms are asked one by one for candidates without a meaning, more all at once.
const ONE_BY_ONE: usize = 32;
/// What the search for such a candidate may cost, beside a multiple of the search for solutions.
const DOUBT_STEPS: u64 = 2_000_000;

/// So many candidates of a plan are tried before something is left out.
const WORTH_TRYING: f64 = 1e6;
/// No number is between these.
const NONE: (i64, i64) = (1, 0);

/// A problem in finite domains.
struct Ready {
    /// All atoms with a meaning everywhere are posted.
    space: Space,
    names: Vec<V>,
    /// Atoms that are not constraints and must be tested.
    tests: Vec<usize>,
    /// Atoms that have no meaning for some candidates.
    partial: Vec<(usize, Sense)>,
    /// Variables that others determine: no choice is made of them.
    shadows: FxHashSet<Var>,
}

#[derive(Clone)]
struct Grounding {
    space: Space,
    names: Vec<V>,
    /// Conditions under which the terms of the present comparison have a meaning.
    sides: Vec<Form>,
    /// Sets of tuples as constraints in extension.
    tables: FxHashMap<Val, Arc<Table>>,
    /// Variables that others determine.
    shadows: FxHashSet<Var>,
}

impl Solutions for Problem {
    fn run<'s>(&self, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop> {
        match prepare(f, self) {
            Ok(Some(ready)) => ready.search(f, self, k),
            Ok(None) => self.fallback.run(f, k),
            // A part has no meaning: the plan knows what that means beside the others.
            Err(Stop::Fault(_)) => self.fallback.run(f, k),
            Err(stop) => Err(stop),
        }
    }
}

impl Ready {
    /// Calls `k` with each solution, then with candidates that have no meaning, if there are any.
    pub fn search<'s>(
        self,
        f: &mut Frame<'s>,
        problem: &Problem,
        k: Sink<'s, '_>,
    ) -> Result<(), Stop> {
        let plan = &problem.fallback;
        let has_wide = (0..self.space.len()).any(|v| self.space.domain(v).is_wide());
        if plan.unbounded || plan.fanout > WORTH_TRYING || !has_wide {
            return self.found(f, problem, None, k);
        }
        // A number that propagation does not bound would be tried within some bounds, and the rest
        // left out: the plan has an end, and leaves nothing out.
        let (blind, mut told) = (Cell::new(false), FxHashSet::default());
        let names = |f: &Frame<'_>| -> Vec<Val> {
            problem.unknowns.iter().map(|u| f.slots[u.slot]).collect()
        };
        let outcome = self.found(f, problem, Some(&blind), &mut |f, stop| {
            told.insert(names(f));
            k(f, stop)
        });
        if !blind.get() {
            return outcome;
        }
        plan.run(f, &mut |f, stop| if told.contains(&names(f)) { Ok(()) } else { k(f, stop) })
    }

    /// The same. If `blind` is given, it is set, and all ends, before a number without bounds is tried.
    fn found<'s>(
        mut self,
        f: &mut Frame<'s>,
        problem: &Problem,
        blind: Option<&Cell<bool>>,
        k: Sink<'s, '_>,
    ) -> Result<(), Stop> {
        let partial = std::mem::take(&mut self.partial);
        if partial.is_empty() {
            return self.solutions(f, problem, blind, k);
        }
        let steps = f.steps;
        let mut strict = self.clone_space();
        partial.iter().for_each(|(_, sense)| strict.space.post(sense.holds.clone()));
        // First where everything has a meaning: what is told of candidates without one comes after
        // all solutions, and keeps none of them from being found.
        strict.solutions(f, problem, blind, k)?;
        if blind.is_some_and(Cell::get) {
            return Ok(());
        }
        // In proportion to what the solutions took: looking for doubts must not become the main
        // work.
        let allowed = f.steps.min(DOUBT_STEPS.saturating_add((steps - f.steps).saturating_mul(4)));
        let kept = f.steps - allowed;
        f.steps = allowed;
        let outcome = self.doubts(f, problem, &partial, k);
        f.steps += kept;
        outcome
    }

    /// The candidates that no conjunct rules out although one of them has no meaning.
    ///
    /// Propagation takes what has no meaning for false; without this look nobody would be told.
    fn doubts<'s>(
        mut self,
        f: &mut Frame<'s>,
        problem: &Problem,
        partial: &[(usize, Sense)],
        k: Sink<'s, '_>,
    ) -> Result<(), Stop> {
        self.tests.extend(partial.iter().map(|(i, _)| *i));
        partial.iter().for_each(|(_, sense)| self.space.post(sense.not_false()));
        // A name that only the domain of a function bounds is not looked for outside of it.
        if self.space.propagate().is_err()
            || (0..self.space.len()).any(|v| self.space.domain(v).is_wide())
        {
            return Ok(());
        }
        let undefined: Vec<Form> = match partial.len() {
            0..=ONE_BY_ONE => partial.iter().map(|(_, sense)| sense.undefined.clone()).collect(),
            _ => vec![Form::or(partial.iter().map(|(_, sense)| sense.undefined.clone()).collect())],
        };
        let mut found: FxHashSet<Vec<Val>> = FxHashSet::default();
        for form in undefined {
            let mut asked = self.clone_space();
            asked.space.post(form);
            let mut enough = false;
            let outcome = asked.solutions(f, problem, None, &mut |f, pending| {
                let names = problem.unknowns.iter().map(|u| f.slots[u.slot]).collect();
                if !found.insert(names) {
                    return Ok(());
                }
                if pending.is_some() && found.len() > WITNESSES {
                    let span = problem.unknowns.first().map_or(Span::NONE, |u| u.span);
                    let words = "many candidates are not well-defined, not all were tried";
                    f.note_cut(CutReason::LargeSet, span, words);
                    enough = true;
                    return Err(Stop::Enough);
                }
                k(f, pending)
            });
            match outcome {
                Err(Stop::Enough) if enough => return Ok(()),
                other => other?,
            }
        }
        Ok(())
    }

    fn clone_space(&self) -> Ready {
        Ready {
            space: self.space.clone(),
            names: self.names.clone(),
            tests: self.tests.clone(),
            partial: Vec::new(),
            shadows: self.shadows.clone(),
        }
    }

    /// Calls `k` with each assignment that satisfies what is posted, and that no test rules out.
    fn solutions<'s>(
        mut self,
        f: &mut Frame<'s>,
        problem: &Problem,
        blind: Option<&Cell<bool>>,
        k: Sink<'s, '_>,
    ) -> Result<(), Stop> {
        let span = problem.unknowns.first().map_or(Span::NONE, |u| u.span);
        if self.space.propagate().is_err() {
            return Ok(());
        }
        let chosen = |var: &Var| !self.shadows.contains(var);
        let mut order: Vec<Var> = (0..self.space.len()).filter(chosen).collect();
        let named = problem.unknowns.iter().zip(&self.names);
        let turns: FxHashMap<Var, _> = named
            .filter_map(|(unknown, shape)| number(shape).map(|var| (var, unknown.turn)))
            .collect();
        // Numbers without bounds come last, in the order of the plan: by then others may have
        // bounded them.
        order.sort_by_key(|var| turns.get(var).filter(|_| self.space.domain(*var).is_wide()));
        let Ready { mut space, names, tests, .. } = self;
        // Before the search: values of others would rule out more, in one branch only.
        let beyond = excluded(&mut space, f.rt.settings.max_int);
        let weight: u64 = names.iter().map(weight).sum();
        let mut paid = 0;
        let mut passed: Vec<Option<Vec<Val>>> = vec![None; tests.len()];
        // Inner searches have nothing to do with the aim of this one.
        let aim = Cell::new(f.aim.take());
        let worth = aim.get().and_then(|aim| {
            let place = problem.unknowns.iter().position(|u| u.slot == aim.slot)?;
            scalar(f, &names[place])
        });
        // Both callbacks need the frame, one after the other.
        let frame = RefCell::new(f);
        space.solve_within(
            &order,
            &mut |domain, var| match blind {
                Some(blind) => {
                    // An empty range ends the search at once; that this is no answer is what
                    // `blind` says.
                    blind.set(true);
                    Some(NONE)
                }
                None => Some(narrowed(&mut frame.borrow_mut(), domain, beyond.get(&var), span)),
            },
            &mut |space| {
                if blind.is_some_and(Cell::get) {
                    return Err(Stop::Enough);
                }
                let mut f = frame.borrow_mut();
                // By work and not by nodes: propagation in one of them may take long.
                f.pay(1 + space.work - paid, span)?;
                paid = space.work;
                if let (Some(aim), Some(worth)) = (aim.get(), &worth) {
                    let (lo, hi) = space.bounds(worth);
                    // A bound, not a guess: nothing below this node can be better.
                    if !aim.may_improve(lo, hi) {
                        return Ok(false);
                    }
                }
                for (n, &test) in tests.iter().enumerate() {
                    let atom = &problem.atoms[test];
                    let mut values = Vec::with_capacity(atom.names.len());
                    for &name in &atom.names {
                        match value(&f, space, &names[name]) {
                            Some(v) => values.push(v),
                            None => break,
                        }
                    }
                    // A test may be long, and its names seldom change from one node of the search
                    // to the next.
                    if values.len() < atom.names.len() || passed[n].as_ref() == Some(&values) {
                        continue;
                    }
                    for (&name, &v) in atom.names.iter().zip(&values) {
                        f.slots[problem.unknowns[name].slot] = v;
                    }
                    match (atom.test)(&mut f) {
                        Ok(true) => passed[n] = Some(values),
                        Ok(false) => return Ok(false),
                        // Told again when the solution is complete.
                        Err(Stop::Fault(_)) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(true)
            },
            &mut |space| {
                let mut f = frame.borrow_mut();
                // Building the values is work as well: there may be very many solutions.
                f.pay(weight, span)?;
                for (unknown, shape) in problem.unknowns.iter().zip(&names) {
                    match value(&f, space, shape) {
                        Some(v) => f.slots[unknown.slot] = v,
                        None => return Ok(()),
                    }
                }
                let mut pending = None;
                for &test in &tests {
                    match (problem.atoms[test].test)(&mut f) {
                        Ok(true) => {}
                        Ok(false) => return Ok(()),
                        Err(stop @ Stop::Fault(_)) => {
                            stop.join(&mut pending);
                        }
                        Err(stop) => return Err(stop),
                    }
                }
                if let (Some(mut goal), Some(worth), None) = (aim.get(), &worth, &pending) {
                    // From here on only what beats this one is worth a look.
                    goal.best = Some(space.bounds(worth).0);
                    aim.set(Some(goal));
                }
                k(&mut f, pending)
            },
        )
    }
}

/// What a variable without bounds is tried within, which is noted; and `beyond` `MAXINT` if it may be.
fn narrowed(f: &mut Frame<'_>, domain: &Domain, beyond: Option<&i64>, span: Span) -> (i64, i64) {
    let (lo, mut hi) = tried(domain, &f.rt.settings);
    if !domain.has_high() && hi == f.rt.settings.max_int {
        hi += beyond.copied().unwrap_or(0);
    }
    f.note_cut(CutReason::LargeSet, span, unbounded_words(lo, hi));
    (lo, hi)
}

/// For each variable without an upper bound, how many values from `MAXINT` on it cannot have: where
/// the last one that is tried is ruled out, so that nothing beyond it would be seen, the next that is
/// not comes in its place. What the value of another one rules out does not count.
fn excluded(space: &mut Space, value: i64) -> FxHashMap<Var, i64> {
    let unlimited = |d: &Domain| d.is_wide() && !d.has_high() && d.contains(value);
    let wide: Vec<Var> = (0..space.len()).filter(|v| unlimited(space.domain(*v))).collect();
    let mut possible = |var: Var, n: i64| space.suppose(var, value + n, |_| ()).is_some();
    let first = |var| (0..EXCLUDED).find(|n| possible(var, *n)).map(|n| (var, n));
    wide.into_iter().filter_map(first).collect()
}

/// What a wide domain is tried within: `MININT..MAXINT`, or up to its bound where it has one.
fn tried(d: &Domain, settings: &Settings) -> (i64, i64) {
    let (min, max) = (settings.min_int, settings.max_int);
    let near = |bound: i64| bound.unsigned_abs() < NEAR;
    let low = Some(d.lo()).filter(|lo| d.has_low() && near(*lo));
    let high = Some(d.hi()).filter(|hi| d.has_high() && near(*hi));
    match (low, high) {
        (Some(low), _) => (low, max.max(low)),
        (None, Some(high)) => (min.min(high), high),
        (None, None) => (min, max),
    }
}

/// The variable of a name that is an integer.
fn number(shape: &V) -> Option<Var> {
    match shape {
        V::Int(Term::Var(var)) => Some(*var),
        _ => None,
    }
}

/// How many parts a shape has.
fn weight(shape: &V) -> u64 {
    match shape {
        V::Pair(a, b) => weight(a).saturating_add(weight(b)),
        V::Set(parts) => parts.len() as u64,
        V::Function(parts) => parts.iter().map(|p| weight(&p.2)).sum::<u64>() + parts.len() as u64,
        V::Extension(parts) => parts.iter().map(weight).sum(),
        _ => 1,
    }
}

/// The value of a shape whose variables are fixed.
fn value(f: &Frame<'_>, space: &Space, shape: &V) -> Option<Val> {
    let store = f.store;
    let fixed = |t: &Term| {
        let (lo, hi) = space.bounds(t);
        (lo == hi).then_some(lo)
    };
    Some(match shape {
        V::Known(v) => *v,
        V::Int(t) => store.int(fixed(t)?),
        V::Atom(None, t) => Val::bool(fixed(t)? != 0),
        V::Atom(Some(set), t) => Val::atom(*set, u32::try_from(fixed(t)?).ok()?),
        V::Pair(a, b) => store.pair(value(f, space, a)?, value(f, space, b)?),
        V::Set(parts) => {
            let mut inside = Vec::new();
            for (elem, form) in parts {
                if space.truth(form)? {
                    inside.push(*elem);
                }
            }
            store.set(inside)
        }
        V::Function(parts) => {
            let mut rows = Vec::new();
            for (key, defined, result) in parts {
                if space.truth(defined)? {
                    rows.push((*key, value(f, space, result)?));
                }
            }
            store.relation(rows)
        }
        V::Extension(parts) => {
            let values: Option<Vec<Val>> = parts.iter().map(|p| value(f, space, p)).collect();
            store.set(values?)
        }
        V::Listed(term, values) => {
            let number = fixed(term)?;
            values.iter().find(|(n, _)| *n == number)?.1
        }
    })
}

/// Larger numbers are not handed to the solver: sums of them might not fit a word.
const FAR: u64 = 1 << 50;

/// The number that stands for a scalar.
fn code(f: &Frame<'_>, v: Val) -> Option<i64> {
    match (v.as_bool(), v.as_atom()) {
        (Some(b), _) => Some(i64::from(b)),
        (_, Some((_, index))) => Some(i64::from(index)),
        _ => f.store.as_i64(v).filter(|i| i.unsigned_abs() < FAR),
    }
}

fn flag(space: &mut Space) -> Form {
    match Domain::between(0, 1) {
        Some(d) => Form::eq(Term::Var(space.var(d)), Term::Const(1)),
        None => Form::Const(false),
    }
}

fn indicator(form: Form) -> Term {
    match form {
        Form::Const(b) => Term::Const(i64::from(b)),
        form => Term::If(Box::new(form), Box::new(Term::Const(1)), Box::new(Term::Const(0))),
    }
}

/// A term of the same kind of scalar as a value.
fn scalar_like(v: Val, term: Term) -> V {
    match (v.as_bool(), v.as_atom()) {
        (Some(_), _) => V::Atom(None, term),
        (_, Some((set, _))) => V::Atom(Some(set), term),
        _ => V::Int(term),
    }
}

/// The number of a scalar.
fn scalar(f: &Frame<'_>, v: &V) -> Option<Term> {
    match v {
        V::Known(v) => Some(Term::Const(code(f, *v)?)),
        V::Int(t) | V::Atom(_, t) => Some(t.clone()),
        _ => None,
    }
}

fn need(f: &Frame<'_>, v: &V) -> Got<Term> {
    scalar(f, v).ok_or(Fail::No)
}
