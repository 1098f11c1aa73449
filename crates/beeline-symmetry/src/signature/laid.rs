//! Which bits of which word are whose signature, and all that depends on it.
//!
//! A layout is made as a whole and never changed: when a number needs one more bit, another one takes
//! its place. What is remembered under signatures (what values contribute, sums of markers, forms of
//! classes) is part of the layout whose signatures they are, so that nothing outlives its meaning.

use super::slot::{Bits, Slot, Window, windows};
use super::{Class, DIRECT, REMEMBERED};
use crate::recent::Recent;
use crate::state_profile::Base;
use rustc_hash::FxHashMap;

/// Bits of a word that signatures may take: the last one is for [`UNKNOWN`] and [`OTHER`].
const ROOM: u32 = 63;
/// So many bits of signatures are looked up at once: caches are not large.
const TOGETHER: u32 = 12;
/// The place of sums that are not listed.
const BEYOND: usize = usize::MAX >> 1;

/// What a variable contributes is not known yet.
pub(super) const UNKNOWN: u64 = u64::MAX;
/// It is of another kind.
pub(super) const OTHER: u64 = u64::MAX - 1;

/// Some signatures that are looked up together.
pub(super) struct Group {
    pub word: usize,
    pub shift: u32,
    pub mask: u64,
    pub table: usize,
    /// Where the sums of its table begin.
    pub first: usize,
}

/// What signatures of one kind contribute to a marker.
pub(super) struct Table {
    pub class: usize,
    /// Signatures that are looked up together.
    pub signatures: u32,
    /// Where its sums begin; beyond all of them if there are too many.
    pub first: usize,
    /// Sums of wide signatures.
    pub wide: FxHashMap<u64, u128>,
}

/// What is known of one variable under a layout.
pub(super) struct Shown {
    /// Where its numbers are in a signature.
    pub shift: u32,
    /// Contributions to all signatures, `size` words each, by bits or by number of the node.
    pub listed: Vec<u64>,
    /// The same for other values.
    pub mapped: FxHashMap<Box<[u64]>, Box<[u64]>>,
}

/// A layout of signatures, and what is remembered under it.
pub(super) struct Laid {
    /// Width of the signatures of each class.
    pub widths: Vec<u32>,
    /// One for each slot.
    pub shown: Vec<Shown>,
    /// Nothing if there is no short way.
    pub windows: Vec<Window>,
    pub groups: Vec<Group>,
    pub tables: Vec<Table>,
    /// Sums of all tables; 0 is not known.
    pub sums: Vec<u128>,
    /// Word and shift of the signature of each element.
    pub places: Vec<(usize, u32)>,
    /// Words of signatures.
    pub size: usize,
    /// Width of the number of what constants say, in the lowest bits of each signature.
    pub base_width: u32,
    /// For each set-up its signatures before variables are looked at.
    pub bases: Vec<Box<[u64]>>,
    /// Labels by their numbers in the lowest bits, by class.
    pub base_labels: Vec<Vec<u128>>,
    /// Forms of classes, by signatures in order and what else is in a row.
    pub forms: Recent,
    /// The signatures of the row last looked at.
    pub values: Vec<u64>,
}

impl Laid {
    /// Gives every number its place. Nothing if there is no room.
    pub fn new(slots: &[Slot], classes: &[Class], bases: &[&Base]) -> Option<Laid> {
        let numbered = Numbered::of(classes, bases);
        let mut widths = vec![numbered.width; classes.len()];
        let mut shown = Vec::new();
        for slot in slots {
            let width = &mut widths[slot.class];
            let (listed, mapped) = Default::default();
            shown.push(Shown { shift: *width, listed, mapped });
            *width += slot.width;
        }
        if widths.iter().any(|w| *w > ROOM) {
            return None;
        }
        let mut laid = Laid {
            widths,
            shown,
            windows: Vec::new(),
            groups: Vec::new(),
            tables: Vec::new(),
            sums: Vec::new(),
            places: Vec::new(),
            size: 0,
            base_width: numbered.width,
            bases: Vec::new(),
            base_labels: numbered.labels,
            forms: Recent::default(),
            values: Vec::new(),
        };
        laid.place(classes);
        for (slot, shown) in slots.iter().zip(&mut laid.shown) {
            let count = match &slot.bits {
                Bits::Few { mask, .. } => *mask as usize + 1,
                Bits::Word { .. } => 1 << 10,
                Bits::Members(_) | Bits::Codes(_) | Bits::Many(_) => 0,
            };
            shown.listed.resize(count * laid.size, UNKNOWN);
        }
        laid.bases = numbered.numbers.iter().map(|numbers| laid.base(numbers)).collect();
        if laid.size == 1 {
            laid.windows = windows(slots);
        }
        Some(laid)
    }

    /// Finds a place for each signature, and groups of them that are looked up together.
    fn place(&mut self, classes: &[Class]) {
        let (mut word, mut bit) = (0, 0);
        for (number, class) in classes.iter().enumerate() {
            let width = self.widths[number].max(1);
            // How many signatures of the class are before the next one in its word.
            let (together, mut used) = ((TOGETHER / width).max(1), 0);
            for signature in 0..class.len as u32 {
                if bit + width > ROOM {
                    (word, bit, used) = (word + 1, 0, 0);
                }
                self.places.push((word, bit));
                // A group ends with the word, or with the class.
                if used % together == 0 {
                    let left = (class.len as u32 - signature).min((ROOM - bit) / width);
                    self.group(number, (word, bit), together.min(left), width);
                }
                (used, bit) = (used + 1, bit + width);
            }
        }
        self.size = word + 1;
    }

    fn group(&mut self, class: usize, (word, shift): (usize, u32), signatures: u32, width: u32) {
        let known = |t: &Table| t.class == class && t.signatures == signatures;
        let table = self.tables.iter().position(known).unwrap_or_else(|| {
            let (bits, wide) = (signatures * width, FxHashMap::default());
            let first = if bits <= TOGETHER { self.sums.len() } else { BEYOND };
            if first != BEYOND {
                self.sums.resize(first + (1 << bits), 0);
            }
            self.tables.push(Table { class, signatures, first, wide });
            self.tables.len() - 1
        });
        let (mask, first) = ((1 << (signatures * width)) - 1, self.tables[table].first);
        self.groups.push(Group { word, shift, mask, table, first });
    }

    /// The signatures of a set-up before variables are looked at.
    fn base(&self, numbers: &[u64]) -> Box<[u64]> {
        let mut words = vec![0u64; self.size];
        for ((word, shift), number) in self.places.iter().zip(numbers) {
            words[*word] |= number << shift;
        }
        words.into_boxed_slice()
    }

    /// Is it known what these bits of a variable contribute?
    pub fn is_known(&self, number: usize, slot: &Slot, key: &[u64]) -> bool {
        let listed = match slot.bits {
            // All uses are learned at once.
            Bits::Members(_) | Bits::Codes(_) => return !slot.sums.is_empty(),
            Bits::Many(_) => None,
            _ => self.shown[number].listed.get(key[0] as usize * self.size),
        };
        match listed {
            Some(first) => *first != UNKNOWN,
            None => self.shown[number].mapped.contains_key(key),
        }
    }

    /// Keeps what some bits of a variable contribute.
    pub fn keep(&mut self, number: usize, slot: &Slot, key: Box<[u64]>, found: Vec<u64>) {
        let (shown, size) = (&mut self.shown[number], self.size);
        let listed = match slot.bits {
            Bits::Few { .. } | Bits::Word { .. } => key.first().map(|at| *at as usize),
            Bits::Members(_) | Bits::Codes(_) | Bits::Many(_) => None,
        };
        if let Some(at) = listed {
            let is_word = matches!(slot.bits, Bits::Word { .. });
            if is_word && at < DIRECT && shown.listed.len() <= at * size {
                shown.listed.resize((at + 1).next_power_of_two() * size, UNKNOWN);
            }
            if let Some(place) = shown.listed.get_mut(at * size..(at + 1) * size) {
                return place.copy_from_slice(&found);
            }
        }
        if shown.mapped.len() >= REMEMBERED {
            shown.mapped.clear();
        }
        shown.mapped.insert(key, found.into_boxed_slice());
    }
}

/// What constants say about elements, as small numbers.
struct Numbered {
    /// For each set-up a number for each element.
    numbers: Vec<Vec<u64>>,
    /// The label of each number, by class.
    labels: Vec<Vec<u128>>,
    width: u32,
}

impl Numbered {
    /// Elements get one number if all constants use them alike: as uses say, not their hashes.
    fn of(classes: &[Class], bases: &[&Base]) -> Numbered {
        let mut labels = vec![Vec::new(); classes.len()];
        let mut known: Vec<FxHashMap<&[(u32, u32)], u64>> =
            vec![FxHashMap::default(); classes.len()];
        let mut numbers = Vec::new();
        for base in bases {
            let mut own = Vec::new();
            for (number, class) in classes.iter().enumerate() {
                for element in class.first..class.first + class.len {
                    let next = labels[number].len() as u64;
                    let given = *known[number].entry(base.uses(element)).or_insert(next);
                    if given == next {
                        labels[number].push(base.labels[element]);
                    }
                    own.push(given);
                }
            }
            numbers.push(own);
        }
        let most = labels.iter().map(Vec::len).max().unwrap_or(0);
        let width = usize::BITS - most.saturating_sub(1).leading_zeros();
        Numbered { numbers, labels, width }
    }
}
