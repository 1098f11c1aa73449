//! Sets, and what is known of them as relations, functions and sequences.

use super::{ATOMS, Atom, Ints, Value};
use beeline_model::{Model, Type, TypeId};
use std::collections::BTreeSet;

/// What is known of a set.
#[derive(Clone, PartialEq, Debug)]
pub struct Set {
    /// How many elements there are, if it is finite.
    pub card: Ints,
    /// What each element is; all that it may contain.
    pub elem: Value,
    /// What it must contain.
    pub must: BTreeSet<Atom>,
    /// Does it contain every value of its type?
    pub whole: bool,
    /// Is it finite?
    pub finite: bool,
    /// What is known of it as a relation.
    pub relation: Option<Box<Relation>>,
}

/// What is known of a relation.
#[derive(Clone, PartialEq, Debug)]
pub struct Relation {
    /// Is it a function?
    pub functional: bool,
    /// Is its inverse a function?
    pub injective: bool,
    /// Is it a sequence: a function from `1..n`?
    pub sequence: bool,
    /// Its domain.
    pub domain: Set,
    /// Its range.
    pub range: Set,
}

fn at_most(n: Option<i128>) -> Ints {
    Ints::between(Some(0), n).unwrap_or(Ints::one(0))
}

impl Relation {
    fn any(domain: Set, range: Set) -> Relation {
        Relation { functional: false, injective: false, sequence: false, domain, range }
    }
}

impl Set {
    /// Nothing is known.
    pub fn unknown() -> Set {
        Set::within(Value::Any)
    }

    /// No element.
    pub fn empty() -> Set {
        Set {
            card: Ints::one(0),
            elem: Value::Never,
            must: BTreeSet::new(),
            whole: false,
            finite: true,
            relation: None,
        }
    }

    /// Any set of such elements.
    pub fn within(elem: Value) -> Set {
        let finite = elem.is_finite();
        let relation = match &elem {
            Value::Pair(pair) => {
                let (a, b) = (Set::within(pair.0.clone()), Set::within(pair.1.clone()));
                Some(Box::new(Relation::any(a, b)))
            }
            _ => None,
        };
        let card = at_most(elem.count());
        Set { card, elem, must: BTreeSet::new(), whole: false, finite, relation }
    }

    /// All sets of elements of a type.
    pub fn of_type(model: &Model, element: TypeId) -> Set {
        let mut set = Set::within(Value::top(model, element));
        if let Type::Pair(a, b) = model.types.get(element) {
            let (a, b) = (Set::of_type(model, *a), Set::of_type(model, *b));
            set.relation = Some(Box::new(Relation::any(a, b)));
        }
        set
    }

    /// Exactly these.
    pub fn of(atoms: impl IntoIterator<Item = Atom>) -> Set {
        let must: BTreeSet<Atom> = atoms.into_iter().collect();
        let elem = must.iter().fold(Value::Never, |v, atom| v.join(&Value::one(atom)));
        let card = Ints::one(must.len() as i128);
        Set { card, must, finite: true, ..Set::within(elem) }
    }

    /// Has it no element?
    pub fn is_empty(&self) -> bool {
        self.card.high() == Some(0)
    }

    /// Has it surely an element?
    pub fn is_inhabited(&self) -> bool {
        self.card.low().is_some_and(|n| n > 0)
    }

    /// Is it surely a function?
    pub fn is_functional(&self) -> bool {
        self.is_empty()
            || self.card.high() == Some(1)
            || self.relation.as_ref().is_some_and(|r| r.functional)
    }

    /// Is its inverse surely a function?
    pub fn is_injective(&self) -> bool {
        self.is_empty()
            || self.card.high() == Some(1)
            || self.relation.as_ref().is_some_and(|r| r.injective)
    }

    /// Is it surely a sequence?
    pub fn is_sequence(&self) -> bool {
        self.is_empty() || self.relation.as_ref().is_some_and(|r| r.sequence)
    }

    /// Are all of its elements known?
    pub fn is_exact(&self) -> bool {
        self.finite && self.card.single() == Some(self.must.len() as i128)
    }

    /// Its domain.
    pub fn domain(&self) -> Set {
        match &self.relation {
            _ if self.is_empty() => Set::empty(),
            Some(relation) => relation.domain.clone(),
            None => Set::within(self.elem.halves().0),
        }
    }

    /// Its range.
    pub fn range(&self) -> Set {
        match &self.relation {
            _ if self.is_empty() => Set::empty(),
            Some(relation) => relation.range.clone(),
            None => Set::within(self.elem.halves().1),
        }
    }

    /// Any subset of it.
    pub fn subset(&self) -> Set {
        let relation = self.relation.as_ref().map(|r| {
            let Relation { functional, injective, .. } = **r;
            let (domain, range) = (r.domain.subset(), r.range.subset());
            Box::new(Relation { functional, injective, sequence: false, domain, range })
        });
        Set {
            card: at_most(self.card.high()),
            elem: self.elem.clone(),
            must: BTreeSet::new(),
            whole: false,
            finite: self.finite,
            relation,
        }
    }

    /// Does it surely contain each value that this stands for?
    pub fn surely_contains(&self, value: &Value) -> bool {
        if self.whole || value.is_never() {
            return true;
        }
        // Each half of a pair could be in the domain and range without the pair being here.
        let few = value.list(ATOMS);
        few.is_some_and(|atoms| atoms.iter().all(|a| self.must.contains(a)))
    }

    /// Values of either.
    pub fn join(&self, other: &Set) -> Set {
        match (self.is_empty(), other.is_empty()) {
            (true, true) => return Set::empty(),
            (true, false) => return other.or_empty(),
            (false, true) => return self.or_empty(),
            _ => {}
        }
        let relation = self.relation.as_ref().zip(other.relation.as_ref()).map(|(a, b)| {
            Box::new(Relation {
                functional: a.functional && b.functional,
                injective: a.injective && b.injective,
                sequence: a.sequence && b.sequence,
                domain: a.domain.join(&b.domain),
                range: a.range.join(&b.range),
            })
        });
        Set {
            card: self.card.join(&other.card),
            elem: self.elem.join(&other.elem),
            must: self.must.intersection(&other.must).cloned().collect(),
            whole: self.whole && other.whole,
            finite: self.finite && other.finite,
            relation,
        }
    }

    /// The same, or the empty set, which is every kind of relation.
    fn or_empty(&self) -> Set {
        let relation = self.relation.as_ref().map(|r| {
            let (domain, range) = (r.domain.or_empty(), r.range.or_empty());
            Box::new(Relation { domain, range, ..(**r).clone() })
        });
        Set {
            card: self.card.join(&Ints::one(0)),
            must: BTreeSet::new(),
            whole: false,
            relation,
            ..self.clone()
        }
    }

    /// Values of both; they may contradict each other until it is made consistent.
    pub fn meet(&self, other: &Set) -> Set {
        let relation = match (&self.relation, &other.relation) {
            (Some(a), Some(b)) => Some(Box::new(Relation {
                functional: a.functional || b.functional,
                injective: a.injective || b.injective,
                sequence: a.sequence || b.sequence,
                domain: a.domain.meet(&b.domain),
                range: a.range.meet(&b.range),
            })),
            (a, b) => a.clone().or(b.clone()),
        };
        let elem = self.elem.meet(&other.elem);
        // Cardinalities that exclude each other: nothing is left, and the next line sees it.
        let (card, impossible) = match self.card.meet(&other.card) {
            Some(card) => (card, false),
            None => (Ints::one(0), true),
        };
        let mut must: BTreeSet<Atom> = self.must.union(&other.must).cloned().collect();
        if impossible {
            must.insert(Atom::Bool(true));
        }
        Set {
            card,
            elem,
            must,
            whole: self.whole || other.whole,
            finite: self.finite || other.finite,
            relation,
        }
    }

    /// An upper bound such that chains come to an end.
    pub fn widen(&self, next: &Set, thresholds: &[i128]) -> Set {
        let mut wide = self.join(next);
        wide.card = self.card.widen(&wide.card, thresholds);
        wide.elem = self.elem.widen(&wide.elem, thresholds);
        if let (Some(old), Some(new)) = (&self.relation, &mut wide.relation) {
            new.domain = old.domain.widen(&new.domain.clone(), thresholds);
            new.range = old.range.widen(&new.range.clone(), thresholds);
        }
        wide
    }

    /// What its parts say of each other; nothing if they contradict each other.
    pub fn consistent(mut self) -> Option<Set> {
        // Twice, since the parts of a relation tell of each other.
        for _ in 0..2 {
            self.relate()?;
            self.count()?;
        }
        if self.is_empty() {
            return Some(Set::empty());
        }
        Some(self)
    }

    /// Cardinality and elements.
    fn count(&mut self) -> Option<()> {
        if !self.must.iter().all(|a| self.elem.contains(a)) {
            return None;
        }
        let known = self.must.len() as i128;
        self.card = self.card.meet(&Ints::from(Some(known)))?;
        if let Some(most) = self.elem.count() {
            // An infinite set has no cardinality that could be compared, but this one is finite.
            self.card = self.card.meet(&at_most(Some(most)))?;
            self.finite = true;
        }
        if self.card.high().is_some() {
            self.finite = true;
        }
        if self.card.high() == Some(known) && self.finite {
            let all = self.must.iter().fold(Value::Never, |v, a| v.join(&Value::one(a)));
            self.elem = self.elem.meet(&all);
        }
        let full = self.card.low().is_some() && self.card.low() == self.elem.count();
        if (full || self.whole)
            && let Some(all) = self.elem.list(ATOMS)
        {
            self.must.extend(all);
        }
        while self.must.len() > ATOMS {
            self.must.pop_last();
        }
        Some(())
    }

    /// Domain, range and kind.
    fn relate(&mut self) -> Option<()> {
        let Some(mut relation) = self.relation.take() else { return Some(()) };
        if self.is_empty() {
            return if self.must.is_empty() { Some(()) } else { None };
        }
        let r = &mut *relation;
        for atom in &self.must {
            if let Atom::Pair(pair) = atom {
                r.domain.must.insert(pair.0.clone());
                r.range.must.insert(pair.1.clone());
            }
        }
        let elem = self.elem.meet(&Value::pair(r.domain.elem.clone(), r.range.elem.clone()));
        let (left, right) = elem.halves();
        r.domain.elem = r.domain.elem.meet(&left);
        r.range.elem = r.range.elem.meet(&right);
        self.elem = elem;
        self.finite |= r.domain.finite && (r.functional || r.range.finite) || r.sequence;
        self.finite |= r.range.finite && r.injective;
        r.functional |= r.sequence;
        if self.finite {
            (r.domain.finite, r.range.finite) = (true, true);
            self.counts(r)?;
        }
        if r.sequence {
            let ends = Ints::between(Some(1), self.card.high());
            r.domain.elem = r.domain.elem.meet(&Value::ints(ends));
            let least = self.card.low().unwrap_or(0).min(ATOMS as i128);
            r.domain.must.extend((1..=least).map(Atom::Int));
        }
        r.domain = std::mem::replace(&mut r.domain, Set::empty()).consistent()?;
        r.range = std::mem::replace(&mut r.range, Set::empty()).consistent()?;
        self.relation = Some(relation);
        Some(())
    }

    /// What the cardinalities of a finite relation, its domain and its range say of each other.
    fn counts(&mut self, r: &mut Relation) -> Option<()> {
        for (end, exact) in [(&mut r.domain, r.functional), (&mut r.range, r.injective)] {
            end.card = end.card.meet(&at_most(self.card.high()))?;
            self.card = self.card.meet(&Ints::from(end.card.low()))?;
            if self.is_inhabited() {
                end.card = end.card.meet(&Ints::from(Some(1)))?;
            }
            if exact {
                end.card = end.card.meet(&self.card)?;
                self.card = self.card.meet(&end.card)?;
            }
        }
        let most = r.domain.card.high().zip(r.range.card.high());
        let most = most.and_then(|(a, b)| a.checked_mul(b));
        self.card = self.card.meet(&at_most(most))?;
        Some(())
    }
}
