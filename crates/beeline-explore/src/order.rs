//! Search orders by name. What each does with states that wait is told in `frontier`.

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
    /// Oldest first, and very deep random walks, in turns.
    Probe,
    /// Oldest first, random walks and, where there is a target, by the distance to it, in turns.
    Auto,
    /// Several orders at once, each with a search of its own: whoever is done first wins. Who asks
    /// for an exploration sees to that; here it is [`Order::Auto`].
    Portfolio,
}

/// Orders without a parameter, by name.
const NAMED: &[(&str, Order)] = &[
    ("bf", Order::BreadthFirst),
    ("df", Order::DepthFirst),
    ("random", Order::Random),
    ("hash", Order::Hash),
    ("out-degree", Order::OutDegree),
    ("out-degree-hash", Order::OutDegreeHash),
    ("term-size", Order::TermSize),
    ("custom", Order::Custom),
    ("proof", Order::Proof),
    ("distance", Order::Distance),
    ("probe", Order::Probe),
    ("auto", Order::Auto),
    ("portfolio", Order::Portfolio),
];

impl Order {
    /// The order of this name on the command line.
    pub fn by_name(name: &str) -> Option<Order> {
        if name == "mixed" {
            return Some(Order::Mixed(50));
        }
        if let Some(percent) = name.strip_prefix("mixed:") {
            let percent: u8 = percent.parse().ok()?;
            return (percent <= 100).then_some(Order::Mixed(percent));
        }
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, order)| *order)
    }

    /// All names, for messages; `mixed:P` stands for many.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = NAMED.iter().map(|(name, _)| *name).collect();
        names.insert(2, "mixed:P");
        names
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
                let named = NAMED.iter().find(|(_, order)| order == other);
                f.write_str(named.map_or("", |(name, _)| name))
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
