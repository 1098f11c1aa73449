//! What was proved: `.bpo` says what the obligations are, `.bps` which of them are discharged.
//!
//! A proof counts only if it is about the obligation of the `.bpo` file: the stamps of both files must
//! agree, and it must not be broken. Whether that obligation is the one that the machine has is not
//! known here: hypotheses and goals are kept for whoever can tell.

use super::xml::{self, Element};
use crate::math::{self, Positions};
use crate::project::{Obligations, PredicateSet, Project, Proof, Sequent};
use beeline_source::Diagnostic;
use beeline_syntax::ast::Expr;
use smol_str::SmolStr;

/// Proofs of this confidence are finished; below, a person has only looked at them.
const DISCHARGED: i64 = 1000;

/// Reads the obligations of a `.bpo` file of the machine `component`: those about invariants.
pub fn read_obligations(component: &str, text: &str, base: u32) -> Result<Obligations, Diagnostic> {
    let document = xml::parse(text, base)?;
    let root = Element { node: document.root_element(), text, base };
    let mut found = Obligations { component: component.into(), ..Obligations::default() };
    for child in root.children() {
        let Some(name) = child.name() else { continue };
        match child.kind() {
            Some("poPredicateSet") => {
                let set = predicate_set(component, child);
                found.sets.extend(set.map(|set| (name.into(), set)));
            }
            Some("poSequent") if is_wanted(name) => {
                let sequent = sequent(component, child);
                found.sequents.extend(sequent.map(|sequent| (name.into(), sequent)));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Is it about an invariant? `event/label/INV`, or `label/WD` for its meaning.
fn is_wanted(name: &str) -> bool {
    matches!(name.split('/').collect::<Vec<_>>()[..], [_, _, "INV"] | [_, "WD"])
}

fn sequent(component: &str, element: Element<'_, '_>) -> Option<Sequent> {
    let own = |kind: &'static str| element.children().filter(move |e| e.kind() == Some(kind));
    let hypotheses = own("poPredicateSet").map(|e| predicate_set(component, e));
    let mut goals = own("poPredicate").map(formula);
    let goal = match (goals.next(), goals.next()) {
        (Some(goal), None) => goal,
        _ => None,
    };
    let accurate = element.attribute("accurate").is_none_or(|t| t.text == "true");
    Some(Sequent {
        stamp: element.attribute("poStamp").map(|t| t.text).unwrap_or_default(),
        // A set that cannot be read leaves nothing that could be compared.
        hypotheses: hypotheses.collect::<Option<Vec<_>>>()?,
        goal: goal.filter(|_| accurate),
    })
}

fn predicate_set(component: &str, element: Element<'_, '_>) -> Option<PredicateSet> {
    let parent = element.attribute("parentSet").map(|t| local_name(component, &t.text));
    let mut set = PredicateSet {
        parent: match parent {
            Some(None) => return None,
            Some(Some(name)) => Some(name.into()),
            None => None,
        },
        ..PredicateSet::default()
    };
    for child in element.children() {
        match child.kind() {
            Some("poPredicate") => set.predicates.push(formula(child)),
            Some("poIdentifier") => {
                let ty = child.attribute("type").and_then(|t| parsed(&t.text));
                set.identifiers.push((child.name()?.into(), ty));
            }
            _ => {}
        }
    }
    Some(set)
}

fn formula(element: Element<'_, '_>) -> Option<Expr> {
    parsed(&element.attribute("predicate")?.text)
}

/// Nothing of an obligation is ever shown: its places do not matter.
fn parsed(text: &str) -> Option<Expr> {
    math::formula(text, Positions::From(0)).ok()
}

/// The name behind a reference to a set of the same file: `/P/M.bpo|…poFile#M|…poPredicateSet#NAME`.
fn local_name(component: &str, reference: &str) -> Option<String> {
    let (file, name) = reference.split_once("|org.eventb.core.poFile#")?;
    let (_, name) = name.split_once("|org.eventb.core.poPredicateSet#")?;
    // A set of sets would go on behind another bar.
    let plain = !name.replace("\\\\", "").replace("\\|", "").contains('|');
    let own = unescape(file).rsplit('/').next()? == format!("{component}.bpo");
    (own && plain).then(|| unescape(name))
}

/// Rodin writes a backslash before characters that have a meaning in references.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

/// Reads what a `.bps` file says of events and invariants of the machine of these obligations.
pub fn read_status(
    text: &str,
    base: u32,
    obligations: Obligations,
    project: &mut Project,
) -> Result<(), Diagnostic> {
    let document = xml::parse(text, base)?;
    let root = Element { node: document.root_element(), text, base };
    let component = obligations.component.clone();
    for status in root.children().filter(|e| e.kind() == Some("psStatus")) {
        let Some(name) = status.name() else { continue };
        let confidence = status.attribute("confidence").and_then(|t| t.text.parse::<i64>().ok());
        let broken = status.attribute("psBroken").is_some_and(|t| t.text == "true");
        let stamp = status.attribute("poStamp").map(|t| t.text).unwrap_or_default();
        let current = obligations.sequents.get(name).is_some_and(|known| known.stamp == stamp);
        let proved = confidence.is_some_and(|c| c >= DISCHARGED) && !broken && current;
        match name.split('/').collect::<Vec<_>>()[..] {
            [event, invariant, "INV"] if proved => project.proofs.push(Proof {
                component: component.clone(),
                event: SmolStr::from(event),
                invariant: SmolStr::from(invariant),
            }),
            [invariant, "WD"] if !proved => {
                project.maybe_undefined.push((component.clone(), SmolStr::from(invariant)));
            }
            _ => {}
        }
    }
    project.obligations.push(obligations);
    Ok(())
}
