//! Random code run in all states at once, held against the interpreter state by state.

#![allow(clippy::unwrap_used)]

use super::machine::{No, run};
use super::word::Word;
use crate::diagram::bits::{Bits, set_bit};
use crate::diagram::{Diagrams, Set};
use beeline_ir::{
    Alu, Bits as BitsOp, Checked, Code, CodeBuilder, Interpreter, Label, Op, Outcome, Reg, Test,
};
use std::sync::Arc;

const BITS: u32 = 6;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// Small, large, negative, or with single bits.
    fn word(&mut self) -> u64 {
        match self.below(5) {
            0 => self.below(8),
            1 => self.below(70),
            2 => (self.below(9)).wrapping_neg(),
            3 => 1 << self.below(64),
            _ => u64::MAX >> self.below(64),
        }
    }
}

const TESTS: [Test; 6] =
    [Test::Equal, Test::NotEqual, Test::Less, Test::LessEqual, Test::Greater, Test::GreaterEqual];
const ALUS: [Alu; 9] =
    [Alu::Add, Alu::Sub, Alu::Mul, Alu::And, Alu::Or, Alu::Xor, Alu::AndNot, Alu::Shl, Alu::Shr];
const CHECKED: [Checked; 5] =
    [Checked::Add, Checked::Sub, Checked::Mul, Checked::Div, Checked::Mod];
const COUNTS: [BitsOp; 4] = [BitsOp::Count, BitsOp::Lowest, BitsOp::Highest, BitsOp::DropLowest];

/// One computation, from any registers into one that is not the state's.
fn computation(random: &mut Random, regs: &[Reg], builder: &mut CodeBuilder) -> Op {
    let (to, a, b, c) = (random.of(&regs[1..]), random.of(regs), random.of(regs), random.of(regs));
    let (shift, mask) = (random.below(64) as u8, random.word());
    match random.below(13) {
        0 => Op::Const { to, value: random.word() },
        1 => Op::Copy { to, a },
        2 => Op::Alu { op: random.of(&ALUS), to, a, b },
        3 => Op::AluImm { op: random.of(&ALUS), to, a, imm: random.word() },
        4 => Op::Extract { to, a, shift, mask },
        5 => Op::ExtractAt { to, a, shift: b, mask },
        6 => Op::Insert { to, a, value: b, shift, mask },
        7 => Op::InsertAt { to, a, value: b, shift: c, mask },
        8 => Op::Bits { op: random.of(&COUNTS), to, a },
        9 => Op::Checked { op: random.of(&CHECKED), to, a, b },
        10 => Op::Select { to, test: a, a: b, b: c },
        11 => Op::Compare { test: random.of(&TESTS), to, a, b },
        _ => {
            let words = (0..40).map(|_| random.word()).collect();
            Op::Table { to, table: builder.table(words), index: a }
        }
    }
}

/// Code with jumps forward, a loop over the bits of the state in some, and records on the way.
fn code(random: &mut Random) -> Code {
    let mut builder = CodeBuilder::new(2, 0);
    let mut regs = vec![Reg(0)];
    for _ in 0..5 {
        let reg = builder.reg();
        regs.push(reg);
        let (shift, mask) = (random.below(6) as u8, random.word());
        builder.push(match random.below(2) {
            0 => Op::Const { to: reg, value: random.word() },
            _ => Op::Extract { to: reg, a: Reg(0), shift, mask },
        });
    }
    let mut ahead: Vec<(Label, u64)> = Vec::new();
    for _ in 0..random.below(25) {
        for (label, left) in &mut ahead {
            *left -= 1;
            if *left == 0 {
                builder.place(*label);
            }
        }
        ahead.retain(|(_, left)| *left > 0);
        match random.below(8) {
            0 => {
                let (label, far) = (builder.label(), 1 + random.below(6));
                let (test, a, b) = (random.of(&TESTS), random.of(&regs), random.of(&regs));
                builder.push(match random.below(2) {
                    0 => Op::Branch { test, a, b, to: label },
                    _ => Op::BranchImm { test, a, imm: random.word(), to: label },
                });
                ahead.push((label, far));
            }
            1 => builder.push(Op::Emit([random.of(&regs)].into())),
            2 if random.below(3) == 0 => {
                let set = builder.reg();
                let (again, done) = (builder.label(), builder.label());
                builder.push(Op::Copy { to: set, a: Reg(0) });
                builder.place(again);
                builder.push(Op::BranchImm { test: Test::Equal, a: set, imm: 0, to: done });
                builder.push(Op::Tick);
                for _ in 0..random.below(3) {
                    let op = computation(random, &regs, &mut builder);
                    builder.push(op);
                }
                builder.push(Op::Emit([random.of(&regs)].into()));
                builder.push(Op::Bits { op: BitsOp::DropLowest, to: set, a: set });
                builder.push(Op::Jump(again));
                builder.place(done);
            }
            _ => {
                let op = computation(random, &regs, &mut builder);
                builder.push(op);
            }
        }
    }
    let last = builder.label();
    let (test, a) = (random.of(&TESTS), random.of(&regs));
    builder.push(Op::BranchImm { test, a, imm: random.word(), to: last });
    builder.push(match random.below(3) {
        0 => Op::Unusual,
        1 => Op::Return(false),
        _ => Op::Return(true),
    });
    ahead.iter().for_each(|(label, _)| builder.place(*label));
    builder.place(last);
    builder.push(Op::Return(true));
    builder.finish().unwrap()
}

#[test]
fn code_in_all_states_at_once_is_code_in_each() {
    let levels: Vec<u32> = (0..BITS).map(|bit| 2 * bit).collect();
    let (mut ran, mut outcomes) = (0, [0; 3]);
    for seed in 0..3_000 {
        let code = code(&mut Random(seed));
        let mut diagrams = Diagrams::new(1 << 28, Arc::default());
        let bits = levels.iter().map(|level| diagrams.bit(*level, true).unwrap()).collect();
        let word = Word::new(bits, Set::EMPTY);
        let found = match run(&code, Set::ALL, vec![word], &mut diagrams) {
            Ok(found) => found,
            // Products that are too long.
            Err(No::Values) => continue,
            Err(other) => panic!("seed {seed}: {other:?}"),
        };
        ran += 1;
        for state in 0..1u32 << BITS {
            let mut vector: Bits = vec![0].into();
            (0..BITS).filter(|bit| state >> bit & 1 == 1).for_each(|bit| {
                set_bit(&mut vector, bit as usize);
            });
            let has = |set: Option<Set>| set.is_some_and(|set| diagrams.has(set, &levels, &vector));
            let mut out = Vec::new();
            let outcome =
                beeline_ir::run(&code, &[state, 0], &mut Interpreter::default(), &mut out);
            outcomes[outcome as usize] += 1;
            let own = [has(found.yes), has(found.no), has(found.unusual)];
            let expected = [Outcome::True, Outcome::False, Outcome::Unusual].map(|o| o == outcome);
            assert_eq!(own, expected, "seed {seed}, state {state}: {code:?}");
            if outcome != Outcome::True {
                continue;
            }
            let mut records = Vec::new();
            for (_, record) in found.records.iter().filter(|(states, _)| has(Some(*states))) {
                let bit = |place: usize| u64::from(has(Some(record[0].bit(place)))) << place;
                let word = (0..64).map(bit).fold(0, |word, bit| word | bit);
                records.extend([word as u32, (word >> 32) as u32]);
            }
            assert_eq!(records, out, "seed {seed}, state {state}: {code:?}");
        }
    }
    // It must not be a test of nothing.
    assert!(ran > 2_000 && outcomes.iter().all(|count| *count > 10_000), "{ran} {outcomes:?}");
}
