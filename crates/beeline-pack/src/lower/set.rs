//! Items and domains: indices, bits, sets as words.

use super::num::{Num, Word};
use super::{Fun, Item, Lower, No, Res};
use crate::domain::{Dom, Grid, ones};
use crate::layout::Shape;
use beeline_ir::{Alu, Checked, Label, Op, Reg, Test};
use beeline_model::{Type, TypeId, TypeTable};
use beeline_value::{Elems, Val};

impl Lower<'_, '_> {
    /// The domain of all values of a type, if it is finite.
    pub(super) fn whole(&self, ty: TypeId) -> Option<Dom> {
        self.consts.kind(ty)?.whole()
    }

    /// The element type of a set type.
    pub(super) fn element(&self, ty: TypeId) -> Res<TypeId> {
        self.consts.source.model.types.element(ty).ok_or(No("not a set"))
    }

    pub(super) fn grid(dom: &Dom) -> Res<Grid> {
        dom.grid().ok_or(No("a set over a large domain"))
    }

    /// A known value in the form that code works with; sets stay as they are.
    pub(super) fn settled(&self, item: Item) -> Res<Item> {
        let Item::Known(value, ty) = item else { return Ok(item) };
        Ok(match self.consts.source.model.types.get(ty) {
            Type::Integer => {
                let n = self.consts.store().as_i64(value).ok_or(No("a large integer"))?;
                Item::Int(Num::Known(n))
            }
            Type::Bool | Type::Given(_) => {
                let dom = self.whole(ty).ok_or(No("an unknown set"))?;
                let index = dom.index(self.consts.store(), value).ok_or(No("a stray element"))?;
                Item::Scalar(dom, Num::Known(index as i64))
            }
            Type::Pair(a, b) => {
                let (x, y) = self.consts.store().as_pair(value).ok_or(No("not a pair"))?;
                let (x, y) = (Item::Known(x, *a), Item::Known(y, *b));
                Item::Pair(Box::new(self.settled(x)?), Box::new(self.settled(y)?))
            }
            _ => item,
        })
    }

    /// The index of an item in a domain; jumps to `outside` if it has none.
    pub(super) fn index(&mut self, item: &Item, dom: &Dom, outside: Label) -> Res<Num> {
        match (item, dom) {
            (Item::Known(value, _), _) => match dom.index(self.consts.store(), *value) {
                Some(index) => Ok(Num::Known(index as i64)),
                None => {
                    // Code after the jump is never reached, and must still be well-formed: any
                    // index will do.
                    self.jump(outside);
                    Ok(Num::Known(0))
                }
            },
            (Item::Scalar(own, n), dom) if own == dom => Ok(*n),
            (Item::Int(n), Dom::Range(lo, hi)) => {
                self.jump_if_num(Test::Less, *n, Num::Known(*lo), true, outside);
                self.jump_if_num(Test::Greater, *n, Num::Known(*hi), true, outside);
                if let Num::Known(n) = n
                    && !(lo <= n && n <= hi)
                {
                    return Ok(Num::Known(0));
                }
                let n = match *n {
                    // Behind the tests the bounds are narrower, which decides tests that follow.
                    Num::In(reg, l, h) => Num::In(reg, l.max(*lo), h.min(*hi)),
                    known => known,
                };
                if *lo == 0 { Ok(n) } else { self.arith(Checked::Sub, n, Num::Known(*lo)) }
            }
            (Item::Pair(x, y), Dom::Pair(a, b)) => {
                let i = self.index(x, a, outside)?;
                let j = self.index(y, b, outside)?;
                let i = self.arith(Checked::Mul, i, Num::Known(b.size() as i64))?;
                self.arith(Checked::Add, i, j)
            }
            _ => Err(No("an element of another domain")),
        }
    }

    /// The item with this index.
    pub(super) fn item_at(&mut self, dom: &Dom, index: Num) -> Res<Item> {
        Ok(match dom {
            Dom::Bool | Dom::Given(..) => Item::Scalar(dom.clone(), index),
            Dom::Range(lo, _) => Item::Int(self.arith(Checked::Add, index, Num::Known(*lo))?),
            Dom::Pair(a, b) => {
                let cols = Num::Known(b.size() as i64);
                let i = self.arith(Checked::Div, index, cols)?;
                let j = self.arith(Checked::Mod, index, cols)?;
                Item::Pair(Box::new(self.item_at(a, i)?), Box::new(self.item_at(b, j)?))
            }
        })
    }

    /// The domain that a listed set lies in, and its words.
    fn known_set(&self, value: Val, ty: TypeId, hint: Option<&Dom>) -> Res<(Dom, Vec<Word>)> {
        let store = self.consts.store();
        let elems = store.elems(value).ok_or(No("a set that is not listed"))?;
        let element = self.element(ty)?;
        let list: Vec<Val> = match elems {
            // As many words of constants would be in the code.
            _ if elems.len() > 512 => return Err(No("a large set")),
            Elems::Slice(s) => s.to_vec(),
            other => store.list(other),
        };
        let fits = |dom: &&Dom| list.iter().all(|v| dom.index(store, *v).is_some());
        // In the domain of the other operand nothing has to be moved.
        let dom = match hint.filter(fits) {
            Some(dom) => dom.clone(),
            None => match self.whole(element) {
                Some(dom) => dom,
                // The empty set fits every domain: the smallest is moved with least code.
                None if list.is_empty() => self.least(element)?,
                None => {
                    let kind = self.consts.kind(element).ok_or(No("a set of sets"))?;
                    Dom::of_elements(store, list.iter().copied(), &kind).ok_or(No("large"))?
                }
            },
        };
        let grid = Lower::grid(&dom)?;
        let mut words = vec![0u64; grid.words];
        for v in list {
            let (word, bit) = grid.place(dom.index(store, v).ok_or(No("a stray element"))?);
            words[word] |= 1 << bit;
        }
        Ok((dom, words.into_iter().map(Word::Known).collect()))
    }

    /// A small domain of a type, for sets without elements.
    fn least(&self, ty: TypeId) -> Res<Dom> {
        if ty == TypeTable::INTEGER {
            return Ok(Dom::Range(0, 0));
        }
        match self.consts.source.model.types.get(ty) {
            Type::Pair(a, b) => Dom::pair(self.least(*a)?, self.least(*b)?).ok_or(No("large")),
            _ => self.whole(ty).ok_or(No("a set of sets")),
        }
    }

    /// A set as words. The hint says which domain would be welcome.
    pub(super) fn as_set(&mut self, item: Item, hint: Option<&Dom>) -> Res<(Dom, Vec<Word>)> {
        match item {
            Item::Set(dom, words) => Ok((dom, words)),
            Item::Known(value, ty) => self.known_set(value, ty, hint),
            Item::Fun(fun) => self.expand(&fun),
            _ => Err(No("not a set of words")),
        }
    }

    /// A function as a relation.
    fn expand(&mut self, fun: &Fun) -> Res<(Dom, Vec<Word>)> {
        let dom = Dom::pair(fun.from.clone(), fun.to.clone()).ok_or(No("a large function"))?;
        let grid = Lower::grid(&dom)?;
        // One more code than values: it must fit a word.
        if !fun.total && fun.to.size() > 63 {
            return Err(No("a function to many values as a relation"));
        }
        let mut words = vec![Word::Known(0); grid.words];
        for i in 0..fun.from.size() {
            let code = self.field(fun, Num::Known(i as i64))?;
            let one = Word::Known(1);
            // Without a value the bit is shifted out.
            let mut bit = self.bits(Alu::Shl, one, Lower::as_word(code));
            if !fun.total {
                bit = self.bits(Alu::Shr, bit, Word::Known(1));
            }
            let (word, shift) = if grid.rows == 1 { (0, 0) } else { grid.row(i) };
            let bit = self.bits(Alu::Shl, bit, Word::Known(u64::from(shift)));
            words[word] = self.bits(Alu::Or, words[word], bit);
        }
        Ok((dom, words))
    }

    /// The code in the field of one argument.
    pub(super) fn field(&mut self, fun: &Fun, index: Num) -> Res<Num> {
        let (width, per) = (u64::from(fun.width()), fun.per_chunk());
        let mask = ones(width);
        let most = (fun.to.size() - u64::from(fun.total)) as i64;
        let reg = match index {
            Num::Known(i) => {
                let (a, base) = fun.chunks[(i as u64 / per) as usize];
                let shift = (u64::from(base) + (i as u64 % per) * width) as u8;
                self.emit(|to| Op::Extract { to, a, shift, mask })
            }
            Num::In(i, ..) => {
                let (a, shift) = self.field_place(fun, i);
                self.emit(|to| Op::ExtractAt { to, a, shift, mask })
            }
        };
        Ok(Num::In(reg, 0, most))
    }

    /// The register and shift of a field whose argument is computed.
    fn field_place(&mut self, fun: &Fun, index: Reg) -> (Reg, Reg) {
        let (width, per) = (u64::from(fun.width()), fun.per_chunk());
        // One word holds all fields: a multiplication gives the place, and no table is needed.
        if let [(a, base)] = fun.chunks[..] {
            let mut shift = if width == 1 { index } else { self.alu_imm(Alu::Mul, index, width) };
            if base > 0 {
                shift = self.alu_imm(Alu::Add, shift, u64::from(base));
            }
            return (a, shift);
        }
        let places: Vec<(u64, u64)> = (0..fun.from.size())
            .map(|i| {
                let chunk = i / per;
                (chunk, u64::from(fun.chunks[chunk as usize].1) + (i % per) * width)
            })
            .collect();
        let shifts = self.b.table(places.iter().map(|p| p.1).collect());
        let shift = self.emit(|to| Op::Table { to, table: shifts, index });
        let chunks = self.b.table(places.iter().map(|p| p.0).collect());
        let chunk = self.emit(|to| Op::Table { to, table: chunks, index });
        let regs: Vec<Word> = fun.chunks.iter().map(|c| Word::In(c.0)).collect();
        let word = self.pick(&regs, chunk);
        (self.word_reg(word), shift)
    }

    /// One of several words by a number in a register.
    pub(super) fn pick(&mut self, words: &[Word], which: Reg) -> Word {
        let mut picked = words.first().copied().unwrap_or(Word::Known(0));
        for (i, word) in words.iter().enumerate().skip(1) {
            let (this, other) = (self.word_reg(*word), self.word_reg(picked));
            let number = self.constant(i as u64);
            let test = self.emit(|to| Op::Compare { test: Test::Equal, to, a: which, b: number });
            picked = Word::In(self.emit(|to| Op::Select { to, test, a: this, b: other }));
        }
        picked
    }

    /// The function with another value for one argument.
    pub(super) fn updated(&mut self, fun: &Fun, at: &Item, value: &Item) -> Res<Fun> {
        let index = self.index(at, &fun.from, self.unusual)?;
        let code = self.index(value, &fun.to, self.unusual)?;
        let code = self.arith(Checked::Add, code, Num::Known(i64::from(!fun.total)))?;
        let (width, per) = (u64::from(fun.width()), fun.per_chunk());
        let mask = ones(width);
        let mut new = fun.clone();
        match index {
            Num::Known(i) => {
                let chunk = &mut new.chunks[(i as u64 / per) as usize];
                let shift = u64::from(chunk.1) + (i as u64 % per) * width;
                let word = self.insert(Word::In(chunk.0), Lower::as_word(code), shift as u32, mask);
                chunk.0 = self.word_reg(word);
            }
            Num::In(i, ..) => {
                let (a, shift) = self.field_place(fun, i);
                let value = self.num_reg(code);
                let word = self.emit(|to| Op::InsertAt { to, a, value, shift, mask });
                if let [chunk] = &mut new.chunks[..] {
                    chunk.0 = word;
                    return Ok(new);
                }
                let owners = self.b.table((0..fun.from.size()).map(|i| i / per).collect());
                let owner = self.emit(|to| Op::Table { to, table: owners, index: i });
                for (c, chunk) in new.chunks.iter_mut().enumerate() {
                    let number = self.constant(c as u64);
                    let test =
                        self.emit(|to| Op::Compare { test: Test::Equal, to, a: owner, b: number });
                    let old = chunk.0;
                    chunk.0 = self.emit(|to| Op::Select { to, test, a: word, b: old });
                }
            }
        }
        Ok(new)
    }

    /// Words over one domain as words over another; elements that it lacks are unusual.
    pub(super) fn rebase(&mut self, words: &[Word], from: &Dom, to: &Dom) -> Res<Vec<Word>> {
        if from == to {
            return Ok(words.to_vec());
        }
        let (old, new) = (Lower::grid(from)?, Lower::grid(to)?);
        let offset = |a: &Dom, b: &Dom| match (a, b) {
            (Dom::Range(x, _), Dom::Range(y, _)) => Ok(x - y),
            (a, b) if a == b => Ok(0),
            _ => Err(No("sets over different domains")),
        };
        let (rows, cols) = match (from, to) {
            (Dom::Pair(a, b), Dom::Pair(c, d)) => (offset(a, c)?, offset(b, d)?),
            _ => (0, offset(from, to)?),
        };
        if old.cols > 64 || new.cols > 64 {
            return Err(No("sets over large domains"));
        }
        let mut out = vec![Word::Known(0); new.words];
        for i in 0..old.rows {
            let (word, shift) = old.row(i);
            let row = self.extract(words[word], shift, ones(old.cols));
            let target = i as i64 + rows;
            let inside = ones(new.cols);
            // Columns that survive the move.
            let keep = if cols >= 0 {
                if cols < 64 { inside >> cols } else { 0 }
            } else {
                let down = (-cols) as u32;
                if down < 64 { inside.checked_shl(down).unwrap_or(0) } else { 0 }
            };
            let keep = if target < 0 || target >= new.rows as i64 { 0 } else { keep };
            // Where all columns survive nothing can be lost, and nothing is tested.
            if ones(old.cols) & !keep != 0 {
                let lost = self.bits(Alu::AndNot, row, Word::Known(keep));
                self.jump_if_zero(lost, false, self.unusual);
            }
            if keep == 0 {
                continue;
            }
            let moved = if cols >= 0 {
                self.bits(Alu::Shl, row, Word::Known(cols as u64))
            } else {
                self.bits(Alu::Shr, row, Word::Known((-cols) as u64))
            };
            let (word, shift) = new.row(target as u64);
            let placed = self.bits(Alu::Shl, moved, Word::Known(u64::from(shift)));
            out[word] = self.bits(Alu::Or, out[word], placed);
        }
        Ok(out)
    }

    /// Two sets over one domain.
    pub(super) fn unified(
        &mut self,
        (a, x): (Dom, Vec<Word>),
        (b, y): (Dom, Vec<Word>),
    ) -> Res<(Dom, Vec<Word>, Vec<Word>)> {
        if a == b {
            return Ok((a, x, y));
        }
        let dom = a.hull(&b).ok_or(No("sets over different domains"))?;
        let x = self.rebase(&x, &a, &dom)?;
        let y = self.rebase(&y, &b, &dom)?;
        Ok((dom, x, y))
    }

    /// The bit of an element: 0 or 1.
    pub(super) fn bit(&mut self, grid: Grid, words: &[Word], index: Num) -> Res<Word> {
        Ok(match index {
            Num::Known(i) => {
                let (word, bit) = grid.place(i as u64);
                self.extract(words[word], bit, 1)
            }
            Num::In(i, ..) if grid.words == 1 => {
                // One word holds its elements one after the other.
                let a = self.word_reg(words[0]);
                Word::In(self.emit(|to| Op::ExtractAt { to, a, shift: i, mask: 1 }))
            }
            Num::In(i, _, hi) => {
                let places: Vec<(usize, u32)> =
                    (0..=hi.max(0) as u64).map(|i| grid.place(i)).collect();
                if places.len() > 4096 {
                    return Err(No("a set over a large domain"));
                }
                let shifts = self.b.table(places.iter().map(|p| u64::from(p.1)).collect());
                let shift = self.emit(|to| Op::Table { to, table: shifts, index: i });
                let numbers = self.b.table(places.iter().map(|p| p.0 as u64).collect());
                let number = self.emit(|to| Op::Table { to, table: numbers, index: i });
                let word = self.pick(words, number);
                let a = self.word_reg(word);
                Word::In(self.emit(|to| Op::ExtractAt { to, a, shift, mask: 1 }))
            }
        })
    }

    /// The set of one element.
    pub(super) fn singleton(&mut self, dom: &Dom, index: Num) -> Res<Vec<Word>> {
        let grid = Lower::grid(dom)?;
        let mut words = vec![Word::Known(0); grid.words];
        match index {
            Num::Known(i) => {
                let (word, bit) = grid.place(i as u64);
                words[word] = Word::Known(1 << bit);
            }
            Num::In(i, ..) if grid.words == 1 => {
                let one = self.constant(1);
                words[0] = Word::In(self.alu(Alu::Shl, one, i));
            }
            Num::In(i, ..) => {
                for (w, word) in words.iter_mut().enumerate() {
                    let bits = (0..dom.size())
                        .map(|i| match grid.place(i) {
                            (at, bit) if at == w => 1u64 << bit,
                            _ => 0,
                        })
                        .collect();
                    let table = self.b.table(bits);
                    *word = Word::In(self.emit(|to| Op::Table { to, table, index: i }));
                }
            }
        }
        Ok(words)
    }

    /// Which values the shape of a variable allows for its elements.
    pub(super) fn set_dom(shape: &Shape) -> Option<Dom> {
        match shape {
            Shape::Set(dom) => Some(dom.clone()),
            Shape::Fun { from, to, .. } => Dom::pair(from.clone(), to.clone()),
            _ => None,
        }
    }
}
