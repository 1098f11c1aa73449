//! Lowering: from typed formulas and plans to word-level code.
//!
//! Everything here is exact or gives up. At compile time giving up is [`No`]: the operation or
//! conjunct is left to the general engine. At run time it is a jump to `unusual`: this one
//! evaluation is left to the general engine. Steps follow the plan of the general engine, so that
//! successors come in the same order.

mod expr;
mod num;
mod plan;
mod pred;
mod relation;
mod set;
mod subst;

pub(crate) use subst::Extra;

use crate::domain::Dom;
use crate::layout::{Layout, Shape};
use crate::source::Consts;
use beeline_ir::{Alu, Code, CodeBuilder, Label, Op, Reg};
use beeline_model::{LocalId, OperationId, Pred, TypeId};
use beeline_plan::PlansOf;
use beeline_value::Val;
use num::{Num, Word};
use rustc_hash::FxHashMap;

/// Why something cannot be lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct No(pub &'static str);

type Res<T> = Result<T, No>;

/// Codes are not longer than this.
const MAX_OPS: usize = 20_000;

/// A value while code is made.
#[derive(Clone, Debug)]
enum Item {
    Int(Num),
    /// A boolean or an element of a given set, by its index.
    Scalar(Dom, Num),
    Pair(Box<Item>, Box<Item>),
    Set(Dom, Vec<Word>),
    Fun(Fun),
    /// A value that is known now; it takes a form when it is used.
    Known(Val, TypeId),
    /// A word of the store.
    Raw(Reg),
}

/// A function in fields.
#[derive(Clone, Debug)]
struct Fun {
    from: Dom,
    to: Dom,
    total: bool,
    /// Registers that hold the fields, and where the first one begins.
    chunks: Vec<(Reg, u32)>,
}

impl Fun {
    fn width(&self) -> u32 {
        Shape::field_width(&self.to, self.total)
    }

    fn per_chunk(&self) -> u64 {
        Shape::fields_per_word(&self.to, self.total)
    }
}

/// Makes one code.
pub(crate) struct Lower<'a, 'm> {
    consts: &'a Consts<'a>,
    layout: &'a Layout,
    plans: &'a PlansOf<'m>,
    b: CodeBuilder,
    /// Where the words of the state are.
    row: Vec<Reg>,
    locals: FxHashMap<LocalId, Item>,
    unusual: Label,
    /// How many times the code at hand is repeated because loops were unrolled.
    copies: usize,
    /// Operations being called.
    calls: Vec<OperationId>,
}

impl<'a, 'm> Lower<'a, 'm> {
    fn new(
        consts: &'a Consts<'a>,
        layout: &'a Layout,
        plans: &'a PlansOf<'m>,
        extra_words: usize,
    ) -> Lower<'a, 'm> {
        let mut b = CodeBuilder::new(layout.halves, extra_words);
        let unusual = b.label();
        let row = (0..layout.words as u16).map(Reg).collect();
        let (locals, calls) = Default::default();
        Lower { consts, layout, plans, b, row, locals, unusual, copies: 1, calls }
    }

    /// A predicate over a state.
    pub fn pred_code(
        consts: &'a Consts<'a>,
        layout: &'a Layout,
        plans: &'a PlansOf<'m>,
        p: &Pred,
    ) -> Res<Code> {
        let mut lower = Lower::new(consts, layout, plans, 0);
        let no = lower.b.label();
        lower.jump_if(p, false, no)?;
        lower.b.push(Op::Return(true));
        lower.b.place(no);
        lower.b.push(Op::Return(false));
        lower.finish()
    }

    fn finish(mut self) -> Res<Code> {
        self.b.place(self.unusual);
        self.b.push(Op::Unusual);
        // Once more at the end: parts that are short each may be long together.
        if self.b.len() > MAX_OPS {
            return Err(No("the code is too long"));
        }
        self.b.finish().ok_or(No("too many registers"))
    }

    /// Goes on unless the code has become too long: then nothing is worth it.
    fn room(&self) -> Res<()> {
        if self.b.len() > MAX_OPS { Err(No("the code is too long")) } else { Ok(()) }
    }

    /// A register with the result of an operation.
    fn emit(&mut self, op: impl FnOnce(Reg) -> Op) -> Reg {
        let to = self.b.reg();
        self.b.push(op(to));
        to
    }

    fn constant(&mut self, value: u64) -> Reg {
        self.emit(|to| Op::Const { to, value })
    }

    fn alu(&mut self, op: Alu, a: Reg, b: Reg) -> Reg {
        self.emit(|to| Op::Alu { op, to, a, b })
    }

    fn alu_imm(&mut self, op: Alu, a: Reg, imm: u64) -> Reg {
        self.emit(|to| Op::AluImm { op, to, a, imm })
    }

    fn jump(&mut self, to: Label) {
        self.b.push(Op::Jump(to));
    }
}
