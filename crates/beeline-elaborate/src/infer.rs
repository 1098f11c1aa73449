//! Type inference by unification.
//!
//! Types under construction live in one table with links between them. What cannot be decided at
//! once (is this `*` a product of numbers or of sets?) is kept as a [`Pending`] question and asked
//! again when more is known; [`Infer::settle`] asks all of them and takes the default where nothing
//! ever decides. This module knows no syntax and no names of things.

use beeline_model::{FreeTypeId, SetId, Type, TypeId, TypeTable};
use beeline_source::Span;
use beeline_syntax::ast::Name;
use std::cell::Cell;

/// The most parts a type may have, written out. `x1 = (x0,x0) & x2 = (x1,x1) & …` doubles a type
/// with each conjunct, and `x0 = {x1} & x1 = {x2} & …` makes one as deep as the formula is long.
pub(crate) const MAX_TYPE_PARTS: usize = 4_000;

/// A type under construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Ty(pub(crate) u32);

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Unknown,
    Link(Ty),
    Bool,
    Integer,
    Real,
    String,
    Given(SetId),
    Free(FreeTypeId, Box<[Ty]>),
    Power(Ty),
    Pair(Ty, Ty),
    Record(Box<[(Name, Ty)]>),
}

/// A question that more knowledge will answer.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    /// A number: integer or real.
    Numeric(Ty),
    /// `-`: numbers or sets, all three alike.
    Minus(Ty),
    /// `a * b = r`: numbers or a Cartesian product.
    Times(Ty, Ty, Ty),
    /// The field of a record.
    Field(Ty, Name, Ty),
    /// A sequence or a string.
    Sequence(Ty),
    /// An element of a sequence, or (of a string) a string.
    ElementOf(Ty, Ty),
    /// `conc(ss) = r`: a sequence of sequences, or of strings.
    Flattened(Ty, Ty),
}

#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub question: Question,
    pub span: Span,
}

/// Why a question has no answer.
#[derive(Clone, Debug)]
pub(crate) struct Unanswered {
    pub pending: Pending,
    pub reason: Reason,
}

#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// Two types do not fit.
    Mismatch(Ty, Ty),
    /// A number was wanted.
    NotNumeric(Ty),
    /// Neither numbers nor sets.
    NotNumbersOrSets(Ty, Ty),
    /// No such field; the record has these.
    NoField(Name, Vec<Name>),
    /// A record was wanted.
    NotARecord(Ty),
    /// A sequence or a string was wanted.
    NotASequence(Ty),
    /// Nothing tells which record type is meant.
    UnknownRecord(Name),
}

#[derive(Debug)]
pub(crate) struct Infer {
    nodes: Vec<Node>,
    pending: Vec<Pending>,
    ground: Vec<Option<TypeId>>,
    /// A type with more than [`MAX_TYPE_PARTS`] was met.
    too_large: Cell<bool>,
}

/// How a walk over the parts of a type ended.
enum Walk {
    Found,
    NotFound,
    TooLarge,
}

pub(crate) const BOOL: Ty = Ty(0);
pub(crate) const INTEGER: Ty = Ty(1);
pub(crate) const REAL: Ty = Ty(2);
pub(crate) const STRING: Ty = Ty(3);
pub(crate) const SET_OF_INTEGER: Ty = Ty(4);

impl Infer {
    pub fn new() -> Infer {
        let nodes = vec![Node::Bool, Node::Integer, Node::Real, Node::String, Node::Power(INTEGER)];
        Infer { nodes, pending: Vec::new(), ground: Vec::new(), too_large: Cell::new(false) }
    }

    pub fn add(&mut self, node: Node) -> Ty {
        self.nodes.push(node);
        Ty(self.nodes.len() as u32 - 1)
    }

    pub fn fresh(&mut self) -> Ty {
        self.add(Node::Unknown)
    }

    pub fn power(&mut self, of: Ty) -> Ty {
        if of == INTEGER { SET_OF_INTEGER } else { self.add(Node::Power(of)) }
    }

    pub fn pair(&mut self, left: Ty, right: Ty) -> Ty {
        self.add(Node::Pair(left, right))
    }

    /// `POW(left * right)`
    pub fn relation(&mut self, left: Ty, right: Ty) -> Ty {
        let pair = self.pair(left, right);
        self.power(pair)
    }

    /// `POW(INTEGER * of)`
    pub fn sequence(&mut self, of: Ty) -> Ty {
        self.relation(INTEGER, of)
    }

    /// The type at the end of all links.
    pub fn find(&self, mut ty: Ty) -> Ty {
        while let Node::Link(next) = self.nodes[ty.0 as usize] {
            ty = next;
        }
        ty
    }

    /// Like [`Infer::find`], and every link on the way then leads to the end: a name that is used
    /// a thousand times would have a way of a thousand links.
    fn shorten(&mut self, ty: Ty) -> Ty {
        let end = self.find(ty);
        let mut next = ty;
        while let Node::Link(after) = self.nodes[next.0 as usize] {
            self.nodes[next.0 as usize] = Node::Link(end);
            next = after;
        }
        end
    }

    pub fn node(&self, ty: Ty) -> &Node {
        &self.nodes[self.find(ty).0 as usize]
    }

    pub fn is_unknown(&self, ty: Ty) -> bool {
        matches!(self.node(ty), Node::Unknown)
    }

    fn link(&mut self, from: Ty, to: Ty) {
        self.nodes[from.0 as usize] = Node::Link(to);
    }

    /// Makes both types equal. `Err` names the innermost pair that does not fit.
    pub fn unify(&mut self, a: Ty, b: Ty) -> Result<(), (Ty, Ty)> {
        let (a, b) = (self.shorten(a), self.shorten(b));
        if a == b {
            return Ok(());
        }
        // A type can be deep before anyone has looked at all of it.
        stacker::maybe_grow(64 << 10, 1 << 20, || self.unify_different(a, b))
    }

    fn unify_different(&mut self, a: Ty, b: Ty) -> Result<(), (Ty, Ty)> {
        match (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]) {
            (Node::Unknown, _) => self.bind(a, b),
            (_, Node::Unknown) => self.bind(b, a),
            (Node::Bool, Node::Bool)
            | (Node::Integer, Node::Integer)
            | (Node::Real, Node::Real)
            | (Node::String, Node::String) => Ok(()),
            (Node::Given(x), Node::Given(y)) if x == y => Ok(()),
            (&Node::Power(x), &Node::Power(y)) => self.unify_parts(a, b, vec![(x, y)]),
            (&Node::Pair(x, y), &Node::Pair(u, v)) => self.unify_parts(a, b, vec![(x, u), (y, v)]),
            (Node::Free(f, xs), Node::Free(g, ys)) if f == g && xs.len() == ys.len() => {
                let pairs = xs.iter().copied().zip(ys.iter().copied()).collect();
                self.unify_parts(a, b, pairs)
            }
            (Node::Record(xs), Node::Record(ys))
                if xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.0 == y.0) =>
            {
                let pairs = xs.iter().zip(ys).map(|(x, y)| (x.1, y.1)).collect();
                self.unify_parts(a, b, pairs)
            }
            _ => Err((a, b)),
        }
    }

    /// Two types of the same form become one, so that nothing is compared twice.
    fn unify_parts(&mut self, a: Ty, b: Ty, parts: Vec<(Ty, Ty)>) -> Result<(), (Ty, Ty)> {
        parts.into_iter().try_for_each(|(x, y)| self.unify(x, y))?;
        self.link(a, b);
        Ok(())
    }

    fn bind(&mut self, unknown: Ty, to: Ty) -> Result<(), (Ty, Ty)> {
        if !matches!(self.nodes[to.0 as usize], Node::Unknown) && self.occurs(unknown, to) {
            return Err((unknown, to));
        }
        self.link(unknown, to);
        Ok(())
    }

    /// Does `unknown` stand somewhere inside `ty`? A type that is too large counts as if it did.
    fn occurs(&self, unknown: Ty, ty: Ty) -> bool {
        !matches!(self.walk(ty, |part, _| part == unknown), Walk::NotFound)
    }

    /// Is everything in it known? Of a type that is too large nobody needs to know.
    pub fn is_ground(&self, ty: Ty) -> bool {
        !matches!(self.walk(ty, |_, node| matches!(node, Node::Unknown)), Walk::Found)
    }

    /// Looks for a part of a type, without recursion, and not beyond [`MAX_TYPE_PARTS`].
    fn walk(&self, ty: Ty, wanted: impl Fn(Ty, &Node) -> bool) -> Walk {
        let mut pending = vec![ty];
        let mut parts = 0;
        while let Some(next) = pending.pop() {
            let part = self.find(next);
            let node = &self.nodes[part.0 as usize];
            if wanted(part, node) {
                return Walk::Found;
            }
            parts += 1;
            if parts > MAX_TYPE_PARTS {
                self.too_large.set(true);
                return Walk::TooLarge;
            }
            match node {
                Node::Power(x) => pending.push(*x),
                Node::Pair(x, y) => pending.extend([*x, *y]),
                Node::Free(_, xs) => pending.extend(xs.iter()),
                Node::Record(xs) => pending.extend(xs.iter().map(|x| x.1)),
                _ => {}
            }
        }
        Walk::NotFound
    }

    /// Was a type met that is too large, since this was last asked?
    pub fn take_too_large(&self) -> bool {
        self.too_large.take()
    }

    /// Asks a question now, or later if nothing is known yet.
    pub fn ask(&mut self, question: Question, span: Span) -> Result<(), Unanswered> {
        let pending = Pending { question, span };
        match self.answer(&pending.question) {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.pending.push(pending);
                Ok(())
            }
            Err(reason) => Err(Unanswered { pending, reason }),
        }
    }

    /// `Ok(true)`: answered. `Ok(false)`: not yet.
    fn answer(&mut self, question: &Question) -> Result<bool, Reason> {
        match *question {
            Question::Numeric(t) => match self.node(t) {
                Node::Integer | Node::Real => Ok(true),
                Node::Unknown => Ok(false),
                _ => Err(Reason::NotNumeric(t)),
            },
            Question::Minus(t) => match self.node(t) {
                Node::Integer | Node::Real | Node::Power(_) => Ok(true),
                Node::Unknown => Ok(false),
                _ => Err(Reason::NotNumbersOrSets(t, t)),
            },
            Question::Times(a, b, r) => self.answer_times(a, b, r),
            Question::Field(record, ref name, value) => match self.node(record) {
                Node::Unknown => Ok(false),
                Node::Record(fields) => match fields.iter().find(|f| f.0 == *name) {
                    Some(&(_, ty)) => self.equal(ty, value).map(|()| true),
                    None => {
                        let names = fields.iter().map(|f| f.0.clone()).collect();
                        Err(Reason::NoField(name.clone(), names))
                    }
                },
                _ => Err(Reason::NotARecord(record)),
            },
            Question::Sequence(t) => match *self.node(t) {
                Node::Unknown => Ok(false),
                Node::String => Ok(true),
                Node::Power(_) => self.make_sequence(t).map(|_| true),
                _ => Err(Reason::NotASequence(t)),
            },
            Question::ElementOf(t, element) => match *self.node(t) {
                Node::Unknown => Ok(false),
                Node::String => self.equal(element, STRING).map(|()| true),
                Node::Power(_) => {
                    let of = self.make_sequence(t)?;
                    self.equal(of, element).map(|()| true)
                }
                _ => Err(Reason::NotASequence(t)),
            },
            Question::Flattened(t, result) => {
                let of = self.make_sequence(t)?;
                match *self.node(of) {
                    Node::Unknown => match *self.node(result) {
                        Node::Unknown => Ok(false),
                        _ => self.equal(of, result).map(|()| true),
                    },
                    Node::String => self.equal(result, STRING).map(|()| true),
                    _ => {
                        self.make_sequence(of)?;
                        self.equal(of, result).map(|()| true)
                    }
                }
            }
        }
    }

    fn answer_times(&mut self, a: Ty, b: Ty, r: Ty) -> Result<bool, Reason> {
        let numeric = |n: &Node| matches!(n, Node::Integer | Node::Real);
        let set = |n: &Node| matches!(n, Node::Power(_));
        let (na, nb, nr) = (self.node(a), self.node(b), self.node(r));
        if numeric(na) || numeric(nb) || numeric(nr) {
            self.equal(a, b)?;
            self.equal(a, r)?;
            return Ok(true);
        }
        if set(na) || set(nb) || set(nr) {
            let (x, y) = (self.fresh(), self.fresh());
            let (px, py) = (self.power(x), self.power(y));
            let pr = self.relation(x, y);
            self.equal(a, px)?;
            self.equal(b, py)?;
            self.equal(r, pr)?;
            return Ok(true);
        }
        if [a, b, r].iter().all(|&t| self.is_unknown(t)) {
            return Ok(false);
        }
        Err(Reason::NotNumbersOrSets(a, b))
    }

    fn equal(&mut self, a: Ty, b: Ty) -> Result<(), Reason> {
        self.unify(a, b).map_err(|_| Reason::Mismatch(a, b))
    }

    /// Makes `t` a sequence type; its element type.
    fn make_sequence(&mut self, t: Ty) -> Result<Ty, Reason> {
        let of = self.fresh();
        let sequence = self.sequence(of);
        self.unify(t, sequence).map_err(|_| Reason::NotASequence(t))?;
        Ok(of)
    }

    /// Asks all pending questions until nothing changes, then takes defaults: integers, sequences.
    pub fn settle(&mut self) -> Vec<Unanswered> {
        let mut failed = Vec::new();
        loop {
            self.ask_again(&mut failed);
            if !self.take_default(&mut failed) {
                return failed;
            }
        }
    }

    fn ask_again(&mut self, failed: &mut Vec<Unanswered>) {
        loop {
            let asked = std::mem::take(&mut self.pending);
            let before = asked.len();
            for pending in asked {
                match self.answer(&pending.question) {
                    Ok(true) => {}
                    Ok(false) => self.pending.push(pending),
                    Err(reason) => failed.push(Unanswered { pending, reason }),
                }
            }
            if self.pending.len() == before || self.pending.is_empty() {
                return;
            }
        }
    }

    /// Answers the first pending question by its default. False when there is none.
    fn take_default(&mut self, failed: &mut Vec<Unanswered>) -> bool {
        if self.pending.is_empty() {
            return false;
        }
        let pending = self.pending.remove(0);
        let default = match pending.question {
            Question::Numeric(t) | Question::Minus(t) => self.unify(t, INTEGER),
            Question::Times(a, _, _) => self.unify(a, INTEGER),
            Question::Sequence(t) | Question::ElementOf(t, _) => {
                let of = self.fresh();
                let sequence = self.sequence(of);
                self.unify(t, sequence)
            }
            Question::Flattened(t, _) => {
                let of = self.fresh();
                let inner = self.sequence(of);
                let outer = self.sequence(inner);
                self.unify(t, outer)
            }
            Question::Field(_, ref name, _) => {
                let reason = Reason::UnknownRecord(name.clone());
                failed.push(Unanswered { pending, reason });
                return true;
            }
        };
        // A default fits an unknown; if it did not, the answer says why. Each default takes one
        // question away for good: there is an end.
        let _ = default;
        if let Err(reason) = self.answer(&pending.question) {
            failed.push(Unanswered { pending, reason });
        }
        true
    }

    /// The ground type; what is still unknown inside becomes `INTEGER`, and so does a type that is
    /// too large (see [`Infer::take_too_large`]).
    pub fn ground(&mut self, ty: Ty, table: &mut TypeTable) -> TypeId {
        let ty = self.shorten(ty);
        match self.known_ground(ty).or_else(|| self.ground_from_parts(ty, table)) {
            Some(id) => self.remember(ty, id),
            None if matches!(self.walk(ty, |_, _| false), Walk::TooLarge) => {
                self.remember(ty, TypeTable::INTEGER)
            }
            None => self.ground_part(ty, table),
        }
    }

    /// The ground type of what is basic or was asked for before.
    fn known_ground(&self, ty: Ty) -> Option<TypeId> {
        let ty = self.find(ty);
        match self.nodes[ty.0 as usize] {
            Node::Bool => Some(TypeTable::BOOL),
            Node::Integer => Some(TypeTable::INTEGER),
            Node::Real => Some(TypeTable::REAL),
            Node::String => Some(TypeTable::STRING),
            _ => self.ground.get(ty.0 as usize).copied().flatten(),
        }
    }

    /// The common case: a type whose parts are known. Saves measuring its size.
    fn ground_from_parts(&self, ty: Ty, table: &mut TypeTable) -> Option<TypeId> {
        match self.nodes[ty.0 as usize] {
            Node::Given(set) => Some(table.intern(Type::Given(set))),
            Node::Power(of) => Some(table.power(self.known_ground(of)?)),
            Node::Pair(left, right) => {
                Some(table.pair(self.known_ground(left)?, self.known_ground(right)?))
            }
            _ => None,
        }
    }

    fn remember(&mut self, ty: Ty, ground: TypeId) -> TypeId {
        let index = ty.0 as usize;
        if self.ground.len() <= index {
            self.ground.resize(self.nodes.len(), None);
        }
        self.ground[index] = Some(ground);
        ground
    }

    fn ground_part(&mut self, ty: Ty, table: &mut TypeTable) -> TypeId {
        let ty = self.shorten(ty);
        let index = ty.0 as usize;
        if let Some(Some(id)) = self.ground.get(index) {
            return *id;
        }
        let node = self.nodes[index].clone();
        let ground = match node {
            // It stays unknown: after a mistake, nothing later is to be measured by this.
            Node::Unknown | Node::Link(_) => return TypeTable::INTEGER,
            Node::Bool => TypeTable::BOOL,
            Node::Integer => TypeTable::INTEGER,
            Node::Real => TypeTable::REAL,
            Node::String => TypeTable::STRING,
            Node::Given(set) => table.intern(Type::Given(set)),
            Node::Free(free, args) => {
                let args = args.iter().map(|&a| self.ground_part(a, table)).collect();
                table.intern(Type::Free(free, args))
            }
            Node::Power(of) => {
                let of = self.ground_part(of, table);
                table.power(of)
            }
            Node::Pair(left, right) => {
                let left = self.ground_part(left, table);
                let right = self.ground_part(right, table);
                table.pair(left, right)
            }
            Node::Record(fields) => {
                let fields =
                    fields.iter().map(|(n, t)| (n.clone(), self.ground_part(*t, table))).collect();
                table.intern(Type::Record(fields))
            }
        };
        self.remember(ty, ground)
    }

    /// A type under construction that equals a ground one.
    pub fn lift(&mut self, id: TypeId, table: &TypeTable) -> Ty {
        match table.get(id) {
            Type::Bool => BOOL,
            Type::Integer => INTEGER,
            Type::Real => REAL,
            Type::String => STRING,
            Type::Given(set) => self.add(Node::Given(*set)),
            Type::Free(free, args) => {
                let args = args.iter().map(|&a| self.lift(a, table)).collect();
                self.add(Node::Free(*free, args))
            }
            Type::Power(of) => {
                let of = self.lift(*of, table);
                self.power(of)
            }
            Type::Pair(left, right) => {
                let left = self.lift(*left, table);
                let right = self.lift(*right, table);
                self.pair(left, right)
            }
            Type::Record(fields) => {
                let fields =
                    fields.iter().map(|(n, t)| (n.clone(), self.lift(*t, table))).collect();
                self.add(Node::Record(fields))
            }
        }
    }
}
