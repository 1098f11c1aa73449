//! Word-level code run in all states at once.
//!
//! Each place in the code has the set of states that are there and what registers are in them. The first place that
//! has states is run next; where states come together again, registers become a choice. A loop is run as long as
//! any states are in it. It does not know what rows mean.

use super::word::Word;
use crate::diagram::{Diagrams, Halt, Set};
use beeline_ir::{Alu, Bits, Checked, Code, Op, Reg, Test};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Operations that one run may take.
const MOST_STEPS: usize = 60_000;
/// Longer code is not run.
const MOST_OPS: usize = 8_000;
/// A word with more values is not taken apart.
const MOST_VALUES: usize = 512;
/// More records are not told apart.
const MOST_RECORDS: usize = 2_000;

/// Why code was not run in all states at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No {
    /// It is too long, or takes too long.
    Long,
    /// A number has too many values for what is done with it.
    Values,
    /// Diagrams become too large, or somebody wants an end.
    Halt(Halt),
    /// It does not do what it is said to do.
    Foreign,
}

impl From<Halt> for No {
    fn from(halt: Halt) -> No {
        No::Halt(halt)
    }
}

/// What code came to.
#[derive(Default)]
pub struct Ran {
    /// Records, each with the states that emit it.
    pub records: Vec<(Set, Vec<Word>)>,
    /// Where it ended with yes.
    pub yes: Option<Set>,
    /// Where it ended with no.
    pub no: Option<Set>,
    /// Where somebody else must be asked.
    pub unusual: Option<Set>,
}

/// States at one place.
struct Here {
    states: Set,
    /// Nothing: it has no value yet, or nobody looks at it any more.
    registers: Rc<Vec<Option<Word>>>,
}

struct Machine<'a> {
    code: &'a Code,
    diagrams: &'a mut Diagrams,
    waiting: BTreeMap<usize, Here>,
    /// The last place that looks at each register.
    last: Vec<usize>,
    ran: Ran,
}

/// Runs code in these states, whose words are given.
pub fn run(code: &Code, states: Set, words: Vec<Word>, diagrams: &mut Diagrams) -> Result<Ran, No> {
    if code.ops.len() > MOST_OPS {
        return Err(No::Long);
    }
    let mut registers: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    registers.resize(code.regs, None);
    let here = Here { states, registers: Rc::new(registers) };
    let waiting = BTreeMap::from([(0, here)]);
    let mut machine =
        Machine { code, diagrams, waiting, last: last_looks(code), ran: Ran::default() };
    for _ in 0..MOST_STEPS {
        let Some((at, here)) = machine.waiting.pop_first() else { return Ok(machine.ran) };
        machine.step(at, here)?;
    }
    Err(No::Long)
}

/// The last place that looks at each register; whatever is looked at in a loop is kept to its end.
fn last_looks(code: &Code) -> Vec<usize> {
    let mut last = vec![0; code.regs];
    for (at, op) in code.ops.iter().enumerate() {
        op.each_reg(&mut |reg| last[usize::from(reg.0)] = at);
    }
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (at, op) in code.ops.iter().enumerate() {
        if let Op::Jump(to) | Op::Branch { to, .. } | Op::BranchImm { to, .. } = op
            && to.0 as usize <= at
        {
            loops.push((to.0 as usize, at));
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (first, end) in &loops {
            for place in last.iter_mut().filter(|place| (*first..*end).contains(*place)) {
                (*place, changed) = (*end, true);
            }
        }
    }
    last
}

impl Machine<'_> {
    /// Sends states to a place.
    fn go(&mut self, at: usize, states: Set, registers: Rc<Vec<Option<Word>>>) -> Result<(), No> {
        if states.is_empty() {
            return Ok(());
        }
        let Some(there) = self.waiting.remove(&at) else {
            self.waiting.insert(at, Here { states, registers });
            return Ok(());
        };
        let mut joined = Vec::with_capacity(registers.len());
        for ((own, other), last) in registers.iter().zip(there.registers.iter()).zip(&self.last) {
            joined.push(match (own, other) {
                _ if *last < at => None,
                (Some(own), Some(other)) => Some(self.diagrams.word_chosen(states, own, other)?),
                // Who comes from where it has no value does not look at it.
                (one, None) | (None, one) => one.clone(),
            });
        }
        let states = self.diagrams.union(states, there.states)?;
        self.waiting.insert(at, Here { states, registers: Rc::new(joined) });
        Ok(())
    }

    fn end(&mut self, states: Set, how: fn(&mut Ran) -> &mut Option<Set>) -> Result<(), No> {
        let before = how(&mut self.ran).unwrap_or(Set::EMPTY);
        let all = self.diagrams.union(before, states)?;
        *how(&mut self.ran) = Some(all);
        Ok(())
    }

    fn unusual(&mut self, states: Set) -> Result<(), No> {
        self.end(states, |ran| &mut ran.unusual)
    }

    fn step(&mut self, at: usize, here: Here) -> Result<(), No> {
        let Here { states, registers } = here;
        let code = self.code;
        // A code that runs off its end is unusual, as in the interpreter.
        let Some(op) = code.ops.get(at) else { return self.unusual(states) };
        let get = |reg: &Reg| registers[usize::from(reg.0)].clone().ok_or(No::Foreign);
        match op {
            Op::Jump(to) => self.go(to.0 as usize, states, registers),
            Op::Tick => self.go(at + 1, states, registers),
            Op::Branch { test, a, b, to } => {
                let holds = self.holds(*test, &get(a)?, &get(b)?)?;
                self.fork(at, to.0 as usize, (states, holds), registers)
            }
            Op::BranchImm { test, a, imm, to } => {
                let holds = self.holds(*test, &get(a)?, &Word::constant(*imm))?;
                self.fork(at, to.0 as usize, (states, holds), registers)
            }
            Op::Return(true) => self.end(states, |ran| &mut ran.yes),
            Op::Return(false) => self.end(states, |ran| &mut ran.no),
            Op::Unusual => self.unusual(states),
            Op::Emit(list) => {
                if self.ran.records.len() >= MOST_RECORDS {
                    return Err(No::Long);
                }
                let record = list.iter().map(get).collect::<Result<_, _>>()?;
                self.ran.records.push((states, record));
                self.go(at + 1, states, registers)
            }
            _ => {
                let (to, word, good) = self.computed(op, states, &get)?;
                if good != states {
                    let bad = self.diagrams.difference(states, good)?;
                    self.unusual(bad)?;
                }
                let mut registers = registers;
                Rc::make_mut(&mut registers)[usize::from(to.0)] = Some(word);
                self.go(at + 1, good, registers)
            }
        }
    }

    fn fork(
        &mut self,
        at: usize,
        to: usize,
        (states, holds): (Set, Set),
        registers: Rc<Vec<Option<Word>>>,
    ) -> Result<(), No> {
        let there = self.diagrams.intersection(states, holds)?;
        let next = self.diagrams.difference(states, holds)?;
        self.go(to, there, registers.clone())?;
        self.go(at + 1, next, registers)
    }

    fn holds(&mut self, test: Test, a: &Word, b: &Word) -> Result<Set, No> {
        let own = &mut *self.diagrams;
        Ok(match test {
            Test::Equal => own.word_equal(a, b)?,
            Test::Less => own.word_less(a, b)?,
            Test::Greater => own.word_less(b, a)?,
            Test::NotEqual | Test::LessEqual | Test::GreaterEqual => {
                let other = self.holds(test.negated(), a, b)?;
                self.diagrams.difference(Set::ALL, other)?
            }
        })
    }

    /// Which register gets which word, and in which states that has a meaning.
    fn computed(
        &mut self,
        op: &Op,
        states: Set,
        get: &dyn Fn(&Reg) -> Result<Word, No>,
    ) -> Result<(Reg, Word, Set), No> {
        let own = &mut *self.diagrams;
        let (to, word) = match op {
            Op::Const { to, value } => (to, Word::constant(*value)),
            Op::Copy { to, a } => (to, get(a)?),
            Op::Alu { op, to, a, b } => (to, self.alu(*op, &get(a)?, &get(b)?)?),
            Op::AluImm { op, to, a, imm } => (to, self.alu(*op, &get(a)?, &Word::constant(*imm))?),
            Op::Extract { to, a, shift, mask } => {
                let moved = get(a)?.shifted_down(usize::from(*shift));
                (to, own.word_and(&moved, &Word::constant(*mask))?)
            }
            Op::ExtractAt { to, a, shift, mask } => {
                let moved = own.word_shifted(&get(a)?, &get(shift)?, false)?;
                (to, own.word_and(&moved, &Word::constant(*mask))?)
            }
            Op::Insert { to, a, value, shift, mask } => {
                let shift = Word::constant(u64::from(*shift));
                (to, self.insert(&get(a)?, &get(value)?, &shift, *mask)?)
            }
            Op::InsertAt { to, a, value, shift, mask } => {
                (to, self.insert(&get(a)?, &get(value)?, &get(shift)?, *mask)?)
            }
            Op::Bits { op, to, a } => {
                let a = get(a)?;
                let word = match op {
                    Bits::Count => own.word_count(&a)?,
                    Bits::Lowest => own.word_lowest(&a)?,
                    Bits::Highest => own.word_highest(&a)?,
                    Bits::DropLowest => {
                        let less = own.word_sum(&a, &Word::constant(1), true)?.0;
                        own.word_and(&a, &less)?
                    }
                };
                (to, word)
            }
            Op::Select { to, test, a, b } => {
                let zero = own.word_equal(&get(test)?, &Word::constant(0))?;
                (to, own.word_chosen(zero, &get(b)?, &get(a)?)?)
            }
            Op::Compare { test, to, a, b } => {
                let holds = self.holds(*test, &get(a)?, &get(b)?)?;
                (to, Word::new(vec![holds], Set::EMPTY))
            }
            Op::Checked { op, to, a, b } => {
                let (word, good) = self.checked(*op, &get(a)?, &get(b)?, states)?;
                return Ok((*to, word, good));
            }
            Op::Table { to, table, index } => {
                let (index, table) = (get(index)?, &self.code.tables[usize::from(table.0)]);
                let found = |i: u64| usize::try_from(i).ok().and_then(|i| table.get(i)).copied();
                let values = own.word_values(&index, states, MOST_VALUES)?.ok_or(No::Values)?;
                let (word, good) = self.looked_up(&values, found)?;
                return Ok((*to, word, good));
            }
            // The others are not computations: see where this is called.
            _ => return Err(No::Foreign),
        };
        Ok((*to, word, states))
    }

    /// A word by value: its states, and those in which it has a meaning.
    fn looked_up(
        &mut self,
        values: &[(u64, Set)],
        found: impl Fn(u64) -> Option<u64>,
    ) -> Result<(Word, Set), No> {
        let (mut list, mut good) = (Vec::with_capacity(values.len()), Set::EMPTY);
        for (value, states) in values {
            if let Some(word) = found(*value) {
                list.push((word, *states));
                good = self.diagrams.union(good, *states)?;
            }
        }
        Ok((self.diagrams.word_of_values(&list)?, good))
    }

    fn alu(&mut self, op: Alu, a: &Word, b: &Word) -> Result<Word, No> {
        let own = &mut *self.diagrams;
        Ok(match op {
            Alu::Add => own.word_sum(a, b, false)?.0,
            Alu::Sub => own.word_sum(a, b, true)?.0,
            Alu::Mul => own.word_product(a, b)?,
            Alu::And => own.word_and(a, b)?,
            Alu::Or => own.word_or(a, b)?,
            Alu::Xor => own.word_xor(a, b)?,
            Alu::AndNot => own.word_and_not(a, b)?,
            Alu::Shl => own.word_shifted(a, b, true)?,
            Alu::Shr => own.word_shifted(a, b, false)?,
        })
    }

    fn insert(&mut self, word: &Word, value: &Word, shift: &Word, mask: u64) -> Result<Word, No> {
        let (own, mask) = (&mut *self.diagrams, Word::constant(mask));
        let hole = own.word_shifted(&mask, shift, true)?;
        let rest = own.word_and_not(word, &hole)?;
        let part = own.word_and(value, &mask)?;
        let part = own.word_shifted(&part, shift, true)?;
        Ok(own.word_or(&rest, &part)?)
    }

    /// Arithmetic that has no meaning in some states.
    fn checked(&mut self, op: Checked, a: &Word, b: &Word, states: Set) -> Result<(Word, Set), No> {
        let own = &mut *self.diagrams;
        match op {
            Checked::Add | Checked::Sub => {
                let (word, beyond) = own.word_sum(a, b, op == Checked::Sub)?;
                Ok((word, own.difference(states, beyond)?))
            }
            // A product has as many bits as its factors together, and here that is less than a word has.
            Checked::Mul if a.len() + b.len() < 60 => Ok((own.word_product(a, b)?, states)),
            Checked::Mul => Err(No::Values),
            Checked::Div | Checked::Mod => {
                let divisors = own.word_values(b, states, MOST_VALUES)?.ok_or(No::Values)?;
                let (mut all, mut good) = (Vec::new(), Set::EMPTY);
                for (divisor, states) in divisors {
                    let own = &mut *self.diagrams;
                    let values = own.word_values(a, states, MOST_VALUES)?.ok_or(No::Values)?;
                    let divided = |value: u64| op.of(value, divisor);
                    let (_, here) = self.looked_up(&values, divided)?;
                    good = self.diagrams.union(good, here)?;
                    all.extend(values.iter().filter_map(|(v, s)| Some((divided(*v)?, *s))));
                    if all.len() > 8 * MOST_VALUES {
                        return Err(No::Values);
                    }
                }
                Ok((self.diagrams.word_of_values(&all)?, good))
            }
        }
    }
}
