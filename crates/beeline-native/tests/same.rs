//! Random code gives the same outcome and the same records on both back ends.

use beeline_ir::{
    Alu, Bits, Checked, Code, CodeBuilder, Compiler, Interpreter, Label, NOT_RUN, Op, Reg, Test,
    run,
};
use beeline_native::Jit;

/// A small generator (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }

    fn word(&mut self) -> u64 {
        match self.roll(5) {
            0 => self.roll(8),
            1 => u64::MAX - self.roll(4),
            2 => i64::MIN as u64 + self.roll(3),
            3 => 1 << self.roll(64),
            _ => self.roll(1 << 31) << 32 | self.roll(1 << 31),
        }
    }
}

const ALU: [Alu; 9] =
    [Alu::Add, Alu::Sub, Alu::Mul, Alu::And, Alu::Or, Alu::Xor, Alu::AndNot, Alu::Shl, Alu::Shr];
const TESTS: [Test; 6] =
    [Test::Equal, Test::NotEqual, Test::Less, Test::LessEqual, Test::Greater, Test::GreaterEqual];
const CHECKED: [Checked; 5] =
    [Checked::Add, Checked::Sub, Checked::Mul, Checked::Div, Checked::Mod];
const BITS: [Bits; 4] = [Bits::Count, Bits::Lowest, Bits::Highest, Bits::DropLowest];

fn random_code(dice: &mut Dice) -> Code {
    let halves = 1 + dice.roll(5) as usize;
    random_code_of(dice, halves)
}

fn random_code_of(dice: &mut Dice, halves: usize) -> Code {
    let extra = dice.roll(3) as usize;
    let mut b = CodeBuilder::new(halves, extra);
    let mut regs: Vec<Reg> = (0..halves.div_ceil(2) as u16).map(Reg).collect();
    regs.extend((0..6).map(|_| b.reg()));
    let table = b.table((0..9).map(|_| dice.word()).collect());
    let mut waiting: Vec<Label> = Vec::new();
    let mut back: Vec<Label> = Vec::new();
    for _ in 0..5 + dice.roll(40) {
        let any = |dice: &mut Dice| regs[dice.roll(regs.len() as u64) as usize];
        let (to, a, c, d) = (any(dice), any(dice), any(dice), any(dice));
        let (shift, mask, imm) = (dice.roll(64) as u8, dice.word(), dice.word());
        let test = TESTS[dice.roll(6) as usize];
        match dice.roll(18) {
            0 => b.push(Op::Const { to, value: imm }),
            1 => b.push(Op::Copy { to, a }),
            2 | 3 => b.push(Op::Alu { op: ALU[dice.roll(9) as usize], to, a, b: c }),
            4 => b.push(Op::AluImm { op: ALU[dice.roll(9) as usize], to, a, imm }),
            5 => b.push(Op::Extract { to, a, shift, mask }),
            6 => b.push(Op::ExtractAt { to, a, shift: c, mask }),
            7 => b.push(Op::Insert { to, a, value: c, shift, mask }),
            8 => b.push(Op::InsertAt { to, a, value: c, shift: d, mask }),
            9 => b.push(Op::Bits { op: BITS[dice.roll(4) as usize], to, a }),
            10 if dice.roll(3) == 0 => {
                b.push(Op::Checked { op: CHECKED[dice.roll(5) as usize], to, a, b: c });
            }
            11 => b.push(Op::Select { to, test: a, a: c, b: d }),
            12 => b.push(Op::Compare { test, to, a, b: c }),
            13 => {
                b.push(Op::AluImm { op: Alu::And, to: c, a, imm: 7 + dice.roll(2) * 8 });
                b.push(Op::Table { to, table, index: c });
            }
            14 => {
                let label = b.label();
                waiting.push(label);
                if dice.roll(2) == 0 {
                    b.push(Op::Branch { test, a, b: c, to: label });
                } else {
                    b.push(Op::BranchImm { test, a, imm, to: label });
                }
            }
            15 => {
                let label = b.label();
                b.place(label);
                back.push(label);
            }
            16 if !back.is_empty() => {
                // Loops end when their fuel does.
                let label = back[dice.roll(back.len() as u64) as usize];
                b.push(Op::Tick);
                b.push(Op::BranchImm { test, a, imm: dice.roll(4), to: label });
            }
            _ => {
                let row = (0..halves.div_ceil(2) + extra).map(|_| any(dice)).collect();
                b.push(Op::Emit(row));
            }
        }
        if dice.roll(4) == 0
            && let Some(label) = waiting.pop()
        {
            b.place(label);
        }
    }
    for label in waiting {
        b.place(label);
    }
    b.push(Op::Return(dice.roll(4) != 0));
    b.finish().expect("code is well formed")
}

#[test]
fn both_back_ends_agree() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let jit = Jit::new();
    let mut ends = [0; 3];
    for round in 0..400 {
        let code = random_code(&mut dice);
        let native = jit.compile(&code).expect("compiles");
        for _ in 0..8 {
            let row: Vec<u32> = (0..code.row_halves).map(|_| dice.word() as u32).collect();
            let (mut slow, mut fast) = (vec![7], vec![7]);
            let fresh = &mut Interpreter::default();
            let expected = run(&code, &row, fresh, &mut slow);
            let found = native.run(&row, &mut fast);
            assert_eq!(expected, found, "round {round}\n{code}");
            ends[expected as usize] += 1;
            if expected != beeline_ir::Outcome::Unusual {
                assert_eq!(slow, fast, "round {round}\n{code}");
            }
        }
    }
    // All ways to end were seen.
    assert!(ends.iter().all(|n| *n > 50), "{ends:?}");
}

#[test]
fn several_codes_in_one_call_agree_with_each_alone() {
    let mut dice = Dice(0x1234_5678_9ABC_DEF1);
    let jit = Jit::new();
    let (mut ends_seen, mut crowded) = ([0; 2], 0);
    for round in 0..100 {
        let halves = 1 + dice.roll(5) as usize;
        let codes: Vec<Code> =
            (0..1 + dice.roll(6)).map(|_| random_code_of(&mut dice, halves)).collect();
        let all: Vec<&Code> = codes.iter().collect();
        let leaves_out = round % 2 == 1;
        let native = jit.compile_all(&all, leaves_out).expect("compiles");
        for _ in 0..8 {
            let row: Vec<u32> = (0..halves).map(|_| dice.word() as u32).collect();
            let (mut slow, mut fast) = (vec![7, 7], vec![7, 7]);
            let mut ends = vec![0; codes.len()];
            let left_out = if leaves_out { dice.word() & dice.word() } else { 0 };
            if !native.run(&row, left_out, &mut fast, &mut ends) {
                // A loop that emits until its fuel is used up leaves no room for the others.
                crowded += 1;
                continue;
            }
            for (number, (code, end)) in codes.iter().zip(ends).enumerate() {
                if left_out >> number & 1 == 1 {
                    assert_eq!(end, slow.len() as u32, "round {round}: left out\n{code}");
                    continue;
                }
                let outcome = run(code, &row, &mut Interpreter::default(), &mut slow);
                let was_run = outcome == beeline_ir::Outcome::True;
                let expected = if was_run { slow.len() as u32 } else { NOT_RUN };
                assert_eq!(end, expected, "round {round}\n{code}");
                ends_seen[usize::from(was_run)] += 1;
            }
            assert_eq!(slow, fast, "round {round}");
        }
    }
    assert!(ends_seen.iter().all(|n| *n > 50) && crowded < 200, "{ends_seen:?} {crowded}");
}
