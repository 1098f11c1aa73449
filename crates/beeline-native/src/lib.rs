//! Word-level code as machine code, by Cranelift.
//!
//! [`Jit`] is a [`beeline_ir::Compiler`]: what it makes of a [`Code`] gives the same outcome and
//! the same records as the interpreter. It is the only crate that knows Cranelift, and the only
//! one that runs machine code.
//!
//! This crate refuses to know what the code means. It relies on [`Code::verify`].

mod translate;

use beeline_ir::{Code, Compiled, CompiledAll, Compiler, FUEL, MOST_HALVES, Outcome};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::sync::{Mutex, OnceLock};

/// Interpreted operations that take as long as to compile one, about.
const PRICE: u64 = 800;
/// Records that are given room for at first.
const FIRST_ROOM: usize = 64;

/// What the machine code is called with: a row, room for records (in halves), how much room, how
/// many rounds of loops, room for the end of each part if there are several, and bits of parts that are
/// left out. It returns halves written, or one of the codes below.
type Entry = extern "C" fn(*const u32, *mut u32, u64, u64, *mut u32, u64) -> i64;

/// Codes that an entry returns.
pub(crate) const IS_FALSE: i64 = -1;
pub(crate) const IS_UNUSUAL: i64 = -2;
pub(crate) const NEEDS_ROOM: i64 = -3;

/// The compiler for the machine that it runs on. It makes nothing if Cranelift does not know that.
#[derive(Default)]
pub struct Jit {
    /// What is made is worth it at once.
    eager: bool,
    /// What the machine can do: found out when something is to be compiled for the first time.
    isa: OnceLock<Option<OwnedTargetIsa>>,
}

impl Jit {
    /// A compiler that has not looked at the machine yet.
    pub fn new() -> Jit {
        Jit::default()
    }

    /// One that is used for what is run a second time: for tests.
    pub fn eager() -> Jit {
        Jit { eager: true, ..Jit::default() }
    }

    fn isa(&self) -> Option<OwnedTargetIsa> {
        let find = || {
            let mut flags = settings::builder();
            flags.set("opt_level", "speed").ok()?;
            flags.set("enable_verifier", "false").ok()?;
            cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()
        };
        self.isa.get_or_init(find).clone()
    }
}

impl Compiler for Jit {
    fn price(&self) -> u64 {
        if self.eager { 0 } else { PRICE }
    }

    fn compile(&self, code: &Code) -> Option<Box<dyn Compiled>> {
        Some(Box::new(machine_code(self.isa()?, &[code], Parts::One)?))
    }

    fn compile_all(&self, codes: &[&Code], leaves_out: bool) -> Option<Box<dyn CompiledAll>> {
        let parts = if leaves_out { Parts::Some } else { Parts::All };
        Some(Box::new(machine_code(self.isa()?, codes, parts)?))
    }
}

/// Longer codes are interpreted: registers are given out in more than linear time, and nothing can stop
/// that while a limit of time passes.
const MAX_OPS: usize = 6_000;

/// What a function runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parts {
    /// One code: it returns what that came to.
    One,
    /// Several codes: it notes where each ends.
    All,
    /// The same, but for those that are left out.
    Some,
}

/// One function that runs all codes.
fn machine_code(isa: OwnedTargetIsa, codes: &[&Code], parts: Parts) -> Option<Native> {
    let row = codes.first()?.row_halves;
    if parts == Parts::Some && codes.len() > u64::BITS as usize {
        return None;
    }
    if codes.iter().map(|c| c.ops.len()).sum::<usize>() > MAX_OPS {
        return None;
    }
    for code in codes {
        code.verify().ok()?;
        if code.row_halves != row {
            return None;
        }
    }
    let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
    let mut context = module.make_context();
    // Tables live as long as the machine code that looks into them.
    let tables: Vec<Vec<Box<[u64]>>> = codes.iter().map(|code| code.tables.clone()).collect();
    translate::function(codes, parts, &tables, &mut context.func, &module);
    let id = module.declare_function("code", Linkage::Export, &context.func.signature).ok()?;
    module.define_function(id, &mut context).ok()?;
    module.finalize_definitions().ok()?;
    let address = module.get_finalized_function(id);
    Some(Native {
        entry: entry(address),
        record: codes.iter().map(|c| c.record_halves()).max()?.max(1),
        row,
        parts: codes.len(),
        _tables: tables,
        _module: Mutex::new(Keep(Some(module))),
    })
}

/// Machine code, and what it needs to stay valid.
struct Native {
    entry: Entry,
    /// Halves of the longest record, and of a row.
    record: usize,
    row: usize,
    parts: usize,
    _tables: Vec<Vec<Box<[u64]>>>,
    _module: Mutex<Keep>,
}

/// The memory of the machine code; it goes when nobody can call it any more.
struct Keep(Option<JITModule>);

impl Drop for Keep {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            free(module);
        }
    }
}

impl Native {
    /// Calls the code with enough room behind the end of `out`; gives what it returned.
    #[inline]
    fn call(&self, row: &[u32], out: &mut Vec<u32>, ends: *mut u32, left_out: u64) -> i64 {
        assert_eq!(row.len(), self.row, "a row of another layout");
        let mut wanted = FIRST_ROOM * self.record;
        loop {
            out.reserve(wanted);
            let spare = out.spare_capacity_mut();
            let room = spare.len().min(MOST_HALVES);
            let (row, place) = (row.as_ptr(), spare.as_mut_ptr().cast());
            let written = (self.entry)(row, place, room as u64, FUEL, ends, left_out);
            if written != NEEDS_ROOM || room >= MOST_HALVES {
                return written;
            }
            wanted = (room * 8).min(MOST_HALVES);
        }
    }
}

impl Compiled for Native {
    fn run(&self, row: &[u32], out: &mut Vec<u32>) -> Outcome {
        match self.call(row, out, std::ptr::null_mut(), 0) {
            IS_FALSE => Outcome::False,
            IS_UNUSUAL | NEEDS_ROOM => Outcome::Unusual,
            halves => {
                extend(out, halves as usize);
                Outcome::True
            }
        }
    }
}

impl CompiledAll for Native {
    fn run(&self, row: &[u32], left_out: u64, out: &mut Vec<u32>, ends: &mut [u32]) -> bool {
        assert_eq!(ends.len(), self.parts, "an end for each part");
        let start = out.len();
        let halves = self.call(row, out, ends.as_mut_ptr(), left_out);
        if halves < 0 {
            return false;
        }
        extend(out, halves as usize);
        if start > 0 {
            let base = start as u32;
            let real = ends.iter_mut().filter(|end| **end != beeline_ir::NOT_RUN);
            real.for_each(|end| *end += base);
        }
        true
    }
}

/// The address of machine code as something that can be called.
#[allow(unsafe_code)]
fn entry(address: *const u8) -> Entry {
    // SAFETY: the address is that of a finished function whose signature `translate` made from the
    // six parameters and the result of `Entry`, with the calling convention of the system. It
    // reads `row_halves` halves of the row (`call` checks that there are so many), writes no more
    // halves than the room it is told and, if it has parts, one end for each (`run` checks that
    // there are so many), and looks into tables with checked indices; `Native` keeps tables and
    // module alive.
    unsafe { std::mem::transmute::<*const u8, Entry>(address) }
}

/// Takes over what machine code wrote behind the end.
#[allow(unsafe_code)]
fn extend(out: &mut Vec<u32>, halves: usize) {
    let end = out.len() + halves;
    assert!(end <= out.capacity(), "more records than there was room for");
    // SAFETY: the code has just written so many halves behind the end, and they fit (see above).
    unsafe { out.set_len(end) }
}

/// Gives the memory of machine code back.
#[allow(unsafe_code)]
fn free(module: JITModule) {
    // SAFETY: only `Native` has the address of the function, and it is being dropped.
    unsafe { module.free_memory() }
}
