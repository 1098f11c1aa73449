//! Invariants without looking at which states are reachable: backward search, and three algorithms that minimise by
//! bisimulation, each ended as soon as the answer is known (Fisler and Vardi).
//!
//! All of them need relations that are complete outside of the reachable states, so each operation is evaluated in
//! all patterns of the bits that it looks at; what is wrong anywhere is one set, [`Question::bad`]. A state in which
//! nothing is possible counts as a step to itself, since the algorithms want relations that are total.
//! Whatever a method says, `holds` is told only of a set that was seen to contain the initial states, to be closed
//! under steps and to have nothing wrong in it.

mod partition;
mod reachable;

use crate::diagram::{Halt, Set};
use crate::method::Method;
use crate::space::{Refused, Space};
use beeline_explore::{FindingKind, Watch};
use beeline_source::Span;
use beeline_transition::TransitionSystem;
use num_bigint::BigUint;

/// Operations are evaluated in at most so many patterns.
const MOST_PATTERNS: u32 = 1 << 22;

/// What a method is asked.
pub struct Question {
    /// All patterns that can be states.
    pub universe: Set,
    /// States in which nothing is possible.
    stuck: Set,
    /// The initial states.
    pub initial: Set,
    /// Those of the universe in which nothing is wrong.
    pub good: Set,
    /// The others.
    pub bad: Set,
}

/// What a method found out.
pub struct Answer {
    /// States from which nothing bad can be reached, the initial ones among them; nothing if something bad can be
    /// reached.
    pub safe: Option<Set>,
    /// Rounds.
    pub rounds: u64,
    /// Blocks at the end.
    pub blocks: Option<u64>,
}

/// What came of it.
pub enum Told {
    /// Nothing bad is reachable.
    Holds(Answer),
    /// Something bad is: of these kinds, if they were asked for one by one.
    Reachable(Answer, Vec<FindingKind>),
    /// It cannot be said this way.
    Refused(Refused),
}

/// Who answers what.
pub struct Asked<'a> {
    /// The method.
    pub method: Method,
    /// When to stop.
    pub watch: &'a Watch,
    /// Is a state without steps wrong?
    pub deadlock: bool,
    /// Is each kind of what may be wrong a question of its own?
    pub each: bool,
}

fn refused(words: String) -> Refused {
    Refused { span: Span::NONE, words }
}

/// Answers by a method.
pub fn answer<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    initial: Set,
    asked: &Asked<'_>,
) -> Result<Told, Halt> {
    if let Some(why) = unfit(space) {
        return Ok(Told::Refused(why));
    }
    space.held = vec![initial];
    let universe = space.with_room(&[initial], |own| own.layout.universe(&mut own.diagrams))?;
    space.held.push(universe);
    if let Some(why) = too_many(space, universe)? {
        return Ok(Told::Refused(why));
    }
    space.engine.forgiving = true;
    let learned = space.learn_operations(universe, false);
    let learned = learned.and_then(|_| space.learn_predicates(universe));
    space.engine.forgiving = false;
    learned?;
    let stuck = space.stuck(universe)?;
    space.held.push(stuck);
    let kinds = kinds(space, asked.deadlock && !stuck.is_empty());
    let questions: Vec<&[FindingKind]> = match asked.each && !kinds.is_empty() {
        true => kinds.chunks(1).collect(),
        false => vec![&kinds[..]],
    };
    let mut all = Answer { safe: None, rounds: 0, blocks: None };
    let mut found = Vec::new();
    for about in questions {
        space.held = vec![initial, universe, stuck];
        let question = ask(space, about, (universe, stuck, initial))?;
        space.held = question.sets();
        let answer = one(space, &question, asked)?;
        all.rounds += answer.rounds;
        all.blocks = all.blocks.max(answer.blocks);
        space.held = question.sets();
        let Some(safe) = answer.safe else {
            found.extend_from_slice(about);
            continue;
        };
        // Held against its definition, outside of what is counted.
        let done = space.done;
        let is_safe = question.is_safe(space, safe)?;
        space.done = done;
        if !is_safe {
            return Ok(Told::Refused(refused(format!(
                "the set of states that {} found is not closed: this is an error of the program",
                asked.method.name()
            ))));
        }
        all.safe = Some(safe);
    }
    // With nothing that may be wrong, what leaves the layout can still be reached.
    match found.is_empty() && all.safe.is_some() {
        true => Ok(Told::Holds(all)),
        false => Ok(Told::Reachable(all, found)),
    }
}

fn one<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    question: &Question,
    asked: &Asked<'_>,
) -> Result<Answer, Halt> {
    match asked.method {
        Method::Forward(_) | Method::Backward => reachable::backward(space, question),
        Method::Partition { split } => partition::stabilise(space, question, split, asked.watch),
        Method::LeeYannakakis => reachable::lee_yannakakis(space, question),
        Method::Bouajjani => reachable::bouajjani(space, question, asked.watch),
    }
}

/// The kinds of what is wrong anywhere, each once.
fn kinds<S: TransitionSystem>(space: &Space<'_, S>, deadlock: bool) -> Vec<FindingKind> {
    let operations = space.operations.iter().flat_map(|o| &o.wrong);
    let predicates = space.predicates.iter().flat_map(|p| &p.wrong);
    let mut kinds: Vec<FindingKind> =
        operations.chain(predicates).map(|w| w.kind.clone()).collect();
    kinds.extend(deadlock.then_some(FindingKind::Deadlock));
    kinds.sort_by_key(FindingKind::key);
    kinds.dedup_by_key(|kind| kind.key());
    kinds
}

/// Is there something that these methods cannot do?
fn unfit<S: TransitionSystem>(space: &Space<'_, S>) -> Option<Refused> {
    if let Some(variable) = space.layout.open().first() {
        return Some(refused(format!(
            "this method looks at all values of all variables, and variable {} has no finite layout: say its \
             bounds in the invariant, or use --method symbolic",
            variable + 1
        )));
    }
    if space.scope.is_some() {
        return Some(refused("this method does not know SCOPE: use --method symbolic".to_owned()));
    }
    None
}

/// Does something look at too much?
fn too_many<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    universe: Set,
) -> Result<Option<Refused>, Halt> {
    let operations = space.operations.iter().map(|o| (Some(o.index), &o.looks, o.known));
    let predicates = space.predicates.iter().map(|p| (None, &p.looks, p.known));
    for (operation, looks, known) in operations.chain(predicates) {
        let patterns = looks.of(universe, &mut space.diagrams)?;
        let patterns = space.diagrams.difference(patterns, known)?;
        let count = space.diagrams.count(patterns, &looks.levels);
        if count > BigUint::from(MOST_PATTERNS) {
            let signature = space.engine.system.signature();
            let who = match operation {
                Some(index) => format!("operation {}", signature.operation(index).name),
                None => "a check".to_owned(),
            };
            return Ok(Some(refused(format!(
                "{who} looks at {count} patterns of bits: more than {MOST_PATTERNS} are not evaluated outside of \
                 the reachable states; use --method symbolic"
            ))));
        }
    }
    Ok(None)
}

/// Puts together what is wrong of some kinds. Where something was left out, or leaves the layout, is always bad:
/// nobody knows what is behind it.
fn ask<S: TransitionSystem>(
    space: &mut Space<'_, S>,
    about: &[FindingKind],
    (universe, stuck, initial): (Set, Set, Set),
) -> Result<Question, Halt> {
    let is_about = |kind: &FindingKind| about.iter().any(|k| k.is_like(kind));
    let operations = space.operations.iter().flat_map(|o| &o.wrong);
    let predicates = space.predicates.iter().flat_map(|p| &p.wrong);
    let mut wrong: Vec<Set> =
        operations.chain(predicates).filter(|w| is_about(&w.kind)).map(|w| w.set).collect();
    wrong.extend(space.operations.iter().flat_map(|o| [o.outside, o.unsure]));
    wrong.extend(space.predicates.iter().map(|p| p.unsure));
    wrong.extend(is_about(&FindingKind::Deadlock).then_some(stuck));
    let mut bad = Set::EMPTY;
    for set in wrong {
        bad = space.with_room(&[bad, set], |own| {
            let inside = own.diagrams.intersection(set, universe)?;
            own.diagrams.union(bad, inside)
        })?;
    }
    let good = space.with_room(&[bad], |own| own.diagrams.difference(universe, bad))?;
    Ok(Question { universe, stuck, initial, good, bad })
}

impl Question {
    /// All sets that it holds.
    pub fn sets(&self) -> Vec<Set> {
        vec![self.universe, self.stuck, self.initial, self.good, self.bad]
    }

    /// States from which a step leads into a set.
    pub fn before<S: TransitionSystem>(
        &self,
        space: &mut Space<'_, S>,
        set: Set,
    ) -> Result<Set, Halt> {
        let before = space.predecessors(set)?;
        space.with_room(&[before, set], |own| {
            let stay = own.diagrams.intersection(self.stuck, set)?;
            let before = own.diagrams.intersection(before, self.universe)?;
            own.diagrams.union(before, stay)
        })
    }

    /// States that a step leads to from a set.
    pub fn after<S: TransitionSystem>(
        &self,
        space: &mut Space<'_, S>,
        set: Set,
    ) -> Result<Set, Halt> {
        let after = space.successors(set)?;
        space.with_room(&[after, set], |own| {
            let stay = own.diagrams.intersection(self.stuck, set)?;
            own.diagrams.union(after, stay)
        })
    }

    /// Is nothing wrong in a set that has the initial states and is closed under steps?
    fn is_safe<S: TransitionSystem>(
        &self,
        space: &mut Space<'_, S>,
        safe: Set,
    ) -> Result<bool, Halt> {
        let after = self.after(space, safe)?;
        space.with_room(&[safe, after], |own| {
            let left_out = own.diagrams.difference(self.initial, safe)?;
            let wrong = own.diagrams.difference(safe, self.good)?;
            let leaves = own.diagrams.difference(after, safe)?;
            Ok(left_out.is_empty() && wrong.is_empty() && leaves.is_empty())
        })
    }
}
