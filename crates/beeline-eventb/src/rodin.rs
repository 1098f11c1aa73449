//! Rodin's own files: `.bum` and `.buc`, and `.bps` and `.bpo` for what was proved.
//!
//! Only what the author wrote is read: no file that Rodin derives from it is needed. Elements and
//! attributes of plug-ins are passed over. A document type is refused, and with it all entities but
//! the five that XML has of its own.

mod status;
mod xml;

use crate::math::{self, Positions};
use crate::project::{
    Action, Constant, Context, Convergence, Event, Labelled, Machine, Project, Witness, ident,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{Expr, ExprKind, Ident, Name, Subst, SubstKind};
use xml::{Element, Text};

pub use status::{read_obligations, read_status};

/// Does a text look like a machine or context of Rodin?
pub fn is_rodin(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    // The root element stands near the beginning, behind the XML declaration and comments.
    let head: String = start.chars().take(4096).collect();
    start.starts_with('<')
        && ["machineFile", "contextFile"]
            .iter()
            .any(|kind| head.contains(&format!("<org.eventb.core.{kind}")))
}

/// Reads a machine or context into a project. `name` is that of its file, without suffix.
pub fn read_component(
    name: &str,
    text: &str,
    base: u32,
    project: &mut Project,
    out: &mut Diagnostics,
) {
    let document = match xml::parse(text, base) {
        Ok(document) => document,
        Err(diagnostic) => {
            out.push(diagnostic);
            return;
        }
    };
    let root = Element { node: document.root_element(), text, base };
    let mut reading = Reading { out };
    let name = ident(name, root.span());
    match root.kind() {
        Some("machineFile") => project.machines.push(reading.machine(name, root)),
        Some("contextFile") => project.contexts.push(reading.context(name, root)),
        _ => {
            let message = "this is neither a machine nor a context of Rodin";
            reading.complain(root.span(), message.to_owned());
        }
    }
}

struct Reading<'o> {
    out: &'o mut Diagnostics,
}

impl Reading<'_> {
    fn complain(&mut self, span: Span, message: String) {
        self.out.push(Diagnostic::new(Code::BAD_EVENTB, span, message));
    }

    fn unknown(&mut self, element: Element<'_, '_>) {
        // Elements of plug-ins have a name of their own family.
        if let Some(kind) = element.kind() {
            let message = format!("the element `{kind}` is not known here and is ignored");
            self.out.push(Diagnostic::new(Code::UNKNOWN_ELEMENT, element.span(), message));
        }
    }

    /// An attribute that must be there.
    fn wanted(&mut self, element: Element<'_, '_>, attribute: &str) -> Option<Text> {
        let found = element.attribute(attribute);
        if found.is_none() {
            let message = format!("the attribute org.eventb.core.{attribute} is missing");
            self.complain(element.span(), message);
        }
        found
    }

    fn target(&mut self, element: Element<'_, '_>) -> Option<Ident> {
        self.wanted(element, "target").map(|text| text.ident())
    }

    fn identifier(&mut self, element: Element<'_, '_>) -> Option<Ident> {
        let text = self.wanted(element, "identifier")?;
        if !math::is_name(&text.text) {
            let span = text.span();
            let message = format!("`{}` is not a name", text.text);
            self.out.push(Diagnostic::new(Code::BAD_IDENTIFIER, span, message));
            return None;
        }
        Some(text.ident())
    }

    fn formula(&mut self, element: Element<'_, '_>, attribute: &str) -> Option<Expr> {
        let text = self.wanted(element, attribute)?;
        match math::formula(&text.text, Positions::Map(&text.positions)) {
            Ok(formula) => Some(formula),
            Err(diagnostic) => {
                self.out.push(diagnostic);
                Some(Expr::new(ExprKind::Error, text.span()))
            }
        }
    }

    fn label(element: Element<'_, '_>) -> Name {
        element.attribute("label").map(|t| Name::from(t.text.as_str())).unwrap_or_default()
    }

    fn labelled(&mut self, element: Element<'_, '_>) -> Option<Labelled> {
        let theorem = element.attribute("theorem").is_some_and(|t| t.text == "true");
        let formula = self.formula(element, "predicate")?;
        Some(Labelled { label: Reading::label(element), formula, theorem })
    }

    fn context(&mut self, name: Ident, root: Element<'_, '_>) -> Context {
        let mut context = Context {
            name,
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
        };
        for child in root.children() {
            match child.kind() {
                Some("extendsContext") => context.extends.extend(self.target(child)),
                Some("carrierSet") => context.sets.extend(self.identifier(child)),
                Some("constant") => {
                    // A plug-in of ProB marks constants that need not be listed.
                    let symbolic = child.foreign("symbolic").is_some_and(|v| v == "true");
                    let name = self.identifier(child);
                    context.constants.extend(name.map(|name| Constant { name, symbolic }));
                }
                Some("axiom" | "theorem") => {
                    let theorem = child.kind() == Some("theorem");
                    let axiom = self.labelled(child);
                    context
                        .axioms
                        .extend(axiom.map(|a| Labelled { theorem: a.theorem || theorem, ..a }));
                }
                _ => self.unknown(child),
            }
        }
        context
    }

    fn machine(&mut self, name: Ident, root: Element<'_, '_>) -> Machine {
        let mut machine = Machine {
            name,
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variants: Vec::new(),
            events: Vec::new(),
        };
        for child in root.children() {
            match child.kind() {
                Some("refinesMachine") => machine.refines = self.target(child),
                Some("seesContext") => machine.sees.extend(self.target(child)),
                Some("variable") => machine.variables.extend(self.identifier(child)),
                Some("invariant" | "theorem") => {
                    let theorem = child.kind() == Some("theorem");
                    let invariant = self.labelled(child);
                    machine
                        .invariants
                        .extend(invariant.map(|i| Labelled { theorem: i.theorem || theorem, ..i }));
                }
                Some("variant") => machine.variants.extend(self.formula(child, "expression")),
                Some("event") => machine.events.extend(self.event(child)),
                _ => self.unknown(child),
            }
        }
        machine
    }

    fn event(&mut self, element: Element<'_, '_>) -> Option<Event> {
        let name = self.wanted(element, "label")?.ident();
        let convergence = element.attribute("convergence");
        let mut event = Event {
            name,
            convergence: match convergence.as_ref().map(|t| t.text.as_str()) {
                Some("1") => Convergence::Convergent,
                Some("2") => Convergence::Anticipated,
                _ => Convergence::Ordinary,
            },
            refines: Vec::new(),
            extended: element.attribute("extended").is_some_and(|t| t.text == "true"),
            parameters: Vec::new(),
            guards: Vec::new(),
            witnesses: Vec::new(),
            actions: Vec::new(),
        };
        for child in element.children() {
            match child.kind() {
                Some("refinesEvent") => event.refines.extend(self.target(child)),
                Some("parameter") => event.parameters.extend(self.identifier(child)),
                Some("guard") => event.guards.extend(self.labelled(child)),
                Some("witness") => {
                    let name = self.wanted(child, "label").map(|t| t.ident());
                    let formula = self.formula(child, "predicate");
                    if let (Some(name), Some(formula)) = (name, formula) {
                        event.witnesses.push(Witness { name, formula });
                    }
                }
                Some("action") => event.actions.extend(self.action(child)),
                _ => self.unknown(child),
            }
        }
        Some(event)
    }

    fn action(&mut self, element: Element<'_, '_>) -> Option<Action> {
        let text = self.wanted(element, "assignment")?;
        let subst = match math::assignment(&text.text, Positions::Map(&text.positions)) {
            Ok(subst) => subst,
            Err(diagnostic) => {
                self.out.push(diagnostic);
                Subst::new(SubstKind::Error, text.span())
            }
        };
        Some(Action { label: Reading::label(element), subst })
    }
}

#[cfg(test)]
mod tests;
