//! Code as text, for people who look into it.

use crate::code::{Code, Op};
use std::fmt;

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, op) in self.ops.iter().enumerate() {
            match op {
                Op::Jump(to) => writeln!(f, "{i:4} jump {}", to.0)?,
                Op::Branch { test, a, b, to } => {
                    writeln!(f, "{i:4} r{} {test:?} r{} -> {}", a.0, b.0, to.0)?;
                }
                Op::BranchImm { test, a, imm, to } => {
                    writeln!(f, "{i:4} r{} {test:?} {imm} -> {}", a.0, to.0)?;
                }
                other => writeln!(f, "{i:4} {other:?}")?,
            }
        }
        Ok(())
    }
}
