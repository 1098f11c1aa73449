//! Sets of relations and functions: `A <-> B`, `A --> B` and their like.

use crate::Judge;
use crate::error::{Eval, EvalError, UnknownReason};
use crate::flow::{Flow, Visit, go};
use crate::parts::halves;
use crate::value::Value;
use crate::value::symbolic::{Symbolic, Yield};
use beeline_model::{BinaryOp, UnaryOp};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What an arrow asks of a relation.
#[derive(Clone, Copy)]
struct Demands {
    functional: bool,
    total: bool,
    injective: bool,
    surjective: bool,
}

fn demands(op: BinaryOp) -> Eval<Demands> {
    use BinaryOp as Op;
    let (functional, total, injective, surjective) = match op {
        Op::Relations => (false, false, false, false),
        Op::TotalRelations => (false, true, false, false),
        Op::SurjectiveRelations => (false, false, false, true),
        Op::TotalSurjectiveRelations => (false, true, false, true),
        Op::PartialFunctions => (true, false, false, false),
        Op::TotalFunctions => (true, true, false, false),
        Op::PartialInjections => (true, false, true, false),
        Op::TotalInjections => (true, true, true, false),
        Op::PartialSurjections => (true, false, false, true),
        Op::TotalSurjections => (true, true, false, true),
        Op::PartialBijections => (true, false, true, true),
        Op::TotalBijections => (true, true, true, true),
        _ => return Err(EvalError::internal("not an arrow")),
    };
    Ok(Demands { functional, total, injective, surjective })
}

impl Judge<'_> {
    /// `r : A op B`
    pub(crate) fn in_arrow(&self, op: BinaryOp, a: &Value, b: &Value, r: &Value) -> Eval<bool> {
        let demands = demands(op)?;
        if self.size_hint(r).is_none() {
            return self.described_in_arrow(demands, a, b, r);
        }
        let pairs = self.elements(r)?;
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        for pair in &pairs {
            let (x, y) = halves(pair)?;
            if !self.contains(a, x)? || !self.contains(b, y)? {
                return Ok(false);
            }
            lefts.push(x.clone());
            rights.push(y.clone());
        }
        let lefts = self.make_set(lefts)?;
        let rights = self.make_set(rights)?;
        let count = pairs.len().into();
        Ok((!demands.functional || self.cardinality(&lefts)? == count)
            && (!demands.injective || self.cardinality(&rights)? == count)
            && (!demands.total || self.equal(&lefts, a)?)
            && (!demands.surjective || self.equal(&rights, b)?))
    }

    /// The same for a relation that cannot be listed.
    fn described_in_arrow(&self, demands: Demands, a: &Value, b: &Value, r: &Value) -> Eval<bool> {
        let domain = self.domain(r)?;
        let fits = if demands.total { self.equal(&domain, a)? } else { self.subset(&domain, a)? };
        if !fits {
            return Ok(false);
        }
        if demands.injective || demands.surjective || (demands.functional && !is_functional(r)) {
            return Err(EvalError::unknown(UnknownReason::Undecided));
        }
        self.subset(&self.lazy(UnaryOp::Range, r.clone()), b)
    }

    /// Visits every relation of `A op B`.
    pub(crate) fn each_arrow(&self, op: BinaryOp, a: &Value, b: &Value, visit: Visit<'_>) -> Flow {
        let demands = demands(op)?;
        let (a, b) = (self.elements(a)?, self.elements(b)?);
        let choice = Choice { judge: self, demands, lefts: &a, rights: &b };
        choice.next(0, &mut Vec::new(), &mut vec![0; b.len()], visit)
    }
}

/// Chooses partners for one left element after the other.
struct Choice<'c> {
    judge: &'c Judge<'c>,
    demands: Demands,
    lefts: &'c [Value],
    rights: &'c [Value],
}

impl Choice<'_> {
    /// `used[j]`: how often the right element `j` has been chosen.
    fn next(
        &self,
        i: usize,
        chosen: &mut Vec<Value>,
        used: &mut Vec<u32>,
        visit: Visit<'_>,
    ) -> Flow {
        self.judge.charge(1)?;
        let missing = used.iter().filter(|n| **n == 0).count();
        let Some(left) = self.lefts.get(i) else {
            if self.demands.surjective && missing > 0 {
                return Ok(ControlFlow::Continue(()));
            }
            self.judge.charge(chosen.len() as u64)?;
            return visit(self.judge.make_set(chosen.iter().cloned())?);
        };
        if self.demands.functional && self.demands.surjective && missing > self.lefts.len() - i {
            return Ok(ControlFlow::Continue(()));
        }
        self.judge.deeper(|| {
            if !self.demands.functional {
                return self.partners(i, 0, 0, left, chosen, used, visit);
            }
            if !self.demands.total {
                go!(self.next(i + 1, chosen, used, visit));
            }
            for (j, right) in self.rights.iter().enumerate() {
                if self.demands.injective && used[j] > 0 {
                    continue;
                }
                chosen.push(Value::pair(left.clone(), right.clone()));
                used[j] += 1;
                let flow = self.next(i + 1, chosen, used, visit);
                used[j] -= 1;
                chosen.pop();
                go!(flow);
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// For a relation: any set of partners, `count` of which are chosen among the first `j`.
    #[allow(clippy::too_many_arguments)]
    fn partners(
        &self,
        i: usize,
        j: usize,
        count: usize,
        left: &Value,
        chosen: &mut Vec<Value>,
        used: &mut Vec<u32>,
        visit: Visit<'_>,
    ) -> Flow {
        let Some(right) = self.rights.get(j) else {
            if self.demands.total && count == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            return self.next(i + 1, chosen, used, visit);
        };
        self.judge.deeper(|| {
            go!(self.partners(i, j + 1, count, left, chosen, used, visit));
            chosen.push(Value::pair(left.clone(), right.clone()));
            used[j] += 1;
            let flow = self.partners(i, j + 1, count + 1, left, chosen, used, visit);
            used[j] -= 1;
            chosen.pop();
            flow
        })
    }
}

/// Is it surely a function?
fn is_functional(relation: &Value) -> bool {
    match relation {
        Value::Set(pairs) => {
            let mut lefts = BTreeSet::new();
            pairs.iter().all(|p| matches!(p, Value::Pair(both) if lefts.insert(&both.0)))
        }
        Value::Symbolic(described) => match &*described.0 {
            Symbolic::Closure(closure) => matches!(closure.body.yields, Yield::Lambda(_)),
            Symbolic::Function(..) | Symbolic::Constructor(..) => true,
            Symbolic::Unary(UnaryOp::Identity, _) => true,
            Symbolic::Binary(
                BinaryOp::Override | BinaryOp::Compose | BinaryOp::DirectProduct,
                a,
                b,
            )
            | Symbolic::Binary(BinaryOp::ParallelProduct, a, b) => {
                is_functional(a) && is_functional(b)
            }
            Symbolic::Binary(BinaryOp::DomainRestrict | BinaryOp::DomainSubtract, _, r)
            | Symbolic::Binary(BinaryOp::RangeRestrict | BinaryOp::RangeSubtract, r, _)
            | Symbolic::Binary(BinaryOp::Intersection | BinaryOp::Difference, r, _) => {
                is_functional(r)
            }
            Symbolic::Binary(BinaryOp::Projection1 | BinaryOp::Projection2, ..) => true,
            _ => false,
        },
        _ => false,
    }
}
