//! One operation of the code after another, as instructions of Cranelift.

use crate::{IS_FALSE, IS_UNUSUAL, NEEDS_ROOM, Parts};
use beeline_fault::{Flaw, planted};
use beeline_ir::{Alu, Bits, Checked, Code, NOT_RUN, Op, Reg, Test};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, Block, Function, InstBuilder, MemFlagsData, Value};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::Module;

/// Makes the function of some codes: `(row, out, room, fuel, ends, left out) -> halves written or a code`.
///
/// If they are `parts`, each notes its end and the next one follows; a single code that is not
/// returns what it came to.
pub(crate) fn function(
    codes: &[&Code],
    parts: Parts,
    tables: &[Vec<Box<[u64]>>],
    func: &mut Function,
    module: &JITModule,
) {
    let mut context = FunctionBuilderContext::new();
    func.signature = module.make_signature();
    for _ in 0..6 {
        func.signature.params.push(AbiParam::new(I64));
    }
    func.signature.returns.push(AbiParam::new(I64));
    let mut b = FunctionBuilder::new(func, &mut context);
    let start = b.create_block();
    b.append_block_params_for_function_params(start);
    b.switch_to_block(start);
    let params: Vec<Value> = b.block_params(start).to_vec();
    let (written, fuel) = (b.declare_var(I64), b.declare_var(I64));
    let unusual = b.create_block();
    let mut t = Translate {
        b,
        code: codes[0],
        tables: &[],
        regs: Vec::new(),
        written,
        fuel,
        params,
        unusual,
        part: None,
        row: Vec::new(),
    };
    t.load_row();
    for (number, code) in codes.iter().enumerate() {
        t.code = code;
        t.tables = &tables[number];
        t.regs = (0..code.regs).map(|_| t.b.declare_var(I64)).collect();
        if parts != Parts::One {
            let before = t.b.use_var(t.written);
            let next = t.b.create_block();
            t.part = Some(Part { number, before, next });
            if number > 0 {
                t.unusual = t.b.create_block();
            }
        }
        if parts == Parts::Some {
            t.leave_out(number);
        }
        t.prologue();
        t.body();
        t.ending();
    }
    if parts != Parts::One {
        let written = t.b.use_var(t.written);
        t.b.ins().return_(&[written]);
    }
    t.b.seal_all_blocks();
    t.b.finalize(module.target_config());
}

/// One of several codes in a function.
struct Part {
    number: usize,
    /// Halves written before it.
    before: Value,
    /// Where the next one begins.
    next: Block,
}

struct Translate<'a, 'f> {
    b: FunctionBuilder<'f>,
    code: &'a Code,
    tables: &'a [Box<[u64]>],
    regs: Vec<Variable>,
    /// Halves written so far, and rounds of loops left.
    written: Variable,
    fuel: Variable,
    /// Row, out, room, fuel, ends, left out.
    params: Vec<Value>,
    unusual: Block,
    part: Option<Part>,
    /// The words of the row.
    row: Vec<Value>,
}

impl Translate<'_, '_> {
    fn get(&mut self, reg: Reg) -> Value {
        self.b.use_var(self.regs[usize::from(reg.0)])
    }

    fn set(&mut self, reg: Reg, value: Value) {
        self.b.def_var(self.regs[usize::from(reg.0)], value);
    }

    fn int(&mut self, value: u64) -> Value {
        self.b.ins().iconst(I64, value as i64)
    }

    /// Loads the row. Nothing is written yet.
    fn load_row(&mut self) {
        let flags = MemFlagsData::new().with_notrap();
        for word in 0..self.code.row_words() {
            let offset = 8 * word as i32;
            let whole = 2 * word + 1 < self.code.row_halves;
            let value = if whole {
                self.b.ins().load(I64, flags, self.params[0], offset)
            } else {
                let half = self.b.ins().load(I32, flags, self.params[0], offset);
                self.b.ins().uextend(I64, half)
            };
            self.row.push(value);
        }
        let zero = self.int(0);
        self.b.def_var(self.written, zero);
    }

    /// Goes on behind the part at hand if its bit says so.
    fn leave_out(&mut self, number: usize) {
        let Some(next) = self.part.as_ref().map(|part| part.next) else { return };
        let (own, written) = (self.int(1 << number), self.b.use_var(self.written));
        self.note_end(number, written);
        let left_out = self.b.ins().band(self.params[5], own);
        self.branch(left_out, next);
    }

    /// Registers begin with the row; everything else begins with zero.
    fn prologue(&mut self) {
        let zero = self.int(0);
        for (i, reg) in self.regs.iter().enumerate() {
            self.b.def_var(*reg, self.row.get(i).copied().unwrap_or(zero));
        }
        self.b.def_var(self.fuel, self.params[3]);
    }

    fn body(&mut self) {
        let ops = &self.code.ops;
        // Where a jump leads, a block begins.
        let mut blocks: Vec<Option<Block>> = vec![None; ops.len()];
        for op in ops {
            if let Op::Jump(to) | Op::Branch { to, .. } | Op::BranchImm { to, .. } = op {
                let at = to.0 as usize;
                if blocks[at].is_none() {
                    blocks[at] = Some(self.b.create_block());
                }
            }
        }
        // Is the block at hand still open?
        let mut open = true;
        for (at, op) in ops.iter().enumerate() {
            if let Some(block) = blocks[at] {
                if open {
                    self.b.ins().jump(block, &[]);
                }
                self.b.switch_to_block(block);
                open = true;
            }
            if open {
                open = self.op(op, &blocks);
            }
        }
        if open {
            let unusual = self.unusual;
            self.b.ins().jump(unusual, &[]);
        }
    }

    /// Goes to `to` if the condition holds, and on otherwise.
    fn branch(&mut self, condition: Value, to: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(condition, to, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// A block that returns a code.
    fn return_code(&mut self, block: Block, code: i64) {
        self.b.switch_to_block(block);
        self.b.set_cold_block(block);
        let value = self.b.ins().iconst(I64, code);
        self.b.ins().return_(&[value]);
    }

    /// What happens where the code at hand is not sure of something, and where it ends.
    fn ending(&mut self) {
        let unusual = self.unusual;
        let Some(part) = self.part.take() else { return self.return_code(unusual, IS_UNUSUAL) };
        self.b.switch_to_block(unusual);
        self.b.set_cold_block(unusual);
        // Records of a code that is given up do not count.
        self.b.def_var(self.written, part.before);
        let nothing = self.int(u64::from(NOT_RUN));
        self.note_end(part.number, nothing);
        self.b.ins().jump(part.next, &[]);
        self.b.switch_to_block(part.next);
    }

    /// Notes where a part ended.
    fn note_end(&mut self, number: usize, end: Value) {
        let flags = MemFlagsData::new().with_notrap();
        let ends = self.params[4];
        self.b.ins().istore32(flags, end, ends, 4 * number as i32);
    }

    /// The code has emitted everything.
    fn done(&mut self) {
        let written = self.b.use_var(self.written);
        match self.part.as_ref().map(|part| (part.number, part.next)) {
            Some((number, next)) => {
                self.note_end(number, written);
                self.b.ins().jump(next, &[]);
            }
            None => {
                self.b.ins().return_(&[written]);
            }
        }
    }

    /// Translates one operation; false if nothing comes after it.
    fn op(&mut self, op: &Op, blocks: &[Option<Block>]) -> bool {
        // Every target has a block.
        let block = |at: u32| blocks[at as usize];
        match op {
            Op::Const { to, value } => {
                let value = self.int(*value);
                self.set(*to, value);
            }
            Op::Copy { to, a } => {
                let value = self.get(*a);
                self.set(*to, value);
            }
            Op::Alu { op, to, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = self.alu(*op, a, b);
                self.set(*to, value);
            }
            Op::AluImm { op, to, a, imm } => {
                let (a, b) = (self.get(*a), self.int(*imm));
                let value = self.alu(*op, a, b);
                self.set(*to, value);
            }
            Op::Extract { to, a, shift, mask } => {
                let (a, shift) = (self.get(*a), self.int(u64::from(*shift)));
                let value = self.extract(a, shift, *mask);
                self.set(*to, value);
            }
            Op::ExtractAt { to, a, shift, mask } => {
                let (a, shift) = (self.get(*a), self.get(*shift));
                let value = self.extract(a, shift, *mask);
                self.set(*to, value);
            }
            Op::Insert { to, a, value, shift, mask } => {
                let shift = self.int(u64::from(*shift));
                self.insert(*to, *a, *value, shift, *mask);
            }
            Op::InsertAt { to, a, value, shift, mask } => {
                let shift = self.get(*shift);
                self.insert(*to, *a, *value, shift, *mask);
            }
            Op::Bits { op, to, a } => {
                let a = self.get(*a);
                let value = self.bits(*op, a);
                self.set(*to, value);
            }
            Op::Checked { op, to, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = self.checked(*op, a, b);
                self.set(*to, value);
            }
            Op::Select { to, test, a, b } => {
                let (test, a, b) = (self.get(*test), self.get(*a), self.get(*b));
                let value = self.b.ins().select(test, a, b);
                self.set(*to, value);
            }
            Op::Compare { test, to, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let bit = self.b.ins().icmp(condition(*test), a, b);
                let value = self.b.ins().uextend(I64, bit);
                self.set(*to, value);
            }
            Op::Table { to, table, index } => {
                let words = &self.tables[usize::from(table.0)];
                let (index, size) = (self.get(*index), words.len() as u64);
                let address = words.as_ptr() as u64;
                let size = self.int(size);
                let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, size);
                let unusual = self.unusual;
                self.branch(outside, unusual);
                let (base, three) = (self.int(address), self.int(3));
                let offset = self.b.ins().ishl(index, three);
                let place = self.b.ins().iadd(base, offset);
                let flags = MemFlagsData::new().with_notrap();
                let value = self.b.ins().load(I64, flags, place, 0);
                self.set(*to, value);
            }
            Op::Jump(to) => {
                if let Some(block) = block(to.0) {
                    self.b.ins().jump(block, &[]);
                }
                return false;
            }
            Op::Branch { test, a, b, to } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let bit = self.b.ins().icmp(condition(*test), a, b);
                if let Some(block) = block(to.0) {
                    self.branch(bit, block);
                }
            }
            Op::BranchImm { test, a, imm, to } => {
                let (a, b) = (self.get(*a), self.int(*imm));
                let bit = self.b.ins().icmp(condition(*test), a, b);
                if let Some(block) = block(to.0) {
                    self.branch(bit, block);
                }
            }
            Op::Tick => {
                let (left, one) = (self.b.use_var(self.fuel), self.int(1));
                let zero = self.int(0);
                let none = self.b.ins().icmp(IntCC::Equal, left, zero);
                let unusual = self.unusual;
                self.branch(none, unusual);
                let left = self.b.ins().isub(left, one);
                self.b.def_var(self.fuel, left);
            }
            Op::Emit(list) => self.emit(list),
            Op::Return(true) => {
                self.done();
                return false;
            }
            Op::Return(false) if self.part.is_some() => {
                let unusual = self.unusual;
                self.b.ins().jump(unusual, &[]);
                return false;
            }
            Op::Return(false) => {
                let value = self.b.ins().iconst(I64, IS_FALSE);
                self.b.ins().return_(&[value]);
                return false;
            }
            Op::Unusual => {
                let unusual = self.unusual;
                self.b.ins().jump(unusual, &[]);
                return false;
            }
        }
        true
    }

    /// Writes one record, or asks for more room.
    fn emit(&mut self, list: &[Reg]) {
        let written = self.b.use_var(self.written);
        let size = self.int(self.code.record_halves() as u64);
        let end = self.b.ins().iadd(written, size);
        let over = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, self.params[2]);
        let full = self.b.create_block();
        let room = self.b.create_block();
        self.b.ins().brif(over, full, &[], room, &[]);
        self.return_code(full, NEEDS_ROOM);
        self.b.switch_to_block(room);
        let two = self.int(2);
        let bytes = self.b.ins().ishl(written, two);
        let place = self.b.ins().iadd(self.params[1], bytes);
        let flags = MemFlagsData::new().with_notrap();
        let mut halves = 0;
        for (i, reg) in list.iter().enumerate() {
            let value = self.get(*reg);
            let offset = 4 * halves as i32;
            if i < self.code.row_words() && halves + 1 == self.code.row_halves {
                self.b.ins().istore32(flags, value, place, offset);
                halves += 1;
            } else {
                self.b.ins().store(flags, value, place, offset);
                halves += 2;
            }
        }
        self.b.def_var(self.written, end);
    }

    fn alu(&mut self, op: Alu, a: Value, b: Value) -> Value {
        let ins = self.b.ins();
        match op {
            Alu::Add => ins.iadd(a, b),
            Alu::Sub => ins.isub(a, b),
            Alu::Mul => ins.imul(a, b),
            Alu::And => ins.band(a, b),
            Alu::Or => ins.bor(a, b),
            Alu::Xor => ins.bxor(a, b),
            Alu::AndNot => ins.band_not(a, b),
            // Cranelift, too, takes the amount of a shift modulo the width.
            Alu::Shl => ins.ishl(a, b),
            Alu::Shr => ins.ushr(a, b),
        }
    }

    fn extract(&mut self, a: Value, shift: Value, mask: u64) -> Value {
        let shifted = self.b.ins().ushr(a, shift);
        if mask == u64::MAX {
            return shifted;
        }
        let mask = self.int(mask);
        self.b.ins().band(shifted, mask)
    }

    fn insert(&mut self, to: Reg, a: Reg, value: Reg, shift: Value, mask: u64) {
        let (a, value, mask) = (self.get(a), self.get(value), self.int(mask));
        let part = self.b.ins().band(value, mask);
        let part = self.b.ins().ishl(part, shift);
        let hole = self.b.ins().ishl(mask, shift);
        let rest = self.b.ins().band_not(a, hole);
        let result = self.b.ins().bor(rest, part);
        self.set(to, result);
    }

    fn bits(&mut self, op: Bits, a: Value) -> Value {
        match op {
            Bits::Count => self.b.ins().popcnt(a),
            // Of zero it is 64 here, too.
            Bits::Lowest => self.b.ins().ctz(a),
            Bits::Highest => {
                let (zeros, top) = (self.b.ins().clz(a), self.int(63));
                self.b.ins().isub(top, zeros)
            }
            Bits::DropLowest => {
                let one = self.int(1);
                let less = self.b.ins().isub(a, one);
                self.b.ins().band(a, less)
            }
        }
    }

    fn checked(&mut self, op: Checked, a: Value, b: Value) -> Value {
        let unusual = self.unusual;
        match op {
            Checked::Add | Checked::Sub | Checked::Mul => {
                let (value, over) = match op {
                    Checked::Add => self.b.ins().sadd_overflow(a, b),
                    Checked::Sub => self.b.ins().ssub_overflow(a, b),
                    _ => self.b.ins().smul_overflow(a, b),
                };
                self.branch(over, unusual);
                value
            }
            Checked::Div => {
                let zero = self.int(0);
                let none = self.b.ins().icmp(IntCC::Equal, b, zero);
                self.branch(none, unusual);
                // The least number by -1 does not fit: no least number is divided here.
                let least = self.b.ins().iconst(I64, i64::MIN);
                let worst = self.b.ins().icmp(IntCC::Equal, a, least);
                let minus = self.b.ins().iconst(I64, -1);
                let other = self.b.ins().icmp(IntCC::Equal, b, minus);
                let both = self.b.ins().band(worst, other);
                self.branch(both, unusual);
                self.b.ins().sdiv(a, b)
            }
            Checked::Mod => {
                let zero = self.int(0);
                let negative = self.b.ins().icmp(IntCC::SignedLessThan, a, zero);
                self.branch(negative, unusual);
                let none = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, b, zero);
                self.branch(none, unusual);
                self.b.ins().urem(a, b)
            }
        }
    }
}

fn condition(test: Test) -> IntCC {
    match test {
        Test::Equal => IntCC::Equal,
        Test::NotEqual => IntCC::NotEqual,
        Test::Less if planted(Flaw::NativeUnsigned) => IntCC::UnsignedLessThan,
        Test::LessEqual if planted(Flaw::NativeUnsigned) => IntCC::UnsignedLessThanOrEqual,
        Test::Greater if planted(Flaw::NativeUnsigned) => IntCC::UnsignedGreaterThan,
        Test::GreaterEqual if planted(Flaw::NativeUnsigned) => IntCC::UnsignedGreaterThanOrEqual,
        Test::Less => IntCC::SignedLessThan,
        Test::LessEqual => IntCC::SignedLessThanOrEqual,
        Test::Greater => IntCC::SignedGreaterThan,
        Test::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
    }
}
