//! Types of random machines, and the finite domains that their variables stay in.

use super::node::{Node, atom, expr, name};
use crate::random::Random;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Integers.
    Int,
    /// `BOOL`
    Bool,
    /// Strings.
    Str,
    /// A given set, by its number.
    Given(usize),
    /// Sets of something.
    Pow(Box<Ty>),
    /// Pairs.
    Pair(Box<Ty>, Box<Ty>),
    /// Records with fields `a` and `c`.
    Rec(Box<Ty>, Box<Ty>),
    /// The free type.
    Free,
}

impl Ty {
    /// Sets of this.
    pub fn pow(self) -> Ty {
        Ty::Pow(Box::new(self))
    }

    /// Relations.
    pub fn rel(from: Ty, to: Ty) -> Ty {
        Ty::Pair(Box::new(from), Box::new(to)).pow()
    }

    /// With another type in place of a given set.
    pub fn replaced(&self, set: usize, by: &Ty) -> Ty {
        let part = |of: &Ty| Box::new(of.replaced(set, by));
        match self {
            Ty::Given(this) if *this == set => by.clone(),
            Ty::Pow(of) => Ty::Pow(part(of)),
            Ty::Pair(a, b) => Ty::Pair(part(a), part(b)),
            Ty::Rec(a, b) => Ty::Rec(part(a), part(b)),
            _ => self.clone(),
        }
    }

    /// Do numbers or strings occur in it?
    pub fn is_open(&self) -> bool {
        match self {
            Ty::Int | Ty::Str => true,
            Ty::Bool | Ty::Given(_) | Ty::Free => false,
            Ty::Pow(of) => of.is_open(),
            Ty::Pair(a, b) | Ty::Rec(a, b) => a.is_open() || b.is_open(),
        }
    }
}

/// The name of the free type.
pub const FREE: &str = "F";

/// A given set.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Names of elements: all of an enumerated set, perhaps some of a deferred one.
    pub elements: Vec<String>,
    /// How many it has.
    pub size: usize,
    /// Is it deferred?
    pub deferred: bool,
}

/// A finite set of values that a variable is meant to stay in.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `0..n`
    Range(i64, i64),
    /// `BOOL`
    Bool,
    /// Two strings.
    Strings,
    /// A given set.
    Given(usize),
    /// Subsets.
    Pow(Box<Domain>),
    /// Pairs.
    Pair(Box<Domain>, Box<Domain>),
    /// Records.
    Rec(Box<Domain>, Box<Domain>),
    /// Functions of some kind.
    Fun(&'static str, Box<Domain>, Box<Domain>),
    /// Sequences up to a length.
    Seq(Box<Domain>, usize),
    /// The free type, which has so many values.
    Free(usize),
}

impl Domain {
    /// The type of its values.
    pub fn ty(&self) -> Ty {
        match self {
            Domain::Range(..) => Ty::Int,
            Domain::Bool => Ty::Bool,
            Domain::Strings => Ty::Str,
            Domain::Given(set) => Ty::Given(*set),
            Domain::Pow(of) => of.ty().pow(),
            Domain::Pair(a, b) => Ty::Pair(Box::new(a.ty()), Box::new(b.ty())),
            Domain::Rec(a, b) => Ty::Rec(Box::new(a.ty()), Box::new(b.ty())),
            Domain::Fun(_, a, b) => Ty::rel(a.ty(), b.ty()),
            Domain::Seq(of, _) => Ty::rel(Ty::Int, of.ty()),
            Domain::Free(_) => Ty::Free,
        }
    }

    /// About how many values there are.
    pub fn count(&self, sets: &[Given]) -> f64 {
        match self {
            Domain::Range(a, b) => (b - a + 1) as f64,
            Domain::Bool | Domain::Strings => 2.0,
            Domain::Given(set) => sets[*set].size as f64,
            Domain::Pow(of) => 2f64.powf(of.count(sets)),
            Domain::Pair(a, b) | Domain::Rec(a, b) => a.count(sets) * b.count(sets),
            Domain::Fun("<->", a, b) => 2f64.powf(a.count(sets) * b.count(sets)),
            Domain::Fun("+->" | ">+>" | "+->>", a, b) => (b.count(sets) + 1.0).powf(a.count(sets)),
            Domain::Fun(_, a, b) => b.count(sets).powf(a.count(sets)),
            Domain::Seq(of, length) => (of.count(sets) + 1.0).powf(*length as f64),
            Domain::Free(size) => *size as f64,
        }
    }

    /// The set as B writes it.
    pub fn set(&self, sets: &[Given]) -> Node {
        let part = |d: &Domain| d.set(sets);
        match self {
            Domain::Range(a, b) => atom(format!("({a}..{b})")),
            Domain::Bool => atom("BOOL"),
            Domain::Strings => atom("{\"a\", \"b\"}"),
            Domain::Given(set) => name(sets[*set].name.clone()),
            Domain::Pow(of) => expr("POW(@)", [part(of)]),
            Domain::Pair(a, b) => expr("((@) * (@))", [part(a), part(b)]),
            Domain::Rec(a, b) => expr("struct(a : @, c : @)", [part(a), part(b)]),
            Domain::Fun(arrow, a, b) => expr(&format!("((@) {arrow} (@))"), [part(a), part(b)]),
            Domain::Seq(of, _) => expr("seq(@)", [part(of)]),
            Domain::Free(_) => atom(FREE),
        }
    }
}

/// A simple domain: what sets and functions are made of.
pub fn small(sets: &[Given], random: &mut Random) -> Domain {
    match random.below(10) {
        0..2 => Domain::Range(0, 1 + random.below(2) as i64),
        2 => Domain::Bool,
        _ if !sets.is_empty() => Domain::Given(random.below(sets.len())),
        _ => Domain::Range(-1, 1),
    }
}

/// A domain of many values that use elements of deferred sets, or nothing where there are none. Few of
/// the values must be reachable.
pub fn wide(sets: &[Given], random: &mut Random) -> Option<Domain> {
    let some = |deferred: bool, random: &mut Random| {
        let fit: Vec<usize> = (0..sets.len()).filter(|s| sets[*s].deferred == deferred).collect();
        (!fit.is_empty()).then(|| Box::new(Domain::Given(random.pick(&fit))))
    };
    let nameless = some(true, random)?;
    let other = match some(false, random) {
        Some(other) if random.chance(60) => other,
        _ => Box::new(Domain::Range(0, 4 + random.below(3) as i64)),
    };
    Some(match random.below(5) {
        0 | 1 => Domain::Fun("+->", other, nameless),
        2 => Domain::Fun("+->", nameless, other),
        3 => Domain::Fun("<->", nameless, other),
        _ => Domain::Pow(Box::new(Domain::Pair(nameless, other))),
    })
}

/// Any domain.
pub fn domain(sets: &[Given], random: &mut Random) -> Domain {
    let boxed = |random: &mut Random| Box::new(small(sets, random));
    match random.below(43) {
        0..5 => Domain::Range(-(random.below(4) as i64), 1 + random.below(4) as i64),
        5..7 => Domain::Bool,
        7..13 if !sets.is_empty() => Domain::Given(random.below(sets.len())),
        13..20 => Domain::Pow(boxed(random)),
        20..30 => {
            let arrow =
                random.pick(&["-->", "-->", "+->", "+->", "+->", "<->", ">->", ">+>", "-->>"]);
            Domain::Fun(arrow, boxed(random), boxed(random))
        }
        30..32 => Domain::Seq(boxed(random), 2),
        32 => Domain::Pair(boxed(random), boxed(random)),
        33..35 => Domain::Rec(boxed(random), boxed(random)),
        35..37 => Domain::Pow(Box::new(Domain::Pow(boxed(random)))),
        37 => Domain::Pow(Box::new(Domain::Pair(boxed(random), boxed(random)))),
        38 => Domain::Fun("+->", boxed(random), Box::new(Domain::Pow(boxed(random)))),
        39 => {
            let both = Domain::Pair(boxed(random), boxed(random));
            Domain::Fun(random.pick(&["-->", "+->"]), Box::new(both), boxed(random))
        }
        40 => {
            let same = boxed(random);
            Domain::Fun(random.pick(&["<->", "+->", ">->>"]), same.clone(), same)
        }
        41 => Domain::Rec(boxed(random), Box::new(Domain::Pow(boxed(random)))),
        _ => Domain::Strings,
    }
}

/// A domain of domains, down to a depth.
pub fn deep(sets: &[Given], free: Option<usize>, depth: usize, random: &mut Random) -> Domain {
    if depth == 0 || random.chance(20) {
        return match free {
            Some(size) if random.chance(25) => Domain::Free(size),
            _ => small(sets, random),
        };
    }
    let mut part = |less: usize| Box::new(deep(sets, free, depth.saturating_sub(less), random));
    let (a, b) = (part(1), part(1));
    match random.below(12) {
        0..3 => Domain::Pow(a),
        3..7 => {
            let arrow = random.pick(&["-->", "+->", "+->", "<->", ">->", ">+>", "-->>", "+->>"]);
            Domain::Fun(arrow, a, b)
        }
        7 => Domain::Pair(a, b),
        8..10 => Domain::Rec(a, b),
        10 => Domain::Seq(a, 2),
        _ => Domain::Fun(random.pick(&["+->", ">->>", "<->"]), a.clone(), a),
    }
}
