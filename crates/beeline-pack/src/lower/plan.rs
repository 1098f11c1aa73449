//! Plans as nested loops.

use super::num::{Num, Word};
use super::{Item, Lower, No, Res};
use crate::domain::Dom;
use beeline_fault::{Flaw, planted};
use beeline_ir::{Alu, Label, Op, Test};
use beeline_model::{BinaryOp, Expr, ExprKind, LocalId, TypeTable};
use beeline_plan::{Act, Generator, Name, PlanStep};
use beeline_value::Val;

/// Loops over so many known values are written out, as long as the code is not repeated too often.
const UNROLLED: usize = 16;
const MAX_COPIES: usize = 64;

/// What happens with each solution. The label goes on to the next one.
type Body<'k, 'a, 'm> = &'k mut dyn FnMut(&mut Lower<'a, 'm>, Label) -> Res<()>;

impl<'a, 'm> Lower<'a, 'm> {
    /// The body once for each solution; `next` is where to go when there is none.
    pub(super) fn steps(
        &mut self,
        steps: &[PlanStep],
        next: Label,
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        self.room()?;
        let Some((step, rest)) = steps.split_first() else {
            return body(self, next);
        };
        match &step.act {
            Act::Test { pred, .. } => {
                if !(planted(Flaw::GuardDropped) && rest.is_empty()) {
                    self.jump_if(pred, false, next)?;
                }
                self.steps(rest, next, body)
            }
            Act::Bind { from, .. } => self.generator(from, rest, next, body),
            // The solver has no counterpart in code.
            Act::Points(_) | Act::Solve(_) => Err(No("this kind of plan")),
        }
    }

    /// The rest of the plan for each value that a generator gives.
    fn generator(
        &mut self,
        from: &Generator,
        rest: &[PlanStep],
        next: Label,
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        match from {
            Generator::Value { pattern, value } => {
                let item = self.expr(value)?;
                let mut bound = Vec::new();
                self.bind(pattern, item, next, &mut bound)?;
                self.steps(rest, next, body)?;
                // Other copies of this code bind the names again.
                self.forget(&bound);
                Ok(())
            }
            Generator::Member { pattern, set } => self.each(pattern, set, rest, body),
            // Sets in a state are finite: what else is known of the number is tested afterwards.
            Generator::Within { name: Name::Local(local), set, .. } => {
                let (kind, ty, span) = (ExprKind::Local(*local), TypeTable::INTEGER, set.span);
                self.each(&Expr { kind, ty, span }, set, rest, body)
            }
            Generator::Between { name: Name::Local(local), lows, highs, .. } => {
                self.between_bounds(*local, lows, highs, rest, body)
            }
            Generator::Type(Name::Local(local)) => {
                let model = self.consts.source.model;
                let dom = self.whole(model.local(*local).ty).ok_or(No("an infinite type"))?;
                self.whole_type(*local, &dom, rest, body)
            }
            _ => Err(No("this kind of plan")),
        }
    }

    fn forget(&mut self, locals: &[LocalId]) {
        for local in locals {
            self.locals.remove(local);
        }
    }

    /// Binds the names of a pattern that have no value; other parts must be equal.
    fn bind(
        &mut self,
        pattern: &Expr,
        item: Item,
        next: Label,
        bound: &mut Vec<LocalId>,
    ) -> Res<()> {
        match (&pattern.kind, item) {
            (ExprKind::Local(l), item) if !self.locals.contains_key(l) => {
                self.locals.insert(*l, item);
                bound.push(*l);
                Ok(())
            }
            (ExprKind::Binary(BinaryOp::Pair, a, b), Item::Pair(x, y)) => {
                self.bind(a, *x, next, bound)?;
                self.bind(b, *y, next, bound)
            }
            // A name that has a value by now, or a formula: it is compared, as the general engine
            // does.
            (_, item) => {
                let expected = self.expr(pattern)?;
                self.jump_if_equal(expected, item, false, next)
            }
        }
    }

    /// One pass of a loop: binds the pattern, then the rest of the plan.
    fn pass(
        &mut self,
        pattern: &Expr,
        item: Item,
        next: Label,
        rest: &[PlanStep],
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        let mut bound = Vec::new();
        self.bind(pattern, item, next, &mut bound)?;
        self.steps(rest, next, body)?;
        self.forget(&bound);
        Ok(())
    }

    fn each(
        &mut self,
        pattern: &Expr,
        set: &Expr,
        rest: &[PlanStep],
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        if let Some(value) = self.consts.value(set)
            && let Some(elems) = self.consts.store().elems(value)
            && elems.len() <= UNROLLED
            // Nested loops multiply: each copy has all that is inside of it.
            && self.copies * elems.len().max(1) <= MAX_COPIES
        {
            let element = self.element(set.ty)?;
            let list: Vec<Val> = self.consts.store().list(elems);
            let copies = self.copies;
            self.copies *= list.len().max(1);
            for value in list {
                let next = self.b.label();
                let item = self.settled(Item::Known(value, element))?;
                self.pass(pattern, item, next, rest, body)?;
                self.b.place(next);
            }
            self.copies = copies;
            return Ok(());
        }
        let item = self.expr(set)?;
        if let ExprKind::Binary(BinaryOp::Pair, key, other) = &pattern.kind
            // The first component is known: one row of bits holds all candidates, and the others
            // are never looked at.
            && self.is_bound(key)
        {
            return self.each_of_row(key, other, item, rest, body);
        }
        let (dom, words) = self.as_set(item, None)?;
        self.each_bit(&dom, &words, &mut |l, item, next| l.pass(pattern, item, next, rest, body))
    }

    /// Have all names in an expression a value?
    fn is_bound(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(l) => self.locals.contains_key(l),
            ExprKind::Binary(BinaryOp::Pair, a, b) => self.is_bound(a) && self.is_bound(b),
            ExprKind::Variable(_) => true,
            _ => self.consts.value(e).is_some(),
        }
    }

    /// `key |-> other : relation` with a known key: the bits of one row.
    fn each_of_row(
        &mut self,
        key: &Expr,
        other: &Expr,
        relation: Item,
        rest: &[PlanStep],
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        let key = self.expr(key)?;
        let m = self.matrix(relation, None)?;
        let done = self.b.label();
        let index = self.index(&key, &m.left, done)?;
        let row = self.row(&m, index);
        self.each_bit(&m.right, &[row], &mut |l, item, next| {
            l.pass(other, item, next, rest, body)
        })?;
        self.b.place(done);
        Ok(())
    }

    fn whole_type(
        &mut self,
        local: LocalId,
        dom: &Dom,
        rest: &[PlanStep],
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        let size = dom.size() as usize;
        if size <= UNROLLED && self.copies * size <= MAX_COPIES {
            let copies = self.copies;
            self.copies *= size.max(1);
            for i in 0..size {
                let next = self.b.label();
                let item = self.item_at(dom, Num::Known(i as i64))?;
                self.locals.insert(local, item);
                self.steps(rest, next, body)?;
                self.b.place(next);
            }
            self.copies = copies;
            self.forget(&[local]);
            return Ok(());
        }
        let grid = Lower::grid(dom)?;
        let words: Vec<Word> = (0..grid.words).map(|w| Word::Known(grid.mask(w))).collect();
        self.each_bit(dom, &words, &mut |l, item, next| {
            l.locals.insert(local, item);
            l.steps(rest, next, body)
        })?;
        self.forget(&[local]);
        Ok(())
    }

    fn between_bounds(
        &mut self,
        local: LocalId,
        lows: &[Expr],
        highs: &[Expr],
        rest: &[PlanStep],
        body: Body<'_, 'a, 'm>,
    ) -> Res<()> {
        let low = self.tightest(lows, Test::Greater)?;
        let high = self.tightest(highs, Test::Less)?;
        if let (Num::Known(lo), Num::Known(hi)) = (low, high) {
            let hi = if planted(Flaw::LoweredLoopShort) { hi - 1 } else { hi };
            let count = hi.saturating_sub(lo).saturating_add(1).max(0) as usize;
            if count <= UNROLLED && self.copies * count.max(1) <= MAX_COPIES {
                let copies = self.copies;
                self.copies *= count.max(1);
                for i in lo..=hi {
                    let next = self.b.label();
                    self.locals.insert(local, Item::Int(Num::Known(i)));
                    self.steps(rest, next, body)?;
                    self.b.place(next);
                }
                self.copies = copies;
                self.forget(&[local]);
                return Ok(());
            }
        }
        // So that the counter can go one beyond the end without leaving a signed word.
        if low.low() < -(1 << 40) || high.high() > 1 << 40 {
            return Err(No("a loop between far bounds"));
        }
        let (start, end) = (self.num_reg(low), self.num_reg(high));
        let at = self.b.reg();
        self.b.push(Op::Copy { to: at, a: start });
        let (again, next, done) = (self.b.label(), self.b.label(), self.b.label());
        self.b.place(again);
        self.b.push(Op::Branch { test: Test::Greater, a: at, b: end, to: done });
        // A loop may be long: somebody must be able to stop it.
        self.b.push(Op::Tick);
        let n = Num::In(at, low.low(), high.high().max(low.low()));
        self.locals.insert(local, Item::Int(n));
        self.steps(rest, next, body)?;
        self.forget(&[local]);
        self.b.place(next);
        self.b.push(Op::AluImm { op: Alu::Add, to: at, a: at, imm: 1 });
        self.jump(again);
        self.b.place(done);
        Ok(())
    }

    /// The greatest or the least of some numbers.
    fn tightest(&mut self, bounds: &[Expr], better: Test) -> Res<Num> {
        let mut best: Option<Num> = None;
        for bound in bounds {
            let n = self.int(bound)?;
            best = Some(match best {
                None => n,
                Some(old) => self.better(better, n, old),
            });
        }
        best.ok_or(No("a loop without bounds"))
    }

    fn better(&mut self, better: Test, a: Num, b: Num) -> Num {
        if let (Num::Known(x), Num::Known(y)) = (a, b) {
            return if better.holds(x as u64, y as u64) { a } else { b };
        }
        let (x, y) = (self.num_reg(a), self.num_reg(b));
        let test = self.emit(|to| Op::Compare { test: better, to, a: x, b: y });
        let reg = self.emit(|to| Op::Select { to, test, a: x, b: y });
        let (lo, hi) = if better == Test::Greater {
            (a.low().max(b.low()), a.high().max(b.high()))
        } else {
            (a.low().min(b.low()), a.high().min(b.high()))
        };
        Num::In(reg, lo, hi)
    }
}
