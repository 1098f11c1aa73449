//! The set of visited states: exact, small, shared by all workers, with a parent for each state.
//!
//! States are vectors of words of one length; what the words mean is not known here, so that they are
//! plain `&[u32]`. A vector is *folded* to one key of 64 bits without loss (`fold`, `nodes`): up to two
//! words are the key itself, longer vectors become a tree of pairs whose parts are shared (`shape` says
//! which). Keys lie in the order in which their states were found (`key_store`), an index by hash leads
//! to them (`index`), and parents take about a byte, because states that were found together have
//! parents that lie together (`parents`).
//!
//! When memory runs short, states can move to disk ([`Table::move_out`]); new ones then count after
//! [`Table::sift`] has held them against those.
//!
//! Insertion happens in *waves*. Workers gather candidates in a [`Batch`] each. One thread settles
//! its batch alone ([`Alone::settle`]). Several put theirs into an [`Exchange`], a bucket for each part of the
//! table, and resolve the parts in parallel; then the new states are numbered as a single thread
//! would have found them. So the number of threads cannot be told afterwards.
//!
//! ```
//! use beeline_table::{Batch, StateId, Table};
//!
//! // Two counters below 3, from (0, 0): breadth first, on one thread.
//! let table = Table::new(2);
//! let (mut batch, mut view) = (Batch::new(1), table.view());
//! table.offer(&mut batch, &mut view, &[0, 0], 0);
//! let mut wave = table.alone().settle(&mut batch, None).expect("there is room");
//! while !wave.is_empty() {
//!     let parents: Vec<StateId> = wave.map(StateId).collect();
//!     for (rank, parent) in parents.iter().enumerate() {
//!         table.load(*parent, &mut view);
//!         let state = [view.words()[0], view.words()[1]];
//!         for next in [[state[0] + 1, state[1]], [state[0], state[1] + 1]] {
//!             if next.iter().all(|counter| *counter < 3) {
//!                 table.offer(&mut batch, &mut view, &next, rank as u32);
//!             }
//!         }
//!     }
//!     wave = table.alone().settle(&mut batch, Some(&parents)).expect("there is room");
//! }
//! assert_eq!(table.len(), 9);
//! assert_eq!(table.parent(StateId(8)), Some(StateId(6)));
//! assert_eq!(table.parent(StateId(0)), None);
//! ```

mod batch;
mod compact;
mod cut;
mod disk;
mod exchange;
mod fold;
mod hash;
mod index;
mod key_store;
mod nodes;
mod parents;
mod shape;
mod table;
mod unproved;

pub use batch::Batch;
pub use compact::omission;
pub use exchange::Exchange;
pub use fold::View;
pub use table::{Alone, Bytes, MOST_PARTS, Reader, StateId, Table};
pub use unproved::ALL_UNPROVED;
