//! Random machines in classical B, as text that can be taken apart again.
//!
//! [`machine::machine`] writes one; [`shrink::shrink`] takes away what is not needed for something to be seen.
//! A generator of other models (refinement chains, say) makes a [`Machine`] of its own from
//! [`node`]s: all that is done with it afterwards is the same.
//!
//! Start reading there, then [`grow`] (formulas) and [`subst`].

pub mod chain;
pub mod compose;
pub mod grow;
pub mod machine;
mod moves;
pub mod node;
pub mod processes;
pub mod shrink;
pub mod subst;
pub mod symbolic;
pub mod types;

pub use machine::machine;

use beeline::model::Loaded;
use beeline::source::MemoryLoader;
use node::Node;

/// A definition that says what nobody checks.
pub const UNCHECKED: &str = "ASSERT_LTL == \"G {TRUE = TRUE}\"";

/// An operation that has steps without end in every state.
pub const ENDLESS: &str = "far(q) = PRE q : NATURAL THEN skip END";

/// Does a machine name an element of a set that it says is symmetric?
pub fn names_forced(text: &str) -> bool {
    let forced = text.split("FORCE_SYMMETRY_E").skip(1);
    let mut numbers = forced.filter_map(|rest| rest.split(' ').next());
    numbers.any(|number| {
        let (declared, element) = (format!("E{number} = {{"), format!("e{number}"));
        let speaks = text.lines().filter(|line| !line.contains(&declared));
        let mut words = speaks.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        words.any(|w| w.strip_prefix(&element).is_some_and(|n| n.parse::<u8>().is_ok()))
    })
}

/// A text without what is said of nothing: definitions that nothing uses, and arguments of those that do not
/// use their parameter.
pub fn without_unused(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let lines: Vec<&str> = text.lines().collect();
        let is_unused = |(at, line): (usize, &&str)| {
            let name = definition(line)?.0;
            let call = format!("{name}(");
            let calls = lines.iter().filter(|other| other.contains(&call)).count();
            (calls == 1).then_some(at)
        };
        let Some(unused) = lines.iter().enumerate().find_map(is_unused) else { break };
        text = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != unused)
            .map(|(_, l)| *l)
            .fold(String::new(), |all, line| all + line + "\n");
    }
    // What one does not look at, another that hands its parameter on does not look at either.
    loop {
        let is_deaf = |line| {
            let (name, parameter, body) = definition(line)?;
            let mut words = body.split(|c: char| !c.is_alphanumeric());
            (!words.any(|word| word == parameter)).then_some(name)
        };
        let deaf: Vec<&str> = text.lines().filter_map(is_deaf).collect();
        let next = deaf.iter().fold(text.clone(), |text, name| without_arguments(&text, name));
        if next == text {
            return text;
        }
        text = next;
    }
}

/// The name, the parameter and the body of a definition that has one parameter.
fn definition(line: &str) -> Option<(&str, &str, &str)> {
    let (head, body) = line.trim_start().split_once(") == ")?;
    let (name, parameter) = head.split_once('(')?;
    Some((name, parameter, body))
}

/// A text in which all calls of a definition have lost what stands between their brackets.
fn without_arguments(text: &str, name: &str) -> String {
    let call = format!("{name}(");
    let mut pieces = text.split(&call);
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let mut open = 1;
        let end = piece.char_indices().find(|(_, c)| {
            open += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            open == 0
        });
        kept += &call;
        kept += end.map_or(piece, |(at, _)| &piece[at..]);
    }
    kept
}

/// What is in a machine.
#[derive(Clone, Debug, Default)]
pub struct Traits {
    /// Deferred sets.
    pub deferred: bool,
    /// Elements with names beside elements without.
    pub mixed: bool,
    /// Sets that cannot be listed.
    pub symbolic: bool,
    /// Another machine.
    pub included: bool,
}

/// A model: files with their names, the main one first.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The files.
    pub files: Vec<(String, Node)>,
    /// What is in them.
    pub traits: Traits,
}

impl Machine {
    /// The texts of the files.
    pub fn texts(&self) -> Vec<(String, String)> {
        self.files.iter().map(|(name, node)| (name.clone(), node.to_string())).collect()
    }
}

/// Loads a model from texts, the main one first.
pub fn load(texts: &[(String, String)]) -> Loaded {
    let mut loader = MemoryLoader::new();
    for (name, text) in texts {
        loader = loader.with(name, text);
    }
    let main = texts.first().map_or("", |(name, _)| name);
    beeline::open_with(&loader, main)
}
