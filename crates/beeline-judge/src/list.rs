//! Going through the elements of a set, one by one, within the budget.

use crate::error::{Eval, EvalError, UnknownReason};
use crate::flow::{Flow, Visit, go};
use crate::solve::{Policy, Solve};
use crate::value::Value;
use crate::value::set::{Gathered, Set};
use crate::value::symbolic::{Closure, Symbolic, Yield};
use crate::{Judge, Scene, State};
use beeline_model::{BasicSet, BinaryOp, FreeTypeId, UnaryOp};
use std::ops::ControlFlow;
use std::sync::Arc;

impl Judge<'_> {
    /// All elements as a listed set.
    pub(crate) fn list(&self, set: &Value) -> Eval<Arc<Set>> {
        if let Value::Set(elements) = set {
            return Ok(elements.clone());
        }
        let elements = self.elements(set)?;
        match self.make_set(elements)? {
            Value::Set(elements) => Ok(elements),
            _ => Err(EvalError::unknown(UnknownReason::Undecided)),
        }
    }

    /// All elements, without repetition.
    pub(crate) fn elements(&self, set: &Value) -> Eval<Vec<Value>> {
        match set {
            Value::Set(elements) => {
                self.charge(elements.len() as u64)?;
                return Ok(elements.iter().cloned().collect());
            }
            Value::Symbolic(described) => {
                match &*described.0 {
                    Symbolic::Listing(elements) => return Ok(elements.clone()),
                    // Their sizes are exact, so that there is no need to try.
                    Symbolic::Power { .. } | Symbolic::Interval(..) | Symbolic::Product(..)
                        if self
                            .size_hint(set)
                            .is_some_and(|size| size > self.settings.max_elements as u128) =>
                    {
                        return Err(EvalError::unknown(UnknownReason::TooLarge));
                    }
                    _ => {}
                }
            }
            _ => return Err(EvalError::internal("a set was expected")),
        }
        let mut gathered = Gathered::default();
        let _ = self.each(set, &mut |value| {
            self.gather(&mut gathered, value)?;
            Ok(ControlFlow::Continue(()))
        })?;
        let (mut odd, mut listed) = self.gathered(gathered)?;
        listed.append(&mut odd);
        Ok(listed)
    }

    /// Visits every element at least once.
    pub(crate) fn each(&self, set: &Value, visit: Visit<'_>) -> Flow {
        let described = match set {
            Value::Set(elements) => {
                for element in elements.iter() {
                    self.charge(1)?;
                    go!(visit(element.clone()));
                }
                return Ok(ControlFlow::Continue(()));
            }
            Value::Symbolic(described) => described,
            _ => return Err(EvalError::internal("a set was expected")),
        };
        self.deeper(|| self.each_of(&described.0, visit))
    }

    fn each_of(&self, set: &Symbolic, visit: Visit<'_>) -> Flow {
        match set {
            Symbolic::Interval(low, high) => {
                let mut number = low.clone();
                while number <= *high {
                    self.charge(1)?;
                    go!(visit(Value::int(number.clone())));
                    number += 1;
                }
            }
            Symbolic::Power { of, nonempty, .. } => {
                let elements = self.elements(of)?;
                return self.each_subset(&elements, &mut Vec::new(), *nonempty, visit);
            }
            Symbolic::Product(a, b) => {
                let right = self.elements(b)?;
                return self.each(a, &mut |x| {
                    for y in &right {
                        self.charge(1)?;
                        go!(visit(Value::pair(x.clone(), y.clone())));
                    }
                    Ok(ControlFlow::Continue(()))
                });
            }
            Symbolic::Arrow(op, a, b) => return self.each_arrow(*op, a, b, visit),
            Symbolic::Sequences { of, nonempty, injective } => {
                let elements = self.elements(of)?;
                if !injective && !elements.is_empty() && !self.sampling.get() {
                    return Err(EvalError::unknown(UnknownReason::Infinite));
                }
                return self.each_arrangement(&elements, &mut Vec::new(), &mut |chosen| {
                    if *nonempty && chosen.is_empty() {
                        return Ok(ControlFlow::Continue(()));
                    }
                    visit(Value::sequence(chosen.iter().cloned()))
                });
            }
            Symbolic::Permutations(of) => {
                let elements = self.elements(of)?;
                return self.each_arrangement(&elements, &mut Vec::new(), &mut |chosen| {
                    if chosen.len() < elements.len() {
                        return Ok(ControlFlow::Continue(()));
                    }
                    visit(Value::sequence(chosen.iter().cloned()))
                });
            }
            Symbolic::Records(fields) => return self.each_record(fields, &mut Vec::new(), visit),
            Symbolic::Free(id, arguments) => return self.each_free(*id, arguments, visit),
            Symbolic::Listing(elements) => {
                for element in elements {
                    self.charge(1)?;
                    go!(visit(element.clone()));
                }
            }
            Symbolic::Closure(closure) => return self.each_of_closure(closure, visit),
            Symbolic::Unary(op, of) => return self.each_unary(*op, of, visit),
            Symbolic::Binary(op, a, b) => return self.each_binary(*op, a, b, visit),
            Symbolic::Basic(basic) if self.sampling.get() && *basic != BasicSet::Real => {
                return self.each(&self.bounded(&self.basic_set(*basic)), visit);
            }
            Symbolic::Basic(_) | Symbolic::Function(..) | Symbolic::Constructor(..) => {
                return Err(EvalError::unknown(UnknownReason::Infinite));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn each_unary(&self, op: UnaryOp, of: &Value, visit: Visit<'_>) -> Flow {
        match op {
            UnaryOp::Identity => self.each(of, &mut |x| visit(Value::pair(x.clone(), x))),
            UnaryOp::Inverse | UnaryOp::Domain | UnaryOp::Range => self.each(of, &mut |pair| {
                let Value::Pair(both) = pair else {
                    return Err(EvalError::internal("a relation was expected"));
                };
                let (a, b) = (both.0.clone(), both.1.clone());
                visit(match op {
                    UnaryOp::Inverse => Value::pair(b, a),
                    UnaryOp::Domain => a,
                    _ => b,
                })
            }),
            _ => Err(EvalError::unknown(UnknownReason::Infinite)),
        }
    }

    fn each_binary(&self, op: BinaryOp, a: &Value, b: &Value, visit: Visit<'_>) -> Flow {
        let filtered = |from: &Value, other: &Value, wanted: bool, visit: Visit<'_>| {
            self.each(from, &mut |x| {
                if self.contains(other, &x)? == wanted {
                    go!(visit(x));
                }
                Ok(ControlFlow::Continue(()))
            })
        };
        match op {
            BinaryOp::Union => {
                go!(self.each(a, visit));
                self.each(b, visit)
            }
            BinaryOp::Intersection => match (self.size_hint(a), self.size_hint(b)) {
                (Some(x), Some(y)) if x > y => filtered(b, a, true, visit),
                (None, Some(_)) => filtered(b, a, true, visit),
                _ => filtered(a, b, true, visit),
            },
            BinaryOp::Difference => filtered(a, b, false, visit),
            BinaryOp::Override => {
                go!(self.each(b, visit));
                self.each(a, &mut |pair| {
                    let Value::Pair(both) = &pair else {
                        return Err(EvalError::internal("a relation was expected"));
                    };
                    if !self.in_domain(b, &both.0)? {
                        go!(visit(pair));
                    }
                    Ok(ControlFlow::Continue(()))
                })
            }
            BinaryOp::Projection1 | BinaryOp::Projection2 => self.each(a, &mut |x| {
                self.each(b, &mut |y| {
                    let image = if op == BinaryOp::Projection1 { x.clone() } else { y.clone() };
                    visit(Value::pair(Value::pair(x.clone(), y), image))
                })
            }),
            _ => Err(EvalError::unknown(UnknownReason::Infinite)),
        }
    }

    fn each_subset(
        &self,
        rest: &[Value],
        chosen: &mut Vec<Value>,
        nonempty: bool,
        visit: Visit<'_>,
    ) -> Flow {
        let Some((first, rest)) = rest.split_first() else {
            if nonempty && chosen.is_empty() {
                return Ok(ControlFlow::Continue(()));
            }
            self.charge(chosen.len() as u64)?;
            return visit(self.make_set(chosen.iter().cloned())?);
        };
        self.deeper(|| {
            go!(self.each_subset(rest, chosen, nonempty, visit));
            chosen.push(first.clone());
            let flow = self.each_subset(rest, chosen, nonempty, visit);
            chosen.pop();
            flow
        })
    }

    /// Visits every sequence without repetition of these elements.
    fn each_arrangement(
        &self,
        elements: &[Value],
        chosen: &mut Vec<Value>,
        visit: &mut dyn FnMut(&[Value]) -> Flow,
    ) -> Flow {
        go!(visit(chosen));
        self.deeper(|| {
            for element in elements {
                self.charge(1)?;
                if !self.is_among(chosen, element)? {
                    chosen.push(element.clone());
                    let flow = self.each_arrangement(elements, chosen, visit);
                    chosen.pop();
                    go!(flow);
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    fn each_record(&self, fields: &[Value], chosen: &mut Vec<Value>, visit: Visit<'_>) -> Flow {
        let Some(field) = fields.get(chosen.len()) else {
            return visit(Value::Record(chosen.as_slice().into()));
        };
        self.each(field, &mut |value| {
            chosen.push(value);
            let flow = self.each_record(fields, chosen, visit);
            chosen.pop();
            flow
        })
    }

    fn each_free(&self, id: FreeTypeId, arguments: &[Value], visit: Visit<'_>) -> Flow {
        if self.size_hint(&Value::symbolic(Symbolic::Free(id, arguments.to_vec()))).is_none() {
            return Err(EvalError::unknown(UnknownReason::Infinite));
        }
        for constructor in 0..self.model.free_type(id).constructors.len() as u32 {
            match self.constructor_set(id, constructor, arguments)? {
                None => go!(visit(Value::Free(id, constructor, None))),
                Some(set) => go!(self.each(&set, &mut |value| {
                    visit(Value::Free(id, constructor, Some(value.into())))
                })),
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The set a constructor takes its argument from, over the argument sets of its type.
    pub(crate) fn constructor_set(
        &self,
        id: FreeTypeId,
        constructor: u32,
        arguments: &[Value],
    ) -> Eval<Option<Value>> {
        let free = self.model.free_type(id);
        let Some((_, Some(set))) = free.constructors.get(constructor as usize) else {
            return Ok(None);
        };
        let mut state = State::blank(self.model);
        state.constants = self.constants.borrow().clone();
        let mut scene = Scene::of(&state);
        for (local, argument) in free.locals.iter().zip(arguments) {
            scene.bind(*local, argument.clone());
        }
        self.deeper(|| self.eval(set, &scene)).map(Some)
    }

    fn each_of_closure(&self, closure: &Closure, visit: Visit<'_>) -> Flow {
        let body = &closure.body;
        let scene = self.closure_scene(closure);
        let policy = if self.sampling.get() { Policy::Bound } else { Policy::Refuse };
        let mut search = Solve::new(self, policy, body.span);
        search.add_locals(&body.binder.locals);
        search.add_pred(&body.binder.predicate, true);
        let done = search.run(scene, &mut |scene| {
            let tuple = || self.tuple_of(&body.binder.locals, scene);
            visit(match &body.yields {
                Yield::Tuple => tuple()?,
                Yield::Image(image) => self.eval(image, scene)?,
                Yield::Lambda(image) => Value::pair(tuple()?, self.eval(image, scene)?),
            })
        })?;
        Ok(done.flow)
    }
}
