//! The interner: nodes are added under a sharded lock and read without any.

use crate::node::{Elems, Node};
use crate::{Val, hash};
use beeline_fault::{Flaw, planted};
use hashbrown::HashTable;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::mem::discriminant;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

const SHARDS: usize = 64;
/// The first chunk holds so many nodes, the next ones twice as many each …
const FIRST: usize = 256;
/// … until all further ones hold so many: growing takes a few megabytes at a time.
const LAST: usize = 1 << 16;
/// Chunks below that size.
const GROWING: usize = (LAST / FIRST).ilog2() as usize;
const MAX_NODES: u32 = 1 << 29;
const CHUNKS: usize = GROWING + MAX_NODES as usize / LAST + 1;
/// Chunks that every store has room for; the list of the others is made when one is needed.
const NEAR: usize = 64;

struct Entry {
    hash: u64,
    node: Node,
}

type Chunk = Box<[OnceLock<Entry>]>;

/// A table of hash-consed values, shared by all threads.
///
/// It only grows. [`Store::bytes`] says how much it holds, so that a caller can keep a budget.
pub struct Store {
    near: [OnceLock<Chunk>; NEAR],
    far: OnceLock<Box<[OnceLock<Chunk>]>>,
    shards: Vec<Mutex<HashTable<u32>>>,
    next: AtomicU32,
    heap: AtomicUsize,
    has_opaque: AtomicBool,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// An empty store: it knows `{}` only.
    pub fn new() -> Store {
        let store = Store {
            near: [const { OnceLock::new() }; NEAR],
            far: OnceLock::new(),
            shards: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
            next: AtomicU32::new(0),
            heap: AtomicUsize::new(0),
            has_opaque: AtomicBool::new(false),
        };
        let empty = store.intern(Node::Set(Box::new([])));
        debug_assert_eq!(empty, Val::EMPTY);
        store
    }

    /// How many values are interned.
    pub fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    /// Never: `{}` is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Roughly how many bytes the values take.
    pub fn bytes(&self) -> usize {
        self.heap.load(Ordering::Relaxed) + self.len() * (size_of::<OnceLock<Entry>>() + 8)
    }

    /// The chunk of a node, its place there, and the size of the chunk.
    #[inline]
    fn position(index: u32) -> (usize, usize, usize) {
        let shifted = index as usize + FIRST;
        if shifted < LAST {
            let chunk = (shifted / FIRST).ilog2() as usize;
            (chunk, shifted - (FIRST << chunk), FIRST << chunk)
        } else {
            (GROWING + shifted / LAST - 1, shifted % LAST, LAST)
        }
    }

    #[inline]
    fn chunk(&self, chunk: usize) -> &OnceLock<Chunk> {
        match self.near.get(chunk) {
            Some(near) => near,
            None => {
                let list = || (NEAR..CHUNKS).map(|_| OnceLock::new()).collect();
                &self.far.get_or_init(list)[chunk - NEAR]
            }
        }
    }

    fn entry(&self, index: usize) -> &Entry {
        let (chunk, offset, _) = Store::position(index as u32);
        // A `Val` is only made after its entry was set, so both cells are full.
        match self.chunk(chunk).get().and_then(|c| c[offset].get()) {
            Some(entry) => entry,
            None => unreachable!("a value of another store"),
        }
    }

    /// The node of a value, if it is not immediate.
    #[inline]
    pub fn node(&self, value: Val) -> Option<&Node> {
        value.node_index().map(|i| &self.entry(i).node)
    }

    /// A hash of the content: equal in every process, whatever was interned before.
    #[inline]
    pub fn hash(&self, value: Val) -> u64 {
        match value.node_index() {
            Some(index) => self.entry(index).hash,
            None => hash::mix(0xB0, u64::from(value.raw())),
        }
    }

    fn hash_node(&self, node: &Node) -> u64 {
        let list = |seed: u64, values: &[Val]| {
            values
                .iter()
                .fold(hash::mix(seed, values.len() as u64), |h, v| hash::mix(h, self.hash(*v)))
        };
        match node {
            Node::Int(i) => hash::bytes(1, &i.to_signed_bytes_le()),
            Node::Real(bits) => hash::mix(2, *bits),
            Node::Str(text) => hash::bytes(3, text.as_bytes()),
            Node::Pair(a, b) => hash::mix(hash::mix(4, self.hash(*a)), self.hash(*b)),
            Node::Set(elems) => list(5, elems),
            Node::Range(lo, hi) => hash::mix(hash::mix(6, *lo as u64), *hi as u64),
            Node::Rel(left, right) => hash::mix(list(7, left), list(8, right)),
            Node::Rec(fields) => list(9, fields),
            Node::Free(ty, constructor, argument) => {
                let head = hash::mix(hash::mix(10, u64::from(*ty)), u64::from(*constructor));
                argument.map_or(head, |a| hash::mix(head, self.hash(a)))
            }
            Node::Sym(tag, args) => list(hash::mix(11, u64::from(*tag)), args),
        }
    }

    fn heap_bytes(node: &Node) -> usize {
        match node {
            Node::Set(v) | Node::Rec(v) | Node::Sym(_, v) => v.len() * 4,
            Node::Rel(l, _) => l.len() * 8,
            Node::Str(s) => s.len(),
            Node::Int(i) => i.bits() as usize / 8,
            _ => 0,
        }
    }

    /// Is there a value that its word does not tell from others?
    pub fn has_opaque(&self) -> bool {
        self.has_opaque.load(Ordering::Relaxed)
    }

    /// The value of a node in canonical form.
    pub(crate) fn intern(&self, node: Node) -> Val {
        let hash = self.hash_node(&node);
        let opaque = is_opaque(&node);
        let decides = planted(Flaw::HashDecides);
        let hash = if decides { hash % 1024 } else { hash };
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&index) = table.find(hash, |&i| {
            let entry = self.entry(i as usize);
            entry.hash == hash
                && (entry.node == node
                    || decides && discriminant(&entry.node) == discriminant(&node))
        }) {
            return Val::node(index, opaque);
        }
        if opaque {
            self.has_opaque.store(true, Ordering::Relaxed);
        }
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        // A budget stops every run long before: so many nodes are more than 24 GB.
        assert!(index < MAX_NODES, "half a billion interned values");
        self.heap.fetch_add(Store::heap_bytes(&node), Ordering::Relaxed);
        let (chunk, offset, size) = Store::position(index);
        let cells = self.chunk(chunk).get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        let _ = cells[offset].set(Entry { hash, node });
        table.insert_unique(hash, index, |&i| self.entry(i as usize).hash);
        Val::node(index, opaque)
    }

    /// An integer.
    #[inline]
    pub fn int(&self, value: i64) -> Val {
        Val::small_int(value).unwrap_or_else(|| self.intern(Node::Int(BigInt::from(value))))
    }

    /// An integer of any size.
    pub fn big_int(&self, value: BigInt) -> Val {
        match value.to_i64().and_then(Val::small_int) {
            Some(small) => small,
            None => self.intern(Node::Int(value)),
        }
    }

    /// A string.
    pub fn string(&self, text: &str) -> Val {
        self.intern(Node::Str(text.into()))
    }

    /// A real number; all zeros and all NaNs are one.
    pub fn real(&self, value: f64) -> Val {
        let value = if value == 0.0 {
            0.0
        } else if value.is_nan() {
            f64::NAN
        } else {
            value
        };
        self.intern(Node::Real(value.to_bits()))
    }

    /// A pair.
    pub fn pair(&self, left: Val, right: Val) -> Val {
        self.intern(Node::Pair(left, right))
    }

    /// A record.
    pub fn record(&self, fields: Vec<Val>) -> Val {
        self.intern(Node::Rec(fields.into()))
    }

    /// A value of a free type.
    pub fn free(&self, ty: u32, constructor: u32, argument: Option<Val>) -> Val {
        self.intern(Node::Free(ty, constructor, argument))
    }

    /// A symbolic set.
    pub fn symbolic(&self, tag: u32, arguments: Vec<Val>) -> Val {
        if tag == Node::LOOSE {
            return self.set(arguments);
        }
        self.intern(Node::Sym(tag, arguments.into()))
    }

    /// The halves of a pair.
    #[inline]
    pub fn as_pair(&self, value: Val) -> Option<(Val, Val)> {
        match self.node(value) {
            Some(Node::Pair(a, b)) => Some((*a, *b)),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self, value: Val) -> Option<&str> {
        match self.node(value) {
            Some(Node::Str(text)) => Some(text),
            _ => None,
        }
    }

    /// The number behind a real.
    pub fn as_real(&self, value: Val) -> Option<f64> {
        match self.node(value) {
            Some(Node::Real(bits)) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// The fields of a record.
    pub fn as_record(&self, value: Val) -> Option<&[Val]> {
        match self.node(value) {
            Some(Node::Rec(fields)) => Some(fields),
            _ => None,
        }
    }

    /// The tag and arguments of a symbolic set.
    pub fn as_symbolic(&self, value: Val) -> Option<(u32, &[Val])> {
        match self.node(value) {
            Some(Node::Sym(tag, args)) => Some((*tag, args)),
            _ => None,
        }
    }

    /// The elements of a listed set, each once; nothing for anything else. Words do not tell whether
    /// an element of one set is in another if either is opaque.
    #[inline]
    pub fn elems(&self, set: Val) -> Option<Elems<'_>> {
        match self.node(set) {
            Some(Node::Set(elems)) => Some(Elems::Slice(elems)),
            Some(Node::Rel(l, r)) => Some(Elems::Rel(l, r)),
            Some(Node::Range(lo, hi)) => Some(Elems::Range(*lo, *hi)),
            _ => None,
        }
    }

    /// The element at a position, in canonical order.
    #[inline]
    pub fn nth(&self, elems: Elems<'_>, index: usize) -> Val {
        match elems {
            Elems::Slice(s) => s[index],
            Elems::Range(lo, _) => self.int(lo + index as i64),
            Elems::Rel(l, r) => self.pair(l[index], r[index]),
        }
    }

    /// All elements, in canonical order.
    pub fn list(&self, elems: Elems<'_>) -> Vec<Val> {
        (0..elems.len()).map(|i| self.nth(elems, i)).collect()
    }
}

/// Does a symbolic set occur in it?
fn is_opaque(node: &Node) -> bool {
    let any = |values: &[Val]| values.iter().any(|v| v.is_opaque());
    match node {
        Node::Sym(..) => true,
        Node::Pair(a, b) => a.is_opaque() || b.is_opaque(),
        Node::Set(values) | Node::Rec(values) => any(values),
        Node::Rel(left, right) => any(left) || any(right),
        Node::Free(_, _, argument) => argument.is_some_and(Val::is_opaque),
        Node::Int(_) | Node::Real(_) | Node::Str(_) | Node::Range(..) => false,
    }
}
