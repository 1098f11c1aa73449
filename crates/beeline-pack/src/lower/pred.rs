//! Predicates as jumps.

use super::num::{Num, Word};
use super::relation::Matrix;
use super::{Item, Lower, No, Res};
use crate::domain::Dom;
use beeline_ir::{Alu, Checked, Label, Op, Test};
use beeline_model::{BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Pred, PredKind, UnaryOp};

/// What a set of relations demands of them.
struct Arrow {
    functional: bool,
    total: bool,
    injective: bool,
    surjective: bool,
}

fn arrow(op: BinaryOp) -> Option<Arrow> {
    use BinaryOp as B;
    let (functional, total, injective, surjective) = match op {
        B::Relations => (false, false, false, false),
        B::TotalRelations => (false, true, false, false),
        B::SurjectiveRelations => (false, false, false, true),
        B::TotalSurjectiveRelations => (false, true, false, true),
        B::PartialFunctions => (true, false, false, false),
        B::TotalFunctions => (true, true, false, false),
        B::PartialInjections => (true, false, true, false),
        B::TotalInjections => (true, true, true, false),
        B::PartialSurjections => (true, false, false, true),
        B::TotalSurjections => (true, true, false, true),
        B::PartialBijections => (true, false, true, true),
        B::TotalBijections => (true, true, true, true),
        _ => return None,
    };
    Some(Arrow { functional, total, injective, surjective })
}

impl Lower<'_, '_> {
    /// Jumps if the predicate has this truth; goes on otherwise.
    pub(super) fn jump_if(&mut self, p: &Pred, want: bool, to: Label) -> Res<()> {
        self.room()?;
        match &p.kind {
            PredKind::Bool(b) => {
                if *b == want {
                    self.jump(to);
                }
                Ok(())
            }
            PredKind::And(parts) => self.all(parts.iter().map(|p| (p, true)), want, to),
            PredKind::Or(parts) => self.all(parts.iter().map(|p| (p, false)), !want, to),
            PredKind::Not(p) => self.jump_if(p, !want, to),
            // `not(a) or b`, which is `not(a & not(b))`.
            PredKind::Implies(a, b) => {
                self.all([(&**a, true), (&**b, false)].into_iter(), !want, to)
            }
            PredKind::Equivalent(a, b) => {
                let (x, y) = (self.truth(a)?, self.truth(b)?);
                self.jump_if_num(Test::Equal, x, y, want, to);
                Ok(())
            }
            PredKind::Compare(op, a, b) => self.compare(*op, a, b, want, to),
            PredKind::Forall(locals, body) => {
                let (plan, claim) = self.plans.universal(locals, body);
                let (fails, end) = (self.b.label(), self.b.label());
                let inner = self.b.label();
                self.steps(&plan.steps, inner, &mut |l, _| l.jump_if(&claim, false, fails))?;
                self.b.place(inner);
                self.decided(true, want, to, fails, end)
            }
            PredKind::Exists(locals, body) => {
                let plan = self.plans.query(locals, std::slice::from_ref(body));
                let (found, end) = (self.b.label(), self.b.label());
                let inner = self.b.label();
                self.steps(&plan.steps, inner, &mut |l, _| {
                    l.jump(found);
                    Ok(())
                })?;
                self.b.place(inner);
                self.decided(false, want, to, found, end)
            }
            PredKind::If(c, a, b) => {
                let (other, end) = (self.b.label(), self.b.label());
                self.jump_if(c, false, other)?;
                self.jump_if(a, want, to)?;
                self.jump(end);
                self.b.place(other);
                self.jump_if(b, want, to)?;
                self.b.place(end);
                Ok(())
            }
            PredKind::Let(values, body) => {
                for (local, value) in values {
                    let item = self.expr(value)?;
                    self.locals.insert(*local, item);
                }
                self.jump_if(body, want, to)
            }
            // What is in words is finite.
            PredKind::Finite(e) => {
                let item = self.expr(e)?;
                self.as_set(item, None)?;
                if want {
                    self.jump(to);
                }
                Ok(())
            }
            PredKind::Partition(..) | PredKind::External(..) => Err(No("this form of predicate")),
        }
    }

    /// After a loop: coming here means `truth`; coming from `other` means the opposite.
    fn decided(&mut self, truth: bool, want: bool, to: Label, other: Label, end: Label) -> Res<()> {
        if truth == want {
            self.jump(to);
            self.b.place(other);
        } else {
            self.jump(end);
            self.b.place(other);
            self.jump(to);
        }
        self.b.place(end);
        Ok(())
    }

    /// Jumps if "all of these have their truth" is `want`.
    fn all<'p>(
        &mut self,
        parts: impl Iterator<Item = (&'p Pred, bool)>,
        want: bool,
        to: Label,
    ) -> Res<()> {
        let skip = self.b.label();
        for (part, truth) in parts {
            self.jump_if(part, !truth, if want { skip } else { to })?;
        }
        if want {
            self.jump(to);
        }
        self.b.place(skip);
        Ok(())
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr, want: bool, to: Label) -> Res<()> {
        use CompareOp as C;
        let test = match op {
            C::Less => Some(Test::Less),
            C::LessEqual => Some(Test::LessEqual),
            C::Greater => Some(Test::Greater),
            C::GreaterEqual => Some(Test::GreaterEqual),
            _ => None,
        };
        if let Some(test) = test {
            let (a, b) = (self.int(a)?, self.int(b)?);
            self.jump_if_num(test, a, b, want, to);
            return Ok(());
        }
        match op {
            C::Equal | C::NotEqual => {
                let x = self.expr(a)?;
                let hint = self.near(&x);
                let y = self.expr_hint(b, hint.as_ref())?;
                self.jump_if_equal(x, y, want == (op == C::Equal), to)
            }
            C::Member => self.member(a, b, want, to),
            C::NotMember => self.member(a, b, !want, to),
            C::Subset => self.subset(a, b, false, want, to),
            C::NotSubset => self.subset(a, b, false, !want, to),
            C::StrictSubset => self.subset(a, b, true, want, to),
            C::NotStrictSubset => self.subset(a, b, true, !want, to),
            _ => Err(No("real numbers")),
        }
    }

    /// The domain of a set, as a hint for what it is compared with.
    fn near(&self, item: &Item) -> Option<Dom> {
        match item {
            Item::Set(dom, _) => Some(dom.clone()),
            Item::Fun(fun) => Dom::pair(fun.from.clone(), fun.to.clone()),
            _ => None,
        }
    }

    pub(super) fn jump_if_equal(&mut self, x: Item, y: Item, want: bool, to: Label) -> Res<()> {
        match (x, y) {
            (Item::Int(a), Item::Int(b)) => self.jump_if_num(Test::Equal, a, b, want, to),
            (Item::Scalar(d, a), Item::Scalar(e, b)) if d == e => {
                self.jump_if_num(Test::Equal, a, b, want, to);
            }
            (Item::Pair(a, b), Item::Pair(c, d)) => {
                let skip = self.b.label();
                let differ = if want { skip } else { to };
                self.jump_if_equal(*a, *c, false, differ)?;
                self.jump_if_equal(*b, *d, false, differ)?;
                if want {
                    self.jump(to);
                }
                self.b.place(skip);
            }
            (Item::Raw(_), _) | (_, Item::Raw(_)) => return Err(No("a value of the store")),
            (x, y) => {
                let x = self.as_set(x, None)?;
                let y = self.as_set(y, Some(&x.0))?;
                let (_, x, y) = self.unified(x, y)?;
                let mut differ = Word::Known(0);
                for (a, b) in x.iter().zip(&y) {
                    let bits = self.bits(Alu::Xor, *a, *b);
                    differ = self.bits(Alu::Or, differ, bits);
                }
                self.jump_if_zero(differ, want, to);
            }
        }
        Ok(())
    }

    fn subset(&mut self, a: &Expr, b: &Expr, strict: bool, want: bool, to: Label) -> Res<()> {
        let x = self.expr(a)?;
        let hint = self.near(&x);
        let x = self.as_set(x, None)?;
        let y = self.expr_hint(b, hint.as_ref())?;
        let y = self.as_set(y, Some(&x.0))?;
        let (_, x, y) = self.unified(x, y)?;
        let (mut beyond, mut differ) = (Word::Known(0), Word::Known(0));
        for (a, b) in x.iter().zip(&y) {
            let bits = self.bits(Alu::AndNot, *a, *b);
            beyond = self.bits(Alu::Or, beyond, bits);
            if strict {
                let bits = self.bits(Alu::Xor, *a, *b);
                differ = self.bits(Alu::Or, differ, bits);
            }
        }
        let skip = self.b.label();
        if strict {
            self.jump_if_zero(differ, true, if want { skip } else { to });
        }
        self.jump_if_zero(beyond, want, to);
        self.b.place(skip);
        Ok(())
    }

    /// Jumps if all numbers are between the bounds.
    fn between(&mut self, n: Num, lo: Num, hi: Num, want: bool, to: Label) {
        let skip = self.b.label();
        let outside = if want { skip } else { to };
        self.jump_if_num(Test::Less, n, lo, true, outside);
        self.jump_if_num(Test::Greater, n, hi, true, outside);
        if want {
            self.jump(to);
        }
        self.b.place(skip);
    }

    /// `a : b`
    fn member(&mut self, a: &Expr, b: &Expr, want: bool, to: Label) -> Res<()> {
        use BasicSet as S;
        let settings = self.consts.system.settings();
        let (min, max) = (Num::Known(settings.min_int), Num::Known(settings.max_int));
        match &b.kind {
            ExprKind::Basic(set @ (S::Int | S::Nat | S::Nat1 | S::Natural | S::Natural1)) => {
                let n = self.int(a)?;
                let lo = match set {
                    S::Int => min,
                    S::Nat | S::Natural => Num::Known(0),
                    _ => Num::Known(1),
                };
                let hi = match set {
                    S::Natural | S::Natural1 => Num::Known(i64::MAX),
                    _ => max,
                };
                self.between(n, lo, hi, want, to);
                Ok(())
            }
            ExprKind::Basic(S::Integer | S::Bool) | ExprKind::GivenSet(_) => {
                self.expr(a)?;
                if want {
                    self.jump(to);
                }
                Ok(())
            }
            ExprKind::Binary(BinaryOp::Interval, lo, hi) => {
                let (n, lo, hi) = (self.int(a)?, self.int(lo)?, self.int(hi)?);
                self.between(n, lo, hi, want, to);
                Ok(())
            }
            ExprKind::Binary(op, left, right) if arrow(*op).is_some() => {
                let arrow = arrow(*op).ok_or(No("not an arrow"))?;
                self.in_arrow(a, &arrow, left, right, want, to)
            }
            ExprKind::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                left,
                right,
            ) if self.consts.value(b).is_none() => {
                // As the general engine: part by part, the first one decides where it can.
                let skip = self.b.label();
                match (op, want) {
                    (BinaryOp::Union, true) => {
                        self.member(a, left, true, to)?;
                        self.member(a, right, true, to)?;
                    }
                    (BinaryOp::Union, false) => {
                        self.member(a, left, true, skip)?;
                        self.member(a, right, false, to)?;
                    }
                    (_, true) => {
                        self.member(a, left, false, skip)?;
                        self.member(a, right, *op == BinaryOp::Intersection, to)?;
                    }
                    (_, false) => {
                        self.member(a, left, false, to)?;
                        self.member(a, right, *op != BinaryOp::Intersection, to)?;
                    }
                }
                self.b.place(skip);
                Ok(())
            }
            ExprKind::Unary(op @ (UnaryOp::Power | UnaryOp::Finite), of) => {
                let _ = op;
                self.subset(a, of, false, want, to)
            }
            ExprKind::Unary(UnaryOp::Domain, relation) if self.consts.value(b).is_none() => {
                self.in_domain(a, relation, want, to)
            }
            _ => {
                let item = self.expr(a)?;
                let set = self.expr(b)?;
                let (dom, words) = self.as_set(set, None)?;
                self.has(&item, &dom, &words, want, to)
            }
        }
    }

    /// Jumps if the element is in the set.
    fn has(&mut self, item: &Item, dom: &Dom, words: &[Word], want: bool, to: Label) -> Res<()> {
        let skip = self.b.label();
        let index = self.index(item, dom, if want { skip } else { to })?;
        let grid = Lower::grid(dom)?;
        let bit = self.bit(grid, words, index)?;
        self.jump_if_zero(bit, !want, to);
        self.b.place(skip);
        Ok(())
    }

    /// `a : dom(r)`, looking at one row.
    fn in_domain(&mut self, a: &Expr, relation: &Expr, want: bool, to: Label) -> Res<()> {
        let item = self.expr(a)?;
        let skip = self.b.label();
        let outside = if want { skip } else { to };
        match self.expr(relation)? {
            Item::Fun(fun) => {
                let index = self.index(&item, &fun.from, outside)?;
                if fun.total {
                    if want {
                        self.jump(to);
                    }
                } else {
                    let code = self.field(&fun, index)?;
                    self.jump_if_num(Test::NotEqual, code, Num::Known(0), want, to);
                }
            }
            other => {
                let m = self.matrix(other, None)?;
                let index = self.index(&item, &m.left, outside)?;
                let row = self.row(&m, index);
                self.jump_if_zero(row, !want, to);
            }
        }
        self.b.place(skip);
        Ok(())
    }

    /// `a : S +-> T` and the like.
    fn in_arrow(
        &mut self,
        a: &Expr,
        arrow: &Arrow,
        left: &Expr,
        right: &Expr,
        want: bool,
        to: Label,
    ) -> Res<()> {
        let item = self.expr(a)?;
        let skip = self.b.label();
        let fails = if want { skip } else { to };
        let plain = !arrow.injective && !arrow.surjective;
        if let Item::Fun(fun) = &item
            && plain
            && (fun.total || !arrow.total)
            && self.covers(left, &fun.from, arrow.total)
            && self.covers(right, &fun.to, false)
        {
            // The layout sees to it.
        } else {
            let m = self.matrix(item, None)?;
            self.demand(&m, arrow, left, right, fails)?;
        }
        if want {
            self.jump(to);
        }
        self.b.place(skip);
        Ok(())
    }

    /// Does a known set hold the whole domain (and, if asked, nothing else)?
    fn covers(&self, set: &Expr, dom: &Dom, exactly: bool) -> bool {
        let whole = self.element(set.ty).ok().and_then(|ty| self.whole(ty));
        if let ExprKind::GivenSet(_) | ExprKind::Basic(BasicSet::Bool) = set.kind {
            return whole.as_ref() == Some(dom);
        }
        if let (ExprKind::Basic(basic), Dom::Range(lo, hi), false) = (&set.kind, dom, exactly) {
            let settings = self.consts.system.settings();
            let (l, h) = match basic {
                BasicSet::Integer => (i64::MIN, i64::MAX),
                BasicSet::Natural => (0, i64::MAX),
                BasicSet::Natural1 => (1, i64::MAX),
                BasicSet::Int => (settings.min_int, settings.max_int),
                BasicSet::Nat => (0, settings.max_int),
                BasicSet::Nat1 => (1, settings.max_int),
                _ => return false,
            };
            return l <= *lo && *hi <= h;
        }
        let store = self.consts.store();
        let Some(value) = self.consts.value(set) else { return false };
        let Some(size) = store.card(value) else { return false };
        if dom.size() > 4096 || (exactly && size as u64 != dom.size()) {
            return false;
        }
        (0..dom.size()).all(|i| store.member(dom.value(store, i), value) == Some(true))
    }

    /// Jumps to `fails` unless the relation is as the arrow says.
    fn demand(
        &mut self,
        m: &Matrix,
        arrow: &Arrow,
        left: &Expr,
        right: &Expr,
        fails: Label,
    ) -> Res<()> {
        let dom = self.domain(m)?;
        let ran = self.range(m)?;
        for (own, set, equal) in [(dom, left, arrow.total), (ran, right, arrow.surjective)] {
            let hint = self.near(&own);
            if !equal && hint.as_ref().is_some_and(|d| self.covers(set, d, false)) {
                continue;
            }
            let (d, x) = self.as_set(own, None)?;
            let other = self.expr_hint(set, Some(&d))?;
            let y = self.as_set(other, Some(&d))?;
            let (_, x, y) = self.unified((d, x), y)?;
            let op = if equal { Alu::Xor } else { Alu::AndNot };
            for (a, b) in x.iter().zip(&y) {
                let wrong = self.bits(op, *a, *b);
                self.jump_if_zero(wrong, false, fails);
            }
        }
        let (mut seen, mut twice) = (Word::Known(0), Word::Known(0));
        for i in 0..m.grid.rows {
            let row = self.row(m, Num::Known(i as i64));
            if arrow.functional {
                let less = self.bits(Alu::Sub, row, Word::Known(1));
                // Taking one away from an empty row gives ones everywhere, and nothing in common.
                let more = self.bits(Alu::And, row, less);
                self.jump_if_zero(more, false, fails);
            }
            if arrow.injective {
                let both = self.bits(Alu::And, seen, row);
                twice = self.bits(Alu::Or, twice, both);
                seen = self.bits(Alu::Or, seen, row);
            }
        }
        self.jump_if_zero(twice, false, fails);
        Ok(())
    }

    /// Calls `body` with each element of a set, lowest first.
    pub(super) fn each_bit(
        &mut self,
        dom: &Dom,
        words: &[Word],
        body: &mut dyn FnMut(&mut Self, Item, Label) -> Res<()>,
    ) -> Res<()> {
        let grid = Lower::grid(dom)?;
        for (w, word) in words.iter().enumerate() {
            if *word == Word::Known(0) {
                continue;
            }
            let start = self.word_reg(*word);
            let (rest, bit) = (self.b.reg(), self.b.reg());
            self.b.push(Op::Copy { to: rest, a: start });
            let (again, next, done) = (self.b.label(), self.b.label(), self.b.label());
            self.b.place(again);
            self.b.push(Op::BranchImm { test: Test::Equal, a: rest, imm: 0, to: done });
            self.b.push(Op::Tick);
            self.b.push(Op::Bits { op: beeline_ir::Bits::Lowest, to: bit, a: rest });
            self.b.push(Op::Bits { op: beeline_ir::Bits::DropLowest, to: rest, a: rest });
            let item = self.element_at(dom, grid.per_word * grid.cols, w, bit)?;
            body(self, item, next)?;
            self.b.place(next);
            self.jump(again);
            self.b.place(done);
        }
        Ok(())
    }

    /// The element behind a bit of a word.
    fn element_at(&mut self, dom: &Dom, stride: u64, w: usize, bit: beeline_ir::Reg) -> Res<Item> {
        let width = if let Dom::Pair(..) = dom { stride } else { 64 };
        let base = (w as u64 * width) as i64;
        let top = (width.min(64) as i64 - 1).min(dom.size() as i64 - 1 - base);
        let Dom::Pair(a, b) = dom else {
            let index = self.arith(Checked::Add, Num::In(bit, 0, top), Num::Known(base))?;
            return self.item_at(dom, index);
        };
        let cols = b.size();
        let first = base / cols as i64;
        let (rows, columns): (Vec<u64>, Vec<u64>) =
            (0..=top.max(0) as u64).map(|i| (i / cols, i % cols)).unzip();
        let rows_top = first + rows.last().copied().unwrap_or(0) as i64;
        let table = self.b.table(rows);
        let row = self.emit(|to| Op::Table { to, table, index: bit });
        let table = self.b.table(columns);
        let column = self.emit(|to| Op::Table { to, table, index: bit });
        let row = self.arith(Checked::Add, Num::In(row, 0, rows_top - first), Num::Known(first))?;
        let column = Num::In(column, 0, cols as i64 - 1);
        let (x, y) = (self.item_at(a, row)?, self.item_at(b, column)?);
        Ok(Item::Pair(Box::new(x), Box::new(y)))
    }
}
