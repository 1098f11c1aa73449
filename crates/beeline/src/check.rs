//! Checking a typed model, below [`crate::Checker`]: what can be asked, and what comes of it.

mod auto;
mod finish;
mod partial_order;
mod portfolio;
mod proofs;
mod single;
mod symbolic;

pub(crate) use proofs::interpret_within;

use crate::direct::Hunt;
use crate::error::CheckError;
use crate::scope::Scope;
use beeline_compile::{Policy, System};
use beeline_explore::{Cancel, Options, Order, Progress};
use beeline_ir::Compiler;
use beeline_model::{Model, Pred};
use beeline_symbolic::{Method, Relations};
use beeline_symmetry::{Mode, Reduced};
use beeline_transition::{Constants, State};
use beeline_verdict::Outcome;

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The scope.
    pub scope: Scope,
    /// The exploration.
    pub explore: Options,
    /// A goal in place of the model's own.
    pub goal: Option<Pred>,
    /// Do not look for the model's own goal.
    pub no_goal: bool,
    /// What a search by distance is after, in place of the goal.
    pub hunt: Option<Hunt>,
    /// Which symmetric states count as one.
    pub symmetry: Mode,
    /// Hold what the reduction does against the definition of symmetry.
    pub symmetry_audit: bool,
    /// What is made of steps whose order makes no difference.
    pub partial_order: beeline_por::Usage,
    /// Which tiers of the engine may be used.
    pub engine: Tier,
    /// Compute all results of operations anew, however often the general engine had them before.
    pub forgetful: bool,
    /// Without abstract interpretation: fewer conjuncts are proved, and fewer variables have bounds.
    pub uninterpreted: bool,
    /// In which order conjuncts are taken. Results are the same for all; which of several states or
    /// traces is the first one is not.
    pub policy: Policy,
    /// Whether states are looked at one by one, or as sets.
    pub method: Option<Method>,
    /// Choose between both: see [`Checked::run`]. Then `method` has no effect.
    pub auto: bool,
    /// How relations between sets of states come about.
    pub relations: Relations,
    /// Steps of the judge for one question; as many as time allows if nothing is said. What it does not
    /// confirm within them is undetermined.
    pub judge_steps: Option<u64>,
    /// Keep the states for a certificate.
    pub certified: bool,
}

/// How far the engine may go to be fast. Results are the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Closures over interned values only.
    General,
    /// States packed into bits, operations as word-level code where possible.
    Packed,
    /// The same, with native code for what is hot.
    #[default]
    Native,
}

/// A compiled model and what came of checking it.
pub struct Checked {
    /// The compiled model.
    pub system: System,
    /// The verdict, with everything that is told beside it.
    pub outcome: Outcome,
    /// What symmetry reduction did, if it was asked for.
    pub reduced: Option<Reduced>,
    /// What partial order reduction did, if it was asked for.
    pub partial_order: Option<beeline_por::Told>,
    /// The states that were kept, if somebody asked for them and nothing was left out.
    pub kept: Vec<(Constants, State)>,
}

impl Checked {
    /// Checks a model. `tell` hears of progress, on another thread. With [`CheckOptions::auto`] states are looked at
    /// one by one first; what takes longer than a few seconds is searched symbolically, and if that does not end
    /// either, one by one to the end.
    pub fn run(
        model: &Model,
        options: &CheckOptions,
        cancel: &Cancel,
        tell: &(dyn Fn(Progress) + Sync),
    ) -> Result<Checked, CheckError> {
        match options.explore.order {
            Order::Portfolio => portfolio::run(model, options, cancel, tell),
            _ if options.auto => auto::run(model, options, cancel, tell),
            _ => single::run(model, options, cancel, tell),
        }
    }
}

/// Can this build make native code? If not, the same code is interpreted.
pub const HAS_NATIVE_CODE: bool = cfg!(feature = "jit");

/// The native back end, if it is wanted and there is one. `early`: at once, for tests.
pub fn native(tier: Tier, early: bool) -> Option<Box<dyn Compiler>> {
    #[cfg(feature = "jit")]
    if tier == Tier::Native {
        use beeline_native::Jit;
        return Some(Box::new(if early { Jit::eager() } else { Jit::new() }));
    }
    let _ = (tier, early);
    None
}
