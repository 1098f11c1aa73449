//! Expressions.

use super::num::{Num, Word};
use super::{Fun, Item, Lower, No, Res};
use crate::domain::Dom;
use crate::layout::Shape;
use beeline_ir::{Alu, Checked, Op, Test};
use beeline_model::{BinaryOp, Expr, ExprKind, Pred, UnaryOp, VariableId};

/// Immediate integers of the store lie between these, and are stored with this offset and tag.
const INT_BIAS: i64 = 1 << 30;
const INT_TAG: u64 = 1 << 31;

impl Lower<'_, '_> {
    pub(super) fn expr(&mut self, e: &Expr) -> Res<Item> {
        self.expr_hint(e, None)
    }

    /// An expression; for a set, the domain that would be welcome.
    pub(super) fn expr_hint(&mut self, e: &Expr, hint: Option<&Dom>) -> Res<Item> {
        self.room()?;
        if let Some(value) = self.consts.value(e) {
            return self.settled(Item::Known(value, e.ty));
        }
        match &e.kind {
            ExprKind::Variable(v) => self.variable(*v),
            ExprKind::Local(l) => self.locals.get(l).cloned().ok_or(No("a name without a value")),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, hint),
            ExprKind::Apply(f, x) => self.apply(f, x),
            ExprKind::SetExtension(parts) => self.extension(parts, hint),
            ExprKind::If(p, a, b) => self.choice(p, a, b),
            ExprKind::BoolOf(p) => self.truth(p).map(|n| Item::Scalar(Dom::Bool, n)),
            ExprKind::Let(values, body) => {
                for (local, value) in values {
                    let item = self.expr(value)?;
                    self.locals.insert(*local, item);
                }
                self.expr_hint(body, hint)
            }
            _ => Err(No("this form of expression")),
        }
    }

    /// A state variable, from its bits.
    pub(super) fn variable(&mut self, v: VariableId) -> Res<Item> {
        let variables = self.consts.system.variables();
        // Most often they are in order, and there may be thousands.
        let usual = Some(v.index()).filter(|i| variables.get(*i).is_some_and(|s| s.id == v));
        let position = usual
            .or_else(|| variables.iter().position(|s| s.id == v))
            .ok_or(No("a variable of another level"))?;
        let integer = variables[position].ty == beeline_model::TypeTable::INTEGER;
        let place = &self.layout.places[position];
        let fields: Vec<_> = place.fields.clone();
        let shape = place.shape.clone();
        let part = |l: &mut Self, i: usize| {
            let f = fields[i];
            l.extract(Word::In(l.row[f.word]), f.shift, crate::domain::ones(u64::from(f.width)))
        };
        Ok(match shape {
            Shape::Scalar(dom) => {
                let word = part(self, 0);
                let index = Lower::as_num(word, 0, dom.size() as i64 - 1);
                self.item_at(&dom, index)?
            }
            Shape::Set(dom) => {
                let words = (0..fields.len()).map(|i| part(self, i)).collect();
                Item::Set(dom, words)
            }
            Shape::Fun { from, to, total } => {
                let chunks = fields.iter().map(|f| (self.row[f.word], f.shift)).collect();
                Item::Fun(Fun { from, to, total, chunks })
            }
            Shape::Word => {
                let word = part(self, 0);
                let raw = self.word_reg(word);
                if !integer {
                    return Ok(Item::Raw(raw));
                }
                // Integers of any size may be here; those of the store are somebody else's.
                let low =
                    Op::BranchImm { test: Test::Less, a: raw, imm: INT_TAG, to: self.unusual };
                self.b.push(low);
                let n = self.alu_imm(Alu::Sub, raw, INT_TAG + INT_BIAS as u64);
                Item::Int(Num::In(n, -INT_BIAS, INT_BIAS - 1))
            }
        })
    }

    /// An integer as a word of the store; what is not immediate there is unusual.
    pub(super) fn raw_int(&mut self, n: Num) -> Res<Word> {
        self.jump_if_num(Test::Less, n, Num::Known(-INT_BIAS), true, self.unusual);
        self.jump_if_num(Test::GreaterEqual, n, Num::Known(INT_BIAS), true, self.unusual);
        let raw = self.arith(Checked::Add, n, Num::Known(INT_TAG as i64 + INT_BIAS))?;
        Ok(Lower::as_word(raw))
    }

    pub(super) fn int(&mut self, e: &Expr) -> Res<Num> {
        match self.expr(e)? {
            Item::Int(n) => Ok(n),
            _ => Err(No("not an integer")),
        }
    }

    fn set(&mut self, e: &Expr, hint: Option<&Dom>) -> Res<(Dom, Vec<Word>)> {
        let item = self.expr_hint(e, hint)?;
        self.as_set(item, hint)
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Res<Item> {
        use UnaryOp as U;
        match op {
            U::Negate => {
                let n = self.int(a)?;
                self.arith(Checked::Sub, Num::Known(0), n).map(Item::Int)
            }
            U::Card => {
                let (_, words) = self.set(a, None)?;
                let mut count = Num::Known(0);
                for word in words {
                    let one = self.count(word);
                    count = self.arith(Checked::Add, count, one)?;
                }
                Ok(Item::Int(count))
            }
            U::Min | U::Max => {
                let (dom, words) = self.set(a, None)?;
                let mut any = Word::Known(0);
                for word in &words {
                    any = self.bits(Alu::Or, any, *word);
                }
                self.jump_if_zero(any, true, self.unusual);
                let index = if op == U::Min {
                    self.lowest(&dom, &words)?
                } else {
                    self.highest(&dom, &words)?
                };
                self.item_at(&dom, index)
            }
            U::Domain | U::Range | U::Inverse => {
                let item = self.expr(a)?;
                let m = self.matrix(item, None)?;
                match op {
                    U::Domain => self.domain(&m),
                    U::Range => self.range(&m),
                    _ => self.inverse(&m),
                }
            }
            U::PairFirst | U::PairSecond => match self.expr(a)? {
                Item::Pair(x, y) => Ok(if op == U::PairFirst { *x } else { *y }),
                _ => Err(No("not a pair")),
            },
            _ => Err(No("this operator")),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, hint: Option<&Dom>) -> Res<Item> {
        use BinaryOp as B;
        let checked = match op {
            B::Add => Some(Checked::Add),
            B::Subtract => Some(Checked::Sub),
            B::Multiply => Some(Checked::Mul),
            B::Divide => Some(Checked::Div),
            B::Modulo => Some(Checked::Mod),
            _ => None,
        };
        if let Some(op) = checked {
            let (a, b) = (self.int(a)?, self.int(b)?);
            return self.arith(op, a, b).map(Item::Int);
        }
        match op {
            B::Pair => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                Ok(Item::Pair(Box::new(a), Box::new(b)))
            }
            B::Union | B::Intersection | B::Difference => {
                let x = self.set(a, hint)?;
                let near = x.0.clone();
                let y = self.set(b, Some(&near))?;
                let (dom, x, y) = self.unified(x, y)?;
                let op = match op {
                    B::Union => Alu::Or,
                    B::Intersection => Alu::And,
                    _ => Alu::AndNot,
                };
                let words = x.iter().zip(&y).map(|(x, y)| self.bits(op, *x, *y)).collect();
                Ok(Item::Set(dom, words))
            }
            B::Interval => self.interval(a, b, hint),
            B::Cartesian => self.product(a, b, hint),
            B::Image => {
                if let ExprKind::Unary(UnaryOp::Inverse, r) = &a.kind
                    && self.consts.value(a).is_none()
                {
                    let item = self.expr(r)?;
                    let m = self.matrix(item, None)?;
                    return self.preimage(&m, b);
                }
                let item = self.expr(a)?;
                let m = self.matrix(item, None)?;
                self.image(&m, b)
            }
            B::DomainRestrict | B::DomainSubtract => {
                let item = self.expr_hint(b, hint)?;
                let m = self.matrix(item, hint)?;
                self.restrict(op, m, a)
            }
            B::RangeRestrict | B::RangeSubtract => {
                let item = self.expr_hint(a, hint)?;
                let m = self.matrix(item, hint)?;
                self.restrict(op, m, b)
            }
            B::Override => {
                let old = self.expr_hint(a, hint)?;
                if let (Item::Fun(fun), ExprKind::SetExtension(parts)) = (&old, &b.kind)
                    && let [pair] = &parts[..]
                    && let ExprKind::Binary(B::Pair, x, y) = &pair.kind
                {
                    let fun = fun.clone();
                    let (x, y) = (self.expr(x)?, self.expr(y)?);
                    return self.updated(&fun, &x, &y).map(Item::Fun);
                }
                let new = self.expr_hint(b, hint)?;
                self.overridden(old, new)
            }
            _ => Err(No("this operator")),
        }
    }

    /// `a..b`
    fn interval(&mut self, a: &Expr, b: &Expr, hint: Option<&Dom>) -> Res<Item> {
        let (lo, hi) = (self.int(a)?, self.int(b)?);
        let dom = match hint {
            Some(Dom::Range(l, h)) if *l <= lo.low() && hi.high() <= *h => Dom::Range(*l, *h),
            _ => Dom::range(lo.low(), hi.high().max(lo.low())).ok_or(No("a large interval"))?,
        };
        let (Dom::Range(first, last), true) = (&dom, dom.size() <= 63) else {
            return Err(No("a large interval"));
        };
        // Bits from `lo - first` up to, and without, `hi + 1 - first`, cut to the domain.
        let end = |l: &mut Self, n: Num| -> Res<Word> {
            let n = l.arith(Checked::Sub, n, Num::Known(*first))?;
            let n = l.clamped(n, 0, last - first + 1);
            Ok(l.bits(Alu::Shl, Word::Known(1), Lower::as_word(n)))
        };
        let from = end(self, lo)?;
        let beyond = self.arith(Checked::Add, hi, Num::Known(1))?;
        let to = end(self, beyond)?;
        let one = Word::Known(1);
        let (below_to, below_from) = (self.bits(Alu::Sub, to, one), self.bits(Alu::Sub, from, one));
        let word = self.bits(Alu::AndNot, below_to, below_from);
        Ok(Item::Set(dom, vec![word]))
    }

    /// A number moved between bounds.
    fn clamped(&mut self, n: Num, lo: i64, hi: i64) -> Num {
        let mut n = n;
        for (test, bound) in [(Test::Less, lo), (Test::Greater, hi)] {
            let outside = match test {
                Test::Less => n.low() < bound,
                _ => n.high() > bound,
            };
            if !outside {
                continue;
            }
            n = match n {
                Num::Known(_) => Num::Known(bound),
                Num::In(a, l, h) => {
                    let b = self.constant(bound as u64);
                    let is = self.emit(|to| Op::Compare { test, to, a, b });
                    let reg = self.emit(|to| Op::Select { to, test: is, a: b, b: a });
                    Num::In(reg, l.max(lo), h.min(hi))
                }
            };
        }
        n
    }

    /// `S * T`
    fn product(&mut self, a: &Expr, b: &Expr, hint: Option<&Dom>) -> Res<Item> {
        let (left, right) = match hint {
            Some(Dom::Pair(l, r)) => (Some(&**l), Some(&**r)),
            _ => (None, None),
        };
        let (rows, x) = self.set(a, left)?;
        let (cols, y) = self.set(b, right)?;
        let dom = Dom::pair(rows.clone(), cols).ok_or(No("a large product"))?;
        let grid = Lower::grid(&dom)?;
        let side = Lower::grid(&rows)?;
        let mut words = vec![Word::Known(0); grid.words];
        for i in 0..grid.rows {
            let bit = self.bit(side, &x, Num::Known(i as i64))?;
            let row = self.bits(Alu::Mul, y[0], bit);
            let (word, shift) = if grid.rows == 1 { (0, 0) } else { grid.row(i) };
            let row = self.bits(Alu::Shl, row, Word::Known(u64::from(shift)));
            words[word] = self.bits(Alu::Or, words[word], row);
        }
        Ok(Item::Set(dom, words))
    }

    /// `{a, b}`
    fn extension(&mut self, parts: &[Expr], hint: Option<&Dom>) -> Res<Item> {
        let items: Vec<Item> = parts.iter().map(|e| self.expr(e)).collect::<Res<_>>()?;
        let mut dom: Option<Dom> = None;
        for (item, e) in items.iter().zip(parts) {
            let own = match self.whole(e.ty) {
                Some(dom) => dom,
                None => self.span_of(item).ok_or(No("a set of sets"))?,
            };
            dom = Some(match dom {
                None => own,
                Some(dom) => dom.hull(&own).ok_or(No("a large set"))?,
            });
        }
        let own = dom.ok_or(No("an empty extension"))?;
        let dom = match hint {
            Some(hint) if hint.hull(&own).as_ref() == Some(hint) => hint.clone(),
            _ => own,
        };
        let grid = Lower::grid(&dom)?;
        let mut words = vec![Word::Known(0); grid.words];
        for item in &items {
            let index = self.index(item, &dom, self.unusual)?;
            let one = self.singleton(&dom, index)?;
            words = words.iter().zip(&one).map(|(a, b)| self.bits(Alu::Or, *a, *b)).collect();
        }
        Ok(Item::Set(dom, words))
    }

    /// The least domain that an item surely lies in.
    fn span_of(&self, item: &Item) -> Option<Dom> {
        match item {
            Item::Int(n) => Dom::range(n.low(), n.high()),
            Item::Scalar(dom, _) => Some(dom.clone()),
            Item::Pair(a, b) => Dom::pair(self.span_of(a)?, self.span_of(b)?),
            _ => None,
        }
    }

    /// `IF P THEN a ELSE b END` of numbers.
    fn choice(&mut self, p: &Pred, a: &Expr, b: &Expr) -> Res<Item> {
        let (other, done) = (self.b.label(), self.b.label());
        let result = self.b.reg();
        self.jump_if(p, false, other)?;
        let x = self.expr(a)?;
        let (dom, n) = scalar(&x)?;
        let reg = self.num_reg(n);
        self.b.push(Op::Copy { to: result, a: reg });
        self.jump(done);
        self.b.place(other);
        let y = self.expr(b)?;
        let (dom2, m) = scalar(&y)?;
        let reg = self.num_reg(m);
        self.b.push(Op::Copy { to: result, a: reg });
        self.b.place(done);
        if dom != dom2 {
            return Err(No("a choice between different things"));
        }
        let n = Num::In(result, n.low().min(m.low()), n.high().max(m.high()));
        Ok(match dom {
            Some(dom) => Item::Scalar(dom, n),
            None => Item::Int(n),
        })
    }

    /// The truth of a predicate as 0 or 1.
    pub(super) fn truth(&mut self, p: &Pred) -> Res<Num> {
        let no = self.b.label();
        let result = self.b.reg();
        self.b.push(Op::Const { to: result, value: 0 });
        self.jump_if(p, false, no)?;
        self.b.push(Op::Const { to: result, value: 1 });
        self.b.place(no);
        Ok(Num::In(result, 0, 1))
    }
}

/// A number and what it is the index in.
fn scalar(item: &Item) -> Res<(Option<Dom>, Num)> {
    match item {
        Item::Int(n) => Ok((None, *n)),
        Item::Scalar(dom, n) => Ok((Some(dom.clone()), *n)),
        _ => Err(No("a choice between sets")),
    }
}
