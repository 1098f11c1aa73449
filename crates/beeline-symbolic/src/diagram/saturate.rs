//! Saturation: all states that any number of steps leads to, the lower parts of a diagram first.
//!
//! Relations come in groups by the first bit that they touch, sorted. Below that bit a relation sees the diagram of
//! a part only, and steps there are taken until nothing is new before anybody looks at the bits above. Long pipelines
//! of operations that touch neighbouring bits end in a few passes that way, where whole rounds would need
//! hundreds.

use super::{Diagrams, Halt, Relation, Set, what};

/// Relations that touch the same bit first.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// That bit.
    top: u32,
    /// Places of relations in their list.
    members: Vec<usize>,
}

impl Group {
    /// All relations that have steps and touch something, by their first bit.
    fn all(relations: &[Relation]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut order: Vec<(u32, usize)> = relations
            .iter()
            .enumerate()
            .filter(|(_, r)| !r.steps.is_empty())
            .filter_map(|(place, r)| Some((r.top?, place)))
            .collect();
        order.sort_unstable();
        for (top, place) in order {
            match groups.last_mut() {
                Some(group) if group.top == top => group.members.push(place),
                _ => groups.push(Group { top, members: vec![place] }),
            }
        }
        groups
    }
}

impl Diagrams {
    /// All states that steps of these relations lead to from a set, which is among them.
    pub fn saturated(&mut self, set: Set, relations: &[Relation]) -> Result<Set, Halt> {
        self.age += 1;
        let groups = Group::all(relations);
        let held = self.held.len();
        let result = self.saturate(set, 0, &groups, relations);
        // Where it was broken off, what was held on the way is held no longer.
        self.held.truncate(held);
        result
    }

    fn saturate(
        &mut self,
        set: Set,
        first: usize,
        groups: &[Group],
        relations: &[Relation],
    ) -> Result<Set, Halt> {
        let Some(group) = groups.get(first) else { return Ok(set) };
        if set.is_empty() {
            return Ok(set);
        }
        let name = what::SATURATION + (self.age << 24) + first as u64;
        if let Some(known) = self.recall(name, set, set) {
            return Ok(known);
        }
        self.step()?;
        let held = self.held.len();
        self.held.push(set);
        let level = self.level(set);
        let result = if level < 2 * group.top {
            let (without, with) = self.parts(set, level);
            let without = self.saturate(without, first, groups, relations)?;
            self.held.push(without);
            let with = self.saturate(with, first, groups, relations)?;
            self.held.push(with);
            self.with_room(|own| own.node(level, without, with))?
        } else {
            let mut reached = set;
            loop {
                let before = reached;
                reached = self.saturate(reached, first + 1, groups, relations)?;
                for relation in group.members.iter().filter_map(|m| relations.get(*m)) {
                    self.held.truncate(held + 1);
                    self.held.extend([before, reached]);
                    reached = self.with_room(|own| {
                        let next = own.after(reached, relation)?;
                        own.union(reached, next)
                    })?;
                }
                if reached == before {
                    break;
                }
            }
            reached
        };
        self.held.truncate(held);
        Ok(self.remember(name, set, set, result))
    }

    /// Runs an operation whose sets are held; where there is no room, or soon will be none, nodes are collected
    /// before.
    fn with_room(
        &mut self,
        mut run: impl FnMut(&mut Diagrams) -> Result<Set, Halt>,
    ) -> Result<Set, Halt> {
        if self.is_due() {
            self.collect();
        }
        match run(self) {
            Err(Halt::Full) => {
                self.collect();
                run(self)
            }
            other => other,
        }
    }
}
