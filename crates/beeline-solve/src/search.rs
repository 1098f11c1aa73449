//! Search: small domains and troublesome variables first, least values first, no recursion.

use crate::space::{Space, Var};

struct Branch {
    mark: usize,
    var: Var,
    value: i64,
}

impl Space {
    /// Enumerates all solutions.
    ///
    /// `node` is asked after each propagation; false prunes. `solution` is called with all
    /// variables of `order` fixed. Either may end the search with an error.
    pub fn solve<E>(
        &mut self,
        order: &[Var],
        node: &mut dyn FnMut(&Space) -> Result<bool, E>,
        solution: &mut dyn FnMut(&Space) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut stack: Vec<Branch> = Vec::new();
        let mut alive = self.propagate().is_ok();
        loop {
            if alive && node(self)? {
                match self.pick(order) {
                    Some(var) => {
                        let value = self.domain(var).lo();
                        stack.push(Branch { mark: self.trail.len(), var, value });
                        let only = self.domains[var].clamp(value, value);
                        alive = self.narrow(var, only).is_ok() && self.propagate().is_ok();
                        continue;
                    }
                    None if self.hurried && !self.verified() => {}
                    None => solution(self)?,
                }
            }
            // Back to the last choice, without its value.
            loop {
                let Some(branch) = stack.pop() else {
                    return Ok(());
                };
                self.undo(branch.mark);
                let rest = self.domains[branch.var].without(branch.value);
                if self.narrow(branch.var, rest).is_ok() && self.propagate().is_ok() {
                    alive = true;
                    break;
                }
                // What was changed here is undone with the choice below.
            }
        }
    }

    /// The open variable with the fewest values for the trouble it made (`dom/wdeg`).
    fn pick(&self, order: &[Var]) -> Option<Var> {
        let mut best: Option<(u64, u64, Var)> = None;
        for &var in order {
            let size = self.domains[var].size();
            if size > 1 {
                let weight = self.weights[var];
                let better = best.is_none_or(|(s, w, _)| {
                    u128::from(size) * u128::from(w) < u128::from(s) * u128::from(weight)
                });
                if better {
                    best = Some((size, weight, var));
                }
            }
        }
        best.map(|(_, _, var)| var)
    }
}
