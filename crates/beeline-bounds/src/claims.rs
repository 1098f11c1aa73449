//! What is known of a name, as predicates of B: for people to read, and for others to check.
//!
//! A claim is weaker than, or as strong as the value it is made from: what cannot be said in B in few
//! words is left out.

use crate::domain::{Atom, Elements, Ints, Set, Value};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Model, Pred, PredKind, SetId, Type, TypeId,
    TypeTable, UnaryOp,
};
use beeline_source::Span;

/// Makes claims. It owns a table of types, since claims may speak of sets that the model does not
/// have; the ids of the model keep their meaning in it.
pub struct Claims<'m> {
    model: &'m Model,
    types: TypeTable,
}

impl<'m> Claims<'m> {
    /// Claims about a model.
    pub fn new(model: &'m Model) -> Claims<'m> {
        Claims { model, types: model.types.clone() }
    }

    /// The types of all claims.
    pub fn types(self) -> TypeTable {
        self.types
    }

    /// What a value says of an expression.
    pub fn of(&mut self, e: &Expr, value: &Value) -> Vec<Pred> {
        let mut claims = Vec::new();
        match value {
            Value::Any => {}
            Value::Never => claims.push(pred(PredKind::Bool(false))),
            Value::Int(ints) => self.ints(e, ints, &mut claims),
            Value::Bool(..) => {
                if let Some(Atom::Bool(b)) = value.single() {
                    claims.push(compare(CompareOp::Equal, e.clone(), bool_of(b)));
                }
            }
            Value::Element(elements) => self.elements(e, elements, &mut claims),
            Value::Set(set) => self.set(e, set, &mut claims),
            Value::Pair(pair) => {
                for (op, part) in [(UnaryOp::PairFirst, &pair.0), (UnaryOp::PairSecond, &pair.1)] {
                    let Some((a, b)) = self.types.halves(e.ty) else { continue };
                    let ty = if op == UnaryOp::PairFirst { a } else { b };
                    let half = expr(ExprKind::Unary(op, Box::new(e.clone())), ty);
                    claims.extend(self.of(&half, part));
                }
            }
            Value::Record(fields) => {
                let Type::Record(types) = self.types.get(e.ty).clone() else { return claims };
                for (i, (field, (_, ty))) in fields.iter().zip(types).enumerate() {
                    let part = expr(ExprKind::Field(Box::new(e.clone()), i), ty);
                    claims.extend(self.of(&part, field));
                }
            }
        }
        claims
    }

    fn ints(&mut self, e: &Expr, ints: &Ints, claims: &mut Vec<Pred>) {
        use CompareOp as C;
        match (ints.low(), ints.high()) {
            (Some(a), Some(b)) if a == b => {
                claims.push(compare(C::Equal, e.clone(), integer(a)));
                return;
            }
            (Some(a), Some(b)) => {
                claims.push(compare(C::Member, e.clone(), self.interval(a, b)));
            }
            (Some(a), None) => claims.push(compare(C::GreaterEqual, e.clone(), integer(a))),
            (None, Some(b)) => claims.push(compare(C::LessEqual, e.clone(), integer(b))),
            (None, None) => {}
        }
        let (modulus, residue) = ints.congruence();
        if modulus > 1 && ints.low().is_some_and(|n| n >= 0) {
            let left = binary(BinaryOp::Modulo, e.clone(), integer(modulus), TypeTable::INTEGER);
            claims.push(compare(C::Equal, left, integer(residue)));
        }
    }

    fn elements(&mut self, e: &Expr, elements: &Elements, claims: &mut Vec<Pred>) {
        let all = Elements::all(self.model, elements.set);
        if *elements == all {
            return;
        }
        if let Some(Atom::Element(set, position)) = Value::Element(*elements).single() {
            return claims.push(compare(CompareOp::Equal, e.clone(), self.element(set, position)));
        }
        if elements.rest == 0 {
            let names = elements.names().map(|p| self.element(elements.set, p)).collect();
            let list = self.list(names, e.ty);
            claims.push(compare(CompareOp::Member, e.clone(), list));
        } else if elements.named != all.named {
            let gone = all.names().filter(|p| !elements.contains(*p));
            let gone = gone.map(|p| self.element(elements.set, p)).collect();
            let list = self.list(gone, e.ty);
            claims.push(compare(CompareOp::NotMember, e.clone(), list));
        }
    }

    fn set(&mut self, e: &Expr, set: &Set, claims: &mut Vec<Pred>) {
        let Some(element) = self.types.element(e.ty) else { return };
        if set.is_empty() {
            let empty = expr(ExprKind::EmptySet, e.ty);
            return claims.push(compare(CompareOp::Equal, e.clone(), empty));
        }
        if set.is_exact() && set.must.len() <= 16 {
            let list = set.must.iter().map(|a| self.atom(a, element)).collect::<Option<Vec<_>>>();
            if let Some(list) = list {
                let list = self.list(list, element);
                return claims.push(compare(CompareOp::Equal, e.clone(), list));
            }
        }
        if let (true, Type::Given(given)) = (set.whole, self.types.get(element).clone()) {
            let all = expr(ExprKind::GivenSet(given), e.ty);
            return claims.push(compare(CompareOp::Equal, e.clone(), all));
        }
        let size = claims.len();
        if let Some(space) = self.space(set, e.ty) {
            claims.push(compare(CompareOp::Member, e.clone(), space));
        }
        if !set.must.is_empty() && set.must.len() <= 16 {
            let list = set.must.iter().map(|a| self.atom(a, element)).collect::<Option<Vec<_>>>();
            if let Some(list) = list {
                let list = self.list(list, element);
                claims.push(compare(CompareOp::Subset, list, e.clone()));
            }
        }
        self.cardinality(e, set, claims);
        if set.finite && !Set::within(set.elem.clone()).finite && claims.len() == size {
            claims.push(pred(PredKind::Finite(Box::new(e.clone()))));
        }
    }

    fn cardinality(&mut self, e: &Expr, set: &Set, claims: &mut Vec<Pred>) {
        // A function has as many pairs as its domain, which is written down.
        let total = set.domain().is_exact() || set.domain().whole;
        if set.is_functional() && !set.is_sequence() && total {
            return;
        }
        let bound = match set.is_functional() && !set.is_sequence() {
            true => Set::within(set.domain().elem).card.high(),
            false => Set::within(set.elem.clone()).card.high(),
        };
        let low = set.card.low().filter(|n| *n > set.must.len() as i128);
        let high = set.card.high().filter(|n| Some(*n) != bound);
        if set.finite && (low.is_some_and(|n| n > 1) || high.is_some()) {
            let card =
                expr(ExprKind::Unary(UnaryOp::Card, Box::new(e.clone())), TypeTable::INTEGER);
            let (low, high) = (set.card.low(), set.card.high());
            let card_of = Ints::between(low, high).unwrap_or(Ints::NATURAL);
            return self.ints(&card, &card_of, claims);
        }
        if low.is_some() {
            let empty = expr(ExprKind::EmptySet, e.ty);
            claims.push(compare(CompareOp::NotEqual, e.clone(), empty));
        }
    }

    /// The set of all sets that this may be, if it is more than the type.
    fn space(&mut self, set: &Set, ty: TypeId) -> Option<Expr> {
        let element = self.types.element(ty)?;
        let power = self.types.power(ty);
        if let Some((a, b)) = self.types.halves(element) {
            return self.relations(set, a, b, power);
        }
        let elem = self.values(&set.elem, element)?;
        Some(expr(ExprKind::Unary(UnaryOp::Power, Box::new(elem)), power))
    }

    fn relations(&mut self, set: &Set, a: TypeId, b: TypeId, power: TypeId) -> Option<Expr> {
        use BinaryOp as B;
        let (domain, range) = (set.domain(), set.range());
        let left = self.values(&domain.elem, a);
        let right = self.values(&range.elem, b);
        let known = left.is_some() || right.is_some();
        let left = left.or_else(|| self.everything(a))?;
        let right = right.or_else(|| self.everything(b))?;
        if set.is_sequence() {
            let op = if set.is_injective() { UnaryOp::Iseq } else { UnaryOp::Seq };
            return Some(expr(ExprKind::Unary(op, Box::new(right)), power));
        }
        let total = domain.whole || domain.is_exact();
        let op = match (set.is_functional(), set.is_injective()) {
            (true, true) if total => B::TotalInjections,
            (true, true) => B::PartialInjections,
            (true, false) if total => B::TotalFunctions,
            (true, false) => B::PartialFunctions,
            _ if total => B::TotalRelations,
            _ => B::Relations,
        };
        // A domain with gaps is not what is written: it is only part of that.
        let all = domain.elem.list(64).is_some_and(|l| l.len() == domain.must.len());
        let written = domain.whole || all && !has_gaps(&domain.elem);
        let op = match op {
            B::TotalInjections if !written => B::PartialInjections,
            B::TotalFunctions if !written => B::PartialFunctions,
            B::TotalRelations if !written => B::Relations,
            op => op,
        };
        (known || op != B::Relations).then(|| binary(op, left, right, power))
    }

    /// All values that this stands for, or more; nothing if that is the whole type.
    fn values(&mut self, value: &Value, ty: TypeId) -> Option<Expr> {
        let power = self.types.power(ty);
        match value {
            Value::Int(ints) => match (ints.low(), ints.high()) {
                (Some(a), Some(b)) => Some(self.interval(a, b)),
                (Some(a), None) if a >= 1 => Some(expr(ExprKind::Basic(BasicSet::Natural1), power)),
                (Some(0), None) => Some(expr(ExprKind::Basic(BasicSet::Natural), power)),
                _ => None,
            },
            Value::Bool(..) => {
                let Some(Atom::Bool(b)) = value.single() else { return None };
                Some(self.list(vec![bool_of(b)], ty))
            }
            Value::Element(elements) => {
                if *elements == Elements::all(self.model, elements.set) || elements.rest != 0 {
                    return None;
                }
                let names = elements.names().map(|p| self.element(elements.set, p)).collect();
                Some(self.list(names, ty))
            }
            Value::Set(set) if !set.is_empty() => self.space(set, ty),
            Value::Pair(pair) => {
                let (a, b) = self.types.halves(ty)?;
                let (left, right) = (self.values(&pair.0, a), self.values(&pair.1, b));
                if left.is_none() && right.is_none() {
                    return None;
                }
                let left = left.or_else(|| self.everything(a))?;
                let right = right.or_else(|| self.everything(b))?;
                Some(binary(BinaryOp::Cartesian, left, right, power))
            }
            _ => None,
        }
    }

    /// A whole type as a set.
    fn everything(&mut self, ty: TypeId) -> Option<Expr> {
        let power = self.types.power(ty);
        let kind = match self.types.get(ty).clone() {
            Type::Bool => ExprKind::Basic(BasicSet::Bool),
            Type::Integer => ExprKind::Basic(BasicSet::Integer),
            Type::String => ExprKind::Basic(BasicSet::String),
            Type::Real => ExprKind::Basic(BasicSet::Real),
            Type::Given(set) => ExprKind::GivenSet(set),
            Type::Power(of) => ExprKind::Unary(UnaryOp::Power, Box::new(self.everything(of)?)),
            Type::Pair(a, b) => {
                let (a, b) = (self.everything(a)?, self.everything(b)?);
                ExprKind::Binary(BinaryOp::Cartesian, Box::new(a), Box::new(b))
            }
            // The printer looks the names of fields up in the model.
            Type::Record(_) if self.model.types.find(&Type::Power(ty)).is_none() => return None,
            Type::Record(fields) => {
                let sets = fields.iter().map(|(_, ty)| self.everything(*ty));
                ExprKind::RecordSet(sets.collect::<Option<Vec<_>>>()?)
            }
            Type::Free(..) => return None,
        };
        Some(expr(kind, power))
    }

    fn interval(&mut self, low: i128, high: i128) -> Expr {
        let ty = self.types.power(TypeTable::INTEGER);
        binary(BinaryOp::Interval, integer(low), integer(high), ty)
    }

    fn element(&self, set: SetId, position: u32) -> Expr {
        expr(ExprKind::Element(set, position), self.model.set(set).ty)
    }

    fn list(&mut self, parts: Vec<Expr>, ty: TypeId) -> Expr {
        let power = self.types.power(ty);
        expr(ExprKind::SetExtension(parts), power)
    }

    fn atom(&mut self, atom: &Atom, ty: TypeId) -> Option<Expr> {
        match atom {
            Atom::Bool(b) => Some(bool_of(*b)),
            Atom::Int(n) => Some(integer(*n)),
            Atom::Element(set, position) => Some(self.element(*set, *position)),
            Atom::Pair(pair) => {
                let (a, b) = self.types.halves(ty)?;
                let (left, right) = (self.atom(&pair.0, a)?, self.atom(&pair.1, b)?);
                Some(binary(BinaryOp::Pair, left, right, ty))
            }
        }
    }
}

/// Is there a congruence in it, which an interval does not say?
fn has_gaps(value: &Value) -> bool {
    match value {
        Value::Int(ints) => ints.congruence().0 > 1,
        Value::Pair(pair) => has_gaps(&pair.0) || has_gaps(&pair.1),
        _ => false,
    }
}

fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: Span::NONE }
}

fn integer(n: i128) -> Expr {
    expr(ExprKind::Integer(n.into()), TypeTable::INTEGER)
}

fn bool_of(b: bool) -> Expr {
    expr(ExprKind::Bool(b), TypeTable::BOOL)
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

fn compare(op: CompareOp, a: Expr, b: Expr) -> Pred {
    pred(PredKind::Compare(op, Box::new(a), Box::new(b)))
}
