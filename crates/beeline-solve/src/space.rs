//! Variables, constraints, and the queue that narrows the ones by the others.

use crate::domain::Domain;
use crate::form::Form;
use crate::term::Term;

/// Names a variable of a [`Space`].
pub type Var = usize;

/// There is no solution here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// Variables and constraints.
#[derive(Clone, Default)]
pub struct Space {
    pub(crate) domains: Vec<Domain>,
    pub(crate) trail: Vec<(Var, Domain)>,
    constraints: Vec<Form>,
    watchers: Vec<Vec<u32>>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// What it costs to look at each constraint, roughly.
    costs: Vec<u64>,
    /// The variables of each constraint.
    mentions: Vec<Vec<Var>>,
    /// How often constraints on a variable failed, and how many there are.
    pub(crate) weights: Vec<u64>,
    /// How much was looked at.
    pub work: u64,
    /// Some propagation ended before nothing changed any more.
    pub(crate) hurried: bool,
}

impl Space {
    /// Nothing yet.
    pub fn new() -> Space {
        Space::default()
    }

    /// A new variable.
    pub fn var(&mut self, domain: Domain) -> Var {
        self.domains.push(domain);
        self.watchers.push(Vec::new());
        self.weights.push(1);
        self.domains.len() - 1
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.domains.len()
    }

    /// No variable at all?
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty()
    }

    /// What a variable may still be.
    #[inline]
    pub fn domain(&self, var: Var) -> &Domain {
        &self.domains[var]
    }

    /// The value of a variable, once it has one.
    #[inline]
    pub fn value(&self, var: Var) -> Option<i64> {
        let d = &self.domains[var];
        d.is_fixed().then_some(d.lo())
    }

    /// Adds a constraint that must hold.
    pub fn post(&mut self, form: Form) {
        if let Form::And(parts) = form {
            parts.into_iter().for_each(|p| self.post(p));
            return;
        }
        let id = self.constraints.len() as u32;
        let mut vars = Vec::new();
        form.vars(&mut vars);
        vars.sort_unstable();
        vars.dedup();
        for &var in &vars {
            self.watchers[var].push(id);
            self.weights[var] += 1;
        }
        self.mentions.push(vars);
        self.costs.push(1 + form.size() / 16);
        self.constraints.push(form);
        self.queued.push(true);
        self.queue.push(id);
    }

    /// Replaces a domain; everything that looks at it is looked at again.
    pub(crate) fn narrow(&mut self, var: Var, new: Option<Domain>) -> Result<(), Conflict> {
        let new = new.ok_or(Conflict)?;
        let old = self.domains[var];
        if new == old {
            return Ok(());
        }
        self.trail.push((var, old));
        self.domains[var] = new;
        for i in 0..self.watchers[var].len() {
            let id = self.watchers[var][i];
            if !self.queued[id as usize] {
                self.queued[id as usize] = true;
                self.queue.push(id);
            }
        }
        Ok(())
    }

    /// Narrows until nothing changes, or for a while: bounds that chase each other over a wide
    /// domain (`a < b & b < a`) would take for ever. What is left waits for the next call.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        let patience = 20_000 + 20 * self.constraints.len();
        for _ in 0..patience {
            let Some(id) = self.queue.pop() else { return Ok(()) };
            self.queued[id as usize] = false;
            self.work += self.costs[id as usize];
            let form = std::mem::replace(&mut self.constraints[id as usize], Form::Const(true));
            let result = self.force(&form, true);
            self.constraints[id as usize] = form;
            if result.is_err() {
                for &var in &self.mentions[id as usize] {
                    self.weights[var] += 2;
                }
                for id in self.queue.drain(..) {
                    self.queued[id as usize] = false;
                }
                return Err(Conflict);
            }
        }
        self.hurried |= !self.queue.is_empty();
        Ok(())
    }

    /// Do all constraints hold, now that every variable has its value? What waited in the queue
    /// when a conflict emptied it may never have been looked at.
    pub(crate) fn verified(&mut self) -> bool {
        for id in 0..self.constraints.len() {
            if !self.queued[id] {
                self.queued[id] = true;
                self.queue.push(id as u32);
            }
        }
        while !self.queue.is_empty() {
            if self.propagate().is_err() {
                return false;
            }
        }
        true
    }

    /// Takes back all changes since a mark of the trail.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((var, old)) = self.trail.pop() {
                self.domains[var] = old;
            }
        }
    }

    /// Bounds of a term.
    pub fn bounds(&self, term: &Term) -> (i64, i64) {
        term.bounds(self)
    }
}
