//! Disjunctions: one of the parts must hold.
//!
//! Two parts that may still hold are watched; while neither is lost, nothing follows. When one is
//! lost another takes its place, and when there is none, the last one is forced. What is watched
//! need not be taken back: a part that may hold now may hold before.

use super::form::{Form, variables};
use super::literal::Literal;
use super::{Conflict, Prop, Space, Var};
use crate::domain::Domain;
use crate::queue::Price;

/// One part of a disjunction.
#[derive(Clone)]
pub(crate) enum Part {
    Literal(Literal),
    /// A form that must hold or must not, its variables and its size.
    Form(Form, bool, Vec<Var>, u64),
}

/// One of the parts holds.
#[derive(Clone)]
pub(crate) struct Clause {
    parts: Vec<Part>,
    /// Its number among the clauses.
    number: u32,
    id: u32,
    /// Where it is kept which part alone may still hold: 0 is none, else its number and one.
    last: usize,
    /// What trying all cases was good for.
    cases: Cases,
}

/// Which parts are watched.
#[derive(Clone)]
pub(crate) struct Watched {
    pair: [u32; 2],
    /// For each part: are its variables on the look-out?
    posted: Box<[bool]>,
}

/// Wakes a clause when a part may have been lost.
#[derive(Clone)]
pub(crate) struct Sentry {
    id: u32,
    clause: u32,
    part: u32,
    literal: Option<Literal>,
}

/// Whether looking at all cases of a disjunction pays.
#[derive(Clone, Default)]
struct Cases {
    tried: u32,
    useful: u32,
    wait: u32,
}

/// Disjunctions with more cases, or larger ones, are not tried case by case.
const MOST_CASES: usize = 6;
const LARGEST_CASE: u64 = 64;

impl Space {
    /// A disjunction of at least two parts.
    pub(crate) fn install_clause(&mut self, parts: Vec<Part>) {
        let (id, number) = (self.props.len() as u32, self.watched.len() as u32);
        let mut vars: Vec<Var> = Vec::new();
        for part in &parts {
            match part {
                Part::Literal(l) => vars.push(l.var),
                Part::Form(_, _, inner, _) => vars.extend(inner),
            }
        }
        vars.sort_unstable();
        vars.dedup();
        let plain = parts.iter().all(|p| matches!(p, Part::Literal(_)));
        let price = if plain { Price::Low } else { Price::Middle };
        self.watched.push(Watched { pair: [0, 1], posted: vec![false; parts.len()].into() });
        let last = self.state.reserve(&[0]);
        let clause = Clause { parts, number, id, last, cases: Cases::default() };
        self.watch(&clause, 0);
        self.watch(&clause, 1);
        self.install_unwatched(Prop::Clause(Box::new(clause)), price, vars.into_iter());
    }

    /// Puts the variables of a part on the look-out.
    fn watch(&mut self, clause: &Clause, part: u32) {
        let posted = &mut self.watched[clause.number as usize].posted[part as usize];
        if std::mem::replace(posted, true) {
            return;
        }
        let sentry = |literal| Sentry { id: clause.id, clause: clause.number, part, literal };
        match &clause.parts[part as usize] {
            Part::Literal(l) => self.sentries[l.var].push(sentry(Some(*l))),
            Part::Form(_, _, vars, _) => {
                vars.iter().for_each(|var| self.sentries[*var].push(sentry(None)));
            }
        }
    }

    /// Wakes the clauses that may have lost a watched part.
    #[inline]
    pub(crate) fn wake_clauses(&mut self, var: Var, new: &Domain) {
        let list = &mut self.sentries[var];
        let mut i = 0;
        while let Some(sentry) = list.get(i) {
            if sentry.literal.is_none_or(|l| l.is_false(new)) {
                let watched = &mut self.watched[sentry.clause as usize];
                if watched.pair.contains(&sentry.part) {
                    self.queue.push(sentry.id);
                } else if sentry.literal.is_some() {
                    // Another part took its place some time ago.
                    watched.posted[sentry.part as usize] = false;
                    list.swap_remove(i);
                    continue;
                }
            }
            i += 1;
        }
    }

    fn part_truth(&mut self, part: &Part) -> Option<bool> {
        match part {
            Part::Literal(l) => l.truth(&self.domains[l.var]),
            Part::Form(form, wanted, _, size) => {
                self.work += 1 + size / 16;
                self.truth(form).map(|t| t == *wanted)
            }
        }
    }

    fn force_part(&mut self, part: &Part) -> Result<(), Conflict> {
        match part {
            Part::Literal(l) => self.force_literal(*l),
            Part::Form(form, wanted, _, size) => {
                self.work += 1 + size / 16;
                self.force(form, *wanted)
            }
        }
    }

    pub(crate) fn look_clause(&mut self, clause: &mut Clause) -> Result<(), Conflict> {
        let last = self.state.get(clause.last);
        if last > 0 {
            return self.force_part(&clause.parts[last as usize - 1]);
        }
        let mut pair = self.watched[clause.number as usize].pair;
        let mut lost = [false; 2];
        for side in 0..2 {
            match self.part_truth(&clause.parts[pair[side] as usize]) {
                Some(true) => return Ok(()),
                Some(false) => lost[side] = true,
                None => {}
            }
        }
        for side in 0..2 {
            if !lost[side] {
                continue;
            }
            if let Some((part, truth)) = self.another(clause, pair) {
                pair[side] = part;
                lost[side] = false;
                self.watched[clause.number as usize].pair = pair;
                self.watch(clause, part);
                if truth == Some(true) {
                    return Ok(());
                }
            }
        }
        match lost {
            [true, true] => Err(Conflict),
            [true, false] => self.force_last(clause, pair[1]),
            [false, true] => self.force_last(clause, pair[0]),
            [false, false] => self.try_cases(clause),
        }
    }

    /// All other parts are lost, until that is taken back.
    fn force_last(&mut self, clause: &Clause, part: u32) -> Result<(), Conflict> {
        let part_of = &clause.parts[part as usize];
        // A literal is done with once it is forced.
        if matches!(part_of, Part::Form(..)) {
            self.state.set(&mut self.trail, clause.last, u64::from(part) + 1);
        }
        self.force_part(part_of)
    }

    /// A part that may hold and is not watched; one that holds is found only by the way.
    fn another(&mut self, clause: &Clause, pair: [u32; 2]) -> Option<(u32, Option<bool>)> {
        for (i, part) in clause.parts.iter().enumerate() {
            if pair.contains(&(i as u32)) {
                continue;
            }
            if i % 16 == 15 {
                self.work += 1;
            }
            let truth = self.part_truth(part);
            if truth != Some(false) {
                return Some((i as u32, truth));
            }
        }
        None
    }

    /// What follows in each case follows. Cases that fail are lost.
    fn try_cases(&mut self, clause: &mut Clause) -> Result<(), Conflict> {
        let small = |p: &Part| match p {
            Part::Literal(_) => true,
            Part::Form(_, _, _, size) => *size <= LARGEST_CASE,
        };
        if self.probing
            || clause.parts.len() > MOST_CASES
            || !clause.is_involved()
            || !clause.parts.iter().all(small)
            || !clause.cases.due()
        {
            return Ok(());
        }
        // For the variables that every case so far has narrowed: the values of any of them.
        let mut common: Option<Vec<(Var, Domain)>> = None;
        for part in &clause.parts {
            if self.part_truth(part) == Some(false) {
                continue;
            }
            let mark = self.mark();
            self.probing = true;
            let outcome = self.force_part(part);
            self.probing = false;
            if outcome.is_ok() {
                let mut changed: Vec<Var> = self.trail.changed(mark).collect();
                changed.sort_unstable();
                changed.dedup();
                common = Some(match common {
                    None => changed.iter().map(|v| (*v, self.domains[*v])).collect(),
                    Some(before) => before
                        .into_iter()
                        .filter(|(v, _)| changed.binary_search(v).is_ok())
                        .map(|(v, d)| (v, d.join(&self.domains[v])))
                        .collect(),
                });
            }
            self.undo(mark);
            if common.as_ref().is_some_and(Vec::is_empty) {
                clause.cases.note(false);
                return Ok(());
            }
        }
        let mut useful = false;
        for (var, domain) in common.ok_or(Conflict)? {
            let new = self.domains[var].meet(&domain);
            useful |= new.is_none_or(|d| d.size() < self.domains[var].size());
            self.narrow(var, new)?;
        }
        clause.cases.note(useful);
        Ok(())
    }
}

impl Clause {
    /// Is there a part that is not a literal?
    pub(crate) fn is_involved(&self) -> bool {
        self.parts.iter().any(|p| matches!(p, Part::Form(..)))
    }

    /// Its parts as forms.
    pub(crate) fn as_forms(&self) -> Vec<(Form, bool)> {
        self.parts.iter().map(Part::as_form).collect()
    }
}

impl Part {
    /// A form that must hold, or must not.
    pub(crate) fn of(form: Form, wanted: bool) -> Part {
        if let Some(literal) = Literal::of(&form, wanted) {
            return Part::Literal(literal);
        }
        let (vars, size) = (variables(&form), form.size());
        Part::Form(form, wanted, vars, size)
    }

    fn as_form(&self) -> (Form, bool) {
        match self {
            Part::Literal(literal) => literal.as_form(),
            Part::Form(form, wanted, _, _) => (form.clone(), *wanted),
        }
    }
}

impl Cases {
    fn due(&mut self) -> bool {
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        true
    }

    fn note(&mut self, useful: bool) {
        self.tried += 1;
        self.useful += u32::from(useful);
        if self.tried >= 8 && self.useful * 8 < self.tried {
            // Rarely of use: less and less often.
            self.wait = self.tried.min(1 << 12);
        }
        if self.tried == 1 << 14 {
            (self.tried, self.useful) = (self.tried / 2, self.useful / 2);
        }
    }
}
