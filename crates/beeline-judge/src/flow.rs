//! Going through values: on to the next, or out because enough was seen.

use crate::error::Eval;
use crate::value::Value;
use std::ops::ControlFlow;

/// Go on, or stop because enough was seen.
pub(crate) type Flow = Eval<ControlFlow<()>>;

/// What happens to each element.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(Value) -> Flow;

/// Passes a stop on.
macro_rules! go {
    ($flow:expr) => {
        if $flow?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    };
}
pub(crate) use go;
