//! Certificates that somebody changed.

use beeline::certify::{Certificate, Claimed, Kept, Permutation};
use beeline::judge::Value;
use beeline_compare::Random;
use std::collections::BTreeSet;

/// A change.
pub enum Change {
    /// Of the bytes.
    Bytes(Vec<u8>),
    /// Of what they say.
    Certificate(Box<Certificate>),
}

impl Change {
    /// So many of each kind.
    pub fn some(bytes: &[u8], certificate: &Certificate, seed: u64, each: usize) -> Vec<Change> {
        let mut random = Random::new(seed);
        let mut all = Vec::new();
        for _ in 0..each {
            let mut other = bytes.to_vec();
            let place = random.below(other.len());
            // The first line is known to count.
            let place = place.max(22.min(other.len() - 1));
            other[place] ^= 1 + random.below(255) as u8;
            all.push(Change::Bytes(other));
            let Claimed::Holds(kept) = &certificate.claimed else { continue };
            for kind in 0..5 {
                let mut kept = kept.clone();
                if changed(&mut kept, kind, &mut random).is_some() {
                    let claimed = Claimed::Holds(kept);
                    let other = Certificate { claimed, ..certificate.clone() };
                    all.push(Change::Certificate(Box::new(other)));
                }
            }
        }
        all
    }
}

/// Changes one thing; nothing if there is none of this kind.
fn changed(kept: &mut Kept, kind: usize, random: &mut Random) -> Option<()> {
    let pick = |random: &mut Random, len: usize| (len > 0).then(|| random.below(len));
    match kind {
        // A state is gone.
        0 => {
            let place = pick(random, kept.states.len())?;
            kept.states.remove(place);
            kept.leads.remove(place);
        }
        // A value of a state is that of another one.
        1 => {
            let (one, other) = (pick(random, kept.states.len())?, random.below(kept.states.len()));
            let place = pick(random, kept.states[one].1.len())?;
            let value = kept.states[other].1.get(place)?.clone();
            if kept.states[one].1[place] == value {
                return None;
            }
            kept.states[one].1[place] = value;
        }
        // A permutation has two places exchanged.
        2 => {
            let place = pick(random, kept.permutations.len())?;
            let row = kept.permutations[place].0.first_mut()?;
            let (a, b) = (pick(random, row.1.len())?, random.below(row.1.len()));
            if a == b {
                return None;
            }
            row.1.swap(a, b);
        }
        // A step leads on by another permutation.
        3 => {
            let list = kept.leads.iter_mut().find(|l| !l.is_empty())?;
            let place = random.below(list.len());
            list[place] = list[place].wrapping_add(1);
        }
        // A step leads nowhere.
        _ => {
            let list = kept.leads.iter_mut().rfind(|l| !l.is_empty())?;
            list.pop();
        }
    }
    Some(())
}

/// Are these the same states, or permutations of them?
pub fn same_states(one: &Kept, other: &Kept) -> bool {
    let rows = |kept: &Kept| -> BTreeSet<Vec<Value>> {
        let row = |(setup, values): &(u32, Vec<Value>)| {
            let setup = kept.setups.get(*setup as usize).into_iter().flatten();
            setup.chain(values).cloned().collect()
        };
        kept.states.iter().map(row).collect()
    };
    let (a, b) = (rows(one), rows(other));
    if a == b {
        return true;
    }
    // Each that is new is a permutation of one that is gone, as either of them has it.
    let all: Vec<&Permutation> = one.permutations.iter().chain(&other.permutations).collect();
    let symmetric = |x: &Vec<Value>, y: &Vec<Value>| {
        let image = |p: &&&Permutation, row: &Vec<Value>| -> Option<Vec<Value>> {
            row.iter().map(|v| p.value(v)).collect()
        };
        all.iter().any(|p| image(&p, x).as_ref() == Some(y) || image(&p, y).as_ref() == Some(x))
    };
    a.len() == b.len()
        && b.difference(&a).all(|new| a.difference(&b).any(|gone| symmetric(new, gone)))
}
