//! Numbers and words: known now, or in a register, with what is known of them.

use super::{Lower, No, Res};
use beeline_ir::{Alu, Checked, Label, Op, Reg, Test};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Num {
    Known(i64),
    /// In a register, between bounds.
    In(Reg, i64, i64),
}

/// A word of bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Word {
    Known(u64),
    In(Reg),
}

impl Num {
    pub fn low(self) -> i64 {
        match self {
            Num::Known(n) => n,
            Num::In(_, lo, _) => lo,
        }
    }

    pub fn high(self) -> i64 {
        match self {
            Num::Known(n) => n,
            Num::In(_, _, hi) => hi,
        }
    }
}

/// Sums and products of numbers between these bounds never leave a signed word.
const SAFE: i128 = 1 << 62;

impl Lower<'_, '_> {
    pub(super) fn num_reg(&mut self, n: Num) -> Reg {
        match n {
            Num::Known(n) => self.constant(n as u64),
            Num::In(reg, ..) => reg,
        }
    }

    pub(super) fn word_reg(&mut self, w: Word) -> Reg {
        match w {
            Word::Known(w) => self.constant(w),
            Word::In(reg) => reg,
        }
    }

    /// Sum, difference or product.
    pub(super) fn arith(&mut self, op: Checked, a: Num, b: Num) -> Res<Num> {
        if let (Num::Known(x), Num::Known(y)) = (a, b) {
            let known = match op {
                Checked::Add => x.checked_add(y),
                Checked::Sub => x.checked_sub(y),
                Checked::Mul => x.checked_mul(y),
                Checked::Div => x.checked_div(y),
                Checked::Mod => (x >= 0 && y > 0).then(|| x % y),
            };
            return known.map(Num::Known).ok_or(No("a constant without a meaning, or too large"));
        }
        // Sums, differences and products have their extremes at the ends of their arguments; twice
        // the width holds them all.
        let ends = |f: fn(i128, i128) -> i128| {
            let all = [
                (a.low(), b.low()),
                (a.low(), b.high()),
                (a.high(), b.low()),
                (a.high(), b.high()),
            ];
            let all = all.map(|(x, y)| f(i128::from(x), i128::from(y)));
            (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        let (lo, hi) = match op {
            Checked::Add => ends(|x, y| x + y),
            Checked::Sub => ends(|x, y| x - y),
            Checked::Mul => ends(|x, y| x * y),
            Checked::Div => {
                let most = i128::from(a.low()).abs().max(i128::from(a.high()).abs());
                let lo = if a.low() >= 0 && b.low() > 0 { 0 } else { -most };
                (lo, most)
            }
            Checked::Mod => (0, (i128::from(b.high()) - 1).min(i128::from(a.high())).max(0)),
        };
        let clamp = |n: i128| n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        let plain = match op {
            Checked::Add => Some(Alu::Add),
            Checked::Sub => Some(Alu::Sub),
            Checked::Mul => Some(Alu::Mul),
            _ => None,
        };
        let reg = match (plain, b) {
            // Where bounds say that it cannot overflow there is nothing to check.
            (Some(op), Num::Known(y)) if -SAFE < lo && hi < SAFE => {
                let a = self.num_reg(a);
                self.alu_imm(op, a, y as u64)
            }
            (Some(op), _) if -SAFE < lo && hi < SAFE => {
                let (a, b) = (self.num_reg(a), self.num_reg(b));
                self.alu(op, a, b)
            }
            (None, Num::Known(y))
                // A division takes many times as long as a subtraction.
                if op == Checked::Mod && a.low() >= 0 && y > 0 && a.high() < 2 * y =>
            {
                return Ok(self.small_modulo(a, y));
            }
            _ => {
                let (a, b) = (self.num_reg(a), self.num_reg(b));
                self.emit(|to| Op::Checked { op, to, a, b })
            }
        };
        Ok(Num::In(reg, clamp(lo), clamp(hi)))
    }

    /// `a mod y` where one subtraction is enough.
    fn small_modulo(&mut self, a: Num, y: i64) -> Num {
        if a.high() < y {
            return a;
        }
        let (a, modulus) = (self.num_reg(a), self.constant(y as u64));
        let less = self.emit(|to| Op::Compare { test: Test::Less, to, a, b: modulus });
        let reduced = self.alu(Alu::Sub, a, modulus);
        let reg = self.emit(|to| Op::Select { to, test: less, a, b: reduced });
        Num::In(reg, 0, y - 1)
    }

    /// Jumps if the comparison of two numbers has this truth.
    pub(super) fn jump_if_num(&mut self, test: Test, a: Num, b: Num, want: bool, to: Label) {
        let test = if want { test } else { test.negated() };
        let (al, ah, bl, bh) = (a.low(), a.high(), b.low(), b.high());
        let certain = match test {
            Test::Less if ah < bl => Some(true),
            Test::Less if al >= bh => Some(false),
            Test::LessEqual if ah <= bl => Some(true),
            Test::LessEqual if al > bh => Some(false),
            Test::Greater if al > bh => Some(true),
            Test::Greater if ah <= bl => Some(false),
            Test::GreaterEqual if al >= bh => Some(true),
            Test::GreaterEqual if ah < bl => Some(false),
            Test::Equal if ah < bl || al > bh => Some(false),
            Test::NotEqual if ah < bl || al > bh => Some(true),
            Test::Equal if al == ah && bl == bh && al == bl => Some(true),
            Test::NotEqual if al == ah && bl == bh && al == bl => Some(false),
            _ => None,
        };
        match (certain, a, b) {
            (Some(true), ..) => self.jump(to),
            (Some(false), ..) => {}
            (None, Num::In(a, ..), Num::Known(n)) => {
                self.b.push(Op::BranchImm { test, a, imm: n as u64, to });
            }
            (None, ..) => {
                let (a, b) = (self.num_reg(a), self.num_reg(b));
                self.b.push(Op::Branch { test, a, b, to });
            }
        }
    }

    /// Jumps if a word is zero, or if it is not.
    pub(super) fn jump_if_zero(&mut self, word: Word, want: bool, to: Label) {
        match word {
            Word::Known(w) if (w == 0) == want => self.jump(to),
            Word::Known(_) => {}
            Word::In(a) => {
                let test = if want { Test::Equal } else { Test::NotEqual };
                self.b.push(Op::BranchImm { test, a, imm: 0, to });
            }
        }
    }

    /// An operation on words.
    pub(super) fn bits(&mut self, op: Alu, a: Word, b: Word) -> Word {
        match (op, a, b) {
            (_, Word::Known(x), Word::Known(y)) => Word::Known(match op {
                Alu::Add => x.wrapping_add(y),
                Alu::Sub => x.wrapping_sub(y),
                Alu::Mul => x.wrapping_mul(y),
                Alu::And => x & y,
                Alu::Or => x | y,
                Alu::Xor => x ^ y,
                Alu::AndNot => x & !y,
                Alu::Shl => x.wrapping_shl(y as u32),
                Alu::Shr => x.wrapping_shr(y as u32),
            }),
            (Alu::And, _, Word::Known(0)) | (Alu::And, Word::Known(0), _) => Word::Known(0),
            (Alu::Or | Alu::Xor | Alu::AndNot | Alu::Shl | Alu::Shr, a, Word::Known(0)) => a,
            (Alu::Or | Alu::Xor, Word::Known(0), b) => b,
            (Alu::AndNot | Alu::Shl | Alu::Shr, Word::Known(0), _) => Word::Known(0),
            (Alu::And, a, Word::Known(u64::MAX)) => a,
            (Alu::And, Word::Known(u64::MAX), b) => b,
            (op, Word::In(a), Word::Known(imm)) => Word::In(self.alu_imm(op, a, imm)),
            (
                Alu::And | Alu::Or | Alu::Xor | Alu::Mul | Alu::Add,
                Word::Known(imm),
                Word::In(b),
            ) => Word::In(self.alu_imm(op, b, imm)),
            (op, a, b) => {
                let (a, b) = (self.word_reg(a), self.word_reg(b));
                Word::In(self.alu(op, a, b))
            }
        }
    }

    /// `(word >> shift) & mask`
    pub(super) fn extract(&mut self, word: Word, shift: u32, mask: u64) -> Word {
        match word {
            Word::Known(w) => Word::Known(w >> shift & mask),
            Word::In(a) if shift == 0 && mask == u64::MAX => Word::In(a),
            Word::In(a) => {
                Word::In(self.emit(|to| Op::Extract { to, a, shift: shift as u8, mask }))
            }
        }
    }

    /// The bits of `value` in place of those of `mask << shift`.
    pub(super) fn insert(&mut self, word: Word, value: Word, shift: u32, mask: u64) -> Word {
        match (word, value) {
            (Word::Known(w), Word::Known(v)) => {
                Word::Known(w & !(mask << shift) | (v & mask) << shift)
            }
            (w, Word::Known(v)) => {
                let cleared = self.bits(Alu::And, w, Word::Known(!(mask << shift)));
                self.bits(Alu::Or, cleared, Word::Known((v & mask) << shift))
            }
            (w, Word::In(value)) => {
                let a = self.word_reg(w);
                let shift = shift as u8;
                Word::In(self.emit(|to| Op::Insert { to, a, value, shift, mask }))
            }
        }
    }

    /// A number as a word.
    pub(super) fn as_word(n: Num) -> Word {
        match n {
            Num::Known(n) => Word::Known(n as u64),
            Num::In(reg, ..) => Word::In(reg),
        }
    }

    /// A word that is a number between bounds.
    pub(super) fn as_num(w: Word, lo: i64, hi: i64) -> Num {
        match w {
            Word::Known(w) => Num::Known(w as i64),
            Word::In(reg) => Num::In(reg, lo, hi),
        }
    }
}
