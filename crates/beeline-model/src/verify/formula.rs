//! Formulas: the type of each node fits its operator and operands, bound names are in scope.

use super::Verifier;
use crate::{
    BasicFunction, BasicSet, BinaryOp, CompareOp, Expr, ExprKind, ExprQuantifier, ExternalId,
    LocalId, Part, Pred, PredKind, TernaryOp, Type, TypeId, TypeTable, UnaryOp,
};

const INTEGER: TypeId = TypeTable::INTEGER;
const REAL: TypeId = TypeTable::REAL;
const STRING: TypeId = TypeTable::STRING;

impl Verifier<'_> {
    /// `e` must have type `wanted`.
    pub(super) fn typed(&mut self, e: &Expr, wanted: TypeId, what: &str) {
        if e.ty != wanted {
            let (found, wanted) = (self.show(e.ty), self.show(wanted));
            self.complain(format!("{what} has type {found}, not {wanted}"));
        }
    }

    /// `e` must be a set.
    pub(super) fn set(&mut self, e: &Expr, what: &str) {
        if self.element(e.ty).is_none() {
            let found = self.show(e.ty);
            self.complain(format!("{what} has type {found}, which is no set type"));
        }
    }

    fn node(&mut self, good: Option<bool>, e: &Expr) {
        if good != Some(true) {
            let ty = self.show(e.ty);
            let mut text = format!("{:?}", e.kind);
            text.truncate(text.char_indices().nth(120).map_or(text.len(), |(i, _)| i));
            self.complain(format!("type {ty} does not fit {text}"));
        }
    }

    pub(super) fn local(&mut self, local: LocalId) {
        if self.in_scope.get(local.index()) != Some(&true) {
            let name = self.model.locals.get(local.index()).map_or("?", |l| &l.name);
            self.complain(format!("`{name}` is used outside its scope"));
        }
    }

    /// Everything below a node, with the names that the node binds in scope.
    pub(super) fn parts<'p>(&mut self, of: impl FnOnce(&mut dyn FnMut(Part<'p>))) {
        let mut bound: Vec<LocalId> = Vec::new();
        let walk = || {
            of(&mut |part| match part {
                Part::Expr(e) => self.expr(e),
                Part::Pred(p) => self.pred(p),
                Part::Subst(s) => self.subst(s),
                Part::Target(t) => self.target(t),
                Part::Binds(locals) => {
                    self.bind(locals);
                    bound.extend(locals);
                }
            });
        };
        stacker::maybe_grow(128 << 10, 1 << 20, walk);
        self.unbind(&bound);
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        if !self.known(e.ty) {
            return self.complain(format!("an expression has {}", self.show(e.ty)));
        }
        self.parts(|visit| e.parts(visit));
        match &e.kind {
            ExprKind::Local(l) => self.local(*l),
            ExprKind::Let(values, _) => self.let_values(values),
            _ => {}
        }
        self.node(self.fits(e), e);
    }

    /// Does the type of a node fit what it is made of? `None` if something is not there at all.
    fn fits(&self, e: &Expr) -> Option<bool> {
        let model = self.model;
        let ty = e.ty;
        match &e.kind {
            ExprKind::Integer(_) | ExprKind::MaxInt | ExprKind::MinInt => Some(ty == INTEGER),
            ExprKind::Bool(_) => Some(ty == TypeTable::BOOL),
            ExprKind::Real(_) => Some(ty == REAL),
            ExprKind::String(_) => Some(ty == STRING),
            ExprKind::Variable(v) => model.variables.get(v.index()).map(|row| row.ty == ty),
            ExprKind::Constant(c) => model.constants.get(c.index()).map(|row| row.ty == ty),
            ExprKind::Local(l) => model.locals.get(l.index()).map(|row| row.ty == ty),
            ExprKind::Element(set, index) => model.sets.get(set.index()).map(|row| {
                let count = row.elements.as_ref().unwrap_or(&row.fixed).len();
                row.ty == ty && (*index as usize) < count
            }),
            ExprKind::GivenSet(set) => {
                model.sets.get(set.index()).map(|row| self.element(ty) == Some(row.ty))
            }
            ExprKind::Basic(basic) => Some(self.element(ty) == Some(basic_element(*basic))),
            ExprKind::Function(function) => self.function(*function, ty),
            ExprKind::EmptySet => Some(self.element(ty).is_some()),
            ExprKind::SetExtension(parts) => {
                let of = self.element(ty);
                Some(!parts.is_empty() && parts.iter().all(|p| Some(p.ty) == of))
            }
            ExprKind::SequenceExtension(parts) => self.sides(ty).map(|(index, of)| {
                index == INTEGER && !parts.is_empty() && parts.iter().all(|p| p.ty == of)
            }),
            ExprKind::Unary(op, a) => self.unary(*op, a.ty, ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, a.ty, b.ty, ty),
            ExprKind::Ternary(op, args) => {
                self.ternary(*op, [args[0].ty, args[1].ty, args[2].ty], ty)
            }
            ExprKind::Apply(f, x) => self.sides(f.ty).map(|(from, to)| from == x.ty && to == ty),
            ExprKind::Comprehension(binder) => {
                self.element(ty).map(|of| self.is_tuple(of, &binder.locals))
            }
            ExprKind::MapComprehension(_, body) => Some(self.element(ty) == Some(body.ty)),
            ExprKind::Lambda(binder, body) => self
                .sides(ty)
                .map(|(from, to)| to == body.ty && self.is_tuple(from, &binder.locals)),
            ExprKind::Quantified(quantifier, _, body) => {
                let kind = match quantifier {
                    ExprQuantifier::Sum | ExprQuantifier::Product => ty == INTEGER,
                    ExprQuantifier::RealSum | ExprQuantifier::RealProduct => ty == REAL,
                    _ => self.element(ty).is_some(),
                };
                Some(kind && body.ty == ty)
            }
            ExprKind::Record(parts) => self.is_record(ty, parts, |p| Some(p.ty)),
            ExprKind::RecordSet(parts) => {
                let of = self.element(ty);
                of.and_then(|of| self.is_record(of, parts, |p| self.element(p.ty)))
            }
            ExprKind::Field(record, position) => match model.types.get(record.ty) {
                Type::Record(fields) => fields.get(*position).map(|f| f.1 == ty),
                _ => None,
            },
            ExprKind::If(_, a, b) => Some(a.ty == ty && b.ty == ty),
            ExprKind::Let(_, body) => Some(body.ty == ty),
            ExprKind::BoolOf(_) => Some(ty == TypeTable::BOOL),
            ExprKind::External(id, _) => model.externals.get(id.index()).map(|_| true),
            ExprKind::OperationCall(id, args) => {
                model.operations.get(id.index()).map(|operation| {
                    let typed = |(l, a): (&LocalId, &Expr)| model.local(*l).ty == a.ty;
                    let result = operation.results.first().map(|l| model.local(*l).ty);
                    operation.parameters.len() == args.len()
                        && operation.parameters.iter().zip(args).all(typed)
                        && result == Some(ty)
                })
            }
            ExprKind::FreeTypeSet(free, args) => {
                self.element(ty).map(|of| match model.types.get(of) {
                    Type::Free(id, types) => {
                        let sets = args.iter().map(|a| self.element(a.ty));
                        id == free && (args.is_empty() || sets.eq(types.iter().map(|t| Some(*t))))
                    }
                    _ => false,
                })
            }
            ExprKind::Constructor(free, index) => {
                let row = model.free_types.get(free.index());
                row.and_then(|row| row.constructors.get(*index as usize)).map(|(_, argument)| {
                    let result = match argument {
                        Some(_) => self.sides(ty).map(|(_, to)| to),
                        None => Some(ty),
                    };
                    matches!(result.map(|t| model.types.get(t)), Some(Type::Free(id, _)) if id == free)
                })
            }
        }
    }

    pub(super) fn let_values(&mut self, values: &[(LocalId, Expr)]) {
        for (local, value) in values {
            if let Some(row) = self.model.locals.get(local.index()) {
                self.typed(value, row.ty, "the value of a LET");
            }
        }
    }

    /// Is `ty` the left-nested tuple of these names?
    fn is_tuple(&self, ty: TypeId, locals: &[LocalId]) -> bool {
        let Some((last, before)) = locals.split_last() else { return false };
        let Some(row) = self.model.locals.get(last.index()) else { return false };
        if before.is_empty() {
            return row.ty == ty;
        }
        self.model
            .types
            .halves(ty)
            .is_some_and(|(left, right)| right == row.ty && self.is_tuple(left, before))
    }

    fn is_record(
        &self,
        ty: TypeId,
        parts: &[Expr],
        of: impl Fn(&Expr) -> Option<TypeId>,
    ) -> Option<bool> {
        let Type::Record(fields) = self.model.types.get(ty) else { return None };
        let typed = parts.iter().zip(fields).all(|(p, f)| of(p) == Some(f.1));
        Some(fields.len() == parts.len() && typed)
    }

    fn function(&self, function: BasicFunction, ty: TypeId) -> Option<bool> {
        let (from, to) = self.sides(ty)?;
        Some(match function {
            BasicFunction::Successor | BasicFunction::Predecessor => from == INTEGER && to == from,
            BasicFunction::First => self.model.types.halves(from)?.0 == to,
            BasicFunction::Second => self.model.types.halves(from)?.1 == to,
            BasicFunction::Identity => from == to,
        })
    }

    fn is_sequence(&self, ty: TypeId) -> Option<TypeId> {
        let (index, of) = self.sides(ty)?;
        (index == INTEGER).then_some(of)
    }

    /// The labels of a tree: a function from sequences of integers.
    fn is_tree(&self, ty: TypeId) -> Option<TypeId> {
        let (branch, label) = self.sides(ty)?;
        (self.is_sequence(branch)? == INTEGER).then_some(label)
    }

    fn unary(&self, op: UnaryOp, a: TypeId, ty: TypeId) -> Option<bool> {
        use UnaryOp as U;
        Some(match op {
            U::Negate => a == INTEGER && ty == INTEGER,
            U::RealNegate => a == REAL && ty == REAL,
            U::Power | U::Power1 | U::Finite | U::Finite1 => {
                self.element(a).is_some() && self.element(ty)? == a
            }
            U::Card => self.element(a).is_some() && ty == INTEGER,
            U::Min | U::Max => self.element(a)? == INTEGER && ty == INTEGER,
            U::RealMin | U::RealMax => self.element(a)? == REAL && ty == REAL,
            U::GeneralUnion | U::GeneralInter => {
                self.element(a)? == ty && self.element(ty).is_some()
            }
            U::Domain => self.element(ty)? == self.sides(a)?.0,
            U::Range => self.element(ty)? == self.sides(a)?.1,
            U::Identity => {
                let of = self.element(a)?;
                self.sides(ty)? == (of, of)
            }
            U::Inverse => {
                let (x, y) = self.sides(a)?;
                self.sides(ty)? == (y, x)
            }
            U::Closure | U::Closure1 => {
                let (x, y) = self.sides(a)?;
                x == y && ty == a
            }
            U::Fnc => {
                let ((x, y), (u, v)) = (self.sides(a)?, self.sides(ty)?);
                x == u && self.element(v)? == y
            }
            U::Rel => {
                let ((x, y), (u, v)) = (self.sides(a)?, self.sides(ty)?);
                x == u && self.element(y)? == v
            }
            U::Seq | U::Seq1 | U::Iseq | U::Iseq1 | U::Perm => {
                self.is_sequence(self.element(ty)?)? == self.element(a)?
            }
            U::Size => self.is_sequence(a).is_some() && ty == INTEGER,
            U::First | U::Last => self.is_sequence(a)? == ty,
            U::Front | U::Tail | U::Reverse => self.is_sequence(a).is_some() && ty == a,
            U::Concat => self.is_sequence(a)? == ty && self.is_sequence(ty).is_some(),
            U::StringSize => a == STRING && ty == INTEGER,
            U::StringReverse | U::StringFirst | U::StringLast | U::StringFront | U::StringTail => {
                a == STRING && ty == STRING
            }
            U::StringConcat => self.is_sequence(a)? == STRING && ty == STRING,
            U::Floor | U::Ceiling => a == REAL && ty == INTEGER,
            U::ToReal => a == INTEGER && ty == REAL,
            U::PairFirst => self.model.types.halves(a)?.0 == ty,
            U::PairSecond => self.model.types.halves(a)?.1 == ty,
            U::Tree | U::Btree => self.is_tree(self.element(ty)?)? == self.element(a)?,
            U::TreeTop => self.is_tree(a)? == ty,
            U::TreeSons => self.is_tree(a).is_some() && self.is_sequence(ty)? == a,
            U::TreePrefix | U::TreePostfix | U::TreeInfix => {
                self.is_tree(a)? == self.is_sequence(ty)?
            }
            U::TreeSize => self.is_tree(a).is_some() && ty == INTEGER,
            U::TreeMirror | U::TreeLeft | U::TreeRight => self.is_tree(a).is_some() && ty == a,
            U::TreeLeaf => self.is_tree(ty)? == a,
        })
    }

    fn binary(&self, op: BinaryOp, a: TypeId, b: TypeId, ty: TypeId) -> Option<bool> {
        use BinaryOp as B;
        let all = |t: TypeId| a == t && b == t && ty == t;
        Some(match op {
            B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo | B::Exponent => {
                all(INTEGER)
            }
            B::RealAdd | B::RealSubtract | B::RealMultiply | B::RealDivide => all(REAL),
            // The exponent of a real may be an integer.
            B::RealExponent => a == REAL && ty == REAL && (b == REAL || b == INTEGER),
            B::Interval => a == INTEGER && b == INTEGER && self.element(ty)? == INTEGER,
            B::Pair => self.model.types.halves(ty)? == (a, b),
            B::Union | B::Intersection | B::Difference => self.element(a).is_some() && all(a),
            B::Cartesian => self.sides(ty)? == (self.element(a)?, self.element(b)?),
            B::Relations
            | B::PartialFunctions
            | B::TotalFunctions
            | B::PartialInjections
            | B::TotalInjections
            | B::PartialSurjections
            | B::TotalSurjections
            | B::PartialBijections
            | B::TotalBijections
            | B::TotalRelations
            | B::SurjectiveRelations
            | B::TotalSurjectiveRelations => {
                self.sides(self.element(ty)?)? == (self.element(a)?, self.element(b)?)
            }
            B::Compose => {
                let ((x, y), (z, w)) = (self.sides(a)?, self.sides(b)?);
                y == z && self.sides(ty)? == (x, w)
            }
            B::ParallelProduct => {
                let ((x, y), (u, v)) = (self.sides(a)?, self.sides(b)?);
                let (from, to) = self.sides(ty)?;
                let halves = |t| self.model.types.halves(t);
                halves(from)? == (x, u) && halves(to)? == (y, v)
            }
            B::DirectProduct => {
                let ((x, y), (z, w)) = (self.sides(a)?, self.sides(b)?);
                let (from, to) = self.sides(ty)?;
                x == z && from == x && self.model.types.halves(to)? == (y, w)
            }
            B::Override => self.sides(a).is_some() && all(a),
            B::DomainRestrict | B::DomainSubtract => {
                self.element(a)? == self.sides(b)?.0 && ty == b
            }
            B::RangeRestrict | B::RangeSubtract => self.element(b)? == self.sides(a)?.1 && ty == a,
            B::Image => {
                let (x, y) = self.sides(a)?;
                self.element(b)? == x && self.element(ty)? == y
            }
            B::Iterate => {
                let (x, y) = self.sides(a)?;
                x == y && b == INTEGER && ty == a
            }
            B::Projection1 | B::Projection2 => {
                let (x, y) = (self.element(a)?, self.element(b)?);
                let (from, to) = self.sides(ty)?;
                let result = if op == B::Projection1 { x } else { y };
                self.model.types.halves(from)? == (x, y) && to == result
            }
            B::Concat => self.is_sequence(a).is_some() && all(a),
            B::Prepend => self.is_sequence(b)? == a && ty == b,
            B::Append => self.is_sequence(a)? == b && ty == a,
            B::Take | B::Drop => self.is_sequence(a).is_some() && b == INTEGER && ty == a,
            B::StringConcat => all(STRING),
            B::StringTake | B::StringDrop => a == STRING && b == INTEGER && ty == STRING,
            B::TreeConst => self.is_tree(ty)? == a && self.is_sequence(b)? == ty,
            B::TreeRank | B::TreeArity => {
                self.is_tree(a).is_some() && self.is_sequence(b)? == INTEGER && ty == INTEGER
            }
            B::TreeFather => {
                self.is_tree(a).is_some() && self.is_sequence(b)? == INTEGER && ty == b
            }
            B::TreeSubtree => {
                self.is_tree(a).is_some() && self.is_sequence(b)? == INTEGER && ty == a
            }
        })
    }

    fn ternary(&self, op: TernaryOp, [a, b, c]: [TypeId; 3], ty: TypeId) -> Option<bool> {
        Some(match op {
            TernaryOp::TreeSon => {
                self.is_tree(a).is_some()
                    && self.is_sequence(b)? == INTEGER
                    && c == INTEGER
                    && ty == b
            }
            TernaryOp::TreeBin => self.is_tree(ty)? == b && a == ty && c == ty,
        })
    }

    pub(super) fn pred(&mut self, p: &Pred) {
        self.parts(|visit| p.parts(visit));
        match &p.kind {
            PredKind::Compare(op, a, b) if self.compare(*op, a.ty, b.ty) != Some(true) => {
                let (left, right) = (self.show(a.ty), self.show(b.ty));
                self.complain(format!("{op:?} does not compare {left} and {right}"));
            }
            PredKind::Let(values, _) => self.let_values(values),
            PredKind::Finite(e) => self.set(e, "the operand of finite"),
            PredKind::Partition(whole, parts) => {
                self.set(whole, "the operand of partition");
                parts.iter().for_each(|part| self.typed(part, whole.ty, "a part of a partition"));
            }
            PredKind::External(id, _) => self.external(*id),
            _ => {}
        }
    }

    pub(super) fn external(&mut self, id: ExternalId) {
        let known = id.index() < self.model.externals.len();
        self.require(known, "calls an external that is not there");
    }

    fn compare(&self, op: CompareOp, a: TypeId, b: TypeId) -> Option<bool> {
        use CompareOp as C;
        Some(match op {
            C::Equal | C::NotEqual => a == b,
            C::Member | C::NotMember => self.element(b)? == a,
            C::Subset | C::StrictSubset | C::NotSubset | C::NotStrictSubset => {
                self.element(a).is_some() && a == b
            }
            C::Less | C::LessEqual | C::Greater | C::GreaterEqual => a == INTEGER && b == INTEGER,
            C::RealLess | C::RealLessEqual | C::RealGreater | C::RealGreaterEqual => {
                a == REAL && b == REAL
            }
        })
    }
}

fn basic_element(basic: BasicSet) -> TypeId {
    match basic {
        BasicSet::Bool => TypeTable::BOOL,
        BasicSet::String => STRING,
        BasicSet::Real | BasicSet::Float => REAL,
        _ => INTEGER,
    }
}
