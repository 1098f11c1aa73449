//! Certificates of checks: made of what a search kept, and looked at by those who have no reason to trust it.

use crate::outcome::Outcome;
use crate::specification::Specification;
use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_certify::{
    Accepted, Asked, Certificate, Claimed, Incomplete, Kept, Known, Refused, Scope, Shown, certify,
    complete, write,
};
use beeline_compile::{ConstantsRef, StateRef};
use beeline_explore::{FindingKind, Path};
use beeline_judge::{Judge, State, Value};
use beeline_model::{ConjunctId, ConstantId, Model, SetId};
use beeline_symmetry::Mode;
use beeline_verdict::{Tracer, Verdict, judge_settings};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why there is no certificate of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoCertificate {
    /// Only `holds` and `violated` can be proved.
    Verdict(&'static str),
    /// The states were not kept: nobody asked for that.
    NotKept,
    /// Something was done that a certificate has no words for.
    Unsupported(&'static str),
    /// A value cannot be listed.
    NotListed,
    /// With symmetry: a state was not found among those that were kept.
    Incomplete(Incomplete),
}

impl fmt::Display for NoCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCertificate::Verdict(word) => {
                write!(f, "a certificate proves holds or violated; the verdict is {word}")
            }
            NoCertificate::NotKept => f.write_str("the states were not kept"),
            NoCertificate::Unsupported(what) => write!(f, "a certificate has no words for {what}"),
            NoCertificate::NotListed => f.write_str("a value cannot be listed"),
            NoCertificate::Incomplete(Incomplete::TooMany) => {
                f.write_str("there are too many permutations to look for the right ones")
            }
            NoCertificate::Incomplete(Incomplete::Lost(why)) => why.fmt(f),
        }
    }
}

impl std::error::Error for NoCertificate {}

impl Outcome {
    /// What the search kept, as bytes that [`Specification::certify`] accepts as a proof of the verdict. The check
    /// must have been asked to keep it ([`crate::Checker::certified`]).
    pub fn certificate(&self, limits: &WorkLimits) -> Result<Vec<u8>, NoCertificate> {
        let stop = Arc::default();
        let (bytes, _) = limits.watch(&stop, || on_large_stack(|| self.certificate_until(&stop)));
        bytes
    }

    fn certificate_until(&self, stop: &Arc<AtomicBool>) -> Result<Vec<u8>, NoCertificate> {
        if self.partial_order().is_some() {
            return Err(NoCertificate::Unsupported("partial order reduction"));
        }
        if self.exploration().symbolic.is_some() {
            return Err(NoCertificate::Unsupported("searches over sets of states"));
        }
        if self.refined().is_some() {
            return Err(NoCertificate::Unsupported("refinement"));
        }
        let (system, model) = (self.system(), self.specification().model());
        let settings = system.settings();
        let sets = system.set_sizes().iter();
        let scope = Scope {
            sets: sets.map(|(n, size)| (n.clone(), u32::try_from(*size).unwrap_or(0))).collect(),
            maxint: settings.max_int,
            minint: settings.min_int,
        };
        let checks = self.checks();
        let asked = Asked {
            invariants: checks.invariants,
            assertions: checks.assertions,
            deadlock: checks.deadlock,
            goal: checks.goal,
        };
        let mut judge = Judge::new(model, judge_settings(model, system));
        judge.stop_when(stop.clone());
        let claimed = match self.verdict() {
            Verdict::Holds(_) => {
                let mut kept = self.kept_states(model, &judge)?;
                let (moved, setups_only) = self.moved(model);
                let told = (moved.as_slice(), setups_only);
                complete(model, &scope, &mut kept, told, stop)
                    .map_err(NoCertificate::Incomplete)?;
                Claimed::Holds(kept)
            }
            Verdict::Violated(confirmed) => {
                let finding = self.exploration().findings.get(confirmed.finding());
                let finding = finding.ok_or(NoCertificate::NotKept)?;
                let shown = match finding.kind {
                    FindingKind::Violated(ConjunctId::Invariant(n)) => Shown::Invariant(n),
                    FindingKind::Violated(ConjunctId::Assertion(n)) => Shown::Assertion(n),
                    FindingKind::Deadlock => Shown::Deadlock,
                    _ => return Err(NoCertificate::Unsupported("this kind of finding")),
                };
                Claimed::Violated(self.known(model, &judge, &finding.path)?, shown)
            }
            verdict => return Err(NoCertificate::Verdict(verdict.word())),
        };
        write(&Certificate { scope, asked, claimed }).ok_or(NoCertificate::NotListed)
    }

    /// Which sets have elements that were permuted, and whether that was done with constants only.
    fn moved(&self, model: &Model) -> (Vec<SetId>, bool) {
        let Some(reduced) = self.symmetry() else { return (Vec::new(), true) };
        let place = |name: &String| model.sets.iter().position(|s| *s.name == **name);
        let sets = reduced.sets.iter().filter_map(|(name, _)| place(name));
        let sets = sets.map(|n| SetId(n as u32)).collect();
        match reduced.mode {
            Mode::None => (Vec::new(), true),
            mode => (sets, mode == Mode::Constants),
        }
    }

    fn kept_states(&self, model: &Model, judge: &Judge<'_>) -> Result<Kept, NoCertificate> {
        let mut tracer = Tracer::new(self.system());
        let mut numbers: BTreeMap<Vec<Value>, u32> = BTreeMap::new();
        let mut kept = Kept::default();
        let states = self.kept();
        if states.is_empty() {
            return Err(NoCertificate::NotKept);
        }
        for (constants, state) in states {
            let (setup, values) =
                values(model, judge, &mut tracer, (constants.view(), state.view()))?;
            let next = numbers.len() as u32;
            let number = *numbers.entry(setup).or_insert(next);
            kept.states.push((number, values));
        }
        kept.setups = vec![Vec::new(); numbers.len()];
        for (setup, number) in numbers {
            kept.setups[number as usize] = setup;
        }
        Ok(kept)
    }

    fn known(&self, model: &Model, judge: &Judge<'_>, path: &Path) -> Result<Known, NoCertificate> {
        let mut tracer = Tracer::new(self.system());
        let trace = tracer.trace(judge, path).map_err(|_| NoCertificate::NotListed)?;
        let initial = trace.initial.ok_or(NoCertificate::Unsupported("this kind of finding"))?;
        let operations = &model.concrete().operations;
        let step = |step: &beeline_judge::TraceStep| {
            let number = operations.iter().position(|o| *o == step.operation)? as u32;
            Some((number, step.arguments.clone(), variables(model, &step.state)?))
        };
        let known = || {
            Some(Known {
                setup: constants(model, &trace.setup)?,
                initial: variables(model, &initial)?,
                steps: trace.steps.iter().map(step).collect::<Option<_>>()?,
            })
        };
        known().ok_or(NoCertificate::NotListed)
    }
}

type Row = Vec<Value>;

fn values(
    model: &Model,
    judge: &Judge<'_>,
    tracer: &mut Tracer<'_>,
    (at, state): (ConstantsRef<'_>, StateRef<'_>),
) -> Result<(Row, Row), NoCertificate> {
    let path = Path { constants: at.owned(), initial: Some(state.owned()), ..Path::default() };
    let trace = tracer.trace(judge, &path).map_err(|_| NoCertificate::NotListed)?;
    let both =
        || Some((constants(model, &trace.setup)?, variables(model, trace.initial.as_ref()?)?));
    both().ok_or(NoCertificate::NotListed)
}

fn constants(model: &Model, state: &State) -> Option<Row> {
    let ids = (0..model.constants.len()).map(|n| ConstantId(n as u32));
    ids.map(|id| state.constant(id).cloned()).collect()
}

fn variables(model: &Model, state: &State) -> Option<Row> {
    model.concrete().variables.iter().map(|id| state.variable(*id).cloned()).collect()
}

/// What came of looking at a certificate.
#[derive(Debug)]
pub struct Certified {
    /// What it says.
    pub certificate: Certificate,
    /// Is it a proof?
    pub result: Result<Accepted, Refused>,
}

impl Specification {
    /// Does a certificate prove its verdict of this specification? Nothing in it is believed.
    pub fn certify(
        &self,
        bytes: &[u8],
        limits: &WorkLimits,
    ) -> Result<Certified, beeline_certify::Damage> {
        let certificate = beeline_certify::read(bytes)?;
        let stop = Arc::default();
        let (result, _) =
            limits.watch(&stop, || on_large_stack(|| certify(self.model(), &certificate, &stop)));
        Ok(Certified { certificate, result })
    }
}
