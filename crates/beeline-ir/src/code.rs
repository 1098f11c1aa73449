//! The data: operations on registers, tables, labels.

use beeline_fault::{Flaw, planted};

/// A register of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u16);

/// A place to jump to: the index of an operation, once the code is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A constant table of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u16);

/// Plain operations on two words. Shifts take their amount modulo 64; arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Alu {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// `a & !b`
    AndNot,
    Shl,
    /// Zeros come in from above.
    Shr,
}

/// Questions about the bits of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bits {
    /// How many are set.
    Count,
    /// The position of the lowest one; 64 if none is set.
    Lowest,
    /// The position of the highest one; -1 if none is set.
    Highest,
    /// The word without its lowest bit.
    DropLowest,
}

/// Arithmetic of signed words that leaves through [`crate::Outcome::Unusual`] where the result
/// does not fit or has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Checked {
    Add,
    Sub,
    Mul,
    /// Truncates toward zero; not by zero.
    Div,
    /// Of a number that is not negative by one that is positive.
    Mod,
}

impl Checked {
    /// The result for two signed words, if it fits and has a meaning.
    #[inline]
    pub fn of(self, a: u64, b: u64) -> Option<u64> {
        let (a, b) = (a as i64, b as i64);
        let result = match self {
            Checked::Add => a.checked_add(b),
            Checked::Sub => a.checked_sub(b),
            Checked::Mul => a.checked_mul(b),
            Checked::Div => a.checked_div(b),
            Checked::Mod if a < 0 || b <= 0 => None,
            Checked::Mod => Some(a % b),
        };
        result.map(|result| result as u64)
    }
}

/// Comparisons; the order is that of signed words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Test {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Test {
    /// Does it hold?
    #[inline]
    pub fn holds(self, a: u64, b: u64) -> bool {
        let (x, y) = (a as i64, b as i64);
        match self {
            Test::Equal => x == y,
            Test::NotEqual => x != y,
            Test::Less => x < y,
            Test::LessEqual if planted(Flaw::InterpreterLess) => x < y,
            Test::LessEqual => x <= y,
            Test::Greater => x > y,
            Test::GreaterEqual => x >= y,
        }
    }

    /// The test that holds exactly where this one does not.
    pub fn negated(self) -> Test {
        match self {
            Test::Equal => Test::NotEqual,
            Test::NotEqual => Test::Equal,
            Test::Less => Test::GreaterEqual,
            Test::LessEqual => Test::Greater,
            Test::Greater => Test::LessEqual,
            Test::GreaterEqual => Test::Less,
        }
    }
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Op {
    Const {
        to: Reg,
        value: u64,
    },
    Copy {
        to: Reg,
        a: Reg,
    },
    Alu {
        op: Alu,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    AluImm {
        op: Alu,
        to: Reg,
        a: Reg,
        imm: u64,
    },
    /// `(a >> shift) & mask`
    Extract {
        to: Reg,
        a: Reg,
        shift: u8,
        mask: u64,
    },
    /// The same with a shift that is computed.
    ExtractAt {
        to: Reg,
        a: Reg,
        shift: Reg,
        mask: u64,
    },
    /// `a` with the bits of `mask << shift` replaced by those of `value`.
    Insert {
        to: Reg,
        a: Reg,
        value: Reg,
        shift: u8,
        mask: u64,
    },
    /// The same with a shift that is computed.
    InsertAt {
        to: Reg,
        a: Reg,
        value: Reg,
        shift: Reg,
        mask: u64,
    },
    Bits {
        op: Bits,
        to: Reg,
        a: Reg,
    },
    Checked {
        op: Checked,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// `a` if `test` is not zero, `b` otherwise.
    Select {
        to: Reg,
        test: Reg,
        a: Reg,
        b: Reg,
    },
    /// 1 if the test holds, 0 otherwise.
    Compare {
        test: Test,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// A word of a table; an index outside is unusual.
    Table {
        to: Reg,
        table: TableId,
        index: Reg,
    },
    Jump(Label),
    /// Jumps where the test holds.
    Branch {
        test: Test,
        a: Reg,
        b: Reg,
        to: Label,
    },
    /// The same against a constant.
    BranchImm {
        test: Test,
        a: Reg,
        imm: u64,
        to: Label,
    },
    /// Pays for one round of a loop; unusual where nothing is left to pay with.
    Tick,
    /// A successor: the words of its state, then further words that tell outcomes apart.
    Emit(Box<[Reg]>),
    /// The end: an operation has emitted everything; a predicate is true or false.
    Return(bool),
    /// The end: evaluate it in another way.
    Unusual,
}

/// A finished piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// What it does.
    pub ops: Vec<Op>,
    /// How many registers it uses.
    pub regs: usize,
    /// Constant words that it looks things up in.
    pub tables: Vec<Box<[u64]>>,
    /// Halves (32 bits) of a state: its words are in the first registers, two halves each.
    pub row_halves: usize,
    /// Words after the state in each record that is emitted.
    pub extra_words: usize,
}

impl Code {
    /// How many registers the words of a state take.
    pub fn row_words(&self) -> usize {
        self.row_halves.div_ceil(2)
    }

    /// Halves of a record that is emitted.
    pub fn record_halves(&self) -> usize {
        self.row_halves + 2 * self.extra_words
    }
}

/// Builds a [`Code`]: hands out registers and labels, and puts labels in their places.
#[derive(Clone, Debug)]
pub struct CodeBuilder {
    code: Code,
    /// The place of each label, once it is known.
    places: Vec<Option<u32>>,
    overflow: bool,
}

impl CodeBuilder {
    /// An empty code over states of so many halves.
    pub fn new(row_halves: usize, extra_words: usize) -> CodeBuilder {
        let regs = row_halves.div_ceil(2);
        CodeBuilder {
            code: Code { ops: Vec::new(), regs, tables: Vec::new(), row_halves, extra_words },
            places: Vec::new(),
            overflow: false,
        }
    }

    /// A fresh register.
    pub fn reg(&mut self) -> Reg {
        let reg = Reg(u16::try_from(self.code.regs).unwrap_or_else(|_| {
            self.overflow = true;
            0
        }));
        self.code.regs += 1;
        reg
    }

    /// A fresh label, to be placed later.
    pub fn label(&mut self) -> Label {
        self.places.push(None);
        Label(self.places.len() as u32 - 1)
    }

    /// The label is here.
    pub fn place(&mut self, label: Label) {
        self.places[label.0 as usize] = Some(self.code.ops.len() as u32);
    }

    /// Adds an operation.
    pub fn push(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Adds a table.
    pub fn table(&mut self, words: Vec<u64>) -> TableId {
        if let Some(known) = self.code.tables.iter().position(|t| **t == words[..]) {
            return TableId(known as u16);
        }
        self.overflow |= self.code.tables.len() >= usize::from(u16::MAX);
        self.code.tables.push(words.into());
        TableId(self.code.tables.len() as u16 - 1)
    }

    /// How many operations there are.
    pub fn len(&self) -> usize {
        self.code.ops.len()
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.code.ops.is_empty()
    }

    /// The finished code; nothing if it is too large or a label has no place.
    pub fn finish(mut self) -> Option<Code> {
        if self.overflow {
            return None;
        }
        let places: Option<Vec<u32>> = self.places.into_iter().collect();
        let places = places?;
        for op in &mut self.code.ops {
            if let Op::Jump(to) | Op::Branch { to, .. } | Op::BranchImm { to, .. } = op {
                *to = Label(places[to.0 as usize]);
            }
        }
        self.code.verify().ok().map(|()| self.code)
    }
}
