//! The set of visited states: exact, small, shared by all workers, with a parent for each state.
//!
//! States are vectors of words of one length; what the words mean is not known here. A vector is
//! *folded* to one key of 64 bits without loss (`fold`, `nodes`): up to two words are the key
//! itself, longer vectors become a tree of pairs whose parts are shared (`shape` says which). Keys lie in the order in
//! which their states were found (`rows`), an index by hash leads to them (`index`), and parents
//! take about a byte, because states that were found together have parents that lie together
//! (`parents`).
//!
//! When memory runs short, states can move to disk ([`Table::move_out`]); new ones then count after
//! [`Table::sift`] has held them against those.
//!
//! Insertion happens in *waves*. Workers gather candidates in a [`Batch`] each. One thread settles
//! its batch alone ([`Alone::settle`]). Several put theirs on [`Piles`], one for each part of the
//! table, and resolve the parts in parallel; then the new states are numbered as a single thread
//! would have found them. So the number of threads cannot be told afterwards.

mod batch;
mod compact;
mod cut;
mod disk;
mod fold;
mod index;
mod nodes;
mod open;
mod parents;
mod piles;
mod rows;
mod shape;
mod table;

pub use batch::Batch;
pub use compact::omission;
pub use fold::View;
pub use open::ALL_OPEN;
pub use piles::Piles;
pub use table::{Alone, Bytes, MOST_PARTS, Reader, StateId, Table};
