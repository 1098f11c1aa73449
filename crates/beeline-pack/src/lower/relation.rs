//! Relations as bit matrices: rows, domain, range, image, restriction, application.

use super::num::{Num, Word};
use super::{Fun, Item, Lower, No, Res};
use crate::domain::{Dom, Grid, ones};
use beeline_ir::{Alu, Bits, Op, Test};
use beeline_model::{BinaryOp, Expr, ExprKind, UnaryOp};
use beeline_value::{Elems, Val};

/// A relation: the domains of its halves, where its rows are, its words.
pub(super) struct Matrix {
    pub left: Dom,
    pub right: Dom,
    pub grid: Grid,
    pub words: Vec<Word>,
}

impl Matrix {
    fn dom(&self) -> Res<Dom> {
        Dom::pair(self.left.clone(), self.right.clone()).ok_or(No("a large relation"))
    }
}

/// Matrices of more elements are not turned over one element at a time.
const MAX_TURN: u64 = 256;

impl Lower<'_, '_> {
    pub(super) fn matrix(&mut self, item: Item, hint: Option<&Dom>) -> Res<Matrix> {
        let (dom, words) = self.as_set(item, hint)?;
        let grid = Lower::grid(&dom)?;
        match dom {
            Dom::Pair(left, right) => Ok(Matrix { left: *left, right: *right, grid, words }),
            _ => Err(No("not a relation")),
        }
    }

    /// The bits of one row.
    pub(super) fn row(&mut self, m: &Matrix, index: Num) -> Word {
        let mask = ones(m.grid.cols);
        let place = |i: u64| if m.grid.rows == 1 { (0, 0) } else { m.grid.row(i) };
        match index {
            Num::Known(i) => {
                let (word, shift) = place(i as u64);
                self.extract(m.words[word], shift, mask)
            }
            Num::In(index, ..) => {
                let known: Option<Vec<u64>> = (0..m.grid.rows)
                    .map(|i| {
                        let (word, shift) = place(i);
                        match m.words[word] {
                            Word::Known(w) => Some(w >> shift & mask),
                            Word::In(_) => None,
                        }
                    })
                    .collect();
                if let Some(rows) = known {
                    let table = self.b.table(rows);
                    return Word::In(self.emit(|to| Op::Table { to, table, index }));
                }
                if m.grid.words == 1 {
                    let shift = self.alu_imm(Alu::Mul, index, m.grid.cols);
                    let a = self.word_reg(m.words[0]);
                    return Word::In(self.emit(|to| Op::ExtractAt { to, a, shift, mask }));
                }
                let places: Vec<(usize, u32)> = (0..m.grid.rows).map(place).collect();
                let shifts = self.b.table(places.iter().map(|p| u64::from(p.1)).collect());
                let shift = self.emit(|to| Op::Table { to, table: shifts, index });
                let numbers = self.b.table(places.iter().map(|p| p.0 as u64).collect());
                let number = self.emit(|to| Op::Table { to, table: numbers, index });
                let word = self.pick(&m.words, number);
                let a = self.word_reg(word);
                Word::In(self.emit(|to| Op::ExtractAt { to, a, shift, mask }))
            }
        }
    }

    /// All ones if the lowest bit is set, zero otherwise.
    fn spread(&mut self, bit: Word) -> Word {
        self.bits(Alu::Sub, Word::Known(0), bit)
    }

    /// 1 if the word is not zero.
    fn nonzero(&mut self, word: Word) -> Word {
        match word {
            Word::Known(w) => Word::Known(u64::from(w != 0)),
            Word::In(a) => {
                let zero = self.constant(0);
                Word::In(self.emit(|to| Op::Compare { test: Test::NotEqual, to, a, b: zero }))
            }
        }
    }

    /// The rows for which a word made of the row is not zero, as a set.
    fn rows_with(
        &mut self,
        m: &Matrix,
        make: &mut dyn FnMut(&mut Self, Word) -> Word,
    ) -> Res<Vec<Word>> {
        let grid = Lower::grid(&m.left)?;
        let mut out = vec![Word::Known(0); grid.words];
        for i in 0..m.grid.rows {
            let row = self.row(m, Num::Known(i as i64));
            let made = make(self, row);
            let bit = self.nonzero(made);
            let (word, shift) = grid.place(i);
            let bit = self.bits(Alu::Shl, bit, Word::Known(u64::from(shift)));
            out[word] = self.bits(Alu::Or, out[word], bit);
        }
        Ok(out)
    }

    pub(super) fn domain(&mut self, m: &Matrix) -> Res<Item> {
        let words = self.rows_with(m, &mut |_, row| row)?;
        Ok(Item::Set(m.left.clone(), words))
    }

    pub(super) fn range(&mut self, m: &Matrix) -> Res<Item> {
        let mut all = Word::Known(0);
        for i in 0..m.grid.rows {
            let row = self.row(m, Num::Known(i as i64));
            all = self.bits(Alu::Or, all, row);
        }
        Lower::grid(&m.right)?;
        Ok(Item::Set(m.right.clone(), vec![all]))
    }

    /// `m~`, element by element.
    pub(super) fn inverse(&mut self, m: &Matrix) -> Res<Item> {
        let dom = Dom::pair(m.right.clone(), m.left.clone()).ok_or(No("a large relation"))?;
        let grid = Lower::grid(&dom)?;
        let known = m.words.iter().all(|w| matches!(w, Word::Known(_)));
        if !known && m.grid.rows * m.grid.cols > MAX_TURN {
            return Err(No("the inverse of a large relation"));
        }
        let mut out = vec![Word::Known(0); grid.words];
        for i in 0..m.grid.rows {
            for j in 0..m.grid.cols {
                let (from, bit) = m.grid.place(i * m.grid.cols + j);
                let bit = self.extract(m.words[from], bit, 1);
                let (to, shift) = grid.place(j * m.grid.rows + i);
                let bit = self.bits(Alu::Shl, bit, Word::Known(u64::from(shift)));
                out[to] = self.bits(Alu::Or, out[to], bit);
            }
        }
        Ok(Item::Set(dom, out))
    }

    /// `m[set]`
    pub(super) fn image(&mut self, m: &Matrix, set: &Expr) -> Res<Item> {
        Lower::grid(&m.right)?;
        if let ExprKind::SetExtension(parts) = &set.kind
            && let [one] = &parts[..]
        {
            // What is outside the domain of the matrix has no image.
            let item = self.expr(one)?;
            let (outside, done) = (self.b.label(), self.b.label());
            let index = self.index(&item, &m.left, outside)?;
            let row = self.row(m, index);
            let result = self.b.reg();
            let row = self.word_reg(row);
            self.b.push(Op::Copy { to: result, a: row });
            self.jump(done);
            self.b.place(outside);
            self.b.push(Op::Const { to: result, value: 0 });
            self.b.place(done);
            return Ok(Item::Set(m.right.clone(), vec![Word::In(result)]));
        }
        let item = self.expr_hint(set, Some(&m.left))?;
        let (dom, words) = self.as_set(item, Some(&m.left))?;
        let words = self.rebase(&words, &dom, &m.left)?;
        let grid = Lower::grid(&m.left)?;
        let mut all = Word::Known(0);
        for i in 0..m.grid.rows {
            let bit = self.bit(grid, &words, Num::Known(i as i64))?;
            let mask = self.spread(bit);
            let row = self.row(m, Num::Known(i as i64));
            let row = self.bits(Alu::And, row, mask);
            all = self.bits(Alu::Or, all, row);
        }
        Ok(Item::Set(m.right.clone(), vec![all]))
    }

    /// `m~[set]`, without turning the matrix.
    pub(super) fn preimage(&mut self, m: &Matrix, set: &Expr) -> Res<Item> {
        let item = self.expr_hint(set, Some(&m.right))?;
        let (dom, words) = self.as_set(item, Some(&m.right))?;
        let words = self.rebase(&words, &dom, &m.right)?;
        let columns = words[0];
        let rows = self.rows_with(m, &mut |l, row| l.bits(Alu::And, row, columns))?;
        Ok(Item::Set(m.left.clone(), rows))
    }

    /// The words of a matrix in which the rows of a set are full.
    fn row_mask(&mut self, m: &Matrix, set: &[Word]) -> Res<Vec<Word>> {
        let grid = Lower::grid(&m.left)?;
        let mut out = vec![Word::Known(0); m.grid.words];
        for i in 0..m.grid.rows {
            let bit = self.bit(grid, set, Num::Known(i as i64))?;
            let full = self.bits(Alu::Mul, bit, Word::Known(ones(m.grid.cols)));
            let (word, shift) = if m.grid.rows == 1 { (0, 0) } else { m.grid.row(i) };
            let full = self.bits(Alu::Shl, full, Word::Known(u64::from(shift)));
            out[word] = self.bits(Alu::Or, out[word], full);
        }
        Ok(out)
    }

    /// The words of a matrix in which every row is this one.
    fn column_mask(&mut self, m: &Matrix, columns: Word) -> Vec<Word> {
        (0..m.grid.words)
            .map(|w| {
                let used = m.grid.mask(w);
                let pattern = (0..m.grid.per_word)
                    .map(|k| 1u64.checked_shl((k * m.grid.cols) as u32).unwrap_or(0))
                    .fold(0, |p, bit| p | bit & used);
                self.bits(Alu::Mul, columns, Word::Known(pattern))
            })
            .collect()
    }

    /// `S <| r`, `S <<| r`, `r |> T`, `r |>> T`
    pub(super) fn restrict(&mut self, op: BinaryOp, m: Matrix, set: &Expr) -> Res<Item> {
        let by_rows = matches!(op, BinaryOp::DomainRestrict | BinaryOp::DomainSubtract);
        let side = if by_rows { m.left.clone() } else { m.right.clone() };
        let item = self.expr_hint(set, Some(&side))?;
        let (dom, words) = self.as_set(item, Some(&side))?;
        let words = self.rebase(&words, &dom, &side)?;
        let mask =
            if by_rows { self.row_mask(&m, &words)? } else { self.column_mask(&m, words[0]) };
        let keep = matches!(op, BinaryOp::DomainRestrict | BinaryOp::RangeRestrict);
        let op = if keep { Alu::And } else { Alu::AndNot };
        let out = m.words.iter().zip(&mask).map(|(a, b)| self.bits(op, *a, *b)).collect::<Vec<_>>();
        Ok(Item::Set(m.dom()?, out))
    }

    /// `a <+ b`
    pub(super) fn overridden(&mut self, a: Item, b: Item) -> Res<Item> {
        let x = self.as_set(a, None)?;
        let y = self.as_set(b, Some(&x.0))?;
        let (dom, x, y) = self.unified(x, y)?;
        let m = self.matrix(Item::Set(dom.clone(), y.clone()), None)?;
        let Item::Set(_, rows) = self.domain(&m)? else { return Err(No("not a set")) };
        let mask = self.row_mask(&m, &rows)?;
        let words = (0..x.len())
            .map(|w| {
                let kept = self.bits(Alu::AndNot, x[w], mask[w]);
                self.bits(Alu::Or, kept, y[w])
            })
            .collect();
        Ok(Item::Set(dom, words))
    }

    /// `f(x)`
    pub(super) fn apply(&mut self, f: &Expr, x: &Expr) -> Res<Item> {
        if let ExprKind::Unary(UnaryOp::Inverse, r) = &f.kind {
            let argument = self.expr(x)?;
            let item = self.expr(r)?;
            let m = self.matrix(item, None)?;
            let index = self.index(&argument, &m.right, self.unusual)?;
            let columns = self.singleton(&m.right, index)?;
            let rows = self.rows_with(&m, &mut |l, row| l.bits(Alu::And, row, columns[0]))?;
            return self.only(&m.left, &rows);
        }
        let function = self.expr(f)?;
        let argument = self.expr(x)?;
        match function {
            Item::Fun(fun) => self.apply_fun(&fun, &argument),
            Item::Known(value, ty) => {
                let element = self.element(ty)?;
                let (left, right) =
                    self.consts.source.model.types.halves(element).ok_or(No("no function"))?;
                self.apply_known(value, left, right, &argument)
            }
            set => {
                let m = self.matrix(set, None)?;
                let index = self.index(&argument, &m.left, self.unusual)?;
                let row = self.row(&m, index);
                self.only(&m.right.clone(), &[row])
            }
        }
    }

    fn apply_fun(&mut self, fun: &Fun, argument: &Item) -> Res<Item> {
        let index = self.index(argument, &fun.from, self.unusual)?;
        let code = self.field(fun, index)?;
        if fun.total {
            return self.item_at(&fun.to, code);
        }
        self.jump_if_num(Test::Equal, code, Num::Known(0), true, self.unusual);
        let code = match code {
            Num::In(reg, lo, hi) => Num::In(reg, lo.max(1), hi),
            known => known,
        };
        let code = self.arith(beeline_ir::Checked::Sub, code, Num::Known(1))?;
        self.item_at(&fun.to, code)
    }

    /// The only element of a set; anything but one element is unusual.
    fn only(&mut self, dom: &Dom, words: &[Word]) -> Res<Item> {
        let mut count = Num::Known(0);
        for word in words {
            let one = self.count(*word);
            count = self.arith(beeline_ir::Checked::Add, count, one)?;
        }
        self.jump_if_num(Test::NotEqual, count, Num::Known(1), true, self.unusual);
        let index = self.lowest(dom, words)?;
        self.item_at(dom, index)
    }

    pub(super) fn count(&mut self, word: Word) -> Num {
        match word {
            Word::Known(w) => Num::Known(i64::from(w.count_ones())),
            Word::In(a) => Num::In(self.emit(|to| Op::Bits { op: Bits::Count, to, a }), 0, 64),
        }
    }

    /// The index of the lowest element of a set that is not empty.
    pub(super) fn lowest(&mut self, dom: &Dom, words: &[Word]) -> Res<Num> {
        let grid = Lower::grid(dom)?;
        if grid.rows > 1 && grid.words > 1 {
            return Err(No("an element of a relation"));
        }
        let top = dom.size() as i64 - 1;
        let mut found: Option<Num> = None;
        for (w, word) in words.iter().enumerate().rev() {
            let base = 64 * w as u64;
            let a = match *word {
                Word::Known(0) => continue,
                Word::Known(k) => {
                    found = Some(Num::Known((base + u64::from(k.trailing_zeros())) as i64));
                    continue;
                }
                Word::In(a) => a,
            };
            let bit = self.emit(|to| Op::Bits { op: Bits::Lowest, to, a });
            let here = if base == 0 { bit } else { self.alu_imm(Alu::Add, bit, base) };
            let reg = match found {
                None => here,
                Some(other) => {
                    let other = self.num_reg(other);
                    self.emit(|to| Op::Select { to, test: a, a: here, b: other })
                }
            };
            found = Some(Num::In(reg, 0, top));
        }
        Ok(found.unwrap_or(Num::Known(0)))
    }

    /// The index of the highest element of a set that is not empty.
    pub(super) fn highest(&mut self, dom: &Dom, words: &[Word]) -> Res<Num> {
        let grid = Lower::grid(dom)?;
        if grid.rows > 1 {
            return Err(No("an element of a relation"));
        }
        let top = dom.size() as i64 - 1;
        let mut found: Option<Num> = None;
        for (w, word) in words.iter().enumerate() {
            let a = self.word_reg(*word);
            let bit = self.emit(|to| Op::Bits { op: Bits::Highest, to, a });
            let here = if w == 0 { bit } else { self.alu_imm(Alu::Add, bit, 64 * w as u64) };
            let reg = match found {
                None => here,
                Some(other) => {
                    let other = self.num_reg(other);
                    self.emit(|to| Op::Select { to, test: a, a: here, b: other })
                }
            };
            found = Some(Num::In(reg, 0, top));
        }
        Ok(found.unwrap_or(Num::Known(0)))
    }

    /// A constant function applied: a look-up in tables.
    fn apply_known(
        &mut self,
        value: Val,
        left: beeline_model::TypeId,
        right: beeline_model::TypeId,
        argument: &Item,
    ) -> Res<Item> {
        let store = self.consts.store();
        let (keys, values): (Vec<Val>, Vec<Val>) = match store.elems(value) {
            Some(Elems::Rel(l, r)) if l.len() <= 4096 => (l.to_vec(), r.to_vec()),
            _ => return Err(No("a function that is not listed")),
        };
        if keys.windows(2).any(|w| w[0] == w[1]) {
            return Err(No("not a function"));
        }
        let left = self.consts.kind(left).ok_or(No("a function of sets"))?;
        let from =
            Dom::of_elements(store, keys.iter().copied(), &left).ok_or(No("a large function"))?;
        if from.size() > 4096 {
            return Err(No("a large function"));
        }
        let mut rows: Vec<Option<Val>> = vec![None; from.size() as usize];
        for (key, value) in keys.iter().zip(&values) {
            let index = from.index(store, *key).ok_or(No("a stray argument"))?;
            rows[index as usize] = Some(*value);
        }
        let index = self.index(argument, &from, self.unusual)?;
        if let Num::Known(i) = index {
            let Some(value) = rows[i as usize] else {
                self.jump(self.unusual);
                let any = rows.iter().flatten().next().copied().ok_or(No("an empty function"))?;
                return self.settled(Item::Known(any, right));
            };
            return self.settled(Item::Known(value, right));
        }
        let index = self.num_reg(index);
        if rows.iter().any(Option::is_none) {
            let there = self.b.table(rows.iter().map(|r| u64::from(r.is_some())).collect());
            let there = self.emit(|to| Op::Table { to, table: there, index });
            self.jump_if_zero(Word::In(there), true, self.unusual);
        }
        if let Some(kind) = self.consts.kind(right) {
            let to = Dom::of_elements(store, values.into_iter(), &kind).ok_or(No("large"))?;
            let codes = rows.iter().map(|r| r.and_then(|v| to.index(store, v)).unwrap_or(0));
            let table = self.b.table(codes.collect());
            let code = self.emit(|to| Op::Table { to, table, index });
            return self.item_at(&to, Num::In(code, 0, to.size() as i64 - 1));
        }
        self.apply_to_sets(&rows, right, index)
    }

    /// A constant function whose values are sets.
    fn apply_to_sets(
        &mut self,
        rows: &[Option<Val>],
        right: beeline_model::TypeId,
        index: beeline_ir::Reg,
    ) -> Res<Item> {
        let store = self.consts.store();
        let element = self.element(right)?;
        let kind = self.consts.kind(element).ok_or(No("a function to sets of sets"))?;
        let mut all = Vec::new();
        for value in rows.iter().flatten() {
            let elems = store.elems(*value).ok_or(No("a set that is not listed"))?;
            if elems.len() > 512 {
                return Err(No("a large set"));
            }
            all.push(store.list(elems));
        }
        let dom = match kind.whole() {
            Some(dom) => dom,
            None => Dom::of_elements(store, all.iter().flatten().copied(), &kind)
                .ok_or(No("a large set"))?,
        };
        let grid = Lower::grid(&dom)?;
        let mut tables = vec![vec![0u64; rows.len()]; grid.words];
        let mut lists = all.into_iter();
        for (i, row) in rows.iter().enumerate() {
            let list = row.and_then(|_| lists.next()).unwrap_or_default();
            for value in list {
                let (word, bit) = grid.place(dom.index(store, value).ok_or(No("stray"))?);
                tables[word][i] |= 1 << bit;
            }
        }
        let words = tables
            .into_iter()
            .map(|rows| {
                let table = self.b.table(rows);
                Word::In(self.emit(|to| Op::Table { to, table, index }))
            })
            .collect();
        Ok(Item::Set(dom, words))
    }
}
