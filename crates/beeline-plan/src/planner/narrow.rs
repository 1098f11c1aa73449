//! Bounds that follow from conjuncts together: sets in which names lie though no conjunct says so alone.
//!
//! `s <: NATURAL & !x.(x : s => x < 5)` says of s that it is within `0..4`. Such facts are made where a plan
//! tries many values or has no end. They offer values as conjuncts do, to steps and to the solver, and are never
//! tested: what they exclude makes a conjunct false (see `beeline_bounds::Analysis::narrowed`).

use super::*;
use beeline_bounds::{Analysis, Atom as Single, Name as Known, Set, Value};
use beeline_model::Type;

/// Plans that try fewer values are good enough.
const WORTH_NARROWING: f64 = 256.0;
/// More conjuncts than this are not looked at again and again.
const MOST: usize = 200;
/// Steps for one query: a millisecond or two.
const STEPS: u64 = 10_000;
/// More values than this are not worth a list.
const LISTED: usize = 64;

impl Planner<'_> {
    /// Is a plan such that bounds are worth looking for? How much the solver tries is not for an estimate to
    /// say: it narrows by itself.
    pub(super) fn is_narrowable(&self, plan: &Plan, unknowns: &[Name], parts: &[Pred]) -> bool {
        let is_list = |act: &Act| match act {
            Act::Test { .. } => true,
            Act::Bind { from, .. } => !matches!(from, Generator::Any { .. }),
            Act::Points(_) | Act::Solve(_) => false,
        };
        let expensive = || {
            let plain = plan.steps.iter().all(|step| is_list(&step.act));
            plain && plan.candidates() > WORTH_NARROWING
        };
        (2..=MOST).contains(&parts.len())
            && (plan.unbounded || expensive())
            && unknowns.iter().any(|name| self.is_endless(name.ty(self.model)))
    }

    /// Has a type infinitely many values? Where it has not, conjuncts give sets that depend on each other, which say
    /// more than bounds of each name by itself.
    fn is_endless(&self, ty: TypeId) -> bool {
        match self.model.types.get(ty) {
            Type::Integer | Type::Real | Type::String | Type::Free(..) => true,
            Type::Bool | Type::Given(_) => false,
            Type::Power(of) => self.is_endless(*of),
            Type::Pair(a, b) => self.is_endless(*a) || self.is_endless(*b),
            Type::Record(fields) => fields.iter().any(|(_, ty)| self.is_endless(*ty)),
        }
    }

    /// Is the second plan the better one? What has an end is, or what tries less than half as much.
    pub(super) fn is_narrower(old: &Plan, new: &Plan) -> bool {
        match (old.unbounded, new.unbounded) {
            (true, false) => true,
            (false, true) => false,
            // Without an end nothing is worth another order of what is found.
            (true, true) => false,
            (false, false) => new.candidates() * 2.0 < old.candidates(),
        }
    }

    /// What follows for the unknown names if all conjuncts are true.
    pub(super) fn bounds_from(&self, unknowns: &[Name], parts: &[Pred]) -> Vec<Pred> {
        let (min, max) = (self.scope.min_int, self.scope.max_int);
        let analysis = Analysis::of_formulas(self.model, min, max).with_budget(STEPS);
        let env = analysis.narrowed(parts);
        let mut facts = Vec::new();
        for name in unknowns.iter().filter(|name| self.is_endless(name.ty(self.model))) {
            let e = self.expr_of(*name);
            let value = match env.is_dead() {
                true => Value::Never,
                false => analysis.known(known(*name), &env),
            };
            facts.extend(self.fact(e, &value));
        }
        facts
    }

    fn expr_of(&self, name: Name) -> Expr {
        let kind = match name {
            Name::Local(local) => ExprKind::Local(local),
            Name::Constant(constant) => ExprKind::Constant(constant),
        };
        Expr { kind, ty: name.ty(self.model), span: name.span(self.model) }
    }

    /// One conjunct that says of a name what its value says, if that gives its values.
    fn fact(&self, e: Expr, value: &Value) -> Option<Pred> {
        let (ty, span) = (e.ty, e.span);
        let make = |kind, ty| Expr { kind, ty, span };
        let (op, set) = match value {
            Value::Set(set) if set.is_empty() => (CompareOp::Equal, make(ExprKind::EmptySet, ty)),
            Value::Set(set) => match self.relations(set, ty, span) {
                Some(space) => (CompareOp::Member, space),
                // In this form no type is needed that the model does not have.
                None => (CompareOp::Subset, self.all_of(&set.elem, self.element(ty)?, span)?),
            },
            _ => (CompareOp::Member, self.all_of(value, ty, span)?),
        };
        let kind = PredKind::Compare(op, Box::new(e), Box::new(set));
        Some(Pred { kind, span })
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        self.model.types.element(ty)
    }

    fn power(&self, ty: TypeId) -> Option<TypeId> {
        self.model.types.find(&Type::Power(ty))
    }

    /// A set of all values that this stands for, and perhaps others, if it is finite.
    fn all_of(&self, value: &Value, ty: TypeId, span: Span) -> Option<Expr> {
        let power = self.power(ty)?;
        let make = |kind, ty| Expr { kind, ty, span };
        let kind = match (value, self.model.types.get(ty)) {
            (Value::Never, _) => ExprKind::EmptySet,
            (Value::Int(ints), _) => {
                let end = |n: i128| {
                    let n = i64::try_from(n).ok()?;
                    Some(Box::new(make(ExprKind::Integer(n.into()), ty)))
                };
                ExprKind::Binary(BinaryOp::Interval, end(ints.low()?)?, end(ints.high()?)?)
            }
            (Value::Bool(..) | Value::Element(_), given) => match (value.list(LISTED), given) {
                (Some(atoms), _) => {
                    let parts = atoms.iter().map(|a| self.atom(a, ty, span));
                    ExprKind::SetExtension(parts.collect::<Option<Vec<_>>>()?)
                }
                (None, Type::Given(set)) => ExprKind::GivenSet(*set),
                _ => return None,
            },
            (Value::Pair(pair), Type::Pair(a, b)) => {
                let (left, right) =
                    (self.all_of(&pair.0, *a, span)?, self.all_of(&pair.1, *b, span)?);
                ExprKind::Binary(BinaryOp::Cartesian, Box::new(left), Box::new(right))
            }
            (Value::Record(values), Type::Record(types)) => {
                let fields = values.iter().zip(types).map(|(v, (_, ty))| self.all_of(v, *ty, span));
                ExprKind::RecordSet(fields.collect::<Option<Vec<_>>>()?)
            }
            (Value::Set(set), Type::Power(of)) => {
                if let Some(space) = self.relations(set, ty, span) {
                    return Some(space);
                }
                ExprKind::Unary(UnaryOp::Power, Box::new(self.all_of(&set.elem, *of, span)?))
            }
            _ => return None,
        };
        Some(make(kind, power))
    }

    /// The functions or relations that this stands for, if they are finitely many.
    fn relations(&self, set: &Set, ty: TypeId, span: Span) -> Option<Expr> {
        let (a, b) = self.model.types.halves(self.element(ty)?)?;
        let power = self.power(ty)?;
        let (domain, range) = (set.domain(), set.range());
        let exact = (domain.is_exact() && !domain.must.is_empty()).then(|| {
            let parts = domain.must.iter().map(|atom| self.atom(atom, a, span));
            let kind = ExprKind::SetExtension(parts.collect::<Option<Vec<_>>>()?);
            Some(Expr { kind, ty: self.power(a)?, span })
        });
        let (exact, right) = (exact.flatten(), self.all_of(&range.elem, b, span)?);
        let total = exact.is_some();
        let left = exact.or_else(|| self.all_of(&domain.elem, a, span))?;
        use BinaryOp as B;
        let op = match (set.is_functional(), set.is_injective(), total) {
            (true, true, true) => B::TotalInjections,
            (true, true, false) => B::PartialInjections,
            (true, false, true) => B::TotalFunctions,
            (true, false, false) => B::PartialFunctions,
            _ => B::Relations,
        };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Some(Expr { kind, ty: power, span })
    }

    fn atom(&self, atom: &Single, ty: TypeId, span: Span) -> Option<Expr> {
        let kind = match atom {
            Single::Bool(b) => ExprKind::Bool(*b),
            Single::Int(n) => ExprKind::Integer((*n).into()),
            Single::Element(set, position) => ExprKind::Element(*set, *position),
            Single::Pair(pair) => {
                let (a, b) = self.model.types.halves(ty)?;
                let (left, right) = (self.atom(&pair.0, a, span)?, self.atom(&pair.1, b, span)?);
                ExprKind::Binary(BinaryOp::Pair, Box::new(left), Box::new(right))
            }
        };
        Some(Expr { kind, ty, span })
    }
}

fn known(name: Name) -> Known {
    match name {
        Name::Local(local) => Known::Local(local),
        Name::Constant(constant) => Known::Constant(constant),
    }
}
