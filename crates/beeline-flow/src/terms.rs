//! Expressions up to equality: classes that are closed under congruence.
//!
//! If `x` and `y` are in one class, so are `f(x)` and `f(y)`. A class that holds two different literals is a
//! contradiction.

use crate::linear::Sum;
use beeline_model::{BinaryOp, Expr, ExprKind, TypeTable, UnaryOp};
use beeline_prove::Key;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A node: what it is beside its parts, and the classes of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    head: Head,
    parts: Rc<[u32]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Head {
    /// Something with a value of its own: different from all others of this kind.
    Literal(Rc<Key>),
    /// An expression that is not taken apart.
    Whole(Rc<Key>),
    Unary(UnaryOp),
    Binary(BinaryOp),
    Apply,
    Set,
    Sequence,
    Record,
    Field(usize),
    /// A predicate, by the number of its operator.
    Atom(u32),
}

/// So many members of a class are looked at.
const MAX_EQUALS: usize = 24;
/// The end of a list.
const NONE: u32 = u32::MAX;

/// All classes. Copies are made often, so that everything is flat or shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    nodes: Vec<(Node, Option<Rc<Expr>>)>,
    /// By what is written with the classes of the parts; entries with classes that were joined are never found.
    index: FxHashMap<Node, u32>,
    leader: Vec<u32>,
    /// The members of a class, in a ring.
    next: Vec<u32>,
    /// The places at which a class is a part: the first and the last of a list in `uses`.
    used: Vec<(u32, u32)>,
    /// A node, and the next use.
    uses: Vec<(u32, u32)>,
    literal: FxHashMap<u32, Rc<Key>>,
    numbers: FxHashMap<u32, BigInt>,
    defined: FxHashSet<u32>,
    /// How often classes were joined.
    pub merges: u32,
    /// Nodes that were looked at.
    pub work: u64,
    /// Two literals are said to be equal.
    pub contradiction: bool,
}

impl Terms {
    pub fn class(&self, mut id: u32) -> u32 {
        while self.leader[id as usize] != id {
            id = self.leader[id as usize];
        }
        id
    }

    /// The class of an expression.
    pub fn term(&mut self, e: &Expr) -> u32 {
        self.work += 1;
        let (head, parts): (Head, Vec<&Expr>) = match &e.kind {
            ExprKind::Integer(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::EmptySet => (Head::Literal(Rc::new(Key::expr(e))), Vec::new()),
            ExprKind::Unary(op, a) => (Head::Unary(*op), vec![a]),
            ExprKind::Binary(op, a, b) => (Head::Binary(*op), vec![a, b]),
            ExprKind::Apply(f, x) => (Head::Apply, vec![f, x]),
            ExprKind::SetExtension(list) => (Head::Set, list.iter().collect()),
            ExprKind::SequenceExtension(list) => (Head::Sequence, list.iter().collect()),
            ExprKind::Record(list) => (Head::Record, list.iter().collect()),
            ExprKind::Field(a, at) => (Head::Field(*at), vec![a]),
            _ => (Head::Whole(Rc::new(Key::expr(e))), Vec::new()),
        };
        let parts = parts.into_iter().map(|p| self.term(p)).collect();
        let id = self.add(Node { head, parts }, Some(e));
        if let ExprKind::Integer(n) = &e.kind {
            self.numbers.entry(id).or_insert_with(|| n.clone());
        }
        id
    }

    /// The class of a predicate on two expressions.
    pub fn atom(&mut self, operator: u32, a: &Expr, b: &Expr) -> u32 {
        let parts = [self.term(a), self.term(b)].into();
        self.add(Node { head: Head::Atom(operator), parts }, None)
    }

    fn add(&mut self, node: Node, e: Option<&Expr>) -> u32 {
        if let Some(id) = self.index.get(&node) {
            return self.class(*id);
        }
        let id = self.nodes.len() as u32;
        if let Head::Literal(key) = &node.head {
            self.literal.insert(id, key.clone());
        }
        self.leader.push(id);
        self.next.push(id);
        self.used.push((NONE, NONE));
        for part in node.parts.iter() {
            let place = self.uses.len() as u32;
            self.uses.push((id, NONE));
            self.append(*part, (place, place));
        }
        self.index.insert(node.clone(), id);
        self.nodes.push((node, e.map(|e| Rc::new(e.clone()))));
        id
    }

    /// Adds uses to those of a class.
    fn append(&mut self, class: u32, (first, last): (u32, u32)) {
        if first == NONE {
            return;
        }
        let (head, tail) = self.used[class as usize];
        match tail {
            NONE => self.used[class as usize] = (first, last),
            _ => {
                self.uses[tail as usize].1 = first;
                self.used[class as usize] = (head, last);
            }
        }
    }

    /// Makes two classes one, and all that follows.
    pub fn merge(&mut self, a: u32, b: u32) {
        let mut waiting = vec![(a, b)];
        while let Some((a, b)) = waiting.pop() {
            let (a, b) = (self.class(a), self.class(b));
            if a == b {
                continue;
            }
            self.merges += 1;
            self.leader[b as usize] = a;
            self.next.swap(a as usize, b as usize);
            if let Some(key) = self.literal.remove(&b)
                && self.literal.insert(a, key.clone()).is_some_and(|other| other != key)
            {
                self.contradiction = true;
                return;
            }
            if let Some(n) = self.numbers.remove(&b) {
                self.numbers.insert(a, n);
            }
            if self.defined.remove(&b) {
                self.defined.insert(a);
            }
            let uses = std::mem::replace(&mut self.used[b as usize], (NONE, NONE));
            let mut at = uses.0;
            while at != NONE {
                let (id, after) = self.uses[at as usize];
                self.work += 1;
                let mut node = self.nodes[id as usize].0.clone();
                node.parts = node.parts.iter().map(|p| self.class(*p)).collect();
                match self.index.get(&node) {
                    Some(other) if self.class(*other) != self.class(id) => {
                        waiting.push((*other, id));
                    }
                    Some(_) => {}
                    None => _ = self.index.insert(node, id),
                }
                at = after;
            }
            self.append(a, uses);
        }
    }

    /// Do two classes hold different literals?
    pub fn differ(&self, a: u32, b: u32) -> bool {
        match (self.literal.get(&self.class(a)), self.literal.get(&self.class(b))) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        }
    }

    /// What an expression is known to be equal to.
    pub fn equals(&self, id: u32) -> Vec<Rc<Expr>> {
        let mut found = Vec::new();
        let mut at = id;
        loop {
            found.extend(self.nodes[at as usize].1.clone());
            at = self.next[at as usize];
            if at == id || found.len() > MAX_EQUALS {
                return found;
            }
        }
    }

    /// All applications, with the classes of their functions.
    pub fn applications(&self) -> Vec<(Rc<Expr>, u32)> {
        let is_application = |n: &&(Node, Option<Rc<Expr>>)| n.0.head == Head::Apply;
        let all = self.nodes.iter().filter(is_application);
        all.filter_map(|(node, e)| Some((e.clone()?, self.class(node.parts[0])))).collect()
    }

    /// An expression was evaluated: all of it has a meaning.
    pub fn is_evaluated(&mut self, e: &Expr) {
        let id = self.term(e);
        let class = self.class(id);
        self.defined.insert(class);
        if strict(e) {
            e.parts(&mut |part| {
                if let beeline_model::Part::Expr(inner) = part {
                    self.is_evaluated(inner);
                }
            });
        }
    }

    /// Is something evaluated that is equal to this, and has the same meaning?
    pub fn is_evaluated_before(&mut self, e: &Expr) -> bool {
        let id = self.term(e);
        self.defined.contains(&self.class(id))
    }

    /// An integer expression as a sum.
    pub fn sum(&mut self, e: &Expr) -> Option<Sum> {
        let id = self.term(e);
        let class = self.class(id);
        self.work += 1;
        if let Some(n) = self.numbers.get(&class) {
            return i64::try_from(n).ok().map(|n| Sum::number(n.into()));
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => self.sum(a)?.plus(1, &self.sum(b)?),
            ExprKind::Binary(BinaryOp::Subtract, a, b) => self.sum(a)?.plus(-1, &self.sum(b)?),
            ExprKind::Unary(UnaryOp::Negate, a) => Sum::default().plus(-1, &self.sum(a)?),
            ExprKind::Binary(BinaryOp::Multiply, a, b) => {
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                match (a.parts.is_empty(), b.parts.is_empty()) {
                    (true, _) => Sum::default().plus(a.constant, &b),
                    (_, true) => Sum::default().plus(b.constant, &a),
                    _ => Some(Sum::name(class)),
                }
            }
            _ => Some(Sum::name(class)),
        }
    }
}

/// Are all parts evaluated whenever the whole is?
fn strict(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Apply(..)
            | ExprKind::SetExtension(_)
            | ExprKind::SequenceExtension(_)
            | ExprKind::Record(_)
            | ExprKind::Field(..)
    )
}

/// Has an expression a meaning if its parts have one?
pub(crate) fn total(e: &Expr) -> bool {
    use BinaryOp as B;
    match &e.kind {
        ExprKind::Integer(_)
        | ExprKind::Bool(_)
        | ExprKind::String(_)
        | ExprKind::MaxInt
        | ExprKind::MinInt
        | ExprKind::Variable(_)
        | ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Element(..)
        | ExprKind::GivenSet(_)
        | ExprKind::Basic(_)
        | ExprKind::EmptySet
        | ExprKind::SetExtension(_)
        | ExprKind::Record(_)
        | ExprKind::Field(..) => true,
        ExprKind::Unary(op, _) => {
            matches!(
                op,
                UnaryOp::Negate
                    | UnaryOp::Power
                    | UnaryOp::Power1
                    | UnaryOp::Finite
                    | UnaryOp::Finite1
                    | UnaryOp::GeneralUnion
                    | UnaryOp::Domain
                    | UnaryOp::Range
                    | UnaryOp::Identity
                    | UnaryOp::Inverse
                    | UnaryOp::Seq
                    | UnaryOp::Seq1
                    | UnaryOp::Iseq
                    | UnaryOp::Iseq1
                    | UnaryOp::PairFirst
                    | UnaryOp::PairSecond
            )
        }
        ExprKind::Binary(op, ..) => matches!(
            op,
            B::Add
                | B::Subtract
                | B::Multiply
                | B::Interval
                | B::Pair
                | B::Cartesian
                | B::Union
                | B::Intersection
                | B::Difference
                | B::Override
                | B::DomainRestrict
                | B::DomainSubtract
                | B::RangeRestrict
                | B::RangeSubtract
                | B::Image
                | B::Compose
                | B::DirectProduct
                | B::ParallelProduct
                | B::Relations
                | B::TotalRelations
                | B::SurjectiveRelations
                | B::TotalSurjectiveRelations
                | B::PartialFunctions
                | B::TotalFunctions
                | B::PartialInjections
                | B::TotalInjections
                | B::PartialSurjections
                | B::TotalSurjections
                | B::PartialBijections
                | B::TotalBijections
        ),
        _ => false,
    }
}

/// Is it an integer?
pub(crate) fn is_integer(e: &Expr) -> bool {
    e.ty == TypeTable::INTEGER
}
