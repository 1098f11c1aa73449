//! Beeline as a library: check, animate and evaluate specifications in classical B and Event-B.
//!
//! # A check
//!
//! A [`Checker`] opens a model, explores every reachable state, and gives an [`Outcome`]. What you do
//! not say is as the program `beeline check` has it.
//!
//! ```
//! use beeline::Checker;
//!
//! # fn main() -> Result<(), beeline::Error> {
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! let outcome = Checker::open("examples/PhoneBook.mch")?
//!     .set_size("PERSON", 2)
//!     .run()?;
//! assert!(outcome.holds());
//! assert_eq!(outcome.counts().states(), 25);
//! println!("{} states, {} transitions", outcome.counts().states(), outcome.counts().transitions);
//! # Ok(()) }
//! ```
//!
//! The [`verdict::Verdict`] says no more than is known. `Holds` can only be made of an exploration from
//! which nothing was left out, `Violated` only of a trace that a second evaluator has replayed. Whatever
//! was left out, a limit that was reached among it, is one of [`Outcome::cuts`].
//!
//! ```
//! use beeline::verdict::Verdict;
//! use beeline::{Checker, explore::Order};
//!
//! # fn main() -> Result<(), beeline::Error> {
//! let endless = "MACHINE Clock VARIABLES t INVARIANT t : NATURAL INITIALISATION t := 0
//!     OPERATIONS tick = BEGIN t := t + 1 END END";
//! let outcome = Checker::from_text(endless)?.search(Order::DepthFirst).max_states(100).run()?;
//! assert!(matches!(outcome.verdict(), Verdict::NoErrorFound(_)));
//! assert_eq!(outcome.cuts()[0].reason, beeline::compile::CutReason::States);
//! # Ok(()) }
//! ```
//!
//! # Event-B
//!
//! Rodin files, folders and archives, packages and text are opened in the same way: what a file is, is told
//! by its content. [`OpenOptions`] chooses a machine of a project, or one level of a refinement chain.
//!
//! ```
//! use beeline::{Checker, OpenOptions};
//!
//! # fn main() -> Result<(), beeline::Error> {
//! let chain = "
//!     machine Hall0 variables n invariants @few n ∈ 0‥9
//!     events
//!       event INITIALISATION then @init n ≔ 0 end
//!       event enter where @room n < 9 then @in n ≔ n + 1 end
//!     end
//!     machine Hall1 refines Hall0 variables n invariants @fewer n ≤ 4
//!     events
//!       event INITIALISATION then @init n ≔ 0 end
//!       event enter refines enter where @room n < 4 then @in n ≔ n + 1 end
//!     end";
//! let whole = Checker::from_text(chain)?.deadlock(false).run()?;
//! assert_eq!(whole.counts().states(), 5);
//! let above = OpenOptions::new().level("Hall0").open_text(chain)?;
//! assert_eq!(Checker::new(above).deadlock(false).run()?.counts().states(), 10);
//! # Ok(()) }
//! ```
//!
//! # Long checks
//!
//! A check tells how far it has come, ends when somebody asks, and can be saved and gone on with
//! ([`Checker::checkpoint`]).
//!
//! ```
//! use beeline::Checker;
//! use beeline::explore::Cancel;
//! use std::sync::atomic::{AtomicU64, Ordering};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), beeline::Error> {
//! let (cancel, most) = (Cancel::new(), AtomicU64::new(0));
//! let outcome = Checker::from_text("MACHINE Clock VARIABLES t INVARIANT t : NATURAL
//!     INITIALISATION t := 0 OPERATIONS tick = BEGIN t := t + 1 END END")?
//!     .timeout(Duration::from_secs(60))
//!     .memory(4 << 30)
//!     .cancel(&cancel)
//!     .on_progress(|progress| {
//!         most.fetch_max(progress.states, Ordering::Relaxed);
//!         cancel.cancel(); // a clone of it may be held by another thread, or by Ctrl-C
//!     })
//!     .run()?;
//! assert!(!outcome.holds() && most.into_inner() <= outcome.counts().nodes);
//! # Ok(()) }
//! ```
//!
//! # Looking around
//!
//! A [`Specification`] is what was opened, and cheap to clone. [`Specification::eval`] answers a formula
//! in its first state, an [`Animator`] walks through it, a [`Replay`] follows a saved trace, and
//! [`StateGraph`] draws it. [`eval`] needs no model at all.
//!
//! # When it goes wrong
//!
//! A model that is wrong is a verdict, not an error. [`Error`] says why there is none: it is an `enum`, it
//! implements [`std::error::Error`], and a model that cannot be read brings all its diagnostics along,
//! each with a stable code and places in the text.
//!
//! ```
//! use beeline::{Checker, Error, OptionError};
//!
//! let error = Checker::from_text("MACHINE M VARIABLES v INVARIANT v : 1..3\nINITIALISATION w := 1 END")
//!     .err().expect("w is not declared");
//! assert_eq!(error.to_string(), "text:2:16: error[B0501]: `w` is not known here");
//! assert_eq!(error.diagnostics()[0].code.to_string(), "B0501");
//!
//! let club = Checker::from_text("MACHINE Club SETS PERSON END").unwrap().set_size("PARSON", 3);
//! assert!(matches!(club.run(), Err(Error::Option(OptionError::UnknownSet(name))) if name == "PARSON"));
//! ```
//!
//! # Behind the door
//!
//! The crates that do the work are re-exported, so that a program needs this one only: [`syntax`] and
//! [`event_b`] read, [`model`] types, [`compile`](mod@compile), [`pack`] and [`value`] run, [`explore`] searches, [`symmetry`]
//! and [`prove`] spare work, [`flow`] tells what operations do to each other, [`judge`] confirms, [`verdict`] decides, [`certify`] proves it once more, [`report`] shows. [`Checked`]
//! and [`CheckOptions`] check a typed model directly. The crates may change with every version; this page
//! is what is kept.
//!
//! Nothing here prints, exits or reads arguments, and no file outside the folder of a model and the declared
//! roots is read.

mod analyse;
mod animator;
mod certificate;
mod check;
mod checker;
mod defaults;
mod direct;
mod error;
mod evaluate;
mod evaluator;
mod eventb;
mod files;
mod format;
mod graph;
mod identity;
mod joined;
mod lts;
mod open;
mod open_options;
mod outcome;
mod parse;
mod plans;
mod refine;
mod replay;
mod scope;
mod specification;
mod stack;
mod watched;

/// The typed model, and how it is made from text.
pub mod model {
    pub use beeline_elaborate::{
        EventbOptions, EventbProject, Loaded, formulas, load, load_project, load_with, stdlib,
    };
    pub use beeline_model::*;
}

pub use analyse::{
    Because, BoundsReport, ConjunctKnown, InScope, Known, NodeKnown, OperationKnown, StatesReport,
    bounds, states,
};
pub use animator::{Animator, Conjunct, LeftOut};
#[cfg(feature = "bench")]
pub use beeline_bench as bench;
pub use beeline_bisimulation as bisimulation;
pub use beeline_bounds as bounds_analysis;
pub use beeline_certify as certify;
pub use beeline_compile as compile;
pub use beeline_eventb as event_b;
pub use beeline_explore as explore;
pub use beeline_flow as flow;
pub use beeline_judge as judge;
pub use beeline_pack as pack;
pub use beeline_plan as plan;
pub use beeline_por as por;
pub use beeline_prove as prove;
pub use beeline_refine as refinement;
pub use beeline_report as report;
pub use beeline_smt as smt;
pub use beeline_source as source;
pub use beeline_symbolic as symbolic;
pub use beeline_symmetry as symmetry;
pub use beeline_syntax as syntax;
pub use beeline_transition as transition;
pub use beeline_value as value;
pub use beeline_verdict as verdict;
pub use certificate::{Certified, NoCertificate};
pub use check::{CheckOptions, Checked, HAS_NATIVE_CODE, Tier, native};
pub use checker::Checker;
pub use defaults::memory_bytes as default_memory_bytes;
pub use direct::Hunt;
pub use error::{
    BreadthFirst, CheckError, CompileFailure, Error, LoadFailure, NoSuchStep, OptionError,
    ReplayFailure,
};
pub use evaluate::{Answer, NoAnswer, evaluate};
pub use evaluator::{Evaluator, eval};
pub use eventb::open_bytes;
pub use files::{FsLoader, MAX_FILE_BYTES, decode, load_diagnostic, read_at_most, read_text};
pub use format::{FormatError, format, print};
pub use graph::{GraphNode, GraphOptions, StateGraph};
pub use identity::identity;
pub use lts::{
    Equivalence, INITIALISATION, Lts, LtsClass, LtsOptions, LtsProgress, LtsVerdict, MinimisedLts,
    StepLabels, compare,
};
pub use open::{open, open_formulas, open_with};
pub use open_options::OpenOptions;
pub use outcome::Outcome;
pub use parse::{ParsedFile, parse_path, parse_text};
pub use plans::{Plan, PlanLine, Plans, plans};
pub use refine::{NoRefinement, Refined, Refiner, Step as RefinedStep};
pub use replay::{Replay, Replayed};
pub use scope::{Scope, compile};
pub use specification::Specification;
pub use stack::on_large_stack;
pub use watched::WorkLimits;

/// Is this a build in which faults can be planted, to see whether they are found? Never the program.
pub const FAULTS_PLANTED: bool = beeline_fault::ENABLED;

/// The examples of the book's page run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/library.md")]
struct Book;
