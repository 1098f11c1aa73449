//! The parent of each state, in little more than a byte.
//!
//! Breadth-first search finds states in the order of their parents, so the parents of 64 states in
//! a row mostly lie within 256 numbers: one base and a byte each. Where they do not, a block is
//! kept in full; a breadth-first search has at most one such block in 255 states.

const BLOCK: usize = 64;

#[derive(Debug)]
enum Block {
    Near(u32, [u8; BLOCK]),
    Far(Box<[u32; BLOCK]>),
}

/// Parents by number of the child.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    blocks: Vec<Block>,
    len: usize,
    far: usize,
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
        match block {
            Block::Far(all) => all[at] = parent,
            Block::Near(base, steps) => match parent.checked_sub(*base).map(u8::try_from) {
                Some(Ok(step)) => steps[at] = step,
                _ => {
                    let mut all = Box::new(steps.map(|step| *base + u32::from(step)));
                    all[at] = parent;
                    *block = Block::Far(all);
                    self.far += 1;
                }
            },
        }
    }

    pub fn get(&self, child: u32) -> u32 {
        let at = child as usize % BLOCK;
        match &self.blocks[child as usize / BLOCK] {
            Block::Near(base, steps) => base + u32::from(steps[at]),
            Block::Far(all) => all[at],
        }
    }

    pub fn bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>() + self.far * BLOCK * size_of::<u32>()
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
