//! Faults that are planted on purpose: what does not find them is no check.
//!
//! Every optimisation has a place where `planted(Flaw::X)` asks whether it is to go wrong. Without the
//! feature `faults` the answer is the constant `false`, and the compiler removes the question. With it,
//! [`plant`] selects one fault for the whole process, and `cargo xtask faults` looks how many random
//! models it takes until somebody notices. This crate knows nothing of what a fault does.

macro_rules! faults {
    ($($(#[doc = $words:literal])+ $name:ident = $word:literal in $part:literal,)*) => {
        /// Something in the program that can go wrong on purpose. (A *fault* is what a model does wrong.)
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Flaw { $($(#[doc = $words])+ $name,)* }

        impl Flaw {
            /// All of them.
            pub const ALL: &'static [Flaw] = &[$(Flaw::$name),*];

            /// Its name on the command line.
            pub fn word(self) -> &'static str {
                match self { $(Flaw::$name => $word),* }
            }

            /// The optimisation that it is about.
            pub fn part(self) -> &'static str {
                match self { $(Flaw::$name => $part),* }
            }

            /// What it does, in words.
            pub fn words(self) -> &'static str {
                match self { $(Flaw::$name => concat!($($words),+).trim_ascii()),* }
            }
        }
    };
}

faults! {
    /// Steps that a state has too many of are taken up again one too late
    LostLateSteps = "lost-late-steps" in "exploration",
    /// The first valuation of the constants of a later portion is lost
    LostPortion = "lost-portion" in "exploration",
    /// Pairs of words that differ in one bit share a number in the table
    FoldMixed = "fold-mixed" in "exploration",
    /// What a checkpoint belongs to is told without the model
    IdentityShort = "identity-short" in "exploration",
    /// Every seventh step that a worker finds in a wave leads nowhere
    LostSuccessor = "lost-successor" in "exploration",
    /// With several threads, a few new states are taken for known ones
    LostWithThreads = "lost-with-threads" in "exploration",
    /// A state that waits for those on disk is taken for known
    LostOnSpill = "lost-on-spill" in "exploration",
    /// The last state that waited in a checkpoint is forgotten
    LostOnResume = "lost-on-resume" in "exploration",
    /// A checkpoint of another model is accepted
    ForeignCheckpoint = "foreign-checkpoint" in "exploration",
    /// Depth-first search forgets a state when many wait
    LostInDepth = "lost-in-depth" in "exploration",
    /// Two states with one short hash are one, in the table of hashes
    CompactCollision = "compact-collision" in "exploration",
    /// Hash compaction is not told
    CompactUntold = "compact-untold" in "verdict",
    /// A second initial state is lost
    LostInitial = "lost-initial" in "exploration",
    /// The limit of depth is not told
    DepthUntold = "depth-untold" in "verdict",
    /// Sets that were enumerated in part are not told
    LargeSetUntold = "large-set-untold" in "verdict",
    /// The limit of time is not told
    TimeUntold = "time-untold" in "verdict",
    /// The limit of states is not told
    StatesUntold = "states-untold" in "verdict",
    /// Temporal formulas that nobody checks are not told
    TemporalUntold = "temporal-untold" in "verdict",
    /// Symbolic values of states that may be equal are not told
    DoubtUntold = "doubt-untold" in "verdict",
    /// The last state that was found is not checked for deadlock
    DeadlockNotChecked = "deadlock-not-checked" in "verdict",
    /// The last conjunct of the invariant is not checked
    InvariantSkipped = "invariant-skipped" in "verdict",
    /// Assertions are not checked
    AssertionSkipped = "assertion-skipped" in "verdict",
    /// A deadlock is told where there is none
    PhantomDeadlock = "phantom-deadlock" in "verdict",
    /// A deadlock is told where there is none, and the judge is not asked
    JudgeNotAsked = "judge-not-asked" in "verdict",
    /// A fault of an operation is not told
    FaultUntold = "fault-untold" in "verdict",
    /// A step from a state in which something failed vouches for what it leads to
    SuspectVouches = "suspect-vouches" in "proofs",
    /// The first variable that an operation writes is taken for unchanged
    WriteForgotten = "write-forgotten" in "proofs",
    /// A disabled operation is taken for disabled though the first variable that a step writes enables it
    SkipWriteForgotten = "skip-write-forgotten" in "skipping",
    /// What is disabled after an operation is taken for disabled after the next one
    SkipOfAnother = "skip-of-another" in "skipping",
    /// What is disabled after steps from proper states is taken for disabled after all
    SkipSuspect = "skip-suspect" in "skipping",
    /// What one step leaves open is closed, though only another one vouched for it
    OpenClosed = "open-closed" in "proofs",
    /// A proof is believed whatever it was a proof of
    StaleProof = "stale-proof" in "proofs",
    /// Conditions are taken for enough to preserve what compares integers
    WrongPreservation = "wrong-preservation" in "proofs",
    /// What was proved of an operation is believed of the next one
    WrongOperation = "wrong-operation" in "proofs",
    /// Abstract states are taken for complete after one round
    AbstractStops = "abstract-stops" in "proofs",
    /// An integer outside its domain takes the place of another one
    FieldWraps = "field-wraps" in "packing",
    /// A value outside its layout ends the search, and the layout is not renewed
    LayoutKept = "layout-kept" in "packing",
    /// Values of two variables share a place in the memory of decoded values
    DecodedMixed = "decoded-mixed" in "packing",
    /// Values of two variables share a place in the memory of encoded values
    EncodedMixed = "encoded-mixed" in "packing",
    /// The last test of a lowered plan is left out
    GuardDropped = "guard-dropped" in "packing",
    /// An operation that does not accord with one that is followed may wait
    DependencyForgotten = "dependency-forgotten" in "partial order",
    /// A lowered loop over bounds ends one too early
    LoweredLoopShort = "lowered-loop-short" in "packing",
    /// Native code compares without signs
    NativeUnsigned = "native-unsigned" in "packing",
    /// The interpreter of codes takes less-or-equal for less
    InterpreterLess = "interpreter-less" in "packing",
    /// Code of the first valuation of the constants serves all
    SharedProgram = "shared-program" in "packing",
    /// A generator between bounds misses the greatest value
    GeneratorShort = "generator-short" in "planner",
    /// A test of a plan that was made again is left out
    ReplanDrops = "replan-drops" in "planner",
    /// A generator over a listed set misses its last element
    EachShort = "each-short" in "planner",
    /// Propagation of sums removes a solution
    SolverRemoves = "solver-removes" in "planner",
    /// Propagation of differences removes a solution
    DifferentRemoves = "different-removes" in "planner",
    /// Remembered results are looked up without the last variable they depend on
    MemoKey = "memo-key" in "memo",
    /// Remembered results are looked up without the valuation of the constants
    MemoSetup = "memo-setup" in "memo",
    /// Values of equal hash are one, and the hash is short
    HashDecides = "hash-decides" in "values",
    /// Symbolic sets are equal if their words are
    SameByWord = "same-by-word" in "values",
    /// Sets of integers lose gaps of one
    GapsClosed = "gaps-closed" in "values",
    /// Large integers are compared by their last digits
    BigCompare = "big-compare" in "values",
    /// A union of sets loses what is in both
    UnionRepeats = "union-repeats" in "values",
    /// Two states with one marker are one, and the marker is short
    MarkerDecides = "marker-decides" in "symmetry",
    /// The bits of a function are signatures of elements, whatever its domain
    SignaturesWrong = "signatures-wrong" in "symmetry",
    /// Forms are remembered when signatures are laid out anew
    FormsKept = "forms-kept" in "symmetry",
    /// Values without nameless elements are taken for nothing
    NamedIgnored = "named-ignored" in "symmetry",
    /// A form is looked up without the last word of the row
    FormOfAnother = "form-of-another" in "symmetry",
    /// Graphs of states are not labelled
    LabelIgnored = "label-ignored" in "symmetry",
    /// All elements of a set are twins in every state
    FalseTwins = "false-twins" in "symmetry",
    /// An element that has a name is permuted
    NamedPermuted = "named-permuted" in "symmetry",
    /// Of valuations of the constants, all but the first are symmetric
    SetupsDropped = "setups-dropped" in "symmetry",
}

impl Flaw {
    /// The fault of a name.
    pub fn by_word(word: &str) -> Option<Flaw> {
        Flaw::ALL.iter().copied().find(|f| f.word() == word)
    }
}

/// Can faults be planted in this build?
pub const ENABLED: bool = cfg!(feature = "faults");

#[cfg(feature = "faults")]
static PLANTED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(usize::MAX);

/// Plants one fault in this process, or none. Without the feature nothing happens.
pub fn plant(flaw: Option<Flaw>) {
    #[cfg(feature = "faults")]
    PLANTED.store(flaw.map_or(usize::MAX, |f| f as usize), std::sync::atomic::Ordering::SeqCst);
    #[cfg(not(feature = "faults"))]
    let _ = flaw;
}

/// Is this to go wrong? Never, in what is shipped.
#[inline(always)]
pub fn planted(flaw: Flaw) -> bool {
    #[cfg(feature = "faults")]
    return PLANTED.load(std::sync::atomic::Ordering::Relaxed) == flaw as usize;
    #[cfg(not(feature = "faults"))]
    {
        let _ = flaw;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_planted_by_itself_and_names_are_unique() {
        assert!(Flaw::ALL.iter().all(|f| !planted(*f)));
        assert!(Flaw::ALL.iter().all(|f| Flaw::by_word(f.word()) == Some(*f)));
        plant(Some(Flaw::LostSuccessor));
        assert_eq!(planted(Flaw::LostSuccessor), ENABLED);
        assert!(!planted(Flaw::LostOnSpill));
        plant(None);
        assert!(!planted(Flaw::LostSuccessor));
    }
}
