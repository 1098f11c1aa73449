//! Integers without bound: words first, large ones only when they must be.

use crate::node::Node;
use crate::{Store, Val};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

impl Store {
    /// The integer behind a value, if it fits 64 bits.
    #[inline]
    pub fn as_i64(&self, value: Val) -> Option<i64> {
        match value.as_small_int() {
            Some(small) => Some(small),
            None => match self.node(value) {
                Some(Node::Int(big)) => big.to_i64(),
                _ => None,
            },
        }
    }

    /// The integer behind a value.
    pub fn as_big(&self, value: Val) -> Option<BigInt> {
        match value.as_small_int() {
            Some(small) => Some(BigInt::from(small)),
            None => match self.node(value) {
                Some(Node::Int(big)) => Some(big.clone()),
                _ => None,
            },
        }
    }

    /// Is it an integer?
    pub fn is_int(&self, value: Val) -> bool {
        value.as_small_int().is_some() || matches!(self.node(value), Some(Node::Int(_)))
    }
}
