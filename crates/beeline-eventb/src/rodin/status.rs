//! What was proved: `.bps` says which obligations are discharged, `.bpo` what they are now.
//!
//! A proof counts only if it is about the obligation as it stands: the stamps of both files must
//! agree, and it must not be broken.

use super::xml::{self, Element};
use crate::project::{Project, Proof};
use beeline_source::Diagnostic;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Proofs of more confidence than this are finished; below, a person has only looked at them.
const DISCHARGED: i64 = 500;

/// The stamp of each obligation, by its name.
pub type Stamps = FxHashMap<String, String>;

/// Reads the obligations of a `.bpo` file.
pub fn read_obligations(text: &str, base: u32) -> Result<Stamps, Diagnostic> {
    let document = xml::parse(text, base)?;
    let root = Element { node: document.root_element(), text, base };
    let sequents = root.children().filter(|e| e.kind() == Some("poSequent"));
    let row = |e: Element<'_, '_>| {
        let stamp = e.attribute("poStamp").map(|t| t.text).unwrap_or_default();
        Some((e.name()?.to_owned(), stamp))
    };
    Ok(sequents.filter_map(row).collect())
}

/// Reads what a `.bps` file says of events and invariants of the machine `component`. Without
/// obligations no proof counts.
pub fn read_status(
    component: &str,
    text: &str,
    base: u32,
    obligations: &Stamps,
    project: &mut Project,
) -> Result<(), Diagnostic> {
    let document = xml::parse(text, base)?;
    let root = Element { node: document.root_element(), text, base };
    let component = SmolStr::from(component);
    for status in root.children().filter(|e| e.kind() == Some("psStatus")) {
        let Some(name) = status.name() else { continue };
        let confidence = status.attribute("confidence").and_then(|t| t.text.parse::<i64>().ok());
        let broken = status.attribute("psBroken").is_some_and(|t| t.text == "true");
        let stamp = status.attribute("poStamp").map(|t| t.text).unwrap_or_default();
        let current = obligations.get(name).is_some_and(|known| *known == stamp);
        let proved = confidence.is_some_and(|c| c > DISCHARGED) && !broken && current;
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
    Ok(())
}
