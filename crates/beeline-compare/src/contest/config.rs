//! Ways to check a model that must come to the same.

use crate::random::Random;
use beeline::compile::Policy;
use beeline::explore::{First, Limits, Options, Order, Proof, Skip, Spill};
use beeline::por::Usage;
use beeline::symbolic::{Method, Relations};
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Tier};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A way to check a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How far the engine may go.
    pub tier: Tier,
    /// Which state is next.
    pub order: Order,
    /// Workers.
    pub threads: usize,
    /// Which states count as one.
    pub symmetry: Mode,
    /// Which steps are left out.
    pub partial_order: Usage,
    /// Markers are held against forms.
    pub audit: bool,
    /// What is made of proofs.
    pub proof: Proof,
    /// What is made of operations that are known to be disabled.
    pub skip: Skip,
    /// Conjuncts as they are written.
    pub unplanned: bool,
    /// Without abstract interpretation.
    pub uninterpreted: bool,
    /// Results of operations are remembered.
    pub remember: bool,
    /// Operations are planned again.
    pub replan: bool,
    /// Plans and native code are made after a few states already.
    pub early: bool,
    /// States move to disk.
    pub spill: bool,
    /// The run is stopped and gone on with, again and again.
    pub resume: bool,
    /// States are told apart by a hash.
    pub compact: bool,
    /// Valuations, initial states and steps come two at a time at first.
    pub portions: bool,
    /// Only initial states, and what they lead to, are expanded.
    pub shallow: bool,
    /// Go on after the first finding.
    pub all: bool,
    /// Sets of states instead of states.
    pub method: Option<Method>,
    /// Seed of random orders.
    pub seed: u64,
}

/// States after which some move to disk.
const SPILL_AFTER: usize = 20;

/// Steps that the judge may take to confirm what was found: more than the reference took, and enough
/// for sets of a hundred thousand elements, which some generated machines name.
const JUDGE_STEPS: u64 = 4_000_000;

/// All orders but the plain one, one that needs a formula of the model, and one that is no search.
fn orders() -> Vec<Order> {
    let left_out = [Order::BreadthFirst, Order::Custom, Order::Portfolio];
    let all = Order::words().iter().map(|words| words.order);
    all.filter(|order| !left_out.contains(order)).collect()
}

impl Config {
    /// The plainest: general engine, one thread, everything off.
    pub fn plain() -> Config {
        Config {
            tier: Tier::General,
            order: Order::BreadthFirst,
            threads: 1,
            symmetry: Mode::None,
            partial_order: Usage::Off,
            audit: false,
            proof: Proof::Off,
            skip: Skip::Off,
            unplanned: false,
            uninterpreted: true,
            remember: false,
            replan: false,
            early: false,
            spill: false,
            resume: false,
            compact: false,
            portions: false,
            shallow: false,
            all: true,
            method: None,
            seed: 0,
        }
    }

    /// What a user gets who says nothing.
    pub fn default_run() -> Config {
        Config {
            tier: Tier::Native,
            order: Order::Auto,
            threads: 2,
            symmetry: Mode::Constants,
            proof: Proof::On,
            skip: Skip::Auto,
            uninterpreted: false,
            remember: true,
            replan: true,
            all: false,
            ..Config::plain()
        }
    }

    /// Each switch by itself, and some together.
    pub fn all() -> Vec<Config> {
        let plain = Config::plain;
        let fast = || Config {
            all: true,
            order: Order::BreadthFirst,
            symmetry: Mode::None,
            threads: 1,
            ..Config::default_run()
        };
        let mut all = vec![
            Config::default_run(),
            fast(),
            Config { tier: Tier::Packed, ..fast() },
            Config { tier: Tier::Packed, ..plain() },
            Config { tier: Tier::Native, ..plain() },
            Config { threads: 2, ..fast() },
            Config { threads: 4, tier: Tier::Packed, ..fast() },
            Config { proof: Proof::On, ..plain() },
            Config { proof: Proof::Audit, ..plain() },
            Config { proof: Proof::On, uninterpreted: false, ..plain() },
            Config { proof: Proof::Audit, uninterpreted: false, ..plain() },
            Config { uninterpreted: true, ..fast() },
            Config { uninterpreted: true, tier: Tier::Packed, ..fast() },
            Config { proof: Proof::Audit, ..fast() },
            Config { skip: Skip::On, ..plain() },
            Config { skip: Skip::On, tier: Tier::Packed, ..fast() },
            Config { skip: Skip::On, early: true, ..fast() },
            Config { skip: Skip::On, threads: 2, tier: Tier::Packed, ..fast() },
            Config { skip: Skip::On, portions: true, tier: Tier::Packed, ..fast() },
            Config { skip: Skip::On, spill: true, resume: true, tier: Tier::Packed, ..fast() },
            Config { skip: Skip::On, compact: true, ..plain() },
            Config { skip: Skip::Auto, early: true, ..plain() },
            Config { skip: Skip::Audit, ..plain() },
            Config { skip: Skip::Audit, tier: Tier::Packed, ..fast() },
            Config { unplanned: true, ..plain() },
            Config { unplanned: true, tier: Tier::Packed, ..fast() },
            Config { remember: true, ..plain() },
            Config { remember: false, ..fast() },
            Config { replan: true, ..plain() },
            Config { replan: true, early: true, ..plain() },
            Config { early: true, tier: Tier::Packed, ..fast() },
            Config { early: true, ..fast() },
            Config { replan: false, ..fast() },
            Config { spill: true, ..plain() },
            Config { spill: true, tier: Tier::Packed, threads: 2, ..fast() },
            Config { resume: true, ..plain() },
            Config { resume: true, tier: Tier::Packed, ..fast() },
            Config { resume: true, spill: true, tier: Tier::Packed, ..fast() },
            Config { compact: true, ..plain() },
            Config { shallow: true, ..plain() },
            Config { shallow: true, tier: Tier::Packed, threads: 2, ..fast() },
            Config { compact: true, tier: Tier::Packed, ..fast() },
            Config { order: Order::Portfolio, ..Config::default_run() },
            Config { portions: true, ..plain() },
            Config { portions: true, tier: Tier::Packed, threads: 2, ..fast() },
            Config { portions: true, spill: true, tier: Tier::Packed, ..fast() },
            Config { portions: true, resume: true, tier: Tier::Packed, ..fast() },
            Config { portions: true, compact: true, tier: Tier::Packed, ..fast() },
            Config { portions: true, ..Config::default_run() },
        ];
        let ordered = Usage::On;
        for config in [plain(), Config::default_run(), fast()] {
            all.push(Config { partial_order: ordered, ..config.clone() });
            all.push(Config { partial_order: Usage::Audit, ..config });
        }
        for method in Method::ALL {
            all.push(Config { method: Some(method), ..plain() });
            all.push(Config { method: Some(method), tier: Tier::Packed, ..fast() });
            all.push(Config { method: Some(method), all: false, tier: Tier::Packed, ..fast() });
        }
        for order in orders() {
            all.push(Config { order, partial_order: ordered, ..plain() });
            all.push(Config { order, ..plain() });
            all.push(Config { order, seed: 7, tier: Tier::Packed, ..fast() });
            all.push(Config { order, skip: Skip::On, ..plain() });
        }
        for symmetry in Mode::ALL.into_iter().filter(|m| *m != Mode::None) {
            all.push(Config { symmetry, ..plain() });
            all.push(Config { symmetry, partial_order: ordered, ..plain() });
            all.push(Config { symmetry, tier: Tier::Packed, ..fast() });
            all.push(Config { symmetry, tier: Tier::Packed, order: Order::DepthFirst, ..fast() });
            all.push(Config { symmetry, all: false, ..Config::default_run() });
            all.push(Config { symmetry, audit: true, tier: Tier::Packed, ..fast() });
            all.push(Config { symmetry, audit: true, ..plain() });
            all.push(Config { symmetry, skip: Skip::On, tier: Tier::Packed, ..fast() });
            all.push(Config { symmetry, skip: Skip::Audit, ..plain() });
        }
        all
    }

    /// Any combination that makes sense.
    pub fn random(random: &mut Random) -> Config {
        // Compiling to machine code and starting threads take longer than everything else.
        let tier = match random.below(100) {
            0..20 => Tier::General,
            20..94 => Tier::Packed,
            _ => Tier::Native,
        };
        let mut config = Config {
            tier,
            order: if random.chance(50) { Order::BreadthFirst } else { random.pick(&orders()) },
            threads: if random.chance(88) { 1 } else { random.pick(&[2, 2, 4]) },
            symmetry: if random.chance(45) { Mode::None } else { random.pick(&Mode::ALL) },
            partial_order: Usage::Off,
            audit: random.chance(10),
            proof: random.pick(&[Proof::On, Proof::On, Proof::Off, Proof::Audit]),
            skip: random.pick(&[Skip::On, Skip::On, Skip::Auto, Skip::Off, Skip::Audit]),
            unplanned: random.chance(15),
            uninterpreted: random.chance(25),
            remember: random.chance(80),
            replan: random.chance(80),
            early: false,
            spill: random.chance(3),
            resume: random.chance(2),
            compact: random.chance(4),
            portions: false,
            shallow: random.chance(3),
            all: random.chance(75),
            method: None,
            seed: random.below(1000) as u64,
        };
        config.portions = random.chance(20);
        config.early = random.chance(if config.tier == Tier::Native { 70 } else { 25 });
        if random.chance(1) {
            config = Config { order: Order::Portfolio, ..Config::default_run() };
        } else if random.chance(3) {
            config = Config::default_run();
        }
        config.partial_order = match random.below(100) {
            0..18 => Usage::On,
            18..21 => Usage::Audit,
            _ => Usage::Off,
        };
        if config.spill || config.compact || config.resume || config.shallow {
            config.order = Order::BreadthFirst;
        }
        config.resume &= !config.compact;
        if random.chance(12) {
            let method = Some(random.pick(&Method::ALL));
            let (order, shallow, all) = (Order::BreadthFirst, config.shallow, config.all);
            let (tier, seed) = (config.tier, config.seed);
            config = Config { method, order, shallow, all, tier, seed, ..Config::plain() };
        }
        config
    }

    /// The options of a run. `folder` is for what it writes.
    pub fn options(&self, folder: PathBuf, states: u64, time: Duration) -> CheckOptions {
        let limits = Limits {
            states: Some(states),
            depth: self.shallow.then_some(2),
            time: Some(time),
            ..Limits::default()
        };
        let spill =
            Spill { folder, after_states: self.spill.then_some(SPILL_AFTER), never: !self.spill };
        let few = First { setups: 2, initial: 2, steps: 2 };
        let explore = Options {
            first: if self.portions { few } else { First::default() },
            all: self.all,
            order: self.order,
            threads: self.threads,
            seed: self.seed,
            proof: self.proof,
            skip: self.skip,
            limits,
            hash_compaction: self.compact,
            stats: true,
            replan: self.replan,
            early: self.early,
            spill,
            ..Options::default()
        };
        CheckOptions {
            explore,
            forgetful: !self.remember,
            uninterpreted: self.uninterpreted,
            symmetry: self.symmetry,
            partial_order: self.partial_order,
            symmetry_audit: self.audit,
            engine: self.tier,
            method: self.method,
            // What is made from code is held against its evaluation on the way.
            relations: Relations::Audit,
            judge_steps: Some(JUDGE_STEPS),
            policy: if self.unplanned { Policy::AsWritten } else { Policy::default() },
            ..CheckOptions::default()
        }
    }

    /// Is every state counted by itself?
    pub fn is_unreduced(&self) -> bool {
        self.symmetry == Mode::None && self.partial_order == Usage::Off
    }
}

impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tier = match self.tier {
            Tier::General => "general",
            Tier::Packed => "packed",
            Tier::Native => "native",
        };
        write!(f, "{tier} {} threads={}", self.order, self.threads)?;
        if self.symmetry != Mode::None {
            write!(f, " symmetry={}", self.symmetry.name())?;
        }
        if self.partial_order != Usage::Off {
            write!(f, " por={}", self.partial_order.name())?;
        }
        write!(f, " proof={}", format!("{:?}", self.proof).to_lowercase())?;
        write!(f, " skip={}", format!("{:?}", self.skip).to_lowercase())?;
        let switches = [
            (self.audit, "audit"),
            (self.unplanned, "unplanned"),
            (self.uninterpreted, "uninterpreted"),
            (self.remember, "remember"),
            (self.replan, "replan"),
            (self.early, "early"),
            (self.spill, "spill"),
            (self.resume, "resume"),
            (self.compact, "compact"),
            (self.portions, "portions"),
            (self.shallow, "shallow"),
            (self.all, "all"),
        ];
        for (on, word) in switches {
            if on {
                write!(f, " {word}")?;
            }
        }
        if let Some(method) = self.method {
            write!(f, " method={}", method.name())?;
        }
        if self.seed > 0 {
            write!(f, " seed={}", self.seed)?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Config {
    type Err = String;

    /// As it is shown.
    fn from_str(text: &str) -> Result<Config, String> {
        let mut config =
            Config { proof: Proof::Off, uninterpreted: false, all: false, ..Config::plain() };
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let wrong = || format!("{word} is no part of a configuration");
            match key {
                "general" => config.tier = Tier::General,
                "packed" => config.tier = Tier::Packed,
                "native" => config.tier = Tier::Native,
                "threads" => config.threads = value.parse().map_err(|_| wrong())?,
                "symmetry" => config.symmetry = Mode::by_name(value).ok_or_else(wrong)?,
                "por" => config.partial_order = Usage::by_name(value).ok_or_else(wrong)?,
                "proof" if word.contains('=') => {
                    config.proof = Proof::by_name(value).ok_or_else(wrong)?;
                }
                "skip" if word.contains('=') => {
                    config.skip = Skip::by_name(value).ok_or_else(wrong)?;
                }
                "method" => {
                    config.method = Some(Method::by_name(value).ok_or_else(wrong)?);
                }
                "audit" => config.audit = true,
                "unplanned" => config.unplanned = true,
                "uninterpreted" => config.uninterpreted = true,
                "remember" => config.remember = true,
                "replan" => config.replan = true,
                "early" => config.early = true,
                "spill" => config.spill = true,
                "resume" => config.resume = true,
                "compact" => config.compact = true,
                "portions" => config.portions = true,
                "shallow" => config.shallow = true,
                "all" => config.all = true,
                "seed" => config.seed = value.parse().map_err(|_| wrong())?,
                _ => config.order = Order::by_name(word).ok_or_else(wrong)?,
            }
        }
        Ok(config)
    }
}
