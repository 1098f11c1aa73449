//! Word-level code as machine code, by Cranelift.
//!
//! [`Jit`] is a [`beeline_ir::Compiler`]: what it makes of a [`Code`] gives the same outcome and
//! the same records as the interpreter. It is the only crate that knows Cranelift, and the only
//! one that runs machine code.
//!
//! This crate refuses to know what the code means. It relies on [`Code::verify`].

mod translate;

use beeline_ir::{Code, Compiled, Compiler, FUEL, MOST_HALVES, Outcome};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::sync::{Arc, Mutex};

/// Records that are given room for at first.
const FIRST_ROOM: usize = 64;

/// What the machine code is called with: a row, room for records (in halves), how much room, how
/// many rounds of loops. It returns halves written, or one of the codes below.
type Entry = extern "C" fn(*const u32, *mut u32, u64, u64) -> i64;

/// Codes that an entry returns.
pub(crate) const IS_FALSE: i64 = -1;
pub(crate) const IS_UNUSUAL: i64 = -2;
pub(crate) const NEEDS_ROOM: i64 = -3;

/// The compiler.
#[derive(Default)]
pub struct Jit {}

impl Jit {
    /// A compiler for the machine that it runs on; nothing if Cranelift does not know it.
    pub fn new() -> Option<Jit> {
        cranelift_native::builder().ok().map(|_| Jit {})
    }
}

impl Compiler for Jit {
    fn compile(&self, code: &Code) -> Option<Box<dyn Compiled>> {
        code.verify().ok()?;
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("enable_verifier", "false").ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        // Tables live as long as the machine code that looks into them.
        let tables: Arc<[Box<[u64]>]> = code.tables.clone().into();
        translate::function(code, &tables, &mut context.func, &module);
        let id = module.declare_function("code", Linkage::Export, &context.func.signature).ok()?;
        module.define_function(id, &mut context).ok()?;
        module.finalize_definitions().ok()?;
        let address = module.get_finalized_function(id);
        Some(Box::new(Native {
            entry: entry(address),
            record: code.record_halves().max(1),
            row: code.row_halves,
            _tables: tables,
            _module: Mutex::new(Keep(Some(module))),
        }))
    }
}

/// Machine code, and what it needs to stay valid.
struct Native {
    entry: Entry,
    /// Halves of a record and of a row.
    record: usize,
    row: usize,
    _tables: Arc<[Box<[u64]>]>,
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

impl Compiled for Native {
    fn run(&self, row: &[u32], out: &mut Vec<u32>) -> Outcome {
        assert_eq!(row.len(), self.row, "a row of another layout");
        let mut wanted = FIRST_ROOM * self.record;
        loop {
            out.reserve(wanted);
            let spare = out.spare_capacity_mut();
            let room = spare.len().min(MOST_HALVES);
            let written = (self.entry)(row.as_ptr(), spare.as_mut_ptr().cast(), room as u64, FUEL);
            match written {
                IS_FALSE => return Outcome::False,
                IS_UNUSUAL => return Outcome::Unusual,
                NEEDS_ROOM if room < MOST_HALVES => wanted = (room * 8).min(MOST_HALVES),
                NEEDS_ROOM => return Outcome::Unusual,
                halves => {
                    extend(out, halves as usize);
                    return Outcome::True;
                }
            }
        }
    }
}

/// The address of machine code as something that can be called.
#[allow(unsafe_code)]
fn entry(address: *const u8) -> Entry {
    // SAFETY: the address is that of a finished function whose signature `translate` made from the
    // four parameters and the result of `Entry`, with the calling convention of the system. It
    // reads `row_halves` halves of the row (`run` checks that there are so many), writes no more
    // halves than the room it is told, and looks into tables with checked indices; `Native` keeps
    // tables and module alive.
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
