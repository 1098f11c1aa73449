//! Expressions by type.

use super::Grow;
use crate::build::*;
use crate::world;
use beeline_model::{
    BasicFunction, BasicSet, BinaryOp as B, CompareOp, Expr, ExprKind, ExprQuantifier, PredKind,
    Type, TypeId, TypeTable, UnaryOp as U,
};

const INT: TypeId = TypeTable::INTEGER;

impl Grow<'_> {
    /// An expression of a type.
    pub(super) fn expr(&mut self, ty: TypeId, depth: usize) -> Expr {
        if depth == 0 || self.fuel == 0 {
            return self.leaf(ty);
        }
        self.fuel -= 1;
        if self.random.chance(18) {
            return self.any_expr(ty, depth - 1);
        }
        match self.model.types.get(ty).clone() {
            Type::Bool => self.boolean(depth - 1),
            Type::Integer => self.integer(depth - 1),
            Type::Real => self.real(depth - 1),
            Type::String => self.string(depth - 1),
            Type::Pair(a, b) => pair(self.expr(a, depth - 1), self.expr(b, depth - 1), ty),
            Type::Record(fields) => {
                let fields = fields.iter().map(|f| self.expr(f.1, depth - 1)).collect();
                make(ExprKind::Record(fields), ty)
            }
            Type::Power(of) => self.set(ty, of, depth - 1),
            Type::Given(_) | Type::Free(..) => self.any_expr(ty, depth - 1),
        }
    }

    /// What an expression of any type may be.
    fn any_expr(&mut self, ty: TypeId, depth: usize) -> Expr {
        match self.random.below(10) {
            0 => {
                let p = self.pred(depth);
                choose(p, self.expr(ty, depth), self.expr(ty, depth))
            }
            1 => {
                let bound = self.known_type();
                let value = self.expr(bound, depth);
                let id = self.bind(bound);
                self.scope.push(id);
                let body = self.expr(ty, depth);
                self.scope.pop();
                make(ExprKind::Let(vec![(id, value)], Box::new(body)), ty)
            }
            2 => {
                let other = self.element_type();
                let both = self.model.types.pair(ty, other);
                unary(U::PairFirst, self.expr(both, depth), ty)
            }
            3 => {
                let other = self.element_type();
                let both = self.model.types.pair(other, ty);
                unary(U::PairSecond, self.expr(both, depth), ty)
            }
            4 => {
                let fields = vec![("a".into(), ty), ("b".into(), TypeTable::BOOL)];
                let record = self.model.types.intern(Type::Record(fields));
                make(ExprKind::Field(Box::new(self.expr(record, depth)), 0), ty)
            }
            5 => {
                let op = if self.random.chance(50) { U::First } else { U::Last };
                let seq = self.sequence(ty, depth);
                self.guarded(op, seq, ty, depth)
            }
            6 | 7 => self.application(ty, depth),
            _ => self.leaf(ty),
        }
    }

    /// `f(x)`, mostly behind a test that it has a meaning.
    fn application(&mut self, ty: TypeId, depth: usize) -> Expr {
        let from = self.element_type();
        let relation = self.relation(from, ty);
        let f = self.expr(relation, depth);
        let x = self.expr(from, depth);
        if self.trap(12) {
            return apply(f, x, ty);
        }
        let (f_id, x_id) = (self.bind(relation), self.bind(from));
        let (f1, x1) = (local(f_id, relation), local(x_id, from));
        let (froms, tos) = (self.power(from), self.power(ty));
        let at = make(ExprKind::SetExtension(vec![x1.clone()]), froms);
        let image = unary(U::Card, binary(B::Image, f1.clone(), at, tos), INT);
        let once = compare(CompareOp::Equal, image, integer(1));
        let body = choose(once, apply(f1, x1, ty), self.leaf(ty));
        make(ExprKind::Let(vec![(f_id, f), (x_id, x)], Box::new(body)), ty)
    }

    /// `op(s)` of a sequence or set that must not be empty, mostly behind a test.
    fn guarded(&mut self, op: U, s: Expr, ty: TypeId, depth: usize) -> Expr {
        if self.trap(12) {
            return unary(op, s, ty);
        }
        let set_type = s.ty;
        let id = self.bind(set_type);
        let s1 = local(id, set_type);
        let some = compare(CompareOp::NotEqual, s1.clone(), make(ExprKind::EmptySet, set_type));
        let body = choose(some, unary(op, s1, ty), self.expr(ty, depth.min(1)));
        make(ExprKind::Let(vec![(id, s)], Box::new(body)), ty)
    }

    fn boolean(&mut self, depth: usize) -> Expr {
        if self.random.chance(8) {
            return self.leaf(TypeTable::BOOL);
        }
        make(ExprKind::BoolOf(Box::new(self.pred(depth + 1))), TypeTable::BOOL)
    }

    fn integer(&mut self, depth: usize) -> Expr {
        match self.random.below(20) {
            0..=2 => binary(B::Add, self.expr(INT, depth), self.expr(INT, depth), INT),
            3 | 4 => binary(B::Subtract, self.expr(INT, depth), self.expr(INT, depth), INT),
            5 | 6 => binary(B::Multiply, self.expr(INT, depth), self.expr(INT, depth), INT),
            7 => {
                let by = match self.random.below(8) {
                    0 if !self.calm => self.expr(INT, depth),
                    n => integer([1, 2, 3, -1, -2, 7, 10, 5][n % 8]),
                };
                binary(B::Divide, self.expr(INT, depth), by, INT)
            }
            8 => {
                let by = match self.trap(10) {
                    true => self.leaf(INT),
                    false => integer([1, 2, 3, 7][self.random.below(4)]),
                };
                let a = match self.trap(25) {
                    true => self.expr(INT, depth),
                    false => unary(U::Card, self.any_set(depth), INT),
                };
                binary(B::Modulo, a, by, INT)
            }
            9 => {
                let to = integer(self.random.below(12) as i64 % 5 - i64::from(self.trap(5)));
                binary(B::Exponent, self.expr(INT, depth), to, INT)
            }
            10 => unary(U::Negate, self.expr(INT, depth), INT),
            11 | 12 => unary(U::Card, self.any_set(depth), INT),
            13 | 14 => {
                let op = if self.random.chance(50) { U::Min } else { U::Max };
                let ints = self.power(INT);
                let set = self.expr(ints, depth);
                self.guarded(op, set, INT, depth)
            }
            15 => {
                let item = self.element_type();
                unary(U::Size, self.sequence(item, depth), INT)
            }
            16 | 17 => {
                let op = match self.random.chance(70) {
                    true => ExprQuantifier::Sum,
                    false => ExprQuantifier::Product,
                };
                self.quantified(op, INT, depth)
            }
            18 => match self.random.below(6) {
                0 => make(ExprKind::MaxInt, INT),
                1 => make(ExprKind::MinInt, INT),
                2 => unary(U::StringSize, self.expr(TypeTable::STRING, depth), INT),
                3 => unary(U::Floor, self.expr(TypeTable::REAL, depth), INT),
                4 => unary(U::Ceiling, self.expr(TypeTable::REAL, depth), INT),
                _ => {
                    let which =
                        self.random.pick(&[BasicFunction::Successor, BasicFunction::Predecessor]);
                    let ty = self.relation(INT, INT);
                    apply(make(ExprKind::Function(which), ty), self.expr(INT, depth), INT)
                }
            },
            _ => self.leaf(INT),
        }
    }

    fn real(&mut self, depth: usize) -> Expr {
        const REAL: TypeId = TypeTable::REAL;
        match self.random.below(8) {
            0 | 1 => binary(B::RealAdd, self.expr(REAL, depth), self.expr(REAL, depth), REAL),
            2 => binary(B::RealSubtract, self.expr(REAL, depth), self.expr(REAL, depth), REAL),
            3 => binary(B::RealMultiply, self.expr(REAL, depth), self.expr(REAL, depth), REAL),
            4 if !self.calm => binary(B::RealDivide, self.expr(REAL, depth), self.leaf(REAL), REAL),
            4 => self.leaf(REAL),
            5 => unary(U::RealNegate, self.expr(REAL, depth), REAL),
            6 => unary(U::ToReal, self.expr(INT, depth), REAL),
            _ => {
                let op = if self.random.chance(50) { U::RealMin } else { U::RealMax };
                let reals = self.power(REAL);
                let set = self.expr(reals, depth);
                self.guarded(op, set, REAL, depth)
            }
        }
    }

    fn string(&mut self, depth: usize) -> Expr {
        const S: TypeId = TypeTable::STRING;
        match self.random.below(8) {
            0..=2 => binary(B::StringConcat, self.expr(S, depth), self.expr(S, depth), S),
            3 => unary(U::StringReverse, self.expr(S, depth), S),
            4 => unary(U::StringConcat, self.sequence(S, 0), S),
            5 => {
                let op = self.random.pick(&[
                    U::StringFirst,
                    U::StringLast,
                    U::StringFront,
                    U::StringTail,
                ]);
                let text = binary(
                    B::StringConcat,
                    make(ExprKind::String("z".into()), S),
                    self.expr(S, depth),
                    S,
                );
                unary(op, text, S)
            }
            6 if !self.calm => {
                let op = self.random.pick(&[B::StringTake, B::StringDrop]);
                let text = self.expr(S, depth);
                binary(op, text, integer(self.random.below(20) as i64 % 3), S)
            }
            _ => self.leaf(S),
        }
    }

    /// A set of some type.
    pub(super) fn any_set(&mut self, depth: usize) -> Expr {
        let of = self.element_type();
        let ty = self.power(of);
        self.expr(ty, depth)
    }

    fn set(&mut self, ty: TypeId, of: TypeId, depth: usize) -> Expr {
        if self.random.chance(45) {
            match self.model.types.get(of).clone() {
                Type::Integer => return self.integer_set(ty, depth),
                Type::Pair(a, b) => return self.relation_expr(ty, a, b, depth),
                Type::Power(inner) => return self.set_of_sets(ty, of, inner, depth),
                Type::Record(fields) => {
                    let sets = fields.iter().map(|f| {
                        let set = self.power(f.1);
                        self.expr(set, depth.min(1))
                    });
                    return make(ExprKind::RecordSet(sets.collect()), ty);
                }
                Type::Given(set) => return make(ExprKind::GivenSet(set), ty),
                Type::Bool => return make(ExprKind::Basic(BasicSet::Bool), ty),
                Type::Real | Type::String | Type::Free(..) => {}
            }
        }
        match self.random.below(22) {
            0..=2 => binary(B::Union, self.expr(ty, depth), self.expr(ty, depth), ty),
            3 | 4 => binary(B::Intersection, self.expr(ty, depth), self.expr(ty, depth), ty),
            5..=7 => binary(B::Difference, self.expr(ty, depth), self.expr(ty, depth), ty),
            8 | 9 => {
                let parts = (0..1 + self.random.below(3)).map(|_| self.expr(of, depth)).collect();
                make(ExprKind::SetExtension(parts), ty)
            }
            10 | 11 => self.comprehension(ty, of, depth),
            12 => self.map_comprehension(ty, of, depth),
            13 => {
                let sets = self.power(ty);
                unary(U::GeneralUnion, self.expr(sets, depth), ty)
            }
            14 => {
                let sets = self.power(ty);
                let set = self.expr(sets, depth);
                self.guarded(U::GeneralInter, set, ty, depth)
            }
            15 => self.quantified(ExprQuantifier::Union, ty, depth),
            16 => self.quantified(ExprQuantifier::Intersection, ty, depth),
            17 => {
                let to = self.element_type();
                let relation = self.relation(of, to);
                unary(U::Domain, self.expr(relation, depth), ty)
            }
            18 => {
                let from = self.element_type();
                let relation = self.relation(from, of);
                unary(U::Range, self.expr(relation, depth), ty)
            }
            19 | 20 => {
                let from = self.element_type();
                let (relation, froms) = (self.relation(from, of), self.power(from));
                binary(B::Image, self.expr(relation, depth), self.expr(froms, depth), ty)
            }
            _ => self.leaf(ty),
        }
    }

    fn integer_set(&mut self, ty: TypeId, depth: usize) -> Expr {
        match self.random.below(8) {
            0..=3 => binary(B::Interval, self.expr(INT, depth), self.expr(INT, depth), ty),
            4 => make(ExprKind::Basic(BasicSet::Nat), ty),
            5 => make(ExprKind::Basic(self.random.pick(&[BasicSet::Nat1, BasicSet::Int])), ty),
            6 if self.random.chance(30) && !self.calm => {
                let infinite = [BasicSet::Integer, BasicSet::Natural, BasicSet::Natural1];
                make(ExprKind::Basic(self.random.pick(&infinite)), ty)
            }
            _ => {
                let (low, up) = (integer(self.random.below(5) as i64 - 2), self.random.below(4));
                binary(B::Interval, low, integer(up as i64), ty)
            }
        }
    }

    fn set_of_sets(&mut self, ty: TypeId, of: TypeId, inner: TypeId, depth: usize) -> Expr {
        let depth = depth.min(2);
        if let Type::Pair(a, b) = *self.model.types.get(inner) {
            let (froms, tos) = (self.power(a), self.power(b));
            if a == INT && self.random.chance(30) {
                let op = self.random.pick(&[U::Seq, U::Seq1, U::Iseq, U::Iseq1, U::Perm]);
                return unary(op, self.leaf(tos), ty);
            }
            if self.random.chance(60) {
                const ARROWS: [B; 12] = [
                    B::Relations,
                    B::PartialFunctions,
                    B::TotalFunctions,
                    B::PartialInjections,
                    B::TotalInjections,
                    B::PartialSurjections,
                    B::TotalSurjections,
                    B::PartialBijections,
                    B::TotalBijections,
                    B::TotalRelations,
                    B::SurjectiveRelations,
                    B::TotalSurjectiveRelations,
                ];
                let op = self.random.pick(&ARROWS);
                return binary(op, self.expr(froms, depth), self.expr(tos, depth), ty);
            }
        }
        let op = self.random.pick(&[U::Power, U::Power1, U::Finite, U::Finite1]);
        unary(op, self.expr(of, depth), ty)
    }

    fn relation_expr(&mut self, ty: TypeId, a: TypeId, b: TypeId, depth: usize) -> Expr {
        let (froms, tos) = (self.power(a), self.power(b));
        if a == INT && self.random.chance(25) {
            return self.sequence(b, depth);
        }
        if a == b && self.random.chance(25) {
            return match self.random.below(5) {
                0 => unary(U::Identity, self.expr(froms, depth), ty),
                1 | 2 => unary(U::Closure1, self.expr(ty, depth), ty),
                3 if !self.calm => unary(U::Closure, self.expr(ty, depth), ty),
                3 => self.leaf(ty),
                _ => {
                    let times = integer(self.random.below(40) as i64 % 4);
                    binary(B::Iterate, self.expr(ty, depth), times, ty)
                }
            };
        }
        if let Some(special) = self.shaped_relation(ty, a, b, depth) {
            return special;
        }
        match self.random.below(14) {
            0 => binary(B::Cartesian, self.expr(froms, depth), self.expr(tos, depth), ty),
            1 => {
                let inverse = self.relation(b, a);
                unary(U::Inverse, self.expr(inverse, depth), ty)
            }
            2 | 3 => {
                let middle = self.element_type();
                let (r, s) = (self.relation(a, middle), self.relation(middle, b));
                binary(B::Compose, self.expr(r, depth), self.expr(s, depth), ty)
            }
            4 | 5 => binary(B::Override, self.expr(ty, depth), self.expr(ty, depth), ty),
            6 => binary(B::DomainRestrict, self.expr(froms, depth), self.expr(ty, depth), ty),
            7 => binary(B::DomainSubtract, self.expr(froms, depth), self.expr(ty, depth), ty),
            8 => binary(B::RangeRestrict, self.expr(ty, depth), self.expr(tos, depth), ty),
            9 => binary(B::RangeSubtract, self.expr(ty, depth), self.expr(tos, depth), ty),
            _ => self.lambda(ty, a, b, depth),
        }
    }

    /// What relations between pairs or sets may be.
    fn shaped_relation(&mut self, ty: TypeId, a: TypeId, b: TypeId, depth: usize) -> Option<Expr> {
        if self.random.chance(50) {
            return None;
        }
        if let Type::Pair(x, y) = *self.model.types.get(a)
            && (x == b || y == b)
        {
            let op = if x == b { B::Projection1 } else { B::Projection2 };
            let (xs, ys) = (self.power(x), self.power(y));
            return Some(binary(op, self.expr(xs, depth), self.expr(ys, depth), ty));
        }
        if let (Type::Pair(x, y), Type::Pair(u, v)) =
            (self.model.types.get(a).clone(), self.model.types.get(b).clone())
        {
            let (r, s) = (self.relation(x, u), self.relation(y, v));
            return Some(binary(B::ParallelProduct, self.expr(r, depth), self.expr(s, depth), ty));
        }
        if let Type::Pair(u, v) = *self.model.types.get(b) {
            let (r, s) = (self.relation(a, u), self.relation(a, v));
            return Some(binary(B::DirectProduct, self.expr(r, depth), self.expr(s, depth), ty));
        }
        if let Type::Power(item) = *self.model.types.get(b) {
            let relation = self.relation(a, item);
            return Some(unary(U::Fnc, self.expr(relation, depth), ty));
        }
        if self.random.chance(20) {
            let sets = self.power(b);
            let function = self.relation(a, sets);
            return Some(unary(U::Rel, self.expr(function, depth), ty));
        }
        None
    }

    /// An operator that yields a sequence.
    pub(super) fn sequence_operator(&mut self, ty: TypeId, item: TypeId, depth: usize) -> Expr {
        if self.fuel == 0 {
            return self.sequence(item, 0);
        }
        self.fuel -= 1;
        let depth = depth - 1;
        match self.random.below(11) {
            0 | 1 => {
                let parts: Vec<Expr> =
                    (0..1 + self.random.below(3)).map(|_| self.expr(item, depth)).collect();
                make(ExprKind::SequenceExtension(parts), ty)
            }
            2 | 3 => binary(B::Concat, self.sequence(item, depth), self.sequence(item, depth), ty),
            4 => binary(B::Prepend, self.expr(item, depth), self.sequence(item, depth), ty),
            5 => binary(B::Append, self.sequence(item, depth), self.expr(item, depth), ty),
            6 => {
                let op = self.random.pick(&[U::Front, U::Tail]);
                let seq = binary(B::Append, self.sequence(item, depth), self.expr(item, depth), ty);
                unary(op, seq, ty)
            }
            7 => unary(U::Reverse, self.sequence(item, depth), ty),
            8 if !self.calm => unary(U::Concat, self.sequence(ty, depth), ty),
            9 if !self.calm => {
                let op = self.random.pick(&[B::Take, B::Drop]);
                let count = integer(self.random.below(20) as i64 % 3);
                binary(op, self.sequence(item, depth), count, ty)
            }
            _ => self.sequence(item, 0),
        }
    }

    fn comprehension(&mut self, ty: TypeId, of: TypeId, depth: usize) -> Expr {
        let mut types = vec![of];
        while let Type::Pair(a, b) = *self.model.types.get(types[0]) {
            if self.random.chance(25) {
                break;
            }
            types.splice(0..1, [a, b]);
        }
        let binder = self.binder(&types, depth);
        self.scope.truncate(self.scope.len() - types.len());
        make(ExprKind::Comprehension(Box::new(binder)), ty)
    }

    fn map_comprehension(&mut self, ty: TypeId, of: TypeId, depth: usize) -> Expr {
        let types = self.bound_types();
        let binder = self.binder(&types, depth);
        let body = self.expr(of, depth);
        self.scope.truncate(self.scope.len() - types.len());
        make(ExprKind::MapComprehension(Box::new(binder), Box::new(body)), ty)
    }

    fn lambda(&mut self, ty: TypeId, a: TypeId, b: TypeId, depth: usize) -> Expr {
        let types = match *self.model.types.get(a) {
            Type::Pair(x, y) if self.random.chance(80) => vec![x, y],
            _ => vec![a],
        };
        let binder = self.binder(&types, depth);
        let body = self.expr(b, depth);
        self.scope.truncate(self.scope.len() - types.len());
        make(ExprKind::Lambda(Box::new(binder), Box::new(body)), ty)
    }

    fn quantified(&mut self, op: ExprQuantifier, ty: TypeId, depth: usize) -> Expr {
        let types = self.bound_types();
        let mut binder = self.binder(&types, depth);
        if op == ExprQuantifier::Intersection && !self.trap(15) {
            // Of no sets there is no intersection: values that are always there.
            let names = binder.locals.iter().zip(&types);
            let some = names.map(|(l, t)| {
                let value = world::literal(self.model, *t, 2, self.random);
                compare(CompareOp::Equal, local(*l, *t), value)
            });
            let some = all(some.collect());
            binder.predicate = truth(PredKind::Or(vec![some, binder.predicate]));
        }
        let body = self.expr(ty, depth);
        self.scope.truncate(self.scope.len() - types.len());
        make(ExprKind::Quantified(op, Box::new(binder), Box::new(body)), ty)
    }
}
