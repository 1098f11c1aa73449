//! The parent of each state, in little more than a byte.
//!
//! Breadth-first search finds states in the order of their parents, so the parents of 64 states in
//! a row mostly lie within 256 numbers: one base and a byte each; a breadth-first search has at
//! most one other block in 255 states. Other orders go to and fro: where two bytes do not suffice
//! either, a block is kept in full.

const BLOCK: usize = 64;

#[derive(Debug)]
enum Block {
    Near(u32, [u8; BLOCK]),
    /// Steps from a number that lies half of them before the first parent.
    Middle(u32, Box<[u16; BLOCK]>),
    Far(Box<[u32; BLOCK]>),
}

/// Parents by number of the child.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    blocks: Vec<Block>,
    len: usize,
    /// Bytes of what lies outside the list.
    outside: usize,
}

impl Block {
    fn get(&self, at: usize) -> u32 {
        match self {
            Block::Near(base, steps) => base + u32::from(steps[at]),
            Block::Middle(base, steps) => base + u32::from(steps[at]),
            Block::Far(all) => all[at],
        }
    }

    /// Puts a parent at a place; `false` if it is too far from the others.
    fn set(&mut self, at: usize, parent: u32) -> bool {
        match self {
            Block::Near(base, steps) => match parent.checked_sub(*base).map(u8::try_from) {
                Some(Ok(step)) => steps[at] = step,
                _ => return false,
            },
            Block::Middle(base, steps) => match parent.checked_sub(*base).map(u16::try_from) {
                Some(Ok(step)) => steps[at] = step,
                _ => return false,
            },
            Block::Far(all) => all[at] = parent,
        }
        true
    }

    /// The same parents, with room for others between them that are further apart.
    fn wider(&self) -> Block {
        match self {
            Block::Near(base, steps) => {
                let first = base.saturating_sub(1 << 15);
                let step = |step: u8| (base - first) as u16 + u16::from(step);
                Block::Middle(first, Box::new(steps.map(step)))
            }
            Block::Middle(base, steps) => {
                Block::Far(Box::new(steps.map(|step| base + u32::from(step))))
            }
            Block::Far(all) => Block::Far(all.clone()),
        }
    }

    fn outside(&self) -> usize {
        match self {
            Block::Near(..) => 0,
            Block::Middle(..) => size_of::<[u16; BLOCK]>(),
            Block::Far(_) => size_of::<[u32; BLOCK]>(),
        }
    }
}

impl Parents {
    pub fn push(&mut self, parent: u32) {
        let at = self.len % BLOCK;
        self.len += 1;
        if at == 0 {
            // Growing by a part at a time: twice as much as needed would show.
            if self.blocks.len() == self.blocks.capacity() {
                self.blocks.reserve_exact(self.blocks.len() / 8 + 16);
            }
            self.blocks.push(Block::Near(parent, [0; BLOCK]));
            return;
        }
        let Some(block) = self.blocks.last_mut() else { return };
        // Twice at most: the widest block takes any parent.
        while !block.set(at, parent) {
            self.outside -= block.outside();
            *block = block.wider();
            self.outside += block.outside();
        }
    }

    pub fn get(&self, child: u32) -> u32 {
        self.blocks[child as usize / BLOCK].get(child as usize % BLOCK)
    }

    pub fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_near_and_far() {
        let mut parents = Parents::default();
        // Three children each, then a jump, then downwards.
        let list: Vec<u32> = (0..30_000)
            .map(|i| i / 3)
            .chain([5_000_000, 5_000_001])
            .chain((0..100).rev())
            .chain((0..200).map(|i| 40_000 - i * 300 % 30_000))
            .chain([u32::MAX >> 1, 0])
            .collect();
        for parent in &list {
            parents.push(*parent);
        }
        for (child, parent) in list.iter().enumerate() {
            assert_eq!(parents.get(child as u32), *parent);
        }
        assert!(parents.bytes() < 45_000, "{}", parents.bytes());
    }
}
