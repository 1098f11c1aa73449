//! Is a piece of code well formed? Back ends rely on it.

use crate::code::{Code, Op, Reg};

/// What is wrong with a code, and at which operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The index of the operation.
    pub at: usize,
    /// In words.
    pub words: &'static str,
}

impl Code {
    /// Registers, tables and labels exist, shifts stay inside a word, records have their length,
    /// and the last operation ends the code.
    pub fn verify(&self) -> Result<(), Flaw> {
        let flaw = |at, words| Err(Flaw { at, words });
        if self.row_words() > self.regs || self.regs > usize::from(u16::MAX) {
            return flaw(0, "too few or too many registers");
        }
        for (at, op) in self.ops.iter().enumerate() {
            let mut known = true;
            op.each_reg(&mut |r| known &= usize::from(r.0) < self.regs);
            if !known {
                return flaw(at, "no such register");
            }
            match op {
                Op::Jump(to) | Op::Branch { to, .. } | Op::BranchImm { to, .. }
                    if to.0 as usize >= self.ops.len() =>
                {
                    return flaw(at, "a jump out of the code");
                }
                Op::Table { table, .. } if usize::from(table.0) >= self.tables.len() => {
                    return flaw(at, "no such table");
                }
                Op::Extract { shift, .. } | Op::Insert { shift, .. } if *shift > 63 => {
                    return flaw(at, "a shift out of the word");
                }
                Op::Emit(regs) if regs.len() != self.row_words() + self.extra_words => {
                    return flaw(at, "a record of another length");
                }
                _ => {}
            }
        }
        match self.ops.last() {
            Some(Op::Return(_) | Op::Unusual | Op::Jump(_)) => Ok(()),
            _ => flaw(self.ops.len(), "the end is open"),
        }
    }
}

impl Op {
    /// Visits every register that it reads or writes.
    pub fn each_reg(&self, visit: &mut dyn FnMut(Reg)) {
        match self {
            Op::Const { to, .. } => visit(*to),
            Op::Copy { to, a }
            | Op::AluImm { to, a, .. }
            | Op::Extract { to, a, .. }
            | Op::Bits { to, a, .. }
            | Op::Table { to, index: a, .. } => [to, a].into_iter().for_each(|r| visit(*r)),
            Op::Alu { to, a, b, .. }
            | Op::ExtractAt { to, a, shift: b, .. }
            | Op::Insert { to, a, value: b, .. }
            | Op::Checked { to, a, b, .. }
            | Op::Compare { to, a, b, .. } => [to, a, b].into_iter().for_each(|r| visit(*r)),
            Op::InsertAt { to, a, value, shift, .. } => {
                [to, a, value, shift].into_iter().for_each(|r| visit(*r));
            }
            Op::Select { to, test, a, b } => [to, test, a, b].into_iter().for_each(|r| visit(*r)),
            Op::Branch { a, b, .. } => [a, b].into_iter().for_each(|r| visit(*r)),
            Op::BranchImm { a, .. } => visit(*a),
            Op::Emit(regs) => regs.iter().for_each(|r| visit(*r)),
            Op::Jump(_) | Op::Tick | Op::Return(_) | Op::Unusual => {}
        }
    }
}
