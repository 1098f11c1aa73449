//! A look at all constraints together, before the search.
//!
//! What is said pair by pair is joined: variables that differ from each other pairwise are all
//! different. What is said of few variables with few values is listed: a table narrows better than
//! any formula.

use crate::domain::Domain;
use crate::form::Form;
use crate::post::variables;
use crate::space::{Prop, Space, Var};
use crate::table::Table;
use crate::term::Term;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Formulas with more combinations of values are not listed, ...
const MOST_ROWS: u64 = 1024;
/// ... nor when all together this much was looked at.
const MOST_WORK: u64 = 1 << 18;

impl Space {
    /// Looks at the constraints that came since the last time.
    pub(crate) fn survey(&mut self) {
        let from = std::mem::replace(&mut self.surveyed, self.props.len());
        self.join_inequalities(from);
        let end = self.work.saturating_add(MOST_WORK);
        for id in from..self.surveyed {
            if self.work < end {
                self.list(id);
            }
        }
        self.surveyed = self.props.len();
    }

    /// Cliques of variables that differ pairwise.
    fn join_inequalities(&mut self, from: usize) {
        let mut apart: BTreeMap<Var, FxHashSet<Var>> = BTreeMap::new();
        for prop in &self.props[from..] {
            if let Prop::Linear(linear) = prop
                && let Some((x, y)) = linear.apart()
            {
                apart.entry(x).or_default().insert(y);
                apart.entry(y).or_default().insert(x);
            }
        }
        let mut covered: FxHashSet<(Var, Var)> = FxHashSet::default();
        let mut cliques = Vec::new();
        for (&x, others) in &apart {
            let mut partners: Vec<Var> = others.iter().copied().filter(|y| *y > x).collect();
            partners.sort_unstable();
            for &y in &partners {
                if covered.contains(&(x, y)) {
                    continue;
                }
                let mut clique = vec![x, y];
                for &z in partners.iter().filter(|z| **z != y) {
                    self.work += 1;
                    if clique.iter().all(|c| apart[c].contains(&z)) {
                        clique.push(z);
                    }
                }
                clique.sort_unstable();
                for (i, &a) in clique.iter().enumerate() {
                    covered.extend(clique[i + 1..].iter().map(|b| (a, *b)));
                }
                if clique.len() > 2 {
                    cliques.push(clique);
                }
            }
        }
        cliques.into_iter().for_each(|clique| self.post_matching(clique));
    }

    /// Replaces a formula over few values by the list of its solutions.
    fn list(&mut self, id: usize) {
        let parts = match &self.props[id] {
            Prop::Form(form, wanted) if is_involved(form) => vec![((**form).clone(), *wanted)],
            Prop::Clause(clause) => match clause.as_forms() {
                Some(parts) => parts,
                None => return,
            },
            _ => return,
        };
        let mut vars: Vec<Var> = parts.iter().flat_map(|(form, _)| variables(form)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars.retain(|v| !self.domains[*v].is_fixed());
        let rows = vars.iter().try_fold(1u64, |n, v| n.checked_mul(self.domains[*v].size()));
        let size: u64 = parts.iter().map(|(form, _)| form.size()).sum();
        let cost = rows.and_then(|n| n.checked_mul(1 + size / 8));
        if vars.len() < 2 || cost.is_none_or(|c| c > 16 * MOST_ROWS) || rows > Some(MOST_ROWS) {
            return;
        }
        let flat = self.solutions(&vars, &parts);
        let table = Table::new(vars.len(), &flat);
        self.props[id] = Prop::Off;
        self.post(Form::table(vars.into_iter().map(Term::Var).collect(), Arc::new(table)));
    }

    /// All values of the variables for which one of the parts holds, row by row.
    fn solutions(&mut self, vars: &[Var], parts: &[(Form, bool)]) -> Vec<i64> {
        let old: Vec<Domain> = vars.iter().map(|v| self.domains[*v]).collect();
        let values: Vec<Vec<i64>> = old.iter().map(|d| d.iter().collect()).collect();
        let size: u64 = parts.iter().map(|(form, _)| form.size()).sum();
        let mut digits = vec![0; vars.len()];
        let mut flat = Vec::new();
        self.probing = true;
        'rows: loop {
            for (i, var) in vars.iter().enumerate() {
                let value = values[i][digits[i]];
                self.domains[*var] = Domain::between(value, value).unwrap_or(old[i]);
            }
            self.work += 1 + size / 16;
            if parts.iter().any(|(form, wanted)| self.holds(form, *wanted)) {
                flat.extend(digits.iter().enumerate().map(|(i, digit)| values[i][*digit]));
            }
            for i in (0..digits.len()).rev() {
                digits[i] += 1;
                if digits[i] < values[i].len() {
                    continue 'rows;
                }
                digits[i] = 0;
            }
            break;
        }
        self.probing = false;
        for (var, d) in vars.iter().zip(old) {
            self.domains[*var] = d;
        }
        flat
    }

    /// Does a form hold, all of whose variables are fixed?
    fn holds(&mut self, form: &Form, wanted: bool) -> bool {
        let mark = self.mark();
        let holds = self.force(form, wanted).is_ok() && self.truth(form) != Some(!wanted);
        self.undo(mark);
        holds
    }
}

/// Is it more than a comparison that propagation handles well?
fn is_involved(form: &Form) -> bool {
    !matches!(form, Form::Const(_) | Form::In(..) | Form::Table(..))
}
