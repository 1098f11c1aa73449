//! Models in many configurations, held against the reference.
//!
//! For each model [`crate::plain`] says once what there is to find. Then the model is checked in several
//! [`Config`]s, in this process, and each result must fit what the reference and the plainest
//! configuration say ([`compare`]). A difference is shrunk by whoever asks: see [`Contest::shrunk`].
//!
//! A new switch of the checker is a field of [`Config`] and a line in [`Config::all`]. A new kind of
//! model is a function that makes a [`Machine`] from a [`Random`], given to [`Contest::new`].

mod compare;
mod config;
mod outcome;
mod tally;

pub use compare::{Difference, compare};
pub use config::Config;
pub use outcome::{Run, run};
pub use tally::Tally;

use crate::machines::{self, Machine, shrink};
use crate::plain::{self, Bounds, Plain};
use crate::random::Random;
use beeline::model::Model;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the pieces of one difference may be taken away.
const SHRINKING: Duration = Duration::from_secs(20);

/// What makes a model.
pub type Generator = fn(&mut Random) -> Machine;

/// Which configurations a model is checked in, beside the plainest.
#[derive(Clone, Debug)]
pub enum Choice {
    /// So many, by chance.
    Some(usize),
    /// All that have a name.
    All,
    /// These.
    These(Vec<Config>),
}

/// A difference that was found, with the model it was found in.
#[derive(Clone, Debug)]
pub struct Found {
    /// The seed of the model.
    pub seed: u64,
    /// The configuration.
    pub config: Config,
    /// What differs.
    pub difference: Difference,
    /// The model, shrunk.
    pub machine: Machine,
}

/// A contest between configurations.
#[derive(Clone, Debug)]
pub struct Contest {
    generator: Generator,
    choice: Choice,
    bounds: Bounds,
}

impl Contest {
    /// Models from a generator, each in some configurations.
    pub fn new(generator: Generator, choice: Choice) -> Contest {
        Contest { generator, choice, bounds: Bounds::default() }
    }

    /// The model of a seed.
    pub fn machine(&self, seed: u64) -> Machine {
        (self.generator)(&mut Random::new(seed))
    }

    /// Makes one model and checks it; what differs first is returned as it was found.
    pub fn one(&self, seed: u64, tally: &mut Tally) -> Option<Found> {
        begin_work(seed);
        let found = self.checked(seed, tally);
        end_work();
        found
    }

    fn checked(&self, seed: u64, tally: &mut Tally) -> Option<Found> {
        let machine = self.machine(seed);
        let texts = machine.texts();
        let loaded = machines::load(&texts);
        let Some(model) = loaded.model else {
            tally.refused(&loaded.diagnostics);
            return None;
        };
        tally.seed = seed;
        let begin = Instant::now();
        let plain = explored(&model, &texts, self.bounds);
        tally.took("reference", begin);
        tally.model(&machine.traits, &plain);
        let mut configs = self.configs(seed);
        // Little can be compared with what is not known, or not there.
        let is_empty = plain.is_exact() && plain.setups == 0;
        if (!plain.is_exact() || is_empty) && matches!(self.choice, Choice::Some(_)) {
            configs.truncate(if plain.symbolic { 2 } else { 1 });
        }
        let found = hold(&model, &plain, &configs, Some(tally));
        found.map(|(config, difference)| Found { seed, config, difference, machine })
    }

    fn configs(&self, seed: u64) -> Vec<Config> {
        match &self.choice {
            Choice::These(configs) => configs.clone(),
            Choice::All => Config::all(),
            Choice::Some(count) => {
                let mut random = Random::new(seed ^ 0x5EED);
                (0..*count).map(|_| Config::random(&mut random)).collect()
            }
        }
    }

    /// The same difference in a smaller model.
    pub fn shrunk(&self, found: Found) -> Found {
        let wanted = found.difference.kind;
        let (config, bounds) = (found.config.clone(), self.bounds);
        let mut last = found.difference.clone();
        let machine = shrink::shrink(&found.machine, SHRINKING, &mut |machine| match differs(
            &machine.texts(),
            &config,
            bounds,
        ) {
            Some(difference) if difference.kind == wanted => {
                last = difference;
                true
            }
            _ => false,
        });
        Found { machine, difference: last, ..found }
    }
}

/// What the reference says of a model, and what its text says.
fn explored(model: &Model, texts: &[(String, String)], bounds: Bounds) -> Plain {
    let mut plain = plain::explore(model, bounds);
    let says = |what: &str| texts.iter().any(|(_, text)| text.contains(what));
    (plain.unchecked, plain.endless) = (says(machines::UNCHECKED), says(machines::ENDLESS));
    // What only an abstraction names does not matter.
    let is_refinement = texts.first().is_some_and(|(name, _)| name.ends_with(".ref"));
    let read = if is_refinement { &texts[..1] } else { texts };
    // Nor does a goal that has no type, which is told and looked at by nobody.
    let goal = model.special.goal.is_some();
    let lines = read.iter().flat_map(|(_, text)| text.lines());
    let lines = lines.filter(|line| goal || !line.trim_start().starts_with("GOAL == "));
    let whole = lines.collect::<Vec<_>>().join("\n");
    plain.asymmetric = machines::names_forced(&machines::without_unused(&whole));
    plain
}

/// Holds one model against what the reference says of it, which is returned as well; there is none of a
/// model that does not load.
pub fn examine(
    texts: &[(String, String)],
    configs: &[Config],
    bounds: Bounds,
) -> Option<(Plain, Option<(Config, Difference)>)> {
    let model = machines::load(texts).model?;
    let plain = explored(&model, texts, bounds);
    let found = hold(&model, &plain, configs, None);
    Some((plain, found))
}

/// Does a model differ in a configuration?
pub fn differs(texts: &[(String, String)], config: &Config, bounds: Bounds) -> Option<Difference> {
    let model = machines::load(texts).model?;
    let plain = explored(&model, texts, bounds);
    hold(&model, &plain, std::slice::from_ref(config), None).map(|(_, difference)| difference)
}

thread_local! {
    /// Seed and configuration that this thread is at work on, for others to see.
    static AT_WORK: Arc<Mutex<Option<Work>>> = {
        let mine = Arc::default();
        lock(&ALL_WORK).push(Arc::clone(&mine));
        mine
    };
}

static ALL_WORK: Mutex<Vec<Arc<Mutex<Option<Work>>>>> = Mutex::new(Vec::new());

/// What a thread is at work on.
struct Work {
    since: Instant,
    seed: u64,
    config: Option<Config>,
}

fn lock<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn begin_work(seed: u64) {
    let work = Work { since: Instant::now(), seed, config: None };
    AT_WORK.with(|mine| *lock(mine) = Some(work));
}

fn at_work(config: Option<&Config>) {
    AT_WORK.with(|mine| {
        if let Some(work) = lock(mine).as_mut() {
            (work.since, work.config) = (Instant::now(), config.cloned());
        }
    });
}

fn end_work() {
    AT_WORK.with(|mine| *lock(mine) = None);
}

/// Seeds and configurations at which threads have been at work for longer than this.
pub fn overdue(limit: Duration) -> Vec<(u64, String)> {
    let mut late = Vec::new();
    for one in lock(&ALL_WORK).iter() {
        if let Some(work) = lock(one).as_ref().filter(|work| work.since.elapsed() > limit) {
            let what = work.config.as_ref().map_or("the reference".to_owned(), Config::to_string);
            late.push((work.seed, what));
        }
    }
    late
}

/// What a run takes its time for, mostly.
fn kind_of(config: &Config, plain: &Plain) -> &'static str {
    match config.tier {
        _ if !plain.is_exact() => "in doubt",
        _ if config.method.is_some() => "symbolic",
        _ if config.resume => "resume",
        _ if config.spill => "spill",
        beeline::Tier::Native => "native",
        _ if config.threads > 1 => "threads",
        _ if config.symmetry != beeline::symmetry::Mode::None => "symmetry",
        beeline::Tier::Packed => "packed",
        beeline::Tier::General => "general",
    }
}

/// Holds configurations against the reference; the first difference ends it.
pub fn hold(
    model: &Model,
    plain: &Plain,
    configs: &[Config],
    mut tally: Option<&mut Tally>,
) -> Option<(Config, Difference)> {
    let basic = Config::plain();
    at_work(Some(&basic));
    let begin = Instant::now();
    let base = run(model, plain, &basic);
    if let Some(tally) = tally.as_deref_mut() {
        tally.took("plain run", begin);
        tally.run(&basic, &base, plain);
    }
    if let Some(difference) = compare(&basic, &base, plain, None) {
        return Some((basic, difference));
    }
    // What takes the plain run too long takes the others too long: one of them will do.
    let late = base.cuts.contains(&beeline::compile::CutReason::Time);
    for config in configs.iter().take(if late { 1 } else { configs.len() }) {
        at_work(Some(config));
        let begin = Instant::now();
        let own = run(model, plain, config);
        if let Some(tally) = tally.as_deref_mut() {
            tally.took(kind_of(config, plain), begin);
            tally.run(config, &own, plain);
        }
        if let Some(difference) = compare(config, &own, plain, Some(&base)) {
            return Some((config.clone(), difference));
        }
    }
    None
}
