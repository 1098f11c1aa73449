//! Random substitutions over the variables of the world.

use super::Grow;
use crate::build::*;
use beeline_model::{
    Access, Assignment, BecomesSuch, CompareOp, Conjunct, Expr, LocalId, Place, Pred, Subst,
    SubstKind, Target, Type, TypeId, TypeTable, VariableId, While,
};
use beeline_source::Span;

fn subst(kind: SubstKind) -> Subst {
    Subst { kind, span: Span::NONE }
}

fn conjuncts(pred: Pred) -> Vec<Conjunct> {
    vec![Conjunct { pred, label: None, span: Span::NONE }]
}

impl Grow<'_> {
    /// A random substitution.
    pub fn substitution(&mut self) -> Subst {
        self.fuel = 30;
        let depth = 1 + self.random.below(3);
        self.subst(depth)
    }

    fn subst(&mut self, depth: usize) -> Subst {
        if depth == 0 || self.fuel == 0 {
            return self.assignment(1);
        }
        self.fuel -= 1;
        let inner = depth - 1;
        let kind = match self.random.below(20) {
            0 => SubstKind::Skip,
            1..=3 => return self.assignment(inner),
            4 => {
                let (place, ty) = self.place();
                let set = self.power(ty);
                SubstKind::BecomesElement(vec![place], Box::new(self.expr(set, inner.min(1))))
            }
            5 => return self.becomes_such(inner),
            6 => {
                let p = self.likely(inner);
                SubstKind::Assert(
                    beeline_model::Promise::Assert,
                    conjuncts(p),
                    Box::new(self.subst(inner)),
                )
            }
            7 | 8 => {
                let branch = (self.pred(inner), self.subst(inner));
                let otherwise = self.random.chance(60).then(|| Box::new(self.subst(inner)));
                SubstKind::If(vec![branch], otherwise)
            }
            9 | 10 => {
                let count = 1 + self.random.below(2);
                let branches =
                    (0..count).map(|_| (conjuncts(self.pred(inner)), self.subst(inner))).collect();
                let otherwise = self.random.chance(40).then(|| Box::new(self.subst(inner)));
                SubstKind::Select(branches, otherwise)
            }
            11 => SubstKind::Choice(vec![self.subst(inner), self.subst(inner)]),
            12 => return self.case(inner),
            13 | 14 => {
                let types = self.bound_types();
                let binder = self.binder(&types, inner.min(1));
                let body = self.subst(inner);
                self.scope.truncate(self.scope.len() - types.len());
                SubstKind::Any(binder.locals, conjuncts(binder.predicate), Box::new(body))
            }
            15 => {
                let ty = self.known_type();
                let value = self.expr(ty, inner);
                let id = self.bind(ty);
                self.scope.push(id);
                let body = self.subst(inner);
                self.scope.pop();
                SubstKind::Let(vec![(id, value)], Box::new(body))
            }
            16 => return self.var(inner),
            17 => SubstKind::Sequence(vec![self.subst(inner), self.subst(inner)]),
            18 => SubstKind::Parallel(vec![self.subst(inner), self.subst(inner)]),
            _ => return self.countdown(inner),
        };
        subst(kind)
    }

    /// A predicate that is mostly true.
    fn likely(&mut self, depth: usize) -> Pred {
        match self.random.chance(80) {
            true => truth(beeline_model::PredKind::Bool(true)),
            false => self.pred(depth),
        }
    }

    /// A variable or an assignable local.
    fn place(&mut self) -> (Place, TypeId) {
        if !self.places.is_empty() && self.random.chance(40) {
            let id = self.random.pick(&self.places.clone());
            return (Place::Local(id), self.model.local(id).ty);
        }
        let id = VariableId(self.random.below(self.model.variables.len()) as u32);
        (Place::Variable(id), self.model.variable(id).ty)
    }

    fn assignment(&mut self, depth: usize) -> Subst {
        let mut assignments: Vec<Assignment> = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let (place, ty) = self.place();
            if assignments.iter().any(|a| a.target.place == place) {
                continue;
            }
            let (path, ty) = self.path(ty, depth);
            let target = Target { place, path, span: Span::NONE };
            assignments.push(Assignment { target, value: self.expr(ty, depth) });
        }
        subst(SubstKind::Assign(assignments))
    }

    /// A way into a value of this type, and the type at its end.
    fn path(&mut self, ty: TypeId, depth: usize) -> (Vec<Access>, TypeId) {
        if self.random.chance(60) {
            return (Vec::new(), ty);
        }
        if let Type::Record(fields) = self.model.types.get(ty).clone() {
            let at = self.random.below(fields.len());
            return (vec![Access::Field(at)], fields[at].1);
        }
        match self.model.types.element(ty).and_then(|t| self.model.types.halves(t)) {
            Some((from, to)) => (vec![Access::Index(self.expr(from, depth.min(1)))], to),
            None => (Vec::new(), ty),
        }
    }

    fn becomes_such(&mut self, depth: usize) -> Subst {
        let (place, ty) = self.place();
        let binder = self.binder(&[ty], depth.min(1));
        self.scope.pop();
        subst(SubstKind::BecomesSuch(Box::new(BecomesSuch {
            places: vec![place],
            after: binder.locals,
            predicate: binder.predicate,
        })))
    }

    fn case(&mut self, depth: usize) -> Subst {
        let given = self.model.sets[0].ty;
        let ty = self.random.pick(&[TypeTable::BOOL, TypeTable::INTEGER, given]);
        let selector = self.expr(ty, depth);
        let mut labels: Vec<Expr> = Vec::new();
        for _ in 0..2 {
            let label = crate::world::literal(self.model, ty, 1, self.random);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        let branches = labels.into_iter().map(|l| (vec![l], self.subst(depth))).collect();
        let otherwise = self.random.chance(50).then(|| Box::new(self.subst(depth)));
        subst(SubstKind::Case(Box::new(selector), branches, otherwise))
    }

    /// `VAR x IN x := e ; S END`
    fn var(&mut self, depth: usize) -> Subst {
        let ty = self.known_type();
        let value = self.expr(ty, depth);
        let id = self.bind(ty);
        let first = assign(Place::Local(id), value);
        self.scope.push(id);
        self.places.push(id);
        let rest = self.subst(depth);
        self.places.pop();
        self.scope.pop();
        let body = subst(SubstKind::Sequence(vec![first, rest]));
        subst(SubstKind::Var(vec![id], Box::new(body)))
    }

    /// A loop that counts a local of its own down, so that it ends.
    fn countdown(&mut self, depth: usize) -> Subst {
        const INT: TypeId = TypeTable::INTEGER;
        let id: LocalId = self.bind(INT);
        let name = local(id, INT);
        let start = assign(Place::Local(id), integer(self.random.below(4) as i64));
        self.scope.push(id);
        let round = self.subst(depth.min(1));
        self.scope.pop();
        let less = binary(beeline_model::BinaryOp::Subtract, name.clone(), integer(1), INT);
        let body = subst(SubstKind::Sequence(vec![round, assign(Place::Local(id), less)]));
        let looped = subst(SubstKind::While(Box::new(While {
            before: Vec::new(),
            condition: compare(CompareOp::Greater, name.clone(), integer(0)),
            body,
            invariant: conjuncts(compare(CompareOp::GreaterEqual, name.clone(), integer(0))),
            variant: name,
        })));
        let both = subst(SubstKind::Sequence(vec![start, looped]));
        subst(SubstKind::Var(vec![id], Box::new(both)))
    }
}

fn assign(place: Place, value: Expr) -> Subst {
    let target = Target { place, path: Vec::new(), span: Span::NONE };
    subst(SubstKind::Assign(vec![Assignment { target, value }]))
}
