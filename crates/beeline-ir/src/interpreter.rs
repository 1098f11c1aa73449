//! The interpreter.

use crate::code::{Alu, Bits, Code, Op, Reg};

/// Rounds of loops that one run may take before it is unusual.
pub const FUEL: u64 = 1 << 20;

/// Halves that one run may emit before it is unusual.
pub const MOST_HALVES: usize = 1 << 22;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All successors were emitted, or the predicate is true.
    True,
    /// The predicate is false.
    False,
    /// Somebody else must evaluate this; what was emitted does not count.
    Unusual,
}

/// Registers, kept from run to run.
#[derive(Clone, Debug, Default)]
pub struct Interpreter {
    regs: Vec<u64>,
    steps: u64,
}

impl Interpreter {
    /// How many operations it has executed, of all codes that were run on it.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// Runs a code on a row of halves; if it ends well, its records are appended to `out`.
pub fn run(code: &Code, row: &[u32], interpreter: &mut Interpreter, out: &mut Vec<u32>) -> Outcome {
    let start = out.len();
    let outcome = execute(code, row, interpreter, out);
    if outcome != Outcome::True {
        out.truncate(start);
    }
    outcome
}

fn execute(code: &Code, row: &[u32], interpreter: &mut Interpreter, out: &mut Vec<u32>) -> Outcome {
    let most = out.len() + MOST_HALVES;
    let Interpreter { regs, steps } = interpreter;
    if regs.len() < code.regs {
        regs.resize(code.regs, 0);
    }
    for (reg, halves) in regs.iter_mut().zip(row.chunks(2)) {
        *reg = halves.iter().rev().fold(0, |word, half| word << 32 | u64::from(*half));
    }
    let mut fuel = FUEL;
    let mut at = 0;
    while let Some(op) = code.ops.get(at) {
        at += 1;
        *steps += 1;
        let get = |r: &Reg| regs[usize::from(r.0)];
        let (to, value) = match op {
            Op::Const { to, value } => (to, *value),
            Op::Copy { to, a } => (to, get(a)),
            Op::Alu { op, to, a, b } => (to, alu(*op, get(a), get(b))),
            Op::AluImm { op, to, a, imm } => (to, alu(*op, get(a), *imm)),
            Op::Extract { to, a, shift, mask } => (to, (get(a) >> shift) & mask),
            Op::ExtractAt { to, a, shift, mask } => {
                (to, get(a).wrapping_shr(get(shift) as u32) & mask)
            }
            Op::Insert { to, a, value, shift, mask } => {
                (to, insert(get(a), get(value), u32::from(*shift), *mask))
            }
            Op::InsertAt { to, a, value, shift, mask } => {
                (to, insert(get(a), get(value), get(shift) as u32, *mask))
            }
            Op::Bits { op, to, a } => (to, bits(*op, get(a))),
            Op::Checked { op, to, a, b } => match op.of(get(a), get(b)) {
                Some(value) => (to, value),
                None => return Outcome::Unusual,
            },
            Op::Select { to, test, a, b } => (to, if get(test) != 0 { get(a) } else { get(b) }),
            Op::Compare { test, to, a, b } => (to, u64::from(test.holds(get(a), get(b)))),
            Op::Table { to, table, index } => {
                let table = &code.tables[usize::from(table.0)];
                match usize::try_from(get(index)).ok().and_then(|i| table.get(i)) {
                    Some(word) => (to, *word),
                    None => return Outcome::Unusual,
                }
            }
            Op::Jump(to) => {
                at = to.0 as usize;
                continue;
            }
            Op::Branch { test, a, b, to } => {
                if test.holds(get(a), get(b)) {
                    at = to.0 as usize;
                }
                continue;
            }
            Op::BranchImm { test, a, imm, to } => {
                if test.holds(get(a), *imm) {
                    at = to.0 as usize;
                }
                continue;
            }
            Op::Tick => match fuel.checked_sub(1) {
                Some(left) => {
                    fuel = left;
                    continue;
                }
                None => return Outcome::Unusual,
            },
            Op::Emit(list) => {
                if out.len() + code.record_halves() > most {
                    return Outcome::Unusual;
                }
                let mut left = code.row_halves;
                for (i, reg) in list.iter().enumerate() {
                    let word = get(reg);
                    out.push(word as u32);
                    // Only the last word of a state may be half used.
                    if i >= code.row_words() || left > 1 {
                        out.push((word >> 32) as u32);
                    }
                    left = left.saturating_sub(2);
                }
                continue;
            }
            Op::Return(truth) => return if *truth { Outcome::True } else { Outcome::False },
            Op::Unusual => return Outcome::Unusual,
        };
        regs[usize::from(to.0)] = value;
    }
    Outcome::Unusual
}

#[inline]
fn alu(op: Alu, a: u64, b: u64) -> u64 {
    match op {
        Alu::Add => a.wrapping_add(b),
        Alu::Sub => a.wrapping_sub(b),
        Alu::Mul => a.wrapping_mul(b),
        Alu::And => a & b,
        Alu::Or => a | b,
        Alu::Xor => a ^ b,
        Alu::AndNot => a & !b,
        Alu::Shl => a.wrapping_shl(b as u32),
        Alu::Shr => a.wrapping_shr(b as u32),
    }
}

#[inline]
fn insert(word: u64, value: u64, shift: u32, mask: u64) -> u64 {
    (word & !mask.wrapping_shl(shift)) | (value & mask).wrapping_shl(shift)
}

#[inline]
fn bits(op: Bits, a: u64) -> u64 {
    match op {
        Bits::Count => u64::from(a.count_ones()),
        Bits::Lowest => u64::from(a.trailing_zeros()),
        Bits::Highest => 63u64.wrapping_sub(u64::from(a.leading_zeros())),
        Bits::DropLowest => a & a.wrapping_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Checked, CodeBuilder, Test};

    fn outcome(build: impl FnOnce(&mut CodeBuilder)) -> (Outcome, Vec<u32>) {
        let mut builder = CodeBuilder::new(3, 0);
        build(&mut builder);
        let code = builder.finish().unwrap();
        let mut out = Vec::new();
        let outcome = run(&code, &[0b1011, 7, 5], &mut Interpreter::default(), &mut out);
        (outcome, out)
    }

    #[test]
    fn a_loop_over_bits_emits_one_record_a_bit() {
        let (end, out) = outcome(|b| {
            let (set, at, state) = (b.reg(), b.reg(), b.reg());
            b.push(Op::Extract { to: set, a: Reg(0), shift: 0, mask: 0xF });
            let (again, done) = (b.label(), b.label());
            b.place(again);
            b.push(Op::BranchImm { test: Test::Equal, a: set, imm: 0, to: done });
            b.push(Op::Tick);
            b.push(Op::Bits { op: Bits::Lowest, to: at, a: set });
            b.push(Op::Insert { to: state, a: Reg(0), value: at, shift: 32, mask: 0xFF });
            b.push(Op::Emit([state, Reg(1)].into()));
            b.push(Op::Bits { op: Bits::DropLowest, to: set, a: set });
            b.push(Op::Jump(again));
            b.place(done);
            b.push(Op::Return(true));
        });
        assert_eq!(end, Outcome::True);
        assert_eq!(out, [0b1011, 0, 5, 0b1011, 1, 5, 0b1011, 3, 5]);
    }

    #[test]
    fn what_does_not_fit_is_unusual() {
        let (end, _) = outcome(|b| {
            let (big, sum) = (b.reg(), b.reg());
            b.push(Op::Const { to: big, value: i64::MAX as u64 });
            b.push(Op::Checked { op: Checked::Add, to: sum, a: big, b: Reg(1) });
            b.push(Op::Return(true));
        });
        assert_eq!(end, Outcome::Unusual);
        let (end, _) = outcome(|b| {
            let (word, t) = (b.reg(), b.table(vec![1, 2]));
            b.push(Op::Table { to: word, table: t, index: Reg(1) });
            b.push(Op::Return(true));
        });
        assert_eq!(end, Outcome::Unusual);
    }

    #[test]
    fn an_endless_loop_ends() {
        let (end, _) = outcome(|b| {
            let again = b.label();
            b.place(again);
            b.push(Op::Tick);
            b.push(Op::Jump(again));
        });
        assert_eq!(end, Outcome::Unusual);
    }

    #[test]
    fn flawed_code_is_not_finished() {
        let mut b = CodeBuilder::new(1, 0);
        b.push(Op::Emit([Reg(0), Reg(0)].into()));
        b.push(Op::Return(true));
        assert_eq!(b.finish(), None);
        let mut b = CodeBuilder::new(1, 0);
        b.push(Op::Copy { to: Reg(0), a: Reg(9) });
        b.push(Op::Return(true));
        assert_eq!(b.finish(), None);
        let mut b = CodeBuilder::new(1, 0);
        let label = b.label();
        b.push(Op::Jump(label));
        assert_eq!(b.finish(), None);
    }

    #[test]
    fn arithmetic_is_that_of_b() {
        let checked =
            |op: Checked, a: i64, b: i64| op.of(a as u64, b as u64).map(|word| word as i64);
        assert_eq!(checked(Checked::Div, -7, 2), Some(-3));
        assert_eq!(checked(Checked::Div, 1, 0), None);
        assert_eq!(checked(Checked::Div, i64::MIN, -1), None);
        assert_eq!(checked(Checked::Mod, -7, 2), None);
        assert_eq!(checked(Checked::Mod, 7, 2), Some(1));
        assert_eq!(bits(Bits::Highest, 0), u64::MAX);
        assert_eq!(bits(Bits::Lowest, 0), 64);
    }
}
