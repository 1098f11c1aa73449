//! Substitutions: every outcome is one record.

use super::num::{Num, Word};
use super::{Item, Lower, No, Res};
use crate::domain::{Dom, ones};
use crate::layout::{Layout, Shape};
use crate::source::Consts;
use beeline_ir::{Alu, Bits, Checked, Code, Op, Reg, Test};
use beeline_model::{
    Access, Assignment, Call, Conjunct, LocalId, OperationId, Place, Pred, Subst, SubstKind,
    Target, Type,
};
use beeline_plan::PlansOf;
use beeline_value::Val;
use rustc_hash::FxHashSet;

/// Assignments that are not yet visible, oldest first.
type Writes = Vec<(Place, Item)>;

/// What follows a substitution, with all that was written before.
type Next<'k, 'a, 'm> = &'k mut dyn FnMut(&mut Lower<'a, 'm>, &mut Writes) -> Res<()>;

/// What is in the records of an operation beside the state.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extra {
    /// Records may repeat; they end with what tells them apart.
    pub repeats: bool,
    /// So many words of arguments come last.
    pub arguments: usize,
}

/// Calls inside calls.
const MAX_CALLS: usize = 8;

impl<'a, 'm> Lower<'a, 'm> {
    /// An operation: emits one record an outcome, and says what else is in it. If it is to be
    /// `told`, a record ends with the arguments that are elements of given sets.
    pub fn operation_code(
        consts: &'a Consts<'a>,
        layout: &'a Layout,
        plans: &'a PlansOf<'m>,
        id: OperationId,
        told: bool,
    ) -> Res<(Code, Extra)> {
        let model = plans.model();
        let (plan, body) = plans.operation(id);
        let row = model.operation(id);
        let repeats = has_choice(body);
        let given = |l: &&LocalId| matches!(model.types.get(model.local(**l).ty), Type::Given(_));
        let arguments: Vec<LocalId> =
            row.parameters.iter().filter(given).filter(|_| told).copied().collect();
        // Steps that differ in results only are different steps; without a choice they cannot
        // repeat.
        let before = if repeats { 1 + row.results.len() } else { 0 };
        let mut lower = Lower::new(consts, layout, plans, before + arguments.len());
        lower.calls.push(id);
        // Which choice of parameters a record belongs to.
        let number = if repeats { Some(lower.constant(0)) } else { None };
        let end = lower.b.label();
        lower.steps(&plan.steps, end, &mut |l, _| {
            if let Some(number) = number {
                l.b.push(Op::AluImm { op: Alu::Add, to: number, a: number, imm: 1 });
            }
            let mut chosen = Vec::new();
            for argument in &arguments {
                chosen.push(l.argument(*argument)?);
            }
            l.subst(body, &mut Vec::new(), &mut |l, writes| {
                l.record(writes, number, &row.results, &chosen)
            })
        })?;
        lower.b.place(end);
        lower.b.push(Op::Return(true));
        lower.finish().map(|code| (code, Extra { repeats, arguments: arguments.len() }))
    }

    /// The word of an argument that is an element.
    fn argument(&mut self, local: LocalId) -> Res<Reg> {
        let item = self.locals.get(&local).cloned();
        match item {
            Some(Item::Scalar(Dom::Given(set, _), index)) => {
                let index = self.num_reg(index);
                let first = u64::from(Val::atom(set, 0).raw());
                Ok(self.alu_imm(Alu::Or, index, first))
            }
            Some(Item::Known(value, _)) => Ok(self.constant(u64::from(value.raw()))),
            _ => Err(No("an argument that is not listed")),
        }
    }

    fn record(
        &mut self,
        writes: &Writes,
        number: Option<Reg>,
        results: &[LocalId],
        arguments: &[Reg],
    ) -> Res<()> {
        let mut words = self.applied(writes)?;
        if let Some(number) = number {
            words.push(number);
            for result in results {
                let value = written(writes, Place::Local(*result));
                words.push(match value {
                    Some(Item::Int(n) | Item::Scalar(_, n)) => self.num_reg(n),
                    // Every word is a number: none is left to say that there is no value.
                    None => return Err(No("a choice of a result that may stay unassigned")),
                    Some(_) => return Err(No("a choice of results that are sets")),
                });
            }
        }
        words.extend_from_slice(arguments);
        self.b.push(Op::Emit(words.into()));
        self.room()
    }

    /// The words of the state after these assignments.
    fn applied(&mut self, writes: &Writes) -> Res<Vec<Reg>> {
        let mut row = self.row.clone();
        for (place, item) in writes {
            let Place::Variable(v) = place else { continue };
            let variables = self.consts.system.variables();
            let position =
                variables.iter().position(|s| s.id == *v).ok_or(No("another level's variable"))?;
            self.store(position, item, &mut row)?;
        }
        Ok(row)
    }

    /// Puts a value into the words of a state; what does not fit is unusual.
    fn store(&mut self, position: usize, item: &Item, row: &mut [Reg]) -> Res<()> {
        let place = &self.layout.places[position];
        if let Item::Known(value, _) = item {
            let mut bits = vec![0u64; self.layout.words];
            if !place.encode(self.consts.store(), *value, &mut bits) {
                self.jump(self.unusual);
                return Ok(());
            }
            let parts: Vec<Word> = place.fields.iter().map(|f| Word::Known(f.get(&bits))).collect();
            return self.put(position, &parts, row);
        }
        let parts = match (&place.shape, item) {
            (Shape::Scalar(dom), item) => {
                let index = self.index(item, &dom.clone(), self.unusual)?;
                vec![Lower::as_word(index)]
            }
            (Shape::Set(dom), item) => {
                let dom = dom.clone();
                let (own, words) = self.as_set(item.clone(), Some(&dom))?;
                self.rebase(&words, &own, &dom)?
            }
            (Shape::Fun { from, to, total }, Item::Fun(fun))
                if fun.from == *from && fun.to == *to && fun.total == *total =>
            {
                let fields = place.fields.clone();
                let parts = fields.iter().zip(&fun.chunks);
                parts
                    .map(|(f, (reg, shift))| {
                        self.extract(Word::In(*reg), *shift, ones(u64::from(f.width)))
                    })
                    .collect()
            }
            (Shape::Fun { from, to, total }, item) => {
                let (from, to, total) = (from.clone(), to.clone(), *total);
                self.fields_of(item.clone(), from, to, total)?
            }
            (Shape::Word, Item::Int(n)) => vec![self.raw_int(*n)?],
            (Shape::Word, Item::Raw(reg)) => vec![Word::In(*reg)],
            (Shape::Word, _) => return Err(No("a value of the store")),
        };
        self.put(position, &parts, row)
    }

    fn put(&mut self, position: usize, parts: &[Word], row: &mut [Reg]) -> Res<()> {
        let fields = self.layout.places[position].fields.clone();
        for (field, part) in fields.iter().zip(parts) {
            if field.width > 0 {
                let mask = ones(u64::from(field.width));
                let word = self.insert(Word::In(row[field.word]), *part, field.shift, mask);
                row[field.word] = self.word_reg(word);
            }
        }
        Ok(())
    }

    /// A relation as the fields of a function; what is no such function is unusual.
    fn fields_of(&mut self, item: Item, from: Dom, to: Dom, total: bool) -> Res<Vec<Word>> {
        let dom = Dom::pair(from.clone(), to.clone()).ok_or(No("a large function"))?;
        let (own, words) = self.as_set(item, Some(&dom))?;
        let words = self.rebase(&words, &own, &dom)?;
        let m = self.matrix(Item::Set(dom, words), None)?;
        let (width, per) = (Shape::field_width(&to, total), Shape::fields_per_word(&to, total));
        let mut parts = vec![Word::Known(0); from.size().div_ceil(per) as usize];
        for i in 0..from.size() {
            let row = self.row(&m, Num::Known(i as i64));
            // A row with two bits is no function: clearing the lowest one must leave nothing.
            let less = self.bits(Alu::Sub, row, Word::Known(1));
            let more = self.bits(Alu::And, row, less);
            self.jump_if_zero(more, false, self.unusual);
            // There is no code for an argument without a value.
            if total {
                self.jump_if_zero(row, true, self.unusual);
            }
            let code = match row {
                Word::Known(0) => Word::Known(0),
                Word::Known(w) => Word::Known(u64::from(w.trailing_zeros() + u32::from(!total))),
                // The lowest of no bit is 64, the code of no value is 0.
                Word::In(a) if !total => {
                    let high = self.emit(|to| Op::Bits { op: Bits::Highest, to, a });
                    Word::In(self.alu_imm(Alu::Add, high, 1))
                }
                Word::In(a) => Word::In(self.emit(|to| Op::Bits { op: Bits::Lowest, to, a })),
            };
            let shift = (i % per) * u64::from(width);
            let code = self.bits(Alu::Shl, code, Word::Known(shift));
            let chunk = (i / per) as usize;
            parts[chunk] = self.bits(Alu::Or, parts[chunk], code);
        }
        Ok(parts)
    }

    fn subst(&mut self, s: &Subst, writes: &mut Writes, next: Next<'_, 'a, 'm>) -> Res<()> {
        self.room()?;
        match &s.kind {
            SubstKind::Skip | SubstKind::External(..) => next(self, writes),
            SubstKind::Assign(parts) => {
                let mark = writes.len();
                self.assign(parts, writes)?;
                next(self, writes)?;
                writes.truncate(mark);
                Ok(())
            }
            SubstKind::BecomesElement(places, set) => {
                let [place] = places[..] else { return Err(No("several places at once")) };
                let item = self.expr(set)?;
                let (dom, words) = self.as_set(item, None)?;
                self.each_bit(&dom, &words, &mut |l, item, _| {
                    writes.push((place, item));
                    next(l, writes)?;
                    writes.pop();
                    Ok(())
                })
            }
            SubstKind::BecomesSuch(such) => {
                let plan = self.plans.query(&such.after, std::slice::from_ref(&such.predicate));
                let end = self.b.label();
                self.steps(&plan.steps, end, &mut |l, _| {
                    let mark = writes.len();
                    for (place, local) in such.places.iter().zip(&such.after) {
                        let item = l.locals.get(local).cloned().ok_or(No("a name"))?;
                        writes.push((*place, item));
                    }
                    next(l, writes)?;
                    writes.truncate(mark);
                    Ok(())
                })?;
                self.b.place(end);
                Ok(())
            }
            SubstKind::Pre(conjuncts, body) | SubstKind::Assert(_, conjuncts, body) => {
                for c in conjuncts {
                    // A failure has words and a place, which the general engine knows.
                    self.jump_if(&c.pred, false, self.unusual)?;
                }
                self.subst(body, writes, next)
            }
            SubstKind::If(branches, otherwise) => {
                let end = self.b.label();
                for (p, s) in branches {
                    let other = self.b.label();
                    self.jump_if(p, false, other)?;
                    // What follows is written once for each branch: no register is needed for which
                    // one was taken.
                    self.subst(s, writes, next)?;
                    self.jump(end);
                    self.b.place(other);
                }
                match otherwise {
                    Some(s) => self.subst(s, writes, next)?,
                    None => next(self, writes)?,
                }
                self.b.place(end);
                Ok(())
            }
            SubstKind::Select(branches, otherwise) => {
                self.select(branches, otherwise.as_deref(), writes, next)
            }
            SubstKind::Choice(parts) => {
                parts.iter().try_for_each(|part| self.subst(part, writes, next))
            }
            SubstKind::Case(e, branches, otherwise) => {
                let (value, end) = (self.expr(e)?, self.b.label());
                for (labels, s) in branches {
                    let (hit, other) = (self.b.label(), self.b.label());
                    for label in labels {
                        let label = self.expr(label)?;
                        self.jump_if_equal(value.clone(), label, true, hit)?;
                    }
                    self.jump(other);
                    self.b.place(hit);
                    self.subst(s, writes, next)?;
                    self.jump(end);
                    self.b.place(other);
                }
                match otherwise {
                    Some(s) => self.subst(s, writes, next)?,
                    None => next(self, writes)?,
                }
                self.b.place(end);
                Ok(())
            }
            SubstKind::Any(locals, conjuncts, body) => {
                let preds: Vec<Pred> = conjuncts.iter().map(|c| c.pred.clone()).collect();
                let plan = self.plans.query(locals, &preds);
                let end = self.b.label();
                self.steps(&plan.steps, end, &mut |l, _| l.subst(body, writes, next))?;
                self.b.place(end);
                Ok(())
            }
            SubstKind::Let(values, body) => {
                for (local, value) in values {
                    let item = self.expr(value)?;
                    self.locals.insert(*local, item);
                }
                self.subst(body, writes, next)
            }
            SubstKind::Var(locals, body) => {
                for local in locals {
                    self.locals.remove(local);
                }
                self.subst(body, writes, next)
            }
            SubstKind::Sequence(parts) => {
                if parts.len() == 1 {
                    return self.subst(&parts[0], writes, next);
                }
                let mut written = FxHashSet::default();
                // Parts that run in parallel with this sequence read the state before it.
                let before = self.row.clone();
                self.sequence(parts, &before, &mut written, writes, next)
            }
            SubstKind::Parallel(parts) => {
                // Whether they do is known when they run: the general engine looks, and has the
                // words.
                if self.overlap(parts) {
                    return Err(No("parallel parts that may assign one place"));
                }
                self.parallel(parts, writes, next)
            }
            SubstKind::Call(call) => self.call(call, writes, next),
            SubstKind::While(_) => Err(No("a loop")),
        }
    }

    fn select(
        &mut self,
        branches: &[(Vec<Conjunct>, Subst)],
        otherwise: Option<&Subst>,
        writes: &mut Writes,
        next: Next<'_, 'a, 'm>,
    ) -> Res<()> {
        // At run time: guards may depend on the state, and ELSE needs to know whether one was true.
        let taken = self.constant(0);
        for (guard, s) in branches {
            let closed = self.b.label();
            for c in guard {
                self.jump_if(&c.pred, false, closed)?;
            }
            if otherwise.is_some() {
                self.b.push(Op::Const { to: taken, value: 1 });
            }
            self.subst(s, writes, next)?;
            self.b.place(closed);
        }
        if let Some(s) = otherwise {
            let end = self.b.label();
            self.b.push(Op::BranchImm { test: Test::NotEqual, a: taken, imm: 0, to: end });
            self.subst(s, writes, next)?;
            self.b.place(end);
        }
        Ok(())
    }

    fn parallel(
        &mut self,
        parts: &[Subst],
        writes: &mut Writes,
        next: Next<'_, 'a, 'm>,
    ) -> Res<()> {
        match parts.split_first() {
            None => next(self, writes),
            Some((part, rest)) => {
                self.subst(part, writes, &mut |l, writes| l.parallel(rest, writes, next))
            }
        }
    }

    /// `S ; T`: the second part reads what the first one wrote; what follows does not.
    fn sequence(
        &mut self,
        parts: &[Subst],
        before: &[Reg],
        written: &mut FxHashSet<Place>,
        writes: &mut Writes,
        next: Next<'_, 'a, 'm>,
    ) -> Res<()> {
        let Some((part, rest)) = parts.split_first() else {
            return Err(No("an empty sequence"));
        };
        self.subst(part, &mut Vec::new(), &mut |l, own| {
            let mut places = written.clone();
            places.extend(own.iter().map(|w| w.0));
            let row = l.applied(own)?;
            let outer = std::mem::replace(&mut l.row, row);
            let saved = l.locals.clone();
            for (place, item) in own.iter() {
                if let Place::Local(local) = place {
                    l.locals.insert(*local, item.clone());
                }
            }
            let outcome = if rest.is_empty() {
                // The whole sequence is done: its effects become one set of assignments.
                let mark = writes.len();
                let mut list: Vec<Place> = places.into_iter().collect();
                // Not in the order of a set of places: code must be the same in every run.
                list.sort();
                for place in list {
                    let item = match place {
                        Place::Variable(v) => l.variable(v)?,
                        Place::Local(local) => l.locals.get(&local).cloned().ok_or(No("a name"))?,
                    };
                    writes.push((place, item));
                }
                let inner = std::mem::replace(&mut l.row, before.to_vec());
                let outcome = next(l, writes);
                l.row = inner;
                writes.truncate(mark);
                outcome
            } else {
                l.sequence(rest, before, &mut places, writes, next)
            };
            l.row = outer;
            l.locals = saved;
            outcome
        })
    }

    fn assign(&mut self, parts: &[Assignment], writes: &mut Writes) -> Res<()> {
        let mark = writes.len();
        for part in parts {
            // Made in the form that the variable has: nothing is moved when it is stored.
            let hint = self.shape_of(part.target.place).and_then(|s| Lower::set_dom(&s));
            let value = self.expr_hint(&part.value, hint.as_ref())?;
            // Several parts of one function: the later sees the earlier.
            let earlier = written(&writes[mark..], part.target.place);
            let value = self.placed(&part.target, earlier, value)?;
            writes.push((part.target.place, value));
        }
        Ok(())
    }

    fn shape_of(&self, place: Place) -> Option<Shape> {
        let Place::Variable(v) = place else { return None };
        let position = self.consts.system.variables().iter().position(|s| s.id == v)?;
        Some(self.layout.places[position].shape.clone())
    }

    /// The new value of a place of which a part may be assigned.
    fn placed(&mut self, target: &Target, earlier: Option<Item>, value: Item) -> Res<Item> {
        let index = match &target.path[..] {
            [] => return Ok(value),
            [Access::Index(index)] => index,
            _ => return Err(No("an assignment deep inside a value")),
        };
        let index = self.expr(index)?;
        let old = match (earlier, target.place) {
            (Some(item), _) => item,
            (None, Place::Variable(v)) => self.variable(v)?,
            (None, Place::Local(l)) => {
                self.locals.get(&l).cloned().ok_or(No("a name without a value"))?
            }
        };
        match old {
            Item::Fun(fun) => self.updated(&fun, &index, &value).map(Item::Fun),
            Item::Set(dom, words) => {
                let Dom::Pair(from, to) = &dom else { return Err(No("not a function")) };
                let i = self.index(&index, from, self.unusual)?;
                let j = self.index(&value, to, self.unusual)?;
                let row = self.arith(Checked::Mul, i, Num::Known(to.size() as i64))?;
                let at = self.arith(Checked::Add, row, j)?;
                let one = self.singleton(&dom, at)?;
                self.overridden(Item::Set(dom.clone(), words), Item::Set(dom, one))
            }
            _ => Err(No("a part of a value of the store")),
        }
    }

    fn call(&mut self, call: &Call, writes: &mut Writes, next: Next<'_, 'a, 'm>) -> Res<()> {
        // Bodies are written out: depth is code.
        if self.calls.contains(&call.operation) || self.calls.len() > MAX_CALLS {
            return Err(No("a call that leads back, or is nested deeply"));
        }
        let operation = self.plans.model().operation(call.operation);
        let arguments: Vec<Item> =
            call.arguments.iter().map(|e| self.expr(e)).collect::<Res<_>>()?;
        let saved = self.locals.clone();
        for (local, item) in operation.parameters.iter().zip(arguments) {
            self.locals.insert(*local, item);
        }
        for local in &operation.results {
            self.locals.remove(local);
        }
        self.calls.push(call.operation);
        let outcome = self.subst(&operation.body, &mut Vec::new(), &mut |l, own| {
            let inner = std::mem::replace(&mut l.locals, saved.clone());
            // What follows the call is outside of it, and may call the same operation.
            let called = l.calls.pop();
            let mark = writes.len();
            writes.extend(own.iter().filter(|w| matches!(w.0, Place::Variable(_))).cloned());
            for (target, result) in call.results.iter().zip(&operation.results) {
                let value = written(own, Place::Local(*result)).ok_or(No("no result"))?;
                let earlier = written(&writes[mark..], target.place);
                let value = l.placed(target, earlier, value)?;
                writes.push((target.place, value));
            }
            let outcome = next(l, writes);
            writes.truncate(mark);
            l.calls.extend(called);
            l.locals = inner;
            outcome
        });
        self.calls.pop();
        self.locals = saved;
        outcome
    }

    /// Might two parallel parts assign one place?
    fn overlap(&self, parts: &[Subst]) -> bool {
        let mut seen = FxHashSet::default();
        parts.iter().any(|part| {
            let mut own = FxHashSet::default();
            self.places(part, &mut own);
            own.into_iter().any(|place| !seen.insert(place))
        })
    }

    fn places(&self, s: &Subst, out: &mut FxHashSet<Place>) {
        match &s.kind {
            SubstKind::Skip | SubstKind::External(..) => {}
            SubstKind::Assign(parts) => out.extend(parts.iter().map(|a| a.target.place)),
            SubstKind::BecomesElement(places, _) => out.extend(places),
            SubstKind::BecomesSuch(such) => out.extend(&such.places),
            SubstKind::Call(call) => {
                out.extend(call.results.iter().map(|t| t.place));
                let operation = self.consts.source.model.operation(call.operation);
                out.extend(operation.writes.iter().map(|v| Place::Variable(*v)));
            }
            _ => parts_of(s).into_iter().for_each(|s| self.places(s, out)),
        }
    }
}

/// The last value written to a place.
fn written(writes: &[(Place, Item)], place: Place) -> Option<Item> {
    writes.iter().rev().find(|w| w.0 == place).map(|w| w.1.clone())
}

/// The substitutions directly inside one.
fn parts_of(s: &Subst) -> Vec<&Subst> {
    match &s.kind {
        SubstKind::Pre(_, s)
        | SubstKind::Assert(_, _, s)
        | SubstKind::Any(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s) => vec![s],
        SubstKind::If(branches, otherwise) => {
            branches.iter().map(|b| &b.1).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Select(branches, otherwise) => {
            branches.iter().map(|b| &b.1).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Case(_, branches, otherwise) => {
            branches.iter().map(|b| &b.1).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Choice(list) | SubstKind::Sequence(list) | SubstKind::Parallel(list) => {
            list.iter().collect()
        }
        SubstKind::While(w) => vec![&w.body],
        _ => Vec::new(),
    }
}

/// Can it have several outcomes from one state?
fn has_choice(s: &Subst) -> bool {
    match &s.kind {
        SubstKind::BecomesElement(..)
        | SubstKind::BecomesSuch(_)
        | SubstKind::Choice(_)
        | SubstKind::Any(..)
        | SubstKind::Call(_) => true,
        SubstKind::Select(branches, _) if branches.len() > 1 => true,
        _ => parts_of(s).into_iter().any(has_choice),
    }
}
