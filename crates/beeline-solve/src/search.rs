//! Search: the smallest domain first, its least value first, without recursion.

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

    fn pick(&self, order: &[Var]) -> Option<Var> {
        let mut best: Option<(u64, Var)> = None;
        for &var in order {
            let size = self.domains[var].size();
            if size > 1 && best.is_none_or(|(s, _)| size < s) {
                best = Some((size, var));
                if size == 2 {
                    break;
                }
            }
        }
        best.map(|(_, var)| var)
    }
}
