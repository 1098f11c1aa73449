//! Search orders by name, and in words. What each does with states that wait is in `frontier`.

use std::fmt;

/// A search order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nearest first: traces are as short as can be.
    BreadthFirst,
    /// Newest first.
    DepthFirst,
    /// So many percent newest first, the others oldest first.
    Mixed(u8),
    /// Any.
    Random,
    /// By a hash of the state: any, but always the same.
    Hash,
    /// First what comes from states with few steps.
    OutDegree,
    /// The same, and among equals by hash.
    OutDegreeHash,
    /// Small values first.
    TermSize,
    /// By the model's `HEURISTIC_FUNCTION`.
    Custom,
    /// First what needs the fewest evaluations of invariants.
    Proof,
    /// By the distance to what is looked for.
    Distance,
    /// First what has a value that no state had before.
    Novelty,
    /// Oldest first, and very deep random walks, in turns.
    Probe,
    /// Oldest first, random walks and, where there is a target, by the distance to it, in turns.
    Auto,
    /// Several orders at once, each with a search of its own: whoever is done first wins. Who asks
    /// for an exploration sees to that; here it is [`Order::Auto`].
    Portfolio,
}

/// An order in words: messages, help and the book are made of these.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Its name on the command line; `mixed:P` stands for many.
    pub name: &'static str,
    /// The order.
    pub order: Order,
    /// Which state comes next.
    pub next: &'static str,
    /// What it is good for.
    pub good_for: &'static str,
}

const WORDS: &[Words] = &[
    Words {
        name: "auto",
        order: Order::Auto,
        next: "alternates: oldest first, very deep random walks and, if there is a goal, \
               smallest distance to it. The first 100 states are expanded breadth-first; \
               after 65,536 states it continues breadth-first, because by then the whole \
               state space will probably have to be visited",
        good_for: "everything; the default",
    },
    Words {
        name: "bf",
        order: Order::BreadthFirst,
        next: "the oldest (breadth-first)",
        good_for: "shortest traces; small models",
    },
    Words {
        name: "df",
        order: Order::DepthFirst,
        next: "the newest (depth-first)",
        good_for: "errors at the end of long traces",
    },
    Words {
        name: "mixed:P",
        order: Order::Mixed(50),
        next: "the newest in `P` percent of cases, otherwise the oldest; `mixed` is \
               `mixed:50`",
        good_for: "comparison with ProB's default",
    },
    Words { name: "random", order: Order::Random, next: "a random one", good_for: "a baseline" },
    Words {
        name: "hash",
        order: Order::Hash,
        next: "the one with the smallest hash",
        good_for: "the same, but independent of `--seed`",
    },
    Words {
        name: "out-degree",
        order: Order::OutDegree,
        next: "one whose predecessor has few transitions",
        good_for: "deadlocks",
    },
    Words {
        name: "out-degree-hash",
        order: Order::OutDegreeHash,
        next: "the same, ties broken by hash",
        good_for: "deadlocks",
    },
    Words {
        name: "term-size",
        order: Order::TermSize,
        next: "one with small values",
        good_for: "models in which large values make states slow",
    },
    Words {
        name: "custom",
        order: Order::Custom,
        next: "the one with the smallest value of the model's `HEURISTIC_FUNCTION`",
        good_for: "goals you know something about",
    },
    Words {
        name: "proof",
        order: Order::Proof,
        next: "the one that needs the fewest evaluations of invariants",
        good_for: "correct models with proofs: see [Checking with proofs](proofs.md)",
    },
    Words {
        name: "distance",
        order: Order::Distance,
        next: "the one closest to the goal, or to the target of `--hunt`",
        good_for: "goals",
    },
    Words {
        name: "novelty",
        order: Order::Novelty,
        next: "one in which a variable has a value that it never had before; then the one whose \
               rarest value was seen least often",
        good_for: "errors behind a step that is rarely possible",
    },
    Words {
        name: "probe",
        order: Order::Probe,
        next: "alternates between the oldest and very deep random walks",
        good_for: "errors that are far away in an unknown direction",
    },
    Words {
        name: "portfolio",
        order: Order::Portfolio,
        next: "several of these at once, one per thread; the first answer wins",
        good_for: "many cores and no idea",
    },
];

impl Order {
    /// All orders, in words.
    pub fn words() -> &'static [Words] {
        WORDS
    }

    /// The order of this name on the command line.
    pub fn by_name(name: &str) -> Option<Order> {
        if name == "mixed" {
            return Some(Order::Mixed(50));
        }
        if let Some(percent) = name.strip_prefix("mixed:") {
            let percent: u8 = percent.parse().ok()?;
            return (percent <= 100).then_some(Order::Mixed(percent));
        }
        WORDS.iter().find(|words| words.name == name).map(|words| words.order)
    }

    /// All names, for messages; `mixed:P` stands for many.
    pub fn names() -> Vec<&'static str> {
        WORDS.iter().map(|words| words.name).collect()
    }

    /// Is the first trace to a finding one of the shortest?
    pub fn is_shortest_first(self) -> bool {
        self == Order::BreadthFirst
    }

    /// Does it ask how many steps a state has?
    pub(crate) fn wants_degrees(self) -> bool {
        matches!(self, Order::OutDegree | Order::OutDegreeHash)
    }

    /// Does it ask which state of a wave led to a new one?
    pub(crate) fn wants_ranks(self) -> bool {
        self.wants_degrees() || matches!(self, Order::Probe | Order::Auto | Order::Portfolio)
    }

    /// Can it go on breadth-first when states must move to disk?
    pub(crate) fn can_turn_to_breadth(self) -> bool {
        matches!(self, Order::Probe | Order::Auto | Order::Portfolio)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Mixed(percent) => write!(f, "mixed:{percent}"),
            other => {
                let named = WORDS.iter().find(|words| words.order == *other);
                f.write_str(named.map_or("", |words| words.name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_its_order_and_back() {
        for name in Order::names().into_iter().filter(|n| *n != "mixed:P") {
            assert_eq!(Order::by_name(name).unwrap().to_string(), name);
        }
        assert_eq!(Order::by_name("mixed"), Order::by_name("mixed:50"));
        assert_eq!(Order::by_name("mixed:33").unwrap().to_string(), "mixed:33");
        assert_eq!(Order::by_name("mixed:101"), None);
        assert_eq!(Order::by_name("best"), None);
    }
}
