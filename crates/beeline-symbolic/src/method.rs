//! The methods by name.

use crate::forward::Strategy;

/// How sets of states are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Forward from the initial states.
    Forward(Strategy),
    /// Backward from what is wrong.
    Backward,
    /// Paige and Tarjan, ended early; with `split` marked blocks are split as well.
    Partition {
        /// Are marked blocks split?
        split: bool,
    },
    /// Lee and Yannakakis, as far as invariants need it.
    LeeYannakakis,
    /// Bouajjani, Fernandez and Halbwachs, as far as invariants need it.
    Bouajjani,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 8] = [
        Method::Forward(Strategy::Saturation),
        Method::Forward(Strategy::Chaining),
        Method::Forward(Strategy::BreadthFirst),
        Method::Backward,
        Method::Partition { split: false },
        Method::Partition { split: true },
        Method::LeeYannakakis,
        Method::Bouajjani,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Forward(Strategy::Saturation) => "symbolic",
            Method::Forward(Strategy::Chaining) => "symbolic-chaining",
            Method::Forward(Strategy::BreadthFirst) => "symbolic-bfs",
            Method::Backward => "backward",
            Method::Partition { split: false } => "pt",
            Method::Partition { split: true } => "pt-split",
            Method::LeeYannakakis => "ly",
            Method::Bouajjani => "bfh",
        }
    }

    /// The method of a name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Does it find out which states are reachable?
    pub fn counts(self) -> bool {
        matches!(self, Method::Forward(_))
    }
}
