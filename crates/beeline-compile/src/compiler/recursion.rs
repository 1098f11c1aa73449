//! Recursive definitions of constants, compiled: each knows the others of its group by number.

use super::context::Cx;
use crate::eval::frame::Recursion;
use beeline_model::{ConstantId, Expr};
use beeline_plan::Names;

impl Cx<'_> {
    /// Compiles a group; the number of the definition of each constant.
    pub fn recursions(&mut self, definitions: &[(ConstantId, Expr)]) -> Vec<(usize, usize)> {
        let outer = self.recursive.clone();
        self.recursive.extend(definitions.iter().map(|d| d.0));
        let first = self.recursions.len();
        let mut names = Names::default();
        definitions.iter().for_each(|d| names.expr(self.model, &d.1));
        let mut names = names.close();
        names.constants.retain(|c| definitions.iter().all(|d| d.0 != *c));
        let free = self.read_slots(&names);
        let group: Vec<(usize, usize)> = definitions
            .iter()
            .enumerate()
            .map(|(i, d)| (self.constant_slot(d.0), first + i))
            .collect();
        self.recursions.extend(definitions.iter().map(|_| None));
        for (i, (_, value)) in definitions.iter().enumerate() {
            let body = self.expr(value);
            self.recursions[first + i] = Some(Recursion {
                free: free.clone(),
                group: group.clone(),
                body,
                span: value.span,
            });
        }
        self.recursive = outer;
        group
    }
}
