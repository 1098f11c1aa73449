//! Whether an operation is enabled at all, whatever its parameters are.
//!
//! An enabling predicate speaks of given parameters. That there are parameters for which it holds is proved
//! with a witness: a value that the guard itself names (`p : waiting \/ {x}` holds of `x`), or one of a set that
//! surely has elements. Where there is none, others are asked.

use crate::asker::Asker;
use crate::carry::read_back;
use crate::known::Known;
use crate::make;
use crate::replace::Values;
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Place, Pred, PredKind, UnaryOp,
};

/// What a step does to whether an operation is enabled for some parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// It is enabled after every step.
    pub always: bool,
    /// Where it is not enabled before, it may be afterwards.
    pub may_enable: bool,
    /// Where it is enabled before, it may not be afterwards.
    pub may_disable: bool,
}

/// So many witnesses are tried for one formula, and so many for one name.
const TRIES: usize = 24;
const EACH: usize = 6;

/// What follows for a guard with these parameters, after a step that has values of these names. Known are its conjuncts
/// before and after the step, and whether they may begin, or cease, to hold for given parameters.
pub(crate) fn offer(
    asker: &mut Asker<'_, '_, '_>,
    (parameters, chosen): (&[LocalId], &[LocalId]),
    (before, after): (&[Pred], &[Pred]),
    (may_enable, may_disable): (bool, bool),
) -> Offer {
    let whole = |parts: &[Pred]| match parameters {
        [] => make::and(parts.to_vec()),
        names => make::pred(PredKind::Exists(names.to_vec(), Box::new(make::and(parts.to_vec())))),
    };
    let (before, after) = (whole(before), whole(after));
    let defined = (asker.known.is_defined(&before), asker.known.is_defined(&after));
    let mut offer = Offer { always: false, may_enable, may_disable };
    offer.always = proves(&mut asker.known, &after, chosen)
        || defined.1 && asker.excluded(&[&make::not(after.clone())]);
    offer.may_disable &= !offer.always;
    if offer.may_disable && defined.1 {
        offer.may_disable = !asker.excluded(&[&before, &make::not(after.clone())]);
    }
    if offer.may_enable && defined.0 {
        offer.may_enable = !asker.excluded(&[&make::not(before), &after]);
    }
    offer
}

/// Is a formula surely true, and has it a meaning? Names that it says there are get witnesses, among them the names
/// that the step chose.
pub(crate) fn proves(known: &mut Known<'_>, p: &Pred, chosen: &[LocalId]) -> bool {
    Search { chosen, tries: TRIES }.proves(known, p)
}

struct Search<'s> {
    chosen: &'s [LocalId],
    tries: usize,
}

impl Search<'_> {
    fn proves(&mut self, known: &mut Known<'_>, p: &Pred) -> bool {
        match &p.kind {
            PredKind::And(parts) => parts.iter().all(|p| self.proves(known, p)),
            PredKind::Exists(names, body) => {
                let parts = body.clone().into_conjuncts();
                self.witnessed(known, names, &parts, &Values::default())
            }
            // Of a disjunction one part is enough only if the others do not fail.
            PredKind::Or(parts) if known.is_defined(p) => {
                known.truth(p) == Some(true) || parts.iter().any(|p| self.proves(known, p))
            }
            _ => known.truth(p) == Some(true) && known.is_defined(p),
        }
    }

    /// Are there values of these names for which all conjuncts hold, the others having the values that are given?
    fn witnessed(
        &mut self,
        known: &mut Known<'_>,
        names: &[LocalId],
        parts: &[Pred],
        values: &Values,
    ) -> bool {
        if self.tries == 0 {
            return false;
        }
        let now: Vec<Pred> = parts.iter().map(|p| values.pred(p)).collect();
        for (pattern, value) in self.offered(known, names, &now) {
            let mut more = values.clone();
            let left = bind(&pattern, &value, names, &mut more);
            if left.len() < names.len() && self.witnessed(known, &left, parts, &more) {
                return true;
            }
        }
        self.tries = self.tries.saturating_sub(1);
        // What has no witness so far may be any element of a set that has one.
        let mut known = known.clone();
        let element = now.iter().find(|p| match &p.kind {
            PredKind::Compare(CompareOp::Member, a, set) => {
                let is_name = matches!(a.kind, ExprKind::Local(name) if names.contains(&name));
                is_name && has_elements(&mut known, set)
            }
            _ => false,
        });
        if let Some(element) = element {
            known.assume([element]);
        }
        !known.is_contradictory()
            && now.iter().all(|p| {
                let p = read_back(&mut known, p);
                self.proves(&mut known, &p)
            })
    }

    /// What the first conjunct that says something of names offers for them, and what the step chose.
    fn offered(&self, known: &Known<'_>, names: &[LocalId], now: &[Pred]) -> Vec<(Expr, Expr)> {
        let mut found = Vec::new();
        for p in now {
            let PredKind::Compare(op, pattern, b) = &p.kind else { continue };
            let values = match op {
                CompareOp::Member => listed(known, b),
                CompareOp::Equal => vec![(**b).clone()],
                _ => continue,
            };
            let fits = |value: &Expr| {
                bind(pattern, value, names, &mut Values::default()).len() < names.len()
            };
            let values = values.into_iter().filter(|v| fits(v)).take(EACH);
            found.extend(values.map(|value| ((**pattern).clone(), value)));
            if !found.is_empty() {
                break;
            }
        }
        let local = |l: LocalId| make::expr(ExprKind::Local(l), known.model.local(l).ty);
        for name in names.iter().map(|l| local(*l)) {
            let same = self.chosen.iter().map(|l| local(*l)).filter(|l| l.ty == name.ty);
            found.extend(same.take(EACH).map(|value| (name.clone(), value)));
        }
        found
    }
}

fn has_elements(known: &mut Known<'_>, set: &Expr) -> bool {
    let empty = make::expr(ExprKind::EmptySet, set.ty);
    let some = make::compare(CompareOp::NotEqual, set.clone(), empty);
    known.truth(&some) == Some(true) && known.is_defined(&some)
}

/// Gives names the parts of a value; those that are left. A part that is known is compared when all names
/// have values.
fn bind(pattern: &Expr, value: &Expr, names: &[LocalId], values: &mut Values) -> Vec<LocalId> {
    match (&pattern.kind, &value.kind) {
        (ExprKind::Local(name), _) if names.contains(name) => {
            values.set(Place::Local(*name), value.clone());
            names.iter().copied().filter(|n| n != name).collect()
        }
        (ExprKind::Binary(BinaryOp::Pair, a, b), ExprKind::Binary(BinaryOp::Pair, c, d)) => {
            let left = bind(a, c, names, values);
            bind(b, d, &left, values)
        }
        _ => names.to_vec(),
    }
}

/// Some elements that a set is seen to have.
fn listed(known: &Known<'_>, set: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    list(known, set, &mut found);
    found
}

fn list(known: &Known<'_>, set: &Expr, found: &mut Vec<Expr>) {
    let halves = |of: &Expr, left: bool, found: &mut Vec<Expr>| {
        for pair in listed(known, of) {
            if let ExprKind::Binary(BinaryOp::Pair, a, b) = pair.kind {
                found.push(if left { *a } else { *b });
            }
        }
    };
    match &set.kind {
        ExprKind::SetExtension(parts) => found.extend(parts.iter().cloned()),
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            list(known, a, found);
            list(known, b, found);
        }
        ExprKind::Binary(BinaryOp::Override, a, b) => {
            list(known, b, found);
            list(known, a, found);
        }
        ExprKind::Binary(BinaryOp::Difference, a, _) => list(known, a, found),
        ExprKind::Binary(BinaryOp::Interval, a, b) => {
            found.extend([(**a).clone(), (**b).clone()]);
        }
        ExprKind::Unary(UnaryOp::Domain, of) => halves(of, true, found),
        ExprKind::Unary(UnaryOp::Range, of) => halves(of, false, found),
        ExprKind::Basic(BasicSet::Nat1 | BasicSet::Natural1) => found.push(make::integer(1)),
        ExprKind::Basic(BasicSet::Nat | BasicSet::Natural | BasicSet::Int | BasicSet::Integer) => {
            found.push(make::integer(0))
        }
        ExprKind::Basic(BasicSet::Bool) => {
            let ty = beeline_model::TypeTable::BOOL;
            found.extend([true, false].map(|b| make::expr(ExprKind::Bool(b), ty)));
        }
        ExprKind::GivenSet(id) => {
            let given = known.model.set(*id);
            let named = given.elements.as_ref().map_or(0, Vec::len).min(EACH);
            let element = |at| make::expr(ExprKind::Element(*id, at as u32), given.ty);
            found.extend((0..named).map(element));
        }
        _ => {}
    }
}
