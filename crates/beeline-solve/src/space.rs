//! Variables, constraints, and how the ones are narrowed by the others.

mod clause;
mod different;
mod extension;
mod force;
mod form;
mod linear;
mod literal;
mod possible_rows;
mod post;
mod search;
mod survey;
mod table;
mod trail;
mod truth;

pub use form::{Form, Term};
pub use search::Tried;
pub use table::Table;

use crate::domain::Domain;
use crate::queue::{Price, Queue};
use clause::{Clause, Sentry, Watched};
use different::{Different, Matching};
use linear::Linear;
use possible_rows::PossibleRows;
use survey::Survey;
use trail::{Mark, State, Trail};

/// Names a variable of a [`Space`].
pub type Var = usize;

/// There is no solution here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// A constraint in the form in which it is looked at.
#[derive(Clone)]
pub(crate) enum Prop {
    /// Nothing (any more), or the one being looked at.
    Off,
    /// Any form, whether it must hold or not, and what it costs to look at it.
    Form(Box<Form>, bool, u64),
    Linear(Linear),
    Clause(Box<Clause>),
    Different(Box<Different>),
    Matching(Box<Matching>),
    Rows(Box<PossibleRows>),
}

/// Which changes of a variable wake a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Fixed,
    Bounds,
    Change,
}

/// Variables and constraints.
#[derive(Clone, Default)]
pub struct Space {
    pub(crate) domains: Vec<Domain>,
    pub(crate) trail: Trail,
    pub(crate) state: State,
    pub(crate) props: Vec<Prop>,
    pub(crate) queue: Queue,
    /// For each variable: constraints, and what wakes them.
    watchers: Vec<Vec<(u32, When)>>,
    /// For each variable: parts of clauses.
    pub(crate) sentries: Vec<Vec<Sentry>>,
    pub(crate) watched: Vec<Watched>,
    /// The variables of all constraints, one after the other, and where those of each end.
    mentions: Vec<Var>,
    mentions_end: Vec<usize>,
    /// How often constraints on a variable failed, and how many there are.
    pub(crate) weights: Vec<u64>,
    /// Changes wake nobody: they are taken back at once.
    pub(crate) probing: bool,
    pub(crate) survey: Survey,
    /// How much was looked at: about a unit for each dozen parts of a formula or words of a table.
    pub work: u64,
}

/// Looking at this much takes less than a millisecond.
const SLICE: u64 = 4096;

impl Space {
    /// Nothing yet.
    pub fn new() -> Space {
        Space::default()
    }

    /// A new variable.
    pub fn var(&mut self, domain: Domain) -> Var {
        self.domains.push(domain);
        self.watchers.push(Vec::new());
        self.sentries.push(Vec::new());
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

    /// Bounds of a term.
    pub fn bounds(&self, term: &Term) -> (i64, i64) {
        term.bounds(self)
    }

    /// A constraint, woken by some changes of its variables.
    pub(crate) fn install(
        &mut self,
        prop: Prop,
        price: Price,
        vars: impl Iterator<Item = (Var, When)> + Clone,
    ) {
        let id = self.props.len() as u32;
        for (var, when) in vars.clone() {
            self.watchers[var].push((id, when));
        }
        self.install_unwatched(prop, price, vars.map(|(var, _)| var));
    }

    /// A constraint that nothing wakes yet.
    pub(crate) fn install_unwatched(
        &mut self,
        prop: Prop,
        price: Price,
        vars: impl Iterator<Item = Var>,
    ) {
        for var in vars {
            self.weights[var] += 1;
            self.mentions.push(var);
        }
        self.mentions_end.push(self.mentions.len());
        self.props.push(prop);
        self.queue.add(price);
    }

    /// The variables of a constraint.
    pub(crate) fn mentioned(&self, id: usize) -> &[Var] {
        let start = if id == 0 { 0 } else { self.mentions_end[id - 1] };
        &self.mentions[start..self.mentions_end[id]]
    }

    /// Replaces a domain; everything that looks at it is looked at again.
    pub(crate) fn narrow(&mut self, var: Var, new: Option<Domain>) -> Result<(), Conflict> {
        let new = new.ok_or(Conflict)?;
        let old = self.domains[var];
        // A domain only ever loses values.
        if new.size() == old.size() {
            return Ok(());
        }
        self.trail.push(var, old);
        self.domains[var] = new;
        if self.probing {
            return Ok(());
        }
        let fixed = new.is_fixed();
        let bounds = new.lo() != old.lo() || new.hi() != old.hi();
        for &(id, when) in &self.watchers[var] {
            let wakes = match when {
                When::Change => true,
                When::Bounds => bounds,
                When::Fixed => fixed,
            };
            if wakes {
                self.queue.push(id);
            }
        }
        self.wake_clauses(var, &new);
        Ok(())
    }

    /// Takes a value away.
    #[inline]
    pub(crate) fn remove(&mut self, var: Var, value: i64) -> Result<(), Conflict> {
        // Most often it is gone already.
        if !self.domains[var].contains(value) {
            return Ok(());
        }
        let new = self.domains[var].without(value);
        self.narrow(var, new)
    }

    /// Narrows until nothing changes, or for a while: bounds that chase each other over a wide
    /// domain (`a < b & b < a`) would take for ever. What is left waits for the next call.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        for _ in 0..self.patience() {
            if self.propagate_some()? {
                break;
            }
        }
        Ok(())
    }

    /// After how many slices of propagation it is time to try a value instead.
    pub(crate) fn patience(&self) -> u64 {
        4 + 16 * self.props.len() as u64 / SLICE
    }

    /// Narrows for about a millisecond; says whether nothing is left to do.
    pub(crate) fn propagate_some(&mut self) -> Result<bool, Conflict> {
        let end = self.work.saturating_add(SLICE);
        while self.work < end {
            let Some(id) = self.queue.pop() else { return Ok(true) };
            if let Err(conflict) = self.look(id) {
                let start = if id == 0 { 0 } else { self.mentions_end[id as usize - 1] };
                for &var in &self.mentions[start..self.mentions_end[id as usize]] {
                    self.weights[var] += 2;
                }
                self.queue.clear();
                return Err(conflict);
            }
        }
        Ok(self.queue.is_empty())
    }

    /// Looks at one constraint.
    fn look(&mut self, id: u32) -> Result<(), Conflict> {
        self.work += 1;
        let mut prop = std::mem::replace(&mut self.props[id as usize], Prop::Off);
        let result = match &mut prop {
            Prop::Off => Ok(()),
            Prop::Form(form, wanted, cost) => {
                self.work += *cost;
                self.force(form, *wanted)
            }
            Prop::Linear(linear) => self.look_linear(linear),
            Prop::Clause(clause) => self.look_clause(clause),
            Prop::Different(different) => self.look_different(different),
            Prop::Matching(matching) => self.look_matching(matching),
            Prop::Rows(rows) => self.look_rows(rows),
        };
        self.props[id as usize] = prop;
        result
    }

    /// Remembers how everything is.
    pub(crate) fn mark(&mut self) -> Mark {
        self.trail.mark(&mut self.state)
    }

    /// Takes back all changes since a mark.
    pub(crate) fn undo(&mut self, mark: Mark) {
        self.trail.undo(mark, &mut self.domains, &mut self.state);
    }
}
