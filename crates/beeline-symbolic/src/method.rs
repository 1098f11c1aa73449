//! The methods by name.

use crate::forward::Strategy;

/// How sets of states are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Forward from the initial states.
    Forward(Strategy),
}

impl Method {
    /// Those that have a name of their own.
    pub const ALL: [Method; 3] = [
        Method::Forward(Strategy::Saturation),
        Method::Forward(Strategy::Chaining),
        Method::Forward(Strategy::BreadthFirst),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::Forward(Strategy::Saturation) => "symbolic",
            Method::Forward(Strategy::Chaining) => "symbolic-chaining",
            Method::Forward(Strategy::BreadthFirst) => "symbolic-bfs",
        }
    }

    /// The method of a name.
    pub fn by_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
