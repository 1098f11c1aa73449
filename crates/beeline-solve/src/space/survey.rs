//! A look at all constraints together, once the search takes some time.
//!
//! What is said pair by pair is joined: variables that differ from each other pairwise are all
//! different. What is said of few variables with few values is listed: a table narrows better than
//! any formula. The longer the search, the longer the tables; a short one is not held up at all.

use super::form::Form;
use super::form::Term;
use super::table::Table;
use super::trail::Mark;
use super::{Prop, Space, Var};
use crate::domain::Domain;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How long tables may be, how much may be looked at for all of them, and after how much work.
const STAGES: [(u64, u64, u64); 3] =
    [(64, 1 << 12, 1 << 9), (1024, 1 << 16, 1 << 14), (1 << 14, 1 << 21, 1 << 21)];

/// Which formulas were looked at.
#[derive(Clone, Default)]
pub(crate) struct Survey {
    /// How many constraints there were the last time.
    seen: usize,
    /// Formulas that might be listed later.
    later: Vec<usize>,
    stage: usize,
    /// The work at the beginning of the search.
    start: u64,
    /// When nothing was chosen yet.
    root: Option<Mark>,
    eager: bool,
}

impl Space {
    /// Looks closer before the search, not only when it takes long: for problems known to be hard.
    pub fn look_closer(&mut self) {
        self.survey.eager = true;
    }

    /// A search begins, whose propagation before any choice began at some work.
    pub(crate) fn begin(&mut self, start: u64) {
        self.survey.root = Some(self.mark());
        self.survey.start = start;
        self.survey.stage = 0;
    }

    /// Looks closer if it is time; the numbers of the new constraints, which hold everywhere.
    pub(crate) fn deepen(&mut self) -> std::ops::Range<u32> {
        let first = self.props.len();
        if let Some(&(rows, work, after)) = STAGES.get(self.survey.stage)
            && let Some(root) = self.survey.root
            && (self.survey.eager || self.work - self.survey.start >= after)
        {
            self.survey.stage += 1;
            let from = std::mem::replace(&mut self.survey.seen, first);
            let mut later = std::mem::take(&mut self.survey.later);
            later.extend((from..first).filter(|id| self.is_involved(*id)));
            self.join_inequalities(from);
            let root = self.trail.before(root, &self.domains);
            let end = self.work.saturating_add(work);
            later.retain(|id| self.work >= end || !self.list(*id, rows, &root));
            self.survey.later = later;
            self.survey.seen = self.props.len();
        }
        first as u32..self.props.len() as u32
    }

    /// Is it more than a comparison that propagation handles well?
    fn is_involved(&self, id: usize) -> bool {
        match &self.props[id] {
            Prop::Form(form, ..) => {
                !matches!(**form, Form::Const(_) | Form::In(..) | Form::Table(..))
            }
            Prop::Clause(clause) => clause.is_involved(),
            _ => false,
        }
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

    /// Replaces a formula over few values by the list of its solutions, or says that there are more.
    fn list(&mut self, id: usize, most: u64, root: &[Domain]) -> bool {
        let parts = match &self.props[id] {
            Prop::Form(form, wanted, _) => vec![((**form).clone(), *wanted)],
            Prop::Clause(clause) => clause.as_forms(),
            _ => return true,
        };
        let vars: Vec<Var> =
            self.mentioned(id).iter().copied().filter(|v| !root[*v].is_fixed()).collect();
        let rows = vars.iter().try_fold(1u64, |n, v| n.checked_mul(root[*v].size()));
        let size: u64 = parts.iter().map(|(form, _)| form.size()).sum();
        let cost = rows.and_then(|n| n.checked_mul(1 + size / 16));
        if vars.is_empty() || cost.is_none_or(|c| c > 4 * most) || rows > Some(most) {
            return false;
        }
        let flat = self.solutions(&vars, &parts, root);
        self.props[id] = Prop::Off;
        let table = Table::new(vars.len(), &flat);
        self.post_table(vars.into_iter().map(Term::Var).collect(), Arc::new(table));
        true
    }

    /// All values of the variables for which one of the parts holds, row by row.
    fn solutions(&mut self, vars: &[Var], parts: &[(Form, bool)], root: &[Domain]) -> Vec<i64> {
        let old: Vec<Domain> = vars.iter().map(|v| self.domains[*v]).collect();
        let values: Vec<Vec<i64>> = vars.iter().map(|v| root[*v].iter().collect()).collect();
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
