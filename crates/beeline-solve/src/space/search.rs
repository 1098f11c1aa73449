//! Search: small domains and troublesome variables first, least values first, no recursion.

use super::trail::Mark;
use super::{Space, Var};
use crate::domain::Domain;

struct Branch {
    mark: Mark,
    var: Var,
    value: i64,
    /// How many variables were unfixed.
    unfixed: usize,
    /// What was still waiting when propagation was cut short.
    waiting: Vec<u32>,
}

/// Says within what a wide variable is tried, if not with all its values.
pub type Tried<'t> = &'t mut dyn FnMut(&Domain, Var) -> Option<(i64, i64)>;

impl Space {
    /// Enumerates all solutions.
    ///
    /// `node` is asked after each propagation, and at least about every millisecond of a long one;
    /// false prunes. `solution` is called with all variables of `order` fixed. Either may end the
    /// search with an error.
    pub fn solve<E>(
        &mut self,
        order: &[Var],
        node: &mut dyn FnMut(&Space) -> Result<bool, E>,
        solution: &mut dyn FnMut(&Space) -> Result<(), E>,
    ) -> Result<(), E> {
        self.solve_within(order, &mut |_, _| None, node, solution)
    }

    /// The same where some variables have too many values to be tried: `tried` is asked before a
    /// variable of more than [`WIDE`](crate::WIDE) values is tried, and says within what it is, if not with all.
    /// Such variables come last, in the order given, so that each has the bounds that the values of
    /// those before it leave.
    pub fn solve_within<E>(
        &mut self,
        order: &[Var],
        tried: Tried<'_>,
        node: &mut dyn FnMut(&Space) -> Result<bool, E>,
        solution: &mut dyn FnMut(&Space) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.work;
        if !self.settle(node)? {
            return Ok(());
        }
        self.begin(start);
        self.deepen();
        let mut choice = Choice { vars: order.iter().copied().enumerate().collect(), last: None };
        let mut unfixed = order.len();
        let mut stack: Vec<Branch> = Vec::new();
        loop {
            if self.settle(node)? {
                match choice.pick(self, &mut unfixed) {
                    Some(var) if self.keep_tried(var, tried) => {
                        let value = self.domain(var).lo();
                        let (mark, waiting) = (self.mark(), self.queue.waiting());
                        stack.push(Branch { mark, var, value, unfixed, waiting });
                        let only = self.domains[var].only(value);
                        // A value of a domain leaves no empty one.
                        let _ = self.narrow(var, only);
                        continue;
                    }
                    // None of its values is tried.
                    Some(_) => {}
                    None if self.queue.is_empty() => solution(self)?,
                    // All is fixed, and soon all is looked at.
                    None => continue,
                }
            } else {
                choice.last = stack.last().map(|branch| branch.var);
                // New constraints hold at all choices, which have not seen them.
                for id in self.deepen() {
                    stack.iter_mut().for_each(|branch| branch.waiting.push(id));
                }
            }
            // Back to the last choice, without its value.
            loop {
                let Some(branch) = stack.pop() else {
                    return Ok(());
                };
                self.undo(branch.mark);
                unfixed = branch.unfixed;
                self.queue.clear();
                branch.waiting.iter().for_each(|id| self.queue.push(*id));
                let rest = self.domains[branch.var].without(branch.value);
                if self.narrow(branch.var, rest).is_ok() {
                    break;
                }
            }
        }
    }

    /// Leaves a wide variable the values that are tried, until the last choice is taken back; false if
    /// there are none.
    fn keep_tried(&mut self, var: Var, tried: Tried<'_>) -> bool {
        let domain = &self.domains[var];
        let bounds = if domain.is_wide() { tried(domain, var) } else { None };
        bounds.is_none_or(|(lo, hi)| self.narrow(var, self.domains[var].clamp(lo, hi)).is_ok())
    }

    /// How things would be if a variable had a value: narrows, looks, and takes all back. Nothing
    /// if it cannot have that value. Everything must have been narrowed before.
    pub fn suppose<R>(
        &mut self,
        var: Var,
        value: i64,
        look: impl FnOnce(&Space) -> R,
    ) -> Option<R> {
        let (mark, waiting) = (self.mark(), self.queue.waiting());
        let only = self.domains[var].only(value);
        let possible = self.narrow(var, only).is_ok() && self.propagate().is_ok();
        let seen = possible.then(|| look(self));
        self.queue.clear();
        self.undo(mark);
        waiting.into_iter().for_each(|id| self.queue.push(id));
        seen
    }

    /// Propagates, asking in between; false if there is no solution here.
    fn settle<E>(&mut self, node: &mut dyn FnMut(&Space) -> Result<bool, E>) -> Result<bool, E> {
        for _ in 0..self.patience() {
            let Ok(done) = self.propagate_some() else { return Ok(false) };
            if !node(self)? {
                self.queue.clear();
                return Ok(false);
            }
            if done {
                break;
            }
        }
        Ok(true)
    }
}

/// Which variable is next.
struct Choice {
    /// The unfixed ones first, each with its place in the order.
    vars: Vec<(usize, Var)>,
    /// The variable whose value led to the last conflict: it is settled before others are tried.
    last: Option<Var>,
}

impl Choice {
    /// The unfixed variable with the fewest values for the trouble it made (`dom/wdeg`).
    fn pick(&mut self, space: &Space, unfixed: &mut usize) -> Option<Var> {
        if let Some(var) = self.last.take()
            && !space.domains[var].is_fixed()
            && !space.domains[var].is_wide()
        {
            self.last = Some(var);
            return Some(var);
        }
        let mut best: Option<(u64, u64, usize, Var)> = None;
        let mut i = 0;
        while i < *unfixed {
            let (place, var) = self.vars[i];
            let size = space.domains[var].size();
            if size == 1 {
                *unfixed -= 1;
                self.vars.swap(i, *unfixed);
                continue;
            }
            i += 1;
            let weight = space.weights[var];
            let better = best.is_none_or(|(s, w, p, other)| {
                let (mine, theirs) =
                    (u128::from(size) * u128::from(w), u128::from(s) * u128::from(weight));
                match (space.domains[var].is_wide(), space.domains[other].is_wide()) {
                    (false, false) => mine < theirs || mine == theirs && place < p,
                    (true, true) => place < p,
                    (wide, _) => !wide,
                }
            });
            if better {
                best = Some((size, weight, place, var));
            }
        }
        best.map(|(_, _, _, var)| var)
    }
}
