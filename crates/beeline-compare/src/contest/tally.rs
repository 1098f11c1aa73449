//! How much was compared, and how exactly.

use super::config::Config;
use super::outcome::Run;
use crate::machines::Traits;
use crate::plain::Plain;
use beeline::source::{Diagnostics, Severity};
use beeline::symmetry::Mode;
use beeline::verdict::VerdictKind;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// Sums.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Models that were made.
    pub made: u64,
    /// Models that loaded.
    pub loaded: u64,
    /// Checks.
    pub runs: u64,
    exact: u64,
    deferred: u64,
    mixed: u64,
    symbolic: u64,
    symbolic_states: u64,
    included: u64,
    violated: u64,
    fails: u64,
    doubts: BTreeMap<String, u64>,
    refusals: BTreeMap<String, u64>,
    sizes: [u64; 6],
    verdicts: BTreeMap<String, u64>,
    /// Checks that were complete, by switch.
    complete: BTreeMap<&'static str, (u64, u64)>,
    /// Cuts of the plainest run where the reference is exact.
    cuts: BTreeMap<String, u64>,
    /// How often something was done, and how long it took.
    times: BTreeMap<&'static str, (u64, Duration)>,
    /// The model at work.
    pub(super) seed: u64,
    /// What took longest, with the seed of the model.
    slowest: Vec<(Duration, u64, &'static str)>,
}

/// So many of what took longest are told.
const SLOWEST: usize = 8;

/// Upper ends of the classes of sizes.
const SIZES: [u64; 5] = [1, 10, 100, 300, 1_000];

impl Tally {
    /// A model that does not load.
    pub fn refused(&mut self, diagnostics: &Diagnostics) {
        self.made += 1;
        let first = diagnostics.list().iter().find(|d| d.severity == Severity::Error);
        let words = first.map_or("?".to_owned(), |d| format!("{} {}", d.code, d.message));
        *self.refusals.entry(words).or_default() += 1;
    }

    /// A model that loads.
    pub fn model(&mut self, traits: &Traits, plain: &Plain) {
        self.made += 1;
        self.loaded += 1;
        self.deferred += u64::from(traits.deferred);
        self.mixed += u64::from(traits.mixed);
        self.symbolic += u64::from(traits.symbolic);
        self.symbolic_states += u64::from(plain.symbolic);
        self.included += u64::from(traits.included);
        self.exact += u64::from(plain.is_exact());
        self.violated += u64::from(plain.is_violated());
        self.fails += u64::from(plain.fails);
        match &plain.doubt {
            Some(why) => *self.doubts.entry(why.clone()).or_default() += 1,
            None => {
                let class = SIZES.iter().position(|most| plain.states <= *most).unwrap_or(5);
                self.sizes[class] += 1;
            }
        }
    }

    /// A check.
    pub fn run(&mut self, config: &Config, run: &Run, plain: &Plain) {
        // What does not fit was not run.
        self.runs += u64::from(run.unfit.is_none());
        let word = match (run.panicked, &run.unfit) {
            (true, _) => "panic",
            (_, Some(_)) => "does not fit",
            _ => run.verdict.map_or("", VerdictKind::word),
        };
        *self.verdicts.entry(word.to_owned()).or_default() += 1;
        for name in switches(config) {
            let sum = self.complete.entry(name).or_default();
            sum.0 += 1;
            sum.1 += u64::from(
                run.complete || matches!(word, "violated" | "goal_found" | "model_error"),
            );
        }
        if *config == Config::plain() && plain.is_exact() {
            for cut in &run.cuts {
                *self.cuts.entry(format!("{cut:?}")).or_default() += 1;
            }
        }
    }

    /// Something was done that began then.
    pub fn took(&mut self, what: &'static str, begin: Instant) {
        let sum = self.times.entry(what).or_default();
        let time = begin.elapsed();
        *sum = (sum.0 + 1, sum.1 + time);
        self.slow(time, self.seed, what);
    }

    fn slow(&mut self, time: Duration, seed: u64, what: &'static str) {
        if self.slowest.len() < SLOWEST || self.slowest.last().is_some_and(|l| l.0 < time) {
            self.slowest.push((time, seed, what));
            self.slowest.sort_by(|a, b| b.cmp(a));
            self.slowest.truncate(SLOWEST);
        }
    }

    /// Adds the sums of another.
    pub fn merge(&mut self, other: &Tally) {
        let numbers = [
            (&mut self.made, other.made),
            (&mut self.loaded, other.loaded),
            (&mut self.runs, other.runs),
            (&mut self.exact, other.exact),
            (&mut self.deferred, other.deferred),
            (&mut self.mixed, other.mixed),
            (&mut self.symbolic, other.symbolic),
            (&mut self.symbolic_states, other.symbolic_states),
            (&mut self.included, other.included),
            (&mut self.violated, other.violated),
            (&mut self.fails, other.fails),
        ];
        numbers.into_iter().for_each(|(mine, theirs)| *mine += theirs);
        self.sizes.iter_mut().zip(other.sizes).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in [
            (&mut self.doubts, &other.doubts),
            (&mut self.refusals, &other.refusals),
            (&mut self.verdicts, &other.verdicts),
            (&mut self.cuts, &other.cuts),
        ] {
            theirs.iter().for_each(|(k, n)| *mine.entry(k.clone()).or_default() += n);
        }
        other.slowest.iter().for_each(|(time, seed, what)| self.slow(*time, *seed, what));
        for (what, (count, time)) in &other.times {
            let sum = self.times.entry(what).or_default();
            *sum = (sum.0 + count, sum.1 + *time);
        }
        for (name, (all, whole)) in &other.complete {
            let sum = self.complete.entry(name).or_default();
            *sum = (sum.0 + all, sum.1 + whole);
        }
    }

    /// Why models did not load, the most frequent first.
    pub fn refusals(&self) -> Vec<(u64, &str)> {
        let mut all: Vec<_> = self.refusals.iter().map(|(k, n)| (*n, k.as_str())).collect();
        all.sort_by(|a, b| b.cmp(a));
        all
    }
}

/// What is switched on, in words.
fn switches(config: &Config) -> Vec<&'static str> {
    let mut names = vec![match config.tier {
        beeline::Tier::General => "general",
        beeline::Tier::Packed => "packed",
        beeline::Tier::Native => "native",
    }];
    if config.symmetry != Mode::None {
        names.push(config.symmetry.name());
    }
    let on = [
        (config.threads > 1, "threads"),
        (config.order != beeline::explore::Order::BreadthFirst, "other orders"),
        (config.proof == beeline::explore::Proof::On, "proofs"),
        (config.unplanned, "unplanned"),
        (!config.uninterpreted, "interpreted"),
        (config.spill, "spill"),
        (config.resume, "resume"),
        (config.compact, "compact"),
        (config.portions, "portions"),
        (!config.all, "first finding"),
    ];
    names.extend(on.into_iter().filter(|(on, _)| *on).map(|(_, name)| name));
    names
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |n: u64| 100.0 * n as f64 / self.loaded.max(1) as f64;
        writeln!(
            f,
            "{} machines made, {} loaded, {} runs; of the loaded:",
            self.made, self.loaded, self.runs
        )?;
        writeln!(
            f,
            "  deferred sets {:.0} %, beside enumerated or named ones {:.0} %; symbolic {:.0} % (in states {:.0} %); included \
             machines {:.0} %",
            share(self.deferred),
            share(self.mixed),
            share(self.symbolic),
            share(self.symbolic_states),
            share(self.included)
        )?;
        writeln!(
            f,
            "  reference exact {:.0} %, violated {:.0} %, operations that fail {:.0} %",
            share(self.exact),
            share(self.violated),
            share(self.fails)
        )?;
        write!(f, "  states:")?;
        for (class, count) in self.sizes.iter().enumerate() {
            match SIZES.get(class) {
                Some(most) => write!(f, " ≤{most}: {:.0} %", share(*count))?,
                None => write!(f, " more: {:.0} %", share(*count))?,
            }
        }
        writeln!(f, "\n  in doubt: {:?}", self.doubts)?;
        writeln!(f, "  verdicts: {:?}", self.verdicts)?;
        writeln!(f, "  cuts of the plain run where the reference is exact: {:?}", self.cuts)?;
        write!(f, "  milliseconds each:")?;
        for (what, (count, time)) in &self.times {
            let each = time.as_secs_f64() * 1e3 / (*count).max(1) as f64;
            write!(f, " {what} {each:.1} ({count});")?;
        }
        write!(f, "\n  slowest:")?;
        for (time, seed, what) in &self.slowest {
            write!(f, " {} ms, {what} of {seed};", time.as_millis())?;
        }
        write!(f, "\n  complete or decided:")?;
        for (name, (all, whole)) in &self.complete {
            write!(f, " {name} {whole}/{all};")?;
        }
        Ok(())
    }
}
